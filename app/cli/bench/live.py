"""Measures a live table's share of a processor core, on the bundled photographed game."""

from __future__ import annotations

import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from sys import float_info
from typing import Any, Final, Literal

import cv2
import numpy as np

from kibitz.app.cli.bench.bench import Figures
from kibitz.app.common.storage.tables import Storage
from kibitz.app.reading.frames import FrameReader, encode_jpeg
from kibitz.app.server.session import Session
from kibitz.app.tables.orders import Order
from kibitz.app.tables.registry import Tables
from kibitz.engine.games import DEFAULT_GAME
from kibitz.vision.frame import Picture

RATE: Final = 10.0
SIZE: Final = (1920, 1080)
STILL_SECONDS: Final = 6.0
"""Seconds that a position lies still here; people take longer, which costs less."""
HAND_SECONDS: Final = 2.0
VARIANTS: Final = 2
NOISE: Final = 2.5
"""Different noise on a position at rest, as a camera has it; grey levels of its spread."""
POSITIONS: Final = 12
FRAMES = round((STILL_SECONDS + HAND_SECONDS) * RATE)
"""Of each position."""
CORES: Final = 2
SPARE: Final = 0.8
"""Part of a machine that may be used up by watching."""
DEMO = Path(__file__).resolve().parents[2] / "data" / "demo" / DEFAULT_GAME


Kind = Literal["still", "moving", "read", "play"]
"""Kind of a frame: nothing changed, a hand moved, its position was read, a play was told."""


Part = Literal["rules", "storing"]
"""Work on a frame after it was seen: weighing what it means, keeping that."""


_NOTHING: dict[Part, float] = {"rules": 0.0, "storing": 0.0}


class Timed:
    """Wraps an object and measures processor time of some of its methods."""

    def __init__(
        self, what: Any, methods: tuple[str, ...], spent: dict[Part, float], part: Part
    ) -> None:
        self._what, self._methods, self._spent, self._part = what, methods, spent, part

    def __getattr__(self, name: str) -> Any:
        """The object's attribute; measured methods are wrapped."""
        found = getattr(self._what, name)
        return self._counted(found) if name in self._methods else found

    def _counted(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*given: Any, **named: Any) -> Any:
            began = time.process_time()
            try:
                return method(*given, **named)
            finally:
                self._spent[self._part] += time.process_time() - began

        return counted


