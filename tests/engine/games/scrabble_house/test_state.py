"""Hands and bags of Scrabble House: what was drawn, told or not (SH-6, SH-22, SH-23)."""

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.rules import Accepted, Action, apply
from tests.helpers.pictured_games import drawn, replay_of

SOUTH, NORTH = "South", "North"
HOUSE = {"K8": "H", "L8": "O", "M8": "U", "N8": "S", "O8": "E"}
GARDEN = {"A8": "N", "B8": "E", "C8": "D", "D8": "R", "E8": "A", "F8": "G"}


def played(*steps, **initial):
    """A table of two after these actions, each of which the rules took."""
    game = find_game("scrabble-house")
    options = check_options(game.info, {})
    state = game.begin((SOUTH, NORTH), options, make_materials("default", "en", options), initial)
    for kind, player, data in steps:
        state, verdict = apply(game, state, Action(kind, player, None, data))
        assert isinstance(verdict, Accepted), verdict
    return game.view(state, None)


def held(view):
    """The own-colour tiles of each player with those drawn unsaid, and what is left in the bag."""
    hands = view["hands"]
    unsaid = sum(hand["drawn_unsaid"] for hand in hands.values())
    own = [hands[p]["own_colour"] + hands[p]["drawn_unsaid"] for p in (SOUTH, NORTH)]
    return (*own, view["bags"][0] - unsaid)


FIRST = (("place", SOUTH, {"tiles": HOUSE}), ("place", NORTH, {"tiles": GARDEN}))
EARTH = ("place", SOUTH, {"tiles": {"K4": "E", "K5": "A", "K6": "R", "K7": "T"}})


def test_what_was_told_of_drawing_holds():
    """Who said that only two were drawn holds those; the other has filled up."""
    told = ("draw", SOUTH, {"count": 2})

    assert held(played(*FIRST, told)) == (4, 7, 86 - 2 - 6)


def test_a_play_taken_off_leaves_hand_and_bag():
    """What came back into the hand is not drawn for."""
    before = held(played(*FIRST))
    assert held(played(*FIRST, EARTH, ("withdraw", SOUTH, {}))) == before


def test_the_bag_gives_what_it_has():
    """Who laid first drew first; the other gets the rest."""
    assert held(played(*FIRST, bag=8)) == (7, 1 + 3, 0)


def test_the_bundled_game_ends_with_full_hands():
    """After eight plays of a photographed game nobody's hand is empty."""
    run = replay_of("scrabble-house")
    for reading in drawn("scrabble-house"):
        run.see(reading)
    hands = run.finish()["final"]["hands"]

    assert [h["own_colour"] + h["drawn_unsaid"] for h in hands.values()] == [7, 7]
