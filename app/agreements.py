"""What counts only when all players say it, where each of them says it from a seat."""

from __future__ import annotations

import threading

from app.table import Table

NEEDS_ALL = frozenset({"no_plays"})
"""Ends a game and shows every fleet: one player alone must not have that."""


class Agreements:
    """Who has said so at each table; whatever happens there in between makes it void."""

    def __init__(self) -> None:
        self._said: dict[str, tuple[int, str, frozenset[str]]] = {}
        self._lock = threading.Lock()

    def missing(self, table: Table, kind: str, player: str) -> tuple[str, ...]:
        """Take down that a player says so; the players who have not yet."""
        with self._lock:
            seq, what, before = self._said.get(table.id, (table.seq, kind, frozenset()))
            if (seq, what) != (table.seq, kind):
                before = frozenset()
            said = before | {player}
            self._said[table.id] = (table.seq, kind, said)
            return tuple(p for p in table.setup.opening.players if p not in said)
