"""Scripts that the looks were not trained on, and detection of a tile's script.

What the large look at a square leaves before its answers tells letters apart that it has no name
for. A layer of its own makes likelihoods of it: of every letter of every tile set that Kibitz
knows, each way up. So a set of another script is read by its own letters; and where the letters of
a board read badly as those that were told, all its tiles together say whether they are of another.
Many letters are the same in several scripts (A, O, T): they say nothing, and the others decide.

Letters in lower case are told in the same way. The looks at squares know capitals; some small
letters look like theirs (c, o, s, x), others like nothing, or like another (n upside down is a u).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kibitz.engine.parameters import checked, number
from kibitz.engine.tiles.sets import script_of
from kibitz.models.session import Model
from kibitz.vision.boards.square_logs import log_softmax, log_sum, places, sums
from kibitz.vision.readings import BLANK, SURE

Floats = NDArray[np.float32]
SMALL: Final = " in lower case"
"""Added to a tile set's name where its letters are small ones."""


@dataclass(frozen=True, slots=True)
class ScriptRule:
    """When tiles are of another script than the given one."""

    each: float = number(
        0.3, "nats a tile", 0.0, 10.0, "by so much tiles must be likelier in the other script"
    )
    poor: float = number(
        -0.65, "nats a tile", -5.0, 0.0, "what reads worse as letters of another kind is not of it"
    )

    def __post_init__(self) -> None:
        checked(self)


SCRIPTS: Final = ScriptRule()


@dataclass(frozen=True, eq=False)
class Scripts:
    """Letters of every script, by close looks at single squares.

    Attributes:
        look: the network that looks at squares.
    """

    look: Model

    @property
    def known(self) -> tuple[str, ...]:
        """All letters that it tells."""
        return self.look.facts.script_labels

    def labels(self, letters: Sequence[str]) -> tuple[str, ...]:
        """The tile set's letters that can be read, then the blank."""
        return (*(x for x in letters if x in self.known), BLANK)

    def labels_of(self, tile_set: str) -> tuple[str, ...]:
        """Letters of a named tile set."""
        return self.look.facts.tile_sets[tile_set]

    def likelihoods(self, cuts: NDArray[np.uint8]) -> Floats:
        """(N, letters, 4) log likelihoods of letter and turn of tiles, (N, side, side, 3)."""
        return self.look.look(cuts).scripts

    def letter_logs(self, cuts: NDArray[np.uint8], letters: Sequence[str]) -> Floats:
        """Log probabilities of letter and turn, (N, letters + 1, 4), within a set."""
        known = places(self.known, self.labels(letters))
        return log_softmax(self.likelihoods(cuts)[:, known], (-2, -1))

    def knows(self, cuts: NDArray[np.uint8], letters: Sequence[str]) -> float:
        """Share of tiles that are read correctly within their set.

        Args:
            cuts: (N, side, side, 3).
            letters: what each of them is, `?` a blank.
        """
        if not set(letters) <= set(self.known):
            return 0.0
        labels = self.labels([x for x in dict.fromkeys(letters) if x != BLANK])
        best = self.letter_logs(cuts, labels[:-1]).max(-1).argmax(-1)
        return float(np.mean([labels[k] == x for k, x in zip(best, letters, strict=True)]))

    def shares(self, cuts: NDArray[np.uint8], letters: Sequence[str]) -> tuple[Floats, Floats]:
        """Log probabilities that tiles are these letters, (N,), or others of their script.

        Args:
            cuts: (N, side, side, 3) tiles.
            letters: the letters, all of which the network knows; a blank may be among them.
        """
        script = script_of(x for x in letters if x != BLANK)
        every = self.look.facts.tile_sets.values()
        sets = (own for own in every if script_of(own) == script)
        pool = dict.fromkeys((*letters, *chain(*sets)))
        logs = log_sum(self.likelihoods(cuts)[:, places(self.known, tuple(pool))], -1)
        probs = log_softmax(logs)
        known, others = probs[:, : len(letters)], probs[:, len(letters) :]
        return log_sum(known, -1), log_sum(others, -1)

    def other(self, cuts: NDArray[np.uint8], letters: Sequence[str]) -> tuple[str, ...]:
        """Tile sets of the board's script, if it is another than the given one.

        Args:
            cuts: (N, side, side, 3) the board's tiles.
            letters: those that were told.
        """
        return self.other_of(self.likelihoods(cuts), letters) if len(cuts) else ()

    def other_of(self, said: Floats, letters: Sequence[str]) -> tuple[str, ...]:
        """The same from likelihoods."""
        found = likeliest_other(said, self.known, self._sets, script_of(letters))
        return tuple(dict.fromkeys(name.removesuffix(SMALL) for name in found))

    def chance_of_script(self, said: Floats, letters: Sequence[str], reads: float) -> float:
        """Probability that a board's tiles are of the given script.

        Args:
            said: their likelihoods.
            letters: those that were told.
            reads: how well the tiles read as these, in nats a tile.
        """
        return chance_of(said, self.known, self._sets, letters, reads) if len(said) else 1.0

    @cached_property
    def _sets(self) -> dict[str, tuple[str, ...]]:
        """Letters of every tile set, and of those in lower case that are known."""
        sets = dict(self.look.facts.tile_sets)
        for name, capitals in self.look.facts.tile_sets.items():
            if small := lower_case(capitals, self.known):
                sets[name + SMALL] = small
        return sets


