"""Whatever a bad reader makes of a table, the replay goes on and its lines keep their form."""

from __future__ import annotations

import random
from typing import Any

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.app.observers.feeds import GameReplay, make_observer
from kibitz.app.reading.pictures import FileReading
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Opening
from kibitz.engine.table import parse_square
from kibitz.vision.request import ReadRequest
from tests.helpers.fake_readings import Noise, reading_from_truth

LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
STATUSES = {
    "play", "several", "no_change", "taken_back", "task_done", "question", "covered",
    "unreadable", "board_changed",
}  # fmt: skip
GAMES = ["scrabble", "scrabbleship", "scrabbage", "scrabble-house"]


def random_boards(rng: random.Random, count: int) -> list[list[str]]:
    """Boards that grow by words across and down, lose tiles, and are sometimes nonsense."""
    cells = {(7, 6 + i): letter for i, letter in enumerate("CAT")}
    boards = []
    for _ in range(count):
        boards.append(["".join(cells.get((r, c), ".") for c in range(15)) for r in range(15)])
        step = rng.random()
        if step < 0.15 and len(cells) > 3:
            for key in rng.sample(sorted(cells), 2):
                del cells[key]
        elif step < 0.25:
            cells = {(14 - r, c): x for (r, c), x in cells.items()}
        else:
            r, c = rng.choice(sorted(cells) or [(7, 7)])
            dr, dc = rng.choice([(0, 1), (1, 0)])
            for k in range(1, rng.randint(2, 5)):
                spot = (r + dr * k, c + dc * k)
                if max(spot) < 15:
                    cells.setdefault(spot, rng.choice("?EARTSONI"))
    return boards


def replayed(slug: str, seed: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    rng = random.Random(seed)
    game = find_game(slug)
    settings = {"reject_invalid": rng.random() < 0.5}
    options = check_options(game.info, settings)
    lexicon = rng.choice(["none", "default"])
    opening = Opening(game, ("Ann", "Bob"), options, make_materials(lexicon, "en", options))
    noise = Noise(0.03, 0.02, 0.002, 0.2, seed=seed)
    run = GameReplay(make_observer(opening))
    for number, rows in enumerate(random_boards(rng, 9)):
        reading = reading_from_truth({"board": rows}, ReadRequest(15, LETTERS), noise, rng)
        run.see(FileReading(f"{number}.jpg", reading))
    final = run.finish()["final"]
    return run.known_lines(), final


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("slug", GAMES)
def test_lines_keep_their_form(slug: str, seed: int) -> None:
    """Every line has a known status, a whole board, and plays on squares that exist."""
    lines, final = replayed(slug, seed)

    assert len(lines) == 9
    for line in lines:
        assert line["status"] in STATUSES
        assert [len(row) for row in line["board"]] == [15] * 15
        for name, letter in ((line["play"] or {}).get("tiles") or {}).items():
            assert 0 <= parse_square(name).row < 15
            assert len(letter) == 1
    assert sorted({play["file"] for play in final["plays"]}) == sorted(
        play["file"] for play in final["plays"]
    )
