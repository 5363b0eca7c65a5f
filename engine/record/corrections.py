"""A person's correction: one entry is replaced and everything after it is replayed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from types import MappingProxyType
from typing import Any, Final

from kibitz.engine.phrases import Phrase, counted, listed, phrase, several
from kibitz.engine.record.history import is_private, lines_said
from kibitz.engine.record.ledger import (
    Done,
    Entry,
    Ledger,
    Opening,
    is_taken_back,
    open_ledger,
    player_of,
    tiles_of,
)
from kibitz.engine.rules import Action, Refused, action_from_json
from kibitz.engine.table import EMPTY, UNKNOWN_BLANK, Square, parse_square, square_named

PLAYS = frozenset({"place", "tile", "scrab", "claim"})
LETTER_WANTED = (
    "Expected as 'letter' a capital, a small letter for a blank, '?' for a blank whose letter "
    'is not known, or "" for no tile'
)


def lines_of_change(
    before: Ledger, after: Ledger, kind: str, unheard: int | None = None
) -> tuple[str, ...]:
    """What people did to the list of plays, in words.

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
        return (phrase("The correction is taken back."), *_totals(before, after))
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
    """What is to be said of later plays that have other words now, or come to something else.

    Other points alone are in the totals.
    """
    pairs = zip(before.done[since:], after.done[since:], strict=False)
    same = (x for x in pairs if x[0].entry == x[1].entry and x[1].entry.photo != unheard)
    other = [new for old, new in same if _came_to(old) != _came_to(new)]
    return tuple(lines_said(after, other))


def _came_to(done: Done) -> tuple[str, list[str]]:
    """The word of a play, and the kinds of what happened."""
    return _word(done), [event.kind for event in done.events]


