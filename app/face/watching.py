"""`kibitz.watch`: watches a table through a camera and yields typed events."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from kibitz.app.cameras.drive import drive
from kibitz.app.cameras.reopening import Shot
from kibitz.app.cameras.sources import Source, VideoSource, open_source
from kibitz.app.cameras.table_camera import Report, TableCamera
from kibitz.app.common.errors import CommandError, Option, UsageError
from kibitz.app.common.files import PathLike
from kibitz.app.common.materials.named import letters_for
from kibitz.app.common.materials.own_games import GameLike
from kibitz.app.common.storage.tables import Storage, TableRow
from kibitz.app.face.game import Outcome, SeenGame, outcome_of, refused, scores_in, words_in
from kibitz.app.face.opening import Players, Start, opening_of
from kibitz.app.face.reading import CornersLike, corners_text
from kibitz.app.observers.panels import not_joined, parse_panels
from kibitz.app.observers.told import with_whole_ships
from kibitz.app.reading.frames import FrameReader, make_loader
from kibitz.app.reading.pictures import PathProblem, expand
from kibitz.app.reading.profile import load_profile
from kibitz.app.reading.request import ON_SINGLE_BOARDS, parse_corners, parse_top, request_of_table
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import HOST, Actor, new_table_id
from kibitz.app.tables.setup import Setup
from kibitz.app.tables.table import Table
from kibitz.engine.games import DEFAULT_GAME
from kibitz.engine.record.ledger import Opening
from kibitz.engine.rules import GameInfo, JsonValue, Refused, action_from_json
from kibitz.models.session import ModelFileInvalid
from kibitz.vision.frame import VIDEO_SUFFIXES

if TYPE_CHECKING:
    from kibitz.vision.boards.letters.taught import Taught


@dataclass(frozen=True, slots=True)
class PlaySeen:
    """A play was seen, or one was taken back.

    Attributes:
        status: `play`, `several`, `taken_back`, `task_done`, or `question` where something of
            the play is still open.
        player: who made it; None where that is not known.
        tiles: square to letter, a small one for a blank.
        words: the words made, with what each scores where words score.
        score: what the turn scored; None where nothing was.
        removed: squares that tiles were taken from.
        scores: points by player after it.
        line: the line of `kibitz replay --json` for this position.
    """

    status: str
    player: str | None
    tiles: Mapping[str, str]
    words: tuple[tuple[str, int | None], ...]
    score: int | None
    removed: tuple[str, ...]
    scores: Mapping[str, int]
    line: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class PlayRefused:
    """The tiles seen are no legal play, with the reason and the squares."""

    code: str
    message: str
    squares: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """A question that only a person can answer; `Watch.answer` takes the answer."""

    field: str
    prompt: str
    choices: tuple[str, ...] = ()
    square: str | None = None


@dataclass(frozen=True, slots=True)
class EventHappened:
    """A public event of the game, named as in scenarios.

    Attributes:
        kind: its name, `hit` for instance.
        data: its fields.
    """

    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Announced:
    """A sentence to be announced."""

    text: str


@dataclass(frozen=True, slots=True)
class ViewAdvice:
    """The camera's view of the table has changed.

    Attributes:
        advice: what to do about light, sharpness and framing; nothing where all is well.
        trouble: why no pictures come now, in words; empty while they do.
    """

    advice: tuple[str, ...] = ()
    trouble: str = ""


WatchEvent: TypeAlias = (
    PlaySeen | PlayRefused | QuestionAsked | EventHappened | Announced | ViewAdvice
)


class Watch(SeenGame):
    """A table watched by a camera: iterate over it, and close it or use `with`.

    A film or a folder ends the iteration; a camera goes on until `close`. While an event is
    handled the camera waits, and what people say can be told with `act` and `answer`.
    """

    def __init__(self, table: Table, camera: TableCamera, source: Source, folder: _Folder) -> None:
        self._table = table
        self._camera = camera
        self._source = source
        self._folder = folder
        self._stop = threading.Event()
        self._view = ViewAdvice()
        self._events = self._watched()

    def __iter__(self) -> Iterator[WatchEvent]:
        return self

    def __next__(self) -> WatchEvent:
        return next(self._events)

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the camera; the iteration ends."""
        self._stop.set()
        try:
            self._events.close()
        except ValueError:
            return  # another thread is in the middle of it, and ends with the next picture
        self._folder.close()

    @property
    def table(self) -> str:
        """Name that the table is kept under; `export` and `film` take it if `data` was given."""
        return self._table.id

    @property
    def players(self) -> tuple[str, ...]:
        """The players in seating order."""
        return self._table.setup.opening.players

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self._table.over

    def _seen_by(self, seat: str | None) -> Mapping[str, JsonValue]:
        return self._table.view(HOST if seat is None else Actor("seat", seat))

    def act(
        self, action: str | Mapping[str, Any], seat: str | None = None, **fields: Any
    ) -> Outcome:
        """Tell the game what somebody says or does, as a challenge or a pass; see `Game.act`.

        Raises:
            UsageError: it is no action.
        """
        given = {"action": action, **fields} if isinstance(action, str) else {**action, **fields}
        if seat is not None:
            given.setdefault("player", seat)
        try:
            done = action_from_json(with_whole_ships(given))
        except (ValueError, TypeError) as error:
            raise UsageError(f"action: {error}") from error
        outcome = self._table.act(done, HOST)
        if isinstance(outcome, Refused):
            return refused(outcome)
        return outcome_of(self._table.ledger, outcome.verdict, outcome.done, done.player)

    def answer(self, question: QuestionAsked, value: str, seat: str | None = None) -> Outcome:
        """Answer an open question."""
        where = {} if question.square is None else {"square": question.square}
        return self.act("answer", seat, field=question.field, value=value, **where)

    def _watched(self) -> Generator[WatchEvent, None, None]:
        """Yield every event in order until the source ends."""
        try:
            for came in drive(self._source, lambda: self._camera, self._stop):
                yield from self._view_events()
                if isinstance(came, Report):
                    yield from events_of(came.line)
        except ModelFileInvalid as error:
            raise CommandError(f"pictures cannot be read: {error}") from error
        finally:
            self._stop.set()

    def _view_events(self) -> Iterator[ViewAdvice]:
        """Yield the state of the camera's view, if it has changed."""
        newest = self._camera.newest
        advice = () if newest is None else newest.frame.advice
        now = ViewAdvice(advice, self._camera.trouble)
        if now != self._view:
            self._view = now
            yield now


