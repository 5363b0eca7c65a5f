"""The hall of fame of Frankenscrabbards: finished games, records, titles (FS-21 to FS-24)."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from kibitz.app.tables.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.app.tables.table import Table

GAME = "frankenscrabbards"
MOST_GAMES = 200


@dataclass(frozen=True, slots=True)
class Finished:
    """One finished game.

    Attributes:
        table: where it was played.
        created: when it was set up, seconds since 1970.
        game_set: the name of the game set; only equal ones are compared.
        names: the players.
        words: main words in order, each with its player.
        total: how many words it took.
        final_frank: who laid the last of them.
        lexicon: the name of the word list.
        rows: the final grid.
        photo: the step whose picture shows it, if one was kept.
    """

    table: str
    created: float
    game_set: str
    names: tuple[str, ...]
    words: tuple[tuple[str, str], ...]
    total: int
    final_frank: str
    lexicon: str
    rows: tuple[str, ...]
    photo: int | None

    def to_json(self) -> dict[str, Any]:
        """As the page gets it."""
        return {
            "table": self.table,
            "date": time.strftime("%Y-%m-%d", time.localtime(self.created)),
            "game_set": self.game_set,
            "players": len(self.names),
            "names": list(self.names),
            "words": [{"player": p, "word": w} for p, w in self.words],
            "total_words": self.total,
            "final_frank": self.final_frank,
            "lexicon": self.lexicon,
            "board45": list(self.rows),
            "photo": self.photo,
        }

    def to_record(self) -> dict[str, Any]:
        """As the rules compare it."""
        return {
            "players": len(self.names),
            "total_words": self.total,
            "final_frank": self.final_frank,
            "date": time.strftime("%Y-%m-%d", time.localtime(self.created)),
            "game_set": self.game_set,
        }


def finished_games(tables: Tables) -> list[Finished]:
    """Every finished game, the oldest first; abandoned ones are never compared (FS-24)."""
    found = []
    for row in tables.rows():
        if row.header.get("game") != GAME:
            continue
        table = tables.openable(row.id)
        one = None if table is None else _finished(table)
        if one is not None:
            found.append(one)
        if len(found) >= MOST_GAMES:
            break
    return found[::-1]


def _finished(table: Table) -> Finished | None:
    view = table.view(Actor("host"))
    if not view.get("over") or view.get("abandoned") or not view.get("final_frank"):
        return None
    opening, row = table.setup.opening, table.setup.row
    photos = [s.seq for s in table.steps if s.kind == "seen"]
    words = tuple(
        (str(e.get("player") or ""), str(e["words"][0]["word"]))
        for e in table.history()
        if e.get("tiles") and e.get("words")
    )
    return Finished(
        table.id,
        row.created,
        str(opening.options.get("fs.game_set") or ""),
        opening.players,
        words,
        int(view["total_words"]),
        str(view["final_frank"]),
        table.setup.lexicon,
        tuple(view["board45"]),
        photos[-1] if photos else None,
    )


def hall_of_fame(games: list[Finished]) -> list[dict[str, Any]]:
    """Games by game set and number of players, each group with its record and title holder.

    Args:
        games: finished games, the oldest first.
    """
    groups: dict[tuple[str, int], list[Finished]] = {}
    for game in games:
        groups.setdefault((game.game_set, len(game.names)), []).append(game)
    out = []
    for (game_set, players), played in sorted(groups.items()):
        best, holder, records = None, "", []
        for game in played:
            # FS-22, FS-23: fewer words are a new record, as many pass the title on
            if best is None or game.total <= best:
                holder = game.final_frank
            if best is None or game.total < best:
                best = game.total
                records.append(game.table)
        out.append(
            {
                "game_set": game_set,
                "players": players,
                "record": best,
                "title_holder": holder,
                "games": [{**g.to_json(), "was_record": g.table in records} for g in played[::-1]],
            }
        )
    return out


def records_for(tables: Tables, game_set: str, players: int) -> list[dict[str, Any]]:
    """What a new game is compared with (FS-22)."""
    games = finished_games(tables)
    return [g.to_record() for g in games if g.game_set == game_set and len(g.names) == players]
