"""A play that comes from another player's side is asked about, seen through HTTP."""

from __future__ import annotations

import pytest

from kibitz.app.tables.registry import Tables
from tests.app.server_help import act, board, make_session
from tests.app.tables.test_table import WORDS, Live, asked, from_side

WEB = {"v_H8": "COW", "J9": "EB"}
LATER = [
    board(H8="CATS", **WEB),
    board(H8="CATS", v_H11="SO", **WEB),
    board(H8="CATS", v_H11="SO", I11="ON", **WEB),
]
"""The plays after those that told who sits where."""


@pytest.fixture
def session(tmp_path):
    """A server that reads text pictures."""
    session = make_session(tmp_path)
    yield session
    session.close()


def seated(session, **more):
    """Two plays of each: it is known that Ann sits at the bottom and Bob at the top."""
    live = Live(session, **more)
    for rows, side in zip(WORDS, ["bottom", "top", "bottom", "top"], strict=True):
        from_side(live, rows, side)
    return live


def movers(live):
    """Who did what, in order, after the plays that told the seats."""
    return [(e["player"], e["action"]) for e in live.now["history"]][4:]


def test_a_play_from_another_side_is_booked_and_asked_about(session):
    """It is Ann's by the rules and said at once; it tells of no seat before the answer."""
    live = seated(session)
    before = live.table.tracker.known_seats
    from_side(live, LATER[0], "top")
    now = live.now

    assert [("Ann", "place")] == movers(live)
    assert ["Ann plays CATS.", "CATS was laid from Bob's side. Who played it?"] == [
        x for x in now["said"][-1]["lines"] if "plays" in x or "?" in x
    ]
    assert [("whose", ["Ann", "Bob"])] == asked(now)
    assert None is now["questions"][0]["player"]
    assert before == live.table.tracker.known_seats


def test_the_answer_puts_later_turns_right(session):
    """Ann had passed: the play was Bob's, and the next one is Ann's."""
    live = seated(session)
    from_side(live, LATER[0], "top")
    from_side(live, LATER[1], "bottom")
    booked = movers(live)
    done = live.answer(live.now["questions"][0], "Bob")

    assert [("Ann", "place"), ("Bob", "place")] == booked
    assert 200 == done.status_code
    assert [("Ann", "pass"), ("Bob", "place"), ("Ann", "place")] == movers(live)
    assert "Bob plays CATS." in done.json()["say"]
    assert ([], 3, 3) == (
        live.now["questions"],
        live.table.tracker.known_seats.seen["Ann", "bottom"],
        live.table.tracker.known_seats.seen["Bob", "top"],
    )


def test_of_three_players_two_may_have_passed(session):
    """Everybody between the rules' player and who played has passed; the next one follows."""
    live = Live(session, players=["Ann", "Bob", "Cyd"])
    sides = ["bottom", "left", "top", "bottom", "left", "top", "top"]
    for rows, side in zip([*WORDS, *LATER], sides, strict=True):
        from_side(live, rows, side)
    (question,) = live.now["questions"]
    live.answer(question, "Cyd")

    assert ["Ann", "Cyd"] == question["choices"]
    assert [("Ann", "pass"), ("Bob", "pass"), ("Cyd", "place")] == movers(live)[2:]
    assert "Ann" == live.now["view"]["to_move"]


def test_who_reaches_over_is_asked_about_once(session):
    """It was Ann: nothing changes, her hand is learnt, and no later hand is asked about."""
    live = seated(session)
    from_side(live, LATER[0], "top")
    done = live.answer(live.now["questions"][0], "Ann")
    from_side(live, LATER[1], "bottom")

    assert (200, []) == (done.status_code, done.json()["say"])
    assert [("Ann", "place"), ("Bob", "place")] == movers(live)
    assert [] == live.now["questions"]
    assert 1 == live.table.tracker.known_seats.seen["Ann", "top"]


def test_only_one_play_waits_to_be_told(session):
    """Until it is answered no other hand is asked about."""
    live = seated(session)
    for rows, side in zip(LATER, ["top", "bottom", "top"], strict=True):
        from_side(live, rows, side)

    assert ["CATS was laid from Bob's side. Who played it?"] == [
        q["prompt"] for q in live.now["questions"]
    ]


