"""Scrabble House (rules SH-1 to SH-31): two facing players a board, explosions, clocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from kibitz.engine.board.connection import check_free, check_line, parse_tiles, touches
from kibitz.engine.first_turn import decide_first
from kibitz.engine.games.scrabble_house import interpret as seeing
from kibitz.engine.games.scrabble_house import messages as saying
from kibitz.engine.games.scrabble_house import told
from kibitz.engine.games.scrabble_house.blast import explosion, folded, settling
from kibitz.engine.games.scrabble_house.events import evolved
from kibitz.engine.games.scrabble_house.explosion import is_good, read
from kibitz.engine.games.scrabble_house.info import INFO
from kibitz.engine.games.scrabble_house.one_board import OneBoard
from kibitz.engine.games.scrabble_house.state import (
    HOME,
    SIZE,
    TURNS,
    Board,
    HouseState,
    begin_table,
    grid_of,
    place_of,
    unannounced_draws,
)
from kibitz.engine.options import rules_at_once
from kibitz.engine.phrases import phrase
from kibitz.engine.rules import (
    Accepted,
    Action,
    Event,
    GameInfo,
    JsonValue,
    Refused,
    Verdict,
)
from kibitz.engine.table import Grid, Square, Tile
from kibitz.engine.words.formed import words_formed


class ScrabbleHouse:
    """The rules of Scrabble House."""

    info: ClassVar[GameInfo] = INFO
    begin = staticmethod(begin_table)
    interpret = staticmethod(seeing.candidates)
    evolve = staticmethod(evolved)
    announce = staticmethod(saying.lines)

    def one_board(self, index: int) -> OneBoard:
        """The rules seen from one of the two boards (SH-1)."""
        return OneBoard(self, index)

    def decide(self, state: HouseState, action: Action) -> Verdict:
        """Judge an action (SH-6 to SH-28)."""
        if state.over:
            return Refused("game_over", phrase("The game is over."))
        if action.player is not None and action.player not in state.players:
            return Refused(
                "unknown_player", f"There is no player {action.player!r} at this table."
            )
        settled = decide_first(state, action, untouched=state.untouched)
        if settled is not None:
            return told.with_openers(state, settled)
        decider = {
            "place": self._place,
            "challenge": told.challenge,
            "object": told.challenge,
            "accept": told.accept,
            "withdraw": told.withdraw,
            "tidy": seeing.decide_tidy,
            "pass": told.pass_turn,
            "exchange": told.exchange,
            "press_clock": told.press,
            "tick": told.tick,
            "flag_fall": told.flag,
            "draw_limit": told.limit,
            "draw": told.draw,
            "answer": told.answer,
            "end_game": told.end_game,
        }.get(action.kind)
        if decider is None:
            return Refused("unknown_action", f"Scrabble House knows no action {action.kind!r}.")
        return decider(state, action)

    # --- laying (SH-7 to SH-11) -------------------------------------------------------------

    def _place(self, state: HouseState, action: Action) -> Verdict:
        player = told.mover(state, action)
        if isinstance(player, Refused):
            return player
        if (early := told.clock_stands(state, action, player)) is not None:
            return early
        tiles = parse_tiles(action.data.get("tiles"))
        if isinstance(tiles, Refused):
            return tiles
        index, side = place_of(state, player)
        # The next play closes the window of the one before it (0.6).
        closing = [*told.opening(state, player), *settling(state, index)]
        state = folded(state, closing)
        if state.over or state.boards[index].result is not None:
            return Accepted(tuple(closing), {})
        board = state.boards[index]
        refused = self._check_laying(state, board, player, side, tiles)
        if refused:
            return refused
        # What a player lays is upright for that player; the letters are as that player sees them.
        new = {s: t.letter for s, t in tiles.items()}
        cells = {**board.cells, **{s: (x, side) for s, x in new.items()}}
        runs = words_formed(grid_of(cells), new)
        squares = tuple(sorted(tiles))
        if not runs:
            return Refused("no_word", phrase("That forms no word."), squares)
        word_of, lexicon = state.materials.tile_set.word_of, state.materials.lexicon
        read_as = [read(cells, r.squares, side) for r in runs]
        words = list(map(word_of, read_as))
        bad = [word_of(w) for w in read_as if not is_good(w, lexicon)]
        if bad and rules_at_once(state.options) and not action.data.get("forced"):
            message = phrase("{word} is not in the list.", word=bad[0])
            return Refused("not_a_word", message, squares, {"bad_words": bad})
        laid = self._laid(state, action, player, tiles, words)
        events = [*closing, laid, Event("words", {"words": words})]
        now = folded(state, [laid])
        look = bad or state.options["sh.look"] == "always"  # SH-11
        if (action.data.get("window") or ("open" if look else "closed")) == "open":
            return Accepted(tuple(events), {"pending_challenge": True, "words": words})
        blown, result = explosion(now, index)
        return Accepted((*events, *blown), {"words": words, **result})

    def _check_laying(
        self, state: HouseState, board: Board, player: str, side: str, tiles: Mapping[Square, Tile]
    ) -> Refused | None:
        grid = grid_of(board.cells)
        refused = check_free(grid, tiles) or check_line(grid, tiles)
        if refused:
            return refused
        squares = tuple(sorted(tiles))
        if any(s.row == HOME[side] for s in tiles):
            return None
        if player not in state.opened:  # SH-9
            message = phrase("The first play needs a tile on the own home row.")
            return Refused("first_play_home_row", message, squares)
        if state.options["sh.anchor"] == "own":  # SH-10
            own = {s: t for s, t in grid.tiles.items() if t.turn == TURNS[side]}
            if touches(Grid(SIZE, SIZE, own), tiles):
                return None
            return Refused("not_connected", phrase("That touches no own tile."), squares)
        if touches(grid, tiles):
            return None
        return Refused("not_connected", phrase("That does not touch anything."), squares)

    def _laid(
        self, state: HouseState, action: Action, player: str, tiles: Mapping[Square, Tile],
        words: list[str],
    ) -> Event:  # fmt: skip
        """Event of a play; its bonus tiles are told, seen or inferred."""
        index, _ = place_of(state, player)
        filled = unannounced_draws(state, index)[player]
        hand = state.hands[player].plus(filled)
        named = action.data.get("bonus")
        bonus = [s for s in sorted(tiles) if isinstance(named, (list, tuple)) and s.name in named]
        if named is None or len(bonus) > hand.other:
            short = min(hand.other, max(0, len(tiles) - hand.own))
            bonus = sorted(tiles)[len(tiles) - short :]
        own = len(tiles) - len(bonus)
        # Tiles that were not in hand came out of the bag as well.
        drawn = filled + min(max(0, own - hand.own), state.boards[index].bag - filled)
        data = {
            "player": player, "board": index, "tiles": {s.name: t.text for s, t in sorted(tiles.items())},
            "words": words, "bonus": [s.name for s in bonus], "drawn": drawn,
            "declined": state.options["sh.explode"] == "optional" and action.data.get("explode") is False,
        }  # fmt: skip
        return Event("_laid", data)

    def view(self, state: HouseState, viewer: str | None) -> Mapping[str, JsonValue]:
        """Public view with both boards, hands by colour and clocks; all is open (SH-4)."""
        return saying.view(state)


GAME = ScrabbleHouse()
