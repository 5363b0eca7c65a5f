"""Corrects a game without a board by what pictures show.

The game is played again with its entries as they should be. Where the rules then refuse something
that was done later, nothing is put right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kibitz.engine.record.ledger import Entry, Ledger
from kibitz.engine.rules import Refused


def with_letter(ledger: Ledger, letter: str, other: str) -> Ledger | None:
    """The game with another letter for the tile turned up last as `letter`; else None.

    Args:
        ledger: the game.
        letter: what it was taken for.
        other: what it is.
    """
    flips = _flips_of(ledger, letter)
    if not flips:
        return None
    right = flips[-1].with_data({"letter": other})
    after, refused = ledger.rewritten(lambda entry: right if entry is flips[-1] else entry)
    return None if refused else after


def without_flip(ledger: Ledger, letter: str) -> Ledger | None:
    """The game without the newest seen flip of a letter; None if that is impossible."""
    seen = [entry for entry in _flips_of(ledger, letter) if not entry.told]
    after = without(ledger, seen[-1]) if seen else None
    return None if isinstance(after, Refused) else after


def without(ledger: Ledger, gone: Entry) -> Ledger | Refused:
    """The game as if an entry had not been made, or the first refusal of a later one."""
    after, refused = ledger.rewritten(lambda entry: None if entry is gone else entry)
    return refused[0] if refused else after


def with_players(ledger: Ledger, now: Mapping[str, str]) -> Ledger | None:
    """The game with seen words given to those who sit before them; else None.

    Args:
        ledger: the game.
        now: who sits where each player was thought to sit.
    """

    def change(entry: Entry) -> Entry:
        action = entry.action
        if entry.told or action.kind != "claim":
            return entry
        data = dict(action.data)
        if "from_player" in data:
            data["from_player"] = now.get(data["from_player"], data["from_player"])
        return replace(
            entry, action=replace(action, player=now.get(str(action.player)), data=data)
        )

    after, refused = ledger.rewritten(change)
    return None if refused else after


def _flips_of(ledger: Ledger, letter: str) -> list[Entry]:
    """Entries that turned up a tile with this letter."""
    entries = (d.entry for d in ledger.done if d.entry.action.kind == "flip")
    return [entry for entry in entries if entry.action.data.get("letter") == letter]