def lines_put_right(
    before: Ledger, after: Ledger, photo: int, unheard: int | None = None
) -> tuple[str, ...]:
    """What a picture showed to have been read wrongly before it, in words; the newest play aside.

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
    return (*_replaced(old, new), *_said_otherwise(before, after, at + 1, unheard))


def line_of_move(before: Ledger, after: Ledger, photo: int) -> str:
    """That a play known before a picture lies on other squares in it; empty if none does."""
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
    """Plays that were known before a picture, and are part of a play that it shows.

    Args:
        before: the game as it was known.
        after: the game as it is known now.
        photo: the number of the picture.
    """
    at = _first_difference(before, after)
    new = [d for d in after.done[at:] if d.entry.photo == photo and not d.entry.told]
    return tuple(d for d in before.done[at:] if any(_holds(n, d) for n in new))


def _holds(play: Done, part: Done) -> bool:
    """Whether a play has all the squares of an earlier one of the same player."""
    was, now = tiles_of(part.entry), tiles_of(play.entry)
    same = (part.entry.action.player or player_of(part)) == (
        play.entry.action.player or player_of(play)
    )
    return same and part.entry.photo < play.entry.photo and bool(was) and set(was) <= set(now)


def lines_of_answer(before: Ledger, after: Ledger, unheard: int | None = None) -> tuple[str, ...]:
    """What an answer about earlier plays comes to, in words: the plays told anew, and scores.

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
    """What an answer about a letter comes to, in words: another letter, or other plays.

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
    """Whether a play of this picture is an earlier one on other squares."""
    was, now = (d.entry.action.data.get("tiles") for d in (old, new))
    if not isinstance(was, Mapping) or not isinstance(now, Mapping):
        return False
    return old.entry.photo < photo == new.entry.photo and not set(was) <= set(now)


def told_anew(before: Ledger, after: Ledger) -> tuple[Done, ...]:
    """What a game holds after people said which plays were made, and did not hold before."""
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
    """The same of what was done and came of it, in whichever picture it is thought to show."""
    pairs = zip(before.done, after.done, strict=False)
    alike = (x.deed == y.deed for x, y in pairs)
    return len(list(takewhile(bool, alike)))


def _instead(before: Ledger, after: Ledger, at: int) -> Done:
    """What stands now for the first entry that is another: none that only moved up."""
    known = [d.deed for d in before.done[at:]]
    return next((d for d in after.done[at:] if d.deed not in known), after.done[at])


def _before_it(before: Ledger, at: int, new: Done) -> Done:
    """What was known of the picture of an entry; of none, the first entry that is another now."""
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
    """The letter of a loose tile that was turned up."""
    return (
        str(done.entry.action.data.get("letter", "")) if done.entry.action.kind == "flip" else ""
    )


def _taken_back(done: Sequence[Done], at: int) -> str | None:
    """The play that an entry takes back, by its player and word; None if it takes back none."""
    back = done[at].entry.action
    if back.kind != "take_back":
        return None
    return next((_tiles_named(d) for d in done[:at] if is_taken_back(d.entry, back)), None)


def _tiles_named(done: Done) -> str:
    """A play by its player and word, anything else by its name."""
    player = done.entry.action.player or player_of(done)
    word = _word(done)
    one_tile = "".join(tiles_of(done.entry).values()) if done.entry.action.kind == "tile" else ""
    what = word or one_tile or _deed(done.entry.action)
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
        "press_clock": phrase("press clock"),
        "set_position": phrase("set position"),
        "end_game": phrase("end of the game"),
        "abandon": phrase("end of the game"),
    }
)
"""What people do, as corrections name it; other actions keep the names that programs use."""


def _deed(action: Action) -> str:
    return DEEDS.get(action.kind, action.kind.replace("_", " "))


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
    changed = [
        phrase("{player} has {points}", player=name, points=points)
        for name, points in now.items()
        if was.get(name) != points
    ]
    return (phrase("{scores}.", scores=listed(changed, ", ")),) if changed else ()


def corrected(ledger: Ledger, data: Mapping[str, Any]) -> Ledger | Refused:
    """The game with one thing put right.

    Args:
        ledger: the game so far.
        data: either `square` and `letter` (a capital, a small letter for a blank, `?` for a blank
            whose letter is not known, or "" for no tile), or `entry` (its number in the
            history) and `with` (the action that it should have been, or null to leave it out),
            or `entry` and `player` (who did it; those whose turn it was before passed),
            or `square` and `set` (`own` or `other`: of which of two colours the tile is).
            `board` says which board the square is on where there are two. `anyway` drops later
            entries that then no longer hold.

    Returns:
        The new game, or why it cannot be put right like this.
    """
    entries = [done.entry for done in ledger.done]
    secret = {id(done.entry) for done in ledger.done if is_private(done)}
    if "entry" in data and data.get("with", True) is not None:
        index = _index(entries, data)
        if not isinstance(index, Refused) and id(entries[index]) in secret:
            return Refused(
                "private_entry",
                phrase("What only some players may know is told anew by them, or left out."),
            )
    opening = ledger.opening
    changed: list[Entry] | Refused
    if "square" in data and (begun := _with_start(opening, entries, data)) is not None:
        opening, changed = begun, entries
    elif "square" in data and "set" in data:
        changed = _with_set(entries, data, ledger.opening.players)
    elif "square" in data:
        changed = _with_square(entries, data, ledger.opening)
    elif "entry" in data and "player" in data:
        changed = _with_player(ledger, entries, data)
    elif "entry" in data and "with" in data:
        changed = _with_entry(entries, data)
    else:
        return Refused(
            "bad_action", "Expected 'square' and 'letter', or 'entry' and 'with' or 'player'."
        )
    if isinstance(changed, Refused):
        return changed
    start = ledger if opening is ledger.opening else open_ledger(opening)
    after, refused = _played_again(start, changed)
    if refused and not data.get("anyway"):
        index, first = refused[0]
        return _later(
            changed[index], index, first, len(refused), hide=id(changed[index]) in secret
        )
    return after


def is_so(ledger: Ledger, data: Mapping[str, Any]) -> bool:
    """Whether a correction would change nothing; see `corrected`."""
    right = corrected(ledger, data)
    if isinstance(right, Refused) or right.opening.initial != ledger.opening.initial:
        return False
    return [d.entry for d in right.done] == [d.entry for d in ledger.done]


def _later(entry: Entry, index: int, first: Refused, count: int, *, hide: bool) -> Refused:
    """Why a correction would cost a later entry; of a secret one only that there is one."""
    action = entry.action
    told = {"action": action.kind, "player": action.player} if hide else action.to_json()
    return Refused(
        "later_plays",
        several(
            phrase("With this correction {play} no longer holds.", play=_named(action))
            if hide
            else phrase(
                "With this correction {play} no longer holds: {why}",
                play=_named(action),
                why=first.message,
            ),
            phrase("Correct that too, or ask for the correction anyway."),
        ),
        () if hide else first.squares,
        {"code": first.code, "refused": count, "entry": index, "action": told},
    )


def _played_again(
    before: Ledger, entries: list[Entry]
) -> tuple[Ledger, list[tuple[int, Refused]]]:
    """The game played from its entries; those that no longer hold, with their numbers."""
    ledger, refused = before.as_far_as(entries), []
    for index, entry in enumerate(entries[len(ledger.done) :], len(ledger.done)):
        ledger, verdict = ledger.add(entry)
        # a task ticked off is no longer one when the play before it turns out to be another
        if isinstance(verdict, Refused) and entry.action.kind != "tidy":
            refused.append((index, verdict))
    return ledger, refused


def _named(action: Action) -> str:
    """A later action as people know it: who did what, and where."""
    tiles = action.data.get("tiles")
    what = _deed(action)
    if action.player:
        named = phrase("{player}'s later {play}", player=action.player, play=what)
    else:
        named = phrase("a later {play}", play=what)
    if not isinstance(tiles, Mapping):
        return named
    squares = listed(sorted(map(str, tiles)), ", ")
    return phrase("{play} on {squares}", play=named, squares=squares)


def _with_square(
    entries: list[Entry], data: Mapping[str, Any], opening: Opening
) -> list[Entry] | Refused:
    try:
        square = parse_square(str(data["square"]), opening.game.info.surface.side)
    except ValueError as error:
        return Refused("bad_action", str(error))
    letter = data.get("letter")
    if not isinstance(letter, str) or not _is_face(letter):
        got = "none" if letter is None else repr(letter)[:60]
        return Refused("bad_action", f"{LETTER_WANTED}, got {got}.")
    board = data.get("board")
    if board not in (None, 1, 2):
        return Refused("bad_action", f"Expected board 1 or 2, got {board!r}.")
    there = list(range(len(entries) - 1, -1, -1))
    info = opening.game.info
    if board is not None and (seats := info.seats_per_board):
        seated = opening.players[seats * (board - 1) : seats * board]
        there = [i for i in there if entries[i].action.player in seated]
    facing, named = info.surface.facing, square.name_on(info.surface.rows)
    for i in there:
        new = _relettered(entries[i], square, letter, facing=facing)
        if new is not None:
            return [*entries[:i], *([new] if _holds_tiles(new) else []), *entries[i + 1 :]]
    if not letter:
        return Refused(
            "no_tile",
            phrase("There is no tile on {square} to take away.", square=named),
            (square,),
        )
    for i in there:
        if (new := _positioned(entries[i], square, letter, facing=facing)) is not None:
            return [*entries[:i], new, *entries[i + 1 :]]
        tiles = entries[i].action.data.get("tiles")
        if isinstance(tiles, Mapping) and tiles:
            name = _name_like(square, next(iter(tiles)))
            new = _with_tiles(entries[i], {**tiles, name: letter})
            return [*entries[:i], new, *entries[i + 1 :]]
    return Refused(
        "no_play",
        phrase("There is no play yet that a tile on {square} could be part of.", square=named),
        (square,),
    )


def _is_face(letter: str) -> bool:
    """Whether it is what a square can show: one letter, a blank not named, or no tile."""
    return letter in ("", "?") or (len(letter) == 1 and letter.isalpha())


def _with_set(
    entries: list[Entry], data: Mapping[str, Any], players: tuple[str, ...]
) -> list[Entry] | Refused:
    """A tile of the other colour: it came from the partner's board (SH-22)."""
    which, board = data["set"], data.get("board")
    if which not in ("own", "other") or board not in (None, 1, 2):
        return Refused("bad_action", f"Expected the set own or other, got {which!r}.")
    try:
        square = parse_square(str(data["square"]))
    except ValueError as error:
        return Refused("bad_action", str(error))
    seated = players if board is None else players[2 * board - 2 : 2 * board]
    for i in range(len(entries) - 1, -1, -1):
        action = entries[i].action
        tiles = action.data.get("tiles")
        if isinstance(tiles, Mapping) and square.name in tiles and action.player in seated:
            rest = [s for s in action.data.get("bonus", ()) if s != square.name]
            bonus = [*rest, square.name] if which == "other" else rest
            new = replace(action, data={**action.data, "bonus": bonus})
            return [*entries[:i], replace(entries[i], action=new), *entries[i + 1 :]]
    return Refused(
        "no_tile", phrase("There is no tile on {square}.", square=square.name), (square,)
    )


