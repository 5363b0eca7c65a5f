"""A pause inside a play: one play or two, weighed by the pause, and asked where it is even."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kibitz.app.observers.board_views import board_view
from kibitz.engine.parameters import with_number
from kibitz.engine.rules import Action, Refused
from kibitz.engine.table import parse_square
from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.evidence.changes import SquareView
from kibitz.engine.tracking.evidence.hypotheses import Capture, Observation
from kibitz.engine.tracking.evidence.priors import PRIORS, TrackingPriors
from kibitz.engine.tracking.explanations.one_or_two import open_ones
from kibitz.engine.tracking.questions import Kind
from tests.app.server_help import board
from tests.helpers.pictured_games import drawn, replay_of
from tests.helpers.seen_boards import tracker, view_of

LIVE = Capture(live=True)
CAT, CATS = board(H8="CAT"), board(H8="CATS")
LATER = board(H8="CATS", v_I8="OW")


def paused(seconds: float, priors: TrackingPriors = PRIORS, **settings: object) -> BoardTracker:
    """CAT was told, and so many seconds later CATS lies there."""
    kept = tracker(priors=priors, **settings)
    kept.update(view_of(board()), LIVE)
    kept.update(view_of(CAT), LIVE)
    kept.update(view_of(CATS), replace(LIVE, pause_s=seconds))
    return kept


def words(kept: BoardTracker) -> list[tuple[str, str]]:
    return [
        (d.verdict.events[0].data["player"], d.verdict.result["words"][0]["word"])
        for d in kept.ledger.done
        if d.entry.action.kind == "place"
    ]


ONE, TWO = [("Ann", "CATS")], [("Ann", "CAT"), ("Bob", "CATS")]


@pytest.mark.parametrize(
    ("seconds", "expected", "asked"),
    [(2.0, ONE, False), (5.0, ONE, True), (9.0, TWO, True), (12.0, TWO, False)],
)
def test_the_shorter_the_pause_the_likelier_one_play(seconds, expected, asked):
    """Around seven seconds it is even, and people are asked."""
    kept = paused(seconds)

    assert expected == words(kept)
    assert asked == (kept.best.findings[-1].question is not None)
    assert asked == bool(open_ones(kept.ledger))


@pytest.mark.parametrize(
    ("seconds", "expected"), [(2.0, ONE), (5.0, ONE), (9.0, TWO), (12.0, TWO)]
)
def test_a_play_that_people_answered_for_may_go_on_too(seconds, expected):
    """After an answer, an undo or a restart the game is taken up again as it is known."""
    kept = tracker()
    kept.update(view_of(board()), LIVE)
    kept.update(view_of(CAT), LIVE)
    kept.restart(kept.ledger, None, kept.photos)
    kept.update(view_of(CATS), replace(LIVE, pause_s=seconds))

    assert expected == words(kept)


@pytest.mark.parametrize("seconds", [5.0, 9.0])
@pytest.mark.parametrize(("value", "expected"), [("Ann: CATS", ONE), ("Ann: CAT, Bob: CATS", TWO)])
def test_the_answer_puts_later_turns_right(seconds, value, expected):
    """Whatever counted meanwhile: the next play changes seats with the answer."""
    kept = paused(seconds)
    choices = kept.best.findings[-1].question.choices
    kept.update(view_of(LATER), LIVE)
    verdict = kept.tell(Action("answer", data={"field": Kind.ONE_PLAY, "value": value}))

    assert {"Ann: CATS", "Ann: CAT, Bob: CATS"} == set(choices)
    assert not isinstance(verdict, Refused)
    later = "Bob" if expected is ONE else "Ann"
    assert [*expected, (later, "COW")] == words(kept)
    assert [] == open_ones(kept.ledger)


def test_the_play_that_counts_now_is_the_first_choice():
    """Two plays after nine seconds."""
    assert "Ann: CAT, Bob: CATS" == paused(9.0).best.findings[-1].question.choices[0]


@pytest.mark.parametrize(
    ("name", "value", "seconds", "expected"),
    [
        ("one_play", 2.5, 6.5, ONE),
        ("one_play", 2.0, 6.5, TWO),
        ("each_second", 0.35, 6.5, ONE),
        ("each_second", 0.45, 6.5, TWO),
    ],
)
def test_what_the_pause_says(name, value, seconds, expected):
    """Two and a half nats for one play, a third of a nat less each second."""
    kept = paused(seconds, with_number(PRIORS, f"people.{name}", value))

    assert expected == words(kept)


@pytest.mark.parametrize(("asked", "expected"), [(1.5, True), (0.75, False)])
def test_how_near_is_even(asked, expected):
    """At four seconds one play leads by 1.1 nats."""
    kept = paused(4.0, with_number(PRIORS, "letters.asked", asked))

    assert expected == bool(open_ones(kept.ledger))


@pytest.mark.parametrize(
    ("pauses", "expected"), [({2: 3.0, 3: 1.5}, 6.5), ({3: 1.5}, None), ({2: 3.0, 3: None}, None)]
)
def test_a_pause_is_counted_from_the_picture_of_the_play(pauses, expected):
    """Over all pictures between; where one of them says nothing of it nobody knows."""
    how, kept = replace(LIVE, pause_s=2.0), tracker()
    observed = Observation(4, view_of(CAT), kept.facts, how=how, pauses=pauses)

    assert (expected, 2.0) == (observed.pause_since(1), observed.pause_since(3))


def test_where_a_clock_is_pressed_the_press_tells():
    """Not pressed: one play, however long it took. Pressed: two, however soon."""
    settings = {"cl.press_clock": True}
    slow = paused(60.0, **settings)
    kept = tracker(**settings)
    kept.update(view_of(board()), LIVE)
    kept.update(view_of(CAT), LIVE)
    kept.tell(Action("press_clock", "Ann"))
    kept.update(view_of(CATS), replace(LIVE, pause_s=1.0))

    assert ([], []) == (open_ones(slow.ledger), open_ones(kept.ledger))
    assert (ONE, TWO) == (words(slow), words(kept))


def test_tiles_in_another_line_are_another_play():
    """COW is no part of CAT, however soon it lies there."""
    kept = tracker()
    kept.update(view_of(board()), LIVE)
    kept.update(view_of(CAT), LIVE)
    kept.update(view_of(board(H8="CAT", v_I8="OW")), replace(LIVE, pause_s=1.5))

    assert [("Ann", "CAT"), ("Bob", "COW")] == words(kept)
    assert [] == open_ones(kept.ledger)


@pytest.mark.parametrize(("seconds", "code"), [(5.0, "unknown_choice"), (2.0, "unknown_question")])
def test_an_answer_that_does_not_fit_is_refused(seconds, code):
    """It says what was expected, or that nothing is asked."""
    verdict = paused(seconds).tell(
        Action("answer", data={"field": Kind.ONE_PLAY, "value": "both"})
    )

    assert isinstance(verdict, Refused)
    assert code == verdict.code


def test_two_tiles_that_change_places_are_still_one_play():
    """Ann lays CTO, and then COT: the same tiles in another order, and no blank besides."""
    kept = tracker()
    kept.update(view_of(board()), LIVE)
    kept.update(view_of(board(H8="CTO")), LIVE)
    kept.update(view_of(board(H8="COT")), replace(LIVE, pause_s=4.0))

    assert [("Ann", "COT")] == words(kept)
    assert {"H8": "C", "H9": "O", "H10": "T"} == {
        s.name: x for s, x in kept.best.findings[-1].laid.items()
    }


@pytest.mark.parametrize(
    ("slug", "last", "seconds", "expected"),
    [
        ("scrabble-house", "F5", 4.0, {"F5", "F6", "F7"}),
        ("scrabbage", "M12", 4.0, {"J12", "K12", "L12", "M12"}),
        ("scrabbage", "I10", 3.0, {"I10"}),
        ("scrabbage", "I10", 0.5, {"I10"}),
    ],
)
def test_a_pause_in_other_games(slug, last, seconds, expected):
    """Facing tiles and a scrab of several tiles go on alike; a tile by itself is a whole turn."""
    seen, square = list(drawn(slug)), parse_square(last)
    views = [board_view(found.reading.boards[0]) for found in seen]
    number = next(i for i, v in enumerate(views) if v[square].shows_tile)
    replay = replay_of(slug)
    for found in seen[:number]:
        replay.see(found)
    kept = replay.tracker
    for told in replay._told:
        if told.before == Path(seen[number].file).name:
            kept.tell(told.action)
    view = views[number]
    bare = SquareView(empty=1.0)
    kept.update(replace(view, squares={**view.squares, square: bare}), LIVE)
    kept.update(view, replace(LIVE, pause_s=seconds, soon=seconds < 1.0))

    newest = kept.ledger.done[-1].entry.action.data
    assert expected == set(newest["tiles"] if "tiles" in newest else {newest["square"]})
    assert (len(expected) > 1) == kept.best.findings[-1].merged
