"""Letters printed in lower case, noticed by all tiles of a board or a table together.

The looks at squares know capitals. Some small letters look like theirs (c, o, s, x), others like
nothing, or like another letter (n upside down is a u, and no N). The script network knows small
letters as letters of their own: where capitals read badly and the tiles together are likelier
small ones, they are read by these. What both cases print alike says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kibitz.vision.boards.letters.scripts import (
    Scripts,
    are_of,
    leads,
    lower_case,
)
from kibitz.vision.boards.square_logs import log_softmax, places
from kibitz.vision.readings import BLANK

Floats = NDArray[np.float32]
Features = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class LowerCase:
    """A tile set's letters as small ones.

    Attributes:
        scripts: the network that tells them, and the look that it goes by.
        capitals: the set's letters.
        small: these in lower case.
    """

    scripts: Scripts
    capitals: tuple[str, ...]
    small: tuple[str, ...]

    @staticmethod
    def of(scripts: Scripts, capitals: Sequence[str]) -> LowerCase | None:
        """Those of a set; None if it has letters of which no small ones are known."""
        known = scripts.model.facts.labels
        small = lower_case(capitals, known) if set(capitals) <= set(known) else ()
        return LowerCase(scripts, tuple(capitals), small) if small else None

    def may_be(self, features: Features) -> bool:
        """Whether some tiles, those that are most in doubt, are likelier small letters.

        Args:
            features: (N, D) what the look left of them.
        """
        model = self.scripts.model
        return bool(len(features)) and leads(model.run(features), model.facts.labels, self._sets)

    def is_told(self, features: Features) -> bool:
        """Whether all tiles together are likelier small letters, and read as such.

        Those in doubt may be a few small ones among capitals; and what reads badly either way is
        slanted or made by hand.

        Args:
            features: (N, D) what the look left of all tiles.
        """
        if not len(features):
            return False
        model = self.scripts.model
        return are_of(model.run(features), model.facts.labels, self._sets)

    @property
    def _sets(self) -> dict[str, tuple[str, ...]]:
        return {"small": self.small, "capitals": self.capitals}

    def told(self, features: Features) -> Floats:
        """Log probabilities of letter and turn, (N, letters + 1, 4), of tiles that are so printed.

        Args:
            features: (N, D) what the look left of them.
        """
        known = places(self.scripts.model.facts.labels, (*self.small, BLANK))
        return log_softmax(self.scripts.model.run(features)[:, known], (-2, -1))
