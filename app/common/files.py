"""Reads files that users name, bounded in size; writes files for their owner alone."""

from __future__ import annotations

import codecs
import json
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

from kibitz.app.common.errors import UsageError
from kibitz.app.common.limits import LIMITS
from kibitz.vision.plain_file import FileRefused, read_plain, told_size

PathLike: TypeAlias = str | os.PathLike[str]


def user_folder() -> Path:
    """The folder in which Kibitz keeps this user's data."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "kibitz"


_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@contextmanager
def drafted(path: Path) -> Iterator[Path]:
    """Write to a draft beside a file, which takes the file's place once it is complete.

    Where the block does not end well, the draft goes and an older file is as it was.

    Raises:
        OSError: the draft cannot take the file's place.
    """
    draft = path.with_name(path.name + ".new")
    try:
        yield draft
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def text_of(data: bytes) -> str:
    """Decode UTF-8, UTF-16 or UTF-32, with or without a byte order mark.

    Raises:
        ValueError: it is none of them.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decoded(data[len(mark) :], encoding)
    # of two bytes of a Latin letter in UTF-16 one is zero, and no text in UTF-8 has zeros
    if data[1:2] == b"\0" or data[:1] == b"\0":
        return _decoded(data, "utf-16-le" if data[1:2] == b"\0" else "utf-16-be")
    return _decoded(data, "utf-8")


def _decoded(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise ValueError(
            f"byte {error.start + 1} is not {encoding.upper()}; save the file as UTF-8"
        ) from error


def unzipped(data: bytes, most: int) -> bytes:
    """Decompress the content of a `.gz` file, all of its members.

    Raises:
        FileRefused: `too_large`, it unpacks to more than `most` bytes.
        ValueError: it is damaged or breaks off.
    """
    out = bytearray()
    while data:
        unpacker = zlib.decompressobj(wbits=31)
        try:
            out += unpacker.decompress(data, most + 1 - len(out))
        except zlib.error as error:
            raise ValueError(f"it is no .gz file, or a damaged one ({error})") from error
        if len(out) > most:
            what = f"it unpacks to more than {told_size(most)}, which is the most that is read"
            raise FileRefused("too_large", what)
        if not unpacker.eof:
            raise ValueError("it breaks off before its end; copy the file again")
        data = unpacker.unused_data.lstrip(b"\0")
    return bytes(out)


def json_of(data: bytes) -> Any:
    """Parse the JSON in a file's bytes.

    Raises:
        ValueError: it is none, or too deeply nested for any use here.
    """
    try:
        return json.loads(text_of(data))
    except RecursionError as error:
        raise ValueError("brackets are nested too deeply") from error


def named_path(text: str | Path) -> Path:
    """The path that a user typed, with `~` as their home where that exists."""
    return Path(os.path.expanduser(text))  # noqa: PTH111 (Path's own raises for an unknown name)


def is_there(path: Path) -> bool:
    """True if the file or folder exists; False also for names that no file can have."""
    try:
        return path.exists()
    except OSError:
        return False


def read_json(path: Path) -> Any:
    """Read and parse a JSON file.

    Raises:
        FileRefused: it is no file, or too large.
        ValueError: it is no JSON.
        OSError: it cannot be read.
    """
    return json_of(read_plain(path, LIMITS.read_bytes))


def load_json(path: Path, option: str) -> Any:
    """Load the JSON of a file that an option names.

    Raises:
        UsageError: it cannot be read or is no JSON.
    """
    try:
        return read_json(path)
    except OSError as error:
        raise UsageError(option, f": cannot read {path}: {error.strerror}") from error
    except FileRefused as error:
        raise UsageError(option, f": {error}") from error
    except ValueError as error:
        raise UsageError(option, f": {path} is no JSON: {error}") from error


OWNER_ONLY = stat.S_IRUSR | stat.S_IWUSR
LOCK_NAME = "server.lock"

if sys.platform == "win32":
    import msvcrt

    def _take(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def keep_private(path: Path, *, make: bool = False) -> None:
    """Let only the owner read and write a file, whatever the folder allows.

    Args:
        path: the file; one that is not there, or belongs to somebody else, is left alone.
        make: make an empty one where there is none, so that it is never open to others.
    """
    if make:
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
    with suppress(FileNotFoundError, PermissionError):
        path.chmod(OWNER_ONLY)


def is_own(path: Path) -> bool:
    """True if a file or folder is owned by this user: in a shared folder anybody may put one."""
    found = path.lstat()
    if path.is_symlink():
        return False
    return os.name != "posix" or (found.st_uid == os.getuid() and not found.st_mode & 0o077)


def write_private(path: Path, text: str) -> None:
    """Write a text file that only its owner may read, replacing an older one atomically.

    Raises:
        OSError: it cannot be written; an older one is as it was.
    """
    with drafted(path) as draft:
        keep_private(draft, make=True)
        draft.write_text(text, encoding="utf-8")


class FolderLock:
    """A server's exclusive lock on a data folder; it ends with the process.

    Args:
        folder: where tables are kept, or what else one process has for itself.
        name: of the file that is locked there.

    Raises:
        BlockingIOError: another server holds it; its text is that server's process number.
        OSError: no file can be made there.
    """

    def __init__(self, folder: Path, name: str = LOCK_NAME) -> None:
        self._path = folder / name
        self._file = os.open(self._path, os.O_CREAT | os.O_RDWR, OWNER_ONLY)
        try:
            _take(self._file)
        except (BlockingIOError, PermissionError):
            holder = os.read(self._file, 20).decode("ascii", "replace").strip()
            os.close(self._file)
            raise BlockingIOError(holder) from None
        os.ftruncate(self._file, 0)
        os.write(self._file, f"{os.getpid()}\n".encode())

    def release(self) -> None:
        """Release the lock."""
        with suppress(OSError):
            os.close(self._file)
