"""Views of squares, and how well a position agrees with them.

Nothing here decides: probabilities are kept until whole plays are weighed. A reader knows faces,
not sets, nor which tiles lie there already: what may be an E or an F is an E more often, and what
looks like a known E is rather an E. Nor does it know which of two colours is whose.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from kibitz.engine.record.ledger import Opening
from kibitz.engine.table import LOOK_ALIKE, UNKNOWN_BLANK, Grid, Square, Tile
from kibitz.engine.tracking.evidence.priors import (
    PLAYS,
    PRIORS,
    READING,
    SEARCH,
    LetterPriors,
    PlayPriors,
    ReadingPriors,
    SearchLimits,
    TrackingPriors,
)

TINY: Final = 1e-4
"""Keeps logs finite; half or twice of it changes no line of any replay."""


@dataclass(frozen=True, slots=True)
class SquareView:
    """Appearance of one square in a picture, as probabilities.

    `empty`, `tile`, `marker` and `covered` add up to one. `letters` and `turns` are given that
    a tile lies there; `?` among the letters is a blank. `colour` names the tile set.
    """

    empty: float
    tile: float = 0.0
    marker: float = 0.0
    covered: float = 0.0
    letters: Mapping[str, float] = field(default_factory=dict)
    turns: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    colour: str = "a"

    @property
    def hidden(self) -> bool:
        """True if the square most likely cannot be seen."""
        return self.covered > 0.5

    @property
    def shows_tile(self) -> bool:
        """True if a visible tile most likely lies there."""
        return self.tile > 0.5

    def best_letter(self) -> str:
        """The most probable letter of a tile there."""
        return max(self.letters, key=self.letters.__getitem__, default=UNKNOWN_BLANK)


@dataclass(frozen=True)
class BoardView:
    """One board in one picture: a view of every square.

    `alike` says of each tile whose letter is doubtful how far the others look like it, at most 1,
    and under its own square how far tiles of one letter look alike on this board. `priors` say
    how far the reader is believed.
    """

    rows: int
    cols: int
    squares: Mapping[Square, SquareView]
    markers: tuple[tuple[Square, ...], ...] = ()
    alike: Mapping[Square, Mapping[Square, float]] = field(default_factory=dict)
    priors: ReadingPriors = READING

    def __getitem__(self, square: Square) -> SquareView:
        return self.squares[square]

    def fit(self, square: Square, tile: Tile | None, *, turned: bool = False) -> float:
        """Log likelihood of a square's content; anything fits a hidden square."""
        return fit(self.squares[square], tile, self.priors, turned=turned)

    @cached_property
    def tile_gains(self) -> Mapping[Square, float]:
        """`tile_gain` of every square, computed when first asked for."""
        return _Gains(self.squares, self.priors)

    def take_over_gains(self, before: BoardView) -> None:
        """Reuse gains of squares whose view is the same as in an earlier view."""
        old, new = before.squares, self.squares
        known = {s: g for s, g in before.tile_gains.items() if new.get(s) is old[s]}
        self.__dict__["tile_gains"] = _Gains(new, self.priors, known)

    def with_letters(self, squares: Mapping[Square, SquareView]) -> BoardView:
        """The view with other letters on some squares; where tiles lie stays the same."""
        if not squares:
            return self
        other = replace(self, squares={**self.squares, **squares})
        other.__dict__["tile_gains"] = self.tile_gains
        return other

    @cached_property
    def possible_tiles(self) -> tuple[tuple[Square, float], ...]:
        """Squares that may hold a tile, with their positive `tile_gain`."""
        gains = self.tile_gains
        return tuple((s, gains[s]) for s, v in self.squares.items() if v.tile >= TINY)

    @cached_property
    def new_letters(self) -> dict[Square, list[tuple[float, str]]]:
        """Letters that a new tile may show, cached by square."""
        return {}

    @cached_property
    def hidden_squares(self) -> frozenset[Square]:
        """Squares that cannot be seen in this picture."""
        return frozenset(s for s, v in self.squares.items() if v.hidden)


class _Gains(dict[Square, float]):
    """`tile_gain` by square, computed on demand."""

    def __init__(
        self,
        views: Mapping[Square, SquareView],
        priors: ReadingPriors,
        known: Mapping[Square, float] | None = None,
    ) -> None:
        super().__init__(known or {})
        self._views = views
        self._priors = priors

    def __missing__(self, square: Square) -> float:
        gain = self[square] = tile_gain(self._views[square], self._priors)
        return gain


def looks_like(tile: Tile) -> str:
    """The letter that a reader sees on a tile; a blank has an empty face."""
    return UNKNOWN_BLANK if tile.blank else tile.letter


