"""`kibitz.replay`: turns a photographed game into plays, scores and announcements."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict, TypeVar

from kibitz.app.cameras.recordings import photo_readings, video_readings
from kibitz.app.common.errors import CommandError, Problem, UsageError
from kibitz.app.common.files import PathLike
from kibitz.app.common.materials.named import any_word_note, letters_for, teach_note
from kibitz.app.common.materials.own_games import GameLike
from kibitz.app.common.terminal import silent
from kibitz.app.face.game import gcg_of, scores_in, words_in
from kibitz.app.face.kept import kept_tables
from kibitz.app.face.opening import Players, Start, opening_of
from kibitz.app.face.reading import CornersLike, corners_text
from kibitz.app.observers.board_views import SureLetter
from kibitz.app.observers.feeds import GameReplay, make_observer
from kibitz.app.observers.lines import NOT_UNDERSTOOD
from kibitz.app.observers.panels import PanelOrder, not_joined, parse_panels
from kibitz.app.observers.told import ToldAction, load_told, photographs_missing, told_of
from kibitz.app.reading.pictures import FileReading, expand, read_file, reader_of_game
from kibitz.app.reading.profile import load_profile
from kibitz.app.reading.request import (
    ON_SINGLE_BOARDS,
    parse_corners,
    parse_top,
    squares_of,
)
from kibitz.app.reading.results import BLANK
from kibitz.app.tables.orders import LONGEST_NAME
from kibitz.app.tables.results.html_replay import SmallPhoto
from kibitz.engine.games import DEFAULT_GAME
from kibitz.engine.phrases import Notation
from kibitz.engine.record.blanks import nameless_blanks
from kibitz.engine.record.ledger import Opening
from kibitz.engine.rules import Action, GameInfo, JsonValue
from kibitz.engine.table import JOINED_SIDE, SIDE, board_rows
from kibitz.engine.tracking.questions import Kind
from kibitz.vision.frame import VIDEO_SUFFIXES
from kibitz.vision.request import ReadRequest

if TYPE_CHECKING:
    from kibitz.app.tables.table import Table

Line: TypeAlias = Mapping[str, Any]
"""A line of `kibitz replay --json`; docs/command-line.md names its fields."""

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Play:
    """A play as it is known at the end of the game.

    Attributes:
        file: the photograph that showed it first.
        player: who made it; None where that is not known.
        tiles: square to letter, a small one for a blank, `?` where its letter is not known; on
            several boards with the board, as `2:H8`.
        words: the words made, with what each scores where words score.
        score: what the turn scored; None where nothing was.
        removed: squares that tiles were taken from.
        turned: squares whose tiles were turned.
        line: everything that is known of it, as in `final.plays` of `kibitz replay --json`.
    """

    file: str
    player: str | None
    tiles: Mapping[str, str]
    words: tuple[tuple[str, int | None], ...]
    score: int | None
    removed: tuple[str, ...] = ()
    turned: tuple[str, ...] = ()
    line: Mapping[str, Any] = field(default_factory=dict, repr=False)


class ReplayDocument(TypedDict):
    """A replay as one JSON document: the photographs' lines, and `final` of the last line."""

    lines: list[Mapping[str, JsonValue]]
    final: dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class LaidTile:
    """A tile of a play, with its reading in the play's first photograph.

    Attributes:
        play: the number of its play in `Replay.plays`, from 0.
        file: the photograph that showed the play first.
        player: who laid it; None where that is not known.
        square: where it lies, as `H8`, or with its board as `2:H8`.
        letter: what it is known to be at the end, a small letter for a blank.
        read: what that photograph showed there; empty where no tile was in sight.
        confidence: how probable it is, from that photograph alone, that `read` lies there; None
            where no tile was in sight.
    """

    play: int
    file: str
    player: str | None
    square: str
    letter: str
    read: str
    confidence: float | None


