"""Where the limits lie that decide about loose tiles: what is just within, and what just beyond."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.calibration.board_geometry import Pyramid
from kibitz.vision.loose import finder
from kibitz.vision.loose.faces import plainly_backs, towards_face
from kibitz.vision.loose.finder import Spots, of_one_size
from kibitz.vision.loose.glare import hides, in_glare, is_faint
from kibitz.vision.loose.tiles import is_sure, settle_facing
from kibitz.vision.loose.words import join_pieces, line_up
from kibitz.vision.readings import LooseTile, LooseWord


def test_a_channel_is_burnt_out_from_245_on():
    """244 grey levels still tell something."""
    where = np.array([(50, 50, 40, 0.0)])
    seen = [in_glare(np.full((100, 100, 3), x, np.uint8), where)[0] for x in (240, 246)]

    assert [False, True] == seen


def test_a_letter_is_faint_between_4_and_80_grey_levels():
    """Less is noise, more is plain."""
    assert [False, True, True, False] == is_faint(np.array([2.0, 8.0, 70.0, 90.0])).tolist()


@pytest.mark.parametrize(("part", "expected"), [(0.5, False), (0.7, True)])
def test_a_tile_of_which_most_is_burnt_out_is_hidden(part, expected):
    """A lamp's reflection as wide as that may lie over the letter."""
    cut = np.full((1, 60, 60, 3), 120, np.uint8)
    cut[:, 15 : 15 + round(30 * part)] = 255

    assert [expected] == hides(cut).tolist()


@pytest.mark.parametrize(
    ("face_up", "confidence", "expected"),
    [(True, 0.15, False), (True, 0.25, True), (False, 0.15, False), (False, 0.25, True)],
)
def test_how_sure_a_tile_must_be_to_be_told(face_up, confidence, expected):
    """From 0.2 on, whichever side is up."""
    tile = LooseTile("A", face_up, (0.0, 0.0), 0.0, 40.0, confidence, np.zeros(3, np.float32))

    assert expected == is_sure(tile)


def test_less_than_half_of_the_faces_contrast_is_a_backs():
    """Four tiles that are more than 0.95 sure to lie face up tell what is usual."""
    contrast, light = np.array([90.0, 90, 90, 90, 50, 40]), np.full(6, 200.0)
    up = np.array([0.97, 0.97, 0.97, 0.97, 0.5, 0.5])

    assert [5] == np.flatnonzero(plainly_backs(contrast, light, up)).tolist()
    assert not plainly_backs(contrast, light, np.minimum(up, 0.93)).any()
    assert not plainly_backs(contrast[1:], light[1:], up[1:]).any()


def test_how_many_faces_are_known_says_what_it_would_if_tiles_were_drawn():
    """Seven faces and no back, a tile in doubt: the log of eight; one of 0.85 is not known."""
    no_letter = np.array([0.02] * 7 + [0.15])

    assert pytest.approx(np.log(8)) == towards_face(no_letter, 0)


def tile(x, y=50.0, turn=0.0, letter="A"):
    """A tile 40 pixels wide."""
    return LooseTile(letter, letter != "?", (x, y), turn, 40.0, 0.9)


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        (tile(100 + 40 * 1.55), ["AA"]),
        (tile(100 + 40 * 1.65), []),
        (tile(140, turn=20), ["AA"]),
        (tile(140, turn=24), []),
        (tile(140, 50 + 40 * np.tan(np.radians(20))), ["AA"]),
        (tile(140, 50 + 40 * np.tan(np.radians(24))), []),
    ],
)
def test_tiles_stand_in_a_row(second, expected):
    """Up to 1.6 sides apart, and turned or off the line by 22 degrees at most."""
    assert expected == [w.text for w in line_up((tile(100), second))]


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        (tile(140 + 40 * 1.55), "AAA"),
        (tile(140 + 40 * 1.65), "AA"),
        (tile(180, 50 + 40 * 0.45), "AAA"),
        (tile(180, 50 + 40 * 0.55), "AA"),
        (tile(180, turn=20), "AAA"),
        (tile(180, turn=24), "AA"),
        (tile(140 + 40 * 1.55, letter="?"), "AA?"),
    ],
)
def test_a_tile_goes_on_a_word(second, expected):
    """Up to 1.6 sides on, half a side aside and 22 degrees turned; a plain one too."""
    tiles = (tile(100), tile(140), second)
    (word,) = join_pieces(tiles, (LooseWord("AA", (0, 1), 0.0),), blanks=True)

    assert expected == word.text


@pytest.mark.parametrize(
    ("x", "y", "turn", "told"),
    [
        (100 + 42 * 1.55, 100, 0, True),
        (100 + 42 * 1.65, 100, 0, False),
        (142, 100, 20, True),
        (142, 100, 24, False),
        (142, 100 + 42 * np.tan(np.radians(20)), 0, True),
        (142, 100 + 42 * np.tan(np.radians(24)), 0, False),
    ],
)
def test_a_tile_tells_the_one_beside_it_how_their_row_faces(x, y, turn, told):
    """Up to 1.6 sides away, 22 degrees turned or off the line."""
    spots = np.array([(100.0, 100, 42, 0), (x, y, 42, turn)])
    turns = np.array([(0.001, 0.001, 0.997, 0.001), (0.6, 0.001, 0.398, 0.001)])
    both = np.log(turns)[:, None].astype(np.float32)
    seen = settle_facing(spots, both, np.ones(2, bool))

    assert told == (seen[1, 0].argmax() == 2)


