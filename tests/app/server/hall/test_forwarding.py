"""A call that comes to a server of the hall which does not run its table."""

from __future__ import annotations

import asyncio
import json
import socket
from http.client import HTTPResponse

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from kibitz.app.common.errors import NO_ENTRY
from kibitz.app.common.limits import LIMITS
from kibitz.app.common.storage.kept import LeaseLostError
from kibitz.app.server.access.gate import CONNECTION
from kibitz.app.server.access.security import MOST_JSON
from kibitz.app.server.hall.forwarding import SENT_ON, Forwarding
from kibitz.app.server.routes.table.sockets import ENDED
from tests.app.common.storage.postgres_help import address, fresh_database, postgres
from tests.app.hall.hall_help import HallServer, open_table, until
from tests.app.server_help import PLAY, act, bearer

__all__ = ["address", "postgres"]


@pytest.fixture(scope="module")
def pair(address):
    """Two servers of which nobody is the host without the hall's key."""
    where = fresh_database(address)
    servers = [HallServer(where, name, open_to_all=False) for name in ("left", "right")]
    for server in servers:
        server.session.host_key = server.hall.host_key
        server.start()
    yield servers
    for server in servers:
        server.stop()


@pytest.fixture(scope="module")
def made(pair):
    """A table that the first server runs."""
    with httpx.Client(base_url=pair[0].address, timeout=90) as client:
        client.headers.update(bearer(pair[0].hall.host_key))
        return open_table(client)


def call(server, method, target, body=b"", **headers):
    """The status and the words of a call whose bytes are sent as they stand here."""
    told = {"host": "127.0.0.1", "content-length": str(len(body)), **headers}
    lines = [f"{method} {target} HTTP/1.1", *(f"{k}: {v}" for k, v in told.items()), "", ""]
    with socket.create_connection(("127.0.0.1", server.port), 90) as line:
        line.sendall("\r\n".join(lines).encode("latin-1") + body)
        answer = HTTPResponse(line, method=method)
        answer.begin()
        return answer.status, json.loads(answer.read())


@pytest.mark.parametrize("odd", ["", '?"', "?<", "?a=/../b", "?a=%22", "?a=\\"])
@pytest.mark.parametrize("proxied", [{}, {"x-forwarded-for": "203.0.113.9"}])
@pytest.mark.parametrize("says", [{}, {SENT_ON: "1"}, {"x-kibitz-peer": "1|1|http|::1|0"}])
def test_nobody_becomes_the_host_by_way_of_another_server(pair, made, odd, proxied, says):
    """However the address is written, and whether or not a proxy says for whom it calls."""
    kind = {"content-type": "application/json", **proxied, **says}
    target = f"/api/tables/{made['table']}/tokens{odd}"
    statuses = [call(s, "POST", target, b'{"role": "host"}', **kind)[0] for s in pair]

    assert [401, 401] == statuses


def test_the_host_of_the_hall_is_who_has_its_key(pair, made):
    """At every server, whoever runs the table, and whatever machine the call comes from."""
    body, kind = b'{"role": "host"}', {"content-type": "application/json"}
    path = f"/api/tables/{made['table']}/tokens"
    key = {"authorization": f"Bearer {pair[0].hall.host_key}"}
    told = [call(s, "POST", path, body, **kind, **key)[1]["token"] for s in pair]
    listed = [call(s, "GET", "/api/tables", **more)[0] for s in pair for more in ({}, key)]

    assert [made["host_token"]] * 2 == told
    assert [401, 200, 401, 200] == listed


def test_bytes_above_127_in_a_header_break_nothing(pair, made):
    """They are passed on as they came."""
    path = f"/api/tables/{made['table']}"
    auth = {"authorization": f"Bearer {made['watch_token']}", "x-odd": "\xe9\xff"}

    assert [200, 200] == [call(s, "GET", path, **auth)[0] for s in pair]


@pytest.mark.parametrize(
    ("path", "length", "code"),
    [
        ("frames", LIMITS.read_bytes + 1, "too_large"),
        ("frames", LIMITS.read_bytes, "not_found"),
        ("film", LIMITS.read_bytes + 1, "not_found"),
        ("film", 10**12, "too_large"),
    ],
)
def test_size_and_token_are_looked_at_before_a_body_is_taken_in(pair, made, path, length, code):
    """The answer comes, though nothing of the body does."""
    target = f"/api/tables/{made['table']}/{path}"
    told = {"content-type": "image/png", "content-length": str(length), **bearer("x" * 32)}

    assert [code] * 2 == [call(s, "POST", target, **told)[1]["error"]["code"] for s in pair]


