"""Pictures of a fixed camera: what changed is read again, and nothing else."""

from __future__ import annotations

import platform
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz import app
from kibitz.app.reading.lines import rows_of
from kibitz.calibration.board_finder import BoardNotFound, panel_of
from kibitz.calibration.board_geometry import BoardGeometry, geometry_from_corners
from kibitz.calibration.patch_finder import Patch
from kibitz.engine.table import Square
from kibitz.vision.boards.colours.tile_colours import SquareColours
from kibitz.vision.boards.reader import SQUARE_PX, straighten
from kibitz.vision.boards.square_logs import SquareLogs
from kibitz.vision.pipeline import Reader
from kibitz.vision.readings import PhotoReading
from kibitz.vision.request import ReadRequest
from kibitz.vision.stream import changed as comparing
from kibitz.vision.stream.reduced_decode import open_packed
from kibitz.vision.stream.series import SeriesReader
from tests.filming.drawing import FilmedBoard, Pose, Scene
from tests.filming.story import Laid

SIDE = 17 * SQUARE_PX
DEMO = Path(app.__file__).parent / "data" / "demo"
CORNERS = np.array([(24.0, 24.0), (384.0, 24.0), (384.0, 384.0), (24.0, 384.0)])


def board(seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(60, 180, (SIDE, SIDE, 3), np.uint8)


def with_tile(picture: np.ndarray, row: int, col: int) -> np.ndarray:
    out = picture.copy()
    y, x = (row + 1) * SQUARE_PX, (col + 1) * SQUARE_PX
    out[y + 2 : y + 22, x + 2 : x + 22] = (150, 200, 220)
    out[y + 6 : y + 18, x + 10 : x + 14] = 20
    return out


@dataclass
class CountingReader:
    """Stands in for the reader: notes which squares it is asked to read."""

    asked: list[int] = field(default_factory=list)
    doubtful: tuple[slice, slice] = (slice(0), slice(0))
    lead: float = 0.0
    settled: bool = True
    still: bool = True
    held: int = 0

    def __post_init__(self):
        """It finds boards and looks at squares itself."""
        self.locator = self.squares = self

    def locate(self, picture, request):
        """Where the hint says."""
        panels = [panel_of(g, k) for g in request.hint if g.size == 45 for k in range(9)]
        return [replace(g) for g in request.hint], panels

    def lie_still(self, picture, boards):
        """Where they lay, if the test does not say otherwise."""
        return self.still

    def see_each(self, picture, panels, request):
        """Each board by itself."""
        return [(g, *self.see(picture, g, request)) for g in panels]

    def see_joined(self, picture, whole, panels, request):
        """Each board by itself, and held against a mirror."""
        self.held += 1
        return whole, self.see_each(picture, panels, request), self.settled

    def lifted(self, picture, boards, request):
        """Where they lie: the camera stands high."""
        return boards

    def see(self, picture, g, request, known=None):
        """Nothing but empty squares, some of them doubtful."""
        self.asked.append(225 if known is None else int(known.anew.sum()))
        kind = np.full((15, 15, 4), -9.0, np.float32)
        kind[..., 0] = -0.001
        kind[self.doubtful] = -1.4
        logs = SquareLogs(kind, np.zeros((15, 15, 2, 4), np.float32))
        if known is not None:
            return known.colours, logs
        return SquareColours(straighten(picture, g), SQUARE_PX), logs

    def lead_in_mirror(self, picture, seen, request):
        """No tiles, no lead, if the test does not say otherwise."""
        return self.lead

    def as_meant(self, picture, seen, request):
        """As it was seen."""
        return seen, False

    def tell(self, g, colours, logs, request):
        """The geometry stands for a reading."""
        return g

    def read(self, picture, request=None):
        """A picture by itself."""
        self.asked.append(-1)
        return PhotoReading(1, 1)


def changed_squares(now, before, sure=None):
    """What changed between two straightened boards."""
    small = comparing.shrink_board(now), comparing.shrink_board(before)
    return comparing.changed_squares(*small, sure)


def request_of(geometry: BoardGeometry | None) -> ReadRequest:
    return ReadRequest(hint=() if geometry is None else (geometry,))


@pytest.fixture
def place() -> BoardGeometry:
    return geometry_from_corners(CORNERS, 15, SIDE, SIDE)


def test_nothing_changes_where_nothing_happens():
    """A little noise is no change."""
    before = board()
    noise = np.random.default_rng(2).integers(-3, 4, before.shape)
    now = np.clip(before.astype(int) + noise, 0, 255).astype(np.uint8)

    changed = changed_squares(now, before)

    assert changed is not None
    assert 0 == changed.sum()


def test_a_tile_changes_its_square_and_what_its_shadow_falls_on():
    """A tile that was laid is seen, and the neighbour that it darkens, save a known tile."""
    before = board()
    now = with_tile(before, 7, 3)
    shadow = np.s_[8 * SQUARE_PX : 9 * SQUARE_PX, 5 * SQUARE_PX : 5 * SQUARE_PX + 6]
    now[shadow] = now[shadow] * 0.9

    changed = changed_squares(now, before)

    expected = np.zeros((15, 15), bool)
    expected[7, 3:5] = True
    assert changed is not None
    assert expected.tolist() == changed.tolist()

    known = np.zeros((15, 15), bool)
    known[7, 4] = True
    expected[7, 4] = False
    assert expected.tolist() == np.asarray(changed_squares(now, before, known)).tolist()


def test_other_light_on_a_board_that_lies_still_is_followed():
    """A shadow over two fifths of a board changes those; where the board moved all is anew."""
    before = cv2.GaussianBlur(board(), (3, 3), 0)
    darker = before.copy()
    darker[:, 10 * SQUARE_PX :] = darker[:, 10 * SQUARE_PX :] * 0.8
    pushed = np.roll(before, 3, axis=1)

    changed = changed_squares(darker, before)

    assert changed is not None
    assert (True, False) == (bool(changed[:, 9:].all()), bool(changed[:, :8].any()))
    assert changed_squares(pushed, before) is None


def test_how_surely_a_board_must_lie_where_it_lay():
    """Where six of seventeen rows show something else it may be another place: all is anew."""
    before, other = (cv2.GaussianBlur(board(k), (3, 3), 0) for k in (1, 9))
    now = before.copy()
    now[: 6 * SQUARE_PX] = other[: 6 * SQUARE_PX]

    assert changed_squares(now, before) is None


def test_another_exposure_is_no_change():
    """A picture a tenth darker all over shows the same squares; a tile is still seen in it."""
    before = board()
    now = (with_tile(before, 7, 3) * 0.9).astype(np.uint8)

    changed = changed_squares(now, before)

    assert changed is not None
    assert [[7, 3]] == np.argwhere(changed).tolist()


@pytest.mark.parametrize("other", [board() // 2, board(5)], ids=["half as bright", "another"])
def test_other_light_and_other_boards_are_read_anew(other):
    """Where everything looks different nothing is kept."""
    assert changed_squares(other, board()) is None


def test_only_what_changed_is_read_again(place):
    """All squares at first, then none, one with a tile and those beside it, then all of another."""
    inner = CountingReader()
    reader = SeriesReader(inner)
    for picture in (board(), board(), with_tile(board(), 7, 3), board(5)):
        reader.read(picture, request_of(place))

    assert [225, 5, 225] == inner.asked


def test_what_comes_to_lie_beside_the_board_has_the_squares_at_its_edge_read_once(place):
    """A box touches six squares: these are read and the eight beside them, and not again."""
    inner = CountingReader()
    reader = SeriesReader(inner)
    with_box = board()
    with_box[16 * SQUARE_PX :, 4 * SQUARE_PX : 10 * SQUARE_PX] = 240
    for picture in (board(), with_box, with_box, with_box):
        reader.read(picture, request_of(place))

    assert [225, 14] == inner.asked


def test_what_is_doubtful_is_read_again_in_the_next_pictures(place):
    """Three squares of which a first reading made nothing are read in two pictures more."""
    inner = CountingReader(doubtful=(slice(4, 5), slice(2, 5)))
    reader = SeriesReader(inner)
    for _ in range(3 + 2):
        reader.read(board(), request_of(place))

    assert [225, 3, 3] == inner.asked


def test_a_doubtful_square_that_changes_is_read_anew(place):
    """Three pictures of a doubtful square, then three of the tile that was laid on it."""
    inner = CountingReader(doubtful=(slice(7, 8), slice(3, 4)))
    reader = SeriesReader(inner)
    pictures = [board()] * (3 + 1) + [with_tile(board(), 7, 3)] * (3 + 1)
    for picture in pictures:
        reader.read(picture, request_of(place))

    assert [225, 1, 1, 5, 1, 1] == inner.asked


@pytest.mark.parametrize(
    ("kind", "letter", "expected"),
    [
        (0.975, 0.96, 0),
        (0.94, 0.96, 2),
        (0.975, 0.94, 2),
    ],
    ids=["sure", "of the kind in doubt", "of the letter in doubt"],
)
def test_which_squares_are_read_again(place, kind, letter, expected):
    """A tile of which another picture may tell more: two more are asked."""

    class OneTile(CountingReader):
        def see(self, picture, g, request, known=None):
            """A tile, as sure as that."""
            colours, logs = super().see(picture, g, request, known)
            kinds = logs.kind.copy()
            kinds[4, 4] = np.log((1 - kind, kind, 1e-9, 1e-9))
            both = np.full((15, 15, 2, 4), -99.0, np.float32)
            both[..., 0] = np.log((letter, 1 - letter))
            return colours, SquareLogs(kinds, both)

    reader = SeriesReader(inner := OneTile())
    for _ in range(4):
        reader.read(board(), request_of(place))

    assert expected == inner.asked.count(1)


def test_what_is_not_sure_is_read_afresh_once_another_tile_lies_there(place):
    """Of a doubtful square and one beside the new tile the new answer counts, not a mean."""
    bare, tile = np.log((0.999, 0.001)), np.log((0.001, 0.999))

    class SeenTogether(CountingReader):
        def see(self, picture, g, request, known=None):
            """Two tiles that look bare, or like either, until a third lies beside one of them."""
            colours, logs = super().see(picture, g, request, known)
            kind = logs.kind.copy() if known is None else known.logs.kind.copy()
            first = known is None
            for square, alone in (((7, 2), bare), ((2, 2), np.log((0.5, 0.5)))):
                if first or known.anew[square]:
                    kind[*square, :2] = alone if first else tile
            return colours, SquareLogs(kind, logs.both)

        def tell(self, g, colours, logs, request):
            """The squares' probabilities of a tile stand for a reading."""
            return [round(float(logs.tile[s]), 2) for s in ((7, 2), (2, 2))]

    reader = SeriesReader(SeenTogether())
    pictures = (board(), with_tile(board(), 7, 3))
    told = [reader.read(picture, request_of(place)).boards[0] for picture in pictures]

    assert [[0.0, 0.5], [1.0, 1.0]] == told


def test_what_pictures_say_of_a_doubtful_square_is_averaged(place):
    """Two pictures that say an empty square, then one that says a tile: still empty."""
    said = [(0.6, 0.4), (0.7, 0.3), (0.3, 0.7)]
    expected = np.exp(np.log(said).mean(0))

    class Wavering(CountingReader):
        def see(self, picture, g, request, known=None):
            """Another opinion of one square in every picture."""
            colours, logs = super().see(picture, g, request, known)
            kind = logs.kind.copy()
            kind[4, 4, :2] = np.log(said[len(self.asked) - 1])
            return colours, SquareLogs(kind, logs.both)

        def tell(self, g, colours, logs, request):
            """The square's probabilities stand for a reading."""
            return np.exp(logs.kind[4, 4, :2])

    reader = SeriesReader(Wavering())
    told = [reader.read(board(), request_of(place)).boards[0] for _ in said]

    assert np.allclose(expected / expected.sum(), told[-1], atol=1e-3)


def test_everything_is_read_again_from_time_to_time(place):
    """After some pictures that changed a little the next is read in full; a rest does not count."""
    inner = CountingReader()
    reader = SeriesReader(inner)
    for number in range(8 + 2):
        picture = with_tile(board(), 7, 3) if number % 2 else board()
        reader.read(picture, request_of(place))
        reader.read(picture, request_of(place))

    assert [225, *([5] * 8), 225] == inner.asked


@pytest.mark.parametrize(("settled", "expected"), [(True, 1), (False, 2)])
def test_a_board_whose_letters_told_how_it_is_meant_is_not_held_against_a_mirror_again(
    place, settled, expected
):
    """Also where all of it is read anew, as in other light; a camera does not turn into one."""
    looked = []

    class Sure(CountingReader):
        def as_meant(self, picture, seen, request):
            """Its letters have told."""
            looked.append(1)
            return seen, settled

    inner = Sure()
    reader = SeriesReader(inner)
    for picture in (board(), board(5)):
        reader.read(picture, request_of(place))

    assert ([225, 225], expected) == (inner.asked, len(looked))


@pytest.mark.parametrize(
    ("lead", "expected"), [(2.1, [225, 5, 225, 5, 225]), (0.0, [225, 5, 5]), (-2.1, [225, 5, 5])]
)
def test_a_tile_more_may_tell_how_a_board_is_meant(place, lead, expected):
    """Where it says a mirror all is read anew, until two nats say which it is."""
    inner = CountingReader(lead=lead)
    reader = SeriesReader(inner)
    asked = []
    for tiles in ((), (12,), (12, 40)):
        picture = board()
        for at in tiles:
            picture = with_tile(picture, 3, at % 15)
        asked.append(reader.read(picture, request_of(place)))

    assert expected == inner.asked


def test_what_shows_nothing_new_is_told_as_before(place):
    """The very same reading."""
    reader = SeriesReader(CountingReader())
    first, second = (reader.read(board(), request_of(place)) for _ in range(2))

    assert second.boards[0] is first.boards[0]


@pytest.mark.parametrize(
    ("larger", "doubtful", "expected"), [(1, 0, [1, 1, 1]), (2, 0, [2, 2, 2]), (2, 3, [0, 0, 2])]
)
def test_how_finely_the_next_picture_is_wanted(larger, doubtful, expected):
    """A quarter of 48 pixels a square will do; all of it until doubtful ones were read often."""
    large = geometry_from_corners(CORNERS * larger, 15, SIDE * larger, SIDE * larger)
    picture = cv2.resize(board(), (SIDE * larger, SIDE * larger))
    reader = SeriesReader(CountingReader(doubtful=(slice(4, 5), slice(0, doubtful))))
    enough = [reader.read(picture, request_of(large)).enough for _ in range(3)]

    assert expected == enough


def test_a_board_that_hardly_moved_keeps_its_place(place):
    """A lattice found a tenth of a square aside is the one that is known; further is looked for."""
    known, asked, asides = [], [], (0.0, 2.4, 6.0)

    class Wandering(CountingReader):
        def locate(self, picture, request):
            """So many pixels further right; without a hint far off."""
            asked.append(bool(request.hint))
            if not request.hint:
                return [place], []
            corners = CORNERS + np.array((asides[len(known)], 0.0))
            return [geometry_from_corners(corners, 15, SIDE, SIDE)], []

        def tell(self, g, colours, logs, request):
            """The place stands for a reading."""
            known.append(round(float(g.corners_px[0, 0]), 1))
            return g

    reader = SeriesReader(Wandering())
    for seed, _ in enumerate(asides):
        reader.read(board(seed), request_of(place))

    assert [24.0, 24.0, 24.0] == known
    assert [True, True, True, False] == asked


@pytest.mark.parametrize(
    ("aside", "expected"),
    [(2.4, [225]), (12.0, [225, -1])],
    ids=["a tenth of a square", "half a square"],
)
def test_a_board_found_afresh_where_it_lay_is_not_read_again(place, aside, expected):
    """What was read of it is told; where it lies elsewhere the picture is read by itself."""

    class Finds(CountingReader):
        def locate(self, picture, request):
            """Looked for from nothing, so far aside."""
            if request.hint:
                return list(request.hint), []
            return [geometry_from_corners(CORNERS + np.array((aside, 0.0)), 15, SIDE, SIDE)], []

    inner = Finds()
    reader = SeriesReader(inner)
    before = reader.read(board(), request_of(place)).boards
    afresh = reader.read(board(), replace(request_of(None), film=True)).boards

    assert expected == inner.asked
    assert (before == afresh) == (expected == [225])


def test_without_a_hint_nothing_is_kept(place):
    """A picture by itself goes to the reader as it is."""
    inner = CountingReader()
    reader = SeriesReader(inner)
    reader.read(board(), request_of(None))
    reader.read(board(), request_of(None))

    assert [-1, -1] == inner.asked


def a_little_brighter(picture: np.ndarray, row: int, col: int) -> np.ndarray:
    """A square that differs by five grey levels, as thin strokes in half of the size may."""
    out = picture.copy()
    y, x = (row + 1) * SQUARE_PX, (col + 1) * SQUARE_PX
    out[y : y + SQUARE_PX, x : x + SQUARE_PX] += 5
    return out


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda picture, *_: picture, ([225], 2)),
        (a_little_brighter, ([225], 2)),
        (with_tile, ([225, 5], 0)),
    ],
)
def test_a_quarter_of_a_picture_tells_whether_all_of_it_is_wanted(change, expected):
    """Nothing is read again, nor the file unpacked whole, where nothing changed."""
    large = geometry_from_corners(CORNERS * 2, 15, SIDE * 2, SIDE * 2)
    smooth = cv2.GaussianBlur(board(), (5, 5), 0)
    shown = [smooth, change(smooth, 7, 3)]
    pictures = [cv2.resize(x, (SIDE * 2, SIDE * 2)) for x in shown]
    second = open_packed(cv2.imencode(".jpg", pictures[1])[1].tobytes(), 2)
    inner = CountingReader()
    reader = SeriesReader(inner)
    reader.read(pictures[0], request_of(large))
    reader.read(second, request_of(large))

    assert expected == (inner.asked, second.finest)


