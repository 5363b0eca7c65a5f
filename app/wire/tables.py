"""How a table stands, for whoever asks: its people, spectators, the director, other programs."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ConfigDict, Field

from kibitz.app.wire.shape import Fields, Said, Shape


class Notice(Shape):
    """Something is wrong: a stable name, and what to do about it."""

    code: str
    message: Said


class Change(Shape):
    """One change of a game."""

    seq: int = Field(description="The number of its step.")
    at: float = Field(description="When, in seconds since 1970.")
    cause: str = Field(description="`picture`, `person` or `rule`.")
    by: str | None = Field(description="Who, if a person did it: a player, or a role.")
    what: str = Field(description="What the picture showed, or what was told.")
    photo: int | None = Field(description="The number of the picture.")
    first: int = Field(description="The first entry of the history that it changed or added.")
    entries: int = Field(description="How many entries were worked out anew from there.")
    before: Mapping[str, int | None] = Field(description="The scores before it.")
    after: Mapping[str, int | None] = Field(description="The scores after it.")
    say: tuple[Said, ...]


class SquareRead(Shape):
    """What was read on one square, as probabilities."""

    square: str
    empty: float
    tile: float
    covered: float
    letters: dict[str, float]


class Meaning(Shape):
    """What a picture may have meant."""

    means: Said
    weight: float = Field(description="In nats against the likeliest.")
    share: float = Field(description="Its share of all that were weighed.")


class Why(Change):
    """Why a change came about."""

    readings: tuple[SquareRead, ...]
    alternatives: tuple[Meaning, ...]
    picture: str | None = Field(description="Where the picture is, for who may see it.")


class Changes(Shape):
    """All changes of a game, oldest first."""

    changes: tuple[Change, ...]


class You(Shape):
    """Who the caller is at the table."""

    role: str
    player: str | None


class Word(Shape):
    """A word of a play."""

    model_config = ConfigDict(extra="allow")
    word: str
    score: int | float | None = None


class Entry(Shape):
    """Something that was done; a game's own fields stand beside."""

    model_config = ConfigDict(extra="allow")
    action: str
    entry: int | None = None
    player: str | None = None
    tiles: dict[str, str] | None = None
    words: tuple[Word, ...] = ()
    turn_score: int | float | None = None
    say: tuple[Said, ...] = ()
    scores: dict[str, int | float] | None = None
    private: bool = False


class Question(Shape):
    """Only people can tell; `TableClient.answer` does.

    Attributes:
        board: which board it is about, from 1, where there are two.
        photo: the photograph of the play that it is about.
        seq: the step that asked.
        player: whom it concerns; None: everybody.
    """

    field: str
    prompt: Said
    choices: tuple[Said, ...] | None = None
    square: str | None = None
    board: int | None = None
    photo: int | None = None
    seq: int | None = None
    player: str | None = None


class Announcement(Shape):
    """What was said aloud after a step."""

    seq: int
    at: float
    lines: tuple[Said, ...]


Outlines = tuple[tuple[tuple[float, float], ...], ...]
"""Corners of boards in a picture, as parts of its width and height."""


class CameraState(Shape):
    """How the camera of a table does; `size`, `aimed`, `corners` only for who may see pictures."""

    frame: int
    settled: bool
    advice: tuple[Said, ...]
    health: Fields = Field(default_factory=dict)
    error: Notice | None
    size: tuple[int, int] | None = None
    aimed: bool | None = None
    corners: Outlines | None = None


class Aimed(Shape):
    """How the camera does once people said where the board lies."""

    camera: CameraState | None


class Standing(Shape):
    """How a game stands, as every look at it begins; `clock` in seconds of play."""

    game: str
    title: str
    players: tuple[str, ...]
    seq: int
    clock: float
    paused: bool
    over: bool


class PublicGame(Standing):
    """A game as everybody may see it.

    Attributes:
        facts: what a page shows the game by.
        view: the game itself; which fields it has depends on the game.
        history: what was done, in order.
        prints: what stands on tiles of several letters, by their sign in a board's text.
        start: the position that the record begins from, where it is not the usual one.
        last: the squares of the newest play.
    """

    facts: Fields
    settings: Fields
    letters: tuple[str, ...]
    tile_values: dict[str, int]
    prints: dict[str, str]
    premiums: tuple[str, ...] | None
    start: Fields | None
    view: Fields
    history: tuple[Entry, ...]
    said: tuple[Announcement, ...]
    last: tuple[str, ...]


class Snapshot(PublicGame):
    """What spectators get, and when it was taken, in seconds since 1970."""

    at: float


class HistoryChange(Shape):
    """How a history goes on: how many of its entries stay, and which follow."""

    keep: int
    add: tuple[Entry, ...]


