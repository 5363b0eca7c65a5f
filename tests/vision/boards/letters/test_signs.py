"""What is printed on a tile and is no letter."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from kibitz.models.session import load_board_model, load_model
from kibitz.models.training.drawing import glyphs
from kibitz.models.training.drawing.covers import TILE
from kibitz.vision.boards.letters.close_look import Glyphs
from kibitz.vision.boards.letters.signs import (
    KEYS,
    SEEN,
    look_for_signs,
    odds_of_sign,
    take_in_signs,
    to_be_shown,
    upright,
)
from kibitz.vision.boards.letters.together import Evidence
from kibitz.vision.boards.reader import read_board
from kibitz.vision.boards.square_logs import SquareLogs
from kibitz.vision.square_reader import pyramid_of
from tests.measures.marked_blanks import ICONS, marked_board


def tile(alone, asks=0.0, says=0.0):
    """What the network says of a tile: by itself, and of one thing about sets."""
    out = np.zeros(SEEN, np.float32)
    out[0], out[1], out[1 + KEYS] = alone, asks, says
    return out


def test_a_tile_by_itself_is_told_by_itself():
    """There is no set to compare it with."""
    seen = np.stack([tile(1.5, asks=4.0, says=3.0)])

    assert [[1.5, 0.0]] == odds_of_sign(seen).tolist()


def test_what_a_tile_asks_of_its_set_the_others_answer():
    """Its own answer does not count, and each answer at most once."""
    sets = np.stack(
        [tile(-30.0, asks=2.0, says=9.0), tile(-30.0, says=9.0), tile(-30.0, says=-9.0)]
    )
    lone = np.stack(
        [tile(-30.0, asks=2.0, says=9.0), tile(-30.0, says=9.0), tile(-30.0, says=9.0)]
    )

    nothing = [[-30.0, 0.0]] * 3
    assert np.array(nothing) == pytest.approx(odds_of_sign(sets))
    assert np.array([[-30.0, 2.0], *nothing[1:]]) == pytest.approx(odds_of_sign(lone))


class Sided:
    """Says of a tile how bright its middle is; counts the tiles that it was shown."""

    def __init__(self):
        self.shown = []

    def run(self, cuts):
        """By a tile's middle pixel, less 100."""
        self.shown.append(len(cuts))
        return np.stack([tile(float(cut[30, 30, 0]) - 100) for cut in cuts])


def test_only_a_tile_in_doubt_is_seen_from_aside_too():
    """One nat is doubt: what its four sides say counts as much; eight nats are none."""
    cuts = np.full((2, 60, 60, 3), 108, np.uint8)
    cuts[0, 30, 30], cuts[0, 28, 30], cuts[0, 30, 32] = 101, 105, 91

    sign = Sided()
    seen = look_for_signs(cuts, sign)

    assert [2, 4] == sign.shown
    # as it is, then what comes from the left, the right, above and below
    assert [(1 + 8 - 9 + 5 + 8) / 5, 8.0] == pytest.approx(odds_of_sign(seen)[:, 0].tolist())


def test_where_no_tile_is_in_doubt_there_is_one_look():
    """Ten nats say that it is a letter."""
    sign = Sided()
    look_for_signs(np.full((3, 60, 60, 3), 90, np.uint8), sign)

    assert [3] == sign.shown


def test_signs_do_not_say_what_a_set_is_like():
    """Two signs and a letter: the letter alone answers."""
    seen = np.stack([tile(30.0, says=-9.0), tile(-30.0, says=9.0), tile(0.0, asks=1.0)])

    assert np.array([(30.0, 0.0), (-30.0, 0.0), (0.0, 1.0)]) == pytest.approx(odds_of_sign(seen))


def board(*, tiles):
    """Two squares, tiles or bare, that read as an A by 0.9; letters are A and the blank."""
    kind = np.log(np.full((1, 2, 4), 0.01, np.float32))
    kind[0, :, 1] = np.log(0.97 if tiles else 0.01)
    kind[0, :, 0] = np.log(0.01 if tiles else 0.97)
    both = np.log(np.full((1, 2, 2, 4), 0.1 / 7, np.float32))
    both[0, :, 0, 0] = np.log(0.9)
    return SquareLogs(kind, both)


def blank(logs):
    return np.exp(logs.letter[0, :, -1]).tolist()


BOTH = np.ones((1, 2), np.bool_)
BLEND = 0.5, 0.25, 0.75, 1.5


def told(logs, anew, seen):
    """A board with what signs say of it taken in."""
    none = np.zeros((1, 2), np.float32)
    logs.evidence = replace(Evidence.none(2, 0, SEEN, 0), signs=seen, disputed=none)
    take_in_signs(logs, anew, logs.evidence, BLEND)
    return logs


def test_a_sign_makes_a_blank_likelier_by_what_it_counts():
    """Looks, the sign by itself and beside its set; what was read before stays."""
    first = np.array([[True, False]])
    logs = board(tiles=True)
    seen = np.stack([tile(3.0, asks=2.0), tile(-30.0, says=30.0)])[None]
    signed = told(board(tiles=True), first, seen)
    looks = np.log(0.4 / 7 / (0.9 + 0.3 / 7))
    odds = 0.5 * looks + 0.25 * 3.0 + 0.75 * 2.0 - 1.5

    assert [1 / (1 + np.exp(-odds)), blank(logs)[1]] == pytest.approx(blank(signed))
    assert np.allclose(1.0, np.exp(signed.both).sum((-2, -1)))


