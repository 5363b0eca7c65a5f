"""What is checked of an action in more than one game, before the game's own rules judge it."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.clock import ChessClock
from kibitz.engine.first_turn import FirstTurn
from kibitz.engine.judging import judged, unknown_choice
from kibitz.engine.rules import Accepted, Action, Event, Materials, Options
from kibitz.engine.words.lexicon import words_from_text

MATERIALS = Materials(words_from_text("CAT"), load_tile_set("en"))


@dataclass(frozen=True)
class SmallGame:
    """What the checks look at."""

    players: tuple[str, ...] = ("Ann", "Bob")
    materials: Materials = MATERIALS
    first: FirstTurn = field(default_factory=FirstTurn)
    untouched: bool = True
    over: bool = False
    options: Options = field(default_factory=dict)
    to_move: str | None = None
    clock: ChessClock | None = None


def play(state, action):
    """A rule that takes everything."""
    return Accepted((Event("played", {"player": action.player}),))


@pytest.mark.parametrize(
    ("state", "action", "code"),
    [
        (SmallGame(), Action("play", "Ann"), None),
        (SmallGame(), Action("play"), None),
        (SmallGame(), Action("play", "Zoe"), "unknown_player"),
        (SmallGame(over=True), Action("fly", "Zoe"), "unknown_player"),
        (SmallGame(), Action("fly", "Ann"), "unknown_action"),
        (SmallGame(over=True), Action("fly", "Ann"), "unknown_action"),
        (SmallGame(over=True), Action("play", "Ann"), "game_over"),
        (SmallGame(over=True), Action("judge", "Ann"), None),
        (SmallGame(untouched=False), Action("begin", data={"seat": "Bob"}), "already_begun"),
        (SmallGame(untouched=False), Action("begin", "Zoe"), "unknown_player"),
    ],
)
def test_what_is_refused_before_any_rule_of_the_game(state, action, code):
    """A stranger, then what comes too late to begin, what nobody knows, and what is over."""
    verdict = judged(state, action, "Small", {"play": play, "judge": play}, ("judge",))

    assert code == getattr(verdict, "code", None)


def test_an_answer_that_was_not_offered_is_told_what_was():
    """And what came, however long, in short."""
    refused = unknown_choice("x" * 100, ["left", "right"], " or ")

    assert "unknown_choice" == refused.code
    assert refused.message.startswith("Expected one of left or right, got 'xxx")
    assert len(refused.message) < 80
