"""What is installed: one top-level name, everything it needs, and no harm from modules beside it."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

import kibitz
from tests.helpers.shared_data import ROOT

NEEDED_SETUPTOOLS = 77
LEFT_OUT = ("tests", "datasets", "build", "dist", "node_modules")
ROOMS = ("app", "calibration", "engine", "models", "vision")

pytestmark = pytest.mark.slow


def built(kind: str, source: Path, target: Path) -> Path:
    """A wheel or a source archive, built offline with what is installed here."""
    command = [sys.executable, "-m", "build", "--no-isolation", f"--{kind}"]
    done = subprocess.run(
        [*command, "--outdir", str(target), str(source)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == done.returncode, done.stdout + done.stderr
    (made,) = target.iterdir()
    return made


def names_in(wheel: Path) -> set[str]:
    """The files of a wheel without those that pip needs."""
    with zipfile.ZipFile(wheel) as files:
        return {n for n in files.namelist() if ".dist-info/" not in n}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout, so that building leaves nothing in it."""
    try:
        version = importlib.metadata.version("setuptools")
    except importlib.metadata.PackageNotFoundError:
        version = "0"
    if int(version.split(".")[0]) < NEEDED_SETUPTOOLS:
        why = f"building needs setuptools {NEEDED_SETUPTOOLS} or newer, here is {version}"
        if os.environ.get("KIBITZ_REQUIRE_ALL"):
            pytest.fail(why)
        pytest.skip(why)
    target = tmp_path_factory.mktemp("wheel") / "source"

    def passed_over(folder: str, names: list[str]) -> list[str]:
        hidden = [n for n in names if n.startswith(".") or n.endswith(".egg-info")]
        top = [n for n in names if n in LEFT_OUT] if Path(folder) == ROOT else []
        return [*hidden, *top, *(n for n in names if n == "__pycache__")]

    shutil.copytree(ROOT, target, symlinks=True, ignore=passed_over)
    return target


@pytest.fixture(scope="module")
def wheel(source: Path) -> Path:
    return built("wheel", source, source.parent / "wheel")


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """A folder with the wheel's content: it holds Python files and data alone."""
    target = wheel.parent.parent / "site"
    with zipfile.ZipFile(wheel) as files:
        files.extractall(target)
    return target


def test_one_top_level_name(wheel: Path) -> None:
    """The wheel installs `kibitz` and nothing beside it."""
    assert {"kibitz"} == {name.split("/")[0] for name in names_in(wheel)}


def test_everything_is_in_it(wheel: Path) -> None:
    """Every Python file of the rooms, the weights, the pages and the data."""
    wanted = {
        f"kibitz/{path.relative_to(ROOT)}"
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file() and path.suffix != ".pyc" and _is_shipped(path)
    }

    assert set() == {"kibitz/__init__.py", "kibitz/__main__.py", "kibitz/py.typed"} - names_in(
        wheel
    )
    assert set() == wanted - names_in(wheel)
    assert len(wanted) > 200


def _is_shipped(path: Path) -> bool:
    below = path.relative_to(ROOT).as_posix()
    folders = ("app/data/", "app/web/", "app/languages/locale/", "models/weights/")
    return path.suffix == ".py" or below.startswith(folders)


@pytest.fixture(scope="module")
def archive(source: Path) -> Path:
    return built("sdist", source, source.parent / "archive")


def test_a_source_archive_makes_the_same_wheel(source: Path, wheel: Path, archive: Path) -> None:
    """Where links cannot be kept, the archive holds the rooms themselves."""
    unpacked = source.parent / "unpacked"
    with tarfile.open(archive) as files:
        files.extractall(unpacked, filter="data")
    (folder,) = unpacked.iterdir()
    again = built("wheel", folder, source.parent / "again")

    assert (wheel.name, names_in(wheel)) == (again.name, names_in(again))


