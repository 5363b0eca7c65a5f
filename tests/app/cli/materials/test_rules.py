"""`kibitz rules` and files with a fault: code, place, what was expected; the others go on."""

import gzip
import json
import os

import pytest

from kibitz.app.cli.main import main
from kibitz.app.face import judging

GOOD = {
    "id": "X-1",
    "game": "classic",
    "players": ["Ann", "Bob"],
    "steps": [
        {
            "do": {"player": "Ann", "action": "place", "tiles": {"H8": "A", "H9": "T"}},
            "expect": {"legal": True, "turn_score": 4},
        }
    ],
}


def run(capsys, *paths):
    """Exit code and JSON lines of a call, and what went to standard error."""
    with pytest.raises(SystemExit) as left:
        main(["rules", "--json", *map(str, paths)])
    said = capsys.readouterr()
    return left.value.code, [json.loads(line) for line in said.out.splitlines()], said.err


def scenario_file(folder, *scenarios):
    """A file of scenarios."""
    path = folder / "some.json"
    path.write_text(json.dumps({"scenarios": list(scenarios)}), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("change", "code", "place", "expected"),
    [
        ({"game": "ludo"}, "unknown_game", "X-1.game", "known are scrabble, scrabbleship"),
        ({"game": None}, "bad_scenario", "X-1.game", "the field is missing"),
        ({"game": 5}, "bad_scenario", "X-1.game", "expected the name of a game, got 5"),
        ({"players": "Ann"}, "bad_scenario", "X-1.players", "expected a list of names"),
        ({"players": ["Ann", 2]}, "bad_scenario", "X-1.players[1]", "expected a name, got 2"),
        (
            {"players": ["Ann"]},
            "bad_player_count",
            "X-1.players",
            "expected 2 to 4 players, got 1",
        ),
        (
            {"game": "scrabbleship", "players": ["Ann", "Bob", "Cyd"]},
            "bad_player_count",
            "X-1.players",
            "expected 2 or 4 players, got 3",
        ),
        ({"players": ["Ann", "Ann"]}, "bad_initial", "X-1.initial", "expected different names"),
        ({"settings": {"cl.x": 1}}, "unknown_setting", "X-1.settings", "has no setting 'cl.x'"),
        (
            {"settings": {"cl.tie": "coin"}},
            "bad_setting",
            "X-1.settings",
            "expected pre_rack, draw, got 'coin'",
        ),
        ({"settings": [1]}, "bad_scenario", "X-1.settings", "expected an object of settings"),
        ({"initial": "empty"}, "bad_scenario", "X-1.initial", "an object that describes"),
        (
            {"initial": {"board": ["..."]}},
            "bad_initial",
            "X-1.initial",
            "board: expected 15 rows of 15, got 1 rows of 3",
        ),
        (
            {"initial": {"board": ["...", ".."]}},
            "bad_initial",
            "X-1.initial",
            "board: expected 3 characters in row 2, got 2",
        ),
        (
            {"initial": {"scores": {"Zed": 1}}},
            "bad_initial",
            "X-1.initial",
            "scores: expected Ann, Bob, got 'Zed'",
        ),
        (
            {"initial": {"scores": {"Ann": "ten"}}},
            "bad_initial",
            "X-1.initial",
            "scores.Ann: expected a whole number, got 'ten'",
        ),
        (
            {"initial": {"to_move": "Zed"}},
            "bad_initial",
            "X-1.initial",
            "to_move: expected one of Ann, Bob, got 'Zed'",
        ),
        (
            {"initial": {"racks": {"Ann": ["AB"]}}},
            "bad_initial",
            "X-1.initial",
            "racks.Ann: expected up to 7 letters",
        ),
        ({"initial": {"bag_count": -1}}, "bad_initial", "X-1.initial", "bag_count: expected 0"),
        ({"steps": {}}, "bad_scenario", "X-1.steps", "expected a list of steps, got {}"),
        ({"steps": [{"do": "pass"}]}, "bad_scenario", "X-1.steps[0]", "expected {"),
        (
            {"steps": [GOOD["steps"][0], {"do": {"player": "Bob"}}]},
            "bad_action",
            "X-1.steps[1].do",
            "expected an 'action' name",
        ),
        (
            {"steps": [{"do": {"action": "pass", "player": ["Ann"]}}]},
            "bad_action",
            "X-1.steps[0].do",
            "player: expected a name",
        ),
    ],
)
def test_a_faulty_scenario(tmp_path, capsys, change, code, place, expected):
    """The fault is told with its place, and the scenario after it is played all the same."""
    exit_code, lines, _ = run(
        capsys, scenario_file(tmp_path, {**GOOD, **change}, {**GOOD, "id": "X-2"})
    )
    assert (1, [False, True]) == (exit_code, [x["ok"] for x in lines])
    assert (code, place) == (lines[0]["error"]["code"], lines[0]["place"])
    assert expected in lines[0]["error"]["message"]
    assert "X-2" == lines[1]["id"]


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("cut.json", json.dumps({"scenarios": [GOOD]}).encode()[:90], "not_json"),
        ("latin.json", b'{"scenarios": [{"id": "\xe9"}]}', "not_json"),
        ("zip.json", gzip.compress(b"{}", mtime=0), "not_json"),
        ("empty.json", b"", "not_json"),
        ("list.json", b"[1, 2]", "bad_scenario"),
        ("other.json", b'{"games": []}', "bad_scenario"),
        ("inner.json", b'{"scenarios": [5]}', "bad_scenario"),
        ("empty.gcg", b"", "bad_gcg"),
        ("words.gcg", b"Once upon a time", "bad_gcg"),
        ("cut.gcg", b"#player1 A Ann\n#player2 B Bob\n>A: ABCDEFG 8H CA", "bad_gcg"),
        ("nick.gcg", b"#player1\n>A: ABC 8H CAB +10 10", "bad_gcg"),
        ("place.gcg", b"#player1 A Ann\n>A: ABC 99H CAB +10 10", "bad_gcg"),
    ],
)
def test_a_faulty_file(tmp_path, capsys, name, data, code):
    """A file that is none: its path and code in one line, no traceback, and exit code 1."""
    path = tmp_path / name
    path.write_bytes(data)
    exit_code, (line,), err = run(capsys, path)

    assert (1, False, code) == (exit_code, line["ok"], line["error"]["code"])
    assert line["error"]["message"].startswith(str(path))
    assert "expected" in line["error"]["message"]
    assert "Traceback" not in err


