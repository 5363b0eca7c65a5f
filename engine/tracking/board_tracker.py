"""Tracks one board: pictures and what people say become the game. Nothing else changes it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from itertools import takewhile
from typing import Any, Protocol, TypeVar

from kibitz.engine.board.connection import check_line
from kibitz.engine.judging import unknown_choice
from kibitz.engine.record.ledger import Entry, Ledger, Opening, open_ledger, tiles_of
from kibitz.engine.rules import Accepted, Action, Question, Refused, TileSetLike, Verdict
from kibitz.engine.table import Grid, Square, square_named
from kibitz.engine.telling import letter_told
from kibitz.engine.tracking.doubts import (
    Doubts,
    doubts_of,
    likeliest,
    restore_alternatives,
    with_views,
)
from kibitz.engine.tracking.evidence.changes import (
    BoardView,
    agreement,
    lasting_gains,
    set_weights,
    sets_of,
    with_known_letters,
    with_same_sets,
    with_set_counts,
    without_fingers,
    without_fog,
    without_gaps,
)
from kibitz.engine.tracking.evidence.facing import facing_one_way, turned_game, turned_square
from kibitz.engine.tracking.evidence.hypotheses import (
    PHOTO,
    Capture,
    Expectation,
    Finding,
    Hypothesis,
    Observation,
    Puzzle,
    Seats,
    TableFacts,
    Task,
    Waiting,
    cards_asked_for,
    lying_from,
    rules_grid,
    tasks_of,
    text_rows,
)
from kibitz.engine.tracking.evidence.interpretation import blank_question, has_strange_word
from kibitz.engine.tracking.evidence.loose_table import TAKE_BACK
from kibitz.engine.tracking.evidence.priors import PRIORS, TrackingPriors
from kibitz.engine.tracking.explanations import one_or_two, take_backs, whose_turn
from kibitz.engine.tracking.explanations.letters import (
    as_told,
    think_again,
    tile_question,
    with_answer,
    with_letters_of,
    with_told,
)
from kibitz.engine.tracking.explanations.listed import (
    Answer,
    answered,
    explain,
    plays_instead,
    questions_open,
    tiles_doubted,
)
from kibitz.engine.tracking.explanations.matching import HALF_LAID
from kibitz.engine.tracking.explanations.missed_plays import (
    Misread,
    looked_at_anew,
    misread_tiles,
    still_refused,
    with_choices,
)
from kibitz.engine.tracking.explanations.several_plays import part, reconsidered
from kibitz.engine.tracking.explanations.steadiness import (
    ALL_ALONG,
    Letters,
    Steadiness,
    after_picture,
    exchanged_tiles,
    letters_of,
    other_letters,
    shown_now,
    steady_with,
)
from kibitz.engine.tracking.explanations.take_backs import last_play
from kibitz.engine.tracking.questions import Kind, Trait
from kibitz.engine.tracking.tracker import DOUBTFUL, Preview, Tracker, V
from kibitz.engine.tracking.why import Evidence, evidence
from kibitz.engine.words.lexicon import AcceptAll


class Boards(Tracker[V], Protocol):
    """A tracker of a game on one board or two.

    Attributes:
        boards: the tracker of each.
    """

    boards: Sequence[BoardTracker]


B = TypeVar("B", bound=Boards[Any])


class BoardTracker(Boards[BoardView]):
    """Keeps the hypotheses about one board, or several joined ones.

    `update` takes pictures in order, `tell` what people say between them. Letters put right
    later also change earlier plays.
    """

    def __init__(
        self,
        opening: Opening,
        counts: Mapping[str, int] | None = None,
        priors: TrackingPriors = PRIORS,
        *,
        board: int | None = None,
    ) -> None:
        info, surface = opening.game.info, opening.game.info.surface
        whole = None if counts is None else {x: sets_of(opening) * n for x, n in counts.items()}
        cards = bool(surface.markers)
        self.facts = TableFacts(
            info.most_tiles, surface.facing, surface.tile_colours, whole, cards, priors, board
        )
        self.priors = priors
        self._weights = set_weights(counts, priors.letters)
        ledger = open_ledger(opening)
        self._seats = Seats()
        self._sat: tuple[tuple[Ledger, Mapping[int, str], Seats], Seats] | None = None
        self.hands: Mapping[int, str] = {}
        self._pauses: Mapping[int, float | None] = {}
        self._attended = False
        self._begin(Hypothesis(ledger, rules_grid(opening.game, ledger.state)), 0)

    def _begin(self, hypothesis: Hypothesis, photos: int) -> None:
        self.hypotheses = [hypothesis]
        self.photos = photos
        self.blank_questions: dict[int, Question] = {}
        self._views: list[BoardView] = []
        self._steady = Steadiness()
        self._righted: frozenset[Square] = frozenset()

    @property
    def seats(self) -> Seats:
        """Seats: as people said, and from which side each player's plays came."""
        given = self.ledger, self.hands, self._seats
        if self._sat is None or any(a is not b for a, b in zip(given, self._sat[0], strict=True)):
            votes = Counter(self._seats.seen) + whose_turn.votes_of(self.ledger, self.hands)
            reaching = whose_turn.reached_over(self.ledger)
            self._sat = given, replace(self._seats, seen=dict(votes), reaching=reaching)
        return self._sat[1]

    def sit(self, seats: Seats, hands: Mapping[int, str] | None = None) -> None:
        """Set the seats, in addition to what plays show."""
        self._seats = seats
        self.hands = self.hands if hands is None else hands

    def told_seat(self, player: str, side: str) -> None:
        """Take in where people say that a player sits; what plays tell is counted anew."""
        self.sit(self._seats.with_told(player, side))

    @property
    def best(self) -> Hypothesis:
        """The likeliest hypothesis."""
        return self.hypotheses[0]

    @property
    def ledger(self) -> Ledger:  # type: ignore[override]  # of the likeliest hypothesis, so only read
        """The game as it most likely went."""
        return self.best.ledger

    @property
    def _tile_set(self) -> TileSetLike:
        return self.ledger.opening.materials.tile_set

    @property
    def boards(self) -> Sequence[BoardTracker]:  # type: ignore[override]  # itself
        """What is asked of each board of a game is asked of this one."""
        return (self,)

    @property
    def lying(self) -> Grid:
        """Tiles on the board, as far as is known."""
        return self.best.lying

    def copy(self) -> BoardTracker:
        """An independent copy."""
        other = copy(self)
        other.hypotheses, other.blank_questions = list(self.hypotheses), dict(self.blank_questions)
        return other

    def restart(self, ledger: Ledger, rows: Sequence[str] | None, photos: int) -> None:
        """Continue from a known game and position."""
        lying = rules_grid(ledger.game, ledger.state)
        if rows is not None:
            lying = lying_from(rows, lying, facing=self.facts.facing)
        # a table that is as the rules want it has no tiles that they refuse
        self._go_on(ledger, lying, photos, None if rows is None else self.best.waiting)

    def put_right(self, ledger: Ledger) -> None:
        """Continue from the game as people corrected it; tiles to lift or turn still lie there."""
        before = rules_grid(self.ledger.game, self.best.state)
        rules = rules_grid(ledger.game, ledger.state)
        own = [d.entry for d in ledger.done if not d.entry.told]
        laid = {square_named(name) for entry in own for name in tiles_of(entry)}
        beside = {
            s: tile
            for s, tile in self.lying.tiles.items()
            if s not in rules and (s not in before or s in laid)
        }
        there = self.lying.tiles.items() if self.facts.facing else ()
        unturned = {s: replace(rules.tiles[s], turn=t.turn) for s, t in there if s in rules}
        lying = rules.with_tiles({**beside, **unturned})
        self._go_on(ledger, lying, self.photos, self.best.waiting)

    def _go_on(self, ledger: Ledger, lying: Grid, photos: int, waiting: Waiting | None) -> None:
        """Reset to a game, a position, and the views of its tiles."""
        again = with_views(replace(self.best, ledger=ledger), lying, photos)
        last = last_play(ledger, lying)
        steady = self._steady.kept(self.lying, lying).of_tiles(lying)
        again = still_refused(replace(again, last=last), waiting)
        self._begin(again, photos)
        self._steady = steady

    def turn(self, quarters: int) -> bool:
        """Move row A by quarter turns; False if the game does not allow it."""
        if self.facts.facing:
            return False  # facing tells who laid a tile
        turned = turned_game(self.best, quarters)
        if turned is None:
            return False
        # what people said of a tile goes with it
        rows = self.lying.rows
        told = {turned_square(s, rows, quarters): x for s, x in self._steady.told.items()}
        self.hypotheses, self._views, self._steady = [turned], [], Steadiness(told=told)
        self.blank_questions = {}
        return True

    def predict(self) -> tuple[Expectation, ...]:
        """What the rules expect on the board, and what was last seen there."""
        return (Expectation(rules_grid(self.ledger.game, self.best.state), self.lying),)

    def match(self, view: BoardView, how: Capture = PHOTO) -> list[Hypothesis]:
        """Hypotheses that may explain a view, likeliest first; nothing is changed."""
        return sorted(self._matching(self._observed(view, how)), key=lambda h: -h.weight)

    def update(
        self, view: BoardView | None, how: Capture = PHOTO, *, unseen: str = "unreadable"
    ) -> Finding:
        """Take in one picture of the board, and report what it most likely showed.

        Args:
            view: what every square shows; None: no board is in sight.
            how: how it was taken.
            unseen: the status of a picture without the board.
        """
        if view is None:
            blind = Finding(self.photos, unseen, unseen=True)
            for k, h in enumerate(self.hypotheses):
                last = h.findings[-1] if h.findings else blind
                # people at a table are asked until a picture shows this board otherwise
                stays = how.attended and last.is_disturbed
                now = last.still(self.photos) if stays else blind
                self.hypotheses[k] = replace(h, findings=(*h.findings, now))
            self._count(how)
            return self.best.findings[-1]
        before, start = self.best, self.copy()
        self._see(view, how)
        told = self._steady.fixed
        other = exchanged_tiles(before, self.best, told, self.priors) if how.attended else {}
        if other:
            vars(self).update(vars(start))
            self._steady = self._steady.exchanged(before.lying, other, self._tile_set)
            self._see(view, how)
            self._tell_exchange(min(other))
        self._attended = how.attended
        if how.attended:
            self._widen_question()
            self._hold_letters(before, view)
            self._ask_of_letters()
            if how.side is not None:
                self.hands = {**self.hands, self.photos - 1: how.side}
        self._righted = other_letters(before.lying, self.lying)
        self._steady = self._steady.without_lifted(before.lying, self.lying)
        self._ask_for_blanks()
        return self.best.findings[-1]

    def _see(self, view: BoardView, how: Capture) -> None:
        """Find the games that a picture may show, and correct letters by it."""
        before, observed = self.best, self._observed(view, how)
        found = whose_turn.weigh_by_hand_side(self._matching(observed), observed)
        found = one_or_two.weighed_up(found, observed)
        self._views = [*self._views, observed.view][-self.priors.search.pictures_compared :]
        found = [self._remembering(h, observed) for h in found]
        kept = likeliest(found, self.priors.search)
        self.hypotheses = [whose_turn.marked(h, observed) for h in kept]
        if self.best.clearing:
            self.hypotheses = take_backs.of_game_told(self.hypotheses, before.ledger)
        self._count(how)
        self._think_again()

    def _tell_exchange(self, square: Square) -> None:
        """Report the board as disturbed if a picture shows only an exchanged tile."""
        newest = self.best.findings[-1]
        if newest.status == "no_change":
            asked = self._steady.asked[square]
            told = replace(newest, status="board_changed", question=asked)
            findings = (*self.best.findings[:-1], told)
            self.hypotheses[0] = replace(self.best, findings=findings)

    def preview(self, view: BoardView, how: Capture = PHOTO) -> Preview[BoardTracker]:
        """Result that `update` would have, with the tracker after it."""
        after = self.copy()
        return preview_of(self, after, after.update(view, how).status, (view,), how)

    def why(self) -> Evidence:
        """Evidence for the meaning of the newest picture."""
        view = self._views[-1] if self._views else None
        also = self._righted | set(self._steady.asked)
        return evidence(self.hypotheses, view, self.priors, also)

    def _observed(self, view: BoardView, how: Capture) -> Observation:
        """A view without artefacts of hands and doubtful readings."""
        priors = self.priors
        if view.priors != priors.reading:
            view = replace(view, priors=priors.reading)
        if self.facts.colours > 1:
            view = with_same_sets(view, self.best.views, self.lying.tiles)
        view = facing_one_way(view, self.lying) if self.facts.facing else view
        view = without_fingers(view, hand=how.hand)
        view = without_gaps(view, cards=self.facts.cards, hand=how.hand)
        view = without_fog(view, self.lying, self.best.views)
        view = with_set_counts(view, self._weights)
        view = with_known_letters(view, self.lying, priors)
        view = as_told(view, self._steady.fixed)
        lasting = lasting_gains(self._views, priors.plays)
        before = self._views[-1] if self._views else None
        return Observation(
            self.photos, view, self.facts, lasting, before, how, self.seats, self._pauses
        )

    def _count(self, how: Capture) -> None:
        """Count a picture."""
        self._pauses = {**self._pauses, self.photos: how.pause_s}
        self.photos += 1

    def _matching(self, observed: Observation) -> list[Hypothesis]:
        """All continuations of the game that may explain a view, unordered."""
        found: list[Hypothesis] = []
        puzzles: list[Puzzle] = []
        least = -math.inf
        plays, limits = self.priors.plays, self.priors.search
        late = [x for h in self.hypotheses for x in reconsidered(h, observed.view, self.facts)]
        for hypothesis in (*self.hypotheses, *(self._remembering_last(h) for h in late)):
            ways, open_ones = explain(hypothesis, observed, least)
            found += ways
            least = max([least, *(h.weight - limits.worst_kept for h in ways)])
            puzzles += open_ones
        for puzzle in sorted(puzzles, key=lambda p: -p.most):
            if puzzle.most + plays.seldom < max(h.weight for h in found) - limits.within:
                break
            found += part(puzzle, observed)
        return found

    def question_at(self, photo: int, *, doubts: bool = False) -> Question | None:
        """Question about a picture, with every possible answer; None without one.

        Args:
            photo: its number.
            doubts: whether a letter that later pictures left in doubt is asked about.
        """
        finding = self.best.findings[photo]
        if finding.question is None:
            asked = self.blank_questions.get(photo)
            if asked is None and doubts:
                doubted = tile_question(self.best, finding.laid, self.priors)
                asked = None if doubted is None else doubted[1]
            finding = replace(finding, question=asked)
        question = with_choices(self.best, finding, self.facts)
        if question is None or question.field != Kind.PLAY or photo < self.photos - 1:
            return question
        known = *(m.label for m in self._misread()), *question.choices
        others = [label for label in self._other_plays() if label not in known]
        return replace(question, choices=(*others[: self.priors.search.offered], *known))

    def tasks(self) -> list[Task]:
        """Tasks that the rules require on the board and that were not seen done."""
        return tasks_of(self.best, facing=self.facts.facing)

    def lying_rows(self) -> list[str]:
        """The board as text."""
        return text_rows(self.lying, facing=self.facts.facing)

    def tell(self, action: Action) -> Verdict:
        """Take in what a person said or did; the verdict is the likeliest hypothesis's."""
        if action.kind == "answer":
            return self._answer(action)
        entry = Entry(action, self.photos, told=True)
        verdicts: list[Verdict] = []
        told = []
        for hypothesis in self.hypotheses:
            ledger, verdict = whose_turn.told(hypothesis.ledger, entry)
            verdicts.append(verdict)
            doubt = self.priors.plays.phony if isinstance(verdict, Refused) else 0.0
            cards = (*hypothesis.cards, *cards_asked_for(ledger, len(hypothesis.ledger.done)))
            weight = hypothesis.weight + doubt
            told.append(replace(hypothesis, ledger=ledger, weight=weight, cards=cards))
        self.hypotheses = likeliest(told, self.priors.search)
        return verdicts[0]

    def _answer(self, action: Action) -> Verdict:
        field, value = str(action.data.get("field")), str(action.data.get("value") or "")
        if field == Kind.CLEARING and (end := take_backs.end_told(self.ledger, value)) is not None:
            return self.tell(end)
        photo = action.data.get("photo")
        known = photo if isinstance(photo, int) else None
        told = Answer(field, value, self.facts, known, self._views[-1] if self._views else None)
        if field == Kind.PLAY:
            return self._answer_about_play(told)
        if field == Kind.BLANK or Kind(field).has(Trait.OF_TILE):
            return self._answer_about_tile(action, told)
        return self._take(answered(self.hypotheses, told))

    def _answer_about_tile(self, action: Action, said: Answer) -> Verdict:
        """Judge an answer that says a tile's letter, or another one about a tile."""
        try:
            square = square_named(str(action.data.get("square")))
        except ValueError as error:
            return Refused("off_board", str(error))
        if said.field in (Kind.BLANK, Kind.LETTER):
            letter = letter_told(action, self._tile_set)
            if len(letter) != 1 or not letter.isalpha():
                return Refused("unknown_letter", f"expected one letter, got {letter!r}", (square,))
            blank = said.field == Kind.BLANK
            return self._named(square, letter.lower() if blank else letter.upper())
        question = self._steady.asked.get(square)
        if question is None or question.field != said.field:
            return Refused("unknown_question", "No tile waits for this answer.")
        if said.value not in question.choices:
            return unknown_choice(said.value, question.choices)
        now = shown_now(question)
        if said.value == ALL_ALONG.filled(letter=now):
            return self._named(square, self._tile_set.tiles_in(now))
        before = self.lying
        verdict = self._take(answered(self.hypotheses, replace(said, tile=(square, question))))
        if isinstance(verdict, Accepted):
            self._steady = self._steady.kept(before, self.lying).answered(square, said.field)
        return verdict

    def _named(self, square: Square, told: str) -> Verdict:
        """Judge an answer that names a tile."""
        self._steady = self._steady.named(square, told)
        self._weigh_answer(square, told)
        self._think_again()  # one letter known may tell another of the same word
        return Accepted(())

    def _weigh_answer(self, square: Square, told: str) -> None:
        """Weigh hypotheses by a named tile: those that agree with it stay."""
        weighed = (with_answer(h, square, told, self.priors) for h in self.hypotheses)
        agreeing = [h for h in weighed if h is not None]
        if not any(square in h.lying for h in agreeing):
            return
        self.hypotheses = likeliest(agreeing, self.priors.search)
        if self._attended:  # the same picture may be looked at once more
            self.hypotheses = [looked_at_anew(h) for h in self.hypotheses]
        self._steady = self._steady.still_asking(self.lying, self._tile_set)
        question = self.best.findings[-1].question if self.best.findings else None
        if question is not None and question.field == Kind.LETTER:
            asked = square_named(str(question.square))
            if asked not in self._steady.fixed:
                self._steady = self._steady.asking(asked, question)

    def _widen_question(self) -> None:
        """Offer the letters of every hypothesis as answers."""
        finding = self.best.findings[-1]
        if finding.question is not None and finding.question.field == Kind.LETTER:
            question = self._with_every_letter(finding.question)
            findings = (*self.best.findings[:-1], replace(finding, question=question))
            self.hypotheses[0] = replace(self.best, findings=findings)

    def _with_every_letter(self, question: Question) -> Question:
        return with_letters_of(question, self.hypotheses, self.priors.search.offered)

    def _hold_letters(self, before: Hypothesis, view: BoardView) -> None:
        """Let an announced letter change only once without a person, then ask about it."""
        self._steady = after_picture(self._steady, before, self.best, view)
        if self._steady.held:
            self.hypotheses = [with_told(b, self._steady.held) for b in self.hypotheses]

    def _ask_of_letters(self) -> None:
        """Ask about letters of earlier plays that are in doubt or make unknown words."""
        for square, question in tiles_doubted(self.best, self._steady.fixed, self.priors):
            self._steady = self._steady.asking(square, self._with_every_letter(question))

    def letters(self) -> Letters:
        """Knowledge about letters, to be given back to `recall`."""
        return letters_of(self._steady, self.lying.rows)

    def recall(self, letters: Letters) -> None:
        """Restore knowledge about letters; newer knowledge is forgotten.

        What people said since is in the views of its tile too: later pictures show it anew.
        """
        since = self._steady.fixed
        self._steady = steady_with(letters, self.lying)
        known = self._steady.fixed
        stale = {s for s, x in since.items() if known.get(s) != x}
        self.hypotheses = [
            replace(h, views={s: v for s, v in h.views.items() if s not in stale})
            for h in self.hypotheses
        ]

    def doubts(self) -> Doubts:
        """Alternatives to the likeliest game, to be given back to `remember`."""
        return doubts_of(self.hypotheses)

    def remember(self, doubts: Doubts) -> None:
        """Restore alternatives to the likeliest game."""
        self.hypotheses = restore_alternatives(self.best, doubts)

    def letter_questions(self) -> list[Question]:
        """Open questions about letters."""
        return self._steady.questions

    def play_questions(self) -> list[tuple[int, Question]]:
        """Open questions about plays, with the picture that showed each."""
        return questions_open(self.ledger)

    def waits_for(self, field: str) -> bool:
        """True if an answer is taken now; about refused tiles only while they lie there.

        Args:
            field: the question's.
        """
        waiting = self.best.waiting
        return field != Kind.PLAY or (waiting is not None and waiting.refused is not None)

    @property
    def is_disturbed(self) -> bool:
        """True if the newest picture lacked known tiles, or showed tiles that are no play."""
        best = self.best
        return bool(best.clearing or (best.findings and best.findings[-1].is_disturbed))

    def _misread(self) -> list[Misread]:
        """Tiles that may have been misread, so that the rules refused a play."""
        return misread_tiles(self.best, self._steady.fixed.keys())

    def _other_plays(self) -> dict[str, list[Hypothesis]]:
        """Games in which refused tiles are plays, by the answer that chooses them."""
        if not self._views:
            return {}
        return plays_instead(self.hypotheses, self._views[-1], self.priors.reading)

    def _answer_about_play(self, said: Answer) -> Verdict:
        """Judge an answer about refused tiles: valid, or one was misread."""
        others, value = self._other_plays(), said.value
        if value in others:
            return self._take(others[value])
        for misread in self._misread():
            if misread.label == value:
                self._steady = self._steady.named(misread.square, misread.letter)
                return self._take([misread.game])
        if value.startswith(TAKE_BACK):
            return Accepted(())  # the next picture shows whether they were taken off
        return self._take(answered(self.hypotheses, said))

    def _take(self, told: list[Hypothesis] | Refused) -> Verdict:
        """Apply an action that people told; other hypotheses are dropped."""
        if isinstance(told, Refused):
            return told
        before, self.hypotheses = self.lying, told
        self._steady = self._steady.without_lifted(before, self.lying)
        return Accepted(())

    def _remembering(self, hypothesis: Hypothesis, observed: Observation) -> Hypothesis:
        """The hypothesis with this picture's view of each tile, and the rules' new tasks."""
        # where a board is being cleared a bare square is no view of the tile that lay there
        seen = {
            s: (observed.view[s],) for s in hypothesis.lying.tiles if s not in hypothesis.clearing
        }
        before = {s: v for s, v in hypothesis.views.items() if s in hypothesis.lying}
        views = {s: (*before.get(s, ()), *seen.get(s, ())) for s in {**before, **seen}}
        done, now = hypothesis.ledger.done, observed.photo
        known = list(takewhile(lambda d: d.entry.told or d.entry.photo != now, done))
        cards = (*hypothesis.cards, *cards_asked_for(hypothesis.ledger, len(known)))
        return with_told(replace(hypothesis, views=views, cards=cards), self._steady.fixed)

    def _remembering_last(self, hypothesis: Hypothesis) -> Hypothesis:
        """The hypothesis with the last picture's views of tiles that became a play only now."""
        if not self._views:
            return hypothesis
        last = self._views[-1]
        views = {s: hypothesis.views.get(s) or (last[s],) for s in hypothesis.lying.tiles}
        return replace(hypothesis, views=views)

    def _think_again(self) -> None:
        """Correct letters by later pictures of the same tiles."""
        changed = think_again(self.best, self.facts.counts, self.priors, self._steady.fixed)
        if changed is not None:
            self.hypotheses[0] = changed
        self._steady = self._steady.still_asking(self.lying, self._tile_set)

    def _ask_for_blanks(self) -> None:
        """Keep the question of this picture, also after a later answer."""
        laid = self.best.findings[-1].laid
        question = blank_question(self.ledger, laid, self.priors.search.offered)
        if question is not None:
            self.blank_questions[self.photos - 1] = question


