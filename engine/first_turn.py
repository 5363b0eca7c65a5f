"""Decides the first turn (CL-19, SS-7, FS-5, GS-3, SH-5, SB-3): drawn, told, or first in seating.

Players draw a tile each and tell it one by one, or the program draws for all; then the tiles come
with the action, because chance comes from outside. The tiles go back into the bag.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Protocol

from kibitz.engine.phrases import Phrase, counted, listed, phrase
from kibitz.engine.rules import (
    Accepted,
    Action,
    Event,
    JsonValue,
    Materials,
    Refused,
    TileSetLike,
    Verdict,
)
from kibitz.engine.table import UNKNOWN_BLANK

DREW, AGAIN, BEGINS = "drew", "draw_again", "begins"
EVENTS: Final = frozenset({DREW, AGAIN, BEGINS})
"""The events of this module; a game's `evolve` gives them to `first_after`."""

ALPHABETS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "de": "AÄBCDEFGHIJKLMNOÖPQRSTUÜVWXYZ",
        "fi": "ABCDEFGHIJKLMNOPQRSTUVWXYZÅÄÖ",
        "pl": "AĄBCĆDEĘFGHIJKLŁMNŃOÓPQRSŚTUVWXYZŹŻ",
    }
)
"""The order of letters by language, where A to Z is not all; other letters follow."""


@dataclass(frozen=True, slots=True)
class FirstTurn:
    """State of the draw for the first turn.

    Attributes:
        drawn: the tiles of those who drew in this round.
        asked: who draws in this round; everybody in the first one (None).
        begins: who has the first turn, once that is known.
    """

    drawn: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    asked: tuple[str, ...] | None = None
    begins: str | None = None


class DrawsFirst(Protocol):
    """State that the draw needs from a game."""

    @property
    def players(self) -> tuple[str, ...]:
        """Names in seating order."""
        ...

    @property
    def materials(self) -> Materials:
        """Words and tiles."""
        ...

    @property
    def first(self) -> FirstTurn:
        """State of the draw."""
        ...


def decide_first(state: DrawsFirst, action: Action, *, untouched: bool) -> Verdict | None:
    """Judge an action about the first turn; None if it is about something else.

    Args:
        state: the game.
        action: `begin` with `seat`; `draw` with `seat` and `letter` (`?` a blank), or with
            `rounds`, the tiles of all in each round, as the program drew them.
        untouched: whether nothing has been played yet.
    """
    drawing = action.kind == "draw" and ("letter" in action.data or "rounds" in action.data)
    if action.kind != "begin" and not drawing:
        return None
    if not untouched:
        return Refused(
            "already_begun", phrase("The game has begun; who begins is settled before that.")
        )
    if action.kind == "begin":
        seat = _seat(state, action)
        return seat if isinstance(seat, Refused) else _begins(seat)
    if "rounds" in action.data:
        return _rounds(state, action.data["rounds"])
    if state.first.begins is not None:
        message = phrase(
            "{player} begins already; undo that to draw anew.", player=state.first.begins
        )
        return Refused("already_drawn", message)
    seat = _seat(state, action)
    if isinstance(seat, Refused):
        return seat
    got = _drew(state, state.first, seat, action.data["letter"])
    return got if isinstance(got, Refused) else _accepted(state, got)


def _begins(seat: str) -> Accepted:
    return Accepted((Event(BEGINS, {"player": seat}),), {"begins": seat})


def _seat(state: DrawsFirst, action: Action) -> str | Refused:
    seat = action.data.get("seat", action.player)
    if isinstance(seat, str) and seat in state.players:
        return seat
    known = ", ".join(state.players)
    return Refused("bad_action", f"Expected as 'seat' one of {known}, got {seat!r:.60}.")


def _drew(
    state: DrawsFirst, first: FirstTurn, seat: str, letter: JsonValue
) -> list[Event] | Refused:
    """Events of one drawn tile, and of what it settles."""
    tile_set = state.materials.tile_set
    asked = state.players if first.asked is None else first.asked
    if seat not in asked:
        players = listed(asked, " and ")
        return Refused(
            "not_asked",
            phrase("{players} draw again, not {player}.", players=players, player=seat),
        )
    if seat in first.drawn:
        message = phrase(
            "{player} has drawn {letter} already.",
            player=seat,
            letter=_named(first.drawn[seat], tile_set),
        )
        return Refused("already_drawn", message)
    tile = tile_set.tiles_in(letter) if isinstance(letter, str) else ""
    count = tile_set.count(tile) if tile else 0
    if not count:
        wanted = "the letter of a tile of this set, or '?' for a blank"
        return Refused("bad_action", f"Expected {wanted}, got {letter!r:.60}.")
    if list(first.drawn.values()).count(tile) >= count:
        few = counted(
            "There is only one {letter} in the bag.",
            "There are only {count} {letter} in the bag.",
            count,
            letter=tile_set.word_of(tile),
        )
        return Refused("no_such_tile", few)
    events = [Event(DREW, {"seat": seat, "letter": tile})]
    drawn = {**first.drawn, seat: tile}
    if len(drawn) < len(asked):
        return events
    least = min(_place(x, tile_set) for x in drawn.values())
    lowest = [p for p in asked if _place(drawn[p], tile_set) == least]
    if len(lowest) > 1:
        return [*events, Event(AGAIN, {"seats": lowest})]
    return [*events, Event(BEGINS, {"player": lowest[0]})]


