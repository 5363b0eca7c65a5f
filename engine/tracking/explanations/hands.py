"""A play beside a hand: which squares a hand may have hidden, and plays that turn out longer.

A finger that touches a tile hides it from the reader. Where it does so at the end of a play, the
play looks shorter than it is. So the squares where a play may go on are remembered until they are
seen bare, and a tile that shows there later belongs to that play, whoever has moved since.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from kibitz.engine.record.ledger import Entry, Ledger
from kibitz.engine.table import Grid, Square
from kibitz.engine.tracking.evidence.changes import BoardView
from kibitz.engine.tracking.evidence.expected import name_of, rules_grid
from kibitz.engine.tracking.evidence.hypotheses import Expected, Finding, Observation
from kibitz.engine.tracking.evidence.interpretation import (
    certain_squares,
    ends_of,
    gains,
    seen_tile,
)
from kibitz.engine.tracking.evidence.priors import PlayPriors
from kibitz.engine.tracking.evidence.trial import word_weight
from kibitz.engine.tracking.explanations.take_backs import in_one_visit, last_play


def is_bare(square: Square, view: BoardView) -> bool:
    """Whether a picture clearly shows that no tile lies on a square, and no hand is beside it."""
    if view[square].empty < view.priors.sure:
        return False
    row, col = square
    return not any(abs(s.row - row) <= 1 and abs(s.col - col) <= 1 for s in view.hidden_squares)


def touched(
    before: Mapping[Square, int], squares: frozenset[Square], grid: Grid, observed: Observation
) -> dict[Square, int]:
    """Where a hand may hide more of the plays so far, each with the picture of its play.

    Args:
        before: the same before this picture.
        squares: the new tiles of this picture.
        grid: what lies on the board with them.
        observed: the picture.
    """
    if not observed.how.live:
        return {}
    out = {**before, **dict.fromkeys(ends_of(squares, grid), observed.photo)}
    return {s: p for s, p in out.items() if not is_bare(s, observed.view)}


def longer(expected: Expected, observed: Observation) -> Expected | None:
    """The position in which a play turns out to be longer than was told; None if none does.

    Args:
        expected: the position as it was.
        observed: a picture with new tiles where a hand was beside an earlier play.
    """
    hidden = expected.hypothesis.touched
    if not observed.how.attended or not hidden:
        return None
    new = certain_squares(gains(observed.view, expected.lying, None, observed.priors.search))
    for square in sorted(new & set(hidden)):
        found = _longer_at(expected, observed, square, hidden[square], new)
        if found is not None:
            return found
    return None


def _longer_at(
    expected: Expected, observed: Observation, square: Square, photo: int, new: Iterable[Square]
) -> Expected | None:
    """The same for the play of one picture, with the tiles that follow a square in its line."""
    finding = next((f for f in expected.hypothesis.findings if f.photo == photo), None)
    if finding is None or len(finding.plays) != 1:
        return None
    (play,) = finding.plays
    more = _run_from(square, play, expected.lying, frozenset(new))
    letters = {s: observed.view[s].best_letter() for s in more}
    ledger = with_longer(expected.ledger, photo, letters, expected.lying.rows)
    if ledger is None:
        return None
    rules = rules_grid(ledger.game, ledger.state)  # they face as the rest of their play
    tiles = {s: replace(seen_tile(x), turn=rules.tiles[s].turn) for s, x in letters.items()}
    agrees = sum(observed.view.fit(s, t) - observed.view.fit(s, None) for s, t in tiles.items())
    priors: PlayPriors = observed.priors.plays
    lying = expected.lying.with_tiles(tiles)
    words = _words(expected.ledger, ledger, priors)
    last = expected.last
    if last is not None and last.photo == photo:
        last = last_play(ledger, lying)
    findings = tuple(_extended(f, letters, more, photo) for f in expected.hypothesis.findings)
    return replace(
        expected,
        hypothesis=replace(expected.hypothesis, findings=findings),
        ledger=ledger,
        lying=lying,
        weight=expected.weight + agrees + words + priors.went_on,
        last=last,
    )


def _words(before: Ledger, after: Ledger, priors: PlayPriors) -> float:
    start = replace(before, done=())
    return word_weight(start, after, priors) - word_weight(start, before, priors)


def _extended(
    finding: Finding, letters: Mapping[Square, str], more: frozenset[Square], photo: int
) -> Finding:
    if finding.photo != photo:
        return finding
    plays = tuple(play | more for play in finding.plays)
    return replace(finding, laid={**finding.laid, **letters}, plays=plays)


def _run_from(
    square: Square, play: frozenset[Square], lying: Grid, new: frozenset[Square]
) -> frozenset[Square]:
    """New tiles that follow a play without a gap, from one beside it."""
    across = any(s.row == square.row for s in play)
    dr, dc = (0, 1) if across else (1, 0)
    out = set()
    for by in (-1, 1):
        row, col = square
        while Square(row, col) in new or Square(row, col) in lying:
            if Square(row, col) in new:
                out.add(Square(row, col))
            row, col = row + by * dr, col + by * dc
    return frozenset(out)


def with_longer(
    ledger: Ledger, photo: int, letters: Mapping[Square, str], size: int
) -> Ledger | None:
    """The game in which the play of a picture has more tiles; None if the rules refuse it then.

    Args:
        ledger: the game as it was told.
        photo: the picture of the play.
        letters: the further tiles.
        size: squares a side of the board.
    """
    named = {name_of(s, size): x for s, x in sorted(letters.items())}
    entries: list[Entry] = []
    changed = False
    for done in ledger.done:
        entry, tiles = done.entry, done.entry.action.data.get("tiles")
        if entry.photo == photo and not entry.told and isinstance(tiles, Mapping):
            data = {**entry.action.data, "tiles": dict(sorted({**tiles, **named}.items()))}
            entry, changed = replace(entry, action=replace(entry.action, data=data)), True
        entries.append(entry)
    after, problems = ledger.with_entries(entries)
    if not changed or problems:
        return None
    after = in_one_visit(after, photo)
    grid = rules_grid(after.game, after.state)
    return after if all(s in grid for s in letters) else None
