"""Nine joined boards before several cameras, each over a board of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest

from kibitz.app.cli.serving.serve_tables import TablePlan, read_plans
from kibitz.app.common.errors import UsageError
from kibitz.app.common.storage.tables import Storage
from kibitz.app.reading.frames import FrameReader
from kibitz.app.server.session import Session
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.engine.table import parse_square
from tests.filming.story import BoardShot, Laid
from tests.filming.tables import BoardTable, View

LAID = {"2:H5": "OCEAN", "5:H8": "TIGER"}


def shot(*names: str) -> BoardShot:
    """Some of the words, each on its board."""
    tiles = {}
    for name in names:
        square = parse_square(name)
        for letter in LAID[name]:
            tiles[square] = Laid(letter)
            square = square.step("across")
    return BoardShot(tiles)


def jpeg(panel: int, seen: BoardShot) -> bytes:
    """What the camera over one board sees."""
    table = BoardTable(View(10), 45)
    table.aim_at(panel, 1280, 1000, 0.8, 8.0)
    done, data = cv2.imencode(".jpg", table.photograph(seen, panel))
    assert done
    return data.tobytes()


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """A server's life with the real reader."""
    made = Session(Tables(Storage(str(tmp_path))), FrameReader())
    yield made
    made.close()


def test_each_camera_brings_its_own_board_up_to_date(session: Session) -> None:
    """Plays on two boards come from two cameras and are one game."""
    opened = session.tables.create(Order("frankenscrabbards", ("Ann", "Bob")))
    table = opened.table
    cameras = {2: session.camera(table, 0, 2), 5: session.camera(table, 1, 5)}
    said = []
    for panel, names in [(2, ()), (5, ()), (2, ("2:H5",)), (5, ("2:H5",)), (5, tuple(LAID))]:
        report = cameras[panel].take(jpeg(panel, shot(*names)), stream=False)
        assert report.line is not None
        said += report.line["say"]
    board = table.view(Actor("host"))["board45"]

    assert [s for s in said if " plays " in s] == ["Ann plays OCEAN.", "Bob plays TIGER."]
    assert board == shot(*LAID).rows(45)


def test_a_camera_for_each_board_in_the_settings(tmp_path: Path) -> None:
    """A settings file names the cameras of joined boards, and which board each watches."""
    path = tmp_path / "tables.toml"
    path.write_text(
        'version = 1\n[[tables]]\ngame = "frankenscrabbards"\ncameras = ["0", "1"]\npanels = [2, 5]\n'
    )
    (plan,) = read_plans(path)

    assert (plan.watched, plan.panels) == (("0", "1"), (2, 5))


def test_cameras_that_cannot_be() -> None:
    """Several cameras are for joined boards, and every camera has its board."""
    with pytest.raises(UsageError, match="several cameras are for joined boards"):
        TablePlan("scrabble", cameras=("0", "1"))
    with pytest.raises(UsageError, match="a board for each of 2 cameras, got 1"):
        TablePlan("frankenscrabbards", cameras=("0", "1"), panels=(3,))
