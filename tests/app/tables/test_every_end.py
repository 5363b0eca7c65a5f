"""A board that is cleared away ends any game that people say is over, with what was counted."""

from __future__ import annotations

import random

import pytest

from kibitz.engine.rules import Action
from kibitz.vision.readings import PhotoReading
from kibitz.vision.request import ReadRequest
from tests.app.observers.test_two_boards import EMPTY, GARDEN, HOST, HOUSE, both, over, reading
from tests.app.server_help import LETTERS, board, make_session
from tests.app.tables.test_table import LIVE, Live
from tests.engine.tracking.explanations.test_clearing import without
from tests.helpers.fake_readings import Noise, reading_from_truth

FOUR = ("Ann", "Bob", "Cyd", "Dan")
ANYBODY = {"sh.opening": "any"}
HEART = over(over(HOUSE, GARDEN), board(K4="EART"))
CROSS = board(H8="CATS", v_H8="COWS")


@pytest.fixture
def session(tmp_path):
    """A server that reads text pictures."""
    session = make_session(tmp_path)
    yield session
    session.close()


class One(Live):
    """A table of one board of Scrabble House."""

    def show(self, *boards, **_facts):
        """Positions that came to rest; the line of the last one."""
        line = {}
        for rows in boards:
            shown = PhotoReading(1000, 500, (reading(rows, 20.0),))
            line = self.table.observe(shown, how=LIVE)
        return line


class Two(Live):
    """A table of two boards."""

    def show(self, *pairs, **_facts):
        """Positions of both that came to rest; the line of the last one."""
        line = {}
        for left, right in pairs if len(pairs[0]) == 2 else [(EMPTY, EMPTY)]:
            line = self.table.observe(both(left, right), how=LIVE)
        return line


class Nine(Live):
    """A table of nine joined boards."""

    def show(self, *grids, **_facts):
        """Positions that came to rest; the line of the last one."""
        line = {}
        for rows in grids:
            whole = rows if len(rows) == 45 else joined()
            truth = {"board": whole, "corners_px": [[0, 0], [999, 0], [999, 999], [0, 999]]}
            request = ReadRequest(45, tuple(LETTERS))
            shown = reading_from_truth(truth, request, Noise(), random.Random(1))
            line = self.table.observe(shown, how=LIVE)
        return line


def joined(*words: tuple[int, int, str, bool]) -> list[str]:
    """Nine boards as 45 rows: each word at its row and column, down or across."""
    rows = [["."] * 45 for _ in range(45)]
    for row, col, word, down in words:
        for i, letter in enumerate(word):
            rows[row + i * down][col + i * (not down)] = letter
    return ["".join(row) for row in rows]


CATS = (22, 20, "CATS", False)
NINE = joined(CATS, (7, 20, "COWS", False), (22, 35, "TEAM", False))


def scrabbage(session):
    live = Live(session, game="scrabbage")
    live.show(*(board(H8="CATS"[:n]) for n in range(1, 5)))
    live.show(*(board(H8="CATS", v_H8="COWS"[:n]) for n in range(2, 5)))
    return live, [without(CROSS, "H8", "I8", "J8", "K8", "H9", "H10"), board()]


def house(session):
    live = One(session, game="scrabble-house", players=FOUR[:2], settings=ANYBODY)
    live.show(HOUSE, over(HOUSE, GARDEN), HEART)
    return live, [without(HEART, "K4", "K5", "K6", "K7", "L8", "M8", "A8"), EMPTY]


def two_boards(session):
    live = Two(session, game="scrabble-house", players=FOUR, settings=ANYBODY)
    live.show((HOUSE, EMPTY), (HOUSE, GARDEN), (over(HOUSE, GARDEN), GARDEN), (HEART, GARDEN))
    some = without(HEART, "K4", "K5", "K6", "K7", "L8", "M8", "A8")
    return live, [(some, GARDEN), (EMPTY, without(GARDEN, "A8", "B8", "C8")), (EMPTY, EMPTY)]


def frank(session):
    live = Nine(session, game="frankenscrabbards")
    live.show(joined(CATS), joined(CATS, (7, 20, "COWS", False)), NINE)
    return live, [joined((22, 20, "CA", False), (7, 20, "C", False)), joined()]


KEPT = ("scores", "total_words", "boards", "board", "board45")


@pytest.mark.parametrize(
    ("play", "line"),
    [
        (scrabbage, "A draw, 4 to 4."),
        (house, "The game is over."),
        (two_boards, "The game is over."),
        (frank, "The attempt is abandoned after 3 words."),
    ],
)
def test_people_say_that_the_game_is_over(session, play, line):
    """The answer ends it; what was counted stays, and the rest goes without a word."""
    live, put_away = play(session)
    before = live.now["view"]
    live.show(put_away[0])
    question = live.now["questions"][0]
    done = live.answer(question, "the game is over")
    after = live.now
    said = [live.show(rows)["say"] for rows in put_away[1:]]

    assert "clearing" == question["field"]
    assert (200, True, []) == (done.status_code, after["over"], after["questions"])
    assert [line] == done.json()["say"]
    assert {k: before.get(k) for k in KEPT} == {k: after["view"].get(k) for k in KEPT}
    assert [[]] * len(said) == said
    assert [] == live.now["questions"]


@pytest.mark.parametrize("play", [scrabbage, house, two_boards, frank])
def test_the_button_for_the_end_comes_first(session, play):
    """Then the board is only put away: nothing is asked and nothing taken back."""
    live, put_away = play(session)
    entries = len(live.now["history"])
    kind = live.table.ledger.game.info.end_action
    assert kind is not None
    live.table.act(Action(kind), HOST)
    said = [live.show(rows)["say"] for rows in put_away]

    assert live.now["over"] is True
    assert [[]] * len(said) == said
    assert [] == live.now["questions"]
    assert entries + 1 == len(live.now["history"])
