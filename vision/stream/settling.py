"""Waits until hands are out of a moving picture: only still positions are worth reading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from kibitz.engine.parameters import checked, number
from kibitz.vision.stream.stillness import StillWatch, relief_of
from kibitz.vision.stream.video import VideoPicture

_CLOCK: Final = 1e-3
"""Times are compared to the millisecond."""


@dataclass(frozen=True, slots=True)
class SettleRule:
    """When a position in a film counts as still."""

    still_s: float = number(0.7, "seconds", 0.0, 30.0, "nothing moves for so long")
    again_s: float = number(
        5.0, "seconds", 0.0, 600.0, "a position at rest is looked at again, for what came slowly"
    )

    def __post_init__(self) -> None:
        checked(self)


SETTLE: Final = SettleRule()


def settled_pictures(
    pictures: Iterable[VideoPicture],
    watch: StillWatch,
    side_px: int | None = None,
) -> Iterator[tuple[VideoPicture, bool]]:
    """The pictures at which a scene came to rest, as a live table's camera would see them.

    Args:
        pictures: of a film, in order.
        watch: tells what moves; who reads the pictures sets its `where` to the board, so that
            people beside it count for nothing.
        side_px: the longer side of the small pictures in which movement is looked for.

    Yields:
        A picture of each rest, and whether it is the first of that rest.
    """
    due, first = 0.0, True
    for item in pictures:
        if watch.look(relief_of(item.picture, side_px), item.at_s) == 0.0:
            due, first = item.at_s + SETTLE.still_s, True
        if item.at_s >= due - _CLOCK:
            yield item, first
            due, first = item.at_s + SETTLE.again_s, False
