"""Frankenscrabbards (rules FS-1 to FS-24): nine boards, one team, as few plays as possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from engine.connection import check_connected, check_free, check_line, parse_tiles
from engine.games.clusters import PANELS, groups_of, main_of, star_of
from engine.options import common_settings
from engine.rules import (
    Accepted,
    Action,
    Candidate,
    Change,
    Event,
    GameInfo,
    JsonValue,
    Materials,
    Options,
    Refused,
    Setting,
    Verdict,
)
from engine.table import (
    UNKNOWN_BLANK,
    Grid,
    Square,
    SurfaceSpec,
    Tile,
    grid_from_rows,
    parse_square,
)
from engine.words import text_of, words_formed

SIZE = 45

INFO = GameInfo(
    slug="frankenscrabbards",
    title="Frankenscrabbards",
    players=tuple(range(1, 21)),
    settings=(
        *common_settings(),
        Setting("fs.sets", 9, "How many sets of tiles are mixed.", rule="FS-1", minimum=1, maximum=20),
        Setting("fs.rack", 15, "How many tiles a player holds.", rule="FS-4", minimum=1, maximum=30),
        Setting("fs.refill", True, "Racks are filled up after each play.", (True, False), "FS-5"),
        Setting("fs.connect", "star_group", "Boards are joined by their star groups, or by any tiles across a seam.", ("star_group", "any_crossing"), "FS-14"),
        Setting("fs.exchange", "free", "Pass and exchange cost nothing, count as a play, or are not allowed.", ("free", "counts", "off"), "FS-12"),
        Setting("fs.game_set", "", "The name of the game set, for comparing records.", rule="FS-21"),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LastPlay:
    """The last play, which is void when a bad word is noticed before the next (FS-A11)."""

    squares: tuple[Square, ...]
    player: str
    before: tuple[int, tuple[int, ...], str | None]
    word: str


@dataclass(frozen=True, slots=True)
class FrankState:
    """The joined grid, the words counted, the clusters and the Frank."""

    players: tuple[str, ...]
    options: Options
    materials: Materials
    grid: Grid
    total: int
    words: tuple[tuple[str, str], ...]
    main: tuple[int, ...]
    frank: str | None
    to_move: str
    records: tuple[Mapping[str, JsonValue], ...] = ()
    last: LastPlay | None = None
    date: str = ""
    over: bool = False
    abandoned: bool = False
    final_frank: str | None = None

    @property
    def may_act(self) -> frozenset[str]:
        """Whose turn it is."""
        return frozenset() if self.over else frozenset({self.to_move})

    @property
    def clusters(self) -> tuple[tuple[int, ...], ...]:
        """Groups of boards with covered stars."""
        return groups_of(self.grid, str(self.options["fs.connect"]))


def name_of(square: Square) -> str:
    """`4:B8` (FS-3)."""
    return square.panel_name


class Frankenscrabbards:
    """The rules of Frankenscrabbards."""

    info: ClassVar[GameInfo] = INFO

    def surfaces(self, players: tuple[str, ...], options: Options) -> tuple[SurfaceSpec, ...]:
        """One grid of 45x45 squares (FS-1)."""
        return (SurfaceSpec("board", "board", rows=SIZE, cols=SIZE),)

    def begin(
        self,
        players: tuple[str, ...],
        options: Options,
        materials: Materials,
        initial: Mapping[str, JsonValue] | None = None,
    ) -> FrankState:
        """An empty grid, or a position to go on from.

        Raises:
            ValueError: no players, or the grid is not 45x45.
        """
        if not players or len(set(players)) != len(players):
            raise ValueError("expected at least one player, all with different names")
        start = initial or {}
        rows = start.get("board45") or start.get("board")
        grid = grid_from_rows(rows) if rows else Grid(SIZE, SIZE)
        if (grid.rows, grid.cols) != (SIZE, SIZE):
            raise ValueError(f"expected a grid of 45 rows of 45, got {grid.rows} of {grid.cols}")
        plays = list(start.get("plays") or ())
        total = int(start.get("plays_so_far", len(plays)))
        words = tuple((str(p.get("player")), str(p.get("word"))) for p in plays)
        groups = groups_of(grid, str(options["fs.connect"]))
        told = tuple(start.get("main_cluster") or ())
        turn = start.get("to_move") or players[total % len(players)]
        return FrankState(
            players=players, options=options, materials=materials, grid=grid, total=total, words=words,
            main=told or main_of(groups, ()), frank=start.get("frank"), to_move=str(turn),
            records=tuple(start.get("records") or ()), date=str(start.get("date", "")),
        )  # fmt: skip

    # --- deciding ---------------------------------------------------------------------------

    def decide(self, state: FrankState, action: Action) -> Verdict:
        """Judge an action (FS-6 to FS-24)."""
        if action.kind == "finish_game":
            return self._compare(state, action)
        if state.over:
            return Refused("game_over", "The game is over.")
        if action.player is not None and action.player not in state.players:
            return Refused(
                "unknown_player", f"There is no player {action.player!r} at this table."
            )
        decider = {
            "place": self._place,
            "pass": self._pass,
            "exchange": self._pass,
            "answer": self._answer,
            "withdraw": self._withdraw,
            "challenge": self._challenge,
            "abandon": self._abandon,
        }.get(action.kind)
        if decider is None:
            return Refused("unknown_action", f"Frankenscrabbards knows no action {action.kind!r}.")
        return decider(state, action)

    def _free_stars(self, grid: Grid) -> set[int]:
        return {b for b in range(1, PANELS + 1) if star_of(b) not in grid}

    def _place(self, state: FrankState, action: Action) -> Verdict:
        player = action.player or state.to_move
        tiles = parse_tiles(action.data.get("tiles"))
        if isinstance(tiles, Refused):
            return tiles
        refused = check_free(state.grid, tiles) or check_line(state.grid, tiles)
        if refused:
            return refused
        free = self._free_stars(state.grid)
        covered = sorted(b for b in free if star_of(b) in tiles)
        squares = tuple(sorted(tiles))
        if free and not covered:  # FS-7
            return Refused(
                "opening_needs_star",
                "Until all nine stars are covered a play must cover a free one.",
                squares,
            )
        if not free:  # FS-8
            refused = check_connected(state.grid, tiles)
            if refused:
                return refused
        if len(tiles) > int(state.options["fs.rack"]):
            return Refused(
                "not_on_rack", f"A rack holds {state.options['fs.rack']} tiles.", squares
            )
        grid = state.grid.with_tiles(tiles)
        runs = words_formed(grid, tiles)
        if not runs:
            return Refused("no_word", "That forms no word.", squares)
        words = [text_of(grid, r) for r in runs]
        bad = [w for w in words if UNKNOWN_BLANK not in w and w not in state.materials.lexicon]
        if bad and state.options["reject_invalid"] and not action.data.get("forced"):
            return Refused(
                "not_a_word", f"{bad[0]} is not in the list.", squares, {"bad_words": bad}
            )
        main_word = str(action.data.get("main_word") or words[0])
        if main_word not in words:
            return Refused(
                "bad_action",
                f"{main_word} is not among the words of the play: {', '.join(words)}.",
            )
        before = state.clusters
        total = state.total + 1
        events = [
            Event("_laid", {"player": player, "tiles": {name_of(s): t.text for s, t in sorted(tiles.items())}, "word": main_word, "words": words}),
            Event("word_counted", {"word": main_word, "n": total}),
        ]  # fmt: skip
        if covered:
            events.append(
                Event("star_covered", {"boards": covered, "left": len(free) - len(covered)})
            )
        now = self.evolve(state, events[0])
        events += self._joined(state, now, before, player)
        for event in events[1:]:
            now = self.evolve(now, event)
        result = {
            "main_word": main_word, "words": words, "total_words": total, "frank": now.frank,
            "clusters": [list(g) for g in now.clusters], "turn_score": None,
        }  # fmt: skip
        return Accepted(tuple(events), result)

    def _joined(
        self, state: FrankState, now: FrankState, before: tuple[tuple[int, ...], ...], player: str
    ) -> list[Event]:
        """Connections, the Frank, the end (FS-15 to FS-20)."""
        groups = now.clusters
        fresh = [g for g in groups if len(g) > 1 and g not in before]
        main = main_of(groups, state.main)
        events = [
            Event("connected", {"cluster": list(g)})
            for g in sorted(fresh, key=lambda g: (g != main, g))
        ]
        if len(main) > 1 and main != state.main:
            events.append(Event("frank", {"player": player, "changed": player != state.frank}))
            events.append(Event("_main", {"cluster": list(main), "player": player}))
            if len(main) == PANELS:
                events.append(Event("final_frank", {"player": player}))
                events.append(Event("game_over", {"total_words": now.total}))
        return events

    def _pass(self, state: FrankState, action: Action) -> Verdict:
        mode = state.options["fs.exchange"]
        if mode == "off":
            return Refused("no_exchange", "Pass and exchange are not allowed in this game.")
        player = action.player or state.to_move
        data = {"player": player, "counts": mode == "counts", "kind": action.kind}
        total = state.total + (1 if mode == "counts" else 0)
        return Accepted((Event("_passed", data),), {"total_words": total})

    def _answer(self, state: FrankState, action: Action) -> Verdict:
        letter = str(action.data.get("value") or action.data.get("letter") or "").upper()
        try:
            square = parse_square(str(action.data.get("square")))
        except ValueError as e:
            return Refused("bad_action", str(e))
        tile = state.grid.get(square)
        if tile is None or not tile.blank:
            return Refused("no_blank", f"There is no blank on {name_of(square)}.", (square,))
        if len(letter) != 1 or not letter.isalpha():
            return Refused("bad_action", f"Expected one letter, got {letter!r}.")
        return Accepted(
            (Event("_blank_named", {"square": name_of(square), "letter": letter}),), {}
        )

    def _withdraw(self, state: FrankState, action: Action) -> Verdict:
        """A bad word noticed before the next play: the play is void (FS-A11)."""
        if state.last is None:
            return Refused(
                "nothing_to_withdraw", "Only the last play can be taken back, before the next."
            )
        removed = [name_of(s) for s in state.last.squares]
        return Accepted(
            (Event("_void", {"squares": removed, "word": state.last.word}),), {"removed": removed}
        )

    def _challenge(self, state: FrankState, action: Action) -> Verdict:
        if state.last is None:
            return Refused("nothing_to_challenge", "There is no play that may be challenged now.")
        runs = words_formed(state.grid, state.last.squares)
        bad = [
            w for w in (text_of(state.grid, r) for r in runs) if w not in state.materials.lexicon
        ]
        if action.data.get("verdict") == "not_a_word" or bad:
            verdict = self._withdraw(state, action)
            if isinstance(verdict, Accepted):
                return Accepted(verdict.events, {**verdict.result, "upheld": True})
        return Accepted((), {"upheld": False})

    def _abandon(self, state: FrankState, action: Action) -> Verdict:
        """Nothing more can be done: kept as unfinished (FS-24)."""
        return Accepted((Event("_abandoned", {}),), {"abandoned": True})

    def _compare(self, state: FrankState, action: Action) -> Verdict:
        """A finished game against earlier records (FS-21 to FS-23)."""
        d = action.data
        players = d.get("players", len(state.players))
        total = d.get("total_words", state.total)
        final = d.get("final_frank") or state.final_frank
        if not isinstance(players, int) or not isinstance(total, int) or not final:
            return Refused(
                "bad_action", "Expected players (a number), total_words and final_frank."
            )
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
        }
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

    # --- evolving ---------------------------------------------------------------------------

    def evolve(self, state: FrankState, event: Event) -> FrankState:
        """The state after an event."""
        d = event.data
        match event.kind:
            case "_laid":
                tiles = parse_tiles(d["tiles"])
                if isinstance(tiles, Refused):
                    return state
                player = str(d["player"])
                last = LastPlay(
                    tuple(sorted(tiles)),
                    player,
                    (state.total, state.main, state.frank),
                    str(d["word"]),
                )
                return replace(
                    state, grid=state.grid.with_tiles(tiles), total=state.total + 1, last=last,
                    words=(*state.words, (player, str(d["word"]))), to_move=self._next(state, player),
                )  # fmt: skip
            case "_main":
                return replace(state, main=tuple(d["cluster"]), frank=str(d["player"]))
            case "_passed":
                total = state.total + (1 if d["counts"] else 0)
                return replace(
                    state, total=total, to_move=self._next(state, str(d["player"])), last=None
                )
            case "_blank_named":
                square = parse_square(str(d["square"]))
                return replace(
                    state, grid=state.grid.with_tiles({square: Tile(str(d["letter"]), blank=True)})
                )
            case "_void":
                void = state.last
                if void is None:
                    return state
                total, main, frank = void.before
                return replace(
                    state, grid=state.grid.without(void.squares), total=total, main=main, frank=frank,
                    words=state.words[:-1], to_move=void.player, last=None, over=False, final_frank=None,
                )  # fmt: skip
            case "final_frank":
                return replace(state, final_frank=str(d["player"]))
            case "game_over":
                return replace(state, over=True)
            case "_abandoned":
                return replace(state, over=True, abandoned=True)
            case "_recorded":
                return replace(state, records=(*state.records, d["record"]))
            case _:
                pass
        return state

    def _next(self, state: FrankState, after: str) -> str:
        order = state.players
        return order[(order.index(after) + 1) % len(order)]

    # --- seeing, showing, saying ------------------------------------------------------------

    def interpret(self, state: FrankState, change: Change) -> tuple[Candidate, ...]:
        """A play, the last play taken off, or both."""
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
        return (Candidate(tuple(actions), "play"),) if actions else ()

    def view(self, state: FrankState, viewer: str | None) -> Mapping[str, JsonValue]:
        """The grid, the count, clusters and the Frank: the group has no secrets from itself."""
        return {
            "board45": list(state.grid.text_rows()),
            "total_words": state.total,
            "words": [w for _, w in state.words],
            "main_cluster": list(state.main) if len(state.main) > 1 else [],
            "frank": state.frank,
            "final_frank": state.final_frank,
            "clusters": [list(g) for g in state.clusters],
            "stars_left": len(self._free_stars(state.grid)),
            "to_move": state.to_move,
            "may_act": sorted(state.may_act),
            "records": [dict(r) for r in state.records],
            "over": state.over,
            "abandoned": state.abandoned,
        }

    def announce(self, state: FrankState, event: Event) -> tuple[str, ...]:
        """The lines of rule 7."""
        d = event.data
        match event.kind:
            case "_laid":
                return (f"{d['player']} plays {d['word']}.",)
            case "word_counted":
                return (f"Word {d['n']}: {d['word']}.",)
            case "star_covered":
                boards = " and ".join(str(b) for b in d["boards"])
                return (f"Star of board {boards} covered, {d['left']} to go.",)
            case "connected":
                return (f"Boards {', '.join(str(b) for b in d['cluster'])} are joined.",)
            case "frank":
                return (f"{d['player']} {'is' if d['changed'] else 'stays'} the Frank.",)
            case "final_frank":
                return (
                    f"All nine joined in {state.total} words! {d['player']} is the Final Frank.",
                )
            case "_void":
                return (f"{d['word']} comes off; the play is void.",)
            case "_passed":
                return (f"{d['player']} {'passes' if d['kind'] == 'pass' else 'exchanges'}.",)
            case "_abandoned":
                return (f"The attempt is abandoned after {state.total} words.",)
            case "_recorded":
                return (self._say_record(event),)
            case _:
                pass
        return ()

    def _say_record(self, event: Event) -> str:
        result, record = event.data["result"], event.data["record"]
        if result["new_record"]:
            return f"A record for {record['players']} players."
        if result.get("tie"):
            return f"Level with the record; the title moves to {result['title_holder']}."
        return f"The record stays at {result['compared_with']}."


GAME = Frankenscrabbards()
