"""The clock that every game may be played with: down, up, with increment, and what overtime costs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import games
from kibitz.engine.options import check_options
from kibitz.engine.record.gcg import read_gcg
from kibitz.engine.record.gcg_writer import gcg_text
from kibitz.engine.record.history import lines_said
from kibitz.engine.record.ledger import Entry, Opening, open_ledger
from kibitz.engine.rules import Action, Refused

ANN_BOB = ("Ann", "Bob")
WITH_SETTINGS = [g for g in games() if any(s.name == "clock" for s in g.info.settings)]
SCRABBLE = next(g for g in games() if g.info.slug == "scrabble")
CAT = {"tiles": {"H7": "C", "H8": "A", "H9": "T"}}


def opened(game=SCRABBLE, players=ANN_BOB, **settings):
    """A game with a clock of ten minutes that counts down, unless it is said otherwise."""
    told = {"clock": "down", "clock_seconds": 600, **settings}
    options = check_options(game.info, told)
    return open_ledger(Opening(game, players, options, make_materials("none", "en", options)))


def done(ledger, *steps):
    """The game after steps `(kind, player, at, data)`, and the code of each refusal or `ok`."""
    codes = []
    for kind, player, at, *data in steps:
        ledger, verdict = ledger.add(Entry(Action(kind, player, at, *data), 0, True))
        codes.append(verdict.code if isinstance(verdict, Refused) else "ok")
    return ledger, codes


def shown(ledger):
    """Seconds left, and whose clock runs since when."""
    view = ledger.game.view(ledger.state, None)
    return view["clocks"], view["running"], view["running_since"]


@pytest.mark.parametrize("game", WITH_SETTINGS, ids=lambda g: g.info.slug)
def test_a_press_passes_the_time_on(game):
    """The first one starts the clock of whoever is to move; only whose time runs stops it."""
    ledger, codes = done(
        opened(game),
        ("press_clock", "Bob", 5.0),
        ("press_clock", "Bob", 20.0),
        ("press_clock", "Ann", 65.0),
        ("press_clock", None, 95.0),
    )

    assert ["ok", "not_your_clock", "ok", "ok"] == codes
    assert ({"Ann": 540.0, "Bob": 570.0}, ["Ann"], [95.0]) == shown(ledger)


@pytest.mark.parametrize("game", WITH_SETTINGS, ids=lambda g: g.info.slug)
def test_there_is_no_clock_unless_one_is_wanted(game):
    """A press is refused, and no clock is shown."""
    ledger, codes = done(opened(game, clock="off"), ("press_clock", "Ann", 1.0))

    assert "ok" not in codes
    assert "clocks" not in game.view(ledger.state, None)


def test_time_goes_to_whoever_is_to_move():
    """A play that was told before the press says whose turn it is, one that was not is expected."""
    players = ("Ann", "Bob", "Cyd")
    begun, _ = done(opened(players=players), ("begin", None, 0.0, {"seat": "Bob"}))
    seen, _ = done(begun, ("press_clock", None, 1.0), ("place", "Bob", 9.0, CAT))
    after, unseen = (
        done(ledger, ("press_clock", "Bob", 11.0))[0]
        for ledger in (seen, done(begun, ("press_clock", None, 1.0))[0])
    )

    assert [["Cyd"], ["Cyd"]] == [shown(after)[1], shown(unseen)[1]]
    assert 590.0 == shown(after)[0]["Bob"]


SEEN = Action("place", None, None, CAT)
NEXT = Action("place", None, None, {"tiles": {"G9": "A", "I9": "E"}})


def timed(*told, **settings):
    """A game in which turns that are told pass the time on, after its first press."""
    ledger = opened(clock_plays=True, **settings)
    for at, what in enumerate((("press_clock", None, 0.0), *told)):
        entry = (
            Entry(what, at) if isinstance(what, Action) else Entry(Action(*what), at, told=True)
        )
        ledger, _ = ledger.add(entry)
    return ledger


def test_a_turn_that_is_seen_passes_the_time_on():
    """No press is needed; whoever presses all the same, late, changes nothing."""
    ledger = timed(SEEN, ("tick", None, 10.0))
    _, running, since = shown(ledger)
    late, codes = done(ledger, ("press_clock", "Ann", 12.0), ("press_clock", None, 14.0))

    assert (["Bob"], [10.0]) == (running, since)
    assert (["ok", "ok"], ["Ann"]) == (codes, shown(late)[1])
    assert shown(ledger) == shown(done(ledger, ("press_clock", None, 14.0))[0])
    assert {"Ann": 590.0, "Bob": 596.0} == shown(late)[0]


def test_whoever_presses_before_the_turn_is_seen_does_not_get_the_time_back():
    """Time passes on once for a turn, by the press; the turn after it is seen again."""
    ahead = timed(("press_clock", "Ann", 10.0), ("tick", None, 11.0))
    known = timed(("press_clock", "Ann", 10.0), SEEN, ("tick", None, 12.0))
    after = timed(
        ("press_clock", "Ann", 10.0), SEEN, ("tick", None, 12.0), NEXT, ("tick", None, 30.0)
    )

    assert ({"Ann": 590.0, "Bob": 600.0}, ["Bob"], [10.0]) == shown(ahead) == shown(known)
    assert ({"Ann": 590.0, "Bob": 580.0}, ["Ann"], [30.0]) == shown(after)


@pytest.mark.parametrize(
    ("turn", "left", "running"),
    [
        ("back", {"Ann": 600.0, "Bob": 600.0}, "Ann"),
        ("spent", {"Ann": 590.0, "Bob": 600.0}, "Bob"),
    ],
)
def test_a_turn_that_is_taken_back_gives_its_time_back(turn, left, running):
    """Whose turn it is then has used the time; what was challenged off was over when it was told."""
    back = Action("take_back", data={"photo": 1, "turn": turn})
    ledger = timed(SEEN, ("tick", None, 10.0), back, ("tick", None, 25.0))

    assert (left, [running]) == shown(ledger)[:2]


def test_a_wrong_challenge_that_costs_the_turn_gives_the_time_to_the_other_player():
    ledger = timed(
        SEEN,
        ("tick", None, 10.0),
        ("challenge", "Bob", 25.0, {"verdict": "valid"}),
        ("tick", None, 26.0),
        reject_invalid=False,
    )

    assert ({"Ann": 590.0, "Bob": 584.0}, ["Ann"]) == shown(ledger)[:2]


def test_an_increment_is_for_a_turn_however_its_end_was_told():
    ledger = timed(SEEN, ("tick", None, 10.0), ("press_clock", "Ann", 11.0), clock_increment=5)

    assert {"Ann": 595.0, "Bob": 600.0} == shown(ledger)[0]


@pytest.mark.parametrize(
    ("settings", "left"),
    [
        ({"clock_increment": 20}, {"Ann": 590.0, "Bob": 600.0}),
        ({"clock": "up"}, {"Ann": -30.0, "Bob": 0.0}),
    ],
    ids=["increment", "up"],
)
def test_a_press_adds_seconds_or_time_is_counted_up(settings, left):
    """What was used of a clock that counts up is below zero."""
    ledger, _ = done(opened(**settings), ("press_clock", None, 0.0), ("press_clock", "Ann", 30.0))

    assert left == shown(ledger)[0]
    assert ledger.game.view(ledger.state, None)["clocks_count_up"] is (
        settings.get("clock") == "up"
    )


@pytest.mark.parametrize(
    ("ticks", "points"),
    [
        ([599.0, 600.0], 0),
        ([600.5], -10),
        ([610.0, 620.0, 660.0], -10),
        ([610.0, 661.0], -20),
        ([900.0], -50),
    ],
)
@pytest.mark.parametrize("last", ["tick", "press_clock"])
def test_every_minute_begun_over_time_costs_ten_points(ticks, points, last):
    """Once each, whether time alone or the press at the end of the turn brings it (tournaments)."""
    ledger, _ = done(
        opened(),
        ("press_clock", None, 0.0),
        *(("tick", None, at) for at in ticks[:-1]),
        (last, None, ticks[-1]),
    )

    assert {"Ann": points, "Bob": 0} == ledger.state.scores


@pytest.mark.parametrize("settings", [{"clock_overtime": 0}, {"clock": "up"}])
def test_overtime_may_cost_nothing(settings):
    """Where players agreed on that, or the clock has no end."""
    ledger, _ = done(opened(**settings), ("press_clock", None, 0.0), ("press_clock", None, 5000.0))

    assert {"Ann": 0, "Bob": 0} == ledger.state.scores


OVERTIME_GAMES = [
    g for g in WITH_SETTINGS if "clock_overtime" in {s.name for s in g.info.settings}
]


@pytest.mark.parametrize("game", OVERTIME_GAMES, ids=lambda g: g.info.slug)
@pytest.mark.parametrize("last", ["tick", "press_clock"])
def test_a_game_is_lost_over_so_many_minutes_of_overtime(game, last):
    """Whoever is ahead; time stands, no further minute costs anything, and racks change nothing."""
    begun, _ = done(
        opened(game, reject_invalid=False, clock_forfeit=10),
        ("press_clock", None, 0.0),
        ("tick", None, 1200.0),
    )
    ledger, codes = done(begun, (last, None, 1200.5), ("tick", None, 1300.0))
    told, _ = done(ledger, ("racks", None, 1400.0, {"racks": {"Ann": ["Z"], "Bob": ["Q"]}}))
    view = game.view(told.state, None)

    assert (False, ["ok", "ok"]) == (begun.state.over, codes)
    assert (True, "time", ["Bob"]) == tuple(view[x] for x in ("over", "reason", "winner"))
    assert {"Ann": -100, "Bob": 0} == view["scores"]
    assert ({"Ann": -600.5, "Bob": 600.0}, []) == shown(told)[:2]


def test_of_several_who_are_left_the_best_wins():
    ledger, _ = done(
        opened(players=("Ann", "Bob", "Cyd"), clock_forfeit=1),
        ("place", "Ann", 0.0, CAT),
        ("press_clock", None, 0.0),
        ("place", "Bob", 1.0, {"tiles": {"H10": "S"}}),
        ("press_clock", None, 2.0),
        ("tick", None, 700.0),
    )

    assert (("Ann",), True) == (ledger.state.winner, ledger.state.over)


@pytest.mark.parametrize(
    "settings", [{"clock_overtime": 0}, {"clock": "up"}, {"clock_forfeit": 0}], ids=repr
)
def test_no_game_is_lost_where_overtime_costs_nothing(settings):
    settings = {"clock_forfeit": 10, **settings}
    ledger, _ = done(opened(**settings), ("press_clock", None, 0.0), ("tick", None, 5000.0))

    assert False is ledger.state.over


def test_a_loss_on_time_is_said_and_exported():
    """Who wins may have fewer points; a GCG file has it as a remark."""
    ledger, _ = done(
        opened(clock_forfeit=1, clock_overtime=1),
        ("press_clock", None, 0.0),
        ("place", "Ann", 1.0, CAT),
        ("tick", None, 700.0),
    )
    said = lines_said(ledger, ledger.done[-1:])

    assert [
        "Ann is over time: -1 point.",
        "More than one minute over time: Ann loses the game.",
        "Bob wins, 0 to 9.",
    ] == said
    assert [said[1]] == [m.note for m in read_gcg(gcg_text(ledger)).moves if m.kind == "time"]


def test_the_clock_stops_with_the_game():
    """What was used up to then is written down; nothing is charged after it."""
    ledger, _ = done(opened(), ("press_clock", None, 0.0), ("end_game", None, 60.0))
    over, codes = done(ledger, ("tick", None, 61.0), ("tick", None, 3600.0))

    assert [] == shown(ledger)[1]
    assert ["ok", "ok"] == codes
    assert ({"Ann": 539.0, "Bob": 600.0}, []) == shown(over)[:2]
    assert {"Ann": 0, "Bob": 0} == over.state.scores


def test_overtime_is_said_and_exported():
    """A GCG file has it after all plays, as other programs write it."""
    ledger, _ = done(
        opened(),
        ("press_clock", None, 0.0),
        ("tick", None, 601.0),
        ("place", "Ann", 650.0, CAT),
        ("press_clock", "Ann", 661.0),
    )
    said = [
        line
        for d in ledger.done
        for e in d.verdict.events
        for line in ledger.game.announce(d.state, e)
    ]
    moves = read_gcg(gcg_text(ledger)).moves

    assert 2 == said.count("Ann is over time: -10 points.")
    assert [("play", 10, 10), ("time", -20, -10)] == [(m.kind, m.score, m.total) for m in moves]


ON_BOARDS = [g for g in WITH_SETTINGS if g.info.surface.kind != "loose"]


@pytest.mark.parametrize("game", ON_BOARDS, ids=lambda g: g.info.slug)
def test_a_new_start_from_the_board_leaves_the_clocks_running(game):
    """What a picture of the board says has nothing to do with the time."""
    presses = [("press_clock", None, 5.0), ("press_clock", None, 65.0)]
    ledger, _ = done(opened(game), *presses)
    rows = ["." * 45] * 45 if game.info.surface.joined else ["." * 15] * 15
    after = ledger.at_position(rows, 0)

    assert ({"Ann": 540.0, "Bob": 600.0}, ["Bob"], [65.0]) == shown(after)


def test_a_position_tells_the_clocks_and_has_paid_for_overtime():
    """Two minutes begun stand in its scores already; the third costs ten points more."""
    start = {"clocks": {"Ann": -70, "Bob": 60}, "scores": {"Ann": 80}, "to_move": "Ann"}
    ledger = open_ledger(replace(opened().opening, initial=start))
    steps = [("press_clock", None, 0.0), ("tick", None, 40.0), ("tick", None, 51.0)]
    counted = []
    for step in steps:
        ledger, _ = done(ledger, step)
        counted.append(ledger.game.view(ledger.state, None)["scores"]["Ann"])

    assert [80, 80, 70] == counted
