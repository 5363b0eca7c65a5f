"""What a live table without a board asks of a picture at rest, and when it stops asking."""

from __future__ import annotations

import zlib
from dataclasses import replace

import cv2
import numpy as np
import pytest

from kibitz.app.cameras.settling import REST
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.engine.rules import Action
from tests.app.server_help import make_session, picture_of

HOST = Actor("host")
EMPTY = ("", 8)
RAXN_LIES = ("", 4, ["RAXN"])
TAKE_BACK, IT_COUNTS = "take it back", "it counts"
RAXN = ("Ann laid RAXN: RAXN is not in the list.", [TAKE_BACK, IT_COUNTS])
FEWER = "2 tiles fewer lie on the table than there are. Please check."
REST_FRAMES = 12
"""A play is told by then."""
RULE = replace(REST, half_laid_s=1.5, hand_s=3.0)
ROW_FRAMES, HAND_FRAMES = round(10 * RULE.half_laid_s), round(10 * RULE.hand_s)
"""So long a row may go on to grow, and a hand over tiles is waited for."""


def frame(loose):
    """A picture of loose tiles that looks different everywhere when something in it differs."""
    written = cv2.imdecode(np.frombuffer(picture_of([], loose=loose), np.uint8), cv2.IMREAD_COLOR)
    rng = np.random.default_rng(zlib.crc32(repr(loose).encode()))
    blocks = rng.integers(0, 2, (40, 50, 1), np.uint8) * 255
    picture = np.kron(blocks, np.ones((20, 20, 3), np.uint8))
    picture[:20] = written.reshape(-1, 3)[:20_000].reshape(20, 1000, 3)
    return cv2.imencode(".png", picture)[1].tobytes()


class Filmed:
    """A table of GrabScrab whose camera shows loose tiles, ten frames a second."""

    def __init__(self, session) -> None:
        self.table = session.tables.create(Order("grabscrab", ("Ann", "Bob"))).table
        self.camera = session.camera(self.table)
        self._number = 0

    def show(self, *tables, frames=REST_FRAMES):
        """The same loose tiles for so many frames each."""
        for loose in tables:
            data = frame(loose)
            for _ in range(frames):
                self.camera.take(data, stream=True, at=self._number / 10)
                self._number += 1

    def turn_up(self, letters):
        """Tiles turned up one by one out of eight."""
        self.show(EMPTY, *((letters[: i + 1], 7 - i) for i in range(len(letters))))

    @property
    def asked(self):
        """What is open, with what may be answered."""
        return [(q["prompt"], q["choices"]) for q in self.table.questions()]

    @property
    def view(self):
        """The table as its host sees it."""
        return self.table.view(HOST)

    def answer(self, field, value):
        """What people say."""
        return self.table.act(Action("answer", data={"field": field, "value": value}), HOST)


@pytest.fixture
def filmed(tmp_path):
    session = make_session(tmp_path, rest=RULE)
    yield Filmed(session)
    session.close()


def test_a_row_that_is_no_word_is_asked_about_once_it_rests(filmed):
    """Not while more tiles may come; then it can be let stand."""
    filmed.turn_up("RAXN")
    filmed.show(RAXN_LIES, frames=ROW_FRAMES - 3)
    early = filmed.asked
    filmed.show(RAXN_LIES)
    asked = filmed.asked
    filmed.answer("claim", IT_COUNTS)

    assert ([], [RAXN], [], ["RAXN"]) == (early, asked, filmed.asked, filmed.view["words"]["Ann"])


def test_a_row_taken_apart_again_is_asked_about_no_more(filmed):
    """The picture answers: the tiles lie in the middle again."""
    filmed.turn_up("RAXN")
    filmed.show(RAXN_LIES, frames=ROW_FRAMES + 5)
    asked = filmed.asked
    filmed.show(("RAXN", 4))

    assert ([RAXN], []) == (asked, filmed.asked)


@pytest.mark.parametrize(
    ("answer", "words", "pool", "said"),
    [(TAKE_BACK, [], "AINR", ("Left out: RAIN of Ann.",)), (IT_COUNTS, ["RAIN"], "", ())],
)
def test_a_word_that_people_told_is_asked_about_once_it_is_taken_apart(
    filmed, answer, words, pool, said
):
    """Pictures do not take it back; what people answer stays so."""
    filmed.turn_up("RAIN")
    filmed.table.act(Action("claim", "Ann", data={"word": "RAIN"}), HOST)
    filmed.show(("", 4, ["RAIN"]), ("RAIN", 4), frames=ROW_FRAMES + 5)
    asked = filmed.asked
    before = filmed.view["words"]["Ann"]
    done = filmed.answer("gone", answer)
    filmed.show(("RAIN", 4), ("RAINO", 3), frames=ROW_FRAMES + 5)

    assert said == done.say
    assert [("Does RAIN of Ann still count?", [IT_COUNTS, TAKE_BACK])] == asked
    assert (["RAIN"], [], words) == (before, filmed.asked, filmed.view["words"]["Ann"])
    assert set(pool) <= set(filmed.view["pool"])


