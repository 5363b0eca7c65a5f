"""Signals that end a turn: what lies there counts before what people then say."""

from __future__ import annotations

import zlib

import cv2
import numpy as np
import pytest

from kibitz.app.cameras.settling import RestRule
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.engine.rules import Action, Refused
from kibitz.vision.stream.stillness import relief_of
from tests.app.server_help import board, make_session, picture_of

HOST = Actor("host")
SOUTH = {"rotation": [[0] * 15] * 15}
WHOLE = [[0, 0], [1000, 0], [1000, 1000], [0, 1000]]


def frame(rows, facts):
    """A picture of a board that looks different wherever something on it differs."""
    data = picture_of(rows, **{"corners_px": WHOLE, **facts})
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    rng = np.random.default_rng(zlib.crc32(repr((rows, facts)).encode()))
    blocks = rng.integers(0, 2, (8, 16, 1), np.uint8) * 255
    picture[160:] = np.kron(blocks, np.ones((20, 20, 3), np.uint8))
    return cv2.imencode(".png", picture)[1].tobytes()


@pytest.fixture
def session(tmp_path):
    session = make_session(tmp_path, rest=RestRule())
    yield session
    session.close()


class Filmed:
    """A table whose camera shows a board for some frames."""

    def __init__(self, session, game="scrabble", players=("Ann", "Bob"), **settings) -> None:
        self.table = session.tables.create(Order(game, players, settings)).table
        self.camera = session.camera(self.table)
        self._number = 0

    def show(self, rows, frames, **facts):
        """The same board for so many frames, ten a second."""
        data = frame(rows, facts)
        for _ in range(frames):
            self.camera.take(data, stream=True, at=self._number / 10)
            self._number += 1

    def act(self, kind, player=None, **data):
        """What a person does."""
        return self.table.act(Action(kind, player, data=data), HOST)

    def done(self):
        """Who did what, with which words."""
        return [
            (entry["player"], entry["action"], [w["word"] for w in entry["words"]])
            for entry in self.table.history()
        ]


@pytest.mark.parametrize("frames", [2, 4])
def test_a_pass_comes_after_the_play_that_lies_there(session, frames):
    """Who passes passes after the play that was laid just before, told or not."""
    filmed = Filmed(session)
    filmed.show(board(), 10)
    filmed.show(board(H7="CAT"), frames)
    before = filmed.done()
    filmed.act("pass")
    filmed.show(board(H7="CAT"), 10)

    assert [] == before
    assert [("Ann", "place", ["CAT"]), ("Bob", "pass", [])] == filmed.done()


def test_a_challenge_is_of_the_play_that_was_told(session):
    """Tiles laid a moment ago are not what somebody challenges who saw the play before."""
    filmed = Filmed(session, reject_invalid=False, challenge="double")
    filmed.show(board(), 10)
    filmed.show(board(H7="CATX"), 15)
    filmed.show(board(H7="CATX", v_I9="A"), 2)
    outcome = filmed.act("challenge")

    assert not isinstance(outcome, Refused)
    assert ["place", "challenge"] == [action for _, action, _ in filmed.done()]
    assert {"Ann": 0, "Bob": 0} == dict(filmed.table.view(HOST)["scores"])


def test_the_clock_ends_the_turn(session):
    """The play lies there when its player presses the clock: it is the presser's play."""
    filmed = Filmed(session, "scrabble-house", ("South", "North"), reject_invalid=False)
    filmed.show(board(), 10)
    filmed.show(board(O7="CAT"), 2, **SOUTH)
    filmed.act("press_clock", "South")

    assert [("South", "place", ["CAT"]), ("South", "press_clock", [])] == filmed.done()
    assert ["North"] == filmed.table.view(HOST)["running"]


