"""Doubtful letters and the words that they make: what may lie there is weighed as a whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.app.observers.board_views import board_view
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.parameters import with_number
from kibitz.engine.record.ledger import Opening
from kibitz.engine.rules import Action
from kibitz.engine.table import Grid, Tile, parse_square
from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.evidence.changes import BoardView, SquareView, differences
from kibitz.engine.tracking.evidence.hypotheses import PHOTO, Capture
from kibitz.engine.tracking.evidence.interpretation import words_in
from kibitz.engine.tracking.evidence.priors import PRIORS, TrackingPriors
from kibitz.engine.tracking.explanations.letters import as_told
from tests.app.server_help import board
from tests.helpers.pictured_games import drawn, replay_of
from tests.helpers.seen_boards import sure, torn, tracker, view_of

LIVE = Capture(live=True)
FIRST = board(H8="GAIF")
SECOND = board(H8="GAIF", v_H10="IEMPER")


def between(letter: str, other: str, share: float = 0.25) -> SquareView:
    """A tile that looks most like one letter, and a little like another."""
    return SquareView(empty=0.001, tile=0.999, letters={letter: 1 - share, other: share})


DOUBTED = {"H10": between("I", "T", 0.28), "H11": between("F", "E", 0.12)}
"""GATE that looks like GAIF: by a little more than one word outside the list says."""


def words_of(kept: BoardTracker) -> list[str]:
    return [d.verdict.result["words"][0]["word"] for d in kept.ledger.done]


def free(priors: TrackingPriors = PRIORS) -> BoardTracker:
    """A game in which words outside the list may be laid."""
    kept = tracker("default", priors, reject_invalid=False)
    kept.update(view_of(board()), LIVE)
    return kept


def test_a_blank_that_no_letter_makes_a_word_of_is_no_way_round_the_list():
    """CUC is no word, nor is CUC with any letter behind it: the bare square there is bare."""
    kept = tracker("default")
    kept.update(view_of(board(H8="CAT")), LIVE)
    odd = {
        "J8": SquareView(empty=0.001, tile=0.999, letters={"C": 0.997, "P": 0.003}),
        "K8": SquareView(empty=0.964, tile=0.032, letters={"?": 0.994}),
    }
    kept.update(view_of(board(H8="CAT", v_H8="CUC"), odd), LIVE)

    assert ["CAT", "CUP"] == words_of(kept)


def test_a_later_word_puts_letters_right():
    """One word outside the list may have been laid; of two the letters are doubted."""
    kept = free()
    words = []
    for rows in (FIRST, SECOND):
        kept.update(view_of(rows, DOUBTED), LIVE)
        words.append(words_of(kept))

    assert [["GAIF"], ["GATE", "TEMPER"]] == words


def test_clear_letters_stay_whatever_words_they_make():
    """What the reader saw nothing of is read into no tile."""
    kept = free()
    for rows in (board(H8="CAT"), board(H8="CAT", I8="HORT")):
        kept.update(view_of(rows), LIVE)

    assert ["CAT", "HORT"] == words_of(kept)


@pytest.mark.parametrize("attended", [LIVE, PHOTO])
def test_what_a_person_said_stays(attended):
    """Words speak of the other letters alone."""
    kept = free()
    kept.update(view_of(FIRST, DOUBTED), attended)
    for square, letter in (("H10", "I"), ("H11", "F")):
        told = {"field": "letter", "square": square, "value": letter}
        kept.tell(Action("answer", data=told))
    kept.update(view_of(SECOND, DOUBTED), attended)

    assert ["GAIF", "IEMPER"] == words_of(kept)


def test_an_answer_tells_the_other_letters_of_its_word():
    """Also where a correction made the table begin anew with what lies there."""
    kept = free()
    kept.update(view_of(FIRST, DOUBTED), LIVE)
    kept.restart(kept.ledger, None, kept.photos)
    before = words_of(kept)
    kept.tell(Action("answer", data={"field": "letter", "square": "H11", "value": "E"}))

    assert (["GAIF"], ["GATE"]) == (before, words_of(kept))


@pytest.mark.parametrize(("ways", "expected"), [(400, ["PAINTER"]), (1, [])])
def test_several_doubtful_letters_of_a_long_word(ways, expected):
    """Two letters may be the second best at once, and others doubtful beside them."""
    shown = {"P": "B", "A": "R", "I": "L", "M": "N", "T": "Y", "F": "E", "R": "K"}
    views = {
        f"{chr(ord('B') + i)}8": between(x, other, 0.24 if x in "MF" else 0.3)
        for i, (x, other) in enumerate(shown.items())
    }
    kept = tracker(
        "default", with_number(PRIORS, "search.looked_through", ways), reject_invalid=True
    )
    kept.update(view_of(board()), LIVE)
    rows = [list(row) for row in board()]
    for name, x in zip(views, shown, strict=True):
        square = parse_square(name)
        rows[square.row][square.col] = x
    kept.update(view_of(["".join(r) for r in rows], views), LIVE)

    assert expected == words_of(kept)


def test_a_question_is_not_answered_by_the_picture_that_asks_it():
    """A letter that is clear to the reader is asked about for its word's sake, and stays asked."""
    kept = free()
    views = {"H8": between("X", "C", 0.05), "H9": sure("A"), "H10": sure("T")}
    kept.update(view_of(board(H8="XAT"), views), LIVE)

    assert ["H8"] == [q.square for q in kept.letter_questions()]


