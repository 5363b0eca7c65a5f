"""Corrects letters by later photographs, by words and by people."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from types import MappingProxyType
from typing import Any

from kibitz.engine.phrases import SquareName, phrase
from kibitz.engine.record.ledger import Entry, Ledger, open_ledger
from kibitz.engine.rules import Question, TileSetLike
from kibitz.engine.table import (
    LOOK_ALIKE,
    UNKNOWN_BLANK,
    Grid,
    Square,
    Tile,
    square_named,
    tile_from_text,
)
from kibitz.engine.tracking.evidence.changes import (
    BoardView,
    SquareView,
    fit,
    fused,
    looks_like,
    seen_tile,
)
from kibitz.engine.tracking.evidence.hypotheses import Finding, Hypothesis, name_of, rules_grid
from kibitz.engine.tracking.evidence.interpretation import Laying, best_products, word_weight
from kibitz.engine.tracking.evidence.priors import (
    PRIORS,
    PlayPriors,
    TrackingPriors,
)
from kibitz.engine.tracking.questions import Kind


def better_letters(
    hypothesis: Hypothesis,
    counts: Mapping[str, int] | None = None,
    priors: TrackingPriors = PRIORS,
) -> dict[Square, str]:
    """Tiles whose photographs together show another letter than the recorded one.

    Args:
        hypothesis: what was recorded, and every view of each tile.
        counts: how many tiles of each letter the set has; where more seem to lie on the board
            the most doubtful of them are taken for another letter.
        priors: how sure another letter has to be.
    """
    now = {s: "?" if t.blank else t.letter for s, t in hypothesis.lying.tiles.items()}
    best = dict(now)
    seen = {s for finding in hypothesis.findings for s in finding.laid}
    shown = {s: views for s, views in hypothesis.views.items() if s in seen and s in best}
    for square, views in shown.items():
        if len(views) < 2 or all(v.letters.get(now[square], 0.0) > 0.5 for v in views):
            continue  # what each of them shows, all of them show
        letter = fused(_of_tile(views), priors.reading).best_letter()
        lead = lead_of(views, hypothesis.lying.tiles[square], letter, priors)
        if lead > priors.letters.sure:
            best[square] = letter
    if counts is not None:
        _within_the_set(best, shown, counts, priors)
    return {s: x for s, x in best.items() if x != now[s]}


def think_again(
    hypothesis: Hypothesis,
    counts: Mapping[str, int] | None = None,
    priors: TrackingPriors = PRIORS,
    told: Mapping[Square, str] = MappingProxyType({}),
) -> Hypothesis | None:
    """The game with letters corrected by all photographs and words; None if none changes.

    A letter that makes a word unknown must be all the clearer.

    Args:
        hypothesis: what was recorded, and every view of each tile.
        counts: how many tiles of each letter the set has.
        priors: how sure another letter has to be, and how seldom a word is outside the list.
        told: tiles that keep their letters whatever words they make.
    """
    by_words = with_words(hypothesis, told, priors)
    if by_words is not None:
        return by_words
    better = better_letters(hypothesis, counts, priors)
    letters = {s: x for s, x in better.items() if s not in told}
    changed = with_letters(hypothesis, letters) if letters else None
    if changed is None or strange(changed.ledger, priors.plays) <= strange(
        hypothesis.ledger, priors.plays
    ):
        return changed
    tiles = hypothesis.lying.tiles
    needed = priors.letters.sure - priors.plays.bad_word
    clear = {
        s: x
        for s, x in letters.items()
        if lead_of(hypothesis.views[s], tiles[s], x, priors) > needed
    }
    return with_letters(hypothesis, clear) if clear else None


def with_words(
    hypothesis: Hypothesis, told: Mapping[Square, str], priors: TrackingPriors
) -> Hypothesis | None:
    """The game with doubtful letters of unknown words corrected by later words; else None.

    One word outside the list may have been played. Where letters that were read nearly as well
    make known words of several, they were misread.

    Args:
        hypothesis: what was recorded, and every view of each tile.
        told: tiles that keep their letters.
        priors: how sure another letter has to be, and how seldom a word is outside the list.
    """
    best = _by_words(hypothesis, told, priors, priors.letters.sure, seen=priors.reading.chance)
    return None if best is None else best[1]


def word_question(
    hypothesis: Hypothesis, told: Mapping[Square, str], priors: TrackingPriors
) -> tuple[Square, Question] | None:
    """Question about a tile whose other letter makes a known word of the newest one.

    Unless the pictures speak clearly for the word outside the list, either may be so: a reader
    may be sure of a worn letter and wrong.

    Args:
        hypothesis: as for `with_words`, with what that puts right.
        told: tiles that people named.
        priors: what speaks clearly, and how seldom a word is outside the list.
    """
    newest = hypothesis.findings[-1].laid.keys()
    best = _by_words(hypothesis, told, priors, -priors.plays.clear, newest) if newest else None
    if best is None:
        return None
    square, other = min(best[0].items())
    size = hypothesis.lying.rows
    letters = (hypothesis.lying.tiles[square].text, other)
    return square, _asked(name_of(square, size), letters, tile_set_of(hypothesis))


def _by_words(
    hypothesis: Hypothesis,
    told: Mapping[Square, str],
    priors: TrackingPriors,
    least: float,
    among: Collection[Square] | None = None,
    seen: float = 0.0,
) -> tuple[dict[Square, str], Hypothesis] | None:
    """Best letters that turn unknown words into known ones, and the game with them.

    No less may speak for them than `least`. With `among` only words that have a tile on one of
    these squares.
    """
    best: tuple[dict[Square, str], Hypothesis] | None = None
    for letters, changed, says in ways_to_known_words(
        hypothesis, told, -least, priors, among, seen
    ):
        if says > least:
            best, least = (letters, changed), says
    return best


def ways_to_known_words(
    hypothesis: Hypothesis,
    told: Collection[Square],
    worse: float,
    priors: TrackingPriors,
    among: Collection[Square] | None = None,
    seen: float = 0.0,
) -> Iterator[tuple[dict[Square, str], Hypothesis, float]]:
    """Yield letters that turn an unknown word into a known one, the game, and its gain.

    Args:
        hypothesis: what was recorded, and every view of each tile.
        told: tiles that keep their letters.
        worse: by so much (natural logs) more may speak against them than for them.
        priors: how seldom a word is outside the list.
        among: only words with a tile on one of these squares; None: all.
        seen: only letters that some picture shows more likely than this.
    """
    before = strange(hypothesis.ledger, priors.plays)
    if before <= 0:
        return
    for letters, lead in _known_instead(hypothesis, told, before + worse, priors, among, seen):
        changed = with_letters(hypothesis, letters)
        if changed is not None:
            yield letters, changed, lead + before - strange(changed.ledger, priors.plays)


def _known_instead(
    hypothesis: Hypothesis,
    told: Collection[Square],
    most: float,
    priors: TrackingPriors,
    among: Collection[Square] | None,
    seen: float,
) -> Iterator[tuple[dict[Square, str], float]]:
    """Yield letters that turn an unknown word into a known one, and their gain.

    Args:
        hypothesis: what was recorded, and every view of each tile.
        told: tiles that keep their letters.
        most: as much may known words say; what agrees worse by more is left out.
        priors: what is looked through.
        among: only words with a tile on one of these squares; None: all.
        seen: only letters that some picture shows more likely than this.
    """
    grid = hypothesis.lying
    laid = {s for finding in hypothesis.findings for s in finding.laid} - set(told)
    for run in grid.runs():
        squares = run.squares
        if among is not None and not any(s in among for s in squares):
            continue
        tiles = [grid.tiles[s] for s in squares]
        word = "".join(t.letter for t in tiles)
        if UNKNOWN_BLANK in word or _is_known(word, hypothesis):
            continue
        choices = []
        for square, tile in zip(squares, tiles, strict=True):
            views = hypothesis.views.get(square, ())
            open_ = square in laid and bool(views) and not tile.blank
            shown = {x for v in _of_tile(views) for x, p in v.letters.items() if p > seen}
            others = sorted(shown - {tile.letter}) if open_ else ()
            leads = ((lead_of(views, tile, x, priors), x) for x in others)
            near = [(w, x) for w, x in leads if w + most > 0 and x != UNKNOWN_BLANK]
            choices.append(sorted([(0.0, tile.letter), *near], reverse=True))
        for lead, letters in best_products(choices, priors.search.looked_through, most):
            if _is_known("".join(letters), hypothesis):
                new = zip(squares, letters, tiles, strict=True)
                yield {s: x for s, x, t in new if x != t.letter}, lead


def _is_known(word: str, hypothesis: Hypothesis) -> bool:
    """True if a word is in the list, read from any side that the game allows."""
    ledger = hypothesis.ledger
    lexicon = ledger.opening.materials.lexicon
    return word in lexicon or (ledger.game.info.surface.facing and word[::-1] in lexicon)


def strange(ledger: Ledger, priors: PlayPriors) -> float:
    """Penalty of a game's unknown words (natural logs)."""
    return -word_weight(open_ledger(ledger.opening), ledger, priors)


