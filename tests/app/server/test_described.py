"""Every call tells what it is for, what it takes and answers, with examples that are true."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from fastapi.testclient import TestClient

from kibitz.app.server.app import create_app
from kibitz.app.server.described import ACTIONS, ANSWERS, PARAMETERS
from tests.app.server_help import PLAY, act, bearer, board, make_session, new_table, see

TEXTS = ("application/json", "text/", "image/svg+xml")


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Any:
    session = make_session(tmp_path_factory.mktemp("described"))
    yield TestClient(create_app(session)).get("/openapi.json").json()
    session.close()


def calls(api: Any) -> list[tuple[str, Any]]:
    """Every call with what is said of it."""
    return [
        (f"{method.upper()} {path}", call)
        for path, there in api["paths"].items()
        for method, call in there.items()
    ]


def examples(api: Any, content: Any) -> list[Any]:
    """The examples of a body or an answer, from the call or from its shape."""
    if "example" in content:
        return [content["example"]]
    if "examples" in content:
        return [e["value"] for e in content["examples"].values()]
    name = content["schema"].get("$ref", "").rpartition("/")[2]
    return list(api["components"]["schemas"].get(name, {}).get("examples", []))


def contents(api: Any) -> list[tuple[str, str, Any]]:
    """Every body and every answer that is text: the call, its kind, what is said of it."""
    found = []
    for label, call in calls(api):
        parts = [call.get("requestBody", {}), *call["responses"].values()]
        for part in parts:
            for kind, content in part.get("content", {}).items():
                if kind.startswith(TEXTS):
                    found.append((label, kind, content))
    return found


def test_every_call_says_what_it_is_for(api: Any) -> None:
    """A short summary, a sentence, and the group that it belongs to."""
    bare = [
        label
        for label, call in calls(api)
        if not call.get("description")
        or not 3 < len(call.get("summary", "")) <= 80
        or call["summary"].istitle()
        or not call.get("tags")
    ]

    assert len(calls(api)) > 20
    assert [] == bare


def test_every_parameter_has_a_description_and_an_example(api: Any) -> None:
    """Each that a call takes, and none that no call takes."""
    found = [p for _, call in calls(api) for p in call.get("parameters", ())]
    bare = [p["name"] for p in found if not p.get("description") or p.get("example") is None]

    assert [] == bare
    assert set(PARAMETERS) == {p["name"] for p in found}


def test_every_body_and_answer_has_an_example(api: Any) -> None:
    """What is sent and what comes back, errors included; pictures speak for themselves."""
    bare = [(label, kind) for label, kind, content in contents(api) if not examples(api, content)]

    assert [] == bare
    assert [] == [label for label in ANSWERS if label not in dict(calls(api))]


def test_every_body_that_is_taken_has_a_shape(api: Any) -> None:
    """Every call that changes something, but for taking a table away, says what it takes."""
    takes = {label for label, call in calls(api) if "requestBody" in call}
    sends = {label for label, _ in calls(api) if label.split()[0] in ("POST", "PUT", "PATCH")}

    assert sends == takes


def test_every_example_fits_its_shape(api: Any) -> None:
    """Whoever copies one sends or expects what the description promises."""
    wrong = []
    for label, kind, content in contents(api):
        shape = {**content["schema"], "components": api["components"]}
        for example in examples(api, content):
            if not jsonschema_rs.is_valid(shape, example):
                wrong.append((label, kind, example))

    assert [] == wrong


def test_calls_with_a_token_say_so(api: Any) -> None:
    """Those that answer 401 without one."""
    guarded = {label for label, call in calls(api) if call.get("security") == [{"token": []}]}

    assert {label for label, call in calls(api) if "401" in call["responses"]} == guarded
    assert "bearer" == api["components"]["securitySchemes"]["token"]["scheme"]


def test_examples_show_what_the_server_really_answers(client: Any) -> None:
    """The fields of an example are those of a real answer."""
    made = new_table(client)
    path, host = f"/api/tables/{made['table']}", bearer(made["host_token"])
    told = act(client, made, PLAY)
    real = {
        "GET /api/games": client.get("/api/games"),
        "GET /api/tables": client.get("/api/tables"),
        "POST /api/tables/{table_id}/actions": told,
        "POST /api/tables/{table_id}/frames": see(client, made, board(H7="AT")),
        "GET /api/tables/{table_id}": client.get(path, headers=bearer(made["watch_token"])),
        "GET /api/tables/{table_id}/links": client.get(f"{path}/links", headers=host),
        "GET /api/check": client.get("/api/check"),
        "GET /healthz": client.get("/healthz"),
        "GET /api/fame": client.get("/api/fame"),
    }
    record = client.get(f"{path}/record", headers=host).json()
    changes = client.get(f"{path}/changes", headers=host)
    real["GET /api/tables/{table_id}/changes"] = changes
    why = client.get(f"{path}/changes/{changes.json()['changes'][0]['seq']}", headers=host)
    real["GET /api/tables/{table_id}/changes/{seq}"] = why

    assert {k: sorted(ANSWERS[k]) for k in real} == {k: sorted(r.json()) for k, r in real.items()}
    assert sorted(ANSWERS["GET /api/tables/{table_id}/record"]["application/json"]) == sorted(
        record
    )


@pytest.mark.parametrize("name", sorted(ACTIONS))
def test_the_actions_shown_are_known(client: Any, name: str) -> None:
    """Each is an action of the default game: it is done, or refused by a rule, not as unknown."""
    answer = act(client, new_table(client), ACTIONS[name])
    code = answer.json().get("error", {}).get("code")

    assert answer.status_code in (200, 409)
    assert code not in ("unknown_action", "bad_action")
