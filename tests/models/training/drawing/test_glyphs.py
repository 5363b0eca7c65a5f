"""Tiles drawn for training look as makers print them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from kibitz.models.training.drawing.glyphs import (
    SUBSCRIPT,
    TileStyle,
    face_ink,
    random_tile_style,
    sprite,
    unusual,
    with_numeral_below,
)

SIDE_PX = 96
FAMILY = "montserrat-700"


PLAIN = replace(
    random_tile_style(np.random.default_rng(1)),
    family=FAMILY,
    letter_size=0.5,
    letter_dx=0.11,
    letter_dy=0.0,
    width=0.9,
    height=0.9,
    stretch=1.0,
    embolden=0,
    numeral="br",
    numeral_size=0.28,
    numeral_inset=0.08,
)
"""A large numeral in the corner, near its letter."""
SUBSCRIPTS = replace(
    PLAIN,
    letter_size=0.36,
    letter_dx=-0.05,
    numeral=SUBSCRIPT,
    numeral_size=0.12,
    numeral_inset=0.05,
)


def _inked(char: str, style: TileStyle) -> np.ndarray:
    """What of a tile with a letter and its value is inked."""
    ink = face_ink(np.random.default_rng(1), style, char, SIDE_PX, honest=True)
    return (ink > 0.5).astype(np.uint8)


def _pieces(char: str) -> int:
    """How many pieces of ink a tile has that bears a letter and its value at its foot."""
    return cv2.connectedComponents(_inked(char, PLAIN))[0] - 1


def _boxes(char: str, style: TileStyle) -> list[tuple[int, ...]]:
    """Left, top, right and bottom of the letter and of its numeral."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(_inked(char, style))
    large = sorted(stats[1:].tolist(), key=lambda s: -s[cv2.CC_STAT_AREA])
    return [(x, y, x + w, y + h) for x, y, w, h, _ in large[:2]]


def test_a_numeral_never_touches_its_letter():
    """An O with a numeral on its edge would be a Q."""
    assert {2} == {_pieces(char) for char in "OAEQ"}


def test_a_numeral_may_touch_a_mark_below_its_letter():
    """On Polish tiles the tail of an Ą runs into its value."""
    assert 1 == _pieces("Ą")


def test_a_subscript_follows_the_foot_of_its_letter():
    """As far from a wide letter as from a narrow one, its foot where the letter's is."""
    gaps, drops = set(), set()
    for char in "EMT":
        (_, _, right, foot), (left, _, _, bottom) = _boxes(char, SUBSCRIPTS)
        gaps.add(left - right)
        drops.add(abs(bottom - foot) <= 2)

    assert gaps <= {5, 6}
    assert {True} == drops


def test_an_ogonek_may_go_on_from_the_foot():
    """A tail to the right and below, where the letter without it has nothing."""
    tailed = replace(SUBSCRIPTS, numeral="none", tail=(0.3, 0.2))
    a, with_tail = (_inked(char, tailed) for char in "AĄ")
    tail = np.argwhere(with_tail & ~a)
    (_, _, right, foot), *_ = _boxes("A", tailed)
    cap = SUBSCRIPTS.letter_size * SIDE_PX

    assert 0 == (a & ~with_tail).sum()
    assert tail.max(0).tolist() == [
        pytest.approx(foot + 0.2 * cap, abs=3),
        pytest.approx(right + 0.3 * cap, abs=3),
    ]


def test_numerals_stand_centred_below_the_letter():
    """Near to it and far from it, never beside."""
    gaps = []
    for seed in range(12):
        style = with_numeral_below(np.random.default_rng(seed), PLAIN)
        (left, _, right, foot), (n_left, top, n_right, _) = _boxes(
            "E", replace(style, letter_dx=0)
        )
        gaps.append((top - foot) / SIDE_PX)
        assert 0 == pytest.approx((left + right - n_left - n_right) / 2, abs=3)

    assert 0 < min(gaps) < 0.06
    assert 0.12 < max(gaps)


def test_sets_of_unusual_looks_are_of_every_kind():
    """Numerals below, letters that lean, are made by hand, worn or in lower case."""
    plain = [random_tile_style(np.random.default_rng(seed)) for seed in range(600)]
    looks = [unusual(np.random.default_rng([9, k]), style) for k, style in enumerate(plain)]
    below = [s.numeral == "bc" for s, was in zip(looks, plain, strict=True) if was.numeral != "bc"]
    leaning = [s.slant > 0 for s in looks if not s.wobble]

    usual = [
        unusual(np.random.default_rng([9, k]), style, further=False)
        for k, style in enumerate(plain)
    ]

    assert [s.numeral for s in plain] == [s.numeral for s in usual]
    assert [0.0] * 600 == [s.worn for s in usual]
    assert 0.11 < np.mean([s.worn > 0 for s in looks]) < 0.19
    assert 0.15 < np.mean(below) < 0.25
    assert 0.1 < np.mean(leaning) < 0.2
    assert 0.05 < np.mean([s.wobble > 0 for s in looks]) < 0.12
    assert 0.02 < np.mean([s.lower for s in looks]) < 0.07


def test_a_worn_print_has_lost_ink_in_places():
    """Never all of it, never beside the print, and of one tile more than of another."""
    style = replace(PLAIN, body=(1.0,) * 3, ink=(0.0,) * 3, worn=0.6, grain=0.0, bevel=0.0)
    lost = []
    for seed in range(20):
        whole, worn = (
            1 - sprite(np.random.default_rng(seed), s, "E")[..., 0]
            for s in (replace(style, worn=0.0), style)
        )
        printed = whole > 0.5 * whole.max()
        left = worn[printed] / whole[printed]
        assert np.array_equal(whole[whole == 0], worn[whole == 0])
        assert 0.3 < left.min()
        assert left.max() <= 1.0 + 1e-6
        lost.append(1 - left.mean())

    assert min(lost) < 0.1 < 0.4 < max(lost)
