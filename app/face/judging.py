"""`kibitz.rules`: checks rule scenarios and GCG files against the rules, without a camera."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Required, TypeAlias, TypedDict

from kibitz.app.common.errors import Problem, UsageError
from kibitz.app.common.files import PathLike, json_of
from kibitz.app.common.limits import LIMITS
from kibitz.app.common.materials.named import (
    TILE_SETS,
    load_lexicon,
    load_tile_set,
    make_materials,
)
from kibitz.app.common.materials.own_games import GameLike, games_with
from kibitz.app.common.terminal import silent
from kibitz.app.face.game import scores_in
from kibitz.engine.games import Games
from kibitz.engine.record.gcg import GcgInvalid, read_gcg
from kibitz.engine.record.gcg_replay import GcgWrong, replay_gcg
from kibitz.engine.rules import JsonValue, Materials, Options
from kibitz.engine.scenarios import ScenarioInvalid, ScenarioLine, run_scenario
from kibitz.vision.plain_file import FileRefused, read_plain

if TYPE_CHECKING:
    from kibitz.app.wire.lines import ErrorLine


class GcgLine(TypedDict, total=False):
    """Result of checking a GCG file; `remarks` are no differences."""

    file: Required[str]
    ok: Required[bool]
    moves: Required[int]
    wrong: Required[list[dict[str, JsonValue]]]
    remarks: list[dict[str, JsonValue]]
    tiles: Required[str]
    scores: Required[Mapping[str, int]]


class FaultLine(TypedDict, total=False):
    """Why a file or a scenario cannot be played, and where."""

    file: Required[str]
    ok: Required[bool]
    error: Required[ErrorLine]
    id: JsonValue
    place: str
    line: int


CheckedLine: TypeAlias = GcgLine | FaultLine | ScenarioLine


@dataclass(frozen=True, slots=True)
class Judged:
    """Result of a scenario or a GCG file; true if nothing differs from the rules.

    Attributes:
        name: the scenario's `id`, or the GCG file.
        file: the file that it stands in.
        ok: whether nothing differs from what the file says.
        scores: points at the end, by player or team; empty in games that do not count points.
        differences: what a scenario expects and the rules do not give, in words.
        wrong: what a GCG file says and the rules do not.
        remarks: the same where it counts for nothing in the game.
        problem: why it could not be played; None where it was.
        line: everything that is known of it, as `kibitz rules --json` prints it.
    """

    name: str
    file: str
    ok: bool
    scores: Mapping[str, int] = field(default_factory=dict)
    differences: tuple[str, ...] = ()
    wrong: tuple[GcgWrong, ...] = ()
    remarks: tuple[GcgWrong, ...] = ()
    problem: Problem | None = None
    line: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __bool__(self) -> bool:
        return self.ok

    def to_json(self) -> dict[str, JsonValue]:
        """The line of `kibitz rules --json`."""
        return deepcopy(dict(self.line))


def rules(
    files: PathLike | Iterable[PathLike],
    *,
    lexicon: str = "default",
    game: GameLike | None = None,
    house_rules: bool = False,
    progress: Callable[[str], None] = silent,
) -> Iterator[Judged]:
    """Check rule scenarios and GCG files against the rules, one after the other.

    What is wrong with a file is no exception: it is a `problem`, and the other files are judged.

    Args:
        files: scenario files (JSON, `{"scenarios": [...]}`) and GCG files.
        lexicon: the words that are good in scenarios: `default`, `none` (any string is a word) or
            a file. A GCG file's words are not judged.
        game: rules of your own that scenarios may be of, beside Kibitz's games.
        house_rules: a GCG file may break the rules of laying, drawing and taking turns; its
            scores are judged all the same.
        progress: is told, in words, what cannot be played.

    Returns:
        One for each scenario and each GCG file, in order.

    Raises:
        UsageError: no file was named, the word list cannot be had, or these rules are no game;
            before anything is judged.
    """
    names = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    if not names:
        raise UsageError("rules: expected one or more scenario (.json) or GCG files")
    load_lexicon(lexicon)
    judge = _Judge(lexicon, progress, games_with(*([game] if game else [])), house_rules)
    return (_of_line(path, line) for path in map(Path, names) for line in judge.lines(path))


def _of_line(path: Path, line: CheckedLine) -> Judged:
    facts: Mapping[str, Any] = line
    error = facts.get("error")
    return Judged(
        name=str(facts.get("id") or facts.get("file")),
        file=str(path),
        ok=bool(facts["ok"]),
        scores=scores_in(facts.get("final") or facts),
        differences=tuple(facts.get("differences", ())),
        wrong=tuple(GcgWrong(**w) for w in facts.get("wrong", ())),
        remarks=tuple(GcgWrong(**w) for w in facts.get("remarks", ())),
        problem=None if error is None else Problem(error["code"], error["message"]),
        line=facts,
    )


@dataclass(frozen=True, slots=True)
class _Judge:
    """Checks files; a crash of our own code in one does not lose the files after it."""

    lexicon: str
    progress: Callable[[str], None]
    games: Games
    house_rules: bool

    def lines(self, path: Path) -> Sequence[CheckedLine]:
        """Results of one file."""
        try:
            return self._file(path)
        except Exception as error:  # noqa: BLE001 - what is wrong with a file is told in its line
            return [self._fault(path, "not_playable", _broken(path, error))]

    def _file(self, path: Path) -> Sequence[CheckedLine]:
        """Results of one file; a fault becomes one of them."""
        try:
            data = read_plain(path, LIMITS.read_bytes)
        except FileRefused as error:
            return [self._fault(path, error.code, str(error))]
        except FileNotFoundError:
            return [self._fault(path, "file_not_found", f"there is no file {path}")]
        except IsADirectoryError:
            return [self._fault(path, "is_a_folder", f"{path} is a folder; expected a file")]
        except OSError as error:
            return [self._fault(path, "not_readable", f"{path} cannot be read: {error.strerror}")]
        if path.suffix.lower() == ".gcg" or data.lstrip()[:1] in (b">", b"#"):
            return [self._gcg(path, data)]
        try:
            raw = json_of(data)
        except ValueError as error:
            message = f"{path}: expected a scenario file (JSON) or a GCG file: {error}"
            return [self._fault(path, "not_json", message)]
        scenarios = raw.get("scenarios") if isinstance(raw, Mapping) else None
        if not isinstance(scenarios, list):
            message = f'{path}: expected {{"scenarios": [...]}}'
            return [self._fault(path, "bad_scenario", message)]
        return [self._scenario(path, i, s) for i, s in enumerate(scenarios)]

    def _scenario(self, path: Path, index: int, scenario: Any) -> ScenarioLine | FaultLine:
        """Result of one scenario; a fault does not stop the others of its file."""
        try:
            return self._played(path, index, scenario)
        except Exception as error:  # noqa: BLE001 - as above
            name = scenario.get("id") if isinstance(scenario, Mapping) else None
            place = f"{path}: scenarios[{index}]"
            return {**self._fault(path, "not_playable", _broken(place, error)), "id": name}

    def _fault(self, path: Path, code: str, message: str) -> FaultLine:
        self.progress(message)
        return {"file": str(path), "ok": False, "error": {"code": code, "message": message}}

    def _played(self, path: Path, index: int, scenario: Any) -> ScenarioLine | FaultLine:
        if not isinstance(scenario, Mapping):
            message = f"{path}: scenarios[{index}]: expected an object"
            return self._fault(path, "bad_scenario", message)

        def materials(options: Options) -> Materials:
            return make_materials(self.lexicon, "en", options)

        try:
            return run_scenario(scenario, materials, self.games)
        except ScenarioInvalid as error:
            fault = self._fault(path, error.code, f"{path}: {error}")
            return {**fault, "id": scenario.get("id"), "place": error.place}
        except UsageError as error:
            fault = self._fault(path, "bad_lexicon", f"{path}: {error}")
            return {**fault, "id": scenario.get("id")}

    def _gcg(self, path: Path, data: bytes) -> GcgLine | FaultLine:
        try:
            game = read_gcg(data)
        except GcgInvalid as error:
            fault = self._fault(path, "bad_gcg", f"{path}: {error}")
            return {**fault, "line": error.line}
        sets = [load_tile_set(name) for name in TILE_SETS]
        replay = replay_gcg(game, sets, house_rules=self.house_rules)
        wrong = [asdict(w) for w in replay.wrong]
        out: GcgLine = {
            "file": str(path),
            "ok": not wrong,
            "moves": len(game.moves),
            "wrong": wrong,
            "tiles": replay.tile_set.language,
            "scores": replay.scores,
        }
        if replay.remarks:
            out["remarks"] = [asdict(w) for w in replay.remarks]
        return out


def _broken(place: object, error: Exception) -> str:
    return f"{place}: it cannot be played ({type(error).__name__}: {error})"
