"""Every page against the accessibility rules of axe, and for keys, focus and width."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from kibitz.app.cli.serving.demo import DEMOS
from kibitz.app.tables.registry import Opened
from tests.browser.browser_help import LAPTOP, PHONE, Served, do, under_board

SERIOUS = ("serious", "critical")
SMALLEST = {"width": 320, "height": 640}


@pytest.fixture(scope="module")
def pages(served: Served) -> dict[str, str]:
    """One address for each kind of page, in positions that show much."""
    game = served.played("scrabble_challenge")
    open_ = served.open_table("scrabble", ["Ann", "Bob"], {"reject_invalid": False})
    do(open_, action="place", player="Ann", tiles={"H8": "A", "H9": "T"})
    photo = DEMOS / "scrabble" / "05.jpg"
    served.session.camera(game.table).take(photo.read_bytes(), stream=False)
    ships, house = served.played("scrabbleship_hits"), served.played("scrabble_house_explosion", 1)
    fresh = served.open_table("scrabbleship", ["Ann", "Bob"])
    frank, grab = served.played("frankenscrabbards_join"), served.played("grabscrab_penalty", 8)
    hand = served.played("scrabbage_hand", 5)
    wrecks = served.played("scrabbleship_hits")
    do(wrecks, action="no_plays")

    def seat(opened: Opened, player: str) -> str:
        return served.page(opened, "seat", opened.seats[player])

    return {
        "home": served.address + "/",
        "table": served.page(game),
        "ships": served.page(ships),
        "house": served.page(house),
        "frank": served.page(frank),
        "grab": served.page(grab),
        "hand": served.page(hand),
        "fleet": seat(fresh, "Ann"),
        "seat": seat(grab, "Bob"),
        "challengeable": served.page(open_),
        "history": served.page(game, "history"),
        "camera": served.page(game, "camera", game.camera),
        "setup": served.page(game, "setup"),
        "cameras": served.address + "/cameras",
        "layout": served.page(game, "layout"),
        "fame": served.address + "/fame",
        "docs": served.address + "/docs",
        "trust": served.address + "/trust",
        "wrecks": served.page(wrecks),
        "overlay": f"{served.address}/table/{game.table.id}?view=overlay&board=left&camera=right"
        f"&unseen=top&clock=bottom#t={game.watch}",
        "screen": f"{served.address}/table/{grab.table.id}?view=screen#t={grab.watch}",
    }


NAMES = ["home", "table", "ships", "house", "frank", "grab", "hand", "fleet", "seat"]
NAMES += [
    "setup",
    "cameras",
    "overlay",
    "history",
    "camera",
    "fame",
    "docs",
    "trust",
    "wrecks",
    "screen",
    "layout",
]


@pytest.mark.parametrize("name", NAMES)
def test_no_page_has_serious_faults(browser: Browser, pages: dict[str, str], name: str) -> None:
    """In light and dark, on a phone and a laptop, axe finds nothing serious.

    At 320 pixels nothing has to be scrolled sideways.
    """
    found, widths = [], []
    for scheme, size in (("light", PHONE), ("dark", LAPTOP)):
        page = _open(browser, pages[name], size, scheme)
        found += faults(page)
        page.set_viewport_size(SMALLEST)
        page.wait_for_timeout(100)
        widths.append(page.evaluate("document.documentElement.scrollWidth"))
        page.context.close()

    assert found == []
    assert max(widths) <= SMALLEST["width"]


@pytest.mark.parametrize(
    "button", ["Invite", "Voice off", "Screen", "Corners", "Challenge", "End the game"]
)
def test_no_dialog_has_serious_faults(
    browser: Browser, pages: dict[str, str], button: str
) -> None:
    """What opens over the page is as good as the page, takes the focus and gives it back."""
    named = "challengeable" if button == "Challenge" else "table"
    page = _open(browser, pages[named], LAPTOP, "light")
    if button in ("Challenge", "End the game"):
        opener = under_board(page, button)
    else:
        opener = page.get_by_role("button", name=button, exact=True)
    opener.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.wait_for_timeout(300)
    found = faults(page)
    inside = page.evaluate("document.querySelector('dialog').contains(document.activeElement)")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    back = page.evaluate("document.activeElement.textContent")
    page.context.close()

    assert found == []
    assert inside is True
    assert button in back


def test_every_control_is_reached_by_keys_and_shows_it(
    browser: Browser, pages: dict[str, str]
) -> None:
    """Tab comes to each button of the table's page, Enter opens "More", and the focus is outlined."""
    page = _open(browser, pages["table"], LAPTOP, "light")
    reached, bare = set(), []
    for _ in range(60):
        page.keyboard.press("Tab")
        tag, name, outline = page.evaluate(
            """() => { const e = document.activeElement, s = getComputedStyle(e);
            return [e.tagName, (e.getAttribute('aria-label') || e.title || e.textContent || '').trim(), s.outlineStyle] }"""
        )
        reached.add(name)
        if tag != "BODY" and outline == "none":
            bare.append(name)
        if name == "More":
            page.keyboard.press("Enter")
    page.context.close()

    wanted = {"Voice off", "Invite", "Screen", "Pass", "Exchange", "End the game"}
    assert wanted <= reached
    assert bare == []


def test_nothing_jumps_when_a_play_comes(browser: Browser, served: Served) -> None:
    """The board stays where it is while plays, scores and questions come."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    page = _open(browser, served.page(opened), LAPTOP, "light")
    before = page.locator("svg.board").bounding_box()
    words = [("Ann", {"H8": "A", "H9": "T"}), ("Bob", {"I9": "O", "J9": "P"})]
    for player, tiles in words:
        do(opened, action="place", player=player, tiles=tiles)
    expect(page.locator("#sheet")).to_contain_text("TOP")
    do(
        opened,
        action="place",
        player="Ann",
        tiles={"J10": "?", "J11": "E", "J12": "R", "J13": "A"},
    )
    expect(page.locator("#asks")).to_contain_text("Which letter is the blank on 10J?")
    after = page.locator("svg.board").bounding_box()
    page.context.close()

    assert before == after


def _open(browser: Browser, address: str, size: Any, scheme: Any) -> Page:
    page = browser.new_context(
        viewport=size, color_scheme=scheme, reduced_motion="reduce"
    ).new_page()
    page.goto(address)
    page.wait_for_timeout(200)
    expect(page.locator("main")).to_be_visible()
    page.wait_for_timeout(300)
    return page


def faults(page: Page) -> list[str]:
    """Each serious finding with the first element it was found on."""
    answer = Axe().run(page).response
    return [
        f"{v['id']}: {v['nodes'][0]['html'][:160]} {v['nodes'][0].get('failureSummary', '')[:240]}"
        for v in answer["violations"]
        if v["impact"] in SERIOUS
    ]
