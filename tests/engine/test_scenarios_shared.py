"""Every public scenario of the rulebook comes out as it says."""

import json

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.scenarios import run_scenario
from tests.helpers.shared_data import SHARED

pytestmark = pytest.mark.shared
FILE = SHARED / "scenarios.json"
SCENARIOS = json.loads(FILE.read_text(encoding="utf-8"))["scenarios"] if FILE.exists() else []


@pytest.mark.skipif(not SCENARIOS, reason="the rulebook's scenarios are not beside the project")
@pytest.mark.parametrize("scenario", SCENARIOS, ids=[s["id"] for s in SCENARIOS])
def test_scenario(scenario):
    """What the engine answers differs nowhere from what the file expects."""
    outcome = run_scenario(scenario, lambda options: make_materials("default", "en", options))

    assert [] == outcome.get("differences", [])
