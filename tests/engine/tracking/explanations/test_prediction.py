"""What the rules wait for is ticked off by what a picture shows, one thing at a time."""

from __future__ import annotations

from tests.app.observers.test_two_boards import BLAST, blown, turned
from tests.app.tables.test_ship_cards import CARD, HARBOR, played, show


def test_a_card_alone_is_something_done() -> None:
    """No tile moved; the strip that was asked for lies there."""
    lines, _ = played(show(HARBOR, CARD))

    assert "task_done" == lines[2]["status"]


def test_a_tile_that_was_turned_needs_no_more_turning() -> None:
    """Nothing was lifted yet, so that stays to be done."""
    _, before, _ = blown()
    _, after, _ = blown(turned(BLAST, "F6"))

    assert ["F6"] == before["open_tasks"][0]["turn"]
    assert [] == after["open_tasks"][0]["turn"]
    assert before["open_tasks"][0]["lift"] == after["open_tasks"][0]["lift"] != []
