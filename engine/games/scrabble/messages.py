"""Views and announcements of Scrabble (rule 7)."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.engine.board.notation import spoken
from kibitz.engine.clock import EVENTS as CLOCK
from kibitz.engine.clock import clock_lines, clock_view
from kibitz.engine.first_turn import EVENTS as FIRST
from kibitz.engine.first_turn import first_lines, first_view
from kibitz.engine.games.scrabble.state import ScrabbleState, unseen_by
from kibitz.engine.phrases import listed, phrase, several
from kibitz.engine.rules import Event, JsonValue
from kibitz.engine.table import square_named
from kibitz.engine.telling import blank_line, change_of, score_row


def view(state: ScrabbleState, viewer: str | None) -> dict[str, JsonValue]:
    """Public view: board, scores, turn, unseen tiles; of the racks only the viewer's own."""
    out: dict[str, JsonValue] = {
        "scores": dict(state.scores),
        "board": list(state.grid.text_rows()),
        "to_move": state.to_move,
        "may_act": sorted(state.may_act),
        "first_turn": first_view(state, untouched=state.untouched),
        **clock_view(state),
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
    """Announcements of an event; `state` is the state after it."""
    d = event.data
    match event.kind:
        case "_played":
            return _play(d)
        case "_passed":
            return (phrase("{player} passes.", player=d["player"]),)
        case "_exchanged":
            return (phrase("{player} exchanges {tiles}.", player=d["player"], tiles=d["count"]),)
        case "_taken_off":
            if not d["words"]:
                return (phrase("The play comes off."),)
            return (phrase("{word} comes off.", word=d["words"][0]),)
        case "_stands":
            return _stands(d)
        case "_blank_named":
            return (
                blank_line(
                    spoken(square_named(str(d["square"]))), d["letter"], state.materials.tile_set
                ),
            )
        case "_end_racks":
            return _racks(d)
        case "game_over":
            return _end(state)
        case kind if kind in CLOCK:
            return clock_lines(event)
        case kind if kind in FIRST:
            return first_lines(event, state.materials.tile_set)
        case _:
            return ()


def _play(d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """Announcement of a play: player, word, points, and total before the racks are counted."""
    words = [str(w["word"]) for w in d["words"]]
    out = [phrase("{player} plays {word}.", player=d["player"], word=words[0])]
    out += [phrase("with {word}.", word=w) for w in words[1:]]
    out.append(
        phrase("{score} for {word}; {total}.", score=d["score"], word=words[0], total=d["total"])
    )
    return (*out, phrase("All seven: fifty more.")) if d["bonus"] else tuple(out)


def _stands(d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    words = d["words"]
    out = [phrase("{word} is good.", word=words[0]) if words else phrase("The play stands.")]
    if d["award"]:
        out.append(phrase("{points} more for {player}.", points=d["award"], player=d["player"]))
    if d["loses_turn"]:
        out.append(phrase("{player} loses a turn.", player=d["challenger"]))
    return tuple(out)


def _racks(d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """Announcement of the points that racks change at the end."""
    change = {p: int(x) for p, x in d["change"].items() if x}
    out = phrase("{player} is out.", player=d["out"]) if d.get("out") else ""
    if not change:
        return (out,) if out else ()
    parts = [change_of(p, x) for p, x in sorted(change.items(), key=lambda c: -c[1])]
    return (several(out, phrase("Racks: {changes}.", changes=listed(parts, ", "))),)


def _end(state: ScrabbleState) -> tuple[str, ...]:
    """Announcement of the winner and the margin; who wins on time may have fewer points."""
    ranked = sorted(state.players, key=lambda p: (p not in state.winner, -state.scores[p]))
    scores = score_row(state.scores[p] for p in ranked)
    if len(state.winner) == 1:
        return (phrase("{player} wins, {scores}.", player=state.winner[0], scores=scores),)
    return (phrase("A draw, {scores}.", scores=scores),)
