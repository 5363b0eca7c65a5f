"""Every camera of a table is asked when a turn ends or somebody says: look."""

from __future__ import annotations

import pytest

from kibitz.app.common.storage.tables import Storage
from kibitz.app.tables.looking import look_with
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.engine.rules import Action, Refused
from tests.app.server_help import make_session

HOST = Actor("host")


@pytest.mark.parametrize(
    ("seen", "together"),
    [
        ((), "no_camera"),
        (("no_camera", "no_camera"), "no_camera"),
        (("no_change", "no_camera"), "no_change"),
        (("no_change", "play"), "play"),
        (("moving", "play"), "play"),
        (("no_change", "moving"), "moving"),
        (("no_camera", "covered", "no_change"), "covered"),
    ],
)
def test_what_several_cameras_see_together(seen, together):
    """A play counts before a hand before nothing new before no camera."""
    assert together == look_with([lambda s=s: s for s in seen])


def test_a_pass_asks_every_camera_of_the_table(tmp_path):
    """Also those that were set up before the newest one, and the one that was set up anew."""
    session = make_session(tmp_path)
    table = session.tables.create(Order("frankenscrabbards", ("Ann", "Bob"))).table
    cameras = [session.camera(table, number, panel=number + 1) for number in range(3)]
    asked: list[int] = []
    for camera in cameras:
        eye = table.eyes[camera.number]
        table.eyes[camera.number] = lambda n=camera.number, e=eye: (asked.append(n), e())[1]
    table.act(Action("look"), HOST)
    table.act(Action("pass"), HOST)
    session.close()

    assert [0, 1, 2, 0, 1, 2] == asked


def test_a_refused_key_stays_with_its_call_after_a_restart(tmp_path):
    """What was refused under a key is refused again; another call under it is another refusal."""
    tables = Tables(Storage(str(tmp_path)))
    table = tables.create(Order("scrabble", ("Ann", "Bob"))).table
    wrong = Action("place", data={"tiles": {"A1": "A", "A2": "T"}})
    first = table.act(wrong, HOST, "key")
    tables.close()
    tables = Tables(Storage(str(tmp_path)))
    again = tables.get(table.id)
    assert again is not None
    found = [again.act(wrong, HOST, "key"), again.act(Action("pass"), HOST, "key")]
    seq = again.seq
    tables.close()

    assert isinstance(first, Refused)
    assert [first.code, "idempotency_key_reused"] == [
        r.code if isinstance(r, Refused) else "done" for r in found
    ]
    assert first.message == getattr(found[0], "message", "")
    assert 0 == seq
