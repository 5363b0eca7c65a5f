"""Told actions of Scrabble House: objections, passes, clocks, draws (SH-11, SH-22 to SH-28)."""

from __future__ import annotations

from kibitz.engine.games.scrabble_house.blast import explosion, folded, settling, won
from kibitz.engine.games.scrabble_house.explosion import is_good
from kibitz.engine.games.scrabble_house.state import (
    HouseState,
    draw_limit,
    openers_with,
    opponent_of,
    place_of,
)
from kibitz.engine.phrases import SquareName, phrase
from kibitz.engine.rules import Accepted, Action, Event, Refused, Verdict
from kibitz.engine.table import parse_square
from kibitz.engine.telling import letter_told, told_verdict

NOTHING_WAITS = Refused(
    "nothing_to_challenge", phrase("There is no play that may be objected to now; it is settled.")
)


def mover(state: HouseState, action: Action) -> str | Refused:
    """The player whose turn an action takes: the named one, else the only one to move."""
    player = action.player
    if player is None:
        waiting = [b.to_move for b in state.boards if b.to_move and b.result is None]
        if len(waiting) != 1:
            return Refused("bad_action", "Expected the player: it is not clear whose turn it is.")
        player = waiting[0]
    board = state.boards[place_of(state, player)[0]]
    if board.result is not None:
        return Refused("board_over", phrase("This board is finished."))
    if board.to_move in (None, player):
        return player
    if board.to_move in state.openers and not board.cells and board.to_move not in state.opened:
        message = phrase(
            "{mover} opens on this board, not {player}.", mover=board.to_move, player=player
        )
        return Refused("not_your_opening", message)
    return Refused(
        "not_your_turn",
        phrase("It is {mover}'s turn, not {player}'s.", mover=board.to_move, player=player),
    )


def opening(state: HouseState, first: str, *, said: bool = False) -> list[Event]:
    """Events of the other board's opening, once somebody opens here without a draw (SH-5).

    A play shows it by itself; with `said` it is announced.
    """
    both = [board.to_move for board in state.boards if board.to_move is not None]
    free = state.options["sh.opening"] == "any"
    if free or len(state.boards) < 2 or state.openers or not state.untouched:
        return []
    openers = openers_with(state, first)
    return (
        []
        if set(both) - set(openers)
        else [Event("_openers", {"players": list(openers), "said": said})]
    )


def with_openers(state: HouseState, settled: Verdict) -> Verdict:
    """The verdict of a draw, with the opener at the other board (SH-5)."""
    if isinstance(settled, Refused) or "begins" not in settled.result:
        return settled
    openers = list(openers_with(state, str(settled.result["begins"])))
    events = (*settled.events, Event("_openers", {"players": openers, "said": True}))
    return Accepted(events, {**settled.result, "openers": openers})


def clock_stands(state: HouseState, action: Action, player: str) -> Refused | None:
    """Refuse a play that comes with a time before its board's clock was started (SH-5).

    What a camera sees has no time: tiles that lie there are not argued away.
    """
    index, _ = place_of(state, player)
    if state.options["sh.clocks"] == "off" or action.at is None:
        return None
    if state.clocks[index].running is not None:
        return None
    message = phrase(
        "The clocks do not run yet: {other} presses the clock to start {player}'s. The house rules of a new table may leave clocks out.",
        other=opponent_of(state, player),
        player=player,
    )
    return Refused("clock_not_started", message)


def _waiting_board(state: HouseState, action: Action) -> int | Refused:
    """Index of the board with a play that waits; of a named speaker, their own."""
    waiting = [i for i, b in enumerate(state.boards) if b.pending]
    if action.player is not None:
        waiting = [i for i in waiting if i == place_of(state, action.player)[0]]
    return waiting[0] if waiting else NOTHING_WAITS


def challenge(state: HouseState, action: Action) -> Verdict:
    """Judge an objection that cannot be settled; it ends the game, the right side wins (SH-27)."""
    index = _waiting_board(state, action)
    if isinstance(index, Refused):
        return index
    play = state.boards[index].pending
    if play is None:
        return NOTHING_WAITS
    if action.player == play.player:
        return Refused("own_play", phrase("Only the opponent may object to a play."))
    tiles_in, lexicon = state.materials.tile_set.tiles_in, state.materials.lexicon
    wrong = [w for w in play.words if not is_good(tiles_in(w), lexicon)]
    verdict = told_verdict(action)
    if isinstance(verdict, Refused):
        return verdict
    bad = bool(wrong) if verdict is None else not verdict
    winner = opponent_of(state, play.player) if bad else play.player
    disputed = (wrong if bad else []) or list(play.words)
    ruling = Event("_objected", {"word": disputed[0], "upheld": bad, "winner": winner})
    over = won(state, index, winner, "challenge", play.player)
    return Accepted((ruling, over), {"upheld": bad})


def accept(state: HouseState, action: Action) -> Verdict:
    """Let the words of a play stand; the explosion follows."""
    index = _waiting_board(state, action)
    if isinstance(index, Refused):
        return index
    events, result = explosion(state, index)
    return Accepted(tuple(events), result)


def withdraw(state: HouseState, action: Action) -> Verdict:
    """Judge an agreed withdrawal of the last play, before anything else happens on its board."""
    named = None if action.player is None else place_of(state, action.player)[0]
    last = [(i, b.last) for i, b in enumerate(state.boards) if b.last and named in (None, i)]
    last = [(i, play) for i, play in last if play.waiting] or last
    if not last:
        message = phrase("Only the last play can be taken back, before the clock is pressed.")
        return Refused("nothing_to_withdraw", message)
    index, play = last[0]
    removed = [s.name for s in sorted(play.new)]
    data = {"board": index, "squares": removed, "player": play.player, "words": list(play.words)}
    return Accepted((Event("_taken_off", data),), {"removed": removed})


