"""Setup of a live table, and the outcome of an action there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kibitz.app.common.storage.tables import TableRow
from kibitz.app.languages.catalogues import LANGUAGES
from kibitz.app.tables.orders import USUAL
from kibitz.app.wire.answers import Acted, ActedBefore
from kibitz.engine.phrases import NOTATIONS, Notation
from kibitz.engine.record.history import events_json
from kibitz.engine.record.ledger import Done, Opening
from kibitz.engine.rules import Verdict


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
