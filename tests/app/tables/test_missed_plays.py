"""Plays that the camera missed: what people may answer, and what becomes of the game."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from kibitz.app.server.app import create_app
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.setup import Outcome
from kibitz.engine.rules import Action
from kibitz.engine.tracking.explanations.missed_plays import GO_ON
from tests.app.replay_help import replay
from tests.app.server_help import (
    act,
    bearer,
    board,
    make_session,
    new_table,
    picture_of,
    see,
    state,
)

HOST = Actor("host")

CAT = board(H8="CAT")
ORDERS = board(H8="CATS", v_H8="COW")
"""Bob's COW and Ann's CATS, or the other way round."""
MANY = board(H8="CATS", v_H11="STONE", L11="EARTH", v_H8="COLD", v_L15="HOLY")
"""Four plays while nobody looked."""
STRANGE = board(H8="CAT", v_H10="TXQZKKJ", v_H8="COLD")
FAR = board(H8="CAT", A1="HOUSE")
IN_ORDER = "Bob: STONE, Ann: EARTH, Bob: COLD, Ann: HOLY"


@pytest.fixture
def client(tmp_path):
    """A server that reads text pictures."""
    session = make_session(tmp_path)
    with TestClient(create_app(session)) as running:
        yield running
    session.close()


def table_after(client, *boards, **more):
    """A table whose camera saw these boards, one photograph each."""
    made = new_table(client, **more)
    for rows in boards:
        photograph(client, made, rows)
    return made


def photograph(client, made, rows):
    """A position at rest: frames until it is told."""
    for _ in range(3):
        assert see(client, made, rows).status_code == 200


def now(client, made):
    """The table as its host sees it."""
    return state(client, made, made["host_token"]).json()


def answer(client, made, question, value):
    """What people say to a question."""
    told = {"action": "answer", "field": question["field"], "value": value}
    if "photo" in question:
        told["photo"] = question["photo"]
    return act(client, made, told)


def host(made):
    """The header of a table's host."""
    return bearer(made["host_token"])


def words(client, made):
    """The main word of each play that stands, with its player."""
    return [
        (e["player"], e["words"][0]["word"]) for e in now(client, made)["history"] if e["words"]
    ]


def test_the_orders_that_the_rules_allow_are_offered(client):
    """Fifteen tiles are four plays: each order can be chosen, or none of them."""
    (question,) = now(client, table_after(client, CAT, MANY))["questions"]

    assert "15 tiles are new, too many for one play" in question["prompt"]
    assert IN_ORDER in question["choices"]
    assert question["choices"][-1] == GO_ON


def laid_in(table):
    """The tiles of a table's game, each with its player and square."""
    laid = [(e["player"], x, s) for e in table["history"] for s, x in e["tiles"].items()]
    return ", ".join(f"{player}: {x} {s}" for player, x, s in laid)


def test_tiles_laid_one_a_turn_are_asked_for_in_their_order(client):
    """Of a game of single tiles each turn is named by its tile: who laid the N, who the E?"""
    made = table_after(client, board(H8="TOE", v_G9="NO", v_H10="EN"), game="scrabbage")
    before = now(client, made)
    (question,) = before["questions"]
    chosen = "Ann: T H8, Bob: O H9, Ann: E H10, Bob: N G9, Ann: N I10"
    done = answer(client, made, question, chosen)
    after = now(client, made)

    assert "Several plays were made. Which ones, in which order?" == question["prompt"]
    assert laid_in(before) == question["choices"][0] != chosen
    assert chosen in question["choices"]
    assert (200, chosen, []) == (done.status_code, laid_in(after), after["questions"])


def test_a_chosen_order_is_scored_and_kept(client):
    """The plays stand in the record as if they had been seen one by one, and are announced."""
    made = table_after(client, CAT, MANY)
    (question,) = now(client, made)["questions"]
    done = answer(client, made, question, IN_ORDER)
    after = now(client, made)
    gcg = client.get(f"/api/tables/{made['table']}/record?format=gcg", headers=host(made)).text

    assert "Bob plays STONE." in done.json()["say"]
    assert words(client, made)[1:] == [
        ("Bob", "STONE"),
        ("Ann", "EARTH"),
        ("Bob", "COLD"),
        ("Ann", "HOLY"),
    ]
    assert after["questions"] == []
    assert after["view"]["board"] == MANY
    assert gcg.count("\n>") == 5


def test_the_replay_shows_every_play(client):
    """The record's lines end with the plays that people told, and so does the page of the game."""
    made = table_after(client, CAT, MANY)
    (question,) = now(client, made)["questions"]
    answer(client, made, question, IN_ORDER)
    path = f"/api/tables/{made['table']}/record"
    kept = client.get(f"{path}?format=json", headers=host(made)).json()
    page = client.get(f"{path}?format=html", headers=host(made)).text

    assert kept["events"][-1]["do"]["value"] == IN_ORDER
    assert all(word in page for word in ("STONE", "EARTH", "COLD", "HOLY"))


