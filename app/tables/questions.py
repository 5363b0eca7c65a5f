"""Questions that a table asks its people: which are open, and whom each concerns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from kibitz.app.common.storage.tables import Step
from kibitz.app.observers.lines import question_json
from kibitz.app.tables.steps import SAID, SHOWS_END
from kibitz.app.wire.lines import OpenQuestion
from kibitz.engine.phrases import SquareName, phrase
from kibitz.engine.record.history import HistoryLine
from kibitz.engine.record.ledger import Ledger, Opening, public_view
from kibitz.engine.rules import GameRules, Question
from kibitz.engine.table import UNKNOWN_BLANK, Square, board_rows, square_named
from kibitz.engine.tracking.evidence.hypotheses import rules_grid
from kibitz.engine.tracking.evidence.interpretation import likely_letters
from kibitz.engine.tracking.explanations.missed_plays import missed_at
from kibitz.engine.tracking.questions import Kind, Trait
from kibitz.engine.tracking.tracker import Tracker
from kibitz.engine.tracking.two_board_tracker import of_board, on_board, two_boards

Unanswered = dict[tuple[str, str], OpenQuestion]
"""Questions by kind, and the square or the photograph that each is about."""


def open_questions(
    steps: Iterable[Step], tracker: Tracker[Any], history: Sequence[HistoryLine]
) -> list[OpenQuestion]:
    """Open questions of a table, each with the player whom it concerns; None: everybody.

    Pictures asked some of them, in steps that no answer followed; the game asks the others, by
    what its entries leave open and by blanks without a letter.

    Args:
        steps: those of the table.
        tracker: what keeps its game.
        history: what was done there.
    """
    ledger = tracker.ledger
    of_tiles = {(str(q.field), str(q.square)) for q in tracker.letter_questions()}
    asked = [
        question
        for (field, about), question in _unanswered(steps).items()
        if (not Kind(field).has(Trait.OF_TILE) or (field, about) in of_tiles)
        and not Kind(field).has(Trait.RECORDED)
        and (field != Kind.PLAYS or _has_tiles_of(ledger, question))
        and not (field == Kind.CLEARING and getattr(ledger.state, "over", False))
        and tracker.waits_for(field)
    ]
    asked += _about_blanks(ledger)
    asked += [{**_line_of(q), "photo": photo} for photo, q in tracker.play_questions()]
    return [{**q, "player": _player_of(q, history, ledger.opening)} for q in asked]


def scores_wait(steps: Iterable[Step], ledger: Ledger) -> bool:
    """True if an open question decides scores: which plays were made, in which order.

    Args:
        steps: those of the table.
        ledger: its game.
    """
    asked = _unanswered(steps).values()
    return any(q["field"] == Kind.PLAYS and _has_tiles_of(ledger, q) for q in asked)


def _has_tiles_of(ledger: Ledger, question: OpenQuestion) -> bool:
    """True if the game still has the tiles whose plays a question is about."""
    return missed_at(ledger, question["photo"]) is not None


def _unanswered(steps: Iterable[Step]) -> Unanswered:
    """Questions that pictures raised and that nobody has answered, as far as steps tell."""
    open_ones: Unanswered = {}
    before: list[Unanswered] = [{}]
    undone: list[Unanswered] = []
    for step in steps:
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
        open_ones = _after(open_ones, step)
        if step.kind in SAID or SHOWS_END in step.data:
            before[-1] = open_ones
        else:
            before.append(open_ones)
    return open_ones


def _after(asked: Unanswered, step: Step) -> Unanswered:
    """Questions that are open after a step."""
    line = step.data.get("line")
    if isinstance(line, dict):
        # a question about the whole picture holds only until the next one
        asked = {k: q for k, q in asked.items() if k[0] == Kind.PLAYS}
        question: OpenQuestion | None = line.get("question")
        if question and question["field"] == Kind.PLAYS:
            photo = step.data["photo"]
            asked[str(Kind.PLAYS), str(photo)] = {**question, "photo": photo}
        elif question and question["field"] != Kind.BLANK:  # the board shows which have no letter
            asked[str(question["field"]), str(question.get("square"))] = question
    letters: list[OpenQuestion] | None = step.data.get("letters")
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
    field = "letter" if do.get("action") == "correct" else str(do.get("field"))
    if do.get("action") in ("correct", "answer"):
        # a tile that is a blank has no other letter to be asked about
        gone = {(str(Kind.LETTER) if field == Kind.BLANK else field, named)}
    if do.get("action") == "answer" and field == Kind.PLAYS:
        newest = [k for k in asked if k[0] == Kind.PLAYS][-1:]
        gone = {(str(Kind.PLAYS), str(do["photo"]))} if "photo" in do else set(newest)
    return {k: q for k, q in asked.items() if k not in gone}


def _player_of(
    question: OpenQuestion, history: Sequence[HistoryLine], opening: Opening
) -> str | None:
    """Player whom a question concerns: who laid the tile or made the play; None: everybody."""
    square, board, seated = question.get("square"), question.get("board"), opening.players
    if board is not None:  # a play names no board: it is its player's
        seats = opening.game.info.seats_per_board or len(seated)
        seated = seated[seats * (board - 1) : seats * board]
        square = None if square is None else square.rpartition(":")[2]
    of_play = Kind(question["field"]).has(Trait.OF_PLAY)
    for entry in reversed(history):
        laid = square is not None and square in (entry.get("tiles") or {})
        made = of_play and entry.get("photo") == question.get("photo")
        if (laid or made) and entry.get("player") in seated:
            return str(entry["player"])
    return None


def _line_of(question: Question) -> OpenQuestion:
    return cast("OpenQuestion", question_json(question))


def _about_blanks(ledger: Ledger) -> Iterator[OpenQuestion]:
    """Yield a question for each blank on a board that has no letter yet."""
    view = public_view(ledger.game, ledger.state)
    boards: Sequence[Sequence[str]] = view.get("boards") or ()
    if not two_boards(ledger.opening):
        boards = (board_rows(view),)
    for index, rows in enumerate(boards):
        for name in _bare_blanks(rows):
            if len(boards) == 1:
                yield _line_of(_about_blank(ledger, ledger.game, name))
                continue
            game = on_board(ledger.opening, index).game  # a question names the board
            yield _line_of(of_board(index, _about_blank(ledger, game, name)))


def _about_blank(ledger: Ledger, game: GameRules[Any], square: str) -> Question:
    grid = rules_grid(game, ledger.state)
    letters = likely_letters(ledger, grid, square_named(square))
    prompt = phrase("Which letter is the blank on {square}?", square=SquareName(square))
    return Question(Kind.BLANK, prompt, letters, square)


def _bare_blanks(rows: Sequence[str]) -> list[str]:
    return [
        Square(r, c).name_on(len(rows))
        for r, row in enumerate(rows)
        for c, x in enumerate(row)
        if x == UNKNOWN_BLANK
    ]
