"""What is done is kept whole, and only what is missing or changed is to be done."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from kibitz.app.archive.finding import Found
from kibitz.app.archive.job import Result, failure
from kibitz.app.archive.store import Store, write_whole
from kibitz.app.common.errors import CommandError

GAME = Found("a", Path("/in/a"), "folder", 3, "stamp")
DONE = Result(
    "a",
    "key",
    files={"json": b"{}", "html": b"page"},
    line={"game": "a", "ok": True, "error": None},
)


def noted(store: Store, *games: Found, settings: str = "s") -> list[str]:
    store.note(iter(games), settings)
    store.forget_missing()
    found = list(store.to_do())
    assert len(found) == store.count_to_do()
    return [item.name for item in found]


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    """In the next run too."""
    with Store(tmp_path) as store:
        first = noted(store, GAME)
        store.keep(DONE)
        after = [item.name for item in store.to_do()]
    with Store(tmp_path) as store:
        again = noted(store, GAME)
        lines = list(store.lines())

    assert (["a"], [], []) == (first, after, again)
    assert [DONE.line] == lines
    assert b"page" == (tmp_path / "games" / "a.html").read_bytes()


@pytest.mark.parametrize("change", ["stamp", "settings", "deleted", "cut"])
def test_what_changed_is_done_again(tmp_path: Path, change: str) -> None:
    """The game's files, how it is replayed, a result that is gone or was cut short."""
    with Store(tmp_path) as store:
        noted(store, GAME)
        store.keep(DONE)
    game = replace(GAME, stamp="other") if change == "stamp" else GAME
    if change == "deleted":
        (tmp_path / "games" / "a.html").unlink()
    if change == "cut":
        (tmp_path / "games" / "a.html").write_bytes(b"pa")
    with Store(tmp_path) as store:
        again = noted(store, game, settings="t" if change == "settings" else "s")
        known = [item.known for item in store.to_do()]

    assert ["a"] == again
    # where a result is gone its key must not keep it from being made
    assert ["" if change in ("deleted", "cut") else "key"] == known


def test_the_same_content_is_not_kept_twice(tmp_path: Path) -> None:
    """A file that was only touched: the result stays as it is."""
    with Store(tmp_path) as store:
        noted(store, GAME)
        store.keep(DONE)
    with Store(tmp_path) as store:
        noted(store, replace(GAME, stamp="touched"))
        store.keep(Result("a", "key", same=True))
        left = list(store.to_do())
        lines = list(store.lines())

    assert ([], [DONE.line]) == (left, lines)


def test_failures_that_may_pass_are_tried_again(tmp_path: Path) -> None:
    """A process that died; what is wrong with the game itself stays so."""
    games = [replace(GAME, name=name) for name in ("died", "bad")]
    with Store(tmp_path) as store:
        noted(store, *games)
        store.keep(failure("died", "process_died", "why"))
        store.keep(failure("bad", "zip_damaged", "why", "key"))
    with Store(tmp_path) as store:
        again = noted(store, *games)

    assert ["died"] == again


def test_an_older_result_goes_with_a_failure(tmp_path: Path) -> None:
    """No page is left of a game that can no longer be replayed."""
    with Store(tmp_path) as store:
        noted(store, GAME)
        store.keep(DONE)
        store.keep(failure("a", "zip_damaged", "why", "other"))

    assert [] == [p for p in (tmp_path / "games").rglob("*") if p.is_file()]


def test_games_of_one_name_keep_their_endings(tmp_path: Path) -> None:
    """A folder, a film and a zip named alike, and two of them twice."""
    film = replace(GAME, place=Path("/in/a.mp4"), kind="film")
    with Store(tmp_path) as store:
        names = noted(store, GAME, film, replace(film, place=Path("/else/a.mp4")))

    assert ["a", "a.mp4", "a.mp4-2"] == names


def test_a_name_in_no_encoding_is_kept(tmp_path: Path) -> None:
    """Files are opened by the name they have, whatever it is called in the report."""
    odd = Path("/in") / "b\udcff"
    with Store(tmp_path) as store:
        noted(store, replace(GAME, name=odd.name, place=odd))
        (item,) = store.to_do()

    assert (odd, "b?") == (item.place, item.name)


def test_one_run_at_a_time(tmp_path: Path) -> None:
    """A second one is told so; the first goes on."""
    with Store(tmp_path) as store:
        with pytest.raises(CommandError, match="another 'kibitz archive' writes to"):
            Store(tmp_path)
        first = noted(store, GAME)

    assert ["a"] == first


def test_a_damaged_database_is_named(tmp_path: Path) -> None:
    """With what to do about it."""
    (tmp_path / ".kibitz").mkdir()
    (tmp_path / ".kibitz" / "done.sqlite").write_bytes(b"no database at all" * 100)

    with pytest.raises(CommandError, match=r"is damaged .* delete the folder"):
        Store(tmp_path)


def test_a_game_that_was_never_finished_leaves_no_row(tmp_path: Path) -> None:
    """Names of an earlier run that was broken off do not fill the database."""
    with Store(tmp_path) as store:
        noted(store, GAME)
    with Store(tmp_path) as store:
        noted(store, replace(GAME, name="b"))
    with sqlite3.connect(tmp_path / ".kibitz" / "done.sqlite") as base:
        names = base.execute("SELECT name FROM games").fetchall()
    base.close()

    assert [("b",)] == names


def test_a_file_is_whole_or_as_it_was(tmp_path: Path) -> None:
    """A folder in its place: nothing half-written is left beside it."""
    (tmp_path / "x").mkdir()

    with pytest.raises(OSError):  # noqa: PT011 - which one, the system chooses
        write_whole(tmp_path / "x", b"data")

    assert ["x"] == [p.name for p in tmp_path.iterdir()]
