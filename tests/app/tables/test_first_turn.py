"""Who begins at a live table: by calls, by seats and host, after a restart, from the command line."""

from __future__ import annotations

from random import Random

import pytest

import kibitz
from kibitz.app.cli.serving.serve_tables import TablePlan, open_planned, read_plans, settle_first
from kibitz.app.common.errors import UsageError
from tests.app.replay_help import board, replay
from tests.app.server_help import act, new_table, state


def view(client, made):
    return state(client, made, made["watch_token"]).json()["view"]


def draw(client, made, letter, seat, token=None):
    body = {"action": "draw", "seat": seat, "letter": letter}
    return act(client, made, body, token=token)


def test_seats_tell_their_own_tiles(client):
    """Each tells one; nobody tells another's, or a whole draw; ties ask the tied again."""
    made = new_table(client)
    ann, bob = made["seat_tokens"]["Ann"], made["seat_tokens"]["Bob"]
    first = draw(client, made, "C", "Ann", ann).json()
    wrong = draw(client, made, "A", "Ann", bob)
    whole = act(client, made, {"action": "draw", "rounds": [{"Ann": "B", "Bob": "A"}]}, token=bob)
    tie = draw(client, made, "C", "Bob", bob).json()
    asked = view(client, made)["first_turn"]
    draw(client, made, "E", "Ann", ann)
    last = draw(client, made, "?", "Bob", bob).json()

    assert ["Ann draws C."] == first["say"]
    assert [403, 403] == [wrong.status_code, whole.status_code]
    assert ["Bob draws C.", "Ann and Bob draw again."] == tie["say"]
    assert {"open": True, "drawn": {}, "waiting": ["Ann", "Bob"], "begins": None} == asked
    assert ["Bob draws a blank.", "Bob begins."] == last["say"]
    assert "Bob" == view(client, made)["to_move"]


def test_what_kibitz_drew_is_kept(client, session):
    """Chance comes once: the record has the tiles, a restart and undo do not draw anew."""
    made = new_table(client, players=("Ann", "Bob", "Cyd"))
    table = session.tables.get(made["table"])
    table.chance = Random(3)
    answer = act(client, made, {"action": "draw_lots"}).json()
    before = view(client, made)
    session.tables.forget(made["table"])
    after = view(client, made)
    act(client, made, {"action": "undo"})

    assert answer["result"]["begins"] == before["to_move"] == before["first_turn"]["begins"]
    assert before == after
    assert [None, "Ann"] == [
        view(client, made)["first_turn"]["begins"],
        view(client, made)["to_move"],
    ]


def test_nobody_draws_after_the_first_play(client):
    """The refusal says so."""
    made = new_table(client)
    act(client, made, {"action": "pass"})
    answer = act(client, made, {"action": "draw_lots"})

    assert (409, "already_begun") == (answer.status_code, answer.json()["error"]["code"])


def test_the_command_line_says_who_begins(tables):
    """`--begin NAME` and `--begin draw` settle it at a new table."""
    told, _ = open_planned(tables, TablePlan(players=("Ann", "Bob"), begin="Bob"))
    lots, _ = open_planned(tables, TablePlan(players=("Cyd", "Dan"), begin="draw"))
    said = settle_first(told, "Bob"), settle_first(lots, "draw"), settle_first(lots, None)

    assert (("Bob begins.",), ()) == (said[0], said[2])
    assert f"{lots.table.ledger.state.to_move} begins." == said[1][-1]


def test_the_settings_file_says_who_begins(tmp_path):
    """`begin` names a player of the table, or draw; anybody else is a wrong call."""
    path = tmp_path / "tables.toml"
    path.write_text('[[tables]]\nplayers = ["Ann", "Bob"]\nbegin = "draw"\n')

    assert "draw" == read_plans(path)[0].begin
    with pytest.raises(UsageError, match="--begin: expected one of Ann, Bob, draw, got 'Zoe'"):
        TablePlan(players=("Ann", "Bob"), begin="Zoe")


def test_a_replay_hears_of_the_draw():
    """Tiles told before the first photograph settle whose its play is, and the GCG says so."""
    told = [
        {"action": "draw", "seat": "Ann", "letter": "K"},
        {"action": "draw", "seat": "Bob", "letter": "D"},
    ]
    rows = [board(), board(H=".......CAT....."), board(H=".......CATS....")]
    _, final, run = replay(rows, told=told)

    assert ["Bob", "Ann"] == [play["player"] for play in final["plays"]]
    assert [] == run.problems


def test_a_program_draws():
    """`kibitz.Game` draws for everybody, or is told who begins."""
    lots, said = kibitz.Game("scrabble", ["Ann", "Bob"]), kibitz.Game("scrabbage", ["Ann", "Bob"])
    outcome = lots.act("draw_lots")
    said.act("begin", seat="Bob")

    assert outcome.to_json()["begins"] == lots.view()["to_move"]
    assert (("Bob deals.",), "Bob") == (said.say, said.view()["dealer"])
