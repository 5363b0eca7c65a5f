"""What is shown and said of Frankenscrabbards (rule 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kibitz.engine.first_turn import EVENTS as FIRST
from kibitz.engine.first_turn import first_lines, first_view
from kibitz.engine.games.frankenscrabbards.state import FrankState, free_stars, unseen_by
from kibitz.engine.notation import spoken
from kibitz.engine.rules import Event, JsonValue
from kibitz.engine.table import Square, parse_square


def view(state: FrankState) -> dict[str, JsonValue]:
    """The grid, the count, clusters and the Frank: the group has no secrets from itself."""
    return {
        "board45": list(state.grid.text_rows()),
        "total_words": state.total,
        "words": [w for _, w in state.words],
        "main_cluster": list(state.main) if len(state.main) > 1 else [],
        "frank": state.frank,
        "final_frank": state.final_frank,
        "clusters": [list(g) for g in state.clusters],
        "stars_left": len(free_stars(state.grid)),
        "to_move": state.to_move,
        "may_act": sorted(state.may_act),
        "first_turn": first_view(state, untouched=state.untouched),
        "bag_count": state.bag,
        "rack_counts": dict(state.counts),
        "unseen": unseen_by(state),
        "records": [dict(r) for r in state.records],
        "over": state.over,
        "abandoned": state.abandoned,
    }


def lines(state: FrankState, event: Event) -> tuple[str, ...]:
    """The lines for an event; `state` is the state after it."""
    d = event.data
    match event.kind:
        case "_laid":
            side = [str(w) for w in d["words"]]
            side.remove(str(d["word"]))
            return (f"{d['player']} plays {d['word']}.", *(f"with {w}." for w in side))
        case "word_counted":
            return (f"Word {d['n']}: {d['word']}.",)
        case "star_covered":
            stars = "Star of board" if len(d["boards"]) == 1 else "Stars of boards"
            return (f"{stars} {_listed(d['boards'])} covered, {d['left']} to go.",)
        case "connected":
            return (f"Boards {_listed(d['cluster'])} are joined.",)
        case "frank":
            return (f"{d['player']} {'is' if d['changed'] else 'stays'} the Frank.",)
        case "final_frank":
            return (f"All nine joined in {state.total} words! {d['player']} is the Final Frank.",)
        case "_void":
            return (f"{d['word']} comes off; the play is void.",)
        case "_stands":
            return (f"{d['word']} is good.",)
        case "_passed":
            return (f"{d['player']} {'passes' if d['kind'] == 'pass' else 'exchanges'}.",)
        case "_abandoned":
            return (f"The attempt is abandoned after {state.total} words.",)
        case "_blank_named":
            return (f"The blank on {_spoken(d['square'])} is {d['letter']}.",)
        case "_recorded":
            return (_record(d["result"], d["record"]),)
        case kind if kind in FIRST:
            return first_lines(event)
        case _:
            return ()


def _listed(boards: Sequence[int]) -> str:
    names = [str(b) for b in boards]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _spoken(name: JsonValue) -> str:
    """`board four, B eight` for `4:B8`."""
    board, _, _ = str(name).partition(":")
    row, col = parse_square(str(name))
    return f"board {board}, {spoken(Square(row % 15, col % 15))}"


def _record(result: Mapping[str, JsonValue], record: Mapping[str, JsonValue]) -> str:
    if result["new_record"]:
        several = "one player" if record["players"] == 1 else f"{record['players']} players"
        return f"A record for {several}."
    if result.get("tie"):
        return f"Level with the record; the title moves to {result['title_holder']}."
    return f"The record stays at {result['compared_with']}."
