"""Scenarios of our own, for what the rulebook's do not cover."""

import json
from pathlib import Path

import pytest

from kibitz.app.common.materials import make_materials
from kibitz.engine.scenarios import run_scenario

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
