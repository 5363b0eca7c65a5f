"""The pages of an archive: which games stand where, and what a stranger's name cannot do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kibitz.app.archive import pages
from kibitz.app.archive.kept import KeptGame
from kibitz.app.archive.pages import Pages, page_name, statistics_html
from kibitz.app.archive.statistics import Statistics
from kibitz.app.common.limits import ListRule
from tests.app.archive.test_statistics import failed, kept


def written(out: Path, games: list[KeptGame]) -> list[str]:
    """The pages of some games."""
    (out / "work").mkdir(exist_ok=True)
    statistics = Statistics()
    with Pages(out, out / "work", len(games)) as made:
        for game in games:
            statistics.add(game)
            made.add(game)
        made.finish(statistics)
    return sorted(p.name for p in out.glob("*.html"))


def shown(page: Path, id_: str = "archive") -> Any:
    """The data that a page draws from."""
    text = page.read_text(encoding="utf-8")
    return json.loads(text.partition(f'id="{id_}">')[2].partition("</script>")[0])


def test_an_archive_without_games_has_a_page(tmp_path: Path) -> None:
    """It says so with nothing on it."""
    assert ["index.html"] == written(tmp_path, [])
    assert ([], []) == (
        shown(tmp_path / "index.html")["games"],
        shown(tmp_path / "index.html", "find"),
    )


def test_games_are_dealt_to_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first page finds all; pages of an older, larger archive go."""
    monkeypatch.setattr(pages, "LISTS", ListRule(page=2))
    games = [kept(f"game{n}") for n in range(5)]
    first = written(tmp_path, games)
    find = shown(tmp_path / "index.html", "find")
    second = [game["name"] for game in shown(tmp_path / "index-2.html")["games"]]
    later = written(tmp_path, games[:2])

    assert ["index-2.html", "index-3.html", "index.html"] == first
    assert [(f"game{n}", n // 2 + 1) for n in range(5)] == [(x[0], x[2]) for x in find]
    assert None is shown(tmp_path / "index.html", "find") or 2 == len(
        shown(tmp_path / "index.html", "find")
    )
    assert ["game2", "game3"] == second
    assert ["index.html"] == later
    assert "index-3.html" == page_name(3)


def test_what_is_found_of_a_game(tmp_path: Path) -> None:
    """Name, title, page, players, scores and words."""
    written(tmp_path, [kept("club/one", title="Finals"), failed()])

    assert [
        ["club/one", "Finals", 1, ["Ann", "Bob"], [18, 60], "GARDEN"],
        ["x", "", 1, [], [], ""],
    ] == shown(tmp_path / "index.html", "find")


def test_a_strangers_name_stays_a_name(tmp_path: Path) -> None:
    """In data and statistics alike: nothing of it becomes part of the page."""
    evil = "</script><script>alert(1)</script>"
    game = kept(evil, title=evil, players=[evil, "Bob"])
    game.document["final"]["plays"][0]["player"] = evil
    game.line["scores"] = {evil: 5, "@@FIND@@": 3}  # type: ignore[index]
    written(tmp_path, [game])
    text = (tmp_path / "index.html").read_text(encoding="utf-8")

    assert evil not in text
    assert evil == shown(tmp_path / "index.html")["games"][0]["title"]
    assert {evil: 5, "@@FIND@@": 3} == shown(tmp_path / "index.html")["games"][0]["scores"]
    assert evil == shown(tmp_path / "index.html", "find")[0][0]


def test_statistics_show_what_there_is() -> None:
    """A plot for each thing that was counted, none for what was not."""
    found = Statistics()
    empty = statistics_html(found)
    found.add(kept(taken={}))
    full = statistics_html(found)

    assert ("<svg" in empty, "<table" in empty) == (False, False)
    assert [
        "final scores",
        "by their letters",
        "blanks stood for",
        "Premium squares",
        "Where tiles lie",
    ] == [
        x
        for x in (
            "final scores",
            "by their letters",
            "Time a turn",
            "blanks stood for",
            "Premium squares",
            "Where tiles lie",
        )
        if x in full
    ]
    assert 5 == full.count("<svg")
    assert 3 == full.count("<table")
