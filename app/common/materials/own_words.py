"""Word lists that a user keeps by name, in the user's data folder."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.files import user_folder

FOLDER: Final = "words"
SUFFIX: Final = ".txt.gz"
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
TAKEN: Final = ("default", "none")
"""Names that always mean the same."""


@dataclass(frozen=True, slots=True)
class KeptList:
    """Facts about a kept list.

    Attributes:
        name: what `--lexicon` and exports call it.
        words: how many words it has.
        source: what it was made from.
        licence: under which licence that is; empty where nobody said.
    """

    name: str
    words: int
    source: str
    licence: str = ""


def words_folder() -> Path:
    """Folder of the kept lists: in `KIBITZ_DATA` if that is a folder, else in the user's own."""
    data = os.environ.get("KIBITZ_DATA", "")
    return (Path(data) if data and "://" not in data else user_folder()) / FOLDER


def kept_file(name: str) -> Path | None:
    """Path of a kept list; None if there is no list of that name."""
    path = words_folder() / f"{name}{SUFFIX}"
    return path if NAME.fullmatch(name) and path.is_file() else None


def kept_names() -> tuple[str, ...]:
    """Names of all kept lists."""
    try:
        found = sorted(x.name.removesuffix(SUFFIX) for x in words_folder().glob(f"*{SUFFIX}"))
    except OSError:
        return ()
    return tuple(name for name in found if NAME.fullmatch(name))


def kept_lists() -> tuple[KeptList, ...]:
    """Facts about all kept lists."""
    out = []
    for name in kept_names():
        try:
            known = json.loads((words_folder() / f"{name}.json").read_text("utf-8"))
            out.append(
                KeptList(name, int(known["words"]), str(known["source"]), str(known["licence"]))
            )
        except (OSError, ValueError, KeyError, TypeError):
            out.append(KeptList(name, 0, "not known"))
    return tuple(out)


def check_name(name: str, option: str = "NAME") -> str:
    """The name, if a list may have it.

    Raises:
        UsageError: it is none.
    """
    if not NAME.fullmatch(name) or name.lower() in TAKEN:
        raise UsageError(
            option,
            ": expected a name of letters, digits, - and _ that is neither default nor "
            f"none, as NWL2023; got {name!r:.60}",
        )
    return name


def keep_list(name: str, words: Iterable[str], source: str, licence: str = "") -> KeptList:
    """Keep a list under a name, replacing an older one of that name.

    Args:
        name: as `check_name` takes it.
        words: in capitals.
        source: what it was made from.
        licence: under which licence that is.

    Raises:
        CommandError: it cannot be written.
    """
    ordered = sorted(set(words))
    known = KeptList(name, len(ordered), source, licence)
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as file:
        file.write(("\n".join(ordered) + "\n").encode())
    facts = json.dumps(asdict(known), ensure_ascii=False, indent=1) + "\n"
    folder = words_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, data in (
            (folder / f"{name}{SUFFIX}", packed.getvalue()),
            (folder / f"{name}.json", facts.encode()),
        ):
            new = path.with_name(f"{path.name}.new")
            new.write_bytes(data)
            new.replace(path)
    except OSError as error:
        raise CommandError(
            f"the list {name} cannot be kept in {folder}: {error.strerror}"
        ) from error
    return known