def fit(
    view: SquareView,
    tile: Tile | None,
    priors: ReadingPriors = READING,
    *,
    turned: bool = False,
    fresh: bool = False,
) -> float:
    """Log likelihood of a content given a view; anything fits a hidden square.

    Args:
        view: what the square looks like.
        tile: the content, None for no tile.
        priors: how far the reader is believed.
        turned: whether the tile's quarter turn counts as evidence.
        fresh: whether the tile would be new: those lie on ship cards, not under them.
    """
    # a ship card hides an empty square and, laid over a tile, the tile too
    unseen = view.covered if fresh and tile is not None else view.covered + view.marker
    if tile is None:
        return math.log(min(1.0, view.empty + unseen + _imagined(view, priors)))
    sign = looks_like(tile)
    # the face of a tile that was not seen tells nothing: what shows there is the board, and bare
    seen = view.tile * _doubted(view.letters.get(sign, 0.0), priors)
    seen += priors.overlooked
    if turned and sign != UNKNOWN_BLANK:
        seen *= _as_turned(_turn_of(view, tile, 0), priors)
    return math.log(min(1.0, seen + unseen))


def tile_gain(view: SquareView, priors: ReadingPriors = READING) -> float:
    """Log likelihood ratio of a new tile (any letter) against an empty square."""
    if view.hidden:
        return 0.0
    tile = min(1.0, view.tile + view.covered + priors.missed)
    none = min(1.0, view.empty + view.covered + view.marker + _imagined(view, priors))
    return math.log(tile) - math.log(none)


def _imagined(view: SquareView, priors: ReadingPriors) -> float:
    """Probability that an empty square looks so: seldom like a tile with just this letter."""
    return max(TINY, priors.missed * (1.0 - view.tile))


def log_turn(probability: float, priors: ReadingPriors) -> float:
    """Log probability of a quarter turn, with a share for confident errors of the reader."""
    return math.log(_as_turned(probability, priors))


def _as_turned(probability: float, priors: ReadingPriors) -> float:
    return (1 - 4 * priors.missed) * probability + priors.missed


def agreement(
    view: BoardView, grid: Grid, squares: Iterable[Square], *, turned: bool = False
) -> float:
    """Log likelihood of a position on some squares of a picture."""
    return sum(view.fit(s, grid.get(s), turned=turned) for s in squares)


def ranked_letters(view: SquareView, within: float) -> list[tuple[str, float]]:
    """Possible letters of a tile with log probabilities, best first.

    Letters that are `within` (in natural logs) of the best are listed.
    """
    logs = sorted(((math.log(p + TINY), x) for x, p in view.letters.items()), reverse=True)
    if not logs:
        return [(UNKNOWN_BLANK, 0.0)]
    return [(x, value) for value, x in logs if value >= logs[0][0] - within]


def gains(
    view: BoardView,
    grid: Grid,
    lasting: Mapping[Square, float] | None = None,
    limits: SearchLimits = SEARCH,
) -> dict[Square, float]:
    """For each empty square that may hold a new tile: how much better a tile agrees.

    Args:
        view: what the picture shows.
        grid: the tiles that lie there.
        lasting: by how much each square looked like a tile all along while it was empty (see
            `lasting_gains`); what always looked so is no news.
        limits: how far is looked.
    """
    out = {}
    tiles = grid.tiles
    for square, gain in view.possible_tiles:
        if square in tiles:
            continue
        fresh = gain if lasting is None else gain - lasting.get(square, 0.0)
        if fresh > -limits.worst_kept:
            out[square] = fresh
    return out


def lasting_gains(views: Sequence[BoardView], priors: PlayPriors = PLAYS) -> dict[Square, float]:
    """How much squares looked like tiles in every one of the last pictures.

    A reader that takes a print or a glare for a tile does so in each picture of a camera that
    stands still, so the pictures do not add up to more evidence.
    """
    if not views:
        return {}
    out = {}
    for square, seen in views[-1].squares.items():
        if seen.tile >= TINY and not seen.hidden:
            least = min(v.tile_gains[square] for v in views if square in v.squares)
            if least > -priors.clear:
                out[square] = min(priors.most_lasting, least + priors.clear)
    return out


def new_letters(
    view: BoardView, square: Square, limits: SearchLimits = SEARCH
) -> list[tuple[float, str]]:
    """What a new tile on a square may show, best first, and how well that agrees."""
    known = view.new_letters.get(square)
    if known is None:
        known = view.new_letters[square] = _letters_on(view, square, limits)
    return known


