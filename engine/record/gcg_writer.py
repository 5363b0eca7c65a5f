"""Exports a game of Scrabble as GCG for macondo (Woogles), Quackle and cross-tables.

All three want a rack at every turn. It is written as far as it is known: as told; else the tiles
that the same rack is seen to hold, by what is laid or exchanged from it before anything is drawn;
else, with a remark that says so, tiles of the bag that stand for it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kibitz.engine.board.connection import parse_tiles
from kibitz.engine.board.scoring import RACK_SIZE
from kibitz.engine.clock import FORFEITED, OVERTIME, forfeit_line
from kibitz.engine.record.blanks import nameless_blanks
from kibitz.engine.record.gcg import (
    TURNS,
    GcgGame,
    GcgMove,
    in_brackets,
    play_word,
    read_gcg,
    write_gcg,
)
from kibitz.engine.record.gcg_position import SET_UP, laying_of, split_once
from kibitz.engine.record.gcg_replay import GcgReplay
from kibitz.engine.record.ledger import Done, Entry, Ledger, is_taken_back
from kibitz.engine.rules import Event, Refused
from kibitz.engine.table import UNKNOWN_BLANK, Grid, Square, Tile, parse_square
from kibitz.engine.tiles.end_racks import known_racks
from kibitz.engine.tiles.unseen import face_of, faces_of, unseen

TAKE_JSON = "Take JSON, which keeps everything."
LOST_TURN = "Turn lost by a challenge."
STANDS_FOR_RACK = "This rack was not seen; unseen tiles stand for it."
TAKEN_BACK = "A play was taken off again; it could not be written."

REAL_LEXICONS = re.compile(
    r"(NWL|NSWL|TWL|OWL|OTCWL|CSW|OSWI|ECWL|OSPS|NSF|FRA|ODS|RD|DISC|FISE|FILE|DSW|OSPD)\d*",
    re.IGNORECASE,
)
"""Word lists that other programs know by name."""

DISTRIBUTIONS = {"de": "german", "fr": "french", "pl": "polish"}
"""Tile sets that other programs know, by language; English is what they take unasked."""


class GcgImpossible(ValueError):
    """The game cannot be written as GCG; the message says why, and what to do."""


def gcg_text(ledger: Ledger, names: Mapping[str, str] | None = None, *, racks: bool = True) -> str:
    """A game as GCG text that other programs read and that replays to the same board.

    Args:
        ledger: a game of Scrabble.
        names: full names of players; without one the name itself.
        racks: with what players hold and exchange; without it only what everybody sees.

    Raises:
        GcgImpossible: the format, or its readers, cannot hold this game.
    """
    game = gcg_game(ledger, names, racks=racks)
    if len(game.players) > 2:
        raise GcgImpossible(
            "GCG as macondo, Woogles and cross-tables read it is for two players, and this game "
            f"has {len(game.players)}. {TAKE_JSON}"
        )
    for move in game.moves:
        if (move.total or 0) < 0 and move.kind not in ("racks", "time"):
            raise GcgImpossible(
                f"GCG has no total below zero before the end, and {move.player} has "
                f"{move.total}. {TAKE_JSON}"
            )
    text = write_gcg(game)
    _check_replays(ledger, game, text)
    return text


def _as_all_see(move: GcgMove) -> GcgMove:
    """The move without private tiles; an exchange keeps only their number."""
    note = "\n".join(x for x in move.note.splitlines() if x != STANDS_FOR_RACK)
    tiles = move.tiles
    if move.kind == "exchange" and tiles and not tiles.isdecimal():
        tiles = str(len(tiles))
    return replace(move, rack="", tiles=tiles, note=note)


def which_blank(square: Square, letters: Sequence[str]) -> str:
    """What is asked about a blank without a letter; nothing where only one makes good words."""
    if len(letters) == 1:
        return ""
    return (
        f"Which letter is the blank on {square.name}? {letters[0]} stands for it here; "
        f"{', '.join(letters[1:])} would do too."
    )


def _check_replays(ledger: Ledger, game: GcgGame, text: str) -> None:
    """Check that the written text replays to the same board and scores.

    Raises:
        GcgImpossible: it does not.
    """
    again = read_gcg(text)
    run = GcgReplay(ledger.opening.materials.tile_set, house_rules=True).run(again)
    lying = {s: t.text for s, t in _grid(ledger, ledger.state).tiles.items()}
    lying |= {s: letters[0].lower() for s, letters in nameless_blanks(ledger).items()}
    laid = {s: t.text for s, t in run.grid.tiles.items()}
    scores = dict(ledger.game.view(ledger.state, None)["scores"])
    ours = dict(zip((p for p, _ in game.players), run.scores.values(), strict=True))
    moved = {m.player for m in game.moves}
    same = all(ours[p] == scores[p] for p in moved)
    if run.wrong or laid != lying or not same:
        first = f" (line {run.wrong[0].line}: {run.wrong[0].what})" if run.wrong else ""
        raise GcgImpossible(
            f"This game, written as GCG, would not play again to the same board{first}. "
            f"{TAKE_JSON}"
        )


def gcg_game(
    ledger: Ledger, names: Mapping[str, str] | None = None, *, racks: bool = True
) -> GcgGame:
    """Every play, exchange, pass and take-back of a game, with racks, scores and totals.

    Args:
        ledger: a game of Scrabble.
        names: full names of players; without one the name itself.
        racks: with what players hold and exchange; without it only what everybody sees.

    Raises:
        GcgImpossible: another game, or a position that cannot be laid as plays.
    """
    info = ledger.game.info
    if not info.gcg:
        raise GcgImpossible(f"GCG holds only Scrabble, not {info.title}. {TAKE_JSON}")
    game = _Writer(ledger).game(names or {})
    return game if racks else replace(game, moves=tuple(map(_as_all_see, game.moves)))


@dataclass(frozen=True, slots=True)
class _Line:
    """A line in the making: move, tiles laid and on which board, and known rack.

    Attributes:
        entry: what it is the line of, for taking plays back; None for other lines than plays.
        held: faces that the rack must have held.
        draws: whether other tiles may be on the rack afterwards.
    """

    move: GcgMove
    before: Grid | None = None
    tiles: Mapping[Square, Tile] = field(default_factory=dict)
    entry: Entry | None = None
    held: tuple[str, ...] = ()
    draws: bool = False


@dataclass(frozen=True, slots=True)
class _KnownRack:
    """A player's rack as somebody told it."""

    player: str
    rack: tuple[str, ...]


