"""ScrabbleShip (rules SS-1 to SS-35): Scrabble over hidden fleets."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from kibitz.engine.board.connection import check_play, parse_tiles
from kibitz.engine.board.scoring import RACK_SIZE
from kibitz.engine.clock import ON_TIME
from kibitz.engine.games.scrabbleship import messages as saying
from kibitz.engine.games.scrabbleship.ending import ended, finish, recounted
from kibitz.engine.games.scrabbleship.events import evolved, folded
from kibitz.engine.games.scrabbleship.fleets import check_fleet, parse_fleet, zone_of
from kibitz.engine.games.scrabbleship.info import INFO
from kibitz.engine.games.scrabbleship.interpret import candidates
from kibitz.engine.games.scrabbleship.scoring import (
    KWYJIBO,
    calls_told,
    check_calls,
    close_window,
    reveal,
    revealed_words,
)
from kibitz.engine.games.scrabbleship.state import (
    ShipState,
    begin_table,
    fleets_missing,
    shot_at,
    waits_for_calls,
)
from kibitz.engine.judging import NOTHING_WAITS, ended_by, judged, words_challenged
from kibitz.engine.options import rules_at_once
from kibitz.engine.phrases import listed, phrase
from kibitz.engine.rules import (
    Accepted,
    Action,
    Event,
    GameInfo,
    JsonValue,
    Refused,
    Verdict,
)
from kibitz.engine.table import UNKNOWN_BLANK
from kibitz.engine.telling import (
    clock_pressed,
    exchange_count,
    exchanged,
    name_blank,
    not_held,
    rack_events,
    squares_told,
    told_ruling,
    told_verdict,
    turn_of,
)
from kibitz.engine.tiles.unseen import on_rack, racks_known_to
from kibitz.engine.words.formed import word_of, words_formed
from kibitz.engine.words.lexicon import is_word_text


class ScrabbleShip:
    """The rules of ScrabbleShip."""

    info: ClassVar[GameInfo] = INFO
    begin = staticmethod(begin_table)
    interpret = staticmethod(candidates)
    evolve = staticmethod(evolved)
    view = staticmethod(saying.view)
    revealed = staticmethod(calls_told)
    announce = staticmethod(saying.lines)

    def decide(self, state: ShipState, action: Action) -> Verdict:
        """Judge an action (SS-4 to SS-34)."""
        return judged(
            state,
            action,
            "ScrabbleShip",
            _DECIDERS,
            after_end=("judge_decision", "racks", "lay_card"),
        )

    def known_to(self, state: ShipState, viewer: str | None) -> ShipState:
        """The state without others' racks; their fleets only as far as shots revealed them."""
        racks = racks_known_to(state.racks, viewer)
        return state if racks is state.racks else replace(state, racks=racks)


# --- set-up (SS-4 to SS-6) ------------------------------------------------------------------


def _enter_fleet(state: ShipState, action: Action) -> Verdict:
    """Judge a player's fleet, entered in secret; fixed before the first play (SS-6)."""
    player = action.player
    if player is None:
        return Refused("bad_action", "Expected the player whose fleet this is.")
    fixed = player in state.fleets and state.given
    if fixed or set(state.grid.tiles) != state.given or state.pending:
        return Refused("fleets_fixed", phrase("Fleets are fixed before the first play."))
    fleet = parse_fleet(action.data.get("fleet"))
    if isinstance(fleet, Refused):
        return fleet
    zone = zone_of(player, state.players, state.options)
    refused = check_fleet(fleet, zone, may_touch=bool(state.options["ss.ships_may_touch"]))
    if refused:
        return refused
    ships = {ship: [s.name for s in squares] for ship, squares in fleet.items()}
    entered = Event("_fleet_entered", {"player": player, "fleet": ships}, frozenset({player}))
    ready = Event("_fleet_ready", {"player": player})
    # A game that goes on from paper: what its tiles have hit was called out then.
    struck, lost = shot_at(player, fleet, state.grid, int(state.options["ss.sink_mode"]))
    before = {"hits": [s.name for s in sorted(struck)], "sunk": [list(pair) for pair in lost]}
    shot = (
        (Event("_shot_before", before),)
        if struck - state.hits or set(lost) - set(state.sunk)
        else ()
    )
    return Accepted((entered, ready, *shot))


# --- a turn (SS-9 to SS-16) -----------------------------------------------------------------


def _good(state: ShipState, word: str) -> bool:
    """True if a string is a word here (SS-11, SS-12)."""
    if UNKNOWN_BLANK in word:
        return True
    if word == KWYJIBO and state.options["ss.kwyjibo"] != "off":
        return True
    if word in state.ruled:
        return state.ruled[word]
    return state.materials.is_word(word)


