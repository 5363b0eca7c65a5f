"""What two looks at a loose table tell of the time between."""

from __future__ import annotations

import json

import pytest

from kibitz.app.common.materials.named import load_lexicon, load_tile_set
from kibitz.engine.games.grabscrab.interpret import missing_tiles
from kibitz.engine.games.grabscrab.rules import GAME
from kibitz.engine.options import check_options
from kibitz.engine.rules import Action, Change, Materials, apply
from tests.helpers.shared_data import SHARED, needs_shared

PLAYERS = ("Ann", "Bob", "Cyd")


def table(initial, settings=None, players=PLAYERS):
    options = check_options(GAME.info, settings or {})
    materials = Materials(load_lexicon("default"), load_tile_set("en"))
    return GAME.begin(players, options, materials, initial)


def seen(pool, face_down=None, **words):
    return Change(
        "table", pool=pool, face_down=face_down, words={p: tuple(w) for p, w in words.items()}
    )


def told(candidate):
    return [(a.kind, a.player, dict(a.data)) for a in candidate.actions]


def after(state, candidate):
    for action in candidate.actions:
        state, _ = apply(GAME, state, action)
    return state


def test_the_same_table_tells_nothing():
    """A table that looks as known has no candidates."""
    state = table({"pool": "AINR", "face_down": 9, "words": {"Ann": ["STOP"]}})

    assert () == GAME.interpret(state, seen("RAIN", 9, Ann=["STOP"]))
    assert () == GAME.interpret(state, Change("table"))


def test_a_new_pool_tile_was_flipped():
    """A tile more in the pool and one fewer in the heap is a flip."""
    state = table({"pool": "AIN", "face_down": 9})
    (candidate,) = GAME.interpret(state, seen("AINR", 8))

    assert [("flip", None, {"letter": "R"})] == told(candidate)
    assert () == candidate.questions


def test_a_word_out_of_the_pool_was_won():
    """Pool tiles lined up before a player were won by that player."""
    state = table({"pool": "AINRT", "face_down": 9})
    (candidate,) = GAME.interpret(state, seen("T", 9, Cyd=["RAIN"]))

    assert [("claim", "Cyd", {"word": "RAIN"})] == told(candidate)


def test_a_word_that_went_into_another_was_stolen():
    """A word that is gone and whose tiles lie in a new one was stolen."""
    state = table({"pool": "IT", "face_down": 2, "words": {"Ann": ["RAIN"], "Cyd": ["STOP"]}})
    (candidate,) = GAME.interpret(state, seen("I", 2, Bob=["TRAIN"], Cyd=["STOP"]))

    assert [("claim", "Bob", {"word": "TRAIN", "steal": "RAIN", "from_player": "Ann"})] == told(
        candidate
    )


def test_a_tile_flipped_and_used_at_once():
    """A tile that was in neither the pool nor a word was flipped before the call."""
    state = table({"pool": "AIN", "face_down": 9})
    (candidate,) = GAME.interpret(state, seen("", 8, Bob=["RAIN"]))

    assert ["flip", "claim"] == [a.kind for a in candidate.actions]
    assert {"Bob": ["RAIN"], "Ann": [], "Cyd": []} == GAME.view(after(state, candidate), None)[
        "words"
    ]


def test_a_flip_that_no_call_needs_may_come_before_or_after():
    """Where the order cannot be seen, both orders are offered."""
    state = table({"pool": "AINR", "face_down": 9})
    both = GAME.interpret(state, seen("Q", 8, Bob=["RAIN"]))

    assert [["claim", "flip"], ["flip", "claim"]] == [[a.kind for a in c.actions] for c in both]
    assert ["Cyd", "Bob"] == [after(state, c).flipper for c in both]


def test_several_calls_are_put_in_an_order_that_holds():
    """Of two new words the one is called first that the other does not hinder."""
    state = table({"pool": "EST", "face_down": 9, "words": {"Ann": ["RAIN"], "Bob": ["STOP"]}})
    (candidate,) = GAME.interpret(state, seen("S", 9, Ann=["ESTOP"], Bob=["TRAIN"]))
    view = GAME.view(after(state, candidate), None)

    assert {"Ann": ["ESTOP"], "Bob": ["TRAIN"], "Cyd": []} == view["words"]
    assert "S" == view["pool"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [(["RAIN", "STOP", "BEAD"], 3), (["RAIN", "STOP", "BEAD", "LUGE"], 0)],
)
def test_up_to_three_new_words_are_understood_at_once(words, expected):
    """Of more nobody can tell in which order they were called."""
    state = table({"pool": "".join(words), "face_down": 9})
    (candidate, *_) = GAME.interpret(state, seen("", 9, Ann=words))

    assert expected == sum(kind == "claim" for kind, _, _ in told(candidate))


@pytest.mark.parametrize(
    ("tiles", "word", "choices"),
    [("ZEPH?R", "ZEPHYR", None), ("GO?E", "GONE", ("GONE", "GORE")), ("QQ?Q", "QQ?Q", ())],
)
def test_a_blank_is_named_if_only_one_letter_fits(tiles, word, choices):
    """A blank's letter follows from the list, or a person is asked with the likely words."""
    state = table({"pool": tiles, "face_down": 9})
    (candidate,) = GAME.interpret(state, seen("", 9, Ann=[tiles]))
    action = candidate.actions[0]

    assert tiles == action.data["tiles"]
    if choices is None:
        assert () == candidate.questions
        assert word == action.data["word"]
    else:
        (question,) = candidate.questions
        assert "word" == question.field
        assert set(choices) <= set(question.choices)


