"""What is said of GrabScrab (rule 7)."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.engine.first_turn import EVENTS as FIRST
from kibitz.engine.first_turn import first_lines
from kibitz.engine.games.grabscrab.state import GrabState
from kibitz.engine.rules import Event, JsonValue
from kibitz.engine.table import UNKNOWN_BLANK


def lines(state: GrabState, event: Event) -> tuple[str, ...]:
    """The lines for an event; `state` is the state after it."""
    if event.kind in FIRST:
        return first_lines(event, "flips first")
    said = _line(state, event.kind, event.data)
    return (said,) if said else ()


def _line(state: GrabState, kind: str, d: Mapping[str, JsonValue]) -> str | None:
    match kind:
        case "flipped":
            letter = _spoken(d["letter"]).capitalize()
            return f"{letter}. That was the last tile." if state.face_down == 0 else f"{letter}."
        case "won":
            following = f" {d['next_flipper']} flips next." if state.face_down else ""
            return f"{d['player']}: {d['word']}.{following}"
        case "stolen":
            return _stolen(d)
        case "tie" if "returned" in d:
            return f"Both at once; the {_spoken(d['returned'])} goes back."
        case "tie":
            return "Both at once; those words are out."
        case "penalty":
            gone = d["word"] or "nothing; there is no word"
            return f"{d['player']} gives up {gone}."
        case "game_over":
            return _game_over(d)
        case "_root_ruled":
            how = "share a root" if d["same"] else "have different roots"
            return f"Ruled: {d['old']} and {d['new']} {how}."
        case "_word_ruled":
            return f"Ruled: {d['word']} is {'good' if d['good'] else 'no word'}."
        case _:
            return None


def _spoken(letter: JsonValue) -> str:
    return "blank" if letter == UNKNOWN_BLANK else str(letter)


def _stolen(d: Mapping[str, JsonValue]) -> str:
    joined = " and ".join(str(taken["word"]) for taken in d["taken"][1:])
    old = f"{d['old_word']} of {d['stolen_from']}"
    if joined:
        return f"{old} and {joined} become {d['word']} for {d['player']}!"
    return f"{old} becomes {d['word']} for {d['player']}!"


def _game_over(d: Mapping[str, JsonValue]) -> str:
    winners = [str(p) for p in d["winner"]]
    count = int(d["words"][winners[0]])
    words = "one word" if count == 1 else f"{count} words"
    if len(winners) == 1:
        return f"All turned. {winners[0]} wins with {words}."
    names = f"{', '.join(winners[:-1])} and {winners[-1]}"
    return f"All turned. {names} share the win with {words} each."
