"""Classic Scrabble (rules CL-1 to CL-19)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import ClassVar

from engine.connection import check_connected, check_free, check_line, parse_tiles
from engine.layouts import CENTRE
from engine.notation import spoken
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
from engine.scoring import RACK_SIZE, rack_bonus, word_score
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

INFO = GameInfo(
    slug="scrabble",
    title="Scrabble",
    players=(2, 3, 4),
    settings=(
        *common_settings(),
        Setting("cl.scoreless_limit", 6, "How many scoreless turns in a row end the game.", rule="CL-15", minimum=2, maximum=24),
        Setting("cl.exchange_min_bag", 7, "How many tiles the bag must hold for an exchange.", rule="CL-12", minimum=0, maximum=100),
        Setting("cl.endgame", "transfer", "Who gets the tiles left on racks: everybody's own loss and the sum to whoever went out, or twice the other's rack to whoever went out.", ("transfer", "double_to_out"), "CL-17"),
        Setting("cl.tie", "pre_rack", "Equal scores: the higher score before the racks wins, or a draw.", ("pre_rack", "draw"), "CL-18"),
    ),
    other_names=("classic",),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pending:
    """A play that may still be challenged (CL-14)."""

    player: str
    squares: tuple[Square, ...]
    words: tuple[str, ...]
    score: int
    rack_before: tuple[str, ...] | None
    bag_before: int


@dataclass(frozen=True, slots=True)
class ScrabbleState:
    """Where a game of Scrabble stands. Racks and the bag are kept as far as they are known."""

    players: tuple[str, ...]
    options: Options
    materials: Materials
    grid: Grid
    scores: Mapping[str, int]
    to_move: str
    bag: int
    counts: Mapping[str, int]
    racks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scoreless: int = 0
    pending: Pending | None = None
    skip: frozenset[str] = frozenset()
    plays: int = 0
    over: bool = False
    reason: str = ""
    winner: tuple[str, ...] = ()

    @property
    def may_act(self) -> frozenset[str]:
        """Whose turn it is."""
        return frozenset() if self.over else frozenset({self.to_move})


def next_player(state: ScrabbleState, after: str) -> str:
    """The player clockwise (CL-5)."""
    order = state.players
    return order[(order.index(after) + 1) % len(order)]


class Scrabble:
    """The rules of classic Scrabble."""

    info: ClassVar[GameInfo] = INFO

    def surfaces(self, players: tuple[str, ...], options: Options) -> tuple[SurfaceSpec, ...]:
        """One board (CL-1)."""
        return (SurfaceSpec("board", "board"),)

    def begin(
        self,
        players: tuple[str, ...],
        options: Options,
        materials: Materials,
        initial: Mapping[str, JsonValue] | None = None,
    ) -> ScrabbleState:
        """An empty board, or a position to go on from.

        Raises:
            ValueError: the number of players is not two to four, or the position is no position.
        """
        if len(players) not in INFO.players or len(set(players)) != len(players):
            raise ValueError(
                f"expected 2 to 4 different players, got {', '.join(players) or 'none'}"
            )
        start = initial or {}
        grid = grid_from_rows(start["board"]) if start.get("board") else Grid(15, 15)
        if (grid.rows, grid.cols) != (15, 15):
            raise ValueError(f"expected a board of 15 rows of 15, got {grid.rows} of {grid.cols}")
        total = 0
        letters = getattr(materials.tile_set, "letters", ())
        total = sum(materials.tile_set.count(x) for x in letters if x != UNKNOWN_BLANK)
        total += materials.tile_set.count(UNKNOWN_BLANK)
        racks = {p: tuple(r) for p, r in (start.get("racks") or {}).items()}
        full = max(0, (total or 100) - len(grid.tiles) - RACK_SIZE * len(players))
        bag = int(start.get("bag_count", full))
        held = min(RACK_SIZE, max(0, (total or 100) - len(grid.tiles) - bag) // len(players))
        return ScrabbleState(
            players=players,
            options=options,
            materials=materials,
            grid=grid,
            scores=MappingProxyType(
                {p: int((start.get("scores") or {}).get(p, 0)) for p in players}
            ),
            to_move=str(start.get("to_move") or players[0]),
            bag=bag,
            counts=MappingProxyType({p: len(racks[p]) if p in racks else held for p in players}),
            racks=MappingProxyType(racks),
            scoreless=int(start.get("scoreless_run", 0)),
            plays=1 if grid.tiles else 0,
        )

    # --- deciding ---------------------------------------------------------------------------

    def decide(self, state: ScrabbleState, action: Action) -> Verdict:
        """Judge an action (CL-4 to CL-18)."""
        if state.over:
            return Refused("game_over", "The game is over.")
        decider = {
            "place": self._place,
            "pass": self._pass,
            "exchange": self._exchange,
            "challenge": self._challenge,
            "answer": self._answer,
            "accept": self._accept,
            "withdraw": self._withdraw,
            "racks": self._racks,
            "end_game": self._end_game,
        }.get(action.kind)
        if decider is None:
            return Refused("unknown_action", f"Scrabble knows no action {action.kind!r}.")
        if action.player is not None and action.player not in state.players:
            return Refused(
                "unknown_player", f"There is no player {action.player!r} at this table."
            )
        return decider(state, action)

    def _turn_of(self, state: ScrabbleState, action: Action) -> str | Refused:
        player = action.player or state.to_move
        if player != state.to_move:
            return Refused("not_your_turn", f"It is {state.to_move}'s turn, not {player}'s.")
        return player

    def check_laying(self, state: ScrabbleState, tiles: Mapping[Square, Tile]) -> Refused | None:
        """The geometry of a play, in the order of rule 0.7."""
        refused = check_free(state.grid, tiles) or check_line(state.grid, tiles)
        if refused:
            return refused
        if not state.grid.tiles:  # CL-4
            if CENTRE not in tiles:
                return Refused(
                    "not_centre", "The first word must cross the star.", tuple(sorted(tiles))
                )
            if len(tiles) < 2:
                return Refused("one_tile_first", "The first play needs two tiles.", tuple(tiles))
            return None
        return check_connected(state.grid, tiles)

    def _place(self, state: ScrabbleState, action: Action) -> Verdict:
        player = self._turn_of(state, action)
        if isinstance(player, Refused):
            return player
        tiles = parse_tiles(action.data.get("tiles"))
        if isinstance(tiles, Refused):
            return tiles
        refused = self.check_laying(state, tiles)
        if refused:
            return refused
        rack = state.racks.get(player)
        if len(tiles) > RACK_SIZE or (rack is not None and not _holds(rack, tiles)):
            return Refused(
                "not_on_rack", f"{player} does not hold these tiles.", tuple(sorted(tiles))
            )
        grid = state.grid.with_tiles(tiles)
        runs = words_formed(grid, tiles)
        if not runs:
            return Refused("no_word", "That forms no word.", tuple(sorted(tiles)))
        new = frozenset(tiles)
        texts = [text_of(grid, r) for r in runs]
        points = [word_score(grid, r, new, state.materials.tile_set) for r in runs]
        words = [{"word": w, "score": s} for w, s in zip(texts, points, strict=True)]
        bad = [w for w in texts if not good_word(state, w)]
        forced = bool(action.data.get("forced"))
        if bad and state.options["reject_invalid"] and not forced:
            squares = tuple(sorted(tiles))
            return Refused(
                "not_a_word", f"{bad[0]} is not in the list.", squares, {"bad_words": bad}
            )
        bonus = rack_bonus(len(tiles))
        turn = sum(points) + bonus
        settled = self._settle(state)
        events = [
            Event("_played", {
                "player": player, "tiles": {s.name: t.text for s, t in sorted(tiles.items())},
                "words": words, "bonus": bonus, "score": turn,
                "invalid": bad,
            })
        ]  # fmt: skip
        if bonus:
            events.append(Event("bonus", {"points": bonus}))
        result: dict[str, JsonValue] = {"words": words, "bonus": bonus, "turn_score": turn}
        if state.options["reject_invalid"] or state.options["challenge"] == "void":
            events += self._after(settled, events, close=True)
        else:
            result["pending_challenge"] = True
            events += self._scoreless_end(settled, events)
        return Accepted(tuple(events), result)

    def _settle(self, state: ScrabbleState) -> ScrabbleState:
        """The state with no play pending: the next input closes the window (CL-14)."""
        return replace(state, pending=None)

    def _after(self, state: ScrabbleState, events: list[Event], *, close: bool) -> list[Event]:
        """The end of the game, if these events bring it about (CL-15, CL-16)."""
        now = state
        for event in events:
            now = self.evolve(now, event)
        more: list[Event] = []
        if close:
            more = [Event("_settled", {})]
            now = self.evolve(now, more[0])
        mover = now.players[(now.players.index(now.to_move) - 1) % len(now.players)]
        last = events[0].data.get("player", mover)
        if now.bag == 0 and now.counts.get(last, 1) == 0 and events[0].kind == "_played":
            return [*more, *self._finish(now, "out_of_tiles", str(last))]
        return [*more, *self._over_if_scoreless(now)]

    def _scoreless_end(self, state: ScrabbleState, events: list[Event]) -> list[Event]:
        now = state
        for event in events:
            now = self.evolve(now, event)
        return self._over_if_scoreless(now)

    def _over_if_scoreless(self, now: ScrabbleState) -> list[Event]:
        if now.scoreless >= int(now.options["cl.scoreless_limit"]):
            return self._finish(now, "scoreless_turns", None)
        return []

    def _finish(self, state: ScrabbleState, reason: str, out: str | None) -> list[Event]:
        """The end adjustment and the winner (CL-17, CL-18)."""
        value = state.materials.tile_set.value
        left = {
            p: sum(0 if x == UNKNOWN_BLANK else value(x) for x in state.racks.get(p, ()))
            for p in state.players
        }
        if out is not None:
            left[out] = 0
        change = {p: -left[p] for p in state.players}
        if (
            out is not None
            and state.options["cl.endgame"] == "double_to_out"
            and len(state.players) == 2
        ):
            change = dict.fromkeys(state.players, 0)
            change[out] = 2 * sum(left.values())
        elif out is not None:
            change[out] = sum(left.values())
        final = {p: state.scores[p] + change[p] for p in state.players}
        best = max(final.values())
        winner = [p for p in state.players if final[p] == best]
        if len(winner) > 1 and state.options["cl.tie"] == "pre_rack":
            before = max(state.scores[p] for p in winner)
            winner = [p for p in winner if state.scores[p] == before]
        return [
            Event("_end_racks", {"change": change, "out": out}),
            Event("game_over", {"reason": reason, "winner": winner}),
        ]

    def _close_window(self, state: ScrabbleState) -> list[Event]:
        """What follows when a pending play stands: the player may have gone out (CL-16)."""
        if state.pending is None:
            return []
        events = [Event("_settled", {})]
        if state.bag == 0 and state.counts.get(state.pending.player, 1) == 0:
            now = self.evolve(state, events[0])
            return [*events, *self._finish(now, "out_of_tiles", state.pending.player)]
        return events

    def _pass(self, state: ScrabbleState, action: Action) -> Verdict:
        player = self._turn_of(state, action)
        if isinstance(player, Refused):
            return player
        closing = self._close_window(state)
        if any(e.kind == "game_over" for e in closing):
            return Accepted(tuple(closing), {"turn_score": 0})
        events = [Event("_passed", {"player": player})]
        events += self._after(self._settle(state), events, close=True)
        return Accepted(tuple(events), {"turn_score": 0})

    def _exchange(self, state: ScrabbleState, action: Action) -> Verdict:
        player = self._turn_of(state, action)
        if isinstance(player, Refused):
            return player
        tiles = action.data.get("tiles") or ()
        count = action.data.get("count", len(tiles))
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= RACK_SIZE:
            return Refused("bad_action", f"Expected 1 to 7 tiles to exchange, got {count!r}.")
        least = int(state.options["cl.exchange_min_bag"])
        if state.bag < max(least, count):
            return Refused(
                "bag_too_small",
                f"The bag holds {state.bag} tiles; {max(least, count)} are needed for an exchange.",
            )
        if count > state.counts.get(player, RACK_SIZE):
            return Refused("bad_action", f"{player} holds only {state.counts[player]} tiles.")
        events = [Event("_exchanged", {"player": player, "count": count})]
        events += self._after(self._settle(state), events, close=True)
        return Accepted(tuple(events), {"turn_score": 0})

    def _challenge(self, state: ScrabbleState, action: Action) -> Verdict:
        pending = state.pending
        if pending is None:
            return Refused("nothing_to_challenge", "There is no play that may be challenged now.")
        challenger = action.player or state.to_move
        if challenger == pending.player:
            return Refused("own_play", "A player does not challenge the own play.")
        verdict = action.data.get("verdict")
        asked = [str(w).upper() for w in action.data.get("words") or pending.words]
        bad = [w for w in asked if not good_word(state, w)]
        if verdict in ("not_a_word", "valid"):
            bad = asked if verdict == "not_a_word" else []
        if bad:
            events = [
                Event("_taken_off", {"player": pending.player, "squares": [s.name for s in pending.squares], "words": bad, "challenger": challenger})
            ]  # fmt: skip
            events += self._after(state, events, close=True)
            removed = [s.name for s in pending.squares]
            return Accepted(tuple(events), {"upheld": True, "removed": removed, "turn_score": 0})
        mode = state.options["challenge"]
        award = int(mode) if mode in ("5", "10") else 0
        loses = mode == "double"
        events = [
            Event("_stands", {"player": pending.player, "challenger": challenger, "award": award, "loses_turn": loses, "words": list(pending.words)})
        ]  # fmt: skip
        now = self.evolve(state, events[0])
        if state.bag == 0 and state.counts.get(pending.player, 1) == 0:
            events += self._finish(now, "out_of_tiles", pending.player)
        result = {"upheld": False, "award": award, "challenger_loses_turn": loses}
        return Accepted(tuple(events), result)

    def _withdraw(self, state: ScrabbleState, action: Action) -> Verdict:
        """A pending play taken off without a word said: its turn is spent (CL-14)."""
        pending = state.pending
        if pending is None:
            return Refused("nothing_to_challenge", "There is no play that may be taken off now.")
        events = [
            Event("_taken_off", {"player": pending.player, "squares": [s.name for s in pending.squares], "words": list(pending.words), "challenger": None})
        ]  # fmt: skip
        events += self._after(state, events, close=True)
        return Accepted(
            tuple(events), {"removed": [s.name for s in pending.squares], "turn_score": 0}
        )

    def _accept(self, state: ScrabbleState, action: Action) -> Verdict:
        """The challenge window is closed: the play stands."""
        if state.pending is None:
            return Refused("nothing_to_challenge", "No play is waiting.")
        return Accepted(tuple(self._close_window(state)), {})

    def _answer(self, state: ScrabbleState, action: Action) -> Verdict:
        """A blank's letter (CL-3)."""
        if action.data.get("field") != "blank":
            return Refused(
                "bad_action", f"Expected field 'blank', got {action.data.get('field')!r}."
            )
        letter = str(action.data.get("value") or action.data.get("letter") or "").upper()
        try:
            square = parse_square(str(action.data.get("square")))
        except ValueError as e:
            return Refused("bad_action", str(e))
        tile = state.grid.get(square)
        if tile is None or not tile.blank:
            return Refused("no_blank", f"There is no blank on {square.name}.", (square,))
        if len(letter) != 1 or not letter.isalpha():
            return Refused(
                "bad_action",
                f"Expected one letter for the blank on {square.name}, got {letter!r}.",
            )
        return Accepted((Event("_blank_named", {"square": square.name, "letter": letter}),), {})

    def _racks(self, state: ScrabbleState, action: Action) -> Verdict:
        """Racks told or shown to the camera."""
        given = action.data.get("racks")
        if not isinstance(given, Mapping) or any(p not in state.players for p in given):
            return Refused(
                "bad_action", "Expected racks as {'Ann': ['A', 'E']} for players at the table."
            )
        racks = {p: [str(x) for x in r] for p, r in given.items()}
        return Accepted((Event("_racks_told", {"racks": racks}, frozenset(given)),), {})

    def _end_game(self, state: ScrabbleState, action: Action) -> Verdict:
        """People end the game: racks are counted, nobody went out unless told."""
        out = action.data.get("out")
        reason = "out_of_tiles" if out else "ended"
        now = self._settle(state)
        return Accepted((Event("_settled", {}), *self._finish(now, reason, out)), {})

    # --- evolving ---------------------------------------------------------------------------

    def evolve(self, state: ScrabbleState, event: Event) -> ScrabbleState:
        """The state after an event."""
        step = {
            "_played": self._on_played,
            "_settled": lambda s, _: replace(s, pending=None),
            "_passed": self._on_scoreless,
            "_exchanged": self._on_scoreless,
            "_taken_off": self._on_taken_off,
            "_stands": self._on_stands,
            "_blank_named": self._on_blank_named,
            "_racks_told": self._on_racks_told,
            "_end_racks": self._on_end_racks,
            "game_over": self._on_game_over,
        }.get(event.kind)
        return step(state, event) if step else state

    def _on_played(self, state: ScrabbleState, event: Event) -> ScrabbleState:
        d = event.data
        player = str(d["player"])
        tiles = parse_tiles(d["tiles"])
        if isinstance(tiles, Refused):
            return state
        rack = state.racks.get(player)
        held = state.counts.get(player, RACK_SIZE)
        drawn = min(state.bag, max(0, RACK_SIZE - (held - len(tiles))))
        racks = {**state.racks}
        if rack is not None:
            kept = list((Counter(rack) - Counter(_face(t) for t in tiles.values())).elements())
            racks[player] = tuple(kept)
            if drawn:  # what was drawn is not known
                racks.pop(player)
        words = tuple(str(w["word"]) for w in d["words"])
        score = int(d["score"])
        return replace(
            state,
            grid=state.grid.with_tiles(tiles),
            scores=MappingProxyType({**state.scores, player: state.scores[player] + score}),
            bag=state.bag - drawn,
            counts=MappingProxyType({**state.counts, player: max(0, held - len(tiles)) + drawn}),
            racks=MappingProxyType(racks),
            scoreless=0 if score > 0 else state.scoreless + 1,  # CL-A3
            pending=Pending(player, tuple(sorted(tiles)), words, score, rack, state.bag),
            plays=state.plays + 1,
            **self._moved_on(state, player),
        )

    def _moved_on(self, state: ScrabbleState, player: str) -> dict[str, JsonValue]:
        """The next to move; who lost a turn by a wrong challenge is passed over once."""
        nxt, skip = next_player(state, player), set(state.skip)
        while nxt in skip and nxt != player:
            skip.discard(nxt)
            nxt = next_player(state, nxt)
        return {"to_move": nxt, "skip": frozenset(skip)}

    def _on_scoreless(self, state: ScrabbleState, event: Event) -> ScrabbleState:
        player = str(event.data["player"])
        racks = {p: r for p, r in state.racks.items() if p != player or event.kind == "_passed"}
        return replace(
            state, scoreless=state.scoreless + 1, pending=None, racks=MappingProxyType(racks),
            **self._moved_on(state, player),
        )  # fmt: skip

    def _on_taken_off(self, state: ScrabbleState, event: Event) -> ScrabbleState:
        pending = state.pending
        if pending is None:
            return state
        racks = {**state.racks}
        if pending.rack_before is not None:
            racks[pending.player] = pending.rack_before
        held = (
            state.counts[pending.player] + len(pending.squares) - (pending.bag_before - state.bag)
        )
        return replace(
            state,
            grid=state.grid.without(pending.squares),
            scores=MappingProxyType(
                {**state.scores, pending.player: state.scores[pending.player] - pending.score}
            ),
            bag=pending.bag_before,
            counts=MappingProxyType({**state.counts, pending.player: held}),
            racks=MappingProxyType(racks),
            scoreless=state.scoreless + (1 if pending.score > 0 else 0),
            plays=state.plays - 1,
            pending=None,
        )

    def _on_stands(self, state: ScrabbleState, event: Event) -> ScrabbleState:
        d = event.data
        scores = {
            **state.scores,
            str(d["player"]): state.scores[str(d["player"])] + int(d["award"]),
        }
        state = replace(state, scores=MappingProxyType(scores), pending=None)
        if not d["loses_turn"]:
            return state
        challenger = str(d["challenger"])
        if challenger == state.to_move:
            moved = self._moved_on(state, challenger)
            return replace(state, scoreless=state.scoreless + 1, **moved)
        return replace(state, skip=state.skip | {challenger})

    def _on_blank_named(self, state: ScrabbleState, event: Event) -> ScrabbleState:
        square = parse_square(str(event.data["square"]))
        tile = Tile(str(event.data["letter"]), blank=True)
        pending = state.pending
        grid = state.grid.with_tiles({square: tile})
        if pending and square in pending.squares:
            words = tuple(text_of(grid, r) for r in words_formed(grid, pending.squares))
            pending = replace(pending, words=words)
        return replace(state, grid=grid, pending=pending)

    def _on_racks_told(self, state: ScrabbleState, event: Event) -> ScrabbleState:
        told = {p: tuple(r) for p, r in event.data["racks"].items()}
        counts = {**state.counts, **{p: len(r) for p, r in told.items()}}
        return replace(
            state, racks=MappingProxyType({**state.racks, **told}), counts=MappingProxyType(counts)
        )

    def _on_end_racks(self, state: ScrabbleState, event: Event) -> ScrabbleState:
        scores = {p: s + int(event.data["change"].get(p, 0)) for p, s in state.scores.items()}
        return replace(state, scores=MappingProxyType(scores))

    def _on_game_over(self, state: ScrabbleState, event: Event) -> ScrabbleState:
        winner = tuple(event.data.get("winner") or ())
        return replace(
            state, over=True, reason=str(event.data["reason"]), winner=winner, pending=None
        )

    # --- seeing, showing, saying ------------------------------------------------------------

    def interpret(self, state: ScrabbleState, change: Change) -> tuple[Candidate, ...]:
        """A play, a pending play taken off, or both (CL-5, CL-14)."""
        before: tuple[Action, ...] = ()
        pending = state.pending
        note = "play"
        if change.removed:
            if pending is None or set(change.removed) != set(pending.squares) - set(change.added):
                return ()
            before = (Action("withdraw"),)
            note = "taken back"
        if not change.added:
            return (Candidate(before, note),) if before else ()
        tiles = {s.name: x for s, x in sorted(change.added.items())}
        place = Action("place", None, None, {"tiles": tiles})
        return (Candidate((*before, place), f"{note} and play" if before else note),)

    def view(self, state: ScrabbleState, viewer: str | None) -> Mapping[str, JsonValue]:
        """Board, scores, whose turn, tiles unseen; only the viewer's own rack."""
        out: dict[str, JsonValue] = {
            "scores": dict(state.scores),
            "board": list(state.grid.text_rows()),
            "to_move": state.to_move,
            "may_act": sorted(state.may_act),
            "bag_count": state.bag,
            "scoreless_run": state.scoreless,
            "rack_counts": dict(state.counts),
            "pending_challenge": state.pending is not None,
            "unseen": unseen(state, viewer),
            "over": state.over,
            "winner": list(state.winner) if state.over else None,
        }
        if viewer is not None and viewer in state.racks:
            out["rack"] = list(state.racks[viewer])
        return out

    def announce(self, state: ScrabbleState, event: Event) -> tuple[str, ...]:
        """The lines of rule 7, and lines of our own for what it does not name."""
        d = event.data
        if event.kind == "_played":
            return say_play(state, event)
        if event.kind == "bonus":
            return ("All seven: fifty more.",)
        if event.kind == "_passed":
            return (f"{d['player']} passes.",)
        if event.kind == "_exchanged":
            return (f"{d['player']} exchanges {d['count']}.",)
        if event.kind == "_taken_off":
            word = d["words"][0] if d["words"] else "The play"
            return (f"{word} comes off.",)
        if event.kind == "_stands":
            lines = [f"{d['words'][0]} is good."] if d["words"] else ["The play stands."]
            if d["award"]:
                lines.append(f"{d['award']} more for {d['player']}.")
            if d["loses_turn"]:
                lines.append(f"{d['challenger']} loses a turn.")
            return tuple(lines)
        if event.kind == "_blank_named":
            return (f"The blank on {spoken(parse_square(str(d['square'])))} is {d['letter']}.",)
        if event.kind == "_end_racks":
            return say_racks(d)
        if event.kind == "game_over":
            return say_end(state)
        return ()


