"""What lies on the table in each photograph of a bundled game, as its game file tells it.

A game file lists photographs; each says what changed since the one before:

    {"file": "02.jpg", "lay": {"E8 down": "HAR.OR"}, "lift": ["A1"], "turn": {"F6": 0},
     "cards": [["G8", "G10"]], "hand": 3}

`lay` holds words by their first square and direction, `.` where a tile lies already; `facing`
turns the tiles laid by quarter turns, `sets` names those that are of the second set. `hand` is
the seed of a hand over that one photograph. A game without a board says what lies there instead:

    {"file": "02.jpg", "pool": "RA.N", "face_down": 20, "words": {"0": ["TRAIN"]}}

where each character of `pool` is a place that a tile keeps, `.` an empty one, and words lie before
seats counted clockwise from the bottom of the picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kibitz.engine.table import Square, parse_square

CardPlace = tuple[Square, Square]


@dataclass(frozen=True)
class Laid:
    """A tile on a board: its letter (`?` a blank), quarter turns clockwise, which set.

    `nudge` says how it lies off its place: squares to the right and down, degrees clockwise.
    """

    char: str
    turn: int = 0
    which: str = "a"
    nudge: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class BoardShot:
    """What one photograph of a board shows; `cards` are ship cards by their end squares."""

    tiles: Mapping[Square, Laid] = field(default_factory=dict)
    cards: tuple[CardPlace, ...] = ()
    hand: int | None = None

    def rows(self, size: int = 15) -> list[str]:
        """The board as text, row A first."""
        return [
            "".join(self.tiles[s].char if (s := Square(r, c)) in self.tiles else "." for c in range(size))
            for r in range(size)
        ]  # fmt: skip


@dataclass(frozen=True)
class LooseShot:
    """What one photograph of a bare table shows; `pushed` is whether a seat's words touch."""

    pool: str
    face_down: int
    words: Mapping[int, tuple[str, ...]]
    hand: int | None = None
    pushed: bool = False


def shots_of(game: Mapping[str, Any]) -> Iterator[BoardShot]:
    """Every photograph of a game on a board, in order."""
    tiles: dict[Square, Laid] = {}
    cards: list[CardPlace] = []
    for photo in game["photos"]:
        tiles = {s: t for s, t in tiles.items() if s.panel_name not in _lifted(photo)}
        for name, turn in photo.get("turn", {}).items():
            square = parse_square(name)
            tiles[square] = Laid(tiles[square].char, int(turn), tiles[square].which)
        second = {parse_square(s) for s in photo.get("sets", ())}
        for where, text in photo.get("lay", {}).items():
            for square, char in _spread(where, text):
                which = "b" if square in second else "a"
                tiles[square] = Laid(char, int(photo.get("facing", 0)), which)
        cards += [(parse_square(a), parse_square(b)) for a, b in photo.get("cards", ())]
        yield BoardShot(dict(tiles), tuple(cards), photo.get("hand"))


def _lifted(photo: Mapping[str, Any]) -> set[str]:
    return {parse_square(s).panel_name for s in photo.get("lift", ())}


def _spread(where: str, text: str) -> Iterator[tuple[Square, str]]:
    name, _, axis = where.partition(" ")
    square = parse_square(name)
    for char in text:
        if char != ".":
            yield square, char
        square = square.step("down" if axis == "down" else "across")


def loose_shots_of(game: Mapping[str, Any]) -> Iterator[LooseShot]:
    """Every photograph of a game on a bare table, in order."""
    for photo in game["photos"]:
        words = {int(seat): tuple(held) for seat, held in photo.get("words", {}).items()}
        yield LooseShot(photo["pool"], int(photo["face_down"]), words, photo.get("hand"))
