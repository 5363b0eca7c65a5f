"""Phrases: English by themselves, and everything that another language needs."""

from __future__ import annotations

import copy
import json
import pickle
import re

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import find_game, games
from kibitz.engine.options import check_options
from kibitz.engine.phrases import (
    Counted,
    Numeral,
    Phrase,
    SquareName,
    Translatable,
    counted,
    from_parts,
    in_language,
    listed,
    phrase,
    several,
)
from kibitz.engine.rules import Accepted, Refused, action_from_json, apply
from tests.playthrough_tool import FOLDER, script_of


class Signs:
    """A language of signs: what is left of letters came from values, or was forgotten."""

    def __init__(self, notation=None):
        self.notation = notation

    def sentence(self, template: str) -> str:
        """The values alone."""
        return "‹" + "".join(re.findall(r"\{\w+\}", template)) + "›"

    def counted(self, one: str, many: str, count: int) -> str:
        """The values of the form."""
        return self.sentence(one if count == 1 and "{" in one else many)

    def number(self, value: float) -> str:
        """Marked as a number."""
        return f"#{value}"

    def numeral(self, numeral: Numeral) -> str:
        """The same as a number."""
        return self.number(numeral.number)

    def listed(self, parts) -> str:
        """Joined by a sign."""
        return "+".join(parts)


EXAMPLES = [
    (phrase("{player} passes.", player="Ann"), "Ann passes."),
    (phrase("All seven: fifty more."), "All seven: fifty more."),
    (SquareName("C5"), "C5"),
    (SquareName("4:C15"), "4:C15"),
    (SquareName("C5", spoken=True), "C five"),
    (phrase("{number} letters.", number=Numeral(3, capital=True)), "Three letters."),
    (counted("one tile off", "{count} tiles off", 1), "one tile off"),
    (counted("one tile off", "{count} tiles off", 4), "4 tiles off"),
    (counted("{count} ship", "{count} ships", -1), "-1 ship"),
    (listed(["A"]), "A"),
    (listed(["A", "B", "C"]), "A, B and C"),
    (listed(["A", "B", "C"], ", "), "A, B, C"),
    (several("One.", "", phrase("{word} stays.", word="AT")), "One. AT stays."),
    (Numeral(16), "16"),
]


@pytest.mark.parametrize(("text", "english"), EXAMPLES, ids=[e for _, e in EXAMPLES])
def test_a_phrase_is_its_english_sentence(text, english):
    """It compares, hashes and is written as JSON as the sentence."""
    assert english == text
    assert hash(english) == hash(text)
    assert json.dumps(english) == json.dumps(text)


@pytest.mark.parametrize("text", [t for t, _ in EXAMPLES], ids=[e for _, e in EXAMPLES])
def test_a_phrase_survives_what_happens_to_texts(text):
    """Copies, pickles, exceptions and JSON keep what it was made of."""
    for same in (
        copy.deepcopy(text),
        pickle.loads(pickle.dumps(text)),
        str(text),
        str(ValueError(text)),
        from_parts(json.loads(json.dumps(text.parts()))),
    ):
        assert (type(text), text, text.parts()) == (type(same), same, same.parts())


def test_other_languages_get_the_values():
    """The template is translated, its values are told in the same language."""
    square = SquareName("C5", spoken=True)
    said = phrase("{score} for {word} on {square}.", score=1200, word="AT", square=square)

    assert "‹#1200ATC #5›" == in_language(said, Signs())
    assert "‹#4›" == in_language(counted("one tile", "{count} tiles", 4), Signs())
    assert "A+‹›" == in_language(listed(["A", phrase("a blank")]), Signs())
    assert "plain" == in_language("plain", Signs())


@pytest.mark.parametrize(("notation", "written"), [("A1", "C5"), ("1A", "3E")])
def test_squares_are_written_as_records_name_them(notation, written):
    """Where squares are written, also those that are spoken stand as in the game's records."""
    square = SquareName("C5", spoken=True)

    assert written == in_language(square, Signs(notation))
    assert f"‹{written}›" == in_language(phrase("on {square}", square=square), Signs(notation))
    assert f"4:{written}" == in_language(SquareName("4:C5"), Signs(notation))


def test_a_template_can_be_filled_later():
    assert "Ann deals." == phrase("{player} deals.").filled(player="Ann")


@pytest.mark.parametrize("parts", [{}, {"one": "x"}, {"say": "{a}", "with": {"b": 1}}])
def test_strange_parts_are_refused(parts):
    with pytest.raises(ValueError, match="expected what a phrase is made of"):
        from_parts(parts)


PLAYED = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", PLAYED, ids=[p.stem for p in PLAYED])
def test_no_english_is_left_in_what_is_said(path):
    """Every announcement and refusal of the written-out games can be said in another language."""
    header, actions = script_of(path.read_text(encoding="utf-8"))
    game = find_game(header["game"])
    options = check_options(game.info, header.get("settings", {}))
    materials = make_materials("default", "en", options)
    state = game.begin(tuple(header["players"]), options, materials, header.get("initial"))
    said: list[str] = []
    # told to programs, in English
    wrong_calls = ("bad_action", "unknown_action", "unknown_player")
    for action in actions:
        state, verdict = apply(game, state, action_from_json(action))
        if isinstance(verdict, Refused) and verdict.code not in wrong_calls:
            said.append(verdict.message)
        if isinstance(verdict, Accepted):
            said += [line for event in verdict.events for line in game.announce(state, event)]
    names = "|".join(map(re.escape, header["players"]))
    told = [re.sub(names, "", in_language(line, Signs())) for line in said]

    assert said
    assert [] == [line for line in said if not isinstance(line, Translatable)]
    assert [] == [line for line in told if re.search(r"[a-z]{2}", line)]


def test_settings_and_games_can_be_named_in_other_languages():
    """What pages show of a game's settings and positions is made of phrases."""
    plain = [
        text
        for game in games()
        for text in (
            game.info.sentence,
            *(s.sentence for s in game.info.settings),
            *(t for f in game.info.start if f.kind != "other" for t in (f.label, f.sentence)),
            *(t for x in game.info.tellings for t in (x.label, x.sentence)),
        )
        if not isinstance(text, (Phrase, Counted))
    ]

    assert [] == plain
