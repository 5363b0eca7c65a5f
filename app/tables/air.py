"""A table as spectators see it: some minutes late, and without what was put right meanwhile.

A watcher is never handed the table itself but one that holds the steps of then, so that nothing
younger can leave it by any door. What was put right before it was on air is on air put right.
"""

from __future__ import annotations

import hmac
import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from kibitz.app.common.limits import LISTS, WAITS
from kibitz.app.common.storage.tables import Step, Storage, TableRow
from kibitz.app.common.storage.upkeep import Label, Link, air_name
from kibitz.app.tables.people.access import LinkMaker, token_hash
from kibitz.app.tables.table import Table
from kibitz.app.wire.lines import TaskLine
from kibitz.engine.rules import JsonValue

_STRIDE: Final = 100_000
"""Numbers of steps begin anew so far behind the last ones where the delay is changed: an address
with a number says for ever what it said."""


@dataclass(frozen=True, slots=True)
class OnAir:
    """How a table is put on air.

    Attributes:
        delay_s: so long after something happened spectators hear of it.
        shown_to: up to when all was on air when the delay was changed, in seconds since 1970.
        changes: how often the delay was changed.
    """

    delay_s: int = 0
    shown_to: float = 0.0
    changes: int = 0

    @property
    def is_live(self) -> bool:
        """True if spectators see the table as it is, and always have."""
        return not (self.delay_s or self.changes)

    def cut(self, now: float) -> float:
        """The time up to which everything is on air."""
        return max(now - self.delay_s, self.shown_to)

    def with_delay(self, delay_s: int, now: float) -> OnAir:
        """The same with another delay; what is on air stays there."""
        if delay_s == self.delay_s:
            return self
        return replace(self, delay_s=delay_s, shown_to=self.cut(now), changes=self.changes + 1)

    def is_silent(self, step: Step, since: float) -> bool:
        """True if a step puts right what nobody had seen yet.

        Args:
            step: what puts it right.
            since: when that happened.
        """
        return self.shown_to < since and step.at <= since + self.delay_s


def kept_air(storage: Storage, row: TableRow) -> OnAir:
    """How a table is put on air, as it was set last; else as it was set up."""
    text = storage.document(air_name(row.id))[1]
    return OnAir(**json.loads(text)) if text else OnAir(int(row.header.get("delay_s", 0)))


def keep_air(storage: Storage, table_id: str, air: OnAir) -> None:
    """Keep how a table is put on air."""
    storage.put_document(air_name(table_id), json.dumps(asdict(air)))


class AirTable(Table):
    """A table as it is on air: to be looked at only.

    Args:
        live: the table.
        storage: where it is kept.
        record: its steps that are on air.
        clock: what its clock shows.

    Attributes:
        live: the table as it is.
    """

    def __init__(self, live: Table, storage: Storage, record: Airing, clock: float) -> None:
        super().__init__(live.setup, storage, tuple(record.steps), shown=clock)
        self._seq = record.number
        self.live = live
        self._kept_as = record.kept_as
        history = self.history()
        for place in record.retold:
            entries = [i for i, one in enumerate(record.air) if one.step == place]
            lines = [x for i in entries if i < len(history) for x in history[i]["say"]]
            step = self._steps[place]
            self._steps[place] = replace(step, data={**step.data, "say": lines})

    def picture(self, seq: int) -> bytes | None:
        """Picture of a step; None if it has none."""
        return self.live.picture(self._kept_as.get(seq, -1))

    def tasks(self) -> list[TaskLine]:
        """Nothing: who only watches has nothing to do at the table."""
        return []


def on_air(live: Table, storage: Storage, air: OnAir, now: float | None = None) -> AirTable:
    """A table as spectators may see it now.

    Args:
        live: the table.
        storage: where it is kept.
        air: how it is put on air.
        now: seconds since 1970.
    """
    cut, steps = air.cut(time.time() if now is None else now), live.steps
    shown = steps[: count_on_air(steps, cut)]
    clock = _clock(live, shown, cut)
    found = AirTable(live, storage, Airing(air, steps, len(shown)), clock)
    if found.lost:  # what was put right does not go with what is not on air yet
        found = AirTable(live, storage, Airing(air, steps, len(shown), pulls=False), clock)
    return found


