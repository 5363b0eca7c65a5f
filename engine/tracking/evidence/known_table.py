"""Known state of a table without a board, and how a picture agrees with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kibitz.engine.record.ledger import Ledger, public_view
from kibitz.engine.rules import Action, TileSetLike
from kibitz.engine.table import UNKNOWN_BLANK
from kibitz.engine.tracking.evidence.hypotheses import Capture
from kibitz.engine.tracking.evidence.loose_table import (
    PoolMatch,
    PoolTile,
    SeenWord,
    TableView,
    UpTile,
    match_pool,
    seen_claim,
    spells,
    word_fit,
)
from kibitz.engine.tracking.evidence.priors import TrackingPriors


@dataclass(frozen=True, slots=True)
class TableMatch:
    """Comparison of a picture with the known table.

    Attributes:
        table: the picture, with rows of known blanks taken for words.
        words: rows that are none of the words known, with what is known of their tiles.
        pool: which known pool tiles were seen again, and which tiles are new.
        short: how many tiles fewer are in sight than there are (GS-21); negative for more.
        proved: how many letters more are in sight than were known: so many were turned up, even
            if all that is out of sight lies where it lay.
        possible: how many may have been turned up, by the tiles in sight that lie face down; all
            where more are in sight than there are.
        too_many_down: how many tiles more lie face down in sight than are known to.
        like_backs: how many known letters look like tiles face down.
        nowhere: how many of these nobody has seen yet; nobody knows which of the backs they are.
    """

    table: TableView
    words: tuple[SeenWord, ...]
    pool: PoolMatch
    short: int
    proved: int
    possible: int
    too_many_down: int
    like_backs: int
    nowhere: int

    def most_new(self, how: Capture) -> int:
        """Most tiles that can be newly turned up; no tile is counted twice (GS-21).

        A film goes on: while an arm hides letters, one that looks new may be one of those, half
        covered, and a sleeve may look like tiles face down. What more letters than there were
        prove is told at once, the rest once all of them are in sight.
        """
        return self.proved if how.live else self.possible


@dataclass(frozen=True, slots=True)
class Rows:
    """Comparison of a picture's rows of tiles with the known words.

    Attributes:
        new: rows that are none of the words known.
        unseen: for each player the words, or parts of them, that no row shows.
        seen: the rows that show known words, by player and tiles.
    """

    new: list[SeenWord]
    unseen: Mapping[str, Sequence[str]]
    seen: Mapping[tuple[str, str], SeenWord]


@dataclass(frozen=True, slots=True)
class KnownTable:
    """Known state of a table before a picture.

    Attributes:
        ledger: the game.
        players: who sits at the table, clockwise from the bottom of the picture.
        pool: the tiles in the middle, with everything seen of them.
        waiting: claims that were told before all their tiles were seen.
        hardly: what hardly looked like tiles face up in a picture before.
        weights: how much a set says of each letter.
        priors: what is believed before any picture.
        lay: the rows that showed each word last, by player and tiles.
        backs: the tiles face down in the newest picture with all in sight.
        nowhere: how many known letters that nobody has seen yet were among these.
    """

    ledger: Ledger
    players: tuple[str, ...]
    pool: tuple[PoolTile, ...]
    waiting: tuple[Action, ...]
    hardly: tuple[UpTile, ...]
    weights: Mapping[str, float]
    priors: TrackingPriors
    lay: Mapping[tuple[str, str], SeenWord] = field(default_factory=dict)
    backs: tuple[UpTile, ...] = ()
    nowhere: int = 0

    @property
    def letters(self) -> str:
        """Letters in the pool."""
        return str(self._view().get("pool", ""))

    def match(self, view: TableView) -> TableMatch:
        """Known tiles and words that a picture shows, and its new ones."""
        known = self._view()
        view = view.lettered(self.weights).beside_surest()
        view = view.but_for(self.hardly)
        total = int(known.get("total_tiles", -1))
        surplus = max(0, view.tiles - total) if total >= 0 else 0
        view = view.without(surplus)
        short = total - view.tiles
        table = view.with_blanks(self._is_known)
        # which of too many things are no tiles is a guess: then they prove nothing
        there = replace(self, backs=()) if surplus else self
        seen = there._counted(table, short)  # noqa: SLF001 - its like
        # which of too many things are no tiles is a guess: then they prove nothing either;
        # nor does what is likelier no tile
        return replace(seen, too_many_down=0) if surplus else seen

    def _counted(self, table: TableView, short: int) -> TableMatch:
        """Comparison tile by tile."""
        up, blanks = self._known_up(self._view(), table)
        # a blank of the pool looks like a tile face down, wherever it lies
        plain = int(self._view()["face_down"]) + blanks
        likely = sum(tile.is_likely for tile in table.down)
        rows = self.rows(table)
        known = (*self.pool, *self._out_of_row(rows))
        shown = (*table.loose, *(tile for row in table.words for tile in row.tiles))
        like_backs = sum(
            old.letter != UNKNOWN_BLANK and old.is_among(table.down) and not old.is_among(shown)
            for old in known
        )
        unseen = Counter(old.letter for old in known if not old.seen)
        unseen -= Counter((UNKNOWN_BLANK, *(tile.best for tile in shown)))
        like_backs += min(self.nowhere, unseen.total())
        possible = max(0, plain + like_backs - table.face_down)
        turned_up = None if short else possible
        if short < 0:  # the table itself looks like tiles in places: they prove nothing
            possible = len(shown)
        nowhere = 0 if short else max(0, table.face_down - plain - like_backs)
        table, pool = self._each_tile(table, rows, known, turned_up)
        return TableMatch(
            table,
            tuple(self.rows(table).new),
            pool,
            short,
            proved=max(0, len(shown) - (up - like_backs)),
            possible=possible,
            too_many_down=0 if short else max(0, likely - plain),
            like_backs=like_backs + nowhere,
            nowhere=nowhere + min(self.nowhere, unseen.total()),
        )

    def _each_tile(
        self, table: TableView, rows: Rows, known: Sequence[PoolTile], turned_up: int | None
    ) -> tuple[TableView, PoolMatch]:
        """The table with what is known of each tile of a new row, and the pool's tiles.

        A letter that no row shows any more, of the pool or of a word, lies somewhere: what is seen
        elsewhere is that tile rather than another, and what was read of it still counts.

        Args:
            table: what is seen.
            rows: how its rows agree with the words.
            known: the pool's tiles, then those of words that no row shows.
            turned_up: how many tiles were turned up, where that is known.
        """
        reading = self.priors.reading
        moved = [tile for row in rows.new for tile in row.tiles]
        found = match_pool(known, (*table.loose, *moved), turned_up, self.priors)
        loose = {id(tile) for tile in table.loose}
        in_pool = range(len(self.pool))
        again = {i: x for i, x in found.again.items() if i in in_pool and id(x) in loose}
        was = {id(x): known[i].chances(reading) for i, x in found.again.items()}

        def fused(tile: UpTile) -> UpTile:
            return tile.with_known(was[id(tile)], reading) if id(tile) in was else tile

        words = tuple(replace(row, tiles=tuple(map(fused, row.tiles))) for row in table.words)
        new = (tile for tile in found.new if id(tile) in loose)
        new = (x for x in new if x.is_likely or (turned_up and self._came_there(x)))
        return replace(table, words=words), PoolMatch(again, tuple(new))

    def _came_there(self, tile: UpTile) -> bool:
        """True if a tile lies where no back lay when all tiles were in sight."""
        return bool(self.backs) and not any(tile.lies_at(old) for old in self.backs)

    def _out_of_row(self, rows: Rows) -> Iterator[PoolTile]:
        """Yield tiles of words, or of parts of them, that no row shows, where they lay last."""
        for player, parts in rows.unseen.items():
            for part in parts:
                yield from self._part(player, part)

    def _part(self, player: str, part: str) -> tuple[PoolTile, ...]:
        """Tiles of a part of a player's word, where they lay last."""
        for (owner, text), row in reversed(tuple(self.lay.items())):
            first = text.find(part)
            if owner == player and first >= 0 and len(row.tiles) == len(text):
                lay = row.tiles[first : first + len(part)]
                return tuple(
                    PoolTile(x, (old,), held=True) for x, old in zip(part, lay, strict=True)
                )
        return tuple(map(PoolTile, part))

    def rows(self, table: TableView) -> Rows:
        """Comparison of a picture's rows of tiles with the known words."""
        view = self._view()
        players = self.players
        tiles: Mapping[str, list[str]] = view.get("tiles") or view["words"]
        left = {p: list(tiles.get(p, ())) for p in players}
        out, seen = [], {}
        for word in table.words:
            player = players[word.seat]
            held = left[player]
            reading = self.priors.reading
            best = max(held, key=lambda t: word_fit(word, t, reading), default=None)
            if best is not None and self._is_word(word, best):
                held.remove(best)
                seen[player, best] = word
            else:
                out.append(word)
        up, _ = self._known_up(view, table)
        hidden = up > table.tiles - table.face_down
        out = [w for w in out if not self._take_part(left[players[w.seat]], w, hidden=hidden)]
        return Rows(out, left, seen)

    def agrees_with(self, view: TableView) -> bool:
        """True if every tile in sight lies where the game has it, and none is missing."""
        seen = self.match(view)
        rows = self.rows(seen.table)
        all_again = len(seen.pool.again) == len(self.pool) and not seen.pool.new
        adds_up = not (seen.short or seen.possible or seen.too_many_down)
        return all_again and adds_up and not rows.new and not any(rows.unseen.values())

    def needed(self, new_words: Sequence[SeenWord]) -> Counter[str]:
        """Letters for new words that are neither in the pool nor in an old word.

        Tiles that were turned up and claimed between two photographs were never seen in the pool.
        """
        if self.waiting:
            cut = self._tile_set.tiles_in
            need = sum((letters_from_pool(x, cut) for x in self.waiting), Counter[str]())
            return need - Counter(self.letters)
        used = Counter("".join(w.text for w in new_words))
        return used - Counter(self.letters) - self._words_letters(new_words)

    def _known_up(self, known: Mapping[str, Any], table: TableView) -> tuple[int, int]:
        """Numbers of known tiles that show a letter in sight, and that look face down."""
        words: Mapping[str, list[str]] = known.get("tiles") or known["words"]
        lying = "".join(t for held in words.values() for t in held)
        in_words = lying.count(UNKNOWN_BLANK) - sum(
            w.text.count(UNKNOWN_BLANK) for w in table.words
        )
        plain = str(known.get("pool", "")).count(UNKNOWN_BLANK) + max(0, in_words)
        return len(str(known.get("pool", ""))) + len(lying) - plain, plain

    def _is_known(self, word: SeenWord) -> bool:
        """True if a row with blanks is a known or called word."""
        player = self.players[word.seat]
        view = self._view()
        known = (view.get("tiles") or view["words"]).get(player, ())
        if any(UNKNOWN_BLANK in t and self._is_word(word, t) for t in known):
            return True
        tiles_in = self._tile_set.tiles_in
        called = [tiles_in(str(claim.data.get("word", ""))) for claim in self.waiting]
        if any(spells(word.text, called_word) for called_word in called):
            return True
        return seen_claim(self.ledger, word, player, self.priors).offered_or_made is not None

    def _take_part(self, held: list[str], word: SeenWord, *, hidden: bool) -> bool:
        """Take a row as part of a half-seen word out of `held`; False if it is none.

        The rest lies under an arm where letters are hidden; else only blanks may be missing.
        """
        size = len(word.tiles)
        for tiles in held:
            for first in range(len(tiles) - size + 1):
                rest = tiles[:first], tiles[first + size :]
                blanks = set("".join(rest)) <= {UNKNOWN_BLANK}
                part = tiles[first : first + size]
                if len(part) < len(tiles) and (hidden or blanks) and self._is_word(word, part):
                    held.remove(tiles)
                    held += [t for t in rest if t]
                    return True
        return False

    def _is_word(self, word: SeenWord, tiles: str) -> bool:
        """True if a row fits a known word's tiles well enough."""
        agrees = word_fit(word, tiles, self.priors.reading)
        return agrees > -self.priors.letters.asked * len(tiles)

    def _words_letters(self, new_words: Sequence[SeenWord]) -> Counter[str]:
        """Letters of old words that a new one may have been made from."""
        view = self._view()
        olds = [w for held in (view.get("tiles") or view["words"]).values() for w in held]
        letters: Counter[str] = Counter()
        for word in new_words:
            inside = [o for o in olds if not Counter(o) - Counter(word.text)]
            if inside:
                letters += Counter(max(inside, key=len))
        return letters

    @property
    def _tile_set(self) -> TileSetLike:
        return self.ledger.opening.materials.tile_set

    def _view(self) -> Mapping[str, Any]:
        return public_view(self.ledger.game, self.ledger.state)


def letters_from_pool(claim: Action, tiles_in: Callable[[str], str]) -> Counter[str]:
    """Tiles that a claim takes from the pool; `tiles_in` says of which a word is made."""
    laid = claim.data.get("tiles") or claim.data.get("word", "")
    taken = str(claim.data.get("steal") or "")
    return Counter(tiles_in(str(laid))) - Counter(tiles_in(taken))
