"""Replays one game and returns its result, in a process or on a machine of its own."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import tempfile
import threading
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import kibitz
from kibitz.app.archive.content import Content, NoGame, open_game
from kibitz.app.archive.facts import GameFacts
from kibitz.app.archive.finding import Kind
from kibitz.app.common.errors import KibitzError, UsageError
from kibitz.engine.board.layouts import STANDARD_NAME, read_layout
from kibitz.engine.games import GAMES

if TYPE_CHECKING:
    from kibitz.app.face.replaying import Replay

FORMAT: Final = 1
"""Of what is kept of a game; another one makes every game be replayed again."""
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""Errors of the system where a disk is full, or a share or a file has grown as far as it may."""
PASSING = frozenset({"not_readable", "process_died"})
"""Codes of failures that may be gone next time; such games are tried again."""
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_FILM_SECOND = re.compile(r"@(\d+(?:\.\d+)?)s$")


@dataclass(frozen=True, slots=True)
class Task:
    """A game to be replayed, with everything a worker needs for it.

    Attributes:
        name: its name in the archive.
        place: the folder, film or zip; the bytes of a zip for a machine that does not see it.
        kind: which of them it is.
        usual: how games are replayed whose own file does not say.
        brought: files of the command (a tile set, a word list): what for, name, bytes.
        known: the key of the result that is there already; empty if none is.
        pictures: whether its page holds the photographs.
        work: the folder to unpack into; None: the system's own.
    """

    name: str
    place: Path | bytes
    kind: Kind
    usual: GameFacts
    brought: tuple[tuple[str, str, bytes], ...] = ()
    known: str = ""
    pictures: bool = True
    work: Path | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """Result of replaying a game, or why it failed.

    Attributes:
        name: its name in the archive.
        key: the number of its content and of the version that replayed it.
        same: whether a result with this key was there, so that nothing was done.
        files: what is to be kept, by ending (`json`, `gcg`, `html`).
        line: its line in `games.jsonl`.
    """

    name: str
    key: str
    same: bool = False
    files: Mapping[str, bytes] = field(default_factory=dict)
    line: Mapping[str, Any] = field(default_factory=dict)


def failure(name: str, code: str, message: str, key: str = "", seconds: float = 0.0) -> Result:
    """Result of a game that could not be replayed."""
    return Result(name, key, line=_line(name, seconds, {"code": code, "message": _text(message)}))


def _text(text: str) -> str:
    """The text with what UTF-8 cannot hold replaced: names on a disk may be in no encoding."""
    return text.encode("utf-8", "replace").decode()


def _line(
    name: str, seconds: float, error: Mapping[str, str] | None = None, **known: Any
) -> dict[str, Any]:
    empty = {"photos": 0, "plays": 0, "scores": {}, "unresolved": 0, "questions": 0}
    line = {"game": name, "ok": error is None, **empty, **known}
    return {**line, "seconds": round(seconds, 3), "error": error}


@lru_cache(maxsize=1)
def version() -> str:
    """Digest of all that results depend on beside the games: Kibitz, its networks, their form."""
    from kibitz.models.session import MODEL_NAMES, read_facts

    digest = hashlib.sha256(f"{FORMAT} {kibitz.__version__}".encode())
    for name in MODEL_NAMES:
        digest.update(read_facts(name).sha256.encode())
    return digest.hexdigest()


def one_thread() -> None:
    """Keep this process to one core, as other processes use the others."""
    for name in _THREADS:
        os.environ[name] = "1"
    import cv2

    cv2.setNumThreads(1)


def end_with_parent() -> None:
    """End this process as soon as its parent is gone, even if that was killed."""
    from multiprocessing import connection, parent_process

    parent = parent_process()
    if parent is None:
        return

    def wait() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def start_process() -> None:
    """Prepare a process of the local pool: one core, and it ends with its parent."""
    # whoever interrupts the command means the process that has the others work
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    one_thread()


def replay_game(task: Task) -> Result:
    """Replay a game; an error becomes a failed result.

    Raises:
        OSError: there is no room to unpack it.
        CommandError: the models cannot be used, which every game would meet with.
    """
    began = time.perf_counter()
    _one_thread_once()
    try:
        with open_game(task.place, task.kind, _with_brought(task), task.work) as content:
            key = content.digest(f"{version()} {task.pictures}")
            if key == task.known:
                return Result(task.name, key, same=True)
            return _replay_content(task, content, key, began)
    except NoGame as error:
        return _not_done(task, error.code, error.message, began)
    except OSError as error:
        if error.errno in NO_ROOM:
            raise
        where = error.filename or task.name
        why = f"{where} cannot be read: {error.strerror or error}; look at the disk"
        return _not_done(task, "not_readable", why, began)


@lru_cache(maxsize=1)
def _one_thread_once() -> None:
    one_thread()  # processes of a cluster begin without us


def _not_done(task: Task, code: str, message: str, began: float) -> Result:
    return failure(task.name, code, message, seconds=time.perf_counter() - began)


