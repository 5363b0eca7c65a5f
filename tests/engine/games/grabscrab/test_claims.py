"""Whether a call of GrabScrab holds: from the pool, as a steal, or joining words (GS-5 to GS-18)."""

from __future__ import annotations

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games.grabscrab.claims import Claim, judge_claim, read_claim
from kibitz.engine.games.grabscrab.rules import GAME
from kibitz.engine.options import check_options
from kibitz.engine.rules import Event, Materials
from kibitz.engine.words.lexicon import words_from_text

WORDS = words_from_text("RAIN\nTRAIN\nRATING\nTRAINING\nSTOP\nGORE\nGLOVE\nANTIC\nSTOPGORE\nRAN\n")
PLAYERS = ("Ann", "Bob", "Cyd")
TRAIN = {"pool": "GIN", "words": {"Ann": ["TRAIN"]}}

TWO_GORES = {"words": {"Ann": ["GORE", "GORE"]}, "tiles": {"Ann": ["GORE", "GO?E"]}, "pool": "A"}


def table(initial=None, settings=None):
    settings = {"gs." + name: value for name, value in (settings or {}).items()}
    options = check_options(GAME.info, settings)
    return GAME.begin(PLAYERS, options, Materials(WORDS, load_tile_set("en")), initial)


def called(state, player, **data):
    """What comes of a call: the event, or the refusal."""
    claim = read_claim(state, player, data, None)
    return judge_claim(state, claim) if isinstance(claim, Claim) else claim


def code_of(found):
    """The kind of an event, or the code of a refusal."""
    return found.kind if isinstance(found, Event) else found.code


@pytest.mark.parametrize(
    ("initial", "settings", "word", "code"),
    [
        ({"pool": "AINR"}, {}, "RAIN", "won"),
        ({"pool": "ANR"}, {}, "RAN", "too_short"),
        ({"pool": "ANR"}, {"min_length": 3}, "RAN", "won"),
        ({"pool": "AINR"}, {}, "RAN", "too_short"),
        ({"pool": "AINR"}, {}, "NAIR", "not_a_word"),
        ({"pool": "AIN"}, {}, "RAIN", "letters_missing"),
        ({"pool": "AIN?"}, {}, "RAIN", "won"),
        ({"pool": "AINR", "dismissed": ["rain"]}, {}, "RAIN", "dismissed"),
    ],
)
def test_the_first_rule_that_a_word_breaks_is_named(initial, settings, word, code):
    """Out till the next tile, length, list, then tiles (GS-6, GS-7, GS-10, GS-16)."""
    assert code == code_of(called(table(initial, settings), "Ann", word=word))


@pytest.mark.parametrize(
    ("initial", "call", "code"),
    [
        (TRAIN, {"word": "STOP", "steal": "TRAIN"}, "not_all_letters"),
        (TRAIN, {"word": "ANTIC", "steal": "TRAIN"}, "not_all_letters"),
        (TRAIN, {"word": "TRAIN", "steal": "TRAIN"}, "no_letter_added"),
        ({**TRAIN, "pool": "IN"}, {"word": "RATING", "steal": "TRAIN"}, "letters_missing"),
        (TRAIN, {"word": "RATING", "steal": "RAIN"}, "no_such_word"),
        (TWO_GORES, {"word": "GLOVE", "steal": "GORE"}, "not_all_letters"),
        (TRAIN, {"word": "RATING", "steal": "TRAIN", "from_player": "Cyd"}, "no_such_word"),
        (TRAIN, {"word": "TRAINING", "steal": "TRAIN"}, "same_root"),
        (TRAIN, {"word": "RATING", "steal": "TRAIN", "also": "STOP"}, "merge_not_allowed"),
    ],
)
def test_the_first_rule_that_a_steal_breaks_is_named(initial, call, code):
    """Every letter of the old word, a new one, and another root (GS-10 to GS-12)."""
    assert code == code_of(called(table(initial), "Bob", **call))


JOINED = {"words": {"Ann": ["STOP"], "Cyd": ["GORE"]}}


@pytest.mark.parametrize(
    ("initial", "also", "code"),
    [
        (JOINED, "GORE", "stolen"),
        (JOINED, {"word": "GORE", "from_player": "Cyd"}, "stolen"),
        (JOINED, {"word": "GORE", "from_player": "Ann"}, "no_such_word"),
        (JOINED, "RAIN", "no_such_word"),
        (JOINED, "STOP", "no_such_word"),
    ],
)
def test_words_are_joined_where_that_was_agreed_on(initial, also, code):
    """No tile of the pool is needed then; a word lies there as often as it is named (GS-18)."""
    state = table(initial, {"merge": True, "root_test": "off"})

    assert code == code_of(called(state, "Bob", word="STOPGORE", steal="STOP", also=also))