def test_what_a_player_tells_next_answers_it(session):
    """Bob passes, so Ann had played; her hand is learnt, and nobody is asked any more."""
    live = seated(session)
    from_side(live, LATER[0], "top")
    act(live.client, live.made, {"action": "pass", "player": "Bob"})

    assert [] == live.now["questions"]
    assert [("Ann", "place"), ("Bob", "pass")] == movers(live)
    assert 1 == live.table.tracker.known_seats.seen["Ann", "top"]


@pytest.mark.parametrize("answered", [False, True])
def test_it_is_still_known_after_a_restart(session, answered):
    """The record holds the question, and that it was answered."""
    live = seated(session)
    from_side(live, LATER[0], "top")
    if answered:
        live.answer(live.now["questions"][0], "Ann")
    live.table = Tables(session.tables.storage).get(live.made["table"])
    open_before = [q["field"] for q in live.table.questions()]
    from_side(live, LATER[1], "bottom")

    expected = [] if answered else ["whose"]
    assert expected == open_before
    assert expected == [q["field"] for q in live.table.questions()]


def test_an_answer_undone_is_asked_again(session):
    """Undo opens the question; undo again takes the play and its question back."""
    live = seated(session)
    from_side(live, LATER[0], "top")
    live.answer(live.now["questions"][0], "Bob")
    act(live.client, live.made, {"action": "undo"})
    once = asked(live.now)
    act(live.client, live.made, {"action": "undo"})

    assert ([("whose", ["Ann", "Bob"])], []) == (once, asked(live.now))


@pytest.mark.parametrize(
    ("player", "then", "reaching"),
    [
        ("Ann", [("Ann", "place")], True),
        ("Bob", [("Ann", "pass"), ("Bob", "place")], False),
    ],
)
def test_who_is_said_to_have_played_is_asked_no_more(session, player, then, reaching):
    """What the history is told to be answers the question too: whether somebody reached over."""
    live = seated(session)
    from_side(live, LATER[0], "top")
    act(live.client, live.made, {"action": "correct", "entry": 4, "player": player})

    assert [] == live.now["questions"]
    assert then == movers(live)
    assert reaching == live.table.tracker.known_seats.reaching


@pytest.mark.parametrize(
    "sides",
    [
        ["bottom", "top", "bottom", "top", "bottom"],
        ["bottom", "top", "bottom", "top", "left"],
        ["bottom", "top", "bottom", "top", None],
        ["bottom", None, "bottom", None, "top"],
        [None, "top", None, "top", "top"],
    ],
)
def test_where_nothing_is_asked(session, sides):
    """The own side, one where nobody sits, no side, Bob's seat unknown, nothing of Ann's known."""
    live = Live(session)
    for rows, side in zip([*WORDS, LATER[0]], sides, strict=True):
        from_side(live, rows, side)

    assert [] == live.now["questions"]
    assert [("Ann", "place")] == movers(live)


@pytest.mark.parametrize(
    "sides",
    [
        ["bottom", "bottom", "bottom", "bottom", "bottom"],
        ["bottom", "top", "top", "top", "bottom", "top", "top"],
    ],
)
def test_hands_that_contradict_turns_are_not_asked_about(session, sides):
    """Both sit at one side, or a hand was near: the turns count, and that is said once."""
    live = Live(session)
    for rows, side in zip([*WORDS, *LATER], sides, strict=False):
        from_side(live, rows, side)
    lines = [line for said in live.now["said"] for line in said["lines"]]

    assert [] == live.now["questions"]
    assert [1] == [lines.count(x) for x in set(lines) if x.startswith("Several players lay")]


def test_one_hand_from_elsewhere_is_enough_to_ask(session):
    """Bob sits at the top; Ann's only hand so far came from the bottom, this one does not."""
    live = Live(session)
    sides = [None, "top", "bottom", "top", "top"]
    for rows, side in zip([*WORDS, LATER[0]], sides, strict=True):
        from_side(live, rows, side)

    assert [("whose", ["Ann", "Bob"])] == asked(live.now)


def test_a_clock_tells_who_played(session):
    """Who presses has played: nothing is asked of any hand."""
    live = Live(session, settings={"cl.press_clock": True})
    for rows, side in zip(
        [*WORDS, *LATER[:2]], ["bottom", "top", "bottom", "top", "top", "bottom"], strict=True
    ):
        from_side(live, rows, side)
        act(live.client, live.made, {"action": "press_clock"})

    assert [] == live.now["questions"]
