"""Events of Scrabble House: how each changes the state; no rule is judged here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from kibitz.engine.first_turn import EVENTS as FIRST
from kibitz.engine.first_turn import first_after
from kibitz.engine.games.scrabble_house.state import (
    Board,
    Hand,
    HousePlay,
    HouseState,
    Tasks,
    opponent_of,
    partner_of,
    place_of,
)
from kibitz.engine.rules import Event, JsonValue
from kibitz.engine.table import Square, parse_square, tile_from_text


def evolved(state: HouseState, event: Event) -> HouseState:
    """The state after an event; unchanged by events that are only announced."""
    d = event.data
    match event.kind:
        case "_laid":
            return _laid(state, d)
        case "_settled":
            return _settled(state, d)
        case "_taken_off":
            return _taken_off(state, int(d["board"]))
        case "_tidied":
            return _tidied(state, d)
        case "_passed" | "_pressed":
            return _turn_over(state, d)
        case "_openers":
            return _openers(state, tuple(map(str, d["players"])))
        case "_started":
            return _started(state, int(d["board"]), str(d["player"]), float(d["at"]))
        case "_drawn":
            return _drawn(state, str(d["player"]), int(d["count"]))
        case "_blank_named":
            return _blank_named(state, d)
        case "board_over":
            return _board_over(state, d)
        case "game_over":
            winner = None if d["winner"] is None else str(d["winner"])
            halted = tuple(clock.halted() for clock in state.clocks)
            return replace(state, over=True, reason=str(d["reason"]), winner=winner, clocks=halted)
        case kind if kind in FIRST:
            return replace(state, first=first_after(state.first, event))
        case _:
            return state


def _squares(names: JsonValue) -> frozenset[Square]:
    return frozenset(parse_square(str(s)) for s in names)


def _laid(state: HouseState, d: Mapping[str, JsonValue]) -> HouseState:
    player, index = str(d["player"]), int(d["board"])
    side = place_of(state, player)[1]
    board, hand = state.boards[index], state.hands[player]
    tiles = {parse_square(s): tile_from_text(str(x)) for s, x in d["tiles"].items()}
    bonus, drawn = _squares(d["bonus"]), int(d["drawn"])
    own = len(tiles) - len(bonus)
    spent = Hand(min(own, hand.own + drawn) - drawn, len(bonus))
    play = HousePlay(
        player=player, new=MappingProxyType({s: t.letter for s, t in tiles.items()}),
        words=tuple(d["words"]), before=replace(board, last=None), declined=bool(d["declined"]),
        spent=spent, drawn=drawn, opened=player not in state.opened,
    )  # fmt: skip
    cells = {**board.cells, **{s: (t.letter, side) for s, t in tiles.items()}}
    blanks = board.blanks | {s for s, t in tiles.items() if t.blank}
    changed = replace(
        board, cells=MappingProxyType(cells), blanks=blanks, bonus=board.bonus | bonus,
        bag=board.bag - drawn, to_move=opponent_of(state, player), last=play, tasks=Tasks(),
        to_draw=board.to_draw | {player}, joint=False,
    )  # fmt: skip
    state = state.with_board(index, changed)
    state = state.with_hand(player, hand.plus(-spent.own, -spent.other))
    return replace(state, opened=state.opened | {player})


def _settled(state: HouseState, d: Mapping[str, JsonValue]) -> HouseState:
    """The state after tiles turned and left (SH-13 to SH-18); the partner gets those (SH-21)."""
    index, player = int(d["board"]), str(d["by"])
    side = place_of(state, player)[1]
    board = state.boards[index]
    turned, removed = _squares(d["turned"]), _squares(d["removed"])
    cells = {
        s: (x, side if s in turned else f) for s, (x, f) in board.cells.items() if s not in removed
    }
    # A tile of this board's colour is a bonus tile at the other board, and the other way round.
    foreign = len(removed & board.bonus)
    given = Hand(own=foreign, other=len(removed) - foreign)
    play = None if board.last is None else replace(board.last, waiting=False, given=given)
    changed = replace(
        board, cells=MappingProxyType(cells), blanks=board.blanks - removed,
        bonus=board.bonus - removed, last=play, tasks=Tasks(turned - removed, removed),
    )  # fmt: skip
    return _hand_over(state.with_board(index, changed), player, given.own, given.other)


def _hand_over(state: HouseState, player: str, own: int, other: int) -> HouseState:
    """Give tiles to the player's partner, or to a board that is not watched."""
    partner = partner_of(state, player)
    if partner is None:
        return replace(state, away=state.away.plus(own, other))
    return state.with_hand(partner, state.hands[partner].plus(own, other))


