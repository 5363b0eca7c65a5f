"""Premium squares close up, as the mirror network learns their print."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.models.training.drawing import board_art
from kibitz.models.training.sampling import prints


def sample(seed):
    return prints.print_sample(np.random.default_rng([4, seed]))


def test_squares_are_cut_out():
    """As many as a look takes, of the size that reading cuts out, and all to be learnt from."""
    cuts, known = sample(1)

    assert (48, 60, 60, 3) == cuts.shape
    assert [1] * 48 == known.tolist()


@pytest.mark.parametrize("words", [True, False])
def test_a_board_says_what_its_premium_squares_are(monkeypatch, words):
    """In words, up to three lines, or in short forms; the same on all squares of a kind."""
    said, patch = [], board_art.text_patch

    def noted(rng, lines, *more):
        said.append(tuple(lines))
        return patch(rng, lines, *more)

    monkeypatch.setattr(board_art, "text_patch", noted)
    monkeypatch.setattr(prints, "OF_WORDS", float(words))
    for seed in range(3):
        sample(seed)

    assert 3 * 4 == len(said)
    assert {words} == {all(x.upper() in prints.WORDS for x in lines) for lines in said}
    assert max(map(len, said)) <= 3


def test_print_can_be_read(monkeypatch):
    """At the size of a cut most of it is still there: squares differ from bare colour."""
    usual, patch = sample(2)[0], board_art.text_patch

    def faint(*args):
        ink, cover = patch(*args)
        return ink, cover * 0

    monkeypatch.setattr(board_art, "text_patch", faint)
    bare = sample(2)[0]
    middle = np.s_[:, 18:42, 18:42]
    spread = [float(cuts[middle].std((1, 2)).mean()) for cuts in (usual, bare)]

    assert spread[0] > 1.5 * spread[1]
