"""docs/python.md: every example runs and prints what the page says."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

import kibitz
from tests.helpers.shared_data import ROOT

TEXT = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", TEXT, flags=re.MULTILINE | re.DOTALL)


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
