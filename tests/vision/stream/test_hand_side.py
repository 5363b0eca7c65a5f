"""From which side of a board a hand comes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kibitz.vision.stream import hand_side
from kibitz.vision.stream.hand_side import (
    SIDE,
    HandWatch,
    bands_beside,
    is_beside,
    side_of,
    side_towards,
)
from tests.helpers.fake_readings import reading_of_rows

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CORNERS = [[200.0, 200.0], [800.0, 200.0], [800.0, 800.0], [200.0, 800.0]]
BOARD = reading_of_rows(["." * 15] * 15, LETTERS, corners_px=CORNERS).boards[0]
BANDS = bands_beside(BOARD, (1000, 1000), 320)
REST = np.zeros((320, 320), np.float32)
ARMS = {
    "top": (slice(0, 160), slice(140, 180)),
    "bottom": (slice(160, 320), slice(140, 180)),
    "left": (slice(140, 180), slice(0, 160)),
    "right": (slice(140, 180), slice(160, 320)),
}


def arm(*sides: str) -> np.ndarray:
    """The table with arms that reach to its middle."""
    out = REST.copy()
    for side in sides:
        out[ARMS[side]] = 1.0
    return out


@pytest.mark.parametrize("side", list(ARMS))
def test_an_arm_comes_from_its_side(side):
    """Where it crosses the board's edge."""
    assert side == side_of(REST, arm(side), BANDS)


@pytest.mark.parametrize("sides", [(), ("top", "left")])
def test_no_arm_or_two_tell_nothing(sides):
    """It must be clear."""
    assert side_of(REST, arm(*sides), BANDS) is None


@pytest.mark.parametrize(
    ("name", "value"), [("least_share", 0.5), ("lead", 20.0), ("depth_squares", 15.0)]
)
def test_how_clear_it_must_be(name, value, monkeypatch):
    """A small shadow at the other edge, and a large one far from the board."""
    seen = arm("top")
    seen[296:320, 64:256] = 1.0
    seen[260:266, 120:130] = 1.0

    assert "top" == side_of(REST, seen, BANDS)

    monkeypatch.setattr(hand_side, "SIDE", replace(SIDE, **{name: value}))

    assert "top" != side_of(REST, seen, bands_beside(BOARD, (1000, 1000), 320))


@pytest.mark.parametrize(("frames", "expected"), [(2, "left"), (3, None)])
def test_one_picture_is_not_enough(frames, expected, monkeypatch):
    """A movement has two pictures of an arm at least; a new play begins without any."""
    monkeypatch.setattr(hand_side, "SIDE", replace(SIDE, frames=frames))
    watch = HandWatch()
    watch.boards_at(BANDS)
    watch.look(REST, SIDE.rests_s)
    for _ in range(2):
        watch.look(arm("left"), 0.0)
    found = watch.side()
    watch.forget()

    assert (expected, None) == (found, watch.side())


@pytest.mark.parametrize(("pictures", "expected"), [(1, None), (2, "left")])
def test_how_many_pictures_of_an_arm_tell_its_side(pictures, expected):
    """Two of one movement."""
    watch = HandWatch()
    watch.boards_at(BANDS)
    watch.look(REST, SIDE.rests_s)
    for _ in range(pictures):
        watch.look(arm("left"), 0.0)

    assert expected == watch.side()


@pytest.mark.parametrize(("still_s", "expected"), [(0.75, True), (1.5, False)])
def test_an_arm_that_holds_still_for_a_second_rests(still_s, expected):
    """Then it belongs to the table."""
    watch = HandWatch()
    watch.boards_at(BANDS)
    for shown, for_s in [(REST, 2.0), (arm("left"), 0.0), (arm("left"), still_s)]:
        watch.look(shown, for_s)

    assert expected == watch.there


def test_what_lies_still_is_no_hand_that_comes():
    """It may be what was laid: only pictures in which something moves tell the side."""
    watch = HandWatch()
    watch.boards_at(BANDS)
    for shown, still_s in [(REST, 1.0), (arm("left"), 0.0), (arm("left"), 0.1)]:
        watch.look(shown, still_s)

    assert (None, True) == (watch.side(), watch.there)


