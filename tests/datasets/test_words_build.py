"""The bundled word list is what its recipe makes."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from kibitz.app.common.materials.named import load_lexicon

RECIPE = Path(__file__).resolve().parents[2] / "datasets" / "words" / "build.py"


def recipe():
    spec = importlib.util.spec_from_file_location("words_build", RECIPE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_two_letter_words_are_kept_by_hand():
    """The bundled list has just the two-letter words of the hand-kept file."""
    build = recipe()
    kept = {w.upper() for w in build.lines(build.HERE / "two_letters.txt")}

    assert kept == {w for w in load_lexicon("default") if len(w) == 2}
    assert len(kept) > 100


def test_accents_are_stripped():
    """A word from the package has its accents taken off."""
    assert "cafe" == recipe().plain("café")


def test_the_list_is_what_the_recipe_makes():
    """Building the list again gives the same words."""
    build = recipe()
    if not build.SCOWL.is_dir():
        pytest.skip("Debian's package scowl is not installed")

    assert set(build.all_words()) == set(load_lexicon("default"))