def _taken_off(state: HouseState, index: int) -> HouseState:
    board = state.boards[index]
    play = board.last
    if play is None:
        return state
    before = replace(play.before, bag=board.bag + play.drawn, to_move=play.player, tasks=Tasks())
    state = state.with_board(index, before)
    hand = state.hands[play.player].plus(play.spent.own, play.spent.other)
    state = state.with_hand(play.player, hand)
    if play.opened:
        state = replace(state, opened=state.opened - {play.player})
    return _hand_over(state, play.player, -play.given.own, -play.given.other)


def _tidied(state: HouseState, d: Mapping[str, JsonValue]) -> HouseState:
    index = int(d["board"])
    board = state.boards[index]
    tasks = Tasks(
        board.tasks.turn - _squares(d["turned"]), board.tasks.lift - _squares(d["lifted"])
    )
    return state.with_board(index, replace(board, tasks=tasks))


def _openers(state: HouseState, players: tuple[str, ...]) -> HouseState:
    """The state with the players who open, each on their own board (SH-5)."""
    state = replace(state, openers=players)
    for player in players:
        index, _ = place_of(state, player)
        state = state.with_board(index, replace(state.boards[index], to_move=player))
    return state


def _started(state: HouseState, index: int, player: str, at: float) -> HouseState:
    """The state after a press at the other board started a clock."""
    state = state.with_board(index, replace(state.boards[index], joint=True))
    return state.with_clock(index, state.clocks[index].started(player, at))


def _turn_over(state: HouseState, d: Mapping[str, JsonValue]) -> HouseState:
    player, index, at = str(d["player"]), int(d["board"]), d.get("at")
    other = opponent_of(state, player)
    board = replace(state.boards[index], to_move=other, last=None, joint=False)
    joint = state.boards[index].joint
    state = state.with_board(index, board)
    if at is None:
        return state
    if joint and state.clocks[index].running == other:
        return state.with_clock(index, replace(state.clocks[index], since=float(at)))
    return state.with_clock(index, state.clocks[index].started(other, float(at)))


def _drawn(state: HouseState, player: str, count: int) -> HouseState:
    index, _ = place_of(state, player)
    board: Board = state.boards[index]
    to_draw = board.to_draw - {player}
    state = state.with_board(index, replace(board, bag=board.bag - count, to_draw=to_draw))
    return state.with_hand(player, state.hands[player].plus(count))


def _blank_named(state: HouseState, d: Mapping[str, JsonValue]) -> HouseState:
    index, square = int(d["board"]), parse_square(str(d["square"]))
    board = state.boards[index]
    cells = {**board.cells, square: (str(d["letter"]), board.cells[square][1])}
    play = board.last
    if play is not None and square in play.new:
        new = {**play.new, square: str(d["letter"])}
        play = replace(play, new=MappingProxyType(new))
    changed = replace(board, cells=MappingProxyType(cells), last=play)
    return state.with_board(index, changed)


def _board_over(state: HouseState, d: Mapping[str, JsonValue]) -> HouseState:
    index = int(d["board"]) - 1
    board = replace(state.boards[index], result=str(d["winner"]), last=None)
    return state.with_board(index, board).with_clock(index, state.clocks[index].halted())
