"""Random games with real words, worked out again by the calculator that comes with the rulebook."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.rules import Materials
from kibitz.engine.words.lexicon import words_from_text
from tests.engine.scenario_maker import NAMES, Maker
from tests.helpers.shared_data import SHARED

CALCULATOR, WORDS = SHARED / "verify_scenarios.py", SHARED / "enable1.txt"
EMPTY = ["." * 15] * 15
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(
        not (CALCULATOR.exists() and WORDS.exists()),
        reason=f"the calculator and its words are not at {SHARED}",
    ),
]


@pytest.fixture(scope="module")
def materials():
    """English tiles and the words that the calculator knows."""
    return Materials(words_from_text(WORDS.read_text().upper()), load_tile_set("en"))


def classic(maker):
    """Twelve plays of two players."""
    start = {"board": EMPTY, "scores": {"Ann": 0, "Bob": 0}}
    return maker.laid_game(maker.scenario("CL", "classic", NAMES[:2], initial=start), 12)


def ships(maker):
    """Sixteen plays of two or four players, with some of the settings."""
    pick = maker.rng.choice
    players = NAMES[: pick((2, 4))]
    settings = {
        "ss.sink_mode": pick((1, 1, 2)),
        "ss.ship_bonus_scope": pick(("through_hit", "turn")),
        "ss.ship_bonus_stack": pick(("multiply", "add")),
        "ss.own_sunk_cancels": pick(("all", "own")),
        "reject_invalid": True,
    }
    level = dict.fromkeys(players, 0)
    start = {
        "board": EMPTY, "fleets": maker.fleets(players), "scores": level, "ship_count": level,
        "to_move": "Ann", "hits": [], "sunk": [],
    }  # fmt: skip
    scenario = maker.scenario("SS", "scrabbleship", players, settings=settings, initial=start)
    return maker.laid_game(scenario, 16)


def house(maker):
    """Twenty plays on one board, with explosions."""
    settings = {
        "reject_invalid": True,
        "sh.leftover_piece": maker.rng.choice(("stay", "cut")),
    }
    start = {"board": EMPTY}
    sides = ("South", "North")
    scenario = maker.scenario("SH", "scrabblehouse", sides, settings=settings, initial=start)
    return maker.laid_game(scenario, 20)


def franken(maker):
    """Twenty-five plays on nine boards."""
    start = {"board45": ["." * 45] * 45, "plays_so_far": 0}
    return maker.laid_game(maker.scenario("FS", "frankenscrabbards", NAMES[:3], initial=start), 25)


def scrabbage(maker):
    """Twenty-five tiles and scrabs."""
    start = {"board": EMPTY, "scores": {"Ann": 0, "Bob": 0}, "dealer": "Ann"}
    return maker.one_tile_game(maker.scenario("SB", "scrabbage", NAMES[:2], initial=start), 25)


def twice_the_same(scenario):
    """Whether a play forms one word twice, which the calculator counts once."""
    lists = [step["expect"].get("words", []) for step in scenario["steps"]]
    names = [[w["word"] if isinstance(w, dict) else w for w in words] for words in lists]
    return any(len(set(words)) < len(words) for words in names)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("make", [classic, ships, house, franken, scrabbage])
def test_both_come_to_the_same(make, seed, materials, tmp_path):
    """Words, scores, hits, sinkings, explosions, chains and clusters agree at every step."""
    made = [make(Maker(sorted(materials.lexicon), materials, 10 * seed + i)) for i in range(3)]
    scenarios = [s for s in made if s["game"] == "scrabbage" or not twice_the_same(s)]
    path = tmp_path / "made.json"
    path.write_text(json.dumps({"scenarios": scenarios}))
    out = subprocess.run(
        [sys.executable, str(CALCULATOR), str(path)], capture_output=True, text=True, check=True
    ).stdout

    assert min(len(s["steps"]) for s in made) > 5
    assert out.rstrip().endswith("failures 0"), out
