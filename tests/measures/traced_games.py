"""Measures how well `kibitz trace` finds games whose true plays are known.

    python tests/measures/traced_games.py GAME.json|GAME.gcg ... [--lexicon FILE] [--tiles de]
        [--remembered 2] [--points | --column]

Of each game: its plays, how many of them are in the likeliest order, whether the whole order is
among those told (orders that differ only in plays which do not touch count as one), by how many
nats the likeliest order is likelier than the true one (without end where a photograph shows more
than seven new tiles), seconds. With `--remembered` so many main
words are told with their turns, spread over the game; with `--points` the points of all plays, with
`--column` those of the player who began.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from pathlib import Path

from kibitz.app.common.materials.named import load_lexicon, load_tile_set
from kibitz.engine.board.scoring import RACK_SIZE, rack_bonus, word_score
from kibitz.engine.record.gcg import read_gcg
from kibitz.engine.record.trace import TraceRule, cost_of, named_blanks, trace_orders
from kibitz.engine.rules import TileSetLike
from kibitz.engine.table import SIDE, Grid, Square, tile_from_text
from kibitz.engine.words.formed import word_of, words_formed

Plays = list[frozenset[Square]]


def of_photographs(path: Path) -> tuple[Grid, Plays]:
    """Last board and plays of a labelled game of photographs."""
    tiles: dict[Square, str] = {}
    plays: Plays = []
    told = json.loads(path.read_text(encoding="utf-8"))
    for turn in told["turns"] if "turns" in told else told["photos"]:
        gone = {Square(r, c) for r, c, *_ in turn.get("removed_tiles", ())}
        plays = [p for p in plays if not p & gone]
        new = {Square(r, c): letter for r, c, letter in turn.get("new_tiles", ())}
        tiles = {s: x for s, x in {**tiles, **new}.items() if s not in gone}
        if new:
            plays.append(frozenset(new))
    grid = Grid(SIDE, SIDE).with_tiles({s: tile_from_text(x) for s, x in tiles.items()})
    return grid, plays


def of_gcg(path: Path) -> tuple[Grid, Plays]:
    """Last board and plays of a GCG game."""
    grid, plays = Grid(SIDE, SIDE), []
    for move in read_gcg(path.read_bytes()).moves:
        if move.kind == "play" and move.square is not None:
            squares = [move.square.step(move.axis, k) for k in range(len(move.word))]
            lying = zip(move.word, squares, strict=True)
            laid = {s: tile_from_text(x) for x, s in lying if x != "."}
            grid = grid.with_tiles(laid)
            plays.append(frozenset(laid))
        elif move.kind == "withdrawn" and plays:
            grid = grid.without(plays.pop())
    return grid, plays


def laid_again(grid: Grid, plays: Plays, tile_set: TileSetLike) -> list[tuple[str, int]]:
    """The main word and the points of each play."""
    lying, out = Grid(SIDE, SIDE), []
    for squares in plays:
        lying = lying.with_tiles({s: grid.tiles[s] for s in squares})
        runs = words_formed(lying, squares)
        points = sum(word_score(lying, run, squares, tile_set) for run in runs)
        out.append((word_of(lying, runs[0], tile_set), points + rack_bonus(len(squares))))
    return out


def main() -> None:
    """Measure as the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="+", type=Path)
    parser.add_argument("--lexicon", default="default")
    parser.add_argument("--tiles", default="en")
    parser.add_argument("--points", action="store_true")
    parser.add_argument("--column", action="store_true")
    parser.add_argument("--remembered", type=int, default=0)
    told = parser.parse_args()
    words, tile_set = load_lexicon(told.lexicon, told.tiles), load_tile_set(told.tiles)
    among, seconds = 0, []
    for path in told.games:
        grid, plays = of_gcg(path) if path.suffix == ".gcg" else of_photographs(path)
        grid, _ = named_blanks(grid, words.__contains__, tile_set)
        true = laid_again(grid, plays, tile_set)
        turns = [round((k + 0.5) * len(true) / told.remembered) for k in range(told.remembered)]
        known = {turn + 1: true[turn][0] for turn in turns}
        began = time.process_time()
        written: list[int | None] = [points for _, points in true]
        if not told.points:
            written = [p if k % 2 == 0 else None for k, p in enumerate(written)]
            written = written if told.column else []
        found = trace_orders(grid, words.__contains__, tile_set, turns=known, points=written)
        seconds.append(time.process_time() - began)
        orders = [{frozenset(p.tiles) for p in order.plays} for order in found.orders]
        right = len(orders[0] & set(plays)) if orders else 0
        among += set(plays) in orders
        rule = TraceRule()
        costs = [
            sum(cost_of(len(squares), points, rule) for squares, points in order)
            if all(len(squares) <= RACK_SIZE for squares, _ in order)
            else math.inf  # a photograph shows several plays
            for order in (
                [(p.tiles, p.score) for p in found.orders[0].plays] if orders else [],
                [(squares, points) for squares, (_, points) in zip(plays, true, strict=True)],
            )
        ]
        print(
            f"{path.name:45} {len(plays):3} plays, {right:3} in the likeliest, "
            f"{'whole' if set(plays) in orders else '-':5} {costs[1] - costs[0]:5.1f} nats "
            f"{seconds[-1]:5.1f} s {found.why or ''}"
        )
    print(f"{among} of {len(told.games)} whole, median {sorted(seconds)[len(seconds) // 2]:.1f} s")


if __name__ == "__main__":
    main()
