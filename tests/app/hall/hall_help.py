"""What the tests of a hall share: servers in process, and a line between them that can be cut."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from kibitz.app.common.storage.tables import Storage, StorageLimits
from kibitz.app.hall.leases import HallRule
from kibitz.app.hall.member import Hall
from kibitz.app.reading.frames import FrameReader
from kibitz.app.server.access.gate import guarded_config
from kibitz.app.server.access.security import RateLimit
from kibitz.app.server.app import create_app
from kibitz.app.server.background.feeds import Feeds
from kibitz.app.server.session import Session
from kibitz.app.tables.registry import Tables
from tests.app.server_help import ReadsBarcodes, new_table

QUICK = HallRule(lease_s=3.0, patience_s=45.0)
"""A hall whose callers wait for long: a busy machine makes nothing fail."""
LIMITS = StorageLimits(lock_s=3.0, answer_s=4.0, rest_s=0.5)


class CutLine:
    """Passes bytes on to a server until it is cut: then it stays open and passes nothing.

    Args:
        port: where the server listens on this machine.
    """

    def __init__(self, port: int) -> None:
        self._to = port
        self._open = threading.Event()
        self._open.set()
        self._ends = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._ways: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Pass nothing any more, without closing anything."""
        self._open.clear()

    def mend(self) -> None:
        """Pass everything again, also what waited."""
        self._open.set()

    def close(self) -> None:
        """End."""
        self._ends.set()
        self._open.set()
        for way in (self._listener, *self._ways):
            with contextlib.suppress(OSError):
                way.shutdown(socket.SHUT_RDWR)
            way.close()

    def _accept(self) -> None:
        while not self._ends.is_set():
            try:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                return
            self._ways += [near, far]
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                self._open.wait()
                other.sendall(data)
        with contextlib.suppress(OSError):
            other.shutdown(socket.SHUT_WR)


class HallServer:
    """A server of a hall in this process.

    Args:
        data: the address of the database.
        name: what it is called.
        rule: when a server counts as gone.
        options: of its session.
    """

    def __init__(self, data: str, name: str, rule: HallRule = QUICK, **options: Any) -> None:
        many = RateLimit(1e6, 10**6)
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = int(self.listener.getsockname()[1])
        self.address = f"http://127.0.0.1:{self.port}"
        storage = Storage(data, LIMITS)
        self.hall = Hall(storage, name, self.address, "here", rule)
        limits = {"calls": many, "tries": many, "new_tables": many}
        self.session = Session(
            Tables(storage, hall=self.hall),
            FrameReader(ReadsBarcodes),
            hall=self.hall,
            **{"open_to_all": True, **limits, **options},
        )
        self.feeds = Feeds(self.session)
        config = guarded_config(
            create_app(self.session, self.feeds),
            self.session.gate,
            log_level="critical",
            access_log=False,
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self.listener]}, daemon=True
        )

    def start(self) -> HallServer:
        """Answer."""
        self._thread.start()
        until(lambda: self._server.started)
        return self

    def stop(self) -> None:
        """End as people end it."""
        self._server.should_exit = True
        self._thread.join(30)


@contextmanager
def two_servers(data: str, rule: HallRule = QUICK) -> Iterator[tuple[HallServer, HallServer]]:
    """Two servers on one database."""
    left, right = HallServer(data, "left", rule).start(), HallServer(data, "right", rule).start()
    try:
        yield left, right
    finally:
        left.stop()
        right.stop()


def open_table(client: Any) -> Any:
    """A table at which any word may be laid."""
    return new_table(client, lexicon="none", settings={"reject_invalid": False})


def until(is_so: Callable[[], Any], seconds: float = 60.0) -> bool:
    """Wait until something is so; whether it is at last."""
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        if is_so():
            return True
        time.sleep(0.02)
    return bool(is_so())
