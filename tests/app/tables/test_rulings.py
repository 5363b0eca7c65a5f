"""Rulings on the roots of words are kept from game to game (rule GS-12)."""

from __future__ import annotations

from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.rulings import RootRulings
from kibitz.engine.rules import Action, Refused

TABLE = {"pool": "EERT", "words": {"Bob": ["FARM"]}}
CALL = Action("claim", "Ann", data={"word": "FARMER", "steal": "FARM"})
RULED = Action("overrule_root", data={"old": "FARM", "new": "FARMER", "same": False})


def new_table(tables, **settings):
    order = Order("grabscrab", ("Ann", "Bob"), settings, initial=TABLE)
    return tables.create(order).table


def test_nothing_is_kept_at_first(tmp_path):
    """Without a file there are no rulings, and a header stays as it is."""
    rulings = RootRulings(str(tmp_path))

    assert () == rulings.kept()
    assert {"game": "grabscrab"} == rulings.header_of({"game": "grabscrab"})


def test_a_ruling_holds_in_the_next_game(tables):
    """What people rule at one table is known at the next."""
    host = Actor("host")
    first = new_table(tables)
    refused = first.act(CALL, host)
    first.act(RULED, host)
    second = new_table(tables)
    accepted = second.act(CALL, host)

    assert isinstance(refused, Refused)
    assert "same_root" == refused.code
    assert "FARMER" == accepted.verdict.result["word"]


def test_a_games_own_ruling_comes_before_the_kept_one(tmp_path, tables):
    """A game set up with a ruling of its own goes by that."""
    RootRulings(str(tmp_path)).keep(["FARM/FARMER=different"])
    table = new_table(tables, **{"gs.rulings": ["FARMER/FARM=same"]})
    refused = table.act(CALL, Actor("host"))

    assert "same_root" == refused.code


def test_a_later_ruling_replaces_the_earlier_one(tmp_path):
    """The file holds one line for each pair; other lines in it are passed over."""
    rulings = RootRulings(str(tmp_path))
    rulings.keep(["FARM/FARMER=different", "QUIT/QUIET=same"])
    file = next(tmp_path.iterdir())
    file.write_text(file.read_text() + "# by hand\nnonsense\n")
    rulings.keep(["FARMER/FARM=same"])

    assert ("FARM/FARMER=same", "QUIET/QUIT=same") == rulings.kept()


def test_other_games_know_nothing_of_it(tmp_path):
    """Only GrabScrab has rulings on roots; a database has no file for them."""
    rulings = RootRulings(str(tmp_path))
    rulings.keep(["FARM/FARMER=different"])
    in_database = RootRulings("postgresql://me@here/tables")
    in_database.keep(["FARM/FARMER=different"])

    assert {"game": "scrabble"} == rulings.header_of({"game": "scrabble"})
    assert () == in_database.kept()