def good_word(state: ScrabbleState, word: str) -> bool:
    """Whether a string is a word; a blank not yet named may be any letter."""
    if UNKNOWN_BLANK in word:
        return True
    return word in state.materials.lexicon


def _face(tile: Tile) -> str:
    return UNKNOWN_BLANK if tile.blank else tile.letter


def _holds(rack: tuple[str, ...], tiles: Mapping[Square, Tile]) -> bool:
    return not Counter(_face(t) for t in tiles.values()) - Counter(rack)


def unseen(state: ScrabbleState, viewer: str | None) -> dict[str, int]:
    """How many of each letter lie neither on the board nor on the viewer's own rack."""
    tile_set = state.materials.tile_set
    letters = [x for x in getattr(tile_set, "letters", ()) if x != UNKNOWN_BLANK]
    left = Counter({x: tile_set.count(x) for x in (*letters, UNKNOWN_BLANK)})
    left.subtract(_face(t) for t in state.grid.tiles.values())
    left.subtract(state.racks.get(viewer or "", ()))
    return {x: n for x, n in left.items() if n > 0}


def say_play(state: ScrabbleState, event: Event) -> tuple[str, ...]:
    """Who plays what, for how much."""
    d = event.data
    words = [str(w["word"]) for w in d["words"]]
    lines = [f"{d['player']} plays {words[0]}."]
    lines += [f"with {w}." for w in words[1:]]
    lines.append(f"{d['score']} for {words[0]}; {state.scores[str(d['player'])]}.")
    return tuple(lines)


def say_racks(d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """What the racks change at the end."""
    change = {p: x for p, x in d["change"].items() if x}
    if not change:
        return (f"{d['out']} is out.",) if d.get("out") else ()
    parts = [
        f"{'plus' if x > 0 else 'minus'} {abs(x)} for {p}"
        for p, x in sorted(change.items(), key=lambda c: -c[1])
    ]
    first = f"{d['out']} is out. " if d.get("out") else ""
    return (f"{first}Racks: {', '.join(parts)}.",)


def say_end(state: ScrabbleState) -> tuple[str, ...]:
    """Who wins, by how much."""
    ranked = sorted(state.players, key=lambda p: -state.scores[p])
    scores = " to ".join(str(state.scores[p]) for p in ranked)
    if len(state.winner) == 1:
        return (f"{state.winner[0]} wins, {scores}.",)
    return (f"A draw, {scores}.",)


GAME = Scrabble()
