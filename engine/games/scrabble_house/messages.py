"""What is shown and said of Scrabble House (rule 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kibitz.engine.first_turn import EVENTS as FIRST
from kibitz.engine.first_turn import first_lines, first_view
from kibitz.engine.games.scrabble_house.state import (
    HouseState,
    Tasks,
    draw_limit,
    drawn_unsaid,
    rows_from_cells,
    side_of_match,
    unseen_of_set,
)
from kibitz.engine.notation import spoken
from kibitz.engine.rules import Event, JsonValue
from kibitz.engine.table import Square, parse_square

MOST_NAMED = 6
"""Longer lists of squares are left to the page: a line is said in under four seconds."""


def view(state: HouseState) -> dict[str, JsonValue]:
    """Boards, hands by colour, clocks, tasks: nothing in this game is hidden (SH-4)."""
    boards = [rows_from_cells(b.cells) for b in state.boards]
    turns = [b.to_move for b in state.boards]
    drawn = {p: n for i in range(len(boards)) for p, n in drawn_unsaid(state, i).items()}
    out: dict[str, JsonValue] = {
        "board": boards[0],
        "boards": boards,
        "blanks": sorted(s.name for s in state.boards[0].blanks),
        "to_move": turns[0] if len(turns) == 1 else turns,
        "may_act": sorted(state.may_act),
        "first_turn": first_view(state, untouched=state.untouched),
        "openers": list(state.openers),
        "hands": {
            p: {
                "own_colour": h.own,
                "other_colour": h.other,
                "max_draw": draw_limit(state, p),
                "drawn_unsaid": drawn[p],
            }
            for p, h in state.hands.items()
        },
        "bags": [b.bag for b in state.boards],
        "unseen_sets": [unseen_of_set(state, i) for i in range(len(state.boards))],
        "clocks": {p: t for clock in state.clocks for p, t in clock.left.items()},
        "running": [c.running for c in state.clocks if c.running is not None],
        "running_since": [c.since for c in state.clocks if c.running is not None],
        "open_tasks": [_tasks(b.tasks) for b in state.boards],
        "pending_challenge": any(b.pending for b in state.boards),
        "results": [b.result for b in state.boards],
        "over": state.over,
        "reason": state.reason or None,
        "winner": state.winner,
    }
    if len(state.boards) > 1:
        out["blanks_2"] = sorted(s.name for s in state.boards[1].blanks)
    return out


def _tasks(tasks: Tasks) -> dict[str, list[str]]:
    return {"turn": _names(tasks.turn), "lift": _names(tasks.lift)}


def _names(squares: frozenset[Square]) -> list[str]:
    return [s.name for s in sorted(squares)]


def lines(state: HouseState, event: Event) -> tuple[str, ...]:
    """The lines for an event; `state` is the state after it."""
    d = event.data
    match event.kind:
        case "words":
            return (f"{', '.join(d['words'])}.",)
        case "rotated":
            return (_turn_line(d["squares"]),)
        case "exploded":
            return _exploded(d)
        case "_settled":
            return _kept(d)
        case "passed_to_partner":
            to = d.get("partner") or "the partner"
            count = int(d["count"])
            return (f"{count} {'tile' if count == 1 else 'tiles'} to {to}.",)
        case "_tidied":
            return () if any(b.tasks for b in state.boards) else ("The board is in order.",)
        case "_draw_limit" if d["bonus"]:
            return (f"Bonus tiles do not count; you may draw {d['limit']}.",)
        case "_draw_limit":
            return (f"You may draw {d['limit']}.",)
        case "_passed":
            return (f"{d['player']} {'exchanges' if d['kind'] == 'exchange' else 'passes'}.",)
        case "_taken_off":
            return ("The play comes back.",)
        case "_blank_named":
            return (f"The blank on {spoken(parse_square(str(d['square'])))} is {d['letter']}.",)
        case "_objected":
            return (
                f"{d['word']} is {'not good' if d['upheld'] else 'good'}: {d['winner']} wins.",
            )
        case "board_over":
            return (*_end(d), f"Board {d['board']} goes to {d['winner']}.")
        case "game_over":
            return _game_over(state, d)
        case kind if kind in FIRST:
            return first_lines(event)
        case "_openers" if d["said"] and len(d["players"]) > 1:
            return (f"{' and '.join(d['players'])} open, each on the own board.",)
        case _:
            return ()


def _turn_line(names: Sequence[str]) -> str:
    if len(names) > MOST_NAMED:
        return f"Turn {len(names)} tiles."
    return f"Turn {', '.join(spoken(parse_square(s)) for s in names)}."


def _exploded(d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    count, stage = len(d["tiles"]), str(d["stage"])
    tiles = "one tile" if count == 1 else f"{count} tiles"
    if stage == "mixed":
        return (f"Explosion! {tiles} off: {', '.join(d['strings'])}.",)
    words = [w for w in d["strings"] if len(w) > 1]
    single = len(d["strings"]) - len(words)
    # A run of which only some tiles go is not named as if all of it went.
    if stage == "leftover" and count < sum(len(w) for w in words):
        return (f"{_listed(words)} {_is(words)} no word: {tiles} off.",)
    out = [f"{_listed(words)} {_is(words)} no word, off {_it(words)}."] if words else []
    if single:
        out.append("A single tile goes too." if single == 1 else f"{single} single tiles go too.")
    return tuple(out)


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _is(words: Sequence[str]) -> str:
    return "is" if len(words) == 1 else "are"


def _it(words: Sequence[str]) -> str:
    return "it goes" if len(words) == 1 else "they go"


def _kept(d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    out = [f"{w} stays." for w in d["kept"] if w not in d["tolerated"]]
    out += [f"{w} is no word but belongs to longer words; it stays." for w in d["tolerated"]]
    return tuple(out)


def _end(d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    match d["reason"]:
        case "chain":
            return (f"{d['who']} is through!",)
        case "time":
            return (f"{d['who']} is out of time.",)
        case _:
            return ()  # the ruling has named the word and the winner


def _game_over(state: HouseState, d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    if d["winner"] is None:
        return (*_end(d), "One board each: the match is drawn.")
    if d["reason"] == "chain":
        return (f"{d['who']} is through! The house is {d['winner']}'s.",)
    if d["reason"] == "challenge" and side_of_match(state, str(d["who"])) in state.players:
        return ()
    return (*_end(d), f"The house is {d['winner']}'s.")
