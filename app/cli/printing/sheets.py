"""Sheets to print at true size: ship cards and coordinate strips, in millimetres."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from kibitz.app.cli.printing.canvas import PAPERS_MM, Canvas, Sheet, text_mm
from kibitz.engine.games import INFOS
from kibitz.engine.table import SIDE, Square

MARGIN_MM: Final = 12.0
FOOT_MM: Final = 20.0
GAP_MM: Final = 4.0
CARD_INSET_MM: Final = 0.6
"""A card is this much shorter and narrower than its squares on each side, so that it lies flat."""
CARD_WIDTH: Final = 0.84
"""Part of a square's side: tiles and premium prints beside a card stay in sight."""
NAME_HEIGHT: Final = 0.17
"""Part of a card's height that the name on it takes at most."""
STRIP_DEPTH_MM: Final = 9.0
LINE_MM: Final = 100.0
TYPE_MM: Final = 4.0
EDGE_MM: Final = 0.25
TICK_MM: Final = 0.17
RULE_MM: Final = 0.34
"""Thickness of lines: around a card, on a strip, the line to check the printer by."""
HULL_GREYS: Final = (70, 120, 160, 200)
"""The hulls of the players' fleets differ, so that the cards are sorted quickly."""
CARDS = tuple(card for info in INFOS for card in info.surface.markers.items())
"""The cards of one player, each with how many squares long it is (SS-4)."""


@dataclass(frozen=True, slots=True)
class CardPiece:
    """A ship card: its length in squares, its owner, and its small print."""

    length: int
    player: int
    text: str
    width_mm: float
    height_mm: float


@dataclass(frozen=True, slots=True)
class StripPiece:
    """A part of a coordinate strip, one label a square; turned labels are for upright strips."""

    labels: tuple[str, ...]
    turned: bool
    width_mm: float
    height_mm: float


Piece = CardPiece | StripPiece


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece with the position of its top left corner on a page."""

    piece: Piece
    x_mm: float
    y_mm: float


Page = tuple[Placed, ...]


def ship_cards(square_mm: float, names: Sequence[str]) -> list[CardPiece]:
    """Cards of every player's fleet (SS-4)."""
    high = CARD_WIDTH * square_mm
    return [
        CardPiece(n, player, f"{name} · {ship}", n * square_mm - 2 * CARD_INSET_MM, high)
        for player, name in enumerate(names)
        for ship, n in CARDS
    ]


