"""Tiles of any look are taught to a table over HTTP, and read there from then on."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient

from kibitz.app.cameras.table_camera import UNTAUGHT
from kibitz.app.common.storage.upkeep import taught_name
from kibitz.app.reading.frames import FrameReader
from kibitz.app.server.app import create_app
from kibitz.app.server.session import Session
from tests.app.server_help import bearer, make_session, new_table
from tests.helpers.drawn_sets import (
    PRINTED,
    UNKNOWN,
    DrawnSet,
    in_unknown,
    laid_out,
    offer_unknown,
)

ORDER = UNKNOWN
SET = DrawnSet(5)
WORD = {(7, 6): "Д", (7, 7): "О", (7, 8): "М"}
"""A first play."""


def jpeg(picture: Any) -> bytes:
    return cv2.imencode(".jpg", picture)[1].tobytes()


@pytest.fixture(scope="module")
def lesson() -> bytes:
    """All tiles laid out."""
    return jpeg(SET.photograph(laid_out(PRINTED), 1, 12.0, upright=True).picture)


@pytest.fixture(scope="module")
def played() -> bytes:
    """A board with a first play."""
    chars = np.full((15, 15), "", dtype="<U1")
    for place, letter in WORD.items():
        chars[place] = letter
    return jpeg(SET.photograph(chars, 21, 20.0, upright=True).picture)


def real_session(folder: Path) -> Session:
    """A session that reads pictures."""
    session = make_session(folder)
    session.reader = FrameReader()
    offer_unknown(session, folder)
    return session


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Any:
    session = real_session(tmp_path_factory.mktemp("taught"))
    yield TestClient(create_app(session))
    session.close()


def teach(client: Any, made: Any, data: bytes, token: str = "", **query: str) -> Any:
    headers = {**bearer(token or made["host_token"]), "content-type": "image/jpeg"}
    path = f"/api/tables/{made['table']}/taught"
    return client.post(path, content=data, headers=headers, params=query)


def told(client: Any, made: Any) -> Any:
    path = f"/api/tables/{made['table']}/taught"
    return client.get(path, headers=bearer(made["host_token"])).json()


def show(client: Any, made: Any, data: bytes) -> Any:
    headers = {**bearer(made["camera_token"]), "content-type": "image/jpeg"}
    return client.post(f"/api/tables/{made['table']}/frames", content=data, headers=headers).json()


def test_a_taught_table_reads_its_tiles_and_a_restart_keeps_it(
    tmp_path: Path, lesson: bytes, played: bytes
) -> None:
    """Before, nothing is told; then a play is read, also by the next server."""
    first = real_session(tmp_path)
    client = TestClient(create_app(first))
    made, other = (new_table(client, tiles="unknown") for _ in range(2))
    before = told(client, made)
    untaught = show(client, made, played)
    learnt = [teach(client, table, lesson).json() for table in (made, other)]
    read = show(client, made, played)
    first.close()
    second = real_session(tmp_path)
    client = TestClient(create_app(second))
    again = told(client, other)
    later = show(client, other, played)
    second.close()

    assert (True, []) == (before["possible"], before["letters"])
    assert [*(" ".join(ORDER[k : k + 10]) for k in (0, 10, 20)), "?"] == before["rows"]
    assert ["None of these letters can be read before they are taught."] == before["say"]
    assert (None, UNTAUGHT) == (untaught["line"], untaught["advice"][-1])
    assert [list(ORDER)] * 2 == [x["letters"] for x in learnt]
    assert "31 tiles were learnt." == learnt[0]["say"][0]
    assert [True, False] == [before["needed"], learnt[0]["needed"]]
    assert [in_unknown("ДОМ")] == [w["word"] for w in read["line"]["play"]["words"]]
    assert UNTAUGHT not in read["advice"]
    assert learnt[1] == again
    assert [in_unknown("ДОМ")] == [w["word"] for w in later["line"]["play"]["words"]]


def test_the_cameras_newest_picture_is_taken_and_forgotten_again(
    real: Any, lesson: bytes, played: bytes
) -> None:
    """Without a body it is the camera's; what was taught can be forgotten."""
    made = new_table(real, tiles="unknown")
    early = teach(real, made, b"").json()
    show(real, made, lesson)
    learnt = teach(real, made, b"").json()
    path = f"/api/tables/{made['table']}/taught"
    forgotten = real.delete(path, headers=bearer(made["host_token"])).json()
    read = show(real, made, played)

    assert "no_frame" == early["error"]["code"]
    assert list(ORDER) == learnt["letters"]
    assert [] == forgotten["letters"]
    assert UNTAUGHT in read["advice"]


