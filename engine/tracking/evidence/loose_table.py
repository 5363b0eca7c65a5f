"""Matches loose tiles of a picture to known ones: turned up, moved, or part of a word."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kibitz.engine.phrases import phrase
from kibitz.engine.record.ledger import Ledger, Opening, public_view
from kibitz.engine.rules import Action, Change, Question, Refused, TileSetLike
from kibitz.engine.table import UNKNOWN_BLANK
from kibitz.engine.tracking.evidence.changes import weighed
from kibitz.engine.tracking.evidence.priors import (
    PRIORS,
    READING,
    ReadingPriors,
    TrackingPriors,
)
from kibitz.engine.tracking.questions import Kind

PUT_RIGHT, HELD = "~", "="
"""Marks of a tile: pictures put its letter right; they change it no more."""


@dataclass(frozen=True, slots=True)
class UpTile:
    """A face-up tile as seen: letter probabilities, position, confidence."""

    letters: Mapping[str, float]
    centre: tuple[float, float]
    size: float = 50.0
    sure: float = 1.0

    @property
    def best(self) -> str:
        """The most probable letter."""
        return max(self.letters, key=lambda x: self.letters[x], default="?")

    @property
    def is_likely(self) -> bool:
        """True if it probably is what it is taken for."""
        return self.sure >= 0.5

    def lies_at(self, old: UpTile) -> bool:
        """True if it lies where another tile was seen."""
        return math.dist(self.centre, old.centre) < old.size / 2

    def fit(self, letter: str, priors: ReadingPriors = READING) -> float:
        """Log likelihood of a letter."""
        return math.log((1 - priors.misread) * self.letters.get(letter, 0.0) + priors.chance)

    def with_known(self, known: Mapping[str, float], priors: ReadingPriors = READING) -> UpTile:
        """The tile with what is known of it beside this look.

        Args:
            known: how likely each letter is without this look.
            priors: how far this look is believed.
        """
        before = replace(self, letters=known)
        names = sorted({*self.letters, *known})
        both = {x: math.exp(self.fit(x, priors) + before.fit(x, priors)) for x in names}
        whole = sum(both.values())
        return replace(self, letters={x: p / whole for x, p in both.items()})


@dataclass(frozen=True, slots=True)
class SeenWord:
    """A row of loose tiles in reading order, and the seat that it faces."""

    tiles: tuple[UpTile, ...]
    seat: int

    @property
    def text(self) -> str:
        """The most probable letters, `?` at a blank."""
        return "".join(tile.best for tile in self.tiles)

    def texts(self, priors: TrackingPriors) -> list[str]:
        """Readings of the row, likeliest first: those that a word in the list may outweigh."""
        ways = [(0.0, "")]
        for tile in self.tiles:
            best = tile.fit(tile.best, priors.reading)
            letters = {x: best - tile.fit(x, priors.reading) for x in {*tile.letters, tile.best}}
            longer = [(lost + x, text + y) for lost, text in ways for y, x in letters.items()]
            ways = sorted(way for way in longer if way[0] <= -priors.plays.bad_word)
            ways = ways[: priors.search.tried]
        return [text for _, text in ways]

    def holds(self, loose: Sequence[UpTile]) -> bool:
        """True if one of these tiles lies where one of the row's does."""
        return any(tile.lies_at(old) for old in self.tiles for tile in loose)


@dataclass(frozen=True, slots=True)
class WideWord:
    """Words with the face-down tiles in line with them, which may be blanks.

    Attributes:
        word: the whole row.
        parts: the words of the table that it holds, by their numbers.
    """

    word: SeenWord
    parts: tuple[int, ...]

    @property
    def is_likely(self) -> bool:
        """True if what it has beside letters probably are tiles."""
        return all(tile.is_likely for tile in self.word.tiles if tile.best == UNKNOWN_BLANK)


