"""Documents in other languages, and documents that are kept for any language."""

from __future__ import annotations

import json

import pytest

from kibitz.app.languages.catalogues import localized, phrases_back, say, with_phrases
from kibitz.engine.phrases import Translatable, counted, phrase

PASSES = phrase("{player} passes.", player="Ann")
DOCUMENT = {
    "say": [PASSES, "plain"],
    "question": {"prompt": phrase("Is that one play, or two?"), "choices": ["Ann: AT"]},
    "seq": 3,
}


def test_english_is_the_very_document():
    assert DOCUMENT is localized(DOCUMENT, "en")


def test_phrases_are_translated_wherever_they_stand():
    assert {
        "say": ["Ann passt.", "plain"],
        "question": {"prompt": "Ist das ein Zug, oder sind es zwei?", "choices": ["Ann: AT"]},
        "seq": 3,
    } == localized(DOCUMENT, "de")


def test_an_answer_is_sent_back_as_it_was_asked():
    """Choices stay; what a page shows of them stands beside."""
    question = {"choices": [phrase("it counts"), "AT"]}

    assert {"choices": ["it counts", "AT"], "labels": ["es gilt", "AT"]} == localized(
        question, "de"
    )


def test_a_single_text():
    assert ("Ann passes.", "Ann pasuje.") == (say(PASSES, "en"), say(PASSES, "pl"))


def test_what_is_kept_can_be_said_in_any_language_later():
    """As JSON it is the same document with a field more; read back it has its phrases."""
    kept = json.loads(json.dumps(with_phrases(DOCUMENT)))
    back = phrases_back(kept)

    assert DOCUMENT == {k: v for k, v in kept.items() if k != "_phrases"}
    assert DOCUMENT == back
    assert localized(DOCUMENT, "pl") == localized(back, "pl")
    assert isinstance(back["say"][0], Translatable)


def test_what_holds_no_phrases_is_kept_as_it_is():
    assert {"say": ["plain"]} == with_phrases({"say": ["plain"]})


@pytest.mark.parametrize(
    "kept",
    ["x", [["say"]], [[["say", 9], {"say": "x"}]], [[["say", 0], {"say": "other"}]], [[[], {}]]],
)
def test_strange_parts_leave_the_english_text(kept):
    """A record that somebody changed shows what it says."""
    assert {"say": ["Ann passes."]} == phrases_back({"say": ["Ann passes."], "_phrases": kept})


def test_numbers_and_plurals():
    off = counted("one tile off", "{count} tiles off", 5)

    assert ("5 Steine weg", "5 płytek odpada") == (say(off, "de"), say(off, "pl"))
