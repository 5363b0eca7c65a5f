"""A real server in its own process, which can be killed at any moment and restarted."""

from __future__ import annotations

import multiprocessing
import socket
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from kibitz.app.common.storage.tables import Storage
from kibitz.app.hall.member import Hall
from kibitz.app.reading.frames import FrameReader
from kibitz.app.server.access.gate import guarded_config
from kibitz.app.server.access.security import RateLimit
from kibitz.app.server.app import create_app
from kibitz.app.server.session import Session
from kibitz.app.tables.registry import Tables
from tests.app.server_help import ReadsBarcodes

START_SECONDS = 120.0
KEY = "the-key-of-the-host"
"""Lets its holder set up tables."""
_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["tests.enduring.server"])


def _serve(data: str, pipe: Connection, name: str) -> None:
    many = RateLimit(1e6, 10**6)
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    storage, port = Storage(data), listener.getsockname()[1]
    hall = None
    if storage.shared_address is not None:
        hall = Hall(storage, name, f"http://127.0.0.1:{port}", "here")
    session = Session(
        Tables(storage, hall=hall),
        FrameReader(ReadsBarcodes),
        hall=hall,
        host_key=KEY,
        calls=many,
        tries=many,
        new_tables=many,
    )
    config = guarded_config(
        create_app(session),
        session.gate,
        log_level="critical",
        access_log=False,
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)

    def tell() -> None:
        while not server.started:
            time.sleep(0.005)
        pipe.send(port)

    threading.Thread(target=tell, daemon=True).start()
    server.run(sockets=[listener])


class ServerProcess:
    """Successive processes of a server, all with the same tables.

    Args:
        data: a folder, or the address of a database.
        name: what it is called among the servers of a database.
    """

    def __init__(self, data: str, name: str = "one") -> None:
        self.data = data
        self.name = name
        self.address = ""
        self.start_s = 0.0
        self._process: Any = None

    @property
    def pid(self) -> int:
        """Id of the running process."""
        return int(self._process.pid)

    def start(self) -> bool:
        """Start, and wait until it answers; False if it does not."""
        began = time.monotonic()
        here, there = _context.Pipe(duplex=False)
        self._process = _context.Process(
            target=_serve, args=(self.data, there, self.name), daemon=True
        )
        self._process.start()
        there.close()
        try:
            came = here.poll(START_SECONDS)
            port = here.recv() if came else 0
        except EOFError:
            port = 0
        here.close()
        self.address = f"http://127.0.0.1:{port}"
        self.start_s = time.monotonic() - began
        return bool(port)

    def kill(self) -> None:
        """Kill it, like a power cut."""
        self._process.kill()
        self._process.join(30)

    def stop(self) -> None:
        """Stop it, like a user."""
        self._process.terminate()
        self._process.join(30)
        if self._process.is_alive():
            self.kill()

    def memory_mb(self) -> float:
        """Memory in use."""
        fields = Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()
        return int(fields[1]) * 4096 / 1e6

    def descriptors(self) -> int:
        """Number of open files and connections."""
        return sum(1 for _ in Path(f"/proc/{self.pid}/fd").iterdir())

    def client(self, seconds: float = 30.0) -> httpx.Client:
        """A client of the server, with host rights unless calls carry a token."""
        key = {"Authorization": f"Bearer {KEY}"}
        return httpx.Client(base_url=self.address, timeout=seconds, headers=key)
