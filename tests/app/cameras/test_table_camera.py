"""What a table's camera does while it sees no board."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.app.cameras.settling import REST
from tests.app.cameras.test_turn_ends import Filmed
from tests.app.server_help import ReadsBarcodes, make_session, png_of


@pytest.fixture
def filmed(tmp_path):
    session = make_session(tmp_path, rest=REST)
    yield Filmed(session)
    session.close()


def test_a_board_that_was_not_found_is_looked_for_once_a_second(filmed, monkeypatch):
    """Where nothing moves: a lamp may be put on."""
    read, looked = ReadsBarcodes.read, []
    monkeypatch.setattr(ReadsBarcodes, "read", lambda *x: looked.append(tenth) or read(*x))
    table = png_of(np.full((320, 320, 3), 100, np.uint8))
    for tenth in range(46):
        filmed.camera.take(table, stream=True, at=tenth / 10)

    assert [10, 10, 10] == np.diff(looked)[-3:].tolist()
