"""What a real server process writes: no token, no picture of its inside, whatever is sent to it."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.app.server_help import RunningServer

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.slow
def test_a_server_that_is_attacked_writes_no_secret(tmp_path: Path) -> None:
    """Right and wrong calls, sockets and rubbish leave no token and no traceback in the log."""
    with RunningServer(tmp_path, "--camera", "browser") as server:
        tokens = re.findall(r"#t=(\S+)", "".join(server.lines))
        _attack(server.address.rstrip("/"), server.table, tokens)
        out, log = server.stop()
    kept = b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())

    assert len(tokens) == 5
    assert [t for t in tokens if t in log or t in out] == []
    assert "Traceback" not in log
    # nor do the files where tables are kept hold one
    assert [t for t in tokens if t.encode() in kept] == []


def _attack(address: str, table: str, tokens: list[str]) -> None:
    base = f"{address}/api/tables/{table}"
    for token in tokens:
        headers = {"Authorization": f"Bearer {token}"}
        httpx.get(base, headers=headers, timeout=60)
        for body in (b"{", b'{"action": "place", "tiles": 5}', b'{"action": "undo"}'):
            httpx.post(f"{base}/actions", headers=headers, content=body, timeout=60)
        httpx.post(
            f"{base}/frames",
            headers={**headers, "Content-Type": "image/jpeg"},
            content=b"\xff\xd8\xff rubbish",
            timeout=60,
        )
        sockets = address.replace("http", "ws") + f"/api/tables/{table}"
        for kind in ("live", "camera"):
            with (
                contextlib.suppress(ConnectionClosed, InvalidStatus),
                connect(f"{sockets}/{kind}?token={token}", max_size=2**24) as socket,
            ):
                socket.send(b"rubbish" * 3000)
                socket.recv(30)
        with contextlib.suppress(ConnectionClosed, InvalidStatus):
            connect(f"{sockets}/live?token={token}", origin="http://evil.example").close()  # type: ignore[arg-type]
