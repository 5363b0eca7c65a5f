"""Tables that an older version kept are opened by this one, with every score as it was."""

from __future__ import annotations

import json
import shutil
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from kibitz.app.common.storage.tables import Storage
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.engine.rules import Action, Refused

OLDER = Path(__file__).parent / "older"
"""The six bundled games as version 0.1 kept them, and what it showed of each.

Its pictures were made small. The tokens open nothing else.
"""
EXPECTED = json.loads((OLDER / "expected.json").read_text("utf-8"))
HOST = Actor("host")


@pytest.fixture(scope="module")
def older(tmp_path_factory):
    """The tables, in a folder of their own."""
    folder = tmp_path_factory.mktemp("older")
    shutil.copy(OLDER / "tables.sqlite3", folder)
    tables = Tables(Storage(str(folder)))
    yield tables
    tables.close()


@pytest.mark.parametrize("name", EXPECTED, ids=[facts["game"] for facts in EXPECTED.values()])
def test_a_table_of_an_older_version_is_as_it_was(older, name):
    """Scores, boards and entries are those that it had; links open it, pictures are there."""
    expected, table = EXPECTED[name], older.get(name)
    view = table.view(HOST)
    links = {
        place: older.actor(name, token)[1].role for place, token in expected["tokens"].items()
    }
    pictures = [Image.open(BytesIO(table.picture(seq))).format for seq in expected["pictures"]]

    assert [] == table.lost
    assert expected["view"] == json.loads(json.dumps({k: view[k] for k in expected["view"]}))
    assert expected["entries"] == [[e["action"], e["player"]] for e in table.history()]
    assert {place: place.split()[0] for place in links} == links
    assert {"JPEG"} == set(pictures)


def test_a_table_of_an_older_version_goes_on(older):
    """What was played last is taken back, and counts again."""
    name = next(name for name, facts in EXPECTED.items() if facts["game"] == "scrabble")
    table = older.get(name)
    before = dict(table.view(HOST))
    done = [table.act(Action(kind), HOST) for kind in ("undo", "redo")]

    assert not any(isinstance(one, Refused) for one in done)
    assert before == dict(table.view(HOST))
