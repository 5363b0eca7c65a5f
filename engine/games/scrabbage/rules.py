"""Scrabbage (rules SB-1 to SB-34): one tile a turn, scored like cribbage, to 121."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations
from typing import ClassVar

from kibitz.engine.board.connection import check_free, parse_tiles, touches
from kibitz.engine.board.layouts import CENTRE
from kibitz.engine.games.scrabbage import messages as saying
from kibitz.engine.games.scrabbage.events import evolved
from kibitz.engine.games.scrabbage.hand import (
    PLAY_OVER,
    draw,
    end_game,
    end_of_hand,
    end_of_play,
    maybe_won,
    played_out,
    scrab,
    working_on,
)
from kibitz.engine.games.scrabbage.info import INFO
from kibitz.engine.games.scrabbage.state import (
    DEALS,
    HAND,
    MOST_DRAWN,
    ScrabbageState,
    begin_table,
    sides_of,
    team_of,
)
from kibitz.engine.games.scrabbage.words import (
    finishing_plan,
    split_words,
    strings_at,
    tile_points,
)
from kibitz.engine.judging import judged
from kibitz.engine.phrases import SquareName, listed, phrase
from kibitz.engine.rules import (
    Accepted,
    Action,
    Candidate,
    Change,
    Event,
    GameInfo,
    JsonValue,
    Refused,
    Verdict,
    apply,
)
from kibitz.engine.table import Square, Tile
from kibitz.engine.telling import name_blank
from kibitz.engine.tiles.unseen import face_of, rack_of, racks_known_to


class Scrabbage:
    """The rules of Scrabbage."""

    info: ClassVar[GameInfo] = INFO
    begin = staticmethod(begin_table)
    evolve = staticmethod(evolved)
    view = staticmethod(saying.view)
    announce = staticmethod(saying.lines)

    def interpret(self, state: ScrabbageState, change: Change) -> tuple[Candidate, ...]:
        """Possible meanings of a change: one tile, the scrab, or several tiles in turn."""
        if change.removed or not change.added:
            return ()
        added = sorted(change.added.items())
        whole = Action("scrab", None, None, {"tiles": {s.name: x for s, x in added}})
        if state.phase != "play":
            return (Candidate((whole,)),)
        singles = [Action("tile", None, None, {"square": s.name, "letter": x}) for s, x in added]
        if len(singles) == 1:
            return (Candidate((singles[0],)),)
        out: list[Candidate] = []
        if len(singles) <= 3:
            for order in permutations(singles):
                now: ScrabbageState = state
                for action in order:
                    now, verdict = apply(self, now, action)
                    if isinstance(verdict, Refused):
                        break
                else:
                    out.append(Candidate(order))
        if played_out(state) and len(singles) <= HAND:
            out.append(Candidate((whole,)))
        if out:
            return tuple(out)
        # what is wrong with a tile of its own is told before that they are too many
        first = [Candidate(tuple(singles))] if len(singles) <= 3 else []
        return (*first, Candidate((replace(whole, kind="place"),)))

    def decide(self, state: ScrabbageState, action: Action) -> Verdict:
        """Judge an action (SB-7 to SB-31)."""
        return judged(state, action, "Scrabbage", _DECIDERS, after_end=("deal_info", "play_off"))

    def plan(self, state: ScrabbageState, action: Action) -> list[str] | None:
        """A way to finish what a tile begins; only for its player, as it shows the hand (rule 7).

        Returns:
            Tiles as `Y@J10`; None where the hand is not known or there is no way.
        """
        player = action.player or state.to_move
        tiles = parse_tiles({str(action.data.get("square")): action.data.get("letter")})
        if isinstance(tiles, Refused) or player not in state.hands:
            return None
        ((square, tile),) = tiles.items()
        return _plan(state, str(player), square, tile)

    def known_to(self, state: ScrabbageState, viewer: str | None) -> ScrabbageState:
        """The state without others' hands, and without a scrab that is still secret (SB-6)."""
        hands = racks_known_to(state.hands, viewer)
        shown = state.scrab is None or (viewer == state.dealer and state.scrab_shown)
        if hands is state.hands and shown:
            return state
        return replace(state, hands=hands, scrab=state.scrab if shown else None)


# --- the play (SB-7 to SB-20) ---------------------------------------------------------------


def _place(state: ScrabbageState, action: Action) -> Verdict:
    """Judge a play that a camera saw: one tile, or several as the scrab once the play is over."""
    tiles = action.data.get("tiles")
    if state.phase == "play" and isinstance(tiles, Mapping):
        if len(tiles) == 1:
            ((square, letter),) = tiles.items()
            data = {"square": square, "letter": letter}
            return _tile(state, Action("tile", action.player, action.at, data))
        if not played_out(state):  # SB-7
            return Refused(
                "one_tile",
                phrase("One tile a turn while the hand is played; where it is over, tell so."),
            )
    return scrab(state, action)


