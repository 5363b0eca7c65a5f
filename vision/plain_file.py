"""Reads whole plain files up to a maximal size.

A device, a pipe or a link to one has no end: reading it takes all memory or waits for ever.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path


class FileRefused(ValueError):
    """The file is not read; `code` is stable, the message says what was expected."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


_KINDS = {
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFDIR: "a folder",
}


def told_size(size: int) -> str:
    """A number of bytes for people: `400 MB`, `1.3 GB`."""
    mega = size / 1000**2
    return f"{mega:.3g} MB" if mega < 1000 else f"{mega / 1000:.3g} GB"


def read_plain(path: Path, most: int) -> bytes:
    """All bytes of a file.

    Args:
        path: the file, or a link to it.
        most: bytes that are read at most.

    Raises:
        FileRefused: `not_a_file` for a device, a pipe or a folder, `too_large` above `most`.
        OSError: it is not there or cannot be read.
    """
    # a pipe without a writer would hold up even the opening
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _binary())
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(file.fileno())
        kind = stat.S_IFMT(found.st_mode)
        if kind != stat.S_IFREG:
            what = _KINDS.get(kind, "no plain file")
            raise FileRefused("not_a_file", f"{path} is {what}; a file was expected")
        # the size that is told may be wrong: what the system makes up while it is read tells 0
        data = file.read(most + 1) if found.st_size <= most else None
    if data is None or len(data) > most:
        size = max(found.st_size, most)
        raise FileRefused(
            "too_large",
            f"{path} has more than {told_size(size)}, at most {told_size(most)} are read",
        )
    return data


def _binary() -> int:
    return getattr(os, "O_BINARY", 0)
