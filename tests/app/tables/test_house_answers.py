"""What people answer at Scrabble House, on one board and on two, seen through HTTP."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.app.tables.registry import Tables
from tests.app.observers.test_two_boards import EMPTY, GARDEN, HOUSE, both, over
from tests.app.server_help import act, board, make_session
from tests.app.tables.test_every_end import ANYBODY, FOUR, One, Two
from tests.app.tables.test_table import LIVE

STRICT = {"sh.opening": "any", "reject_invalid": True}
BOTH = over(GARDEN, HOUSE)
HEART = over(BOTH, board(K4="EART"))


@pytest.fixture
def session(tmp_path):
    """A server that reads text pictures."""
    session = make_session(tmp_path)
    yield session
    session.close()


def one(session, *rows):
    live = One(session, game="scrabble-house", players=FOUR[:2], settings=STRICT)
    live.show(*rows)
    return live


def two(session, *pairs):
    live = Two(session, game="scrabble-house", players=FOUR, settings=STRICT)
    live.show((HOUSE, EMPTY), (HOUSE, GARDEN), *pairs)
    return live


def put_down(live, question, value):
    """What people answer, with the board that the question names."""
    told = {k: question[k] for k in ("field", "board", "square") if question.get(k) is not None}
    return act(live.client, live.made, {"action": "answer", **told, "value": value})


def plays(live):
    """Who played what so far."""
    return [(e["player"], [w["word"] for w in e["words"]]) for e in live.now["history"]]


SOUTH = over(BOTH, board(K5="XKQ"))
GATE = over(BOTH, board(F5="eta"))
NORTH = over(HEART, board(F5="xkq"))


@pytest.mark.parametrize(
    ("before", "refused", "played"),
    [
        ([HOUSE, BOTH], SOUTH, ("Ann", ["XKQH"])),
        ([HOUSE, BOTH, HEART], NORTH, ("Bob", ["GQKX"])),
    ],
)
def test_a_word_outside_the_list_counts(session, before, refused, played):
    """Whoever laid it, as that player reads it."""
    live = one(session, *before)
    live.show(refused)
    (question,) = live.now["questions"]
    done = put_down(live, question, "it counts")
    live.show(refused)

    assert 200 == done.status_code
    assert played == plays(live)[-1]
    assert [] == live.now["questions"]


@pytest.mark.parametrize(
    ("before", "refused", "played"),
    [
        ([(HOUSE, BOTH)], (HOUSE, over(BOTH, board(F5="xkq"))), ("Dan", ["GQKX"])),
        ([(BOTH, GARDEN)], (SOUTH, GARDEN), ("Ann", ["XKQH"])),
        ([(HOUSE, BOTH), (HOUSE, GATE)], (HOUSE, over(GATE, SOUTH)), ("Cyd", ["XKQH"])),
    ],
)
def test_a_word_outside_the_list_counts_on_two_boards(session, before, refused, played):
    """It stands in the game of both boards, also when the other one goes on."""
    live = two(session, *before)
    live.show(refused)
    (question,) = live.now["questions"]
    done = put_down(live, question, "it counts")
    told = plays(live)
    live.show(refused)

    assert 200 == done.status_code
    assert played == told[-1]
    assert told == plays(live)
    assert [] == live.now["questions"]


@pytest.mark.parametrize(("number", "player"), [(1, "Ann"), (2, "Cyd")])
@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize(("value", "played"), [(0, ["CATS"]), (1, ["CAT", "CATS"])])
def test_whether_it_was_one_play_is_asked_with_its_board(
    session, number, player, restarts, value, played
):
    """As all that is asked at two boards; the answer tells of that board, whoever is at the other."""
    live = Two(session, game="scrabble-house", players=FOUR, settings={"sh.opening": "any"})

    def shown(rows, **facts):
        pair = (rows, EMPTY) if number == 1 else (EMPTY, rows)
        return live.table.observe(both(*pair), how=replace(LIVE, **facts))

    shown(board(O1="CAT"))
    said = shown(board(O1="CATS"), pause_s=8.5)["say"]
    (question,) = live.now["questions"]
    if restarts:
        session.tables.forget(live.table.id)
        live.table = session.tables.get(live.table.id)
        (question,) = live.now["questions"]
    told = {k: question[k] for k in ("field", "board", "photo")}
    said_so = {"action": "answer", **told, "value": question["choices"][value]}
    done = act(live.client, live.made, said_so)

    prompt = f"Board {number}: Is that one play, or two?"
    assert ([prompt], prompt, number, player) == (
        said,
        *(question[k] for k in ("prompt", "board", "player")),
    )
    assert (200, []) == (done.status_code, live.now["questions"])
    assert [(player, [word]) for word in played] == [p for p in plays(live) if p[1]]


CAT, CATS = board(O1="CAT"), board(O1="CATS")


class Apart:
    """Two boards, at each of which people play; `own` is the one that is asked about."""

    def __init__(self, session, own):
        self.live = Two(
            session, game="scrabble-house", players=FOUR, settings={"sh.opening": "any"}
        )
        self.own, self.rows = own, [EMPTY, EMPTY]

    def shown(self, at_own, rows, **facts):
        """A board that came to rest beside the other one; what is said."""
        self.rows[self.own if at_own else 1 - self.own] = rows
        how = replace(LIVE, **facts)
        return self.live.table.observe(both(*self.rows), how=how)["say"]

    def words(self):
        """Every play with its player, of this board and of the other."""
        return sorted(p for p in plays(self.live) if p[1])


@pytest.mark.parametrize("own", [0, 1])
@pytest.mark.parametrize(
    ("first", "second", "soon", "played", "asked"),
    [
        (1.0, 1.0, False, ["CATS"], False),
        (3.0, 5.0, False, ["CATS"], True),
        (4.0, 8.0, False, ["CAT", "CATS"], True),
        (8.0, 9.0, False, ["CAT", "CATS"], False),
        (7.0, 1.0, True, ["CATS"], True),
        (16.0, 1.0, True, ["CAT", "CATS"], False),
    ],
)
def test_a_play_goes_on_though_the_other_board_played(
    session, own, first, second, soon, played, asked
):
    """The pause is the one of that board, and so is whose hand came back at once."""
    apart = Apart(session, own)
    apart.shown(True, CAT)
    apart.shown(False, GARDEN, pause_s=first)
    said = apart.shown(True, CATS, pause_s=second, soon=soon)
    player, other = (("Ann", "Dan"), ("Cyd", "Bob"))[own]

    mine = [(player, [word]) for word in played]
    assert sorted([*mine, (other, ["GARDEN"])]) == apart.words()
    assert (f"Board {own + 1}: Is that one play, or two?" if asked else "CATS.") == said[-1]
    assert all(line in ("Bob passes.", "Dan passes.") for line in said[:-1])
    assert asked == bool(apart.live.now["questions"])


@pytest.mark.parametrize("own", [0, 1])
def test_a_play_laid_elsewhere_though_the_other_board_played(session, own):
    """Within one visit of the hand: one play, and the other board's stays."""
    apart = Apart(session, own)
    apart.shown(True, CAT)
    apart.shown(False, GARDEN, pause_s=3.0)
    said = apart.shown(True, board(O4="CAT"), pause_s=3.0)
    player, other = (("Ann", "Dan"), ("Cyd", "Bob"))[own]

    assert sorted([(player, ["CAT"]), (other, ["GARDEN"])]) == apart.words()
    assert ["CAT is taken up and laid elsewhere.", "CAT."] == said


