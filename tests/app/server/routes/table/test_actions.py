"""Secrets at the end of a game: nobody alone brings it about to look, and then takes it back."""

from __future__ import annotations

import pytest

from tests.app.server_help import FLEET, act, board, new_table, state, tell_fleet
from tests.app.tables.test_table import LIVE, Live, asked, doubtful

END = {"action": "no_plays"}
CLEARED = {"action": "answer", "field": "clearing", "value": "the game is over"}
"""What is answered about a board that is being cleared."""


@pytest.fixture
def made(client):
    """A table of ScrabbleShip with Ann's fleet at sea."""
    made = new_table(client, "scrabbleship")
    tell_fleet(client, made)
    return made


def ships_of_ann(client, made, player):
    """What a player's phone is told of Ann's fleet."""
    view = state(client, made, made["seat_tokens"][player]).json()["view"]
    return view.get("fleets", {}).get("Ann", {})


@pytest.mark.parametrize(("told", "then"), [(END, END), (CLEARED, CLEARED), (CLEARED, END)])
def test_one_player_alone_does_not_end_the_game(client, made, told, then):
    """Fleets are shown at the end, so that all must say that no play is possible, or it is over."""
    seats = made["seat_tokens"]
    first = act(client, made, told, seats["Bob"])
    again = act(client, made, told, seats["Bob"])
    seen = ships_of_ann(client, made, "Bob")
    second = act(client, made, then, seats["Ann"])

    assert [first.status_code, again.status_code, second.status_code] == [409, 409, 200]
    assert first.json()["error"] == {
        "code": "not_agreed",
        "message": "Noted. It counts once Ann says so too.",
    }
    assert (seen, len(ships_of_ann(client, made, "Bob"))) == ({}, 5)
    assert state(client, made, seats["Bob"]).json()["over"]


def test_what_happens_in_between_makes_it_void(client, made):
    """After another turn everybody has to say so again."""
    seats = made["seat_tokens"]
    act(client, made, END, seats["Bob"])
    act(client, made, {"action": "pass", "player": "Ann"}, seats["Ann"])

    assert 409 == act(client, made, END, seats["Ann"]).status_code


@pytest.mark.parametrize("told", [END, CLEARED])
def test_the_host_says_it_for_all(client, made, told):
    """At the table's own page one person speaks for everybody."""
    assert 200 == act(client, made, told).status_code


def test_only_the_host_takes_an_end_back_that_showed_secrets(client, made):
    """A phone cannot go on playing with what the end has shown."""
    act(client, made, END)
    seat = act(client, made, {"action": "undo"}, made["seat_tokens"]["Bob"])
    host = act(client, made, {"action": "undo"})

    assert (403, 200) == (seat.status_code, host.status_code)


@pytest.fixture
def ended(session):
    """The last ship of Bob's sinks by CAT or BAT, which its letter on H8 leaves open."""
    sunk = [["Bob", ship] for ship in FLEET if ship != "patrol"]
    at_sea = {"carrier": "O1 O5", "scrabbleship": "N1 N4", "submarine": "M1 M3"}
    at_sea |= {"destroyer": "L1 L3", "patrol": "I8 I9"}
    fleets = {"Ann": FLEET, "Bob": {ship: ends.split() for ship, ends in at_sea.items()}}
    live = Live(session, game="scrabbleship", initial={"fleets": fleets, "sunk": sunk})
    live.table.observe(doubtful(board(v_H8="CAT"), H8="CB"), how=LIVE)
    return live


def told_letter(live, token, value, square="H8"):
    """What somebody says that a tile shows."""
    said = {"action": "answer", "field": "letter", "square": square, "value": value}
    return act(live.client, live.made, said, token).status_code


def test_a_seat_answers_what_is_asked_also_after_the_end(ended):
    """The letter of the last play was in doubt; the end stays."""
    before = (ended.table.over, asked(ended.now))
    answered = told_letter(ended, ended.made["seat_tokens"]["Bob"], "B")

    assert (True, [("letter", ["C", "B"])]) == before
    assert (200, True, []) == (answered, ended.table.over, asked(ended.now))
    assert [("Ann", "BAT")] == ended.words()


@pytest.mark.parametrize(
    ("square", "value", "over"),
    # of a word outside the list nothing is told before it may be challenged; nobody asked for I8
    [("H8", "X", False), ("I8", "O", True)],
)
def test_no_answer_of_a_seat_takes_an_end_back_that_showed_secrets(ended, square, value, over):
    """Nor changes what is not asked, as a correction would; the host may."""
    before = ended.words(), asked(ended.now)
    seat = told_letter(ended, ended.made["seat_tokens"]["Bob"], value, square)
    after = ended.words(), asked(ended.now)
    host = told_letter(ended, None, value, square)

    assert (403, before) == (seat, after)
    assert (200, over) == (host, ended.table.over)


def test_where_nothing_is_secret_one_answer_is_enough(client):
    """Scrabble shows nothing at its end that was hidden: whoever answers first is understood."""
    made = new_table(client)

    assert 200 == act(client, made, CLEARED, made["seat_tokens"]["Bob"]).status_code


@pytest.mark.parametrize(
    ("game", "kind"), [("grabscrab", "end_game"), ("frankenscrabbards", "abandon")]
)
def test_an_end_is_told_for_all(client, game, kind):
    """Whoever presses the button has made no move of their own."""
    made = new_table(client, game)
    act(client, made, {"action": kind}, made["seat_tokens"]["Bob"])
    history = state(client, made, made["host_token"]).json()["history"]

    assert [(kind, None)] == [(entry["action"], entry["player"]) for entry in history]
