"""Scrabbage (rules SB-1 to SB-34): one tile a turn, scored like cribbage, to 121."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import permutations
from types import MappingProxyType
from typing import ClassVar

from engine.connection import parse_tiles
from engine.games.scrabbage_words import (
    axis_of,
    finishing_plan,
    fragment_runs,
    is_blocked,
    scrab_points,
    split_words,
    strings_at,
    tile_points,
)
from engine.layouts import CENTRE
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
    apply,
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
from engine.words import all_words_formed, text_of

INFO = GameInfo(
    slug="scrabbage",
    title="Scrabbage",
    players=(2, 3, 4),
    settings=(
        *common_settings(),
        Setting("sb.working_check", "off", "Whether it is checked that a tile works towards a word: not, against the hand, or at the end of the hand.", ("off", "hands", "end"), "SB-14"),
        Setting("sb.fragment_penalty", 0, "Points off for a fragment left at the end of a hand.", rule="SB-15", minimum=0, maximum=121),
        Setting("sb.go2_resume", True, "With two players whoever said go may come back in.", (True, False), "SB-21"),
        Setting("sb.go_to_out", True, "The go point is scored even when the other is out of tiles.", (True, False), "SB-23"),
        Setting("sb.scrab_line", "free", "Scrab tiles lie anywhere, or in a single line.", ("free", "single"), "SB-26"),
        Setting("sb.scrab_word_squares", "multiply", "Several word squares in one scrab word multiply, or the highest counts.", ("multiply", "highest"), "SB-28"),
        Setting("sb.star_double", True, "The star is a double word square.", (True, False), "SB-20"),
        Setting("sb.board_persists", True, "Tiles stay on the board from hand to hand.", (True, False), "SB-34"),
        Setting("sb.end_tie", "shared", "Equal points at the end are shared.", ("shared", "play_off"), "SB-31"),
    ),
)  # fmt: skip

TARGET = 121
HAND = 4
DEALS = MappingProxyType({2: (6, 2, 4, 0, 12), 3: (5, 1, 3, 1, 16), 4: (5, 1, 4, 0, 20)})
"""Players to draw, discard, scrab from discards, dealer's extra tile, least in the bag (SB-5)."""


@dataclass(frozen=True, slots=True)
class ScrabbageState:
    """Board, pegs and the hand being played."""

    players: tuple[str, ...]
    options: Options
    materials: Materials
    grid: Grid
    scores: Mapping[str, int]
    dealer: str
    to_move: str | None
    tiles_left: Mapping[str, int]
    hands: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scrab: tuple[str, ...] | None = None
    bag: int = 100
    stuck: frozenset[str] = frozenset()
    go_open: bool = True
    last_by: str | None = None
    order: Mapping[Square, int] = field(default_factory=dict)
    by: Mapping[Square, str] = field(default_factory=dict)
    phase: str = "play"
    over: bool = False
    reason: str = ""
    winner: tuple[str, ...] = ()

    @property
    def may_act(self) -> frozenset[str]:
        """Whoever is to move; the dealer for the scrab; after a go also who may come back."""
        if self.over:
            return frozenset()
        if self.phase != "play":
            return frozenset({self.dealer})
        if self.to_move is None:
            return frozenset(self.players)
        back = (
            self.stuck if len(self.players) == 2 and self.options["sb.go2_resume"] else frozenset()
        )
        return frozenset({self.to_move}) | back


def team_of(players: tuple[str, ...], player: str) -> str:
    """The player, or with four the team of those who sit opposite (SB-33)."""
    if len(players) != 4:
        return player
    i = players.index(player) % 2
    return f"{players[i]}+{players[i + 2]}"


def sides_of(players: tuple[str, ...]) -> tuple[str, ...]:
    """Everybody who has a peg."""
    return tuple(dict.fromkeys(team_of(players, p) for p in players))


