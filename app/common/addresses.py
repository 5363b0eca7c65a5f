"""Addresses of cameras and databases, parsed so that their credentials are never shown."""

from __future__ import annotations

import base64
import re
import urllib.parse
from contextlib import suppress
from dataclasses import dataclass

from kibitz.app.common.files import named_path

HIDDEN = "…"
PRIVATE = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"),
    *("fc00::/7", "fe80::/10", "::1/128"),
)
"""Networks whose machines are reached from nowhere else."""
PORTS = {"http": 80, "https": 443, "rtsp": 554, "rtsps": 322}
_HOST = re.compile(r"(?P<host>\[[0-9A-Fa-f:.%]+\]|[\w.-]+)(?::(?P<port>\d{1,5}))?")
_PLAIN = re.compile(r"[\w.~%+-]*")


@dataclass(frozen=True, slots=True)
class Address:
    """A parsed address.

    Attributes:
        scheme: `http`, `rtsp` ... in small letters.
        host: the machine; empty where none can be told.
        port: None where the scheme's own is meant.
        path: from the first slash on, as it was written.
        query: from the question mark on, as it was written.
        user, password: who enters, unquoted; None where nobody is named.
        sure: whether it can be read in one way only; else no part of it may be shown.
    """

    scheme: str
    host: str
    port: int | None
    path: str
    query: str
    user: str | None = None
    password: str | None = None
    sure: bool = True

    @property
    def where(self) -> str:
        """Scheme, host and port."""
        port = "" if self.port is None else f":{self.port}"
        return f"{self.scheme}://{self.host}{port}"

    @property
    def shown(self) -> str:
        """The address without user and password, for a table's host and the server's output.

        Nor what follows a question mark. Some cameras take the password in the path
        (`/user=ann_password=…`), so that parts of it which are more than a plain name are hidden.
        """
        if not self.sure or not self.host:
            return f"{self.scheme}://{HIDDEN}"
        parts = (p if _PLAIN.fullmatch(p) else HIDDEN for p in self.path.split("/"))
        return self.where + "/".join(parts)

    @property
    def bare(self) -> str:
        """The address to request, without user and password."""
        return self.where + self.path + self.query

    @property
    def full(self) -> str:
        """The address with user and password, percent-encoded so that it parses one way only."""
        if self.user is None:
            return self.bare
        quoted = urllib.parse.quote(self.user, safe="")
        if self.password is not None:
            quoted += ":" + urllib.parse.quote(self.password, safe="")
        return self.bare.replace("://", f"://{quoted}@", 1)

    @property
    def basic(self) -> str | None:
        """Value of an `Authorization` header; None without a user."""
        if self.user is None:
            return None
        pair = f"{self.user}:{self.password or ''}".encode()
        return "Basic " + base64.b64encode(pair).decode()

    def same_place(self, other: Address) -> bool:
        """True if another address leads to the same program on the same machine."""
        return self._place() == other._place()

    def _place(self) -> tuple[str, str, int | None]:
        return self.scheme, self.host.lower(), self.port or PORTS.get(self.scheme)


def parse_address(text: str) -> Address:
    """Parse an address, even where a password was written into it unescaped.

    `http://ann:p@ss/w0rd@host/snap` is no proper address (`@`, `/` and `?` of a password are
    written `%40`, `%2F`, `%3F` in one), but what people type: the last `@` before a question mark
    ends the password.
    """
    scheme, _, rest = text.partition("://")
    front = re.split(r"[?#]", rest, maxsplit=1)[0]
    first = front.split("/", 1)[0]
    entry: str | None = None
    if "@" in front:
        if "@" in first or not _HOST.fullmatch(first):
            at = front.rindex("@")
            entry, rest = front[:at], rest[at + 1 :]
    elif "@" in rest and not _HOST.fullmatch(first):
        entry, _, rest = rest.rpartition("@")
    named = re.split(r"[/?#]", rest, maxsplit=1)[0]
    after = rest[len(named) :]
    path = re.split(r"[?#]", after, maxsplit=1)[0]
    found = _HOST.fullmatch(named)
    user = password = None
    if entry is not None:
        user, colon, word = entry.partition(":")
        user = urllib.parse.unquote(user)
        password = urllib.parse.unquote(word) if colon else None
    return Address(
        scheme.lower(),
        found["host"] if found else "",
        int(found["port"]) if found and found["port"] else None,
        path,
        after[len(path) :],
        user,
        password,
        sure="@" not in rest,
    )


def shown_source(text: str) -> str:
    """A camera's source as it may be shown; a file keeps its name."""
    if "://" in text:
        return parse_address(text).shown
    with suppress(OSError, ValueError):
        if named_path(text).exists():
            return text
    front, at, _ = text.rpartition("@")
    if at and ":" in front:
        return HIDDEN  # an address whose beginning was forgotten or mistyped
    name, mark, _ = text.partition("?")
    return name + (mark and HIDDEN)


def without_password(data: str) -> str:
    """A data folder, or a database address with its user but without its password."""
    if "://" not in data or data.startswith("sqlite"):
        return data
    address = parse_address(data)
    if not address.sure:
        return f"{address.scheme}://{HIDDEN}"
    entry = ""
    if address.user is not None:
        entry = address.user + ("" if address.password is None else ":***") + "@"
    query = re.sub(r"([?&][^=&]*pass[^=&]*=)[^&]*", r"\1***", address.query)
    return address.where.replace("://", f"://{entry}", 1) + address.path + query
