"""Who sits where: learnt from the first turns, corrected by people, evidence of whose turn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Opening, player_of
from kibitz.engine.rules import Action
from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.evidence.hypotheses import Capture, Seats, around, sides_of
from kibitz.engine.tracking.evidence.priors import PRIORS
from kibitz.engine.tracking.explanations.take_backs import open_ones
from kibitz.engine.tracking.loose_tracker import LooseTracker
from tests.app.server_help import board
from tests.helpers.seen_boards import tracker, view_of

LIVE = Capture(live=True)
BOARDS = [
    board(H8="CAT"),
    board(H8="CAT", v_I8="OW"),
    board(H8="CAT", v_I8="OW", J9="E"),
    board(H8="CAT", v_I8="OW", J9="EB"),
]
KNOWN = Seats({("Ann", "bottom"): 2, ("Bob", "top"): 2})
PEOPLE = PRIORS.people


def from_side(side: str | None, **more: float) -> Capture:
    return replace(LIVE, side=side, **more)


def test_seats_are_learnt_from_the_first_turns():
    """After two plays of each it is known where they sit."""
    kept = tracker()
    kept.update(view_of(board()), LIVE)
    for rows, side in zip(BOARDS, ["bottom", "top", "bottom", "top"], strict=True):
        kept.update(view_of(rows), from_side(side))

    assert ("bottom", "top") == (kept.seats.side_of("Ann"), kept.seats.side_of("Bob"))


@pytest.mark.parametrize(
    ("left", "top", "expected"),
    [(1, 0, None), (2, 0, "left"), (2, 1, None), (3, 1, "left"), (4, 3, None)],
)
def test_how_many_plays_tell(left, top, expected):
    """Two more from one side than from others."""
    seats = Seats({("Ann", "left"): left, ("Ann", "top"): top})

    assert expected == seats.side_of("Ann")


def test_what_people_say_counts():
    """One tap: Ann sits at the left, and Bob no longer where Ann was thought to sit."""
    seats = KNOWN.with_told("Ann", "top")

    assert ("top", None) == (seats.side_of("Ann"), seats.side_of("Bob"))


@pytest.mark.parametrize(
    ("side", "player", "expected"),
    [
        ("bottom", "Ann", 3.0),
        ("top", "Ann", -3.0),
        ("top", "Cyd", -3.0),
        ("left", "Cyd", 0.0),
        (None, "Ann", 0.0),
    ],
)
def test_what_a_hand_says(side, player, expected):
    """Three nats for the player who sits there, three against one who sits elsewhere."""
    assert expected == KNOWN.says(side, player)


def extended(side: str | None) -> BoardTracker:
    """CATS lies there seven seconds after CAT, laid from a side."""
    kept = tracker()
    kept.sit(KNOWN)
    kept.update(view_of(board()), LIVE)
    kept.update(view_of(board(H8="CAT")), LIVE)
    kept.update(view_of(board(H8="CATS")), from_side(side, pause_s=7.0))
    return kept


@pytest.mark.parametrize(("side", "plays"), [("bottom", 1), ("top", 2)])
def test_one_play_or_two_by_the_hand(side, plays):
    """From the same side it is one play, from the other side two; nobody is asked."""
    kept = extended(side)

    assert plays == len(kept.ledger.done)
    assert kept.best.findings[-1].question is None


@pytest.mark.parametrize(("side", "mover"), [("bottom", "Ann"), ("top", "Bob")])
def test_whose_hand_laid_the_next_play(side, mover):
    """CATS was taken off: the next play's hand says whose turn it was, and answers the question."""
    kept = tracker(reject_invalid=False)
    kept.sit(KNOWN)
    for rows in (board(), board(H8="CAT"), board(H8="CATS"), board(H8="CAT")):
        kept.update(view_of(rows), LIVE)
    kept.update(view_of(board(H8="CAT", v_I8="OW")), from_side(side))

    assert mover == player_of(kept.ledger.done[-1])
    assert [] == open_ones(kept.ledger)


def test_nobody_is_taken_for_the_owner_of_a_side_where_two_sit():
    """A side tells only where one player sits there."""
    seats = replace(KNOWN, told={}, seen={**KNOWN.seen, ("Cyd", "top"): 5})

    assert (None, "Ann") == (
        seats.owner_of("top", ("Ann", "Bob", "Cyd"), PEOPLE),
        seats.owner_of("bottom", ("Ann", "Bob", "Cyd"), PEOPLE),
    )


