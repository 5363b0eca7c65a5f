"""Letters of a blurred board are believed as far as it is sharp."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz import app
from kibitz.app.reading.lines import read_line
from kibitz.vision.boards.blur import BlurRules, believed, sharpness
from kibitz.vision.pipeline import Reader

DEMO = Path(app.__file__).parent / "data" / "demo" / "scrabble" / "12.jpg"
SURE = np.log(np.array([0.98, 0.01, 0.01], np.float32))


def chequered(blur=0.0, low=40, high=200):
    """A straightened board of light and dark squares, more or less blurred."""
    cells = np.where(np.indices((17, 17)).sum(0) % 2, low, high).astype(np.uint8)
    picture = np.repeat(np.kron(cells, np.ones((24, 24), np.uint8))[..., None], 3, -1)
    return cv2.GaussianBlur(picture, (0, 0), blur) if blur else picture


def test_blur_makes_a_board_less_sharp():
    """The more the less; its contrast makes no difference, and without any nothing is said."""
    sharp, soft, softer = (sharpness(chequered(x), 24) for x in (0, 2, 4))

    assert sharp > soft > softer
    assert sharp == pytest.approx(sharpness(chequered(0, 80, 160), 24), rel=0.05)
    assert sharpness(chequered(0, 100, 110), 24) is None


@pytest.mark.parametrize(
    ("sharp", "expected"), [(None, 0.98), (2.5, 0.98), (1.4, 0.98), (0.6, 0.333), (0.2, 0.333)]
)
def test_what_is_believed_at_the_ends(sharp, expected):
    """All of it down to 1.4, nothing from 0.6."""
    assert expected == pytest.approx(float(np.exp(believed(SURE, sharp)[0])), abs=0.001)


def test_where_edges_are_few_all_of_them_count():
    """One strong line on a flat board: most of the strongest edges are none."""
    board = chequered(0, 100, 140)
    board[:] = 100
    board[:, 200:] = 140
    whole = sharpness(board, 24, BlurRules(edges=0.5))

    assert whole is not None
    assert whole < sharpness(board, 24, BlurRules(edges=0.001))


def test_between_them_belief_falls_evenly():
    """Half way the odds are their square roots."""
    half = np.exp(believed(SURE, 1.0))

    assert half[0] / half[1] == pytest.approx(98**0.5, rel=0.01)


@pytest.mark.parametrize(
    "other", [{"edges": 0.5}, {"outliers": 0.4}, {"least_contrast": 250.0}, {"noise": 40.0}]
)
def test_what_is_measured_counts(other):
    """How many edges, what is no contrast, and how much of it there must be."""
    board = chequered(2)
    board[30:60] = 255

    assert sharpness(board, 24) != sharpness(board, 24, BlurRules(**other))


def test_the_ends_count():
    """Sharpness that is enough by other numbers is believed."""
    one, other = believed(SURE, 1.2), believed(SURE, 1.2, BlurRules(sharp=1.1))

    assert [True, False] == [bool((x == SURE).all()) for x in (other, one)]
    assert believed(SURE, 1.0, BlurRules(unreadable=0.9))[0] < believed(SURE, 1.0)[0]


def test_past_reading_no_letter_is_told_for_sure():
    """A sharp picture reads as ever; one blurred by half a square gives `#` and no sure letter."""
    reader, picture = Reader(), cv2.imread(str(DEMO))
    board = reader.read(picture).boards[0]
    rows = "".join(read_line("", reader.read(picture))["boards"][0]["rows"])
    soft = cv2.GaussianBlur(picture, (0, 0), board.square_px * 0.16)
    line = read_line("", reader.read(soft))["boards"][0]
    told = list(zip(rows, "".join(line["rows"]), np.ravel(line["confidence"]), strict=True))

    assert [] == [
        (a, b) for a, b, sure in told if a.isupper() and b.isupper() and b != a and sure > 0.9
    ]
    assert sum(b == "#" for _, b, _ in told) > 10
