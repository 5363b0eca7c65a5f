"""Several servers share one PostgreSQL: any takes a table's calls, one runs it."""

from __future__ import annotations

import json
import sys

import httpx
import pytest
from websockets.sync.client import connect

from kibitz.app.cameras import film as film_camera
from tests.app.cameras.camera_help import PluggedIn
from tests.app.common.storage.postgres_help import address, fresh_database, postgres
from tests.app.hall.hall_help import HallServer, open_table, two_servers, until
from tests.app.server_help import PLAY, act, bearer, board, new_table, see, state

__all__ = ["address", "postgres"]

SECOND = {"action": "place", "player": "Bob", "tiles": {"G7": "B"}}


@pytest.fixture
def pair(address):
    with two_servers(fresh_database(address)) as servers:
        yield servers


@pytest.fixture
def clients():
    """Makes a client for each of some servers, and closes them in the end."""
    made = []

    def for_servers(*servers):
        made.extend(httpx.Client(base_url=s.address, timeout=90) for s in servers)
        return made[-len(servers) :]

    yield for_servers
    for client in made:
        client.close()


def test_any_server_takes_a_tables_actions_and_shows_it(pair, clients):
    """The second server passes both on; the table is open at the first alone."""
    left, right = clients(*pair)
    made = open_table(left)
    told = act(right, made, PLAY).json()
    seen = state(right, made, made["watch_token"]).json()

    assert (1, True, {"Ann": 4, "Bob": 0}) == (told["seq"], told["saved"], seen["view"]["scores"])
    assert pair[0].session.tables.is_open(made["table"]) is not None
    assert pair[1].session.tables.is_open(made["table"]) is None


def test_a_page_at_one_server_hears_of_plays_told_at_another(pair, clients):
    """Its socket is passed on to the server that runs the table, in both directions."""
    (left,) = clients(pair[0])
    made = open_table(left)
    path = f"/api/tables/{made['table']}/live?token={made['seat_tokens']['Bob']}"
    with connect(pair[1].address.replace("http", "ws") + path, proxy=None) as page:
        first = json.loads(page.recv(60))
        act(left, made, PLAY)
        then = json.loads(page.recv(60))

    assert (0, 1, "Bob") == (first["seq"], then["seq"], then["you"]["player"])


def test_a_frame_that_reaches_another_server_is_read_where_the_table_is_run(pair, clients):
    """Bodies of pictures are passed on whole."""
    left, right = clients(*pair)
    made = open_table(left)
    line = see(right, made, board(H7="AT")).json()["line"]

    assert ("play", True) == (line["status"], line["saved"])


def test_what_a_token_may_not_do_is_refused_through_another_server_too(pair, clients):
    """The server that runs the table looks at the token, whoever passed the call on."""
    left, right = clients(*pair)
    made = open_table(left)
    wrong = right.get(f"/api/tables/{made['table']}", headers=bearer("x" * 32)).status_code
    watching = act(right, made, PLAY, made["watch_token"]).status_code
    none = right.get(f"/api/tables/{made['table']}").status_code

    assert (404, 403, 401) == (wrong, watching, none)


def test_a_key_stands_for_one_action_at_all_servers(pair, clients):
    """The same call at another server answers as before and does nothing."""
    left, right = clients(*pair)
    made = open_table(left)
    first = act(left, made, PLAY, **{"Idempotency-Key": "once"}).json()
    again = act(right, made, PLAY, **{"Idempotency-Key": "once"}).json()

    assert (1, 1, True) == (first["seq"], again["seq"], again["repeated"])


def test_a_server_that_ends_leaves_its_tables_to_the_other_at_once(pair, clients):
    """What was played is there, and play goes on."""
    left, right = clients(*pair)
    made = open_table(left)
    act(left, made, PLAY)
    pair[0].stop()
    told = act(right, made, SECOND).json()

    assert (2, True) == (told["seq"], told["saved"])


