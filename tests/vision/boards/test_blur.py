"""Boards out of focus, or moved while the picture was taken, are read without their blur."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz import app
from kibitz.app.reading.results import reading_of
from kibitz.calibration.board_geometry import OneLevel, Pyramid
from kibitz.vision.boards import blur
from kibitz.vision.boards.blur import Blur, BlurRules, deblur, likeliest_blur, log_power
from kibitz.vision.pipeline import OtherScript, Reader
from kibitz.vision.request import ReadRequest

PHOTO = Path(app.__file__).parent / "data" / "demo" / "scrabble" / "12.jpg"
AXES = np.eye(2)


@pytest.fixture(scope="module")
def reader():
    """One reader with the models."""
    return Reader()


@pytest.fixture(scope="module")
def photo():
    """A photograph of a game."""
    return cv2.imread(str(PHOTO))


@pytest.fixture(scope="module")
def board(reader, photo):
    """Where its board lies."""
    return reader.locator.locate(photo, ReadRequest())[0][0]


def disc(radius):
    """What becomes of a point out of focus, drawn four times as large and reduced."""
    side = 4 * (2 * int(np.ceil(radius)) + 1)
    large = np.zeros((side, side), np.float32)
    cv2.circle(large, (side // 2, side // 2), round(4 * radius), 1.0, -1)
    small = cv2.resize(large, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    return small / small.sum()


def line(px, degrees):
    """What becomes of a point that moves."""
    side = 4 * (int(np.ceil(px)) | 1)
    large = np.zeros((side, side), np.float32)
    middle, way = side / 2 - 0.5, np.radians(degrees)
    for step in np.linspace(-2 * px, 2 * px, 16 * int(px)):
        large[round(middle + step * np.sin(way)), round(middle + step * np.cos(way))] += 1
    small = cv2.resize(large, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    return small / small.sum()


def rows(reader, picture, request=None):
    """What is read of a picture's first board."""
    return reading_of("", reader.read(picture, request)).to_json()["boards"][0]["rows"]


def part(photo, board):
    """A board in grey."""
    left, top = board.corners_px.min(0).astype(int)
    right, bottom = board.corners_px.max(0).astype(int)
    return cv2.cvtColor(photo[top:bottom, left:right], cv2.COLOR_BGR2GRAY)


@pytest.mark.parametrize(
    ("degrees", "squares"), [(30, 0.3), (100, 0.25), (150, 0.4), (50, 0.55), (112, 0.75)]
)
def test_a_board_that_moved_is_read_as_one_at_rest(reader, photo, board, degrees, squares):
    """Whichever way it moved."""
    moved = cv2.filter2D(photo, -1, line(squares * board.square_px, degrees))

    assert rows(reader, photo) == rows(reader, moved)


@pytest.mark.parametrize(("squares", "expected"), [(0.15, False), (0.4, True)])
def test_where_letters_read_badly_whatever_fits_best_is_undone(
    reader, photo, board, monkeypatch, squares, expected
):
    """They have nothing to lose: what is sharper after all is taken; others need a clear fit."""
    monkeypatch.setattr(blur, "RULES", BlurRules(fits=0.99))
    moved = Pyramid(cv2.filter2D(photo, -1, line(squares * board.square_px, 30)))
    look = (board, *reader.squares.see(moved, board, ReadRequest()))

    sharp, _ = reader._without_blur(moved, look, ReadRequest())

    assert expected == (sharp is not moved)


def test_letters_that_read_well_without_blur_are_asked_for_no_other_script(
    reader, photo, board, monkeypatch
):
    """Blurred, they look like those of others."""

    def is_of_another(*_):
        raise OtherScript("GREEK", "LATIN", ("el",))

    moved = Pyramid(cv2.filter2D(photo, -1, line(0.4 * board.square_px, 30)))
    look = (board, *reader.squares.see(moved, board, ReadRequest()))
    monkeypatch.setattr(reader.squares, "as_meant", is_of_another)

    sharp, _ = reader._without_blur(moved, look, ReadRequest())

    assert moved is not sharp


@pytest.mark.parametrize("squares", [0.1, 0.14])
def test_a_board_out_of_focus_is_read_as_a_sharp_one(reader, photo, board, squares):
    """Radii of discs in squares."""
    soft = cv2.filter2D(photo, -1, disc(squares * board.square_px))

    assert rows(reader, photo) == rows(reader, soft)


