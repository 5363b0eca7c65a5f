"""Costs of servers and archives are measured on real ones, and drawn."""

from __future__ import annotations

from kibitz.app.common.storage.tables import Storage
from tests.measures.archive_costs import Cost, figures
from tests.measures.hall_costs import by_plays, by_tables, fill
from tests.measures.scale_plots import PLOTS, plot


def test_every_number_of_tables_and_plays_has_a_figure() -> None:
    """Also where only a few are asked for."""
    assert [1, 3] == list(by_tables((1, 3)))
    assert [5, 20] == list(by_plays((5, 20)))


def test_tables_that_are_filled_in_are_whole(tmp_path) -> None:
    """Their checksums are right, so that they cost what real ones cost."""
    fill(str(tmp_path), 7)
    storage = Storage(str(tmp_path))
    rows = storage.table_rows()
    steps = [len(storage.steps_of(row.id)) for row in rows]
    storage.close()

    assert (7, (), [1] * 7) == (len(rows), storage.damaged_rows(), steps)


def test_the_best_of_each_kind_is_compared() -> None:
    """By the clock and by processor time; how many cores a run got says what the clock is worth."""
    rates = {"one": [(5, 12), (10, 10)], "two": [(19, 10.5), (9, 11)], "dask": [(18, 11)]}
    runs = {
        name: [Cost(120, 100, 100 / rate, cpu_s, cpu_s, 100.0, 200.0) for rate, cpu_s in some]
        for name, some in rates.items()
    }
    found = figures(runs)

    assert {"one": 10.0, "two": 19.0, "dask": 18.0} == found["photographs_a_second"]
    assert (0.95, 0.947) == (found["scaling_1_to_2"], found["dask_to_pool"])


def test_every_curve_has_a_plot() -> None:
    """Each is drawn from the figures as the measures print them."""
    for across, up in PLOTS.values():
        drawn = plot({0.0: 1.0, 10.0: 2.0, 1000.0: 2.5}, across, up)

        assert (3, True, True) == (drawn.count("<circle"), across in drawn, up in drawn)