@dataclass(frozen=True, slots=True)
class TableView:
    """A table in one photograph.

    Attributes:
        loose: face-up tiles in no word.
        words: tiles lined up before a seat, without blanks.
        down: the plain tiles, without letters: those face down, and any blank.
        wide: words as they are if plain tiles in line with them are blanks.
    """

    loose: tuple[UpTile, ...]
    words: tuple[SeenWord, ...]
    down: tuple[UpTile, ...]
    wide: tuple[WideWord, ...] = ()

    @property
    def face_down(self) -> int:
        """Number of face-down tiles."""
        return len(self.down)

    @property
    def tiles(self) -> int:
        """Number of tiles in sight."""
        return len(self.loose) + sum(len(w.tiles) for w in self.words) + self.face_down

    def with_blanks(self, is_word: Callable[[SeenWord], bool]) -> TableView:
        """The table with those rows taken as words with blanks that are known words."""
        taken = [w for w in self.wide if w.is_likely and is_word(w.word)]
        gone = {part for w in taken for part in w.parts}
        kept = (w for i, w in enumerate(self.words) if i not in gone)
        # a word too short without its blank lay among the loose tiles
        inside = {tile.centre for w in taken for tile in w.word.tiles}
        loose, down = (
            tuple(tile for tile in tiles if tile.centre not in inside)
            for tiles in (self.loose, self.down)
        )
        return TableView(loose, (*kept, *(w.word for w in taken)), down)

    def without(self, many: int) -> TableView:
        """The table without so many of the things that look least like tiles.

        Args:
            many: how many tiles more are in sight than there are; what is likely one stays.
        """
        unlikely = [tile for tile in (*self.loose, *self.down) if not tile.is_likely]
        gone = {id(x) for x in sorted(unlikely, key=lambda tile: tile.sure)[: max(0, many)]}
        loose, down = (
            tuple(tile for tile in tiles if id(tile) not in gone)
            for tiles in (self.loose, self.down)
        )
        return replace(self, loose=loose, down=down)

    def but_for(self, looks: Sequence[UpTile]) -> TableView:
        """The table with tiles that still look no more face-up counted as face down.

        Args:
            looks: what hardly looked like tiles face up in a picture before.
        """
        same = [
            tile
            for tile in self.loose
            if not tile.is_likely and any(tile.lies_at(old) for old in looks)
        ]
        loose = tuple(tile for tile in self.loose if not any(tile is x for x in same))
        return replace(self, loose=loose, down=(*self.down, *same))

    def lettered(self, weights: Mapping[str, float]) -> TableView:
        """The table with doubtful letters weighed by the set's counts."""
        return self._each(lambda x: replace(x, letters=weighed(x.letters, weights)))

    def beside_surest(self) -> TableView:
        """The table with each tile as sure as it is beside the surest one.

        Where tiles hardly stand out from the table all of them look less like tiles.
        """
        in_rows = (tile for word in self.words for tile in word.tiles)
        surest = max((tile.sure for tile in (*self.loose, *self.down, *in_rows)), default=1.0)
        return self._each(lambda x: replace(x, sure=x.sure / surest)) if surest else self

    def _each(self, change: Callable[[UpTile], UpTile]) -> TableView:
        """The table with every tile changed."""

        def changed(tiles: Sequence[UpTile]) -> tuple[UpTile, ...]:
            return tuple(map(change, tiles))

        def row(word: SeenWord) -> SeenWord:
            return replace(word, tiles=changed(word.tiles))

        return TableView(
            changed(self.loose),
            tuple(map(row, self.words)),
            changed(self.down),
            tuple(replace(w, word=row(w.word)) for w in self.wide),
        )


