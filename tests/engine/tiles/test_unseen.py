"""Which tiles have not been seen, in each game."""

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.rules import Action, apply

ROWS = ["." * 15] * 7 + [".......AxE....."] + ["." * 15] * 7


def begun(slug, players=("Ann", "Bob"), **initial):
    """A game from a position."""
    game = find_game(slug)
    options = check_options(game.info, {})
    return game, game.begin(players, options, make_materials("default", "en", options), initial)


@pytest.mark.parametrize(
    ("slug", "told"),
    [
        ("scrabble", {"racks": {"Ann": ["Z", "?"]}}),
        ("scrabbleship", {"racks": {"Ann": ["Z", "?"]}}),
        ("scrabbage", {"hands": {"Ann": ["Z", "?"]}}),
    ],
)
def test_on_the_board_or_in_the_own_hand(slug, told):
    """A player sees the own tiles besides the board; a blank is a blank whatever it stands for."""
    game, state = begun(slug, board=ROWS, **told)
    counts = [game.view(state, viewer)["unseen"] for viewer in ("Ann", "Bob", None)]

    assert [(8, 11, 1, 0), (8, 11, 1, 1), (8, 11, 1, 1)] == [
        (seen["A"], seen["E"], seen["X"], seen.get("Z", 0)) for seen in counts
    ]
    assert [None, 1, 1] == [seen.get("?") for seen in counts]


def test_nine_sets():
    """Nine mixed sets have nine times the tiles."""
    game, state = begun("frankenscrabbards")

    assert (81, 18) == tuple(game.view(state, None)["unseen"][x] for x in "A?")


def test_face_down_tiles():
    """What lies in no pool and no word is face down, if it is one whole set."""
    game, state = begun("grabscrab", pool="AAZ", words={"Ann": ["RAIN"]})
    seen = game.view(state, None)["unseen"]

    assert (6, 5, None) == (seen["A"], seen["R"], seen.get("Z"))
    assert 93 == sum(seen.values())


def test_each_colour_of_scrabble_house():
    """Bonus tiles lie on one board and belong to the other's set."""
    hands = {"Ann": {"own_colour": 7, "other_colour": 2}}
    game, state = begun("scrabble-house", ("Ann", "Bob", "Cyd", "Dan"), hands=hands)
    tiles = {"O8": "A", "O9": "T"}
    place = Action("place", "Ann", None, {"tiles": tiles, "bonus": ["O9"]})
    state, _ = apply(game, state, place)

    assert [(8, 6), (9, 5)] == [
        (seen["A"], seen["T"]) for seen in game.view(state, None)["unseen_sets"]
    ]
