"""Frankenscrabbards photographed board by board."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from kibitz import app
from kibitz.app.common.errors import UsageError
from kibitz.app.common.materials.named import make_materials
from kibitz.app.observers.feeds import GameReplay, make_observer
from kibitz.app.observers.panel_lines import lines_of_wide
from kibitz.app.observers.panel_places import piece_of, spots_of
from kibitz.app.observers.panels import PanelOrder, panel_grid, parse_panels
from kibitz.app.reading.pictures import FileReading, make_reader, read_file
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Opening
from kibitz.engine.table import grid_from_rows
from kibitz.vision.readings import turned_board
from kibitz.vision.request import ReadRequest
from tests.app.observers.panels_help import GAME, LETTERS, SHOTS
from tests.filming.pictures import pictures_of
from tests.filming.story import BoardShot
from tests.helpers.fake_readings import Noise, reading_from_truth

PHOTO = Path(app.__file__).parent / "data" / "demo" / "frankenscrabbards" / "05.jpg"


def part_of(shot: BoardShot, panel: int) -> list[str]:
    """The rows of one board."""
    top, left = 15 * ((panel - 1) // 3), 15 * ((panel - 1) % 3)
    return [row[left : left + 15] for row in shot.rows(45)[top : top + 15]]


def photo(number: int, panel: int, occluded: Sequence[Sequence[int]] = ()) -> FileReading:
    """A faultless photograph of one board as it lies in one of the game's pictures."""
    truth = {"board": part_of(SHOTS[number], panel), "occluded": occluded}
    reading = reading_from_truth(truth, ReadRequest(15, LETTERS), Noise(), random.Random(1))
    return FileReading(f"{number}-{panel}.jpg", reading)


def replay(
    photos: Sequence[FileReading], order: str
) -> tuple[list[dict[str, Any]], dict[str, Any], GameReplay]:
    game = find_game("frankenscrabbards")
    options = check_options(game.info, {})
    materials = make_materials("default", "en", options)
    opening = Opening(game, tuple(GAME["players"]), options, materials, GAME["initial"])
    panels = parse_panels(order)
    assert panels is not None
    run = GameReplay(make_observer(opening, fixed_top=True, panels=panels))
    for shown in photos:
        run.see(shown)
    final = run.finish()["final"]
    return run.known_lines(), final, run


@pytest.mark.parametrize(
    ("text", "boards"), [("1-9", tuple(range(1, 10))), ("2,5", (2, 5)), ("3, 7-9", (3, 7, 8, 9))]
)
def test_the_order_of_boards(text: str, boards: tuple[int, ...]) -> None:
    """Boards are named singly or from one to another."""
    assert parse_panels(text) == PanelOrder(boards)


@pytest.mark.parametrize("text", ["", "0", "1-10", "2,2", "a", "1-", "-3", "9" * 5000])
def test_no_order(text: str) -> None:
    """Something else is refused with what was expected."""
    with pytest.raises(UsageError, match=r"^panel: expected"):
        parse_panels(text)


def test_round_after_round() -> None:
    """Each play is found; one at a seam once the board beyond the seam was looked at again."""
    photos = [photo(n, panel) for n in range(len(SHOTS)) for panel in range(1, 10)]
    lines, final, _ = replay(photos, "1-9")
    played = {
        line["file"]: [w["word"] for w in line["play"]["words"]][:1]
        for line in lines
        if line["play"]
    }

    assert played == {
        "1-5.jpg": ["EXTRAORDINARY"],
        "2-8.jpg": ["JOURNEY"],
        "3-2.jpg": ["ARROW"],
        "4-2.jpg": ["EACH"],
    }
    assert final["board45"] == SHOTS[-1].rows(45)
    assert {line["status"] for line in lines} == {"play", "no_change", "covered"}


def test_a_play_over_the_seam_waits() -> None:
    """Half a word at a seam is no play until the other board was looked at."""
    photos = [photo(0, 2), photo(0, 5), photo(1, 2), photo(1, 5)]
    lines, _, _ = replay(photos, "2,5")

    assert [line["status"] for line in lines] == ["no_change", "no_change", "covered", "play"]
    assert len(lines[3]["play"]["tiles"]) == 13


def test_no_waiting_for_a_board_that_nobody_watches() -> None:
    """A play at the seam to a board without a camera is taken as it lies."""
    photos = [photo(n, panel) for n in (2, 3) for panel in (2, 5, 8)]
    lines, _, _ = replay(photos, "2,5,8")
    words = [line["play"] and line["play"]["words"][0]["word"] for line in lines]

    assert words == [None, "EXTRAORDINARY", "JOURNEY", "ARROW", None, None]


