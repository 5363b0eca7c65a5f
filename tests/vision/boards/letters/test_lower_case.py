"""Letters printed in lower case are noticed by all of a board together, and read as the capitals."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from kibitz.app.reading.results import board_of
from kibitz.calibration.board_geometry import Pyramid
from kibitz.models.training.drawing import glyphs
from kibitz.models.training.drawing.scene import Spread, SpriteCabinet, make_scene
from kibitz.models.training.drawing.sized_boards import SizedBoard, photograph
from kibitz.vision.boards import reader as board_reader
from kibitz.vision.boards.letters.scripts import LowerCase, Scripts, leads, lower_case
from kibitz.vision.boards.reader import Known
from kibitz.vision.pipeline import Reader
from kibitz.vision.readings import SURE
from kibitz.vision.request import LATIN, ReadRequest

WORDS = ("ABDEFGHINR", "MATQRYLETG", "JUNGLEBRAD")
ALIKE = ("COSXZVWCOS", "XZVWCOSXZV")


@pytest.fixture(scope="module")
def reader():
    """The published networks."""
    return Reader()


class Mixed(SpriteCabinet):
    """A set that prints some of its letters in lower case."""

    small = ""

    def get(self, char: str):
        """The sprite of a letter."""
        plain, self.style = self.style, replace(self.style, lower=char in self.small)
        drawn = super().get(char)
        self.style = plain
        return drawn


def drawn(small: str, words: tuple[str, ...] = WORDS, seed: int = 3) -> SizedBoard:
    """A photograph of a board with rows of letters, some of them printed in lower case."""
    rng = np.random.default_rng(seed)
    chars = np.full((15, 15), "", "<U1")
    for k, word in enumerate(words):
        chars[4 + 2 * k, 2 : 2 + len(word)] = list(word)
    cabinet = Mixed(rng, replace(glyphs.random_tile_style(rng), family="arvo-400"), honest=True)
    cabinet.small = small
    scene = make_scene(rng, 15, Spread(chars, np.zeros(chars.shape, np.uint8), cabinet))
    return photograph(rng, 15, (30.0, 34.0), 15.0, scene)


def request(board: SizedBoard) -> ReadRequest:
    """What is asked of a drawn board."""
    return ReadRequest(15, LATIN, corners=tuple(map(tuple, board.geometry.corners_px)))


def right(board: SizedBoard, reader: Reader) -> int:
    """How many letters of a board are read rightly."""
    rows = board_of(reader.read(board.picture, request(board)).boards[0]).to_json()["rows"]
    pairs = zip("".join(rows), "".join(board.rows()), strict=True)
    return sum(a == b and b.isalpha() for a, b in pairs)


def is_small(board: SizedBoard, reader: Reader) -> bool:
    """Whether a board's letters are read as small ones."""
    _, logs = reader.squares.see(Pyramid(board.picture), board.geometry, request(board))
    return logs.small


def test_small_letters_are_read(reader):
    """Nine in ten of those that look like no capital; as capitals hardly half of them are."""
    assert right(drawn("".join(LATIN)), reader) >= 27


@pytest.mark.parametrize(
    ("small", "words"),
    [("", WORDS), ("AE", WORDS), ("COSXZVW", ALIKE)],
    ids=["capitals", "both cases", "alike in both"],
)
def test_capitals_stay_capitals(reader, small, words):
    """Also where a set mixes cases, and where its letters look alike in both."""
    assert not is_small(drawn(small, words), reader)


@pytest.mark.parametrize(("poor", "expected"), [(-0.28, True), (-5.0, False)])
def test_what_reads_well_is_not_asked(reader, monkeypatch, poor, expected):
    """Capitals that read well enough are believed, whatever small letters would say."""
    monkeypatch.setattr(board_reader, "SURE", replace(SURE, poor=poor))

    assert expected == is_small(drawn("".join(LATIN)), reader)


def test_a_board_stays_in_lower_case_from_picture_to_picture(reader):
    """Squares that are read again are read by small letters, and the others stay as they were."""
    board = drawn("".join(LATIN))
    picture = Pyramid(board.picture)
    colours, before = reader.squares.see(picture, board.geometry, request(board))
    anew = np.zeros((15, 15), np.bool_)
    anew[4, 2] = True
    known = Known(colours.straight, colours, before, anew)
    _, logs = reader.squares.see(picture, board.geometry, request(board), known)

    assert logs.small
    assert 0 == logs.letter[4, 2].argmax()
    assert (logs.both[~anew] == before.both[~anew]).all()


def test_letters_in_lower_case():
    """Only where all of them are known, and where letters have cases at all."""
    assert ("a", "ä") == lower_case("AÄ", "AÄaä")
    assert () == lower_case("AÄ", "AÄa")
    assert () == lower_case("אב", "אב")


def test_letters_that_are_not_known_have_no_lower_case(reader):
    """Then a set is read as it is told."""
    assert LowerCase.of(reader.squares.scripts, ("A", "Ա")) is None
    assert ("a", "b") == LowerCase.of(reader.squares.scripts, ("A", "B")).small


@pytest.mark.parametrize(("nats", "expected"), [(5.0, False), (7.0, True)])
def test_by_how_much_small_letters_must_lead(nats, expected):
    """Six nats, of all tiles together."""
    said = np.full((4, 3, 4), -20.0, np.float32)
    said[:, 1, 0], said[:, 0, 0], said[:, 0, 1] = 0.0, -nats / 4, -nats / 4
    said[:, 0] -= np.log(2)

    assert expected == leads(said, ("A", "a", "?"), {"small": ("a",), "capitals": ("A",)})


@pytest.mark.parametrize(("read", "expected"), [(-0.6, True), (-0.68, False)])
def test_small_letters_must_read_well_themselves(read, expected):
    """Those in doubt need not; all of them together must, or they are slanted capitals."""
    look = SimpleNamespace(facts=SimpleNamespace(script_labels=("A", "a", "?")))
    small = LowerCase(Scripts(look), ("A",), ("a",))
    said = np.full((20, 3, 4), -30.0, np.float32)
    said[:, 1, 0], said[:, 1, 1] = np.log(np.exp(read)), np.log1p(-np.exp(read))

    assert small.may_be(said)
    assert expected == small.is_lower_case(said)


def test_no_tile_tells_nothing(reader):
    """Where no look was in doubt there is nothing to ask."""
    small = LowerCase.of(reader.squares.scripts, LATIN)
    none = np.zeros((0, 3, 4), np.float32)

    assert not small.may_be(none)
    assert not small.is_lower_case(none)