@dataclass(frozen=True, slots=True, eq=False)
class LowerCase:
    """Lower-case forms of a tile set's letters.

    Attributes:
        scripts: what tells them.
        capitals: the set's letters.
        small: these in lower case.
    """

    scripts: Scripts
    capitals: tuple[str, ...]
    small: tuple[str, ...]

    @staticmethod
    def of(scripts: Scripts, capitals: Sequence[str]) -> LowerCase | None:
        """Lower-case forms of a set; None if some are unknown."""
        known = scripts.known
        small = lower_case(capitals, known) if set(capitals) <= set(known) else ()
        return LowerCase(scripts, tuple(capitals), small) if small else None

    def may_be(self, said: Floats) -> bool:
        """True if the most doubtful tiles are likelier lower case, by their likelihoods."""
        return bool(len(said)) and leads(said, self.scripts.known, self._sets)

    def is_lower_case(self, said: Floats) -> bool:
        """True if all tiles together are likelier lower case, and read well so.

        Those in doubt may be a few small ones among capitals; and what reads badly either way is
        slanted or made by hand.

        Args:
            said: likelihoods of all tiles.
        """
        return bool(len(said)) and are_of(said, self.scripts.known, self._sets)

    @property
    def _sets(self) -> dict[str, tuple[str, ...]]:
        return {"small": self.small, "capitals": self.capitals}

    def letter_logs(self, said: Floats) -> Floats:
        """Log probabilities of letter and turn, (N, letters + 1, 4), in lower case.

        Args:
            said: likelihoods of the tiles.
        """
        known = places(self.scripts.known, (*self.small, BLANK))
        return log_softmax(said[:, known], (-2, -1))


def chance_of(
    likelihoods: Floats,
    labels: Sequence[str],
    sets: Mapping[str, Sequence[str]],
    letters: Sequence[str],
    reads: float,
) -> float:
    """Probability that tiles are of these letters' script rather than of the likeliest other.

    How much better they read as these than in the other counts beside what they look like. In
    noise and blur they are a little like letters of every script: what reads badly in the other,
    and no better than as these, says nothing.

    Args:
        likelihoods: (N, letters, 4) of the tiles.
        labels: the letters.
        sets: the letters of each set.
        letters: those that were told.
        reads: how well the tiles read as these, in nats a tile.
    """
    said, script = evidence(likelihoods, labels, sets), script_of(letters)
    own = [nats for name, nats in said.items() if script_of(sets[name]) == script]
    others = {name: nats for name, nats in said.items() if script_of(sets[name]) != script}
    if not own or not others:
        return 1.0
    other = max(others, key=lambda name: others[name])
    there = reads_as(likelihoods, labels, sets[other])
    if there <= min(reads, SCRIPTS.poor):
        return 1.0
    here = max(own) + len(likelihoods) * (reads - there)
    return float(np.exp(here - np.logaddexp(here, others[other])))


def in_doubt_of(both: Floats, chance: float) -> Floats:
    """Letters whose confidence is reduced by the doubt about their script.

    Else they may be any; whichever they are, they face the way that they face, and a blank is one
    in every script.

    Args:
        both: (..., letters + 1, 4) log probabilities of letter, the blank last, and turn.
        chance: how probable it is that they are of that script.
    """
    chances = np.exp(both)
    letters = chances[..., :-1, :]
    letters += (1 - chance) * (letters.mean(-2, keepdims=True) - letters)
    return np.asarray(np.log(np.maximum(chances, np.finfo(np.float32).tiny)), np.float32)


