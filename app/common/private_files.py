"""Files that only their owner may read, and a lock that gives a folder to one server."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

from kibitz.app.common.files import drafted

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
