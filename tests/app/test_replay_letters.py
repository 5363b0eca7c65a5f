"""Letters that are hard to read: words and the tiles of the set help, and know their limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.ledger import Opening
from app.materials import counts_of, make_materials
from app.picture_reader import FileReading
from app.replay import BoardReplay
from engine.games import find_game
from engine.options import check_options
from tests.fake_readings import reading_of_rows
from vision.readings import PhotoReading

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ROUGHER = [*["." * 15] * 7, "....ROUGHER....", *["." * 15] * 7]


def opening(slug: str, board: list[str] | None = None) -> Opening:
    game = find_game(slug)
    options = check_options(game.info, {})
    initial = None if board is None else {"board45": board}
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


@pytest.mark.parametrize(("clear", "word"), [(0.58, "ROUGHER"), (0.968, "RDUGHER")])
def test_the_same_doubt_again_and_again(clear: float, word: str) -> None:
    """A still camera's doubt does not grow with every picture; a word weighs until it is clear."""
    run = BoardReplay(opening("scrabble"), (), counts_of("en"))
    for number in range(12):
        run.see(FileReading(f"{number}.jpg", like_a_d(reading_of_rows(ROUGHER, LETTERS), clear)))
    (play,) = run.finish()["final"]["plays"]

    assert [w["word"] for w in play["words"]] == [word]


def test_more_than_one_set() -> None:
    """Nine sets are mixed: the third Q of a board of Frankenscrabbards is nothing odd."""
    before = [["."] * 45 for _ in range(45)]
    for star, text in {(7, 7): "QUARTZ", (7, 22): "QUEEN", (7, 37): "OCEAN"}.items():
        for k, letter in enumerate(text):
            before[star[0]][star[1] + k] = letter
    start = ["".join(row) for row in before]
    for k, letter in enumerate("QUILT"):
        before[22][7 + k] = letter
    after = ["".join(row) for row in before]
    run = BoardReplay(opening("frankenscrabbards", start), (), counts_of("en"))
    run.see(FileReading("1.jpg", reading_of_rows(start, LETTERS)))
    line = run.see(FileReading("2.jpg", reading_of_rows(after, LETTERS)))

    assert line["play"]["words"] == [{"word": "QUILT"}]
    assert run.referee.facts.counts == {x: 9 * n for x, n in counts_of("en").items()}
