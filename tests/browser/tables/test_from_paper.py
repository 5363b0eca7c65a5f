"""A game that was begun on paper goes on, from the page alone; and tiles laid square by square."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.app.server_help import board
from tests.browser.browser_help import HOST, Served, do, under_board, visit
from tests.browser.tables.test_play_pages import _tap

ROWS = board(H4="TRAIN")


def test_a_game_goes_on_from_paper_and_a_play_starts_at_a_tile(page: Page, served: Served) -> None:
    """The host types the position; then a word is typed from a tile, without its letter."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    visit(page, served.page(opened))
    under_board(page, "Go on from paper").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("The board").fill("\n".join(ROWS))
    points = dialog.get_by_role("group", name="Points so far")
    points.get_by_label("Ann").fill("120")
    points.get_by_label("Bob").fill("98")
    dialog.get_by_label("Whose turn it is").select_option("Bob")
    dialog.get_by_role("button", name="Begin here").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#headline")).to_contain_text("The record begins here")
    expect(page.locator("#sheet")).to_contain_text("from paper")
    _tap(page, "H8")
    page.get_by_role("button", name="Play from here").click()
    page.get_by_label("Word, with the letters").fill("EAT")
    page.get_by_label("down").check()
    page.get_by_role("button", name="Lay it").click()
    expect(page.locator("#sheet")).to_contain_text("NEAT")

    assert {"Ann": 120, "Bob": 102} == opened.table.view(HOST)["scores"]
    assert board(H4="TRAIN", v_H8="NEAT") == opened.table.view(HOST)["board"]


def test_the_scrab_is_laid_square_by_square(page: Page, served: Served) -> None:
    """Two tiles in different lines, each tapped and named, are laid together."""
    start = {"board": ROWS, "dealer": "Ann", "tiles_left": [0, 0], "scores": [10, 12]}
    opened = served.open_table("scrabbage", ["Ann", "Bob"], initial=start)
    do(opened, action="end_of_play")
    visit(page, served.page(opened))
    under_board(page, "Lay the scrab").click()
    dialog = page.get_by_role("dialog")
    for square, letter in (("H9", "S"), ("G7", "H")):
        _tap(page, square, board=1)
        dialog.get_by_role("button", name=letter, exact=True).click()
    expect(dialog).to_contain_text("S on H9, H on G7")
    dialog.get_by_role("button", name="Lay the scrab").click()
    expect(page.get_by_role("dialog")).to_have_count(0)

    assert {"Ann": 16, "Bob": 12} == opened.table.view(HOST)["scores"]
