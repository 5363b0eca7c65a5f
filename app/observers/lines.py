"""Lines of `kibitz replay --json`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from kibitz.app.wire.lines import (
    FinalLine,
    FinalPlay,
    PlayLine,
    QuestionLine,
    RefusedLine,
    ReplayLine,
    TaskLine,
)
from kibitz.engine.board.notation import spoken
from kibitz.engine.phrases import listed, phrase
from kibitz.engine.record.history import lines_said
from kibitz.engine.record.ledger import Done, Ledger, player_of, public_view
from kibitz.engine.rules import Event, Question, Refused
from kibitz.engine.table import Square, board_rows
from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.evidence.hypotheses import (
    Finding,
    Hypothesis,
    Task,
    name_of,
    tiles_json,
)


def public_events(done: Iterable[Done]) -> list[Event]:
    """Public events, without a game's internal ones."""
    return [
        event
        for entry in done
        for event in entry.verdict.events
        if event.visible_to is None and not event.kind.startswith("_")
    ]


def _of_cards(finding: Finding) -> list[str]:
    """Messages about ship cards that are missing or lie wrong (SS-20)."""
    lines: list[str] = [
        phrase("The strip from {ends} is still to be laid.", ends=_ends(card))
        for card in finding.due_cards
    ]
    if finding.wrong_card:
        lines.append(
            phrase(
                "A strip lies from {ends}; no ship was sunk there.", ends=_ends(finding.wrong_card)
            )
        )
    return lines


def _ends(card: Iterable[Square]) -> str:
    first, *_, last = sorted(card)
    return phrase("{first} to {last}", first=spoken(first), last=spoken(last))


def spoken_lines(ledger: Ledger, done: Iterable[Done], finding: Finding) -> list[str]:
    """Announcements of entries, then of what was refused or must be asked."""
    lines = lines_said(ledger, done)
    lines += _of_cards(finding)
    if finding.missed:
        names = listed((spoken(s) for s in finding.missed), ", ")
        lines.append(
            phrase("The last explosion is not cleared up: see to {squares}.", squares=names)
        )
    if finding.refused is not None:
        lines.append(finding.refused.message)
    elif finding.question is not None:
        lines.append(finding.question.prompt)
    elif finding.note == "set-up":
        lines.append(phrase("The board is empty again; the game has not begun."))
    elif finding.note and finding.status == "play":
        lines.append(finding.note)
    return lines


NOT_UNDERSTOOD = frozenset({"unreadable", "board_changed"})
"""Statuses of pictures whose position was not understood."""


def entries_of(ledger: Ledger, photo: int) -> tuple[Done, ...]:
    """Entries of a photograph, with what was told just before it."""
    return tuple(done for done in ledger.done if done.entry.photo == photo)


def photo_line(
    file: str, tracker: BoardTracker, photo: int, *, doubts: bool = False
) -> ReplayLine:
    """Line of a photograph of a board.

    Args:
        file: its name.
        tracker: what keeps the game.
        photo: its number.
        doubts: whether letters are asked about that later pictures left in doubt.
    """
    hypothesis = tracker.best
    ledger, finding = hypothesis.ledger, hypothesis.findings[photo]
    question = tracker.question_at(photo, doubts=doubts)
    finding = replace(finding, question=question)
    done = entries_of(ledger, photo)
    view = public_view(ledger.game, done[-1].state if done else state_at(ledger, photo))
    line: ReplayLine = {
        "file": file,
        "status": status_of(finding),
        "play": play_of(hypothesis, photo),
        "question": question_json(question),
        "events": [event.to_json() for event in public_events(done)],
        "say": spoken_lines(ledger, done, finding),
    }
    if finding.status == "several":
        line["plays"] = _plays(hypothesis, photo)
    if finding.refused is not None:
        line["refused"] = _refusal(finding.refused, hypothesis.lying.rows)
    line["board"] = board_rows(view)
    for key in STANDINGS:
        if view.get(key) is not None:
            line[key] = view[key]
    return line


STANDINGS: Final = ("scores", "ship_count", "total_words", "to_move", "winner")
"""Fields of a line that say how the game stands."""


def status_of(finding: Finding) -> str:
    """Status of a finding; a play with an open question has the status `question`."""
    if finding.question is not None and finding.status == "play":
        return "question"
    return finding.status


def state_at(ledger: Ledger, photo: int) -> Any:
    """State of a game after all entries up to a photograph."""
    before = [done for done in ledger.done if done.entry.photo <= photo]
    return before[-1].state if before else ledger.start


