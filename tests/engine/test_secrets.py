"""What an answer tells: nothing of a hand or of a fleet that is not yet hit (rule 7)."""

from __future__ import annotations

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Entry, Opening, open_ledger
from kibitz.engine.rules import Action, apply

CAT = ["." * 15] * 7 + [".......CAT....."] + ["." * 15] * 7
SHIPS = {
    "carrier": ["A1", "A5"],
    "scrabbleship": ["B1", "B4"],
    "submarine": ["C1", "C3"],
    "destroyer": ["D1", "D3"],
    "patrol": ["E1", "E2"],
}
OTHER_SHIPS = {**SHIPS, "submarine": ["E8", "G8"], "patrol": ["A10", "A11"]}
OWN_SHIPS = {ship: [f"{chr(ord(s[0]) + 8)}{s[1:]}" for s in at] for ship, at in SHIPS.items()}


def answers(slug, settings, initial, actions):
    """The results of actions, and what everybody but Ann is shown afterwards."""
    game = find_game(slug)
    options = check_options(game.info, settings)
    materials = make_materials("default", "en", options)
    state = game.begin(("Ann", "Bob"), options, materials, initial)
    told = []
    for action in actions:
        state, verdict = apply(game, state, action)
        told.append((type(verdict), dict(verdict.result)))
        told += [game.announce(state, e) for e in verdict.events if e.visible_to is None]
    return told, [game.view(state, viewer) for viewer in (None, "Bob")]


def test_a_tile_that_works_towards_a_word_does_not_tell_which():
    """TRY or TREE: two hands that can both go on get the same answer."""
    tile = Action("tile", "Ann", None, {"square": "I10", "letter": "R"})
    got = [
        answers(
            "scrabbage",
            {"sb.working_check": "hands"},
            {"board": CAT, "hands": {"Ann": hand}, "dealer": "Ann"},
            [tile],
        )
        for hand in (["R", "Y", "Q", "V"], ["R", "E", "E", "V"])
    ]

    assert got[0] == got[1]
    assert {
        "words": [],
        "fragments": ["TR"],
        "can_finish": True,
        "points": 0,
        "turn_score": 0,
    } == (got[0][0][0][1])


def test_a_plan_is_for_the_player_who_asks():
    """Whoever holds the hand may ask how it could go on."""
    game = find_game("scrabbage")
    options = check_options(game.info, {})
    start = {"board": CAT, "hands": {"Ann": ["R", "Y", "Q", "V"]}}
    state = game.begin(("Ann", "Bob"), options, make_materials("default", "en", options), start)
    tile = Action("tile", "Ann", None, {"square": "I10", "letter": "R"})

    assert ["Y@J10"] == game.plan(state, tile)
    assert None is game.plan(state, Action("tile", "Bob", None, tile.data))


def test_a_play_that_may_be_challenged_tells_nothing_of_the_fleets():
    """Before the window is closed a hit and a miss get the same answer (SS-14)."""
    play = Action("place", "Bob", None, {"tiles": {"G8": "X", "H8": "I"}, "window": "open"})
    got = [
        answers(
            "scrabbleship",
            {},
            {"fleets": {"Ann": ships, "Bob": OWN_SHIPS}, "to_move": "Bob"},
            [play],
        )
        for ships in (SHIPS, OTHER_SHIPS)
    ]

    assert got[0] == got[1]
    assert got[0][0][0][1]["pending_challenge"]


def test_a_hit_does_not_tell_the_ship():
    """With method 2 a first hit on one ship or another sounds the same, for everybody."""
    play = Action("place", "Bob", None, {"tiles": {"G8": "X", "H8": "I"}})
    moved = {**OTHER_SHIPS, "submarine": ["E1", "E3"], "patrol": ["F8", "G8"]}
    got = [
        answers(
            "scrabbleship",
            {"ss.sink_mode": 2},
            {"fleets": {"Ann": ships, "Bob": OWN_SHIPS}, "to_move": "Bob"},
            [play],
        )
        for ships in (OTHER_SHIPS, moved)
    ]

    assert got[0] == got[1]
    assert ["hit on Ann"] == [
        line[0].split(": ")[1][:10] for line in got[0][0][1:] if line and "hit on" in line[0]
    ]


def test_the_dealer_does_not_read_the_scrab_while_the_hand_is_played():
    """Tiles told as the scrab get the same answer whatever the others discarded (SB-6)."""
    game = find_game("scrabbage")
    options = check_options(game.info, {})
    opening = Opening(
        game, ("Ann", "Bob"), options, make_materials("none", "en", options), {"board": CAT}
    )
    hand = {"Ann": "AEINRT", "Bob": "EIOQSZ"}
    got = []
    for bobs in ("QZ", "SE"):
        ledger = open_ledger(opening)
        for player, tiles in (("Ann", "AE"), ("Bob", bobs)):
            for kind, told in (("hand", hand[player]), ("discard", tiles)):
                ledger, _ = ledger.add(Entry(Action(kind, player, None, {"tiles": told}), 0, True))
        tries = [{"H11": "S"}, {"A1": "S"}, {"H11": "S", "H12": "A", "I12": "T"}]
        for tiles in tries:
            _, verdict = ledger.add(Entry(Action("scrab", "Ann", None, {"tiles": tiles}), 0, True))
            got.append((type(verdict), verdict.result, getattr(verdict, "code", None)))

    assert got[:3] == got[3:]
    assert ["Accepted", "Refused", "Accepted"] == [kind.__name__ for kind, *_ in got[:3]]