@pytest.mark.parametrize(("rests_s", "expected"), [(0.5, False), (1.0, True)])
def test_how_long_an_arm_holds_still_until_it_rests(rests_s, expected, monkeypatch):
    """Then it belongs to the table."""
    monkeypatch.setattr(hand_side, "SIDE", replace(SIDE, rests_s=rests_s))
    watch = HandWatch()
    watch.boards_at(BANDS)
    for shown, still_s in [(REST, 1.0), (arm("left"), 0.0), (arm("left"), 0.5)]:
        watch.look(shown, still_s)

    assert expected == watch.there


@pytest.mark.parametrize(
    ("x", "y", "side"), [(0, -1, "top"), (2, 1, "right"), (1, 2, "bottom"), (-1, 0, "left")]
)
def test_sides_of_the_picture(x, y, side):
    """Y grows downwards."""
    assert side == side_towards(x, y)


def test_an_arm_is_seen_where_the_picture_ends_at_the_board():
    """No table is in the picture above the board: the arm is looked for on its first rows."""
    corners = [[200.0, 0.0], [800.0, 0.0], [800.0, 600.0], [200.0, 600.0]]
    cut = reading_of_rows(["." * 15] * 15, LETTERS, corners_px=corners).boards[0]
    bands = bands_beside(cut, (1000, 1000), 320)

    assert "top" == side_of(REST, arm("top"), bands)
    assert "left" == side_of(REST, arm("left"), bands)


@pytest.mark.parametrize(("beyond", "expected"), [(0.0, True), (1.0, True), (1.8, False)])
def test_how_far_outside_the_board_a_hand_is_beside_it(beyond, expected):
    """Up to a square and a half; what moves further off is no hand at the board."""
    px = 600 / 15 * 320 / 1000
    hand = REST.copy()
    hand[round(256 + beyond * px) : 320, 130:200] = 1.0

    assert expected == is_beside(REST, hand, BANDS)


@pytest.mark.parametrize(("squares", "expected"), [(1.4, False), (3.0, True)])
def test_an_arm_beside_the_board_goes_on_outside(squares, expected):
    """What ends just beside the edge may be the light round a tile on it."""
    px = 600 / 15 * 320 / 1000
    seen = REST.copy()
    seen[256 : round(256 + squares * px), 130:200] = 1.0

    assert expected == is_beside(REST, seen, BANDS)


def test_where_the_picture_ends_beside_the_board_an_arm_need_not_go_on():
    """Nothing further can be seen there."""
    px = 600 / 15 * 320 / 1000
    corners = [[200.0, 342.0], [800.0, 342.0], [800.0, 942.0], [200.0, 942.0]]
    low = reading_of_rows(["." * 15] * 15, LETTERS, corners_px=corners).boards[0]
    seen = REST.copy()
    seen[round(942 * 0.32) : 320, 130:200] = 1.0

    assert 320 < round(942 * 0.32 + 1.5 * px)
    assert is_beside(REST, seen, bands_beside(low, (1000, 1000), 320))


def test_a_thin_arm_is_an_arm():
    """One that is as wide as a square; of half that it may be anything."""
    wide, thin = REST.copy(), REST.copy()
    wide[0:100, 150:163] = 1.0
    thin[0:100, 150:156] = 1.0

    assert ("top", None) == (side_of(REST, wide, BANDS), side_of(REST, thin, BANDS))


@pytest.mark.parametrize(("apart_px", "expected"), [(6, True), (7, False)])
def test_an_arm_of_one_shade_shows_at_its_edges(apart_px, expected):
    """What lies between them is arm too, up to the width of what is larger than noise."""
    edges = REST.copy()
    for left in (150, 153 + apart_px):
        edges[0:100, left : left + 3] = 1.0

    assert (expected, "top" if expected else None) == (
        is_beside(REST, edges, BANDS),
        side_of(REST, edges, BANDS),
    )


