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

from kibitz.vision.boards.letters.scripts import SCRIPTS, ScriptRule, Scripts, leads, lower_case
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

    def is_told(self, features: Features, rule: ScriptRule = SCRIPTS) -> bool:
        """Whether tiles are printed in lower case.

        Args:
            features: (N, D) what the look left of the tiles whose letters are in doubt.
            rule: by how much it must be likelier.
        """
        if not len(features):
            return False
        said, labels = self.scripts.model.run(features), self.scripts.model.facts.labels
        return leads(said, labels, {"small": self.small, "capitals": self.capitals}, rule)

    def told(self, features: Features) -> Floats:
        """Log probabilities of letter and turn, (N, letters + 1, 4), of tiles that are so printed.

        Args:
            features: (N, D) what the look left of them.
        """
        known = places(self.scripts.model.facts.labels, (*self.small, BLANK))
        return log_softmax(self.scripts.model.run(features)[:, known], (-2, -1))
