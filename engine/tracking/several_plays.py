"""New tiles that are no single play: several plays between two photographs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kibitz.engine.record.ledger import Ledger
from kibitz.engine.rules import Question
from kibitz.engine.table import Grid, Square, Tile
from kibitz.engine.tracking.beliefs import Belief
from kibitz.engine.tracking.changes import BoardView, SquareView, fit, fused
from kibitz.engine.tracking.expected import text_rows
from kibitz.engine.tracking.explanations import change_of, place, weighed, with_play
from kibitz.engine.tracking.interpretation import Laying, seen_tile, splits
from kibitz.engine.tracking.sights import Base, Puzzle, Sight, TableFacts
from kibitz.engine.tracking.trial import try_change

PRIOR_EACH_MORE = -3.5
PRIOR_UNSPLIT = -5.0
MOST_TILES_TO_SPLIT = 14
FEWEST_UNSPLIT = 3
LAYINGS_TRIED = 3
WHICH_PLAYS = Question("plays", "Several plays were made. Which, in this order?")
"""What may be answered is worked out when it is asked (`app.missed_plays`)."""


def part(puzzle: Puzzle, sight: Sight) -> list[Belief]:
    """Part new tiles into plays; where that fails or is open, take the position and ask."""
    base, squares, refused = puzzle.base, puzzle.squares, puzzle.refused
    if len(squares) < 2:
        return []
    likely = weighed(base, sight, squares, keep=LAYINGS_TRIED)
    best = likely[0]
    if "#" in best.tiles.values():
        return []
    if len(squares) <= MOST_TILES_TO_SPLIT:
        for laying in likely:
            if (found := _split(base, sight, laying)) is not None:
                return [found]
    if refused is not None and refused.code == "not_a_word":
        return []
    if sight.how.live and len(squares) <= sight.facts.most_tiles:
        return []  # a live table sees every play: these are one that goes on, or none
    if len(squares) < FEWEST_UNSPLIT or not _joined(base.lying, squares):
        return []
    return _whole_position(base, sight, best)


def _split(base: Base, sight: Sight, best: Laying) -> Belief | None:
    """The plays in an order that the rules accept; a question where there are several ways."""
    ledgers: dict[tuple[frozenset[Square], ...], tuple[Ledger, float]] = {(): (base.ledger, 0.0)}

    def legal(sequence: tuple[frozenset[Square], ...]) -> bool:
        before, weight = ledgers[sequence[:-1]]
        tiles = {s: best.tiles[s] for s in sequence[-1]}
        change = change_of(Laying(tiles, 0.0, sequence[-1]), sight)
        tried, _ = try_change(before, change, sight.photo)
        if tried is None:
            return False
        ledgers[sequence] = (tried.ledger, weight + tried.weight)
        return True

    flat = _without_facing(base.lying)
    likely: list[tuple[frozenset[Square], ...]] = []
    for plays in (2, 3, 4):
        # fewer plays first: people photograph every play, and forget one at most
        likely = splits(
            best.squares, flat, legal, most_plays=plays, most_tiles=sight.facts.most_tiles
        )
        if likely:
            break
    else:
        return None
    likely.sort(key=lambda way: (-ledgers[way][1], [(-len(p), sorted(p)) for p in way]))
    way = likely[0]
    ledger, words = ledgers[way]
    question = WHICH_PLAYS if len(likely) > 1 else None
    weight = base.weight + best.weight + words + PRIOR_EACH_MORE * (len(way) - 1)
    return with_play(base, sight, best.tiles, way, ledger, weight, question=question)


def _without_facing(grid: Grid) -> Grid:
    return Grid(grid.rows, grid.cols, {s: Tile(t.letter) for s, t in grid.tiles.items()})


def _joined(grid: Grid, squares: frozenset[Square]) -> bool:
    """Whether all tiles, old and new, hang together as they do on a played board."""
    tiles = set(grid.tiles) | squares
    todo = [next(iter(squares))]
    reached = set(todo)
    while todo:
        near = [s for s in todo.pop().neighbours() if s in tiles and s not in reached]
        reached.update(near)
        todo += near
    return reached == tiles


def _whole_position(base: Base, sight: Sight, best: Laying) -> list[Belief]:
    """Go on from the position seen: which plays led to it, and their scores, must be told."""
    tiles = {s: Tile(x, blank=x == "?") for s, x in best.tiles.items()}
    grid = base.lying.with_tiles(tiles)
    rows = text_rows(grid, facing=sight.facts.facing)
    ledger = base.ledger.at_position(rows, sight.photo)
    if ledger is None:
        return []
    single = len(tiles) <= sight.facts.most_tiles
    what = "and no single play" if single else "too many for one play"
    question = Question("plays", f"{len(tiles)} tiles are new, {what}. Which plays were made?")
    weight = base.weight + best.weight + PRIOR_UNSPLIT
    belief = with_play(base, sight, best.tiles, (), ledger, weight, question=question)
    return [belief]


def reconsidered(belief: Belief, view: BoardView, facts: TableFacts) -> list[Belief]:
    """The same line with the refused tiles of its last picture taken for a play after all.

    A letter that was misread makes a word that is not in the list; the next picture of the same
    tiles may show it better, and the play then belongs to the picture in which it was laid.

    Args:
        belief: a line whose last picture showed tiles that the rules refused.
        view: the next picture.
        facts: what kind of table it is.
    """
    waiting = belief.waiting
    if waiting is None or waiting.refused is None or not waiting.views:
        return []
    squares = frozenset(waiting.tiles)
    if any(view[s].hidden or view[s].tile < 0.5 for s in squares):
        return []
    both = {s: fused([waiting.views[s], view[s]]) for s in squares}
    together = BoardView(view.rows, view.cols, {**view.squares, **both}, view.markers)
    shown = belief.sightings[-1]
    sight = Sight(shown.photo, together, facts)
    before = replace(belief, sightings=belief.sightings[:-1], waiting=None)
    plain = replace(shown, status="no_change", question=None, refused=None, not_laid={})
    base = Base(before, belief.ledger, belief.lying, 0.0, plain, belief.last)
    found, _ = place(base, sight, squares)
    if not found:
        found = part(Puzzle(base, squares, waiting.refused, 0.0), sight)
    out = []
    for play in found:
        laid = play.sightings[-1].laid
        if set(laid) != squares:
            continue
        # the picture was weighed with the refused letters already; only the difference counts
        weight = play.weight - _lead(both, laid) + _difference(belief, laid) - waiting.weight
        out.append(replace(play, weight=belief.weight + weight))
    return out


def _lead(views: Mapping[Square, SquareView], laid: Mapping[Square, str]) -> float:
    """How much better the tiles agree with both pictures than none."""
    return sum(fit(views[s], seen_tile(x)) - fit(views[s], None) for s, x in laid.items())


def _difference(belief: Belief, laid: Mapping[Square, str]) -> float:
    """How much worse the letters agree with the first picture than those read there."""
    waiting = belief.waiting
    if waiting is None:
        return 0.0
    return sum(
        fit(waiting.views[s], seen_tile(x)) - fit(waiting.views[s], seen_tile(waiting.tiles[s]))
        for s, x in laid.items()
    )
