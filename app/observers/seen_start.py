"""Turns what cameras see into a starting position."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.app.observers.loose import table_view
from kibitz.app.reading.lines import COVERED, rows_of, turns_of
from kibitz.engine.record.ledger import Opening
from kibitz.engine.rules import JsonValue
from kibitz.engine.table import JOINED_SIDE, SIDE, UNKNOWN_BLANK
from kibitz.engine.tracking.evidence.loose_table import shortest_word
from kibitz.vision.readings import BLANK, GridReading, PhotoReading

NORTH = "2"
"""Quarter turns of a tile that faces North."""


class CannotTellError(Exception):
    """The pictures do not show everything; the message says what they should show."""


def seen_start(
    opening: Opening, readings: Sequence[PhotoReading], letters: Sequence[str]
) -> dict[str, JsonValue]:
    """Fields of a starting position that pictures show.

    Args:
        opening: the game and its players.
        readings: the newest picture of each camera.
        letters: those of the tile set.

    Returns:
        Boards as rows of text with `?` for a blank and `#` for what cannot be seen now, or pool,
        heap and words of a table without a board. Where tiles face two sides, blanks are listed.

    Raises:
        CannotTellError: too few boards, or it is not known which ones.
    """
    info = opening.game.info
    if info.surface.kind == "loose":
        return _table(opening, readings[0], letters)
    if info.surface.joined:
        return {"board45": _joined(readings)}
    boards = [board for reading in readings for board in reading.boards]
    wanted = len(info.surfaces(len(opening.players)))
    if len(boards) < wanted:
        expected = "the board" if wanted == 1 else f"{wanted} boards"
        raise CannotTellError(f"Expected {expected} in the picture, found {len(boards)}.")
    if not info.surface.facing:
        return {"board": rows_of(boards[0])}
    return _facing(boards[:wanted])


def _facing(boards: Sequence[GridReading]) -> dict[str, JsonValue]:
    """Board as text: small letters face North; a blank has no facing and is listed by square."""
    out: dict[str, JsonValue] = {}
    drawn = []
    for name, board in zip(("blanks", "blanks_2"), boards, strict=False):
        rows = rows_of(board)
        turns = turns_of(board, rows)
        drawn.append(
            [
                "".join(x.lower() if t == NORTH else x for x, t in zip(row, turned, strict=True))
                for row, turned in zip(rows, turns, strict=True)
            ]
        )
        out[name] = [
            f"{chr(65 + r)}{c + 1}"
            for r, row in enumerate(rows)
            for c, x in enumerate(row)
            if x == UNKNOWN_BLANK
        ]
    return {"boards": drawn, **out} if len(drawn) > 1 else {"board": drawn[0], **out}


def _joined(readings: Sequence[PhotoReading]) -> list[str]:
    whole = next((b for r in readings for b in r.boards if b.size == JOINED_SIDE), None)
    if whole is not None:
        return rows_of(whole)
    panels = {r.panel: rows_of(r.boards[0]) for r in readings if r.panel and r.boards}
    if not panels:
        raise CannotTellError(
            "Expected all nine boards in one picture, or cameras whose boards are told with "
            "--panel; type the boards instead."
        )
    unseen = [COVERED * SIDE] * SIDE
    bands = [[panels.get(3 * band + i + 1, unseen) for i in range(3)] for band in range(3)]
    return ["".join(p[row] for p in band) for band in bands for row in range(SIDE)]


def _table(
    opening: Opening, reading: PhotoReading, letters: Sequence[str]
) -> dict[str, JsonValue]:
    players = opening.players
    view = table_view(reading, (*letters, BLANK), len(players), shortest_word(opening))
    words: dict[str, list[str]] = {p: [] for p in players}
    for word in view.words:
        words[players[word.seat]].append(opening.materials.tile_set.word_of(word.text))
    pool = "".join(sorted(tile.best for tile in view.loose))
    return {"pool": pool, "face_down": view.face_down, "words": words}
