"""Recorded games written out as files that other programs read."""

from __future__ import annotations

import csv
import io

import pytest

from kibitz.app.tables.results.exports import EXPORTS, export_table
from tests.app.server_help import act, new_table


def csv_of(session, made) -> list[list[str]]:
    """The rows of a table's spreadsheet without its head."""
    text = export_table(session.tables.get(made["table"]), "csv")
    return list(csv.reader(io.StringIO(text)))[1:]


def test_empty_cells_are_empty(client, session):
    """What an entry does not have leaves its cell empty; only formulas get a mark."""
    made = new_table(client, players=("=Ann", "Bob"))
    act(client, made, {"action": "pass", "player": "=Ann"})

    assert csv_of(session, made) == [["1", "'=Ann", "pass", "", "", "0", "0", "0"]]


def test_words_called_and_tiles_turned_up_are_in_the_spreadsheet(client, session):
    """GrabScrab has no plays on squares: the rows name the words and the letters."""
    start = {"pool": "EOPS", "face_down": 4, "words": {"Ann": [], "Bob": []}, "flipper": "Bob"}
    made = new_table(client, "grabscrab", initial=start)
    act(client, made, {"action": "flip", "player": "Bob", "letter": "R"})
    act(client, made, {"action": "claim", "player": "Ann", "word": "ROPES"})

    assert [row[1:5] for row in csv_of(session, made)] == [
        ["", "begins_from_position", "", ""],
        ["Bob", "flip", "", "R"],
        ["Ann", "claim", "ROPES", ""],
    ]


def test_teams_have_a_total_together(client, session):
    """Four players of Scrabbage score in two teams, and the spreadsheet has two totals."""
    made = new_table(client, "scrabbage", players=("Ann", "Bob", "Cyd", "Dan"))
    for player, square, letter in (("Ann", "H8", "A"), ("Bob", "H9", "T")):
        tile = {"action": "tile", "player": player, "square": square, "letter": letter}
        assert act(client, made, tile).status_code == 200
    text = export_table(session.tables.get(made["table"]), "csv")
    head, *_, last = csv.reader(io.StringIO(text))

    assert head[-2:] == ["total Ann+Cyd", "total Bob+Dan"]
    assert last[-2:] == ["0", "2"]


@pytest.mark.parametrize("name", sorted(EXPORTS))
def test_what_is_held_and_exchanged_is_in_records_once_the_game_is_over(client, session, name):
    """While it is being played nobody finds letters there that only their player knows."""
    made = new_table(client)
    told = [
        {"action": "racks", "racks": {"Ann": list("AEINRSV")}},
        {"action": "exchange", "player": "Ann", "tiles": list("VEIN")},
        {"action": "racks", "racks": {"Bob": list("KUMQUAT")}},
    ]
    for action in told:
        assert act(client, made, action).is_success
    table = session.tables.get(made["table"])
    while_played = export_table(table, name)
    assert act(client, made, {"action": "end_game"}).is_success
    after = export_table(table, name)
    letters = ("AEINRSV", "VEIN", "-EINV", "KUMQUAT", "AKMQTUU")

    def found(text: str) -> bool:
        plain = "".join(x for x in text if x.isalpha() or x == "-")
        return any(word in plain for word in letters)

    assert not found(while_played)
    assert found(after) == (name not in ("csv", "html"))
