"""Canvases in millimetres: a page of a vector PDF, or a pixel picture.

One function draws a sheet; which of the two it is drawn on makes no difference to it.
"""

from __future__ import annotations

import io
import tempfile
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol

from PIL import Image, ImageDraw, ImageFont

DPI: Final = 300
"""Dots an inch of a sheet that is drawn as a picture."""
PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
INCH_MM: Final = 25.4
POINT_MM: Final = INCH_MM / 72
_LARGE: Final = 1000
"""A size at which the typeface is measured."""


class Canvas(Protocol):
    """A page. Lengths are in millimetres from its upper left corner, greys from 0 to 255."""

    def box(
        self, x: float, y: float, wide: float, high: float, fill: int | None, line: float = 0.0
    ) -> None:
        """Draw a rectangle; its black line lies within its edges."""
        ...

    def polygon(self, points: Sequence[tuple[float, float]], fill: int, line: float = 0.0) -> None:
        """Draw a polygon with a black outline."""
        ...

    def disc(self, x: float, y: float, radius: float, fill: int, line: float = 0.0) -> None:
        """Draw a disc with a black outline."""
        ...

    def line(self, x: float, y: float, to_x: float, to_y: float, thick: float) -> None:
        """Draw a black line, centred on its end points."""
        ...

    def text(
        self, x: float, y: float, text: str, high: float, anchor: str = "mm", turn: bool = False
    ) -> None:
        """Draw black text; `high` is the size of its type.

        Args:
            x: its middle with the anchor `mm`, its beginning with `lm`.
            y: the middle of its line.
            text: what to write.
            high: the size of the type.
            anchor: `mm` or `lm`.
            turn: it runs up the page, around its middle.
        """
        ...


Sheet = Callable[[Canvas], None]
"""Draws a page."""


def px(mm: float) -> int:
    """A length in pixels."""
    return round(mm / INCH_MM * DPI)


def text_mm(text: str, high: float) -> float:
    """Width of a text in type of a size."""
    return float(ImageFont.load_default(_LARGE).getlength(typed(text))) * high / _LARGE


def typed(text: str) -> str:
    """The text with letters that the typeface has; missing accents are dropped."""
    known = _letters()
    out = []
    for char in text:
        plain = unicodedata.normalize("NFD", char)[0]
        options = (char, plain, _PLAIN.get(char, ""), "?")
        out.append(next(x for x in options if x and ord(x) in known))
    return "".join(out)


_PLAIN = dict(zip("ŁłĐđĦħŦŧıŒœ", "LlDdHhTtiOo", strict=True))
"""Letters that are not taken apart into a letter and a mark."""


@cache
def _letters() -> frozenset[int]:
    """Code points that the typeface has."""
    from fontTools.ttLib import TTFont

    file = io.BytesIO(_font_bytes(ImageFont.load_default(_LARGE)))
    return frozenset(TTFont(file).getBestCmap())


