"""`kibitz.calibrate` keeps a view for `read`; `kibitz.teach` keeps tiles for `read` and `watch`."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

import kibitz
from kibitz.app.common.materials.named import load_tile_set
from tests.helpers.drawn_sets import DrawnSet, laid_out, strewn

PHOTO = kibitz.examples()["scrabble"] / "05.jpg"
ORDER = (*load_tile_set("bg").letters, "?")
SET = DrawnSet(5)
HINT = "give the corners by hand with corners, or print markers with 'kibitz calibrate --print"


def test_a_board_is_found_and_kept(tmp_path: Path) -> None:
    """It lies where `read` finds it, and the name is taken by `read`."""
    view = kibitz.calibrate(PHOTO, "kitchen", data=str(tmp_path))
    (board,) = view.boards
    seen = kibitz.read(PHOTO, calibration="kitchen", data=str(tmp_path)).boards[0]

    assert ("kitchen", tmp_path / "calibration" / "kitchen.json") == (view.table, view.file)
    assert (15, (), ()) == (board.size, board.advice, view.advice)
    assert board.summary.startswith("The view is good: ")
    assert json.loads(json.dumps(view.line)) == json.loads(view.file.read_text())
    assert {**view.line, "kept": str(view.file)} == view.to_json()
    assert "...GARDEN......" == seen.rows[7]
    assert np.abs(np.subtract(board.corners, seen.corners)).max() < 0.1


def test_corners_and_seats_that_are_told(tmp_path: Path) -> None:
    """Corners given by hand are kept to the pixel; the first player named sits across row A."""
    corners = [(20, 20), (280, 25), (285, 280), (15, 275)]
    seats = {"Ann": "right", "Bob": "left"}
    view = kibitz.calibrate(PHOTO, corners=corners, seats=seats, data=str(tmp_path))

    assert tuple(corners) == view.boards[0].corners
    assert (seats, "left") == (view.line["seats"], view.line["top"])


def test_what_cannot_be_calibrated(tmp_path: Path) -> None:
    """A wrong argument is named; a source without a board says what to do."""
    dark = tmp_path / "dark.png"
    cv2.imwrite(str(dark), np.full((300, 300, 3), 5, np.uint8))
    data = str(tmp_path)
    calls = [
        (lambda: kibitz.calibrate(PHOTO, "../up", data=data), kibitz.UsageError, "^table: "),
        (lambda: kibitz.calibrate(PHOTO, seats="Ann", data=data), kibitz.UsageError, "^seats: "),
        (lambda: kibitz.calibrate("gone.png", data=data), kibitz.CommandError, "no file"),
        (lambda: kibitz.calibrate("browser"), kibitz.UsageError, "on its own page"),
        (lambda: kibitz.calibrate(dark, data=data), kibitz.CommandError, HINT),
    ]
    for call, kind, says in calls:
        with pytest.raises(kind, match=says):
            call()


def picture(folder: Path, name: str, chars: np.ndarray, seed: int) -> Path:
    """A photograph of a board with these tiles."""
    path = folder / f"{name}.jpg"
    cv2.imwrite(str(path), SET.photograph(chars, seed, 20.0, upright=True).picture)
    return path


def test_tiles_are_taught_and_watched(tmp_path: Path) -> None:
    """Bulgarian tiles are learnt from one picture, and a camera reads a play of them."""
    lesson = picture(tmp_path, "tiles", laid_out(ORDER), 1)
    said: list[str] = []
    taught = kibitz.teach(lesson, tmp_path / "bg.json", tiles="bg", progress=said.append)
    photos = tmp_path / "photos"
    photos.mkdir()
    chars = np.full((15, 15), "", dtype="<U1")
    picture(photos, "1", chars, 21)
    chars[7, 6:9] = list("ДОМ")
    picture(photos, "2", chars, 22)
    with kibitz.watch(
        photos, players="Ann,Bob", tiles="bg", profile=taught.file, top="top"
    ) as table:
        events = list(table)
    board = kibitz.read(picture(tmp_path, "board", strewn(ORDER, 3), 2), profile=taught.file)
    rows = np.array([list(row) for row in board.boards[0].rows])
    there = strewn(ORDER, 3)

    assert (ORDER, "bg") == (taught.labels, taught.tiles)
    assert {"kept": str(taught.file), "tiles": "bg", "labels": list(ORDER)} == taught.to_json()
    assert ["  А Б В Г Д Е Ж З И Й", "  ?"] == [said[1], said[-1]]
    assert [("ДОМ",)] == [
        tuple(w for w, _ in e.words) for e in events if isinstance(e, kibitz.PlaySeen)
    ]
    assert (rows == there)[there != ""].mean() > 0.85


def test_what_cannot_be_taught(tmp_path: Path) -> None:
    """Letters of another set are named, and nothing is kept."""
    with pytest.raises(kibitz.UsageError, match=r"^order: expected letters of bg: "):
        kibitz.teach("x.jpg", tmp_path / "no.json", tiles="bg", order="АБW")
    with pytest.raises(kibitz.CommandError, match=r"expected 27 tiles on the board, found "):
        kibitz.teach(PHOTO, tmp_path / "no.json")

    assert not (tmp_path / "no.json").exists()
