"""Rounds and pairings come from a director's program, and results go back to it."""

from __future__ import annotations

from itertools import islice

import pytest

from kibitz.app.tables.people.divisions import (
    DivisionError,
    csv_text,
    division_from_json,
    parse_division,
    tsh_text,
)

TSH = """\
Able, Ann              1512  2 3; 412 380; p12 1 2
Baker, Bob             1490  1 0; 377 50; p12 2 0; team red
Clark, Cy               900  0 1; -50 401; p12 0 1
"""
CSV = """\
Division,Round,Player1,Score1,Player2,Score2\r
A,1,"Able, Ann",412,"Baker, Bob",377\r
A,2,"Clark, Cy",401,"Able, Ann",380\r
"""


def test_what_tsh_wrote_is_written_as_it_was():
    """Every field comes back, also those that mean nothing here."""
    division = parse_division("A", TSH)
    again = division_from_json(__import__("json").dumps(division.to_json()))

    assert TSH == tsh_text(division)
    assert division == again


def test_the_games_of_a_round_name_first_who_goes_first():
    """A bye is no game; boards are counted from one."""
    division = parse_division("A", TSH)

    assert [(1, (1, 2))] == [(p.board, p.numbers) for p in division.pairings(1)]
    assert [(1, (3, 1))] == [(p.board, p.numbers) for p in division.pairings(2)]
    assert () == division.pairings(3)


def test_results_as_csv():
    """One line a game, with both players' points."""
    assert CSV == csv_text(parse_division("A", TSH))


def test_pairings_from_csv_are_those_of_tsh():
    """The same games; players are numbered as they come."""
    division = parse_division("A", CSV)

    assert ("Able, Ann", "Baker, Bob", "Clark, Cy") == tuple(e.name for e in division.entrants)
    assert CSV == csv_text(division)
    assert ((2, 3), (1, 0), (0, 1)) == tuple(e.opponents for e in division.entrants)


def test_a_result_is_written_behind_those_before_it():
    """TSH knows no gap: a second round's result waits for the first one's."""
    paired = parse_division("A", "Ann 1 2 2\nBob 2 1 1\n")
    late = paired.with_result(2, {1: 300, 2: 310})
    both = late.with_result(1, {1: 400, 2: 390})

    assert "Ann                       1  2 2\nBob                       2  1 1\n" == tsh_text(late)
    assert (
        "Ann                       1  2 2; 400 300\nBob                       2  1 1; 390 310\n"
        == tsh_text(both)
    )


def players(number: int) -> str:
    """So many players, none of whom has played."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    names = (f"{a}{b}{c}" for a in letters for b in letters for c in letters)
    return "".join(f"{name} 1500\n" for name in islice(names, number))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (players(2000), (2000, 0)),
        (f"Ann 1500{' 2' * 100}\nBob 1400{' 1' * 100}\n", (2, 100)),
        ("Round,Player1,Player2\n100,Ann,Bob\n", (2, 100)),
    ],
    ids=["players", "rounds", "rounds as CSV"],
)
def test_how_large_a_division_may_be(text, expected):
    """Two thousand players and a hundred rounds: larger than any tournament."""
    division = parse_division("A", text)

    assert expected == (len(division.entrants), division.rounds)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no line with a player"),
        ("Ann\n", "Line 1: expected a name, a rating"),
        ("Ann 1500 2; many\nBob 1400 1\n", "Line 1: expected points behind the ';', got 'many'"),
        ("Ann 1500 2\nBob 1400 3\n", "Ann plays number 2, who does not play number 1"),
        ("Ann 1500 1\n", "Ann plays number 1"),
        ("Ann 1500 7\n", "Ann plays number 7"),
        ("Ann 1500\nann 1400\n", "'Ann' stands twice"),
        ("Round,Player1\n1,Ann\n", "Player2 is missing"),
        ("Round,Player1,Player2\nx,Ann,Bob\n", "Line 2: expected a round from 1 to 100, got 'x'"),
        ("Round,Player1,Player2\n0,Ann,Bob\n", "a round from 1 to 100, got '0'"),
        ("Round,Player1,Player2\n101,Ann,Bob\n", "a round from 1 to 100, got '101'"),
        (f"Round,Player1,Player2\n{'9' * 5000},Ann,Bob\n", "a round from 1 to 100, got '999"),
        (f"Ann 1500 {'9' * 5000}\n", "expected a name, a rating and opponents' numbers"),
        (
            f"Ann 1500{' 2' * 101}\nBob 1400{' 1' * 101}\n",
            "2000 players and 100 rounds, got 2 and 101",
        ),
        (players(2001), "at most 2000 players and 100 rounds, got 2001 and 0"),
        ("Round,Player1,Score1,Player2\n1,Ann,many,Bob\n", "expected points, got 'many'"),
    ],
)
def test_what_is_no_division_is_told_with_its_line(text, said):
    """What was expected, and what came."""
    with pytest.raises(DivisionError) as refused:
        parse_division("A", text)

    assert said in str(refused.value)


def test_a_name_is_no_formula_in_a_spreadsheet():
    """Names come from files of others."""
    division = parse_division("A", "Round,Player1,Player2\n1,=1+1,Bob\n")

    assert "A,1,'=1+1,,Bob,\r\n" == csv_text(division).splitlines(keepends=True)[1]
