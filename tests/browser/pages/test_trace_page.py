"""From the photograph of a finished board back to its game, on the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from kibitz.app.cli.serving.demo import DEMOS
from kibitz.engine.record.gcg import read_gcg
from tests.browser.browser_help import Served

PHOTO = DEMOS / "scrabble" / "03.jpg"


@pytest.mark.parametrize("width", [390, 1400])
def test_a_photograph_becomes_a_game(
    page: Page, served: Served, tmp_path: Path, width: int
) -> None:
    """Found from the first page; its plays are listed, and the likeliest game can be taken away."""
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(served.address + "/")
    page.get_by_role("link", name="Find its game again").click()
    page.get_by_label("Players, in the order of play").fill("Ada, Ben")
    page.locator("#choose input[type=file]").set_input_files(str(PHOTO))
    expect(page.locator("#board svg .premium")).to_have_count(61, timeout=90_000)
    games = page.locator("#orders .order")
    expect(games.first.locator("tbody tr").first).to_contain_text("Ada", timeout=90_000)
    with page.expect_download() as download:
        games.first.get_by_role("link", name="Download as GCG").click()
    file = tmp_path / "game.gcg"
    download.value.save_as(file)
    moves = read_gcg(file.read_bytes()).moves
    rows = games.first.locator("tbody tr").all_inner_texts()

    assert len(moves) == len(rows)
    assert [m.score for m in moves] == [int(row.split("\t")[-2]) for row in rows]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_photograph_is_chosen_once_tile_sets_have_come(page: Page, served: Served) -> None:
    """Before, it would be read with no tile set, which is refused."""
    held: list[Route] = []
    page.route("**/api/games", lambda route: held.append(route))
    with page.expect_request("**/api/games"):
        page.goto(served.address + "/trace")
    button = page.locator("#choose input[type=file]")
    expect(page.get_by_label("Players, in the order of play")).to_be_visible()
    assert button.count() == 0

    held[0].continue_()
    button.set_input_files(str(PHOTO))

    expect(page.locator("#board svg .premium")).to_have_count(61, timeout=90_000)


def test_what_people_know_cuts_games_down(page: Page, served: Served) -> None:
    """Who began, and a word by its turn; what cannot have been is said with why."""
    page.goto(served.address + "/trace")
    page.get_by_label("Players, in the order of play").fill("Ada, Ben")
    page.locator("#choose input[type=file]").set_input_files(str(PHOTO))
    first = page.locator("#orders .order").first.locator("tbody tr").first
    expect(first).to_contain_text("Ada", timeout=90_000)
    word = first.locator("td").nth(3).inner_text().split(",")[0]
    points = page.locator("#orders .order").last.locator("tbody tr td:nth-child(5)")
    written = points.all_text_contents()
    page.get_by_label("Points of all plays").fill(" ".join(written))
    page.get_by_role("button", name="Find the game").click()
    expect(page.locator("#status")).to_be_empty(timeout=90_000)
    shown = page.locator("#orders .order").first.locator("tbody tr td:nth-child(5)")
    assert written == shown.all_text_contents()
    page.get_by_label("Points of all plays").fill("")
    page.get_by_label("Who began").select_option("Ben")
    page.get_by_role("button", name="Find the game").click()
    expect(first).to_contain_text("Ben", timeout=90_000)
    page.get_by_role("button", name="A word and its turn").click()
    page.get_by_label("Turn").fill("30")
    page.get_by_label("Word", exact=True).fill(word)
    page.get_by_role("button", name="Find the game").click()

    told = page.get_by_role("alert")
    expect(told).to_contain_text("No order agrees with what was said", timeout=90_000)
    expect(page.locator("#games")).to_be_hidden()
