"""Records that are kept of a table, and errors of the storage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kibitz.app.common.errors import CommandError


class StorageError(CommandError):
    """The storage failed; `code` is stable.

    `message` is for who runs the server: it names the place. `public` is for everybody else.
    """

    def __init__(self, code: str, *parts: str) -> None:
        super().__init__(*parts)
        self.code = code
        self.message = self.on_command_line

    @property
    def is_temporary(self) -> bool:
        """True if the error may pass (a full disk, a lock), so that retrying makes sense."""
        return self.code in _PASSING

    @property
    def slow(self) -> bool:
        """True if running into the error again would keep people waiting."""
        return self.code in ("storage_hung", "storage_locked")

    @property
    def public(self) -> str:
        """The message without the storage's address."""
        return _PUBLIC.get(self.code, "Where tables are kept cannot be used now")


_PUBLIC = {
    "storage_full": "The disk is full: somebody must free some space on the server",
    "storage_locked": "Where tables are kept is locked by another program",
    "storage_hung": "The database does not answer",
    "storage_gone": "The folder of the tables was deleted or replaced while the server runs",
    "storage_unavailable": "Where tables are kept cannot be used now",
    "written_elsewhere": (
        "this table was written by another server at the same time; open it again"
    ),
    "lease_lost": "Another server of this hall runs the table now; it was not done, send it again",
    "server_replaced": "Another server of this hall has taken this one's place",
    "table_damaged": (
        "What is kept of this table is damaged; who runs the server can export what is whole"
    ),
}
_PASSING = frozenset(
    {
        "storage_full",
        "storage_locked",
        "storage_hung",
        "storage_gone",
        "storage_unavailable",
    }
)


class LeaseLostError(StorageError):
    """Another server of the hall runs the table; nothing was written."""

    def __init__(self, table_id: str) -> None:
        message = f"table {table_id} is run by another server of this hall now"
        super().__init__("lease_lost", message)
        self.table = table_id


@dataclass(frozen=True, slots=True)
class Damage:
    """Damage to a kept table.

    Attributes:
        table: its name.
        players: who plays, as far as it can be read.
        wrong: what is wrong, in words.
        readable: how many steps before that are whole.
    """

    table: str
    players: tuple[str, ...]
    wrong: str
    readable: int = 0

    @property
    def sentence(self) -> str:
        """A sentence about the damage, for who runs the server."""
        names = f" ({', '.join(self.players)})" if self.players else ""
        steps_ = f"the first {self.readable} steps are" if self.readable else "no step is"
        return (
            f"table {self.table}{names} is damaged and set aside: {self.wrong}; {steps_} whole: "
            f"'kibitz export {self.table}' writes what can be read"
        )


class DamagedTableError(StorageError):
    """The table does not match its checksums or cannot be parsed."""

    def __init__(self, damage: Damage) -> None:
        super().__init__("table_damaged", damage.sentence)
        self.damage = damage


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a table's history, as it is kept.

    Attributes:
        seq: 1, 2, 3 ... without gaps in one table.
        at: seconds since 1970.
        kind: `told`, `seen`, `undo`, `correct` ...
        data: what happened, as JSON.
        idem: hash of the idempotency key it was asked for with.
        picture: the settled position as a JPEG; not loaded with the list of steps.
    """

    seq: int
    at: float
    kind: str
    data: Mapping[str, Any]
    idem: str | None = None
    picture: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A kept token: its hash, and the role that it gives."""

    hash: str
    role: str
    player: str | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """A kept table: its setup."""

    id: str
    created: float
    header: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RefusalRow:
    """A refused call with an idempotency key: the request and its answer."""

    idem: str
    asked: str
    code: str
    message: str
