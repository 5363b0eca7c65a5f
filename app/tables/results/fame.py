"""The hall of fame: finished games, records, titles (FS-21 to FS-24)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict, cast

from kibitz.app.common.limits import LISTS
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.app.tables.table import Table
from kibitz.engine.rules import GameInfo


class WordBy(TypedDict):
    """A main word, and who laid it."""

    player: str
    word: str


class FinishedLine(TypedDict):
    """A finished game for the page; its result is also under the game's own names."""

    table: str
    date: str
    game_set: str
    players: int
    names: list[str]
    words: list[WordBy]
    lexicon: str
    board45: list[str]
    photo: int | None
    was_record: bool


class FameGroup(TypedDict):
    """Games with one set and number of players, newest first; `record` is the fewest words."""

    game_set: str
    players: int
    record: int | None
    title_holder: str
    games: list[FinishedLine]


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
        holder: who holds the title after it.
        lexicon: the name of the word list.
        rows: the final grid.
        photo: the step whose picture shows it, if one was kept.
        game: which game it was.
    """

    table: str
    created: float
    game_set: str
    names: tuple[str, ...]
    words: tuple[tuple[str, str], ...]
    total: int
    holder: str
    lexicon: str
    rows: tuple[str, ...]
    photo: int | None
    game: GameInfo

    def to_json(self, *, was_record: bool) -> FinishedLine:
        """The game for the page."""
        line: FinishedLine = {
            "table": self.table,
            "date": time.strftime("%Y-%m-%d", time.localtime(self.created)),
            "game_set": self.game_set,
            "players": len(self.names),
            "names": list(self.names),
            "words": [{"player": p, "word": w} for p, w in self.words],
            "lexicon": self.lexicon,
            "board45": list(self.rows),
            "photo": self.photo,
            "was_record": was_record,
        }
        return cast("FinishedLine", {**line, **self._outcome()})

    def to_record(self) -> dict[str, int | str]:
        """The game as the rules compare it."""
        return {
            "players": len(self.names),
            **self._outcome(),
            "date": time.strftime("%Y-%m-%d", time.localtime(self.created)),
            "game_set": self.game_set,
        }

    def _outcome(self) -> dict[str, int | str]:
        """Result and title holder under the game's own names."""
        fame = self.game.hall_of_fame
        return {} if fame is None else {fame.result: self.total, fame.holder: self.holder}


def finished_games(tables: Tables) -> list[Finished]:
    """Every finished game, oldest first, without abandoned ones (FS-24)."""
    found = []
    for row in tables.rows():
        table = tables.openable(row.id) if _is_compared(tables, row.header) else None
        one = None if table is None else _finished(table)
        if one is not None:
            found.append(one)
        if len(found) >= LISTS.page:
            break
    return found[::-1]


def _is_compared(tables: Tables, header: Mapping[str, Any]) -> bool:
    """True if records are kept of a table's game."""
    try:
        return tables.offer.games.find_info(str(header.get("game"))).hall_of_fame is not None
    except ValueError:
        return False  # a table of a game that is not there any more


def _finished(table: Table) -> Finished | None:
    info = table.setup.opening.game.info
    fame = info.hall_of_fame
    if fame is None:
        return None
    view = table.view(Actor("host"))
    if not view.get("over") or view.get("abandoned") or not view.get(fame.holder):
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
        str(opening.options.get(fame.game_set) or ""),
        opening.players,
        words,
        int(view[fame.result]),
        str(view[fame.holder]),
        table.setup.lexicon,
        tuple(view["board45"]),
        photos[-1] if photos else None,
        info,
    )


def hall_of_fame(games: list[Finished]) -> list[FameGroup]:
    """Games by kind, set and number of players, each group with record and title holder.

    Args:
        games: finished games, the oldest first.
    """
    groups: dict[tuple[str, str, int], list[Finished]] = {}
    for game in games:
        groups.setdefault((game.game.slug, game.game_set, len(game.names)), []).append(game)
    out: list[FameGroup] = []
    for (_, game_set, players), played in sorted(groups.items()):
        best, holder, records = None, "", []
        for game in played:
            # FS-22, FS-23: fewer words are a new record, as many pass the title on
            if best is None or game.total <= best:
                holder = game.holder
            if best is None or game.total < best:
                best = game.total
                records.append(game.table)
        out.append(
            {
                "game_set": game_set,
                "players": players,
                "record": best,
                "title_holder": holder,
                "games": [g.to_json(was_record=g.table in records) for g in played[::-1]],
            }
        )
    return out


def records_for(
    tables: Tables, info: GameInfo, game_set: str, players: int
) -> list[dict[str, int | str]]:
    """Earlier games that a new one is compared with (FS-22)."""
    return [
        g.to_record()
        for g in finished_games(tables)
        if g.game == info and g.game_set == game_set and len(g.names) == players
    ]