@pytest.mark.parametrize(("squares", "expected"), [(0.4, 39.6), (0.6, 30.0)])
def test_a_lattice_found_anew_a_row_aside_is_not_believed(place, squares, expected):
    """Found anew less than half a square from where the hint led it is taken; else it slipped."""
    known, asides = [], (0.0, 6.0)

    class Slipping(CountingReader):
        def locate(self, picture, request):
            """A quarter of a square aside with a hint; without, so many squares further."""
            if not request.hint:
                return [place.shifted(0.25 + squares, 0)], []
            corners = CORNERS + np.array((asides[len(known)], 0.0))
            return [geometry_from_corners(corners, 15, SIDE, SIDE)], []

        def tell(self, g, colours, logs, request):
            """The place stands for a reading."""
            known.append(round(float(g.corners_px[0, 0]), 1))
            return g

    reader = SeriesReader(Slipping())
    for seed, _ in enumerate(asides):
        reader.read(board(seed), request_of(place))

    assert [24.0, expected] == known


@pytest.mark.parametrize(("better", "expected"), [(0.007, 30.0), (0.015, 51.6)])
def test_a_row_further_a_board_must_fit_better(place, better, expected):
    """By a hundredth; else it stays in the frame that it was in."""
    known, asides = [], (0.0, 6.0)

    class Slipping(CountingReader):
        def locate(self, picture, request):
            """A quarter of a square aside with a hint; without, nearly a row further."""
            if not request.hint:
                return [replace(place.shifted(1.15, 0), quality=0.9 + better)], []
            corners = CORNERS + np.array((asides[len(known)], 0.0))
            return [replace(geometry_from_corners(corners, 15, SIDE, SIDE), quality=0.9)], []

        def tell(self, g, colours, logs, request):
            """The place stands for a reading."""
            known.append(round(float(g.corners_px[0, 0]), 1))
            return g

    reader = SeriesReader(Slipping())
    for seed, _ in enumerate(asides):
        reader.read(board(seed), request_of(place))

    assert [24.0, expected] == known