@pytest.mark.parametrize(
    ("settings", "told", "code"),
    [
        ({}, {}, "same_root"),
        ({}, {"same_root": False}, "stolen"),
        ({}, {"override": True}, "stolen"),
        ({"root_test": "off"}, {}, "stolen"),
        ({"root_test": "off"}, {"same_root": True}, "same_root"),
        ({"root_test": "ask"}, {"same_root": False}, "stolen"),
        ({"rulings": ["TRAIN/TRAINING=different"]}, {}, "stolen"),
        ({"rulings": ["TRAIN/TRAINING=different"], "root_test": "ask"}, {}, "stolen"),
    ],
)
def test_root_test_may_be_off_or_overruled_with_the_claim(settings, told, code):
    """What people say with the claim holds before any test."""
    found = called(table(TRAIN, settings), "Bob", word="TRAINING", steal="TRAIN", **told)

    assert code == code_of(found)


def test_any_copy_of_a_word_may_be_the_one_that_fits():
    """Of two like words before a player the one whose tiles fit is taken (GS-15)."""
    initial = {
        "pool": "V",
        "words": {"Ann": ["GORE", "GORE"]},
        "tiles": {"Ann": ["GORE", "GO?E"]},
    }
    found = called(table(initial), "Bob", word="GLOVE", steal="GORE")

    assert ["GO?E"] == [taken["tiles"] for taken in found.data["taken"]]
    assert "G?OVE" == found.data["tiles"]


def test_camera_may_say_where_the_blank_of_a_steal_lies():
    """Tiles told with a steal are the ones used, if they are there."""
    state = table({"pool": "ELV", "words": {"Ann": ["GORE"]}, "tiles": {"Ann": ["GO?E"]}})
    call = {"word": "GLOVE", "steal": "GORE"}
    as_laid, lost, two = (
        called(state, "Bob", **call, tiles=tiles) for tiles in ("G?OVE", "GLOVE", "G?OV?")
    )

    assert ("G?OVE", "V") == (as_laid.data["tiles"], as_laid.data["pool_used"])
    assert ["not_all_letters", "not_all_letters"] == [lost.code, two.code]


BOTH = {"Bob": ["RAIN"], "Cyd": ["RAIN"]}


@pytest.mark.parametrize(
    ("pool", "words", "told", "found"),
    [
        ("T", {"Bob": ["RAIN"]}, {}, "Bob"),
        ("T", {"Bob": ["RAIN", "RAIN"]}, {}, "Bob"),
        ("T", {"Ann": ["RAIN"], "Bob": ["STOP"]}, {}, "Ann"),
        ("T", BOTH, {}, "ask_steal"),
        ("T", BOTH, {"from_player": "Cyd"}, "Cyd"),
        ("T", {"Bob": ["STOP"]}, {}, "letters_missing"),
        ("INARTZ", {"Bob": ["RAIN"]}, {}, None),
    ],
)
def test_a_steal_that_nobody_named(pool, words, told, found):
    """The one word that explains the call is stolen; of several it is asked which (GS-10)."""
    outcome = called(table({"pool": pool, "words": words}), "Ann", word="TRAIN", **told)

    assert found == (
        outcome.data.get("stolen_from") if isinstance(outcome, Event) else outcome.code
    )


def test_which_words_may_have_been_taken():
    """Each with its owner, in the words of a call that names it."""
    asked = called(table({"pool": "T", "words": BOTH}), "Ann", word="TRAIN")

    assert "Which word does Ann take for TRAIN: RAIN of Bob and RAIN of Cyd?" == asked.message
    assert [{"steal": "RAIN", "from_player": p} for p in ("Bob", "Cyd")] == asked.result["choices"]


def test_a_word_of_the_same_root_explains_no_call():
    """It is why the call does not hold, rather than that letters are missing (GS-12)."""
    outcome = called(table({"pool": "ING", "words": {"Bob": ["TRAIN"]}}), "Ann", word="TRAINING")

    assert "same_root" == outcome.code


def test_blanks_around_a_word_are_no_part_of_it():
    """As people type."""
    outcome = called(table({"pool": "TRAIN"}), "Ann", word=" TRAIN ")

    assert "TRAIN" == outcome.data["word"]
