"""What happened between two looks at a table, in an order that can be followed."""

from __future__ import annotations

import pytest

from kibitz.app.wire.events import Known, differences, question_key

PLAY = {"action": "place", "tiles": {"H8": "A"}, "words": [{"word": "AT"}]}
CALLED = {"action": "claim", "words": [{"word": "ROPES"}]}
PASS = {"action": "pass"}
BLANK = {"field": "blank", "square": "H8", "photo": 1, "prompt": "Which letter?"}
NOTHING = Known("scrabble", 0)


def told(before, now, *said):
    """Which events come, in order."""
    return [event["event"] for event in differences(before, now, said)]


def test_where_nothing_happened_nothing_is_told():
    """Also at a table where much is open."""
    full = Known(
        "scrabble", 5, (PLAY,), {"q": BLANK}, {"t": {}}, {"c": "m"}, {0: ("c", "m")}, True
    )

    assert [] == told(NOTHING, NOTHING) == told(full, full)


@pytest.mark.parametrize(("entry", "name"), [(PLAY, "play"), (CALLED, "play"), (PASS, "action")])
def test_what_lays_tiles_or_names_words_is_a_play(entry, name):
    """All else is an action."""
    (event,) = differences(NOTHING, Known("scrabble", 1, (entry,)), ())

    assert {"event": name, "index": 0, "entry": entry} == event


def test_what_was_taken_back_is_told_from_the_last_one_on():
    """So that a list that is kept can follow."""
    before = Known("scrabble", 3, (PLAY, PASS, CALLED))
    events = list(differences(before, Known("scrabble", 4, (PLAY,)), ()))

    assert [("undone", 2), ("undone", 1)] == [(e["event"], e["index"]) for e in events]


def test_a_correction_is_told_at_its_place():
    """Then what follows it; an equal entry that was made anew is none."""
    now = Known("scrabble", 2, ({**PLAY, "score": 3}, dict(PASS), CALLED))
    events = list(differences(Known("scrabble", 1, (PLAY, PASS)), now, ()))

    assert [("changed", 0), ("play", 2)] == [(e["event"], e["index"]) for e in events]


def test_what_happened_comes_before_what_was_said_and_asked():
    """Then tasks, cameras, troubles and the end."""
    now = Known(
        "scrabble", 1, (PLAY,), {"q": BLANK}, {"t": {"kind": "lift"}}, {"full": "The disk is full"},
        {1: ("gone", "went away")}, over=True, standing={"scores": {"Ann": 3}},
    )  # fmt: skip

    assert [
        "play", "said", "question", "task", "camera_trouble", "trouble", "game_over",
    ] == told(NOTHING, now, "Ann plays AT.")  # fmt: skip
    assert [
        "undone", "question_closed", "task_closed", "camera_well",
        "trouble_over", "game_on",
    ] == told(now, NOTHING)  # fmt: skip


@pytest.mark.parametrize(
    ("before", "now", "events"),
    [
        ({}, {0: ("gone", "a")}, ["camera_trouble"]),
        ({0: ("gone", "a")}, {0: ("gone", "b")}, ["camera_trouble"]),
        ({0: ("gone", "a")}, {0: ("gone", "a")}, []),
        ({0: ("gone", "a"), 2: ("dark", "b")}, {2: ("dark", "b")}, ["camera_well"]),
    ],
)
def test_a_camera_is_told_of_when_its_trouble_changes(before, now, events):
    """Also when other words are found for it."""
    first, second = (Known("scrabble", 1, cameras=x) for x in (before, now))

    assert events == told(first, second)


@pytest.mark.parametrize(
    ("change", "same"),
    [({"choices": ["A"]}, True), ({"square": "H9"}, False), ({"field": "letter"}, False)],
)
def test_a_question_is_known_by_what_it_asks(change, same):
    """Its choices may become others."""
    assert same == (question_key(BLANK) == question_key({**BLANK, **change}))


BEGUN = {"scores": {"Ann": 3, "Bob": 0}}


@pytest.mark.parametrize(
    ("entries", "points"),
    [
        ((), [("Ann", None), ("Bob", None)]),
        ((BEGUN,), [("Ann", 3), ("Bob", 0)]),
        ((BEGUN, {"action": "pass"}), [("Ann", 3), ("Bob", 0)]),
        (({"team_scores": {"Ann+Cyd": 4, "Bob+Dee": 2}},), [("Ann+Cyd", 4), ("Bob+Dee", 2)]),
    ],
)
def test_points_are_those_of_the_newest_entry_that_has_some(entries, points):
    """Before that, who plays; where teams are counted, the teams."""
    state = Known("scrabble", 3, entries, players=("Ann", "Bob")).state("t1", 9.0, "kibitz/status")

    assert (len(entries), points) == (state.entries, [(p.player, p.score) for p in state.scores])


def test_a_state_tells_what_is_open():
    """Questions and trouble in words, tasks by their kinds, cameras each with its own trouble."""
    known = Known(
        "scrabble",
        3,
        asked={"x": {"field": "plays", "prompt": "Which ones?"}},
        tasks={"x": {"task": "lift", "squares": ["H8"]}},
        troubles={"full": "Full."},
        cameras={2: ("gone", "No picture.")},
        title="Scrabble",
        said=("Ann wins.",),
        over=True,
    )

    assert {
        "table": "t1",
        "game": "scrabble",
        "title": "Scrabble",
        "server": "kibitz/status",
        "seq": 3,
        "at": 9.0,
        "entries": 0,
        "said": ("Ann wins.",),
        "scores": (),
        "questions": ("Which ones?",),
        "provisional": True,
        "tasks": ("lift",),
        "cameras": ({"code": "gone", "message": "No picture.", "camera": 2},),
        "troubles": ("Full.",),
        "over": True,
    } == known.state("t1", 9.0, "kibitz/status").to_json()