def _letters_on(view: BoardView, square: Square, limits: SearchLimits) -> list[tuple[float, str]]:
    seen, priors = view[square], view.priors
    if seen.hidden:
        # nothing is known of a tile under a hand; which letter it is must be asked
        return [(fit(seen, Tile(UNKNOWN_BLANK, blank=True), priors), "#")]
    return [
        (fit(seen, seen_tile(x), priors, fresh=True), x)
        for x, _ in ranked_letters(seen, limits.within)
    ]


def seen_tile(letter: str) -> Tile:
    """The tile that a reader's letter stands for."""
    return Tile(letter, blank=letter == UNKNOWN_BLANK)


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a picture contradicts a position; values are log likelihood ratios."""

    appeared: Mapping[Square, float]
    vanished: Mapping[Square, float]
    altered: Mapping[Square, float]
    turned: Mapping[Square, float]

    @property
    def empty(self) -> bool:
        """True if the picture shows exactly the position."""
        return not (self.appeared or self.vanished or self.altered or self.turned)


def differences(view: BoardView, grid: Grid, *, turned: bool = False) -> Difference:
    """Compare a picture with a position, square by square.

    Only squares where another content agrees better than the position's are listed.
    """
    vanished, altered, rotated = {}, {}, {}
    appeared = {s: gain for s, gain in view.possible_tiles if gain > 0 and s not in grid}
    for square, tile in grid.tiles.items():
        seen = view[square]
        here = view.fit(square, tile)
        if (gone := view.fit(square, None) - here) > 0 and seen.empty > seen.tile:
            vanished[square] = gone
            continue
        best = Tile(seen.best_letter(), blank=seen.best_letter() == UNKNOWN_BLANK)
        if (other := view.fit(square, best) - here) > 0:
            altered[square] = other
        if turned and (lean := turn_gain(seen, tile, view.priors)) > 0:
            rotated[square] = lean
    return Difference(appeared, vanished, altered, rotated)


def turn_gain(view: SquareView, tile: Tile, priors: ReadingPriors = READING) -> float:
    """Log likelihood ratio of the opposite orientation against the known one."""
    if view.hidden or looks_like(tile) == UNKNOWN_BLANK or not view.shows_tile:
        return 0.0
    now, other = (_turn_of(view, tile, by) for by in (0, 2))
    return log_turn(other, priors) - log_turn(now, priors)


def _turn_of(view: SquareView, tile: Tile, by: int) -> float:
    """Probability that a tile is turned by so many quarters from its assumed orientation.

    Letters that look alike both ways round do not tell it, and a numeral tells it at even odds.
    """
    now, other = view.turns[(tile.turn + by) % 4], view.turns[(tile.turn + by + 2) % 4]
    return now if tile.letter not in LOOK_ALIKE else (now + (now + other) / 2) / 2


def fused(views: Iterable[SquareView], priors: ReadingPriors = READING) -> SquareView:
    """Several views of an unchanged square combined into one.

    Hidden views say nothing and are left out; without any other the last one is returned.
    """
    seen: list[SquareView] = []
    last = SquareView(empty=1.0)
    for view in views:
        last = view
        if not view.hidden:
            seen.append(view)
    if not seen:
        return last
    if len(seen) == 1:
        return seen[0]
    kinds = _product([(v.empty, v.tile, v.marker) for v in seen])
    names = sorted({x for v in seen for x in v.letters})
    letters = _product(
        [tuple(_doubted(v.letters.get(x, 0.0), priors) for x in names) for v in seen]
    )
    turns = _product([v.turns for v in seen])
    return SquareView(
        empty=kinds[0],
        tile=kinds[1],
        marker=kinds[2],
        letters=dict(zip(names, letters, strict=True)),
        turns=(turns[0], turns[1], turns[2], turns[3]),
        colour=seen[-1].colour,
    )


def _doubted(probability: float, priors: ReadingPriors) -> float:
    """A letter's probability with a share for confident errors of the reader."""
    return (1 - priors.misread) * probability + priors.chance


def _product(rows: list[tuple[float, ...]]) -> list[float]:
    """Column products of the rows, normalised to a sum of one."""
    logs = [sum(math.log(row[i] + TINY) for row in rows) for i in range(len(rows[0]))]
    top = max(logs, default=0.0)
    weights = [math.exp(x - top) for x in logs]
    total = sum(weights)
    return [w / total for w in weights]


