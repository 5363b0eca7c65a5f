"""`kibitz.archive`: replays every game below folders and writes tables, pages and statistics."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kibitz.app.archive.content import NoGame, pack_game
from kibitz.app.archive.facts import GameFacts
from kibitz.app.archive.finding import find_games
from kibitz.app.archive.job import NO_ROOM, Result, Task, failure, version
from kibitz.app.archive.kept import kept_game
from kibitz.app.archive.pages import Pages
from kibitz.app.archive.parquet import HOW, ParquetFiles, parquet_missing
from kibitz.app.archive.pools import (
    MOST_SENT_BYTES,
    Workers,
    all_cores,
    cluster_workers,
    local_workers,
)
from kibitz.app.archive.statistics import Statistics
from kibitz.app.archive.store import Store, ToDo
from kibitz.app.common.errors import CommandError, Option, UsageError
from kibitz.app.common.files import PathLike, drafted
from kibitz.app.common.limits import LIMITS, LISTS
from kibitz.app.common.materials.own_games import GameLike, info_of
from kibitz.app.face.opening import Players, opening_of
from kibitz.engine.games import DEFAULT_GAME
from kibitz.engine.rules import JsonValue
from kibitz.vision.plain_file import FileRefused, read_plain, told_size

REPORT: Final = "games.jsonl"
BAD_NAMES = frozenset(
    {errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.EINVAL, errno.EILSEQ}
)
"""Errors of the system for a name that no file can have there."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of an archive's run.

    Attributes:
        done: games that are done in this run.
        total: games that this run has to do.
        photos: photographs of those that are done.
        seconds: since the first game was handed out.
        line: the line in the report of the game that was done last; None before the first.
    """

    done: int
    total: int
    photos: int
    seconds: float
    line: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Archive:
    """Result of a run over an archive.

    Attributes:
        out: the folder with the results; `index.html` is the way in.
        games: how many games there are.
        replayed: how many were replayed now; of the others the result was there already.
        failed: the lines in the report of games that could not be replayed, at most a hundred.
        failures: how many those are.
        photos: photographs of all games.
        notes: what to know, as that no tables were written.
    """

    out: Path
    games: int
    replayed: int
    failed: tuple[Mapping[str, Any], ...]
    failures: int
    photos: int
    notes: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """True if every game was replayed and everything was written."""
        return not (self.failures or self.notes)

    def lines(self) -> Iterator[Mapping[str, JsonValue]]:
        """The lines of the report (`games.jsonl`), one a game."""
        with (self.out / REPORT).open(encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)


def ignore_progress(_progress: Progress) -> None:
    """Ignore the progress."""


def archive(
    games: PathLike | Iterable[PathLike],
    out: PathLike,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    game: GameLike = DEFAULT_GAME,
    players: Players = None,
    settings: Mapping[str, Any] | None = None,
    tiles: str = "en",
    lexicon: str = "default",
    top: str | None = None,
    pictures: bool = True,
    progress: Callable[[Progress], None] = ignore_progress,
) -> Archive:
    """Replay every game below folders, skipping those that have a result that is up to date.

    A folder of pictures, a film or a zip is one game; `game.json` in it says game and players,
    else the arguments do.

    Args:
        games: folders, films and zips.
        out: the folder for the results; a run that was broken off goes on there.
        workers: how many processes share the work; None: one for every core.
        cluster: `tcp://HOST:PORT` of a Dask scheduler, or `local:N`.
        game: the game's slug, or MODULE:NAME of rules that every worker can load.
        players: names in seating order, as a list or as `Ann,Bob`.
        settings: the game's settings by their names.
        tiles: the tile set: `en de fr ro pl fi`, or a file.
        lexicon: the words that are good: `default`, `none` or a file.
        top: the photographs' edge that row A is nearest to.
        pictures: whether each game's page holds its photographs, made small.
        progress: is told whenever a game is done.

    Raises:
        UsageError: an argument is not one of those that are taken.
        CommandError: there is no room, no cluster, or another run writes to the same folder.
    """
    places = [games] if isinstance(games, (str, os.PathLike)) else list(games)
    target = Path(out)
    usual, brought = _usual(game, players, settings, tiles, lexicon, top)
    if workers is not None and workers < 1:
        raise UsageError(Option("workers"), f": expected at least 1, got {workers}")
    crew = local_workers(workers or all_cores()) if cluster is None else cluster_workers(cluster)
    inputs = f"{version()} {usual!r} {[(n, hashlib.sha256(d).hexdigest()) for _, n, d in brought]}"
    stamp = hashlib.sha256(f"{inputs} {pictures}".encode()).hexdigest()[:16]
    try:
        with _store(target) as store:
            count = store.note(find_games([Path(p) for p in places], target), stamp)
            if count == 0:
                raise UsageError(
                    f"IN: there is no game in {', '.join(map(str, places))}; expected folders of "
                    "photographs, films or zips below it"
                )
            store.forget_missing()
            run = _Run(store, crew, usual, brought, pictures)
            replayed = run.replay(progress)
            return finish(store, count, replayed)
    except OSError as error:
        raise _explain(error, target) from error


def _store(out: Path) -> Store:
    if out.exists() and not out.is_dir():
        raise UsageError(Option("out"), f": expected a folder, got the file {out}")
    return Store(out)


def _explain(error: OSError, out: Path) -> CommandError:
    """The system's error as a sentence that says what to do."""
    again = "what is done is kept: give the same command again and it goes on"
    where = f"{error.filename}: " if error.filename else ""
    if error.errno in NO_ROOM:
        what = f"{where}{error.strerror or error}"
        return CommandError(f"there is no room left for {out} ({what}); free some space; {again}")
    return CommandError(f"{where}{error.strerror or error}; {again}")