@pytest.mark.parametrize(
    ("pause", "expected"), [(2, [5, 8]), (7, [5, 8]), (14, [5, 5]), (20, [5, 5])]
)
def test_who_fetches_tiles_slowly_is_waited_for_longer(session, pause, expected):
    """A play that goes on at once was told too early: from then on 0.7 seconds are waited."""
    filmed = Filmed(session)
    filmed.show(board(), 10)
    filmed.show(board(H7="CAT"), 4 + pause)
    filmed.show(board(H7="CATS"), 10)
    told = []
    for more in ({"v_H7": "COT"}, {"v_H7": "COT", "v_H10": "SON"}):
        before, frames = len(filmed.done()), 0
        while len(filmed.done()) == before and frames < 20:
            filmed.show(board(H7="CATS", **more), 1)
            frames += 1
        told.append(frames)

    assert expected == told


def test_the_button_looks_at_once(session):
    """Whoever says that the play lies there is told what is seen, without waiting."""
    filmed = Filmed(session)
    filmed.show(board(), 10)
    filmed.show(board(H7="CAT"), 2)
    outcome = filmed.act("look")

    assert {"status": "play"} == outcome.verdict.result
    assert [("Ann", "place", ["CAT"])] == filmed.done()


def test_the_button_finds_again_what_was_undone(session):
    """The camera alone leaves it undone, however long the tiles lie there."""
    filmed = Filmed(session)
    filmed.show(board(), 10)
    filmed.show(board(H7="CAT"), 10)
    undone = filmed.act("undo")
    filmed.show(board(H7="CAT"), 20)
    between = filmed.done()
    looked = filmed.act("look")

    assert undone.verdict.result["tiles_lie"]
    assert ([], {"status": "play"}) == (between, looked.verdict.result)
    assert [("Ann", "place", ["CAT"])] == filmed.done()


def test_the_button_says_why_nothing_is_seen(session):
    """No camera, something that moves, a hand, and nothing new are told apart."""
    blind = session.tables.create(Order("scrabble", ("Ann", "Bob"))).table
    filmed = Filmed(session)
    codes = [blind.act(Action("look"), HOST), filmed.act("look")]
    filmed.show(board(), 10)
    nothing = filmed.act("look")
    filmed.show(board(H7="CAT"), 1)
    codes.append(filmed.act("look"))
    filmed.show(board(H7="CAT"), 2, occluded=[[7, 8], [7, 7]])
    codes.append(filmed.act("look"))

    assert ["no_camera", "no_camera", "moving", "covered"] == [c.code for c in codes]
    assert {"status": "no_change"} == nothing.verdict.result
    assert [] == filmed.done()


def test_what_is_half_hidden_is_not_told_before_a_pass(session):
    """A play under a hand is waited for, whatever is said meanwhile."""
    filmed = Filmed(session)
    filmed.show(board(), 10)
    filmed.show(board(H7="CAT"), 3, occluded=[[7, 8]])
    filmed.act("pass")

    assert [("Ann", "pass", [])] == filmed.done()


def test_tiles_that_are_no_play_yet_are_waited_for(session):
    """Who fetches the next tile is not asked at once why the first touches nothing."""
    filmed = Filmed(session)
    filmed.show(board(), 10)
    filmed.show(board(A1="C"), 25)
    early = filmed.camera.newest.line, filmed.table.seq
    filmed.show(board(A1="C"), 10)
    late = [s.data["line"]["status"] for s in filmed.table.steps]

    assert (None, 0) == early
    assert ["question"] == late


def looked_at(monkeypatch):
    """The times at which frames were looked at for movement from now on."""
    looks = []

    def look(data, *more):
        looks.append(data)
        return relief_of(data, *more)

    monkeypatch.setattr("kibitz.app.cameras.table_camera.relief_of", look)
    return looks


def test_in_a_calm_three_of_four_frames_are_passed_over(session, monkeypatch):
    """Once all is told twelve frames need three looks."""
    filmed = Filmed(session)
    filmed.show(board(H7="CAT"), 10)
    looks = looked_at(monkeypatch)
    filmed.show(board(H7="CAT"), 12)

    assert 3 == len(looks)