def _mover(state: ScrabbageState, action: Action) -> str | Refused:
    player = action.player or state.to_move
    if player is None:
        return Refused("bad_action", "Expected the player whose tile this is.")
    if player not in state.may_act:
        if player in state.stuck:
            return Refused(
                "no_return", phrase("{player} has said go and does not come back.", player=player)
            )
        return Refused(
            "not_your_turn",
            phrase("It is {mover}'s turn, not {player}'s.", mover=state.to_move, player=player),
        )
    return player


def _tile(state: ScrabbageState, action: Action) -> Verdict:
    """Judge one tile of the play."""
    if state.phase != "play":
        return PLAY_OVER
    player = _mover(state, action)
    if isinstance(player, Refused):
        return player
    tiles = parse_tiles({str(action.data.get("square")): action.data.get("letter")})
    if isinstance(tiles, Refused):
        return tiles
    ((square, tile),) = tiles.items()
    refused = _check_tile(state, player, square, tile)
    if refused:
        return refused
    grid = state.grid.with_tiles(tiles)
    words, fragments = split_words(grid, strings_at(grid, square), state.materials)
    result: dict[str, JsonValue] = {"words": words, "fragments": fragments}
    checked = state.options["sb.working_check"] == "hands" and player in state.hands
    if checked:  # SB-13; a tile that leaves no fragment owes nothing
        if _plan(state, player, square, tile) is None:
            message = phrase(
                "With the own hand nothing can be finished from {square}.",
                square=SquareName(square.name),
            )
            return Refused("not_working_on_a_word", message, (square,), {"can_finish": False})
        result["can_finish"] = True
    points = tile_points(square, words, state.options)
    side = team_of(state.players, player)
    laid = {
        "player": player, "square": square.name, "letter": tile.text, "points": points,
        "words": words, "fragments": fragments,
    }  # fmt: skip
    events = [Event("_tile", laid)]
    events += maybe_won(evolved(state, events[0]), side)
    result |= {"points": points, "turn_score": points}
    if side != player:
        result["team"] = side
    return Accepted(tuple(events), result)


def _plan(state: ScrabbageState, player: str, square: Square, tile: Tile) -> list[str] | None:
    """A way to finish what a tile begins, from the player's hand (SB-14); None if none exists."""
    rest = list((Counter(state.hands[player]) - Counter([face_of(tile)])).elements())
    grid = state.grid.with_tiles({square: tile})
    return finishing_plan(grid, square, rest, state.materials.lexicon)


def _check_tile(state: ScrabbageState, player: str, square: Square, tile: Tile) -> Refused | None:
    squares = (square,)
    off = check_free(state.grid, squares)
    if off:
        return off
    if not state.grid.tiles and square != CENTRE:  # SB-8
        return Refused("not_centre", phrase("The first tile goes on the star."), squares)
    if state.grid.tiles and not touches(state.grid, squares):
        return Refused("not_connected", phrase("That does not touch anything."), squares)
    if state.tiles_left[player] <= 0:
        return Refused("no_tiles", phrase("{player} has no tiles left.", player=player), squares)
    hand = state.hands.get(player)
    if hand is not None and face_of(tile) not in hand:
        shown = state.materials.tile_set.word_of(tile.letter)
        text = shown.lower() if tile.blank else shown
        return Refused(
            "not_in_hand",
            phrase("{player} does not hold {text}.", player=player, text=text),
            squares,
        )
    return None


# --- go (SB-21 to SB-25) --------------------------------------------------------------------


def _go(state: ScrabbageState, action: Action) -> Verdict:
    """Judge a "go": a player with tiles cannot lay one."""
    if state.phase != "play":
        return PLAY_OVER
    player = _mover(state, action)
    if isinstance(player, Refused):
        return player
    if state.tiles_left[player] <= 0:
        return Refused(
            "no_tiles", phrase("{player} has no tiles left and cannot call go.", player=player)
        )
    if len(state.players) == 2:
        return _go_of_two(state, player)
    marked = state.stuck | {player}
    free = [p for p in state.players if p not in marked]
    scorer = free[0] if len(free) == 1 and state.go_open else None
    points = 1 if scorer else 0
    events = [Event("go_called", {"called_by": player, "scored_by": scorer, "points": points})]
    if scorer:
        events += maybe_won(evolved(state, events[0]), team_of(state.players, scorer))
    return Accepted(tuple(events), {})


