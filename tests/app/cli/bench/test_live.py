"""What a live table costs."""

from __future__ import annotations

import pytest

from kibitz.app.cli.bench.live import Costs, Timed, bench_live, resident_mb


def test_a_share_of_a_core():
    """A second of video whose frames took 250 ms together took a quarter of a core."""
    costs = Costs()
    for number in range(10):
        costs.add("moving" if number < 3 else "read" if number == 9 else "still", 0.025, 0.005)

    assert {"moving": 3, "still": 6, "read": 1} == {k: len(v) for k, v in costs.spent.items()}
    assert 0.25 == pytest.approx(costs.share)


def test_figures_name_every_part():
    """Still frames by their mean, those passed over too; a play with and without unpacking."""
    costs = Costs()
    for looked in (True, False, True, False):
        costs.add("still", 0.004 * looked, 0.005, looked=looked)
    costs.add("play", 0.015, 0.005, parts={"rules": 0.003, "storing": 0.002})

    assert {
        "frames": 5,
        "decode_ms": 5.0,
        "still_frames": 4,
        "still_ms": 2.0,
        "still_ratio_to_decode": 0.4,
        "play_frames": 1,
        "play_ms": 15.0,
        "play_ratio_to_decode": 3.0,
        "play_ratio_beside_decode": 2.0,
        "play_seeing_ms": 10.0,
        "play_rules_ms": 3.0,
        "play_storing_ms": 2.0,
        "play_seeing_ratio_to_decode": 2.0,
        "still_looked_at": 0.5,
        "still_looked_at_ms": 4.0,
        "still_looked_at_ratio": 0.8,
    } == costs.figures()


def test_what_methods_take_is_counted():
    """Of those that are named; all others are reached as before."""
    spent = {"rules": 0.0, "storing": 0.0}
    timed = Timed([3, 1, 2], ("sort",), spent, "rules")
    timed.sort()

    assert 1 == timed.index(2)
    assert spent["rules"] > 0 == spent["storing"]


def test_memory_of_this_process():
    """It is told in MB, and is more than an interpreter needs."""
    assert resident_mb() > 10


@pytest.mark.slow
def test_most_frames_are_only_looked_at():
    """In the bundled game nearly all frames are not read, and cost a small part of reading."""
    line = bench_live(rounds=2, positions=3)

    assert line["frames"] > 400
    assert line["still_ms"] < 0.5 * line["read_ms"]
    assert line["play_frames"] >= 3
    assert line["tables_on_2_cores"] >= 1
