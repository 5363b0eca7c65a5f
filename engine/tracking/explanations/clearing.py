"""The board is being cleared: tiles of more than the last play are gone.

That is no take-back. The scores stay as they are, people are asked once whether the game is over,
and whatever goes after that says nothing more. Who presses the button for the end first is
understood as well: once the game is over the board is only put away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kibitz.engine.phrases import phrase
from kibitz.engine.record.ledger import TAKES_OFF, Ledger
from kibitz.engine.rules import Action, Question
from kibitz.engine.table import Grid, Square
from kibitz.engine.tracking.evidence.changes import BoardView, SquareView
from kibitz.engine.tracking.evidence.expected import rules_grid
from kibitz.engine.tracking.evidence.hypotheses import (
    Expected,
    Hypothesis,
    LastPlay,
    Observation,
)
from kibitz.engine.tracking.evidence.priors import TrackingPriors
from kibitz.engine.tracking.explanations.take_backs import challenged_late
from kibitz.engine.tracking.questions import Kind

OVER, GOES_ON = phrase("the game is over"), phrase("it goes on")
"""What people may answer: the game ends with its scores, or the tiles are laid back."""

ASKED = Question(
    Kind.CLEARING, phrase("The board is being cleared: is the game over?"), (OVER, GOES_ON)
)


def cleared(expected: Expected, observed: Observation) -> Expected | None:
    """The position from which a picture shows a board that is being cleared; None if it does not.

    Args:
        expected: the position as it was, with what the rules wanted done.
        observed: the picture.
    """
    if not observed.how.attended:
        return None
    # tiles on top that went first looked like a play taken back
    back = _put_back(expected.ledger, observed.photo)
    if back is not None:
        ledger, last = back
        lying = rules_grid(ledger.game, ledger.state)
        more = {s: t for s, t in lying.tiles.items() if s in last.squares}
        found = _of(expected, ledger, expected.lying.with_tiles(more), last, observed)
        if found is not None:
            return found
    return _of(expected, expected.ledger, expected.lying, expected.last, observed)


def _of(
    expected: Expected, ledger: Ledger, lying: Grid, last: LastPlay | None, observed: Observation
) -> Expected | None:
    over = bool(getattr(ledger.state, "over", False))
    gone = gone_from(lying, observed.view, observed.priors, expected.hypothesis.views)
    own = last.squares if last is not None else frozenset()
    others = set(gone) - own
    priors = observed.priors.people
    known = bool(expected.hypothesis.clearing)
    sure = own - _carded(own, observed)
    with_last = bool(sure) and sure <= set(gone) and bool(others)
    many = bool(others) and len(gone) >= priors.cleared_tiles
    many = many and challenged_late(ledger, gone) is None
    if not gone or not (over or known or with_last or many):
        return None
    if known and not over and not others:
        return None  # the others lie there again: this is the last play taken back
    asked = None if known or over else ASKED
    status = "board_changed" if asked is not None else "no_change"
    finding = replace(expected.finding, status=status, question=asked)
    prior = 0.0 if known or over else priors.cleared
    # tiles that a withdrawn play had are no longer weighed in what the picture agrees with
    again = sum(
        observed.view.fit(s, t) - observed.view.fit(s, None)
        for s, t in lying.tiles.items()
        if s not in expected.lying
    )
    return replace(
        expected,
        hypothesis=replace(expected.hypothesis, clearing=frozenset(gone)),
        ledger=ledger,
        lying=lying,
        weight=expected.weight + again + sum(gone.values()) + prior,
        finding=finding,
        last=last,
        clearing=True,
    )


def gone_from(
    lying: Grid,
    view: BoardView,
    priors: TrackingPriors,
    views: Mapping[Square, Sequence[SquareView]],
) -> Mapping[Square, float]:
    """The tiles that a picture clearly shows gone, and how strongly.

    A tile that no picture showed was never there, and cannot be gone.

    Args:
        lying: what is thought to lie on the board.
        view: the picture.
        priors: what speaks clearly.
        views: what earlier pictures showed of each tile, as far as that is known.
    """
    out = {}
    for square, tile in lying.tiles.items():
        seen = view[square]
        gone = view.fit(square, None) - view.fit(square, tile)
        before = views.get(square)
        was_seen = not before or any(v.shows_tile for v in before)
        if was_seen and gone > priors.plays.clear and seen.empty > seen.tile:
            out[square] = gone
    return out


def _carded(squares: frozenset[Square], observed: Observation) -> set[Square]:
    """Where a ship card shows: whether a tile lies under it nobody can tell."""
    seen = {s: observed.view[s] for s in squares}
    return {s for s, q in seen.items() if q.marker > max(q.empty, q.tile, q.covered)}


def _put_back(ledger: Ledger, photo: int) -> tuple[Ledger, LastPlay] | None:
    """The game without the take-back of the picture just before; None if there was none."""
    if not ledger.done:
        return None
    newest = ledger.done[-1].entry
    if newest.told or newest.action.kind not in TAKES_OFF or newest.photo != photo - 1:
        return None
    entries = [d.entry for d in ledger.done[:-1]]
    for index in range(len(entries) - 1, -1, -1):
        tiles = entries[index].action.data.get("tiles")
        if isinstance(tiles, Mapping) and not entries[index].told:
            break
    else:
        return None
    before, _ = ledger.with_entries(entries)
    old = rules_grid(ledger.game, ledger.done[-1].state).tiles
    now = rules_grid(before.game, before.state).tiles
    squares = frozenset(s for s in now if s not in old)
    return before, LastPlay(squares, entries[index].photo, index)


def gone_on(hypothesis: Hypothesis) -> Hypothesis:
    """The game goes on with what is left: other plays may come before what went is laid back."""
    lying = hypothesis.lying.without(hypothesis.clearing)
    return replace(hypothesis, lying=lying, clearing=frozenset())


def of_game_told(games: Sequence[Hypothesis], before: Ledger) -> list[Hypothesis]:
    """The meanings that belong to one game, the one that was told, if it is among them.

    A board that is being cleared says nothing new of the game that was played on it.

    Args:
        games: what the newest picture may mean, likeliest first.
        before: the game as it was told before it.
    """
    told = [h for h in games if h.clearing and h.ledger.done == before.done]
    game = (told or games)[0].ledger.done
    return [h for h in games if h.ledger.done == game]


def end_told(ledger: Ledger, value: str) -> Action | None:
    """What an answer tells the rules: the end with the scores that there are.

    None where the game goes on, is over already, or has no such thing to tell: then nothing more
    is asked, and the record stays as it is.
    """
    kind = ledger.game.info.end_action
    over = bool(getattr(ledger.state, "over", False))
    return Action(kind) if value == OVER and kind is not None and not over else None
