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
from kibitz.engine.tracking.beliefs import Belief, Sighting
from kibitz.engine.tracking.blanks import blank_question
from kibitz.engine.tracking.changes import BoardView
from kibitz.engine.tracking.expected import rules_grid, text_rows
from kibitz.engine.tracking.explanations import explain
from kibitz.engine.tracking.hypotheses import overruled
from kibitz.engine.tracking.interpretation import lasting_gains
from kibitz.engine.tracking.letters import as_told, think_again, with_known_letters, with_told
from kibitz.engine.tracking.loose_table import IT_COUNTS, TAKE_BACK
from kibitz.engine.tracking.missed_plays import told_of_waiting, told_plays
from kibitz.engine.tracking.several_plays import PRIOR_EACH_MORE, part, reconsidered
from kibitz.engine.tracking.sights import (
    PHOTO,
    WORST_KEPT,
    Puzzle,
    Seeing,
    Sight,
    TableFacts,
    without_fingers,
    without_gaps,
)
from kibitz.engine.tracking.trial import LATER_CANDIDATE

KEPT_BELIEFS = 8
VIEWS_COMPARED = 3
WORST_PARTED = -7.0
"""New tiles are parted into several plays only where that may come this near to the best."""


class Referee:
    """Holds the lines of belief about one table with a board.

    `see` takes photographs in order, `tell` what people say between them. The best line is
    the game; `second thoughts` about a letter change it for the past as well.
    """

    def __init__(self, opening: Opening, counts: Mapping[str, int] | None = None) -> None:
        ledger = open_ledger(opening)
        game = opening.game
        info = game.info
        whole = None if counts is None else {x: sets_of(opening) * n for x, n in counts.items()}
        surface = info.surface
        self.facts = TableFacts(
            info.most_tiles, surface.facing, surface.tile_colours, whole, bool(surface.markers)
        )
        self.beliefs = [Belief(ledger, rules_grid(game, ledger.state))]
        self.photos = 0
        self._answers: Mapping[Square, str] = {}
        self._answered: frozenset[Square] = frozenset()
        self._views: list[BoardView] = []
        self.asked: dict[int, Question] = {}

    @property
    def best(self) -> Belief:
        """The most likely line of belief."""
        return self.beliefs[0]

    @property
    def ledger(self) -> Ledger:
        """The game as the best line has it."""
        return self.best.ledger

    @property
    def lying(self) -> Grid:
        """The tiles that lie on the board, as far as is known."""
        return self.best.lying

    def copy(self) -> Referee:
        """Another that knows the same; what it is shown changes only itself."""
        other = copy(self)
        other.beliefs, other.asked = list(self.beliefs), dict(self.asked)
        return other

    def see(self, view: BoardView, how: Seeing = PHOTO) -> Sighting:
        """Take in one photograph of the board, and say what it most likely showed.

        Args:
            view: what every square shows.
            how: how it was taken.
        """
        if self.facts.colours > 1:
            view = with_same_sets(view, self.best)
        view = without_fingers(view) if how.live else view
        view = without_gaps(view, cards=self.facts.cards)
        view = as_told(with_known_letters(view, self.lying), self._answers)
        lasting, carded = lasting_gains(self._views), _like_cards(self._views[-1:])
        sight = Sight(self.photos, view, self.facts, lasting, carded, how)
        self._views = [*self._views, view][-VIEWS_COMPARED:]
        following: list[Belief] = []
        puzzles: list[Puzzle] = []
        least = -math.inf
        late = [b for belief in self.beliefs for b in reconsidered(belief, view, self.facts)]
        for belief in (*self.beliefs, *(self._remembering_last(b) for b in late)):
            ways, open_ones = explain(belief, sight, least)
            following += ways
            least = max([least, *(b.weight + WORST_KEPT for b in ways)])
            puzzles += open_ones
        for puzzle in sorted(puzzles, key=lambda p: -p.most):
            if puzzle.most + PRIOR_EACH_MORE < max(b.weight for b in following) + WORST_PARTED:
                break
            following += part(puzzle, sight)
        self._keep([self._remembering(b, sight) for b in following])
        self.photos += 1
        self._think_again()
        self._forget_answers()
        self._ask_for_blanks()
        return self.best.sightings[-1]

    def see_nothing(self, status: str) -> Sighting:
        """Take in a photograph that shows no board."""
        blind = Sighting(self.photos, status)
        self.beliefs = [replace(b, sightings=(*b.sightings, blind)) for b in self.beliefs]
        self.photos += 1
        return blind

    def tell(self, action: Action) -> Verdict:
        """Take in what a person said or did; the verdict is that of the best line."""
        if action.kind == "answer":
            return self._answer(action)
        entry = Entry(action, self.photos, told=True)
        verdicts: list[Verdict] = []
        told = []
        for belief in self.beliefs:
            ledger, verdict = belief.ledger.add(entry)
            verdicts.append(verdict)
            doubt = PER_REFUSAL if isinstance(verdict, Refused) else 0.0
            cards = (*belief.cards, *_new_cards(ledger, len(belief.ledger.done)))
            told.append(replace(belief, ledger=ledger, weight=belief.weight + doubt, cards=cards))
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
        self.beliefs = [with_told(b, self._answers) for b in self.beliefs]
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

    def _take(self, told: Belief | Refused) -> Verdict:
        """What people say is so: no other line of belief is left."""
        if isinstance(told, Refused):
            return told
        self.beliefs = [told]
        return Accepted(())

    def _remembering(self, belief: Belief, sight: Sight) -> Belief:
        """Keep what this photograph shows of each tile, and what the rules now want laid."""
        views = {s: (*belief.views.get(s, ()), sight.view[s]) for s in belief.lying.tiles}
        before = next(
            (
                i
                for i, d in enumerate(belief.ledger.done)
                if not d.entry.told and d.entry.photo == sight.photo
            ),
            len(belief.ledger.done),
        )
        cards = (*belief.cards, *_new_cards(belief.ledger, before))
        return with_told(replace(belief, views=views, cards=cards), self._answers)

    def _remembering_last(self, belief: Belief) -> Belief:
        """Tiles that were only now taken for a play were seen in the last picture as well."""
        if len(self._views) < 2:
            return belief
        last = self._views[-2]
        views = {s: belief.views.get(s) or (last[s],) for s in belief.lying.tiles}
        return replace(belief, views=views)

    def _think_again(self) -> None:
        """Later photographs of the same tiles may put a letter right."""
        changed = think_again(self.best, self.facts.counts)
        if changed is not None:
            self.beliefs[0] = changed

    def _ask_for_blanks(self) -> None:
        """Remember what was asked at this photograph; a later answer does not unask it."""
        best = self.best
        if (question := blank_question(best.ledger, best.sightings[-1].laid)) is not None:
            self.asked[self.photos - 1] = question

    def _keep(self, beliefs: list[Belief]) -> None:
        ranked = sorted(beliefs, key=lambda b: -b.weight)
        top = ranked[0].weight
        kept: dict[Any, Belief] = {}
        for belief in ranked:
            if belief.weight < top + WORST_KEPT or len(kept) >= KEPT_BELIEFS:
                break
            kept.setdefault(_same_game(belief), replace(belief, weight=belief.weight - top))
        self.beliefs = list(kept.values())