@pytest.mark.parametrize(("better", "expected"), [(0.0, 33.6), (0.015, 57.6)])
def test_a_board_that_was_pushed_is_found_where_it_shows_what_it_showed(place, better, expected):
    """Its frame is ruled like it and was taken for a column; one that fits better is believed."""
    known = []
    pushed = np.roll(board(), 10, 1)

    class Slipping(CountingReader):
        def locate(self, picture, request):
            """First where it lies; pushed by two fifths of a square it seems a column further."""
            aside = 1.4 * bool(known)
            return [replace(place.shifted(aside, 0), quality=0.9 + better * bool(known))], []

        def tell(self, g, colours, logs, request):
            """The place stands for a reading."""
            known.append(round(float(g.corners_px[0, 0]), 1))
            return g

    reader = SeriesReader(Slipping())
    for picture in (board(), pushed):
        reader.read(picture, request_of(place))

    assert [24.0, expected] == known


@pytest.mark.parametrize(
    "pose",
    [Pose(3, 593.0, 130.0, 6.30), Pose(0, 340.0, 574.0, 3.07)],
    ids=["a column aside", "a row aside"],
)
def test_under_an_arm_at_its_edge_a_board_stays_where_it_lay(pose):
    """Also where the camera darkens the picture; a lattice fitted anew lies aside."""
    seed = {3: 2, 0: 4}[pose.which]
    table, reader = FilmedBoard(seed, (960, 720)), SeriesReader(Reader())
    tiles = {Square(7, 3 + k): Laid(x) for k, x in enumerate("SENATOR")}
    tiles |= {Square(8 + k, 5): Laid(x) for k, x in enumerate("ICE")}
    bare = Scene(tiles)
    under = replace(bare, poses=(pose,), level=0.7)
    hint, off = (), []
    for number, shown in enumerate((bare, bare, under, under, bare)):
        picture, _ = table.picture(shown, number)
        (seen,) = reader.read(picture, ReadRequest(hint=hint)).boards
        hint = (geometry_from_corners(seen.corners_px, 15, 960, 720),)
        off.append(hint[0].corners_off_px(table.geometry) / table.geometry.square_px)

    assert [0] * 5 == [round(x) for x in off], off


