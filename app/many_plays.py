"""New tiles that are no single play: several plays between two photographs."""

from __future__ import annotations

from app.beliefs import Belief
from app.dry_run import try_change
from app.grid_watcher import change_of, weighed, with_play
from app.ledger import Ledger
from app.positions import text_rows
from app.sights import Base, Puzzle, Sight
from engine.interpretation import Laying, splits
from engine.rules import Question
from engine.table import Grid, Square, Tile

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