@dataclass(frozen=True, slots=True)
class PoolTile:
    """A tile of the pool: its letter and all views of it.

    Attributes:
        letter: what it is taken for.
        seen: each sight of it.
        doubt: the letters that people are asked to choose from.
        changed: whether pictures alone put its letter right already.
        held: whether pictures change its letter no more: people said what it is, or are asked.
    """

    letter: str
    seen: tuple[UpTile, ...] = ()
    doubt: tuple[str, ...] = ()
    changed: bool = False
    held: bool = False

    @property
    def text(self) -> str:
        """The tile as text, without its views, for `pool_tile_of`."""
        marks = PUT_RIGHT * self.changed + HELD * self.held
        return f"{self.letter}{marks}{''.join(self.doubt)}"

    def is_among(self, tiles: Iterable[UpTile]) -> bool:
        """True if one of the tiles lies where it was seen last."""
        last = self.seen[-1:]
        return any(tile.lies_at(old) for tile in tiles for old in last)

    def together(self, priors: ReadingPriors = READING) -> Mapping[str, float]:
        """Letter probabilities from all views of it."""
        names = sorted({x for tile in self.seen for x in tile.letters})
        logs = {x: sum(tile.fit(x, priors) for tile in self.seen) for x in names}
        top = max(logs.values(), default=0.0)
        weights = {x: math.exp(v - top) for x, v in logs.items()}
        total = sum(weights.values()) or 1.0
        return {x: w / total for x, w in weights.items()}

    def chances(self, priors: ReadingPriors = READING) -> Mapping[str, float]:
        """Probability of each letter, by all views of it; people and words are certain."""
        certain = self.held or not self.seen
        return {self.letter: 1.0} if certain else self.together(priors)


def pool_tile_of(text: str) -> PoolTile:
    """Parse a pool tile from its text: letter, marks, and possible letters."""
    marks, doubt = text[1:3], text[1:].lstrip(PUT_RIGHT + HELD)
    return PoolTile(text[0], (), tuple(doubt), changed=PUT_RIGHT in marks, held=HELD in marks)


def left_of(pool: Sequence[PoolTile], letters: str) -> list[PoolTile]:
    """Pool tiles that are left, and tiles for letters that nobody saw there yet.

    Args:
        pool: the tiles that were known.
        letters: the letters that lie there by the rules; of several alike the newest stay.
    """
    left = Counter(letters)
    kept = []
    for tile in reversed(pool):
        if left[tile.letter] > 0:
            left[tile.letter] -= 1
            kept.append(tile)
    kept.reverse()
    return kept + [PoolTile(x) for x in sorted(left.elements())]


@dataclass(frozen=True, slots=True)
class PoolMatch:
    """Known pool tiles that were seen again, and new tiles.

    Attributes:
        again: known tile's number to the tile seen.
        new: tiles that are none of the known ones.
    """

    again: Mapping[int, UpTile] = field(default_factory=dict)
    new: tuple[UpTile, ...] = ()


def match_pool(
    known: Sequence[PoolTile],
    seen: Sequence[UpTile],
    turned_up: int | None = None,
    priors: TrackingPriors = PRIORS,
) -> PoolMatch:
    """Pair the tiles seen face up with the known ones by letter and position.

    Args:
        known: the tiles that lay face up so far.
        seen: those in sight that may be any of them.
        turned_up: how many tiles were turned up since, where the tiles face down tell.
        priors: what is believed before any picture.
    """
    if not seen:
        return PoolMatch()
    usual, sure = priors.loose.new_tile, priors.plays.clear
    # as many as were turned up are new more easily, and no more than that
    expected = 0 if turned_up is None else min(turned_up, len(seen))
    more = usual if turned_up is None else usual + sure
    prices = [usual - sure] * expected + [more] * len(seen)
    rows = [[*(_pair_cost(tile, old, priors) for old in known), *prices] for tile in seen]
    again, new = {}, []
    for tile, col in zip(seen, cheapest_pairs(rows), strict=True):
        if col < len(known):
            again[col] = tile
        else:
            new.append(tile)
    return PoolMatch(again, tuple(new))


