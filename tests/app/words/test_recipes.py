"""Recipes for word lists: what they are made of, and what people need to know."""

from __future__ import annotations

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.app.words.recipes import RECIPES


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_a_recipe_says_what_people_need_to_know(recipe):
    """What it is good for, the licences, and a tile set that there is."""
    assert recipe.good_for
    assert all(source.licence and source.package and source.files for source in recipe.sources)
    assert recipe.tiles is None or load_tile_set(recipe.tiles).letters
