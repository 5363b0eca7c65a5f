"""`--language` anywhere in a call."""

from __future__ import annotations

import pytest

from kibitz.app.cli.main import app, run, without_language
from kibitz.app.common.errors import UsageError
from kibitz.app.languages.catalogues import language_of_process, said, speak
from kibitz.engine.phrases import phrase


@pytest.fixture(autouse=True)
def english_again():
    yield
    speak(None)


@pytest.mark.parametrize(
    ("call", "rest", "code"),
    [
        (["replay", "x", "--language", "de"], ["replay", "x"], "de"),
        (["--lang", "pl", "replay"], ["replay"], "pl"),
        (["replay", "--language=fr", "--json"], ["replay", "--json"], "fr"),
        (["replay", "--", "--lang", "de"], ["replay", "--", "--lang", "de"], None),
        (["replay"], ["replay"], None),
    ],
)
def test_the_option_is_taken_out_of_the_call(call, rest, code):
    assert (rest, code) == without_language(call)


def test_the_option_needs_a_language():
    with pytest.raises(UsageError, match="--lang: expected a language after it, as --lang de"):
        without_language(["replay", "--lang"])


def test_the_process_speaks_it():
    passes = phrase("{player} passes.", player="Ann")
    before = said(passes)
    speak("de")

    assert ("Ann passes.", "Ann passt.", "de") == (before, said(passes), language_of_process())


def test_an_unknown_language_is_a_wrong_call(capsys):
    assert 2 == run(app, ["replay", "nothing", "--language", "xx"], debug=False)
    assert "kibitz: --language: expected one of en de fr" in capsys.readouterr().err
