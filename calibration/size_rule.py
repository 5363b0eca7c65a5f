"""The numbers by which a board of any number of squares is found, and when it is believed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kibitz.engine.parameters import checked, number

UNITS: Final = 16
"""An outline is so many units a side, whatever the squares in it are."""
FEWEST: Final = 8
MOST: Final = 24
"""Boards have so many squares a side."""
MARGIN: Final = UNITS / FEWEST
"""Units around an outline that are looked at: one of the largest squares."""
UNIT_PX: Final = 28
"""A unit of an outline is so wide where lines are looked for."""


@dataclass(frozen=True, slots=True)
class FrameWeights:
    """How much each sign counts that some squares are the board, in nats; fitted on drawn boards.

    A bit of a line is 1 where it is as strong as the lattice's usually are, 0 where there is none.
    """

    border: float = number(0.97, "nats", 0.0, 5.0, "a whole side of bits along its edge")
    outer: float = number(0.85, "nats", 0.0, 9.0, "lines that cross its outermost squares")
    weakest: float = number(1.27, "nats", 0.0, 9.0, "on the side where they are weakest")
    beyond: float = number(2.19, "nats", 0.0, 9.0, "lines that go on beyond: so much against it")
    strongest: float = number(5.19, "nats", 0.0, 9.0, "on the side where they are strongest")
    unlike: float = number(5.61, "nats", 0.0, 20.0, "squares unlike their mirror images: against")
    one_way: float = number(2.78, "nats", 0.0, 20.0, "in the mirror where they are least alike")
    area: float = number(0.2, "nats", 0.0, 5.0, "what the finder takes for a board, a row of it")

    def __post_init__(self) -> None:
        checked(self)


FRAME_WEIGHTS: Final = FrameWeights()


@dataclass(frozen=True, slots=True)
class SizeRule:
    """How a lattice of any number of squares is found in an outline, and when it is believed."""

    off: float = number(
        3.5, "squares", 0.5, 8.0, "by so much an outline may lie beside the board's edge"
    )
    going_on: float = number(
        0.33,
        "of the usual",
        0.0,
        1.0,
        "lines so strong beyond an edge are those of squares",
    )
    beside: float = number(
        0.8, "of a side", 0.0, 1.0, "so much of the squares beyond each side shows: it ends there"
    )
    told_by: FrameWeights = FRAME_WEIGHTS
    step: float = number(
        1.02, "times", 1.005, 1.2, "spacings are tried so much further apart each time"
    )
    phases: int = number(
        12, "count", 2, 60, "each spacing is tried with its first line at so many places"
    )
    bend: float = number(
        0.24, "of itself", 0.0, 0.5, "by so much the spacing may change across a board, either way"
    )
    tried: int = number(4, "count", 1, 20, "spacings that are looked into")
    same: float = number(
        1.1, "times", 1.0, 1.5, "spacings no further apart are one: squares are square"
    )
    compared: int = number(
        60, "frames", 1, 10_000, "of the likeliest by lines squares are compared in mirrors"
    )

    def __post_init__(self) -> None:
        checked(self)


SIZE: Final = SizeRule()
