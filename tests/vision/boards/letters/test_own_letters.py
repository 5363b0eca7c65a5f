"""Faces of tiles are kept, with what is known of how far they look alike."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.vision.boards.letters.own_letters import (
    LOOKED_AT_PX,
    Faces,
    LazySimilarity,
    likenesses,
    turned,
    twins,
)

A, B, C = (1, 1), (1, 2), (5, 7)


def cuts(count: int) -> np.ndarray:
    """So many faces that have nothing in common."""
    side = LOOKED_AT_PX + 8
    return np.random.default_rng(1).integers(0, 256, (count, side, side, 3), np.uint8)


def anew(*cells: tuple[int, int]) -> np.ndarray:
    out = np.zeros((15, 15), bool)
    for cell in cells:
        out[cell] = True
    return out


@pytest.fixture
def faces() -> Faces:
    out = Faces()
    out.add([A, B, C], cuts(3)[[0, 0, 1]])
    return out


def test_equal_faces_correlate_and_others_do_not(faces: Faces):
    """A tile looks like itself on another square."""
    found = faces.alike(A, [B, C])

    assert (1.0, True) == (round(found[B], 3), found[C] < 0.3)


@pytest.mark.parametrize(("same_px", "alike"), [(32, True), (30, False)])
def test_how_much_of_a_tile_is_its_face(same_px: int, alike: bool):
    """The middle 32 pixels of a square; what lies around may be another tile's."""
    two = cuts(2)
    rim = (two.shape[1] - same_px) // 2
    inner = np.s_[rim : rim + same_px, rim : rim + same_px]
    two[1][inner] = two[0][inner]
    faces = Faces()
    faces.add([A, B], two)

    assert alike == (faces.alike(A, [B])[B] > 0.999)


@pytest.mark.parametrize(("off_px", "alike"), [(6, True), (7, False)])
def test_how_far_a_face_may_lie_from_its_squares_middle(off_px: int, alike: bool):
    """Tiles lie askew: by six pixels at most."""
    large = cuts(1)[0]
    two = np.stack([large, np.roll(large, off_px, axis=1)])
    faces = Faces()
    faces.add([A, B], two)

    assert alike == (faces.alike(A, [B])[B] > 0.9)


def test_only_faces_that_are_missing_are_cut_out(faces: Faces):
    """Each once, in reading order; what was read anew is missing."""
    assert [(0, 3), (9, 9)] == faces.missing([(9, 9), A, (0, 3), (9, 9)])
    assert [B] == faces.but(anew(B)).missing([A, B, C])


def test_what_was_read_anew_is_compared_again(faces: Faces):
    """Another tile lies on the second square now; the others are as they were."""
    before = faces.alike(A, [B, C])
    now = faces.but(anew(B))
    now.add([B], cuts(3)[2:])
    found = now.alike(A, [B, C])

    assert (True, before[C]) == (found[B] < 0.3, found[C])
    assert before == faces.alike(A, [B, C])


def test_how_far_tiles_of_one_letter_look_alike_is_said_under_every_tile(faces: Faces):
    """Where there are enough pairs of them."""
    pairs: dict = {A: (B,), C: ()}
    few, many = (likenesses(pairs, same, faces) for same in ([(A, B)] * 3, [(A, B)] * 4))

    assert {A: {B}, C: set()} == {cell: set(to) for cell, to in few.items()}
    assert {A: {A, B}, C: {C}} == {cell: set(to) for cell, to in many.items()}
    assert 1.0 == round(many[C][C], 3)


def test_nothing_is_worked_out_before_somebody_asks():
    """And then once, however the board is turned."""
    asked = []
    alike = LazySimilarity(lambda: asked.append(1) or {A: {B: 0.5}})
    seen = turned(turned(alike, 15, 1), 15, 3)

    assert [] == asked
    assert ({A: {B: 0.5}}, 1) == (dict(seen), len(seen))
    assert [1] == asked


def test_what_twins_look_like_is_told_by_one_pair_of_each_of_nine_letters():
    """However many more pairs of one letter there are, and however many letters."""
    letters = "AAAAAAAABBCCDDEEFFGGHHIIJJKK"
    tile = np.zeros((15, 15), np.float32)
    letter = np.full((15, 15, 27), -9.0, np.float32)
    for k, shown in enumerate(letters):
        at = divmod(k, 15)
        tile[at], letter[at][ord(shown) - ord("A")] = 1.0, 0.0

    pairs = twins(tile, letter, np.zeros((15, 15, 4), np.float32))

    shown = [tuple(letters[15 * row + col] for row, col in pair) for pair in pairs]
    assert [(x, x) for x in "ABCDEFGHI"] == shown
    fewer = twins(tile * (letter.argmax(-1) < 2), letter, np.zeros((15, 15, 4), np.float32))
    assert 8 == len(fewer)