def test_it_is_so_after_a_restart(client, tmp_path):
    """What was chosen is found again when the server starts anew, and so is an open question."""
    chosen, still_open = (table_after(client, CAT, MANY) for _ in range(2))
    answer(client, chosen, now(client, chosen)["questions"][0], IN_ORDER)
    before = words(client, chosen)
    again = make_session(tmp_path)
    with TestClient(create_app(again)) as other:
        assert words(other, chosen) == before
        (question,) = now(other, still_open)["questions"]
        assert answer(other, still_open, question, IN_ORDER).status_code == 200
        assert words(other, still_open) == before
    again.close()


def test_undo_asks_again(client):
    """A choice that was wrong is taken back; the question stands again, and the game before it."""
    made = table_after(client, CAT, MANY)
    before = now(client, made)
    answer(client, made, before["questions"][0], IN_ORDER)
    act(client, made, {"action": "undo"})
    after = now(client, made)

    assert after["questions"] == before["questions"]
    assert after["view"]["scores"] == before["view"]["scores"]


def test_going_on_scores_nothing(client):
    """The board counts as it lies; the next play is made and scored on it."""
    made = table_after(client, CAT, MANY)
    (question,) = now(client, made)["questions"]
    answer(client, made, question, GO_ON)
    asked = now(client, made)["questions"]
    rows = board(H8="CATS", v_H11="STONE", L11="EARTH", v_H8="COLDER", v_L15="HOLY")
    photograph(client, made, rows)

    assert asked == []
    assert words(client, made) == [("Ann", "CAT"), ("Bob", "COLDER")]


def test_the_other_order(client):
    """Two plays of which either may have been the first: the players change places."""
    made = table_after(client, CAT, ORDERS)
    (question,) = now(client, made)["questions"]
    first, second, _ = question["choices"]
    before = words(client, made)
    answer(client, made, question, second)

    assert first == "Bob: COW, Ann: CATS"
    assert before[1:] == [("Bob", "COW"), ("Ann", "CATS")]
    assert words(client, made)[1:] == [("Bob", "CATS"), ("Ann", "COW")]


def test_words_outside_the_list_are_allowed_with_their_order(client):
    """Where no order of good words is found, those with strange ones are offered and say so."""
    made = table_after(client, CAT, STRANGE)
    (question,) = now(client, made)["questions"]
    told = next(c for c in question["choices"] if c.startswith("Bob: TXQZKKJ, Ann: COLD"))
    answer(client, made, question, told)

    assert told.endswith("(TXQZKKJ is not in the list)")
    assert words(client, made)[1:] == [("Bob", "TXQZKKJ"), ("Ann", "COLD")]


def test_a_later_play_stays_when_the_order_is_told(client):
    """Who answers only after the next play keeps that play."""
    made = table_after(client, CAT, MANY)
    later = board(H8="CATS", v_H11="STONE", L11="EARTH", v_H8="COLDER", v_L15="HOLY")
    photograph(client, made, later)
    (question,) = now(client, made)["questions"]
    answer(client, made, question, IN_ORDER)

    assert [w for _, w in words(client, made)] == [
        "CAT",
        "STONE",
        "EARTH",
        "COLD",
        "HOLY",
        "COLDER",
    ]
    assert now(client, made)["view"]["board"] == later


def test_scores_are_not_settled_while_the_order_is_open(client, tmp_path):
    """Said after each play, with the likeliest order booked; an answer settles and corrects them."""
    made = table_after(client, CAT, ORDERS)
    asked = now(client, made)
    photograph(client, made, board(H8="CATS", v_H8="COWS"))
    again = make_session(tmp_path)
    with TestClient(create_app(again)) as other:
        restarted = now(other, made)
    again.close()
    later = now(client, made)
    (directed,) = client.get("/api/director").json()["tables"]
    (question,) = later["questions"]
    answer(client, made, question, question["choices"][1])
    settled = now(client, made)

    assert directed["provisional"]
    assert "The scores are not settled yet." in later["said"][-1]["lines"]
    assert [True] * 3 + [False] == [x["provisional"] for x in (asked, restarted, later, settled)]
    assert asked["questions"] == later["questions"]
    assert ["CAT", "CATS", "COW", "COWS"] == [word for _, word in words(client, made)]
    assert later["view"]["scores"] != settled["view"]["scores"]


@pytest.mark.parametrize("value", ["", "Bob: NONSENSE", 7])
def test_what_was_not_offered_is_refused_in_words(client, value):
    """The refusal says what may be answered, and nothing changes."""
    made = table_after(client, CAT, MANY)
    (question,) = now(client, made)["questions"]
    refused = answer(client, made, question, value)

    assert refused.status_code == 409
    assert GO_ON in refused.json()["error"]["message"]
    assert now(client, made)["questions"] == [question]


