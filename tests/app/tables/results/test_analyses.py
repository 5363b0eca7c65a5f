"""Which games are analysed, and what is told of each turn and player."""

from __future__ import annotations

import pytest

from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.results import analyses
from kibitz.app.tables.results.analyses import (
    Analyses,
    AnalysesRule,
    AnalysisError,
    check_analysed,
    has_word_list,
    totals,
)
from kibitz.engine.record.analysis import Turn, analyse_stepwise
from kibitz.engine.rules import Action

HOST = Actor("host")
END = Action("end_game")


def played(tables, *actions, game="scrabble", lexicon="default"):
    """A table at which people told some actions."""
    table = tables.create(Order(game, ("Ann", "Bob"), lexicon=lexicon)).table
    for action in actions:
        table.act(action, HOST)
    return table


def cat():
    """A play of ten points."""
    return Action("place", "Ann", data={"tiles": {"H7": "C", "H8": "A", "H9": "T"}})


@pytest.mark.parametrize(
    ("game", "lexicon", "actions", "code"),
    [
        ("scrabbleship", "default", (), "no_analysis"),
        ("scrabble", "none", (END,), "no_word_list"),
        ("scrabble", "default", (), "not_over"),
        ("scrabble", "default", (END,), None),
    ],
)
def test_finished_games_of_scrabble_with_a_word_list_are_analysed(
    tables, game, lexicon, actions, code
):
    """All others say why they are not."""
    table = played(tables, *actions, game=game, lexicon=lexicon)
    try:
        found = check_analysed(table)
    except AnalysisError as error:
        found = error.code

    assert code == found
    assert (lexicon == "default") == has_word_list(table)


def analysed(kept, table):
    """The analysis of a table, with as many shares of work as it takes."""
    while (found := kept.go_on(table)) is None:
        pass
    return found


def test_a_game_without_a_turn_has_an_empty_analysis(tables):
    """It is known from then on."""
    kept, table = Analyses(), played(tables, END)
    before = kept.known(table)
    made = analysed(kept, table)

    assert (None, {"turns": [], "players": {}}) == (before, made)
    assert made is kept.known(table) is analysed(kept, table)


def test_a_turn_is_told_beside_its_best_plays(tables):
    """CAT at H7 has ten points, as the best place for these tiles has."""
    made = analysed(Analyses(), played(tables, cat(), END))
    (turn,) = (turn for turn in made["turns"] if turn["kind"] == "play")

    assert ("Ann", "8G", "CAT", 10) == tuple(turn[k] for k in ("player", "place", "word", "score"))
    assert (10, 0, False, []) == (
        turn["best"][0]["score"],
        turn["missed"],
        turn["came_off"],
        turn["not_in_list"],
    )


def test_the_oldest_analysis_is_given_up_first(tables):
    """Of so many that are kept."""
    kept = Analyses(AnalysesRule(kept=2))
    games = [played(tables, END) for _ in range(3)]
    for table in games:
        analysed(kept, table)

    assert [False, True, True] == [kept.known(table) is not None for table in games]


def test_a_long_analysis_leaves_room_for_others(tables):
    """Each share of the work ends soon; meanwhile another game is analysed whole."""
    kept = Analyses(AnalysesRule(share_s=0.001))
    held = Action("racks", data={"racks": {"Ann": list("CATERS?")}})
    long, short = played(tables, held, cat(), END), played(tables, END)
    first = kept.go_on(long)
    other = analysed(kept, short)
    shares = 1
    while kept.go_on(long) is None:
        shares += 1

    assert (None, {"turns": [], "players": {}}) == (first, other)
    assert shares > 2
    assert analysed(kept, long) == analysed(Analyses(), long)


def test_an_analysis_that_fails_halfway_is_begun_anew(tables, monkeypatch):
    """Nothing of it is told as if it were whole."""
    kept, table = Analyses(), played(tables, cat(), END)

    def failing(*given):
        yield from (turn for turn in analyse_stepwise(*given) if turn is None)
        raise MemoryError

    with monkeypatch.context() as without_room:
        without_room.setattr(analyses, "analyse_stepwise", failing)
        with pytest.raises(MemoryError):
            analysed(kept, table)

    assert analysed(Analyses(), table) == analysed(kept, table)


@pytest.mark.parametrize(
    ("turns", "sums"),
    [
        ([], {}),
        ([("Ann", "rack")], {"Ann": {"turns": 1, "missed": 0, "racks": 1, "best": 1}}),
        (
            [("Ann", "part"), ("Bob", "rack"), ("Ann", "rack")],
            {
                "Ann": {"turns": 2, "missed": 0, "racks": 1, "best": 1},
                "Bob": {"turns": 1, "missed": 0, "racks": 1, "best": 1},
            },
        ),
    ],
)
def test_best_scores_are_counted_where_a_whole_rack_is_known(turns, sums):
    """Each player's own turns."""
    told = [
        Turn(k, who, "pass", "", "", 0, (), False, "", known, ())
        for k, (who, known) in enumerate(turns)
    ]

    assert sums == totals(told)
