"""Games played by tapping: set-up, plays, corrections, claims, clocks, replay, downloads."""

from __future__ import annotations

import csv
import json
import re
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from kibitz.app.common.materials.named import TILE_SETS, load_tile_set
from kibitz.engine.games.scrabbleship.fleets import SHIP_LENGTHS
from tests.browser.browser_help import HOST, Served, do, under_board, visit, words_on_sheet


@pytest.mark.fast
def test_a_table_is_set_up_in_under_a_minute(page: Page, served: Served) -> None:
    """Game, names, a house rule, one button: the table is there with its settings."""
    page.goto(served.address + "/")
    page.get_by_label("GrabScrab").check()
    page.get_by_label("Name of player 1").fill("Ann")
    page.get_by_label("Name of player 2").fill("Bob")
    page.get_by_role("button", name="Add a player").click()
    page.get_by_label("Name of player 3").fill("Cyd")
    page.get_by_text("House rules").click()
    page.get_by_label("A false call costs one own word.").check()
    page.get_by_role("button", name="Open the table").click()
    page.get_by_role("link", name="To the table").click()

    expect(page.get_by_role("button", name="Claim a word")).to_be_visible()
    expect(page.locator("#title")).to_have_text("GrabScrab · Ann, Bob, Cyd")
    table = served.session.tables.get(page.url.rsplit("/", 1)[1])
    assert table is not None
    assert table.ledger.opening.options["gs.penalty"] is True


def test_a_new_table_has_the_usual_settings_of_its_game(page: Page, served: Served) -> None:
    """A word of the list waits for the judge, unless the house rules say otherwise."""
    held = []
    for chosen in (None, "those that are not in the list"):
        page.goto(served.address + "/")
        page.get_by_label("ScrabbleShip").check()
        page.get_by_label("Name of player 1").fill("Ann")
        page.get_by_label("Name of player 2").fill("Bob")
        if chosen:
            page.get_by_text("House rules").click()
            page.get_by_label("Which words may be challenged").select_option(chosen)
        page.get_by_role("button", name="Open the table").click()
        page.get_by_role("link", name="To the table").click()
        page.locator("#title").wait_for()
        table = served.session.tables.get(page.url.rsplit("/", 1)[1])
        assert table is not None
        held.append(table.ledger.opening.options["ss.challenge"])

    assert ["any_word", "unknown_words"] == held


def test_a_name_given_twice_is_told_beside_the_button(page: Page, served: Served) -> None:
    """What cannot be set up is said in words, and nothing that was typed is lost."""
    page.goto(served.address + "/")
    page.get_by_label("Name of player 1").fill("Ann")
    page.get_by_label("Name of player 2").fill("ann")
    page.get_by_role("button", name="Open the table").click()

    expect(page.get_by_role("alert")).to_have_text("Every player needs a name of their own.")
    assert page.get_by_label("Name of player 2").input_value() == "ann"


