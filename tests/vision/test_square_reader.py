"""What is asked of squares: whose script their letters are, and how boards are put together."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.calibration.board_geometry import geometry_from_corners
from kibitz.vision.boards.colours.tile_colours import SquareColours
from kibitz.vision.boards.square_logs import SquareLogs
from kibitz.vision.pipeline import Reader
from kibitz.vision.request import LATIN, ReadRequest
from kibitz.vision.square_reader import OtherScript, as_panel, put_together, pyramid_of

GREEK, RUSSIAN = tuple("ΑΒΓΔΕ"), tuple("АБВГДЖ")


@pytest.fixture(scope="module")
def squares():
    """The published networks."""
    return Reader().squares


@pytest.mark.parametrize(
    ("shape", "kind"),
    [((4, 4), np.uint8), ((4, 4, 4), np.uint8), ((4, 4, 3), np.float32), ((0,), np.uint8)],
)
def test_a_picture_has_three_colours_of_one_byte(shape, kind):
    """What came is told."""
    with pytest.raises(ValueError, match=r"expected a picture of shape \(h, w, 3\) uint8, got"):
        pyramid_of(np.zeros(shape, kind))


@pytest.mark.parametrize(
    ("letters", "by_script"),
    [(LATIN, False), (GREEK, True), (RUSSIAN, True), ((*GREEK, "A"), False)],
)
def test_letters_that_the_looks_have_no_name_for_are_told_by_their_script(
    squares, letters, by_script
):
    """If one of them has a name, the looks tell."""
    request = ReadRequest(15, letters)

    assert by_script == squares.by_script(request)
    assert "?" == squares.labels(request)[-1]
    assert set(letters) & set(squares.labels(request))


@pytest.mark.parametrize(
    ("sets", "said"), [(("ru",), "--tiles ru,"), (("ru", "uk", "bg"), "--tiles ru (or uk, bg),")]
)
def test_another_script_is_named_with_its_sets(sets, said):
    """The likeliest first, and what else may be done."""
    told = OtherScript("CYRILLIC", "LATIN", sets)

    assert ("other_script", sets) == (told.code, told.tile_sets)
    assert said in str(told)
    assert "teach their look" in str(told)


@pytest.mark.parametrize(
    "changed",
    [
        {"known": False},
        {"hint": (geometry_from_corners([(0, 0), (9, 0), (9, 9), (0, 9)], 15, 10, 10),)},
    ],
    ids=["nobody knows the letters", "a fixed camera"],
)
def test_a_script_is_not_doubted_where_it_cannot_be_wrong(squares, changed):
    """However badly the letters read, no tile is cut out."""
    request = ReadRequest(15, LATIN, **changed)

    assert None is squares.check_script(lambda: 1 / 0, -1e9, request)
    assert None is squares.check_loose([1], lambda _: 1 / 0, request)


def test_loose_tiles_without_doubt_are_not_asked_about(squares):
    """There is none that reads badly."""
    assert None is squares.check_loose([], lambda _: 1 / 0, ReadRequest("loose", LATIN))


def test_of_a_board_among_nine_a_first_look_has_to_do():
    """All else is asked as it was."""
    request = ReadRequest(45, GREEK, closely=True, film=True)

    assert ReadRequest(45, GREEK, closely=False, film=True) == as_panel(request)


def test_nine_boards_lie_three_by_three():
    """Row by row, without the rims between them."""
    px = 24
    looks = []
    for number in range(9):
        straight = np.full((17 * px, 17 * px, 3), 10 * number, np.uint8)
        logs = SquareLogs(
            np.full((15, 15, 4), number, float), np.full((15, 15, 3, 4), number, float)
        )
        looks.append((None, SquareColours(straight, px), logs))
    colours, logs = put_together(looks)

    assert ((45, 45, 4), (45, 45, 3, 4)) == (logs.kind.shape, logs.both.shape)
    assert [[0, 1, 2], [3, 4, 5], [6, 7, 8]] == logs.kind[7::15, 7::15, 0].astype(int).tolist()
    assert (47 * px, 47 * px, 3) == colours.straight.shape
    assert [0, 80, 0] == [int(colours.straight[at, at, 0]) for at in (0, 45 * px, 46 * px + 1)]
