"""Plays rule scenarios (rule 9): actions in, verdicts and the final view out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Required, TypedDict

from kibitz.engine.board.layouts import on_board_of
from kibitz.engine.games import GAMES, Games
from kibitz.engine.options import BadOption, check_options
from kibitz.engine.rules import (
    MALFORMED,
    Accepted,
    Action,
    GameInfo,
    JsonValue,
    Materials,
    Options,
    ShowsPlan,
    Verdict,
    action_from_json,
    apply,
    malformed,
)
from kibitz.engine.telling import with_signs


class ScenarioInvalid(ValueError):
    """A scenario cannot be played; `code` is stable and `place` names the field."""

    def __init__(self, code: str, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}")
        self.code = code
        self.place = place


MakeMaterials = Callable[[Options], Materials]
"""Settings to the words and tiles to play with (lexicon_add and lexicon_remove applied)."""


def verdict_json(verdict: Verdict, *, panels: bool = False) -> dict[str, JsonValue]:
    """A verdict in the vocabulary of a scenario's `expect`.

    Args:
        verdict: what the game says.
        panels: whether squares name their board (rule FS-3).
    """
    if isinstance(verdict, Accepted):
        out: dict[str, JsonValue] = {"legal": True}
        events = [e.to_json() for e in verdict.events if not e.kind.startswith("_")]
        if events:
            out["events"] = events
        return {**out, **verdict.result}
    out = {"legal": False, "reason": verdict.code, "message": verdict.message}
    if verdict.squares:
        out["squares"] = [s.panel_name if panels else s.name for s in verdict.squares]
    return {**out, **verdict.result}


class StepLine(TypedDict):
    """Result of a scenario's step."""

    do: dict[str, JsonValue]
    got: dict[str, JsonValue]


class ScenarioLine(TypedDict, total=False):
    """Result of a scenario, with its `differences` from what it expects."""

    id: Required[str]
    ok: Required[bool]
    steps: Required[list[StepLine]]
    final: Required[dict[str, JsonValue]]
    differences: list[str]


def run_scenario(
    scenario: Mapping[str, JsonValue], make_materials: MakeMaterials, games: Games = GAMES
) -> ScenarioLine:
    """Play one scenario.

    Args:
        scenario: its fields (rule 9).
        make_materials: the words and tiles for its settings.
        games: those that it may be of.

    Returns:
        `id`, `ok` (nothing differs from what the file expects), `steps` with `do` and `got`,
        `final`, and `differences` where there are any.

    Raises:
        ScenarioInvalid: the game, a setting or an action is not one that exists.
    """
    name = str(scenario.get("id", "?"))
    _check_form(scenario, name)
    try:
        game = games.find_game(scenario["game"])
        options = check_options(game.info, dict(scenario.get("settings") or {}))
        game = on_board_of(game, options)
    except BadOption as e:
        raise ScenarioInvalid(e.code, f"{name}.settings", str(e)) from e
    except ValueError as e:
        raise ScenarioInvalid("unknown_game", f"{name}.game", str(e)) from e
    players = tuple(scenario.get("players") or ())
    try:
        materials = make_materials(options)
        state = game.begin(players, options, materials, scenario.get("initial"))
    except ValueError as e:
        if str(e).startswith("bad_player_count"):
            raise ScenarioInvalid("bad_player_count", f"{name}.players", str(e)) from e
        raise ScenarioInvalid("bad_initial", f"{name}.initial", str(e)) from e
    steps: list[StepLine] = []
    wrong = []
    for i, step in enumerate(scenario["steps"]):
        try:
            action = with_signs(action_from_json(step["do"]), materials.tile_set)
        except ValueError as e:
            raise ScenarioInvalid("bad_action", f"{name}.steps[{i}].do", str(e)) from e
        before = state
        try:
            state, verdict = apply(game, state, _with_window(game.info, action, step))
        except MALFORMED as e:
            place = f"{name}.steps[{i}].do"
            raise ScenarioInvalid("bad_action", place, malformed(action, e)) from e
        got = verdict_json(verdict, panels=game.info.surface.joined)
        if got.get("can_finish") and isinstance(game, ShowsPlan):
            got["example_plan"] = game.plan(before, action)
        steps.append({"do": dict(step["do"]), "got": got})
        if difference := differs(step.get("expect") or {}, got, f"step {i + 1}"):
            wrong.append(difference)
    final = dict(game.view(state, None))
    if difference := differs(scenario.get("final") or {}, final, "final"):
        wrong.append(difference)
    out: ScenarioLine = {"id": name, "ok": not wrong, "steps": steps, "final": final}
    return {**out, "differences": wrong} if wrong else out


