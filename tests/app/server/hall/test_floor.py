"""The tables of a server as its hall sees them: let go, given away, their clocks."""

from __future__ import annotations

import pytest

from kibitz.app.server.background.feeds import Feeds
from kibitz.app.server.hall.floor import HallFloor
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.engine.rules import Action
from tests.app.server_help import make_session

ORDER = Order("scrabble", ("Ann", "Bob"), {"reject_invalid": False}, lexicon="none")
HOUSE = Order("scrabble-house", ("Ann", "Bob"), lexicon="none")
PLAY = Action("place", "Ann", data={"tiles": {"H7": "A", "H8": "T"}})


@pytest.fixture
def session(tmp_path):
    session = make_session(tmp_path)
    yield session
    session.close()


@pytest.fixture
def floor(session):
    return HallFloor(session, Feeds(session))


def test_a_table_that_is_let_go_is_opened_again_as_it_is_kept(session, floor):
    """Whoever asks next gets it from the disk."""
    table = session.tables.create(ORDER).table
    table.act(PLAY, Actor("host"))
    floor.drops(table.id)
    floor.drops("nowhere")
    again = session.tables.get(table.id)

    assert table is not again
    assert table.ledger.state.scores == again.ledger.state.scores


def test_a_table_is_given_away_when_all_is_written(session, floor):
    """One that is not open here has nothing to write."""
    table = session.tables.create(ORDER).table
    table.act(PLAY, Actor("host"))

    assert [True, True] == [floor.gives(table.id), floor.gives("nowhere")]
    assert () == table.saving.waiting


def test_the_clocks_of_timed_games_that_are_played(session, floor):
    """Not of games without a clock, nor of those that are over."""
    session.tables.create(ORDER)
    timed = session.tables.create(HOUSE).table
    over = session.tables.create(HOUSE).table
    over.act(Action("flag_fall", "Ann"), Actor("host"))

    assert over.over
    assert [timed.id] == list(floor.clocks())


def test_pages_hear_of_what_happened_elsewhere(session, floor):
    """By the table's name."""
    heard = []
    session.listeners.append(heard.append)
    floor.changed("somewhere")

    assert ["somewhere"] == heard
