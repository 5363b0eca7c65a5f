"""Games that go on from paper: the record begins in the middle."""

import csv
import io

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.app.tables.results.exports import export_table
from kibitz.engine.record.gcg import read_gcg
from kibitz.engine.record.gcg_replay import replay_gcg
from tests.app.server_help import FLEET, act, bearer, board, make_session, new_table, see, state

ROWS = board(H4="TRAIN", v_H8="NEAT")
START = {
    "board": ROWS,
    "scores": [120, 98],
    "to_move": "bob",
    "bag_count": 60,
    "rack_counts": {"Ann": 7, "Bob": 5},
}
PLAY = {"action": "place", "player": "Bob", "tiles": {"L8": "S"}}
BEGIN = {"action": "begin_from", "start": START}


def view_of(client, made, token=None):
    """What the host's page knows."""
    return state(client, made, token or made["host_token"]).json()


def test_a_table_can_be_set_up_in_the_middle_of_a_game(client):
    """Creating a table takes a position, in any form that is clear."""
    made = new_table(client, initial={**START, "board": "\n".join(ROWS)})
    now = view_of(client, made)

    assert {"Ann": 120, "Bob": 98} == now["view"]["scores"]
    assert "Bob" == now["view"]["to_move"]
    assert ROWS == now["view"]["board"]
    assert {"Ann": 7, "Bob": 5} == now["view"]["rack_counts"]
    assert 60 == now["view"]["bag_count"]
    assert {"Ann": 120, "Bob": 98} == now["start"]["scores"]


def test_a_game_from_its_beginning_has_no_start(client):
    """The page shows scores carried over only where some were."""
    assert view_of(client, new_table(client))["start"] is None


@pytest.mark.parametrize(
    ("start", "said"),
    [
        ({"bord": ROWS}, "did you mean 'board'?"),
        ({"board": ROWS[:3]}, "board: expected 15 rows, got 3"),
        ({"scores": {"Cyd": 3}}, "scores: expected Ann, Bob, got 'Cyd'"),
        ({"rack_counts": [8, 7]}, "rack_counts.Ann: expected at most 7, got 8"),
        ({"board": {"H16": "A"}}, "expected a square as 'H8' (A-O, 1-15), got 'H16'"),
    ],
)
def test_a_faulty_position_is_refused_with_its_field(client, start, said):
    """The message names the field, what was expected and what came."""
    body = {"game": "scrabble", "players": ["Ann", "Bob"], "initial": start}
    refused = client.post("/api/tables", json=body)
    at_table = act(client, new_table(client), {"action": "begin_from", "start": start})

    assert (422, "cannot_begin") == (refused.status_code, refused.json()["error"]["code"])
    assert said in refused.json()["error"]["message"]
    assert said in at_table.json()["error"]["message"]


def test_the_host_tells_the_position_at_the_table(client):
    """The record begins there: it is said, and the next play counts on from it."""
    made = new_table(client)
    begun = act(client, made, BEGIN)
    played = act(client, made, PLAY)

    assert ["The record begins here: Ann 120, Bob 98. Bob to move."] == begun.json()["say"]
    assert {"begins": True, "not_words": [], "too_many": []} == begun.json()["result"]
    assert 6 == played.json()["result"]["turn_score"]
    assert {"Ann": 120, "Bob": 104} == view_of(client, made)["view"]["scores"]


def test_a_word_typed_wrongly_is_pointed_out(client):
    """A string that is not in the list is often a typing error; it is said, not refused."""
    made = new_table(client)
    begun = act(client, made, {**BEGIN, "start": {"board": board(H4="TRIAN")}})

    assert ["TRIAN"] == begun.json()["result"]["not_words"]
    assert "Not in the list: TRIAN. Please check the board." in begun.json()["say"]


def test_a_letter_that_lies_too_often_is_pointed_out(client):
    """The set has one Z: a house with other tiles goes on, everybody else sees the error."""
    made = new_table(client)
    begun = act(client, made, {**BEGIN, "start": {"board": {"H8": "Z", "H10": "Z"}}})

    assert ["Z"] == begun.json()["result"]["too_many"]
    assert "More than there are in the set: Z. Please check the board." in begun.json()["say"]


def test_only_the_host_tells_a_position(client):
    """A seat cannot change the whole game."""
    made = new_table(client)

    assert 403 == act(client, made, BEGIN, made["seat_tokens"]["Ann"]).status_code


