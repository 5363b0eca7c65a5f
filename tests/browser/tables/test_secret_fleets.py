"""Fleets placed on two phones: every message on the wire is kept and searched."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from playwright.sync_api import Browser, BrowserContext, Page, expect

from kibitz.app.tables.orders import Order
from tests.browser.browser_help import HOST, PHONE, Served, do, visit


@dataclass
class Wire:
    """Everything a page was sent."""

    messages: list[str] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        """Keep what comes by HTTP and by sockets from now on."""
        page.on("response", self._response)
        page.on("websocket", lambda s: s.on("framereceived", self._frame))

    def _frame(self, data: str | bytes) -> None:
        self.messages.append(data if isinstance(data, str) else data.decode("latin-1"))

    def _response(self, response: object) -> None:
        if "/api/" in response.url:  # type: ignore[attr-defined]
            self.messages.append(response.text())  # type: ignore[attr-defined]


def test_owners_call_what_was_hit_where_fleets_lie_on_paper(page: Page, served: Served) -> None:
    """Nobody places a fleet; a play waits for its calls, and its score counts them."""
    opened = served.open_table("scrabbleship", ["Ann", "Bob"], {"ss.fleets": "told"})
    do(opened, action="place", player="Ann", tiles={"H8": "C", "I8": "A", "J8": "T"})
    visit(page, served.page(opened, "seat", opened.seats["Bob"]))
    assert page.get_by_role("button", name="Keep this fleet").count() == 0
    page.get_by_role("button", name="Hits and misses").click()
    dialog = page.get_by_role("dialog")
    assert dialog.get_by_label("C on H8").locator("option").all_inner_texts() == ["miss"]
    dialog.get_by_label("T on J8").select_option(label="Bob's patrol is sunk")
    lies = dialog.get_by_label("Where the ship lies").locator("visible=true")
    lies.select_option(label="J8 – J9")
    dialog.get_by_role("button", name="Enter").click()
    expect(page.get_by_role("button", name="Hits and misses")).to_have_count(0)
    expect(page.locator("#headline")).to_contain_text("You sunk my patrol!")

    assert opened.table.view(HOST)["tasks"][0]["squares"] == ["J8", "J9"]


def test_a_fleet_is_never_sent_to_anybody_else(browser: Browser, served: Served) -> None:
    """Neither the other phone, the table's page nor a watcher is ever sent where a ship lies."""
    opened = served.open_table("scrabbleship", ["Ann", "Bob"])
    wires = {name: Wire() for name in ("Ann", "Bob", "host", "watch")}
    pages = {
        "Ann": served.page(opened, "seat", opened.seats["Ann"]),
        "Bob": served.page(opened, "seat", opened.seats["Bob"]),
        "host": served.page(opened),
        "watch": served.page(opened, "table", opened.watch),
    }
    contexts: list[BrowserContext] = []
    at: dict[str, Page] = {}
    for name, address in pages.items():
        contexts.append(browser.new_context(viewport=PHONE))
        at[name] = contexts[-1].new_page()
        wires[name].listen(at[name])
        visit(at[name], address)
    for name in ("Ann", "Bob"):
        at[name].get_by_role("button", name="Scatter them").click()
        at[name].get_by_role("button", name="Keep this fleet").click()
        expect(at[name].locator("#own")).to_contain_text("Your fleet is placed.")
        waits = "Your turn" if name == "Bob" else "Still to place a fleet: Bob"
        expect(at["Ann"].locator("#turn")).to_have_text(waits)
    expect(at["host"].locator("#actions")).to_contain_text("Pass")
    do(opened, action="place", player="Ann", tiles={"H8": "A", "H9": "T"})
    do(opened, action="undo")
    expect(at["watch"].locator("#said")).to_contain_text("fleet")
    fleets = {p: _fleet(opened.table.ledger.state, p) for p in ("Ann", "Bob")}
    at["Ann"].reload()  # the phone comes back and still sees its own, and only its own
    expect(at["Ann"].locator("svg.board .ship")).to_have_count(5)
    for context in contexts:
        context.close()

    assert all(len(w.messages) > 3 for w in wires.values())
    assert _shows(wires["Ann"], fleets["Ann"])
    assert _shows(wires["Bob"], fleets["Bob"])
    for owner, others in (("Ann", ("Bob", "host", "watch")), ("Bob", ("Ann", "host", "watch"))):
        assert [x for x in others if _shows(wires[x], fleets[owner])] == []


