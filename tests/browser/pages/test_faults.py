"""Nothing on a page is cut, jumps, or speaks of what people do not have; at three widths and zoomed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from kibitz.app.cli.serving.demo import DEMOS, DemoPlayer, bundled
from kibitz.app.reading.frames import FrameReader
from tests.browser.browser_help import Served, do, serve, visit

PLACES = {
    "phone": (390, 844, 1, "light"),
    "phone-dark": (390, 844, 1, "dark"),
    "tablet": (1024, 768, 1, "light"),
    "tablet-dark": (1024, 768, 1, "dark"),
    "desktop": (1400, 900, 1, "light"),
    "desktop-dark": (1400, 900, 1, "dark"),
    "tablet at 200 %": (512, 384, 2, "light"),
    "desktop at 200 %": (700, 450, 2, "dark"),
}
"""Width and height in CSS pixels, zoom, light or dark."""

MOST_SHIFT = 0.05
SHIFTS_JS = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
}"""
LOOKS_JS = """() => {
  const box = (e) => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };
  const picture = document.querySelector("#picture"), image = picture.querySelector("img");
  const headline = document.querySelector("#headline");
  const sheet = document.querySelector(".sheet-box");
  const top = sheet.getBoundingClientRect().top + (sheet.querySelector("thead")?.offsetHeight ?? 0);
  const rows = [...sheet.querySelectorAll("tbody tr, li")].map((row) => row.getBoundingClientRect());
  return {
    wide: document.documentElement.scrollWidth > innerWidth,
    picture: box(picture), image: box(image),
    shape: picture.offsetWidth / picture.offsetHeight,
    natural: image.naturalWidth / image.naturalHeight,
    headline: [headline.scrollHeight, headline.clientHeight, getComputedStyle(headline).webkitLineClamp],
    letters: parseFloat(getComputedStyle(headline).fontSize),
    cut: rows.filter((row) => row.top < top - 1 && row.bottom > top + 1).length,
    last: rows.at(-1).bottom - sheet.getBoundingClientRect().bottom,
    words: [...sheet.querySelectorAll(".play")].filter((play) => play.scrollWidth > play.clientWidth).length,
    silent: [...document.querySelectorAll("th")].filter((th) => !th.textContent.trim()).length,
  };
}"""


@pytest.fixture(scope="module")
def tables(served: Served) -> dict[str, str]:
    """Tables whose camera gives a square and an upright picture, and one of each long text."""
    frank = bundled("frankenscrabbards")
    player = DemoPlayer(served.session, frank, 0)
    square = player.open_table()
    for photo in frank.photos[:2]:
        served.session.camera(square.table).take(photo.read_bytes(), stream=False)
    hand = served.played("scrabbage_hand")
    upright = cv2.imread(str(DEMOS / "scrabbage" / "01.jpg"))
    assert upright is not None
    upright = np.asarray(cv2.copyMakeBorder(upright, 320, 320, 0, 0, cv2.BORDER_REPLICATE))
    data = cv2.imencode(".jpg", upright)[1].tobytes()
    served.session.camera(hand.table).take(data, stream=False)
    ships = served.played("scrabbleship_hits", 6)
    wide = served.open_table("frankenscrabbards", ["Ann", "Bob"], {"reject_invalid": False})
    for board, word in ((5, "ACKNOWLEDGEMENT"), (4, "INSTITUTIONALIS")):
        tiles = {f"{board}:H{i}": letter for i, letter in enumerate(word, 1)}
        assert do(wide, action="place", tiles=tiles)
    bare = (DEMOS / "frankenscrabbards" / "01.jpg").read_bytes()
    served.session.camera(wide.table).take(bare, stream=False)
    photo = DEMOS / "scrabbleship" / "01.jpg"
    served.session.camera(ships.table).take(photo.read_bytes(), stream=False)
    return {
        "square": served.page(square),
        "upright": served.page(hand),
        "long": served.page(ships),
        "wide": served.page(wide),
        "screen": f"{served.address}/table/{square.table.id}?view=screen#t={square.watch}",
    }


