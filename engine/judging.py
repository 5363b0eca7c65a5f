"""Checks of actions that several games share, made before a game's own rules judge."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Protocol, TypeVar

from kibitz.engine.clock import Clocked, decide_clock
from kibitz.engine.first_turn import DrawsFirst, decide_first
from kibitz.engine.phrases import phrase
from kibitz.engine.rules import Accepted, Action, Refused, TileSetLike, Verdict

NOTHING_WAITS = Refused(
    "nothing_to_challenge", phrase("There is no play that may be challenged now.")
)


def ended_by(pending: Challengeable) -> Refused:
    """Refusal for who goes on after a play that ends the game if it stands."""
    message = phrase(
        "With {player}'s play the game is over: challenge it or let it stand.",
        player=pending.player,
    )
    return Refused("game_over", message)


def unknown_choice(value: str, choices: Iterable[str], between: str = ", ") -> Refused:
    """Refusal of an answer that was not offered."""
    known = between.join(choices)
    return Refused("unknown_choice", f"Expected one of {known}, got {value!r:.40}.")


class Playing(DrawsFirst, Clocked, Protocol):
    """State that these checks need from a game."""

    @property
    def untouched(self) -> bool:
        """True if nothing has been played yet."""
        ...


class Challengeable(Protocol):
    """A play that may still be challenged."""

    @property
    def player(self) -> str:
        """Player of the play."""
        ...

    @property
    def words(self) -> tuple[str, ...]:
        """Words that it formed."""
        ...


_S = TypeVar("_S", bound=Playing)


def judged(
    state: _S,
    action: Action,
    title: str,
    deciders: Mapping[str, Callable[[_S, Action], Verdict]],
    after_end: Collection[str],
) -> Verdict:
    """Judge an action by its kind, if its player is at the table and the game is on.

    Args:
        state: the game.
        action: what is to be judged.
        title: the game's name.
        deciders: what judges each kind.
        after_end: kinds that may come when the game is over.
    """
    if action.player is not None and action.player not in state.players:
        return Refused("unknown_player", f"There is no player {action.player!r} at this table.")
    settled = decide_first(state, action, untouched=state.untouched)
    if settled is not None:
        return settled
    timed = decide_clock(state, action)
    if timed is not None:
        return timed
    decider = deciders.get(action.kind)
    if action.kind == "tick" and state.clock is not None and (decider is None or state.over):
        return Accepted(())  # time alone breaks no rule, also when it is played again
    if decider is None:
        return Refused("unknown_action", f"{title} knows no action {action.kind!r}.")
    if state.over and action.kind not in after_end:
        return Refused("game_over", phrase("The game is over."))
    return decider(state, action)


def words_challenged(
    pending: Challengeable, challenger: str, action: Action, tile_set: TileSetLike
) -> list[str] | Refused:
    """The challenged words of a play: those named, or all of them."""
    if challenger == pending.player:
        return Refused("own_play", phrase("A player does not challenge the own play."))
    named = action.data.get("words") or pending.words
    if not isinstance(named, (list, tuple)):
        return Refused("bad_action", f"Expected a list of words, got {named!r:.60}.")
    named = [str(w) for w in named]
    asked = [tile_set.word_of(tile_set.tiles_in(w)) for w in named]
    if stray := [w for w in asked if w not in pending.words]:
        formed = ", ".join(pending.words)
        return Refused("bad_action", f"The play formed {formed}, not {stray[0]}.")
    return asked
