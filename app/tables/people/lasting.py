"""One lasting link for spectators, which opens the newest game: it stays where it was pasted once.

Its token is made again from what is kept, as those of a table's links are, and nothing else can
be opened with it than what a watcher of that one table sees.
"""

from __future__ import annotations

import hmac
import json
import threading
import time
from collections.abc import Callable
from dataclasses import asdict

from kibitz.app.common.listing import LISTS
from kibitz.app.common.storage.tables import Storage, TableRow
from kibitz.app.common.storage.upkeep import Label, Link
from kibitz.app.common.waiting import WAITS
from kibitz.app.tables.air import kept_air
from kibitz.app.tables.people.access import LinkMaker, token_hash

_NAME = "lasting"


class LastingLink:
    """The lasting link of a server or a hall.

    Args:
        storage: where it and the tables are kept.
        maker: makes its token.
        now: seconds since 1970.
    """

    def __init__(
        self, storage: Storage, maker: LinkMaker, now: Callable[[], float] = time.time
    ) -> None:
        self._storage = storage
        self._maker = maker
        self.now = now
        self._hash: tuple[float, str] = (float("-inf"), "")
        self._newest: tuple[float, str | None] = (float("-inf"), None)
        self._lock = threading.Lock()

    def token(self, *, renew: bool = False) -> str:
        """Token of the link, made if there is none; a renewed one ends the one before."""
        with self._lock:
            text = "" if renew else self._storage.document(_NAME)[1]
            kept = [Link(**json.loads(text))] if text else []
            token = self._maker.standing(kept, "watch", None)
            if token is None:
                token, link = self._maker.make("watch", None)
                self._storage.put_document(_NAME, json.dumps(asdict(link)))
            self._hash = time.monotonic(), token_hash(token)
            return token

    def end(self) -> None:
        """Let the link open nothing any more."""
        with self._lock:
            self._storage.drop_document(_NAME)
            self._hash = time.monotonic(), ""

    def is_opened_by(self, token: str | None) -> bool:
        """True if this is the link's token; another server may have renewed it a moment ago."""
        if not token or len(token) > LISTS.page:
            return False
        with self._lock:
            since, known = self._hash
            if time.monotonic() > since + WAITS.look_s:
                text = self._storage.document(_NAME)[1]
                known = Link(**json.loads(text)).hash if text else ""
                self._hash = time.monotonic(), known
        return bool(known) and hmac.compare_digest(token_hash(token), known)

    def table(self) -> str | None:
        """The newest table that is on air; one that was put away is not."""
        with self._lock:
            since, newest = self._newest
            if time.monotonic() > since + WAITS.look_s:
                newest = self._find()
                self._newest = time.monotonic(), newest
        return newest

    def _find(self) -> str | None:
        after: tuple[float, str] | None = None
        while True:
            page = self._storage.page_of_rows(LISTS.first, after)
            rows = [row for row in page if isinstance(row, TableRow)]
            labels = self._storage.labels([row.id for row in rows])
            for row in rows:
                air = kept_air(self._storage, row)
                away = labels.get(row.id, Label()).archived is not None
                if not away and row.created <= air.cut(self.now()):
                    return row.id
            if len(page) < LISTS.first or not rows:
                return None
            after = min((row.created, row.id) for row in rows)
