"""A server on a port of this machine, for tests."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from kibitz.app.server.app import create_app

LONG_S = 60.0


@contextmanager
def served(session, port: int = 0) -> Iterator[int]:
    """A server with this inside on a port of this machine; gives the port."""
    listener = socket.create_server(("127.0.0.1", port))
    server = uvicorn.Server(
        uvicorn.Config(create_app(session), log_config=None, timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(LONG_S)
        listener.close()