@dataclass
class Costs:
    """Processor seconds by kind of frame, and those of decoding the same frames."""

    spent: dict[Kind, list[float]] = field(default_factory=lambda: defaultdict(list))
    decoding: dict[Kind, list[float]] = field(default_factory=lambda: defaultdict(list))
    looked_at: list[float] = field(default_factory=list)
    """Still frames that were not passed over."""
    parts: dict[Part, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Of frames with a play."""

    def add(
        self,
        kind: Kind,
        spent: float,
        decoding: float,
        *,
        looked: bool = True,
        parts: Mapping[Part, float] | None = None,
    ) -> None:
        """Add the cost of one frame.

        Args:
            kind: what it was.
            spent: on everything that was done with it, unpacking too.
            decoding: what unpacking all of it by itself takes.
            looked: whether it was looked at at all.
            parts: what of it went into other things than seeing.
        """
        if kind == "play":
            for part, took in (parts or {}).items():
                self.parts[part].append(took)
        self.spent[kind].append(spent)
        self.decoding[kind].append(decoding)
        if kind == "still" and looked:
            self.looked_at.append(spent)

    @property
    def frames(self) -> int:
        """Number of frames."""
        return sum(len(kind) for kind in self.spent.values())

    @property
    def share(self) -> float:
        """Share of one core that is needed to keep up."""
        return sum(sum(kind) for kind in self.spent.values()) / max(
            self.frames / RATE, float_info.epsilon
        )

    def figures(self) -> Figures:
        """Milliseconds of each kind of frame, and ratios to decoding.

        Of still frames the mean counts, as some are passed over; of others the median.
        """
        every = [x for kind in self.decoding.values() for x in kind]
        out: Figures = {"frames": self.frames, "decode_ms": _ms(np.median(every or [0.0]))}
        for kind, spent in self.spent.items():
            unpack = max(float(np.median(self.decoding[kind])), float_info.epsilon)
            typical = float(np.mean(spent) if kind == "still" else np.median(spent))
            out[f"{kind}_frames"] = len(spent)
            out[f"{kind}_ms"] = _ms(typical)
            out[f"{kind}_ratio_to_decode"] = round(typical / unpack, 2)
            if kind in ("read", "play"):
                beside = float(np.median(np.subtract(spent, self.decoding[kind])))
                out[f"{kind}_ratio_beside_decode"] = round(beside / unpack, 2)
        if self.parts:
            self._say_parts(out)
        if self.looked_at:
            looked = float(np.median(self.looked_at))
            unpack = max(float(np.median(self.decoding["still"])), float_info.epsilon)
            out["still_looked_at"] = round(len(self.looked_at) / len(self.spent["still"]), 2)
            out["still_looked_at_ms"] = _ms(looked)
            out["still_looked_at_ratio"] = round(looked / unpack, 2)
        return out

    def _say_parts(self, out: Figures) -> None:
        """Add the shares of seeing (decoding and reading), rules and storing in a play."""
        plays = np.array(self.spent["play"])
        unpack = max(float(np.median(self.decoding["play"])), float_info.epsilon)
        seeing = plays - sum(np.array(took) for took in self.parts.values())
        for name, took in (("seeing", seeing), *self.parts.items()):
            out[f"play_{name}_ms"] = _ms(np.median(took))
        out["play_seeing_ratio_to_decode"] = round(float(np.median(seeing)) / unpack, 2)


def _ms(seconds: float) -> float:
    return round(float(seconds) * 1e3, 2)


def bench_live(rounds: int = 3, positions: int = POSITIONS) -> Figures:
    """Measure a 1080p table at ten frames a second, and how many a small machine can run.

    Args:
        rounds: how many times the film is shown; more of them show whether memory grows.
        positions: how many of the game's pictures the film is made of.
    """
    cv2.setNumThreads(1)
    costs = Costs()
    memory: list[float] = []
    with tempfile.TemporaryDirectory(prefix="kibitz-bench-") as folder:
        spent = dict(_NOTHING)
        storage: Any = Timed(Storage(folder), ("append",), spent, "storing")
        session = Session(Tables(storage), FrameReader())
        try:
            film = list(_film(positions))
            for _ in range(rounds):
                _show(session, film, costs, spent)
                memory.append(resident_mb() - _size_mb(film))
        finally:
            session.close()
    share = costs.share
    out = {
        "part": "live",
        **costs.figures(),
        "share_of_a_core": round(share, 3),
        "tables_on_2_cores": int(CORES * SPARE / share) if share > 0 else 0,
    }
    if memory[0] > 0:
        out["memory_mb"] = round(memory[-1], 1)
    if len(memory) > 1 and memory[0] > 0:
        out["memory_growth"] = round(memory[-1] / memory[len(memory) // 4] - 1, 4)
    return out


def _show(
    session: Session, film: list[tuple[bytes, bool]], costs: Costs, parts: dict[Part, float]
) -> None:
    """Show the film to a new table, and measure decoding after each position."""
    table = session.tables.create(Order(DEFAULT_GAME, ("South", "North"))).table
    weighed = ("preview", "_see")
    timed = Timed(table, weighed, parts, "rules")
    for name, method in [(name, getattr(timed, name)) for name in weighed]:
        setattr(table, name, method)
    camera = session.camera(table)
    before = None
    shown: list[tuple[bytes, Kind, float, bool, dict[Part, float]]] = []
    for number, (jpeg, moving) in enumerate(film):
        parts.update(_NOTHING)
        looks, began = camera.looks, time.process_time()
        report = camera.take(jpeg, stream=True, at=number / RATE)
        spent = time.process_time() - began
        kind: Kind = "moving" if moving else "still"
        if report.frame is not before:
            kind = "read"
        if report.line is not None:
            kind = "play"
        before = report.frame
        if number:  # the first frame loads the models
            shown.append((jpeg, kind, spent, camera.looks > looks, dict(parts)))
        if len(shown) >= FRAMES or number + 1 == len(film):
            for data, what, took, looked, of_it in shown:
                costs.add(what, took, _decoding(data), looked=looked, parts=of_it)
            shown.clear()
    session.tables.forget(table.id)


def _decoding(jpeg: bytes) -> float:
    """Seconds to decode a frame in full."""
    began = time.process_time()
    cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    return time.process_time() - began


def _film(positions: int) -> Iterator[tuple[bytes, bool]]:
    """Yield frames as a camera sends them, each with whether a hand moves in it."""
    rng = np.random.default_rng(1)
    for path in sorted(DEMO.glob("*.jpg"))[:positions]:
        picture = _in_full_hd(np.asarray(cv2.imread(str(path)), np.uint8))
        still = [encode_jpeg(_noisy(rng, picture), quality=90) for _ in range(VARIANTS)]
        for number in range(round(STILL_SECONDS * RATE)):
            yield still[number % VARIANTS], False
        for number in range(round(HAND_SECONDS * RATE)):
            yield encode_jpeg(_with_hand(picture, number), quality=90), True


def _in_full_hd(picture: Picture) -> Picture:
    """The photograph in a 1080p frame, as large as fits."""
    width, height = SIZE
    scale = min(width / picture.shape[1], height / picture.shape[0])
    size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
    large = cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC)
    out = np.full((height, width, 3), 90, np.uint8)
    x, y = (width - size[0]) // 2, (height - size[1]) // 2
    out[y : y + size[1], x : x + size[0]] = large
    return out


def _noisy(rng: np.random.Generator, picture: Picture) -> Picture:
    noise = rng.normal(0, NOISE, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def _with_hand(picture: Picture, number: int) -> Picture:
    out = picture.copy()
    middle = (SIZE[0] // 2 + round(120 * np.sin(number)), SIZE[1] // 2 + 30 * (number % 5))
    cv2.ellipse(out, middle, (110, 70), 20 * number, 0, 360, (120, 150, 200), -1)
    cv2.line(out, middle, (SIZE[0] // 2, SIZE[1] + 50), (110, 140, 190), 90)
    return out


def _size_mb(film: list[tuple[bytes, bool]]) -> float:
    """Memory of the film itself in MB; repeated frames count once."""
    return sum({id(jpeg): len(jpeg) for jpeg, _ in film}.values()) / 10**6


def resident_mb() -> float:
    """Memory of this process in MB; 0 where that is unknown."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 10**6
    except (OSError, ValueError, IndexError):
        return 0.0
