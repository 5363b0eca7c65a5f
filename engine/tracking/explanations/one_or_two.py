"""A play that was told before it was complete: one that goes on after a pause, or beside a hand.

Who pauses for some seconds in the middle of a play has had its beginning told. Tiles that make
one play with it, in one line without a gap, are then weighed both ways: the shorter the pause the
likelier they are one play. Where neither is clear people are asked, and the game goes on with
the likelier one. Where players press a clock, a turn ends with the press and with nothing else.

A finger that touches a tile hides it from the reader. Where it does so at the end of a play, the
play looks shorter than it is. So the squares where a play may go on are remembered until they are
seen bare, and a tile that shows there later belongs to that play, whoever has moved since.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from kibitz.engine.board.connection import check_line
from kibitz.engine.judging import unknown_choice
from kibitz.engine.phrases import phrase
from kibitz.engine.record.ledger import Done, Entry, Ledger, tiles_of
from kibitz.engine.rules import Accepted, Action, Question, Refused
from kibitz.engine.table import Grid, Square
from kibitz.engine.tracking.evidence.changes import BoardView, gains, seen_tile
from kibitz.engine.tracking.evidence.hypotheses import (
    Capture,
    Expected,
    Finding,
    Hypothesis,
    Observation,
    name_of,
    rules_grid,
)
from kibitz.engine.tracking.evidence.interpretation import certain_squares, ends_of, word_weight
from kibitz.engine.tracking.evidence.priors import PlayPriors
from kibitz.engine.tracking.explanations.missed_plays import label_of
from kibitz.engine.tracking.explanations.take_backs import in_one_visit, last_play, presses_clock
from kibitz.engine.tracking.questions import Kind

ONE, TWO = "one", "two"


def prior_of_one(expected: Expected, observed: Observation) -> float | None:
    """Log prior that new tiles belong to the last play; None if they cannot.

    Args:
        expected: the position with the last play.
        observed: the picture, with how long ago that play was told.
    """
    how, priors, last = observed.how, observed.priors, expected.last
    if last is None:
        return None
    if expected.ledger.game.info.tile_by_tile and not _has_several(expected):
        return None  # a tile by itself is a whole turn
    if how.soon and last.photo == observed.photo - 1:
        return priors.plays.went_on
    if not how.live:
        return None
    if presses_clock(expected.ledger):
        return priors.plays.went_on  # a press told since rules it out
    pause = observed.pause_since(last.photo)  # another board may have played since
    if pause is None:
        return None
    return priors.people.one_play - priors.people.each_second * pause


def _has_several(expected: Expected) -> bool:
    """True if the last play has several tiles."""
    return expected.last is not None and len(expected.last.squares) > 1


def brought(before: Hypothesis, after: Hypothesis) -> frozenset[Square]:
    """Squares of new tiles, also of those that are no play yet."""
    old, new = ({*g.lying.tiles, *(g.waiting.tiles if g.waiting else ())} for g in (before, after))
    return frozenset(new - old)


def grows(
    game: Hypothesis, new: frozenset[Square], hands: Mapping[int, str], how: Capture
) -> bool:
    """True if new tiles continue the newest play, or what is no play yet, by the same hand."""
    last, waiting = game.last, game.waiting
    side = hands.get(last.photo) if last is not None else None
    begun = (last.squares if last else None, frozenset(waiting.tiles) if waiting else None)
    same = None in (side, how.side) or side == how.side
    same = same and not game.ledger.game.info.tile_by_tile  # there a tile is a whole turn
    return same and any(b and check_line(game.lying, b | new) is None for b in begun)


def weighed_up(found: Sequence[Hypothesis], observed: Observation) -> list[Hypothesis]:
    """The games, the likeliest marked as open where another number of plays is as likely."""
    best = max(found, key=lambda h: h.weight)
    if _is_soon(best, observed) or not observed.how.live or best.findings[-1].status != "play":
        return list(found)
    merged = best.findings[-1].merged
    near = best.weight - observed.priors.letters.asked
    for other in found:
        finding = other.findings[-1]
        if finding.status != "play" or finding.merged == merged or other.weight < near:
            continue
        if set(other.lying.tiles) != set(best.lying.tiles):
            continue
        marked = _marked(best, other, observed.photo)
        if marked is not None:
            return [marked if h is best else h for h in found]
    return list(found)


def _is_soon(game: Hypothesis, observed: Observation) -> bool:
    """True if somebody reached over this board immediately after its last play."""
    before = game.findings[-2] if len(game.findings) > 1 else None
    quiet = before is not None and before.status == "no_change" and not before.plays
    return observed.how.soon and not quiet


def _marked(best: Hypothesis, other: Hypothesis, photo: int) -> Hypothesis | None:
    """The likeliest game with its newest play open; None if it differs in more than that."""
    as_one, as_two = (best, other) if best.findings[-1].merged else (other, best)
    whole, second = _tiles_at(as_one.ledger, photo), _tiles_at(as_two.ledger, photo)
    first = [name for name in whole if name not in second]
    if not first or not set(second) <= set(whole):
        return None
    mark = {"open": ONE if best is as_one else TWO, "first": first}
    ledger = best.ledger
    entries = [d.entry for d in ledger.done]
    entries[-1] = entries[-1].with_data({**entries[-1].action.data, **mark})
    after, problems = ledger.with_entries(entries)
    if problems:
        return None
    question = question_about(after, after.done[-1])
    finding = best.findings[-1]
    if finding.question is None and question is not None:
        finding = replace(finding, question=question)
    return replace(best, ledger=after, findings=(*best.findings[:-1], finding))


def _tiles_at(ledger: Ledger, photo: int) -> Mapping[str, str]:
    """Tiles of the newest play if a picture showed it."""
    newest = ledger.done[-1].entry if ledger.done else None
    tiles = newest.action.data.get("tiles") if newest is not None else None
    is_it = newest is not None and newest.photo == photo and isinstance(tiles, Mapping)
    return dict(tiles) if is_it and tiles is not None else {}


# --- asked and answered ----------------------------------------------------------------


def open_ones(ledger: Ledger) -> list[Done]:
    """Plays of which it is open whether they are one or two."""
    return [
        d
        for d in ledger.done
        if d.entry.action.data.get("open") in (ONE, TWO) and "first" in d.entry.action.data
    ]


def question_about(ledger: Ledger, done: Done) -> Question | None:
    """Question whether a play is one or two, present choice first; None if only one fits."""
    ways = _ways(ledger, done)
    if len(ways) < 2:
        return None
    now = done.entry.action.data["open"]
    labels = sorted(ways, key=lambda label: ways[label][0] != now)
    return Question(Kind.ONE_PLAY, phrase("Is that one play, or two?"), tuple(labels))


def _ways(ledger: Ledger, done: Done) -> dict[str, tuple[str, Ledger]]:
    """Both choices by their answers, each with its text and game."""
    at = next(i for i, d in enumerate(ledger.done) if d is done)
    data = dict(done.entry.action.data)
    now, first = data.pop("open"), {str(name) for name in data.pop("first")}
    tiles = dict(data["tiles"])
    begin = at
    if now == TWO:
        while begin and not _lays(ledger.done[begin].entry, first):
            begin -= 1
        tiles = {**tiles_of(ledger.done[begin].entry), **tiles}
    earlier = ledger.done[begin].entry
    # that somebody passed between the two was understood from the second; another board's stays
    between = [d for d in ledger.done[begin + 1 : at] if d.entry.told]
    before, after = ledger.done[:begin], (*between, *ledger.done[at + 1 :])
    begun = {k: v for k, v in tiles.items() if k in first}
    more = {k: v for k, v in tiles.items() if k not in first}
    parts = {
        ONE: [earlier.with_data({**data, "tiles": dict(sorted(tiles.items()))})],
        TWO: [
            earlier.with_data({**data, "tiles": begun}),
            done.entry.with_data({**data, "tiles": more}),
        ],
    }
    out = {}
    start = replace(ledger, done=before)
    for which, entries in parts.items():
        with_it = _played(start, entries)
        if with_it is None:
            continue
        label = label_of(start, with_it)
        whole, later = with_it.with_entries(
            [*(d.entry for d in with_it.done), *(d.entry for d in after)]
        )
        if not later:
            out[label] = which, whole
    return out


def _lays(entry: Entry, names: Collection[str]) -> bool:
    """True if a picture of this board showed a tile of an entry on one of these squares."""
    return not entry.told and not tiles_of(entry).keys().isdisjoint(names)


def _played(start: Ledger, entries: Sequence[Entry]) -> Ledger | None:
    """The game with more plays, with passes of others between where necessary; else None."""
    ledger = start
    for entry in entries:
        passes = (Entry(Action("pass", p), entry.photo) for p in start.opening.players)
        ways = (ledger.add(entry), *(ledger.add(x)[0].add(entry) for x in passes))
        went = next((after for after, verdict in ways if isinstance(verdict, Accepted)), None)
        if went is None:
            return None
        ledger = went
    return ledger


def decided(ledger: Ledger, photo: int | None, value: str) -> Ledger | Refused:
    """The game after the answer whether tiles are one play or two; later turns follow.

    Args:
        ledger: the game.
        photo: the picture that showed the newer tiles; None for the newest that is open.
        value: one of the choices that were asked.
    """
    for done in reversed(open_ones(ledger)):
        if photo in (None, done.entry.photo):
            ways = _ways(ledger, done)
            if value in ways:
                return ways[value][1]
            return unknown_choice(value, ways, "; ")
    return Refused("unknown_question", "No play waits to be told as one or two.")


# --- beside a hand ---------------------------------------------------------------------------


def is_bare(square: Square, view: BoardView) -> bool:
    """True if a picture clearly shows a square empty, with no hand beside it."""
    if view[square].empty < view.priors.sure:
        return False
    row, col = square
    return not any(abs(s.row - row) <= 1 and abs(s.col - col) <= 1 for s in view.hidden_squares)


def touched(
    before: Mapping[Square, int], squares: frozenset[Square], grid: Grid, observed: Observation
) -> dict[Square, int]:
    """Squares where a hand may hide more of a play, each with that play's picture.

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
    """The position in which a play is longer than announced; None if none is.

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
    """As `longer` for the play of one picture, with the tiles that follow in its line."""
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
    """New tiles that continue a play without a gap from a square next to it."""
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
    """The game in which a picture's play has more tiles; None if the rules refuse it.

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
            entry, changed = entry.with_data(data), True
        entries.append(entry)
    after, problems = ledger.with_entries(entries)
    if not changed or problems:
        return None
    after = in_one_visit(after, photo)
    grid = rules_grid(after.game, after.state)
    return after if all(s in grid for s in letters) else None
