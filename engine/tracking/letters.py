"""Letters put right by later photographs of the same tiles."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import Any

from kibitz.engine.record.ledger import Entry, Ledger, open_ledger
from kibitz.engine.rules import Action, Question, Refused
from kibitz.engine.table import UNKNOWN_BLANK, Grid, Square, Tile, parse_square, tile_from_text
from kibitz.engine.tracking.beliefs import Belief, Sighting
from kibitz.engine.tracking.changes import BoardView, SquareView, fit, fused
from kibitz.engine.tracking.expected import name_of
from kibitz.engine.tracking.interpretation import PER_BAD_WORD, Laying, seen_tile
from kibitz.engine.tracking.trial import word_weight

SURE = 0.6
"""How much better (natural logs) another letter must agree with all views together."""

EVEN = 0.5
"""No other letter can be likelier than one with more than this."""

VIEWS_APART = 1.25
"""Views of one tile say much the same: more than so many count as so many. Of 1, 1.25, 1.5, 2, 3
and 4 this made the true letters of doubtful tiles in photographed and drawn games likeliest."""

TOO_MANY = 3.5
"""How much doubt one tile too many casts on a letter: sets are mixed, but seldom."""


def better_letters(belief: Belief, counts: Mapping[str, int] | None = None) -> dict[Square, str]:
    """Tiles that all photographs together show with another letter than the one recorded.

    Args:
        belief: what was recorded, and every view of each tile.
        counts: how many tiles of each letter the set has; where more seem to lie on the board
            the most doubtful of them are taken for another letter.
    """
    now = {s: "?" if t.blank else t.letter for s, t in belief.lying.tiles.items()}
    best = dict(now)
    seen = {s for sighting in belief.sightings for s in sighting.laid}
    shown = {s: views for s, views in belief.views.items() if s in seen and s in best}
    for square, views in shown.items():
        if len(views) < 2 or all(v.letters.get(now[square], 0.0) > EVEN for v in views):
            continue  # what each of them shows, all of them show
        letter = fused(views).best_letter()
        if letter != now[square] and lead_of(views, belief.lying.tiles[square], letter) > SURE:
            best[square] = letter
    if counts is not None:
        _within_the_set(best, shown, counts)
    return {s: x for s, x in best.items() if x != now[s]}


def think_again(belief: Belief, counts: Mapping[str, int] | None = None) -> Belief | None:
    """The line with letters put right by all photographs together; None if none is to be.

    A letter that makes a word unknown must be all the clearer.
    """
    letters = better_letters(belief, counts)
    changed = with_letters(belief, letters) if letters else None
    if changed is None or strange(changed.ledger) <= strange(belief.ledger):
        return changed
    tiles = belief.lying.tiles
    needed = SURE - PER_BAD_WORD
    clear = {s: x for s, x in letters.items() if lead_of(belief.views[s], tiles[s], x) > needed}
    return with_letters(belief, clear) if clear else None


def strange(ledger: Ledger) -> float:
    """How much speaks against the words of a game (natural logs)."""
    return -word_weight(open_ledger(ledger.opening), ledger)


def lead_of(views: Sequence[SquareView], tile: Tile, letter: str) -> float:
    """How much better (natural logs) another letter agrees with all views of a tile together.

    The middle one of the views counts, as one seen badly may be sure of a wrong letter.
    """
    seen, other = [v for v in views if not v.hidden] or views, seen_tile(letter)
    return median(fit(v, other) - fit(v, tile) for v in seen) * min(VIEWS_APART, len(seen))


def _within_the_set(
    letters: dict[Square, str],
    views: Mapping[Square, tuple[SquareView, ...]],
    counts: Mapping[str, int],
) -> None:
    """Give letters of which too many lie to the next likely letter, the most doubtful first."""
    used = Counter(letters.values())
    options = []
    for square, every in views.items():
        here = letters[square]
        if used[here] <= counts.get(here, 0):
            continue
        for other in fused(every).letters:
            if other != here:
                options.append((-lead_of(every, seen_tile(here), other), square, other))
    for loss, square, other in sorted(options):
        here = letters[square]
        if loss > TOO_MANY or used[here] <= counts.get(here, 0):
            continue
        if used[other] < counts.get(other, 0):
            letters[square] = other
            used[here] -= 1
            used[other] += 1


def with_letters(belief: Belief, letters: Mapping[Square, str]) -> Belief | None:
    """The belief with other letters on some squares, played again from the beginning.

    Args:
        belief: the line to change.
        letters: board text for each square: a capital, a small letter for a blank, or `?`.

    Returns:
        None if the rules refuse an entry that they accepted before.
    """
    latest = {
        s: max((i for i, x in enumerate(belief.sightings) if s in x.laid), default=-1)
        for s in letters
    }

    def change(entry: Entry) -> Entry:
        if entry.told:
            return entry
        named = {s: x for s, x in letters.items() if latest[s] in (-1, entry.photo)}
        data = _renamed(entry.action.data, named)
        return replace(entry, action=replace(entry.action, data=data))

    ledger, refusals = belief.ledger.rewritten(change)
    if refusals:
        return None
    tiles = {
        s: replace(tile_from_text(x), turn=belief.lying.tiles[s].turn) for s, x in letters.items()
    }
    sightings = tuple(
        _resighted(sighting, {s: x for s, x in letters.items() if latest[s] == index})
        for index, sighting in enumerate(belief.sightings)
    )
    grid = Grid(belief.lying.rows, belief.lying.cols, {**belief.lying.tiles, **tiles})
    return replace(belief, ledger=ledger, lying=grid, sightings=sightings)


def _resighted(sighting: Sighting, letters: Mapping[Square, str]) -> Sighting:
    if not letters:
        return sighting
    laid = {s: letters.get(s, x) for s, x in sighting.laid.items()}
    return replace(sighting, laid=laid)


def _renamed(data: Mapping[str, Any], letters: Mapping[Square, str]) -> dict[str, Any]:
    """An action's data with other letters on its squares; North's small letters stay small."""
    out = dict(data)
    tiles = data.get("tiles")
    if isinstance(tiles, Mapping):
        out["tiles"] = {k: letters.get(parse_square(k), v) for k, v in tiles.items()}
    square = data.get("square")
    if isinstance(square, str) and "letter" in data:
        out["letter"] = letters.get(parse_square(square), data["letter"])
    return out


HESITANT = 3.0
"""Letters less likely than the best by no more than this (natural logs) are compared."""
SLOPE = 30.0
"""Natural logs for each whole step of correlation, fitted on rendered boards."""
MOST = 4.0
"""The most that one comparison may say (natural logs)."""
USUAL_GAP, USUAL_SAYS = (-0.15, -0.1, -0.05, 0.0), (-1.0, -0.5, 0.3, 1.4)
"""What one example says by itself (natural logs): by how much less the tile looks like it than
tiles of one letter do on this board. Counted on 28,440 pairs of rendered tiles, easily confused
letters against equal ones."""
LEAST_ALIKE = 0.3
"""Tiles of another set, dark instead of light for instance, show nothing about this one."""


def with_known_letters(view: BoardView, lying: Grid) -> BoardView:
    """The view with doubtful letters settled by tiles of the same set, where those tell.

    Args:
        view: what a picture shows, with what looks alike in it.
        lying: the tiles that the game knows to lie there.
    """
    settled = {}
    for square, to in view.alike.items():
        seen = view[square]
        examples: dict[str, float] = {}
        for other, likeness in to.items():
            letter = _known(view[other], lying, other) if other != square else None
            if letter is not None:
                examples[letter] = max(likeness, examples.get(letter, -1.0))
        letters = _weighed(seen.letters, examples, to.get(square))
        if letters is not None:
            settled[square] = replace(seen, letters=letters)
    return replace(view, squares={**view.squares, **settled}) if settled else view


def _known(seen: SquareView, lying: Grid, square: Square) -> str | None:
    """The letter that the game knows, unless it is a blank or the picture speaks against it.

    A picture may be as doubtful about it as about the tile in question: the game knows it from
    its words and from earlier pictures.
    """
    tile = lying.get(square)
    if tile is None or tile.blank:
        return None
    least = max(seen.letters.values(), default=0.0) * math.exp(-HESITANT)
    return tile.letter if seen.letters.get(tile.letter, 0.0) > least else None


def _weighed(
    letters: Mapping[str, float], examples: Mapping[str, float], usual: float | None
) -> dict[str, float] | None:
    """Letter probabilities after the comparison; None where the likeliest two have no example.

    Args:
        letters: what the picture says.
        examples: how far the tile looks like known ones, by letter.
        usual: how far tiles of one letter look alike, if that is known.
    """
    ranked = sorted(letters, key=lambda x: -letters[x])
    least = letters[ranked[0]] * math.exp(-HESITANT) if ranked else 0.0
    near = [x for x in ranked if x != UNKNOWN_BLANK and letters[x] >= least]
    fits = {x: examples[x] for x in near if examples.get(x, 0.0) > LEAST_ALIKE}
    shown = [x for x in near[:2] if x in fits]
    if len(near) < 2 or not shown:
        return None
    if len(shown) == 2:
        top = max(fits.values())
        out = {x: p * math.exp(_says(fits, x, top)) for x, p in letters.items()}
    elif usual is not None:
        (only,) = shown
        out = {**letters, only: letters[only] * math.exp(_alone(fits[only] - usual))}
    else:
        return None
    whole = sum(out.values())
    return {x: p / whole for x, p in out.items()}


def _alone(gap: float) -> float:
    """What the only example says: between the steps of `USUAL_SAYS` evenly."""
    if gap <= USUAL_GAP[0]:
        return USUAL_SAYS[0]
    steps = zip(pairwise(USUAL_GAP), pairwise(USUAL_SAYS), strict=True)
    for (low, high), (least, most) in steps:
        if gap <= high:
            return least + (most - least) * (gap - low) / (high - low)
    return USUAL_SAYS[-1]


def _says(fits: Mapping[str, float], letter: str, top: float) -> float:
    return max(-MOST, SLOPE * (fits[letter] - top)) if letter in fits else 0.0


DOUBT = 1.5
"""Letters that are less likely than the best by no more than this (natural logs) are asked for."""
MOST_CHOICES = 4


def letter_question(accepted: Sequence[tuple[float, Laying]], size: int) -> Question | None:
    """The question for the first tile of a play that may as well show another letter.

    Args:
        accepted: the same squares with other letters that the rules accept too, with their
            weights.
        size: squares a side of the board.
    """
    ranked = sorted(accepted, key=lambda x: -x[0])
    close = [laying for weight, laying in ranked if weight > ranked[0][0] - DOUBT]
    if len(close) < 2:
        return None
    best, other = close[0].tiles, close[1].tiles
    square = next(s for s in sorted(best) if best[s] != other[s])
    letters = tuple(dict.fromkeys(laying.tiles[square] for laying in close))[:MOST_CHOICES]
    if "?" in letters:
        return None  # what a blank stands for is asked by itself
    return _asked(name_of(square, size), letters)


def tile_question(belief: Belief, photo: int) -> Question | None:
    """The question for the most doubtful tile of a photograph that later ones left in doubt too.

    Args:
        belief: the game as known.
        photo: the number of the photograph.
    """
    most, question = -DOUBT, None
    for square, letter in sorted(belief.sightings[photo].laid.items()):
        tile, views = belief.lying.get(square), belief.views.get(square)
        if tile is None or not views or tile.blank or tile.text != letter:
            continue
        leads = {x: lead_of(views, tile, x) for x in fused(views).letters}
        others = [x for x in leads if x not in (letter, UNKNOWN_BLANK) and leads[x] > most]
        if not others:
            continue
        other = max(others, key=lambda x: leads[x])
        if (changed := with_letters(belief, {square: other})) is None:
            continue
        doubt = leads[other] + strange(belief.ledger) - strange(changed.ledger)
        if doubt > most:
            most = doubt
            question = _asked(name_of(square, belief.lying.rows), (letter, other))
    return question


def _asked(name: str, letters: tuple[str, ...]) -> Question:
    article = "an" if letters[0] in "AEFHILMNORSX" else "a"
    return Question("letter", f"Is the tile on {name} {article} {letters[0]}?", letters, name)


def as_correction(action: Action) -> Action | Refused:
    """The answer as what it is: from now on the tile shows what people say."""
    letter = str(action.data.get("value") or action.data.get("letter") or "").upper()
    if len(letter) != 1 or not letter.isalpha():
        return Refused("bad_action", f"Expected the letter that the tile shows, got {letter!r}.")
    data = {"square": action.data.get("square"), "letter": letter}
    return replace(action, kind="correct", data=data)


def as_told(view: BoardView, told: Mapping[Square, str]) -> BoardView:
    """The view in which a tile that people named bears what they said.

    Args:
        view: what a picture shows.
        told: board text for each square: a capital, or a small letter for a blank.
    """
    named = {
        s: _showing(view[s], x) for s, x in told.items() if s in view.squares and view[s].letters
    }
    return replace(view, squares={**view.squares, **named}) if named else view


def with_told(belief: Belief, told: Mapping[Square, str]) -> Belief:
    """The belief with the tiles that people named as they said, seen so all along.

    Where the rules refuse that the belief stays as it is.
    """
    lying = belief.lying.tiles
    new = {s: x for s, x in told.items() if s in lying and lying[s].text != x}
    changed = with_letters(belief, new) if new else None
    if changed is None:
        return belief
    views = {s: tuple(_showing(v, told[s]) for v in belief.views.get(s, ())) for s in new}
    return replace(changed, views={**belief.views, **views})


def _showing(seen: SquareView, text: str) -> SquareView:
    return replace(seen, letters={UNKNOWN_BLANK if text.islower() else text: 1.0})
