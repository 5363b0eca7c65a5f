"""What happens at the server's tables, as a stream of typed events for other programs.

The events say what a watcher's page says, and nothing more: no rack, no fleet, no hand, no link.
They are told by comparing a table as it was with the table as it is, in a thread of their own, so
that no table waits for who listens.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from kibitz.app.cameras.table_camera import TableCamera
from kibitz.app.common.storage import StorageError
from kibitz.app.server.session import Session
from kibitz.app.tables.access import Actor
from kibitz.app.tables.state import camera_json, notices, questions
from kibitz.app.tables.table import Table

WATCHER = Actor("watch")
CLOSING_S = 5.0
"""How long the end of a server waits until what happened last is told, in seconds."""
STANDING = ("scores", "team_scores", "ship_count", "total_words")
"""What a game's view may hold of how the players stand."""


class Event(BaseModel):
    """What every event says."""

    model_config = ConfigDict(extra="forbid")
    event: str = Field(description="What happened.")
    id: str = Field(description="Its name; the same however often it is sent.")
    at: float = Field(description="When it was told, in seconds since 1970.")
    table: str = Field(description="The table's name.")
    game: str = Field(description="The game that is played there.")
    seq: int = Field(description="The table's last step at that time.")


class TableMet(Event):
    """A table is there, new or going on; what follows is told of it from here."""

    event: Literal["table"] = "table"
    title: str
    players: list[str]
    entries: list[dict[str, Any]] = Field(description="What was done before, in order.")
    over: bool


class TableGone(Event):
    """A table was deleted, or can no longer be opened."""

    event: Literal["table_gone"] = "table_gone"


class Play(Event):
    """Tiles were laid or words made."""

    event: Literal["play"] = "play"
    index: int = Field(description="Which entry of the game it is, from 0.")
    entry: dict[str, Any] = Field(description="The entry, as in a table's `history`.")


class Act(Event):
    """Something else was done: a pass, a challenge, a shot, the clock."""

    event: Literal["action"] = "action"
    index: int = Field(description="Which entry of the game it is, from 0.")
    entry: dict[str, Any] = Field(description="The entry, as in a table's `history`.")


class Changed(Event):
    """An entry that was told before is another now: a letter or a score was put right."""

    event: Literal["changed"] = "changed"
    index: int = Field(description="Which entry, from 0.")
    entry: dict[str, Any] = Field(description="The entry that takes its place.")


class Undone(Event):
    """An entry that was told before does not count; the newest goes first."""

    event: Literal["undone"] = "undone"
    index: int = Field(description="Which entry, from 0; it was the last one.")


class Said(Event):
    """What is announced aloud."""

    event: Literal["said"] = "said"
    lines: list[str]


class Asked(Event):
    """Only people can tell; they answer on a page or by an action."""

    event: Literal["question"] = "question"
    question: dict[str, Any] = Field(description="`field`, `prompt`, `choices`, perhaps `square`.")


class Settled(Event):
    """A question is no longer open."""

    event: Literal["question_closed"] = "question_closed"
    question: dict[str, Any]


class TaskSet(Event):
    """Something is to be done on the table, as the rules want it."""

    event: Literal["task"] = "task"
    task: dict[str, Any]


class TaskDone(Event):
    """A task is no longer open."""

    event: Literal["task_closed"] = "task_closed"
    task: dict[str, Any]


class CameraTrouble(Event):
    """A camera gives no pictures, or nothing can be read in them."""

    event: Literal["camera_trouble"] = "camera_trouble"
    camera: int = Field(description="Which of the table's cameras, from 1.")
    code: str
    message: str


class CameraWell(Event):
    """A camera that had trouble gives pictures that can be read."""

    event: Literal["camera_well"] = "camera_well"
    camera: int = Field(description="Which of the table's cameras, from 1.")


class Trouble(Event):
    """Something is wrong with the table itself: its steps are only in memory, say."""

    event: Literal["trouble"] = "trouble"
    code: str
    message: str


class TroubleOver(Event):
    """What was wrong with the table is mended."""

    event: Literal["trouble_over"] = "trouble_over"
    code: str


class GameOver(Event):
    """The game has ended."""

    event: Literal["game_over"] = "game_over"
    standing: dict[str, Any] = Field(description="`scores` and the like, as the game has them.")


