"""Whether the server lives, for programs on its own machine."""

from __future__ import annotations

import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kibitz.app.server.app import create_app
from tests.app.server_help import board, make_session, new_table, see
from tests.helpers.shared_data import ROOT


def test_figures_are_in_the_form_of_prometheus(client: Any) -> None:
    """Each has its kind; none names a table or a player."""
    made = new_table(client, players=("Ottilie", "Kasimir"))
    text = client.get("/metrics").text

    assert "# TYPE kibitz_tables_open gauge\nkibitz_tables_open 1\n" in text
    assert [x for x in (made["table"], "Ottilie", "Kasimir") if x in text] == []


def test_a_camera_in_trouble_is_counted(client: Any, session: Any) -> None:
    """As soon as it gives no pictures."""
    made = new_table(client)
    see(client, made, board())
    camera = session.camera(session.tables.get(made["table"]))
    before = client.get("/metrics").text
    camera.note_trouble("gives nothing")
    after = client.get("/metrics").text

    assert "\nkibitz_cameras 1\n" in before
    assert "\nkibitz_cameras_in_trouble 0\n" in before
    assert "\nkibitz_cameras_in_trouble 1\n" in after


def test_every_figure_is_described(client: Any) -> None:
    """The page about operation names each."""
    text = (ROOT / "docs" / "operation.md").read_text(encoding="utf-8")
    names = re.findall(r"^# TYPE (\w+) ", client.get("/metrics").text, re.MULTILINE)

    assert len(names) > 6
    assert [] == [n for n in names if f"`{n}`" not in text]


@pytest.mark.parametrize(("path", "status"), [("/healthz", 200), ("/metrics", 401)])
def test_figures_are_for_this_machine(tmp_path: Any, path: str, status: int) -> None:
    """From elsewhere it is said that the server lives, and no more."""
    session = make_session(tmp_path, open_to_all=False)
    app = create_app(session)
    here, there = (
        TestClient(app, base_url="http://127.0.0.1", client=(a, 5))
        for a in ("127.0.0.1", "10.0.0.9")
    )
    answers = [c.get(path).status_code for c in (here, there)]
    session.close()

    assert [200, status] == answers
