"""Everybody's place at a table: kept by each device, taken by no link, shown to nobody."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from kibitz.app.cli.serving.demo import DEMOS
from tests.browser.browser_help import PHONE, Served, do, visit

LETTERS_JS = "element => parseFloat(getComputedStyle(element).fontSize)"


def test_a_watchers_link_leaves_the_host_the_host(context: BrowserContext, served: Served) -> None:
    """The host who opens the big screen and a watcher's link is still the host afterwards."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    host = context.new_page()
    visit(host, served.page(opened))
    expect(host.get_by_role("button", name="Invite")).to_be_visible()
    for view in ("?view=screen", "?view=overlay", ""):
        watcher = context.new_page()
        visit(watcher, f"{served.address}/table/{opened.table.id}{view}#t={opened.watch}")
        expect(watcher.locator("#players")).to_contain_text("Ann")
        buttons = watcher.get_by_role("button", name="Pass").count()
        watcher.close()
        assert buttons == 0
    host.reload()
    fresh = context.new_page()
    visit(fresh, f"{served.address}/table/{opened.table.id}")

    expect(host.get_by_role("button", name="Invite")).to_be_visible()
    expect(fresh.get_by_role("button", name="Invite")).to_be_visible()


@pytest.mark.parametrize("kind", ["table", "seat", "history", "screen"])
def test_no_address_on_a_page_holds_a_token(page: Page, served: Served, kind: str) -> None:
    """Neither the address bar nor any link, which shows its address when pointed at."""
    opened = served.played("scrabble_challenge")
    address = {
        "table": served.page(opened),
        "seat": served.page(opened, "seat", opened.seats["Ann"]),
        "history": served.page(opened, "history"),
        "screen": f"{served.address}/table/{opened.table.id}?view=screen#t={opened.watch}",
    }[kind]
    visit(page, address)
    expect(page.locator("main")).to_be_visible()
    shown = page.evaluate(
        "[location.href, document.title, ...[...document.querySelectorAll('[href], [src], [action]')]"
        ".flatMap((e) => [e.getAttribute('href'), e.getAttribute('src'), e.getAttribute('action')]),"
        " document.body.innerText].join(' ')"
    )
    secrets = [opened.host, opened.watch, opened.camera, *opened.seats.values()]

    assert [s for s in secrets if s in shown] == []


def test_the_replay_is_reached_and_left_without_a_token_in_its_link(
    page: Page, served: Served
) -> None:
    """The link to the replay works by its click, and so does the way back."""
    opened = served.played("scrabble_challenge")
    visit(page, served.page(opened))
    page.get_by_role("link", name="Replay and graph").click()
    expect(page.locator("#graph .run")).to_have_count(2)
    page.get_by_role("link", name="To the table").click()

    expect(page.get_by_role("button", name="Invite")).to_be_visible()
    assert page.url == f"{served.address}/table/{opened.table.id}"


def test_a_phone_on_another_network_takes_a_new_line(page: Page, served: Served) -> None:
    """When the phone says that it is online again, it opens a new socket at once and goes on."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    sockets: list[str] = []
    page.on("websocket", lambda s: sockets.append(s.url))
    visit(page, served.page(opened, "seat", opened.seats["Bob"]))
    expect(page.locator("#turn")).to_have_text("Ann to move")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator("#link")).to_have_text("Live")
    do(opened, action="place", player="Ann", tiles={"H8": "A", "H9": "T"})

    expect(page.locator("#turn")).to_have_text("Your turn")
    assert len(sockets) == 2


def test_a_page_outlives_its_server(context: BrowserContext, served: Served) -> None:
    """A line that breaks is said in words, and taken up again with what happened meanwhile."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    page = context.new_page()
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    lines: list[object] = []
    page.route_web_socket("**/live?token=*", lambda ws: (lines.append(ws), ws.connect_to_server()))
    visit(page, served.page(opened))
    expect(page.locator("#link")).to_have_text("Live")
    lines[0].close(code=1012)  # type: ignore[attr-defined]
    expect(page.locator("#link")).to_have_text("Reconnecting…")
    assert page.locator("#link").evaluate(LETTERS_JS) > 0
    do(opened, action="place", player="Ann", tiles={"H8": "A", "H9": "T"})

    expect(page.locator("#sheet")).to_contain_text("AT")
    expect(page.locator("#link")).to_have_text("Live")


def test_a_phone_says_that_the_camera_sends_nothing(browser: Browser, served: Served) -> None:
    """Host and players read it whatever they look at, until there are pictures again."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    camera = served.session.camera(opened.table)
    camera.note_trouble("Camera 0 was unplugged.")
    for address in (served.page(opened), served.page(opened, "seat", opened.seats["Ann"])):
        page = browser.new_context(viewport=PHONE).new_page()  # type: ignore[arg-type]
        visit(page, address)
        expect(page.locator("#link")).to_have_text("No camera picture")
        assert page.locator("#link").evaluate(LETTERS_JS) > 0
        camera.take((DEMOS / "scrabble" / "01.jpg").read_bytes(), stream=False)
        expect(page.locator("#link")).to_have_text("Live")
        page.context.close()
        camera.note_trouble("Camera 0 was unplugged.")


def test_a_fleet_half_placed_outlives_a_reload(context: BrowserContext, served: Served) -> None:
    """What was laid before the phone slept lies there again; once kept, nothing of it stays behind."""
    opened = served.open_table("scrabbleship", ["Ann", "Bob"])
    page = context.new_page()
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    visit(page, served.page(opened, "seat", opened.seats["Ann"]))
    page.get_by_role("button", name="Scatter them").click()
    before = [s.get_attribute("x") for s in page.locator(".fleet-board .ship").all()]
    page.reload()
    expect(page.locator(".fleet-board .ship")).to_have_count(5)
    after = [s.get_attribute("x") for s in page.locator(".fleet-board .ship").all()]
    page.get_by_role("button", name="Keep this fleet").click()
    expect(page.locator("#own")).to_contain_text("Your fleet is placed.")
    kept = page.evaluate("Object.keys(sessionStorage).filter((k) => k.includes('fleet'))")
    drafts = page.evaluate("(names) => names.map((n) => sessionStorage.getItem(n))", kept)

    assert before == after
    assert [d for d in drafts if d] == []


def test_a_copied_link_says_so_only_when_it_is(page: Page, served: Served) -> None:
    """Where a browser allows no clipboard, the button says that, not that it copied."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    page.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', {value: undefined});"
        "document.execCommand = () => false;"
    )
    visit(page, served.page(opened))
    page.get_by_role("button", name="Invite").click()
    copy = page.get_by_role("button", name="Copy link").first
    copy.click()

    expect(page.locator(".codes button").first).to_have_text("Not allowed: scan it")
