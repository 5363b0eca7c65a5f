"""Views and announcements of ScrabbleShip (rule 7); a fleet only to its owner."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.engine.board.notation import spoken
from kibitz.engine.clock import EVENTS as CLOCK
from kibitz.engine.clock import ON_TIME, clock_lines, clock_view
from kibitz.engine.first_turn import EVENTS as FIRST
from kibitz.engine.first_turn import first_lines, first_view
from kibitz.engine.games.scrabbleship.fleets import ship_name
from kibitz.engine.games.scrabbleship.state import ShipState, unseen_by, waits_for_calls
from kibitz.engine.phrases import Numeral, Translatable, counted, listed, phrase
from kibitz.engine.rules import Event, JsonValue, TileSetLike
from kibitz.engine.table import parse_square
from kibitz.engine.telling import blank_line, change_of


def view(state: ShipState, viewer: str | None) -> dict[str, JsonValue]:
    """Public view; of the fleets only the viewer's own, all once the game is over."""
    out: dict[str, JsonValue] = {
        "scores": dict(state.scores),
        "ship_count": dict(state.ship_count),
        "board": list(state.grid.text_rows()),
        "to_move": state.to_move,
        "may_act": sorted(state.may_act),
        "first_turn": first_view(state, untouched=state.untouched),
        **clock_view(state),
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
        "over": state.over,
        "reason": state.reason or None,
        "winner": list(state.winner) if state.winner else None,
    }
    if state.options["ss.fleets"] == "told":
        out["waits_for_calls"] = waits_for_calls(state)
    else:
        out["fleets_ready"] = sorted(state.fleets)
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
    """Announcements of an event; `state` is the state after it."""
    if event.kind in FIRST:
        return first_lines(event, state.materials.tile_set)
    if event.kind in CLOCK:
        return clock_lines(event)
    d = event.data
    match event.kind:
        case "_laid":
            words = [str(w) for w in d["words"]]
            return (
                phrase("{player} plays {word}.", player=d["player"], word=words[0]),
                *(phrase("with {word}.", word=w) for w in words[1:]),
            )
        case "coordinates":
            pairs = zip(d["letters"], d["squares"], strict=True)
            placed = listed(
                (phrase("{letter} on {square}", letter=x, square=_square(s)) for x, s in pairs),
                ", ",
            )
            return (phrase("{tiles}.", tiles=placed),)
        case "miss" | "hit" | "already_sunk":
            return (_call(event.kind, d),)
        case "sunk" if d["own"]:
            return (
                phrase(
                    "{player} has sunk the own {ship}.", player=d["by"], ship=ship_name(d["ship"])
                ),
            )
        case "sunk":
            return (
                phrase(
                    "{player}: You sunk my {ship}!", player=d["owner"], ship=ship_name(d["ship"])
                ),
            )
        case "ship_tile":
            ends = {"first": _square(d["squares"][0]), "last": _square(d["squares"][-1])}
            return (phrase("Lay the strip from {first} to {last}.", **ends),)
        case "bonus":
            return (phrase("All seven: fifty more."),)
        case "own_ship_penalty":
            points = -int(d["points"])
            return (phrase("Minus {points}.", points=Numeral(10) if points == 10 else points),)
        case "_scored":
            return (_scored(state, d),)
        case "game_over":
            return _over(state, d)
        case _:
            return _told(d, event.kind, state.materials.tile_set)


def _square(name: JsonValue) -> Translatable:
    return spoken(parse_square(str(name)))


def _call(kind: str, d: Mapping[str, JsonValue]) -> str:
    square = _square(d["square"])
    if kind == "miss":
        return phrase("{square}: miss.", square=square)
    if kind == "already_sunk":
        return phrase("{square}: that wreck is already down.", square=square)
    if not d.get("ship"):
        return phrase("{square}: hit on {player}!", square=square, player=d["owner"])
    return phrase(
        "{square}: hit on {player}'s {ship}!",
        square=square,
        player=d["owner"],
        ship=ship_name(d["ship"]),
    )


def _scored(state: ShipState, d: Mapping[str, JsonValue]) -> str:
    player = str(d["player"])
    total, count = d["total"], state.ship_count[player]
    points = counted("{count} point", "{count} points", int(d["score"]))
    totals = {"total": total, "ships": count}
    if not d["count"]:
        return phrase("{points}, total {total} and {ships}.", points=points, **totals)
    sunk = counted("{count} ship", "{count} ships", int(d["count"]))
    return phrase(
        "{points}, {sunk}; total {total} and {ships}.", points=points, sunk=sunk, **totals
    )


def _told(d: Mapping[str, JsonValue], kind: str, tile_set: TileSetLike) -> tuple[str, ...]:
    """Announcement of what people did or said besides laying tiles."""
    match kind:
        case "_passed":
            return (phrase("{player} passes.", player=d["player"]),)
        case "_exchanged":
            return (phrase("{player} exchanges {tiles}.", player=d["player"], tiles=d["count"]),)
        case "_taken_off":
            return (phrase("{word} comes off.", word=d["words"][0]),)
        case "_stands":
            out = [phrase("{word} is good.", word=d["words"][0])]
            if d.get("award"):
                out.append(
                    phrase("{points} more for {player}.", points=d["award"], player=d["player"])
                )
            if d.get("loses_turn"):
                out.append(phrase("{player} loses a turn.", player=d["challenger"]))
            return tuple(out)
        case "_fleet_ready":
            return (phrase("{player}'s fleet is at sea.", player=d["player"]),)
        case "_blank_named":
            return (blank_line(_square(d["square"]), d["letter"], tile_set),)
        case "_word_ruled":
            if d["good"]:
                return (phrase("The judge rules: {word} is good.", word=d["word"]),)
            return (phrase("The judge rules: {word} is no word.", word=d["word"]),)
        case "_judged":
            return (phrase("The judge decides: {player} wins.", player=d["winner"][0]),)
        case "_end_racks":
            return _racks(d)
        case _:
            return ()


def _racks(d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    change = {p: int(x) for p, x in d["change"].items() if x}
    parts = [change_of(p, x) for p, x in change.items()]
    return (phrase("Racks: {changes}.", changes=listed(parts, ", ")),) if parts else ()


def _over(state: ShipState, d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """Who is still afloat, then who wins by ships and who has most points (SS-33, SS-34)."""
    if d["reason"] == ON_TIME:
        names = d["winner"]
        won = counted("{players} wins.", "{players} win.", len(names), players=listed(names))
        return (won,)
    afloat = [
        p for p in state.players if any((p, s) not in state.sunk for s in state.fleets.get(p, ()))
    ]
    out: list[str] = []
    if d["reason"] == "one_fleet_left" and len(afloat) == 1:
        out.append(phrase("Only {player} is still afloat.", player=afloat[0]))
    if not d.get("winner"):
        return (*out, phrase("All level. The judge decides."))
    name = d["winner"][0]
    count = state.ship_count[name]
    if sum(state.ship_count[p] == count for p in state.players) > 1:
        return (*out, phrase("Ships are level; points decide: {player}.", player=name))
    out.append(
        counted(
            "{player} wins with {count} ship.",
            "{player} wins with {count} ships.",
            count,
            player=name,
        )
    )
    most = max(state.scores.values())
    best = listed([p for p in state.players if state.scores[p] == most])
    return (*out, phrase("Most points: {players}, {points}.", players=best, points=most))
