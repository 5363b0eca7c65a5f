"""A kept table for a command: found by its name, with what is kept told where it is not."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.storage.tables import Storage, StorageError
from kibitz.app.face.kept import kept_tables, table_named
from kibitz.app.tables.orders import Order
from kibitz.app.tables.registry import Tables

ORDER = Order("scrabble", ("Ann", "Bob"), lexicon="none")


def keep(folder: Path, count: int) -> list[str]:
    """The names of so many tables that are kept there."""
    tables = Tables(Storage(str(folder)))
    names = [tables.create(ORDER).table.id for _ in range(count)]
    tables.close()
    return names


def test_a_table_is_found_by_its_name(tmp_path: Path) -> None:
    """The one that is meant, of several."""
    first, second = keep(tmp_path, 2)

    with kept_tables(str(tmp_path)) as tables:
        assert [first, second] == [table_named(tables, name).id for name in (first, second)]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_table_that_is_not_there_is_told_with_those_that_are(tmp_path: Path, count: int) -> None:
    """So a name that was typed wrong is put right at once."""
    names = keep(tmp_path, count)
    with (
        kept_tables(str(tmp_path)) as tables,
        pytest.raises(UsageError) as told,
    ):
        table_named(tables, "nothere", "no GCG file and no table")
    before, _, known = str(told.value).partition("; kept are: ")

    assert "there is no GCG file and no table 'nothere'" == before
    assert sorted(names or ["none"]) == sorted(known.split())


def test_a_name_as_long_as_a_book_is_told_in_short(tmp_path: Path) -> None:
    """What somebody pasted by mistake does not fill the screen."""
    with (
        kept_tables(str(tmp_path)) as tables,
        pytest.raises(UsageError) as told,
    ):
        table_named(tables, "x" * 5000)

    assert len("there is no table '; kept are: none") + 89 == len(str(told.value))


def test_a_place_that_cannot_be_opened_is_a_command_that_failed(tmp_path: Path) -> None:
    """A file lies where the folder should be."""
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(CommandError) as told, kept_tables(str(tmp_path / "file")):
        pass

    assert CommandError is type(told.value)
    assert str(told.value).startswith("cannot use the data folder ")


def test_a_disk_that_fails_in_between_is_a_command_that_failed(tmp_path: Path) -> None:
    """Whatever the command was about to do there."""
    with pytest.raises(CommandError) as told, kept_tables(str(tmp_path)):
        raise StorageError("storage_full", "the disk is full")

    assert (CommandError, "the disk is full") == (type(told.value), str(told.value))


@pytest.mark.parametrize("error", [None, KeyError, StorageError("storage_full", "full")])
def test_the_tables_are_closed_in_the_end(
    tmp_path: Path, error: type[Exception] | Exception | None
) -> None:
    """Also when the command went wrong: nothing of them works on."""
    with suppress(KeyError, CommandError), kept_tables(str(tmp_path)) as tables:
        if error is not None:
            raise error

    assert not tables._saver.is_alive()


def test_rules_of_ones_own_that_are_no_game_are_told(tmp_path: Path) -> None:
    """Before anything is opened."""
    with pytest.raises(UsageError), kept_tables(str(tmp_path / "new"), "nothing_here:GAME"):
        pass

    assert not (tmp_path / "new").exists()
