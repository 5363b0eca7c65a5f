"""Python in docs/python.md, the README and `kibitz.__doc__`: it runs and gives what it says."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import textwrap
from pathlib import Path
from typing import Any

import pytest

import kibitz
from tests.helpers.shared_data import ROOT

PHOTOS = kibitz.examples()["scrabble"]


def blocks_of(text: str) -> list[str]:
    """The examples of a page."""
    return re.findall(r"^```python\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


TEXT = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
BLOCKS = blocks_of(TEXT)
README = blocks_of((ROOT / "README.md").read_text(encoding="utf-8"))
INDENTED = re.findall(r"(?:^(?: {4}.*)?\n)+", kibitz.__doc__ or "", flags=re.MULTILINE)
DOCSTRING = [textwrap.dedent(x) for x in INDENTED if x.strip()]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a program finds the files that short examples name; a folder is the camera."""
    for name in ("photos", "club-nights/one"):
        (tmp_path / name).mkdir(parents=True)
        for photo in ("01.jpg", "02.jpg"):
            shutil.copy(PHOTOS / photo, tmp_path / name)
    shutil.copy(PHOTOS / "05.jpg", tmp_path / "board.jpg")
    gcg = "#player1 Ann Ann\n#player2 Bob Bob\n>Ann: ADEGNR 8D GARDEN +20 20\n"
    (tmp_path / "game.gcg").write_text(gcg)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))
    return tmp_path


def run(examples: list[str], camera: str) -> tuple[dict[str, Any], list[str]]:
    """The names that a program has in the end, and what it printed.

    Args:
        examples: one after the other.
        camera: how they name the camera, for which a folder stands.
    """
    program = "\n".join(["import kibitz", *examples])
    assert program.count(f"watch({camera},") == 1
    names: dict[str, Any] = {}
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(program.replace(f"watch({camera},", 'watch("photos",'), names)
    return names, out.getvalue().splitlines()


def promised(block: str) -> list[str]:
    """The lines that a block's comments say are printed."""
    said = re.findall(r"^ *print\(.*\)  # (.*)$", block, flags=re.MULTILINE)
    return [line for comment in said for line in comment.split(" | ")]


def test_the_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other, in one program, they print what stands behind each `print`."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    printed = []
    for block in BLOCKS:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(block, "docs/python.md", "exec"), names)
        printed.append(out.getvalue().splitlines())

    assert [promised(block) for block in BLOCKS] == printed
    assert len(printed) > 8


@pytest.mark.usefixtures("folder")
def test_the_examples_of_the_readme() -> None:
    """One after the other they read, replay, play, and watch."""
    names, printed = run(README, "0")

    assert "...GARDEN......" == printed[7]
    assert names["result"].to_json() == eval(printed[15])
    assert {"Ann": 20, "Bob": 0} == dict(names["game"].scores)
    assert (1, 0) == (names["club"].games, names["club"].failures)
    assert "{'Ann': 4, 'Bob': 0} ('Ann plays AT.', '4 for AT; 4.')" in printed
    assert "Announced(text='Player 1 plays GARDEN.')" in printed


@pytest.mark.usefixtures("folder")
def test_the_examples_of_the_docstring() -> None:
    """What `help(kibitz)` shows runs as it stands there."""
    names, printed = run(DOCSTRING, '"0"')

    assert "...GARDEN......" == names["reading"].boards[0].rows[7]
    assert names["page"].startswith("<!doctype html>")
    assert (1, 0) == (names["done"].games, names["done"].failures)
    assert {"Ann": 4, "Bob": 0} == names["game"].scores
    assert "True ()" in printed
    assert "Announced(text='Ann plays GARDEN.')" in printed


def test_every_name_is_described() -> None:
    """What `import kibitz` offers stands on the page, or is part of what stands there."""
    parts = {"Board", "LooseTile", "LooseWord", "Outcome", "Play", "Question", "Reading"}
    parts |= {"Refusal", "Replay", "ShipCard", "Tile", "Watch", "WatchEvent", "__version__"}

    assert [n for n in kibitz.__all__ if n not in parts and n not in TEXT] == []


def test_every_name_is_there() -> None:
    """Each name of `__all__` can be had, and no other is made up."""
    assert [name for name in kibitz.__all__ if not hasattr(kibitz, name)] == []
    assert sorted(kibitz.__all__) == [n for n in dir(kibitz) if n in kibitz.__all__]
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        kibitz.nonsense  # noqa: B018 - asking for it is what is tested