def _replay_content(task: Task, content: Content, key: str, began: float) -> Result:
    from kibitz.app.common.errors import CommandError

    try:
        game = _replay(content)
    except UsageError as error:
        why = f"this game cannot be replayed as it is told: {error}"
        return failure(task.name, "facts_wrong", why, key, time.perf_counter() - began)
    except (CommandError, OSError):
        raise
    except Exception as error:  # noqa: BLE001 - one bad game never loses the rest
        what = f"{type(error).__name__}: {error}"
        why = f"this game breaks the replay ({what}); leave it out and report it"
        return failure(task.name, "broken", why, key, time.perf_counter() - began)
    if game.photographs and len(game.unread) == len(game.photographs):
        first = next(iter(game.unread.values()))
        why = _without_folder(f"nothing could be read: {first.message}", content.folder)
        return failure(task.name, first.code, why, key, time.perf_counter() - began)
    if not game.photographs:
        why = "expected a film in which a board lies still for a second; film the game anew"
        return failure(task.name, "no_pictures", why, key, time.perf_counter() - began)
    files = _files(task, content, game)
    final = game.final
    line = _line(
        task.name,
        time.perf_counter() - began,
        photos=len(game.photographs),
        plays=len(game.plays),
        scores=game.scores,
        unresolved=len(final["unresolved"]),
        questions=len(final["questions"]),
    )
    return Result(task.name, key, files=files, line=line)


def _replay(content: Content) -> Replay:
    facts, files = content.facts, content.files
    lists = {what: str(files[what]) for what in ("tiles", "lexicon") if what in files}
    return kibitz.replay(
        content.photographs,
        facts.game,
        facts.players,
        settings=facts.settings,
        tiles=lists.get("tiles", facts.tiles),
        lexicon=lists.get("lexicon", facts.lexicon),
        told=files.get("told", facts.told),
        start=files.get("start", facts.start),
        top=facts.top,
        corners=facts.corners,
        panel=facts.panel,
    )


def _files(task: Task, content: Content, game: Replay) -> dict[str, bytes]:
    """The files to keep of a game (`json`, `gcg`, `html` …), by ending."""
    document = {
        "format": FORMAT,
        "name": task.name,
        "title": content.facts.title or Path(task.name).name,
        "game": game.game,
        "players": list(game.players),
        "layout": _layout(game.game, content.facts.settings),
        "tile_set": content.facts.files().get("tiles", content.facts.tiles),
        "taken": _taken(content, game),
        "problems": list(game.problems),
        "tiles": [
            [t.play, Path(t.file).name, t.player, t.square, t.letter, t.read, t.confidence]
            for t in game.tiles
        ],
        **game.to_json(),
    }
    text = _without_folder(json.dumps(document, ensure_ascii=False), content.folder)
    files = {"json": text.encode("utf-8", "replace")}
    with contextlib.suppress(KibitzError):  # most games have no such form
        files["gcg"] = game.gcg().encode()
    files["html"] = game.html(pictures=task.pictures).encode("utf-8", "replace")
    return files


def _layout(slug: str, settings: Mapping[str, Any]) -> list[str] | None:
    """Rows of a board with premium squares of its own; None for the game's usual board."""
    with contextlib.suppress(ValueError):  # rules of somebody's own are known by their module
        setting = GAMES.find_info(slug).layout_setting
        rows = read_layout(settings.get(str(setting), STANDARD_NAME))
        return None if rows == STANDARD_NAME else list(rows)
    return None


def _without_folder(text: str, folder: Path) -> str:
    """The text without the temporary folder that files lay in."""
    for name in (str(folder), json.dumps(str(folder))[1:-1]):
        text = text.replace(name + os.sep, "")
    return text


def _taken(content: Content, game: Replay) -> dict[str, float]:
    """Times at which photographs were taken, in seconds of one clock, where they are known."""
    if second := {
        Path(str(line["file"])).name: float(found[1])
        for line in game.photographs
        if (found := _FILM_SECOND.search(str(line["file"])))
    }:
        return second
    given = content.facts.taken
    return dict(given) or {
        p.name: at for p in content.photographs if (at := seconds_taken(p)) is not None
    }


def seconds_taken(path: Path) -> float | None:
    """Time at which a camera took a photograph, in seconds; None where EXIF has none."""
    from datetime import UTC, datetime

    from PIL import Image
    from PIL.ExifTags import IFD, Base

    from kibitz.vision.frame import FORMATS

    try:
        with (
            warnings.catch_warnings(action="ignore"),
            Image.open(path, formats=FORMATS) as picture,
        ):
            exif = picture.getexif().get_ifd(IFD.Exif)
        at = datetime.strptime(str(exif[Base.DateTimeOriginal])[:19], "%Y:%m:%d %H:%M:%S").replace(
            tzinfo=UTC
        )
        part = str(exif.get(Base.SubsecTimeOriginal, "0")).strip("\0 ") or "0"
        return at.timestamp() + float(f"0.{part}")
    except Exception:  # noqa: BLE001 - what cameras write there is anything, and none of it matters
        return None


_lists: list[tempfile.TemporaryDirectory[str]] = []
"""In a process that shares the work: where files that came with the command lie."""


def _with_brought(task: Task) -> GameFacts:
    """The task's facts, with the command's files that travelled here written to disk."""
    facts = task.usual
    for what, name, data in task.brought:
        facts = facts.with_texts({what: _kept(name, data)})
    return facts


@lru_cache(maxsize=4)
def _kept(name: str, data: bytes) -> str:
    if not _lists:
        _lists.append(tempfile.TemporaryDirectory(prefix="kibitz-lists-"))
    folder = Path(_lists[0].name) / hashlib.sha256(data).hexdigest()[:16]
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_bytes(data)
    return str(path)
