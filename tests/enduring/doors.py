"""Sends mutated inputs to every entrance: each must be taken or refused, soon, without a crash."""

from __future__ import annotations

import contextlib
import copy
import gzip
import io
import json
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from PIL import Image
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from kibitz.app.cli.materials import rules
from kibitz.app.common.errors import UsageError
from kibitz.app.common.materials.named import _word_list, load_tile_set
from kibitz.app.observers.told import load_told
from kibitz.vision.frame import PictureError, load_picture
from tests.app.server_help import bearer, board, picture_of
from tests.enduring.server import ServerProcess
from tests.enduring.stranger import Stranger, endless_head, socket_bomb
from tests.helpers.hostile_pictures import for_another_program, painted_over, png_header

ROOT = Path(__file__).resolve().parents[1]
MOST_SECONDS = 20
HEARD_SECONDS = 8.0
"""A camera that is silent for four seconds is told of, also on a busy machine."""
ANSWER_SECONDS = 1.0
"""Not everything that a socket is told is answered."""
SHARES = {
    "pictures": 20, "gcg": 15, "scenarios": 20, "told": 10, "words": 6, "tiles": 4, "http": 19,
    "sockets": 4, "heads": 1, "bombs": 0.9, "silence": 0.1,
}  # fmt: skip
"""Of a hundred inputs, how many go through each door."""
ODD: tuple[Any, ...] = (
    None, True, 0, -1, 2**53, 1e308, "", "\x00", "\ud800", "\x1b[2J", "\u202e", "H8", "ZZ99", "=1+1",
    [], {}, [[]], {"": None}, "A" * 10_000, "4:B8", 5.5, ["A1"] * 300,
)  # fmt: skip
GCG = """#character-encoding UTF-8
#player1 A Ann
#player2 B Bob
>A: ?ABCDEF H8 AB +8 8
>B: ADEILNR 9H AD +6 6
>A: CDEFG - +0 8
>B: LNRE -NR +0 6
"""


class HungError(BaseException):
    """An input took too long. No ordinary handler may catch it."""


