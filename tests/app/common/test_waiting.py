"""How long things are waited for: one number for each kind, and what people are told of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz.app.cameras.reopening import PATIENCE
from kibitz.app.cli.serving.demo import DemoPlayer, bundled
from kibitz.app.common.retrying import RETRY
from kibitz.app.common.storage.databases import StorageLimits
from kibitz.app.common.waiting import WAITS
from kibitz.app.hall.leases import HallRule
from kibitz.app.server.outlets.delivery import OutletRule
from kibitz.app.server.outlets.mqtt import MqttRule
from kibitz.app.tables.results.game_film import FilmRule
from kibitz.engine.parameters import as_in
from tests.app.server_help import make_session

ROOT = Path(__file__).resolve().parents[3]


def test_what_should_be_there_at_once_is_given_four_seconds() -> None:
    """Cameras and databases; of a camera that hangs people hear within five."""
    database = StorageLimits()

    assert {4.0} == {PATIENCE.stall, PATIENCE.answer, database.answer_s, database.rest_s}
    assert 4.5 == PATIENCE.opening
    assert 4.0 == OutletRule().closing_s


def test_what_is_locked_is_told_before_the_database_counts_as_hung() -> None:
    """Three seconds for a lock, four for an answer."""
    limits = StorageLimits()

    assert (3.0, 4.0) == (limits.lock_s, limits.answer_s)


def test_other_programs_have_half_a_minute() -> None:
    """The page for those who receive events names it, and the pauses grow to as much."""
    events = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")

    assert {30.0} == {OutletRule().answer_s, HallRule().answer_s, RETRY.longest_s}
    assert f"No answer within {OutletRule().answer_s:g} seconds" in events


def test_signs_of_life_come_as_often_as_pages_expect() -> None:
    """A page that hears nothing for longer makes its line anew."""
    page = (ROOT / "app" / "web" / "js" / "api.js").read_text(encoding="utf-8")

    assert f"a beat every {WAITS.alive_s} seconds" in page
    assert WAITS.alive_s == MqttRule().keepalive_s


def test_pictures_of_a_game_stand_for_two_seconds(tmp_path: Path) -> None:
    """In a film and in the demonstration."""
    session = make_session(tmp_path)
    demo = DemoPlayer(session, bundled("scrabble"))
    session.close()

    assert (2.0, 2.0) == (FilmRule().seconds, demo._seconds)


def test_a_server_of_a_hall_may_miss_three_signs_of_life() -> None:
    """Then others take its tables; one that cannot be reached in half of that time is gone."""
    rule = HallRule()

    assert (4.0, 1.0, 2.0) == (rule.lease_s, rule.beat_s, rule.connect_s)


def test_a_number_that_is_not_there_cannot_be_taken_over() -> None:
    """A slip of the pen is told when the program starts."""
    with pytest.raises(ValueError, match="WaitRule has no number 'later_s'"):
        as_in(WAITS, "later_s")


def test_a_number_that_was_taken_over_keeps_its_bounds() -> None:
    """As where it comes from."""
    with pytest.raises(ValueError, match=r"FilmRule\.seconds: expected 0\.1 to 600"):
        FilmRule(seconds=0.0)