class SnapshotChange(Shape):
    """What turns the snapshot of one step into that of a later one."""

    after: int
    seq: int
    set: Fields
    history: HistoryChange


class TableView(PublicGame):
    """A table as the caller may see it; `created` in seconds since 1970.

    Attributes:
        questions: what only people can tell.
        tasks: what is to be done on the table.
        word_list: whether some words are good and others not.
        pictures: kept pictures: their number in the history's `photo`, and the step to ask for.
        directed: whether somebody looks after the tables of the hall.
    """

    table: str
    you: You
    created: float
    tiles: str
    lexicon: str
    word_list: bool
    saved: bool
    notices: tuple[Notice, ...]
    questions: tuple[Question, ...]
    tasks: tuple[Fields, ...]
    pictures: tuple[Fields, ...]
    seats: Fields | None
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


class JudgeCall(Shape):
    """Somebody at a table asks for a judge, since when (seconds since 1970)."""

    at: float
    by: str
    why: str


class Place(Shape):
    """Where a table stands in a tournament."""

    division: str
    round: int
    board: int


class HallTable(Standing):
    """A table as its hall sees it; `server` runs it, times in seconds.

    Name, call for a judge and place in a round are what all servers share.
    """

    table: str
    created: float
    server: str | None
    clocks: dict[str, float] | None
    scores: dict[str, int | float] | None
    to_move: str | tuple[str, ...] | None
    winner: str | tuple[str, ...] | None
    rows: tuple[str, ...] | None
    camera: CameraState | None
    questions: tuple[Said, ...]
    notices: tuple[Said, ...]
    watching: int
    name: str | None = None
    judge: JudgeCall | None = None
    round: Place | None = None


class HallServer(Shape):
    """A server of the hall, and whether it answers."""

    name: str
    reach: str
    answers: bool


class Points(Shape):
    """How a player, or a team, stands."""

    player: str
    score: int | float | None = Field(description="null: nothing is counted for one player here.")


class TroubledCamera(Notice):
    """A camera that has trouble."""

    camera: int = Field(description="Which of the table's cameras, from 1.")


class TableState(Shape):
    """How a table stands, as everybody may know it."""

    table: str = Field(description="The table's name.")
    game: str = Field(description="The game that is played there.")
    title: str = Field(description="The game's name for people.")
    server: str = Field(description="The topic with the status of the server that runs it.")
    seq: int = Field(description="The table's last step.")
    at: float = Field(description="When this was so, in seconds since 1970.")
    entries: int = Field(description="How many plays and other actions count.")
    said: tuple[str, ...] = Field(description="What was announced last.")
    scores: tuple[Points, ...] = Field(description="Players, or teams, in seating order.")
    questions: tuple[str, ...] = Field(description="What only people can tell; open now.")
    tasks: tuple[str, ...] = Field(description="The kinds of what is to be done now.")
    cameras: tuple[TroubledCamera, ...] = Field(description="The cameras that have trouble now.")
    troubles: tuple[str, ...] = Field(description="What is wrong with the table itself now.")
    over: bool = Field(description="The game has ended.")


class SeenLine(Shape):
    """What followed from a photograph; a game's own fields stand beside."""

    model_config = ConfigDict(extra="allow")
    file: str
    status: str
    play: Fields | None = None
    question: Question | None = None
    events: tuple[Fields, ...] = ()
    say: tuple[Said, ...] = ()
    board: tuple[str, ...] | None = None
    scores: dict[str, int | float] | None = None
    to_move: str | tuple[str, ...] | None = None
    seq: int
    saved: bool


class Looked(Shape):
    """How a camera saw a frame."""

    type: str
    frame: int
    settled: bool
    advice: tuple[Said, ...]
    health: Fields = Field(default_factory=dict)
    error: Notice | None = None


class Shown(Looked):
    """What was seen in a photograph that was shown to a table, and what followed.

    Attributes:
        line: what followed; None where the position does not rest yet, or nothing was read.
        read: the photograph as read, as the line of `kibitz read --json`.
    """

    line: SeenLine | None = None
    read: Fields = Field(default_factory=dict)


class CameraHealth(Looked):
    """What the page of a camera is told after each frame.

    Attributes:
        line: the `status` of a position at rest, and what there is to `say`.
        corners: where each board that was found lies, as parts of the picture.
        dropped: how many frames were passed over.
    """

    line: Fields | None = None
    corners: Outlines = ()
    dropped: int = 0


class CameraRefused(Shape):
    """Why a frame was not looked at."""

    type: str
    error: Notice
    dropped: int


class LiveTable(TableView):
    """The table as a page is told it whenever its game has changed."""

    type: str


class LiveCamera(Shape):
    """What a page is told while only its camera sees something new."""

    type: str
    camera: CameraState | None
    tasks: tuple[Fields, ...]
    clock: float