@pytest.fixture(params=PLACES)
def place(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    """A browser of one width, zoom and light."""
    width, height, zoom, scheme = PLACES[request.param]
    size: Any = {"width": width, "height": height}
    made = browser.new_context(viewport=size, device_scale_factor=zoom, color_scheme=scheme)  # type: ignore[arg-type]
    yield made
    made.close()


@pytest.mark.parametrize("name", ["square", "upright", "long", "wide"])
def test_nothing_on_a_table_is_cut(
    place: BrowserContext, tables: dict[str, str], name: str
) -> None:
    """Pictures of every shape are whole, texts are read to their end, lists begin with a line."""
    page = place.new_page()
    visit(page, tables[name])
    page.locator("#picture img").wait_for()
    page.wait_for_function("document.querySelector('#picture img').naturalWidth > 0")
    looks = page.evaluate(LOOKS_JS)
    left, top, right, bottom = looks["picture"]
    inside = looks["image"]

    assert not looks["wide"]
    assert (left - 1 <= inside[0], top - 1 <= inside[1]) == (True, True)
    assert (inside[2] <= right + 1, inside[3] <= bottom + 1) == (True, True)
    assert looks["headline"][0] <= looks["headline"][1] + 1
    assert looks["headline"][2] in ("none", "")
    assert looks["letters"] >= 11.5
    assert looks["cut"] == 0
    assert looks["last"] <= 1
    assert looks["words"] == 0
    assert looks["silent"] == 0


def test_a_screen_is_read_across_a_table(place: BrowserContext, tables: dict[str, str]) -> None:
    """It opens on the newest play of a large board, with letters and sheet to be read from afar."""
    page = place.new_page()
    visit(page, tables["screen"])
    expect(page.locator("#overview svg.board .tile.new").first).to_be_attached()
    sizes = page.evaluate("""() => {
      const board = document.querySelector("#board svg.board"), letter = board.querySelector(".tile.new .letter");
      const scale = board.getBoundingClientRect().width / board.viewBox.baseVal.width;
      const newest = [...board.querySelectorAll(".tile.new")].map((t) => t.getBoundingClientRect());
      const all = board.getBoundingClientRect();
      return {
        letter: parseFloat(getComputedStyle(letter).fontSize) * scale,
        sheet: parseFloat(getComputedStyle(document.querySelector(".play .word")).fontSize),
        outside: newest.filter((t) => t.left < all.left || t.right > all.right || t.top < all.top || t.bottom > all.bottom).length,
        wide: innerWidth,
      };
    }""")

    assert sizes["outside"] == 0
    assert sizes["letter"] >= (20 if sizes["wide"] >= 1000 else 12)
    assert sizes["sheet"] >= (20 if sizes["wide"] >= 1400 else 17)


@pytest.mark.parametrize("width", [390, 1024, 1400])
def test_a_page_stays_where_it_is_while_a_game_is_played(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory, width: int
) -> None:
    """The bundled game, picture after picture: what is being read does not jump away."""
    folder = tmp_path_factory.mktemp("calm")
    with serve(folder, FrameReader()) as running:
        player = DemoPlayer(running.session, bundled("scrabble"), 0.6)
        opened = player.open_table()
        page = browser.new_page(viewport={"width": width, "height": 844 if width < 700 else 900})
        page.add_init_script(f"({SHIFTS_JS})()")
        player.start()
        visit(page, running.page(opened))
        expect(page.locator("#sheet")).to_contain_text("PLOT", timeout=60_000)
        page.wait_for_timeout(500)
        shifted = page.evaluate("window.shifted")
        player.stop()
        page.context.close()

    assert shifted <= MOST_SHIFT


@pytest.mark.parametrize("width", [390, 1024, 1400])
def test_the_first_page_does_not_move(page: Page, served: Served, width: int) -> None:
    """Whatever is there to be shown comes at once, however late the server answers each call."""
    served.played("scrabble_challenge", 2)

    def late(route: Route) -> None:
        page.wait_for_timeout(100)
        route.continue_()

    page.set_viewport_size({"width": width, "height": 844})
    page.add_init_script(f"({SHIFTS_JS})()")
    page.route("**/api/**", late)
    page.goto(served.address + "/")
    expect(page.locator("#tables li").first).to_be_visible()
    expect(page.locator("#setup")).to_be_visible()
    expect(page.locator(".foot")).to_be_visible()
    page.wait_for_timeout(300)

    assert page.evaluate("window.shifted") <= MOST_SHIFT


@pytest.mark.fast
def test_the_first_page_asks_only_for_what_is_there(page: Page, served: Served) -> None:
    """No call fails, and house rules name no rule of a book that nobody has."""
    failed: list[str] = []
    page.on("response", lambda answer: failed.append(answer.url) if answer.status >= 400 else None)
    page.goto(served.address + "/")
    page.get_by_text("House rules").click()
    told = page.locator("#settings").inner_text()

    assert failed == []
    assert len(told) > 200
    assert re.findall(r"\b(?:CL|SS|FS|GS|SH|SB)-\d+", told) == []
