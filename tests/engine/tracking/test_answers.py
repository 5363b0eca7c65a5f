"""What people answer is evidence: explanations of the pictures that agree with it live on."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.app.common.storage.tables import Storage
from kibitz.app.observers.board_views import board_view
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.app.tables.why import changes_of
from kibitz.engine.rules import Action
from kibitz.engine.table import square_named
from kibitz.engine.tracking.evidence.changes import fit, seen_tile
from kibitz.engine.tracking.evidence.hypotheses import Capture
from kibitz.engine.tracking.evidence.priors import PRIORS
from kibitz.engine.tracking.explanations.letters import with_letters
from kibitz.vision.readings import EMPTY_KIND, TILE_KIND
from tests.app.server_help import LETTERS, board
from tests.helpers.fake_readings import reading_of_rows
from tests.helpers.seen_boards import tracker

HOST = Actor("host")
LIVE = Capture(live=True)
FACE, MAYBE = square_named("H7"), square_named("H10")
COW = board(H7="CATS", v_H7="COW")


def shown(rows, letters=None, maybe=1.0, at=MAYBE):
    """A picture of a board: H7 shows these letters so clearly, a tile lies at H10 so surely."""
    reading = reading_of_rows(rows, LETTERS)
    (one,) = reading.boards
    for letter, chance in (letters or {}).items():
        faces = one.letter_log_prob[FACE.row, FACE.col]
        if letter == next(iter(letters)):
            faces[:] = np.log(1e-4)
        faces[[*LETTERS, "?"].index(letter)] = np.log(chance)
    if maybe < 1.0:
        kinds = one.kind_log_prob[at.row, at.col]
        kinds[:] = np.log(1e-6)
        kinds[EMPTY_KIND], kinds[TILE_KIND] = np.log(1 - maybe), np.log(maybe)
    return reading


DOUBTED = {"C": 0.6, "B": 0.39}


def words(ledger):
    """The words of each play."""
    plays = (d for d in ledger.done if d.entry.action.kind == "place")
    return [d.verdict.result["words"][0]["word"] for d in plays]


@pytest.fixture
def table(tmp_path):
    """A live table of two."""
    tables = Tables(Storage(str(tmp_path)))
    yield tables.create(Order("scrabble", ("Ann", "Bob"))).table
    tables.close()


def answer(value, square="H7", field="letter"):
    return Action("answer", data={"field": field, "square": square, "value": value})


def begun(table, maybe=0.4):
    """CAT was laid, perhaps CATS; it is asked whether its C is a C."""
    table.observe(shown(board(H7="CATS"), DOUBTED, maybe), how=LIVE)
    return table


@pytest.mark.parametrize("maybe", [0.4, 0.6])
@pytest.mark.parametrize(("value", "later"), [("C", ["CATS", "COW"]), ("B", ["BATS", "BOW"])])
def test_an_answer_about_one_tile_leaves_the_others_open(table, maybe, value, later):
    """The next picture tells whether a tile lay beside it; the letter is as people said."""
    begun(table, maybe)
    table.act(answer(value), HOST)
    table.observe(shown(COW, DOUBTED), how=LIVE)

    assert later == words(table.ledger)
    assert ["Ann", "Bob"] == [d.verdict.events[0].data["player"] for d in table.ledger.done]


@pytest.mark.parametrize("maybe", [0.4, 0.6])
@pytest.mark.parametrize("value", ["C", "B"])
def test_a_replay_and_a_live_table_take_an_answer_alike(table, maybe, value):
    """There is one tracker: the same pictures and the same answer come to the same game."""
    kept = tracker()
    pictures = [shown(board(H7="CATS"), DOUBTED, maybe), shown(COW, DOUBTED)]
    kept.update(board_view(pictures[0].boards[0]), LIVE)
    kept.tell(answer(value))
    kept.update(board_view(pictures[1].boards[0]), LIVE)
    begun(table, maybe).act(answer(value), HOST)
    table.observe(pictures[1], how=LIVE)

    assert words(kept.ledger) == words(table.ledger)


def test_an_answer_that_only_another_explanation_agrees_with():
    """It is the likeliest then: what was announced changes with a person."""
    kept = tracker()
    kept.update(board_view(shown(board(H7="CATS"), None, 0.4).boards[0]), LIVE)
    before = words(kept.ledger)
    kept.tell(answer("S", "H10"))

    assert (["CAT"], ["CATS"]) == (before, words(kept.ledger))


@pytest.mark.parametrize(("value", "strange"), [("B", 0), ("X", 1)])
def test_what_pictures_and_words_say_of_the_letter_counts_as_it_did(value, strange):
    """The explanation that had another letter loses what its own was likelier by."""
    kept = tracker("default", reject_invalid=False)
    faces = {"C": 0.6, value: 0.2}
    kept.update(board_view(shown(board(H7="CATS"), faces, 0.4).boards[0]), LIVE)
    first, second, *_ = kept.hypotheses
    known = with_letters(second, {FACE: value})
    kept.hypotheses = [first, known]
    seen = first.views[FACE][0]
    loss = fit(seen, seen_tile("C")) - fit(seen, seen_tile(value))
    kept.tell(answer(value))

    weights = {len(h.findings[-1].laid): h.weight for h in kept.hypotheses}
    apart = second.weight + loss - PRIORS.plays.bad_word * strange
    assert apart == pytest.approx(weights[4] - weights[3])
    assert {f"{value}AT", f"{value}ATS"} == {words(h.ledger)[0] for h in kept.hypotheses}


def test_every_explanation_s_letter_is_offered():
    """Also of one that is less likely than what is asked about otherwise."""
    kept = tracker()
    first = {"C": 0.97, "B": 0.02}
    kept.update(board_view(shown(board(H7="CATS"), first, 0.4).boards[0]), LIVE)
    other = kept.hypotheses[1]
    kept.hypotheses[1] = with_letters(other, {FACE: "R"})
    kept.update(board_view(shown(board(H7="CATS"), {"C": 0.5, "B": 0.49}, 0.4).boards[0]), LIVE)
    kept.update(board_view(shown(board(H7="CATS"), {"C": 0.5, "B": 0.49}, 0.4).boards[0]), LIVE)
    offered = {h.lying.tiles[FACE].text for h in kept.hypotheses if FACE in h.lying}
    (asked,) = kept.letter_questions()

    assert ("C", "B", "R") == asked.choices
    assert offered <= set(asked.choices)


def test_the_history_names_the_person_and_undo_takes_the_answer_back(table):
    """The letter is as before the answer, and it is asked again."""
    begun(table)
    before = table.questions()
    table.act(answer("B"), HOST)
    cause = changes_of(table)[-1]
    after = words(table.ledger)
    table.act(Action("undo"), HOST)

    assert ("person", "host", "answer") == (cause.cause, cause.by, cause.what)
    assert (["BAT"], ["CAT"]) == (after, words(table.ledger))
    assert before == table.questions()


def test_an_answer_about_a_tile_that_nothing_knows_of_puts_the_record_right(table):
    """As a correction does; and what the rules refuse then is refused in words."""
    begun(table, 0.0001)
    table.act(answer("S", "H10"), HOST)

    assert ["CATS"] == words(table.ledger)


LAID, ELSEWHERE = board(H7="CAT", v_H8="ATES"), board(H7="CAT", v_H9="TES")


@pytest.mark.parametrize(("value", "visits"), [("withdrawn", {1, 2}), ("challenged off", {2})])
def test_an_answer_about_a_take_back_leaves_what_agrees_with_it(value, visits):
    """Bob lays TES with the tiles of ATES: a play withdrawn, in one visit of the hand or two.

    Where the S is not seen surely, the E alone may be another play.
    """
    kept = tracker(reject_invalid=False)
    for rows in (board(H7="CAT"), LAID):
        kept.update(board_view(shown(rows).boards[0]), LIVE)
    kept.update(board_view(shown(ELSEWHERE, at=square_named("J9"), maybe=0.4).boards[0]), LIVE)
    kept.tell(answer(value, None, "take_back"))

    taken = [
        [d for d in h.ledger.done if d.entry.action.kind == "take_back"] for h in kept.hypotheses
    ]
    assert visits == {1 + len(backs) for backs in taken}
    assert not any(d.entry.action.data.get("open") for backs in taken for d in backs)


COWX = board(H7="CAT", v_H7="COWX")


def test_what_else_refused_tiles_may_be_is_among_the_answers():
    """Something that looks like an X lies below COW: a word outside the list, or no tile."""
    kept = tracker("default")
    for rows in (board(H7="CAT"), COWX):
        kept.update(board_view(shown(rows).boards[0]), LIVE)
    asked = kept.question_at(1)
    kept.tell(Action("answer", data={"field": "play", "value": "Bob: COW"}))

    assert asked is not None
    assert ("play", "Bob: COW") == (asked.field, asked.choices[0])
    assert ["CAT", "COW"] == words(kept.ledger)


@pytest.mark.parametrize("doubted", [False, True])
def test_another_play_that_an_answer_tells_is_said(tmp_path, doubted):
    """At once; where its other tile is asked about, once that is answered as well."""
    tables = Tables(Storage(str(tmp_path)))
    order = Order("scrabble", ("Ann", "Bob"), settings={"reject_invalid": False})
    table = tables.create(order).table
    for rows in (board(H7="CAT"), LAID):
        table.observe(shown(rows), how=LIVE)
    reading = shown(ELSEWHERE, at=square_named("J9"), maybe=0.4)
    faces = reading.boards[0].letter_log_prob[8, 8]
    if doubted:
        faces[LETTERS.index("E")], faces[LETTERS.index("O")] = np.log(0.6), np.log(0.39)
    first = table.observe(reading, how=LIVE)["say"]
    second = list(table.act(answer("S", "J9"), HOST).say)
    third = list(table.act(answer("E", "I9"), HOST).say)
    tables.close()

    play = ["Bob plays TES.", "4 for TES; 4."]
    if doubted:
        asked, moved = "Is the tile on I9 an E?", "ATES is taken up and laid elsewhere."
        assert [[asked], [], [moved, *play]] == [first, second, third]
    else:
        assert "Bob takes ATES back and has the turn again." == first[0]
        assert [play, []] == [second, third]


@pytest.mark.parametrize("value", ["B", "X"])
def test_a_named_letter_tells_nobody_what_its_player_holds(value):
    """A play and a letter named for it are taken alike, whatever racks were told in secret."""
    said = []
    for rack in ("CATBDEF", "CADEFGH", "UVWXYZI"):
        kept = tracker()
        kept.tell(Action("racks", data={"racks": {"Ann": list(rack)}}))
        view = board_view(shown(board(H7="CAT")).boards[0])
        found = kept.update(view, LIVE)
        verdict = kept.tell(answer(value, "H9"))
        after = kept.update(view, LIVE)
        said.append((found, verdict, after, kept.letter_questions(), words(kept.ledger)))

    assert [said[0]] * 3 == said
    assert ["CA" + value] == said[0][-1]