def test_a_word_list_that_is_none(tmp_path, capsys):
    """A setting names a lexicon that cannot be read."""
    odd = {**GOOD, "settings": {"lexicon": str(tmp_path / "none.txt")}}
    code, (line,), _ = run(capsys, scenario_file(tmp_path, odd))

    assert (1, "bad_lexicon") == (code, line["error"]["code"])


def test_one_bad_file_never_loses_the_rest(capsys, tmp_path, monkeypatch):
    """Half characters, nested brackets, a device, a pipe, even an error of ours: one line each."""
    half = tmp_path / "half.json"
    half.write_text('{"scenarios": [{"id": "a\\ud800b", "game": "x"}]}', encoding="utf-8")
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 200_000, encoding="utf-8")
    gcg = tmp_path / "half.gcg"
    gcg.write_bytes(b"#player1 A \xff\xfe\n>A: ABC H8 \x00 +6 6\n")
    os.mkfifo(tmp_path / "pipe.json")
    good = scenario_file(tmp_path, GOOD)
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps({"scenarios": [{"id": "BREAK"}, GOOD]}), encoding="utf-8")
    real = judging.run_scenario

    def breaks(scenario, materials, games):
        if scenario["id"] == "BREAK":
            raise ZeroDivisionError
        return real(scenario, materials, games)

    monkeypatch.setattr(judging, "run_scenario", breaks)
    bad = [half, deep, gcg, "/dev/zero", tmp_path / "pipe.json", tmp_path]
    code, lines, _ = run(capsys, *bad, broken, good)

    assert code == 1
    assert [False] * 7 + [True, True] == [line["ok"] for line in lines]
    codes = [line["error"]["code"] for line in lines[3:6]]
    assert ["not_a_file", "not_a_file", "is_a_folder"] == codes
    assert "not_playable" == lines[6]["error"]["code"]
