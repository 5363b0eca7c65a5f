"""The client against a real server, and held against what the server says of itself."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from kibitz import client as face
from kibitz.app.client.client import CALLS
from kibitz.app.common.errors import UsageError
from kibitz.app.server.app import create_app
from kibitz.client import (
    Client,
    ConnectionRules,
    Refused,
    ServerAway,
    ServerRefused,
    events,
    read_event,
)
from tests.app.client.client_help import served
from tests.app.server_help import PLAY, board, make_session, picture_of
from tests.helpers.shared_data import ROOT

TILES = PLAY["tiles"]


@pytest.fixture
def session(tmp_path):
    """The inside of a server."""
    inside = make_session(tmp_path)
    yield inside
    inside.close()


@pytest.fixture
def server(session):
    """A client of a running server."""
    with served(session) as port, Client(f"http://127.0.0.1:{port}") as client:
        yield client


def a_table(server: Client) -> face.TableClient:
    """A new table, as its host."""
    made = server.create("scrabble", ["Ann", "Bob"], {"reject_invalid": False})
    return server.table(made.table, made.host_token)


def test_a_game(server):
    """A table is set up, played at, looked at, exported and deleted."""
    made = server.create("scrabble", ["Ann", "Bob"], {"reject_invalid": False})
    table = server.table(made.table, made.seat_tokens["Ann"])
    acted = table.act("place", "Ann", tiles=TILES)
    view = server.table(made.table, made.watch_token).view()
    listed = server.tables("ann").tables
    gcg = server.table(made.table, made.host_token).record("gcg")
    undone = table.undo()
    redone = table.redo()
    server.delete(made.table)

    assert (True, ("Ann plays AT.", "4 for AT; 4.")) == (acted.legal, acted.say)
    assert ("......AT.......", {"Ann": 4, "Bob": 0}) == (view.board[7], view.scores)
    assert ("watch", None) == (view.you.role, view.you.player)
    assert ("place", TILES, 4) == (
        view.history[0].action,
        view.history[0].tiles,
        view.history[0].turn_score,
    )
    assert [made.table] == [entry.table for entry in listed]
    assert "AT" in gcg
    assert (True, True) == (bool(undone), bool(redone))
    assert () == server.tables().tables


def test_what_the_rules_refuse_is_no_error(server):
    """It is false and says why; what the caller may not do is an error."""
    made = server.create("scrabble", ["Ann", "Bob"])
    refused = server.table(made.table, made.host_token).act("place", "Ann", tiles={"A1": "T"})
    with pytest.raises(ServerRefused) as wrong:
        server.table(made.table, made.watch_token).act("pass", "Ann")

    assert isinstance(refused, Refused)
    assert not refused
    assert refused.code
    assert refused.message
    assert (403, "forbidden") == (wrong.value.status, wrong.value.code)


def test_the_same_action_twice_is_one(server):
    """A key of one's own makes a call that may be sent again."""
    table = a_table(server)
    first, again = (table.act("place", "Ann", key="k1", tiles=TILES) for _ in range(2))

    assert first == again
    assert 1 == len(table.view().history)


def test_a_photograph_and_its_question(server):
    """What is seen is a play; the open question is answered."""
    table = a_table(server)
    picture = picture_of(board(H7="C?T"))
    shown = [table.show(picture) for _ in range(2)][-1]
    (question,) = table.view().questions
    answered = table.answer(question, "A")

    assert (True, "no_change") == (shown.settled, shown.line.status)
    assert ("blank", "H8") == (question.field, question.square)
    assert answered
    assert () == table.view().questions
    assert table.picture().startswith(b"\xff\xd8")


@pytest.mark.parametrize(
    ("picture", "says"),
    [
        ("no-such-file.jpg", "picture: no-such-file.jpg cannot be read: No such file"),
        (b"GIF89a", "picture: expected a JPEG, PNG or WebP file"),
    ],
)
def test_what_is_no_picture_is_refused(server, picture, says):
    """Before it is sent."""
    with pytest.raises(UsageError) as wrong:
        a_table(server).show(picture)

    assert str(wrong.value).startswith(says)


def test_events_are_those_of_the_server(server, session):
    """How the table stands, a play with what is said, trouble, undo, the end, the deletion."""
    table = a_table(server)
    inside = session.tables.get(table.table)
    follow = table.events()
    told = [next(follow)]
    table.act("place", "Ann", tiles=TILES)
    told += [next(follow), next(follow)]
    table.undo()
    while not isinstance(told[-1], events.Undone):
        told.append(next(follow))
    session.camera(inside).note_trouble("gives nothing")
    while not isinstance(told[-1], events.CameraTrouble):
        told.append(next(follow))
    server.delete(table.table)
    told += follow

    met, play, said = told[:3]
    assert ("table", ["Ann", "Bob"], []) == (met.event, met.players, met.entries)
    assert ("play", TILES, 0) == (play.event, play.entry["tiles"], play.index)
    assert ["Ann plays AT.", "4 for AT; 4."] == said.lines
    assert ("camera_away", 1) == next((e.code, e.camera) for e in told if e.event[:6] == "camera")
    assert "table_gone" == told[-1].event
    assert len(told) == len({event.id for event in told})


