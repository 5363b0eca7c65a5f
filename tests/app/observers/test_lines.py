"""The lines of `kibitz replay --json`: what they say of a picture, and what they keep to itself."""

from __future__ import annotations

import pytest

from kibitz.app.observers.lines import (
    entries_of,
    final_line,
    mover_of,
    photo_line,
    play_of,
    public_events,
    question_json,
    spoken_lines,
    state_at,
    status_of,
    task_json,
)
from kibitz.engine.record.ledger import Done, Entry
from kibitz.engine.rules import Accepted, Action, Event, Question, Refused
from kibitz.engine.table import Square
from kibitz.engine.tracking.evidence.hypotheses import Finding, Task
from tests.app.replay_help import replay
from tests.app.server_help import board

CAT, CATS = board(H7="CAT"), board(H7="CATS")
ASKED = Question("letter", "Which letter is it?", ("A", "B"), "H8")
CARD = tuple(Square(3, column) for column in (2, 0, 1))
REFUSED = Refused("gap", "There is a gap.", (Square(7, 6),))


def told(*events: Event) -> Done:
    """Something that was done, and what followed."""
    return Done(Entry(Action("place", "Ann"), 0), Accepted(events), None)


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([], []),
        ([Event("play_made")], ["play_made"]),
        ([Event("_taken_back"), Event("play_made")], ["play_made"]),
        ([Event("rack_drawn", {}, frozenset({"Ann"})), Event("game_over")], ["game_over"]),
    ],
)
def test_only_what_everybody_may_know_is_an_event(events, expected):
    """Neither what one player alone may see, nor a game's own bookkeeping."""
    found = public_events([told(*events)])

    assert expected == [event.kind for event in found]


@pytest.mark.parametrize(
    ("status", "question", "expected"),
    [
        ("no_change", None, "no_change"),
        ("play", None, "play"),
        ("play", ASKED, "question"),
        ("several", ASKED, "several"),
        ("covered", ASKED, "covered"),
    ],
)
def test_a_play_with_an_open_question_is_a_question(status, question, expected):
    """Every other status stays what it is."""
    assert expected == status_of(Finding(1, status, question=question))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (None, None),
        (
            ASKED,
            {
                "field": "letter",
                "square": "H8",
                "prompt": "Which letter is it?",
                "choices": ["A", "B"],
            },
        ),
        (
            Question("whose", "Who?", board=2),
            {"field": "whose", "square": None, "prompt": "Who?", "choices": [], "board": 2},
        ),
    ],
)
def test_a_question_names_its_board_only_where_there_are_two(question, expected):
    """Without a question there is none."""
    assert expected == question_json(question)


@pytest.mark.parametrize(
    ("result", "words"), [({}, None), ({"bad_words": ()}, None), ({"bad_words": ("XQ",)}, ["XQ"])]
)
def test_a_task_of_refused_tiles_says_why(result, words):
    """Its bad words are there where there are some."""
    task = Task("refused", ("H7",), Refused("not_a_word", "No word.", (), result), ("X", "Q"))
    line = task_json(task)

    assert ("not_a_word", "No word.", ["X", "Q"], words) == (
        line["code"],
        line["message"],
        line["read"],
        line.get("words"),
    )


def test_a_task_without_a_refusal_is_its_squares():
    """Nothing was refused, so no reason is given."""
    assert {"task": "lift", "squares": ["H7", "H8"]} == task_json(Task("lift", ("H7", "H8")))


@pytest.mark.parametrize(
    ("finding", "expected"),
    [
        (Finding(1, "no_change"), []),
        (
            Finding(1, "no_change", note="set-up"),
            ["The board is empty again; the game has not begun."],
        ),
        (
            Finding(1, "play", due_cards=(CARD,)),
            ["The strip from D one to D three is still to be laid."],
        ),
        (
            Finding(1, "play", wrong_card=CARD),
            ["A strip lies from D one to D three; no ship was sunk there."],
        ),
        (
            Finding(1, "play", missed=(Square(0, 0), Square(7, 7))),
            ["The last explosion is not cleared up: see to A one, H eight."],
        ),
        (Finding(1, "refused", refused=REFUSED, question=ASKED), ["There is a gap."]),
        (Finding(1, "play", question=ASKED), ["Which letter is it?"]),
    ],
)
def test_what_is_said_of_a_finding(finding, expected):
    """A card's ends in reading order; a refusal instead of the question that goes with it."""
    _, _, run = replay([])

    assert expected == spoken_lines(run.tracker.ledger, (), finding)


def test_before_any_play_nothing_was_done():
    """The state at a picture is then the one that the game began with."""
    _, _, run = replay([board()])
    ledger = run.tracker.ledger

    assert ((), True) == (entries_of(ledger, 0), state_at(ledger, 0) is ledger.start)


def test_a_picture_has_the_state_of_its_own_time():
    """Later plays do not count for an earlier picture."""
    _, _, run = replay([board(), CAT, CATS])
    best = run.tracker.best

    assert ["Ann", "Bob", "Ann"] == [mover_of(best, photo) for photo in range(3)]


def test_a_play_has_the_tiles_words_and_score_of_its_picture():
    """A picture that shows nothing new has no play."""
    _, _, run = replay([board(), CAT, CAT, CATS])
    found = [play_of(run.tracker.best, photo) for photo in range(4)]

    assert [None, ("Ann", "CAT"), None, ("Bob", "CATS")] == [
        play and (play["player"], play["words"][0]["word"]) for play in found
    ]
    assert {"H10": "S"} == found[3]["tiles"]


def test_a_refused_word_is_a_play_that_is_not_legal(tmp_path):
    """It is whose turn it is, with the words that are in no list, and scores nothing."""
    words = tmp_path / "words.txt"
    words.write_text("CATS\n")
    (line,), _, run = replay([board(H7="CAT")], lexicon=str(words), reject_invalid=True)

    assert ("Ann", False, [{"word": "CAT"}], None) == tuple(
        line["play"][name] for name in ("player", "legal", "words", "turn_score")
    )
    assert "not_a_word" == photo_line("1.jpg", run.tracker, 0)["refused"]["code"]


@pytest.mark.parametrize(
    ("told_before", "expected"),
    [(None, []), ({"player": "Ann"}, ["put right by later photographs"])],
)
def test_a_play_that_later_pictures_took_back_is_still_listed(told_before, expected):
    """Where the picture's own line named a play and none is known now, a note says so."""
    _, _, run = replay([board()])
    last = final_line(["1.jpg"], run.tracker.best, [{"play": told_before}])

    assert expected == [play["note"] for play in last["final"]["plays"]]
