"""What nine joined boards ask and tell, seen through HTTP."""

from __future__ import annotations

import pytest

from tests.app.server_help import make_session
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