def live_of(table: Table) -> Table:
    """The table that is played at, of one that may be as it is on air."""
    return table.live if isinstance(table, AirTable) else table


def count_on_air(steps: Sequence[Step], cut: float) -> int:
    """How many steps were there at a time; a clock that was set back hides what came after."""
    return next((i for i, step in enumerate(steps) if step.at > cut), len(steps))


def _clock(live: Table, shown: Sequence[Step], cut: float) -> float:
    """Seconds of play at a time."""
    if not shown:
        return 0.0
    return min(float(shown[-1].data.get("t", 0.0)) + max(0.0, cut - shown[-1].at), live.clock())


@dataclass(frozen=True, slots=True)
class _Told:
    """An entry of the record, when it was told, and by which step on air."""

    entry: Mapping[str, Any]
    since: float
    step: int


class Airing:
    """The steps of a table that are on air.

    Args:
        air: how the table is put on air.
        steps: all its steps.
        count: how many of them are on air by their time.
        pulls: whether what later ones put right is on air too.

    Attributes:
        steps: those on air, numbered anew.
        air: the entries of their game.
        retold: places of steps whose entries say what is to be said instead of them.
        kept_as: the number that each step has in the record, by its number here.
    """

    def __init__(
        self, air: OnAir, steps: Sequence[Step], count: int, *, pulls: bool = True
    ) -> None:
        self._rule = air
        self._told: list[_Told] = []
        self._pulls = pulls
        self.steps: list[Step] = []
        self.retold: set[int] = set()
        self.kept_as: dict[int, int] = {}
        for step in steps[:count]:
            self._show(step)
        self.air = list(self._told)
        self._open = len(self.air)
        """How many entries what comes later may still put right."""
        for step in steps[count:]:
            self._pull(step)

    @property
    def number(self) -> int:
        """Number of the last step."""
        return self._rule.changes * _STRIDE + len(self.steps)

    def _show(self, step: Step) -> None:
        """Take a step that is on air by its time."""
        keep, entries = _change(step)
        gone, right = self._put_right(step, keep, entries)
        rest = self._told[keep + gone :]
        mixed = entries[len(right) :] or rest
        if gone and mixed:
            self._emit(step, keep, [*right, *rest])
        self.steps.append(replace(step, seq=self.number + 1))
        self.kept_as[self.number] = step.seq
        place = len(self.steps) - 1
        if gone:
            self.retold.add(place)
        new = [_Told(entry, step.at, place) for entry in entries[len(right) :]]
        self._told[keep:] = [*right, *new]

    def _pull(self, step: Step) -> None:
        """Take what a later step puts right of what is on air."""
        keep, entries = _change(step)
        gone, right = self._put_right(step, keep, entries)
        on = [one for one in right if one.step >= 0]
        if keep < self._open:
            if gone:
                before = self.air
                end = min(keep + gone, self._open)
                self.air = [*before[:keep], *on, *before[end:]]
                self._emit(step, keep, (self.air if self._pulls else before)[keep:])
                if not self._pulls:
                    self.air = before
            self._open = keep + len(on)
        later = [_Told(entry, step.at, -1) for entry in entries[len(right) :]]
        self._told[keep:] = [*right, *later]

    def _emit(self, step: Step, keep: int, entries: Sequence[_Told]) -> None:
        """Add a step that only puts something right."""
        change = {"keep": keep, "entries": [dict(one.entry) for one in entries], "photos": 0}
        who = {name: step.data[name] for name in ("do", "by") if name in step.data}
        data: dict[str, JsonValue] = {**who, "change": change, "say": []}
        if self.steps:
            change["photos"] = _photos(self.steps[-1])
        self.steps.append(Step(self.number + 1, step.at, "told", data))

    def _put_right(
        self, step: Step, keep: int, entries: Sequence[Mapping[str, Any]]
    ) -> tuple[int, list[_Told]]:
        """How many entries a step replaces before anybody has seen them, and by which."""
        old = self._told[keep:]
        if not old or not self._rule.is_silent(step, old[0].since):
            return 0, []
        if step.kind == "seen":
            same = 0
            while same < min(len(old), len(entries)) and _is_same_play(
                old[same].entry, entries[same]
            ):
                same += 1
            self._retell(old[:same])
            return same, [
                replace(one, entry=entry)
                for one, entry in zip(old[:same], entries[:same], strict=True)
            ]
        do = step.data.get("do")
        kind = do.get("action") if isinstance(do, Mapping) else None
        if kind not in ("correct", "answer", "undo"):
            return 0, []
        self._retell(old)
        tail = 0
        while tail < min(len(old), len(entries)) and old[-1 - tail].entry == entries[-1 - tail]:
            tail += 1
        block = entries[: len(entries) - tail]
        replaced = old[: len(old) - tail] or old[:1]
        if kind == "answer":  # a play that it adds is a new one
            block = block[: len(replaced)]
            if len(block) < len(entries) - tail:
                tail = 0
        # what replaces several entries by more or fewer tells of the last of them
        places = replaced if len(block) == len(replaced) else [replaced[-1]] * len(block)
        right = [replace(one, entry=entry) for one, entry in zip(places, block, strict=True)]
        return len(old), [*right, *old[len(old) - tail :]]

    def _retell(self, old: Sequence[_Told]) -> None:
        self.retold.update(one.step for one in old if one.step >= 0)


