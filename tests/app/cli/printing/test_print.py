"""What is printed has the size that it is said to have."""

from __future__ import annotations

import contextlib
import json
import re
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

import kibitz
from kibitz.app.cli.main import app
from kibitz.app.cli.printing.canvas import DPI, PAPERS_MM, pictures, px, typed
from kibitz.app.cli.printing.marker_page import LEFT_MM, TOP_MM
from kibitz.app.cli.printing.print import PrintJob, check, print_job, sheets_of
from kibitz.app.cli.printing.sheets import (
    EDGE_MM,
    HEAD_MM,
    MARGIN_MM,
    RIM_MM,
    SHADE,
    CardPiece,
    StripPiece,
    coordinate_strips,
    grid_side_mm,
    lay_out,
    room_mm,
    ship_cards,
    zones_for,
)
from kibitz.app.common.errors import UsageError
from kibitz.calibration.markers import CORNER_IDS, DICTIONARY, MARKER_MM

DOT_MM = 25.4 / DPI


def pages_of(job: PrintJob) -> list[Image.Image]:
    """The pages as pictures."""
    return pictures(sheets_of(job), job.paper)


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
    cards = ship_cards(square_mm, ("Ann", "Bob"))

    assert [c.length for c in cards] == [5, 4, 3, 3, 2] * 2
    assert {round(c.length * square_mm - c.width_mm, 6) for c in cards} == {1.2}
    assert {c.height_mm for c in cards} == {0.84 * square_mm}


def test_a_card_on_the_page() -> None:
    """The frame drawn on the page has the card's size to a dot."""
    job = PrintJob(("cards",), square_mm=18.5, players=1)
    (page,) = pages_of(job)
    (carrier, *_) = ship_cards(18.5, ("Player 1",))
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
    pieces: list[CardPiece | StripPiece] = [*ship_cards(square_mm, ("A", "B", "C", "D"))]
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


def test_cards_say_whose_they_are() -> None:
    """The player's name and the ship stand on every card."""
    cards = ship_cards(19.0, ("Ann", "Bob"))

    assert [c.text for c in cards[4:6]] == ["Ann · patrol", "Bob · carrier"]


PLACES = ((1, 2, False), (13, 8, False), (10, 2, True), (2, 12, True), (9, 12, False))
"""Row, column and whether it lies down the board, for each card of a fleet."""


def with_cards(picture: np.ndarray, corners_px: np.ndarray, name: str) -> np.ndarray:
    """A photograph of a board on which a printed fleet was laid, in perspective."""
    px_a_square = 60
    end = 15.0 * px_a_square
    flat = np.array([[0, 0], [end, 0], [end, end], [0, end]], np.float32)
    onto = cv2.getPerspectiveTransform(flat, corners_px.astype(np.float32))
    (page,) = pages_of(PrintJob(("cards",), 19.0, 1, names=(name,)))
    (pieces,) = lay_out(ship_cards(19.0, (name,)), "a4")
    out = picture.astype(np.float32)
    for placed, (row, col, down) in zip(pieces, PLACES, strict=True):
        x, y = px(placed.x_mm), px(placed.y_mm)
        wide, high = px(placed.piece.width_mm), px(placed.piece.height_mm)
        card = np.asarray(page)[y : y + high, x : x + wide]
        card = np.rot90(card, -1).copy() if down else card.copy()
        length = placed.piece.length
        middle = np.array(
            [col + (0.5 if down else length / 2), row + (length / 2 if down else 0.5)]
        )
        scale = px_a_square / px(19.0)
        corner = middle * px_a_square - scale / 2 * np.array(card.shape[::-1])
        lay = onto @ np.array([[scale, 0, corner[0]], [0, scale, corner[1]], [0, 0, 1]])
        size = picture.shape[1::-1]
        ink = cv2.warpPerspective(card.astype(np.float32), lay, size, flags=cv2.INTER_AREA)
        there = cv2.warpPerspective(np.full_like(card, 255), lay, size) > 127
        out[there] = (cv2.GaussianBlur(ink, (0, 0), 0.8) * 0.92 + 10)[there][:, None]
    return out.clip(0, 255).astype(np.uint8)


@pytest.mark.parametrize("name", ["Ann", "WILHELMINA XXX"])
def test_printed_cards_are_read_and_their_names_are_not(name: str) -> None:
    """Every card is found on its squares, and no letter of a name is taken for a tile."""
    photo = kibitz.examples()["scrabbleship"] / "03.jpg"
    board = kibitz.read(photo, game="scrabbleship").boards[0]
    laid = with_cards(cv2.imread(str(photo)), np.array(board.corners), name)
    read = kibitz.read(laid, game="scrabbleship").boards[0]

    assert sorted((c.squares[0], c.squares[-1]) for c in read.ship_cards) == [
        ("B3", "B7"), ("C13", "E13"), ("J13", "J14"), ("K3", "M3"), ("N9", "N12"),
    ]  # fmt: skip
    assert board.rows == read.rows


@pytest.mark.parametrize(
    ("players", "squares", "corners"),
    [
        (1, [225], [("A1", "O15")]),
        (2, [105, 105], [("A1", "G15"), ("I1", "O15")]),
        (3, [49, 49, 49], [("A1", "G7"), ("A9", "G15"), ("I1", "O7")]),
        (4, [49, 49, 49, 49], [("A1", "G7"), ("A9", "G15"), ("I1", "O7"), ("I9", "O15")]),
    ],
)
def test_a_sheet_shows_the_zone_of_its_player(
    players: int, squares: list[int], corners: list[tuple[str, str]]
) -> None:
    """Zones as the rules have them (SS-5); somebody alone has the whole board."""
    zones = zones_for(players)

    assert [len(z) for z in zones] == squares
    assert [(min(z).name, max(z).name) for z in zones] == corners