@pytest.mark.parametrize(("other", "asked"), [(0.002, ["H8"]), (0.0, [])])
def test_a_sure_letter_of_no_word_is_asked_about(other, asked):
    """A worn C may surely look like an X; where nothing else is seen in it, it is one."""
    kept = free()
    shown = between("X", "C", other) if other else sure("X")
    kept.update(view_of(board(H8="XAT"), {"H8": shown}), LIVE)

    assert asked == [q.square for q in kept.letter_questions()]
    assert ["XAT"] == words_of(kept)


@pytest.mark.parametrize(("read", "turned"), [("O", []), ("R", ["H8"])])
def test_how_a_tile_faces_that_was_read_as_an_o_is_not_known(read, turned):
    """People said that it is a D: the turn of the O that was seen says nothing."""
    square, facing = parse_square("H8"), (0.99, 0.0, 0.01, 0.0)
    seen = replace(sure(read), turns=facing)
    view = as_told(BoardView(15, 15, {square: seen}), {square: "D"})
    known = Grid(15, 15, {square: Tile("D", turn=2)})

    assert turned == [s.name for s in differences(view, known, turned=True).turned]


def test_letters_are_asked_about_where_tiles_face_two_players():
    """As on any other board."""
    game = find_game("scrabble-house")
    options = check_options(game.info, {})
    opening = Opening(game, ("South", "North"), options, make_materials("default", "en", options))
    kept = BoardTracker(opening)
    kept.update(view_of(board(v_K8="HOUSE"), {"M8": between("U", "R", 0.4)}), LIVE)

    assert ["M8"] == [q.square for q in kept.letter_questions()]


@pytest.mark.parametrize(("lead", "asked"), [(4.2, ["Is the tile on H9 an I?"]), (4.6, [])])
def test_an_older_tile_is_asked_about_where_a_word_is_doubtful(lead, asked):
    """AI is a word, CAI is none: an I that is not clearly one is asked about."""
    kept = tracker("default", reject_invalid=False)
    kept.update(view_of(board(H8="AI"), {"H9": torn("I", "T", lead)}), LIVE)
    before = kept.letter_questions()
    kept.update(view_of(board(H7="CAI"), {"H9": torn("I", "T", lead)}), LIVE)

    assert asked == [q.prompt for q in kept.letter_questions()]
    assert "CAI" == kept.lying_rows()[7][6:9]
    assert [] == before


def test_what_people_named_is_not_asked_about_again():
    """A word outside the list may be what was laid."""
    kept = tracker("default", reject_invalid=False)
    for rows in (board(H8="AI"), board(H7="CAI")):
        kept.update(view_of(rows, {"H9": torn("I", "T", 2.2)}), LIVE)
    kept.tell(Action("answer", data={"field": "letter", "square": "H9", "value": "I"}))
    kept.update(view_of(board(H7="CAIS"), {"H9": torn("I", "T", 2.2)}), LIVE)

    assert ([], "CAIS") == (kept.letter_questions(), kept.lying_rows()[7][6:10])


@pytest.mark.parametrize(
    ("pictures", "expected"),
    [(5, "TFMPER"), (6, "TEMPER"), (7, "TEMPER"), (10, "DISTEMPER")],
)
def test_what_people_take_off_tells_what_they_read(pictures, expected):
    """TFMPER explodes nothing: who turns and lifts tiles as after TEMPER has read that."""
    kept, square = replay_of("scrabble-house").tracker, parse_square("G6")
    faint = between("F", "E", 0.002)
    for found in list(drawn("scrabble-house"))[:pictures]:
        view = board_view(found.reading.boards[0])
        shown = {square: faint} if view[square].shows_tile else {}
        kept.update(replace(view, squares={**view.squares, **shown}), LIVE)

    words = [w for d in kept.ledger.done for w in words_in(d.verdict)]
    assert expected == words[-1]