@dataclass
class Doors:
    """Result of the mutated inputs.

    Attributes:
        tried: inputs by door.
        refused: those that were refused in words.
        broken: those that broke our own code, with what was raised.
        hung: those that took too long.
        hung_at: what was asked then, the first hundred bytes of each body.
        stranger: what somebody tried who attacked all the time, and what of it broke something.
    """

    tried: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    hung: Counter[str] = field(default_factory=Counter)
    hung_at: list[str] = field(default_factory=list)
    slowest_s: dict[str, float] = field(default_factory=dict)
    restarts: int = 0
    memory_mb: list[float] = field(default_factory=list)
    stranger: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The result for the report."""
        return {
            "tried": sum(self.tried.values()),
            "by_door": dict(self.tried),
            "refused": sum(self.refused.values()),
            "broken": dict(self.broken),
            "hung": dict(self.hung),
            "hung_at": self.hung_at,
            "server_restarts": self.restarts,
            "server_memory_mb": [round(m) for m in self.memory_mb],
            "stranger": self.stranger,
            "slowest_s": {k: round(v, 2) for k, v in self.slowest_s.items()},
        }

    @property
    def good(self) -> bool:
        """True if nothing broke."""
        bad = self.broken or self.hung or self.restarts or self.stranger.get("broke")
        return not bad


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Bytes with some changed, doubled, left out, or moved."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3, 8, 40))):
        at = rng.randrange(len(out) + 1)
        length = rng.choice((1, 1, 2, 4, 16, 200))
        kind = rng.randrange(6)
        if kind == 0 and at < len(out):
            out[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            out[at:at] = rng.randbytes(length)
        elif kind == 2:
            del out[at : at + length]
        elif kind == 3:
            out[at : at + length] = rng.choice((b"\x00", b"\xff", b"[", b"\n", b'"')) * length
        elif kind == 4:
            other = rng.randrange(len(out) + 1)
            out[at:at] = out[other : other + length]
        elif rng.random() < 0.3:
            del out[at:]
    return bytes(out)


def mutated_json(value: Any, rng: random.Random) -> Any:
    """A document with some values replaced, left out or doubled."""
    out = copy.deepcopy(value)
    for _ in range(rng.choice((1, 1, 2, 5))):
        here, path = out, []
        while isinstance(here, (dict, list)) and here and rng.random() < 0.85:
            key = rng.choice(list(here) if isinstance(here, dict) else range(len(here)))
            path.append((here, key))
            here = here[key]
        if not path:
            continue
        holder, key = path[-1]
        kind = rng.randrange(4)
        if kind == 0:
            holder[key] = copy.deepcopy(rng.choice(ODD))
        elif kind == 1:
            del holder[key]
        elif kind == 2 and isinstance(holder, dict):
            holder[rng.choice(("x", "player", "action", "tiles", "squares", ""))] = copy.deepcopy(
                holder[key]
            )
        elif isinstance(holder, list):
            holder.append(copy.deepcopy(rng.choice(ODD)))
        else:
            holder[key] = [holder[key]]
    return out


def as_bytes(value: Any, rng: random.Random) -> bytes:
    """A mutated document, sometimes with mutated bytes too."""
    data = json.dumps(mutated_json(value, rng)).encode()
    return mutated(data, rng) if rng.random() < 0.3 else data


@contextlib.contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Interrupt the block when it takes too long."""

    def late(_signal: int, _frame: object) -> None:
        raise HungError

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class _Server:
    """A server with a table, started again if an input ends it."""

    def __init__(self, folder: Path) -> None:
        self.process = ServerProcess(str(folder))
        self.lives = 0
        self.renew()

    def renew(self) -> None:
        """Start a server with a client and a table."""
        if self.lives:
            self.process.kill()
        self.lives += 1
        self.process.start()
        self.client = self.process.client()
        self.made = self.new_table()

    def new_table(self) -> dict[str, Any]:
        """Set up a table; the answer with its links."""
        order = {"game": "scrabble", "players": ["Ann", "Bob"], "lexicon": "none"}
        made: dict[str, Any] = (
            self.client.post("/api/tables", json=order).raise_for_status().json()
        )
        return made

    def alive(self) -> bool:
        """True if it answers as it should."""
        try:
            return self.client.get("/healthz").status_code == 200
        except httpx.HTTPError:
            return False


