"""Options that several commands share: what they take, and that they name what there is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
import typer
from typer.testing import CliRunner

from kibitz.app.cli.options import (
    Calibration,
    Corners,
    Data,
    Game,
    Json,
    Lexicon,
    Models,
    Panel,
    Profile,
    Settings,
    Tiles,
    TilesIfTold,
    Top,
)
from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games import INFOS

NAME = r"[a-z]+(?:-[a-z]+)*"


def one_option(option: object, default: object = None) -> tuple[typer.Typer, list[object]]:
    """A program with this option alone, and the values that it was called with."""
    given: list[object] = []

    def command(value: object = default) -> None:
        given.append(value)

    command.__annotations__ = {"value": option}
    program = typer.Typer()
    program.command()(command)
    return program, given


def help_of(option: object) -> str:
    (facts,) = get_args(option)[1:]
    return str(facts.help)


def test_the_games_that_help_names_are_those_there_are():
    """By their slugs, in the order of the list of games."""
    named = re.findall(NAME, help_of(Game).partition(",")[0])

    assert [info.slug for info in INFOS] == named


def test_the_tile_sets_that_help_names_can_be_loaded():
    """Several languages, by the names that 'kibitz tiles' has for them."""
    named = re.findall(NAME, help_of(Tiles).partition(" and ")[0])

    assert named == [name for name in named if load_tile_set(name).letters]
    assert {"en", "de"} < set(named)


@pytest.mark.parametrize(
    ("option", "call", "expected"),
    [
        (Json, ["--json"], True),
        (Game, ["--game", "scrabble"], "scrabble"),
        (Tiles, ["--tiles", "de"], "de"),
        (TilesIfTold, ["--tiles", "de"], "de"),
        (Top, ["--top", "left"], "left"),
        (Corners, ["--corners", "1,2,3,4,5,6,7,8"], "1,2,3,4,5,6,7,8"),
        (Panel, ["--panel", "auto"], "auto"),
        (Models, ["--models", "weights"], Path("weights")),
        (Data, ["--data", "tables"], "tables"),
        (Lexicon, ["--lexicon", "none"], "none"),
        (Lexicon, ["--words", "none"], "none"),
        (Profile, ["--profile", "mine.json"], "mine.json"),
        (Calibration, ["--calibration", "kitchen"], "kitchen"),
        (Settings, ["--set", "a=1", "--set", "b=2"], ["a=1", "b=2"]),
    ],
    ids=lambda x: x[0] if isinstance(x, list) else "",
)
def test_what_an_option_gives_a_command(option, call, expected):
    """Its text as it was typed; a setting may be said several times."""
    program, given = one_option(option, default=False if option is Json else None)
    done = CliRunner().invoke(program, call)

    assert (0, [expected]) == (done.exit_code, given)


@pytest.mark.parametrize(("option", "shown"), [(Data, True), (Models, False)])
def test_weights_are_an_option_for_who_trains_them(
    option: object, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--help` does not name it."""
    monkeypatch.setenv("COLUMNS", "100")
    program, _ = one_option(option)
    lines = CliRunner().invoke(program, ["--help"]).output

    assert shown == ("--data" in lines or "--models" in lines)
