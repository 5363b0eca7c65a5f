"""Actions by which people tell things in several games: a blank's letter, racks, verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from kibitz.engine.phrases import SquareName, Translatable, listed, phrase
from kibitz.engine.rules import Accepted, Action, Event, JsonValue, Refused, TileSetLike, Verdict
from kibitz.engine.table import Grid, Square, parse_square
from kibitz.engine.tiles.unseen import rack_of


def letter_told(action: Action, tile_set: TileSetLike) -> str:
    """The letter that a blank stands for, as its tile's sign: `value` (or `letter`), also `CH`."""
    return tile_set.tiles_in(str(action.data.get("value") or action.data.get("letter") or ""))


def with_signs(action: Action, tile_set: TileSetLike) -> Action:
    """The action with one sign for each tile that was told by what stands on it, as `LL`.

    A blank has small letters. A rack that is one text has such tiles in brackets: `CA[LL]E`.
    """
    data = action.data
    told = {k: _signs(v, tile_set) for k, v in data.items() if k in ("tiles", "letter")}
    if isinstance(racks := data.get("racks"), Mapping):
        told["racks"] = {p: _signs(rack, tile_set) for p, rack in racks.items()}
    if all(data[k] == v for k, v in told.items()):
        return action
    return replace(action, data={**data, **told})


def _signs(told: JsonValue, tile_set: TileSetLike) -> JsonValue:
    """Signs of a told tile, of several by their squares, or of a rack."""
    if isinstance(told, Mapping):
        return {square: _signs(tile, tile_set) for square, tile in told.items()}
    if isinstance(told, (list, tuple)):
        return [_signs(tile, tile_set) for tile in told]
    if not isinstance(told, str) or len(told) < 2:
        return told
    sign = tile_set.tiles_in(told.strip("[]"))
    if len(sign) == 1:
        return sign.lower() if told.islower() else sign
    return tile_set.unbracketed(told, single=True)


def name_blank(grid: Grid, action: Action, tile_set: TileSetLike) -> Verdict:
    """Judge the naming of a blank (CL-3): `square` and `value` (or `letter`)."""
    data = action.data
    if data.get("field", "blank") != "blank":
        return Refused("bad_action", f"Expected field 'blank', got {data['field']!r}.")
    letter = letter_told(action, tile_set)
    try:
        square = parse_square(str(data.get("square")), grid.side)
    except ValueError as error:
        return Refused("bad_action", f"{error}.")
    name = grid.name_of(square)
    tile = grid.get(square)
    if tile is None or not tile.blank:
        return Refused(
            "no_blank",
            phrase("There is no blank on {square}.", square=SquareName(name)),
            (square,),
        )
    if len(letter) != 1 or not letter.isalpha():
        message = f"Expected one letter for the blank on {name}, got {letter!r}."
        return Refused("bad_action", message)
    return Accepted((Event("_blank_named", {"square": name, "letter": letter}),), {})


def clock_pressed(action: Action, setting: str, *, presses: bool) -> Verdict:
    """Judge a press of the clock at the end of a turn; laid tiles decided whose turn it was.

    Args:
        action: the press.
        setting: the game's setting that says whether players press a clock.
        presses: what it says.
    """
    if not presses:
        return Refused(
            "no_clock",
            phrase("No clock is pressed at this table ({setting} is off).", setting=setting),
        )
    return Accepted((Event("_pressed", {"player": action.player} if action.player else {}),), {})


def blank_line(square: str, letter: JsonValue, tile_set: TileSetLike) -> Translatable:
    """Announcement of a blank's letter."""
    named = tile_set.word_of(str(letter))
    return phrase("The blank on {square} is {letter}.", square=square, letter=named)


def change_of(player: str, points: int) -> Translatable:
    """Points that a rack changes at the end: `plus 7 for Ann`."""
    if points > 0:
        return phrase("plus {points} for {player}", points=points, player=player)
    return phrase("minus {points} for {player}", points=-points, player=player)


def score_row(scores: Iterable[int]) -> Translatable:
    """Final scores, highest first: `301 to 287`."""
    best, *others = scores
    row: Translatable = listed([str(best)], "")
    for score in others:
        row = phrase("{scores} to {score}", scores=row, score=score)
    return row


