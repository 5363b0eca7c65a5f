"""What nine joined boards ask and tell, seen through HTTP."""

from __future__ import annotations

import pytest

from tests.app.server_help import act, make_session
from tests.app.tables.test_every_end import CATS, Nine, joined


@pytest.fixture
def session(tmp_path):
    """A server that reads text pictures."""
    session = make_session(tmp_path)
    yield session
    session.close()


@pytest.fixture
def live(session):
    """A table on which the star of board 5 is covered."""
    live = Nine(session, game="frankenscrabbards")
    live.show(joined(CATS))
    return live


@pytest.mark.parametrize("word", [(22, 20, "COW", True), (0, 0, "HO", False)])
def test_two_tiles_that_cover_no_star_are_asked_about(live, word):
    """As three are: nothing that lies there is passed over."""
    line = live.show(joined(CATS, word))

    assert ["Until all nine stars are covered a play must cover a free one."] == line["say"]
    assert ["play"] == [q["field"] for q in live.now["questions"]]


def test_a_tile_that_is_gone_is_named_with_its_board(live):
    """FS-3: a square of nine boards is 5:H7."""
    last = (37, 20, "TEAM", False)
    live.show(joined(CATS, (7, 20, "COWS", False)))
    live.show(joined(CATS, (7, 20, "COWS", False), last))
    line = live.show(joined((22, 20, "CAT", False), (7, 20, "COW", False), last))

    said = "The board was disturbed at 2:H9, 5:H9. Please check."
    assert ([said], said) == (line["say"], live.now["questions"][0]["prompt"])


def test_a_square_without_a_tile_is_named_with_its_board(live):
    """Whoever wants to take away what does not lie there reads the same name."""
    told = {"action": "correct", "square": "5:A1", "letter": ""}
    done = act(live.client, live.made, told)

    assert 409 == done.status_code
    assert "There is no tile on 5:A1 to take away." == done.json()["error"]["message"]
