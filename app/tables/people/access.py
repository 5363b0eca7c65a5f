"""Access rights: links to a table's places, and the roles that their tokens give.

The database holds a hash and a random part of each token; with the secret beside the database the
same token comes out again, so that a restart and an invitation show the links that are in use.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from kibitz.app.common.files import named_path
from kibitz.app.common.storage.tables import default_data
from kibitz.app.common.storage.upkeep import Link

Role = Literal["host", "camera", "watch", "seat"]
ROLES: tuple[Role, ...] = ("host", "camera", "watch", "seat")
KEY_FILE = "links.key"
KEY_BYTES: Final = 32
TOKEN_BYTES: Final = 24
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


def is_open(link: Link, now: float | None = None) -> bool:
    """True if a link has not expired."""
    return link.expires is None or (time.time() if now is None else now) < link.expires


def find_actor(token: str | None, links: Iterable[Link]) -> Actor | None:
    """Role that a token gives by one of the links; None if it gives none, or no longer."""
    if not token or len(token) > 200:
        return None
    wanted = token_hash(token)
    for link in links:
        if hmac.compare_digest(wanted, link.hash) and link.role in ROLES and is_open(link):
            return Actor(link.role, link.player)
    return None


class LinkMaker:
    """Makes the tokens of links.

    Args:
        where: where tables are kept; a database's secret lies on this machine, not in it.
        secret: that of a hall, whose servers all make the same links.
    """

    def __init__(self, where: str, secret: bytes | None = None) -> None:
        if secret is not None:
            self._secret = hmac.new(secret, b"links", hashlib.sha256).digest()
            return
        folder = named_path(default_data() if "://" in where else where)
        self._secret = _secret_in(folder)

    def make(
        self, role: str, player: str | None, expires: float | None = None
    ) -> tuple[str, Link]:
        """Make a link; returns its token, and what is kept of it."""
        nonce = secrets.token_hex(TOKEN_BYTES)
        token = self._token(nonce)
        return token, Link(token_hash(token), role, player, nonce, time.time(), expires)

    def standing(self, links: Iterable[Link], role: str, player: str | None) -> str | None:
        """Token of the newest link to a place that can be derived again; None without one."""
        token = None
        for link in sorted(links, key=lambda link: link.made):
            if (link.role, link.player) != (role, player) or not is_open(link):
                continue
            made = self._token(link.nonce) if link.nonce else ""
            if token_hash(made) == link.hash:
                token = made
        return token

    def _token(self, nonce: str) -> str:
        made = hmac.new(self._secret, nonce.encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(made[:TOKEN_BYTES]).decode()


def _secret_in(folder: Path) -> bytes:
    """Secret of a data folder, created when first needed and readable by its owner only.

    Where none can be kept, links are made with one that ends with this server.
    """
    path = folder / KEY_FILE
    fresh = secrets.token_bytes(KEY_BYTES)
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            _write_once(path, fresh)
        kept = path.read_bytes()
        if len(kept) == KEY_BYTES:
            return kept
    return fresh


def _write_once(path: Path, data: bytes) -> None:
    """Write a file atomically, unless it exists already."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    try:
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()
