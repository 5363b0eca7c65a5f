"""The HTTP calls, in process."""

from __future__ import annotations

import json

import numpy as np
import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from app.rate_limit import RateLimit
from app.server import create_app
from tests.app.server_help import board, make_session, picture_of, png_of

PLAY = {"action": "place", "player": "Ann", "tiles": {"H7": "A", "H8": "T"}}


@pytest.fixture
def session(tmp_path):
    session = make_session(tmp_path)
    yield session
    session.close()


@pytest.fixture
def client(session):
    return TestClient(create_app(session))


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def new_table(client, game="scrabble", players=("Ann", "Bob"), **more):
    answer = client.post("/api/tables", json={"game": game, "players": list(players), **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


def act(client, made, body, token=None, **headers):
    auth = bearer(token or made["host_token"])
    path = f"/api/tables/{made['table']}/actions"
    return client.post(path, json=body, headers={**auth, **headers})


def see(client, made, rows, token=None):
    headers = {**bearer(token or made["camera_token"]), "content-type": "image/png"}
    path = f"/api/tables/{made['table']}/frames"
    return client.post(path, content=picture_of(rows), headers=headers)


def state(client, made, token):
    return client.get(f"/api/tables/{made['table']}", headers=bearer(token))


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


def test_watch_and_camera_do_not_act(client):
    """Tokens for looking do not move."""
    made = new_table(client)

    statuses = [
        act(client, made, PLAY, made[name]).status_code for name in ("watch_token", "camera_token")
    ]

    assert statuses == [403, 403]


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


def test_pictures_are_for_host_and_camera(client):
    """The newest frame and the kept pictures never go to seats or watchers."""
    made = new_table(client)
    see(client, made, board(H7="CAT"))
    seq = state(client, made, made["host_token"]).json()["pictures"][0]["seq"]
    base = f"/api/tables/{made['table']}"
    paths = (f"{base}/frame.jpg", f"{base}/frame.jpg?overlay=1", f"{base}/pictures/{seq}.jpg")

    def statuses(token):
        return [client.get(p, headers=bearer(token)).status_code for p in paths]

    assert statuses(made["host_token"]) == [200, 200, 200]
    assert statuses(made["camera_token"]) == [200, 200, 200]
    assert statuses(made["watch_token"]) == [403, 403, 403]
    assert statuses(made["seat_tokens"]["Ann"]) == [403, 403, 403]


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"", "image/jpeg", 422),
        (b"hello", "image/jpeg", 422),
        (b"hello", "text/plain", 415),
        (b"\xff\xd8\xff\xe0 broken", "image/jpeg", 422),
    ],
)
def test_what_is_no_picture_is_told(client, content, kind, status):
    """A frame that is no picture gets a code, never a crash."""
    made = new_table(client)

    headers = {**bearer(made["camera_token"]), "content-type": kind}
    answer = client.post(f"/api/tables/{made['table']}/frames", content=content, headers=headers)

    assert status == answer.status_code
    assert "code" in answer.json()["error"]


def test_a_small_file_that_unfolds_into_a_huge_picture_is_refused(client):
    """A decompression bomb is told from its header, before anything is unfolded."""
    made = new_table(client)
    bomb = png_of(np.zeros((9000, 9000), np.uint8))

    headers = {**bearer(made["camera_token"]), "content-type": "image/png"}
    answer = client.post(f"/api/tables/{made['table']}/frames", content=bomb, headers=headers)

    assert len(bomb) < 200_000
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


def test_bodies_have_a_limit(client):
    """A body larger than a call needs is refused, also when its length is not told."""
    made = new_table(client)
    path = f"/api/tables/{made['table']}/actions"

    def in_parts():
        yield from [b"x" * 100_000] * 5

    headers = {**bearer(made["host_token"]), "content-type": "application/json"}
    told = client.post(path, content=b"x" * 500_000, headers=headers)
    untold = client.post(path, content=in_parts(), headers=headers)

    assert [told.status_code, untold.status_code] == [413, 413]


def test_no_token_wrong_token_other_table(client):
    """Without a token 401; a wrong one and one of another table tell nothing about the table."""
    one, two = new_table(client), new_table(client)
    path = f"/api/tables/{one['table']}"

    answers = [client.get(path)]
    answers += [client.get(path, headers=bearer(t)) for t in ("x", two["host_token"], "y" * 300)]
    answers.append(client.get("/api/tables/nothere", headers=bearer(one["host_token"])))

    assert [a.status_code for a in answers] == [401, 404, 404, 404, 404]
    assert len({a.text for a in answers[1:]}) == 1


