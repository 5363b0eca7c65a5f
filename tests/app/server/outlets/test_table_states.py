"""How a table stands is followed from its events alone."""

from __future__ import annotations

import pytest

from kibitz.app.server.outlets.table_states import Follow, Standing, follow, state_of

BLANK = {"field": "blank", "square": "H8", "photo": 1, "prompt": "Which letter?"}
TASK = {"task": "lift", "squares": ["H8"]}
MET = {
    "event": "table", "table": "t1", "game": "scrabble", "title": "Scrabble", "seq": 3, "at": 9.0,
    "players": ["Ann", "Bob"], "entries": [], "over": False,
}  # fmt: skip


def play(ann: int, bob: int, index: int = 0, event: str = "play"):
    """A play after which two players stand so."""
    entry = {"scores": {"Ann": ann, "Bob": bob}, "say": ["said"]}
    return {"event": event, "index": index, "entry": entry}


def after(*events, met=MET):
    """What is known after some events at a table."""
    known = follow(None, met)
    for event in events:
        known = follow(known, event)
    return known


def scores(known):
    """How the players stand."""
    return [(s.player, s.score) for s in state_of(known, MET, "s").scores]


def test_nothing_is_known_of_a_table_that_was_not_met():
    """Nor of one that is gone."""
    assert None is follow(None, play(1, 0)) is after({"event": "table_gone"})


def test_a_table_that_was_just_met_stands_as_it_is():
    """With who plays, before anything counts."""
    state = state_of(after(), MET, "kibitz/s")

    assert ("t1", "scrabble", "Scrabble", "kibitz/s", 3, 9.0) == (
        state.table,
        state.game,
        state.title,
        state.server,
        state.seq,
        state.at,
    )
    assert (0, [], [], [], [], [], False) == (
        state.entries,
        state.said,
        state.questions,
        state.tasks,
        state.cameras,
        state.troubles,
        state.over,
    )
    assert [Standing(player=p, score=None) for p in ("Ann", "Bob")] == state.scores


def test_a_table_in_play_is_met_with_what_was_said_last():
    """And with the scores of its newest entry that has some."""
    entries = [play(3, 0)["entry"], {"say": ["Bob passes."]}]
    known = after(met={**MET, "entries": entries, "over": True})

    assert (2, ["Bob passes."], True) == (len(known.entries), list(known.said), known.over)
    assert [("Ann", 3), ("Bob", 0)] == scores(known)


@pytest.mark.parametrize(
    ("events", "count", "standing"),
    [
        ([play(3, 0)], 1, [("Ann", 3), ("Bob", 0)]),
        ([play(3, 0), play(3, 5, 1)], 2, [("Ann", 3), ("Bob", 5)]),
        (
            [play(3, 0), play(3, 5, 1), {"event": "undone", "index": 1}],
            1,
            [("Ann", 3), ("Bob", 0)],
        ),
        ([play(3, 0), {"event": "undone", "index": 0}], 0, [("Ann", None), ("Bob", None)]),
        ([play(3, 0), play(3, 5, 1), play(9, 5, 1, "changed")], 2, [("Ann", 9), ("Bob", 5)]),
        ([play(3, 0), {"event": "action", "index": 1, "entry": {}}], 2, [("Ann", 3), ("Bob", 0)]),
    ],
)
def test_scores_are_those_of_the_newest_entry_that_has_some(events, count, standing):
    """Also after undo and corrections."""
    known = after(*events)

    assert (count, standing) == (len(known.entries), scores(known))


def test_teams_stand_together():
    """Where a game counts for them."""
    entry = {"team_scores": {"Ann+Cyd": 4, "Bob+Dee": 2}}

    assert [("Ann+Cyd", 4), ("Bob+Dee", 2)] == scores(after({"event": "play", "entry": entry}))


@pytest.mark.parametrize(
    ("begins", "ends", "shown"),
    [
        (
            {"event": "question", "question": BLANK},
            {"event": "question_closed", "question": {**BLANK, "choices": []}},
            ("questions", ["Which letter?"]),
        ),
        (
            {"event": "task", "task": TASK},
            {"event": "task_closed", "task": TASK},
            ("tasks", ["lift"]),
        ),
        (
            {"event": "trouble", "code": "full", "message": "Full."},
            {"event": "trouble_over", "code": "full"},
            ("troubles", ["Full."]),
        ),
    ],
)
def test_what_is_open_is_shown_until_it_ends(begins, ends, shown):
    """Questions, tasks, trouble; what begins twice is there once."""
    field, expected = shown
    states = [state_of(after(*x), MET, "s") for x in ((begins,), (begins, begins), (begins, ends))]

    assert [expected, expected, []] == [getattr(state, field) for state in states]


def test_each_camera_has_its_own_trouble():
    """One that is well again is not named any more."""
    events = [
        {"event": "camera_trouble", "camera": n, "code": "gone", "message": f"{n}"} for n in (1, 2)
    ]
    known = after(*events, {"event": "camera_well", "camera": 1})

    assert [(2, "gone", "2")] == [(c.camera, c.code, c.message) for c in known.cameras.values()]


def test_a_game_may_end_and_go_on():
    """What was said last stays until something else is."""
    said = {"event": "said", "lines": ["Ann wins."]}
    over = after(said, {"event": "game_over"})
    on = after(said, {"event": "game_over"}, {"event": "game_on"})

    assert (True, False, ("Ann wins.",)) == (over.over, on.over, on.said)


def test_an_event_of_a_later_version_changes_nothing():
    """Whatever it tells."""
    known = after(play(3, 0))

    assert isinstance(known, Follow)
    assert known == follow(known, {"event": "something_new", "x": 1})
