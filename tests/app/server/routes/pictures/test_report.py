"""The report of a misreading that a table's host takes away."""

from __future__ import annotations

import io
import json
import zipfile

from fastapi.testclient import TestClient

from kibitz.app.server.app import create_app
from kibitz.app.tables.orders import Order
from tests.app.server_help import act, bearer, board, make_session, see


def test_a_report_holds_picture_reading_and_corrections(tmp_path):
    """What was read, what the game has and what people put right; no player's name is in it."""
    session = make_session(tmp_path, open_to_all=False)
    opened = session.tables.create(Order("scrabble", ("Zenobia", "Quentin")))
    made = {
        "table": opened.table.id,
        "host_token": opened.host,
        "camera_token": opened.camera,
    }
    with TestClient(create_app(session)) as client:
        path = f"/api/tables/{made['table']}/report.zip"
        early = client.get(path, headers=bearer(made["host_token"]))
        see(client, made, board(H7="AT"))
        see(client, made, board(H7="AT"))
        act(client, made, {"action": "correct", "square": "H8", "letter": "D"})
        answer = client.get(path, headers=bearer(made["host_token"]))
        others = [
            client.get(path, headers=bearer(token)).status_code
            for token in (
                opened.seats["Zenobia"],
                opened.watch,
                opened.camera,
            )
        ]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as report:
        names = report.namelist()
        told = json.loads(report.read("report.json"))

    assert (404, [403, 403, 403]) == (early.status_code, others)
    assert ["picture-1.jpg", "report.json"] == names
    assert "......AT......." == told["readings"][0]["boards"][0]["rows"][7]
    assert ("......AD.......", [{"square": "H8", "letter": "D"}]) == (
        told["table"]["rows"]["board"][7],
        told["table"]["corrected"],
    )
    assert b"Zenobia" not in answer.content
    assert "Zenobia" not in json.dumps(told)
