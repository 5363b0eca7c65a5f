"""Random, mostly legal play for every game, from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games import find_game
from kibitz.engine.games.scrabbleship.fleets import SHIP_LENGTHS, zone_of
from kibitz.engine.options import check_options
from kibitz.engine.rules import Accepted, Action, Event, Materials, Refused
from kibitz.engine.table import Square
from kibitz.engine.words.lexicon import AcceptAll, WordList

SLUGS = (
    "scrabble",
    "scrabbleship",
    "frankenscrabbards",
    "grabscrab",
    "scrabble-house",
    "scrabbage",
)
NAMES = ("Ann", "Bob", "Cyd", "Dan")
LETTERS = "EEEAAIONRTLSUD"
TILES = load_tile_set("en")
SOME_WORDS = WordList(frozenset({a + b for a in "AEIORT" for b in "AEINOST"}))

Check = Callable[[Any, Any, Action, Any, Any], None]
"""Called for every try: game, state before, action, verdict, state after."""


@dataclass
class Played:
    """A random game and what became of it."""

    game: Any
    start: Any
    state: Any
    events: list[Event] = field(default_factory=list)
    tried: int = 0
    accepted: int = 0


def materials(*, accept: bool = True) -> Materials:
    """Any string is a word, or only some two-letter ones."""
    return Materials(AcceptAll() if accept else SOME_WORDS, TILES)


def begin(
    slug: str, *, players: tuple[str, ...] = NAMES[:2], accept: bool = True, **settings: Any
) -> tuple[Any, Any]:
    """A game and its first state."""
    game = find_game(slug)
    options = check_options(game.info, settings)
    return game, game.begin(players, options, materials(accept=accept))


def random_settings(slug: str, rng: random.Random) -> dict[str, Any]:
    """Some of a game's settings with another of their choices."""
    out: dict[str, Any] = {}
    for setting in find_game(slug).info.settings:
        if setting.choices and rng.random() < 0.3:
            out[setting.name] = rng.choice(setting.choices)
    return out


def play(slug: str, rng: random.Random, tries: int, check: Check | None = None) -> Played:
    """Try random actions from the beginning of a game until it is over."""
    accept = rng.random() < 0.7
    counts = [n for n in find_game(slug).info.players if n <= len(NAMES)]
    players = NAMES[: rng.choice(counts)]
    settings = random_settings(slug, rng)
    if slug == "scrabbleship" and len(players) == 3:
        settings["ss.players3"] = True
    game, state = begin(slug, players=players, accept=accept, **settings)
    played = Played(game, state, state)
    # a generator of its own, so that the games stay those that they were without a draw
    first = first_turn(players, random.Random(repr(rng.getstate())))
    for _ in range(tries + len(first)):
        action = first.pop(0) if first else random_action(slug, state, rng)
        verdict = game.decide(state, action)
        assert isinstance(verdict, Accepted | Refused)
        before = state
        played.tried += 1
        if isinstance(verdict, Accepted):
            for event in verdict.events:
                state = game.evolve(state, event)
            played.events += verdict.events
            played.accepted += 1
        if check is not None:
            check(game, before, action, verdict, state)
        if state.over:
            break
    played.state = state
    return played


def first_turn(players: tuple[str, ...], rng: random.Random) -> list[Action]:
    """In some games tiles are told that settle who begins, or may; in some it is said."""
    how = rng.random()
    if how < 0.2:
        return [Action("begin", data={"seat": rng.choice(players)})]
    if how > 0.4:
        return []
    seats = [rng.choice(players) for _ in range(3 * len(players))]
    return [Action("draw", data={"seat": p, "letter": rng.choice("?AAEIK")}) for p in seats]


def random_action(slug: str, state: Any, rng: random.Random) -> Action:
    """Something that a player might try now."""
    if slug == "grabscrab":
        return _grab(state, rng)
    if slug == "scrabbage":
        return _one_tile(state, rng)
    told = _told(slug, state, rng) if rng.random() < 0.25 else None
    if told is not None:
        return told
    player = rng.choice(state.players) if slug == "scrabble-house" else None
    data: dict[str, Any] = {"tiles": random_line(state, rng)}
    if rng.random() < 0.3:
        data["window"] = "open"
    return Action("place", player, None, data)


