"""Measure on the labelled photographs and fail below the figures reached before.

    python tests/measures/floors.py

The floors in `floors.json` only rise. Runs the scorers that lie beside the photographs.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
KIBITZ = f"{sys.executable} -m kibitz"


def run(tool: str, *args: str) -> str:
    """Output of a scorer."""
    command = [sys.executable, str(SHARED / "tools" / tool), "--cmd", KIBITZ, *args]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout


FIXED_CAMERA = ("henningn_", "bucharest_")
"""Folders of games photographed by one camera that hung above the board."""


def read_figures() -> dict[str, float]:
    """Shares over all labelled photographs and renders.

    Of tiles of another script the scorer asks only where they lie.
    """
    folders = [str(SHARED / "photos"), str(SHARED / "renders")]
    result: dict[str, Any] = json.loads(run("score_read.py", "--json", *folders))
    total, above = Counter[str](result["total"]), Counter[str]()
    for name, counts in result["sources"].items():
        numbers = {k: v for k, v in counts.items() if isinstance(v, int)}
        if name.startswith(FIXED_CAMERA):
            above.update(numbers)
    return {
        **board_figures(total),
        **{f"above_{name}": share for name, share in board_figures(above).items()},
        "turns": 1 - total["turns_wrong"] / total["turns"],
        "none_invented": 1 - total["invented"] / total["no_board"],
        "loose_found": total["loose_found"] / total["loose"],
        "loose_right": total["loose_right"] / total["loose"],
        "loose_no_extra": 1 - total["loose_extra"] / total["loose"],
        "loose_words": total["words_right"] / total["words"],
    }


def board_figures(count: Counter[str]) -> dict[str, float]:
    """Shares over some boards."""
    empty = count["squares"] - count["tiles"]
    return {
        "located": count["located"] / count["boards"],
        "tiles": 1 - count["tiles_wrong"] / count["tiles"],
        "exact": count["exact"] / count["boards"],
        "bare": 1 - count["false_tiles"] / empty,
        "row_a": 1 - count["top_wrong"] / count["boards"],
    }


def replay_figures() -> dict[str, float]:
    """Shares over all photographed games."""
    out = run("score_replay.py", str(SHARED / "photos"), str(SHARED / "renders"))
    found = re.search(r"TOTAL photos (\d+)/(\d+) plays (\d+)/(\d+) scores (\d+)/(\d+)", out)
    if found is None:
        raise SystemExit(f"score_replay.py gave no total: {out[-300:]}")
    a = [int(x) for x in found.groups()]
    return {
        "replay_photos": a[0] / a[1],
        "replay_plays": a[2] / a[3],
        "replay_scores": a[4] / a[5],
    }


def rules_figures() -> dict[str, float]:
    """Share of the public scenarios."""
    out = run("score_rules.py", str(SHARED / "scenarios.json"))
    found = re.search(r"TOTAL (\d+) of (\d+)", out)
    if found is None:
        raise SystemExit(f"score_rules.py gave no total: {out[-300:]}")
    return {"rules": int(found.group(1)) / int(found.group(2))}


def main() -> None:
    """Compare with the floors."""
    floors = json.loads(Path(__file__).with_name("floors.json").read_text(encoding="utf-8"))
    got = rules_figures() | read_figures() | replay_figures()
    low = []
    for name, value in got.items():
        floor = floors.get(name, 0.0)
        print(f"{name:16} {value:.4f}  floor {floor:.4f}")
        if value < floor - 1e-9:
            low.append(name)
    if low:
        raise SystemExit(f"below the floor: {', '.join(low)}")


if __name__ == "__main__":
    main()
