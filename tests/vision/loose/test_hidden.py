"""Tiles whose letter is hidden by glare stay in their word, and no letter is guessed."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.vision.loose.glare import hides, show_hidden
from kibitz.vision.loose.words import line_up
from kibitz.vision.readings import LooseTile


def tile(letter: str, x: float, turn: float = 0.0, y: float = 50.0) -> LooseTile:
    """A tile 40 pixels wide, face down where it has no letter."""
    return LooseTile(letter or "?", bool(letter), (x, y), turn, 40.0, 0.8)


def test_hidden_tiles_go_on_a_word() -> None:
    """A burnt-out end of a word is part of it, upright as the word is, with all letters as likely."""
    tiles = (tile("R", 100), tile("A", 140), tile("", 181, 88.0), tile("", 222, 181.0))
    shown = show_hidden(tiles, np.array([False, False, True, True]), 4)

    assert [w.text for w in line_up(shown)] == ["RA??"]
    assert [t.angle_deg for t in shown] == [0.0, 0.0, 358.0, 1.0]
    assert np.allclose(np.exp(shown[3].letter_log_prob), 0.25)
    assert shown[3].confidence == pytest.approx(0.2)


@pytest.mark.parametrize("at", [(181.0, 110.0), (300.0, 50.0)])
def test_off_a_word_they_may_lie_face_down(at: tuple[float, float]) -> None:
    """A burnt-out tile that goes on no word is not taken for a face."""
    alone = tile("", at[0], y=at[1])
    shown = show_hidden((tile("R", 100), tile("A", 140), alone), np.array([False, False, True]), 4)

    assert shown[2] == alone


def test_a_back_that_shows_is_no_face() -> None:
    """A tile that lies face down in line with a word stays so where no glare hides it."""
    tiles = (tile("R", 100), tile("A", 140), tile("", 181))

    assert show_hidden(tiles, np.zeros(3, bool), 4) == tiles


def test_burnt_out_is_bright_in_every_channel() -> None:
    """White over most of a tile hides it; one channel alone does not."""
    cuts = np.full((2, 60, 60, 3), 120, np.uint8)
    cuts[0, :, :40] = 250
    cuts[1, :, :, 0] = 255

    assert hides(cuts).tolist() == [True, False]
