"""A camera's user and password stay inside the server, whoever looks wherever."""

from __future__ import annotations

import base64
import json
import re
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from kibitz.app.cli.serving.serve_tables import read_plans
from kibitz.app.common.errors import UsageError
from kibitz.app.tables.results.exports import EXPORTS
from tests.app.cameras.camera_help import HttpCamera, http_camera
from tests.app.server_help import RunningServer

ROOT = Path(__file__).resolve().parents[4]
USER, WORD, HARD, QUERY = "us3rname", "s3cretw0rd", "p@ss/w0rd?x9y7z5", "hunter2key"
PLANTED = (
    USER,
    WORD,
    QUERY,
    # the hard password whole, and its parts
    *("p@ss", "w0rd", "x9y7z5", "p%40ss"),
    *(base64.b64encode(f"{USER}:{w}".encode()).decode().rstrip("=") for w in (WORD, HARD)),
)


def forms(camera: HttpCamera, other: HttpCamera) -> list[str]:
    """Cameras that fail in their several ways, each address with something to hide in it."""
    host = camera.address.removeprefix("http://")
    query = f"?user={USER}&pwd={QUERY}"
    camera.elsewhere = 302, f"http://{USER}:{WORD}@{other.address[7:]}/x{query}"
    return [
        f"http://{USER}:{WORD}@{host}/nothing{query}",
        f"http://{USER}:p@ss/w0rd@{host}/nothing{query}",
        f"http://{USER}:{HARD}@{host}/nothing",
        f"http://{USER}:{WORD}@{host}/echo-reason{query}",
        f"http://{USER}:{WORD}@{host}/echo-kind{query}",
        f"http://{USER}:{WORD}@{host}/elsewhere{query}",
        f"http://{USER}:{WORD}@{host}/video{query}",
        f"http://{USER}:{WORD}@{host}/page y{query}",
        f"http://{USER}:{WORD}@no.such.host.invalid/x{query}",
        f"rtsp://{USER}:{WORD}@{host}/x{query}",
        f"rtsp://127.0.0.1:9/user={USER}_password={WORD}_channel=1.sdp",
        f"http://{USER}:{WORD}@{host}:port/x{query}",
        f"ftp://{USER}:{WORD}@{host}/x{query}",
        f"{USER}:{WORD}@{host}/x{query}",
        f"http://{USER}:{WORD}@/x{query}",
        f"http://{USER}:{WORD}@{host}/picture{query}",
    ]


def leaks(text: str) -> list[str]:
    """What of the planted secrets can be read in a text."""
    return [planted for planted in PLANTED if planted in text]


@pytest.mark.slow
def test_who_enters_a_camera_is_told_to_nobody(tmp_path: Path) -> None:
    """State documents, sockets, answers, errors, exports, logs and what is kept hold no secret."""
    with http_camera() as camera, http_camera() as other:
        with RunningServer(tmp_path, "--camera", forms(camera, other)[0]) as server:
            lines, table = server.lines, server.table
            host = server.address.rstrip("/")
            links = dict(re.findall(r"^  (\w+) .*#t=(\S+)", "".join(lines), re.MULTILINE))
            heard = _heard(f"{host}/api/tables/{table}", links, forms(camera, other))
            out, log = server.stop()
        called = other.calls
    kept = sqlite3.connect(tmp_path / "tables.sqlite3")
    dump = "\n".join(kept.iterdump())
    kept.close()
    files = {p.name: leaks(p.read_bytes().decode("latin-1")) for p in tmp_path.rglob("*.*")}

    assert {} == {name: leaks(text) for name, text in heard.items() if leaks(text)}
    assert [] == leaks(log) + leaks(out) + leaks("".join(lines)) + leaks(dump)
    assert {} == {name: found for name, found in files.items() if found}
    assert "Traceback" not in log
    assert 0 == called
    # it was looked where there was something to see
    assert camera.address in log
    assert camera.address in heard["host state 0"]
    watched = json.loads(heard["watch state 0"])["camera"]["error"]
    said = "Camera 1 gives no pictures now; the table's host sees why."
    assert {"code": "camera_away", "message": said} == watched
    # and nobody but the host learns where the camera is
    port = camera.address.rpartition(":")[2]
    assert [] == [n for n, t in heard.items() if port in t and not n.startswith(("host", "PUT"))]


