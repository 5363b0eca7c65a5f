"""What callers of a server send; what is not known is refused."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from kibitz.app.wire.shape import Body, Name, Plain, Text, plain_json
from kibitz.engine.games import DEFAULT_GAME

Part = Annotated[float, Field(ge=-0.5, le=1.5, allow_inf_nan=False)]


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


class TableChange(Body):
    """What a table is called from now on, and whether it is put away."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Sunday"}]})
    name: Annotated[Text, Field(max_length=200)] | None = None
    archived: bool | None = None


class LinkChange(Body):
    """Whose link is to end, and whether another takes its place."""

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
    """Who a further token is for."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"role": "seat", "player": "Ann"}, {"role": "watch"}]},
    )
    role: Literal["host", "camera", "watch", "seat"]
    player: Name | None = None


class ActionBody(BaseModel):
    """A scenario action: its name, who does it, and its own fields beside."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={"examples": [{"action": "pass", "player": "Ann"}]},
    )
    __pydantic_extra__: dict[str, Annotated[Any, AfterValidator(plain_json)]]
    action: Name
    player: Name | None = None


class PublicBody(Body):
    """Whether everybody may watch a game."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"public": True}]})
    public: bool


class DivisionBody(Body):
    """The players and pairings of a division."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"text": "Able, Ann 1512 2; 412\nBaker, Bob 1490 1; 377\n"}]
        },
    )
    text: str = Field(
        min_length=1, max_length=200_000, description="A TSH division file, or a CSV."
    )


class RoundBody(Body):
    """What the tables of a round are set up for."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"game": DEFAULT_GAME}]})
    game: Name = DEFAULT_GAME
    settings: Plain = Field(default_factory=dict)
    tiles: Name = "en"
    lexicon: Name = "default"


class JudgeBody(Body):
    """Whether a table asks for a judge."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"why": "Is this word good?"}]})
    wanted: bool = Field(default=True, description="False: a judge came; for hosts.")
    why: Annotated[Text, Field(max_length=200)] = ""


class ServerBody(Body):
    """Which server of a hall runs a table."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"server": "hall-left"}]})
    server: Name


class QrBody(Body):
    """What a QR code shall hold."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"text": "https://192.168.1.20:8000/table/k7m2pq4x"}]},
    )
    text: str = Field(min_length=1, max_length=500)


class SourceBody(Body):
    """Which camera the server shall open."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"source": "rtsp://camera.local/stream"}]}
    )
    source: Annotated[Text, Field(min_length=1, max_length=500)] | None


class CornersBody(Body):
    """Where the board lies, as parts of the picture's width and height."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"corners": [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]}]
        },
    )
    corners: Annotated[list[tuple[Part, Part]], Field(min_length=4, max_length=4)] | None = Field(
        description="Outer corners: row A's beginning and end, the last row's end and beginning."
    )
