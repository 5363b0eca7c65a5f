"""When a position before a camera counts as at rest."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.app.cameras.settling import REST, Rest, board_mask, newly_hidden, seen_in
from kibitz.vision.stream.fusing import fused, same_boards
from tests.helpers.fake_readings import reading_of_rows

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
EMPTY = ["." * 15] * 15
CORNERS = [[320.0, 180.0], [960.0, 180.0], [960.0, 820.0], [320.0, 820.0]]
RULE = REST


def board(word: str, corners=CORNERS):
    rows = [*EMPTY[:7], f"....{word}".ljust(15, "."), *EMPTY[8:]]
    return reading_of_rows(rows, LETTERS, corners_px=corners)


def test_two_readings_soon_after_a_movement_are_enough():
    """Frames are read shortly before 0.4 seconds are over, and judged then."""
    rest = Rest()
    asked, judged = [], []
    for i in range(8):
        still = i / 10
        if rest.wants(still, 5 + still, RULE):
            asked.append(still)
            rest.add(board("CAT"))
        if rest.to_judge(still, RULE):
            judged.append(still)
            rest.judged(1.0)

    assert ([0.3, 0.4], [0.4]) == (asked, judged)


@pytest.mark.parametrize(("early_s", "expected"), [(0.0008, True), (0.0014, False)])
def test_times_are_compared_to_the_millisecond(early_s, expected):
    """A camera's clock is no finer."""
    rest = Rest()
    asked = rest.wants(RULE.rest_s - RULE.ahead_s - early_s, 5.0, RULE)
    for _ in range(2):
        rest.add(board("CAT"))

    assert [expected, expected] == [asked, rest.to_judge(RULE.rest_s - early_s, RULE)]


def test_what_was_judged_is_judged_again_once_more_was_read():
    """Not before, however long it rests."""
    rest = Rest()
    judged = []
    for still, more in ((0.4, 2), (0.5, 0), (0.8, 1)):
        for _ in range(more):
            rest.add(board("CA"))
        judged.append(rest.to_judge(still, RULE))
        rest.judged(RULE.doubtful_s)

    assert [True, False, True] == judged


@pytest.mark.parametrize("patience", [0.7, 3.0])
def test_a_doubtful_position_is_judged_again_later(patience):
    """It is read once more when its patience is over, tiles that are no play yet last."""
    rest = Rest()
    for _ in range(2):
        rest.add(board("CA"))
    assert patience in (RULE.doubtful_s, RULE.half_laid_s)
    rest.judged(patience)
    times = [patience - 0.1, patience]

    assert [False, True] == [rest.wants(s, s, RULE) for s in times]
    rest.add(board("CA"))
    assert rest.to_judge(patience, RULE)


def test_what_changed_after_it_was_judged_is_judged_anew():
    """Two readings that agree with each other, but not with those before, are enough again."""
    rest = Rest()
    for word in ("CA", "CA"):
        rest.add(board(word))
    rest.judged(RULE.half_laid_s)
    found = []
    for word in ("CAT", "CAT"):
        rest.add(board(word))
        found.append((len(rest.readings), rest.to_judge(0.8, RULE)))

    assert [(1, False), (2, True)] == found


def test_what_is_told_is_read_again_after_a_while():
    """A position at rest costs nothing until then."""
    rest = Rest()
    rest.add(board("CAT"))
    rest.settle(10.0, RULE.again_s)

    assert [False, False, True] == [rest.wants(s, 10 + s, RULE) for s in (1.0, 4.9, 5.0)]


def test_a_reading_that_differs_begins_anew():
    """Two readings of one rest that do not agree are no reading of it."""
    rest = Rest()
    rest.add(board("CAT"))
    rest.add(board("CATS"))

    assert 1 == len(rest.readings)
    assert not rest.to_judge(0.6, RULE)


def test_a_board_is_looked_for_afresh_once_as_long_as_nothing_moves():
    """A position that was told is read again after a while; where its board lies is known."""
    rest = Rest(looked_afresh=True)
    rest.add(board("CAT"))
    rest.settle(5.4, RULE.again_s)
    rest.add(board("CAT"))

    assert (False, True) == (rest.done, rest.looked_afresh)


def test_readings_of_one_place_are_averaged():
    """A letter that one of three pictures shows otherwise stays what the others show."""
    readings = [board("CAT"), board("CAT"), board("CAR")]
    text = seen_in(fused(readings)).text

    assert seen_in(board("CAT")).text == text


def test_the_newest_counts_where_the_board_was_moved():
    """Readings from another place are left out."""
    pushed = [[x + 60, y] for x, y in CORNERS]
    readings = [board("CAT"), board("DOG", pushed)]

    assert not same_boards(*readings)
    assert readings[1] is fused(readings)


def test_confidence_does_not_grow_with_pictures():
    """Ten pictures of the same are as sure as one."""
    one, ten = board("CAT"), fused([board("CAT")] * 10)

    assert np.allclose(one.boards[0].kind_log_prob, ten.boards[0].kind_log_prob, atol=1e-5)


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ({}, {0: [0.9, 0.9]}, 0),
        ({0: [0.05, 0.95]}, {0: [0.05, 0.95]}, 0),
        ({0: [0.05, 0.05]}, {0: [0.95, 0.95]}, 2),
        ({0: [0.1, 0.4]}, {0: [0.6, 0.95]}, 0),
        ({0: [0.08, 0.12, 0.08]}, {0: [0.92, 0.92, 0.88]}, 1),
        ({(0, 0): [0.05]}, {(0, 1): [0.95], (0, 0): [0.05]}, 0),
    ],
)
def test_only_what_is_hidden_for_sure_and_was_in_sight_is_under_a_hand(before, now, expected):
    """Squares of which it is not clear, and boards that were not known, say nothing."""
    then, here = ({k: np.array([row], np.float32) for k, row in x.items()} for x in (before, now))

    assert expected == newly_hidden(here, then)


def test_movement_matters_on_the_board_and_just_beside_it():
    """The mask covers the board with a margin of half a square, not the table around."""
    mask = board_mask(board("CAT"))
    assert mask is not None
    height, width = mask.shape
    scale = width / board("CAT").width

    def at(x: float, y: float) -> int:
        return int(mask[round(y * scale), round(x * scale)])

    assert (height, width) == (320, 320)
    assert (1, 1, 0, 0) == (at(640, 500), at(300, 500), at(284, 500), at(640, 900))


def test_what_a_rest_takes_by_itself():
    """Two pictures of a position are read; for a second after a play it may go on."""
    assert (2, 1.0) == (RULE.readings, RULE.soon_s)
