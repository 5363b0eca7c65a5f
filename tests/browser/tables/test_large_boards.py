"""Scrabble on a board with 21 squares a side: its premium squares, names and plays on the page."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.browser_help import HOST, Served, visit
from tests.browser.tables.test_play_pages import _tap

SIDE = 21
PREMIUMS = {(10, 10): "*", (10, 12): "q", (10, 14): "Q", (20, 20): "W"}
ROWS = ["".join(PREMIUMS.get((r, c), ".") for c in range(SIDE)) for r in range(SIDE)]


def test_a_play_on_a_large_board(page: Page, served: Served) -> None:
    """Every square can be pointed at by its name; the score is that of the layout."""
    settings = {"cl.layout": "/".join(ROWS), "lexicon": "none"}
    opened = served.open_table("scrabble", ["Ann", "Bob"], settings=settings)
    visit(page, served.page(opened))
    board = page.locator("svg.board")
    expect(board.locator(".premium.w4")).to_have_count(1)
    expect(board.locator(".premium.l4")).to_have_count(1)
    expect(board.locator(".coordinate").filter(has_text="U")).to_have_count(2)
    _tap(page, "K11")
    page.get_by_label("Word, with the letters").fill("CATER")
    page.get_by_label("across").check()
    page.get_by_role("button", name="Lay it").click()
    expect(page.locator("#sheet")).to_contain_text("CATER")

    # T on four times the letter makes 10, doubled on the star, R on four times the word
    assert {"Ann": 80, "Bob": 0} == opened.table.view(HOST)["scores"]
