"""What a first look at a board settles, so that no closer one is needed."""

import numpy as np
import pytest

from kibitz.vision.boards.reader import settled_at_a_glance
from kibitz.vision.boards.square_logs import SquareLogs
from kibitz.vision.readings import TILE_KIND

LABELS = ("A", "E", "G", "T", "?")


def glanced(*letters, tile=0.999):
    """Tiles of which a first look says that they are some letter with some probability, upright."""
    kind = np.full((len(letters), 4), (1 - tile) / 3, np.float32)
    kind[:, TILE_KIND] = tile
    both = np.empty((len(letters), len(LABELS), 4), np.float32)
    for k, (letter, sure) in enumerate(letters):
        both[k] = (1 - sure) / (both[k].size - 1)
        both[k, LABELS.index(letter), 0] = sure
    return SquareLogs(np.log(kind), np.log(both))


def settled(*letters, tile=0.999):
    return settled_at_a_glance(glanced(*letters, tile=tile), LABELS).tolist()


def test_a_letter_that_is_surely_one_is_settled():
    """One part in fifty is doubt enough for a closer look: a G may be a C."""
    assert [True, True, False, False] == settled(
        ("G", 0.99), ("T", 0.985), ("G", 0.97), ("T", 0.8)
    )


def test_a_letter_that_differs_from_another_by_a_mark_is_not_settled():
    """Where a set has an A with an ogonek an A is looked at closer, however sure it seems."""
    seen = glanced(("A", 0.999), ("E", 0.999))
    assert [False, True] == settled_at_a_glance(seen, ("A", "E", "\u0104", "T", "?")).tolist()


@pytest.mark.parametrize("tile", [0.5, 0.94])
def test_what_may_be_no_tile_is_not_settled(tile):
    """However sure the letter."""
    assert [False] == settled(("A", 0.99), tile=tile)
