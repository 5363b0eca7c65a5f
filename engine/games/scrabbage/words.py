"""Words, fragments and duties of Scrabbage (rules SB-11 to SB-19 and SB-26 to SB-28)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod

from kibitz.engine.board.layouts import CENTRE, letter_factor, word_factor
from kibitz.engine.rules import Lexicon, Materials, Options, TileSetLike
from kibitz.engine.table import SIDE, UNKNOWN_BLANK, Grid, Square, Tile, TileRun
from kibitz.engine.words.formed import AXES, all_words_formed, text_of, word_of

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def strings_at(grid: Grid, square: Square) -> list[TileRun]:
    """Runs of two or more tiles through a square, across first."""
    runs = [grid.run_through(square, axis) for axis in AXES]
    return [r for r in runs if len(r.squares) > 1]


def split_words(
    grid: Grid, runs: Iterable[TileRun], materials: Materials
) -> tuple[list[str], list[str]]:
    """Completed words and fragments (SB-11)."""
    words: list[str] = []
    fragments: list[str] = []
    for run in runs:
        text = word_of(grid, run, materials.tile_set)
        good = UNKNOWN_BLANK in text or materials.is_word(text)
        (words if good else fragments).append(text)
    return words, fragments


def letter_points(square: Square) -> int:
    """Points for a letter square: 2 on a double, 3 on a triple, word or not (SB-16)."""
    factor = letter_factor(square)
    return factor if factor > 1 else 0


def square_factor(square: Square, options: Options) -> int:
    """Word multiplier of a square (SB-17, SB-20)."""
    if square == CENTRE and not options["sb.star_double"]:
        return 1
    return word_factor(square)


def tile_points(square: Square, words: Sequence[str], options: Options) -> int:
    """Points for one tile (SB-11, SB-16 to SB-19)."""
    return letter_points(square) + 2 * square_factor(square, options) * len(words)


def scrab_points(
    grid: Grid, squares: Sequence[Square], options: Options, tile_set: TileSetLike
) -> tuple[list[str], int]:
    """Words and points of a scrab on the final position (SB-27, SB-28)."""
    new = set(squares)
    words, points = [], sum(letter_points(s) for s in squares)
    for run in all_words_formed(grid, squares):
        factors = [square_factor(s, options) for s in run.squares if s in new]
        factor = prod(factors) if options["sb.scrab_word_squares"] == "multiply" else max(factors)
        words.append(word_of(grid, run, tile_set))
        points += 2 * factor
    return words, points


def finishing_plan(
    grid: Grid, square: Square, hand: Sequence[str], lexicon: Lexicon
) -> list[str] | None:
    """A way to finish all fragments through a tile with one hand (SB-13, SB-14).

    Args:
        grid: the board with the tile on it.
        square: where it lies.
        hand: the letters left; `?` is a blank.
        lexicon: what is a word.

    Returns:
        Tiles as `Y@J10` in order, or None where there is no way.
    """
    return _search(grid, [square], list(hand)[:4], lexicon)


def _search(grid: Grid, laid: list[Square], hand: list[str], lexicon: Lexicon) -> list[str] | None:
    open_run = _open_string(grid, laid, lexicon)
    if open_run is None:
        return []
    for end in _ends(grid, open_run):
        tried = set()
        for i, letter in enumerate(hand):
            if letter in tried:
                continue
            tried.add(letter)
            rest = hand[:i] + hand[i + 1 :]
            for face in ALPHABET if letter == UNKNOWN_BLANK else letter:
                tile = Tile(face, blank=letter == UNKNOWN_BLANK)
                plan = _search(grid.with_tiles({end: tile}), [*laid, end], rest, lexicon)
                if plan is not None:
                    return [f"{tile.text}@{end.name}", *plan]
    return None


def _open_string(grid: Grid, laid: Sequence[Square], lexicon: Lexicon) -> list[TileRun] | None:
    """Runs to finish next: the first fragment, or both lines of a lone tile."""
    in_word = False
    for square in laid:
        for run in strings_at(grid, square):
            if text_of(grid, run) not in lexicon:
                return [run]
            in_word = True
    if in_word:
        return None
    return [TileRun(axis, (laid[0],)) for axis in AXES]


def _ends(grid: Grid, runs: Sequence[TileRun]) -> list[Square]:
    out = []
    for run in runs:
        for end in (run.squares[0].step(run.axis, -1), run.squares[-1].step(run.axis)):
            if grid.on_board(end) and end not in grid:
                out.append(end)
    return out


def is_blocked(grid: Grid, run: TileRun, lexicon: Lexicon, later: Iterable[Square]) -> bool:
    """True if later tiles of others made a fragment impossible to finish (SB-15).

    It is when no word that holds the fragment fits in its line now, but one did before those
    tiles came; a fragment that was never part of any word is its player's own fault.

    Args:
        grid: the board at the end of the hand.
        run: the fragment.
        lexicon: what is a word.
        later: tiles that others laid after the fragment was last lengthened.
    """
    try:
        words = iter(lexicon)  # type: ignore[call-overload]  # some can
    except TypeError:
        return False
    text, line, start, cells = _in_line(grid, run)
    without = set(later)
    before = ["" if s in without else x for s, x in zip(line, cells, strict=True)]
    longer = [w for w in words if text in w and len(w) > len(text)]
    fits_now = any(_fits(w, text, start, cells) for w in longer)
    return not fits_now and any(_fits(w, text, start, before) for w in longer)


def may_be_finished(grid: Grid, run: TileRun, lexicon: Lexicon, tiles: int) -> bool:
    """True if a word contains the fragment in its line, with so many tiles more (SB-13)."""
    try:
        words = iter(lexicon)  # type: ignore[call-overload]  # some can
    except TypeError:
        return True
    text, _, start, cells = _in_line(grid, run)
    return any(_fits(w, text, start, cells, tiles) for w in words if text in w)


def _in_line(grid: Grid, run: TileRun) -> tuple[str, list[Square], int, list[str]]:
    """Letters of a run, its line, its offset there, and the letters in that line."""
    line = _line(grid, run)
    cells = [grid.tiles[s].letter if s in grid else "" for s in line]
    return text_of(grid, run), line, line.index(run.squares[0]), cells


def _line(grid: Grid, run: TileRun) -> list[Square]:
    if run.axis == "across":
        return [Square(run.squares[0].row, c) for c in range(grid.cols)]
    return [Square(r, run.squares[0].col) for r in range(grid.rows)]


def _fits(word: str, text: str, start: int, cells: Sequence[str], most: int = SIDE) -> bool:
    at = word.find(text)
    while at >= 0:
        first = start - at
        last = first + len(word)
        inside = first >= 0 and last <= len(cells)
        if inside and all(c in ("", x) for c, x in zip(cells[first:last], word, strict=True)):
            open_before = first == 0 or not cells[first - 1]
            open_after = last == len(cells) or not cells[last]
            if open_before and open_after and cells[first:last].count("") <= most:
                return True
        at = word.find(text, at + 1)
    return False


def fragment_runs(
    grid: Grid, order: Mapping[Square, int], lexicon: Lexicon
) -> list[tuple[TileRun, Square]]:
    """Fragments with a tile of this hand, each with the tile that last extended it."""
    out = []
    for run in grid.runs():
        mine = [s for s in run.squares if s in order]
        if mine and text_of(grid, run) not in lexicon:
            out.append((run, max(mine, key=lambda s: order[s])))
    return out
