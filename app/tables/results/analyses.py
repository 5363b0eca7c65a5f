"""The analysis of a table's finished game, made once for each of its steps."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypedDict

from kibitz.app.common.listing import LISTS
from kibitz.app.tables.table import Table
from kibitz.engine.board.moves import Move, WordIndex
from kibitz.engine.parameters import as_in, checked
from kibitz.engine.phrases import phrase
from kibitz.engine.record.analysis import AnalysisRule, Turn, analysed
from kibitz.engine.record.gcg_writer import GcgImpossible, gcg_game
from kibitz.engine.words.lexicon import WordList


class AnalysisError(Exception):
    """A game that is not analysed; `code` is stable."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class AnalysesRule:
    """What is kept of analyses."""

    kept: int = as_in(LISTS, "held")
    turns: AnalysisRule = field(default_factory=AnalysisRule)

    def __post_init__(self) -> None:
        """Refuse numbers out of bounds."""
        checked(self)


class MoveLine(TypedDict):
    """A play of the list of best ones."""

    place: str
    word: str
    text: str
    score: int


class TurnLine(TypedDict):
    """A turn beside the best plays of its rack."""

    turn: int
    player: str
    kind: str
    place: str
    word: str
    score: int
    not_in_list: list[str]
    came_off: bool
    tiles: str
    known: str
    missed: int
    best: list[MoveLine]


class PlayerSums(TypedDict):
    """A player's turns: points missed, racks that are known, and best scores among them."""

    turns: int
    missed: int
    racks: int
    best: int


class AnalysisLine(TypedDict):
    """A game of Scrabble beside the best plays."""

    turns: list[TurnLine]
    players: dict[str, PlayerSums]


class Analyses:
    """Analyses by table, of the step at which each was made.

    Args:
        rule: how many are kept, and how much is told of a turn.
    """

    def __init__(self, rule: AnalysesRule | None = None) -> None:
        self._rule = rule or AnalysesRule()
        self._made: OrderedDict[str, tuple[int, AnalysisLine]] = OrderedDict()
        self._lock = threading.Lock()

    def known(self, table: Table) -> AnalysisLine | None:
        """The analysis of a table as it stands, where it was made already.

        Raises:
            AnalysisError: the game goes on, is no Scrabble, or has no word list.
        """
        check_analysed(table)
        with self._lock:
            seq, found = self._made.get(table.id, (-1, None))
            return found if seq == table.seq else None

    def of(self, table: Table) -> AnalysisLine:
        """The analysis of a table as it stands; takes seconds where it was not made yet.

        Raises:
            AnalysisError: as `known`, or the game cannot be played again.
        """
        found = self.known(table)
        if found is None:
            seq, found = table.seq, analysis_json(table, self._rule.turns)
            with self._lock:
                self._made[table.id] = (seq, found)
                self._made.move_to_end(table.id)
                while len(self._made) > self._rule.kept:
                    self._made.popitem(last=False)
        return found


def has_word_list(table: Table) -> bool:
    """Whether some words are good at a table and others not."""
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


def analysis_json(table: Table, rule: AnalysisRule) -> AnalysisLine:
    """The turns of a table's game of Scrabble, beside the best plays, and each player's sums.

    Raises:
        AnalysisError: the game cannot be written down as turns.
    """
    ledger = table.ledger
    words, tile_set = ledger.opening.materials.lexicon, ledger.opening.materials.tile_set
    try:
        game = gcg_game(ledger)
    except GcgImpossible as error:
        raise AnalysisError("no_analysis", str(error)) from error
    index = WordIndex(words if isinstance(words, WordList) else ())
    turns = list(analysed(game, tile_set, index, rule))
    return {"turns": [turn_json(turn) for turn in turns], "players": totals(turns)}


def move_json(move: Move) -> MoveLine:
    """A play as JSON."""
    return {
        "place": move.place,
        "word": move.word,
        "text": move.text,
        "score": move.score,
    }


def turn_json(turn: Turn) -> TurnLine:
    """A turn as JSON."""
    return {
        "turn": turn.number,
        "player": turn.player,
        "kind": turn.kind,
        "place": turn.place,
        "word": turn.word,
        "score": turn.score,
        "not_in_list": list(turn.bad),
        "came_off": turn.came_off,
        "tiles": turn.tiles,
        "known": turn.known,
        "missed": turn.missed,
        "best": [move_json(move) for move in turn.best],
    }


def totals(turns: Iterable[Turn]) -> dict[str, PlayerSums]:
    """What each player missed, and how often the best score was found.

    `missed` is the least that it can be: a rack of which more is known can only have better plays.
    `best` are those of the `racks`, the turns whose whole rack is known, with the best score.
    """
    out: dict[str, PlayerSums] = {}
    for turn in turns:
        facts = out.setdefault(turn.player, {"turns": 0, "missed": 0, "racks": 0, "best": 0})
        facts["turns"] += 1
        facts["missed"] += turn.missed
        if turn.known == "rack":
            facts["racks"] += 1
            facts["best"] += not turn.missed
    return out
