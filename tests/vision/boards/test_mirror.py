"""Pictures that show a board as in a mirror are read as they are meant."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from kibitz import app
from kibitz.app.common.materials.named import load_tile_set
from kibitz.app.reading.drawing import draw_reading
from kibitz.app.reading.frames import judge_frame
from kibitz.app.reading.results import reading_of
from kibitz.calibration.board_geometry import Pyramid, geometry_from_corners
from kibitz.engine.table import Square
from kibitz.models.training.weighing.blank_fit import drawn
from kibitz.vision import square_reader
from kibitz.vision.boards.mirror import (
    is_clearly_unmirrored,
    is_mirrored,
    lead_of_letters,
    lead_of_squares,
    likelihood,
    most_printed,
)
from kibitz.vision.boards.mirror import reads as mirror_reads
from kibitz.vision.boards.square_logs import SquareLogs
from kibitz.vision.pipeline import Reader
from kibitz.vision.request import ReadRequest
from kibitz.vision.stream.series import SeriesReader
from tests.filming.drawing import FilmedBoard, Scene
from tests.filming.story import Laid
from tests.helpers.drawn_sets import DrawnSet, laid_out, strewn

DEMO = Path(app.__file__).parent / "data" / "demo"
LABELS = ("A", "B", "?")
PRINTED, UNPRINTED = 10, 8
"""Drawn boards whose premium squares have print that can be read, and none."""
SAID = "The picture is mirrored: it is read as it is meant."


@pytest.fixture(scope="module")
def reader():
    """One reader with the models."""
    return Reader()


def photo(name="12.jpg"):
    """A photograph of a game."""
    return cv2.imread(str(DEMO / "scrabble" / name))


def swapped(picture):
    """The same in a mirror."""
    return np.ascontiguousarray(picture[:, ::-1])


def line(reader, picture, request=None):
    """A picture's first board as `kibitz read --json` has it."""
    return reading_of("", reader.read(picture, request)).to_json()["boards"][0]


def turns_that_tell(board):
    """Which way up its letters lie, but for those that look the same upside down."""
    return [
        [" " if a in "HINOSXZ" else b for a, b in zip(row, turns, strict=True)]
        for row, turns in zip(board["rows"], board["turns"], strict=True)
    ]


@pytest.mark.parametrize("game", ["scrabble", "scrabbleship", "scrabble-house"])
def test_a_mirrored_picture_is_read_as_it_is_meant(reader, game):
    """The letters stand where they lie on the table, the corners where the picture has them."""
    picture = cv2.imread(str(max((DEMO / game).glob("*.jpg"))))
    plain, mirrored = line(reader, picture), line(reader, swapped(picture))
    corners = np.array(plain["corners_px"]) * (-1, 1) + (picture.shape[1], 0)

    assert plain["rows"] == mirrored["rows"]
    assert turns_that_tell(plain) == turns_that_tell(mirrored)
    assert "mirrored" not in plain
    assert mirrored["mirrored"] is True
    assert np.abs(corners - mirrored["corners_px"]).max() < 3


def test_no_blur_is_undone_where_letters_read_badly_in_a_mirror(reader):
    """A sharp board whose letters are swapped is left as sharp as it is."""
    picture = Pyramid(swapped(drawn(np.random.default_rng([77, 11])).picture))
    (place,), _ = reader.locator.locate(picture, ReadRequest())
    seen = (place, *reader.squares.see(picture, place, ReadRequest()))

    assert reader._without_blur(picture, seen, ReadRequest()) == (picture, seen)


def test_joined_boards_are_read_as_they_are_meant(reader):
    """The panels change sides with the columns."""
    picture = cv2.imread(str(max((DEMO / "frankenscrabbards").glob("*.jpg"))))
    request = ReadRequest(45)
    plain, mirrored = line(reader, picture, request), line(reader, swapped(picture), request)

    pairs = zip("".join(plain["rows"]), "".join(mirrored["rows"]), strict=True)

    assert sum(a != b for a, b in pairs) <= 1  # one C is as good as a G
    assert [False, True] == [x.get("mirrored", False) for x in (plain, mirrored)]


def test_corners_given_by_hand_are_those_of_the_board_in_the_picture(reader):
    """Row A stays where it was told; only its first column is on the other side."""
    corners = line(reader, photo())["corners_px"]
    width = photo().shape[1]
    told = [(width - x, y) for x, y in (corners[1], corners[0], corners[3], corners[2])]
    found = line(reader, swapped(photo()), ReadRequest(corners=tuple(told)))

    assert line(reader, photo())["rows"] == found["rows"]
    assert found["mirrored"] is True


