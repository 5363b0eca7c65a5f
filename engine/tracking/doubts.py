"""Alternatives to the likeliest game: kept side by side, stored, and restored.

A game that is taken up again, after a restart or a correction, keeps what pictures showed of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

from kibitz.engine.record.ledger import Entry
from kibitz.engine.table import Grid, square_named
from kibitz.engine.tracking.evidence.hypotheses import (
    Finding,
    Hypothesis,
    name_of,
    rules_grid,
    text_rows,
)
from kibitz.engine.tracking.evidence.priors import SearchLimits
from kibitz.engine.tracking.explanations.take_backs import last_play, plays_seen


@dataclass(frozen=True, slots=True)
class OtherGame:
    """A less likely game: the first `keep` entries of the likeliest one, then its own.

    `weight` is its weight in nats against the likeliest.
    """

    weight: float
    keep: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Doubts:
    """Alternatives to the likeliest game.

    Attributes:
        games: the less likely games, the likeliest first.
        hidden: where a hand may have hidden more of a play, with the number of its picture.
    """

    games: tuple[OtherGame, ...] = ()
    hidden: Mapping[str, int] = field(default_factory=dict)


NO_DOUBTS = Doubts()


def doubts_of(hypotheses: Sequence[Hypothesis]) -> Doubts:
    """Alternatives to be stored beside the likeliest game."""
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


def restore_alternatives(best: Hypothesis, doubts: Doubts) -> list[Hypothesis]:
    """The likeliest game, and the alternatives that are still possible.

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


def likeliest(hypotheses: Iterable[Hypothesis], limits: SearchLimits) -> list[Hypothesis]:
    """The hypotheses to keep, likeliest first; of equivalent ones the best.

    Args:
        hypotheses: every way in which the game may have gone on.
        limits: how many are kept, and down to which weight.
    """
    ranked = sorted(hypotheses, key=lambda b: -b.weight)
    top = ranked[0].weight
    if len(ranked) == 1:  # nothing is equivalent to it
        return [replace(ranked[0], weight=0.0)]
    kept: dict[Any, Hypothesis] = {}
    for hypothesis in ranked:
        if hypothesis.weight < top - limits.worst_kept or len(kept) >= limits.tried:
            break
        kept.setdefault(
            _same_game(hypothesis), replace(hypothesis, weight=hypothesis.weight - top)
        )
    return list(kept.values())


def _same_game(hypothesis: Hypothesis) -> Any:
    """Key by which hypotheses are equivalent, so that only the better one is kept."""
    game = hypothesis.ledger.game
    rules = rules_grid(game, hypothesis.state)
    return (
        tuple(text_rows(hypothesis.lying, facing=True)),
        tuple(text_rows(rules, facing=True)),
        tuple(sorted(hypothesis.waiting.tiles)) if hypothesis.waiting else None,
        hypothesis.last.squares if hypothesis.last else None,
        hypothesis.state.may_act if hasattr(hypothesis.state, "may_act") else None,
    )


def with_views(before: Hypothesis, lying: Grid, photos: int) -> Hypothesis:
    """A position with the views of its tiles, by which later pictures may correct letters.

    Where a hand may have hidden more of a play, it may still have.

    Args:
        before: what was known when they were seen, with the game as it is known now.
        lying: the tiles that lie there.
        photos: how many pictures were taken in.
    """
    same = before.lying.tiles.keys() & lying.tiles.keys()
    views = {s: v for s, v in before.views.items() if s in same}
    shown = before.findings if len(before.findings) == photos else ()
    laid = {f.photo: {s: lying.tiles[s].text for s in f.laid if s in same} for f in shown}
    plays = plays_seen(before.ledger)
    findings = (
        Finding(i, "no_change", laid=laid.get(i, {}), plays=plays.get(i, ()))
        for i in range(photos)
    )
    hidden = {s: n for s, n in before.touched.items() if s not in lying}
    return Hypothesis(before.ledger, lying, findings=tuple(findings), views=views, touched=hidden)
