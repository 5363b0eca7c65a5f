"""The explosion of Scrabble House (rules SH-12 to SH-20), pure and by itself.

A board maps squares to (letter, facing); facing is `S` or `N`, the side for which a tile is
upright. South reads strings in board order, North the reverse (SH-3).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.rules import Lexicon, Options
from engine.table import Axis, Square

Cells = dict[Square, tuple[str, str]]
AXES: tuple[Axis, Axis] = ("across", "down")
OTHER = {"S": "N", "N": "S"}


@dataclass(frozen=True, slots=True)
class Stage:
    """Tiles that go together: `mixed`, `leftover`, `cascade1` ..."""

    name: str
    tiles: tuple[tuple[Square, str], ...]


@dataclass(frozen=True, slots=True)
class Explosion:
    """What a play brought about.

    Attributes:
        after: the board afterwards.
        turned: squares whose tiles turned to the player.
        stages: tiles removed, in order.
        mixed_words: the mixed strings as the victim read them.
        kept: left-over runs that were judged and stayed, as the player reads them.
        tolerated: those of them that are no word.
        illegal: strings found not to be words, in order.
    """

    after: Mapping[Square, tuple[str, str]]
    turned: tuple[Square, ...]
    stages: tuple[Stage, ...]
    mixed_words: tuple[str, ...]
    kept: tuple[str, ...]
    tolerated: tuple[str, ...]
    illegal: tuple[str, ...]


def run_through(cells: Mapping[Square, object], square: Square, axis: Axis) -> tuple[Square, ...]:
    """The unbroken run of tiles along an axis through a square."""
    first = square
    while first.step(axis, -1) in cells:
        first = first.step(axis, -1)
    out = [first]
    while out[-1].step(axis) in cells:
        out.append(out[-1].step(axis))
    return tuple(out)


def all_runs(cells: Mapping[Square, object]) -> list[tuple[Square, ...]]:
    """Every run of two or more tiles: across, then down, in reading order."""
    out = []
    for axis in AXES:
        for square in sorted(cells):
            if square.step(axis, -1) not in cells and square.step(axis) in cells:
                out.append(run_through(cells, square, axis))
    return out


def read(cells: Mapping[Square, tuple[str, str]], squares: Sequence[Square], side: str) -> str:
    """A string as a side reads it (SH-3)."""
    order = squares if side == "S" else list(reversed(squares))
    return "".join(cells[s][0] for s in order)


def adjacent_pieces(squares: Iterable[Square], line: Sequence[Square]) -> list[list[Square]]:
    """The squares of a line that are left, as runs of adjacent ones."""
    left = set(squares)
    out: list[list[Square]] = []
    for s in line:
        if s not in left:
            continue
        if out and abs(s.row - out[-1][-1].row) + abs(s.col - out[-1][-1].col) == 1:
            out[-1].append(s)
        else:
            out.append([s])
    return out


def new_words(cells: Mapping[Square, object], new: Iterable[Square]) -> list[tuple[Square, ...]]:
    """Every string of two or more tiles with a new tile, without repeats."""
    seen: dict[tuple[Square, ...], None] = {}
    for s in sorted(new):
        for axis in AXES:
            run = run_through(cells, s, axis)
            if len(run) > 1:
                seen[run] = None
    return list(seen)


def explode(
    board: Mapping[Square, tuple[str, str]],
    new: Mapping[Square, str],
    side: str,
    lexicon: Lexicon,
    options: Options,
) -> Explosion:
    """What happens after a legal play (the pseudo-code of section 5).

    Args:
        board: the position before the play.
        new: the tiles laid, all facing the player.
        side: the player's, `S` or `N`.
        lexicon: what is a word.
        options: settings of `sh.`.
    """
    cells: Cells = {**board, **{s: (x, side) for s, x in new.items()}}
    other = OTHER[side]
    words = new_words(cells, new)
    in_words = {s for w in words for s in w}
    turned = tuple(sorted(s for s in in_words if cells[s][1] == other))
    before = dict(cells)
    for s in turned:  # SH-13
        cells[s] = (cells[s][0], side)
    fresh = set(turned)
    affected = [r for r in all_runs(cells) if fresh & set(r) and not set(r) & set(new)]  # SH-15
    gone = {s for r in affected for s in r if cells[s][1] == other}
    mixed = tuple(read(before, r, other) for r in affected if any(s in gone for s in r))
    stages: list[Stage] = []
    _take(cells, gone, "mixed", stages)
    cut, judge_own, kept, tolerated, illegal = _leftovers(
        cells, affected, words, side, lexicon, options
    )
    _take(cells, cut, "leftover", stages)
    illegal += _cascade(cells, gone | cut, other, judge_own, lexicon, options, stages)
    return Explosion(
        cells, turned, tuple(stages), mixed, tuple(kept), tuple(tolerated), tuple(illegal)
    )


def _take(cells: Cells, squares: set[Square], name: str, stages: list[Stage]) -> None:
    if squares:
        stages.append(Stage(name, tuple((s, cells[s][0]) for s in sorted(squares))))
    for s in squares:
        del cells[s]


def _leftovers(
    cells: Cells, affected: list[tuple[Square, ...]], words: list[tuple[Square, ...]], side: str,
    lexicon: Lexicon, options: Options,
) -> tuple[set[Square], bool, list[str], list[str], list[str]]:  # fmt: skip
    """Which runs left in affected strings are cut (SH-16, SH-17)."""
    cut: set[Square] = set()
    judge_own = False
    kept: list[str] = []
    tolerated: list[str] = []
    illegal: list[str] = []
    mode = options["sh.leftover"]
    for line in affected:
        for run in adjacent_pieces([s for s in line if s in cells], line):
            if len(run) < 2:
                continue
            text = read(cells, run, side)
            if text in lexicon:
                kept.append(text)
                continue
            illegal.append(text)
            if mode == "tolerate":
                kept.append(text)
                tolerated.append(text)
                continue
            if mode == "remove_all":
                cut |= set(run)
                continue
            hooks = {s for s in run if _crossing_length(s, line, words) == 2}
            for piece in adjacent_pieces([s for s in run if s not in hooks], run):
                part = read(cells, piece, side)
                if len(piece) >= 2 and part not in lexicon:
                    if options["sh.leftover_piece"] == "cut":
                        hooks |= set(piece)
                        judge_own = True
                    else:
                        kept.append(part)
                        tolerated.append(part)
                elif len(piece) >= 2:
                    kept.append(part)
            cut |= hooks
    return cut, judge_own, kept, tolerated, illegal


def _crossing_length(
    square: Square, line: Sequence[Square], words: list[tuple[Square, ...]]
) -> int:
    """How long the new word is that crosses a line at a square."""
    across = line[0].row == line[-1].row
    for word in words:
        if square in word and (word[0].row == word[-1].row) != across:
            return len(word)
    return 0


def _cascade(
    cells: Cells, changed: set[Square], victim: str, judge_own: bool, lexicon: Lexicon,
    options: Options, stages: list[Stage],
) -> list[str]:  # fmt: skip
    """Strings of the victim that lost a tile are judged, round by round (SH-18, SH-19)."""
    illegal: list[str] = []
    round_ = 0
    while changed:
        found: list[tuple[Square, ...]] = []
        for run in all_runs(cells):
            axis: Axis = "across" if run[0].row == run[-1].row else "down"
            if not {run[0].step(axis, -1), run[-1].step(axis)} & changed:
                continue
            facing = cells[run[0]][1]
            if (facing == victim or judge_own) and read(cells, run, facing) not in lexicon:
                found.append(run)
        if options["sh.rounds"] == "one_by_one":
            found = found[:1]
        bad = {s for run in found for s in run}
        lone = [
            s for s in sorted(cells)
            if s not in bad and not any(n in cells for n in s.neighbours()) and any(n in changed for n in s.neighbours())
        ]  # fmt: skip
        lone = [s for s in lone if cells[s][1] == victim or judge_own]
        if options["sh.rounds"] == "one_by_one" and found:
            lone = []
        illegal += [read(cells, run, cells[run[0]][1]) for run in found]
        illegal += [cells[s][0] for s in lone]
        bad |= set(lone)
        if not bad:
            break
        round_ += 1
        _take(cells, bad, f"cascade{round_}", stages)
        changed = bad if options["sh.rounds"] != "one_by_one" else changed | bad
    return illegal


def chained(cells: Mapping[Square, tuple[str, str]], side: str, rows: int = 15) -> bool:
    """Whether a connected group facing a side joins both home rows (SH-24, SH-25)."""
    todo = [s for s in cells if s.row == 0 and cells[s][1] == side]
    seen = set(todo)
    while todo:
        at = todo.pop()
        if at.row == rows - 1:
            return True
        for n in at.neighbours():
            if n in cells and n not in seen and cells[n][1] == side:
                seen.add(n)
                todo.append(n)
    return False
