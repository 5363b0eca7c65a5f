"""Tiles whose look was taught are told, whatever is printed on them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.app.reading.results import board_of
from kibitz.models.session import load_model
from kibitz.vision.boards.letters.taught import TEACH, Taught, learn, pictures_of
from kibitz.vision.boards.squares import SQUARE_PX
from kibitz.vision.pipeline import OtherScript, Reader, WrongCount
from kibitz.vision.request import ReadRequest
from tests.helpers.drawn_sets import DrawnSet, laid_out, strewn

RUSSIAN = (*load_tile_set("ru").letters, "?")
SET = DrawnSet(5)


def corners_of(board):
    """Where a drawn board lies, as a request has it."""
    return tuple(map(tuple, board.geometry.corners_px))


@pytest.fixture(scope="module")
def reader():
    """The published networks."""
    return Reader()


@pytest.fixture(scope="module")
def lesson():
    """All Russian tiles laid out."""
    return SET.photograph(laid_out(RUSSIAN), 1, 12.0, upright=True)


@pytest.fixture(scope="module")
def taught(reader, lesson):
    """What was learnt of them."""
    return reader.learn([lesson.picture], ReadRequest(15, corners=corners_of(lesson)), RUSSIAN)


def test_cyrillic_tiles_are_told(reader, taught):
    """In another picture nearly all letters are right, and hardly any is told wrongly."""
    chars = strewn(RUSSIAN, 3)
    board = SET.photograph(chars, 2, 25.0)
    request = ReadRequest(15, corners=corners_of(board), taught=taught)
    told = board_of(reader.read(board.picture, request).boards[0]).to_json()
    rows = np.array([list(row) for row in told["rows"]])
    sure = np.array(told["confidence"]) > 0.9
    tiles = (chars != "") & (board.scene.kinds == 1)
    right = tiles & (rows == chars)
    wrong = tiles & ~right & (rows != "#")

    assert RUSSIAN == taught.labels
    assert right.sum() >= 0.88 * tiles.sum()
    assert wrong.sum() <= 0.04 * tiles.sum()
    assert not (wrong & sure).any()
    assert not ((rows != ".") & (rows != "#") & (chars == "")).any()


def test_what_was_not_taught_cannot_be_told(reader, lesson):
    """Of letters that were left out most are not told, and few surely."""
    some = [x for x in RUSSIAN if x in "АБВГДЕЖЗИК?"]
    chars = laid_out(RUSSIAN)
    first = SET.photograph(laid_out(some), 7, 12.0, upright=True)
    few = reader.learn([first.picture], ReadRequest(15, corners=corners_of(first)), some)
    request = ReadRequest(15, corners=corners_of(lesson), taught=few)
    told = board_of(reader.read(lesson.picture, request).boards[0]).to_json()
    rows = np.array([list(row) for row in told["rows"]])
    untaught = (chars != "") & ~np.isin(chars, some)
    sure = np.array(told["confidence"]) > 0.9

    assert (rows[untaught] == "#").mean() > 0.75
    assert (sure & untaught & (rows != "#")).sum() < 0.05 * untaught.sum()


def test_letters_that_no_network_knows_do_not_mirror_a_board(reader):
    """Where it is not known whether they are Latin ones, Bulgarian letters do not mirror a board.

    Asked for as Latin ones they are named.
    """
    board = SET.photograph(laid_out(load_tile_set("bg").letters[:-1]), 1, 12.0, upright=True)
    told = reader.read(board.picture, ReadRequest(15, known=False)).boards[0]

    assert not told.mirrored
    with pytest.raises(OtherScript, match="Cyrillic"):
        reader.read(board.picture, ReadRequest(15))


def test_another_number_of_tiles_is_refused(reader, lesson):
    """The number of tiles and of each row's are told."""
    with pytest.raises(WrongCount) as caught:
        reader.learn([lesson.picture], ReadRequest(15, corners=corners_of(lesson)), RUSSIAN[:-3])

    assert (0, 31, (10, 10, 10, 4)) == (
        caught.value.picture,
        caught.value.expected,
        caught.value.rows,
    )


def test_one_tile_is_no_set():
    """Of a single tile nothing can be learnt."""
    cuts = np.zeros((1, 60, 60, 3), np.uint8)

    with pytest.raises(ValueError, match="two different"):
        learn(cuts, ["A"], load_model("glyph"))


def simple(means) -> Taught:
    """Two letters, each way up alike."""
    return Taught(("A", "B"), np.zeros(2, np.float32), np.array(means, np.float32))


ONE_WAY = [[(1, 0)] * 4, [(0, 1)] * 4]