def without_fingers(view: BoardView, *, hand: bool = False) -> BoardView:
    """The view with probable fingers counted as covered.

    Beside a covered square a tile whose letter is not clear may as well be a finger tip, or have
    one across it.
    Nothing is lost by waiting: the hand goes, and the square shows what it holds.

    Args:
        view: what a picture shows.
        hand: whether an arm lies beside the board: it covers what is next to the board's rim.
    """
    near = _beside_covered(view, hand=hand)
    fingers = {
        s: replace(seen, tile=0.0, covered=seen.covered + seen.tile)
        for s in near
        if _is_unclear(seen := view[s], view.priors)
    }
    return replace(view, squares={**view.squares, **fingers}) if fingers else view


def without_fog(
    view: BoardView, lying: Grid, before: Mapping[Square, Sequence[SquareView]]
) -> BoardView:
    """The view with tiles that a blurred picture misses counted as covered.

    Where tiles that are known still show, if only faintly, and their letters do not, half as well
    as they did, a bare square cannot be told from a tile either.

    Args:
        view: what a picture shows.
        lying: the tiles that are known.
        before: what earlier pictures showed of each.
    """
    known = {s: looks_like(t) for s, t in lying.tiles.items() if before.get(s)}
    now = sum(view[s].tile * view[s].letters.get(x, 0.0) for s, x in known.items())
    once = sum(
        view[s].tile * max(v.letters.get(x, 0.0) for v in before[s]) for s, x in known.items()
    )
    # less than half a tile in all is none
    if once < 0.5 or now >= once / 2:
        return view
    hidden = {
        s: replace(view[s], empty=0.0, covered=view[s].covered + view[s].empty)
        for s in lying.tiles
    }
    return replace(view, squares={**view.squares, **hidden})


def without_gaps(view: BoardView, *, cards: bool = False, hand: bool = False) -> BoardView:
    """The view with squares that a hand may hide counted as covered.

    Squares of which a part can be seen are read. Where one beside a covered square shows no tile
    and may be hidden after all, a tile may lie there that closes a play.

    Args:
        view: what a picture shows.
        cards: whether the game has ship cards; where it has none, what looks like one beside a
            covered square is a tile with a finger across it, or the hand.
        hand: whether an arm lies beside the board.
    """
    near = _beside_covered(view, hand=hand)
    gaps = {
        s: replace(seen, empty=0.0, marker=0.0, covered=1.0 - seen.tile)
        for s in near
        if (seen := view[s]).covered + (0.0 if cards else seen.marker) > view.priors.maybe
        and max(seen.empty, seen.marker) > max(seen.tile, seen.covered)
    }
    return replace(view, squares={**view.squares, **gaps}) if gaps else view


def _is_unclear(seen: SquareView, priors: ReadingPriors) -> bool:
    likeliest = seen.tile * max(seen.letters.values(), default=0.0)
    most = max(seen.empty, seen.marker, seen.covered)
    return seen.tile > most and likeliest < priors.sure


def _beside_covered(view: BoardView, *, hand: bool) -> list[Square]:
    """Squares that have a covered one, or an arm beside the board, among their neighbours."""
    near = {n for s in view.hidden_squares for n in _around(s)}
    if hand:
        ends = (0, view.rows - 1), (0, view.cols - 1)
        near |= {s for s in view.squares if s.row in ends[0] or s.col in ends[1]}
    return [s for s in view.squares if s in near] if near else []


def _around(square: Square) -> list[Square]:
    """The eight squares around one, some of which may be off the board."""
    row, col = square
    near = (-1, 0, 1)
    return [Square(row + i, col + j) for i in near for j in near if i or j]


# --- tile sets and known letters -------------------------------------------------------------


def set_weights(
    counts: Mapping[str, int] | None, priors: LetterPriors = PRIORS.letters
) -> dict[str, float]:
    """Prior weights of the letters by the set's counts; empty where those are unknown.

    What lies already is left out of it: that there is no more of a letter is weighed by itself.

    Args:
        counts: how many tiles of each letter a set has.
        priors: how much the set says.
    """
    return {x: max(1, n) ** priors.by_count for x, n in (counts or {}).items()}


def weighed(letters: Mapping[str, float], weights: Mapping[str, float]) -> Mapping[str, float]:
    """A tile's letters weighed by the set's counts."""
    if not weights or len(letters) < 2:
        return letters
    here = {x: p * weights.get(x, 1.0) for x, p in letters.items()}
    whole = sum(here.values())
    return {x: p / whole for x, p in here.items()}


