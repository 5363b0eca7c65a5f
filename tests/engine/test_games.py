"""The list of games: found by name, each with facts that somebody asks."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from kibitz.engine.games import DEFAULT_GAME, GAMES, INFOS, find_game, find_info, games
from kibitz.engine.rules import GameInfo, HallOfFame, Telling
from kibitz.engine.table import SurfaceSpec
from tests.helpers.shared_data import ROOT

pytestmark = pytest.mark.fast


def test_facts_and_rules_are_one_list() -> None:
    """Each game's rules hold the facts that are listed, in the same order."""
    assert list(INFOS) == [game.info for game in games()]
    assert INFOS[0].slug == DEFAULT_GAME


@pytest.mark.parametrize(
    ("name", "slug"),
    [(name, i.slug) for i in INFOS for name in (i.slug, i.slug.upper(), *i.other_names)],
)
def test_a_game_is_found_by_each_of_its_names(name: str, slug: str) -> None:
    """Capitals and spaces around do not matter."""
    assert slug == find_info(f" {name} ").slug == find_game(name).info.slug


def test_an_unknown_name_is_told_the_known_ones() -> None:
    """Whoever mistypes a name sees what there is."""
    with pytest.raises(ValueError, match="'chess'; known are scrabble, scrabbleship, "):
        GAMES.find_info("chess")


@pytest.mark.parametrize(
    ("slug", "players", "boards"),
    [
        ("scrabble", 4, ["board"]),
        ("scrabble-house", 2, ["board"]),
        ("scrabble-house", 4, ["board 1", "board 2"]),
        ("grabscrab", 12, ["table"]),
    ],
)
def test_surfaces_follow_the_number_of_players(slug: str, players: int, boards: list[str]) -> None:
    """SH-2: two sit at each board, and several are numbered."""
    assert boards == [surface.name for surface in find_info(slug).surfaces(players)]


def test_only_joined_boards_name_their_board() -> None:
    """FS-3: squares of nine joined boards are 4:B8; a loose table has none."""
    assert ["frankenscrabbards"] == [i.slug for i in INFOS if i.surface.joined]


@pytest.mark.parametrize("kind", [GameInfo, SurfaceSpec, HallOfFame, Telling])
def test_every_fact_is_asked_by_somebody(kind: type) -> None:
    """A fact that nobody reads is none: each is used outside the games that declare it."""
    paths = [
        path
        for folder in ("app", "engine", "models", "vision", "calibration")
        for path in (ROOT / folder).rglob("*.*")
        if path.suffix in (".py", ".js") and path.name != "info.py"
    ]
    text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    unread = [f.name for f in fields(kind) if not re.search(rf"\.{f.name}\b", text)]

    assert [] == unread
