"""Shapes of answers about cameras, films, squares and taught tiles."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from kibitz.app.wire.shape import Said, Shape


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
    source: str = Field(description="Where its pictures come from; no password is shown.")
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
