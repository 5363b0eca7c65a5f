"""Shapes of a server's answers."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from kibitz.app.wire.shape import Fields, Layout, Said, Shape
from kibitz.app.wire.tables import HallServer, HallTable


class ErrorDetail(Shape):
    """An error: its code and message."""

    model_config = ConfigDict(extra="allow")
    code: str = Field(description="A stable name of the error.")
    message: str = Field(description="What was expected, what came, what to do.")
    squares: tuple[str, ...] | None = None


class ErrorAnswer(Shape):
    """Body of every answer that is no success."""

    error: ErrorDetail


class Setting(Shape):
    """A setting of a game."""

    name: str
    default: Any
    usual: Any = Field(description="What pages choose for a new table; null: the default.")
    sentence: str
    choices: tuple[Any, ...] | None = None
    rule: str = ""
    minimum: float | None = None
    maximum: float | None = None


class GameKind(Shape):
    """A game that can be played."""

    game: str
    title: str
    players: tuple[int, ...]
    settings: tuple[Setting, ...]
    surfaces: str = Field(description="`board`, `boards`, `grid45` or `loose`.")
    sentence: str = Field(description="What the game is, for people who choose one.")
    notation: str = Field(description="How its records name squares: `A1` or `1A`.")


class Games(Shape):
    """Games that can be set up on this server."""

    games: tuple[GameKind, ...]
    tiles: tuple[str, ...]
    lexicons: tuple[str, ...]
    may_create: bool
    demo: bool = Field(description="Whether a bundled game is being played: `/api/demo`.")


class KeptWords(Shape):
    """A word list that is kept here."""

    name: str
    words: int
    source: str
    licence: str


class BuildableWords(Shape):
    """A word list that this machine can build."""

    name: str
    language: str
    tiles: str = Field(description="The tile set that it is for.")
    source: str
    licence: str
    bytes: int = Field(description="The size of what it is built from.")


class WordsAnswer(Shape):
    """The word lists of this machine."""

    lists: tuple[KeptWords, ...]
    to_build: tuple[BuildableWords, ...]


class NewTable(Shape):
    """A new table with its tokens, which are shown only here."""

    table: str
    host_token: str
    camera_token: str
    watch_token: str
    seat_tokens: dict[str, str]


class TableEntry(Shape):
    """A table in the host's list."""

    table: str
    name: str = Field(description="What people call it; empty without a name.")
    archived: bool
    game: str
    players: tuple[str, ...]
    created: float
    open: bool
    over: bool | None
    watching: int


class DamagedTable(Shape):
    """A table that was set aside, as its kept data is damaged."""

    table: str
    players: tuple[str, ...]
    wrong: str
    steps: int = Field(description="How many steps are whole; `kibitz export` writes them.")
    message: str


class Tables(Shape):
    """The host's list: tables, newest first, and those set aside."""

    tables: tuple[TableEntry, ...]
    more: bool = Field(default=False, description="There are others; search, or ask for more.")
    damaged: tuple[DamagedTable, ...] = Field(default=())


class TableLabel(Shape):
    """A table's name, and whether it is archived."""

    table: str
    name: str
    archived: bool


class LinkEntry(Shape):
    """Links that open one place at a table."""

    role: str
    player: str | None = None
    links: int = Field(description="How many links open it now.")
    made: float | None = Field(description="When the newest was made, seconds since 1970.")
    expires: float | None = Field(description="When the last of them ends; null: never.")


class LinksAnswer(Shape):
    """Places at a table with their links."""

    links: tuple[LinkEntry, ...]


class LinkAnswer(Shape):
    """A new link; its token is null where the place has none any more."""

    token: str | None
    role: str
    player: str | None = None
    expires: float | None = None


class TokenAnswer(Shape):
    """An additional token, which is shown only here."""

    token: str
    role: str
    player: str | None = None
    address: str | None = Field(
        default=None,
        description="Where other devices reach the server, if this machine's pages are elsewhere.",
    )


class Acted(Shape):
    """Verdict on an action, and what followed."""

    legal: bool
    result: Fields
    events: tuple[Fields, ...]
    say: tuple[Said, ...]
    seq: int
    saved: bool = Field(description="Whether it is on the disk; if not, it is kept and retried.")

    def __bool__(self) -> bool:
        """True, as the rules allow it."""
        return self.legal


