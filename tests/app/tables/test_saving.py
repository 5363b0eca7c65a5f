"""What a table could not write waits in memory, in order, and is written once that works again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from kibitz.app.common.storage.tables import (
    RefusalRow,
    Step,
    Storage,
    StorageError,
    TableRow,
    TokenRow,
)
from kibitz.app.tables.saving import Saving

FULL, HUNG = "storage_full", "storage_hung"


@pytest.fixture
def storage(tmp_path) -> Iterator[Storage]:
    """A folder in which one table was begun."""
    made = Storage(str(tmp_path))
    made.create_table(TableRow("t1", 1.0, {}), (TokenRow("h", "host"),))
    yield made
    made.close()


def step(seq: int, picture: bytes | None = None) -> Step:
    return Step(seq, 1.0, "seen", {}, None, picture)


def failing(code: str, tries: list[int] | None = None) -> Callable[..., None]:
    """A storage that takes nothing; each try is counted."""

    def fail(_table_id: str, batch: tuple[Step, ...]) -> None:
        if tries is not None:
            tries.append(len(batch))
        raise StorageError(code, "it takes nothing")

    return fail


def kept(storage: Storage) -> list[int]:
    return [one.seq for one in storage.steps_of("t1")]


def test_nothing_is_to_be_written(storage):
    """Then all is kept."""
    saving = Saving(storage, "t1")

    assert (True, (), None, True) == (
        saving.save(),
        saving.waiting,
        saving.trouble,
        saving.is_saved(1),
    )


def test_steps_are_written_in_order_once_it_works_again(storage, monkeypatch):
    """Meanwhile they wait, with their pictures, and the trouble is known."""
    saving = Saving(storage, "t1")
    saving.add(step(1, b"one"))
    with monkeypatch.context() as patched:
        patched.setattr(storage, "append", failing(FULL))
        saved = saving.save()
        saving.add(step(2))
    waiting = [one.seq for one in saving.waiting]
    seen = saved, saving.is_saved(1), saving.picture(1), saving.picture(2)
    trouble = saving.trouble
    again = saving.save()

    assert (False, False, b"one", None) == seen
    assert trouble is not None
    assert (FULL, [1, 2]) == (trouble.code, waiting)
    assert (True, True, None, [1, 2]) == (again, saving.is_saved(1), saving.trouble, kept(storage))
    assert ((), b"one") == (saving.waiting, saving.picture(1))


def test_what_would_not_help_to_try_again_is_raised(storage, monkeypatch):
    """The step is not given up all the same."""
    saving = Saving(storage, "t1")
    saving.add(step(1))
    monkeypatch.setattr(storage, "append", failing("written_elsewhere"))

    with pytest.raises(StorageError, match="it takes nothing"):
        saving.save()
    assert ((1,), None) == (tuple(one.seq for one in saving.waiting), saving.trouble)


@pytest.mark.parametrize(("code", "tries"), [(FULL, 3), (HUNG, 2)])
def test_who_waits_for_an_answer_does_not_wait_for_a_slow_place(storage, monkeypatch, code, tries):
    """A place that took long to say no is left to who tries again later."""
    saving, tried = Saving(storage, "t1"), []
    saving.add(step(1))
    monkeypatch.setattr(storage, "append", failing(code, tried))
    found = [saving.save(hurried=True), saving.save(hurried=True), saving.save()]

    assert ([False] * 3, tries) == (found, len(tried))


@pytest.mark.parametrize(("count", "pictures"), [(200, 200), (201, 200), (300, 200)])
def test_so_many_pictures_wait_for_a_full_disk(storage, monkeypatch, count, pictures):
    """Two hundred; of older ones the game alone is kept."""
    saving = Saving(storage, "t1")
    for number in range(count):
        saving.add(step(number, b"x"))
    monkeypatch.setattr(storage, "append", failing(FULL))
    saved = saving.save()

    assert not saved
    assert [None] * (count - pictures) + [b"x"] * pictures == [
        one.picture for one in saving.waiting
    ]


@pytest.mark.parametrize(("code", "written"), [(None, ["k"]), (FULL, [])])
def test_a_refusal_is_kept_if_that_costs_nobody_anything(storage, monkeypatch, code, written):
    """While the disk takes nothing it is let go, and nobody waits for it."""
    saving = Saving(storage, "t1")
    saving.add(step(1))
    with monkeypatch.context() as patched:
        if code is not None:
            patched.setattr(storage, "append", failing(code))
        saving.save()
    saving.keep_refusal(RefusalRow("k", "asked", "not_a_word", "No."))
    found = storage.refusal_rows("t1")

    assert written == [row.idem for row in found]


def test_a_refusal_that_cannot_be_written_stops_nothing(storage, monkeypatch):
    """What was answered stays answered."""
    saving = Saving(storage, "t1")
    monkeypatch.setattr(storage, "keep_refusal", failing(FULL))
    saving.keep_refusal(RefusalRow("k", "asked", "not_a_word", "No."))

    assert [] == list(storage.refusal_rows("t1"))
