"""The bundled photographed games, from their pictures to what is announced."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from kibitz.app.cli.serving.demo import DEMOS, DemoPlayer, bundled, load_demo
from kibitz.app.common.errors import CommandError
from kibitz.app.common.storage.tables import Storage
from kibitz.app.reading.frames import FrameReader
from kibitz.app.server.background.feeds import CameraFeed
from kibitz.app.server.session import Session
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.engine.games import games
from tests.helpers.pictured_games import SLUGS, WRITTEN, drawn, photographed, story_of

QUICK = ("scrabble", "grabscrab")
"""One game on a board and one with loose tiles, for whoever wants to know in a minute."""
MOST_BYTES = 1_500_000


def test_every_game_has_a_photographed_one() -> None:
    """Each of the six games can be demonstrated."""
    assert sorted(game.info.slug for game in games()) == list(SLUGS)


@pytest.mark.parametrize("slug", SLUGS)
def test_the_pictures_are_all_there_and_small(slug: str) -> None:
    """Every picture that a game names is bundled, and a game fits into a small package."""
    pictures = bundled(slug).photos

    assert [p for p in pictures if not p.is_file()] == []
    assert sum(p.stat().st_size for p in pictures) < MOST_BYTES


@pytest.mark.parametrize("slug", SLUGS)
def test_what_the_pictures_were_drawn_from(slug: str) -> None:
    """Plays, hits, explosions, steals, scores and announcements come out as written down."""
    written = (WRITTEN / f"{slug}.txt").read_text(encoding="utf-8")

    assert written == story_of(slug, drawn(slug))


@pytest.mark.parametrize(
    "slug", [pytest.param(x, marks=[pytest.mark.fast] * (x in QUICK)) for x in SLUGS]
)
def test_what_is_read_off_the_pictures(slug: str) -> None:
    """The pictures themselves, read by the models, tell the same story."""
    written = (WRITTEN / f"{slug}.txt").read_text(encoding="utf-8")

    assert written == story_of(slug, photographed(slug))


@pytest.mark.parametrize("slug", SLUGS)
def test_a_demonstration_fills_a_live_table(slug: str, tmp_path: Path) -> None:
    """Played into a live table as a camera would show it, a game ends as its replay does."""
    session = Session(Tables(Storage(str(tmp_path))), FrameReader())
    try:
        player = DemoPlayer(session, bundled(slug), seconds=0.0)
        opened = player.open_table()
        session.hub.watching = lambda _table: 1  # type: ignore[method-assign]
        CameraFeed(session, opened.table, player).run()
        view = opened.table.view(Actor("host"))
        tasks = opened.table.tasks()
    finally:
        session.close()
    shown = "words" if slug == "grabscrab" else "board45" if "board45" in view else "board"
    written = (WRITTEN / f"{slug}.txt").read_text(encoding="utf-8")

    assert f"  {shown}: {view[shown]}" in written.splitlines()
    assert tasks == []


def test_a_folder_that_holds_no_game(tmp_path: Path) -> None:
    """A damaged bundle is told in words."""
    with pytest.raises(CommandError, match="holds no demonstration game"):
        load_demo(tmp_path)


def test_an_unknown_game_lists_those_there_are() -> None:
    """Asking for a game that is not bundled names those that are."""
    with pytest.raises(CommandError, match="grabscrab"):
        bundled("chess")


def test_stopping_at_once(tmp_path: Path) -> None:
    """A demonstration that is stopped shows nothing more."""
    session = Session(Tables(Storage(str(tmp_path))), FrameReader())
    try:
        player = DemoPlayer(session, bundled("scrabbage"), seconds=0.0)
        player.open_table()
        player.start()
        player.stop()
        alive = [t.name for t in threading.enumerate() if t.name == "feed"]
    finally:
        session.close()

    assert alive == []
    assert (DEMOS / "scrabbage").is_dir()
