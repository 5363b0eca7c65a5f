"""What is kept beside games: names, links, calls for a judge, texts; and how all of it goes."""

from __future__ import annotations

import pytest

from kibitz.app.common.storage.tables import FILE_NAME, Step, Storage, TableRow, TokenRow
from kibitz.app.common.storage.upkeep import JudgeCall, Label, Link, Sizes, taught_name


@pytest.fixture
def storage(tmp_path):
    """A folder with two tables of which nothing is known yet."""
    kept = Storage(str(tmp_path))
    for name in ("t1", "t2"):
        kept.create_table(TableRow(name, 1.0, {}), (TokenRow(f"host of {name}", "host"),))
    yield kept
    kept.close()


def picture(seq, at, size):
    """A step with a picture of so many bytes."""
    return Step(seq, at, "seen", {}, picture=b"q" * size)


def test_a_new_place_has_nothing_of_it(storage):
    """And asking makes nothing."""
    assert ({}, {}, {}) == (storage.labels(), storage.judge_calls(), storage.documents(""))
    assert (None, None) == (storage.public_key("t1"), storage.public_table("key"))
    assert (0, "") == storage.document("club")
    assert "" == storage.document(taught_name("t1"))[1]
    assert {} == storage.sizes()


def test_a_table_is_named_and_put_away(storage):
    """Each without the other; what is not said stays."""
    named = storage.label("t1", name="Final")
    away = storage.label("t1", archived=True)
    back = storage.label("t1", archived=False)

    assert Label("Final") == named == back
    assert ("Final", True) == (away.name, away.archived is not None)
    assert {"t1": Label("Final")} == storage.labels() == storage.labels(["t1"])
    assert {} == storage.labels(["t2"])


def test_links_are_told_the_oldest_first(storage):
    """Those of a version that did not note them, of which only the token is known, before all."""
    late, early = Link("b", "watch", None, "n", 9.0, 20.0), Link("a", "seat", "Ann", "m", 5.0)
    storage.add_links("t1", late, early)

    assert (Link("host of t1", "host", None), early, late) == storage.links_of("t1")
    assert [True, True, False] == [storage.has_token(x) for x in ("a", "host of t2", "c")]


def test_a_link_is_replaced_in_its_place_alone(storage):
    """Another seat's stays; without a new one nobody has the place any more."""
    seats = [Link(x, "seat", x, "n", 1.0) for x in ("Ann", "Bob")]
    storage.add_links("t1", *seats)
    new = Link("new", "seat", "Ann", "n", 2.0)

    assert ("Ann",) == storage.replace_links("t1", "seat", "Ann", new)
    assert ("host of t1",) == storage.replace_links("t1", "host", None, None)
    assert (seats[1], new) == storage.links_of("t1")
    assert (Link("host of t2", "host", None),) == storage.links_of("t2")


def test_a_public_game_keeps_its_key(storage):
    """Until nobody is to see it any more."""
    keys = [storage.publish("t1", "one"), storage.publish("t1", "two")]
    open_now = (storage.public_key("t1"), storage.public_table("one"), storage.public_table("two"))
    closed = storage.publish("t1", None)

    assert ["one", "one"] == keys
    assert ("one", "t1", None) == open_now
    assert (None, None) == (closed, storage.public_table("one"))


def test_a_table_asks_for_one_judge(storage):
    """A later call takes the place of an earlier one, until somebody came."""
    first, second = JudgeCall("t1", 1.0, "Ann", "a word"), JudgeCall("t1", 2.0, "host", "the time")
    storage.call_judge(first)
    storage.call_judge(second)

    assert {"t1": second} == storage.judge_calls()
    assert [True, False] == [storage.dismiss_judge("t1") for _ in range(2)]
    assert {} == storage.judge_calls()


def test_a_text_is_kept_by_who_knew_the_one_before(storage):
    """Nobody writes over what another server kept meanwhile."""
    kept = [storage.keep_document("club", n, f"text {n}") for n in (1, 0, 0, 1, 1, 2)]

    assert [False, True, False, True, False, True] == kept
    assert (3, "text 2") == storage.document("club")
    assert [True, False] == [storage.drop_document("club") for _ in range(2)]


def test_texts_are_found_by_how_they_begin(storage):
    """A sign that stands for any letter elsewhere stands for itself."""
    for name in ("a_b/1", "a_b/2", "aXb/1"):
        storage.keep_document(name, 0, name)

    assert {"a_b/1", "a_b/2"} == set(storage.documents("a_b/"))
    assert 3 == len(storage.documents(""))


def test_what_was_taught_is_kept_in_place_of_what_was_before(storage):
    """For each table."""
    for text in ("old", "new"):
        storage.put_document(taught_name("t1"), text)

    assert ("new", "") == (
        storage.document(taught_name("t1"))[1],
        storage.document(taught_name("t2"))[1],
    )
    assert [True, False] == [storage.drop_document(taught_name("t1")) for _ in range(2)]


def test_pictures_of_older_steps_are_taken_away(storage):
    """The steps stay; a step of the very moment keeps its own."""
    storage.append("t1", (picture(1, 10.0, 300), picture(2, 20.0, 50)))
    before = storage.sizes()
    dropped = storage.drop_pictures(20.0)

    assert {"t1": Sizes(2, 2, 350)} == before
    assert (1, {"t1": Sizes(2, 1, 50)}) == (dropped, storage.sizes())
    assert [None, b"q" * 50] == [storage.picture("t1", n) for n in (1, 2)]


def test_a_table_goes_with_all_that_is_kept_of_it(storage, tmp_path):
    """Nothing of it stays in the file; the other table has what it had."""
    for name in ("t1", "t2"):
        storage.append(name, (Step(1, 1.0, "told", {"word": f"SECRET{name}"}),))
        storage.add_links(name, Link(f"link of {name}", "watch", None))
        storage.label(name, name=f"NAME{name}")
        storage.publish(name, f"key of {name}")
        storage.call_judge(JudgeCall(name, 1.0, "Ann", "why"))
        storage.put_document(taught_name(name), f"TAUGHT{name}")
    gone = [storage.delete_table("t1") for _ in range(2)]
    storage.vacuum()
    left = b"".join(p.read_bytes() for p in tmp_path.glob(f"{FILE_NAME}*"))

    assert [True, False] == gone
    assert ((), 2) == (storage.links_of("t1"), len(storage.links_of("t2")))
    assert {"t2"} == set(storage.labels()) == set(storage.judge_calls()) == set(storage.sizes())
    assert (None, "t2") == (storage.public_table("key of t1"), storage.public_table("key of t2"))
    assert ("", "TAUGHTt2") == (
        storage.document(taught_name("t1"))[1],
        storage.document(taught_name("t2"))[1],
    )
    assert [False] * 3 == [x in left for x in (b"SECRETt1", b"NAMEt1", b"TAUGHTt1")]
