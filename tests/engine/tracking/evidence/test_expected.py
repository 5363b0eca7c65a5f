"""What the rules want on a board, what lies there, and what is to be done about it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Entry, Ledger, Opening, open_ledger
from kibitz.engine.rules import Action, Refused
from kibitz.engine.table import Square, Tile, grid_from_rows, parse_square
from kibitz.engine.tracking.evidence.hypotheses import (
    Hypothesis,
    Task,
    Waiting,
    cards_asked_for,
    facing_grid,
    rules_grid,
    tasks_of,
    text_rows,
)

CAT = Action("place", "Ann", None, {"tiles": {"H8": "C", "H9": "A", "H10": "T"}})


def ledger_of(slug: str, *actions: Action, **initial: object) -> Ledger:
    """A game of two with what people told."""
    game = find_game(slug)
    options = check_options(game.info, {})
    materials = make_materials("none", "en", options)
    ledger = open_ledger(Opening(game, ("Ann", "Bob"), options, materials, initial))
    for action in actions:
        ledger, _ = ledger.add(Entry(action, 0, told=True))
    return ledger


def after_cat(**lying: Tile | None) -> Hypothesis:
    """CAT was played; other tiles lie there, or some of it not (None)."""
    ledger = ledger_of("scrabble", CAT)
    grid = rules_grid(ledger.game, ledger.state)
    changed = {parse_square(s): tile for s, tile in lying.items()}
    grid = grid.without([s for s, tile in changed.items() if tile is None])
    return Hypothesis(ledger, grid.with_tiles({s: t for s, t in changed.items() if t is not None}))


@pytest.mark.parametrize("rows", [("...", "..."), ("Ca.", ".?t")])
def test_small_letters_face_the_other_way_where_two_sit_opposite(rows):
    """Elsewhere they are blanks; each is written as it was read."""
    facing = facing_grid(rows)

    assert list(rows) == text_rows(facing, facing=True)
    assert list(rows) == text_rows(grid_from_rows(rows), facing=False)
    assert {2 if x.islower() else 0 for row in rows for x in row if x != "."} == {
        t.turn for t in facing.tiles.values()
    }


def test_a_blank_of_two_who_sit_opposite_is_told_by_its_square():
    """Its letter does not show it."""
    grid = facing_grid(("Ca.",), ("A2",))

    assert [False, True] == [grid.tiles[Square(0, c)].blank for c in range(2)]


@pytest.mark.parametrize(
    ("lying", "facing", "tasks"),
    [
        ({}, False, []),
        ({"H9": None}, False, []),
        ({"A1": Tile("X"), "A2": Tile("Y")}, False, [Task("lift", ("A1", "A2"))]),
        ({"H9": Tile("A", turn=2)}, False, []),
        ({"H9": Tile("A", turn=2)}, True, [Task("turn", ("H9",))]),
        (
            {"A1": Tile("X"), "H9": Tile("A", turn=2)},
            True,
            [Task("lift", ("A1",)), Task("turn", ("H9",))],
        ),
    ],
)
def test_tiles_are_to_be_lifted_or_turned(lying, facing, tasks):
    """Those that the rules do not expect, and those that face the wrong player."""
    assert tasks == tasks_of(after_cat(**lying), facing=facing)


def test_tiles_that_make_no_play_are_a_task_once_they_are_refused():
    """With what was read on them, in reading order."""
    refused = Refused("gap", "There is a gap.")
    tiles = {Square(0, 1): "B", Square(0, 0): "A"}
    waits, no = (replace(after_cat(), waiting=Waiting(tiles, x)) for x in (None, refused))

    assert [] == tasks_of(waits, facing=False)
    assert [Task("refused", ("A1", "A2"), refused, ("A", "B"))] == tasks_of(no, facing=False)


def test_cards_are_asked_for_since_an_entry():
    """Of ships that its play sunk, and not before it."""
    ships = {
        "carrier": ["K1", "K5"], "scrabbleship": ["L1", "L4"], "submarine": ["M1", "M3"],
        "destroyer": ["N1", "N3"], "patrol": ["J8", "J9"],
    }  # fmt: skip
    down = Action("place", "Ann", None, {"tiles": {"H8": "C", "I8": "A", "J8": "T"}})
    ledger = ledger_of(
        "scrabbleship", down, Action("accept", "Bob"), fleets={"Ann": ships, "Bob": ships}
    )

    assert [{parse_square("J8"), parse_square("J9")}] == [
        set(x) for x in cards_asked_for(ledger, 0)
    ]
    assert [] == cards_asked_for(ledger, len(ledger.done))
