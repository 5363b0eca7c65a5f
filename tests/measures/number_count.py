"""Counts numeric literals in the code that reads and judges pictures and serves tables.

    python tests/measures/number_count.py

Counted are all numeric literals but 0, 1, 2, one half and -1, in and outside of classes.
"""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COUNTED = ("app", "vision", "calibration")
PLAIN = {0, 1, 2, 0.5}


def count_numbers(folder: Path) -> int:
    """Number of numeric literals in a folder's modules."""
    return sum(
        isinstance(node, ast.Constant)
        and type(node.value) in (int, float)
        and node.value not in PLAIN
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    )


if __name__ == "__main__":
    for folder in COUNTED:
        print(f"{folder:16}{count_numbers(ROOT / folder):6}")
