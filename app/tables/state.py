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
from kibitz.app.observers.lines import question_json
from kibitz.app.tables.midway import start_json
from kibitz.app.tables.people.access import WATCHER, Actor
from kibitz.app.tables.results.analyses import has_word_list
from kibitz.app.tables.steps import SAID, SHOWS_END, seats_json
from kibitz.app.tables.table import Table
from kibitz.app.wire.shape import Fields
from kibitz.app.wire.tables import (
    Announcement,
    CameraState,
    Entry,
    Notice,
    PublicGame,
    Snapshot,
    TableView,
    You,
)
from kibitz.app.wire.tables import (
    Question as OpenOne,
)
from kibitz.engine.phrases import SquareName, counted, phrase
from kibitz.engine.record.history import HistoryLine
from kibitz.engine.record.ledger import Ledger, Opening
from kibitz.engine.rules import GameInfo, GameRules, Question
from kibitz.engine.table import UNKNOWN_BLANK, Square, square_named
from kibitz.engine.tracking.evidence.hypotheses import rules_grid
from kibitz.engine.tracking.evidence.interpretation import likely_letters
from kibitz.engine.tracking.explanations.missed_plays import missed_at
from kibitz.engine.tracking.questions import Kind, Trait
from kibitz.engine.tracking.two_board_tracker import of_board, on_board, two_boards

OpenQuestion = dict[str, Any]
"""A question as a line has it, with the picture or the step that it is of."""
Questions = dict[tuple[str, str], OpenQuestion]
"""Open questions by what is asked, and the square or the photograph that it is about."""


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
    history = table.history()
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
        saved=table.trouble is None,
        redo=table.can_redo,
        notices=notices(table, actor),
        start=start_json(table.ledger),
        view=view,
        history=tuple(map(Entry.model_validate, history)),
        said=said(table),
        questions=tuple(map(OpenOne.model_validate, questions(table, view))),
        tasks=tuple(table.tasks()),
        pictures=pictures_of(table.steps, actor),
        last=last_squares(history),
        seats=seats_json(table.tracker, table.setup.opening.players),
        camera=camera,
        language=language,
        directed=directed,
        delay_s=delay_s,
    )


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
    trouble = table.trouble
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


def questions(table: Table, view: Mapping[str, Any]) -> list[OpenQuestion]:
    """Open questions that only people can answer."""
    open_ones: Questions = {}
    before: list[Questions] = [{}]
    undone: list[Questions] = []
    for step in table.steps:
        if step.kind == "undo":
            undone.append(before[-1])
            before = before[:-1] or [{}]
            # refused tiles lie there still, whatever was taken back
            lie = {k: q for k, q in open_ones.items() if k[0] == Kind.PLAY}
            open_ones = before[-1] = {**before[-1], **lie}
            continue
        if step.kind == "redo" and undone:
            open_ones = undone.pop()
            before.append(open_ones)
            continue
        open_ones = _asked_after(open_ones, step)
        if step.kind in SAID or SHOWS_END in step.data:
            before[-1] = open_ones
        else:
            before.append(open_ones)
    bare = _bare_blanks(view)
    letters = {(str(q.field), str(q.square)) for q in table.tracker.letter_questions()}
    for square in bare:
        if (Kind.BLANK, square) not in open_ones:
            open_ones = {**open_ones, (Kind.BLANK, square): _blank_question(table, square)}
    asked = [
        q
        for (field, what), q in open_ones.items()
        if (field != Kind.BLANK or what in bare)
        and (field != Kind.PLAYS or _is_open(table, q))
        and (not Kind(field).has(Trait.OF_TILE) or (field, what) in letters)
        and table.tracker.waits_for(field)
        and not Kind(field).has(Trait.RECORDED)
        and not (field == Kind.CLEARING and table.over)
    ] + _about_plays(table)
    history = table.history() if asked else []
    return [{**q, "player": _asked_of(q, history, table.ledger.opening)} for q in asked]


