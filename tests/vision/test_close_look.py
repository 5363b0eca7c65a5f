"""Squares whose letter is in doubt are looked at again, the others are not."""

from types import SimpleNamespace

import numpy as np

from vision.board_reader import close_up
from vision.close_look import EVERYWHERE, LEFT_AND_RIGHT, lead, looks_again

LETTERS = ("I", "L")
STROKE = 20
"""Where the upright stroke of the test's letter stands, in pixels from the left."""


class Hesitant:
    """Takes a stroke that stands at one place for an I, a little aside for an L.

    `asked` counts the squares that it was shown.
    """

    facts = SimpleNamespace(temperature=1.0, labels=("I", "L", "?"))

    def __init__(self, tile, lead, aside=2.0):
        self.tile, self.lead, self.aside, self.asked = tile, lead, aside, 0

    def run(self, cuts):
        """Logits of kind, then of letter and turn together."""
        self.asked += len(cuts)
        logits = np.full((len(cuts), 4 + 3 * 4), -20.0, np.float32)
        logits[:, :2] = np.log(1 - self.tile), np.log(self.tile)
        at_home = cuts[:, 30, :, 0].argmin(-1) == STROKE
        logits[:, 4] = np.where(at_home, self.lead, 0.0)  # an upright I
        logits[:, 8] = np.where(at_home, 0.0, self.aside)  # an upright L
        return logits


def one_square():
    cut = np.full((1, 60, 60, 3), 200, np.uint8)
    cut[:, :, STROKE] = 30
    return cut


def letter_of(glyph):
    logs = close_up(one_square(), glyph, LETTERS)
    return ("I", "L", "?")[int(logs.letter[0].argmax())]


def test_a_doubtful_letter_is_settled_by_further_looks():
    """One look takes the L for an I by a hair, two of the three looks plainly do not."""
    glyph = Hesitant(tile=0.99, lead=0.5, aside=6.0)

    assert ("L", 3) == (letter_of(glyph), glyph.asked)


def test_where_three_looks_leave_it_torn_two_more_are_taken():
    """One look, two further ones, and then two more."""
    glyph = Hesitant(tile=0.99, lead=0.5, aside=1.0)

    assert ("L", 5) == (letter_of(glyph), glyph.asked)


def test_a_clear_letter_is_looked_at_once():
    """What leaves no doubt costs no time."""
    glyph = Hesitant(tile=0.99, lead=6.0)

    assert ("I", 1) == (letter_of(glyph), glyph.asked)


def test_the_letter_of_a_bare_square_does_not_matter():
    """A square that most likely holds no tile is not looked at for its letter."""
    glyph = Hesitant(tile=0.2, lead=0.5)

    assert ("I", 1) == (letter_of(glyph), glyph.asked)


def test_what_a_first_look_bears_out_is_in_no_doubt():
    """A hesitant closer look at what was a plain I before is not repeated."""
    glyph = Hesitant(tile=0.99, lead=0.5)
    before = np.full((1, 3, 4), -20.0, np.float32)
    before[0, 0, 0] = 0.0

    logs = close_up(one_square(), glyph, LETTERS, before)

    assert (0, 1) == (int(logs.letter[0].argmax()), glyph.asked)


def test_doubt_is_about_the_two_likeliest_letters():
    """How far the second letter is behind, whatever the third."""
    letters = np.log(np.array([[0.6, 0.3, 0.1], [0.3, 0.1, 0.6]], np.float32))

    assert np.allclose(np.log(2), lead(letters))


def test_looks_are_in_grey_and_aside():
    """From the left and the right."""
    cut = one_square()
    cut[..., 2] = 0
    places = [int(x[0, 30, :, 0].argmin()) for x in looks_again(cut, LEFT_AND_RIGHT)]
    colours = [bool((x[..., 0] != x[..., 2]).any()) for x in looks_again(cut, LEFT_AND_RIGHT)]

    assert [18, 22] == places
    assert [False, False] == colours


def test_a_watched_table_is_looked_at_from_all_sides():
    """Eighteen looks with the first: nine places in colour and in grey, each once."""
    cut = one_square()
    cut[..., 2] = 0
    cut[:, 40, :] = 30
    looks = [cut, *looks_again(cut, EVERYWHERE, colour=True)]
    kinds = {
        (
            int(x[0, 5, :, 0].argmin()),
            int(x[0, :, 5, 0].argmin()),
            bool((x[..., 0] != x[..., 2]).any()),
        )
        for x in looks
    }

    assert 18 == len(looks)
    assert {(x, y, c) for x in (18, 20, 22) for y in (38, 40, 42) for c in (True, False)} == kinds