def _grid(ledger: Ledger, state: Any) -> Grid:
    grid = getattr(state, "grid", None)
    if not isinstance(grid, Grid):
        raise GcgImpossible(f"GCG holds only Scrabble, not {ledger.game.info.title}. {TAKE_JSON}")
    return grid


def _begins(ledger: Ledger) -> str:
    """The player with the first turn: as drawn or told, else as the position says."""
    for done in ledger.done:
        if "begins" in done.verdict.result:
            return str(done.verdict.result["begins"])
    return str(getattr(ledger.start, "to_move", "") or ledger.opening.players[0])


class _Writer:
    """Builds the lines of one game."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.players = ledger.opening.players
        self.tile_set = ledger.opening.materials.tile_set
        self.items: list[_Line | _KnownRack] = []
        self.start = _grid(ledger, ledger.start)
        self.skips: Counter[str] = Counter()
        self.begins = _begins(ledger)
        self.first = dict(ledger.game.view(ledger.start, None)["scores"])

    def game(self, names: Mapping[str, str]) -> GcgGame:
        """Build the whole game."""
        for player, rack in dict(self.ledger.start.racks).items():
            self.items.append(_KnownRack(player, rack))
        state = self.ledger.start
        for done in self.ledger.done:
            self._entry(done, state)
            state = done.state
        self._lost_turns(str(state.to_move))
        self._drop_nameless_phonies()
        self._name_blanks()
        if getattr(state, "over", False):
            self.items += [_KnownRack(p, r) for p, r in self._last_racks().items() if r]
        moves = self._with_racks()
        order, set_up = self._set_up()
        last = (*self._end_racks(), *self._overtime())
        moves = _totalled([*set_up, *moves, *last], self._totals_before(set_up))
        tiles = self.tile_set.language
        full = " and ".join(names.get(p) or p for p in self.players)
        title = f"{self.ledger.game.info.title}: {full}"
        header = [("title", title), ("lexicon", known_lexicon(self.ledger))]
        header.append(("tile-distribution", DISTRIBUTIONS.get(tiles, "")))
        if set_up or any(self.first.values()):
            header.append(("description", self._begins()))
        if tiles != "en" and moves:
            played_with = f"Played with the tile set {tiles}, not with English tiles."
            moves[0] = replace(moves[0], note=f"{moves[0].note}\n{played_with}".strip())
        players = tuple((p, names.get(p) or p) for p in order)
        game = GcgGame(players, tuple(moves), tuple((k, v) for k, v in header if v))
        return in_brackets(game, self.tile_set)

    # --- what was done ------------------------------------------------------------------------

    def _entry(self, done: Done, state: Any) -> None:
        """Add the lines of one entry, from its events rather than its action."""
        kind = done.entry.action.kind
        if kind == "take_back":
            self._take_back(done)
            return
        if kind == "set_position":
            self._go_on_from(state, done.state)
            return
        for event in done.verdict.events:
            self._event(event, _grid(self.ledger, state), done)
            state = self.ledger.game.evolve(state, event)

    def _event(self, event: Event, before: Grid, done: Done) -> None:
        data = event.data
        player = str(data.get("player") or "")
        if event.kind in ("_played", "_passed", "_exchanged"):
            self._lost_turns(player)
        match event.kind:
            case "_played":
                tiles = parse_tiles(data["tiles"])
                if not isinstance(tiles, Refused):
                    score = int(data["score"])
                    self.items.append(_laid(player, before, tiles, score, done.entry))
            case "_taken_off":
                self._withdrawn(player)
            case "_passed":
                self.items.append(_Line(GcgMove(player, "pass")))
            case "_exchanged":
                self._exchanged(player, int(data["count"]), done)
            case "_stands" if data.get("award"):
                self.items.append(_Line(GcgMove(player, "bonus", score=int(data["award"]))))
            case "_stands" if data.get("loses_turn"):
                self.skips[str(data["challenger"])] += 1
            case "_racks_told":
                for who, rack in data["racks"].items():
                    self.items.append(_KnownRack(str(who), tuple(rack)))
            case "_blank_named":
                self._name(parse_square(str(data["square"])), str(data["letter"]))
            case _:
                pass

    def _lost_turns(self, to_move: str) -> None:
        """Add the turns lost by challenges before somebody's turn."""
        turns = [
            x.move.player for x in self.items if isinstance(x, _Line) and x.move.kind in TURNS
        ]
        at = self.players.index(turns[-1] if turns else self.begins)
        for i in range(1, len(self.players)):
            player = self.players[(at + i) % len(self.players)]
            if player == to_move:
                break
            if self.skips[player]:
                self.skips[player] -= 1
                self.items.append(_Line(GcgMove(player, "pass", note=LOST_TURN)))

    def _exchanged(self, player: str, count: int, done: Done) -> None:
        """Add an exchange, with its letters if they are known."""
        tiles = done.entry.action.data.get("tiles")
        letters = "".join(map(str, tiles)).upper() if isinstance(tiles, (list, tuple, str)) else ""
        known = letters if len(letters) == count and _are_tiles(letters) else ""
        move = GcgMove(player, "exchange", tiles=known or str(count))
        self.items.append(_Line(move, held=tuple(known), draws=True))

    def _last_play(self) -> int | None:
        for i in range(len(self.items) - 1, -1, -1):
            item = self.items[i]
            if isinstance(item, _Line) and item.move.kind == "play":
                return i
        return None

    def _withdrawn(self, player: str) -> None:
        """Add a line that withdraws the last play; its tiles return to the rack."""
        at = self._last_play()
        if at is None:
            return
        play = self.items[at]
        if isinstance(play, _Line):
            self.items[at] = replace(play, draws=False)
            move = GcgMove(player, "withdrawn", score=-play.move.score)
            self.items.append(_Line(move, held=play.held))

    def _take_back(self, done: Done) -> None:
        """Add the plays taken back, whose turns count as spent (CL-14) or not at all."""
        gone = [
            i
            for i, x in enumerate(self.items)
            if isinstance(x, _Line)
            and x.entry is not None
            and x.move.kind == "play"
            and is_taken_back(x.entry, done.entry.action)
        ]
        if done.entry.action.data.get("turn") == "back":
            # the turn goes on: the file has no line for a play that was thought better of
            self.items = [x for i, x in enumerate(self.items) if i not in gone]
            return
        player = done.verdict.result.get("player")
        for i in gone:
            item = self.items[i]
            if isinstance(item, _Line):
                if i == self._last_line() and item.move.player == player:
                    self._withdrawn(item.move.player)
                else:
                    move = GcgMove(item.move.player, "pass", note=TAKEN_BACK)
                    self.items[i] = _Line(move, held=item.held)

    def _last_line(self) -> int | None:
        lines = [i for i, x in enumerate(self.items) if isinstance(x, _Line)]
        return lines[-1] if lines else None

    def _go_on_from(self, before: Any, after: Any) -> None:
        """Continue from a board that was scanned: its new tiles become a set-up."""
        old, new = _grid(self.ledger, before), _grid(self.ledger, after)
        plays = laying_of(old, new)
        if plays is None:
            raise GcgImpossible(
                "The game went on from another board than the plays lead to, which GCG cannot "
                f"say. {TAKE_JSON}"
            )
        player = str(getattr(before, "to_move", "") or self.players[0])
        turn = self.players.index(player)
        for i, tiles in enumerate(plays):
            who = self.players[(turn + i) % len(self.players)]
            line = _laid(who, old, tiles, 0, None)
            self.items.append(replace(line, move=replace(line.move, note=SET_UP), draws=True))
            old = old.with_tiles(tiles)

    def _name_blanks(self) -> None:
        """Name blanks without a letter by their words; where several letters do, ask in a note."""
        for square, letters in nameless_blanks(self.ledger).items():
            self._name(square, letters[0], which_blank(square, letters))

    def _name(self, square: Square, letter: str, note: str = "") -> None:
        """Name a blank, even long after it was laid."""
        for i in range(len(self.items) - 1, -1, -1):
            item = self.items[i]
            if isinstance(item, _Line) and square in item.tiles and item.before is not None:
                tiles = {**item.tiles, square: Tile(letter.upper(), blank=True)}
                self.items[i] = replace(
                    item,
                    tiles=tiles,
                    move=replace(
                        item.move,
                        word=play_word(item.before, tiles)[2],
                        note=f"{item.move.note}\n{note}".strip(),
                    ),
                )
                return
        if square in self.start:
            self.start = self.start.with_tiles({square: Tile(letter.upper(), blank=True)})

    def _drop_nameless_phonies(self) -> None:
        """Replace withdrawn plays with unnamed blanks by the turn that they cost."""
        kept: list[_Line | _KnownRack] = []
        for item in self.items:
            if isinstance(item, _Line) and item.move.kind == "withdrawn" and kept:
                play = kept[-1]
                if isinstance(play, _Line) and UNKNOWN_BLANK in play.move.word:
                    move = GcgMove(item.move.player, "pass", note=TAKEN_BACK)
                    kept[-1] = _Line(move, held=play.held)
                    continue
            kept.append(item)
        self.items = kept

    # --- racks --------------------------------------------------------------------------------

    def _with_racks(self) -> list[GcgMove]:
        """The moves with each rack as far as it is known."""
        racks: dict[int, str] = {}
        for player in self.players:
            own = [
                (i, x)
                for i, x in enumerate(self.items)
                if (x.move.player if isinstance(x, _Line) else x.player) == player
            ]
            racks.update(_racks_of(own))
        unseen_now = faces_of(self.tile_set)
        unseen_now.subtract(face_of(t) for t in self.start.tiles.values())
        unseen_last = Counter(unseen_now)
        for item in self.items:
            unseen_last.subtract(_stays(item))
        out, last_play = [], dict[str, str]()
        for i, item in enumerate(self.items):
            if isinstance(item, _Line):
                rack = racks.get(i, "")
                if item.move.kind == "bonus" and not rack:
                    rack = last_play.get(item.move.player, "")
                elif item.move.kind == "play":
                    last_play[item.move.player] = "".join(sorted(item.held))
                spare = unseen_now - Counter(rack)
                letters = sorted(spare, key=lambda x: (-unseen_last[x], -unseen_now[x], x))
                out.append(_with_rack(item.move, rack, [x for x in letters if x.isascii()], spare))
            unseen_now.subtract(_stays(item))
        return out

    def _last_racks(self) -> Mapping[str, tuple[str, ...]]:
        """Racks at the end: those told, and one that follows from the unseen tiles."""
        state = self.ledger.state
        racks: Mapping[str, tuple[str, ...]] = dict(state.racks)
        if state.bag:
            return racks
        rest = unseen(self.tile_set, (face_of(t) for t in state.grid.tiles.values()))
        return known_racks(self.players, racks, state.counts, rest, state.went_out)

    def _end_racks(self) -> Iterator[GcgMove]:
        """Yield points lost and won for tiles left, each with letters of that value."""
        change: Mapping[str, int] = getattr(self.ledger.state, "rack_change", None) or {}
        racks = self._last_racks()
        for player in sorted((p for p in change if change[p]), key=lambda p: change[p] > 0):
            left = [p for p in self.players if p != player] if change[player] > 0 else [player]
            letters = "".join("".join(sorted(racks.get(p, ()))) for p in left)
            rack = letters if change[player] < 0 else ""
            yield GcgMove(player, "racks", rack=rack, tiles=letters, score=change[player])

    def _overtime(self) -> Iterator[GcgMove]:
        """Points lost on time, written after the racks; a note says that the game was lost."""
        lost, notes = Counter[str](), dict[str, str]()
        for event in (e for done in self.ledger.done for e in done.verdict.events):
            if event.kind == OVERTIME:
                lost[str(event.data["player"])] += int(event.data["points"])
            if event.kind == FORFEITED:
                notes[str(event.data["player"])] = str(forfeit_line(event.data))
        for player, points in lost.items():
            yield GcgMove(player, "time", score=points, note=notes.get(player, ""))

    # --- a given position ---------------------------------------------------------------------

    def _set_up(self) -> tuple[tuple[str, ...], list[GcgMove]]:
        """Players in the order of their first turns, and plays that lay the start position."""
        to_move = self.begins
        plays = laying_of(Grid(self.start.rows, self.start.cols), self.start)
        if plays is None:
            raise GcgImpossible(
                "The position that the game begins from cannot come about by plays, which GCG "
                f"needs. {TAKE_JSON}"
            )
        if len(plays) < len(self.players):
            plays = split_once(plays)
        count = len(self.players)
        turn = (self.players.index(to_move) - len(plays)) % count
        order = (*self.players[turn:], *self.players[:turn])
        out, grid = [], Grid(self.start.rows, self.start.cols)
        for i, tiles in enumerate(plays):
            player = order[i % count]
            score = max(0, self.first[player]) if i < count else 0
            line = _laid(player, grid, tiles, score, None)
            out.append(replace(line.move, rack="".join(sorted(line.held)), note=SET_UP))
            grid = grid.with_tiles(tiles)
        return order, out

    def _totals_before(self, set_up: Sequence[GcgMove]) -> dict[str, int]:
        """Everybody's total before the first line."""
        laid = {m.player for m in set_up}
        return {p: 0 if p in laid and s > 0 else s for p, s in self.first.items()}

    def _begins(self) -> str:
        rows = "/".join(self.start.text_rows())
        scores = ", ".join(f"{p} {s}" for p, s in self.first.items())
        return f"The record begins in the middle of a game, at {scores}. Board, row by row: {rows}"


