"""Explosions on random boards, against a plain reading of the rulebook's pseudo-code."""

from __future__ import annotations

import random
import zlib
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.engine.games.scrabble_house.explosion import (
    OTHER,
    _cut_hooks,
    _Leftovers,
    adjacent_pieces,
    explode,
    read,
    runs_through,
)
from kibitz.engine.games.scrabble_house.rules import INFO
from kibitz.engine.options import check_options
from kibitz.engine.table import Square
from tests.helpers.property_examples import tries

pytestmark = pytest.mark.fast

QUICK = tries(80)
SIZE = 8
LETTERS = "ABCDE"


@dataclass(frozen=True)
class SomeWords:
    """About `share` of a hundred strings are words, always the same ones."""

    share: int

    def __contains__(self, word: object) -> bool:
        """Whether a string is among them."""
        return zlib.crc32(str(word).encode()) % 100 < self.share


def position_of(seed: int):
    """A board on which every connected group faces one side, and a play beside or through it."""
    rng = random.Random(seed)
    density = rng.uniform(0.2, 0.6)
    everywhere = [Square(row, col) for row in range(SIZE) for col in range(SIZE)]
    cells = {s: rng.choice(LETTERS) for s in everywhere if rng.random() < density}
    line, start = rng.randrange(SIZE), rng.randrange(SIZE - 1)
    across = rng.random() < 0.5
    squares = [
        Square(line, i) if across else Square(i, line)
        for i in range(start, min(SIZE, start + rng.randint(1, 4)))
    ]
    new = {s: rng.choice(LETTERS) for s in squares if s not in cells}
    facing = {}
    for square in sorted(cells):
        if square in facing:
            continue
        side = rng.choice("SN")
        todo = [square]
        while todo:
            at = todo.pop()
            facing[at] = side
            todo += [n for n in at.neighbours() if n in cells and n not in facing]
    return {s: (x, facing[s]) for s, x in cells.items()}, new, rng.choice("SN")


POSITIONS = st.integers(0, 10**9).map(position_of)
CHOICES = {
    "sh.leftover": ["two_letter_hook", "remove_all", "tolerate"],
    "sh.leftover_piece": ["stay", "cut"],
    "sh.rounds": ["simultaneous", "one_by_one"],
}
OPTIONS = st.fixed_dictionaries({k: st.sampled_from(v) for k, v in CHOICES.items()})
WORDS = st.sampled_from([SomeWords(share) for share in (10, 40, 80)])


def leftovers(now, affected, words, rules):
    """What is cut of the runs left (SH-16, SH-17), and whether own strings are judged too."""
    side, lexicon, options = rules
    cut, judge_own = set(), False
    illegal = [
        run
        for string in affected
        for run in adjacent_pieces([s for s in string if s in now], string)
        if len(run) > 1 and read(now, run, side) not in lexicon
    ]
    for run in illegal:
        if options["sh.leftover"] == "remove_all":
            cut |= set(run)
        if options["sh.leftover"] != "two_letter_hook":
            continue
        hooks = {s for s in run if [len(w) for w in words if s in w] == [2]}
        pieces = adjacent_pieces([s for s in run if s not in hooks], run)
        bad = [p for p in pieces if len(p) > 1 and read(now, p, side) not in lexicon]
        if bad and options["sh.leftover_piece"] == "cut":
            hooks, judge_own = hooks.union(*bad), True
        cut |= hooks
    return cut, judge_own


def plainly(board, new, side, lexicon, options):
    """The board after an explosion, step by step as section 5 has it."""
    other = OTHER[side]
    now = {**board, **{s: (x, side) for s, x in new.items()}}
    words = [run for run in runs_through(now, now) if any(s in new for s in run)]
    turned = {s for w in words for s in w if now[s][1] == other}
    now.update({s: (now[s][0], side) for s in turned})
    affected = [
        r
        for r in runs_through(now, now)
        if any(s in turned for s in r) and not any(s in new for s in r)
    ]
    gone = {s for r in affected for s in r if now[s][1] == other}
    now = {s: c for s, c in now.items() if s not in gone}
    cut, judge_own = leftovers(now, affected, words, (side, lexicon, options))
    now = {s: c for s, c in now.items() if s not in cut}
    changed = gone | cut
    while changed:
        bad = set()
        for run in runs_through(now, now):
            across = run[0].row == run[-1].row
            axis = "across" if across else "down"
            ends = {run[0].step(axis, -1), run[-1].step(axis)}
            faces = now[run[0]][1]
            judged = faces == other or judge_own
            if ends & changed and judged and read(now, run, faces) not in lexicon:
                bad |= set(run)
        for s in now:
            alone = not any(n in now for n in s.neighbours())
            if alone and any(n in changed for n in s.neighbours()):
                bad.add(s)
        now = {s: c for s, c in now.items() if s not in bad}
        changed = bad
    return now


