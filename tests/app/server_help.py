"""What the tests of the server share: a session in memory, a reader that reads text pictures."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from PIL import Image

from kibitz.app.cameras.settling import RestRule
from kibitz.app.common.storage.tables import Storage
from kibitz.app.reading.frames import FrameReader
from kibitz.app.server.access.security import RateLimit
from kibitz.app.server.session import Session
from kibitz.app.tables.registry import Tables
from kibitz.calibration.board_geometry import Pyramid
from kibitz.vision.pipeline import BoardNotFound
from kibitz.vision.readings import PhotoReading
from tests.helpers import loose_readings
from tests.helpers.fake_readings import reading_of_rows
from tests.helpers.fleets import FLEET, Fleet
from tests.helpers.shared_data import ROOT

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
EMPTY = ["." * 15] * 15


class ReadsBarcodes:
    """Reads pictures made by `picture_of`: their rows are written in the pixels."""

    def read(self, picture: Pyramid, request: Any) -> PhotoReading:
        """The reading of such a picture, faultless."""
        bits = (picture.level(0)[:, :, 1] > 127).astype(np.uint8).reshape(-1)
        try:
            length = int("".join(map(str, bits[:24])), 2)
            told = json.loads(np.packbits(bits[24 : 24 + length * 8]).tobytes().decode())
            facts = told.get("facts", {})
            if "loose" in facts:
                shown = loose_readings.photo(*facts["loose"])
                doubt = facts.get("doubt")
                return shown if doubt is None else loose_readings.doubtful(shown, *doubt)
            return reading_of_rows(told["rows"], LETTERS, **facts)
        except (ValueError, TypeError, LookupError) as error:  # a picture that was damaged
            raise BoardNotFound("no board in the picture") from error

    def learn(self, _pictures: Any, _request: Any, _order: Any) -> Any:
        """No tiles lie in pictures with written rows."""
        raise BoardNotFound("no board in the picture")


PLAY = {"action": "place", "player": "Ann", "tiles": {"H7": "A", "H8": "T"}}
"""A first play."""


def picture_of(rows: list[str], **facts: Any) -> bytes:
    """A PNG that `ReadsBarcodes` reads as this board."""
    data = json.dumps({"rows": rows, "facts": facts}).encode()
    bits = [int(b) for b in f"{len(data):024b}"]
    bits += list(np.unpackbits(np.frombuffer(data, np.uint8)))
    side = 320
    flat = np.zeros(side * side, np.uint8)
    flat[: len(bits)] = np.array(bits) * 255
    return png_of(np.repeat(flat.reshape(side, side, 1), 3, axis=2))


def png_of(pixels: np.ndarray) -> bytes:
    """Pixels as a PNG file."""
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


def board(**words: str) -> list[str]:
    """A board with words on it: `H8="CAT"` across, `v_H8="CAT"` down."""
    rows = [list(r) for r in EMPTY]
    for name, word in words.items():
        down = name.startswith("v_")
        place = name.removeprefix("v_")
        r, c = ord(place[0]) - 65, int(place[1:]) - 1
        for i, letter in enumerate(word):
            rows[r + i * down][c + i * (not down)] = letter
    return ["".join(r) for r in rows]


def make_session(folder: Path, **options: Any) -> Session:
    """A session whose tables are kept in a folder; anybody may set up tables."""
    fast = RateLimit(1e6, 10**6)
    # frames come without a pause here: a position rests when two of them agree
    rest = RestRule(rest_s=0.0, doubtful_s=0.0, again_s=0.0)
    options = {
        "rest": rest,
        "open_to_all": True,
        "calls": fast,
        "tries": fast,
        "new_tables": fast,
        **options,
    }
    return Session(Tables(Storage(str(folder))), FrameReader(ReadsBarcodes), **options)


def bearer(token: str) -> dict[str, str]:
    """The header that carries a token."""
    return {"Authorization": f"Bearer {token}"}


def new_table(
    client: Any, game: str = "scrabble", players: Sequence[str] = ("Ann", "Bob"), **more: Any
) -> Any:
    """Set up a table; the answer with its tokens."""
    answer = client.post("/api/tables", json={"game": game, "players": list(players), **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


def tell_fleet(client: Any, made: Any, player: str = "Ann", fleet: Fleet = FLEET) -> None:
    """A player's fleet goes to sea, told from the own phone."""
    told = {"action": "enter_fleet", "player": player, "fleet": fleet}
    assert act(client, made, told, made["seat_tokens"][player]).status_code == 200


def act(client: Any, made: Any, body: Any, token: str | None = None, **headers: str) -> Any:
    """Do something at a table, as its host without a token."""
    auth = bearer(token or made["host_token"])
    path = f"/api/tables/{made['table']}/actions"
    return client.post(path, json=body, headers={**auth, **headers})


def see(client: Any, made: Any, rows: list[str], token: str | None = None) -> Any:
    """Show a table's camera a board."""
    headers = {**bearer(token or made["camera_token"]), "content-type": "image/png"}
    path = f"/api/tables/{made['table']}/frames"
    return client.post(path, content=picture_of(rows), headers=headers)


def state(client: Any, made: Any, token: str) -> Any:
    """The table as a token's holder sees it."""
    return client.get(f"/api/tables/{made['table']}", headers=bearer(token))


class RunningServer:
    """`kibitz serve` as a process of its own, with one table; to be used with `with`.

    Args:
        folder: where its tables are kept.
        arguments: more options; `--game scrabble` stands among them already.
        links: the stream that its links are told on, `stdout` or `stderr`.
        named: more of its environment.

    Attributes:
        process: its process, with text on both streams.
        lines: what it told as it started.
        address: where it is, with a slash.
        table: its table's name.
        token: that of the table's host.
    """

    def __init__(self, folder: Path, *arguments: str, links: str = "stdout", **named: str) -> None:
        command = [sys.executable, "-m", "kibitz", "serve", "--port", "0", "--game", "scrabble"]
        self.process = subprocess.Popen(
            [*command, "--data", str(folder), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **named},
        )
        told = getattr(self.process, links)
        self.lines: list[str] = []
        while not self.lines or not self.lines[-1].startswith("  camera"):
            self.lines.append(told.readline())
            assert self.lines[-1]
        self.address = self.lines[0].split()[-1]
        link = next(line for line in self.lines if line.startswith("  table"))
        self.table, _, self.token = link.strip().rpartition("/")[2].partition("#t=")

    def __enter__(self) -> RunningServer:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.communicate()

    def pass_turn(self) -> None:
        """Tell that the first player passes."""
        httpx.post(
            f"{self.address}api/tables/{self.table}/actions",
            json={"action": "pass", "player": "Player 1"},
            headers={"Authorization": f"Bearer {self.token}"},
            timeout=60,
        ).raise_for_status()

    def stop(self) -> tuple[str, str]:
        """Ask it to end; returns the rest of both streams."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.communicate(timeout=60)
