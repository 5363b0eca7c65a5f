"""How the cost of a server grows is measured on real servers and real tables."""

from __future__ import annotations

import json

import pytest

from kibitz.app.cli.bench.bench import run_bench
from kibitz.app.cli.bench.hall import _with_ratios, by_plays, by_tables, by_watchers, fill
from kibitz.app.common.errors import UsageError
from kibitz.app.common.storage.tables import Storage
from tests.measures.scale_plots import PLOTS, plot


def test_ratios_are_to_the_least() -> None:
    """Whatever order they were measured in."""
    found = _with_ratios("action_ms_by_tables", {8: 3.0, 1: 2.0})

    assert {"8": 1.5, "1": 1.0} == found["action_ms_ratio_by_tables"]
    assert {"8": 3.0, "1": 2.0} == found["action_ms_by_tables"]


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


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_every_watcher_hears_of_every_change() -> None:
    """A crowd on a real server: as many changes come as were made, times watchers."""
    _, snapshots, told = by_watchers((0, 7), rounds=1)

    assert {"0": 0, "7": 7 * 8} == told
    assert snapshots > 0


def test_an_unknown_part_is_refused() -> None:
    """With the parts that there are."""
    with pytest.raises(UsageError, match="archive or hall"):
        run_bench((), as_json=True, only="halls", models=None)


def test_every_curve_has_a_plot() -> None:
    """Each is drawn from the figures as the command prints them."""
    for across, up in PLOTS.values():
        drawn = plot({0.0: 1.0, 10.0: 2.0, 1000.0: 2.5}, across, up)

        assert (3, True, True) == (drawn.count("<circle"), across in drawn, up in drawn)
    assert json.dumps(list(PLOTS)).count("_by_") == len(PLOTS)
