"""Scrabble House (rules SH-1 to SH-31): two facing players a board, explosions, clocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import ClassVar

from engine.connection import check_free, check_line, parse_tiles, touches
from engine.games.explosion import Cells, chained, explode, read
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
from engine.table import EMPTY, Grid, Square, SurfaceSpec, Tile, parse_square
from engine.words import words_formed

INFO = GameInfo(
    slug="scrabble-house",
    title="Scrabble House",
    players=(2, 4),
    settings=(
        *common_settings(reject_invalid=False),
        Setting("sh.leftover", "two_letter_hook", "Which tiles of a left-over run that is no word go: those of two-letter words, all, or none.", ("two_letter_hook", "remove_all", "tolerate"), "SH-17"),
        Setting("sh.leftover_piece", "stay", "Kept tiles that side by side are no word stay, or go and break what hangs on them.", ("stay", "cut"), "SH-17"),
        Setting("sh.rounds", "simultaneous", "Strings of one cascade round go together, or one by one.", ("simultaneous", "one_by_one"), "SH-19"),
        Setting("sh.explode", "always", "A play that takes in opposing tiles always explodes, or its player may decline.", ("always", "optional"), "SH-12"),
        Setting("sh.anchor", "any", "Later plays build on any tile, or only on own ones.", ("any", "own"), "SH-10"),
        Setting("sh.clock", 600, "Seconds on each player's clock.", rule="SH-2", minimum=10, maximum=7200),
        Setting("sh.match_end", "first_board", "The first board to finish decides, or both are played out.", ("first_board", "both"), "SH-30"),
        Setting("sh.exchange", "off", "Whether tiles may be exchanged.", ("off", "on"), "SH-28"),
    ),
    other_names=("scrabblehouse",),
)  # fmt: skip

RACK = 7
HOME = {"S": 14, "N": 0}
TURNS = {"S": 0, "N": 2}


@dataclass(frozen=True, slots=True)
class Hand:
    """Tiles held, as far as they are counted: of the own board's colour and of the other."""

    own: int = RACK
    other: int = 0


@dataclass(frozen=True, slots=True)
class Disputable:
    """A play whose words may be objected to before the explosion (SH-11)."""

    player: str
    before: Mapping[Square, tuple[str, str]]
    new: Mapping[Square, str]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """One of the boards."""

    cells: Mapping[Square, tuple[str, str]]
    blanks: frozenset[Square] = frozenset()
    bag: int = 93 - RACK
    to_move: str | None = None
    pending: Disputable | None = None
    result: str | None = None


@dataclass(frozen=True, slots=True)
class HouseState:
    """Both boards (or the only one), hands and clocks."""

    players: tuple[str, ...]
    options: Options
    materials: Materials
    boards: tuple[Board, ...]
    opened: frozenset[str]
    hands: Mapping[str, Hand]
    clocks: Mapping[str, float] = field(default_factory=dict)
    running: Mapping[int, tuple[str, float]] = field(default_factory=dict)
    over: bool = False
    reason: str = ""
    winner: str | None = None

    @property
    def may_act(self) -> frozenset[str]:
        """Whoever is to move on each board."""
        if self.over:
            return frozenset()
        out: set[str] = set()
        for i, board in enumerate(self.boards):
            if board.result is None:
                out |= {board.to_move} if board.to_move else set(at_board(self, i))
        return frozenset(out)


def at_board(state: HouseState, board: int) -> tuple[str, str]:
    """South and North of a board (SH-2): players come as X1, Y1, X2, Y2."""
    return state.players[2 * board], state.players[2 * board + 1]


def place_of(state: HouseState, player: str) -> tuple[int, str]:
    """The board and the side of a player."""
    i = state.players.index(player)
    return i // 2, "S" if i % 2 == 0 else "N"


def opponent_of(state: HouseState, player: str) -> str:
    """Who sits opposite."""
    board, side = place_of(state, player)
    south, north = at_board(state, board)
    return north if side == "S" else south