def test_undo_never_goes_before_the_start(client):
    """What was played since is taken back, the position is not."""
    made = new_table(client)
    act(client, made, BEGIN)
    act(client, made, PLAY)
    first, second = (act(client, made, {"action": "undo"}) for _ in range(2))

    assert 200 == first.status_code
    assert "nothing_to_undo" == second.json()["error"]["code"]
    assert "The record begins here" in second.json()["error"]["message"]
    assert {"Ann": 120, "Bob": 98} == view_of(client, made)["view"]["scores"]


def test_a_tile_of_the_position_is_corrected(client):
    """A typing error that is seen later: the scores of plays since are worked out again."""
    made = new_table(client)
    wrong = {**START, "board": board(H4="TRAIN", v_H8="NEZT")}
    act(client, made, {"action": "begin_from", "start": wrong})
    act(client, made, {**PLAY, "forced": True})
    right = act(client, made, {"action": "correct", "square": "J8", "letter": "A"})
    scores = view_of(client, made)["view"]["scores"]
    undone = act(client, made, {"action": "undo"})

    assert (200, ["Corrected.", "Bob has 104."]) == (right.status_code, right.json()["say"])
    assert {"Ann": 120, "Bob": 104} == scores
    assert 200 == undone.status_code
    assert "Z" == view_of(client, made)["view"]["board"][9][7]


def test_a_game_with_plays_is_not_dropped_unasked(client):
    """Whoever means it says `anyway`."""
    made = new_table(client)
    act(client, made, {"action": "pass", "player": "Ann"})
    refused = act(client, made, BEGIN)
    meant = act(client, made, {**BEGIN, "anyway": True})

    assert "game_begun" == refused.json()["error"]["code"]
    assert 200 == meant.status_code
    assert [] == view_of(client, made)["history"]


def test_the_position_is_kept(tmp_path):
    """A server that starts again knows where the record begins, and undo still ends there."""
    from fastapi.testclient import TestClient

    from kibitz.app.server.app import create_app

    session = make_session(tmp_path)
    client = TestClient(create_app(session))
    made = new_table(client)
    act(client, made, BEGIN)
    act(client, made, PLAY)
    session.close()
    again = make_session(tmp_path)
    client = TestClient(create_app(again))
    kept = view_of(client, made)
    act(client, made, {"action": "undo"})
    refused = act(client, made, {"action": "undo"})
    again.close()

    assert {"Ann": 120, "Bob": 104} == kept["view"]["scores"]
    assert {"Ann": 120, "Bob": 98} == kept["start"]["scores"]
    assert "nothing_to_undo" == refused.json()["error"]["code"]


def test_the_record_says_where_it_begins(client, session):
    """JSON, CSV, the replaying page and GCG, which replays with the same scores."""
    made = new_table(client)
    act(client, made, BEGIN)
    act(client, made, PLAY)
    table = session.tables.get(made["table"])
    rows = list(csv.reader(io.StringIO(export_table(table, "csv"))))
    gcg = export_table(table, "gcg")
    replayed = replay_gcg(read_gcg(gcg), [load_tile_set("en")])
    record = client.get(
        f"/api/tables/{made['table']}/record", headers=bearer(made["host_token"])
    ).json()

    assert ["0", "", "begins_from_position", "", "", "", "120", "98"] == rows[1]
    assert "The record begins in the middle of a game, at Ann 120, Bob 98." in gcg
    assert () == tuple(replayed.wrong)
    assert {"Ann": 120, "Bob": 104} == dict(replayed.scores)
    assert ROWS == record["start"]["board"]
    assert ROWS == record["header"]["initial"]["board"]
    assert "The record begins here" in export_table(table, "html")


def test_racks_told_with_the_position_stay_secret(client):
    """A known rack is its owner's; the record shows it when the game is over."""
    made = new_table(client)
    act(client, made, {"action": "begin_from", "start": {**START, "racks": {"Ann": "QXJZKVW"}}})
    path = f"/api/tables/{made['table']}/record"
    record = client.get(path, headers=bearer(made["host_token"])).text

    assert "QXJZKVW" not in record.replace('", "', "").replace('","', "")
    assert list("QXJZKVW") == view_of(client, made, made["seat_tokens"]["Ann"])["view"]["rack"]


def test_what_the_camera_sees_can_be_taken_over(client):
    """The host's page asks what lies there, and begins from it; the next picture is a play."""
    made = new_table(client)
    see(client, made, ROWS)
    path = f"/api/tables/{made['table']}/seen"
    seen = client.get(path, headers=bearer(made["host_token"])).json()
    start = {**START, **seen}
    act(client, made, {"action": "begin_from", "start": start, "anyway": True})
    line = see(client, made, board(H4="TRAIN", v_H8="NEATS")).json()

    assert {"board": ROWS} == seen
    assert {"Ann": 120, "Bob": 104} == line["line"]["scores"]


