"""Which picture files a command line names: files, folders and patterns."""

from __future__ import annotations

import glob
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from vision.frame import PICTURE_SUFFIXES, VIDEO_SUFFIXES


@dataclass(frozen=True, slots=True)
class PathProblem:
    """A name on the command line that leads to no picture."""

    path: str
    code: str
    message: str


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sorts `image-2` before `image-10`, and `board-00` before `board-00a`."""
    parts = re.findall(r"\d+|\D+", name.casefold())
    return tuple((0, int(p), "") if p.isdecimal() else (1, 0, p) for p in parts)


def expand(paths: Iterable[str]) -> list[str | PathProblem]:
    """Every picture that is meant, in the order given; folders in natural order.

    A video inside a folder is listed too, so that it gets its own line; other files that are
    no pictures (truth files, notes) are passed over. A file that is named itself is always
    listed, whatever it is.
    """
    out: list[str | PathProblem] = []
    for path in paths:
        if not path:
            # what an unset variable of a shell gives; the folder one is in was not meant
            message = "a name is empty; expected a file, a folder or a pattern"
            out.append(PathProblem(path, "file_not_found", message))
        elif Path(path).is_dir():
            out += _folder(path)
        elif _is_pattern(path) and not Path(path).exists():
            matches = sorted(_matches(path), key=natural_key)
            if not matches:
                out.append(PathProblem(path, "file_not_found", f"no file matches {path!r}"))
            for match in matches:
                out += _folder(match) if Path(match).is_dir() else [match]
        else:
            out.append(path)
    return out


def _matches(pattern: str) -> list[str]:
    found = glob.glob(pattern, recursive=True)  # noqa: PTH207 - Path.glob refuses absolute patterns
    return [name for name in found if not Path(name).name.startswith(".")]


def _is_pattern(path: str) -> bool:
    return any(char in path for char in "*?[")


def _folder(folder: str) -> list[str | PathProblem]:
    wanted = PICTURE_SUFFIXES | VIDEO_SUFFIXES
    try:
        names = [
            entry.name
            for entry in Path(folder).iterdir()
            if entry.is_file()
            and entry.suffix.lower() in wanted
            and not entry.name.startswith(".")
        ]
    except OSError as error:
        message = f"the folder {folder} cannot be looked into: {error.strerror}"
        return [PathProblem(folder, "not_readable", message)]
    if not names:
        return [PathProblem(folder, "no_pictures", f"the folder {folder} holds no pictures")]
    return [str(Path(folder) / name) for name in sorted(names, key=natural_key)]
