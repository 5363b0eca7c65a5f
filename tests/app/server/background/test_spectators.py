"""Everybody watches a published game: without a token, from documents that a cache may keep."""

from __future__ import annotations

import json
import threading
import time

import httpx
import pytest

from kibitz.app.reading.frames import FrameReader
from kibitz.app.server.background.spectators import change_between
from kibitz.app.wire.tables import Entry, Snapshot
from tests.app.common.storage.postgres_help import address, fresh_database, postgres
from tests.app.hall.hall_help import two_servers, until
from tests.app.server_help import (
    FLEET,
    PLAY,
    ReadsBarcodes,
    act,
    bearer,
    board,
    new_table,
    picture_of,
    tell_fleet,
)
from tests.browser.browser_help import serve

__all__ = ["address", "postgres"]


@pytest.fixture
def served(tmp_path):
    with serve(tmp_path, FrameReader(ReadsBarcodes)) as running:
        yield running


@pytest.fixture
def web(served):
    with httpx.Client(base_url=served.address, timeout=90) as client:
        yield client


def publish(client, made, public=True):
    path = f"/api/tables/{made['table']}/public"
    return client.put(path, json={"public": public}, headers=bearer(made["host_token"])).json()


def applied(snapshot, change):
    """A snapshot with a change, as a page makes it."""
    history = [*snapshot["history"][: change["history"]["keep"]], *change["history"]["add"]]
    return {**snapshot, **change["set"], "history": history}


def test_a_cache_may_keep_the_snapshot_and_need_not_fetch_it_twice(web):
    """An ETag, an age, compressed where it may be; the same step answers 304."""
    made = new_table(web, lexicon="none", settings={"reject_invalid": False})
    place = publish(web, made)
    first = web.get(place["snapshot"])
    again = web.get(place["snapshot"], headers={"if-none-match": first.headers["etag"]})
    act(web, made, PLAY)
    until(lambda: web.get(place["snapshot"]).json()["seq"] == 1)
    then = web.get(place["snapshot"], headers={"if-none-match": first.headers["etag"]})

    assert "public, max-age=1" in first.headers["cache-control"]
    assert ("gzip", 304, 200) == (
        first.headers["content-encoding"], again.status_code, then.status_code
    )  # fmt: skip
    assert {"Ann": 4, "Bob": 0} == then.json()["view"]["scores"]


def test_what_came_after_a_step_makes_the_next_snapshot(web):
    """The answer waits until there is something, and stays true for ever."""
    made = new_table(web, lexicon="none", settings={"reject_invalid": False})
    place = publish(web, made)
    before = web.get(place["snapshot"]).json()
    came = []
    waits = threading.Thread(target=lambda: came.append(web.get(f"{place['changes']}0")))
    waits.start()
    act(web, made, PLAY)
    waits.join(90)
    after = web.get(place["snapshot"]).json()

    assert "immutable" in came[0].headers["cache-control"]
    assert after == applied(before, came[0].json())


def test_the_stream_tells_the_same(web):
    """One line a watcher, for who has no cache before the server."""
    made = new_table(web, lexicon="none", settings={"reject_invalid": False})
    place = publish(web, made)
    before = web.get(place["snapshot"]).json()
    with web.stream("GET", f"{place['stream']}0") as stream:
        act(web, made, PLAY)
        line = next(x for x in stream.iter_lines() if x.startswith("data: {"))
    after = web.get(place["snapshot"]).json()

    assert after == applied(before, json.loads(line.removeprefix("data: ")))


@pytest.mark.parametrize(
    ("last", "said"), [("1", ":"), ("0", "id: 1"), ("9" * 5000, ":"), ("\xb2", ":")]
)
def test_a_stream_goes_on_after_the_event_that_was_heard_last(web, last, said):
    """What is no event's number is left out of account, however long it is."""
    made = new_table(web, lexicon="none", settings={"reject_invalid": False})
    place = publish(web, made)
    web.get(place["snapshot"])
    act(web, made, PLAY)
    assert until(lambda: web.get(place["snapshot"]).json()["seq"] == 1)
    told = {"last-event-id": last.encode("latin-1")}
    with web.stream("GET", f"{place['stream']}1", headers=told) as stream:
        first = next(stream.iter_lines())

    assert (200, said) == (stream.status_code, first)


