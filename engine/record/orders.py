"""The search for the orders in which some tiles can have been laid: of many plays, and of few.

Positions with equally many tiles are looked at together, and of them the likeliest are followed.
A position that several orders lead to is looked at once, however they came there.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from heapq import nsmallest
from operator import itemgetter
from typing import Final, Generic, NamedTuple, TypeVar

S = TypeVar("S", bound=Hashable)
P = TypeVar("P")

ALL: Final = 1000
"""So many orders of a position are kept while none was left out, to tell how many there are."""


class Step(NamedTuple, Generic[S, P]):
    """One play of an order.

    Attributes:
        state: the position that it leads to.
        size: how many layers of positions it passes: its tiles, or one.
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
    width: int,
    most: int,
    to_come: Callable[[S], float] = lambda _: 0.0,
) -> tuple[list[tuple[float, tuple[P, ...]]], bool]:
    """Orders with what each costs in nats, the cheapest first, and whether these are all.

    Args:
        start: the position before the first step.
        tiles: the size of all steps of an order together.
        steps: what can be done on a position.
        width: how many positions of a layer are followed.
        most: how many orders of a position are kept, once some were left out.
        to_come: what the steps after a position cost, about.
    """
    layers: dict[int, dict[S, dict[int, tuple[float, tuple[P, ...]]]]] = {0: {start: {0: (0, ())}}}
    complete = True

    def whole(reached: tuple[S, dict[int, tuple[float, tuple[P, ...]]]]) -> float:
        return min(cost for cost, _ in reached[1].values()) + to_come(reached[0])

    for count in range(tiles):
        layer = layers.pop(count, {}).items()
        followed = nsmallest(width, layer, whole) if len(layer) > width else layer
        complete = complete and len(layer) <= width
        for state, orders in followed:
            for step in steps(state):
                found = layers.setdefault(count + step.size, {}).setdefault(step.state, {})
                found |= {
                    key ^ step.key: (cost + step.cost, (*plays, step.play))
                    for key, (cost, plays) in orders.items()
                }
                kept = ALL if complete else most
                if len(found) > kept:
                    complete = False
                    for key in sorted(found, key=lambda key: found[key][0])[kept:]:
                        del found[key]
    ends = layers.get(tiles, {}).values()
    return sorted((x for orders in ends for x in orders.values()), key=itemgetter(0)), complete
