"""What is shown and said of Scrabbage (rule 7); of the hands only the viewer's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kibitz.engine.first_turn import EVENTS as FIRST
from kibitz.engine.first_turn import first_lines, first_view
from kibitz.engine.games.scrabbage.state import ScrabbageState, unseen_by
from kibitz.engine.games.scrabbage.words import letter_points, square_factor
from kibitz.engine.notation import NUMBERS, spoken
from kibitz.engine.rules import Event, JsonValue
from kibitz.engine.table import parse_square


def view(state: ScrabbageState, viewer: str | None) -> dict[str, JsonValue]:
    """Board and pegs; of the hands only the viewer's own."""
    out: dict[str, JsonValue] = {
        "scores": dict(state.scores),
        "board": list(state.grid.text_rows()),
        "dealer": state.dealer,
        "to_move": state.to_move,
        "may_act": sorted(state.may_act),
        "first_turn": first_view(state, untouched=state.untouched),
        "phase": state.phase,
        "tiles_left": dict(state.tiles_left),
        "bag_count": state.bag,
        "unseen": unseen_by(state, viewer),
        "stuck": sorted(state.stuck),
        "over": state.over,
        "reason": state.reason or None,
        "winner": list(state.winner) if state.over and state.winner else None,
    }
    if len(state.players) == 4:
        out["team_scores"] = dict(state.scores)
    if viewer is not None and viewer in state.hands:
        out["hand"] = list(state.hands[viewer])
    if viewer == state.dealer and state.scrab is not None and state.scrab_shown:
        out["scrab"] = list(state.scrab)
    return out


def lines(state: ScrabbageState, event: Event) -> tuple[str, ...]:
    """The lines for an event; `state` is the state after it."""
    d = event.data
    match event.kind:
        case "_tile":
            return _tile(state, d)
        case "go" | "go_called":
            point = f"; one for {d['scored_by']}" if d["scored_by"] and d["points"] else ""
            return (f"Go from {d['called_by']}{point}.",)
        case "last":
            return (f"Last for {d['player']}, one.", *_dealers_tile(state))
        case "_play_over":
            return _dealers_tile(state)
        case "_discard_told":
            count = NUMBERS[int(d["count"])]
            return (f"{d['player']} discards {count}.",)
        case "_scrab":
            return (f"Scrab for {d['player']}: {d['points']}.",)
        case "_working":
            return (_working(d["players"]),)
        case "fragment_left":
            minus = f" Minus {d['penalty']}." if d["penalty"] else ""
            return (f"{d['text']} was left unfinished by {d['player']}.{minus}",)
        case "_ruled":
            how = "plus" if d["points"] >= 0 else "minus"
            return (f"Ruled: {how} {abs(d['points'])} for {d['player']}.",)
        case "_hand_over":
            return (f"{state.dealer} deals.",)
        case "_blank_named":
            return (f"The blank on {spoken(parse_square(str(d['square'])))} is {d['letter']}.",)
        case "_play_off":
            return (f"{d['winner'][0]} wins the play-off.",)
        case "game_over":
            return (_over(state, d),)
        case kind if kind in FIRST:
            return first_lines(event, "deals")
        case _:
            return ()


def _tile(state: ScrabbageState, d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """Points with their reasons: each word, then the letter square."""
    if not d["points"]:
        return ()
    square = parse_square(str(d["square"]))
    factor = square_factor(square, state.options)
    worth = {1: f"for {NUMBERS[2]}", 2: "double word four", 3: "triple word six"}[factor]
    reasons = [f"{word} {worth}" for word in d["words"]]
    if points := letter_points(square):
        reasons.append(f"letter square {NUMBERS[points]}")
    return (f"{d['player']} pegs {d['points']}: {', '.join(reasons)}.",)


def _dealers_tile(state: ScrabbageState) -> tuple[str, ...]:
    """With three players the dealer draws one more tile just before the scrab (SB-5)."""
    extra = state.dealers_extra and not state.over
    return (f"{state.dealer} draws one more for the scrab.",) if extra else ()


def _working(players: Sequence[str]) -> str:
    if not players:
        return "Nobody is working on a word."
    names = f"{', '.join(players[:-1])} and {players[-1]}" if players[1:] else players[0]
    return f"{names} {'are' if players[1:] else 'is'} working on something."


def _over(state: ScrabbageState, d: Mapping[str, JsonValue]) -> str:
    winners = list(d["winner"] or ())
    if d["reason"] == "121":
        return f"{winners[0]} pegs out at one hundred and twenty-one!"
    best = max(state.scores.values())
    if not winners:
        return f"Too few tiles for a deal; level at {best}: a play-off decides."
    if len(winners) > 1:
        return f"Too few tiles for a deal; {' and '.join(winners)} share the win with {best}."
    return f"Too few tiles for a deal; {winners[0]} wins with {best}."
