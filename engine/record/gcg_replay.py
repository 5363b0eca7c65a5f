"""Replays a GCG game through the scoring, and reports where annotator and rules differ."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from kibitz.engine.board.scoring import rack_bonus, word_score
from kibitz.engine.record.gcg import GcgGame, GcgMove, in_signs, plain_word
from kibitz.engine.record.gcg_position import is_set_up
from kibitz.engine.record.gcg_possible import MORE_THAN_SET, TurnCheck, faults_of_header
from kibitz.engine.rules import TileSetLike
from kibitz.engine.table import SIDE, UNKNOWN_BLANK, Grid, Square, Tile
from kibitz.engine.words.formed import word_of, words_formed

CHALLENGED = re.compile(r"challeng|\+\s?(?:5|10)\b", re.IGNORECASE)
"""A remark that tells of a bonus for a wrong challenge."""

BONUSES = (5, 10)
"""Points for a wrong challenge, by play; where each word counts, the smaller one times words."""


@dataclass(frozen=True, slots=True)
class GcgWrong:
    """A difference between the engine and the annotator, with both values.

    Attributes:
        line: where it stands, from 1.
        what: `score`, `total`, `end rack`, `withdrawn`, or what is wrong with the play.
        annotated, computed: what the file has, and what the rules give.
        why: the same in a sentence.
    """

    line: int
    what: str
    annotated: int | str
    computed: int | str
    why: str = ""


@dataclass(slots=True)
class GcgReplay:
    """A game replayed through the scoring; plays are believed, words are not judged.

    Attributes:
        house_rules: what breaks the rules of laying, drawing and taking turns is no fault.
        wrong: what differs from the rules and counts in the game.
        remarks: what differs and counts for nothing: what is annotated of a play that came off
            again, where the next line that stands is right; a running total that has a challenge
            bonus one line early or late.
    """

    tile_set: TileSetLike
    house_rules: bool = False
    grid: Grid = field(default_factory=lambda: Grid(SIDE, SIDE))
    scores: dict[str, int] = field(default_factory=dict)
    wrong: list[GcgWrong] = field(default_factory=list)
    remarks: list[GcgWrong] = field(default_factory=list)
    _last: dict[str, tuple[tuple[Square, ...], int]] = field(default_factory=dict)
    _passing: dict[str, list[GcgWrong]] = field(default_factory=dict)

    def run(self, game: GcgGame) -> GcgReplay:
        """Replay every move; totals continue from what the file has before the first."""
        game = in_signs(game, self.tile_set)
        self.scores = dict.fromkeys((nick for nick, _ in game.players), 0)
        check = None if self.house_rules else TurnCheck(self.tile_set)
        if check is not None:
            self.wrong += [GcgWrong(1, *fault) for fault in faults_of_header(game)]
        off = _came_off(game.moves)
        bonus = _bonus_after(game.moves)
        seen: set[str] = set()
        for i, move in enumerate(game.moves):
            if move.player not in seen and move.total is not None:
                # A game from a set-up position starts with points already made.
                self.scores[move.player] = _points_before(move, move.total, bonus.get(i))
            seen.add(move.player)
            before = self.grid
            self._play(move, came_off=i in off, bonus=bonus.get(i))
            if check is not None:
                lost_turn = any(_tells_of_challenge(m) for m in game.moves[max(0, i - 1) : i + 1])
                faults = check.faults(move, before, self.grid, lost_turn=lost_turn)
                listed = self.remarks if i in off and move.kind == "play" else self.wrong
                listed += [GcgWrong(move.line, *fault) for fault in faults]
            self._total(move, passing=i in off or i in bonus or move.kind == "bonus")
        for player in list(self._passing):
            self.wrong += self._passing.pop(player)[:1]
        self.wrong.sort(key=lambda w: w.line)
        return self

    def _total(self, move: GcgMove, *, passing: bool) -> None:
        """Compare a running total; the replay's own goes on while it may be right."""
        if move.total is None:
            return
        computed = self.scores[move.player]
        waiting = self._passing.setdefault(move.player, [])
        if move.total == computed:
            self.remarks += waiting
            waiting.clear()
            return
        why = f"annotated as {move.total}, but the scores up to here add up to {computed}"
        here = GcgWrong(move.line, "total", move.total, computed, why)
        if passing:
            waiting.append(here)
            return
        found = [*waiting, here]
        waiting.clear()
        # one slip that is carried along is one slip
        self.wrong += [w for j, w in enumerate(found) if j == 0 or _by(w) != _by(found[j - 1])]
        self.scores[move.player] = move.total

    def _play(self, move: GcgMove, *, came_off: bool, bonus: GcgMove | None) -> None:
        if move.kind == "play":
            self._lay(move, came_off=came_off, bonus=bonus)
        elif move.kind == "withdrawn":
            self._withdraw(move)
        elif move.kind == "racks":
            self._rack(move)
        else:
            self.scores[move.player] += move.score

    def _withdraw(self, move: GcgMove) -> None:
        squares, score = self._last.pop(move.player, ((), -move.score))
        self.grid = self.grid.without(squares)
        # Some programs write +0 here and take the points off the total alone.
        silent = move.score == 0 and move.total == self.scores[move.player] - score
        if -score != move.score and not silent:
            why = f"the play that comes off was annotated as {score}, not as {-move.score}"
            self.wrong.append(GcgWrong(move.line, "withdrawn", move.score, -score, why))
        self.scores[move.player] += -score if silent else move.score

    def _lay(self, move: GcgMove, *, came_off: bool, bonus: GcgMove | None) -> None:
        if move.square is None:
            return
        tiles = self._tiles_of(move, move.square)
        if not tiles:
            why = f"{move.word} lays no tile on an empty square"
            self.wrong.append(GcgWrong(move.line, "no new tile", move.word, "", why))
            self.scores[move.player] += move.score
            return
        self.grid = self.grid.with_tiles(tiles)
        if not is_set_up(move):
            self._compare(move, tiles, came_off=came_off, bonus=bonus)
        self._last[move.player] = (tuple(tiles), move.score)
        self.scores[move.player] += move.score

    def _compare(
        self, move: GcgMove, tiles: Mapping[Square, Tile], *, came_off: bool, bonus: GcgMove | None
    ) -> None:
        """Compare the annotated score with the rules' own."""
        new = frozenset(tiles)
        runs = words_formed(self.grid, new)
        points = [word_score(self.grid, r, new, self.tile_set) for r in runs]
        seven = rack_bonus(len(tiles))
        score = sum(points) + seven
        if score == move.score:
            return
        more = move.score - score
        words = [word_of(self.grid, run, self.tile_set) for run in runs]
        parts = [f"{word} {n}" for word, n in zip(words, points, strict=True)]
        parts += [f"all seven {seven}"] if seven else []
        why = f"annotated as {move.score}; the rules give {score}: {', '.join(parts)}"
        challenged = _tells_of_challenge(move)
        if bonus is not None and bonus.score == more and bonus.total == move.total:
            # the same bonus stands in the play's score and once more in a line of its own
            self.scores[move.player] -= bonus.score
        elif not (challenged and more in (*BONUSES, min(BONUSES) * len(runs))):
            why += ", and the play came off again, so that it counts nothing" if came_off else ""
            listed = self.remarks if came_off else self.wrong
            listed.append(GcgWrong(move.line, "score", move.score, score, why))

    def _tiles_of(self, move: GcgMove, square: Square) -> dict[Square, Tile]:
        """New tiles of a play; impossible ones are reported."""
        tiles: dict[Square, Tile] = {}
        for char, through in plain_word(move.word):
            there = self.grid.get(square)
            wrong: tuple[str, str, str, str] | None = None
            if not self.grid.on_board(square):
                why = f"{move.word} leaves the board"
                self.wrong.append(GcgWrong(move.line, "off_board", move.word, square.name, why))
                break
            if there is None and char == ".":
                why = f"{move.word} is played through {square.name}, where nothing lies"
                wrong = ("no tile to play through", move.word, square.name, why)
                tiles[square] = Tile(UNKNOWN_BLANK, blank=True)
            elif there is None:
                tiles[square] = Tile(char.upper(), blank=char.islower())
            elif not through and char.upper() != there.letter and there.letter != UNKNOWN_BLANK:
                why = f"{move.word} has {char} on {square.name}, where {there.letter} lies"
                wrong = ("another letter lies there", char, there.letter, why)
            if wrong is not None:
                self.wrong.append(GcgWrong(move.line, *wrong))
            square = square.step(move.axis)
        return tiles

    def _rack(self, move: GcgMove) -> None:
        """Score an end rack: won (once or twice its value) or lost."""
        value = sum(self.tile_set.value(x) for x in move.tiles.upper() if x != UNKNOWN_BLANK)
        if move.score not in (value, 2 * value, -value):
            why = f"annotated as {move.score}; the tiles {move.tiles} are worth {value}"
            self.wrong.append(GcgWrong(move.line, "end rack", move.score, value, why))
        self.scores[move.player] += move.score


