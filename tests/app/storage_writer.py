"""Plays at a table and says what was acknowledged, until it is killed (run by test_storage)."""

import sys

from app.access import Actor
from app.storage import Storage
from app.tables import Order, Tables
from engine.rules import Action

HOST = Actor("host")


def main(folder: str) -> None:
    tables = Tables(Storage(folder))
    table = tables.create(Order("scrabble", ("Ann", "Bob"), {"cl.scoreless_limit": 24})).table
    print("table", table.id, flush=True)
    number = 0
    while True:
        number += 1
        # a game that never ends: pass, take it back, pass, take it back
        action = Action("undo" if number % 2 == 0 else "pass")
        outcome = table.act(action, HOST, f"key{number}")
        print("ack", number, outcome.seq, int(outcome.saved), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