class Scrabbage:
    """The rules of Scrabbage."""

    info: ClassVar[GameInfo] = INFO

    def surfaces(self, players: tuple[str, ...], options: Options) -> tuple[SurfaceSpec, ...]:
        """One board."""
        return (SurfaceSpec("board", "board"),)

    def begin(
        self,
        players: tuple[str, ...],
        options: Options,
        materials: Materials,
        initial: Mapping[str, JsonValue] | None = None,
    ) -> ScrabbageState:
        """An empty board with the first-named player dealing, or a position to go on from.

        Raises:
            ValueError: not two to four players, or the position is no position.
        """
        if len(players) not in INFO.players or len(set(players)) != len(players):
            raise ValueError(f"expected 2 to 4 different players, got {len(players)}")
        start = initial or {}
        grid = grid_from_rows(start["board"]) if start.get("board") else Grid(15, 15)
        dealer = str(start.get("dealer") or players[0])
        if dealer not in players:
            raise ValueError(
                f"expected the dealer to be one of {', '.join(players)}, got {dealer!r}"
            )
        scores = dict.fromkeys(sides_of(players), 0)
        scores.update(
            {k: int(v) for k, v in (start.get("team_scores") or start.get("scores") or {}).items()}
        )
        hands = {p: tuple(h) for p, h in (start.get("hands") or {}).items()}
        left = {
            p: int((start.get("tiles_left") or {}).get(p, len(hands[p]) if p in hands else HAND))
            for p in players
        }
        turn = start.get("to_move") or (None if initial else dealer)
        scrab = start.get("scrab")
        return ScrabbageState(
            players=players, options=options, materials=materials, grid=grid,
            scores=MappingProxyType(scores), dealer=dealer, to_move=turn,
            tiles_left=MappingProxyType(left), hands=MappingProxyType(hands),
            scrab=tuple(scrab) if scrab is not None else None,
            bag=int(start.get("bag_count", 100 - len(grid.tiles))), last_by=start.get("last_tile_by"),
        )  # fmt: skip

    # --- deciding ---------------------------------------------------------------------------

    def decide(self, state: ScrabbageState, action: Action) -> Verdict:
        """Judge an action (SB-7 to SB-31)."""
        if action.kind == "deal_info":
            return self._deal_info(state)
        if state.over:
            return Refused("game_over", "The game is over.")
        if action.player is not None and action.player not in state.players:
            return Refused(
                "unknown_player", f"There is no player {action.player!r} at this table."
            )
        decider = {
            "tile": self._tile,
            "place": self._place,
            "go": self._go,
            "end_of_play": self._end_of_play,
            "scrab": self._scrab,
            "end_of_hand": self._end_of_hand,
            "draw": self._draw,
            "hand": self._hand,
            "answer": self._answer,
            "withdraw": self._withdraw,
            "rule_fragment": self._rule_fragment,
        }.get(action.kind)
        if decider is None:
            return Refused("unknown_action", f"Scrabbage knows no action {action.kind!r}.")
        return decider(state, action)

    def _deal_info(self, state: ScrabbageState) -> Verdict:
        draw, discard, scrab, extra, need = DEALS[len(state.players)]
        facts = {
            "draw": draw,
            "discard": discard,
            "hand": HAND,
            "scrab": scrab,
            "dealer_extra": extra,
            "need_in_bag": need,
        }
        return Accepted((), facts)

    def _place(self, state: ScrabbageState, action: Action) -> Verdict:
        """A play as the camera names it: one tile, or several as the scrab."""
        tiles = action.data.get("tiles")
        if isinstance(tiles, Mapping) and len(tiles) == 1:
            ((square, letter),) = tiles.items()
            return self._tile(
                state,
                Action("tile", action.player, action.at, {"square": square, "letter": letter}),
            )
        return self._scrab(state, action)

    def _mover(self, state: ScrabbageState, action: Action) -> str | Refused:
        player = action.player or state.to_move
        if player is None:
            return Refused("bad_action", "Expected the player whose tile this is.")
        if player not in state.may_act:
            return Refused("not_your_turn", f"It is {state.to_move}'s turn, not {player}'s.")
        return player

    def _tile(self, state: ScrabbageState, action: Action) -> Verdict:
        """One tile of the play (SB-7 to SB-20)."""
        if state.phase != "play":
            return Refused("play_over", "The play is over: now the dealer lays the scrab.")
        player = self._mover(state, action)
        if isinstance(player, Refused):
            return player
        tiles = parse_tiles({str(action.data.get("square")): action.data.get("letter")})
        if isinstance(tiles, Refused):
            return tiles
        ((square, tile),) = tiles.items()
        refused = self._check_tile(state, player, square, tile)
        if refused:
            return refused
        grid = state.grid.with_tiles(tiles)
        words, fragments = split_words(grid, strings_at(grid, square), state.materials.lexicon)
        result: dict[str, JsonValue] = {"words": words, "fragments": fragments}
        if (
            state.options["sb.working_check"] == "hands"
            and player in state.hands
            and (fragments or not state.grid.tiles)
        ):
            face = UNKNOWN_BLANK if tile.blank else tile.letter
            rest = list((Counter(state.hands[player]) - Counter([face])).elements())
            plan = finishing_plan(grid, square, rest, state.materials.lexicon)
            if plan is None:
                message = f"With the own hand nothing can be finished from {square.name}."
                return Refused("not_working_on_a_word", message, (square,), {"can_finish": False})
            result |= {"can_finish": True, "example_plan": plan}
        points = tile_points(square, words, state.options)
        side = team_of(state.players, player)
        events = [
            Event(
                "_tile",
                {
                    "player": player,
                    "square": square.name,
                    "letter": tile.text,
                    "points": points,
                    "words": words,
                    "fragments": fragments,
                },
            )
        ]
        events += self._maybe_won(self.evolve(state, events[0]), side)
        result |= {"points": points, "turn_score": points}
        if side != player:
            result["team"] = side
        return Accepted(tuple(events), result)

    def _check_tile(
        self, state: ScrabbageState, player: str, square: Square, tile: Tile
    ) -> Refused | None:
        if square in state.grid:
            return Refused("occupied", f"There is a tile on {square.name} already.", (square,))
        if not state.grid.tiles and square != CENTRE:  # SB-8
            return Refused("not_centre", "The first tile goes on the star.", (square,))
        if state.grid.tiles and not any(n in state.grid for n in square.neighbours()):
            return Refused("not_connected", "That does not touch anything.", (square,))
        if state.tiles_left[player] <= 0:
            return Refused("no_tiles", f"{player} has no tiles left.", (square,))
        hand = state.hands.get(player)
        if hand is not None and (UNKNOWN_BLANK if tile.blank else tile.letter) not in hand:
            return Refused("not_in_hand", f"{player} does not hold {tile.text}.", (square,))
        return None

    def _maybe_won(self, now: ScrabbageState, side: str) -> list[Event]:
        """121 wins at once (SB-30)."""
        if now.scores[side] >= TARGET:
            return [Event("game_over", {"reason": "121", "winner": [side]})]
        return []

    def _go(self, state: ScrabbageState, action: Action) -> Verdict:
        """A player with tiles who cannot lay one says so (SB-21 to SB-25)."""
        player = self._mover(state, action)
        if isinstance(player, Refused):
            return player
        if state.phase != "play":
            return Refused("play_over", "The play is over.")
        if state.tiles_left[player] <= 0:
            return Refused("no_tiles", f"{player} has no tiles left and cannot call go.")
        if len(state.players) == 2:
            return self._go_of_two(state, player)
        marked = state.stuck | {player}
        free = [p for p in state.players if p not in marked]
        scorer = free[0] if len(free) == 1 and state.go_open else None
        points = 1 if scorer else 0
        events = [Event("go_called", {"called_by": player, "scored_by": scorer, "points": points})]
        if scorer:
            events += self._maybe_won(
                self.evolve(state, events[0]), team_of(state.players, scorer)
            )
        return Accepted(tuple(events), {})

    def _go_of_two(self, state: ScrabbageState, player: str) -> Verdict:
        other = next(p for p in state.players if p != player)
        out = state.tiles_left[other] <= 0
        # Nobody is given a point for a go while stuck as well.
        scores = other not in state.stuck and (not out or state.options["sb.go_to_out"])
        data = {
            "called_by": player,
            "scored_by": other if scores else None,
            "points": 1 if scores else 0,
        }
        events = [Event("go", data)]
        if scores:
            events += self._maybe_won(self.evolve(state, events[0]), other)
        return Accepted(tuple(events), {})

    def _last(self, state: ScrabbageState) -> list[Event]:
        """One for the last tile of the play (SB-24)."""
        if state.phase != "play":
            return []
        if state.last_by is None:
            return [Event("_play_over", {})]
        return [Event("last", {"player": state.last_by, "points": 1})]

    def _last_if_done(self, state: ScrabbageState) -> list[Event]:
        """The last point where it was not told: only when all are out of tiles or stuck."""
        if state.phase != "play":
            return []
        if all(state.tiles_left[p] <= 0 or p in state.stuck for p in state.players):
            return self._last(state)
        return [Event("_play_over", {})]

    def _end_of_play(self, state: ScrabbageState, action: Action) -> Verdict:
        if state.phase != "play":
            return Refused("play_over", "The play is over already.")
        events = self._last(state)
        if state.last_by is not None:
            events += self._maybe_won(
                self.evolve(state, events[0]), team_of(state.players, state.last_by)
            )
        return Accepted(tuple(events), {})

    def _scrab(self, state: ScrabbageState, action: Action) -> Verdict:
        """The dealer lays the scrab at once (SB-26 to SB-28)."""
        player = action.player or state.dealer
        if player != state.dealer:
            return Refused("not_dealer", f"The scrab belongs to the dealer, {state.dealer}.")
        if state.phase == "clean_up":
            return Refused("scrab_done", "The scrab of this hand has been laid.")
        raw = action.data.get("tiles")
        if raw is not None and not raw:
            return self._no_scrab(state, player)
        tiles = parse_tiles(raw)
        if isinstance(tiles, Refused):
            return tiles
        refused = self._check_scrab(state, tiles)
        if refused:
            return refused
        events = self._last_if_done(state)
        now = state
        for event in events:
            now = self.evolve(now, event)
        grid = now.grid.with_tiles(tiles)
        squares = sorted(tiles)
        words, points = scrab_points(grid, squares, state.options)
        laid = {s.name: tiles[s].text for s in squares}
        events.append(
            Event("_scrab", {"player": player, "tiles": laid, "words": words, "points": points})
        )
        side = team_of(state.players, player)
        events += self._maybe_won(self.evolve(now, events[-1]), side)
        return Accepted(tuple(events), {"words": words, "points": points, "turn_score": points})

    def _no_scrab(self, state: ScrabbageState, player: str) -> Verdict:
        """Nothing of the scrab can be laid: nought points (SB-A18)."""
        events = self._last_if_done(state)
        events.append(Event("_scrab", {"player": player, "tiles": {}, "words": [], "points": 0}))
        return Accepted(tuple(events), {"words": [], "points": 0, "turn_score": 0})

    def _check_scrab(self, state: ScrabbageState, tiles: Mapping[Square, Tile]) -> Refused | None:
        squares = tuple(sorted(tiles))
        taken = tuple(s for s in squares if s in state.grid)
        if taken:
            return Refused("occupied", f"There is a tile on {taken[0].name} already.", taken)
        if len(tiles) > HAND:
            return Refused("too_many", "The scrab has four tiles.", squares)
        if state.scrab is not None:
            faces = Counter(UNKNOWN_BLANK if t.blank else t.letter for t in tiles.values())
            if faces - Counter(state.scrab):
                return Refused("not_in_scrab", "These tiles are not in the scrab.", squares)
        if state.options["sb.scrab_line"] == "single" and axis_of(squares) is None:
            return Refused("not_in_line", "The scrab lies in one line in this game.", squares)
        grid = state.grid.with_tiles(tiles)
        reached = {s for s in squares if any(n in state.grid for n in s.neighbours())}
        while True:
            more = {
                s
                for s in squares
                if s not in reached and any(n in reached for n in s.neighbours())
            }
            if not more:
                break
            reached |= more
        if state.grid.tiles and len(reached) < len(squares):
            return Refused(
                "not_connected",
                "A scrab tile does not hang on the board.",
                tuple(s for s in squares if s not in reached),
            )
        bad = [text_of(grid, r) for r in all_words_formed(grid, squares)]
        bad = [w for w in bad if UNKNOWN_BLANK not in w and w not in state.materials.lexicon]
        if bad:
            return Refused(
                "not_a_word", f"{bad[0]} is not in the list.", squares, {"bad_words": bad}
            )
        return None

    def _end_of_hand(self, state: ScrabbageState, action: Action) -> Verdict:
        """Fragments are reported, the deal passes on (SB-15, SB-29)."""
        events = self._last_if_done(state)
        now = state
        for event in events:
            now = self.evolve(now, event)
        if state.last_by is not None and any(e.kind == "last" for e in events):
            won = self._maybe_won(now, team_of(state.players, state.last_by))
            if won:
                return Accepted((*events, *won), {})
        penalty = int(state.options["sb.fragment_penalty"])
        for run, square in fragment_runs(now.grid, now.order, state.materials.lexicon):
            if is_blocked(now.grid, run, state.materials.lexicon):
                continue
            owner = now.by[square]
            events.append(
                Event(
                    "fragment_left",
                    {"player": owner, "text": text_of(now.grid, run), "penalty": penalty},
                )
            )
        events.append(Event("_hand_over", {}))
        return Accepted(tuple(events), {})

    def _rule_fragment(self, state: ScrabbageState, action: Action) -> Verdict:
        """Players rule on a fragment: points off, or none (SB-15)."""
        points = action.data.get("points", 0)
        if action.player is None or not isinstance(points, int):
            return Refused("bad_action", "Expected the player and the points.")
        return Accepted((Event("_ruled", {"player": action.player, "points": points}),), {})

    def _draw(self, state: ScrabbageState, action: Action) -> Verdict:
        """A new hand, if the bag holds enough (SB-31)."""
        draw, _, _, _, need = DEALS[len(state.players)]
        if state.bag < need:
            best = max(state.scores.values())
            winner = [s for s in state.scores if state.scores[s] == best]
            event = Event("game_over", {"reason": "bag_short", "winner": winner})
            return Accepted((event,), {"legal": False})
        drawn = draw * len(state.players)
        return Accepted((Event("_drawn", {"count": drawn}),), {"drawn": drawn})

    def _hand(self, state: ScrabbageState, action: Action) -> Verdict:
        """A hand told in secret."""
        tiles = action.data.get("tiles")
        if action.player is None or not isinstance(tiles, (list, tuple)) or len(tiles) > 6:
            return Refused("bad_action", "Expected the player and up to six tiles.")
        data = {"player": action.player, "tiles": [str(t).upper() for t in tiles]}
        return Accepted((Event("_hand_told", data, frozenset({action.player})),), {})

    def _answer(self, state: ScrabbageState, action: Action) -> Verdict:
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

    def _withdraw(self, state: ScrabbageState, action: Action) -> Verdict:
        return Refused("nothing_to_withdraw", "A tile laid stays; correct the record instead.")

    # --- evolving ---------------------------------------------------------------------------

    def evolve(self, state: ScrabbageState, event: Event) -> ScrabbageState:
        """The state after an event."""
        d = event.data
        match event.kind:
            case "_tile":
                return self._on_tile(state, event)
            case "go" | "go_called":
                return self._on_go(state, event)
            case "last":
                scored = self._peg(state, str(d["player"]), int(d["points"]))
                return replace(scored, phase="scrab")
            case "_play_over":
                return replace(state, phase="scrab")
            case "_scrab":
                return self._on_scrab(state, event)
            case "fragment_left":
                return self._peg(state, str(d["player"]), -int(d["penalty"]))
            case "_ruled":
                return self._peg(state, str(d["player"]), int(d["points"]))
            case "_hand_over":
                return self._on_hand_over(state)
            case "_drawn":
                return replace(state, bag=state.bag - int(d["count"]))
            case "_hand_told":
                hands = {**state.hands, str(d["player"]): tuple(d["tiles"])}
                return replace(state, hands=MappingProxyType(hands))
            case "_blank_named":
                square = parse_square(str(d["square"]))
                return replace(
                    state, grid=state.grid.with_tiles({square: Tile(str(d["letter"]), blank=True)})
                )
            case "game_over":
                return replace(
                    state, over=True, reason=str(d["reason"]), winner=tuple(d["winner"])
                )
            case _:
                pass
        return state

    def _peg(self, state: ScrabbageState, player: str, points: int) -> ScrabbageState:
        side = team_of(state.players, player) if player in state.players else player
        return replace(
            state, scores=MappingProxyType({**state.scores, side: state.scores[side] + points})
        )

    def _after(self, state: ScrabbageState, player: str) -> str:
        """The next player clockwise with tiles, else the same."""
        order = state.players
        i = order.index(player)
        for k in range(1, len(order) + 1):
            nxt = order[(i + k) % len(order)]
            if state.tiles_left[nxt] > 0:
                return nxt
        return player

    def _on_tile(self, state: ScrabbageState, event: Event) -> ScrabbageState:
        d = event.data
        player = str(d["player"])
        tiles = parse_tiles({str(d["square"]): d["letter"]})
        if isinstance(tiles, Refused):
            return state
        ((square, tile),) = tiles.items()
        hands = {**state.hands}
        if player in hands:
            face = UNKNOWN_BLANK if tile.blank else tile.letter
            hands[player] = tuple((Counter(hands[player]) - Counter([face])).elements())
        left = {**state.tiles_left, player: state.tiles_left[player] - 1}
        number = max(state.order.values(), default=0) + 1
        state = replace(
            self._peg(state, player, int(d["points"])),
            grid=state.grid.with_tiles(tiles), hands=MappingProxyType(hands), tiles_left=MappingProxyType(left), last_by=player,
            order=MappingProxyType({**state.order, square: number}), by=MappingProxyType({**state.by, square: player}), go_open=True,
        )  # fmt: skip
        if len(state.players) > 2:  # all marks lapse (SB-25)
            return replace(state, stuck=frozenset(), to_move=self._after(state, player))
        other = next(p for p in state.players if p != player)
        stuck = state.stuck - {player}
        # After a go the one who is not stuck lays on, one tile at a time (SB-22).
        stays = other in stuck and left[player] > 0
        return replace(state, stuck=stuck, to_move=player if stays else self._after(state, player))

    def _on_go(self, state: ScrabbageState, event: Event) -> ScrabbageState:
        d = event.data
        caller = str(d["called_by"])
        if d["points"]:
            state = self._peg(state, str(d["scored_by"]), int(d["points"]))
        stuck = state.stuck | {caller}
        state = replace(state, stuck=stuck, go_open=state.go_open and not d["points"])
        order = state.players
        i = order.index(caller)
        for k in range(1, len(order)):
            nxt = order[(i + k) % len(order)]
            if nxt not in stuck and (state.tiles_left[nxt] > 0 or len(order) > 2):
                return replace(state, to_move=nxt)
        # Everybody else is out or stuck: those marked may still be asked again.
        return replace(state, to_move=order[(i + 1) % len(order)])

    def _on_scrab(self, state: ScrabbageState, event: Event) -> ScrabbageState:
        d = event.data
        player = str(d["player"])
        tiles = parse_tiles(d["tiles"]) if d["tiles"] else {}
        if isinstance(tiles, Refused):
            return state
        start = max(state.order.values(), default=0) + 1
        order = {**state.order, **{s: start + i for i, s in enumerate(sorted(tiles))}}
        by = {**state.by, **dict.fromkeys(tiles, player)}
        return replace(
            self._peg(state, player, int(d["points"])), grid=state.grid.with_tiles(tiles), phase="clean_up",
            order=MappingProxyType(order), by=MappingProxyType(by),
        )  # fmt: skip

    def _on_hand_over(self, state: ScrabbageState) -> ScrabbageState:
        players = state.players
        dealer = players[(players.index(state.dealer) + 1) % len(players)]
        grid = state.grid if state.options["sb.board_persists"] else Grid(15, 15)
        return replace(
            state, dealer=dealer, to_move=dealer, phase="play", stuck=frozenset(), go_open=True, last_by=None,
            tiles_left=MappingProxyType(dict.fromkeys(players, HAND)), hands=MappingProxyType({}), scrab=None,
            order=MappingProxyType({}), by=MappingProxyType({}), grid=grid, bag=max(0, 100 - len(grid.tiles)),
        )  # fmt: skip

    # --- seeing, showing, saying ------------------------------------------------------------

    def interpret(self, state: ScrabbageState, change: Change) -> tuple[Candidate, ...]:
        """One tile, the scrab, or a few tiles one after another."""
        if change.removed or not change.added:
            return ()
        added = sorted(change.added.items())
        whole = Action("scrab", None, None, {"tiles": {s.name: x for s, x in added}})
        if state.phase != "play":
            return (Candidate((whole,), "scrab"),)
        singles = [Action("tile", None, None, {"square": s.name, "letter": x}) for s, x in added]
        if len(singles) == 1:
            return (Candidate((singles[0],), "tile"),)
        out: list[Candidate] = []
        if len(singles) <= 3:
            for order in permutations(singles):
                now: ScrabbageState = state
                for action in order:
                    now, verdict = apply(self, now, action)
                    if isinstance(verdict, Refused):
                        break
                else:
                    out.append(Candidate(order, "several tiles"))
        if len(singles) <= HAND:
            out.append(Candidate((whole,), "scrab"))
        return tuple(out)

    def view(self, state: ScrabbageState, viewer: str | None) -> Mapping[str, JsonValue]:
        """Board and pegs; of the hands only the viewer's own."""
        out: dict[str, JsonValue] = {
            "scores": dict(state.scores),
            "board": list(state.grid.text_rows()),
            "dealer": state.dealer,
            "to_move": state.to_move,
            "may_act": sorted(state.may_act),
            "phase": state.phase,
            "tiles_left": dict(state.tiles_left),
            "bag_count": state.bag,
            "stuck": sorted(state.stuck),
            "over": state.over,
            "winner": list(state.winner) if state.over else None,
        }
        if len(state.players) == 4:
            out["team_scores"] = dict(state.scores)
        if viewer is not None and viewer in state.hands:
            out["hand"] = list(state.hands[viewer])
        if viewer == state.dealer and state.scrab is not None:
            out["scrab"] = list(state.scrab)
        return out

    def announce(self, state: ScrabbageState, event: Event) -> tuple[str, ...]:
        """The lines of rule 7."""
        d = event.data
        match event.kind:
            case "_tile" if d["points"]:
                why = f": {' and '.join(d['words'])}" if d["words"] else ": letter square"
                return (f"{d['player']} {d['points']}{why}.",)
            case "_tile":
                return ()
            case "go" if d["scored_by"]:
                return (f"Go from {d['called_by']}; one for {d['scored_by']}.",)
            case "go_called" if d["scored_by"]:
                return (f"Go from {d['called_by']}; one for {d['scored_by']}.",)
            case "go" | "go_called":
                return (f"Go from {d['called_by']}.",)
            case "last":
                return (f"Last for {d['player']}, one.",)
            case "_scrab":
                return (f"Scrab for {d['player']}: {d['points']}.",)
            case "fragment_left":
                return (f"{d['text']} was left unfinished by {d['player']}.",)
            case "_hand_over":
                return (f"{state.dealer} deals.",)
            case "game_over" if d["reason"] == "121":
                return (f"{d['winner'][0]} pegs out at one hundred and twenty-one!",)
            case "game_over":
                name = " and ".join(d["winner"])
                return (
                    f"Too few tiles for a deal; {name} wins with {state.scores[d['winner'][0]]}.",
                )
            case _:
                pass
        return ()


GAME = Scrabbage()
