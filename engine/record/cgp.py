"""Exports one position of Scrabble as CGP (Crossword Game Position), a line for analysis programs.

The format: https://github.com/domino14/macondo/blob/master/cgp/README.md (macondo; also the tools
of Woogles). It holds board, racks, scores, the turns without points, and what the game is played
with; not how the position came about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kibitz.engine.phrases import SquareName, phrase
from kibitz.engine.record.gcg_writer import DISTRIBUTIONS, known_lexicon
from kibitz.engine.record.ledger import Ledger
from kibitz.engine.rules import TileSetLike
from kibitz.engine.table import SIDE, UNKNOWN_BLANK, Grid, Square, Tile
from kibitz.engine.tiles.end_racks import known_racks
from kibitz.engine.tiles.unseen import face_of, unseen

USUAL_ZEROS: Final = 6
"""Turns without points that end a game where CGP says nothing."""


class CgpImpossible(ValueError):
    """The position cannot be written as CGP; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Position:
    """The parts of a position that CGP holds.

    Attributes:
        grid: the board.
        players: everybody, who is to move first, in the order of turns.
        racks: what is known to be held; who is not named, or has fewer, is not known in full.
        scores: everybody's points.
        zeros: turns in a row without points.
    """

    grid: Grid
    players: tuple[str, ...]
    racks: Mapping[str, Sequence[str]]
    scores: Mapping[str, int]
    zeros: int


def position_of(ledger: Ledger, after: int | None = None) -> Position:
    """Position after so many entries of a game's history; by default the newest.

    Raises:
        CgpImpossible: it is no game of Scrabble, or has no such entry.
    """
    info = ledger.game.info
    if not info.gcg:
        raise CgpImpossible(
            phrase(
                "CGP is a format for Scrabble on 15x15 squares, not for {game}; take JSON.",
                game=info.title,
            )
        )
    most = len(ledger.done)
    count = most if after is None else after
    if not 0 <= count <= most:
        raise CgpImpossible(
            phrase(
                "Expected the number of an entry from 0 to {most}, got {count}.",
                most=most,
                count=count,
            )
        )
    state = ledger.done[count - 1].state if count else ledger.start
    players, racks = ledger.opening.players, dict(state.racks)
    if state.over and not state.bag:
        tiles = ledger.opening.materials.tile_set
        rest = unseen(tiles, (face_of(t) for t in state.grid.tiles.values()))
        racks = dict(known_racks(players, racks, state.counts, rest, state.went_out))
    turn = players.index(state.to_move) if state.to_move in players else 0
    order = (*players[turn:], *players[:turn])
    return Position(state.grid, order, racks, state.scores, state.scoreless)


def cgp_text(ledger: Ledger, after: int | None = None, *, racks: bool = True) -> str:
    """A game's position as CGP, one line without a line end.

    Args:
        ledger: a game of Scrabble.
        after: after so many entries of its history; None: as it stands.
        racks: with what players hold, as far as it is known.

    Raises:
        CgpImpossible: CGP cannot hold it.
    """
    position = position_of(ledger, after)
    limit = int(ledger.opening.options["cl.scoreless_limit"])
    tile_set = ledger.opening.materials.tile_set
    operations = [
        ("lex", known_lexicon(ledger)),
        ("ld", {"en": "english", **DISTRIBUTIONS}.get(tile_set.language, "")),
        ("mcnz", "" if limit == USUAL_ZEROS else str(limit)),
    ]
    return format_position(position, tile_set, operations, racks=racks)


def format_position(
    position: Position,
    tile_set: TileSetLike,
    operations: Iterable[tuple[str, str]] = (),
    *,
    racks: bool = True,
) -> str:
    """Format a position as CGP.

    Args:
        position: what is written.
        tile_set: what stands on its tiles.
        operations: opcodes with their operands; those without one are left out.
        racks: with what players hold.

    Raises:
        CgpImpossible: another size of board, or a blank that CGP has no sign for.
    """
    grid = position.grid
    if (grid.rows, grid.cols) != (SIDE, SIDE):
        raise CgpImpossible(
            phrase(
                "CGP is read for boards of 15x15 squares, not of {rows}x{cols}; take JSON.",
                rows=grid.rows,
                cols=grid.cols,
            )
        )
    rows = "/".join("".join(_signs(grid, row, tile_set)) for row in range(grid.rows))
    held = "/".join(
        _rack(position.racks.get(p, ()) if racks else (), tile_set) for p in position.players
    )
    scores = "/".join(str(position.scores[p]) for p in position.players)
    said = "".join(f" {code} {what};" for code, what in operations if what)
    return f"{rows} {held} {scores} {position.zeros}{said}"


def _signs(grid: Grid, row: int, tile_set: TileSetLike) -> Iterator[str]:
    """Yield the signs of one row: tiles, and numbers for stretches of empty squares."""
    empty = 0
    for col in range(grid.cols):
        tile = grid.get(Square(row, col))
        if tile is None:
            empty += 1
            continue
        if empty:
            yield str(empty)
            empty = 0
        yield _sign(tile, Square(row, col), tile_set)
    if empty:
        yield str(empty)


def _sign(tile: Tile, square: Square, tile_set: TileSetLike) -> str:
    """A tile on the board: a capital, a small letter for a blank, `[CH]` for several letters."""
    if tile.letter == UNKNOWN_BLANK:
        raise CgpImpossible(
            phrase(
                "The blank on {square} has no letter yet, and CGP needs one: tell it first.",
                square=SquareName(square.name),
            )
        )
    text = tile_set.bracketed(tile.letter)
    if not tile.blank:
        return text
    if text.lower() == text:
        raise CgpImpossible(
            phrase(
                "CGP writes a blank as a small letter, and {letter} on {square} has none; "
                "take JSON.",
                letter=tile.letter,
                square=SquareName(square.name),
            )
        )
    return text.lower()


def _rack(rack: Sequence[str], tile_set: TileSetLike) -> str:
    """Tiles of a rack in order, blanks last."""
    letters = sorted(rack, key=lambda x: (x == UNKNOWN_BLANK, x))
    return tile_set.bracketed("".join(letters))