def lead_of(views: Sequence[SquareView], tile: Tile, letter: str, priors: TrackingPriors) -> float:
    """Log likelihood ratio of another letter over all views of a tile.

    The middle one of the views counts, as one seen badly may be sure of a wrong letter.
    """
    seen, other = _of_tile(views), seen_tile(letter)
    reading = priors.reading
    middle = median(fit(v, other, reading) - fit(v, tile, reading) for v in seen)
    return middle * min(priors.letters.witnesses, len(seen))


def _of_tile(views: Sequence[SquareView]) -> Sequence[SquareView]:
    """Views that show the tile: neither hidden nor gone."""
    return [v for v in views if v.shows_tile] or views


def _within_the_set(
    letters: dict[Square, str],
    views: Mapping[Square, tuple[SquareView, ...]],
    counts: Mapping[str, int],
    priors: TrackingPriors,
) -> None:
    """Replace letters beyond the set's counts by the next likely one, most doubtful first."""
    used = Counter(letters.values())
    options = []
    for square, every in views.items():
        here = letters[square]
        if used[here] <= counts.get(here, 0):
            continue
        for other in fused(every, priors.reading).letters:
            if other != here:
                options.append((-lead_of(every, seen_tile(here), other, priors), square, other))
    for loss, square, other in sorted(options):
        here = letters[square]
        if loss > -priors.plays.seldom or used[here] <= counts.get(here, 0):
            continue
        if used[other] < counts.get(other, 0):
            letters[square] = other
            used[here] -= 1
            used[other] += 1