def _refusal(refused: Refused, size: int) -> RefusedLine:
    squares = [name_of(s, size) for s in refused.squares]
    return {"code": refused.code, "message": refused.message, "squares": squares}


def play_of(hypothesis: Hypothesis, photo: int) -> PlayLine | None:
    """All that a photograph showed, as one play; None if nothing was new."""
    finding = hypothesis.findings[photo]
    refused = finding.refused
    if refused is not None and refused.code == "not_a_word":
        words = [{"word": word} for word in refused.result.get("bad_words") or ()]
        play = _play_json(finding.not_laid, finding, (), hypothesis.lying.rows)
        return {**play, "player": mover_of(hypothesis, photo), "words": words, "legal": False}
    if not (finding.laid or finding.removed or finding.turned or finding.plays):
        return None
    done = [d for d in entries_of(hypothesis.ledger, photo) if not d.entry.told]
    return _play_json(finding.laid, finding, done, hypothesis.lying.rows)


def mover_of(hypothesis: Hypothesis, photo: int) -> str | None:
    """Player to move at a photograph; None if several may act."""
    view = public_view(hypothesis.ledger.game, state_at(hypothesis.ledger, photo))
    mover = view.get("to_move")
    return mover if isinstance(mover, str) else None


def _play_json(
    laid: Mapping[Square, str], finding: Finding | None, done: Sequence[Done], size: int
) -> PlayLine:
    scoring = [
        d for d in done if "turn_score" in d.verdict.result or d.verdict.result.get("words")
    ]
    words: list[Any] = []
    score: int | None = None
    player = None
    for entry in scoring:
        result = entry.verdict.result
        words += [w if isinstance(w, Mapping) else {"word": w} for w in result.get("words") or ()]
        if result.get("turn_score") is not None and entry.entry.action.kind not in _NO_PLAY:
            score = (score or 0) + int(result["turn_score"])
        player = entry.entry.action.player or player_of(entry) or player
    return {
        "player": player,
        "tiles": tiles_json(laid, size),
        "removed": [name_of(s, size) for s in finding.removed] if finding else [],
        "turned": [name_of(s, size) for s in finding.turned] if finding else [],
        "words": words,
        "turn_score": score,
    }


_NO_PLAY = ("pass", "withdraw", "challenge", "exchange", "tidy")


def _plays(hypothesis: Hypothesis, photo: int) -> list[PlayLine]:
    """Plays between two photographs, if there were several."""
    finding = hypothesis.findings[photo]
    laying = [
        d
        for d in entries_of(hypothesis.ledger, photo)
        if not d.entry.told and d.entry.action.kind not in (*_NO_PLAY, "accept")
    ]
    size = hypothesis.lying.rows
    if len(laying) != len(finding.plays):
        return []
    return [
        _play_json({s: finding.laid[s] for s in squares if s in finding.laid}, None, [d], size)
        for squares, d in zip(finding.plays, laying, strict=True)
    ]


def question_json(question: Question | None) -> QuestionLine | None:
    """A question in JSON."""
    if question is None:
        return None
    line: QuestionLine = {
        "field": question.field,
        "square": question.square,
        "prompt": question.prompt,
        "choices": list(question.choices),
    }
    return line if question.board is None else {**line, "board": question.board}


def final_line(
    files: Sequence[str], hypothesis: Hypothesis, spoken: Sequence[ReplayLine]
) -> FinalLine:
    """The last line: every play as known at the end, and the final state.

    A photograph whose own line named a play that later ones took back is listed too, with what
    it is known to show now.
    """
    plays: list[FinalPlay] = []
    for photo, file in enumerate(files):
        play = play_of(hypothesis, photo)
        if play is None and spoken[photo].get("play"):
            play = {
                "player": None,
                "tiles": {},
                "removed": [],
                "turned": [],
                "words": [],
                "turn_score": None,
                "note": hypothesis.findings[photo].note or "put right by later photographs",
            }
        if play is not None:
            several = hypothesis.findings[photo].status == "several"
            last = cast("FinalPlay", {"file": file, **play})
            if several:
                last["plays"] = _plays(hypothesis, photo)
            plays.append(last)
    view = hypothesis.ledger.game.view(hypothesis.state, None)
    return {"final": {"plays": plays, **dict(view)}}


def task_json(task: Task) -> TaskLine:
    """A task in JSON."""
    out: TaskLine = {"task": task.kind, "squares": list(task.squares)}
    refused = task.refused
    if refused is None:
        return out
    out |= {"code": refused.code, "message": refused.message, "read": list(task.read)}
    bad = refused.result.get("bad_words")
    return {**out, "words": list(bad)} if bad else out
