"""What the rulebooks have beyond plain plays, each told on the real page as people at a table would."""

from __future__ import annotations

import string
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from kibitz.app.tables.orders import Order
from kibitz.app.tables.registry import Opened
from tests.app.server_help import board
from tests.browser.browser_help import HOST, LAPTOP, Served, under_board, visit
from tests.browser.tables.test_play_pages import _tap
from tests.helpers.fake_readings import reading_of_rows
from tests.playthrough_tool import FOLDER, script_of

FREE = {"sh.clocks": "off"}
"""Scrabble House without clocks that must be started first."""


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[BrowserContext]:
    """One browser for the whole file, without animations; a page that breaks fails the last test."""
    problems: list[str] = []
    fresh = browser.new_context(viewport=LAPTOP, reduced_motion="reduce")
    fresh.on("weberror", lambda error: problems.append(str(error.error)))
    fresh.set_default_timeout(30_000)
    yield fresh
    fresh.close()
    assert problems == []


@pytest.fixture(scope="module")
def table(window: BrowserContext) -> Page:
    """The table's page, which goes from game to game."""
    return window.new_page()


@pytest.fixture
def phone(window: BrowserContext) -> Iterator[Page]:
    """A player's phone; it goes away afterwards, since a page behind another is slow."""
    page = window.new_page()
    yield page
    page.close()


