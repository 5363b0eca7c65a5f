"""A tile that may be either of two letters: the play counts, and it is asked which."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.app.common.storage.tables import Storage
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.engine.rules import Action, Refused
from kibitz.engine.table import Square
from kibitz.engine.tracking.evidence.hypotheses import PHOTO, Capture
from kibitz.engine.tracking.evidence.interpretation import Laying
from kibitz.engine.tracking.explanations.letters import letter_question
from tests.app.server_help import LETTERS, board
from tests.helpers.fake_readings import reading_of_rows

HOST = Actor("host")
LIVE = Capture(live=True)


@pytest.fixture
def table(tmp_path):
    tables = Tables(Storage(str(tmp_path)))
    yield tables.create(Order("scrabble", ("Ann", "Bob"))).table
    tables.close()


def doubted(square: Square, letters: dict[str, float], **more: str):
    """CAT on H7 to H9, one tile of which shows these letters so clearly, and other words."""
    reading = reading_of_rows(board(H7="CAT", **more), LETTERS)
    logs = reading.boards[0].letter_log_prob[square.row, square.col]
    logs[:] = np.log(1e-4)
    for letter, chance in letters.items():
        logs[[*LETTERS, "?"].index(letter)] = np.log(chance)
    return reading


FIRST = Square(7, 6)


def open_questions(table):
    return [(q["field"], q["square"], q["choices"]) for q in table.questions()]


@pytest.mark.parametrize(
    ("letters", "how", "asked"),
    [
        ({"C": 0.6, "B": 0.39}, LIVE, [("letter", "H7", ["C", "B"])]),
        ({"C": 0.5, "R": 0.15, "B": 0.25}, LIVE, [("letter", "H7", ["C", "R", "B"])]),
        ({"C": 0.95, "B": 0.04}, LIVE, []),
        ({"C": 0.6, "Z": 0.39}, LIVE, []),
        ({"C": 0.6, "B": 0.39}, PHOTO, []),
    ],
)
def test_two_letters_that_both_make_a_play(table, letters, how, asked):
    """The likeliest counts at once; it is asked only if another makes a play as well."""
    line = table.observe(doubted(FIRST, letters), how=how)

    assert {"H7": "C", "H8": "A", "H9": "T"} == line["play"]["tiles"]
    assert asked == open_questions(table)


@pytest.mark.parametrize(
    ("value", "said"),
    [("C", ["Ann plays CAT.", "10 for CAT; 10."]), ("B", ["Ann plays BAT.", "10 for BAT; 10."])],
)
def test_it_is_asked_before_the_play_is_said(table, value, said):
    """Nobody hears a score that an answer would change."""
    line = table.observe(doubted(FIRST, {"C": 0.6, "B": 0.39}), how=LIVE)
    answer = Action("answer", data={"field": "letter", "square": "H7", "value": value})
    outcome = table.act(answer, HOST)

    assert ["Is the tile on H7 a C?"] == line["say"]
    assert said == list(outcome.say)


def test_a_play_that_nobody_was_asked_about_longer_is_said_with_the_next(table):
    """Play goes on without an answer."""
    table.observe(doubted(FIRST, {"C": 0.6, "B": 0.39}), how=LIVE)
    line = table.observe(doubted(FIRST, {"C": 0.97}, v_I8="T"), how=LIVE)

    assert ["Ann plays CAT.", "10 for CAT; 10."] == line["say"][:2]
    assert line["say"][2].startswith("Bob plays ")


def test_an_answer_about_another_tile_does_not_say_a_doubted_play(table):
    """CAR becomes CAT aloud; TAN or TAD is said once its own letter is known."""
    table.observe(doubted(Square(7, 8), {"R": 0.6, "T": 0.39}), how=LIVE)
    both = doubted(Square(7, 8), {"R": 0.6, "T": 0.39}, v_H9="RAN")
    letters = both.boards[0].letter_log_prob[9, 8]
    letters[:] = np.log(1e-4)
    letters[LETTERS.index("N")], letters[LETTERS.index("D")] = np.log(0.6), np.log(0.39)
    asked = table.observe(both, how=LIVE)["say"]
    first = Action("answer", data={"field": "letter", "square": "H9", "value": "T"})
    put_right = table.act(first, HOST).say
    second = Action("answer", data={"field": "letter", "square": "J9", "value": "N"})
    said = table.act(second, HOST).say

    assert "Is the tile on J9 an N?" == asked[-1]
    assert ("Correction: CAT for 10, not CAR.",) == put_right
    assert ("Bob plays TAN.", "4 for TAN; 4.") == said


def test_a_tile_that_may_be_a_blank_or_a_letter(table):
    """Both are asked: which letter the blank is, and whether it is that letter's tile."""
    table.observe(doubted(FIRST, {"?": 0.6, "C": 0.39}), how=LIVE)
    asked = [(field, square) for field, square, _ in open_questions(table)]
    table.act(Action("answer", data={"field": "letter", "square": "H7", "value": "C"}), HOST)

    assert {("letter", "H7"), ("blank", "H7")} == set(asked)
    assert [] == open_questions(table)
    assert {"Ann": 10, "Bob": 0} == dict(table.view(HOST)["scores"])