def test_a_told_word_that_lies_there_again_is_asked_about_no_more(filmed):
    """The picture answers, and asks once more when the word is taken apart again."""
    filmed.turn_up("RAIN")
    filmed.table.act(Action("claim", "Ann", data={"word": "RAIN"}), HOST)
    asked = []
    for table in (("", 4, ["RAIN"]), ("RAIN", 4), ("", 4, ["RAIN"])):
        filmed.show(table, frames=ROW_FRAMES + 5)
        asked.append(len(filmed.asked))

    assert ([0, 1, 0], ["RAIN"]) == (asked, filmed.view["words"]["Ann"])


@pytest.mark.parametrize("told", [True, False])
def test_once_the_game_is_over_tiles_are_only_put_away(filmed, told):
    """A word that is taken apart then still counts, and nothing is asked."""
    filmed.turn_up("RAIN")
    if told:
        filmed.table.act(Action("claim", "Ann", data={"word": "RAIN"}), HOST)
    filmed.show(("", 4, ["RAIN"]), frames=ROW_FRAMES + 5)
    filmed.table.act(Action("end_game"), HOST)
    filmed.show(("RAIN", 4), ("", 8), frames=ROW_FRAMES + 5)

    assert ([], ["RAIN"]) == (filmed.asked, filmed.view["words"]["Ann"])


def test_a_word_with_a_blank_is_asked_for_and_booked(filmed):
    """Several words fit RA?N; people say which it is."""
    filmed.turn_up("RA?N")
    filmed.show(("", 4, ["RA?N"]), frames=ROW_FRAMES + 5)
    asked = filmed.asked
    filmed.answer("word", "RAIN")

    assert ["Which word is RA?N of Ann?"] == [prompt for prompt, _ in asked]
    assert (["RAIN"], []) == (filmed.view["words"]["Ann"], filmed.asked)


@pytest.mark.parametrize(
    ("frames", "asked"), [(HAND_FRAMES - 5, []), (HAND_FRAMES + 5, [(FEWER, [])])]
)
def test_tiles_that_stay_away_are_told_of(filmed, frames, asked):
    """A hand may lie over them so long; once they are back nothing is asked."""
    filmed.show(EMPTY, ("R", 7))
    filmed.show(("R", 5), frames=frames)
    while_away = filmed.asked
    filmed.show(("R", 7))

    assert (asked, []) == (while_away, filmed.asked)


def test_what_is_told_of_missing_tiles_stays_while_they_are_away(filmed):
    """Also while the game goes on without them; they are not asked about twice."""
    filmed.show(EMPTY, ("R", 7))
    filmed.show(("R", 5), frames=HAND_FRAMES + 5)
    steps = len(filmed.table.steps)
    filmed.show(("R", 5), frames=HAND_FRAMES)

    assert ([(FEWER, [])], steps) == (filmed.asked, len(filmed.table.steps))


def test_a_row_partly_under_an_arm_is_not_asked_about(filmed):
    """RAIN of which an arm hides the N: what lies there is not known yet."""
    filmed.turn_up("RAIN")
    filmed.show(("", 4, ["RAI"]), frames=HAND_FRAMES - 5)
    covered = filmed.asked
    filmed.show(("", 4, ["RAIN"]))

    assert ([], [], ["RAIN"]) == (covered, filmed.asked, filmed.view["words"]["Ann"])


def test_a_word_is_taken_back_once_its_tiles_rest_in_the_middle(filmed):
    """Not while they may be on their way into another word."""
    filmed.turn_up("RAIN")
    filmed.show(("", 4, ["RAIN"]))
    filmed.show(("RAIN", 4), frames=ROW_FRAMES - 3)
    early = filmed.view["words"]["Ann"]
    filmed.show(("RAIN", 4))

    assert (["RAIN"], []) == (early, filmed.view["words"]["Ann"])
    assert ["Left out: RAIN of Ann."] == filmed.table.steps[-1].data["say"]


def test_after_a_restart_a_row_is_asked_about_once_it_is_seen_again(tmp_path):
    """Until then nothing could be answered, and nothing is asked."""
    session = make_session(tmp_path, rest=RULE)
    filmed = Filmed(session)
    filmed.turn_up("RAXN")
    filmed.show(RAXN_LIES, frames=ROW_FRAMES + 5)
    before = filmed.asked
    session.close()
    session = make_session(tmp_path, rest=RULE)
    filmed.table = session.tables.get(filmed.table.id)
    filmed.camera = session.camera(filmed.table)
    unseen = filmed.asked
    filmed.show(RAXN_LIES, frames=ROW_FRAMES + 5)
    seen = filmed.asked
    filmed.answer("claim", IT_COUNTS)
    session.close()

    assert ([RAXN], [], [RAXN]) == (before, unseen, seen)
    assert ([], ["RAXN"]) == (filmed.asked, filmed.view["words"]["Ann"])
