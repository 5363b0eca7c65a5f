"""Shapes of a table's state, for its people, spectators, the director and other programs."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ConfigDict, Field

from kibitz.app.wire.shape import Fields, Said, Shape


class Notice(Shape):
    """A trouble: a stable code, and what to do."""

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
    """Reading of one square, as probabilities."""

    square: str
    empty: float
    tile: float
    covered: float
    letters: dict[str, float]


class Meaning(Shape):
    """A possible meaning of a picture."""

    means: Said
    weight: float = Field(description="In nats against the likeliest.")
    share: float = Field(description="Its share of all that were weighed.")


class Why(Change):
    """Evidence for a change."""

    readings: tuple[SquareRead, ...]
    alternatives: tuple[Meaning, ...]
    picture: str | None = Field(description="Where the picture is, for who may see it.")


class Changes(Shape):
    """All changes of a game, oldest first."""

    changes: tuple[Change, ...]


class You(Shape):
    """The caller's role at the table."""

    role: str
    player: str | None


class Word(Shape):
    """A word of a play."""

    model_config = ConfigDict(extra="allow")
    word: str
    score: int | float | None = None


class Entry(Shape):
    """An entry of the history; a game's own fields are added."""

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
    """A question that only people can answer, with `TableClient.answer`.

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
    """Announcements after a step."""

    seq: int
    at: float
    lines: tuple[Said, ...]


Outlines = tuple[tuple[tuple[float, float], ...], ...]
"""Corners of boards in a picture, as parts of its width and height."""


class CameraState(Shape):
    """State of a table's camera; `size`, `aimed`, `corners` only for who may see pictures.

    `laying` while a play is being laid and more of it is waited for.
    """

    frame: int
    settled: bool
    advice: tuple[Said, ...]
    health: Fields = Field(default_factory=dict)
    error: Notice | None
    laying: bool = False
    size: tuple[int, int] | None = None
    aimed: bool | None = None
    corners: Outlines | None = None


class Aimed(Shape):
    """State of the camera after the board's corners were set by hand."""

    camera: CameraState | None


class Standing(Shape):
    """Fields of every state of a game; `clock` in seconds of play."""

    game: str
    title: str
    players: tuple[str, ...]
    seq: int
    clock: float
    paused: bool
    over: bool


class PublicGame(Standing):
    """The public state of a game.

    Attributes:
        facts: what a page shows the game by.
        view: the game itself; which fields it has depends on the game.
        history: what was done, in order.
        prints: what stands on tiles of several letters, by their sign in a board's text.
        start: the position that the record begins from, where it is not the usual one.
        last: the squares of the newest play.
        provisional: whether scores wait for an answer: which plays were made, in which order.
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
    provisional: bool = False


class Snapshot(PublicGame):
    """State for spectators, and its time in seconds since 1970."""

    at: float


class HistoryChange(Shape):
    """A change of the history: the number of entries kept, and those that follow."""

    keep: int
    add: tuple[Entry, ...]


class SnapshotChange(Shape):
    """Difference between the snapshots of two steps."""

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
        redo: whether what was undone last can count again.
        directed: whether somebody looks after the tables of the hall.
        delay_s: so long spectators are behind the table.
    """

    table: str
    you: You
    created: float
    tiles: str
    lexicon: str
    word_list: bool
    saved: bool
    redo: bool = False
    notices: tuple[Notice, ...]
    questions: tuple[Question, ...]
    tasks: tuple[Fields, ...]
    pictures: tuple[Fields, ...]
    seats: Fields | None
    camera: CameraState | None
    language: str
    directed: bool
    delay_s: int = 0

    @property
    def board(self) -> tuple[str, ...]:
        """The board as text, one string a row, row A first; empty without a single board."""
        rows = self.view.get("board")
        return tuple(rows) if isinstance(rows, list) else ()

    @property
    def scores(self) -> dict[str, int | float]:
        """Each player's points; empty where the game counts otherwise."""
        return dict(self.view.get("scores") or {})


class JudgeCall(Shape):
    """A table's call for a judge, with its time in seconds since 1970."""

    at: float
    by: str
    why: str


class Place(Shape):
    """The table's place in a tournament."""

    division: str
    round: int
    board: int


class HallTable(Standing):
    """A table in the view of its hall; `server` runs it, times in seconds.

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
    provisional: bool = False
    name: str | None = None
    judge: JudgeCall | None = None
    round: Place | None = None


class HallServer(Shape):
    """A server of the hall, and whether it answers."""

    name: str
    reach: str
    answers: bool


class Points(Shape):
    """Points of a player or a team."""

    player: str
    score: int | float | None = Field(description="null: nothing is counted for one player here.")


class TroubledCamera(Notice):
    """A camera with trouble."""

    camera: int = Field(description="Which of the table's cameras, from 1.")


class TableState(Shape):
    """The public state of a table."""

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
    provisional: bool = Field(False, description="Scores wait for an answer about missed plays.")
    tasks: tuple[str, ...] = Field(description="The kinds of what is to be done now.")
    cameras: tuple[TroubledCamera, ...] = Field(description="The cameras that have trouble now.")
    troubles: tuple[str, ...] = Field(description="What is wrong with the table itself now.")
    over: bool = Field(description="The game has ended.")


class SeenLine(Shape):
    """Result of a photograph; a game's own fields are added."""

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
    """State of a camera after a frame."""

    type: str
    frame: int
    settled: bool
    advice: tuple[Said, ...]
    health: Fields = Field(default_factory=dict)
    error: Notice | None = None


class Shown(Looked):
    """Result of a photograph that was shown to a table.

    Attributes:
        line: what followed; None where the position does not rest yet, or nothing was read.
        read: the photograph as read, as the line of `kibitz read --json`.
    """

    line: SeenLine | None = None
    read: Fields = Field(default_factory=dict)


class CameraHealth(Looked):
    """Message to a camera's page after each frame.

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
    """Message to a page whenever its game has changed."""

    type: str


class LiveCamera(Shape):
    """Message to a page when only its camera has news."""

    type: str
    camera: CameraState | None
    tasks: tuple[Fields, ...]
    clock: float