def _relettered(entry: Entry, square: Square, letter: str, *, facing: bool) -> Entry | None:
    """The entry with another letter on a square that it laid; None if it laid nothing there."""
    data = entry.action.data
    if entry.action.kind == "set_position":
        return _positioned(entry, square, letter, facing=facing, lies=True)
    tiles = data.get("tiles")
    if isinstance(tiles, Mapping):
        name = next((k for k in tiles if _same(str(k), square)), None)
        if name is None:
            return None
        rest = {k: v for k, v in tiles.items() if k != name}
        return _with_tiles(entry, {**rest, name: letter} if letter else rest)
    if "letter" in data and _same(str(data.get("square")), square):
        action = replace(entry.action, data={**data, "letter": letter})
        return replace(entry, action=action)
    return None


def _positioned(
    entry: Entry, square: Square, letter: str, *, facing: bool, lies: bool = False
) -> Entry | None:
    """A board that was taken over as it lay, with another letter; None if the entry is none.

    With `lies` only where a tile lies; with `facing` small letters are tiles that face North.
    """
    initial = entry.action.data.get("initial")
    if entry.action.kind != "set_position" or not isinstance(initial, Mapping):
        return None
    key = "board45" if "board45" in initial else "board"
    rows = [str(row) for row in initial[key]]
    if square.row >= len(rows) or square.col >= len(rows[square.row]):
        return None
    old = rows[square.row][square.col]
    if lies and old == EMPTY:
        return None
    new = letter or EMPTY
    if facing:
        new = new.lower() if old.islower() else new.upper()
    rows[square.row] = rows[square.row][: square.col] + new + rows[square.row][square.col + 1 :]
    data = {**entry.action.data, "initial": {**initial, key: rows}}
    return replace(entry, action=replace(entry.action, data=data))