@pytest.mark.parametrize("alone", [-20.0, 0.0, 30.0])
def test_where_looks_and_signs_say_otherwise_of_a_blank_that_is_kept(alone):
    """The looks say A by 0.9427 to 0.0573: as far as that is from even odds; others agree."""
    seen = np.stack([tile(alone), tile(-30.0)])[None]
    logs = told(board(tiles=True), BOTH, seen)
    letter = 0.9 + 0.3 / 7

    assert blank(logs)[0] > 0.5 or alone < 30
    assert [letter - 0.4 / 7 if alone == 30.0 else 0.0, 0.0] == pytest.approx(
        logs.evidence.disputed[0].tolist()
    )


def test_bare_squares_and_those_not_looked_at_show_no_sign():
    """Nothing changes there."""
    seen = np.stack([tile(9.0), tile(9.0)])[None]

    assert blank(board(tiles=False)) == blank(told(board(tiles=False), BOTH, seen))
    assert blank(board(tiles=True)) == blank(told(board(tiles=True), BOTH, 0 * seen))


def test_tiles_are_turned_as_they_are_read():
    """A letter that looks alike upside down, O, as the letters beside it."""
    both = np.log(np.full((3, 3, 3, 4), 0.01 / 10, np.float32))
    both[:, :2, 0, 3] = np.log(0.99)
    both[:, 2, 1] = np.log(0.99 / 4)
    logs = SquareLogs(np.log(np.full((3, 3, 4), (0.01, 0.97, 0.01, 0.01), np.float32)), both)
    cuts = np.random.default_rng(5).integers(0, 255, (2, 8, 8, 3)).astype(np.uint8)
    where = np.array([(0, 0), (0, 2)])

    assert np.array_equal(np.rot90(cuts, 3, (1, 2)), upright(cuts, logs, ("A", "O", "?"), where))


def tiles_by_looks(odds):
    """A board of tiles, A or blank, with these log odds of a blank; None where it is bare."""
    there = np.array([[x is not None for x in row] for row in odds])
    of_blank = np.array([[x or 0.0 for x in row] for row in odds], np.float32)
    kind = np.log(np.where(there[..., None], (0.01, 0.97, 0.01, 0.01), (0.97, 0.01, 0.01, 0.01)))
    both = -np.logaddexp(0, np.stack([of_blank, -of_blank], -1))[..., None] - np.log(4)
    return SquareLogs(kind.astype(np.float32), np.repeat(both, 4, -1).astype(np.float32))


DOUBT = [[-20.0, -15.0, -13.0], [-30.0, -11.5, 13.0], [25.0, None, 11.5]]
SURE = [[-20.0, -15.0, -13.0], [-30.0, -12.5, 13.0], [25.0, None, 12.5]]


@pytest.mark.parametrize(
    ("odds", "before", "anew", "shown"),
    [
        (DOUBT, [], None, [(0, 0), (0, 1), (1, 0), (1, 1), (2, 2)]),
        (DOUBT, [(0, 0), (0, 2)], (2, 2), [(1, 0), (2, 2)]),
        (DOUBT, [(0, 0), (0, 2), (1, 0)], (2, 2), [(2, 2)]),
        (DOUBT, [], (0, 2), []),
        (SURE, [], None, []),
        ([[None, None], [None, 3.0]], [], None, [(1, 1)]),
    ],
)
def test_tiles_in_doubt_are_shown_and_as_many_letters_as_a_side_has(odds, before, anew, shown):
    """Looks are believed beyond twelve nats; those letters come first of which they are surest."""
    logs = tiles_by_looks(odds)
    n = len(odds)
    signs, new = np.zeros((n, n, SEEN), np.float32), np.ones((n, n), np.bool_)
    for at in before:
        signs[at] = 1.0
    if anew is not None:
        new = np.zeros((n, n), np.bool_)
        new[anew] = True

    assert shown == [tuple(at) for at in np.argwhere(to_be_shown(logs, new, signs)).tolist()]


def test_with_the_network_fewer_signs_and_letters_are_taken_for_each_other():
    """On drawn boards with icons on their blanks that it was not trained on."""
    glance, letters = load_model("reader"), tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    looks = load_model("small_glyph"), load_model("glyph"), None, load_board_model()
    mistaken: Counter[str] = Counter()
    for number in range(12):
        board = marked_board(11, number, ICONS)
        tiles = board.scene.kinds == TILE
        blanks = tiles & (board.scene.letters == glyphs.LABELS.index("?"))
        for name, sign in (("without", None), ("with", load_model("sign"))):
            models = Glyphs(*looks, sign)
            _, logs = read_board(
                pyramid_of(board.picture), board.geometry, glance, models, letters
            )
            as_blank = logs.letter.argmax(-1) == len(letters)
            mistaken[name] += int((as_blank != blanks)[tiles].sum())

    assert mistaken["with"] < mistaken["without"]
