"""End of a game of ScrabbleShip, and its winner (rules SS-33 to SS-35)."""

from __future__ import annotations

from dataclasses import replace

from kibitz.engine.games.scrabbleship.events import folded
from kibitz.engine.games.scrabbleship.fleets import SHIP_LENGTHS
from kibitz.engine.games.scrabbleship.state import ShipState, unseen_by
from kibitz.engine.rules import Event
from kibitz.engine.tiles.end_racks import known_racks, rack_change


def ended(state: ShipState, player: str | None) -> list[Event]:
    """Events of the end if the game is over after a turn; else none.

    Args:
        state: after the turn.
        player: who laid tiles in it, if anybody.
    """
    afloat = _afloat(state)
    if afloat is not None and len(afloat) <= 1:
        return finish(state, "one_fleet_left", None)
    if player is not None and state.bag == 0 and state.counts[player] == 0:
        return finish(state, "out_of_tiles", player)
    if state.pass_run >= 2 * len(state.players):
        return finish(state, "all_passed_twice", None)
    return []


def _afloat(state: ShipState) -> list[str] | None:
    """Players with a ship afloat; None while that is not known."""
    if state.options["ss.fleets"] == "told":
        lost = [owner for owner, _ in dict.fromkeys(state.sunk)]
        return [p for p in state.players if lost.count(p) < len(SHIP_LENGTHS)]
    if len(state.fleets) < len(state.players):
        return None
    return [p for p, fleet in state.fleets.items() if any((p, s) not in state.sunk for s in fleet)]


def finish(state: ShipState, reason: str, out: str | None) -> list[Event]:
    """Events of the end: racks, where they count (SS-35), then the winner."""
    events: list[Event] = []
    if state.options["ss.endgame_racks"]:
        if state.bag == 0:
            unseen = unseen_by(state, None)
            racks = known_racks(state.players, state.racks, state.counts, unseen, out)
            state = replace(state, racks=racks)
        change = rack_change(state.players, state.racks, state.materials.tile_set, out)
        events = [Event("_end_racks", {"change": change, "out": out})]
    return [*events, _over(folded(state, events), reason)]


def recounted(state: ShipState) -> list[Event]:
    """Events of the end again, with racks that became known after it."""
    before = state.rack_change or {}
    change = rack_change(state.players, state.racks, state.materials.tile_set, state.went_out)
    more = {p: change[p] - before.get(p, 0) for p in state.players}
    racks = Event("_end_racks", {"change": more, "out": None})
    return [racks, _over(folded(state, [racks]), state.reason)]


def _over(state: ShipState, reason: str) -> Event:
    """Event of the end: ships decide first, then points, then a judge (SS-34)."""
    rank = {p: (state.ship_count[p], state.scores[p]) for p in state.players}
    winner = [p for p in state.players if rank[p] == max(rank.values())]
    if len(winner) == 1:
        return Event("game_over", {"reason": reason, "winner": winner})
    return Event("game_over", {"reason": reason, "winner": None, "needs": "judge"})