@pytest.mark.fast
def test_a_play_is_typed_corrected_and_undone(page: Page, served: Served) -> None:
    """Tapping a square types a play; tapping a tile puts its letter right; undo takes it back, redo puts it back."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    visit(page, served.page(opened))
    _tap(page, "H8")
    page.get_by_label("Word, with the letters").fill("CAT")
    page.get_by_role("button", name="Lay it").click()
    expect(page.locator("#players .score").first).to_have_text("10")
    _tap(page, "H8")
    page.get_by_role("dialog").get_by_role("button", name="B", exact=True).click()
    expect(page.locator("#sheet")).to_contain_text("BAT")
    corrected = words_on_sheet(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#sheet")).to_contain_text("CAT")
    undone = words_on_sheet(page)
    page.locator("#actions").get_by_role("button", name="Redo").click()
    expect(page.locator("#sheet")).to_contain_text("BAT")
    told = page.locator(".toast").inner_text()  # at once: a message goes by itself later

    assert told == ""
    assert (corrected, undone) == (["BAT"], ["CAT"])
    assert words_on_sheet(page) == ["BAT"]


def test_tiles_of_two_letters_show_both(page: Page, served: Served) -> None:
    """A word is typed as people write it, and lies as its tiles; they are offered by what they show."""
    opened = served.open_table("scrabble", ["Ann", "Bob"], tiles="es")
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, served.page(opened))
    _tap(page, "H8")
    page.get_by_label("Word, with the letters").fill("CALLE")
    page.get_by_role("button", name="Lay it").click()
    expect(page.locator("#sheet")).to_contain_text("CALLE")
    lying = page.locator("#board .tile .letter").all_text_contents()
    _tap(page, "H10")

    assert ["C", "A", "LL", "E"] == lying
    expect(page.get_by_role("dialog").get_by_role("button", name="CH", exact=True)).to_be_visible()


@pytest.mark.parametrize("language", [x for x in TILE_SETS if load_tile_set(x).prints])
def test_pages_cut_words_into_tiles_as_the_rules_do(
    page: Page, served: Served, language: str
) -> None:
    """Any two tiles side by side, and a row in which letters of two would be those of one."""
    tile_set = load_tile_set(language)
    rows = ["".join(pair) for pair in product(tile_set.letters, repeat=2)]
    rows.append(
        "".join(x for printed in tile_set.prints.values() for x in printed if x in tile_set.tiles)
    )
    words = [tile_set.word_of(row) for row in rows]
    visit(page, served.page(served.open_table("grabscrab", ["Ann", "Bob"], tiles=language)))
    cut = page.evaluate(
        """async ([words, prints]) => {
          const { tilesIn } = await import("/static/js/extras.js");
          return words.map((x) => tilesIn(x, prints));
        }""",
        [words, dict(tile_set.prints)],
    )

    assert rows == cut


def test_stolen_words_of_two_letter_tiles_are_shown_as_people_write_them(
    page: Page, served: Served
) -> None:
    """The tiles show what stands on them, and what a word was made from is known."""
    start = {"pool": "S", "words": {"Ann": ["CALLE"], "Bob": []}, "face_down": 3}
    opened = served.open_table("grabscrab", ["Ann", "Bob"], tiles="es", initial=start)
    act = {
        "action": "claim",
        "player": "Bob",
        "word": "CALLES",
        "steal": "CALLE",
        "override": True,
    }
    do(opened, **act)
    visit(page, served.page(opened))
    held = page.locator(".felt li")

    expect(held.locator(".hush")).to_have_text("CALLES")
    expect(held.locator(".from")).to_have_text("CALLE of Ann")
    assert ["C", "A", "LL", "E", "S"] == held.locator(".tile-chip").all_text_contents()


def test_tiles_are_drawn_for_the_first_turn(context: BrowserContext, served: Served) -> None:
    """A phone taps its tile, the host tells the other; ties ask again, and Kibitz may draw."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    phone, table = context.new_page(), context.new_page()
    visit(phone, served.page(opened, "seat", opened.seats["Bob"]))
    phone.get_by_role("button", name="Who begins").click()
    phone.get_by_role("dialog").get_by_role("button", name="D", exact=True).click()
    expect(phone.locator(".toast")).to_contain_text("Bob draws D.")
    visit(table, served.page(opened))
    table.get_by_role("button", name="Who begins").click()
    expect(table.get_by_role("dialog")).to_contain_text("Bob drew D. Ann: draw a tile.")
    table.get_by_label("Ann's tile").select_option("D")
    table.get_by_role("button", name="Enter", exact=True).click()
    expect(table.locator(".toast").last).to_contain_text("Ann and Bob draw again.")
    table.get_by_role("button", name="Who begins").click()
    table.get_by_role("button", name="Kibitz draws").click()
    expect(table.get_by_role("dialog")).to_have_count(0)

    assert opened.table.view(HOST)["first_turn"]["begins"] == opened.table.view(HOST)["to_move"]


def test_a_word_is_typed_as_its_player_reads_it(page: Page, served: Served) -> None:
    """North types TRAIN; it lies from right to left on North's home row, which is shown first."""
    opened = served.open_table("scrabble-house", ["South", "North"], {"sh.clocks": "off"})
    visit(page, served.page(opened))
    _tap(page, "A9")
    page.get_by_label("Who plays").select_option("North")
    page.get_by_label("Word, with the letters").fill("TRAIN")
    lies = page.get_by_role("dialog").get_by_role("status")
    expect(lies.locator(".turned .tile-chip")).to_have_text(["T", "R", "A", "I", "N"])
    told = lies.locator(".small").inner_text()
    page.get_by_role("button", name="Lay it").click()
    expect(page.locator("#sheet")).to_contain_text("TRAIN")

    assert "T on A9, R on A8, A on A7, I on A6, N on A5; upright for North" == told
    assert "....niart......" == opened.table.view(HOST)["board"][0]


