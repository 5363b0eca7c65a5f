"""Where the one-file build begins: Kibitz is unpacked once and run; without arguments it opens.

`deploy/build.py` puts this, Python and an archive of all packages into one file. It is unpacked
when a version is first started, so that later starts are quick.
"""

from __future__ import annotations

import os
import shutil
import sys
import tarfile
import tempfile
from importlib import import_module
from multiprocessing import freeze_support
from pathlib import Path

import zstandard

PACKED = Path(getattr(sys, "_MEIPASS", Path(__file__).parent)) / "packed"
"""The archive in it is named by what it holds."""


def cache_folder() -> Path:
    """Where a program of this user keeps what can be made anew."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def unpacked(packed: Path, cache: Path) -> Path:
    """The folder with what is in an archive; unpacked there now if it is not yet."""
    ready = cache / "kibitz" / packed.name
    if ready.is_dir():
        return ready
    ready.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if sys.stderr is not None:
        sys.stderr.write("kibitz: unpacking, this once ...\n")
    for old in ready.parent.iterdir():  # of an earlier version
        shutil.rmtree(old, ignore_errors=True)
    draft = Path(tempfile.mkdtemp(dir=ready.parent))
    with (
        zstandard.open(
            packed, "rb", zstandard.ZstdDecompressor(max_window_size=1 << 27)
        ) as archive,
        tarfile.open(fileobj=archive, mode="r|") as packages,
    ):
        packages.extractall(draft, filter="data")
    try:
        draft.rename(ready)
    except OSError:  # another start was quicker
        shutil.rmtree(draft, ignore_errors=True)
    return ready


if __name__ == "__main__":
    sys.path.insert(0, str(unpacked(next(PACKED.iterdir()), cache_folder())))
    freeze_support()  # archives are read by processes of their own
    # by its name: PyInstaller would put what a plain import leads to into the file a second time
    main = import_module("kibitz.app.cli.main").main
    main(sys.argv[1:] or ["serve", "--home", "--open"])
