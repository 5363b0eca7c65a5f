"""Opens a game: its pictures in order, its facts, and a digest of all its content."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, Final

from kibitz.app.archive.facts import GameFacts, parse_facts
from kibitz.app.archive.finding import FACTS, PASSED_OVER, Kind, facts_beside
from kibitz.app.common.errors import KibitzError, UsageError
from kibitz.app.common.files import read_json
from kibitz.app.common.limits import LIMITS as FILES
from kibitz.app.reading.pictures import natural_key
from kibitz.vision.frame import PICTURE_SUFFIXES, VIDEO_SUFFIXES
from kibitz.vision.plain_file import told_size


@dataclass(frozen=True, slots=True)
class ZipLimits:
    """Limits on what a zip may unpack to, so that none fills the disk."""

    most_bytes: int = FILES.game_bytes
    most_files: int = 20_000


LIMITS: Final = ZipLimits()
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
"""Errors of the library for a zip that is damaged, in parts, locked or packed in a rare way."""
_PIECE: Final = 1 << 20


class NoGame(KibitzError):
    """Raised where no game can be replayed; `code` is stable."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[type[NoGame], tuple[str, str]]:
        """Pickle the error with its arguments, as errors travel between processes."""
        return type(self), (self.code, self.message)


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """An opened game: its pictures, its facts and the files that it needs.

    Attributes:
        folder: where its files lie for now; nothing that is kept may name it.
        photographs: its pictures in order; a film alone.
        facts: how to replay it.
        files: other files that are needed, by what they are for.
    """

    folder: Path
    photographs: tuple[Path, ...]
    facts: GameFacts
    files: Mapping[str, Path]

    def digest(self, more: str) -> str:
        """SHA-256 of this content and of how it is to be replayed, in hex.

        Args:
            more: what the result depends on beside the game, as the version of the reader.
        """
        digest = hashlib.sha256(more.encode())
        digest.update(_facts_json(self.facts, self.files).encode("utf-8", "replace"))
        for what, path in (*(("", p) for p in self.photographs), *sorted(self.files.items())):
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").digest()
            digest.update(f"\0{what}\0{path.name}\0".encode("utf-8", "replace") + content)
        return digest.hexdigest()


def _facts_json(facts: GameFacts, files: Mapping[str, Path]) -> str:
    """The facts as JSON, without the folders in which this machine keeps the needed files."""
    names = sorted(field.name for field in fields(facts))
    values = {n: files[n].name if n in files else getattr(facts, n) for n in names}
    return json.dumps(values, sort_keys=True, default=dict)


@contextmanager
def open_game(
    place: Path | bytes, kind: Kind, usual: GameFacts, work: Path | None
) -> Iterator[Content]:
    """Open a game, and delete what was unpacked when the block ends.

    Args:
        place: the folder, film or zip; the bytes of a zip that travelled here.
        kind: which of them it is.
        usual: what holds where the game's own file says nothing.
        work: the folder to unpack into; None: the system's own.

    Raises:
        NoGame: it holds no game, or more than one, or is damaged.
        OSError: it cannot be read, or there is no room to unpack it.
    """
    if kind != "zip":
        assert isinstance(place, Path)
        yield _open_folder(place, usual) if kind == "folder" else _open_film(place, usual)
        return
    with TemporaryDirectory(prefix="game-", dir=work) as folder:
        yield _open_zip(place, Path(folder), usual)


def _open_folder(folder: Path, usual: GameFacts, outside: Path | None = None) -> Content:
    """The game in a folder: its pictures, or its only film."""
    names = sorted((p for p in folder.iterdir() if p.is_file()), key=lambda p: natural_key(p.name))
    names = [p for p in names if not p.name.startswith(".")]
    pictures = [p for p in names if p.suffix.lower() in PICTURE_SUFFIXES]
    films = [p for p in names if p.suffix.lower() in VIDEO_SUFFIXES]
    own = folder / FACTS
    document = _document(own if own.is_file() else outside)
    facts = _facts(document, usual)
    if not pictures and len(films) != 1:
        got = f"{len(films)} films" if films else "no pictures"
        raise NoGame(
            "no_pictures", f"expected photographs or one film, got {got}; copy the game again"
        )
    photographs = _in_order(pictures, facts) if pictures else tuple(films)
    return Content(folder, photographs, facts, _needed(folder, facts))


def _in_order(pictures: list[Path], facts: GameFacts) -> tuple[Path, ...]:
    """The pictures, in the order of the game's file where it gives one."""
    if not facts.photographs:
        return tuple(pictures)
    there = {path.name: path for path in pictures}
    if missing := [name for name in facts.photographs if name not in there]:
        raise NoGame(
            "photograph_missing",
            f"{FACTS} names the photograph {missing[0]!r}, which is not there "
            f"({len(missing)} are missing); copy it, or take it out of the list",
        )
    return tuple(there[name] for name in facts.photographs)


