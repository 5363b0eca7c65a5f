"""What tiles of a drawn sheet are called as a mirror shows them."""

from __future__ import annotations

import numpy as np

from kibitz.models.training.drawing.script_sheets import labels
from kibitz.models.training.sampling.script_looks import mirrored
from kibitz.vision.boards.letters.scripts import in_mirror
from kibitz.vision.readings import BLANK


def test_a_sheets_letters_have_names_of_their_own_in_a_mirror():
    """Its blank, which comes last, looks the same there and is left out."""
    sheet = np.array([labels().index(x) for x in ("F", "Q", BLANK)], np.uint16)

    assert [*in_mirror("FQ")] == [labels()[k] for k in mirrored(sheet)]
