"""What the client answers has the types of the server's own description."""

from __future__ import annotations

from typing import get_args

import pytest
from fastapi.testclient import TestClient

from kibitz import client as face
from kibitz.app.client.client import CALLS
from kibitz.app.server.app import create_app
from kibitz.app.wire.shape import Shape
from kibitz.app.wire.tables import TableView
from kibitz.client import (
    Refused,
)
from tests.app.server_help import act, bearer, board, make_session, new_table, see

pytestmark = pytest.mark.fast


def nested(kind: type[Shape]) -> set[type[Shape]]:
    """A type of answer with those that it is made of."""
    found = {kind}
    todo = [f.annotation for f in kind.model_fields.values()]
    while todo:
        part = todo.pop()
        todo += get_args(part)
        if isinstance(part, type) and issubclass(part, Shape) and part not in found:
            found |= nested(part)
    return found


def test_results_are_frozen_and_every_one_can_be_named():
    """Whatever an answer holds, `kibitz.client` has its type."""
    every = set().union(*(nested(c.answer) for c in CALLS.values() if c.answer), {Refused})

    assert [] == [k.__name__ for k in every if k.model_config.get("frozen") is not True]
    assert [] == [k.__name__ for k in every if k.__name__ not in face.__all__]
    assert [] == [name for name in face.__all__ if not hasattr(face, name)]


def test_a_real_table_has_the_fields_of_the_view(tmp_path):
    """Of the document of a table that is played at, nothing is unknown to the client."""
    session = make_session(tmp_path)
    client = TestClient(create_app(session))
    made = new_table(client)
    see(client, made, board(H7="C?T"))
    headers = {"Authorization": f"Bearer {made['host_token']}"}
    document = client.get(f"/api/tables/{made['table']}", headers=headers).json()
    session.close()
    view = TableView.model_validate(document)

    assert set(document) == set(TableView.model_fields)
    assert set(document["questions"][0]) <= set(face.Question.model_fields)
    assert [tuple(document["view"]["board"])] == [view.board]


GAME = {"game", "title", "facts", "players", "settings", "letters", "tile_values", "premiums"}
GAME |= {"seq", "clock", "paused", "over", "start", "view", "history", "said", "last"}
PROMISED = {
    "table": GAME
    | {"table", "you", "created", "tiles", "lexicon", "word_list", "saved", "notices"}
    | {"questions", "tasks", "pictures", "seats", "camera", "language", "directed"},
    "camera": {"frame", "settled", "advice", "health", "error", "size", "aimed", "corners"},
    "camera for watchers": {"frame", "settled", "advice", "health", "error"},
    "question": {"field", "square", "prompt", "choices", "player"},
    "shown": {"type", "frame", "settled", "advice", "health", "read", "line"},
    "acted": {"legal", "result", "events", "say", "seq", "saved"},
    "published": GAME | {"at"},
    "in the hall": {"table", "game", "title", "players", "created", "server", "seq", "clock"}
    | {"clocks", "paused", "over", "scores", "to_move", "winner", "rows", "camera"}
    | {"questions", "notices", "watching", "name", "judge", "round"},
    "seen by the director": {"frame", "settled", "advice", "error"},
}
"""What other programs rely on, whatever the game; more may be there."""


@pytest.mark.parametrize("language", ["en", "de"])
def test_answers_have_the_fields_that_are_promised(client, language):
    """In every language; what a caller may not know has no field."""
    made = new_table(client)
    path, said = f"/api/tables/{made['table']}", {"x-kibitz-language": language}
    host = {**bearer(made["host_token"]), **said}
    acted = act(client, made, {"action": "pass", "player": "Ann"})
    shown = see(client, made, board(H7="C?T"))
    table = client.get(path, headers=host).json()
    watched = client.get(path, headers={**bearer(made["watch_token"]), **said}).json()
    public = client.put(f"{path}/public", json={"public": True}, headers=host).json()
    (hall,) = client.get("/api/director", headers=said).json()["tables"]

    real = {
        "table": set(table),
        "camera": set(table["camera"]),
        "camera for watchers": set(watched["camera"]),
        "question": set(table["questions"][0]),
        "shown": set(shown.json()),
        "acted": set(acted.json()),
        "published": set(client.get(public["snapshot"]).json()),
        "in the hall": set(hall),
        "seen by the director": set(hall["camera"]),
    }

    assert set(PROMISED) == set(real)
    assert {} == {k: left for k, fields in PROMISED.items() if (left := fields - real[k])}
    assert {"size", "aimed", "corners"}.isdisjoint(real["camera for watchers"])
    assert language == table["language"]
