"""How far looks and colours are believed about squares without a letter, and letters in glare."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.calibration.quality import ViewRule
from kibitz.vision.boards.colours.believed import (
    BelievedRules,
    BlankEvidence,
    as_believed,
    letters_as_believed,
    letters_count,
    odds_of_tile,
)
from kibitz.vision.readings import COVERED_KIND, EMPTY_KIND, MARKER_KIND, TILE_KIND

ROUND = BelievedRules(usual=0.8, doubted=0.5)
MOST = 4.0


def kinds(odds, covered=0.01, card=0.0):
    """(1, 1, 4) a square with log odds of a tile to what is none."""
    tile = 1 / (1 + np.exp(-odds))
    p = np.array([(1 - tile) * (1 - card), tile, (1 - tile) * card, 0.0]) * (1 - covered)
    p[COVERED_KIND] = covered
    return np.log(np.maximum(p, 1e-12)).astype(np.float32)[None, None]


def believed(odds, looks, colours, unlike=0.0, lettered=0.0, rules=ROUND):
    """Log odds of a tile afterwards, of what looks and colours say."""
    one = np.float32([0]).astype(np.intp)
    said = (np.float32([x]) for x in (looks, colours, lettered, unlike))
    asked = BlankEvidence(kinds(odds), (one, one), *said, MOST)
    return round(float(odds_of_tile(as_believed(asked.kind, asked, rules))[0, 0]), 2)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"odds": -5.0, "looks": -4.0, "colours": -1.0}, -4.0),  # both say bare: usual
        ({"odds": -5.0, "looks": -9.0, "colours": 4.0}, -2.0),  # colours plainly against
        ({"odds": -5.0, "looks": -7.0, "colours": 2.0}, -2.83),  # half as plainly
        ({"odds": -5.0, "looks": 4.0, "colours": -9.0}, -2.0),  # looks against
        ({"odds": 5.0, "looks": -4.0, "colours": 9.0}, 2.0),
        ({"odds": -5.0, "looks": -2.5, "colours": -2.5, "lettered": 1.0}, -2.83),  # half of it
        ({"odds": -5.0, "looks": 0.0, "colours": -5.0, "lettered": 0.5}, -2.83),
        ({"odds": -5.0, "looks": -5.0, "colours": 0.0, "lettered": 1.0}, -4.0),
        (
            {"odds": 5.0, "looks": 0.0, "colours": 5.0, "lettered": 1.0},
            4.0,
        ),  # of bare squares only
        ({"odds": 5.0, "looks": 4.0, "colours": 1.0, "unlike": 0.5}, 2.83),  # half as far
        ({"odds": -5.0, "looks": -4.0, "colours": -1.0, "unlike": 0.5}, -4.0),  # of tiles only
        ({"odds": 5.0, "looks": -9.0, "colours": 14.0, "unlike": 9.0}, 1.0),
    ],
)
def test_each_doubt_makes_less_of_it(said, expected):
    """Log odds count so many times; what is likelier stays so, however much is doubted."""
    assert expected == believed(**said)


def test_as_it_was_fitted():
    """What counts for both alike, against a little and a lot, a tile like no other."""
    bare, rules = {"odds": -5.0, "looks": -4.0, "colours": -1.0}, BelievedRules()
    found = [
        believed(**bare, rules=rules),
        believed(-5.0, -7.0, 2.0, rules=rules),
        believed(-5.0, -12.0, 5.0, rules=rules),
        believed(5.0, 4.0, 1.0, unlike=0.5, rules=rules),
        believed(5.0, 4.0, 1.0, unlike=1.0, rules=rules),
    ]

    assert [-3.25, -1.78, -0.975, 1.78, 0.975] == pytest.approx(found, abs=0.006)


def test_what_lies_under_a_hand_is_left_as_it_is():
    """And elsewhere what hides a square, or how a bare square and a card share, is not changed."""
    zero, said = np.zeros(1, np.intp), np.float32([-9.0])
    out = []
    for kind in (kinds(-2.0, covered=0.9), kinds(-2.0, covered=0.1, card=0.25)):
        none = np.zeros(1, np.float32)
        asked = BlankEvidence(kind, (zero, zero), said, said, none, none)
        out.append(np.exp(as_believed(kind, asked, ROUND))[0, 0])

    assert np.allclose(out[0], np.exp(kinds(-2.0, covered=0.9))[0, 0])
    assert [0.1, 1.0] == [round(float(x), 3) for x in (out[1][COVERED_KIND], out[1].sum())]
    assert 3.0 == pytest.approx(out[1][EMPTY_KIND] / out[1][MARKER_KIND], abs=1e-3)
    assert out[1][TILE_KIND] == pytest.approx(0.9 / (1 + np.exp(1.6)), abs=1e-3)


def test_where_nothing_is_in_doubt_nothing_changes():
    """No square was asked about."""
    kind = kinds(3.0)

    assert np.array_equal(kind, as_believed(kind, BlankEvidence.nothing(kind)))


def letters(*chances):
    """(1, 1, letters) log probabilities."""
    return np.log(np.float32(chances))[None, None]


@pytest.mark.parametrize(
    ("chances", "burnt", "expected"),
    [
        ((0.9, 0.08, 0.02), 0.0, (0.9, 0.08, 0.02)),
        ((0.9, 0.08, 0.02), 0.5, (0.75, 0.2, 0.05)),  # odds 9 become 3
        ((0.9, 0.08, 0.02), 1.0, (0.634, 0.293, 0.073)),
        ((0.5, 0.3, 0.2), 1.0, (0.5, 0.3, 0.2)),
        ((0.2, 0.45, 0.35), 1.0, (0.2, 0.45, 0.35)),
    ],
)
def test_a_letter_is_less_sure_the_more_of_it_is_burnt_out(chances, burnt, expected):
    """Half of its log odds for half of a square; what is likelier than not stays so."""
    part = np.full((1, 1), burnt, np.float32)
    counts = letters_count(part, 40.0, BelievedRules(doubted=0.25))
    out = np.exp(letters_as_believed(letters(*chances), counts))

    assert expected == pytest.approx(out[0, 0].tolist(), abs=0.001)


def test_a_certain_letter_is_no_longer_certain_in_glare():
    """All others are nothing: each gets a share, and together they are one."""
    letter = letters(1.0, 1e-12, 1e-12)
    counts = letters_count(np.ones((1, 1), np.float32), 40.0, ROUND)
    out = np.exp(letters_as_believed(letter, counts))[0, 0]

    assert 0.9 < out[0] < 0.9999
    assert 1.0 == pytest.approx(float(out.sum()), abs=1e-3)


@pytest.mark.parametrize(
    ("square_px", "burnt", "expected"), [(14.0, 0.0, None), (7.0, 0.0, 0.5), (7.0, 1.0, 0.125)]
)
def test_a_letter_of_a_small_square_counts_in_proportion(square_px, burnt, expected):
    """Squares of 14 pixels are read easily; what light burns out counts besides."""
    part = np.full((1, 1), burnt, np.float32)
    counts = letters_count(
        part, square_px, BelievedRules(doubted=0.25), ViewRule(good_square_px=14)
    )

    assert expected == (None if counts is None else float(counts[0, 0]))
