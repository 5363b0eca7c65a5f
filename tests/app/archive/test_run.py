"""An archive from start to end: all kinds of games, bad ones among them, nothing done twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import kibitz
from tests.app.archive.archive_help import (
    PHOTOS,
    SCORES,
    film_game,
    folder_game,
    lines_of,
    results_of,
    zip_game,
)
from tests.helpers.shared_data import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Good games of each kind, and bad ones."""
    base = tmp_path_factory.mktemp("archive") / "in"
    folder_game(base / "club" / "monday", {**_timed(), "title": "Monday"})
    zip_game(base / "packed.zip", "photos/")
    film_game(base / "filmed.avi")
    (base / "filmed.game.json").write_text('{"players": ["Ann", "Bob"]}')
    (base / "empty").mkdir()
    (base / "bad.zip").write_bytes(b"PK\x03\x04 no zip")
    film = film_game(base / "cut.avi", PHOTOS[:1], seconds=1).read_bytes()
    (base / "cut.avi").write_bytes(film[:100])
    folder_game(base / "blank", photos=(), facts=None)
    (base / "blank" / "01.jpg").write_bytes(b"no picture")
    return base


def _timed() -> dict[str, object]:
    photos = [{"file": name, "at": 40.0 * n} for n, name in enumerate(PHOTOS)]
    return {"game_slug": "scrabble", "players": ["Ann", "Bob"], "photos": photos}


@pytest.fixture(scope="module")
def done(games: Path) -> kibitz.Archive:
    """All of them, replayed once."""
    return kibitz.archive(games, games.parent / "out", workers=2)


def test_every_game_has_its_line(done: kibitz.Archive) -> None:
    """A bad game is one line with a code; the good ones have their scores."""
    found = {
        line["game"]: line["scores"] if line["ok"] else line["error"]["code"]
        for line in lines_of(done.out)
    }

    assert {
        "blank": "not_an_image",
        "club/monday": SCORES,
        "empty": "no_pictures",
        "bad": "zip_damaged",
        "cut": "video_not_readable",
        "filmed": SCORES,
        "packed": SCORES,
    } == found
    assert (7, 4, 9) == (done.games, done.failures, done.photos)
    assert not done.complete


def test_a_bad_game_says_what_to_do(done: kibitz.Archive) -> None:
    """In words, with what was expected; no path of a folder that is gone."""
    told = {line["game"]: line["error"]["message"] for line in done.failed}

    assert "expected photographs" in told["empty"]
    assert "copy it again" in told["bad"]
    assert "save it as MP4" in told["cut"]
    assert [] == [x for x in told.values() if ".kibitz" in x]


def test_a_line_has_the_fields_that_are_promised(done: kibitz.Archive) -> None:
    """The same ones for good games and bad ones."""
    wanted = [
        "game",
        "ok",
        "photos",
        "plays",
        "scores",
        "unresolved",
        "questions",
        "seconds",
        "error",
    ]

    assert [wanted] * done.games == [list(line) for line in lines_of(done.out)]


def test_each_game_has_its_files(done: kibitz.Archive) -> None:
    """JSON, GCG and a page for every game that was replayed, under its name."""
    files = {str(p.relative_to(done.out / "games")) for p in (done.out / "games").rglob("*.*")}

    names = ("club/monday", "filmed", "packed")
    assert {f"{n}.{e}" for n in names for e in ("json", "gcg", "html")} == files


def test_a_game_is_the_same_from_folder_and_zip(done: kibitz.Archive) -> None:
    """What is kept names no place where it lay for a while."""
    kept = [
        json.loads((done.out / "games" / f"{name}.json").read_text(encoding="utf-8"))
        for name in ("club/monday", "packed")
    ]

    assert kept[0]["lines"] == kept[1]["lines"]
    assert list(PHOTOS) == [line["file"] for line in kept[0]["lines"]]
    assert ["GARDEN", "FRIEND"] == [p["words"][0]["word"] for p in kept[1]["final"]["plays"]]


def test_nothing_is_done_twice(games: Path, done: kibitz.Archive) -> None:
    """The same call again replays nothing and leaves everything as it is."""
    before = results_of(done.out)
    again = kibitz.archive(games, done.out, workers=2)

    assert (7, 0) == (again.games, again.replayed)
    assert before == results_of(done.out)


def test_only_what_changed_is_replayed(tmp_path: Path) -> None:
    """A touched file is looked at and left; another player or picture is a new result."""
    for name in ("a", "b", "c"):
        folder_game(tmp_path / "in" / name)
    out = tmp_path / "out"
    first = kibitz.archive(tmp_path / "in", out, workers=1)
    kept = {name: (out / "games" / f"{name}.json").stat().st_ino for name in "abc"}
    (tmp_path / "in" / "a" / "01.jpg").touch()
    (tmp_path / "in" / "b" / "game.json").write_text('{"players": ["Cyd", "Dan"]}')
    second = kibitz.archive(tmp_path / "in", out, workers=1)
    now = {name: (out / "games" / f"{name}.json").stat().st_ino for name in "abc"}

    assert (3, 1) == (first.replayed, second.replayed)
    assert ["b"] == [name for name in "abc" if kept[name] != now[name]]
    assert {"Cyd": 20, "Dan": 12} == lines_of(out)[1]["scores"]


