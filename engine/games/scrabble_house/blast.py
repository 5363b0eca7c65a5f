"""Consequences of a play in Scrabble House: explosions, tasks, winner (SH-12 to SH-25, SH-30)."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.engine.games.scrabble_house.events import evolved
from kibitz.engine.games.scrabble_house.explosion import chained, explode
from kibitz.engine.games.scrabble_house.state import (
    HousePlay,
    HouseState,
    partner_of,
    place_of,
    rows_from_cells,
    side_of_match,
)
from kibitz.engine.rules import Event, JsonValue


def folded(state: HouseState, events: list[Event]) -> HouseState:
    """The state after events."""
    for event in events:
        state = evolved(state, event)
    return state


def settling(state: HouseState, index: int) -> list[Event]:
    """Events that settle a play whose challenge window is open."""
    return explosion(state, index)[0] if state.boards[index].pending else []


def explosion(state: HouseState, index: int) -> tuple[list[Event], dict[str, JsonValue]]:
    """Events of the waiting play's explosion, and what scenarios say of it."""
    board = state.boards[index]
    play = board.pending
    if play is None:
        return [], {}
    side = place_of(state, play.player)[1]
    events: list[Event] = []
    if play.declined:
        settled = {"by": play.player, "board": index, "turned": [], "removed": []}
        events.append(Event("_settled", settled | {"kept": [], "tolerated": []}))
        result: dict[str, JsonValue] = {}
    else:
        events, result = _blown(state, index, play, side)
    after = folded(state, events).boards[index].cells
    result["board_after"] = rows_from_cells(after)
    if chained(after, side):
        events.append(won(state, index, play.player, "chain", play.player))
    return events, result


def _blown(
    state: HouseState, index: int, play: HousePlay, side: str
) -> tuple[list[Event], dict[str, JsonValue]]:
    """Events of an explosion, in the order in which they are announced."""
    lexicon, board = state.materials.lexicon, state.boards[index]

    def written(strings: Sequence[str]) -> list[str]:
        return list(map(state.materials.tile_set.word_of, strings))

    blast = explode(play.before.cells, play.new, side, lexicon, state.options)
    events: list[Event] = []
    turned = [s.name for s in blast.turned]
    if turned:
        events.append(Event("rotated", {"squares": turned, "board": index + 1}))
    for stage in blast.stages:
        tiles = [f"{s.name}{x}" for s, x in stage.tiles]
        strings = written(stage.words)
        events.append(Event("exploded", {"stage": stage.name, "tiles": tiles, "strings": strings}))
    if blast.mixed_words:
        events.append(Event("mixed_words", {"words": written(blast.mixed_words)}))
    if blast.removed:
        letters = "".join(sorted("?" if s in board.blanks else x for s, x in blast.removed))
        partner = partner_of(state, play.player)
        given = {"count": len(letters), "letters": letters, "partner": partner}
        events.append(Event("passed_to_partner", given))
    removed = [s.name for s, _ in blast.removed]
    events.append(
        Event("_settled", {
            "by": play.player, "board": index, "turned": turned, "removed": removed,
            "kept": written(blast.kept), "tolerated": written(blast.tolerated),
        })
    )  # fmt: skip
    kept, illegal = written(blast.kept), written(blast.illegal)
    return events, {"kept_leftovers": kept, "judged_illegal": illegal}


def won(state: HouseState, index: int, winner: str, reason: str, player: str) -> Event:
    """Event of a decided board, which decides the match unless both boards are played (SH-30).

    Args:
        state: the state before.
        index: the board.
        winner: who wins on this board.
        reason: `chain`, `time` or `challenge`.
        player: who got through, ran out of time, or laid the disputed words.
    """
    data: dict[str, JsonValue] = {"reason": reason, "winner": winner, "who": player}
    others = [b.result for i, b in enumerate(state.boards) if i != index]
    if state.options["sh.match_end"] == "both" and others:
        if others[0] is None:
            return Event("board_over", {"board": index + 1, **data})
        split = side_of_match(state, others[0]) != side_of_match(state, winner)
        data["winner"] = None if split else side_of_match(state, winner)
        return Event("game_over", data)
    return Event("game_over", {**data, "winner": side_of_match(state, winner)})