def test_one_play_is_enough_to_tell_another_hand():
    """Ann's only play came from below: a hand from above is not hers, one from below likely is."""
    seats = Seats({("Ann", "bottom"): 1})

    assert (-3.0, 1.5) == (seats.says("top", "Ann"), seats.says("bottom", "Ann"))


def test_a_side_from_which_two_players_reached_tells_nothing():
    """Ann and Bob both laid a play from below."""
    seats = Seats({("Ann", "bottom"): 1, ("Bob", "bottom"): 1})

    assert (0.0, 0.0) == (seats.says("bottom", "Ann"), seats.says("bottom", "Bob"))


@pytest.mark.parametrize(("side", "expected"), [("bottom", 3.0), ("top", 0.0), ("left", 0.0)])
def test_once_somebody_reached_over_no_hand_speaks_against_a_player(side, expected):
    """People said that a hand from elsewhere was its player's: the own side still tells."""
    assert expected == replace(KNOWN, reaching=True).says(side, "Ann")


def test_every_game_is_weighed_by_the_hand():
    """Bob's word goes on after nine seconds; Ann's next play through that tile takes none of it."""
    kept = tracker()
    kept.update(view_of(board()), LIVE)
    for rows, side in zip(BOARDS, ["bottom", "top", "bottom", "top"], strict=True):
        kept.update(view_of(rows), from_side(side))
    ebb = board(H8="CAT", v_I8="OW", J9="EBB")
    kept.update(view_of(ebb), from_side("top", pause_s=9.0))
    kept.update(
        view_of(board(H8="CAT", v_I8="OW", J9="EBB", v_K11="E")), from_side("bottom", pause_s=3.5)
    )
    plays = [
        (player_of(d), "".join(d.entry.action.data["tiles"].values())) for d in kept.ledger.done
    ]

    assert [("Bob", "BB"), ("Ann", "E")] == plays[-2:]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({}, ("Ann", "Bob", "Cyd", "Dan")),
        ({"Ann": "top"}, ("Cyd", "Bob", "Ann", "Dan")),
        ({"Ann": "top", "Cyd": "right"}, ("Dan", "Bob", "Ann", "Cyd")),
        ({"Eve": "top"}, ("Ann", "Bob", "Cyd", "Dan")),
    ],
)
def test_round_a_table(told, expected):
    """Who is told to sit elsewhere takes that place; the others stay if they can."""
    assert expected == around(("Ann", "Bob", "Cyd", "Dan"), Seats(told=told))


@pytest.mark.parametrize(
    ("players", "sides"),
    [(2, ("bottom", "top")), (3, ()), (4, ("bottom", "left", "top", "right"))],
)
def test_a_side_for_each(players, sides):
    """Three players have none of their own."""
    names = ("Ann", "Bob", "Cyd", "Dan")[:players]

    assert sides == sides_of(players)
    assert names == around(names, Seats())


def test_words_that_only_pictures_showed_are_of_who_sits_before_them():
    """Ann is told to sit at the top: the word there is hers; a claim that was told stays."""
    players = ("Ann", "Bob")
    start = {"pool": "TRAINHOUSE", "face_down": 3, "words": {"Ann": [], "Bob": []}}
    game = find_game("grabscrab")
    options = check_options(game.info, {})
    opening = Opening(game, players, options, make_materials("default", "en", options), start)
    loose = LooseTracker(opening)
    loose._add(Action("claim", "Bob", None, {"word": "TRAIN"}))
    loose.tell(Action("claim", "Bob", None, {"word": "HOUSE"}))
    loose.sit(Seats(told={"Ann": "top"}))

    assert {"Ann": ["TRAIN"], "Bob": ["HOUSE"]} == {
        p: list(w) for p, w in loose.ledger.game.view(loose.ledger.state, None)["words"].items()
    }


@pytest.mark.parametrize(("side", "expected"), [("bottom", 3.0), ("top", -3.0), (None, 0.0)])
def test_what_a_hand_says_of_who_played(side, expected):
    """From the own side it speaks for a player, from another's as much against."""
    assert expected == KNOWN.says(side, "Ann")