def partner_of(state: HouseState, player: str) -> str | None:
    """Who sits beside, on the other board."""
    if len(state.players) < 4:
        return None
    i = state.players.index(player)
    return state.players[(i + 2) % 4]


def cells_from_rows(rows: list[str]) -> Cells:
    """Capital letters face South, small ones North (rule 0.2)."""
    out: Cells = {}
    for r, row in enumerate(rows):
        for c, x in enumerate(row):
            if x != EMPTY:
                out[Square(r, c)] = (x.upper(), "N" if x.islower() else "S")
    return out


def _turn_at(told: JsonValue, board: int) -> str | None:
    """Who is to move on a board: one name, or a name for each board as a view has them."""
    if isinstance(told, (list, tuple)):
        return str(told[board]) if board < len(told) and told[board] else None
    return str(told) if told else None


def rows_from_cells(cells: Mapping[Square, tuple[str, str]]) -> list[str]:
    """The board as text, in South's view."""
    rows = []
    for r in range(15):
        row = ""
        for c in range(15):
            cell = cells.get(Square(r, c))
            row += EMPTY if cell is None else cell[0].lower() if cell[1] == "N" else cell[0]
        rows.append(row)
    return rows


def grid_of(cells: Mapping[Square, tuple[str, str]]) -> Grid:
    """The cells as a grid of tiles."""
    return Grid(15, 15, {s: Tile(x, turn=TURNS[f]) for s, (x, f) in cells.items()})