def _go_of_two(state: ScrabbageState, player: str) -> Verdict:
    other = next(p for p in state.players if p != player)
    if player in state.stuck:  # SB-21: a new go only after having come back
        return Refused("go_called", phrase("{player} has said go already.", player=player))
    out = state.tiles_left[other] <= 0
    # Nobody is given a point while stuck as well, unless a tile laid since may have changed that.
    back = state.go_open and bool(state.options["sb.go2_resume"])
    scores = other not in state.stuck or back
    scores = scores and (not out or bool(state.options["sb.go_to_out"]))
    scorer, points = (other, 1) if scores else (None, 0)
    events = [Event("go", {"called_by": player, "scored_by": scorer, "points": points})]
    if scores:
        events += maybe_won(evolved(state, events[0]), other)
    return Accepted(tuple(events), {})


# --- what is told besides -------------------------------------------------------------------


def _deal_info(state: ScrabbageState, action: Action) -> Verdict:
    return Accepted((), {"hand": HAND, **DEALS[len(state.players)]._asdict()})


def _hand(state: ScrabbageState, action: Action) -> Verdict:
    """Judge a hand that its player enters in secret."""
    if action.player is None:
        return Refused("bad_action", "Expected the player whose hand this is.")
    try:
        tiles = rack_of(action.data.get("tiles"), "tiles", MOST_DRAWN)
    except ValueError as error:
        return Refused("bad_action", f"{error}.")
    data = {"player": action.player, "tiles": list(tiles)}
    return Accepted((Event("_hand_told", data, frozenset({action.player})),), {})


def _discard(state: ScrabbageState, action: Action) -> Verdict:
    """Judge a discard from a known hand into the scrab, in secret (SB-4 to SB-6)."""
    player, deal = action.player, DEALS[len(state.players)]
    if player is None:
        return Refused("bad_action", "Expected the player who discards.")
    if state.phase != "play" or player in state.discards:
        return Refused(
            "already_discarded", phrase("{player} has discarded for this hand.", player=player)
        )
    hand = state.hands.get(player, ())
    if len(hand) != deal.draw:
        message = phrase(
            "Expected {player}'s hand of {draw} tiles to be told first, got {hand}.",
            player=player,
            draw=deal.draw,
            hand=len(hand),
        )
        return Refused("no_hand", message)
    try:
        tiles = rack_of(action.data.get("tiles"), "tiles", deal.discard)
    except ValueError as error:
        return Refused("bad_action", f"{error}.")
    if len(tiles) != deal.discard:
        return Refused("bad_action", f"Expected {deal.discard} tiles, got {len(tiles)}.")
    if Counter(tiles) - Counter(hand):
        shown = map(state.materials.tile_set.word_of, tiles)
        return Refused(
            "not_in_hand",
            phrase("{player} does not hold {names}.", player=player, names=listed(shown, " ")),
        )
    secret = Event("_discarded", {"player": player, "tiles": list(tiles)}, frozenset({player}))
    said = Event("_discard_told", {"player": player, "count": len(tiles)})
    return Accepted((secret, said), {})


def _answer(state: ScrabbageState, action: Action) -> Verdict:
    """Judge the naming of a blank (SB-2)."""
    return name_blank(state.grid, action, state.materials.tile_set)


def _withdraw(state: ScrabbageState, action: Action) -> Verdict:
    return Refused("nothing_to_withdraw", phrase("A tile laid stays; correct the record instead."))


def _rule_fragment(state: ScrabbageState, action: Action) -> Verdict:
    """Judge the players' ruling on a fragment: a deduction, or none (SB-15)."""
    points = action.data.get("points", 0)
    if action.player is None or not isinstance(points, int) or isinstance(points, bool):
        return Refused("bad_action", "Expected the player and the points.")
    return Accepted((Event("_ruled", {"player": action.player, "points": points}),), {})


def _play_off(state: ScrabbageState, action: Action) -> Verdict:
    """Record the winner of the play-off after a tie (SB-A14)."""
    sides = sides_of(state.players)
    if not state.undecided:
        return Refused("no_play_off", phrase("There is no play-off to be decided."))
    winner = action.data.get("winner")
    if winner not in sides:
        return Refused("unknown_player", f"Expected one of {', '.join(sides)}, got {winner!r}.")
    return Accepted((Event("_play_off", {"winner": [winner]}),), {"winner": [winner]})


_DECIDERS = {
    "tile": _tile,
    "place": _place,
    "go": _go,
    "end_of_play": end_of_play,
    "scrab": scrab,
    "end_of_hand": end_of_hand,
    "draw": draw,
    "hand": _hand,
    "discard": _discard,
    "deal_info": _deal_info,
    "working_on": working_on,
    "answer": _answer,
    "withdraw": _withdraw,
    "rule_fragment": _rule_fragment,
    "play_off": _play_off,
    "end_game": end_game,
}

GAME = Scrabbage()
