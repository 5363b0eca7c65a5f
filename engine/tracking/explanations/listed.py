"""All explanations of a picture: what each expects, asks, and makes of the answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final, TypeAlias

from kibitz.engine.judging import unknown_choice
from kibitz.engine.record.ledger import Done, Ledger
from kibitz.engine.rules import Question, Refused
from kibitz.engine.table import UNKNOWN_BLANK, Square, tile_from_text
from kibitz.engine.tracking.evidence.changes import BoardView
from kibitz.engine.tracking.evidence.hypotheses import (
    Expected,
    Hypothesis,
    Observation,
    Puzzle,
    TableFacts,
    rules_grid,
    text_rows,
)
from kibitz.engine.tracking.evidence.loose_table import IT_COUNTS
from kibitz.engine.tracking.evidence.priors import ReadingPriors, TrackingPriors
from kibitz.engine.tracking.explanations import one_or_two, take_backs, whose_turn
from kibitz.engine.tracking.explanations.letters import (
    lasting_question,
    tile_set_of,
    word_question,
)
from kibitz.engine.tracking.explanations.matching import from_base
from kibitz.engine.tracking.explanations.missed_plays import (
    label_of,
    told_of_waiting,
    told_plays,
    told_since,
)
from kibitz.engine.tracking.explanations.one_or_two import longer
from kibitz.engine.tracking.explanations.prediction import (
    after_tasks,
    done_for_a_word,
    laid_back,
    overruled,
    put_right,
    stands_unsaid,
    still_there,
    taken_back,
    went_on,
)
from kibitz.engine.tracking.explanations.steadiness import STAYS, shown_now
from kibitz.engine.tracking.questions import Kind

GamesLeft: TypeAlias = list[Hypothesis] | Refused
"""The games that agree with an answer, likeliest first, or why the likeliest cannot."""
TileQuestion: TypeAlias = tuple[Square, Question]
"""Where a tile lies, and what is asked about it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of a person to a question.

    Attributes:
        field: the question's.
        value: what they chose.
        facts: what kind of table it is.
        photo: the picture that it was asked about; None for the newest that leaves it open.
        view: the newest picture; None where there is none.
        tile: where the tile lies that it was asked about, and the question.
    """

    field: str
    value: str
    facts: TableFacts
    photo: int | None = None
    view: BoardView | None = None
    tile: TileQuestion | None = None


def _nothing(*_: object) -> tuple[()]:
    return ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """One kind of meaning that a picture may have.

    Attributes:
        kind: of the questions that it asks; None if it asks none.
        expect: the positions that new tiles may be looked for from, of what is believed so far,
            the position as it was with what the rules wanted done, and the picture.
        ask: what a game's own entries leave open.
        answer: the games after an answer.
        ask_of_tiles: about tiles that a game leaves in doubt, beside those that people named.
    """

    kind: Kind | None = None
    expect: Callable[[Hypothesis, Expected, Observation], Iterable[Expected]] = _nothing
    ask: Callable[[Ledger], Iterable[tuple[Done, Question | None]]] = _nothing
    answer: Callable[[Sequence[Hypothesis], Answer], GamesLeft] | None = None
    ask_of_tiles: Callable[
        [Hypothesis, Mapping[Square, str], TrackingPriors], Iterable[TileQuestion | None]
    ] = _nothing


def explain(
    hypothesis: Hypothesis, observed: Observation, least: float = -math.inf
) -> tuple[list[Hypothesis], list[Puzzle]]:
    """All continuations of a hypothesis that a photograph may show, unordered.

    Args:
        hypothesis: what is believed so far.
        observed: the photograph.
        least: ways that weigh less need not be found.

    Returns:
        The ways, and new tiles that are no single play and may be several (see `several_plays`).
    """
    out: list[Hypothesis] = []
    puzzles: list[Puzzle] = []
    plain = after_tasks(hypothesis, observed)
    positions = (e.expect(hypothesis, plain, observed) for e in EXPLANATIONS)
    for expected in chain((plain,), chain.from_iterable(positions)):
        found, puzzle = from_base(expected, observed, least)
        out += found
        least = max([least, *(b.weight - observed.priors.search.worst_kept for b in found)])
        if puzzle is not None:
            puzzles.append(puzzle)
    return out, puzzles


def questions_open(ledger: Ledger) -> list[tuple[int, Question]]:
    """Questions that a game's own entries leave open.

    Each with the number of the picture that showed the play; none of what another board showed.
    """
    asked = [one for explanation in EXPLANATIONS for one in explanation.ask(ledger)]
    seen = [(d.entry, question) for d, question in asked if not d.entry.told]
    return [(entry.photo, question) for entry, question in seen if question is not None]


def tiles_doubted(
    game: Hypothesis, told: Mapping[Square, str], priors: TrackingPriors
) -> list[TileQuestion]:
    """Questions about tiles that a game leaves in doubt, beside those that people named."""
    asked = chain.from_iterable(e.ask_of_tiles(game, told, priors) for e in EXPLANATIONS)
    return [one for one in asked if one is not None]


def answered(games: Sequence[Hypothesis], told: Answer) -> GamesLeft:
    """Games that agree with an answer.

    Args:
        games: those that may have led to the pictures, likeliest first.
        told: what they say.
    """
    for explanation in EXPLANATIONS:
        if explanation.kind == told.field and explanation.answer is not None:
            return explanation.answer(games, told)
    return Refused("unknown_question", f"nothing asks for {told.field!r}")


def _agreeing(
    games: Sequence[Hypothesis], told: Callable[[Hypothesis], Hypothesis | Refused]
) -> GamesLeft:
    """Games after an answer that is true of the likeliest; others stay if they agree."""
    found = [told(h) for h in games]
    best = found[0]
    if isinstance(best, Refused):
        return best
    return [h for h in found if not isinstance(h, Refused)]


def _with_turns(
    decide: Callable[[Ledger, int | None, str], Ledger | Refused],
) -> Callable[[Sequence[Hypothesis], Answer], GamesLeft]:
    """Handler of answers on whose or how many plays tiles are; later turns follow."""

    def answer(games: Sequence[Hypothesis], told: Answer) -> GamesLeft:
        def decided_in(h: Hypothesis) -> Hypothesis | Refused:
            after = decide(h.ledger, told.photo, told.value)
            if isinstance(after, Refused):
                return after
            return replace(h, ledger=after, last=take_backs.last_play(after, h.lying))

        return _agreeing(games, decided_in)

    return answer


def _of_take_back(games: Sequence[Hypothesis], told: Answer) -> GamesLeft:
    """Games after the answer whether a play was withdrawn or challenged; later turns follow."""
    choices = take_backs.WITHDRAWN, take_backs.CHALLENGED
    if told.value not in choices:
        return unknown_choice(told.value, choices)
    spent = told.value == take_backs.CHALLENGED

    def decided_in(h: Hypothesis) -> Hypothesis | Refused:
        after = take_backs.decided(h.ledger, told.photo, spent=spent)
        if not isinstance(after, Refused):
            return replace(h, ledger=after)
        # in which nothing is open nothing was challenged off
        open_ones = take_backs.open_ones(h.ledger)
        is_open = any(told.photo in (None, d.entry.photo) for d in open_ones)
        return after if spent or is_open or h is games[0] else h

    return _agreeing(games, decided_in)


def _of_clearing(games: Sequence[Hypothesis], told: Answer) -> GamesLeft:
    """Games after the answer whether a board that is being cleared ends the game."""
    if told.value not in (take_backs.OVER, take_backs.GOES_ON):
        return unknown_choice(told.value, (take_backs.OVER, take_backs.GOES_ON))
    if told.value == take_backs.GOES_ON:  # the next pictures show what is laid back
        return [take_backs.gone_on(h) for h in games]
    return list(games)


def _of_refused(games: Sequence[Hypothesis], told: Answer) -> GamesLeft:
    """Games after the answer that refused tiles count, or which plays they are."""
    game = games[0]
    if not told.value.startswith(IT_COUNTS):
        found = told_of_waiting(game, told.value, told.facts)
        return found if isinstance(found, Refused) else [found]
    allowed = overruled(game)
    if allowed is None:
        return Refused("unknown_question", "No refused word waits for an answer.")
    return [allowed]


def _of_disturbed(games: Sequence[Hypothesis], told: Answer) -> GamesLeft:
    """Games after the answer that missing tiles are a play challenged one turn late."""
    if told.value != take_backs.CHALLENGED or told.view is None:
        return list(games)  # what was put back or moved, the next picture shows
    best = games[0]
    squares = take_backs.gone_from(best.lying, told.view, told.facts.priors, best.views)

    def challenged(h: Hypothesis) -> Hypothesis | Refused:
        ledger = take_backs.challenged_late(h.ledger, squares)
        if ledger is None:
            return Refused("unknown_question", "No play lay on just these squares.")
        gone = tuple(sorted(squares))
        newest = replace(h.findings[-1], status="taken_back", removed=gone, question=None)
        lying = h.lying.without(squares)
        findings = (*h.findings[:-1], newest)
        last = take_backs.last_play(ledger, lying)
        return replace(h, ledger=ledger, lying=lying, findings=findings, last=last)

    return _agreeing(games, challenged)


def _of_exchanged(games: Sequence[Hypothesis], told: Answer) -> GamesLeft:
    """Games with another tile on a square, if it stays there; plays with the old one stay."""
    if told.tile is None or told.value != STAYS or shown_now(told.tile[1]) == UNKNOWN_BLANK:
        return list(games)
    square, shown = told.tile[0], shown_now(told.tile[1])

    def changed(h: Hypothesis) -> Hypothesis | Refused:
        old = h.lying.get(square)
        if old is None:
            return Refused("unknown_question", "No tile lies there.", (square,))
        letter = tile_set_of(h).tiles_in(shown)
        new = {square: replace(tile_from_text(letter), turn=old.turn)}
        rules = rules_grid(h.ledger.game, h.state).with_tiles(new)
        rows = text_rows(rules, facing=h.ledger.game.info.surface.facing)
        ledger = h.ledger.at_position(rows, len(h.findings) - 1)
        if ledger is None:
            return Refused("position", "The rules cannot go on from this board.", (square,))
        views = {s: v for s, v in h.views.items() if s != square}
        lying = h.lying.with_tiles(new)
        return replace(h, ledger=ledger, lying=lying, views=views, last=None)

    return _agreeing(games, changed)


EXPLANATIONS: Final = (
    Explanation(
        Kind.CLEARING,
        lambda _, plain, seen: _some(take_backs.cleared(plain, seen)),
        answer=_of_clearing,
    ),
    Explanation(expect=done_for_a_word),
    Explanation(expect=lambda game, _, seen: _some(stands_unsaid(game, seen))),
    Explanation(expect=lambda _, plain, seen: _some(longer(plain, seen))),
    Explanation(
        Kind.TAKE_BACK,
        lambda _, plain, seen: taken_back(plain, seen),
        lambda game: ((d, take_backs.question_about(game, d)) for d in take_backs.open_ones(game)),
        _of_take_back,
    ),
    Explanation(
        Kind.ONE_PLAY,
        lambda _, plain, seen: _some(went_on(plain, seen)),
        lambda game: ((d, one_or_two.question_about(game, d)) for d in one_or_two.open_ones(game)),
        _with_turns(one_or_two.decided),
    ),
    Explanation(expect=lambda _, plain, seen: _some(laid_back(plain, seen))),
    Explanation(
        Kind.PLAY,
        lambda before, _, seen: _some(still_there(before, seen)),
        answer=_of_refused,
    ),
    Explanation(expect=lambda before, _, seen: _some(put_right(before, seen))),
    Explanation(
        Kind.PLAYS,
        answer=lambda games, told: _agreeing(
            games, lambda h: told_plays(h, told.value, told.facts, told.photo)
        ),
    ),
    Explanation(
        Kind.WHOSE,
        ask=lambda game: ((d, whose_turn.question_about(d)) for d in whose_turn.open_ones(game)),
        answer=_with_turns(whose_turn.decided),
    ),
    Explanation(Kind.BOARD_CHANGED, answer=_of_disturbed),
    Explanation(
        Kind.LETTER, ask_of_tiles=lambda *game: (word_question(*game), lasting_question(*game))
    ),
    Explanation(Kind.EXCHANGED, answer=_of_exchanged),
)
"""Beside that all lies as it did; in the order in which they are tried."""


def _some(expected: Expected | None) -> Iterable[Expected]:
    return () if expected is None else (expected,)


def plays_instead(
    games: Sequence[Hypothesis], view: BoardView, priors: ReadingPriors
) -> dict[str, list[Hypothesis]]:
    """Games in which refused tiles are plays, by the answer that chooses them.

    Args:
        games: those that may have led to the pictures; in the likeliest the tiles are no play.
        view: the newest picture, which shows them.
        priors: below what a tile is not seen at all.
    """
    best = games[0]
    before, _ = told_since(best.ledger, best.findings[-1].photo)
    out: dict[str, list[Hypothesis]] = {}
    for other in games[1:]:
        laid: Mapping[Square, str] = other.findings[-1].laid
        if any(
            view[s].tile * view[s].letters.get(x, 0.0) <= priors.overlooked
            for s, x in laid.items()
        ):
            continue  # the picture shows no such tile
        if len(other.ledger.as_far_as([d.entry for d in before.done]).done) < len(before.done):
            continue  # of another game
        label = label_of(before, other.ledger)
        if label and other.findings[-1].plays:
            out.setdefault(label, []).append(other)
    return out