def with_letters(hypothesis: Hypothesis, letters: Mapping[Square, str]) -> Hypothesis | None:
    """The hypothesis replayed with other letters on some squares; None if that is refused.

    Args:
        hypothesis: the line to change.
        letters: board text for each square: a capital, a small letter for a blank, or `?`.

    Returns:
        None if the rules refuse an entry that they accepted before, as tiles that were lifted
        for a word which it would not be.
    """
    latest = {
        s: max((i for i, x in enumerate(hypothesis.findings) if s in x.laid), default=-1)
        for s in letters
    }

    def change(entry: Entry) -> Entry:
        if entry.told:
            return entry
        named = {s: x for s, x in letters.items() if latest[s] in (-1, entry.photo)}
        data = _renamed(entry.action.data, named)
        return entry.with_data(data)

    ledger, _ = hypothesis.ledger.rewritten(change)
    if len(ledger.done) < len(hypothesis.ledger.done):
        return None
    tiles = {
        s: replace(tile_from_text(x), turn=hypothesis.lying.tiles[s].turn)
        for s, x in letters.items()
    }
    findings = tuple(
        _resighted(finding, {s: x for s, x in letters.items() if latest[s] == index})
        for index, finding in enumerate(hypothesis.findings)
    )
    grid = Grid(hypothesis.lying.rows, hypothesis.lying.cols, {**hypothesis.lying.tiles, **tiles})
    return replace(hypothesis, ledger=ledger, lying=grid, findings=findings)


def _resighted(finding: Finding, letters: Mapping[Square, str]) -> Finding:
    if not letters:
        return finding
    laid = {s: letters.get(s, x) for s, x in finding.laid.items()}
    return replace(finding, laid=laid)


def _renamed(data: Mapping[str, Any], letters: Mapping[Square, str]) -> dict[str, Any]:
    """An action's data with other letters on its squares; North's small letters stay small."""
    out = dict(data)
    tiles = data.get("tiles")
    if isinstance(tiles, Mapping):
        out["tiles"] = {k: letters.get(square_named(k), v) for k, v in tiles.items()}
    square = data.get("square")
    if isinstance(square, str) and "letter" in data:
        out["letter"] = letters.get(square_named(square), data["letter"])
    return out


