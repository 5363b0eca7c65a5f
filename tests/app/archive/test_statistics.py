"""Counting goes game by game; what is counted is told in docs/archive.md."""

from __future__ import annotations

from typing import Any

import pytest

from kibitz.app.archive.kept import KeptGame
from kibitz.app.archive.statistics import TURN_BOUNDS_S, Statistics, column_of, turn_names

ROWS = ["." * 15] * 7 + ["...GARDeN......"] + ["." * 15] * 7


def kept(name: str = "a", **more: Any) -> KeptGame:
    """A game with one play of six tiles, one of them a blank."""
    tiles = {f"H{4 + n}": letter for n, letter in enumerate("GARDeN")}
    play = {
        "file": "2.jpg",
        "player": "Ann",
        "tiles": tiles,
        "words": [{"word": "GARDEN", "score": 18}],
        "turn_score": 18,
    }
    document = {
        "game": "scrabble",
        "title": name,
        "players": ["Ann", "Bob"],
        "tile_set": "en",
        "taken": {},
        "tiles": [[0, "2.jpg", "Ann", s, x, x.upper(), 0.99] for s, x in tiles.items()],
        "lines": [],
        "final": {"plays": [play], "board": ROWS, "questions": [], "unresolved": []},
        **more,
    }
    line = {
        "game": name,
        "ok": True,
        "photos": 2,
        "plays": 1,
        "scores": {"Ann": 18, "Bob": 60},
        "unresolved": 0,
        "questions": 1,
        "seconds": 1.0,
        "error": None,
    }
    return KeptGame(line, document)


def failed() -> KeptGame:
    empty = {"photos": 0, "plays": 0, "scores": {}, "unresolved": 0, "questions": 0, "seconds": 0}
    error = {"code": "zip_damaged", "message": "why"}
    return KeptGame({"game": "x", "ok": False, **empty, "error": error}, {})


def test_nothing_is_counted_of_no_games() -> None:
    """An empty archive has empty statistics."""
    found = Statistics()

    assert (0, [], [], []) == (
        found.games,
        found.best_plays(),
        found.top_words(),
        found.top_players(),
    )


def test_what_is_counted_of_a_game() -> None:
    """Scores, words, blanks and premium squares."""
    found = Statistics()
    found.add(kept())
    found.add(failed())

    assert (1, 1, 2, 1, 1) == (
        found.games,
        found.failed,
        found.photos,
        found.plays,
        found.questions,
    )
    assert {0: 1, 50: 1} == found.scores
    assert {"GARDEN": 1} == found.words
    assert {6: 1} == found.lengths
    assert (1, {"E": 1}) == (found.blanks_laid, found.blanks)
    assert {"double letter": 1, "double word": 1} == found.premium_used
    assert {
        "triple word": 8,
        "double word": 17,
        "triple letter": 12,
        "double letter": 24,
    } == found.premium_there
    assert {(7, c): 1 for c in range(3, 9)} == found.covered
    assert (1, 0, 18, 18) == tuple(
        getattr(found.players["Ann"], x) for x in ("games", "won", "points", "best")
    )
    assert 1 == found.players["Bob"].won
    assert [(18, "GARDEN", "Ann", "a")] == found.best_plays()


def test_tiles_that_were_taken_off_count_for_nothing() -> None:
    """A play that was challenged off covers no premium square and has laid no blank."""
    found = Statistics()
    game = kept()
    game.document["final"]["board"] = ["." * 15] * 15
    found.add(game)

    assert (0, {}, {}) == (found.blanks_laid, found.covered, found.premium_used)


def test_tiles_that_face_both_ways_are_no_blanks() -> None:
    """In games where small letters are turned tiles."""
    found = Statistics()
    found.add(kept(game="scrabble-house"))

    assert 0 == found.blanks_laid


def test_rules_of_somebodys_own_are_counted_too() -> None:
    """Without premium squares, under the name they have."""
    found = Statistics()
    found.add(kept(game="my_game"))

    assert ({"my_game": 1}, {}) == (found.kinds, found.premium_there)


def test_time_a_turn_needs_photographs_that_tell() -> None:
    """From play to play, where both are known and time went on."""
    game = kept(taken={"2.jpg": 10.0, "3.jpg": 80.0, "4.jpg": 80.0})
    plays = game.document["final"]["plays"]
    plays += [{**plays[0], "file": f"{n}.jpg"} for n in (3, 4, 5)]
    found = Statistics()
    found.add(game)

    assert {column_of(70): 1} == found.turns_s


@pytest.mark.parametrize(
    ("seconds", "name"),
    [(3, "< 15 s"), (15, "15 s to 30 s"), (119, "1 min to 2 min"), (9999, "> 10 min")],
)
def test_columns_of_turns(seconds: float, name: str) -> None:
    """Each turn falls into the column that is named so."""
    assert len(TURN_BOUNDS_S) + 1 == len(turn_names())
    assert name == turn_names()[column_of(seconds)]


def test_best_plays_are_few_and_in_order() -> None:
    """However many games there are."""
    found = Statistics()
    for points in range(30):
        game = kept(f"game{points}")
        game.document["final"]["plays"][0]["turn_score"] = points
        found.add(game)

    assert list(range(29, 17, -1)) == [play[0] for play in found.best_plays()]
