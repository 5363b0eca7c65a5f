"""What the benchmark of archives makes of its runs."""

from __future__ import annotations

from kibitz.app.cli.bench_archive import Cost, figures


def cost(rate: float, cpu_s: float, total_s: float = 10.0) -> Cost:
    return Cost(100, 10.0, round(10 * rate), cpu_s, total_s, 100.0, 200.0)


def test_the_best_of_each_kind_is_compared() -> None:
    """By the clock and by processor time; how many cores a run got says what the clock is worth."""
    runs = {
        "one": [cost(5, 12), cost(10, 10)],
        "two": [cost(19, 10.5, 5.0), cost(9, 11)],
        "dask": [cost(18, 11, 5.0)],
    }

    assert {
        "photographs": 100,
        "photographs_a_second": {"one": 10.0, "two": 19.0, "dask": 18.0},
        "photographs_a_cpu_second": {"one": 10.0, "two": 9.52, "dask": 9.09},
        "cores_got": {"one": 1.0, "two": 2.1, "dask": 2.2},
        "scaling_1_to_2": 0.95,
        "scaling_1_to_2_by_cpu": 0.952,
        "dask_to_pool": 0.947,
        "dask_to_pool_by_cpu": 0.955,
    } == figures(runs)