def test_who_comes_while_the_first_snapshot_is_made_misses_nothing(web, served, monkeypatch):
    """Both hear of the first play: also the second to come, who waits for what the first asked."""
    made = new_table(web, lexicon="none", settings={"reject_invalid": False})
    place = publish(web, made)
    storage = served.session.tables.storage
    ask = storage.public_table

    def slowly(key):
        time.sleep(0.5)
        return ask(key)

    monkeypatch.setattr(storage, "public_table", slowly)
    heard, watching = [], threading.Barrier(3)

    def watch():
        with web.stream("GET", f"{place['stream']}0") as stream:
            lines = stream.iter_lines()
            next(x for x in lines if x)
            watching.wait(60)
            told = next(x for x in lines if x.startswith("data: "))
            heard.append(json.loads(told.removeprefix("data: ")).get("after"))

    watchers = [threading.Thread(target=watch) for _ in range(2)]
    for watcher in watchers:
        watcher.start()
        time.sleep(0.7)
    watching.wait(60)
    act(web, made, PLAY)
    for watcher in watchers:
        watcher.join(90)

    assert [0, 0] == heard


def test_a_step_that_is_not_known_is_refused(web):
    """The snapshot is taken anew then."""
    made = new_table(web)
    place = publish(web, made)
    answer = web.get(f"{place['changes']}77")

    assert (404, "no_such_change", "no-store") == (
        answer.status_code, answer.json()["error"]["code"], answer.headers["cache-control"]
    )  # fmt: skip


def test_no_secret_is_in_what_everybody_may_see(web):
    """A fleet stays secret; nor is a token, a picture or a question in it."""
    made = new_table(web, "scrabbleship")
    tell_fleet(web, made)
    place = publish(web, made)
    answer = web.get(place["snapshot"], headers={"accept-encoding": "identity"})
    text = answer.text

    assert all(json.dumps(squares)[1:-1] not in text for squares in FLEET.values())
    assert "carrier" not in text
    assert all(token not in text for token in made["seat_tokens"].values())
    assert not {"pictures", "camera", "questions", "you"} & set(answer.json())


def test_only_the_host_publishes_and_may_end_it(web, served):
    """A seat may not; after the end the address opens nothing, and a new one differs."""
    made = new_table(web)
    path = f"/api/tables/{made['table']}/public"
    seat = bearer(made["seat_tokens"]["Ann"])
    served.session.open_to_all = False
    with httpx.Client(base_url=web.base_url, headers={"x-forwarded-for": "203.0.113.1"}) as other:
        refused = other.put(path, json={"public": True}, headers=seat).status_code
    place, same = publish(web, made), publish(web, made)
    seen = web.get(place["snapshot"]).status_code
    ended = publish(web, made, public=False)
    gone = until(lambda: web.get(place["snapshot"]).status_code == 404)
    again = publish(web, made)

    assert (200, True, False) == (seen, gone, ended["public"])
    assert place == same != again
    assert 403 == refused


@pytest.mark.parametrize("path", ["/public/x.json", "/public/unknown-key.json", "/public/"])
def test_an_address_that_opens_nothing(web, path):
    """It is answered in words."""
    answer = web.get(path)

    assert (404, "not_found") == (answer.status_code, answer.json()["error"]["code"])


def test_an_undone_play_leaves_the_history_again():
    """The change says how much of it stays."""
    play, passed = Entry(action="place"), Entry(action="pass")
    before = Snapshot.model_construct(seq=2, history=(play, passed), over=False)
    after = Snapshot.model_construct(seq=3, history=(play,), over=False)
    change = json.loads(change_between(before, after).to_text())

    assert {"after": 2, "seq": 3, "set": {"seq": 3}, "history": {"keep": 1, "add": []}} == change
    assert json.loads(after.to_text()) == applied(json.loads(before.to_text()), change)


def test_another_server_of_a_hall_shows_the_game_too(address):
    """It fetches each change once from the server that runs the table, told by the database."""
    with (
        two_servers(fresh_database(address)) as (left, right),
        httpx.Client(base_url=left.address, timeout=90) as one,
        httpx.Client(base_url=right.address, timeout=90) as other,
    ):
        made = new_table(one, lexicon="none", settings={"reject_invalid": False})
        place = publish(one, made)
        before = other.get(place["snapshot"]).json()
        with other.stream("GET", f"{place['stream']}0") as stream:
            act(one, made, PLAY)
            line = next(x for x in stream.iter_lines() if x.startswith("data: {"))
        here = right.session.tables.is_open(made["table"])

    assert (0, 1) == (before["seq"], json.loads(line.removeprefix("data: "))["seq"])
    assert here is None


