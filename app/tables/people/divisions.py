"""Divisions of a tournament: rounds and pairings in the formats of directors' programs.

TSH keeps a division in a text file with one line a player, in the order of their numbers:

    Able, Ann               1512  2 3 0; 412 380 50; p12 1 2 0
    Baker, Bob              1490  1 0 3; 377

Name and rating, then the numbers of the opponents round by round (0 is a bye), the points that
the player made in each round, and further fields by name: `p12` says who went first (1 the
player, 2 the opponent). The CSV has a line a game: `Division,Round,Player1,Score1,Player2,Score2`,
with empty scores where it was not played yet.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypedDict

from kibitz.app.common.errors import UsageError

COLUMNS: Final = ("Division", "Round", "Player1", "Score1", "Player2", "Score2")
NAME_WIDTH: Final = 22
# a name ends before the first number, as TSH has it
_LINE = re.compile(r"^(?P<name>\D*[^\d\s])\s+(?P<rating>-?\d{1,4})(?P<rounds>(?:\s+\d{1,4})*)\s*$")
MOST_PLAYERS: Final = 2000
MOST_ROUNDS: Final = 100
_WHOLE = re.compile(r"^-?\d{1,5}$")


class DivisionError(UsageError):
    """Text that is no division; the message says what was expected, in which line."""


class EntrantLine(TypedDict):
    """A player of a division as kept: opponents, points and first turns, round by round."""

    name: str
    rating: int
    opponents: list[int]
    scores: list[int | None]
    first: list[int]
    more: list[str]


class DivisionLine(TypedDict):
    """A division as kept; `tables` by round and board."""

    name: str
    tables: dict[str, str]
    entrants: list[EntrantLine]


@dataclass(frozen=True, slots=True)
class Entrant:
    """One player of a division.

    Attributes:
        name: as the director's program writes it.
        rating: before the tournament.
        opponents: the number of the opponent in each round, from 1 on; 0: a bye.
        scores: the points made in each round; None: not played yet.
        first: who went first in each round: 1 the player, 2 the opponent, 0 nobody.
        more: fields that mean something to the director's program alone, as they stood.
    """

    name: str
    rating: int
    opponents: tuple[int, ...] = ()
    scores: tuple[int | None, ...] = ()
    first: tuple[int, ...] = ()
    more: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players of one round.

    Attributes:
        board: counted from 1 in the order of the first player's number.
        numbers: theirs; who goes first is named first where that is known.
    """

    board: int
    numbers: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Division:
    """A division with all its rounds.

    Attributes:
        name: what it is called.
        entrants: its players by number, from 1 on.
        tables: the table at which a game is played, by round and board: `3/12`.
    """

    name: str
    entrants: tuple[Entrant, ...]
    tables: Mapping[str, str] = field(default_factory=dict)

    @property
    def rounds(self) -> int:
        """Number of rounds with pairings."""
        return max((len(e.opponents) for e in self.entrants), default=0)

    def name_of(self, number: int) -> str:
        """Name of a player."""
        return self.entrants[number - 1].name

    def pairings(self, round_number: int) -> tuple[Pairing, ...]:
        """Pairings of a round (from 1), without players who have a bye."""
        found: list[tuple[int, int]] = []
        for number, entrant in enumerate(self.entrants, 1):
            opponent = _at(entrant.opponents, round_number) or 0
            if opponent > number:
                second = _at(entrant.first, round_number) == 2
                found.append((opponent, number) if second else (number, opponent))
        found.sort(key=min)
        return tuple(Pairing(board, numbers) for board, numbers in enumerate(found, 1))

    def with_result(self, round_number: int, scores: Mapping[int, int]) -> Division:
        """A copy with the points of some players in a round."""
        entrants = list(self.entrants)
        for number, points in scores.items():
            entrant = entrants[number - 1]
            filled = [*entrant.scores, *[None] * (round_number - len(entrant.scores))]
            filled[round_number - 1] = points
            entrants[number - 1] = replace(entrant, scores=tuple(filled))
        return replace(self, entrants=tuple(entrants))

    def with_table(self, round_number: int, board: int, table_id: str) -> Division:
        """A copy with the table at which a game is played."""
        return replace(self, tables={**self.tables, f"{round_number}/{board}": table_id})

    def table_of(self, round_number: int, board: int) -> str | None:
        """Table of a game; None if it has none yet."""
        return self.tables.get(f"{round_number}/{board}")

    def to_json(self) -> DivisionLine:
        """The division as it is kept."""
        return {
            "name": self.name,
            "tables": dict(self.tables),
            "entrants": [
                {
                    "name": e.name,
                    "rating": e.rating,
                    "opponents": list(e.opponents),
                    "scores": list(e.scores),
                    "first": list(e.first),
                    "more": list(e.more),
                }
                for e in self.entrants
            ],
        }