def _pair_cost(tile: UpTile, old: PoolTile, priors: TrackingPriors) -> float:
    cost = -tile.fit(old.letter, priors.reading)
    if old.seen:
        last = old.seen[-1]
        drift = math.dist(tile.centre, last.centre) / max(last.size, 1.0)
        cost += priors.plays.clear * (drift >= 0.5)
    return cost


def in_doubt(tile: UpTile, priors: TrackingPriors) -> tuple[str, ...]:
    """Possible letters of a doubtful tile, likeliest first; empty if one is clear."""
    fits = {x: tile.fit(x, priors.reading) for x in tile.letters if x != UNKNOWN_BLANK}
    ranked = sorted(fits, key=lambda x: -fits[x])[: priors.search.offered]
    close = tuple(x for x in ranked if fits[x] > fits[ranked[0]] - priors.letters.asked)
    return close if len(close) > 1 and tile.best != UNKNOWN_BLANK else ()


def word_fit(word: SeenWord, tiles: str, priors: ReadingPriors = READING) -> float:
    """Log likelihood of a word (`?` at its blanks) for a row of tiles."""
    if len(word.tiles) != len(tiles):
        return -math.inf
    return sum(tile.fit(letter, priors) for tile, letter in zip(word.tiles, tiles, strict=True))


IT_COUNTS = phrase("it counts")
TAKE_BACK = phrase("take it back")

RULED_ON = ("not_a_word", "same_root")
"""Refusals of a claim that people may set aside: the word list's and the roots' (GS-7, GS-12)."""


@dataclass(frozen=True, slots=True)
class SeenClaim:
    """Possible claim for a row of tiles that nobody called.

    Attributes:
        action: the claim that the rules accept, or None.
        question: what the speaker is asked instead.
        refused: why the likeliest claim does not hold.
        offered: the claim that the answer is about.
    """

    action: Action | None = None
    question: Question | None = None
    refused: Refused | None = None
    offered: Action | None = None

    @property
    def offered_or_made(self) -> Action | None:
        """The claim, valid or valid once people confirm it; None without one."""
        return self.action or self.offered


def seen_claim(
    ledger: Ledger, word: SeenWord, player: str, priors: TrackingPriors = PRIORS
) -> SeenClaim:
    """The claim that explains a row of tiles before a player, by the rules and the pool."""
    refused: Refused | None = None
    offered: Action | None = None
    ways = (way for text in word.texts(priors) for way in _ways(ledger, text, player))
    for action, question in ways:
        if question is not None:
            return SeenClaim(None, question, None, action)
        verdict = ledger.game.decide(ledger.state, action)
        if not isinstance(verdict, Refused):
            return SeenClaim(action)
        if refused is None:
            refused, offered = verdict, action
    if refused is None:
        return SeenClaim()
    laid = ledger.opening.materials.tile_set.word_of(word.text)
    prompt = phrase("{player} laid {word}: {why}", player=player, word=laid, why=refused.message)
    choices = (TAKE_BACK, IT_COUNTS) if refused.code in RULED_ON else (TAKE_BACK,)
    return SeenClaim(None, Question(Kind.CLAIM, prompt, choices), refused, offered)


def _ways(ledger: Ledger, text: str, player: str) -> Iterator[tuple[Action, Question | None]]:
    """Yield possible claims: steals before new words, as a word is taken whole (GS-10)."""
    view = public_view(ledger.game, ledger.state)
    tiles = Counter(text)
    pool = Counter(str(view["pool"]))
    taken: list[tuple[str, int] | None] = [
        (owner, i) for owner, held in view["tiles"].items() for i, _ in enumerate(held)
    ]
    for old in (*taken, None):
        words = {p: list(held) for p, held in view["tiles"].items()}
        stolen = Counter(words[old[0]].pop(old[1])) if old is not None else Counter()
        rest = tiles - stolen
        if stolen - tiles or rest - pool or not rest:
            continue
        words[player].append(text)
        left = "".join(sorted((pool - rest).elements()))
        rows = {p: tuple(held) for p, held in words.items()}
        change = Change(pool=left, face_down=int(view["face_down"]), words=rows)
        for candidate in ledger.game.interpret(ledger.state, change):
            claims = [a for a in candidate.actions if a.kind == "claim"]
            if claims:
                asked = candidate.questions[0] if candidate.questions else None
                yield claims[0], asked
                break


