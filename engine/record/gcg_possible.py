"""Checks whether the lines of a GCG are possible: tiles, racks and whose turn it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from kibitz.engine.board.connection import check_play
from kibitz.engine.board.scoring import RACK_SIZE
from kibitz.engine.record.gcg import TURNS, GcgGame, GcgMove
from kibitz.engine.record.gcg_position import is_set_up
from kibitz.engine.rules import TileSetLike
from kibitz.engine.table import UNKNOWN_BLANK, Grid
from kibitz.engine.tiles.unseen import face_of, unseen

Fault: TypeAlias = tuple[str, str | int, str | int, str]
"""What is wrong, as the file has it, as it could be, and a sentence."""

MORE_THAN_SET = "more than the set has"

_GAMES = re.compile(r"classic|scrabble", re.IGNORECASE)
_BOARDS = re.compile(r"classic|crosswordgame|standard(15)?", re.IGNORECASE)
VARIANTS = {"game-type": _GAMES, "variant": _GAMES, "board-layout": _BOARDS, "game-board": _BOARDS}
"""Pragmas that say which game was played on which board, with what they call the usual ones."""


def faults_of_header(game: GcgGame) -> Iterator[Fault]:
    """Yield faults of the header: another game, another board, or two players alike."""
    for name, value in game.header:
        known = VARIANTS.get(name)
        if known and value and not known.fullmatch(value):
            why = f"#{name} says {value}; only the usual game and board are known here"
            yield "unknown variant", value, "", why
    names = Counter(full.casefold() for _, full in game.players)
    for full in dict.fromkeys(full for _, full in game.players if names[full.casefold()] > 1):
        why = f"{names[full.casefold()]} players are called {full}; give each a name"
        yield "two players with one name", full, "", why


@dataclass(slots=True)
class TurnCheck:
    """Checks the lines of a game one after the other."""

    tile_set: TileSetLike
    _turn_of: str | None = None
    _play: GcgMove | None = None
    _laid: Counter[str] = field(default_factory=Counter)
    _over: set[str] = field(default_factory=set)
    _ended: bool = False
    _holds: dict[str, Counter[str]] = field(default_factory=dict)

    def faults(
        self, move: GcgMove, before: Grid, after: Grid, *, lost_turn: bool
    ) -> Iterator[Fault]:
        """Yield the faults of the next line.

        Args:
            move: the line.
            before: the board before it.
            after: the board after it.
            lost_turn: the line or the one before tells of a challenge that cost a turn.
        """
        if is_set_up(move):  # whose turn it is follows from the next line
            self._turn_of = self._play = None
            return
        tiles = {s: t for s, t in after.tiles.items() if s not in before}
        laid = Counter(face_of(tile) for tile in tiles.values())
        yield from self._out_of_place(move)
        if move.kind in TURNS:
            if move.player == self._turn_of and not lost_turn:
                why = f"{move.player} has two turns in a row"
                yield "two turns in a row", move.player, "", why
            self._turn_of = move.player
        if tiles and (refused := check_play(before, tiles)):
            word = self.tile_set.bracketed(move.word)
            yield refused.code, word, "", f"{word} cannot lie so: {refused.message}"
        if move.kind == "withdrawn":
            yield from self._returned(move)
        self._play = move if move.kind == "play" else None
        self._ended |= move.kind == "racks"
        self._laid = laid
        if move.kind == "racks":
            yield from self._end_rack(move, after)
        elif move.kind in TURNS or move.kind == "withdrawn":
            self._holds[move.player] = Counter(move.rack) - laid - _exchanged(move)
        if move.kind not in ("bonus", "time", "penalty"):
            yield from self._rack(move)
            yield from self._set_has(move, after)

    def _out_of_place(self, move: GcgMove) -> Iterator[Fault]:
        """Check that no turn follows the end, and that points beside plays have a reason."""
        if move.kind in TURNS and self._ended:
            self._ended = False  # told once
            why = f"{move.player} has a turn after the tiles left were counted"
            yield "turn after the end", move.player, "", why
        own = self._play is not None and self._play.player == move.player
        if move.kind == "bonus" and move.score > 0 and not own:
            why = f"{move.player} gains by a wrong challenge, but laid no play just before"
            yield "challenge", move.score, 0, why
        if move.kind == "time" and move.score > 0:
            why = f"{move.player} gains {move.score} for time, which only costs points"
            yield "time", move.score, -move.score, why

    def _returned(self, move: GcgMove) -> Iterator[Fault]:
        """Check that a withdrawn play is the last one, and that its tiles come back."""
        play = self._play
        if play is None or play.player != move.player:
            why = f"{move.player} takes off a play, but laid none just before"
            yield "withdrawn", "--", "", why
            return
        if not move.rack:
            return
        back, held = Counter(move.rack), Counter(play.rack)
        if back != held if play.rack else self._laid - back:
            came = play.rack or "".join(sorted(self._laid.elements()))
            came, back_now = map(self.tile_set.bracketed, (came, move.rack))
            why = f"the play came from {came}, but {back_now} came back"
            yield "other tiles came back", back_now, came, why

    def _end_rack(self, move: GcgMove, after: Grid) -> Iterator[Fault]:
        """Check the tiles left: all unseen ones where somebody went out, and those held last."""
        missing, why = Counter[str](), "was not laid either, and is not among the tiles left"
        if move.score > 0:
            missing = self._not_won(move, after)
        if not missing:
            own = move.score <= 0
            held = (tiles for p, tiles in self._holds.items() if (p == move.player) == own)
            missing = sum(held, Counter[str]()) - Counter(move.tiles)
            why = "was on a rack after its last turn, and is not among the tiles left"
        if missing:
            tiles = self.tile_set.bracketed("".join(sorted(missing.elements())))
            yield "end rack", move.tiles, tiles, f"{tiles} {why}"

    def _not_won(self, move: GcgMove, after: Grid) -> Counter[str]:
        """Unseen tiles that who went out does not gain, though all are the others'."""
        left = unseen(self.tile_set, (face_of(tile) for tile in after.tiles.values()))
        rest = Counter(left) - Counter(move.tiles)
        more = Counter(move.tiles) - Counter(left)  # is told as more than the set has
        stopped = more or rest.total() > RACK_SIZE  # people stopped before the end
        return Counter() if stopped else rest

    def _rack(self, move: GcgMove) -> Iterator[Fault]:
        """Check that laid or exchanged tiles were held, and no rack has more than seven."""
        used = self._laid + _exchanged(move)
        most = max(len(move.rack), used.total())
        if most > RACK_SIZE:
            why = f"{most} tiles are more than the {RACK_SIZE} that a rack holds"
            yield "more than a rack", most, RACK_SIZE, why
        missing = "".join(sorted((used - Counter(move.rack)).elements()))
        if move.rack and missing:
            missing, rack = map(self.tile_set.bracketed, (missing, move.rack))
            why = f"{missing} is not on the rack {rack}"
            yield "not on the rack", missing, rack, why

    def _set_has(self, move: GcgMove, after: Grid) -> Iterator[Fault]:
        """Check that board and rack together fit into one set; each letter is named once."""
        held = move.rack or (move.tiles if move.kind == "racks" else "")
        seen = Counter(face_of(tile) for tile in after.tiles.values())
        seen += Counter(held) - self._laid  # nothing is laid but by a play
        for face, count in sorted(seen.items()):
            has = self.tile_set.count(face)
            if count > has and face not in self._over:
                self._over.add(face)
                name = "a blank" if face == UNKNOWN_BLANK else self.tile_set.word_of(face)
                of = self.tile_set.language
                why = f"board and rack hold {name} {count} times; the tile set {of!r} has {has}"
                yield MORE_THAN_SET, count, has, why


def _exchanged(move: GcgMove) -> Counter[str]:
    """The tiles that a line exchanges, where it names them."""
    named = move.kind == "exchange" and not move.tiles.isdecimal()
    return Counter(move.tiles if named else "")
