"""Views and announcements of Frankenscrabbards (rule 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kibitz.engine.board.notation import spoken
from kibitz.engine.clock import clock_view
from kibitz.engine.first_turn import EVENTS as FIRST
from kibitz.engine.first_turn import first_lines, first_view
from kibitz.engine.games.frankenscrabbards.state import FrankState, free_stars, unseen_by
from kibitz.engine.phrases import Translatable, counted, listed, phrase
from kibitz.engine.rules import Event, JsonValue
from kibitz.engine.table import SIDE, Square, parse_square
from kibitz.engine.telling import blank_line


def view(state: FrankState) -> dict[str, JsonValue]:
    """Public view: grid, count, clusters and the Frank; the players have no secrets."""
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
        **clock_view(state),
        "bag_count": state.bag,
        "rack_counts": dict(state.counts),
        "unseen": unseen_by(state),
        "records": [dict(r) for r in state.records],
        "over": state.over,
        "abandoned": state.abandoned,
    }


def lines(state: FrankState, event: Event) -> tuple[str, ...]:
    """Announcements of an event; `state` is the state after it."""
    d = event.data
    match event.kind:
        case "_laid":
            side = [str(w) for w in d["words"]]
            side.remove(str(d["word"]))
            return (
                phrase("{player} plays {word}.", player=d["player"], word=d["word"]),
                *(phrase("with {word}.", word=w) for w in side),
            )
        case "word_counted":
            return (phrase("Word {number}: {word}.", number=d["n"], word=d["word"]),)
        case "star_covered":
            return (
                counted(
                    "Star of board {boards} covered, {left} to go.",
                    "Stars of boards {boards} covered, {left} to go.",
                    len(d["boards"]),
                    boards=_listed(d["boards"]),
                    left=d["left"],
                ),
            )
        case "connected":
            return (phrase("Boards {boards} are joined.", boards=_listed(d["cluster"])),)
        case "frank":
            if d["changed"]:
                return (phrase("{player} is the Frank.", player=d["player"]),)
            return (phrase("{player} stays the Frank.", player=d["player"]),)
        case "final_frank":
            return (
                phrase(
                    "All nine joined in {words} words! {player} is the Final Frank.",
                    words=state.total,
                    player=d["player"],
                ),
            )
        case "_void":
            return (phrase("{word} comes off; the play is void.", word=d["word"]),)
        case "_stands":
            return (phrase("{word} is good.", word=d["word"]),)
        case "_passed":
            if d["kind"] == "pass":
                return (phrase("{player} passes.", player=d["player"]),)
            return (phrase("{player} exchanges.", player=d["player"]),)
        case "_abandoned":
            return (phrase("The attempt is abandoned after {words} words.", words=state.total),)
        case "_blank_named":
            return (blank_line(_spoken(d["square"]), d["letter"], state.materials.tile_set),)
        case "_recorded":
            return (_record(d["result"], d["record"]),)
        case kind if kind in FIRST:
            return first_lines(event, state.materials.tile_set)
        case _:
            return ()


def _listed(boards: Sequence[int]) -> Translatable:
    return listed(str(b) for b in boards)


def _spoken(name: JsonValue) -> Translatable:
    """`board four, B eight` for `4:B8`."""
    board, _, _ = str(name).partition(":")
    row, col = parse_square(str(name))
    return phrase(
        "board {board}, {square}", board=board, square=spoken(Square(row % SIDE, col % SIDE))
    )


def _record(result: Mapping[str, JsonValue], record: Mapping[str, JsonValue]) -> str:
    if result["new_record"]:
        return counted(
            "A record for one player.", "A record for {count} players.", int(record["players"])
        )
    if result.get("tie"):
        return phrase(
            "Level with the record; the title moves to {player}.", player=result["title_holder"]
        )
    return phrase("The record stays at {words}.", words=result["compared_with"])
