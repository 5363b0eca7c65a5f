"""Pieces of a word are put together."""

from __future__ import annotations

import pytest

from kibitz.vision.loose.words import join_pieces
from kibitz.vision.readings import LooseTile, LooseWord


def row(letters: str, gaps: list[float], turn: float = 0.0) -> tuple[LooseTile, ...]:
    """Tiles 40 pixels wide in a row from left to right, so many sides apart."""
    places = [100.0]
    for gap in gaps:
        places.append(places[-1] + 40 * gap)
    return tuple(
        LooseTile(x, True, (at, 50.0), turn, 40.0, 0.9)
        for x, at in zip(letters, places, strict=True)
    )


@pytest.mark.parametrize(
    ("gaps", "words"),
    [
        ([1.0, 1.5, 1.0], ["RAIN"]),
        ([1.0, 2.4, 1.0], ["RA", "IN"]),
        ([1.0, 0.3, 1.0], ["RA", "IN"]),
    ],
)
def test_gaps(gaps: list[float], words: list[str]) -> None:
    """Two pieces are one word if about half a tile lies between them, not more."""
    tiles = row("RAIN", gaps)
    pieces = (LooseWord("RA", (0, 1), 0.0), LooseWord("IN", (2, 3), 0.0))

    assert [w.text for w in join_pieces(tiles, pieces)] == words


def test_a_single_tile_joins() -> None:
    """A lone tile at the end of a word belongs to it; a face-down one does not."""
    tiles = row("RAI", [1.0, 1.3])
    down = LooseTile("?", False, (250.0, 50.0), 0.0, 40.0, 0.9)
    (word,) = join_pieces((*tiles, down), (LooseWord("RA", (0, 1), 0.0),))

    assert (word.text, word.tiles) == ("RAI", (0, 1, 2))


def test_another_facing_stays_apart() -> None:
    """A tile turned away is no part of a word."""
    tiles = (*row("RA", [1.0]), LooseTile("I", True, (180.0, 50.0), 90.0, 40.0, 0.9))

    assert [w.text for w in join_pieces(tiles, (LooseWord("RA", (0, 1), 0.0),))] == ["RA"]


def test_a_tile_in_front_joins() -> None:
    """A lone tile before a word belongs to it as well."""
    tiles = row("TRAIN", [1.3, 1.0, 1.0, 1.0])
    (word,) = join_pieces(tiles, (LooseWord("RAIN", (1, 2, 3, 4), 0.0),))

    assert word.text == "TRAIN"


@pytest.mark.parametrize(
    ("turn", "aside", "text"),
    [(0.0, 0.0, "RA?"), (92.0, 0.0, "RA?"), (30.0, 0.0, "RA"), (0.0, 20.0, "RA")],
)
def test_a_plain_tile_in_line_is_a_blank(turn: float, aside: float, text: str) -> None:
    """Where blanks are asked for, a plain tile joins if it lies neatly in line, whichever way up."""
    plain = LooseTile("?", False, (182.0, 50.0 + aside), turn, 40.0, 0.9)
    (word,) = join_pieces((*row("RA", [1.0]), plain), (LooseWord("RA", (0, 1), 0.0),), blanks=True)

    assert word.text == text