def test_a_mirrored_camera_is_noticed_once_tiles_lie(reader):
    """A bare board does not tell; what is laid on it does, and the next picture keeps it."""
    series, hint, seen = SeriesReader(reader), (), []
    for name in ("01.jpg", "12.jpg", "12.jpg"):
        picture = swapped(photo(name))
        board = series.read(picture, ReadRequest(hint=hint, closely=True)).boards[0]
        height, width = picture.shape[:2]
        hint = (geometry_from_corners(board.corners_px, 15, width, height),)
        seen.append(
            (
                board.mirrored,
                reading_of("", series.read(picture, ReadRequest(hint=hint))).to_json(),
            )
        )

    assert [True, True] == [mirrored for mirrored, _ in seen[1:]]
    assert line(reader, photo())["rows"] == seen[2][1]["boards"][0]["rows"]


def test_two_tiles_make_no_mirror_of_a_camera(reader):
    """A T and an O with numerals on the left look so in a mirror; in a game more tiles come."""
    table, series, hint, seen = FilmedBoard(13, (960, 720)), SeriesReader(reader), (), []
    tiles = {Square(7, 7): Laid("T"), Square(7, 8): Laid("O"), Square(6, 8): Laid("N")}
    for many in range(4):
        picture, _ = table.picture(Scene(dict([*tiles.items()][:many])), many)
        request = ReadRequest(hint=hint, closely=True, film=True)
        board = series.read(picture, request).boards[0]
        hint = (geometry_from_corners(board.corners_px, 15, 960, 720),)
        seen.append(board.mirrored)

    assert [False] * 4 == seen


def test_people_are_told(reader):
    """In the terminal, by the program's results, and by the camera's advice."""
    picture = swapped(photo())
    found = reader.read(picture)
    reading = reading_of("", found)

    assert SAID in draw_reading(reading, colours=False)
    assert reading.boards[0].mirrored is True
    assert SAID in judge_frame(Pyramid(picture), found)[0]


def logs(chances):
    """(1, N, ...) tiles in a row, the probability of A and of B upright, the rest upside down."""
    both = np.full((1, len(chances), 3, 4), 1e-9, np.float32)
    for k, (a, b) in enumerate(chances):
        both[0, k, 0, 0], both[0, k, 1, 0], both[0, k, 1, 2] = a, b, 1 - a - b
    kind = np.full((1, len(chances), 4), 1e-9, np.float32)
    kind[..., 1] = 1.0
    return SquareLogs(np.log(kind), np.log(both))


def square(chances):
    """The same on a board that is as high as it is wide."""
    one = logs(chances)
    n = one.kind.shape[1]
    kind = np.full((n, n, 4), 1e-9, np.float32)
    kind[..., 0] = 1.0
    kind = np.log(kind)
    both = np.repeat(one.both, n, axis=0)
    kind[0] = one.kind[0]
    return SquareLogs(kind, both)


SURE, TORN, ASTRAY = (1e-6, 0.999), (0.4, 0.35), (1e-6, 0.001)


def test_the_likelier_side_leads():
    """By as many nats as its letters are likelier; what is read alike leads nowhere."""
    good, bad = square([SURE] * 8), square([SURE, ASTRAY] * 4)

    assert 0.0 == pytest.approx(lead_of_letters(good, good, LABELS), abs=1e-3)
    assert lead_of_letters(bad, good, LABELS) > 1.0
    assert lead_of_letters(good, bad, LABELS) < -1.0


def test_how_many_face_the_other_way_says_nothing_of_how_they_read():
    """A first tile reads as well as a hundredth, and so do words of people who face each other."""
    one = square([SURE] + [(1e-9, 1e-9)] * 7)
    one.kind[0, 1:] = one.kind[1, 1:]
    facing = square([SURE] * 4 + [ASTRAY] * 4)

    assert 0.0 == pytest.approx(mirror_reads(one, LABELS), abs=0.01)
    assert 0.0 == pytest.approx(mirror_reads(facing, LABELS), abs=0.01)


@pytest.mark.parametrize(("astray", "leads"), [(1, False), (3, True)])
def test_one_tile_does_not_tell_a_mirror(astray, leads):
    """It may be read wrongly: that it would read well in a mirror counts with others only."""
    good = square([SURE] * 8)
    bad = square([SURE, ASTRAY] * astray + [SURE] * (8 - 2 * astray))

    assert leads is (lead_of_letters(bad, good, LABELS) > 2.0)


