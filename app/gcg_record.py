"""A game of Scrabble as its ledger has it, in the moves that the GCG format knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from app.ledger import Done, Ledger
from app.positions import rules_grid
from engine.gcg import GcgGame, GcgMove, play_word
from engine.rules import Event
from engine.table import Grid, parse_square, tile_from_text


def gcg_game(ledger: Ledger, names: Mapping[str, str] | None = None) -> GcgGame:
    """Every play, exchange, pass and take-back of a game, with scores and totals.

    Args:
        ledger: a game of Scrabble.
        names: full names of players; without one the name itself.
    """
    players = tuple((p, (names or {}).get(p, p)) for p in ledger.opening.players)
    moves = tuple(_moves(ledger))
    tiles = ledger.opening.materials.tile_set
    header = [("title", "Scrabble"), ("lexicon", _lexicon(ledger))]
    if tiles.language != "en":
        header.append(("tiles", tiles.language))
    return GcgGame(players, moves, tuple((k, v) for k, v in header if v))


def _lexicon(ledger: Ledger) -> str:
    return str(getattr(ledger.opening.materials.lexicon, "name", "") or "")


def _moves(ledger: Ledger) -> Iterator[GcgMove]:
    """Each move with the total after it, though one entry may bring about several."""
    state = ledger.start
    laid = 0
    for done in ledger.done:
        for move, after in _of_entry(ledger, done, state):
            score = move.score
            if move.kind == "play":
                laid = score
            elif move.kind == "withdrawn":
                score = -laid
            scores = dict(ledger.game.view(after, None)["scores"])
            yield replace(move, score=score, total=scores.get(move.player))
        state = done.state


def _of_entry(ledger: Ledger, done: Done, state: Any) -> Iterator[tuple[GcgMove, Any]]:
    """The moves of one entry, each with the state after it.

    The events tell more than the action that led to them.
    """
    if done.entry.action.kind in ("take_back", "set_position"):
        if player := done.verdict.result.get("player"):
            yield GcgMove(str(player), "withdrawn"), done.state
        return
    for event in done.events:
        before = rules_grid(ledger.game, state)
        state = ledger.game.evolve(state, event)
        if event.kind == "_end_racks":
            yield from ((move, state) for move in _racks(state, event))
        elif (move := _of_event(event, before)) is not None:
            yield move, state


def _of_event(event: Event, before: Grid) -> GcgMove | None:
    data = event.data
    player = str(data.get("player") or "")
    match event.kind:
        case "_played":
            tiles = {parse_square(s): tile_from_text(x) for s, x in data["tiles"].items()}
            square, axis, word = play_word(before, tiles)
            score = int(data["score"])
            return GcgMove(player, "play", square=square, axis=axis, word=word, score=score)
        case "_taken_off":
            return GcgMove(player, "withdrawn")
        case "_passed":
            return GcgMove(player, "pass")
        case "_exchanged":
            return GcgMove(player, "exchange", tiles=str(data["count"]))
        case "_stands" if data.get("award"):
            return GcgMove(player, "bonus", score=int(data["award"]))
        case "_stands" if data.get("loses_turn"):
            return GcgMove(str(data["challenger"]), "pass", note="Turn lost by a challenge.")
    return None


def _racks(state: Any, event: Event) -> Iterator[GcgMove]:
    """Points won or lost for tiles left; `?` stands for a rack that nobody told."""
    racks: Mapping[str, tuple[str, ...]] = getattr(state, "racks", {})
    for player, change in event.data["change"].items():
        if change:
            others = "".join("".join(r) for p, r in racks.items() if p != player)
            letters = others if change > 0 else "".join(racks.get(player, ()))
            yield GcgMove(str(player), "racks", tiles=letters or "?", score=int(change))
