"""Letters that are hard to read: words and the tiles of the set help, and know their limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kibitz.app.common.materials.named import counts_of, make_materials
from kibitz.app.observers.feeds import GameReplay, make_observer
from kibitz.app.reading.pictures import FileReading
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Opening
from kibitz.vision.readings import PhotoReading
from tests.app.replay_help import board, plays, replay
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


@pytest.mark.parametrize(("clear", "word"), [(0.58, "ROUGHER"), (0.9699, "RDUGHER")])
def test_the_same_doubt_again_and_again(clear: float, word: str) -> None:
    """A still camera's doubt does not grow with every picture; a word weighs until it is clear."""
    run = GameReplay(make_observer(opening("scrabble")))
    for number in range(12):
        run.see(FileReading(f"{number}.jpg", like_a_d(reading_of_rows(ROUGHER, LETTERS), clear)))
    (play,) = run.finish()["final"]["plays"]

    assert [w["word"] for w in play["words"]] == [word]


def test_pictures_alike_do_not_add_up_against_a_word() -> None:
    """Pictures of one camera share what is wrong with them: they do not add up against a word."""
    run = GameReplay(make_observer(opening("scrabble", reject_invalid=False)))
    for number, clear in enumerate((0.88, 0.9, 0.85, 0.88, 0.9, 0.86)):
        run.see(FileReading(f"{number}.jpg", like_a_d(reading_of_rows(ROUGHER, LETTERS), clear)))
    (play,) = run.finish()["final"]["plays"]

    assert ["ROUGHER"] == [w["word"] for w in play["words"]]


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
    run = GameReplay(make_observer(opening("frankenscrabbards", start)))
    run.see(FileReading("1.jpg", reading_of_rows(start, LETTERS)))
    line = run.see(FileReading("2.jpg", reading_of_rows(after, LETTERS)))

    assert line["play"]["words"] == [{"word": "QUILT"}]
    assert run.tracker.facts.counts == {x: 9 * n for x, n in counts_of("en").items()}


def doubtful(reading: PhotoReading, square: tuple[int, int], letters: str) -> PhotoReading:
    """The same reading with a tile that shows the first of these letters a little rather."""
    (board,) = reading.boards
    logs = board.letter_log_prob.copy()
    logs[square] = np.log(1e-4)
    for letter, chance in zip(letters, (0.6, 0.39), strict=True):
        logs[(*square, board.labels.index(letter))] = np.log(chance)
    return replace(reading, boards=(replace(board, letter_log_prob=logs),))


def test_a_letter_put_right_changes_only_the_play_that_laid_it() -> None:
    """A square may hold one tile after another; what lay there first stays as it was read."""
    cat, cats, catf, cate = (
        reading_of_rows(board(H=f".......CAT{x}"), LETTERS) for x in ("", "S", "F", "E")
    )
    pictures = [cat, cats, doubtful(catf, (7, 10), "FE"), cate, cate]
    run = GameReplay(make_observer(opening("scrabble", reject_invalid=False)))
    for number, reading in enumerate(pictures, 1):
        run.see(FileReading(f"{number}.jpg", reading))

    assert {
        "1.jpg": {"H8": "C", "H9": "A", "H10": "T"},
        "2.jpg": {"H11": "S"},
        "3.jpg": {"H11": "E"},
    } == plays(run.finish()["final"])


def blank_told(before: str | None = None) -> dict[str, str]:
    """People say that the tile on H9 is a blank."""
    told = {"action": "answer", "field": "blank", "square": "H9", "value": "A"}
    return told if before is None else {**told, "before": before}


@pytest.mark.parametrize("before", [None, "2.jpg", "3.jpg"])
def test_people_know_a_blank_that_was_read_as_a_letter(before: str | None) -> None:
    """What people say of a tile counts, before it is seen and after, however it is read."""
    shown = [board(H=".......CIT"), board(H=".......CITS"), board(H=".......CITS")]
    _, final, _ = replay(shown, told=[blank_told(before)])

    assert {"H8": "C", "H9": "a", "H10": "T"} == plays(final)["1.jpg"]
    assert ".......CaTS...." == final["board"][7]
    assert {"Ann": 8, "Bob": 5} == final["scores"]


def test_what_people_said_of_a_tile_goes_with_it() -> None:
    """Another tile on the same square is read again."""
    shown = [board(H=f".......{word}") for word in ("CO", "CO?", "CO", "COX")]
    _, final, _ = replay(shown, told=[{**blank_told(), "square": "H10"}])

    assert {"H10": "X"} == plays(final)["4.jpg"]


def test_a_letter_that_people_told() -> None:
    """Which of two letters a tile shows can be told as an answer."""
    answer = {"action": "answer", "field": "letter", "square": "H8", "value": "G"}
    cat = board(H=".......CAT")
    _, final, run = replay([cat, cat, cat, cat], told=[{"before": "2.jpg", **answer}])

    assert {"H8": "G", "H9": "A", "H10": "T"} == plays(final)["1.jpg"]
    assert [] == run.problems


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


def test_a_letter_that_a_word_settles_is_not_asked_for() -> None:
    """Another letter would make no word."""
    run = GameReplay(make_observer(opening("scrabble")))
    line = run.see(FileReading("1.jpg", like_a_d(reading_of_rows(ROUGHER, LETTERS), 0.5)))

    assert ("play", None) == (line["status"], line["question"])


def test_an_answer_closes_the_question_about_a_letter() -> None:
    """What people say counts, and nothing is asked any more."""
    told = {"action": "answer", "field": "letter", "square": "H6", "value": "O"}
    run = replay([], told=[{**told, "before": "2.jpg"}])[2]
    for number in (1, 2):
        run.see(FileReading(f"{number}.jpg", like_a_d(reading_of_rows(ROUGHER, LETTERS), 0.6)))
    line = run.known_lines()[0]

    assert ("play", "O", None) == (line["status"], line["play"]["tiles"]["H6"], line["question"])
