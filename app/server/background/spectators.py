"""Published games for spectators: one document for all, made once at each change.

A snapshot and changes lie at addresses of their own without a token, so that any cache between
here and ten thousand watchers may keep them: the table is asked once for all of them. A change is
asked for as "what came after step 7": the answer is right for ever, whatever came later.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from collections import OrderedDict
from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from starlette.concurrency import run_in_threadpool

from kibitz.app.common.limits import LISTS, WAITS
from kibitz.app.common.storage.kept import StorageError
from kibitz.app.server.background.retention import KEPT_S
from kibitz.app.tables.results.exports import ExportError, export_table
from kibitz.app.tables.state import snapshot_of
from kibitz.app.wire.tables import HistoryChange, Snapshot, SnapshotChange

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from kibitz.app.server.session import Session

PREFIX: Final = "/public/"
_PATH = re.compile(
    r"^/public/([A-Za-z0-9_-]{8,64})(?:\.json|(\.gcg)|/after/(\d{1,9})|/stream/(\d{1,9}))$"
)
GCG_MEDIA: Final = b"text/plain; charset=utf-8"


REMEMBERED: Final = 64
"""Changes back from which what came after is told; others start afresh."""
SNAPSHOT_S: Final = 1
"""Seconds for which a cache keeps a snapshot."""


def change_between(before: Snapshot, after: Snapshot) -> SnapshotChange:
    """Difference of two snapshots: changed values, and new history entries."""
    old, new = before.history, after.history
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    then, now = before.to_json(), after.to_json()
    set_ = {k: v for k, v in now.items() if k != "history" and then.get(k) != v}
    added = HistoryChange(keep=same, add=new[same:])
    return SnapshotChange(after=before.seq, seq=after.seq, set=set_, history=added)


@dataclass
class Published:
    """A published game, ready to be sent.

    Attributes:
        key: what opens it.
        table_id: which table it is.
        steps: the newest snapshots by their step, as objects.
        body: the newest as JSON.
        packed: the same, compressed.
        waiting: calls that wait for the next change.
        fresh: nothing has happened since it was made, or is being made.
        telling: who waits is told what has happened, in a moment.
        closed: nobody may see it any more.
        gcg: the step at which it was made, the status, and the game as GCG or what is wrong.
    """

    key: str
    table_id: str
    steps: OrderedDict[int, Snapshot] = field(default_factory=OrderedDict)
    body: bytes = b""
    packed: bytes = b""
    waiting: dict[asyncio.Future[None], None] = field(default_factory=dict)
    fresh: bool = False
    telling: bool = False
    closed: bool = False
    made_of: tuple[int, bool] | None = None
    gcg: tuple[int, int, str] | None = None
    making: asyncio.Lock = field(default_factory=asyncio.Lock)
    changes: dict[int, bytes] = field(default_factory=dict)

    @property
    def seq(self) -> int:
        """The step that it shows."""
        return next(reversed(self.steps), -1)

    def show(self, snapshot: Snapshot, remembered: int) -> None:
        """Show a newer snapshot from now on."""
        for later in [seq for seq in self.steps if seq >= snapshot.seq]:
            del self.steps[later]
        self.steps[snapshot.seq] = snapshot
        while len(self.steps) > remembered:
            self.steps.popitem(last=False)
        self.changes.clear()
        self.body = snapshot.to_text().encode()
        self.packed = gzip.compress(self.body, 5)

    def change_after(self, seq: int) -> bytes | None:
        """Change since a step, as JSON; None if that step is no longer remembered."""
        if seq not in self.changes and seq in self.steps and seq != self.seq:
            change = change_between(self.steps[seq], self.steps[self.seq])
            self.changes[seq] = change.to_text().encode()
        return self.changes.get(seq)


class Spectators:
    """Middleware that answers spectators before anything else.

    Args:
        app: the application, which answers every other call.
        session: whose games they watch.
    """

    def __init__(self, app: ASGIApp, session: Session) -> None:
        self._app = app
        self._session = session
        self._games: OrderedDict[str, Published] = OrderedDict()
        self._by_table: dict[str, set[str]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._jobs: set[asyncio.Task[None]] = set()
        self._client: Any = None
        session.hub.listeners.append(self._hear)
        session.listeners.append(self._hear)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer a spectator, or pass the call on."""
        if scope["type"] == "lifespan":
            return self._live(scope, receive, send)
        found = _PATH.match(scope["path"]) if scope["type"] == "http" else None
        if found is None or scope["method"] not in ("GET", "HEAD"):
            return self._app(scope, receive, send)
        return self._answer(found, scope, receive, send)

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)
        if self._client is not None:
            await self._client.aclose()

    async def _answer(
        self, found: re.Match[str], scope: Scope, receive: Receive, send: Send
    ) -> None:
        self._loop = asyncio.get_running_loop()
        try:
            game = await self._game(found[1])
        except StorageError as error:
            await _say(send, 503, error.code, f"{error.public}.")
            return
        if game is None:
            await _say(send, 404, "not_found", "There is no such game, or it is not public.")
        elif found[2] is not None:
            await self._gcg(game, scope, send)
        elif found[4] is not None:
            await self._stream(game, int(found[4]), scope, receive, send)
        elif found[3] is None:
            await self._snapshot(game, scope, send)
        else:
            with suppress(asyncio.CancelledError):  # the server is ending
                await self._after(game, int(found[3]), send)

    # --- answers --------------------------------------------------------------------------------

    async def _snapshot(self, game: Published, scope: Scope, send: Send) -> None:
        headers = {
            k: v for k, v in scope["headers"] if k in (b"if-none-match", b"accept-encoding")
        }
        etag = f'W/"{game.key[:8]}-{game.seq}"'.encode()
        kept = f"public, max-age={SNAPSHOT_S}, stale-while-revalidate=10".encode()
        common = [
            (b"etag", etag),
            (b"cache-control", kept),
            (b"vary", b"accept-encoding"),
        ]
        if etag in headers.get(b"if-none-match", b""):
            await _send(send, 304, b"", common)
            return
        packed = b"gzip" in headers.get(b"accept-encoding", b"")
        more = [(b"content-encoding", b"gzip")] if packed else []
        body = game.packed if packed else game.body
        await _send(send, 200, body, [*common, *more], head=scope["method"] == "HEAD")

    async def _gcg(self, game: Published, scope: Scope, send: Send) -> None:
        """Send the game as GCG; made once for each step, by the server that runs the table."""
        async with game.making:
            if game.gcg is None or game.gcg[0] != game.seq:
                game.gcg = (game.seq, *await self._gcg_now(game))
            _, status, text = game.gcg
        if status != HTTPStatus.OK:
            game.gcg = None
            await _say(send, status, "no_gcg", text)
            return
        etag = f'W/"{game.key[:8]}-gcg-{game.seq}"'.encode()
        kept = f"public, max-age={SNAPSHOT_S}, stale-while-revalidate=10".encode()
        common = [(b"etag", etag), (b"cache-control", kept)]
        if etag in dict(scope["headers"]).get(b"if-none-match", b""):
            await _send(send, 304, b"", common)
            return
        body, head = text.encode(), scope["method"] == "HEAD"
        await _send(send, 200, body, common, head=head, media=GCG_MEDIA)

    async def _gcg_now(self, game: Published) -> tuple[int, str]:
        """Status of an answer, and the GCG or an error message."""
        hall = self._session.hall
        if hall is not None:
            place = await run_in_threadpool(hall.seek, game.table_id)
            if place is not None and not place.here and place.server is not None:
                answer = await self._ask(place.server.reach, f"{PREFIX}{game.key}.gcg")
                if answer is None:
                    return 503, "The server that runs this game cannot be reached."
                if answer.is_success:
                    return 200, str(answer.text)
                return answer.status_code, str(answer.json()["error"]["message"])
        return await run_in_threadpool(self._gcg_here, game)

    def _gcg_here(self, game: Published) -> tuple[int, str]:
        table = self._session.tables.openable(game.table_id)
        if table is None:
            return 404, "There is no such game, or it is not public."
        try:
            return 200, export_table(self._session.booth.shown(table), "gcg")
        except ExportError as error:
            return 409, error.message

    async def _after(self, game: Published, seq: int, send: Send) -> None:
        body = game.change_after(seq)
        if body is None and seq == game.seq:
            await self._wait(game)
            body = game.change_after(seq)
        if body is not None:
            kept = f"public, max-age={KEPT_S}, immutable".encode()
            await _send(send, 200, body, [(b"cache-control", kept)])
        elif seq == game.seq:
            await _send(send, 204, b"", [(b"cache-control", b"no-store")])
        else:
            message = "What came after this step is not known any more; take the snapshot anew."
            await _say(send, 404, "no_such_change", message)

    async def _stream(
        self, game: Published, seq: int, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Send changes as server-sent events until the watcher goes away."""
        last = dict(scope["headers"]).get(b"last-event-id", b"").decode("latin-1")
        seq = int(last) if last.isdecimal() and len(last) < 10 else seq
        gone = asyncio.create_task(_disconnected(receive))
        headers = [
            (b"content-type", b"text/event-stream; charset=utf-8"),
            (b"cache-control", b"no-store"),
            (b"x-accel-buffering", b"no"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        try:
            while not gone.done() and not game.closed:
                body = game.change_after(seq)
                if body is None and seq != game.seq:  # the snapshot has to be taken anew
                    body = b"{}"
                    seq = game.seq
                elif body is not None:
                    seq = game.seq
                part = b":\n\n" if body is None else b"id: %d\ndata: %s\n\n" % (seq, body)
                await send({"type": "http.response.body", "body": part, "more_body": True})
                if seq == game.seq:
                    await self._wait(game)
            await send({"type": "http.response.body", "body": b""})
        except asyncio.CancelledError:
            return  # the server is ending
        finally:
            gone.cancel()

    async def _wait(self, game: Published) -> None:
        """Wait for a newer snapshot, at most as long as a call may wait."""
        if not game.fresh:  # something happened while nobody waited
            self._tell_soon(game)
        waits = asyncio.get_running_loop().create_future()
        game.waiting[waits] = None
        timer = asyncio.get_running_loop().call_later(WAITS.alive_s, _let_go, waits)
        try:
            await waits
        finally:
            timer.cancel()
            game.waiting.pop(waits, None)

    # --- what they see --------------------------------------------------------------------------

    async def _game(self, key: str) -> Published | None:
        """A published game in its newest state; None if no game has this key.

        Raises:
            StorageError: nothing can be read.
        """
        game = self._games.get(key)
        if game is not None and game.fresh and game.body:
            return game
        if game is None:
            table_id = await run_in_threadpool(self._session.tables.storage.public_table, key)
            if table_id is None:
                return None
            game = self._games.setdefault(key, Published(key, table_id))
            self._by_table.setdefault(table_id, set()).add(key)
            self._let_go()
        await self._refresh(game)
        return game if game.body else None

    def _let_go(self) -> None:
        """Forget games that nobody waits for if there are too many."""
        for key in tuple(self._games):
            if len(self._games) <= LISTS.held:
                return
            if not self._games[key].waiting:
                self._by_table[self._games[key].table_id].discard(key)
                del self._games[key]

    async def _refresh(self, game: Published) -> None:
        async with game.making:
            if game.fresh:
                return
            game.fresh = True  # what happens from now on makes it old again
            try:
                newer = await self._newer(game)
            except StorageError:
                game.fresh = False
                raise
            if newer is not None and newer.seq != game.seq:
                game.show(newer, REMEMBERED)
            elif not game.closed:
                return
        await self._wake(game)

    async def _newer(self, game: Published) -> Snapshot | None:
        """Snapshot from the server that runs the table; None if it has not changed."""
        session = self._session
        kept = await run_in_threadpool(session.tables.storage.public_table, game.key)
        if kept != game.table_id:  # nobody may see it any more
            game.steps.clear()
            game.closed = True
            game.body = game.packed = b""
            self._games.pop(game.key, None)
            return None
        hall = session.hall
        if hall is not None:
            place = await run_in_threadpool(hall.seek, game.table_id)
            if place is not None and not place.here and place.server is not None:
                return await self._from(place.server.reach, game)
        return await run_in_threadpool(self._from_here, game)

    def _from_here(self, game: Published) -> Snapshot | None:
        table = self._session.tables.openable(game.table_id)
        if table is None:
            return None
        self._session.listen(table)
        shown = self._session.booth.shown(table)
        now = (shown.seq, shown.paused)
        # what is not kept yet may still be lost, and a cache never forgets
        if (now == game.made_of and game.body) or (table.saving.trouble is not None and game.body):
            return None
        game.made_of = now
        return snapshot_of(shown)

    async def _from(self, reach: str, game: Published) -> Snapshot | None:
        hall = self._session.hall
        assert hall is not None
        answer = await self._ask(reach, f"{PREFIX}{game.key}.json")
        try:
            there = answer.content if answer is not None and answer.is_success else b""
            return Snapshot.model_validate_json(there)
        except ValueError:
            game.fresh = False  # asked again with the next call
            hall.recheck_lease(game.table_id)
            return None

    async def _ask(self, reach: str, target: str) -> Any | None:
        """Another server's answer; None if it cannot be reached."""
        import httpx

        hall = self._session.hall
        assert hall is not None
        if self._client is None:
            self._client = httpx.AsyncClient(timeout=hall.rule.answer_s, trust_env=False)
        try:
            return await self._client.get(reach + target)
        except httpx.HTTPError:
            return None

    # --- news -----------------------------------------------------------------------------------

    def _hear(self, table_id: str) -> None:
        """Note a possible change at a table; may be called from any thread."""
        loop = self._loop
        keys = self._by_table.get(table_id, ()) if table_id else tuple(self._games)
        if loop is None or not keys:
            return
        with suppress(RuntimeError):  # the server is ending
            loop.call_soon_threadsafe(self._mark, tuple(keys))

    def _mark(self, keys: tuple[str, ...]) -> None:
        for key in keys:
            game = self._games.get(key)
            if game is None:
                continue
            game.fresh = False
            if game.waiting:
                self._tell_soon(game)

    def _tell_soon(self, game: Published) -> None:
        if not game.telling:
            game.telling = True
            job = asyncio.get_running_loop().create_task(self._tell(game))
            self._jobs.add(job)
            job.add_done_callback(self._jobs.discard)

    async def _tell(self, game: Published) -> None:
        """Take a new snapshot, after the author of the change was answered."""
        await asyncio.sleep(WAITS.moment_s)
        game.telling = False
        with suppress(StorageError):
            await self._refresh(game)

    async def _wake(self, game: Published) -> None:
        """Wake calls that wait for a newer snapshot, letting others run between."""
        waiting, game.waiting = game.waiting, {}
        for one in waiting:
            _let_go(one)
            await asyncio.sleep(0)


def _let_go(waits: asyncio.Future[None]) -> None:
    if not waits.done():
        waits.set_result(None)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send(
    send: Send,
    status: int,
    body: bytes,
    headers: list[tuple[bytes, bytes]],
    *,
    head: bool = False,
    media: bytes = b"application/json",
) -> None:
    fixed = [
        (b"content-length", str(len(body)).encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    ]
    if body:
        fixed.append((b"content-type", media))
    await send({"type": "http.response.start", "status": status, "headers": [*fixed, *headers]})
    await send({"type": "http.response.body", "body": b"" if head else body})


async def _say(send: Send, status: int, code: str, message: str) -> None:
    body = json.dumps({"error": {"code": code, "message": message}}).encode()
    await _send(send, status, body, [(b"cache-control", b"no-store")])
