"""Possible meanings of a camera's changes in Scrabble House, and the tasks after an explosion."""

from __future__ import annotations

from kibitz.engine.games.scrabble_house.state import Board, HouseState, at_board, opponent_of
from kibitz.engine.phrases import SquareName, listed, phrase
from kibitz.engine.rules import (
    Accepted,
    Action,
    Candidate,
    Change,
    Event,
    JsonValue,
    Refused,
    Verdict,
)
from kibitz.engine.table import LOOK_ALIKE, Square
from kibitz.engine.telling import squares_told


def candidates(state: HouseState, change: Change) -> tuple[Candidate, ...]:
    """Tasks done, the last play taken back, a new play, or several of these together.

    Whose a play is, the facing of its tiles tells, else the turn.
    """
    index = 1 if change.surface == "board 2" and len(state.boards) > 1 else 0
    board = state.boards[index]
    before: list[Action] = []
    turned = {s for s in change.turned if s not in change.added}
    removed = set(change.removed)
    if removed or turned:
        done = _undone(board, removed, turned) or _tidied(board, index, removed, turned)
        if done is None:
            return ()
        before.append(done)
    if not change.added:
        return (Candidate(tuple(before)),) if before else ()
    data: dict[str, JsonValue] = {"tiles": {s.name: x for s, x in sorted(change.added.items())}}
    if bonus := [s.name for s in sorted(change.added) if change.colours.get(s, "a") != "a"]:
        data["bonus"] = bonus
    again = board.last.player if before and before[0].kind == "withdraw" and board.last else None
    return tuple(
        Candidate((*before, *passes, Action("place", player, None, data)))
        for player, passes in _players(state, index, change, again)
    )


def _undone(board: Board, removed: set[Square], turned: set[Square]) -> Action | None:
    """Taking back the last play, if all its tiles and no others are gone; else None."""
    last = board.last
    if last is None or turned or removed != set(last.new):
        return None
    return Action("withdraw", last.player)


def _tidied(board: Board, index: int, removed: set[Square], turned: set[Square]) -> Action | None:
    """Turning or lifting tiles after an explosion: some or all of them, in any order.

    A tile to be lifted may be turned first.
    """
    tasks = board.tasks
    if not (removed <= tasks.lift and turned <= tasks.turn | tasks.lift):
        return None
    data = {
        "board": index + 1,
        "turned": [s.name for s in sorted(turned & tasks.turn)],
        "lifted": [s.name for s in sorted(removed)],
    }
    return Action("tidy", data=data)


def decide_tidy(state: HouseState, action: Action) -> Verdict:
    """Judge tiles turned or lifted after an explosion."""
    number = action.data.get("board", 1)
    if number not in range(1, len(state.boards) + 1):
        return Refused("bad_action", f"There is no board {number!r} at this table.")
    tasks = state.boards[int(number) - 1].tasks
    found = squares_told(action.data.get("turned") or ())
    gone = squares_told(action.data.get("lifted") or ())
    if isinstance(found, Refused):
        return found
    if isinstance(gone, Refused):
        return gone
    turned, lifted = set(found), set(gone)
    stray = tuple(sorted((turned - tasks.turn) | (lifted - tasks.lift)))
    if stray:
        names = listed((SquareName(s.name) for s in stray), ", ")
        return Refused(
            "no_task",
            phrase("The board was disturbed at {squares}. Please check.", squares=names),
            stray,
        )
    data = {
        "board": int(number) - 1,
        "turned": [s.name for s in sorted(turned)],
        "lifted": [s.name for s in sorted(lifted)],
    }
    return Accepted(
        (Event("_tidied", data),),
        {"tasks_left": len(tasks.turn | tasks.lift) - len(turned | lifted)},
    )


def _players(
    state: HouseState, index: int, change: Change, again: str | None
) -> list[tuple[str, tuple[Action, ...]]]:
    """Players who may have laid tiles, likeliest first, each with the passes that nobody told."""
    south, north = at_board(state, index)
    to_move = again or state.boards[index].to_move
    faces, clear = _facing(change)
    facing = {0: south, 2: north, None: None}[faces]
    if to_move is None:
        first = facing or south
        return [(first, ()), (opponent_of(state, first), ())]
    other = opponent_of(state, to_move)
    skipped = (other, (Action("pass", to_move),))
    if again is not None:
        return [(to_move, ())]
    if facing == other and clear:
        return [skipped, (to_move, ())]
    return [(to_move, ()), skipped] if facing == other else [(to_move, ())]


def _facing(change: Change) -> tuple[int | None, bool]:
    """Facing of most new tiles (0 upright for South, 2 for North), and whether it is clear."""
    seen = [
        (change.added[s].upper(), change.turned[s]) for s in change.added if s in change.turned
    ]
    sure = [turn for letter, turn in seen if letter not in LOOK_ALIKE]
    votes = sure or [turn for _, turn in seen]
    if votes.count(0) == votes.count(2):
        return None, False
    faces = 0 if votes.count(0) > votes.count(2) else 2
    return faces, len(sure) > 1 and all(turn == faces for turn in sure)
