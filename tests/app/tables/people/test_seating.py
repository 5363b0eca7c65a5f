"""Who sits at which side of the camera's picture: shown, corrected with one tap, kept."""

from __future__ import annotations

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.app.common.storage.tables import Step
from kibitz.app.observers.feeds import make_observer
from kibitz.app.tables.steps import SEAT, hands_seen, seats_json, seats_told, told_seat
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Opening
from kibitz.engine.rules import Action

TWO, THREE, FOUR = ("Ann", "Bob"), ("Ann", "Bob", "Cyd"), ("Ann", "Bob", "Cyd", "Dee")
UNKNOWN = {"side": None, "told": False}


def watching(game, players=TWO):
    """The tracker of a game."""
    found = find_game(game)
    options = check_options(found.info, {})
    materials = make_materials("none", "en", options)
    return make_observer(Opening(found, players, options, materials)).tracker


def says(player, side):
    return Action(SEAT, player, None, {"side": side})


def test_nobody_sits_anywhere_known_at_first():
    """On one board or two; around a loose table the words say it."""
    assert {"Ann": UNKNOWN, "Bob": UNKNOWN} == seats_json(watching("scrabble"), TWO)
    assert ["bottom", "top"] == [
        line["side"] for line in seats_json(watching("grabscrab"), TWO).values()
    ]
    house = seats_json(watching("scrabble-house", FOUR), FOUR)
    assert dict.fromkeys(FOUR, UNKNOWN) == house


def test_what_people_say_holds():
    """And who was said to sit there before sits nowhere known."""
    tracker = watching("scrabble")
    told_seat(tracker, says("Ann", "left"), TWO)
    first = seats_json(tracker, TWO)
    verdict = told_seat(tracker, says("Bob", "left"), TWO)

    assert {"Ann": {"side": "left", "told": True}, "Bob": UNKNOWN} == first
    assert {"Ann": UNKNOWN, "Bob": {"side": "left", "told": True}} == seats_json(tracker, TWO)
    assert {"seat": "left"} == verdict.result


def test_at_two_boards_a_side_is_shared():
    """Ann sits at the bottom of one, Cyd of the other; Bob takes Ann's place at theirs."""
    tracker = watching("scrabble-house", FOUR)
    for player in ("Ann", "Cyd", "Bob"):
        told_seat(tracker, says(player, "bottom"), FOUR)
    sides = [line["side"] for line in seats_json(tracker, FOUR).values()]

    assert [None, "bottom", "bottom", None] == sides


@pytest.mark.parametrize(
    ("game", "players", "action", "code"),
    [
        ("scrabble", TWO, says("Zoe", "left"), "unknown_player"),
        ("scrabble", TWO, says(None, "left"), "unknown_player"),
        ("scrabble", TWO, says("Ann", "middle"), "bad_action"),
        ("scrabble", TWO, Action(SEAT, "Ann"), "bad_action"),
        ("scrabble-house", FOUR, says("Zoe", "left"), "unknown_player"),
        ("grabscrab", THREE, says("Ann", "left"), "no_seats"),
    ],
)
def test_what_is_no_seat_is_refused(game, players, action, code):
    """A stranger, no side of the picture, or a table where seats say nothing."""
    tracker = watching(game, players)
    before = tracker.known_seats
    verdict = told_seat(tracker, action, players)

    assert code == verdict.code
    assert before == tracker.known_seats


def step(number, **data):
    return Step(number, 0.0, "told", data)


def test_kept_steps_tell_who_sits_where():
    """In order: the last counts. What is no seat says nothing."""
    steps = [
        step(1, do={"action": SEAT, "player": "Ann", "side": "left"}),
        step(2, do={"action": SEAT, "player": "Bob", "side": "top"}),
        step(3, do={"action": SEAT, "player": "Ann", "side": "right"}),
        step(4, do={"action": SEAT, "player": "Bob", "side": "middle"}),
        step(5, do={"action": "pass", "player": "Ann", "side": "left"}),
        step(6, do="seat"),
        step(7),
    ]

    assert [("Ann", "left"), ("Bob", "top"), ("Ann", "right")] == seats_told(steps)
    assert [] == seats_told([])


def test_kept_pictures_tell_where_hands_came_from():
    """Those of which that was seen."""
    steps = [
        step(1, photo=0, side="left"),
        step(2, photo=1, side=None),
        step(3, photo=2),
        step(4, side="top"),
        step(5, photo=3, side="bottom"),
    ]

    assert {0: "left", 3: "bottom"} == hands_seen(steps)