def _place(state: ShipState, action: Action) -> Verdict:
    player = turn_of(state.to_move, action)
    if isinstance(player, Refused):
        return player
    tiles = parse_tiles(action.data.get("tiles"))
    if isinstance(tiles, Refused):
        return tiles
    calls = action.data.get("calls")
    if fault := check_calls(calls or {}, state.players):
        return Refused("bad_action", fault)
    closing, pending = close_window(state), state.pending
    state = folded(state, closing)
    if state.over and pending is not None:
        return ended_by(pending)
    refused = check_play(state.grid, tiles)
    if refused:
        return refused
    if waited_for := fleets_missing(state):  # SS-6
        message = phrase(
            "Fleets are entered before the first play, in secret. Still without one: {players}.",
            players=listed(waited_for),
        )
        return Refused("fleets_missing", message)
    squares = tuple(sorted(tiles))
    if not on_rack(tiles, state.counts[player], state.racks.get(player)):
        return not_held(player, squares)
    grid = state.grid.with_tiles(tiles)
    runs = words_formed(grid, tiles)
    if not runs:
        return Refused("no_word", phrase("That forms no word."), squares)
    words = [word_of(grid, r, state.materials.tile_set) for r in runs]
    bad = [w for w in words if not _good(state, w)]
    at_once = rules_at_once(state.options)
    if bad and at_once and not action.data.get("forced"):
        message = phrase("{word} is not in the list.", word=bad[0])
        return Refused("not_a_word", message, squares, {"bad_words": bad})
    laid = {s.name: tiles[s].text for s in squares}
    letters = [state.materials.tile_set.word_of(tiles[s].letter) for s in squares]
    events = [
        Event("coordinates", {"squares": list(laid), "letters": letters}),
        Event("_laid", {"player": player, "tiles": laid, "words": words, "calls": calls}),
    ]
    # A word of the list is challenged away only before a judge: else its window closes at once.
    waits = bad or (state.options["ss.challenge"] == "any_word" and not at_once)
    after = folded(state, events)
    waits = waits or waits_for_calls(after)
    is_open = (action.data.get("window") or ("open" if waits else "closed")) == "open"
    more, result = _events_of_play(after, is_open=is_open)
    return Accepted((*closing, *events, *more), result)


def _events_of_play(
    state: ShipState, *, is_open: bool
) -> tuple[list[Event], dict[str, JsonValue]]:
    """Events of a play just laid: all, none yet, or all while it may be challenged."""
    if is_open and (state.options["ss.reveal"] == "after_challenge" or waits_for_calls(state)):
        return [], {"pending_challenge": True, "words": revealed_words(state)}
    events, result = reveal(state, still_open=is_open)
    if is_open:
        return events, {**result, "pending_challenge": True}
    now = folded(state, events)
    player = state.pending.player if state.pending else None
    return [*events, *ended(now, player)], result


def _pass(state: ShipState, action: Action) -> Verdict:
    player = turn_of(state.to_move, action)
    if isinstance(player, Refused):
        return player
    events = close_window(state)
    state = folded(state, events)
    if not state.over:
        passed = Event("_passed", {"player": player})
        events += [passed, *ended(evolved(state, passed), None)]
    return Accepted(tuple(events), {"turn_score": 0})


def _exchange(state: ShipState, action: Action) -> Verdict:
    player = turn_of(state.to_move, action)
    if isinstance(player, Refused):
        return player
    count = exchange_count(action, player, state.counts[player], state.racks.get(player))
    if isinstance(count, Refused):
        return count
    events, pending = close_window(state), state.pending
    state = folded(state, events)
    if state.over and pending is not None:
        return ended_by(pending)
    least = max(int(state.options["ss.exchange_min_bag"]), count)
    if state.bag < least:
        return Refused(
            "bag_too_small",
            phrase("The bag holds {bag} tiles; {least} are needed.", bag=state.bag, least=least),
        )
    events += exchanged(player, count, action)
    return Accepted(tuple(events), {"turn_score": 0})


# --- challenges and the judge (SS-11, SS-13, SS-34) -----------------------------------------


def _challenge(state: ShipState, action: Action) -> Verdict:
    """Judge a challenge before the score is recorded; the judge overrules the list."""
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
    wrong = [w for w in asked if not _good(state, w)]
    bad = wrong if verdict is None else [] if verdict else wrong or asked
    # What the judge said against the list holds for the rest of the game.
    against = wrong if verdict else bad if not wrong and len(bad) == 1 else []
    ruled = [Event("_word_ruled", {"word": w, "good": bool(verdict)}) for w in against]
    if bad:
        return _comes_off(state, bad, ruled, {"upheld": True})
    return _stands(state, challenger, asked, ruled)


def _stands(state: ShipState, challenger: str, words: list[str], ruled: list[Event]) -> Verdict:
    """Let a challenged play stand; a penalty only where the players agreed on one (SS-A12)."""
    pending = state.pending
    if pending is None:
        return NOTHING_WAITS
    mode = str(state.options["challenge"])
    fields = {
        "player": pending.player, "challenger": challenger, "words": words,
        "award": int(mode) if mode in ("5", "10") else 0, "loses_turn": mode == "double",
    }  # fmt: skip
    loses = {"award": fields["award"], "challenger_loses_turn": fields["loses_turn"]}
    if waits_for_calls(state):
        return Accepted((*ruled, Event("_stands", fields)), {"upheld": False, **loses})
    events, result = ([], {}) if pending.revealed else reveal(state)
    events = [*ruled, Event("_stands", fields), *events, Event("_settled", {})]
    events += ended(folded(state, events), pending.player)
    return Accepted(tuple(events), {"upheld": False, **loses, **result})


