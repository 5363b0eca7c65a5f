"""How every table stands, followed from its events: for who comes late and wants no history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field

K = TypeVar("K")
V = TypeVar("V")


class Standing(BaseModel):
    """How a player, or a team, stands."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    player: str
    score: int | float | None = Field(description="null: nothing is counted for one player here.")


class Camera(BaseModel):
    """A camera that has trouble."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    camera: int = Field(description="Which of the table's cameras, from 1.")
    code: str
    message: str


class TableState(BaseModel):
    """How a table stands, as everybody may know it."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    table: str = Field(description="The table's name.")
    game: str = Field(description="The game that is played there.")
    title: str = Field(description="The game's name for people.")
    server: str = Field(description="The topic with the status of the server that runs it.")
    seq: int = Field(description="The table's last step.")
    at: float = Field(description="When this was so, in seconds since 1970.")
    entries: int = Field(description="How many plays and other actions count.")
    said: list[str] = Field(description="What was announced last.")
    scores: list[Standing] = Field(description="Players, or teams, in seating order.")
    questions: list[str] = Field(description="What only people can tell; open now.")
    tasks: list[str] = Field(description="The kinds of what is to be done on the table now.")
    cameras: list[Camera] = Field(description="The cameras that have trouble now.")
    troubles: list[str] = Field(description="What is wrong with the table itself now.")
    over: bool = Field(description="The game has ended.")


@dataclass(frozen=True, slots=True)
class Follow:
    """What is known of a table from its events."""

    title: str
    players: tuple[str, ...]
    entries: tuple[Mapping[str, float], ...] = ()
    said: tuple[str, ...] = ()
    questions: Mapping[str, str] = field(default_factory=dict)
    tasks: Mapping[str, str] = field(default_factory=dict)
    cameras: Mapping[int, Camera] = field(default_factory=dict)
    troubles: Mapping[str, str] = field(default_factory=dict)
    over: bool = False


def follow(before: Follow | None, event: Mapping[str, Any]) -> Follow | None:
    """What is known of a table after an event.

    Args:
        before: what was known; None before the table was met.
        event: what happened.

    Returns:
        None where there is no such table (any more).
    """
    kind = event["event"]
    if kind == "table":
        entries = event["entries"]
        said = tuple(entries[-1].get("say") or ()) if entries else ()
        scores = tuple(_scores(entry) for entry in entries)
        players = tuple(event["players"])
        return Follow(event["title"], players, scores, said, over=event["over"])
    if before is None or kind == "table_gone":
        return None
    if kind in ("play", "action"):
        return replace(before, entries=(*before.entries, _scores(event["entry"])))
    if kind == "changed":
        i = event["index"]
        return replace(
            before,
            entries=(*before.entries[:i], _scores(event["entry"]), *before.entries[i + 1 :]),
        )
    if kind == "undone":
        return replace(before, entries=before.entries[: event["index"]])
    if kind == "said":
        return replace(before, said=tuple(event["lines"]))
    if kind in ("game_over", "game_on"):
        return replace(before, over=kind == "game_over")
    return _follow_open(before, event)


def _follow_open(before: Follow, event: Mapping[str, Any]) -> Follow:
    """What begins and ends: questions, tasks, trouble."""
    kind = event["event"]
    if kind.startswith("question"):
        asked = event["question"]
        key = repr([asked.get(k) for k in ("field", "square", "photo", "prompt")])
        now = None if kind == "question_closed" else str(asked["prompt"])
        return replace(before, questions=_with(before.questions, key, now))
    if kind.startswith("task"):
        task = event["task"]
        now = None if kind == "task_closed" else str(task["task"])
        return replace(before, tasks=_with(before.tasks, repr(sorted(task.items())), now))
    if kind.startswith("camera_"):
        given = {k: event[k] for k in Camera.model_fields if k in event}
        camera = Camera(**given) if kind == "camera_trouble" else None
        return replace(before, cameras=_with(before.cameras, event["camera"], camera))
    if kind.startswith("trouble"):
        now = None if kind == "trouble_over" else str(event["message"])
        return replace(before, troubles=_with(before.troubles, event["code"], now))
    return before


def _with(there: Mapping[K, V], key: K, value: V | None) -> Mapping[K, V]:
    """The same without a key, or with another value for it."""
    left = {k: v for k, v in there.items() if k != key}
    return left if value is None else {**left, key: value}


def _scores(entry: Mapping[str, Any]) -> Mapping[str, float]:
    """How players or teams stand after an entry; empty where the game counts otherwise."""
    return dict(entry.get("scores") or entry.get("team_scores") or {})


def state_of(known: Follow, event: Mapping[str, Any], server: str) -> TableState:
    """How a table stands.

    Args:
        known: what is known of it after an event.
        event: that event.
        server: the topic with the status of the server that runs the table.
    """
    scores = next((e for e in reversed(known.entries) if e), {})
    named = dict.fromkeys(scores or known.players)
    return TableState(
        table=event["table"],
        game=event["game"],
        title=known.title,
        server=server,
        seq=event["seq"],
        at=event["at"],
        entries=len(known.entries),
        said=list(known.said),
        scores=[Standing(player=name, score=scores.get(name)) for name in named],
        questions=list(known.questions.values()),
        tasks=list(known.tasks.values()),
        cameras=list(known.cameras.values()),
        troubles=list(known.troubles.values()),
        over=known.over,
    )
