"""docs/examples/kibitz.ipynb: every cell runs, and prints what is kept under it."""

from __future__ import annotations

import contextlib
import io
import json
import warnings

import pytest

from tests.helpers.shared_data import ROOT

NOTEBOOK = json.loads((ROOT / "docs" / "examples" / "kibitz.ipynb").read_text(encoding="utf-8"))


@pytest.mark.slow
def test_the_cells_print_what_they_show(monkeypatch):
    """One after the other, in one program, as a notebook runs them."""
    monkeypatch.chdir(ROOT)  # the server that a cell starts is the one of this checkout
    names: dict[str, object] = {}
    shown, printed = [], []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for cell in NOTEBOOK["cells"]:
            if cell["cell_type"] != "code":
                continue
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
            printed.append(out.getvalue())
            shown.append("".join("".join(o["text"]) for o in cell["outputs"]))

    assert shown == printed
    assert len(shown) > 8


def test_it_names_no_machine():
    """Neither a path of who made it nor a time is kept in it."""
    text = json.dumps(NOTEBOOK)

    assert [] == [x for x in ("/home", "/work", "/opt", "/tmp", " ms") if x in text]
