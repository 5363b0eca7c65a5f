"""Views and announcements of Scrabble House (rule 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kibitz.engine.board.notation import spoken
from kibitz.engine.first_turn import EVENTS as FIRST
from kibitz.engine.first_turn import first_lines, first_view
from kibitz.engine.games.scrabble_house.state import (
    HouseState,
    Tasks,
    draw_limit,
    rows_from_cells,
    side_of_match,
    unannounced_draws,
    unseen_of_set,
)
from kibitz.engine.phrases import counted, listed, phrase, several
from kibitz.engine.rules import Event, JsonValue
from kibitz.engine.table import Square, parse_square
from kibitz.engine.telling import blank_line

MOST_NAMED = 6
"""Longer lists of squares are left to the page: a line is said in under four seconds."""


def view(state: HouseState) -> dict[str, JsonValue]:
    """Public view with boards, hands by colour, clocks and tasks: nothing is hidden (SH-4)."""
    boards = [rows_from_cells(b.cells) for b in state.boards]
    turns = [b.to_move for b in state.boards]
    drawn = {p: n for i in range(len(boards)) for p, n in unannounced_draws(state, i).items()}
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
    """Announcements of an event; `state` is the state after it."""
    d = event.data
    match event.kind:
        case "words":
            return (phrase("{words}.", words=listed(d["words"], ", ")),)
        case "rotated":
            return (_turn_line(d["squares"]),)
        case "exploded":
            return _exploded(d)
        case "_settled":
            return _kept(d)
        case "passed_to_partner":
            return (
                counted(
                    "{count} tile to {partner}.",
                    "{count} tiles to {partner}.",
                    int(d["count"]),
                    partner=d.get("partner") or phrase("the partner"),
                ),
            )
        case "_tidied":
            if any(b.tasks for b in state.boards):
                return ()
            return (phrase("The board is in order."),)
        case "_draw_limit" if d["bonus"]:
            return (phrase("Bonus tiles do not count; you may draw {tiles}.", tiles=d["limit"]),)
        case "_draw_limit":
            return (phrase("You may draw {tiles}.", tiles=d["limit"]),)
        case "_passed":
            if d["kind"] == "exchange":
                return (phrase("{player} exchanges.", player=d["player"]),)
            return (phrase("{player} passes.", player=d["player"]),)
        case "_taken_off":
            names = {"player": d["player"], "word": d["words"][0]}
            return (phrase("{player} takes {word} back and has the turn again.", **names),)
        case "_blank_named":
            return (
                blank_line(
                    spoken(parse_square(str(d["square"]))), d["letter"], state.materials.tile_set
                ),
            )
        case "_objected":
            names = {"word": d["word"], "player": d["winner"]}
            if d["upheld"]:
                return (phrase("{word} is not good: {player} wins.", **names),)
            return (phrase("{word} is good: {player} wins.", **names),)
        case "board_over":
            won = phrase("Board {board} goes to {player}.", board=d["board"], player=d["winner"])
            return (*_end(d), won)
        case "game_over":
            return _game_over(state, d)
        case kind if kind in FIRST:
            return first_lines(event, state.materials.tile_set)
        case "_openers" if d["said"] and len(d["players"]) > 1:
            players = listed(d["players"], " and ")
            return (phrase("{players} open, each on the own board.", players=players),)
        case _:
            return ()


def _turn_line(names: Sequence[str]) -> str:
    if len(names) > MOST_NAMED:
        return counted("Turn {count} tile.", "Turn {count} tiles.", len(names))
    squares = listed((spoken(parse_square(s)) for s in names), ", ")
    return phrase("Turn {squares}.", squares=squares)


def _exploded(d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    count, stage = len(d["tiles"]), str(d["stage"])
    if stage == "mixed":
        return (
            counted(
                "Explosion! one tile off: {strings}.",
                "Explosion! {count} tiles off: {strings}.",
                count,
                strings=listed(d["strings"], ", "),
            ),
        )
    words = [w for w in d["strings"] if len(w) > 1]
    single = len(d["strings"]) - len(words)
    # A run of which only some tiles go is not named as if all of it went.
    if stage == "leftover" and count < sum(len(w) for w in words):
        tiles = counted("one tile off", "{count} tiles off", count)
        no_word = _no_word(words)
        return (phrase("{no_word}: {tiles_off}.", no_word=no_word, tiles_off=tiles),)
    out: list[str] = []
    if words:
        out.append(
            counted(
                "{words} is no word, off it goes.",
                "{words} are no word, off they go.",
                len(words),
                words=listed(words),
            )
        )
    if single:
        out.append(counted("A single tile goes too.", "{count} single tiles go too.", single))
    return tuple(out)


def _no_word(words: Sequence[str]) -> str:
    return counted("{words} is no word", "{words} are no word", len(words), words=listed(words))


def _kept(d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    out = [phrase("{word} stays.", word=w) for w in d["kept"] if w not in d["tolerated"]]
    out += [
        phrase("{word} is no word but belongs to longer words; it stays.", word=w)
        for w in d["tolerated"]
    ]
    return tuple(out)


def _end(d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    match d["reason"]:
        case "chain":
            return (phrase("{player} is through!", player=d["who"]),)
        case "time":
            return (phrase("{player} is out of time.", player=d["who"]),)
        case _:
            return ()  # the ruling has named the word and the winner


def _game_over(state: HouseState, d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    if d["reason"] == "ended":
        return (phrase("The game is over."),)
    if d["winner"] is None:
        return (*_end(d), phrase("One board each: the match is drawn."))
    if d["reason"] == "chain":
        return (several(*_end(d), phrase("The house is {player}'s.", player=d["winner"])),)
    if d["reason"] == "challenge" and side_of_match(state, str(d["who"])) in state.players:
        return ()
    return (*_end(d), phrase("The house is {player}'s.", player=d["winner"]))
