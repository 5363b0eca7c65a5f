"""Pictures of some of nine joined boards are put together into one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz.app.observers.panel_lines import panel_lines
from kibitz.app.observers.panels import PanelOrder
from kibitz.app.reading.pictures import make_reader
from kibitz.vision.request import ReadRequest
from tests.app.observers.panels_help import GAME, LETTERS, SHOTS
from tests.filming.pictures import view_of
from tests.filming.tables import BoardTable


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nine photographs, each of one board with parts of its neighbours."""
    out = tmp_path_factory.mktemp("parts")
    for panel in range(1, 10):
        table = BoardTable(view_of(GAME), 45)
        table.aim_at(panel, 1280, 1000, 0.8, 8.0)
        cv2.imwrite(str(out / f"{panel}.jpg"), table.photograph(SHOTS[-1], panel))
    return out


@pytest.mark.parametrize("order", [PanelOrder(tuple(range(1, 10))), PanelOrder()])
def test_nine_photographs_become_one_board(folder: Path, order: PanelOrder) -> None:
    """Pictures of joined boards, in order or in none: each is found among its neighbours."""
    numbers = order.boards or (5, 9, 1, 4, 3, 8, 2, 7, 6)
    sources = [str(folder / f"{panel}.jpg") for panel in numbers]
    look = ReadRequest(45, LETTERS, None, "top")
    (read,) = panel_lines(sources, make_reader(), look, order)
    line = read.to_json()
    want = np.array([list(row) for row in SHOTS[-1].rows(45)])
    got = np.array([list(row) for row in line["boards"][0]["rows"]])

    assert [p["error"] for p in line["boards"][0]["panels"] if p["error"]] == []
    assert (got[want != "."] == want[want != "."]).all()
    assert int((got != want).sum()) <= 10
    assert json.dumps(line)


def test_parts_that_are_missing(folder: Path) -> None:
    """A board whose photograph cannot be read is hidden, and the line says why."""
    sources = [str(folder / "2.jpg"), str(folder / "gone.jpg")]
    look = ReadRequest(45, LETTERS, None, "top")
    (read,) = panel_lines(sources, make_reader(), replace(look), PanelOrder((2, 5)))
    line = read.to_json()
    panels = line["boards"][0]["panels"]

    assert line["error"] is None
    assert [p["error"] and p["error"]["code"] for p in panels] == [None, "file_not_found"]
    assert line["boards"][0]["rows"][22] == "#" * 45
    assert set(line["boards"][0]["rows"][0]) == {"#", "."}
