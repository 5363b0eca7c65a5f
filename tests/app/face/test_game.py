"""`kibitz.Game`: games played by their rules alone."""

from __future__ import annotations

from typing import Any

import pytest

import kibitz
from kibitz.engine.games import games

CAT = {"H7": "C", "H8": "A", "H9": "T"}


@pytest.fixture
def game() -> kibitz.Game:
    return kibitz.Game("scrabble", ["Ann", "Bob"])


def test_a_play(game: kibitz.Game) -> None:
    """What it makes and scores is told, said and seen on the board."""
    outcome = game.act("place", "Ann", tiles=CAT)

    assert (True, (("CAT", 10),), 10) == (outcome.legal, outcome.words, outcome.score)
    assert ("Ann plays CAT.", "10 for CAT; 10.") == game.say == outcome.say
    assert "......CAT......" == game.board[7]
    assert {"Ann": 10, "Bob": 0} == game.scores
    assert "Bob" == game.view()["to_move"]
    assert 10 == outcome.to_json()["turn_score"]


def test_both_forms_of_an_action(game: kibitz.Game) -> None:
    """A dictionary as in a scenario does the same as a name with keywords."""
    other = kibitz.Game("scrabble", "Ann,Bob")
    game.act("place", "Ann", tiles=CAT)
    other.act({"action": "place", "player": "Ann", "tiles": CAT})

    assert game.view() == other.view()
    assert game.history == other.history == ({"action": "place", "player": "Ann", "tiles": CAT},)


def test_what_the_rules_refuse_is_a_value(game: kibitz.Game) -> None:
    """A refused action is false, says why with its squares, and changes nothing."""
    game.act("place", "Ann", tiles=CAT)
    before, said = game.view(), game.say
    outcome = game.act("place", "Bob", tiles={"A1": "T"})

    assert not outcome
    assert kibitz.Refusal("not_connected", "That does not touch anything.", ("A1",)) == (
        outcome.refusal
    )
    assert (before, said) == (game.view(), game.say)
    assert "bad_action" == getattr(game.act("place", "Bob", tiles=3).refusal, "code", None)


def test_undo(game: kibitz.Game) -> None:
    """The last thing done is taken back, one after the other; then there is nothing."""
    start = game.view()
    game.act("place", "Ann", tiles=CAT)
    game.act("pass", "Bob")

    assert game.undo().legal
    assert ("Taken back: CAT of Ann.", "Ann has 0.") == game.act({"action": "undo"}).say
    assert start == game.view()
    assert "nothing_to_undo" == getattr(game.undo().refusal, "code", None)


def test_what_a_seat_sees() -> None:
    """A fleet is told to nobody but its owner; either end of a ship tells all of it."""
    game = kibitz.Game("scrabbleship", ["Ann", "Bob"])
    fleet = {
        "carrier": ["A1", "A5"],
        "scrabbleship": ["C2", "C5"],
        "submarine": ["D11", "F11"],
        "destroyer": ["G8", "G10"],
        "patrol": ["B13", "B14"],
    }
    outcome = game.act("enter_fleet", "Ann", fleet=fleet)

    assert outcome.legal
    assert (True, False) == ("fleets" in game.view("Ann"), "fleets" in game.view("Bob"))
    assert ("Ann's fleet is at sea.",) == outcome.say
    with pytest.raises(kibitz.UsageError, match="seat: there is no player 'Zoe' here"):
        game.view("Zoe")


@pytest.mark.parametrize("action", [None, 5, {}, {"action": 5}, {"action": "pass", "at": "x"}])
def test_what_is_no_action_is_an_error_in_words(action: Any) -> None:
    """Whatever it is; nothing changed."""
    game = kibitz.Game("scrabble", "Ann,Bob")
    with pytest.raises(kibitz.UsageError, match=r"^action: "):
        game.act(action, "Ann")

    assert () == game.history


@pytest.mark.parametrize("given", [{"lexicon": "none"}, {"settings": {"lexicon": "none"}}])
def test_the_word_list_is_recorded(given: dict[str, Any]) -> None:
    """Whichever way it was named, the settings say which list holds."""
    game = kibitz.Game("frankenscrabbards", "Ann,Bob", **given)

    assert "none" == game.settings["lexicon"]
    assert "default" == kibitz.Game("scrabble", "Ann,Bob").settings["lexicon"]


