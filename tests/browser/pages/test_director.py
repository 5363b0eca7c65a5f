"""The director's page and the spectators' page, on a phone and on a wide screen."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from kibitz.app.reading.frames import FrameReader
from tests.app.server_help import ReadsBarcodes
from tests.browser.browser_help import do, serve

TSH = """\
Able, Ann               1512  2 3 ; 0
Baker, Bob              1490  1 4 ; 0
Clark, Cy               1420  4 1
Dunn, Dee               1300  3 2
"""
SIZES = [(390, 844), (1400, 900)]


@pytest.fixture
def served(tmp_path: Path):
    """A server whose tables nobody photographs."""
    with serve(tmp_path, FrameReader(ReadsBarcodes)) as served:
        yield served


@pytest.fixture(params=SIZES, ids=["phone", "wide"])
def page(browser, request):
    """A page as wide as a phone, and one as wide as a laptop."""
    width, height = request.param
    page = browser.new_page(viewport={"width": width, "height": height})
    yield page
    page.close()


def sticks_out(page) -> bool:
    """Whether a page is wider than its window."""
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def shot(page, name: str) -> None:
    """Keep a picture of the page where `KIBITZ_SHOTS` says."""
    if folder := os.environ.get("KIBITZ_SHOTS"):
        width = page.viewport_size["width"]
        page.screenshot(path=f"{folder}/{name}-{width}.png", full_page=True)


def test_a_director_sees_every_table_and_who_calls(served, page, tmp_path: Path) -> None:
    """Boards, scores, a call for a judge; filters leave what is looked for; nothing sticks out."""
    division = tmp_path / "a.t"
    division.write_text(TSH, encoding="utf-8")
    played = served.open_table("scrabble", ("Eve", "Fay"), {"reject_invalid": False})
    do(played, action="place", player="Eve", tiles={"H7": "A", "H8": "T"})
    page.goto(f"{served.address}/director")
    expect(page.locator(".seat-card")).to_have_count(1)
    expect(page.locator(".seat-card .score")).to_contain_text("Eve4")
    expect(page.get_by_role("img", name="Board with 2 tiles")).to_be_visible()

    page.get_by_label("File").set_input_files(str(division))
    page.get_by_role("button", name="Import").click()
    page.get_by_role("button", name="Set up the tables of round 2 of A").click()
    expect(page.locator(".seat-card")).to_have_count(3)
    expect(page.get_by_text("A round 2 board 1")).to_be_visible()

    page.evaluate(
        """([table, token]) => fetch(`/api/tables/${table}/judge`, {method: "POST",
        headers: {Authorization: `Bearer ${token}`, "Content-Type": "application/json"},
        body: JSON.stringify({why: "Is QAT good?"})})""",
        [played.table.id, played.seats["Fay"]],
    )
    called = page.get_by_text("Fay calls for a judge: Is QAT good?")
    expect(called).to_be_visible()
    shot(page, "director")
    page.get_by_label("call a judge").check()
    expect(page.locator(".seat-card")).to_have_count(1)
    too_wide = sticks_out(page)
    page.get_by_role("button", name="A judge is at Eve – Fay").click()
    expect(called).to_have_count(0)
    page.get_by_label("call a judge").uncheck()
    page.locator("#round").select_option("A 2")
    expect(page.locator(".seat-card")).to_have_count(2)

    assert not too_wide


def test_everybody_watches_a_published_game(served, page) -> None:
    """Without any token; a play told at the table appears by itself."""
    played = served.open_table("scrabble", ("Eve", "Fay"), {"reject_invalid": False})
    key = served.session.publish(played.table.id, "everybody-may-see-this")
    page.goto(f"{served.address}/watch/{key}")
    expect(page.locator("#newest")).to_have_text("Nothing was played yet.")
    do(played, action="place", player="Eve", tiles={"H7": "A", "H8": "T"})
    expect(page.locator("#newest")).to_contain_text("Eve plays AT.")
    expect(page.locator(".player .score").first).to_have_text("4")
    shot(page, "watch")
    too_wide = sticks_out(page)

    assert not too_wide


def test_a_published_game_has_addresses_to_copy(served, page) -> None:
    """For people, and for programs that poll the GCG, which other games do not have."""
    played = served.open_table("scrabble", ("Eve", "Fay"))
    served.open_table("scrabbleship", ("Gil", "Hal"))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{served.address}/director")
    page.get_by_role("button", name="Let everybody watch Eve – Fay").click()
    expect(page.get_by_role("link", name="/watch/")).to_be_visible()
    key = served.session.tables.storage.public_key(played.table.id)
    page.get_by_role("button", name="Copy the address of the GCG").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    gcg = page.evaluate("navigator.clipboard.readText()")
    shot(page, "published")
    too_wide = sticks_out(page)
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Let everybody watch Gil – Hal").click()
    expect(page.get_by_role("button", name="Copy the address")).to_have_count(1)

    assert f"{served.address}/public/{key}.gcg" == gcg
    assert not too_wide
