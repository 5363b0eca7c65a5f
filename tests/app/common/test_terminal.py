"""Names of strangers stand in our lines as names; they drive no terminal and fill no log."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.app.common.logs import OneLine
from kibitz.app.common.terminal import (
    LogRule,
    RepeatFilter,
    RepeatLimiter,
    drawn,
    show_count,
    shown,
)

ROOT = Path(__file__).resolve().parents[3]
DRIVING = {
    "clears the screen": "\x1b[2J",
    "names the window": "\x1b]0;x\x07",
    "C1 sequence": "\x9b2J",
    "back over what stands there": "ok\rFAIL",
    "turned": "a\u202etxt.exe",
    "isolated": "\u2066a\u2069",
    "delete": "a\x7fb",
    "line separator": "a\u2028b",
    "half a character": "a\udc80b",
}
ALLOWED = "\x1b[1m\x1b[33mA\x1b[0m ÄŁ\u00a0😀 \u05d0\tx\nnext"


@pytest.mark.parametrize("text", DRIVING.values(), ids=DRIVING)
def test_what_drives_a_terminal_is_written_out(text: str) -> None:
    """As its number, in names and in whole texts; JSON reads the same name back."""
    line = drawn(json.dumps({"file": text}, ensure_ascii=False))

    assert shown(text).isprintable()
    assert drawn(text).isprintable()
    assert line.isprintable()
    assert {"file": text} == json.loads(line)


def test_a_name_begins_no_line() -> None:
    """A new line in a name is written out; in a drawing of several lines it stays."""
    assert "a\\u000aok  b\\u0009" == shown("a\nok  b\t")
    assert ALLOWED == drawn(ALLOWED)


def test_a_name_cannot_paint_either() -> None:
    """Our own drawings have colours, names have none."""
    assert "\\u001b[31mred" == shown("\x1b[31mred")


def test_log_lines_are_one_line_each() -> None:
    """Whatever a stranger sent stands in the line that tells of it."""
    record = logging.LogRecord("x", 30, "f", 1, "bad %s", ("a\nserver: fine\x1b[2J",), None)

    assert "server: bad a\\u000aserver: fine\\u001b[2J" == OneLine().format(record)


def test_a_trouble_that_goes_on_is_told_now_and_then() -> None:
    """At once, then once a minute with how often it was left out; others meanwhile."""
    sparing = RepeatLimiter(LogRule(again_s=60, most=2))
    told = [sparing.worth("a", now) for now in (0.0, 1.0, 59.0, 60.0, 61.0)]

    assert ["a", None, None, "a (2 times more since)", None] == told
    assert ["b", "c", "d"] == [sparing.worth(x, 62.0) for x in "bcd"]


def test_the_log_takes_a_line_once() -> None:
    """Who sends rubbish a thousand times writes one line."""
    told = RepeatFilter()
    records = [
        logging.LogRecord("uvicorn.error", 30, "f", 1, "Invalid HTTP request.", (), None)
        for _ in range(1000)
    ]

    assert 1 == sum(told.filter(r) for r in records)


@pytest.mark.parametrize("command", [["read", "--json"], ["read"], ["rules"], ["tables", "show"]])
def test_files_with_such_names_are_told(tmp_path: Path, command: list[str]) -> None:
    """A real call writes no character that drives a terminal, whatever the file is called."""
    name = b"\x1b[2J\x1b]0;pwned\x07\nok  all.json\xc2\x9b\xe2\x80\xae\xff.jpg"
    path = os.fsencode(tmp_path) + b"/" + name
    if command[0] != "tables":
        Path(os.fsdecode(path)).write_bytes(b"rubbish")
    done = subprocess.run(
        [sys.executable, "-m", "kibitz", *command, path],
        cwd=ROOT,
        capture_output=True,
        check=False,
        env={**os.environ, "KIBITZ_DATA": str(tmp_path)},
    )
    said = (done.stdout + done.stderr).decode("utf-8")
    lines = said.splitlines()

    assert done.returncode in (1, 2)
    assert all(line.isprintable() for line in lines)
    assert not any(line.startswith("ok  all") for line in lines)


def test_what_takes_long_is_no_silence(capsys, monkeypatch) -> None:
    """How far it has come is said every few seconds, and nothing of what is soon done."""
    seconds = iter(range(100))
    monkeypatch.setattr("kibitz.app.common.terminal.time.monotonic", lambda: next(seconds))
    few = list(show_count("abc", "packing"))
    many = list(show_count("abcdefghij", "packing"))
    said = capsys.readouterr().err.splitlines()

    assert (list("abc"), list("abcdefghij")) == (few, many)
    assert ["packing: 4 of 10", "packing: 9 of 10"] == said
