"""Tiles between squares and tiles in fingers: what nobody can tell is not asked of a network."""

from __future__ import annotations

import numpy as np

from kibitz.models.training.drawing import scene
from kibitz.models.training.drawing.covers import COVERED, EMPTY, IGNORE, TILE

ROW = np.zeros((15, 15), np.bool_)
ROW[7, 3:8] = True


def pushed(seed: int) -> tuple[float, set[tuple[int, int]]]:
    """How far a row's tiles were pushed, in squares, and the squares that are hidden then."""
    kinds = np.where(ROW, TILE, EMPTY).astype(np.uint8)
    centres = np.zeros((15, 15, 2))
    scene.push_row(np.random.default_rng(seed), ROW, kinds, centres)
    hidden = {(int(r), int(c)) for r, c in np.argwhere(kinds == COVERED)}
    return float(abs(centres).max() / scene.SQUARE_PX), hidden


def test_a_tile_near_its_square_is_on_it():
    """Up to where nobody can say to which of two squares it belongs."""
    found = [pushed(seed) for seed in range(200)]
    near = [hidden for off, hidden in found if 0 < off <= scene.HALF_OFF]
    between = [hidden for off, hidden in found if off > scene.HALF_OFF]

    assert [set()] * len(near) == near
    assert all(hidden for hidden in between)
    assert min(len(near), len(between)) > 10


def test_what_is_between_hides_both_squares():
    """The tiles' own, and the free ones towards which they were pushed."""
    row = {(7, c) for c in range(3, 8)}
    hidden = [squares for off, squares in map(pushed, range(200)) if off > scene.HALF_OFF]

    assert [True] * len(hidden) == [bool(h & row) and bool(h - row) for h in hidden]


def test_no_tile_is_pushed_onto_another():
    """Tiles stay a square apart, however they lie."""
    nearest = set()
    for seed in range(200):
        rng = np.random.default_rng([1, seed])
        layout = scene.random_layout(rng)
        centres = np.mgrid[0:15, 0:15].transpose(1, 2, 0)[..., ::-1] * float(scene.SQUARE_PX)
        scene.push_row(rng, layout, np.zeros((15, 15), np.uint8), centres)
        tiles = centres[layout] / scene.SQUARE_PX
        if len(tiles) > 1:
            apart = abs(tiles[:, None] - tiles).max(-1) + 9 * np.eye(len(tiles))
            nearest.add(round(float(apart.min()), 6))

    assert 1.0 == min(nearest)


def test_a_tile_in_fingers_hides_what_is_below_it(monkeypatch):
    """Nothing else of the truth changes, and every such square looks other than before."""
    found = set()
    for seed in range(4):
        drawn = []
        for share in (0.0, 1.0):
            monkeypatch.setattr(scene, "SLID", 0.0)
            monkeypatch.setattr(scene, "HELD", share)
            drawn.append(scene.make_scene(np.random.default_rng([5, seed])))
        plain, other = drawn
        changed = plain.kinds != other.kinds
        found |= {int(kind) for kind in other.kinds[changed]}
        p, lo = scene.SQUARE_PX, int(scene.MARGIN * scene.SQUARE_PX)
        for row, col in np.argwhere(changed):
            at = np.s_[lo + row * p : lo + (row + 1) * p, lo + col * p : lo + (col + 1) * p]
            assert not np.array_equal(plain.image[at], other.image[at])

    assert {COVERED, IGNORE} == found
