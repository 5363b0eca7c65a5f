"""Shapes of requests; unknown fields are refused."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from kibitz.app.common.limits import WAITS
from kibitz.app.wire.shape import Body, Layout, Name, Plain, Text, plain_json
from kibitz.engine.games import DEFAULT_GAME
from kibitz.engine.phrases import Notation

Part = Annotated[float, Field(ge=-0.5, le=1.5, allow_inf_nan=False)]
Delay = Annotated[int, Field(ge=0, le=WAITS.air_s)]

EXAMPLE_LAYOUT: Final[dict[str, Any]] = {"board": [0, 0, 27, 27], "scores": [28, 0, 19, 7]}


class NewTableBody(Body):
    """A table to set up."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"game": DEFAULT_GAME, "players": ["Ann", "Bob"]}]},
    )
    game: Name
    players: list[Name] = Field(min_length=1, max_length=20)
    settings: Plain = Field(default_factory=dict)
    tiles: Name = "en"
    lexicon: Name = "default"
    initial: Plain | None = Field(default=None, description="A position to begin from.")
    language: Name | None = Field(
        default=None, description="The table's language, as `de`; the server's without it."
    )
    languages: dict[Name, Name] = Field(
        default_factory=dict, description="Languages of seats, by player."
    )
    pace: Literal["slow", "usual", "quick"] = Field(
        default="usual",
        description="How people lay their tiles: `slow` is one by one, with pauses.",
    )
    delay_s: Delay | None = Field(
        default=None, description="So long spectators are behind; the server's delay without it."
    )
    notation: Notation | None = Field(
        default=None,
        description="How people are told squares, row first: `A1` letters the rows, `1A` the "
        "columns; as the game's records do without it.",
    )


class WordsBody(Body):
    """A word list to build."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "de"}]})
    name: Name


class TableChange(Body):
    """A table's new name, or whether to archive it."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Sunday"}]})
    name: Annotated[Text, Field(max_length=200)] | None = None
    archived: bool | None = None


class AirBody(Body):
    """How a table is put on air."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"delay_s": 300}]})
    delay_s: Delay = Field(description="So many seconds spectators are behind.")


class LayoutBody(Body):
    """Layout of an overlay."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"layout": EXAMPLE_LAYOUT}]})
    layout: Layout | None = Field(description="Where each part lies; null: as it was at first.")


class LastingBody(Body):
    """Request for the link that follows the newest game."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"renew": False}]})
    renew: bool = Field(default=False, description="A new link; the old one opens nothing more.")


class LinkChange(Body):
    """The place whose links are revoked, and whether a new link replaces them."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"renew": "Ann"}, {"revoke": "watch"}]}
    )
    renew: Name | None = Field(
        default=None,
        description="A player, `watch`, `camera` or `host`: the link ends, and a "
        "new one takes its place.",
    )
    revoke: Name | None = Field(default=None, description="The same without a new one.")
    role: Literal["host", "camera", "watch", "seat"] | None = Field(
        default=None, description="Says what is meant where a player is called like a role."
    )
    hours: Annotated[float, Field(gt=0, le=24 * 3660, allow_inf_nan=False)] | None = Field(
        default=None, description="When the new link ends; without it never."
    )


class NewToken(Body):
    """The place that an additional token is for."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"role": "seat", "player": "Ann"}, {"role": "watch"}]},
    )
    role: Literal["host", "camera", "watch", "seat"]
    player: Name | None = None


class ActionBody(BaseModel):
    """An action as scenarios have it: name, player, and its own fields."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={"examples": [{"action": "pass", "player": "Ann"}]},
    )
    __pydantic_extra__: dict[str, Annotated[Any, AfterValidator(plain_json)]]
    action: Name
    player: Name | None = None


class PublicBody(Body):
    """Request to publish a game or to end that."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"public": True}]})
    public: bool


class DivisionBody(Body):
    """Players and pairings of a division."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"text": "Able, Ann 1512 2; 412\nBaker, Bob 1490 1; 377\n"}]
        },
    )
    text: str = Field(
        min_length=1, max_length=200_000, description="A TSH division file, or a CSV."
    )


class RoundBody(Body):
    """Settings of the tables of a round."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"game": DEFAULT_GAME}]})
    game: Name = DEFAULT_GAME
    settings: Plain = Field(default_factory=dict)
    tiles: Name = "en"
    lexicon: Name = "default"


class JudgeBody(Body):
    """Request to call a judge or to end that."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"why": "Is this word good?"}]})
    wanted: bool = Field(default=True, description="False: a judge came; for hosts.")
    why: Annotated[Text, Field(max_length=200)] = ""


class ServerBody(Body):
    """The server of a hall that shall run a table."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"server": "hall-left"}]})
    server: Name


_FINISHED: Final[dict[str, Any]] = {
    "board": ["." * 15] * 7 + ["......CAT......"] + ["." * 15] * 7,
    "players": ["Ann", "Bob"],
    "told": [{"began": "Ann"}],
}


class TraceBody(Body):
    """A finished board, and what people know of its game."""

    model_config = ConfigDict(json_schema_extra={"examples": [_FINISHED]})
    board: list[Annotated[Text, Field(max_length=24)]] = Field(min_length=8, max_length=24)
    players: list[Name] = Field(min_length=2, max_length=4)
    told: list[Plain] = Field(
        default_factory=list,
        max_length=200,
        description="As `kibitz trace --told` takes it: who began, words, points, letters.",
    )
    tiles: Name = "en"
    lexicon: Name = "default"


class QrBody(Body):
    """Content of a QR code."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"text": "https://192.168.1.20:8000/table/k7m2pq4x"}]},
    )
    text: str = Field(min_length=1, max_length=500)


class SourceBody(Body):
    """The camera that the server shall open."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"source": "rtsp://camera.local/stream"}]}
    )
    source: Annotated[Text, Field(min_length=1, max_length=500)] | None


class OnvifBody(Body):
    """A camera of the network, and who asks it for its streams."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"address": "http://192.168.1.30/onvif", "user": "viewer"}]
        }
    )
    address: Annotated[Text, Field(min_length=1, max_length=500)]
    user: Annotated[Text, Field(max_length=100)] = ""
    password: Annotated[Text, Field(max_length=100)] = ""


class CornersBody(Body):
    """The board's corners, as fractions of the picture's width and height."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"corners": [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]}]
        },
    )
    corners: Annotated[list[tuple[Part, Part]], Field(min_length=4, max_length=4)] | None = Field(
        description="Outer corners: row A's beginning and end, the last row's end and beginning."
    )
