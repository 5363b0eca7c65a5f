"""Scrabble on boards of other sizes: a layout from a file, photographs, records."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

import kibitz
from kibitz.app.common.errors import KibitzError, UsageError
from kibitz.app.face.opening import parse_setting
from kibitz.engine.table import Square
from tests.filming.drawing import FilmedBoard, Scene
from tests.filming.story import Laid

SIDE = 21
PREMIUMS = {(10, 10): "*", (10, 12): "q", (10, 14): "Q", (12, 20): "L"}
ROWS = ["".join(PREMIUMS.get((r, c), ".") for c in range(SIDE)) for r in range(SIDE)]
CATER = {Square(10, 10 + i): x for i, x in enumerate("CATER")}
RATS = {Square(11 + i, 14): x for i, x in enumerate("ATS")}
TOASTED = {Square(12, 15 + i): x for i, x in enumerate("OASTED")}


@pytest.fixture(scope="module")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of three plays on a drawn board of 21 squares a side."""
    folder = tmp_path_factory.mktemp("large")
    board = FilmedBoard(3, (1600, 1200), SIDE)
    lying: dict[Square, Laid] = {}
    for number, play in enumerate((CATER, RATS, TOASTED)):
        lying |= {square: Laid(x) for square, x in play.items()}
        picture, _ = board.picture(Scene(dict(lying)), number)
        cv2.imwrite(str(folder / f"{number}.png"), picture)
    return folder


@pytest.fixture
def layout(tmp_path: Path) -> Path:
    path = tmp_path / "large.txt"
    path.write_text("\n".join(ROWS) + "\n")
    return path


def test_photographs_of_a_large_board_are_a_game(photographs: Path, layout: Path) -> None:
    """The board is looked for in the size of its layout, which says what the plays are worth."""
    settings = dict([parse_setting(f"cl.layout=@{layout}")])
    game = kibitz.replay(
        photographs, "scrabble", ["Ann", "Bob"], settings=settings, lexicon="none"
    )

    assert [("CATER", 80), ("RATS", 4), ("TOASTED", 12)] == [
        (play.words[0][0], play.score) for play in game.plays
    ]
    assert {"Ann": 92, "Bob": 4} == game.scores
    assert set(map(str, [*CATER.values(), *RATS.values(), *TOASTED.values()])) == {
        tile.letter for tile in game.tiles
    }
    assert '"size":21' in game.html()
    with pytest.raises(KibitzError, match=r"only Scrabble, not Scrabble \(21x21\)"):
        game.gcg()


def test_the_rules_on_a_layout_of_ones_own() -> None:
    """A program gives the rows; the star is where they have it."""
    game = kibitz.Game("scrabble", ["Ann", "Bob"], cl_layout=ROWS, lexicon="none")

    assert not game.act("place", "Ann", tiles={"H8": "A", "H9": "T"})
    assert 4 == game.act("place", "Ann", tiles={"K11": "A", "K10": "T"}).score
    assert 21 == len(game.board)


def test_a_setting_from_a_file_says_what_is_wrong(tmp_path: Path) -> None:
    """Only what a person wrote names files, and a missing one is told."""
    missing = tmp_path / "none.txt"

    assert ("cl.layout", "@x") == parse_setting("cl.layout=@x", files=False)
    with pytest.raises(UsageError) as caught:
        parse_setting(f"cl.layout=@{missing}")
    assert f"settings: cl.layout: there is no file '{missing}'" == str(caught.value)
