"""The lasting link of spectators: always the newest game, and nothing else."""

from __future__ import annotations

import time

from tests.app.server_help import PLAY, act, bearer, new_table


def lasting(client, **body):
    """The token of the lasting link."""
    return client.post("/api/air/link", json=body).json()["token"]


def newest(client, session, token):
    """The table that is on air, looked for anew."""
    session.tables.lasting._newest = (float("-inf"), None)
    return client.get("/api/air", headers=bearer(token)).json()["table"]


def test_one_link_opens_the_newest_game_and_no_other(client, session):
    """As a watcher's link does; what was put away is not on air."""
    token = lasting(client)
    none = newest(client, session, token)
    first = new_table(client, lexicon="none")
    seen = newest(client, session, token)
    second = new_table(client, lexicon="none")
    then = newest(client, session, token)
    paths = [f"/api/tables/{made['table']}" for made in (first, second)]
    opened = [client.get(path, headers=bearer(token)) for path in paths]
    refused = act(client, second, PLAY, token).status_code
    client.patch(paths[1], json={"archived": True}, headers=bearer(second["host_token"]))

    assert (None, first["table"], second["table"]) == (none, seen, then)
    assert [404, 200] == [answer.status_code for answer in opened]
    assert ("watch", 403) == (opened[1].json()["you"]["role"], refused)
    assert first["table"] == newest(client, session, token)


def test_the_link_is_the_same_until_it_is_renewed_or_ended(client, session):
    """An old one opens nothing at once, nor its socket."""
    made, token = new_table(client), lasting(client)
    again = lasting(client)
    assert made["table"] == newest(client, session, token)
    renewed = lasting(client, renew=True)
    statuses = [client.get("/api/air", headers=bearer(x)).status_code for x in (token, renewed)]
    client.delete("/api/air/link")
    ended = client.get("/api/air", headers=bearer(renewed)).status_code
    table = client.get(f"/api/tables/{made['table']}", headers=bearer(renewed)).status_code

    assert token == again != renewed
    assert ([404, 200], 404, 404) == (statuses, ended, table)


def test_only_the_servers_host_has_the_link(client, session):
    session.open_to_all = False
    answers = [
        client.post("/api/air/link", json={}),
        client.delete("/api/air/link"),
        client.get("/api/air"),
        client.get("/api/air", headers=bearer("wrong")),
    ]

    assert [401, 401, 401, 404] == [answer.status_code for answer in answers]


def test_a_new_game_is_on_air_as_late_as_its_plays(client, session):
    """Nobody hears of a game before what is on air has come to its beginning."""
    token, old = lasting(client), new_table(client)
    late = new_table(client, delay_s=60)
    before = newest(client, session, token)
    session.tables.lasting.now = lambda: time.time() + 61

    assert (old["table"], late["table"]) == (before, newest(client, session, token))