def test_an_index_takes_them(wheel: Path, archive: Path) -> None:
    """The metadata is whole, and the description can be shown."""
    command = [sys.executable, "-m", "twine", "check", "--strict", str(wheel), str(archive)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (0, 2) == (done.returncode, done.stdout.count("PASSED")), done.stdout


def metadata(wheel: Path) -> Message:
    """What an index shows of a wheel."""
    with zipfile.ZipFile(wheel) as files:
        (name,) = (n for n in files.namelist() if n.endswith(".dist-info/METADATA"))
        return message_from_bytes(files.read(name))


def test_what_an_index_shows(wheel: Path) -> None:
    """Every extra stands in the description; nothing there leads nowhere; licences are in it."""
    told = metadata(wheel)
    text = str(told.get_payload())
    lowest = str(told["Requires-Python"]).removeprefix(">=")
    licences = {f"app/web/fonts/{p.name}" for p in (ROOT / "app/web/fonts").glob("LICENSE*")}
    licences |= {
        "vision/open-sans-licence.txt",
        "LICENSE",
        "app/data/words-licence.txt",
        "app/data/roots-licence.txt",
    }

    assert ("kibitz", "MIT") == (told["Name"], told["License-Expression"])
    assert licences == set(told.get_all("License-File", ()))
    assert f"Programming Language :: Python :: {lowest}" in told.get_all("Classifier", ())
    assert [] == [
        x for x in told.get_all("Provides-Extra", ()) if f"| `{x}` |" not in text and x != "test"
    ]
    assert [] == re.findall(r"\]\((?!https?://)[^)]*\)", text)


@pytest.fixture(scope="module")
def fresh(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a new environment with the wheel, and the libraries that are here."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=False, symlinks=True)
    (packages,) = (folder / "lib").glob("python*/site-packages")
    there = Path(sysconfig.get_path("purelib"))
    for path in there.iterdir():
        if not path.name.startswith(("kibitz", "__editable__", "_kibitz")):
            (packages / path.name).symlink_to(path)
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python")]
    install = ["install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([*pip, *install], check=True, capture_output=True)
    return folder / "bin"


def test_the_command_of_an_installed_wheel(fresh: Path, tmp_path: Path) -> None:
    """`kibitz` runs from the wheel alone, as pipx and uvx call it."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(fresh / "kibitz"), *arguments]
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    where = subprocess.run(
        [str(fresh / "python"), "-c", "import kibitz; print(kibitz.__file__)"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    checked = run("check", "--json", "--data", str(tmp_path / "data"))

    assert where.stdout.startswith(str(fresh.parent))
    assert kibitz.__version__ in run("--version").stdout
    found = [json.loads(line) for line in checked.stdout.splitlines()]
    assert 0 == checked.returncode
    assert [] == [part["name"] for part in found if part["needed"] and not part["ok"]]
    assert len(found) > 5


def test_modules_of_the_same_names_do_no_harm(installed: Path, tmp_path: Path) -> None:
    """Unrelated `app`, `models` ... in the working folder and on the path are never imported."""
    for number, room in enumerate(ROOMS):
        (tmp_path / f"{room}.py").write_text(f"raise SystemExit({70 + number})\n")
    picture = installed / "kibitz" / "app" / "data" / "demo" / "scrabble" / "05.jpg"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(installed)])}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    read = run("-m", "kibitz", "read", "--json", str(picture))
    program = (
        f"import kibitz; r = kibitz.read({str(picture)!r}); "
        "print(kibitz.__file__); print(r.boards[0].rows[7]); print(kibitz.__version__)"
    )
    asked = run("-c", program)

    assert (0, "") == (read.returncode, read.stderr)
    assert "...GARDEN......" == json.loads(read.stdout)["boards"][0]["rows"][7]
    assert [
        str(installed / "kibitz" / "__init__.py"),
        "...GARDEN......",
        kibitz.__version__,
    ] == asked.stdout.splitlines()


def test_one_version() -> None:
    """The package and the project name the same version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert project["version"] == kibitz.__version__