def test_until_it_is_told_no_frame_is_passed_over(session, monkeypatch):
    """While a position comes to rest every frame is looked at."""
    filmed = Filmed(session)
    filmed.show(board(), 20)
    filmed.show(board(H7="CAT"), 3)
    looks = looked_at(monkeypatch)
    filmed.show(board(H7="CAT"), 2)

    assert 2 == len(looks)


@pytest.mark.parametrize("before", range(20, 24))
def test_a_frame_passed_over_is_looked_at_when_something_moved(session, before):
    """A play is told as soon as without passing over: 0.4 seconds after its first frame."""
    filmed = Filmed(session)
    filmed.show(board(), before)
    told = []
    for _ in range(6):
        filmed.show(board(H7="CAT"), 1)
        told.append(bool(filmed.done()))

    assert [False] * 4 + [True] * 2 == told


def scene(rows, *, arm, reach=48, right=False):
    """A picture with a board in its middle, where an arm may reach up to an edge of it."""
    square = [[188, 188], [812, 188], [812, 812], [188, 812]]
    data = np.frombuffer(picture_of(rows, corners_px=square), np.uint8)
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
    if rows != board():
        picture[150:166, 150:190] = 255
    if arm:
        columns = slice(-reach, None) if right else slice(reach)
        picture[150:175, columns] = 255
    return cv2.imencode(".png", picture)[1].tobytes()


@pytest.mark.parametrize(("arm", "expected"), [(False, 5), (True, 11)])
def test_an_arm_beside_the_board_may_lay_the_next_tile(session, arm, expected):
    """A play waits until one that was not there before has held still for a second."""
    filmed = Filmed(session)
    told = []
    for number in range(40):
        shown = scene(board(), arm=False) if number < 20 else scene(board(H7="CAT"), arm=arm)
        filmed.camera.take(shown, stream=True, at=number / 10)
        told += [number - 19] if filmed.done() and not told else []

    assert [expected] == told


def test_a_visit_that_changed_nothing_says_nothing_of_the_next_play(session):
    """Whose hand came last before the tiles lay there laid them, not one that came and went."""
    filmed = Filmed(session)
    cat, reaches = board(H7="CAT"), (40, 44, 46, 48)
    visit = [scene(board(), arm=True, reach=r) for r in (*reaches, *reaches)]
    lays = [scene(board(), arm=True, reach=r, right=True) for r in reaches]
    rest, laid = scene(board(), arm=False), scene(cat, arm=False)
    for number, shown in enumerate([rest] * 20 + visit + [rest] * 8 + lays + [laid] * 10):
        filmed.camera.take(shown, stream=True, at=number / 10)

    assert [("Ann", "place", ["CAT"])] == filmed.done()
    assert {0: "right"} == filmed.table.known.tracker.hands


def asked(filmed):
    """The fields of what people are asked."""
    return [q["field"] for q in filmed.table.questions()]


@pytest.mark.parametrize(
    ("shown", "question"),
    [(board(H9="ATS", v_I8="OW"), "board_changed"), (board(H8="CA"), "clearing")],
    ids=["a tile is gone", "many are"],
)
def test_a_question_about_the_board_ends_when_all_lies_there_again(session, shown, question):
    """Nothing has happened then, and nothing is asked any more."""
    filmed = Filmed(session)
    for rows in (board(), board(H8="CAT"), board(H8="CATS"), board(H8="CATS", v_H8="COW")):
        filmed.show(rows, 20)
    filmed.show(shown, 40)
    before = asked(filmed)
    filmed.show(board(H8="CATS", v_H8="COW"), 40)

    assert ([question], []) == (before, asked(filmed))


def test_refused_tiles_are_asked_about_after_another_tile_was_put_right(session):
    """They still lie there: the same picture is looked at once more."""
    filmed = Filmed(session)
    for rows in (board(), board(H8="CAT")):
        filmed.show(rows, 20)
    filmed.show(board(H8="CAT", v_H8="CXQ"), 40)
    before = asked(filmed)
    filmed.act("correct", square="H10", letter="R")
    filmed.show(board(H8="CAT", v_H8="CXQ"), 20)

    assert (["play"], ["play"]) == (before, asked(filmed))