def test_a_small_letter_is_a_blank():
    """A blank that a reader has named is still a blank."""
    state = table({"pool": "?EGO", "face_down": 1})
    (candidate,) = GAME.interpret(state, seen("", 1, Ann=["GOrE"]))

    assert "GO?E" == candidate.actions[0].data["tiles"]


def test_known_words_are_known_by_their_tiles():
    """A word with a blank is the same word when the camera sees the blank."""
    state = table(
        {"pool": "Q", "face_down": 1, "words": {"Ann": ["GORE"]}, "tiles": {"Ann": ["GO?E"]}}
    )

    assert () == GAME.interpret(state, seen("Q", 1, Ann=["GO?E"]))
    assert () == GAME.interpret(state, seen("Q", 1, Ann=["GORE"]))


def test_a_word_given_up_went_to_the_heap():
    """With the penalty on, a word that is gone while the heap grew was given up."""
    initial = {"pool": "Q", "face_down": 2, "words": {"Ann": ["RAIN"]}}
    (candidate,) = GAME.interpret(table(initial, {"gs.penalty": True}), seen("Q", 6))
    (without,) = GAME.interpret(table(initial), seen("Q", 6))

    assert [("give_up", "Ann", {"word": "RAIN"})] == told(candidate)
    assert ((), ["table"]) == (without.actions, [q.field for q in without.questions])


def test_joined_words_where_that_is_agreed():
    """With merging on, several words may have gone into one."""
    initial = {"pool": "Z", "face_down": 1, "words": {"Ann": ["RAIN"], "Bob": ["TEST"]}}
    change = seen("Z", 1, Cyd=["NITRATES"])
    (candidate,) = GAME.interpret(table(initial, {"gs.merge": True}), change)
    (without,) = GAME.interpret(table(initial), change)

    assert {"Ann": [], "Bob": [], "Cyd": ["NITRATES"]} == GAME.view(
        after(table(initial, {"gs.merge": True}), candidate), None
    )["words"]
    assert ((), ["table"]) == (without.actions, [q.field for q in without.questions])


@pytest.mark.parametrize(
    "change",
    [
        seen("AIN", 9),  # a pool tile is gone
        seen("AINRQQ", 9, Ann=["STOP"]),  # a word is gone
        seen("AINR", 9, Ann=["ZZZZ"], Bob=["VVVV"], Cyd=["JJJJ", "KKKK"]),  # words from nowhere
    ],
)
def test_tiles_that_do_not_add_up_are_reported(change):
    """If a tile has vanished or came from nowhere, a person is asked (GS-21)."""
    state = table({"pool": "AINR", "face_down": 9, "words": {"Bob": ["GLOVE"]}})
    (candidate,) = GAME.interpret(state, change)

    assert ((), ["table"]) == (candidate.actions, [q.field for q in candidate.questions])


def test_a_miscounted_heap_takes_no_flip_away():
    """A flip that the heap does not confirm is still a flip."""
    state = table({"pool": "AIN", "face_down": 9})
    (candidate,) = GAME.interpret(state, seen("AINR", 6))

    assert [("flip", None, {"letter": "R"})] == told(candidate)


def test_missing_tiles_are_counted():
    """How many tiles are missing is what was there less what is seen."""
    state = table({"pool": "AIN", "face_down": 9, "words": {"Bob": ["STOP"]}})

    assert 0 == missing_tiles(state, Change("table"))
    assert 2 == missing_tiles(state, seen("AI", 8, Bob=["STOP"]))
    assert -1 == missing_tiles(state, seen("AINR", 9, Bob=["STOP"]))


def test_a_refused_word_is_offered_all_the_same():
    """A word that breaks a rule is offered, so that the rules can say why it is refused."""
    state = table({"pool": "AXTV", "face_down": 9})
    (candidate,) = GAME.interpret(state, seen("", 9, Ann=["VAXT"]))
    _, verdict = apply(GAME, state, candidate.actions[0])

    assert "not_a_word" == verdict.code


@needs_shared
def test_a_photographed_game_is_told_by_its_tables_alone():
    """From table to table the first candidate brings about the event that took place."""
    game = json.loads((SHARED / "renders/games/grabscrab/game.json").read_text(encoding="utf-8"))
    state = table(game["initial"], players=tuple(game["players"]))
    wanted, got = [], []
    for photo in game["photos"][1:]:
        candidate = GAME.interpret(
            state, seen(photo["pool"], photo["face_down"], **photo["words"])
        )[0]
        for action in candidate.actions:
            state, verdict = apply(
                GAME, state, Action(action.kind, action.player, None, action.data)
            )
            got.append({k: verdict.result[k] for k in photo["event"]})
        wanted.append(photo["event"])
    view = GAME.view(state, None)

    assert wanted == got
    assert game["final"] == {k: view[k] for k in game["final"]}
