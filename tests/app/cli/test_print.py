"""What is printed has the size that it is said to have."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from kibitz.app.cli.main import app
from kibitz.app.cli.print import PrintJob, check, pages_of
from kibitz.app.cli.sheets import (
    DPI,
    MARGIN_MM,
    PAPERS_MM,
    CardPiece,
    StripPiece,
    coordinate_strips,
    lay_out,
    room_mm,
    ship_cards,
)
from kibitz.app.common.errors import UsageError

DOT_MM = 25.4 / DPI


def dark_extent(page: Image.Image, x_mm: float, y_mm: float) -> tuple[float, float]:
    """Width and height in millimetres of the frame that begins at a place."""
    dark = np.asarray(page) < 128
    x, y = round(x_mm / DOT_MM), round(y_mm / DOT_MM)
    across = np.flatnonzero(~dark[y + 1, x:])[0]
    down = np.flatnonzero(~dark[y:, x + 1])[0]
    return float(across) * DOT_MM, float(down) * DOT_MM


@pytest.mark.parametrize("square_mm", [16.0, 18.5, 19.0])
def test_cards_have_the_size_of_their_ships(square_mm: float) -> None:
    """Each card is as long as its squares, less what lets it lie between its neighbours."""
    cards = ship_cards(square_mm, 2)

    assert [c.length for c in cards] == [5, 4, 3, 3, 2] * 2
    assert {round(c.length * square_mm - c.width_mm, 6) for c in cards} == {1.2}
    assert {c.height_mm for c in cards} == {0.84 * square_mm}


def test_a_card_on_the_page() -> None:
    """The frame drawn on the page has the card's size to a dot."""
    job = PrintJob(("cards",), square_mm=18.5, players=1)
    (page,) = pages_of(job)
    (carrier, *_) = ship_cards(18.5, 1)
    width, height = dark_extent(page, MARGIN_MM, MARGIN_MM)

    assert abs(width - carrier.width_mm) <= 2 * DOT_MM
    assert abs(height - carrier.height_mm) <= 2 * DOT_MM


@pytest.mark.parametrize(("square_mm", "parts"), [(12.0, 1), (18.5, 2), (19.0, 2), (30.0, 3)])
def test_strips_keep_step_with_the_board(square_mm: float, parts: int) -> None:
    """Every label is a square wide, and the parts of a side add up to fifteen squares."""
    strips = coordinate_strips(square_mm, room_mm("a4"))
    sides = [strips[i : i + parts] for i in range(0, len(strips), parts)]

    assert len(sides) == 4
    for side in sides:
        assert abs(sum(s.width_mm for s in side) - 15 * square_mm) < 1e-9
        assert all(abs(s.width_mm / len(s.labels) - square_mm) < 1e-9 for s in side)
    assert "".join("".join(s.labels) for s in sides[2]) == "ABCDEFGHIJKLMNO"
    assert [x for s in sides[0] for x in s.labels] == [str(n) for n in range(1, 16)]


@pytest.mark.parametrize("paper", sorted(PAPERS_MM))
@pytest.mark.parametrize("square_mm", [8.0, 19.0, 34.0])
def test_every_piece_lies_on_its_page(paper: str, square_mm: float) -> None:
    """No piece sticks out of the page or lies on another."""
    width, height = PAPERS_MM[paper]
    pieces: list[CardPiece | StripPiece] = [*ship_cards(square_mm, 4)]
    pieces += coordinate_strips(square_mm, room_mm(paper))
    pages = lay_out(pieces, paper)

    assert sum(len(page) for page in pages) == len(pieces)
    for page in pages:
        for p in page:
            assert p.x_mm + p.piece.width_mm <= width - MARGIN_MM + 1e-9
            assert p.y_mm + p.piece.height_mm <= height - MARGIN_MM
            for q in page:
                apart_x = q.x_mm >= p.x_mm + p.piece.width_mm
                apart_y = q.y_mm >= p.y_mm + p.piece.height_mm
                assert p is q or apart_x or apart_y or q.x_mm < p.x_mm or q.y_mm < p.y_mm


def test_the_pdf_has_pages_of_the_papers_size(tmp_path: Path) -> None:
    """A4 is 210 by 297 mm: 595.3 by 841.9 points."""
    out = tmp_path / "all.pdf"
    done = CliRunner().invoke(app, ["print", "--json", "--players", "2", "-o", str(out)])
    facts = json.loads(done.stdout)
    boxes = re.findall(rb"/MediaBox \[ ?([\d. ]+)\]", out.read_bytes())

    assert done.exit_code == 0
    assert len(boxes) == facts["pages"]
    for box in boxes:
        _, _, width, height = (float(x) for x in box.split())
        assert abs(width / 72 * 25.4 - 210.0) < 0.1
        assert abs(height / 72 * 25.4 - 297.0) < 0.1


def test_png_pages_know_their_scale(tmp_path: Path) -> None:
    """A PNG a page, with its dots an inch."""
    out = tmp_path / "sea.png"
    done = CliRunner().invoke(
        app, ["print", "cards", "strips", "--json", "--paper", "letter", "-o", str(out)]
    )
    files = [Path(f) for f in json.loads(done.stdout)["files"]]

    assert len(files) > 1
    for file in files:
        with Image.open(file) as page:
            assert [round(x) for x in page.info["dpi"]] == [DPI, DPI]
            assert abs(page.width * DOT_MM - 215.9) < DOT_MM


@pytest.mark.parametrize(
    ("job", "told"),
    [
        (PrintJob(("boats",)), "cards, strips, markers"),
        (PrintJob(square_mm=3.0), "--square-mm"),
        (PrintJob(players=5), "--players"),
        (PrintJob(paper="a5"), "--paper"),
        (PrintJob(output=Path("x.doc")), "--output"),
    ],
)
def test_what_cannot_be_printed(job: PrintJob, told: str) -> None:
    """A wrong call says which option it was and what was expected."""
    with pytest.raises(UsageError, match=told):
        check(job)