def division_from_json(text: str) -> Division:
    """Parse a division as it is kept."""
    given = json.loads(text)
    entrants = tuple(
        Entrant(
            e["name"],
            int(e["rating"]),
            tuple(e["opponents"]),
            tuple(e["scores"]),
            tuple(e["first"]),
            tuple(e["more"]),
        )
        for e in given["entrants"]
    )
    return Division(given["name"], entrants, dict(given["tables"]))


def parse_division(name: str, text: str) -> Division:
    """Parse a division from a TSH file or a CSV.

    Raises:
        DivisionError: what was expected, and in which line.
    """
    first = next((line for line in text.splitlines() if line.strip()), "")
    if first.casefold().replace(" ", "").startswith(("division,", "round,")):
        return _checked(_from_csv(name, text))
    return _checked(Division(name, tuple(_tsh_lines(text))))


# --- TSH ------------------------------------------------------------------------------------


def _tsh_lines(text: str) -> list[Entrant]:
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.partition("#")[0].strip()
        if bare:
            found.append(_entrant(bare, number))
    if not found:
        raise DivisionError("Expected a TSH division file or a CSV, got no line with a player.")
    return found


def _entrant(line: str, number: int) -> Entrant:
    head, *rest = (part.strip() for part in line.split(";"))
    match = _LINE.match(head)
    if match is None:
        raise DivisionError(
            f"Line {number}: expected a name, a rating and opponents' numbers, got {head!r:.80}."
        )
    scores = rest[0].split() if rest else []
    wrong = next((s for s in scores if not _WHOLE.match(s)), None)
    if wrong is not None:
        raise DivisionError(f"Line {number}: expected points behind the ';', got {wrong!r:.40}.")
    more = tuple(part for part in rest[1:] if part)
    first: tuple[int, ...] = ()
    for part in more:
        key, *values = part.split()
        if key == "p12":
            first = tuple(int(v) if v in ("1", "2") else 0 for v in values)
    return Entrant(
        " ".join(match["name"].split()),
        int(match["rating"]),
        tuple(int(x) for x in match["rounds"].split()),
        tuple(int(s) for s in scores),
        first,
        more,
    )


def tsh_text(division: Division) -> str:
    """The division as a TSH file; points end before the first round without a result.

    TSH knows no gap among the points: a later round's result waits for the earlier one.
    """
    lines = []
    for e in division.entrants:
        points: list[str] = []
        for score in e.scores:
            if score is None:
                break
            points.append(str(score))
        head = f"{e.name:<{NAME_WIDTH}} {e.rating:>4}  {' '.join(map(str, e.opponents))}".rstrip()
        lines.append("; ".join((head, " ".join(points), *e.more)).rstrip("; "))
    return "\n".join(lines) + "\n"


# --- CSV ------------------------------------------------------------------------------------


