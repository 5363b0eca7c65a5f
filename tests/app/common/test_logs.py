"""The log of a server: text for people, JSON lines for programs, never a traceback."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from kibitz.app.common.logs import LIBRARIES, LogForm, json_lines, start_logs
from kibitz.app.common.terminal import PROGRESS, RepeatLimiter, show_progress
from tests.helpers.shared_data import ROOT


@pytest.fixture(autouse=True)
def _as_it_was():
    """The logs of this process are put back."""
    names = (*LIBRARIES, PROGRESS)
    before = [(x, list(x.handlers), x.level, x.propagate) for x in map(logging.getLogger, names)]
    yield
    for logger, handlers, level, propagate in before:
        logger.handlers, logger.propagate = handlers, propagate
        logger.setLevel(level)


def test_lines_of_json(capsys):
    """What people are told, what is wrong, and errors of libraries, each with its level."""
    start_logs(LogForm.JSON)
    show_progress("Żaneta\x1b[2J plays")
    RepeatLimiter().tell("the camera is away")
    try:
        int("bad\nvalue")
    except ValueError:
        logging.getLogger("uvicorn.error").exception("%s failed", "it")
    written = capsys.readouterr()
    lines = [json.loads(line) for line in written.err.splitlines()]
    place = lines[2].pop("where")
    times = [datetime.fromisoformat(line.pop("timestamp")) for line in lines]

    assert [
        {"event": "Żaneta\x1b[2J plays", "level": "info", "logger": "kibitz"},
        {"event": "the camera is away", "level": "warning", "logger": "kibitz"},
        {
            "event": "it failed",
            "level": "error",
            "logger": "uvicorn.error",
            "error": "ValueError",
            "why": "invalid literal for int() with base 10: 'bad\\nvalue'",
        },
    ] == lines
    assert place.startswith("test_logs.py:")
    assert {UTC.utcoffset(None)} == {t.utcoffset() for t in times}
    assert ("", True) == (written.out, written.err.isascii())


def test_lines_of_text(capsys):
    """The same for people: no level, no time, no place but an error's."""
    start_logs()
    show_progress("Żaneta\x1b[2J plays")
    logging.getLogger("uvicorn.error").error("it failed")

    assert "Żaneta\\u001b[2J plays\nserver: it failed\n" == capsys.readouterr().err


def test_nobody_fills_the_log():
    """A warning of a library that comes again and again is written once."""
    start_logs(LogForm.JSON)
    (handler,) = logging.getLogger("uvicorn.error").handlers
    record = logging.LogRecord("uvicorn.error", 30, "f", 1, "Invalid HTTP request.", (), None)

    assert [True, False] == [bool(handler.filter(record)) for _ in range(2)]
    assert "Invalid HTTP request." == json.loads(json_lines().format(record))["event"]


@pytest.mark.slow
def test_a_real_server_writes_json(tmp_path):
    """`kibitz serve --log json`: every line of standard error is one, with a camera's trouble."""
    command = [sys.executable, "-m", "kibitz", "serve", "--port", "0", "--log", "json"]
    command += ["--game", "scrabble", "--camera", "/dev/no-such-camera", "--data", str(tmp_path)]
    with subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stderr is not None
        first = process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        _, rest = process.communicate(timeout=60)
    lines = [json.loads(line) for line in (first + rest).splitlines()]

    assert any("/dev/no-such-camera is not plugged in" in line["event"] for line in lines)
    assert {"timestamp", "level", "logger", "event"} == set(lines[0])
