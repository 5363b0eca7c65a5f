"""Records and analyses over HTTP: who may have them and when, and as what."""

from __future__ import annotations

import json

from kibitz.app.cli.serving.demo import DEMOS
from kibitz.app.tables.results.analyses import Analyses, AnalysesRule
from kibitz.app.tables.results.exports import EXPORTS
from kibitz.engine.table import parse_square
from tests.app.server_help import PLAY, act, bearer, new_table, state
from tests.app.tables.results.test_analyses import analysed

ENDS = [
    {"action": "racks", "racks": {"Ann": ["Q"], "Bob": []}},
    {"action": "end_game", "out": "Bob"},
]


def demo_plays():
    """The bundled game of Scrabble as it is told: every play, and the one that came off."""
    facts = json.loads((DEMOS / "scrabble" / "game.json").read_text(encoding="utf-8"))
    turn = 0
    for photo in facts["photos"]:
        if "lift" in photo:
            yield {"action": "challenge", "player": "Ann"}
        for place, word in photo.get("lay", {}).items():
            name, way = place.split()
            start = parse_square(name)
            step = (0, 1) if way == "across" else (1, 0)
            letters = word.replace("?", "a")
            squares = [
                f"{chr(65 + start.row + i * step[0])}{start.col + 1 + i * step[1]}"
                for i in range(len(letters))
            ]
            tiles = {s: x for s, x in zip(squares, letters, strict=True) if x != "."}
            yield {"action": "place", "player": ("Ann", "Bob")[turn % 2], "tiles": tiles}
            turn += 1


def play_demo(client, **more):
    made = new_table(client, settings={"reject_invalid": False}, **more)
    for action in demo_plays():
        answer = act(client, made, action)
        assert 200 == answer.status_code, answer.text
    return made


def finish(client, made):
    for action in ENDS:
        answer = act(client, made, action)
        assert 200 == answer.status_code, answer.text


def ask(client, made, token=None):
    path = f"/api/tables/{made['table']}/analysis"
    return client.get(path, headers=bearer(token or made["watch_token"]))


def test_a_finished_game_is_told_turn_by_turn(client):
    """Every play of the bundled game with its score, its bad words and better plays."""
    made = play_demo(client)
    finish(client, made)
    answer = ask(client, made)
    told = answer.json()
    turns = told["turns"]

    assert 200 == answer.status_code
    assert [
        "8D GARDEN 20", "F7 F.IEND 12", "12F .OUBT 9", "I12 .LOF 10", "J12 .ILE 6", "J8 SAY 23",
        "15F WHaL. 30", "D8 .HOST 18", "12A PLO. 9",
    ] == [f"{t['place']} {t['word']} {t['score']}" for t in turns]  # fmt: skip
    assert [(4, ["BLOF"], True)] == [
        (t["turn"], t["not_in_list"], t["came_off"]) for t in turns if t["not_in_list"]
    ]
    assert ("ADEGNR", "played") == (turns[0]["tiles"], turns[0]["known"])
    assert ("AFLOSY", "part") == (turns[3]["tiles"], turns[3]["known"])
    assert {"place": "15G", "word": "SAF.LY", "text": "SAFELY", "score": 48} == turns[5]["best"][0]
    assert {5} == {len(t["best"]) for t in turns}
    assert {"turns": 4, "missed": 89, "racks": 0, "best": 0} == told["players"]["Bob"]


def test_during_play_nobody_is_told(client):
    """Neither who watches, nor a player, nor the host; the camera never."""
    made = play_demo(client)
    tokens = [made["watch_token"], made["seat_tokens"]["Ann"], made["host_token"]]
    refused = [ask(client, made, token) for token in tokens]
    finish(client, made)

    assert {(409, "not_over")} == {(r.status_code, r.json()["error"]["code"]) for r in refused}
    assert [200] * 3 == [ask(client, made, token).status_code for token in tokens]
    assert 403 == ask(client, made, made["camera_token"]).status_code


def test_an_end_that_is_undone_closes_it_again(client):
    """What was kept is not told while the game goes on."""
    made = play_demo(client)
    finish(client, made)
    first = ask(client, made).status_code
    act(client, made, {"action": "undo"})

    assert (200, 409) == (first, ask(client, made).status_code)


def test_what_has_no_analysis_says_why(client):
    """Another game, and a game in which any word is good."""
    other, any_word = new_table(client, "scrabbleship"), new_table(client, lexicon="none")
    act(client, any_word, PLAY)
    finish(client, any_word)
    told = [ask(client, made).json()["error"] for made in (other, any_word)]

    assert ["no_analysis", "no_word_list"] == [one["code"] for one in told]
    assert told[0]["message"].startswith("Only games of Scrabble are analysed, not ")


