"""What led from one table to the next: flips, claims, steals (camera's part of GrabScrab)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from engine.rules import Action, Candidate, Change, JsonValue, Refused, apply

if TYPE_CHECKING:
    from engine.games.grabscrab import GrabScrab, GrabState


def explain(game: GrabScrab, state: GrabState, change: Change) -> tuple[Candidate, ...]:
    """The actions that turn the known table into the one seen, if the rules allow them."""
    if change.pool is None:
        return ()
    known = {p: Counter(w.word for w in state.words[p]) for p in state.players}
    seen = {p: Counter((change.words or {}).get(p, ())) for p in state.players} if change.words is not None else known
    added = [(p, w) for p in state.players for w in (seen[p] - known[p]).elements()]
    gone = [(p, w) for p in state.players for w in (known[p] - seen[p]).elements()]
    actions: list[Action] = []
    now = state
    used: Counter[str] = Counter()
    claims: list[Action] = []
    for player, word in added:
        data: dict[str, JsonValue] = {"word": word}
        old = next(((p, w) for p, w in gone if not Counter(w) - Counter(word) and len(w) < len(word)), None)
        if old:
            gone.remove(old)
            data |= {"steal": old[1], "from_player": old[0]}
        used += Counter(word) - Counter(old[1] if old else "")
        claims.append(Action("claim", player, None, data))
    if gone:
        return ()
    have = Counter(state.pool)
    first = used - have
    later = Counter(change.pool) - (have - used)
    if Counter(state.pool) - used - Counter(change.pool):
        return ()  # a pool tile went nowhere
    flips = [*sorted(first.elements()), *()]
    for letter in flips:
        actions.append(Action("flip", None, None, {"letter": letter}))
    actions += claims
    actions += [Action("flip", None, None, {"letter": x}) for x in sorted(later.elements())]
    for action in actions:
        now, verdict = apply(game, now, action)
        if isinstance(verdict, Refused):
            return ()
    return (Candidate(tuple(actions), "seen"),) if actions else ()
