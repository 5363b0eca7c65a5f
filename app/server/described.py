"""Adds to `/openapi.json` what each call is for, with examples to copy."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final

from fastapi import FastAPI

from kibitz.app.wire.answers import ErrorAnswer
from kibitz.app.wire.tables import PublicGame, Standing
from kibitz.engine.board.layouts import STANDARD
from kibitz.engine.games import DEFAULT_GAME, GAMES

TABLE: Final = "k7m2pq4x"
TOKEN: Final = "Vb3kQm0Zr8sXcT1yWn5uJh7pLg2aEd6f"
MADE: Final = 1767225600.25
PARAMETERS: Final[dict[str, tuple[str, Any]]] = {
    "table_id": ("The table's name, as it was answered when it was set up.", TABLE),
    "seq": ("The step's number: `pictures` of the table lists those with a picture.", 3),
    "square": ("A square, as `H8`; on joined boards with the board's number, as `2:H8`.", "H8"),
    "tiles": ("The tile set that lies on the board.", "en"),
    "board": ("Which board, where there are two.", 1),
    "name": ("What the file is called.", "sunday.mp4"),
    "number": ("Which of the table's cameras, from 1.", 1),
    "overlay": ("With the reading drawn on it.", True),
    "format": ("How it is written; a record as GCG or CGP only where it can hold it.", "csv"),
    "after": ("For CGP: the position after so many entries of the history.", 1),
    "key": (
        "What everybody may watch the game with: a part of its public address.",
        "4fQm2Zr8sXcT1yWn5uJh",
    ),
    "limit": ("How many at most.", 30),
    "search": ("Words that must all stand in its name, its players or its game.", "sunday"),
    "away": ("Also those that were put away.", False),
    "here": ("Only the tables that this server runs, not those of the whole hall.", False),
    "division": ("The division's name, as the director calls it.", "A"),
    "round": ("The round, counted from 1.", 1),
    "order": ("What lies there row by row, if it is not the whole set; `?` is a blank.", "ABC?"),
    "code": ("A language's code: `/api/languages` lists them.", "de"),
    "Idempotency-Key": (
        "A text of your own for this one action: sent again with it, it is done or refused once, "
        "and another action with it is refused. A call that may not be made does not use it up.",
        "5f0c9d1e",
    ),
}
"""Sentence and example for each parameter, by its name."""

_LAYOUT = {"board": [0, 0, 27, 27], "scores": [28, 0, 19, 7]}
_TITLE = GAMES.find_info(DEFAULT_GAME).title
_ROWS = [*["." * 15] * 7, "......AT.......", *["." * 15] * 7]
_PLAY = {"action": "place", "player": "Ann", "tiles": {"H7": "A", "H8": "T"}}
_SAID = ["Ann plays AT.", "4 for AT; 4."]
_ENTRY = {
    "entry": 0,
    "action": "place",
    "player": "Ann",
    "seen": True,
    "photo": 1,
    "at": 62.5,
    "tiles": {"H7": "A", "H8": "T"},
    "words": [{"word": "AT", "score": 4}],
    "turn_score": 4,
    "bonus": 0,
    "events": [],
    "say": _SAID,
    "scores": {"Ann": 4, "Bob": 0},
}
_CAMERA = {
    "frame": 12,
    "settled": True,
    "advice": [],
    "health": {
        "boards": 1,
        "loose": 0,
        "square_px": 41.5,
        "ms": 38,
        "fit": 0.97,
        "faults": [],
        "glare": [],
        "smallest_square_px": 38.2,
    },
    "error": None,
}
_STATE = {
    "table": TABLE,
    "game": DEFAULT_GAME,
    "title": _TITLE,
    "facts": {"rows": 15, "most_tiles": 7, "takes_turns": True, "counts_points": True},
    "players": ["Ann", "Bob"],
    "you": {"role": "watch", "player": None},
    "created": MADE,
    "settings": {"lexicon": "default", "reject_invalid": True},
    "tiles": "en",
    "letters": ["A", "B", "C"],
    "tile_values": {"A": 1, "B": 3, "C": 3},
    "prints": {},
    "premiums": None,
    "lexicon": "default",
    "word_list": True,
    "seq": 1,
    "clock": 64.25,
    "paused": False,
    "saved": True,
    "redo": False,
    "notices": [],
    "over": False,
    "view": {"scores": {"Ann": 4, "Bob": 0}, "board": _ROWS, "to_move": "Bob", "over": False},
    "start": None,
    "history": [_ENTRY],
    "said": [{"seq": 1, "at": MADE + 62.5, "lines": _SAID}],
    "questions": [],
    "tasks": [],
    "pictures": [],
    "last": ["H7", "H8"],
    "provisional": False,
    "directed": False,
    "delay_s": 0,
    "language": "en",
    "seats": {"Ann": {"side": "left", "told": False}, "Bob": {"side": "right", "told": True}},
    "camera": _CAMERA,
}
_IN_HALL = {
    **{k: _STATE[k] for k in Standing.model_fields},
    "table": TABLE,
    "name": "A round 3 board 2",
    "created": MADE,
    "server": "hall-left",
    "clocks": None,
    "scores": {"Ann": 4, "Bob": 0},
    "to_move": "Bob",
    "winner": None,
    "rows": _ROWS,
    "camera": {"frame": 12, "settled": True, "advice": [], "error": None},
    "questions": [],
    "notices": [],
    "watching": 3,
    "provisional": False,
    "judge": {"at": MADE, "by": "Ann", "why": "Is this word good?"},
    "round": {"division": "A", "round": 3, "board": 2},
}
_TAUGHT = {
    "possible": True,
    "rows": ["A B C D E F G H I J", "K L M N O P Q R S T", "U V W X Y Z ?"],
    "letters": [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ?"],
    "missing": [],
    "alike": [["O", "Q"]],
    "tiles": [
        {
            "letter": "A",
            "name": "A",
            "picture": "data:image/jpeg;base64,/9j/4AAQSkZJRg==",
            "place": [[0.31, 0.22], [0.34, 0.22], [0.34, 0.26], [0.31, 0.26]],
        }
    ],
    "needed": False,
    "say": ["27 tiles were learnt.", "Much alike, and mistaken most easily: O and Q."],
}
_FRAME = {
    "type": "frame",
    **{k: v for k, v in _CAMERA.items() if k != "error"},
    "read": {
        "file": "frame-12",
        "error": None,
        "boards": [{"rows": _ROWS}],
        "loose": [],
        "words": [],
        "ms": {"decode": 6.1},
    },
    "line": {
        "file": "frame-1",
        "status": "play",
        "play": {"player": "Ann", "tiles": {"H7": "A", "H8": "T"}, "score": 4},
        "question": None,
        "events": [],
        "say": _SAID,
        "board": _ROWS,
        "scores": {"Ann": 4, "Bob": 0},
        "to_move": "Bob",
        "seq": 1,
        "saved": True,
    },
}
_RECORD = {
    "format": 1,
    "table": TABLE,
    "title": _TITLE,
    "header": {"game": DEFAULT_GAME, "players": ["Ann", "Bob"], "settings": {}, "tiles": "en"},
    "events": [{"seq": 1, "time": MADE + 62.5, "kind": "seen", "say": _SAID, "t": 62.5}],
    "history": [_ENTRY],
    "over": False,
    "start": None,
    "final": {"scores": {"Ann": 4, "Bob": 0}, "board": _ROWS},
}
_ANALYSIS = {
    "turns": [
        {
            "turn": 1,
            "player": "Ann",
            "kind": "play",
            "place": "8G",
            "word": "AT",
            "score": 4,
            "not_in_list": [],
            "came_off": False,
            "tiles": "AT",
            "known": "played",
            "missed": 0,
            "whole": True,
            "best": [{"place": "H7", "word": "AT", "text": "AT", "score": 4}],
        }
    ],
    "players": {"Ann": {"turns": 1, "missed": 0, "racks": 0, "best": 0}},
}
_CHANGE = {
    "seq": 1,
    "at": MADE + 62.5,
    "cause": "picture",
    "by": None,
    "what": "play",
    "photo": 0,
    "first": 0,
    "entries": 1,
    "before": {"Ann": 0, "Bob": 0},
    "after": {"Ann": 4, "Bob": 0},
    "say": _SAID,
}
_WHY = {
    **_CHANGE,
    "readings": [
        {
            "square": "H7",
            "empty": 0.001,
            "tile": 0.997,
            "covered": 0.001,
            "letters": {"A": 0.984},
        }
    ],
    "alternatives": [
        {"means": "a play: Ann: AT", "weight": 0.0, "share": 0.998},
        {"means": "nothing new", "weight": -11.08, "share": 0.0},
    ],
    "picture": f"/api/tables/{TABLE}/pictures/1.jpg",
}
_FILM = {"name": "sunday.mp4", "state": "reading", "at_s": 62.5, "of_s": 1800.0, "message": ""}
_PUBLIC = {
    "public": True,
    "page": "/watch/4fQm2Zr8sXcT1yWn5uJh",
    "snapshot": "/public/4fQm2Zr8sXcT1yWn5uJh.json",
    "changes": "/public/4fQm2Zr8sXcT1yWn5uJh/after/",
    "stream": "/public/4fQm2Zr8sXcT1yWn5uJh/stream/",
    "gcg": "/public/4fQm2Zr8sXcT1yWn5uJh.gcg",
}
_GAMES_OF_ROUND = [
    {"round": 1, "board": 1, "players": ["Able, Ann", "Baker, Bob"], "table": TABLE},
]
_DIVISION = {
    "division": "A",
    "players": ["Able, Ann", "Baker, Bob"],
    "rounds": 1,
    "games": _GAMES_OF_ROUND,
}
_LINKS = [
    {"role": "seat", "player": "Ann", "links": 1, "made": MADE, "expires": None},
    {"role": "watch", "player": None, "links": 2, "made": MADE, "expires": MADE + 7200},
]
_WORDS = {"name": "de", "words": 300_482, "source": "wngerman", "licence": "GPL-2+"}
ANSWERS: Final[dict[str, Any]] = {
    "GET /api/words": {
        "lists": [_WORDS],
        "to_build": [
            {
                "name": "fr",
                "language": "French",
                "tiles": "fr",
                "source": "wfrench",
                "licence": "GPL-2+",
                "bytes": 4_600_000,
            }
        ],
    },
    "POST /api/words": _WORDS,
    "GET /api/languages": {"languages": {"en": "English", "de": "Deutsch"}, "chosen": "en"},
    "GET /language/{code}.json": {
        "language": "de",
        "forms": ["one", "other"],
        "texts": {"{player} passes.": "{player} passt."},
        "counted": {"{count} ship": ["{count} Schiff", "{count} Schiffe"]},
    },
    "GET /api/games": {
        "games": [
            {
                "game": DEFAULT_GAME,
                "title": _TITLE,
                "players": [2, 3, 4],
                "settings": [
                    {
                        "name": "reject_invalid",
                        "default": True,
                        "usual": None,
                        "sentence": "Refuse a play at once when a word is not in the list.",
                        "choices": [True, False],
                        "rule": "0.6",
                    }
                ],
                "surfaces": "board",
                "sentence": "Words across and down on a board, for points.",
                "notation": "1A",
            }
        ],
        "tiles": ["en", "de"],
        "lexicons": ["default", "none"],
        "may_create": True,
        "demo": False,
    },
    "POST /api/tables": {
        "table": TABLE,
        "host_token": TOKEN,
        "camera_token": TOKEN[::-1],
        "watch_token": TOKEN.swapcase(),
        "seat_tokens": {"Ann": TOKEN.upper(), "Bob": TOKEN.lower()},
    },
    "GET /api/tables": {
        "tables": [
            {
                "table": TABLE,
                "name": "Sunday",
                "archived": False,
                "game": DEFAULT_GAME,
                "players": ["Ann", "Bob"],
                "created": MADE,
                "open": True,
                "over": False,
                "watching": 3,
            }
        ],
        "more": False,
        "damaged": [],
    },
    "GET /api/tables/{table_id}": _STATE,
    "PATCH /api/tables/{table_id}": {"table": TABLE, "name": "Sunday", "archived": False},
    "POST /api/tables/{table_id}/tokens": {"token": TOKEN, "role": "seat", "player": "Ann"},
    "GET /api/tables/{table_id}/links": {"links": _LINKS},
    "POST /api/tables/{table_id}/links": {
        "token": TOKEN,
        "role": "seat",
        "player": "Ann",
        "expires": None,
    },
    "POST /api/tables/{table_id}/actions": {
        "legal": True,
        "result": {"words": [{"word": "AT", "score": 4}], "bonus": 0, "turn_score": 4},
        "events": [],
        "say": _SAID,
        "seq": 1,
        "saved": True,
    },
    "POST /api/tables/{table_id}/frames": _FRAME,
    "GET /api/tables/{table_id}/seen": {"board": _ROWS},
    "GET /api/tables/{table_id}/squares/{square}": {
        "square": "H8",
        "letters": [{"letter": "T", "share": 0.93}, {"letter": "I", "share": 0.06}],
        "picture": f"/api/tables/{TABLE}/squares/H8.jpg",
    },
    "GET /api/cameras": {
        "cameras": [
            {
                "table": TABLE,
                "title": "Ann, Bob",
                "number": 1,
                "source": "rtsp://camera.local/stream",
                "pictures": 5120,
                "last_at": MADE + 62.5,
                "a_second": 4.0,
                "share": 0.08,
                "size": [1920, 1080],
                "settled": True,
                "advice": [],
                "trouble": None,
                "picture": f"/api/cameras/{TABLE}/1.jpg",
            }
        ],
        "cores": 4,
    },
    "POST /api/tables/{table_id}/film": _FILM,
    "GET /api/tables/{table_id}/film": _FILM,
    "DELETE /api/tables/{table_id}/film": {**_FILM, "state": "stopped"},
    "PUT /api/tables/{table_id}/source": {"opened": "rtsp://camera.local/stream"},
    "PUT /api/tables/{table_id}/corners": {"camera": _CAMERA},
    "GET /api/tables/{table_id}/taught": {
        **_TAUGHT,
        "letters": [],
        "alike": [],
        "tiles": [],
        "say": ["No tiles were taught here: printed letters are read as usual."],
    },
    "POST /api/tables/{table_id}/taught": _TAUGHT,
    "DELETE /api/tables/{table_id}/taught": {
        **_TAUGHT,
        "letters": [],
        "alike": [],
        "tiles": [],
        "say": ["No tiles were taught here: printed letters are read as usual."],
    },
    "GET /api/tables/{table_id}/record": {
        "application/json": _RECORD,
        "text/csv": "number,player,action,words,tiles,score,total Ann,total Bob\r\n"
        "1,Ann,place,AT,H7=A H8=T,4,4,0\r\n",
        "text/plain": "#player1 Ann Ann\n#player2 Bob Bob\n>Ann: AT 8G AT +4 4\n",
        "text/html": "<!doctype html>…",
    },
    "GET /api/tables/{table_id}/analysis": _ANALYSIS,
    "GET /api/tables/{table_id}/changes": {"changes": [_CHANGE]},
    "GET /api/tables/{table_id}/changes/{seq}": _WHY,
    "GET /api/check": {
        "ok": True,
        "checks": {
            "models": {"ok": True},
            "lexicon": {"ok": True, "words": 255052},
            "storage": {"ok": True, "where": "/home/ann/.local/share/kibitz"},
        },
    },
    "GET /healthz": {"ok": True, "saved": True},
    "GET /metrics": {
        "text/plain": "# HELP kibitz_tables_open Tables in memory.\n"
        "# TYPE kibitz_tables_open gauge\nkibitz_tables_open 1\n"
    },
    "GET /api/fame": {
        "groups": [
            {
                "game_set": "green",
                "players": 2,
                "record": 41,
                "title_holder": "Ann",
                "games": [{"table": TABLE, "date": "2026-01-01", "names": ["Ann", "Bob"]}],
            }
        ]
    },
    "POST /api/trace/board": {"board": _ROWS, "premiums": list(STANDARD)},
    "POST /api/trace": {
        "orders": [
            {
                "plays": [
                    {
                        "player": "Ann",
                        "tiles": {"H7": "C", "H8": "A", "H9": "T"},
                        "words": [{"word": "CAT", "score": 10}],
                        "turn_score": 10,
                        "turn": 1,
                        "place": "8G",
                    }
                ],
                "scores": {"Ann": 10, "Bob": 0},
                "weight": 1.0,
                "gcg": "#character-encoding UTF-8\n#player1 Ann Ann\n",
            }
        ],
        "count": 1,
        "board": _ROWS,
        "hidden": [],
    },
    "GET /api/tables/{table_id}/public": _PUBLIC,
    "PUT /api/tables/{table_id}/public": _PUBLIC,
    "GET /public/{key}.json": {
        "at": MADE + 64.0,
        **{k: _STATE[k] for k in PublicGame.model_fields},
    },
    "GET /public/{key}.gcg": {
        "text/plain": "#player1 Ann Ann\n#player2 Bob Bob\n>Ann: AT 8G AT +4 4\n"
    },
    "GET /public/{key}/after/{seq}": {
        "after": 0,
        "seq": 1,
        "set": {"seq": 1, "view": _STATE["view"]},
        "history": {"keep": 0, "add": [_ENTRY]},
    },
    "GET /public/{key}/stream/{seq}": {
        "text/event-stream": 'id: 1\ndata: {"after":0,"seq":1,"set":{"seq":1},"history":{}}\n\n'
    },
    "GET /api/director": {
        "tables": [_IN_HALL],
        "servers": [{"name": "hall-left", "reach": "http://10.0.0.5:8000", "answers": True}],
        "divisions": [_DIVISION],
    },
    "PUT /api/director/divisions/{division}": _DIVISION,
    "POST /api/director/divisions/{division}/rounds/{round}": _DIVISION,
    "GET /api/director/divisions/{division}": {
        "text/plain": "Able, Ann              1512  2; 412\nBaker, Bob             1490  1; 377\n",
        "text/csv": "Division,Round,Player1,Score1,Player2,Score2\r\nA,1,Able,412,Baker,377\r\n",
    },
    "PUT /api/tables/{table_id}/air": {"delay_s": 300},
    "POST /api/air/link": {"token": TOKEN, "role": "watch"},
    "GET /api/cameras/found": {
        "cameras": [{"name": "Garden", "address": "http://192.168.1.30/onvif"}]
    },
    "POST /api/cameras/streams": {
        "streams": [{"name": "Main", "size": [1920, 1080], "source": "rtsp://192.168.1.30/main"}]
    },
    "GET /api/air": {"table": TABLE, "layout": _LAYOUT},
    "GET /api/air/layout": {"layout": _LAYOUT},
    "PUT /api/air/layout": {"layout": _LAYOUT},
    "GET /api/tables/{table_id}/layout": {"layout": _LAYOUT},
    "PUT /api/tables/{table_id}/layout": {"layout": _LAYOUT},
    "POST /api/tables/{table_id}/judge": {"called": True},
    "PUT /api/tables/{table_id}/server": {"server": "hall-left"},
    "POST /api/qr": {"image/svg+xml": '<svg xmlns="http://www.w3.org/2000/svg">…</svg>'},
}
"""An example of each answer that is text: JSON as it is, other kinds by their media type."""

ACTIONS: Final[dict[str, dict[str, Any]]] = {
    "a play": _PLAY,
    "a pass": {"action": "pass", "player": "Ann"},
    "a challenge": {"action": "challenge", "player": "Bob"},
    "a blank's letter": {"action": "answer", "field": "blank", "square": "H8", "value": "E"},
    "a tile read wrongly": {"action": "correct", "square": "H8", "letter": "C"},
    "the last step does not count": {"action": "undo"},
    "it does count, after all": {"action": "redo"},
    "look at the table now": {"action": "look"},
}
"""Examples of the commonest actions."""
_ERROR: Final = {"error": {"code": "not_found", "message": "There is no such table."}}


def describe(app: FastAPI) -> None:
    """Let an application describe its calls in full; built when first asked for."""
    bare = app.openapi

    def told() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = with_examples(bare())
        return app.openapi_schema

    app.openapi = told  # type: ignore[method-assign] # the way that FastAPI describes


def with_examples(schema: dict[str, Any]) -> dict[str, Any]:
    """The OpenAPI document with errors, and a summary, tokens and examples for every call."""
    schema = deepcopy(schema)
    error = ErrorAnswer.model_json_schema(ref_template="#/components/schemas/{model}")
    shapes = {**schema["components"]["schemas"], **error.pop("$defs"), ErrorAnswer.__name__: error}
    schema["components"]["schemas"] = dict(sorted(shapes.items()))
    schema["components"]["securitySchemes"] = {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "A table's token, or the server's key for calls of the server's host.",
        }
    }
    for path, calls in schema["paths"].items():
        for method, call in calls.items():
            _tell(f"{method.upper()} {path}", call)
    return schema


def _tell(label: str, call: dict[str, Any]) -> None:
    call["summary"] = str(call["description"]).partition(";")[0].partition(":")[0].rstrip(".")
    if "401" in call["responses"]:
        call["security"] = [{"token": []}]
    for parameter in call.get("parameters", ()):
        what, example = PARAMETERS[parameter["name"]]
        parameter.update(description=what, example=example)
    if label.endswith("/actions"):
        examples = {name: {"value": body} for name, body in ACTIONS.items()}
        call["requestBody"]["content"]["application/json"]["examples"] = examples
    for status, answer in call["responses"].items():
        content = answer.get("content", {})
        if not status.startswith("2"):
            content["application/json"]["example"] = _ERROR
            continue
        for kind, shape in content.items():
            example = ANSWERS.get(label)
            if isinstance(example, dict) and kind in example:
                shape["example"] = example[kind]
            elif kind == "application/json" and example is not None:
                shape["example"] = example
