"""Who may enter a table or set one up, and what everybody else is told."""

from __future__ import annotations

import pytest
from starlette.requests import HTTPConnection

from kibitz.app.server.access.security import RateLimit
from kibitz.app.server.errors import ApiError
from kibitz.app.server.routes.common import enter, enter_as_host, errors, need_server_host
from kibitz.app.tables.orders import Order
from tests.app.server_help import make_session

FAR = "192.0.2.7"
KEY = "the key that the server printed"


def session_in(folder, **options):
    """A server at which not everybody sets up tables."""
    return make_session(folder, **{"open_to_all": False, "host_key": KEY, **options})


@pytest.fixture
def session(tmp_path):
    """A server with a key; only its own machine, or who has the key, sets up tables."""
    session = session_in(tmp_path)
    yield session
    session.close()


@pytest.fixture
def opened(session):
    """A table and its links."""
    return session.tables.create(Order("scrabble", ("Ann", "Bob"), lexicon="none"))


def call(token=None, caller=FAR, **headers):
    """A call from somewhere, as the server sees it."""
    fields = {"host": "localhost", **headers}
    if token:
        fields["authorization"] = f"Bearer {token}"
    raw = [(k.replace("_", "-").encode(), v.encode()) for k, v in fields.items()]
    return HTTPConnection(
        {
            "type": "http",
            "method": "GET",
            "scheme": "http",
            "path": "/",
            "query_string": b"",
            "headers": raw,
            "client": (caller, 1),
            "server": ("localhost", 80),
        }
    )


def refusal(job, *given, **named):
    """Status and code of what a call is refused with."""
    with pytest.raises(ApiError) as told:
        job(*given, **named)
    return told.value.status, told.value.code


@pytest.mark.parametrize(
    ("statuses", "more"), [((), []), ((404,), [404]), ((404, 401), [401, 404]), ((429,), [])]
)
def test_every_call_may_be_damaged_too_many_or_meet_a_full_disk(statuses, more):
    """What else a call may answer stands among these, in order and once."""
    assert sorted([400, 422, 429, 503, 507, *more]) == list(errors(*statuses))


@pytest.mark.parametrize("place", ["host", "camera", "watch", "seat"])
def test_a_token_opens_its_table_in_its_role(session, opened, place):
    """Each link has a role of its own."""
    token = opened.seats["Ann"] if place == "seat" else getattr(opened, place)
    table, actor = enter(session, call(token), opened.table.id)

    assert (opened.table.id, place) == (table.id, actor.role)


def test_who_guesses_tokens_waits_and_nobody_else(tmp_path):
    """Not even who has the right one behind the same address."""
    session = session_in(tmp_path, tries=RateLimit(0.0, 2))
    opened = session.tables.create(Order("scrabble", ("Ann", "Bob"), lexicon="none"))
    table = opened.table.id
    guesses = [refusal(enter, session, call(f"wrong{n}"), table) for n in range(3)]
    elsewhere = refusal(enter, session, call("wrong", "192.0.2.8"), table)
    _, actor = enter(session, call(opened.host), table)
    session.close()

    assert [(404, "not_found"), (404, "not_found"), (429, "too_many_calls")] == guesses
    assert ((404, "not_found"), "host") == (elsewhere, actor.role)


@pytest.mark.parametrize("place", ["camera", "watch", "seat"])
def test_only_the_host_of_a_table_acts_as_its_host(session, opened, place):
    """The other links of the table are known there, and may not."""
    token = opened.seats["Ann"] if place == "seat" else getattr(opened, place)

    assert (403, "forbidden") == refusal(enter_as_host, session, call(token), opened.table.id)


@pytest.mark.parametrize(("token", "caller"), [(None, "127.0.0.1"), (KEY, FAR)])
def test_the_servers_host_needs_no_link_of_a_table(session, opened, token, caller):
    """The machine itself, or who has the key; a table that is not there is told as such."""
    found = enter_as_host(session, call(token, caller), opened.table.id)
    missing = [refusal(enter_as_host, session, call(token, caller), x) for x in ("nothere", "..")]

    assert (opened.table, [(404, "not_found")] * 2) == (found, missing)


@pytest.mark.parametrize(
    ("given", "named", "expected"),
    [
        ({}, {}, (401, "not_the_host")),
        ({"token": "wrong"}, {}, (403, "not_the_host")),
        ({"x_kibitz_key": KEY}, {}, (401, "not_the_host")),
        ({"x_kibitz_key": "wrong"}, {"token_given": True}, (401, "not_the_host")),
    ],
)
def test_who_may_not_set_up_tables_is_told(session, given, named, expected):
    """The key's own header counts only beside a table's token."""
    assert expected == refusal(need_server_host, session, call(**given), **named)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"caller": "127.0.0.1"}, {}),
        ({"token": KEY}, {}),
        ({"token": "of a table", "x_kibitz_key": KEY}, {"token_given": True}),
    ],
)
def test_who_may_set_up_tables(session, given, named):
    """The machine itself, who has the key, and who sends it beside a table's token."""
    assert None is need_server_host(session, call(**given), **named)