def test_a_film_passes_through_another_server_piece_by_piece(pair, made, tmp_path, monkeypatch):
    """Its first bytes are kept where the table is run while the others are still to come."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    begun = b"\0\0\0\x18ftypmp42" + b"\0" * 100_000
    head = f"POST /api/tables/{made['table']}/film HTTP/1.1\r\nhost: 127.0.0.1\r\n"
    head += f"content-length: {LIMITS.read_bytes * 10}\r\n"
    head += f"authorization: Bearer {made['host_token']}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", pair[1].port), 90) as line:
        line.sendall(head.encode() + begun)
        came = until(lambda: any(p.stat().st_size for p in tmp_path.glob("*/tmp*")))
    gone = until(lambda: not any(tmp_path.glob("*/tmp*")))

    assert (True, True) == (came, gone)


def test_what_is_no_film_is_said_through_another_server(pair, made):
    """As at the server that runs the table, though it is more than is ever sent a second time."""
    target = f"/api/tables/{made['table']}/film"
    film = b"x" * 2 * MOST_JSON
    answers = [call(s, "POST", target, film, **bearer(made["host_token"])) for s in pair]

    assert [(415, "not_a_film")] * 2 == [(s, a["error"]["code"]) for s, a in answers]


def test_what_is_not_remembered_is_not_sent_in_part(pair, made):
    """A table that moves while a picture for it is taken in: it is said, and sent again."""
    picture = {"type": "http.request", "body": b"x" * 2 * MOST_JSON, "more_body": False}
    came, told = iter([picture]), []

    async def receive():
        return next(came, {"type": "http.disconnect"})

    async def send(message):
        told.append(message)

    async def moves(scope, receive, send):
        await receive()
        raise LeaseLostError(made["table"])

    scope = {
        "type": "http",
        "method": "POST",
        "scheme": "http",
        "path": f"/api/tables/{made['table']}/frames",
        "query_string": b"",
        "headers": [(b"transfer-encoding", b"chunked")],
    }
    around = Forwarding(moves, pair[1].session, pair[1].hall)
    asyncio.run(around(scope, receive, send))

    assert [503] == [message["status"] for message in told if "status" in message]


def live(server, made, **more):
    """The address of a table's socket, and what opens it."""
    path = f"/api/tables/{made['table']}/live?token={made['watch_token']}"
    return connect(server.address.replace("http", "ws") + path, proxy=None, **more)


def test_a_socket_of_a_foreign_page_is_opened_by_no_server(pair, made):
    """Also by one that would pass it on."""
    refused = []
    for server in pair:
        with pytest.raises(InvalidStatus) as wrong, live(server, made, origin="http://evil.test"):
            pass
        refused.append(wrong.value.response.status_code)

    assert [403, 403] == refused


def test_a_socket_that_is_passed_on_may_stay(pair, made):
    """Its token was right: no clock ends it, and it makes no room for others."""
    with live(pair[1], made, origin=pair[1].address) as page:
        first = json.loads(page.recv(60))
        waiting = [
            connection
            for server in pair
            for those in server.session.gate._waiting.values()
            for connection in those
            if CONNECTION in connection.app_state and not connection.transport.is_closing()
        ]

    assert ("state", []) == (first["type"], waiting)


@pytest.mark.parametrize("named", [{"X-Kibitz-Language": "de"}, {"Accept-Language": "pl"}])
def test_a_socket_that_is_passed_on_speaks_the_language_of_its_page(
    pair, made, named, monkeypatch
):
    """As that of the server that runs the table does."""
    told = []
    for server in pair:
        monkeypatch.setattr(server.session, "language", None)
    for server in pair:
        with live(server, made, additional_headers=named) as page:
            told.append(json.loads(page.recv(60))["language"])

    assert [*named.values()] * 2 == told


def test_a_page_hears_why_its_socket_ended_through_another_server(pair, made):
    """Its link has ended: it is told so, and does not come back."""
    path = f"/api/tables/{made['table']}/links"
    with live(pair[1], {**made, "watch_token": made["seat_tokens"]["Bob"]}) as page:
        page.recv(60)
        httpx.post(
            pair[0].address + path, json={"revoke": "Bob"}, headers=bearer(made["host_token"])
        ).raise_for_status()
        with pytest.raises(ConnectionClosed) as end:
            page.recv(60)

    assert (NO_ENTRY, ENDED) == (end.value.rcvd.code, end.value.rcvd.reason)


def test_a_call_that_was_sent_on_is_sent_no_further(pair, made):
    """It is said that the table is not run there, also to a stranger who says so."""
    target = f"/api/tables/{made['table']}"
    told = {SENT_ON: "1", **bearer(made["watch_token"])}

    assert (503, "table_unreachable") == (
        (answer := call(pair[1], "GET", target, **told))[0],
        answer[1]["error"]["code"],
    )


def test_answers_carry_each_header_once(pair, made):
    """Those of the server that was called, whoever runs the table."""
    names = []
    for server in pair:
        with httpx.Client(base_url=server.address, timeout=90) as client:
            answer = act(client, made, PLAY, **{"Idempotency-Key": "once"})
            names.append(sorted(k.lower() for k, _ in answer.headers.raw))

    assert names[0] == names[1] == sorted(set(names[0]))
