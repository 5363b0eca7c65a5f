"""The film of a game, moment by moment: hands come, lay tiles one by one, and go."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kibitz.engine.table import Square
from tests.filming.film_plays import PlannedPlay
from tests.filming.film_stage import HandPose, Light, Moment, Moved, Stage
from tests.filming.story import Laid

RATE = 10.0
"""Pictures a second."""


@dataclass(frozen=True, slots=True)
class Cue:
    """Something that the film shows from now on, or that a person says just before.

    Attributes:
        kind: `begins` and `lifts` when a change is begun, `laid` and `lifted` when the hand begins
            to go away from it finished, `challenge` when the player whose turn it is says so,
            `moved` when the board came to rest in another place.
        player: who does it.
        tiles: which tiles it is about.
    """

    kind: str
    player: int = 0
    tiles: Mapping[Square, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Manners:
    """How people play, in seconds and in chances per play.

    Attributes:
        thinking: shortest and longest time without a hand between two plays.
        fetching: chance for each further tile that the hand goes back to the rack for it.
        away: shortest and longest time that it then is at the rack.
        far: the same for a tile that is looked for.
        slow: chance that one is looked for.
        trying: chance that a word is tried and taken back under the hand first.
        nudging: chance for each tile laid that a tile beside it is pushed a little.
        leaning: chance of an arm that reaches over the board for nothing.
        bumping: chance that the camera or the board is bumped between plays.
        turning: chance that the board is turned on its turntable between plays.
        lamps: chance that the light is switched between plays.
    """

    thinking: tuple[float, float] = (1.5, 2.4)
    fetching: float = 0.25
    away: tuple[float, float] = (0.1, 0.2)
    far: tuple[float, float] = (0.6, 1.2)
    slow: float = 0.05
    trying: float = 0.15
    nudging: float = 0.1
    leaning: float = 0.5
    bumping: float = 0.15
    turning: float = 0.08
    lamps: float = 0.2


class Film:
    """A film of a game; iterate over `moments`.

    Args:
        stage: where it is played.
        plays: what is played.
        seed: chance.
        manners: how people play.
    """

    def __init__(
        self, stage: Stage, plays: Sequence[PlannedPlay], seed: int, manners: Manners | None = None
    ) -> None:
        self._stage = stage
        self._plays = plays
        self._rng = random.Random(seed)
        self._manners = manners or Manners()
        self._tiles: dict[Square, Laid] = {}
        self._moved = Moved()
        self._light = Light()
        self._lamp = (1.0, 0.0, 0.0)
        self._exposure = 1.0
        self._number = 0
        self._cues: list[Cue] = []
        self._square = stage.geometry.square_px

    def moments(self) -> Iterator[tuple[Moment, tuple[Cue, ...]]]:
        """Ten moments a second, each with what begins to be true at it."""
        yield from self._nothing(1.5)
        for play in self._plays:
            yield from self._between()
            yield from self._lay(play)
            if play.fate != "stays":
                yield from self._nothing(self._rng.uniform(1.6, 2.2))
                if play.fate == "challenged":
                    self._cues.append(Cue("challenge", 1 - play.player))
                    yield from self._nothing(0.5)
                yield from self._lift(play)
        yield from self._nothing(2.0)

    # --- between plays ----------------------------------------------------------------------

    def _between(self) -> Iterator[tuple[Moment, tuple[Cue, ...]]]:
        rng, manners = self._rng, self._manners
        yield from self._nothing(rng.uniform(*manners.thinking))
        if rng.random() < manners.lamps:
            lamps = [(1.0, 0.0, 0.0), (1.2, 0.35, 0.05), (0.75, -0.2, -0.04), (1.1, -0.4, 0.08)]
            self._lamp = rng.choice([x for x in lamps if x != self._lamp])
            yield from self._nothing(rng.uniform(0.8, 1.5))
        if rng.random() < manners.leaning:
            yield from self._lean()
        if rng.random() < manners.bumping:
            yield from self._bump()
        if rng.random() < manners.turning:
            yield from self._turn()

    def _lean(self) -> Iterator[tuple[Moment, tuple[Cue, ...]]]:
        rng = self._rng
        player = rng.randrange(2)
        over = Square(rng.randrange(3, 12), rng.randrange(3, 12))
        start, there = self._home(player), self._stage.square_at(over, self._moved)
        yield from self._reach(player, start, there)
        yield from self._hover(player, there, rng.uniform(0.5, 2.0))
        yield from self._reach(player, there, start)
        yield from self._nothing(rng.uniform(0.7, 1.2))

    def _bump(self) -> Iterator[tuple[Moment, tuple[Cue, ...]]]:
        rng, before = self._rng, self._moved
        far = self._square * rng.choice((0.15, 0.4, 1.0))
        direction = rng.uniform(0, 2 * math.pi)
        for shake in (0.6, 1.3, 0.8):
            self._moved = replace(
                before,
                dx=before.dx + math.cos(direction) * far * shake + rng.uniform(-2, 2),
                dy=before.dy + math.sin(direction) * far * shake + rng.uniform(-2, 2),
            )
            yield self._moment()
        # what lies off the middle is pushed back some time, or it would leave the picture
        back = 0.4 if math.hypot(before.dx, before.dy) > self._square else 1.0
        self._moved = Moved(
            before.dx * back + math.cos(direction) * far,
            before.dy * back + math.sin(direction) * far,
            before.turn_deg + rng.uniform(-1.5, 1.5),
        )
        self._cues.append(Cue("moved"))
        yield from self._nothing(rng.uniform(1.2, 2.0))

    def _turn(self) -> Iterator[tuple[Moment, tuple[Cue, ...]]]:
        before, by = self._moved, self._rng.choice((90.0, 180.0, -90.0))
        for i in range(1, 13):
            ease = 0.5 - 0.5 * math.cos(math.pi * i / 12)
            self._moved = replace(before, turn_deg=before.turn_deg + by * ease)
            yield self._moment()
        self._cues.append(Cue("moved"))
        yield from self._nothing(1.6)

    # --- hands ------------------------------------------------------------------------------

    def _lay(self, play: PlannedPlay) -> Iterator[tuple[Moment, tuple[Cue, ...]]]:
        rng, player, manners = self._rng, play.player, self._manners
        self._cues.append(Cue("begins", player, play.tiles))
        start = self._home(player)
        at = start
        squares = list(play.tiles)
        if rng.random() < manners.trying:
            at = yield from self._try_a_word(player, squares, at)
        for i, square in enumerate(squares):
            if i and rng.random() < manners.fetching:
                rack = self._rack(player, at)
                yield from self._reach(player, at, rack)
                away = manners.far if rng.random() < manners.slow else manners.away
                yield from self._hover(player, rack, rng.uniform(*away))
                at = rack
            there = self._stage.square_at(square, self._moved)
            yield from self._reach(player, at, there)
            yield from self._hover(player, there, 0.1)
            self._tiles = {**self._tiles, square: Laid(play.tiles[square])}
            if rng.random() < manners.nudging:
                self._nudge_beside(square)
            yield from self._hover(player, there, rng.uniform(0.5, 0.9))
            at = there
        if rng.random() < 0.3:
            yield from self._hover(player, at, rng.uniform(0.3, 1.0))
        self._cues.append(Cue("laid", player, play.tiles))
        yield from self._reach(player, at, start)

    def _nudge_beside(self, square: Square) -> None:
        """A finger pushes a neighbour."""
        beside = [s for s in square.neighbours() if s in self._tiles]
        if beside:
            pushed = self._rng.choice(beside)
            off = self._rng.uniform
            nudge = (off(-0.12, 0.12), off(-0.12, 0.12), off(-7, 7))
            self._tiles = {**self._tiles, pushed: replace(self._tiles[pushed], nudge=nudge)}

    def _try_a_word(
        self, player: int, squares: Sequence[Square], at: tuple[float, float]
    ) -> Iterator[tuple[Moment, tuple[Cue, ...]]]:
        """Some tiles are laid, looked at under the hand, and taken up again."""
        before = self._tiles
        for square in squares[:2]:
            there = self._stage.square_at(square, self._moved)
            yield from self._reach(player, at, there)
            self._tiles = {**self._tiles, square: Laid(self._rng.choice("AEINRT"))}
            yield from self._hover(player, there, 0.4)
            at = there
        self._tiles = before
        yield from self._hover(player, at, 0.4)
        return at

    def _lift(self, play: PlannedPlay) -> Iterator[tuple[Moment, tuple[Cue, ...]]]:
        self._cues.append(Cue("lifts", play.player, play.tiles))
        start = self._home(play.player)
        at = start
        for square in play.tiles:
            there = self._stage.square_at(square, self._moved)
            yield from self._reach(play.player, at, there)
            yield from self._hover(play.player, there, 0.1)
            self._tiles = {s: t for s, t in self._tiles.items() if s != square}
            at = there
        self._cues.append(Cue("lifted", play.player, play.tiles))
        yield from self._reach(play.player, at, start)

    def _home(self, player: int) -> tuple[float, float]:
        """Where a hand is while it is out of the picture: beyond its player's edge."""
        width, height = self._stage.size
        x = width * self._rng.uniform(0.3, 0.7)
        return (x, height + 260.0) if player == 0 else (x, -260.0)

    def _rack(self, player: int, at: tuple[float, float]) -> tuple[float, float]:
        """Where a hand takes tiles from the rack: just beyond the board, at its player's edge."""
        height = self._stage.size[1]
        return (at[0], height + 40.0) if player == 0 else (at[0], -40.0)

    def _reach(
        self, player: int, start: tuple[float, float], end: tuple[float, float]
    ) -> Iterator[tuple[Moment, tuple[Cue, ...]]]:
        far = math.dist(start, end)
        steps = max(1, round(far / (self._stage.size[1] * 0.24)))
        for i in range(1, steps + 1):
            ease = 0.5 - 0.5 * math.cos(math.pi * i / steps)
            x = start[0] + (end[0] - start[0]) * ease
            y = start[1] + (end[1] - start[1]) * ease
            yield self._moment(self._pose(player, x, y))

    def _hover(
        self, player: int, at: tuple[float, float], seconds: float
    ) -> Iterator[tuple[Moment, tuple[Cue, ...]]]:
        for _ in range(max(1, round(seconds * RATE))):
            x, y = at[0] + self._rng.gauss(0, 3), at[1] + self._rng.gauss(0, 3)
            yield self._moment(self._pose(player, x, y))

    def _pose(self, player: int, x: float, y: float) -> HandPose:
        """The arm comes from the middle of the player's edge."""
        width, height = self._stage.size
        elbow = (width * 0.5, height + 500.0) if player == 0 else (width * 0.5, -500.0)
        return HandPose(player, x, y, math.atan2(y - elbow[1], x - elbow[0]))

    def _nothing(self, seconds: float) -> Iterator[tuple[Moment, tuple[Cue, ...]]]:
        for _ in range(max(1, round(seconds * RATE))):
            yield self._moment()

    # --- a moment ---------------------------------------------------------------------------

    def _moment(self, *hands: HandPose) -> tuple[Moment, tuple[Cue, ...]]:
        self._number += 1
        at = self._number / RATE
        # a camera makes up for what comes into its view, slowly; a cloud passes
        target = 0.88 if hands else 1.0
        self._exposure += 0.25 * (target - self._exposure)
        level, slope, warmth = self._lamp
        light = Light(
            level=level * self._exposure * (1 + 0.06 * math.sin(at / 5)),
            slope=slope,
            shadow=0.12 + 0.12 * math.sin(at / 3),
            shadow_x=0.5 + 0.5 * math.sin(at / 7),
            shadow_y=0.5 + 0.4 * math.cos(at / 9),
            warmth=warmth,
        )
        cues, self._cues = tuple(self._cues), []
        return Moment(self._tiles, hands, light, self._moved), cues
