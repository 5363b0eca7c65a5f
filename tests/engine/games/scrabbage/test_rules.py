"""The race of Scrabbage: 121 points win at once (SB-30); and who scores for a go of two."""

from dataclasses import replace

import pytest

from kibitz.app.common.materials.named import load_tile_set, make_materials
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.rules import Accepted, Action, Materials, Refused, apply
from kibitz.engine.words.lexicon import words_from_text


def played(options, initial, actions):
    """The state after some actions, and the last verdict."""
    game = find_game("scrabbage")
    options = check_options(game.info, options)
    materials = make_materials("default", "en", options)
    state, verdict = game.begin(("Ann", "Bob"), options, materials, initial), None
    for player, kind, data in actions:
        state, verdict = apply(game, state, Action(kind, player, None, data))
        assert isinstance(verdict, Accepted), verdict
    return state, verdict


def tile(player, square, letter):
    return player, "tile", {"square": square, "letter": letter}


@pytest.mark.parametrize(("before", "won"), [(60, False), (118, False), (119, True)])
def test_who_reaches_121_points_wins_at_once(before, won):
    """A tile that makes AT is worth two points."""
    initial = {"scores": {"Ann": before, "Bob": 0}, "dealer": "Ann"}
    actions = [tile("Bob", "H8", "A"), tile("Ann", "H9", "T")]
    state, _ = played({}, initial, actions)

    assert before + 2 == state.scores["Ann"]
    assert won == find_game("scrabbage").view(state, None)["over"]


@pytest.mark.parametrize(
    ("resume", "between", "points"),
    [(True, [], 0), (True, [("H10", "E")], 1), (False, [("H10", "E")], 0)],
)
def test_nobody_scores_for_a_go_while_stuck_as_well(resume, between, points):
    """Bob said go. Ann says it too: he scores only if he may come back to a tile laid since."""
    actions = [tile("Bob", "H8", "A"), tile("Ann", "H9", "T"), ("Bob", "go", {})]
    actions += [tile("Ann", *at) for at in between]
    _, verdict = played(
        {"sb.go2_resume": resume}, {"dealer": "Ann"}, [*actions, ("Ann", "go", {})]
    )

    assert points == verdict.events[0].data["points"]


@pytest.mark.parametrize(
    ("phase", "tiles", "code"),
    [
        ("play", {"H8": "A"}, None),
        ("play", {"H8": "A", "H9": "T"}, "one_tile"),
        ("play", {}, "one_tile"),
        ("play", ["H8"], "not_dealer"),
        ("play", None, "not_dealer"),
        ("scrab", {"H8": "A"}, "not_dealer"),
    ],
)
def test_what_a_camera_sees_is_one_tile_or_the_scrab(phase, tiles, code):
    """One tile while the hand is played; all else is the scrab, which is the dealer's alone."""
    game = find_game("scrabbage")
    state, _ = played({}, {"dealer": "Ann"}, [])
    state = replace(state, phase=phase)
    verdict = game.decide(state, Action("place", "Bob", None, {"tiles": tiles}))

    assert code == (verdict.code if isinstance(verdict, Refused) else None)


@pytest.mark.parametrize(
    ("letter", "left", "asked"), [("T", 3, False), ("C", 3, False), ("C", 1, True), ("Q", 3, True)]
)
def test_a_tile_that_can_become_no_word_is_asked_about(letter, left, asked):
    """AC may become ACE with one tile more, AQ nothing, and C before A needs more than none."""
    game = find_game("scrabbage")
    words = words_from_text("AT\nACE\nACES")
    options = check_options(game.info, {})
    materials = Materials(words, load_tile_set("en"))
    start = {"dealer": "Ann", "board": ["." * 15] * 7 + [".......A......."] + ["." * 15] * 7}
    state = game.begin(("Ann", "Bob"), options, materials, {**start, "tiles_left": {"Bob": left}})
    state, verdict = apply(
        game, state, Action("tile", "Bob", None, {"square": "H9", "letter": letter})
    )
    said = [line for event in verdict.events for line in game.announce(state, event)]

    assert asked == any("Is Bob working on one?" in line for line in said)