def test_a_neighbour_that_faces_another_way_is_33_times_as_unlikely():
    """0.03 to 1, of two tiles of which one knows nothing."""
    spots = np.array([(100.0, 100, 42, 0), (142.0, 100, 42, 0)])
    turns = np.array([(1e-6, 1e-6, 1 - 3e-6, 1e-6), (0.25, 0.25, 0.25, 0.25)])
    seen = settle_facing(spots, np.log(turns)[:, None].astype(np.float32), np.ones(2, bool))

    assert pytest.approx(0.03 / 1.03, rel=0.02) == np.exp(seen[1, 0, 0] - seen[1, 0, 2])


@pytest.mark.parametrize(("apart", "expected"), [(0.45, 1), (0.55, 2)])
def test_two_centres_less_than_half_a_tile_apart_are_one_tile(apart, expected):
    """The surer one stays."""
    where = np.array([(100.0, 100, 40, 0), (100 + 40 * apart, 100, 40, 0)])

    assert expected == len(finder._apart(Spots(where, np.ones(2), np.array([0.9, 0.8]))))


@pytest.mark.parametrize(
    ("heat", "expected"),
    [(0.32, 2), (0.28, 1)],
)
def test_what_counts_as_a_tile_from_afar(heat, expected, monkeypatch):
    """From a probability of 0.3 on, where a closer look would not make it larger."""
    asked = []

    def seen(_picture, _model, scale, _part, sure_from):
        asked.append((round(scale, 3), sure_from))
        where = np.array([(100.0, 100, 100, 0), (500.0, 100, 100, 0)])
        return Spots(where, np.ones(2), np.array([heat, 0.9]))

    monkeypatch.setattr(finder, "look", seen)
    found = finder.find_tiles(Pyramid(np.zeros((544, 544, 3), np.uint8)), None)

    assert expected == len(found)
    assert [(round(448 / 544, 3), 0.2)] == asked


@pytest.mark.parametrize(
    ("side", "scales"),
    [
        (40.0, [0.34, 0.55]),  # 22 pixels wide
        (66.0, [0.34]),
        (60.0, [0.34, 22 / 60]),
        (8.0, [0.34, 0.76]),  # of 1,600 pixels no more than 1,216
    ],
)
def test_a_closer_look_makes_tiles_22_pixels_wide(side, scales, monkeypatch):
    """Where that makes them larger; what is 0.2 likely a tile is looked at, and counts there."""
    asked: list[tuple[float, float]] = []

    def seen(_picture, _model, scale, _part, sure_from):
        asked.append((round(scale, 4), sure_from))
        return Spots(np.array([(500.0, 500, side, 0)]), np.ones(1), np.full(1, 0.9))

    monkeypatch.setattr(finder, "look", seen)
    finder.find_tiles(Pyramid(np.zeros((1200, 1600, 3), np.uint8)), None)

    assert [(round(s, 4), f) for s, f in zip(scales, (0.2, 0.2), strict=False)] == asked


def looks_at(pictures_side: int, monkeypatch) -> list[tuple[float, float]]:
    """Scales and widths of the parts looked at in a picture with a tile of 40 pixels in glare."""
    asked: list[tuple[float, float]] = []

    def seen(_picture, _model, scale, part, _sure_from):
        asked.append((round(scale, 3), part[2] - part[0]))
        return Spots(np.array([(500.0, 500, 40, 0)]), np.ones(1), np.full(1, 0.9))

    monkeypatch.setattr(finder, "in_glare", lambda _, where: np.ones(len(where), bool))
    monkeypatch.setattr(finder, "look", seen)
    finder.find_tiles(Pyramid(np.zeros((pictures_side, pictures_side, 3), np.uint8)), None)
    return asked


def test_a_tile_in_glare_is_looked_at_32_pixels_wide_as_far_as_the_next_one(monkeypatch):
    """After a look at 22 pixels; both take in seven half sides: the tile's, and three around."""
    _, closer, in_glare = looks_at(1400, monkeypatch)

    assert [(0.55, 140.0), (0.8, 140.0)] == [closer, in_glare]


def test_where_no_tile_is_seen_from_afar_all_of_the_picture_is_looked_at(monkeypatch):
    """As large as it is: none is enlarged."""
    asked: list[float] = []

    def seen(_picture, _model, scale, *_):
        asked.append(scale)
        return Spots(np.zeros((0, 4)), np.zeros(0), np.zeros(0))

    monkeypatch.setattr(finder, "look", seen)
    finder.find_tiles(Pyramid(np.zeros((600, 600, 3), np.uint8)), None)

    assert [448 / 600, 1.0] == asked


@pytest.mark.parametrize(
    ("size", "others", "expected"),
    [(90.0, 4, 5), (110.0, 4, 4), (110.0, 2, 3), (18.0, 4, 5), (14.0, 4, 4)],
)
def test_a_thing_two_and_a_half_times_as_large_or_small_is_no_tile(size, others, expected):
    """Tiles near and far differ by less; of fewer than four things none is known to be a tile."""
    where = np.array([(100.0 * k, 50.0, 40.0, 0.0) for k in range(others)] + [(50, 300, size, 0)])
    some = np.ones(len(where))

    assert expected == len(of_one_size(Spots(where, some, some)))