class GameOn(Event):
    """A game that had ended goes on: its end was taken back."""

    event: Literal["game_on"] = "game_on"


class Lost(BaseModel):
    """So many events were given up here, as nobody took them in time or the other end refused."""

    model_config = ConfigDict(extra="forbid")
    event: Literal["lost"] = "lost"
    id: str
    at: float
    count: int


Anything = Annotated[
    TableMet
    | TableGone
    | Play
    | Act
    | Changed
    | Undone
    | Said
    | Asked
    | Settled
    | TaskSet
    | TaskDone
    | CameraTrouble
    | CameraWell
    | Trouble
    | TroubleOver
    | GameOver
    | GameOn
    | Lost,
    Field(discriminator="event"),
]
"""Any event; `TypeAdapter(Anything).validate_json(line)` reads one."""


class Outlet(Protocol):
    """Where events go. Nothing here may wait for the other end."""

    def put(self, event: Mapping[str, Any]) -> None:
        """Take an event."""
        ...

    def close(self) -> None:
        """Let go, after a short while for what is still waiting."""
        ...


@dataclass(frozen=True, slots=True)
class Known:
    """A table as it was told."""

    game: str
    seq: int
    entries: tuple[Mapping[str, Any], ...] = ()
    asked: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    tasks: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    troubles: Mapping[str, str] = field(default_factory=dict)
    cameras: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    over: bool = False
    standing: Mapping[str, Any] = field(default_factory=dict)
    source: Table | None = None


def known_of(table: Table, cameras: Sequence[TableCamera], before: Known | None = None) -> Known:
    """A table as a watcher may know it now.

    Args:
        table: the table.
        cameras: those that watch it.
        before: how it was told; without another step only its cameras are looked at anew.
    """
    seq = table.seq
    if before is None or before.source is not table or before.seq != seq:
        view = table.view(WATCHER)
        before = Known(
            table.setup.opening.game.info.slug,
            seq,
            tuple(table.history()),
            {_question_key(q): q for q in questions(table, view)},
            over=table.over,
            standing={k: view[k] for k in STANDING if view.get(k) is not None},
            source=table,
        )
    return replace(
        before,
        tasks={repr(sorted(task.items())): task for task in table.tasks()},
        troubles={n["code"]: n["message"] for n in notices(table, WATCHER)},
        cameras=_troubled(cameras),
    )


def _troubled(cameras: Sequence[TableCamera]) -> dict[int, tuple[str, str]]:
    """The cameras that have trouble, from 1, each with code and message."""
    out = {}
    for camera in cameras:
        error = (camera_json(camera, WATCHER) or {}).get("error")
        if error:
            out[camera.number + 1] = (str(error["code"]), str(error["message"]))
    return out


def _question_key(question: Mapping[str, Any]) -> str:
    """Two questions are the same one if they ask the same; their choices may have changed."""
    return repr([question.get(k) for k in ("field", "square", "photo", "prompt")])


def differences(before: Known, now: Known, said: Sequence[str]) -> Iterator[dict[str, Any]]:
    """What happened between two looks at a table, in an order that can be followed.

    Whoever keeps a list, appends what `play` and `action` tell, puts what `changed` tells at its
    index, and takes the last away at `undone`, holds the table's history.

    Args:
        before: the table as it was told.
        now: as it is.
        said: what was announced between the two.
    """
    yield from _entries(before.entries, now.entries)
    if said:
        yield {"event": "said", "lines": list(said)}
    for name, key, old, new in (
        ("question", "question", before.asked, now.asked),
        ("task", "task", before.tasks, now.tasks),
    ):
        yield from ({"event": f"{name}_closed", key: old[k]} for k in old if k not in new)
        yield from ({"event": name, key: new[k]} for k in new if k not in old)
    for number in sorted({*before.cameras, *now.cameras}):
        trouble = now.cameras.get(number)
        if trouble is None:
            yield {"event": "camera_well", "camera": number}
        elif trouble != before.cameras.get(number):
            code, message = trouble
            yield {"event": "camera_trouble", "camera": number, "code": code, "message": message}
    yield from (
        {"event": "trouble_over", "code": k} for k in before.troubles if k not in now.troubles
    )
    for code, message in now.troubles.items():
        if before.troubles.get(code) != message:
            yield {"event": "trouble", "code": code, "message": message}
    if now.over and not before.over:
        yield {"event": "game_over", "standing": dict(now.standing)}
    elif before.over and not now.over:
        yield {"event": "game_on"}


