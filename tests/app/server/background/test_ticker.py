"""Time that passes at a table."""

from __future__ import annotations

import pytest

from kibitz.app.server.background.ticker import tick
from tests.app.server_help import make_session
from tests.browser.browser_help import HOST, Served, do


@pytest.fixture
def served(tmp_path):
    session = make_session(tmp_path)
    yield Served("", session)
    session.close()


def test_a_flag_falls_by_itself(served):
    """When a running clock is used up the board is lost without anybody saying so."""
    opened = served.open_table("scrabble-house", ["South", "North"])
    table = opened.table
    do(opened, action="press_clock", player="North")
    do(opened, action="place", player="South", tiles={"O7": "C", "O8": "A", "O9": "T"})
    do(opened, action="press_clock", player="South")
    before = tick(table)
    table._clock._base += 601.0

    assert before is False
    assert tick(table) is True
    assert table.over is True
    assert table.view(HOST)["winner"] == "South"


def test_a_play_passes_the_time_on_without_a_press(served):
    """Nothing is said of it, it is no entry of the history, and undo takes play and time back."""
    opened = served.open_table("scrabble", ["Ann", "Bob"], {"clock": "down", "clock_plays": True})
    table = opened.table
    do(opened, action="press_clock", player="Bob")
    do(opened, action="place", player="Ann", tiles={"H7": "C", "H8": "A", "H9": "T"})
    ticked = tick(table), tick(table)
    running = table.view(HOST)["running"]
    told = [entry["action"] for entry in table.history()]
    do(opened, action="undo")

    assert ((True, False), ["Bob"]) == (ticked, running)
    assert ["press_clock", "place"] == told
    assert (["Ann"], False) == (table.view(HOST)["running"], tick(table))


@pytest.mark.parametrize("late", ["Ann", None], ids=["Ann", "nobody says who"])
def test_the_first_play_starts_the_clocks(served, late):
    """Who played has used no time that was measured; a press for that turn changes nothing."""
    opened = served.open_table("scrabble", ["Ann", "Bob"], {"clock": "down", "clock_plays": True})
    table = opened.table
    waits = tick(table)
    do(opened, action="place", player="Ann", tiles={"H7": "C", "H8": "A", "H9": "T"})
    ticked = tick(table), tick(table)
    begun = table.view(HOST)
    do(opened, action="press_clock", **({"player": late} if late else {}))
    after = table.view(HOST)

    assert (False, (True, False)) == (waits, ticked)
    assert ["Bob"] == begun["running"] == after["running"]
    assert begun["running_since"] == after["running_since"]
    assert {"Ann": 1500.0, "Bob": 1500.0} == after["clocks"]


def test_a_table_begun_midway_waits_for_its_first_play(served):
    """What lay there before was not played here; a play that is taken back starts nothing."""
    rows = ["." * 15] * 7 + ["......CAT......"] + ["." * 15] * 7
    settings = {"clock": "down", "clock_plays": True}
    opened = served.open_table("scrabble", ["Ann", "Bob"], settings, {"board": rows})
    ticked = [tick(opened.table)]
    do(opened, action="place", player="Ann", tiles={"H10": "S"})
    do(opened, action="undo")
    ticked.append(tick(opened.table))
    do(opened, action="place", player="Ann", tiles={"H10": "S"})
    ticked.append(tick(opened.table))

    assert [False, False, True] == ticked


def test_a_tick_that_brings_nothing_leaves_no_step(served):
    """Nothing is written while nothing happens, in no game."""
    for game in ("scrabble", "scrabble-house", "grabscrab"):
        opened = served.open_table(game, ["Ann", "Bob"])
        ticked = [tick(opened.table) for _ in range(3)]

        assert ticked == [False, False, False]
        assert opened.table.seq == 0


def test_the_last_call_of_grabscrab_has_its_time(served):
    """With a window in seconds the game ends when nobody calls within it."""
    start = {"pool": "EOPS", "face_down": 1, "words": {"Ann": [], "Bob": []}, "flipper": "Bob"}
    settings = {"gs.final_window": 30}
    opened = served.open_table("grabscrab", ["Ann", "Bob"], settings, start)
    do(opened, action="flip", player="Bob", letter="T")
    tick(opened.table)
    early = opened.table.over
    opened.table._clock._base += 31.0
    tick(opened.table)

    assert early is False
    assert opened.table.over is True
