"""Where the one-file build begins: Kibitz is unpacked once and run; without arguments it opens.

`deploy/build.py` puts this, Python and archives of all packages into one file. They are unpacked
when a version is first started, side by side, so that later starts are quick.
"""

from __future__ import annotations

import os
import shutil
import sys
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from multiprocessing import freeze_support
from pathlib import Path

PACKED = Path(getattr(sys, "_MEIPASS", Path(__file__).parent)) / "packed"
"""A folder in it, named by what is in them, has the archives."""


def cache_folder() -> Path:
    """Where a program of this user keeps what can be made anew."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def unpacked(packed: Path, cache: Path) -> Path:
    """The folder with what is in a folder's archives; unpacked there now if it is not yet."""
    ready = cache / "kibitz" / packed.name
    if ready.is_dir():
        return ready
    ready.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if sys.stderr is not None:
        sys.stderr.write("kibitz: unpacking, this once ...\n")
    for old in ready.parent.iterdir():  # of an earlier version
        shutil.rmtree(old, ignore_errors=True)
    draft = Path(tempfile.mkdtemp(dir=ready.parent))
    with ThreadPoolExecutor() as pool:
        list(pool.map(partial(_unpack, draft), packed.iterdir()))
    try:
        draft.rename(ready)
    except OSError:  # another start was quicker
        shutil.rmtree(draft, ignore_errors=True)
    return ready


def _unpack(folder: Path, archive: Path) -> None:
    with tarfile.open(archive, "r:xz") as packages:
        packages.extractall(folder, filter="data")


if __name__ == "__main__":
    sys.path.insert(0, str(unpacked(next(PACKED.iterdir()), cache_folder())))
    freeze_support()  # archives are read by processes of their own
    # by its name: PyInstaller would put what a plain import leads to into the file a second time
    main = import_module("kibitz.app.cli.main").main
    main(sys.argv[1:] or ["serve", "--home", "--open"])
