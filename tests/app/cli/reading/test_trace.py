"""`kibitz trace` as people and programs call it."""

from __future__ import annotations

import json

import pytest

from kibitz.app.cli.main import app, run

BOARD = [*["." * 15] * 7, ".......CATS....", *["." * 15] * 7]


@pytest.fixture
def called(tmp_path, capsys):
    """Calls the command; its exit code and its lines of JSON."""

    def call(board, *given):
        file = tmp_path / "board.json"
        file.write_text(json.dumps({"board": board}))
        code = run(app, ["trace", str(file), "--json", *given], debug=False)
        return code, [json.loads(x) for x in capsys.readouterr().out.splitlines()]

    return call


def test_a_line_for_each_order_and_one_for_their_number(called):
    """The likeliest first, though fewer are printed than there are."""
    code, lines = called(BOARD, "--players", "Ann,Bob", "--most", "1")

    first, last = lines
    assert 0 == code
    assert {"plays", "scores", "weight"} == set(first)
    assert [("Ann", ["CATS"], 12)] == [
        (p["player"], [w["word"] for w in p["words"]], p["turn_score"]) for p in first["plays"]
    ]
    assert last["complete"] is True
    assert last["orders"] > 1


@pytest.mark.parametrize(
    "given",
    [["--turn", "1=CAT"], ["--points", "10, 6"], ["--points", "-,6"], ["--told", "told.json"]],
)
def test_what_is_known_leaves_orders_out(called, tmp_path, monkeypatch, given):
    """Said on the call, or in a file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "told.json").write_text('[{"turn": 1, "word": "CAT"}]')
    _, lines = called(BOARD, *given)

    assert [["CAT", "CATS"]] == [
        [p["words"][0]["word"] for p in line["plays"]] for line in lines[:-1]
    ]


def test_a_board_that_nobody_can_have_laid_is_an_error(called):
    """Exit 1, with a code."""
    code, lines = called(["CAT" + "." * 12, *["." * 15] * 14])

    assert (1, ["not_playable"]) == (code, [line["error"]["code"] for line in lines])


@pytest.mark.parametrize("turn", ["QUIZ", "0=QUIZ", "9" * 5000 + "=A", "3="])
def test_what_is_no_turn_is_refused(called, turn):
    """Before anything is read."""
    assert 2 == called(BOARD, "--turn", turn)[0]


@pytest.mark.parametrize("points", ["A", "3,", "-1", "9" * 5000])
def test_what_are_no_points_is_refused(called, points):
    """Before anything is read."""
    assert 2 == called(BOARD, "--points", points)[0]
