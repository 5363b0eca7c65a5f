"""Entries that only pictures showed are put right, as long as what came later still holds."""

from __future__ import annotations

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Entry, Ledger, Opening, open_ledger
from kibitz.engine.rules import Action, Refused
from kibitz.engine.tracking.loose_record import (
    with_letter,
    with_players,
    without,
    without_flip,
)


def game_of(*entries: Entry) -> Ledger:
    """GrabScrab of Ann and Bob with words of three letters, and nine tiles face down."""
    game = find_game("grabscrab")
    options = check_options(game.info, {"gs.min_length": 3})
    start = {"pool": "", "face_down": 9, "words": {"Ann": [], "Bob": []}}
    materials = make_materials("none", "en", options)
    ledger = open_ledger(Opening(game, ("Ann", "Bob"), options, materials, start))
    for entry in entries:
        ledger, verdict = ledger.add(entry)
        assert not isinstance(verdict, Refused), verdict
    return ledger


def flips(letters: str, *, told: bool = False) -> list[Entry]:
    return [
        Entry(Action("flip", None, None, {"letter": x}), i, told) for i, x in enumerate(letters)
    ]


def claim(player: str, word: str, *, told: bool = False) -> Entry:
    return Entry(Action("claim", player, None, {"word": word}), 9, told)


def letters(ledger: Ledger | None) -> str | None:
    """What was turned up, in order."""
    if ledger is None:
        return None
    return "".join(str(d.entry.action.data.get("letter", "")) for d in ledger.done)


@pytest.mark.parametrize(
    ("turned_up", "letter", "expected"),
    [("", "E", None), ("N", "E", None), ("EN", "E", "FN"), ("EENE", "E", "EENF")],
)
def test_the_newest_tile_of_that_letter_is_another(turned_up, letter, expected):
    """None where no such tile was turned up."""
    assert expected == letters(with_letter(game_of(*flips(turned_up)), letter, "F"))


def test_a_letter_that_a_word_was_made_of_stays():
    """CAT was claimed with the T: it cannot have been an F."""
    ledger = game_of(*flips("CAT"), claim("Ann", "CAT"))

    assert None is with_letter(ledger, "T", "F")


@pytest.mark.parametrize(
    ("turned_up", "told", "expected"),
    [("", "", None), ("EN", "", "N"), ("NEE", "", "NE"), ("EN", "E", "NE"), ("N", "E", None)],
)
def test_the_newest_flip_that_was_only_seen_never_happened(turned_up, told, expected):
    """What people told they turned up."""
    ledger = game_of(*flips(turned_up), *flips(told, told=True))

    assert expected == letters(without_flip(ledger, "E"))


def test_a_flip_that_a_word_rests_on_happened():
    """Without it the claim would not hold."""
    ledger = game_of(*flips("CAT"), claim("Ann", "CAT"))

    assert None is without_flip(ledger, "T")


def test_why_something_was_done_all_the_same():
    """The refusal is that of the first thing that rests on it."""
    ledger = game_of(*flips("CAT"), claim("Ann", "CAT"))
    first, *_, last = [d.entry for d in ledger.done]
    refused, after = without(ledger, first), without(ledger, last)

    assert isinstance(refused, Refused)
    assert isinstance(after, Ledger)
    assert ("letters_missing", "CAT") == (refused.code, letters(after))


def claims(ledger: Ledger | None) -> list[tuple[str | None, object]]:
    """Who claimed words, and from whom they were stolen."""
    assert ledger is not None
    actions = [d.entry.action for d in ledger.done if d.entry.action.kind == "claim"]
    return [(a.player, a.data.get("from_player")) for a in actions]


def test_seen_words_are_of_who_sits_there_now():
    """Ann and Bob changed seats; what Bob himself said stays his."""
    ledger = game_of(*flips("CATDOG"), claim("Ann", "CAT"), claim("Bob", "DOG", told=True))
    after = with_players(ledger, {"Ann": "Bob", "Bob": "Ann"})

    assert [("Bob", None), ("Bob", None)] == claims(after)


def test_a_stolen_word_comes_from_who_sits_there_now():
    """Bob made COAT of the CAT before Ann: seats changed, it was the other way round."""
    steal = Action("claim", "Bob", None, {"word": "COAT", "steal": "CAT", "from_player": "Ann"})
    ledger = game_of(*flips("CATO"), claim("Ann", "CAT"), Entry(steal, 9))
    after = with_players(ledger, {"Ann": "Bob", "Bob": "Ann"})

    assert [("Bob", None), ("Ann", "Bob")] == claims(after)
