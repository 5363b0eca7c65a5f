"""Classic Scrabble (rules CL-1 to CL-19)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kibitz.engine.board.connection import check_play, parse_tiles
from kibitz.engine.board.layouts import STANDARD_LAYOUT, Layout
from kibitz.engine.board.scoring import RACK_SIZE, rack_bonus, word_score
from kibitz.engine.clock import ON_TIME
from kibitz.engine.games.scrabble import messages as saying
from kibitz.engine.games.scrabble.events import (
    after_turn,
    close_window,
    evolved,
    finish,
    folded,
    recounted,
)
from kibitz.engine.games.scrabble.info import INFO
from kibitz.engine.games.scrabble.state import ScrabbleState, begin_table, good_word
from kibitz.engine.judging import NOTHING_WAITS, ended_by, judged, words_challenged
from kibitz.engine.options import rules_at_once
from kibitz.engine.phrases import phrase
from kibitz.engine.rules import (
    Accepted,
    Action,
    Candidate,
    Change,
    Event,
    GameInfo,
    JsonValue,
    Materials,
    Options,
    Refused,
    Verdict,
)
from kibitz.engine.telling import (
    clock_pressed,
    exchange_count,
    exchanged,
    name_blank,
    not_held,
    rack_events,
    told_verdict,
    turn_of,
)
from kibitz.engine.tiles.unseen import on_rack, racks_known_to
from kibitz.engine.words.formed import word_of, words_formed


class Scrabble:
    """The rules of classic Scrabble.

    Attributes:
        info: the game's facts.
        layout: the premium squares of its board.
    """

    evolve = staticmethod(evolved)
    view = staticmethod(saying.view)
    announce = staticmethod(saying.lines)

    def __init__(self, layout: Layout = STANDARD_LAYOUT) -> None:
        self.layout = layout
        self.info: GameInfo = INFO
        if layout != STANDARD_LAYOUT:
            # formats for other programs know only the standard board
            surface = replace(INFO.surface, rows=layout.size, cols=layout.size)
            title = f"{INFO.title} ({layout.size}x{layout.size})"
            self.info = replace(
                INFO, title=title, surface=surface, premiums=layout.rows, gcg=False
            )

    def on_layout(self, layout: Layout) -> Scrabble:
        """The rules on a board with other premium squares, also of another size."""
        return Scrabble(layout)

    def begin(
        self,
        players: tuple[str, ...],
        options: Options,
        materials: Materials,
        initial: Mapping[str, JsonValue] | None = None,
    ) -> ScrabbleState:
        """An empty board, or a position to continue from.

        Raises:
            ValueError: the number of players is not two to four, or the position is no position.
        """
        return begin_table(players, options, materials, initial or {}, self.layout)

    def interpret(self, state: ScrabbleState, change: Change) -> tuple[Candidate, ...]:
        """Possible meanings of a change: a play, a play taken off, or both (CL-5, CL-14)."""
        before: tuple[Action, ...] = ()
        pending = state.pending
        if change.removed:
            if pending is None or set(change.removed) != set(pending.squares) - set(change.added):
                return ()
            before = (Action("withdraw"),)
        if not change.added:
            return (Candidate(before),) if before else ()
        tiles = {s.name: x for s, x in sorted(change.added.items())}
        place = Action("place", None, None, {"tiles": tiles})
        return (Candidate((*before, place)),)

    def decide(self, state: ScrabbleState, action: Action) -> Verdict:
        """Judge an action (CL-4 to CL-18)."""
        return judged(state, action, "Scrabble", _DECIDERS, after_end=("racks",))

    def known_to(self, state: ScrabbleState, viewer: str | None) -> ScrabbleState:
        """The state without the racks of others."""
        racks = racks_known_to(state.racks, viewer)
        return state if racks is state.racks else replace(state, racks=racks)


# --- laying tiles (CL-4 to CL-11) -----------------------------------------------------------


def _place(state: ScrabbleState, action: Action) -> Verdict:
    player = turn_of(state.to_move, action)
    if isinstance(player, Refused):
        return player
    tiles = parse_tiles(action.data.get("tiles"), state.layout.size)
    if isinstance(tiles, Refused):
        return tiles
    closing, pending = close_window(state), state.pending
    state = folded(state, closing)  # the next input closes the window (CL-14)
    if state.over and pending is not None:
        return ended_by(pending)
    refused = check_play(state.grid, tiles, state.layout.star)
    if refused:
        return refused
    squares = tuple(sorted(tiles))
    if not on_rack(tiles, state.counts[player], state.racks.get(player)):
        return not_held(player, squares)
    grid = state.grid.with_tiles(tiles)
    runs = words_formed(grid, tiles)
    if not runs:
        return Refused("no_word", phrase("That forms no word."), squares)
    new = frozenset(tiles)
    texts = [word_of(grid, r, state.materials.tile_set) for r in runs]
    points = [
        word_score(grid, r, new, state.materials.tile_set, layout=state.layout) for r in runs
    ]
    words = [{"word": w, "score": s} for w, s in zip(texts, points, strict=True)]
    bad = [w for w in texts if not good_word(state, w)]
    at_once = rules_at_once(state.options)
    if bad and at_once and not action.data.get("forced"):
        message = phrase("{word} is not in the list.", word=bad[0])
        return Refused("not_a_word", message, squares, {"bad_words": bad})
    bonus = rack_bonus(len(tiles))
    turn = sum(points) + bonus
    laid = {s.name: t.text for s, t in sorted(tiles.items())}
    events = [
        Event("_played", {
            "player": player, "tiles": laid, "words": words, "bonus": bonus, "score": turn,
            "total": state.scores[player] + turn, "invalid": bad,
        })
    ]  # fmt: skip
    if bonus:
        events.append(Event("bonus", {"points": bonus}))
    result: dict[str, JsonValue] = {"words": words, "bonus": bonus, "turn_score": turn}
    if not at_once:
        result["pending_challenge"] = True
        return Accepted((*closing, *events), result)  # what may come off again ends nothing
    events.append(Event("_settled", {}))
    return Accepted((*closing, *after_turn(state, events, player)), result)


# --- other turns (CL-12, CL-13) -------------------------------------------------------------


def _pass(state: ScrabbleState, action: Action) -> Verdict:
    player = turn_of(state.to_move, action)
    if isinstance(player, Refused):
        return player
    closing = close_window(state)
    state = folded(state, closing)
    if not state.over:
        closing += after_turn(state, [Event("_passed", {"player": player})], player)
    return Accepted(tuple(closing), {"turn_score": 0})


def _exchange(state: ScrabbleState, action: Action) -> Verdict:
    player = turn_of(state.to_move, action)
    if isinstance(player, Refused):
        return player
    count = exchange_count(action, player, state.counts[player], state.racks.get(player))
    if isinstance(count, Refused):
        return count
    closing, pending = close_window(state), state.pending
    state = folded(state, closing)
    if state.over and pending is not None:
        return ended_by(pending)
    least = max(int(state.options["cl.exchange_min_bag"]), count)
    if state.bag < least:
        message = phrase(
            "The bag holds {bag} tiles; {least} are needed for an exchange.",
            bag=state.bag,
            least=least,
        )
        return Refused("bag_too_small", message)
    events = after_turn(state, exchanged(player, count, action), player)
    return Accepted((*closing, *events), {"turn_score": 0})


# --- challenges (CL-14) ---------------------------------------------------------------------


def _challenge(state: ScrabbleState, action: Action) -> Verdict:
    pending = state.pending
    if pending is None:
        return NOTHING_WAITS
    challenger = action.player or state.to_move
    asked = words_challenged(pending, challenger, action, state.materials.tile_set)
    if isinstance(asked, Refused):
        return asked
    verdict = told_verdict(action)
    if isinstance(verdict, Refused):
        return verdict
    bad = [w for w in asked if not good_word(state, w)]
    if verdict is not None:
        bad = [] if verdict else asked
    if bad:
        return _comes_off(state, bad, challenger, {"upheld": True})
    mode = state.options["challenge"]
    award = int(mode) if mode in ("5", "10") else 0
    loses = mode == "double"
    stands = Event("_stands", {"player": pending.player, "challenger": challenger, "award": award, "loses_turn": loses, "words": asked})  # fmt: skip
    result = {"upheld": False, "award": award, "challenger_loses_turn": loses}
    return Accepted(tuple(after_turn(state, [stands], pending.player)), result)


def _comes_off(
    state: ScrabbleState, words: list[str], challenger: str | None, result: dict[str, JsonValue]
) -> Verdict:
    """Withdraw a pending play; its turn is spent."""
    pending = state.pending
    if pending is None:
        return NOTHING_WAITS
    removed = [s.name for s in pending.squares]
    off = Event("_taken_off", {"player": pending.player, "squares": removed, "words": words, "challenger": challenger})  # fmt: skip
    result = {**result, "removed": removed, "turn_score": 0}
    return Accepted(tuple(after_turn(state, [off], pending.player)), result)


def _withdraw(state: ScrabbleState, action: Action) -> Verdict:
    """Judge the silent withdrawal of a pending play."""
    words = list(state.pending.words) if state.pending else []
    return _comes_off(state, words, None, {})


def _press(state: ScrabbleState, action: Action) -> Verdict:
    """Judge a press of the clock; a play taken off before it was challenged."""
    return clock_pressed(action, "cl.press_clock", presses=bool(state.options["cl.press_clock"]))


def _accept(state: ScrabbleState, action: Action) -> Verdict:
    """Close the challenge window: the play stands."""
    return Accepted(tuple(close_window(state)), {}) if state.pending else NOTHING_WAITS


# --- what is told besides (CL-3, CL-17) -----------------------------------------------------


def _answer(state: ScrabbleState, action: Action) -> Verdict:
    """Judge the naming of a blank (CL-3)."""
    return name_blank(state.grid, action, state.materials.tile_set)


def _racks(state: ScrabbleState, action: Action) -> Verdict:
    """Judge racks that are told or shown; after the end the adjustment is redone (CL-17)."""
    events = rack_events(state.players, action, RACK_SIZE)
    if isinstance(events, Refused):
        return events
    if state.over and state.reason != ON_TIME:
        events += recounted(folded(state, events))
    return Accepted(tuple(events), {})


def _end_game(state: ScrabbleState, action: Action) -> Verdict:
    """Judge an end by agreement: racks are counted; nobody went out unless told."""
    out = action.data.get("out")
    if out is not None and out not in state.players:
        return Refused("unknown_player", f"There is no player {out!r} at this table.")
    closing = close_window(state)
    state = folded(state, closing)
    if not state.over:
        closing += finish(state, "out_of_tiles" if out else "ended", out)
    return Accepted(tuple(closing), {})


_DECIDERS = {
    "place": _place,
    "pass": _pass,
    "exchange": _exchange,
    "challenge": _challenge,
    "withdraw": _withdraw,
    "press_clock": _press,
    "accept": _accept,
    "answer": _answer,
    "racks": _racks,
    "end_game": _end_game,
}

GAME = Scrabble()