@pytest.mark.parametrize(("depth", "expected"), [(1.5, "bottom"), (0.1, None)])
def test_a_hand_that_reaches_over_two_edges_comes_from_where_its_arm_goes_on(
    depth, expected, monkeypatch
):
    """It works at the corner; its fingers end beyond the left edge, its arm goes on below."""
    hand = REST.copy()
    hand[200:320, 64:100] = 1.0
    hand[216:256, 38:64] = 1.0
    monkeypatch.setattr(hand_side, "SIDE", replace(SIDE, depth_squares=depth))

    assert expected == side_of(REST, hand, bands_beside(BOARD, (1000, 1000), 320))


def test_an_arm_is_there_until_it_leaves_or_rests():
    """Against the table as it last was at rest."""
    watch = HandWatch()
    watch.boards_at(BANDS)
    there = []
    for shown, still_s in [(REST, 1.0), (arm("left"), 0.0), (REST, 0.0), (arm("left"), 1.0)]:
        watch.look(shown, still_s)
        there.append(watch.there)

    assert [False, True, False, False] == there


@pytest.mark.parametrize(("shown", "expected"), [("left", True), ("right", True), (None, False)])
def test_of_two_boards_an_arm_lies_beside_either(shown, expected):
    """It is there as beside one board; whose side it came from is not told."""
    watch = HandWatch()
    watch.boards_at({"left": BANDS["left"]}, {"right": BANDS["right"]})
    watch.look(REST, 1.0)
    for _ in range(3):
        watch.look(REST if shown is None else arm(shown), 0.0)

    assert (expected, None) == (watch.there, watch.side())


def test_an_arm_that_rested_is_not_there_when_it_has_left():
    """The table is as it was before it came; an arm from another side is there."""
    watch = HandWatch()
    watch.boards_at(BANDS)
    there = []
    looks = [(REST, 1.0), (arm("top"), 0.0), (arm("top"), 1.0)]
    for relief, still_s in [*looks, (REST, 0.0), (arm("left"), 0.0)]:
        watch.look(relief, still_s)
        there.append(watch.there)

    assert [False, True, False, False, True] == there


@pytest.mark.parametrize(("further", "expected"), [(0.5, True), (0.2, False)])
def test_a_wrist_is_thinner_than_a_hand(further, expected):
    """Filmed: a hand three quarters of a square wide beside the board, its wrist half a one."""
    px = 600 / 15 * 320 / 1000
    seen = REST.copy()
    for start, end, width in ((0.0, 1.5, 0.75), (1.5, 3.0, further)):
        rows = slice(round(256 + start * px), round(256 + end * px))
        seen[rows, 160 : 160 + round(width * px)] = 1.0

    assert expected == is_beside(REST, seen, BANDS)


def beside_each_other():
    """Two boards, half a square apart, and the bands beside each."""
    left, right = (
        reading_of_rows(
            ["." * 15] * 15,
            LETTERS,
            corners_px=[[x, 300.0], [x + 400, 300.0], [x + 400, 700.0], [x, 700.0]],
        ).boards[0]
        for x in (90.0, 510.0)
    )
    size = (1000, 1000)
    return bands_beside(left, size, 320, [right]), bands_beside(right, size, 320, [left])


@pytest.mark.parametrize(
    ("rows", "columns", "expected"),
    [
        ((224, 320), (60, 90), True),
        ((224, 320), (220, 250), True),
        ((110, 125), (164, 180), False),
    ],
    ids=["an arm at the left board", "an arm at the right one", "a tile between"],
)
def test_of_two_boards_an_arm_may_lie_beside_either(rows, columns, expected):
    """A tile at the rim of one is no arm beside the other; whose side it is nobody says."""
    watch = HandWatch()
    watch.boards_at(*beside_each_other())
    seen = REST.copy()
    seen[slice(*rows), slice(*columns)] = 1.0
    watch.look(REST, 1.0)
    for _ in range(10):
        watch.look(seen, 0.0)

    assert (expected, None) == (watch.there, watch.side())
