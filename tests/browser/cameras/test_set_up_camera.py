"""Aiming a camera, dragging ships, and the pages for many eyes."""

from __future__ import annotations

import os
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from kibitz.app.cameras.onvif import OnvifRule, find_cameras
from kibitz.app.cli.serving.demo import DEMOS
from tests.app.cameras.test_onvif import MATCH, answering, camera
from tests.browser.browser_help import HOST, PHONE, Served, do, visit

PHOTO = DEMOS / "scrabble" / "05.jpg"
FALLING_JS = """() =>
document.querySelector("#headline").textContent === "Words facing both ways fall: ACCEPT."
&& document.querySelectorAll("svg.board .mark.wrong").length === 4"""

__all__ = ["camera"]


def test_corners_are_dragged_into_place(page: Page, served: Served) -> None:
    """The board is drawn on the picture; a corner moves by mouse and by keys, and is kept."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    camera = served.session.camera(opened.table)
    camera.take(PHOTO.read_bytes(), stream=False)
    visit(page, served.page(opened))
    page.get_by_role("button", name="Corners").click()
    corner = page.get_by_role("slider", name="Corner 1A", exact=True)
    box = corner.bounding_box()
    assert box is not None
    before = corner.get_attribute("transform")
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] - 30, box["y"] - 10, steps=3)
    page.mouse.up()
    dragged = corner.get_attribute("transform")
    corner.focus()
    page.keyboard.press("ArrowRight")
    nudged = corner.get_attribute("transform")
    page.get_by_role("button", name="Keep these corners").click()
    expect(page.get_by_role("dialog")).to_have_count(0)

    assert len({before, dragged, nudged}) == 3
    assert camera.aimed is True


def test_a_table_without_camera_offers_three(page: Page, served: Served) -> None:
    """This device, a phone by its code, a camera in the house; a wrong address is told in words."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    visit(page, served.page(opened))
    page.get_by_role("button", name="A phone").click()
    expect(page.get_by_alt_text("Code for the camera's page")).to_be_visible()
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="A camera in the house").click()
    page.get_by_label("Number or address").fill("/etc/passwd")
    page.get_by_role("button", name="Open it").click()

    expect(page.get_by_role("alert")).to_contain_text("Expected a camera's number or its address")


@pytest.mark.parametrize("width", [390, 1400])
def test_cameras_of_the_network_are_found_and_asked(
    page: Page, served: Served, camera: Any, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    """A camera that answers the search, its user, and the address of its stream is filled in."""
    address, _ = camera
    group = answering(MATCH.format(addresses=address))
    look = partial(find_cameras, group, OnvifRule(wait_s=1.0))
    monkeypatch.setattr("kibitz.app.server.routes.pictures.cameras.find_cameras", look)
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    page.set_viewport_size({"width": width, "height": 900})
    visit(page, served.page(opened))
    page.get_by_role("button", name="A camera in the house").click()
    page.get_by_text("Look for cameras on the network").click()
    page.get_by_label("User name of the camera").fill("viewer")
    page.get_by_label("Password").fill("seven & nine")
    page.get_by_role("button", name="Look for cameras", exact=True).click()
    page.get_by_role("button", name="Front door").click()
    stream = page.get_by_role("button", name="Main 1920 × 1080")
    expect(stream).to_be_visible()
    if folder := os.environ.get("KIBITZ_SHOTS"):
        page.screenshot(path=f"{folder}/onvif-{width}.png")
    stream.click()

    expect(page.get_by_label("Number or address")).to_have_value(
        "rtsp://viewer:seven%20%26%20nine@127.0.0.1:554/main?profile=1"
    )


def test_every_place_at_the_table_has_a_code(page: Page, served: Served) -> None:
    """The invitation shows a code for each seat, the camera and watchers."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    visit(page, served.page(opened))
    page.get_by_role("button", name="Invite").click()
    codes = page.locator(".codes figure")
    expect(codes).to_have_count(5)

    names = [text.split("\n")[0] for text in codes.all_inner_texts()]
    assert names == ["Ann", "Bob", "Camera", "Watch", "Always the newest game"]


@pytest.mark.parametrize("view", ["screen", "overlay"])
def test_the_pages_for_many_eyes_show_no_buttons(page: Page, served: Served, view: str) -> None:
    """A hall's screen shows the board large; an overlay shows scores over nothing."""
    opened = served.played("scrabble_challenge")
    visit(page, f"{served.address}/table/{opened.table.id}?view={view}#t={opened.watch}")
    expect(page.locator("#players")).to_contain_text("Ann")
    behind = page.evaluate("getComputedStyle(document.body).backgroundColor")
    buttons = page.get_by_role("button").filter(visible=True)

    assert page.locator("#board").is_visible() is (view == "screen")
    assert (behind == "rgba(0, 0, 0, 0)") is (view == "overlay")
    assert [b for b in buttons.all_inner_texts() if b in ("Undo", "Pass", "Voice off")] == []


def test_a_ship_is_dragged(browser: Browser, served: Served) -> None:
    """A placed ship follows the finger, and goes back where another lies."""
    opened = served.open_table("scrabbleship", ["Ann", "Bob"])
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    visit(page, served.page(opened, "seat", opened.seats["Ann"]))
    board = page.get_by_label("Your part of the sea")
    board.scroll_into_view_if_needed()
    area = board.bounding_box()
    assert area is not None
    unit = area["width"] / (15 * 40 + 60)

    def spot(row: int, col: int) -> tuple[float, float]:
        return area["x"] + (30 + (col + 0.5) * 40) * unit, area["y"] + (
            30 + (row + 0.5) * 40
        ) * unit

    def drag(start: tuple[int, int], end: tuple[int, int]) -> None:
        page.mouse.move(*spot(*start))
        page.mouse.down()
        page.mouse.move(*spot(*end), steps=8)
        page.mouse.up()

    page.mouse.click(*spot(0, 0))  # the carrier: A1 to A5
    page.mouse.click(*spot(2, 0))  # the scrabbleship: C1 to C4
    drag((0, 2), (4, 7))
    moved = _titles(page)
    drag((2, 1), (4, 7))
    refused = page.locator("#own .note").inner_text()
    after = _titles(page)
    context.close()

    assert refused == "The carrier lies there already."
    assert moved == after
    assert len(after) == 2
    assert after["carrier"][1] > after["ScrabbleShip"][1]


def _titles(page: Page) -> dict[str, tuple[float, float]]:
    """Each ship's name with where it is drawn."""
    found = {}
    for ship in page.locator("svg.fleet-board .ship").all():
        name = ship.locator("title").text_content() or ""
        found[name] = (float(ship.get_attribute("x") or 0), float(ship.get_attribute("y") or 0))
    return found


def test_an_explosion_is_shown_step_by_step(context: BrowserContext, served: Served) -> None:
    """The words that fall are marked one after the other, then the board is what it is."""
    opened = served.played("scrabble_house_explosion", 0)
    page = context.new_page()
    visit(page, served.page(opened))
    expect(page.locator("svg.board .tile")).to_have_count(33)
    do(opened, action="place", player="South", tiles={"I8": "K", "I9": "E", "I10": "E"})
    page.wait_for_function(FALLING_JS)  # asked at every drawing: a step lasts but a moment
    expect(page.locator("#headline")).to_contain_text("KEEL, DOCK, AE.", timeout=20_000)
    expect(page.locator("svg.board .tile")).to_have_count(23)

    assert len("".join(opened.table.view(HOST)["board"]).replace(".", "")) == 23
