"""A board that is being cleared: asked about once, with all scores kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.engine.games.scrabble.rules import Scrabble
from kibitz.engine.parameters import with_number
from kibitz.engine.rules import Action, Refused
from kibitz.engine.table import parse_square
from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.evidence.changes import SquareView
from kibitz.engine.tracking.evidence.hypotheses import PHOTO, Capture
from kibitz.engine.tracking.evidence.priors import PRIORS
from kibitz.engine.tracking.explanations.take_backs import GOES_ON, OVER
from kibitz.engine.tracking.questions import Kind
from tests.app.server_help import board
from tests.helpers.seen_boards import leaning, tracker, view_of

LIVE = Capture(live=True)
GAME = [board(), board(H8="CAT"), board(H8="CAT", v_I8="OW"), board(H8="CATHORT", v_I8="OW")]


def without(rows: list[str], *squares: str) -> list[str]:
    """A board with some tiles gone."""
    out = [list(row) for row in rows]
    for name in squares:
        row, col = parse_square(name)
        out[row][col] = "."
    return ["".join(row) for row in out]


ROW = ["H8", "H9", "H10", "H11", "H12", "H13", "H14"]


def played() -> BoardTracker:
    kept = tracker()
    for rows in GAME:
        kept.update(view_of(rows), LIVE)
    return kept


def scores(kept: BoardTracker) -> dict[str, int]:
    return dict(kept.ledger.state.scores)


@pytest.mark.parametrize(
    "pictures",
    [
        [GAME[-1][:], without(GAME[-1], *ROW), board()],
        # the last play first, which looks like one taken back
        [without(GAME[-1], *ROW[3:]), without(GAME[-1], *ROW), board()],
        [without(GAME[-1], *ROW[:2], *ROW[3:]), without(GAME[-1], *ROW), board()],
        # then the whole play before it and more
        [without(GAME[-1], *ROW[3:]), without(GAME[-1], "I8", "J8", "H10", *ROW[3:]), board()],
        [without(GAME[-1], "I8", "J8", *ROW[:3])[:], board()],
        [board()],
    ],
)
def test_a_board_that_is_cleared_is_asked_about_once(pictures):
    """However the tiles go, no score changes and there is one question."""
    kept = played()
    before = scores(kept)
    found = [kept.update(view_of(rows), LIVE) for rows in pictures]

    asked = [f.question.prompt for f in found if f.question is not None]
    assert ["The board is being cleared: is the game over?"] == asked
    assert before == scores(kept)
    assert 3 == len(kept.ledger.done)


def test_a_board_that_is_cleared_leaves_one_game():
    """A tile that hardly shows may have been one; once all is put away that is past."""
    kept = tracker()
    for rows in GAME[:-1]:
        kept.update(view_of(rows), LIVE)
    kept.update(view_of(GAME[-1], {"G8": leaning("S", -3.0)}), LIVE)
    before = {len(h.lying.tiles) for h in kept.hypotheses}
    kept.update(view_of(board()), LIVE)

    assert {8, 9, 10} == before
    assert {9} == {len(h.lying.tiles) for h in kept.hypotheses}


def test_a_tile_that_hardly_showed_is_put_away_with_its_play():
    """It was counted; that it can hardly be seen as the board is cleared changes nothing."""
    kept = tracker()
    for rows in GAME[:-1]:
        kept.update(view_of(rows), LIVE)
    kept.update(view_of(GAME[-1], {"H15": leaning("S", 0.5)}), LIVE)
    before = kept.ledger.done
    kept.update(view_of(board(), {"H15": leaning("S", -2.5)}), LIVE)

    assert "S" == before[-1].entry.action.data["tiles"].get("H15")
    assert before == kept.ledger.done


def test_the_last_play_alone_is_a_take_back():
    """Nothing else is gone."""
    kept = played()
    finding = kept.update(view_of(without(GAME[-1], *ROW[3:])), LIVE)

    assert ("taken_back", 4) == (finding.status, len(kept.ledger.done))


def test_two_older_tiles_gone_are_a_disturbed_board():
    """Fewer than four: somebody knocked against them."""
    kept = played()
    finding = kept.update(view_of(without(GAME[-1], "I8", "J8")), LIVE)

    assert ("board_changed", "board_changed") == (finding.status, finding.question.field)


@pytest.mark.parametrize(("least", "field"), [(4, Kind.CLEARING), (8, "board_changed")])
def test_how_many_tiles_are_a_cleared_board(least, field):
    """Four older tiles gone; the last play still lies there."""
    kept = tracker(priors=with_number(PRIORS, "people.cleared_tiles", least))
    for rows in GAME:
        kept.update(view_of(rows), LIVE)
    finding = kept.update(view_of(without(GAME[-1], "I8", "J8", "H8", "H9")), LIVE)

    assert field == finding.question.field


def test_a_board_that_is_cleared_from_the_last_plays_end():
    """Three older tiles and one of the last play are gone: that was no shorter play."""
    kept = played()
    before = kept.ledger.done
    finding = kept.update(view_of(without(GAME[-1], "I8", "J8", "H8", "H14")), LIVE)

    assert (Kind.CLEARING, before) == (finding.question.field, kept.ledger.done)


@pytest.mark.parametrize(("lead", "status"), [(3.0, "taken_back"), (4.0, "board_changed")])
def test_an_older_tile_that_seems_gone_too(lead, status):
    """Seven nats against a cleared board, half of it against a take-back: the other half must say that."""
    kept = played()
    dim = {"I8": leaning("O", -lead)}
    finding = kept.update(view_of(without(GAME[-1], *ROW[3:]), dim), LIVE)

    assert status == finding.status


@pytest.mark.parametrize(
    ("word", "status"), [("CATHODE", "board_changed"), ("CATHORT", "taken_back")]
)
def test_a_play_of_no_word_is_taken_back_sooner(word, status):
    """Its word spoke against it as it lay; once it is taken up that counts no more."""
    kept = tracker("default", reject_invalid=False)
    whole = board(H8=word, v_I8="OW")
    for rows in (*GAME[:-1], whole):
        kept.update(view_of(rows), LIVE)
    finding = kept.update(view_of(without(whole, *ROW[3:]), {"I8": leaning("O", -4.0)}), LIVE)

    assert status == finding.status


def test_tiles_laid_back_go_on():
    """After an accident the game goes on as if nothing had been."""
    kept = played()
    kept.update(view_of(board()), LIVE)
    kept.tell(Action("answer", data={"field": Kind.CLEARING, "value": GOES_ON}))
    kept.update(view_of(GAME[-1]), LIVE)
    finding = kept.update(view_of(board(H8="CATHORT", v_I8="OWL")), LIVE)

    assert ("play", 4) == (finding.status, len(kept.ledger.done))


def test_plays_beside_what_is_gone_count():
    """Once people say that the game goes on, it does: also where tiles are not laid back."""
    kept = played()
    gone = ROW[1:]
    kept.update(view_of(without(GAME[-1], *gone)), LIVE)
    kept.tell(Action("answer", data={"field": Kind.CLEARING, "value": GOES_ON}))
    finding = kept.update(view_of(without(board(H8="CATHORT", v_I8="OWL"), *gone)), LIVE)
    left = {s.name for s in kept.lying.tiles}
    kept.update(view_of(board(H8="CATHORT", v_I8="OWL")), LIVE)

    assert ("play", 4) == (finding.status, len(kept.ledger.done))
    assert (set(gone), set()) == (set(ROW) - left, set(ROW) - {s.name for s in kept.lying.tiles})


def test_the_game_goes_on_as_it_was_told_when_a_card_shows_under_its_last_play():
    """A ship card that a tile lay on leaves open whether it went; the others of its play did."""
    kept = played()
    card = SquareView(empty=0.001, tile=0.0, marker=0.999)
    last = ROW[3:]
    kept.update(view_of(without(GAME[-1], "I8", *last), {last[0]: card}), LIVE)

    assert "board_changed" == kept.best.findings[-1].status
    assert set(last[1:]) | {"I8"} == {s.name for s in kept.best.clearing}


def test_the_answer_ends_the_game():
    """The scores are those that it had."""
    kept = played()
    before = scores(kept)
    kept.update(view_of(board()), LIVE)
    verdict = kept.tell(Action("answer", data={"field": Kind.CLEARING, "value": OVER}))

    assert not isinstance(verdict, Refused)
    assert (True, before) == (kept.ledger.state.over, scores(kept))


def test_a_game_that_has_no_such_end_is_asked_about_no_more():
    """The record stays as it is, and whatever else is put away says nothing."""
    scrabble = Scrabble()
    scrabble.info = replace(scrabble.info, end_action=None)
    kept = BoardTracker(replace(played().ledger.opening, game=scrabble))
    for rows in GAME:
        kept.update(view_of(rows), LIVE)
    before = kept.ledger.done
    kept.update(view_of(without(GAME[-1], *ROW)), LIVE)
    verdict = kept.tell(Action("answer", data={"field": Kind.CLEARING, "value": OVER}))
    finding = kept.update(view_of(board()), LIVE)

    assert not isinstance(verdict, Refused)
    assert ("no_change", None, before) == (finding.status, finding.question, kept.ledger.done)


def test_whoever_tells_the_end_first_is_understood():
    """Then the board is put away, and nothing is asked or taken back."""
    kept = played()
    kept.tell(Action("end_game"))
    before = scores(kept)
    found = [kept.update(view_of(rows), LIVE) for rows in (without(GAME[-1], *ROW[3:]), board())]

    assert [("no_change", None)] * 2 == [(f.status, f.question) for f in found]
    assert before == scores(kept)


def test_another_answer_is_refused():
    """It says what was expected."""
    verdict = played().tell(Action("answer", data={"field": Kind.CLEARING, "value": "maybe"}))

    assert isinstance(verdict, Refused)
    assert ("unknown_choice", True) == (verdict.code, OVER in verdict.message)


def test_photographs_are_judged_as_before():
    """There a board without its last plays is only another board."""
    kept = tracker()
    for rows in GAME:
        kept.update(view_of(rows), PHOTO)
    finding = kept.update(view_of(without(GAME[-1], *ROW[:2])), PHOTO)

    assert "board_changed" == finding.question.field


def test_a_tile_that_is_put_away_keeps_its_letter():
    """The square that it leaves looks like a blank's face; nothing is read off it any more."""
    kept = tracker()
    kept.update(view_of(board()), LIVE)
    kept.update(view_of(board(H8="CAT")), LIVE)
    kept.tell(Action("end_game"))
    bare = SquareView(empty=0.999, letters={"?": 0.98, "T": 0.001})
    for _ in range(4):
        kept.update(view_of(board(H8="CA"), {"H10": bare}), LIVE)

    assert "CAT" == kept.ledger.done[0].verdict.result["words"][0]["word"]
    assert {"H8": "C", "H9": "A", "H10": "T"} == kept.ledger.done[0].entry.action.data["tiles"]


def test_a_bare_square_says_nothing_of_the_letter_that_lay_there():
    """A board that is being cleared shows many; no word is put right by them."""
    kept = played()
    bare = SquareView(empty=0.999, tile=0.001, letters={"?": 0.98, "O": 0.001})
    for _ in range(3):
        kept.update(view_of(without(GAME[-1], "I8", *ROW), {"I8": bare}), LIVE)

    assert "OW" == GAME[-1][8][7] + GAME[-1][9][7]
    assert ["O", "W"] == [kept.lying.tiles[parse_square(s)].letter for s in ("I8", "J8")]