def test_a_blank_that_was_named_is_no_letter_s_tile(table):
    """Who says which letter the blank is has answered the other question as well."""
    table.observe(doubted(FIRST, {"?": 0.6, "C": 0.39}), how=LIVE)
    table.act(Action("answer", data={"field": "blank", "square": "H7", "value": "C"}), HOST)

    assert [] == open_questions(table)
    assert {"Ann": 4, "Bob": 0} == dict(table.view(HOST)["scores"])


def test_a_doubted_play_is_waited_for_a_little(table):
    """More pictures may clear it up before it is told."""
    clear = table.preview(doubted(FIRST, {"C": 0.97}), how=LIVE)
    doubt = table.preview(doubted(FIRST, {"C": 0.6, "B": 0.39}), how=LIVE)

    assert (False, True) == (clear.patience, doubt.patience)


def test_the_answer_counts_from_then_on(table):
    """The other letter is put right; the same pictures do not change it back."""
    reading = doubted(FIRST, {"C": 0.6, "B": 0.39})
    table.observe(reading, how=LIVE)
    answer = Action("answer", data={"field": "letter", "square": "H7", "value": "B"})
    outcome = table.act(answer, HOST)
    for _ in range(4):
        table.observe(reading, how=LIVE)

    assert not isinstance(outcome, Refused)
    assert [] == open_questions(table)
    assert [["BAT"]] == [[w["word"] for w in entry["words"]] for entry in table.history()]
    assert {"Ann": 10, "Bob": 0} == dict(table.view(HOST)["scores"])


@pytest.mark.parametrize("value", ["C", "B"])
def test_no_picture_puts_right_what_a_person_said(table, value):
    """Nor after another correction; the next play is read beside it."""
    table.observe(doubted(FIRST, {"C": 0.6, "B": 0.39}), how=LIVE)
    table.act(Action("answer", data={"field": "letter", "square": "H7", "value": value}), HOST)
    table.act(Action("correct", data={"square": "H9", "letter": "R"}), HOST)
    other = {"C": 0.03, "B": 0.03, "P": 0.93}
    for word in ("O", "ON", "ONE"):
        table.observe(doubted(FIRST, other, v_I8=word), how=LIVE)

    assert f"{value}AR" == table.history()[0]["words"][0]["word"]


def test_later_evidence_answers_the_question(table):
    """Play goes on without an answer: the next picture closes the question."""
    table.observe(doubted(FIRST, {"C": 0.6, "B": 0.39}), how=LIVE)
    table.observe(reading_of_rows(board(H7="CAT", v_G8="BAD"), LETTERS), how=LIVE)

    assert [] == open_questions(table)
    assert ["CAT", "BAD"] == [w["word"] for entry in table.history() for w in entry["words"]]


