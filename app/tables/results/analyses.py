"""Analyses of finished games, made once for each step of a table."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

from kibitz.app.common.limits import LIMITS, LISTS
from kibitz.app.tables.table import Table
from kibitz.engine.board.moves import WordIndex
from kibitz.engine.phrases import phrase
from kibitz.engine.record.analysis import AnalysisRule, Turn, analyse_stepwise
from kibitz.engine.record.gcg_writer import GcgImpossible, gcg_game
from kibitz.engine.words.lexicon import WordList


class AnalysisError(Exception):
    """The game is not analysed; `code` is stable."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class AnalysesRule:
    """Limits of kept analyses.

    Attributes:
        kept: so many at most.
        share_s: of work on a game before the next that is asked for has its turn.
        turns: limits of analysing a turn.
    """

    kept: int = LISTS.held
    share_s: float = 0.2
    turns: AnalysisRule = field(default_factory=AnalysisRule)


class Analyses:
    """Analyses by table, each with the step at which it was made.

    Args:
        rule: how many are kept, and how much is told of a turn.
    """

    def __init__(self, rule: AnalysesRule | None = None) -> None:
        self._rule = rule or AnalysesRule()
        self._made: OrderedDict[str, tuple[int, dict[str, Any]]] = OrderedDict()
        self._begun: OrderedDict[str, tuple[int, _Begun]] = OrderedDict()
        self._lock = threading.Lock()

    def known(self, table: Table) -> dict[str, Any] | None:
        """Analysis of a table in its present state; None if it is not made yet.

        Raises:
            AnalysisError: the game goes on, is no Scrabble, or has no word list.
        """
        check_analysed(table)
        with self._lock:
            seq, found = self._made.get(table.id, (-1, None))
            return found if seq == table.seq else None

    def go_on(self, table: Table) -> dict[str, Any] | None:
        """Work on a table's analysis for a while; returns it once it is complete.

        Shares are asked for one after the other.

        Raises:
            AnalysisError: as `known`, or the game cannot be played again.
        """
        found = self.known(table)
        if found is not None:
            return found
        # taken out while it is worked on: one that fails halfway is begun anew
        seq, begun = self._begun.pop(table.id, (-1, None))
        if begun is None or seq != table.seq:
            seq, begun = table.seq, _begun_on(table, self._rule.turns)
        until = time.monotonic() + self._rule.share_s
        for turn in begun.work:
            if turn is not None:
                begun.turns.append(turn)
            if time.monotonic() > until:
                _keep(self._begun, table.id, (seq, begun), self._rule.kept)
                return None
        turns = begun.turns
        found = {"turns": [turn_json(turn) for turn in turns], "players": totals(turns)}
        with self._lock:
            _keep(self._made, table.id, (seq, found), self._rule.kept)
        return found


@dataclass(frozen=True, slots=True)
class _Begun:
    """An unfinished analysis: remaining work, and finished turns."""

    work: Iterator[Turn | None]
    turns: list[Turn] = field(default_factory=list)


T = TypeVar("T")


def _keep(there: OrderedDict[str, T], name: str, one: T, most: int) -> None:
    """Keep an entry by its name, dropping the oldest if there are too many."""
    there[name] = one
    there.move_to_end(name)
    while len(there) > most:
        there.popitem(last=False)


def has_word_list(table: Table) -> bool:
    """True if the table plays with a word list."""
    return isinstance(table.ledger.opening.materials.lexicon, WordList)


def check_analysed(table: Table) -> None:
    """Refuse a game that is not analysed.

    Raises:
        AnalysisError: it goes on, is no Scrabble, or any word is good in it.
    """
    info = table.setup.opening.game.info
    if not info.gcg:
        raise AnalysisError(
            "no_analysis",
            phrase("Only games of Scrabble are analysed, not {game}.", game=info.title),
        )
    if not has_word_list(table):
        raise AnalysisError(
            "no_word_list",
            phrase("Any word is good in this game: without a word list no plays are found."),
        )
    if not table.over:
        raise AnalysisError("not_over", phrase("The best plays are told once the game is over."))


def _begun_on(table: Table, rule: AnalysisRule) -> _Begun:
    ledger = table.ledger
    words, tile_set = ledger.opening.materials.lexicon, ledger.opening.materials.tile_set
    try:
        game = gcg_game(ledger)
    except GcgImpossible as error:
        raise AnalysisError("no_analysis", str(error)) from error
    index = _index_of(words if isinstance(words, WordList) else WordList(frozenset()))
    return _Begun(analyse_stepwise(game, tile_set, index, rule))


@lru_cache(maxsize=LIMITS.lists)
def _index_of(words: WordList) -> WordIndex:
    return WordIndex(words)


def turn_json(turn: Turn) -> dict[str, Any]:
    """A turn in the form of `wire.answers.AnalysedTurn`."""
    laid = ("player", "kind", "place", "word", "score")
    judged = ("came_off", "tiles", "known", "missed", "whole")
    return {
        "turn": turn.number,
        **{name: getattr(turn, name) for name in laid},
        "not_in_list": list(turn.bad),
        **{name: getattr(turn, name) for name in judged},
        "best": [
            {n: getattr(m, n) for n in ("place", "word", "text", "score")} for m in turn.best
        ],
    }


def totals(turns: Iterable[Turn]) -> dict[str, dict[str, int]]:
    """Points missed and best scores found, by player.

    `missed` is the least that it can be: a rack of which more is known can only have better plays.
    `best` are those of the `racks`, the turns whose whole rack is known, with the best score.
    """
    out: dict[str, dict[str, int]] = {}
    for turn in turns:
        facts = out.setdefault(turn.player, {"turns": 0, "missed": 0, "racks": 0, "best": 0})
        facts["turns"] += 1
        facts["missed"] += turn.missed
        if turn.known == "rack":
            facts["racks"] += 1
            facts["best"] += not turn.missed
    return out
