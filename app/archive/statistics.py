"""Statistics over all games of an archive: scores, words, time a turn, blanks, premiums."""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from kibitz.app.archive.kept import KeptGame, KeptTile
from kibitz.app.common.limits import LISTS
from kibitz.engine.table import SIDE
from kibitz.vision.readings import SURE

SCORE_STEP: Final = 50
"""Points that a column of the plot of scores stands for."""
TURN_BOUNDS_S: Final = (15, 30, 60, 120, 180, 300, 600)
"""Seconds between which turns are counted together."""
PREMIUM_NAMES = {
    "W": "triple word",
    "w": "double word",
    "*": "double word",
    "L": "triple letter",
    "l": "double letter",
}


@dataclass(slots=True)
class Standing:
    """Games, wins, points and best score of a player."""

    games: int = 0
    won: int = 0
    points: int = 0
    best: int = 0


@dataclass(slots=True, eq=False)
class Statistics:
    """Statistics, counted game by game; they grow with words and players, not with games.

    Attributes:
        games: how many were replayed.
        failed: how many could not be.
        photos: photographs, or settled positions of films.
        plays: plays of all games.
        kinds: games by what was played.
        scores: players' final scores by the column they fall into.
        words: how often each word was laid.
        lengths: words laid by their letters.
        turns_s: turns by the column of `TURN_BOUNDS_S` they fall into.
        blanks: what blanks stood for.
        blanks_laid: blanks on boards.
        premium_used: tiles laid on premium squares, by their kind.
        premium_there: premium squares of all boards, by their kind.
        covered: how many games have a tile on each square of a board.
        boards: games with such a board.
        players: standings by name.
        best: the best plays: points, the words, the player, the game's name.
        doubtful: tiles that were read with less than 95 in 100.
        tiles: tiles of all plays.
    """

    games: int = 0
    failed: int = 0
    photos: int = 0
    plays: int = 0
    unresolved: int = 0
    questions: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    scores: Counter[int] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    turns_s: Counter[int] = field(default_factory=Counter)
    blanks: Counter[str] = field(default_factory=Counter)
    blanks_laid: int = 0
    premium_used: Counter[str] = field(default_factory=Counter)
    premium_there: Counter[str] = field(default_factory=Counter)
    covered: Counter[tuple[int, int]] = field(default_factory=Counter)
    boards: int = 0
    players: dict[str, Standing] = field(default_factory=dict)
    best: list[tuple[int, str, str, str]] = field(default_factory=list)
    doubtful: int = 0
    tiles: int = 0

    def add(self, game: KeptGame) -> None:
        """Count one more game."""
        if not game.document:
            self.failed += 1
            return
        line = game.line
        self.games += 1
        self.photos += line["photos"]
        self.plays += line["plays"]
        self.unresolved += line["unresolved"]
        self.questions += line["questions"]
        self.kinds[game.info.title if game.info else str(game.document["game"])] += 1
        self._add_scores(line["scores"])
        self._add_plays(game)
        self._add_tiles(game)

    def _add_scores(self, scores: dict[str, int]) -> None:
        most = max(scores.values(), default=0)
        for player, points in scores.items():
            self.scores[points // SCORE_STEP * SCORE_STEP] += 1
            standing = self.players.setdefault(player, Standing())
            standing.games += 1
            standing.points += points
            standing.best = max(standing.best, points)
            alone = list(scores.values()).count(most) == 1
            standing.won += points == most and alone and len(scores) > 1

    def _add_plays(self, game: KeptGame) -> None:
        laid = [p for p in game.plays if p.get("tiles") or p.get("word")]
        for play in laid:
            words = [str(w["word"]).upper() for w in play.get("words") or ()]
            self.words.update(words)
            self.lengths.update(map(len, words))
            if (points := play.get("turn_score")) is not None:
                entry = (int(points), ", ".join(words), str(play.get("player") or ""), game.name)
                (heapq.heappush if len(self.best) < LISTS.best else heapq.heappushpop)(
                    self.best, entry
                )
        times = [game.taken(str(play["file"])) for play in laid]
        for before, at in pairwise(times):
            if before is not None and at is not None and at > before:
                self.turns_s[column_of(at - before)] += 1

    def _add_tiles(self, game: KeptGame) -> None:
        info = game.info
        board = info is not None and info.premiums is not None and info.surface.rows == SIDE
        rows = game.document["final"].get("board") or ()
        squares: set[tuple[int, int]] = set()
        for tile in game.tiles():
            self.tiles += 1
            self.doubtful += tile.confidence is None or tile.confidence < SURE.known
            if rows and rows[tile.row][tile.col] == ".":
                continue  # it was taken off again
            if tile.blank:
                self.blanks_laid += 1
                self.blanks[tile.letter] += 1
            if board and (tile.row, tile.col) not in squares:
                squares.add((tile.row, tile.col))
                self._add_premium(tile)
        if board and info is not None and info.premiums is not None:
            self.boards += 1
            self.covered.update(squares)
            for sign in "".join(info.premiums):
                if sign in PREMIUM_NAMES:
                    self.premium_there[PREMIUM_NAMES[sign]] += 1

    def _add_premium(self, tile: KeptTile) -> None:
        if tile.premium in PREMIUM_NAMES:
            self.premium_used[PREMIUM_NAMES[tile.premium]] += 1

    def best_plays(self) -> list[tuple[int, str, str, str]]:
        """The highest-scoring plays, best first."""
        return sorted(self.best, key=lambda play: (-play[0], play[1:]))

    def top_words(self) -> list[tuple[str, int]]:
        """The words laid most often; of equals the longer first, then by alphabet."""
        return heapq.nsmallest(
            LISTS.best, self.words.items(), key=lambda word: (-word[1], -len(word[0]), word[0])
        )

    def top_players(self) -> list[tuple[str, Standing]]:
        """The players with most games."""
        return heapq.nsmallest(
            LISTS.first, self.players.items(), key=lambda p: (-p[1].games, -p[1].points, p[0])
        )


def column_of(seconds: float) -> int:
    """Index of the column, in the plot of turns, that a turn's duration falls into."""
    return sum(seconds >= bound for bound in TURN_BOUNDS_S)


def turn_names() -> list[str]:
    """Labels of the columns in the plot of turns."""
    said = [f"{b} s" if b < 60 else f"{b // 60} min" for b in TURN_BOUNDS_S]
    return [f"< {said[0]}", *(f"{a} to {b}" for a, b in pairwise(said)), f"> {said[-1]}"]
