"""`kibitz calibrate --teach`: tiles are laid out once, and their look is kept."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.materials.named import load_tile_set
from kibitz.app.common.terminal import print_result, show_progress
from kibitz.app.reading.teaching import order_of, rows_of
from kibitz.vision.request import Corners, Edge, ReadRequest, Squares


@dataclass(frozen=True, slots=True)
class TeachJob:
    """What is to be taught.

    Attributes:
        pictures: photographs of the same tiles, laid out alike.
        tiles: the tile set.
        order: what lies there row by row; None: the set's letters, then a blank.
        out: the file to keep it in.
    """

    pictures: Sequence[str]
    tiles: str
    order: str | None
    out: Path
    squares: Squares = 15
    corners: Corners | None = None
    top: Edge | None = None
    models: Path | None = None
    as_json: bool = False


def shown_rows(order: Sequence[str], prints: Mapping[str, str]) -> list[str]:
    """The order in rows, as it is shown."""
    return [f"  {row}" for row in rows_of(order, prints)]


def run_teach(job: TeachJob) -> int:
    """Learn the look of tiles and keep it.

    Raises:
        CommandError: a picture cannot be read, or other tiles than those of the order lie there.
    """
    from kibitz.app.reading.taught_file import write_taught
    from kibitz.models.session import ModelFileInvalid
    from kibitz.vision.frame import PictureError, load_picture
    from kibitz.vision.pipeline import BoardNotFound, Reader, WrongCount

    try:
        order = order_of(job.tiles, job.order)
    except ValueError as error:
        raise UsageError(f"--order: {error}") from error
    rows = shown_rows(order, load_tile_set(job.tiles).prints)
    show_progress("Row by row, from left to right, the tiles are taken for")
    for row in rows:
        show_progress(row)
    try:
        reader = Reader(job.models)
        pictures = [load_picture(name)[0] for name in job.pictures]
        request = ReadRequest(job.squares, corners=job.corners, top=job.top or "top")
        taught = reader.learn(pictures, request, order)
    except WrongCount as error:
        raise CommandError(
            f"{job.pictures[error.picture]}: expected {error.expected} tiles on the board, found "
            f"{sum(error.rows)} in rows of {' '.join(map(str, error.rows)) or 'none'}; lay each "
            "once, upright, from left to right in rows of any length: "
            f"{' '.join(x.strip() for x in rows)}; or say with --order what lies there (? is a "
            "blank)"
        ) from error
    except (PictureError, BoardNotFound, ModelFileInvalid) as error:
        raise CommandError(f"--teach: {error}") from error
    write_taught(job.out, taught, job.tiles, job.models)
    if job.as_json:
        facts = {"kept": str(job.out), "tiles": job.tiles, "labels": list(taught.labels)}
        print_result(json.dumps(facts, ensure_ascii=False))
    else:
        print_result(f"{len(taught.labels)} tiles were learnt and kept in {job.out}")
        print_result(f"Read with them: kibitz read PATH --profile {job.out}")
    return 0
