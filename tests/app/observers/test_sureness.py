"""What a picture showed on each square, and how surely."""

from __future__ import annotations

import pytest

from kibitz.app.observers.sureness import tiles_seen
from kibitz.engine.table import Square
from kibitz.engine.tracking.evidence.changes import BoardView, SquareView


def seen(rows=15, **squares):
    """A view with tiles at some places: how likely a tile, and its letters."""
    at = {"first": Square(7, 7), "second": Square(rows - 1, 0)}
    views = {at[k]: SquareView(1 - tile, tile, letters=x) for k, (tile, x) in squares.items()}
    return BoardView(rows, rows, views)


E_OR_F = (0.9, {"E": 0.75, "F": 0.25})
BLANK = (1.0, {"?": 0.5, "A": 0.4})


@pytest.mark.parametrize(
    ("view", "tiles"),
    [
        (None, {}),
        (seen(), {}),
        (seen(first=E_OR_F, second=BLANK), {"H8": ("E", 0.675), "O1": ("?", 0.5)}),
        (seen(first=(0.5, {"E": 1.0})), {}),
        (seen(first=(0.9, {})), {}),
        (seen(first=(1.0, {"E": 0.33333, "F": 0.3})), {"H8": ("E", 0.3333)}),
        (seen(45, second=E_OR_F), {"7:O1": ("E", 0.675)}),
        ((seen(first=E_OR_F), seen(second=BLANK)), {"1:H8": ("E", 0.675), "2:O1": ("?", 0.5)}),
        ((None, seen(second=BLANK)), {"2:O1": ("?", 0.5)}),
        ((None, None), {}),
    ],
)
def test_tiles_by_the_names_that_plays_give_their_squares(view, tiles):
    """A tile there times its likeliest letter; on joined and on two boards with the board's number."""
    assert tiles == tiles_seen(view)