@dataclass(frozen=True, slots=True)
class Question:
    """A question that only a person can answer.

    Attributes:
        file: the photograph that raised it.
        field: what is asked for, `blank` for instance.
        prompt: the question in words.
        choices: likely answers.
        square: the square that it is about.
    """

    file: str
    field: str
    prompt: str
    choices: tuple[str, ...] = ()
    square: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """A photographed game as it is known at its end.

    Attributes:
        game: its slug, or rules of your own.
        players: names in seating order.
        lines: the lines of `kibitz replay --json`: one a photograph, then `{"final": ...}`.
        problems: what people told that was not possible, in words.
        unread: the photographs in which nothing could be read: file to why.
    """

    game: str
    players: tuple[str, ...]
    lines: tuple[Line, ...] = field(repr=False)
    problems: tuple[str, ...] = ()
    unread: Mapping[str, Problem] = field(default_factory=dict)
    _gcg: Callable[[], str] = field(default=str, repr=False)
    _html: Callable[[bool, Notation | None], str] = field(default=lambda *_: "", repr=False)
    _seen: Mapping[str, Mapping[str, SureLetter]] = field(default_factory=dict, repr=False)

    @property
    def photographs(self) -> tuple[Line, ...]:
        """Lines of the photographs, without the last line."""
        return tuple(line for line in self.lines if "final" not in line)

    @property
    def final(self) -> Mapping[str, Any]:
        """Final state of the game, as in the last line."""
        final: Mapping[str, Any] = self.lines[-1]["final"]
        return final

    @property
    def plays(self) -> tuple[Play, ...]:
        """Every play as it is known at the end."""
        return tuple(map(_play, self.final["plays"]))

    @property
    def tiles(self) -> tuple[LaidTile, ...]:
        """Every tile of every play with known squares, with its confidence."""
        laid = []
        for number, play in enumerate(self.plays):
            seen = self._seen.get(play.file, {})
            for square, letter in play.tiles.items():
                read, sure = seen.get(square, ("", None))
                laid.append(LaidTile(number, play.file, play.player, square, letter, read, sure))
        return tuple(laid)

    @property
    def scores(self) -> dict[str, int]:
        """Points by player, or by team; empty in games that do not count points."""
        return scores_in(self.final)

    @property
    def board(self) -> tuple[str, ...]:
        """The board's rows at the end, row A first; empty where the game has no board."""
        return tuple(board_rows(self.final))

    @property
    def announcements(self) -> tuple[str, ...]:
        """All announcements in order."""
        return tuple(text for line in self.photographs for text in line.get("say") or ())

    @property
    def questions(self) -> tuple[Question, ...]:
        """Open questions: neither people nor later photographs answered them."""
        return tuple(
            Question(q["file"], q["field"], q["prompt"], tuple(q["choices"]), q["square"])
            for q in self.final["questions"]
        )

    @property
    def unresolved(self) -> tuple[str, ...]:
        """Photographs whose position was not understood."""
        return tuple(self.final["unresolved"])

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on how it was replayed, for instance that any word counted."""
        return tuple(self.final["notes"])

    @property
    def complete(self) -> bool:
        """True if everything was read, understood and answered."""
        return not (self.unread or self.problems or self.unresolved or self.questions)

    def gcg(self) -> str:
        """The game as GCG.

        Raises:
            UsageError: the format holds only Scrabble.
        """
        return self._gcg()

    def html(self, *, pictures: bool = True, notation: Notation | None = None) -> str:
        """An HTML page that replays the game without network access.

        Args:
            pictures: whether it holds the photographs, made small.
            notation: how squares are named; as in the game's records if None.
        """
        return self._html(pictures, notation)

    def to_json(self) -> ReplayDocument:
        """One document: the photographs' lines and the last line's `final`."""
        document: ReplayDocument = {
            "lines": list(self.photographs),
            "final": dict(self.final),
        }
        return deepcopy(document)


def _play(line: Mapping[str, Any]) -> Play:
    score = line.get("turn_score")
    return Play(
        file=str(line["file"]),
        player=line.get("player"),
        tiles=dict(line.get("tiles") or {}),
        words=words_in(line),
        score=None if score is None else int(score),
        removed=tuple(line.get("removed") or ()),
        turned=tuple(line.get("turned") or ()),
        line=line,
    )


@dataclass(frozen=True, slots=True)
class Photographs:
    """Photographs of a game and how to read them: the options of `kibitz replay`.

    `notes` say what is to be known: why any word is good, which letters are not read untaught.
    """

    paths: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    tiles: str = "en"
    top: str | None = None
    corners: str | None = None
    panel: str | None = None
    profile: str | None = None
    calibration: str | None = None
    data: str | None = None
    models: Path | None = None
    notes: tuple[str, ...] = ()


def replay(
    photos: PathLike | Iterable[PathLike],
    game: GameLike = DEFAULT_GAME,
    players: Players = None,
    *,
    tiles: str = "en",
    told: PathLike | Iterable[Mapping[str, Any]] | None = None,
    blanks: Mapping[str, str] | None = None,
    ask: Callable[[str, Sequence[str]], str] | None = None,
    lexicon: str = "default",
    start: Start = None,
    settings: Mapping[str, Any] | None = None,
    top: str | None = None,
    corners: CornersLike | None = None,
    panel: str | None = None,
    profile: PathLike | None = None,
    calibration: str | None = None,
    data: str | None = None,
    models: PathLike | None = None,
    progress: Callable[[str], None] = silent,
    **named: Any,
) -> Replay:
    """Work out the plays of a photographed game.

    Args:
        photos: a folder (in natural order), photographs in order, a film, or a recorded table.
        game: its slug, or rules of your own.
        players: names in seating order, as a list or as `Ann,Bob`.
        tiles: the tile set: `en de fr ro pl fi`, or a file.
        told: what people said: scenario actions, each with the photograph `before` which, or
            the file that they are in.
        blanks: the letters of blanks, as `{"K4": "E"}`.
        ask: is asked for the letter of a blank that neither people nor words have told, by its
            square and the letters that make good words; what it answers counts, nothing does not.
        lexicon: the words that are good: `default`, `none` (any string is a word) or a file.
        start: a position to begin from, in the form of a scenario's `initial`, or its file.
        settings: the game's settings by their names, as `{"cl.tie": "draw"}`.
        top: the photographs' edge that row A is nearest to: `top right bottom left`.
        corners: the board's four outer corners in every photograph, row A first.
        panel: which of nine joined boards each photograph shows, as `1-9` or `auto`.
        profile: what `kibitz calibrate --teach` kept of tiles whose look was taught.
        calibration: the name under which `kibitz calibrate` kept the table.
        data: where tables are kept.
        models: a folder with other model weights.
        progress: is told, in words, how far the work has come.
        named: settings as keywords, with `_` for the dot: `cl_tie="draw"`.

    Raises:
        UsageError: an argument is not one of those that are taken.
        CommandError: the models or the place where tables are kept cannot be used.
    """
    names = [photos] if isinstance(photos, (str, os.PathLike)) else list(photos)
    paths = tuple(os.fspath(name) for name in names)
    if (recorded := recorded_table(paths, data, game)) is not None:
        return recorded
    opening = opening_of(
        game,
        players,
        settings=settings,
        tiles=tiles,
        lexicon=lexicon,
        start=start,
        named=named,
    )
    shown = Photographs(
        paths=paths,
        players=opening.players,
        tiles=tiles,
        top=top,
        corners=corners_text(corners),
        panel=panel,
        profile=None if profile is None else os.fspath(profile),
        calibration=calibration,
        data=data,
        models=None if models is None else Path(models),
        notes=tuple(
            note
            for note in (
                any_word_note(lexicon, tiles, opening.options),
                teach_note(tiles) if profile is None else None,
            )
            if note is not None
        ),
    )
    for note in shown.notes:
        progress(note)
    if told is None or isinstance(told, (str, os.PathLike)):
        said = load_told(None if told is None else Path(told))
    else:
        said = told_of(told)
    said = [*said, *(blank_told(square, letter) for square, letter in (blanks or {}).items())]
    return replay_photographs(shown, opening, said, progress, ask)


def blank_told(square: str, letter: str) -> ToldAction:
    """The action by which somebody says which letter a blank is."""
    answer = {"field": Kind.BLANK, "square": square, "value": letter}
    return ToldAction(None, Action("answer", data=answer))


def replay_photographs(
    photos: Photographs,
    opening: Opening,
    told: list[ToldAction],
    progress: Callable[[str], None] = silent,
    ask: Callable[[str, Sequence[str]], str] | None = None,
) -> Replay:
    """Replay photographs as `replay` does, with an opening and told actions.

    Args:
        photos: the photographs, and how to look at them.
        opening: how the game begins.
        told: what people said.
        progress: is told, in words, how far the work has come.
        ask: is asked for the letters of blanks, as in `replay`.
    """
    request = request_of(photos, opening.game.info)
    watcher = new_replay(photos, opening, told)
    seen: list[_GamePhoto] = []
    for found in _readings(photos, request, progress):
        watcher.see(found)
        seen.append(_GamePhoto.of(found, watcher.boards[-1]))
    for name in photographs_missing(told, watcher.files):
        progress(f"--told: there is no photograph {name!r}; what comes before it is said last")
    if ask is not None and opening.game.info.gcg:
        for square, letters in nameless_blanks(watcher.ledger).items():
            if len(letters) > 1 and (letter := ask(square.name, letters)):
                said = blank_told(square.name, letter)
                watcher.tell([said])
                told = [*told, said]
    last = watcher.finish()
    # every photograph is there already, so each line says what the later ones have made of it
    lines = tuple(watcher.known_lines())
    answered = {
        (str(t.action.data.get("field")), t.action.data.get("square"))
        for t in told
        if t.action.kind == "answer"
    }
    last["final"] |= {
        "unresolved": [str(x["file"]) for x in lines if x["status"] in NOT_UNDERSTOOD],
        "questions": _open_questions(lines, last["final"]["plays"], answered),
        "notes": list(photos.notes),
    }
    ledger = watcher.ledger
    return Replay(
        game=opening.game.info.slug,
        players=opening.players,
        lines=(*lines, last),
        problems=tuple(watcher.problems),
        unread={
            one.found.file: Problem(one.found.code, one.found.message)
            for one in seen
            if one.found.reading is None
        },
        _gcg=lambda: gcg_of(ledger),
        _html=lambda pictures, notation: page_of(
            opening, request, lines, [one.shot() if pictures else None for one in seen], notation
        ),
        _seen=dict(zip(watcher.files, watcher.tiles, strict=True)),
    )


def _open_questions(
    lines: Sequence[Line], plays: Sequence[Line], answered: Set[tuple[str, str | None]]
) -> list[Line]:
    """Questions of photographs that neither people nor later photographs answered."""
    known = {
        (play["file"], square)
        for play in plays
        for square, letter in (play.get("tiles") or {}).items()
        if letter != BLANK
    }
    return [
        {"file": line["file"], **question}
        for number, line in enumerate(lines)
        if (question := line.get("question"))
        and (question["field"], question["square"]) not in answered
        and not (question["field"] == "blank" and (line["file"], question["square"]) in known)
        and not (question["field"] == "play" and _came_off(line, lines[number + 1 :]))
    ]


def _came_off(line: Line, later: Sequence[Line]) -> bool:
    """True if tiles that form no play were removed again, so that nothing is to be said."""
    tiles = set((line.get("play") or {}).get("tiles") or ())
    gone = (set((x.get("play") or {}).get("removed") or ()) for x in later)
    return bool(tiles) and any(tiles <= squares for squares in gone)


@dataclass(frozen=True, slots=True, eq=False)
class _GamePhoto:
    """A photograph to be drawn later; scaled down now if no file holds it."""

    found: FileReading
    board: int | None
    drawn: SmallPhoto | None = None

    @classmethod
    def of(cls, found: FileReading, board: int | None) -> _GamePhoto:
        """The photograph that was just read; a film's picture is gone later."""
        if found.picture is None:
            return cls(found, board)
        from kibitz.app.tables.results.html_replay import small_photo

        return cls(replace(found, picture=None), board, small_photo(found, board))

    def shot(self) -> SmallPhoto | None:
        """The photograph scaled down, with outlines of what was read in it."""
        from kibitz.app.tables.results.html_replay import small_photo

        return self.drawn or small_photo(self.found, self.board)


