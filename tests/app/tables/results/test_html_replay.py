"""The page that replays a game holds all that it shows, and loads nothing."""

from __future__ import annotations

import json
import re

from kibitz.app.common.materials.named import load_tile_set
from kibitz.app.tables.results.html_replay import PageFacts, SmallPhoto, replay_page
from kibitz.engine.games import find_game
from tests.app.replay_help import replay
from tests.app.tables.results.results_help import CAT, CATS, data_of, small_jpeg


def page(names: tuple[str, ...] = ("Ann", "Bob")) -> str:
    lines, _, _ = replay([CAT, CATS], players=names)
    shot = SmallPhoto(small_jpeg(), 120, 90, ((1, 1), (99, 1), (99, 80), (1, 80)))
    facts = PageFacts(find_game("scrabble").info, names, load_tile_set("en"), letters=("A", "C"))
    return replay_page(facts, lines, [shot, None])


def test_the_page_loads_nothing() -> None:
    """The page names no address: everything is inside, and its policy allows nothing else."""
    text = page()

    assert re.findall(r"(?:src|href)\s*=\s*[\"'](?!data:)[^\"']+", text) == []
    assert [x for x in re.findall(r"https?://[^\s\"'<]+", text) if "w3.org" not in x] == []
    assert "default-src 'none'" in text
    assert "@@" not in text


def test_the_page_holds_the_game() -> None:
    """The data in the page are the frames with their plays, and each photograph once."""
    game = json.loads(data_of(page()))

    assert [frame["play"]["turn_score"] for frame in game["frames"]] == [10, 6]
    assert [frame["image"] for frame in game["frames"]] == [0, None]
    assert len(game["images"]) == 1
    assert game["frames"][1]["board"][7] == ".......CATS...."


def test_a_name_cannot_break_the_page() -> None:
    """A player called like markup stays a name."""
    text = page(("</script><script>alert(1)</script>", "@@DATA@@"))

    assert text.count("<script") == 2
    assert "alert(1)</script>" not in text
