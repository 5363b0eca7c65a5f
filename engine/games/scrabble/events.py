"""Events of Scrabble: how each changes the state, and those of the end that follow a turn."""

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
from kibitz.engine.games.scrabble.state import Pending, ScrabbleState, next_player, unseen_by
from kibitz.engine.rules import Event, JsonValue, Refused
from kibitz.engine.table import Tile, square_named
from kibitz.engine.tiles.end_racks import known_racks, rack_change
from kibitz.engine.tiles.unseen import rack_after
from kibitz.engine.words.formed import word_of, words_formed


def folded(state: ScrabbleState, events: Iterable[Event]) -> ScrabbleState:
    """The state after events."""
    for event in events:
        state = evolved(state, event)
    return state


def evolved(state: ScrabbleState, event: Event) -> ScrabbleState:
    """The state after an event; unchanged by events that are only announced."""
    match event.kind:
        case "_played":
            return _played(state, event)
        case "_settled":
            return replace(state, pending=None)
        case "_passed" | "_exchanged":
            return _scoreless(state, event)
        case "_taken_off":
            return _taken_off(state)
        case "_stands":
            return _stands(state, event)
        case "_blank_named":
            return _blank_named(state, event)
        case "_racks_told":
            return _racks_told(state, event)
        case "_end_racks":
            return _end_racks(state, event)
        case "game_over":
            return _game_over(state, event)
        case kind if kind in CLOCK:
            return on_clock(state, event)
        case kind if kind in FIRST:
            first = first_after(state.first, event)
            return replace(state, first=first, to_move=beginner(event, state.to_move))
        case _:
            return state


def _played(state: ScrabbleState, event: Event) -> ScrabbleState:
    d = event.data
    player = str(d["player"])
    tiles = parse_tiles(d["tiles"], state.layout.size)
    if isinstance(tiles, Refused):
        return state
    rack = state.racks.get(player)
    held = state.counts.get(player, RACK_SIZE)
    drawn = min(state.bag, max(0, RACK_SIZE - (held - len(tiles))))
    racks = {p: r for p, r in state.racks.items() if p != player}
    kept = rack_after(rack, tiles.values())
    if kept is not None and not drawn:  # what was drawn is not known
        racks[player] = kept
    words = tuple(str(w["word"]) for w in d["words"])
    score = int(d["score"])
    pending = Pending(player, tuple(sorted(tiles)), words, score, rack, state.bag, state.scoreless)
    return replace(
        state,
        grid=state.grid.with_tiles(tiles),
        scores=MappingProxyType({**state.scores, player: state.scores[player] + score}),
        bag=state.bag - drawn,
        counts=MappingProxyType({**state.counts, player: max(0, held - len(tiles)) + drawn}),
        racks=MappingProxyType(racks),
        scoreless=0 if score > 0 else state.scoreless + 1,  # CL-A3
        pending=pending,
        plays=state.plays + 1,
        **_moved_on(state, player),
    )


def _moved_on(state: ScrabbleState, player: str) -> dict[str, JsonValue]:
    """Fields of the next player's turn; who lost a turn by a challenge is skipped once."""
    following, skip = next_player(state, player), set(state.skip)
    while following in skip and following != player:
        skip.discard(following)
        following = next_player(state, following)
    return {"to_move": following, "skip": frozenset(skip)}


def _scoreless(state: ScrabbleState, event: Event) -> ScrabbleState:
    player = str(event.data["player"])
    racks = {p: r for p, r in state.racks.items() if p != player or event.kind == "_passed"}
    return replace(
        state,
        scoreless=state.scoreless + 1,
        pending=None,
        racks=MappingProxyType(racks),
        **_moved_on(state, player),
    )


def _taken_off(state: ScrabbleState) -> ScrabbleState:
    pending = state.pending
    if pending is None:
        return state
    player = pending.player
    racks = {**state.racks}
    if pending.rack_before is not None:
        racks[player] = pending.rack_before
    held = state.counts[player] + len(pending.squares) - (pending.bag_before - state.bag)
    score = state.scores[player] - pending.score
    return replace(
        state,
        grid=state.grid.without(pending.squares),
        scores=MappingProxyType({**state.scores, player: score}),
        bag=pending.bag_before,
        counts=MappingProxyType({**state.counts, player: held}),
        racks=MappingProxyType(racks),
        scoreless=pending.scoreless_before + 1,  # CL-15: as if no points had been made
        plays=state.plays - 1,
        pending=None,
    )


def _stands(state: ScrabbleState, event: Event) -> ScrabbleState:
    d = event.data
    player, challenger = str(d["player"]), str(d["challenger"])
    scores = {**state.scores, player: state.scores[player] + int(d["award"])}
    state = replace(state, scores=MappingProxyType(scores), pending=None)
    if not d["loses_turn"]:
        return state
    if challenger == state.to_move:
        return replace(state, **_moved_on(state, challenger))
    return replace(state, skip=state.skip | {challenger})


def _blank_named(state: ScrabbleState, event: Event) -> ScrabbleState:
    square = square_named(str(event.data["square"]))
    grid = state.grid.with_tiles({square: Tile(str(event.data["letter"]), blank=True)})
    pending = state.pending
    if pending and square in pending.squares:
        runs = words_formed(grid, pending.squares)
        words = tuple(word_of(grid, run, state.materials.tile_set) for run in runs)
        pending = replace(pending, words=words)
    return replace(state, grid=grid, pending=pending)


def _racks_told(state: ScrabbleState, event: Event) -> ScrabbleState:
    racks = {p: tuple(r) for p, r in event.data["racks"].items()}
    counts = {**state.counts, **{p: len(r) for p, r in racks.items()}}
    return replace(
        state, racks=MappingProxyType({**state.racks, **racks}), counts=MappingProxyType(counts)
    )


def _end_racks(state: ScrabbleState, event: Event) -> ScrabbleState:
    change = {p: int(event.data["change"].get(p, 0)) for p in state.players}
    before = state.rack_change or {}
    return replace(
        state,
        scores=MappingProxyType({p: s + change[p] for p, s in state.scores.items()}),
        rack_change=MappingProxyType({p: before.get(p, 0) + change[p] for p in state.players}),
        went_out=event.data.get("out") or state.went_out,
    )


def _game_over(state: ScrabbleState, event: Event) -> ScrabbleState:
    winner = tuple(event.data.get("winner") or ())
    reason = str(event.data["reason"])
    return replace(state, over=True, reason=reason, winner=winner, pending=None)


# --- the end (CL-15 to CL-18) ---------------------------------------------------------------


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
