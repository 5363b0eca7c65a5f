"""What streams and other sites show: an overlay laid out by its address, a page in a frame."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kibitz.app.cli.serving.demo import DEMOS
from tests.browser.browser_help import Served, do, visit

SIZE: Any = {"width": 1280, "height": 720}
WHERE_JS = """(name) => {
  const box = document.querySelector(name).getBoundingClientRect();
  return [box.left, box.top, box.right, box.bottom].map((x) => Math.round(x));
}"""


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
    expect(refused).to_contain_text("This page takes a watcher's link only.")
    assert code.startswith("<iframe src=")
