"""The lines of `kibitz replay --json`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kibitz.engine.notation import spoken
from kibitz.engine.record.ledger import Done, Ledger, player_of
from kibitz.engine.rules import Event, Question
from kibitz.engine.table import Square
from kibitz.engine.tracking.beliefs import Belief, Sighting
from kibitz.engine.tracking.expected import name_of, tiles_json
from kibitz.engine.tracking.missed_plays import with_choices


def public_events(done: Iterable[Done]) -> list[Event]:
    """The events that everybody may know, without a game's own bookkeeping."""
    return [
        event
        for entry in done
        for event in entry.events
        if event.visible_to is None and not event.kind.startswith("_")
    ]


def _of_cards(sighting: Sighting) -> list[str]:
    """Ship cards that are missing, or lie where they do not belong (SS-20)."""
    lines = [f"The strip from {_ends(card)} is still to be laid." for card in sighting.due_cards]
    if sighting.wrong_card:
        lines.append(f"A strip lies from {_ends(sighting.wrong_card)}; no ship was sunk there.")
    return lines


def _ends(card: Iterable[Square]) -> str:
    first, *_, last = sorted(card)
    return f"{spoken(first)} to {spoken(last)}"


def spoken_lines(ledger: Ledger, done: Iterable[Done], sighting: Sighting) -> list[str]:
    """The lines for what was done, then for what could not be done or must be asked."""
    lines: list[str] = []
    for entry in done:
        for event in entry.events:
            if event.visible_to is None:
                lines += ledger.game.announce(entry.state, event)
    lines += _of_cards(sighting)
    if sighting.missed:
        names = ", ".join(spoken(s) for s in sighting.missed)
        lines.append(f"The last explosion is not cleared up: see to {names}.")
    if sighting.refused is not None:
        lines.append(sighting.refused.message)
    elif sighting.question is not None:
        lines.append(sighting.question.prompt)
    elif sighting.note == "set-up":
        lines.append("The board is empty again; the game has not begun.")
    return lines


def entries_of(ledger: Ledger, photo: int) -> tuple[Done, ...]:
    """What was done at a photograph, with what was told just before it."""
    return tuple(done for done in ledger.done if done.entry.photo == photo)


def photo_line(
    file: str, belief: Belief, photo: int, asked: Mapping[int, Question] | None = None
) -> dict[str, Any]:
    """One photograph as the interface has it.

    Args:
        file: its name.
        belief: the best line of belief.
        photo: its number.
        asked: what was asked of blanks, by photograph.
    """
    ledger, sighting = belief.ledger, belief.sightings[photo]
    if sighting.question is None and asked is not None and photo in asked:
        sighting = replace(sighting, question=asked[photo])
    question = with_choices(belief, sighting, ledger.game.info.most_tiles)
    done = entries_of(ledger, photo)
    view = ledger.game.view(done[-1].state if done else _state_at(ledger, photo), None)
    return {
        "file": file,
        "status": status_of(sighting),
        "play": play_of(belief, photo),
        **_plays(belief, photo),
        "question": question_json(question),
        "events": [event.to_json() for event in public_events(done)],
        "say": spoken_lines(ledger, done, sighting),
        **_refusal(sighting, belief.lying.rows),
        **_table(view),
    }


def status_of(sighting: Sighting) -> str:
    """A play that leaves a question open is a question for whoever waits for answers."""
    if sighting.question is not None and sighting.status == "play":
        return "question"
    return sighting.status


def _state_at(ledger: Ledger, photo: int) -> Any:
    before = [done for done in ledger.done if done.entry.photo <= photo]
    return before[-1].state if before else ledger.start


def _table(view: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {"board": list(view.get("board45") or view.get("board") or ())}
    for key in ("scores", "ship_count", "total_words", "to_move", "winner"):
        if view.get(key) is not None:
            out[key] = view[key]
    return out


def _refusal(sighting: Sighting, size: int) -> dict[str, Any]:
    refused = sighting.refused
    if refused is None:
        return {}
    squares = [name_of(s, size) for s in refused.squares]
    return {"refused": {"code": refused.code, "message": refused.message, "squares": squares}}


def play_of(belief: Belief, photo: int) -> dict[str, Any] | None:
    """Everything that a photograph showed, as one play; None if it showed nothing new."""
    sighting = belief.sightings[photo]
    refused = sighting.refused
    if refused is not None and refused.code == "not_a_word":
        words = [{"word": word} for word in refused.result.get("bad_words") or ()]
        play = _play_json(sighting.not_laid, sighting, (), belief.lying.rows)
        return {**play, "player": mover_of(belief, photo), "words": words, "legal": False}
    if not (sighting.laid or sighting.removed or sighting.turned or sighting.plays):
        return None
    done = [d for d in entries_of(belief.ledger, photo) if not d.entry.told]
    return _play_json(sighting.laid, sighting, done, belief.lying.rows)


def mover_of(belief: Belief, photo: int) -> str | None:
    """Whose turn it was at a photograph, where only one player may act."""
    view = belief.ledger.game.view(_state_at(belief.ledger, photo), None)
    mover = view.get("to_move")
    return mover if isinstance(mover, str) else None


def _play_json(
    laid: Mapping[Square, str], sighting: Sighting | None, done: Sequence[Done], size: int
) -> dict[str, Any]:
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
        "removed": [name_of(s, size) for s in sighting.removed] if sighting else [],
        "turned": [name_of(s, size) for s in sighting.turned] if sighting else [],
        "words": words,
        "turn_score": score,
    }


_NO_PLAY = ("pass", "withdraw", "challenge", "exchange", "tidy")


def _plays(belief: Belief, photo: int) -> dict[str, Any]:
    """The split of several plays between two photographs."""
    sighting = belief.sightings[photo]
    if sighting.status != "several":
        return {}
    laying = [
        d
        for d in entries_of(belief.ledger, photo)
        if not d.entry.told and d.entry.action.kind not in (*_NO_PLAY, "accept")
    ]
    size = belief.lying.rows
    if len(laying) != len(sighting.plays):
        return {"plays": []}
    return {
        "plays": [
            _play_json(
                {s: sighting.laid[s] for s in squares if s in sighting.laid}, None, [d], size
            )
            for squares, d in zip(sighting.plays, laying, strict=True)
        ]
    }


def question_json(question: Question | None) -> dict[str, Any] | None:
    """A question as the interface has it."""
    if question is None:
        return None
    return {
        "field": question.field,
        "square": question.square,
        "prompt": question.prompt,
        "choices": list(question.choices),
    }


def final_line(
    files: Sequence[str], belief: Belief, spoken: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The last line: every play as known at the end, and how the game stands.

    A photograph whose own line named a play that later ones took back is listed too, with what
    it is known to show now.
    """
    plays = []
    for photo, file in enumerate(files):
        play = play_of(belief, photo)
        if play is None and spoken[photo].get("play"):
            play = {
                "player": None,
                "tiles": {},
                "removed": [],
                "turned": [],
                "words": [],
                "turn_score": None,
                "note": belief.sightings[photo].note or "put right by later photographs",
            }
        if play is not None:
            plays.append({"file": file, **play, **_plays(belief, photo)})
    view = belief.ledger.game.view(belief.state, None)
    return {"final": {"plays": plays, **dict(view)}}
