"""Announcements of GrabScrab (rule 7)."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.engine.first_turn import EVENTS as FIRST
from kibitz.engine.first_turn import first_lines
from kibitz.engine.games.grabscrab.state import GrabState
from kibitz.engine.phrases import counted, listed, phrase
from kibitz.engine.rules import Event, JsonValue
from kibitz.engine.table import UNKNOWN_BLANK


def lines(state: GrabState, event: Event) -> tuple[str, ...]:
    """Announcements of an event; `state` is the state after it."""
    if event.kind in FIRST:
        return first_lines(event, state.materials.tile_set, phrase("{player} flips first."))
    if event.kind == "game_over" and event.data.get("reason") == "ended":
        return _ended(state, event.data)
    said = _line(state, event.kind, event.data)
    return (said,) if said else ()


def face_down_line(count: int) -> str:
    """Sentence about how many tiles are face down."""
    return counted("{count} tile is still face down.", "{count} tiles are still face down.", count)


def _line(state: GrabState, kind: str, d: Mapping[str, JsonValue]) -> str | None:
    word_of = state.materials.tile_set.word_of
    match kind:
        case "flipped":
            letter = phrase("Blank") if d["letter"] == UNKNOWN_BLANK else word_of(d["letter"])
            if state.face_down == 0:
                return phrase("{letter}. That was the last tile.", letter=letter)
            return phrase("{letter}.", letter=letter)
        case "won":
            if not state.face_down:
                return phrase("{player}: {word}.", player=d["player"], word=d["word"])
            return phrase(
                "{player}: {word}. {next} flips next.",
                player=d["player"],
                word=d["word"],
                next=d["next_flipper"],
            )
        case "stolen":
            return _stolen(d)
        case "tie" if "returned" in d:
            if d["returned"] == UNKNOWN_BLANK:
                return phrase("Both at once; the blank goes back.")
            return phrase("Both at once; the {letter} goes back.", letter=word_of(d["returned"]))
        case "tie":
            return phrase("Both at once; those words are out.")
        case "penalty":
            if not d["word"]:
                return phrase("{player} gives up nothing; there is no word.", player=d["player"])
            return phrase("{player} gives up {word}.", player=d["player"], word=d["word"])
        case "game_over":
            return _game_over(d)
        case "_root_ruled":
            words = {"old": word_of(d["old"]), "new": word_of(d["new"])}
            if d["same"]:
                return phrase("Ruled: {old} and {new} share a root.", **words)
            return phrase("Ruled: {old} and {new} have different roots.", **words)
        case "_word_ruled":
            if d["good"]:
                return phrase("Ruled: {word} is good.", word=word_of(d["word"]))
            return phrase("Ruled: {word} is no word.", word=word_of(d["word"]))
        case _:
            return None


def _stolen(d: Mapping[str, JsonValue]) -> str:
    joined = [str(taken["word"]) for taken in d["taken"][1:]]
    names = {
        "old": d["old_word"],
        "owner": d["stolen_from"],
        "word": d["word"],
        "player": d["player"],
    }
    if joined:
        others = listed(joined, " and ")
        return phrase(
            "{old} of {owner} and {others} become {word} for {player}!", others=others, **names
        )
    return phrase("{old} of {owner} becomes {word} for {player}!", **names)


def _ended(state: GrabState, d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """Announcement of an early end: who has the most words, if anybody has one."""
    leading = [str(p) for p in d["leading"]]
    count = int(d["words"][leading[0]])
    over = phrase("The game is over."), face_down_line(state.face_down)
    if count == 0:
        return over
    if len(leading) == 1:
        line = counted(
            "{player} leads with one word.",
            "{player} leads with {count} words.",
            count,
            player=leading[0],
        )
    else:
        line = counted(
            "{players} lead with one word each.",
            "{players} lead with {count} words each.",
            count,
            players=listed(leading),
        )
    return (*over, line)


def _game_over(d: Mapping[str, JsonValue]) -> str:
    winners = [str(p) for p in d["winner"]]
    count = int(d["words"][winners[0]])
    if len(winners) == 1:
        return counted(
            "All turned. {player} wins with one word.",
            "All turned. {player} wins with {count} words.",
            count,
            player=winners[0],
        )
    return counted(
        "All turned. {players} share the win with one word each.",
        "All turned. {players} share the win with {count} words each.",
        count,
        players=listed(winners),
    )
