"""Word lists in a table's set-up."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from kibitz.app.words.recipes import recipe_named
from tests.app.cameras.camera_help import not_here
from tests.browser.browser_help import Served, visit


def test_a_list_is_built_on_the_page(page: Page, served: Served, tmp_path, monkeypatch) -> None:
    """Where no list is chosen a sentence says what that means; one tap builds one and takes it."""
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path))
    recipe = recipe_named("en-common")
    assert recipe is not None
    if not recipe.sources[0].found():
        not_here("the package scowl is not installed")
    visit(page, served.address)
    expect(page.locator("#lexicon")).to_have_value("default")
    page.locator("#tiles").select_option("fi")
    expect(page.locator("#words")).to_contain_text("No words are checked")
    page.locator("#tiles").select_option("en")
    expect(page.locator("#words")).to_contain_text("licence SCOWL")
    page.get_by_role("button", name="Build the word list Common English words").click()
    expect(page.locator("#words")).to_contain_text("words; licence SCOWL")
    chosen = page.locator("#lexicon").input_value()

    assert "en-common" == chosen
