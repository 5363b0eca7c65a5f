"""What a server answers, as frozen types; what a newer server says beside is left aside."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Result(BaseModel):
    """A part of an answer."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Setting(Result):
    """A setting of a game."""

    name: str
    default: Any
    sentence: str
    choices: tuple[Any, ...] | None = None
    rule: str = ""
    minimum: float | None = None
    maximum: float | None = None


class GameKind(Result):
    """A game that can be played at the server."""

    game: str
    title: str
    players: tuple[int, ...]
    settings: tuple[Setting, ...]
    surfaces: str
    sentence: str


class Games(Result):
    """What can be set up at the server."""

    games: tuple[GameKind, ...]
    tiles: tuple[str, ...]
    lexicons: tuple[str, ...]
    may_create: bool
    demo: bool


class TableEntry(Result):
    """A table in the host's list."""

    table: str
    name: str
    archived: bool
    game: str
    players: tuple[str, ...]
    created: float
    open: bool
    over: bool | None
    watching: int


class DamagedTable(Result):
    """A table that was set aside, as what is kept of it is not as it was written."""

    table: str
    players: tuple[str, ...]
    wrong: str
    steps: int
    message: str


class Tables(Result):
    """The host's list of tables, the newest first."""

    tables: tuple[TableEntry, ...]
    more: bool = False
    damaged: tuple[DamagedTable, ...] = ()


class NewTable(Result):
    """A table that was set up, with its tokens; they are shown this once."""

    table: str
    host_token: str
    camera_token: str
    watch_token: str
    seat_tokens: dict[str, str]


class Acted(Result):
    """The verdict on an action that the rules allow, and what followed."""

    legal: bool
    result: dict[str, Any]
    events: tuple[dict[str, Any], ...]
    say: tuple[str, ...]
    seq: int
    saved: bool

    def __bool__(self) -> bool:
        """The rules allow it."""
        return self.legal


class Refused(Result):
    """Why the rules do not allow an action; nothing changed. It is false."""

    code: str
    message: str
    squares: tuple[str, ...] | None = None

    def __bool__(self) -> bool:
        """The rules do not allow it."""
        return False


class You(Result):
    """Who the caller is at the table."""

    role: str
    player: str | None


class Word(Result):
    """A word of a play."""

    word: str
    score: int | float | None = None


class Entry(Result):
    """Something that was done."""

    action: str
    entry: int | None = None
    player: str | None = None
    tiles: dict[str, str] | None = None
    words: tuple[Word, ...] = ()
    turn_score: int | float | None = None
    say: tuple[str, ...] = ()
    scores: dict[str, int | float] | None = None
    private: bool = False


class Question(Result):
    """Only people can tell; `TableClient.answer` does."""

    field: str
    prompt: str
    choices: tuple[str, ...] | None = None
    square: str | None = None
    photo: int | None = None
    player: str | None = None


class Announcement(Result):
    """What was said aloud after a step."""

    seq: int
    at: float
    lines: tuple[str, ...]


class Notice(Result):
    """Something is wrong with the table itself."""

    code: str
    message: str


class CameraState(Result):
    """How the camera of a table does."""

    frame: int
    settled: bool
    advice: tuple[str, ...]
    health: dict[str, Any]
    error: Notice | None


class TableView(Result):
    """A table as the caller may see it.

    Attributes:
        view: the game itself; which fields it has depends on the game.
        facts: what a page shows the game by.
        history: what was done, in order.
        questions: what only people can tell.
        tasks: what is to be done on the table.
        word_list: whether some words are good and others not.
    """

    table: str
    game: str
    title: str
    facts: dict[str, Any]
    players: tuple[str, ...]
    you: You
    created: float
    settings: dict[str, Any]
    tiles: str
    letters: tuple[str, ...]
    tile_values: dict[str, int]
    premiums: tuple[str, ...] | None
    lexicon: str
    word_list: bool
    seq: int
    clock: float
    paused: bool
    saved: bool
    notices: tuple[Notice, ...]
    over: bool
    start: dict[str, Any] | None
    view: dict[str, Any]
    history: tuple[Entry, ...]
    said: tuple[Announcement, ...]
    questions: tuple[Question, ...]
    tasks: tuple[dict[str, Any], ...]
    pictures: tuple[dict[str, Any], ...]
    last: tuple[str, ...]
    seats: dict[str, Any] | None
    camera: CameraState | None
    language: str
    directed: bool

    @property
    def board(self) -> tuple[str, ...]:
        """The board as text, a text for each row, row A first; empty without a single board."""
        rows = self.view.get("board")
        return tuple(rows) if isinstance(rows, list) else ()

    @property
    def scores(self) -> dict[str, int | float]:
        """Each player's points; empty where the game counts otherwise."""
        return dict(self.view.get("scores") or {})


class SeenLine(Result):
    """What followed from a photograph."""

    file: str
    status: str
    play: dict[str, Any] | None = None
    question: Question | None = None
    events: tuple[dict[str, Any], ...] = ()
    say: tuple[str, ...] = ()
    board: tuple[str, ...] | None = None
    scores: dict[str, int | float] | None = None
    to_move: str | None = None
    seq: int
    saved: bool


class Shown(Result):
    """What was seen in a photograph that was shown to a table, and what followed.

    Attributes:
        line: what followed; None where the position does not rest yet, or nothing was read.
        read: the photograph as read, as the line of `kibitz read --json`.
    """

    frame: int
    settled: bool
    advice: tuple[str, ...]
    health: dict[str, Any] = Field(default_factory=dict)
    line: SeenLine | None = None
    read: dict[str, Any] = Field(default_factory=dict)
