"""Letters that are hard to read: words and the tiles of the set help, and know their limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.app.observers.feeds import GameReplay, make_observer
from kibitz.app.reading.pictures import FileReading
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Opening
from kibitz.vision.readings import PhotoReading
from tests.app.replay_help import replay
from tests.helpers.fake_readings import reading_of_rows

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ROUGHER = [*["." * 15] * 7, "....ROUGHER....", *["." * 15] * 7]


def opening(slug: str, start: list[str] | None = None, **settings: bool) -> Opening:
    game = find_game(slug)
    options = check_options(game.info, settings)
    initial = None if start is None else {"board45": start}
    materials = make_materials("default", "en", options)
    return Opening(game, ("Ann", "Bob"), options, materials, initial)


def like_a_d(reading: PhotoReading, clear: float) -> PhotoReading:
    """The same reading with the tile on H6 rather a D than an O."""
    (board,) = reading.boards
    logs = board.letter_log_prob.copy()
    values = np.full(logs.shape[-1], 1e-4)
    values[board.labels.index("D")] = clear
    values[board.labels.index("O")] = 0.97 - clear
    logs[7, 5] = np.log(values / values.sum())
    return replace(reading, boards=(replace(board, letter_log_prob=logs.astype(np.float32)),))


def test_pictures_alike_do_not_add_up_against_a_word() -> None:
    """Pictures of one camera share what is wrong with them: they do not add up against a word."""
    run = GameReplay(make_observer(opening("scrabble", reject_invalid=False)))
    for number, clear in enumerate((0.88, 0.9, 0.85, 0.88, 0.9, 0.86)):
        run.see(FileReading(f"{number}.jpg", like_a_d(reading_of_rows(ROUGHER, LETTERS), clear)))
    (play,) = run.finish()["final"]["plays"]

    assert ["ROUGHER"] == [w["word"] for w in play["words"]]


@pytest.mark.parametrize(("clear", "asked"), [(0.7, ("D", "O")), (0.94, None)])
@pytest.mark.parametrize("pictures", [1, 4])
def test_a_letter_that_stays_in_doubt_is_asked_for(
    clear: float, asked: tuple[str, ...] | None, pictures: int
) -> None:
    """Where no word tells, the likelier letter counts, and people are asked which it is."""
    run = replay([])[2]
    for number in range(pictures):
        run.see(FileReading(f"{number}.jpg", like_a_d(reading_of_rows(ROUGHER, LETTERS), clear)))
    line = run.known_lines()[0]

    assert "D" == line["play"]["tiles"]["H6"]
    assert asked == (line["question"] and tuple(line["question"]["choices"]))
    assert ("play" if asked is None else "question") == line["status"]
