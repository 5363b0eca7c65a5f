"""Events of ScrabbleShip: how each changes the state; no rule is judged here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from kibitz.engine.board.connection import parse_tiles
from kibitz.engine.board.scoring import RACK_SIZE
from kibitz.engine.clock import EVENTS as CLOCK
from kibitz.engine.clock import on_clock
from kibitz.engine.first_turn import EVENTS as FIRST
from kibitz.engine.first_turn import beginner, first_after
from kibitz.engine.games.scrabbleship.fleets import parse_fleet
from kibitz.engine.games.scrabbleship.state import PendingPlay, ShipState, moved_on
from kibitz.engine.rules import Event, JsonValue, Refused
from kibitz.engine.table import Square, Tile, parse_square
from kibitz.engine.tiles.unseen import rack_after


def folded(state: ShipState, events: Iterable[Event]) -> ShipState:
    """The state after events."""
    for event in events:
        state = evolved(state, event)
    return state


def evolved(state: ShipState, event: Event) -> ShipState:
    """The state after an event; unchanged by events that are only announced."""
    d = event.data
    match event.kind:
        case "_fleet_entered":
            fleet = parse_fleet(d["fleet"])
            fleets = {**state.fleets, str(d["player"]): fleet}
            return state if isinstance(fleet, Refused) else _with_fleets(state, fleets)
        case "_shot_before":
            lost = [(str(o), str(s)) for o, s in d["sunk"]]
            more = tuple(pair for pair in lost if pair not in state.sunk)
            hits = state.hits | {parse_square(s) for s in d["hits"]}
            return replace(state, hits=hits, sunk=(*state.sunk, *more))
        case "_laid":
            return _laid(state, d)
        case "ship_tile":
            card = (str(d["owner"]), str(d["ship"]), tuple(map(parse_square, d["squares"])))
            return replace(state, cards=(*state.cards, card))
        case "_card_laid":
            return _card_laid(state, tuple(sorted(map(parse_square, d["squares"]))))
        case "_scored":
            return _scored(state, d)
        case "_called" if state.pending is not None:
            return replace(state, pending=replace(state.pending, calls=d["calls"]))
        case "_settled":
            return replace(state, pending=None)
        case "_stands":
            return _stands(state, d)
        case "_taken_off":
            return _taken_off(state)
        case "_passed":
            return moved_on(replace(state, pass_run=state.pass_run + 1), str(d["player"]))
        case "_exchanged":
            player = str(d["player"])
            racks = {p: r for p, r in state.racks.items() if p != player}
            state = replace(state, pass_run=0, racks=MappingProxyType(racks))
            return moved_on(state, player)
        case "_blank_named":
            tile = {parse_square(str(d["square"])): Tile(str(d["letter"]), blank=True)}
            return replace(state, grid=state.grid.with_tiles(tile))
        case "_word_ruled":
            ruled = {**state.ruled, str(d["word"]): bool(d["good"])}
            return replace(state, ruled=MappingProxyType(ruled))
        case "_racks_told":
            return _racks_told(state, d)
        case "_end_racks":
            return _end_racks(state, d)
        case "game_over":
            winner = tuple(d.get("winner") or ())
            reason = str(d["reason"])
            judge = not winner
            return replace(
                state, over=True, reason=reason, winner=winner, needs_judge=judge, pending=None
            )
        case "_judged":
            return replace(state, winner=tuple(d["winner"]), needs_judge=False)
        case kind if kind in CLOCK:
            return on_clock(state, event)
        case kind if kind in FIRST:
            first = first_after(state.first, event)
            return replace(state, first=first, to_move=beginner(event, state.to_move))
        case _:
            return state


def _with_fleets(state: ShipState, fleets: Mapping[str, JsonValue]) -> ShipState:
    return replace(state, fleets=MappingProxyType(dict(fleets)))


def _laid(state: ShipState, d: Mapping[str, JsonValue]) -> ShipState:
    player = str(d["player"])
    tiles = parse_tiles(d["tiles"])
    if isinstance(tiles, Refused):
        return state
    held = max(0, state.counts[player] - len(tiles))
    drawn = min(state.bag, max(0, RACK_SIZE - held))
    racks = {p: r for p, r in state.racks.items() if p != player}
    kept = rack_after(state.racks.get(player), tiles.values())
    if kept is not None and not drawn:  # what was drawn is not known
        racks[player] = kept
    pending = PendingPlay(
        player, tuple(sorted(tiles)), tuple(d["words"]), d["calls"], state.bag, state.standing
    )
    state = replace(
        state,
        grid=state.grid.with_tiles(tiles),
        pending=pending,
        bag=state.bag - drawn,
        counts=MappingProxyType({**state.counts, player: held + drawn}),
        racks=MappingProxyType(racks),
        pass_run=0,
    )
    return moved_on(state, player)


def _card_laid(state: ShipState, squares: tuple[Square, ...]) -> ShipState:
    left = tuple(c for c in state.cards if tuple(sorted(c[2])) != squares)
    return replace(state, cards=left, laid_cards=state.laid_cards | {squares})


def _scored(state: ShipState, d: Mapping[str, JsonValue]) -> ShipState:
    player = str(d["player"])
    points = state.scores[player] + int(d["score"])
    count = state.ship_count[player] + int(d["count"])
    pending = state.pending if d.get("open") else None
    return replace(
        state,
        scores=MappingProxyType({**state.scores, player: points}),
        ship_count=MappingProxyType({**state.ship_count, player: count}),
        hits=state.hits | {parse_square(s) for s in d["hits"]},
        sunk=(*state.sunk, *((str(o), str(s)) for o, s in d["sunk"])),
        pending=replace(pending, revealed=True) if pending else None,
    )


def _stands(state: ShipState, d: Mapping[str, JsonValue]) -> ShipState:
    player, challenger = d.get("player"), d.get("challenger")
    if award := int(d.get("award", 0)):
        scores = {**state.scores, str(player): state.scores[str(player)] + award}
        state = replace(state, scores=MappingProxyType(scores))
    if not d.get("loses_turn"):
        return state
    if challenger == state.to_move:
        return moved_on(state, str(challenger))
    return replace(state, skip=state.skip | {str(challenger)})


def _taken_off(state: ShipState) -> ShipState:
    """The state with a play undone, but its turn spent (SS-13)."""
    pending = state.pending
    if pending is None:
        return state
    player, before = pending.player, pending.before
    held = state.counts[player] - (pending.bag_before - state.bag) + len(pending.squares)
    racks = {p: r for p, r in state.racks.items() if p != player}
    return replace(
        state,
        grid=state.grid.without(pending.squares),
        bag=pending.bag_before,
        counts=MappingProxyType({**state.counts, player: held}),
        racks=MappingProxyType(racks),
        scores=before.scores,
        ship_count=before.ship_count,
        hits=before.hits,
        sunk=before.sunk,
        cards=before.cards,
        pending=None,
    )


def _racks_told(state: ShipState, d: Mapping[str, JsonValue]) -> ShipState:
    racks = {p: tuple(r) for p, r in d["racks"].items()}
    counts = {**state.counts, **{p: len(r) for p, r in racks.items()}}
    return replace(
        state, racks=MappingProxyType({**state.racks, **racks}), counts=MappingProxyType(counts)
    )


def _end_racks(state: ShipState, d: Mapping[str, JsonValue]) -> ShipState:
    change = {p: int(d["change"].get(p, 0)) for p in state.players}
    before = state.rack_change or {}
    return replace(
        state,
        scores=MappingProxyType({p: n + change[p] for p, n in state.scores.items()}),
        rack_change=MappingProxyType({p: before.get(p, 0) + change[p] for p in state.players}),
        went_out=d.get("out") or state.went_out,
    )