def _entries(
    old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    for index in range(len(old) - 1, len(new) - 1, -1):
        yield {"event": "undone", "index": index}
    for index, entry in enumerate(new):
        if index >= len(old):
            name = "play" if entry.get("tiles") or entry.get("words") else "action"
            yield {"event": name, "index": index, "entry": dict(entry)}
        elif entry is not old[index] and entry != old[index]:
            yield {"event": "changed", "index": index, "entry": dict(entry)}


class TableEvents:
    """Follows every table of a session and hands on what happens there.

    Args:
        session: the server.
        outlets: where the events go.
    """

    def __init__(self, session: Session, outlets: Sequence[Outlet]) -> None:
        self._session = session
        self._outlets = outlets
        self._run_name = secrets.token_hex(4)
        self._told = 0
        self._known: dict[str, Known] = {}
        self._new: list[tuple[Table, Known]] = []
        self._changed: dict[str, None] = {}
        self._more = threading.Condition()
        self._stopping = False
        self._thread = threading.Thread(target=self._follow, name="events", daemon=True)

    def start(self) -> None:
        """Begin; tables that are met from now on are told of."""
        self._session.meets.append(self._meet)
        self._session.hub.hearers.append(self._note)
        self._thread.start()

    def close(self) -> None:
        """Tell what is left, and let go of who listens."""
        with self._more:
            self._stopping = True
            self._more.notify()
        if self._thread.is_alive():
            self._thread.join(CLOSING_S)
        for outlet in self._outlets:
            outlet.close()

    def _meet(self, table: Table) -> None:
        """How a table stands before anything else is done there."""
        known = known_of(table, self._session.cameras_of(table))
        with self._more:
            self._new.append((table, known))
            self._changed[table.id] = None
            self._more.notify()

    def _note(self, table_id: str) -> None:
        with self._more:
            self._changed[table_id] = None
            self._more.notify()

    def _follow(self) -> None:
        while True:
            with self._more:
                while not (self._changed or self._stopping):
                    self._more.wait()
                if not self._changed:
                    return
                met, self._new = self._new, []
                changed, self._changed = self._changed, {}
            for table, known in met:
                self._tell_new(table, known)
            for table_id in changed:
                try:
                    self._look(table_id)
                except StorageError:
                    continue  # the table says so itself, and is looked at again

    def _tell_new(self, table: Table, known: Known) -> None:
        if table.id in self._known:
            return  # opened anew; what is different is told as a difference
        opening = table.setup.opening
        self._known[table.id] = known
        self._tell(
            table.id,
            known,
            {
                "event": "table",
                "title": opening.game.info.title,
                "players": list(opening.players),
                "entries": [dict(entry) for entry in known.entries],
                "over": known.over,
            },
        )
        nothing = Known(known.game, known.seq, known.entries, over=known.over)
        for event in differences(nothing, known, ()):
            self._tell(table.id, known, event)

    def _look(self, table_id: str) -> None:
        before = self._known.get(table_id)
        if before is None:
            return
        hall = self._session.hall
        if hall is not None and not hall.runs(table_id):
            # who runs it tells of it; a table that went there is met anew when it comes back
            if self._session.tables.is_open(table_id) is None:
                del self._known[table_id]
            return
        table = self._session.tables.openable(table_id)
        if table is None:
            del self._known[table_id]
            self._tell(table_id, before, {"event": "table_gone"})
            return
        now = known_of(table, self._session.cameras_of(table), before)
        self._known[table_id] = now
        said = [
            line
            for step in table.steps[-(now.seq - before.seq) :]
            if before.seq < step.seq <= now.seq
            for line in step.data.get("say") or ()
        ]
        for event in differences(before, now, said):
            self._tell(table_id, now, event)

    def _tell(self, table_id: str, known: Known, what: Mapping[str, Any]) -> None:
        self._told += 1
        event = {
            "event": what["event"],
            "id": f"{self._run_name}-{self._told}",
            "at": round(time.time(), 3),
            "table": table_id,
            "game": known.game,
            "seq": known.seq,
            **what,
        }
        for outlet in self._outlets:
            outlet.put(event)
