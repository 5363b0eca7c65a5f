"""Tiles close up, as the networks for single squares learn them."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.models.training.drawing.scene import make_scene
from kibitz.models.training.sampling import faces, turns
from kibitz.models.training.sampling.pool import Scenes


@pytest.fixture(scope="module")
def pool():
    """Something to lay tiles on."""
    return Scenes([make_scene(np.random.default_rng(5), in_depth=True)])


def sample(pool, seed):
    return faces.sign_sample(np.random.default_rng([3, seed]), pool)


def test_tiles_of_a_set_are_letters_or_signs(pool):
    """Squares of the size that reading cuts out, and of each whether it shows no letter."""
    cuts, signs = sample(pool, 2)

    assert (48, 60, 60, 3) == cuts.shape
    assert (48,) == signs.shape
    assert {0, 1} == set(signs.tolist())


def test_some_sets_have_no_signs(pool):
    """So that nothing has to be a sign; of all tiles less than a third are."""
    shares = [float(sample(pool, seed)[1].mean()) for seed in range(12)]

    assert 0.0 in shares
    assert 0.05 < np.mean(shares) < 0.33


def test_letters_of_other_scripts_are_letters(pool, monkeypatch):
    """A set in Greek has signs on its blanks only."""
    monkeypatch.setattr(faces, "OTHER_SCRIPTS", 1.0)
    drawn, sprite = [], faces.glyphs.sprite

    def remember(rng, style, char, *rest):
        drawn.append((char, style.family))
        return sprite(rng, style, char, *rest)

    monkeypatch.setattr(faces.glyphs, "sprite", remember)
    _, signs = sample(pool, 4)
    letters = {char for char, _ in drawn} - {"?"}

    assert letters
    assert all(ord(x) >= 0x370 for x in letters)
    assert {"scripts"} | {f.split("/")[0] for _, f in drawn} >= {f.split("/")[0] for _, f in drawn}
    assert signs.mean() < 0.6


def test_tiles_stand_upright_however_they_lie(pool, monkeypatch):
    """As a board's tiles do once they are read."""
    facing, cut, laid_by = [], faces.cut_squares, faces._laid

    def laid(*how):
        out = laid_by(*how)
        facing.append(out.facing)
        return out

    lying = []

    def kept(crops, at, **how):
        lying.append((at, cut(crops, at, **how)))
        return lying[-1][1]

    monkeypatch.setattr(faces, "_laid", laid)
    monkeypatch.setattr(faces, "cut_squares", kept)
    turned = 0
    for seed in range(8):
        cuts, _ = sample(pool, seed)
        (at, lay), turns_of = lying[-1], facing[-1]
        each = turns_of[tuple(at.T)].tolist()
        turned += sum(t > 0 for t in each)
        assert np.array_equal(cuts, [np.rot90(x, t) for x, t in zip(lay, each, strict=True)])

    assert turned > 0


def test_moved_and_mirrored_tiles_show_what_they_showed(pool):
    """A letter in a mirror is no sign, whichever way up."""
    cuts, signs = sample(pool, 2)
    moved, told = turns.sign((cuts, signs), 1, False)
    mirrored, in_mirror = turns.sign((cuts, signs), 1, True)

    assert np.array_equal(np.roll(cuts, (2, -2), (1, 2)), moved)
    assert np.array_equal(np.rot90(cuts, 2, (1, 2))[:, :, ::-1], mirrored)
    assert np.array_equal(signs, told)
    assert np.array_equal(signs, in_mirror)


def test_tiles_are_seen_as_they_lie_or_in_a_mirror(pool):
    """The same tiles, a little aside, any way up; what is unknown says nothing of either."""
    cuts, known = faces.mirror_sample(np.random.default_rng([4, 1]), pool)
    plain, lies = turns.mirror((cuts, known), 3, False)
    swapped, shown = turns.mirror((cuts, known), 3, True)
    _, unknown = turns.mirror((cuts, 0 * known), 3, True)

    assert ((48, 60, 60, 3), 48) == (cuts.shape, known.sum())
    assert np.array_equal(plain[:, :, ::-1], swapped)
    assert ({0}, {1}, {255}) == tuple(set(x.tolist()) for x in (lies, shown, unknown))


def test_numerals_stand_on_the_right_where_a_mirror_is_learnt(pool, monkeypatch):
    """Whatever side a drawn set would have them on: no real one has them on the left."""
    sides, sprite = set(), faces.glyphs.sprite
    monkeypatch.setattr(
        faces.glyphs,
        "sprite",
        lambda rng, style, *of, **more: (
            sides.add(style.numeral) or sprite(rng, style, *of, **more)
        ),
    )
    for seed in range(12):
        faces.mirror_sample(np.random.default_rng([4, seed]), pool)

    assert "br" in sides
    assert {"bl", "tl"}.isdisjoint(sides)