def _with_start(opening: Opening, entries: list[Entry], data: Mapping[str, Any]) -> Opening | None:
    """The opening with another letter where a tile lay when the record begins; else None."""
    initial, letter = opening.initial or {}, str(data.get("letter") or "")
    if "set" in data or len(letter) > 1 or not (letter in ("", UNKNOWN_BLANK) or letter.isalpha()):
        return None
    try:
        square = parse_square(str(data["square"]), opening.game.info.surface.side)
    except ValueError:
        return None
    facing, index = opening.game.info.surface.facing, int(data.get("board") or 1) - 1
    boards = initial.get("boards") or [initial.get("board45") or initial.get("board") or []]
    rows = [str(row) for row in boards[index]] if 0 <= index < len(boards) else []
    if square.row >= len(rows) or rows[square.row][square.col : square.col + 1] in ("", EMPTY):
        return None
    if any(_relettered(e, square, letter, facing=facing) is not None for e in entries):
        return None
    old, new = rows[square.row][square.col], letter or EMPTY
    if facing:
        new = new.lower() if old.islower() else new.upper()
    rows[square.row] = rows[square.row][: square.col] + new + rows[square.row][square.col + 1 :]
    changed: dict[str, Any]
    if "boards" in initial:
        changed = {"boards": [rows if i == index else b for i, b in enumerate(boards)]}
    else:
        changed = {"board45" if initial.get("board45") else "board": rows}
    if not letter:  # a list of blanks or bonus tiles names only squares with tiles
        for name in ("blanks_2", "bonus_2") if index else ("blanks", "bonus"):
            if name in initial:
                changed[name] = [s for s in initial[name] if s != square.name]
    return replace(opening, initial={**initial, **changed})


def _with_tiles(entry: Entry, tiles: Mapping[str, str]) -> Entry:
    return replace(entry, action=replace(entry.action, data={**entry.action.data, "tiles": tiles}))


def _holds_tiles(entry: Entry) -> bool:
    data = entry.action.data
    if "initial" in data:
        return True
    return bool(data["tiles"]) if "tiles" in data else bool(data.get("letter"))


def _same(name: str, square: Square) -> bool:
    try:
        return square_named(name) == square
    except ValueError:
        return False


def _name_like(square: Square, example: str) -> str:
    return square.panel_name if ":" in example else square.name


def _with_entry(entries: list[Entry], data: Mapping[str, Any]) -> list[Entry] | Refused:
    index = _index(entries, data)
    if isinstance(index, Refused):
        return index
    instead = data.get("with")
    if instead is None:
        return [*entries[:index], *entries[index + 1 :]]
    try:
        action = action_from_json(dict(instead))
    except (ValueError, TypeError) as error:
        return Refused("bad_action", str(error))
    new = replace(entries[index], action=action)
    return [*entries[:index], new, *entries[index + 1 :]]


def _with_player(
    ledger: Ledger, entries: list[Entry], data: Mapping[str, Any]
) -> list[Entry] | Refused:
    """Somebody else did it: whoever was to move before them passed, and nobody said so."""
    index, players = _index(entries, data), ledger.opening.players
    if isinstance(index, Refused):
        return index
    if data["player"] not in players:
        known = ", ".join(players)
        return Refused("unknown_player", f"Expected one of {known}, got {data['player']!r}.")
    entry = entries[index]
    new = replace(entry, action=replace(entry.action, player=data["player"]))
    passes: list[Entry] = []
    until = ledger.as_far_as(entries[:index])
    for _ in players:
        _, verdict = until.add(new)
        mover = until.game.view(until.state, None).get("to_move")
        if not isinstance(verdict, Refused) or verdict.code != "not_your_turn":
            break
        passes.append(Entry(Action("pass", mover), entry.photo, told=True))
        until, _ = until.add(passes[-1])
    return [*entries[:index], *passes, new, *entries[index + 1 :]]


def _index(entries: list[Entry], data: Mapping[str, Any]) -> int | Refused:
    index = data["entry"]
    if isinstance(index, int) and not isinstance(index, bool) and 0 <= index < len(entries):
        return index
    most = len(entries) - 1
    return Refused("bad_action", f"Expected an entry from 0 to {most}, got {index!r}.")