class ActedBefore(Acted):
    """The answer to an action that was sent before with the same idempotency key."""

    repeated: bool


class Refused(Shape):
    """Why the rules refuse an action; nothing changed. It is false."""

    code: str
    message: str
    squares: tuple[str, ...] | None = None

    def __bool__(self) -> bool:
        """False, as the rules refuse it."""
        return False


class TracedBoard(Shape):
    """Tiles on a photographed board, and its premium squares, a text for each row."""

    board: tuple[str, ...]
    premiums: tuple[str, ...]


class PossibleGames(Shape):
    """The games that can have led to a board, the likeliest first."""

    orders: tuple[Fields, ...] = Field(
        description="As `kibitz trace --json` writes them, each with its `gcg`."
    )
    count: int | None = Field(description="How many there are; null where not all were found.")
    board: tuple[str, ...]
    hidden: tuple[str, ...] = Field(description="Squares that were taken for bare.")


class Document(BaseModel):
    """A document whose fields depend on the game."""

    model_config = ConfigDict(extra="allow")


class PublicAnswer(Shape):
    """Addresses where everybody may watch a game; null where nobody may."""

    public: bool
    page: str | None = Field(default=None, description="The page for people.")
    snapshot: str | None = Field(default=None, description="The game as it stands, as JSON.")
    changes: str | None = Field(
        default=None, description="With the number of a step behind it: what came after that."
    )
    stream: str | None = Field(
        default=None, description="The same as server-sent events, one connection a watcher."
    )
    gcg: str | None = Field(
        default=None, description="The game as GCG; null also where it is no game of Scrabble."
    )


class AirAnswer(Shape):
    """How a table is put on air."""

    delay_s: int = Field(description="So many seconds spectators are behind.")


class LayoutAnswer(Shape):
    """Layout of an overlay."""

    layout: Layout | None = Field(description="Where each part lies; null: as its address says.")


class OnAirAnswer(LayoutAnswer):
    """The newest game, for the lasting link."""

    table: str | None = Field(description="The table that is on air; null while there is none.")


class BestPlay(Shape):
    """A play that could have been made."""

    place: str = Field(description="Where it begins: `8D` across, `H4` down.")
    word: str = Field(
        description="A dot is a tile that lies there already, a small letter a blank."
    )
    text: str = Field(description="The main word in capitals.")
    score: int


class AnalysedTurn(Shape):
    """One turn with the best plays of the known tiles."""

    turn: int
    player: str
    kind: Literal["play", "exchange", "pass"]
    place: str
    word: str
    score: int
    not_in_list: tuple[str, ...] = Field(description="Words formed that the list does not have.")
    came_off: bool = Field(description="Whether the play was taken off again.")
    tiles: str = Field(description="The tiles of the rack that are known, `?` a blank.")
    known: Literal["rack", "part", "played"] = Field(
        description="Whether these are the whole rack, a part, or only what was played."
    )
    missed: int = Field(description="Points that the best play would have made more.")
    whole: bool = Field(description="Whether every play was looked at; many blanks have too many.")
    best: tuple[BestPlay, ...] = Field(
        description="The plays with the most points, the best first."
    )


class AnalysedPlayer(Shape):
    """Sums of a player."""

    turns: int
    missed: int = Field(description="The least number of points that were missed.")
    racks: int = Field(description="Turns whose whole rack is known.")
    best: int = Field(description="Of these, the ones with the best score.")


class AnalysisAnswer(Shape):
    """Every turn of a finished game with its highest-scoring plays."""

    turns: tuple[AnalysedTurn, ...]
    players: dict[str, AnalysedPlayer]


class DivisionGame(Shape):
    """One game of a division."""

    round: int
    board: int
    players: tuple[str, ...] = Field(
        description="Who goes first is named first, where it is known."
    )
    table: str | None = Field(description="Where it is played; null before the round is opened.")


class DivisionAnswer(Shape):
    """A tournament's division as it was registered."""

    division: str
    players: tuple[str, ...]
    rounds: int
    games: tuple[DivisionGame, ...]


