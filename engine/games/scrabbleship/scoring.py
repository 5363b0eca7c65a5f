"""Shots and scores of one play of ScrabbleShip (SS-15 to SS-30)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod

from kibitz.engine.board.layouts import letter_factor, word_factor
from kibitz.engine.board.scoring import rack_bonus, tile_value
from kibitz.engine.games.scrabbleship.ending import ended
from kibitz.engine.games.scrabbleship.events import folded
from kibitz.engine.games.scrabbleship.fleets import SHIP_LENGTHS, WORD_FACTORS, Fleet
from kibitz.engine.games.scrabbleship.state import PendingPlay, ShipState, covered_squares
from kibitz.engine.rules import Event, JsonValue, Options, TileSetLike
from kibitz.engine.table import Grid, Square, TileRun, parse_square
from kibitz.engine.words.formed import text_of, word_of, words_formed

OWN_SHIP_PENALTY = 10


@dataclass(frozen=True, slots=True)
class Call:
    """The call for one tile: `miss`, `hit` or `already_sunk`."""

    kind: str
    square: Square
    owner: str = ""
    ship: str = ""


@dataclass(frozen=True, slots=True)
class Shots:
    """Calls in reading order, sunk ships (owner, ship, squares), hits (square, owner, ship)."""

    calls: tuple[Call, ...]
    sunk: tuple[tuple[str, str, tuple[Square, ...]], ...]
    on_ship: tuple[tuple[Square, str, str], ...]


@dataclass(frozen=True, slots=True)
class ScoredPlay:
    """Words with scores, the bonus of 50, penalty (positive), points of the turn, ships sunk."""

    words: tuple[tuple[str, int], ...]
    bonus: int
    penalty: int
    turn: int
    count_delta: int


def ship_at(fleets: Mapping[str, Fleet], square: Square) -> tuple[str, str] | None:
    """Owner and kind of the ship on a square; None if there is none."""
    for owner, fleet in fleets.items():
        for ship, squares in fleet.items():
            if square in squares:
                return owner, ship
    return None


def fire(
    squares: tuple[Square, ...],
    fleets: Mapping[str, Fleet],
    hits: frozenset[Square],
    sunk: tuple[tuple[str, str], ...],
    mode: int,
    told: Mapping[str, JsonValue] | None = None,
) -> Shots:
    """Shots of newly laid tiles (SS-15 to SS-21).

    Args:
        squares: the new tiles.
        fleets: all ships.
        hits: squares hit before.
        sunk: ships sunk before.
        mode: 1 sinks with the first hit, 2 when all squares are hit.
        told: where owners call hits themselves: square to `{"owner", "ship", "sunk"}`.
    """
    order = sorted(squares)
    if told is not None:
        return _told_shots(order, told, sunk)
    calls: list[Call] = []
    on_ship: list[tuple[Square, str, str]] = []
    last: dict[tuple[str, str], Square] = {}
    for square in order:
        found = ship_at(fleets, square)
        if found is None:
            calls.append(Call("miss", square))
        elif found in sunk:
            calls.append(Call("already_sunk", square, *found))
        else:
            calls.append(Call("hit", square, *found))
            on_ship.append((square, *found))
            last[found] = square
    down: list[tuple[str, str, tuple[Square, ...]]] = []
    # A ship sinks in the order in which the last tile of the play on it comes (SS-15).
    for owner, ship in sorted(last, key=lambda k: last[k]):
        cells = fleets[owner][ship]
        if mode == 1 or all(s in hits or s in squares for s in cells):
            down.append((owner, ship, cells))
    return Shots(tuple(calls), tuple(down), tuple(on_ship))


def _told_shots(
    order: list[Square], told: Mapping[str, JsonValue], sunk: tuple[tuple[str, str], ...]
) -> Shots:
    """Shots as the owners called them, scored as they were made (SS-A16)."""
    calls: list[Call] = []
    on_ship: list[tuple[Square, str, str]] = []
    down: dict[tuple[str, str], tuple[Square, ...]] = {}
    said_of = {parse_square(name): said for name, said in told.items()}
    for square in order:
        said = said_of.get(square)
        if not isinstance(said, Mapping) or not said.get("owner"):
            calls.append(Call("miss", square))
            continue
        owner, ship = str(said["owner"]), str(said.get("ship") or "")
        if (owner, ship) in sunk:
            calls.append(Call("already_sunk", square, owner, ship))
            continue
        calls.append(Call("hit", square, owner, ship))
        on_ship.append((square, owner, ship))
        if said.get("sunk") and ship:
            lies = map(parse_square, said.get("squares") or ())
            known = {*down.pop((owner, ship), ()), square, *lies}
            down[owner, ship] = tuple(sorted(known))  # last in order: SS-15
    return Shots(tuple(calls), tuple((o, s, q) for (o, s), q in down.items()), tuple(on_ship))


def check_calls(calls: JsonValue, players: tuple[str, ...]) -> str | None:
    """Message about invalid calls made by owners, or None (SS-A15)."""
    form = "calls as {'C7': {'owner': 'Bob', 'ship': 'patrol', 'sunk': true}}"
    if not isinstance(calls, Mapping):
        return f"Expected {form}, got {calls!r}."
    for square, said in calls.items():
        if not isinstance(said, Mapping) or said.get("owner") not in (None, *players):
            return f"Expected {form}, got {said!r} for {square}."
        if said.get("ship") not in (None, "", *SHIP_LENGTHS):
            return f"Expected one of {', '.join(SHIP_LENGTHS)}, got {said.get('ship')!r}."
        try:
            [parse_square(str(s)) for s in (square, *(said.get("squares") or ()))]
        except (ValueError, TypeError) as error:
            return f"{square}: {error}."
    return None


def score_play(
    grid: Grid,
    squares: tuple[Square, ...],
    shots: Shots,
    player: str,
    options: Options,
    tile_set: TileSetLike,
    strips: frozenset[Square] = frozenset(),
) -> ScoredPlay:
    """Score of a play in the exact order of SS-29.

    Args:
        grid: the board with the play on it.
        squares: the new tiles.
        shots: what they hit and sank.
        player: who played.
        options: settings.
        tile_set: face values.
        strips: squares of ships sunk before (their premiums may be void, SS-20).
    """
    new = frozenset(squares)
    own = [s for s in shots.sunk if s[0] == player]
    others = [s for s in shots.sunk if s[0] != player]
    paying = {(o, s) for o, s, _ in others}
    if own and options["ss.own_sunk_cancels"] == "all":
        paying = set()
    on = {q: (o, s) for q, o, s in shots.on_ship}
    # SS-23: with method 2 a sunk carrier gives no bonus.
    doubled = {
        q
        for q, key in on.items()
        if key in paying and key[1] == "carrier" and options["ss.sink_mode"] == 1
    }
    covered = strips if options["ss.premium_under_ship"] == "void" else frozenset[Square]()
    runs = words_formed(grid, squares)
    words = []
    for i, run in enumerate(runs):
        ships = _ships_for(run, i == 0, on, paying, new, str(options["ss.ship_bonus_scope"]))
        score = _word(grid, run, new, doubled, covered, ships, options, tile_set)
        words.append((word_of(grid, run, tile_set), score))
    bonus = rack_bonus(len(squares))
    penalty = OWN_SHIP_PENALTY * (
        min(1, len(own)) if options["ss.own_penalty_per"] == "turn" else len(own)
    )
    turn = sum(s for _, s in words) + bonus - penalty
    return ScoredPlay(tuple(words), bonus, penalty, turn, len(others) - len(own))


def _ships_for(
    run: TileRun, main: bool, on: Mapping[Square, tuple[str, str]], paying: set[tuple[str, str]],
    new: frozenset[Square], scope: str,
) -> set[tuple[str, str]]:  # fmt: skip
    """Sunk ships that multiply a word (SS-28)."""
    if scope == "turn":
        return set(paying)
    if scope == "main_word":
        return set(paying) if main else set()
    return {on[q] for q in run.squares if q in new and q in on and on[q] in paying}


KWYJIBO = "KWYJIBO"
"""The word that is always good, and how it counts is a setting (SS-12)."""


def _word(
    grid: Grid, run: TileRun, new: frozenset[Square], doubled: set[Square], covered: frozenset[Square],
    ships: set[tuple[str, str]], options: Options, tile_set: TileSetLike,
) -> int:  # fmt: skip
    total = face = 0
    premiums = 1
    for square in run.squares:
        value = tile_value(grid.tiles[square], tile_set)
        face += value
        if square in new:
            if square not in covered:
                value *= letter_factor(square)
                premiums *= word_factor(square)
            value *= 2 if square in doubled else 1
        total += value
    factors = [WORD_FACTORS[s] for _, s in ships if s in WORD_FACTORS]
    ship_factor = prod(factors)
    if factors and options["ss.ship_bonus_stack"] == "add":
        ship_factor = sum(factors)
    counted = options["ss.kwyjibo"] if text_of(grid, run) == KWYJIBO else "off"
    if counted == "face":  # a letter premium adds what it would add to an undoubled tile
        total += face
    score = total * premiums * ship_factor
    if counted == "multiplier":
        score *= 2
    elif counted == "flat":
        score += face
    return score


NO_SHOTS = Shots((), (), ())


def close_window(state: ShipState) -> list[Event]:
    """Events announced when the next action closes the challenge window (SS-14)."""
    pending = state.pending
    if pending is None:
        return []
    events: list[Event] = [] if pending.revealed else reveal(state)[0]
    events.append(Event("_settled", {}))
    return [*events, *ended(folded(state, events), pending.player)]


def reveal(
    state: ShipState, *, still_open: bool = False
) -> tuple[list[Event], dict[str, JsonValue]]:
    """Hits, misses, sinkings and score of the pending play, in the order of SS-15.

    Args:
        state: with the play pending.
        still_open: the play may be challenged yet (`ss.reveal` = immediate).

    Returns:
        The events, and the fields that a scenario expects.
    """
    pending = state.pending
    if pending is None:
        return [], {}
    options, player = state.options, pending.player
    by_owners = options["ss.fleets"] == "told"
    if by_owners and pending.calls is None:
        shots = Shots((), (), ())  # nobody has told what the owners called
    else:
        calls = pending.calls if by_owners else None
        mode = int(options["ss.sink_mode"])
        shots = fire(pending.squares, state.fleets, state.hits, state.sunk, mode, calls)
    events = [_call(state, call) for call in shots.calls]
    for owner, ship, squares in shots.sunk:
        own = owner == player
        events.append(Event("sunk", {"owner": owner, "ship": ship, "by": player, "own": own}))
        names = [s.name for s in squares]
        events.append(Event("ship_tile", {"ship": ship, "owner": owner, "squares": names}))
    scored = _scored(state, pending, shots)
    if scored.bonus:
        events.append(Event("bonus", {"points": scored.bonus}))
    if scored.penalty:
        lost = {"player": player, "points": -scored.penalty}
        events.append(Event("own_ship_penalty", lost))
    words = [{"word": w, "score": s} for w, s in scored.words]
    events.append(
        Event("_scored", {
            "player": player, "score": scored.turn, "words": words, "count": scored.count_delta,
            "total": state.scores[player] + scored.turn,
            "hits": [c.square.name for c in shots.calls if c.kind == "hit"],
            "sunk": [[o, s] for o, s, _ in shots.sunk], "open": still_open,
        })
    )  # fmt: skip
    result = {
        "words": words, "bonus": scored.bonus, "turn_score": scored.turn,
        "ship_count_delta": scored.count_delta,
    }  # fmt: skip
    return events, result


def calls_told(state: ShipState, events: Iterable[Event]) -> dict[str, frozenset[str]]:
    """Calls about fleets that still stand, by call and square or ship, with the owners.

    Args:
        state: the game, for whose fleets there are.
        events: what happened; the score of a play follows its calls and names who shot.
    """
    fleets = state.players if state.options["ss.fleets"] == "told" else state.fleets
    out: dict[str, frozenset[str]] = {}
    calls: list[Event] = []
    pending: list[str] = []
    for event in events:
        match event.kind:
            case "miss" | "hit" | "already_sunk" | "sunk":
                calls.append(event)
            case "_scored":
                named = {}
                for call in calls:
                    of = [call.data["owner"]] if "owner" in call.data else fleets
                    name = f"{call.kind} {call.data.get('square') or call.data['ship']}"
                    named[name] = frozenset(of) - {event.data["player"]}
                out |= named
                calls, pending = [], list(named) if event.data.get("open") else []
            case "_settled":
                pending = []
            case "_taken_off":
                out = {name: whose for name, whose in out.items() if name not in pending}
            case _:
                pass
    return out


def revealed_words(state: ShipState) -> list[dict[str, JsonValue]]:
    """Words of the pending play with plain scores, which reveal no ship."""
    if state.pending is None:
        return []
    scored = _scored(state, state.pending, NO_SHOTS)
    return [{"word": w, "score": s} for w, s in scored.words]


def _scored(state: ShipState, pending: PendingPlay, shots: Shots) -> ScoredPlay:
    strips, tile_set = covered_squares(state), state.materials.tile_set
    player, options = pending.player, state.options
    return score_play(state.grid, pending.squares, shots, player, options, tile_set, strips)


def _call(state: ShipState, call: Call) -> Event:
    """Event of a call for one tile; a plain hit does not name the ship (SS-15)."""
    data: dict[str, JsonValue] = {"square": call.square.name}
    if call.kind != "miss":
        data["owner"] = call.owner
    if call.kind == "already_sunk" or (call.kind == "hit" and state.options["ss.hit_names_ship"]):
        data["ship"] = call.ship
    return Event(call.kind, data)
