"""New tiles that are no single play: several plays between two photographs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kibitz.engine.board.connection import reached
from kibitz.engine.phrases import counted, phrase
from kibitz.engine.rules import Change, Question
from kibitz.engine.table import Grid, Square, Tile
from kibitz.engine.tracking.evidence.changes import BoardView, fit, fused, seen_tile
from kibitz.engine.tracking.evidence.hypotheses import (
    Expected,
    Hypothesis,
    Observation,
    Puzzle,
    TableFacts,
    text_rows,
)
from kibitz.engine.tracking.evidence.interpretation import ANY_TILE, Laying, orders_of
from kibitz.engine.tracking.evidence.priors import ReadingPriors
from kibitz.engine.tracking.explanations.matching import (
    change_of,
    complete,
    place,
    weighed,
    with_play,
)
from kibitz.engine.tracking.explanations.missed_plays import under_way
from kibitz.engine.tracking.questions import Kind

NOT_BY_PLACE = frozenset({"not_a_word", "fleets_missing"})
"""Why tiles are refused that are one play by where they lie."""
WHICH_PLAYS = Question(Kind.PLAYS, phrase("Several plays were made. Which ones, in which order?"))
"""What may be answered is worked out when it is asked (`missed_plays`)."""


def part(puzzle: Puzzle, observed: Observation) -> list[Hypothesis]:
    """Divide new tiles into plays; where that fails or stays open, take the position and ask."""
    expected, squares, refused = puzzle.expected, puzzle.squares, puzzle.refused
    limits = observed.priors.search
    if len(squares) < 2:
        return []
    likely = weighed(expected, observed, squares, keep=limits.tried)
    best = likely[0]
    if "#" in best.tiles.values():
        return []
    if len(squares) <= observed.facts.most_parted:
        for laying in likely:
            if (found := _split(expected, observed, laying)) is not None:
                return [found]
    if refused is not None and refused.code in NOT_BY_PLACE:
        return []
    if observed.how.live and len(squares) <= observed.facts.most_tiles:
        return []  # a live table sees every play: these are one that goes on, or none
    if not _joined(expected.lying, squares):
        return []
    return _whole_position(expected, observed, best)


def _split(expected: Expected, observed: Observation, best: Laying) -> Hypothesis | None:
    """Likeliest plays in an order that the rules accept, with a question if others are close."""

    def change(play: frozenset[Square]) -> Change:
        return change_of(Laying({s: best.tiles[s] for s in play}, 0.0, play), observed)

    ledger, lying, facts = expected.ledger, expected.lying, observed.facts
    likely = orders_of(ledger, lying, best.squares, change, observed.photo, facts)
    if not likely:
        return None
    way, ledger, words = likely[0].plays, likely[0].ledger, likely[0].weight
    near = [order for order in likely if order.weight >= words - observed.priors.letters.asked]
    question = WHICH_PLAYS if len(near) > 1 else None
    after = expected.lying.with_tiles(dict.fromkeys(best.squares, ANY_TILE))
    hand = min(complete(play, after.without(play), observed) for play in way)
    parted = observed.priors.plays.seldom * (len(way) - 1)
    weight = expected.weight + best.weight + words + parted + hand
    return with_play(expected, observed, best.tiles, way, ledger, weight, question=question)


def _joined(grid: Grid, squares: frozenset[Square]) -> bool:
    """True if all tiles, old and new, are connected as on a played board."""
    tiles = squares | set(grid.tiles)
    return reached([next(iter(squares))], tiles) == tiles


def _whole_position(expected: Expected, observed: Observation, best: Laying) -> list[Hypothesis]:
    """Continue from the position seen; people must tell its plays and scores."""
    tiles = {s: Tile(x, blank=x == "?") for s, x in best.tiles.items()}
    grid = expected.lying.with_tiles(tiles)
    rows = text_rows(grid, facing=observed.facts.facing)
    ledger = expected.ledger.at_position(rows, observed.photo)
    if ledger is None:
        return []
    begun = under_way(expected.ledger, len(tiles), observed.facts)
    if begun is not None:
        prompt = begun
    elif len(tiles) <= observed.facts.most_tiles:
        prompt = counted(
            "{count} tile is new, and no single play. Which plays were made?",
            "{count} tiles are new, and no single play. Which plays were made?",
            len(tiles),
        )
    else:
        prompt = counted(
            "{count} tile is new, too many for one play. Which plays were made?",
            "{count} tiles are new, too many for one play. Which plays were made?",
            len(tiles),
        )
    question = Question(Kind.PLAYS, prompt)
    weight = expected.weight + best.weight + observed.priors.plays.seldom
    hypothesis = with_play(expected, observed, best.tiles, (), ledger, weight, question=question)
    return [hypothesis]


def reconsidered(hypothesis: Hypothesis, view: BoardView, facts: TableFacts) -> list[Hypothesis]:
    """The game with the last picture's refused tiles taken as a play after all.

    A letter that was misread makes a word that is not in the list; the next picture of the same
    tiles may show it better, and the play then belongs to the picture in which it was laid.

    Args:
        hypothesis: a line whose last picture showed tiles that the rules refused.
        view: the next picture.
        facts: what kind of table it is.
    """
    waiting = hypothesis.waiting
    if waiting is None or waiting.refused is None or not waiting.views:
        return []
    squares = frozenset(waiting.tiles)
    if not all(view[s].shows_tile for s in squares):
        return []
    both = {s: fused([waiting.views[s], view[s]], view.priors) for s in squares}
    together = replace(view, squares={**view.squares, **both}, alike={})
    shown = hypothesis.findings[-1]
    observed = Observation(shown.photo, together, facts)
    before = replace(hypothesis, findings=hypothesis.findings[:-1], waiting=None)
    plain = replace(shown, status="no_change", question=None, refused=None, not_laid={})
    expected = Expected(before, hypothesis.ledger, hypothesis.lying, 0.0, plain, hypothesis.last)
    found, _ = place(expected, observed, squares)
    if not found:
        found = part(Puzzle(expected, squares, waiting.refused, 0.0), observed)
    out = []
    for play in found:
        laid = play.findings[-1].laid
        if set(laid) != squares:
            continue
        # the picture was weighed with the refused letters already; only the difference counts
        weight = (
            play.weight
            - _lead(together, laid)
            + _difference(hypothesis, laid, view.priors)
            - waiting.weight
        )
        out.append(replace(play, weight=hypothesis.weight + weight))
    return out


def _lead(view: BoardView, laid: Mapping[Square, str]) -> float:
    """Log likelihood ratio of the tiles against none, over both pictures."""
    return sum(view.fit(s, seen_tile(x)) - view.fit(s, None) for s, x in laid.items())


def _difference(
    hypothesis: Hypothesis, laid: Mapping[Square, str], priors: ReadingPriors
) -> float:
    """How much worse the letters fit the first picture than those read there."""
    waiting = hypothesis.waiting
    if waiting is None:
        return 0.0
    before, views = waiting.tiles, waiting.views
    return sum(
        fit(views[s], seen_tile(x), priors) - fit(views[s], seen_tile(before[s]), priors)
        for s, x in laid.items()
    )
