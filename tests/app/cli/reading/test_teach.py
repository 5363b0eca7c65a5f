"""`kibitz calibrate --teach` learns tiles, and `kibitz read --profile` tells them."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz.app.cli.main import main
from kibitz.app.common.materials.named import load_tile_set
from tests.helpers.drawn_sets import DrawnSet, laid_out, strewn


def run(*arguments: str) -> int:
    """The exit code of a call."""
    with pytest.raises(SystemExit) as leave:
        main(list(arguments))
    assert isinstance(leave.value.code, int)
    return leave.value.code


ORDER = (*load_tile_set("bg").letters, "?")
SET = DrawnSet(5)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all tiles laid out, and a board with some."""
    folder = tmp_path_factory.mktemp("taught")
    lesson = SET.photograph(laid_out(ORDER), 1, 12.0, upright=True)
    board = SET.photograph(strewn(ORDER, 3), 2, 20.0, upright=True)
    for name, drawn in (("tiles", lesson), ("board", board)):
        cv2.imwrite(str(folder / f"{name}.jpg"), drawn.picture)
    return folder


def test_taught_tiles_are_read(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bulgarian tiles are learnt from one picture and read in another."""
    out = pictures / "bg.json"
    assert (
        run(
            "calibrate",
            "--teach",
            str(pictures / "tiles.jpg"),
            "--tiles",
            "bg",
            "--out",
            str(out),
            "--json",
        )
        == 0
    )
    kept = json.loads(capsys.readouterr().out)
    assert run("read", str(pictures / "board.jpg"), "--profile", str(out), "--json") == 0
    board = json.loads(capsys.readouterr().out)["boards"][0]
    rows = np.array([list(row) for row in board["rows"]])
    chars = strewn(ORDER, 3)

    assert list(ORDER) == kept["labels"]
    assert (rows == chars)[chars != ""].mean() > 0.85
    assert oct(out.stat().st_mode & 0o777) == "0o600"


def test_a_game_is_replayed_with_taught_tiles(
    pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two plays in Bulgarian are read from two photographs, and scored by that set."""
    out = tmp_path / "bg.json"
    assert (
        run(
            "calibrate", "--teach", str(pictures / "tiles.jpg"), "--tiles", "bg", "--out", str(out)
        )
        == 0
    )
    chars = np.full((15, 15), "", dtype="<U1")
    photos = []
    for number, play in enumerate(
        ({(7, 6): "Д", (7, 7): "О", (7, 8): "М"}, {(8, 7): "К", (9, 7): "Н", (10, 7): "О"})
    ):
        for place, letter in play.items():
            chars[place] = letter
        photos.append(str(tmp_path / f"{number}.jpg"))
        drawn = SET.photograph(chars, 21 + number, 20.0, upright=True)
        cv2.imwrite(photos[-1], drawn.picture)
    capsys.readouterr()
    code = run(
        "replay",
        *photos,
        "--tiles",
        "bg",
        "--profile",
        str(out),
        "--players",
        "Ann,Bob",
        "--top",
        "top",
        "--json",
    )
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    # the one letter that the picture leaves in doubt is asked about
    assert (1, "H7") == (code, lines[0]["question"]["square"])
    assert [["ДОМ"], ["ОКНО"]] == [
        [word["word"] for word in line["play"]["words"]] for line in lines[:2]
    ]
    assert {"Ann": 10, "Bob": 5} == lines[-1]["final"]["scores"]


def test_another_number_of_tiles(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was found and what was expected are said, and what to do."""
    code = run(
        "calibrate",
        "--teach",
        str(pictures / "tiles.jpg"),
        "--tiles",
        "bg",
        "--order",
        "АБВ",
        "--out",
        str(pictures / "none.json"),
    )
    err = capsys.readouterr().err

    assert code == 1
    assert f"expected 3 tiles on the board, found {len(ORDER)} in rows of 10 10 10" in err
    assert "--order" in err
    assert not (pictures / "none.json").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--teach", "x.jpg", "--tiles", "bg", "--order", "АБW"),
            "--order: expected letters of bg",
        ),
        (("--teach", "x.jpg", "--order", "AA"), "two different tiles"),
        (("0", "--teach", "x.jpg"), "SOURCE or --teach"),
    ],
)
def test_wrong_calls(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong call exits 2 and says what was expected."""
    assert run("calibrate", *arguments) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "there is no file"),
        ("[]", "does not hold taught tiles"),
        ('{"kind": "taught tiles", "format": 2}', "expected format 1"),
        ('{"kind": "taught tiles", "format": 1, "model": "x"}', "another version"),
    ],
)
def test_wrong_profiles(
    content: str | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A profile that cannot be used is refused with what to do."""
    path = tmp_path / "own.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")

    assert run("read", "x.jpg", "--profile", str(path)) == 2
    err = capsys.readouterr().err
    assert message in err
    assert "kibitz calibrate --teach" in err
    assert run("read", "x.jpg", "--profile", str(path), "--squares", "loose") == 2
    assert "single boards" in capsys.readouterr().err
