"""`kibitz.read` and `kibitz.read_all` on bundled photographs, against the command line."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kibitz
from kibitz.app.cli.main import main
from kibitz.app.face.reading import request_for
from kibitz.app.reading.lines import advice_noticed, square_name
from kibitz.app.reading.results import reading_of
from kibitz.vision.overlay import squares_to_picture
from kibitz.vision.readings import NoticedScript, PhotoReading
from tests.helpers.fake_readings import reading_of_rows
from tests.helpers.property_examples import tries

EXAMPLES = kibitz.examples()
BOARD = EXAMPLES["scrabble"] / "05.jpg"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def untimed(line: Mapping[str, Any]) -> dict[str, Any]:
    """A line without what differs from call to call."""
    return {key: value for key, value in line.items() if key not in ("ms", "file")}


@pytest.mark.parametrize(
    ("game", "photo"),
    [
        ("scrabble", "05.jpg"),
        ("scrabble-house", "03.jpg"),
        ("scrabbleship", "06.jpg"),
        ("grabscrab", "05.jpg"),
        ("frankenscrabbards", "03.jpg"),
    ],
)
def test_a_reading_is_the_command_lines_line(
    game: str, photo: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """From a name, from bytes and from pixels the dictionary is that of `kibitz read --json`."""
    path = EXAMPLES[game] / photo
    with pytest.raises(SystemExit):
        main(["read", "--json", str(path), "--game", game])
    line = json.loads(capsys.readouterr().out)
    pixels = cv2.imread(str(path))

    found = kibitz.read(path, game=game)
    assert (line["file"], list(line)) == (found.to_json()["file"], list(found.to_json()))
    assert untimed(line) == untimed(found.to_json())
    assert untimed(line) == untimed(kibitz.read(path.read_bytes(), game=game).to_json())
    assert untimed(line) == untimed(kibitz.read(pixels, game=game).to_json())
    assert list(line["ms"]) == list(found.ms)


ROW = st.lists(st.sampled_from(f".....{LETTERS}?"), min_size=15, max_size=15).map("".join)


@tries(40)
@given(rows=st.lists(ROW, min_size=15, max_size=15))
def test_every_tile_of_a_line_has_its_name_and_place(rows: list[str]) -> None:
    """Tiles stand where rows have them, their corners where the picture has their square."""
    board = [[110.0, 80.0], [760.0, 60.0], [800.0, 700.0], [90.0, 680.0]]
    found = reading_of_rows(rows, LETTERS, corners_px=board)
    reading = reading_of("x.jpg", found)
    shown = reading.boards[0].rows
    there = [(r, c) for r in range(15) for c in range(15) if shown[r][c] not in ".#"]

    assert [square_name(r, c, 15) for r, c in there] == [t.square for t in reading.tiles]
    assert [shown[r][c] for r, c in there] == [t.letter for t in reading.tiles]
    assert [t.letter == "?" for t in reading.tiles] == [t.blank for t in reading.tiles]
    assert [t.blank for t in reading.tiles] == [t.turn is None for t in reading.tiles]
    for (r, c), tile in zip(there, reading.tiles, strict=True):
        square = np.array([[c, r], [c + 1, r], [c + 1, r + 1], [c, r + 1]], float)
        assert squares_to_picture(found.boards[0], square) == pytest.approx(
            np.array(tile.corners), abs=0.01
        )


def test_the_tiles_of_a_photograph() -> None:
    """Blanks have no letter and no turn; a tile's corners lie around its middle in the picture."""
    reading = kibitz.read(EXAMPLES["scrabble"] / "12.jpg")
    blanks = [tile for tile in reading.tiles if tile.blank]

    assert [("O8", "?", None)] == [(t.square, t.letter, t.turn) for t in blanks]
    assert {"a"} == {tile.colour for tile in reading.tiles}
    assert min(tile.confidence for tile in reading.tiles) > 0.5
    corners = np.array([tile.corners for tile in reading.tiles])
    sides = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
    assert (sides.min() > 30, sides.max() < 60) == (True, True)