def sets_of(opening: Opening) -> int:
    """How many tile sets may lie on one board: as many as are mixed (FS-1), in each colour."""
    info = opening.game.info
    mixed = opening.options.get(info.sets_setting, 1) if info.sets_setting else 1
    return int(mixed) * info.surface.tile_colours


def with_same_sets(view: BoardView, belief: Belief) -> BoardView:
    """The view with its two tile sets named as in the pictures before.

    In one picture the set with more tiles comes first; which that is may change in a game.
    """
    votes = 0
    for square in belief.lying.tiles:
        before, now = belief.views.get(square), view[square]
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
"""People seldom say what the rules refuse: a line of belief where they would is doubtful."""


LIKE_A_CARD = 0.3


def _like_cards(views: Sequence[BoardView]) -> frozenset[Square]:
    """Squares that looked like a ship card."""
    return frozenset(s for v in views for s, q in v.squares.items() if q.marker > LIKE_A_CARD)


def _new_cards(ledger: Ledger, since: int) -> list[frozenset[Square]]:
    """Ship cards that the rules asked for since then."""
    events = [e for done in ledger.done[since:] for e in done.events if e.kind == "ship_tile"]
    return [frozenset(parse_square(str(s)) for s in e.data["squares"]) for e in events]


def _same_game(belief: Belief) -> Any:
    """Two lines that agree in this go on alike, so the better one stands for both."""
    game = belief.ledger.game
    rules = rules_grid(game, belief.state)
    return (
        tuple(text_rows(belief.lying, facing=True)),
        tuple(text_rows(rules, facing=True)),
        tuple(sorted(belief.waiting.tiles)) if belief.waiting else None,
        belief.last.squares if belief.last else None,
        belief.state.may_act if hasattr(belief.state, "may_act") else None,
    )
