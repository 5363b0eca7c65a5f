"""End of a game of Scrabble: going out, scoreless turns, racks, the winner (CL-15 to CL-18)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kibitz.engine.games.scrabble.events import folded
from kibitz.engine.games.scrabble.state import ScrabbleState, unseen_by
from kibitz.engine.rules import Event
from kibitz.engine.tiles.end_racks import known_racks, rack_change


def after_turn(state: ScrabbleState, events: list[Event], player: str) -> list[Event]:
    """The events of a turn, followed by those of the end if it ends the game.

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
    """Events of an end by too many turns without points (CL-15)."""
    if now.pending is None and now.scoreless >= int(now.options["cl.scoreless_limit"]):
        return finish(now, "scoreless_turns", None)
    return []


def close_window(state: ScrabbleState) -> list[Event]:
    """Events that follow when a pending play stands, as going out (CL-16)."""
    if state.pending is None:
        return []
    return after_turn(state, [Event("_settled", {})], state.pending.player)


def finish(state: ScrabbleState, reason: str, out: str | None) -> list[Event]:
    """Events of the end: the rack adjustment and the winner.

    Args:
        state: after the last turn.
        reason: why it ended.
        out: who laid the last tile of the rack, if anybody.
    """
    if state.bag == 0:
        unseen = unseen_by(state, None)
        racks = known_racks(state.players, state.racks, state.counts, unseen, out)
        state = replace(state, racks=racks)
    change = _change(state, out)
    return [
        Event("_end_racks", {"change": change, "out": out}),
        Event("game_over", {"reason": reason, "winner": _winner(state, state.scores, change)}),
    ]


def recounted(state: ScrabbleState) -> list[Event]:
    """Events of the end again, with racks that became known after it."""
    before = state.rack_change or {}
    change = _change(state, state.went_out)
    scores = {p: state.scores[p] - before.get(p, 0) for p in state.players}
    more = {p: change[p] - before.get(p, 0) for p in state.players}
    return [
        Event("_end_racks", {"change": more, "out": None}),
        Event("game_over", {"reason": state.reason, "winner": _winner(state, scores, change)}),
    ]


def _change(state: ScrabbleState, out: str | None) -> dict[str, int]:
    """Points that the racks change (CL-17)."""
    double = state.options["cl.endgame"] == "double_to_out"
    return rack_change(state.players, state.racks, state.materials.tile_set, out, double=double)


def _winner(
    state: ScrabbleState, scores: Mapping[str, int], change: Mapping[str, int]
) -> list[str]:
    """Players with the highest score; of equals those with more before the racks (CL-18)."""
    final = {p: scores[p] + change[p] for p in state.players}
    winner = [p for p in state.players if final[p] == max(final.values())]
    if len(winner) > 1 and state.options["cl.tie"] == "pre_rack":
        best = max(scores[p] for p in winner)
        winner = [p for p in winner if scores[p] == best]
    return winner