def new_replay(photos: Photographs, opening: Opening, told: list[ToldAction]) -> GameReplay:
    """A new replay of a game."""
    # row A is where people said: by hand, or when the table was calibrated
    fixed_top = photos.corners is not None or request_of(photos, opening.game.info).top is not None
    panels = parse_panels(photos.panel)
    observer = make_observer(opening, photos.tiles, fixed_top=fixed_top, panels=panels)
    return GameReplay(observer, told)


def request_of(photos: Photographs, info: GameInfo) -> ReadRequest:
    """Request for reading each photograph.

    Raises:
        UsageError: `--panel` for a game that is not played on nine boards.
    """
    squares, corners, top = (
        squares_of(info),
        parse_corners(photos.corners),
        parse_top(photos.top),
    )
    if photos.profile is not None:
        if squares in (JOINED_SIDE, "loose"):
            raise UsageError(*ON_SINGLE_BOARDS)
        from kibitz.app.reading.teaching import load_taught

        taught = load_taught(photos.profile, photos.models)
        return _placed(photos, ReadRequest(squares, corners=corners, top=top, taught=taught))
    if photos.panel is None:
        return _placed(photos, ReadRequest(squares, letters_for(photos.tiles), corners, top))
    if squares != JOINED_SIDE:
        raise not_joined(info)
    alone = parse_panels(photos.panel) != PanelOrder()
    letters = letters_for(photos.tiles)
    return ReadRequest(SIDE if alone else JOINED_SIDE, letters, corners, top, part=alone)