def preview_of(
    before: B, after: B, status: str, views: Sequence[BoardView | None], how: Capture
) -> Preview[B]:
    """What a picture of boards would mean.

    Args:
        before: the tracker without it.
        after: the tracker with it.
        status: what it is taken to show.
        views: what it shows of each board.
        how: how it was taken.
    """
    boards = zip(before.boards, after.boards, strict=True)
    brought = [(a, one_or_two.brought(a.best, b.best)) for a, b in boards]
    laid = [(a, new) for a, new in brought if new]
    old, new = before.ledger, after.ledger
    fresh = [d for d in new.done if d not in old.done]
    materials = new.opening.materials
    phony = any(has_strange_word(d.verdict, materials) for d in fresh)
    found = [f for board in after.boards if not (f := board.best.findings[-1]).unseen]
    asked = any(f.question is not None and f.question.field == Kind.LETTER for f in found)
    doubts = before.letter_questions() != after.letter_questions()
    settled = before.is_disturbed and not after.is_disturbed
    return Preview(
        status,
        news=status != "no_change" or new.done != old.done or doubts or settled,
        patience=phony or asked or status in DOUBTFUL,
        half_laid=any(f.refused is not None and f.refused.code in HALF_LAID for f in found),
        weight=sum(
            agreement(view, board.lying, board.lying.tiles)
            for view, board in zip(views, before.boards, strict=True)
            if view is not None
        ),
        brought=frozenset((k, s) for k, (_, new) in enumerate(brought) for s in new),
        alone=[len(s) for _, s in laid] == [1] and not new.game.info.tile_by_tile,
        sound=bool(fresh) and not phony and not isinstance(materials.lexicon, AcceptAll),
        in_line=len(laid) <= 1 and all(check_line(a.lying, new) is None for a, new in laid),
        grows=len(laid) == 1
        and one_or_two.grows(laid[0][0].best, laid[0][1], laid[0][0].hands, how),
        before=before,
        after=after,
    )
