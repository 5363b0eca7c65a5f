"""Random, mostly legal play for every game, from a seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from engine.games import find_game
from engine.lexicon import AcceptAll, WordList
from engine.options import check_options
from engine.rules import Action, Materials
from engine.table import Square
from engine.tile_sets import TileSet

LETTERS = "EEEAAIONRTLSUD"
TILES = TileSet("en", 2, dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ", (9, 1)))
SOME_WORDS = WordList(frozenset({a + b for a in "AEIORT" for b in "AEINOST"}))


@dataclass
class Played:
    """A random game: every state with the action that was tried on it."""

    game: Any
    start: Any
    state: Any
    events: list[Any]


def materials(accept: bool = True) -> Materials:
    """Any string is a word, or only some two-letter ones."""
    return Materials(AcceptAll() if accept else SOME_WORDS, TILES)


def begin(slug: str, **settings: Any) -> tuple[Any, Any]:
    """A game and its first state."""
    game = find_game(slug)
    players = ("Ann", "Bob", "Cyd") if slug == "frankenscrabbards" else ("Ann", "Bob")
    options = check_options(game.info, settings)
    state = game.begin(players, options, materials())
    return game, state


def squares_of(state: Any) -> tuple[dict[Square, Any], int]:
    """Tiles on the board and the board's side."""
    if hasattr(state, "boards"):
        return dict(state.boards[0].cells), 15
    return dict(state.grid.tiles), state.grid.rows


def random_action(slug: str, game: Any, state: Any, rng: random.Random) -> Action:
    """Something that a player might try now."""
    roll = rng.random()
    if slug == "scrabbage":
        if roll < 0.1:
            return Action(rng.choice(["go", "end_of_play", "end_of_hand", "draw"]), None)
        if roll < 0.2:
            return Action("scrab", None, None, {"tiles": random_line(state, rng)})
        square, letter = rng.choice(list(random_line(state, rng).items()))
        return Action("tile", None, None, {"square": square, "letter": letter})
    if roll < 0.05:
        return Action("pass", None)
    if roll < 0.1:
        return Action("exchange", None, None, {"count": rng.randint(0, 8)})
    if roll < 0.15:
        return Action("challenge", rng.choice(state.players))
    player = rng.choice(state.players) if slug == "scrabble-house" else None
    return Action("place", player, None, {"tiles": random_line(state, rng)})


def random_line(state: Any, rng: random.Random) -> dict[str, str]:
    """Tiles in one line beside or through what lies there, in most cases."""
    tiles, size = squares_of(state)
    if hasattr(state, "boards"):
        starts = [*tiles, *(Square(r, c) for r in (0, 14) for c in range(15))]
    elif size == 45:
        stars = [Square(7 + 15 * r, 7 + 15 * c) for r in range(3) for c in range(3)]
        starts = [s for s in stars if s not in tiles] or list(tiles)
    else:
        starts = list(tiles) or [Square(7, 7)]
    at = rng.choice(starts)
    axis = rng.choice(["across", "down"])
    at = at.step(axis, -rng.randint(0, 3)).step(
        "down" if axis == "across" else "across", rng.choice([0, 0, 0, 1, -1])
    )
    out: dict[str, str] = {}
    for _ in range(rng.randint(1, 5)):
        if not (0 <= at.row < size and 0 <= at.col < size):
            break
        if at not in tiles:
            letter = rng.choice(LETTERS)
            out[at.panel_name if size == 45 else at.name] = (
                letter.lower() if rng.random() < 0.03 else letter
            )
        at = at.step(axis)
    return out or {"H8": "A"}
