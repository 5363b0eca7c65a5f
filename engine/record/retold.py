"""Announcements of changes to a game: corrections, take-backs, omissions, replays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from types import MappingProxyType
from typing import Any, Final

from kibitz.engine.phrases import Phrase, counted, listed, phrase
from kibitz.engine.record.history import lines_said
from kibitz.engine.record.ledger import (
    PLAYS,
    Done,
    Ledger,
    is_taken_back,
    player_of,
    public_view,
    tiles_of,
)
from kibitz.engine.rules import Action


def lines_of_change(
    before: Ledger, after: Ledger, kind: str, unheard: int | None = None
) -> tuple[str, ...]:
    """Announcements of what people changed in the list of plays.

    Args:
        before: the game as it was known.
        after: the game as it is known now.
        kind: `undo`, `redo`, or `correct` for anything else that was put right.
        unheard: the picture whose plays nobody was told of so far, if there is one.
    """
    old, new = before.done, after.done
    at = _first_difference(before, after)
    if at < len(old) and [d.entry for d in new[at:]] == [d.entry for d in old[at + 1 :]]:
        play = _tiles_named(old[at])
        if (back := _taken_back(old, at)) is not None:
            return (phrase("Put back: {play}.", play=back), *_totals(before, after))
        gone = phrase("Taken back: {play}.") if kind == "undo" else phrase("Left out: {play}.")
        return (gone.filled(play=play), *_totals(before, after))
    if kind == "redo" and at == len(old) and len(new) == at + 1:
        play = _tiles_named(new[at])
        if (back := _taken_back(new, at)) is not None:
            return (phrase("Taken back: {play}.", play=back), *_totals(before, after))
        return (phrase("Put back: {play}.", play=play), *_totals(before, after))
    if kind == "redo":
        return (phrase("The last step counts again."), *_totals(before, after))
    if kind == "undo":
        return (phrase("The correction is undone."), *_totals(before, after))
    if at == len(new):
        if before.opening.initial != after.opening.initial:
            return (phrase("Corrected."), *_totals(before, after))
        if at < len(old) and (back := _taken_back(old, at)) is not None:
            return (phrase("Put back: {play}.", play=back), *_totals(before, after))
        return ()
    if at == len(old):
        return ()  # more was played, and nothing of what was known is another
    lost = len(old) - len(new)
    dropped = (counted("One later play is left out.", "{count} later plays are left out.", lost),)
    return (
        *_replaced(old[at], new[at]),
        *_said_otherwise(before, after, at + 1, unheard),
        *(dropped if lost > 0 else ()),
        *_totals(before, after),
    )


def _said_otherwise(
    before: Ledger, after: Ledger, since: int, unheard: int | None
) -> tuple[str, ...]:
    """Announcements of later plays whose words or results changed.

    Other points alone are in the totals.
    """
    pairs = zip(before.done[since:], after.done[since:], strict=False)
    same = (x for x in pairs if x[0].entry == x[1].entry and x[1].entry.photo != unheard)
    other = [new for old, new in same if _came_to(old) != _came_to(new)]
    return tuple(lines_said(after, other))


def _came_to(done: Done) -> tuple[str, list[str]]:
    """Word of a play, and kinds of its events."""
    return _word(done), [event.kind for event in done.verdict.events]


def lines_put_right(
    before: Ledger, after: Ledger, photo: int, unheard: int | None = None
) -> tuple[str, ...]:
    """Announcements of misreadings that a picture corrected, without the newest play.

    Args:
        before: the game as it was known.
        after: the game as it is known now.
        photo: the number of the picture that showed it.
        unheard: the picture whose plays nobody was told of so far, if there is one.
    """
    at = _first_other_deed(before, after)
    if at >= min(len(before.done), len(after.done)):
        return ()
    if before.done[at] in plays_gone_on(before, after, photo):
        return ()
    if moved := line_of_move(before, after, photo):
        return (moved,)
    new = _instead(before, after, at)
    old = _before_it(before, at, new)
    if new.entry.photo >= photo or old.entry.action.kind != new.entry.action.kind:
        return ()
    replaced = () if old.entry.photo == unheard else _replaced(old, new)
    return (*replaced, *_said_otherwise(before, after, at + 1, unheard))


def line_of_move(before: Ledger, after: Ledger, photo: int) -> str:
    """Announcement that a known play lies on other squares; empty if none does."""
    at = _first_other_deed(before, after)
    if at >= min(len(before.done), len(after.done)):
        return ""
    old, new = before.done[at], _instead(before, after, at)
    if not _is_laid_elsewhere(old, new, photo):
        return ""
    if not (word := _word(old)):
        return phrase("The play is taken up and laid elsewhere.")
    return phrase("{word} is taken up and laid elsewhere.", word=word)


def plays_gone_on(before: Ledger, after: Ledger, photo: int) -> tuple[Done, ...]:
    """Plays known before a picture that are part of a play in it.

    Args:
        before: the game as it was known.
        after: the game as it is known now.
        photo: the number of the picture.
    """
    at = _first_difference(before, after)
    new = [d for d in after.done[at:] if d.entry.photo == photo and not d.entry.told]
    return tuple(d for d in before.done[at:] if any(_holds(n, d) for n in new))


def _holds(play: Done, part: Done) -> bool:
    """True if a play has all squares of an earlier one of the same player."""
    was, now = tiles_of(part.entry), tiles_of(play.entry)
    same = (part.entry.action.player or player_of(part)) == (
        play.entry.action.player or player_of(play)
    )
    return same and part.entry.photo < play.entry.photo and bool(was) and set(was) <= set(now)


def lines_of_answer(before: Ledger, after: Ledger, unheard: int | None = None) -> tuple[str, ...]:
    """Announcements after an answer about earlier plays: revised plays and scores.

    Args:
        before: the game as it was known.
        after: the game as it is known now.
        unheard: the picture whose plays nobody was told of so far, if there is one.
    """
    anew = told_anew(before, after)
    heard = [d for d in anew if d.entry.photo != unheard]
    later = after.done[: _first_difference(before, after) + len(anew)] != after.done
    return (*lines_said(after, heard), *(_totals(before, after) if later else ()))


def lines_of_letter(before: Ledger, after: Ledger, unheard: int | None = None) -> tuple[str, ...]:
    """Announcements after an answer about a letter: a new letter, or revised plays.

    Args:
        before: the game as it was known.
        after: the game as it is known now.
        unheard: the picture whose plays nobody was told of so far, if there is one.
    """
    was, now = ([(d.entry.photo, d.entry.action.kind) for d in x.done] for x in (before, after))
    if was == now:
        return lines_of_change(before, after, "correct", unheard)
    return lines_of_answer(before, after, unheard)


def _is_laid_elsewhere(old: Done, new: Done, photo: int) -> bool:
    """True if a play of this picture is an earlier one on other squares."""
    was, now = (d.entry.action.data.get("tiles") for d in (old, new))
    if not isinstance(was, Mapping) or not isinstance(now, Mapping):
        return False
    return old.entry.photo < photo == new.entry.photo and not set(was) <= set(now)


def told_anew(before: Ledger, after: Ledger) -> tuple[Done, ...]:
    """Entries that a game has after an answer about plays and did not have before."""
    at = _first_difference(before, after)
    entries = [d.entry for d in before.done[at:]]
    said = [d.deed for d in before.done[at:]]
    return tuple(d for d in after.done[at:] if d.entry not in entries and d.deed not in said)


def _first_difference(before: Ledger, after: Ledger) -> int:
    same = 0
    for old, new in zip(before.done, after.done, strict=False):
        if old.entry != new.entry:
            break
        same += 1
    return same


def _first_other_deed(before: Ledger, after: Ledger) -> int:
    """Index of the first entry whose action or result differs, in any picture."""
    pairs = zip(before.done, after.done, strict=False)
    alike = (x.deed == y.deed for x, y in pairs)
    return len(list(takewhile(bool, alike)))


def _instead(before: Ledger, after: Ledger, at: int) -> Done:
    """The first new entry that the game did not have before."""
    known = [d.deed for d in before.done[at:]]
    return next((d for d in after.done[at:] if d.deed not in known), after.done[at])


def _before_it(before: Ledger, at: int, new: Done) -> Done:
    """The former entry of the same picture and kind, else the first that differs now."""
    kind, photo = new.entry.action.kind, new.entry.photo
    known = (d for d in before.done[at:] if not d.entry.told and d.entry.photo == photo)
    return next((d for d in known if d.entry.action.kind == kind), before.done[at])


def _replaced(old: Done, new: Done) -> tuple[str, ...]:
    was, now = _word(old) or _letter(old), _word(new) or _letter(new)
    if was == now or not now:
        return (phrase("Corrected."),)
    points = new.verdict.result.get("turn_score")
    old_word: str = was or phrase("what was said")
    if isinstance(points, int):
        return (
            phrase(
                "Correction: {word} for {points}, not {old}.",
                word=now,
                points=points,
                old=old_word,
            ),
        )
    return (phrase("Correction: {word}, not {old}.", word=now, old=old_word),)


def _letter(done: Done) -> str:
    """Letter of a loose tile that was turned up."""
    return (
        str(done.entry.action.data.get("letter", "")) if done.entry.action.kind == "flip" else ""
    )


def _taken_back(done: Sequence[Done], at: int) -> str | None:
    """The play that an entry takes back, by player and word; None if it takes back none."""
    back = done[at].entry.action
    if back.kind != "take_back":
        return None
    return next((_tiles_named(d) for d in done[:at] if is_taken_back(d.entry, back)), None)


def _tiles_named(done: Done) -> str:
    """A play by its player and word, other entries by name."""
    player = done.entry.action.player or player_of(done)
    word = _word(done)
    one_tile = "".join(tiles_of(done.entry).values()) if done.entry.action.kind == "tile" else ""
    what = word or one_tile or deed_named(done.entry.action)
    return phrase("{play} of {player}", play=what, player=player) if player else what


DEEDS: Final[Mapping[str, Phrase]] = MappingProxyType(
    {
        "place": phrase("place"),
        "pass": phrase("pass"),
        "exchange": phrase("exchange"),
        "challenge": phrase("challenge"),
        "withdraw": phrase("withdraw"),
        "take_back": phrase("take back"),
        "answer": phrase("answer"),
        "claim": phrase("claim"),
        "flip": phrase("flip"),
        "go": phrase("go"),
        "discard": phrase("discard"),
        "draw": phrase("draw"),
        "begin": phrase("begin"),
        "racks": phrase("racks"),
        "rule": phrase("rule"),
        "fleet": phrase("fleet"),
        "press_clock": phrase("clock pressed"),
        "set_position": phrase("set position"),
        "end_game": phrase("end of the game"),
        "abandon": phrase("end of the game"),
    }
)
"""What people do, as corrections name it; other actions keep the names that programs use."""


def deed_named(action: Action) -> str:
    """Name of an action."""
    return DEEDS.get(action.kind, action.kind.replace("_", " "))


def _word(done: Done) -> str:
    """Main word of a play; empty if nothing was laid or it is private."""
    if done.entry.action.kind not in PLAYS:
        return ""
    words: Any = done.verdict.result.get("words")
    if isinstance(words, (list, tuple)) and words:
        first = words[0]
        return str(first.get("word", "")) if isinstance(first, Mapping) else str(first)
    return str(done.verdict.result.get("word") or done.entry.action.data.get("word") or "")


def _totals(before: Ledger, after: Ledger) -> tuple[str, ...]:
    """Announcements of changed scores."""
    was = public_view(before.game, before.state).get("scores") or {}
    now = public_view(after.game, after.state).get("scores") or {}
    changed = [
        phrase("{player} has {points}", player=name, points=points)
        for name, points in now.items()
        if was.get(name) != points
    ]
    return (phrase("{scores}.", scores=listed(changed, ", ")),) if changed else ()
