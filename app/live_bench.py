"""How much of a processor core a live table takes, measured on the bundled photographed game."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from app.frame_reader import FrameReader, encode_jpeg
from app.session import Session
from app.storage import Storage
from app.tables import Order, Tables
from vision.frame import Picture

RATE = 10.0
SIZE = (1920, 1080)
STILL_SECONDS = 6.0
"""How long a position lies still here; people take longer, which costs less."""
HAND_SECONDS = 2.0
VARIANTS = 2
POSITIONS = 6
"""Different noise on a position at rest, as a camera has it."""
CORES = 2
SPARE = 0.8
"""Part of a machine that may be used up by watching."""
DEMO = Path(__file__).resolve().parent / "data" / "demo" / "scrabble"


@dataclass
class Costs:
    """Seconds of processor time, by what a frame needed."""

    still: list[float] = field(default_factory=list)
    moving: list[float] = field(default_factory=list)
    reading: list[float] = field(default_factory=list)
    decoding: list[float] = field(default_factory=list)
    """What decoding alone takes, of frames that were read."""

    def add(self, seconds: float, *, moving: bool, read: bool) -> None:
        """One frame."""
        kind = self.reading if read else self.moving if moving else self.still
        kind.append(seconds)

    @property
    def share(self) -> float:
        """Part of one core that is needed to keep up."""
        frames = [*self.still, *self.moving, *self.reading]
        return sum(frames) / max(len(frames) / RATE, 1e-9)


def bench_live(rounds: int = 1) -> dict[str, Any]:
    """What one 1080p table at ten frames a second takes, and how many a small machine holds.

    Args:
        rounds: how many times the film is shown; more of them show whether memory grows.
    """
    cv2.setNumThreads(1)
    costs = Costs()
    memory: list[float] = []
    with tempfile.TemporaryDirectory(prefix="kibitz-bench-") as folder:
        session = Session(Tables(Storage(folder)), FrameReader())
        try:
            film = list(_film())
            for _ in range(rounds):
                _show(session, film, costs)
                memory.append(resident_mb())
        finally:
            session.close()
    share = costs.share
    out = {
        "part": "live",
        "frames": len(costs.still) + len(costs.moving) + len(costs.reading),
        "still_ms": _ms(costs.still),
        "moving_ms": _ms(costs.moving),
        "read_ms": _ms(costs.reading),
        "decode_ms": _ms(costs.decoding),
        "still_ratio_to_decode": _ratio(costs.still, costs.decoding),
        "read_ratio_to_decode": _ratio(costs.reading, costs.decoding),
        "share_of_a_core": round(share, 3),
        "tables_on_2_cores": int(CORES * SPARE / share) if share > 0 else 0,
    }
    if len(memory) > 1 and memory[0] > 0:
        out["memory_mb"] = round(memory[-1], 1)
        out["memory_growth"] = round(memory[-1] / memory[len(memory) // 4] - 1, 4)
    return out


def _ms(seconds: list[float]) -> float:
    return round(float(np.median(seconds)) * 1e3, 2) if seconds else 0.0


def _ratio(seconds: list[float], decoding: list[float]) -> float:
    """Median work beside median decoding; all of the work, what is decoded for it too."""
    return round(float(np.median(seconds) / np.median(decoding)), 2) if seconds else 0.0


def _show(session: Session, film: list[tuple[bytes, bool]], costs: Costs) -> None:
    """The film to a table of its own."""
    table = session.tables.create(Order("scrabble", ("South", "North"))).table
    camera = session.camera(table)
    before = None
    for number, (jpeg, moving) in enumerate(film):
        began = time.process_time()
        report = camera.take(jpeg, stream=True, at=number / RATE)
        spent = time.process_time() - began
        read = report.frame is not before
        before = report.frame
        if number:  # the first frame loads the models
            costs.add(spent, moving=moving, read=read)
            if read:
                began = time.process_time()
                cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
                costs.decoding.append(time.process_time() - began)
    session.tables.forget(table.id)


def _film() -> Iterator[tuple[bytes, bool]]:
    """Frames as a camera sends them, and whether a hand moves in them."""
    rng = np.random.default_rng(1)
    for path in sorted(DEMO.glob("*.jpg"))[:POSITIONS]:
        picture = _in_full_hd(np.asarray(cv2.imread(str(path)), np.uint8))
        still = [encode_jpeg(_noisy(rng, picture), quality=90) for _ in range(VARIANTS)]
        for number in range(round(STILL_SECONDS * RATE)):
            yield still[number % VARIANTS], False
        for number in range(round(HAND_SECONDS * RATE)):
            yield encode_jpeg(_with_hand(picture, number), quality=90), True


def _in_full_hd(picture: Picture) -> Picture:
    """The photograph, as large as fits, in the middle of a 1080p frame."""
    width, height = SIZE
    scale = min(width / picture.shape[1], height / picture.shape[0])
    size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
    large = cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC)
    out = np.full((height, width, 3), 90, np.uint8)
    x, y = (width - size[0]) // 2, (height - size[1]) // 2
    out[y : y + size[1], x : x + size[0]] = large
    return out


def _noisy(rng: np.random.Generator, picture: Picture) -> Picture:
    noise = rng.normal(0, 2.5, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def _with_hand(picture: Picture, number: int) -> Picture:
    out = picture.copy()
    middle = (SIZE[0] // 2 + round(120 * np.sin(number)), SIZE[1] // 2 + 30 * (number % 5))
    cv2.ellipse(out, middle, (110, 70), 20.0 * number, 0, 360, (120, 150, 200), -1)
    cv2.line(out, middle, (SIZE[0] // 2, SIZE[1] + 50), (110, 140, 190), 90)
    return out


def resident_mb() -> float:
    """How much memory this process holds now, in MB; 0 where that cannot be told."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (OSError, ValueError, IndexError):
        return 0.0
