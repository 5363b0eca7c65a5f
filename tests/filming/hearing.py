"""What a table says during a film, against what is true: everything once, and nothing else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tests.filming.script import Known, Saying

TAKEN_UP = re.compile(
    r"The play (?:comes off|is taken up)"
    r"|(?:takes )?(?P<word>\w+) (?:back and has the turn again|comes off|is taken up and laid)"
)
"""What is said of a play that was taken up, in any game."""


@dataclass(frozen=True)
class Said:
    """A line that was said, at so many seconds."""

    at: float
    line: str

    def __str__(self) -> str:
        return f"{self.at:.1f} s: {self.line}"


class Hearing:
    """Keeps what was said and is not explained, and what is true and was not said.

    A play may also be said as a correction of one that was said before it; of one that goes on
    only what is new is said.

    Attributes:
        unexplained: lines that nothing true has called for so far.
        missing: what is true and was not said yet.
    """

    def __init__(self) -> None:
        self.unexplained: list[Said] = []
        self.missing: list[Saying] = []
        self._excused: list[Said] = []
        self._said: list[Saying] = []
        self._taken_up: list[Saying] = []
        self._replaced: list[Saying] = []

    def believe(self, before: Known, now: Known) -> None:
        """Something else is true now.

        What was said and is no longer true was taken up, which is to be said; where something
        else is true in its place, saying that is enough.
        """
        if not self.missing:
            self._replaced = []
        new = list((Counter(now.said) - Counter(before.said)).elements())
        for gone in (Counter(before.said) - Counter(now.said)).elements():
            if gone in self._said:
                self._said.remove(gone)
                (self._replaced if new else self._taken_up).append(gone)
            elif gone in self.missing:  # undone before it could be said
                self.missing.remove(gone)
        self.missing += new
        self._explain()

    def hear(self, lines: Iterable[str], at: float) -> None:
        """A table says so."""
        self.unexplained += [Said(at, line) for line in lines]
        self._explain()

    def drop(self, since: float = 0.0) -> list[Said]:
        """What nothing explains since then is no longer asked about: people called for it.

        What will be true only later was said all the same.
        """
        dropped = [said for said in self.unexplained if said.at >= since]
        self._excused += dropped
        self.unexplained = [said for said in self.unexplained if said.at < since]
        return dropped

    def faults(self) -> list[str]:
        """What was said wrongly, or not at all, in words."""
        return [
            *(f"{said.at:.1f} s: said, but not so or not again: {said.line}" for said in self.unexplained),
            *(f"never said: {' '.join(saying.lines)}" for saying in self.missing if saying.needed),
            *(f"never said to be taken up: {saying.word}" for saying in self._taken_up if saying.lines),
        ]  # fmt: skip

    def _explain(self) -> None:
        for saying in list(self.missing):
            said = self._take(self._news_of(saying)) or self._take(saying.lines)
            if said or self._take_one(_corrects, saying):
                self.missing.remove(saying)
                self._said.append(saying)
        for gone in (self._taken_up, self._replaced):
            for saying in list(gone):
                if self._take_one(_takes_up, saying):
                    gone.remove(saying)

    def _news_of(self, saying: Saying) -> tuple[str, ...]:
        """The lines that were not said of what it goes on from; all of what was laid elsewhere."""
        heard = {line for gone in self._replaced for line in gone.lines}
        anew = any(
            _takes_up(said.line, gone) for gone in self._replaced for said in self.unexplained
        )
        return saying.lines if anew else tuple(x for x in saying.lines if x not in heard)

    def _take(self, lines: tuple[str, ...]) -> bool:
        """Whether all of these lines were said; they are explained then."""
        every = [*self.unexplained, *self._excused]
        open_lines = [said.line for said in every]
        if Counter(lines) - Counter(open_lines):
            return False
        for line in lines:
            at = open_lines.index(line)
            said = every.pop(at)
            del open_lines[at]
            (self.unexplained if said in self.unexplained else self._excused).remove(said)
        return True

    def _take_one(self, tells: Callable[[str, Saying], bool], saying: Saying) -> bool:
        found = next((s for s in self.unexplained if tells(s.line, saying)), None)
        if found is not None:
            self.unexplained.remove(found)
        return found is not None


def _corrects(line: str, saying: Saying) -> bool:
    """Whether a line puts right what was said before, and says this."""
    points = "" if saying.points is None else f" for {saying.points}"
    return bool(saying.word) and line.startswith(f"Correction: {saying.word}{points}, not ")


def _takes_up(line: str, saying: Saying) -> bool:
    """Whether a line says that this was taken up."""
    found = TAKEN_UP.search(line)
    return found is not None and found["word"] in (None, saying.word)
