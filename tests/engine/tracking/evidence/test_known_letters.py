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
from kibitz.engine.tracking.evidence.facing import turned_view
from kibitz.engine.tracking.evidence.hypotheses import Capture
from kibitz.vision.boards.letters.own_letters import Faces, comparable, likenesses, turned, twins
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


def test_what_looks_alike_is_measured_on_the_picture():
    """A doubtful C looks more like the other C than like the G; a tile turned round is left out."""
    where = {(3, 3): "C", (7, 7): "C", (7, 9): "G", (9, 2): "C"}
    tile, letter = np.zeros((15, 15)), np.full((15, 15, 3), -9.0)  # C, G, blank
    turn = np.full((15, 15, 4), -9.0)
    for cell, text in where.items():
        tile[cell], letter[cell][0 if text == "C" else 1], turn[cell][0] = 0.99, -0.01, -0.01
    letter[3, 3] = np.log([0.45, 0.54, 0.01])
    turn[9, 2] = turn[9, 2][::-1]
    pairs = comparable(tile, letter, turn)
    faces = Faces()
    faces.add(list(where), np.stack([drawn(x) for x in where.values()]))
    found = likenesses(pairs, (), faces)

    assert {(3, 3): {(7, 7), (7, 9)}} == {cell: set(to) for cell, to in found.items()}
    assert found[3, 3][7, 7] > found[3, 3][7, 9] + 0.05


def test_pairs_of_one_letter_say_how_much_alike_tiles_look_here():
    """Of every letter one pair before a second of any; doubtful and turned tiles are left out."""
    tile, letter = np.zeros((15, 15)), np.full((15, 15, 3), -9.0)  # C, G, blank
    turn = np.full((15, 15, 4), -9.0)
    for cell, text in {(1, 1): 0, (1, 2): 0, (1, 3): 0, (2, 1): 1, (2, 2): 1, (9, 9): 0}.items():
        tile[cell], letter[cell][text], turn[cell][0] = 0.99, -0.01, -0.01
    letter[9, 9] = np.log([0.6, 0.39, 0.01])
    turn[2, 3], letter[2, 3, 1], tile[2, 3] = (-9.0, -9.0, -0.01, -9.0), -0.01, 0.99

    found = twins(tile, letter, turn)

    assert [((1, 1), (1, 2)), ((2, 1), (2, 2)), ((1, 2), (1, 3))] == found


def test_the_usual_likeness_is_that_of_pairs_of_one_letter():
    """Four pairs that look the same: their median likeness is 1; three are too few to say."""
    faces = Faces()
    faces.add([(0, k) for k in range(8)] + [(5, 5)], np.stack([drawn(x) for x in "CCGGEECCC"]))
    same = [((0, k), (0, k + 1)) for k in (0, 2, 4, 6)]

    found = likenesses({(5, 5): ((0, 2),)}, same, faces)
    too_few = likenesses({(5, 5): ((0, 2),)}, same[:3], faces)

    assert 1.0 == round(found[5, 5][5, 5], 3)
    assert [{(0, 2), (5, 5)}, {(0, 2)}] == [set(found[5, 5]), set(too_few[5, 5])]


def test_a_tile_that_shows_none_of_the_letters_is_not_compared():
    """Nothing is learnt of a C or G from a tile that is plainly an E."""
    tile, letter = np.zeros((15, 15)), np.full((15, 15, 4), -9.0)  # C, G, E, blank
    tile[3, 3] = tile[7, 7] = tile[7, 9] = 0.99
    letter[3, 3, :2] = np.log([0.45, 0.54])
    letter[7, 7, 0] = letter[7, 9, 2] = -0.01

    assert {(3, 3): ((7, 7),)} == comparable(tile, letter, np.zeros((15, 15, 4)))


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_likenesses_turn_with_the_board(quarters):
    """They name the same tiles whichever corner comes first."""
    marks = np.zeros((15, 15), int)
    marks[2, 4], marks[7, 9] = 1, 2
    ((cell, to),) = turned({(2, 4): {(7, 9): 0.5}}, 15, quarters).items()
    ((other, fit),) = to.items()
    rotated = np.rot90(marks, quarters)

    assert (1, 2, 0.5) == (rotated[cell], rotated[other], fit)


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_they_turn_with_the_view(quarters):
    """A view with another edge as row A speaks of the same tiles."""
    view = board_view(doubted(ROWS, TILE, {"C": 0.6, "G": 0.4}, {"H7": 0.95}).boards[0])
    ((square, to),) = turned_view(view, quarters).alike.items()
    shown = turned_view(view, quarters)

    assert ("C", ["G"]) == (shown[square].best_letter(), [shown[s].best_letter() for s in to])