class Saying:
    """A mirror network that says the same of every tile, and keeps how many it was asked about."""

    def __init__(self, odds, temperature=1.0):
        self.odds, self.asked, self.facts = odds, [], SimpleNamespace(temperature=temperature)

    def run(self, cuts):
        """(N, 1) log odds."""
        self.asked.append(len(cuts))
        return np.full((len(cuts), 1), self.odds, np.float32)


@pytest.mark.parametrize(
    ("odds", "temperature", "asked", "lead"),
    [
        (1.6, 1.0, 4, 6.4),
        (-1.6, 1.0, 3, -4.8),
        (-1.4, 1.0, 3, -4.2),
        (-1.3, 1.0, 4, -5.2),
        (1.4, 1.0, 5, 7.0),
        (1.6, 2.0, 8, 6.4),
        (0.1, 1.0, 10, 1.0),
    ],
)
def test_tiles_are_asked_until_it_is_certain(odds, temperature, asked, lead):
    """One after another, until six nats speak for a mirror, four against one, or none are left."""
    model, cuts = Saying(odds, temperature), np.zeros((10, 60, 60, 3), np.uint8)

    assert lead == pytest.approx(lead_of_squares(model, 10, lambda some: cuts[some]), abs=1e-4)
    assert [1] * asked == model.asked


@pytest.mark.parametrize(
    ("here", "there", "expected"),
    [
        (-0.1, -0.1, True),
        (-3.0, -0.27, True),
        (-3.0, -0.29, True),
        (-0.5, -0.29, False),
        (-3.0, -1.4, True),
        (-3.0, -1.6, False),
    ],
)
def test_what_reads_badly_both_ways_is_not_told_mirrored(here, there, expected):
    """A blurred board may look likelier in a mirror: it is to read well there, or twice as well."""
    assert expected is is_mirrored(2.1, here, there)
    assert not is_mirrored(1.9, here, there)
    assert expected is is_mirrored(6.1, here, there, goes_on=True)
    assert not is_mirrored(5.9, here, there, goes_on=True)


@pytest.mark.parametrize(("odds", "asked"), [(0.7, 9), (0.5, 4)])
def test_print_that_says_too_little_is_not_asked_on(odds, asked):
    """Ten squares that say so little each would not say six nats."""
    model, cuts = Saying(odds), np.zeros((10, 60, 60, 3), np.uint8)
    lead_of_squares(model, 10, lambda some: cuts[some], alike=True)

    assert [1] * asked == model.asked


def test_what_a_mirror_shows_is_told_as_surely_as_what_it_does_not(reader):
    """What looks the same there says nothing."""
    cuts = np.random.default_rng(6).integers(0, 256, (3, 60, 60, 3), np.uint8)
    alike = np.concatenate([cuts[:, :, :30], cuts[:, :, 29::-1]], axis=2)
    model = reader.squares.mirror

    assert np.allclose(model.run(cuts), -model.run(cuts[:, :, ::-1].copy()), atol=1e-4)
    assert [0.0] * 3 == pytest.approx(model.run(alike)[:, 0].tolist(), abs=1e-4)


def test_squares_with_print_come_first():
    """At most as many as a side has; what lies at a square's edge is none, nor is a tile's."""
    straight = np.full((5 * 24, 5 * 24, 3), 90, np.uint8)
    bare = np.ones((3, 3), np.bool_)
    bare[1, 1] = False
    for (r, c), ink in {(0, 2): 40, (2, 1): 90, (1, 1): 140}.items():
        straight[(r + 1) * 24 + 8 : (r + 1) * 24 + 16, (c + 1) * 24 + 10] += np.uint8(ink)
    straight[24:28, 24:48] = 255  # a line along the top of the first square

    assert [[2, 1], [0, 2], [0, 0]] == most_printed(straight, 24, bare).tolist()
    assert (0, 2) == most_printed(straight, 24, np.zeros((3, 3), np.bool_)).shape


def bare(seed):
    """A photograph of a drawn board on which nothing lies."""
    return DrawnSet(seed).photograph(laid_out(""), 1, 12.0).picture


def test_the_print_of_a_bare_board_tells(reader):
    """Its premium squares have words on them; a board without print says nothing."""
    told = [
        [line(reader, picture).get("mirrored", False) for picture in (board, swapped(board))]
        for board in (bare(PRINTED), bare(UNPRINTED))
    ]

    assert [[False, True], [False, False]] == told


