"""Tiles are taught on the page that sets up the camera, and the table reads them from then on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from kibitz.app.tables.registry import Opened
from tests.browser.browser_help import HOST, Served, visit
from tests.browser.pages.test_accessible import faults
from tests.browser.pages.test_faults import PLACES
from tests.helpers.drawn_sets import (
    PRINTED,
    UNKNOWN,
    DrawnSet,
    in_unknown,
    laid_out,
    offer_unknown,
)

ORDER = UNKNOWN
SET = DrawnSet(5)
ROWS = [*(" ".join(ORDER[k : k + 10]) for k in (0, 10, 20)), "blank"]
UNTAUGHT = "None of these letters can be read before they are taught."
SMALLEST_PX = {"tile": 24, "letter": 12, "crop": 44}
"""On the narrowest page: a drawn tile, its letter, and the picture of a learnt tile."""
SIZES_JS = """() => {
  const width = (selector) => Math.min(...[...document.querySelectorAll(selector)].map((e) => e.getBoundingClientRect().width));
  const rows = [...document.querySelectorAll(".tray li")].map((row) => new Set([...row.querySelectorAll(".tile-chip")].map((e) => Math.round(e.getBoundingClientRect().top))).size);
  const letter = document.querySelector(".tray .tile-chip");
  return {
    wide: document.documentElement.scrollWidth > innerWidth, rows,
    tile: width(".tray .tile-chip"), letter: letter && parseFloat(getComputedStyle(letter).fontSize),
    crop: width(".learnt img"),
  };
}"""


def photograph(chars: Any, seed: int, tilt_deg: float) -> bytes:
    """A camera's picture of tiles of the set."""
    picture = SET.photograph(chars, seed, tilt_deg, upright=True).picture
    return cv2.imencode(".jpg", picture)[1].tobytes()


@pytest.fixture(scope="module")
def lesson() -> bytes:
    """The whole set, laid out."""
    return photograph(laid_out(PRINTED), 1, 12.0)


