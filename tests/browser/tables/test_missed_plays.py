"""On the page: what people choose when the camera missed plays, or the rules refuse tiles."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from kibitz.app.reading.frames import FrameReader
from kibitz.app.tables.registry import Opened
from tests.app.server_help import ReadsBarcodes, board, picture_of
from tests.browser.browser_help import HOST, PHONE, Served, serve, visit, words_on_sheet

CAT = board(H8="CAT")
MANY = board(H8="CATS", v_H11="STONE", L11="EARTH", v_H8="COLD", v_L15="HOLY")
FAR = board(H8="CAT", A1="HOUSE")
APART = board(H8="CATS", v_H11="STONE", A1="HOUSE")


@pytest.fixture(scope="module")
def text_served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that reads text pictures."""
    with serve(tmp_path_factory.mktemp("tables"), FrameReader(ReadsBarcodes)) as running:
        yield running


def seen(served: Served, *boards: list[str]) -> Opened:
    """A table whose camera photographed these boards."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    for rows in boards:
        photograph(served, opened, rows)
    return opened


def photograph(served: Served, opened: Opened, rows: list[str]) -> None:
    """One photograph of a table."""
    served.session.camera(opened.table).take(picture_of(rows), stream=False)


def test_missed_plays_are_scored_by_one_tap(page: Page, text_served: Served) -> None:
    """Possible orders are buttons; the chosen one fills the score sheet, and can be undone."""
    opened = seen(text_served, CAT, MANY)
    visit(page, text_served.page(opened))
    asked = page.locator(".ask")
    expect(asked).to_contain_text("15 tiles are new, too many for one play")
    asked.get_by_role("button", name="Bob: STONE, Ann: EARTH, Bob: COLD, Ann: HOLY").click()
    expect(page.locator("#sheet")).to_contain_text("HOLY")
    expect(asked).to_have_count(0)
    assert words_on_sheet(page) == ["CAT", "STONE", "EARTH", "COLD", "HOLY"]
    page.get_by_role("button", name="Undo").click()

    expect(asked).to_contain_text("15 tiles are new")


@pytest.mark.parametrize("size", [{"width": 1400, "height": 900}, PHONE])
def test_scores_say_that_they_are_not_settled(
    page: Page, text_served: Served, size: ViewportSize
) -> None:
    """Beside each player's points, also after the next play, until the order is told."""
    opened = seen(text_served, CAT, MANY)
    page.set_viewport_size(size)
    visit(page, text_served.page(opened))
    rows = board(H8="CATS", v_H11="STONE", L11="EARTH", v_H8="COLDER", v_L15="HOLY")
    photograph(text_served, opened, rows)
    expect(page.locator("#headline")).to_contain_text("COLDER")
    open_ones = page.locator("#players").get_by_text("not settled yet")
    expect(open_ones).to_have_count(2)
    page.locator(".ask").get_by_role("button", name="Bob: STONE, Ann: EARTH").first.click()

    expect(open_ones).to_have_count(0)


def test_a_phone_goes_on_from_the_board_as_it_lies(page: Page, text_served: Served) -> None:
    """Nobody wants to say which plays were made: the question closes, the next play is scored."""
    opened = seen(text_served, CAT, MANY)
    page.set_viewport_size(PHONE)
    visit(page, text_served.page(opened, "seat", opened.seats["Bob"]))
    page.locator(".ask").get_by_role("button", name="Go on from this board").click()
    expect(page.locator(".ask")).to_have_count(0)
    rows = board(H8="CATS", v_H11="STONE", L11="EARTH", v_H8="COLDER", v_L15="HOLY")
    photograph(text_served, opened, rows)

    expect(page.locator("#headline")).to_contain_text("COLDER")


def test_refused_tiles_can_be_answered(page: Page, text_served: Served) -> None:
    """Tiles that touch nothing: look again, or go on from them as they lie."""
    opened = seen(text_served, CAT, FAR)
    visit(page, text_served.page(opened))
    asked = page.locator(".ask")
    expect(asked).to_contain_text("Read there: H O U S E.")
    asked.get_by_role("button", name="Look again").click()
    expect(page.locator(".toast")).to_contain_text("It looks the same as before.")
    asked.get_by_role("button", name="Go on from this board").click()

    expect(asked).to_have_count(0)
    expect(page.locator("svg.board .tile")).to_have_count(8)


def test_a_refused_word_counts_by_one_tap(page: Page, text_served: Served) -> None:
    """A word outside the list is allowed and scored at once, without a new picture."""
    opened = seen(text_served, CAT, board(H8="CAT", v_H10="TXQ"))
    visit(page, text_served.page(opened))
    page.locator(".ask").get_by_role("button", name="It counts").click()

    expect(page.locator("#sheet")).to_contain_text("TXQ")
    expect(page.locator(".ask")).to_have_count(0)


@pytest.mark.parametrize("rows", [MANY, APART], ids=["joined", "apart"])
def test_a_board_full_of_tiles_is_a_game_under_way(
    page: Page, text_served: Served, rows: list[str]
) -> None:
    """The table's first picture shows more than a play: that is said, not how its tiles lie."""
    opened = seen(text_served, rows)
    visit(page, text_served.page(opened))
    asked = page.locator(".ask")
    expect(asked).to_contain_text("A game is under way: ")
    expect(asked).not_to_contain_text("not counted")
    asked.get_by_role("button", name="Start from this board").click()

    expect(asked).to_have_count(0)
    expect(page.locator("svg.board .tile")).to_have_count(sum(x != "." for x in "".join(rows)))


def test_a_game_that_began_before_the_camera_takes_its_scores_from_the_question(
    page: Page, text_served: Served
) -> None:
    """The first picture shows many tiles: what it shows is filled in, the old scores are told."""
    opened = seen(text_served, MANY)
    visit(page, text_served.page(opened))
    page.locator(".ask").get_by_role("button", name="Start from here with the scores").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Filled in.")
    points = dialog.get_by_role("group", name="Points so far")
    points.get_by_label("Ann").fill("61")
    points.get_by_label("Bob").fill("40")
    dialog.get_by_label("Whose turn it is").select_option("Bob")
    dialog.get_by_role("button", name="Begin here").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".ask")).to_have_count(0)
    photograph(text_served, opened, MANY)
    shown = opened.table.view(HOST)

    assert shown["board"] == MANY
    assert shown["scores"] == {"Ann": 61, "Bob": 40}
    assert shown["to_move"] == "Bob"
