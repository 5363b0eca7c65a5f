"""A layout that is dragged: with mouse, finger and keyboard, kept by the server, shown by overlays."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browser_help import Served, visit
from tests.browser.pages.test_broadcast import SIZE, shot

GRID = 48, 27
WHERE_JS = """(parts) => parts.map((x) => x.getBoundingClientRect()).map((b) =>
  [b.left, b.top, b.width, b.height].map((x) => Math.round(x)))"""


def lies(page: Page, part: str) -> list[int]:
    """Where a part of the layout page lies on the grid."""
    return page.evaluate(
        """(part) => { const s = document.querySelector("#stage").getBoundingClientRect();
        const b = document.querySelector(`[data-part=${part}]`).getBoundingClientRect();
        return [(b.left - s.left) / s.width * 48, (b.top - s.top) / s.height * 27,
          b.width / s.width * 48, b.height / s.height * 27].map(Math.round); }""",
        part,
    )


def drag(page: Page, part: str, columns: int, rows: int, *, corner: bool = False) -> None:
    """Drag a part, or its corner, with the mouse."""
    handle = page.locator(f"[data-part={part}]" + (" .corner" if corner else ""))
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    stage = page.locator("#stage").bounding_box()
    assert box is not None
    assert stage is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    if corner:
        x, y = box["x"] + box["width"] - 3, box["y"] + box["height"] - 3
    page.mouse.move(x, y)
    page.mouse.down()
    right, down = columns * stage["width"] / GRID[0], rows * stage["height"] / GRID[1]
    page.mouse.move(x + right, y + down, steps=4)
    page.mouse.up()


def test_an_overlay_shows_what_was_dragged(page: Page, served: Served) -> None:
    """By itself, each part where it lies on the layout page; reset is as it was at first."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    page.set_viewport_size({"width": 1400, "height": 900})
    visit(page, served.page(opened))
    page.get_by_role("button", name="Screen").click()
    page.get_by_role("button", name="Arrange the overlay").click()
    scores = page.get_by_role("button", name="Scores:")
    expect(scores).to_be_visible()
    drag(page, "scores", -10, -14)
    dragged = lies(page, "scores")
    drag(page, "scores", 6, 3, corner=True)
    sized = lies(page, "scores")
    scores.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+ArrowLeft")
    keyed = lies(page, "scores")
    page.get_by_role("checkbox", name="Board", exact=True).check()
    page.get_by_role("checkbox", name="Last play").uncheck()
    shot(page, "layout")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved; open overlays show it now.")).to_be_visible()
    overlay = page.context.new_page()
    overlay.set_viewport_size(SIZE)
    visit(overlay, f"{served.address}/table/{opened.table.id}?view=overlay#t={opened.watch}")
    expect(overlay.locator(".part-board.placed .board")).to_be_visible()
    overlay.wait_for_timeout(500)
    shot(overlay, "overlay-dragged")
    boxes = overlay.locator(".part-scores, .part-board").evaluate_all(WHERE_JS)
    inner = overlay.locator(".part-scores > *").evaluate_all(WHERE_JS)[0]
    play = overlay.locator("#headline").is_visible()
    page.reload()
    expect(scores).to_be_visible()
    again = lies(page, "scores")
    page.get_by_role("button", name="Reset").click()
    expect(overlay.locator(".zone.at-bottom .part-play")).to_be_visible(timeout=15_000)
    overlay.close()
    column, row = SIZE["width"] / 48, SIZE["height"] / 27
    wanted = [keyed, [0, 0, 27, 27]]

    assert [4, 3, 20, 5] == dragged
    assert [4, 3, 26, 8] == sized
    assert [5, 4, 25, 8] == keyed == again
    assert not play
    assert sorted(boxes) == sorted(
        [round(x * column), round(y * row), round(w * column), round(h * row)]
        for x, y, w, h in wanted
    )
    assert inner[2] <= 25 * column + 1
    assert inner[3] <= 8 * row + 1


def test_a_finger_drags_too_and_nothing_leaves_the_picture(browser, served: Served) -> None:
    """On a phone; the layout of all games is the host's, kept apart from a table's."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.goto(f"{served.address}/layout")
    expect(page.get_by_role("button", name="Last play:")).to_be_visible()
    box = page.locator("[data-part=play]").bounding_box()
    assert box is not None
    touch = context.new_cdp_session(page)
    x, y = box["x"] + 20, box["y"] + box["height"] / 2

    def finger(kind: str, *points: tuple[float, float]) -> None:
        spots = [{"x": a, "y": b} for a, b in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    finger("touchStart", (x, y))
    finger("touchMove", (x - 20, y - 60))
    finger("touchMove", (x - 300, y - 900))
    finger("touchEnd")
    place = lies(page, "play")
    shot(page, "layout")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved; open overlays show it now.")).to_be_visible()
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    overlay = context.new_page()
    token = served.session.tables.lasting.token()
    for address in (
        f"/air?view=overlay#t={token}",
        f"/table/{opened.table.id}?view=overlay#t={opened.watch}",
    ):
        overlay.goto(served.address + address)
        expect(overlay.locator(".part-play.placed")).to_be_visible(timeout=15_000)
    page.get_by_role("button", name="Reset").click()
    expect(page.get_by_text("The layout is as it was at first.")).to_be_visible()
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    context.close()

    assert [0, 0, 32, 4] == place
    assert not wide


@pytest.mark.parametrize(
    "body", [{"rack": [0, 0, 4, 4]}, {"board": [0, 0, 99, 4]}, {"board": [1]}]
)
def test_what_is_no_layout_is_refused(served: Served, page: Page, body: dict) -> None:
    answer = page.request.put(f"{served.address}/api/air/layout", data={"layout": body})

    assert 422 == answer.status


def test_a_layout_that_has_not_come_is_not_saved(page: Page, served: Served) -> None:
    """Where the server gives none there is nothing to save over what it keeps."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    page.route("**/layout", lambda route: route.abort())
    page.goto(f"{served.address}/layout/{opened.table.id}#t={opened.host}")
    expect(page.locator("#problem")).to_be_visible()

    expect(page.get_by_role("button", name="Save")).to_be_disabled()
    expect(page.get_by_role("button", name="Reset")).to_be_disabled()
