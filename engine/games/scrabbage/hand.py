"""The end of a hand of Scrabbage: last, the scrab, clean-up, the next deal (SB-24 to SB-32)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from kibitz.engine.board.connection import adrift, check_free, line_of, parse_tiles
from kibitz.engine.board.layouts import CENTRE
from kibitz.engine.games.scrabbage.events import folded
from kibitz.engine.games.scrabbage.state import DEALS, HAND, TARGET, ScrabbageState, team_of
from kibitz.engine.games.scrabbage.words import fragment_runs, is_blocked, scrab_points
from kibitz.engine.phrases import phrase
from kibitz.engine.rules import Accepted, Action, Event, Refused, Verdict
from kibitz.engine.table import UNKNOWN_BLANK, Square, Tile
from kibitz.engine.tiles.unseen import face_of
from kibitz.engine.words.formed import all_words_formed, word_of

PLAY_OVER = Refused("play_over", phrase("The play of this hand is over."))


def maybe_won(now: ScrabbageState, side: str) -> list[Event]:
    """Event of a win if a side has 121 (SB-30)."""
    if now.scores[side] >= TARGET:
        return [Event("game_over", {"reason": "121", "winner": [side]})]
    return []


def _last(state: ScrabbageState) -> list[Event]:
    """Events of the point for the last tile (SB-24), which may win."""
    if state.last_by is None:
        return [Event("_play_over", {})]
    last = Event("last", {"player": state.last_by, "points": 1})
    return [last, *maybe_won(folded(state, [last]), team_of(state.players, state.last_by))]


def played_out(state: ScrabbageState) -> bool:
    """True if all are out of tiles or stuck, so that the hand's play is over."""
    return all(state.tiles_left[p] <= 0 or p in state.stuck for p in state.players)


def _last_if_done(state: ScrabbageState) -> list[Event]:
    """Events of the last point, if it was not given yet."""
    if state.phase != "play":
        return []
    return _last(state) if played_out(state) else [Event("_play_over", {})]


def end_of_play(state: ScrabbageState, action: Action) -> Verdict:
    """Judge the statement that nobody lays another tile."""
    return PLAY_OVER if state.phase != "play" else Accepted(tuple(_last(state)), {})


def scrab(state: ScrabbageState, action: Action) -> Verdict:
    """Judge the dealer's scrab, laid at once; it may be empty (SB-A18)."""
    player = action.player or state.dealer
    if player != state.dealer:
        return Refused(
            "not_dealer", phrase("The scrab belongs to the dealer, {player}.", player=state.dealer)
        )
    if state.phase == "clean_up":
        return Refused("scrab_done", phrase("The scrab of this hand has been laid."))
    raw = action.data.get("tiles")
    tiles = {} if raw in ({}, [], ()) else parse_tiles(raw)
    if isinstance(tiles, Refused):
        return tiles
    refused = _check_scrab(state, tiles)
    if refused:
        return refused
    events = _last_if_done(state)
    now = folded(state, events)
    if now.over:
        return Accepted(tuple(events), {})
    squares = sorted(tiles)
    grid, tile_set = now.grid.with_tiles(tiles), now.materials.tile_set
    words, points = scrab_points(grid, squares, now.options, tile_set)
    laid = {s.name: tiles[s].text for s in squares}
    data = {"player": player, "tiles": laid, "words": words, "points": points}
    events.append(Event("_scrab", data))
    events += maybe_won(folded(state, events), team_of(state.players, player))
    return Accepted(tuple(events), {"words": words, "points": points, "turn_score": points})


