"""Spectators are behind a table: nothing younger reaches them, and what was put right meanwhile is."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.app.tables.air import OnAir, on_air
from kibitz.app.tables.results.exports import EXPORTS, ExportError, export_table
from kibitz.app.tables.state import snapshot_of, table_view
from kibitz.app.tables.table import Table
from kibitz.app.tables.why import changes_of
from tests.app.tables.test_secrets import HOST, WATCHER, anything, plain, told, two_tables
from tests.engine.random_games import SLUGS, random_action
from tests.helpers.property_examples import tries

CAT = "place", {"tiles": {"H7": "C", "H8": "A", "H9": "T"}}
BAT = "correct", {"square": "H7", "letter": "B"}
LATER = "place", {"tiles": {"I9": "O", "J9": "N"}}
PUTS_RIGHT = ("correct", "answer", "undo", "redo")


class Clock:
    """The time of day, as the test has it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def time(self) -> float:
        """Seconds since 1970."""
        return self.now


@contextmanager
def running_clock() -> Iterator[Clock]:
    """A clock of the test's own for whoever keeps steps."""
    clock = Clock()
    with mock.patch("kibitz.app.tables.table.time.time", clock.time):
        yield clock


@pytest.fixture
def clock() -> Iterator[Clock]:
    """The time at which steps are kept."""
    with running_clock() as clock:
        yield clock


def seen(table: Table, air: OnAir, now: float) -> Table:
    """A table as it is on air."""
    return on_air(table, table.saving._storage, air, now)


def every_door(table: Table) -> str:
    """All that a spectator is answered about a table, as text."""
    out = [plain(table_view(table, WATCHER, None).to_json()), plain(snapshot_of(table).to_json())]
    out.append([plain(change.to_json()) for change in changes_of(table)])
    for name in EXPORTS:
        try:
            text = export_table(table, name)
        except ExportError as error:
            text = error.message
        out.append(plain(json.loads(text)) if name == "json" else text)
    return json.dumps(out, default=str, sort_keys=True)


def lines(table: Table) -> list[str]:
    """What is said on air."""
    return [str(line) for one in table_view(table, WATCHER, None).said for line in one.lines]


@given(st.sampled_from(SLUGS), st.integers(0, 2**32), st.integers(1, 300))
@tries(12)
def test_what_happened_within_the_delay_changes_nothing_on_air(slug, seed, delay_s):
    """Two tables alike up to a moment, with other plays since: through every door they are one."""
    with two_tables(slug, reject_invalid=False) as both, running_clock() as clock:
        for table in both:
            rng, clock.now = random.Random(seed), 1000.0
            for _ in range(12):
                clock.now += rng.randint(0, 40)
                told(table, HOST, *anything(slug, table, rng))
            since = clock.now
        for number, table in enumerate(both):
            rng, clock.now = random.Random(f"{seed}/{number}"), since + 0.5
            for _ in range(rng.randint(0, 8)):
                action = random_action(slug, table.ledger.state, rng)
                if action.kind not in PUTS_RIGHT:
                    told(table, HOST, action.kind, dict(action.data))
        air = OnAir(delay_s)
        shown = [every_door(seen(table, air, since + delay_s)) for table in both]

    assert shown[0] == shown[1]


@given(st.sampled_from(SLUGS), st.integers(0, 2**32), st.integers(0, 120))
@tries(12)
def test_numbers_on_air_never_go_back_and_name_one_state_each(slug, seed, delay_s):
    """An address with a number in it may be kept by a cache for ever."""
    with two_tables(slug, reject_invalid=False) as (table, _), running_clock() as clock:
        rng, air, named = random.Random(seed), OnAir(delay_s), {}
        numbers = []
        for _ in range(25):
            clock.now += rng.randint(0, 30)
            told(table, HOST, *anything(slug, table, rng))
            found = seen(table, air, clock.now)
            shown = json.dumps([found.history(), lines(found)], default=str, sort_keys=True)
            numbers.append(found.seq)
            assert named.setdefault(found.seq, shown) == shown

    assert sorted(numbers) == numbers


@pytest.fixture
def table() -> Iterator[Table]:
    """A table at which any word is good."""
    with two_tables("scrabble", reject_invalid=False) as (table, _):
        yield table


def test_a_play_is_on_air_after_the_delay(table, clock):
    told(table, HOST, *CAT)
    early, late = (seen(table, OnAir(60), now) for now in (1059.9, 1060.0))

    assert ([], 0) == (early.history(), early.seq)
    assert (["Ann"], 1) == ([entry["player"] for entry in late.history()], late.seq)


def test_what_was_put_right_within_the_delay_is_on_air_put_right(table, clock):
    """Nobody ever sees or hears the wrong word; what was played since is not told by it."""
    told(table, HOST, *CAT)
    clock.now = 1030.0
    told(table, HOST, *LATER)
    clock.now = 1050.0
    told(table, HOST, *BAT)
    first, then, last = (seen(table, OnAir(60), now) for now in (1060.0, 1095.0, 1200.0))

    assert ["BAT"] == [word["word"] for entry in first.history() for word in entry["words"]]
    assert [1, 2, 2] == [len(one.history()) for one in (first, then, last)]
    for one in (first, then, last):
        assert "BAT" in lines(one)[0]
        assert not any("CAT" in line or "Correction" in line for line in lines(one))
    assert "J9" not in every_door(first)


def test_what_was_put_right_later_is_as_late_as_all_else(table, clock):
    told(table, HOST, *CAT)
    clock.now = 1100.0
    told(table, HOST, *BAT)
    before, after = (seen(table, OnAir(60), now) for now in (1159.0, 1160.0))

    assert ["CAT"] == [word["word"] for word in before.history()[0]["words"]]
    assert "Correction: BAT" in lines(after)[-1]


def test_what_was_taken_back_within_the_delay_is_never_on_air(table, clock):
    told(table, HOST, *CAT)
    clock.now = 1040.0
    told(table, HOST, "undo", {})
    clock.now = 1050.0
    told(table, HOST, "place", {"tiles": {"H8": "O", "H9": "N"}})
    shown = [seen(table, OnAir(60), now) for now in (1060.0, 1105.0, 1110.0)]

    assert [[], [], ["ON"]] == [
        [word["word"] for entry in one.history() for word in entry["words"]] for one in shown
    ]
    assert not any("CAT" in line for one in shown for line in lines(one))


def test_a_longer_delay_takes_nothing_off_the_air(table, clock):
    """The air stands still until it is so far behind; a shorter one lets it go on."""
    told(table, HOST, *CAT)
    clock.now = 1010.0
    air = OnAir(0).with_delay(300, 1010.0)
    told(table, HOST, *LATER)
    counts = [len(seen(table, air, now).history()) for now in (1010.0, 1309.0, 1310.0)]
    again = air.with_delay(0, 1200.0)

    assert [2, 2, 2] == counts
    assert 2 == len(seen(table, again, 1200.0).history())
    assert seen(table, air, 1200.0).seq < seen(table, again, 1200.0).seq
