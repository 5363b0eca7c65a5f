"""Store of finished results: a small database beside them, so that a broken-off run goes on."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import Any

from kibitz.app.archive.finding import Found, Kind
from kibitz.app.archive.job import PASSING, Result, failure
from kibitz.app.common.errors import CommandError, Option
from kibitz.app.common.files import drafted
from kibitz.engine.rules import JsonValue

WORK = ".kibitz"
"""The folder in OUT that belongs to the run: what is done, and what is unpacked for a while."""
BASE = "done.sqlite"
GAMES = "games"
_KEPT = ("html", "gcg", "json")
"""Endings of a game's files; the JSON is written last."""

_TABLES = """
CREATE TABLE IF NOT EXISTS games (
  name TEXT PRIMARY KEY, number INTEGER, run INTEGER, place BLOB, kind TEXT, photos INTEGER,
  stamp TEXT, done_stamp TEXT, key TEXT, sizes TEXT, line TEXT
);
CREATE INDEX IF NOT EXISTS by_number ON games (run, number);
"""
_CODES = ", ".join(f"'{code}'" for code in sorted(PASSING))
_TO_DO = (
    "(key IS NULL OR done_stamp IS NULL OR done_stamp != stamp OR "
    f"json_extract(line, '$.error.code') IN ({_CODES}))"
)


@dataclass(frozen=True, slots=True)
class ToDo:
    """A game to be replayed; `known` is the key of the result that is kept."""

    name: str
    place: Path
    kind: Kind
    photos: int
    known: str


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically; an older one is replaced.

    Raises:
        OSError: it cannot be written; an older one is as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with drafted(path) as draft:
        draft.write_bytes(data)