def _open_film(film: Path, usual: GameFacts) -> Content:
    beside = next((p for p in facts_beside(film) if p.is_file()), None)
    facts = _facts(_document(beside), usual)
    return Content(film.parent, (film,), facts, _needed(film.parent, facts))


def _document(path: Path | None) -> Any:
    if path is None:
        return None
    try:
        return read_json(path)
    except ValueError as error:
        raise NoGame("facts_wrong", f"{path.name} is no JSON: {error}; mend it") from error


def _facts(document: Any, usual: GameFacts) -> GameFacts:
    try:
        return usual if document is None else parse_facts(document, usual)
    except UsageError as error:
        raise NoGame("facts_wrong", str(error)) from error


def _needed(folder: Path, facts: GameFacts) -> dict[str, Path]:
    """Paths of the files that a game needs; relative names lie beside its pictures."""
    found = {}
    for what, name in facts.files().items():
        path = Path(name) if Path(name).is_absolute() else folder / name
        if not path.is_file():
            raise NoGame("file_missing", f"{what}: there is no file {name!r} beside the pictures")
        found[what] = path
    return found


def _open_zip(place: Path | bytes, folder: Path, usual: GameFacts) -> Content:
    """The game in a zip, unpacked into a folder."""
    beside = None
    if isinstance(place, Path):
        beside = next((p for p in facts_beside(place) if p.is_file()), None)
    try:
        with zipfile.ZipFile(io.BytesIO(place) if isinstance(place, bytes) else place) as packed:
            _unpack(packed, folder)
    except _DAMAGED as error:
        raise NoGame(
            "zip_damaged",
            f"expected a zip with the photographs of a game, this one cannot be unpacked "
            f"({error}); copy it again, or pack it anew without a password",
        ) from error
    return _open_folder(folder, usual, beside)


def _unpack(packed: zipfile.ZipFile, target: Path) -> None:
    """Unpack the one folder of a zip that holds pictures, without its subfolders."""
    files = [x for x in packed.infolist() if not x.is_dir() and _is_visible(x.filename)]
    if len(files) > LIMITS.most_files:
        why = f"the zip holds {len(files)} files; at most {LIMITS.most_files} are unpacked"
        raise NoGame("too_large", why)
    shown = PICTURE_SUFFIXES | VIDEO_SUFFIXES
    folders = {_parent(x) for x in files if PurePosixPath(x.filename).suffix.lower() in shown}
    if len(folders) > 1:
        raise NoGame(
            "several_games",
            f"expected one game in the zip, got {len(folders)} folders with pictures; pack each "
            "into a zip of its own, or unpack it and name the folder",
        )
    left = LIMITS.most_bytes
    for item in files:
        if _parent(item) in folders:
            # only the last part of a name is used, so that nothing leaves the folder
            left -= _unpack_file(packed, item, target / PurePosixPath(item.filename).name, left)


def _parent(item: zipfile.ZipInfo) -> str:
    return str(PurePosixPath(item.filename).parent)


def _is_visible(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return bool(parts) and not any(p.startswith(".") or p in PASSED_OVER for p in parts)


def _unpack_file(packed: zipfile.ZipFile, item: zipfile.ZipInfo, target: Path, most: int) -> int:
    """Unpack one file of a zip; returns its size in bytes."""
    done = 0
    with packed.open(item) as source, target.open("wb") as file:
        while piece := source.read(_PIECE):
            done += len(piece)
            if done > most:
                why = f"the zip unpacks to more than {told_size(LIMITS.most_bytes)}"
                raise NoGame("too_large", f"{why}, which is the most that is taken")
            file.write(piece)
    return done


def pack_game(place: Path, kind: Kind, usual: GameFacts) -> bytes:
    """A game as the bytes of a zip, for a machine that does not see its files.

    Raises:
        NoGame: it is no game.
        OSError: it cannot be read.
    """
    if kind == "zip":
        beside = next((p for p in facts_beside(place) if p.is_file()), None)
        return place.read_bytes() if beside is None else _with_facts(place, beside)
    content = _open_folder(place, usual) if kind == "folder" else _open_film(place, usual)
    facts = facts_beside(place) if kind == "film" else (place / FACTS,)
    own = next((p for p in facts if p.is_file()), None)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED, strict_timestamps=False) as packed:
        for path in content.photographs:
            packed.write(path, path.name)
        for path in content.files.values():
            if path.is_relative_to(content.folder):
                packed.write(path, path.name)
        if own is not None:
            packed.write(own, FACTS)
    return out.getvalue()


def _with_facts(place: Path, beside: Path) -> bytes:
    """Bytes of a zip, with the `game.json` that lies beside it put in."""
    out = io.BytesIO()
    with place.open("rb") as file:
        shutil.copyfileobj(file, out)
    try:
        with zipfile.ZipFile(out, "a", strict_timestamps=False) as packed:
            if not any(PurePosixPath(name).name == FACTS for name in packed.namelist()):
                packed.write(beside, FACTS)
    except _DAMAGED:
        return place.read_bytes()  # whoever opens it says what is wrong
    return out.getvalue()
