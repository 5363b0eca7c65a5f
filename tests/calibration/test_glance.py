"""A board that is plainly there is found by one small look; any other by the full one."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz import app
from kibitz.calibration import board_finder
from kibitz.calibration.board_finder import FINDER, GLANCE_PX, BoardNotFound, find_boards
from kibitz.models.session import load_model
from tests.filming.drawing import FilmedBoard, Scene

PICTURES = sorted((Path(app.__file__).parent / "data" / "demo" / "scrabble").glob("*.jpg"))
LEFT, TOP = 700, 500


class Asked:
    """A finder that remembers how large the pictures were that it was shown."""

    def __init__(self):
        self._model, self.sizes = load_model("finder"), []

    @property
    def input_px(self):
        """As the finder itself."""
        return self._model.input_px

    def run(self, pictures):
        """What the finder says."""
        self.sizes.append(pictures.shape[1])
        return self._model.run(pictures)


def far_away(picture):
    """The same board in the midst of a plain table."""
    table = np.empty((picture.shape[0] * 5 // 2, picture.shape[1] * 5 // 2, 3), np.uint8)
    table[:] = np.median(picture[:20].reshape(-1, 3), axis=0)
    table[TOP : TOP + picture.shape[0], LEFT : LEFT + picture.shape[1]] = picture
    return table


@pytest.mark.parametrize("path", PICTURES[:3], ids=lambda p: p.stem)
def test_one_small_look_finds_what_the_full_look_finds(path):
    """Near by only the small look is taken; from afar the full one, and the board is the same."""
    near, far, lattice = Asked(), Asked(), load_model("lattice").run
    picture = cv2.imread(str(path))
    (here,) = find_boards(picture, near, lattice)
    (there,) = find_boards(far_away(picture), far, lattice)
    apart = np.abs(there.corners_px - (LEFT, TOP) - here.corners_px).max() / here.square_px

    assert ([GLANCE_PX], [GLANCE_PX, far.input_px]) == (near.sizes, far.sizes[:2])
    assert apart < 0.25


def test_two_boards_are_found_where_there_is_room_for_two():
    """A small look takes two boards side by side for one at times; both are found."""
    one, other = (cv2.imread(str(p)) for p in PICTURES[1:3])
    found = find_boards(np.hstack([one, other]), Asked(), load_model("lattice").run)

    assert 2 == len(found)


@pytest.mark.parametrize(("known", "expected"), [(1, 1), (2, 2)])
def test_beside_a_board_another_is_looked_for_where_it_is_known_to_lie(known, expected):
    """On a checked cloth the finder takes two boards for one, or sees one of them only.

    What it takes for one is none: it has the middle of a board on it that fits better.
    """
    picture = FilmedBoard(310026, (1280, 720), boards=2).plain(Scene())
    found = find_boards(picture, load_model("finder"), load_model("lattice").run, known=known)
    surely = [g for g in found if g.quality >= FINDER.plain_quality]

    assert [expected, expected] == [len(surely), len(found)]


@pytest.mark.parametrize("path", PICTURES[:3], ids=lambda p: p.stem)
def test_a_board_whose_outline_is_right_is_looked_at_once(path, monkeypatch):
    """Its lattice hardly moves, fits surely and lies on the lines: another look tells no more."""
    model, looks = load_model("lattice").run, []

    def lattice(pictures):
        looks.append(len(pictures))
        return model(pictures)

    picture = cv2.imread(str(path))
    (fitted,) = find_boards(picture, Asked(), model)
    monkeypatch.setattr(board_finder, "outlines", lambda *_: [fitted.corners_px])
    (once,) = find_boards(picture, Asked(), lattice)

    assert [1] == looks
    assert np.abs(once.corners_px - fitted.corners_px).max() / fitted.square_px < 0.1


@pytest.mark.parametrize("path", PICTURES[1::3], ids=lambda p: p.stem)
def test_where_a_lattice_ends_does_not_depend_on_where_it_begins(path, monkeypatch):
    """Two outlines that are off by a fifth of a square, this way and that."""
    picture, model = cv2.imread(str(path)), load_model("lattice").run
    (board,) = find_boards(picture, Asked(), model)
    off = np.array([(1.0, -1), (1, 1), (-1, 1), (1, -1)]) * board.square_px / 5
    ends = []
    for way in (off, -off):
        monkeypatch.setattr(board_finder, "outlines", lambda _, way=way: [board.corners_px + way])
        ends += find_boards(picture, Asked(), model)

    assert ends[0].corners_off_px(ends[1]) / board.square_px < 0.05


class Blind(Asked):
    """A finder to which nothing looks like a board."""

    def run(self, pictures):
        """Nowhere is there one."""
        return np.full_like(super().run(pictures), -8.0)


@pytest.mark.parametrize("path", PICTURES[:3], ids=lambda p: p.stem)
def test_a_board_that_fills_the_picture_is_found_without_an_outline(path):
    """Its colours may be unlike those of any board: its lattice tells."""
    picture, lattice = cv2.imread(str(path)), load_model("lattice").run
    (whole,) = find_boards(picture, Asked(), lattice)
    rim = whole.square_px / 2
    left, top = np.maximum(0, whole.corners_px.min(0) - rim).astype(int)
    right, bottom = (whole.corners_px.max(0) + rim).astype(int)
    (found,) = find_boards(picture[top:bottom, left:right], Blind(), lattice)

    there = np.add(found.corners_px, (left, top))
    apart = np.abs(there - whole.corners_px).max() / whole.square_px
    assert apart < 0.25
    with pytest.raises(BoardNotFound):
        find_boards(far_away(picture), Blind(), lattice)
