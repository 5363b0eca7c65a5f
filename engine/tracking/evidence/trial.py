"""Asks a game what a change may have meant and tries each; which letter a blank may have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

from kibitz.engine.phrases import phrase
from kibitz.engine.record.ledger import Entry, Ledger
from kibitz.engine.rules import Accepted, Candidate, Change, Materials, Question, Refused
from kibitz.engine.table import UNKNOWN_BLANK, Axis, Grid, Square, Tile, tile_from_text
from kibitz.engine.tracking.evidence.expected import name_of, rules_grid
from kibitz.engine.tracking.evidence.interpretation import ANY_TILE
from kibitz.engine.tracking.evidence.priors import PLAYS, SEARCH, PlayPriors, SearchLimits
from kibitz.engine.tracking.questions import Kind


@dataclass(frozen=True, slots=True)
class Tried:
    """A ledger that accepted everything, and how likely that meaning is."""

    ledger: Ledger
    weight: float
    candidate: Candidate


def try_change(
    ledger: Ledger, change: Change, photo: int, priors: PlayPriors = PLAYS
) -> tuple[Tried | None, Refused | None]:
    """The first meaning of a change that the rules accept, else the first refusal."""
    refused: Refused | None = None
    for rank, candidate in enumerate(ledger.game.interpret(ledger.state, change)):
        after, problem = _play_all(ledger, candidate, photo)
        if problem is None:
            weight = priors.overruled * rank + word_weight(ledger, after, priors)
            return Tried(after, weight, candidate), None
        refused = refused or problem
    return None, refused


def _play_all(ledger: Ledger, candidate: Candidate, photo: int) -> tuple[Ledger, Refused | None]:
    now = ledger
    for action in candidate.actions:
        now, verdict = now.add(Entry(action, photo))
        if isinstance(verdict, Refused):
            return ledger, verdict
    return now, None


def may_be_word(word: str, materials: Materials, limits: SearchLimits = SEARCH) -> bool:
    """Whether a string is in the list, with some letters for its blanks that nobody named.

    Where there are more ways to letter them than are looked through, it may be.
    """
    lexicon, letters = materials.lexicon, materials.tile_set.letters
    blanks, tiles = word.count(UNKNOWN_BLANK), materials.tile_set.tiles_in(word)
    if not blanks:
        return materials.is_word(word)
    if blanks == 1:
        before, _, after = tiles.partition(UNKNOWN_BLANK)
        return any(before + x + after in lexicon for x in letters)
    lettered = tiles.replace(UNKNOWN_BLANK, "{}").format
    ways = product(letters, repeat=blanks)
    some = islice(ways, limits.looked_through)
    return any(lettered(*way) in lexicon for way in some) or next(ways, None) is not None


def word_weight(before: Ledger, after: Ledger, priors: PlayPriors = PLAYS) -> float:
    """What the words of the new entries say: a word outside the list makes a reading doubtful."""
    materials = before.opening.materials
    bad = 0
    for done in after.done[len(before.done) :]:
        for word in words_in(done.verdict):
            bad += not may_be_word(word, materials)
    return priors.bad_word * bad


def has_strange_word(verdict: Accepted, materials: Materials) -> bool:
    """Whether a verdict names a word that is not in the list."""
    return any(not may_be_word(w, materials) for w in words_in(verdict))


def words_in(verdict: Accepted) -> tuple[str, ...]:
    """The words that a verdict names, without their scores."""
    words = verdict.result.get("words") or ()
    return tuple(str(w["word"]) if isinstance(w, Mapping) else str(w) for w in words)


@dataclass(frozen=True, slots=True)
class Strings:
    """Every string of two or more letters that new tiles make, whatever they bear (rule 0.3).

    Attributes:
        runs: the squares of each.
        letters: what lies on those that are not new.
    """

    runs: tuple[tuple[Square, ...], ...]
    letters: Mapping[Square, str]

    def bearing(self, laid: Mapping[Square, str]) -> list[str]:
        """The strings with letters on the new tiles."""
        new = {s: tile_from_text(x).letter for s, x in laid.items()}
        letters = {**self.letters, **new}
        return ["".join([letters[s] for s in run]) for run in self.runs]


def strings_on(grid: Grid, squares: Iterable[Square]) -> Strings:
    """The strings that new tiles on some squares make."""
    tiles, runs = grid.tiles, tuple(_runs_through(grid, squares))
    return Strings(runs, {s: tiles[s].letter for run in runs for s in run if s in tiles})


def _runs_through(grid: Grid, squares: Iterable[Square]) -> list[tuple[Square, ...]]:
    new = tuple(squares)
    whole = grid.with_tiles(dict.fromkeys(new, ANY_TILE))
    axes: tuple[Axis, Axis] = ("across", "down")
    runs: list[tuple[Square, ...]] = []
    for axis in axes:
        held: set[Square] = set()
        for square in new:
            if square not in held:
                run = whole.run_through(square, axis).squares
                held.update(run)
                if len(run) > 1:
                    runs.append(run)
    return runs


def strange_words(ledger: Ledger, strings: Strings, laid: Mapping[Square, str]) -> int:
    """How many strings of a play are outside the list, from whichever side they are read."""
    materials = ledger.opening.materials
    word_of = materials.tile_set.word_of
    missing = [w for w in strings.bearing(laid) if not may_be_word(word_of(w), materials)]
    if not ledger.game.info.surface.facing:
        return len(missing)
    return sum(not may_be_word(word_of(w[::-1]), materials) for w in missing)


def tiles_left(count_of: Mapping[str, int], lying: Iterable[Tile]) -> dict[str, int]:
    """How many tiles of each letter are not on the board; `?` are the blanks."""
    left = dict(count_of)
    for tile in lying:
        letter = UNKNOWN_BLANK if tile.blank else tile.letter
        left[letter] = left.get(letter, 0) - 1
    return left


def blank_question(ledger: Ledger, laid: Mapping[Square, str], most: int) -> Question | None:
    """The question for the first blank of a play whose letter nobody told.

    Args:
        ledger: the game after the play.
        laid: the play's tiles.
        most: letters offered.
    """
    blanks = [s for s in sorted(laid) if laid[s] == UNKNOWN_BLANK]
    if not blanks:
        return None
    square = blanks[0]
    grid = rules_grid(ledger.game, ledger.state)
    if square not in grid:
        return None
    name = name_of(square, grid.rows)
    choices = likely_letters(ledger, grid, square, most)
    return Question(
        Kind.BLANK, phrase("Which letter is the blank on {square}?", square=name), choices, name
    )


def likely_letters(
    ledger: Ledger, grid: Grid, square: Square, most: int = SEARCH.offered
) -> tuple[str, ...]:
    """Letters for a blank: those that make only good words, the common ones first."""
    materials = ledger.opening.materials
    letters = sorted(materials.tile_set.letters, key=lambda x: -materials.tile_set.count(x))
    runs = _runs_through(grid, (square,))
    good = []
    for letter in letters:
        new = Tile(letter, blank=True)
        words = [
            _as_read([new if s == square else grid.tiles[s] for s in run], new) for run in runs
        ]
        # a word with another unknown blank cannot be judged yet
        if all(UNKNOWN_BLANK in w or w in materials.lexicon for w in words):
            good.append(letter)
    return tuple(map(materials.tile_set.word_of, (good or letters)[:most]))


def _as_read(run: Sequence[Tile], blank: Tile) -> str:
    """A string as its player reads it: the tiles beside a blank say which way it faces."""
    turned = all(tile.turn == 2 for tile in run if tile is not blank)
    return "".join(tile.letter for tile in (reversed(run) if turned else run))