def coordinate_strips(square_mm: float, most_mm: float) -> list[StripPiece]:
    """Numbers for two sides of the board and letters for the other two, in parts that fit."""
    numbers = [str(n + 1) for n in range(SIDE)]
    letters = [chr(65 + n) for n in range(SIDE)]
    part = max(1, int(most_mm // square_mm))
    parts = -(-SIDE // part)
    part = -(-SIDE // parts)  # about equal parts
    out = []
    for row, turned in ((numbers, False), (numbers, False), (letters, True), (letters, True)):
        for first in range(0, SIDE, part):
            labels = tuple(row[first : first + part])
            out.append(StripPiece(labels, turned, len(labels) * square_mm, STRIP_DEPTH_MM))
    return out


def room_mm(paper: str) -> float:
    """Widest piece that fits on a paper."""
    return PAPERS_MM[paper][0] - 2 * MARGIN_MM


def lay_out(pieces: Iterable[Piece], paper: str) -> list[Page]:
    """Pieces in rows on pages; none is scaled or turned."""
    width, height = PAPERS_MM[paper]
    pages: list[list[Placed]] = [[]]
    x, y, row = MARGIN_MM, MARGIN_MM, 0.0
    for piece in pieces:
        if x > MARGIN_MM and x + piece.width_mm > width - MARGIN_MM:
            x, y, row = MARGIN_MM, y + row + GAP_MM, 0.0
        if y + piece.height_mm > height - MARGIN_MM - FOOT_MM:
            pages.append([])
            x, y, row = MARGIN_MM, MARGIN_MM, 0.0
        pages[-1].append(Placed(piece, x, y))
        x, row = x + piece.width_mm + GAP_MM, max(row, piece.height_mm)
    return [tuple(page) for page in pages if page]


def draw_page(page: Page, paper: str, note: str, canvas: Canvas) -> None:
    """Draw a page of pieces, with a line to check the printer's scale."""
    height = PAPERS_MM[paper][1]
    for placed in page:
        if isinstance(placed.piece, CardPiece):
            _card(canvas, placed, placed.piece)
        else:
            _strip(canvas, placed, placed.piece)
    check_line(canvas, MARGIN_MM, height - MARGIN_MM)
    text = f"Print at 100 %: this line is {LINE_MM:.0f} mm long. {note}"
    canvas.text(MARGIN_MM, height - MARGIN_MM - TYPE_MM * 3 / 2, text, TYPE_MM * 5 / 6, "lm")


def check_line(canvas: Canvas, x: float, y: float) -> None:
    """Draw a line of 100 mm, to be measured with a ruler."""
    canvas.line(x, y, x + LINE_MM, y, RULE_MM)
    for end in (x, x + LINE_MM):
        canvas.line(end, y - RULE_MM * 5, end, y + RULE_MM * 5, RULE_MM)


def _card(canvas: Canvas, placed: Placed, card: CardPiece) -> None:
    """Draw a hull on a strip; no letter is as large as a tile, lest it be read as one."""
    left, top, wide, high = placed.x_mm, placed.y_mm, card.width_mm, card.height_mm
    canvas.box(left, top, wide, high, 255, EDGE_MM)
    stern, tip = left + high / 5, left + wide - high / 5
    upper, lower = top + high / 4, top + high * 3 / 4
    middle, bow = top + high / 2, tip - high / 2
    hull = [(stern, upper), (bow, upper), (tip, middle), (bow, lower), (stern, lower)]
    _name(canvas, card.text, left + wide / 2, top + high * 8 / 9, wide - high / 3, high)
    canvas.polygon(hull, HULL_GREYS[card.player % len(HULL_GREYS)], EDGE_MM)
    for k in range(card.length - 1):
        at = stern + (2 * k + 1) * (bow - stern) / (2 * (card.length - 1))
        canvas.disc(at, middle, high / 11, 255, EDGE_MM)


def _name(canvas: Canvas, text: str, x: float, y: float, room: float, high: float) -> None:
    """Draw the owner's name along the lower edge, smaller than a tile's letter."""
    size = NAME_HEIGHT * high
    canvas.text(x, y, text, min(size, size * room / text_mm(text, size)))


def _strip(canvas: Canvas, placed: Placed, strip: StripPiece) -> None:
    """Draw labels in the middle of their squares, and ticks between squares."""
    x, y, side = placed.x_mm, placed.y_mm, strip.width_mm / len(strip.labels)
    canvas.box(x, y, strip.width_mm, strip.height_mm, 255, TICK_MM)
    for k, label in enumerate(strip.labels):
        if k:
            canvas.line(x + k * side, y, x + k * side, y + STRIP_DEPTH_MM / 6, TICK_MM)
        # the strip is laid with its A at the top: turned letters then stand upright
        middle = y + strip.height_mm / 2 + TICK_MM
        canvas.text(x + (k + 0.5) * side, middle, label, STRIP_DEPTH_MM / 2, turn=strip.turned)


def sheets(what: Sequence[str], square_mm: float, names: Sequence[str], paper: str) -> list[Sheet]:
    """Pages of the requested kinds: `cards`, `strips`."""
    pieces: dict[str, list[Piece]] = {
        "cards": [*ship_cards(square_mm, names)],
        "strips": [*coordinate_strips(square_mm, room_mm(paper))],
    }
    note = f"Squares of {square_mm:g} mm."
    return [
        partial(draw_page, page, paper, note)
        for name in what
        for page in lay_out(pieces[name], paper)
    ]


RIM_MM: Final = 9.0
"""Room for the coordinates on each side of the grid."""
HEAD_MM: Final = 24.0
SHADE: Final = 205
"""The grey of squares where this player's ships may not lie."""
FINE_MM: Final = 0.25
HEAVY_MM: Final = 0.9


def grid_side_mm(paper: str) -> float:
    """Side of one square on a sheet: as large as the paper allows."""
    width, _ = PAPERS_MM[paper]
    return (width - 2 * MARGIN_MM - 2 * RIM_MM) / SIDE


def zones_for(players: int) -> tuple[frozenset[Square], ...]:
    """Zone of each player in seating order (SS-5); else the whole board."""
    info = next(i for i in INFOS if i.surface.markers)
    whole = frozenset(Square(r, c) for r in range(SIDE) for c in range(SIDE))
    if info.marker_zones is None or players not in info.players:
        return (whole,) * players
    return info.marker_zones(players)


def grid_sheet(name: str, zone: frozenset[Square], paper: str, canvas: Canvas) -> None:
    """Draw one player's sheet: the grid with their zone in white, and the fleet below.

    Args:
        name: whose it is.
        zone: the squares on which the fleet may lie.
        paper: `a4` or `letter`.
        canvas: what it is drawn on.
    """
    side, left, top = grid_side_mm(paper), MARGIN_MM + RIM_MM, MARGIN_MM + HEAD_MM + RIM_MM
    canvas.text(MARGIN_MM, MARGIN_MM + 7, f"{name}: the fleet", 2 * TYPE_MM, "lm")
    hint = "Keep it secret. Draw each ship on white squares, then tick what is hit."
    canvas.text(MARGIN_MM, MARGIN_MM + 17, hint, TYPE_MM, "lm")
    for row in range(SIDE):
        for col in range(SIDE):
            if Square(row, col) not in zone:
                canvas.box(left + col * side, top + row * side, side, side, SHADE)
    end_x, end_y = left + SIDE * side, top + SIDE * side
    for k in range(SIDE + 1):
        wide = HEAVY_MM if k in (0, SIDE) else FINE_MM
        canvas.line(left + k * side, top, left + k * side, end_y, wide)
        canvas.line(left, top + k * side, end_x, top + k * side, wide)
    for k in range(SIDE):
        middle = (k + 0.5) * side
        for x in (left - RIM_MM / 2, end_x + RIM_MM / 2):
            canvas.text(x, top + middle, chr(65 + k), TYPE_MM)
        for y in (top - RIM_MM / 2, end_y + RIM_MM / 2):
            canvas.text(left + middle, y, str(k + 1), TYPE_MM)
    _fleet(canvas, end_y + RIM_MM + 6, PAPERS_MM[paper][0])


def _fleet(canvas: Canvas, top: float, width: float) -> None:
    """Draw each ship with a box for each of its squares (SS-4)."""
    box, x, y = 6, MARGIN_MM, top
    for ship, length in next(i for i in INFOS if i.surface.markers).surface.markers.items():
        if x + 30 + length * box > width - MARGIN_MM:
            x, y = MARGIN_MM, y + 10
        canvas.text(x, y + box / 2, ship, TYPE_MM, "lm")
        for k in range(length):
            canvas.box(x + 27 + k * box, y, box, box, None, FINE_MM)
        x += 62


def grid_sheets(names: Sequence[str], paper: str) -> list[Sheet]:
    """A sheet for each player, in seating order."""
    zones = zones_for(len(names))
    return [
        partial(grid_sheet, name, zone, paper) for name, zone in zip(names, zones, strict=True)
    ]