def events_of(line: Mapping[str, Any] | None) -> Iterator[WatchEvent]:
    """Yield the events in a line of `kibitz replay --json`."""
    if line is None:
        return
    play = line.get("play")
    if play is not None and "refused" not in line:
        score = play.get("turn_score")
        yield PlaySeen(
            status=str(line["status"]),
            player=play.get("player"),
            tiles=dict(play.get("tiles") or {}),
            words=words_in(play),
            score=None if score is None else int(score),
            removed=tuple(play.get("removed") or ()),
            scores=scores_in(line),
            line=line,
        )
    if (no := line.get("refused")) is not None:
        yield PlayRefused(no["code"], no["message"], tuple(no.get("squares") or ()))
    for event in line.get("events") or ():
        yield EventHappened(
            str(event["event"]), {key: x for key, x in event.items() if key != "event"}
        )
    if (asked := line.get("question")) is not None:
        yield QuestionAsked(
            asked["field"], asked["prompt"], tuple(asked["choices"]), asked.get("square")
        )
    for text in line.get("say") or ():
        yield Announced(text)


def watch(
    source: int | PathLike,
    game: GameLike = DEFAULT_GAME,
    players: Players = None,
    *,
    tiles: str = "en",
    lexicon: str = "default",
    start: Start = None,
    settings: Mapping[str, Any] | None = None,
    corners: CornersLike | None = None,
    top: str | None = None,
    panel: int | str | None = None,
    profile: PathLike | None = None,
    calibration: str | None = None,
    data: str | None = None,
    models: PathLike | None = None,
    **named: Any,
) -> Watch:
    """Watch a game through a camera, without a server.

    Args:
        source: a camera's number, a stream's or snapshot's address, a film, or a folder of
            photographs, which are taken in natural order.
        game: its slug, or rules of your own.
        players: names in seating order, as a list or as `Ann,Bob`.
        tiles: the tile set: `en de fr ro pl fi`, or a file.
        lexicon: the words that are good: `default`, `none` (any string is a word) or a file.
        start: a position to begin from, in the form of a scenario's `initial`, or its file.
        settings: the game's settings by their names, as `{"cl.tie": "draw"}`.
        corners: the board's four outer corners as parts of the picture's width and height, row A
            first.
        top: the picture's edge that row A is nearest to: `top right bottom left`.
        panel: which of nine joined boards the camera watches, 1 to 9; without it, or with
            `auto`, the pictures tell.
        profile: what `kibitz calibrate --teach` kept of tiles whose look was taught.
        calibration: the name under which `kibitz calibrate` kept the table.
        data: where tables are kept; without it this game is kept nowhere.
        models: a folder with other model weights.
        named: settings as keywords, with `_` for the dot: `cl_tie="draw"`.

    Raises:
        UsageError: an argument is not one of those that are taken.
        CommandError: the place where tables are kept cannot be used.
    """
    opening = opening_of(
        game,
        players,
        settings=settings,
        tiles=tiles,
        lexicon=lexicon,
        start=start,
        named=named,
    )
    info = opening.game.info
    board = _board_of(panel, info)
    taught = None
    if profile is None:
        letters_for(tiles)  # refuses a set of which no letter is read before it is taught
    else:
        taught = _taught(os.fspath(profile), opening, None if models is None else Path(models))
    request = replace(
        request_of_table(info, len(opening.players), tiles, taught),
        corners=parse_corners(corners_text(corners)),
        top=parse_top(top),
    )
    if board is not None:
        request = request.on_panel(board)
    if calibration is not None:
        place = load_profile(calibration, data)
        request = place.relative(place.placed(request, opening.players))
    shown = _source_of(source)
    folder = _Folder(data)
    begun = (opening.options, tiles, lexicon, opening.initial)
    header = Order(info.slug, opening.players, *begun).to_json()
    row = TableRow(new_table_id(), time.time(), header)
    folder.storage.create_table(row, ())
    table = Table(Setup(row, opening, tiles), folder.storage)
    reader = FrameReader(make_loader(None if models is None else Path(models)))
    return Watch(table, TableCamera(table, reader, request, _nobody), shown, folder)


