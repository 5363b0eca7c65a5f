"""A game goes on the next day: the camera stands elsewhere, and the first thing is a play."""

from __future__ import annotations

import pytest

from kibitz.app.cameras.settling import REST
from tests.app.cameras.test_turn_ends import Filmed
from tests.app.server_help import board, make_session

FIRST = [board(H8="CAT"), board(H8="CAT", v_H8="COW")]
TEN = {"v_H10": "TEN"}


def turned(rows, quarters):
    """The board as a camera at another side sees it."""
    for _ in range(quarters):
        rows = ["".join(row[i] for row in reversed(rows)) for i in range(len(rows))]
    return rows


@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, [("Ann", ["TEN"])]),
        ({"J10": "NOT"}, [("Ann", ["TE"]), ("Bob", ["NOT", "TEN"])]),
    ],
)
def test_the_board_is_known_by_its_tiles_the_next_day(tmp_path, quarters, more, expected):
    """From whichever side it is seen; what was laid while no camera watched counts."""
    session = make_session(tmp_path, rest=REST)
    filmed = Filmed(session)
    for rows in [board(), *FIRST]:
        filmed.show(rows, 20)
    before = filmed.done()
    session.close()
    session = make_session(tmp_path, rest=REST)
    filmed.table = session.tables.get(filmed.table.id)
    filmed.camera = session.camera(filmed.table)
    seen = turned(board(H8="CAT", v_H8="COW", **TEN, **more), quarters)
    filmed.show(seen, 20, rotation=[[90 * quarters] * 15] * 15)
    after = filmed.done()
    session.close()

    assert [["CAT"], ["COW"]] == [words for _, _, words in before]
    assert expected == [(player, words) for player, _, words in after[len(before) :]]