def _heard(base: str, links: dict[str, str], addresses: list[str]) -> dict[str, str]:
    """What every role is told, once for each form of an address."""
    roles = {("host" if k == "table" else k): v for k, v in links.items()}
    heard: dict[str, str] = {}
    with httpx.Client(timeout=60) as client:
        for number, address in enumerate(addresses):
            host = {"Authorization": f"Bearer {roles['host']}"}
            before = _error(client, base, host)
            put = client.put(f"{base}/source", json={"source": address}, headers=host)
            heard[f"PUT {number}"] = put.text
            ends = time.monotonic() + (3.0 if put.status_code == 200 else 0.0)
            while _error(client, base, host) == before and time.monotonic() < ends:
                time.sleep(0.1)
            for role in ("host", "watch"):
                auth = {"Authorization": f"Bearer {roles[role]}"}
                heard[f"{role} state {number}"] = client.get(base, headers=auth).text
        for role, token in roles.items():
            heard.update(_everywhere(client, base, role, token))
    return heard


def _error(client: httpx.Client, base: str, auth: dict[str, str]) -> object:
    return (client.get(base, headers=auth).json()["camera"] or {}).get("error")


def _everywhere(client: httpx.Client, base: str, role: str, token: str) -> dict[str, str]:
    """What a token is told by every call and both sockets."""
    auth = {"Authorization": f"Bearer {token}"}
    out = {}
    for path in ("", "/frame.jpg", *(f"/record?format={x}" for x in EXPORTS)):
        answer = client.get(base + path, headers=auth)
        out[f"{role} GET {path}"] = f"{answer.text} {answer.headers}"
    for method, path, body in (
        ("POST", "/frames", b"\xff\xd8\xff rubbish"),
        ("POST", "/actions", b'{"action": "look"}'),
        ("PUT", "/corners", b'{"corners": null}'),
    ):
        kind = "image/jpeg" if path == "/frames" else "application/json"
        headers = {**auth, "Content-Type": kind}
        out[f"{role} {method} {path}"] = client.request(
            method, base + path, content=body, headers=headers
        ).text
    sockets = base.replace("http", "ws", 1)
    for kind in ("live", "camera"):
        with connect(f"{sockets}/{kind}?token={token}", max_size=2**24) as socket:
            try:
                socket.send(b"rubbish")
                out[f"{role} {kind}"] = str(socket.recv(10))
            except (ConnectionClosed, TimeoutError) as error:
                out[f"{role} {kind}"] = str(error)
    return out


def test_a_call_that_is_wrong_repeats_no_secret(tmp_path: Path) -> None:
    """What the command line says of a wrong camera, with the traceback that --debug shows."""
    with http_camera() as camera, http_camera() as other:
        addresses = forms(camera, other)
        said = [
            _command("--debug", "calibrate", a, "--data", str(tmp_path)) for a in addresses[:15:2]
        ]
        said += [
            _command("--debug", "serve", "--data", str(tmp_path), "--camera", a)
            for a in addresses[11:15:2]
        ]

    assert [] == [text for text in said if leaks(text)]
    assert [True] * len(said) == ["Error" in text for text in said]


def _command(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "kibitz", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        timeout=60,
    )
    # a traceback repeats lines of the program, never what it was called with
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    "text",
    [
        'tables = ["http://us3rname:s3cretw0rd@h/x"]',
        '[[tables]]\ncamera = ["http://us3rname:s3cretw0rd@h/x?pwd=hunter2key"]',
        '[[tables]]\ncameras = "http://us3rname:p@ss/w0rd?x9y7z5@h/x"',
        '[[tables]]\ncameras = ["http://us3rname:s3cretw0rd@h/x"]\npanels = [17]',
    ],
)
def test_a_wrong_settings_file_is_told_without_secrets(tmp_path: Path, text: str) -> None:
    """What came is repeated as far as it may be shown."""
    path = tmp_path / "tables.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as wrong:
        read_plans(path)

    assert [] == leaks(str(wrong.value))