def known_lexicon(ledger: Ledger) -> str:
    """The word list's name, if other programs know it; else empty."""
    name = str(getattr(ledger.opening.materials.lexicon, "name", "") or "")
    stem = re.split(r"[/\\]", name)[-1].split(".", 1)[0]
    return stem.upper() if REAL_LEXICONS.fullmatch(stem) else ""


def _are_tiles(letters: str) -> bool:
    return all(x.isalpha() or x == UNKNOWN_BLANK for x in letters)


def _laid(
    player: str, before: Grid, tiles: Mapping[Square, Tile], score: int, entry: Entry | None
) -> _Line:
    square, axis, word = play_word(before, dict(tiles))
    move = GcgMove(player, "play", square=square, axis=axis, word=word, score=score)
    held = tuple(face_of(t) for _, t in sorted(tiles.items()))
    return _Line(move, before, tiles, entry, held, draws=True)


def _racks_of(items: Sequence[tuple[int, _Line | _KnownRack]]) -> dict[int, str]:
    """One player's racks by line number, as far as they are known.

    Between two draws a rack stays the same: what is laid, exchanged or told in one place is
    known of the whole stretch. What is left over when tiles are laid is still there afterwards.
    """
    out: dict[int, str] = {}
    kept: Counter[str] = Counter()
    stretch: list[tuple[int, _Line | _KnownRack]] = []
    for i, item in items:
        stretch.append((i, item))
        if isinstance(item, _Line) and item.draws:
            kept = _of_stretch(stretch, kept, out)
            stretch = []
    _of_stretch(stretch, kept, out)
    return out


