"""Why a picture was taken to mean what it was: what was read, and what else it may have meant."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kibitz.engine.table import Square
from kibitz.engine.tracking.evidence.changes import BoardView, SquareView
from kibitz.engine.tracking.evidence.expected import name_of
from kibitz.engine.tracking.evidence.hypotheses import Finding, Hypothesis
from kibitz.engine.tracking.evidence.priors import SearchLimits
from kibitz.engine.tracking.explanations.missed_plays import label_of

SHOWED = {
    "no_change": "nothing new",
    "covered": "a hand hides part of it",
    "taken_back": "the last play taken up again",
    "board_changed": "the board disturbed",
    "task_done": "a task done",
    "question": "tiles that are no play",
    "play": "a play",
    "several": "several plays",
    "unreadable": "nothing that can be read",
}
"""What a picture may have shown, in words, by the status of its line."""


def explanation(
    hypotheses: Sequence[Hypothesis],
    view: BoardView | None,
    limits: SearchLimits,
    also: Iterable[Square] = (),
) -> dict[str, Any]:
    """Why the newest picture was taken to mean what it was, as JSON holds it.

    Args:
        hypotheses: the games that may have led to it, likeliest first.
        view: what the picture showed; None if no board was in sight.
        limits: how many meanings, and letters of a tile, are named.
        also: squares that matter beside those that changed: letters put right, or asked about.

    Returns:
        `readings`: what was read on each square that matters; `alternatives`: what the picture
        may have meant, likeliest first, each with its weight in nats against the first and its
        share of the whole.
    """
    if view is None or not hypotheses:
        return {"readings": [], "alternatives": []}
    ways: dict[str, float] = {}
    squares: set[Square] = set(also)
    for hypothesis in hypotheses:
        finding = hypothesis.findings[-1] if hypothesis.findings else None
        if finding is None:
            continue
        ways.setdefault(_meaning(hypothesis, finding), hypothesis.weight)
        squares |= {*finding.laid, *finding.removed, *finding.not_laid, *finding.turned}
        squares |= hypothesis.clearing
    size = hypotheses[0].lying.rows
    shown = [s for s in sorted(squares) if s in view.squares]
    return {
        "readings": [_reading(s, view[s], size, limits.offered) for s in shown],
        "alternatives": _shares(dict(list(ways.items())[: limits.offered])),
    }


def _meaning(hypothesis: Hypothesis, finding: Finding) -> str:
    """What a picture meant if this is how the game went."""
    ledger = hypothesis.ledger
    first = len(ledger.done)
    while first and ledger.done[first - 1].entry.photo == finding.photo:
        first -= 1
    start = ledger.opening
    before = type(ledger)(start, ledger.start, ledger.done[:first])
    what = label_of(before, ledger)
    told = SHOWED.get(finding.status, finding.status)
    if finding.status == "question" and finding.not_laid:
        return f"{told}: {''.join(finding.not_laid[s] for s in sorted(finding.not_laid))}"
    return f"{told}: {what}" if what else told


def _shares(ways: Mapping[str, float]) -> list[dict[str, Any]]:
    """Weights against the likeliest, and as shares that add up to one."""
    top = max(ways.values(), default=0.0)
    whole = sum(math.exp(w - top) for w in ways.values())
    return [
        {"means": text, "weight": round(w - top, 2), "share": round(math.exp(w - top) / whole, 4)}
        for text, w in sorted(ways.items(), key=lambda x: -x[1])
    ]


def _reading(square: Square, seen: SquareView, size: int, most: int) -> dict[str, Any]:
    """What was read on a square, as probabilities."""
    letters = sorted(seen.letters.items(), key=lambda x: (-x[1], x[0]))[:most]
    return {
        "square": name_of(square, size),
        "empty": round(seen.empty, 3),
        "tile": round(seen.tile, 3),
        "covered": round(seen.covered, 3),
        "letters": {x: round(p, 3) for x, p in letters if p >= 0.001} if seen.tile > 0 else {},
    }
