"""Putting a tile right: its picture, the likeliest letters, and a question for whom it concerns."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import BrowserContext, ViewportSize, expect

from kibitz.app.cli.serving.demo import DEMOS
from kibitz.app.tables.registry import Opened
from tests.browser.browser_help import HOST, LAPTOP, PHONE, Served, do, visit

GAME = DEMOS / "scrabble"


def test_a_tile_is_put_right_by_what_the_camera_sees(
    context: BrowserContext, served: Served
) -> None:
    """The dialog shows the tile, offers the likeliest letters first, and takes a tap on one."""
    facts = json.loads((GAME / "game.json").read_text(encoding="utf-8"))
    opened = served.open_table("scrabble", facts["players"], facts["settings"])
    for photo in facts["photos"][:2]:
        data = (GAME / photo["file"]).read_bytes()
        served.session.camera(opened.table).take(data, stream=False)
    page = context.new_page()
    visit(page, served.page(opened))
    page.locator("svg.board").focus()
    square = next(iter(opened.table.history()[0]["tiles"]))
    read = opened.table.history()[0]["tiles"][square]
    row, column = ord(square[0]) - 72, int(square[1:]) - 8
    for _ in range(abs(row)):
        page.keyboard.press("ArrowDown" if row > 0 else "ArrowUp")
    for _ in range(abs(column)):
        page.keyboard.press("ArrowRight" if column > 0 else "ArrowLeft")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_alt_text(f"The tile on {square} as the camera sees it")).to_be_visible()
    likely = dialog.get_by_role("group", name="The likeliest letters").get_by_role("button")
    shown = dialog.locator(".tile-picture img").evaluate("image => image.naturalWidth")

    assert likely.first.inner_text().split()[0] == read
    assert shown == 240
    likely.first.click()
    expect(dialog).to_have_count(0)


def test_a_question_is_asked_of_whom_it_concerns(context: BrowserContext, served: Served) -> None:
    """A blank's letter is asked on the phone of who laid it and at the table, of nobody else."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    do(opened, action="place", player="Ann", tiles={"H8": "A", "H9": "?"})
    asked = {}
    for name in ("Ann", "Bob", "table"):
        page = context.new_page()
        page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        kind = ("table", opened.host) if name == "table" else ("seat", opened.seats[name])
        visit(page, served.page(opened, *kind))
        expect(page.locator("#players")).to_contain_text("Ann")
        asked[name] = page.get_by_text("Which letter is the blank on H9?").count()

    assert asked == {"Ann": 1, "Bob": 0, "table": 1}


def test_one_tap_says_who_played(context: BrowserContext, served: Served) -> None:
    """Beside what may be done stands who else may have made a play that the camera saw."""
    facts = json.loads((GAME / "game.json").read_text(encoding="utf-8"))
    opened = served.open_table("scrabble", facts["players"], facts["settings"])
    first, second = facts["players"]
    for photo in facts["photos"][:2]:
        data = (GAME / photo["file"]).read_bytes()
        served.session.camera(opened.table).take(data, stream=False)
    page = context.new_page()
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    visit(page, served.page(opened))
    before = [entry["player"] for entry in opened.table.history()]
    page.get_by_role("button", name=f"{second} played it", exact=True).click()
    expect(page.get_by_role("button", name=f"{first} played it", exact=True)).to_be_visible()
    after = [(entry["action"], entry["player"]) for entry in opened.table.history()]

    assert ([first], [("pass", first), ("place", second)]) == (before, after)


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_one_tap_says_who_claimed_a_word(
    context: BrowserContext, served: Served, size: ViewportSize
) -> None:
    """Whoever is tapped sits where the word lies, and has it; nobody else's page is changed."""
    opened = _claimed(served)
    page = context.new_page()
    page.set_viewport_size(size)
    visit(page, served.page(opened))
    before = opened.table.view(HOST)["words"]
    page.get_by_role("button", name="Bob claimed RAIN", exact=True).click()
    expect(page.get_by_role("button", name="Cyd claimed RAIN", exact=True)).to_be_visible()
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    after = opened.table.view(HOST)["words"]

    assert {"Ann": [], "Bob": [], "Cyd": ["RAIN"], "Dan": []} == before
    assert {"Ann": [], "Bob": ["RAIN"], "Cyd": [], "Dan": []} == after
    assert wide <= 0


def test_a_phone_asks_for_a_word_only_for_its_own_player(
    context: BrowserContext, served: Served
) -> None:
    """A seat says that the word is its own, not that it is somebody else's."""
    opened = _claimed(served)
    offered = {}
    for name in ("Ann", "Cyd"):
        page = context.new_page()
        visit(page, served.page(opened, "seat", opened.seats[name]))
        expect(page.locator("#actions button").first).to_be_visible()
        buttons = page.get_by_role("button").filter(has_text="claimed RAIN")
        offered[name] = buttons.all_inner_texts()

    assert {"Ann": ["Ann claimed RAIN"], "Cyd": []} == offered


def _claimed(served: Served) -> Opened:
    """Four players; the camera saw RAIN before Cyd."""
    folder = DEMOS / "grabscrab"
    facts = json.loads((folder / "game.json").read_text(encoding="utf-8"))
    opened = served.open_table("grabscrab", facts["players"], facts["settings"])
    for photo in facts["photos"][:3]:
        data = (folder / photo["file"]).read_bytes()
        served.session.camera(opened.table).take(data, stream=False)
    return opened
