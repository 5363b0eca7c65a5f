"""Corrections: one entry of a game is replaced, and everything after it is replayed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kibitz.engine.phrases import SquareName, listed, phrase, several
from kibitz.engine.record.history import is_private
from kibitz.engine.record.ledger import Entry, Ledger, Opening, open_ledger
from kibitz.engine.record.retold import deed_named
from kibitz.engine.rules import Action, Refused, TileSetLike, action_from_json
from kibitz.engine.table import (
    EMPTY,
    UNKNOWN_BLANK,
    Square,
    board_rows,
    parse_square,
    square_named,
)
from kibitz.engine.telling import letter_told, with_signs

LETTER_WANTED = (
    "Expected as 'letter' a capital, a small letter for a blank, '?' for a blank whose letter "
    'is not known, or "" for no tile'
)


def corrected(ledger: Ledger, data: Mapping[str, Any]) -> Ledger | Refused:
    """The game after a correction.

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
    if isinstance(data.get("letter"), str):
        told = with_signs(Action("tile", data=data), ledger.opening.materials.tile_set)
        data = told.data
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


def changes_nothing(ledger: Ledger, data: Mapping[str, Any]) -> bool:
    """True if a correction would change nothing."""
    right = corrected(ledger, data)
    if isinstance(right, Refused) or right.opening.initial != ledger.opening.initial:
        return False
    return [d.entry for d in right.done] == [d.entry for d in ledger.done]


def as_correction(
    action: Action, tile_set: TileSetLike, *, apart: bool = False
) -> Action | Refused:
    """The correction that an answer about a letter stands for.

    Args:
        action: the answer.
        tile_set: what stands on the tiles.
        apart: whether its square is named `2:H8`, as where a game has two boards apart.
    """
    letter = letter_told(action, tile_set)
    if len(letter) != 1 or not letter.isalpha():
        return Refused("bad_action", f"Expected the letter that the tile shows, got {letter!r}.")
    data = {"square": action.data.get("square"), "letter": letter}
    board, _, square = str(data["square"]).rpartition(":")
    if apart and board in ("1", "2"):
        data = {"square": square, "letter": letter, "board": int(board)}
    return replace(action, kind="correct", data=data)


def _later(entry: Entry, index: int, first: Refused, count: int, *, hide: bool) -> Refused:
    """Refusal of a correction that would invalidate a later entry; a secret one is not named."""
    action = entry.action
    named = {"action": action.kind, "player": action.player} if hide else action.to_json()
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
        {"code": first.code, "refused": count, "entry": index, "action": named},
    )


def _played_again(
    before: Ledger, entries: list[Entry]
) -> tuple[Ledger, list[tuple[int, Refused]]]:
    """The game replayed from its entries, and those that no longer hold, with their numbers."""
    ledger, refused = before.as_far_as(entries), []
    for index, entry in enumerate(entries[len(ledger.done) :], len(ledger.done)):
        ledger, verdict = ledger.add(entry, again=True)
        # a task ticked off is no longer one when the play before it turns out to be another
        if isinstance(verdict, Refused) and entry.action.kind != "tidy":
            refused.append((index, verdict))
    return ledger, refused


def _named(action: Action) -> str:
    """A later action as people know it: player, kind and place."""
    tiles = action.data.get("tiles")
    what = deed_named(action)
    if action.player:
        named = phrase("{player}'s later {play}", player=action.player, play=what)
    else:
        named = phrase("a later {play}", play=what)
    if not isinstance(tiles, Mapping):
        return named
    squares = listed(map(SquareName, sorted(map(str, tiles))), ", ")
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
            phrase("There is no tile on {square} to take away.", square=SquareName(named)),
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
        phrase(
            "There is no play yet that a tile on {square} could be part of.",
            square=SquareName(named),
        ),
        (square,),
    )


def _is_face(letter: str) -> bool:
    """True if the text is one letter, `?` for a blank without a name, or empty for no tile."""
    return letter in ("", "?") or (len(letter) == 1 and letter.isalpha())


def _with_set(
    entries: list[Entry], data: Mapping[str, Any], players: tuple[str, ...]
) -> list[Entry] | Refused:
    """Entries with a tile marked as the other colour: it came from the partner's board (SH-22)."""
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
        "no_tile",
        phrase("There is no tile on {square}.", square=SquareName(square.name)),
        (square,),
    )


def _relettered(entry: Entry, square: Square, letter: str, *, facing: bool) -> Entry | None:
    """The entry with another letter on a square; None if it laid nothing there."""
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
    """A scanned board with another letter on a square; None if the entry is no scanned board.

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
    return entry.with_data(data)


def _with_start(opening: Opening, entries: list[Entry], data: Mapping[str, Any]) -> Opening | None:
    """The opening with another letter on its starting board; None if no tile lay there."""
    initial, letter = opening.initial or {}, str(data.get("letter") or "")
    if "set" in data or len(letter) > 1 or not (letter in ("", UNKNOWN_BLANK) or letter.isalpha()):
        return None
    try:
        square = parse_square(str(data["square"]), opening.game.info.surface.side)
    except ValueError:
        return None
    facing, index = opening.game.info.surface.facing, int(data.get("board") or 1) - 1
    boards = initial.get("boards") or [board_rows(initial)]
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
    return entry.with_data({**entry.action.data, "tiles": tiles})


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
    """Entries in which another player made a play; those to move before them passed unheard."""
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