def _of_stretch(
    stretch: Sequence[tuple[int, _Line | _KnownRack]], kept: Counter[str], out: dict[int, str]
) -> Counter[str]:
    """Write the racks of a stretch into `out`; returns what surely remains after it."""
    union = kept
    for _, item in stretch:
        if isinstance(item, _Line):
            union = union | Counter(item.held)
    seen = "".join(sorted(union.elements())) if union.total() <= RACK_SIZE else None
    racks = [(i, x.rack) for i, x in stretch if isinstance(x, _KnownRack)]
    known: Counter[str] = Counter()
    for i, item in stretch:
        if not isinstance(item, _Line):
            continue
        before = [r for at, r in racks if at < i]
        rack = before[-1] if before else next((r for _, r in racks), None)
        if rack is not None and not Counter(item.held) - Counter(rack):
            text = "".join(rack)
        else:
            text = seen if seen is not None else "".join(sorted(item.held))
        out[i] = text
        if item.draws:
            # of tiles that nobody named it is not known which ones went
            named = item.move.kind == "play" or not item.move.tiles.isdecimal()
            known = Counter(text) - Counter(item.held) if named else Counter()
    return known


def _stays(item: _Line | _KnownRack) -> tuple[str, ...]:
    """Tiles of a line that stay on the board."""
    lasts = isinstance(item, _Line) and item.move.kind == "play" and item.draws
    return item.held if isinstance(item, _Line) and lasts else ()


