"""Every written-out game played through HTTP: the same answers, the same words, the same views."""

import json
import re

import pytest

from kibitz.engine.phrases import NUMERALS
from tests.app.server_help import act, new_table, state
from tests.playthrough_tool import FOLDER, script_of

FILES = sorted(FOLDER.glob("*.txt"))
OF_THE_CLOCK = ("clocks", "running", "running_since")
"""What depends on when a call came."""
SPOKEN = re.compile(rf"\b([A-O]) ({'|'.join(NUMERALS[1:])})\b")
"""A square as the files have it, for a voice."""


def written(text):
    """A text with its squares as a table's answers write them."""
    return SPOKEN.sub(lambda square: f"{square[1]}{NUMERALS.index(square[2])}", text)


def parts_of(text):
    """What the file has for the beginning and for each action: lines of events, of what is said."""
    parts = [[]]
    for line in text.splitlines()[1:]:
        if line.startswith("do: "):
            parts.append([])
        parts[-1].append(line.strip())
    return parts


def told_in(part):
    """The refusal, else the public events and what is said of everything."""
    refused = [x.removeprefix("refused ").split(": ", 1) for x in part if x.startswith("refused ")]
    if refused:
        code, message = refused[0]
        return {"refused": [code, written(message)]}
    events = [json.loads(x.removeprefix("event ")) for x in part if x.startswith("event {")]
    return {
        "events": [e for e in events if not e["event"].startswith("_")],
        "say": [written(x.removeprefix("say ")) for x in part if x.startswith("say ")],
    }


def answer_to(answer):
    """The same of an answer over HTTP."""
    body = answer.json()
    if answer.status_code != 200:
        return {"refused": [body["error"]["code"], body["error"]["message"]]}
    events = [{k: v for k, v in e.items() if k != "at"} for e in body["events"]]
    return {"events": events, "say": body["say"]}


def seen_in(part, viewer):
    """What a viewer sees beside the board, without what time changes."""
    line = next(x for x in part if x.startswith(f"{viewer} sees "))
    view = json.loads(line.removeprefix(f"{viewer} sees "))
    return {k: v for k, v in view.items() if k not in OF_THE_CLOCK}


@pytest.mark.parametrize("path", FILES, ids=[p.stem for p in FILES])
def test_playthrough(client, path):
    """Refusals, events, announcements and views are those of the rules, for every seat."""
    text = path.read_text(encoding="utf-8")
    header, actions = script_of(text)
    parts = parts_of(text)
    told = {k: header[k] for k in ("players", "settings", "initial") if k in header}
    made = new_table(client, header["game"], **told)
    answers = [answer_to(act(client, made, action)) for action in actions]
    shown = next(p for p in reversed(parts) if any(x.startswith("watcher sees") for x in p))
    views = {}
    for viewer, token in {"watcher": made["watch_token"], **made["seat_tokens"]}.items():
        view = state(client, made, token).json()["view"]
        views[viewer] = {k: view[k] for k in seen_in(shown, viewer)}

    assert [told_in(part) for part in parts[1:]] == answers
    assert {viewer: seen_in(shown, viewer) for viewer in views} == views