def test_a_board_that_fitted_worse_elsewhere_is_taken_to_lie_where_it_lay_once_it_shows(place):
    """A cloth hid it meanwhile; in that frame every square looks otherwise."""
    known = []

    class Slipping(CountingReader):
        def locate(self, picture, request):
            """First where it lies; with a cloth over it a column aside, and it fits worse."""
            aside = float(len(known) > 0)
            return [replace(place.shifted(aside, 0), quality=0.99 - 0.1 * aside)], []

        def tell(self, g, colours, logs, request):
            """The place stands for a reading."""
            known.append(round(float(g.corners_px[0, 0])))
            return g

    reader, hint = SeriesReader(Slipping()), place
    for picture in (board(), board(5), board()):
        (hint,) = reader.read(picture, request_of(hint)).boards

    assert [24, 48] == known
    assert 24 == round(float(hint.corners_px[0, 0]))


@pytest.mark.parametrize(("aside", "asked"), [(6.0, [225]), (9.0, [225, 225])])
def test_a_hint_is_of_the_board_whose_corners_are_there(place, aside, asked):
    """To three tenths of a square; what is further aside is another board, read anew."""
    inner = CountingReader()
    reader = SeriesReader(inner)
    reader.read(board(), request_of(place))
    reader.read(
        board(), request_of(geometry_from_corners(np.add(CORNERS, (aside, 0)), 15, SIDE, SIDE))
    )

    assert asked == inner.asked


