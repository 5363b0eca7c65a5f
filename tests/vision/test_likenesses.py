"""What is known of how far tiles look alike is kept for tiles that were not read anew."""

from __future__ import annotations

import numpy as np

from vision.own_letters import joined, not_among, still_known, usual_likeness, with_usual

A, B, C = (1, 1), (1, 2), (5, 7)
KNOWN = {A: {B: 0.9, C: 0.4, A: 0.8}, C: {A: 0.4, C: 0.8}}


def anew(*cells: tuple[int, int]) -> np.ndarray:
    out = np.zeros((15, 15), bool)
    for cell in cells:
        out[cell] = True
    return out


def test_what_was_read_anew_is_compared_again():
    """A second tile changed: only what was said of it is asked for once more."""
    kept = still_known(KNOWN, anew(B))
    new = not_among({A: (B, C)}, kept)

    assert {A: {C: 0.4}, C: {A: 0.4}} == kept
    assert {A: (B,)} == new
    assert {A: {B: 0.7, C: 0.4}} == joined({A: (B, C)}, kept, {A: {B: 0.7}})


def test_of_a_doubtful_tile_that_was_read_anew_nothing_is_kept():
    """Its own picture is another."""
    assert {C: {}} == still_known(KNOWN, anew(A))


def test_how_far_tiles_of_one_letter_look_alike_is_true_of_the_board():
    """It is found under any square and said under all."""
    usual = usual_likeness(KNOWN)

    assert 0.8 == usual
    assert {B: {C: 0.3, B: 0.8}} == with_usual({B: {C: 0.3}}, usual)
    assert {B: {C: 0.3}} == with_usual({B: {C: 0.3}}, usual_likeness({B: {C: 0.3}}))
