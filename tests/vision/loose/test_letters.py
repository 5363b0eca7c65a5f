"""A loose tile whose letter is in doubt is looked at again from its sides."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import Pyramid
from kibitz.vision.boards.letters.close_look import Glyphs
from kibitz.vision.loose import tiles as loose_tiles
from kibitz.vision.loose.finder import Spots
from kibitz.vision.loose.letters import by_looks, light_letters, looks_again


class Reader:
    """In a network's place: in doubt at first, and sure of an A afterwards."""

    facts = SimpleNamespace(labels=("A", "B", "?"), temperature=1.0)

    def __init__(self, at_first: float) -> None:
        self.at_first = at_first
        self.looks: list[int] = []

    def run(self, cuts: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Logits as the closer look gives them."""
        self.looks.append(len(cuts))
        out = np.zeros((len(cuts), 4 + 3 * 4), np.float32)
        out[:, 4] = 9.0
        if len(self.looks) == 1:
            out[:, 4], out[:, 8] = self.at_first, 4.0
        return out


@pytest.mark.parametrize(
    ("at_first", "looks", "letter"),
    [
        (12.0, [1], "A"),
        (5.0, [1], "A"),  # 0.66
        (4.3, [1, 4], "A"),  # 0.54
        (3.9, [1, 4], "A"),
        (-4.0, [1], "B"),
    ],
)
def test_only_doubt_is_looked_at_again(at_first: float, looks: list[int], letter: str) -> None:
    """One look is enough for a plain letter; a doubtful one is settled by four more."""
    picture = np.zeros((200, 200, 3), np.uint8)
    picture[80:120, 80:120] = 255
    unsure: Any = Reader(0.0)
    reader: Any = Reader(at_first)

    def one_tile(_picture: Pyramid, _model: object) -> Spots:
        return Spots(np.array([(100, 100, 40, 0.0)]), np.array([0.95]), np.array([0.9]))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loose_tiles, "find_tiles", one_tile)
        (tile,), *_ = loose_tiles.read_loose(
            picture, reader, by_looks(Glyphs(unsure, reader), ("A", "B"))
        )

    assert (reader.looks, tile.letter) == (looks, letter)


def test_what_is_plain_to_the_small_model_is_not_shown_to_the_large_one() -> None:
    """One tile, one look."""
    picture = np.zeros((200, 200, 3), np.uint8)
    picture[80:120, 80:120] = 255
    small: Any = Reader(12.0)
    large: Any = Reader(12.0)

    def one_tile(_picture: Pyramid, _model: object) -> Spots:
        return Spots(np.array([(100, 100, 40, 0.0)]), np.array([0.95]), np.array([0.9]))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loose_tiles, "find_tiles", one_tile)
        (tile,), *_ = loose_tiles.read_loose(
            picture, small, by_looks(Glyphs(small, large), ("A", "B"))
        )

    assert (small.looks, large.looks, tile.letter) == ([1], [], "A")


@pytest.mark.parametrize(("at_first", "looks"), [(7.4, []), (7.0, [1])])
def test_how_plain_a_letter_must_be_to_the_small_model(at_first: float, looks: list[int]) -> None:
    """0.96 is plain enough, of 0.94 the large model is asked as well."""
    picture = np.zeros((200, 200, 3), np.uint8)
    picture[80:120, 80:120] = 255
    small: Any = Reader(at_first)
    large: Any = Reader(12.0)

    def one_tile(_picture: Pyramid, _model: object) -> Spots:
        return Spots(np.array([(100, 100, 40, 0.0)]), np.array([0.95]), np.array([0.9]))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loose_tiles, "find_tiles", one_tile)
        loose_tiles.read_loose(picture, small, by_looks(Glyphs(small, large), ("A", "B")))

    assert looks == large.looks


def inked(tile: int, ink: int) -> NDArray[np.uint8]:
    """A tile cut out of a dark table, with a bold letter."""
    cut = np.full((1, 60, 60, 3), 20, np.uint8)
    cut[:, 11:49, 11:49] = tile
    cut[:, 20:40, 22:38] = ink
    return cut


def test_light_letters_are_looked_at_in_the_negative() -> None:
    """White on blue is shown as dark on light; black on white stays as it is."""
    cuts = np.concatenate([inked(90, 240), inked(220, 30)])
    again = looks_again(cuts)

    assert light_letters(cuts).tolist() == [True, False]
    assert again.shape == (4, 2, 60, 60, 3)
    assert set(again[:, :, 30, 30, 0].T.ravel().tolist()) == {15, 30}


def test_looks_from_four_sides_are_two_pixels_aside() -> None:
    """Ink from column 22 to 37 is seen from 20 to 39, and no further."""
    again = looks_again(inked(220, 30))
    seen = np.flatnonzero((again[:, 0, 30, :, 0] == 30).any(0))

    assert (20, 39) == (seen.min(), seen.max())


def test_what_lies_around_a_tile_is_no_letter() -> None:
    """A white cloth beside a dark tile does not make its dark print a light one."""
    cut = inked(90, 20)
    around = np.ones((60, 60), bool)
    around[12:48, 12:48] = False
    cut[:, around] = 255

    assert light_letters(cut).tolist() == [False]
