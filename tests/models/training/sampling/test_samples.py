"""Squares of drawn boards, photographed and straightened again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kibitz.models.training.drawing.covers import EMPTY, TILE
from kibitz.models.training.drawing.scene import make_scene
from kibitz.models.training.sampling.pool import Scenes
from kibitz.models.training.sampling.samples import bare_sample


def test_bare_squares_are_cut_out():
    """As many as a look takes; a board full of tiles has none to learn from."""
    known, drawn = [], make_scene(np.random.default_rng(5), in_depth=True)
    for kind in (EMPTY, TILE):
        pool = Scenes([replace(drawn, kinds=np.full_like(drawn.kinds, kind))])
        cuts, of = bare_sample(np.random.default_rng(1), pool)
        known.append((cuts.shape, set(of.tolist())))

    assert [((48, 60, 60, 3), {1}), ((48, 60, 60, 3), {0})] == known