def _usual(
    game: GameLike,
    players: Players,
    settings: Mapping[str, Any] | None,
    tiles: str,
    lexicon: str,
    top: str | None,
) -> tuple[GameFacts, tuple[tuple[str, str, bytes], ...]]:
    """Facts for games whose own file gives none, and the files that these facts need.

    Raises:
        UsageError: one of the arguments is not one of those that are taken.
    """
    if not isinstance(game, str):
        raise UsageError(
            Option("game"), ": expected a name or MODULE:NAME, which other processes can load"
        )
    # what every game would meet with is told before any is replayed
    opening_of(game, players, settings=settings, tiles=tiles, lexicon=lexicon)
    from kibitz.app.reading.request import parse_top

    parse_top(top)
    names = players.split(",") if isinstance(players, str) else players
    facts = GameFacts(
        game=game if ":" in game else info_of(game).slug,
        players=None if names is None else tuple(x.strip() for x in names),
        settings=dict(settings or {}),
        tiles=tiles,
        lexicon=lexicon,
        top=top,
    )
    brought = []
    for what, name in facts.files().items():
        try:
            data = read_plain(Path(name), LIMITS.words_bytes)
        except (OSError, FileRefused) as error:
            raise UsageError(f"--{what}: {name} cannot be read: {error}") from error
        brought.append((what, Path(name).name, data))
        facts = facts.with_texts({what: str(Path(name).absolute())})
    return facts, tuple(brought)


@dataclass(eq=False)
class _Run:
    """One run over the games of an archive."""

    store: Store
    crew: Workers
    usual: GameFacts
    brought: tuple[tuple[str, str, bytes], ...]
    pictures: bool

    def replay(self, progress: Callable[[Progress], None]) -> int:
        """Replay all games without a result that is up to date; returns how many."""
        total, photos, replayed = self.store.count_to_do(), 0, 0
        progress(Progress(0, total, 0, 0.0, None))
        if total == 0:
            return 0
        began = time.perf_counter()
        for done, result in enumerate(self._results(), 1):
            self._keep(result)
            replayed += not result.same
            photos += result.line.get("photos", 0)
            seconds = time.perf_counter() - began
            progress(Progress(done, total, photos, seconds, result.line or None))
        return replayed

    def _keep(self, result: Result) -> None:
        """Keep a game's result; a game whose name no file can have has failed.

        Raises:
            OSError: there is no room, or nothing can be written at all.
        """
        try:
            self.store.keep(result)
        except OSError as error:
            if error.errno not in BAD_NAMES:
                raise
            why = (
                f"its results cannot be written ({error.strerror}); give the folder, film or zip "
                "a shorter name that no other begins with"
            )
            self.store.keep(failure(result.name, "not_written", why))

    def _results(self) -> Iterator[Result]:
        unsent: list[Result] = []
        for result in self.crew.replay(self._tasks(unsent)):
            yield result
            yield from _drain(unsent)
        yield from _drain(unsent)

    def _tasks(self, unsent: list[Result]) -> Iterator[Task]:
        """Yield the games to hand out; those that cannot be sent go to `unsent`."""
        for item in self.store.to_do():
            try:
                place = self._sent(item) if self.crew.sends else item.place.absolute()
            except NoGame as error:
                unsent.append(failure(item.name, error.code, error.message))
                continue
            except (OSError, ValueError) as error:
                what = getattr(error, "strerror", None) or error
                why = f"{item.place} cannot be read: {what}; look at the disk"
                unsent.append(failure(item.name, "not_readable", why))
                continue
            yield Task(
                item.name,
                place,
                "zip" if self.crew.sends else item.kind,
                self.usual,
                self.brought if self.crew.sends else (),
                item.known,
                self.pictures,
                None if self.crew.sends else self.store.unpacking.absolute(),
            )

    def _sent(self, item: ToDo) -> bytes:
        files = [item.place] if item.kind != "folder" else list(item.place.iterdir())
        size = sum(p.stat().st_size for p in files if p.is_file())
        if size > MOST_SENT_BYTES:
            raise NoGame(
                "too_large",
                f"{item.place} has {told_size(size)}, and at most "
                f"{told_size(MOST_SENT_BYTES)} are sent to a cluster; replay it without "
                "--cluster",
            )
        return pack_game(item.place, item.kind, self.usual)


def _drain(results: list[Result]) -> Iterator[Result]:
    while results:
        yield results.pop(0)


def finish(store: Store, count: int, replayed: int) -> Archive:
    """Write what is made from all games together: the report, the tables, the pages."""
    statistics = Statistics()
    bad: list[Mapping[str, Any]] = []
    tables = None if parquet_missing() else ParquetFiles(store.out)
    try:
        with (
            drafted(store.out / REPORT) as draft,
            draft.open("w", encoding="utf-8", errors="backslashreplace") as report,
            Pages(store.out, store.work, count) as pages,
        ):
            for line in store.lines():
                report.write(json.dumps(line, ensure_ascii=False) + "\n")
                game = kept_game(line, store.path(str(line["game"]), "json"))
                statistics.add(game)
                pages.add(game)
                if tables is not None:
                    tables.add(game)
                if not line["ok"] and len(bad) < LISTS.page:
                    bad.append(line)
            if tables is not None:
                tables.finish()
            pages.finish(statistics)
    except BaseException:
        if tables is not None:
            tables.give_up()
        raise
    notes = (
        ()
        if tables is not None
        else (
            f"no Parquet files were written, as the package 'pyarrow' is missing: {HOW}, then "
            "give the same command again; nothing is replayed twice",
        )
    )
    return Archive(
        store.out, count, replayed, tuple(bad), statistics.failed, statistics.photos, notes
    )