def test_of_nine_joined_boards_only_what_changed_is_read_again():
    """A tile on one of them is read by itself; where they moved all nine are read anew."""
    side = 47 * SQUARE_PX
    before = np.random.default_rng(1).integers(60, 180, (side, side, 3), np.uint8)
    edge = float(side - SQUARE_PX)
    corners = np.array([(24.0, 24.0), (edge, 24.0), (edge, edge), (24.0, edge)])
    request = ReadRequest(45, hint=(geometry_from_corners(corners, 45, side, side),))
    stub = CountingReader()
    series = SeriesReader(stub)

    first = series.read(before, request)
    again = series.read(before, request)
    series.read(with_tile(before, 20, 31), request)

    assert [225] * 9 + [5] == stub.asked
    assert first.boards[0] is again.boards[0]

    pushed = np.roll(before, 9, axis=1)
    series.read(pushed, request)

    assert [225] * 9 == stub.asked[10:]


@pytest.mark.parametrize(("settled", "expected"), [(True, [5]), (False, [5, *[225] * 9])])
def test_joined_boards_whose_letters_told_that_they_are_not_mirrored_are_not_asked_again(
    settled, expected
):
    """Whatever their tiles say later, a tile more is read by itself."""
    side = 47 * SQUARE_PX
    before = np.random.default_rng(1).integers(60, 180, (side, side, 3), np.uint8)
    edge = float(side - SQUARE_PX)
    corners = np.array([(24.0, 24.0), (edge, 24.0), (edge, edge), (24.0, edge)])
    request = ReadRequest(45, hint=(geometry_from_corners(corners, 45, side, side),))
    stub = CountingReader(lead=9.0, settled=settled)
    series = SeriesReader(stub)

    series.read(before, request)
    series.read(with_tile(before, 20, 31), request)

    assert expected == stub.asked[9:]


