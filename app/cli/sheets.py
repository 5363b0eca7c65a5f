"""Sheets to print at true size: ship cards and coordinate strips, laid out in millimetres."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

from kibitz.engine.games import INFOS

DPI = 300
PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MARGIN_MM = 12.0
FOOT_MM = 20.0
GAP_MM = 4.0
CARD_INSET_MM = 0.6
"""A card is this much shorter and narrower than its squares on each side, so that it lies flat."""
CARD_WIDTH = 0.84
"""Part of a square's side: tiles and premium prints beside a card stay in sight."""
NAME_HEIGHT = 0.17
"""Part of a card's height that the name on it takes at most."""
STRIP_DEPTH_MM = 9.0
LINE_MM = 100.0
HULL_GREYS = (70, 120, 160, 200)
"""The hulls of the players' fleets differ, so that the cards are sorted quickly."""
BOARD_SQUARES = 15
CARDS = tuple(card for info in INFOS for card in info.surface.markers.items())
"""The cards of one player, each with how many squares long it is (SS-4)."""


@dataclass(frozen=True, slots=True)
class CardPiece:
    """A ship card: how many squares long, whose, and what is printed small on it."""

    length: int
    player: int
    text: str
    width_mm: float
    height_mm: float


@dataclass(frozen=True, slots=True)
class StripPiece:
    """A part of a coordinate strip, one label a square; turned labels stand when it is upright."""

    labels: tuple[str, ...]
    turned: bool
    width_mm: float
    height_mm: float


Piece = CardPiece | StripPiece


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece with the place of its top left corner on a page."""

    piece: Piece
    x_mm: float
    y_mm: float


Page = tuple[Placed, ...]


def ship_cards(square_mm: float, names: Sequence[str]) -> list[CardPiece]:
    """The cards of every player's fleet (SS-4)."""
    high = CARD_WIDTH * square_mm
    return [
        CardPiece(n, player, f"{name} · {ship}", n * square_mm - 2 * CARD_INSET_MM, high)
        for player, name in enumerate(names)
        for ship, n in CARDS
    ]