_FORMS: Mapping[str, tuple[type, str, bool]] = {
    "game": (str, "the name of a game", True),
    "players": (list, "a list of names", True),
    "settings": (Mapping, "an object of settings", False),
    "initial": (Mapping, "an object that describes the position", False),
    "steps": (list, "a list of steps", True),
    "final": (Mapping, "an object of what the state is to be", False),
}
"""What each field of a scenario is, in words, and whether it must be there."""


def _check_form(scenario: Mapping[str, JsonValue], name: str) -> None:
    """Check the form of every field; the first fault is reported with its place.

    Raises:
        ScenarioInvalid: one is missing or something else.
    """
    for key, (kind, words, needed) in _FORMS.items():
        value = scenario.get(key)
        if value is None and not needed:
            continue
        if value is None:
            raise ScenarioInvalid(
                "bad_scenario", f"{name}.{key}", f"the field is missing; expected {words}"
            )
        if not isinstance(value, kind):
            raise ScenarioInvalid(
                "bad_scenario", f"{name}.{key}", f"expected {words}, got {value!r:.60}"
            )
    for i, player in enumerate(scenario["players"]):
        if not isinstance(player, str):
            raise ScenarioInvalid(
                "bad_scenario", f"{name}.players[{i}]", f"expected a name, got {player!r:.60}"
            )
    for i, step in enumerate(scenario["steps"]):
        good = isinstance(step, Mapping) and isinstance(step.get("do"), Mapping)
        if not good or not isinstance(step.get("expect") or {}, Mapping):
            form = '{"do": {"action": ...}, "expect": {...}}'
            raise ScenarioInvalid(
                "bad_scenario", f"{name}.steps[{i}]", f"expected {form}, got {step!r:.60}"
            )


def _with_window(info: GameInfo, action: Action, step: Mapping[str, JsonValue]) -> Action:
    """The action with a closed challenge window, unless an open one is expected (rule 9)."""
    if action.kind != "place" or not info.challenge_window:
        return action
    pending = bool((step.get("expect") or {}).get("pending_challenge"))
    data = {**action.data, "window": "open" if pending else "closed"}
    return Action(action.kind, action.player, action.at, data)


ROWS = ("board", "board_after", "board45")


def differs(want: JsonValue, got: JsonValue, path: str) -> str | None:
    """The first difference, or None; fields that are not expected are not compared.

    Lists of plain values are compared as sets except boards; `events` keep their order.
    """
    if isinstance(want, Mapping):
        return _differs_mapping(want, got, path)
    if isinstance(want, (list, tuple)):
        return _differs_list(list(want), got, path)
    return None if want == got else f"{path}: expected {want!r}, got {got!r}"


def _differs_mapping(want: Mapping[str, JsonValue], got: JsonValue, path: str) -> str | None:
    if not isinstance(got, Mapping):
        return f"{path}: expected {dict(want)!r}, got {got!r}"
    for key, value in want.items():
        if key not in got:
            if value in (False, None, [], {}, 0, ""):
                continue
            return f"{path}.{key}: missing (expected {value!r})"
        if difference := differs(value, got[key], f"{path}.{key}"):
            return difference
    return None


def _differs_list(want: list[JsonValue], got: JsonValue, path: str) -> str | None:
    if not isinstance(got, (list, tuple)) or len(want) != len(got):
        return f"{path}: expected {want!r}, got {got!r}"
    have = list(got)
    if all(not isinstance(x, (Mapping, list, tuple)) for x in want):
        same = (
            want == have
            if path.endswith(ROWS)
            else sorted(map(str, want)) == sorted(map(str, have))
        )
        return None if same else f"{path}: expected {want!r}, got {have!r}"
    if path.endswith("events"):
        for i, (a, b) in enumerate(zip(want, have, strict=True)):
            if difference := differs(a, b, f"{path}[{i}]"):
                return difference
        return None
    for a in want:
        hit = next((i for i, b in enumerate(have) if differs(a, b, "") is None), None)
        if hit is None:
            return f"{path}: nothing matches {a!r} in {have!r}"
        have.pop(hit)
    return None
