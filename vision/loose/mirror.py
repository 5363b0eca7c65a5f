"""Whether a picture shows loose tiles as in a mirror, told by the letters that have no axis.

Scattered letters read nearly as surely in a mirror: most capitals look like themselves there, or
like themselves upside down. An F, a G, an R or an S looks like no other, and numerals stand on the
other side. The script network knows Latin capitals in a mirror as letters of their own. Where all
tiles together are likelier these than the set's letters, small ones or those of another script,
the picture may be mirrored; it is if, swapped, more letters are told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.engine.tiles.sets import script_of
from kibitz.vision.boards.letters.lower_case import Features
from kibitz.vision.boards.letters.scripts import Scripts, are_of, in_mirror, leads, lower_case


@dataclass(frozen=True, slots=True, eq=False)
class InMirror:
    """A tile set's letters as a mirror shows them.

    Attributes:
        scripts: the network that tells them, and the look that it goes by.
        letters: the set's letters.
    """

    scripts: Scripts
    letters: tuple[str, ...]

    @staticmethod
    def of(scripts: Scripts, letters: Sequence[str]) -> InMirror | None:
        """Those of a set; None if it has letters that are not known in a mirror."""
        known = scripts.model.facts.labels
        every = {*letters, *in_mirror(letters)}
        return InMirror(scripts, tuple(letters)) if every <= set(known) else None

    def may_be(self, features: Features) -> bool:
        """Whether some tiles, those that are most in doubt, are likelier letters in a mirror.

        Args:
            features: (N, D) what the look left of them.
        """
        model = self.scripts.model
        sets = {"mirrored": in_mirror(self.letters), "plain": self.letters}
        return leads(model.run(features), model.facts.labels, sets)

    def is_told(self, features: Features) -> bool:
        """Whether all tiles together are likelier so than anything else, and read well so.

        Args:
            features: (N, D) what the look left of all tiles.
        """
        model = self.scripts.model
        labels, script = model.facts.labels, script_of(self.letters)
        others = {
            name: letters
            for name, letters in model.facts.tile_sets.items()
            if script_of(letters) != script
        }
        if small := lower_case(self.letters, labels):
            others["small"] = small
        sets = {"mirrored": in_mirror(self.letters), "plain": self.letters, **others}
        return are_of(model.run(features), labels, sets)
