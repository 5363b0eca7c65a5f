"""Tiles that the rules refused and that lie there: what people may say that they are.

What was told since the picture came after them, so whatever they are is played before it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kibitz.engine.phrases import phrase
from kibitz.engine.record.ledger import Entry, Ledger
from kibitz.engine.rules import Question, Refused
from kibitz.engine.table import UNKNOWN_BLANK, Axis, Square, Tile
from kibitz.engine.tracking.evidence.changes import SquareView
from kibitz.engine.tracking.evidence.expected import name_of
from kibitz.engine.tracking.evidence.hypotheses import Hypothesis, Waiting
from kibitz.engine.tracking.evidence.interpretation import seen_tile
from kibitz.engine.tracking.evidence.loose_table import IT_COUNTS, TAKE_BACK
from kibitz.engine.tracking.evidence.trial import try_change
from kibitz.engine.tracking.explanations.letters import takes_an, with_letters
from kibitz.engine.tracking.explanations.take_backs import last_play
from kibitz.engine.tracking.questions import Kind


def refusal_question(refused: Refused) -> Question:
    """What is asked about tiles that the rules refuse."""
    return Question(Kind.PLAY, refused.message, (TAKE_BACK, IT_COUNTS))


def still_refused(hypothesis: Hypothesis, waiting: Waiting | None) -> Hypothesis:
    """A game taken up again, beside tiles that were refused and that its rules still refuse.

    Args:
        hypothesis: the game.
        waiting: the tiles of the newest picture that were no play.
    """
    if waiting is None or waiting.refused is None or not hypothesis.findings:
        return hypothesis
    if not waiting.tiles.keys().isdisjoint(hypothesis.lying.tiles):
        return hypothesis
    newest = hypothesis.findings[-1]
    tried, problem = try_change(hypothesis.ledger, waiting.change, newest.photo)
    if tried is not None:
        return hypothesis  # the next picture shows them as the play that they are now
    refused = problem or waiting.refused
    shown = replace(
        newest,
        status="question",
        question=refusal_question(refused),
        refused=refused,
        not_laid=waiting.tiles,
    )
    findings = (*hypothesis.findings[:-1], shown)
    return replace(
        hypothesis, findings=findings, waiting=replace(waiting, refused=refused, anew=True)
    )


def looked_at_anew(hypothesis: Hypothesis) -> Hypothesis:
    """The same game, whose newest picture may be looked at once more: that says nothing new."""
    if hypothesis.waiting is None:
        return hypothesis
    return replace(hypothesis, waiting=replace(hypothesis.waiting, anew=True))


def told_since(ledger: Ledger, photo: int) -> tuple[Ledger, tuple[Entry, ...]]:
    """A game as it was when a picture was taken, and what people told since."""
    at = next((i for i, d in enumerate(ledger.done) if d.entry.photo > photo), len(ledger.done))
    return replace(ledger, done=ledger.done[:at]), tuple(d.entry for d in ledger.done[at:])


def gone_on(ledger: Ledger, later: Iterable[Entry]) -> Ledger | Refused:
    """The game with what was told later; the refusal of what does not follow any more."""
    for entry in later:
        ledger, verdict = ledger.add(entry, again=True)
        if isinstance(verdict, Refused):
            message = phrase(
                "What was played later does not follow then: {why}", why=verdict.message
            )
            return Refused("later_plays", message, verdict.squares)
    return ledger


def played(
    hypothesis: Hypothesis,
    ledger: Ledger,
    tiles: Mapping[Square, str],
    turns: Mapping[Square, int],
) -> Hypothesis:
    """The game in which the tiles of the newest picture that were refused are a play.

    Args:
        hypothesis: the game in which they wait.
        ledger: the game with the play.
        tiles: what they are.
        turns: the quarter turns of each, where they face a player.
    """
    lie = {s: replace(seen_tile(x), turn=turns.get(s, 0)) for s, x in tiles.items()}
    return as_plays(hypothesis, ledger, tiles, lie, (frozenset(tiles),))


def as_plays(
    hypothesis: Hypothesis,
    ledger: Ledger,
    laid: Mapping[Square, str],
    lie: Mapping[Square, Tile],
    plays: tuple[frozenset[Square], ...],
) -> Hypothesis:
    """The game in which what the newest picture showed is one play or several.

    Args:
        hypothesis: the game in which the tiles wait.
        ledger: the game with the plays.
        laid: the tiles as text.
        lie: how they lie.
        plays: the squares of each play.
    """
    waiting = hypothesis.waiting
    views = {} if waiting is None else {s: (view,) for s, view in waiting.views.items()}
    told = replace(
        hypothesis.findings[-1],
        status="play" if len(plays) == 1 else "several",
        laid=dict(laid),
        plays=plays,
        question=None,
        refused=None,
        not_laid={},
    )
    lying = hypothesis.lying.with_tiles(lie)
    return replace(
        hypothesis,
        ledger=ledger,
        lying=lying,
        findings=(*hypothesis.findings[:-1], told),
        views={**hypothesis.views, **views},
        last=last_play(ledger, lying),
        waiting=None,
    )


# --- read wrongly ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Misread:
    """A tile that shows another letter, with which what was refused is a play.

    `label` is what people choose it by; `game` the game with it.
    """

    label: str
    square: Square
    letter: str
    game: Hypothesis


def misread_tiles(hypothesis: Hypothesis, told: Collection[Square]) -> list[Misread]:
    """Tiles of a word outside the list whose second reading makes a play of it.

    Args:
        hypothesis: the game in which it waits.
        told: tiles that people named.
    """
    waiting = hypothesis.waiting
    if waiting is None or waiting.refused is None or waiting.refused.code != "not_a_word":
        return []
    out = []
    for square in sorted(_in_words(hypothesis, waiting) - set(told)):
        new = square in waiting.tiles
        views = (waiting.views[square],) if new else hypothesis.views.get(square, ())
        now = waiting.tiles[square] if new else hypothesis.lying.tiles[square].text
        letter = second_reading(views, now)
        game = None if letter is None else _read_as(hypothesis, waiting, square, letter)
        if letter is not None and game is not None:
            name = name_of(square, hypothesis.lying.rows)
            label = (
                phrase("{square} is an {letter}", square=name, letter=letter)
                if takes_an(letter)
                else phrase("{square} is a {letter}", square=name, letter=letter)
            )
            out.append(Misread(label, square, letter, game))
    return out


def second_reading(views: Sequence[SquareView], letter: str) -> str | None:
    """The letter that pictures show of a tile if it is not the one that it was taken for.

    None if they show nothing else: then many letters are left, and none outweighs the others.
    """
    if letter == UNKNOWN_BLANK or letter.islower():
        return None
    for view in reversed(views):
        others = {x: p for x, p in view.letters.items() if x != letter}
        second = max(others, key=lambda x: others[x], default=UNKNOWN_BLANK)
        if second != UNKNOWN_BLANK and 2 * others[second] > sum(others.values()):
            return second
    return None


def _in_words(hypothesis: Hypothesis, waiting: Waiting) -> set[Square]:
    """The squares of the words that the refused tiles form."""
    grid = hypothesis.lying.with_tiles({s: seen_tile(x) for s, x in waiting.tiles.items()})
    axes: tuple[Axis, Axis] = ("across", "down")
    runs: Iterator[tuple[Square, ...]] = (
        tuple(grid.run_through(s, axis).squares) for s in waiting.tiles for axis in axes
    )
    return {s for run in runs if len(run) > 1 for s in run}


def _read_as(
    hypothesis: Hypothesis, waiting: Waiting, square: Square, letter: str
) -> Hypothesis | None:
    """The game in which a tile shows another letter and the refused ones are a play; else None."""
    change, tiles = waiting.change, dict(waiting.tiles)
    if square in tiles:
        tiles[square] = letter
        change, righted = replace(change, added={**change.added, square: letter}), hypothesis
    else:
        seen = hypothesis.views.get(square, ())
        shown = tuple(replace(v, letters={letter: 1.0}) for v in seen)
        found = with_letters(hypothesis, {square: letter})
        if found is None:
            return None
        righted = replace(found, views={**found.views, square: shown})
    photo = hypothesis.findings[-1].photo
    before, later = told_since(righted.ledger, photo)
    tried, _ = try_change(before, change, photo)
    ledger = None if tried is None else gone_on(tried.ledger, later)
    if ledger is None or isinstance(ledger, Refused):
        return None
    return played(righted, ledger, tiles, change.turned)