@pytest.mark.parametrize(
    ("settled", "still", "expected"), [(True, True, 1), (True, False, 2), (False, True, 2)]
)
def test_joined_boards_that_lie_where_they_lay_are_looked_for_no_more(settled, still, expected):
    """In other light all are read anew; they are held against a mirror only where that is open."""
    side = 47 * SQUARE_PX
    pictures = [
        np.random.default_rng(seed).integers(60, 180, (side, side, 3), np.uint8) for seed in (1, 2)
    ]
    edge = float(side - SQUARE_PX)
    corners = np.array([(24.0, 24.0), (edge, 24.0), (edge, edge), (24.0, edge)])
    request = ReadRequest(45, hint=(geometry_from_corners(corners, 45, side, side),))
    stub = CountingReader(settled=settled, still=still)
    series = SeriesReader(stub)
    for picture in pictures:
        series.read(picture, request)

    assert ([225] * 18, expected) == (stub.asked, stub.held)


class PartsReader(CountingReader):
    """Finds no nine boards, only two of them side by side."""

    found = 0

    def locate(self, picture, request):
        """Not nine."""
        raise BoardNotFound("not nine")

    def locate_parts(self, picture):
        """Where the test draws them."""
        self.found += 1
        return Patch({(0, k): two_boards()[k] for k in (0, 1)})

    def tell_parts(self, patch, seen, request):
        """Nothing: what is told is not asked here."""
        return (), ()


