"""Makes up a game of Scrabble to be filmed: legal plays, and now and then one that is no word."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from kibitz.engine.board.connection import check_connected, check_free, check_line
from kibitz.engine.rules import Refused
from kibitz.engine.table import Grid, Square, Tile, tile_from_text
from kibitz.engine.words.formed import text_of, words_formed

Fate = Literal["stays", "challenged", "taken_back"]
RACK = 7
TRIES = 4_000
EXCHANGES = 6
CENTRE = Square(7, 7)


@dataclass(frozen=True, slots=True)
class PlannedPlay:
    """One play of the film: who lays which tiles, in that order, and what becomes of it."""

    player: int
    tiles: Mapping[Square, str]
    fate: Fate = "stays"


def plan_game(
    rng: random.Random,
    words: Sequence[str],
    known: Container[str],
    bag: Mapping[str, int],
    fates: Sequence[Fate],
) -> list[PlannedPlay]:
    """A play for each fate, by two players in turn; those that do not stay form no words.

    Args:
        rng: chance.
        words: what players think of.
        known: the word list that counts.
        bag: how many tiles there are of each letter.
        fates: what becomes of each play.
    """
    tiles = list(Counter(bag).elements())
    rng.shuffle(tiles)
    racks: list[list[str]] = [[], []]
    grid = Grid(15, 15)
    plays = []
    for number, fate in enumerate(fates):
        player = number % 2
        rack = racks[player]
        while tiles and len(rack) < RACK:
            rack.append(tiles.pop())
        found = None
        for _ in range(EXCHANGES):
            found = _play(rng, words, known, grid, rack, good=fate == "stays")
            if found is not None or len(tiles) < RACK:
                break
            tiles += rack
            rng.shuffle(tiles)
            rack[:] = [tiles.pop() for _ in range(RACK)]
        if found is None:
            break
        plays.append(PlannedPlay(player, found, fate))
        if fate == "stays":
            grid = grid.with_tiles(_tiles(found))
            for letter in found.values():
                rack.remove(letter)
    return plays


def _tiles(play: Mapping[Square, str]) -> dict[Square, Tile]:
    return {s: tile_from_text(x) for s, x in play.items()}


def _play(
    rng: random.Random,
    words: Sequence[str],
    known: Container[str],
    grid: Grid,
    rack: list[str],
    *,
    good: bool,
) -> dict[Square, str] | None:
    """Tiles of the rack that may be laid, with a preference for more of them."""
    best: dict[Square, str] | None = None
    for laid in _tried(rng, words, grid, rack, good=good):
        new = _tiles(laid)
        problems = (check_free(grid, new), check_line(grid, new))
        if any(isinstance(p, Refused) for p in problems):
            continue
        if grid.tiles and isinstance(check_connected(grid, new), Refused):
            continue
        whole = grid.with_tiles(new)
        texts = [text_of(whole, run) for run in words_formed(whole, new)]
        if not texts or good != all(t in known for t in texts):
            continue
        if best is None or len(laid) > len(best):
            best = laid
        if len(best) >= 3:
            return best
    return best


def _lacking(word: str, have: Counter[str]) -> int:
    """How many letters of a word are missing."""
    return sum(max(0, word.count(x) - have[x]) for x in set(word))


def _tried(
    rng: random.Random, words: Sequence[str], grid: Grid, rack: list[str], *, good: bool
) -> Iterator[dict[Square, str]]:
    have = Counter(rack)
    anchors = sorted(grid.tiles) or [CENTRE]
    # what the rack makes by itself or with one tile that lies there
    through_one = 1 if grid.tiles else 0
    near = [w for w in words if _lacking(w, have) <= through_one]
    for _ in range(TRIES if near else 0):
        word = rng.choice(near)
        if not good:
            # a letter more or another one: what people lay when they are not sure
            spot = rng.randrange(len(word))
            word = word[:spot] + rng.choice(rack) + word[spot + 1 :]
        anchor = rng.choice(anchors)
        through = rng.randrange(len(word))
        down = rng.random() < 0.5
        row, col = (
            (anchor.row - through, anchor.col) if down else (anchor.row, anchor.col - through)
        )
        if min(row, col) < 0 or max(row, col) + 1 > 15 or (row if down else col) + len(word) > 15:
            continue
        squares = [Square(row + i * down, col + i * (not down)) for i in range(len(word))]
        laid = {}
        for square, letter in zip(squares, word, strict=True):
            there = grid.get(square)
            if there is None:
                laid[square] = letter
            elif there.letter != letter:
                break
        else:
            if laid and not Counter(laid.values()) - have and (grid.tiles or len(laid) > 1):
                yield laid
