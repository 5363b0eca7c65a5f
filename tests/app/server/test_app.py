"""The HTTP calls, in process: tables, actions, frames."""

from __future__ import annotations

import pytest

from tests.app.server_help import (
    PLAY,
    act,
    board,
    new_table,
    see,
    state,
)


def test_games_are_listed_with_their_settings(client):
    """Every game has seats, and settings with a default and a sentence."""
    games = {g["game"]: g for g in client.get("/api/games").json()["games"]}

    assert {"scrabble", "scrabbleship"} <= set(games)
    assert games["scrabble"]["players"] == [2, 3, 4]
    assert all(s["sentence"] for g in games.values() for s in g["settings"])


def test_a_table_gives_a_token_to_everybody(client):
    """Host, camera, watchers and each seat get different tokens."""
    made = new_table(client)

    tokens = [made["host_token"], made["camera_token"], made["watch_token"]]
    tokens += made["seat_tokens"].values()

    assert len(set(tokens)) == 5
    assert {"Ann", "Bob"} == set(made["seat_tokens"])


@pytest.mark.parametrize(
    ("order", "code"),
    [
        ({"game": "chess", "players": ["Ann", "Bob"]}, "unknown_game"),
        ({"game": "scrabble", "players": ["Ann", "ann"]}, "bad_players"),
        ({"game": "scrabble", "players": ["Ann"]}, "cannot_begin"),
        ({"game": "scrabble", "players": ["Ann", " "]}, "bad_players"),
        ({"game": "scrabble", "players": ["Ann", "Bob"], "tiles": "/etc/passwd"}, "unknown_tiles"),
        ({"game": "scrabble", "players": ["Ann", "Bob"], "lexicon": "/etc/x"}, "unknown_lexicon"),
        (
            {"game": "scrabble", "players": ["Ann", "Bob"], "settings": {"lexicon": "/etc/x"}},
            "unknown_lexicon",
        ),
        ({"game": "scrabble", "players": ["Ann", "Bob"], "settings": {"x": 1}}, "unknown_setting"),
        ({"game": "scrabble"}, "bad_request"),
    ],
)
def test_what_is_no_table_is_refused_with_a_code(client, order, code):
    """A wrong game, name, setting, tile set or list is told by a stable code."""
    answer = client.post("/api/tables", json=order)

    assert (422, code) == (answer.status_code, answer.json()["error"]["code"])


def test_a_seat_plays_for_itself_only(client):
    """A seat's action is its player's; it cannot act for another."""
    made = new_table(client)
    seats = made["seat_tokens"]

    first = act(client, made, {"action": "place", "tiles": PLAY["tiles"]}, seats["Ann"])
    other = act(client, made, {"action": "pass", "player": "Bob"}, seats["Ann"])

    assert (first.status_code, first.json()["result"]["turn_score"]) == (200, 4)
    assert (other.status_code, other.json()["error"]["code"]) == (403, "forbidden")


def test_a_refusal_names_code_and_squares_and_changes_nothing(client):
    """What the rules refuse is a 409 with the rule's own code."""
    made = new_table(client)

    answer = act(
        client, made, {"action": "place", "player": "Ann", "tiles": {"A1": "A", "A2": "T"}}
    )
    after = state(client, made, made["watch_token"]).json()

    assert answer.status_code == 409
    assert (
        answer.json()["error"]["code"],
        answer.json()["error"]["squares"],
    ) == ("not_centre", ["A1", "A2"])
    assert after["seq"] == 0


@pytest.mark.parametrize(
    "body",
    [
        {"action": "place", "tiles": 7},
        {"action": "place", "tiles": {"H8": 5}},
        {"action": "place", "tiles": {"Z99": "A"}},
        {"action": "exchange", "tiles": 3},
        {"action": "challenge", "words": 5},
        {"action": "answer", "field": "blank"},
        {"action": "correct"},
        {"action": "correct", "entry": True, "with": 3},
        {"action": "allow_word", "word": ["x"]},
        {"action": "set_position", "initial": 3},
        {"action": "take_back", "photo": "x"},
        {"action": "begin_from"},
        {"action": "begin_from", "start": 3},
        {"action": "begin_from", "start": {"board": 3}},
        {"action": "begin_from", "start": {"board": {"H8": None}}},
        {"action": "begin_from", "start": {"scores": {"Ann": "x"}, "racks": 5}},
        {"action": "begin_from", "start": {"rack_counts": [[], {}], "players": "Ann"}},
        {"action": "racks", "racks": {"Ann": 5}},
        {"action": "no such thing"},
    ],
)
def test_nonsense_is_refused_not_a_crash(client, body):
    """Whatever an action carries, the answer is a refusal in the usual form."""
    made = new_table(client)

    answer = act(client, made, body)

    assert answer.status_code in (409, 422)
    assert {"code", "message"} <= set(answer.json()["error"])


