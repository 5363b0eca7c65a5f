"""A look of every camera of a table, as the button "Look now" and the end of a turn ask for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kibitz.app.tables.setup import Outcome
from kibitz.engine.phrases import phrase
from kibitz.engine.rules import Accepted, Refused

ENDS_A_TURN = frozenset(
    {"look", "pass", "exchange", "press_clock", "go", "end_of_play", "end_of_hand"}
)
"""Actions told after the tiles were laid; a challenge is of a play that was told already."""
NOT_SEEN = {
    "no_camera": phrase("No camera shows this table now."),
    "moving": phrase("Something moves over the table: take your hands away, and ask again."),
    "covered": phrase("Part of the table is hidden: take your hands away, and ask again."),
    "unreadable": phrase("The table cannot be read: see that all of it is in the picture."),
}
"""Why a look brings nothing, in words."""


def look_with(looks: Sequence[Callable[[], str]]) -> str:
    """Let every camera of a table look now; a report of one outweighs what another lacks.

    Args:
        looks: `TableCamera.look_now` of each camera, the first one first.

    Returns:
        What they came to together, in the words of one.
    """
    found = [look() for look in looks]
    reports = [seen for seen in found if seen not in NOT_SEEN and seen != "no_change"]
    hindered = [seen for seen in found if seen in NOT_SEEN and seen != "no_camera"]
    calm = [seen for seen in found if seen == "no_change"]
    return next(iter((*reports, *hindered, *calm)), "no_camera")


def looked(seen: str, seq: int, *, saved: bool) -> Outcome | Refused:
    """Answer to the button "Look now".

    Args:
        seen: what `TableCamera.look_now` came to.
        seq: the number of the table's last step.
        saved: whether everything is kept.
    """
    if seen in NOT_SEEN:
        return Refused(seen, NOT_SEEN[seen])
    return Outcome(Accepted((), {"status": seen}), seq, saved)