def test_a_misread_tile_of_the_position_is_put_right(client):
    """Tapping a tile corrects the board that was taken over; the orders are then of that board."""
    wrong = board(H8="CATS", v_H11="STONE", L11="EARTH", v_H8="COLX", v_L15="HOLY")
    made = table_after(client, CAT, wrong)
    put = act(client, made, {"action": "correct", "square": "K8", "letter": "D"})
    after = now(client, made)

    assert put.status_code == 200
    assert after["view"]["board"] == MANY
    assert after["view"]["scores"] == {"Ann": 10, "Bob": 0}
    assert answer(client, made, after["questions"][0], IN_ORDER).status_code == 200


def test_refused_tiles_count_if_people_say_so(client):
    """Tiles that touch nothing are taken over as they lie; the game goes on from there."""
    made = table_after(client, CAT, FAR)
    before = now(client, made)
    answer(client, made, before["questions"][0], GO_ON)
    after = now(client, made)

    assert before["questions"][0]["choices"] == ["take it back", GO_ON]
    assert before["tasks"][0]["read"] == list("HOUSE")
    assert (after["questions"], after["tasks"]) == ([], [])
    assert after["view"]["board"] == FAR
    assert after["view"]["scores"] == {"Ann": 10, "Bob": 0}


def test_looking_again_answers_what_is_seen(client):
    """Who doubts the reading has the board read anew; the same picture comes to the same."""
    made = table_after(client, CAT, FAR)
    looked = act(client, made, {"action": "look", "again": True})

    assert looked.json()["result"] == {"status": "question"}
    assert now(client, made)["tasks"][0]["code"] == "not_connected"


def test_the_clocks_go_on_where_a_position_is_taken_over(client):
    """Scrabble House: the time that was used is used."""
    made = new_table(client, "scrabble-house", settings={"sh.clock": 300})
    photograph(client, made, board(O7="CAT"))
    act(client, made, {"action": "press_clock", "player": "Ann"})
    before = now(client, made)["view"]
    photograph(client, made, board(O7="CAT", E9="JJJ"))
    (question,) = now(client, made)["questions"]
    answer(client, made, question, GO_ON)
    after = now(client, made)["view"]

    assert after["clocks"] == before["clocks"] == {"Ann": 300.0, "Bob": 300.0}
    assert after["running"] == before["running"] == ["Bob"]


def test_a_replay_takes_the_same_answer():
    """Told in a file before the next photograph, the order makes the plays of the last line."""
    told = [{"before": "3.jpg", "action": "answer", "field": "plays", "value": IN_ORDER}]
    lines, final, _ = replay([CAT, MANY, MANY], told=told, lexicon="default")

    assert lines[1]["question"]["choices"][-1] == GO_ON
    (missed,) = [p for p in final["plays"] if p["file"] == "2.jpg"]
    assert [p["words"][0]["word"] for p in missed["plays"]] == ["STONE", "EARTH", "COLD", "HOLY"]
    assert final["board"] == MANY


def test_what_was_taken_back_before_stays_taken_back(client):
    """One picture shows a play taken off and two new ones: the order changes only these."""
    shown = board(H8="CAT", v_H8="COLD", v_H10="TEN")
    made = table_after(client, CAT, board(H8="CATS"), shown)
    (question,) = now(client, made)["questions"]
    before, told = [e["action"] for e in now(client, made)["history"]], words(client, made)
    answer(client, made, question, question["choices"][1])
    after = now(client, made)

    assert sorted(w for _, w in told) == sorted(w for _, w in words(client, made))
    assert told != words(client, made)
    assert [e["action"] for e in after["history"]] == before
    assert after["view"]["board"] == shown


def test_a_disturbed_board_is_answered(client):
    """People say that a tile is back in its place: the question closes, the game is as it was."""
    made = table_after(client, CAT, board(H8="CATS"), board(H9="ATS"))
    (question,) = now(client, made)["questions"]
    done = answer(client, made, question, "put back")
    after = now(client, made)

    assert (question["field"], done.status_code) == ("board_changed", 200)
    assert after["questions"] == []
    assert [w for _, w in words(client, made)] == ["CAT", "CATS"]


def test_plays_that_are_typed_instead(tmp_path):
    """Undo, then the plays one by one, while a camera goes on filming the same board."""
    session = make_session(tmp_path)
    opened = session.tables.create(Order("scrabble", ("Ann", "Bob")))
    table, camera, at = opened.table, session.camera(opened.table), 0.0

    def film(rows):
        nonlocal at
        for _ in range(30):
            at += 0.2
            camera.take(picture_of(rows), stream=True, at=at)

    film(CAT)
    film(ORDERS)
    table.act(Action("undo"), HOST)
    for player, tiles in (("Bob", {"H11": "S"}), ("Ann", {"I8": "O", "J8": "W"})):
        film(ORDERS)
        assert isinstance(
            table.act(Action("place", player, None, {"tiles": tiles}), HOST), Outcome
        )
    film(ORDERS)
    told = [(e["player"], e["words"][0]["word"]) for e in table.history() if e["words"]]
    tasks = table.tasks()
    session.close()

    assert told == [("Ann", "CAT"), ("Bob", "CATS"), ("Ann", "COW")]
    assert tasks == []
