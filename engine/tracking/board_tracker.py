"""The only writer of a table: what is seen and what is told becomes the game, nothing else."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from kibitz.engine.record.ledger import Entry, Ledger, Opening, open_ledger
from kibitz.engine.rules import Accepted, Action, Question, Refused, Verdict
from kibitz.engine.table import Grid, Square, parse_square
from kibitz.engine.tracking.changes import BoardView
from kibitz.engine.tracking.expected import rules_grid, text_rows
from kibitz.engine.tracking.hypotheses import (
    PHOTO,
    WORST_KEPT,
    Capture,
    Finding,
    Hypothesis,
    Observation,
    Puzzle,
    TableFacts,
    most_tiles_of,
    without_fingers,
    without_gaps,
)
from kibitz.engine.tracking.interpretation import lasting_gains
from kibitz.engine.tracking.letters import as_told, think_again, with_known_letters, with_told
from kibitz.engine.tracking.loose_table import IT_COUNTS, TAKE_BACK
from kibitz.engine.tracking.matching import explain
from kibitz.engine.tracking.missed_plays import told_of_waiting, told_plays
from kibitz.engine.tracking.prediction import overruled
from kibitz.engine.tracking.several_plays import PRIOR_EACH_MORE, part, reconsidered
from kibitz.engine.tracking.trial import LATER_CANDIDATE, blank_question

KEPT_HYPOTHESES = 8
VIEWS_COMPARED = 3
WORST_PARTED = -7.0
"""New tiles are parted into several plays only where that may come this near to the best."""


class BoardTracker:
    """Holds the lines of hypothesis about one table with a board.

    `see` takes photographs in order, `tell` what people say between them. The best line is
    the game; `second thoughts` about a letter change it for the past as well.
    """

    def __init__(self, opening: Opening, counts: Mapping[str, int] | None = None) -> None:
        ledger = open_ledger(opening)
        game = opening.game
        rack = most_tiles_of(game.info.slug)
        whole = None if counts is None else {x: sets_of(opening) * n for x, n in counts.items()}
        surfaces = game.surfaces(opening.players, opening.options)
        cards = any(surface.has_markers for surface in surfaces)
        self.facts = TableFacts(rack, game.info.slug == "scrabble-house", whole, cards)
        self.hypotheses = [Hypothesis(ledger, rules_grid(game, ledger.state))]
        self.photos = 0
        self._answers: Mapping[Square, str] = {}
        self._answered: frozenset[Square] = frozenset()
        self._views: list[BoardView] = []
        self.asked: dict[int, Question] = {}

    @property
    def best(self) -> Hypothesis:
        """The most likely line of hypothesis."""
        return self.hypotheses[0]

    @property
    def ledger(self) -> Ledger:
        """The game as the best line has it."""
        return self.best.ledger

    @property
    def lying(self) -> Grid:
        """The tiles that lie on the board, as far as is known."""
        return self.best.lying

    def copy(self) -> BoardTracker:
        """Another that knows the same; what it is shown changes only itself."""
        other = copy(self)
        other.hypotheses, other.asked = list(self.hypotheses), dict(self.asked)
        return other

    def see(self, view: BoardView, how: Capture = PHOTO) -> Finding:
        """Take in one photograph of the board, and say what it most likely showed.

        Args:
            view: what every square shows.
            how: how it was taken.
        """
        if self.facts.facing:
            view = with_same_sets(view, self.best)
        view = without_fingers(view) if how.live else view
        view = without_gaps(view, cards=self.facts.cards)
        view = as_told(with_known_letters(view, self.lying), self._answers)
        lasting, carded = lasting_gains(self._views), _like_cards(self._views[-1:])
        observed = Observation(self.photos, view, self.facts, lasting, carded, how)
        self._views = [*self._views, view][-VIEWS_COMPARED:]
        following: list[Hypothesis] = []
        puzzles: list[Puzzle] = []
        least = -math.inf
        late = [
            b for hypothesis in self.hypotheses for b in reconsidered(hypothesis, view, self.facts)
        ]
        for hypothesis in (*self.hypotheses, *(self._remembering_last(b) for b in late)):
            ways, open_ones = explain(hypothesis, observed, least)
            following += ways
            least = max([least, *(b.weight + WORST_KEPT for b in ways)])
            puzzles += open_ones
        for puzzle in sorted(puzzles, key=lambda p: -p.most):
            if puzzle.most + PRIOR_EACH_MORE < max(b.weight for b in following) + WORST_PARTED:
                break
            following += part(puzzle, observed)
        self._keep([self._remembering(b, observed) for b in following])
        self.photos += 1
        self._think_again()
        self._forget_answers()
        self._ask_for_blanks()
        return self.best.findings[-1]

    def see_nothing(self, status: str) -> Finding:
        """Take in a photograph that shows no board."""
        blind = Finding(self.photos, status)
        self.hypotheses = [replace(b, findings=(*b.findings, blind)) for b in self.hypotheses]
        self.photos += 1
        return blind

    def tell(self, action: Action) -> Verdict:
        """Take in what a person said or did; the verdict is that of the best line."""
        if action.kind == "answer":
            return self._answer(action)
        entry = Entry(action, self.photos, told=True)
        verdicts: list[Verdict] = []
        told = []
        for hypothesis in self.hypotheses:
            ledger, verdict = hypothesis.ledger.add(entry)
            verdicts.append(verdict)
            doubt = PER_REFUSAL if isinstance(verdict, Refused) else 0.0
            cards = (*hypothesis.cards, *_new_cards(ledger, len(hypothesis.ledger.done)))
            told.append(
                replace(hypothesis, ledger=ledger, weight=hypothesis.weight + doubt, cards=cards)
            )
        self._keep(told)
        return verdicts[0]

    def _answer(self, action: Action) -> Verdict:
        value = str(action.data.get("value") or "")
        if action.data.get("field") == "play":
            return self._answer_about_play(value)
        if action.data.get("field") == "plays":
            photo = action.data.get("photo")
            known = photo if isinstance(photo, int) else None
            return self._take(told_plays(self.best, value, self.facts.most_tiles, known))
        if action.data.get("field") == "board_changed":
            return Accepted(())  # what was put back or moved, the next picture shows
        if action.data.get("field") not in ("blank", "letter"):
            return Refused("unknown_question", f"nothing asks for {action.data.get('field')!r}")
        letter = str(action.data.get("value") or action.data.get("letter") or "")
        try:
            square = parse_square(str(action.data.get("square")))
        except ValueError as error:
            return Refused("off_board", str(error))
        if len(letter) != 1 or not letter.isalpha():
            return Refused("unknown_letter", f"expected one letter, got {letter!r}", (square,))
        blank = action.data.get("field") == "blank"
        told = letter.lower() if blank else letter.upper()
        self._answers = {**self._answers, square: told}
        self._answered |= frozenset({square} & set(self.lying.tiles))
        self.hypotheses = [with_told(b, self._answers) for b in self.hypotheses]
        return Accepted(())

    def _forget_answers(self) -> None:
        """What was said of a tile that was taken off says nothing of the next one there."""
        lying = self.lying.tiles
        self._answers = {
            s: x for s, x in self._answers.items() if s in lying or s not in self._answered
        }
        self._answered = frozenset(s for s in self._answers if s in lying)

    def _answer_about_play(self, value: str) -> Verdict:
        """People say whether tiles that the rules refused count."""
        if value.startswith(TAKE_BACK):
            return Accepted(())  # the next picture shows whether they were taken off
        if not value.startswith(IT_COUNTS):
            return self._take(told_of_waiting(self.best, value, self.facts.most_tiles))
        allowed = overruled(self.best)
        if allowed is None:
            return Refused("unknown_question", "No refused word waits for an answer.")
        return self._take(allowed)

    def _take(self, told: Hypothesis | Refused) -> Verdict:
        """What people say is so: no other line of hypothesis is left."""
        if isinstance(told, Refused):
            return told
        self.hypotheses = [told]
        return Accepted(())

    def _remembering(self, hypothesis: Hypothesis, observed: Observation) -> Hypothesis:
        """Keep what this photograph shows of each tile, and what the rules now want laid."""
        views = {
            s: (*hypothesis.views.get(s, ()), observed.view[s]) for s in hypothesis.lying.tiles
        }
        before = next(
            (
                i
                for i, d in enumerate(hypothesis.ledger.done)
                if not d.entry.told and d.entry.photo == observed.photo
            ),
            len(hypothesis.ledger.done),
        )
        cards = (*hypothesis.cards, *_new_cards(hypothesis.ledger, before))
        return with_told(replace(hypothesis, views=views, cards=cards), self._answers)

    def _remembering_last(self, hypothesis: Hypothesis) -> Hypothesis:
        """Tiles that were only now taken for a play were seen in the last picture as well."""
        if len(self._views) < 2:
            return hypothesis
        last = self._views[-2]
        views = {s: hypothesis.views.get(s) or (last[s],) for s in hypothesis.lying.tiles}
        return replace(hypothesis, views=views)

    def _think_again(self) -> None:
        """Later photographs of the same tiles may put a letter right."""
        changed = think_again(self.best, self.facts.counts)
        if changed is not None:
            self.hypotheses[0] = changed

    def _ask_for_blanks(self) -> None:
        """Remember what was asked at this photograph; a later answer does not unask it."""
        best = self.best
        if (question := blank_question(best.ledger, best.findings[-1].laid)) is not None:
            self.asked[self.photos - 1] = question

    def _keep(self, hypotheses: list[Hypothesis]) -> None:
        ranked = sorted(hypotheses, key=lambda b: -b.weight)
        top = ranked[0].weight
        kept: dict[Any, Hypothesis] = {}
        for hypothesis in ranked:
            if hypothesis.weight < top + WORST_KEPT or len(kept) >= KEPT_HYPOTHESES:
                break
            kept.setdefault(
                _same_game(hypothesis), replace(hypothesis, weight=hypothesis.weight - top)
            )
        self.hypotheses = list(kept.values())


def sets_of(opening: Opening) -> int:
    """How many tile sets may lie on one board: as many as are mixed (FS-1), or both colours."""
    if opening.game.info.slug == "scrabble-house":
        return 2
    return int(opening.options.get("fs.sets", 1))


def with_same_sets(view: BoardView, hypothesis: Hypothesis) -> BoardView:
    """The view with its two tile sets named as in the pictures before.

    In one picture the set with more tiles comes first; which that is may change in a game.
    """
    votes = 0
    for square in hypothesis.lying.tiles:
        before, now = hypothesis.views.get(square), view[square]
        if before and not now.hidden and now.tile > 0.5:
            votes += 1 if before[-1].colour == now.colour else -1
    if votes >= 0:
        return view
    other = {"a": "b", "b": "a"}
    squares = {
        s: replace(q, colour=other.get(q.colour, q.colour)) for s, q in view.squares.items()
    }
    return replace(view, squares=squares)


PER_REFUSAL = 10 * LATER_CANDIDATE
"""People seldom say what the rules refuse: a line of hypothesis where they would is doubtful."""


LIKE_A_CARD = 0.3


def _like_cards(views: Sequence[BoardView]) -> frozenset[Square]:
    """Squares that looked like a ship card."""
    return frozenset(s for v in views for s, q in v.squares.items() if q.marker > LIKE_A_CARD)


def _new_cards(ledger: Ledger, since: int) -> list[frozenset[Square]]:
    """Ship cards that the rules asked for since then."""
    events = [e for done in ledger.done[since:] for e in done.events if e.kind == "ship_tile"]
    return [frozenset(parse_square(str(s)) for s in e.data["squares"]) for e in events]


def _same_game(hypothesis: Hypothesis) -> Any:
    """Two lines that agree in this go on alike, so the better one stands for both."""
    game = hypothesis.ledger.game
    rules = rules_grid(game, hypothesis.state)
    return (
        tuple(text_rows(hypothesis.lying, facing=True)),
        tuple(text_rows(rules, facing=True)),
        tuple(sorted(hypothesis.waiting.tiles)) if hypothesis.waiting else None,
        hypothesis.last.squares if hypothesis.last else None,
        hypothesis.state.may_act if hasattr(hypothesis.state, "may_act") else None,
    )
