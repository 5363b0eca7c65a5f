"""How a live table is set up, and the result of an action there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kibitz.app.common.storage.tables import TableRow
from kibitz.app.languages.catalogues import LANGUAGES
from kibitz.app.observers.feeds import Watcher, make_observer
from kibitz.app.wire.answers import Acted, ActedBefore
from kibitz.engine.record.history import events_json
from kibitz.engine.record.ledger import Done, Opening
from kibitz.engine.rules import Verdict


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an action or a picture."""

    verdict: Verdict
    seq: int
    saved: bool = True
    done: tuple[Done, ...] = ()
    say: tuple[str, ...] = ()
    line: Mapping[str, Any] | None = None
    repeated: bool = False

    def answer(self, viewer: str | None) -> Acted:
        """The answer to who asked; a refusal is answered as an error instead."""
        told = Acted(
            legal=True,
            result=dict(self.verdict.result),
            events=tuple(events_json(self.done, viewer)),
            say=self.say,
            seq=self.seq,
            saved=self.saved,
        )
        return ActedBefore(**dict(told), repeated=True) if self.repeated else told


@dataclass(frozen=True, slots=True)
class Setup:
    """What a table was set up with; `tiles` is a set's name, or the file it is in."""

    row: TableRow
    opening: Opening
    tiles: str = "en"

    @property
    def lexicon(self) -> str:
        """The name of the word list that the game is played by."""
        return str(self.opening.options["lexicon"])

    def language_for(self, player: str | None) -> str | None:
        """The language of a seat, else the table's; None where nobody said one."""
        said = self.row.header.get("languages")
        if not isinstance(said, Mapping):
            return None
        code = said.get(player or "") or said.get("")
        return code if code in LANGUAGES else None


def make_watcher(setup: Setup) -> Watcher:
    """The eyes for a game."""
    return Watcher(make_observer(setup.opening, setup.tiles))
