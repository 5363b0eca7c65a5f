"""Files that people name: any way of writing text, never without bound, never a device."""

from __future__ import annotations

import gzip
import json
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from kibitz.app.common.errors import UsageError
from kibitz.app.common.files import LIMITS, drafted, json_of, text_of, unzipped
from kibitz.app.common.materials.named import load_lexicon, load_tile_set
from kibitz.app.observers.told import load_told
from kibitz.vision.frame import PictureError, load_picture
from kibitz.vision.plain_file import FileRefused, read_plain

WORDS = "Äpfel\nqi\nŁÓDŹ\n"


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"],
)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gz"])
def test_word_lists_are_read_however_written(tmp_path: Path, encoding: str, packed: bool) -> None:
    """With a byte order mark or without, in one byte a letter or two, packed or not."""
    data = ("qi\n" + WORDS).encode(encoding)
    path = tmp_path / ("words.txt.gz" if packed else "words.txt")
    path.write_bytes(gzip.compress(data) if packed else data)
    words = load_lexicon(str(path))

    assert [True, True, True, False] == [w in words for w in ("ÄPFEL", "QI", "ŁÓDŹ", "XX")]


def test_a_gz_of_several_parts_is_read_whole() -> None:
    """As `cat a.gz b.gz` makes it."""
    assert b"ab" == unzipped(gzip.compress(b"a") + gzip.compress(b"b"), 10)


@pytest.mark.parametrize("cut", [5, 12, -5])
def test_a_damaged_gz_is_refused(tmp_path: Path, cut: int) -> None:
    """In words."""
    path = tmp_path / "words.gz"
    path.write_bytes(gzip.compress(b"QI\n" * 1000)[:cut])

    with pytest.raises(UsageError, match="is no word list"):
        load_lexicon(str(path))


def test_a_gz_that_unpacks_to_a_gigabyte_is_refused(tmp_path: Path) -> None:
    """It is not unpacked any further than what is read at most."""
    path = tmp_path / "bomb.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(1000):
            file.write(b"A\n" * 500_000)
    tracemalloc.start()
    with pytest.raises(UsageError, match="unpacks to more than 100 MB"):
        load_lexicon(str(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 4 * LIMITS.words_bytes


@pytest.mark.parametrize("data", ["[" * 200_000, '{"a":' * 100_000])
def test_nested_brackets_are_refused(data: str) -> None:
    """As what they are: no JSON that means anything here."""
    with pytest.raises(ValueError, match="nested too deeply"):
        json_of(data.encode())


def test_json_is_read_however_written() -> None:
    """Files that other systems saved are the same files."""
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le"):
        assert ["Ä"] == json_of('["Ä"]'.encode(encoding))


def test_bytes_that_are_no_text_are_refused() -> None:
    """With the place, and what to do."""
    with pytest.raises(ValueError, match="byte 3 is not UTF-8; save the file as UTF-8"):
        text_of(b"QI\xff")


@pytest.fixture(params=["device", "link to a device", "pipe", "folder", "too large"])
def refused(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """What nobody should read to its end."""
    path = tmp_path / "refused"
    if request.param == "device":
        return Path("/dev/zero")
    if request.param == "link to a device":
        path.symlink_to("/dev/zero")
    elif request.param == "pipe":
        os.mkfifo(path)
    elif request.param == "folder":
        path.mkdir()
    else:
        with path.open("wb") as file:
            file.truncate(10**9)
    return path


def test_what_has_no_end_is_refused_everywhere(refused: Path) -> None:
    """Word lists, tile sets, what people say, pictures: at once, and in words."""
    doors = {
        "words": lambda: load_lexicon(str(refused)),
        "tiles": lambda: load_tile_set(str(refused)),
        "told": lambda: load_told(refused),
        "picture": lambda: load_picture(refused),
    }
    kept_out = []
    for name, door in doors.items():
        try:
            door()
        except (UsageError, PictureError):
            kept_out.append(name)

    assert list(doors) == kept_out


def test_what_the_system_makes_up_is_bounded_too() -> None:
    """Files of /proc tell no size; they are read up to the bound."""
    path = Path("/proc/self/status")

    assert read_plain(path, 10**6).startswith(b"Name:")
    with pytest.raises(FileRefused, match="has more than"):
        read_plain(path, 10)


@pytest.mark.parametrize(
    "item",
    [
        {"action": "enter_fleet", "fleet": {"patrol": 5}},
        {"action": "enter_fleet", "fleet": {"patrol": [1, 2]}},
        {"action": "enter_fleet", "fleet": {"patrol": [None, "A1"]}},
        {"action": 5},
        5,
        None,
        {"action": "pass", "before": 7},
    ],
)
def test_what_people_say_is_refused_in_words(tmp_path: Path, item: object) -> None:
    """With the number of the item, never as an error of the program."""
    path = tmp_path / "told.json"
    path.write_text(json.dumps([{"action": "pass"}, item]), encoding="utf-8")

    with pytest.raises(UsageError, match=r"^told: item 2 of"):
        load_told(path)


@pytest.mark.parametrize("load", [lambda name: load_lexicon(name, "en"), load_tile_set])
def test_a_name_too_long_for_a_file_is_no_file(load: Callable[[str], object]) -> None:
    with pytest.raises(UsageError, match=r"there is no (file|tile set) 'AAAA"):
        load("A" * 10_000)


def test_a_draft_takes_the_files_place_only_when_it_is_whole(tmp_path: Path) -> None:
    """A writer that fails half way leaves the older file, and no draft beside it."""
    path = tmp_path / "page.html"
    path.write_text("old", encoding="utf-8")

    def fail() -> None:
        with drafted(path) as draft:
            draft.write_text("ne", encoding="utf-8")
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        fail()
    kept = path.read_text(encoding="utf-8")
    with drafted(path) as draft:
        draft.write_text("new", encoding="utf-8")

    assert ("old", "new") == (kept, path.read_text(encoding="utf-8"))
    assert [path] == list(tmp_path.iterdir())