def _place(letter: str, tile_set: TileSetLike) -> tuple[int, str]:
    """Position of a tile in its alphabet, CH after C; a blank comes before A."""
    if letter == UNKNOWN_BLANK:
        return -1, ""
    known = ALPHABETS.get(tile_set.language, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    shown = tile_set.word_of(letter)
    return (known.index(shown[0]) if shown[0] in known else len(known)), shown


def _rounds(state: DrawsFirst, rounds: JsonValue) -> Verdict:
    """Judge a whole draw at once, as the program made it."""
    form = '[{"Ann": "C", "Bob": "E"}]'
    whole = isinstance(rounds, Sequence) and all(isinstance(r, Mapping) for r in rounds)
    if isinstance(rounds, str) or not whole:
        return Refused("bad_action", f"Expected rounds as {form}, got {rounds!r:.60}.")
    events: list[Event] = []
    first = FirstTurn()
    for drawn in rounds:
        for seat, letter in drawn.items():
            if first.begins is not None:
                return Refused("bad_action", f"{first.begins} begins after fewer rounds.")
            got = _drew(state, first, str(seat), letter)
            if isinstance(got, Refused):
                return got
            for event in got:
                first = first_after(first, event)
            events += got
    if first.begins is None:
        return Refused("bad_action", f"Expected rounds that settle who begins, as {form}.")
    return Accepted(tuple(events), {"begins": first.begins})


def _accepted(state: DrawsFirst, events: list[Event]) -> Accepted:
    """Verdict on a drawn tile: the first player, or who draws next."""
    first = state.first
    for event in events:
        first = first_after(first, event)
    waiting = [p for p in (first.asked or state.players) if p not in first.drawn]
    result = {"waiting": waiting} if first.begins is None else {"begins": first.begins}
    return Accepted(tuple(events), result)


def first_after(first: FirstTurn, event: Event) -> FirstTurn:
    """State of the draw after one of its events."""
    d = event.data
    if event.kind == DREW:
        drawn = {**first.drawn, str(d["seat"]): str(d["letter"])}
        return FirstTurn(MappingProxyType(drawn), first.asked, None)
    if event.kind == AGAIN:
        return FirstTurn(asked=tuple(map(str, d["seats"])))
    return FirstTurn(first.drawn, first.asked, str(d["player"]))


def beginner(event: Event, otherwise: str) -> str:
    """The player to move after an event of the draw."""
    return str(event.data["player"]) if event.kind == BEGINS else otherwise


def first_view(state: DrawsFirst, *, untouched: bool) -> dict[str, JsonValue]:
    """The draw in its public form; `open` while the first turn is not settled."""
    first = state.first
    asked = state.players if first.asked is None else first.asked
    waiting = [] if first.begins else [p for p in asked if p not in first.drawn]
    return {
        "open": untouched,
        "drawn": dict(first.drawn),
        "waiting": waiting if untouched else [],
        "begins": first.begins,
    }


BEGINS_LINE: Final = phrase("{player} begins.")


def first_lines(
    event: Event, tile_set: TileSetLike, begins: Phrase = BEGINS_LINE
) -> tuple[str, ...]:
    """Announcements of an event of the draw; `begins` is the template for the first player."""
    d = event.data
    if event.kind == DREW:
        letter = _named(str(d["letter"]), tile_set)
        return (phrase("{player} draws {letter}.", player=d["seat"], letter=letter),)
    if event.kind == AGAIN:
        return (phrase("{players} draw again.", players=listed(map(str, d["seats"]))),)
    return (begins.filled(player=d["player"]),)


def _named(letter: str, tile_set: TileSetLike) -> str:
    return phrase("a blank") if letter == UNKNOWN_BLANK else tile_set.word_of(letter)


class Chance(Protocol):
    """Source of randomness, for instance `random.Random`."""

    def sample(self, population: Sequence[str], k: int) -> list[str]:
        """A random sample of distinct elements."""
        ...


def lots_drawn(state: DrawsFirst, letters: Sequence[str], chance: Chance) -> Action:
    """The action of a whole draw that the program makes, until it is settled.

    Args:
        state: the game.
        letters: the letters of its tile set.
        chance: what draws.
    """
    tile_set = state.materials.tile_set
    counts = Counter({x: tile_set.count(x) for x in (*letters, UNKNOWN_BLANK)})
    bag = sorted(counts.elements())
    asked, rounds = list(state.players), list[dict[str, str]]()
    while len(asked) > 1 or not rounds:
        drawn = dict(zip(asked, chance.sample(bag, len(asked)), strict=True))
        rounds.append(drawn)
        least = min(_place(x, tile_set) for x in drawn.values())
        asked = [p for p in asked if _place(drawn[p], tile_set) == least]
    return Action("draw", data={"rounds": rounds})
