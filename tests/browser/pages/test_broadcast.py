"""What streams and other sites show: an overlay laid out by its address, a page in a frame."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kibitz.app.cli.serving.demo import DEMOS
from kibitz.app.reading.frames import FrameReader
from kibitz.app.tables.results.game_film import write_film
from tests.browser.browser_help import Served, do, visit

SIZE: Any = {"width": 1280, "height": 720}
WHERE_JS = """(name) => {
  const box = document.querySelector(name).getBoundingClientRect();
  return [box.left, box.top, box.right, box.bottom].map((x) => Math.round(x));
}"""


def shot(page: Page, name: str) -> None:
    """Keep a picture of the page where `KIBITZ_SHOTS` says."""
    if folder := os.environ.get("KIBITZ_SHOTS"):
        page.screenshot(path=f"{folder}/{name}-{page.viewport_size['width']}.png")


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Another site: its folder and its address."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    site = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=site.serve_forever, daemon=True).start()
    yield tmp_path, f"http://127.0.0.1:{site.server_port}"
    site.shutdown()
    site.server_close()


def test_an_overlay_is_laid_out_by_its_address(page: Page, served: Served) -> None:
    """Each part where the address says, as wide as it says; what it does not name is not there."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    photo = (DEMOS / "scrabble" / "02.jpg").read_bytes()
    served.session.camera(opened.table).take(photo, stream=False)
    page.set_viewport_size(SIZE)
    layout = "board=left,40&camera=bottom-right,25&scores=top-right&unseen=top,30&nonsense=1"
    visit(page, f"{served.address}/table/{opened.table.id}?view=overlay&{layout}#t={opened.watch}")
    camera = page.get_by_alt_text("The board as the camera sees it")
    expect(camera).to_have_js_property("naturalWidth", 900)
    board, picture, scores, unseen = (
        page.evaluate(WHERE_JS, name)
        for name in (".part-board", ".overlay-camera img", "#players", "#unseen-card")
    )

    assert board[2] - board[0] == 512
    assert board[0] < 40
    assert picture[2] - picture[0] == 320
    assert (picture[2] > 1240, picture[3] > 680) == (True, True)
    assert (scores[2] > 1240, scores[1] < 40) == (True, True)
    assert abs((unseen[0] + unseen[2]) / 2 - 640) < 4
    assert not page.locator("#headline").is_visible()
    assert not page.locator("#sheet").is_visible()


def test_the_newest_play_is_one_line(page: Page, served: Served) -> None:
    """However narrow: set smaller, no word parted; a blank is its letter once that is known."""
    opened = served.open_table("scrabble", ["Annabella", "Bob"])
    tiles = {"H6": "W", "H7": "H", "H8": "?", "H9": "L", "H10": "E"}
    do(opened, action="place", player="Annabella", tiles=tiles)
    page.set_viewport_size({"width": 300, "height": 200})
    address = f"{served.address}/table/{opened.table.id}?view=overlay&play=bottom#t={opened.watch}"
    visit(page, address)
    headline = page.locator("#headline")
    expect(headline).to_contain_text("WH?\u2060LE")
    fits = headline.evaluate(
        "e => [e.scrollWidth < e.clientWidth + 2, e.clientHeight < 2 * parseFloat(e.style.fontSize)]"
    )
    do(opened, action="answer", field="blank", square="H8", value="O")
    expect(page.locator("#said")).to_contain_text("Annabella plays WHOLE.")

    assert [True, True] == fits


LAYOUTS = [
    "board=left,60&play=bottom-left,70&scores=bottom-right&camera=right,50",
    "scores=top&board=middle,90&play=bottom",
    "scores=left&sheet=left,40&board=right,60&clock=top-right",
    "",
]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_parts_of_an_overlay_do_not_overlap(page: Page, served: Served, layout: str) -> None:
    """Whatever the address asks for: what has no room is smaller, and all of it is in the picture."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    for name in ("02.jpg", "03.jpg"):
        photo = (DEMOS / "scrabble" / name).read_bytes()
        served.session.camera(opened.table).take(photo, stream=False)
    page.set_viewport_size(SIZE)
    visit(page, f"{served.address}/table/{opened.table.id}?view=overlay&{layout}#t={opened.watch}")
    page.wait_for_timeout(500)
    boxes = page.locator(".part").evaluate_all(
        "parts => parts.map((x) => x.getBoundingClientRect()).map((b) =>"
        " [b.left, b.top, b.right, b.bottom].map(Math.round)).filter((b) => b[2] > b[0])"
    )
    over = [
        (a, b)
        for i, a in enumerate(boxes)
        for b in boxes[i + 1 :]
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]

    assert [] == over
    assert [] == [b for b in boxes if b[0] < 0 or b[1] < 0 or b[2] > 1280 or b[3] > 720]


def test_a_correction_goes_on_air(page: Page, served: Served) -> None:
    """What was put right stands where the play stood, and the film shows no other."""
    opened = served.open_table("scrabble", ["Ann", "Bob"], {"reject_invalid": False})
    do(opened, action="place", player="Ann", tiles={"H7": "C", "H8": "A", "H9": "T"})
    page.set_viewport_size(SIZE)
    visit(page, f"{served.address}/table/{opened.table.id}?view=overlay#t={opened.watch}")
    headline = page.locator("#headline")
    expect(headline).to_contain_text("Ann plays CAT.")
    do(opened, action="correct", square="H7", letter="B")

    expect(headline).to_contain_text("Correction: BAT for 10, not CAT.")


@pytest.mark.parametrize("ending", [".mp4", ".webm"])
def test_a_browser_plays_the_film(page: Page, served: Served, tmp_path: Path, ending: str) -> None:
    """Of each kind but that for cutting."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    photo = (DEMOS / "scrabble" / "02.jpg").read_bytes()
    served.session.camera(opened.table).take(photo, stream=False)
    path = tmp_path / f"film{ending}"
    write_film(opened.table, path, FrameReader())
    kind = f"video/{ending[1:]}"
    data = f"data:{kind};base64,{b64encode(path.read_bytes()).decode()}"
    page.set_content("<video muted></video>")
    plays = page.evaluate(
        """data => new Promise((done) => {
          const video = document.querySelector("video");
          video.onloadeddata = () => done([video.videoWidth, video.duration]);
          video.onerror = () => done(video.error.message);
          video.src = data;
        })""",
        data,
    )

    assert [1280, 2] == plays


