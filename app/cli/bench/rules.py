"""Measures the speed of the rules: rates on one core.

Times are of the processor, not of the clock on the wall, so that other work on the machine
disturbs the figures less.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from kibitz.app.cli.bench.bench import Figures
from kibitz.app.common.errors import CommandError
from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import DEFAULT_GAME, INFOS, find_game
from kibitz.engine.options import check_options
from kibitz.engine.rules import Accepted, Action, GameRules, JsonValue, apply
from kibitz.engine.table import Square, parse_square

FULL_BOARD = (
    "...............",
    "...............",
    "........DECORS.",
    "..A........R...",
    ".PI.H....KNELL.",
    "FAT.EM.W....YO.",
    ".D.FRA.HM..AMP.",
    ".D...TRAIN.M...",
    ".YA.T...COMER..",
    "..N.U.B.K..B...",
    ".AE.GROSET.AIT.",
    "PARDS.Y.YA.S.A.",
    "I.G....T.I...GO",
    "T.YE...O.LOB...",
    "...MAUNDY......",
)
"""A board of Scrabble near the end of a game, 93 tiles."""

HOUSE_BOARD = (
    ".r.............",
    ".e.............",
    ".g.............",
    ".i.............",
    ".taes..........",
    "....r..d.......",
    "....o..o.......",
    "...tpecca......",
    "....u.....L....",
    "....t.....A....",
    "...hsidar.N....",
    "..........T....",
    "..........E....",
    "..........R....",
    "..........N....",
)
"""The board before the worked example of Scrabble House."""

HOUSE_PLAY = {"I8": "K", "I9": "E", "I10": "E"}
SECONDS: Final = 0.5
TARGETS = {"decide_per_s": 5000, "explosion_per_s": 500, "grid45_plays_per_s": 200}
"""Rates that the rules are to reach on one core."""


def measured_rules() -> Figures:
    """Rates of judging, exploding and playing, each with its ratio to the target."""
    began = time.process_time()
    make_materials("default", "en", {})
    out: Figures = {"lexicon_load_ms": round((time.process_time() - began) * 1e3, 1)}
    rates = {
        "decide_per_s": _decisions(),
        "explosion_per_s": _explosions(),
        "grid45_plays_per_s": _grid_plays(),
    }
    for name, rate in rates.items():
        out[name] = round(rate)
        out[name.replace("per_s", "ratio")] = round(rate / TARGETS[name], 1)
    return out


def _begin(slug: str, initial: Mapping[str, JsonValue]) -> tuple[GameRules[Any], Any]:
    game = find_game(slug)
    options = check_options(game.info, {})
    materials = make_materials("default", "en", options)
    return game, game.begin(("South", "North"), options, materials, initial)


FACING = next(info.slug for info in INFOS if info.surface.facing)
JOINED = next(info.slug for info in INFOS if info.surface.joined)


def _rate(work: Callable[[], int]) -> float:
    """Operations per second; `work` returns how many it did."""
    done, began = 0, time.process_time()
    while (took := time.process_time() - began) < SECONDS:
        done += work()
    return done / took


def _near(tiles: Iterable[Square]) -> list[Square]:
    taken = set(tiles)
    return sorted({n for s in taken for n in s.neighbours()} - taken)


def _good_plays(game: GameRules[Any], state: Any, names: Iterable[str]) -> list[Action]:
    """Legal plays of one and two tiles, found by trying letters."""
    good = []
    for name in names:
        for letter in "AEIOSTRNDL":
            tiles = {name: letter}
            action = Action("place", None, None, {"tiles": tiles})
            if isinstance(game.decide(state, action), Accepted):
                good.append(action)
            for more in "SEDY":
                after = parse_square(name).step("across")
                if after in state.grid or not state.grid.on_board(after):
                    break
                panel = after.panel_name if state.grid.rows > 15 else after.name
                wider = Action("place", None, None, {"tiles": {**tiles, panel: more}})
                if isinstance(game.decide(state, wider), Accepted):
                    good.append(wider)
    if not good:
        raise CommandError("bench: the rules refuse every play tried")
    return good


def _decisions() -> float:
    """Judge legal plays on a full classic board; returns how many."""
    game, state = _begin(DEFAULT_GAME, {"board": FULL_BOARD, "bag_count": 0})
    names = [s.name for s in _near(state.grid.tiles) if state.grid.on_board(s)]
    plays = _good_plays(game, state, names)

    def work() -> int:
        for action in plays:
            game.decide(state, action)
        return len(plays)

    return _rate(work)


def _explosions() -> float:
    """Play the worked example of Scrabble House, from laying to the last removal."""
    game, state = _begin(FACING, {"board": HOUSE_BOARD})
    action = Action("place", "South", None, {"tiles": HOUSE_PLAY})

    def work() -> int:
        if not isinstance(game.decide(state, action), Accepted):
            raise CommandError("bench: the rules refuse the worked example")
        return 1

    return _rate(work)


def _grid_plays() -> float:
    """Play on nine joined boards with 606 tiles, with the state after each play."""
    rows = [
        FULL_BOARD[r % 15] * 3 if r % 15 < (12 if r > 30 else 11) else "." * 45 for r in range(45)
    ]
    game, state = _begin(JOINED, {"board45": rows, "plays_so_far": 200})
    names = [s.panel_name for s in _near(state.grid.tiles) if state.grid.on_board(s)]
    plays = _good_plays(game, state, names[::9])

    def work() -> int:
        for action in plays:
            apply(game, state, action)
        return len(plays)

    return _rate(work)