def answer(state: HouseState, action: Action) -> Verdict:
    """Judge the naming of a blank (SH-29)."""
    letter = letter_told(action, state.materials.tile_set)
    try:
        square = parse_square(str(action.data.get("square")))
    except ValueError as error:
        return Refused("bad_action", f"{error}.")
    found = [i for i, b in enumerate(state.boards) if square in b.blanks]
    if action.player is not None:
        found = [i for i in found if i == place_of(state, action.player)[0]]
    if not found:
        message = phrase("There is no blank on {square}.", square=SquareName(square.name))
        return Refused("no_blank", message, (square,))
    if len(letter) != 1 or not letter.isalpha():
        return Refused("bad_action", f"Expected one letter, got {letter!r}.")
    data = {"board": found[0], "square": square.name, "letter": letter}
    return Accepted((Event("_blank_named", data),), {})


def pass_turn(state: HouseState, action: Action) -> Verdict:
    """Judge a pass (SH-28)."""
    player = mover(state, action)
    if isinstance(player, Refused):
        return player
    index, _ = place_of(state, player)
    events = [*opening(state, player), *settling(state, index)]
    if not folded(state, events).over:
        data = {"player": player, "board": index, "kind": action.kind}
        events.append(Event("_passed", data))
    return Accepted(tuple(events), {})


def exchange(state: HouseState, action: Action) -> Verdict:
    """Judge an exchange, where the players agreed on exchanges (SH-28)."""
    if state.options["sh.exchange"] == "off":
        return Refused("no_exchange", phrase("There is no exchange in this game."))
    return pass_turn(state, action)


def press(state: HouseState, action: Action) -> Verdict:
    """Judge a press of the clock: turn and time pass to the other side (SH-6).

    The first press starts the clocks of all who open (SH-5); a press at the other board before
    anything was done there starts that one anew.
    """
    player = action.player
    if player is None:
        return Refused("bad_action", "Expected the player who pressed the clock.")
    index, _ = place_of(state, player)
    clock = state.clocks[index]
    if state.boards[index].result is not None:
        return Refused("board_over", phrase("This board is finished."))
    if clock.running not in (None, player) and not state.boards[index].joint:
        return Refused(
            "not_your_clock",
            phrase("{player}'s clock is running already.", player=clock.running),
        )
    starts = state.untouched
    if starts and player in state.openers and state.boards[index].to_move == player:
        other = opponent_of(state, player)
        return Refused(
            "not_your_clock",
            phrase("{player} opens; {other} starts {player}'s clock.", player=player, other=other),
        )
    if action.at is not None and clock.flag_of(action.at) == player:
        return Accepted((_out_of_time(state, index, player),), {})
    events = settling(state, index)
    if folded(state, events).over:
        return Accepted(tuple(events), {})
    if starts:
        events += opening(state, opponent_of(state, player), said=True)
    events.append(Event("_pressed", {"player": player, "board": index, "at": action.at}))
    if starts and action.at is not None:
        events += _started_with(folded(state, events), index, action.at)
    return Accepted(tuple(events), {})


def _started_with(state: HouseState, index: int, at: float) -> list[Event]:
    """Events of the other board's clock, which the first press starts too (SH-5)."""
    return [
        Event("_started", {"player": board.to_move, "board": i, "at": at})
        for i, board in enumerate(state.boards)
        if i != index and board.to_move and board.result is None and not state.clocks[i].running
    ]


def _out_of_time(state: HouseState, index: int, player: str) -> Event:
    return won(state, index, opponent_of(state, player), "time", player)


def tick(state: HouseState, action: Action) -> Verdict:
    """Advance the time; a flag may fall (SH-26)."""
    if action.at is None:
        return Refused("bad_action", "A tick needs its time.")
    for index, clock in enumerate(state.clocks):
        player = clock.flag_of(action.at)
        if player is not None and state.boards[index].result is None:
            return Accepted((_out_of_time(state, index, player),), {})
    return Accepted((), {})


def flag(state: HouseState, action: Action) -> Verdict:
    """Judge a fallen flag, on a clock that only people see (SH-26)."""
    if action.player is None:
        return Refused("bad_action", "Expected the player whose flag fell.")
    index, _ = place_of(state, action.player)
    if state.boards[index].result is not None:
        return Refused("board_over", phrase("This board is finished."))
    return Accepted((_out_of_time(state, index, action.player),), {})


def limit(state: HouseState, action: Action) -> Verdict:
    """Tell how many tiles may be drawn (SH-22)."""
    if action.player is None:
        return Refused("bad_action", "Expected the player who wants to draw.")
    most = draw_limit(state, action.player)
    data = {"who": action.player, "limit": most, "bonus": state.hands[action.player].other}
    return Accepted((Event("_draw_limit", data),), {"max_draw": most})


def draw(state: HouseState, action: Action) -> Verdict:
    """Judge a draw from the player's own bag (SH-22, SH-23)."""
    if action.player is None:
        return Refused("bad_action", "Expected the player who draws.")
    limit = draw_limit(state, action.player)
    count = action.data.get("count", limit)
    if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= limit:
        return Refused(
            "draw_limit",
            phrase(
                "{player} may draw {limit} tiles, not {number}.",
                player=action.player,
                limit=limit,
                number=count,
            ),
        )
    data = {"player": action.player, "count": count}
    return Accepted((Event("_drawn", data),), {"drawn": count})


def end_game(state: HouseState, action: Action) -> Verdict:
    """Judge an end by agreement: without scores nobody wins (SH-31)."""
    return Accepted((Event("game_over", {"reason": "ended", "winner": None}),), {})