def test_events_go_on_when_the_server_comes_back(tmp_path):
    """What was played while the connection was broken is told when it is there again."""
    session = make_session(tmp_path)
    with served(session) as port, Client(f"http://127.0.0.1:{port}") as server:
        table = a_table(server)
        follow = table.events()
        met = next(follow)
    session.close()
    session = make_session(tmp_path)
    new = {"action": "place", "player": "Ann", "tiles": TILES}
    inside = TestClient(create_app(session))
    headers = {"Authorization": f"Bearer {table._token}"}
    assert 200 == (
        inside.post(f"/api/tables/{table.table}/actions", json=new, headers=headers).status_code
    )
    with served(session, port):
        play = next(follow)
    follow.close()
    session.close()

    assert ("table", "play") == (met.event, play.event)


def test_views_follow_the_table(server):
    """The first is how it stands; each is typed and whole."""
    table = a_table(server)
    views = table.views()
    first = next(views)
    table.act("place", "Ann", tiles=TILES)
    second = next(views)
    views.close()

    assert [0, 1] == [len(v.history) for v in (first, second)]
    assert second == table.view().model_copy(update={"clock": second.clock})


def test_tokens_that_open_nothing(server):
    """Looking and following are refused, and not tried again."""
    table = server.table("k7m2pq4x", "wrong")
    for look in (table.view, lambda: next(table.events())):
        with pytest.raises(ServerRefused) as wrong:
            look()

        assert 404 == wrong.value.status


def test_a_server_that_is_not_there():
    """Told in words, without the token."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with Client(f"http://127.0.0.1:{port}") as server:
        table = server.table("t", "T0KEN")
        for look in (server.games, table.view, lambda: next(table.views())):
            with pytest.raises(ServerAway) as wrong:
                look()

            assert f"http://127.0.0.1:{port} cannot be reached" in str(wrong.value)
            assert "T0KEN" not in str(wrong.value)


def test_how_long_a_broken_link_is_tried(tmp_path, monkeypatch):
    """The pauses double up to the longest; then the server is away. The page names them."""
    rules = ConnectionRules(first_pause=0.25, longest_pause=1.5)
    slept: list[float] = []
    session = make_session(tmp_path)
    with served(session) as port, Client(f"http://127.0.0.1:{port}", rules=rules) as server:
        views = a_table(server).views()
        next(views)
    session.close()
    monkeypatch.setattr("kibitz.app.client.client.time", SimpleNamespace(sleep=slept.append))
    with pytest.raises(ServerAway):
        list(views)
    usual = [f"{pause:g}" for pause in ConnectionRules().pauses()]
    told = f"made again after {', '.join(usual[:-1])} and {usual[-1]} seconds"

    assert [0.25, 0.5, 1.0] == slept
    assert told in (ROOT / "docs" / "client.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("rules", "calls"), [({}, 3), ({"tries": 1}, 1), ({"tries": 5}, 5)])
def test_how_often_a_call_is_made(rules, calls):
    """A server that lets go of every caller is asked so often."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        asked: list[int] = []

        def turn_away() -> None:
            with suppress(OSError):
                while True:
                    with door.accept()[0]:
                        asked.append(1)  # before the caller knows, who may be the last

        threading.Thread(target=turn_away, daemon=True).start()
        address = f"http://127.0.0.1:{door.getsockname()[1]}"
        made = Client(address, rules=ConnectionRules(**rules))
        with made as server, pytest.raises(ServerAway):
            server.games()
        door.shutdown(socket.SHUT_RDWR)

    assert calls == len(asked)


def test_messages_that_are_too_large(session):
    """A table's view is taken as the rules say; 20 MB are usual."""
    tight = ConnectionRules(largest_message=128, first_pause=0.001, longest_pause=0.001)
    with served(session) as port, Client(f"http://127.0.0.1:{port}") as server:
        made = server.create("scrabble", ["Ann", "Bob"])
        view = next(server.table(made.table, made.host_token).views())
        with Client(server.address, rules=tight) as narrow, pytest.raises(ServerAway):
            next(narrow.table(made.table, made.host_token).views())

    assert made.table == view.table
    assert 20_000_000 == ConnectionRules().largest_message


class _Other:
    """Another web server: what it answers is none of ours."""

    def __init__(self, status: int, body: bytes) -> None:
        self.app = FastAPI()

        @self.app.get("/api/games")
        def games() -> Any:
            from fastapi import Response

            return Response(body, status)


