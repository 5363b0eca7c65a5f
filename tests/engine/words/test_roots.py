"""The root test: affixes come off as rule GS-12 says, and people may overrule it."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.app.common.materials.named import load_lexicon, load_roots
from kibitz.engine.words.lexicon import AcceptAll, WordList
from kibitz.engine.words.roots import (
    ruling_texts,
    rulings_from_texts,
    same_root,
    stems,
    with_ruling,
)
from tests.helpers.property_examples import tries
from tests.helpers.shared_data import SHARED, needs_shared

SAME = """
    RAIN RAINS · RAIN RAINED · RAIN RAINING · TRAIN TRAINING · TRAIN TRAINED · BAKE BAKER
    BAKE BAKING · RUNNER RUNNING · HAPPY HAPPINESS · HAPPY UNHAPPILY · CITY CITIES
    EASY EASIER · KNOW KNOWN · WOOD WOODEN · SAIL SAILOR · TAKE TAKEN · CHILD CHILDISH
    RIPE RIPEST · HOPE HOPEFUL · HOPE HOPELESS · READ READABLE · MOVE MOVEMENTS
    RELATE RELATIONS · LOCK UNLOCK · PLAY REPLAY · TAKE MISTAKE · TAKE OVERTAKEN · HUGE HUGELY
    WIND WINDY · WIND REWINDING · CORN CORNER · MAST MASTER · LENT RELENT · FORE FOREST
    PRINT REPRINTERS · DINE DINERS · FREE FREED
"""
DIFFERENT = """
    RAIN TRAIN · RAIN DRAINING · TRAIN RETAIN · TRAIN RATING · RATING TRAINING · QUIT QUIET
    GORE GLOVE · GLOVE GOVERN · HIRE THEIR · THEIR WITHER · STOP POSTS · ACTS ACTORS
    MANE ROMAN · RAID RADISH · LAND ISLAND · NUTS UNTIDY · TEEN RETEENED
