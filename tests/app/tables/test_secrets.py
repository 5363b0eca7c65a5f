"""What a table answers is the same whatever others hold in secret, for everybody and every door."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.app.common.storage.tables import Storage
from kibitz.app.server.routes.table.actions import told_action
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.app.tables.results.exports import EXPORTS, ExportError, export_table
from kibitz.app.tables.state import table_view
from kibitz.app.tables.table import Table
from kibitz.engine.rules import JsonValue, Refused
from kibitz.engine.table import Square, parse_square
from tests.engine.random_games import SLUGS, random_action, random_line, squares_of
from tests.helpers.fleets import FLEET, moved
from tests.helpers.property_examples import tries

SEATS = Actor("seat", "Ann"), Actor("seat", "Bob")
HOST, WATCHER = Actor("host"), Actor("watch")
LETTERS = "AEINRSTQZ?"
OF_ONE_TABLE = frozenset(
    {"table", "created", "clock", "clocks", "running_since", "at", "t", "time"}
)
AWAY = {"submarine": ["C13", "C15"], "patrol": ["A14", "A15"]}
"""Where some of Ann's ships may lie instead; of Bob's as far down the board."""

Told = tuple[str, dict[str, JsonValue]]


def at_sea(player: str, *, away: bool) -> dict[str, list[str]]:
    """A player's fleet, or the same with two ships elsewhere."""
    return moved({**FLEET, **AWAY} if away else FLEET, down=0 if player == "Ann" else 8)


def secrets_of(slug: str, player: str, rng: random.Random, *, away: bool) -> list[Told]:
    """What a player tells in secret; as much each time, and something else."""
    rack = ["A", "T", *rng.choices(LETTERS, k=5)]
    match slug:
        case "scrabble":
            return [("racks", {"racks": {player: rack}})]
        case "scrabbleship":
            fleet = {"fleet": at_sea(player, away=away)}
            return [("enter_fleet", fleet), ("racks", {"racks": {player: rack}})]
        case "scrabbage":
            return [("hand", {"tiles": rack[:6]}), ("discard", {"tiles": rack[4:6]})]
        case _:
            return []


def told(table: Table, actor: Actor, kind: str, data: dict[str, JsonValue]) -> Any:
    """What comes of something that somebody tells at a table, as it is answered."""
    came = table.act(told_action(kind, None, dict(data), actor), actor)
    if isinstance(came, Refused):
        return [came.code, came.message, came.squares, dict(came.result)]
    return came.answer(actor.viewer).to_json()


def plain(value: Any) -> Any:
    """The same without what is another at every table, as its name and the time."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items() if k not in OF_ONE_TABLE}
    return [plain(x) for x in value] if isinstance(value, (list, tuple)) else value


def shown(table: Table, viewer: Actor) -> Any:
    """All that a table shows somebody; the host gets the records of a game that goes on, too."""
    out = [plain(table_view(table, viewer, None).to_json())]
    if viewer.role == "host":
        for name in EXPORTS:
            try:
                text = export_table(table, name)
            except ExportError as error:
                text = error.message
            out.append(plain(json.loads(text)) if name == "json" else text)
    return out


@contextmanager
def two_tables(slug: str, **settings: JsonValue) -> Iterator[list[Table]]:
    """Two tables alike."""
    with tempfile.TemporaryDirectory() as folder:
        tables = Tables(Storage(folder))
        order = Order(slug, ("Ann", "Bob"), settings, lexicon="none")
        try:
            yield [tables.create(order).table for _ in range(2)]
        finally:
            tables.close()


def anything(slug: str, table: Table, rng: random.Random) -> Told:
    """Something that somebody might tell now."""
    state = table.ledger.state
    squares, side = ({}, 15) if slug == "grabscrab" else squares_of(state)
    name = rng.choice([*squares, Square(7, 7)]).name_on(side)
    letter = rng.choice([*LETTERS, "", "e"])
    roll = rng.random()
    if roll < 0.3:
        return "correct", {"square": name, "letter": letter}
    if roll < 0.4:
        field = rng.choice(["letter", "blank", "tile", "whose", "plays", "take_back", "one_play"])
        value = letter if field in ("letter", "blank", "tile") else rng.choice(["Ann", "Bob"])
        return "answer", {"field": field, "square": name, "value": value}
    if roll < 0.5:
        return rng.choice(["undo", "redo", "allow_word", "end_of_play", "accept"]), {"word": "ZZ"}
    action = random_action(slug, state, rng)
    if roll < 0.7 and slug == "scrabbage":
        return "scrab", {"tiles": random_line(state, rng)}
    if roll < 0.6 and action.kind == "exchange":
        return action.kind, {"tiles": rng.choices(LETTERS, k=3)}
    return action.kind, dict(action.data)


FIRST: dict[str, Told] = {
    "scrabble": ("place", {"tiles": {"H7": "A", "H8": "T"}}),
    "scrabbleship": ("place", {"tiles": {"H7": "A", "H8": "T"}}),
    "scrabbage": ("tile", {"square": "H8", "letter": "A"}),
}
"""What Ann lays of what she holds, whatever else that is."""


def is_shown(slug: str, both: list[Table], asker: Actor) -> bool:
    """Whether the rules have told somebody what else differs between two tables."""
    states = [table.ledger.state for table in both]
    if any(state.over for state in states):
        return True
    if slug == "scrabbage" and asker.player == states[0].dealer and states[0].phase != "play":
        return True  # the dealer lays the scrab
    if slug == "scrabbleship":  # a tile on a ship, or where it may be, is a shot
        fleets = (at_sea(p, away=away) for p in ("Ann", "Bob") for away in (True, False))
        apart = frozenset().union(*(_ends(fleet[ship]) for fleet in fleets for ship in AWAY))
        return any(s in apart for state in states for s in state.grid.tiles)
    return False


def _ends(ship: list[str]) -> set[Square]:
    """The squares of a ship from one end to the other, along a row."""
    first, last = map(parse_square, ship)
    return {Square(first.row, col) for col in range(first.col, last.col + 1)}


@pytest.mark.parametrize("slug", SLUGS)
@tries(15)
@given(seed=st.integers(0, 10**6))
def test_no_answer_depends_on_what_others_hold(slug, seed):
    """Two tables that differ only in what one player holds answer the other alike."""
    rng = random.Random(seed)
    hands = {"sb.working_check": rng.choice(["off", "hands"])} if slug == "scrabbage" else {}
    holder, asker = rng.sample(SEATS, 2)
    own = secrets_of(slug, str(asker.player), rng, away=False)
    with two_tables(slug, **hands) as both:
        for table, away in zip(both, (False, True), strict=True):
            secret = secrets_of(slug, str(holder.player), rng, away=away)
            for actor, told_first in ((holder, secret), (asker, own)):
                for kind, data in told_first:
                    assert told(table, actor, kind, data)["legal"]
            if slug in FIRST:
                assert told(table, SEATS[0], *FIRST[slug])["legal"]
        for _ in range(8):
            kind, data = anything(slug, both[0], rng)
            answers = [plain(told(table, asker, kind, data)) for table in both]
            if is_shown(slug, both, asker):
                break

            assert answers[0] == answers[1], (asker, kind, data)
            for viewer in (asker, WATCHER, HOST):
                assert shown(both[0], viewer) == shown(both[1], viewer)