def _from_csv(name: str, text: str) -> Division:
    rows = csv.DictReader(io.StringIO(text.lstrip("\ufeff")))
    columns = {c.strip().casefold(): c for c in rows.fieldnames or ()}
    missing = [c for c in ("Round", "Player1", "Player2") if c.casefold() not in columns]
    if missing:
        raise DivisionError(f"Expected the columns {', '.join(COLUMNS)}; {missing[0]} is missing.")

    def cell(row: Mapping[str, str | None], column: str) -> str:
        return (row.get(columns.get(column.casefold(), "")) or "").strip()

    numbers: dict[str, int] = {}
    games: list[tuple[int, int, int, str, str]] = []
    for line, row in enumerate(rows, 2):
        kept = cell(row, "Division")
        if kept and kept.casefold() != name.casefold():
            continue  # another division of the same file
        round_number = cell(row, "Round")
        if not _WHOLE.match(round_number) or not 1 <= int(round_number) <= MOST_ROUNDS:
            raise DivisionError(
                f"Line {line}: expected a round from 1 to {MOST_ROUNDS}, got {round_number!r:.40}."
            )
        pair = cell(row, "Player1"), cell(row, "Player2")
        if not pair[0]:
            raise DivisionError(f"Line {line}: expected a player's name, got none.")
        at = [numbers.setdefault(n, len(numbers) + 1) if n else 0 for n in pair]
        games.append((int(round_number), at[0], at[1], cell(row, "Score1"), cell(row, "Score2")))
    return _of_games(name, tuple(numbers), games)


def _of_games(
    name: str, names: tuple[str, ...], games: list[tuple[int, int, int, str, str]]
) -> Division:
    rounds = max((g[0] for g in games), default=0)
    opponents = [[0] * rounds for _ in names]
    first = [[0] * rounds for _ in names]
    scores: list[list[int | None]] = [[None] * rounds for _ in names]
    for round_number, one, other, *points in games:
        for me, you, mine, order in ((one, other, points[0], 1), (other, one, points[1], 2)):
            if not me:
                continue
            opponents[me - 1][round_number - 1] = you
            first[me - 1][round_number - 1] = order if you else 0
            if mine and not _WHOLE.match(mine):
                raise DivisionError(f"Round {round_number}: expected points, got {mine!r:.40}.")
            scores[me - 1][round_number - 1] = int(mine) if mine else None
    entrants = tuple(
        Entrant(
            n,
            0,
            tuple(opponents[i]),
            tuple(scores[i]),
            tuple(first[i]),
            (f"p12 {' '.join(map(str, first[i]))}",) if rounds else (),
        )
        for i, n in enumerate(names)
    )
    return Division(name, entrants)


def csv_text(division: Division) -> str:
    """The paired games of a division as CSV, with results where there are any."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for round_number in range(1, division.rounds + 1):
        for pairing in division.pairings(round_number):
            row: list[str | int] = [division.name, round_number]
            for number in pairing.numbers:
                entrant = division.entrants[number - 1]
                points = _at(entrant.scores, round_number)
                row += [_harmless(entrant.name), "" if points is None else points]
            writer.writerow(row)
    return out.getvalue()


def _harmless(name: str) -> str:
    """The name, changed so that no spreadsheet takes it for a formula."""
    return f"'{name}" if name[:1] in "=+-@\t" else name


# --- what both have -------------------------------------------------------------------------


def _checked(division: Division) -> Division:
    """The division, if its pairings are consistent.

    Raises:
        DivisionError: they do not, or a name stands twice.
    """
    entrants = division.entrants
    if len(entrants) > MOST_PLAYERS or division.rounds > MOST_ROUNDS:
        raise DivisionError(
            f"Expected at most {MOST_PLAYERS} players and {MOST_ROUNDS} rounds, got "
            f"{len(entrants)} and {division.rounds}."
        )
    names = [e.name.casefold() for e in entrants]
    twice = next((e.name for e in entrants if names.count(e.name.casefold()) > 1), None)
    if twice is not None:
        raise DivisionError(f"Every player needs a name of their own; {twice!r} stands twice.")
    for number, entrant in enumerate(entrants, 1):
        for round_number, opponent in enumerate(entrant.opponents, 1):
            if opponent and not _mutual(division, number, round_number, opponent):
                raise DivisionError(
                    f"Round {round_number}: {entrant.name} plays number {opponent}, who does not "
                    f"play number {number}."
                )
    return division


def _mutual(division: Division, number: int, round_number: int, opponent: int) -> bool:
    if not 1 <= opponent <= len(division.entrants) or opponent == number:
        return False
    return bool(_at(division.entrants[opponent - 1].opponents, round_number) == number)


def _at(values: tuple[Any, ...], round_number: int) -> Any:
    return values[round_number - 1] if round_number <= len(values) else None
