"""Why a change came about: scores before and after, readings, meanings and the picture."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from kibitz.app.cli.serving.demo import DEMOS
from tests.browser.browser_help import LAPTOP, PHONE, Served, do, visit


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize(
    ("game", "photos", "said", "shown"),
    [
        ("scrabble", 2, "GARDEN", ["What the picture may have meant", "G 100 %", "Scores"]),
        ("grabscrab", 3, "RAIN", ["before Cyd", "R 100 %", "N 100 %"]),
    ],
)
def test_why_is_told_of_any_line(
    page: Page,
    served: Served,
    size: ViewportSize,
    game: str,
    photos: int,
    said: str,
    shown: list[str],
) -> None:
    """Beside each change of the history; nothing stands over the edge of the page."""
    folder = DEMOS / game
    facts = json.loads((folder / "game.json").read_text(encoding="utf-8"))
    opened = served.open_table(game, facts["players"], facts["settings"])
    for photo in facts["photos"][:photos]:
        data = (folder / photo["file"]).read_bytes()
        served.session.camera(opened.table).take(data, stream=False)
    page.set_viewport_size(size)
    visit(page, served.page(opened, "history"))
    line = page.locator("#changes li").filter(has_text=said)
    line.get_by_role("button", name="Why").first.click()
    dialog = page.get_by_role("dialog")

    for text in ["What was read", "the camera saw it", *shown]:
        expect(dialog).to_contain_text(text)
    expect(dialog.get_by_alt_text("The table at this change")).to_be_visible()
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    over = dialog.evaluate("box => box.scrollWidth - box.clientWidth")
    assert (True, True) == (wide <= 0, over <= 0)


def test_what_was_told_without_words_is_named_as_on_the_score_sheet(
    page: Page, served: Served
) -> None:
    """A first tile of Scrabbage makes no word yet; its line is in the page's language."""
    opened = served.open_table("scrabbage", ["Ann", "Bob"])
    assert do(opened, action="tile", player="Ann", square="H8", letter="T")
    visit(page, served.page(opened, "history").replace("#", "?lang=de#"))
    line = page.locator("#changes li").filter(has_text="Ann")

    expect(line).to_contain_text("Ann: T auf H8")
    expect(line.get_by_role("button")).to_have_accessible_name("Warum: Ann: T auf H8")


def test_the_end_of_a_hand_is_in_the_page_s_language(page: Page, served: Served) -> None:
    """On the score sheet of a whole hand of Scrabbage, as on its button."""
    opened = served.played("scrabbage_hand")
    visit(page, served.page(opened).replace("#", "?lang=de#"))

    expect(page.locator("#sheet")).to_contain_text("Ende der Hand")
