"""What the command line promises: exit codes, streams, help, no tracebacks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.app.cli.main import COMMANDS as SENTENCES
from kibitz.app.cli.main import load_command, main
from kibitz.engine.games import INFOS
from tests.helpers.shared_data import ROOT

COMMANDS = (
    "read",
    "replay",
    "archive",
    "rules",
    "analyse",
    "word",
    "calibrate",
    "print",
    "serve",
    "demo",
    "check",
    "bench",
    "export",
    "film",
    "tables",
    "words",
)
WITH_JSON = (
    "read",
    "replay",
    "archive",
    "rules",
    "analyse",
    "word",
    "calibrate",
    "print",
    "check",
    "bench",
    "export",
)


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as leave:
        main(list(arguments))
    code = leave.value.code
    assert isinstance(code, int)
    return code


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--help` exits 0 and shows an example that begins with the command itself."""
    code = run(command, "--help")
    shown = capsys.readouterr().out

    assert code == 0
    assert f"Example: kibitz {command}" in " ".join(shown.split())
    assert ("--json" in shown) == (command in WITH_JSON)


@pytest.mark.parametrize("command", SENTENCES)
def test_the_list_of_commands_says_what_each_does(command: str) -> None:
    """The sentence in `kibitz --help`, for which no command is loaded, is the command's own."""
    text = load_command(command).help

    assert SENTENCES[command] == " ".join(text.split("\n\n")[0].split())


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """`kibitz --help` names all commands."""
    code = run("--help")
    shown = capsys.readouterr().out

    assert code == 0
    assert [c for c in COMMANDS if c not in shown] == []


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["read"],
        ["read", "--nonsense"],
        ["read", "x.jpg", "--squares", "7"],
        ["read", "x.jpg", "--game", "chess"],
        ["read", "x.jpg", "--top", "left-ish"],
        ["read", "x.jpg", "--corners", "1,2,3"],
        ["read", "x.jpg", "--corners", "0,0,9,9,9,0,0,9"],
        ["read", "x.jpg", "--tiles", "klingon"],
        ["read", "x.jpg", "--workers", "0"],
        ["replay", "x", "--game", "chess"],
        ["replay", "x", "--set", "nonsense"],
        ["replay", "x", "--set", "no.such=1"],
        ["replay", "x", "--set", "cl.tie=maybe"],
        ["replay", "x", "--players", "Ann"],
        ["replay", "x", "--players", "Ann,Ann"],
        ["replay", "x", "--told", "no-such-file.json"],
        ["replay", "x", "--start", "no-such-file.json"],
        ["replay", "x", "--lexicon", "no-such-file.txt"],
        ["calibrate"],
        ["calibrate", "--print-markers", "sheet.doc"],
        ["bench", "--only", "luck"],
    ],
    ids=" ".join,
)
def test_a_wrong_call_exits_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong call exits 2, prints nothing as a result and says what was expected."""
    code = run(*arguments)
    shown = capsys.readouterr()

    assert code == 2
    assert "Traceback" not in shown.err
    assert shown.out == "" or not arguments


def test_unknown_tiles_list_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown tile set is refused with the list of those that are known."""
    run("read", "x.jpg", "--tiles", "xx")

    assert "en de fr ro pl fi" in capsys.readouterr().err


def test_no_traceback_but_with_debug(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What goes wrong inside is one line for people; `--debug` lets the traceback through."""

    def broken(*_: object, **__: object) -> int:
        raise RuntimeError("gears")

    monkeypatch.setattr("kibitz.app.face.reading.read_all", broken)
    code = run("read", "x.jpg")
    shown = capsys.readouterr()

    assert code == 1
    assert shown.err == "kibitz: something went wrong (RuntimeError: gears); --debug shows where\n"
    with pytest.raises(RuntimeError, match="gears"):
        main(["read", "x.jpg", "--debug"])


@pytest.mark.parametrize("module", ["kibitz", "kibitz.app.cli.main"])
def test_a_module_run_is_the_same_command(module: str) -> None:
    """`python -m` runs the package, or the file that holds the command line."""
    done = subprocess.run(
        [sys.executable, "-m", module, "read", "--help"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )

    assert done.returncode == 0
    assert b"Example: kibitz read" in done.stdout


def test_help_loads_no_heavy_library() -> None:
    """`kibitz --help` answers without the vision, inference or server libraries."""
    code = (
        "import sys\nfrom kibitz.app.cli.main import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'cv2', 'numpy', 'onnxruntime', 'fastapi', 'sqlalchemy', 'PIL'}\n"
        "print('HEAVY', sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.stdout.splitlines()[-1] == "HEAVY []"


def test_print_markers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Corner markers are written as a page to print, without a camera."""
    target = tmp_path / "markers.pdf"
    code = run("calibrate", "--print-markers", str(target), "--json")

    assert code == 0
    assert json.loads(capsys.readouterr().out) == {"markers": str(target)}
    assert target.read_bytes()[:5] == b"%PDF-"


def test_help_names_the_games(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever wants another game sees in the help what it is called."""
    run("demo", "--help")
    shown = capsys.readouterr().out

    assert [info.slug for info in INFOS if info.slug not in shown] == []
