"""A server on the home network: asked for once, found by its name, opened by phones over https."""

from __future__ import annotations

import os
import re
import socket
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from kibitz.app.cli.serving.place import HomeName, note_page, running_page, wants_home

ROOT = Path(__file__).resolve().parents[4]
HERE = "127.0.0.1"


@contextmanager
def terminal(monkeypatch: pytest.MonkeyPatch, typed: str) -> Iterator[int]:
    """A real terminal at which somebody types; gives the end where what is written can be read."""
    keys, screen = os.openpty()
    os.write(keys, typed.encode())
    with os.fdopen(screen, closefd=False) as stdin, os.fdopen(screen, "w") as stderr:
        monkeypatch.setattr(sys, "stdin", stdin)
        monkeypatch.setattr(sys, "stderr", stderr)
        yield keys
        monkeypatch.undo()
    os.close(keys)


@pytest.mark.parametrize(("typed", "wanted"), [("\n", True), ("ja\n", True), ("n\n", False)])
def test_a_person_is_asked_once(monkeypatch, tmp_path, typed, wanted):
    """The answer is kept beside the tables and holds from then on, also without a terminal's word."""
    with terminal(monkeypatch, typed):
        first = wants_home(None, str(tmp_path), told=False)
    with terminal(monkeypatch, ""):
        again = wants_home(None, str(tmp_path), told=False)

    assert (wanted, wanted) == (first, again)


def test_who_says_or_is_no_person_is_not_asked(monkeypatch, tmp_path):
    """Options hold; a call from a program, or one that says where to listen, is as it was."""
    with terminal(monkeypatch, ""):
        said = [wants_home(home, str(tmp_path), told=False) for home in (True, False)]
        told = wants_home(None, str(tmp_path), told=True)
        shared = wants_home(None, "postgresql://db.local/kibitz", told=False)
    program = wants_home(None, str(tmp_path), told=False)

    assert ([True, False], False, False, False) == (said, told, shared, program)
    assert [] == list(tmp_path.iterdir())


def test_two_servers_in_a_house_have_two_names():
    """The second asks for the name, hears that it is taken, and takes the next."""

    def named() -> tuple[str | None, str | None]:
        first = HomeName(HERE)
        first.tell(8000)
        if first._thread is not None:
            first._thread.join()
        second = HomeName("127.0.0.2")
        names = (first.name, second.name)
        second.close()
        first.close()
        return names

    # in a thread of its own: tests in a browser leave an event loop running in the main one
    with ThreadPoolExecutor(1) as thread:
        names = thread.submit(named).result()

    assert ("kibitz.local", "kibitz-2.local") == names


def test_where_a_server_runs_already(tmp_path):
    """Only a server that answers is told; a page of another machine is not even asked."""
    note_page(str(tmp_path), "http://127.0.0.1:1/")
    dead = running_page(str(tmp_path))
    note_page(str(tmp_path), "http://192.0.2.1:8001/")

    assert (None, None, None) == (
        dead,
        running_page(str(tmp_path)),
        running_page(str(tmp_path / "none")),
    )


@pytest.mark.slow
def test_the_house_gets_https_and_this_machine_no_warning(tmp_path):
    """`--home`: plain http for this machine's browser, elsewhere https by address and by name.

    Who starts it a second time is led to the page of the first.
    """
    command = [sys.executable, "-m", "kibitz", "serve", "--home", "--host", HERE, "--port", "0"]
    command += ["--data", str(tmp_path)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT
    )
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(3)]
    page = re.findall(r"http://127\.0\.0\.1:\d+/", lines[0])[0]
    port = int(re.findall(r"https://127\.0\.0\.1:(\d+)/#key=", lines[1])[0])
    with urllib.request.urlopen(f"{page}healthz", timeout=60) as answer:
        plain = answer.status
    trusted = ssl.create_default_context(cafile=tmp_path / "authority.pem")
    with (
        socket.create_connection((HERE, port), timeout=60) as line,
        trusted.wrap_socket(line, server_hostname="kibitz.local") as safe,
    ):
        version = safe.version()
    second = subprocess.run(
        [*command, "--open"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env={**os.environ, "BROWSER": "true"},
    )
    process.terminate()
    process.wait()
    process.stdout.close()

    assert (200, "TLSv1.3") == (plain, version)
    assert f"https://kibitz.local:{port}/#key=" in lines[2]
    assert (0, f"Kibitz is at {page}\n") == (second.returncode, second.stdout)
