"""Where the one-file build begins: Kibitz is unpacked once and run; without arguments it opens.

`deploy/build.py` puts this, Python and an archive of all packages into one file. The archive is
unpacked when a version is first started, so that later starts are quick.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tarfile
import tempfile
from importlib import import_module
from multiprocessing import freeze_support
from pathlib import Path

ARCHIVE = Path(getattr(sys, "_MEIPASS", Path(__file__).parent)) / "packages.tar.xz"


def cache_folder() -> Path:
    """Where a program of this user keeps what can be made anew."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def unpacked(archive: Path, cache: Path) -> Path:
    """The folder with an archive's packages; unpacked there now if it is not yet."""
    with archive.open("rb") as file:
        name = hashlib.file_digest(file, "sha256").hexdigest()[:16]
    ready = cache / "kibitz" / name
    if ready.is_dir():
        return ready
    ready.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if sys.stderr is not None:
        sys.stderr.write("kibitz: unpacking, this once ...\n")
    for old in ready.parent.iterdir():  # of an earlier version
        shutil.rmtree(old, ignore_errors=True)
    draft = Path(tempfile.mkdtemp(dir=ready.parent))
    with tarfile.open(archive, "r:xz") as packages:
        packages.extractall(draft, filter="data")
    try:
        draft.rename(ready)
    except OSError:  # another start was quicker
        shutil.rmtree(draft, ignore_errors=True)
    return ready


if __name__ == "__main__":
    sys.path.insert(0, str(unpacked(ARCHIVE, cache_folder())))
    freeze_support()  # archives are read by processes of their own
    # by its name: PyInstaller would put what a plain import leads to into the file a second time
    main = import_module("kibitz.app.cli.main").main
    main(sys.argv[1:] or ["serve", "--home", "--open"])
