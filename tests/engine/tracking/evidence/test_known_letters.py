"""Doubtful letters are settled by tiles of the same set that the game knows."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from kibitz.app.common.storage.tables import Storage
from kibitz.app.observers.board_views import board_view
from kibitz.app.tables.orders import Order
from kibitz.app.tables.registry import Tables
from kibitz.engine.table import Square, grid_from_rows
from kibitz.engine.tracking.evidence.changes import with_known_letters
from kibitz.engine.tracking.evidence.hypotheses import Capture
from kibitz.vision.boards.letters.own_letters import Faces, likenesses
from kibitz.vision.boards.squares import CUT_PX
from kibitz.vision.readings import PhotoReading
from tests.app.server_help import LETTERS, board
from tests.helpers.fake_readings import reading_of_rows

LIVE = Capture(live=True)
TILE = Square(7, 9)
"""H10, the C of GALCI, which pictures show as another letter."""
ROWS = board(H7="GALCI")


def doubted(rows: list[str], square: Square, chances: dict[str, float], alike: dict[str, float]):
    """A reading with one doubtful tile that looks so much like the tiles on those squares."""
    reading = reading_of_rows(rows, LETTERS)
    (one,) = reading.boards
    values = np.full(one.letter_log_prob.shape[-1], 1e-4)
    for letter, chance in chances.items():
        values[one.labels.index(letter)] = chance
    one.letter_log_prob[square] = np.log(values / values.sum())
    cells = {(ord(k[0]) - 65, int(k[1:]) - 1): x for k, x in alike.items()}
    return PhotoReading(1000, 1000, (replace(one, alike={tuple(square): cells}),))


def letter_seen(chances: dict[str, float], alike: dict[str, float], known: list[str]) -> str:
    reading = doubted(ROWS, TILE, chances, alike)
    view = with_known_letters(board_view(reading.boards[0]), grid_from_rows(known))
    return view[TILE].best_letter()


GAL = board(H7="GAL")


@pytest.mark.parametrize(
    ("chances", "alike", "known", "letter"),
    [
        ({"L": 0.6, "G": 0.4}, {"H7": 0.95, "H9": 0.75}, GAL, "G"),
        ({"L": 0.6, "G": 0.4}, {"H7": 0.75, "H9": 0.95}, GAL, "L"),
        # no example of both, and nothing says how much alike equal letters look here
        ({"C": 0.6, "G": 0.4}, {"H7": 0.89}, GAL, "C"),
        # but hardly any other letter looks so much like it
        ({"C": 0.6, "G": 0.4}, {"H7": 0.97}, GAL, "G"),
        # as like the only example as equal letters are on this board (said under H10 itself)
        ({"C": 0.6, "G": 0.4}, {"H7": 0.95, "H10": 0.95}, GAL, "G"),
        ({"C": 0.4, "G": 0.6}, {"H7": 0.78, "H10": 0.95}, GAL, "C"),
        # not much less like it: too little to overrule the picture
        ({"C": 0.6, "G": 0.4}, {"H7": 0.89, "H10": 0.95}, GAL, "C"),
        # tiles of another set
        ({"L": 0.6, "G": 0.4}, {"H7": 0.2, "H9": -0.8}, GAL, "L"),
        # clear enough
        ({"L": 0.98, "G": 0.02}, {"H7": 0.95, "H9": 0.75}, GAL, "L"),
        # the game does not know what lies there
        ({"L": 0.6, "G": 0.4}, {"H7": 0.95, "H9": 0.75}, board(), "L"),
    ],
)
def test_what_other_tiles_say(chances, alike, known, letter):
    """Only two letters that both are known to lie there, and look like it, are compared."""
    assert letter == letter_seen(chances, alike, known)


@pytest.mark.parametrize(
    ("alike", "letter"),
    [({}, "I"), ({"J7": 0.97, "I7": 0.7}, "L"), ({"J7": 0.7, "I7": 0.97}, "I")],
)
def test_a_word_outside_the_list_is_read_by_its_tiles(tmp_path, alike, letter):
    """An L that looks like this board's Ls and not like its I stays one, though TIT is a word."""
    tables = Tables(Storage(str(tmp_path)))
    order = Order("scrabble", ("Ann", "Bob"), {"reject_invalid": False, "challenge": "double"})
    table = tables.create(order).table
    table.observe(reading_of_rows(board(H7="GATE"), LETTERS), how=LIVE)
    table.observe(reading_of_rows(board(H7="GATE", v_H7="GILLS"), LETTERS), how=LIVE)
    rows = board(H7="GATE", v_H7="GILLS", v_H9="TIT")
    reading = doubted(rows, Square(8, 8), {"I": 0.5, "L": 0.5}, alike)
    line = table.observe(reading, how=LIVE)
    tables.close()

    assert {"I9": letter, "J9": "T"} == line["play"]["tiles"]


@pytest.mark.parametrize(("chance", "letter"), [(0.3, "G"), (0.01, "L")])
def test_an_example_may_be_doubtful_itself_but_not_another_letter(chance, letter):
    """The game knows the G from before; a picture that shows something else there says nothing."""
    reading = doubted(ROWS, TILE, {"L": 0.6, "G": 0.4}, {"H7": 0.95, "H9": 0.75})
    (one,) = reading.boards
    first = np.full(one.letter_log_prob.shape[-1], 1e-4)
    first[one.labels.index("G")], first[one.labels.index("Q")] = chance, 1 - chance
    one.letter_log_prob[7, 6] = np.log(first)
    view = with_known_letters(board_view(one), grid_from_rows(GAL))

    assert letter == view[TILE].best_letter()


def drawn(letter: str) -> np.ndarray:
    """A square with a letter printed on its middle."""
    out = np.full((CUT_PX, CUT_PX, 3), 190, np.uint8)
    cv2.putText(out, letter, (20, 40), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (30, 30, 30), 3)
    return out


def test_the_usual_likeness_is_that_of_pairs_of_one_letter():
    """Four pairs that look the same: their median likeness is 1; three are too few to say."""
    faces = Faces()
    faces.add([(0, k) for k in range(8)] + [(5, 5)], np.stack([drawn(x) for x in "CCGGEECCC"]))
    same = [((0, k), (0, k + 1)) for k in (0, 2, 4, 6)]

    found = likenesses({(5, 5): ((0, 2),)}, same, faces)
    too_few = likenesses({(5, 5): ((0, 2),)}, same[:3], faces)

    assert 1.0 == round(found[5, 5][5, 5], 3)
    assert [{(0, 2), (5, 5)}, {(0, 2)}] == [set(found[5, 5]), set(too_few[5, 5])]