def _change(step: Step) -> tuple[int, Sequence[Mapping[str, Any]]]:
    """How many entries a step keeps, and those that it adds."""
    change = step.data["change"]
    return int(change["keep"]), tuple(change["entries"])


def _photos(step: Step) -> int:
    return int(step.data["change"].get("photos", 0))


def _is_same_play(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """True if an entry tells of the same play as another, with letters read otherwise."""
    one, other = old["do"], new["do"]
    laid, now = one.get("tiles"), other.get("tiles")
    if not isinstance(laid, Mapping) or not isinstance(now, Mapping):
        return bool(one == other)
    same = all(one.get(name) == other.get(name) for name in ("action", "player"))
    return same and now.keys() <= laid.keys()


_NAME = "lasting"


class LastingLink:
    """The lasting link of a server or a hall.

    Args:
        storage: where it and the tables are kept.
        maker: makes its token.
        now: seconds since 1970.
    """

    def __init__(
        self, storage: Storage, maker: LinkMaker, now: Callable[[], float] = time.time
    ) -> None:
        self._storage = storage
        self._maker = maker
        self.now = now
        self._hash: tuple[float, str] = (float("-inf"), "")
        self._newest: tuple[float, str | None] = (float("-inf"), None)
        self._lock = threading.Lock()

    def token(self, *, renew: bool = False) -> str:
        """Token of the link, made if there is none; a renewed one ends the one before."""
        with self._lock:
            text = "" if renew else self._storage.document(_NAME)[1]
            kept = [Link(**json.loads(text))] if text else []
            token = self._maker.standing(kept, "watch", None)
            if token is None:
                token, link = self._maker.make("watch", None)
                self._storage.put_document(_NAME, json.dumps(asdict(link)))
            self._hash = time.monotonic(), token_hash(token)
            return token

    def end(self) -> None:
        """Let the link open nothing any more."""
        with self._lock:
            self._storage.drop_document(_NAME)
            self._hash = time.monotonic(), ""

    def is_opened_by(self, token: str | None) -> bool:
        """True if this is the link's token; another server may have renewed it a moment ago."""
        if not token or len(token) > LISTS.page:
            return False
        with self._lock:
            since, known = self._hash
            if time.monotonic() > since + WAITS.look_s:
                text = self._storage.document(_NAME)[1]
                known = Link(**json.loads(text)).hash if text else ""
                self._hash = time.monotonic(), known
        return bool(known) and hmac.compare_digest(token_hash(token), known)

    def table(self) -> str | None:
        """The newest table that is on air; one that was put away is not."""
        with self._lock:
            since, newest = self._newest
            if time.monotonic() > since + WAITS.look_s:
                newest = self._find()
                self._newest = time.monotonic(), newest
        return newest

    def _find(self) -> str | None:
        after: tuple[float, str] | None = None
        while True:
            page = self._storage.page_of_rows(LISTS.first, after)
            rows = [row for row in page if isinstance(row, TableRow)]
            labels = self._storage.labels([row.id for row in rows])
            for row in rows:
                air = kept_air(self._storage, row)
                away = labels.get(row.id, Label()).archived is not None
                if not away and row.created <= air.cut(self.now()):
                    return row.id
            if len(page) < LISTS.first or not rows:
                return None
            after = min((row.created, row.id) for row in rows)