def _placed(photos: Photographs, request: ReadRequest) -> ReadRequest:
    """The request with a table's calibration applied."""
    if photos.calibration is None:
        return request
    return load_profile(photos.calibration, photos.data).placed(request, photos.players)


def _readings(
    photos: Photographs, request: ReadRequest, progress: Callable[[str], None]
) -> Iterator[FileReading]:
    sources = expand(photos.paths)
    reader = reader_of_game(photos.models)
    if len(sources) == 1 and isinstance(sources[0], str) and _is_video(sources[0]):
        yield from video_readings(sources[0], reader, request)
    else:
        yield from photo_readings(sources, reader, request, read_file, progress)


def _is_video(source: str) -> bool:
    """True if the source is a video by itself; among photographs it gets an error line."""
    return Path(source).suffix.lower() in VIDEO_SUFFIXES


def page_of(
    opening: Opening,
    request: ReadRequest,
    lines: Sequence[Mapping[str, Any]],
    shots: Sequence[SmallPhoto | None],
    notation: Notation | None,
) -> str:
    """HTML page that replays a game."""
    from kibitz.app.tables.results.html_replay import PageFacts, replay_page

    facts = PageFacts(
        opening.game.info,
        opening.players,
        opening.materials.tile_set,
        letters=request.letters,
        notation=notation,
    )
    return replay_page(facts, lines, shots)


