"""Squares whose letter is in doubt are looked at again, the others are not."""

from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from kibitz import app
from kibitz.models.session import Look, Model
from kibitz.vision.boards.letters.close_look import (
    EVERYWHERE,
    LEFT_AND_RIGHT,
    Glyphs,
    Notes,
    close_up,
    lead,
    look_closer,
    looks_again,
)
from kibitz.vision.boards.square_logs import SquareLogs
from kibitz.vision.pipeline import Reader
from kibitz.vision.request import ReadRequest
from kibitz.vision.square_reader import pyramid_of

DEMO = Path(app.__file__).parent / "data" / "demo" / "scrabble"
LETTERS = ("I", "L")
STROKE = 20
"""Where the upright stroke of the test's letter stands, in pixels from the left."""


class Hesitant:
    """Takes a stroke that stands at one place for an I, a little aside for an L.

    `asked` counts the squares that it was shown.
    """

    def __init__(self, tile, lead, aside=2.0, labels=("I", "L", "?")):
        self.tile, self.lead, self.aside, self.asked = tile, lead, aside, 0
        self.facts = SimpleNamespace(
            temperature=1.0, labels=labels, kind_blend=(0.0, 1.0), letter_blend=(0.0, 1.0)
        )

    def run(self, cuts):
        """Logits of kind, then of letter and turn together."""
        self.asked += len(cuts)
        logits = np.full((len(cuts), 4 + 3 * 4), -20.0, np.float32)
        logits[:, :2] = np.log(1 - self.tile), np.log(self.tile)
        at_home = cuts[:, 30, :, 0].argmin(-1) == STROKE
        logits[:, 4] = np.where(at_home, self.lead, 0.0)  # an upright I
        logits[:, 8] = np.where(at_home, 0.0, self.aside)  # an upright L
        return logits

    def look(self, cuts):
        """The same, without what it saw."""
        return Look(self.run(cuts), np.zeros((len(cuts), 0)), np.zeros((len(cuts), 0, 4)))


def one_square():
    cut = np.full((1, 60, 60, 3), 200, np.uint8)
    cut[:, :, STROKE] = 30
    return cut


def letter_of(glyph):
    logs = close_up(one_square(), glyph, LETTERS, Notes())
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

    logs = close_up(one_square(), glyph, LETTERS, Notes(), before)

    assert (0, 1) == (int(logs.letter[0].argmax()), glyph.asked)


def asked_of_each(small, large, letters=LETTERS, **how):
    """How many squares each model was shown of one that a first look knows nothing about."""
    nothing = SquareLogs(np.zeros((1, 4), np.float32), np.zeros((1, 3, 4), np.float32))
    look_closer(one_square(), nothing, Glyphs(small, large), letters, Notes(), **how)
    return small.asked, large.asked


def test_what_is_plain_to_the_small_model_is_not_shown_to_the_large_one():
    """Sure of the tile, of the letter and of its turn."""
    assert (1, 0) == asked_of_each(Hesitant(0.999, lead=6.0), Hesitant(0.999, lead=6.0))


def test_the_large_model_is_asked_where_the_small_one_is_in_doubt():
    """About the letter, or whether a tile lies there at all."""
    sure = Hesitant(0.999, lead=6.0)
    assert (1, 1) == asked_of_each(Hesitant(0.999, lead=2.0), sure)
    sure = Hesitant(0.999, lead=6.0)
    assert (1, 1) == asked_of_each(Hesitant(0.9, lead=6.0), sure)


class EitherWay(Hesitant):
    """Sure of the letter, not which way up it is."""

    def run(self, cuts):
        """As likely upside down as upright."""
        logits = super().run(cuts)
        logits[:, 6::4] = logits[:, 4::4]
        return logits


@pytest.mark.parametrize(("lead", "expected"), [(6.0, (1, 0)), (-6.0, (1, 1))])
def test_which_way_an_even_letter_faces_is_for_its_neighbours_to_tell(lead, expected):
    """An I is an I upside down; an L that may lie upside down is shown to the large model."""
    assert expected == asked_of_each(EitherWay(0.999, lead), Hesitant(0.999, lead=6.0))


@pytest.mark.parametrize(("tile", "expected"), [(0.001, (1, 0)), (0.01, (1, 1))])
def test_what_is_hardly_a_tile_is_not_shown_to_the_large_model(tile, expected):
    """A print that made a first look wonder."""
    assert expected == asked_of_each(Hesitant(tile, lead=6.0), Hesitant(tile, lead=6.0))


@pytest.mark.parametrize("marked", ["I\u0130", "L\u0141"])
def test_a_letter_that_another_differs_from_by_a_mark_is_shown_to_the_large_model(marked):
    """An I in a set that has an I with a dot over it too, an L where there is one with a stroke."""
    models = [Hesitant(0.999, lead=6.0, labels=(*marked, "?")) for _ in range(2)]
    assert (1, 1) == asked_of_each(*models, letters=marked)


def test_a_square_that_is_looked_at_closely_is_shown_to_the_large_model():
    """However plain it is."""
    small, large = Hesitant(0.999, lead=6.0), Hesitant(0.999, lead=6.0)
    assert (1, 1) == asked_of_each(small, large, closely=True)


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


@pytest.mark.parametrize(("square_px", "expected"), [(40, False), (26, True)])
def test_small_squares_are_all_shown_to_the_large_model(square_px, expected, monkeypatch):
    """A photograph in which they have fewer than 32 pixels; of others it sees the doubtful ones."""
    picture = cv2.imread(str(max(DEMO.glob("*.jpg"))))
    reader, look, shown = Reader(), Model.look, dict.fromkeys(("small_glyph", "glyph"), 0)
    (whole,), _ = reader.locator.locate(pyramid_of(picture), ReadRequest())
    scale = square_px / whole.square_px
    picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)

    def noted(model, pictures, *whole):
        if model.facts.task in shown:
            shown[model.facts.task] += len(pictures)
        return look(model, pictures, *whole)

    monkeypatch.setattr(Model, "look", noted)
    reader.read(picture)

    assert shown["small_glyph"] > 0
    assert expected == (shown["small_glyph"] == shown["glyph"])
