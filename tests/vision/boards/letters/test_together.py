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
from kibitz.models.training.sampling.pool import Scenes
from kibitz.vision.boards.colours.tile_colours import SquareColours
from kibitz.vision.boards.letters.close_look import Glyphs
from kibitz.vision.boards.letters.signs import SEEN
from kibitz.vision.boards.letters.together import (
    LARGE_FEATURES,
    SMALL_FEATURES,
    Evidence,
    LookAnswers,
    Looks,
    seen_together,
)
from kibitz.vision.boards.reader import SQUARE_PX, Known, look_at_all, read_board
from kibitz.vision.boards.square_logs import SquareLogs, usable_letters
from kibitz.vision.pipeline import Reader
from kibitz.vision.readings import TILE_KIND
from kibitz.vision.request import ReadRequest
from kibitz.vision.square_reader import pyramid_of

LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
DEMO = Path(__file__).resolve().parents[4] / "app" / "data" / "demo" / "scrabble"


def said(values, channels):
    """What a look said of as many squares, and left, in these numbers."""
    kind = np.array([[v] * 4 for v in values], np.float32)
    both = np.array([[[v] * 4] * 2 for v in values], np.float32)
    features = np.array([[v] * channels for v in values], np.uint8)
    return LookAnswers(SquareLogs(kind, both), features, both)


def looks(where, large=()):
    """Looks at some squares; the small close look at all but the first, the large at the last.

    Each left the square's place among them, the large one its number.
    """
    k = len(where)
    at = np.arange(k)
    seen = said(large, LARGE_FEATURES) if large else None
    glance, small = said(range(k), 3), said(range(1, k), SMALL_FEATURES)
    return Looks(np.array(where), glance, small, at > 0, seen, at >= k - len(large))


def test_rows_are_squares_looked_at_in_reading_order_and_none_last():
    """Each square looked at says which row it is; a look that there was not has one row."""
    feed = looks([(0, 0), (0, 1), (2, 0)]).feed()

    assert [2, 0, 1] == feed["small_at"].tolist()
    assert [1, 2, 0] == feed["small_kind"][:, 0].tolist()
    assert [[1, 1, 1], [2, 2, 2], [0, 0, 0]] == feed["small_features"][:, :3].tolist()
    assert (3, 2, 4) == feed["small_both"].shape
    assert [0, 0, 0] == feed["large_at"].tolist()
    assert (1, LARGE_FEATURES) == feed["large_features"].shape
    assert [0, 1, 2] == feed["glance_kind"][:, 0].tolist()


def test_what_was_left_before_stays_where_nothing_was_read_anew():
    """A square that was read anew and not looked at closely has no closer look any more."""
    before = Evidence.none(3, 4, 2, 2).after(
        looks([(0, 1), (1, 1), (2, 0)], large=(5, 6)), np.full((3, 4), 1, np.float32)
    )
    before.signs[:] = 7
    after = before.after(looks([(0, 0), (2, 0)]), np.array([[2] * 4, [3] * 4], np.float32))

    assert [[2, 1, 0], [0, 1, 0], [3, 0, 0]] == after.tokens[..., 0].tolist()
    assert [(1, 1)] == [tuple(x) for x in np.argwhere(after.large_at).tolist()]
    assert 5 == after.scripts[1, 1, 0, 0]
    assert [[0, 7, 7], [7, 7, 7], [0, 7, 7]] == after.signs[..., 0].tolist()
    assert [(1, 1), (2, 0)] == [tuple(x) for x in np.argwhere(before.large_at).tolist()]


@pytest.fixture(scope="module")
def glyphs():
    """The published networks, the one that sees the whole board among them."""
    return Glyphs(load_model("small_glyph"), load_model("glyph"), None, load_board_model())


def drawn_boards(seeds):
    """Photographs of drawn boards with their geometry, kinds and letters."""
    for seed in seeds:
        rng = np.random.default_rng([4321, seed])
        yield samples.board_photograph(
            rng, Scenes([scene.make_scene(rng, in_depth=True)]), 24, 40
        )[:4]


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
    assert logs.evidence.large_at.tolist() == again.evidence.large_at.tolist()
    others = (logs.evidence.tokens != again.evidence.tokens).any(-1)
    assert [[7, 7]] == np.argwhere(others).tolist()


def test_squares_that_are_asked_for_are_told_as_if_all_were(glyphs):
    """Those that a close look looked at and bare ones, some only and all."""
    picture = pyramid_of(cv2.imread(str(max(DEMO.glob("*.jpg")))))
    (geometry,), _ = Reader().locator.locate(picture, ReadRequest())
    seen = look_at_all(picture, geometry, load_model("reader"), glyphs, LETTERS)
    colours = SquareColours(seen.straight, SQUARE_PX)
    of_all = np.concatenate(colours.of(np.ones((15, 15), np.bool_)), -1)
    every = seen.looks
    some = np.arange(225) % 7 == 0
    few = Looks(
        every.where[some],
        part_of(every.glance, some),
        part_of(every.small, some[every.small_at]),
        every.small_at[some],
        part_of(every.large, some[every.large_at]) if every.large else None,
        every.large_at[some],
    )
    tokens = glyphs.board.tokens(every.feed())
    letters = len(glyphs.large.facts.script_labels)
    evidence = Evidence.none(15, tokens.shape[1], SEEN, letters).after(every, tokens)
    again = evidence.after(few, glyphs.board.tokens(few.feed()))
    px = geometry.square_px
    as_all = seen_together(every, every.feed(), evidence, of_all, px, glyphs.board)
    told = seen_together(few, few.feed(), again, of_all, px, glyphs.board)

    assert 0 < few.small_at.sum() < some.sum()
    assert again.tokens == pytest.approx(evidence.tokens, abs=1e-3)
    assert told.kind == pytest.approx(as_all.kind[some], abs=1e-3)
    assert told.both == pytest.approx(as_all.both[some], abs=1e-3)


def part_of(seen, some):
    """What a look said of some of its squares."""
    return LookAnswers(seen.logs.of(some), seen.features[some])


class Asked:
    """A board network that says nothing new, and keeps which squares it was asked about."""

    wanted: list[int]

    def run(self, feed):
        """Kinds and letters of the squares wanted, as the glance and the close look had them."""
        self.wanted = feed["wanted"].tolist()
        looked = feed["small_at"] < len(feed["small_kind"]) - 1
        return feed["glance_kind"], feed["glance_both"][looked]


def test_what_a_glance_knows_to_be_bare_is_left_at_that():
    """From 0.95 on; what was looked at closely is asked about however bare it seems."""
    bare = np.array([0.96, 0.94, 0.99], np.float32)
    kind = np.log(np.stack([bare, *[(1 - bare) / 3] * 3], -1))
    glance = LookAnswers(SquareLogs(kind, np.zeros((3, 2, 4), np.float32)), np.zeros((3, 1)))
    small = LookAnswers(
        SquareLogs(kind[2:], np.zeros((1, 2, 4), np.float32)), np.zeros((1, SMALL_FEATURES))
    )
    at = np.array([False, False, True])
    where = np.array([(0, 0), (0, 1), (1, 0)])
    some = Looks(where, glance, small, at, None, np.zeros(3, bool))
    model = Asked()
    told = seen_together(
        some, some.feed(), Evidence.none(2, 1, SEEN, 0), np.zeros((2, 2, 6)), 30.0, model
    )

    assert [1, 2] == model.wanted
    assert np.array_equal(kind, told.kind)