def _tells_of_challenge(move: GcgMove) -> bool:
    return bool(CHALLENGED.search(f"{move.note} {move.after}"))


def _points_before(move: GcgMove, total: int, bonus: GcgMove | None) -> int:
    """A player's points before the first line; its total may include the next line's bonus."""
    if bonus is not None and bonus.total == move.score + bonus.score:
        return 0
    return total - move.score


def _by(wrong: GcgWrong) -> int:
    """Amount by which a total differs."""
    return int(wrong.annotated) - int(wrong.computed)


def _came_off(moves: Sequence[GcgMove]) -> set[int]:
    """Indices of withdrawn plays and of the lines that withdraw them."""
    last: dict[str, int] = {}
    out: set[int] = set()
    for i, move in enumerate(moves):
        if move.kind == "play":
            last[move.player] = i
        elif move.kind == "withdrawn":
            out |= {i, last.pop(move.player, i)}
    return out


def _bonus_after(moves: Sequence[GcgMove]) -> dict[int, GcgMove]:
    """Plays followed by a line with the same player's challenge bonus."""
    return {
        i: after
        for i, (play, after) in enumerate(pairwise(moves))
        if play.kind == "play" and after.kind == "bonus" and play.player == after.player
    }


def replay_gcg(
    game: GcgGame, tile_sets: Sequence[TileSetLike], *, house_rules: bool = False
) -> GcgReplay:
    """Replay a game with the tile set that agrees best with its scores, then with its tiles."""
    runs = [GcgReplay(t, house_rules).run(game) for t in tile_sets]
    return min(runs, key=lambda r: (_count(r, "score", "end rack"), _count(r, MORE_THAN_SET)))


def _count(run: GcgReplay, *kinds: str) -> int:
    return sum(w.what in kinds for w in (*run.wrong, *run.remarks))
