"""Letters that were announced stay: pictures alone put each right once, then people are asked.

A face that is hard to read may look like another letter in every other picture. Scores that
change back and forth help nobody, so after its first correction a letter is held until a person
says what it is; so is one whose correction would make no word of one that is in the list. A
question about a letter stays open until it is answered, or until a picture shows the letter
surely.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from kibitz.engine.phrases import phrase
from kibitz.engine.rules import Question
from kibitz.engine.table import Grid, Square, Tile, square_named
from kibitz.engine.tracking.evidence.changes import BoardView, looks_like
from kibitz.engine.tracking.evidence.expected import name_of
from kibitz.engine.tracking.evidence.hypotheses import Hypothesis
from kibitz.engine.tracking.evidence.priors import PLAYS
from kibitz.engine.tracking.explanations.letters import strange, with_letters

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Steadiness:
    """What pictures did to letters that were announced.

    Attributes:
        changed: where pictures alone put the letter right.
        held: letters that pictures change no more, as board text.
        asked: the open question about each square's letter.
    """

    changed: frozenset[Square] = frozenset()
    held: Mapping[Square, str] = field(default_factory=dict)
    asked: Mapping[Square, Question] = field(default_factory=dict)

    def asking(self, square: Square, question: Question) -> Steadiness:
        """People are asked what lies there, if they are not asked already."""
        asked = {square: question, **self.asked}
        return Steadiness(self.changed, self.held, asked)

    def kept(self, before: Grid, after: Grid) -> Steadiness:
        """The same of the tiles that lie in a game put right as they lay before."""
        gone = {s for s, tile in before.tiles.items() if after.get(s) != tile}
        gone |= {s for s in (*self.changed, *self.held, *self.asked) if s not in after}
        held, asked = _without(self.held, gone), _without(self.asked, gone)
        return Steadiness(self.changed - gone, held, asked)

    def answered(self, square: Square) -> Steadiness:
        """A person said what lies there."""
        return Steadiness(
            self.changed, _without(self.held, {square}), _without(self.asked, {square})
        )


@dataclass(frozen=True, slots=True)
class Letters:
    """What is known of letters beside what lies there, by the names of squares, to be kept.

    Attributes:
        told: what people said, as board text.
        held: letters that pictures change no more, as board text.
        changed: where pictures alone put the letter right.
        asked: the open questions.
    """

    told: Mapping[str, str] = field(default_factory=dict)
    held: Mapping[str, str] = field(default_factory=dict)
    changed: tuple[str, ...] = ()
    asked: tuple[Question, ...] = ()

    def named(self, name: Callable[[str], str]) -> Letters:
        """The same with other names for the squares; questions name their own."""
        told = {name(s): x for s, x in self.told.items()}
        held = {name(s): x for s, x in self.held.items()}
        return Letters(told, held, tuple(map(name, self.changed)), self.asked)


def letters_of(steady: Steadiness, answers: Mapping[Square, str], size: int) -> Letters:
    """What is known of letters, to be kept.

    Args:
        steady: what pictures did to letters.
        answers: what people said, as board text.
        size: squares along a side of the board.
    """
    told = {name_of(s, size): answers[s] for s in sorted(answers)}
    held = {name_of(s, size): steady.held[s] for s in sorted(steady.held)}
    changed = tuple(name_of(s, size) for s in sorted(steady.changed))
    return Letters(told, held, changed, tuple(open_questions(steady)))


def steady_with(letters: Letters, lying: Grid) -> tuple[Steadiness, dict[Square, str]]:
    """What pictures did to letters that lie there, and what people said of them, as kept.

    Args:
        letters: what was kept.
        lying: the tiles that lie on the board.
    """
    told, held = (
        {s: x for s, x in named.items() if s in lying and lying.tiles[s].text == x}
        for named in (_squares(letters.told), _squares(letters.held))
    )
    changed = frozenset(s for s in map(square_named, letters.changed) if s in lying)
    asked = {square_named(own_name(q)): q for q in letters.asked}
    asked = {s: q for s, q in asked.items() if s in lying}
    return Steadiness(changed, held, asked), told


def own_name(question: Question) -> str:
    """The square of a question as its own board names it, where a table has two."""
    name = str(question.square)
    return name if question.board is None else name.partition(":")[2]


def _squares(named: Mapping[str, str]) -> dict[Square, str]:
    return {square_named(name): x for name, x in named.items()}


def after_picture(
    steady: Steadiness,
    before: Hypothesis,
    after: Hypothesis,
    view: BoardView,
) -> Steadiness:
    """What is held and asked after a picture.

    Args:
        steady: the same before it.
        before: the likeliest game before it.
        after: the likeliest game with it.
        view: the picture as it was read.
    """
    changed, held, asked = set(steady.changed), dict(steady.held), dict(steady.asked)
    newest = after.findings[-1]
    for square, tile in after.lying.tiles.items():
        old = before.lying.get(square)
        if old is None or square in newest.laid or looks_like(old) == looks_like(tile):
            continue
        if square not in changed and not _loses_a_word(after, square, old):
            changed.add(square)
        else:
            held[square] = old.text
            asked[square] = _question(square, old, tile, after.lying.rows)
    question = newest.question
    just: set[Square] = set()
    if question is not None and question.field == "letter" and question.square:
        just = {square_named(question.square)}
        asked |= dict.fromkeys(just, question)
    gone = {s for s in (*changed, *held, *asked) if s not in after.lying}
    gone |= {s for s in newest.laid if s not in asked}  # another tile than the one before
    # the picture that a question is asked of was not sure enough for the words
    doubted = asked.keys() - held.keys() - just
    sure = {s for s in doubted if _is_sure(view, after, s)}
    held, asked = _without(held, gone), _without(asked, gone | sure)
    return Steadiness(frozenset(changed - gone), held, asked)


def _loses_a_word(after: Hypothesis, square: Square, old: Tile) -> bool:
    """Whether more words are in the list with the letter that was announced than with the new."""
    before = with_letters(after, {square: old.text})
    return before is not None and strange(before.ledger, PLAYS) < strange(after.ledger, PLAYS)


def other_letters(before: Grid, after: Grid) -> frozenset[Square]:
    """Where a tile stayed and is taken for another letter."""
    pairs = ((s, before.get(s), t) for s, t in after.tiles.items())
    return frozenset(s for s, old, t in pairs if old and looks_like(old) != looks_like(t))


def _without(known: Mapping[Square, T], squares: set[Square]) -> dict[Square, T]:
    return {s: x for s, x in known.items() if s not in squares}


def _is_sure(view: BoardView, after: Hypothesis, square: Square) -> bool:
    """Whether a picture clearly shows the letter that is known to lie on a square."""
    seen, tile = view[square], after.lying.get(square)
    if tile is None or not seen.shows_tile:
        return False
    return seen.letters.get(looks_like(tile), 0.0) >= view.priors.sure


def _question(square: Square, old: Tile, other: Tile, size: int) -> Question:
    """The question about a letter that wavers: what was announced stands first."""
    name = name_of(square, size)
    shown = tuple(x for x in (looks_like(old), looks_like(other)) if x != "?")
    prompt = phrase(
        "The tile on {square} looks like one letter and then another. Which is it?", square=name
    )
    return Question("letter", prompt, shown, name)


def told_with(steady: Steadiness, answers: Mapping[Square, str]) -> dict[Square, str]:
    """What lies on squares whatever pictures show: what people said, and what is held."""
    return {**steady.held, **answers}


def open_questions(steady: Steadiness) -> list[Question]:
    """The open questions about letters, in reading order."""
    return [steady.asked[s] for s in sorted(steady.asked)]