class AllDoors:
    """Every entrance through which a stranger's data comes in.

    Args:
        folder: for the files that are given.
        rng: decides what is changed.
    """

    def __init__(self, folder: Path, rng: random.Random) -> None:
        self.rng, self.folder = rng, folder
        self.asked = ""
        self.server = _Server(folder / "data")
        self.pictures = list(_pictures())
        self.scenarios = [
            s
            for path in sorted((ROOT / "scenarios").glob("*.json"))
            for s in json.loads(path.read_text(encoding="utf-8"))["scenarios"]
        ]
        steps = [step["do"] for s in self.scenarios for step in s["steps"]]
        self.actions = [s for s in steps if isinstance(s, dict)]

    def file(self, name: str, data: bytes) -> Path:
        """Write a file with these bytes."""
        path = self.folder / name
        path.write_bytes(data)
        return path

    def try_pictures(self) -> bool:
        """Read a mutated picture file; True if it was refused."""
        path = self.file("a.jpg", mutated(self.rng.choice(self.pictures), self.rng))
        try:
            load_picture(path)
        except PictureError:
            return True
        return False

    def try_gcg(self) -> bool:
        """Read a mutated GCG file; True if it was refused."""
        return self._rules(self.file("a.gcg", mutated(GCG.encode(), self.rng)))

    def try_scenarios(self) -> bool:
        """Play a mutated scenario file; True if it was refused."""
        some = {"scenarios": [self.rng.choice(self.scenarios)]}
        return self._rules(self.file("a.json", as_bytes(some, self.rng)))

    def _rules(self, path: Path) -> bool:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            code = rules.command([path], as_json=True, lexicon="none")
        for line in out.getvalue().splitlines():
            error = json.loads(line).get("error") or {}
            if error.get("code") == "not_playable":  # told in words, but meant for nobody
                raise RuntimeError(str(error["message"]).rpartition("(")[2])
        return code != 0

    def try_told(self) -> bool:
        """Read mutated told actions; True if they were refused."""
        told = [self.rng.choice(self.actions) for _ in range(3)]
        path = self.file("told.json", as_bytes(told, self.rng))
        return _usage(lambda: load_told(path))

    def try_words(self) -> bool:
        """Read a mutated word list or word graph; True if it was refused."""
        data = "QI\nÄPFEL\nCAT # a remark\n".encode(self.rng.choice(("utf-8", "utf-16")))
        suffix = self.rng.choice((".txt", ".gz", ".kwg"))
        data = gzip.compress(data) if suffix == ".gz" else data
        path = self.file(f"words{suffix}", mutated(data, self.rng))
        return _usage(
            lambda: _word_list.__wrapped__(path, path.name, "?ABCDEFGHIJKLMNOPQRSTUVWXYZ", "en")
        )

    def try_tiles(self) -> bool:
        """Read a mutated tile set; True if it was refused."""
        tiles = {"language": "xx", "blanks": 2, "tiles": {"A": {"count": 9, "value": 1}}}
        path = self.file("tiles.json", as_bytes(tiles, self.rng))
        return _usage(lambda: load_tile_set.__wrapped__(str(path)))

    def try_http(self) -> bool:
        """Make a call with a mutated body; True if it was refused."""
        rng, made = self.rng, self.server.made
        base = f"/api/tables/{made['table']}"
        auth = bearer(made["host_token"])
        json_type = {"content-type": "application/json"}
        bodies: tuple[tuple[str, str, Any], ...] = (
            ("POST", f"{base}/actions", rng.choice(self.actions)),
            (
                "POST",
                "/api/tables",
                {"game": "scrabble", "players": ["Ann", "Bob"], "tiles": "en"},
            ),
            ("POST", f"{base}/tokens", {"role": "seat", "player": "Ann"}),
            ("POST", f"{base}/links", {"renew": "Ann", "hours": 5}),
            ("PATCH", base, {"name": "Sunday", "archived": False}),
            ("PUT", f"{base}/corners", {"corners": [[0, 0], [1, 0], [1, 1], [0, 1]]}),
            ("PUT", f"{base}/source", {"source": None}),
            ("POST", "/api/qr", {"text": "x"}),
        )
        if rng.random() < 0.15:
            method, path, body = "POST", f"{base}/frames", mutated(picture_of(board()), rng)
            headers = {**auth, "content-type": rng.choice(("image/png", "image/jpeg"))}
        else:
            method, path, given = rng.choice(bodies)
            body, headers = as_bytes(given, rng), {**auth, **json_type}
        self.asked = f"{method} {path} {body[:100]!r}"
        answer = self.server.client.request(method, path, content=body, headers=headers)
        if answer.status_code >= 500:
            raise RuntimeError(f"{method} {path.replace(made['table'], 'ID')}: {answer.text:.120}")
        if answer.status_code >= 400:
            assert {"code", "message"} <= set(answer.json()["error"])
        return answer.status_code >= 400

    def try_sockets(self) -> bool:
        """Send mutated frames and messages over sockets; True if they were refused."""
        rng, made = self.rng, self.server.made
        kind = rng.choice(("camera", "live"))
        token = made["camera_token" if kind == "camera" else "watch_token"]
        address = self.server.process.address.replace("http", "ws")
        where = f"{address}/api/tables/{made['table']}/{kind}?token={token}"
        try:
            with connect(where, open_timeout=15, close_timeout=2) as socket:
                for _ in range(rng.randrange(1, 3)):
                    data = mutated(picture_of(board()), rng)
                    socket.send(data if rng.random() < 0.8 else data[:2000].decode("latin-1"))
                socket.recv(ANSWER_SECONDS)
        except (WebSocketException, TimeoutError, OSError):
            return True
        return False

    def try_heads(self) -> bool:
        """Begin a call whose head has no end; True if it was refused."""
        return self._must_end(endless_head)

    def try_bombs(self) -> bool:
        """Send a small message that unpacks into a large one; True if it was refused."""
        return self._must_end(socket_bomb)

    def _must_end(self, attack: Callable[[str, random.Random], bool]) -> bool:
        ended = attack(self.server.process.address, self.rng)
        if not ended:
            raise RuntimeError("the server did not end it")
        return ended

    def try_silence(self) -> bool:
        """Send a picture and then nothing; everybody must soon be told.

        At a table of its own: calls end the game at the other, and nobody waits for its camera.
        """
        made, address = self.server.new_table(), self.server.process.address.replace("http", "ws")
        where = f"{address}/api/tables/{made['table']}/camera?token={made['camera_token']}"
        with connect(where, open_timeout=15, close_timeout=2) as phone:
            phone.send(picture_of(board()))
            heard = str(phone.recv(MOST_SECONDS))
            ends = time.monotonic() + HEARD_SECONDS
            while time.monotonic() < ends:
                path, auth = f"/api/tables/{made['table']}", bearer(made["watch_token"])
                camera = self.server.client.get(path, headers=auth).json()["camera"]
                if (camera["error"] or {}).get("code") == "camera_away":
                    return True
                time.sleep(0.1)
        raise RuntimeError(f"nobody was told: {camera['error']}, {heard}")


