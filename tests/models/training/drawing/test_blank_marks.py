"""Marks on blanks are drawn in many ways; what letters are trained on stays what it was."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kibitz.models.training.drawing import glyphs, mark_shapes
from kibitz.models.training.drawing.blank_marks import blank_mark
from kibitz.models.training.drawing.scene import make_scene

INK = (0.1, 0.1, 0.1)


def drawn(name: str, seed: int) -> np.ndarray:
    """A shape's ink."""
    return mark_shapes.shape(np.random.default_rng([seed, 1]), name)


@pytest.mark.parametrize("name", mark_shapes.SHAPES)
def test_every_shape_leaves_ink_and_differs_from_drawing_to_drawing(name: str) -> None:
    several = [drawn(name, seed) for seed in range(6)]
    assert [bool(ink.max() > 0.5 and 0.002 < ink.mean() < 0.95) for ink in several] == [True] * 6
    assert len({ink.tobytes() for ink in several}) > 1


@pytest.mark.parametrize("name", mark_shapes.SHAPES)
def test_a_seed_draws_the_same_shape_again(name: str) -> None:
    assert (drawn(name, 3) == drawn(name, 3)).all()


def test_held_out_shapes_are_never_trained_on() -> None:
    assert set(mark_shapes.TRAINED) | set(mark_shapes.HELD_OUT) == set(mark_shapes.SHAPES)
    assert not set(mark_shapes.TRAINED) & set(mark_shapes.HELD_OUT)


def test_a_mark_is_printed_on_the_face() -> None:
    face = np.full((64, 60, 3), 0.85, np.float32)
    marked = blank_mark(np.random.default_rng(1), face.copy(), INK, None, shape="heart")
    assert marked.shape == face.shape
    assert (marked < 0.6).any()


def test_sets_without_numerals_have_no_rings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mark_shapes, "TRAINED", ("ring", "heart"))
    asked: list[str] = []
    shape = mark_shapes.shape

    def remember(rng: np.random.Generator, name: str) -> np.ndarray:
        asked.append(name)
        return shape(rng, name)

    monkeypatch.setattr(mark_shapes, "shape", remember)
    for numerals in (True, False):
        asked.clear()
        for seed in range(60):
            face = np.full((48, 44, 3), 0.85, np.float32)
            blank_mark(np.random.default_rng(seed), face, INK, None, numerals=numerals)
        assert ("ring" in asked) == numerals


def test_letters_of_other_scripts_are_told_as_no_letter_of_the_set() -> None:
    scenes = [make_scene(np.random.default_rng([4, i])) for i in range(2)]
    for scene in scenes:
        assert ((scene.kinds == 1) == (scene.letters != 255)).all()


@pytest.mark.parametrize(
    "look", [{"slant": 0.3}, {"wobble": 0.04}, {"lower": True}], ids=["slanted", "hand", "lower"]
)
def test_unusual_letters_are_printed_another_way(look: dict[str, float]) -> None:
    plain = glyphs.random_tile_style(np.random.default_rng(1))
    plain = replace(plain, family="montserrat-700", letter_size=0.5, numeral="none", embolden=0)
    rng = np.random.default_rng(2)
    usual, other = (glyphs.face_ink(rng, s, "R", 96) for s in (plain, replace(plain, **look)))
    assert usual.sum() > 0 < other.sum()
    assert np.abs(usual - other).max() > 0.9
