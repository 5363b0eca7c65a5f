"""Messages when no board is found: why, and what to do, for command line and table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kibitz.engine.phrases import listed, phrase
from kibitz.vision.readings import script_name

if TYPE_CHECKING:
    from kibitz.calibration.board_finder import BoardNotFound
    from kibitz.calibration.board_geometry import Pyramid

FAULTS: Final = {"board_cut_off": "cut_off", "board_not_found": "unclear"}
"""Names of a view's faults by the code that refuses it, where they differ."""
OPEN: Final = frozenset(FAULTS)
"""Codes of what may be due to the light, or to a picture in which no line is sharp."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing was read in a picture.

    Attributes:
        code: the stable name, as `kibitz read` gives it.
        fault: what is wrong with the view, by the name that a table's page knows.
        message: what to do about it, where commands are called.
        advice: the same at a table.
    """

    code: str
    fault: str
    message: str
    advice: str


def refusal_of(error: BoardNotFound, picture: Pyramid) -> Refusal:
    """The refusal for a picture without a board; light and sharpness decide an open cause."""
    from kibitz.calibration.quality import advice_unseen, fault_unseen, faults, judge_view, remedy
    from kibitz.vision.pipeline import SMALLEST_PX

    code, fault, said = error.code, FAULTS.get(error.code, error.code), str(error)
    if code not in OPEN or min(picture.shape) < SMALLEST_PX:
        return Refusal(code, fault, said, _at_a_table(error))
    light = float(picture.level(2).mean())
    unseen = fault_unseen(light)
    if unseen != "no_board":
        said = advice_unseen(light)
        return Refusal("too_dark" if unseen == "too_dark" else code, unseen, said, said)
    if error.nearest is None:
        return Refusal(code, unseen, said, said)
    view = judge_view(picture, error.nearest)
    if "blurred" in faults(view):
        said = remedy("blurred", view)
        return Refusal("too_blurred", "blurred", said, said)
    return Refusal(code, fault, said, said)


def _at_a_table(error: BoardNotFound) -> str:
    """Advice for people at a table, which names no commands."""
    from kibitz.vision.pipeline import OtherScript, OtherSize

    if isinstance(error, OtherScript):
        return phrase(
            "These tiles are {script}: take a tile set of theirs ({sets}), or teach their look.",
            script=script_name(error.script),
            sets=listed(error.tile_sets, ", "),
        )
    if isinstance(error, OtherSize) and not error.sure:
        return phrase(
            "This board may have {size} squares a side, but the picture ends beside it: move the "
            "camera back.",
            size=error.size,
        )
    if isinstance(error, OtherSize):
        return phrase(
            "This board has {size} squares a side, not 15: set the table up with its layout, or "
            "lay a board of 15.",
            size=error.size,
        )
    return str(error)
