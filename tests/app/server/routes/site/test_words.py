"""Word lists over HTTP: which are here, and one that is built and then played by."""

from __future__ import annotations

from fastapi.testclient import TestClient

from kibitz.app.server.app import create_app
from kibitz.app.words.recipes import recipe_named
from tests.app.cameras.camera_help import not_here
from tests.app.server_help import make_session, new_table


def test_a_list_is_built_and_offered_at_once(tmp_path, monkeypatch):
    """What is installed can be built; new tables may have it without a new start."""
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))
    recipe = recipe_named("en-common")
    assert recipe is not None
    if not recipe.sources[0].found():
        not_here("the package scowl is not installed")
    with TestClient(create_app(make_session(tmp_path))) as client:
        before = client.get("/api/words").json()
        built = client.post("/api/words", json={"name": "en-common"})
        after = client.get("/api/words").json()
        table = new_table(client, lexicon="en-common")

    offered = {words["name"]: words for words in before["to_build"]}
    assert ([], 201) == (before["lists"], built.status_code)
    assert ("scowl", "en", "SCOWL") == tuple(
        offered["en-common"][key] for key in ("source", "tiles", "licence")
    )
    assert offered["en-common"]["bytes"] > 100_000
    assert [built.json()] == after["lists"]
    assert built.json()["words"] > 50_000
    assert table["table"]


def test_only_the_host_builds_what_is_known(tmp_path):
    """Others are refused, and so is a name that leads to no dictionary."""
    with TestClient(create_app(make_session(tmp_path))) as client:
        unknown = client.post("/api/words", json={"name": "../etc/passwd"})
    with TestClient(create_app(make_session(tmp_path / "b", open_to_all=False))) as client:
        foreign = [client.get("/api/words"), client.post("/api/words", json={"name": "en-common"})]

    assert (422, "unknown_words") == (unknown.status_code, unknown.json()["error"]["code"])
    assert [401, 401] == [answer.status_code for answer in foreign]
