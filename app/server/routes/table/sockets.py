"""The two WebSockets: updates for a page, and a camera's stream of frames."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial

import anyio
from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from fastapi.concurrency import run_in_threadpool
from starlette.status import (
    WS_1009_MESSAGE_TOO_BIG,
    WS_1012_SERVICE_RESTART,
    WS_1013_TRY_AGAIN_LATER,
)

from kibitz.app.cameras.table_camera import CameraBusyError, TableCamera
from kibitz.app.common.errors import NO_ENTRY
from kibitz.app.common.limits import LIMITS, WAITS
from kibitz.app.common.storage.kept import LeaseLostError
from kibitz.app.server.access.gate import admit
from kibitz.app.server.access.security import MOST_JSON, caller_of
from kibitz.app.server.errors import picture_error
from kibitz.app.server.hall.forwarding import ELSEWHERE, speak_for
from kibitz.app.server.routes.common import language_of, spoken
from kibitz.app.server.session import Session
from kibitz.app.tables.air import AirTable, live_of
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.table import Table
from kibitz.app.wire.shape import Shape
from kibitz.app.wire.tables import (
    CameraHealth,
    CameraRefused,
    CameraState,
    LiveCamera,
    LiveTable,
    Notice,
)
from kibitz.engine.phrases import phrase
from kibitz.models.session import ModelFileInvalid
from kibitz.vision.frame import PictureError

ENDED = "this link has ended, or its table was deleted"


def socket_routes(session: Session) -> APIRouter:
    """WebSockets of a table."""
    router = APIRouter(prefix="/api")

    @router.websocket("/tables/{table_id}/live")
    async def live(socket: WebSocket, table_id: str) -> None:
        """Push the table whenever it changes; the first message is how it stands."""
        found = await _enter(session, socket, table_id)
        if found is None:
            return
        if session.hub.watching(found[0].id) >= session.most_watching:
            await socket.close(WS_1013_TRY_AGAIN_LATER, "too many pages look at this table")
            return
        await _Live(session, socket, *found, _token_in(socket)).run()

    @router.websocket("/tables/{table_id}/camera")
    async def camera(socket: WebSocket, table_id: str) -> None:
        """Take frames as binary messages; each one read is answered with health and advice."""
        found = await _enter(session, socket, table_id)
        if found is None:
            return
        table, actor = found
        if actor.role not in ("camera", "host"):
            await socket.close(NO_ENTRY, "this token is no camera's")
            return
        await _Camera(session, socket, table, actor).run()

    return router


async def _enter(session: Session, socket: WebSocket, table_id: str) -> tuple[Table, Actor] | None:
    """The table and the caller's role; a wrong token closes the socket with a code.

    The token is looked at before anything is taken in.
    """
    try:
        found = await run_in_threadpool(session.enter, table_id, _token_in(socket))
    except LeaseLostError as error:
        await socket.accept()
        admit(socket.scope)
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            return await speak_for(socket, session, error, _token_in(socket))
        return None
    await socket.accept()
    if found is None:
        few = session.tries.take(caller_of(socket))
        why = "no such table, or this token does not open it"
        await socket.close(NO_ENTRY, why if few else "too many wrong tokens, wait a minute")
        return None
    admit(socket.scope)
    return found


def _token_in(socket: WebSocket) -> str:
    return socket.query_params.get("token") or ""


class _Live:
    """WebSocket of an open page."""

    def __init__(
        self, session: Session, socket: WebSocket, table: Table, actor: Actor, token: str
    ) -> None:
        self._session = session
        self._socket = socket
        self._table = table
        self._actor = actor
        self._token = token
        self._sent: tuple[int, bool, int] | None = None
        self._frame: CameraState | None = None
        self._language = language_of(session, socket, table, actor)

    async def run(self) -> None:
        """Send updates until the page goes away."""
        subscriber = self._session.hub.join(self._table.id)
        subscriber.awake.set()
        try:
            await _first_of(
                partial(self._send_all, subscriber.awake), partial(_drain, self._socket)
            )
        finally:
            self._session.hub.leave(self._table.id, subscriber)

    async def _send_all(self, awake: asyncio.Event) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(awake.wait(), WAITS.alive_s)
            if not awake.is_set():
                await self._socket.send_json({"type": "beat", "clock": self._table.clock()})
                continue
            awake.clear()
            try:
                news = await run_in_threadpool(self._news)
            except LeaseLostError:
                await self._socket.close(WS_1012_SERVICE_RESTART, ELSEWHERE)
                return
            if news is None:
                await self._socket.close(NO_ENTRY, ENDED)
                return
            if news:
                await self._socket.send_text(news)

    def _news(self) -> str | None:
        """The whole table if its game changed, else only its camera; None if the link ended.

        Empty where nothing that this page may know has changed: what is not on air yet must not
        be told even by the moment of a message.
        """
        found = self._session.enter(self._table.id, self._token)
        if found is None:
            return None
        table, _ = found
        if live_of(table) is not live_of(self._table):  # it was opened anew
            self._sent = None
        self._table = table
        delay_s = self._session.booth.air_of(live_of(table)).delay_s
        now = (table.seq, table.saving.trouble is None, delay_s)
        camera = self._session.camera_shown(table, self._actor)
        if isinstance(table, AirTable) and (now, camera) == (self._sent, self._frame):
            return ""
        self._frame = camera
        if now != self._sent:
            self._sent = now
            view = self._session.view(table, self._actor, self._language)
            return self._spoken(LiveTable(type="state", **dict(view)))
        tasks = tuple(table.tasks())
        seen = LiveCamera(type="camera", camera=camera, tasks=tasks, clock=table.clock())
        return self._spoken(seen)

    def _spoken(self, shape: Shape) -> str:
        return spoken(shape, self._language, self._table.setup.notation)


class _Camera:
    """WebSocket of a streaming camera; while one frame is read only the newest other is kept."""

    def __init__(self, session: Session, socket: WebSocket, table: Table, actor: Actor) -> None:
        self._session = session
        self._socket = socket
        self._table = table
        self._token = _token_in(socket)
        self._language = language_of(session, socket, table, actor)
        self._newest: bytes | None = None
        self._arrived = asyncio.Event()
        self._dropped = 0

    async def run(self) -> None:
        """Read frames until the camera goes away."""
        await _first_of(self._receive, self._read)

    async def _receive(self) -> None:
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            data = message.get("bytes")
            if data is None:
                continue  # text keeps the line open, nothing more
            if len(data) > LIMITS.read_bytes:
                await self._socket.close(WS_1009_MESSAGE_TOO_BIG, "frames are too large")
                return
            self._dropped += self._newest is not None
            self._newest = data
            self._arrived.set()

    async def _read(self) -> None:
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            data, self._newest = self._newest, None
            if data is None:
                continue
            try:
                found = await run_in_threadpool(
                    self._session.tables.actor, self._table.id, self._token
                )
            except LeaseLostError:
                await self._socket.close(WS_1012_SERVICE_RESTART, ELSEWHERE)
                return
            if found is None:
                await self._socket.close(NO_ENTRY, ENDED)
                return
            camera = self._session.camera(found[0])
            camera.source, camera.pushed = phrase("a phone or a browser"), True
            try:
                answer = await run_in_threadpool(_answer, camera, data, self._dropped)
            except LeaseLostError:
                self._session.drop_table(self._table.id)
                await self._socket.close(WS_1012_SERVICE_RESTART, ELSEWHERE)
                return
            notation = self._table.setup.notation
            await self._socket.send_text(spoken(answer, self._language, notation))
            if answer.type == "error":  # what sends no pictures is not looked at all the time
                await asyncio.sleep(WAITS.look_s)


def _answer(camera: TableCamera, data: bytes, dropped: int) -> CameraHealth | CameraRefused:
    try:
        return camera.take(data, stream=True).health(dropped)
    except (PictureError, ModelFileInvalid) as error:
        refused = picture_error(error)
        why = Notice(code=refused.code, message=refused.message)
    except CameraBusyError:
        message = phrase("Another camera of this table is faster; frames are being skipped.")
        why = Notice(code="camera_busy", message=message)
    return CameraRefused(type="error", error=why, dropped=dropped)


async def _drain(socket: WebSocket) -> None:
    """Wait for the end; a page that sends much is disconnected."""
    heard = 0
    while (message := await socket.receive())["type"] != "websocket.disconnect":
        heard += len(message.get("text") or message.get("bytes") or "")
        if heard > MOST_JSON:
            await socket.close(WS_1009_MESSAGE_TOO_BIG, "this socket only tells, it takes nothing")
            return


async def _first_of(*jobs: Callable[[], Awaitable[None]]) -> None:
    """Run tasks until one ends; a closed socket is no error."""
    async with anyio.create_task_group() as group:

        async def run(job: Callable[[], Awaitable[None]]) -> None:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):
                await job()
            group.cancel_scope.cancel()

        for job in jobs:
            group.start_soon(run, job)
