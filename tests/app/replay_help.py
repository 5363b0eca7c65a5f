"""Games drawn as text, replayed as if they had been photographed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.app.common.materials.named import make_materials
from kibitz.app.observers.feeds import GameReplay, make_observer
from kibitz.app.observers.told import ToldAction
from kibitz.app.reading.pictures import FileReading
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Opening
from kibitz.engine.rules import action_from_json
from tests.helpers.fake_readings import reading_of_rows

EMPTY_ROW = "." * 15
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def board(**rows: str) -> list[str]:
    """A board from its rows by letter, the rest empty: `board(H="...CAT...")` pads right."""
    return [rows.get(chr(65 + r), "").ljust(15, ".") for r in range(15)]


def replay(
    boards: Sequence[list[str] | Mapping[str, Any] | None],
    *,
    game: str = "scrabble",
    players: tuple[str, ...] = ("Ann", "Bob"),
    lexicon: str = "none",
    told: Sequence[Mapping[str, Any]] = (),
    initial: Mapping[str, Any] | None = None,
    fixed_top: bool = True,
    **settings: Any,
) -> tuple[list[dict[str, Any]], dict[str, Any], GameReplay]:
    """The lines, the final line and the replay of boards photographed as 1.jpg, 2.jpg ...

    A board is its rows, a mapping with `board` and `occluded`, or None for a photograph that
    cannot be read.
    """
    rules = find_game(game)
    options = check_options(rules.info, settings)
    materials = make_materials(lexicon, "en", options)
    opening = Opening(rules, players, options, materials, initial)
    said = []
    for item in told:
        fields = dict(item)
        before = fields.pop("before", None)
        said.append(ToldAction(before, action_from_json(fields)))
    run = GameReplay(make_observer(opening, fixed_top=fixed_top), said)
    lines = []
    for number, shown in enumerate(boards, 1):
        name = f"{number}.jpg"
        if shown is None:
            found = FileReading(name, code="board_not_found", message="no board")
        else:
            facts = dict(shown) if isinstance(shown, Mapping) else {"board": shown}
            rows = facts.pop("board")
            found = FileReading(name, reading_of_rows(rows, LETTERS, **facts))
        lines.append(run.see(found))
    return lines, run.finish()["final"], run


def plays(final: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """What each photograph is known to show at the end: file to new tiles."""
    return {play["file"]: play["tiles"] for play in final["plays"]}
