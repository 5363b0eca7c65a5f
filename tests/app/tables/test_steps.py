"""The clocks of a game are paused and go on; nothing of a pause counts, also after a restart."""

from __future__ import annotations

from kibitz.app.server.background.ticker import tick
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Opened, Tables
from kibitz.app.tables.steps import TableClock, marks_of
from kibitz.engine.rules import Action, Refused

HOST = Actor("host")
CAT = {"O7": "C", "O8": "A", "O9": "T"}


class Time:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:  # noqa: D102
        return self.seconds


def open_house(tables: Tables, time: Time) -> Opened:
    """Two at Scrabble House, ten minutes each; South has laid CAT and North's clock runs."""
    opened = tables.create(Order("scrabble-house", ("South", "North")))
    opened.table._clock = TableClock(now=time)
    press = [Action("press_clock", player) for player in ("North", "South")]
    for action in (press[0], Action("place", "South", None, {"tiles": CAT}), press[1]):
        assert not isinstance(opened.table.act(action, HOST), Refused)
    return opened


def test_a_pause_does_not_count() -> None:
    """What passes between pause and resume is not on the clock; doing either twice is harmless."""
    time = Time()
    clock = TableClock(10.0, now=time)
    shown = []
    for step, act in (
        (5, clock.pause),
        (100, clock.pause),
        (100, clock.resume),
        (2, clock.resume),
    ):
        time.seconds += step
        act()
        shown.append(clock.seconds())

    assert shown == [15.0, 15.0, 15.0, 17.0]


def test_overtime_is_no_move_that_undo_takes_back(tables: Tables) -> None:
    """Undo takes the play back; what the time has cost by then is charged again, after a restart too."""
    time = Time()
    settings = {"clock": "down", "clock_seconds": 60, "lexicon": "none"}
    opened = tables.create(Order("scrabble", ("Ann", "Bob"), settings))
    table = opened.table
    table._clock = TableClock(now=time)
    cat = {"H7": "C", "H8": "A", "H9": "T"}
    table.act(Action("press_clock"), HOST)
    table.act(Action("place", "Ann", None, {"tiles": cat}), HOST)
    time.seconds += 61
    ticked = [tick(table) for _ in range(2)]
    scores = [table.view(HOST)["scores"]["Ann"]]
    table.act(Action("undo"), HOST)
    scores.append(table.view(HOST)["scores"]["Ann"])
    tick(table)
    scores.append(table.view(HOST)["scores"]["Ann"])
    marks = [mark.entries for mark in table._marks]

    assert [True, False] == ticked
    assert [0, 0, -10] == scores
    assert [mark.entries for mark in marks_of(table.steps)] == marks


def test_no_flag_falls_in_a_pause(tables: Tables) -> None:
    """An hour's pause takes nobody's time; when it is over, the time runs out as it should."""
    time = Time()
    table = open_house(tables, time).table
    table.act(Action("pause_clock"), HOST)
    time.seconds += 3600
    paused = (table.paused, tick(table), table.over)
    table.act(Action("resume_clock"), HOST)
    time.seconds += 601

    assert paused == (True, False, False)
    assert (tick(table), table.over) == (True, True)


def test_everybody_hears_of_a_pause(tables: Tables) -> None:
    """Pause and resume are announced, and refused where they change nothing."""
    table = open_house(tables, Time()).table
    kinds = ("pause_clock", "pause_clock", "press_clock", "resume_clock", "resume_clock")
    got = [table.act(Action(kind, "North"), HOST) for kind in kinds]

    assert [x.code if isinstance(x, Refused) else x.say for x in got] == [
        ("The clocks stand still.",),
        "nothing_to_do",
        "clock_paused",
        ("The clocks go on.",),
        "nothing_to_do",
    ]


def test_undo_passes_a_pause_by(tables: Tables) -> None:
    """Undo after a pause takes back the last thing of the game, also after a restart."""
    opened = open_house(tables, Time())
    opened.table.act(Action("pause_clock"), HOST)
    tables.forget(opened.table.id)
    table = tables.get(opened.table.id)
    assert table is not None
    still = table.paused
    table.act(Action("undo"), HOST)

    assert still is True
    assert [d.entry.action.kind for d in table.ledger.done] == ["press_clock", "place"]


def test_a_game_without_clocks_has_nothing_to_pause(tables: Tables) -> None:
    """Pausing is refused where no clock is."""
    opened = tables.create(Order("scrabble", ("Ann", "Bob")))
    got = opened.table.act(Action("pause_clock"), HOST)

    assert isinstance(got, Refused)
    assert got.code == "no_clock"


def test_a_play_that_is_typed_too_early_says_what_to_do(tables: Tables) -> None:
    """Nothing is laid before the clocks run; the message says who starts them."""
    table = tables.create(Order("scrabble-house", ("South", "North"))).table
    got = table.act(Action("place", "South", None, {"tiles": CAT}), HOST)

    assert isinstance(got, Refused)
    assert ("clock_not_started", 0) == (got.code, table.seq)
    assert got.message.startswith("The clocks do not run yet: North presses the clock to start")


def test_a_kept_table_goes_on_as_it_began(tables: Tables) -> None:
    """A table kept before clocks had to run plays on without; a new one says what holds."""
    order = Order("scrabble-house", ("South", "North"))
    older = tables.offer.opening(order.to_json()).options
    newer = tables.create(order).table.setup.row.header["settings"]

    assert ("off", "any") == (older["sh.clocks"], older["sh.opening"])
    assert {"sh.clocks": "on", "sh.opening": "diagonal"} == newer
