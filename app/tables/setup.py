"""Setup of a live table, and the outcome of an action there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.app.common.storage.tables import TableRow
from kibitz.app.languages.catalogues import LANGUAGES
from kibitz.app.tables.orders import USUAL
from kibitz.app.wire.answers import Acted, ActedBefore
from kibitz.engine.phrases import NOTATIONS, Notation, phrase
from kibitz.engine.record.history import events_json
from kibitz.engine.record.ledger import Done, Opening
from kibitz.engine.rules import Accepted, Refused, Verdict


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of an action or a picture."""

    verdict: Verdict
    seq: int
    saved: bool = True
    done: tuple[Done, ...] = ()
    say: tuple[str, ...] = ()
    line: Mapping[str, Any] | None = None
    repeated: bool = False

    def answer(self, viewer: str | None) -> Acted:
        """The answer to the caller; a refusal is answered as an error instead."""
        answer = Acted(
            legal=True,
            result=dict(self.verdict.result),
            events=tuple(events_json(self.done, viewer)),
            say=self.say,
            seq=self.seq,
            saved=self.saved,
        )
        return ActedBefore(**dict(answer), repeated=True) if self.repeated else answer


@dataclass(frozen=True, slots=True)
class Setup:
    """Setup of a table; `tiles` is a set's name or its file."""

    row: TableRow
    opening: Opening
    tiles: str = "en"

    @property
    def lexicon(self) -> str:
        """Name of the word list in force."""
        return str(self.opening.options["lexicon"])

    @property
    def pace(self) -> str:
        """Pace at which people lay their tiles, one of `PACES`."""
        return str(self.row.header.get("pace", USUAL))

    @property
    def notation(self) -> Notation:
        """How squares are named to people: as told, else as the game's records do."""
        told = self.row.header.get("notation")
        return told if told in NOTATIONS else self.opening.game.info.notation

    def language_for(self, player: str | None) -> str | None:
        """Language of a seat, else the table's; None if neither was given."""
        said = self.row.header.get("languages")
        if not isinstance(said, Mapping):
            return None
        code = said.get(player or "") or said.get("")
        return code if code in LANGUAGES else None


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