def test_clocks_may_stand_alone(page: Page, served: Served) -> None:
    """Each player's clock by itself, and no second one beside the score."""
    opened = served.played("scrabble_house_explosion", 1)
    page.set_viewport_size(SIZE)
    visit(
        page,
        f"{served.address}/table/{opened.table.id}?view=overlay&clock=top&scores=bottom&theme=dark"
        f"#t={opened.watch}",
    )
    expect(page.locator(".overlay-clock .clock")).to_have_count(2)

    assert page.locator(".players .clock").filter(visible=True).count() == 0
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_another_site_shows_the_game_in_a_frame(
    page: Page, served: Served, elsewhere: tuple[Path, str]
) -> None:
    """The code from the page works there and follows the game; with the host's link it does not."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    visit(page, served.page(opened))
    page.get_by_role("button", name="Screen", exact=True).click()
    page.get_by_role("button", name="Code for a web page").click()
    field = page.get_by_label("To be copied")
    expect(field).to_be_visible()
    folder, address = elsewhere
    code = field.input_value()
    (folder / "index.html").write_text(f"<!doctype html><title>Club</title>{code}")
    host = f'<iframe src="{served.address}/show/{opened.table.id}#t={opened.host}"></iframe>'
    (folder / "host.html").write_text(f"<!doctype html><title>Club</title>{host}")
    page.goto(address + "/index.html")
    frame = page.frame_locator("iframe")
    expect(frame.locator("#players")).to_contain_text("Ann")
    do(opened, action="place", player="Ann", tiles={"H8": "A", "H9": "T"})
    expect(frame.locator("#sheet")).to_contain_text("AT")
    page.goto(address + "/host.html")

    refused = page.frame_locator("iframe").locator("#closed")
    expect(refused).to_contain_text("This page opens only with a spectator's link.")
    assert code.startswith("<iframe src=")


@pytest.mark.parametrize("width", [390, 1400])
def test_a_host_lets_spectators_be_behind(page: Page, served: Served, width: int) -> None:
    """A field beside what is shown to everybody; a watcher's page says how far behind it is."""
    opened = served.open_table("scrabble", ["Ann", "Bob"], {"reject_invalid": False})
    page.set_viewport_size({"width": width, "height": 900})
    visit(page, served.page(opened))
    page.get_by_role("button", name="Screen").click()
    field = page.get_by_label("Minutes that spectators are behind (0 to 15)")
    field.fill("5")
    field.press("Tab")
    expect(page.get_by_text("Spectators are 5 minutes behind from now on.")).to_be_visible()
    shot(page, "delay")
    do(opened, action="place", player="Ann", tiles={"H7": "C", "H8": "A", "H9": "T"})
    visit(page, f"{served.address}/show/{opened.table.id}#t={opened.watch}")

    assert "CAT" not in page.locator("main").inner_text()


@pytest.mark.parametrize("view", ["", "?view=overlay"])
def test_the_lasting_address_goes_over_to_the_next_game(
    page: Page, served: Served, view: str
) -> None:
    """By itself, from before the first game on; ended, it shows nothing more."""
    tables = served.session.tables
    token = tables.lasting.token()
    for row in tables.rows():
        tables.label(row.id, archived=True)
    page.set_viewport_size(SIZE)
    page.goto(f"{served.address}/air{view}#t={token}")
    expect(page.locator("#closed")).to_contain_text("No game is on air yet")
    served.open_table("scrabble", ["Ann", "Bob"])
    expect(page.locator("#players")).to_contain_text("Ann", timeout=15_000)
    served.open_table("scrabble", ["Eve", "Fay"])
    expect(page.locator("#players")).to_contain_text("Eve", timeout=15_000)
    served.session.tables.lasting.token(renew=True)

    expect(page.locator("#closed")).to_contain_text("no longer opens the table", timeout=15_000)


@pytest.mark.parametrize("width", [390, 1400])
def test_the_lasting_address_is_given_where_links_are(
    page: Page, served: Served, width: int
) -> None:
    """Beside the places of a table and on the director's page: code, copies, another, none."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    page.set_viewport_size({"width": width, "height": 900})
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{served.address}/director")
    page.get_by_role("button", name="Copy the overlay's address for Always").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    overlay = page.evaluate("navigator.clipboard.readText()")
    shot(page, "director-air")
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    visit(page, served.page(opened))
    page.get_by_role("button", name="Invite").click()
    expect(page.get_by_alt_text("Code for Always the newest game")).to_be_visible()
    page.get_by_alt_text("Code for Always the newest game").scroll_into_view_if_needed()
    shot(page, "invite-air")
    with page.expect_response("**/api/air/link"):
        page.get_by_role("button", name="New link for Always").click()
    renewed = served.session.tables.lasting.token()
    page.get_by_role("button", name="End the link for Always").click()
    expect(page.get_by_text("No link opens this place now.")).to_be_visible()

    assert overlay.startswith(f"{served.address}/air?view=overlay#t=")
    assert not overlay.endswith(renewed)
    assert not wide