class Store:
    """The results of an archive in a folder; one run at a time may write.

    Args:
        out: the folder of the archive.

    Raises:
        CommandError: another run writes there, or what is kept there is damaged.
        OSError: the folder cannot be made.
    """

    def __init__(self, out: Path) -> None:
        self.out = out
        self.work = out / WORK
        self.work.mkdir(parents=True, exist_ok=True)
        try:
            self._base = sqlite3.connect(self.work / BASE, timeout=1, isolation_level=None)
            # the lock goes with the process, however it ends
            self._base.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=NORMAL")
            self._base.executescript(_TABLES)
            self._run = 1 + (self._base.execute("SELECT max(run) FROM games").fetchone()[0] or 0)
            self._base.execute("DELETE FROM games WHERE key IS NULL")
        except sqlite3.OperationalError as error:
            raise _explain(error, out) from error
        except sqlite3.DatabaseError as error:
            raise CommandError(
                f"{self.work / BASE} is damaged ({error}); delete the folder {self.work} "
                "and every game is replayed again"
            ) from error
        rmtree(self.unpacking, ignore_errors=True)  # left by a run that was killed
        self.unpacking.mkdir(exist_ok=True)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        rmtree(self.unpacking, ignore_errors=True)
        self._base.close()

    @property
    def unpacking(self) -> Path:
        """Folder into which zips are unpacked while they are read."""
        return self.work / "unpacked"

    def path(self, name: str, ending: str) -> Path:
        """Path of a kept file of a game."""
        return self.out / GAMES / f"{name}.{ending}"

    def note(self, games: Iterator[Found], settings: str) -> int:
        """Register the games of this run; returns how many there are.

        Args:
            games: those that were found.
            settings: what all results of this run depend on.
        """
        count = 0
        self._base.execute("BEGIN")
        try:
            for count, found in enumerate(games, 1):
                self._note(found, count, settings)
            self._base.execute("COMMIT")
        except BaseException:
            self._base.execute("ROLLBACK")
            raise
        return count

    def _note(self, found: Found, number: int, settings: str) -> None:
        name = self._free_name(found)
        stamp = f"{found.stamp} {settings}"
        self._base.execute(
            "INSERT INTO games (name, number, run, place, kind, photos, stamp) "
            "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET "
            "number = excluded.number, run = excluded.run, place = excluded.place, "
            "kind = excluded.kind, photos = excluded.photos, stamp = excluded.stamp",
            (
                name,
                number,
                self._run,
                os.fsencode(found.place),
                found.kind,
                found.photos,
                stamp,
            ),
        )
        if found.problem is not None:
            self._clear(name)
            self._base.execute(
                "UPDATE games SET key = '', done_stamp = ?, sizes = '{}', line = ? WHERE name = ?",
                (stamp, json.dumps(failure(name, *found.problem).line), name),
            )

    def _clear(self, name: str) -> None:
        """Delete the files that an older result has left."""
        for ending in _KEPT:
            with suppress(OSError):
                self.path(name, ending).unlink(missing_ok=True)

    def _free_name(self, found: Found) -> str:
        """The game's name, with its file ending where another game has that name."""
        # names that are no text in any encoding cannot be kept as text
        plain = found.name.encode("utf-8", "replace").decode()
        end = found.place.suffix if found.kind != "folder" else ""
        for name in (plain, plain + end):
            taken = self._base.execute("SELECT run FROM games WHERE name = ?", (name,)).fetchone()
            if taken is None or taken[0] != self._run:
                return name
        count = 2
        while self._base.execute(
            "SELECT 1 FROM games WHERE name = ? AND run = ?", (f"{plain}{end}-{count}", self._run)
        ).fetchone():
            count += 1
        return f"{plain}{end}-{count}"

    def forget_missing(self) -> None:
        """Mark results that somebody deleted or cut short as not done."""
        lost = [
            name
            for name, sizes in self._rows("name, sizes", "sizes IS NOT NULL AND key != ''")
            if not self._whole(name, json.loads(sizes))
        ]
        self._base.executemany("UPDATE games SET key = '' WHERE name = ?", ((x,) for x in lost))
        self._base.executemany(
            "UPDATE games SET done_stamp = NULL WHERE name = ?", ((x,) for x in lost)
        )

    def _whole(self, name: str, sizes: Mapping[str, int]) -> bool:
        try:
            return all(self.path(name, x).stat().st_size == size for x, size in sizes.items())
        except OSError:
            return False

    def count_to_do(self) -> int:
        """Number of games of this run that have no result that is up to date."""
        asked = f"SELECT count(*) FROM games WHERE run = ? AND {_TO_DO}"
        return int(self._base.execute(asked, (self._run,)).fetchone()[0])

    def to_do(self) -> Iterator[ToDo]:
        """Yield the games of this run that have no result that is up to date."""
        rows = self._rows("name, place, kind, photos, coalesce(key, '')", _TO_DO)
        for name, place, kind, photos, known in rows:
            yield ToDo(name, Path(os.fsdecode(place)), kind, photos, known)

    def keep(self, result: Result) -> None:
        """Keep a game's result, so that it counts as done even if the run is killed.

        Raises:
            OSError: there is no room, or the folder cannot be written.
        """
        try:
            if result.same:
                self._base.execute(
                    "UPDATE games SET done_stamp = stamp WHERE name = ?", (result.name,)
                )
                return
            if not result.files:
                self._clear(result.name)
            for ending in _KEPT:
                path = self.path(result.name, ending)
                if (data := result.files.get(ending)) is not None:
                    write_whole(path, data)
                elif result.files:
                    path.unlink(missing_ok=True)  # of an older result
            sizes = {ending: len(data) for ending, data in result.files.items()}
            self._base.execute(
                "UPDATE games SET done_stamp = stamp, key = ?, sizes = ?, line = ? WHERE name = ?",
                (
                    result.key,
                    json.dumps(sizes),
                    json.dumps(dict(result.line), ensure_ascii=False),
                    result.name,
                ),
            )
        except sqlite3.OperationalError as error:
            raise _full(error, self.work) from error

    def lines(self) -> Iterator[Mapping[str, JsonValue]]:
        """Yield the report line of every finished game, in the order they were found."""
        for (line,) in self._rows("line", "line IS NOT NULL"):
            yield json.loads(line)

    def _rows(self, what: str, wanted: str) -> Iterator[tuple[Any, ...]]:
        """Yield rows of this run in order, a few at a time, as the table may change in between."""
        last = 0
        while True:
            rows = self._base.execute(
                f"SELECT number, {what} FROM games WHERE run = ? AND number > ? AND {wanted} "
                "ORDER BY number LIMIT 500",
                (self._run, last),
            ).fetchall()
            for row in rows:
                yield row[1:]
            if not rows:
                return
            last = rows[-1][0]


def _explain(error: sqlite3.OperationalError, out: Path) -> Exception:
    if "locked" in str(error):
        return CommandError(
            f"another 'kibitz archive' writes to {out}; wait for it, or choose another ",
            Option("out"),
        )
    return _full(error, out)


def _full(error: sqlite3.OperationalError, place: Path) -> OSError:
    """A database's error as the system's own: no space, or an input/output error."""
    import errno

    code = errno.ENOSPC if "full" in str(error) or "I/O" in str(error) else errno.EIO
    return OSError(code, str(error), str(place))
