"""In which language a caller is answered: as asked, the seat's, the table's, the server's."""

from __future__ import annotations

import json

import pytest
from starlette.requests import Request

from kibitz.app.server.routes.common import answer_in, answered, language_of, noted_language
from kibitz.app.tables.orders import Order
from kibitz.app.wire.tables import Notice
from kibitz.engine.phrases import phrase
from tests.app.server_help import make_session


@pytest.fixture
def session(tmp_path):
    session = make_session(tmp_path)
    yield session
    session.close()


def call(query="", **headers):
    """A call with some headers."""
    lines = [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()]
    return Request({"type": "http", "headers": lines, "query_string": query.encode(), "state": {}})


def seated(session, player, languages):
    """A table, and who somebody is there."""
    order = Order("scrabble", ("Ann", "Bob"), lexicon="none", languages=languages)
    opened = session.tables.create(order)
    return session.enter(opened.table.id, opened.seats[player] if player else opened.watch)


@pytest.mark.parametrize(
    ("server", "request_", "expected"),
    [
        ("en", call(), "en"),
        ("de", call(), "de"),
        ("de", call(accept_language="pl"), "de"),
        ("de", call(x_kibitz_language="pl"), "pl"),
        ("de", call("lang=pl"), "pl"),
        ("de", call("lang=fr", x_kibitz_language="pl"), "pl"),
        ("de", call(x_kibitz_language="xx"), "de"),
        (None, call(accept_language="pl"), "pl"),
        (None, call(accept_language="xx"), "en"),
        (None, call(), "en"),
    ],
)
def test_a_caller_who_is_nowhere(session, server, request_, expected):
    """As asked for, else as the server says; the browser's own only where the server says nothing."""
    session.language = server

    assert expected == language_of(session, request_)


@pytest.mark.parametrize(
    ("player", "languages", "asked", "expected"),
    [
        (None, {}, {}, "fr"),
        (None, {"": "de"}, {}, "de"),
        (None, {"": "de", "Bob": "pl"}, {}, "de"),
        ("Bob", {"": "de", "Bob": "pl"}, {}, "pl"),
        ("Bob", {"": "de"}, {}, "de"),
        ("Ann", {"Bob": "pl"}, {}, "fr"),
        ("Bob", {"Bob": "pl"}, {"x_kibitz_language": "en"}, "en"),
    ],
)
def test_a_caller_at_a_table(session, player, languages, asked, expected):
    """What was asked for, then the seat's, the table's, the server's."""
    session.language = "fr"
    table, actor = seated(session, player, languages)

    assert expected == language_of(session, call(**asked), table, actor)


def test_what_was_noted_holds_for_the_rest_of_a_call(session):
    """Also for what goes wrong in it; an answer is put into it."""
    request = call(x_kibitz_language="pl")
    before = noted_language(session, request)
    answer_in(request, "de", "A1")
    said = Notice(code="x", message=phrase("{player} plays {word}.", player="Ann", word="AT"))

    assert ("pl", "de") == (before, noted_language(session, request))
    answer = json.loads(answered(session, request, said).body)
    assert {"code": "x", "message": "Ann legt AT."} == answer