def likeliest_other(
    likelihoods: Floats,
    labels: Sequence[str],
    sets: Mapping[str, Sequence[str]],
    told: str,
) -> tuple[str, ...]:
    """Tile sets of the tiles' script, likeliest first, if it is another one.

    Nothing where another does not lead by enough, or its letters read no better than those told,
    or badly: what is blurred is a little like letters of every script.

    Args:
        likelihoods: (N, letters, 4) of the tiles.
        labels: the letters.
        sets: the letters of each set.
        told: the script that they should be of.
    """
    said = evidence(likelihoods, labels, sets)
    order = sorted(said, key=lambda name: -said[name])
    script = script_of(sets[order[0]])
    own = [name for name in order if script_of(sets[name]) == told]
    first = {name: sets[name] for name in (order[0], *own[:1])}
    if script == told or not leads(likelihoods, labels, first):
        return ()
    if reads_as(likelihoods, labels, sets[order[0]]) <= SCRIPTS.poor:
        return ()
    return tuple(name for name in order if script_of(sets[name]) == script)


def leads(
    likelihoods: Floats,
    labels: Sequence[str],
    sets: Mapping[str, Sequence[str]],
) -> bool:
    """True if tiles fit the first set better than any other, if there is one.

    Args:
        likelihoods: (N, letters, 4) of the tiles.
        labels: the letters.
        sets: the letters of each.
    """
    said = evidence(likelihoods, labels, sets)
    first, *others = said.values()
    if first - max(others, default=-np.inf) < max(SURE.together, SCRIPTS.each * len(likelihoods)):
        return False
    read, *less = (reads_as(likelihoods, labels, letters) for letters in sets.values())
    return read > max(less, default=-np.inf)


def are_of(
    likelihoods: Floats,
    labels: Sequence[str],
    sets: Mapping[str, Sequence[str]],
) -> bool:
    """True if tiles fit the first set best and read well in it.

    What reads badly as any of them is blurred, slanted or made by hand.

    Args:
        likelihoods: (N, letters, 4) of the tiles.
        labels: the letters.
        sets: the letters of each.
    """
    read = reads_as(likelihoods, labels, next(iter(sets.values())))
    return read > SCRIPTS.poor and leads(likelihoods, labels, sets)


def lower_case(letters: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
    """Lower-case forms of capitals, if all are among the labels; else empty."""
    small = tuple(x.lower() for x in letters)
    other = set(small).isdisjoint(letters)
    return small if other and set(small) <= set(labels) else ()


def reads_as(likelihoods: Floats, labels: Sequence[str], letters: Sequence[str]) -> float:
    """Mean log probability of the likeliest letter and turn in a set.

    Args:
        likelihoods: (N, letters, 4) of the tiles.
        labels: the letters.
        letters: those of the set.
    """
    known = places(tuple(labels), (*letters, BLANK))
    logs = log_softmax(likelihoods[:, known], (-2, -1)).max((-2, -1))
    return float(np.maximum(logs, SURE.least_said).mean())


def evidence(
    likelihoods: Floats,
    labels: Sequence[str],
    sets: Mapping[str, Sequence[str]],
) -> dict[str, float]:
    """Log likelihood of each set for a board's tiles, relative to each tile's best.

    Every letter of a set is as likely, and every way up.

    Args:
        likelihoods: (N, letters, 4) of the tiles.
        labels: the letters.
        sets: the letters of each set.
    """
    best = likelihoods.max((1, 2), keepdims=True)
    share = _shares(tuple(labels), tuple(map(tuple, sets.values())))
    of_set = np.maximum(sums(np.exp(likelihoods - best), -1) @ share, np.finfo(np.float32).tiny)
    beside = np.log(np.maximum(of_set / of_set.max(-1, keepdims=True), np.exp(SURE.least_said)))
    return dict(zip(sets, beside.sum(0).tolist(), strict=True))


@lru_cache(maxsize=2)
def _shares(labels: tuple[str, ...], sets: tuple[tuple[str, ...], ...]) -> Floats:
    """(letters, sets) prior of each letter in each set, uniform within a set."""
    out = np.zeros((len(labels), len(sets)), np.float32)
    for of_set, letters in zip(out.T, sets, strict=True):
        of_set[places(labels, letters)] = 1 / len(letters)
    return out
