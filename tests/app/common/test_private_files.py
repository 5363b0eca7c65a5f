"""Files are their owner's, a data folder is one server's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.app.cli.serving.place import make_session
from kibitz.app.common.errors import CommandError
from kibitz.app.common.files import FolderLock, keep_private, write_private
from kibitz.app.common.storage.tables import FILE_NAME, Storage
from kibitz.app.server.access.certificate import local_papers
from kibitz.app.tables.orders import Order
from kibitz.app.tables.registry import Tables

pytestmark = pytest.mark.skipif(os.name != "posix", reason="rights are kept otherwise there")
ROOT = Path(__file__).resolve().parents[3]


def open_to_others(folder: Path) -> list[str]:
    """The files that somebody else may read or write."""
    return sorted(p.name for p in folder.rglob("*") if p.is_file() and p.stat().st_mode & 0o077)


@pytest.mark.parametrize("there", [False, True])
def test_files_are_private_whatever_the_folder_allows(tmp_path, there):
    """In a folder that everybody may enter: the database and what lies beside it, certificates."""
    tmp_path.chmod(0o755)
    if there:  # left by an older version
        for name in (FILE_NAME, "root-rulings.txt", "server-certificate.pem"):
            if name == FILE_NAME:
                Storage(str(tmp_path)).close()
            (tmp_path / name).touch()
            (tmp_path / name).chmod(0o644)
        (tmp_path / "server-certificate.pem").unlink()
    old = os.umask(0o022)
    try:
        session = make_session(str(tmp_path))
        session.tables.create(Order("grabscrab", ("Ann", "Bob")))
        session.tables._rulings.keep(["CAT/CATS=same"])
        local_papers(tmp_path, ())
        found = open_to_others(tmp_path)
        names = {p.name for p in tmp_path.iterdir()}
        session.close()
    finally:
        os.umask(old)

    assert [] == found
    assert {FILE_NAME, f"{FILE_NAME}-wal", f"{FILE_NAME}-shm", "server-key.pem"} <= names


def test_a_file_that_is_made_private_is_never_open(tmp_path):
    """It is made with its rights, and written as a whole."""
    path = tmp_path / "x.json"
    write_private(path, "one")
    write_private(path, "two")
    keep_private(tmp_path / "none")

    assert (["x.json"], "two", []) == (
        os.listdir(tmp_path),  # noqa: PTH208
        path.read_text(encoding="utf-8"),
        open_to_others(tmp_path),
    )


def test_a_second_server_on_a_folder_is_refused(tmp_path):
    """It is told which process serves the folder; when that has ended it may begin."""
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys; from pathlib import Path; from kibitz.app.common.files import FolderLock;"
            f"lock = FolderLock(Path({str(tmp_path)!r})); print('held', flush=True);"
            "sys.stdin.read()",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert holder.stdout is not None
    assert "held" == holder.stdout.readline().strip()
    with pytest.raises(CommandError) as refused:
        make_session(str(tmp_path))
    with pytest.raises(CommandError) as by_address:
        make_session(f"sqlite:///{tmp_path}/{FILE_NAME}")
    make_session(f"sqlite:///{tmp_path}/other.sqlite3").close()  # another file is another place
    exported = Tables(Storage(str(tmp_path)))  # looking at tables is no serving
    exported.close()
    holder.kill()
    holder.communicate()
    session = make_session(str(tmp_path))
    session.close()
    FolderLock(tmp_path).release()

    told = f"another Kibitz (process {holder.pid}) serves the tables in {tmp_path}"
    assert [True, True] == [told in str(x.value) for x in (refused, by_address)]
