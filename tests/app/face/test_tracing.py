"""`kibitz.trace`: from a finished board back to its game."""

from __future__ import annotations

import pytest

import kibitz
from kibitz.app.face.tracing import NotPlayable

ROWS = ["." * 15] * 7 + [".......C?TS...."] + ["." * 15] * 7


def test_a_game_is_told_with_players_and_points():
    """The first player began; a blank told by its square counts nothing."""
    found = kibitz.trace(ROWS, "Ann,Bob", letters={"H9": "a"}, turns={1: "CAT"})

    assert [{"Ann": 8, "Bob": 5}] == [dict(game.scores) for game in found.games]
    assert (["8H", "8H"], True) == (
        [play.place for play in found.games[0].order.plays],
        found.complete,
    )


def test_a_game_is_written_as_gcg_that_other_programs_read():
    """It plays again to the same points."""
    text = kibitz.trace(ROWS, "Ann,Bob", letters={"H9": "a"}, turns={1: "CAT"}).games[0].gcg()

    assert [">Ann:", ">Bob:"] == [x.split()[0] for x in text.splitlines() if x.startswith(">")][:2]
    assert "8H CaT +8 8" in text


def test_a_blank_that_may_be_several_letters_is_asked_about():
    """Not guessed."""
    with pytest.raises(kibitz.CommandError, match="blank on H9"):
        kibitz.trace(ROWS)


def test_what_people_know_comes_from_a_list_too():
    """A word by its turn, who began, what lies on a square."""
    told = [{"turn": 1, "word": "CaT"}, {"began": "Bob"}, {"square": "H9", "value": "a"}]
    found = kibitz.trace(ROWS, "Ann,Bob", told=told)

    assert [{"Bob": 8, "Ann": 5}] == [dict(game.scores) for game in found.games]


def test_the_points_of_a_score_sheet_tell_the_game():
    """From a list of what is known, or by themselves."""
    told = [{"points": [None, 5]}]
    listed = kibitz.trace(ROWS, "Ann,Bob", letters={"H9": "a"}, told=told)
    given = kibitz.trace(ROWS, "Ann,Bob", letters={"H9": "a"}, points=[8, 5])

    assert [{"Ann": 8, "Bob": 5}] == [dict(game.scores) for game in listed.games]
    assert listed == given


def test_tiles_of_two_letters_are_said_as_people_write_them():
    """CALLE on four tiles, told and remembered as CALLE."""
    rows = ["." * 15] * 7 + [".......CAĹE...."] + ["." * 15] * 7
    found = kibitz.trace(rows, tiles="es", turns={1: "calle"}, lexicon="none")

    assert {"CALLE"} == {game.order.plays[0].word for game in found.games}


def test_a_board_that_nobody_can_have_laid_is_an_error_of_its_own():
    """With why."""
    rows = ["CAT" + "." * 12] + ["." * 15] * 14
    with pytest.raises(NotPlayable, match="Nothing lies on the star"):
        kibitz.trace(rows)


@pytest.mark.parametrize(
    "given",
    [
        {"players": "Ann"},
        {"letters": {"Z99": "A"}},
        {"letters": {"H9": "12"}},
        {"most": 0},
        {"told": [{"turn": "x"}]},
        {"told": [{"points": ["8"]}]},
        {"told": [{"began": "Cid"}]},
    ],
)
def test_what_cannot_be_meant_is_refused(given):
    """Before anything is looked for."""
    with pytest.raises(kibitz.UsageError):
        kibitz.trace(ROWS, **given)
