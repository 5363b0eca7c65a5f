"""Calls made up from the server's own description: nothing crashes, every answer is as described."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, seed, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from kibitz.app.server.app import create_app
from tests.app.server_help import make_session

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
CALLS = {
    "GET /api/games",
    "POST /api/tables",
    "GET /api/tables",
    "GET /api/tables/{table_id}",
    "POST /api/tables/{table_id}/tokens",
    "POST /api/tables/{table_id}/actions",
    "POST /api/tables/{table_id}/frames",
    "GET /api/tables/{table_id}/frame.jpg",
    "GET /api/tables/{table_id}/seen",
    "GET /api/tables/{table_id}/pictures/{seq}.jpg",
    "GET /api/tables/{table_id}/board.jpg",
    "GET /api/tables/{table_id}/squares/{square}",
    "GET /api/tables/{table_id}/squares/{square}.jpg",
    "GET /api/tables/{table_id}/tile.jpg",
    "POST /api/tables/{table_id}/film",
    "GET /api/tables/{table_id}/film",
    "DELETE /api/tables/{table_id}/film",
    "GET /api/tables/{table_id}/report.zip",
    "GET /api/words",
    "POST /api/words",
    "GET /api/cameras",
    "GET /api/cameras/found",
    "POST /api/cameras/streams",
    "GET /api/languages",
    "GET /language/{code}.json",
    "GET /api/cameras/{table_id}/{number}.jpg",
    "PUT /api/tables/{table_id}/source",
    "PUT /api/tables/{table_id}/corners",
    "GET /api/tables/{table_id}/taught",
    "POST /api/tables/{table_id}/taught",
    "DELETE /api/tables/{table_id}/taught",
    "GET /api/tables/{table_id}/changes",
    "GET /api/tables/{table_id}/changes/{seq}",
    "GET /api/tables/{table_id}/record",
    "GET /api/tables/{table_id}/analysis",
    "GET /api/check",
    "GET /api/tables/{table_id}/links",
    "POST /api/tables/{table_id}/links",
    "PATCH /api/tables/{table_id}",
    "DELETE /api/tables/{table_id}",
    "GET /healthz",
    "GET /metrics",
    "GET /api/fame",
    "GET /api/fame/{table_id}/picture.jpg",
    "POST /api/trace/board",
    "POST /api/trace",
    "POST /api/qr",
    "GET /api/authority",
    "GET /api/tables/{table_id}/public",
    "PUT /api/tables/{table_id}/public",
    "PUT /api/tables/{table_id}/air",
    "GET /api/air",
    "GET /api/air/layout",
    "PUT /api/air/layout",
    "GET /api/tables/{table_id}/layout",
    "PUT /api/tables/{table_id}/layout",
    "POST /api/air/link",
    "DELETE /api/air/link",
    "GET /public/{key}.json",
    "GET /public/{key}.gcg",
    "GET /public/{key}/after/{seq}",
    "GET /public/{key}/stream/{seq}",
    "POST /api/tables/{table_id}/judge",
    "PUT /api/tables/{table_id}/server",
    "GET /api/director",
    "PUT /api/director/divisions/{division}",
    "GET /api/director/divisions/{division}",
    "DELETE /api/director/divisions/{division}",
    "POST /api/director/divisions/{division}/rounds/{round}",
}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    session = make_session(tmp_path_factory.mktemp("schema"))
    yield create_app(session)
    session.close()


@pytest.mark.slow
@pytest.mark.parametrize("label", sorted(CALLS))
def test_made_up_calls_get_the_answers_that_are_described(app: FastAPI, label: str) -> None:
    """Whatever is sent to a table, as its host, the answer is one that the description names."""
    operation = next(o for o in _operations(app) if o.label == label)
    order = {"game": "scrabble", "players": ["Ann", "Bob"]}
    made = TestClient(app).post("/api/tables", json=order).json()

    @seed(7)
    @settings(
        max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), database=None
    )
    @given(case=operation.as_strategy())
    def answers_as_described(case: schemathesis.Case[Any]) -> None:
        if "table_id" in (case.path_parameters or {}):
            case.path_parameters["table_id"] = made["table"]
        headers = {"Authorization": f"Bearer {made['host_token']}"}
        case.call_and_validate(headers=headers, checks=CHECKS)

    answers_as_described()


def test_every_call_is_tried(app: FastAPI) -> None:
    """No call of the description is left out of the list above."""
    assert {o.label for o in _operations(app)} == CALLS


def _operations(app: FastAPI) -> list[APIOperation[Any, Any, Any, Any]]:
    found = schemathesis.openapi.from_asgi("/openapi.json", app).get_all_operations()
    return [operation.ok() for operation in found if isinstance(operation, Ok)]
