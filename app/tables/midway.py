"""Tables whose record begins in the middle of a game, as one that was begun on paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from kibitz.app.common.errors import UsageError
from kibitz.app.common.materials.starts import checked_start, start_of
from kibitz.engine.phrases import counted, listed, phrase, several
from kibitz.engine.record.ledger import TOLD_FOR_GOOD, Ledger, Opening, fold
from kibitz.engine.record.start import is_midway
from kibitz.engine.rules import JsonValue, Refused
from kibitz.engine.tiles.surplus import surplus_letters
from kibitz.engine.tracking.evidence.hypotheses import rules_grid
from kibitz.engine.words.formed import word_of

BEGIN_FROM: Final = "begin_from"
"""Action by which the host gives the position that this table's record begins from."""

SECRET: Final = frozenset({"fleets", "racks", "hands", "scrab"})
"""Fields of a position that not everybody may see while the game is being played."""

_NO_PLAY = (
    *TOLD_FOR_GOOD, "set_position", "racks", "press_clock", "deal_info", "tick", "begin", "draw",
)  # fmt: skip
"""Actions that may come before a position is told, as none of them is a play."""


def start_for(opening: Opening, position: Mapping[str, Any]) -> dict[str, JsonValue]:
    """A position in the form that a game's rules take.

    Raises:
        ValueError: it is none; the message begins with the field.
    """
    try:
        given = start_of(position).position
    except UsageError as error:
        raise ValueError(str(error).removeprefix("start: ")) from error
    return checked_start(
        opening.game.info, opening.players, opening.options, opening.materials, given
    )


def begun_from(before: Ledger, data: Mapping[str, Any]) -> Ledger | Refused:
    """The same game with a starting position that its host gives.

    What people told for the whole game stays, as the fleets do.

    Args:
        before: the game so far.
        data: `start`, the position; `anyway`, to drop the plays that are there.

    Returns:
        The game with nothing played, or why it cannot be so.
    """
    position = data.get("start")
    if not isinstance(position, Mapping) or not position:
        return Refused("bad_action", "Expected a position as 'start'; see the fields of the game.")
    played = [d for d in before.done if d.entry.action.kind not in _NO_PLAY]
    if played and data.get("anyway") is not True:
        message = counted(
            "{count} entry is in the record already; tell it with 'anyway' to drop it, or open a "
            "new table.",
            "{count} entries are in the record already; tell it with 'anyway' to drop them, or "
            "open a new table.",
            len(played),
        )
        return Refused("game_begun", message)
    try:
        start = start_for(before.opening, position)
        opening = replace(before.opening, initial=start)
        entries = [
            d.entry for d in before.done if d.entry.told and d.entry.action.kind in TOLD_FOR_GOOD
        ]
        after, refused = fold(opening, entries)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return Refused(
            "cannot_begin", phrase("The game cannot begin from there: {why}.", why=error)
        )
    if refused:
        return Refused(
            "cannot_begin",
            phrase("The game cannot begin from there: {why}", why=refused[0].message),
        )
    return after


def midway_of(ledger: Ledger) -> bool:
    """True if a record begins in the middle of a game."""
    return is_midway(ledger.game.info, ledger.opening.initial)


def strange_words(ledger: Ledger) -> list[str]:
    """Words of the starting position that are not in the list: often typing errors."""
    info = ledger.game.info
    if info.surface.kind == "loose" or info.surface.facing or info.tile_by_tile:
        return []
    grid = rules_grid(ledger.game, ledger.start)
    materials = ledger.opening.materials
    words = dict.fromkeys(word_of(grid, run, materials.tile_set) for run in grid.runs())
    return [w for w in words if "?" not in w and not materials.is_word(w)]


def many_letters(ledger: Ledger) -> list[str]:
    """Letters of the starting position beyond the set's counts."""
    opening = ledger.opening
    info, start = opening.game.info, opening.initial or {}
    return surplus_letters(info, opening.players, opening.options, opening.materials, start)


def lines_of_start(ledger: Ledger) -> tuple[str, ...]:
    """Announcements of a record that begins from a position."""
    view = ledger.game.view(ledger.start, None)
    scores = view.get("scores") if ledger.game.info.counts_points else None
    begins = phrase("The record begins here.")
    if scores:
        parts = listed(
            (phrase("{player} {points}", player=p, points=n) for p, n in scores.items()), ", "
        )
        begins = phrase("The record begins here: {scores}.", scores=parts)
    mover = view.get("to_move")
    to_move = phrase("{player} to move.", player=mover) if isinstance(mover, str) else ""
    out: list[str] = [several(begins, to_move)]
    if strange := strange_words(ledger):
        words = listed(strange, ", ")
        out.append(phrase("Not in the list: {words}. Please check the board.", words=words))
    if many := many_letters(ledger):
        named = listed((phrase("blanks") if x == "?" else x for x in many), ", ")
        out.append(
            phrase(
                "More than there are in the set: {letters}. Please check the board.", letters=named
            )
        )
    return tuple(out)


def start_json(ledger: Ledger) -> dict[str, JsonValue] | None:
    """Public starting position of a record; None at the beginning of a game."""
    return dict(ledger.game.view(ledger.start, None)) if midway_of(ledger) else None
