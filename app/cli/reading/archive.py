"""`kibitz archive`: replays every photographed game below folders, with tables and pages."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from sys import float_info
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.app.cli.options import Game, Json, Lexicon, Players, Settings, Tiles, Top
from kibitz.app.common.errors import CommandError
from kibitz.app.common.terminal import LOGS, print_result, show_progress, shown
from kibitz.engine.games import DEFAULT_GAME

if TYPE_CHECKING:
    from kibitz.app.archive.run import Archive, Progress


def command(
    paths: Annotated[
        list[Path], typer.Argument(metavar="IN...", help="Folders of games, films, zips.")
    ],
    *,
    out: Annotated[
        Path, typer.Option("--out", "--output", "-o", metavar="DIR", help="Where results go.")
    ],
    as_json: Json = False,
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=1, help="Processes to use; without it one a core."),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster", metavar="tcp://...|local:N", help="A Dask scheduler, or N local workers."
        ),
    ] = None,
    game: Game = None,
    players: Players = None,
    settings: Settings = None,
    tiles: Tiles = "en",
    lexicon: Lexicon = "default",
    top: Top = None,
    pictures: Annotated[
        bool,
        typer.Option("--pictures/--no-pictures", help="Whether games' pages hold photographs."),
    ] = True,
) -> int:
    """Replay every photographed game below folders, on all cores or a cluster.

    A folder of photographs, a film or a zip is one game; game.json in it says game and players.
    Given again it does only what is missing or changed.

    Example: kibitz archive club-nights/ --out archive/
    """
    from kibitz.app.archive.run import archive
    from kibitz.app.face.opening import parse_setting

    try:
        with _watched() as watch:
            done = archive(
                paths,
                out,
                workers=workers,
                cluster=cluster,
                game=game or DEFAULT_GAME,
                players=players,
                settings=dict(parse_setting(text) for text in settings or ()),
                tiles=tiles,
                lexicon=lexicon,
                top=top,
                pictures=pictures,
                progress=watch,
            )
    except KeyboardInterrupt:
        raise CommandError(
            "interrupted; what is done is kept: give the same command again and it goes on"
        ) from None
    _tell(done, as_json=as_json)
    return 0 if done.complete else 1


def _tell(done: Archive, *, as_json: bool) -> None:
    if as_json:
        for line in done.lines():
            print_result(json.dumps(line, ensure_ascii=False))
    for bad in done.failed:
        show_progress(f"{shown(bad['game'])}: {shown(bad['error']['message'])}")
    if (more := done.failures - len(done.failed)) > 0:
        show_progress(
            f"... and {more} more games that failed; {done.out / 'games.jsonl'} names all"
        )
    for note in done.notes:
        show_progress(note)
    text = (
        f"{done.games} games, {done.photos} photographs: {done.replayed} games replayed now, "
        f"{done.games - done.replayed} were there, {done.failures} failed"
    )
    show_progress(text)
    show_progress(f"open {done.out / 'index.html'}")


def _watched() -> AbstractContextManager[Callable[[Progress], None]]:
    return _Bar() if sys.stderr.isatty() else _Lines()


class _Lines:
    """Progress as a line now and then."""

    def __init__(self) -> None:
        self._said = time.monotonic()

    def __enter__(self) -> Callable[[Progress], None]:
        return self._tell

    def __exit__(self, *error: object) -> None:
        """Do nothing."""

    def _tell(self, now: Progress) -> None:
        if now.line is not None and now.done < now.total:
            if time.monotonic() - self._said < LOGS.again_s:
                return
            self._said = time.monotonic()
        show_progress(told(now))


def told(now: Progress) -> str:
    """Progress as text, with rate and time left."""
    if now.total == 0:
        return "every game is replayed already"
    if now.done == 0:
        return f"{now.total} games to replay"
    rate = now.photos / max(now.seconds, float_info.epsilon)
    left = now.seconds / now.done * (now.total - now.done)
    return (
        f"{now.done} of {now.total} games, {rate:.1f} photographs a second, {_minutes(left)} left"
    )


def _minutes(seconds: float) -> str:
    whole = round(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


class _Bar:
    """Progress as a moving bar."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Callable[[Progress], None]:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
        self._bar = self._stack.enter_context(
            Progress(*columns, console=Console(stderr=True), transient=True)
        )
        self._task = self._bar.add_task("looking for games", total=None)
        return self._tell

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def _tell(self, now: Progress) -> None:
        text = told(now).partition(" games, ")[2] or "games"
        self._bar.update(self._task, total=now.total, completed=now.done, description=text)
