"""Scenario files made by random play with real words: the engine's answers as what is expected.

Another program that works the same numbers out by itself can then be run over them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from kibitz.engine.games import find_game
from kibitz.engine.games.scrabbleship.fleets import SHIP_LENGTHS, zone_of
from kibitz.engine.options import check_options
from kibitz.engine.rules import Accepted, Action, Materials, apply
from kibitz.engine.scenarios import verdict_json
from kibitz.engine.table import Square
from tests.engine.random_games import squares_of

NAMES = ("Ann", "Bob", "Cyd", "Dee")
LONGEST_LAID = 7


class Maker:
    """Random play from a seed, written down as one scenario a game."""

    def __init__(self, words: Sequence[str], materials: Materials, seed: int) -> None:
        """Take the words to lay, what the game is played with, and a seed."""
        self.rng = random.Random(seed)
        self.by_length: dict[int, list[str]] = {}
        for word in words:
            self.by_length.setdefault(len(word), []).append(word)
        self.materials = materials

    def some_word(self) -> str:
        """A word, short ones more often."""
        return self.rng.choice(self.by_length[self.rng.choice((2, 2, 3, 3, 4, 4, 5, 6, 7, 8))])

    def line(self, tiles: dict[Square, str], starts: list[Square], size: int) -> dict[Square, str]:
        """A word through or beside a start: the tiles that it adds, none where it does not fit."""
        word = self.some_word()
        axis = self.rng.choice(("across", "down"))
        other = "down" if axis == "across" else "across"
        at = self.rng.choice(starts)
        here = tiles.get(at)
        if here is not None and here in word and self.rng.random() < 0.5:
            back = self.rng.choice([i for i, x in enumerate(word) if x == here])
        else:
            back = self.rng.randrange(len(word))
            at = at.step(other, self.rng.choice((-1, 1)) if here is not None else 0)
        squares = [at.step(axis, i - back) for i in range(len(word))]
        if any(not (0 <= s.row < size and 0 <= s.col < size) for s in squares):
            return {}
        if any(tiles.get(s, x) != x for s, x in zip(squares, word, strict=True)):
            return {}
        new = {s: x for s, x in zip(squares, word, strict=True) if s not in tiles}
        return new if len(new) <= LONGEST_LAID else {}

    def scenario(self, name: str, game: str, players: Sequence[str], **fields: Any) -> Any:
        """A scenario to be filled with steps."""
        return {
            "id": name, "game": game, "title": "random play", "rules": [], "settings": {},
            "players": list(players), "initial": {}, "steps": [], "final": {}, **fields,
        }  # fmt: skip

    def begin(self, scenario: Any) -> tuple[Any, Any]:
        """The game of a scenario and its first state."""
        game = find_game(scenario["game"])
        options = check_options(game.info, scenario["settings"])
        players = tuple(scenario["players"])
        return game, game.begin(players, options, self.materials, scenario["initial"] or None)

    def laid_game(self, scenario: Any, plays: int, tries: int = 6000) -> Any:
        """A game of plays, only those that the engine accepts written down."""
        game, state = self.begin(scenario)
        two_sided = scenario["game"] == "scrabblehouse"
        values = scenario["game"] in ("classic", "scrabbleship")  # blanks matter there
        for _ in range(tries):
            if len(scenario["steps"]) >= plays or state.over:
                break
            player = self.mover(state)
            tiles = {s: _letter(t) for s, t in squares_of(state)[0].items()}
            size = squares_of(state)[1]
            new = self.line(tiles, self.starts(state, tiles, player), size)
            if not new:
                continue
            if two_sided and player == "North":
                new = self.turned_word(new, tiles)
            laid = {
                (s.panel_name if size == 45 else s.name): (
                    x.lower() if values and self.rng.random() < 0.03 else x
                )
                for s, x in new.items()
            }
            do = {"action": "place", "player": player, "tiles": laid}
            data = {"tiles": laid, "window": "closed"}
            now, verdict = apply(game, state, Action("place", player, None, data))
            if isinstance(verdict, Accepted):
                state = now
                scenario["steps"].append({"do": do, "expect": verdict_json(verdict)})
        scenario["final"] = _final(game.view(state, None), scenario["game"])
        return scenario

    def mover(self, state: Any) -> str:
        """Whose play is tried."""
        if hasattr(state, "boards"):
            return str(state.boards[0].to_move or "South")
        return str(state.to_move)

    def starts(self, state: Any, tiles: dict[Square, str], player: str) -> list[Square]:
        """Where a word may begin to be tried."""
        if hasattr(state, "boards"):
            row = 14 if player == "South" else 0
            home = [Square(row, c) for c in range(15)]
            return home if player not in state.opened else [*tiles, self.rng.choice(home)]
        if squares_of(state)[1] == 45:
            stars = [Square(7 + 15 * r, 7 + 15 * c) for r in range(3) for c in range(3)]
            return [s for s in stars if s not in tiles] or list(tiles)
        return list(tiles) or [Square(7, 7)]

    def turned_word(self, new: dict[Square, str], tiles: dict[Square, str]) -> dict[Square, str]:
        """The same squares for a word that is read the other way (SH-3)."""
        squares = sorted(new)
        axis = "across" if len({s.row for s in squares}) == 1 else "down"
        run = {**tiles, **new}
        first = squares[0]
        while first.step(axis, -1) in run:
            first = first.step(axis, -1)
        line = [first]
        while line[-1].step(axis) in run:
            line.append(line[-1].step(axis))
        fitting = [
            w
            for w in self.by_length.get(len(line), ())
            if self.rng.random() < 0.2  # else one game would take seconds
            and all(s in new or tiles[s] == x for s, x in zip(line, reversed(w), strict=True))
        ]
        if not fitting:
            return new
        word = self.rng.choice(fitting)
        return {s: x for s, x in zip(line, reversed(word), strict=True) if s in new}

    def fleets(self, players: Sequence[str]) -> dict[str, dict[str, list[str]]]:
        """A fleet for everybody in the own zone (SS-5), ships apart from one another."""
        out = {}
        for player in players:
            zone = zone_of(player, tuple(players), {})
            fleet: dict[str, list[str]] = {}
            taken: set[Square] = set()
            for ship, length in SHIP_LENGTHS.items():
                while True:
                    axis = self.rng.choice(("across", "down"))
                    start = self.rng.choice(sorted(zone))
                    run = [start.step(axis, i) for i in range(length)]
                    if set(run) <= zone and not set(run) & taken:
                        break
                taken |= set(run)
                fleet[ship] = [s.name for s in run]
            out[player] = fleet
        return out

    def one_tile_game(self, scenario: Any, tiles: int, tries: int = 4000) -> Any:
        """Scrabbage: tiles one by one, and a scrab now and then."""
        game, state = self.begin(scenario)
        for _ in range(tries):
            if len(scenario["steps"]) >= tiles or state.over:
                break
            lying = {s: t.letter for s, t in state.grid.tiles.items()}
            new = self.line(lying, list(lying) or [Square(7, 7)], 15)
            player = self.rng.choice(state.players)
            whole = len(new) > 1 and len(lying) > 1 and self.rng.random() < 0.5
            if whole:
                laid = {s.name: x for s, x in new.items()}
                do: dict[str, Any] = {"action": "scrab", "player": state.dealer, "tiles": laid}
            elif new:
                square, letter = self.rng.choice(sorted(new.items()))
                do = {"action": "tile", "player": player, "square": square.name, "letter": letter}
            else:
                continue
            data = {k: v for k, v in do.items() if k not in ("action", "player")}
            now, verdict = apply(game, state, Action(do["action"], do["player"], None, data))
            if not isinstance(verdict, Accepted):
                continue
            state = now
            scenario["steps"].append({"do": do, "expect": verdict_json(verdict)})
            if whole:
                state, verdict = apply(game, state, Action("end_of_hand"))
                step = {"do": {"action": "end_of_hand"}, "expect": verdict_json(verdict)}
                scenario["steps"].append(step)
        scenario["final"] = _final(game.view(state, None), scenario["game"])
        return scenario


def _letter(tile: Any) -> str:
    """The letter of a tile, or of a cell of Scrabble House."""
    return str(tile[0] if isinstance(tile, tuple) else tile.letter)


def _final(view: Any, game: str) -> dict[str, Any]:
    """What a scenario of the game says of its end."""
    keys = {
        "classic": ("scores", "board"), "scrabbleship": ("scores", "ship_count", "board", "sunk"),
        "frankenscrabbards": ("total_words", "clusters"), "scrabblehouse": ("board",),
        "scrabbage": ("scores", "board"),
    }[game]  # fmt: skip
    return {k: view[k] for k in keys}
