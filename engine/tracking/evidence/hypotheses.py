"""Hypotheses: games that may have led to the pictures, each with its weight.

A photograph rarely leaves a doubt, but where it does, what comes next tells: a tile that was
missed, a shadow taken for a tile, a hand over half a word. So several hypotheses are kept side
by side, each a whole game with its own ledger, and the likeliest counts. Who sits where belongs
to it, and what the rules want on the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final

from kibitz.engine.record.ledger import Ledger, StateKey, public_view
from kibitz.engine.rules import Change, GameRules, Question, Refused
from kibitz.engine.table import (
    EMPTY,
    UNKNOWN_BLANK,
    Grid,
    Square,
    Tile,
    board_rows,
    grid_from_rows,
    square_named,
)
from kibitz.engine.tracking.evidence.changes import BoardView, SquareView
from kibitz.engine.tracking.evidence.priors import PRIORS, PeoplePriors, TrackingPriors

# --- who sits where --------------------------------------------------------------------------


SIDES = ("top", "right", "bottom", "left")
"""The sides of the camera's picture."""


CLOCKWISE = ("bottom", "left", "top", "right")
"""The sides in the order in which players sit from the first one on, the bottom of the picture."""


@dataclass(frozen=True, slots=True)
class Seats:
    """Side of the picture at which each player sits.

    Attributes:
        seen: how often a play of each player came from each side.
        told: the sides that people said.
        reaching: people said that somebody reached over from another side; from then on a hand
            from elsewhere says nothing against a player.
    """

    seen: Mapping[tuple[str, str], int] = field(default_factory=dict)
    told: Mapping[str, str] = field(default_factory=dict)
    reaching: bool = False

    def with_told(self, player: str, side: str) -> Seats:
        """The seats with a side that people said; whoever was thought to sit there is unknown."""
        told = {p: s for p, s in self.told.items() if s != side}
        return replace(self, told={**told, player: side})

    def knows(self, player: str) -> bool:
        """True if anything is known of a player's side."""
        return player in self.told or any(player == p for p, _ in self.seen)

    def side_of(self, player: str, priors: PeoplePriors = PRIORS.people) -> str | None:
        """Side of a player; None while plays are too few or contradict each other."""
        if player in self.told:
            return self.told[player]
        votes = {side: n for (who, side), n in self.seen.items() if who == player}
        best = max(votes, key=lambda side: votes[side], default=None)
        if best is None or best in self.told.values():
            return None
        return best if 2 * votes[best] - sum(votes.values()) >= priors.seat_turns else None

    def says(self, side: str | None, player: str, priors: PeoplePriors = PRIORS.people) -> float:
        """Log likelihood ratio of a hand from this side being the player's; 0 if unknown.

        Args:
            side: where the hand came from; None if nobody saw.
            player: whose hand it may be.
            priors: when a seat is known, and what it says.
        """
        if side is None:
            return 0.0
        before = {s for p, s in self.seen if p == player}
        # where turns put an earlier hand down to this player, another says nothing against it
        against = 0.0 if self.reaching or side in before else -priors.same_side
        own = self.side_of(player, priors)
        if own is not None:
            return priors.same_side if own == side else against
        if before and side not in before:
            return against  # not where this player's hands came from so far
        others = {p for p, _ in self.seen if p != player} | (set(self.told) - {player})
        if any(self.side_of(p, priors) == side for p in others):
            return against
        if any(s == side for p, s in self.seen if p != player):
            return 0.0  # both reached over from there
        return priors.same_side / 2 if side in before else 0.0  # others may reach over too

    def owner_of(
        self, side: str | None, players: tuple[str, ...], priors: PeoplePriors = PRIORS.people
    ) -> str | None:
        """The only player at a side; None if there are none or several."""
        there = [p for p in players if side is not None and self.side_of(p, priors) == side]
        return there[0] if len(there) == 1 else None


