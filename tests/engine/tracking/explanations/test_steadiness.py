"""Letters that were announced stay: put right once by pictures, then asked about."""

from __future__ import annotations

from itertools import pairwise

import pytest

from kibitz.engine.parameters import with_number
from kibitz.engine.rules import Action, Question
from kibitz.engine.table import parse_square
from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.evidence.changes import SquareView
from kibitz.engine.tracking.evidence.hypotheses import PHOTO, Capture
from kibitz.engine.tracking.evidence.priors import PRIORS, TrackingPriors
from kibitz.engine.tracking.explanations import listed
from kibitz.engine.tracking.explanations.listed import Explanation
from kibitz.engine.tracking.questions import Kind
from tests.app.server_help import board
from tests.helpers.seen_boards import sure, tracker, view_of

LIVE = Capture(live=True)
CAT = board(H8="CAT")
FLIPS = ["B", "R", "R", "B", "B", "R", "R", "B", "B"]
"""What a face that is hard to read looks like, picture by picture."""


def flipping(
    letters: list[str], priors: TrackingPriors = PRIORS, how: Capture = LIVE
) -> tuple[BoardTracker, list[str]]:
    """A table where the tile on H8 looks like one letter after the other; what it counted as."""
    kept = tracker(priors=priors)
    kept.update(view_of(board()), how)
    counted = []
    for letter in letters:
        kept.update(view_of(CAT, {"H8": sure(letter)}), how)
        counted.append(next(t.letter for s, t in kept.lying.tiles.items() if s.name == "H8"))
    return kept, counted


def changes(counted: list[str]) -> int:
    return sum(a != b for a, b in pairwise(counted))


def doubted(share: float, other: str = "B") -> SquareView:
    return SquareView(empty=0.001, tile=0.999, letters={"C": share, other: 1 - share})


RISKY = with_number(PRIORS, "letters.sure", 0.0)
"""Pictures put letters right at the slightest."""


def test_a_letter_changes_once_without_a_person():
    """However the pictures go on."""
    kept, counted = flipping(FLIPS, RISKY)

    assert 1 == changes(counted)
    assert ["H8"] == [q.square for q in kept.letter_questions()]


def test_what_it_wavers_between_is_asked():
    """The letter that counts stands first."""
    kept, counted = flipping(FLIPS, RISKY)
    (question,) = kept.letter_questions()

    assert "The tile on H8 looks like one letter and then another. Which is it?" == question.prompt
    assert ({"B", "R"}, counted[-1]) == (set(question.choices), question.choices[0])


@pytest.mark.parametrize("told", ["LL", "ll", "Ĺ"])
def test_a_tile_of_two_letters_is_asked_about_by_what_stands_on_it(told):
    """CALLE, whose tile LL looks like an R later; its sign in a board's text is taken too."""
    kept = tracker(priors=RISKY, tiles="es")
    kept.update(view_of(board()), LIVE)
    for letter in "ĹRRĹ":
        kept.update(view_of(board(H8="CAĹE"), {"H10": sure(letter)}), LIVE)
    (question,) = kept.letter_questions()
    answer = {"field": "letter", "square": "H10", "value": told}
    kept.tell(Action("answer", data=answer))

    assert ("Is the tile on H10 an R?", ("R", "LL")) == (question.prompt, question.choices)
    assert "CALLE" == kept.ledger.done[0].verdict.result["words"][0]["word"]


def test_an_answer_closes_it():
    """What a person says is not asked again, whatever pictures show."""
    kept, _ = flipping(FLIPS, RISKY)
    told = {"field": "letter", "square": "H8", "value": "R"}
    kept.tell(Action("answer", data=told))
    kept.update(view_of(CAT, {"H8": sure("B")}), LIVE)

    assert [] == kept.letter_questions()
    assert "RAT" == kept.ledger.done[0].verdict.result["words"][0]["word"]


@pytest.mark.parametrize(
    ("how", "counted", "asked"), [(LIVE, "CCC", [("C", "X")]), (PHOTO, "CXX", [])]
)
def test_what_makes_no_word_of_a_word_is_asked(how, counted, asked):
    """XAT is in no list: a letter that was announced in CAT stays until people say otherwise."""
    kept = tracker("default", reject_invalid=False)
    kept.update(view_of(board()), how)
    letters = ""
    for seen in (doubted(0.6, "X"), sure("X"), sure("X")):
        kept.update(view_of(CAT, {"H8": seen}), how)
        letters += kept.lying.tiles[parse_square("H8")].letter

    assert (counted, asked) == (letters, [q.choices for q in kept.letter_questions()])


def test_photographs_may_change_a_letter_whenever_they_show_it():
    """Nobody has heard of it yet: the last line tells how it went."""
    kept, counted = flipping(FLIPS, RISKY, PHOTO)

    assert changes(counted) > 1
    assert [] == kept.letter_questions()


def test_another_tile_on_the_square_is_asked_about_no_more():
    """The one that wavered was taken off."""
    kept, _ = flipping(FLIPS, RISKY)
    kept.update(view_of(board()), LIVE)
    kept.update(view_of(CAT), LIVE)

    assert [] == kept.letter_questions()


@pytest.mark.parametrize(("share", "open_ones"), [(0.85, 1), (0.94, 0)])
def test_a_question_stays_open_until_a_picture_is_sure(share, open_ones):
    """Nine tenths for the letter that counts answer it."""
    kept = tracker("default")
    kept.update(view_of(board()), LIVE)
    kept.update(view_of(CAT, {"H8": doubted(0.6)}), LIVE)
    first = len(kept.letter_questions())
    kept.update(view_of(board(H8="CAT", v_I10="OE"), {"H8": doubted(share)}), LIVE)

    assert (1, open_ones) == (first, len(kept.letter_questions()))


@pytest.mark.parametrize(("letters", "squares"), [("BRR", ["H8"]), ("BRRR", [])])
def test_why_shows_the_letter_that_was_put_right(letters, squares):
    """What its square reads is why the score changed; the next picture changes nothing."""
    kept, counted = flipping(list(letters), RISKY)

    assert "R" == counted[-1]
    assert squares == [one["square"] for one in kept.why()["readings"]]


TURNED = Question(Kind.TILE, "Is it turned over?", ("yes", "no"), "H8")
ASKED_OF_TILE = Explanation(
    Kind.TILE,
    answer=lambda games, _: list(games),
    ask_of_tiles=lambda game, _, __: [(s, TURNED) for s in game.lying.tiles if s.name == "H8"],
)
"""A question about a tile that no answer about its letter ends."""


@pytest.mark.parametrize(
    ("then", "asked"),
    [((), 0), ((CAT,), 0), ((CAT, CAT), 0), ((board(), CAT), 1)],
    ids=["at once", "another picture", "two of them", "lifted and laid anew"],
)
@pytest.mark.parametrize("restarts", [False, True])
def test_an_answer_about_a_tile_holds_while_it_lies_there(monkeypatch, then, asked, restarts):
    """Also one that names no letter, and after a restart."""
    monkeypatch.setattr(listed, "EXPLANATIONS", (*listed.EXPLANATIONS, ASKED_OF_TILE))
    kept, _ = flipping(["C"])
    before = kept.letter_questions()
    kept.tell(Action("answer", data={"field": "tile", "square": "H8", "value": "no"}))
    if restarts:
        known, letters = kept, kept.letters()
        kept = tracker()
        kept.restart(known.ledger, known.lying_rows(), known.photos)
        kept.recall(letters)
    for rows in then:
        kept.update(view_of(rows), LIVE)

    assert ([TURNED], [TURNED] * asked) == (before, kept.letter_questions())