def test_many_wrong_tokens_are_slowed_down(tmp_path):
    """Guessing is stopped after a burst, also for a right token."""
    session = make_session(tmp_path, tries=RateLimit(0.001, 5))
    client = TestClient(create_app(session))
    made = new_table(client)

    wrong = [state(client, made, f"guess{i}").status_code for i in range(7)]
    right = state(client, made, made["host_token"]).status_code
    session.close()

    assert wrong == [404] * 5 + [429, 429]
    assert right == 429


def test_tables_are_set_up_by_the_host_alone(tmp_path):
    """From elsewhere a table needs the server's key."""
    session = make_session(tmp_path, open_to_all=False, host_key="secret")
    client = TestClient(create_app(session))
    order = {"game": "scrabble", "players": ["Ann", "Bob"]}

    plain = client.post("/api/tables", json=order)
    wrong = client.post("/api/tables", json=order, headers=bearer("other"))
    right = client.post("/api/tables", json=order, headers=bearer("secret"))
    session.close()

    assert [plain.status_code, wrong.status_code, right.status_code] == [401, 403, 201]


@pytest.mark.parametrize(
    ("host", "headers", "status"),
    [
        ("127.0.0.1:8000", {}, 201),
        ("localhost:8000", {"origin": "http://localhost:8000"}, 201),
        ("[::1]:8000", {}, 201),
        ("evil.example:8000", {}, 401),
        ("localhost:8000", {"origin": "http://evil.example"}, 403),
        ("localhost:8000", {"x-forwarded-for": "10.0.0.1"}, 401),
    ],
)
def test_this_machine_sets_up_tables_unless_a_foreign_page_asks(tmp_path, host, headers, status):
    """A page of another origin, a foreign name or a proxy does not speak for this machine."""
    session = make_session(tmp_path, open_to_all=False)
    client = TestClient(create_app(session), client=("127.0.0.1", 5))

    order = {"game": "scrabble", "players": ["Ann", "Bob"]}
    answer = client.post("/api/tables", json=order, headers={"host": host, **headers})
    session.close()

    assert status == answer.status_code


def test_the_host_lists_tables_and_hands_out_tokens(client):
    """A lost token is replaced; the new one opens the same seat."""
    made = new_table(client)
    listed = client.get("/api/tables").json()["tables"]
    path = f"/api/tables/{made['table']}/tokens"

    fresh = client.post(path, json={"role": "seat", "player": "Bob"}).json()["token"]
    unknown = client.post(path, json={"role": "seat", "player": "Zoe"})

    assert [made["table"]] == [t["table"] for t in listed]
    assert state(client, made, fresh).json()["you"] == {"role": "seat", "player": "Bob"}
    assert unknown.status_code == 422


def test_headers_shut_everything_foreign_out(client):
    """Pages may load nothing but this server's own files; answers are not stored."""
    page, api = client.get("/"), client.get("/api/games")

    policy = page.headers["content-security-policy"]

    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.headers["referrer-policy"] == "no-referrer"
    assert api.headers["cache-control"] == "no-store"


def test_errors_have_one_form(client):
    """What is not there, or not asked for properly, is told in the same form."""
    answers = [client.get("/api/nothing"), client.put("/api/games"), client.get("/static/nothing")]

    assert [a.status_code for a in answers] == [404, 405, 404]
    assert all({"code", "message"} <= set(a.json()["error"]) for a in answers)


def test_the_record_is_the_hosts_until_the_game_is_over(client):
    """Watchers and seats read the record only after the end."""
    made = new_table(client)
    act(client, made, PLAY)
    path = f"/api/tables/{made['table']}/record"
    roles = (made["host_token"], made["watch_token"], made["seat_tokens"]["Bob"])

    before = [client.get(path, headers=bearer(t)).status_code for t in roles]
    act(client, made, {"action": "end_game"})
    after = [client.get(path, headers=bearer(t)).status_code for t in roles]
    camera = client.get(path, headers=bearer(made["camera_token"])).status_code

    assert before == [200, 403, 403]
    assert after == [200, 200, 200]
    assert camera == 403


def test_records_come_as_json_and_csv(client):
    """Header and events as JSON; a row an entry as CSV, safe to open in a spreadsheet."""
    made = new_table(client, players=("=Ann", "Bob"))
    act(client, made, {**PLAY, "player": "=Ann"})
    path = f"/api/tables/{made['table']}/record"

    record = client.get(path, headers=bearer(made["host_token"])).json()
    rows = client.get(f"{path}?format=csv", headers=bearer(made["host_token"])).text.splitlines()
    other = client.get(f"{path}?format=docx", headers=bearer(made["host_token"]))

    assert [e["kind"] for e in record["events"]] == ["told"]
    assert record["final"]["scores"] == {"=Ann": 4, "Bob": 0}
    assert rows[1] == "1,'=Ann,place,AT,H7=A H8=T,4,4,0"
    assert other.status_code == 422


