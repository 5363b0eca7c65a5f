"""Who opens in Scrabble House, and when: two who sit diagonally, once the clocks run (SH-5)."""

from __future__ import annotations

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Entry, Ledger, Opening, open_ledger
from kibitz.engine.rules import Action, Refused

FOUR = ("Ann", "Bea", "Cyd", "Dan")
"""Ann and Cyd against Bea and Dan; Ann faces Bea, Cyd faces Dan."""
SOUTH = {"O7": "C", "O8": "A", "O9": "T"}
NORTH = {"A9": "C", "A8": "A", "A7": "T"}


def opened(**settings: str) -> Ledger:
    game = find_game("scrabble-house")
    options = check_options(game.info, {f"sh.{k}": v for k, v in settings.items()})
    return open_ledger(Opening(game, FOUR, options, make_materials("default", "en", options)))


def done(ledger: Ledger, *steps: tuple[str, str, float | None]) -> tuple[Ledger, list[str]]:
    """The game after some steps, and what became of each: `ok` or a code."""
    codes = []
    for kind, player, at in steps:
        tiles = {"tiles": NORTH if player in ("Bea", "Dan") else SOUTH}
        data = tiles if kind == "place" else {}
        ledger, verdict = ledger.add(Entry(Action(kind, player, at, data), 0, told=True))
        codes.append(verdict.code if isinstance(verdict, Refused) else "ok")
    return ledger, codes


def test_anybody_opens_where_that_was_agreed_on():
    """With `sh.opening = any` both partners may."""
    _, codes = done(opened(opening="any"), ("place", "Ann", None), ("place", "Cyd", None))

    assert ["ok", "ok"] == codes


def test_a_typed_play_waits_for_the_clock():
    """A play with its time is refused until the opponent has started the clock."""
    early = Action("place", "Ann", 3.0, {"tiles": SOUTH})
    ledger = opened()
    verdict = ledger.game.decide(ledger.state, early)
    ledger, codes = done(ledger, ("press_clock", "Bea", 4.0), ("place", "Ann", 9.0))

    assert ["ok", "ok"] == codes
    assert (
        "clock_not_started",
        "The clocks do not run yet: Bea presses the clock to start "
        "Ann's. The house rules of a new table may leave clocks out.",
    ) == (
        verdict.code,
        verdict.message,
    )


def test_one_press_starts_both_clocks():
    """The first press starts whoever opens on either board, and says who that is."""
    ledger, codes = done(opened(), ("press_clock", "Bea", 5.0), ("place", "Dan", 9.0))
    clocks = ledger.state.clocks

    assert ["ok", "ok"] == codes
    assert [("Ann", 5.0), ("Dan", 5.0)] == [(c.running, c.since) for c in clocks]


def test_the_other_boards_clock_may_be_started_anew():
    """Until something is done there its own opponent may start it; after that nobody may."""
    ledger, codes = done(
        opened(), ("press_clock", "Bea", 5.0), ("press_clock", "Cyd", 8.0), ("press_clock", "Cyd", 9.0)
    )  # fmt: skip
    clock = ledger.state.clocks[1]

    assert ["ok", "ok", "not_your_clock"] == codes
    assert ("Dan", 8.0, {"Cyd": 600.0, "Dan": 600.0}) == (clock.running, clock.since, clock.left)


def test_who_opens_is_said_when_the_clocks_start():
    """A press names both; a play shows it by itself and is not talked over."""
    ledgers = [
        done(opened(), step)[0] for step in (("press_clock", "Bea", 5.0), ("place", "Ann", None))
    ]
    said = [
        [
            line
            for d in one.done
            for e in d.verdict.events
            for line in one.game.announce(d.state, e)
        ]
        for one in ledgers
    ]

    assert [["Ann and Dan open, each on the own board."], ["CAT."]] == said