def sides_of(players: int) -> tuple[str, ...]:
    """Sides of the picture for so many players, clockwise; empty if two share a side."""
    return CLOCKWISE[:: 4 // players] if players in (2, 4) else ()


def around(players: tuple[str, ...], seats: Seats) -> tuple[str, ...]:
    """Players in the order in which they sit, clockwise from the bottom of the picture.

    As they are listed, but those whom people placed elsewhere. Only two or four sit at sides of
    their own; of others what people say is not known to be a seat.

    Args:
        players: in the order in which they are listed.
        seats: what people said.
    """
    sides = sides_of(len(players))
    placed = {side: p for p, side in seats.told.items() if side in sides and p in players}
    # who is not in the way stays where the list has them
    stays = {s: p for s, p in zip(sides, players, strict=False) if s not in placed}
    free = {s: p for s, p in stays.items() if p not in placed.values()}
    others = iter([p for p in players if p not in {*placed.values(), *free.values()}])
    return tuple(placed.get(s) or free.get(s) or next(others) for s in sides) or players


NOBODY = Seats()
"""Before anybody has played."""


# --- games -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Capture:
    """How a picture came about.

    Attributes:
        live: out of a film, where a play may be half laid; else somebody took a photograph of
            a position that was complete.
        soon: whether the last play was announced only a moment before something moved again, so
            that it may not have been complete.
        pause_s: seconds from the announcement of the last play to this picture; None where that is
            not known.
        side: the side of the picture that the hand came from; None where nobody saw.
        asked: somebody at a live table asked for it: what lies there is complete.
        hand: whether an arm lies beside the board, and so may reach over its rim.
        last: nothing follows it, so that nobody waits until a hand is gone.
    """

    live: bool = False
    soon: bool = False
    pause_s: float | None = None
    side: str | None = None
    asked: bool = False
    hand: bool = False
    last: bool = False

    @property
    def attended(self) -> bool:
        """True if people are there who see what Kibitz says, and may answer."""
        return self.live or self.asked


PHOTO = Capture()


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What the kind of game says about its board, and what is believed of any.

    Attributes:
        most_tiles: how many tiles one play may have.
        facing: each tile is upright for one of two players who sit opposite each other.
        colours: how many tile sets lie mixed, told apart by their colour.
        counts: how often each letter may lie at most; None where nobody knows.
        cards: cards may lie over squares.
        priors: what is believed before any picture.
        board: which board of the game it is, from 0; None where the game has only one.
    """

    most_tiles: int
    facing: bool
    colours: int
    counts: Mapping[str, int] | None
    cards: bool
    priors: TrackingPriors = PRIORS
    board: int | None = None

    @property
    def most_parted(self) -> int:
        """Tiles that are parted into plays unasked: as many as two whole plays have."""
        return 2 * self.most_tiles


@dataclass(frozen=True, slots=True)
class Observation:
    """One picture of one board, and what kind of table it shows.

    Attributes:
        photo: its number.
        view: what every square shows.
        facts: what kind of table it is.
        lasting: squares that looked like tiles all along, and how much
            (`interpretation.lasting_gains`).
        before: what the picture before showed; None in the first.
        how: how it was taken.
        seats: who sits where, as far as is known.
        pauses: `how.pause_s` of each picture before, by its number.
    """

    photo: int
    view: BoardView
    facts: TableFacts
    lasting: Mapping[Square, float] = field(default_factory=dict)
    before: BoardView | None = None
    how: Capture = PHOTO
    seats: Seats = NOBODY
    pauses: Mapping[int, float | None] = field(default_factory=dict)

    @property
    def priors(self) -> TrackingPriors:
        """Prior weights, before any picture."""
        return self.facts.priors

    def pause_since(self, photo: int) -> float | None:
        """Seconds from a picture's announcement to this picture; None if unknown."""
        pause = self.how.pause_s
        for number in range(photo + 1, self.photo):
            more = self.pauses.get(number)
            pause = None if pause is None or more is None else pause + more
        return pause


@dataclass(frozen=True, slots=True)
class Finding:
    """Meaning of one picture.

    Attributes:
        photo: its number in the series.
        status: the `status` of its line.
        laid: new tiles, `?` for a blank; on squares where the same letter stayed, none.
        plays: the new squares of each play, in order.
        removed: squares that were cleared.
        turned: squares whose tile was turned round.
        question: what only a person can tell.
        refused: why the tiles seen are no play.
        not_laid: the tiles seen that are no play.
        note: a word for people.
        missed: squares where an explosion wanted something done that was not done before this
            play.
        due_cards: ship cards that were to be laid before this play and do not lie there.
        wrong_card: where a ship card lies that belongs elsewhere.
        merged: whether the play holds an earlier one, which was told before it was complete.
        unseen: whether the picture did not show this board.
    """

    photo: int
    status: str
    laid: Mapping[Square, str] = field(default_factory=dict)
    plays: tuple[frozenset[Square], ...] = ()
    removed: tuple[Square, ...] = ()
    turned: tuple[Square, ...] = ()
    question: Question | None = None
    refused: Refused | None = None
    not_laid: Mapping[Square, str] = field(default_factory=dict)
    note: str = ""
    missed: tuple[Square, ...] = ()
    due_cards: tuple[frozenset[Square], ...] = ()
    wrong_card: tuple[Square, ...] = ()
    merged: bool = False
    unseen: bool = False

    @property
    def is_disturbed(self) -> bool:
        """True if known tiles were missing, or tiles lay there that are no play."""
        return self.status in ("board_changed", "question")

    def still(self, photo: int) -> Finding:
        """The same of a later picture that does not show this board: nothing is new on it."""
        return replace(self, photo=photo, laid={}, plays=(), removed=(), turned=(), unseen=True)


@dataclass(frozen=True, slots=True)
class Waiting:
    """Tiles that are no play yet: a hand hides the rest, or the rules refuse them.

    `views` are those of the picture in which they were refused, `weight` what the refusal cost,
    `change` what the rules were told of them. With `anew` the game was taken up again since, and
    the same picture may be looked at once more: that they lie there still says nothing.
    """

    tiles: Mapping[Square, str]
    refused: Refused | None = None
    views: Mapping[Square, SquareView] = field(default_factory=dict)
    weight: float = 0.0
    change: Change = field(default_factory=Change)
    anew: bool = False


@dataclass(frozen=True, slots=True)
class LastPlay:
    """The newest play that may still be taken off: squares, picture and entry."""

    squares: frozenset[Square]
    photo: int
    entry: int


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One game that may have led to the pictures.

    Attributes:
        ledger: what was done, and so the state of the game.
        lying: the tiles that are thought to lie on the board, which is not always what the
            rules expect (exploded tiles stay until somebody lifts them).
        weight: log probability against nothing ever having happened.
        findings: one for each picture so far.
        views: for each tile, every view of it since it was laid.
        last: the newest play.
        waiting: tiles that are no play yet.
        cards: ship cards that the rules want laid and that were not seen yet.
        clearing: the tiles gone from a board that is being cleared.
        touched: squares where a hand may have hidden more of a play, with its picture.
    """

    ledger: Ledger
    lying: Grid
    weight: float = 0.0
    findings: tuple[Finding, ...] = ()
    views: Mapping[Square, tuple[SquareView, ...]] = field(default_factory=dict)
    last: LastPlay | None = None
    waiting: Waiting | None = None
    cards: tuple[frozenset[Square], ...] = ()
    clearing: frozenset[Square] = frozenset()
    touched: Mapping[Square, int] = field(default_factory=dict)

    @property
    def state(self) -> Any:
        """The state of the game."""
        return self.ledger.state


@dataclass(frozen=True, slots=True)
class Expected:
    """A position that a picture may start from: unchanged, with a play gone, or corrected.

    `whole` holds the squares of a play that was announced too early: only a single play that
    holds them all and more is looked for then. `taken` is the play that is taken off.
    With `clearing` no new tiles are looked for: the board is being cleared.
    """

    hypothesis: Hypothesis
    ledger: Ledger
    lying: Grid
    weight: float
    finding: Finding
    last: LastPlay | None
    whole: frozenset[Square] = frozenset()
    taken: LastPlay | None = None
    clearing: bool = False


@dataclass(frozen=True, slots=True)
class Puzzle:
    """New tiles that form no single play, to be divided only if that may be likeliest.

    Attributes:
        expected: what they are new to.
        squares: where they lie.
        refused: why they are no single play.
        most: the weight that no parting of them can exceed.
    """

    expected: Expected
    squares: frozenset[Square]
    refused: Refused | None
    most: float


# --- what the rules want ---------------------------------------------------------------------


NORTH_TURN: Final = 2


@dataclass(frozen=True, slots=True)
class Expectation:
    """Expected content of one board before a picture is looked at.

    Attributes:
        rules: the tiles that should lie there by the rules.
        lying: the tiles that were last seen there; exploded ones stay until they are lifted.
    """

    rules: Grid
    lying: Grid


@dataclass(frozen=True, slots=True)
class Task:
    """Something to be done on a table.

    Attributes:
        kind: `lift`, `turn`, `lay_card`, or `refused` for tiles that make no play.
        squares: where, as people name squares.
        refused: why the tiles make no play.
        read: the letters read on them.
    """

    kind: str
    squares: tuple[str, ...]
    refused: Refused | None = None
    read: tuple[str, ...] = ()


def rules_grid(game: GameRules[Any], state: Any) -> Grid:
    """Board according to the rules; empty before there is one."""
    return _grid_of(StateKey(game, state))


@lru_cache(maxsize=64)
def _grid_of(told: StateKey) -> Grid:
    game, view = told.game, public_view(told.game, told.state)
    rows = board_rows(view)
    if not rows:
        surface = game.info.surface
        return Grid(surface.rows, surface.cols)
    if game.info.surface.facing:
        return facing_grid(rows, view.get("blanks") or ())
    return grid_from_rows(rows)


def facing_grid(rows: Iterable[str], blanks: Iterable[str] = ()) -> Grid:
    """Parse a Scrabble House board: capitals face South, small letters North (0.2)."""
    lines = list(rows)
    tiles = {}
    bare = set(blanks)
    for r, line in enumerate(lines):
        for c, char in enumerate(line):
            if char != EMPTY:
                square = Square(r, c)
                turn = NORTH_TURN if char.islower() else 0
                blank = char == UNKNOWN_BLANK or square.name in bare
                tiles[square] = Tile(char.upper(), blank=blank, turn=turn)
    return Grid(len(lines), len(lines[0]) if lines else 0, tiles)


def name_of(square: Square, size: int) -> str:
    """Name of a square: `H8`, or `2:H8` on nine joined boards."""
    return square.name_on(size)


def tiles_json(tiles: Mapping[Square, str], size: int) -> dict[str, str]:
    """Letters by square name, as plays have them, in reading order."""
    return {name_of(s, size): tiles[s] for s in sorted(tiles)}


def text_rows(grid: Grid, *, facing: bool) -> list[str]:
    """A board as text; with `facing` North's tiles are small letters."""
    if not facing:
        return list(grid.text_rows())
    rows = [[EMPTY] * grid.cols for _ in range(grid.rows)]
    for (row, col), tile in grid.tiles.items():
        rows[row][col] = tile.letter.lower() if tile.turn == NORTH_TURN else tile.letter
    return ["".join(row) for row in rows]


def lying_from(rows: Iterable[str], rules: Grid, *, facing: bool) -> Grid:
    """Parse a position kept as text; the rules fill in what text leaves out of a tile."""
    grid = facing_grid(rows) if facing else grid_from_rows(list(rows))
    known = {s: rules.tiles[s] for s in grid.tiles if s in rules.tiles}
    if facing:
        known = {s: replace(t, turn=grid.tiles[s].turn) for s, t in known.items()}
    return grid.with_tiles(known)


def tasks_of(hypothesis: Hypothesis, *, facing: bool) -> list[Task]:
    """Tasks on a board: tiles to lift or turn, cards to lay, tiles that form no play."""
    rules, lying = rules_grid(hypothesis.ledger.game, hypothesis.state), hypothesis.lying

    def named(squares: Iterable[Square]) -> tuple[str, ...]:
        return tuple(name_of(s, lying.rows) for s in sorted(squares))

    lift = named(s for s in lying.tiles if s not in rules)
    there = {s: t for s, t in lying.tiles.items() if s in rules}
    turn = named(s for s, t in there.items() if facing and rules.tiles[s].turn != t.turn)
    tasks = [Task(kind, names) for kind, names in (("lift", lift), ("turn", turn)) if names]
    tasks += [Task("lay_card", named(card)) for card in hypothesis.cards]
    waiting = hypothesis.waiting
    if waiting is not None and waiting.refused is not None:
        read = tuple(waiting.tiles[s] for s in sorted(waiting.tiles))
        tasks.append(Task("refused", named(waiting.tiles), waiting.refused, read))
    return tasks


def cards_asked_for(ledger: Ledger, since: int) -> list[frozenset[Square]]:
    """Ship cards that the rules asked for in entries from this number on."""
    events = [e for done in ledger.done[since:] for e in done.verdict.events]
    asked = [e.data["squares"] for e in events if e.kind == "ship_tile"]
    return [frozenset(square_named(str(s)) for s in squares) for squares in asked]
