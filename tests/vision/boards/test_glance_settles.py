"""What a first look at a board settles, so that no closer one is needed."""

import numpy as np
import pytest

from kibitz.vision.boards.reader import settled_at_a_glance, surer_of_letters
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
    squares, _ = settled_at_a_glance(glanced(*letters, tile=tile), LABELS)
    return squares.tolist()


def test_a_letter_that_is_surely_one_is_settled():
    """One part in fifty is little enough for a doubt, whatever the picture is like."""
    assert [True, False, False] == settled(("G", 0.99), ("G", 0.8), ("T", 0.8))


def test_in_a_clear_picture_nine_in_ten_is_enough():
    """Where most letters are that sure the others are too."""
    clear = [("A", 0.95), ("E", 0.99), ("T", 0.92), ("E", 0.99)]

    assert [True, True, True, True, False] == settled(*clear, ("T", 0.85))


def test_a_few_tiles_do_not_tell_whether_a_picture_is_clear():
    """A first word's four may all be surer than they should be."""
    assert [False, False, True, False] == settled(
        ("A", 0.95), ("E", 0.95), ("T", 0.99), ("A", 0.92)
    )


def test_in_a_poor_picture_it_is_not():
    """Where most letters are doubtful those that seem surer are looked at again."""
    poor = [("A", 0.6), ("E", 0.7), ("A", 0.5)]

    assert [False, False, False, False, True] == settled(*poor, ("T", 0.92), ("T", 0.99))


def test_letters_that_others_are_taken_for_are_looked_at_again():
    """A G may be a C, however clear the picture."""
    clear = [("A", 0.95), ("E", 0.95), ("A", 0.95), ("T", 0.95)]

    assert [True, True, True, True, False] == settled(*clear, ("G", 0.95))


@pytest.mark.parametrize("tile", [0.5, 0.9])
def test_what_may_be_no_tile_is_not_settled(tile):
    """However sure the letter."""
    assert [False] == settled(("A", 0.99), tile=tile)


def test_letters_of_a_clear_picture_become_surer_and_their_turns_do_not():
    """An A that was nine in ten sure is doubtful by 0.004; which way up it lies stays as told."""
    seen = glanced(("A", 0.9))
    after = SquareLogs(seen.kind, surer_of_letters(seen))
    turned = [np.exp(x.both[0, 0] - x.letter[0, 0]) for x in (seen, after)]

    assert pytest.approx(0.004, abs=0.0005) == 1 - np.exp(after.letter[0, 0])
    assert pytest.approx(1.0) == np.exp(after.letter).sum()
    assert turned[0].tolist() == pytest.approx(turned[1].tolist())