def all_options(chosen):
    """The settings of the game with some of them chosen."""
    return check_options(INFO, chosen)


@QUICK
@given(POSITIONS, WORDS, OPTIONS.filter(lambda o: o["sh.rounds"] == "simultaneous"))
def test_as_the_rulebook_has_it(position, lexicon, chosen):
    """With every setting of the left-overs the board comes out as the pseudo-code says."""
    board, new, side = position
    options = all_options(chosen)

    assert plainly(board, new, side, lexicon, options) == dict(
        explode(board, new, side, lexicon, options).after
    )


@QUICK
@given(POSITIONS, WORDS, OPTIONS)
def test_it_ends_and_leaves_no_mixed_string(position, lexicon, chosen):
    """Afterwards each connected pair of tiles faces one side, whatever the settings."""
    board, new, side = position
    after = explode(board, new, side, lexicon, all_options(chosen)).after
    mixed = [
        (s, n)
        for s, (_, facing) in after.items()
        for n in (s.step("across"), s.step("down"))
        if n in after and after[n][1] != facing
    ]

    assert [] == mixed


@QUICK
@given(POSITIONS, WORDS, OPTIONS)
def test_no_tile_is_lost_or_made(position, lexicon, chosen):
    """Tiles before and laid are the tiles left and removed, each square once."""
    board, new, side = position
    blast = explode(board, new, side, lexicon, all_options(chosen))
    before = sorted([*((s, x) for s, (x, _) in board.items()), *new.items()])
    left = [(s, x) for s, (x, _) in blast.after.items()]

    assert before == sorted([*left, *blast.removed])


@QUICK
@given(POSITIONS, WORDS, OPTIONS.filter(lambda o: o["sh.leftover_piece"] == "stay"))
def test_the_play_itself_stands(position, lexicon, chosen):
    """Unless pieces are cut or all left-overs go, no new word loses a tile."""
    board, new, side = position
    options = all_options({**chosen, "sh.leftover": "tolerate"})
    laid = {**board, **{s: (x, side) for s, x in new.items()}}
    words = {s for run in runs_through(laid, laid) if any(s in new for s in run) for s in run}
    after = explode(board, new, side, lexicon, options).after

    assert set() == words - set(after)


@QUICK
@given(POSITIONS, WORDS, OPTIONS)
def test_nothing_illegal_lost_a_tile(position, lexicon, chosen):
    """No string of the victim that has lost its neighbour in line is left without being a word.

    Where a piece was cut the player's own strings are judged as well (SH-17).
    """
    board, new, side = position
    options = all_options(chosen)
    blast = explode(board, new, side, lexicon, options)
    gone = {s for s, _ in blast.removed}
    standing = []
    for run in runs_through(blast.after, blast.after):
        axis = "across" if run[0].row == run[-1].row else "down"
        facing = blast.after[run[0]][1]
        cut = {run[0].step(axis, -1), run[-1].step(axis)} & gone
        if cut and facing != side and read(blast.after, run, facing) not in lexicon:
            standing.append(run)

    assert [] == standing


@pytest.mark.parametrize("facing", "SN")
def test_a_blast_where_nothing_faces_the_other_side_is_none(facing):
    """A play among own tiles turns and removes nothing."""
    board = {Square(0, 0): ("A", facing)}
    blast = explode(board, {Square(0, 1): "B"}, facing, SomeWords(0), all_options({}))

    assert ((), ()) == (blast.turned, blast.stages)


@pytest.mark.parametrize(("piece", "cut"), [("stay", [2]), ("cut", [2, 3, 4])])
def test_a_piece_of_two_tiles_is_judged_as_longer_ones_are(piece, cut):
    """The third tile hooks a two-letter word: DE is left beside it, a word; BC on its other side."""
    run = [Square(0, col) for col in range(5)]
    cells = {s: (x, "S") for s, x in zip(run, "DEABC", strict=True)}
    options = check_options(INFO, {"sh.leftover_piece": piece})
    out = _Leftovers()
    _cut_hooks(out, cells, run, {run[2]}, "S", {"DE"}, options)

    assert cut == [s.col for s in sorted(out.cut)]
    assert (["DE", "BC"] if piece == "stay" else ["DE"]) == out.kept
    assert (["BC"] if piece == "stay" else []) == out.tolerated
