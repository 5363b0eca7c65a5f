"""`kibitz replay`: a photographed game in, its plays, scores and announcements out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.materials import letters_for, make_materials
from kibitz.app.common.terminal import print_result, show_progress
from kibitz.app.observers.feeds import GameReplay, make_observer
from kibitz.app.observers.panels import PanelOrder, parse_panels
from kibitz.app.observers.told import Told, load_json, load_told, photographs_missing
from kibitz.app.reading.games import ReadsFiles, photo_readings, video_readings
from kibitz.app.reading.pictures import FileReading, expand, make_reader, read_file
from kibitz.app.reading.profile import load_profile
from kibitz.app.reading.request import (
    Look,
    game_info,
    game_slug,
    parse_corners,
    parse_squares,
    parse_top,
)
from kibitz.app.reading.shots import make_shot
from kibitz.app.tables.html_replay import Shot
from kibitz.engine.games import DEFAULT_GAME, find_game
from kibitz.engine.options import BadOption, check_options
from kibitz.engine.record.ledger import Ledger, Opening
from kibitz.vision.frame import VIDEO_SUFFIXES


@dataclass(frozen=True, slots=True)
class ReplayJob:
    """What `kibitz replay` was asked for."""

    paths: tuple[str, ...]
    as_json: bool = False
    game: str = DEFAULT_GAME
    players: str | None = None
    settings: tuple[str, ...] = ()
    told: Path | None = None
    start: Path | None = None
    lexicon: str = "default"
    tiles: str = "en"
    top: str | None = None
    corners: str | None = None
    panel: str | None = None
    calibration: str | None = None
    gcg: Path | None = None
    html: Path | None = None
    data: str | None = None
    models: Path | None = None


def run_replay(job: ReplayJob, read: ReadsFiles | None = None) -> int:
    """Replay a game and print its lines; 0 if every photograph could be read, else 1."""
    if (recorded := _recorded(job)) is not None:
        return recorded
    slug = game_slug(job.game)
    look = look_of(job, slug)
    opening, told = make_opening(job, slug), load_told(job.told)
    check_outputs(job, slug)
    replay = new_replay(job, opening, told)
    shots: list[Shot | None] = []
    failed = 0
    for found in _readings(job, look, read):
        replay.see(found)
        failed += found.reading is None
        if job.html is not None:
            shots.append(make_shot(found, replay.boards[-1]))
    for name in photographs_missing(told, replay.files):
        show_progress(
            f"--told: there is no photograph {name!r}; what comes before it is said last"
        )
    last = replay.finish()
    for problem in replay.problems:
        show_progress(f"told, but not possible: {problem}")
    # every photograph is there already, so each line says what the later ones have made of it
    lines = replay.known_lines()
    for line in (*lines, last):
        _show(line, as_json=job.as_json)
    if job.html is not None:
        write_file(job.html, page_of(opening, look, lines, shots), "--html")
    if job.gcg is not None:
        write_file(job.gcg, gcg_of(replay.ledger), "--gcg")
    return 1 if failed or replay.problems else 0


def check_outputs(job: ReplayJob, slug: str) -> None:
    """Whether what is to be written can be, before anything is read.

    Raises:
        UsageError: a format that cannot hold this game, or a folder in the file's place.
    """
    if job.gcg is not None and not game_info(slug).gcg:
        title = find_game(slug).info.title
        raise UsageError(f"--gcg: the format holds only Scrabble, not {title}; see --html")
    for option, path in (("--gcg", job.gcg), ("--html", job.html)):
        if path is not None and path.is_dir():
            raise UsageError(f"{option}: expected a file to write, got the folder {path}")


def new_replay(job: ReplayJob, opening: Opening, told: list[Told]) -> GameReplay:
    """What replays this game."""
    # row A is where people said: by hand, or when the table was calibrated
    fixed_top = job.corners is not None or look_of(job, opening.game.info.slug).top is not None
    panels = parse_panels(job.panel)
    return GameReplay(make_observer(opening, job.tiles, fixed_top=fixed_top, panels=panels), told)


def look_of(job: ReplayJob, slug: str) -> Look:
    """What to look for in each photograph.

    Raises:
        UsageError: `--panel` for a game that is not played on joined boards.
    """
    squares, corners, top = (
        parse_squares(None, slug),
        parse_corners(job.corners),
        parse_top(job.top),
    )
    if job.panel is None:
        return _placed(job, Look(squares, letters_for(job.tiles), corners, top))
    if squares != 45:
        title = game_info(slug).title
        raise UsageError(f"--panel: {title} is not played on several joined boards")
    alone = parse_panels(job.panel) != PanelOrder()
    return Look(15 if alone else 45, letters_for(job.tiles), corners, top, part=alone)


def _placed(job: ReplayJob, look: Look) -> Look:
    """What to look for, with what `kibitz calibrate` kept of the table."""
    if job.calibration is None:
        return look
    names = [name.strip() for name in (job.players or "").split(",")]
    return load_profile(job.calibration, job.data).look(look, names)


def _recorded(job: ReplayJob) -> int | None:
    """Replay a kept table, if that is what the only path names; None if it is something else."""
    name = job.paths[0]
    if len(job.paths) > 1 or Path(name).exists() or not (name.isalnum() and len(name) <= 40):
        return None
    from kibitz.app.common.storage import Storage, StorageError, default_data
    from kibitz.app.tables.records import table_gcg, table_lines, table_page
    from kibitz.app.tables.registry import Tables

    if job.data is None and not Path(default_data()).exists():
        return None
    try:
        tables = Tables(Storage(job.data))
    except StorageError as error:
        raise CommandError(error.message) from error
    try:
        table = tables.get(name)
        if table is None:
            return None
        for line in table_lines(table):
            _show(line, as_json=job.as_json)
        if job.html is not None:
            write_file(job.html, table_page(table), "--html")
        if job.gcg is not None:
            write_file(job.gcg, table_gcg(table), "--gcg")
    finally:
        tables.close()
    return 0


def page_of(
    opening: Opening, look: Look, lines: Sequence[Mapping[str, Any]], shots: Sequence[Shot | None]
) -> str:
    """The page that replays a game."""
    from kibitz.app.tables.html_replay import PageFacts, replay_page

    facts = PageFacts(
        opening.game.info,
        opening.players,
        opening.materials.tile_set,
        letters=look.letters,
    )
    return replay_page(facts, lines, shots)


def gcg_of(ledger: Ledger) -> str:
    """A game of Scrabble in the GCG format."""
    from kibitz.app.tables.records import gcg_game
    from kibitz.engine.record.gcg import write_gcg

    return write_gcg(gcg_game(ledger))


def write_file(path: Path, text: str, option: str) -> None:
    """Write a result file.

    Raises:
        CommandError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{option}: cannot write {path}: {error.strerror}") from error


def _readings(job: ReplayJob, look: Look, read: ReadsFiles | None) -> Iterable[FileReading]:
    sources = expand(job.paths)
    reader = _NoReader() if read is not None else make_reader(job.models)
    if len(sources) == 1 and isinstance(sources[0], str) and _is_video(sources[0]):
        return video_readings(sources[0], reader, look)
    return photo_readings(sources, reader, look, read or read_file)


def _is_video(source: str) -> bool:
    """A video that is named itself; one among photographs gets an error line."""
    return Path(source).suffix.lower() in VIDEO_SUFFIXES


class _NoReader:
    """Stands where a test brings its own way of reading files."""

    def read(self, picture: Any, request: Any) -> Any:
        """Never called."""
        raise NotImplementedError


def _show(line: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_result(json.dumps(line, ensure_ascii=False))
        return
    from kibitz.app.cli.drawing import draw_replay_line

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
