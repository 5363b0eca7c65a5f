"""The tables of one server: set up, found again, entered by tokens, and let go."""

from __future__ import annotations

import pytest

from kibitz.app.common.storage.tables import Storage
from kibitz.app.tables.orders import Order, OrderError
from kibitz.app.tables.people.access import Actor, token_hash
from kibitz.app.tables.registry import Tables
from kibitz.engine.rules import Action

ORDER = Order("scrabble", ("Ann", "Bob"))
HOST = Actor("host")


def test_a_new_place_has_no_tables(tables):
    """And none is made by looking for one."""
    assert (None, None) == (tables.get("t1"), tables.openable("t1"))
    assert ([], (), ()) == (list(tables.rows()), tables.open_tables(), tables.set_aside())
    assert not tables.delete("t1")


def test_every_place_at_a_table_has_a_token_of_its_own(tables):
    """Host, camera, watchers, and each seat; each says who its holder is."""
    made = tables.create(ORDER)
    tokens = [made.host, made.camera, made.watch, *made.seats.values()]
    actors = [HOST, Actor("camera"), Actor("watch"), Actor("seat", "Ann"), Actor("seat", "Bob")]

    assert 5 == len(set(tokens))
    assert actors == [tables.holder(made.table.id, token) for token in tokens]
    assert (made.table, HOST) == tables.actor(made.table.id, made.host)


@pytest.mark.parametrize("token", [None, "", "x", "x" * 300])
def test_who_has_no_token_of_a_table_is_nobody_there(tables, token):
    """Nor is who has the token of another table."""
    here, there = tables.create(ORDER), tables.create(ORDER)

    assert None is tables.holder(here.table.id, token) is tables.actor(here.table.id, token)
    assert None is tables.actor(here.table.id, there.host)


@pytest.mark.parametrize("name", ["", "../etc", "a" * 41, "t t"])
def test_what_is_no_name_of_a_table_is_not_looked_for(tables, name):
    """Whatever the token is."""
    assert None is tables.actor(name, tables.create(ORDER).host)


def test_a_table_that_was_let_go_is_opened_as_it_was(tables):
    """It is another object, with the same steps and the same tokens."""
    made = tables.create(ORDER)
    made.table.act(Action("pass", "Ann"), HOST)
    tables.forget(made.table.id)
    shut = tables.is_open(made.table.id)
    again = tables.get(made.table.id)

    assert shut is None
    assert made.table is not again is tables.get(made.table.id)
    assert [s.kind for s in made.table.steps] == [s.kind for s in again.steps]
    assert Actor("seat", "Bob") == tables.holder(again.id, made.seats["Bob"])


def test_a_lost_link_is_the_one_that_was_given(tables):
    """A new one ends it, and a place may be closed; the other seats stay open."""
    made = tables.create(ORDER)
    ann, name = made.seats["Ann"], made.table.id
    same = tables.add_token(name, "seat", "Ann")
    new = tables.renew(name, "seat", "Ann")
    after = [tables.holder(name, token) for token in (ann, new, made.seats["Bob"])]
    tables.revoke(name, "seat", "Ann")

    assert ann == same != new
    assert [None, Actor("seat", "Ann"), Actor("seat", "Bob")] == after
    assert None is tables.holder(name, new)


def test_a_token_is_known_by_its_hash(tables, tmp_path):
    """Of what lies in the storage only who asks for it there hears."""
    made = tables.create(ORDER)
    other = Tables(Storage(str(tmp_path)))
    known = [other.known_token(made.host), other.look_up(made.host), other.known_token(made.host)]
    unknown = other.look_up("x")
    other.close()

    assert token_hash(made.host) == tables.known_token(made.host)
    assert [None, token_hash(made.host), token_hash(made.host)] == known
    assert (None, None) == (tables.known_token(None), unknown)


def test_a_deleted_table_opens_no_more(tables):
    """With its tokens; the others stay."""
    gone, stays = tables.create(ORDER), tables.create(ORDER)

    assert [True, False] == [tables.delete(gone.table.id) for _ in range(2)]
    assert None is tables.get(gone.table.id) is tables.actor(gone.table.id, gone.host)
    assert [stays.table.id] == [row.id for row in tables.rows()]
    assert (stays.table,) == tables.open_tables()


@pytest.mark.parametrize(
    ("order", "said"),
    [
        (Order("chess", ("Ann", "Bob")), "chess"),
        (Order("scrabble", ("Ann",)), "player"),
        (Order("scrabble", ("Ann", "Bob"), {"nonsense": 1}), "nonsense"),
    ],
)
def test_what_is_no_table_is_told(tables, order, said):
    """And nothing is kept of it."""
    with pytest.raises(OrderError, match=said):
        tables.create(order)

    assert [] == list(tables.rows())


def test_who_ends_writes_what_is_in_memory(tmp_path):
    """The next server on this place finds it; ending twice is as good as once."""
    first = Tables(Storage(str(tmp_path)))
    made = first.create(ORDER)
    made.table.act(Action("pass", "Ann"), HOST)
    first.close()
    first.close()
    second = Tables(Storage(str(tmp_path)))
    found = second.get(made.table.id)
    second.close()

    assert found is not None
    assert ["pass"] == [line["action"] for line in found.history()]
