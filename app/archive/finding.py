"""Finds the games below folders: a folder of pictures, a film or a zip is one game."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from kibitz.app.common.errors import UsageError
from kibitz.app.reading.pictures import natural_key
from kibitz.vision.frame import PICTURE_SUFFIXES, VIDEO_SUFFIXES

Kind: TypeAlias = Literal["folder", "film", "zip"]

FACTS = "game.json"
"""The file of a folder or a zip that says game and players; of a film it is `NAME.game.json`."""
ZIP_SUFFIX = ".zip"
PASSED_OVER = frozenset({"__MACOSX"})
"""Folders that programs make and that hold nothing of a game."""


@dataclass(frozen=True, slots=True)
class Found:
    """A game that was found but not opened yet.

    Attributes:
        name: its name in the archive, as `club/monday`.
        place: the folder, film or zip.
        kind: which of them it is.
        photos: how many pictures a folder holds; 0 where that is not known before it is opened.
        stamp: changes when a file of it was changed; made from names, sizes and times alone.
        problem: why it is no game after all, a code and a sentence.
    """

    name: str
    place: Path
    kind: Kind
    photos: int = 0
    stamp: str = ""
    problem: tuple[str, str] | None = None


def find_games(places: Sequence[Path], out: Path) -> Iterator[Found]:
    """Find every game below some places, folder by folder in natural order.

    Linked folders below a place are not followed, and hidden ones are passed over. Two games of
    the same name keep their endings, as `monday` (a folder) and `monday.mp4`.

    Args:
        places: folders, films or zips, as people name them.
        out: the folder that results go to; it is never looked into.

    Raises:
        UsageError: one of the places is not there, or is nothing that can hold a game.
    """
    checked = [_checked(place) for place in places]
    several = len(checked) > 1
    for place in checked:
        own = place.resolve().name or "games"
        if not place.is_dir():
            yield from _file(place, "")
            continue
        yield from _below(place, own, f"{own}/" if several else "", out.resolve())


def _checked(place: Path) -> Path:
    wanted = "expected a folder of games, a film or a zip"
    if not place.exists():
        raise UsageError(f"IN: there is no {str(place)!r}; {wanted}")
    if place.is_dir() or _kind_of(place.name) is not None:
        return place
    if place.suffix.lower() in PICTURE_SUFFIXES:
        raise UsageError(f"IN: {place} is a picture; {wanted}: name the folder that it lies in")
    raise UsageError(f"IN: {place} is no game; {wanted}")


def _kind_of(name: str) -> Kind | None:
    ending = Path(name).suffix.lower()
    return "film" if ending in VIDEO_SUFFIXES else "zip" if ending == ZIP_SUFFIX else None


def _below(folder: Path, own: str, within: str, out: Path) -> Iterator[Found]:
    """The game that a folder is, and the games below it.

    Args:
        folder: the folder.
        own: the game's name if the folder is one.
        within: what the names of games below begin with.
        out: where not to look.
    """
    try:
        entries = sorted(_entries(folder), key=lambda entry: natural_key(entry.name))
    except OSError as error:
        why = f"the folder {folder} cannot be looked into: {error.strerror}"
        yield Found(own, folder, "folder", problem=("not_readable", why))
        return
    folders = [e for e in entries if e.is_dir(follow_symlinks=False)]
    files = [e for e in entries if e.is_file()]
    pictures = [e for e in files if Path(e.name).suffix.lower() in PICTURE_SUFFIXES]
    facts = [e for e in files if e.name.lower().endswith(".json")]
    games = [e for e in files if _kind_of(e.name) is not None]
    has_facts = any(e.name == FACTS for e in facts)
    if pictures:
        stamp = _stamp([*pictures, *facts])
        yield Found(own, folder, "folder", len(pictures), stamp)
    elif not games and (has_facts or not entries):
        holds = f"a {FACTS} and no pictures" if has_facts else "nothing"
        why = (
            f"expected photographs, a film or a zip in {folder}, it holds {holds}; copy the "
            "photographs again, or delete the folder"
        )
        yield Found(own, folder, "folder", problem=("no_pictures", why), stamp=_stamp(facts))
    for entry in folders:
        path = Path(entry.path)
        if entry.name not in PASSED_OVER and path.resolve() != out:
            yield from _below(path, f"{within}{entry.name}", f"{within}{entry.name}/", out)
    for entry in games:
        yield from _file(Path(entry.path), within)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        return [entry for entry in found if not entry.name.startswith(".")]


def _file(path: Path, within: str) -> Iterator[Found]:
    """A film or a zip as a game, with the `game.json` that lies beside it."""
    kind = _kind_of(path.name)
    assert kind is not None
    beside = [path, *(p for p in facts_beside(path) if p.is_file())]
    yield Found(f"{within}{path.stem}", path, kind, 0, _stamp(beside))


def facts_beside(path: Path) -> tuple[Path, ...]:
    """Paths where the facts of a film or zip may stand; the first that exists counts."""
    return path.with_name(f"{path.stem}.{FACTS}"), path.with_name(FACTS)


def _stamp(files: Iterable[os.DirEntry[str] | Path]) -> str:
    """Names, sizes and times of files as one short text, which changes when a file does."""
    digest = hashlib.sha256()
    for file in files:
        try:
            facts = file.stat()
        except OSError:
            continue  # whoever opens it says what is wrong
        digest.update(
            f"{file.name}\0{facts.st_size}\0{facts.st_mtime_ns}\n".encode("utf-8", "replace")
        )
    return digest.hexdigest()
