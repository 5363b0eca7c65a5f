"""What else the pictures may have shown, as it is kept beside a game and known again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from kibitz.engine.record.ledger import Entry
from kibitz.engine.table import square_named
from kibitz.engine.tracking.evidence.expected import name_of, rules_grid
from kibitz.engine.tracking.evidence.hypotheses import Hypothesis
from kibitz.engine.tracking.explanations.take_backs import last_play


@dataclass(frozen=True, slots=True)
class OtherGame:
    """A less likely game: `keep` of the likeliest one's entries, then its own.

    `weight` is its weight in nats against the likeliest.
    """

    weight: float
    keep: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Doubts:
    """What else the pictures may have shown.

    Attributes:
        games: the less likely games, the likeliest first.
        hidden: where a hand may have hidden more of a play, with the number of its picture.
    """

    games: tuple[OtherGame, ...] = ()
    hidden: Mapping[str, int] = field(default_factory=dict)


NO_DOUBTS = Doubts()


def doubts_of(hypotheses: Sequence[Hypothesis]) -> Doubts:
    """What is to be kept beside the likeliest game."""
    best = hypotheses[0]
    ours = [d.entry for d in best.ledger.done]
    known, games = [ours], []
    for other in hypotheses[1:]:
        theirs = [d.entry for d in other.ledger.done]
        if theirs in known:
            continue
        known.append(theirs)
        pairs = zip(ours, theirs, strict=False)
        keep = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        weight = round(other.weight - best.weight, 2)
        games.append(OtherGame(weight, keep, tuple(theirs[keep:])))
    size = best.lying.rows
    return Doubts(tuple(games), {name_of(s, size): n for s, n in sorted(best.touched.items())})


def known_again(best: Hypothesis, doubts: Doubts) -> list[Hypothesis]:
    """The likeliest game, and the others as far as they still hold.

    Their boards differ from its own where the rules have it so.
    """
    best = replace(best, touched={square_named(name): n for name, n in doubts.hidden.items()})
    found = [best]
    ours = [d.entry for d in best.ledger.done]
    here = rules_grid(best.ledger.game, best.state).tiles
    for other in doubts.games:
        ledger, refused = best.ledger.with_entries([*ours[: other.keep], *other.entries])
        if refused:
            continue
        there = rules_grid(ledger.game, ledger.state).tiles
        new = {s: t for s, t in there.items() if here.get(s) != t}
        lying = best.lying.without(here.keys() - there.keys()).with_tiles(new)
        views = {s: v for s, v in best.views.items() if s in lying}
        last = last_play(ledger, lying)
        game = replace(best, ledger=ledger, lying=lying, views=views, last=last, waiting=None)
        found.append(replace(game, weight=best.weight + other.weight))
    return found
