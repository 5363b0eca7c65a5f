"""Reopens a camera that stalls or goes away."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from kibitz.app.common.limits import RETRY, WAITS, RetryRule
from kibitz.vision.frame import Picture


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One picture from a source.

    Attributes:
        data: a picture file's bytes, or pixels (h, w, 3) uint8 BGR.
        at: seconds on the source's own clock; None: it was taken just now.
        still: whether it is a photograph of a position at rest, not one frame of many.
    """

    data: bytes | Picture
    at: float | None = None
    still: bool = False


class SourceTroubleError(Exception):
    """A camera cannot be opened or has stopped; the message says why and what to do."""


class Connection(Protocol):
    """An open connection to a camera. Calls may block; another thread waits for them."""

    def read(self) -> Shot:
        """The next picture.

        Raises:
            SourceTroubleError: no more will come.
        """
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


@dataclass(frozen=True, slots=True)
class Patience:
    """Timeouts of a camera, and how often it is asked for a picture.

    Attributes:
        stall: between two pictures.
        answer: until an address answers.
        a_second: so many pictures are taken at most; a hand stays longer than one.
        again: between two looks into a folder, two calls of an address that gives single
            pictures, and after what is no picture.
        a_moment: between two looks whether a wait was called off.
        retry: the pauses before it is opened again.
    """

    stall: float = WAITS.soon_s
    answer: float = WAITS.soon_s
    a_second: float = 10.0
    again: float = WAITS.look_s
    a_moment: float = WAITS.moment_s
    retry: RetryRule = RETRY

    @property
    def opening(self) -> float:
        """Seconds until the first picture: longer than `answer`, whose error then comes first."""
        return self.answer + 2 * self.again

    @property
    def hanging(self) -> float:
        """Seconds after which a silent connection is closed, a little after it is reported."""
        return self.stall + self.again


PATIENCE: Final = Patience()


class LiveSource:
    """An endless source that gives the newest picture when asked, never a queue.

    Args:
        name: what people call it.
        connect: opens a line to it; may block, may raise `SourceTroubleError`.
        patience: how long things may take.
    """

    def __init__(
        self, name: str, connect: Callable[[], Connection], patience: Patience = PATIENCE
    ) -> None:
        self.name = name
        self._connect = connect
        self._patience = patience

    def frames(self, stop: threading.Event) -> Iterator[Shot | str]:
        """Yield pictures, and between them, as text, what is wrong and what is done about it."""
        patience = self._patience
        pause = patience.retry.first_s
        while not stop.is_set():
            line = _Line()
            worker = threading.Thread(
                target=line.run, args=(self._connect,), name="camera", daemon=True
            )
            worker.start()
            trouble = ""
            limit = patience.opening
            try:
                while not stop.is_set() and not trouble:
                    got = line.newest(limit, stop)
                    if isinstance(got, Shot):
                        limit, pause = patience.stall, patience.retry.first_s
                        yield got
                    elif got is not None:
                        trouble = got
                    elif not stop.is_set():
                        trouble = f"{self.name}: no picture came for {limit:g} s"
            finally:
                line.over.set()
            if stop.is_set():
                return
            yield f"{trouble}; trying again in {pause:g} s"
            stop.wait(pause)
            # while it is still held by the old thread it would not open, and threads would gather
            while worker.is_alive() and not stop.wait(patience.a_moment):
                pass
            pause = patience.retry.after(pause)


class _Line:
    """Exchange between the thread that reads a camera and the one that wants pictures."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self._arrived = threading.Condition()
        self._shot: Shot | None = None
        self._trouble = ""

    def run(self, connect: Callable[[], Connection]) -> None:
        """Open the camera and keep its newest picture, until stopped or it fails."""
        try:
            connection = connect()
            try:
                while not self.over.is_set():
                    shot = connection.read()
                    with self._arrived:
                        self._shot = shot
                        self._arrived.notify()
            finally:
                connection.close()
        except SourceTroubleError as error:
            trouble = str(error)
        except Exception as error:  # noqa: BLE001 - a driver's own words may name the address
            trouble = f"the camera's driver failed ({type(error).__name__})"
        else:
            return
        with self._arrived:
            self._trouble = trouble
            self._arrived.notify()

    def newest(self, limit: float, stop: threading.Event) -> Shot | str | None:
        """The newest picture not yet taken, or the trouble as text; None after `limit` seconds."""
        ends = time.monotonic() + limit
        with self._arrived:
            while self._shot is None and not self._trouble and not stop.is_set():
                left = ends - time.monotonic()
                if left <= 0:
                    return None
                self._arrived.wait(min(left, PATIENCE.a_moment))
            shot, self._shot = self._shot, None
            return shot or self._trouble or None
