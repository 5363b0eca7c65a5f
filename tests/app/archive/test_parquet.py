"""Games as Parquet files: a row a play, a tile and a question, older files kept until all is well."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from kibitz.app.archive.kept import KeptGame
from kibitz.app.archive.parquet import ROWS, ROWS_OF, ParquetFiles

QUESTION = {"file": "2.jpg", "field": "letter", "square": "H8", "prompt": "Which?", "choices": [1]}


def game(
    name: str = "a",
    plays: Iterable[Mapping[str, Any]] = (),
    tiles: Iterable[Any] = (),
    questions: Iterable[Any] = (),
    **more: Any,
) -> KeptGame:
    """A game as it is kept."""
    final = {"plays": list(plays), "questions": list(questions)}
    document = {"game": "scrabble", "taken": {}, "tiles": list(tiles), "final": final, **more}
    return KeptGame({"game": name}, document)


FAILED = KeptGame({"game": "bad"}, {})


def written(folder: Path, name: str, *games: KeptGame) -> list[dict[str, Any]]:
    """The rows of one of the files after these games."""
    files = ParquetFiles(folder)
    for one in games:
        files.add(one)
    files.finish()
    rows: list[dict[str, Any]] = pq.read_table(folder / f"{name}.parquet").to_pylist()
    return rows


@pytest.mark.parametrize("name", ROWS_OF)
@pytest.mark.parametrize("games", [[], [FAILED], [game()]])
def test_nothing_happened(tmp_path: Path, name: str, games: list[KeptGame]) -> None:
    """Without games, of one that failed, and of one without plays there are files without rows."""
    assert [] == written(tmp_path, name, *games)


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        ({}, {"words": [], "word_scores": [], "score": None, "tiles": "", "removed": ""}),
        (
            {"words": [{"word": "CAT", "score": 10}, {"word": "AT"}], "turn_score": 12},
            {"words": ["CAT", "AT"], "word_scores": [10, None], "score": 12},
        ),
        ({"word": "CAT"}, {"words": ["CAT"], "word_scores": []}),
        ({"words": [{"word": "CATS"}], "word": "CAT"}, {"words": ["CATS"]}),
        ({"tiles": {"H7": "C", "H8": "a"}}, {"tiles": "H7=C H8=a"}),
        ({"removed": ["H7", "H8"], "player": "Ann"}, {"removed": "H7 H8", "player": "Ann"}),
    ],
)
def test_what_a_play_has(tmp_path: Path, play: dict[str, Any], expected: dict[str, Any]) -> None:
    """A claimed word stands where a play has no words of its own."""
    (row,) = written(tmp_path, "plays", game(plays=[{"file": "2.jpg", **play}]))

    assert expected == {name: row[name] for name in expected}


def test_plays_are_counted_in_each_game(tmp_path: Path) -> None:
    """From 0, with the second at which the picture was taken, where it tells."""
    plays = [{"file": "club/1.jpg"}, {"file": "2.jpg"}]
    games = game(plays=plays, taken={"1.jpg": 4}), FAILED, game("b", plays[1:])
    rows = written(tmp_path, "plays", *games)

    assert [("a", 0, 4.0), ("a", 1, None), ("b", 0, None)] == [
        (row["game"], row["play"], row["taken_s"]) for row in rows
    ]


@pytest.mark.parametrize(
    ("tile", "expected"),
    [
        (["H8", "G", "G", 0.5], ("H8", 7, 7, "G", False, "G", 0.5, "*")),
        (["A2", "e", "E", None], ("A2", 0, 1, "E", True, "E", None, "")),
        (["A2", "?", "?", 1.0], ("A2", 0, 1, "?", True, "?", 1.0, "")),
    ],
)
def test_what_a_tile_has(tmp_path: Path, tile: list[Any], expected: tuple[Any, ...]) -> None:
    """Where it lies, what it stands for, whether it is a blank, what was read and how surely."""
    (row,) = written(tmp_path, "tiles", game(tiles=[[0, "2.jpg", "Ann", *tile]]))
    names = ("square", "row", "col", "letter", "blank", "read", "confidence", "premium")

    assert expected == tuple(row[name] for name in names)


def test_choices_are_text(tmp_path: Path) -> None:
    """Whatever could be chosen, a number or a word."""
    (row,) = written(tmp_path, "questions", game(questions=[QUESTION]))

    assert {"game": "a", **QUESTION, "choices": ["1"]} == row


@pytest.mark.parametrize(
    ("counts", "expected"), [((3, 4), [7]), ((ROWS, 1), [ROWS, 1]), ((ROWS - 1, 3), [ROWS + 2])]
)
def test_so_many_rows_are_held_at_most(
    tmp_path: Path, counts: tuple[int, ...], expected: list[int]
) -> None:
    """Then they are written, after the game that filled them; the rest in the end."""
    files = ParquetFiles(tmp_path)
    for count in counts:
        files.add(game(questions=[QUESTION] * count))
    files.finish()
    kept = pq.ParquetFile(tmp_path / "questions.parquet").metadata

    assert expected == [kept.row_group(n).num_rows for n in range(kept.num_row_groups)]


@pytest.mark.parametrize(("whole", "expected"), [(False, ["old"]), (True, ["new"])])
def test_older_files_stand_until_the_new_ones_are_whole(
    tmp_path: Path, whole: bool, expected: list[str]
) -> None:
    """What was given up leaves nothing beside them."""
    written(tmp_path, "plays", game("old", [{"file": "1.jpg"}]))
    files = ParquetFiles(tmp_path)
    files.add(game("new", [{"file": "1.jpg"}]))
    if whole:
        files.finish()
    else:
        files.give_up()

    assert expected == pq.read_table(tmp_path / "plays.parquet")["game"].to_pylist()
    assert {f"{name}.parquet" for name in ROWS_OF} == {path.name for path in tmp_path.iterdir()}


def test_where_one_cannot_be_begun_none_is(tmp_path: Path) -> None:
    """A folder lies in the way of the last; the drafts of the others are taken away."""
    last = [*ROWS_OF][-1]
    (tmp_path / f"{last}.parquet.new").mkdir()
    with pytest.raises(OSError, match=last):
        ParquetFiles(tmp_path)

    assert [f"{last}.parquet.new"] == [path.name for path in tmp_path.iterdir()]