def test_ship_cards() -> None:
    """Cards that lie on the board are named with their squares."""
    board = kibitz.read(EXAMPLES["scrabbleship"] / "08.jpg", game="scrabbleship").boards[0]
    line = kibitz.read(EXAMPLES["scrabbleship"] / "08.jpg", game="scrabbleship").to_json()

    assert [(m["kind"], tuple(m["squares"])) for m in line["boards"][0]["markers"]] == [
        (card.kind, card.squares) for card in board.ship_cards
    ]


def test_what_is_drawn() -> None:
    """The overlay has the picture's shape and differs from it; text shows the rows."""
    reading = kibitz.read(BOARD)
    picture = cv2.imread(str(BOARD))
    drawn = reading.overlay()

    assert (picture.shape, picture.dtype) == (drawn.shape, drawn.dtype)
    assert not np.array_equal(picture, drawn)
    assert np.array_equal(drawn, kibitz.read(BOARD.read_bytes()).overlay())
    assert "  H  · · · G A R D E N · · · · · ·" in str(reading)
    assert str(reading) == repr(reading)


def test_advice_on_a_dark_picture() -> None:
    """What people can do about the view is said in words; a good view needs none."""
    dark = (cv2.imread(str(BOARD)) * 0.12).astype(np.uint8)
    said = kibitz.read(dark).advice

    assert () == kibitz.read(BOARD).advice
    assert any("too dark" in line for line in said)


def test_a_reading_is_nobodys_to_change() -> None:
    """It is frozen, and its dictionary is a fresh one each time."""
    reading = kibitz.read(BOARD)
    reading.to_json()["boards"][0]["rows"][7] = "spoilt"

    assert reading.boards[0].rows[7] == reading.to_json()["boards"][0]["rows"][7]
    with pytest.raises(AttributeError):
        reading.file = "other.jpg"  # type: ignore[misc]


def test_several_threads() -> None:
    """Calls from several threads read what each would read alone."""
    paths = [BOARD, EXAMPLES["scrabble"] / "12.jpg"] * 2
    with ThreadPoolExecutor(4) as pool:
        found = [reading.boards[0].rows for reading in pool.map(kibitz.read, paths)]

    assert [kibitz.read(path).boards[0].rows for path in paths] == found


def test_many_photographs(tmp_path: Path) -> None:
    """Those that cannot be read have an error; the order is that given; overlays are written."""
    text = tmp_path / "text.jpg"
    text.write_text("no picture")
    paths = [text, BOARD, tmp_path / "gone.jpg"]
    found = list(kibitz.read_all(paths, overlay=tmp_path / "drawn"))

    assert ["not_an_image", None, "file_not_found"] == [
        None if r.error is None else r.error.code for r in found
    ]
    assert [(0, None), (1, 0.998), (0, None)] == [(len(r.boards), r.quality) for r in found]
    assert [None, str(tmp_path / "drawn" / "05.overlay.jpg"), None] == [
        r.overlay_file for r in found
    ]
    with pytest.raises(kibitz.PictureUnreadable, match=r"there is no reading of one picture"):
        found[0].overlay()


@pytest.mark.slow
def test_several_processes() -> None:
    """Shared work comes back in the order given, as one process reads it, and can be drawn."""
    paths = sorted(EXAMPLES["scrabble"].glob("0*.jpg"))[:4]
    alone = list(kibitz.read_all(paths))
    shared = list(kibitz.read_all(paths, workers=2))

    assert [untimed(r.to_json()) for r in alone] == [untimed(r.to_json()) for r in shared]
    assert np.array_equal(alone[3].overlay(), shared[3].overlay())


