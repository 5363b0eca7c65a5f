"""A reading of loose tiles leaves out what is most likely no tile."""

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
from kibitz.vision.loose.letters import by_looks
from kibitz.vision.readings import LooseTile


class Letters:
    """In a network's place: every tile shows an A, so surely as told."""

    facts = SimpleNamespace(labels=("A", "B", "?"), temperature=1.0)

    def __init__(self, letter: float) -> None:
        self.logit = float(np.log(letter / (1 - letter) * 11))

    def run(self, cuts: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Logits as the closer look gives them."""
        out = np.zeros((len(cuts), 4 + 3 * 4), np.float32)
        out[:, 4] = self.logit
        return out


@pytest.mark.parametrize(
    ("sure", "up", "letter", "count"),
    [(0.3, 0.9, 0.9, 1), (0.25, 0.9, 0.2, 0), (0.15, 0.1, 0.9, 0), (0.25, 0.1, 0.9, 1)],
)
def test_what_is_unlikely_is_left_out(sure: float, up: float, letter: float, count: int) -> None:
    """A face counts if tile and letter together are likely, a back if the tile alone is."""
    assert len(read_one(Letters(letter), sure, up)) == count


@pytest.mark.parametrize(("up", "letter"), [(0.32, "A"), (0.28, "?"), (0.6, "A")])
def test_what_may_lie_face_up_is_looked_at_for_a_letter(up: float, letter: str) -> None:
    """The closer look tells what shows a letter; what surely lies face down is left alone."""
    (tile,) = read_one(Letters(0.99), 0.9, up)

    assert (tile.letter, tile.face_up) == (letter, letter != "?")


def read_one(letters: Letters, sure: float, up: float) -> tuple[LooseTile, ...]:
    """A picture of one thing that is so likely a tile, and so likely face up."""
    model: Any = letters

    def one_spot(_picture: Pyramid, _model: object) -> Spots:
        return Spots(np.array([(100, 100, 40, 0.0)]), np.array([up]), np.array([sure]))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loose_tiles, "find_tiles", one_spot)
        tiles, *_ = loose_tiles.read_loose(
            np.full((200, 200, 3), 90, np.uint8),
            model,
            by_looks(Glyphs(model, model), ("A", "B")),
        )
    return tiles