def test_a_tile_of_the_second_board_is_corrected(page: Page, served: Served) -> None:
    """Both boards have a tile on O7; the one that was tapped changes, a tile of North is no blank."""
    free = {"sh.opening": "any", "sh.clocks": "off"}
    opened = served.open_table("scrabble-house", ["Ann", "Bea", "Cyd", "Dan"], free)
    for player in ("Cyd", "Ann"):
        do(opened, action="place", player=player, tiles={"O7": "C", "O8": "A", "O9": "T"})
    do(opened, action="place", player="Dan", tiles={"A7": "T", "A8": "A", "A9": "C"})
    visit(page, served.page(opened))
    _tap(page, "O7", board=1)
    page.get_by_role("dialog").get_by_role("button", name="B", exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    boards = opened.table.view(HOST)["boards"]
    _tap(page, "A7", board=1)

    assert [rows[14][6:9] for rows in boards] == ["CAT", "BAT"]
    expect(page.get_by_label("It is a blank standing for this letter")).not_to_be_checked()


def test_the_board_is_played_with_keys_alone(page: Page, served: Served) -> None:
    """Arrow keys go from square to square, Enter opens one, the dialog is filled and sent."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    visit(page, served.page(opened))
    page.locator("svg.board").focus()
    page.keyboard.press("ArrowLeft")
    spoken = page.locator(".board-box [role=status]")
    expect(spoken).to_have_text("8 G: empty")
    page.keyboard.press("Enter")
    page.get_by_label("Word, with the letters").fill("AT")
    page.keyboard.press("Enter")

    expect(page.locator("#sheet")).to_contain_text("AT")
    assert opened.table.view(HOST)["board"][7] == "......AT......."


@pytest.mark.fast
def test_claims_and_steals_are_called_on_phones(context: BrowserContext, served: Served) -> None:
    """One phone claims from the pool, the other steals; a word that is none is told to its caller."""
    start = {"pool": "EOPSR", "face_down": 4, "words": {"Ann": [], "Bob": []}, "flipper": "Bob"}
    opened = served.open_table("grabscrab", ["Ann", "Bob"], initial=start)
    ann, bob = context.new_page(), context.new_page()
    visit(ann, served.page(opened, "seat", opened.seats["Ann"]))
    visit(bob, served.page(opened, "seat", opened.seats["Bob"]))
    ann.get_by_label("The word you call").fill("ropes")
    ann.get_by_role("button", name="Mine!").click()
    expect(bob.locator("#board")).to_contain_text("ROPES")
    do(opened, action="flip", player="Ann", letter="T")
    bob.get_by_label("The word you call").fill("poster")
    bob.get_by_label("Made from").select_option(label="steals ROPES of Ann")
    bob.get_by_role("button", name="Mine!").click()
    expect(ann.locator("#headline")).to_contain_text("POSTER")
    bob.get_by_label("The word you call").fill("zzzz")
    bob.get_by_role("button", name="Mine!").click()

    expect(bob.locator("#own .note")).to_contain_text("ZZZZ")
    words = opened.table.view(HOST)["words"]
    assert words == {"Ann": [], "Bob": ["POSTER"]}


def test_grabscrab_is_ended_while_tiles_lie_face_down(
    context: BrowserContext, served: Served
) -> None:
    """On a phone, by anybody: nobody wins, and the page says who leads."""
    start = {"pool": "E", "face_down": 4, "words": {"Ann": ["ROPES"], "Bob": []}, "flipper": "Bob"}
    opened = served.open_table("grabscrab", ["Ann", "Bob"], initial=start)
    ann, bob = context.new_page(), context.new_page()
    visit(ann, served.page(opened, "seat", opened.seats["Ann"]))
    visit(bob, served.page(opened, "seat", opened.seats["Bob"]))
    under_board(bob, "End the game").click()
    bob.get_by_role("dialog").get_by_role("button", name="End the game").click()

    expect(ann.locator("#headline")).to_contain_text("Ann leads with one word.")
    expect(ann.locator("#turn")).to_have_text("The game is over.")


def test_the_clock_is_pressed_on_a_phone(context: BrowserContext, served: Served) -> None:
    """One press starts the other player's clock, which runs on both pages."""
    opened = served.open_table("scrabble-house", ["South", "North"], {"sh.clocks": "off"})
    do(opened, action="place", player="South", tiles={"O7": "C", "O8": "A", "O9": "T"})
    south, table = context.new_page(), context.new_page()
    visit(south, served.page(opened, "seat", opened.seats["South"]))
    visit(table, served.page(opened))
    south.get_by_role("button", name="Press the clock").click()
    clock = table.get_by_role("timer", name="North's clock")
    expect(clock).to_have_text("9:58", timeout=5000)

    assert opened.table.view(HOST)["running"] == ["North"]
    assert table.get_by_role("timer", name="South's clock").inner_text() == "10:00"


def test_clocks_that_wait_say_who_presses(page: Page, served: Served) -> None:
    """Nobody is to move before the first press, so the headline tells whose it is."""
    opened = served.open_table("scrabble-house", ["South", "North"])
    visit(page, served.page(opened))

    expect(page.locator("#headline .more")).to_contain_text("does not begin presses")


@pytest.mark.parametrize(
    ("game", "number", "line"),
    [
        ("scrabbleship_judge", 0, "1 Passen 0 Passen 0"),
        ("scrabbage_discards", 0, "Ann F auf H8 +0"),
        ("grabscrab_penalty", -1, "Ann und Cyd teilen sich den Sieg mit je einem Wort"),
    ],
)
def test_a_sheet_has_plays_alone_and_words_for_how_a_game_ends(
    page: Page, served: Served, game: str, number: int, line: str
) -> None:
    """It begins with the first play, after fleets and draws; the end is told in words."""
    opened = served.played(game)
    visit(page, served.page(opened).replace("#", "?lang=de#"))
    lines = page.locator("#sheet tbody tr, #sheet li").all_inner_texts()

    assert line in " ".join(lines[number].split())


def test_a_word_that_waited_stands_with_its_points(page: Page, served: Served) -> None:
    """Points that come only when all agreed to go on stand at the word, as those of any play."""
    opened = served.open_table("scrabbleship", ["Ann", "Bob"], {"ss.challenge": "any_word"})
    for player, row in (("Ann", "ABCDE"), ("Bob", "ONMLK")):
        ends = zip(SHIP_LENGTHS.items(), row, strict=True)
        fleet = {ship: [f"{letter}1", f"{letter}{length}"] for (ship, length), letter in ends}
        do(opened, action="enter_fleet", player=player, fleet=fleet)
    do(opened, action="place", player="Ann", tiles={"H8": "A", "H9": "T"})
    visit(page, served.page(opened))
    under_board(page, "Go on").click()
    page.get_by_role("dialog").get_by_role("button", name="Go on").click()

    expect(page.locator("#sheet .play .points")).to_have_text(["+4"])
    expect(page.locator("#sheet .play .after")).to_have_text(["4"])


def test_any_game_may_have_clocks(context: BrowserContext, served: Served) -> None:
    """Scrabble with a minute each: pressed on a phone or the table's page, told when it is over."""
    settings = {"clock": "down", "clock_seconds": 60, "lexicon": "none"}
    opened = served.open_table("scrabble", ["Ann", "Bob"], settings)
    ann, table = context.new_page(), context.new_page()
    visit(ann, served.page(opened, "seat", opened.seats["Ann"]))
    visit(table, served.page(opened))
    table.get_by_role("button", name="Press the clock").click()
    expect(table.get_by_role("timer", name="Ann's clock")).to_have_class(re.compile("runs"))
    do(opened, action="place", player="Ann", tiles={"H7": "C", "H8": "A", "H9": "T"})
    opened.table._clock._base += 65
    ann.get_by_role("button", name="Press the clock").click()

    expect(table.get_by_role("timer", name="Bob's clock")).to_have_class(re.compile("runs"))
    expect(table.get_by_role("timer", name="Ann's clock")).to_have_text(re.compile("^-0:"))
    expect(table.locator("#headline")).to_contain_text("Ann is over time: -10 points.")
    expect(table.locator("#sheet")).to_contain_text("over time")
    assert ["Bob"] == opened.table.view(HOST)["running"]
    assert {"Ann": 0, "Bob": 0} == opened.table.view(HOST)["scores"]


def test_a_play_stops_its_players_clock(context: BrowserContext, served: Served) -> None:
    """Nobody presses; whoever does so late, on the phone, has done nothing wrong."""
    settings = {"clock": "down", "clock_plays": True, "lexicon": "none"}
    opened = served.open_table("scrabble", ["Ann", "Bob"], settings)
    ann, table = context.new_page(), context.new_page()
    visit(ann, served.page(opened, "seat", opened.seats["Ann"]))
    visit(table, served.page(opened))
    table.get_by_role("button", name="Press the clock").click()
    expect(table.get_by_role("timer", name="Ann's clock")).to_have_class(re.compile("runs"))
    do(opened, action="place", player="Ann", tiles={"H7": "C", "H8": "A", "H9": "T"})
    expect(table.get_by_role("timer", name="Bob's clock")).to_have_class(re.compile("runs"))
    ann.get_by_role("button", name="Press the clock").click()
    do(opened, action="place", player="Bob", tiles={"H10": "S"})

    expect(table.get_by_role("timer", name="Ann's clock")).to_have_class(re.compile("runs"))
    expect(ann.locator(".toast")).to_have_count(0)
    expect(table.locator("#sheet .word")).to_have_text(["CAT", "CATS"])


def test_a_play_that_came_off_is_not_told_as_the_last_one(page: Page, served: Served) -> None:
    """Neither beside the score nor on the sheet, in any language."""
    opened = served.open_table("scrabble", ["Ann", "Bob"], {"reject_invalid": False})
    do(opened, action="place", player="Ann", tiles={"H7": "Z", "H8": "Q", "H9": "X"})
    do(opened, action="challenge", player="Bob")
    do(opened, action="pass", player="Bob")
    do(opened, action="pass", player="Ann")
    page.goto(served.page(opened).replace("#", "?lang=de#"))
    expect(page.locator("#sheet .off")).to_have_count(1)

    assert ["", "am Zug"] == page.locator("#players .state").all_inner_texts()


def test_the_same_players_play_again_with_seats_turned(page: Page, served: Served) -> None:
    """A new table with the same settings, at which who was second begins."""
    settings = {"challenge": "5", "reject_invalid": False}
    opened = served.open_table("scrabble", ["Ann", "Bob", "Cyd"], settings)
    do(opened, action="end_game")
    visit(page, served.page(opened))
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url("**/setup/*")
    table = served.session.tables.get(page.url.rsplit("/", 1)[1])

    assert table is not None
    assert table.id != opened.table.id
    assert ("Bob", "Cyd", "Ann") == table.ledger.opening.players
    assert dict(opened.table.ledger.opening.options) == dict(table.ledger.opening.options)


@pytest.mark.fast
def test_a_game_is_stepped_through(page: Page, served: Served) -> None:
    """The replay begins at the end, goes to the beginning, and on play by play."""
    opened = served.played("scrabble_challenge")
    visit(page, served.page(opened, "history"))
    tiles = page.locator("svg.board .tile")
    expect(tiles).to_have_count(18)
    page.get_by_role("button", name="To the beginning").click()
    expect(tiles).to_have_count(0)
    page.get_by_role("button", name="Next play").click()

    expect(tiles).to_have_count(6)
    expect(page.locator("#headline")).to_contain_text("Ann plays GARDEN.")
    assert page.locator("#graph .run").count() == 2


@pytest.mark.parametrize(
    ("button", "suffix", "holds"),
    [
        ("GCG", "gcg", ">Ann:"),
        ("Spreadsheet (CSV)", "csv", "GARDEN"),
        ("Replay page (HTML)", "html", "<!doctype html>"),
        ("Everything (JSON)", "json", '"history"'),
    ],
)
def test_a_record_is_downloaded(
    page: Page, served: Served, tmp_path: Path, button: str, suffix: str, holds: str
) -> None:
    """Each download is a whole file in its format, named for its table."""
    opened = served.played("scrabble_challenge")
    visit(page, served.page(opened, "history"))
    with page.expect_download() as waiting:
        page.get_by_role("button", name=button, exact=True).click()
    kept = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(kept)
    text = kept.read_text(encoding="utf-8")

    assert kept.name == f"kibitz-scrabble-{opened.table.id}.{suffix}"
    assert holds.lower() in text.lower()
    if suffix == "json":
        assert json.loads(text)["table"] == opened.table.id
    if suffix == "csv":
        rows = list(csv.reader(text.splitlines()))
        assert {len(r) for r in rows} == {len(rows[0])}


def test_a_phone_that_reloads_comes_back_where_it_was(page: Page, served: Served) -> None:
    """The token leaves the address bar, and the page opens again without it."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    visit(page, served.page(opened, "seat", opened.seats["Ann"]))
    expect(page.locator("#turn")).to_have_text("Your turn")
    address = page.url
    page.reload()

    expect(page.locator("#turn")).to_have_text("Your turn")
    assert address == f"{served.address}/seat/{opened.table.id}"


def test_a_page_without_its_token_says_what_to_do(page: Page, served: Served) -> None:
    """A link without token, or with a wrong one, opens nothing and says so."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    page.goto(f"{served.address}/table/{opened.table.id}#t=wrong")

    expect(page.get_by_role("alert")).to_contain_text("Ask the host for a new one.")
    assert page.locator("#main").is_hidden()


def test_the_hall_of_fame_shows_records_and_grids(page: Page, served: Served) -> None:
    """Each group names its record and title holder; each game has its final grid."""
    game = {
        "table": "x",
        "date": "2026-01-02",
        "game_set": "",
        "players": 2,
        "names": ["Ann", "Bob"],
        "words": [{"player": "Ann", "word": "HOUSE"}],
        "total_words": 31,
        "final_frank": "Ann",
        "lexicon": "default",
        "board45": ["HOUSE" + "." * 40] + ["." * 45] * 44,
        "photo": None,
        "was_record": True,
    }
    group = {"game_set": "", "players": 2, "record": 31, "title_holder": "Ann", "games": [game]}
    page.route("**/api/fame", lambda route: route.fulfill(json={"groups": [group]}))
    page.goto(served.address + "/fame")

    expect(page.locator(".champion")).to_have_text("31 words is the recordAnn is the Final Frank")
    assert page.locator(".finished svg.board .tile").count() == 5
    assert page.locator(".badge").inner_text() == "record"


def _tap(page: Page, square: str, board: int = 0) -> None:
    """Tap a square of a board, the first one unless another is named."""
    shown = page.locator("svg.board").nth(board)
    shown.scroll_into_view_if_needed()
    box = shown.bounding_box()
    assert box is not None
    row, col = ord(square[0]) - 65, int(square[1:]) - 1
    across = shown.evaluate("board => board.viewBox.baseVal.width")  # in its own units
    unit = box["width"] / across
    page.mouse.click(
        box["x"] + (30 + (col + 0.5) * 40) * unit, box["y"] + (30 + (row + 0.5) * 40) * unit
    )


def test_a_headline_leaves_out_what_the_board_shows(page: Page, served: Served) -> None:
    """Squares spelled out for the ear and misses stay in the list of what was said."""
    opened = served.played("scrabbleship_hits")
    do(opened, action="place", player="Ann", tiles={"L8": "L", "M8": "E", "N8": "T"})
    visit(page, served.page(opened))
    newest = page.locator("#said li").first
    expect(newest).to_contain_text("L on L8, E on M8, T on N8.")
    headline = page.locator("#headline").inner_text()

    assert headline.startswith("Ann plays LEAFLET. L8: hit on Bob!")
    assert headline.endswith("13 points, 1 ship; total 55 and 2.")
    assert [word for word in ("on L8", "miss") if word in headline] == []


def test_a_play_is_put_down_to_somebody_else(page: Page, served: Served) -> None:
    """The host opens a line of the score sheet and says who played it."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    do(opened, action="place", player="Ann", tiles={"H7": "A", "H8": "T"})
    visit(page, served.page(opened))
    page.get_by_role("button", name="Ann AT +4: open").click()
    page.get_by_role("button", name="Credit to Bob").click()
    expect(page.locator("#toasts, .toast").first).to_contain_text("Credited to Bob")
    scores = opened.table.view(HOST)["scores"]

    assert scores == {"Ann": 0, "Bob": 4}


def test_only_scrabble_is_offered_as_gcg(page: Page, served: Served) -> None:
    """The format holds no other game, so that no button promises it."""
    found = {}
    for name in ("scrabble_challenge", "frankenscrabbards_join"):
        visit(page, served.page(served.played(name), "history"))
        expect(page.locator("#downloads button").last).to_be_visible()
        found[name] = page.locator("#downloads button").all_text_contents()

    rest = ["Spreadsheet (CSV)", "Replay page (HTML)", "Everything (JSON)"]
    assert found == {"scrabble_challenge": ["GCG", *rest], "frankenscrabbards_join": rest}


def test_four_long_names_fit_a_narrow_phone(page: Page, served: Served) -> None:
    """Neither the fleets' table nor the score sheet makes the page wider than the phone."""
    names = [f"{x} of the very long and winding name" for x in ("Ann", "Bob", "Cyd", "Dan")]
    opened = served.open_table("scrabbleship", names)
    page.set_viewport_size({"width": 320, "height": 640})
    visit(page, served.page(opened))
    expect(page.locator("table.facts")).to_be_visible()
    wide = page.evaluate("document.documentElement.scrollWidth")

    assert wide == 320