def _comes_off(
    state: ShipState, words: list[str], ruled: list[Event], result: dict[str, JsonValue]
) -> Verdict:
    """Take a play off: its turn is lost, nothing scores or stays revealed (SS-13)."""
    pending = state.pending
    if pending is None:
        return NOTHING_WAITS
    removed = [s.name for s in pending.squares]
    off = Event("_taken_off", {"player": pending.player, "squares": removed, "words": words})
    return Accepted((*ruled, off), {**result, "removed": removed, "turn_score": 0})


def _withdraw(state: ShipState, action: Action) -> Verdict:
    """Judge the silent withdrawal of a pending play."""
    words = list(state.pending.words) if state.pending else []
    return _comes_off(state, words, [], {})


def _press(state: ShipState, action: Action) -> Verdict:
    """Judge a press of the clock; a play taken off before it was challenged."""
    return clock_pressed(action, "ss.press_clock", presses=bool(state.options["ss.press_clock"]))


def _accept(state: ShipState, action: Action) -> Verdict:
    """Close the challenge window ("go on"); what was held back is announced."""
    pending = state.pending
    if pending is None:
        return NOTHING_WAITS
    result = {} if pending.revealed else reveal(state)[1]
    return Accepted(tuple(close_window(state)), result)


def _call(state: ShipState, action: Action) -> Verdict:
    """Judge what owners called for the tiles of the newest play, which then counts (SS-A15)."""
    pending = state.pending
    if pending is None or not waits_for_calls(state):
        return Refused(
            "no_calls_awaited", phrase("No play waits for its hits and misses to be called.")
        )
    calls = action.data.get("calls")
    if fault := check_calls(calls, state.players):
        return Refused("bad_action", fault)
    if not set(calls or ()) <= {s.name for s in pending.squares}:
        return Refused("bad_action", "Expected calls for tiles of the newest play.")
    called = Event("_called", {"calls": calls})
    state = folded(state, [called])
    return Accepted((called, *close_window(state)), reveal(state)[1])


def _judge(state: ShipState, action: Action) -> Verdict:
    """Record the judge's choice of winner (SS-34), or a ruling on a word (SS-11)."""
    word = action.data.get("word")
    if word is not None:
        tile_set = state.materials.tile_set
        if not isinstance(word, str) or not is_word_text(word, tile_set):
            return Refused("bad_action", f"Expected a word of letters, got {word!r}.")
        good = told_ruling(action)
        if isinstance(good, Refused):
            return good
        ruled = {"word": tile_set.word_of(tile_set.tiles_in(word)), "good": good}
        return Accepted((Event("_word_ruled", ruled),), {})
    winner = action.data.get("winner")
    if not state.needs_judge:
        return Refused("no_judge_needed", phrase("There is nothing for the judge to decide."))
    if winner not in state.players:
        known = ", ".join(state.players)
        return Refused("unknown_player", f"Expected one of {known}, got {winner!r}.")
    return Accepted((Event("_judged", {"winner": [winner]}),), {"winner": [winner]})


# --- what is told besides -------------------------------------------------------------------


def _no_plays(state: ShipState, action: Action) -> Verdict:
    """Judge the declaration that no play is possible (SS-33)."""
    events = close_window(state)
    state = folded(state, events)
    if not state.over:
        events += finish(state, "no_plays", None)
    return Accepted(tuple(events), {})


def _racks(state: ShipState, action: Action) -> Verdict:
    """Judge racks that are told, where they count at the end (SS-35)."""
    events = rack_events(state.players, action, RACK_SIZE)
    if isinstance(events, Refused):
        return events
    if state.over and state.reason != ON_TIME and state.options["ss.endgame_racks"]:
        events += recounted(folded(state, events))
    return Accepted(tuple(events), {})


def _answer(state: ShipState, action: Action) -> Verdict:
    """Judge the naming of a blank (CL-3)."""
    return name_blank(state.grid, action, state.materials.tile_set)


def _lay_card(state: ShipState, action: Action) -> Verdict:
    """Judge the laying of a sunk ship's strip (SS-20)."""
    squares = squares_told(action.data.get("squares"))
    if isinstance(squares, Refused):
        return squares
    if not any(tuple(sorted(card)) == squares for _, _, card in state.cards):
        return Refused("wrong_place", phrase("No strip is to be laid there."), squares)
    return Accepted((Event("_card_laid", {"squares": [s.name for s in squares]}),), {})


_DECIDERS = {
    "enter_fleet": _enter_fleet,
    "place": _place,
    "pass": _pass,
    "exchange": _exchange,
    "challenge": _challenge,
    "withdraw": _withdraw,
    "press_clock": _press,
    "call": _call,
    "accept": _accept,
    "go_on": _accept,
    "judge_decision": _judge,
    "no_plays": _no_plays,
    "racks": _racks,
    "answer": _answer,
    "lay_card": _lay_card,
}

GAME = ScrabbleShip()
