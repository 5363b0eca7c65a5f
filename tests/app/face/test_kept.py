"""`kibitz.tables`, `kibitz.export` and `kibitz.film`: games that were watched, by their names."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import cv2
import pytest

import kibitz
from kibitz.app.common.storage.tables import FILE_NAME, Storage
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.engine.rules import Action

PHOTOS = kibitz.examples()["scrabble"]


def keep(folder: Path, *orders: Order) -> list[str]:
    """The names of tables with a play each."""
    tables = Tables(Storage(str(folder)))
    names = []
    for order in orders:
        table = tables.create(order).table
        tiles = {"H7": "G", "H8": "O"}
        table.act(Action("place", order.players[0], None, {"tiles": tiles}), Actor("host"))
        names.append(table.id)
    tables.close()
    return names


GAME = Order("scrabble", ("Ann", "Bob"))
OTHER = Order("scrabbage", ("Cyd", "Dan"))


def test_no_tables(tmp_path: Path) -> None:
    """Where nothing was kept there is nothing."""
    assert () == kibitz.tables(data=str(tmp_path))


def test_tables_are_listed_and_searched(tmp_path: Path) -> None:
    """Words look in names, games and players; those put away are shown when asked for."""
    first, second = keep(tmp_path, GAME, OTHER)
    storage = Storage(str(tmp_path))
    storage.label(second, name="Sunday", archived=True)
    storage.close()
    data = str(tmp_path)

    assert [first] == [one.table for one in kibitz.tables(data=data)]
    assert [second] == [one.table for one in kibitz.tables("cyd sun", archived=True, data=data)]
    assert () == kibitz.tables("nobody", archived=True, data=data)
    (table,) = kibitz.tables("ann", data=data)
    assert ("scrabble", ("Ann", "Bob"), 1, 0) == (
        table.game, table.players, table.steps, table.pictures,
    )  # fmt: skip
    assert first == table.to_json()["table"]


def test_a_game_in_each_format(tmp_path: Path) -> None:
    """The text is what the command writes; a file holds it to the letter."""
    (name,) = keep(tmp_path, GAME)
    found = {
        format_: kibitz.export(name, format_, data=str(tmp_path))
        for format_ in ("json", "csv", "gcg", "cgp", "html")
    }
    found["csv"].write(tmp_path / "deep" / "game.csv")

    assert "GO" == json.loads(found["json"].text)["history"][0]["words"][0]["word"]
    assert "1,Ann,place,GO,H7=G H8=O,6,6,0" == found["csv"].text.splitlines()[1]
    assert found["csv"].text.encode() == (tmp_path / "deep" / "game.csv").read_bytes()
    assert ">Ann: GO 8G GO +6 6" in found["gcg"].text.splitlines()
    assert "/6GO7/" in found["cgp"].text
    assert found["html"].text.startswith("<!doctype html>")
    assert {""} == {one.damage for one in found.values()}


def test_a_position_before_the_newest(tmp_path: Path) -> None:
    """After none of the entries the board is bare."""
    (name,) = keep(tmp_path, GAME)
    bare = "/".join(["15"] * 15)

    assert bare == kibitz.export(name, "cgp", after=0, data=str(tmp_path)).text.split()[0]


def test_a_damaged_table(tmp_path: Path) -> None:
    """What can be read is given, with what is wrong."""
    (name,) = keep(tmp_path, GAME)
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as database:
        database.execute("UPDATE kibitz_steps SET data = replace(data, 'G', 'Q')")
        database.commit()
    found = kibitz.export(name, data=str(tmp_path))
    record = json.loads(found.text)

    assert found.damage.startswith("step 1 ")
    assert (name, 0) == (record["table"], len(record["events"]))


def test_a_film(tmp_path: Path) -> None:
    """It shows each picture that was kept, as long as is said."""
    (tmp_path / "photos").mkdir()
    for name in ("01.jpg", "02.jpg"):
        (tmp_path / "photos" / name).write_bytes((PHOTOS / name).read_bytes())
    data = str(tmp_path / "kept")
    with kibitz.watch(tmp_path / "photos", players="Ann,Bob", data=data) as table:
        events = list(table)
    said: list[str] = []
    out = tmp_path / "game.avi"
    count = kibitz.film(table.table, out, seconds=2.5, data=data, progress=said.append)
    capture = cv2.VideoCapture(str(out))
    frames = capture.get(cv2.CAP_PROP_FRAME_COUNT)
    capture.release()

    assert [("GARDEN",)] == [
        tuple(w for w, _ in e.words) for e in events if isinstance(e, kibitz.PlaySeen)
    ]
    assert (count, 5 * count) == (len(said), frames)
    assert [f"picture {n + 1}" for n in range(count)] == said


def test_wrong_calls(tmp_path: Path) -> None:
    """They name arguments, and what is kept."""
    scrabble, other = keep(tmp_path, GAME, OTHER)
    data = str(tmp_path)
    calls = [
        (
            lambda: kibitz.export(scrabble, "pdf", data=data),
            kibitz.UsageError,
            "^format: expected",
        ),
        (lambda: kibitz.export("none", data=data), kibitz.UsageError, "there is no table 'none'"),
        (lambda: kibitz.export(other, "gcg", data=data), kibitz.CommandError, "for Scrabble"),
        (
            lambda: kibitz.film(scrabble, "x.mp4", seconds=0, data=data),
            kibitz.UsageError,
            "^seconds 0: ",
        ),
        (
            lambda: kibitz.export(scrabble, data=data).write(tmp_path),
            kibitz.CommandError,
            "cannot write",
        ),
    ]
    for call, kind, says in calls:
        with pytest.raises(kind, match=says):
            call()
