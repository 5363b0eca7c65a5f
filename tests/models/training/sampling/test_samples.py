"""Squares of drawn boards, photographed and straightened again."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from kibitz.models.training.drawing.board_art import canvas_px
from kibitz.models.training.drawing.covers import EMPTY, TILE
from kibitz.models.training.drawing.scene import make_scene
from kibitz.models.training.sampling import samples
from kibitz.models.training.sampling.pool import Scenes
from kibitz.models.training.sampling.samples import bare_sample, sized


def test_bare_squares_are_cut_out():
    """As many as a look takes; a board full of tiles has none to learn from."""
    known, drawn = [], make_scene(np.random.default_rng(5), in_depth=True)
    for kind in (EMPTY, TILE):
        pool = Scenes([replace(drawn, kinds=np.full_like(drawn.kinds, kind))])
        cuts, of = bare_sample(np.random.default_rng(1), pool)
        known.append((cuts.shape, set(of.tolist())))

    assert [((48, 60, 60, 3), {1}), ((48, 60, 60, 3), {0})] == known


@pytest.mark.parametrize("squares", [9, 15, 21])
def test_a_scene_is_cut_to_another_size(squares):
    """Rows and columns of its middle are left out or doubled; those at the edges stay."""
    drawn = make_scene(np.random.default_rng(5), in_depth=True)

    other = sized(drawn, squares)

    side = canvas_px(squares)
    assert (side, side, 3) == other.image.shape == other.raised.tops[..., :3].shape
    assert (squares, squares) == other.kinds.shape
    assert np.array_equal(drawn.letters[:4, -4:], other.letters[:4, -4:])
    assert np.array_equal(drawn.image[:64, :64], other.image[:64, :64])


def test_two_boards_on_one_table_are_two_areas(monkeypatch):
    """Both are in the truth of what a finder learns from, their inner parts apart."""
    pool = Scenes([make_scene(np.random.default_rng(k), in_depth=True) for k in (1, 2)])
    monkeypatch.setattr(samples, "IN_DEPTH", 1.0)
    areas = set()
    for share in (0.0, 1.0):
        monkeypatch.setattr(samples, "PAIRS", share)
        for k in range(6):
            _, truth = samples.finder_sample(np.random.default_rng([4, k]), pool)
            areas.add((share, cv2.connectedComponents(truth[1])[0] - 1))

    assert {(0.0, 1), (1.0, 1), (1.0, 2)} == areas
