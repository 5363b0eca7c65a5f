"""Why a picture was taken to mean what it was, in words and numbers."""

from __future__ import annotations

import pytest

from kibitz.engine.table import parse_square
from kibitz.engine.tracking.evidence.changes import SquareView
from kibitz.engine.tracking.evidence.loose_table import UpTile
from kibitz.engine.tracking.evidence.priors import SEARCH
from kibitz.engine.tracking.why import (
    NOTHING,
    evidence,
    meanings_of_tiles,
    reading_of_tile,
)
from tests.helpers.seen_boards import LIVE, cat, leaning, tracker


def test_letters_of_which_a_thousandth_is_left_are_named():
    """The likeliest first, of two as likely by the alphabet; never more than asked for."""
    tile = UpTile({"F": 0.3, "E": 0.3, "O": 0.399, "Q": 0.0006, "D": 0.0004}, (0.0, 0.0), sure=0.9)

    assert {"O": 0.399, "E": 0.3, "F": 0.3, "Q": 0.001} == reading_of_tile("", tile, 6)["letters"]
    assert ["O", "E"] == list(reading_of_tile("", tile, 2)["letters"])


def test_new_tiles_may_have_other_letters_or_be_none():
    """One of them at a time, each weighed against what was told."""
    e = UpTile({"E": 0.6, "F": 0.4}, (0.0, 0.0), sure=0.75)
    word = (UpTile({"C": 1.0}, (0.0, 9.0)), UpTile({"A": 0.8, "R": 0.2}, (1.0, 9.0)))
    ways = meanings_of_tiles([("in the middle", (e,)), ("before Ann", word)], SEARCH)

    assert [
        ("in the middle: E; before Ann: CA", 0.0),
        ("in the middle: F; before Ann: CA", -0.41),
        ("before Ann: CA", -0.59),
        ("in the middle: E; before Ann: CR", -1.39),
    ] == [(way["means"], way["weight"]) for way in ways]
    assert 1.0 == round(sum(way["share"] for way in ways), 3)
    assert [] == meanings_of_tiles([], SEARCH)


def test_a_tile_alone_may_be_nothing_new():
    """Where it is no tile, nothing happened."""
    ways = meanings_of_tiles(
        [("in the middle", [UpTile({"E": 1.0}, (0.0, 0.0), sure=0.5)])], SEARCH
    )

    assert ["in the middle: E", "nothing new"] == [way["means"] for way in ways]
    assert [0.5, 0.5] == [way["share"] for way in ways]


def test_a_letter_in_doubt_is_among_what_it_may_have_meant():
    """BAT for CAT, as much less likely as the letter looks; a sure letter is no alternative."""
    kept = tracker()
    kept.update(cat({"H7": SquareView(0.0, 1.0, letters={"C": 0.6, "B": 0.3, "R": 0.01})}))
    ways = {way["means"]: way["weight"] for way in kept.why()["alternatives"]}

    assert ("a play: Ann: CAT", 0.0) == next(iter(ways.items()))
    assert -0.69 == pytest.approx(ways["a play: Ann: BAT"], abs=0.03)
    assert "a play: Ann: RAT" not in ways


def test_what_a_picture_may_have_meant():
    """With its weight against the likeliest, and shares that add up to one."""
    kept = tracker()
    kept.update(cat())
    kept.update(cat({"H10": leaning("S", 1.0)}))
    ways = kept.why()["alternatives"]
    weights = [way["weight"] for way in ways]

    assert ["a play: Bob: CATS", "nothing new"] == [way["means"] for way in ways[:2]]
    assert (0.0, sorted(weights, reverse=True)) == (weights[0], weights)
    assert 1.0 == round(sum(way["share"] for way in ways), 3)


def test_tiles_that_are_no_play_are_spelt():
    """What lies where none may lie is told by its letters."""
    kept = tracker()
    kept.update(cat())
    kept.update(cat({"A1": leaning("E", 9.0), "A2": leaning("L", 9.0)}), LIVE)

    assert "tiles that are no play: EL" == kept.why()["alternatives"][0]["means"]


def test_squares_in_question_are_told_beside_the_new_ones():
    """Of a square without a tile no letter is told."""
    kept = tracker()
    seen = cat({"B2": SquareView(1.0, 0.0, letters={"E": 1.0})})
    kept.update(seen)
    also = [parse_square("B2")]
    told = evidence(kept.hypotheses, seen, kept.priors, also)["readings"]
    read = {line["square"]: line["letters"] for line in told}

    assert ["B2", "H7"] == [square for square in read if square in ("B2", "C3", "H7")]
    assert [{}, {"C": 1.0}] == [read["B2"], read["H7"]]


def test_a_picture_without_a_board_means_nothing():
    """Nothing was read, and nothing is likelier than anything else."""
    kept = tracker()

    assert NOTHING == kept.why()
    assert NOTHING == evidence([], cat(), kept.priors)
    assert NOTHING == evidence(kept.hypotheses, None, kept.priors)