@pytest.mark.parametrize("seconds", [5.0, 9.0])
@pytest.mark.parametrize(("choice", "played"), [(0, ["CATS"]), (1, ["CAT", "CATS"])])
def test_the_answer_leaves_what_the_other_board_played_between(session, seconds, choice, played):
    """Whichever counted first: a play of the other board is part of neither."""
    apart = Apart(session, 0)
    apart.shown(True, CAT)
    apart.shown(False, GARDEN, pause_s=3.0)
    apart.shown(True, CATS, pause_s=seconds)
    (question,) = apart.live.now["questions"]
    told = {k: question[k] for k in ("field", "board", "photo")}
    value = sorted(question["choices"], key=len)[choice]
    done = act(apart.live.client, apart.live.made, {"action": "answer", **told, "value": value})

    assert 200 == done.status_code
    assert sorted([*(("Ann", [w]) for w in played), ("Dan", ["GARDEN"])]) == apart.words()


BLANK = board(O1="C?T")


@pytest.mark.parametrize(
    ("pair", "square", "where"),
    [((BLANK, EMPTY), "1:O2", (0, 14)), ((EMPTY, BLANK), "2:O2", (1, 14))],
)
def test_the_letter_of_a_blank_is_asked_on_either_board(session, pair, square, where):
    """Until somebody says it, also when it is seen again and after it was taken back."""
    live = Two(session, game="scrabble-house", players=FOUR, settings=STRICT)
    live.show(pair)
    (first,) = live.now["questions"]
    put_down(live, first, "A")
    told = live.now
    act(live.client, live.made, {"action": "undo"})
    (again,) = live.now["questions"]
    index, row = where

    prompt = f"Board {index + 1}: Which letter is the blank on O2?"
    keys = ("field", "square", "board", "prompt", "choices")
    assert ("blank", square, index + 1, prompt) == tuple(first[k] for k in keys[:-1])
    assert [first[k] for k in keys] == [again[k] for k in keys]
    assert "A" in first["choices"]
    assert ([], "CAT") == (told["questions"], told["view"]["boards"][index][row][:3])


