"""The file of a position, and what is written about it."""

import json
from pathlib import Path

import pytest

from kibitz.app.common.errors import UsageError
from kibitz.app.common.materials.starts import StartFile, load_start, start_of
from kibitz.app.face.game import Game
from kibitz.engine.games import INFOS

PAGE = (Path(__file__).resolve().parents[4] / "docs" / "positions.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("info", INFOS, ids=lambda i: i.slug)
def test_every_field_is_described(info):
    """The page has a line for each field of each game, in the words of its facts."""
    section = PAGE.split(f"## {info.title}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| `")]

    assert [f"| `{f.name}` | {f.label} | {f.sentence} |" for f in info.start] == lines


def test_the_example_of_the_page_is_a_game(tmp_path):
    """The file on the page begins a game as it says."""
    path = tmp_path / "start.json"
    path.write_text(PAGE.split("```json\n")[1].split("```")[0], encoding="utf-8")
    game = Game("scrabble", start=path)

    assert ("Ann", "Bob") == game.players
    assert {"Ann": 120, "Bob": 98} == game.scores


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({}, StartFile({})),
        ({"pool": "AB"}, StartFile({"pool": "AB"})),
        ({"start": {"pool": "AB"}, "game": "grabscrab"}, StartFile({"pool": "AB"}, "grabscrab")),
        (
            {"id": "GS-1", "game": "grabscrab", "players": ["Ann"], "initial": {"pool": "AB"}},
            StartFile({"pool": "AB"}, "grabscrab", ("Ann",)),
        ),
        (
            {"tiles": {"Ann": ["ST?P"]}, "words": {"Ann": ["STOP"]}},
            StartFile({"tiles": {"Ann": ["ST?P"]}, "words": {"Ann": ["STOP"]}}),
        ),
        ({"tiles": "de", "pool": "AB"}, StartFile({"pool": "AB"}, tiles="de")),
    ],
)
def test_the_position_stands_beside_what_the_file_says_of_the_game(given, read):
    """Flat, or by itself under `start` or `initial`."""
    assert read == start_of(given)


def test_what_files_say_beside_a_position_is_passed_over():
    """A photographed game's file may say more; what looks like a typing error is refused."""
    game = Game("scrabble", "Ann,Bob", start={"table_cloth": "green", "scores": [1, 2]})

    assert {"Ann": 1, "Bob": 2} == game.scores
    with pytest.raises(UsageError, match="did you mean 'scores'"):
        Game("scrabble", "Ann,Bob", start={"score": [1, 2]})


def test_a_file_that_is_not_there_is_said(tmp_path):
    """One line, no traceback."""
    with pytest.raises(UsageError, match=r"^start: cannot read"):
        load_start(tmp_path / "none.json")


def test_a_file_with_a_mark_of_byte_order_is_read(tmp_path):
    """Some editors put one there."""
    path = tmp_path / "start.json"
    path.write_text("\ufeff" + json.dumps({"pool": "AB"}), encoding="utf-8")

    assert StartFile({"pool": "AB"}) == load_start(path)
