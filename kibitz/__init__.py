"""Kibitz: point a camera at a real word-game board and it keeps the game.

A photograph (a file, its bytes, or (h, w, 3) BGR pixels):

    reading = kibitz.read("board.jpg")
    print(reading.boards[0].rows)
    print(reading.advice, reading.to_json())

A photographed game:

    game = kibitz.replay("photos/", players=["Ann", "Bob"])
    print(game.scores, game.announcements)
    Path("game.html").write_text(game.html())

All photographed games of a club:

    done = kibitz.archive("club-nights/", "archive/")
    print(done.games, done.failures)

The rules without a camera:

    game = kibitz.Game("scrabble", ["Ann", "Bob"], reject_invalid=False)
    game.act("place", "Ann", tiles={"H8": "A", "H9": "T"})
    print(game.say, game.scores)

A camera, a film or a folder that is being filled:

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
        UsageError,
    )
    from kibitz.app.face.game import Game, Outcome, Refusal
    from kibitz.app.face.reading import read, read_all
    from kibitz.app.face.replaying import LaidTile, Play, Question, Replay, replay
    from kibitz.app.face.results import Board, LooseTile, LooseWord, Reading, ShipCard, Tile
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

__version__ = "0.2.0"

__all__ = [
    "Announced",
    "Archive",
    "Board",
    "CommandError",
    "EventHappened",
    "Game",
    "KibitzError",
    "LaidTile",
    "LooseTile",
    "LooseWord",
    "Outcome",
    "PictureUnreadable",
    "Play",
    "PlayRefused",
    "PlaySeen",
    "Progress",
    "Question",
    "QuestionAsked",
    "Reading",
    "Refusal",
    "Replay",
    "ShipCard",
    "Tile",
    "UsageError",
    "ViewAdvice",
    "Watch",
    "WatchEvent",
    "__version__",
    "archive",
    "examples",
    "read",
    "read_all",
    "replay",
    "watch",
]

_ROOMS = {
    "kibitz.app.archive.run": ("Archive", "Progress", "archive"),
    "kibitz.app.common.errors": ("CommandError", "KibitzError", "PictureUnreadable", "UsageError"),
    "kibitz.app.face.game": ("Game", "Outcome", "Refusal"),
    "kibitz.app.face.reading": ("read", "read_all"),
    "kibitz.app.face.replaying": (
        "LaidTile",
        "Play",
        "Question",
        "Replay",
        "replay",
    ),
    "kibitz.app.face.results": (
        "Board",
        "LooseTile",
        "LooseWord",
        "Reading",
        "ShipCard",
        "Tile",
    ),
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