def _check_scrab(state: ScrabbageState, tiles: Mapping[Square, Tile]) -> Refused | None:
    squares = tuple(sorted(tiles))
    refused = check_free(state.grid, squares)
    if refused:
        return refused
    if len(tiles) > HAND:
        return Refused("too_many", phrase("The scrab has four tiles."), squares)
    faces = Counter(face_of(t) for t in tiles.values())
    if state.scrab is not None and faces - Counter(state.scrab):
        return Refused("not_in_scrab", phrase("These tiles are not in the scrab."), squares)
    if tiles and state.options["sb.scrab_line"] == "single" and line_of(squares) is None:
        return Refused("not_in_line", phrase("The scrab lies in one line in this game."), squares)
    if tiles and not state.grid.tiles and CENTRE not in tiles:  # SB-8
        return Refused("not_centre", phrase("The first tile goes on the star."), squares)
    first = {CENTRE: tiles[CENTRE]} if tiles and not state.grid.tiles else {}
    # each hangs on the board directly or through others (SB-26)
    loose = tuple(sorted(adrift(state.grid.with_tiles(first), set(squares) - set(first))))
    if loose:
        return Refused("not_connected", phrase("A scrab tile does not hang on the board."), loose)
    grid = state.grid.with_tiles(tiles)
    runs = all_words_formed(grid, squares)
    words = [word_of(grid, run, state.materials.tile_set) for run in runs]
    bad = [w for w in words if UNKNOWN_BLANK not in w and not state.materials.is_word(w)]
    if bad:
        message = phrase("{word} is not in the list.", word=bad[0])
        return Refused("not_a_word", message, squares, {"bad_words": bad})
    return None


def end_of_hand(state: ScrabbageState, action: Action) -> Verdict:
    """Report fragments and pass the deal on; the game ends if the bag is short."""
    events = _last_if_done(state)
    now = folded(state, events)
    if now.over:
        return Accepted(tuple(events), {})
    penalty = int(state.options["sb.fragment_penalty"])
    lexicon = state.materials.lexicon
    for run, square in fragment_runs(now.grid, now.order, lexicon):
        owner = now.by[square]
        # Tiles that somebody else laid after the fragment's own last one (SB-15).
        later = [
            s for s, at in now.order.items()
            if at > now.order[square] and now.by[s] != owner
        ]  # fmt: skip
        if is_blocked(now.grid, run, lexicon, later):
            continue
        text = word_of(now.grid, run, now.materials.tile_set)
        data = {"player": owner, "text": text, "penalty": penalty}
        events.append(Event("fragment_left", data))
    events.append(Event("_hand_over", {}))
    return Accepted((*events, *_bag_short(folded(state, events))), {})


def working_on(state: ScrabbageState, action: Action) -> Verdict:
    """Tell which players are working on fragments, never what they mean to lay."""
    open_runs = fragment_runs(state.grid, state.order, state.materials.lexicon)
    owners = {state.by[square] for _, square in open_runs}
    # A tile that stands alone, the first of the game, is owed a word too (SB-13).
    owners |= {state.by[s] for s in state.order if len(state.grid.tiles) == 1}
    players = [p for p in state.players if p in owners]
    return Accepted((Event("_working", {"players": players}),), {"working": players})


def _bag_short(state: ScrabbageState) -> list[Event]:
    """Events of the end if there are too few tiles for a deal (SB-31)."""
    if state.bag >= DEALS[len(state.players)].need_in_bag:
        return []
    return [_over(state, "bag_short")]


def _over(state: ScrabbageState, reason: str) -> Event:
    """Event of an end before anybody has 121: most points win (SB-31)."""
    best = max(state.scores.values())
    winner = [s for s in state.scores if state.scores[s] == best]
    if len(winner) > 1 and state.options["sb.end_tie"] == "play_off":
        return Event("game_over", {"reason": reason, "winner": [], "needs": "play_off"})
    return Event("game_over", {"reason": reason, "winner": winner})


def end_game(state: ScrabbageState, action: Action) -> Verdict:
    """Judge an end by agreement, which counts as when the bag is short."""
    return Accepted((_over(state, "ended"),), {})


def draw(state: ScrabbageState, action: Action) -> Verdict:
    """Judge the deal of a new hand, if the bag holds enough."""
    if state.dealt:
        return Refused("already_drawn", phrase("The tiles of this hand have been drawn."))
    short = _bag_short(state)
    if short:
        return Accepted(tuple(short), {"legal": False})
    drawn = DEALS[len(state.players)].draw * len(state.players)
    return Accepted((Event("_drawn", {"count": drawn}),), {"drawn": drawn})
