"""The record of a game of Frankenscrabbards has the picture of its final grid (FS-21)."""

from __future__ import annotations

from pathlib import Path

from fastapi.testclient import TestClient

from kibitz.app.server.app import create_app
from kibitz.app.tables.orders import Order
from tests.app.server_help import act, bearer, make_session, new_table, see
from tests.helpers.fake_readings import reading_of_rows

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
PICTURE = b"\xff\xd8 the final grid \xff\xd9"


def joined(last: bool) -> list[str]:
    """Stars joined along the first row of boards and down from each; the last line if wanted."""
    cells = [["."] * 45 for _ in range(45)]
    for k in range(7, 38):
        cells[7][k] = "AB"[k % 2]
        for column in (7, 22, 37):
            if column != 37 or k <= 22 or last:
                cells[k][column] = "CD"[k % 2] if k != 7 else "E"
    cells[37][37] = "D"
    return ["".join(row) for row in cells]


def test_the_picture_of_the_final_grid(tmp_path: Path) -> None:
    """The picture in which the last play was seen is kept and shown with the finished game."""
    session = make_session(tmp_path, host_key="key", open_to_all=False)
    players = ("Ann", "Bob")
    initial = {"board45": joined(last=False)}
    table = session.tables.create(
        Order("frankenscrabbards", players, lexicon="none", initial=initial)
    ).table
    table.observe(reading_of_rows(joined(last=False), LETTERS), b"\xff\xd8 before \xff\xd9")
    table.observe(reading_of_rows(joined(last=True), LETTERS), PICTURE)
    client = TestClient(create_app(session))
    key = {"Authorization": "Bearer key"}
    (group,) = client.get("/api/fame", headers=key).json()["groups"]
    (game,) = group["games"]
    shown = client.get(f"/api/fame/{table.id}/picture.jpg", headers=key)
    session.close()

    assert game["board45"] == joined(last=True)
    assert (shown.status_code, shown.content) == (200, PICTURE)


def test_the_final_photograph_of_a_game_that_was_typed(client) -> None:
    """Nobody filmed: one photograph after the end is kept, a second one changes nothing."""
    made = new_table(
        client, "frankenscrabbards", lexicon="none", initial={"board45": joined(last=False)}
    )
    tiles = {f"{6 if k < 30 else 9}:{chr(65 + k % 15)}8": "CD"[k % 2] for k in range(23, 37)}
    played = act(client, made, {"action": "place", "tiles": tiles})
    shown = see(client, made, joined(last=True))
    again = see(client, made, joined(last=True))
    record = client.get(f"/api/tables/{made['table']}/record", headers=bearer(made["host_token"]))
    undone = act(client, made, {"action": "undo"})

    assert played.json().get("events", [{"event": played.text}])[-1]["event"] == "game_over"
    assert [line.json()["line"]["status"] for line in (shown, again)] == ["no_change"] * 2
    assert [step["kind"] for step in record.json()["events"]] == ["told", "seen"]
    assert undone.json()["result"] == {"undone": 1, "tiles_lie": True}


def test_no_tiles_lie_where_none_were_ever_seen(client) -> None:
    """What is taken back in a game that is typed need not be taken off a board."""
    made = new_table(client, "scrabble", lexicon="none")
    act(client, made, {"action": "place", "tiles": {"H8": "C", "I8": "A", "J8": "T"}})
    undone = act(client, made, {"action": "undo"})

    assert undone.json()["result"] == {"undone": 1, "tiles_lie": False}