def recorded_table(paths: Sequence[str], data: str | None, game: GameLike) -> Replay | None:
    """A kept table as a replay, if the only path names one; None if it is something else.

    Raises:
        CommandError: the place where tables are kept cannot be used.
    """
    name = paths[0] if len(paths) == 1 else ""
    if not (name.isalnum() and len(name) <= LONGEST_NAME) or Path(name).exists():
        return None
    from kibitz.app.common.storage.tables import default_data

    if data is None and not Path(default_data()).exists():
        return None
    from kibitz.app.tables.results.records import table_gcg, table_lines, table_page

    facts = _of_table(name, data, game, lambda t: (t.setup.opening, tuple(table_lines(t))))
    if facts is None:
        return None
    opening, lines = facts
    return Replay(
        opening.game.info.slug,
        opening.players,
        lines,
        _gcg=lambda: _of_table(name, data, game, table_gcg) or "",
        _html=lambda _pictures, notation: (
            _of_table(name, data, game, lambda t: table_page(t, notation)) or ""
        ),
    )


def _of_table(name: str, data: str | None, game: GameLike, what: Callable[[Table], R]) -> R | None:
    """A property of a kept table; None if there is no such table."""
    from kibitz.app.tables.orders import OrderError

    with kept_tables(data, game) as tables:
        try:
            table = tables.get(name)
            return None if table is None else what(table)
        except OrderError as error:
            raise CommandError(error.message) from error
