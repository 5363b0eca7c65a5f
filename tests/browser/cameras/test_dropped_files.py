"""Photographs and films handed to a page become a game, with progress, pictures and exports."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Page, expect

from kibitz.app.cli.serving.demo import DEMOS
from tests.browser.browser_help import HOST, Served, visit

GAME = DEMOS / "scrabble"
FACTS = json.loads((GAME / "game.json").read_text(encoding="utf-8"))
PHOTOS = [GAME / photo["file"] for photo in FACTS["photos"]]
DROP_JS = """async ([names, datas]) => {
  const held = new DataTransfer();
  for (const [i, name] of names.entries()) {
    const bytes = Uint8Array.from(atob(datas[i]), (c) => c.charCodeAt(0));
    held.items.add(new File([bytes], name, { type: "image/jpeg" }));
  }
  for (const kind of ["dragenter", "dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: held, bubbles: true, cancelable: true }));
  }
}"""


def _film(into: Path, pictures: list[Path], seconds: int = 4) -> Path:
    """Photographs as a film, four pictures a second."""
    path = into / "game.webm"
    first = cv2.imread(str(pictures[0]))
    assert first is not None
    height, width = first.shape[:2]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"VP80"), 4.0, (width, height))
    for picture in pictures:
        image = cv2.imread(str(picture))
        assert image is not None
        for _ in range(4 * seconds):
            writer.write(image)
    writer.release()
    return path


@pytest.mark.parametrize("width", [390, 1400])
def test_photographs_chosen_on_the_first_page_become_a_game(
    page: Page, served: Served, width: int
) -> None:
    """Read in the order of their names, a picture a play, with a way on and what to take away."""
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(served.address + "/")
    for number, name in enumerate(FACTS["players"], 1):
        page.get_by_label(f"Name of player {number}").fill(name)
    chooser = page.locator("#drop input[type=file]")
    chooser.set_input_files([str(p) for p in (PHOTOS[2], PHOTOS[0], PHOTOS[1])])
    expect(page.locator("#reading")).to_contain_text("Everything has been read.", timeout=90_000)
    plays = page.locator(".strip li")
    expect(plays.first.locator("img")).to_have_js_property("naturalWidth", 1120)
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Spreadsheet (CSV)").click()
    lines = Path(saved.value.path()).read_text(encoding="utf-8").splitlines()

    assert not wide
    assert plays.count() == len(lines) - 1 == 2
    assert page.get_by_role("progressbar").evaluate("bar => bar.value") == 1
    page.get_by_role("link", name="Open the game").click()
    expect(page.locator("#sheet")).to_contain_text("GARDEN")


@pytest.mark.parametrize("kind", ["table", "setup"])
def test_what_is_dropped_on_a_table_is_read_into_its_game(
    page: Page, served: Served, kind: str
) -> None:
    """A file that is none of both is named, the photograph beside it is read all the same."""
    opened = served.open_table("scrabble", FACTS["players"], FACTS["settings"])
    visit(page, served.page(opened, kind))
    datas = [base64.b64encode(x).decode() for x in (b"no picture", PHOTOS[1].read_bytes())]
    page.evaluate(DROP_JS, [["broken.jpg", "02.jpg"], datas])
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Everything has been read. 1 play.", timeout=60_000)

    expect(dialog.locator(".small.soft li").first).to_contain_text("broken.jpg: ")
    assert [entry["action"] for entry in opened.table.history()] == ["place"]


def test_a_film_is_read_with_its_progress(page: Page, served: Served, tmp_path: Path) -> None:
    """Faster than it was filmed; the last position counts although nothing follows it."""
    film = _film(tmp_path, PHOTOS[:3])
    opened = served.open_table("scrabble", FACTS["players"], FACTS["settings"])
    visit(page, served.page(opened))
    page.get_by_role("button", name="Photographs or a film").click()
    page.locator("dialog input[type=file]").set_input_files(str(film))
    expect(page.get_by_role("dialog")).to_contain_text("Everything has been read.", timeout=90_000)
    laid = [entry["words"][0]["word"] for entry in opened.table.history() if entry.get("words")]

    assert laid == ["GARDEN", "FRIEND"]
    assert opened.table.view(HOST)["to_move"] == FACTS["players"][0]
