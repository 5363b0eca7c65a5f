"""What was done in a game, as each of its people may see it and hear it."""

from __future__ import annotations

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.history import (
    HistoryCache,
    events_json,
    is_private,
    lines_said,
    may_know,
)
from kibitz.engine.record.ledger import Done, Entry, Ledger, Opening, open_ledger
from kibitz.engine.rules import Accepted, Action, Event

CAT = Action("place", "Ann", 3.0, {"tiles": {"H8": "C", "H9": "A", "H10": "T"}})
RACKS = Action("racks", None, None, {"racks": {"Ann": ["Q"]}})
FOR_ANN = frozenset({"Ann"})


def ledger_of(*actions: Action) -> Ledger:
    """A game of Scrabble with what people told."""
    game = find_game("scrabble")
    options = check_options(game.info, {})
    ledger = open_ledger(
        Opening(game, ("Ann", "Bob"), options, make_materials("none", "en", options))
    )
    for action in actions:
        ledger, _ = ledger.add(Entry(action, 2, told=True))
    return ledger


def done(*events: Event) -> Done:
    """Something that was done, and what followed."""
    return Done(Entry(Action("place", "Ann"), 0), Accepted(events), None)


@pytest.mark.parametrize(
    ("kind", "visible_to", "who"),
    [
        ("score", None, ["Ann", "Bob", None]),
        ("_laid", None, ["Ann", "Bob", None]),
        ("rack", FOR_ANN, ["Ann"]),
        ("_rack", FOR_ANN, []),
    ],
)
def test_who_may_know_an_event(kind, visible_to, who):
    """A watcher knows what everybody does; a game's own secret is nobody's."""
    event = Event(kind, {}, visible_to)

    assert who == [viewer for viewer in ("Ann", "Bob", None) if may_know(event, viewer)]


def test_what_was_done_is_private_with_any_secret_in_it():
    """What followed for everybody makes it no less so."""
    secret = done(Event("rack", {}, FOR_ANN), Event("ready"))

    assert [False, False, True] == [is_private(d) for d in (done(), done(Event("ready")), secret)]
    assert ["ready"] == [e["event"] for e in events_json([secret], None)]
    assert ["rack", "ready"] == [e["event"] for e in events_json([secret], "Ann")]


def test_a_games_own_bookkeeping_is_no_event():
    """Nor is it said."""
    assert [] == events_json([done(Event("_settled"))], "Ann")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "The play comes off."),
        ({"player": "Ann", "words": []}, "The play comes off."),
        ({"player": "Ann", "words": ["CAT"]}, "Ann takes CAT back and has the turn again."),
        (
            {"player": "Ann", "words": [{"word": "CAT"}]},
            "Ann takes CAT back and has the turn again.",
        ),
        ({"player": "Ann", "letters": "X"}, "Ann takes X back and has the turn again."),
        ({"player": "Ann", "words": ["CAT"], "spent": True}, "CAT comes off."),
        (
            {"player": "Ann", "words": ["CAT"], "spent": True, "turn": "Bob"},
            "CAT comes off; the turn is spent.",
        ),
    ],
)
def test_a_play_taken_up_is_said_alike_in_every_game(data, said):
    """With its word where there is one, and whose turn it is then."""
    ledger = ledger_of(CAT)
    taken = Done(ledger.done[0].entry, Accepted((Event("_taken_back", data),)), ledger.state)

    assert [said] == [str(line) for line in lines_said(ledger, [taken])][:1]


def test_a_history_names_what_everybody_may_know():
    """Tiles, words, time and scores of a play; of racks that were told only that they were."""
    play, racks = HistoryCache().of(ledger_of(CAT, RACKS))

    assert (0, "place", "Ann", False, 2, 3.0) == tuple(
        play[k] for k in ("entry", "action", "player", "seen", "photo", "at")
    )
    assert ({"H8": "C", "H9": "A", "H10": "T"}, 10) == (play["tiles"], play["turn_score"])
    assert ["CAT"] == [word["word"] for word in play["words"]]
    assert {"Ann": 10, "Bob": 0} == play["scores"]
    assert (True, False, False) == (racks["private"], "tiles" in racks, "words" in racks)
    assert "Q" not in str(racks["say"]) + str(racks["events"])


def test_a_call_is_listed_as_people_write_it():
    """CALLE is won with four tiles; the list of plays has the word, not the signs of its tiles."""
    game = find_game("grabscrab")
    options = check_options(game.info, {})
    materials = make_materials("none", "es", options)
    pool = materials.tile_set.tiles_in("CALLE")
    opening = Opening(game, ("Ann", "Bob"), options, materials, {"pool": pool})
    claim = Entry(Action("claim", "Ann", None, {"word": "CALLE"}), 0, told=True)
    ledger, _ = open_ledger(opening).add(claim)
    (line,) = HistoryCache().of(ledger)

    assert [4, "CALLE"] == [len(pool), *(word["word"] for word in line["words"])]


def test_earlier_entries_are_not_looked_at_again():
    """The lines stay the very same; after a correction only what follows it is made anew."""
    first = ledger_of(CAT)
    longer, _ = first.add(Entry(Action("pass", "Bob"), 3, told=True))
    cache = HistoryCache()
    before, after = cache.of(first), cache.of(longer)
    other = cache.of(ledger_of(RACKS))

    assert before[0] is after[0]
    assert (1, 2, ["racks"]) == (len(before), len(after), [line["action"] for line in other])
    assert [] == cache.of(ledger_of())
