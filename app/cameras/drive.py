"""Feeds the pictures of any source to a camera: of a server, a program, a demonstration."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import TypeAlias

from kibitz.app.cameras.reopening import PATIENCE, Patience
from kibitz.app.cameras.sources import Source
from kibitz.app.cameras.table_camera import CameraBusyError, Report, TableCamera
from kibitz.app.common.storage.kept import LeaseLostError
from kibitz.vision.frame import PictureError

Driven: TypeAlias = Report | str | LeaseLostError
"""What came of a picture: a report, in words why there is none, or that another server of the hall
runs the table now."""


def drive(
    source: Source,
    camera: Callable[[], TableCamera | None],
    stop: threading.Event,
    patience: Patience = PATIENCE,
) -> Iterator[Driven]:
    """Feed a source's pictures to a camera, yielding each result, until it ends or is stopped.

    The last position of a film may not have rested as long as it should, or a hand lie over it;
    as nothing follows, it is looked at once more.

    Args:
        source: where the pictures come from; its own troubles are shown at the camera.
        camera: gives the camera that looks at the next picture; None: it is passed over.
        stop: ends it, also from another thread.
        patience: how fast pictures of a source without a clock are taken.

    Raises:
        ModelFileInvalid: no picture can be read.
    """
    filmed: TableCamera | None = None
    for shot in source.frames(stop):
        if stop.is_set():
            return
        active = camera()
        if active is None:
            stop.wait(patience.again)
            continue
        if isinstance(shot, str):
            active.note_trouble(shot)
            yield shot
            continue
        began = time.monotonic()
        filmed = None if shot.still else active
        try:
            came: Driven | None = active.take(shot.data, stream=not shot.still, at=shot.at)
        except PictureError as error:
            came = f"a picture could not be read: {error.message}"
            active.note_trouble(error.message)
            stop.wait(patience.again)
        except CameraBusyError:
            came = None
        except LeaseLostError as error:
            came = error
        if came is not None:
            yield came
        if shot.at is None and not shot.still:
            stop.wait(max(0.0, 1 / patience.a_second - (time.monotonic() - began)))
    if filmed is not None and not stop.is_set():
        before = filmed.newest
        filmed.look_now(ended=True)
        if filmed.newest is not None and filmed.newest is not before:
            yield filmed.newest
