"""A game of Scrabble as kept, in the terms of a GCG file."""

from __future__ import annotations

from collections.abc import Mapping

from app.ledger import Done, Ledger
from engine.gcg import GcgGame, GcgMove, play_word
from engine.rules import Event
from engine.table import Grid, parse_square, tile_from_text


def gcg_game(ledger: Ledger) -> GcgGame:
    """Every play, withdrawal, exchange, pass, challenge bonus and end rack, in order."""
    moves: list[GcgMove] = []
    grid: Grid = getattr(ledger.start, "grid", Grid(15, 15))
    last_score: dict[str, int] = {}
    for done in ledger.done:
        for event in done.events:
            move = _move(done, event, grid, last_score)
            if move is None:
                continue
            moves.append(move)
            if move.kind == "play":
                last_score[move.player] = move.score
        if event_moves := [e for e in done.events if e.kind == "_end_racks"]:
            moves += _racks(done, event_moves[-1])
        grid = getattr(done.state, "grid", grid)
    players = tuple((name, name) for name in ledger.opening.players)
    return GcgGame(players, tuple(moves), (("lexicon", "Kibitz"),))


def _move(done: Done, event: Event, grid: Grid, last_score: Mapping[str, int]) -> GcgMove | None:
    d = event.data
    if event.kind == "_played":
        # A blank named later stands in the state, not in the event.
        after = getattr(done.state, "grid", grid)
        tiles = {parse_square(s): tile_from_text(x) for s, x in d["tiles"].items()}
        tiles = {s: after.get(s) or t for s, t in tiles.items()}
        square, axis, word = play_word(grid, tiles)
        return GcgMove(
            str(d["player"]), "play", square=square, axis=axis, word=word, score=int(d["score"])
        )
    if event.kind == "_taken_off":
        player = str(d["player"])
        return GcgMove(player, "withdrawn", score=-last_score.get(player, 0))
    if event.kind == "_exchanged":
        return GcgMove(str(d["player"]), "exchange", tiles=str(d["count"]))
    if event.kind == "_passed":
        return GcgMove(str(d["player"]), "pass")
    if event.kind == "_stands" and d.get("award"):
        return GcgMove(str(d["player"]), "bonus", score=int(d["award"]))
    return None


def _racks(done: Done, event: Event) -> list[GcgMove]:
    """Points for the tiles left, where there are any."""
    racks = getattr(done.state, "racks", {})
    out = []
    for player, change in event.data["change"].items():
        if change:
            others = "".join("".join(r) for p, r in racks.items() if p != player)
            letters = others if change > 0 else "".join(racks.get(player, ()))
            out.append(GcgMove(str(player), "racks", tiles=letters, score=int(change)))
    return out