def with_set_counts(view: BoardView, weights: Mapping[str, float]) -> BoardView:
    """The view with doubtful letters weighed by the set's counts.

    Args:
        view: what a picture shows.
        weights: see `set_weights`.
    """
    if not weights:
        return view
    doubtful = [s for s, _ in view.possible_tiles if len(view[s].letters) > 1]
    return view.with_letters(
        {
            square: replace(seen, letters=weighed(seen.letters, weights))
            for square in doubtful
            if (seen := view[square]).shows_tile
        }
    )


def sets_of(opening: Opening) -> int:
    """Number of tile sets on one board: those that are mixed (FS-1), in each colour."""
    info = opening.game.info
    mixed = opening.options.get(info.sets_setting, 1) if info.sets_setting else 1
    return int(mixed) * info.surface.tile_colours


def with_same_sets(
    view: BoardView, known: Mapping[Square, Sequence[SquareView]], lying: Iterable[Square]
) -> BoardView:
    """The view with its two tile sets numbered as in the pictures before.

    In one picture the set with more tiles comes first; which that is may change in a game.

    Args:
        view: what a picture shows.
        known: what pictures before showed of each tile.
        lying: where tiles are known to lie.
    """
    votes = 0
    for square in lying:
        before, now = known.get(square), view[square]
        if before and now.shows_tile:
            votes += 1 if before[-1].colour == now.colour else -1
    if votes >= 0:
        return view
    other = {"a": "b", "b": "a"}
    squares = {
        s: replace(q, colour=other.get(q.colour, q.colour)) for s, q in view.squares.items()
    }
    return replace(view, squares=squares)


# --- tiles that are known --------------------------------------------------------------------


def with_known_letters(view: BoardView, lying: Grid, priors: TrackingPriors = PRIORS) -> BoardView:
    """The view with doubtful letters settled by comparison with known tiles of the set.

    Args:
        view: what a picture shows, with what looks alike in it.
        lying: the tiles that the game knows to lie there.
        priors: what likeness says.
    """
    settled = {}
    for square, to in view.alike.items():
        seen = view[square]
        examples: dict[str, float] = {}
        for other, likeness in to.items():
            letter = (
                _known(view[other], lying.get(other), priors.plays) if other != square else None
            )
            if letter is not None:
                examples[letter] = max(likeness, examples.get(letter, -1.0))
        letters = _weighed(seen.letters, examples, to.get(square), priors)
        if letters is not None:
            settled[square] = replace(seen, letters=letters)
    return view.with_letters(settled)


def _known(seen: SquareView, tile: Tile | None, plays: PlayPriors) -> str | None:
    """The known letter of a tile; None for a blank or if the picture contradicts it.

    A picture may be as doubtful about it as about the tile in question: the game knows it from
    its words and from earlier pictures.
    """
    if tile is None or tile.blank:
        return None
    least = max(seen.letters.values(), default=0.0) * math.exp(-plays.clear)
    return tile.letter if seen.letters.get(tile.letter, 0.0) > least else None


def _weighed(
    letters: Mapping[str, float],
    examples: Mapping[str, float],
    usual: float | None,
    tracking: TrackingPriors,
) -> dict[str, float] | None:
    """Letter probabilities after the comparison; None if the two likeliest have no example.

    Args:
        letters: what the picture says.
        examples: how far the tile looks like known ones, by letter.
        usual: how far tiles of one letter look alike, if that is known.
        tracking: what likeness says.
    """
    priors = tracking.letters
    ranked = sorted(letters, key=lambda x: -letters[x])
    least = letters[ranked[0]] * math.exp(-tracking.plays.clear) if ranked else 0.0
    near = [x for x in ranked if letters[x] >= least]
    fits = {x: examples[x] for x in near if examples.get(x, 0.0) > 0}
    if len(near) < 2 or not any(x in fits for x in near[:2]):
        return None
    top = max(fits.values())
    if UNKNOWN_BLANK in near:
        fits[UNKNOWN_BLANK] = min(top, priors.bare_alike)
    alone = _alone(top, usual, priors)
    out = {x: p * math.exp(_says(fits, x, top, alone, priors)) for x, p in letters.items()}
    whole = sum(out.values())
    return {x: p / whole for x, p in out.items()}


def _alone(top: float, usual: float | None, priors: LetterPriors) -> float:
    """Penalty of letters without an example, by how different the example is."""
    gap = top - (priors.twins if usual is None else usual)
    says = priors.alone + priors.alone_slope * min(0.0, gap)
    return max(0.0 if usual is None else -priors.alone, says)


def _says(
    fits: Mapping[str, float], letter: str, top: float, alone: float, priors: LetterPriors
) -> float:
    if letter not in fits:
        return -alone
    return max(-priors.most_said, priors.per_likeness * (fits[letter] - top))
