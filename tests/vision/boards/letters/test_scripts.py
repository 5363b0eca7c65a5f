"""Letters of other scripts are read by their own sets, and told where another set was asked for."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import cv2
import numpy as np
import pytest

from kibitz.app.common.materials.named import TILE_SETS, load_tile_set
from kibitz.app.reading.results import board_of
from kibitz.calibration.board_geometry import Pyramid
from kibitz.engine.tiles.sets import script_of
from kibitz.models.session import read_facts
from kibitz.vision.boards.letters import scripts
from kibitz.vision.boards.letters.scripts import (
    SCRIPTS,
    chance_of,
    evidence,
    in_doubt_of,
    likeliest_other,
)
from kibitz.vision.boards.square_logs import SquareLogs
from kibitz.vision.pipeline import OtherScript, Reader
from kibitz.vision.request import LATIN, ReadRequest
from tests.helpers.drawn_sets import DrawnSet, strewn


@pytest.fixture(scope="module")
def reader():
    """The published networks."""
    return Reader()


def drawn(tiles: str, seed: int):
    """A board with many tiles of a set, in a typeface that has them, and what lies where."""
    letters = (*load_tile_set(tiles).letters, "?")
    chars = strewn(letters, seed)
    return DrawnSet(seed, letters=letters[1]).photograph(chars, 2, 20.0), chars


def request(board, tiles: str) -> ReadRequest:
    """What is asked of a drawn board."""
    corners = tuple(map(tuple, board.geometry.corners_px))
    return ReadRequest(15, load_tile_set(tiles).letters, corners=corners)


@pytest.mark.parametrize(("tiles", "seed", "least"), [("ru", 31, 0.75), ("el", 32, 0.9)])
def test_letters_of_another_script_are_read_untaught(reader, tiles, seed, least):
    """With their own tile set most letters are right, and few are told wrongly for sure."""
    board, chars = drawn(tiles, seed)
    told = board_of(reader.read(board.picture, request(board, tiles)).boards[0]).to_json()
    rows = np.array([list(row) for row in told["rows"]])
    sure = np.array(told["confidence"]) > 0.9
    letters = (chars != "") & (board.scene.kinds == 1)
    right = letters & (rows == chars)

    assert right.sum() >= least * letters.sum()
    assert (letters & sure & ~right & (rows != "#")).sum() <= 0.05 * letters.sum()


@pytest.mark.parametrize(
    ("tiles", "seed", "script"),
    [("uk", 33, "CYRILLIC"), ("el", 34, "GREEK"), ("he", 35, "HEBREW")],
)
def test_another_script_is_named(reader, tiles, seed, script):
    """Read as English tiles they are refused, with the script and the sets to tell."""
    board, _ = drawn(tiles, seed)
    with pytest.raises(OtherScript) as caught:
        reader.read(board.picture, request(board, "en"))
    error = caught.value

    assert (script, "LATIN", "other_script") == (error.script, error.told, error.code)
    assert tiles == error.tile_sets[0]
    assert f"These tiles are {script.title()}, not Latin" in str(error)
    assert f"--tiles {tiles}" in str(error)


def blurry(tiles: str, seed: int):
    """A drawn board out of focus, and what lies where."""
    board, chars = drawn(tiles, seed)
    return replace(board, picture=cv2.GaussianBlur(board.picture, (0, 0), 3.0)), chars


def test_letters_of_another_script_are_named_though_they_read_well(reader):
    """Out of focus Greek letters look like Latin ones, each by itself; all together do not."""
    board, _ = blurry("el", 48)
    with pytest.raises(OtherScript) as caught:
        reader.read(board.picture, request(board, "en"))

    assert "GREEK" == caught.value.script


@pytest.mark.parametrize(
    ("tiles", "most", "least"), [("el", 0.03, 0.0), ("en", 1.0, 0.8)], ids=["Greek", "Latin"]
)
def test_where_no_script_can_be_named_letters_are_not_sure(reader, tiles, most, least):
    """Too blurred for the script to be named: told as Latin they are doubtful, Latin ones sure."""
    board, chars = blurry(tiles, 45)
    told = board_of(reader.read(board.picture, request(board, "en")).boards[0]).to_json()
    rows = np.array([list(row) for row in told["rows"]])
    letters = (chars != "") & (board.scene.kinds == 1)
    sure = letters & (np.array(told["confidence"]) > 0.9) & (rows != "#")

    assert least * letters.sum() <= sure.sum() <= most * letters.sum()


def test_a_board_without_a_tile_is_of_no_script(reader):
    """What may be tiles is asked about, what is likelier none is not."""
    board, _ = drawn("en", 36)
    picture, geometry = Pyramid(board.picture), board.geometry
    asked = request(board, "en")
    colours, logs = reader.squares.see(picture, geometry, asked)
    kind = np.log(np.full_like(logs.kind, [0.6, 0.3, 0.05, 0.05]))
    both = np.full_like(logs.both, -np.log(logs.both.shape[-2] * 4))
    seen = geometry, colours, SquareLogs(kind, both)

    assert seen is reader.squares.discount_wrong_script(picture, seen, asked)


def test_latin_tiles_are_named_too(reader):
    """Where a Hebrew set was told and Latin letters lie there, that is said."""
    board, _ = drawn("en", 36)
    with pytest.raises(OtherScript) as caught:
        reader.read(board.picture, request(board, "he"))

    assert ("LATIN", "HEBREW") == (caught.value.script, caught.value.told)


def test_the_network_knows_every_tile_set():
    """Its letters and sets are those that are bundled, but for tiles of several letters.

    Latin ones are known in lower case too.
    """
    facts = read_facts("glyph")
    printed = {
        name: tuple(x for x in load_tile_set(name).letters if x not in load_tile_set(name).prints)
        for name in TILE_SETS
    }

    assert printed == {name: facts.tile_sets[name] for name in TILE_SETS}
    capitals = set("".join(map("".join, printed.values())))
    latin = {x for x in capitals if script_of(x) == "LATIN" and x != "’"}
    assert capitals | {x.lower() for x in latin} | {"?"} == set(facts.script_labels)


LABELS = ("A", "B", "А", "Б", "?")
SETS = {"en": ("A", "B"), "ru": ("А", "Б")}


def blurred(count: int):
    """Tiles that may be any letter of the other script, any way up, or a B."""
    out = seen("B", count)
    out[:, LABELS.index("B"), 0] = -1.0
    out[:, [LABELS.index(x) for x in SETS["ru"]]] = 0.0
    return out


def seen(letters: str, count: int, other: float = -20.0):
    """Tiles that may be any of some letters, upright; what else they are is so likely."""
    out = np.full((count, len(LABELS), 4), other, np.float32)
    for letter in letters:
        out[:, LABELS.index(letter), 0] = 0.0
    return out


@pytest.mark.parametrize(
    ("likelihoods", "sets"),
    [
        (seen("Б", 10), ("ru",)),
        (seen("B", 10), ()),
        (seen("AА", 10), ()),
        (np.concatenate([seen("AА", 10), seen("Б", 3)]), ("ru",)),
        (np.concatenate([seen("B", 3), seen("Б", 3)]), ()),
        (blurred(10), ()),
    ],
    ids=["its letters", "those told", "shared ones", "few tell", "both", "blurred"],
)
def test_when_it_is_another_script(likelihoods, sets):
    """Letters that scripts share say nothing; so does what reads worse in the other."""
    assert sets == likeliest_other(likelihoods, LABELS, SETS, "LATIN")


@pytest.mark.parametrize(
    ("likelihoods", "reads", "expected"),
    [
        (seen("B", 10), -1.0, 1.0),
        (seen("Б", 10), -1.0, 0.0),
        (seen("AА", 10), 0.0, 0.5),
        (seen("AА", 10), -1.0, 0.0),
        (blurred(10), -1.0, 1.0),
        (blurred(10), -3.0, 0.0),
        (seen("Б", 10), 0.0, 0.0),
    ],
    ids=[
        "those told",
        "others",
        "shared ones",
        "shared but worse as those",
        "blurred",
        "worse as those",
        "read well",
    ],
)
def test_how_probable_the_script_is_that_was_told(likelihoods, reads, expected):
    """All tiles together; in blur only where they read better in the other."""
    chance = chance_of(likelihoods, LABELS, SETS, ("A", "B"), reads)

    assert expected == pytest.approx(chance, abs=1e-4)


@pytest.mark.parametrize(("chance", "letter"), [(1.0, 0.8), (0.5, 0.6), (0.0, 0.4)])
def test_a_doubtful_script_makes_letters_doubtful(chance, letter):
    """Any letter may be meant then; how many are blanks, and which way they face, is as before."""
    both = np.log(np.array([[0.8, 0.0], [0.0, 0.0], [0.0, 0.2]], np.float32) + 1e-9)

    told = np.exp(in_doubt_of(both, chance))

    assert [letter, 0.8 - letter, 0.2] == pytest.approx(told.sum(1), abs=1e-6)
    assert [0.8, 0.2] == pytest.approx(told.sum(0), abs=1e-6)


@pytest.mark.parametrize(
    ("rule", "count", "sets"),
    [
        (SCRIPTS, 1, ()),
        (SCRIPTS, 2, ("ru",)),
        (replace(SCRIPTS, each=5.0), 20, ()),
    ],
)
def test_how_much_must_speak_for_it(rule, count, sets, monkeypatch):
    """All tiles together, and each on average."""
    monkeypatch.setattr(scripts, "SCRIPTS", rule)

    assert sets == likeliest_other(seen("Б", count), LABELS, SETS, "LATIN")


@pytest.mark.parametrize(("nats", "sets"), [(0.25, ()), (0.4, ("ru",))])
def test_how_much_each_of_many_tiles_must_say(nats, sets, monkeypatch):
    """Three tenths of a nat on average: many tiles that say little are no other script."""
    low, high = -20.0, 0.0
    for _ in range(40):
        other = (low + high) / 2
        one = evidence(seen("Б", 1, other), LABELS, SETS)
        low, high = (low, other) if one["ru"] - one["en"] < nats else (other, high)

    monkeypatch.setattr(scripts, "SCRIPTS", replace(SCRIPTS, poor=-5.0))

    assert sets == likeliest_other(seen("Б", 100, low), LABELS, SETS, "LATIN")


@pytest.mark.parametrize(("other", "sets"), [(-3.0, ("ru",)), (-2.0, ())])
def test_how_well_letters_of_another_script_must_read(other, sets, monkeypatch):
    """However much likelier than those told: blur makes all of them unlikely."""
    tiles = seen("Б", 20, other)
    tiles[:, LABELS.index("B")] = -9.0

    monkeypatch.setattr(scripts, "SCRIPTS", replace(SCRIPTS, each=0.0))

    assert sets == likeliest_other(tiles, LABELS, SETS, "LATIN")


def test_what_tiles_say_of_each_set():
    """In nats beside the likeliest; one tile says no more than the rule lets it."""
    said = evidence(np.concatenate([seen("B", 2), seen("AА", 1)]), LABELS, SETS)

    assert {"en": 0.0, "ru": -8.0} == pytest.approx(said)


def test_the_script_of_letters():
    """As Unicode names it; the most letters decide."""
    assert "CYRILLIC" == script_of("АБ’")
    assert "LATIN" == script_of(LATIN)
    with pytest.raises(ValueError, match="expected letters"):
        script_of("")


@pytest.mark.parametrize(("reads", "expected"), [(-0.19, False), (-0.21, True)])
def test_how_badly_letters_read_of_which_the_script_is_asked(reader, reads, expected):
    """From 0.2 nats a tile on; better ones are of the script that was told."""
    asked = []

    def cuts():
        asked.append(True)
        raise InterruptedError  # what they show does not matter here

    with contextlib.suppress(InterruptedError):
        reader.squares.check_script(cuts, reads, ReadRequest(15, load_tile_set("en").letters))

    assert expected == bool(asked)


def test_where_no_set_was_told_the_noticed_script_is_read(reader):
    """By its likeliest set, and what was noticed is said with the reading."""
    board, chars = drawn("uk", 33)
    open_ = replace(request(board, "en"), told=False)
    reading = reader.read(board.picture, open_)
    rows = np.array([list(row) for row in board_of(reading.boards[0]).to_json()["rows"]])
    letters = (chars != "") & (board.scene.kinds == 1)

    assert ("CYRILLIC", {"uk", "ru", "bg"}) == (
        reading.noticed.script,
        set(reading.noticed.tile_sets),
    )
    assert (letters & (rows == chars)).sum() >= 0.7 * letters.sum()


def test_usual_letters_are_read_as_ever_where_no_set_was_told(reader):
    """Nothing is noticed, and nothing reads otherwise."""
    board, _ = drawn("en", 36)
    told = request(board, "en")
    first, second = (reader.read(board.picture, r) for r in (told, replace(told, told=False)))

    assert second.noticed is None
    assert board_of(first.boards[0]) == board_of(second.boards[0])


def test_joined_boards_are_of_one_script(reader):
    """Nine boards, here nine times the same: their tiles together tell."""
    board, _ = drawn("uk", 33)
    picture = Pyramid(board.picture)
    nine = [board.geometry] * 9
    with pytest.raises(OtherScript) as caught:
        reader.see_joined(picture, board.geometry, nine, replace(request(board, "en"), squares=45))
    _, seen, _ = reader.see_joined(
        picture, board.geometry, nine, replace(request(board, "uk"), squares=45)
    )

    assert "CYRILLIC" == caught.value.script
    assert 9 == len(seen)
