"""The short form of the endurance run: kills, mutated inputs, a crowd; nothing breaks."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.endurance import asked
from tests.enduring.doors import Doors, mutated, mutated_json
from tests.enduring.kills import Kills, squares
from tests.enduring.soak import Soak

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_kibitz_endures_the_short_form() -> None:
    """Every part runs, nothing that was told is lost, and the report says so."""
    done = subprocess.run(
        [sys.executable, "tests/endurance.py", "--short", "--seed", "7"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(done.stdout)

    assert 0 == done.returncode, report
    assert (4, 4) == (report["kills"]["tried"], report["kills"]["survived"])
    assert (0, 0, 0) == tuple(report["kills"][k] for k in ("lost", "doubled", "wrong"))
    assert (300, {}, {}) == tuple(report["mutations"][k] for k in ("tried", "broken", "hung"))
    assert (0, 0, 0) == tuple(report["soak"][k] for k in ("lost", "failed", "behind"))
    assert report["soak"]["told"] > 0
    parts = [report[x]["stranger"] for x in ("kills", "mutations", "soak")]
    assert [({}, True)] * 3 == [(x["broke"], bool(x["tried"])) for x in parts]


@pytest.mark.parametrize("broke", ["lost", "doubled", "wrong"])
def test_what_breaks_is_not_called_good(broke: str) -> None:
    """One of a thousand is enough."""
    assert Kills(tried=1000, survived=1000).good
    assert not Kills(tried=1000, survived=999).good
    assert not Kills(tried=1000, survived=1000, **{broke: 1}).good


@pytest.mark.parametrize("broke", ["lost", "failed", "behind", "dropped"])
def test_a_crowd_that_was_served_badly_is_told(broke: str) -> None:
    """So is a descriptor that stays open."""
    assert Soak(descriptors=[20, 22]).good
    assert not Soak(descriptors=[20, 22], **{broke: 1}).good
    assert not Soak(descriptors=[20, 220]).good


@pytest.mark.parametrize("what", [Kills, Soak, Doors])
def test_a_stranger_who_was_let_in_is_told(what: type[Kills | Soak | Doors]) -> None:
    """An attack that broke something spoils the rest."""
    assert what(stranger={"tried": {"guess": 5}, "broke": {}}).good
    assert not what(stranger={"tried": {"guess": 5}, "broke": {"guess: 200": 1}}).good


def test_every_square_lies_beside_an_earlier_one() -> None:
    """So that each play of one tile may be laid."""
    names = squares()

    assert (225, ["H8", "H9", "H7", "I8", "G8"]) == (len(set(names)), names[:5])


def test_inputs_are_changed_the_same_way_by_the_same_seed() -> None:
    """What broke once can be had again; and nearly every input differs from the good one."""
    first, again = ([mutated(b"abcdefgh" * 9, random.Random(s)) for s in range(50)] for _ in "ab")
    value = {"a": [1, {"b": 2}]}
    changed = [mutated_json(value, random.Random(s)) for s in range(50)]

    assert first == again
    assert sum(x != b"abcdefgh" * 9 for x in first) > 40
    assert sum(x != value for x in changed) > 30
    assert {"a": [1, {"b": 2}]} == value
    assert all(json.dumps(mutated_json(changed, random.Random(s))) for s in range(300))


def test_the_short_form_is_short() -> None:
    """Whatever else is asked for."""
    options = asked(["--short", "--kills", "1000"])

    assert (4, 300, 20) == (options.kills, options.mutations, options.sockets)
