"""What the rules wait for is ticked off by what a picture shows, one thing at a time."""

from __future__ import annotations

from dataclasses import replace

from kibitz.app.observers.board_views import board_view
from kibitz.engine.table import parse_square
from kibitz.engine.tracking.evidence.hypotheses import Capture
from tests.app.observers.test_two_boards import BLAST, blown, turned, without
from tests.app.replay_help import board
from tests.app.tables.test_ship_cards import CARD, HARBOR, played, show
from tests.helpers.pictured_games import drawn, game_of, readings_of, replay_of, replay_with
from tests.helpers.seen_boards import LIVE, cat, sure, tracker, view_of


def test_a_card_alone_is_something_done() -> None:
    """No tile moved; the strip that was asked for lies there."""
    lines, _ = played(show(HARBOR, CARD))

    assert "task_done" == lines[2]["status"]


def test_a_tile_that_was_turned_needs_no_more_turning() -> None:
    """Nothing was lifted yet, so that stays to be done."""
    _, before, _ = blown()
    _, after, _ = blown(turned(BLAST, "F6"))

    assert ["F6"] == before["open_tasks"][0]["turn"]
    assert [] == after["open_tasks"][0]["turn"]
    assert before["open_tasks"][0]["lift"] == after["open_tasks"][0]["lift"] != []


def test_a_tile_that_was_lifted_needs_no_more_lifting() -> None:
    """It goes from what is still to be lifted."""
    _, before, _ = blown()
    _, after, _ = blown(without(BLAST, "F8"))
    lift = before["open_tasks"][0]["lift"]

    assert "F8" in lift
    assert [s for s in lift if s != "F8"] == after["open_tasks"][0]["lift"]


def test_a_word_laid_before_the_game_is_no_play() -> None:
    """It is taken off again, and the picture that showed it told no play."""
    kept = tracker()
    kept.update(cat())
    found = kept.update(view_of(board()))
    earlier = kept.best.findings[0]

    assert ("taken_back", "set-up") == (found.status, found.note)
    assert ("board_changed", "set-up", {}, ()) == (
        earlier.status,
        earlier.note,
        earlier.laid,
        earlier.plays,
    )


def test_a_play_told_too_early_was_told_in_one_picture_only() -> None:
    """That picture showed a hand; those before it show what they showed."""
    kept = tracker()
    for more in ({}, {"I8": sure("T")}):
        kept.update(cat(more), LIVE)
    longer = {"I8": sure("T"), "J8": sure("E")}
    kept.update(cat(longer), Capture(live=True, soon=True))

    assert ["play", "covered", "play"] == [f.status for f in kept.best.findings]
    assert ["", "incomplete", ""] == [f.note for f in kept.best.findings]
    assert ["I8", "J8"] == [s.name for s in sorted(kept.best.findings[-1].laid)]


def test_guesses_which_way_an_h_lies_do_not_add_up() -> None:
    """HOUSE lies there, and its H looks one way and then the other."""
    replay = replay_of("scrabble-house")
    first = board_view(next(iter(drawn("scrabble-house"))).reading.boards[0])
    replay.tracker.update(first, LIVE)
    square = parse_square("K8")
    weights = []
    for turns in ((0.9, 0.0, 0.1, 0.0), (0.1, 0.0, 0.9, 0.0)):
        shown = {**first.squares, square: replace(first[square], turns=turns)}
        weights.append(replay.tracker.match(replace(first, squares=shown), LIVE)[0].weight)

    assert "H" == replay.tracker.lying.tiles[square].letter
    assert weights[0] == weights[1]


def test_who_clears_up_after_an_explosion_lets_the_play_stand() -> None:
    """The opponent may look until the clock is pressed; nobody presses one."""
    game = {**game_of("scrabble-house"), "settings": {"sh.look": "always"}}
    replay = replay_with(game, [])
    lines = [replay.see(reading) for reading in readings_of(game)]

    assert [*["play"] * 5, *["task_done"] * 3, *["play"] * 2] == [x["status"] for x in lines]
    assert "exploded" in [event["event"] for event in lines[5]["events"]]