def coordinate_strips(square_mm: float, most_mm: float) -> list[StripPiece]:
    """Numbers for two sides of the board and letters for the other two, in parts that fit."""
    numbers = [str(n + 1) for n in range(BOARD_SQUARES)]
    letters = [chr(65 + n) for n in range(BOARD_SQUARES)]
    part = max(1, int(most_mm // square_mm))
    parts = -(-BOARD_SQUARES // part)
    part = -(-BOARD_SQUARES // parts)  # about equal parts
    out = []
    for row, turned in ((numbers, False), (numbers, False), (letters, True), (letters, True)):
        for first in range(0, BOARD_SQUARES, part):
            labels = tuple(row[first : first + part])
            out.append(StripPiece(labels, turned, len(labels) * square_mm, STRIP_DEPTH_MM))
    return out


def room_mm(paper: str) -> float:
    """How wide a piece may be on a paper."""
    return PAPERS_MM[paper][0] - 2 * MARGIN_MM


def lay_out(pieces: Iterable[Piece], paper: str) -> list[Page]:
    """Pieces side by side in rows, rows on pages; none is ever scaled or turned."""
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


def px(mm: float) -> int:
    """Dots of a length."""
    return round(mm / 25.4 * DPI)


def draw_page(page: Page, paper: str, note: str) -> Image.Image:
    """A page as a grey picture of `DPI` dots an inch, with a line to check the printer by."""
    width, height = PAPERS_MM[paper]
    image = Image.new("L", (px(width), px(height)), 255)
    draw = ImageDraw.Draw(image)
    for placed in page:
        if isinstance(placed.piece, CardPiece):
            _card(draw, placed, placed.piece)
        else:
            _strip(image, placed, placed.piece)
    left, foot = px(MARGIN_MM), px(height - MARGIN_MM)
    draw.line((left, foot, left + px(LINE_MM), foot), 0, 4)
    for end in (left, left + px(LINE_MM)):
        draw.line((end, foot - 20, end, foot + 20), 0, 4)
    text = f"Print at 100 %: this line is {LINE_MM:.0f} mm long. {note}"
    draw.text((left, foot - 90), text, 0, font=ImageFont.load_default(40))
    return image


def _box(placed: Placed) -> tuple[int, int, int, int]:
    """Left, top, right, bottom in dots; the edges are the piece's own cut lines."""
    x, y = px(placed.x_mm), px(placed.y_mm)
    return x, y, x + px(placed.piece.width_mm), y + px(placed.piece.height_mm)


def _card(draw: ImageDraw.ImageDraw, placed: Placed, card: CardPiece) -> None:
    """A strip with a hull and no letter on it, so that it is never read as a tile."""
    left, top, right, bottom = _box(placed)
    draw.rectangle((left, top, right, bottom), 255, 0, 3)
    high = bottom - top
    inside = (left + high // 5, top + high // 4, right - high // 5, bottom - high // 4)
    middle, bow = (top + bottom) // 2, high // 2
    hull = [
        (inside[0], inside[1]),
        (inside[2] - bow, inside[1]),
        (inside[2], middle),
        (inside[2] - bow, inside[3]),
        (inside[0], inside[3]),
    ]
    _name(draw, card.text, (left + right) // 2, bottom - high // 9, right - left - high // 3, high)
    draw.polygon(hull, HULL_GREYS[card.player % len(HULL_GREYS)], 0, 3)
    for k in range(card.length - 1):
        at = inside[0] + (2 * k + 1) * (inside[2] - bow - inside[0]) // (2 * (card.length - 1))
        r = high // 11
        draw.ellipse((at - r, middle - r, at + r, middle + r), 255, 0, 3)


def _name(draw: ImageDraw.ImageDraw, text: str, x: int, y: int, room: int, high: int) -> None:
    """Whose card it is, along its lower edge: too small to be taken for a tile's letter."""
    size = NAME_HEIGHT * high
    font = ImageFont.load_default(size)
    if (wide := font.getlength(text)) > room:
        font = ImageFont.load_default(size * room / wide)
    draw.text((x, y), text, 0, font=font, anchor="mm")


def _strip(image: Image.Image, placed: Placed, strip: StripPiece) -> None:
    """Labels in the middle of their squares, between ticks where the squares meet."""
    left, top, right, bottom = _box(placed)
    draw = ImageDraw.Draw(image)
    draw.rectangle((left, top, right, bottom), 255, 0, 2)
    side = placed.piece.width_mm / len(strip.labels)
    font = ImageFont.load_default(px(STRIP_DEPTH_MM * 0.5))
    for k, label in enumerate(strip.labels):
        if k:
            at = px(placed.x_mm + k * side)
            draw.line((at, top, at, top + px(1.5)), 0, 2)
        room = Image.new("L", (px(STRIP_DEPTH_MM * 0.9),) * 2, 255)
        middle = room.width / 2
        ImageDraw.Draw(room).text((middle, middle), label, 0, font=font, anchor="mm")
        if strip.turned:  # the strip is laid with its A at the top: letters then stand upright
            room = room.rotate(90)
        x = px(placed.x_mm + (k + 0.5) * side) - room.width // 2
        image.paste(room, (x, (top + bottom) // 2 - room.height // 2 + 2))


def sheets(
    what: Sequence[str], square_mm: float, names: Sequence[str], paper: str
) -> Iterator[Image.Image]:
    """The pages of what is asked for: `cards`, `strips`."""
    pieces: dict[str, list[Piece]] = {
        "cards": [*ship_cards(square_mm, names)],
        "strips": [*coordinate_strips(square_mm, room_mm(paper))],
    }
    note = f"Squares of {square_mm:g} mm."
    for name in what:
        for page in lay_out(pieces[name], paper):
            yield draw_page(page, paper, note)
