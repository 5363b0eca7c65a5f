"""Grid sheets to print: the secret map of each player's fleet, with its coordinates."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from kibitz.app.cli.sheets import BOARD_SQUARES, MARGIN_MM, PAPERS_MM, px
from kibitz.engine.games import INFOS
from kibitz.engine.table import Square

RIM_MM = 9.0
"""Room for the coordinates on each side of the grid."""
HEAD_MM = 24.0
SHADE = 205
"""The grey of squares where this player's ships may not lie."""
FINE_MM, HEAVY_MM = 0.25, 0.9


def grid_side_mm(paper: str) -> float:
    """The side of one square of a sheet: as large as the paper takes."""
    width, _ = PAPERS_MM[paper]
    return (width - 2 * MARGIN_MM - 2 * RIM_MM) / BOARD_SQUARES


def zones_for(players: int) -> tuple[frozenset[Square], ...]:
    """Where each player's ships may lie, in seating order (SS-5); else the whole board."""
    info = next(i for i in INFOS if i.surface.markers)
    whole = frozenset(Square(r, c) for r in range(BOARD_SQUARES) for c in range(BOARD_SQUARES))
    if info.marker_zones is None or players not in info.players:
        return (whole,) * players
    return info.marker_zones(players)


def grid_sheet(name: str, zone: frozenset[Square], paper: str) -> Image.Image:
    """One player's sheet: the grid with letters and numbers, the own zone white, the fleet below.

    Args:
        name: whose it is.
        zone: the squares on which the fleet may lie.
        paper: `a4` or `letter`.
    """
    width, height = PAPERS_MM[paper]
    image = Image.new("L", (px(width), px(height)), 255)
    draw = ImageDraw.Draw(image)
    side, left, top = grid_side_mm(paper), MARGIN_MM + RIM_MM, MARGIN_MM + HEAD_MM + RIM_MM
    _text(draw, MARGIN_MM, MARGIN_MM + 7, f"{name}: the fleet", 7.5, "lm")
    hint = "Keep it secret. Draw each ship on white squares, then tick what is hit."
    _text(draw, MARGIN_MM, MARGIN_MM + 17, hint, 4.0, "lm")
    for row in range(BOARD_SQUARES):
        for col in range(BOARD_SQUARES):
            if Square(row, col) not in zone:
                x, y = left + col * side, top + row * side
                draw.rectangle((px(x), px(y), px(x + side), px(y + side)), SHADE)
    end_x, end_y = left + BOARD_SQUARES * side, top + BOARD_SQUARES * side
    for k in range(BOARD_SQUARES + 1):
        wide = px(HEAVY_MM if k in (0, BOARD_SQUARES) else FINE_MM)
        draw.line((px(left + k * side), px(top), px(left + k * side), px(end_y)), 0, wide)
        draw.line((px(left), px(top + k * side), px(end_x), px(top + k * side)), 0, wide)
    for k in range(BOARD_SQUARES):
        middle = (k + 0.5) * side
        for x in (left - RIM_MM / 2, end_x + RIM_MM / 2):
            _text(draw, x, top + middle, chr(65 + k), 4.6, "mm")
        for y in (top - RIM_MM / 2, end_y + RIM_MM / 2):
            _text(draw, left + middle, y, str(k + 1), 4.6, "mm")
    _fleet(draw, end_y + RIM_MM + 6, width)
    return image


def _fleet(draw: ImageDraw.ImageDraw, top: float, width: float) -> None:
    """Each ship with a box for each of its squares (SS-4)."""
    box, x, y = 6.0, MARGIN_MM, top
    for ship, length in next(i for i in INFOS if i.surface.markers).surface.markers.items():
        if x + 30 + length * box > width - MARGIN_MM:
            x, y = MARGIN_MM, y + 10
        _text(draw, x, y + box / 2, ship, 4.0, "lm")
        for k in range(length):
            at = x + 27 + k * box
            draw.rectangle((px(at), px(y), px(at + box), px(y + box)), None, 0, px(FINE_MM))
        x += 62


def _text(
    draw: ImageDraw.ImageDraw, x_mm: float, y_mm: float, text: str, high_mm: float, anchor: str
) -> None:
    font = ImageFont.load_default(px(high_mm))
    draw.text((px(x_mm), px(y_mm)), text, 0, font=font, anchor=anchor)


def grid_sheets(names: Sequence[str], paper: str) -> list[Image.Image]:
    """A sheet for each player, in seating order."""
    zones = zones_for(len(names))
    return [grid_sheet(name, zone, paper) for name, zone in zip(names, zones, strict=True)]
