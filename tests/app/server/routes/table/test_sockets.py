"""Records, secrets, and what goes over the sockets."""

from __future__ import annotations

import json

from tests.app.server_help import (
    PLAY,
    act,
    bearer,
    board,
    new_table,
    picture_of,
    see,
    state,
)


def test_the_record_is_the_hosts_until_the_game_is_over(client):
    """Watchers and seats read the record only after the end."""
    made = new_table(client)
    act(client, made, PLAY)
    path = f"/api/tables/{made['table']}/record"
    roles = (made["host_token"], made["watch_token"], made["seat_tokens"]["Bob"])

    before = [client.get(path, headers=bearer(t)).status_code for t in roles]
    act(client, made, {"action": "end_game"})
    after = [client.get(path, headers=bearer(t)).status_code for t in roles]
    camera = client.get(path, headers=bearer(made["camera_token"])).status_code

    assert before == [200, 403, 403]
    assert after == [200, 200, 200]
    assert camera == 403


def test_records_come_as_json_and_csv(client):
    """Header and events as JSON; a row an entry as CSV, safe to open in a spreadsheet."""
    made = new_table(client, players=("=Ann", "Bob"))
    act(client, made, {**PLAY, "player": "=Ann"})
    path = f"/api/tables/{made['table']}/record"

    record = client.get(path, headers=bearer(made["host_token"])).json()
    rows = client.get(f"{path}?format=csv", headers=bearer(made["host_token"])).text.splitlines()
    other = client.get(f"{path}?format=docx", headers=bearer(made["host_token"]))

    assert [e["kind"] for e in record["events"]] == ["told"]
    assert record["final"]["scores"] == {"=Ann": 4, "Bob": 0}
    assert rows[1] == "1,'=Ann,place,AT,H7=A H8=T,4,4,0"
    assert other.status_code == 422


FLEETS = {
    "Ann": {
        "carrier": ["A1", "A5"],
        "scrabbleship": ["B1", "B4"],
        "submarine": ["C1", "C3"],
        "destroyer": ["D1", "D3"],
        "patrol": ["E1", "E2"],
    },
    "Bob": {
        "carrier": ["O1", "O5"],
        "scrabbleship": ["N1", "N4"],
        "submarine": ["M1", "M3"],
        "destroyer": ["L1", "L3"],
        "patrol": ["K1", "K2"],
    },
}


def test_a_seat_never_sees_anothers_fleet(client):
    """Neither state, history, record, socket nor answer tells a fleet to who does not own it."""
    made = new_table(client, "scrabbleship")
    seats = made["seat_tokens"]
    for player, fleet in FLEETS.items():
        body = {"action": "enter_fleet", "fleet": fleet}
        assert act(client, made, body, seats[player]).status_code == 200

    secrets = {"Ann": '"E2"', "Bob": '"K2"'}
    seen = {
        who: state(client, made, token).text
        for who, token in {**seats, "host": made["host_token"], "w": made["watch_token"]}.items()
    }
    path = f"/api/tables/{made['table']}"
    record = client.get(f"{path}/record", headers=bearer(made["host_token"])).text
    with client.websocket_connect(f"{path}/live?token={seats['Ann']}") as socket:
        live = json.dumps(socket.receive_json())

    assert secrets["Ann"] in seen["Ann"]
    assert secrets["Bob"] not in seen["Ann"]
    assert secrets["Bob"] in seen["Bob"]
    assert secrets["Ann"] not in seen["Bob"]
    assert secrets["Bob"] not in live
    for text in (seen["host"], seen["w"], record):
        assert secrets["Ann"] not in text
        assert secrets["Bob"] not in text


def test_a_page_is_told_at_once(client):
    """The socket begins with the state and pushes every change."""
    made = new_table(client)
    url = f"/api/tables/{made['table']}/live?token={made['watch_token']}"

    with client.websocket_connect(url) as socket:
        first = socket.receive_json()
        act(client, made, PLAY)
        second = socket.receive_json()

    assert (first["type"], first["seq"]) == ("state", 0)
    assert (second["type"], second["seq"]) == ("state", 1)
    assert second["said"][0]["lines"][0] == "Ann plays AT."


def test_a_streaming_camera_tells_the_table_only_what_is_still(client):
    """A frame counts when the next one agrees; the same position is told once."""
    made = new_table(client)
    url = f"/api/tables/{made['table']}/camera?token={made['camera_token']}"
    frames = [board(), board(), board(H7="CA"), board(H7="CAT"), board(H7="CAT"), board(H7="CAT")]

    answers = []
    with client.websocket_connect(url) as socket:
        for rows in frames:
            socket.send_bytes(picture_of(rows))
            answers.append(socket.receive_json())
        socket.send_bytes(b"no picture")
        bad = socket.receive_json()
    history = state(client, made, made["watch_token"]).json()["history"]

    assert [a["settled"] for a in answers] == [False, True, False, False, True, True]
    assert [[w["word"] for w in h["words"]] for h in history] == [["CAT"]]
    assert bad["error"]["code"] == "not_an_image"


def test_a_phone_that_falls_silent_is_in_trouble(client, session):
    """After four seconds without a picture everybody is told, until the next one comes."""
    made = new_table(client)
    url = f"/api/tables/{made['table']}/camera?token={made['camera_token']}"

    def trouble(after_s):
        (camera,) = session.cameras()
        camera._came -= after_s
        camera.note_silence()
        return state(client, made, made["watch_token"]).json()["camera"]["error"]

    with client.websocket_connect(url) as socket:
        socket.send_bytes(picture_of(board()))
        socket.receive_json()
        told = [trouble(3.0), trouble(1.0)]
        socket.send_bytes(picture_of(board()))
        socket.receive_json()
        told.append(trouble(0.0))
    told.append(trouble(4.0))

    assert [None, "camera_away", None, "camera_away"] == [x and x["code"] for x in told]


def test_who_sends_photographs_may_take_time(client, session):
    """Only a stream of pictures can break off, and only in a game that goes on."""
    made = new_table(client)
    see(client, made, board())
    (camera,) = session.cameras()
    camera._came -= 100.0
    camera.note_silence()
    photographed = camera.trouble
    camera.pushed = True
    act(client, made, {"action": "end_game"})
    camera.note_silence()

    assert ("", "") == (photographed, camera.trouble)


def test_a_code_to_scan_is_made_here(client):
    """The QR code of a join address is an SVG made without any network."""
    answer = client.post("/api/qr", json={"text": "http://127.0.0.1/seat/x#token=abc"})

    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert "<svg" in answer.text
