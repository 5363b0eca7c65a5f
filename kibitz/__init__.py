"""Kibitz: point a camera at a real word-game board and it keeps the game.

A photograph (a file, its bytes, or (h, w, 3) BGR pixels):

    reading = kibitz.read("board.jpg")
    print(reading.boards[0].rows)
    print(reading.advice, reading.to_json())

A photographed game:

    game = kibitz.replay("photos/", players=["Ann", "Bob"])
    print(game.scores, game.announcements)
    page = game.html()

The games that can have led to a board:

    for game in kibitz.trace("board.jpg", ["Ann", "Bob"]).games:
        print(game.scores, game.to_json()["plays"])

All photographed games of a club:

    done = kibitz.archive("club-nights/", "archive/")
    print(done.games, done.failures)

The rules without a camera:

    game = kibitz.Game("scrabble", ["Ann", "Bob"], reject_invalid=False)
    game.act("place", "Ann", tiles={"H8": "A", "H9": "T"})
    print(game.say, game.scores)

A game in the GCG format, judged by the rules and beside the best plays:

    for judged in kibitz.rules("game.gcg"):
        print(judged.ok, judged.wrong)
    print(kibitz.analyse("game.gcg").players)

A word:

    print(kibitz.word("qi").good)

A camera, a film or a folder of photographs:

    with kibitz.watch("0", players=["Ann", "Bob"]) as events:
        for event in events:
            print(event)

`import kibitz` itself is cheap: what is needed is loaded when it is first used. What Kibitz
refuses is a `KibitzError` that says what was expected, what came, and what to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from kibitz.app.archive.run import Archive, Progress, archive
    from kibitz.app.common.errors import (
        CommandError,
        KibitzError,
        PictureUnreadable,
        Problem,
        UsageError,
    )
    from kibitz.app.common.materials.own_words import KeptList
    from kibitz.app.face.analysing import Analysis, analyse
    from kibitz.app.face.calibrating import (
        CalibratedBoard,
        Calibration,
        TaughtTiles,
        calibrate,
        teach,
    )
    from kibitz.app.face.game import Game, Outcome, Refusal
    from kibitz.app.face.judging import Judged, rules
    from kibitz.app.face.kept import Exported, KeptTable, export, film, tables
    from kibitz.app.face.materials import (
        BuildableList,
        BuiltList,
        TileSetFacts,
        WordLists,
        add_words,
        build_words,
        same_root,
        tile_sets,
        word,
        words,
    )
    from kibitz.app.face.reading import read, read_all
    from kibitz.app.face.replaying import LaidTile, Play, Question, Replay, replay
    from kibitz.app.face.tracing import PossibleGame, PossibleGames, trace
    from kibitz.app.face.watching import (
        Announced,
        EventHappened,
        PlayRefused,
        PlaySeen,
        QuestionAsked,
        ViewAdvice,
        Watch,
        WatchEvent,
        watch,
    )
    from kibitz.app.reading.results import Board, LooseTile, LooseWord, Reading, ShipCard, Tile
    from kibitz.engine.board.moves import Move
    from kibitz.engine.record.analysis import Turn
    from kibitz.engine.record.gcg_replay import GcgWrong
    from kibitz.engine.words.lookup import WordFacts
    from kibitz.engine.words.roots import RootVerdict

__version__ = "0.2.0"

__all__ = [
    "Analysis",
    "Announced",
    "Archive",
    "Board",
    "BuildableList",
    "BuiltList",
    "CalibratedBoard",
    "Calibration",
    "CommandError",
    "EventHappened",
    "Exported",
    "Game",
    "GcgWrong",
    "Judged",
    "KeptList",
    "KeptTable",
    "KibitzError",
    "LaidTile",
    "LooseTile",
    "LooseWord",
    "Move",
    "Outcome",
    "PictureUnreadable",
    "Play",
    "PlayRefused",
    "PlaySeen",
    "PossibleGame",
    "PossibleGames",
    "Problem",
    "Progress",
    "Question",
    "QuestionAsked",
    "Reading",
    "Refusal",
    "Replay",
    "RootVerdict",
    "ShipCard",
    "TaughtTiles",
    "Tile",
    "TileSetFacts",
    "Turn",
    "UsageError",
    "ViewAdvice",
    "Watch",
    "WatchEvent",
    "WordFacts",
    "WordLists",
    "__version__",
    "add_words",
    "analyse",
    "archive",
    "build_words",
    "calibrate",
    "examples",
    "export",
    "film",
    "read",
    "read_all",
    "replay",
    "rules",
    "same_root",
    "tables",
    "teach",
    "tile_sets",
    "trace",
    "watch",
    "word",
    "words",
]

_ROOMS = {
    "kibitz.app.archive.run": ("Archive", "Progress", "archive"),
    "kibitz.app.common.errors": (
        "CommandError",
        "KibitzError",
        "PictureUnreadable",
        "Problem",
        "UsageError",
    ),
    "kibitz.app.common.materials.own_words": ("KeptList",),
    "kibitz.app.face.analysing": ("Analysis", "analyse"),
    "kibitz.app.face.calibrating": (
        "CalibratedBoard",
        "Calibration",
        "TaughtTiles",
        "calibrate",
        "teach",
    ),
    "kibitz.app.face.game": ("Game", "Outcome", "Refusal"),
    "kibitz.app.face.judging": ("Judged", "rules"),
    "kibitz.app.face.kept": ("Exported", "KeptTable", "export", "film", "tables"),
    "kibitz.app.face.materials": (
        "BuildableList",
        "BuiltList",
        "TileSetFacts",
        "WordLists",
        "add_words",
        "build_words",
        "same_root",
        "tile_sets",
        "word",
        "words",
    ),
    "kibitz.app.face.reading": ("read", "read_all"),
    "kibitz.app.face.replaying": (
        "LaidTile",
        "Play",
        "Question",
        "Replay",
        "replay",
    ),
    "kibitz.app.reading.results": (
        "Board",
        "LooseTile",
        "LooseWord",
        "Reading",
        "ShipCard",
        "Tile",
    ),
    "kibitz.app.face.tracing": ("PossibleGame", "PossibleGames", "trace"),
    "kibitz.app.face.watching": (
        "Announced",
        "EventHappened",
        "PlayRefused",
        "PlaySeen",
        "QuestionAsked",
        "ViewAdvice",
        "Watch",
        "WatchEvent",
        "watch",
    ),
    "kibitz.engine.board.moves": ("Move",),
    "kibitz.engine.record.analysis": ("Turn",),
    "kibitz.engine.record.gcg_replay": ("GcgWrong",),
    "kibitz.engine.words.lookup": ("WordFacts",),
    "kibitz.engine.words.roots": ("RootVerdict",),
}
"""Where each name is defined; loaded when it is first asked for."""


def examples() -> dict[str, Path]:
    """The photographed games that come with Kibitz: a game's slug to its folder."""
    from pathlib import Path

    folder = Path(__file__).resolve().parent / "app" / "data" / "demo"
    return {path.parent.name: path.parent for path in sorted(folder.glob("*/game.json"))}


# hidden from type checkers, which would else believe that every name is there
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Load what is asked for."""
        from importlib import import_module

        for room, names in _ROOMS.items():
            if name in names:
                return getattr(import_module(room), name)
        message = f"module 'kibitz' has no attribute {name!r}"
        raise AttributeError(message)

    def __dir__() -> list[str]:
        """Every name that is offered."""
        return sorted({*globals(), *__all__})
