"""Setting up a camera: what is wrong is seen on the picture and said; and all cameras at a glance."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from kibitz.app.cli.serving.demo import DEMOS
from tests.browser.browser_help import HOST, Served

PLACES: list[tuple[int, Any]] = [(390, "light"), (1024, "dark"), (1400, "light"), (700, "dark")]


def _photo() -> Any:
    picture = cv2.imread(str(DEMOS / "scrabble" / "05.jpg"))
    assert picture is not None
    return picture


def _with_glare(picture: Any) -> Any:
    """A lamp that mirrors in the middle of the board."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width]
    spot = np.exp(-(((x - width * 0.52) / 90) ** 2) - ((y - height * 0.5) / 60) ** 2)
    return np.clip(picture + 900 * spot[..., None], 0, 255).astype(np.uint8)


def _show(served: Served, opened: Any, picture: Any) -> None:
    data = cv2.imencode(".jpg", picture)[1].tobytes()
    served.session.camera(opened.table).take(data, stream=False)


@pytest.mark.parametrize(("width", "scheme"), PLACES)
def test_what_is_wrong_is_seen_and_said(
    browser: Browser, served: Served, width: int, scheme: Any
) -> None:
    """First nothing is known, then glare is marked on its squares, then the view is good."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    context: BrowserContext = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme
    )
    page = context.new_page()
    page.goto(f"{served.address}/setup/{opened.table.id}#t={opened.host}")
    expect(page.locator("#verdict")).to_have_text("Choose a camera.")
    expect(page.locator(".checks .open")).to_have_count(7)
    _show(served, opened, _with_glare(_photo()))
    expect(page.locator(".checks .bad b")).to_have_text("Glare")
    expect(page.locator("#picture .glare").first).to_be_attached()
    marked = page.locator("#picture .glare").count()
    _show(served, opened, _photo())
    expect(page.locator("#verdict")).to_have_text("The view is good.")
    good = page.locator(".checks .good").count()
    page.get_by_role("group", name="Where Ann sits").get_by_role("button", name="left").click()
    pressed = page.locator(".who [aria-pressed=true]")
    expect(pressed).to_have_text("left")
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.get_by_role("link", name="To the table").click()
    expect(page.locator("#players")).to_contain_text("sits at the left")
    context.close()

    assert (good, wide) == (7, False)
    assert 8 < marked < 60


def test_a_new_table_begins_with_its_camera(page: Page, served: Served) -> None:
    """The first page leads to the set-up; an address that is none is told there."""
    page.goto(served.address + "/")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator("#verdict")).to_have_text("Choose a camera.")
    page.get_by_role("button", name="A camera in the house").click()
    page.get_by_label("Number or address").fill("kitchen")
    page.get_by_role("button", name="Open it").click()

    expect(page.get_by_role("alert")).to_contain_text("Expected a camera's number or its address")


def test_all_cameras_are_seen_on_one_page(page: Page, served: Served) -> None:
    """Each with its picture and figures, and the way to its set-up."""
    opened = served.open_table("scrabble", ["Zoe", "Yan"])
    _show(served, opened, _photo())
    page.goto(served.address + "/cameras")
    card = page.locator(".camera-cards .card").filter(has_text="Zoe, Yan")
    expect(card.locator("img")).to_have_js_property("naturalWidth", 1120)

    expect(card).to_contain_text("1120 × 840 pixels")
    expect(card).to_contain_text("% of one of")
    card.get_by_role("button", name="Set up").click()
    expect(page.locator("#verdict")).to_have_text("The view is good.")
    assert opened.table.view(HOST)["to_move"] == "Zoe"


def test_a_game_without_a_board_is_tried_without_one(page: Page, served: Served) -> None:
    """Neither set-up nor camera speak of a board; without tiles no view is called good."""
    opened = served.open_table("grabscrab", ["Ann", "Bob"])
    page.goto(served.page(opened, "camera", opened.camera))
    told = page.locator("#finder").inner_text()
    page.goto(served.page(opened, "setup"))
    picture = cv2.imread(str(DEMOS / "grabscrab" / "01.jpg"))
    assert picture is not None
    _show(served, opened, np.full_like(picture, 128))
    expect(page.locator("#verdict")).to_have_text("No tiles are seen yet.")
    expect(page.locator(".checks .good")).to_have_count(0)
    _show(served, opened, picture)
    expect(page.locator("#verdict")).to_have_text("The view is good.")
    expect(page.locator("#trial")).to_contain_text("hand")

    assert "board" not in told + page.locator("#main").inner_text()


def test_the_set_up_ends_with_a_word_that_is_laid(page: Page, served: Served) -> None:
    """What was read is said; wrong, what to change; a test is undone."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    page.goto(served.page(opened, "setup"))
    expect(page.locator("#trial")).to_have_text("First choose a camera, above.")
    _show(served, opened, cv2.imread(str(DEMOS / "scrabble" / "01.jpg")))
    expect(page.locator("#trial")).to_contain_text("Lay a word on the board")
    _show(served, opened, cv2.imread(str(DEMOS / "scrabble" / "02.jpg")))
    expect(page.locator("#trial")).to_contain_text("GARDEN")
    page.locator("#trial").get_by_role("button", name="That is wrong").click()
    expect(page.locator("#trial")).to_contain_text("The set is English")
    page.locator("#trial").get_by_role("button", name="It was only a test").click()
    expect(page.locator("#trial")).to_contain_text("Lay a word on the board")

    assert opened.table.view(HOST)["scores"] == {"Ann": 0, "Bob": 0}


@pytest.mark.parametrize(
    ("players", "sides"),
    [
        (["Cyd", "Dee"], ["left", "right"]),
        (["Bob", "Ann"], ["right", "left"]),
        (["Cyd", "Ann"], ["right", "left"]),
    ],
    ids=["others", "in turn", "one stays"],
)
def test_the_next_table_is_set_up_as_the_last(
    page: Page, served: Served, players: list[str], sides: list[str]
) -> None:
    """Camera, corners and seats of one table are those of the next by one tap.

    Who was there before sits there still, whoever begins now.
    """
    corners = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]
    first = served.open_table("scrabble", ["Ann", "Bob"])
    camera = served.session.camera(first.table)
    camera.source = str(DEMOS / "scrabble")
    page.goto(served.page(first, "setup"))
    page.evaluate(
        "(kept) => localStorage.setItem('kibitz.setup', JSON.stringify(kept))",
        {
            "source": "http://127.0.0.1:1/none",
            "here": False,
            "corners": corners,
            "sides": ["left", "right"],
            "players": ["Ann", "Bob"],
        },
    )
    second = served.open_table("scrabble", players)
    _show(served, second, _photo())
    page.goto(served.page(second, "setup"))
    page.get_by_role("button", name="As last time").click()
    expect(page.locator("#seats [aria-pressed=true]")).to_have_count(2)
    for _ in range(100):
        if served.session.camera(second.table).aimed:
            break
        page.wait_for_timeout(100)

    assert served.session.camera(second.table).corners == tuple(map(tuple, corners))
    assert sides == [second.table.tracker.side_of(player) for player in players]
