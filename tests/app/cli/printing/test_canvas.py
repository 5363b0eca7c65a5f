"""What sheets are drawn on: lengths in millimetres, and type that has the letters."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.app.cli.printing.canvas import PAPERS_MM, Picture, pdf_of, pictures, px, text_mm, typed


@pytest.mark.parametrize(("mm", "dots"), [(0.0, 0), (25.4, 300), (12.7, 150), (210.0, 2480)])
def test_three_hundred_dots_are_an_inch(mm, dots):
    """To the nearest dot."""
    assert dots == px(mm)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("Ann", "Ann"),
        ("\N{SNOWMAN}", "?"),
        ("a\N{SNOWMAN}b", "a?b"),
        ("\N{LATIN SMALL LETTER A WITH RING BELOW}", "a"),
    ],
)
def test_a_letter_that_the_type_lacks_is_another(text, expected):
    """Its letter without a mark, or a question mark."""
    assert expected == typed(text)


def test_how_long_a_text_is_grows_with_its_type():
    """Twice as high is twice as long; nothing has no length."""
    assert 0.0 == text_mm("", 4.0)
    assert text_mm("KIBITZ", 8.0) == pytest.approx(2 * text_mm("KIBITZ", 4.0))
    assert text_mm("KIBITZ", 4.0) > text_mm("KIB", 4.0) > 0


@pytest.mark.parametrize("paper", sorted(PAPERS_MM))
def test_a_picture_is_as_large_as_its_paper(paper):
    """And white before anything is drawn."""
    image = Picture(paper).image

    assert tuple(map(px, PAPERS_MM[paper])) == image.size
    assert (255, 255) == image.getextrema()


def black(draw) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what is drawn, in millimetres."""
    (image,) = pictures([draw], "a4")
    rows, columns = np.nonzero(np.array(image) < 128)
    return tuple(25.4 / 300 * x for x in (columns.min(), rows.min(), columns.max(), rows.max()))


@pytest.mark.parametrize(
    ("draw", "edges"),
    [
        (lambda c: c.box(10, 20, 30, 40, 0), (10, 20, 40, 60)),
        (lambda c: c.box(10, 20, 30, 40, None, 0.5), (10, 20, 40, 60)),
        (lambda c: c.disc(50, 60, 5, 0), (45, 55, 55, 65)),
        (lambda c: c.polygon([(10, 10), (20, 10), (10, 30)], 0), (10, 10, 20, 30)),
        (lambda c: c.line(10, 20, 50, 20, 1.0), (10, 19.5, 50, 20.5)),
    ],
    ids=["box", "frame", "disc", "polygon", "line"],
)
def test_a_shape_lies_where_it_was_drawn(draw, edges):
    """To a fifth of a millimetre."""
    assert edges == pytest.approx(black(draw), abs=0.2)


@pytest.mark.parametrize("turn", [False, True])
def test_text_lies_around_its_middle(turn):
    """Along the page, or up it."""
    left, top, right, bottom = black(lambda c: c.text(80, 100, "HHHH", 8.0, turn=turn))
    long, high = text_mm("HHHH", 8.0), 8.0
    wide, tall = (right - left, bottom - top) if not turn else (bottom - top, right - left)

    assert (80, 100) == pytest.approx(((left + right) / 2, (top + bottom) / 2), abs=1.0)
    assert long == pytest.approx(wide, abs=2.0)
    assert 0.4 * high < tall < high


def test_a_pdf_has_a_page_for_each_sheet():
    """Drawn by the same functions."""
    sheets = [lambda c: c.box(10, 10, 10, 10, 0), lambda c: c.text(50, 50, "Ann", 5.0)]
    pdf = pdf_of(sheets, "a4")

    assert pdf.startswith(b"%PDF")
    assert 2 == pdf.count(b"/Type /Page\n")
    assert 2 == len(pictures(sheets, "a4"))
