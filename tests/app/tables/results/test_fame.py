"""Records and titles of Frankenscrabbards."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from kibitz.app.server.app import create_app
from kibitz.app.tables.results.fame import Finished, hall_of_fame
from kibitz.engine.games import INFOS
from tests.app.server_help import make_session

GAME = next(info for info in INFOS if info.hall_of_fame is not None)


def game(table, total, frank, names=("Ann", "Bob"), game_set=""):
    return Finished(table, 0.0, game_set, names, (), total, frank, "default", (), None, GAME)


@pytest.mark.parametrize(
    ("games", "record", "holder"),
    [
        ([], None, None),
        ([game("a", 30, "Ann")], 30, "Ann"),
        ([game("a", 30, "Ann"), game("b", 28, "Bob")], 28, "Bob"),
        ([game("a", 30, "Ann"), game("b", 30, "Bob")], 30, "Bob"),
        ([game("a", 30, "Ann"), game("b", 31, "Bob")], 30, "Ann"),
    ],
)
def test_fewer_words_are_a_record_and_as_many_pass_the_title_on(games, record, holder):
    """FS-22 and FS-23."""
    found = [(g["record"], g["title_holder"]) for g in hall_of_fame(games)]

    assert found == ([] if record is None else [(record, holder)])


def test_only_equal_sets_and_numbers_of_players_are_compared():
    """Another game set, or another number of players, is a group of its own."""
    groups = hall_of_fame(
        [
            game("a", 30, "Ann"),
            game("b", 20, "Cyd", ("Cyd",)),
            game("c", 10, "Bob", game_set="gold"),
        ]
    )

    assert [(g["game_set"], g["players"], g["record"]) for g in groups] == [
        ("", 1, 20),
        ("", 2, 30),
        ("gold", 2, 10),
    ]


def test_the_hall_is_the_hosts_and_empty_at_first(tmp_path):
    """From elsewhere it is closed; to the host an unfinished game shows nothing yet."""
    session = make_session(tmp_path, open_to_all=False, host_key="key")
    client = TestClient(create_app(session))
    key = {"Authorization": "Bearer key"}
    order = {"game": "frankenscrabbards", "players": ["Ann", "Bob"]}
    client.post("/api/tables", json=order, headers=key)
    closed, opened = client.get("/api/fame"), client.get("/api/fame", headers=key)
    session.close()

    assert closed.status_code == 401
    assert opened.json() == {"groups": []}
