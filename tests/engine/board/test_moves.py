"""Every play that a rack can make is found, once, with the points that the rules give."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from kibitz.app.common.materials.named import load_lexicon, load_tile_set
from kibitz.engine.board.connection import check_play
from kibitz.engine.board.moves import WordIndex, best_by_line, moves
from kibitz.engine.board.scoring import rack_bonus, word_score
from kibitz.engine.table import Grid, Square, Tile, grid_from_rows
from kibitz.engine.words.formed import text_of, words_formed

TILES = load_tile_set("en")
FEW = WordIndex(
    [
        "AT",
        "EAT",
        "TEA",
        "ATE",
        "EATS",
        "SEAT",
        "TEAS",
        "AS",
        "TA",
        "TAS",
        "ES",
        "SEA",
        "EA",
        "SAT",
        "SET",
        "TEN",
        "NET",
        "NE",
        "EN",
        "ENS",
        "NETS",
        "TENS",
        "AN",
        "NA",
        "ANT",
        "TAN",
        "TANS",
        "NEAT",
        "ANTE",
        "ANTES",
    ]
)
BARE = Grid(15, 15)
ROWS = {7: ".....NET.......", 8: "......A........", 9: "......TAS......"}
SOME = grid_from_rows([ROWS.get(row, "." * 15) for row in range(15)])


def points(grid, tiles):
    """What the rules give for a play."""
    after = grid.with_tiles(tiles)
    runs = words_formed(after, tiles)
    total = sum(word_score(after, run, set(tiles), TILES) for run in runs)
    return total + rack_bonus(len(tiles))


def tried(grid, rack):
    """Every way to lay some tiles of the rack in one line, judged by the rules one by one."""
    letters = [chr(65 + i) for i in range(26)]
    out = {}
    hands = {hand for n in range(1, len(rack) + 1) for hand in permutations(rack, n)}
    for axis in ("across", "down"):
        for row in range(15):
            for col in range(15):
                for hand in hands:
                    squares, at = [], Square(row, col)
                    while len(squares) < len(hand) and grid.on_board(at):
                        if at not in grid:
                            squares.append(at)
                        at = at.step(axis)
                    if len(squares) < len(hand) or squares[0] != Square(row, col):
                        continue
                    for named in letters if "?" in hand else [""]:
                        tiles = {
                            s: Tile(named, blank=True) if x == "?" else Tile(x)
                            for s, x in zip(squares, hand, strict=True)
                        }
                        if check_play(grid, tiles) is not None:
                            continue
                        after = grid.with_tiles(tiles)
                        runs = words_formed(after, tiles)
                        if runs and all(text_of(after, run) in FEW for run in runs):
                            out[tuple(sorted(tiles.items(), key=lambda x: x[0]))] = points(
                                grid, tiles
                            )
    return out


@pytest.mark.parametrize(
    ("grid", "rack"), [(BARE, "TEA"), (SOME, "ATE"), (SOME, "NS"), (SOME, "S?"), (SOME, "")]
)
def test_exactly_the_plays_that_the_rules_allow_are_found(grid, rack):
    """Against laying every tile everywhere."""
    found = [(tuple(sorted(m.tiles)), m.score) for m in moves(grid, rack, FEW, TILES)]

    assert tried(grid, rack) == dict(found)
    assert len(found) == len(dict(found))


def best_moves(*asked):
    """The best plays of all lines."""
    return [*best_by_line(*asked)][-1].moves


def test_a_whole_game_of_best_scores_keeps_to_the_rules():
    """With the bundled list and a bag that is drawn empty: points, words, squares."""
    words = WordIndex(load_lexicon("default").words)
    bag = [x for x in (*TILES.letters, "?") for _ in range(TILES.count(x))]
    random.Random(3).shuffle(bag)
    grid, rack, wrong, plays = BARE, [], [], 0
    while True:
        rack += [bag.pop() for _ in range(min(len(bag), 7 - len(rack)))]
        best = best_moves(grid, "".join(rack), words, TILES, 20)
        if not best:
            break
        for move in best:
            tiles = dict(move.tiles)
            after = grid.with_tiles(tiles)
            unknown = [r for r in words_formed(after, tiles) if text_of(after, r) not in words]
            if check_play(grid, tiles) or unknown or move.score != points(grid, tiles):
                wrong.append(move)
        plays += 1
        for _, tile in best[0].tiles:
            rack.remove("?" if tile.blank else tile.letter)
        grid = grid.with_tiles(dict(best[0].tiles))

    assert [] == wrong
    assert plays > 15


def test_the_best_come_first():
    """DRAGNET over a double letter, on the star, with fifty for all seven."""
    words = WordIndex(load_lexicon("default").words)
    best = best_moves(BARE, "ADEGNRT", words, TILES, 2)

    assert [("DRAGNET", "DRAGNET", 72)] * 2 == [(m.word, m.text, m.score) for m in best]


def test_what_follows_a_beginning():
    index = WordIndex(["AT", "ATE", "AN", "ÄH"])

    assert ("AÄ", "NT", "E", "") == tuple(map(index.after, ("", "A", "AT", "X")))
    assert ("AT" in index, "A" in index) == (True, False)


@pytest.mark.parametrize(("most", "whole"), [(10**6, True), (100, False)])
def test_of_many_blanks_no_more_is_looked_at_than_is_asked_for(most, whole):
    """And it is said that there is more."""
    best = [*best_by_line(BARE, "???", FEW, TILES, 3, most)]

    assert (30, whole, 3) == (len(best), best[-1].whole, len(best[-1].moves))
