"""Kills writers again and again and looks what they left behind (run by test_storage_kills).

    python tests/app/common/storage/storage_killer.py FOLDER_OR_ADDRESS KILLS SEED

For each kill a child process plays at a table and tells what was acknowledged, until it is killed
at a random moment; then the table is opened as a restarted server would, and one line of JSON
says what was found. The next child goes on with the same table.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
import time

from kibitz.app.common.storage.tables import Storage
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.app.tables.table import Table
from kibitz.engine.rules import Action, Refused
from tests.helpers.fake_readings import reading_of_rows

HOST = Actor("host")
ORDER = Order("scrabble", ("Ann", "Bob"), {"cl.scoreless_limit": 24})
KILLS_A_TABLE = 20
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
EMPTY = ["." * 15] * 15
LONGEST_SECONDS = 0.1
"""How long a writer lives at most after its first acknowledgement."""


def board(word: str) -> list[str]:
    """A board with a word on it."""
    return [*EMPTY[:7], f"{'.' * 6}{word}{'.' * (9 - len(word))}", *EMPTY[8:]]


def kind_of(number: int) -> str:
    """What is told as this step; everything is undone again, so that the game never ends."""
    return "pass" if number % 4 == 2 else "undo"


def write(where: str, table_id: str, out: int, first: int) -> None:
    """Play for ever; every acknowledgement is told by a pipe."""
    tables = Tables(Storage(where))
    table = tables.get(table_id)
    assert table is not None
    number = first
    picture = random.Random(first).randbytes(60_000)
    while True:
        number += 1
        if number % 4 == 0:
            # a play that is seen, with its picture; the next undo takes it back
            word = "CAT" if number % 8 else "DOG"
            line = table.observe(reading_of_rows(board(word), LETTERS), picture)
            told = [number, line["seq"], line["saved"], ""]
        else:
            key = f"key{number}"
            outcome = table.act(Action(kind_of(number)), HOST, key)
            if isinstance(outcome, Refused):
                continue
            told = [number, outcome.seq, outcome.saved, key]
        os.write(out, json.dumps(told).encode() + b"\n")


def kill_one(where: str, table_id: str, first: int, rng: random.Random) -> list[list[object]]:
    """What a writer acknowledged before it was killed."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        try:
            write(where, table_id, write_end, first)
        finally:
            os._exit(1)
    os.close(write_end)
    select.select([read_end], [], [], 30)
    time.sleep(rng.uniform(0.0, LONGEST_SECONDS))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    data = b""
    while piece := os.read(read_end, 65536):
        data += piece
    os.close(read_end)
    # the last line may be cut off
    return [
        json.loads(line) for line in data.decode().splitlines(keepends=True) if line[-1] == "\n"
    ]


def found(where: str, table_id: str, told: list[list[object]]) -> dict[str, object]:
    """What a restarted server finds, and whether the game goes on."""
    tables = Tables(Storage(where))
    table = tables.get(table_id)
    assert table is not None
    steps = table.steps
    kept = {s.seq: s for s in steps}
    before = table.seq
    out: dict[str, object] = {
        "acknowledged": len(told),
        "kept": len(steps),
        "in_order": [s.seq for s in steps] == list(range(1, len(steps) + 1)),
        "lost": [seq for _, seq, _, _ in told if seq not in kept],
        "unsaved": [seq for _, seq, saved, _ in told if not saved],
        "refused": len(table.lost),
        "pictures_lost": [
            s.seq for s in steps if s.kind == "seen" and table.picture(s.seq) is None
        ],
        "more": len(steps) - int(str(told[-1][1])) if told else 0,
        "again": _again(table, told),
    }
    out["doubled"] = table.seq - before
    goes_on = table.act(Action("pass"), HOST)
    out["goes_on"] = not isinstance(goes_on, Refused) and goes_on.saved
    undone = table.act(Action("undo"), HOST)
    out["undone"] = not isinstance(undone, Refused)
    tables.close()
    return out


def _again(table: Table, told: list[list[object]]) -> bool:
    """Whether the last call with a key is answered as done already."""
    keyed = [(n, key) for n, _, _, key in told if key]
    if not keyed:
        return True
    number, key = keyed[-1]
    outcome = table.act(Action(kind_of(int(str(number)))), HOST, str(key))
    return not isinstance(outcome, Refused) and outcome.repeated


def main(where: str, kills: int, seed: int) -> None:
    """Kill and look, so many times."""
    rng = random.Random(seed)
    table_id, number = "", 0
    for kill in range(kills):
        if kill % KILLS_A_TABLE == 0:
            tables = Tables(Storage(where))
            table_id = tables.create(ORDER).table.id
            tables.close()
        told = kill_one(where, table_id, number, rng)
        number = int(str(told[-1][0])) + 1 if told else number
        print(json.dumps(found(where, table_id, told)), flush=True)
        number += 1


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
