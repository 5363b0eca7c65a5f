"""What a picture would mean is worked out once, and holds only while the table stands so."""

from __future__ import annotations

import json

import pytest

from kibitz.app.common.storage.tables import Storage
from kibitz.app.observers.board_views import board_view
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.engine.record.ledger import fold
from kibitz.engine.rules import Action
from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.evidence.hypotheses import Capture, Observation
from kibitz.engine.tracking.explanations.listed import explain
from tests.app.server_help import LETTERS, board
from tests.helpers.fake_readings import reading_of_rows

HOST = Actor("host")
LIVE = Capture(live=True)
SHOWN = (
    board(H7="CAT"),
    board(H7="CATS", I10="O"),
    board(H7="CAT"),
    board(H7="CAT", G8="B"),
)


@pytest.fixture
def tables(tmp_path):
    made = Tables(Storage(str(tmp_path)))
    yield made
    made.close()


def new_table(tables):
    return tables.create(Order("scrabble", ("Ann", "Bob"))).table


def lines(table, *, ahead: bool):
    """The lines of the same pictures, each looked at beforehand or not, and what then lies."""
    out = []
    for rows in SHOWN:
        reading = reading_of_rows(rows, LETTERS)
        likely = table.preview(reading, how=LIVE) if ahead else None
        line = table.observe(reading, how=LIVE, preview=likely)
        out.append({k: line[k] for k in ("status", "play", "board", "scores", "say")})
    return out, table.tasks(), table.tracker.lying_rows()


def test_looking_ahead_changes_nothing(tables):
    """A previewed picture gives the same line as one that was not previewed."""
    plain, previewed = lines(new_table(tables), ahead=False), lines(new_table(tables), ahead=True)

    assert json.dumps(plain) == json.dumps(previewed)


def test_a_previewed_picture_is_weighed_once(tables, monkeypatch):
    """Taking in what was previewed does not explain the picture again."""
    table, looks = new_table(tables), []
    update = BoardTracker.update
    monkeypatch.setattr(BoardTracker, "update", lambda *a, **k: looks.append(1) or update(*a, **k))
    reading = reading_of_rows(SHOWN[0], LETTERS)
    likely = table.preview(reading, how=LIVE)
    table.observe(reading, how=LIVE, preview=likely)

    assert len(looks) == 1


def test_what_people_say_in_between_counts(tables):
    """After a pass the previewed play is the next player's."""
    table = new_table(tables)
    reading = reading_of_rows(SHOWN[0], LETTERS)
    likely = table.preview(reading, how=LIVE)
    table.act(Action("pass", "Ann"), HOST)
    line = table.observe(reading, how=LIVE, preview=likely)

    assert line["play"]["player"] == "Bob"


def test_of_two_readings_of_one_moment_either_may_be_taken(tables):
    """The one looked at first can still be accepted when a second look was worse."""
    table = new_table(tables)
    first, second = (reading_of_rows(SHOWN[k], LETTERS) for k in (0, 3))
    likely = table.preview(first, how=LIVE)
    table.preview(second, how=LIVE)
    line = table.observe(first, how=LIVE, preview=likely)

    assert {"H7": "C", "H8": "A", "H9": "T"} == line["play"]["tiles"]


def test_a_preview_holds_until_something_happens(tables):
    """Whatever was accepted since, the picture is weighed anew."""
    table = new_table(tables)
    reading = reading_of_rows(SHOWN[1], LETTERS)
    likely = table.preview(reading, how=LIVE)
    table.observe(reading_of_rows(SHOWN[0], LETTERS), how=LIVE)
    line = table.observe(reading, how=LIVE, preview=likely)

    assert {"H10": "S", "I10": "O"} == line["play"]["tiles"]


@pytest.mark.parametrize("left_out", [0, 1, 2])
def test_a_game_without_one_of_its_entries(tables, left_out):
    """What stands before the change is kept; the game is the one played from the beginning."""
    table = new_table(tables)
    for rows in (board(H7="CAT"), board(H7="CATS"), board(H7="CATS", G10="A")):
        table.observe(reading_of_rows(rows, LETTERS))
    ledger = table.ledger
    entries = [d.entry for i, d in enumerate(ledger.done) if i != left_out]
    known, refused = ledger.with_entries(entries)
    anew, refused_anew = fold(ledger.opening, entries)

    assert len(ledger.done) == 3
    assert (known.done, refused) == (anew.done, refused_anew)
    assert all(a is b for a, b in zip(known.done[:left_out], ledger.done, strict=False))


@pytest.mark.parametrize("rows", SHOWN)
def test_ways_that_would_be_dropped_need_not_be_found(tables, rows):
    """Whatever weighs enough to be kept is found with a limit just as without one."""
    opening = new_table(tables).ledger.opening
    tracker = BoardTracker(opening)
    tracker.update(board_view(reading_of_rows(SHOWN[0], LETTERS).boards[0]), LIVE)
    view = board_view(reading_of_rows(rows, LETTERS).boards[0])
    observed = Observation(1, view, tracker.facts, how=Capture(live=True, soon=True))
    ways, _ = explain(tracker.best, observed)
    least = max(way.weight for way in ways) - tracker.priors.search.worst_kept
    limited, _ = explain(tracker.best, observed, least)

    expected = sorted(way.weight for way in ways if way.weight >= least)
    assert expected == sorted(way.weight for way in limited if way.weight >= least)