FLEETS = {
    "Ann": {
        "carrier": ["A1", "A5"],
        "scrabbleship": ["B1", "B4"],
        "submarine": ["C1", "C3"],
        "destroyer": ["D1", "D3"],
        "patrol": ["E1", "E2"],
    },
    "Bob": {
        "carrier": ["O1", "O5"],
        "scrabbleship": ["N1", "N4"],
        "submarine": ["M1", "M3"],
        "destroyer": ["L1", "L3"],
        "patrol": ["K1", "K2"],
    },
}


def test_a_seat_never_sees_anothers_fleet(client):
    """Neither state, history, record, socket nor answer tells a fleet to who does not own it."""
    made = new_table(client, "scrabbleship")
    seats = made["seat_tokens"]
    for player, fleet in FLEETS.items():
        body = {"action": "enter_fleet", "fleet": fleet}
        assert act(client, made, body, seats[player]).status_code == 200

    secrets = {"Ann": '"E2"', "Bob": '"K2"'}
    seen = {
        who: state(client, made, token).text
        for who, token in {**seats, "host": made["host_token"], "w": made["watch_token"]}.items()
    }
    path = f"/api/tables/{made['table']}"
    record = client.get(f"{path}/record", headers=bearer(made["host_token"])).text
    with client.websocket_connect(f"{path}/live?token={seats['Ann']}") as socket:
        live = json.dumps(socket.receive_json())

    assert secrets["Ann"] in seen["Ann"]
    assert secrets["Bob"] not in seen["Ann"]
    assert secrets["Bob"] in seen["Bob"]
    assert secrets["Ann"] not in seen["Bob"]
    assert secrets["Bob"] not in live
    for text in (seen["host"], seen["w"], record):
        assert secrets["Ann"] not in text
        assert secrets["Bob"] not in text


def test_a_page_is_told_at_once(client):
    """The socket begins with the state and pushes every change."""
    made = new_table(client)
    url = f"/api/tables/{made['table']}/live?token={made['watch_token']}"

    with client.websocket_connect(url) as socket:
        first = socket.receive_json()
        act(client, made, PLAY)
        second = socket.receive_json()

    assert (first["type"], first["seq"]) == ("state", 0)
    assert (second["type"], second["seq"]) == ("state", 1)
    assert second["said"][0]["lines"][0] == "Ann plays AT."


def test_a_streaming_camera_tells_the_table_only_what_is_still(client):
    """A frame counts when the next one agrees; the same position is told once."""
    made = new_table(client)
    url = f"/api/tables/{made['table']}/camera?token={made['camera_token']}"
    frames = [board(), board(), board(H7="CA"), board(H7="CAT"), board(H7="CAT"), board(H7="CAT")]

    answers = []
    with client.websocket_connect(url) as socket:
        for rows in frames:
            socket.send_bytes(picture_of(rows))
            answers.append(socket.receive_json())
        socket.send_bytes(b"no picture")
        bad = socket.receive_json()
    history = state(client, made, made["watch_token"]).json()["history"]

    assert [a["settled"] for a in answers] == [False, True, False, False, True, True]
    assert [[w["word"] for w in h["words"]] for h in history] == [["CAT"]]
    assert bad["error"]["code"] == "not_an_image"


@pytest.mark.parametrize("role", ["watch_token", "wrong"])
def test_a_wrong_token_opens_no_camera_socket(client, role):
    """The socket closes with its own code."""
    made = new_table(client)
    token = made.get(role, "wrong")
    url = f"/api/tables/{made['table']}/camera?token={token}"

    with client.websocket_connect(url) as socket:
        message = socket.receive()

    assert (message["type"], message["code"]) == ("websocket.close", 4401)


def test_a_foreign_page_opens_no_socket(client):
    """A socket from a page of another origin is closed."""
    made = new_table(client)
    url = f"/api/tables/{made['table']}/live?token={made['watch_token']}"

    with (
        pytest.raises(WebSocketDisconnect) as closed,
        client.websocket_connect(url, headers={"origin": "http://evil.example"}),
    ):
        pass

    assert (closed.value.code, closed.value.reason) == (1008, "foreign_origin")


def test_a_code_to_scan_is_made_here(client):
    """The QR code of a join address is an SVG made without any network."""
    answer = client.post("/api/qr", json={"text": "http://127.0.0.1/seat/x#token=abc"})

    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert "<svg" in answer.text
