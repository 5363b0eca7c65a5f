"""A photographed game, filmed by a phone's browser, becomes plays on the table's page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from kibitz.app.cli.serving.demo import DEMOS
from tests.browser.browser_help import (
    LAPTOP,
    PHONE,
    Served,
    film,
    filming_args,
    launch,
    under_board,
    visit,
    words_on_sheet,
)

GAME = DEMOS / "scrabble"
SECONDS_EACH = 4
PATIENCE_MS = 25_000


@pytest.mark.slow
def test_a_filmed_game_is_kept_play_by_play(
    browser: Browser, playwright: Playwright, served: Served, tmp_path: Path
) -> None:
    """Every play that a phone films is on the sheet; a challenge and a blank are told by tapping."""
    facts = json.loads((GAME / "game.json").read_text(encoding="utf-8"))
    opened = served.open_table("scrabble", facts["players"], facts["settings"])
    shown = film([GAME / p["file"] for p in facts["photos"]], tmp_path, SECONDS_EACH)
    phone_browser = launch(playwright, *filming_args(shown))
    table = browser.new_context(viewport=LAPTOP).new_page()
    visit(table, served.page(opened))
    phone = phone_browser.new_context(viewport=PHONE, permissions=["camera"]).new_page()
    phone.goto(served.page(opened, "camera", opened.camera))
    phone.get_by_role("button", name="Start the camera").click()

    _follow(table, ["GARDEN", "FRIEND", "DOUBT", "BLOF"])
    under_board(table, "Challenge").click()
    table.get_by_role("button", name="Ask the word list").click()
    _follow(table, ["TILE", "SAY", "WH?LE"])
    table.locator(".ask").get_by_role("button", name="A", exact=True).click()
    _follow(table, ["GHOST", "PLOT"])
    phone.get_by_role("button", name="Stop").click()

    seen = words_on_sheet(table)
    scores = table.locator("#players .score").all_inner_texts()
    picture = table.locator("#picture img").count()
    asked = table.locator(".ask").count()
    sent = phone.locator("#facts").inner_text()
    table.context.close()
    phone_browser.close()

    assert seen == ["GARDEN", "FRIEND", "DOUBT", "BLOF", "TILE", "SAY", "WHALE", "GHOST", "PLOT"]
    assert scores == ["74", "53"]
    assert (picture, asked) == (1, 0)
    assert "pictures sent" in sent


def _follow(table: Page, words: list[str]) -> None:
    """Wait until each word is on the sheet."""
    for word in words:
        expect(table.locator("#sheet")).to_contain_text(word, timeout=PATIENCE_MS)


def test_a_phone_sees_the_board_that_was_found(
    playwright: Playwright, served: Served, tmp_path: Path
) -> None:
    """The live picture bears the board's outline and a word on the view; reloaded, it films on."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    browser = launch(playwright, *filming_args(film([GAME / "01.jpg"], tmp_path)))
    phone = browser.new_context(viewport=PHONE, permissions=["camera"]).new_page()
    phone.goto(served.page(opened, "camera", opened.camera))
    phone.get_by_role("button", name="Start the camera").click()
    expect(phone.locator(".verdict.good")).to_have_text("The view is good.")
    lines = phone.locator(".outline path").count()
    shape = phone.locator(".finder .view").evaluate("(e) => e.style.aspectRatio")
    phone.reload()
    expect(phone.locator(".verdict.good")).to_have_text("The view is good.")
    phone.get_by_role("button", name="Stop").click()
    phone.reload()
    expect(phone.get_by_role("button", name="Start the camera")).to_be_visible()
    browser.close()

    assert lines == 2
    assert "/" in shape


def test_a_laptops_own_camera_watches_from_the_tables_page(
    playwright: Playwright, served: Served, tmp_path: Path
) -> None:
    """This device is chosen, its picture is seen live, the first word it films is on the sheet."""
    facts = json.loads((GAME / "game.json").read_text(encoding="utf-8"))
    opened = served.open_table("scrabble", facts["players"], facts["settings"])
    shown = film([GAME / p["file"] for p in facts["photos"][:2]], tmp_path, 6)
    browser = launch(playwright, *filming_args(shown))
    page = browser.new_context(viewport=LAPTOP, permissions=["camera"]).new_page()
    visit(page, served.page(opened))
    page.get_by_role("button", name="This device").click()
    expect(page.locator("#picture video")).to_be_visible()
    expect(page.locator("#sheet")).to_contain_text("GARDEN", timeout=PATIENCE_MS)
    page.get_by_role("button", name="Detected tiles", exact=True).click()
    expect(page.locator("#picture img")).to_be_visible()
    page.get_by_role("button", name="Detected tiles", exact=True).click()
    expect(page.locator("#picture video")).to_be_visible()
    page.locator(".here").get_by_role("button", name="Stop").click()
    still = page.locator("#picture video").count()
    browser.close()

    assert still == 0


def test_a_refused_camera_is_told_in_words(page: Page, served: Served) -> None:
    """A browser that allows no camera says what to do, and a photograph can be sent instead."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    page.add_init_script(
        "navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'));"
    )
    page.goto(served.page(opened, "camera", opened.camera))
    page.get_by_role("button", name="Start the camera").click()
    expect(page.locator(".verdict.bad")).to_contain_text("Allow it beside the address")
    page.locator("#file").set_input_files(GAME / "01.jpg")

    expect(page.locator("#facts")).to_contain_text("1 picture sent")