def two_boards():
    """Two joined boards in a picture of 36 by 20 squares."""
    size = 36 * SQUARE_PX, 20 * SQUARE_PX
    return [
        geometry_from_corners(np.add(CORNERS, (k * 15 * SQUARE_PX, 0)), 15, *size) for k in (0, 1)
    ]


@pytest.mark.parametrize(
    ("row", "col", "expected"), [(None, None, 1), (4, 4, 2), (4, 33, 2), (17, 20, 2)]
)
def test_parts_of_joined_boards_are_looked_for_again_where_anything_moved(row, col, expected):
    """On one of them, or beside them: another may lie there that something hid before."""
    size = 20 * SQUARE_PX, 36 * SQUARE_PX, 3
    picture = np.random.default_rng(1).integers(60, 180, size, np.uint8)
    stub = PartsReader()
    series, request = SeriesReader(stub), ReadRequest(45, hint=tuple(two_boards()))

    first = series.read(picture, request)
    again = series.read(picture, request)
    series.read(picture if row is None else with_tile(picture, row, col), request)

    assert first is again
    assert (expected, [225] * 2 * expected) == (stub.found, stub.asked)


def test_a_doubtful_square_of_a_part_of_joined_boards_is_read_again():
    """As on any other board; nothing is looked for anew."""
    size = 20 * SQUARE_PX, 36 * SQUARE_PX, 3
    picture = np.random.default_rng(1).integers(60, 180, size, np.uint8)
    stub = PartsReader(doubtful=(slice(0, 1), slice(0, 3)))
    series, request = SeriesReader(stub), ReadRequest(45, hint=tuple(two_boards()))
    for _ in range(5):
        series.read(picture, request)

    assert (1, [225, 225, 3, 3, 3, 3]) == (stub.found, stub.asked)


