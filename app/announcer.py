"""What is said of a photograph, in the order of rule 7."""

from __future__ import annotations

from collections.abc import Iterable

from app.beliefs import Sighting
from app.ledger import Done, Ledger
from engine.notation import spoken
from engine.rules import Event
from engine.table import Square


def public_events(done: Iterable[Done]) -> list[Event]:
    """The events that everybody may know, without a game's own bookkeeping."""
    return [
        event
        for entry in done
        for event in entry.events
        if event.visible_to is None and not event.kind.startswith("_")
    ]


def _of_cards(sighting: Sighting) -> list[str]:
    """Ship cards that are missing, or lie where they do not belong (SS-20)."""
    lines = [f"The strip from {_ends(card)} is still to be laid." for card in sighting.due_cards]
    if sighting.wrong_card:
        lines.append(f"A strip lies from {_ends(sighting.wrong_card)}; no ship was sunk there.")
    return lines


def _ends(card: Iterable[Square]) -> str:
    first, *_, last = sorted(card)
    return f"{spoken(first)} to {spoken(last)}"


def spoken_lines(ledger: Ledger, done: Iterable[Done], sighting: Sighting) -> list[str]:
    """The lines for what was done, then for what could not be done or must be asked."""
    lines: list[str] = []
    for entry in done:
        for event in entry.events:
            if event.visible_to is None:
                lines += ledger.game.announce(entry.state, event)
    lines += _of_cards(sighting)
    if sighting.missed:
        names = ", ".join(spoken(s) for s in sighting.missed)
        lines.append(f"The last explosion is not cleared up: see to {names}.")
    if sighting.refused is not None:
        lines.append(sighting.refused.message)
    elif sighting.question is not None:
        lines.append(sighting.question.prompt)
    elif sighting.note == "set-up":
        lines.append("The board is empty again; the game has not begun.")
    return lines
