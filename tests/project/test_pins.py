"""What is installed is what was tested, whichever installer is used."""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from tests.conftest import TOOLS, call_with_tools

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def pins() -> list[str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def test_uv_takes_the_tested_pins() -> None:
    """`uv run` and `pip install -c constraints.txt` install the same."""
    assert pins() == PROJECT["tool"]["uv"]["constraint-dependencies"]


def test_every_dependency_is_pinned() -> None:
    """Those of a user and those of the tests, each to one version."""
    needs = [
        *PROJECT["project"]["dependencies"],
        *PROJECT["project"]["optional-dependencies"]["test"],
        *PROJECT["dependency-groups"]["dev"],
    ]
    names = {re.split(r"[\[>=<;]", need)[0].strip().lower() for need in needs}
    pinned = {line.split("==")[0].strip().lower() for line in pins() if "==" in line}

    assert set() == names - pinned


def test_the_oldest_python_can_install_every_extra() -> None:
    """Packages are looked for that suit every Python from the least that is promised."""
    least = PROJECT["project"]["requires-python"].removeprefix(">=")
    python = f"{least}.0"
    extras = PROJECT["project"]["optional-dependencies"]
    todo = [
        (need, "")
        for need in (*PROJECT["project"]["dependencies"], *chain.from_iterable(extras.values()))
    ]
    done: set[tuple[str, str]] = set()
    newer: set[str] = set()
    while todo:
        text, extra = todo.pop()
        need = Requirement(text)
        place = {"extra": extra, "python_version": least, "python_full_version": python}
        if need.marker is not None and not need.marker.evaluate(place):
            continue
        asked = {(need.name.lower(), name) for name in ("", *need.extras)} - done
        done |= asked
        for name, part in asked:
            with suppress(PackageNotFoundError):  # of another system, or for training
                there = distribution(name)
                facts = there.metadata
                wants = dict(facts).get("Requires-Python") or ""
                if not SpecifierSet(wants).contains(python):
                    newer.add(name)
                todo += [(line, part) for line in there.requires or ()]

    assert set() == newer
    assert ("fastapi", "") in done
    assert ("anyio", "") in done


def test_a_user_gets_no_test_tools() -> None:
    """`uv run kibitz demo` installs what is played with, and of the tests only their runner."""
    assert ["pytest>=8"] == PROJECT["dependency-groups"]["dev"]
    assert ["kibitz[test]"] == PROJECT["dependency-groups"]["test"]
    assert "default-groups" not in PROJECT["tool"]["uv"]


@pytest.mark.parametrize(
    ("uv", "there", "again", "call"),
    [
        (None, False, False, None),
        ("/bin/uv", True, False, None),
        ("/bin/uv", False, True, None),
        (
            "/bin/uv",
            False,
            False,
            ["/bin/uv", "run", "--group", "test", "python", "-m", "pytest", "-q", "tests/x.py"],
        ),
    ],
)
def test_the_tools_come_with_the_test_command(
    uv: str | None, there: bool, again: bool, call: list[str] | None
) -> None:
    """Only under uv, only where they are missing, and only once."""
    assert call == call_with_tools(uv, there, again, ["-q", "tests/x.py"])


def test_the_tools_that_are_looked_for_are_those_of_the_tests() -> None:
    """Each belongs to the test extra."""
    extra = " ".join(PROJECT["project"]["optional-dependencies"]["test"])

    assert [] == [name for name in TOOLS if name.replace("_", "-") not in extra]


def test_no_registry_is_named() -> None:
    """The tree holds no address of a package registry."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")

    assert [] == re.findall(r"https?://\S+", text)
