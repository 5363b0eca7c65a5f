"""What an MQTT broker is told: a real broker that keeps, forgets, refuses and goes away."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import jinja2
import pytest
from fastapi.testclient import TestClient

from kibitz.app.cli.serving.serve import broker_of
from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.limits import RetryRule
from kibitz.app.server.app import create_app
from kibitz.app.server.outlets.delivery import OutletRule
from kibitz.app.server.outlets.events import TableEvents
from kibitz.app.server.outlets.mqtt import Mqtt, MqttRule, discovery, read_broker
from kibitz.app.wire.events import Known
from kibitz.app.wire.tables import TableState
from tests.app.server.outlets.mqtt_help import Listener, Mosquitto
from tests.app.server_help import PLAY, RunningServer, act, board, make_session, new_table, see
from tests.helpers.shared_data import ROOT

WAITING = OutletRule(closing_s=60)
FAST = MqttRule(retry=RetryRule(longest_s=1))
T = {"table": "t1", "game": "scrabble"}
MET = {
    "event": "table",
    "id": "run-1",
    "at": 1.5,
    **T,
    "seq": 0,
    "title": "Scrabble",
    "players": ["Ann", "Bob"],
    "entries": [],
    "over": False,
}


def told(number: int, event: str, **more) -> dict:
    """An event at the one table."""
    return {"event": event, "id": f"run-{number}", "at": 2.0, **T, "seq": number, **more}


def played(number: int, **scores: int) -> dict:
    """A play after which the players stand so."""
    return told(number, "play", index=number - 2, entry={"action": "place", "scores": scores})


def put(here: Mqtt, event: dict, *entries: dict) -> None:
    """Tell of an event, at a table that stands as it says."""
    gone, asked = event["event"] == "table_gone", event.get("question")
    known = Known(
        "scrabble",
        event["seq"],
        entries or ((event["entry"],) if "entry" in event else ()),
        {} if asked is None else {"asked": asked},
        title="Scrabble",
        players=("Ann", "Bob"),
        said=tuple(event.get("lines", ())),
    )
    here.put(event, None if gone else known)


@pytest.fixture
def broker(tmp_path):
    """A broker that everybody on this machine may use."""
    folder = tmp_path / "broker"
    folder.mkdir()
    with Mosquitto(folder) as running:
        yield running


def outlet(broker: Mosquitto, path: str = "", **more) -> Mqtt:
    """A server's line to it."""
    address = read_broker(f"mqtt://127.0.0.1:{broker.port}{path}")
    return Mqtt(address, rule=FAST, waiting=WAITING, **more)


def state(listener: Listener, topic: str = "kibitz/tables/t1") -> TableState:
    """The state that the broker keeps there."""
    return TableState.model_validate_json(listener.kept[topic])


def test_events_and_the_state_of_the_table(broker):
    """Each event comes as it is, in order; who comes later finds how the table stands."""
    events = [MET, played(2, Ann=4, Bob=0), told(3, "said", lines=["Ann plays AT."])]
    with Listener(broker.port) as listener:
        here = outlet(broker)
        put(here, MET)
        for event in events[1:]:
            put(here, event, events[1]["entry"])
        listener.wait_for(lambda it: len(it.texts("kibitz/tables/t1/events")) == 3)
        here.close()
    with Listener(broker.port) as late:
        late.wait_for(lambda it: {"kibitz/latest", "kibitz/tables/t1"} <= it.kept.keys())
        standing = state(late)

    assert events == [json.loads(t) for t in listener.texts("kibitz/tables/t1/events")]
    assert [("Ann", 4), ("Bob", 0)] == [(s.player, s.score) for s in standing.scores]
    assert (("Ann plays AT.",), 1, False) == (standing.said, standing.entries, standing.over)
    assert late.kept["kibitz/latest"] == late.kept["kibitz/tables/t1"]
    assert "kibitz/tables/t1/events" not in late.kept


