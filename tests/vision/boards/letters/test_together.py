"""What all squares of a board tell of each, by a network that sees what the looks left."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz.models.session import load_board_model, load_model
from kibitz.models.training.drawing import scene
from kibitz.models.training.drawing.covers import TILE
from kibitz.models.training.sampling import samples
from kibitz.vision.boards.letters.close_look import Glyphs
from kibitz.vision.boards.letters.together import LookAnswers, Looks, seen_together
from kibitz.vision.boards.reader import Known, read_board
from kibitz.vision.boards.square_logs import SquareLogs, usable_letters
from kibitz.vision.pipeline import Reader
from kibitz.vision.readings import TILE_KIND
from kibitz.vision.request import ReadRequest
from kibitz.vision.square_reader import pyramid_of

LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
DEMO = Path(__file__).resolve().parents[4] / "app" / "data" / "demo" / "scrabble"


def looks(*values):
    """Looks at squares (0, 1) and (2, 0) of a board of three that left these numbers."""
    kind = np.array([[v] * 4 for v in values], np.float32)
    both = np.array([[[v] * 4] * 2 for v in values], np.float32)
    features = np.array([[v] * 3 for v in values], np.uint8)
    return Looks.of(3, np.array([(0, 1), (2, 0)]), LookAnswers(SquareLogs(kind, both), features))


def test_rows_are_squares_looked_at_in_reading_order_and_none_last():
    """Each square of the board says which row it is."""
    rows = looks(5, 6).rows("small")

    assert [2, 0, 2, 2, 2, 2, 1, 2, 2] == rows["small_at"].tolist()
    assert [[5, 5, 5], [6, 6, 6], [0, 0, 0]] == rows["small_features"].tolist()
    assert [5, 6, 0] == rows["small_kind"][:, 0].tolist()
    assert (3, 2, 4) == rows["small_both"].shape


def test_what_was_left_before_stays_where_nothing_was_read_anew():
    """A square that was read anew and not looked at closely has no closer look any more."""
    anew = np.zeros((3, 3), np.bool_)
    anew[2, 0] = anew[1, 1] = True
    now = Looks.of(
        3,
        np.array([(1, 1)]),
        LookAnswers(
            SquareLogs(np.full((1, 4), 9, np.float32), np.full((1, 2, 4), 9, np.float32)),
            np.full((1, 3), 9, np.uint8),
        ),
    )
    after = now.after(looks(5, 6), anew)

    assert [(0, 1), (1, 1)] == [tuple(x) for x in np.argwhere(after.at).tolist()]
    assert [5, 9] == after.features[after.at][:, 0].tolist()


@pytest.fixture(scope="module")
def glyphs():
    """The published networks, the one that sees the whole board among them."""
    return Glyphs(load_model("small_glyph"), load_model("glyph"), None, load_board_model())


class OneScene:
    """A pool of one drawn scene."""

    def __init__(self, drawn):
        self.drawn = drawn
        self.kinds, self.letters, self.turns = (
            x[None] for x in (drawn.kinds, drawn.letters, drawn.turns)
        )

    def __len__(self):
        return 1

    def image(self, _):
        """The scene's picture."""
        return self.drawn.image


def drawn_boards(seeds):
    """Photographs of drawn boards with their geometry, kinds and letters."""
    for seed in seeds:
        rng = np.random.default_rng([4321, seed])
        yield samples.board_photograph(rng, OneScene(scene.make_scene(rng)), 24, 40)[:4]


def test_seeing_all_squares_more_blanks_are_told_and_no_fewer_letters(glyphs):
    """Of drawn boards with marks of many kinds on their blanks, which no network has seen."""
    glance = load_model("reader")
    alone = Glyphs(glyphs.small, glyphs.large)
    labels = usable_letters(glance, LETTERS)
    right = {"alone": [0, 0], "together": [0, 0]}
    for picture, geometry, kinds, letters in drawn_boards(range(12)):
        truth = np.where(letters < len(LETTERS), letters, len(LETTERS))
        blank = (kinds == TILE) & (letters == len(glance.facts.labels) - 1)
        plain = (kinds == TILE) & (letters < len(LETTERS))
        for name, models in (("alone", alone), ("together", glyphs)):
            _, logs = read_board(picture, geometry, glance, models, LETTERS)
            told = (logs.kind.argmax(-1) == TILE_KIND) & (logs.letter.argmax(-1) == truth)
            right[name][0] += int(told[blank].sum())
            right[name][1] += int(told[plain].sum())

    assert "?" == labels[-1]
    assert right["together"][0] > right["alone"][0]
    assert right["together"][1] >= right["alone"][1]


@pytest.mark.parametrize("letters", [LETTERS, tuple("AB"), (*LETTERS, "Ä", "Ö", "Ü")])
def test_any_letters_will_do(letters, glyphs):
    """What is told of a square adds up to one, whichever letters count."""
    picture = pyramid_of(cv2.imread(str(max(DEMO.glob("*.jpg")))))
    (geometry,), _ = Reader().locator.locate(picture, ReadRequest())
    _, logs = read_board(picture, geometry, load_model("reader"), glyphs, letters)

    assert (15, 15, len(letters) + 1, 4) == logs.both.shape
    assert np.exp(logs.kind).sum(-1) == pytest.approx(np.ones((15, 15)), abs=1e-4)
    assert np.exp(logs.both).sum((-2, -1)) == pytest.approx(np.ones((15, 15)), abs=1e-3)


def test_squares_that_did_not_change_keep_what_was_told(glyphs):
    """Where one square is read again, all others are seen by the network and stay as they were."""
    picture = pyramid_of(cv2.imread(str(max(DEMO.glob("*.jpg")))))
    (geometry,), _ = Reader().locator.locate(picture, ReadRequest())
    glance = load_model("reader")
    colours, logs = read_board(picture, geometry, glance, glyphs, LETTERS)
    anew = np.zeros((15, 15), np.bool_)
    anew[7, 7] = True
    _, again = read_board(
        picture,
        geometry,
        glance,
        glyphs,
        LETTERS,
        known=Known(colours.straight, colours, logs, anew),
    )

    assert logs.kind[~anew].tolist() == again.kind[~anew].tolist()
    assert logs.both[7, 7].argmax() == again.both[7, 7].argmax()
    assert again.evidence is not None
    assert logs.evidence.small.at.tolist() == again.evidence.small.at.tolist()


def test_squares_that_are_asked_for_are_told_as_if_all_were(glyphs):
    """Those that a close look looked at and bare ones, some only and all."""
    picture = pyramid_of(cv2.imread(str(max(DEMO.glob("*.jpg")))))
    (geometry,), _ = Reader().locator.locate(picture, ReadRequest())
    colours, logs = read_board(picture, geometry, load_model("reader"), glyphs, LETTERS)
    of_all = np.concatenate(colours.of(np.ones((15, 15), np.bool_)), -1)
    some = np.zeros((15, 15), np.bool_)
    some[[0, 7, 14], [0, 7, 14]] = True
    some.flat[np.flatnonzero(logs.evidence.small.at)[:5]] = True
    every = np.ones_like(some)

    told = seen_together(logs.evidence, some, of_all, geometry.square_px, glyphs.board)
    as_all = seen_together(logs.evidence, every, of_all, geometry.square_px, glyphs.board)

    assert told.kind == pytest.approx(as_all.kind[some.ravel()], abs=1e-3)
    assert told.both == pytest.approx(as_all.both[some.ravel()], abs=1e-3)
