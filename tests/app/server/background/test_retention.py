"""Pictures go when their time has come; the game itself stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kibitz.app.common.errors import UsageError
from kibitz.app.server.app import create_app
from kibitz.app.server.background.retention import PictureKeeper, Retention, parse_keep
from tests.app.server_help import board, make_session, new_table, see, state

DAY = 86400.0


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("30d", 30 * DAY), (" 12H ", DAY / 2), ("4w", 28 * DAY), ("none", 0.0), ("all", None)],
)
def test_times_are_read(text: str, seconds: float | None) -> None:
    """As people write them."""
    assert Retention(seconds) == parse_keep(text)


@pytest.mark.parametrize("text", ["", "30", "d", "-1d", "0d", "1y", "1e9d", "999999d"])
def test_what_is_no_time_is_refused(text: str) -> None:
    """In words."""
    with pytest.raises(UsageError, match="expected a time as 30d"):
        parse_keep(text)


def test_old_pictures_go_and_the_game_stays(client: Any, session: Any) -> None:
    """What is older than the time goes; plays, scores and links are as they were."""
    made = new_table(client)
    see(client, made, board(H7="AT"))
    storage = session.tables.storage
    at = session.tables.get(made["table"]).steps[-1].at
    keeper = PictureKeeper(storage, parse_keep("30d"))
    early, late = keeper.look(at + 29 * DAY), keeper.look(at + 31 * DAY)
    seen = state(client, made, made["host_token"]).json()

    assert (0, 1) == (early, late)
    assert () == storage.pictured(made["table"])
    assert "......AT......." == seen["view"]["board"][7]


def test_a_server_that_keeps_none_stores_none(tmp_path: Path) -> None:
    """No picture ever reaches the disk, and those of earlier go when it starts."""
    before = make_session(tmp_path)
    made = new_table(client := TestClient(create_app(before)))
    see(client, made, board(H7="AT"))
    before.close()
    session = make_session(tmp_path, retention=parse_keep("none"))
    with TestClient(create_app(session)) as client:
        see(client, made, board(H7="AT", v_H7="AS"))
        keeper = PictureKeeper(session.tables.storage, session.retention)
        keeper.look()
        kept = session.tables.storage.pictured(made["table"])
        plays = len(session.tables.get(made["table"]).ledger.done)

    assert ((), 2) == (kept, plays)