def test_the_broker_says_who_is_there(broker, tmp_path):
    """Online, offline when the server ends, and offline from the broker when it is killed."""
    with Listener(broker.port) as listener:
        here = outlet(broker)
        listener.wait_for(lambda it: it.kept.get("kibitz/status") == "online")
        here.close()
        listener.wait_for(lambda it: it.kept.get("kibitz/status") == "offline")
        code = (
            "import sys, time; from kibitz.app.server.outlets.mqtt import Mqtt, read_broker; "
            "Mqtt(read_broker(sys.argv[1])); time.sleep(600)"
        )
        address = f"mqtt://127.0.0.1:{broker.port}"
        with subprocess.Popen(
            [sys.executable, "-c", code, address], cwd=ROOT, stderr=subprocess.DEVNULL
        ) as other:
            listener.wait_for(lambda it: it.kept["kibitz/status"] == "online")
            other.kill()
        listener.wait_for(lambda it: it.kept["kibitz/status"] == "offline")

    assert ["online", "offline", "online", "offline"] == listener.texts("kibitz/status")


def test_a_broker_that_comes_back_is_told_everything_anew(broker):
    """While it is away events wait; then they come, and all that it has to keep comes again."""
    here = outlet(broker)
    put(here, MET)
    with Listener(broker.port) as before:
        before.wait_for(lambda it: "kibitz/tables/t1" in it.kept)
    broker.stop()
    put(here, played(2, Ann=4, Bob=0))
    broker.start()
    with Listener(broker.port) as after:
        after.wait_for(lambda it: it.texts("kibitz/tables/t1/events"))
        after.wait_for(lambda it: "kibitz/tables/t1" in it.kept)
        here.close()
        after.wait_for(lambda it: it.kept.get("kibitz/status") == "offline")

    assert "play" == json.loads(after.texts("kibitz/tables/t1/events")[-1])["event"]
    assert [4, 0] == [s.score for s in state(after).scores]
    assert "homeassistant/device/kibitz/config" in after.kept


def test_nobody_waits_for_a_broker_that_is_away(broker, capsys):
    """Of too many events the oldest are given up, and counted; trouble is told without secrets."""
    broker.stop()
    address = read_broker(f"mqtt://ann@127.0.0.1:{broker.port}")
    here = Mqtt(address, rule=FAST, waiting=OutletRule(most_waiting=2, closing_s=60))
    for event in (MET, *(told(n, "said", lines=[str(n)]) for n in range(2, 6))):
        put(here, event)
    broker.start()
    with Listener(broker.port) as listener:
        listener.wait_for(lambda it: any("run-5" in t for _, t in it.got))
        listener.wait_for(lambda it: "kibitz/lost" in it.kept)
        here.close()
    names = [json.loads(t)["id"] for t in listener.texts("kibitz/tables/t1/events")]
    lost = [json.loads(t) for t in listener.texts("kibitz/lost")]

    assert ["run-4", "run-5"] == names[-2:]  # the first may be on its way already
    assert {"lost"} == {event["event"] for event in lost}
    assert 5 == len(names) + sum(event["count"] for event in lost)
    assert ("5",) == state(listener).said
    assert "ann@" not in capsys.readouterr().err


def test_a_server_ends_while_the_broker_is_away(broker):
    """What waits is given up, and nothing is left running."""
    broker.stop()
    here = outlet(broker)
    put(here, MET)
    here.close()

    assert not here._queue._thread.is_alive()


def test_a_table_that_is_gone_is_forgotten(broker):
    """The broker keeps neither its state nor the newest of the server."""
    with Listener(broker.port) as listener:
        here = outlet(broker, "/home/games")
        put(here, MET)
        listener.wait_for(lambda it: it.kept.get("home/games/latest"))
        put(here, told(2, "table_gone"))
        listener.wait_for(lambda it: not it.kept["home/games/latest"])
        here.close()
    with Listener(broker.port) as late:
        late.wait_for(lambda it: "home/games/status" in it.kept)

    assert {"home/games/status", "homeassistant/device/kibitz_home_games/config"} == set(late.kept)


def test_servers_of_a_hall_stand_beside_each_other(broker):
    """Each has its own status; a table stands where it stood, whoever runs it."""
    with Listener(broker.port) as listener:
        left, right = outlet(broker, server="left"), outlet(broker, server="right:80/1")
        put(left, MET)
        listener.wait_for(lambda it: "kibitz/tables/t1" in it.kept)
        left.close()
        put(right, {**MET, "seq": 9})
        listener.wait_for(lambda it: state(it).seq == 9)
        right.close()
        listener.wait_for(lambda it: it.kept["kibitz/servers/right:80_1/status"] == "offline")

    assert "kibitz/servers/right:80_1/status" == state(listener).server
    assert "offline" == listener.kept["kibitz/servers/left/status"]
    assert 2 == sum(topic.startswith("homeassistant/") for topic in listener.kept)


