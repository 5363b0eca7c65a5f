"""Every game has a tracker, and all of them keep what their interface promises."""

from __future__ import annotations

from typing import Any

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.app.observers.feeds import make_observer
from kibitz.engine.games import INFOS, find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Opening
from kibitz.engine.rules import Action, Refused
from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.evidence.priors import PRIORS
from kibitz.engine.tracking.loose_tracker import LooseTracker
from kibitz.engine.tracking.tracker import Tracker
from kibitz.engine.tracking.two_board_tracker import TwoBoardTracker

pytestmark = pytest.mark.fast

TWO, FOUR = ("Ann", "Bob"), ("Ann", "Bea", "Cyd", "Dan")


def opening_of(slug: str, players: tuple[str, ...] = TWO) -> Opening:
    game = find_game(slug)
    options = check_options(game.info, {})
    return Opening(game, players, options, make_materials("none", "en", options))


def tracker_of(opening: Opening) -> Tracker[Any]:
    return make_observer(opening).tracker


GAMES = [(info.slug, TWO) for info in INFOS] + [("scrabble-house", FOUR)]
EVERY_GAME = pytest.mark.parametrize(("slug", "players"), GAMES)


@pytest.mark.parametrize(
    ("slug", "players", "expected", "boards"),
    [
        ("scrabble", TWO, BoardTracker, 1),
        ("scrabbleship", TWO, BoardTracker, 1),
        ("frankenscrabbards", TWO, BoardTracker, 1),
        ("scrabbage", TWO, BoardTracker, 1),
        ("scrabble-house", TWO, BoardTracker, 1),
        ("scrabble-house", FOUR, TwoBoardTracker, 2),
        ("grabscrab", TWO, LooseTracker, 0),
    ],
)
def test_what_is_watched_says_which_tracker_keeps_the_game(slug, players, expected, boards):
    """One board, joined boards, two boards or none; each expects something on its boards."""
    kept = tracker_of(opening_of(slug, players))

    assert expected is type(kept)
    assert boards == len(kept.predict())


@EVERY_GAME
def test_a_tracker_has_all_that_is_asked_of_one(slug, players):
    """Whoever feeds it with pictures knows the interface only."""
    asked = [name for name in vars(Tracker) if not name.startswith("_")]
    kept = tracker_of(opening_of(slug, players))

    assert len(asked) > 15
    assert [] == [name for name in asked if not hasattr(kept, name)]


@EVERY_GAME
def test_before_anything_happens_nothing_is_open(slug, players):
    """No picture, no task, no question; and what is believed is what was given."""
    kept = tracker_of(opening_of(slug, players))

    assert (0, PRIORS) == (kept.photos, kept.priors)
    assert ([], [], [], []) == (
        kept.tasks(),
        kept.letter_questions(),
        kept.play_questions(),
        kept.finish(),
    )
    assert not kept.is_disturbed
    assert {"readings": [], "alternatives": []} == kept.why()


@EVERY_GAME
def test_a_picture_that_shows_nothing_is_counted_and_changes_nothing(slug, players):
    """A copy that takes it in leaves the tracker that it is of as it was."""
    kept = tracker_of(opening_of(slug, players))
    other = kept.copy()
    found = [other.update(None), other.update(None)]

    assert [("unreadable", 0), ("unreadable", 1)] == [(f.status, f.photo) for f in found]
    assert (2, 0) == (other.photos, kept.photos)
    assert kept.ledger.done == other.ledger.done
    assert None is other.question_at(1)


@EVERY_GAME
def test_what_nobody_can_mean_is_refused(slug, players):
    """The game stays as it was."""
    kept = tracker_of(opening_of(slug, players))
    told = [
        kept.tell(Action("stand_on_the_table", players[0])),
        kept.tell(Action("answer", players[0], None, {"field": "weather", "value": "fine"})),
    ]

    assert ["unknown_action", "unknown_question"] == [
        v.code if isinstance(v, Refused) else "done" for v in told
    ]
    assert () == kept.ledger.done


@EVERY_GAME
def test_a_tracker_goes_on_from_what_it_kept(slug, players):
    """A game and the rows of a table, given back to another tracker, are the same there."""
    first = tracker_of(opening_of(slug, players))
    first.update(None)
    again = tracker_of(opening_of(slug, players))
    again.restart(first.ledger, first.lying_rows(), first.photos)

    assert (1, first.lying_rows()) == (again.photos, again.lying_rows())
    assert first.ledger.done == again.ledger.done
    assert "unreadable" == again.update(None).status