def _fleet(state: object, player: str) -> list[list[str]]:
    from kibitz.engine.games import find_game

    view = find_game("scrabbleship").view(state, player)
    return [list(squares) for squares in view["fleets"][player].values()]


def _shows(wire: Wire, ships: list[list[str]]) -> bool:
    """Whether a message holds the squares of a ship, in any order or notation of lists."""
    for message in wire.messages:
        lists = re.findall(r"\[[^\[\]{}]*\]", message)
        for text in lists:
            try:
                found = json.loads(text)
            except ValueError:
                continue
            told = {str(x) for x in found}
            if any(set(ship) <= told for ship in ships):
                return True
    return False


def test_the_editor_turns_moves_and_checks_ships(browser: Browser, served: Served) -> None:
    """A ship is laid by tapping, turned by its button, and kept out of the other's sea."""
    opened = served.open_table("scrabbleship", ["Ann", "Bob"])
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    visit(page, served.page(opened, "seat", opened.seats["Bob"]))
    keep = page.get_by_role("button", name="Keep this fleet")
    begun = keep.is_disabled()
    page.get_by_role("button", name="Lies across").click()
    board = page.get_by_label("Your part of the sea")
    board.focus()
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#own .note")).to_have_text("The carrier is placed.")
    page.get_by_role("button", name="Scatter them").click()
    keep.click()
    expect(page.locator("#own")).to_contain_text("Your fleet is placed.")
    context.close()

    fleet = _fleet(opened.table.ledger.state, "Bob")
    assert begun is True
    assert sorted(len(ship) for ship in fleet) == [2, 3, 3, 4, 5]
    assert opened.table.view(HOST)["fleets_ready"] == ["Bob"]


def test_the_editor_names_rows_and_columns_as_the_table_does(page: Page, served: Served) -> None:
    """Where squares are named 1A the rows of the own sea are numbers, and its columns letters."""
    order = Order("scrabbleship", ("Ann", "Bob"), notation="1A")
    opened = served.session.tables.create(order)
    served.session.listen(opened.table)
    visit(page, served.page(opened, "seat", opened.seats["Bob"]))

    expect(page.locator("#own .note")).to_contain_text("rows 9 to 15, columns A to O.")


def test_a_fleetless_table_says_where_the_codes_are(
    context: BrowserContext, served: Served
) -> None:
    """The host's page leads to Invite, where each phone's code is; who only watches has none."""
    opened = served.open_table("scrabbleship", ["Ann", "Bob"])
    host, watch = context.new_page(), context.new_page()
    visit(host, served.page(opened))
    visit(watch, served.page(opened, "table", opened.watch))

    expect(host.locator("#headline .more")).to_contain_text("Invite")
    expect(watch.locator("#headline")).to_have_text("Everybody places a fleet in secret.")


def test_what_a_play_brought_stands_in_its_own_line(page: Page, served: Served) -> None:
    """Also where it waited until the next play, which stands in its own player's column."""
    opened = served.open_table(
        "scrabbleship", ["Ann", "Bob"], {"ss.fleets": "told", "ss.challenge": "any_word"}
    )
    do(opened, action="place", tiles={"H8": "A", "H9": "T"})
    do(opened, action="place", tiles={"G9": "A", "I9": "E"})
    visit(page, served.page(opened))
    rows = page.locator("#sheet tbody tr")
    expect(rows).to_have_count(1)
    cells = [" ".join(x.split()) for x in rows.locator("td").all_inner_texts()]

    assert ["AT +4 4", "ATE 0"] == cells
