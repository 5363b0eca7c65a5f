"""`kibitz bench`: how fast this machine reads pictures and plays rules, in one run."""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from sys import float_info
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from kibitz.app.cli.options import Json, Models
from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.terminal import print_result, show_progress
from kibitz.app.reading.pictures import PathProblem, expand

if TYPE_CHECKING:
    from kibitz.app.reading.pictures import ReadsPictures
    from kibitz.vision.request import ReadRequest

Figure = str | float | Mapping[str, float]
"""One figure, or one for each kind of thing that was measured."""
Figures = dict[str, Figure]
"""Figures of a part, by name."""
PARTS = ("vision", "loose", "live", "rules")
ROUNDS: Final = 3
TILES: Final = (0, 20, 40, 60, 80, sys.maxsize)
"""Where groups of photographs begin, by loose tiles."""
LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def command(
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="[PATH...]", help="Photos to time on.")
    ] = None,
    *,
    as_json: Json = False,
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="|".join(PARTS), help="One part only."),
    ] = None,
    models: Models = None,
) -> None:
    """Measure speed on this machine; ratios come from one run.

    Example: kibitz bench photos/ --only vision
    """
    if only is not None and only not in PARTS:
        raise UsageError(f"--only: expected {', '.join(PARTS[:-1])} or {PARTS[-1]}, got {only!r}")
    # Photographs that are named are of boards, unless loose tiles alone are asked for.
    left_out = "loose" if paths else None
    parts = [part for part in PARTS if part != left_out] if only is None else [only]
    for part in parts:
        line = _measure(part, paths or (), models)
        print_result(json.dumps(line) if as_json else _for_people(line))


def _measure(part: str, paths: Sequence[str], models: Path | None) -> Figures:
    if part == "vision":
        return bench_vision(paths, models)
    if part == "loose":
        return bench_loose(paths, models)
    if part == "live":
        from kibitz.app.cli.bench.live import bench_live

        return bench_live()
    from kibitz.app.cli.bench.rules import measured_rules

    return {"part": "rules", **measured_rules()}


def _for_people(line: Figures) -> str:
    parts = [f"{line['part']}:"]
    for name, value in line.items():
        if name != "part":
            text = value
            if isinstance(value, Mapping):
                text = ", ".join(f"{k}: {v}" for k, v in value.items())
            parts.append(f"  {name.replace('_', ' ')}: {text}")
    return "\n".join(parts)


def demo_pictures(game: str = "**") -> list[str]:
    """The photographs that come with Kibitz, of all games or one."""
    folder = Path(__file__).resolve().parents[2] / "data" / "demo"
    return sorted(str(p) for p in folder.glob(f"{game}/*.jpg"))


def bench_vision(paths: Sequence[str], models: Path | None) -> Figures:
    """Median milliseconds of decoding, locating and reading a photograph, on one thread.

    Raises:
        CommandError: none of the photographs can be read.
    """
    from kibitz.vision.request import ReadRequest

    request = ReadRequest(15, LETTERS)
    reader, load_ms = _loaded(models)
    sources = _sources(paths or demo_pictures())
    return {
        "part": "vision",
        **_medians(_each_by_itself(sources, reader, request), load_ms),
        **_in_series(sources, reader, request),
    }


def bench_loose(paths: Sequence[str], models: Path | None) -> Figures:
    """Median milliseconds for photographs of loose tiles, with ratios by number of tiles.

    Raises:
        CommandError: none of the photographs can be read.
    """
    from kibitz.engine.games import INFOS
    from kibitz.vision.request import ReadRequest

    loose = [info.slug for info in INFOS if info.surface.kind == "loose"]
    reader, load_ms = _loaded(models)
    sources = _sources(paths or [p for slug in loose for p in demo_pictures(slug)])
    photographs = _each_by_itself(sources, reader, ReadRequest("loose", LETTERS))
    return {
        "part": "loose",
        **_medians(photographs, load_ms),
        "ratio_by_tiles": _by_tiles(photographs),
    }


