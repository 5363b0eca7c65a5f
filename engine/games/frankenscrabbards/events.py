"""Events of Frankenscrabbards: how each changes the state; no rule is judged here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from kibitz.engine.board.connection import parse_tiles
from kibitz.engine.clock import EVENTS as CLOCK
from kibitz.engine.clock import on_clock
from kibitz.engine.first_turn import EVENTS as FIRST
from kibitz.engine.first_turn import beginner, first_after
from kibitz.engine.games.frankenscrabbards.state import FrankState, LastPlay
from kibitz.engine.rules import Event, JsonValue, Refused
from kibitz.engine.table import Tile, parse_square


def folded(state: FrankState, events: Iterable[Event]) -> FrankState:
    """The state after events."""
    for event in events:
        state = evolved(state, event)
    return state


def evolved(state: FrankState, event: Event) -> FrankState:
    """The state after an event; unchanged by events that are only announced."""
    d = event.data
    match event.kind:
        case "_laid":
            return _laid(state, d)
        case "_main":
            return replace(state, main=tuple(d["cluster"]), frank=str(d["player"]))
        case "_passed":
            total = state.total + (1 if d["counts"] else 0)
            turn = state.after(str(d["player"]))
            return replace(state, total=total, to_move=turn, last=None)
        case "_blank_named":
            tile = {parse_square(str(d["square"])): Tile(str(d["letter"]), blank=True)}
            return replace(state, grid=state.grid.with_tiles(tile))
        case "_void":
            return _void(state)
        case "final_frank":
            return replace(state, final_frank=str(d["player"]))
        case "game_over":
            return replace(state, over=True)
        case "_abandoned":
            return replace(state, over=True, abandoned=True)
        case "_recorded":
            return replace(state, records=(*state.records, d["record"]))
        case kind if kind in CLOCK:
            return on_clock(state, event)
        case kind if kind in FIRST:
            first = first_after(state.first, event)
            return replace(state, first=first, to_move=beginner(event, state.to_move))
        case _:
            return state


def _laid(state: FrankState, d: Mapping[str, JsonValue]) -> FrankState:
    tiles = parse_tiles(d["tiles"])
    if isinstance(tiles, Refused):
        return state
    player, word = str(d["player"]), str(d["word"])
    held = max(0, state.counts[player] - len(tiles))
    full = int(state.options["fs.rack"]) if state.options["fs.refill"] else held
    drawn = min(state.bag, max(0, full - held))
    return replace(
        state,
        grid=state.grid.with_tiles(tiles),
        total=state.total + 1,
        last=LastPlay(tuple(sorted(tiles)), player, state.tally, word),
        words=(*state.words, (player, word)),
        to_move=state.after(player),
        bag=state.bag - drawn,
        counts=MappingProxyType({**state.counts, player: held + drawn}),
    )


def _void(state: FrankState) -> FrankState:
    last = state.last
    if last is None:
        return state
    before = last.before
    return replace(
        state,
        grid=state.grid.without(last.squares),
        total=before.total,
        main=before.main,
        frank=before.frank,
        bag=before.bag,
        counts=before.counts,
        words=state.words[:-1],
        to_move=last.player,
        last=None,
        over=False,
        abandoned=False,
        final_frank=None,
    )
