"""A table of Frankenscrabbards: stars, sets of tiles, plays and records to go on from."""

from __future__ import annotations

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games.frankenscrabbards.info import INFO
from kibitz.engine.games.frankenscrabbards.state import (
    begin_table,
    free_stars,
    unseen_by,
)
from kibitz.engine.options import check_options
from kibitz.engine.rules import Materials
from kibitz.engine.words.lexicon import words_from_text

MATERIALS = Materials(words_from_text("CAT"), load_tile_set("en"))
TWO = ("Ann", "Bob")


def table(settings=None, **start):
    return begin_table(TWO, check_options(INFO, settings or {}), MATERIALS, start)


def rows(**words):
    """A joined board with words across the row and column of each first square."""
    out = [list("." * 45) for _ in range(45)]
    for place, word in words.items():
        row, col = map(int, place.removeprefix("at_").split("_"))
        out[row][col : col + len(word)] = word
    return ["".join(row) for row in out]


@pytest.mark.parametrize("sets", [1, 9])
def test_an_empty_grid_has_all_sets_in_its_bag(sets):
    """Less what the team holds."""
    state = table({"fs.sets": sets})
    held = sum(state.counts.values())

    assert (100 * sets - held, 0, "Ann") == (state.bag, state.total, state.to_move)
    assert set(range(1, 10)) == free_stars(state.grid)
    assert (9 * sets, 2 * sets) == (unseen_by(state)["A"], unseen_by(state)["?"])


@pytest.mark.parametrize(
    ("start", "total", "to_move"),
    [
        ({}, 0, "Ann"),
        ({"plays": [{"player": "Ann", "word": "CAT"}]}, 1, "Bob"),
        ({"plays": [{"player": "Ann", "word": "CAT"}], "plays_so_far": 8}, 8, "Ann"),
        ({"plays_so_far": 3}, 3, "Bob"),
        ({"plays_so_far": 3, "to_move": "Ann"}, 3, "Ann"),
    ],
)
def test_whose_turn_it_is_follows_from_the_plays(start, total, to_move):
    """Unless it is told."""
    state = table(**start)

    assert (total, to_move) == (state.total, state.to_move)


def test_the_main_cluster_is_the_one_that_lies_there_unless_it_is_told():
    """Boards 1 and 2 are joined by tiles from star to star (FS-15)."""
    joined = rows(at_7_7="A" * 16)

    assert ((1, 2), (1, 2, 4)) == (
        table(board45=joined).main,
        table(board45=joined, main_cluster=[4, 2, 1]).main,
    )


@pytest.mark.parametrize(
    ("start", "said"),
    [
        ({"board45": ["." * 15] * 15}, "board45: expected 45 rows of 45"),
        ({"plays": ["CAT"]}, "plays: expected"),
        ({"main_cluster": [0]}, "main_cluster: expected numbers of boards from 1 to 9"),
        ({"main_cluster": ["1"]}, "main_cluster: expected numbers of boards from 1 to 9"),
        ({"frank": "Zed"}, "frank: expected one of Ann, Bob"),
        ({"records": [{"players": 2, "total_words": 3}]}, "records: expected"),
        (
            {"records": [{"players": "2", "total_words": 3, "final_frank": "A"}]},
            "records: expected",
        ),
        ({"rack_counts": {"Ann": 99}}, r"rack_counts\.Ann: expected at most"),
    ],
)
def test_a_position_that_cannot_be_is_told(start, said):
    """With its field."""
    with pytest.raises(ValueError, match=said):
        table(**start)
