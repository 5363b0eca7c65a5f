"""Evidence for the meaning of a picture: its readings and alternatives."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypedDict

from kibitz.engine.phrases import phrase
from kibitz.engine.table import Square
from kibitz.engine.tracking.evidence.changes import (
    BoardView,
    SquareView,
    looks_like,
    ranked_letters,
    seen_tile,
)
from kibitz.engine.tracking.evidence.hypotheses import Finding, Hypothesis, name_of
from kibitz.engine.tracking.evidence.loose_table import UpTile
from kibitz.engine.tracking.evidence.priors import SearchLimits, TrackingPriors
from kibitz.engine.tracking.explanations.letters import strange, with_letters
from kibitz.engine.tracking.explanations.missed_plays import label_of


class ReadingLine(TypedDict):
    """Reading of one place as probabilities, likeliest first."""

    square: str
    empty: float
    tile: float
    covered: float
    letters: dict[str, float]


class MeaningLine(TypedDict):
    """A possible meaning, its weight in nats against the likeliest, and its share."""

    means: str
    weight: float
    share: float


class Evidence(TypedDict):
    """Evidence for the meaning of a picture."""

    readings: list[ReadingLine]
    alternatives: list[MeaningLine]


NOTHING: Final[Evidence] = {"readings": [], "alternatives": []}

SHOWED = {
    "no_change": phrase("nothing new"),
    "covered": phrase("a hand hides part of it"),
    "taken_back": phrase("the last play taken up again"),
    "board_changed": phrase("the board disturbed"),
    "task_done": phrase("a task done"),
    "question": phrase("tiles that are no play"),
    "play": phrase("a play"),
    "several": phrase("several plays"),
    "unreadable": phrase("nothing that can be read"),
}
"""What a picture may have shown, in words, by the status of its line."""


def evidence(
    hypotheses: Sequence[Hypothesis],
    view: BoardView | None,
    priors: TrackingPriors,
    also: Iterable[Square] = (),
) -> Evidence:
    """Evidence for the meaning of the newest picture, in JSON's form.

    Args:
        hypotheses: the games that may have led to it, likeliest first.
        view: what the picture showed; None if no board was in sight.
        priors: how many meanings, and letters of a tile, are named, and what is in doubt.
        also: squares that matter beside those that changed: letters put right, or asked about.

    Returns:
        `readings`: what was read on each square that matters; `alternatives`: what the picture
        may have meant, likeliest first, each with its weight in nats against the first and its
        share of the whole.
    """
    if view is None or not hypotheses:
        return NOTHING
    ways: dict[str, float] = {}
    squares: set[Square] = set(also)
    for hypothesis in hypotheses:
        finding = hypothesis.findings[-1] if hypothesis.findings else None
        if finding is None:
            continue
        ways.setdefault(_meaning(hypothesis, finding), hypothesis.weight)
        squares |= {*finding.laid, *finding.removed, *finding.not_laid, *finding.turned}
        squares |= hypothesis.clearing
    for meaning, weight in _with_other_letters(hypotheses[0], view, priors):
        ways.setdefault(meaning, weight)
    size, limits = hypotheses[0].lying.rows, priors.search
    likely = sorted(ways.items(), key=lambda x: -x[1])[: limits.offered]
    shown = [s for s in sorted(squares) if s in view.squares]
    return {
        "readings": [_reading(s, view[s], size, limits.offered) for s in shown],
        "alternatives": _shares(dict(likely)),
    }


def _with_other_letters(
    hypothesis: Hypothesis, view: BoardView, priors: TrackingPriors
) -> Iterator[tuple[str, float]]:
    """Yield the plays with one new tile read as another possible letter, and weights.

    Pictures are weighed by whole plays, of which only the likeliest letters are kept.
    """
    if not hypothesis.findings:
        return
    laid, lying = hypothesis.findings[-1].laid, hypothesis.lying.tiles
    odd = strange(hypothesis.ledger, priors.plays)
    tiles = ((s, lying[s]) for s in sorted(laid) if s in lying)
    others = (
        (square, tile, letter)
        for square, tile in tiles
        for letter, _ in ranked_letters(view[square], priors.plays.clear)
        if letter != looks_like(tile)
    )
    for square, tile, letter in others:
        changed = with_letters(hypothesis, {square: letter})
        if changed is None:
            continue
        lead = view.fit(square, seen_tile(letter)) - view.fit(square, tile)
        words = odd - strange(changed.ledger, priors.plays)
        yield _meaning(changed, changed.findings[-1]), hypothesis.weight + lead + words


def _meaning(hypothesis: Hypothesis, finding: Finding) -> str:
    """Meaning of a picture in a hypothesis, as text."""
    ledger = hypothesis.ledger
    first = len(ledger.done)
    while first and ledger.done[first - 1].entry.photo == finding.photo:
        first -= 1
    start = ledger.opening
    before = type(ledger)(start, ledger.start, ledger.done[:first])
    what = label_of(before, ledger)
    told = SHOWED.get(finding.status, finding.status)
    if finding.not_laid:
        what = "".join(finding.not_laid[s] for s in sorted(finding.not_laid))
    return phrase("{showed}: {what}", showed=told, what=what) if what else told


def _shares(ways: Mapping[str, float]) -> list[MeaningLine]:
    """Weights against the likeliest, and shares that sum to one."""
    top = max(ways.values(), default=0.0)
    whole = sum(math.exp(w - top) for w in ways.values())
    return [
        {"means": text, "weight": round(w - top, 2), "share": round(math.exp(w - top) / whole, 4)}
        for text, w in sorted(ways.items(), key=lambda x: -x[1])
    ]


def reading_of_tile(place: str, tile: UpTile, most: int) -> ReadingLine:
    """Reading of a loose tile as probabilities.

    Args:
        place: where it lies, in words.
        tile: as it was seen.
        most: so many letters are named.
    """
    return {
        "square": place,
        "empty": 0.0,
        "tile": round(tile.sure, 3),
        "covered": 0.0,
        "letters": _likeliest(tile.letters, most),
    }


def meanings_of_tiles(
    groups: Sequence[tuple[str, Sequence[UpTile]]], limits: SearchLimits
) -> list[MeaningLine]:
    """Possible meanings of new tiles on a bare table, likeliest first.

    Args:
        groups: where tiles lie together, in words, and these tiles in their order.
        limits: how many meanings are named.

    Returns:
        The likeliest letters, then those with one other letter, or with one tile that is none,
        each with its weight in nats against the first and its share of the whole.
    """
    best = [[tile.best for tile in tiles] for _, tiles in groups]
    if not any(best):
        return []
    ways = {_told_there(groups, best): 0.0}
    for k, (_, tiles) in enumerate(groups):
        for i, tile in enumerate(tiles):
            for letter, lead in _instead(tile):
                other = [list(word) for word in best]
                other[k][i] = letter
                ways.setdefault(_told_there(groups, other), lead)
    first = sorted(ways.items(), key=lambda x: -x[1])[: limits.offered]
    return _shares(dict(first))


def _instead(tile: UpTile) -> Iterator[tuple[str, float]]:
    """Yield other letters of a tile, or none as it is no tile, with weights against the best."""
    chances = {x: p * tile.sure for x, p in tile.letters.items()} | {"": 1.0 - tile.sure}
    here = chances.pop(tile.best, 0.0)
    if here > 0:
        yield from ((x, math.log(p / here)) for x, p in chances.items() if p > 0)


def _told_there(groups: Sequence[tuple[str, Sequence[UpTile]]], words: list[list[str]]) -> str:
    """Letters with their places, as text."""
    told = [
        phrase("{showed}: {what}", showed=place, what="".join(word))
        for (place, _), word in zip(groups, words, strict=True)
        if any(word)
    ]
    return "; ".join(told) or str(SHOWED["no_change"])


def _likeliest(letters: Mapping[str, float], most: int) -> dict[str, float]:
    """Probabilities to the thousandth, without those that round to zero."""
    first = sorted(letters.items(), key=lambda x: (-x[1], x[0]))[:most]
    return {x: told for x, p in first if (told := round(p, 3))}


def _reading(square: Square, seen: SquareView, size: int, most: int) -> ReadingLine:
    """Reading of a square as probabilities."""
    return {
        "square": name_of(square, size),
        "empty": round(seen.empty, 3),
        "tile": round(seen.tile, 3),
        "covered": round(seen.covered, 3),
        "letters": _likeliest(seen.letters, most) if seen.tile > 0 else {},
    }