def test_states_do_not_stay_for_ever(broker):
    """The broker itself forgets a table that nothing was told of for so long."""
    rule = MqttRule(kept_s=60)
    here = Mqtt(read_broker(f"mqtt://127.0.0.1:{broker.port}"), rule=rule, waiting=WAITING)
    with Listener(broker.port) as listener:
        seen = []
        listener._client.on_message = lambda c, d, m: (
            seen.append((m.topic, getattr(m.properties, "MessageExpiryInterval", None))),
            listener._on_message(c, d, m),
        )
        put(here, MET)
        listener.wait_for(lambda it: "kibitz/latest" in it.kept)
        here.close()
    left = {topic: s for topic, s in seen if s is not None}

    assert {"kibitz/tables/t1", "kibitz/latest"} == set(left)
    assert all(0 < s <= 60 for s in left.values())
    assert 30 * 86_400 == MqttRule().kept_s


def test_user_and_password(tmp_path, capsys):
    """Who has them enters; who has others is refused, told so in words, and tried again."""
    file = tmp_path / "password"
    file.write_text("päss w0rd\n")
    with Mosquitto(tmp_path, ("ann", "päss w0rd")) as broker:
        url = f"mqtt://ann@127.0.0.1:{broker.port}"
        with Listener(broker.port, ("ann", "päss w0rd")) as listener:
            here = Mqtt(read_broker(url, file), rule=FAST, waiting=WAITING)
            listener.wait_for(lambda it: it.kept.get("kibitz/status") == "online")
            here.close()
        file.write_text("an0ther")
        stranger = Mqtt(read_broker(url, file), rule=FAST, waiting=OutletRule(closing_s=0.5))
        said = ""
        while "refuses us" not in said:
            time.sleep(0.02)  # else the broker's thread hardly runs
            said += capsys.readouterr().err
        stranger.close()
    said += capsys.readouterr().err

    assert f"mqtt mqtt://127.0.0.1:{broker.port}: refuses us (" in said
    assert [] == [x for x in ("w0rd", "an0ther", "ann@") if x in said]


def test_what_happens_at_a_real_table(tmp_path, broker):
    """Plays, a question that opens and closes, trouble with the camera, undo, the end."""
    session = make_session(tmp_path)
    here = outlet(broker)
    follows = TableEvents(session, [here])
    follows.start()
    client = TestClient(create_app(session))
    with Listener(broker.port) as listener:
        made = new_table(client)
        topic = f"kibitz/tables/{made['table']}"
        act(client, made, PLAY)
        listener.wait_for(lambda it: topic in it.kept and state(it, topic).entries == 1)
        one = state(listener, topic)
        act(client, made, {"action": "undo"})
        see(client, made, board(H7="C?T"))
        listener.wait_for(lambda it: state(it, topic).questions)
        asked = state(listener, topic)
        act(client, made, {"action": "answer", "field": "blank", "square": "H8", "value": "A"})
        session.camera(session.tables.get(made["table"])).note_trouble("gives nothing")
        listener.wait_for(lambda it: state(it, topic).cameras and not state(it, topic).questions)
        away = state(listener, topic)
        act(client, made, {"action": "end_game"})
        listener.wait_for(lambda it: state(it, topic).over)
        follows.close()
        session.close()

    assert [("Ann", 4), ("Bob", 0)] == [(s.player, s.score) for s in one.scores]
    assert ("Which letter is the blank on H8?",) == asked.questions
    assert [(1, "camera_away")] == [(c.camera, c.code) for c in away.cameras]


