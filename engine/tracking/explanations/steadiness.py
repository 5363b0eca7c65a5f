"""Keeps announced letters steady: pictures alone change each once, then people are asked.

A face that is hard to read may look like another letter in every other picture. Scores that
change back and forth help nobody, so after its first correction a letter is held until a person
says what it is; so is one whose correction would make no word of one that is in the list. A
question about a letter stays open until it is answered, until a picture shows the letter surely,
or until pictures and words together tell that it is another one.

A letter that several pictures showed well and that shows well as another now was not misread: the
tile was exchanged, turned face down, or written on. What was played with it stays; people are
asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import TypeVar

from kibitz.engine.phrases import SquareName, phrase
from kibitz.engine.rules import Question, TileSetLike
from kibitz.engine.table import UNKNOWN_BLANK, Grid, Square, Tile, square_named
from kibitz.engine.tracking.evidence.changes import BoardView, SquareView, looks_like
from kibitz.engine.tracking.evidence.hypotheses import Hypothesis, name_of
from kibitz.engine.tracking.evidence.priors import PLAYS, TrackingPriors
from kibitz.engine.tracking.explanations.letters import strange, with_letters
from kibitz.engine.tracking.questions import Kind

T = TypeVar("T")
PUT_BACK, STILL_BLANK = phrase("put back"), phrase("still the blank")
STAYS = phrase("it stays")
ALL_ALONG = phrase("{letter} all along")
"""What people may say of it: the tile counts as before, as it lies, or was always read wrongly."""


@dataclass(frozen=True, slots=True)
class Steadiness:
    """Changes of announced letters by pictures, questions about tiles, and their answers.

    Attributes:
        changed: where pictures alone put the letter right.
        held: letters that pictures change no more, as board text.
        asked: the open question about each square's tile.
        told: letters that people named, as board text; also of tiles that no picture showed yet.
        settled: kinds of other questions that people answered about a square's tile.
    """

    changed: frozenset[Square] = frozenset()
    held: Mapping[Square, str] = field(default_factory=dict)
    asked: Mapping[Square, Question] = field(default_factory=dict)
    told: Mapping[Square, str] = field(default_factory=dict)
    settled: frozenset[tuple[Square, str]] = frozenset()

    @property
    def fixed(self) -> dict[Square, str]:
        """Fixed letters of squares: those that people named, and those that are held."""
        return {**self.held, **self.told}

    @property
    def questions(self) -> list[Question]:
        """The open questions about tiles, in reading order."""
        return [self.asked[s] for s in sorted(self.asked)]

    def asking(self, square: Square, question: Question) -> Steadiness:
        """The state with a question about a square, unless one is open or it was answered."""
        if (square, question.field) in self.settled:
            return self
        return replace(self, asked={square: question, **self.asked})

    def exchanged(
        self, lying: Grid, now: Mapping[Square, str], tile_set: TileSetLike
    ) -> Steadiness:
        """The state with exchanged tiles: they count as before, and people are asked.

        Args:
            lying: the tiles as they are known.
            now: what each shows now, as board text.
            tile_set: what stands on the tiles.
        """
        old = {s: lying.tiles[s] for s in now}
        asked = {
            s: _what_happened(s, tile, now[s], lying.rows, tile_set.word_of)
            for s, tile in old.items()
        }
        held = {**self.held, **{s: tile.text for s, tile in old.items()}}
        return replace(self, held=held, asked={**self.asked, **asked})

    def named(self, square: Square, letter: str) -> Steadiness:
        """The state after people named a tile, as board text."""
        held, asked = _without(self.held, {square}), _without(self.asked, {square})
        return replace(self, held=held, asked=asked, told={**self.told, square: letter})

    def answered(self, square: Square, kind: str) -> Steadiness:
        """The state after an answer that names no letter, to a question of some kind."""
        asked = _without(self.asked, {square})
        return replace(self, asked=asked, settled=self.settled | {(square, kind)})

    def still_asking(self, lying: Grid, tile_set: TileSetLike) -> Steadiness:
        """The same without questions whether a tile is a letter that it is not taken for now."""
        word_of = tile_set.word_of
        taken = {s: word_of(looks_like(lying.tiles[s])) for s in self.asked if s in lying}
        stale = {
            s
            for s, letter in taken.items()
            if s not in self.held
            and self.asked[s].field == Kind.LETTER
            and letter not in (UNKNOWN_BLANK, self.asked[s].choices[0])
        }
        return replace(self, asked=_without(self.asked, stale))

    def kept(self, before: Grid, after: Grid) -> Steadiness:
        """The state for tiles that lie as before in a corrected game."""
        gone = {s for s, tile in before.tiles.items() if after.get(s) != tile}
        gone |= {s for s in (*self.changed, *self.held, *self.asked) if s not in after}
        held, asked = _without(self.held, gone), _without(self.asked, gone)
        settled = frozenset(x for x in self.settled if x[0] not in gone)
        return replace(self, changed=self.changed - gone, held=held, asked=asked, settled=settled)

    def without_lifted(self, before: Grid, after: Grid) -> Steadiness:
        """The state without what people said of tiles that lay there before and are gone."""
        lifted = before.tiles.keys() - after.tiles.keys()
        settled = frozenset(x for x in self.settled if x[0] not in lifted)
        return replace(self, told=_without(self.told, lifted), settled=settled)

    def of_tiles(self, lying: Grid) -> Steadiness:
        """The state with only those letters told that lie on a board."""
        told = {s: x for s, x in self.told.items() if s in lying and lying.tiles[s].text == x}
        return replace(self, told=told)


@dataclass(frozen=True, slots=True)
class Letters:
    """Knowledge about letters by names of squares, as it is kept.

    Attributes:
        told: what people said, as board text.
        held: letters that pictures change no more, as board text.
        changed: where pictures alone put the letter right.
        asked: the open questions.
        settled: squares with the kinds of other questions that people answered.
    """

    told: Mapping[str, str] = field(default_factory=dict)
    held: Mapping[str, str] = field(default_factory=dict)
    changed: tuple[str, ...] = ()
    asked: tuple[Question, ...] = ()
    settled: tuple[tuple[str, str], ...] = ()

    def named(self, name: Callable[[str], str]) -> Letters:
        """The same with other names of squares, also in the questions."""
        told = {name(s): x for s, x in self.told.items()}
        held = {name(s): x for s, x in self.held.items()}
        settled = tuple((name(s), kind) for s, kind in self.settled)
        return Letters(told, held, tuple(map(name, self.changed)), self.asked, settled)


def letters_of(steady: Steadiness, size: int) -> Letters:
    """Knowledge about letters, as it is kept.

    Args:
        steady: what pictures and people did to letters.
        size: squares along a side of the board.
    """
    told = {name_of(s, size): steady.told[s] for s in sorted(steady.told)}
    held = {name_of(s, size): steady.held[s] for s in sorted(steady.held)}
    changed = tuple(name_of(s, size) for s in sorted(steady.changed))
    settled = tuple((name_of(s, size), kind) for s, kind in sorted(steady.settled))
    return Letters(told, held, changed, tuple(steady.questions), settled)


def steady_with(letters: Letters, lying: Grid) -> Steadiness:
    """Changes by pictures and answers of people for letters that lie there, as kept.

    Args:
        letters: what was kept.
        lying: the tiles that lie on the board.
    """
    held = _squares(letters.held)
    held = {s: x for s, x in held.items() if s in lying and lying.tiles[s].text == x}
    changed = frozenset(s for s in map(square_named, letters.changed) if s in lying)
    asked = {square_named(own_name(q)): q for q in letters.asked}
    asked = {s: q for s, q in asked.items() if s in lying}
    settled = ((square_named(name), kind) for name, kind in letters.settled)
    of_lying = frozenset(x for x in settled if x[0] in lying)
    return Steadiness(changed, held, asked, _squares(letters.told), of_lying).of_tiles(lying)


def own_name(question: Question) -> str:
    """Square of a question as its own board names it, where a table has two."""
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
    """The state after a picture.

    Args:
        steady: the same before it.
        before: the likeliest game before it.
        after: the likeliest game with it.
        view: the picture as it was read.
    """
    changed, held, asked = set(steady.changed), dict(steady.held), dict(steady.asked)
    newest, tile_set = after.findings[-1], after.ledger.opening.materials.tile_set
    for square, tile in after.lying.tiles.items():
        old = before.lying.get(square)
        if old is None or square in newest.laid or looks_like(old) == looks_like(tile):
            continue
        if square not in changed and not _loses_a_word(after, square, old):
            changed.add(square)
        else:
            held[square] = old.text
            asked[square] = _question(square, old, tile, after.lying.rows, tile_set.word_of)
    question = newest.question
    just: set[Square] = set()
    if question is not None and question.field == Kind.LETTER and question.square:
        just = {square_named(question.square)}
        asked |= dict.fromkeys(just, question)
    gone = {s for s in (*changed, *held, *asked) if s not in after.lying}
    gone |= {s for s in newest.laid if s not in asked}  # another tile than the one before
    # what was exchanged and shows its letter again was put back
    exchanged = {s for s, q in asked.items() if q.field == Kind.EXCHANGED}
    gone |= {s for s in exchanged if _is_sure(view, after, s)}
    # the picture that a question is asked of was not sure enough for the words
    doubted = asked.keys() - held.keys() - just
    sure = {s for s in doubted if _is_sure(view, after, s)}
    held, asked = _without(held, gone), _without(asked, gone | sure)
    steady = replace(steady, changed=frozenset(changed - gone), held=held, asked=asked)
    return steady.still_asking(after.lying, tile_set)


def _loses_a_word(after: Hypothesis, square: Square, old: Tile) -> bool:
    """True if the announced letter makes more known words than the new one."""
    before = with_letters(after, {square: old.text})
    return before is not None and strange(before.ledger, PLAYS) < strange(after.ledger, PLAYS)


def other_letters(before: Grid, after: Grid) -> frozenset[Square]:
    """Squares where a tile stayed but has another letter now."""
    pairs = ((s, before.get(s), t) for s, t in after.tiles.items())
    return frozenset(s for s, old, t in pairs if old and looks_like(old) != looks_like(t))


def exchanged_tiles(
    before: Hypothesis, after: Hypothesis, told: Mapping[Square, str], priors: TrackingPriors
) -> dict[Square, str]:
    """Tiles that earlier pictures clearly showed otherwise than later ones, as board text.

    One picture may be sure of a wrong letter; that several were is no likelier than that somebody
    exchanged the tile.

    Args:
        before: the likeliest game before a picture.
        after: the likeliest game with it.
        told: tiles of which people said what they are, or that are held.
        priors: how often readers are wrong, and people exchange tiles.
    """
    out = {}
    stayed = before.lying.tiles.keys() & after.lying.tiles.keys() - told.keys()
    for square in stayed - after.findings[-1].laid.keys():
        old = looks_like(before.lying.tiles[square])
        views = [v for v in after.views.get(square, ()) if v.shows_tile]
        letter = views[-1].best_letter() if views else old
        if letter == old:
            continue
        other = (i for i, v in enumerate(reversed(views)) if v.best_letter() != letter)
        since = len(views) - next(other, len(views))
        if _show(views[:since], old, priors) and _show(views[since:], letter, priors):
            out[square] = letter
    return out


def _show(views: Sequence[SquareView], letter: str, priors: TrackingPriors) -> bool:
    """True if enough pictures show a letter to make an exchange as likely as a misreading.

    What one more of them says is little: pictures of a tile share what is wrong with them.
    """
    misread = min(len(views), priors.letters.witnesses) * math.log(priors.reading.misread)
    several = misread - priors.plays.seldom <= priors.letters.asked
    return several and all(v.letters.get(letter, 0.0) >= priors.reading.sure for v in views)


def _what_happened(
    square: Square, old: Tile, now: str, size: int, word_of: Callable[[str], str]
) -> Question:
    """Question about a tile that has changed."""
    name = name_of(square, size)
    if old.blank:
        prompt = phrase("The blank on {square} shows {now} now. What happened?")
    elif now == UNKNOWN_BLANK:
        prompt = phrase("The {before} on {square} shows no letter any more. What happened?")
    else:
        prompt = phrase("The {before} on {square} is {now} now. What happened?")
    prompt = prompt.filled(square=SquareName(name), before=word_of(old.letter), now=word_of(now))
    choices: tuple[str, ...] = (STILL_BLANK if old.blank else PUT_BACK, STAYS)
    if now != UNKNOWN_BLANK:
        choices = (*choices, ALL_ALONG.filled(letter=word_of(now)))
    return Question(Kind.EXCHANGED, prompt, choices, name)


def shown_now(question: Question) -> str:
    """Present letter of a tile that is asked about as exchanged, as it stands on it."""
    letters = (str(choice).partition(" ")[0] for choice in question.choices)
    all_along = (x for x in letters if ALL_ALONG.filled(letter=x) in question.choices)
    return next(all_along, UNKNOWN_BLANK)


def _without(known: Mapping[Square, T], squares: Set[Square]) -> dict[Square, T]:
    return {s: x for s, x in known.items() if s not in squares}


def _is_sure(view: BoardView, after: Hypothesis, square: Square) -> bool:
    """True if a picture clearly shows the known letter of a square."""
    seen, tile = view[square], after.lying.get(square)
    if tile is None or not seen.shows_tile:
        return False
    return seen.letters.get(looks_like(tile), 0.0) >= view.priors.sure


def _question(
    square: Square, old: Tile, other: Tile, size: int, word_of: Callable[[str], str]
) -> Question:
    """Question about a wavering letter; the announced one comes first."""
    name = name_of(square, size)
    shown = tuple(word_of(x) for x in (looks_like(old), looks_like(other)) if x != "?")
    prompt = phrase(
        "The tile on {square} looks like one letter and then another. Which is it?",
        square=SquareName(name),
    )
    return Question(Kind.LETTER, prompt, shown, name)
