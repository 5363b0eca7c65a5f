"""A word that the list refuses because a tile was read wrongly: people say what the tile is."""

from __future__ import annotations

import numpy as np
import pytest

from tests.app.server_help import LETTERS, act, board
from tests.app.tables.test_table import CAT, LIVE, Live
from tests.helpers.fake_readings import reading_of_rows

CED = board(H8="CAT", v_H8="CED")
CIW = board(H8="CAT", v_H8="CIW")


def also(rows, **seconds):
    """A reading in which tiles look a little like another letter, and like no third one."""
    reading = reading_of_rows(rows, LETTERS)
    for name, letter in seconds.items():
        at = "ABCDEFGHIJKLMNO".index(name[0]), int(name[1:]) - 1
        seen = reading.boards[0].letter_log_prob[at]
        seen[seen < np.log(0.5)] = np.log(1e-6)
        seen[LETTERS.index(letter)] = np.log(0.002)
    return reading


def refused(session, *readings, **more):
    """A table that was shown these; the choices of its question."""
    live = Live(session, **more)
    for reading in readings:
        live.table.observe(reading, how=LIVE)
    (question,) = live.now["questions"]
    return live, question


@pytest.mark.parametrize(
    ("shown", "choice", "played"),
    [
        ([also(CAT, H8="B"), also(CED)], "H8 is a B", [("Ann", "BAT"), ("Bob", "BED")]),
        ([also(CAT), also(CIW, I8="O")], "I8 is an O", [("Ann", "CAT"), ("Bob", "COW")]),
    ],
)
def test_the_second_reading_of_a_tile_is_offered(session, shown, choice, played):
    """Of one that lay there and of one laid now; with the answer both plays are as people said."""
    live, question = refused(session, *shown)
    done = live.answer(question, choice)
    live.table.observe(shown[-1], how=LIVE)

    assert choice == question["choices"][0]
    assert (200, []) == (done.status_code, live.now["questions"])
    assert played == live.words()


@pytest.mark.parametrize(
    "shown",
    [
        # no picture shows a B; BER is no word either; people said what the tile is
        [also(CAT), also(CED)],
        [also(CAT, H8="B"), also(board(H8="CAT", v_H8="CER"))],
        [also(CAT, H8="B"), {"action": "correct", "square": "H8", "letter": "C"}, also(CED)],
    ],
)
def test_nothing_else_is_offered(session, shown):
    """Only what a picture shows and the list knows, of a tile that nobody named."""
    live = Live(session)
    for item in shown:
        if isinstance(item, dict):
            act(live.client, live.made, item)
        else:
            live.table.observe(item, how=LIVE)
    (question,) = live.now["questions"]

    assert ["take it back", "it counts", "go on from this board"] == question["choices"]


@pytest.mark.parametrize("choice", ["I10 is an O", "it counts"])
def test_what_was_told_since_comes_after_the_play(session, choice):
    """Ann's scrab is asked about, and the hand is ended before anybody answers."""
    tiles = [also(board(H8="CAT"[:n])) for n in range(1, 4)]
    live = Live(session, game="scrabbage")
    for reading in tiles:
        live.table.observe(reading, how=LIVE)
    act(live.client, live.made, {"action": "end_of_play"})
    live.table.observe(also(board(H8="CAT", v_H10="TIW"), I10="O"), how=LIVE)
    (question,) = live.now["questions"]
    act(live.client, live.made, {"action": "end_of_hand"})
    live.answer(question, choice)

    kinds = [entry["action"] for entry in live.now["history"]]
    assert ["scrab", "end_of_hand"] == kinds[-2:]
    assert "Bob" == live.now["view"]["dealer"]
