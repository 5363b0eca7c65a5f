"""`kibitz word` from the outside."""

import json

import pytest

from kibitz.app.cli.main import main


def run(capsys, *arguments):
    """Exit code and lines of a call."""
    with pytest.raises(SystemExit) as left:
        main(["word", *arguments])
    return left.value.code, capsys.readouterr()


def test_good_words(capsys):
    """Each word with its value and hooks, as JSON."""
    code, said = run(capsys, "--json", "qi", "cwm")
    lines = [json.loads(line) for line in said.out.splitlines()]

    assert code == 0
    assert [("QI", True, 11, "", "S"), ("CWM", True, 10, "", "S")] == [
        (x["word"], x["good"], x["value"], x["front"], x["back"]) for x in lines
    ]


def test_a_string_that_is_no_word(capsys):
    """The exit code tells scripts."""
    code, said = run(capsys, "zzyx")

    assert (1, "ZZYX is not in the list.") == (code, said.out.strip())


@pytest.mark.parametrize("word", ["a1", "it's", "?"])
def test_no_word(capsys, word):
    """Other signs than letters are a wrong call."""
    code, said = run(capsys, word)

    assert code == 2
    assert "expected letters only" in said.err


def test_roots_want_pairs(capsys):
    """An odd number of words is refused with what was expected."""
    code, said = run(capsys, "--root", "moth")

    assert code == 2
    assert "expected words in pairs" in said.err
