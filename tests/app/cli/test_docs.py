"""The command line's page names every command, option, error code and status."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kibitz.app.cli.main import COMMANDS, load_command
from kibitz.app.reading.pictures import UNSEEN
from tests.helpers.shared_data import ROOT

TEXT = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")


def options() -> list[tuple[str, str]]:
    """Every option that `--help` shows, with its command."""
    found = []
    for name in COMMANDS:
        for parameter in load_command(name).params:
            if parameter.param_type_name == "option" and not parameter.hidden:
                found += [(name, x) for x in parameter.opts if x.startswith("--")]
    return found


@pytest.mark.parametrize(("command", "option"), options(), ids=" ".join)
def test_every_option_is_described(command: str, option: str) -> None:
    """The part about a command, or the one it refers to, names the option."""
    assert f"kibitz {command}" in TEXT
    assert option in TEXT


def test_every_picture_error_is_described() -> None:
    """Each code that a photograph's line may have stands in the table of codes."""
    codes = set()
    for path in (
        "vision/frame.py",
        "vision/stream/video.py",
        "app/reading/pictures.py",
    ):
        source = Path(ROOT, path).read_text(encoding="utf-8")
        codes |= set(
            re.findall(r'(?:PictureError|PathProblem)\(\s*(?:path, |folder, )?"(\w+)"', source)
        )
    codes |= UNSEEN | {"truncated", "not_an_image"}

    assert len(codes) > 9
    assert [code for code in sorted(codes) if f"`{code}`" not in TEXT] == []
