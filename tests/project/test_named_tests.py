"""The tests of a module are found by its name: the folders of `tests` are those of the project."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("app", "calibration", "engine", "models", "vision")
MOST_LINES = 150
"""A module of more lines has tests of its own; a smaller one may be tested through others."""

ELSEWHERE = {
    "app/cli/bench/bench.py": "commands are called as people call them, in tests/app/cli",
    "app/cli/bench/rules.py": "it measures rules, which have their own tests",
    "app/cli/materials/check.py": "commands are called as people call them, in tests/app/cli",
    "app/cli/printing/sheets.py": "what is printed is measured in test_print.py",
    "app/cli/reading/calibrate.py": "commands are called as people call them, in tests/app/cli",
    "app/cli/serving/place.py": "commands are called as people call them, in tests/app/cli",
    "app/cli/serving/serve.py": "commands are called as people call them, in tests/app/cli",
    "app/face/results.py": "what `import kibitz` gives back, in tests/app/face",
    "app/server/routes/site/director.py": "routes are called, in tests/app/server/hall",
    "app/server/routes/table/actions.py": "routes are called, in tests/app/server and tests/app/tables",
}
"""Larger modules that are tested under other names, and where."""
PARTS_OF_GAMES = ("events.py", "messages.py")
"""How a game folds its events and what it says: its scenarios and playthroughs test them."""


def modules() -> list[Path]:
    """Every module that is used at run time."""
    found = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    return [p for p in found if p.name != "__init__.py" and "training" not in p.parts]


def has_its_tests(module: Path) -> bool:
    """Whether a test file of its name lies in the folder of its name."""
    return (ROOT / "tests" / module.parent / f"test_{module.name}").is_file()


def is_part_of_a_game(module: Path) -> bool:
    """Whether it is one of the parts that every game has."""
    return module.parts[:2] == ("engine", "games") and module.name in PARTS_OF_GAMES


@pytest.mark.parametrize("room", ROOMS)
def test_larger_modules_have_a_test_file_of_their_name(room):
    """All but those that are known to be tested elsewhere."""
    larger = [
        path.relative_to(ROOT)
        for path in modules()
        if len(path.read_text(encoding="utf-8").splitlines()) > MOST_LINES
    ]

    assert [] == [
        module.as_posix()
        for module in larger
        if module.parts[0] == room
        and not has_its_tests(module)
        and not is_part_of_a_game(module)
        and module.as_posix() not in ELSEWHERE
    ]


def test_what_is_tested_elsewhere_is_there():
    """A module that went, or that has a test file of its name by now, needs no exception."""
    paths = [Path(name) for name in ELSEWHERE]

    assert [] == [p.as_posix() for p in paths if not (ROOT / p).is_file() or has_its_tests(p)]
