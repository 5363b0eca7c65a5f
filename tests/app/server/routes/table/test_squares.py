"""One square as a camera sees it: likely letters and a picture, for who may put it right."""

from __future__ import annotations

import cv2
import numpy as np

from tests.app.server_help import act, bearer, board, new_table, picture_of, see


def _ask(client, made, square, token=None, ending="", **query):
    path = f"/api/tables/{made['table']}/squares/{square}{ending}"
    return client.get(path, params=query, headers=bearer(token or made["host_token"]))


def test_without_a_camera_there_is_nothing_to_see(client):
    """No letters and no picture: whoever is asked takes the whole alphabet."""
    made = new_table(client)

    assert {"square": "H8", "letters": [], "picture": None} == _ask(client, made, "H8").json()
    assert 404 == _ask(client, made, "H8", ending=".jpg").status_code


def test_the_likeliest_letter_comes_first(client):
    """With its probability and the address of its picture, for the host and the players."""
    made = new_table(client)
    see(client, made, board(H7="AT"))
    told = _ask(client, made, "H8", made["seat_tokens"]["Bob"]).json()
    shares = [one["share"] for one in told["letters"]]
    picture = client.get(told["picture"], headers=bearer(made["host_token"]))
    pixels = cv2.imdecode(np.frombuffer(picture.content, np.uint8), cv2.IMREAD_COLOR)

    assert "T" == told["letters"][0]["letter"]
    assert sorted(shares, reverse=True) == shares
    assert (240, 240, 3) == pixels.shape


def test_who_only_watches_gets_neither(client):
    """Pictures of the table are for those who play at it."""
    made = new_table(client)
    see(client, made, board(H7="AT"))
    answers = [_ask(client, made, "H8", made["watch_token"], ending) for ending in ("", ".jpg")]

    assert [403, 403] == [answer.status_code for answer in answers]


def test_what_is_no_square_is_said(client):
    """A name that no board has, a square off this board, and a board that is not there."""
    made = new_table(client)
    see(client, made, board(H7="AT"))
    wrong = [
        _ask(client, made, "Z9"),
        _ask(client, made, "9:A1"),
        _ask(client, made, "H8", board=2),
    ]

    assert [422] * 3 == [answer.status_code for answer in wrong]
    assert "expected a square as 'h8'" in wrong[0].json()["error"]["message"].lower()


def test_the_straightened_board_is_for_everybody(client):
    """A watcher gets it: nothing beside the board is in it. Without a camera there is none."""
    made = new_table(client)
    path = f"/api/tables/{made['table']}/board.jpg"
    watcher = bearer(made["watch_token"])
    before = client.get(path, headers=watcher)
    see(client, made, board(H7="AT"))
    shown, again = client.get(path, headers=watcher), client.get(path, headers=watcher)
    pixels = cv2.imdecode(np.frombuffer(shown.content, np.uint8), cv2.IMREAD_COLOR)

    assert 404 == before.status_code
    assert (900, 900, 3) == pixels.shape
    assert shown.content == again.content
    assert 401 == client.get(path).status_code


def test_only_pages_that_take_watchers_may_be_framed(client):
    """A page with buttons in somebody's frame could be tapped without being seen."""
    held = client.get("/show/abc").headers
    others = [client.get(path).headers for path in ("/", "/table/abc", "/seat/abc", "/setup/abc")]

    assert "frame-ancestors *" in held["content-security-policy"]
    assert "x-frame-options" not in held
    assert {"DENY"} == {headers["x-frame-options"] for headers in others}
    assert all("frame-ancestors 'none'" in x["content-security-policy"] for x in others)


def test_a_loose_tile_that_is_asked_about_is_shown_to_the_players(client):
    """As long as it is asked about, and to nobody who only watches."""
    made = new_table(client, "grabscrab")
    path, token = f"/api/tables/{made['table']}", made["seat_tokens"]["Bob"]

    def get(token):
        return client.get(f"{path}/tile.jpg", headers=bearer(token))

    for shown in ({"loose": ["R", 4]}, {"loose": ["RO", 3], "doubt": [1, {"B": 0.5, "E": 0.45}]}):
        before = get(token).status_code
        camera = {**bearer(made["camera_token"]), "content-type": "image/png"}
        client.post(f"{path}/frames", content=picture_of([], **shown), headers=camera)
    seen, watcher = get(token), get(made["watch_token"]).status_code
    pixels = cv2.imdecode(np.frombuffer(seen.content, np.uint8), cv2.IMREAD_COLOR)
    act(client, made, {"action": "answer", "field": "tile", "value": "E"}, token)

    assert (404, 403, (240, 240, 3)) == (before, watcher, pixels.shape)
    assert 404 == get(token).status_code