GOOD, BAD = ("valid", "word", "good"), ("not_a_word", "no_word", "bad", "invalid")


def told_verdict(action: Action) -> bool | Refused | None:
    """A verdict on a play's words (CL-14, SS-11, SH-27): valid, invalid, or None if not given."""
    verdict = action.data.get("verdict")
    if action.data.get("valid") is not None:
        return Refused("bad_action", f"Expected verdict {GOOD[0]} or {BAD[0]} instead of valid.")
    if verdict is None or verdict in GOOD or verdict in BAD:
        return None if verdict is None else verdict in GOOD
    return Refused(
        "bad_action", f"Expected as verdict {GOOD[0]} or {BAD[0]}, got {verdict!r:.40}."
    )


def told_ruling(action: Action) -> bool | Refused:
    """A judge's ruling on a word (0.6, SS-11): `valid`, else the verdict; by default valid."""
    valid = action.data.get("valid")
    if isinstance(valid, bool):
        return valid
    if valid is not None:
        return Refused("bad_action", f"Expected as valid true or false, got {valid!r:.40}.")
    verdict = told_verdict(action)
    return verdict if isinstance(verdict, Refused) else verdict is not False


def not_held(player: str, squares: tuple[Square, ...] = ()) -> Refused:
    """The refusal of tiles that are not on a known rack."""
    message = phrase("{player} does not hold these tiles.", player=player)
    return Refused("not_on_rack", message, squares)


def exchange_count(
    action: Action, player: str, most: int, rack: tuple[str, ...] | None = None
) -> int | Refused:
    """Number of tiles in an exchange: `count`, or as many as `tiles` lists.

    Args:
        action: the exchange.
        player: who exchanges.
        most: how many tiles are held.
        rack: which these are, where that is known.
    """
    try:
        tiles = rack_of(action.data.get("tiles") or (), "tiles", most)
    except ValueError as error:
        return Refused("bad_action", f"{error}.")
    if rack is not None and Counter(tiles) - Counter(rack):
        return not_held(player)
    listed = len(tiles)
    count = action.data.get("count", listed)
    if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= most:
        return Refused("bad_action", f"Expected 1 to {most} tiles to exchange, got {count!r:.60}.")
    if listed not in (0, count):
        return Refused("bad_action", f"Expected {count} tiles to exchange, got {listed}.")
    return count


def exchanged(player: str, count: int, action: Action) -> list[Event]:
    """Events of an exchange: its count is public, its letters only its player's."""
    events = [Event("_exchanged", {"player": player, "count": count})]
    if tiles := action.data.get("tiles"):
        events.append(Event("_letters", {"tiles": tiles}, frozenset({player})))
    return events


def squares_told(raw: JsonValue) -> tuple[Square, ...] | Refused:
    """Parse a list of squares by name, sorted."""
    if not isinstance(raw, (list, tuple)):
        return Refused("bad_action", f"Expected a list of squares, got {raw!r:.60}.")
    try:
        return tuple(sorted(parse_square(str(s)) for s in raw))
    except ValueError as error:
        return Refused("bad_action", f"{error}.")


def rack_events(players: tuple[str, ...], action: Action, most: int) -> list[Event] | Refused:
    """Events of racks told or shown: one a player, so that each stays private."""
    given = action.data.get("racks")
    if not isinstance(given, Mapping) or not given or any(p not in players for p in given):
        message = "Expected racks as {'Ann': ['A', 'E']} for players at the table."
        return Refused("bad_action", message)
    try:
        racks = {p: rack_of(r, f"racks.{p}", most) for p, r in given.items()}
    except ValueError as error:
        return Refused("bad_action", f"{error}.")
    return [
        Event("_racks_told", {"racks": {p: list(r)}}, frozenset({p})) for p, r in racks.items()
    ]


def turn_of(to_move: str, action: Action) -> str | Refused:
    """The acting player, where only the player to move may act (CL-5)."""
    player = action.player or to_move
    if player != to_move:
        return Refused(
            "not_your_turn",
            phrase("It is {mover}'s turn, not {player}'s.", mover=to_move, player=player),
        )
    return player
