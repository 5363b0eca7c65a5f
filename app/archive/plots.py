"""Plots as SVG: they take the page's colours, light or dark, and need no library."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Final

from kibitz.engine.table import SIDE

WIDTH: Final = 420
HEIGHT: Final = 200
LEFT: Final = 8
RIGHT: Final = 8
TOP: Final = 22
BOTTOM: Final = 40
WIDEST: Final = 70
"""A column is no wider, so that a few of them still look like columns."""
LONGEST_LABEL: Final = 9
"""Letters of a name that fit below a column; longer ones take two lines."""


def bars(title: str, columns: Sequence[tuple[str, float]], *, share: bool = False) -> str:
    """A bar plot as SVG: each column has its value above and its name below.

    Args:
        title: what it shows, in a sentence: those who do not see it hear that and the values.
        columns: names with values, from left to right.
        share: whether values are parts of one, told as percentages.
    """
    most = max((value for _, value in columns), default=0) or 1
    step = min(WIDEST, (WIDTH - LEFT - RIGHT) / max(1, len(columns)))
    room = HEIGHT - TOP - BOTTOM
    drawn = []
    for number, (name, value) in enumerate(columns):
        tall = room * value / most
        x, y = LEFT + number * step, TOP + room - tall
        middle = x + step / 2
        drawn += [
            f'<rect x="{x + step / 8:.1f}" y="{y:.1f}" width="{step * 3 / 4:.1f}" '
            f'height="{tall:.1f}" rx="2"/>',
            f'<text x="{middle:.1f}" y="{y - 5:.1f}" class="value">{_said(value, share)}</text>',
            _label(name, middle, TOP + room + 16),
        ]
    return _figure(title, columns, "".join(drawn), share=share)


def _label(name: str, middle: float, y: float) -> str:
    first, to, rest = name.partition(" to ")
    lines = [first, f"to {rest}"] if to else [name]
    if len(name) > LONGEST_LABEL and not to:
        lines = name.split(" ", 1)
    return "".join(
        f'<text x="{middle:.1f}" y="{y + 13 * i:.1f}" class="name">{html.escape(part)}</text>'
        for i, part in enumerate(lines)
    )


def _said(value: float, share: bool) -> str:
    return f"{100 * value:.0f} %" if share else f"{value:,.0f}".replace(",", "\u202f")


def _figure(title: str, columns: Sequence[tuple[str, float]], drawn: str, *, share: bool) -> str:
    described = "; ".join(f"{name}: {_said(value, share)}" for name, value in columns)
    return (
        f'<figure class="plot card"><figcaption>{html.escape(title)}</figcaption>'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{html.escape(f"{title}. {described}")}">{drawn}</svg></figure>'
    )


def covered_board(title: str, covered: Mapping[tuple[int, int], int], boards: int) -> str:
    """A heat map of a board as SVG: how many games have a tile on each square."""
    drawn = []
    for row in range(SIDE):
        for col in range(SIDE):
            part = covered.get((row, col), 0) / max(1, boards)
            drawn.append(
                f'<rect x="{col * 10 + 0.5}" y="{row * 10 + 0.5}" width="9" height="9" rx="1" '
                f'fill-opacity="{(1 + 15 * part) / 16:.2f}"/>'
            )
    most = max(covered.items(), key=lambda item: item[1], default=((7, 7), 0))
    place = f"{chr(65 + most[0][0])}{most[0][1] + 1}"
    described = f"{title}. Most often covered: {place}, in {most[1]} of {boards} games"
    return (
        f'<figure class="plot card square"><figcaption>{html.escape(title)}</figcaption>'
        f'<svg viewBox="0 0 150 150" role="img" aria-label="{html.escape(described)}">'
        f"{''.join(drawn)}</svg></figure>"
    )