def named(action: Action, word: str) -> Action:
    """A claim with the word that people say it spells."""
    return Action(action.kind, action.player, None, {**action.data, "word": word.upper()})


def overruled(claim: SeenClaim) -> tuple[Action, ...]:
    """Rulings of people who accept a row: the word is valid, or the roots differ."""
    action, refused = claim.offered, claim.refused
    if action is None or refused is None or refused.code not in RULED_ON:
        return ()
    counts = Action(action.kind, action.player, None, {**action.data, "override": True})
    if refused.code == "same_root":
        return (counts,)
    return (Action("judge_decision", data={"word": action.data["word"], "valid": True}), counts)


def with_tiles(claim: Action, text: str, tile_set: TileSetLike) -> Action:
    """A called claim with its tiles as seen, if they spell it with blanks."""
    word = tile_set.tiles_in(str(claim.data.get("word", "")))
    if UNKNOWN_BLANK not in text or not spells(text, word):
        return claim
    data = {**claim.data, "tiles": tile_set.word_of(text)}
    return Action(claim.kind, claim.player, claim.at, data)


def spells(text: str, word: str) -> bool:
    """True if tiles, with `?` for a blank, spell a word."""
    return len(text) == len(word) and all(
        a in (UNKNOWN_BLANK, b) for a, b in zip(text, word, strict=True)
    )


def cheapest_pairs(cost: Sequence[Sequence[float]]) -> list[int]:
    """Minimum-cost assignment: the column of each row, each column used at most once.

    The Hungarian method with potentials; rows must not outnumber columns.

    Args:
        cost: one row for each thing to pair, all of one length.

    Raises:
        ValueError: there are more rows than columns.
    """
    rows = len(cost)
    cols = len(cost[0]) if rows else 0
    if rows > cols:
        raise ValueError(f"expected at most as many rows as columns, got {rows} x {cols}")
    row_of = [0] * (cols + 1)
    u, v = [0.0] * (rows + 1), [0.0] * (cols + 1)
    for row in range(1, rows + 1):
        row_of[0] = row
        at, way = _free_column(cost, row_of, u, v)
        while at:
            row_of[at], at = row_of[way[at]], way[at]
    out = [0] * rows
    for col in range(1, cols + 1):
        if row_of[col]:
            out[row_of[col] - 1] = col - 1
    return out


def _free_column(
    cost: Sequence[Sequence[float]], row_of: list[int], u: list[float], v: list[float]
) -> tuple[int, list[int]]:
    """Nearest free column and the path to it; updates the potentials."""
    cols = len(row_of) - 1
    least, used, way = [math.inf] * (cols + 1), [False] * (cols + 1), [0] * (cols + 1)
    at = 0
    while True:
        used[at] = True
        here = row_of[at]
        for col in range(1, cols + 1):
            value = cost[here - 1][col - 1] - u[here] - v[col]
            if not used[col] and value < least[col]:
                least[col], way[col] = value, at
        following = min((c for c in range(1, cols + 1) if not used[c]), key=lambda c: least[c])
        step = least[following]
        for col in range(cols + 1):
            if used[col]:
                u[row_of[col]] += step
                v[col] -= step
            else:
                least[col] -= step
        at = following
        if row_of[at] == 0:
            return at, way


def shortest_word(opening: Opening) -> int:
    """Smallest number of letters of a word on this table.

    Raises:
        ValueError: the game has no setting that says so.
    """
    setting = opening.game.info.shortest_word_setting
    if setting is None:
        raise ValueError(f"{opening.game.info.slug}: expected a setting for the shortest word")
    return int(opening.options[setting])
