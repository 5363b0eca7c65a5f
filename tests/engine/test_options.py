"""Settings: complete, as the rulebook lists them, and checked."""

import re

import pytest

from kibitz.engine.games import find_game, games
from kibitz.engine.options import BadOption, check_options, usual_settings
from tests.helpers.shared_data import SHARED

RULES = SHARED / "RULES.md"
GAME_OF = {
    "Common": [g.info.slug for g in games()],
    "CL": ["scrabble"],
    "SS": ["scrabbleship"],
    "FS": ["frankenscrabbards"],
    "GS": ["grabscrab"],
    "SH": ["scrabble-house"],
    "SB": ["scrabbage"],
}
SAID_OTHERWISE = {
    ("scrabbleship", "reject_invalid"): "section 8 gives the game its own default",
    ("scrabble-house", "reject_invalid"): "section 8 gives the game its own default",
    ("scrabbleship", "challenge"): "SS-13: nothing happens to the challenger",
}
IN_WORDS = {
    "ENABLE-like file": "default",
    "in seating order": "seating",
    "[]": (),
    "[not_a_word, letters_missing]": ("not_a_word", "letters_missing"),
    "true": True,
    "false": False,
}


def listed():
    """Game, setting and default of every entry of the rulebook's section 8."""
    if not RULES.exists():
        return []
    section = RULES.read_text(encoding="utf-8").split("## 8 Settings")[1].split("## 9")[0]
    found = []
    for line in section.splitlines():
        head, _, rest = line.partition(":")
        for slug in GAME_OF.get(head, ()):
            for name, text in re.findall(r"`([\w.]+)` = (\[[^\]]*\]|[^,.]+)", rest):
                default = IN_WORDS.get(text.strip(), text.strip())
                number = isinstance(default, str) and default.isdecimal()
                found.append((slug, name, int(default) if number else default))
    return found


LISTED = listed()


@pytest.mark.parametrize(("slug", "name", "default"), LISTED)
def test_default_as_in_the_rulebook(slug, name, default):
    """Each setting of section 8 exists and has the default that stands there."""
    known = {s.name: s for s in find_game(slug).info.settings}

    assert name in known
    if (slug, name) not in SAID_OTHERWISE or not isinstance(default, str | bool):
        assert default == known[name].default
    elif slug in ("scrabbleship", "scrabble-house") and name == "reject_invalid":
        assert known[name].default is False
    else:
        assert known[name].default == "single"


@pytest.mark.parametrize("game", games(), ids=lambda g: g.info.slug)
def test_every_setting_says_what_it_does(game):
    """A sentence, a rule, and a default that is among the choices; the defaults are accepted."""
    for setting in game.info.settings:
        assert setting.sentence.endswith(".")
        assert setting.rule
        assert setting.choices is None or setting.default in setting.choices
    defaults = {s.name: s.default for s in game.info.settings}

    assert defaults == dict(check_options(game.info, {}))
    assert defaults == dict(check_options(game.info, defaults))
    usual = usual_settings(game.info)
    assert {**defaults, **usual} == dict(check_options(game.info, usual))


@pytest.mark.parametrize(
    ("slug", "name", "given", "held"),
    [
        ("scrabbleship", "ss.sink_mode", "2", 2),
        ("scrabble", "challenge", 5, "5"),
        ("scrabble", "reject_invalid", "false", False),
        ("scrabble", "cl.scoreless_limit", "8", 8),
        ("scrabble", "lexicon_add", "zax, qat", ("ZAX", "QAT")),
        ("grabscrab", "gs.final_window", "until_told", "until_told"),
        ("grabscrab", "gs.final_window", "20", 20),
        ("grabscrab", "gs.penalty_codes", ["same_root"], ("same_root",)),
        ("scrabbleship", "ss.zones", {"Ann": 2, "Bob": 1}, {"Ann": 2, "Bob": 1}),
    ],
)
def test_values_are_brought_to_their_type(slug, name, given, held):
    """What comes from a command line or a file means what it says."""
    options = check_options(find_game(slug).info, {name: given})

    assert (held, type(held)) == (options[name], type(options[name]))


@pytest.mark.parametrize(
    ("slug", "name", "given", "code", "expected"),
    [
        ("scrabble", "cl.nothing", 1, "unknown_setting", "known are"),
        ("scrabble", "scoreless_limit", 1, "unknown_setting", "did you mean cl.scoreless_limit?"),
        ("scrabble", "cl.scoreless_limit", 1, "bad_setting", "expected 2 to 24, got 1"),
        ("scrabble", "cl.scoreless_limit", 25, "bad_setting", "expected 2 to 24, got 25"),
        ("scrabble", "cl.scoreless_limit", "six", "bad_setting", "expected a whole number"),
        ("scrabble", "cl.scoreless_limit", True, "bad_setting", "expected a whole number"),
        ("scrabble", "cl.endgame", "shared", "bad_setting", "expected transfer, double_to_out"),
        ("scrabble", "reject_invalid", "maybe", "bad_setting", "expected true, false"),
        ("scrabble", "lexicon_add", [1], "bad_setting", "expected a list of words"),
        ("scrabble", "lexicon", 5, "bad_setting", "expected a text"),
        ("scrabbleship", "ss.sink_mode", 3, "bad_setting", "expected 1, 2, got 3"),
        ("scrabbleship", "ss.sink_mode", True, "bad_setting", "expected 1, 2, got True"),
        ("grabscrab", "gs.final_window", "soon", "bad_setting", "expected until_told or a whole"),
        ("grabscrab", "gs.final_window", -1, "bad_setting", "expected until_told or 0 to 3600"),
        ("grabscrab", "gs.penalty_codes", ["rude"], "bad_setting", "expected too_short, "),
        ("scrabble-house", "sh.clock", 5, "bad_setting", "expected 10 to 7200"),
    ],
)
def test_what_cannot_be(slug, name, given, code, expected):
    """A setting that does not exist, or a value out of range: the code, and what was expected."""
    with pytest.raises(BadOption, match=re.escape(expected)) as refused:
        check_options(find_game(slug).info, {name: given})

    assert code == refused.value.code
