"""Who laid tiles in Scrabble House, by the way they face and by whose turn it is."""

from __future__ import annotations

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Entry, Ledger, Opening, open_ledger
from kibitz.engine.rules import Action, Change
from kibitz.engine.table import Square, parse_square

SOUTH, NORTH = 0, 2
CAT = {"O7": "C", "O8": "A", "O9": "T"}


def opened() -> Ledger:
    """A board of two on which South has opened and North is to move."""
    game = find_game("scrabble-house")
    options = check_options(game.info, {})
    players = ("South", "North")
    ledger = open_ledger(Opening(game, players, options, make_materials("default", "en", options)))
    ledger, _ = ledger.add(Entry(Action("place", "South", None, {"tiles": CAT}), 0, told=True))
    return ledger


def who(turns: dict[str, int], letters: str = "EGR") -> list[list[tuple[str, str | None]]]:
    """What three new tiles may mean: each meaning's actions with their players."""
    squares = [parse_square(f"N{k}") for k in (7, 8, 9)]
    added: dict[Square, str] = dict(zip(squares, letters, strict=True))
    change = Change(added=added, turned={parse_square(s): t for s, t in turns.items()})
    ledger = opened()
    meanings = ledger.game.interpret(ledger.state, change)
    return [[(a.kind, a.player) for a in m.actions] for m in meanings]


OWN = [("place", "North")]
OTHER = [("pass", "North"), ("place", "South")]


@pytest.mark.parametrize(
    ("turns", "letters", "expected"),
    [
        ({}, "EGR", [OWN]),
        ({"N7": NORTH, "N8": NORTH, "N9": NORTH}, "EGR", [OWN]),
        ({"N7": SOUTH, "N8": SOUTH, "N9": SOUTH}, "EGR", [OTHER, OWN]),
        ({"N7": SOUTH}, "EGR", [OWN, OTHER]),
        ({"N7": SOUTH, "N8": SOUTH, "N9": NORTH}, "EGR", [OWN, OTHER]),
        ({"N7": SOUTH, "N8": NORTH}, "EGR", [OWN]),
        ({"N7": SOUTH, "N8": SOUTH, "N9": SOUTH}, "HIN", [OWN, OTHER]),
        ({"N7": SOUTH, "N8": NORTH, "N9": NORTH}, "EHI", [OWN, OTHER]),
    ],
    ids=[
        "no way is seen",
        "the mover's way",
        "clearly the other's way",
        "one tile is not clear",
        "nor are tiles of both ways",
        "as many one way as the other",
        "letters that look alike turned round are not clear",
        "they do not count beside others",
    ],
)
def test_who_laid_them(turns, letters, expected):
    """Whose turn it is, or with a pass that nobody told the one whom the tiles face."""
    assert expected == who(turns, letters)
