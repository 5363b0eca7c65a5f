"""Every camera of a table is asked when a turn ends or somebody says: look."""

from __future__ import annotations

import pytest

from kibitz.app.tables.looking import look_with
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.engine.rules import Action
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
        number, look = camera.number, camera.look_now
        table.camera_looks[number] = lambda n=number, e=look: (asked.append(n), e())[1]
    table.act(Action("look"), HOST)
    table.act(Action("pass"), HOST)
    session.close()

    assert [0, 1, 2, 0, 1, 2] == asked