def test_one_joined_board_from_several_photographs() -> None:
    """With `panel` photographs of single boards come out as one reading of 45 rows."""
    (found,) = kibitz.read_all([BOARD], squares=45, panel="5")

    assert 45 == len(found.boards[0].rows)
    assert "...GARDEN......" == found.boards[0].rows[22][15:30]
    assert () == found.tiles[0].corners
    assert "5:G6" == found.tiles[0].square


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: kibitz.read(7), "picture: expected a file's name, the bytes of a picture file"),
        (
            lambda: kibitz.read(np.zeros((9, 9), np.uint8)),
            r"picture: expected pixels of shape \(height, width, 3\) .* got \(9, 9\) uint8",
        ),
        (lambda: kibitz.read(BOARD, "xx"), "tiles: there is no tile set 'xx'; known are en de"),
        (
            lambda: kibitz.read(BOARD, squares=7),
            "squares: expected 15, 45, another number from 8 to 24, auto or loose, got '7'",
        ),
        (lambda: kibitz.read(BOARD, top="up"), "top: expected top, right, bottom or left"),
        (lambda: kibitz.read(BOARD, corners=[(1, 2)]), "corners: expected eight numbers"),
        (lambda: kibitz.read(BOARD, corners=[1, 2]), "corners: expected four pairs of x and y"),
        (lambda: kibitz.read(BOARD, game="chess"), "there is no game 'chess'; known are"),
        (lambda: kibitz.read(BOARD, calibration="no"), "calibration: there is none of 'no'"),
        (lambda: kibitz.read_all(BOARD, panel="10"), "panel: expected boards 1 to 9"),
    ],
)
def test_a_wrong_call(call: Any, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An argument is named as a program names it; nothing is read first."""
    with pytest.raises(kibitz.UsageError, match=f"^{says}"):
        call()


@pytest.mark.parametrize(
    ("picture", "code"),
    [
        ("gone.jpg", "file_not_found"),
        (b"", "empty_file"),
        (b"no picture", "not_an_image"),
        (np.full((300, 400, 3), 90, np.uint8), "board_not_found"),
    ],
    ids=["gone", "empty", "text", "grey"],
)
def test_a_picture_that_cannot_be_read(picture: Any, code: str) -> None:
    """It raises with a stable code and words; the error also travels between processes."""
    with pytest.raises(kibitz.PictureUnreadable) as caught:
        kibitz.read(picture)
    again = pickle.loads(pickle.dumps(caught.value))

    assert (code, code, str(caught.value)) == (caught.value.code, again.code, str(again))
    assert len(caught.value.message) > 20
    assert isinstance(caught.value, kibitz.KibitzError)


CYRILLIC = NoticedScript("CYRILLIC", ("uk", "ru"))


def test_a_script_that_nobody_told_is_said():
    """In the line, in words, and where a board is drawn in the terminal."""
    found = PhotoReading(60, 60, noticed=CYRILLIC)
    reading = reading_of("a.jpg", found)
    line = reading.to_json()
    said = "These tiles are Cyrillic: read as uk; say the tile set if it is another (ru)."

    assert {"name": "CYRILLIC", "tiles": "uk", "others": ["ru"]} == line["script"]
    assert [said] == line["advice"]
    assert (said,) == reading.advice
    assert said in reading.draw()
    assert {"script", "advice"}.isdisjoint(
        reading_of("a.jpg", replace(found, noticed=None)).to_json()
    )


def test_the_only_set_of_a_script_leaves_nothing_to_say():
    """Then it is said which it is."""
    said = advice_noticed(NoticedScript("GREEK", ("el",)))

    assert "These tiles are Greek: read as el." == said


@pytest.mark.parametrize(("tiles", "told"), [(None, False), ("en", True)])
def test_whether_a_tile_set_was_told(tiles, told):
    """Without one the usual letters are looked for."""
    request = request_for(None, None, tiles, None, None)

    assert (told, tuple(LETTERS)) == (request.told, request.letters)
