"""What a filmed game shows, moment by moment, and what is true of it at each.

A `Director` moves the hands and the tiles. A game (see `scenarios`) with an incident in it
(see `incidents`) tells it what to do; every frame says with it what a faultless referee would
know once the hand has left.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kibitz.engine.record.history import lines_said
from kibitz.engine.record.ledger import Done, Ledger, player_of, tiles_of
from kibitz.engine.rules import Action
from kibitz.engine.table import Square
from tests.filming.drawing import Filmed, Pose, Scene, Worn
from tests.filming.film_stage import Moved
from tests.filming.story import Laid

RATE = 10.0
"""Pictures a second."""
WAVERS_BY = 0.1
"""A letter that wavers is so much more or less of another one by turns."""
TAKEN_OFF = ("withdraw", "challenge")
TOLD = ("flip", "claim")


@dataclass(frozen=True)
class KnownPlay:
    """One play that stands: whose, and its tiles by square, or its word."""

    player: str | None
    tiles: frozenset[tuple[str, str]]
    word: str = ""


@dataclass(frozen=True)
class Saying:
    """What the rules say of one thing that was done.

    Attributes:
        lines: in their order.
        word: of a play the main word; of tiles that form none their letters.
        points: of a play.
        needed: whether it must be said: that somebody passed without a word only may be.
    """

    lines: tuple[str, ...]
    word: str = ""
    points: int | None = None
    needed: bool = True


@dataclass(frozen=True)
class Known:
    """A game as a referee knows it.

    Attributes:
        plays: those that stand, in their order.
        scores: each player's.
        table: of a bare table, what lies on it.
        to_move: whose turn it is; of two boards on each. Empty where the game has no turns.
        said: everything that is to be said of it.
    """

    plays: tuple[KnownPlay, ...] = ()
    scores: tuple[tuple[str, Any], ...] = ()
    table: tuple[Any, ...] = ()
    to_move: tuple[str, ...] = ()
    said: tuple[Saying, ...] = field(default=(), compare=False)


def known_of(ledger: Ledger, held_photo: int | None = None) -> Known:
    """What a ledger knows.

    Args:
        ledger: the game.
        held_photo: the number of a picture whose plays are left out: they were not announced yet.
    """
    dated: list[tuple[int, KnownPlay]] = []
    for done in ledger.done:
        action = done.entry.action
        if action.kind == "take_back":
            dated = [(at, p) for at, p in dated if at != action.data["photo"]]
            continue
        if action.kind in TAKEN_OFF:
            gone = set(done.verdict.result.get("removed") or ())
            dated = [d for d in dated if not d[1].tiles or not {s for s, _ in d[1].tiles} <= gone]
            continue
        data = action.data
        laid = data.get("tiles")
        tiles = dict(laid) if isinstance(laid, Mapping) else {}
        if "square" in data and "letter" in data and action.kind != "answer":
            tiles = {str(data["square"]): str(data["letter"])}
        word = str(data.get("word") or data.get("letter")) if action.kind in TOLD else ""
        if (tiles or word) and done.entry.photo != held_photo:
            player = action.player or player_of(done)
            dated.append((done.entry.photo, KnownPlay(player, _plain(tiles), word)))
    view = ledger.game.view(ledger.state, None)
    scores = view.get("scores") or view.get("total_words") or {}
    table = (
        (view["face_down"], "".join(sorted(view["pool"])), repr(sorted(view["words"].items())))
        if "face_down" in view
        else ()
    )
    named = scores.items() if isinstance(scores, Mapping) else ((str(scores), scores),)
    mover = view.get("to_move") or ()
    sayings = (_saying(ledger, done) for done in ledger.done)
    return Known(
        tuple(p for _, p in dated),
        tuple(sorted(named)),
        table,
        (mover,) if isinstance(mover, str) else tuple(m for m in mover if m),
        tuple(saying for saying in sayings if saying.lines or saying.word),
    )


def _saying(ledger: Ledger, done: Done) -> Saying:
    result = done.verdict.result
    words: Any = result.get("words")
    first = words[0] if isinstance(words, (list, tuple)) and words else result.get("word", "")
    word = str(first.get("word", "") if isinstance(first, Mapping) else first)
    word = word or "".join(map(str, tiles_of(done.entry).values())).upper()
    points = result.get("turn_score")
    lines = tuple(map(str, lines_said(ledger, (done,))))
    needed = done.entry.told or done.entry.action.kind != "pass"
    return Saying(lines, word, points if isinstance(points, int) else None, needed)


def _plain(tiles: Mapping[str, Any]) -> frozenset[tuple[str, str]]:
    """Tiles by square; a blank is one, whatever letter people gave it."""
    return frozenset((s, "?" if str(x).islower() else str(x)) for s, x in tiles.items())


@dataclass(frozen=True)
class Frame:
    """One moment of a film.

    Attributes:
        scene: what the picture shows.
        known: what is true of the game, from when the hand that made it so has left.
        told: what people say just before.
        over: whether the players hold the game for finished.
    """

    scene: Scene
    known: Known
    told: tuple[Action, ...] = ()
    over: bool = False


Frames = Iterator[Frame]
Point = tuple[float, float]
AROUND: tuple[Point, ...] = ((0.5, 1.0), (0.0, 0.5), (0.5, 0.0), (1.0, 0.5))
"""Where arms come from, in parts of the picture: the middles of its edges, clockwise."""
FACING = AROUND[::2]
"""Two players face each other."""
AT_TWO_BOARDS = ((0.25, 1.0), (0.25, 0.0), (0.75, 1.0), (0.75, 0.0))
"""Two at each of two boards, face to face."""
ON_FOUR_SIDES = ((0.25, 1.0), (0.0, 0.5), (1.0, 0.5), (0.75, 0.0))
"""The same at a small table, each at a side of their own."""


class Director:
    """Moves hands and tiles before a camera that stands still.

    Args:
        table: where it happens.
        rng: chance.
        seats: the place on the picture's edge from which each player's arm comes, in parts of it.
        known: what is true before anything happens.

    Attributes:
        worn: a tile that wavers between two letters.
    """

    def __init__(
        self, table: Filmed, rng: random.Random, seats: Sequence[Point], known: Known
    ) -> None:
        self.table, self.rng, self.seats, self.known = table, rng, seats, known
        self.scene = Scene()
        self.over = False
        self._at: dict[int, Point] = {}
        self._resting: tuple[Pose, ...] = ()
        self._told: list[Action] = []
        self._exposure = 1.0
        self._lamp = 1.0
        self._number = 0
        self.worn: Worn | None = None
        self.hand_of: Callable[[int], int] = lambda player: player

    # --- frames -----------------------------------------------------------------------------

    def frame(self, *poses: Pose) -> Frame:
        """The next moment."""
        self._number += 1
        every = (*self._resting, *poses)
        target = 0.92 if every else 1.0  # a camera makes up for what comes into its view
        self._exposure += 0.3 * (target - self._exposure)
        level = self._lamp * self._exposure * (1 + 0.03 * math.sin(self._number / 50))
        told, self._told = tuple(self._told), []
        shown = replace(self.scene, poses=every, level=round(level, 3))
        if self.worn is not None:
            share = self.worn.share + WAVERS_BY * math.sin(self._number / 4)
            shown = replace(shown, worn=replace(self.worn, share=round(share, 2)))
        return Frame(shown, self.known, told, self.over)

    def flash(self, level: float) -> Frame:
        """A moment in another light."""
        return replace(self.frame(), scene=replace(self.scene, poses=self._resting, level=level))

    def wait(self, seconds: float) -> Frames:
        """Nobody moves."""
        for _ in range(max(1, round(seconds * RATE))):
            yield self.frame()

    def think(self) -> Frames:
        """The time between two plays; now and then the light changes by a step."""
        if self.rng.random() < 0.2:
            self._lamp = self.rng.choice([x for x in (0.85, 1.0, 1.12) if x != self._lamp])
        yield from self.wait(self.rng.uniform(1.3, 2.0))

    def tell(self, action: Action) -> None:
        """Somebody says so before the next moment."""
        self._told.append(action)

    # --- hands ------------------------------------------------------------------------------

    def reach(self, player: int, end: Point) -> Frames:
        """A hand goes to a place, with its own slow begin and end."""
        start = self._at.get(player) or self._home(player)
        steps = max(1, round(math.dist(start, end) / (self.table.size[1] * 0.22)))
        for i in range(1, steps + 1):
            ease = 0.5 - 0.5 * math.cos(math.pi * i / steps)
            x = start[0] + (end[0] - start[0]) * ease
            y = start[1] + (end[1] - start[1]) * ease
            yield self.frame(self.pose(player, (x, y)))
        self._at[player] = end

    def hover(self, player: int, seconds: float, shake: float = 2.5) -> Frames:
        """A hand stays where it is; `shake` is how much it moves meanwhile, in pixels."""
        x, y = self._at[player]
        for _ in range(max(1, round(seconds * RATE))):
            off = self.rng.gauss(0, shake), self.rng.gauss(0, shake)
            yield self.frame(self.pose(player, (x + off[0], y + off[1])))

    def leave(self, player: int) -> Frames:
        """A hand goes home."""
        yield from self.reach(player, self._home(player))
        del self._at[player]

    def go(self, player: int) -> Frames:
        """A hand goes home, if it is there."""
        if player in self._at:
            yield from self.leave(player)

    def rest(self, *poses: Pose) -> None:
        """From now on these lie in the picture without moving; nothing: no more."""
        self._resting = poses

    def pose(self, player: int, at: Point) -> Pose:
        """An arm comes from its player's place."""
        elbow = self._outside(self.seats[player], 500.0)
        angle = math.atan2(at[1] - elbow[1], at[0] - elbow[0])
        return Pose(self.hand_of(player), at[0], at[1], angle)

    def _home(self, player: int) -> Point:
        """Where a hand is while it is out of the picture."""
        x, y = self.seats[player]
        along = self.rng.uniform(-0.15, 0.15)
        return self._outside((x + along, y) if y in (0.0, 1.0) else (x, y + along), 260.0)

    def _outside(self, seat: Point, far: float) -> Point:
        """So many pixels outside the edge at which somebody sits."""
        (x, y), (width, height) = seat, self.table.size
        if y in (0.0, 1.0):
            return width * x, height * y + (far if y else -far)
        return width * x + (far if x else -far), height * y

    def beside(self, player: int) -> Point:
        """Where an arm rests that lies on the near edge of the table, beside the middle."""
        (x, y), (width, height) = self.seats[player], self.table.size
        at_end = y in (0.0, 1.0)
        across, along = (y, x) if at_end else (x, y)
        inward, beside = 0.16 + 0.68 * across, along + 0.24
        return (width * beside, height * inward) if at_end else (width * inward, height * beside)

    def at(self, square: Square) -> Point:
        """Where a square is in the picture now."""
        return self.table.square_at(square, self.scene)

    # --- tiles ------------------------------------------------------------------------------

    def put(self, tiles: Mapping[Square, Laid]) -> None:
        """Tiles lie there from now on."""
        self.scene = replace(self.scene, tiles={**self.scene.tiles, **tiles})

    def away(self, squares: set[Square]) -> None:
        """Nothing lies there from now on."""
        left = {s: t for s, t in self.scene.tiles.items() if s not in squares}
        self.scene = replace(self.scene, tiles=left)

    def lay(self, player: int, tiles: Mapping[Square, Laid]) -> Frames:
        """A hand lays tiles one by one and stays at the last."""
        for square, tile in tiles.items():
            yield from self.reach(player, self.at(square))
            yield from self.hover(player, 0.1)
            self.put({square: tile})
            yield from self.hover(player, self.rng.uniform(0.3, 0.6))

    def take(self, player: int, squares: Sequence[Square]) -> Frames:
        """A hand takes tiles up one by one and stays at the last."""
        for square in squares:
            yield from self.reach(player, self.at(square))
            yield from self.hover(player, 0.1)
            self.away({square})
            yield from self.hover(player, 0.1)

    # --- the table --------------------------------------------------------------------------

    def shift(self, what: str, end: Moved, frames: int) -> Frames:
        """The board (`moved`) or the camera (`camera`) goes to a place in some frames."""
        start: Moved = getattr(self.scene, what)
        for i in range(1, frames + 1):
            ease = 0.5 - 0.5 * math.cos(math.pi * i / frames)
            between = Moved(
                start.dx + (end.dx - start.dx) * ease,
                start.dy + (end.dy - start.dy) * ease,
                start.turn_deg + (end.turn_deg - start.turn_deg) * ease,
            )
            self.scene = replace(self.scene, **{what: between})
            yield self.frame()
