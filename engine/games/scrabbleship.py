"""ScrabbleShip (rules SS-1 to SS-35): Scrabble over hidden fleets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import ClassVar

from engine.connection import check_connected, check_free, check_line, parse_tiles
from engine.games.fleets import Fleet, check_fleet, parse_fleet, zone_of
from engine.games.scrabbleship_scoring import Shots, fire, score_play, ship_at
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
from engine.scoring import RACK_SIZE
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

KWYJIBO = "KWYJIBO"

INFO = GameInfo(
    slug="scrabbleship",
    title="ScrabbleShip",
    players=(2, 3, 4),
    settings=(
        *common_settings(reject_invalid=False),
        Setting("ss.sink_mode", 1, "A ship sinks with its first hit (1) or when all its squares are hit (2).", (1, 2), "SS-17"),
        Setting("ss.ship_bonus_scope", "through_hit", "Which words of a play a sunk ship multiplies.", ("through_hit", "main_word", "turn"), "SS-28"),
        Setting("ss.ship_bonus_stack", "multiply", "Several ships sunk by one word multiply, or are added first.", ("multiply", "add"), "SS-25"),
        Setting("ss.own_sunk_cancels", "all", "Sinking an own ship loses all ship bonuses of the play, or only its own.", ("all", "own"), "SS-27"),
        Setting("ss.own_penalty_per", "ship", "Ten points off for each own ship sunk, or once a turn.", ("ship", "turn"), "SS-26"),
        Setting("ss.kwyjibo", "multiplier", "KWYJIBO counts double, or its plain value once more, or is no word.", ("multiplier", "flat", "off"), "SS-12"),
        Setting("ss.reveal", "after_challenge", "Hits are revealed after the challenge window, or at once.", ("after_challenge", "immediate"), "SS-14"),
        Setting("ss.hit_names_ship", False, "A hit also names the kind of ship.", (True, False), "SS-15"),
        Setting("ss.premium_under_ship", "keep", "Premium squares under a ship's strip stay in force, or not.", ("keep", "void"), "SS-20"),
        Setting("ss.exchange_min_bag", 0, "How many tiles the bag must hold for an exchange.", rule="SS-10", minimum=0, maximum=100),
        Setting("ss.zones", "seating", "Which zone each player has: in seating order, or told as player to zone 1-4.", rule="SS-5"),
        Setting("ss.endgame_racks", False, "Tiles left on racks are deducted at the end.", (True, False), "SS-35"),
        Setting("ss.players3", False, "Three may play, with one of the four zones empty.", (True, False), "SS-A9"),
        Setting("ss.fleets", "entered", "Fleets are entered in secret, or the owners call hits themselves.", ("entered", "told"), "SS-A15"),
        Setting("ss.ships_may_touch", True, "Ships of a fleet may touch.", (True, False), "SS-A17"),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PendingPlay:
    """A play laid and not yet revealed (SS-14)."""

    player: str
    squares: tuple[Square, ...]
    words: tuple[str, ...]
    calls: Mapping[str, JsonValue]
    bag_before: int


@dataclass(frozen=True, slots=True)
class ShipState:
    """Where a game stands; fleets are secret and leave only through `view` to their owner."""

    players: tuple[str, ...]
    options: Options
    materials: Materials
    grid: Grid
    scores: Mapping[str, int]
    ship_count: Mapping[str, int]
    fleets: Mapping[str, Fleet]
    hits: frozenset[Square]
    sunk: tuple[tuple[str, str], ...]
    to_move: str
    bag: int
    counts: Mapping[str, int]
    pass_run: int = 0
    pending: PendingPlay | None = None
    cards: tuple[tuple[str, str, tuple[Square, ...]], ...] = ()
    laid_cards: frozenset[tuple[Square, ...]] = frozenset()
    ruled: Mapping[str, bool] = field(default_factory=dict)
    racks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    over: bool = False
    needs_judge: bool = False
    reason: str = ""
    winner: tuple[str, ...] = ()

    @property
    def may_act(self) -> frozenset[str]:
        """Whose turn it is."""
        return frozenset() if self.over else frozenset({self.to_move})


class ScrabbleShip:
    """The rules of ScrabbleShip."""

    info: ClassVar[GameInfo] = INFO

    def surfaces(self, players: tuple[str, ...], options: Options) -> tuple[SurfaceSpec, ...]:
        """One board on which ship cards may lie."""
        return (SurfaceSpec("board", "board", has_markers=True),)

    def begin(
        self,
        players: tuple[str, ...],
        options: Options,
        materials: Materials,
        initial: Mapping[str, JsonValue] | None = None,
    ) -> ShipState:
        """An empty board, or a position to go on from (SS-3).

        Raises:
            ValueError: `bad_player_count`, or the position is no position.
        """
        if len(players) not in (2, 4) and not (len(players) == 3 and options["ss.players3"]):
            raise ValueError(f"bad_player_count: expected 2 or 4 players, got {len(players)}")
        start = initial or {}
        grid = grid_from_rows(start["board"]) if start.get("board") else Grid(15, 15)
        fleets: dict[str, Fleet] = {}
        for player, raw in (start.get("fleets") or {}).items():
            fleet = parse_fleet(raw)
            if isinstance(fleet, Refused):
                raise ValueError(f"fleets.{player}: {fleet.message}")
            fleets[player] = fleet
        letters = getattr(materials.tile_set, "letters", ())
        full = sum(materials.tile_set.count(x) for x in letters) + materials.tile_set.count(
            UNKNOWN_BLANK
        )
        bag = int(
            start.get(
                "bag_count", max(0, (full or 100) - len(grid.tiles) - RACK_SIZE * len(players))
            )
        )
        zero = dict.fromkeys(players, 0)
        return ShipState(
            players=players,
            options=options,
            materials=materials,
            grid=grid,
            scores=MappingProxyType({**zero, **(start.get("scores") or {})}),
            ship_count=MappingProxyType({**zero, **(start.get("ship_count") or {})}),
            fleets=MappingProxyType(fleets),
            hits=frozenset(parse_square(s) for s in start.get("hits") or ()),
            sunk=tuple((str(o), str(s)) for o, s in start.get("sunk") or ()),
            to_move=str(start.get("to_move") or players[0]),
            bag=bag,
            counts=MappingProxyType(dict.fromkeys(players, RACK_SIZE)),
            pass_run=int(start.get("pass_run", 0)),
            racks=MappingProxyType({p: tuple(r) for p, r in (start.get("racks") or {}).items()}),
        )

    # --- deciding ---------------------------------------------------------------------------

    def decide(self, state: ShipState, action: Action) -> Verdict:
        """Judge an action (SS-4 to SS-34)."""
        if action.player is not None and action.player not in state.players:
            return Refused(
                "unknown_player", f"There is no player {action.player!r} at this table."
            )
        if action.kind == "judge_decision":
            return self._judge(state, action)
        if state.over:
            return Refused("game_over", "The game is over.")
        decider = {
            "enter_fleet": self._enter_fleet,
            "place": self._place,
            "pass": self._pass,
            "exchange": self._exchange,
            "challenge": self._challenge,
            "withdraw": self._withdraw,
            "accept": self._accept,
            "go_on": self._accept,
            "no_plays": self._no_plays,
            "answer": self._answer,
            "lay_card": self._lay_card,
        }.get(action.kind)
        if decider is None:
            return Refused("unknown_action", f"ScrabbleShip knows no action {action.kind!r}.")
        return decider(state, action)

    def _enter_fleet(self, state: ShipState, action: Action) -> Verdict:
        """A player's ships, in secret; fixed before the first play (SS-6)."""
        player = action.player
        if player is None:
            return Refused("bad_action", "Expected the player whose fleet this is.")
        if state.grid.tiles or state.pending:
            return Refused("fleets_fixed", "Fleets are fixed before the first play.")
        fleet = parse_fleet(action.data.get("fleet"))
        if isinstance(fleet, Refused):
            return fleet
        zone = zone_of(player, state.players, state.options)
        refused = check_fleet(fleet, zone, may_touch=bool(state.options["ss.ships_may_touch"]))
        if refused:
            return refused
        ships = {ship: [s.name for s in squares] for ship, squares in fleet.items()}
        return Accepted(
            (
                Event("_fleet_entered", {"player": player, "fleet": ships}, frozenset({player})),
                Event("_fleet_ready", {"player": player}),
            )
        )

    def _turn_of(self, state: ShipState, action: Action) -> str | Refused:
        player = action.player or state.to_move
        if player != state.to_move:
            return Refused("not_your_turn", f"It is {state.to_move}'s turn, not {player}'s.")
        return player

    def _good(self, state: ShipState, word: str) -> bool:
        """Whether a string is a word here (SS-11, SS-12)."""
        if UNKNOWN_BLANK in word:
            return True
        if word == KWYJIBO and state.options["ss.kwyjibo"] != "off":
            return True
        if word in state.ruled:
            return state.ruled[word]
        return word in state.materials.lexicon

    def _place(self, state: ShipState, action: Action) -> Verdict:
        player = self._turn_of(state, action)
        if isinstance(player, Refused):
            return player
        tiles = parse_tiles(action.data.get("tiles"))
        if isinstance(tiles, Refused):
            return tiles
        closing = self._close(state)
        now = self._folded(state, closing)
        if now.over:
            return Accepted(tuple(closing), {"turn_score": 0})
        refused = self._check_laying(now, tiles)
        if refused:
            return refused
        grid = now.grid.with_tiles(tiles)
        runs = words_formed(grid, tiles)
        if not runs:
            return Refused("no_word", "That forms no word.", tuple(sorted(tiles)))
        texts = [text_of(grid, r) for r in runs]
        bad = [w for w in texts if not self._good(now, w)]
        if bad and now.options["reject_invalid"] and not action.data.get("forced"):
            return Refused(
                "not_a_word",
                f"{bad[0]} is not in the list.",
                tuple(sorted(tiles)),
                {"bad_words": bad},
            )
        order = sorted(tiles)
        calls = action.data.get("calls") or {}
        laid = Event(
            "_laid",
            {
                "player": player,
                "tiles": {s.name: tiles[s].text for s in order},
                "words": texts,
                "calls": calls,
            },
        )
        coordinates = Event(
            "coordinates",
            {"squares": [s.name for s in order], "letters": [tiles[s].letter for s in order]},
        )
        events = [*closing, coordinates, laid]
        now = self.evolve(now, laid)
        # Words that are all in the list cannot be challenged away: their window closes at once.
        window = action.data.get("window") or ("open" if bad else "closed")
        if window == "open" and now.options["ss.reveal"] == "after_challenge":
            plain = [
                {"word": w, "score": s}
                for w, s in zip(texts, self._plain_scores(now, runs), strict=True)
            ]
            return Accepted(tuple(events), {"pending_challenge": True, "words": plain})
        revealed, result = self._reveal(now)
        if window == "open":
            result = {**result, "pending_challenge": True}
        return Accepted((*events, *revealed), result)

    def _plain_scores(self, state: ShipState, runs: tuple[object, ...]) -> list[int]:
        pending = state.pending
        if pending is None:
            return []
        scored = score_play(
            state.grid,
            pending.squares,
            Shots((), (), ()),
            pending.player,
            state.options,
            state.materials.tile_set,
            state.laid_cards,
        )
        return [score for _, score in scored.words]

    def _check_laying(self, state: ShipState, tiles: Mapping[Square, Tile]) -> Refused | None:
        refused = check_free(state.grid, tiles) or check_line(state.grid, tiles)
        if refused:
            return refused
        if len(tiles) > RACK_SIZE:
            return Refused("not_on_rack", "A rack holds seven tiles.", tuple(sorted(tiles)))
        if state.grid.tiles:
            return check_connected(state.grid, tiles)
        if CENTRE not in tiles:  # SS-8
            return Refused(
                "not_centre", "The first word must cross the star.", tuple(sorted(tiles))
            )
        if len(tiles) < 2:
            return Refused("one_tile_first", "The first play needs two tiles.", tuple(tiles))
        return None

    def _reveal(self, state: ShipState) -> tuple[list[Event], dict[str, JsonValue]]:
        """Hits and misses, sinkings, score (SS-14 to SS-30) of the pending play."""
        pending = state.pending
        if pending is None:
            return [], {}
        told = pending.calls if state.options["ss.fleets"] == "told" else None
        shots = fire(
            pending.squares,
            state.fleets,
            state.hits,
            state.sunk,
            int(state.options["ss.sink_mode"]),
            told,
        )
        events = [self._call(state, call) for call in shots.calls]
        for owner, ship, squares in shots.sunk:
            own = owner == pending.player
            events.append(
                Event("sunk", {"owner": owner, "ship": ship, "by": pending.player, "own": own})
            )
            events.append(
                Event(
                    "ship_tile",
                    {"ship": ship, "owner": owner, "squares": [s.name for s in squares]},
                )
            )
        scored = score_play(
            state.grid,
            pending.squares,
            shots,
            pending.player,
            state.options,
            state.materials.tile_set,
            state.laid_cards,
        )
        if scored.bonus:
            events.append(Event("bonus", {"points": scored.bonus}))
        if scored.penalty:
            events.append(
                Event("own_ship_penalty", {"player": pending.player, "points": -scored.penalty})
            )
        words = [{"word": w, "score": s} for w, s in scored.words]
        events.append(
            Event("_scored", {
                "player": pending.player, "score": scored.turn, "words": words, "count": scored.count_delta,
                "hits": [c.square.name for c in shots.calls if c.kind == "hit"],
                "sunk": [[o, s] for o, s, _ in shots.sunk],
            })
        )  # fmt: skip
        events += self._ended(self._folded(state, events), pending.player)
        result = {
            "words": words,
            "bonus": scored.bonus,
            "turn_score": scored.turn,
            "ship_count_delta": scored.count_delta,
        }
        return events, result

    def _call(self, state: ShipState, call: object) -> Event:
        kind, square, owner, ship = call.kind, call.square, call.owner, call.ship  # type: ignore[attr-defined]
        data: dict[str, JsonValue] = {"square": square.name}
        if kind != "miss":
            data["owner"] = owner
        if kind == "already_sunk" or (kind == "hit" and state.options["ss.hit_names_ship"]):
            data["ship"] = ship
        return Event(kind, data)

    def _folded(self, state: ShipState, events: list[Event]) -> ShipState:
        for event in events:
            state = self.evolve(state, event)
        return state

    def _close(self, state: ShipState) -> list[Event]:
        """The next input closes the challenge window (SS-14)."""
        return self._reveal(state)[0] if state.pending else []

    def _ended(self, state: ShipState, player: str | None) -> list[Event]:
        """Whether the game is over after this turn (SS-33)."""
        n = len(state.players)
        if state.fleets and state.options["ss.fleets"] == "entered":
            afloat = [
                p for p in state.fleets if any((p, s) not in state.sunk for s in state.fleets[p])
            ]
            if len(afloat) <= 1 and len(state.fleets) == n:
                return [self._over(state, "one_fleet_left")]
        if player is not None and state.bag == 0 and state.counts[player] == 0:
            return [self._over(state, "out_of_tiles")]
        if state.pass_run >= 2 * n:
            return [self._over(state, "all_passed_twice")]
        return []

    def _over(self, state: ShipState, reason: str) -> Event:
        """Ships first, then points, then a judge (SS-34)."""
        points = dict(state.scores)
        if state.options["ss.endgame_racks"]:
            for p, rack in state.racks.items():
                points[p] -= sum(state.materials.tile_set.value(x) for x in rack)
        rank = {p: (state.ship_count[p], points[p]) for p in state.players}
        best = max(rank.values())
        winner = [p for p in state.players if rank[p] == best]
        if len(winner) == 1:
            return Event("game_over", {"reason": reason, "winner": winner})
        return Event("game_over", {"reason": reason, "winner": None, "needs": "judge"})

    def _pass(self, state: ShipState, action: Action) -> Verdict:
        player = self._turn_of(state, action)
        if isinstance(player, Refused):
            return player
        events = [*self._close(state)]
        now = self._folded(state, events)
        if not now.over:
            events.append(Event("_passed", {"player": player}))
            events += self._ended(self._folded(now, events[-1:]), None)
        return Accepted(tuple(events), {"turn_score": 0})

    def _exchange(self, state: ShipState, action: Action) -> Verdict:
        player = self._turn_of(state, action)
        if isinstance(player, Refused):
            return player
        count = action.data.get("count", len(action.data.get("tiles") or ()))
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= RACK_SIZE:
            return Refused("bad_action", f"Expected 1 to 7 tiles to exchange, got {count!r}.")
        least = max(int(state.options["ss.exchange_min_bag"]), count)
        if state.bag < least:
            return Refused(
                "bag_too_small", f"The bag holds {state.bag} tiles; {least} are needed."
            )
        events = [*self._close(state)]
        if not self._folded(state, events).over:
            events.append(Event("_exchanged", {"player": player, "count": count}))
        return Accepted(tuple(events), {"turn_score": 0})

    def _challenge(self, state: ShipState, action: Action) -> Verdict:
        """Before anything is revealed (SS-13, SS-14); the judge's verdict overrules the list."""
        pending = state.pending
        if pending is None:
            return Refused("nothing_to_challenge", "There is no play that may be challenged now.")
        if action.player == pending.player:
            return Refused("own_play", "A player does not challenge the own play.")
        verdict = action.data.get("verdict")
        asked = [str(w).upper() for w in action.data.get("words") or pending.words]
        bad = [w for w in asked if not self._good(state, w)]
        if verdict == "not_a_word":
            bad = bad or asked
        elif verdict in ("valid", "word", "good", "upheld"):
            bad = []
        if bad:
            removed = [s.name for s in pending.squares]
            events = (
                Event("_taken_off", {"player": pending.player, "squares": removed, "words": bad}),
            )
            return Accepted(events, {"upheld": True, "removed": removed, "turn_score": 0})
        revealed, result = self._reveal(state)
        stands = Event("_stands", {"words": list(pending.words)})
        return Accepted((stands, *revealed), {"upheld": False, **result})

    def _withdraw(self, state: ShipState, action: Action) -> Verdict:
        pending = state.pending
        if pending is None:
            return Refused("nothing_to_challenge", "There is no play that may be taken off now.")
        removed = [s.name for s in pending.squares]
        event = Event(
            "_taken_off",
            {"player": pending.player, "squares": removed, "words": list(pending.words)},
        )
        return Accepted((event,), {"removed": removed, "turn_score": 0})

    def _accept(self, state: ShipState, action: Action) -> Verdict:
        if state.pending is None:
            return Refused("nothing_to_challenge", "No play is waiting.")
        events, result = self._reveal(state)
        return Accepted(tuple(events), result)

    def _no_plays(self, state: ShipState, action: Action) -> Verdict:
        events = [*self._close(state)]
        now = self._folded(state, events)
        if not now.over:
            events.append(self._over(now, "no_plays"))
        return Accepted(tuple(events), {})

    def _judge(self, state: ShipState, action: Action) -> Verdict:
        """The judge's choice of winner (SS-34), or a ruling on a word (SS-11)."""
        word = action.data.get("word")
        if word is not None:
            good = bool(action.data.get("valid", action.data.get("verdict") != "not_a_word"))
            return Accepted((Event("_word_ruled", {"word": str(word).upper(), "good": good}),), {})
        winner = action.data.get("winner")
        if not state.needs_judge:
            return Refused("no_judge_needed", "There is nothing for the judge to decide.")
        if winner not in state.players:
            return Refused(
                "unknown_player", f"Expected one of {', '.join(state.players)}, got {winner!r}."
            )
        return Accepted((Event("_judged", {"winner": [winner]}),), {"winner": [winner]})

    def _answer(self, state: ShipState, action: Action) -> Verdict:
        """A blank's letter."""
        letter = str(action.data.get("value") or action.data.get("letter") or "").upper()
        try:
            square = parse_square(str(action.data.get("square")))
        except ValueError as e:
            return Refused("bad_action", str(e))
        tile = state.grid.get(square)
        if tile is None or not tile.blank:
            return Refused("no_blank", f"There is no blank on {square.name}.", (square,))
        if len(letter) != 1 or not letter.isalpha():
            return Refused("bad_action", f"Expected one letter, got {letter!r}.")
        return Accepted((Event("_blank_named", {"square": square.name, "letter": letter}),), {})

    def _lay_card(self, state: ShipState, action: Action) -> Verdict:
        """A sunk ship's strip has been laid (SS-20)."""
        try:
            squares = tuple(sorted(parse_square(str(s)) for s in action.data.get("squares") or ()))
        except ValueError as e:
            return Refused("bad_action", str(e))
        if not any(tuple(sorted(card)) == squares for _, _, card in state.cards):
            return Refused("wrong_place", "No strip is to be laid there.", squares)
        return Accepted((Event("_card_laid", {"squares": [s.name for s in squares]}),), {})

    # --- evolving ---------------------------------------------------------------------------

    def evolve(self, state: ShipState, event: Event) -> ShipState:
        """The state after an event."""
        d = event.data
        match event.kind:
            case "_fleet_entered":
                fleet = parse_fleet(d["fleet"])
                if isinstance(fleet, Refused):
                    return state
                return replace(
                    state, fleets=MappingProxyType({**state.fleets, str(d["player"]): fleet})
                )
            case "_laid":
                return self._on_laid(state, event)
            case "ship_tile":
                card = (
                    str(d["owner"]),
                    str(d["ship"]),
                    tuple(parse_square(s) for s in d["squares"]),
                )
                return replace(state, cards=(*state.cards, card))
            case "_card_laid":
                squares = tuple(sorted(parse_square(s) for s in d["squares"]))
                return replace(
                    state, cards=tuple(c for c in state.cards if tuple(sorted(c[2])) != squares),
                    laid_cards=state.laid_cards | {squares},
                )  # fmt: skip
            case "_scored":
                player = str(d["player"])
                return replace(
                    state,
                    scores=MappingProxyType(
                        {**state.scores, player: state.scores[player] + int(d["score"])}
                    ),
                    ship_count=MappingProxyType(
                        {**state.ship_count, player: state.ship_count[player] + int(d["count"])}
                    ),
                    hits=state.hits | {parse_square(s) for s in d["hits"]},
                    sunk=(*state.sunk, *((str(o), str(s)) for o, s in d["sunk"])),
                    pending=None,
                )
            case "_taken_off":
                return self._on_taken_off(state)
            case "_passed":
                return replace(
                    state, pass_run=state.pass_run + 1, to_move=self._next(state, str(d["player"]))
                )
            case "_exchanged":
                return replace(state, pass_run=0, to_move=self._next(state, str(d["player"])))
            case "_blank_named":
                square = parse_square(str(d["square"]))
                return replace(
                    state, grid=state.grid.with_tiles({square: Tile(str(d["letter"]), blank=True)})
                )
            case "_word_ruled":
                return replace(
                    state, ruled=MappingProxyType({**state.ruled, str(d["word"]): bool(d["good"])})
                )
            case "game_over":
                winner = tuple(d.get("winner") or ())
                return replace(
                    state,
                    over=True,
                    reason=str(d["reason"]),
                    winner=winner,
                    needs_judge=not winner,
                )
            case "_judged":
                return replace(state, winner=tuple(d["winner"]), needs_judge=False)
            case _:
                pass
        return state

    def _next(self, state: ShipState, after: str) -> str:
        order = state.players
        return order[(order.index(after) + 1) % len(order)]

    def _on_laid(self, state: ShipState, event: Event) -> ShipState:
        d = event.data
        player = str(d["player"])
        tiles = parse_tiles(d["tiles"])
        if isinstance(tiles, Refused):
            return state
        held = state.counts[player] - len(tiles)
        drawn = min(state.bag, max(0, RACK_SIZE - held))
        return replace(
            state,
            grid=state.grid.with_tiles(tiles),
            pending=PendingPlay(
                player, tuple(sorted(tiles)), tuple(d["words"]), d["calls"], state.bag
            ),
            bag=state.bag - drawn,
            counts=MappingProxyType({**state.counts, player: max(0, held) + drawn}),
            pass_run=0,
            to_move=self._next(state, player),
        )

    def _on_taken_off(self, state: ShipState) -> ShipState:
        pending = state.pending
        if pending is None:
            return state
        drawn = pending.bag_before - state.bag
        held = state.counts[pending.player] - drawn + len(pending.squares)
        return replace(
            state, grid=state.grid.without(pending.squares), bag=pending.bag_before, pending=None,
            counts=MappingProxyType({**state.counts, pending.player: held}),
        )  # fmt: skip

    # --- seeing, showing, saying ------------------------------------------------------------

    def interpret(self, state: ShipState, change: Change) -> tuple[Candidate, ...]:
        """Cards laid, a play, a pending play taken off, or several of these."""
        wanted = {tuple(sorted(c[2])) for c in state.cards}
        laid = [
            Action("lay_card", None, None, {"squares": [s.name for s in m]})
            for m in change.markers
            if tuple(sorted(m)) in wanted
        ]
        actions: list[Action] = list(laid)
        if change.removed:
            pending = state.pending
            if pending is None or set(change.removed) != set(pending.squares) - set(change.added):
                return ()
            actions.append(Action("withdraw"))
        if change.added:
            tiles = {s.name: x for s, x in sorted(change.added.items())}
            actions.append(Action("place", None, None, {"tiles": tiles}))
        if not actions:
            return ()
        only_cards = len(actions) == len(laid)
        return (
            Candidate(tuple(actions), "card laid" if only_cards else "play", task_done=only_cards),
        )

    def view(self, state: ShipState, viewer: str | None) -> Mapping[str, JsonValue]:
        """Everything open; of the fleets only the viewer's own (and all when the game is over)."""
        out: dict[str, JsonValue] = {
            "scores": dict(state.scores),
            "ship_count": dict(state.ship_count),
            "board": list(state.grid.text_rows()),
            "to_move": state.to_move,
            "may_act": sorted(state.may_act),
            "bag_count": state.bag,
            "rack_counts": dict(state.counts),
            "pass_run": state.pass_run,
            "hits": sorted(s.name for s in state.hits),
            "sunk": sorted([o, s] for o, s in state.sunk),
            "pending_challenge": state.pending is not None,
            "tasks": [
                {"task": "lay_card", "owner": o, "ship": s, "squares": [q.name for q in squares]}
                for o, s, squares in state.cards
            ],
            "fleets_ready": sorted(state.fleets),
            "over": state.over,
            "winner": list(state.winner) if state.winner else None,
        }
        mine = {p: state.fleets[p] for p in state.fleets if p == viewer}
        shown = state.fleets if state.over else mine
        if shown:
            out["fleets"] = {
                p: {ship: [s.name for s in squares] for ship, squares in fleet.items()}
                for p, fleet in shown.items()
            }
        return out

    def announce(self, state: ShipState, event: Event) -> tuple[str, ...]:
        """The lines of rule 7."""
        d = event.data
        match event.kind:
            case "_laid":
                return (
                    f"{d['player']} plays {d['words'][0]}.",
                    *(f"with {w}." for w in d["words"][1:]),
                )
            case "coordinates":
                pairs = zip(d["letters"], d["squares"], strict=True)
                return (", ".join(f"{x} on {spoken(parse_square(s))}" for x, s in pairs) + ".",)
            case "miss":
                return (f"{spoken(parse_square(d['square']))}: miss.",)
            case "hit":
                ship = f"'s {d['ship']}" if d.get("ship") else ""
                return (f"{spoken(parse_square(d['square']))}: hit on {d['owner']}{ship}!",)
            case "already_sunk":
                return (f"{spoken(parse_square(d['square']))}: that wreck is already down.",)
            case "sunk" if d["own"]:
                return (f"{d['by']} has sunk the own {d['ship']}. Minus ten.",)
            case "sunk":
                return (f"{d['owner']} has lost the {d['ship']}!",)
            case "ship_tile":
                first, last = (spoken(parse_square(d["squares"][i])) for i in (0, -1))
                return (f"Lay the strip from {first} to {last}.",)
            case "bonus":
                return ("All seven: fifty more.",)
            case "_scored":
                player = str(d["player"])
                ships = f"{d['count']} ships; " if d["count"] else ""
                return (
                    f"{d['score']} points, {ships}total {state.scores[player]} and {state.ship_count[player]}.",
                )
            case "_passed":
                return (f"{d['player']} passes.",)
            case "_exchanged":
                return (f"{d['player']} exchanges {d['count']}.",)
            case "_taken_off":
                return (f"{d['words'][0]} comes off.",)
            case "_stands":
                return (f"{d['words'][0]} is good.",)
            case "_fleet_ready":
                return (f"{d['player']}'s fleet is at sea.",)
            case "game_over":
                return self._say_over(state, event)
            case "_judged":
                return (f"The judge decides: {d['winner'][0]} wins.",)
            case _:
                pass
        return ()

    def _say_over(self, state: ShipState, event: Event) -> tuple[str, ...]:
        winner = event.data.get("winner")
        if not winner:
            return ("All level. The judge decides.",)
        name = winner[0]
        level = sum(state.ship_count[p] == state.ship_count[name] for p in state.players) > 1
        if level:
            return (f"Ships are level; points decide: {name}.",)
        only = f"Only {name} is still afloat. " if event.data["reason"] == "one_fleet_left" else ""
        return (f"{only}{name} wins with {state.ship_count[name]} ships.",)


GAME = ScrabbleShip()
__all__ = ["GAME", "INFO", "ScrabbleShip", "ShipState", "ship_at"]