def test_settings_by_keyword_and_by_name() -> None:
    """Both ways of giving a setting are the same; a setting given twice is refused."""
    named = kibitz.Game("scrabble", "Ann,Bob", cl_tie="draw", reject_invalid=False)
    given = kibitz.Game(
        "scrabble", "Ann,Bob", settings={"cl.tie": "draw", "reject_invalid": "false"}
    )

    assert named.settings == given.settings
    assert ("draw", False) == (named.settings["cl.tie"], named.settings["reject_invalid"])
    with pytest.raises(kibitz.UsageError, match=r"settings: cl.tie is given twice, as cl_tie"):
        kibitz.Game("scrabble", "Ann,Bob", settings={"cl.tie": "draw"}, cl_tie="draw")


@pytest.mark.parametrize("rules", games(), ids=lambda rules: str(rules.info.slug))
def test_every_setting_has_a_keyword(rules: Any) -> None:
    """Each game begins with each of its settings at its default, given as a keyword."""
    keywords = {s.name.replace(".", "_"): s.default for s in rules.info.settings}
    game = kibitz.Game(rules.info.slug, **keywords)

    assert {s.name for s in rules.info.settings} == set(game.settings)
    assert len(keywords) == len(game.settings)
    assert (False, ()) == (game.over, game.history)


def test_a_position_to_begin_from() -> None:
    """A game goes on from any position that the rules can begin from."""
    rows = [*["." * 15] * 7, "......CAT......", *["." * 15] * 7]
    game = kibitz.Game("scrabble", "Ann,Bob", start={"board": rows, "scores": {"Ann": 10}})

    assert "......CAT......" == game.board[7]
    assert game.act("place", seat=game.view()["to_move"], tiles={"H10": "S"}).legal


def test_gcg(game: kibitz.Game) -> None:
    """Scrabble can be written as GCG, other games say that they cannot."""
    game.act("place", "Ann", tiles=CAT)

    assert ">Ann: ACT 8G CAT +10 10" in game.gcg().splitlines()
    with pytest.raises(kibitz.UsageError, match="gcg: the format holds only Scrabble, not Grab"):
        kibitz.Game("grabscrab").gcg()


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: kibitz.Game("chess"), "game: there is no game 'chess'; known are scrabble"),
        (lambda: kibitz.Game("scrabble", ["Ann"]), "players: expected 2 or 3 or 4 names, got 1"),
        (lambda: kibitz.Game("scrabble", "A,A"), "players: every name may stand only once"),
        (lambda: kibitz.Game("scrabble", [1, 2]), "players: expected names, got"),
        (lambda: kibitz.Game("scrabble", cl_tie="maybe"), "settings: cl.tie: expected pre_rack"),
        (lambda: kibitz.Game("scrabble", luck=1), "settings: Scrabble has no setting 'luck'"),
        (lambda: kibitz.Game("scrabble", start="gone.json"), "start: cannot read gone.json"),
        (lambda: kibitz.Game("scrabble", lexicon="no.txt"), "lexicon: there is no file 'no.txt'"),
        (lambda: kibitz.Game("scrabble").act({"x": 1}), "action: expected an 'action' name"),
        (lambda: kibitz.Game("scrabble").act("pass", "Zoe"), "player: there is no player 'Zoe'"),
        (
            lambda: kibitz.Game("scrabble", "A,B").act({"action": "pass", "player": "A"}, "B"),
            "seat: 'B' cannot act for 'A'",
        ),
    ],
)
def test_a_wrong_call(call: Any, says: str) -> None:
    """What was expected is said, in a program's words."""
    with pytest.raises(kibitz.UsageError, match=f"^{says}"):
        call()


def test_the_command_line_names_options() -> None:
    """The same refusal names an argument to a program and an option to a person."""
    with pytest.raises(kibitz.UsageError) as caught:
        kibitz.Game("scrabble", cl_tie="maybe")

    assert str(caught.value).startswith("settings: cl.tie: expected")
    assert caught.value.on_command_line.startswith("--set: cl.tie: expected")
