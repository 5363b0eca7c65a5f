"""Long Words (rules LW-1 to LW-4): a word of n letters counts n times n.

LW-1: one to four players lay tiles in turn on one board, in one line, without a gap. The first
play may lie anywhere; each later one touches an older tile. LW-2: every string of two or more
tiles that a play makes or lengthens must be a word. LW-3: each of them counts its length times
itself, twice that if a new tile of it lies on a spring. LW-4: who first has the goal wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from kibitz.engine.board.connection import check_connected, check_free, check_line, parse_tiles
from kibitz.engine.record.positions import board_in, checked_players, numbers_in, player_in
from kibitz.engine.rules import (
    Accepted,
    Action,
    Candidate,
    Change,
    Event,
    GameInfo,
    JsonValue,
    Materials,
    Options,
    Refused,
    Verdict,
)
from kibitz.engine.table import Grid, Square, Tile, TileRun, parse_square, tile_from_text
from kibitz.engine.words.formed import text_of, words_formed
from tests.seventh_game.info import INFO, PLAYERS, SPRINGS


@dataclass(frozen=True, slots=True)
class LongWordsState:
    """Everything that is known of a game of Long Words."""

    players: tuple[str, ...]
    options: Options
    materials: Materials
    grid: Grid
    scores: Mapping[str, int]
    to_move: str
    over: bool = False

    @property
    def may_act(self) -> frozenset[str]:
        """Whose turn it is; nobody's when the game is over."""
        return frozenset() if self.over else frozenset({self.to_move})


class LongWords:
    """The rules of Long Words."""

    info: ClassVar[GameInfo] = INFO

    def begin(
        self,
        players: tuple[str, ...],
        options: Options,
        materials: Materials,
        initial: Mapping[str, JsonValue] | None = None,
    ) -> LongWordsState:
        """An empty board, or a position to go on from (LW-1).

        Raises:
            ValueError: not one to four players, or the position is no position.
        """
        checked_players(players, PLAYERS)
        start = initial or {}
        grid = board_in(start, INFO.surface.rows)
        scores = numbers_in(start, "scores", players)
        to_move = player_in(start, "to_move", players) or players[0]
        return LongWordsState(players, options, materials, grid, scores, to_move)

    def interpret(self, state: LongWordsState, change: Change) -> tuple[Candidate, ...]:
        """New tiles are a play of whoever is to move; tiles that are gone mean nothing here."""
        if change.removed or not change.added:
            return ()
        tiles = {s.name: x for s, x in sorted(change.added.items())}
        return (Candidate((Action("place", data={"tiles": tiles}),)),)

    def decide(self, state: LongWordsState, action: Action) -> Verdict:
        """Judge an action (LW-1 to LW-4)."""
        if state.over:
            return Refused("game_over", "The game is over.")
        if action.player not in (None, state.to_move):
            return Refused("not_your_turn", f"It is {state.to_move}'s turn.")
        if action.kind == "pass":
            return Accepted((Event("_passed", {"player": state.to_move}),))
        if action.kind == "place":
            return _judge(state, action)
        return Refused("unknown_action", f"Long Words knows no action {action.kind!r}.")

    def evolve(self, state: LongWordsState, event: Event) -> LongWordsState:
        """The state after an event."""
        d = event.data
        match event.kind:
            case "_played":
                tiles = {parse_square(s): tile_from_text(x) for s, x in d["tiles"].items()}
                scores = {**state.scores, d["player"]: int(d["total"])}
                grid = state.grid.with_tiles(tiles)
                return replace(state, grid=grid, scores=scores, to_move=_next(state))
            case "_passed":
                return replace(state, to_move=_next(state))
            case "game_over":
                return replace(state, over=True)
            case _:
                return state

    def view(self, state: LongWordsState, viewer: str | None) -> Mapping[str, JsonValue]:
        """Everything is open to everybody."""
        best = max(state.scores.values())
        return {
            "board": list(state.grid.text_rows()),
            "scores": dict(state.scores),
            "to_move": state.to_move,
            "may_act": sorted(state.may_act),
            "over": state.over,
            "winner": [p for p, n in state.scores.items() if n == best] if state.over else None,
        }

    def announce(self, state: LongWordsState, event: Event) -> tuple[str, ...]:
        """What is said of an event."""
        d = event.data
        match event.kind:
            case "_played":
                words = " and ".join(w["word"] for w in d["words"])
                return (f"{d['player']} plays {words} for {d['score']}; {d['total']}.",)
            case "_passed":
                return (f"{d['player']} passes.",)
            case "game_over":
                return (f"{d['winner'][0]} wins.",)
            case _:
                return ()


def _judge(state: LongWordsState, action: Action) -> Verdict:
    tiles = parse_tiles(action.data.get("tiles"))
    if isinstance(tiles, Refused):
        return tiles
    refused = check_free(state.grid, tiles) or check_line(state.grid, tiles)
    if refused is None and state.grid.tiles:
        refused = check_connected(state.grid, tiles)
    if refused is not None:
        return refused
    grid = state.grid.with_tiles(tiles)
    runs = words_formed(grid, tiles)
    words = [{"word": text_of(grid, run), "score": _points(run, tiles)} for run in runs]
    bad = [w["word"] for w in words if w["word"] not in state.materials.lexicon]
    if not words:
        return Refused("no_word", "That makes no word.", tuple(sorted(tiles)))
    if bad and state.options["reject_invalid"]:
        text = f"{bad[0]} is not in the list."
        return Refused("not_a_word", text, tuple(sorted(tiles)), {"bad_words": bad})
    return _played(state, tiles, words)


def _played(
    state: LongWordsState, tiles: Mapping[Square, Tile], words: list[dict[str, JsonValue]]
) -> Accepted:
    player, score = state.to_move, sum(w["score"] for w in words)
    total = state.scores[player] + score
    data = {
        "player": player,
        "tiles": {s.name: t.text for s, t in sorted(tiles.items())},
        "words": words,
        "score": score,
        "total": total,
    }
    events = [Event("_played", data)]
    if total >= int(state.options["lw.goal"]):
        events.append(Event("game_over", {"reason": "goal", "winner": [player]}))
    result = {"words": words, "turn_score": score, "scores": {**state.scores, player: total}}
    return Accepted(tuple(events), result)


def _points(run: TileRun, new: Mapping[Square, Tile]) -> int:
    springs = any(s in new and SPRINGS[s.row][s.col] == "w" for s in run.squares)
    return len(run.squares) ** 2 * (2 if springs else 1)


def _next(state: LongWordsState) -> str:
    index = state.players.index(state.to_move)
    return state.players[(index + 1) % len(state.players)]


GAME = LongWords()
