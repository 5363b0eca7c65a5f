"""What importing Kibitz and reading one photograph load, and what type checkers make of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import kibitz
from tests.helpers.shared_data import ROOT

HEAVY = {"numpy", "cv2", "onnxruntime", "PIL", "fastapi", "sqlalchemy", "typer", "uvicorn"}
PICTURE = kibitz.examples()["scrabble"] / "05.jpg"
EXAMPLES = Path(__file__).with_name("typed_examples.py")


def loaded(code: str) -> set[str]:
    """The modules that a program of its own has loaded at its end."""
    program = f"import sys, json\n{code}\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def of_kibitz(modules: set[str]) -> list[str]:
    """Those that are of the project itself."""
    return sorted(m for m in modules if m.startswith("kibitz."))


def test_importing_is_cheap() -> None:
    """`import kibitz` loads neither a library nor a room; nor does asking what there is."""
    modules = loaded("import kibitz; dir(kibitz); kibitz.__version__")

    assert set() == HEAVY & modules
    assert [] == of_kibitz(modules)


def test_a_client_loads_no_server() -> None:
    """Nothing that reads, keeps, rules or serves: it runs on another machine."""
    modules = loaded("import kibitz.client")
    ours = ("kibitz.app.client", "kibitz.app.common", "kibitz.app.wire", "kibitz.client")
    ours = (*ours, "kibitz.engine.parameters")
    folders = ("kibitz.app", "kibitz.engine")

    assert set() == HEAVY & modules
    assert [] == [m for m in of_kibitz(modules) if not m.startswith(ours) and m not in folders]
    assert [] == [m for m in of_kibitz(modules) if m.count(".") > 1 and not m.startswith(ours)]


@pytest.mark.parametrize(
    "call",
    [
        f"import kibitz; kibitz.read({str(PICTURE)!r})",
        "from kibitz.app.cli.main import run, app; "
        f"run(app, ['read', '--json', {str(PICTURE)!r}], debug=True)",
    ],
    ids=["program", "command line"],
)
def test_reading_a_photograph_loads_what_reads(call: str) -> None:
    """No rules of a game, no tracking, no tables, no server, and no board is drawn as text."""
    modules = of_kibitz(loaded(call))
    rooms = ("kibitz.engine.games", "kibitz.engine.tracking", "kibitz.engine.record")
    rooms += ("kibitz.app.observers", "kibitz.app.tables", "kibitz.app.server")
    rooms += ("kibitz.app.cameras", "kibitz.app.reading.drawing")

    assert [] == [m for m in modules if m.startswith(rooms)]


def test_a_game_needs_no_pictures() -> None:
    """The rules alone load no models and no server."""
    modules = loaded("import kibitz; kibitz.Game('scrabble', ['Ann', 'Bob']).act('pass', 'Ann')")

    assert set() == {"cv2", "numpy", "onnxruntime", "PIL", "fastapi", "sqlalchemy"} & modules


@pytest.mark.parametrize(
    "call", ["kibitz.word('qi')", "kibitz.words()", "list(kibitz.rules('gone.gcg'))"]
)
def test_words_and_rules_need_no_pictures(call: str) -> None:
    """Nor do they open the place where tables are kept."""
    modules = loaded(f"import kibitz; {call}")

    assert set() == HEAVY & modules


@pytest.mark.slow
def test_mypy_sees_the_types() -> None:
    """In a checkout `mypy --strict` knows every type of a program's examples."""
    done = subprocess.run(
        [sys.executable, "-m", "mypy", str(EXAMPLES)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert 0 == done.returncode, done.stdout


@pytest.mark.slow
def test_pyright_sees_the_types(tmp_path: Path) -> None:
    """So does pyright, and with it an editor's completion."""
    beside = Path(sys.executable).with_name("pyright")
    command = str(beside) if beside.exists() else shutil.which("pyright")
    if command is None:
        pytest.skip("pyright is not installed")
    settings = {"typeCheckingMode": "standard", "extraPaths": [str(ROOT)]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    shutil.copy(EXAMPLES, tmp_path)
    done = subprocess.run(
        [command, "-p", str(tmp_path), "--pythonpath", sys.executable],
        env={**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert 0 == done.returncode, done.stdout
