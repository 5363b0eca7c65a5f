"""A photographed game, filmed by a phone's browser, becomes plays on the table's page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from app.demo import DEMOS
from tests.browser.browser_help import (
    LAPTOP,
    PHONE,
    Served,
    film,
    filming_args,
    launch,
    words_on_sheet,
)

GAME = DEMOS / "scrabble"
SECONDS_EACH = 3
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
    table.goto(served.page(opened))
    phone = phone_browser.new_context(viewport=PHONE, permissions=["camera"]).new_page()
    phone.goto(served.page(opened, "camera", opened.camera))
    phone.get_by_role("button", name="Start the camera").click()

    _follow(table, ["GARDEN", "FRIEND", "DOUBT", "BLOF"])
    table.get_by_role("button", name="Challenge").click()
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
