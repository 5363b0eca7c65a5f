"""Squares of drawn boards, photographed and straightened again."""

from __future__ import annotations

import numpy as np

from kibitz.models.training.drawing.covers import EMPTY, TILE
from kibitz.models.training.drawing.scene import make_scene
from kibitz.models.training.sampling.samples import bare_sample


class OneScene:
    """A pool of one drawn scene; `kind` is what every square is said to be."""

    def __init__(self, kind):
        drawn = make_scene(np.random.default_rng(5))
        self.picture = drawn.image
        self.kinds = np.full_like(drawn.kinds, kind)[None]
        self.letters, self.turns = drawn.letters[None], drawn.turns[None]

    def __len__(self):
        return 1

    def image(self, _):
        """The scene's picture."""
        return self.picture


def test_bare_squares_are_cut_out():
    """As many as a look takes; a board full of tiles has none to learn from."""
    known = []
    for kind in (EMPTY, TILE):
        cuts, of = bare_sample(np.random.default_rng(1), OneScene(kind))
        known.append((cuts.shape, set(of.tolist())))

    assert [((48, 60, 60, 3), {1}), ((48, 60, 60, 3), {0})] == known
