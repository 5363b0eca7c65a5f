"""What the benchmark of archives makes of its runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.app.cli.bench.archive import Cost, cpu_of_all, figures, growth


def cost(rate: float, cpu_s: float) -> Cost:
    return Cost(120, 100, 100 / rate, cpu_s, cpu_s, 100.0, 200.0)


def test_the_best_of_each_kind_is_compared() -> None:
    """By the clock and by processor time; how many cores a run got says what the clock is worth."""
    runs = {
        "one": [cost(5, 12), cost(10, 10)],
        "two": [cost(19, 10.5), cost(9, 11)],
        "dask": [cost(18, 11)],
    }

    assert {
        "photographs": 120,
        "photographs_a_second": {"one": 10.0, "two": 19.0, "dask": 18.0},
        "photographs_a_cpu_second": {"one": 10.0, "two": 9.52, "dask": 9.09},
        "cores_got": {"one": 1.0, "two": 1.99, "dask": 1.98},
        "scaling_1_to_2": 0.95,
        "scaling_1_to_2_by_cpu": 0.952,
        "dask_to_pool": 0.947,
        "dask_to_pool_by_cpu": 0.955,
    } == figures(runs)


def test_what_a_photograph_costs_is_without_the_start() -> None:
    """A run is compared with the next smaller one, as both have started once."""
    runs = [
        Cost(6, 0, 0.0, 0.0, 1.4, 100.0, 180.0),
        Cost(20, 0, 0.0, 0.0, 2.1, 101.0, 180.0),
        Cost(60, 0, 0.0, 0.0, 4.1, 102.0, 189.0),
    ]

    assert {
        "photograph_ms_by_photographs": {"20": 50.0, "60": 50.0},
        "own_mb_by_photographs": {"6": 100.0, "20": 101.0, "60": 102.0},
        "worker_mb_by_photographs": {"6": 180.0, "20": 180.0, "60": 189.0},
        "own_memory_most_to_fewest": 1.02,
        "worker_memory_most_to_fewest": 1.05,
    } == growth(runs)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are counted in /proc")
def test_processes_below_are_counted() -> None:
    """What a process took counts while it runs and when it has ended."""
    before = cpu_of_all()
    code = "import time\nwhile time.process_time() < 0.5: pass\nprint(flush=True)\nimport sys; sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as busy:
        assert busy.stdout is not None
        busy.stdout.readline()
        running = cpu_of_all()
    ended = cpu_of_all()

    assert running - before >= 0.45
    assert ended >= running
