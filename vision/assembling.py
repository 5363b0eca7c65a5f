"""From a board's squares to its reading: row A first, and what the squares tell of each other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.board_geometry import BoardGeometry
from vision import own_letters
from vision.bare_board import settle_hidden
from vision.blanks import in_doubt, settle_blanks
from vision.card_ends import card_ends
from vision.readings import BLANK, TILE_KIND, GridReading
from vision.ship_cards import settle_cards
from vision.square_logs import SquareLogs, settle_turns
from vision.tile_colours import SquareColours, split_colours


def assemble(
    geometry: BoardGeometry,
    colours: SquareColours,
    logs: SquareLogs,
    labels: tuple[str, ...],
    quarters: int,
    *,
    top_certain: bool,
) -> GridReading:
    """A reading with row A first, from squares read with any corner first."""

    def turned(squares: NDArray[Any]) -> NDArray[Any]:
        return np.rot90(squares, quarters) if quarters else squares

    geometry = geometry.turned(quarters)
    kind, straight = turned(logs.kind), turned(colours.straight)
    letter, turn = (turned(x) for x in settle_turns(logs, labels))
    turn = turn[..., (np.arange(4) + quarters) % 4]
    n, px = kind.shape[0], colours.square_px
    blank = np.exp(letter[..., labels.index(BLANK)])
    tiles = kind.argmax(-1) == TILE_KIND
    asked = in_doubt(kind, blank).any()
    wanted = np.ones((n, n), np.bool_) if asked else np.rot90(tiles, -quarters)
    middles, edges = (turned(x) for x in colours.of(wanted))
    if asked:
        kind = settle_blanks(middles, edges, kind, blank)
        tiles = kind.argmax(-1) == TILE_KIND
    ends = card_ends(kind, blank, edges, straight, px)
    kind, cards = settle_cards(kind, ends, straight, px)
    kind = settle_hidden(straight, px, kind, np.exp(letter).max(-1))
    return GridReading(
        corners_px=geometry.corners_px,
        kind_log_prob=np.array(kind),
        labels=labels,
        letter_log_prob=np.array(letter),
        turn_log_prob=np.array(turn),
        tile_sets=split_colours(middles, tiles & (kind.argmax(-1) == TILE_KIND)),
        markers=cards,
        quality=geometry.quality,
        square_px=geometry.square_px,
        top_certain=top_certain,
        alike=own_letters.turned(logs.alike, n, quarters),
    )
