"""Signs of icon typefaces are drawn as marks on blanks; none of them is a letter."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from kibitz.models.training.drawing import icons
from kibitz.models.training.drawing.blank_marks import blank_mark
from kibitz.models.training.drawing.mark_shapes import DRAWN_PX


def test_a_sign_fills_its_square():
    """It reaches two opposite sides, and leaves some of the square bare."""
    for seed in range(20):
        inked = icons.icon(np.random.default_rng(seed)) > 0.1
        across, down = (np.flatnonzero(inked.any(axis)) for axis in (0, 1))
        longest = max(np.ptp(across), np.ptp(down))

        assert inked.shape == (DRAWN_PX, DRAWN_PX)
        assert longest > 0.85 * DRAWN_PX
        assert 0.01 < inked.mean() < 0.9


def test_held_out_signs_are_no_others():
    """About one in a dozen is left out, half of them to fit on, and none in another typeface."""
    trained, fitted, held_out = (icons.signs(part) for part in get_args(icons.Part))
    listed = {face: name for name, faces in icons.FACES.items() for face in faces}

    def codes(signs):
        return {(listed[face], char) for face, char in signs}

    assert set() == codes(trained) & codes(held_out)
    assert set() == codes(fitted) & codes({*trained, *held_out})
    assert 3000 < len(trained)
    assert 0.03 < len(held_out) / len(trained) < 0.1
    assert 0.03 < len(fitted) / len(trained) < 0.1


@pytest.mark.parametrize("listed", icons.FACES)
def test_no_sign_is_named_for_a_letter_or_a_number(listed):
    """A C in a circle is a letter to whoever reads it."""
    lines = (icons.ICONS_DIR / f"{listed}.txt").read_text(encoding="utf-8").splitlines()
    words = [set(line.split()[1].split("-")) for line in lines]

    assert [] == [x for x in words if any(len(w) == 1 or w.isdigit() for w in x)]
    assert [] == [x for x in words if x & {"alphabet", "letter", "number", "type", "badge"}]


def test_sets_with_icons_have_them_on_their_blanks(monkeypatch):
    """Sets without them have none, and look as they did."""
    asked, icon = [], icons.icon

    def remember(rng, part):
        asked.append(part)
        return icon(rng, part)

    monkeypatch.setattr(icons, "icon", remember)
    counts = []
    for signs in ("fitted", None):
        asked.clear()
        for seed in range(60):
            face = np.full((48, 44, 3), 0.85, np.float32)
            blank_mark(np.random.default_rng(seed), face, (0.1,) * 3, None, signs=signs)
        counts.append(asked.count(signs))

    assert 20 <= counts[0] <= 40
    assert 0 == counts[1]
    assert [] == asked
