"""`kibitz read`: photographs in, one line of JSON or one drawn board each out."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.terminal import print_result, show_progress
from kibitz.app.observers.panels import PanelOrder, parse_panels
from kibitz.app.reading.panels import lines_of_wide, panel_lines
from kibitz.app.reading.pictures import (
    FileReading,
    PathProblem,
    ReadsPictures,
    expand,
    make_reader,
    read_file,
)
from kibitz.app.reading.request import Look


@dataclass(frozen=True, slots=True)
class ReadJob:
    """What `kibitz read` was asked for."""

    paths: tuple[str, ...]
    look: Look
    as_json: bool = False
    overlay: Path | None = None
    models: Path | None = None
    workers: int = 1
    cluster: str | None = None
    panel: str | None = None
    alike: frozenset[str] = frozenset()
    """Names without their ends that several photographs of the call have."""


def run_read(job: ReadJob, reader: ReadsPictures | None = None) -> int:
    """Read every photograph and print a line for each; 0 if all could be read, else 1."""
    sources = expand(job.paths)
    if job.look.corners is not None and len(sources) > 1:
        show_progress("the same corners are used for every photograph")
    if job.overlay is not None:
        _check_folder(job.overlay)
        stems = Counter(Path(s).stem for s in sources if isinstance(s, str))
        job = replace(job, alike=frozenset(stem for stem, n in stems.items() if n > 1))
    failed = 0
    for line, drawing in _lines(job, sources, reader):
        failed += line["error"] is not None
        print_result(json.dumps(line, ensure_ascii=False) if job.as_json else drawing)
    return 1 if failed else 0


def _lines(
    job: ReadJob, sources: Sequence[str | PathProblem], reader: ReadsPictures | None
) -> Iterator[tuple[dict[str, Any], str]]:
    if (order := parse_panels(job.panel)) is not None:
        yield from _in_parts(job, sources, reader, order)
    elif job.cluster is not None:
        yield from _on_cluster(job, sources)
    elif job.workers > 1 and len(sources) > 1:
        yield from _in_processes(job, sources)
    else:
        ready = reader or make_reader(job.models)
        if job.look.squares == 45 and job.look.corners is None:
            yield from _wide(job, sources, ready)
            return
        for i, source in enumerate(sources):
            if len(sources) > 20 and i % 20 == 0:
                show_progress(f"{i} of {len(sources)} read")
            yield one_line(job, source, ready)


def _in_parts(
    job: ReadJob,
    sources: Sequence[str | PathProblem],
    reader: ReadsPictures | None,
    order: PanelOrder,
) -> Iterator[tuple[dict[str, Any], str]]:
    """Photographs of single boards of nine; one line for each look at all of them."""
    from kibitz.app.cli.drawing import draw_reading

    if job.look.squares == "loose":
        raise UsageError("--panel: there are no boards among loose tiles")
    for line in panel_lines(sources, reader or make_reader(job.models), job.look, order):
        yield line, draw_reading(line, colours=not job.as_json)


def _wide(
    job: ReadJob, sources: Sequence[str | PathProblem], reader: ReadsPictures
) -> Iterator[tuple[dict[str, Any], str]]:
    """Nine joined boards, each picture by itself or, where it shows only some, with the others."""
    from kibitz.app.cli.drawing import draw_reading

    for found, line in lines_of_wide(sources, reader, job.look):
        if job.overlay is not None and found.reading is not None:
            line["overlay"] = str(_write_overlay(found, job.overlay, job.alike))
        yield line, draw_reading(line, colours=not job.as_json)


def one_line(
    job: ReadJob, source: str | PathProblem, reader: ReadsPictures
) -> tuple[dict[str, Any], str]:
    """The JSON line and the drawing of one photograph; writes its overlay if asked."""
    from kibitz.app.cli.drawing import draw_reading

    result = read_file(source, reader, job.look)
    line = result.to_json()
    if job.overlay is not None and result.reading is not None:
        line["overlay"] = str(_write_overlay(result, job.overlay, job.alike))
    return line, draw_reading(line, colours=not job.as_json)


def _write_overlay(result: FileReading, folder: Path, alike: frozenset[str]) -> Path:
    from kibitz.vision.overlay import save_overlay

    assert result.picture is not None
    assert result.reading is not None
    path = Path(result.file)
    # photographs of the same name from several folders must not overwrite one another
    name = path.stem if path.stem not in alike else "-".join(p.strip("/.") for p in path.parts)
    target = folder / f"{name.strip('-')}.overlay.jpg"
    try:
        save_overlay(result.picture, result.reading, target)
    except OSError as error:
        reason = error.strerror or str(error)
        raise CommandError(f"--overlay: cannot write {target}: {reason}") from error
    return target


def _check_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--overlay: cannot write into {folder}: {error.strerror}") from error


_worker: dict[str, Any] = {}


def _start_worker(job: ReadJob) -> None:
    """Each process loads the models once and keeps to one thread."""
    import cv2

    cv2.setNumThreads(1)
    _worker["job"], _worker["reader"] = job, make_reader(job.models)


def _work(source: str | PathProblem) -> tuple[dict[str, Any], str]:
    return one_line(_worker["job"], source, _worker["reader"])


def _in_processes(
    job: ReadJob, sources: Sequence[str | PathProblem]
) -> Iterator[tuple[dict[str, Any], str]]:
    import multiprocessing

    count = min(job.workers, len(sources), os.cpu_count() or 1)
    # "spawn": a forked copy of a process that has loaded the inference library may hang
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(count, context, _start_worker, (job,)) as pool:
        yield from pool.map(_work, sources, chunksize=4 if len(sources) > 40 else 1)


def _on_cluster(
    job: ReadJob, sources: Iterable[str | PathProblem]
) -> Iterator[tuple[dict[str, Any], str]]:
    try:
        from dask.distributed import Client  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise UsageError(
            "--cluster needs the package 'distributed' here and on every machine of the cluster"
        ) from error
    try:
        client = Client(job.cluster, timeout="10s")
    except (OSError, TimeoutError) as error:
        raise CommandError(f"no scheduler answers at {job.cluster}") from error
    with client:
        futures = [client.submit(_work_there, job, source, pure=False) for source in sources]
        for future in futures:
            yield future.result()


def _work_there(job: ReadJob, source: str | PathProblem) -> tuple[dict[str, Any], str]:
    """One photograph on a machine of the cluster, which keeps its reader."""
    if _worker.get("job") != job:
        _start_worker(job)
    return _work(source)