def test_joined_boards_read_in_series_are_read_as_by_themselves():
    """The pictures of a fixed camera over nine boards, one after the other."""
    reader = Reader()
    series, hint = SeriesReader(reader), ()
    for path in sorted((DEMO / "frankenscrabbards").glob("*.jpg"))[:3]:
        picture = cv2.imread(str(path))
        alone = reader.read(picture, ReadRequest(45)).boards[0]
        (board,) = series.read(picture, ReadRequest(45, hint=hint)).boards
        hint = (geometry_from_corners(board.corners_px, 45, *picture.shape[1::-1]),)

        assert rows_of(alone) == rows_of(board)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize(("known", "expected"), [(2, [1, 2, 2]), (1, [1, 1, 1])])
def test_a_board_that_was_out_of_sight_is_found(known, expected, side):
    """Of two, whichever was covered; where only one is known to lie there none is looked for."""
    table = FilmedBoard(1, (1280, 720), boards=2)
    both, middle = table.plain(Scene()), 640
    one = both.copy()
    one[:, slice(0, middle) if side == "left" else slice(middle, None)] = 90
    reader = SeriesReader(Reader())
    hint, counts, lefts = (), [], []
    for picture in (one, both, both):
        found = reader.read(picture, ReadRequest(hint=hint, boards=known)).boards
        hint = tuple(geometry_from_corners(b.corners_px, 15, *picture.shape[1::-1]) for b in found)
        counts.append(len(found))
        lefts.append([float(b.corners_px[:, 0].min()) for b in found])

    assert expected == counts
    assert [sorted(at) for at in lefts] == lefts


FRAMES = """
import resource, sys
import numpy as np
from kibitz.vision.stream import series
if "keep" in sys.argv:
    series.keep_freed_memory()
for _ in range(4):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    frame = [np.ones(3 << 20, np.uint8) for _ in range(16)]
    del frame
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
"""Four frames of sixteen arrays each, and how many pages the system handed out for the last one."""


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="other C libraries keep memory as they do"
)
def test_what_a_frame_took_is_kept_for_the_next():
    """48 MB are some twelve thousand pages of four kilobytes; a film's frame takes a quarter."""
    plain, kept = (
        int(subprocess.check_output([sys.executable, "-c", FRAMES, *more], text=True))
        for more in ((), ("keep",))
    )

    assert plain > 1000
    assert kept < 100
