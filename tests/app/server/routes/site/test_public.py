"""Where everybody may watch a game, as its host is told."""

from __future__ import annotations

import pytest

from tests.app.server_help import bearer, new_table


@pytest.mark.parametrize(("game", "ending"), [("scrabble", ".gcg"), ("scrabbleship", None)])
def test_the_address_of_the_gcg_is_told(client, game, ending):
    """Beside the others; not of a game that GCG does not hold, and not before it is public."""
    made = new_table(client, game)
    path = f"/api/tables/{made['table']}/public"
    auth = bearer(made["host_token"])
    before = client.get(path, headers=auth).json()
    told = client.put(path, json={"public": True}, headers=auth).json()
    key = told["page"].removeprefix("/watch/")

    assert before["gcg"] is None
    assert (ending and f"/public/{key}{ending}") == told["gcg"]
    assert told == client.get(path, headers=auth).json()
