"""What is shown and said of ScrabbleShip (rule 7); a fleet only to its owner."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.engine.first_turn import EVENTS as FIRST
from kibitz.engine.first_turn import first_lines, first_view
from kibitz.engine.games.scrabbleship.state import ShipState, unseen_by
from kibitz.engine.notation import spoken
from kibitz.engine.rules import Event, JsonValue
from kibitz.engine.table import parse_square


def view(state: ShipState, viewer: str | None) -> dict[str, JsonValue]:
    """Everything open; of the fleets only the viewer's own (and all when the game is over)."""
    out: dict[str, JsonValue] = {
        "scores": dict(state.scores),
        "ship_count": dict(state.ship_count),
        "board": list(state.grid.text_rows()),
        "to_move": state.to_move,
        "may_act": sorted(state.may_act),
        "first_turn": first_view(state, untouched=state.untouched),
        "bag_count": state.bag,
        "rack_counts": dict(state.counts),
        "unseen": unseen_by(state, viewer),
        "pass_run": state.pass_run,
        "hits": sorted(s.name for s in state.hits),
        "sunk": sorted([o, s] for o, s in state.sunk),
        "pending_challenge": state.pending is not None,
        "tasks": [
            {"task": "lay_card", "owner": o, "ship": s, "squares": [q.name for q in squares]}
            for o, s, squares in state.cards
        ],
        "fleets_ready": sorted(state.fleets),
        "over": state.over,
        "reason": state.reason or None,
        "winner": list(state.winner) if state.winner else None,
    }
    shown = state.fleets if state.over else {p: f for p, f in state.fleets.items() if p == viewer}
    if shown:
        out["fleets"] = {
            p: {ship: [s.name for s in squares] for ship, squares in fleet.items()}
            for p, fleet in shown.items()
        }
    if viewer is not None and viewer in state.racks:
        out["rack"] = list(state.racks[viewer])
    return out


def lines(state: ShipState, event: Event) -> tuple[str, ...]:
    """The lines for an event; `state` is the state after it."""
    if event.kind in FIRST:
        return first_lines(event)
    d = event.data
    match event.kind:
        case "_laid":
            words = [str(w) for w in d["words"]]
            return (f"{d['player']} plays {words[0]}.", *(f"with {w}." for w in words[1:]))
        case "coordinates":
            pairs = zip(d["letters"], d["squares"], strict=True)
            return (f"{', '.join(f'{x} on {_square(s)}' for x, s in pairs)}.",)
        case "miss" | "hit" | "already_sunk":
            return (f"{_square(d['square'])}: {_call(event.kind, d)}",)
        case "sunk" if d["own"]:
            return (f"{d['by']} has sunk the own {d['ship']}.",)
        case "sunk":
            return (f"{d['owner']} has lost the {d['ship']}!",)
        case "ship_tile":
            return (
                f"Lay the strip from {_square(d['squares'][0])} to {_square(d['squares'][-1])}.",
            )
        case "bonus":
            return ("All seven: fifty more.",)
        case "own_ship_penalty":
            return ("Minus ten." if d["points"] == -10 else f"Minus {-int(d['points'])}.",)
        case "_scored":
            return (_scored(state, d),)
        case "game_over":
            return (_over(state, d),)
        case _:
            return _told(d, event.kind)


def _square(name: JsonValue) -> str:
    return spoken(parse_square(str(name)))


def _call(kind: str, d: Mapping[str, JsonValue]) -> str:
    if kind == "miss":
        return "miss."
    if kind == "already_sunk":
        return "that wreck is already down."
    ship = f"'s {d['ship']}" if d.get("ship") else ""
    return f"hit on {d['owner']}{ship}!"


def _scored(state: ShipState, d: Mapping[str, JsonValue]) -> str:
    player = str(d["player"])
    total, count = d["total"], state.ship_count[player]
    ships = (
        f"{d['count']} {'ship' if abs(int(d['count'])) == 1 else 'ships'}; " if d["count"] else ""
    )
    return f"{d['score']} points, {ships}total {total} and {count}."


def _told(d: Mapping[str, JsonValue], kind: str) -> tuple[str, ...]:
    """What people did or said besides laying tiles."""
    match kind:
        case "_passed":
            return (f"{d['player']} passes.",)
        case "_exchanged":
            return (f"{d['player']} exchanges {d['count']}.",)
        case "_taken_off":
            return (f"{d['words'][0]} comes off.",)
        case "_stands":
            out = [f"{d['words'][0]} is good."]
            if d.get("award"):
                out.append(f"{d['award']} more for {d['player']}.")
            if d.get("loses_turn"):
                out.append(f"{d['challenger']} loses a turn.")
            return tuple(out)
        case "_fleet_ready":
            return (f"{d['player']}'s fleet is at sea.",)
        case "_blank_named":
            return (f"The blank on {_square(d['square'])} is {d['letter']}.",)
        case "_word_ruled":
            return (f"The judge rules: {d['word']} is {'good' if d['good'] else 'no word'}.",)
        case "_judged":
            return (f"The judge decides: {d['winner'][0]} wins.",)
        case "_end_racks":
            return _racks(d)
        case _:
            return ()


def _racks(d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    change = {p: int(x) for p, x in d["change"].items() if x}
    parts = [f"{'plus' if x > 0 else 'minus'} {abs(x)} for {p}" for p, x in change.items()]
    return (f"Racks: {', '.join(parts)}.",) if parts else ()


def _over(state: ShipState, d: Mapping[str, JsonValue]) -> str:
    winner = d.get("winner")
    if not winner:
        return "All level. The judge decides."
    name = winner[0]
    count = state.ship_count[name]
    if sum(state.ship_count[p] == count for p in state.players) > 1:
        return f"Ships are level; points decide: {name}."
    wins = f"{name} wins with {count} {'ship' if count == 1 else 'ships'}."
    if d["reason"] != "one_fleet_left":
        return wins
    afloat = [
        p for p in state.players if any((p, s) not in state.sunk for s in state.fleets.get(p, ()))
    ]
    return f"Only {afloat[0]} is still afloat. {wins}" if len(afloat) == 1 else wins