class DirectorAnswer(Shape):
    """Everything in a hall, for its director."""

    tables: tuple[HallTable, ...]
    servers: tuple[HallServer, ...] = Field(
        description="Those of the hall, and whether they answer."
    )
    divisions: tuple[DivisionAnswer, ...]


class JudgeAnswer(Shape):
    """State of a table's call for a judge."""

    called: bool


class CameraTrouble(Shape):
    """Newest trouble of a camera."""

    message: Said
    at: float = Field(description="When, in seconds since 1970.")
    over: bool = Field(description="Whether pictures have come since.")


class CameraEntry(Shape):
    """One camera with its state."""

    table: str
    title: str = Field(description="The table's name, else its players.")
    number: int = Field(description="Which of the table's cameras, from 1.")
    source: Said = Field(description="Where its pictures come from; no password is shown.")
    pictures: int = Field(description="How many came since the server was started.")
    last_at: float | None = Field(description="When the last came, in seconds since 1970.")
    a_second: float = Field(description="How many come a second, over the last ten seconds.")
    share: float = Field(
        description="The share of one processor core that they took over the last ten seconds."
    )
    size: tuple[int, int] | None = Field(description="Width and height in pixels.")
    settled: bool
    advice: tuple[Said, ...]
    trouble: CameraTrouble | None
    picture: str | None = Field(description="Where its newest picture is.")


class CamerasAnswer(Shape):
    """All cameras of a server."""

    cameras: tuple[CameraEntry, ...]
    cores: int = Field(description="How many processor cores this machine has.")


class FilmAnswer(Shape):
    """Progress of reading a film."""

    name: str
    state: Literal["reading", "done", "failed", "stopped"]
    at_s: float = Field(description="Up to where it was read, in seconds of the film.")
    of_s: float = Field(description="How long it is; 0 where it does not tell.")
    message: str = Field(description="Why it could not be read; empty otherwise.")


class TaughtTile(Shape):
    """A taught tile with its picture."""

    letter: str = Field(description="What it was taken for; a blank is `?`.")
    name: Said = Field(description="The same as it is printed on the tile, or said of a blank.")
    picture: str = Field(description="Its picture, as a `data:` address of a JPEG.")
    place: tuple[tuple[float, float], ...] = Field(
        description="Its four corners in the picture that it was taught from, as parts of the "
        "picture's width and height."
    )


class TaughtAnswer(Shape):
    """Taught tiles of a table, and the layout for teaching."""

    possible: bool = Field(description="Whether tiles can be taught where this game is played.")
    rows: tuple[str, ...] = Field(
        description="The set in the order in which it is laid, row by row."
    )
    letters: tuple[str, ...] = Field(
        description="What was taught; empty: nothing. A blank is `?`."
    )
    missing: tuple[str, ...] = Field(description="Letters of the set that were not.")
    alike: tuple[tuple[str, str], ...] = Field(
        description="Pairs that may be taken for each other."
    )
    tiles: tuple[TaughtTile, ...] = Field(description="What each letter was learnt from.")
    needed: bool = Field(
        description="Whether no letter of the set can be read before the tiles are taught."
    )
    say: tuple[Said, ...] = Field(description="The same in words.")


class LikelyLetter(Shape):
    """A possible letter on a square with its probability."""

    letter: str = Field(description="A letter of the tile set, or `?` for a blank.")
    share: float = Field(description="How likely it is, given that a tile lies there; 0 to 1.")


class SquareAnswer(Shape):
    """Reading of one square by the cameras."""

    square: str
    letters: tuple[LikelyLetter, ...] = Field(
        description="The likeliest first; empty: none is seen."
    )
    picture: str | None = Field(description="Where its picture is; null: no camera sees it now.")


class NetworkCamera(Shape):
    """A camera that answered a search."""

    name: str
    address: str = Field(description="Where it is asked for its streams.")


class NetworkCameras(Shape):
    """Cameras of the home network."""

    cameras: tuple[NetworkCamera, ...]


class NetworkStream(Shape):
    """A stream of a camera; its address holds no password."""

    name: str
    size: tuple[int, int] | None = Field(description="Width and height, as far as told.")
    source: str


class NetworkStreams(Shape):
    """Streams of a camera."""

    streams: tuple[NetworkStream, ...]