@pytest.mark.parametrize(
    ("detail", "expected"), [(0.3, [False, False]), (0.6, [False, True]), (1.2, [True, True])]
)
def test_tiles_out_of_focus_lack_detail(reader, photo, board, monkeypatch, detail, expected):
    """Sharp ones do not, out of focus by a fifth of a square they do."""
    soft = cv2.filter2D(photo, -1, disc(0.1 * board.square_px))
    seen = [reader.squares.see(Pyramid(x), board, ReadRequest()) for x in (photo, soft)]
    monkeypatch.setattr(blur, "RULES", BlurRules(detail=detail))

    assert expected == [blur.lacks_detail(colours.straight, logs.tile) for colours, logs in seen]


def test_letters_out_of_focus_are_not_believed_as_they_are(reader, photo, board, monkeypatch):
    """However surely they are read: out of focus an M looks just like an H."""
    soft = Pyramid(cv2.filter2D(photo, -1, disc(0.09 * board.square_px)))
    look = (board, *reader.squares.see(soft, board, ReadRequest()))

    told = []
    for detail in (0.0, 0.6):
        monkeypatch.setattr(blur, "RULES", BlurRules(detail=detail))
        told.append(reader.squares.without_blur(soft, look, ReadRequest()))

    assert [True, False] == [x is None for x in told]


def test_the_blur_of_a_film_is_not_undone(reader, photo, board):
    """Another picture comes soon: it is read as it is."""
    soft = Pyramid(cv2.filter2D(photo, -1, disc(0.3 * board.square_px)))
    seen = reader.locator.locate(soft, ReadRequest())[0][0]
    look = (seen, *reader.squares.see(soft, seen, ReadRequest()))

    alone, filmed = (
        reader._without_blur(soft, look, ReadRequest(film=film))[0] for film in (False, True)
    )

    assert (False, True) == (alone is soft, filmed is soft)


def blur_of(grey: np.ndarray, axes: np.ndarray, fits: float = BlurRules().fits) -> Blur | None:
    """The likeliest blur of a board, if it fits so well."""
    found = likeliest_blur(grey, axes)
    return found[0] if found is not None and found[1] > fits else None


@pytest.mark.parametrize(
    ("px", "degrees"), [(6, 160), (8, 20), (12, 75), (16, 130), (20, 50), (28, 112)]
)
def test_a_line_is_told(photo, board, px, degrees):
    """Its length to a tenth, its direction to three degrees."""
    moved = cv2.filter2D(part(photo, board), -1, line(px, degrees))

    told = blur_of(moved, AXES)

    assert told is not None
    assert told.direction is not None
    assert px == pytest.approx(told.px, rel=0.1)
    assert degrees == pytest.approx(np.degrees(told.direction) % 180, abs=3)


@pytest.mark.parametrize("px", [1.8, 3, 4.5, 6, 10.3])
def test_a_disc_is_told(photo, board, px):
    """Its radius to a tenth."""
    told = blur_of(cv2.filter2D(part(photo, board), -1, disc(px)), AXES)

    assert told is not None
    assert told.direction is None
    assert px == pytest.approx(told.px, rel=0.1)


@pytest.mark.parametrize("px", [1.5, 12.0])
def test_what_a_disc_leaves_is_known_for_every_wave_of_a_picture(px):
    """Up to one across two pixels' diagonal, against a sum over four thousand strips."""
    waves = np.linspace(0.0, np.sqrt(0.5), 300, dtype=np.float32)
    along = (np.arange(4000) + 0.5) / 4000
    strips = np.sqrt(1 - along**2)
    exact = np.cos(2 * np.pi * px * waves[:, None] * along) @ (strips / strips.sum())

    assert exact == pytest.approx(Blur(px).left(waves, np.zeros_like(waves)), abs=1e-3)


def test_a_blur_is_told_to_a_quarter_of_a_first_step(photo, board):
    """A direction to nine quarters of a degree, the radius of a disc to three hundredths."""
    sharp = part(photo, board)
    soft = [cv2.filter2D(sharp, -1, x) for x in (line(12, 78), disc(6))]

    moved, unsharp = (blur_of(x, AXES) for x in soft)

    assert moved is not None
    assert unsharp is not None
    assert [76.5, 5.94] == pytest.approx([np.degrees(moved.direction), unsharp.px], abs=0.01)


def test_a_line_is_told_in_a_noisy_picture(photo, board):
    """What is finer than two pixels is noise: three grey levels of it hide no gap."""
    moved = cv2.filter2D(part(photo, board), -1, line(8, 20))
    noise = np.random.default_rng(1).normal(0, 3, moved.shape)

    told = blur_of(np.clip(moved + noise, 0, 255).astype(np.uint8), AXES)

    assert told is not None
    assert 8 == pytest.approx(told.px, rel=0.1)