def test_print_is_asked_only_where_tiles_do_not_tell(reader, monkeypatch):
    """A board is then not taken for certain: the first tiles may say otherwise."""
    asked = []
    monkeypatch.setattr(reader.squares, "lead_of_print", lambda *_: asked.append(1) or 6.1)
    certain = []
    for picture in (bare(UNPRINTED), photo()):
        of = Pyramid(picture)
        (place,), _ = reader.locator.locate(of, ReadRequest())
        seen = (place, *reader.squares.see(of, place, ReadRequest()))
        there, tells = reader.squares.in_mirror(of, seen, ReadRequest())
        certain.append((there is not None, tells))

    assert [(True, False), (False, True)] == certain
    assert [1] == asked


def test_print_must_say_more_than_tiles(reader, monkeypatch):
    """Squares of a kind look alike, and few boards are mirrored."""
    monkeypatch.setattr(reader.squares, "lead_of_print", lambda *_: 5.9)

    assert "mirrored" not in line(reader, bare(UNPRINTED))


def test_letters_that_look_the_same_in_a_mirror_tell_by_their_numerals(reader):
    """They stand on the right of all real tiles; here nothing else tells."""
    board = DrawnSet(2).photograph(laid_out("TOUTAH"), 1, 12.0, upright=True).picture
    plain, mirrored = line(reader, board), line(reader, swapped(board))

    assert [False, True] == [x.get("mirrored", False) for x in (plain, mirrored)]
    assert plain["rows"] == mirrored["rows"]


def test_letters_that_read_as_they_lie_outweigh_a_look(reader, monkeypatch):
    """The network may be wrong about a set: its letters read far worse in a mirror."""
    monkeypatch.setattr(reader.squares, "mirror", Saying(3.0))

    assert "mirrored" not in line(reader, photo("02.jpg"))


@pytest.mark.parametrize(("name", "asked"), [("12.jpg", 0), ("02.jpg", 1)])
def test_many_letters_that_read_well_are_seen_in_no_mirror(reader, monkeypatch, name, asked):
    """The network is asked where few lie, which may all look the same there."""
    model = Saying(-9.0)
    monkeypatch.setattr(reader.squares, "mirror", model)
    line(reader, photo(name))

    assert [1] * asked == model.asked


def test_letters_that_the_looks_have_no_name_for_are_asked_about(reader, monkeypatch):
    """Greek has many that look the same in a mirror."""
    letters = load_tile_set("el").letters
    board = DrawnSet(48, letters=letters[1]).photograph(strewn((*letters, "?"), 48), 2, 20.0)
    model = Saying(-9.0)
    monkeypatch.setattr(reader.squares, "mirror", model)
    monkeypatch.setattr(square_reader.mirror, "is_clearly_unmirrored", lambda *_: True)
    line(reader, board.picture, ReadRequest(15, letters))

    assert [1] == model.asked


def test_how_well_letters_must_read_for_no_mirror_to_show_them():
    """As many tiles as a side has squares, at 0.2 nats a tile at most."""
    full, fewer = square([SURE] * 8), square([SURE] * 8)
    fewer.kind[0, 0] = fewer.kind[1, 0]

    assert is_clearly_unmirrored(full, -0.19)
    assert not is_clearly_unmirrored(full, -0.21)
    assert not is_clearly_unmirrored(fewer, 0.0)


def test_the_least_that_one_tile_says():
    """Four nats, however unlikely its letter is."""
    nothing = square([(1e-9, 1e-9)] * 8)
    flat = SquareLogs(nothing.kind, np.full_like(nothing.both, -12.0))

    assert -4.0 == likelihood(flat, LABELS).min()


def test_the_lead_that_is_asked_for_counts(reader, monkeypatch):
    """No board is read in a mirror that is not likelier so by so much."""
    usual = square_reader.SURE
    monkeypatch.setattr(square_reader, "SURE", replace(usual, lead=50.0))
    kept = line(reader, swapped(photo("02.jpg"))).get("mirrored", False)
    monkeypatch.setattr(square_reader, "SURE", usual)

    assert [False, True] == [kept, line(reader, swapped(photo("02.jpg"))).get("mirrored", False)]


def test_a_blank_reads_as_well_whichever_way_it_faces():
    """Nothing on it tells the turn; what a network says of it means nothing."""
    board = square([(1e-6, 0.999)] * 8)
    both = board.both.copy()
    at = tuple(np.argwhere(board.tile > 0.5)[0])
    for turn in range(4):
        both[at] = -20.0
        both[at][-1, turn] = 0.0

        told = likelihood(SquareLogs(board.kind, both), LABELS)[at]
        assert 0.0 == pytest.approx(float(told), abs=1e-5)