def test_each_tile_is_shown_as_it_was_seen(real: Any, lesson: bytes) -> None:
    """Its picture is the place in the photograph that it was cut from; the blank has a name."""
    made = new_table(real, tiles="unknown")
    tiles = teach(real, made, lesson).json()["tiles"]
    photo = cv2.imdecode(np.frombuffer(lesson, np.uint8), cv2.IMREAD_COLOR)
    straight = np.array([(3, 3), (45, 3), (45, 45), (3, 45)], np.float32)
    alike = []
    for tile in tiles:
        size = photo.shape[1], photo.shape[0]
        place = (np.array(tile["place"]) * size - 0.5).astype(np.float32)
        cut = cv2.warpPerspective(photo, cv2.getPerspectiveTransform(place, straight), (48, 48))
        kept = tile["picture"].removeprefix("data:image/jpeg;base64,")
        shown = cv2.imdecode(np.frombuffer(base64.b64decode(kept), np.uint8), cv2.IMREAD_COLOR)
        alike.append(np.corrcoef(cut.ravel(), shown.ravel())[0, 1])

    assert [*ORDER[:-1], "blank"] == [tile["name"] for tile in tiles]
    assert list(ORDER) == [tile["letter"] for tile in tiles]
    assert min(alike) > 0.9


def test_letters_that_were_not_taught_are_named(real: Any) -> None:
    """A part of the set may be taught; the rest is told, in the caller's language."""
    made = new_table(real, tiles="unknown")
    part = jpeg(SET.photograph(laid_out(PRINTED[:28]), 1, 12.0, upright=True).picture)
    learnt = teach(real, made, part, order="".join(ORDER[:28])).json()

    first, second = ORDER[28:30]
    assert [first, second, "?"] == learnt["missing"]
    assert f"Not taught, and so not told: {first}, {second} and blank." == learnt["say"][1]


def test_a_wrong_picture_is_refused_in_words(real: Any, lesson: bytes) -> None:
    """What was found is said; what was taught before stays."""
    made = new_table(real, tiles="unknown")
    empty = jpeg(np.full((600, 800, 3), 90, np.uint8))
    answers = [
        teach(real, made, lesson, order="".join(ORDER[:3])),
        teach(real, made, lesson, order=f"{ORDER[0]}W"),
        teach(real, made, empty),
        teach(real, made, b"no picture"),
        teach(real, made, lesson, made["seat_tokens"]["Ann"]),
    ]
    errors = [answer.json()["error"] for answer in answers]

    assert [422, 422, 422, 422, 403] == [answer.status_code for answer in answers]
    assert ["wrong_count", "bad_request", "board_not_found", "not_an_image", "forbidden"] == [
        error["code"] for error in errors
    ]
    assert errors[0]["message"].startswith(
        "Expected 3 tiles on the board, found 31 in rows of 10 10 10 1; lay each once"
    )
    assert [31, 0, 0, 0, 0] == [len(error.get("tiles", ())) for error in errors]
    assert "expected letters of " in errors[1]["message"]
    assert [] == told(real, made)["letters"]


@pytest.mark.parametrize(("game", "count"), [("grabscrab", 2), ("scrabble-house", 4)])
def test_where_tiles_cannot_be_taught(client: Any, game: str, count: int) -> None:
    """Loose tiles and joined boards: the call says so."""
    made = new_table(client, game, ["Ann", "Bob", "Cid", "Dot"][:count])
    answer = teach(client, made, b"x").json()["error"]

    assert False is told(client, made)["possible"]
    assert "not_teachable" == answer["code"]
    assert (
        "Tiles are taught where one board is played on: not several boards, nor loose tiles."
        == answer["message"]
    )


def test_letters_that_no_network_knows_say_nothing_of_how_a_board_lies(
    session: Session, client: Any, tmp_path: Path
) -> None:
    """Where some are known they do."""
    offer_unknown(session, tmp_path)
    made = [new_table(client, tiles=tiles) for tiles in ("unknown", "en")]
    tables = [session.tables.get(x["table"]) for x in made]

    assert [False, True] == [session.look_for(table).known for table in tables]


def test_what_was_taught_goes_with_its_table(session: Session, client: Any) -> None:
    """Nothing is left in the database of a table that was deleted."""
    made = new_table(client)
    session.tables.storage.put_document(taught_name(made["table"]), "{}")
    kept = session.tables.storage.documents("taught/")
    says = told(client, made)["say"]
    client.delete(f"/api/tables/{made['table']}", headers=bearer(made["host_token"]))

    assert {f"taught/{made['table']}": "{}"} == kept
    assert ["The tiles were taught to an earlier version; teach them once more."] == says
    assert {} == session.tables.storage.documents("taught/")


def test_the_set_that_lies_before_a_live_camera_is_no_play(
    tmp_path: Path, lesson: bytes, played: bytes
) -> None:
    """A camera that watches tells nothing of the set, neither before nor after; then the play."""
    session = real_session(tmp_path)
    client = TestClient(create_app(session))
    made = new_table(client, tiles="unknown")
    camera = session.camera(session.tables.get(made["table"]))

    def film(data: bytes, start: float) -> list[Any]:
        reports = [camera.take(data, stream=True, at=start + k / 2) for k in range(8)]
        return [r.line for r in reports if r.line is not None]

    before = film(lesson, 0.0)
    teach(client, made, b"")
    after = film(lesson, 4.0)
    lines = film(played, 8.0)
    session.close()

    assert ([], []) == (before, after)
    assert [[in_unknown("ДОМ")]] == [[w["word"] for w in line["play"]["words"]] for line in lines]
