"""What other programs are told of what happens at the tables."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from kibitz.app.server.app import create_app
from kibitz.app.server.outlets.events import TableEvents
from kibitz.app.tables.people.access import Actor
from kibitz.app.wire.events import Anything, Known, differences
from tests.app.server_help import (
    FLEET,
    PLAY,
    act,
    board,
    make_session,
    new_table,
    see,
    tell_fleet,
)
from tests.helpers.property_examples import tries

ROOT = Path(__file__).resolve().parents[4]
EVENT = TypeAdapter(Anything)


class Kept:
    """An outlet that keeps what it is told."""

    def __init__(self) -> None:
        self.events: list[dict] = []

    def put(self, event, _known):
        """Keep it."""
        self.events.append(dict(event))

    def close(self):
        """Nothing waits here."""


class Followed:
    """A server whose events are kept; leaving it waits until all are told."""

    def __init__(self, folder: Path) -> None:
        self.session = make_session(folder)
        self.kept = Kept()
        self._events = TableEvents(self.session, [self.kept])
        self._events.start()
        self.client = TestClient(create_app(self.session))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._events.close()
        self.session.close()

    def told(self, *kinds: str) -> list[dict]:
        """The events of these kinds; all without one."""
        return [e for e in self.kept.events if not kinds or e["event"] in kinds]


def rebuilt(events: list[dict]) -> list[dict]:
    """The history that a listener holds who does as the events say."""
    entries: list[dict] = []
    for event in events:
        if event["event"] == "table":
            entries = list(event["entries"])
        elif event["event"] in ("play", "action"):
            assert event["index"] == len(entries)
            entries.append(event["entry"])
        elif event["event"] == "changed":
            entries[event["index"]] = event["entry"]
        elif event["event"] == "undone":
            assert event["index"] == len(entries) - 1
            entries.pop()
    return entries


def test_a_play_and_its_announcement_are_told(tmp_path):
    """A table that is met, a play with its words and score, what is said of it."""
    with Followed(tmp_path) as here:
        made = new_table(here.client)
        act(here.client, made, PLAY)
    met, play, said = here.told()

    assert ["table", "play", "said"] == [met["event"], play["event"], said["event"]]
    assert (["Ann", "Bob"], [], False) == (met["players"], met["entries"], met["over"])
    assert {"H7": "A", "H8": "T"} == play["entry"]["tiles"]
    assert (0, made["table"], "scrabble") == (play["index"], play["table"], play["game"])
    assert play["entry"]["say"] == said["lines"]


def test_undo_correction_and_end_are_told(tmp_path):
    """Whoever does as the events say holds the table's history, also after corrections."""
    with Followed(tmp_path) as here:
        made = new_table(here.client)
        for body in (
            PLAY,
            {"action": "pass", "player": "Bob"},
            {"action": "correct", "entry": 0, "square": "H7", "letter": "I"},
            {"action": "pass", "player": "Ann"},
            {"action": "undo"},
            {"action": "end_game"},
        ):
            assert act(here.client, made, body).status_code == 200, body
        table = here.session.tables.get(made["table"])
    history = table.history()
    names = [e["event"] for e in here.told() if e["event"] != "said"]

    assert history == rebuilt(here.told())
    assert "game_over" == names[-1]
    assert table.view(Actor("watch"))["scores"] == here.told("game_over")[0]["standing"]["scores"]


def test_a_question_is_told_and_closed(tmp_path):
    """A blank without a letter is asked for once, and the answer closes the question."""
    with Followed(tmp_path) as here:
        made = new_table(here.client)
        see(here.client, made, board(H7="C?T"))
        answer = {"action": "answer", "field": "blank", "square": "H8", "value": "A"}
        assert act(here.client, made, answer).status_code == 200
    (asked,) = here.told("question")
    (closed,) = here.told("question_closed")

    assert ("blank", "H8") == (asked["question"]["field"], asked["question"]["square"])
    assert "H8" == closed["question"]["square"]


