"""Access rights: random tokens, of which only hashes are kept."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from kibitz.app.common.storage.tables import TokenRow

Role = Literal["host", "camera", "watch", "seat"]
ROLES: tuple[Role, ...] = ("host", "camera", "watch", "seat")
FORBIDDEN = "forbidden"
"""The code of what a token does not allow."""


@dataclass(frozen=True, slots=True)
class Actor:
    """A person at a table, with the role that a token gives."""

    role: Role
    player: str | None = None

    @property
    def sees_all_pictures(self) -> bool:
        """True for host and camera only, as pictures may show racks and hands."""
        return self.role in ("host", "camera")

    @property
    def viewer(self) -> str | None:
        """The player whose view is shown; None sees what everybody may see."""
        return self.player if self.role == "seat" else None

    def may_speak_for(self, player: str | None) -> bool:
        """True if this person may take an action of the player."""
        return self.role == "host" or (self.role == "seat" and player in (None, self.player))


HOST: Final = Actor("host")
WATCHER: Final = Actor("watch")


def new_token() -> str:
    """A token of 192 random bits."""
    return secrets.token_urlsafe(24)


def token_hash(token: str) -> str:
    """Hash of a token, as it is kept; a random token needs no salt and no slow hash."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def new_table_id() -> str:
    """A short table name that can be read out; it gives no access by itself."""
    alphabet = "abcdefghjkmnpqrstuvwxyz23456789"
    return "".join(secrets.choice(alphabet) for _ in range(8))


def find_actor(token: str | None, rows: Iterable[TokenRow]) -> Actor | None:
    """Role that a token gives; None if it gives none."""
    if not token or len(token) > 200:
        return None
    wanted = token_hash(token)
    for row in rows:
        if hmac.compare_digest(wanted, row.hash) and row.role in ROLES:
            return Actor(row.role, row.player)
    return None
