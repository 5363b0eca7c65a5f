"""Choosing and aiming a table's camera over HTTP."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from kibitz.app.server.app import create_app
from kibitz.engine.phrases import phrase
from tests.app.cameras.camera_help import http_camera
from tests.app.server.background.test_feed import wait
from tests.app.server_help import PLAY, bearer, board, make_session, new_table, picture_of

SQUARE = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]


def show(client, made):
    path = f"/api/tables/{made['table']}/frames"
    headers = {**bearer(made["camera_token"]), "content-type": "image/png"}
    return client.post(path, content=picture_of(board()), headers=headers)


def aim(client, made, corners, token=None):
    headers = bearer(token or made["host_token"])
    path = f"/api/tables/{made['table']}/corners"
    return client.put(path, json={"corners": corners}, headers=headers)


def source(client, made, text, token=None):
    headers = bearer(token or made["host_token"])
    path = f"/api/tables/{made['table']}/source"
    return client.put(path, json={"source": text}, headers=headers)


def act(client, made):
    path = f"/api/tables/{made['table']}/actions"
    client.post(path, json=PLAY, headers=bearer(made["host_token"])).raise_for_status()


def watched(session):
    """The tables that a camera was opened for."""
    return [camera.table for camera in session.cameras()]


def test_corners_by_hand_are_used_and_given_back(client, session):
    """Corners are parts of the picture; the reader gets them as pixels until they are let go."""
    made = new_table(client)
    show(client, made)
    aimed = aim(client, made, SQUARE).json()["camera"]["aimed"]
    look = session.camera(session.tables.get(made["table"]))._request
    freed = aim(client, made, None).json()["camera"]["aimed"]

    assert (aimed, freed) == (True, False)
    assert look.corners == tuple(map(tuple, SQUARE))


@pytest.mark.parametrize(
    "corners",
    [
        [[0.1, 0.1], [0.9, 0.9], [0.9, 0.1], [0.1, 0.9]],
        [[0.5, 0.5]] * 4,
        SQUARE[:3],
        [[0.1, 0.1], [9, 0.1], [0.9, 0.9], [0.1, 0.9]],
        [["a", 0.1], *SQUARE[1:]],
    ],
)
def test_corners_that_make_no_board_are_refused(client, corners):
    """Crossed, equal, missing or far-off corners change nothing."""
    made = new_table(client)
    show(client, made)
    answer = aim(client, made, corners)

    assert answer.status_code == 422
    assert answer.json()["error"]["code"] in ("bad_corners", "bad_request")


def test_corners_need_a_frame_and_one_board(client):
    """Before the first frame, and where no single board lies, there is nothing to aim."""
    early = aim(client, new_table(client), SQUARE).json()
    loose = new_table(client, "grabscrab")
    house = new_table(client, "scrabble-house", ("A", "B", "C", "D"))
    codes = [aim(client, m, SQUARE).json()["error"]["code"] for m in (loose, house)]

    assert early["error"]["code"] == "no_frame"
    assert codes == ["no_corners", "no_corners"]


@pytest.mark.parametrize("role", ["watch", "Ann"])
def test_seats_and_watchers_do_not_touch_the_camera(client, role):
    """Neither its place nor its source is theirs."""
    made = new_table(client)
    show(client, made)
    token = made["watch_token"] if role == "watch" else made["seat_tokens"][role]
    statuses = [aim(client, made, SQUARE, token), source(client, made, "0", token)]

    assert [s.status_code for s in statuses] == [403, 403]


def test_a_page_opens_an_address_however_its_scheme_is_written(client):
    """Capitals in a scheme are nothing to the command line, nor to the page."""
    made = new_table(client)
    answers = [source(client, made, text) for text in ("HTTP://127.0.0.1:1/", None)]

    assert [200, 200] == [a.status_code for a in answers]


@pytest.mark.parametrize("text", ["/etc/passwd", "browser", "~", "file:///etc/passwd", "../x.mp4"])
def test_a_page_opens_no_files(client, text):
    """Files and folders of the server are for its command line only."""
    answer = source(client, new_table(client), text)

    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "no_such_camera"


def test_a_camera_that_a_page_chose_is_opened_again_after_a_restart(tmp_path):
    """By its address, as long as the game goes on and nobody has let go of it."""
    with http_camera() as camera:
        address = f"{camera.address}/stream"
        session = make_session(tmp_path)
        with TestClient(create_app(session)) as client:
            made, closed = new_table(client), new_table(client)
            for table in (made, closed):
                act(client, table)
                source(client, table, address)
            source(client, closed, None)
        session = make_session(tmp_path)
        with TestClient(create_app(session)):
            again = wait(lambda: session.tables.is_open(made["table"]) in watched(session))
            others = [t.id for t in watched(session)]

    assert again
    assert [made["table"]] == others


def test_the_servers_cameras_are_its_hosts(tmp_path):
    """From another machine a table's token opens no camera of the server; its key does."""
    session = make_session(tmp_path, open_to_all=False, host_key="the-key-of-the-host")
    client = TestClient(create_app(session))
    key = {"x-kibitz-key": "the-key-of-the-host"}
    order = {"game": "scrabble", "players": ["Ann", "Bob"]}
    made = client.post("/api/tables", json=order, headers=bearer("the-key-of-the-host")).json()
    path, token = f"/api/tables/{made['table']}/source", bearer(made["host_token"])
    without = client.put(path, json={"source": None}, headers=token)
    answer = client.put(path, json={"source": None}, headers={**token, **key})
    session.close()

    assert without.status_code == 403
    assert answer.json() == {"opened": None, "stopped": False}


def test_all_cameras_are_listed_for_the_servers_host(client, session):
    """How many pictures, from where, how large, what is wrong; with the newest picture."""
    made = new_table(client)
    before = client.get("/api/cameras").json()["cameras"]
    show(client, made)
    session.camera(session.tables.get(made["table"])).note_trouble("nobody answers there")
    (camera,) = client.get("/api/cameras").json()["cameras"]
    picture = client.get(camera["picture"])

    assert [] == before
    assert (made["table"], 1, 1) == (camera["table"], camera["number"], camera["pictures"])
    german = client.get("/api/cameras", headers={"X-Kibitz-Language": "de"}).json()["cameras"]

    assert ("photographs", [320, 320]) == (camera["source"], camera["size"])
    assert ["Fotos"] == [one["source"] for one in german]
    assert ("nobody answers there", False) == (
        camera["trouble"]["message"],
        camera["trouble"]["over"],
    )
    assert b"\xff\xd8" == picture.content[:2]


def test_what_is_wrong_with_a_camera_is_said_in_the_callers_language(client, session):
    """The advice about the view and the last error."""
    made = new_table(client)
    camera = session.camera(session.tables.get(made["table"]))
    camera.note_trouble(phrase("No frame has come yet; start the camera first."))
    (said,) = client.get("/api/cameras", headers={"X-Kibitz-Language": "de"}).json()["cameras"]

    assert "Noch ist kein Bild gekommen; startet zuerst die Kamera." == said["trouble"]["message"]


def test_nobody_else_sees_the_list(tmp_path):
    """Neither without a key nor with a table's token: pictures may show racks."""
    session = make_session(tmp_path, open_to_all=False, host_key="k")
    client = TestClient(create_app(session), client=("203.0.113.9", 5000))
    asked = [client.get("/api/cameras"), client.get("/api/cameras/abc/1.jpg", headers=bearer("x"))]
    session.close()

    assert [401, 403] == [answer.status_code for answer in asked]
