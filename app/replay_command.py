"""`kibitz replay`: a photographed game in, its plays, scores and announcements out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.errors import UsageError
from app.ledger import Opening
from app.loose_replay import LooseReplay
from app.materials import counts_of, letters_for, make_materials
from app.picture_paths import PathProblem, expand
from app.picture_reader import FileReading, ReadsPictures, make_reader, read_file
from app.read_options import Look, game_slug, parse_corners, parse_squares, parse_top
from app.replay import BoardReplay
from app.terminal import print_result, show_progress
from app.told import load_json, load_told
from engine.games import find_game
from engine.options import BadOption, check_options

ReadsFiles = Callable[[str | PathProblem, ReadsPictures, Look, tuple[Any, ...]], FileReading]


@dataclass(frozen=True, slots=True)
class ReplayJob:
    """What `kibitz replay` was asked for."""

    paths: tuple[str, ...]
    as_json: bool = False
    game: str = "scrabble"
    players: str | None = None
    settings: tuple[str, ...] = ()
    told: Path | None = None
    start: Path | None = None
    lexicon: str = "default"
    tiles: str = "en"
    top: str | None = None
    corners: str | None = None
    gcg: Path | None = None
    html: Path | None = None
    data: str | None = None
    models: Path | None = None


def run_replay(job: ReplayJob, read: ReadsFiles | None = None) -> int:
    """Replay a game and print its lines; 0 if every photograph could be read, else 1."""
    slug = game_slug(job.game)
    top = parse_top(job.top)
    look = Look(parse_squares(None, slug), letters_for(job.tiles), parse_corners(job.corners), top)
    opening, told = make_opening(job, slug), load_told(job.told)
    replay: BoardReplay | LooseReplay
    if look.squares == "loose":
        replay = LooseReplay(opening, look.letters, told)
    else:
        fixed_top = top is not None or look.corners is not None
        replay = BoardReplay(opening, told, counts_of(job.tiles), fixed_top=fixed_top)
    failed = 0
    for found in _readings(job, look, read):
        line = replay.see(found)
        failed += found.reading is None
        _show(line, as_json=job.as_json)
    last = replay.finish()
    for problem in replay.problems:
        show_progress(f"told, but not possible: {problem}")
    _show(last, as_json=job.as_json)
    return 1 if failed or replay.problems else 0


def _readings(job: ReplayJob, look: Look, read: ReadsFiles | None) -> Iterable[FileReading]:
    reader = _NoReader() if read is not None else make_reader(job.models)
    hint: tuple[Any, ...] = ()
    for source in expand(job.paths):
        yield (read or read_file)(source, reader, look, hint)


class _NoReader:
    """Stands where a test brings its own way of reading files."""

    def read(self, picture: Any, request: Any) -> Any:
        """Never called."""
        raise NotImplementedError


def _show(line: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_result(json.dumps(line, ensure_ascii=False))
        return
    from app.draw_boards import draw_replay_line

    print_result(draw_replay_line(line))


def make_opening(job: ReplayJob, slug: str) -> Opening:
    """The game with its players, settings, words, tiles and position to begin from.

    Raises:
        UsageError: a setting, a name or a file is not right; the message says what was expected.
    """
    game = find_game(slug)
    given = dict(parse_setting(text) for text in job.settings)
    try:
        options = check_options(game.info, given)
    except BadOption as error:
        raise UsageError(f"--set: {error}") from error
    players = player_names(job.players, game.info.players)
    initial = load_json(job.start, "--start") if job.start else None
    if initial is not None and not isinstance(initial, Mapping):
        raise UsageError(f"--start: expected an object as a scenario's 'initial' in {job.start}")
    materials = make_materials(job.lexicon, job.tiles, options)
    opening = Opening(game, players, options, materials, initial)
    try:
        opening.begin()
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"this game cannot begin: {error}") from error
    return opening


def player_names(text: str | None, allowed: tuple[int, ...]) -> tuple[str, ...]:
    """Names from `Ann,Bob`, or numbered ones for the fewest players a game takes."""
    if text is None:
        return tuple(f"Player {i + 1}" for i in range(max(2, min(allowed))))
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if len(names) != len(set(names)):
        raise UsageError(f"--players: every name may stand only once, got {text!r}")
    if len(names) not in allowed:
        wanted = " or ".join(str(n) for n in allowed)
        raise UsageError(f"--players: expected {wanted} names, got {len(names)} in {text!r}")
    return names


def parse_setting(text: str) -> tuple[str, Any]:
    """`KEY=VALUE`, the value as JSON where it is that, else as text."""
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise UsageError(f"--set: expected KEY=VALUE, got {text!r}")
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value.strip()
