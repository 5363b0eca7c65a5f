"""The best scoring plays of every turn of a game, beside what was played.

Only points are compared: what stays on the rack and what the other may do then count nothing.
A camera seldom sees a rack: each turn says how much of it is known, and its plays are those that
the known tiles can make.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from kibitz.engine.board.moves import Best, Move, WordIndex, best_by_line
from kibitz.engine.board.notation import gcg_position
from kibitz.engine.board.scoring import RACK_SIZE
from kibitz.engine.parameters import checked, number
from kibitz.engine.record.gcg import GcgGame, GcgMove, in_signs
from kibitz.engine.record.gcg_position import SET_UP
from kibitz.engine.record.gcg_replay import GcgReplay
from kibitz.engine.record.gcg_writer import STANDS_FOR_RACK
from kibitz.engine.rules import TileSetLike
from kibitz.engine.table import Grid, Square, Tile
from kibitz.engine.tiles.unseen import face_of, faces_of, size_of
from kibitz.engine.words.formed import text_of, word_of, words_formed

Known = Literal["rack", "part", "played"]


@dataclass(frozen=True, slots=True)
class AnalysisRule:
    """Limits of the analysis of a turn."""

    moves: int = number(5, "plays", 1, 1000, "of a turn that are listed")
    looked_at: int = number(
        2_000_000,
        "beginnings of words",
        1,
        10**9,
        "of a turn; what two blanks take, where more would take minutes",
    )

    def __post_init__(self) -> None:
        """Refuse numbers out of bounds."""
        checked(self)


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a game.

    Attributes:
        number: from 1.
        player: who had it.
        kind: `play`, `exchange` or `pass`.
        place: where the play lies, as `8D`; empty without one.
        word: what was laid, as GCG has it.
        score: its points by the rules.
        bad: words that it formed and that the list does not have.
        came_off: whether it was taken off again.
        tiles: the tiles of the rack that are known.
        known: whether that is the whole `rack`, a `part` of it, or only what was `played`.
        best: the plays of those tiles with the most points, the best first.
        whole: whether every play was looked at; of many blanks there are too many.
    """

    number: int
    player: str
    kind: str
    place: str
    word: str
    score: int
    bad: tuple[str, ...]
    came_off: bool
    tiles: str
    known: Known
    best: tuple[Move, ...]
    whole: bool = True

    @property
    def missed(self) -> int:
        """Points by which the best play of the known tiles exceeds the actual one."""
        return max(0, self.best[0].score - self.score) if self.best else 0


def analyse_turns(
    game: GcgGame, tile_set: TileSetLike, words: WordIndex, rule: AnalysisRule
) -> Iterator[Turn]:
    """Yield every analysed turn in order, without challenges, end racks and penalties.

    Args:
        game: as it was read or is written.
        tile_set: what it was played with.
        words: the words that are good.
        rule: how much is told.
    """
    return (turn for turn in analyse_stepwise(game, tile_set, words, rule) if turn is not None)


def analyse_stepwise(
    game: GcgGame, tile_set: TileSetLike, words: WordIndex, rule: AnalysisRule
) -> Iterator[Turn | None]:
    """As `analysed`, with None in between, since a turn may take seconds to analyse.

    Whoever looks after several games goes on with another then.
    """
    number_ = 0
    written, game = game.moves, in_signs(game, tile_set)
    for i, move in enumerate(game.moves):
        if move.kind not in ("play", "exchange", "pass") or move.note.startswith(SET_UP):
            continue
        number_ += 1
        before = _after(game, i, tile_set)
        after = _after(game, i + 1, tile_set) if move.kind == "play" else before
        laid = {s: t for s, t in after.tiles.items() if s not in before}
        tiles, known = _rack_of(move, before, laid, tile_set)
        following = game.moves[i + 1] if i + 1 < len(game.moves) else None
        runs = words_formed(after, laid) if laid else ()
        best = Best()
        for found in best_by_line(before, tiles, words, tile_set, rule.moves, rule.looked_at):
            best = found
            yield None
        yield Turn(
            number_,
            move.player,
            move.kind,
            gcg_position(move.square, move.axis) if move.square is not None else "",
            written[i].word,
            move.score if move.kind == "play" else 0,
            tuple(word_of(after, r, tile_set) for r in runs if text_of(after, r) not in words),
            following is not None
            and following.kind == "withdrawn"
            and following.player == move.player,
            tile_set.bracketed(tiles),
            known,
            tuple(
                replace(move, word=tile_set.bracketed(move.word), text=tile_set.word_of(move.text))
                for move in best.moves
            ),
            best.whole,
        )


def _after(game: GcgGame, count: int, tile_set: TileSetLike) -> Grid:
    """The board after so many lines of the game."""
    return GcgReplay(tile_set).run(replace(game, moves=game.moves[:count])).grid


def _rack_of(
    move: GcgMove, before: Grid, laid: dict[Square, Tile], tile_set: TileSetLike
) -> tuple[str, Known]:
    """The known tiles, at most as many as the set has, and how well they are known."""
    shown = Counter(face_of(t) for t in laid.values())
    known = Counter() if move.note.startswith(STANDS_FOR_RACK) else Counter(move.rack.upper())
    if shown - known:  # no rack was written, or another one
        known = shown
    known &= faces_of(tile_set)
    tiles = "".join(sorted(known.elements()))
    bag = size_of(tile_set) - len(before.tiles) - 2 * RACK_SIZE
    if len(tiles) == RACK_SIZE or (bag <= 0 and known and known != shown):
        return tiles, "rack"
    return tiles, "part" if known - shown else "played"