def test_the_table_says_whether_it_has_a_word_list(client):
    """Pages offer the best plays only there."""
    made = [new_table(client, lexicon=name) for name in ("default", "none")]
    told = [state(client, one, one["watch_token"]).json()["word_list"] for one in made]

    assert [True, False] == told


def test_an_analysis_is_made_once_for_a_step(client, session):
    """The same one while nothing changes, another after that; the oldest is let go."""
    tables = []
    for _ in range(2):
        made = play_demo(client)
        finish(client, made)
        tables.append((made, session.tables.get(made["table"])))
    kept = Analyses(AnalysesRule(kept=1))
    (made, table), (_, other) = tables
    first = analysed(kept, table)

    assert analysed(kept, table) is first
    act(client, made, {"action": "undo"})
    act(client, made, {"action": "redo"})
    assert kept.known(table) is None
    assert first == analysed(kept, table)
    analysed(kept, other)
    assert kept.known(table) is None
    assert 256 == AnalysesRule().kept


def position(client, made, **query):
    """A table's position as CGP."""
    path = f"/api/tables/{made['table']}/record"
    query = {"format": "cgp", **query}
    return client.get(path, params=query, headers=bearer(made["host_token"]))


def test_a_position_is_copied_for_analysers(client):
    """After each entry; racks only once the game is over."""
    made = new_table(client)
    act(client, made, PLAY)
    act(client, made, {"action": "racks", "racks": {"Ann": ["Q"]}})
    row = "/".join(["15"] * 7 + ["6AT7"] + ["15"] * 7)
    during = position(client, made).text
    finish(client, made)

    assert f"{row} / 0/4 0 ld english;\n" == during
    assert f"{row} /Q 0/4 0 ld english;\n" == position(client, made, after=2).text
    assert f"{row} / 0/4 0 ld english;\n" == position(client, made, after=1).text


def test_a_position_that_cannot_be_copied_says_why(client):
    """Another game, an entry that there is not, a format of whole games."""
    made, other = new_table(client), new_table(client, "scrabbleship")
    answers = [
        position(client, other),
        position(client, made, after=1),
        position(client, made, format="gcg", after=0),
    ]

    assert [(409, "no_cgp"), (409, "no_cgp"), (409, "no_position")] == [
        (a.status_code, a.json()["error"]["code"]) for a in answers
    ]


def record(client, made, token, format_="json"):
    path = f"/api/tables/{made['table']}/record"
    return client.get(path, params={"format": format_}, headers=bearer(token))


def test_the_record_is_open_to_everybody_once_the_game_is_over(client):
    """The host has it at any time, who plays or watches after the end, a camera never."""
    made = new_table(client)
    act(client, made, PLAY)
    names = "host_token", "watch_token", "camera_token"
    tokens = [made["seat_tokens"]["Ann"], *(made[name] for name in names)]
    during = [record(client, made, token) for token in tokens]
    finish(client, made)
    after = [record(client, made, token) for token in tokens]

    assert [403, 200, 403, 403] == [answer.status_code for answer in during]
    assert [200, 200, 200, 403] == [answer.status_code for answer in after]
    assert ["not_yet", "not_yet", "forbidden"] == [
        answer.json()["error"]["code"] for answer in (during[0], during[2], after[3])
    ]


def test_a_record_has_the_name_and_kind_of_its_format(client):
    """A browser keeps it as a file that other programs open."""
    made = new_table(client)
    act(client, made, PLAY)
    answers = {f: record(client, made, made["host_token"], f) for f in EXPORTS}

    assert {200} == {answer.status_code for answer in answers.values()}
    for name, media in (
        ("json", "application/json"),
        ("csv", "text/csv"),
        ("gcg", "text/plain"),
        ("cgp", "text/plain"),
        ("html", "text/html"),
    ):
        headers = answers.pop(name).headers
        file = f'attachment; filename="kibitz-scrabble-{made["table"]}.{name}"'
        assert (f"{media}; charset=utf-8", file) == (
            headers["content-type"],
            headers["content-disposition"],
        )
    assert {} == answers


def test_a_format_that_there_is_not(client):
    """It is refused before anything is looked up, and so is an entry below the first."""
    made = new_table(client)

    assert [422, 422] == [
        record(client, made, made["host_token"], "pdf").status_code,
        position(client, made, after=-1).status_code,
    ]
