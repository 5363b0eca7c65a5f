"""Surplus tiles: letters that lie on the board more often than the set has them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from kibitz.engine.board.notation import spoken
from kibitz.engine.phrases import counted, listed, phrase
from kibitz.engine.rules import GameInfo, JsonValue, Materials, Options, TileSetLike
from kibitz.engine.table import EMPTY, SIDE, UNKNOWN_BLANK, Square, board_rows
from kibitz.engine.tiles.unseen import faces_of


def surplus_letters(
    info: GameInfo, players: Sequence[str], options: Options, materials: Materials,
    view: Mapping[str, JsonValue],
) -> list[str]:  # fmt: skip
    """Letters on the board beyond the sets' counts, `?` for blanks: a sign of a misreading.

    Args:
        info: the game's facts.
        players: who plays it.
        options: its settings.
        materials: the tiles of one set.
        view: what lies on the table, in the form of a scenario's `initial` or of a view.
    """
    have = _counts_in_play(info, players, options, materials.tile_set)
    return sorted(lying_tiles(info, view) - have) if have is not None else []


def lines_of_surplus(
    info: GameInfo, players: Sequence[str], options: Options, materials: Materials,
    view: Mapping[str, JsonValue], laid: Iterable[str],
) -> list[str]:  # fmt: skip
    """Announcements of surplus letters just laid, with every square where they lie.

    Args:
        info: the game's facts.
        players: who plays it.
        options: its settings.
        materials: the tiles of one set.
        view: what lies on the table now.
        laid: the new tiles, small letters or `?` for blanks.
    """
    faces = {UNKNOWN_BLANK if x.islower() else x for x in laid}
    tile_set = materials.tile_set
    have = _counts_in_play(info, players, options, tile_set)
    if have is None:
        return []
    lying = _places(info, view)
    return [
        _line(face, have[face], lying[face], tile_set)
        for face in sorted(faces)
        if len(lying[face]) > have[face]
    ]


def _line(face: str, count: int, places: Sequence[str], tile_set: TileSetLike) -> str:
    between = "; " if any(", " in place for place in places) else ", "
    named = {"letter": tile_set.word_of(face), "places": listed(dict.fromkeys(places), between)}
    if not count:
        return phrase("The set has no {letter}. What lies here: {places}?", **named)
    if face == UNKNOWN_BLANK:
        return counted(
            "The set has one blank. Which of these is it: {places}?",
            "The set has {count} blanks. Which of these are they: {places}?",
            count,
            places=named["places"],
        )
    return counted(
        "The set has one {letter}. Which of these is it: {places}?",
        "The set has {count} {letter}. Which of these are they: {places}?",
        count,
        **named,
    )


def _counts_in_play(
    info: GameInfo, players: Sequence[str], options: Options, tile_set: TileSetLike
) -> Counter[str] | None:
    """Number of tiles of each letter in play; None for a set without counts."""
    have = faces_of(tile_set, sets_of(info, players, options))
    return have if have.total() > have[UNKNOWN_BLANK] else None


def sets_of(info: GameInfo, players: Sequence[str], options: Options) -> int:
    """Number of tile sets that the game is played with."""
    if info.sets_setting is not None:
        return int(options[info.sets_setting])
    return len(info.surfaces(len(players)))


def lying_tiles(info: GameInfo, view: Mapping[str, JsonValue]) -> Counter[str]:
    """Tiles that lie face up, counted by letter; a blank counts as one where that is known."""
    return Counter({face: len(places) for face, places in _places(info, view).items()})


def _places(info: GameInfo, view: Mapping[str, JsonValue]) -> defaultdict[str, list[str]]:
    """Squares where the tiles of each letter lie, as they are spoken."""
    out: defaultdict[str, list[str]] = defaultdict(list)
    boards = view.get("boards") or [board_rows(view)]
    joined, facing = info.surface.joined, info.surface.facing
    for k, rows in enumerate(boards):
        blanks = set(view.get("blanks_2" if k else "blanks") or ())
        for r, row in enumerate(rows):
            for c, x in enumerate(row):
                if x == EMPTY:
                    continue
                square = Square(r, c)
                on_board = Square(r % SIDE, c % SIDE) if joined else square
                blank = on_board.name in blanks if facing else x.islower()
                board = square.panel if joined else k + 1
                several = joined or len(boards) > 1
                out[UNKNOWN_BLANK if blank else x.upper()].append(
                    _named(on_board, board if several else None)
                )
    for x in str(view.get("pool") or "").upper():
        out[x].append(phrase("in the middle"))
    words = view.get("tiles") or view.get("words") or {}
    for held in words.values() if info.surface.kind == "loose" else ():
        for word in map(str, held):
            for x in word.upper():
                out[x].append(word)
    return out


def _named(square: Square, board: int | None) -> str:
    if board is None:
        return spoken(square)
    return phrase("board {board}, {square}", board=board, square=spoken(square))