"""
# TAKE to MISTAKE shares TAKE although people may find it a good steal: the test goes by letters.


def pairs(text):
    return [
        tuple(pair.split())
        for line in text.split("\n")
        for pair in line.split("·")
        if pair.strip()
    ]


PAIRS = Path(__file__).parent / "root_pairs"


def listed(name):
    return [tuple(line.split()) for line in (PAIRS / f"{name}.txt").read_text().splitlines()]


@pytest.mark.parametrize(("name", "same"), [("same", True), ("different", False)])
def test_the_table_knows_families(name, same):
    """Irregular forms and living derivations share a root; words that look alike do not."""
    words, table = load_lexicon("default"), load_roots()

    assert [] == [p for p in listed(name) if same_root(*p, words, table=table).same != same]


def test_who_says_so_is_told():
    """A verdict names people, the table or the affixes as its source, with the reason in words."""
    words, table = load_lexicon("default"), load_roots()
    ruled = with_ruling({}, ("CORN", "CORNER"), same=True)

    said = same_root("CHILD", "CHILDREN", words, table=table)
    assert ("table", "CHILDREN is of the family of CHILD") == (said.source, said.reason)
    assert "table" == same_root("CORN", "CORNER", words, table=table).source
    assert "ruling" == same_root("CORN", "CORNER", words, ruled, table).source
    assert "affix" == same_root("RAIN", "RAINS", words, table=table).source


@pytest.mark.parametrize(("old", "new"), pairs(SAME))
def test_same_root(old, new):
    """Words that differ by affixes share a root, whichever is the older."""
    words = load_lexicon("default")

    assert same_root(old, new, words).same
    assert same_root(new, old, words).same


@pytest.mark.parametrize(("old", "new"), pairs(DIFFERENT))
def test_different_roots(old, new):
    """Words that only share letters have different roots."""
    assert not same_root(old, new, load_lexicon("default")).same


@pytest.mark.parametrize(
    ("word", "known", "expected"),
    [
        ("CATS", "CAT", {"CATS", "CAT"}),
        ("OXEN", "OX", {"OXEN"}),  # the rest would have two letters
        ("ACTOR", "ACT", {"ACTOR"}),  # after -or four letters must be left
        ("MINOR", "MIN MINE", {"MINOR", "MINE"}),  # or the rest has lost an E
        ("CORNER", "CORN CORNE", {"CORNER", "CORN", "CORNE"}),
        ("BAKER", "BAK BAKE", {"BAKER", "BAKE", "BAK"}),
        ("FLATTER", "FLATT FLAT FLATTE", {"FLATTER", "FLATT", "FLAT", "FLATTE"}),
        ("FREER", "FRE FREE", {"FREER", "FRE", "FREE"}),  # a doubled vowel stays
        ("ADDER", "AD ADD", {"ADDER", "ADD"}),  # a rest of three letters is not halved
        ("SUNNED", "SUNN SUN SUNNE", {"SUNNED", "SUNN", "SUN", "SUNNE"}),
        ("DIED", "DIE DY DI", {"DIED", "DIE"}),
        ("TRIED", "TRY TRI TRIE", {"TRIED", "TRY", "TRI", "TRIE"}),
        ("BEAUTIFUL", "BEAUTY", {"BEAUTIFUL", "BEAUTY"}),
        ("GREEDILY", "GREEDY GREED", {"GREEDILY", "GREEDY", "GREED"}),
        ("SHOWN", "SHOW", {"SHOWN", "SHOW"}),
        ("RAINN", "RAIN", {"RAINN"}),  # -n comes off after W alone
        ("WIDTH", "WIDT", {"WIDTH"}),
        ("REDO", "DO", {"REDO"}),  # after a prefix four letters must be left
        ("REPLAY", "PLAY", {"REPLAY", "PLAY"}),
        (
            "UNREMOVED",
            "REMOVED REMOVE MOVE MOVED",
            {"UNREMOVED", "REMOVED", "REMOVE", "MOVE", "MOVED"},
        ),
        ("BAKED", "", {"BAKED"}),  # stems must be words
    ],
)
def test_stems(word, known, expected):
    """Each clause of the rule, with just the words that it needs."""
    assert expected == set(stems(word, WordList(frozenset(known.split()))))


def test_reason_names_the_affix_and_the_stem():
    """An alarm says what came off and what is left, so that people can judge it."""
    words = load_lexicon("default")

    assert "CORNER -er: CORN" == same_root("CORN", "CORNER", words).reason
    assert "RUNNER -er and RUNNING -ing: RUN" == same_root("RUNNER", "RUNNING", words).reason
    assert "STOP and POSTS share no stem" == same_root("STOP", "POSTS", words).reason


def test_rulings_are_read_as_they_are_written():
    """Rulings written as text are read back as they were; the later one on a pair holds."""
    rulings = with_ruling({}, ("CORN", "CORNER"), same=True)
    rulings = with_ruling(rulings, ("CORNER", "CORN"), same=False)
    rulings = with_ruling(rulings, ("QUIT", "QUIET"), same=True)

    assert ("CORN/CORNER=different", "QUIET/QUIT=same") == ruling_texts(rulings)
    assert rulings == rulings_from_texts(ruling_texts(rulings))
    assert rulings == rulings_from_texts(
        ["corn/corner=same", "QUIT/QUIET=SAME", "CORNER/CORN=different"]
    )


@pytest.mark.parametrize("text", ["", "CORN", "CORN/CORNER", "CORN/CORNER=maybe", "/CORN=same"])
def test_wrong_rulings_are_refused(text):
    """A ruling of another form is refused with the form expected."""
    with pytest.raises(ValueError, match="CORN/CORNER=different"):
        rulings_from_texts([text])


@tries(100)
@given(st.text("AEIRSTNGYDLUPOF", min_size=1, max_size=12))
def test_stems_never_grow_and_always_end(word):
    """Whatever counts as a word, taking affixes off ends and no stem is longer than the word."""
    found = stems(word, AcceptAll())

    assert word in found
    assert max(map(len, found)) == len(word)


@needs_shared
def test_scenario_pairs_come_out_as_stated():
    """Every steal of the acceptance scenarios is judged as it says there."""
    scenarios = json.loads((SHARED / "scenarios.json").read_text(encoding="utf-8"))["scenarios"]
    words, table = load_lexicon("default"), load_roots()
    wrong, seen = [], 0
    for scenario in scenarios:
        for step in scenario["steps"]:
            do, expect = step["do"], step["expect"]
            judged = expect.get("legal") or expect.get("reason") == "same_root"
            if do["action"] == "claim" and do.get("steal") and judged:
                seen += 1
                same = same_root(do["steal"], do["word"], words, table=table).same
                if same != (expect.get("reason") == "same_root"):
                    wrong.append((scenario["id"], do["steal"], do["word"]))

    assert [] == wrong
    assert seen > 10