def test_lines_of_a_board_that_lies_a_degree_askew_are_no_blur():
    """They leave gaps too, in steps across and down; nothing else is on this board."""
    lines = np.full((560, 560), 128.0, np.float32)
    lines[::37] = lines[:, ::37] = 20
    askew = cv2.warpAffine(
        lines, cv2.getRotationMatrix2D((280, 280), 1, 1), (560, 560), borderMode=cv2.BORDER_REFLECT
    )
    grain = cv2.GaussianBlur(np.random.default_rng(1).normal(0, 10, (560, 560)), (0, 0), 1.0)

    assert blur_of(np.clip(askew + grain, 0, 255).astype(np.uint8), AXES, 0.22) is None


@pytest.mark.parametrize(("px", "told"), [(0, False), (10, True)])
def test_how_well_gaps_fit_on_a_blurred_board(photo, board, px, told):
    """A sharp one's by three tenths, those of a wide disc, which leaves little, by six."""
    grey = part(photo, board)
    seen = cv2.filter2D(grey, -1, disc(px)) if px else grey

    assert told == (blur_of(seen, AXES) is not None)


def test_how_well_gaps_must_fit(photo, board):
    """No disc or line fits a sharp picture; the right one fits, but never perfectly."""
    sharp = part(photo, board)
    soft = cv2.filter2D(sharp, -1, disc(4))

    told = [blur_of(x, AXES, f) for x in (sharp, soft) for f in (0.2, 0.4, 0.9)]

    assert [True, False, False, True, True, False] == [x is not None for x in told]


@pytest.mark.parametrize(("rows", "expected"), [(95, False), (96, True)])
def test_no_blur_is_told_of_a_tiny_picture(photo, board, rows, expected):
    """Its spectrum is that of parts of two squares: it must have one."""
    soft = cv2.filter2D(part(photo, board), -1, disc(4))

    assert expected == (blur_of(soft[100 : 100 + rows], AXES) is not None)


def test_noise_fills_a_gap_to_two_thousandths():
    """A line of eight pixels wipes out waves of eight pixels."""
    at = np.array([0.125], np.float32), np.array([0.0], np.float32)

    assert 0.002 == pytest.approx(np.exp(log_power(Blur(8.0, 0.0), *at, BlurRules().noise))[0])


def test_noise_is_made_eleven_times_as_strong_at_most():
    """What blur wipes out is not made up: half the inverse root of 0.002."""
    waves = 128 + 8 * np.sin(np.arange(512) * 2 * np.pi / 8.3).astype(np.float32)
    grey = np.round(np.tile(waves, (512, 1))).astype(np.uint8)
    picture = np.repeat(grey[..., None], 3, -1)

    strength = [
        deblur(picture, grey, Blur(8.0, 0.0), noise)[200:300, 200:300].std() / grey.std()
        for noise in (0.001, BlurRules().noise, 0.004)
    ]

    assert 11.0 == pytest.approx(strength[1], abs=0.3)
    assert [True, True] == [a > 1.1 * b for a, b in pairwise(strength)]


@pytest.mark.parametrize(("chance", "expected"), [(0.55, []), (0.45, [1])])
def test_a_board_that_reads_well_is_taken_as_it_is(
    reader, photo, board, monkeypatch, chance, expected
):
    """What is read without its blur is slower: if rather some letter is wrong than none."""
    tried = []
    tiles = reader.squares.see(Pyramid(photo), board, ReadRequest())[1].tile.sum()
    told = np.full((15, 15, 27), np.log(chance) / tiles, np.float32)
    letters = told, np.zeros((15, 15, 4), np.float32)
    monkeypatch.setattr(blur, "deblur_board", lambda *_, **__: tried.append(1))
    monkeypatch.setattr("kibitz.vision.square_reader.settle_turns", lambda *_: letters)

    rows(reader, photo)

    assert expected == tried


@pytest.mark.parametrize(("fixed", "expected"), [(False, [1]), (True, [])])
def test_the_next_frame_of_a_fixed_camera_is_taken_as_it_is(
    reader, photo, board, monkeypatch, fixed, expected
):
    """Another one comes soon."""
    tried = []
    soft = cv2.filter2D(photo, -1, disc(0.2 * board.square_px))
    monkeypatch.setattr(blur, "deblur_board", lambda *_, **__: tried.append(1))

    rows(reader, soft, ReadRequest(hint=(board,) if fixed else ()))

    assert expected == tried


def test_one_level_gives_no_larger_one(photo):
    """A sharpened picture is as large as it is read, whatever is asked for."""
    half = np.zeros((photo.shape[0] // 2, photo.shape[1] // 2, 3), np.uint8)

    level = OneLevel(Pyramid(photo), 0.5, half)

    assert [half.shape, half.shape] == [level.level(0).shape, level.nearest(1.0)[0].shape]
    assert 0.5 == level.nearest(1.0)[1]