def test_a_published_game_is_polled_as_gcg(web):
    """As it stands, with an age and an ETag; racks and exchanged tiles only once it is over."""
    made = new_table(web, lexicon="none", settings={"reject_invalid": False})
    address_ = publish(web, made)["snapshot"].replace(".json", ".gcg")
    act(web, made, {**PLAY, "rack": "ATQZXJK"})
    act(web, made, {"action": "exchange", "tiles": ["E", "E"]})
    assert until(lambda: ">Bob" in web.get(address_).text)
    first = web.get(address_)
    again = web.get(address_, headers={"if-none-match": first.headers["etag"]})
    for _ in range(6):
        act(web, made, {"action": "pass"})
    assert until(lambda: ">Bob: EE -EE +0 0" in web.get(address_).text)

    assert [">Ann: AT 8G AT +4 4", ">Bob: -2 +0 0"] == first.text.splitlines()[-2:]
    assert "Q" not in first.text
    assert "text/plain; charset=utf-8" == first.headers["content-type"]
    assert "public, max-age=1" in first.headers["cache-control"]
    assert (304, b"") == (again.status_code, again.content)


def test_what_is_no_game_for_gcg_is_said(web):
    made = new_table(web, game="grabscrab", players=["Ann", "Bob"])
    answer = web.get(publish(web, made)["snapshot"].replace(".json", ".gcg"))
    unknown = web.get("/public/no-such-game.gcg")

    assert (409, "no_gcg") == (answer.status_code, answer.json()["error"]["code"])
    assert "take CSV or JSON" in answer.json()["error"]["message"]
    assert 404 == unknown.status_code


def test_no_door_of_spectators_tells_what_is_younger_than_the_delay(web, served):
    """Links, published documents, records and changes are behind together, also after a restart."""
    made = new_table(web, lexicon="none", settings={"reject_invalid": False})
    table, place = f"/api/tables/{made['table']}", publish(web, made)
    set_ = web.put(f"{table}/air", json={"delay_s": 300}, headers=bearer(made["host_token"]))
    act(web, made, PLAY)
    act(web, made, {"action": "end_game"})
    watch, seat = bearer(made["watch_token"]), bearer(made["seat_tokens"]["Bob"])

    def seen(client):
        doors = (table, f"{table}/changes", place["snapshot"], place["snapshot"][:-5] + ".gcg")
        found = [client.get(door, headers=watch).text for door in doors]
        whether = [
            client.get(f"{table}/{x}", headers=watch).status_code for x in ("record", "analysis")
        ]
        return ["AT" in text or '"over":true' in text for text in found], whether

    early = seen(web)
    played = web.get(table, headers=seat).json()["over"]
    served.session.tables.forget(made["table"])
    again = seen(web)
    served.session.booth.now = lambda: time.time() + 301
    served.session.hub.wake(made["table"])
    assert until(lambda: web.get(place["snapshot"]).json()["over"])
    late = seen(web)
    refused = web.put(f"{table}/air", json={"delay_s": 901}, headers=bearer(made["host_token"]))

    assert {"delay_s": 300} == set_.json()
    assert ([False] * 4, [403, 409]) == early == again
    assert played
    assert ([True] * 4, 200) == (late[0], late[1][0])
    assert 422 == refused.status_code


def test_a_socket_tells_a_watcher_nothing_before_its_time(client, session):
    """Not even by a message at the moment of a play, nor by the picture of the board."""
    made = new_table(client, lexicon="none", delay_s=300, settings={"reject_invalid": False})
    address_ = f"/api/tables/{made['table']}/live?token="
    with client.websocket_connect(address_ + made["watch_token"]) as socket:
        first = socket.receive_json()
        act(client, made, PLAY)
        client.post(
            f"/api/tables/{made['table']}/frames",
            content=picture_of(board(H7="AT")),
            headers={**bearer(made["host_token"]), "content-type": "image/png"},
        )
        session.booth.now = lambda: time.time() + 301
        session.hub.wake(made["table"])
        second = socket.receive_json()
    picture = client.get(
        f"/api/tables/{made['table']}/board.jpg", headers=bearer(made["watch_token"])
    )

    assert (0, 300) == (first["seq"], first["delay_s"])
    assert (1, {"Ann": 4, "Bob": 0}) == (second["seq"], second["view"]["scores"])
    assert 404 == picture.status_code
