"""Typed events of a table, and how they follow from two of its states.

A server tells them as they happen; a program that sees a table from outside works them out from
what it sees, by the same function.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from kibitz.app.wire.shape import Shape
from kibitz.app.wire.tables import Points, TableState, TroubledCamera

STANDING = ("scores", "team_scores", "ship_count", "total_words")
"""Fields of a game's view that say how the players stand."""


class Event(Shape):
    """Fields of every event."""

    model_config = ConfigDict(extra="forbid")
    event: str = Field(description="What happened.")
    id: str = Field(description="Its name; the same however often it is sent.")
    at: float = Field(description="When it was told, in seconds since 1970.")
    table: str = Field(description="The table's name.")
    game: str = Field(description="The game that is played there.")
    seq: int = Field(description="The table's last step at that time.")


class TableMet(Event):
    """A table exists, new or in play; later events build on this one."""

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
    """Something other than a play was done: a pass, a challenge, a shot, the clock."""

    event: Literal["action"] = "action"
    index: int = Field(description="Which entry of the game it is, from 0.")
    entry: dict[str, Any] = Field(description="The entry, as in a table's `history`.")


class Changed(Event):
    """An entry was corrected after it had been reported: a letter or a score."""

    event: Literal["changed"] = "changed"
    index: int = Field(description="Which entry, from 0.")
    entry: dict[str, Any] = Field(description="The entry that takes its place.")


class Undone(Event):
    """An entry that was reported no longer counts; the newest is undone first."""

    event: Literal["undone"] = "undone"
    index: int = Field(description="Which entry, from 0; it was the last one.")


class Said(Event):
    """An announcement."""

    event: Literal["said"] = "said"
    lines: list[str]


class Asked(Event):
    """A question that only people can answer, on a page or by an action."""

    event: Literal["question"] = "question"
    question: dict[str, Any] = Field(description="`field`, `prompt`, `choices`, perhaps `square`.")


class Settled(Event):
    """A question is answered or no longer needed."""

    event: Literal["question_closed"] = "question_closed"
    question: dict[str, Any]


class TaskSet(Event):
    """A task at the table, required by the rules."""

    event: Literal["task"] = "task"
    task: dict[str, Any]


class TaskDone(Event):
    """A task is done or no longer needed."""

    event: Literal["task_closed"] = "task_closed"
    task: dict[str, Any]


class CameraTrouble(Event):
    """A camera gives no pictures, or they cannot be read."""

    event: Literal["camera_trouble"] = "camera_trouble"
    camera: int = Field(description="Which of the table's cameras, from 1.")
    code: str
    message: str


class CameraWell(Event):
    """A camera that had trouble works again."""

    event: Literal["camera_well"] = "camera_well"
    camera: int = Field(description="Which of the table's cameras, from 1.")


class Trouble(Event):
    """Trouble at the table itself, for instance steps that could not be stored."""

    event: Literal["trouble"] = "trouble"
    code: str
    message: str


class TroubleOver(Event):
    """Trouble at the table is over."""

    event: Literal["trouble_over"] = "trouble_over"
    code: str


class GameOver(Event):
    """The game has ended."""

    event: Literal["game_over"] = "game_over"
    standing: dict[str, Any] = Field(description="`scores` and the like, as the game has them.")


class GameOn(Event):
    """A game that had ended continues, as its end was undone."""

    event: Literal["game_on"] = "game_on"


class Lost(Shape):
    """Number of events that were dropped, as nobody took them in time or the receiver refused."""

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


@dataclass(frozen=True, slots=True)
class Known:
    """The table's state according to the events so far."""

    game: str
    seq: int
    entries: tuple[Mapping[str, Any], ...] = ()
    asked: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    tasks: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    troubles: Mapping[str, str] = field(default_factory=dict)
    cameras: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    over: bool = False
    standing: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""
    players: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    source: object = None

    def state(self, table: str, at: float, server: str) -> TableState:
        """State of the table, for those who connect late and want no history.

        Args:
            table: the table's name.
            at: when it was told, in seconds since 1970.
            server: the topic with the status of the server that runs it.
        """
        counted = (e.get("scores") or e.get("team_scores") for e in reversed(self.entries))
        scores: Mapping[str, float] = next(filter(None, counted), {})
        return TableState(
            table=table,
            game=self.game,
            title=self.title,
            server=server,
            seq=self.seq,
            at=at,
            entries=len(self.entries),
            said=self.said,
            scores=tuple(
                Points(player=name, score=scores.get(name)) for name in scores or self.players
            ),
            questions=tuple(str(q["prompt"]) for q in self.asked.values()),
            provisional=any(q["field"] == "plays" for q in self.asked.values()),
            tasks=tuple(str(task["task"]) for task in self.tasks.values()),
            cameras=tuple(
                TroubledCamera(camera=number, code=code, message=message)
                for number, (code, message) in self.cameras.items()
            ),
            troubles=tuple(self.troubles.values()),
            over=self.over,
        )


def question_key(question: Mapping[str, Any]) -> str:
    """Identity of a question, regardless of its choices, which may change."""
    return repr([question.get(k) for k in ("field", "square", "photo", "prompt")])


def differences(before: Known, now: Known, said: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Events that lead from one state of a table to another, in order.

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
