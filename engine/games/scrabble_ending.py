"""How a game of Scrabble ends: going out, scoreless turns, racks, the winner (CL-15 to CL-18)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from engine.games.scrabble_evolving import folded
from engine.games.scrabble_table import ScrabbleState, unseen_by
from engine.rules import Event
from engine.table import UNKNOWN_BLANK


def after_turn(state: ScrabbleState, events: list[Event], player: str) -> list[Event]:
    """The events of a turn, and the end of the game if they bring it about.

    Args:
        state: before the turn.
        events: what happened in it.
        player: whose turn it was.
    """
    now = folded(state, events)
    laid = any(e.kind in ("_played", "_settled", "_stands") for e in events)
    if laid and now.pending is None and now.bag == 0 and now.counts[player] == 0:
        return [*events, *finish(now, "out_of_tiles", player)]
    return [*events, *_scoreless_end(now)]


def _scoreless_end(now: ScrabbleState) -> list[Event]:
    """Too many turns without points (CL-15)."""
    if now.pending is None and now.scoreless >= int(now.options["cl.scoreless_limit"]):
        return finish(now, "scoreless_turns", None)
    return []


def close_window(state: ScrabbleState) -> list[Event]:
    """What follows when a pending play stands: its player may have gone out (CL-16)."""
    if state.pending is None:
        return []
    return after_turn(state, [Event("_settled", {})], state.pending.player)


def finish(state: ScrabbleState, reason: str, out: str | None) -> list[Event]:
    """The end adjustment and the winner.

    Args:
        state: after the last turn.
        reason: why it ended.
        out: who laid the last tile of the rack, if anybody.
    """
    state = replace(state, racks=known_racks(state, out))
    change = rack_change(state, out)
    return [
        Event("_end_racks", {"change": change, "out": out}),
        Event("game_over", {"reason": reason, "winner": _winner(state, state.scores, change)}),
    ]


def recounted(state: ScrabbleState) -> list[Event]:
    """The end again, with racks that became known after it."""
    before = state.rack_change or {}
    change = rack_change(state, state.went_out)
    scores = {p: state.scores[p] - before.get(p, 0) for p in state.players}
    more = {p: change[p] - before.get(p, 0) for p in state.players}
    return [
        Event("_end_racks", {"change": more, "out": None}),
        Event("game_over", {"reason": state.reason, "winner": _winner(state, scores, change)}),
    ]


def rack_change(state: ScrabbleState, out: str | None) -> dict[str, int]:
    """What each player wins or loses for tiles left; a rack nobody knows counts nothing (CL-17)."""
    value = state.materials.tile_set.value
    left = {
        p: 0 if p == out else sum(value(x) for x in state.racks.get(p, ()) if x != UNKNOWN_BLANK)
        for p in state.players
    }
    if out is None:
        return {p: -left[p] for p in state.players}
    double = state.options["cl.endgame"] == "double_to_out" and len(state.players) == 2
    if double:
        return {p: 2 * sum(left.values()) if p == out else 0 for p in state.players}
    return {p: sum(left.values()) if p == out else -left[p] for p in state.players}


def known_racks(state: ScrabbleState, out: str | None) -> Mapping[str, tuple[str, ...]]:
    """The racks at the end: with an empty bag the only one not told is what nobody has seen."""
    racks = {p: r for p, r in state.racks.items() if p != out}
    unknown = [p for p in state.players if p != out and p not in racks]
    if state.bag == 0 and len(unknown) == 1:
        rest = Counter(unseen_by(state, None))
        for rack in racks.values():
            rest.subtract(rack)
        tiles = tuple((+rest).elements())
        if len(tiles) == state.counts[unknown[0]]:
            racks[unknown[0]] = tiles
    return MappingProxyType(racks)


def _winner(
    state: ScrabbleState, scores: Mapping[str, int], change: Mapping[str, int]
) -> list[str]:
    """The highest score; equal, the higher one before the racks (CL-18)."""
    final = {p: scores[p] + change[p] for p in state.players}
    winner = [p for p in state.players if final[p] == max(final.values())]
    if len(winner) > 1 and state.options["cl.tie"] == "pre_rack":
        best = max(scores[p] for p in winner)
        winner = [p for p in winner if scores[p] == best]
    return winner