def test_a_blank_that_was_typed_is_asked_about_too(session):
    """Nobody saw it; the question is the same."""
    settings = {**STRICT, "sh.clocks": "off"}
    live = Two(session, game="scrabble-house", players=FOUR, settings=settings)
    tiles = {"O1": "C", "O2": "?", "O3": "T"}
    act(live.client, live.made, {"action": "place", "player": "Cyd", "tiles": tiles})
    (question,) = live.now["questions"]

    asked = ("blank", "2:O2", 2, "Board 2: Which letter is the blank on O2?")
    assert asked == tuple(question[k] for k in ("field", "square", "board", "prompt"))
    assert "A" in question["choices"]


@pytest.mark.parametrize(
    ("pairs", "player"),
    [
        ([(BLANK, EMPTY)], "Ann"),
        ([(EMPTY, BLANK)], "Cyd"),
        ([(EMPTY, HOUSE), (BLANK, HOUSE)], "Ann"),
        ([(HOUSE, EMPTY), (HOUSE, BLANK)], "Cyd"),
        ([(EMPTY, BLANK), (board(O1="CAT"), BLANK)], "Cyd"),
    ],
)
def test_the_letter_of_a_blank_is_asked_of_who_laid_it(session, pairs, player):
    """Of the two players at its board, also where another play lies on that square elsewhere."""
    live = Two(session, game="scrabble-house", players=FOUR, settings=STRICT)
    live.show(*pairs)
    (question,) = live.now["questions"]

    assert player == question["player"]


def test_four_sides_are_learnt_shown_and_corrected(session):
    """Hands tell at which side of the picture each of four sits; a tap, kept, says otherwise."""
    live = Two(session, game="scrabble-house", players=FOUR, settings=ANYBODY)
    shown = [(HOUSE, EMPTY), (over(HOUSE, GARDEN), EMPTY), (HEART, EMPTY)]
    for (left, right), side in zip(shown, ["bottom", "top", "bottom"], strict=True):
        live.table.observe(both(left, right), how=replace(LIVE, side=side))
    learnt = {player: seat["side"] for player, seat in live.now["seats"].items()}
    told = act(live.client, live.made, {"action": "seat", "player": "Cyd", "side": "bottom"})
    again = Tables(session.tables.storage).get(live.made["table"])

    assert dict(zip(FOUR, ["bottom", None, None, None], strict=True)) == learnt
    assert 200 == told.status_code
    assert ["bottom", None, "bottom", None] == [again.tracker.side_of(p) for p in FOUR]
