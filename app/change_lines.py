"""What is said when something known was put right: the correction alone, not the game again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.ledger import Done, Ledger, player_of

PLAYS = frozenset({"place", "tile", "scrab", "claim"})


def lines_of_change(before: Ledger, after: Ledger, kind: str) -> tuple[str, ...]:
    """What people did to the list of plays, in words.

    Args:
        before: the game as it was known.
        after: the game as it is known now.
        kind: `undo`, or `correct` for anything else that was put right.
    """
    old, new = before.done, after.done
    at = _first_difference(before, after)
    if at < len(old) and [d.entry for d in new[at:]] == [d.entry for d in old[at + 1 :]]:
        gone = "Taken back" if kind == "undo" else "Left out"
        return (f"{gone}: {_named(old[at])}.", *_totals(before, after))
    if kind == "undo":
        return ("The correction is taken back.", *_totals(before, after))
    if at == len(new):
        return ()
    lost = len(old) - len(new)
    dropped = (f"{'One later play is' if lost == 1 else f'{lost} later plays are'} left out.",)
    return (*_replaced(old[at], new[at]), *(dropped if lost > 0 else ()), *_totals(before, after))


def lines_put_right(before: Ledger, after: Ledger, photo: int) -> tuple[str, ...]:
    """What a picture showed to have been read wrongly before it, in words; the newest play aside.

    Args:
        before: the game as it was known.
        after: the game as it is known now.
        photo: the number of the picture that showed it.
    """
    at = _first_difference(before, after)
    if at >= min(len(before.done), len(after.done)):
        return ()
    old, new = before.done[at], after.done[at]
    if new.entry.photo >= photo or old.entry.action.kind != new.entry.action.kind:
        return ()
    return _replaced(old, new)


def told_anew(before: Ledger, after: Ledger) -> tuple[Done, ...]:
    """What a game holds after people said which plays were made, and did not hold before."""
    at = _first_difference(before, after)
    known = [done.entry for done in before.done[at:]]
    return tuple(done for done in after.done[at:] if done.entry not in known)


def _first_difference(before: Ledger, after: Ledger) -> int:
    same = 0
    for old, new in zip(before.done, after.done, strict=False):
        if old.entry != new.entry:
            break
        same += 1
    return same


def _replaced(old: Done, new: Done) -> tuple[str, ...]:
    was, now = _word(old), _word(new)
    if was == now or not now:
        return ("Corrected.",)
    points = new.verdict.result.get("turn_score")
    worth = f" for {points}" if isinstance(points, int) else ""
    return (f"Correction: {now}{worth}, not {was or 'what was said'}.",)


def _named(done: Done) -> str:
    """A play by its player and word, anything else by its name."""
    player = done.entry.action.player or player_of(done)
    word = _word(done)
    what = word or done.entry.action.kind.replace("_", " ")
    return f"{what} of {player}" if player else what


def _word(done: Done) -> str:
    """The main word of a play; empty for what lays none, and for what is private."""
    if done.entry.action.kind not in PLAYS:
        return ""
    words: Any = done.verdict.result.get("words")
    if isinstance(words, (list, tuple)) and words:
        first = words[0]
        return str(first.get("word", "")) if isinstance(first, Mapping) else str(first)
    return str(done.verdict.result.get("word") or done.entry.action.data.get("word") or "")


def _totals(before: Ledger, after: Ledger) -> tuple[str, ...]:
    """Whose score is another now."""
    was = before.game.view(before.state, None).get("scores") or {}
    now = after.game.view(after.state, None).get("scores") or {}
    changed = [f"{name} has {points}" for name, points in now.items() if was.get(name) != points]
    return (f"{', '.join(changed)}.",) if changed else ()
