"""The search for the orders in which some tiles can have been laid: of many plays, and of few.

Positions with equally many tiles are looked at together, and of them the likeliest are followed.
A position that several orders lead to is looked at once, however they came there.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from operator import itemgetter
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

S = TypeVar("S", bound=Hashable)
P = TypeVar("P")

History: TypeAlias = tuple[P, "History[P]"] | None
"""The plays that led to a position: the newest, and those before it."""
Layer: TypeAlias = dict[S, dict[int, tuple[float, History[P]]]]
"""Positions of equally many tiles, each with the orders that lead there and their costs."""

ALL: Final = 1000
"""So many orders of a position are kept while none was left out, to tell how many there are."""


class Step(NamedTuple, Generic[S, P]):
    """One play of an order.

    Attributes:
        state: the position that it leads to.
        size: how many tiles it has.
        cost: how unlikely it is, in nats.
        play: what it is.
        key: orders of which the keys are the same in any order are one order.
    """

    state: S
    size: int
    cost: float
    play: P
    key: int


def search_orders(
    start: S,
    tiles: int,
    steps: Callable[[S], Iterable[Step[S, P]]],
    to_come: Callable[[S], float],
    *,
    width: int,
    most: int,
) -> tuple[list[tuple[float, History[P]]], bool]:
    """Orders with what each costs in nats, the cheapest first, and whether these are all.

    Args:
        start: the position before the first step.
        tiles: how many tiles all steps of an order have together.
        steps: what can be done on a position.
        to_come: what the steps after a position cost at least, or about.
        width: how many positions of equally many tiles are followed.
        most: how many orders of a position are kept, once some were left out.
    """
    layers: dict[int, Layer[S, P]] = {tiles: {start: {0: (0.0, None)}}}
    complete = True
    for count in range(tiles, 0, -1):
        layer = layers.pop(count, {})
        followed = _likeliest(layer, to_come, width)
        complete = complete and len(followed) == len(layer)
        for state in followed:
            for step in steps(state):
                found = layers.setdefault(count - step.size, {}).setdefault(step.state, {})
                found |= {
                    key ^ step.key: (cost + step.cost, (step.play, before))
                    for key, (cost, before) in layer[state].items()
                }
                complete = _keep_cheapest(found, ALL if complete else most) and complete
    orders = [x for found in layers.get(0, {}).values() for x in found.values()]
    return sorted(orders, key=itemgetter(0)), complete


def _likeliest(layer: Layer[S, P], to_come: Callable[[S], float], width: int) -> list[S]:
    """The positions of a layer to be followed, by their cost and what is still to come."""
    if len(layer) <= width:
        return list(layer)

    def whole(state: S) -> float:
        return min(cost for cost, _ in layer[state].values()) + to_come(state)

    return sorted(layer, key=whole)[:width]


def _keep_cheapest(found: dict[int, tuple[float, History[P]]], most: int) -> bool:
    """Leave so many orders of a position; whether that were all."""
    extra = len(found) - most
    if extra <= 0:
        return True
    for key in sorted(found, key=lambda key: -found[key][0])[:extra]:
        del found[key]
    return False


def plays_of(history: History[P]) -> Iterator[P]:
    """The plays of an order, the newest one first."""
    while history is not None:
        play, history = history
        yield play
