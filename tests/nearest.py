"""Runs the tests nearest to a change.

    python tests/nearest.py                      # to what differs from the last commit
    python tests/nearest.py --since main         # to what differs from where main was left
    python tests/nearest.py engine/rules.py --further

Nearest are the tests that are named like a module and those that import it. `--further` adds those
of its room and those that import what imports it. `--list` says which they are and runs none.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("app", "vision", "calibration", "models", "engine")
BROWSER = "tests/browser/"


def tests_for(path: str) -> list[list[str]]:
    """Tests of a module, nearest first.

    Those of its name and those that import it; those of its room, a folder of a part of the
    program (`vision/boards`); those that import what imports it. Whole games of every kind are
    played by tests of the engine itself.
    """
    module = Path(path)
    name = _module(path)
    by_name = f"tests/{module.parent.as_posix()}/test_{module.stem}.py"
    near = {x for x, imported in _imports().items() if name in imported or x == by_name}
    users = {_module(x) for x, imported in _modules().items() if name in imported}
    beside = {x for x, imported in _imports().items() if users & imported} - near
    folder = f"tests/{module.parent.as_posix()}/"
    while not any(x.startswith(folder) for x in _imports()):
        folder = folder.rsplit("/", 2)[0] + "/"
    room = "/".join(Path(folder).parts[:3]) + "/"
    around = {x for x in _imports() if x.startswith(room)}
    if path.startswith("engine/"):
        around |= {x for x in _imports() if Path(x).parent.as_posix() == "tests/engine"}

    def inner_first(tests: set[str]) -> list[str]:
        """Those of the same folder before those of whole commands and tables."""
        return sorted(tests, key=lambda x: (x != by_name, not x.startswith(folder), x))

    return [inner_first(x) for x in (near, around - near, beside - around) if x]


def _module(path: str) -> str:
    """A file's name where it is imported."""
    return "kibitz." + ".".join(Path(path).with_suffix("").parts)


def _imports() -> dict[str, set[str]]:
    """Every test file, with the modules and names that it imports; those with a browser are out."""
    return {
        path: names
        for path, names in _imported("tests", "test_*.py").items()
        if not path.startswith(BROWSER)
    }


def _modules() -> dict[str, set[str]]:
    """The same of every file of the program."""
    return {path: names for part in PARTS for path, names in _imported(part, "*.py").items()}


@cache
def _imported(folder: str, pattern: str) -> dict[str, set[str]]:
    out = {}
    for file in sorted((ROOT / folder).rglob(pattern)):
        path = file.relative_to(ROOT).as_posix()
        names: set[str] = set()
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.ImportFrom) and node.module:
                names |= {node.module, *(f"{node.module}.{x.name}" for x in node.names)}
            elif isinstance(node, ast.Import):
                names |= {x.name for x in node.names}
        out[path] = names
    return out


def changed(since: str) -> list[str]:
    """Files that differ from where a commit was left, new ones among them."""
    base = _git("merge-base", "HEAD", since) or ["HEAD"]
    new = _git("ls-files", "--others", "--exclude-standard")
    return [x for x in (*_git("diff", "--name-only", base[0]), *new) if (ROOT / x).is_file()]


def _git(*call: str) -> list[str]:
    return subprocess.run(
        ["git", *call], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()


def nearest(paths: Sequence[str], further: bool = False) -> list[str]:
    """Test files for changed files, nearest first: those themselves, and those of modules."""
    out: dict[str, None] = {}
    for path in paths:
        if Path(path).match("tests/**/test_*.py"):
            out[path] = None
        elif path.startswith("app/web/"):
            out |= dict.fromkeys(sorted(x.as_posix() for x in _pages()))
        elif path.endswith(".py") and path.split("/")[0] in PARTS:
            groups = tests_for(path)
            out |= {x: None for group in (groups if further else groups[:1]) for x in group}
    return list(out)


def _pages() -> list[Path]:
    """Test files that open pages and are fast."""
    found = (ROOT / BROWSER).rglob("test_*.py")
    return [x.relative_to(ROOT) for x in found if "mark.fast" in x.read_text(encoding="utf-8")]


def main() -> None:
    """Run them, and end as pytest does."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("paths", nargs="*", help="files instead of those that were changed")
    ap.add_argument("--since", default="HEAD", help="a commit or branch to compare with")
    ap.add_argument("--further", action="store_true", help="tests that are less near too")
    ap.add_argument("--list", action="store_true", help="say which they are, run none")
    a = ap.parse_args()
    tests = nearest(a.paths or changed(a.since), a.further)
    if a.list or not tests:
        print("\n".join(tests) or "no tests are near to what was changed")
        return
    raise SystemExit(subprocess.call([sys.executable, "-m", "pytest", "-q", *tests], cwd=ROOT))


if __name__ == "__main__":
    main()
