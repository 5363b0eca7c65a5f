"""What each game shows beside board and sheet: pegs, steals, wrecks, clusters, clocks, zoom."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.browser_help import HOST, Served, do, under_board, visit


def test_a_steal_shows_what_the_word_was(page: Page, served: Served) -> None:
    """Before each player lie the words; a stolen one names the words it was made of."""
    opened = served.played("grabscrab_steals", 6)
    visit(page, served.page(opened))
    mine = page.locator(".hold").nth(1)

    expect(mine.locator(".fresh")).to_contain_text("STROP")
    expect(mine.locator(".from")).to_have_text("STOP of Ann")
    assert page.locator(".hold").first.locator("li").count() == 0


def test_pegs_stand_where_the_score_was_and_is(page: Page, served: Served) -> None:
    """Each player has two pegs; the one in front stands at the score."""
    opened = served.played("scrabbage_hand", 5)
    visit(page, served.page(opened))
    scores = opened.table.view(HOST)["scores"]
    pegs = page.locator(".pegs .peg .head title").all_text_contents()

    assert len(pegs) == 4
    assert [pegs[1], pegs[3]] == [f"{name}: {points}" for name, points in scores.items()]
    expect(page.locator("#extra")).to_contain_text("deals;")
    do(opened, action="end_game")
    expect(page.locator("#extra")).not_to_contain_text("deals;")


def test_fleets_and_wrecks_are_shown_after_the_game(page: Page, served: Served) -> None:
    """While it lasts the table shows no ship; afterwards all of them, and the wreck over its tiles."""
    opened = served.played("scrabbleship_hits")
    visit(page, served.page(opened))
    expect(page.locator("#sheet")).to_contain_text("FORM")
    during = page.locator("svg.board .ship, svg.board .wreck").count()
    do(opened, action="no_plays")
    expect(page.locator("svg.board .ship")).to_have_count(10)
    titles = page.locator("svg.board .wreck title").all_text_contents()

    assert during == 0
    assert titles == ["Bob: submarine, sunk"]
    expect(page.locator(".legend")).to_contain_text("Bob's ships")


def test_a_fleet_is_called_secret_only_while_it_is(page: Page, served: Served) -> None:
    """A seat is told that nobody else sees its fleet, until the game is over and everybody does."""
    opened = served.played("scrabbleship_hits")
    visit(page, served.page(opened, "seat", opened.seats["Ann"]))
    secret = page.get_by_text("Only you see it")
    expect(secret).to_be_visible()
    do(opened, action="no_plays")

    expect(secret).to_have_count(0)


def test_the_newest_play_of_the_joined_boards_is_followed(page: Page, served: Served) -> None:
    """The whole, one of the nine, or the newest play, which the view follows."""
    opened = served.played("frankenscrabbards_join", 1)
    visit(page, served.page(opened))
    board = page.locator("svg.board")
    whole = board.get_attribute("viewBox")
    page.get_by_role("button", name="Board 1", exact=True).click()
    first = board.get_attribute("viewBox")
    page.get_by_role("button", name="The newest play, followed").click()
    middle = board.get_attribute("viewBox")
    tiles = {"1:H8": "S", "1:I8": "T", "1:J8": "A", "1:K8": "R"}
    do(opened, action="place", player="Bob", tiles=tiles)
    expect(page.locator("svg.board .tile")).to_have_count(9)
    expect(board).not_to_have_attribute("viewBox", middle or "")
    moved = board.get_attribute("viewBox")

    assert whole == "0 0 1860 1860"
    assert first == "-30 -30 720 720"
    assert middle == "630 630 600 600"
    assert moved == "30 90 600 600"


def test_boards_are_zoomed_by_wheel_and_dragged(page: Page, served: Served) -> None:
    """A closer look by the wheel, moved by dragging, which types no play."""
    opened = served.played("frankenscrabbards_join", 1)
    visit(page, served.page(opened))
    board = page.locator("svg.board")
    page.get_by_role("button", name="Board 5", exact=True).click()
    before = board.get_attribute("viewBox")
    board.hover()
    page.mouse.wheel(0, -300)
    expect(board).not_to_have_attribute("viewBox", before or "")
    closer = board.get_attribute("viewBox")
    page.mouse.down()
    page.mouse.move(500, 300, steps=4)
    page.mouse.up()
    expect(board).not_to_have_attribute("viewBox", closer or "")

    assert board.get_attribute("viewBox") != before
    assert page.get_by_role("dialog").count() == 0


def test_the_cluster_map_names_what_is_joined(page: Page, served: Served) -> None:
    """The map of nine says which boards are joined, how many words it took and who is the Frank."""
    opened = served.played("frankenscrabbards_join")
    visit(page, served.page(opened))
    view = opened.table.view(HOST)
    joined = page.locator(".clusters").get_attribute("aria-label") or ""

    assert f"{view['stars_left']} stars are free." in joined
    assert page.locator(".clusters .cell").count() == 9
    assert page.locator("#extra h2").inner_text() == f"{view['total_words']} words"


def test_clocks_are_paused_and_go_on(context: BrowserContext, served: Served) -> None:
    """A paused clock stands on every page, and a press of it is refused in words."""
    opened = served.open_table("scrabble-house", ["South", "North"])
    do(opened, action="press_clock", player="North")
    do(opened, action="place", player="South", tiles={"O7": "C", "O8": "A", "O9": "T"})
    do(opened, action="press_clock", player="South")
    table, phone = context.new_page(), context.new_page()
    visit(table, served.page(opened))
    visit(phone, served.page(opened, "seat", opened.seats["North"]))
    under_board(table, "Pause the clocks").click()
    clock = phone.locator("#players").get_by_role("timer", name="North's clock")
    expect(phone.locator("#players .clock.paused")).to_have_count(1)
    stood = clock.inner_text()
    phone.wait_for_timeout(1500)
    still = clock.inner_text()
    phone.get_by_role("button", name="Press the clock").click()
    expect(phone.locator(".toast")).to_contain_text("The clocks are paused")
    phone.get_by_role("button", name="Clocks go on").click()

    expect(table.locator("#players .clock.runs")).to_have_count(1)
    assert stood == still


def test_hands_are_counted_as_filled_up(page: Page, served: Served) -> None:
    """Nobody says what is drawn: who laid tiles holds seven again, and the page says that."""
    opened = served.open_table("scrabble-house", ["South", "North"])
    do(opened, action="press_clock", player="North")
    do(opened, action="place", player="South", tiles={"O7": "C", "O8": "A", "O9": "T"})
    visit(page, served.page(opened))
    extra = page.locator("#extra")
    expect(extra.locator("tbody tr").first).to_have_text("South70")
    expect(extra).to_contain_text("In the bag: 83 tiles.")
    expect(extra).to_contain_text("counts as having filled up to seven")


def test_both_boards_clocks_run_at_once(page: Page, served: Served) -> None:
    """With four players two clocks run, one a board, and the page shows both."""
    opened = served.open_table("scrabble-house", ["Ann", "Bob", "Cyd", "Dan"])
    do(opened, action="press_clock", player="Bob")
    played = [
        do(opened, action="place", player=p, tiles=t, board=b)
        for p, t, b in (
            ("Ann", {"O7": "C", "O8": "A", "O9": "T"}, 1),
            ("Dan", {"A9": "D", "A8": "O", "A7": "G"}, 2),
        )
    ]
    for player in ("Ann", "Dan"):
        do(opened, action="press_clock", player=player)
    visit(page, served.page(opened))

    expect(page.locator("#players .clock.runs")).to_have_count(2)
    titles = page.locator("#board h3").all_inner_texts()

    assert played == [True, True]
    assert titles == ["Board 1: Ann and Bob", "Board 2: Cyd and Dan"]


@pytest.mark.parametrize("name", ["challenge fails", "FRIEND is good", "challenged off"])
def test_the_sheet_says_how_challenges_ended(page: Page, served: Served, name: str) -> None:
    """A challenge that failed, what it brought, and a play that was taken off for one."""
    opened = served.played("scrabble_challenge")
    visit(page, served.page(opened))

    expect(page.locator("#sheet")).to_contain_text(name)


def test_racks_at_the_end_stand_on_the_sheet(page: Page, served: Served) -> None:
    """What racks cost and brought is a line, so that the column adds up to its total."""
    opened = served.played("scrabble_challenge")
    do(opened, action="racks", racks={"Ann": ["Q"], "Bob": []})
    do(opened, action="end_game", out="Bob")
    visit(page, served.page(opened))
    lines = page.locator("#sheet .play", has_text="racks").all_inner_texts()

    assert [line.split("\n")[1:] for line in lines] == [["−10", "24"], ["+10", "27"]]


def test_two_speak_at_once(page: Page, served: Served) -> None:
    """A tie is told with both calls, and nobody gets the word."""
    start = {"pool": "EOPS", "face_down": 4, "words": {"Ann": [], "Bob": []}, "flipper": "Bob"}
    opened = served.open_table("grabscrab", ["Ann", "Bob"], initial=start)
    do(opened, action="flip", player="Bob", letter="T")
    visit(page, served.page(opened))
    page.get_by_role("button", name="Tie").click()
    calls = page.get_by_role("dialog").get_by_label("Word", exact=True)
    calls.nth(0).fill("stop")
    calls.nth(1).fill("post")
    page.get_by_role("dialog").get_by_role("button", name="Tie").click()
    expect(page.get_by_role("dialog")).to_have_count(0)

    assert opened.table.view(HOST)["words"] == {"Ann": [], "Bob": []}
    assert opened.table.ledger.done[-1].entry.action.kind == "tie"


def test_go_is_called_from_a_seat(page: Page, served: Served) -> None:
    """A seat of Scrabbage has one large button for it, and the other's peg moves."""
    opened = served.played("scrabbage_hand", 3)
    player = opened.table.view(HOST)["to_move"]
    visit(page, served.page(opened, "seat", opened.seats[player]))
    buttons = page.get_by_role("button", name="Go", exact=True)
    expect(buttons).to_have_count(1)
    buttons.click()

    expect(page.locator("#headline")).to_contain_text(f"Go from {player}")
