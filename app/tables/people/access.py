"""Who may do what: tokens that nobody can guess, kept only as hashes."""

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
    """Somebody at a table, as a token says."""

    role: Role
    player: str | None = None

    @property
    def sees_all_pictures(self) -> bool:
        """Pictures may show racks and hands, so only the host and the camera get them."""
        return self.role in ("host", "camera")

    @property
    def viewer(self) -> str | None:
        """Through whose eyes the game is shown; None sees what everybody may see."""
        return self.player if self.role == "seat" else None

    def may_speak_for(self, player: str | None) -> bool:
        """Whether an action of this player may come from here."""
        return self.role == "host" or (self.role == "seat" and player in (None, self.player))


HOST: Final = Actor("host")
WATCHER: Final = Actor("watch")


def new_token() -> str:
    """A token of 192 random bits."""
    return secrets.token_urlsafe(24)


def token_hash(token: str) -> str:
    """What is kept of a token. Its randomness needs no salt and no slow hash."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def new_table_id() -> str:
    """A short name for a table that can be read out; it opens nothing by itself."""
    alphabet = "abcdefghjkmnpqrstuvwxyz23456789"
    return "".join(secrets.choice(alphabet) for _ in range(8))


def find_actor(token: str | None, rows: Iterable[TokenRow]) -> Actor | None:
    """Whose token this is; None: nobody's."""
    if not token or len(token) > 200:
        return None
    wanted = token_hash(token)
    for row in rows:
        if hmac.compare_digest(wanted, row.hash) and row.role in ROLES:
            return Actor(row.role, row.player)
    return None