def test_only_the_board_in_view_is_updated() -> None:
    """A camera over one board says nothing of the others."""
    lines, final, _ = replay([photo(0, 8), photo(2, 8)], "8")

    assert [line["status"] for line in lines] == ["no_change", "play"]
    assert final["board45"][:30] == SHOTS[0].rows(45)[:30]


def test_the_tiles_tell_the_board() -> None:
    """With `auto` a board is known by its tiles; an empty one, or one of two alike, is not."""
    known = grid_from_rows(SHOTS[0].rows(45))
    seen = [photo(0, panel).reading for panel in range(1, 10)]
    pieces = [piece_of(reading) for reading in seen if reading is not None]
    found = [spots_of([piece], known, [*LETTERS, "?"], fixed_top=True)[0] for piece in pieces]
    panels = [None if spot is None else 3 * spot.row + spot.col + 1 for spot in found]
    assert panels == [1, 2, 3, 4, None, 6, 7, None, 9]

    lines, final, _ = replay([photo(3, 2), photo(0, 5)], "auto")
    assert lines[1]["error"]["code"] == "panel_unknown"
    assert final["total_words"] == 7


def test_a_part_of_the_grid() -> None:
    """Board 4 is the left one of the middle row."""
    grid = panel_grid(grid_from_rows(SHOTS[0].rows(45)), 4)

    assert list(grid.text_rows()) == part_of(SHOTS[0], 4)


@pytest.fixture(scope="module", params=["drawn", "photographed"])
def quarters(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four pictures of four boards each, cut out of one picture of all nine."""
    if request.param == "drawn":
        *_, (_, whole) = pictures_of(GAME)
    else:
        whole = cv2.imread(str(PHOTO))
    out = tmp_path_factory.mktemp("quarters")
    high, wide = round(0.66 * whole.shape[0]), round(0.66 * whole.shape[1])
    for number, (top, left) in enumerate([(1, 1), (0, 0), (0, 1), (1, 0)]):
        y, x = top * (whole.shape[0] - high), left * (whole.shape[1] - wide)
        cv2.imwrite(str(out / f"{number}.jpg"), whole[y : y + high, x : x + wide])
    return out


def test_pictures_that_overlap(quarters: Path) -> None:
    """Pictures of several boards and parts of others are put together without being named."""
    sources = [str(quarters / f"{k}.jpg") for k in range(4)]
    ((_, read),) = lines_of_wide(sources, make_reader(), ReadRequest(45, LETTERS))
    line = read.to_json()
    want = np.array([list(row) for row in SHOTS[-1].rows(45)])
    got = np.array([list(row) for row in line["boards"][0]["rows"]])

    assert {p["panel"] for p in line["boards"][0]["panels"]} == set(range(1, 10))
    # one tile's C is read as a G
    assert (got != want)[want != "."].sum() <= 1
    assert int((got != want).sum()) <= 10


def test_a_game_in_pictures_of_some_boards(quarters: Path) -> None:
    """In a replay a picture of some boards brings those up to date, and only those."""
    reader, look = make_reader(), ReadRequest(45, LETTERS)
    shown = [read_file(str(quarters / f"{k}.jpg"), reader, look) for k in (1, 2)]
    game = find_game("frankenscrabbards")
    options = check_options(game.info, {})
    board = {"board45": SHOTS[2].rows(45)}
    materials = make_materials("default", "en", options)
    opening = Opening(game, ("Ann", "Bob"), options, materials, board)
    run = GameReplay(make_observer(opening))
    for found in shown:
        run.see(found)
    final = run.finish()["final"]

    assert [p["file"][-5:] for p in final["plays"]] == ["1.jpg"]
    assert final["board45"] == SHOTS[-1].rows(45)


def test_a_turned_board() -> None:
    """A board turned by a quarter and its place turn alike: what was right of it lies above."""
    board = photo(0, 1).reading.boards[0]  # type: ignore[union-attr]
    once = turned_board(replace(board, place=(0, 1)), 1)
    back = turned_board(once, 3)

    assert once.place == (-1, 0)
    assert back.place == (0, 1)
    assert (back.letter_log_prob == board.letter_log_prob).all()
    assert (back.turn_log_prob == board.turn_log_prob).all()
