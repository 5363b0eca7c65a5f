"""Events of Scrabbage: how each changes the state; no rule is judged here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from kibitz.engine.board.connection import parse_tiles
from kibitz.engine.clock import EVENTS as CLOCK
from kibitz.engine.clock import on_clock
from kibitz.engine.first_turn import EVENTS as FIRST
from kibitz.engine.first_turn import beginner, first_after
from kibitz.engine.games.scrabbage.state import HAND, ScrabbageState, bag_after, team_of
from kibitz.engine.rules import Event, JsonValue, Refused
from kibitz.engine.table import SIDE, Grid, Tile, parse_square
from kibitz.engine.tiles.unseen import rack_after


def folded(state: ScrabbageState, events: Iterable[Event]) -> ScrabbageState:
    """The state after events."""
    for event in events:
        state = evolved(state, event)
    return state


def evolved(state: ScrabbageState, event: Event) -> ScrabbageState:
    """The state after an event; unchanged by events that are only announced."""
    d = event.data
    match event.kind:
        case "_tile":
            return _tile(state, d)
        case "go" | "go_called":
            return _go(state, d)
        case "last":
            return _play_over(_peg(state, str(d["player"]), int(d["points"])))
        case "_play_over":
            return _play_over(state)
        case "_scrab":
            return _scrab(state, d)
        case "fragment_left":
            return _peg(state, str(d["player"]), -int(d["penalty"]))
        case "_ruled":
            return _peg(state, str(d["player"]), int(d["points"]))
        case "_hand_over":
            return _hand_over(state)
        case "_drawn":
            return replace(state, bag=state.bag - int(d["count"]), dealt=True)
        case "_hand_told":
            hands = {**state.hands, str(d["player"]): tuple(d["tiles"])}
            return replace(state, hands=MappingProxyType(hands))
        case "_discarded":
            return _discarded(state, str(d["player"]), tuple(d["tiles"]))
        case "_blank_named":
            tile = {parse_square(str(d["square"])): Tile(str(d["letter"]), blank=True)}
            return replace(state, grid=state.grid.with_tiles(tile))
        case "game_over":
            winner = tuple(d["winner"] or ())
            reason = str(d["reason"])
            level = not winner
            return replace(state, over=True, undecided=level, reason=reason, winner=winner)
        case "_play_off":
            return replace(state, undecided=False, winner=tuple(d["winner"]))
        case kind if kind in CLOCK:
            return on_clock(state, event)
        case kind if kind in FIRST:
            dealer = beginner(event, state.dealer)
            first = first_after(state.first, event)
            return replace(state, first=first, dealer=dealer, to_move=dealer)
        case _:
            return state


def _play_over(state: ScrabbageState) -> ScrabbageState:
    """The state when the scrab is next; of three players the dealer draws a tile more (SB-5)."""
    extra = state.dealers_extra if state.dealt else 0
    return replace(state, phase="scrab", bag=max(0, state.bag - extra))


def _discarded(state: ScrabbageState, player: str, tiles: tuple[str, ...]) -> ScrabbageState:
    """The state after a discard into the scrab (SB-6), which is known once all discards are."""
    kept = Counter(state.hands[player]) - Counter(tiles)
    discards = {**state.discards, player: tiles}
    known = len(discards) == len(state.players) and not state.dealers_extra
    return replace(
        state,
        hands=MappingProxyType({**state.hands, player: tuple(kept.elements())}),
        discards=MappingProxyType(discards),
        scrab=tuple(x for p in state.players for x in discards[p]) if known else state.scrab,
    )


def _peg(state: ScrabbageState, player: str, points: int) -> ScrabbageState:
    side = team_of(state.players, player) if player in state.players else player
    scores = {**state.scores, side: state.scores[side] + points}
    return replace(state, scores=MappingProxyType(scores))


def _after(state: ScrabbageState, player: str) -> str:
    """The next player clockwise with tiles; the same player if there is none."""
    order = state.players
    i = order.index(player)
    turns = (order[(i + k) % len(order)] for k in range(1, len(order) + 1))
    return next((p for p in turns if state.tiles_left[p] > 0), player)


def _tile(state: ScrabbageState, d: Mapping[str, JsonValue]) -> ScrabbageState:
    player = str(d["player"])
    tiles = parse_tiles({str(d["square"]): d["letter"]})
    if isinstance(tiles, Refused):
        return state
    ((square, tile),) = tiles.items()
    hands = {p: h for p, h in state.hands.items() if p != player}
    kept = rack_after(state.hands.get(player), (tile,))
    if kept is not None:
        hands[player] = kept
    left = {**state.tiles_left, player: state.tiles_left[player] - 1}
    number = max(state.order.values(), default=0) + 1
    state = replace(
        _peg(state, player, int(d["points"])),
        grid=state.grid.with_tiles(tiles),
        hands=MappingProxyType(hands),
        tiles_left=MappingProxyType(left),
        last_by=player,
        order=MappingProxyType({**state.order, square: number}),
        by=MappingProxyType({**state.by, square: player}),
        go_open=True,
    )
    if len(state.players) > 2:  # all marks lapse (SB-25)
        return replace(state, stuck=frozenset(), to_move=_after(state, player))
    other = next(p for p in state.players if p != player)
    stuck = state.stuck - {player}
    # After a go the one who is not stuck lays on, one tile at a time (SB-22).
    stays = other in stuck and left[player] > 0
    return replace(state, stuck=stuck, to_move=player if stays else _after(state, player))


def _go(state: ScrabbageState, d: Mapping[str, JsonValue]) -> ScrabbageState:
    caller = str(d["called_by"])
    if d["points"]:
        state = _peg(state, str(d["scored_by"]), int(d["points"]))
    stuck = state.stuck | {caller}
    state = replace(state, stuck=stuck, go_open=state.go_open and not d["points"])
    order = state.players
    i = order.index(caller)
    others = [order[(i + k) % len(order)] for k in range(1, len(order))]
    with_tiles = [p for p in others if state.tiles_left[p] > 0]
    # Where everybody else is out or stuck, those marked may still be asked again.
    asked = [p for p in with_tiles if p not in stuck] or with_tiles or others
    return replace(state, to_move=asked[0])


def _scrab(state: ScrabbageState, d: Mapping[str, JsonValue]) -> ScrabbageState:
    player = str(d["player"])
    tiles = parse_tiles(d["tiles"]) if d["tiles"] else {}
    if isinstance(tiles, Refused):
        return state
    start = max(state.order.values(), default=0) + 1
    order = {**state.order, **{s: start + i for i, s in enumerate(sorted(tiles))}}
    return replace(
        _peg(state, player, int(d["points"])),
        grid=state.grid.with_tiles(tiles),
        phase="clean_up",
        scrab=rack_after(state.scrab, tiles.values()),  # what is left goes into the bag (SB-29)
        order=MappingProxyType(order),
        by=MappingProxyType({**state.by, **dict.fromkeys(tiles, player)}),
    )


def _hand_over(state: ScrabbageState) -> ScrabbageState:
    """The state after a hand: the deal passes on, unused tiles return to the bag (SB-3, SB-29)."""
    players = state.players
    dealer = players[(players.index(state.dealer) + 1) % len(players)]
    grid = state.grid if state.options["sb.board_persists"] else Grid(SIDE, SIDE)
    return replace(
        state,
        dealer=dealer,
        to_move=dealer,
        phase="play",
        dealt=False,
        stuck=frozenset(),
        go_open=True,
        last_by=None,
        tiles_left=MappingProxyType(dict.fromkeys(players, HAND)),
        hands=MappingProxyType({}),
        scrab=None,
        discards=MappingProxyType({}),
        order=MappingProxyType({}),
        by=MappingProxyType({}),
        grid=grid,
        bag=bag_after(state, grid),
    )
