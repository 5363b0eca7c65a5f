"""What people answer about plays: the games that agree with it live on, and no others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from kibitz.engine.judging import unknown_choice
from kibitz.engine.record.ledger import Ledger
from kibitz.engine.rules import Refused
from kibitz.engine.table import Square, tile_from_text
from kibitz.engine.tracking.evidence.changes import BoardView
from kibitz.engine.tracking.evidence.expected import rules_grid, text_rows
from kibitz.engine.tracking.evidence.hypotheses import Hypothesis, TableFacts
from kibitz.engine.tracking.evidence.loose_table import IT_COUNTS
from kibitz.engine.tracking.evidence.priors import ReadingPriors
from kibitz.engine.tracking.explanations import clearing, one_or_two, take_backs, whose_turn
from kibitz.engine.tracking.explanations.missed_plays import (
    label_of,
    told_of_waiting,
    told_plays,
)
from kibitz.engine.tracking.explanations.prediction import overruled
from kibitz.engine.tracking.explanations.refused import told_since
from kibitz.engine.tracking.questions import Kind

ABOUT_PLAYS = (Kind.PLAYS, Kind.TAKE_BACK, Kind.ONE_PLAY, Kind.WHOSE, Kind.CLEARING)
"""Kinds of questions about plays that the rules accepted."""


def about_plays(
    games: Sequence[Hypothesis], facts: TableFacts, field: str, value: str, photo: int | None
) -> list[Hypothesis] | Refused:
    """The games after people said what plays were made, by whom, and which were taken back.

    Args:
        games: those that may have led to the pictures, likeliest first.
        facts: what kind of table it is.
        field: the question's, one of `ABOUT_PLAYS`.
        value: what they chose.
        photo: the picture that it was asked about; None for the newest that leaves it open.

    Returns:
        Those that agree with it, or why the likeliest cannot.
    """
    if field == Kind.PLAYS:
        return _agreeing(games, lambda h: told_plays(h, value, facts, photo))
    if field == Kind.TAKE_BACK:
        return _of_take_back(games, value, photo)
    if field == Kind.ONE_PLAY:
        return _with_turns(games, lambda game: one_or_two.decided(game, photo, value))
    if field == Kind.WHOSE:
        return _with_turns(games, lambda game: whose_turn.decided(game, photo, value))
    return _of_clearing(games, value)


def _of_take_back(
    games: Sequence[Hypothesis], value: str, photo: int | None
) -> list[Hypothesis] | Refused:
    """People say whether a play was withdrawn or challenged off; later turns follow."""
    choices = take_backs.WITHDRAWN, take_backs.CHALLENGED
    if value not in choices:
        return unknown_choice(value, choices)
    spent = value == take_backs.CHALLENGED

    def decided_in(h: Hypothesis) -> Hypothesis | Refused:
        after = take_backs.decided(h.ledger, photo, spent=spent)
        if not isinstance(after, Refused):
            return replace(h, ledger=after)
        # in which nothing is open nothing was challenged off
        is_open = any(photo in (None, d.entry.photo) for d in take_backs.open_ones(h.ledger))
        return after if spent or is_open or h is games[0] else h

    return _agreeing(games, decided_in)


def _with_turns(
    games: Sequence[Hypothesis], decide: Callable[[Ledger], Ledger | Refused]
) -> list[Hypothesis] | Refused:
    """People say whether tiles are one play or two, or who made a play; turns follow."""

    def decided_in(h: Hypothesis) -> Hypothesis | Refused:
        after = decide(h.ledger)
        if isinstance(after, Refused):
            return after
        return replace(h, ledger=after, last=take_backs.last_play(after, h.lying))

    return _agreeing(games, decided_in)


def _of_clearing(games: Sequence[Hypothesis], value: str) -> list[Hypothesis] | Refused:
    """People say whether a board that is being cleared is the end of the game."""
    if value not in (clearing.OVER, clearing.GOES_ON):
        return unknown_choice(value, (clearing.OVER, clearing.GOES_ON))
    if value == clearing.GOES_ON:  # the next pictures show what is laid back
        return [clearing.gone_on(h) for h in games]
    return list(games)


def exchanged(
    games: Sequence[Hypothesis], square: Square, letter: str
) -> list[Hypothesis] | Refused:
    """The games that go on with another tile on a square; what was played with the old one stays.

    Args:
        games: those that may have led to the pictures, likeliest first.
        square: where the tile lies.
        letter: what it bears.
    """

    def told(h: Hypothesis) -> Hypothesis | Refused:
        old = h.lying.get(square)
        if old is None:
            return Refused("unknown_question", "No tile lies there.", (square,))
        new = {square: replace(tile_from_text(letter), turn=old.turn)}
        rules = rules_grid(h.ledger.game, h.state).with_tiles(new)
        rows = text_rows(rules, facing=h.ledger.game.info.surface.facing)
        ledger = h.ledger.at_position(rows, len(h.findings) - 1)
        if ledger is None:
            return Refused("position", "The rules cannot go on from this board.", (square,))
        views = {s: v for s, v in h.views.items() if s != square}
        lying = h.lying.with_tiles(new)
        return replace(h, ledger=ledger, lying=lying, views=views, last=None)

    return _agreeing(games, told)


def challenged_late(
    games: Sequence[Hypothesis], squares: Collection[Square]
) -> list[Hypothesis] | Refused:
    """The games in which a play was challenged off after the next one was laid.

    Args:
        games: those that may have led to the pictures, likeliest first.
        squares: where its tiles are gone.
    """

    def told(h: Hypothesis) -> Hypothesis | Refused:
        ledger = take_backs.challenged_late(h.ledger, squares)
        if ledger is None:
            return Refused("unknown_question", "No play lay on just these squares.")
        gone = tuple(sorted(squares))
        newest = replace(h.findings[-1], status="taken_back", removed=gone, question=None)
        lying = h.lying.without(squares)
        findings = (*h.findings[:-1], newest)
        last = take_backs.last_play(ledger, lying)
        return replace(h, ledger=ledger, lying=lying, findings=findings, last=last)

    return _agreeing(games, told)


def _agreeing(
    games: Sequence[Hypothesis], told: Callable[[Hypothesis], Hypothesis | Refused]
) -> list[Hypothesis] | Refused:
    """What people say is so in the likeliest game; of the others those stay that agree."""
    found = [told(h) for h in games]
    best = found[0]
    if isinstance(best, Refused):
        return best
    return [h for h in found if not isinstance(h, Refused)]


# --- tiles that the rules refused -----------------------------------------------------------


def plays_instead(
    games: Sequence[Hypothesis], view: BoardView, priors: ReadingPriors
) -> dict[str, list[Hypothesis]]:
    """What tiles that the rules refused may be instead, by what people choose it by.

    Args:
        games: those that may have led to the pictures; in the likeliest the tiles are no play.
        view: the newest picture, which shows them.
        priors: below what a tile is not seen at all.
    """
    best = games[0]
    before, _ = told_since(best.ledger, best.findings[-1].photo)
    out: dict[str, list[Hypothesis]] = {}
    for other in games[1:]:
        laid = other.findings[-1].laid.items()
        if any(view[s].tile * view[s].letters.get(x, 0.0) <= priors.overlooked for s, x in laid):
            continue  # the picture shows no such tile
        if len(other.ledger.as_far_as([d.entry for d in before.done]).done) < len(before.done):
            continue  # of another game
        label = label_of(before, other.ledger)
        if label and other.findings[-1].plays:
            out.setdefault(label, []).append(other)
    return out


def of_refused(game: Hypothesis, value: str, facts: TableFacts) -> Hypothesis | Refused:
    """The game after people said that refused tiles count, or which plays they are.

    Args:
        game: the one in which they wait.
        value: what they chose.
        facts: what kind of table it is.
    """
    if not value.startswith(IT_COUNTS):
        return told_of_waiting(game, value, facts)
    allowed = overruled(game)
    if allowed is None:
        return Refused("unknown_question", "No refused word waits for an answer.")
    return allowed
