"""What a game's own file says goes before what the command says."""

from __future__ import annotations

from typing import Any

import pytest

from kibitz.app.archive.facts import GameFacts, parse_facts
from kibitz.app.common.errors import UsageError

USUAL = GameFacts(game="scrabble", players=("Cyd", "Dan"), tiles="de", settings={"cl.tie": "draw"})


@pytest.mark.parametrize(
    ("document", "changed"),
    [
        ({}, {}),
        ({"note": "anything", "licence": None, "camera": 3}, {}),
        ({"game_slug": "grabscrab"}, {"game": "grabscrab"}),
        ({"game": "scrabbage"}, {"game": "scrabbage", "title": "scrabbage"}),
        ({"game": "Monday night"}, {"title": "Monday night"}),
        ({"game": "Monday", "title": "Finals"}, {"title": "Finals"}),
        ({"game": 7}, {}),
        ({"players": ["Ann", "Bob"]}, {"players": ("Ann", "Bob")}),
        ({"players": "Ann,Bob"}, {"players": ("Ann", "Bob")}),
        ({"language": "fr"}, {"tiles": "fr"}),
        ({"language": "fr", "tiles": "mine.json"}, {"tiles": "mine.json"}),
        ({"lexicon": "none", "top": "left"}, {"lexicon": "none", "top": "left"}),
        ({"told": None}, {}),
        ({"told": "told.json"}, {"told": "told.json"}),
        ({"initial": {"board": []}}, {"start": {"board": []}}),
        ({"settings": {"cl.tie": "win"}}, {"settings": {"cl.tie": "win"}}),
        (
            {"options": ["--players", "Ann,Bob", "--set", "challenge=double", "--top", "top"]},
            {
                "players": ("Ann", "Bob"),
                "settings": {"cl.tie": "draw", "challenge": "double"},
                "top": "top",
            },
        ),
        ({"photos": ["b.jpg", "a.jpg"]}, {"photographs": ("b.jpg", "a.jpg")}),
        (
            {"photos": [{"file": "a.jpg", "at": 3}, {"file": "b.jpg"}]},
            {"photographs": ("a.jpg", "b.jpg"), "taken": {"a.jpg": 3.0}},
        ),
    ],
)
def test_what_a_file_says_counts(document: dict[str, Any], changed: dict[str, Any]) -> None:
    """Of what it does not say the command's word holds."""
    same = {name: getattr(USUAL, name) for name in GameFacts.__dataclass_fields__}

    assert GameFacts(**{**same, **changed}) == parse_facts(document, USUAL)


@pytest.mark.parametrize(
    ("document", "why"),
    [
        ([], "expected an object"),
        ({"players": 2}, "players: expected names"),
        ({"settings": ["x"]}, "settings: expected"),
        ({"told": 3}, "told: expected a file or a list"),
        ({"initial": 3}, "initial: expected a file or a position"),
        ({"tiles": 3}, "tiles: expected a text"),
        ({"photos": "a.jpg"}, "photos: expected a list"),
        ({"photos": [{"file": "../../secret.jpg"}]}, "names of files beside it"),
        ({"photos": [{"file": "a.jpg", "at": "noon"}]}, "at: expected seconds"),
        ({"options": ["--data", "x"]}, "got '--data'"),
        ({"options": ["--players"]}, "expected an option and its value"),
        ({"game_slug": "os:system"}, "expected the name of a game"),
        ({"options": ["--game", "os:system"]}, "expected the name of a game"),
        ({"tiles": "/etc/passwd"}, "tiles: expected the name of a file beside it"),
        ({"told": "../told.json"}, "told: expected the name of a file beside it"),
    ],
)
def test_what_is_wrong_is_named(document: Any, why: str) -> None:
    """The field, what was expected, and what came; no file beyond the game's own is opened."""
    with pytest.raises(UsageError, match=why):
        parse_facts(document, USUAL)


def test_files_of_the_command_may_lie_anywhere() -> None:
    """Only a game's own file is held to its folder."""
    usual = GameFacts(tiles="/far/away/tiles.json")

    assert "/far/away/tiles.json" == parse_facts({"players": ["Ann", "Bob"]}, usual).tiles
    assert {"tiles": "/far/away/tiles.json"} == usual.files()