def letter_question(
    accepted: Sequence[tuple[float, Laying]],
    size: int,
    tile_set: TileSetLike,
    priors: TrackingPriors = PRIORS,
) -> Question | None:
    """Question about the first tile of a play that may show another letter.

    Args:
        accepted: the same squares with other letters that the rules accept too, with their
            weights.
        size: squares a side of the board.
        tile_set: what stands on the tiles.
        priors: from when on a letter is asked about.
    """
    ranked = sorted(accepted, key=lambda x: -x[0])
    close = [laying for weight, laying in ranked if weight > ranked[0][0] - priors.letters.asked]
    if len(close) < 2:
        return None
    best, other = close[0].tiles, close[1].tiles
    square = next(s for s in sorted(best) if best[s] != other[s])
    letters = tuple(dict.fromkeys(laying.tiles[square] for laying in close))
    letters = letters[: priors.search.offered]
    if letters[0] == UNKNOWN_BLANK:
        letters = letters[1:]  # what it stands for if it is one is asked by itself
    elif UNKNOWN_BLANK in letters:
        return None
    return _asked(name_of(square, size), letters, tile_set)


def tile_question(
    hypothesis: Hypothesis, among: Mapping[Square, str], priors: TrackingPriors
) -> tuple[Square, Question] | None:
    """Question about the tile that pictures and words leave most in doubt.

    Args:
        hypothesis: the game as known.
        among: the tiles that may be asked about, with what they were recorded as.
        priors: from when on a letter is asked about.
    """
    most, question = -priors.letters.asked, None
    for square, letter in sorted(among.items()):
        doubt = _doubt_of(hypothesis, square, letter, priors)
        if doubt is not None and doubt.lead > most and doubt.lead + doubt.words > most:
            most, question = doubt.lead + doubt.words, (square, doubt.question)
    return question


def lasting_question(
    hypothesis: Hypothesis, told: Mapping[Square, str], priors: TrackingPriors
) -> tuple[Square, Question] | None:
    """Question about a tile of an earlier play that all its pictures leave in doubt.

    The newest picture leaves it in doubt too, and no word speaks for what it was taken for.

    Args:
        hypothesis: the game as known.
        told: tiles that people named.
        priors: from when on a letter is asked about.
    """
    most, question = -priors.letters.asked, None
    before = {s for finding in hypothesis.findings[:-1] for s in finding.laid}
    for square in sorted(before - told.keys() - hypothesis.findings[-1].laid.keys()):
        tile, views = hypothesis.lying.get(square), hypothesis.views.get(square)
        if tile is None or not views:
            continue
        if views[-1].letters.get(looks_like(tile), 0.0) >= priors.reading.sure:
            continue
        doubt = _doubt_of(hypothesis, square, tile.text, priors)
        if doubt is not None and doubt.words >= 0 and doubt.lead > most:
            most, question = doubt.lead, (square, doubt.question)
    return question


@dataclass(frozen=True, slots=True)
class _Doubt:
    """Log weight of another letter: by pictures, and by its words."""

    lead: float
    words: float
    question: Question


def _doubt_of(
    hypothesis: Hypothesis, square: Square, letter: str, priors: TrackingPriors
) -> _Doubt | None:
    """Doubt about a tile that is recorded as this letter and still lies there; else None."""
    tile, views = hypothesis.lying.get(square), hypothesis.views.get(square)
    if tile is None or not views or tile.blank or tile.text != letter:
        return None
    seen = fused(views, priors.reading).letters
    leads = {x: lead_of(views, tile, x, priors) for x in seen if x not in (letter, UNKNOWN_BLANK)}
    other = max(leads, key=lambda x: leads[x], default=letter)
    if leads.get(other, -math.inf) <= -priors.letters.asked:
        return None
    changed = with_letters(hypothesis, {square: other})
    if changed is None:
        return None
    words = strange(hypothesis.ledger, priors.plays) - strange(changed.ledger, priors.plays)
    name = name_of(square, hypothesis.lying.rows)
    asked = _asked(name, (letter, other), tile_set_of(hypothesis))
    return _Doubt(leads[other], words, asked)


def takes_an(letter: str) -> bool:
    """True if the name of a letter, or of the first of two, takes the article "an"."""
    return letter[0] in "AEFHILMNORSX"


def tile_set_of(hypothesis: Hypothesis) -> TileSetLike:
    """The tiles of the hypothesis's game."""
    return hypothesis.ledger.opening.materials.tile_set


