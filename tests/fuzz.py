"""Tries the property tests at random, with many more examples than an ordinary run.

    python tests/fuzz.py [--factor 50] [PYTEST ARGUMENTS]

A failing example is printed by Hypothesis. Once the fault is mended, the example becomes a fixed
case of its test: `@example(...)` above `@given`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Run every test that Hypothesis drives; the exit code of pytest."""
    ap = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    ap.add_argument("--factor", type=int, default=50, help="how many times more examples")
    a, rest = ap.parse_known_args()
    if a.factor < 1:
        ap.error(f"--factor: expected 1 or more, got {a.factor}")
    command = [sys.executable, "-m", "pytest", "-m", "hypothesis", "--timeout", "0", *rest]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "KIBITZ_FUZZ": str(a.factor)}, check=False
    )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