def test_without_a_picture_there_is_nothing_to_take_over(client):
    """The answer says what to do."""
    made = new_table(client)
    path = f"/api/tables/{made['table']}/seen"
    answer = client.get(path, headers=bearer(made["host_token"]))

    assert 404 == answer.status_code
    assert "show it the whole board" in answer.json()["error"]["message"]


def test_ships_are_hit_by_the_tiles_that_lie_when_fleets_are_entered(client):
    """ScrabbleShip: fleets stay secret; what the tiles have hit follows from them."""
    made = new_table(client, "scrabbleship")
    position = {"board": board(H4="TRAIN", v_E3="TEAS"), "ship_count": [0, 1], "to_move": "Bob"}
    act(client, made, {"action": "begin_from", "start": position})
    tell = {"action": "enter_fleet", "player": "Ann", "fleet": FLEET}
    told = act(client, made, tell, made["seat_tokens"]["Ann"])
    again = act(client, made, tell, made["seat_tokens"]["Ann"])
    view = view_of(client, made)["view"]

    assert 200 == told.status_code
    assert "fleets_fixed" == again.json()["error"]["code"]
    assert [] == view["hits"]
    assert {"Ann": 0, "Bob": 1} == view["ship_count"]


def test_a_ship_under_a_tile_is_sunk_at_the_start(client):
    """The first tile on a ship sinks it with method 1; the squares become known as called."""
    made = new_table(client, "scrabbleship")
    act(client, made, {"action": "begin_from", "start": {"board": board(v_E1="TEASE")}})
    tell = {"action": "enter_fleet", "player": "Ann", "fleet": FLEET}
    act(client, made, tell, made["seat_tokens"]["Ann"])
    view = view_of(client, made)["view"]

    assert ["E1"] == view["hits"]
    assert [["Ann", "patrol"]] == view["sunk"]


def test_nine_boards_are_told_by_their_numbers(client):
    """Frankenscrabbards: boards, plays counted and the Frank."""
    made = new_table(client, "frankenscrabbards")
    position = {"boards": {"5": board(H4="TRAIN")}, "plays_so_far": 4, "frank": "Bob"}
    act(client, made, {"action": "begin_from", "start": position})
    now = view_of(client, made)["view"]

    assert "TRAIN" == now["board45"][22][18:23]
    assert (4, "Bob") == (now["total_words"], now["frank"])


def test_words_before_seats(client):
    """GrabScrab: words, pool and how many lie face down."""
    made = new_table(client, "grabscrab")
    position = {"words": {"Ann": "TRAIN STOP", "Bob": ""}, "pool": "E O P", "face_down": 40}
    act(client, made, {"action": "begin_from", "start": position})
    now = view_of(client, made)["view"]

    assert {"Ann": ["TRAIN", "STOP"], "Bob": []} == now["words"]
    assert ("EOP", 40) == (now["pool"], now["face_down"])


def test_two_boards_with_hands_and_clocks(client):
    """Scrabble House: both boards, whose turn it is on each, hands and seconds left."""
    made = new_table(client, "scrabble-house", players=("Ann", "Bob", "Cyd", "Dee"))
    position = {
        "boards": [board(O4="TRAIN"), board(A4="niart")],
        "to_move": ["Bob", "Cyd"],
        "hands": {"Ann": 5},
        "clocks": [300, 310, 320, 330],
        "bags": [40, 41],
    }
    act(client, made, {"action": "begin_from", "start": position})
    now = view_of(client, made)["view"]

    assert [board(O4="TRAIN"), board(A4="niart")] == now["boards"]
    assert ["Bob", "Cyd"] == now["may_act"]
    assert 5 == now["hands"]["Ann"]["own_colour"]
    assert [40, 41] == now["bags"]


def test_pegs_and_the_dealer(client):
    """Scrabbage: pegs of teams, who deals, and tiles in hand."""
    made = new_table(client, "scrabbage", players=("Ann", "Bob", "Cyd", "Dee"))
    position = {
        "board": board(H4="TRAIN"),
        "scores": {"Ann+Cyd": 61, "Bob+Dee": 58},
        "dealer": "Cyd",
        "to_move": "Dee",
        "tiles_left": [2, 2, 2, 3],
    }
    act(client, made, {"action": "begin_from", "start": position})
    now = view_of(client, made)["view"]

    assert {"Ann+Cyd": 61, "Bob+Dee": 58} == now["scores"]
    assert ("Cyd", "Dee") == (now["dealer"], now["to_move"])
    assert {"Ann": 2, "Bob": 2, "Cyd": 2, "Dee": 3} == now["tiles_left"]