def _board_of(panel: int | str | None, info: GameInfo) -> int | None:
    """Index of the only joined board that the camera watches; None: pictures decide.

    Raises:
        UsageError: it is none, it is several, or the game is not played on joined boards.
    """
    order = parse_panels(None if panel is None else str(panel))
    if order is None:
        return None
    if not info.surface.joined:
        raise not_joined(info)
    if len(order.boards) > 1:
        raise UsageError(Option("panel"), f": expected one board for one camera, got {panel!r}")
    return order.boards[0] if order.boards else None


def _taught(profile: str, opening: Opening, models: Path | None) -> Taught:
    """Taught tiles for the table.

    Raises:
        UsageError: there is none, or it is not read where this game is played.
    """
    from kibitz.app.reading.teaching import load_taught, reads_taught

    if not reads_taught(opening.game.info, len(opening.players)):
        raise UsageError(*ON_SINGLE_BOARDS)
    return load_taught(profile, models)


def _nobody() -> None:
    """Do nothing, as there is no page to update."""


class _Folder:
    """Folder of a watched table: the user's, or a temporary one."""

    def __init__(self, data: str | None) -> None:
        self._passing = (
            tempfile.TemporaryDirectory(prefix="kibitz-watch-") if data is None else None
        )
        self.storage = Storage(data if self._passing is None else self._passing.name)

    def close(self) -> None:
        """Close the storage, and delete the folder if it is temporary."""
        self.storage.close()
        if self._passing is not None:
            with suppress(OSError):
                self._passing.cleanup()


@dataclass(frozen=True, slots=True)
class _Photographs:
    """A folder of photographs as a finite source."""

    folder: str

    def frames(self, stop: threading.Event) -> Iterator[Shot | str]:
        """Yield every photograph once, in natural order."""
        for name in expand([self.folder]):
            if stop.is_set():
                return
            if isinstance(name, PathProblem):
                yield name.message
                continue
            try:
                yield Shot(Path(name).read_bytes(), still=True)
            except OSError as error:
                yield f"{name} cannot be read: {error.strerror}"


def _source_of(source: int | PathLike) -> Source:
    """The named source; films and folders end.

    Raises:
        UsageError: it is no source, or one that a page brings.
    """
    text = str(source) if isinstance(source, int) else os.fspath(source)
    path = Path(text)
    if path.is_dir():
        return _Photographs(text)
    if path.is_file() and path.suffix.lower() in VIDEO_SUFFIXES:
        return VideoSource(path, paced=False)
    found = open_source(text, asked=Option("source"))
    if found is None:
        raise UsageError(
            Option("source"),
            ": a browser's camera needs a server that it can be opened on; start one "
            "with 'kibitz serve'",
        )
    return found