def _asked(name: str, letters: Iterable[str], tile_set: TileSetLike) -> Question:
    """Question about a tile by what stands on it, the likeliest letter first."""
    choices = tuple(dict.fromkeys(map(tile_set.word_of, letters)))
    asked = (
        phrase("Is the tile on {square} an {letter}?")
        if takes_an(choices[0])
        else phrase("Is the tile on {square} a {letter}?")
    )
    prompt = asked.filled(square=SquareName(name), letter=choices[0])
    return Question(Kind.LETTER, prompt, choices, name)


def as_told(view: BoardView, told: Mapping[Square, str]) -> BoardView:
    """The view with a named tile bearing the letter that people said.

    Args:
        view: what a picture shows.
        told: board text for each square: a capital, or a small letter for a blank.
    """
    named = {
        s: _showing(view[s], x) for s, x in told.items() if s in view.squares and view[s].letters
    }
    return view.with_letters(named)


def with_told(hypothesis: Hypothesis, told: Mapping[Square, str]) -> Hypothesis:
    """The hypothesis with named tiles, as if seen so from the beginning.

    Where the rules refuse that the hypothesis stays as it is.
    """
    lying = hypothesis.lying.tiles
    new = {s: x for s, x in told.items() if s in lying and lying[s].text != x}
    changed = with_letters(hypothesis, new) if new else None
    if changed is None:
        return hypothesis
    views = {s: tuple(_showing(v, told[s]) for v in hypothesis.views.get(s, ())) for s in new}
    return replace(changed, views={**hypothesis.views, **views})


def with_answer(
    hypothesis: Hypothesis, square: Square, text: str, priors: TrackingPriors
) -> Hypothesis | None:
    """The hypothesis after people named a tile, as one more and certain view.

    What the pictures and the words say of that letter counts as it did. None where the rules
    refuse it.

    Args:
        hypothesis: one explanation of the pictures.
        square: what was asked about.
        text: what lies there: a capital, or a small letter for a blank.
        priors: how far pictures and words are believed.
    """
    old, new = hypothesis.lying.get(square), tile_from_text(text)
    if old is None:
        waits = hypothesis.waiting is not None and square in hypothesis.waiting.tiles
        said = _showing(SquareView(0.0, 1.0), text)
        lacks = fit(said, None, priors.reading) - fit(said, new, priors.reading)
        return hypothesis if waits else replace(hypothesis, weight=hypothesis.weight + lacks)
    if old.text == text:
        return hypothesis
    changed = with_letters(hypothesis, {square: text})
    if changed is None:
        return None
    known = rules_grid(changed.ledger.game, changed.state).get(square)
    if known is not None and known.text != text:
        return None
    seen = hypothesis.views.get(square, ())
    shown = sum(fit(v, new, priors.reading) - fit(v, old, priors.reading) for v in seen)
    words = strange(hypothesis.ledger, priors.plays) - strange(changed.ledger, priors.plays)
    return replace(changed, weight=changed.weight + shown + words)


def with_letters_of(question: Question, hypotheses: Sequence[Hypothesis], most: int) -> Question:
    """The question about a letter with every letter that some explanation has on its square.

    What the likeliest one has there stands first.

    Args:
        question: what is asked.
        hypotheses: every explanation of the pictures, the likeliest first.
        most: so many answers are offered.
    """
    if question.field != Kind.LETTER:
        return question
    square = square_named(str(question.square))
    there = (h.lying.get(square) for h in hypotheses)
    shown = [looks_like(tile) for tile in there if tile is not None]
    known = [x for x in shown if x != UNKNOWN_BLANK]
    first = shown[:1] if shown[:1] == known[:1] else []
    tile_set = tile_set_of(hypotheses[0])
    asked = tuple(map(tile_set.tiles_in, question.choices))
    letters = tuple(dict.fromkeys((*first, *asked, *known)))
    return _asked(str(question.square), letters[:most], tile_set)


def _showing(seen: SquareView, text: str) -> SquareView:
    """The view of a tile with the letter that people named.

    If it was read as a letter that looks the same upside down, such as O, it may face either way.
    """
    up, right, down, left = seen.turns
    if seen.best_letter() in LOOK_ALIKE:
        up = down = (up + down) / 2
        right = left = (right + left) / 2
    letters = {UNKNOWN_BLANK if text.islower() else text: 1.0}
    return replace(seen, letters=letters, turns=(up, right, down, left))
