"""Frankenscrabbards (rules FS-1 to FS-24): nine boards, one team, as few plays as possible."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from kibitz.engine.board.connection import check_connected, check_free, check_line, parse_tiles
from kibitz.engine.games.frankenscrabbards import messages as saying
from kibitz.engine.games.frankenscrabbards.clusters import (
    Groups,
    groups_of,
    main_of,
    star_of,
)
from kibitz.engine.games.frankenscrabbards.events import evolved, folded
from kibitz.engine.games.frankenscrabbards.info import INFO
from kibitz.engine.games.frankenscrabbards.state import (
    FrankState,
    begin_table,
    free_stars,
    name_of,
)
from kibitz.engine.judging import NOTHING_WAITS, judged
from kibitz.engine.options import rules_at_once
from kibitz.engine.phrases import phrase
from kibitz.engine.rules import (
    Accepted,
    Action,
    Candidate,
    Change,
    Event,
    GameInfo,
    JsonValue,
    Refused,
    Verdict,
)
from kibitz.engine.table import BOARDS, UNKNOWN_BLANK, Square, Tile
from kibitz.engine.telling import exchange_count, name_blank, told_verdict
from kibitz.engine.words.formed import word_of, words_formed


class Frankenscrabbards:
    """The rules of Frankenscrabbards."""

    info: ClassVar[GameInfo] = INFO
    begin = staticmethod(begin_table)
    evolve = staticmethod(evolved)
    announce = staticmethod(saying.lines)

    def interpret(self, state: FrankState, change: Change) -> tuple[Candidate, ...]:
        """Possible meanings of a change: a play, the last play taken off, or both."""
        actions: list[Action] = []
        if change.removed:
            if state.last is None or set(change.removed) != set(state.last.squares) - set(
                change.added
            ):
                return ()
            actions.append(Action("withdraw"))
        if change.added:
            tiles = {name_of(s): x for s, x in sorted(change.added.items())}
            actions.append(Action("place", None, None, {"tiles": tiles}))
        return (Candidate(tuple(actions)),) if actions else ()

    def decide(self, state: FrankState, action: Action) -> Verdict:
        """Judge an action (FS-6 to FS-24)."""
        return judged(
            state,
            action,
            "Frankenscrabbards",
            _DECIDERS,
            after_end=("finish_game", "withdraw", "challenge"),
        )

    def view(self, state: FrankState, viewer: str | None) -> Mapping[str, JsonValue]:
        """The whole state: the players have no secrets."""
        return saying.view(state)


# --- laying tiles (FS-6 to FS-11) -----------------------------------------------------------


def _tiles_of(raw: JsonValue) -> dict[Square, Tile] | Refused:
    """Parse tiles on squares that name their board (FS-3)."""
    if isinstance(raw, Mapping) and (bare := [s for s in raw if ":" not in str(s)]):
        return Refused("bad_action", f"Expected board and square as '4:B8', got {bare[0]!r}.")
    return parse_tiles(raw)


def _check_laying(state: FrankState, tiles: Mapping[Square, Tile], player: str) -> Refused | None:
    """Check the geometry of a play on the joined grid, in the order of rule 0.7."""
    refused = check_free(state.grid, tiles) or check_line(state.grid, tiles)
    if refused:
        return refused
    squares = tuple(sorted(tiles))
    free = free_stars(state.grid)
    if free and not any(star_of(b) in tiles for b in free):  # FS-7
        message = phrase("Until all nine stars are covered a play must cover a free one.")
        return Refused("opening_needs_star", message, squares)
    if not free:  # FS-8
        refused = check_connected(state.grid, tiles)
        if refused:
            return refused
    if len(tiles) > state.counts[player]:
        message = phrase(
            "{player} holds {counts} tiles, not {tiles}.",
            player=player,
            counts=state.counts[player],
            tiles=len(tiles),
        )
        return Refused("not_on_rack", message, squares)
    return None


def _place(state: FrankState, action: Action) -> Verdict:
    player = action.player or state.to_move
    tiles = _tiles_of(action.data.get("tiles"))
    if isinstance(tiles, Refused):
        return tiles
    refused = _check_laying(state, tiles, player)
    if refused:
        return refused
    squares = tuple(sorted(tiles))
    grid = state.grid.with_tiles(tiles)
    runs = words_formed(grid, tiles)
    if not runs:
        return Refused("no_word", phrase("That forms no word."), squares)
    tile_set = state.materials.tile_set
    words = [word_of(grid, r, tile_set) for r in runs]
    bad = [w for w in words if not _good(state, w)]
    if bad and rules_at_once(state.options) and not action.data.get("forced"):
        message = phrase("{word} is not in the list.", word=bad[0])
        return Refused("not_a_word", message, squares, {"bad_words": bad})
    main_word = str(action.data.get("main_word") or words[0])  # FS-A9
    main_word = tile_set.word_of(tile_set.tiles_in(main_word))
    if main_word not in words:
        formed = ", ".join(words)
        return Refused("bad_action", f"{main_word} is not among the words formed: {formed}.")
    laid = {name_of(s): t.text for s, t in sorted(tiles.items())}
    events = [
        Event("_laid", {"player": player, "tiles": laid, "word": main_word, "words": words}),
        Event("word_counted", {"word": main_word, "n": state.total + 1}),
    ]
    free = free_stars(state.grid)
    covered = sorted(b for b in free if star_of(b) in tiles)
    if covered:
        left = len(free) - len(covered)
        events.append(Event("star_covered", {"boards": covered, "left": left}))
    before, groups = state.clusters, groups_of(grid, str(state.options["fs.connect"]))
    events += _joined(state, before, groups, player)
    now = folded(state, events)
    if not now.over and not now.bag and not any(now.counts.values()):
        events.append(Event("_abandoned", {}))  # FS-24
    result = {
        "main_word": main_word, "words": words, "total_words": now.total, "frank": now.frank,
        "clusters": [list(g) for g in groups], "turn_score": None,
    }  # fmt: skip
    return Accepted(tuple(events), result)


def _good(state: FrankState, word: str) -> bool:
    return UNKNOWN_BLANK in word or state.materials.is_word(word)


def _joined(state: FrankState, before: Groups, groups: Groups, player: str) -> list[Event]:
    """Events of connections, the Frank and the end (FS-15 to FS-20) between two groupings."""
    fresh = [g for g in groups if len(g) > 1 and g not in before]
    main = main_of(groups, state.main)
    events = [
        Event("connected", {"cluster": list(g)})
        for g in sorted(fresh, key=lambda g: (g != main, g))
    ]
    if len(main) > 1 and main != state.main:
        events.append(Event("frank", {"player": player, "changed": player != state.frank}))
        events.append(Event("_main", {"cluster": list(main), "player": player}))
        if len(main) == BOARDS:
            events.append(Event("final_frank", {"player": player}))
            events.append(Event("game_over", {"total_words": state.total + 1}))
    return events


# --- what is told besides (FS-5, FS-12, FS-24) ----------------------------------------------


def _pass(state: FrankState, action: Action) -> Verdict:
    mode = state.options["fs.exchange"]
    if mode == "off":
        return Refused("no_exchange", phrase("Pass and exchange are not allowed in this game."))
    player = action.player or state.to_move
    if action.kind == "exchange" and (fault := _exchange_fault(state, player, action)):
        return fault
    counts = mode == "counts"
    passed = Event("_passed", {"player": player, "counts": counts, "kind": action.kind})
    return Accepted((passed,), {"total_words": state.total + int(counts)})


def _exchange_fault(state: FrankState, player: str, action: Action) -> Refused | None:
    if "count" not in action.data and "tiles" not in action.data:
        return None  # how many does not matter here
    count = exchange_count(action, player, state.counts[player])
    if isinstance(count, Refused):
        return count
    if state.bag < count:
        return Refused(
            "bag_too_small",
            phrase("The bag holds {bag} tiles; {number} are needed.", bag=state.bag, number=count),
        )
    return None


def _answer(state: FrankState, action: Action) -> Verdict:
    """Judge the naming of a blank."""
    return name_blank(state.grid, action, state.materials.tile_set)


def _withdraw(state: FrankState, action: Action) -> Verdict:
    """Judge the withdrawal of a play for an invalid word noticed before the next (FS-A11)."""
    if state.last is None:
        message = phrase("Only the last play can be taken back, before the next.")
        return Refused("nothing_to_withdraw", message)
    removed = [name_of(s) for s in state.last.squares]
    void = Event("_void", {"squares": removed, "word": state.last.word})
    return Accepted((void,), {"removed": removed})


def _challenge(state: FrankState, action: Action) -> Verdict:
    if state.last is None:
        return NOTHING_WAITS
    runs = words_formed(state.grid, state.last.squares)
    words = (word_of(state.grid, run, state.materials.tile_set) for run in runs)
    bad = [word for word in words if not _good(state, word)]
    judged = told_verdict(action)
    if isinstance(judged, Refused):
        return judged
    upheld = bool(bad) if judged is None else not judged
    verdict = _withdraw(state, action)
    if upheld and isinstance(verdict, Accepted):
        return Accepted(verdict.events, {**verdict.result, "upheld": True})
    return Accepted((Event("_stands", {"word": state.last.word}),), {"upheld": False})


def _abandon(state: FrankState, action: Action) -> Verdict:
    """Judge the abandoning of a game, which is kept as unfinished (FS-24)."""
    return Accepted((Event("_abandoned", {}),), {"abandoned": True})


# --- records (FS-21 to FS-23) ---------------------------------------------------------------


def _compare(state: FrankState, action: Action) -> Verdict:
    """Compare a finished game with earlier records (FS-21 to FS-23)."""
    if state.abandoned:  # FS-24
        return Refused("unfinished", "An attempt that was abandoned is not compared.")
    d = action.data
    players = d.get("players", len(state.players))
    total = d.get("total_words", state.total)
    final = d.get("final_frank") or state.final_frank
    if type(players) is not int or type(total) is not int or not isinstance(final, str):
        return Refused("bad_action", "Expected players (a number), total_words and final_frank.")
    game_set = str(d.get("game_set", state.options["fs.game_set"]))
    own = [
        r
        for r in state.records
        if r.get("players") == players and str(r.get("game_set", game_set)) == game_set
    ]
    best = min((int(r["total_words"]) for r in own), default=None)
    holders = sorted(
        (str(r.get("date", "")), i, str(r["final_frank"]))
        for i, r in enumerate(own)
        if int(r["total_words"]) == best
    )
    record = {
        "players": players,
        "total_words": total,
        "final_frank": final,
        "date": str(d.get("date", state.date)),
        "game_set": game_set,
        "names": list(state.players),
        "words": [list(play) for play in state.words],
        "lexicon": str(state.options["lexicon"]),
    }
    if record in state.records:
        return Refused("recorded", "This game is in the records already.")
    result: dict[str, JsonValue] = {
        "new_record": best is None or total < best,
        "compared_with": best,
    }
    if best is not None and total > best:
        result["title_holder"] = holders[-1][2]
    else:
        result["title_holder"] = final
    if best is not None and total == best:
        result["tie"] = True
    return Accepted((Event("_recorded", {"record": record, "result": dict(result)}),), result)


_DECIDERS = {
    "place": _place,
    "pass": _pass,
    "exchange": _pass,
    "answer": _answer,
    "withdraw": _withdraw,
    "challenge": _challenge,
    "abandon": _abandon,
    "finish_game": _compare,
}

GAME = Frankenscrabbards()
