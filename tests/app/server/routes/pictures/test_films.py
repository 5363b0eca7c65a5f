"""A film of a game, handed to its table: who may, what is taken, how far it has been read."""

from __future__ import annotations

import time

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient

from kibitz.app.common.files import FolderLock
from kibitz.app.server.app import create_app
from tests.app.server_help import bearer, new_table


def _send(client, made, data, token=None, name="game.avi"):
    headers = {**bearer(token or made["host_token"]), "content-type": "video/mp4"}
    return client.post(
        f"/api/tables/{made['table']}/film", params={"name": name}, content=data, headers=headers
    )


def _film(tmp_path, seconds=2):
    """A film of a bare table, ten pictures a second."""
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (320, 240))
    for _ in range(10 * seconds):
        writer.write(np.full((240, 320, 3), 120, np.uint8))
    writer.release()
    return path.read_bytes()


@pytest.mark.parametrize("data", [b"", b"#EXTM3U\nfile:///etc/passwd\n", b"RIFF....WAVE"])
def test_what_is_no_film_is_refused(client, data):
    """Lists that would make the reader open other addresses are none."""
    answer = _send(client, new_table(client), data)

    assert (415, "not_a_film") == (answer.status_code, answer.json()["error"]["code"])


def test_only_the_host_hands_in_a_film(client, tmp_path):
    """Not a seat, a camera or a watcher; and nobody else asks how far it is."""
    made = new_table(client)
    others = [made["seat_tokens"]["Ann"], made["camera_token"], made["watch_token"]]
    path = f"/api/tables/{made['table']}/film"

    assert [403] * 3 == [_send(client, made, b"x", token).status_code for token in others]
    assert [403] * 3 == [client.get(path, headers=bearer(x)).status_code for x in others]
    assert 404 == client.get(path, headers=bearer(made["host_token"])).status_code


def test_a_film_is_read_to_its_end(client, tmp_path):
    """Its length is known at once, and its end is told."""
    made = new_table(client)
    begun = _send(client, made, _film(tmp_path)).json()
    until = time.monotonic() + 60
    now = begun
    while now["state"] == "reading" and time.monotonic() < until:
        time.sleep(0.05)
        path = f"/api/tables/{made['table']}/film"
        now = client.get(path, headers=bearer(made["host_token"])).json()

    assert ("game.avi", 2.0) == (begun["name"], begun["of_s"])
    assert ("done", "") == (now["state"], now["message"])
    assert now["at_s"] > 1.5


def test_films_of_a_server_that_was_killed_are_taken_away(session, tmp_path, monkeypatch):
    """At the next start; those of one that lives or just makes its folder stay, and its own go when it ends."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left, held, new = (tmp_path / f"kibitz-films-{name}" for name in ("left", "held", "new"))
    for folder in (left, held, new):
        folder.mkdir(mode=0o700)
        (folder / "film").write_bytes(b"a game")
    FolderLock(left).release()
    lock = FolderLock(held)
    with TestClient(create_app(session)) as client:
        _send(client, new_table(client), _film(tmp_path))
        during = sorted(x.name for x in tmp_path.glob("kibitz-*"))
    after = sorted(x.name for x in tmp_path.glob("kibitz-*"))
    lock.release()

    assert (3, False) == (len(during), left.name in during)
    assert ["kibitz-films-held", "kibitz-films-new"] == after


def test_a_damaged_film_is_told_in_words(client):
    """It begins like one and holds nothing."""
    made = new_table(client)
    _send(client, made, b"\x00\x00\x00\x18ftypisom" + bytes(400))
    until = time.monotonic() + 60
    state = "reading"
    while state == "reading" and time.monotonic() < until:
        time.sleep(0.05)
        path = f"/api/tables/{made['table']}/film"
        now = client.get(path, headers=bearer(made["host_token"])).json()
        state = now["state"]

    assert "failed" == state
    assert "save it as MP4" in now["message"]
