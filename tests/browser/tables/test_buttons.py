"""What a button under the board offers can be done."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from kibitz.app.cli.serving.demo import DEMOS
from kibitz.engine.games import find_info
from kibitz.engine.games.scrabbleship.fleets import SHIP_LENGTHS
from kibitz.engine.options import usual_settings
from tests.browser.browser_help import LAPTOP, PHONE, Served, do, under_board, visit

LARGE = "#own .huge[type=button]:not(:has(.clock)), .felt button"
"""What stands elsewhere: a seat's own large buttons but for its clock, which is there to be looked at too."""
PICTURE = DEMOS / "scrabble" / "05.jpg"


def fleet_in(rows: str) -> dict[str, list[str]]:
    """A fleet with a ship at the left of each of these rows."""
    ships = zip(SHIP_LENGTHS.items(), rows, strict=True)
    return {ship: [f"{row}1", f"{row}{length}"] for (ship, length), row in ships}


AFTER: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "scrabble": (
        "scrabble",
        [{"action": "place", "player": "Ann", "tiles": {"H8": "A", "H9": "T"}}],
    ),
    "scrabbleship": (
        "scrabbleship",
        [
            {"action": "enter_fleet", "player": "Ann", "fleet": fleet_in("ABCDE")},
            {"action": "enter_fleet", "player": "Bob", "fleet": fleet_in("ONMLK")},
            {"action": "place", "player": "Ann", "tiles": {"H8": "A", "H9": "T"}},
        ],
    ),
    "frankenscrabbards": (
        "frankenscrabbards",
        [{"action": "place", "player": "Ann", "tiles": {"5:H8": "A", "5:H9": "T"}}],
    ),
    "scrabble-house": ("scrabble-house", []),
    "scrabble-house waits": (
        "scrabble-house",
        [
            {"action": "press_clock", "player": "Bob"},
            {"action": "place", "player": "Ann", "tiles": {"O8": "A", "O9": "T"}},
        ],
    ),
    "grabscrab": ("grabscrab", []),
    "scrabbage": ("scrabbage", []),
    "scrabbage stuck": (
        "scrabbage",
        [
            {"action": "draw"},
            {"action": "tile", "player": "Ann", "square": "H8", "letter": "A"},
            {"action": "go", "player": "Bob"},
        ],
    ),
    "scrabbage over": (
        "scrabbage",
        [
            {"action": "tile", "player": "Ann", "square": "H8", "letter": "A"},
            {"action": "end_of_play"},
        ],
    ),
    "scrabbage laid": ("scrabbage", [{"action": "end_of_play"}, {"action": "scrab", "tiles": {}}]),
}
"""What was done in games that begin without a camera, by what the moment is called."""


def offered(page: Page) -> list[str]:
    """The labels of all buttons that do something in the game."""
    page.locator("#actions button").first.wait_for(state="attached")
    return page.locator(f"#actions button, {LARGE}").all_text_contents()


def complaints(page: Page) -> list[str]:
    """What the page says went wrong."""
    return [x for x in page.locator(".note.bad:visible").all_inner_texts() if x]


def answers_at_once(page: Page) -> int:
    """How many answers of an open dialog need nothing to be written or chosen first.

    All answers send what is written; what may be chosen only the last one sends.
    """
    answers = page.locator("dialog[open] .row.end button:not(.quiet)").count()
    if any(x.input_value() == "" for x in page.locator("dialog[open] input").all()):
        return 0
    return answers - any(x.input_value() == "" for x in page.locator("dialog[open] select").all())


@pytest.mark.parametrize("seat", [None, "Ann", "Bob"])
@pytest.mark.parametrize(
    "moment", [pytest.param(x, marks=[pytest.mark.fast] * (x == "scrabble")) for x in AFTER]
)
def test_every_button_does_what_it_offers(
    page: Page, served: Served, moment: str, seat: str | None
) -> None:
    """With the usual settings, the host's and each seat's; each answer at a table of its own."""
    game, actions = AFTER[moment]
    players = ["Ann", "Bob", "Cid", "Dan"] if game == "scrabble-house" else ["Ann", "Bob"]
    page.set_viewport_size(LAPTOP)

    def table() -> None:
        opened = served.open_table(game, players, usual_settings(find_info(game)))
        for action in actions:
            assert do(opened, **action)
        kind, token = ("seat", opened.seats[seat]) if seat else ("table", opened.host)
        visit(page, served.page(opened, kind, token))

    table()
    labels = offered(page)
    refused = []
    for label in labels:
        answers = number = 1
        while number <= answers:
            table()
            large = page.locator(LARGE, has_text=label)
            (large if large.count() else under_board(page, label)).click()
            page.wait_for_timeout(200)
            answers = answers_at_once(page)
            if number <= answers:
                choices = page.locator("dialog[open] .row.end button:not(.quiet)")
                choices.nth(number - 1).click()
                page.wait_for_timeout(200)
            refused += [(label, number, why) for why in complaints(page)]
            number += 1

    assert [] == refused


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_button_stands_alone_on_the_last_line(
    page: Page, served: Served, size: ViewportSize, language: str
) -> None:
    """Where what can be done takes several lines, they are about equally long."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    served.session.camera(opened.table).take(PICTURE.read_bytes(), stream=False)
    page.set_viewport_size(size)
    visit(page, served.page(opened).replace("#", f"?lang={language}#"))
    expect(page.locator("#actions button").nth(2)).to_be_visible()
    buttons = page.locator("#actions > button, #actions summary")
    tops = buttons.evaluate_all("(all) => all.map((x) => x.offsetTop)")

    assert [] == [top for top in set(tops) if tops.count(top) == 1]


def test_four_players_stand_two_by_two_on_a_phone(page: Page, served: Served) -> None:
    """None of them alone below the others."""
    opened = served.open_table("grabscrab", ["Ann", "Bob", "Cyd", "Dan"])
    page.set_viewport_size(PHONE)
    visit(page, served.page(opened))
    cards = page.locator("#players > *")
    expect(cards).to_have_count(4)
    tops = cards.evaluate_all("(all) => all.map((x) => x.offsetTop)")

    assert [2, 2] == [tops.count(top) for top in sorted(set(tops))]