@pytest.fixture(scope="module")
def tiles(served: Served, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A set of which no letter is known."""
    return offer_unknown(served.session, tmp_path_factory.mktemp("unknown"))


@pytest.fixture(scope="module")
def taught(served: Served, tiles: str, lesson: bytes) -> Opened:
    """A table whose tiles were taught."""
    opened = served.open_table("scrabble", ["Ann", "Bob"], tiles=tiles)
    camera = served.session.camera(opened.table)
    camera.take(lesson, stream=False)
    look = served.session.look_for(opened.table)
    served.session.teach(opened.table, served.session.reader.learn(lesson, look, ORDER))
    return opened


@pytest.fixture(params=PLACES)
def place(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    """A browser of one width, zoom and light."""
    width, height, zoom, scheme = PLACES[request.param]
    size: Any = {"width": width, "height": height}
    made = browser.new_context(viewport=size, device_scale_factor=zoom, color_scheme=scheme)  # type: ignore[arg-type]
    yield made
    made.close()


def said(page: Page) -> Any:
    """The region that tells of the tiles aloud."""
    return page.locator("#teach > [role=status][aria-live=polite]")


def letters_on(opened: Opened) -> str:
    """What lies on a table's board."""
    return "".join(opened.table.view(HOST)["board"]).replace(".", "")


def test_a_set_is_taught_by_keys_and_then_read(
    page: Page, served: Served, tiles: str, lesson: bytes
) -> None:
    """A tile that is missing is told and seen; then each is shown, and a play is read."""
    opened = served.open_table("scrabble", ["Ann", "Bob"], tiles=tiles)
    camera = served.session.camera(opened.table)
    visit(page, served.page(opened, "setup"))
    expect(said(page)).to_have_text(UNTAUGHT)
    rows = page.locator(".tray li > .hush").all_inner_texts()
    learn = page.get_by_role("button", name="Learn these tiles")
    learn.focus()
    page.keyboard.press("Enter")
    expect(said(page)).to_have_text("No frame has come yet; start the camera first.")
    camera.take(photograph(laid_out(PRINTED[:-2]), 1, 12.0), stream=False)
    expect(page.locator("#verdict")).to_have_text(UNTAUGHT)
    page.keyboard.press("Enter")
    expect(said(page)).to_contain_text("found 29 in rows of 10 10 9")
    framed = page.get_by_role("img", name="29 tiles were found: those in frames.")
    expect(framed).to_be_visible()
    frames = framed.locator("path").last.get_attribute("d") or ""
    camera.take(lesson, stream=False)
    expect(page.get_by_role("button", name="Try again")).to_be_focused()
    page.keyboard.press("Enter")
    expect(said(page)).to_contain_text("31 tiles were learnt.")
    shown = page.get_by_role("img", name=f"The tile taken for {in_unknown('Ж')}", exact=True)
    expect(shown).to_have_js_property("naturalWidth", 48)
    names = page.locator(".learnt b").all_inner_texts()
    expect(page.locator("#verdict")).to_have_text("The view is good.")
    page.get_by_role("link", name="To the table").click()
    chars = np.full((15, 15), "", dtype="<U1")
    chars[7, 6:9] = list("ДОМ")
    expect(page.locator("#sheet")).to_be_visible()
    camera.take(photograph(chars, 21, 20.0), stream=False)
    expect(page.locator("#sheet .play .word").first).to_contain_text(in_unknown("ДОМ"))

    assert (ROWS, 29) == (rows, frames.count("Z"))
    assert [*ORDER[:-1], "blank"] == names
    assert in_unknown("ДОМ") == letters_on(opened)


def test_the_step_is_clear_everywhere(
    place: BrowserContext, served: Served, taught: Opened
) -> None:
    """Rows stay rows, letters are large enough, nothing is cut; axe finds nothing serious."""
    page = place.new_page()
    visit(page, served.page(taught, "setup"))
    expect(page.locator(".learnt li")).to_have_count(31)
    page.get_by_role("button", name="Teach them once more").click()
    expect(page.locator(".tray")).to_be_visible()
    expect(page.locator("#picture img")).to_be_visible()
    sizes = page.evaluate(SIZES_JS)

    assert (False, [1, 1, 1, 1]) == (sizes["wide"], sizes["rows"])
    assert dict.fromkeys(SMALLEST_PX, True) == {
        name: sizes[name] >= least for name, least in SMALLEST_PX.items()
    }
    assert [] == faults(page)


def test_the_step_may_be_left_out(page: Page, served: Served) -> None:
    """Where the letters are known nothing has to be taught; the keys go on where they were."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    visit(page, served.page(opened, "setup"))
    expect(said(page)).to_contain_text("printed letters are read as usual")
    page.get_by_role("button", name="Teach the tiles").click()
    expect(page.locator("#teach p:focus")).to_contain_text("Empty the board")
    page.get_by_role("button", name="Leave it out").click()

    expect(page.get_by_role("button", name="Teach the tiles")).to_be_focused()
    expect(page.locator(".tray")).to_be_hidden()


def test_a_photograph_teaches_too_and_what_was_learnt_is_forgotten(
    page: Page, served: Served, tiles: str, lesson: bytes
) -> None:
    """No camera is needed for it; forgetting is asked about, and the order is shown again."""
    opened = served.open_table("scrabble", ["Ann", "Bob"], tiles=tiles)
    visit(page, served.page(opened, "setup"))
    file: Any = {"name": "tiles.jpg", "mimeType": "image/jpeg", "buffer": lesson}
    page.get_by_label("From a photograph").set_input_files(file)
    expect(said(page)).to_contain_text("31 tiles were learnt.")
    kept = served.session.taught(opened.table)
    page.get_by_role("button", name="Forget what was learnt").click()
    page.get_by_role("button", name="Forget it").click()
    expect(said(page)).to_have_text(UNTAUGHT)

    assert kept is not None
    assert ORDER == kept.labels
    assert served.session.taught(opened.table) is None
    expect(page.locator(".tray")).to_be_visible()


def test_where_no_tiles_can_be_taught_the_step_is_not_there(page: Page, served: Served) -> None:
    """Loose tiles: the steps go on with the next."""
    opened = served.open_table("grabscrab", ["Ann", "Bob"])
    with page.expect_response("**/taught"):
        visit(page, served.page(opened, "setup"))

    expect(page.locator("#teach-step")).to_be_hidden()
    expect(page.get_by_role("link", name="To the table")).to_be_visible()


def test_a_tables_page_leads_to_it(page: Page, served: Served, taught: Opened) -> None:
    """From the camera's picture to the set-up with its tiles."""
    visit(page, served.page(taught))
    page.get_by_role("button", name="Camera", exact=True).click()
    page.get_by_role("link", name="Set up the camera").click()

    expect(said(page)).to_contain_text("31 tiles were learnt.")