def test_pages_without_photographs(tmp_path: Path) -> None:
    """They are small; the board and the plays are there."""
    game = folder_game(tmp_path / "a")
    kibitz.archive(game, tmp_path / "out", workers=1, pictures=False)
    page = (tmp_path / "out" / "games" / "a.html").read_text(encoding="utf-8")

    assert ("data:image/jpeg" in page, '"GARDEN"' in page) == (False, True)


def test_options_hold_where_a_game_says_nothing(tmp_path: Path) -> None:
    """Players, a word list and a tile set of the command."""
    words = tmp_path / "words.txt"
    words.write_text("GARDEN\n")
    game = folder_game(tmp_path / "a", None)
    kibitz.archive(
        game,
        tmp_path / "out",
        workers=1,
        players="Ann,Bob",
        lexicon=str(words),
        settings={"reject_invalid": True},
    )
    kept = json.loads((tmp_path / "out" / "games" / "a.json").read_text(encoding="utf-8"))

    assert ["Ann", "Bob"] == kept["players"]
    assert "FRIEND" in json.dumps(kept["lines"][2]["refused"])


def test_names_of_every_kind(tmp_path: Path) -> None:
    """In no encoding, as long as a name may be, with what pages and addresses use for themselves."""
    long, odd = "n" * 250, os.fsdecode(b"\xff\xfe")
    base = tmp_path / "in"
    for name in (long, odd, "a&b <i> #1 %41"):
        folder_game(base / name, None)
    (base / odd / "01.jpg").rename(base / odd / f"0{odd}.jpg")
    done = kibitz.archive(base, tmp_path / "out", workers=1, pictures=False)
    codes = {line["game"]: line["error"] and line["error"]["code"] for line in lines_of(done.out)}
    files = pq.read_table(done.out / "plays.parquet").to_pylist()

    assert {long: "not_written", "??": None, "a&b <i> #1 %41": None} == codes
    assert {"02.jpg", "03.jpg"} == {row["file"] for row in files}
    assert [] == list(done.out.rglob("*.new"))


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"players": "Ann"}, "players: expected 2 or 3 or 4 names"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"tiles": "xx"}, "tiles: there is no tile set"),
        ({"settings": {"no.such": 1}}, "settings: "),
        ({"workers": 0}, "workers: expected at least 1"),
        ({"top": "middle"}, "top: "),
        ({"cluster": "here"}, "cluster: expected tcp://HOST:PORT or local:N"),
        ({"cluster": "local:none"}, "cluster: expected local:N"),
    ],
)
def test_a_wrong_call_is_told_before_anything_is_read(
    tmp_path: Path, options: dict[str, object], why: str
) -> None:
    """And nothing is written."""
    game = folder_game(tmp_path / "a")

    with pytest.raises(kibitz.UsageError, match=why):
        kibitz.archive(game, tmp_path / "out", **options)  # type: ignore[arg-type]

    assert not (tmp_path / "out").exists()


def test_folders_without_games_are_a_wrong_call(tmp_path: Path) -> None:
    """A folder of notes holds none."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "notes.txt").write_text("x")

    with pytest.raises(kibitz.UsageError, match="there is no game in"):
        kibitz.archive(tmp_path / "in", tmp_path / "out")


@pytest.mark.parametrize("missing", ["pyarrow", "distributed"])
def test_what_is_not_installed_is_named(tmp_path: Path, missing: str) -> None:
    """Without pyarrow all but the tables is written; a cluster needs its package."""
    folder_game(tmp_path / "in" / "a")
    more = ["--cluster", "local:1"] if missing == "distributed" else ["--workers", "1"]
    code = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "if __name__ == '__main__':\n"
        "    from kibitz.app.cli.main import main; main(sys.argv[1:])"
    )
    script = tmp_path / "without.py"
    script.write_text(code)
    call = ["archive", str(tmp_path / "in"), "--out", str(tmp_path / "out"), *more]
    done = subprocess.run(
        [sys.executable, str(script), *call],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    written = sorted(p.name for p in (tmp_path / "out").glob("*.*") if p.is_file())

    wanted = {
        "pyarrow": (1, "pip install 'kibitz[archive]'", ["games.jsonl", "index.html"]),
        "distributed": (2, "pip install 'kibitz[cluster]'", []),
    }[missing]
    assert wanted == (
        done.returncode,
        wanted[1] if wanted[1] in done.stderr else done.stderr,
        written,
    )