@pytest.mark.parametrize(
    ("later", "asked"),
    [(0.7, [("letter", "H7", ["B", "C"])]), (0.8, [("letter", "H7", ["B", "C"])]), (0.9, [])],
)
def test_a_letter_that_kibitz_put_right_itself_is_not_offered_first(table, later, asked):
    """Its question ends, or asks about the new letter; nobody hears of one that nobody heard."""
    table.observe(doubted(FIRST, {"C": 0.6, "B": 0.39}), how=LIVE)
    now = doubted(FIRST, {"B": later, "C": 0.99 - later})
    said = [x for _ in range(2) for x in table.observe(now, how=LIVE)["say"]]

    assert asked == open_questions(table)
    assert ["Ann plays BAT.", "10 for BAT; 10."] == said[:2]
    assert not any("not CAT" in line for line in said)


@pytest.mark.parametrize(
    ("first", "later", "asked"),
    [
        (0.97, 0.5, [("letter", "H7", ["C", "B"])]),  # it looked sure at first
        (0.97, 0.7, [("letter", "H7", ["C", "B"])]),
        (0.97, 0.8, []),
        (0.6, 0.95, []),  # the newest picture is sure
    ],
)
def test_a_letter_that_stays_in_doubt_is_asked_about_once(table, first, later, asked):
    """Later pictures of an earlier play's tile are weighed together; the answer stands."""
    table.observe(doubted(FIRST, {"C": first, "B": 0.99 - first}), how=LIVE)
    now = {"C": later, "B": 0.99 - later}
    for more in ({}, {"v_I8": "T"}, {"v_I8": "TE"}):
        table.observe(doubted(FIRST, now, **more), how=LIVE)
    before = open_questions(table)
    for _ in asked:
        answer = Action("answer", data={"field": "letter", "square": "H7", "value": "C"})
        table.act(answer, HOST)
    table.observe(doubted(FIRST, now, v_I8="TE", H10="S"), how=LIVE)

    assert asked == before
    assert [] == open_questions(table)


@pytest.mark.parametrize("value", ["", "7", "BA", None])
def test_an_answer_that_is_no_letter_is_refused(table, value):
    """Only one letter answers; nothing changes."""
    table.observe(doubted(FIRST, {"C": 0.6, "B": 0.39}), how=LIVE)
    answer = Action("answer", data={"field": "letter", "square": "H7", "value": value})

    assert isinstance(table.act(answer, HOST), Refused)
    assert ["CAT"] == [w["word"] for entry in table.history() for w in entry["words"]]


def test_letters_of_one_square_are_asked_likely_ones_first():
    """Two ways to read a play are asked for where they differ first."""
    tiles = {Square(0, 0): "E", Square(0, 1): "I", Square(0, 2): "D"}
    other = {**tiles, Square(0, 1): "L"}
    far = {**tiles, Square(0, 1): "T"}
    question = letter_question(
        [(-3.0, Laying(other, 0.0)), (-2.5, Laying(tiles, 0.0)), (-9.0, Laying(far, 0.0))],
        15,
        load_tile_set("en"),
    )

    assert question is not None
    assert ("A2", ("I", "L"), "Is the tile on A2 an I?") == (
        question.square,
        question.choices,
        question.prompt,
    )


def test_a_play_that_was_put_right_may_be_taken_off(table):
    """An answer about one of its letters leaves it the newest play."""
    table.observe(doubted(FIRST, {"C": 0.6, "B": 0.39}), how=LIVE)
    answer = {"field": "letter", "square": "H7", "value": "B"}
    table.act(Action("answer", data=answer), HOST)
    line = table.observe(reading_of_rows(board(), LETTERS), how=LIVE)

    assert ("taken_back", ["H7", "H8", "H9"]) == (line["status"], line["play"]["removed"])