def _usage(door: Callable[[], object]) -> bool:
    try:
        door()
    except UsageError:
        return True
    return False


def _pictures() -> Iterator[bytes]:
    """Yield small pictures of every readable format."""
    rng = np.random.default_rng(1)
    image = Image.fromarray(rng.integers(0, 255, (48, 64, 3), np.uint8))
    for kind in ("JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF"):
        out = io.BytesIO()
        image.save(out, kind)
        yield out.getvalue()
    out = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6
    image.save(out, "JPEG", exif=exif, progressive=True)
    yield out.getvalue()
    yield from (painted_over(90), painted_over(5000))
    yield from (png_header(1, 120_000_000), png_header(29_000, 4_000), for_another_program())


def run_doors(
    count: int, rng: random.Random, ends: float, say: Callable[[str], None] = print
) -> Doors:
    """Give many mutated inputs.

    Args:
        count: how many.
        rng: decides which.
        ends: no later than that, on the monotonic clock.
        say: hears how it goes.
    """
    found = Doors()
    with (
        tempfile.TemporaryDirectory(prefix="kibitz-doors-") as folder,
        contextlib.ExitStack() as doors_open,
    ):
        doors = AllDoors(Path(folder), rng)
        names, weights = list(SHARES), list(SHARES.values())
        stranger = doors_open.enter_context(Stranger([doors.server.process], rng))
        while sum(found.tried.values()) < count and time.monotonic() < ends:
            name = rng.choices(names, weights)[0]
            one_input(doors, name, found)
            n = sum(found.tried.values())
            if n == 1 or n == count or n % 2500 == 0:
                found.memory_mb.append(doors.server.process.memory_mb())
            if n % 5000 == 0:
                say(f"{n} inputs: {found.to_json()}")
        doors_open.close()
        found.stranger = stranger.to_json()
        doors.server.client.close()
        doors.server.process.stop()
    return found


def one_input(doors: AllDoors, name: str, found: Doors) -> None:
    """Give one input and count its result."""
    found.tried[name] += 1
    began = time.monotonic()
    try:
        with limit(MOST_SECONDS):
            found.refused[name] += bool(getattr(doors, f"try_{name}")())
    except HungError:
        found.hung[name] += 1
        found.hung_at.append(doors.asked if name == "http" else name)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is counted
        found.broken[f"{name}: {type(error).__name__}: {error}"[:400]] += 1
    took = time.monotonic() - began
    found.slowest_s[name] = max(found.slowest_s.get(name, 0.0), took)
    if name in ("http", "sockets", "heads", "bombs") and not doors.server.alive():
        found.restarts += 1
        sys.stderr.write("the server was gone after an input\n")
        doors.server.renew()