class ScrabbleHouse:
    """The rules of Scrabble House."""

    info: ClassVar[GameInfo] = INFO

    def surfaces(self, players: tuple[str, ...], options: Options) -> tuple[SurfaceSpec, ...]:
        """One board for two players, two for four."""
        names = ("board",) if len(players) == 2 else ("board 1", "board 2")
        return tuple(SurfaceSpec(n, "board", turned_tiles=True, tile_colours=2) for n in names)

    def begin(
        self,
        players: tuple[str, ...],
        options: Options,
        materials: Materials,
        initial: Mapping[str, JsonValue] | None = None,
    ) -> HouseState:
        """Empty boards, or a position to go on from.

        Raises:
            ValueError: not two or four players, or the position is no position.
        """
        if len(players) not in INFO.players or len(set(players)) != len(players):
            raise ValueError(f"expected 2 or 4 different players, got {len(players)}")
        start = initial or {}
        drawn = start.get("boards") or ([start["board"]] if start.get("board") else [])
        count = len(players) // 2
        bag = int(start["bag"]) if isinstance(start.get("bag"), int) else None
        boards = []
        for i in range(count):
            rows = list(drawn[i]) if i < len(drawn) else ["." * 15] * 15
            if len(rows) != 15 or any(len(r) != 15 for r in rows):
                raise ValueError("expected a board of 15 rows of 15 characters")
            cells = cells_from_rows(rows)
            blanks = frozenset(parse_square(s) for s in start.get("blanks") or ())
            left = max(0, 100 - len(cells) - 2 * RACK) if bag is None else bag
            boards.append(
                Board(MappingProxyType(cells), blanks, left, _turn_at(start.get("to_move"), i))
            )
        done = start.get("first_play_done")
        opened = set()
        for i, player in enumerate(players):
            facing = any(
                f == ("S" if i % 2 == 0 else "N") for _, f in boards[i // 2].cells.values()
            )
            if bool(done.get(player)) if isinstance(done, Mapping) and player in done else facing:
                opened.add(player)
        hand = start.get("hand") or {}
        held = Hand(int(hand.get("own_colour", RACK)), int(hand.get("other_colour", 0)))
        clock = float(options["sh.clock"])
        return HouseState(
            players, options, materials, tuple(boards), frozenset(opened),
            MappingProxyType(dict.fromkeys(players, held)), MappingProxyType(dict.fromkeys(players, clock)),
        )  # fmt: skip

    # --- deciding ---------------------------------------------------------------------------

    def decide(self, state: HouseState, action: Action) -> Verdict:
        """Judge an action (SH-6 to SH-28)."""
        if state.over:
            return Refused("game_over", "The game is over.")
        if action.player is not None and action.player not in state.players:
            return Refused(
                "unknown_player", f"There is no player {action.player!r} at this table."
            )
        decider = {
            "place": self._place,
            "challenge": self._challenge,
            "object": self._challenge,
            "accept": self._accept,
            "withdraw": self._withdraw,
            "pass": self._pass,
            "press_clock": self._press,
            "tick": self._tick,
            "flag_fall": self._flag,
            "draw_limit": self._draw_limit,
            "draw": self._draw,
            "exchange": self._exchange,
        }.get(action.kind)
        if decider is None:
            return Refused("unknown_action", f"Scrabble House knows no action {action.kind!r}.")
        return decider(state, action)

    def _mover(self, state: HouseState, action: Action) -> str | Refused:
        if action.player is not None:
            player = action.player
        else:
            waiting = [b.to_move for b in state.boards if b.to_move and b.result is None]
            if len(waiting) != 1:
                return Refused(
                    "bad_action", "Expected the player: it is not clear whose turn it is."
                )
            player = waiting[0]
        board = state.boards[place_of(state, player)[0]]
        if board.result is not None:
            return Refused("board_over", "This board is finished.")
        if board.to_move not in (None, player):
            return Refused("not_your_turn", f"It is {board.to_move}'s turn, not {player}'s.")
        return player

    def _place(self, state: HouseState, action: Action) -> Verdict:
        player = self._mover(state, action)
        if isinstance(player, Refused):
            return player
        tiles = parse_tiles(action.data.get("tiles"))
        if isinstance(tiles, Refused):
            return tiles
        index, side = place_of(state, player)
        closing: list[Event] = []
        if state.boards[index].pending:
            closing, _ = self._explosion(state, index)
            for event in closing:
                state = self.evolve(state, event)
            if state.over:
                return Accepted(tuple(closing), {})
        board = state.boards[index]
        refused = self._check_laying(state, board, player, side, tiles)
        if refused:
            return refused
        # What a player lays is upright for that player; the letters are as that player sees them.
        new = {s: t.letter for s, t in tiles.items()}
        cells = {**board.cells, **{s: (x, side) for s, x in new.items()}}
        runs = words_formed(grid_of(cells), new)
        if not runs:
            return Refused("no_word", "That forms no word.", tuple(sorted(tiles)))
        words = [read(cells, r.squares, side) for r in runs]
        bad = [w for w in words if w not in state.materials.lexicon and "?" not in w]
        if bad and state.options["reject_invalid"] and not action.data.get("forced"):
            return Refused(
                "not_a_word",
                f"{bad[0]} is not in the list.",
                tuple(sorted(tiles)),
                {"bad_words": bad},
            )
        laid = Event("_laid", {
            "player": player, "board": index, "tiles": {s.name: t.text for s, t in sorted(tiles.items())},
            "words": words, "blanks": [s.name for s, t in tiles.items() if t.blank],
            "declined": state.options["sh.explode"] == "optional" and action.data.get("explode") is False,
        })  # fmt: skip
        events = [*closing, laid, Event("words", {"words": words})]
        now = self.evolve(state, laid)
        window = action.data.get("window") or ("open" if bad else "closed")
        if window == "open":
            return Accepted(tuple(events), {"pending_challenge": True, "words": words})
        blown, result = self._explosion(now, index)
        return Accepted((*events, *blown), {"words": words, **result})

    def _check_laying(
        self, state: HouseState, board: Board, player: str, side: str, tiles: Mapping[Square, Tile]
    ) -> Refused | None:
        grid = grid_of(board.cells)
        refused = check_free(grid, tiles) or check_line(grid, tiles)
        if refused:
            return refused
        squares = tuple(sorted(tiles))
        at_home = any(s.row == HOME[side] for s in tiles)
        if player not in state.opened and not at_home:  # SH-9
            return Refused(
                "first_play_home_row", "The first play needs a tile on the own home row.", squares
            )
        if at_home:
            return None
        if state.options["sh.anchor"] == "own":
            own = Grid(15, 15, {s: t for s, t in grid.tiles.items() if t.turn == TURNS[side]})
            if touches(own, tiles):
                return None
            return Refused("not_connected", "That touches no own tile.", squares)
        return (
            None
            if touches(grid, tiles)
            else Refused("not_connected", "That does not touch anything.", squares)
        )

    def _explosion(
        self, state: HouseState, index: int
    ) -> tuple[list[Event], dict[str, JsonValue]]:
        """Turning, removal and cascade of the pending play, and whether it won (SH-12 to SH-24)."""
        board = state.boards[index]
        pending = board.pending
        if pending is None:
            return [], {}
        side = place_of(state, pending.player)[1]
        blast = explode(pending.before, pending.new, side, state.materials.lexicon, state.options)
        events: list[Event] = []
        if blast.turned:
            events.append(Event("rotated", {"squares": [s.name for s in blast.turned]}))
        for stage in blast.stages:
            tiles = [f"{s.name}{x}" for s, x in stage.tiles]
            events.append(Event("exploded", {"stage": stage.name, "tiles": tiles}))
        if blast.mixed_words:
            events.append(Event("mixed_words", {"words": list(blast.mixed_words)}))
        gone = [(s, x) for stage in blast.stages for s, x in stage.tiles]
        if gone:
            letters = "".join(sorted("?" if s in board.blanks else x for s, x in gone))
            events.append(Event("passed_to_partner", {"count": len(gone), "letters": letters}))
        after = rows_from_cells(blast.after)
        events.append(
            Event("_settled", {
                "player": pending.player, "board": index, "after": after, "removed": [s.name for s, _ in gone],
                "kept": list(blast.kept), "tolerated": list(blast.tolerated), "illegal": list(blast.illegal),
            })
        )  # fmt: skip
        if chained(blast.after, side):
            events.append(self._won(state, index, pending.player, "chain"))
        result = {
            "board_after": after,
            "kept_leftovers": list(blast.kept),
            "judged_illegal": list(blast.illegal),
        }
        return events, result

    def _won(self, state: HouseState, index: int, player: str, reason: str) -> Event:
        """A board is decided; with the first, so is the match, unless both are played (SH-30)."""
        winner = player
        if len(state.players) == 4:
            team = (
                [state.players[i] for i in (0, 2)]
                if state.players.index(player) % 2 == 0
                else [state.players[i] for i in (1, 3)]
            )
            winner = "+".join(team)
            others = [b for i, b in enumerate(state.boards) if i != index]
            if state.options["sh.match_end"] == "both" and any(b.result is None for b in others):
                return Event(
                    "board_over", {"board": index + 1, "reason": reason, "winner": player}
                )
        return Event("game_over", {"reason": reason, "winner": winner})

    def _open_board(self, state: HouseState, action: Action) -> int | Refused:
        """The board with a play that waits; the objector's own if there are two."""
        waiting = [i for i, b in enumerate(state.boards) if b.pending]
        if action.player is not None:
            waiting = [i for i in waiting if i == place_of(state, action.player)[0]]
        if not waiting:
            return Refused("nothing_to_challenge", "There is no play that may be objected to now.")
        return waiting[0]

    def _challenge(self, state: HouseState, action: Action) -> Verdict:
        """An objection that cannot be settled ends the game (SH-27)."""
        index = self._open_board(state, action)
        if isinstance(index, Refused):
            return index
        pending = state.boards[index].pending
        if pending is None:
            return Refused("nothing_to_challenge", "There is no play that may be objected to now.")
        verdict = action.data.get("verdict")
        bad = any(w not in state.materials.lexicon for w in pending.words)
        if verdict in ("not_a_word", "valid"):
            bad = verdict == "not_a_word"
        objector = action.player or opponent_of(state, pending.player)
        winner = objector if bad else pending.player
        event = self._won(state, index, winner, "challenge")
        return Accepted(
            (Event("_objected", {"words": list(pending.words), "upheld": bad}), event),
            {"upheld": bad},
        )

    def _accept(self, state: HouseState, action: Action) -> Verdict:
        index = self._open_board(state, action)
        if isinstance(index, Refused):
            return index
        events, result = self._explosion(state, index)
        return Accepted(tuple(events), result)

    def _withdraw(self, state: HouseState, action: Action) -> Verdict:
        """A play settled by agreement: its tiles come back before anything explodes."""
        index = self._open_board(state, action)
        if isinstance(index, Refused):
            return index
        pending = state.boards[index].pending
        removed = [s.name for s in sorted(pending.new)] if pending else []
        return Accepted(
            (Event("_taken_off", {"board": index, "squares": removed}),), {"removed": removed}
        )

    def _pass(self, state: HouseState, action: Action) -> Verdict:
        player = self._mover(state, action)
        if isinstance(player, Refused):
            return player
        index, _ = place_of(state, player)
        events: list[Event] = []
        if state.boards[index].pending:
            events, _ = self._explosion(state, index)
        events.append(Event("_passed", {"player": player}))
        return Accepted(tuple(events), {})

    def _press(self, state: HouseState, action: Action) -> Verdict:
        """A clock is pressed: the turn and the time go to the other side (SH-6)."""
        if action.player is None:
            return Refused("bad_action", "Expected the player who pressed the clock.")
        index, _ = place_of(state, action.player)
        events: list[Event] = []
        if state.boards[index].pending:
            events, _ = self._explosion(state, index)
        events.append(
            Event("_pressed", {"player": action.player, "board": index, "at": action.at})
        )
        return Accepted(tuple(events), {})

    def _tick(self, state: HouseState, action: Action) -> Verdict:
        """Time passes: a flag may fall (SH-26)."""
        if action.at is None:
            return Refused("bad_action", "A tick needs its time.")
        for index, (player, since) in state.running.items():
            if (
                state.clocks[player] - (action.at - since) <= 0
                and state.boards[index].result is None
            ):
                event = self._won(state, index, opponent_of(state, player), "time")
                return Accepted((event,), {})
        return Accepted((), {})

    def _flag(self, state: HouseState, action: Action) -> Verdict:
        if action.player is None:
            return Refused("bad_action", "Expected the player whose flag fell.")
        index, _ = place_of(state, action.player)
        return Accepted((self._won(state, index, opponent_of(state, action.player), "time"),), {})

    def draw_limit(self, state: HouseState, player: str) -> int:
        """How many own-colour tiles may be drawn (SH-22, SH-23)."""
        board = state.boards[place_of(state, player)[0]]
        return min(board.bag, max(0, RACK - state.hands[player].own))

    def _draw_limit(self, state: HouseState, action: Action) -> Verdict:
        if action.player is None:
            return Refused("bad_action", "Expected the player who wants to draw.")
        return Accepted((), {"max_draw": self.draw_limit(state, action.player)})

    def _draw(self, state: HouseState, action: Action) -> Verdict:
        if action.player is None:
            return Refused("bad_action", "Expected the player who draws.")
        limit = self.draw_limit(state, action.player)
        count = action.data.get("count", limit)
        if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= limit:
            return Refused("draw_limit", f"{action.player} may draw {limit} tiles, not {count}.")
        return Accepted(
            (Event("_drawn", {"player": action.player, "count": count}),), {"drawn": count}
        )

    def _exchange(self, state: HouseState, action: Action) -> Verdict:
        if state.options["sh.exchange"] == "off":
            return Refused("no_exchange", "There is no exchange in this game.")
        player = self._mover(state, action)
        if isinstance(player, Refused):
            return player
        return Accepted((Event("_passed", {"player": player}),), {})

    # --- evolving ---------------------------------------------------------------------------

    def evolve(self, state: HouseState, event: Event) -> HouseState:
        """The state after an event."""
        d = event.data
        match event.kind:
            case "_laid":
                return self._on_laid(state, event)
            case "_settled":
                return self._on_settled(state, event)
            case "_taken_off":
                return self._on_taken_off(state, event)
            case "passed_to_partner":
                return state
            case "_passed" | "_pressed":
                return self._on_passed(state, event)
            case "_drawn":
                player = str(d["player"])
                index, _ = place_of(state, player)
                hand = state.hands[player]
                board = state.boards[index]
                hands = {**state.hands, player: replace(hand, own=hand.own + int(d["count"]))}
                state = self._with_board(
                    state, index, replace(board, bag=board.bag - int(d["count"]))
                )
                return replace(state, hands=MappingProxyType(hands))
            case "board_over":
                index = int(d["board"]) - 1
                return self._with_board(
                    state,
                    index,
                    replace(state.boards[index], result=str(d["winner"]), pending=None),
                )
            case "game_over":
                return replace(
                    state,
                    over=True,
                    reason=str(d["reason"]),
                    winner=str(d["winner"]),
                    running=MappingProxyType({}),
                )
            case _:
                pass
        return state

    def _with_board(self, state: HouseState, index: int, board: Board) -> HouseState:
        boards = list(state.boards)
        boards[index] = board
        return replace(state, boards=tuple(boards))

    def _on_laid(self, state: HouseState, event: Event) -> HouseState:
        d = event.data
        player, index = str(d["player"]), int(d["board"])
        side = place_of(state, player)[1]
        board = state.boards[index]
        new = {parse_square(s): str(x).upper() for s, x in d["tiles"].items()}
        cells = {**board.cells, **{s: (x, side) for s, x in new.items()}}
        pending = (
            None
            if d.get("declined")
            else Disputable(player, board.cells, MappingProxyType(new), tuple(d["words"]))
        )
        board = replace(
            board, cells=MappingProxyType(cells), blanks=board.blanks | {parse_square(s) for s in d["blanks"]},
            pending=pending, to_move=opponent_of(state, player),
        )  # fmt: skip
        hand = state.hands[player]
        own = max(0, hand.own - len(new))
        state = self._with_board(state, index, board)
        hands = {**state.hands, player: replace(hand, own=own)}
        return replace(state, opened=state.opened | {player}, hands=MappingProxyType(hands))

    def _on_settled(self, state: HouseState, event: Event) -> HouseState:
        d = event.data
        index = int(d["board"])
        board = state.boards[index]
        cells = cells_from_rows(list(d["after"]))
        removed = frozenset(parse_square(s) for s in d["removed"])
        board = replace(
            board, cells=MappingProxyType(cells), blanks=board.blanks - removed, pending=None
        )
        state = self._with_board(state, index, board)
        partner = partner_of(state, str(d["player"]))
        if partner is None or not removed:
            return state
        # Tiles of this board's colour are bonus tiles on the other board (SH-21).
        hand = state.hands[partner]
        hands = {**state.hands, partner: replace(hand, other=hand.other + len(removed))}
        return replace(state, hands=MappingProxyType(hands))

    def _on_taken_off(self, state: HouseState, event: Event) -> HouseState:
        index = int(event.data["board"])
        board = state.boards[index]
        pending = board.pending
        if pending is None:
            return state
        board = replace(
            board, cells=pending.before, blanks=board.blanks - set(pending.new), pending=None, to_move=pending.player,
        )  # fmt: skip
        hand = state.hands[pending.player]
        hands = {**state.hands, pending.player: replace(hand, own=hand.own + len(pending.new))}
        return replace(self._with_board(state, index, board), hands=MappingProxyType(hands))

    def _on_passed(self, state: HouseState, event: Event) -> HouseState:
        player = str(event.data["player"])
        index, _ = place_of(state, player)
        other = opponent_of(state, player)
        state = self._with_board(state, index, replace(state.boards[index], to_move=other))
        at = event.data.get("at")
        if at is None:
            return state
        clocks, running = {**state.clocks}, {**state.running}
        if index in running:
            who, since = running[index]
            clocks[who] = clocks[who] - (float(at) - since)
        running[index] = (other, float(at))
        return replace(state, clocks=MappingProxyType(clocks), running=MappingProxyType(running))

    # --- seeing, showing, saying ------------------------------------------------------------

    def interpret(self, state: HouseState, change: Change) -> tuple[Candidate, ...]:
        """A play; whose it is, the facing of its tiles tells (or the turn)."""
        index = 1 if change.surface == "board 2" else 0
        if change.removed and not change.added:
            pending = state.boards[index].pending
            if pending and set(change.removed) == set(pending.new):
                return (Candidate((Action("withdraw", pending.player),), "taken back"),)
            return ()
        if not change.added:
            return ()
        tiles = {s.name: x for s, x in sorted(change.added.items())}
        board = state.boards[index]
        south, north = at_board(state, index)
        order = (
            [board.to_move, opponent_of(state, board.to_move)] if board.to_move else [south, north]
        )
        facing = [change.turned[s] for s in change.added if s in change.turned]
        if facing:
            order = [south, north] if facing.count(0) >= facing.count(2) else [north, south]
        return tuple(
            Candidate((Action("place", p, None, {"tiles": tiles}),), "play") for p in order if p
        )

    def view(self, state: HouseState, viewer: str | None) -> Mapping[str, JsonValue]:
        """Both boards, hands by colour, clocks: everything lies face up (SH-4)."""
        boards = [rows_from_cells(b.cells) for b in state.boards]
        return {
            "board": boards[0],
            "boards": boards,
            "blanks": sorted(s.name for s in state.boards[0].blanks),
            "to_move": [b.to_move for b in state.boards],
            "may_act": sorted(state.may_act),
            "hands": {
                p: {"own_colour": h.own, "other_colour": h.other} for p, h in state.hands.items()
            },
            "bags": [b.bag for b in state.boards],
            "clocks": dict(state.clocks),
            "pending_challenge": any(b.pending for b in state.boards),
            "over": state.over,
            "winner": state.winner,
        }

    def announce(self, state: HouseState, event: Event) -> tuple[str, ...]:
        """The lines of rule 7."""
        d = event.data
        match event.kind:
            case "words":
                return (", ".join(d["words"]) + ".",)
            case "rotated":
                return ("Turn " + ", ".join(spoken(parse_square(s)) for s in d["squares"]) + ".",)
            case "exploded":
                return self._say_exploded(event)
            case "mixed_words":
                return (f"Broken: {', '.join(d['words'])}.",)
            case "_settled":
                lines = [f"{w} stays." for w in d["kept"] if w not in d["tolerated"]]
                lines += [
                    f"{w} is no word but belongs to longer words; it stays."
                    for w in d["tolerated"]
                ]
                return tuple(lines)
            case "passed_to_partner":
                return (f"{d['count']} tiles to the partner.",)
            case "_passed":
                return (f"{d['player']} passes.",)
            case "_taken_off":
                return ("The play comes back.",)
            case "_objected":
                return (f"{d['words'][0]} is {'not good' if d['upheld'] else 'good'}.",)
            case "board_over":
                return (f"Board {d['board']} goes to {d['winner']}.",)
            case "game_over":
                ends = {
                    "chain": "is through!",
                    "time": "wins on time.",
                    "challenge": "wins the dispute.",
                }
                return (f"{d['winner']} {ends.get(str(d['reason']), 'wins.')}",)
            case _:
                pass
        return ()

    def _say_exploded(self, event: Event) -> tuple[str, ...]:
        count, stage = len(event.data["tiles"]), str(event.data["stage"])
        if stage == "mixed":
            return (f"Explosion! {count} tiles off.",)
        if stage == "leftover":
            return (f"{count} more that spell nothing.",)
        return (f"And {count} more fall.",)


GAME = ScrabbleHouse()