def test_likelihood_falls_with_the_angle():
    """Nearer to A it is A; half-way both are as likely."""
    rule = replace(TEACH, own_middle=1000.0)
    told = np.exp(simple(ONE_WAY).letter_logs(np.array([(1, 0.1), (1, 1)], np.float32), rule)).sum(
        -1
    )

    assert told[0, 0] > 0.95
    assert told[1] == pytest.approx([0.5, 0.5], abs=0.02)


@pytest.mark.parametrize(
    ("rule", "sure"),
    [
        (TEACH, 1.0),
        (replace(TEACH, steep=2.0), 0.8),
        (replace(TEACH, unlike=1.0), 0.87),
        (replace(TEACH, unlike=0.8, steep=10.0), 0.98),
    ],
    ids=["usual", "flat", "nothing is alike", "little is alike"],
)
def test_how_sure_it_is(rule, sure):
    """How steep likelihood is, and what counts as none of them, say how sure a letter is."""
    still = replace(rule, own_middle=1000.0)
    told = np.exp(simple(ONE_WAY).letter_logs(np.array([(1, 0.2)], np.float32), still)).sum(-1)[
        0, 0
    ]

    assert sure == pytest.approx(float(told), abs=0.01)


def test_a_pictures_own_middle():
    """Where all tiles of a picture are shifted alike, the shift does not count."""
    shifted = np.array([(3, 2), (2, 3)] * 20, np.float32)
    usual = simple(ONE_WAY).letter_logs(shifted).argmax(1)[:, 0]
    still = np.exp(simple(ONE_WAY).letter_logs(shifted, replace(TEACH, own_middle=1000.0))).sum(-1)

    assert [0, 1] * 20 == usual.tolist()
    assert still.max() < np.exp(simple(ONE_WAY).letter_logs(shifted)).sum(-1).max()


@pytest.mark.parametrize(("tiles", "expected"), [(8, "A"), (12, "B")])
def test_how_many_tiles_say_as_much_as_those_taught(tiles, expected):
    """A shift that makes an A of a B is seen through half by ten tiles."""
    shifted = np.array([(3, 0), (2, 1)] * (tiles // 2), np.float32)

    assert expected == "AB"[np.exp(simple(ONE_WAY).letter_logs(shifted)).sum(-1)[1].argmax()]


TAUGHT_FOR_SURE, OTHER_FOR_SURE = ([0.0], [-9.0]), ([-9.0], [0.0])


@pytest.mark.parametrize(
    ("rule", "shares", "least", "most"),
    [
        (TEACH, TAUGHT_FOR_SURE, 0.99, 1.0),
        (TEACH, OTHER_FOR_SURE, 0.5, 0.52),
        (replace(TEACH, by_script=0.2), OTHER_FOR_SURE, 0.8, 0.82),
        (replace(TEACH, untaught=0.001), OTHER_FOR_SURE, 0.81, 0.84),
    ],
    ids=["it was taught", "it was not", "that counts little", "none is unlikely"],
)
def test_letters_that_were_not_taught(rule, shares, least, most):
    """A tile that is like A is none where the script network takes it for another letter.

    What is none may as well be A as B.
    """
    still = replace(rule, own_middle=1000.0)
    given = tuple(np.array(x, np.float32) for x in shares)
    told = np.exp(simple(ONE_WAY).letter_logs(np.array([(1, 0.2)], np.float32), still, given)).sum(
        -1
    )

    assert least <= told[0, 0] <= most


def test_printed_letters_are_known(reader, lesson, taught):
    """The script network knows them where they are printed; drawings that stand for them not."""
    seed = reader.learn(
        [lesson.picture], ReadRequest(15, corners=corners_of(lesson)), RUSSIAN[::-1]
    )

    assert (True, False) == (taught.printed, seed.printed)


@pytest.mark.parametrize(
    ("rule", "pairs"),
    [(TEACH, (("А", "Б"),)), (replace(TEACH, steep=200.0), ())],
)
def test_letters_that_are_much_alike_are_named(rule, pairs):
    """А and Б are 18 degrees apart, В lies across: told by their angle, its steepness, a limit."""
    means = np.zeros((3, 4, 2), np.float32)
    for k, degrees in enumerate((0, 18, 90)):
        means[k] = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    taught = Taught(("А", "Б", "В"), np.zeros(2, np.float32), means)

    assert pairs == taught.alike(rule)


def test_the_picture_of_a_tile_shows_its_square_and_a_narrow_rim():
    """Three pixels on each side: not every tile lies in the middle."""
    cuts = np.zeros((1, SQUARE_PX + 20, SQUARE_PX + 20, 3), np.uint8)
    (kept,) = pictures_of(cuts)
    side = SQUARE_PX + 6

    assert (side, side, 3) == cv2.imdecode(np.frombuffer(kept, np.uint8), 1).shape