def started(served: Served, name: str, **settings: object) -> Opened:
    """A table that begins where a written playthrough begins, with more settings."""
    header, _ = script_of((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    told = {**header.get("settings", {}), **settings}
    return served.open_table(header["game"], header["players"], told, header.get("initial"))


def press(page: Page, label: str, *, sure: str | None = None, who: str | None = None) -> None:
    """Press a button under the board, name the player, and say yes in the dialog."""
    under_board(page, label).click()
    if sure is not None:
        dialog = page.get_by_role("dialog")
        if who is not None:
            dialog.get_by_role("combobox").first.select_option(who)
        dialog.get_by_role("button", name=sure, exact=True).click()


def lay(
    page: Page,
    square: str,
    word: str,
    who: str | None = None,
    *,
    down: bool = False,
    board: int = 0,
) -> Locator:
    """Tap a square and type the word that begins there; the dialog, which closes if it was taken."""
    expect(page.get_by_role("dialog")).to_have_count(0)
    _tap(page, square, board)
    dialog = page.get_by_role("dialog")
    from_here = dialog.get_by_role("button", name="Play from here")
    if from_here.count():
        from_here.click()
    if who is not None:
        dialog.get_by_label("Who plays").select_option(who)
    dialog.get_by_label("Word, with the letters").fill(word)
    if down:
        dialog.get_by_label("down").check()
    dialog.get_by_role("button", name="Lay it").click()
    return dialog


def says(page: Page, text: str) -> None:
    """The headline holds what was said last."""
    expect(page.locator("#headline")).to_contain_text(text)


def wins(page: Page, *players: str) -> None:
    """The cards of these players alone say that they won."""
    expect(page.locator("#players .player.won .name")).to_have_text(list(players))


def test_the_judge_names_the_winner_when_nothing_can_be_laid(table: Page, served: Served) -> None:
    """No play is possible, ships and points are level, and the judge decides (SS-24)."""
    opened = served.played("scrabbleship_judge", 2)
    visit(table, served.page(opened))
    press(table, "No play possible", sure="No play possible")
    says(table, "All level. The judge decides.")
    expect(table.locator("#extra h2")).to_have_text("What became of the fleets")
    press(table, "The judge decides", sure="Bob")
    says(table, "The judge decides: Bob wins.")
    wins(table, "Bob")

    expect(table.get_by_role("button", name="The judge decides")).to_have_count(0)
    assert ["Bob"] == opened.table.view(HOST)["winner"]
    assert "no_plays" == opened.table.view(HOST)["reason"]


def test_no_play_is_possible_and_points_decide(table: Page, served: Served) -> None:
    """With as many ships the points decide at once, and no judge is asked."""
    opened = started(served, "scrabbleship_out_of_tiles")
    visit(table, served.page(opened))
    press(table, "No play possible", sure="No play possible")
    says(table, "Ships are level; points decide: Bob.")
    wins(table, "Bob")

    expect(table.get_by_role("button", name="The judge decides")).to_have_count(0)
    assert "no_plays" == opened.table.view(HOST)["reason"]


def test_the_last_tile_ends_the_battle(table: Page, served: Served) -> None:
    """The bag is empty and a player lays the last tile: ships count, then points."""
    opened = started(served, "scrabbleship_out_of_tiles")
    visit(table, served.page(opened))
    lay(table, "H4", "TRAINS")
    says(table, "Ann plays TRAINS.")
    says(table, "points decide: Bob.")
    wins(table, "Bob")

    assert "out_of_tiles" == opened.table.view(HOST)["reason"]
    assert {"Ann": 56, "Bob": 60} == opened.table.view(HOST)["scores"]


def test_the_final_photograph_goes_to_the_hall_of_fame(table: Page, served: Served) -> None:
    """The last star is joined on the page; a photograph taken then is kept with the game (FS-21)."""
    header, _ = script_of((FOLDER / "frankenscrabbards_final.txt").read_text(encoding="utf-8"))
    start = header["initial"]
    settings = header["settings"]
    order = Order("frankenscrabbards", ("Ann", "Bob"), settings, "en", "none", start)
    opened = served.session.tables.create(order)
    served.session.listen(opened.table)
    visit(table, served.page(opened))
    tap_large(table, 30, 37)
    table.get_by_label("Who plays").select_option("Bob")
    table.get_by_label("Word, with the letters").fill("Q")
    table.get_by_role("button", name="Lay it").click()
    says(table, "All nine joined in 25 words! Bob is the Final Frank.")
    expect(table.locator("#extra .frank")).to_have_text("Final Frank: Bob")
    expect(table.locator("#extra")).to_contain_text("The record is 25 words.")
    rows = opened.table.view(HOST)["board45"]
    jpeg = cv2.imencode(".jpg", np.full((90, 120, 3), 200, np.uint8))[1].tobytes()
    opened.table.observe(reading_of_rows(rows, string.ascii_uppercase), jpeg)
    table.get_by_role("link", name="hall of fame").click()
    group = table.locator(".group").filter(has_text="kitchen")
    expect(group.locator(".champion")).to_have_text("25 words is the recordBob is the Final Frank")
    shown = group.get_by_alt_text("The final grid as the camera saw it")
    expect(shown).to_be_visible()

    assert 120 == shown.evaluate("async (image) => (await image.decode(), image.naturalWidth)")
    assert opened.table.over is True


def tap_large(page: Page, row: int, col: int) -> None:
    """Tap a square of the nine joined boards, counted from 0."""
    shown = page.locator("svg.board")
    shown.scroll_into_view_if_needed()
    box = shown.bounding_box()
    assert box is not None
    unit = box["width"] / (45 * 40 + 60)
    page.mouse.click(
        box["x"] + (30 + (col + 0.5) * 40) * unit, box["y"] + (30 + (row + 0.5) * 40) * unit
    )


def call_tie(page: Page, *words: str) -> None:
    """Tell a tie: the first players called these words."""
    under_board(page, "Tie").click()
    dialog = page.get_by_role("dialog")
    for number, word in enumerate(words):
        dialog.get_by_label("Word", exact=True).nth(number).fill(word)
    dialog.get_by_role("button", name="Tie", exact=True).click()


def turn_up(page: Page, letter: str) -> None:
    """The next player turns a tile."""
    page.get_by_role("button", name="Turn a tile").click()
    page.get_by_role("dialog").get_by_role("button", name=letter, exact=True).click()


def test_a_tie_turns_the_last_tile_back(table: Page, served: Served) -> None:
    """Two sound calls at once: the tile that was turned last goes back (GS-9)."""
    opened = started(served, "grabscrab_tie_flip_back")
    visit(table, served.page(opened))
    turn_up(table, "R")
    expect(table.locator("#board")).to_contain_text("One tile lies face down.")
    call_tie(table, "STOP", "POST")
    says(table, "Both at once; the R goes back.")
    expect(table.locator("#board")).to_contain_text("2 tiles lie face down.")

    assert {"Ann": ["TRAIN"], "Bob": []} == opened.table.view(HOST)["words"]
    assert sorted("EOPST") == sorted(opened.table.view(HOST)["pool"])


def test_a_tie_puts_its_words_out(table: Page, phone: Page, served: Served) -> None:
    """With the other rule the words are out until a tile is turned, and the page says which."""
    opened = started(served, "grabscrab_tie_dismiss")
    visit(table, served.page(opened))
    visit(phone, served.page(opened, "seat", opened.seats["Ann"]))
    call_tie(table, "STOP", "POST")
    says(table, "Both at once; those words are out.")
    expect(table.locator("#board")).to_contain_text("Out until a tile is turned: POST, STOP.")
    phone.get_by_label("The word you call").fill("stop")
    phone.get_by_role("button", name="Mine!").click()
    expect(phone.locator("#own .note")).to_have_text("STOP is out until the next tile is turned.")
    turn_up(table, "R")
    expect(table.locator("#board")).not_to_contain_text("Out until")
    phone.get_by_role("button", name="Mine!").click()
    says(table, "Ann: STOP.")

    assert ["STOP"] == opened.table.view(HOST)["words"]["Ann"]


def test_a_false_call_costs_a_word(table: Page, phone: Page, served: Served) -> None:
    """The caller chooses the word on the own phone; the host tells it for one who has none."""
    opened = started(served, "grabscrab_tie_flip_back")
    visit(table, served.page(opened))
    visit(phone, served.page(opened, "seat", opened.seats["Ann"]))
    phone.get_by_label("The word you call").fill("quiz")
    phone.get_by_role("button", name="Mine!").click()
    expect(phone.locator("#own .note")).to_have_text("Those tiles are not there.")
    press(phone, "Give up a word", sure="Give it up")
    says(table, "Ann gives up TRAIN.")
    expect(table.locator("#board")).to_contain_text("7 tiles lie face down.")
    press(table, "Give up a word", sure="Give it up", who="Bob: no word")
    says(table, "Bob gives up nothing; there is no word.")

    assert {"Ann": [], "Bob": []} == opened.table.view(HOST)["words"]
    assert 7 == opened.table.view(HOST)["face_down"]


def test_the_first_word_belongs_on_the_home_row(table: Page, served: Served) -> None:
    """A first play off the own home row is refused in its dialog, and nothing lies there."""
    opened = started(served, "scrabble_house_look", **FREE)
    visit(table, served.page(opened))
    dialog = lay(table, "H7", "AT", "Ann")
    expect(dialog.get_by_role("alert")).to_have_text(
        "The first play needs a tile on the own home row."
    )
    dialog.get_by_role("button", name="Cancel").click()

    expect(table.locator("svg.board .tile")).to_have_count(0)
    assert board() == opened.table.view(HOST)["board"]


def test_the_opponent_looks_before_tiles_come_off(
    table: Page, phone: Page, served: Served
) -> None:
    """The words are announced; only when the opponent lets them stand does CATS explode (SH-11)."""
    opened = started(served, "scrabble_house_twice", **{"sh.look": "always"}, **FREE)
    visit(table, served.page(opened))
    visit(phone, served.page(opened, "seat", opened.seats["Bob"]))
    lay(table, "J3", "ACT", "Ann")
    says(table, "ACT.")
    lying = opened.table.view(HOST)["board"][6:10]
    press(phone, "Let it stand", sure="Let it stand")
    says(table, "Explosion! 3 tiles off: CATS.")
    expect(table.get_by_role("button", name="Let it stand")).to_have_count(0)

    assert ["...s", "...t", "...a", "..AcT"] == [row.rstrip(".") for row in lying]
    left = [row.rstrip(".") for row in opened.table.view(HOST)["board"][6:10]]
    assert ["", "", "", "..ACT"] == left


def test_tiles_explode_twice_and_are_not_drawn_for(table: Page, served: Served) -> None:
    """Exploded tiles go to the partner, come back, and count in no draw (SH-21 to SH-23)."""
    opened = started(served, "scrabble_house_twice", **FREE)
    visit(table, served.page(opened))
    lay(table, "J3", "ACT", "Ann")
    says(table, "3 tiles to Cyd.")
    hands = table.locator("#extra table tbody tr")
    expect(hands.nth(2)).to_have_text("Cyd73")
    _tap(table, "O4", 1)
    dialog = table.get_by_role("dialog")
    dialog.get_by_label("Who plays").select_option("Cyd")
    dialog.get_by_label("Word, with the letters").fill("SAT")
    for square in ("O4", "O5", "O6"):
        dialog.get_by_label(f"on {square}").check()
    dialog.get_by_role("button", name="Lay it").click()
    expect(hands.nth(2)).to_have_text("Cyd70")
    lay(table, "O5", "ATE", "Dee", down=True, board=1)
    says(table, "2 tiles to Bob.")
    expect(hands.nth(1)).to_have_text("Bob90")
    expect(hands.nth(3)).to_have_text("Dee70")

    view = opened.table.view(HOST)
    assert "....a" == view["boards"][1][14].rstrip(".")
    assert 0 == view["hands"]["Bob"]["max_draw"]


def test_a_flag_ends_one_board_and_then_the_match(table: Page, served: Served) -> None:
    """The flag is told; the board that is over takes nothing more, the other decides (SH-26)."""
    opened = started(served, "scrabble_house_twice", **{"sh.match_end": "both"}, **FREE)
    visit(table, served.page(opened))
    press(table, "Flag has fallen", sure="Out of time", who="Bob")
    says(table, "Board 1 goes to Ann.")
    expect(table.locator("#board h3").first).to_contain_text("Ann has won")
    expect(table.locator("#players .player.turn .name")).to_have_text(["Cyd"])
    press(table, "Flag has fallen", sure="Out of time", who="Ann")
    dialog = table.get_by_role("dialog")
    expect(dialog.get_by_role("alert")).to_have_text("This board is finished.")
    dialog.get_by_role("button", name="Cancel").click()
    press(table, "Flag has fallen", sure="Out of time", who="Cyd")
    says(table, "One board each: the match is drawn.")
    wins(table)

    assert "time" == opened.table.view(HOST)["reason"]
    assert opened.table.view(HOST)["winner"] is None


def test_an_objection_ends_the_game(table: Page, served: Served) -> None:
    """Only the opponent may object; the word list says that XQ is none, and the objector wins."""
    opened = started(served, "scrabble_house_objection", **{**FREE, "sh.opening": "any"})
    visit(table, served.page(opened))
    lay(table, "O7", "XQ", "Ann")
    says(table, "XQ.")
    under_board(table, "Object").click()
    dialog = table.get_by_role("dialog")
    expect(dialog.get_by_role("combobox").locator("option")).to_have_text(["Bob"])
    dialog.get_by_role("button", name="Object", exact=True).click()
    says(table, "XQ is not good: Bob wins.")
    wins(table, "Bob", "Dee")

    assert "challenge" == opened.table.view(HOST)["reason"]


def test_a_chain_cut_off_from_home_wins_nothing(table: Page, served: Served) -> None:
    """A group reaches the far row and may be built on, but it hangs on no home tile (SH-25)."""
    opened = started(served, "scrabble_house_cut_off", **FREE)
    visit(table, served.page(opened))
    lay(table, "A8", "STRAINS", "Ann", down=True)
    says(table, "STRAINS.")
    wins(table)
    expect(table.locator("#players .player.turn .name")).to_have_text(["Bob"])

    assert opened.table.over is False


def test_a_hand_is_told_in_secret_and_cleaned_up(table: Page, phone: Page, served: Served) -> None:
    """Both tell their hands and discards on their phones; the dealer lays the scrab; the deal passes."""
    opened = started(served, "scrabbage_discards")
    visit(table, served.page(opened))
    press(table, "Draw", sure="Draw")
    for player, hand, away in (("Ann", "FIND QV", "QV"), ("Bob", "IUATZS", "ZS")):
        phone.goto("about:blank")  # the same address with another token loads nothing
        visit(phone, served.page(opened, "seat", opened.seats[player]))
        phone.get_by_label("Your tiles").fill(hand)
        phone.get_by_role("button", name="Enter", exact=True).click()
        phone.get_by_label("What you put into the scrab").fill(away)
        phone.get_by_role("button", name="Discard").click()
        says(table, f"{player} discards two.")
        expect(phone.locator("#own .tile-row .tile-chip")).to_have_count(4)
        expect(phone.get_by_role("heading", name="Your discards")).to_have_count(0)
    table.bring_to_front()
    expect(table.locator("#extra")).to_contain_text("Ann holds 4, Bob holds 4.")
    expect(table.locator("body")).not_to_contain_text("FIND")
    lay(table, "H8", "F", "Ann")
    expect(table.locator("svg.board .tile")).to_have_count(1)
    refused = lay(table, "I8", "Z", "Bob")
    expect(refused.get_by_role("alert")).to_have_text("Bob does not hold Z.")
    refused.get_by_role("button", name="Cancel").click()
    lay(table, "H9", "I", "Bob")
    expect(table.locator("svg.board .tile")).to_have_count(2)
    lay(table, "H10", "N", "Ann")
    says(table, "Ann pegs 2: FIN for two.")
    press(table, "End of play", sure="End of play")
    says(table, "Last for Ann, one.")
    under_board(table, "Lay the scrab").click()
    dialog = table.get_by_role("dialog")
    _tap(table, "H11", 1)
    dialog.get_by_role("button", name="S", exact=True).click()
    dialog.get_by_role("button", name="Lay the scrab").click()
    says(table, "Scrab for Ann: 2.")
    press(table, "End of hand", sure="End of hand")
    says(table, "Bob deals.")
    expect(table.locator("#extra")).to_contain_text("Bob deals;")

    assert "Bob" == opened.table.view(HOST)["dealer"]
    assert {"Ann": 5, "Bob": 0} == opened.table.view(HOST)["scores"]


def test_who_is_working_on_a_word_and_what_was_left(table: Page, served: Served) -> None:
    """The page says whose word is unfinished; fragments cost points, and players may rule otherwise."""
    opened = started(served, "scrabbage_fragments")
    visit(table, served.page(opened))
    lay(table, "H8", "T", "Ann")
    expect(table.locator("svg.board .tile")).to_have_count(1)
    press(table, "Who is working?")
    says(table, "Ann is working on something.")
    lay(table, "H9", "R", "Bob")
    expect(table.locator("svg.board .tile")).to_have_count(2)
    press(table, "Who is working?")
    says(table, "Bob is working on something.")
    lay(table, "I9", "A", "Ann")
    says(table, "letter square two")
    press(table, "End of play", sure="End of play")
    says(table, "Last for Ann, one.")
    press(table, "Lay the scrab", sure="Lay the scrab")
    says(table, "Scrab for Ann: 0.")
    press(table, "End of hand", sure="End of hand")
    said = table.locator("#said li").first
    expect(said).to_contain_text("TR was left unfinished by Bob. Minus 2.")
    expect(said).to_contain_text("RA was left unfinished by Ann. Minus 2.")
    under_board(table, "Rule on a fragment").click()
    dialog = table.get_by_role("dialog")
    dialog.get_by_label("Whose fragment").select_option("Bob")
    dialog.get_by_label("Points").fill("2")
    dialog.get_by_role("button", name="Rule", exact=True).click()
    says(table, "Ruled: plus 2 for Bob.")

    expect(table.locator("#sheet li").last).to_have_text("Bobruled on a fragment+2")
    expect(table.locator("#sheet")).to_contain_text("Annleft unfinished−2")
    assert {"Ann": 1, "Bob": 0} == opened.table.view(HOST)["scores"]


def test_the_dealer_of_three_draws_a_tile_for_the_scrab(table: Page, served: Served) -> None:
    """Three hands give three discards; the dealer draws the fourth tile of the scrab (SB-5)."""
    opened = started(served, "scrabbage_three_players")
    visit(table, served.page(opened))
    press(table, "Draw", sure="Draw")
    lay(table, "H8", "A", "Ann")
    expect(table.locator("svg.board .tile")).to_have_count(1)
    lay(table, "H9", "T", "Bob")
    says(table, "Bob pegs 2: AT for two.")
    press(table, "End of play", sure="End of play")
    says(table, "Last for Bob, one. Ann draws one more for the scrab.")
    under_board(table, "Lay the scrab").click()
    dialog = table.get_by_role("dialog")
    expect(dialog.get_by_role("combobox")).to_have_value("Ann")
    for square, letter in (("H10", "E"), ("G8", "H")):
        _tap(table, square, board=1)
        dialog.get_by_role("button", name=letter, exact=True).click()
    dialog.get_by_role("button", name="Lay the scrab").click()
    says(table, "Scrab for Ann:")
    press(table, "End of hand", sure="End of hand")
    says(table, "Bob deals.")

    assert "Bob" == opened.table.view(HOST)["dealer"]