def _loaded(models: Path | None) -> tuple[ReadsPictures, float]:
    """A loaded reader, and the milliseconds that loading took."""
    from kibitz.app.reading.pictures import make_reader

    began = time.perf_counter()
    reader = make_reader(models)
    return reader, (time.perf_counter() - began) * 1e3


def _sources(paths: Sequence[str]) -> list[str]:
    return [str(s) for s in expand(paths) if not isinstance(s, PathProblem)]


@dataclass(frozen=True, slots=True)
class _Timed:
    """Milliseconds of each stage for a photograph, and its number of loose tiles."""

    ms: dict[str, float]
    tiles: int

    @property
    def work(self) -> float:
        """Milliseconds of everything but decoding."""
        return sum(value for name, value in self.ms.items() if name != "decode")

    @property
    def ratio(self) -> float:
        """The same as a multiple of decoding."""
        return self.work / max(self.ms["decode"], float_info.epsilon)


def _each_by_itself(
    sources: Sequence[str], reader: ReadsPictures, request: ReadRequest
) -> tuple[_Timed, ...]:
    """Times of photographs that are read independently.

    Each is read several times and the quickest counts, so that a busy machine disturbs the
    figures less.

    Raises:
        CommandError: none of the photographs can be read.
    """
    import cv2

    from kibitz.app.reading.pictures import read_file

    cv2.setNumThreads(1)
    photographs = []
    reason = "the folders hold none"
    for number, source in enumerate(sources, 1):
        rounds = []
        for _ in range(ROUNDS):
            found = read_file(source, reader, request)
            if found.reading is None:
                reason = found.message
                break
            ms = {"decode": found.decode_ms, **found.reading.ms}
            rounds.append(_Timed(ms, len(found.reading.loose)))
        if rounds:
            photographs.append(min(rounds, key=lambda timed: sum(timed.ms.values())))
        show_progress(f"{number} of {len(sources)}")
    if not photographs:
        raise CommandError(f"bench: none of the photographs could be read: {reason}")
    return tuple(photographs)


def _medians(photographs: Sequence[_Timed], load_ms: float) -> Figures:
    """Median figures of several photographs."""
    stages = {k: statistics.median(p.ms.get(k, 0.0) for p in photographs) for k in _STAGES}
    return {
        "photographs": len(photographs),
        "load_ms": round(load_ms, 1),
        **{f"{name}_ms": round(value, 2) for name, value in stages.items()},
        "locate_and_read_ms": round(statistics.median(p.work for p in photographs), 2),
        "ratio_to_decode": round(statistics.median(p.ratio for p in photographs), 2),
    }


def _by_tiles(photographs: Sequence[_Timed]) -> dict[str, float]:
    """Median ratios of photographs with few and with many loose tiles."""
    ratios: dict[str, list[float]] = {}
    for low, high in pairwise(TILES):
        name = f"{low} to {high - 1}" if high < sys.maxsize else f"{low} and more"
        ratios[name] = [p.ratio for p in photographs if low <= p.tiles < high]
    return {name: round(statistics.median(some), 2) for name, some in ratios.items() if some}


def _in_series(
    sources: Sequence[str], reader: ReadsPictures, request: ReadRequest
) -> dict[str, float]:
    """Times of a fixed camera's photographs in order, where unchanged parts are not read again.

    Each is read once, after the one before it in its folder; the first of a folder counts too.
    """
    from kibitz.app.cameras.recordings import hint_of
    from kibitz.app.reading.pictures import read_file

    work: list[float] = []
    ratios: list[float] = []
    hint: tuple[Any, ...] = ()
    folder: Path | None = None
    for source in sources:
        hint = hint if Path(source).parent == folder else ()
        folder = Path(source).parent
        found = read_file(source, reader, request, hint)
        hint = hint_of(found)
        if found.reading is not None:
            work.append(sum(found.reading.ms.values()))
            ratios.append(work[-1] / max(found.decode_ms, float_info.epsilon))
    return {
        "in_series_ms": round(statistics.median(work), 2),
        "in_series_ratio": round(statistics.median(ratios), 2),
    }


_STAGES = ("decode", "locate", "read")