def test_a_page_waits_at_the_other_server_while_nobody_runs_its_table(pair, clients):
    """Its socket stays open, and is told how the table stands as soon as somebody has taken it."""
    (left,) = clients(pair[0])
    made = open_table(left)
    with pair[0].session.tables.storage.transaction() as db:
        db.exec_driver_sql("UPDATE kibitz_servers SET reach = 'http://127.0.0.1:1'")
    path = f"/api/tables/{made['table']}/live?token={made['watch_token']}"
    with connect(pair[1].address.replace("http", "ws") + path, proxy=None) as page:
        pair[0].stop()
        first = json.loads(page.recv(60))

    assert ("state", 0) == (first["type"], first["seq"])


def test_a_table_comes_back_to_the_server_that_its_camera_is_plugged_into(address):
    """While that server is away another runs it; then it is handed back, with all its steps."""
    where = fresh_database(address)
    left, right = HallServer(where, "left").start(), HallServer(where, "right").start()
    with httpx.Client(base_url=right.address, timeout=90) as client:
        made = open_table(client)
        right.hall.send_home(made["table"], "left")
        there = until(lambda: left.session.tables.is_open(made["table"]))
        left.stop()
        while_away = act(client, made, PLAY).json()["seq"]
        again = HallServer(where, "left").start()
        back = until(lambda: again.session.tables.is_open(made["table"]))
        then = act(client, made, SECOND).json()["seq"]
        at_left = again.session.tables.is_open(made["table"]).seq
    again.stop()
    right.stop()

    assert (True, 1, True, 2, 2) == (there, while_away, back, then, at_left)


@pytest.mark.skipif(sys.platform != "linux", reason="devices are files only on Linux")
def test_a_camera_that_is_plugged_in_is_opened_again_when_its_server_comes_back(
    address, tmp_path, monkeypatch
):
    """It gives pictures at its own machine before and after, and nowhere in between."""
    device = tmp_path / "video3"
    device.touch()
    monkeypatch.setattr(film_camera, "DEVICES", tmp_path)
    monkeypatch.setattr(film_camera.cv2, "VideoCapture", lambda _: PluggedIn(device))
    where = fresh_database(address)
    left, right = HallServer(where, "left").start(), HallServer(where, "right").start()
    with httpx.Client(base_url=left.address, timeout=90) as client:
        made = open_table(client)
        path = f"/api/tables/{made['table']}/source"
        headers = bearer(made["host_token"])
        client.put(path, json={"source": "3"}, headers=headers).raise_for_status()
    before = until(lambda: gives_pictures(left, made))
    left.stop()
    with httpx.Client(base_url=right.address, timeout=90) as client:
        while_away = act(client, made, PLAY).json()["seq"]
        elsewhere = gives_pictures(right, made)
        again = HallServer(where, "left").start()
        after = until(lambda: gives_pictures(again, made))
        then = act(client, made, SECOND).json()["seq"]
    again.stop()
    right.stop()

    assert (True, 1, False, True, 2) == (before, while_away, elsewhere, after, then)


def gives_pictures(server, made):
    """Whether a camera of a table has given a picture at a server."""
    table = server.session.tables.is_open(made["table"])
    cameras = server.session.cameras_of(table) if table is not None else []
    return any(camera.picture(overlay=False) is not None for camera in cameras)


def test_links_made_at_one_server_are_shown_again_by_another(pair, clients):
    """All servers of a hall make the same links."""
    left, right = clients(*pair)
    made = open_table(left)
    path, body = f"/api/tables/{made['table']}/tokens", {"role": "watch"}
    shown = right.post(path, json=body, headers=bearer(made["host_token"])).json()

    assert made["watch_token"] == shown["token"]


def test_a_games_clock_goes_on_at_the_next_server_where_it_stood(pair, clients):
    """Not where its last step was told: a player may have thought for minutes since."""
    left, right = clients(*pair)
    made = new_table(left, "scrabble-house", ("Ann", "Bob"))
    table = pair[0].session.tables.is_open(made["table"])
    until(lambda: (pair[0].hall.clock_of(made["table"]) or 0.0) > 0.5)
    noted = pair[0].hall.clock_of(made["table"])
    pair[0].stop()
    goes_on = state(right, made, made["host_token"]).json()["clock"]

    assert (0, True) == (table.seq, goes_on >= noted)