def test_camera_trouble_is_told_once(tmp_path):
    """A camera that goes away says so once; where it is stays unsaid."""
    with Followed(tmp_path) as here:
        made = new_table(here.client)
        see(here.client, made, board())
        camera = here.session.camera(here.session.tables.get(made["table"]))
        for _ in range(3):
            camera.note_trouble("rtsp://ann:pw@cam.local gives nothing")
    trouble = here.told("camera_trouble")

    assert [(1, "camera_away")] == [(e["camera"], e["code"]) for e in trouble]
    assert "cam.local" not in json.dumps(trouble)


def test_another_trouble_and_its_end_are_told():
    """A camera whose trouble becomes another one, or ends."""
    looks = [
        Known("scrabble", 0, cameras=cameras, troubles=troubles)
        for cameras, troubles in (
            ({}, {}),
            ({2: ("camera_away", "Away.")}, {"full": "Full."}),
            ({2: ("board_not_found", "None.")}, {"full": "Full."}),
            ({}, {}),
        )
    ]
    told = [[*differences(a, b, ())] for a, b in pairwise(looks)]

    assert [
        [
            {"event": "camera_trouble", "camera": 2, "code": "camera_away", "message": "Away."},
            {"event": "trouble", "code": "full", "message": "Full."},
        ],
        [{"event": "camera_trouble", "camera": 2, "code": "board_not_found", "message": "None."}],
        [{"event": "camera_well", "camera": 2}, {"event": "trouble_over", "code": "full"}],
    ] == told


def test_a_fleet_is_not_told(tmp_path):
    """What a player enters in secret is an action without its content."""
    with Followed(tmp_path) as here:
        made = new_table(here.client, "scrabbleship")
        tell_fleet(here.client, made)
    (entered,) = here.told("action")
    text = json.dumps(here.told())

    assert ("enter_fleet", "Ann", True) == tuple(
        entered["entry"][k] for k in ("action", "player", "private")
    )
    assert [] == [s for squares in FLEET.values() for s in squares if f'"{s}"' in text]


def test_a_deleted_table_is_gone(tmp_path):
    """The last that is told of a table is that it is gone."""
    with Followed(tmp_path) as here:
        made = new_table(here.client)
        act(here.client, made, PLAY)
        here.session.delete(made["table"])

    assert "table_gone" == here.told()[-1]["event"]


def test_a_game_that_goes_on_begins_with_what_was_done(tmp_path):
    """A server that starts again tells the table with its entries, and none of them as new."""
    with Followed(tmp_path) as here:
        made = new_table(here.client)
        act(here.client, made, PLAY)
    with Followed(tmp_path) as again:
        act(again.client, made, {"action": "pass", "player": "Bob"})
    met, passed, _ = again.told()

    assert ["H7", "H8"] == list(met["entries"][0]["tiles"])
    assert ("action", 1) == (passed["event"], passed["index"])


def test_every_event_is_of_its_type(tmp_path):
    """What is told validates as what is documented, and is named once."""
    with Followed(tmp_path) as here:
        made = new_table(here.client)
        see(here.client, made, board(H7="C?T"))
        act(here.client, made, {"action": "undo"})
        act(here.client, made, {"action": "end_game"})
        here.session.delete(made["table"])
    told = here.told()

    assert told == [EVENT.validate_python(e).model_dump() for e in told]
    assert len(told) == len({e["id"] for e in told})


entries = st.lists(st.integers(0, 3).map(lambda n: {"action": "pass", "n": n}), max_size=5)


@tries(100)
@given(entries, entries)
def test_differences_lead_from_one_history_to_the_other(old, new):
    """Doing what the events say turns any history into any other."""
    before, now = Known("scrabble", 0, tuple(old)), Known("scrabble", 1, tuple(new))
    events = list(differences(before, now, ()))

    assert new == rebuilt([{"event": "table", "entries": old}, *events])


def test_the_documentation_names_every_event_and_field():
    """Each event with what it carries stands in the page about events."""
    text = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
    schema = EVENT.json_schema()["$defs"].values()
    names = {s["properties"]["event"]["const"] for s in schema}
    fields = {f for s in schema for f in s["properties"]}

    assert [] == [n for n in sorted(names | fields) if f"`{n}`" not in text]
