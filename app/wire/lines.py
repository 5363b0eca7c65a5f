"""Shapes of the lines that `kibitz read --json` and `kibitz replay --json` print."""

from __future__ import annotations

from typing import Any, NotRequired, Required, TypedDict

from kibitz.engine.rules import JsonValue


class ErrorLine(TypedDict):
    """Why a picture could not be read: a stable code, and what to do."""

    code: str
    message: str


class MarkerLine(TypedDict):
    """A ship card and the squares that it covers."""

    kind: str
    squares: list[str]


class PanelLine(TypedDict):
    """Which of nine joined boards a picture showed, and how sure that is."""

    panel: int | None
    file: str
    error: ErrorLine | None
    corners_px: NotRequired[list[list[float]]]
    quality: NotRequired[float]
    top_certain: NotRequired[bool]
    squares_seen: NotRequired[int]


class BoardLine(TypedDict):
    """A board in `kibitz read --json`: one text for each row, row A first."""

    corners_px: list[list[float]] | None
    rows: list[str]
    turns: list[str]
    tile_set: list[str]
    confidence: list[list[float]]
    markers: list[MarkerLine]
    top_certain: NotRequired[bool]
    quality: NotRequired[float]
    mirrored: NotRequired[bool]
    thickness_squares: NotRequired[float]
    view_deg: NotRequired[float]
    panels: NotRequired[list[PanelLine]]


class LooseLine(TypedDict):
    """A tile that lies on no board."""

    letter: str
    face_up: bool
    centre_px: list[float]
    angle_deg: float
    confidence: float


class WordLine(TypedDict):
    """Loose tiles in a row that form a word; `tiles` are indices into `loose`."""

    text: str
    tiles: list[int]
    facing_deg: float


class ScriptLine(TypedDict):
    """A detected script: its name, the tile set used for reading, and alternatives."""

    name: str
    tiles: str
    others: list[str]


class ReadLine(TypedDict):
    """One line of `kibitz read --json`.

    `overlay` names the picture drawn, if one was. `script` is there where the tiles are of another
    script than usual and no tile set was told, `mirrored` where loose tiles lie as in a mirror.
    `advice` says that, that the picture is mirrored, and where squares cannot be seen, what can be
    done about it.
    """

    file: str
    error: ErrorLine | None
    boards: list[BoardLine]
    loose: list[LooseLine]
    words: list[WordLine]
    ms: dict[str, float]
    overlay: NotRequired[str]
    script: NotRequired[ScriptLine]
    mirrored: NotRequired[bool]
    advice: NotRequired[list[str]]


class QuestionLine(TypedDict):
    """A question in JSON; `board` where a table has two."""

    field: str
    square: str | None
    prompt: str
    choices: list[str]
    board: NotRequired[int]


class OpenQuestion(QuestionLine, total=False):
    """A question that is open at a table.

    `photo` is the picture of the plays that it is about, `seq` the step with the picture that it
    is about, `player` whom it concerns; None: everybody.
    """

    photo: int
    seq: int
    player: str | None


class RefusedLine(TypedDict):
    """A refusal with its squares."""

    code: str
    message: str
    squares: list[str]


class PlayLine(TypedDict, total=False):
    """A play in JSON; of a claim `word` and the fields after it."""

    player: Required[str | None]
    tiles: Required[dict[str, str]]
    words: Required[list[Any]]
    removed: list[str]
    turned: list[str]
    turn_score: int | None
    legal: bool
    note: str
    word: Any
    steal: Any
    from_player: Any
    flipped: str


class TaskLine(TypedDict, total=False):
    """A task on a table; the last fields where the rules refused tiles."""

    task: Required[str]
    squares: Required[list[str]]
    code: str
    message: str
    read: list[str]
    words: list[Any]


class ReplayLine(TypedDict, total=False):
    """One photograph in `kibitz replay --json`, and the state of the game.

    `plays` is there where several plays were made since the photograph before.
    """

    file: Required[str]
    status: Required[str]
    play: Required[PlayLine | None]
    question: Required[QuestionLine | None]
    events: Required[list[dict[str, JsonValue]]]
    say: Required[list[str]]
    error: dict[str, str]
    plays: list[PlayLine]
    refused: RefusedLine
    board: Any
    boards: Any
    table: TableLine
    scores: Any
    ship_count: Any
    total_words: Any
    to_move: Any
    winner: Any


class LiveLine(ReplayLine, total=False):
    """The same at a live table, with the newest step and whether it is saved."""

    seq: int
    saved: bool


class TableLine(TypedDict):
    """A table of loose tiles in JSON."""

    pool: str
    face_down: int
    words: dict[str, list[str]]


class FinalPlay(PlayLine, total=False):
    """A play as known at the end, with the photograph that first showed it."""

    file: Required[str]
    plays: list[PlayLine]


class FinalLine(TypedDict):
    """The last line: every play as known at the end, and the final state.

    `final` holds `plays` and the game's own view, whose fields the game names.
    """

    final: dict[str, JsonValue]
