"""The booth from which tables go on air: what spectators may see now, and when there is more."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from kibitz.app.common.limits import LISTS, WAITS
from kibitz.app.common.storage.tables import Storage
from kibitz.app.observers.one_square import straight_board
from kibitz.app.reading.frames import encode_jpeg
from kibitz.app.tables.air import AirTable, OnAir, count_on_air, keep_air, kept_air, on_air
from kibitz.app.tables.table import Table
from kibitz.app.wire.tables import CameraState
from kibitz.engine.tracking.evidence.hypotheses import rules_grid

if TYPE_CHECKING:
    from kibitz.app.cameras.table_camera import TableCamera


@dataclass(slots=True)
class _Channel:
    """A table's place in the booth: how it is put on air, and what is ready.

    Attributes:
        air: how it is put on air.
        shown: the table as it was last made, with what it was made of.
        told: how many steps and which picture were on air when that was last asked.
        pictures: straightened boards, oldest first: when, their number, and JPEG.
    """

    air: OnAir
    shown: tuple[tuple[object, ...], AirTable] | None = None
    told: tuple[int, int | None] | None = None
    pictures: deque[tuple[float, int, bytes]] = field(default_factory=deque)


class Booth:
    """Puts tables on air.

    Args:
        storage: where they are kept.
        now: seconds since 1970.
    """

    def __init__(self, storage: Storage, now: Callable[[], float] = time.time) -> None:
        self._storage = storage
        self.now = now
        self._channels: WeakKeyDictionary[Table, _Channel] = WeakKeyDictionary()
        self._lock = threading.RLock()

    def air_of(self, table: Table) -> OnAir:
        """How a table is put on air."""
        return self._channel(table).air

    def set_delay(self, table: Table, delay_s: int) -> None:
        """Let spectators be so long behind a table from now on; what they saw stays."""
        with self._lock:
            channel = self._channel(table)
            air = channel.air.with_delay(delay_s, self.now())
            keep_air(self._storage, table.id, air)
            channel.air = air

    def shown(self, table: Table) -> Table:
        """The table as spectators may see it: itself where they are not behind."""
        with self._lock:
            channel = self._channel(table)
            air, steps = channel.air, table.steps
            if air.is_live:
                return table
            count = count_on_air(steps, air.cut(self.now()))
            made_of = (air, len(steps), count, table.paused)
            if channel.shown is None or channel.shown[0] != made_of:
                channel.shown = made_of, on_air(table, self._storage, air, self.now())
            return channel.shown[1]

    def is_news(self, table: Table, cameras: list[TableCamera]) -> bool:
        """True if something is on air that was not when this was last asked."""
        channel = self._channel(table)
        if channel.air.is_live:
            return False
        self._film(channel, table, cameras)
        picture = self.picture(table)
        count = count_on_air(table.steps, channel.air.cut(self.now()))
        before, channel.told = channel.told, (count, picture and picture[0])
        return before not in (None, channel.told)

    def picture(self, table: Table) -> tuple[int, bytes] | None:
        """Number and JPEG of the straightened board that is on air; None without one."""
        channel = self._channel(table)
        with self._lock:
            cut = channel.air.cut(self.now())
            seen = [(n, jpeg) for at, n, jpeg in channel.pictures if at <= cut]
        return seen[-1] if seen else None

    def camera(self, table: Table) -> CameraState | None:
        """State of a camera as spectators may know it: the number of the picture on air."""
        picture = self.picture(table)
        if picture is None:
            return None
        return CameraState(frame=picture[0], settled=True, advice=(), error=None)

    def _film(self, channel: _Channel, table: Table, cameras: list[TableCamera]) -> None:
        """Keep the newest picture of the board until it is on air."""
        newest = cameras[0].newest if cameras else None
        last = channel.pictures[-1] if channel.pictures else None
        loose = table.setup.opening.game.info.surface.kind == "loose"
        if loose or newest is None or newest.frame.reading is None:
            return
        now = self.now()
        between = max(WAITS.shown_s, channel.air.delay_s / LISTS.first)
        if last is not None and (last[1] == newest.number or now < last[0] + between):
            return
        known = rules_grid(table.ledger.game, table.ledger.state)
        shot = straight_board(newest.frame.picture, newest.frame.reading, known)
        if shot is None:
            return
        with self._lock:
            channel.pictures.append((now, newest.number, encode_jpeg(shot)))
            cut = channel.air.cut(now)
            while len(channel.pictures) > 1 and channel.pictures[1][0] <= cut:
                channel.pictures.popleft()

    def _channel(self, table: Table) -> _Channel:
        with self._lock:
            if table not in self._channels:
                self._channels[table] = _Channel(kept_air(self._storage, table.setup.row))
            return self._channels[table]
