"""GrabScrab (rules GS-1 to GS-21): loose tiles turned face up, words won and stolen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from kibitz.engine.games.grabscrab.claims import judge_claim, read_claim
from kibitz.engine.games.grabscrab.info import INFO
from kibitz.engine.games.grabscrab.interpret import explain
from kibitz.engine.games.grabscrab.messages import face_down_line, lines
from kibitz.engine.games.grabscrab.state import GrabState, evolve, seconds, set_out, table_view
from kibitz.engine.judging import judged
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
from kibitz.engine.telling import told_ruling
from kibitz.engine.words.lexicon import is_word_text


class GrabScrab:
    """The rules of GrabScrab."""

    info: ClassVar[GameInfo] = INFO
    begin = staticmethod(set_out)
    interpret = staticmethod(explain)
    evolve = staticmethod(evolve)
    announce = staticmethod(lines)

    def decide(self, state: GrabState, action: Action) -> Verdict:
        """Judge an action."""
        return judged(state, action, "GrabScrab", _DECIDERS, after_end=())

    def view(
        self,
        state: GrabState,
        viewer: str | None,
    ) -> Mapping[str, JsonValue]:
        """The whole table; everybody sees the same."""
        return table_view(state)


def _flip(state: GrabState, action: Action) -> Verdict:
    """Judge the flip of a tile (GS-3)."""
    player = action.player or state.flipper
    letter = state.materials.tile_set.tiles_in(str(action.data.get("letter") or ""))
    if len(letter) != 1 or not (letter.isalpha() or letter == UNKNOWN_BLANK):
        return Refused("bad_action", f"Expected the letter turned up, or '?', got {letter!r:.60}.")
    if state.face_down == 0:
        return Refused("no_tiles_left", phrase("All tiles are face up."))
    if player != state.flipper:
        return Refused(
            "not_your_turn",
            phrase("{next} flips next, not {player}.", next=state.flipper, player=player),
        )
    data = {"letter": letter, "by": player, "next_flipper": state.after(player)}
    return _one(Event("flipped", data if action.at is None else {**data, "at": action.at}))


def _one(event: Event) -> Accepted:
    """Accept with one event, whose fields are what scenarios see."""
    return Accepted((event,), {"event": event.kind, **event.data})


def _claim(state: GrabState, action: Action) -> Verdict:
    """Judge a claim: the first to speak wins the word if it is valid (GS-5)."""
    if _window_closed(state, action.at):
        return Refused("too_late", phrase("The time for last calls is over."))
    claim = read_claim(state, action.player, action.data, action.at)
    if isinstance(claim, Refused):
        return claim
    outcome = judge_claim(state, claim)
    if isinstance(outcome, Event):
        return _one(outcome)
    if state.options["gs.penalty"] and outcome.code in state.options["gs.penalty_codes"]:
        due = {**outcome.result, "penalty": True}
        return Refused(outcome.code, outcome.message, outcome.squares, due)
    return outcome


def _tie(state: GrabState, action: Action) -> Verdict:
    """Judge calls made at the same time; only valid ones count (GS-16)."""
    claims = action.data.get("claims")
    if not isinstance(claims, (list, tuple)) or not claims:
        return Refused(
            "bad_action", "Expected claims as [{'player': 'Ann', 'word': 'RAIN'}, ...]."
        )
    if _window_closed(state, action.at):
        return Refused("too_late", phrase("The time for last calls is over."))
    holding: list[Event] = []
    refused: list[JsonValue] = []
    for fields in claims:
        if not isinstance(fields, Mapping):
            return Refused("bad_action", f"Expected a player and a word, got {fields!r}.")
        claim = read_claim(state, fields.get("player"), fields, action.at)
        if isinstance(claim, Refused):
            return claim
        outcome = judge_claim(state, claim)
        if isinstance(outcome, Event):
            holding.append(outcome)
        else:
            word = state.materials.tile_set.word_of(claim.word)
            refused.append({"player": claim.player, "word": word, "reason": outcome.code})
    if not holding:
        return Refused(
            "no_legal_claim", phrase("None of these calls holds."), result={"refused": refused}
        )
    if len({event.data["player"] for event in holding}) == 1:
        return _one(holding[0])
    return _one(_undecided(state, holding))


def _undecided(state: GrabState, holding: list[Event]) -> Event:
    """Event of a tie that nobody wins: the last tile goes back, or the words must wait."""
    last = state.last_flip
    if state.options["gs.tie"] == "flip_back" and last is not None and last[0] in state.pool:
        return Event("tie", {"returned": last[0], "next_flipper": last[1]})
    words = sorted({str(event.data["word"]) for event in holding})
    return Event("tie", {"dismissed": words, "next_flipper": state.flipper})


def _give_up(state: GrabState, action: Action) -> Verdict:
    """Judge the penalty for a false call, chosen case by case (GS-17)."""
    player, word = action.player, action.data.get("word")
    if not state.options["gs.penalty"]:
        return Refused("no_penalty", phrase("There is no penalty in this game."))
    if player is None:
        return Refused("bad_action", "Expected the player who gives up a word.")
    held, tile_set = state.words[player], state.materials.tile_set
    if word is None:
        if held:
            choices = [tile_set.word_of(w.word) for w in held]
            line = phrase(
                "{player} chooses a word to give up: {words}.",
                player=player,
                words=listed(choices, ", "),
            )
            return Refused("choose_word", line, result={"choices": choices})
        nothing = {"player": player, "word": None, "tiles": "", "face_down_added": 0}
        return _one(Event("penalty", nothing))
    wanted = tile_set.tiles_in(str(word))
    chosen = next((w for w in held if w.word == wanted), None)
    named = tile_set.word_of(wanted)
    if chosen is None:
        return Refused(
            "no_such_word",
            phrase("There is no {word} before {player}.", word=named, player=player),
        )
    return _one(
        Event(
            "penalty",
            {
                "player": player,
                "word": named,
                "tiles": chosen.tiles,
                "face_down_added": len(chosen.tiles),
            },
        )
    )


def _no_more_words(state: GrabState, action: Action) -> Verdict:
    """Judge the statement that nobody has another word (GS-19)."""
    if state.face_down:
        return Refused("tiles_left", face_down_line(state.face_down))
    return _one(_game_over(state, "no_more_words"))


def _end_game(state: GrabState, action: Action) -> Verdict:
    """Judge an early end; before all tiles are turned nobody has won (GS-19)."""
    if state.face_down == 0:
        return _one(_game_over(state, "no_more_words"))
    count, leading = _standing(state)
    data = {"winner": [], "leading": leading, "words": count, "reason": "ended"}
    return _one(Event("game_over", data))


def _tick(state: GrabState, action: Action) -> Verdict:
    """Advance the time; the window for last calls may close (GS-19)."""
    if _window_closed(state, action.at):
        return _one(_game_over(state, "time"))
    if state.face_down == 0 and state.last_at is None and action.at is not None:
        return Accepted((Event("_clock_started", {"at": action.at}),))
    return Accepted(())


def _window_closed(state: GrabState, at: float | None) -> bool:
    window = seconds(state.options["gs.final_window"])
    if window is None or state.face_down or at is None or state.last_at is None:
        return False
    return at - state.last_at >= window


def _game_over(state: GrabState, reason: str) -> Event:
    """Event of the end, with the winners (GS-20)."""
    count, winner = _standing(state)
    return Event("game_over", {"winner": winner, "words": count, "reason": reason})


def _standing(state: GrabState) -> tuple[dict[str, int], list[str]]:
    """Number of words that count for each player, and who has the most (GS-20)."""
    held = {p: len(state.words[p]) for p in state.players}
    count = dict(state.won) if state.options["gs.count"] == "won_total" else held
    most = [p for p in state.players if count[p] == max(count.values())]
    if len(most) > 1 and state.options["gs.end_tie"] == "letters":
        letters = {p: sum(len(w.tiles) for w in state.words[p]) for p in most}
        most = [p for p in most if letters[p] == max(letters.values())]
    return count, most


def _overrule_root(state: GrabState, action: Action) -> Verdict:
    """Judge a ruling on the roots of a pair of words, which is remembered (GS-12)."""
    old, new, same = (action.data.get(key) for key in ("old", "new", "same"))
    tile_set = state.materials.tile_set
    spelt = all(isinstance(x, str) and is_word_text(x, tile_set) for x in (old, new))
    if not spelt or not isinstance(same, bool):
        return Refused("bad_action", "Expected old and new, two words, and same, true or false.")
    data = {"old": tile_set.tiles_in(str(old)), "new": tile_set.tiles_in(str(new)), "same": same}
    return Accepted((Event("_root_ruled", data),), {"same_root": same})


def _rule_word(state: GrabState, action: Action) -> Verdict:
    """Judge a ruling on a word against the list (rule 0.6)."""
    word, good = action.data.get("word"), told_ruling(action)
    tile_set = state.materials.tile_set
    if not isinstance(word, str) or not is_word_text(word, tile_set):
        return Refused("bad_action", f"Expected a word of letters, got {word!r:.40}.")
    if isinstance(good, Refused):
        return good
    tiles = tile_set.tiles_in(word)
    return Accepted((Event("_word_ruled", {"word": tiles, "good": good}),), {"valid": good})


_DECIDERS = {
    "flip": _flip,
    "claim": _claim,
    "tie": _tie,
    "give_up": _give_up,
    "no_more_words": _no_more_words,
    "end_game": _end_game,
    "overrule_root": _overrule_root,
    "judge_decision": _rule_word,
    "tick": _tick,
}

GAME = GrabScrab()
