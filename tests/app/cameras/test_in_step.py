"""The picture beside the board shows what is told."""

from __future__ import annotations

import pytest

from kibitz.app.reading.lines import rows_of
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import HOST
from tests.app.server_help import EMPTY, board, make_session, picture_of


@pytest.mark.parametrize("stream", [False, True], ids=["photographs", "film"])
def test_a_play_is_told_when_its_picture_is_there(tmp_path, stream):
    """Whoever is woken by a play finds the camera at the picture that shows it."""
    session = make_session(tmp_path)
    table = session.tables.create(Order("scrabble", ("Ann", "Bob"))).table
    camera = session.camera(table)
    seen = []

    def look() -> None:
        newest = camera.newest
        if newest is not None and newest.frame.reading is not None:
            row = rows_of(newest.frame.reading.boards[0])[7]
            seen.append((table.view(HOST)["board"][7], row, newest.number))

    for number, rows in enumerate((EMPTY, EMPTY, board(H7="AT"), board(H7="AT"), board(H7="AT"))):
        if number == 2:
            table.listeners.append(look)
        camera.take(picture_of(rows), stream=stream, at=float(number))
    told = next(one for one in seen if one[0] != EMPTY[7])
    session.close()

    assert told[0] == told[1] == "......AT......."