class Picture:
    """A grey picture of `DPI` dots an inch.

    Args:
        paper: `a4` or `letter`.
    """

    def __init__(self, paper: str) -> None:
        width, height = PAPERS_MM[paper]
        self.image = Image.new("L", (px(width), px(height)), 255)
        self._draw = ImageDraw.Draw(self.image)

    def box(
        self, x: float, y: float, wide: float, high: float, fill: int | None, line: float = 0.0
    ) -> None:
        """Draw a rectangle; its black line lies within its edges."""
        left, top = px(x), px(y)
        edges = (left, top, left + px(wide), top + px(high))
        self._draw.rectangle(edges, fill, 0 if line else None, px(line))

    def polygon(self, points: Sequence[tuple[float, float]], fill: int, line: float = 0.0) -> None:
        """Draw a polygon with a black outline."""
        dots = [(px(x), px(y)) for x, y in points]
        self._draw.polygon(dots, fill, 0 if line else None, px(line))

    def disc(self, x: float, y: float, radius: float, fill: int, line: float = 0.0) -> None:
        """Draw a disc with a black outline."""
        edges = (px(x - radius), px(y - radius), px(x + radius), px(y + radius))
        self._draw.ellipse(edges, fill, 0 if line else None, px(line))

    def line(self, x: float, y: float, to_x: float, to_y: float, thick: float) -> None:
        """Draw a black line, centred on its end points."""
        self._draw.line((px(x), px(y), px(to_x), px(to_y)), 0, max(1, px(thick)))

    def text(
        self, x: float, y: float, text: str, high: float, anchor: str = "mm", turn: bool = False
    ) -> None:
        """Draw black text; `high` is the size of its type."""
        text, font = typed(text), ImageFont.load_default(px(high))
        if not turn:
            self._draw.text((px(x), px(y)), text, 0, font=font, anchor=anchor)
            return
        side = 2 * px(max(high, text_mm(text, high)) / 2) + 4
        room = Image.new("L", (side, side), 255)
        ImageDraw.Draw(room).text((side / 2, side / 2), text, 0, font=font, anchor="mm")
        self.image.paste(room.rotate(90), (px(x) - side // 2, px(y) - side // 2))


class PdfPages:
    """A PDF whose pages are vector drawings, sharp at any size.

    Args:
        paper: `a4` or `letter`.
    """

    def __init__(self, paper: str) -> None:
        from fpdf import FPDF

        self._pdf: Any = FPDF(unit="mm", format=PAPERS_MM[paper])
        self._pdf.set_auto_page_break(False)
        self._pdf.set_margins(0, 0)
        self._pdf.set_creator("Kibitz")
        # a printer that fits pages to its paper would make every size a little smaller
        self._pdf.viewer_preferences = _true_size()
        font: Any = ImageFont.load_default(_LARGE)
        rises, falls = font.getmetrics()
        self._middle = (rises - falls) / 2 / _LARGE
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "type.ttf")
            file.write_bytes(_font_bytes(font))
            self._pdf.add_font("type", fname=file)

    def add(self, sheet: Sheet) -> None:
        """Draw one more page."""
        self._pdf.add_page()
        sheet(self)

    def to_bytes(self) -> bytes:
        """The PDF file."""
        return bytes(self._pdf.output())

    def box(
        self, x: float, y: float, wide: float, high: float, fill: int | None, line: float = 0.0
    ) -> None:
        """Draw a rectangle; its black line lies within its edges."""
        style = self._ink(fill, line)
        self._pdf.rect(x + line / 2, y + line / 2, wide - line, high - line, style)

    def polygon(self, points: Sequence[tuple[float, float]], fill: int, line: float = 0.0) -> None:
        """Draw a polygon with a black outline."""
        self._pdf.polygon(list(points), style=self._ink(fill, line))

    def disc(self, x: float, y: float, radius: float, fill: int, line: float = 0.0) -> None:
        """Draw a disc with a black outline."""
        self._pdf.circle(x, y, radius - line / 2, style=self._ink(fill, line))

    def line(self, x: float, y: float, to_x: float, to_y: float, thick: float) -> None:
        """Draw a black line, centred on its end points."""
        self._ink(None, thick)
        self._pdf.line(x, y, to_x, to_y)

    def text(
        self, x: float, y: float, text: str, high: float, anchor: str = "mm", turn: bool = False
    ) -> None:
        """Draw black text; `high` is the size of its type."""
        self._pdf.set_font("type", size=high / POINT_MM)
        text = typed(text)
        begin = x - text_mm(text, high) / 2 if anchor == "mm" else x
        base = y + self._middle * high
        if turn:
            with self._pdf.rotation(90, x, y):
                self._pdf.text(begin, base, text)
        else:
            self._pdf.text(begin, base, text)

    def _ink(self, fill: int | None, line: float) -> str:
        if fill is not None:
            self._pdf.set_fill_color(fill)
        if line:
            self._pdf.set_draw_color(0)
            self._pdf.set_line_width(line)
        return ("D" if line else "") + ("F" if fill is not None else "")


def _true_size() -> Any:
    from fpdf.prefs import ViewerPreferences

    return ViewerPreferences(print_scaling="None")


def _font_bytes(font: Any) -> bytes:
    """File of the typeface that Pillow includes, so that both canvases use the same."""
    source: io.BytesIO = font.path
    return source.getvalue()


def pictures(sheets: Sequence[Sheet], paper: str) -> list[Image.Image]:
    """Sheets as pictures."""
    out = []
    for sheet in sheets:
        page = Picture(paper)
        sheet(page)
        out.append(page.image)
    return out


def pdf_of(sheets: Sequence[Sheet], paper: str) -> bytes:
    """Sheets as a PDF, one a page."""
    pages = PdfPages(paper)
    for sheet in sheets:
        pages.add(sheet)
    return pages.to_bytes()
