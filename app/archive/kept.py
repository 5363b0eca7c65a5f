"""A game as it is kept in the archive, read back for tables, pages and statistics."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from kibitz.engine.board.layouts import on_rows
from kibitz.engine.games import GAMES
from kibitz.engine.rules import GameInfo
from kibitz.engine.table import square_named

UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class KeptTile:
    """A tile of a play (as `kibitz.LaidTile`) with the kind of square it lies on.

    Attributes:
        play: the number of its play, from 0.
        file: the photograph that showed the play first.
        player: who laid it; None where that is not known.
        square: its square's name.
        row: counted from 0; of joined boards within its board.
        col: the same across.
        letter: what it stands for; `?` a blank without a letter.
        blank: whether it is a blank.
        read: what the photograph showed.
        confidence: how surely; None where no tile was in sight.
        premium: the sign of a premium square (`engine/board/layouts.py`); empty for others.
    """

    play: int
    file: str
    player: str | None
    square: str
    row: int
    col: int
    letter: str
    blank: bool
    read: str
    confidence: float | None
    premium: str


@dataclass(frozen=True, slots=True, eq=False)
class KeptGame:
    """A kept game with its line in the report.

    Attributes:
        line: its line in `games.jsonl`.
        document: what is kept of it; empty for a game that failed.
        pages: the endings of its files beside the JSON.
    """

    line: Mapping[str, Any]
    document: Mapping[str, Any]
    pages: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its name in the archive."""
        return str(self.line["game"])

    @property
    def title(self) -> str:
        """Its title for people."""
        return str(self.document.get("title") or self.name)

    @property
    def info(self) -> GameInfo | None:
        """Facts of the game that was played; None for somebody's own rules."""
        return _info(str(self.document.get("game", "")), tuple(self.document.get("layout") or ()))

    @property
    def players(self) -> tuple[str, ...]:
        """Names in seating order."""
        return tuple(self.document.get("players", ()))

    @property
    def plays(self) -> list[Mapping[str, Any]]:
        """Every play as it is known at the end of the game."""
        return list(self.document["final"]["plays"]) if self.document else []

    def taken(self, file: str) -> float | None:
        """Time in seconds at which a photograph was taken; None if unknown."""
        at = self.document["taken"].get(Path(file).name)
        return None if at is None else float(at)

    def tiles(self) -> Iterator[KeptTile]:
        """Every tile of every play."""
        info = self.info
        facing = info is not None and info.surface.facing
        premiums = None if info is None else info.premiums
        for play, file, player, square, letter, read, sure in self.document.get("tiles", ()):
            at = square_named(square.rpartition(":")[2])
            blank = not facing and (letter == UNKNOWN or letter != letter.upper())
            sign = premiums[at.row][at.col] if premiums else "."
            yield KeptTile(
                play,
                file,
                player,
                square,
                at.row,
                at.col,
                letter.upper(),
                blank,
                read,
                sure,
                "" if sign == "." else sign,
            )


@lru_cache(maxsize=64)
def _info(slug: str, rows: tuple[str, ...]) -> GameInfo | None:
    try:
        if rows:
            return on_rows(GAMES.find_game(slug), rows).info
        return GAMES.find_info(slug)
    except ValueError:
        return None


def kept_game(line: Mapping[str, Any], path: Path) -> KeptGame:
    """Read a kept game from its report line and its JSON file.

    Raises:
        OSError: the file cannot be read.
    """
    if not line["ok"]:
        return KeptGame(line, {})
    document = json.loads(path.read_bytes())
    endings = (e for e in ("html", "gcg") if path.with_name(f"{path.name[:-5]}.{e}").exists())
    return KeptGame(line, document, tuple(endings))
