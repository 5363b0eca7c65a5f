"""A tile that is another one than it was: told and asked about, never a correction of a play."""

from __future__ import annotations

import pytest

from kibitz.engine.rules import Action
from kibitz.engine.table import parse_square
from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.evidence.hypotheses import PHOTO, Capture
from tests.app.server_help import board
from tests.helpers.seen_boards import sure, tracker, view_of

LIVE = Capture(live=True)
CAT = board(H7="CAT")
COAT = board(H7="CAT", v_H9="TO")


def score(kept: BoardTracker) -> list[int]:
    """What each play scored."""
    results = (d.verdict.result for d in kept.ledger.done)
    return [r["turn_score"] for r in results if "turn_score" in r]


def after(rows: list[str], shown: dict[str, str], first: str = "C") -> BoardTracker:
    """CAT, whose first tile showed as this, and then TO; then two pictures that show others."""
    kept = tracker()
    kept.update(view_of(board()), LIVE)
    for lying in (CAT, COAT):
        kept.update(view_of(lying, {"H7": sure(first)}), LIVE)
    for lying in (COAT, rows):
        now = {"H7": sure(first), **{s: sure(x) for s, x in shown.items()}}
        kept.update(view_of(lying, now), LIVE)
    return kept


@pytest.mark.parametrize(
    ("first", "square", "now", "prompt", "choices"),
    [
        (
            "C",
            "H7",
            "B",
            "The C on H7 is B now. What happened?",
            ("put back", "it stays", "B all along"),
        ),
        (
            "C",
            "H8",
            "?",
            "The A on H8 shows no letter any more. What happened?",
            ("put back", "it stays"),
        ),
        (
            "?",
            "H7",
            "C",
            "The blank on H7 shows C now. What happened?",
            ("still the blank", "it stays", "C all along"),
        ),
    ],
    ids=["exchanged", "face down", "a blank exchanged or written on"],
)
def test_a_tile_that_is_another_one_now_is_asked_about(first, square, now, prompt, choices):
    """Whatever was scored with it stays until people say what happened."""
    before = score(after(COAT, {}, first))
    kept = after(COAT, {square: now}, first)
    (asked,) = kept.letter_questions()

    assert (prompt, choices, square) == (asked.prompt, asked.choices, asked.square)
    assert ("board_changed", before) == (kept.best.findings[-1].status, score(kept))


def test_it_is_seen_beside_a_new_play():
    """The play is scored as the board was; what happened is asked."""
    kept = after(board(H7="CAT", v_H9="TOE"), {"H7": "B"})

    assert ["exchanged"] == [q.field for q in kept.letter_questions()]
    assert (["C", "TO", "TOE"], "play") == (
        [kept.lying.tiles[parse_square("H7")].letter, "TO", "TOE"],
        kept.best.findings[-1].status,
    )


@pytest.mark.parametrize(
    ("answer", "row", "first"),
    [("put back", "CAT", 10), ("it stays", "BAT", 10), ("B all along", "BAT", 10)],
)
def test_what_people_say_of_it(answer, row, first):
    """It counts as it was, from now on as it lies, or was read wrongly from the beginning."""
    kept = after(COAT, {"H7": "B"})
    told = {"field": "exchanged", "square": "H7", "value": answer}
    kept.tell(Action("answer", data=told))
    kept.update(view_of(COAT, {"H7": sure("B")}), LIVE)
    word = kept.ledger.done[0].verdict.result["words"][0]["word"]

    assert [] == kept.letter_questions()
    assert row == kept.lying_rows()[7][6:9]
    assert ("BAT" if answer.startswith("B") else "CAT") == word
    assert first == score(kept)[0]


def test_it_is_asked_about_no_more_once_it_was_put_back():
    """A picture shows it as it was."""
    kept = after(COAT, {"H7": "B"})
    kept.update(view_of(COAT), LIVE)

    assert ([], "CAT") == (kept.letter_questions(), kept.lying_rows()[7][6:9])


def test_one_picture_alone_may_have_shown_a_wrong_letter():
    """It is put right, as a reader is sure and wrong more often than people exchange tiles."""
    kept = tracker()
    for rows, shown in ((board(), {}), (CAT, {"H7": sure("B")}), (COAT, {})):
        kept.update(view_of(rows, shown), LIVE)

    assert ([], "CAT") == (kept.letter_questions(), kept.lying_rows()[7][6:9])


def test_tiles_that_changed_places_were_laid_anew():
    """TAC is laid instead of CAT."""
    kept = tracker()
    for rows in (board(), CAT, CAT, board(H7="TAC")):
        kept.update(view_of(rows), LIVE)

    assert ([], "TAC") == (kept.letter_questions(), kept.lying_rows()[7][6:9])


def test_photographs_tell_what_most_of_them_show():
    """Nobody is there to answer."""
    kept = tracker()
    other = {"H7": sure("B")}
    for rows, views in ((board(), {}), (CAT, {}), (COAT, {}), (COAT, other), (COAT, other)):
        kept.update(view_of(rows, views), PHOTO)

    assert [] == kept.letter_questions()
