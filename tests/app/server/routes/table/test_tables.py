"""Whole tables: named, put away, found again, deleted with all that was kept of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from kibitz.app.reading.frames import FrameReader
from tests.app.server_help import ReadsBarcodes, bearer, board, new_table, see, state
from tests.browser.browser_help import Served, serve

MARK = b"\xff\xd8\xff"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve(tmp_path_factory.mktemp("tables"), FrameReader(ReadsBarcodes)) as running:
        yield running


def change(client: Any, made: Any, body: Any, token: str | None = None) -> Any:
    path = f"/api/tables/{made['table']}"
    return client.patch(path, json=body, headers=bearer(token or made["host_token"]))


def listed(client: Any) -> dict[str, Any]:
    return {t["table"]: t for t in client.get("/api/tables").json()["tables"]}


def test_a_table_has_a_name(client: Any) -> None:
    """Given, changed and taken away again; the list shows it."""
    made = new_table(client)
    names = []
    for name in ("  Sunday \n evening ", "Final", ""):
        assert 200 == change(client, made, {"name": name}).status_code
        names.append(listed(client)[made["table"]]["name"])

    assert ["Sunday evening", "Final", ""] == names


def test_a_table_is_put_away_and_taken_out(client: Any) -> None:
    """It keeps its name and its game meanwhile."""
    made = new_table(client)
    change(client, made, {"name": "Sunday"})
    away = change(client, made, {"archived": True}).json()
    seen = listed(client)[made["table"]]
    back = change(client, made, {"archived": False}).json()

    assert (True, "Sunday", True) == (away["archived"], away["name"], seen["archived"])
    assert (False, "Sunday") == (back["archived"], back["name"])
    assert 200 == state(client, made, made["host_token"]).status_code


@pytest.mark.parametrize("name", ["x" * 81, "a\x1b[2Jb", "a\u202eb", 5])
def test_what_is_no_name_is_refused(client: Any, name: Any) -> None:
    """The old name stays."""
    made = new_table(client)
    change(client, made, {"name": "Sunday"})

    assert 422 == change(client, made, {"name": name}).status_code
    assert "Sunday" == listed(client)[made["table"]]["name"]


def test_a_deleted_table_is_gone_from_the_disk(client: Any, session: Any, tmp_path: Path) -> None:
    """Its steps, pictures, links and name; its neighbour stays as it was."""
    made, other = new_table(client, players=("Zaphod", "Trillian")), new_table(client)
    change(client, made, {"name": "Heartofgold"})
    assert 200 == see(client, made, board(H7="AT")).status_code
    before = session.tables.storage.pictured(made["table"])
    path = f"/api/tables/{made['table']}"
    done = client.delete(path, headers=bearer(made["host_token"]))
    session.tables.storage.vacuum()
    kept = b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())

    assert (1, 204) == (len(before), done.status_code)
    assert 404 == state(client, made, made["host_token"]).status_code
    assert [other["table"]] == list(listed(client))
    assert [x for x in (b"Zaphod", b"Heartofgold", made["table"].encode()) if x in kept] == []
    assert () == session.tables.storage.pictured(made["table"])
    assert 200 == state(client, other, other["seat_tokens"]["Ann"]).status_code


@pytest.mark.parametrize("who", ["watch_token", "camera_token", "Ann", None])
def test_only_the_host_deletes_and_names(client: Any, session: Any, who: str | None) -> None:
    """Whoever else asks changes nothing."""
    made = new_table(client)
    session.open_to_all = False
    token = made["seat_tokens"].get(who) or made.get(str(who))
    headers = bearer(token) if token else {}
    path = f"/api/tables/{made['table']}"
    answers = [
        client.delete(path, headers=headers).status_code,
        client.patch(path, json={"name": "Mine"}, headers=headers).status_code,
    ]

    assert {403 if token else 401} == set(answers)
    assert 200 == state(client, made, made["host_token"]).status_code


def test_a_page_at_a_deleted_table_is_let_go(served: Served) -> None:
    """It does not show for ever what is no more."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    address = served.address.replace("http", "ws")
    where = f"{address}/api/tables/{opened.table.id}/live?token={opened.watch}"
    with connect(where) as page:
        page.recv(20)
        served.session.delete(opened.table.id)
        with pytest.raises(ConnectionClosed) as closed:
            page.recv(20)

    assert closed.value.rcvd is not None
    assert 4401 == closed.value.rcvd.code