def _told(slug: str, state: Any, rng: random.Random) -> Action | None:
    """Something that people tell instead of laying tiles."""
    player = rng.choice(state.players)
    kind = rng.choice(_TOLD[slug])
    match kind:
        case "exchange":
            return Action(kind, None, None, {"count": rng.randint(0, 8)})
        case "challenge":
            verdict = rng.choice([{}, {"verdict": "not_a_word"}, {"verdict": "valid"}])
            return Action(kind, player, None, verdict)
        case "answer":
            square = rng.choice(sorted(squares_of(state)[0]) or [Square(7, 7)])
            name = square.panel_name if slug == "frankenscrabbards" else square.name
            return Action(kind, None, None, {"field": "blank", "square": name, "value": "E"})
        case "racks":
            rack = rng.choices(LETTERS, k=rng.randint(0, 7))
            return Action(kind, None, None, {"racks": {player: rack}})
        case "enter_fleet":
            return Action(kind, player, None, {"fleet": random_fleet(state, player, rng)})
        case "lay_card":
            cards = [[s.name for s in squares] for _, _, squares in state.cards]
            return Action(kind, None, None, {"squares": rng.choice(cards or [["A1"]])})
        case "press_clock" | "tick":
            return Action(kind, player, rng.random() * 900)
        case "tidy":
            tasks = state.boards[0].tasks
            data = {"turned": _names(tasks.turn), "lifted": _names(tasks.lift)}
            return Action(kind, None, None, data)
        case _:
            return Action(kind, player if rng.random() < 0.5 else None)


_TOLD = {
    "scrabble": ["pass", "exchange", "exchange", "challenge", "accept", "withdraw", "answer", "racks"],
    "scrabbleship": [
        "pass", "exchange", "challenge", "accept", "withdraw", "answer", "racks",
        "enter_fleet", "enter_fleet", "lay_card", "judge_decision",
    ],
    "frankenscrabbards": ["pass", "exchange", "challenge", "withdraw", "answer", "finish_game"],
    "scrabble-house": [
        "pass", "exchange", "challenge", "accept", "withdraw", "answer", "press_clock", "tick",
        "tidy", "draw", "draw_limit",
    ],
}  # fmt: skip


def _names(squares: frozenset[Square]) -> list[str]:
    return [s.name for s in sorted(squares)]


def random_fleet(state: Any, player: str, rng: random.Random) -> dict[str, list[str]]:
    """Ships anywhere in the player's zone; they may overlap, which is refused."""
    zone = sorted(zone_of(player, state.players, state.options))
    fleet = {}
    for ship, length in SHIP_LENGTHS.items():
        axis = rng.choice(["across", "down"])
        start = rng.choice(zone)
        fleet[ship] = [start.step(axis, i).name for i in range(length)]
    return fleet


def _grab(state: Any, rng: random.Random) -> Action:
    player = rng.choice(state.players)
    roll = rng.random()
    if roll < 0.4:
        return Action("flip", None, None, {"letter": rng.choice(LETTERS + "?")})
    if roll < 0.45:
        return Action("no_more_words")
    if roll < 0.5:
        held = [w.word for w in state.words[player]]
        return Action("give_up", player, None, {"word": rng.choice([*held, None])})
    if roll < 0.55:
        claims = [{"player": p, "word": _pool_word(state, rng)} for p in state.players[:2]]
        return Action("tie", None, None, {"claims": claims})
    word = _pool_word(state, rng)
    lying = [(p, w.word) for p in state.players for w in state.words[p]]
    if lying and rng.random() < 0.5:
        owner, old = rng.choice(lying)
        letters = [*old, *word[: rng.randint(1, 2)]]
        rng.shuffle(letters)
        data: dict[str, Any] = {"word": "".join(letters), "steal": old, "from_player": owner}
        if rng.random() < 0.2:
            data["also"] = [rng.choice(lying)[1]]
        return Action("claim", player, None, data)
    return Action("claim", player, None, {"word": word})


def _pool_word(state: Any, rng: random.Random) -> str:
    letters = [x if x != "?" else "E" for x in state.pool] or ["A"]
    return "".join(rng.sample(letters, min(len(letters), rng.randint(3, 6))))


def _one_tile(state: Any, rng: random.Random) -> Action:
    roll = rng.random()
    if roll < 0.12:
        kinds = ["go", "end_of_play", "end_of_hand", "draw", "deal_info", "working_on"]
        return Action(rng.choice(kinds), None)
    if roll < 0.2:
        return Action("scrab", None, None, {"tiles": random_line(state, rng)})
    if roll < 0.23:
        tiles = rng.choices(LETTERS, k=4)
        return Action("hand", rng.choice(state.players), None, {"tiles": tiles})
    square, letter = rng.choice(list(random_line(state, rng).items()))
    return Action("tile", None, None, {"square": square, "letter": letter})


def squares_of(state: Any) -> tuple[dict[Square, Any], int]:
    """Tiles on the board and the board's side."""
    if hasattr(state, "boards"):
        return dict(state.boards[0].cells), 15
    return dict(state.grid.tiles), state.grid.rows


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
    # Stars lie fifteen squares apart: only long plays ever join them.
    for _ in range(rng.randint(1, 15 if size == 45 else 5)):
        if not (0 <= at.row < size and 0 <= at.col < size):
            break
        if at not in tiles:
            letter = rng.choice(LETTERS)
            out[at.panel_name if size == 45 else at.name] = (
                letter.lower() if rng.random() < 0.03 else letter
            )
        at = at.step(axis)
    return out or {"H8": "A"}