def test_the_same_key_is_done_once(client):
    """An action sent twice with one Idempotency-Key happens once and gets one answer."""
    made = new_table(client)

    first = act(client, made, PLAY, **{"Idempotency-Key": "k1"}).json()
    again = act(client, made, PLAY, **{"Idempotency-Key": "k1"}).json()
    other = act(client, made, {"action": "pass"}, **{"Idempotency-Key": "k1"})

    assert (first["seq"], first["say"]) == (again["seq"], again["say"])
    assert again["repeated"]
    assert other.json()["error"]["code"] == "idempotency_key_reused"


def test_a_call_that_may_not_be_made_leaves_its_key_free(client):
    """Nobody judged it: the same key may come again with an action that is judged."""
    made = new_table(client)
    key = {"Idempotency-Key": "k1"}
    nobody = act(client, made, {**PLAY, "player": "Zoe"}, **key)
    first = act(client, made, PLAY, **key)
    other = act(client, made, {"action": "pass"}, **key)

    assert (422, 200, 409) == (nobody.status_code, first.status_code, other.status_code)
    assert state(client, made, made["watch_token"]).json()["seq"] == 1


def test_undo_and_correct_play_everything_again(client):
    """A corrected letter changes the score of its play; undo takes the correction back."""
    made = new_table(client, lexicon="none")
    act(client, made, {"action": "place", "player": "Ann", "tiles": {"H8": "A", "H9": "T"}})
    act(client, made, {"action": "place", "player": "Bob", "tiles": {"I9": "O"}})

    scores = [state(client, made, made["watch_token"]).json()["view"]["scores"]]
    for body in ({"action": "correct", "square": "H9", "letter": "Q"}, {"action": "undo"}):
        assert act(client, made, body).status_code == 200
        scores.append(state(client, made, made["watch_token"]).json()["view"]["scores"])

    assert scores == [{"Ann": 4, "Bob": 3}, {"Ann": 22, "Bob": 12}, {"Ann": 4, "Bob": 3}]


def test_a_correction_that_breaks_later_plays_says_so(client):
    """Taking away a tile that a later play leans on is refused until it is asked for anyway."""
    made = new_table(client, lexicon="none")
    act(
        client,
        made,
        {"action": "place", "player": "Ann", "tiles": {"H8": "A", "H9": "T", "H10": "S"}},
    )
    act(client, made, {"action": "place", "player": "Bob", "tiles": {"I10": "O"}})

    body = {"action": "correct", "square": "H10", "letter": ""}
    first = act(client, made, body)
    anyway = act(client, made, {**body, "anyway": True})
    view = state(client, made, made["watch_token"]).json()["view"]

    assert first.json()["error"]["code"] == "later_plays"
    assert anyway.status_code == 200
    assert view["board"][7] == ".......AT......"
    assert view["scores"] == {"Ann": 4, "Bob": 0}


def test_a_camera_frame_becomes_a_play(client):
    """A photograph of a new word is read, judged, announced and kept with its picture."""
    made = new_table(client)
    see(client, made, board())

    answer = see(client, made, board(H7="CAT"))
    body = answer.json()
    shown = state(client, made, made["host_token"]).json()

    assert answer.status_code == 200
    assert body["line"]["status"] == "play"
    assert (
        body["line"]["play"]["player"],
        body["line"]["play"]["tiles"],
    ) == ("Ann", {"H7": "C", "H8": "A", "H9": "T"})
    assert body["line"]["say"][0] == "Ann plays CAT."
    assert body["read"]["boards"][0]["rows"][7] == "......CAT......"
    assert shown["last"] == ["H7", "H8", "H9"]
    assert [p["photo"] for p in shown["pictures"]] == [1]


def test_a_refused_word_waits_until_people_allow_it(client):
    """A word that is not in the list is no play; once it is allowed the same picture is one."""
    made = new_table(client)
    see(client, made, board())
    refused = see(client, made, board(H7="QZX")).json()
    tasks = state(client, made, made["watch_token"]).json()["tasks"]

    allowed = act(client, made, {"action": "allow_word", "word": "QZX"})
    after = see(client, made, board(H7="QZX")).json()

    assert refused["line"]["refused"]["code"] == "not_a_word"
    assert [t["task"] for t in tasks] == ["refused"]
    assert allowed.status_code == 200
    assert after["line"]["play"]["words"][0]["word"] == "QZX"


