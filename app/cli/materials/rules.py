"""`kibitz rules`: rule scenarios and GCG files played without a camera."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Required, TypedDict

import typer

from kibitz.app.cli.options import Json, Lexicon
from kibitz.app.common.errors import UsageError
from kibitz.app.common.files import json_of
from kibitz.app.common.listing import LIMITS
from kibitz.app.common.materials.named import (
    TILE_SETS,
    load_lexicon,
    load_tile_set,
    make_materials,
)
from kibitz.app.common.terminal import print_result, show_progress, shown
from kibitz.app.reading.lines import ErrorLine
from kibitz.engine.record.gcg import GcgInvalid, read_gcg
from kibitz.engine.record.gcg_replay import GcgWrong, replay_gcg
from kibitz.engine.rules import JsonValue, Materials, Options
from kibitz.engine.scenarios import ScenarioInvalid, ScenarioLine, run_scenario
from kibitz.vision.plain_file import FileRefused, read_plain


def command(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...", help="Scenario files (.json) or GCG files.", readable=False
        ),
    ],
    *,
    as_json: Json = False,
    lexicon: Lexicon = "default",
) -> None:
    """Play rule scenarios or GCG files through the rules, without a camera.

    Example: kibitz rules scenarios.json
    """
    raise typer.Exit(run_rules(files, as_json=as_json, lexicon=lexicon))


def run_rules(paths: Sequence[str | Path], *, as_json: bool, lexicon: str) -> int:
    """Play files; 0 if nothing differs, 1 if something does or a file is faulty.

    Raises:
        UsageError: no file was named, or the word list cannot be had.
    """
    if not paths:
        raise UsageError("rules: expected one or more scenario (.json) or GCG files")
    load_lexicon(lexicon)
    failed = False
    for path in map(Path, paths):
        for line in _played(path, lexicon):
            failed |= not line["ok"]
            _show(line, as_json=as_json)
    return 1 if failed else 0


def _show(line: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_result(json.dumps(line, ensure_ascii=False))
        return
    name = line.get("id") or line.get("file")
    print_result(f"{'ok  ' if line['ok'] else 'FAIL'} {shown(name)}")
    if error := line.get("error"):
        print_result(f"     {shown(error['message'])}")
    for text in (*line.get("differences", ()), *map(_wrong_text, line.get("wrong", ()))):
        print_result(f"     {shown(text)}")
    for remark in line.get("remarks", ()):
        print_result(f"     counts for nothing: {shown(_wrong_text(remark))}")


def _wrong_text(wrong: Mapping[str, Any]) -> str:
    return f"line {wrong['line']}: {wrong['what']}: {wrong['why']}"


class WrongLine(TypedDict):
    """What a GCG file says that the rules do not: in which line, what, both figures, and why."""

    line: int
    what: str
    annotated: JsonValue
    computed: JsonValue
    why: str


class GcgLine(TypedDict, total=False):
    """How a GCG file agrees with the rules; `remarks` count for nothing."""

    file: Required[str]
    ok: Required[bool]
    moves: Required[int]
    wrong: Required[list[WrongLine]]
    remarks: list[WrongLine]
    tiles: Required[str]
    scores: Required[Mapping[str, int]]


class FaultLine(TypedDict, total=False):
    """Why a file or a scenario cannot be played, and where in it."""

    file: Required[str]
    ok: Required[bool]
    error: Required[ErrorLine]
    id: JsonValue
    place: str
    line: int


CheckedLine = GcgLine | FaultLine | ScenarioLine


def _played(path: Path, lexicon: str) -> Sequence[CheckedLine]:
    """The lines of one file; one that breaks our own code does not lose the files after it."""
    try:
        return _play_file(path, lexicon)
    except Exception as error:  # noqa: BLE001 - what is wrong with this file is told in its line
        return [_fault(path, "not_playable", _broken(path, error))]


def _broken(place: object, error: Exception) -> str:
    return f"{place}: it cannot be played ({type(error).__name__}: {error})"


def _play_file(path: Path, lexicon: str) -> Sequence[CheckedLine]:
    """The lines of one file; whatever is wrong with it becomes one line."""
    try:
        data = read_plain(path, LIMITS.read_bytes)
    except FileRefused as error:
        return [_fault(path, error.code, str(error))]
    except FileNotFoundError:
        return [_fault(path, "file_not_found", f"there is no file {path}")]
    except IsADirectoryError:
        return [_fault(path, "is_a_folder", f"{path} is a folder; expected a file")]
    except OSError as error:
        return [_fault(path, "not_readable", f"{path} cannot be read: {error.strerror}")]
    if path.suffix.lower() == ".gcg" or data.lstrip()[:1] in (b">", b"#"):
        return [_play_gcg(path, data)]
    try:
        raw = json_of(data)
    except ValueError as error:
        message = f"{path}: expected a scenario file (JSON) or a GCG file: {error}"
        return [_fault(path, "not_json", message)]
    scenarios = raw.get("scenarios") if isinstance(raw, Mapping) else None
    if not isinstance(scenarios, list):
        return [_fault(path, "bad_scenario", f'{path}: expected {{"scenarios": [...]}}')]
    return [_scenario(path, i, s, lexicon) for i, s in enumerate(scenarios)]


def _scenario(path: Path, index: int, scenario: Any, lexicon: str) -> ScenarioLine | FaultLine:
    """The line of one scenario; the others of its file are played all the same."""
    try:
        return _play_scenario(path, index, scenario, lexicon)
    except Exception as error:  # noqa: BLE001 - as above
        name = scenario.get("id") if isinstance(scenario, Mapping) else None
        place = f"{path}: scenarios[{index}]"
        return {**_fault(path, "not_playable", _broken(place, error)), "id": name}


def _fault(path: Path, code: str, message: str) -> FaultLine:
    show_progress(message)
    return {"file": str(path), "ok": False, "error": {"code": code, "message": message}}


def _play_scenario(
    path: Path, index: int, scenario: Any, lexicon: str
) -> ScenarioLine | FaultLine:
    if not isinstance(scenario, Mapping):
        return _fault(path, "bad_scenario", f"{path}: scenarios[{index}]: expected an object")

    def materials(options: Options) -> Materials:
        return make_materials(lexicon, "en", options)

    try:
        return run_scenario(scenario, materials)
    except ScenarioInvalid as error:
        fault = _fault(path, error.code, f"{path}: {error}")
        return {**fault, "id": scenario.get("id"), "place": error.place}
    except UsageError as error:
        fault = _fault(path, "bad_lexicon", f"{path}: {error}")
        return {**fault, "id": scenario.get("id")}


def _play_gcg(path: Path, data: bytes) -> GcgLine | FaultLine:
    try:
        game = read_gcg(data)
    except GcgInvalid as error:
        return {**_fault(path, "bad_gcg", f"{path}: {error}"), "line": error.line}
    replay = replay_gcg(game, [load_tile_set(name) for name in TILE_SETS])
    wrong = [_wrong_json(w) for w in replay.wrong]
    out: GcgLine = {
        "file": str(path),
        "ok": not wrong,
        "moves": len(game.moves),
        "wrong": wrong,
        "tiles": replay.tile_set.language,
        "scores": replay.scores,
    }
    if replay.remarks:
        out["remarks"] = [_wrong_json(w) for w in replay.remarks]
    return out


def _wrong_json(wrong: GcgWrong) -> WrongLine:
    return {
        "line": wrong.line,
        "what": wrong.what,
        "annotated": wrong.annotated,
        "computed": wrong.computed,
        "why": wrong.why,
    }