def test_a_grid_sheet_on_the_page() -> None:
    """White squares in the own zone, grey ones outside it, all of the size that fills the paper."""
    job = PrintJob(("grids",), players=2, names=("Ann", "Bob"))
    page = np.asarray(pages_of(job)[0])
    side = grid_side_mm("a4")
    left, top = MARGIN_MM + RIM_MM, MARGIN_MM + HEAD_MM + RIM_MM
    shades = [int(page[px(top + (row + 0.5) * side), px(left + 4.5 * side)]) for row in range(15)]

    assert [255] * 7 + [SHADE] * 8 == shades
    assert page.shape == (px(297.0), px(210.0))


def test_a_grid_sheet_for_each_player() -> None:
    """Four without a word, else as many as are named."""
    assert len(pages_of(PrintJob(("grids",)))) == 4
    assert len(pages_of(PrintJob(("grids",), players=2, names=("Ann", "Bob")))) == 2


def drawn_in(pdf: Path) -> list[str]:
    """What each page of a PDF draws, as its operators."""
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf.read_bytes(), re.DOTALL)
    texts = []
    for stream in streams:
        with contextlib.suppress(zlib.error):
            texts.append(zlib.decompress(stream).decode("latin-1"))
    return [text for text in texts if " re" in text]


@pytest.mark.parametrize("paper", sorted(PAPERS_MM))
def test_the_pdf_has_pages_of_the_papers_size(tmp_path: Path, paper: str) -> None:
    """A4 is 210 by 297 mm: 595.3 by 841.9 points; no printer is to fit it to its paper."""
    out = tmp_path / "all.pdf"
    call = ["print", "--json", "--players", "2", "--paper", paper, "-o", str(out)]
    done = CliRunner().invoke(app, call)
    facts, data = json.loads(done.stdout), out.read_bytes()
    (box,) = set(re.findall(rb"/MediaBox \[ ?([\d. ]+)\]", data))
    size_mm = [float(x) / 72 * 25.4 for x in box.split()][2:]

    assert done.exit_code == 0
    assert f"/Count {facts['pages']}".encode() in data
    assert b"/PrintScaling /None" in data
    assert np.allclose(size_mm, PAPERS_MM[paper], atol=0.1)


def test_the_pdf_is_drawn_and_no_picture(tmp_path: Path) -> None:
    """Every card, its line included, has its size in the PDF's own numbers."""
    out = tmp_path / "cards.pdf"
    job = PrintJob(("cards",), square_mm=18.5, players=1, output=out)
    print_job(job)
    (page,) = drawn_in(out)
    boxes = re.findall(r"^([\d.]+) ([\d.]+) ([\d.]+) -([\d.]+) re B", page, re.MULTILINE)
    found = [[float(x) / 72 * 25.4 for x in box] for box in boxes]
    wanted = [
        [p.x_mm + EDGE_MM / 2, p.piece.width_mm - EDGE_MM, p.piece.height_mm - EDGE_MM]
        for placed in lay_out(ship_cards(18.5, ("Player 1",)), "a4")
        for p in placed
    ]

    assert b"/Subtype /Image" not in out.read_bytes()
    assert np.allclose([[x, wide, high] for x, _, wide, high in found], wanted, atol=0.01)


@pytest.mark.parametrize("paper", sorted(PAPERS_MM))
def test_printed_markers_are_found_in_true_size(paper: str) -> None:
    """All four are recognised, and each is 30 mm wide."""
    (page,) = pages_of(PrintJob(("markers",), paper=paper))
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY))
    _, ids, _ = detector.detectMarkers(np.asarray(page))
    extent = dark_extent(page, LEFT_MM, TOP_MM)

    assert set(CORNER_IDS) == set(ids.ravel().tolist())
    assert np.allclose(extent, MARKER_MM, atol=2 * DOT_MM)


@pytest.mark.parametrize(
    ("name", "shown"), [("Ann", "Ann"), ("Żaneta Łuk", "Zaneta Luk"), ("Zoë", "Zoe"), ("漢", "?")]
)
def test_a_letter_that_the_typeface_lacks_loses_its_mark(name: str, shown: str) -> None:
    """No letter of a name vanishes."""
    assert shown == typed(name)


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
        (PrintJob(("boats",)), "cards, strips, grids, markers"),
        (PrintJob(square_mm=3.0), "--square-mm"),
        (PrintJob(players=5), "--players"),
        (PrintJob(players=2, names=("Ann",)), "expected 2 names for --players 2, got 1"),
        (PrintJob(players=1, names=("A" * 21,)), "--names: expected 1 to 20 letters"),
        (PrintJob(players=2, names=("Ann", "")), "--names: expected 1 to 20 letters"),
        (PrintJob(paper="a5"), "--paper"),
        (PrintJob(output=Path("x.doc")), "--out"),
    ],
)
def test_what_cannot_be_printed(job: PrintJob, told: str) -> None:
    """A wrong call says which option it was and what was expected."""
    with pytest.raises(UsageError, match=told):
        check(job)
