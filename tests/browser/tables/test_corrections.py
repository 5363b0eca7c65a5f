"""Putting a tile right: its picture, the likeliest letters, and a question for whom it concerns."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

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
    number, letter = row + 8, chr(72 + column)
    for _ in range(abs(row)):
        page.keyboard.press("ArrowDown" if row > 0 else "ArrowUp")
    for _ in range(abs(column)):
        page.keyboard.press("ArrowRight" if column > 0 else "ArrowLeft")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(
        dialog.get_by_alt_text(f"The tile on {number}{letter} as the camera sees it")
    ).to_be_visible()
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
        asked[name] = page.get_by_text("Which letter is the blank on 8I?").count()

    assert asked == {"Ann": 1, "Bob": 0, "table": 1}


def test_what_was_asked_is_gone_once_it_is_answered(page: Page, served: Served) -> None:
    """What was said keeps the play with the letter that was told, and asks for it no more."""
    facts = json.loads((GAME / "game.json").read_text(encoding="utf-8"))
    opened = served.open_table("scrabble", facts["players"], facts["settings"])
    for photo in facts["photos"][:10]:
        data = (GAME / photo["file"]).read_bytes()
        served.session.camera(opened.table).take(data, stream=False)
    visit(page, served.page(opened))
    said = page.locator("#said")
    expect(said).to_contain_text("Which letter is the blank")
    page.locator(".ask").get_by_role("button", name="A", exact=True).click()

    expect(said).to_contain_text("WHALE")
    expect(said).not_to_contain_text("Which letter is the blank")


def test_a_play_is_credited_to_somebody_else(context: BrowserContext, served: Served) -> None:
    """Behind the play's own menu, with what it does; the message that says so takes it back."""
    opened, page = _first_play_seen(context, served)
    first, second = opened.table.setup.opening.players
    beside = page.locator("#actions").get_by_role("button").all_inner_texts()
    page.locator("#sheet button.line").last.click()
    expect(page.get_by_role("dialog")).to_contain_text(
        "whoever was skipped counts as having passed"
    )
    page.get_by_role("button", name=f"Credit to {second}", exact=True).click()
    undo = page.locator(".toast").get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    given = [(entry["action"], entry["player"]) for entry in opened.table.history()]
    with page.expect_response("**/actions"):
        undo.click()
    back = [entry["player"] for entry in opened.table.history()]

    assert [] == [label for label in beside if second in label]
    assert ([("pass", first), ("place", second)], [first]) == (given, back)


def test_a_play_that_was_undone_is_found_again(context: BrowserContext, served: Served) -> None:
    """It is said what to do with its tiles; Redo stays, and "Look now" counts what lies there."""
    opened, page = _first_play_seen(context, served)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".toast")).to_contain_text("Take its tiles off the board")
    expect(page.locator("#actions").get_by_role("button", name="Redo")).to_be_visible()
    undone = len(opened.table.history())
    page.get_by_role("button", name="Look now").click()
    expect(page.locator("#sheet")).to_contain_text("GARDEN")
    expect(page.locator("#actions").get_by_role("button", name="Redo")).to_have_count(0)

    assert (0, 1) == (undone, len(opened.table.history()))


def _first_play_seen(context: BrowserContext, served: Served) -> tuple[Opened, Page]:
    """A table whose camera saw the first play, on a phone."""
    facts = json.loads((GAME / "game.json").read_text(encoding="utf-8"))
    opened = served.open_table("scrabble", facts["players"], facts["settings"])
    for photo in facts["photos"][:2]:
        data = (GAME / photo["file"]).read_bytes()
        served.session.camera(opened.table).take(data, stream=False)
    page = context.new_page()
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    visit(page, served.page(opened))
    return opened, page


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_claimed_word_is_credited_to_somebody_else(
    context: BrowserContext, served: Served, size: ViewportSize
) -> None:
    """Whoever is tapped sits where the word lies, and has it; nobody else's page is changed."""
    opened = _claimed(served)
    page = context.new_page()
    page.set_viewport_size(size)
    visit(page, served.page(opened))
    before = opened.table.view(HOST)["words"]
    page.locator("#sheet button.line").last.click()
    page.get_by_role("button", name="Credit to Bob", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("Credited to Bob.")
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
        page.locator("#sheet button.line").last.click()
        buttons = page.get_by_role("button").filter(has_text="Credit to")
        offered[name] = buttons.all_inner_texts()

    assert {"Ann": ["Credit to Ann"], "Cyd": []} == offered


def _claimed(served: Served) -> Opened:
    """Four players; the camera saw RAIN before Cyd."""
    folder = DEMOS / "grabscrab"
    facts = json.loads((folder / "game.json").read_text(encoding="utf-8"))
    opened = served.open_table("grabscrab", facts["players"], facts["settings"])
    for photo in facts["photos"][:3]:
        data = (folder / photo["file"]).read_bytes()
        served.session.camera(opened.table).take(data, stream=False)
    return opened