@pytest.mark.parametrize(
    ("status", "body", "says"),
    [
        (200, b"<html>", "the answer is not one of a Kibitz of this version"),
        (200, b'{"games": 1}', "the answer is not one of a Kibitz of this version; games: "),
        (502, b"<html>", "what answers is no Kibitz: status 502"),
        (400, b'{"error": 1}', "what answers is no Kibitz: status 400"),
    ],
)
def test_what_is_no_kibitz_is_told(status, body, says, monkeypatch):
    """No traceback of a parser."""
    with Client("http://127.0.0.1:1") as server:
        monkeypatch.setattr(server, "_calls", TestClientCalls(_Other(status, body).app))
        with pytest.raises(ServerAway) as wrong:
            server.games()

    assert str(wrong.value).startswith(says)


class TestClientCalls:
    """Sends what a client would send to an application in memory."""

    __test__ = False

    def __init__(self, app: FastAPI) -> None:
        self._inside = TestClient(app)

    def build_request(self, method, path, **_):
        """What is asked for."""
        return method, path

    def send(self, request):
        """Ask for it."""
        return self._inside.request(*request)

    def close(self):
        """Nothing is open."""


@pytest.mark.parametrize("address", ["127.0.0.1:8000", "ftp://a", "http://", ""])
def test_what_is_no_address_is_refused(address):
    """At once, in words."""
    with pytest.raises(UsageError, match="address: expected http://HOST:PORT"):
        Client(address)


def test_an_authority_that_is_none(tmp_path):
    """A missing file, and one that holds something else."""
    (tmp_path / "x").write_text("x")
    for name in ("none", "x"):
        with pytest.raises(UsageError, match="holds no certificate"):
            Client("https://127.0.0.1", authority=tmp_path / name)


def test_events_from_lines():
    """A line becomes an event; what is none is told."""
    line = '{"event":"game_on","id":"a-1","at":1.5,"table":"t","game":"scrabble","seq":3}'

    assert "game_on" == read_event(line).event
    with pytest.raises(UsageError, match="expected an event as JSON"):
        read_event("{}")


# --- held against the server's description --------------------------------------------------


@pytest.fixture(scope="module")
def schema(tmp_path_factory):
    """What the server says of itself."""
    inside = make_session(tmp_path_factory.mktemp("schema"))
    yield create_app(inside).openapi()
    inside.close()


def resolved(schema: dict, part: dict) -> dict:
    """A part of a description that may be named elsewhere."""
    return (
        schema["components"]["schemas"][part["$ref"].rpartition("/")[2]]
        if "$ref" in part
        else part
    )


def kinds(part: dict, defs: dict) -> Any:
    """What a value may be, without names, bounds and texts: `int`, a list of it, a shape ..."""
    if "$ref" in part:
        return kinds(defs[part["$ref"].rpartition("/")[2]], defs)
    if "anyOf" in part:
        return sorted((kinds(p, defs) for p in part["anyOf"]), key=repr)
    if part.get("type") == "array":
        return ["array", kinds(part.get("items", {}), defs)]
    if "properties" in part:
        return {name: kinds(p, defs) for name, p in sorted(part["properties"].items())}
    if part.get("type") == "object" and isinstance(part.get("additionalProperties"), dict):
        return ["object", kinds(part["additionalProperties"], defs)]
    return part.get("type", "any")


@pytest.mark.parametrize("name", CALLS)
def test_each_call_is_one_of_the_server(schema, name):
    """Its path, and everything that the client may send with it."""
    call = CALLS[name]
    there = schema["paths"][call.path][call.method.lower()]
    known = {p["name"] for p in there.get("parameters", ())}
    body = there.get("requestBody", {}).get("content", {}).get("application/json", {})
    fields = resolved(schema, body.get("schema", {})).get("properties", {})

    assert set() == set(call.parameters) - known
    assert set() == set(call.fields) - set(fields)


@pytest.mark.parametrize("name", [n for n, c in CALLS.items() if c.answer is not None])
def test_each_answer_has_the_fields_of_the_description(schema, name):
    """Every field of an answer with its kind; where it depends on the game, of the example."""
    call = CALLS[name]
    answers = schema["paths"][call.path][call.method.lower()]["responses"]
    (answer,) = (a for status, a in answers.items() if status.startswith("2"))
    told = answer["content"]["application/json"]
    shape = resolved(schema, told["schema"])
    own = call.answer.model_json_schema()
    if shape.get("properties"):
        assert kinds(shape, schema["components"]["schemas"]) == kinds(own, own.get("$defs", {}))
    else:
        assert set(told["example"]) - {"type"} == set(own["properties"])
    call.answer.model_validate(told["example"])


def test_the_page_names_everything_that_is_offered():
    """docs/client.md."""
    text = (ROOT / "docs" / "client.md").read_text(encoding="utf-8")
    calls = [n for k in (Client, face.TableClient) for n in vars(k) if not n.startswith("_")]
    inner = {"answer", "live", "close"}

    assert [] == [n for n in calls if f"`{n}" not in text and n not in inner]
