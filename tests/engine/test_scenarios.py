"""Scenarios of our own, for what the rulebook's do not cover."""

import json
from pathlib import Path

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import GAMES
from kibitz.engine.scenarios import ScenarioInvalid, run_scenario
from kibitz.engine.table import parse_square

pytestmark = pytest.mark.fast

FOLDER = Path(__file__).resolve().parents[1] / "scenarios"
SCENARIOS = [
    scenario
    for path in sorted(FOLDER.glob("*.json"))
    for scenario in json.loads(path.read_text(encoding="utf-8"))["scenarios"]
]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[s["id"] for s in SCENARIOS])
def test_scenario(scenario):
    """What the engine answers differs nowhere from what the file expects."""
    outcome = run_scenario(scenario, lambda options: make_materials("default", "en", options))

    assert [] == outcome.get("differences", [])


def test_ids_are_unique():
    """Every scenario can be named."""
    ids = [s["id"] for s in SCENARIOS]

    assert sorted(set(ids)) == sorted(ids)


def test_a_field_that_the_rules_do_not_expect_is_told_with_its_place(monkeypatch):
    """Whatever the rules raise for it: the place is named, not the line of our own code."""
    game = GAMES.find_game("scrabble")
    monkeypatch.setattr(type(game), "decide", lambda *_: parse_square("Q8"))
    scenario = {
        "id": "X-1",
        "game": "scrabble",
        "players": ["Ann", "Bob"],
        "steps": [{"do": {"action": "pass", "player": "Ann"}}],
    }

    with pytest.raises(ScenarioInvalid) as raised:
        run_scenario(scenario, lambda options: make_materials("none", "en", options))

    assert ("bad_action", "X-1.steps[0].do") == (raised.value.code, raised.value.place)
    assert "A field of 'pass' has a value that it cannot have" in str(raised.value)