def test_home_assistant_finds_the_server(broker):
    """One device, whose entities are named once each and read the state that is published."""
    with Listener(broker.port) as listener:
        here = outlet(broker)
        put(here, MET)
        put(here, played(2, Ann=4, Bob=0))
        put(
            here,
            told(3, "question", question={"field": "blank", "prompt": "Which letter?"}),
            played(2, Ann=4, Bob=0)["entry"],
        )
        listener.wait_for(lambda it: len(it.texts("kibitz/tables/t1/events")) == 3)
        here.close()
    found = json.loads(listener.kept["homeassistant/device/kibitz/config"])
    parts = found["components"]
    shown = {
        key: jinja2.Template(part["value_template"]).render(
            value_json=json.loads(listener.kept[found["state_topic"]])
        )
        for key, part in parts.items()
    }

    assert discovery("kibitz", 2) == found
    assert [{"topic": "kibitz/status"}] == found["availability"]
    assert len(parts) == len({part["unique_id"] for part in parts.values()})
    assert {"sensor", "binary_sensor"} == {part["platform"] for part in parts.values()}
    assert {
        "game": "Scrabble",
        "said": "",
        "entries": "1",
        "question": "Which letter?",
        "score_1": "4",
        "score_2": "0",
        "asked": "ON",
        "camera": "OFF",
        "trouble": "OFF",
        "over": "OFF",
    } == shown


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("http://a", "expected mqtt://host or mqtts://host, got http://a"),
        ("broker.local", "expected mqtt://host or mqtts://host, got another text"),
        ("mqtt://", "expected mqtt://host or mqtts://host, got another text"),
        ("mqtt://a?x=SECRET", "expected mqtt://host or mqtts://host, got another text"),
        ("mqtt://höst", "in ASCII"),
        ("mqtt://ann:SECRET@a", "put it into a file for --mqtt-password"),
        ("mqtt://a/x/+/y", "expected a prefix of at most 200 characters without + # $"),
        ("mqtt://a/x%23", "expected a prefix of at most 200 characters without + # $"),
        ("mqtt://a/" + "x" * 201, "expected a prefix of at most 200 characters"),
    ],
)
def test_what_is_no_broker_is_refused(url, says):
    """In words, and without what may be a secret."""
    with pytest.raises(UsageError) as wrong:
        read_broker(url)

    assert says in str(wrong.value)
    assert "SECRET" not in str(wrong.value)


@pytest.mark.parametrize(
    ("url", "content", "says"),
    [
        (None, b"pw", "for which broker? add --mqtt URL"),
        ("mqtt://a", b"pw", "whose? name the user"),
        ("mqtt://ann@a", None, "cannot read"),
        ("mqtt://ann@a", b"x" * 5000, "expected at most 4096 bytes, got more"),
        ("mqtt://ann@a", b"\xff", "expected a text in UTF-8"),
    ],
)
def test_a_password_that_cannot_be_used_is_told(tmp_path, url, content, says):
    """Before the server starts."""
    file = tmp_path / "password"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UsageError) as wrong:
        broker_of(url, file)

    assert says in str(wrong.value)


def test_address_prefix_and_password(monkeypatch):
    """Ports and prefix where the address names none; the password from the environment."""
    monkeypatch.setenv("KIBITZ_MQTT_PASSWORD", "p4ss")
    plain, other = read_broker("mqtt://ann@a"), read_broker("mqtts://ann@a:99/my%20home/")

    assert ("kibitz", 1883, "p4ss") == (plain.prefix, plain.port, plain.password)
    assert ("my home", 99) == (other.prefix, other.port)
    assert 8883 == read_broker("mqtts://ann@a").port
    assert "p4ss" not in repr(plain)


def test_the_library_is_named_where_it_is_missing(monkeypatch):
    """With the call that gets it."""
    monkeypatch.setitem(sys.modules, "paho.mqtt.client", None)
    with pytest.raises(CommandError) as wrong:
        Mqtt(read_broker("mqtt://a"))

    assert "MQTT needs paho-mqtt: pip install 'kibitz[mqtt]'" == str(wrong.value)


@pytest.mark.slow
def test_a_real_server_tells_a_broker(tmp_path, broker):
    """`kibitz serve --mqtt`: a play arrives, and the end of the server too."""
    there = ["--mqtt", f"mqtt://127.0.0.1:{broker.port}"]
    with Listener(broker.port) as listener, RunningServer(tmp_path / "data", *there) as server:
        server.pass_turn()
        listener.wait_for(lambda it: it.kept.get("kibitz/latest", "").find("passes") > 0)
        server.stop()
        listener.wait_for(lambda it: it.kept["kibitz/status"] == "offline")
    events = [
        json.loads(t)["event"] for t in listener.texts(f"kibitz/tables/{server.table}/events")
    ]

    assert ["table", "action", "said"] == events
    assert server.token not in json.dumps(listener.got)


def test_the_documentation_names_every_field_and_topic():
    """The page about events describes the state and its topics."""
    text = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
    topics = ["status", "latest", "lost", "tables/ID", "tables/ID/events"]

    assert [] == [f for f in TableState.model_fields if f"`{f}`" not in text]
    assert [] == [t for t in topics if f"`kibitz/{t}`" not in text]
