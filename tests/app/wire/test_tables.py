"""What the client answers has the types of the server's own description."""

from __future__ import annotations

from typing import get_args

from fastapi.testclient import TestClient

from kibitz import client as face
from kibitz.app.client.client import CALLS
from kibitz.app.server.app import create_app
from kibitz.app.wire.shape import Shape
from kibitz.app.wire.tables import TableView
from kibitz.client import (
    Refused,
)
from tests.app.server_help import board, make_session, new_table, see


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
