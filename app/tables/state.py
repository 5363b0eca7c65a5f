"""The whole state of a table as one document, as one person may see it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from kibitz.app.common.limits import LISTS
from kibitz.app.common.materials.named import load_tile_set
from kibitz.app.common.storage.tables import Step
from kibitz.app.languages.catalogues import ENGLISH, localized
from kibitz.app.tables.midway import start_json
from kibitz.app.tables.people.access import WATCHER, Actor
from kibitz.app.tables.results.analyses import has_word_list
from kibitz.app.tables.steps import seats_json
from kibitz.app.tables.table import Table
from kibitz.app.wire.shape import Fields
from kibitz.app.wire.tables import (
    Announcement,
    CameraState,
    Entry,
    Notice,
    PublicGame,
    Question,
    Snapshot,
    TableView,
    You,
)
from kibitz.engine.phrases import counted, phrase
from kibitz.engine.record.history import HistoryLine
from kibitz.engine.rules import GameInfo
from kibitz.engine.tracking.questions import Kind


def table_view(
    table: Table,
    actor: Actor,
    camera: CameraState | None,
    language: str = ENGLISH,
    *,
    directed: bool = False,
    delay_s: int = 0,
) -> TableView:
    """Everything a page needs to show the table to this person, and nothing secret.

    Args:
        table: the table.
        actor: who asks.
        camera: how its camera does, as this person may know it.
        language: the code of the language that this person is answered in.
        directed: whether somebody looks after the tables of the hall.
        delay_s: so long spectators are behind it.
    """
    info = table.setup.opening.game.info
    tile_set = load_tile_set(table.setup.tiles)
    view = table.view(actor)
    history, asked = table.history(), table.questions()
    return TableView(
        **standing(table),
        table=table.id,
        facts={**facts_json(info), "notation": table.setup.notation},
        you=You(role=actor.role, player=actor.player),
        created=table.setup.row.created,
        settings={k: _plain(v) for k, v in table.ledger.opening.options.items()},
        tiles=str(table.setup.row.header["tiles"]),
        letters=tile_set.letters,
        tile_values={x: tile_set.value(x) for x in tile_set.letters},
        prints=dict(tile_set.prints),
        premiums=info.premiums,
        lexicon=table.setup.lexicon,
        word_list=has_word_list(table),
        saved=table.saving.trouble is None,
        redo=table.can_redo,
        notices=notices(table, actor),
        start=start_json(table.ledger),
        view=view,
        history=tuple(map(Entry.model_validate, history)),
        said=said(table),
        questions=tuple(map(Question.model_validate, asked)),
        tasks=tuple(table.tasks()),
        pictures=pictures_of(table.steps, actor),
        last=last_squares(history),
        provisional=is_provisional(asked),
        seats=seats_json(table.tracker, table.setup.opening.players),
        camera=camera,
        language=language,
        directed=directed,
        delay_s=delay_s,
    )


def is_provisional(asked: Iterable[Mapping[str, Any]]) -> bool:
    """True if scores wait for one of the open questions: which plays were made."""
    return any(question["field"] == Kind.PLAYS for question in asked)


def standing(table: Table) -> dict[str, Any]:
    """Fields of every state of a table, as in `wire.tables.Standing`."""
    info = table.setup.opening.game.info
    return {
        "game": info.slug,
        "title": info.title,
        "players": table.setup.opening.players,
        "seq": table.seq,
        "clock": table.clock(),
        "paused": table.paused,
        "over": table.over,
    }


def snapshot_of(table: Table) -> Snapshot:
    """Public state of a game, without secrets."""
    whole = table_view(table, WATCHER, None)
    shown = {name: getattr(whole, name) for name in PublicGame.model_fields}
    told = Snapshot(at=round(time.time(), 3), **shown).to_json()
    return Snapshot.model_validate(localized(told, ENGLISH, table.setup.notation))


def facts_json(info: GameInfo) -> Fields:
    """Facts by which pages show a game."""
    surface = info.surface
    return {
        "loose": surface.kind == "loose",
        "rows": surface.rows,
        "facing": surface.facing,
        "tile_colours": surface.tile_colours,
        "most_tiles": info.most_tiles,
        "tile_by_tile": info.tile_by_tile,
        "letter_values": info.letter_values,
        "score_columns": info.score_columns,
        "takes_turns": info.takes_turns,
        "counts_points": info.counts_points,
        "gcg": info.gcg,
        "press_setting": info.press_setting,
        "tellings": [asdict(telling) for telling in info.tellings],
        "start": [asdict(one) for one in info.start if one.kind != "other"],
    }


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, (tuple, set, frozenset)) else value


def notices(table: Table, actor: Actor) -> tuple[Notice, ...]:
    """Troubles of the table itself; only the host learns where it is kept."""
    out = []
    trouble = table.saving.trouble
    if trouble is not None:
        why = trouble.message if actor.role == "host" else trouble.public
        text = phrase("{why}. The game goes on and is kept in memory; it is tried again.", why=why)
        out.append(Notice(code=trouble.code, message=text))
    if table.lost:
        refused = counted(
            "{count} kept steps are refused by this version's rules: {why}",
            "{count} kept steps are refused by this version's rules: {why}",
            len(table.lost),
            why=table.lost[0].message,
        )
        out.append(Notice(code="steps_refused", message=refused))
    return tuple(out)


def said(table: Table) -> tuple[Announcement, ...]:
    """The newest announcements, oldest first, each with its step."""
    spoken = [step for step in table.steps if step.data.get("say")][-LISTS.first :]
    return tuple(Announcement(seq=s.seq, at=s.at, lines=tuple(s.data["say"])) for s in spoken)


def pictures_of(steps: Iterable[Step], actor: Actor) -> tuple[Fields, ...]:
    """Kept photographs: their number in the history's `photo`, and their step."""
    if not actor.sees_all_pictures:
        return ()
    seen = (s for s in steps if s.kind == "seen")
    return tuple({"photo": int(s.data["photo"]), "seq": s.seq} for s in seen)


def last_squares(history: Sequence[HistoryLine]) -> tuple[str, ...]:
    """Squares of the newest play, to be marked on the board."""
    for entry in reversed(history):
        if entry.get("tiles"):
            return tuple(entry["tiles"])
        if entry.get("removed") or entry["action"] in ("take_back", "challenge", "withdraw"):
            return ()
    return ()
