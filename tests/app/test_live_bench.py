"""What a live table costs."""

from __future__ import annotations

import pytest

from app.live_bench import Costs, bench_live, resident_mb


def test_a_share_of_a_core():
    """A second of video whose frames took 250 ms together took a quarter of a core."""
    costs = Costs()
    for number in range(10):
        costs.add(0.025, moving=number < 3, read=number == 9)

    assert (3, 6, 1) == (len(costs.moving), len(costs.still), len(costs.reading))
    assert 0.25 == pytest.approx(costs.share)


def test_memory_of_this_process():
    """It is told in MB, and is more than an interpreter needs."""
    assert resident_mb() > 10


@pytest.mark.slow
def test_most_frames_are_only_looked_at():
    """In the bundled game nearly all frames are not read, and cost a small part of reading."""
    line = bench_live()

    assert line["frames"] > 400
    assert line["still_ms"] < 0.5 * line["read_ms"]
    assert line["tables_on_2_cores"] >= 1
