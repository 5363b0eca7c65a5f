"""A game as a list of entries: what was judged once stands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Entry, Ledger, Opening, open_ledger, player_of
from kibitz.engine.rules import Accepted, Action, Verdict

PLAY = {"tiles": {"H8": "C", "H9": "A", "H10": "T"}}


class Counting:
    """The rules of a game, with a count of what they were asked."""

    def __init__(self) -> None:
        self._game = find_game("scrabble")
        self.asked = 0

    def __getattr__(self, name: str) -> object:
        """What the game has."""
        return getattr(self._game, name)

    def decide(self, state: object, action: Action) -> Verdict:
        """The game's verdict."""
        self.asked += 1
        return self._game.decide(state, action)


def begun() -> tuple[Ledger, Counting]:
    game = Counting()
    options = check_options(find_game("scrabble").info, {})
    materials = make_materials("none", "en", options)
    opening = Opening(game, ("Ann", "Bob"), options, materials)  # type: ignore[arg-type]
    return open_ledger(opening), game


@pytest.mark.parametrize("times", [1, 2, 5])
def test_the_same_action_in_the_same_state_is_judged_once(times: int) -> None:
    """However often it is tried; every try comes to the same state."""
    ledger, game = begun()
    tries = [ledger.add(Entry(Action("place", data=dict(PLAY)), n))[0] for n in range(times)]

    assert (1, 1) == (game.asked, len({id(x.state) for x in tries}))
    assert list(range(times)) == [x.done[-1].entry.photo for x in tries]


@pytest.mark.parametrize(
    "other",
    [
        Action("place", data={"tiles": {"H8": "C", "H9": "A", "H10": "R"}}),
        Action("place", "Ann", data=PLAY),
        Action("place", at=1.0, data=PLAY),
        Action("place", data={**PLAY, "forced": True}),
    ],
)
def test_another_action_is_judged_anew(other: Action) -> None:
    """Other tiles, another player, another time, another word beside them."""
    ledger, game = begun()
    ledger.add(Entry(Action("place", data=PLAY), 0))
    ledger.add(Entry(other, 0))

    assert 2 == game.asked


def test_one_and_true_are_not_the_same_to_be_told() -> None:
    """Though they are equal."""
    ledger, game = begun()
    for forced in (1, True):
        ledger.add(Entry(Action("place", data={**PLAY, "forced": forced}), 0))

    assert 2 == game.asked


def test_the_same_action_in_another_state_is_judged_anew() -> None:
    """A pass after a pass, of the other player."""
    ledger, game = begun()
    first, verdict = ledger.add(Entry(Action("pass"), 0))
    second, _ = first.add(Entry(Action("pass"), 1))

    assert isinstance(verdict, Accepted)
    assert (2, ["Ann", "Bob"]) == (game.asked, [_player(d.verdict.events) for d in second.done])


def test_a_game_with_one_entry_changed_is_judged_from_there() -> None:
    """What it was before that is not asked again; another time of playing it costs nothing."""
    ledger, game = begun()
    for number in range(4):
        ledger, _ = ledger.add(Entry(Action("pass"), number))
    entries = [d.entry for d in ledger.done]
    entries[2] = replace(entries[2], action=Action("place", data=PLAY))
    counts = []
    for _ in range(2):
        before = game.asked
        changed, refused = ledger.with_entries(entries)
        counts.append(game.asked - before)

    assert ([2, 0], []) == (counts, refused)
    assert ["pass", "pass", "place", "pass"] == [d.entry.action.kind for d in changed.done]


def _player(events: tuple[object, ...]) -> str:
    return next(str(e.data["player"]) for e in events if "player" in e.data)  # type: ignore[attr-defined]


def test_a_turn_belongs_to_who_took_it_although_it_settles_a_play_that_waited():
    """In ScrabbleShip a play scores when the next one goes on."""
    game = find_game("scrabbleship")
    options = check_options(game.info, {"ss.fleets": "told", "ss.challenge": "any_word"})
    materials = make_materials("default", "en", options)
    ledger = open_ledger(Opening(game, ("Ann", "Bob"), options, materials))
    words = ({"H8": "A", "H9": "T"}, {"G9": "A", "I9": "E"})
    for tiles in words:
        ledger, verdict = ledger.add(Entry(Action("place", None, None, {"tiles": tiles}), 1))
        assert isinstance(verdict, Accepted)

    assert ["Ann", "Bob"] == [player_of(done) for done in ledger.done]
