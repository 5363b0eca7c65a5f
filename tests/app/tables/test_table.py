"""What a live table asks and tells about plays taken off, seen through HTTP."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from fastapi.testclient import TestClient

from kibitz.app.cameras.settling import RestRule
from kibitz.app.server.app import create_app
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.engine.rules import Action
from kibitz.engine.tracking.evidence.hypotheses import Capture
from tests.app.cameras.test_turn_ends import HOST, Filmed
from tests.app.server_help import LETTERS, act, board, make_session, new_table, state
from tests.app.tables.test_ship_cards import FLEETS
from tests.helpers.fake_readings import reading_of_rows
from tests.helpers.loose_readings import photo

pytestmark = pytest.mark.fast

LIVE = Capture(live=True)
CAT, CATS = board(H8="CAT"), board(H8="CATS")
COW = board(H8="CAT", v_H8="COW")
TWO_PLAYS = "Ann: CAT, Bob: CATS"
FREE = {"settings": {"reject_invalid": False}}


@pytest.fixture
def session(tmp_path):
    """A server that reads text pictures."""
    session = make_session(tmp_path)
    yield session
    session.close()


class Live:
    """A table before whose camera people play."""

    def __init__(self, session, **more) -> None:
        self.client = TestClient(create_app(session))
        self.made = new_table(self.client, **more)
        self.table = session.tables.get(self.made["table"])
        self.show(board())

    def show(self, *boards, **facts):
        """Positions that came to rest; the line of the last one."""
        line = {}
        for rows in boards:
            line = self.table.observe(reading_of_rows(rows, LETTERS, **facts), how=LIVE)
        return line

    @property
    def now(self):
        """The table as its host sees it."""
        return state(self.client, self.made, self.made["host_token"]).json()

    def answer(self, question, value):
        """What people say to a question."""
        told = {
            k: question[k] for k in ("field", "photo", "square") if question.get(k) is not None
        }
        return act(self.client, self.made, {"action": "answer", **told, "value": value})

    def words(self):
        """The main word of each play that stands or stood, with its player."""
        return [
            (e["player"], e["words"][0]["word"]) for e in self.now["history"] if e.get("words")
        ]


def asked(now):
    return [(q["field"], q["choices"]) for q in now["questions"]]


def test_a_play_taken_up_is_announced_and_asked_about_once(session):
    """It stays asked while the game goes on, and the answer puts the later play right."""
    live = Live(session, **FREE)
    line = live.show(CAT, CATS, CAT)
    live.show(COW)
    before, words = live.now, live.words()
    done = live.answer(before["questions"][0], "challenged off")

    assert "Bob takes CATS back and has the turn again." == line["say"][0]
    assert [("take_back", ["withdrawn", "challenged off"])] == asked(before)
    assert ("Bob", "COW") == words[-1]
    assert 200 == done.status_code
    told = ["CATS comes off; the turn is spent.", "Ann has 18, Bob has 0."]
    assert told == done.json()["say"]
    assert [] == live.now["questions"]
    assert ("Ann", "COW") == live.words()[-1]


@pytest.mark.parametrize(
    ("told", "say"),
    [
        (
            {"action": "pass", "player": "Ann"},
            ["CATS comes off; the turn is spent.", "Ann passes."],
        ),
        ({"action": "pass", "player": "Bob"}, ["Bob passes."]),
        ({"action": "exchange", "player": "Bob", "count": 3}, ["Bob exchanges 3."]),
    ],
)
def test_what_a_player_tells_next_says_whose_turn_it_was(session, told, say):
    """Only one answer fits it then: nobody is asked any more, and what it changes is said."""
    live = Live(session, **FREE)
    live.show(CAT, CATS, CAT)
    done = act(live.client, live.made, told)

    assert (say, []) == (done.json()["say"], live.now["questions"])


@pytest.mark.parametrize(
    "told",
    [
        [],
        [{"action": "answer", "field": "play", "value": "take it back"}],
        [{"action": "correct", "square": "H9", "letter": "U"}],
    ],
)
def test_refused_tiles_are_asked_about_also_after_an_undo(session, told):
    """As long as they lie there, whatever was taken back; and the answer is taken."""
    live = Live(session)
    live.show(CAT, board(H8="CAT", v_H8="CXQ"))
    before = asked(live.now)
    for action in (*told, {"action": "undo"}):
        act(live.client, live.made, action)
    after = live.now
    live.answer(after["questions"][0], "it counts")

    assert before == asked(after)
    assert "refused" in [t["task"] for t in after["tasks"]]
    assert [("Ann", "CAT"), ("Bob", "CXQ")] == live.words()


def test_a_word_is_allowed_as_it_is_shown(session):
    """PERRO of two tiles R is called PER-RO; the one with a tile RR is another word."""
    table = session.tables.create(
        Order("scrabble", ("Ann", "Bob"), {"lexicon_remove": ["PER-RO"]}, tiles="es")
    ).table
    squares = [f"H{column}" for column in range(6, 11)]
    laid = Action("place", "Ann", data={"tiles": dict(zip(squares, "PERRO", strict=True))})
    told = [laid, Action("allow_word", data={"word": "per-ro"}), laid]
    codes = [getattr(table.act(action, HOST), "code", None) for action in told]

    assert ["not_a_word", None, None] == codes


def test_refused_tiles_that_an_undo_lets_count_are_not_asked_about(session):
    """The next picture takes them for the play that they are then."""
    live = Live(session, settings={"lexicon_remove": ["CXQ"]})
    live.show(CAT, board(H8="CAT", v_H8="CXQ"))
    act(live.client, live.made, {"action": "allow_word", "word": "CXQ"})

    assert [] == asked(live.now)


@pytest.mark.parametrize(
    ("rules", "questions"), [({}, []), (FREE, [("take_back", ["withdrawn", "challenged off"])])]
)
def test_the_first_play_taken_up_is_a_take_back_like_any_other(session, rules, questions):
    """It stays in the history, and where it may have been challenged that is asked."""
    live = Live(session, **rules)
    line = live.show(CAT, board())
    now = live.now

    assert "Ann takes CAT back and has the turn again." == line["say"][0]
    assert ["place", "take_back"] == [e["action"] for e in now["history"]]
    assert ("Ann", {"Ann": 0, "Bob": 0}) == (now["view"]["to_move"], now["view"]["scores"])
    assert questions == asked(now)


def test_it_is_still_asked_after_a_restart(session):
    """The record holds that it is open."""
    live = Live(session, **FREE)
    live.show(CAT, CATS, CAT)
    question = live.now["questions"][0]
    again = Tables(session.tables.storage)
    table = again.get(live.made["table"])

    assert table is not None
    assert question["photo"] == table.ledger.done[-1].entry.photo
    assert table.ledger.done[-1].entry.action.data["open"] is True


def test_a_play_laid_elsewhere_is_one_play(session):
    """Nothing of the first place stays, and it is said that it was taken up."""
    live = Live(session, **FREE)
    line = live.show(CAT, board(H8="CAT", I8="HORT"), board(H8="CATHORT"))

    assert [("Ann", "CAT"), ("Bob", "CATHORT")] == live.words()
    assert "HORT is taken up and laid elsewhere." == line["say"][0]
    assert [] == live.now["questions"]


def test_a_play_that_people_told_apart_can_be_taken_up(session):
    """Two plays, not one: the second comes off alone, and its player has the turn again."""
    live = Live(session)
    live.show(CAT)
    live.table.observe(reading_of_rows(CATS, LETTERS), how=replace(LIVE, pause_s=5.0))
    live.answer(live.now["questions"][0], TWO_PLAYS)
    line = live.show(CAT)
    view = live.now["view"]

    assert ["Bob takes CATS back and has the turn again."] == line["say"]
    assert ("Bob", {"Ann": 10, "Bob": 0}) == (view["to_move"], view["scores"])


def test_the_last_play_can_be_taken_up_after_a_restart(session):
    """Which play is the newest, the record tells."""
    live = Live(session)
    live.show(CAT, CATS)
    live.table = Tables(session.tables.storage).get(live.made["table"])
    line = live.show(CAT)

    assert ["Bob takes CATS back and has the turn again."] == line["say"]


def test_of_tiles_laid_one_by_one_the_newest_is_taken_back(session):
    """Two turns in one picture: the second is taken up aloud, and both stay in the history."""
    live = Live(session, game="scrabbage")
    live.show(board(H8="CA"), CATS)
    line = live.show(CAT)
    now = live.now

    assert "taken_back" == line["status"]
    assert ["tile"] * 4 + ["take_back"] == [e["action"] for e in now["history"]]
    assert ("Bob", {"Ann": 2, "Bob": 0}) == (now["view"]["to_move"], now["view"]["scores"])


def test_a_first_play_that_reads_differently_later_is_put_right_aloud(session):
    """What was thought laid anew bit by bit is the same play: nobody took anything back."""
    live = Live(session)
    bat = board(H8="BAT")
    line = live.show(CAT, CAT, bat, bat)

    assert ["Correction: BAT for 10, not CAT."] == line["say"]
    assert [("Ann", "BAT")] == live.words()
    assert ["place"] == [e["action"] for e in live.now["history"]]


def test_a_cleared_board_keeps_its_scores(session):
    """Asked once, however many pictures the clearing takes; the answer ends the game."""
    live = Live(session)
    live.show(CAT, CATS, board(H8="CATS", v_H8="COW"))
    before = live.now["view"]["scores"]
    live.show(board(H8="CA"), board(H8="C"), board())
    now = live.now
    done = live.answer(now["questions"][0], "the game is over")

    assert [("clearing", ["the game is over", "it goes on"])] == asked(now)
    assert before == now["view"]["scores"]
    assert 200 == done.status_code
    assert (True, before, []) == (
        live.now["over"],
        live.now["view"]["scores"],
        live.now["questions"],
    )


def test_a_play_that_was_put_away_first_is_put_back_aloud(session):
    """It looked like one taken back; its points are said anew, and no letter of it is asked."""
    live = Live(session)
    live.show(CAT, CATS, board(H8="CATS", v_H8="COW"), CATS)
    line = live.show(board(H8="C"))

    cleared = "The board is being cleared: is the game over?"
    assert ["Put back: COW of Ann.", "Ann has 18.", cleared] == line["say"]
    assert [("clearing", ["the game is over", "it goes on"])] == asked(live.now)


def test_a_tile_that_is_the_one_before_after_all_is_put_back_aloud(session):
    """It was taken for another one laid in its place; no score changes in silence."""
    live = Live(session, game="scrabbage")
    live.show(*(board(H8="CAT"[:n]) for n in range(1, 4)), board(H8="CATB"))
    other = live.show(board(H8="CATE"))
    line = live.show(board(H8="CATB"))

    assert "Bob pegs 2: CATE for two." == other["say"][-1]
    assert ["Put back: B of Bob.", "Bob has 0."] == line["say"]


def test_a_take_back_that_is_undone_is_named_by_its_play(session):
    """Undo puts the play back, redo takes it back again."""
    live = Live(session)
    live.show(CAT, CATS, CAT)
    said = [
        act(live.client, live.made, {"action": kind}).json()["say"] for kind in ("undo", "redo")
    ]

    assert ["Put back: CATS of Bob.", "Bob has 6."] == said[0]
    assert ["Taken back: CATS of Bob.", "Bob has 0."] == said[1]


@pytest.mark.parametrize("gone", ["H8 H9 J8", "H8 H9 H10", "H9 H10 J8", "H9 H11 I8"])
def test_tiles_swept_off_leave_scores_and_plays(session, gone):
    """Three tiles gone are no four: a tile that no picture showed is not among them."""
    live = Live(session)
    whole = board(H8="CATS", v_H8="COW")
    live.show(CAT, CATS, whole)
    before = live.now
    rows = [list(row) for row in whole]
    for name in gone.split():
        rows["ABCDEFGHIJKLMNO".index(name[0])][int(name[1:]) - 1] = "."
    line = live.show(["".join(row) for row in rows])
    after = live.now

    assert "board_changed" == line["status"]
    assert before["view"]["scores"] == after["view"]["scores"]
    assert before["history"] == after["history"]


UNDONE = [{"action": "pass", "player": "Bob"}, {"action": "undo"}]
BAT_TOLD = [{"action": "correct", "square": "H8", "letter": "B"}]


@pytest.mark.parametrize(
    ("told", "restarts", "line"),
    [
        ([], False, "Correction: CATS for 12, not CAT."),
        ([], True, "Correction: CATS for 12, not CAT."),
        (UNDONE, False, "Correction: CATS for 12, not CAT."),
        (BAT_TOLD, False, "Correction: BATS for 12, not BAT."),
        (BAT_TOLD, True, "Correction: BATS for 12, not BAT."),
    ],
)
def test_a_play_that_was_longer_is_put_right_aloud(session, told, restarts, line):
    """The tile at the end was under a finger: the same player's play, announced as a correction.

    That more of it may lie there is known also after an undo, a correction and a restart.
    """
    live = Live(session)
    reading = reading_of_rows(CAT, LETTERS)
    kinds = reading.boards[0].kind_log_prob[7, 10]
    kinds[:] = np.log([0.7, 0.298, 0.001, 0.001])
    live.table.observe(reading, how=LIVE)
    for action in told:
        act(live.client, live.made, action)
    if restarts:
        live.table = Tables(session.tables.storage).get(live.made["table"])
    shown = live.show(CATS)

    assert [line] == shown["say"]
    assert ["Ann"] == [entry["player"] for entry in live.table.history()]


def test_what_else_a_picture_may_have_shown_is_known_after_an_undo_and_a_restart(session):
    """The record holds the other games."""
    live = Live(session)
    live.table.observe(doubtful(CAT, H8="CB"), how=LIVE)
    before = live.table.tracker.doubts()
    for action in UNDONE:
        act(live.client, live.made, action)
    again = Tables(session.tables.storage).get(live.made["table"])

    assert before.games
    assert before == live.table.tracker.doubts() == again.tracker.doubts()


@pytest.mark.parametrize("rest", [RestRule(), RestRule(doubtful_s=0.5)])
@pytest.mark.parametrize("before", [10, 30])
def test_a_pause_inside_a_play_is_asked_about(tmp_path, rest, before):
    """Filmed: four seconds without a hand, then the word goes on; the answer makes it two plays.

    However long the bare board was shown before, and however long doubtful plays are waited for.
    The longer word is told once no further tile has come for a while.
    """
    session = make_session(tmp_path, rest=rest)
    filmed = Filmed(session)
    filmed.show(board(), before)
    filmed.show(CAT, 45)
    filmed.show(CATS, 10)
    early = filmed.done()
    filmed.show(CATS, 50)
    once = filmed.done()
    (question,) = filmed.table.questions()
    filmed.act("answer", field=question["field"], photo=question["photo"], value=TWO_PLAYS)
    session.close()

    assert [("Ann", "place", ["CAT"])] == early
    assert [("Ann", "place", ["CATS"])] == once
    assert ["Ann: CATS", TWO_PLAYS] == question["choices"]
    assert [("Ann", "place", ["CAT"]), ("Bob", "place", ["CATS"])] == filmed.done()


def test_both_ways_can_be_chosen_on_the_page(session):
    """It stays asked until it is answered, also while play goes on."""
    live = Live(session)
    live.show(CAT)
    live.table.observe(reading_of_rows(CATS, LETTERS), how=replace(LIVE, pause_s=5.0))
    live.show(board(H8="CATS", v_H8="COW"))
    now = live.now
    done = live.answer(now["questions"][0], TWO_PLAYS)

    assert [("one_play", ["Ann: CATS", TWO_PLAYS])] == asked(now)
    assert (200, []) == (done.status_code, live.now["questions"])
    assert [("Ann", "CAT"), ("Bob", "CATS"), ("Ann", "COW")] == live.words()


@pytest.mark.parametrize(
    ("game", "first", "lines"),
    [
        (
            "scrabble",
            ["CAT"],
            [["Bob plays SON.", "9 for SON; 9."], ["Bob plays SONG.", "16 for SONG; 16."]],
        ),
        ("scrabbage", ["C", "CA", "CAT"], [[], ["Scrab for Ann: 6."]]),
    ],
)
def test_a_play_that_goes_on_says_only_what_is_new(session, game, first, lines):
    """What was said of its beginning and is so still is not said again."""
    live = Live(session, game=game)
    live.show(*(board(H8=word) for word in first))
    if game == "scrabbage":  # then what is laid is the scrab
        act(live.client, live.made, {"action": "end_of_play"})
    live.show(board(H8="CATS", v_H11="SO"))
    more = [reading_of_rows(board(H8="CATS", v_H11=x), LETTERS) for x in ("SON", "SONG")]
    said = [live.table.observe(x, how=replace(LIVE, pause_s=2.0))["say"] for x in more]

    assert lines == said


def test_a_play_over_a_wreck_goes_on(session):
    """Filmed: Bob pauses in ALES, whose E lies on the strip of a ship that is down."""
    live = Live(session, game="scrabbleship")
    for told in FLEETS:
        fleet = {k: v for k, v in told.items() if k != "before"}
        act(live.client, live.made, fleet, live.made["seat_tokens"][told["player"]])
    tom = {"H8": "CAT", "v_H10": "TOM"}
    strip = {"ships": [{"cells": [[9, 8], [9, 9], [9, 10], [9, 11]]}]}
    live.show(board(H8="CAT"), board(H8="CAT", I10="O"), board(**tom))
    live.show(board(**tom), board(**tom, v_H9="ALE"), **strip)
    before = live.words()
    whole = reading_of_rows(board(**tom, v_H9="ALES"), LETTERS, **strip)
    live.table.observe(whole, how=replace(LIVE, pause_s=2.0))

    assert [("Ann", "CAT"), ("Bob", "TO"), ("Ann", "TOM"), ("Bob", "ALE")] == before
    assert [*before[:3], ("Bob", "ALES")] == live.words()


def test_a_doubtful_letter_stays_asked_with_its_picture(session):
    """The next picture leaves it as doubtful: the question stays, and names the newest picture."""
    live = Live(session)
    reading = reading_of_rows(CAT, LETTERS)
    doubt = reading.boards[0].letter_log_prob[7, 7]
    doubt[:] = np.log(1e-4)
    doubt[LETTERS.index("C")], doubt[LETTERS.index("B")] = np.log(0.6), np.log(0.39)
    live.table.observe(reading, how=LIVE)
    first = live.now["questions"]
    more = reading_of_rows(COW[:8] + board(H8="CAT", v_I10="OE")[8:], LETTERS)
    more.boards[0].letter_log_prob[7, 7] = doubt
    live.table.observe(more, how=LIVE)
    now = live.now

    assert [("letter", ["C", "B"])] == asked({"questions": first})
    assert [("letter", ["C", "B"])] == asked(now)
    assert first[0]["seq"] < now["seq"]
    assert 200 == live.answer(now["questions"][0], "B").status_code
    assert [] == live.now["questions"]
    assert "BAT" == live.words()[0][1]


def doubtful(rows, **pairs):
    """A reading in which some squares look like either of two letters."""
    reading = reading_of_rows(rows, LETTERS)
    for name, (likelier, other) in pairs.items():
        doubt = reading.boards[0].letter_log_prob[
            "ABCDEFGHIJKLMNO".index(name[0]), int(name[1:]) - 1
        ]
        doubt[:] = np.log(1e-4)
        doubt[LETTERS.index(likelier)] = np.log(0.6)
        doubt[LETTERS.index(other)] = np.log(0.39)
    return reading


@pytest.mark.parametrize("restarts", [False, True])
def test_other_letters_stay_asked_when_one_is_answered(session, restarts):
    """Also at the next play, which shows the other one as doubtful as before, and after a restart."""
    live = Live(session)
    live.table.observe(doubtful(CAT, H8="CB"), how=LIVE)
    tan = doubtful(board(H8="CAT", v_H10="TAN"), H8="CB", J10="ND")
    live.table.observe(tan, how=LIVE)
    both = [q["square"] for q in live.now["questions"]]
    live.answer(live.now["questions"][0], "B")
    if restarts:
        live.table = Tables(session.tables.storage).get(live.made["table"])
    live.table.observe(doubtful(board(H8="BAT", v_H10="TAN", J10="NO"), J10="ND"), how=LIVE)
    left = [q["square"] for q in live.table.questions()]

    assert ["H8", "J10"] == both
    assert ["J10"] == left


@pytest.mark.parametrize("restarts", [False, True])
def test_a_play_that_was_asked_about_is_said_when_it_is_sure(session, restarts):
    """Its score is told with the next picture that leaves no doubt, also after a restart."""
    live = Live(session)
    reading = reading_of_rows(CAT, LETTERS)
    doubt = reading.boards[0].letter_log_prob[7, 7]
    doubt[:] = np.log(1e-4)
    doubt[LETTERS.index("C")], doubt[LETTERS.index("B")] = np.log(0.6), np.log(0.39)
    first = live.table.observe(reading, how=LIVE)
    if restarts:
        live.table = Tables(session.tables.storage).get(live.made["table"])
    then = live.show(COW)

    assert ["Is the tile on H8 a C?"] == first["say"]
    assert ["Ann plays CAT.", "Bob plays COW."] == [x for x in then["say"] if "plays" in x]


def sides(live):
    return {player: seat["side"] for player, seat in live.now["seats"].items()}


def from_side(live, rows, side):
    live.table.observe(reading_of_rows(rows, LETTERS), how=replace(LIVE, side=side))


WORDS = [CAT, COW, board(H8="CAT", v_H8="COW", J9="E"), board(H8="CAT", v_H8="COW", J9="EB")]


def test_seats_are_learnt_shown_and_corrected(session):
    """After two plays of each it is known where they sit; a tap says otherwise."""
    live = Live(session)
    for rows, side in zip(WORDS, ["bottom", "top", "bottom", "top"], strict=True):
        from_side(live, rows, side)
    learnt = sides(live)
    told = act(live.client, live.made, {"action": "seat", "player": "Ann", "side": "left"})
    kept = Tables(session.tables.storage).get(live.made["table"])

    assert {"Ann": "bottom", "Bob": "top"} == learnt
    assert (200, {"Ann": "left", "Bob": "top"}) == (told.status_code, sides(live))
    assert kept is not None
    assert kept.tracker.known_seats == live.table.tracker.known_seats


def test_sides_follow_who_is_said_to_have_played(session):
    """Bob began, not Ann: then all plays change players, and the sides with them, as after a restart."""
    live = Live(session)
    for rows, side in zip(WORDS, ["bottom", "top", "bottom", "top"], strict=True):
        from_side(live, rows, side)
    act(live.client, live.made, {"action": "correct", "entry": 0, "player": "Bob"})
    after = sides(live)
    again = Tables(session.tables.storage).get(live.made["table"])

    assert {"Ann": "top", "Bob": "bottom"} == after
    assert again is not None
    assert ["top", "bottom"] == [again.tracker.side_of(p) for p in ("Ann", "Bob")]


def test_a_play_that_was_undone_tells_of_no_seat(session):
    """Its hand is not counted for its player any more."""
    live = Live(session)
    for rows, side in zip(WORDS[:2], ["bottom", "bottom"], strict=True):
        from_side(live, rows, side)
    before = live.table.tracker.known_seats.seen
    act(live.client, live.made, {"action": "undo"})

    assert {("Ann", "bottom"): 1, ("Bob", "bottom"): 1} == before
    assert {("Ann", "bottom"): 1} == live.table.tracker.known_seats.seen


def test_round_a_bare_table_people_sit_as_they_are_listed_until_they_say_otherwise(session):
    """Clockwise from the bottom; who is told to sit elsewhere changes places."""
    client = TestClient(create_app(session))
    made = new_table(client, "grabscrab", ("Ann", "Bob", "Cyd", "Dan"))
    table = session.tables.get(made["table"])
    before = {p: table.tracker.side_of(p) for p in ("Ann", "Bob", "Cyd", "Dan")}
    answer = act(client, made, {"action": "seat", "player": "Ann", "side": "top"})
    after = {p: table.tracker.side_of(p) for p in ("Ann", "Bob", "Cyd", "Dan")}

    assert {"Ann": "bottom", "Bob": "left", "Cyd": "top", "Dan": "right"} == before
    assert 200 == answer.status_code
    assert {"Ann": "top", "Bob": "left", "Cyd": "bottom", "Dan": "right"} == after


@pytest.mark.parametrize(
    ("players", "told", "code"),
    [
        (("Ann", "Bob"), {"player": "Ann", "side": "north"}, "bad_action"),
        (("Ann", "Bob"), {"player": "Cyd", "side": "top"}, "unknown_player"),
        (("Ann", "Bob", "Cyd"), {"player": "Ann", "side": "top"}, "no_seats"),
    ],
)
def test_a_seat_that_cannot_be_is_refused(session, players, told, code):
    """No such side, no such player, or three round a table of which none has a side alone."""
    client = TestClient(create_app(session))
    made = new_table(client, "grabscrab", players)
    answer = act(client, made, {"action": "seat", **told})

    assert code == answer.json()["error"]["code"]


def test_a_letter_that_is_held_is_not_said_to_be_corrected(session):
    """It was put right once; the picture after that changes nothing, and people are asked."""
    live = Live(session)
    bat = board(H8="BAT")
    said = [live.show(rows)["say"] for rows in (CAT, CAT, bat, bat, CAT)]

    assert ["Correction: BAT for 10, not CAT."] == said[3]
    assert ([], [("letter", ["B", "C"])]) == (said[4], asked(live.now))


def test_a_called_word_is_said_once_its_tiles_are_seen(session):
    """The picture that shows it also puts a letter right that was misread before."""
    start = {"pool": "AIR", "face_down": 4, "words": {"Ann": [], "Bob": []}}
    table = session.tables.create(Order("grabscrab", ("Ann", "Bob"), {}, initial=start)).table
    table.observe(photo("AIRQ", 3), how=LIVE)
    table.act(Action("claim", "Ann", None, {"word": "RAIN"}), Actor("host"))
    shown = photo("", 3, south=("RAIN",))
    said = [table.observe(shown, how=LIVE)["say"] for _ in range(2)]

    assert [["Correction: N, not Q.", "Ann: RAIN. Ann flips next."], []] == said


@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize("answer", ["B", "C"])
def test_an_answer_about_a_letter_undone_is_asked_again(session, answer, restarts):
    """As before the answer: also by the next picture, which shows the letter as doubtful."""
    live = Live(session)
    live.table.observe(doubtful(CAT, H8="CB"), how=LIVE)
    before = asked(live.now)
    live.answer(live.now["questions"][0], answer)
    between = asked(live.now)
    act(live.client, live.made, {"action": "undo"})
    after = asked(live.now)
    if restarts:
        live.table = Tables(session.tables.storage).get(live.made["table"])
    live.table.observe(doubtful(board(H8="CAT", v_H10="TAN"), H8="CB"), how=LIVE)
    left = live.table.questions()

    assert ([("letter", ["C", "B"])], []) == (before, between)
    assert before == after == asked({"questions": left})
    assert "C" == live.table.view(HOST)["board"][7][7]


def test_an_answer_about_a_letter_put_back_is_asked_no_more(session):
    """Redo after undo: the letter is as told, whatever the next picture shows."""
    live = Live(session)
    live.table.observe(doubtful(CAT, H8="CB"), how=LIVE)
    live.answer(live.now["questions"][0], "B")
    for kind in ("undo", "redo"):
        act(live.client, live.made, {"action": kind})
    live.show(board(H8="CAT", v_H10="TAN"))

    assert [] == live.now["questions"]
    assert "B" == live.now["view"]["board"][7][7]


def test_a_letter_that_was_told_is_kept_by_a_restart(session):
    """No later picture changes it, however sure."""
    live = Live(session)
    live.show(CAT)
    act(live.client, live.made, {"action": "correct", "square": "H8", "letter": "B"})
    live.table = Tables(session.tables.storage).get(live.made["table"])
    live.show(CAT, CAT, board(H8="CAT", v_H10="TAN"))

    assert "BAT" == live.table.view(HOST)["board"][7][7:10]


def test_a_letter_that_is_held_is_kept_by_a_restart(session):
    """It was put right once: the same picture changes it no more, and people are still asked."""
    live = Live(session)
    bat = board(H8="BAT")
    live.show(CAT, CAT, bat, bat, CAT)
    live.table = Tables(session.tables.storage).get(live.made["table"])
    live.show(CAT, CAT, CAT)

    assert "BAT" == live.table.view(HOST)["board"][7][7:10]
    left = live.table.questions()
    assert [("letter", ["B", "C"])] == asked({"questions": left})


def test_a_letter_put_right_once_is_known_after_a_restart(session):
    """The next change of it is asked about, not made."""
    live = Live(session)
    bat = board(H8="BAT")
    live.show(CAT, CAT, bat, bat)
    live.table = Tables(session.tables.storage).get(live.made["table"])
    live.show(CAT, CAT, CAT)

    assert "BAT" == live.table.view(HOST)["board"][7][7:10]


def test_refused_tiles_are_asked_about_again_once_they_are_seen_after_a_restart(session):
    """Until then nothing could be answered, and nothing is asked."""
    live = Live(session)
    cxq = board(H8="CAT", v_H8="CXQ")
    live.show(CAT, cxq)
    before = live.now["questions"]
    live.table = Tables(session.tables.storage).get(live.made["table"])
    unseen = live.table.questions()
    live.show(cxq)
    seen = live.table.questions()
    data = {"field": "play", "value": "it counts"}
    live.table.act(Action("answer", data=data), HOST)

    assert ([before[0]["prompt"]], []) == ([q["prompt"] for q in seen], unseen)
    assert "CXQ" == "".join(row[7] for row in live.table.view(HOST)["board"][7:10])


@pytest.mark.parametrize(
    ("rules", "questions"), [({}, []), (FREE, [("take_back", ["withdrawn", "challenged off"])])]
)
def test_two_plays_taken_up_one_after_the_other_both_stay_in_the_history(
    session, rules, questions
):
    """The second is the first play of the game: the board is bare, and the first player begins."""
    live = Live(session, **rules)
    live.show(CAT, CATS, CAT)
    line = live.show(board())
    now = live.now

    assert "Ann takes CAT back and has the turn again." == line["say"][0]
    assert [("place", "Ann"), ("place", "Bob"), ("take_back", "Bob"), ("take_back", "Ann")] == [
        (e["action"], e["player"]) for e in now["history"]
    ]
    assert ("Ann", {"Ann": 0, "Bob": 0}) == (now["view"]["to_move"], now["view"]["scores"])
    assert questions == asked(now)


def test_the_letter_of_a_typed_blank_is_taken(session):
    """No picture shows the tile: the record is put right, its words too, and nothing is asked."""
    table = session.tables.create(Order("scrabble", ("Ann", "Bob"))).table
    table.act(Action("place", "Ann", None, {"tiles": {"H7": "A", "H8": "?"}}), HOST)
    table.act(Action("answer", None, None, {"field": "blank", "square": "H8", "value": "T"}), HOST)

    assert [[{"word": "AT", "score": 2}]] == [x["words"] for x in table.history()]
    assert ("......At.......", []) == (
        table.view(HOST)["board"][7],
        list(table.questions()),
    )
