"""The report of a misreading that a table's host takes away."""

from __future__ import annotations

import io
import json
import zipfile

from fastapi.testclient import TestClient

from kibitz.app.server.app import create_app
from tests.app.server_help import act, bearer, board, make_session, new_table, see


def test_a_report_holds_picture_reading_and_corrections(tmp_path):
    """What was read, what the game has and what people put right; no player's name is in it."""
    with TestClient(create_app(make_session(tmp_path))) as client:
        made = new_table(client, players=["Zenobia", "Quentin"])
        path = f"/api/tables/{made['table']}/report.zip"
        early = client.get(path, headers=bearer(made["host_token"]))
        see(client, made, board(H7="AT"))
        see(client, made, board(H7="AT"))
        act(client, made, {"action": "correct", "square": "H8", "letter": "D"})
        answer = client.get(path, headers=bearer(made["host_token"]))
        others = [
            client.get(path, headers=bearer(token)).status_code
            for token in (
                made["seat_tokens"]["Zenobia"],
                made["watch_token"],
                made["camera_token"],
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
