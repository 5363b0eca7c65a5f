"""The explosion of Scrabble House as a pure function (rules SH-12 to SH-20).

A board maps squares to (letter, facing); facing is `S` or `N`, the side for which a tile is
upright. South reads strings in board order, North the reverse (SH-3).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from kibitz.engine.rules import Lexicon, Options
from kibitz.engine.table import SIDE, UNKNOWN_BLANK, Axis, Square
from kibitz.engine.words.formed import AXES

Cell = tuple[str, str]
Cells = dict[Square, Cell]
String = tuple[Square, ...]
OTHER = {"S": "N", "N": "S"}


@dataclass(frozen=True, slots=True)
class Stage:
    """Tiles removed together: `mixed`, `leftover`, `cascade1` ..., and the strings that fell."""

    name: str
    tiles: tuple[tuple[Square, str], ...]
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Explosion:
    """Result of a play: what turns and what is removed.

    Attributes:
        after: the board afterwards.
        turned: squares whose tiles turned to the player.
        stages: tiles removed, in order.
        mixed_words: the mixed strings as the victim read them.
        kept: left-over runs that were judged and stayed, as the player reads them.
        tolerated: those of them that are no word.
        illegal: strings found not to be words, in order.
    """

    after: Mapping[Square, Cell]
    turned: tuple[Square, ...]
    stages: tuple[Stage, ...]
    mixed_words: tuple[str, ...]
    kept: tuple[str, ...]
    tolerated: tuple[str, ...]
    illegal: tuple[str, ...]

    @property
    def removed(self) -> tuple[tuple[Square, str], ...]:
        """Every removed tile with its letter, in order."""
        return tuple(tile for stage in self.stages for tile in stage.tiles)


@dataclass(slots=True)
class _Leftovers:
    """Fate of the runs left in affected strings (SH-16, SH-17)."""

    cut: set[Square] = field(default_factory=set)
    kept: list[str] = field(default_factory=list)
    tolerated: list[str] = field(default_factory=list)
    illegal: list[str] = field(default_factory=list)
    judge_own: bool = False


def is_good(text: str, lexicon: Lexicon) -> bool:
    """True if a string is a word, or may be one with its unnamed blank."""
    return UNKNOWN_BLANK in text or text in lexicon


def run_through(cells: Mapping[Square, object], square: Square, axis: Axis) -> String:
    """The run of tiles along an axis through a square."""
    first = square
    while first.step(axis, -1) in cells:
        first = first.step(axis, -1)
    out = [first]
    while out[-1].step(axis) in cells:
        out.append(out[-1].step(axis))
    return tuple(out)


def runs_through(cells: Mapping[Square, object], squares: Iterable[Square]) -> list[String]:
    """Every run of two or more tiles through one of the squares: across, then down, in order."""
    found: dict[tuple[int, Square], String] = {}
    wanted = [s for s in squares if s in cells]
    for rank, axis in enumerate(AXES):
        for square in wanted:
            run = run_through(cells, square, axis)
            if len(run) > 1:
                found[rank, run[0]] = run
    return [found[key] for key in sorted(found)]


def read(cells: Mapping[Square, Cell], squares: Sequence[Square], side: str) -> str:
    """A string as read from one side (SH-3)."""
    order = squares if side == "S" else list(reversed(squares))
    return "".join(cells[s][0] for s in order)


def adjacent_pieces(squares: Iterable[Square], line: Sequence[Square]) -> list[list[Square]]:
    """The remaining squares of a line, as runs of adjacent ones."""
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


def explode(
    board: Mapping[Square, Cell],
    new: Mapping[Square, str],
    side: str,
    lexicon: Lexicon,
    options: Options,
) -> Explosion:
    """Compute the explosion of a legal play (the pseudo-code of section 5).

    Args:
        board: the position before the play.
        new: the tiles laid, all facing the player.
        side: the player's, `S` or `N`.
        lexicon: what is a word.
        options: settings of `sh.`.
    """
    cells: Cells = {**board, **{s: (x, side) for s, x in new.items()}}
    other = OTHER[side]
    words = runs_through(cells, new)
    in_words = {s for w in words for s in w}
    turned = tuple(sorted(s for s in in_words if cells[s][1] == other))
    before = dict(cells)
    for s in turned:  # SH-13
        cells[s] = (cells[s][0], side)
    affected = [r for r in runs_through(cells, turned) if not any(s in new for s in r)]  # SH-15
    gone = {s for r in affected for s in r if cells[s][1] == other}
    mixed = tuple(read(before, r, other) for r in affected if any(s in gone for s in r))
    stages: list[Stage] = []
    _take(cells, gone, "mixed", stages, mixed)
    left = _leftovers(cells, affected, words, side, lexicon, options)
    _take(cells, left.cut, "leftover", stages, left.illegal)
    fallen = _cascade(cells, gone | left.cut, other, left.judge_own, lexicon, options, stages)
    return Explosion(
        after=cells, turned=turned, stages=tuple(stages), mixed_words=mixed, kept=tuple(left.kept),
        tolerated=tuple(left.tolerated), illegal=(*left.illegal, *fallen),
    )  # fmt: skip


def _take(
    cells: Cells, squares: set[Square], name: str, stages: list[Stage], words: Sequence[str]
) -> None:
    """Remove tiles together, and record the stage if there are any."""
    if squares:
        tiles = tuple((s, cells[s][0]) for s in sorted(squares))
        stages.append(Stage(name, tiles, tuple(words)))
    for s in squares:
        del cells[s]


def _leftovers(
    cells: Cells, affected: Sequence[String], words: Sequence[String], side: str,
    lexicon: Lexicon, options: Options,
) -> _Leftovers:  # fmt: skip
    """Decide which runs left in affected strings are cut (SH-16, SH-17)."""
    out = _Leftovers()
    for line in affected:
        for run in adjacent_pieces([s for s in line if s in cells], line):
            if len(run) < 2:
                continue
            text = read(cells, run, side)
            if is_good(text, lexicon):
                out.kept.append(text)
                continue
            out.illegal.append(text)
            match options["sh.leftover"]:
                case "tolerate":
                    out.kept.append(text)
                    out.tolerated.append(text)
                case "remove_all":
                    out.cut |= set(run)
                case _:
                    hooks = {s for s in run if _crossing_length(s, line, words) == 2}
                    _cut_hooks(out, cells, run, hooks, side, lexicon, options)
    return out


def _cut_hooks(
    out: _Leftovers, cells: Cells, run: Sequence[Square], hooks: set[Square], side: str,
    lexicon: Lexicon, options: Options,
) -> None:  # fmt: skip
    """Cut tiles of two-letter words; other fragments stay or go by the setting (SH-17)."""
    for piece in adjacent_pieces([s for s in run if s not in hooks], run):
        if len(piece) < 2:
            continue
        text = read(cells, piece, side)
        if not is_good(text, lexicon):
            if options["sh.leftover_piece"] == "cut":
                hooks = hooks | set(piece)
                out.judge_own = True
                continue
            out.tolerated.append(text)
        out.kept.append(text)
    out.cut |= hooks


def _crossing_length(square: Square, line: String, words: Sequence[String]) -> int:
    """Length of the new word that crosses a line at a square."""
    across = line[0].row == line[-1].row
    for word in words:
        if square in word and (word[0].row == word[-1].row) != across:
            return len(word)
    return 0


def _cascade(
    cells: Cells, changed: set[Square], victim: str, judge_own: bool, lexicon: Lexicon,
    options: Options, stages: list[Stage],
) -> list[str]:  # fmt: skip
    """Judge strings of the victim that lost a tile, round by round (SH-18, SH-19)."""
    illegal: list[str] = []
    together = options["sh.rounds"] != "one_by_one"
    round_ = 0
    while changed:
        near = sorted({n for s in changed for n in s.neighbours() if n in cells})
        fallen = [
            run for run in runs_through(cells, near)
            if _lost_a_tile(run, changed) and _falls(cells, run, victim, judge_own, lexicon)
        ]  # fmt: skip
        if not together:
            fallen = fallen[:1]
        bad = {s for run in fallen for s in run}
        alone: list[Square] = []
        if together or not fallen:
            alone = [s for s in near if not any(n in cells for n in s.neighbours())]
        bad |= set(alone)
        if not bad:
            break
        texts = [read(cells, run, cells[run[0]][1]) for run in fallen]
        texts += [cells[s][0] for s in alone]
        illegal += texts
        round_ += 1
        _take(cells, bad, f"cascade{round_}", stages, texts)
        changed = bad if together else changed | bad
    return illegal


def _lost_a_tile(run: String, changed: set[Square]) -> bool:
    """True if a tile next to an end of the string, in its line, has just been removed."""
    axis: Axis = "across" if run[0].row == run[-1].row else "down"
    return run[0].step(axis, -1) in changed or run[-1].step(axis) in changed


def _falls(cells: Cells, run: String, victim: str, judge_own: bool, lexicon: Lexicon) -> bool:
    """True if a string is judged and is no word for the side that it faces."""
    facing = cells[run[0]][1]
    if any(cells[s][1] != facing for s in run):
        return False  # mixed: only where people may decline to explode
    return (facing == victim or judge_own) and not is_good(read(cells, run, facing), lexicon)


def chained(cells: Mapping[Square, Cell], side: str, rows: int = SIDE) -> bool:
    """True if a connected group facing a side joins both home rows (SH-24, SH-25)."""
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
