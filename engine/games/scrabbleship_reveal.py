"""What a play of ScrabbleShip brings about: hits, sinkings, its score (rules SS-14 to SS-31)."""

from __future__ import annotations

from engine.games.scrabbleship_ending import ended
from engine.games.scrabbleship_evolving import folded
from engine.games.scrabbleship_scoring import Call, ScoredPlay, Shots, fire, score_play
from engine.games.scrabbleship_table import PendingPlay, ShipState, covered_squares
from engine.rules import Event, JsonValue

NO_SHOTS = Shots((), (), ())


def close_window(state: ShipState) -> list[Event]:
    """The next input closes the challenge window: what was held back is told (SS-14)."""
    pending = state.pending
    if pending is None:
        return []
    events: list[Event] = [] if pending.revealed else reveal(state)[0]
    events.append(Event("_settled", {}))
    return [*events, *ended(folded(state, events), pending.player)]


def reveal(
    state: ShipState, *, still_open: bool = False
) -> tuple[list[Event], dict[str, JsonValue]]:
    """Hits and misses, sinkings and the score of the pending play, in the order of SS-15.

    Args:
        state: with the play pending.
        still_open: the play may be challenged yet (`ss.reveal` = immediate).

    Returns:
        The events, and the fields that a scenario expects.
    """
    pending = state.pending
    if pending is None:
        return [], {}
    options, player = state.options, pending.player
    told = pending.calls if options["ss.fleets"] == "told" else None
    mode = int(options["ss.sink_mode"])
    shots = fire(pending.squares, state.fleets, state.hits, state.sunk, mode, told)
    events = [_call(state, call) for call in shots.calls]
    for owner, ship, squares in shots.sunk:
        own = owner == player
        events.append(Event("sunk", {"owner": owner, "ship": ship, "by": player, "own": own}))
        names = [s.name for s in squares]
        events.append(Event("ship_tile", {"ship": ship, "owner": owner, "squares": names}))
    scored = _scored(state, pending, shots)
    if scored.bonus:
        events.append(Event("bonus", {"points": scored.bonus}))
    if scored.penalty:
        lost = {"player": player, "points": -scored.penalty}
        events.append(Event("own_ship_penalty", lost))
    words = [{"word": w, "score": s} for w, s in scored.words]
    events.append(
        Event("_scored", {
            "player": player, "score": scored.turn, "words": words, "count": scored.count_delta,
            "total": state.scores[player] + scored.turn,
            "hits": [c.square.name for c in shots.calls if c.kind == "hit"],
            "sunk": [[o, s] for o, s, _ in shots.sunk], "open": still_open,
        })
    )  # fmt: skip
    result = {
        "words": words, "bonus": scored.bonus, "turn_score": scored.turn,
        "ship_count_delta": scored.count_delta,
    }  # fmt: skip
    return events, result


def revealed_words(state: ShipState) -> list[dict[str, JsonValue]]:
    """The words of the pending play with their plain scores, which give no ship away."""
    if state.pending is None:
        return []
    scored = _scored(state, state.pending, NO_SHOTS)
    return [{"word": w, "score": s} for w, s in scored.words]


def _scored(state: ShipState, pending: PendingPlay, shots: Shots) -> ScoredPlay:
    strips, tile_set = covered_squares(state), state.materials.tile_set
    player, options = pending.player, state.options
    return score_play(state.grid, pending.squares, shots, player, options, tile_set, strips)


def _call(state: ShipState, call: Call) -> Event:
    """One call for one tile; a plain hit does not name the ship (SS-15)."""
    data: dict[str, JsonValue] = {"square": call.square.name}
    if call.kind != "miss":
        data["owner"] = call.owner
    if call.kind == "already_sunk" or (call.kind == "hit" and state.options["ss.hit_names_ship"]):
        data["ship"] = call.ship
    return Event(call.kind, data)
