"""What is shown and said of Scrabble (rule 7)."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.engine.first_turn import EVENTS as FIRST
from kibitz.engine.first_turn import first_lines, first_view
from kibitz.engine.games.scrabble.state import ScrabbleState, unseen_by
from kibitz.engine.notation import spoken
from kibitz.engine.rules import Event, JsonValue
from kibitz.engine.table import parse_square


def view(state: ScrabbleState, viewer: str | None) -> dict[str, JsonValue]:
    """Board, scores, whose turn, tiles unseen; only the viewer's own rack."""
    out: dict[str, JsonValue] = {
        "scores": dict(state.scores),
        "board": list(state.grid.text_rows()),
        "to_move": state.to_move,
        "may_act": sorted(state.may_act),
        "first_turn": first_view(state, untouched=state.untouched),
        "bag_count": state.bag,
        "scoreless_run": state.scoreless,
        "rack_counts": dict(state.counts),
        "pending_challenge": state.pending is not None,
        "unseen": unseen_by(state, viewer),
        "over": state.over,
        "reason": state.reason or None,
        "winner": list(state.winner) if state.over else None,
    }
    if viewer is not None and viewer in state.racks:
        out["rack"] = list(state.racks[viewer])
    return out


def lines(state: ScrabbleState, event: Event) -> tuple[str, ...]:
    """The lines for an event; `state` is the state after it."""
    d = event.data
    match event.kind:
        case "_played":
            return _play(d)
        case "_passed":
            return (f"{d['player']} passes.",)
        case "_exchanged":
            return (f"{d['player']} exchanges {d['count']}.",)
        case "_taken_off":
            return (f"{d['words'][0] if d['words'] else 'The play'} comes off.",)
        case "_stands":
            return _stands(d)
        case "_blank_named":
            return (f"The blank on {spoken(parse_square(str(d['square'])))} is {d['letter']}.",)
        case "_end_racks":
            return _racks(d)
        case "game_over":
            return _end(state)
        case kind if kind in FIRST:
            return first_lines(event)
        case _:
            return ()


def _play(d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """Who plays what, for how much, and the total before any racks are counted."""
    words = [str(w["word"]) for w in d["words"]]
    out = [f"{d['player']} plays {words[0]}."]
    out += [f"with {w}." for w in words[1:]]
    out.append(f"{d['score']} for {words[0]}; {d['total']}.")
    return (*out, "All seven: fifty more.") if d["bonus"] else tuple(out)


def _stands(d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    out = [f"{d['words'][0]} is good." if d["words"] else "The play stands."]
    if d["award"]:
        out.append(f"{d['award']} more for {d['player']}.")
    if d["loses_turn"]:
        out.append(f"{d['challenger']} loses a turn.")
    return tuple(out)


def _racks(d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """What the racks change at the end."""
    change = {p: int(x) for p, x in d["change"].items() if x}
    out = f"{d['out']} is out." if d.get("out") else ""
    if not change:
        return (out,) if out else ()
    parts = [
        f"{'plus' if x > 0 else 'minus'} {abs(x)} for {p}"
        for p, x in sorted(change.items(), key=lambda c: -c[1])
    ]
    return (f"{out} Racks: {', '.join(parts)}.".strip(),)


def _end(state: ScrabbleState) -> tuple[str, ...]:
    """Who wins, by how much."""
    ranked = sorted(state.players, key=lambda p: -state.scores[p])
    scores = " to ".join(str(state.scores[p]) for p in ranked)
    if len(state.winner) == 1:
        return (f"{state.winner[0]} wins, {scores}.",)
    return (f"A draw, {scores}.",)
