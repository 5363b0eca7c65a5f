"""Plots how cost grows, from the lines of `hall_costs.py` and `archive_costs.py`, as SVG.

(python tests/measures/hall_costs.py; python tests/measures/archive_costs.py) |
    python tests/measures/scale_plots.py docs/pictures
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

PLOTS = {
    "action_ms_by_tables": ("Tables being played at", "ms of an action"),
    "action_ms_by_plays": ("Plays in a game", "ms of an action and its page"),
    "action_ms_by_watchers": ("Watchers of the table", "ms until an action is answered"),
    "start_s_by_kept": ("Tables ever kept", "s of processor time to start"),
    "photograph_ms_by_photographs": ("Photographs in an archive", "ms of a photograph more"),
    "worker_mb_by_photographs": ("Photographs in an archive", "MB of a worker at most"),
    "home_ms_by_kept": ("Tables ever kept", "ms of the first page's list"),
}
WIDTH, HEIGHT = 360, 240
LEFT, RIGHT, TOP, FOOT = 56, 16, 20, 44


def plot(points: Mapping[float, float], across: str, up: str) -> str:
    """A line plot; the x axis is logarithmic, the y axis starts at zero."""
    xs, ys = list(points), list(points.values())
    most = max(ys) * 1.15 or 1.0
    places = [_place(x, xs) for x in xs]
    marks = [
        (p, HEIGHT - FOOT - (HEIGHT - FOOT - TOP) * y / most)
        for p, y in zip(places, ys, strict=True)
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in marks)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="12" role="img" aria-label="{up} by {across}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<path d="M{LEFT} {TOP}V{HEIGHT - FOOT}H{WIDTH - RIGHT}" fill="none" stroke="#777"/>',
        f'<polyline points="{line}" fill="none" stroke="#1c5d4a" stroke-width="2"/>',
    ]
    for (x, y), value, tick in zip(marks, ys, xs, strict=True):
        out += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="#1c5d4a"/>',
            f'<text x="{x:.1f}" y="{y - 8:.1f}" text-anchor="middle">{value:.3g}</text>',
            f'<text x="{x:.1f}" y="{HEIGHT - FOOT + 16}" text-anchor="middle">{tick:,.0f}</text>',
        ]
    out += [
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{across}</text>',
        f'<text x="14" y="{(TOP + HEIGHT - FOOT) / 2}" text-anchor="middle" '
        f'transform="rotate(-90 14 {(TOP + HEIGHT - FOOT) / 2})">{up}</text>',
        "</svg>",
    ]
    return "\n".join(out) + "\n"


def _place(x: float, xs: Sequence[float]) -> float:
    """Position of a number on the x axis: zero to one is one step, as is ten to a hundred."""
    scale = [math.log10(max(v, 0.1)) for v in xs]
    part = (math.log10(max(x, 0.1)) - scale[0]) / ((scale[-1] - scale[0]) or 1.0)
    return LEFT + 20 + part * (WIDTH - RIGHT - LEFT - 40)


def main() -> int:
    """Plot the lines on standard input."""
    folder = Path(sys.argv[1])
    for text in sys.stdin:
        line = json.loads(text)
        for name, (across, up) in PLOTS.items():
            if name in line:
                points = {float(k): float(v) for k, v in line[name].items()}
                path = folder / f"scale-{name.replace('_', '-')}.svg"
                path.write_text(plot(points, across, up), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