def test_a_task_is_ticked_off_by_hand(client):
    """What no camera sees done, people say is done; with nothing to do that is refused."""
    made = new_table(client)
    see(client, made, board())
    early = act(client, made, {"action": "task_done"}).json()
    see(client, made, board(H7="QZX"))
    done = act(client, made, {"action": "task_done"}, made["seat_tokens"]["Bob"])

    assert early["error"]["code"] == "no_task"
    assert done.json()["legal"] is True
    assert state(client, made, made["watch_token"]).json()["tasks"] == []


@pytest.mark.parametrize(
    "body",
    [
        {"action": "correct", "entry": 0, "with": None},
        {"action": "correct", "entry": 0, "with": {**PLAY, "player": "Bob"}},
        {"action": "racks", "racks": {"Bob": ["Q"]}},
        {"action": "racks", "racks": {"Ann": ["A"], "Bob": ["Q"]}},
        {"action": "set_position", "board": board()},
        {"action": "finish_game", "players": 2, "total": 9, "final_frank": "Ann"},
        {"action": "pass", "player": "Bob"},
        {"action": "press_clock", "player": "Bob"},
    ],
)
def test_a_seat_does_nothing_to_others(client, body):
    """Another's plays, racks and turns, and the table itself, are not a seat's to change."""
    made = new_table(client)
    act(client, made, PLAY)
    before = state(client, made, made["host_token"]).json()["seq"]
    answer = act(client, made, body, made["seat_tokens"]["Ann"])

    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden")
    assert state(client, made, made["host_token"]).json()["seq"] == before


def test_a_blank_is_asked_for_and_answered(client):
    """A bare tile is a question; the answer names it and the question goes."""
    made = new_table(client)
    see(client, made, board())
    see(client, made, board(H7="C?T"))
    before = state(client, made, made["watch_token"]).json()

    body = {"action": "answer", "field": "blank", "square": "H8", "value": "A"}
    answer = act(client, made, body, made["seat_tokens"]["Ann"])
    after = state(client, made, made["watch_token"]).json()

    assert [q["square"] for q in before["questions"]] == ["H8"]
    assert answer.status_code == 200
    assert after["questions"] == []
    assert after["view"]["board"][7] == "......CaT......"


@pytest.mark.parametrize(
    ("method", "path", "body", "says"),
    [
        (
            "GET",
            "/api/nowhere",
            b"",
            "There is no call '/api/nowhere' here; /docs lists the calls",
        ),
        ("GET", "/nowhere", b"", "There is no call '/nowhere' here"),
        ("DELETE", "/api/games", b"", "'/api/games' takes GET, not DELETE; see /docs."),
        ("POST", "/api/tables", b"{bad", "The body is no JSON: Expecting property name"),
    ],
)
def test_a_call_that_leads_nowhere(client, method, path, body, says):
    """Who calls a wrong address, or sends what is no JSON, is told what is there."""
    headers = {"content-type": "application/json"}
    answer = client.request(method, path, content=body, headers=headers)

    assert answer.json()["error"]["message"].startswith(says)


@pytest.mark.parametrize(
    ("language", "title"), [("en", "Page not found"), ("de-DE,de;q=0.9", "Page not found")]
)
def test_a_browser_gets_a_page_where_there_is_none(client, language, title):
    """In its own language; programs get JSON."""
    headers = {"accept": "text/html,*/*;q=0.8", "accept-language": language}
    answer = client.get("/nowhere", headers=headers)

    assert (404, True) == (answer.status_code, title in answer.text)
    assert f'<html lang="{language[:2]}">' in answer.text
    assert "error" in client.get("/nowhere").json()


def test_what_a_page_loads_is_packed(client):
    """Scripts and texts are, for browsers that unpack them; answers that hold tokens are not."""
    loads = ("/static/js/board.js", "/static/css/base.css", "/language/de.json")
    answers = [client.get(path) for path in loads]
    plain = [client.get(path, headers={"accept-encoding": "identity"}) for path in loads]

    assert ["gzip"] * 3 == [a.headers.get("content-encoding") for a in answers]
    assert [a.content for a in plain] == [a.content for a in answers]
    assert [None] * 4 == [
        a.headers.get("content-encoding") for a in (*plain, client.get("/api/games"))
    ]
