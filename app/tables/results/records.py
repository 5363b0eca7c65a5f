"""A kept table as GCG, as a page that replays it, and as the lines of `kibitz replay`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, Literal, TypedDict

from kibitz.app.common.errors import CommandError
from kibitz.app.common.materials.named import any_word_note, load_tile_set
from kibitz.app.common.storage.tables import Step
from kibitz.app.observers.lines import NOT_UNDERSTOOD, public_events
from kibitz.app.tables import midway
from kibitz.app.tables.results.html_replay import (
    PageFacts,
    SmallPhoto,
    made_small,
    replay_page,
)
from kibitz.app.tables.table import Table
from kibitz.engine.phrases import Notation
from kibitz.engine.record.gcg_writer import GcgImpossible, gcg_game, gcg_text
from kibitz.engine.record.history import is_silent, lines_said
from kibitz.engine.record.ledger import Done, player_of, public_view
from kibitz.engine.rules import JsonValue
from kibitz.engine.table import board_rows
from kibitz.vision.frame import PictureError, decode_picture

__all__ = ["gcg_game", "table_gcg", "table_lines", "table_page"]


def table_gcg(table: Table) -> str:
    """A table's game of Scrabble as GCG; without racks while it is being played.

    Raises:
        CommandError: GCG, or the programs that read it, cannot hold this game.
    """
    try:
        return gcg_text(table.ledger, racks=table.over)
    except GcgImpossible as error:
        raise CommandError(str(error)) from error


def table_page(table: Table, notation: Notation | None = None) -> str:
    """HTML page that replays a table, with a frame for every entry."""
    opening = table.setup.opening
    lines: list[Mapping[str, JsonValue]] = []
    shots: list[SmallPhoto | None] = []
    pictures = _pictures(table)
    for number, done in enumerate(_told(table), 1):
        lines.append(_line_of(table, done, number))
        # what people told was said before the picture that came next was taken
        newest = done.entry.photo - 1 if done.entry.told else done.entry.photo
        known = [photo for photo in pictures if photo <= newest]
        shots.append(pictures[max(known)] if known else None)
    if not lines or midway.midway_of(table.ledger):
        view = opening.game.view(table.ledger.start, None)
        say = list(midway.lines_of_start(table.ledger)) if midway.midway_of(table.ledger) else []
        lines.insert(0, {"file": "start", "status": "no_change", "say": say, **_lying(view)})
        shots.insert(0, None)
    facts = PageFacts(
        opening.game.info,
        opening.players,
        opening.materials.tile_set,
        letters=load_tile_set(table.setup.tiles).letters,
        notation=notation or table.setup.notation,
    )
    return replay_page(facts, lines, shots)


def _told(table: Table) -> Iterator[Done]:
    """Entries of which anybody was told something."""
    return (done for done in table.ledger.done if not is_silent(done))


def _line_of(table: Table, done: Done, number: int) -> dict[str, JsonValue]:
    game = table.ledger.game
    action, result = done.entry.action, done.verdict.result
    view = public_view(game, done.state)
    tiles = action.data.get("tiles")
    words = [w if isinstance(w, Mapping) else {"word": w} for w in result.get("words") or ()]
    return {
        "file": f"{number}",
        "status": "play" if tiles or words else action.kind,
        "play": {
            "player": action.player or player_of(done),
            "tiles": dict(tiles) if isinstance(tiles, Mapping) else {},
            "removed": list(result.get("removed") or ()),
            "words": words,
            "word": result.get("word"),
            "turn_score": result.get("turn_score"),
        }
        if tiles or words or result.get("word") or result.get("removed")
        else None,
        "say": lines_said(table.ledger, (done,)),
        "events": [event.to_json() for event in public_events((done,))],
        **_lying(view),
    }


class Lying(TypedDict, total=False):
    """Tiles on a board or table, and the players' scores."""

    board: list[str]
    table: dict[str, JsonValue]
    scores: dict[str, int]
    ship_count: JsonValue
    total_words: JsonValue


STANDING: Final[tuple[Literal["scores", "ship_count", "total_words"], ...]] = (
    "scores", "ship_count", "total_words",
)  # fmt: skip


def _lying(view: Mapping[str, Any]) -> Lying:
    out: Lying = {}
    if rows := board_rows(view):
        out["board"] = rows
    else:
        out["table"] = {what: view.get(what) for what in ("pool", "face_down", "words")}
    for key in STANDING:
        if view.get(key) is not None:
            out[key] = view[key]
    return out


def _pictures(table: Table) -> dict[int, SmallPhoto]:
    """Kept pictures by photograph number, scaled down."""
    out = {}
    for step in _seen(table):
        data = table.picture(step.seq)
        if data is not None:
            with suppress(PictureError):  # one that is damaged loses no other
                out[int(step.data["photo"])] = made_small(decode_picture(data))
    return out


def _seen(table: Table) -> Iterator[Step]:
    return (s for s in table.steps if s.kind == "seen" and "photo" in s.data)


def table_lines(table: Table) -> Iterator[Mapping[str, JsonValue]]:
    """Yield the lines of `kibitz replay --json` for every kept picture, and the last line.

    A table that no camera saw has a line for everything that was told instead.
    """
    game = table.ledger.game
    if not any(True for _ in _seen(table)):
        for number, done in enumerate(_told(table), 1):
            line = _line_of(table, done, number)
            yield {**line, "file": f"{table.id}/{number}", "status": _status_of(line["play"])}
    for step in _seen(table):
        photo = int(step.data["photo"])
        before = [d for d in table.ledger.done if d.entry.photo <= photo]
        state = before[-1].state if before else table.ledger.start
        view = public_view(game, state)
        line = dict(step.data.get("line") or {})
        yield {"file": f"{table.id}/{step.seq}.jpg", **line, **_lying(view)}
    plays = [
        {"file": line["file"], **line["play"]}
        for line in (_line_of(table, d, n) for n, d in enumerate(table.ledger.done, 1))
        if line["play"] is not None
    ]
    view = dict(game.view(table.ledger.state, None))
    setup = table.setup
    note = any_word_note(setup.lexicon, setup.tiles, setup.opening.options)
    summary = {
        "unresolved": _unresolved(table),
        "questions": [{"file": table.id, **question} for question in table.questions()],
        "notes": [] if note is None else [note],
    }
    yield {"final": {"plays": plays, **view, **summary}}


def _unresolved(table: Table) -> list[str]:
    """The newest picture if its position was not understood; a later one shows everything anew."""
    newest = list(_seen(table))[-1:]
    return [
        f"{table.id}/{step.seq}.jpg"
        for step in newest
        if (step.data.get("line") or {}).get("status") in NOT_UNDERSTOOD
    ]


def _status_of(play: Mapping[str, Any] | None) -> str:
    """Status of an entry, in the words of a photograph's line."""
    if play is None:
        return "no_change"
    return "taken_back" if play["removed"] else "play"
