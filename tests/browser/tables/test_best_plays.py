"""The list of best plays on the page of a finished game."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kibitz.app.tables.registry import Opened
from tests.browser.browser_help import Served, do, visit

WIDTHS = [390, 1400]


def played(served: Served) -> Opened:
    """Two plays, in which more points were to be had."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    word: Any = {f"H{4 + i}": letter for i, letter in enumerate("GARDEN")}
    assert do(opened, action="racks", racks={"Ann": list("GARDENT")})
    assert do(opened, action="place", player="Ann", tiles=word)
    assert do(opened, action="place", player="Bob", tiles={"I5": "B", "J5": "LE"[0], "K5": "E"})
    return opened


def finish(opened: Opened) -> None:
    """The game ends."""
    assert do(opened, action="racks", racks={"Ann": ["Q"], "Bob": []})
    assert do(opened, action="end_game", out="Bob")


@pytest.mark.parametrize("width", WIDTHS)
def test_the_best_plays_are_listed_after_the_end(page: Page, served: Served, width: int) -> None:
    """Nothing before it; then each turn with its rack and plays, and nothing stands over the edge."""
    opened = played(served)
    page.set_viewport_size({"width": width, "height": 844})
    visit(page, served.page(opened, "history", opened.host))
    expect(page.locator("#best")).to_be_hidden()
    finish(opened)
    page.locator("#best").get_by_role("button", name="Best plays").click()
    turns = page.locator(".best-plays > li")
    expect(turns).to_have_count(2)
    expect(turns.first.locator(".best-of-turn li").first).to_have_text("DRAGNET H4 72")
    expect(turns.first.locator(".best-of-turn li")).to_have_count(5)
    expect(turns.first).to_contain_text("The rack:")
    expect(turns.nth(1)).to_contain_text("Known are the tiles played:")
    over = page.evaluate(
        "[document.scrollingElement, document.querySelector('#best .sheet-box')]"
        ".map((x) => x.scrollWidth - x.clientWidth)"
    )

    assert [0, 0] == over


def test_the_position_that_is_shown_is_copied(page: Page, served: Served) -> None:
    """After the end; going back takes the position before, with whose turn it was first."""
    opened = played(served)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit(page, served.page(opened, "history", opened.host))
    expect(page.get_by_role("button", name="GCG")).to_be_visible()
    expect(page.get_by_role("button", name="Copy position")).to_have_count(0)
    finish(opened)
    page.get_by_role("button", name="To the beginning").click()
    page.get_by_role("button", name="Next play", exact=True).click()
    page.get_by_role("button", name="Copy position").click()
    expect(page.locator("#download-note")).to_contain_text("The position is copied")
    empty = "/".join(["15"] * 15)

    assert f"{empty} ADEGNRT/ 0/0 0 ld english;" == page.evaluate("navigator.clipboard.readText()")