def _with_rack(
    move: GcgMove, rack: str, letters: Sequence[str], spare: Mapping[str, int]
) -> GcgMove:
    """A move with its rack, filled up with unseen tiles where too little of it is known.

    Args:
        move: the move.
        rack: what is known.
        letters: tiles that may stand for others, the likeliest first.
        spare: how many of each there are.
    """
    needed = 1
    if move.kind == "exchange" and move.tiles.isdecimal():
        # readers take the first letters of the rack as those exchanged, byte by byte
        needed = int(move.tiles)
        rack = "".join(sorted(rack, key=lambda x: (not x.isascii(), x)))
    if len(rack) >= needed or move.kind not in ("pass", "exchange"):
        return replace(move, rack=rack)
    named = [x for x in letters if x != UNKNOWN_BLANK] or ["E"]
    more = [x for turn in range(needed) for x in named if turn < max(1, spare.get(x, 0))]
    note = f"{move.note}\n{STANDS_FOR_RACK}".strip()
    return replace(move, rack="".join(more[: needed - len(rack)]) + rack, note=note)


def _totalled(moves: Sequence[GcgMove], before: Mapping[str, int]) -> list[GcgMove]:
    """Moves with running totals."""
    scores, out = dict(before), []
    for move in moves:
        scores[move.player] += move.score
        out.append(replace(move, total=scores[move.player]))
    return out
