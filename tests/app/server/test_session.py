"""What a running server holds: cameras of tables, who listens, and what is looked for."""

from __future__ import annotations

import pytest

from kibitz.app.tables.orders import Order
from tests.app.server_help import make_session

ORDER = Order("scrabble", ("Ann", "Bob"))


@pytest.fixture
def table(session):
    return session.tables.create(ORDER).table


def test_a_table_has_no_camera_before_a_frame_came(session, table):
    """It is made once, and the same one comes back."""
    before = (session.camera_of(table), session.cameras_of(table))
    camera = session.camera(table)

    assert (None, []) == before
    assert camera is session.camera(table) is session.camera_of(table)


def test_cameras_of_a_table_come_in_order(session, table):
    """Whichever frame came first; pages show the first one."""
    second, first = session.camera(table, 2), session.camera(table)
    other = session.tables.create(ORDER).table

    assert [first, second] == session.cameras_of(table)
    assert first is session.camera_of(table)
    assert [] == session.cameras_of(other)


def test_a_table_that_was_opened_anew_has_other_cameras(session, table):
    """Those of the table that was let go are forgotten."""
    old = session.camera(table)
    session.drop_table(table.id)
    again = session.tables.get(table.id)

    assert [] == session.cameras_of(again)
    assert old is not session.camera(again)
    assert [] == session.cameras_of(table)


def test_whoever_meets_tables_meets_each_once(session, table):
    """However often it is entered; one listener wakes its pages."""
    met, before = [], len(table.listeners)
    session.on_open.append(met.append)
    for _ in range(2):
        session.listen(table)

    assert ([table], before + 1) == (met, len(table.listeners))


def test_who_has_a_token_enters(session):
    """And nobody else."""
    made = session.tables.create(ORDER)
    entered = session.enter(made.table.id, made.seats["Ann"])

    assert (made.table, "Ann") == (entered[0], entered[1].player)
    assert None is session.enter(made.table.id, "x") is session.enter("nowhere", made.host)


@pytest.mark.parametrize(
    ("game", "players", "squares", "boards"),
    [
        ("scrabble", 2, 15, 1),
        ("frankenscrabbards", 2, 45, 1),
        ("scrabble-house", 4, 15, 2),
        ("grabscrab", 2, "loose", 1),
    ],
)
def test_what_is_looked_for_follows_from_the_game(session, game, players, squares, boards):
    """Squares, how many boards, and the letters of the table's set."""
    names = ("Ann", "Bea", "Cyd", "Dan")[:players]
    request = session.look_for(session.tables.create(Order(game, names)).table)

    assert (squares, boards) == (request.squares, request.boards)
    assert ("A", True, None) == (request.letters[0], request.known, request.taught)


@pytest.mark.parametrize(
    ("own", "given", "expected"),
    [
        (None, None, False),
        (None, "", False),
        ("k", None, False),
        ("k", "x", False),
        ("k", "k", True),
    ],
)
def test_the_hosts_key_opens_only_where_there_is_one(tmp_path, own, given, expected):
    """None is none, whatever is given."""
    session = make_session(tmp_path, host_key=own)
    found = session.is_host_key(given)
    session.close()

    assert expected is found


def test_who_listens_to_the_hall_hears_of_a_publication(session, table):
    """And of the end of it; the game keeps its key meanwhile."""
    heard = []
    session.listeners.append(heard.append)
    keys = [
        session.publish(table.id, "one"),
        session.publish(table.id, "two"),
        session.publish(table.id, None),
    ]

    assert ["one", "one", None] == keys
    assert [table.id] * 3 == heard


def test_a_deleted_table_leaves_nothing(session, table):
    """Neither a camera nor a second deletion."""
    session.camera(table)

    assert [True, False] == [session.delete(table.id) for _ in range(2)]
    assert [] == session.cameras_of(table)
    assert None is session.tables.get(table.id)