def _asked_of(
    question: OpenQuestion, history: Sequence[HistoryLine], opening: Opening
) -> str | None:
    """Player whom a question concerns: who laid the tile or made the play; None: everybody."""
    square, board, seated = question.get("square"), question.get("board"), opening.players
    if board is not None:  # a play names no board: it is its player's
        seats = opening.game.info.seats_per_board or len(seated)
        seated = seated[seats * (board - 1) : seats * board]
        square = None if square is None else square.rpartition(":")[2]
    for entry in reversed(history):
        laid = square is not None and square in (entry.get("tiles") or {})
        made = Kind(question["field"]).has(Trait.OF_PLAY) and entry.get("photo") == question.get(
            "photo"
        )
        if (laid or made) and entry.get("player") in seated:
            return str(entry["player"])
    return None


def _about_plays(table: Table) -> list[OpenQuestion]:
    """Open questions about plays."""
    asked = table.tracker.play_questions()
    return [{**_line_of(q), "photo": photo} for photo, q in asked]


def _line_of(question: Question) -> OpenQuestion:
    return dict(question_json(question) or {})


def _asked_after(asked: Questions, step: Step) -> Questions:
    """Open questions after a step."""
    line = step.data.get("line")
    if isinstance(line, dict):
        # a question about the whole picture holds only until the next one
        asked = {k: q for k, q in asked.items() if k[0] in (Kind.BLANK, Kind.PLAYS)}
        if line.get("question"):
            question = dict(line["question"])
            key = str(question.get("square"))
            if question["field"] == Kind.PLAYS:
                question["photo"], key = step.data["photo"], str(step.data["photo"])
            asked[str(question["field"]), key] = question
    letters = step.data.get("letters")
    if isinstance(letters, list):
        # these stay until a person or a picture answers them
        asked = {k: q for k, q in asked.items() if not Kind(k[0]).has(Trait.OF_TILE)}
        asked |= {(str(q["field"]), str(q.get("square"))): {**q, "seq": step.seq} for q in letters}
    do = step.data.get("do")
    if not isinstance(do, dict):
        return asked
    gone: set[tuple[str, str]] = set()
    square = str(do.get("square"))
    named = square if ":" in square or not do.get("board") else f"{do['board']}:{square}"
    if do.get("action") == "correct":
        gone.add((str(Kind.LETTER), named))
    if do.get("action") == "answer":
        gone = {(str(do.get("field")), named)}
        if do.get("field") == Kind.BLANK:  # then it is no letter's tile
            gone.add((str(Kind.LETTER), named))
        if do.get("field") == Kind.PLAYS:
            newest = [k for k in asked if k[0] == Kind.PLAYS][-1:]
            gone = {("plays", str(do["photo"]))} if "photo" in do else set(newest)
    return {k: q for k, q in asked.items() if k not in gone}


def _is_open(table: Table, question: OpenQuestion) -> bool:
    """True if the game still has the tiles whose plays a question is about."""
    return missed_at(table.ledger, int(question["photo"])) is not None


def _blank_question(table: Table, square: str) -> OpenQuestion:
    ledger = table.ledger
    if not two_boards(ledger.opening):
        return _line_of(_about_blank(ledger, ledger.game, square))
    number, _, name = square.partition(":")
    index = int(number) - 1
    asked = _about_blank(ledger, on_board(ledger.opening, index).game, name)
    return _line_of(of_board(index, asked))


def _about_blank(ledger: Ledger, game: GameRules[Any], square: str) -> Question:
    grid = rules_grid(game, ledger.state)
    letters = likely_letters(ledger, grid, square_named(square))
    prompt = phrase("Which letter is the blank on {square}?", square=SquareName(square))
    return Question(Kind.BLANK, prompt, letters, square)


def _bare_blanks(view: Mapping[str, Any]) -> list[str]:
    boards = view.get("boards") or ()
    if len(boards) > 1:  # a question names the board
        return [f"{k}:{name}" for k, rows in enumerate(boards, 1) for name in _bare_on(rows)]
    return _bare_on(view.get("board45") or view.get("board") or ())


def _bare_on(rows: Sequence[str]) -> list[str]:
    return [
        Square(r, c).name_on(len(rows))
        for r, row in enumerate(rows)
        for c, x in enumerate(row)
        if x == UNKNOWN_BLANK
    ]


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
