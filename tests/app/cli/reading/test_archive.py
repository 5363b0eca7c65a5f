"""`kibitz archive`: what it prints, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kibitz.app.archive.run import Progress
from kibitz.app.cli.main import main
from kibitz.app.cli.reading.archive import told
from tests.app.archive.archive_help import SCORES, folder_game


def run(capsys: pytest.CaptureFixture[str], *call: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as leave:
        main(list(call))
    out = capsys.readouterr()
    return int(leave.value.code or 0), out.out, out.err


@pytest.mark.slow
def test_an_archive_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lines of JSON on standard output, everything else beside it; 1 where a game failed."""
    folder_game(tmp_path / "in" / "a", None)
    call = ["archive", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--workers", "1"]
    call += ["--players", "Ann,Bob", "--set", "reject_invalid=false", "--no-pictures"]
    first = run(capsys, *call, "--json")
    (tmp_path / "in" / "bad.zip").write_bytes(b"x")
    second = run(capsys, *call)

    assert (0, SCORES) == (first[0], json.loads(first[1])["scores"])
    assert "1 games, 3 photographs: 1 games replayed now, 0 were there, 0 failed" in first[2]
    assert (1, "") == second[:2]
    assert "bad: expected a zip with the photographs of a game" in second[2]


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (["gone"], "IN: there is no 'gone'; expected a folder of games, a film or a zip"),
        (["."], "--players: expected"),
    ],
)
def test_wrong_calls(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    call: list[str],
    why: str,
) -> None:
    """One sentence, exit 2."""
    monkeypatch.chdir(tmp_path)
    more = ["--players", "Ann"] if call == ["."] else []
    code, _, err = run(capsys, "archive", *call, "--out", "out", "--workers", "1", *more)

    assert (2, True) == (code, why in err), err


@pytest.mark.parametrize(
    ("now", "text"),
    [
        (Progress(0, 0, 0, 0.0, None), "every game is replayed already"),
        (Progress(0, 3, 0, 0.0, None), "3 games to replay"),
        (Progress(2, 6, 60, 20.0, {}), "2 of 6 games, 3.0 photographs a second, 0:40 left"),
        (
            Progress(1, 1000, 30, 10.0, {}),
            "1 of 1000 games, 3.0 photographs a second, 2:46:30 left",
        ),
    ],
)
def test_how_far_it_has_come(now: Progress, text: str) -> None:
    """Games, rate and time left."""
    assert text == told(now)
