"""What goes on at real tables beside one play after the other: the incidents of the films.

An incident is told by a name. Each happens once in its film, at a play that chance chooses:
instead of the plain laying of that play, before it, at the end, or from the beginning.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from kibitz.app.common.materials import counts_of, make_materials
from kibitz.engine.connection import check_connected, check_free, check_line
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Entry, Ledger, Opening, open_ledger
from kibitz.engine.rules import Action, Refused
from kibitz.engine.table import Grid, Square, tile_from_text
from kibitz.engine.words import text_of, words_formed
from kibitz.models.training.film_plays import Fate, PlannedPlay, plan_game
from kibitz.models.training.film_stage import Moved
from kibitz.models.training.game_story import Laid
from tests.films_drawing import CHILD, Filmed, Pose, RimTile
from tests.films_script import Director, Frames, Known, known_of

PLAYERS = ("Ann", "Bob")
SETTINGS = {"reject_invalid": False, "challenge": "double"}
SIDES = (0, 2)
LATER_S = 4.0
MIDDLE = 6
"""So many plays lie on the board where a film begins in the middle; an even number."""
STRANGE = 100
"""So many letters more make a play look as odd as one word that is in no list."""
THOUGHT_OF = 5_000
"""So many words the players of one game think of."""

Laying = dict[Square, str]


@cache
def _opening() -> tuple[Opening, list[str]]:
    """A table of Scrabble, and the words that players may think of."""
    game = find_game("scrabble")
    options = check_options(game.info, SETTINGS)
    materials = make_materials("default", "en", options)
    lexicon: Any = materials.lexicon
    words = sorted(w for w in lexicon.words if 3 <= len(w) <= 7)
    return Opening(game, PLAYERS, options, materials, None), words


class Story:
    """A made-up game of Scrabble: its plays, and what is true after some of them.

    Args:
        seed: chance.
        plays: how many.
        challenged: the number of a play that is no word and is challenged off.
    """

    def __init__(self, seed: int, plays: int, challenged: int | None = None) -> None:
        opening, every = _opening()
        self.lexicon: Any = opening.materials.lexicon
        self.start = open_ledger(opening)
        rng = random.Random(seed)
        fates: list[Fate] = ["challenged" if k == challenged else "stays" for k in range(plays)]
        counts = {k: v for k, v in counts_of("en").items() if k != "?"}
        self.plan: list[PlannedPlay] = plan_game(
            rng, rng.sample(every, THOUGHT_OF), self.lexicon, counts, fates
        )
        self.done: tuple[Action, ...] = ()

    def begin_at(self, plays: int) -> Laying:
        """The game goes on from the position after so many plays, nobody having scored yet."""
        laid: Laying = {}
        for play in self.plan[:plays]:
            laid |= play.tiles
        after = self.start.at_position(list(grid_of(laid).text_rows()), 0)
        assert after is not None
        self.start, self.plan = after, self.plan[plays:]
        return laid

    def known(self, *more: Action) -> Known:
        """What is true after everything done, and more."""
        ledger: Ledger = self.start
        for number, action in enumerate((*self.done, *more)):
            ledger, verdict = ledger.add(Entry(action, number))
            if isinstance(verdict, Refused):
                raise ValueError(f"the story breaks a rule: {verdict.message}")
        return known_of(ledger)

    def does(self, *actions: Action) -> Known:
        """This is done; what is true after it."""
        self.done += actions
        return self.known()


def grid_of(laid: Mapping[Square, str]) -> Grid:
    """A board with these tiles."""
    return Grid(15, 15, {s: tile_from_text(x) for s, x in laid.items()})


def places(player: int, tiles: Mapping[Square, str]) -> Action:
    """Laying these tiles as the rules have it."""
    return Action("place", PLAYERS[player], None, {"tiles": {s.name: x for s, x in tiles.items()}})


def drawn_tiles(tiles: Mapping[Square, str]) -> dict[Square, Laid]:
    """The same as they are drawn."""
    return {s: Laid(x) for s, x in tiles.items()}


@dataclass
class Scenario:
    """One film being made: its director, its story, the play at which the incident happens."""

    director: Director
    story: Story
    number: int = 0

    @property
    def play(self) -> PlannedPlay:
        """The play that is to be laid."""
        return self.story.plan[self.number]

    @property
    def rng(self) -> random.Random:
        """Chance."""
        return self.director.rng

    def lying(self) -> Laying:
        """What lies on the board."""
        return {s: t.char for s, t in self.director.scene.tiles.items()}

    def visit(self, tiles: Mapping[Square, str] | None = None) -> Frames:
        """A player lays tiles, those of the play without any told, and that is the play."""
        play, d = self.play, self.director
        laid = dict(play.tiles if tiles is None else tiles)
        yield from d.lay(play.player, drawn_tiles(laid))
        d.known = self.story.does(places(play.player, laid))
        yield from d.leave(play.player)

    def legal(self, laid: Laying) -> int | None:
        """How odd tiles look as a play, 0 or more; None where they are none.

        Words that are in no list count most, then letters: people start few words at once.
        """
        grid = grid_of(self.lying())
        new = {s: tile_from_text(x) for s, x in laid.items()}
        if any(isinstance(p, Refused) for p in (check_free(grid, new), check_line(grid, new))):
            return None
        if grid.tiles and isinstance(check_connected(grid, new), Refused):
            return None
        whole = grid.with_tiles(new)
        texts = [text_of(whole, run) for run in words_formed(whole, new)]
        if not texts or (not grid.tiles and Square(7, 7) not in laid):
            return None
        return sum(len(t) + (STRANGE if t not in self.story.lexicon else 0) for t in texts)

    def elsewhere(self, letters: Sequence[str]) -> Laying:
        """The same tiles on other squares, looking as little odd as may be."""
        best: list[tuple[int, float, Laying]] = []
        lying = self.lying()
        for row in range(15):
            for col in range(15):
                for down in (False, True):
                    laid = _line(Square(row, col), letters, lying, down=down)
                    if laid is None or set(laid) & set(self.play.tiles):
                        continue
                    odd = self.legal(laid)
                    if odd is not None:
                        best.append((odd, self.rng.random(), laid))
        return min(best, key=lambda x: x[:2])[2] if best else {}

    def first_part(self) -> Laying:
        """As many of the play's first tiles as make a play by themselves; empty where none do."""
        squares = sorted(self.play.tiles)
        found: list[tuple[int, int, Laying]] = []
        for order in (squares, squares[::-1]):
            for count in range(1, len(order)):
                laid = {s: self.play.tiles[s] for s in order[:count]}
                odd = self.legal(laid)
                if odd is not None:
                    found.append((odd // STRANGE, -count, laid))
        return min(found, key=lambda x: x[:2])[2] if found else {}


def _line(
    first: Square, letters: Sequence[str], lying: Mapping[Square, str], *, down: bool
) -> Laying | None:
    """Letters one after the other from a square, over tiles that lie there already."""
    laid: Laying = {}
    row, col = first
    for letter in letters:
        while Square(row, col) in lying:
            row, col = row + down, col + (not down)
        if max(row, col) > 14:
            return None
        laid[Square(row, col)] = letter
        row, col = row + down, col + (not down)
    return laid


Act = Callable[[Scenario], Frames]


@dataclass(frozen=True)
class Incident:
    """What happens.

    Attributes:
        sentence: what it is, for people.
        instead: how the play is laid; None: as usual.
        before: what happens before the play.
        end: what happens after the last play.
        fits: whether it can happen at this play.
    """

    sentence: str
    instead: Act | None = None
    before: Act | None = None
    end: Act | None = None
    fits: Callable[[Scenario], bool] = lambda scenario: scenario.number > 0
    challenged: bool = False
    middle: bool = False


# --- instead of laying the play as usual ----------------------------------------------------


def _relaid_in_visit(s: Scenario) -> Frames:
    play, d = s.play, s.director
    other = s.elsewhere(list(play.tiles.values()))
    yield from d.lay(play.player, drawn_tiles(other))
    yield from d.hover(play.player, 0.6)
    yield from d.take(play.player, list(other))
    yield from s.visit()


def _relaid_later(s: Scenario) -> Frames:
    yield from _laid_elsewhere(s, leaves=False)
    yield from s.visit()


def _withdrawn(s: Scenario) -> Frames:
    yield from _laid_elsewhere(s, leaves=True)
    yield from s.director.wait(2.0)
    yield from s.visit()


def _laid_elsewhere(s: Scenario, *, leaves: bool) -> Frames:
    """A play is laid and, some seconds after the hand has gone, taken up again."""
    play, d = s.play, s.director
    other = s.elsewhere(list(play.tiles.values()))
    before = d.known
    yield from d.lay(play.player, drawn_tiles(other))
    d.known = s.story.known(places(play.player, other))
    yield from d.leave(play.player)
    yield from d.wait(LATER_S)
    yield from d.take(play.player, list(other))
    d.known = before
    if leaves:
        yield from d.leave(play.player)


def _challenged(s: Scenario) -> Frames:
    play, d = s.play, s.director
    yield from s.visit()
    yield from d.wait(2.0)
    said = Action("challenge", PLAYERS[1 - play.player])
    d.tell(said)
    d.known = s.story.does(said)
    yield from d.wait(0.5)
    yield from d.take(play.player, list(play.tiles))
    yield from d.leave(play.player)


def _extended(seconds: float) -> Act:
    def act(s: Scenario) -> Frames:
        play, d, first = s.play, s.director, s.first_part()
        yield from d.lay(play.player, drawn_tiles(first))
        d.known = s.story.known(places(play.player, first))
        yield from d.leave(play.player)
        yield from d.wait(seconds)
        rest = {q: x for q, x in play.tiles.items() if q not in first}
        yield from d.lay(play.player, drawn_tiles(rest))
        d.known = s.story.does(places(play.player, play.tiles))
        yield from d.leave(play.player)

    return act


def _half_laid(s: Scenario) -> Frames:
    play, d, first = s.play, s.director, s.first_part()
    yield from d.lay(play.player, drawn_tiles(first))
    rest = {q: x for q, x in play.tiles.items() if q not in first}
    yield from d.reach(play.player, d.at(next(iter(rest))))
    yield from d.hover(play.player, 6.0, shake=0.0)
    yield from d.lay(play.player, drawn_tiles(rest))
    d.known = s.story.does(places(play.player, play.tiles))
    yield from d.leave(play.player)


def _two_plays(s: Scenario) -> Frames:
    """The next player's hand comes while the first is hardly gone."""
    yield from s.visit()
    s.number += 1
    if s.number < len(s.story.plan):
        yield from s.director.wait(s.rng.uniform(0.1, 0.4))
        yield from s.visit()


def _swapped(s: Scenario) -> Frames:
    play, d = s.play, s.director
    first, second = _two_unlike(play)
    wrong = {**play.tiles, first: play.tiles[second], second: play.tiles[first]}
    yield from d.lay(play.player, drawn_tiles(wrong))
    d.known = s.story.known(places(play.player, wrong))
    yield from d.leave(play.player)
    yield from d.wait(2.0)
    yield from d.take(play.player, [first, second])
    right = {first: play.tiles[first], second: play.tiles[second]}
    yield from d.lay(play.player, drawn_tiles(right))
    d.known = s.story.does(places(play.player, play.tiles))
    yield from d.leave(play.player)


def _two_unlike(play: PlannedPlay) -> tuple[Square, Square]:
    squares = sorted(play.tiles)
    pairs = [(a, b) for a in squares for b in squares if a < b and play.tiles[a] != play.tiles[b]]
    return pairs[0]


def _child(s: Scenario) -> Frames:
    d = s.director
    d.hand_of = lambda player: CHILD
    yield from s.visit()
    d.hand_of = lambda player: player


def _beside_resting_arm(s: Scenario) -> Frames:
    """The other player's arm lies on the board's edge all the time that a play is laid."""
    d, other = s.director, 1 - s.play.player
    edge = Square(13, 12) if other == 0 else Square(1, 12)
    yield from d.reach(other, d.at(edge))
    yield from d.hover(other, 0.5)
    d.rest(d.pose(other, d.at(edge)))
    yield from d.wait(2.0)
    yield from s.visit()
    yield from d.wait(4.0)
    d.rest()
    yield from d.leave(other)


# --- before a play --------------------------------------------------------------------------


def _nudged(s: Scenario) -> Frames:
    d, other = s.director, 1 - s.play.player
    square = s.rng.choice(sorted(d.scene.tiles))
    straight = d.scene.tiles[square]
    for nudge in ((0.34, 0.12, 14.0), (0.0, 0.0, 0.0)):
        yield from d.reach(other, d.at(square))
        d.put({square: replace(straight, nudge=nudge)})
        yield from d.hover(other, 0.4)
        yield from d.leave(other)
        yield from d.wait(3.0)


def _turned(s: Scenario) -> Frames:
    d = s.director
    before = d.scene.moved
    by = s.rng.choice((90.0, 180.0, -90.0))
    yield from d.shift("moved", replace(before, turn_deg=before.turn_deg + by), 12)
    yield from d.wait(1.5)


def _bumped(s: Scenario) -> Frames:
    yield from _pushed(s, "moved", s.rng.choice((0.4, 1.0)))


def _camera_moved(s: Scenario) -> Frames:
    yield from _pushed(s, "camera", 1.3)


def _pushed(s: Scenario, what: str, squares: float) -> Frames:
    d, before = s.director, getattr(s.director.scene, what)
    way, far = s.rng.uniform(0, 2 * math.pi), squares * s.director.table.tile_px
    end = Moved(
        before.dx + math.cos(way) * far,
        before.dy + math.sin(way) * far,
        before.turn_deg + s.rng.uniform(-2.0, 2.0),
    )
    yield from d.shift(what, end, 3)
    yield from d.wait(1.5)


def _crosses(thing: str) -> Act:
    def act(s: Scenario) -> Frames:
        d = s.director
        width, height = d.table.size
        y = height * s.rng.uniform(0.35, 0.65)
        for i in range(25):
            x = width * (-0.35 + 1.7 * i / 24)
            d.rest(Pose(thing, x, y + 20 * math.sin(i / 4), 0.2))
            yield d.frame()
        d.rest()

    return act


def _rim(s: Scenario) -> Frames:
    d = s.director
    letters = s.rng.sample("AEINRSTLO", 5)
    tiles = tuple(RimTile(15.75, 3.0 + 1.3 * i, x, 4.0 * i) for i, x in enumerate(letters))
    for count in range(1, len(tiles) + 1):
        d.scene = replace(d.scene, rim=tiles[:count])
        yield from d.wait(0.4)


def _leans(s: Scenario) -> Frames:
    """An arm lies still over the middle of the board for some seconds."""
    d, who = s.director, s.rng.randrange(2)
    yield from d.reach(who, d.at(s.rng.choice(sorted(d.scene.tiles))))
    yield from d.hover(who, 7.0, shake=0.0)
    yield from d.leave(who)
    yield from d.wait(1.0)


# --- at the end -----------------------------------------------------------------------------


def _cleared(s: Scenario) -> Frames:
    """Both players put the tiles back into the bag, by handfuls."""
    d = s.director
    player = 0
    while d.scene.tiles:
        first = s.rng.choice(sorted(d.scene.tiles))
        near = sorted(d.scene.tiles, key=lambda q: math.dist(q, first))[:7]
        yield from d.reach(player, d.at(first))
        for number, square in enumerate(near):
            d.away({square})
            if number % 3 == 2:
                yield from d.hover(player, 0.1)
        yield from d.hover(player, 0.3)
        yield from d.leave(player)
        yield from d.wait(0.9)
        player = 1 - player
    yield from d.wait(6.0)


def _put_away(s: Scenario) -> Frames:
    """The board is pulled out of the picture with everything on it."""
    d = s.director
    before = d.scene.moved
    yield from d.shift("moved", replace(before, dy=before.dy + d.table.size[1] * 1.2), 20)
    yield from d.wait(6.0)


def _another_game(s: Scenario) -> Frames:
    """The board is cleared, and the first plays of another game are laid."""
    d = s.director
    yield from _cleared(s)
    for play in Story(s.rng.randrange(10**6), 2).plan:
        yield from d.lay(play.player, drawn_tiles(play.tiles))
        yield from d.leave(play.player)
        yield from d.wait(2.0)


def _can_extend(s: Scenario) -> bool:
    return s.number > 0 and bool(s.first_part())


def _can_relay(s: Scenario) -> bool:
    return s.number > 0 and bool(s.elsewhere(list(s.play.tiles.values())))


def _can_swap(s: Scenario) -> bool:
    return s.number > 0 and len(set(s.play.tiles.values())) > 1


INCIDENTS: Mapping[str, Incident] = {
    "plain": Incident("nothing beside the plays"),
    "relaid_in_visit": Incident(
        "laid, taken up and laid elsewhere before the hand goes", _relaid_in_visit, fits=_can_relay
    ),
    "relaid_later": Incident(
        "taken up after 4 s and laid elsewhere", _relaid_later, fits=_can_relay
    ),
    "withdrawn": Incident(
        "taken back after 4 s, then another play of the same player", _withdrawn, fits=_can_relay
    ),
    "challenged": Incident("a word that is none is challenged off", _challenged, challenged=True),
    "extended_2": Incident("goes on after 2 s", _extended(2.0), fits=_can_extend),
    "extended_4": Incident("goes on after 4 s", _extended(4.0), fits=_can_extend),
    "extended_8": Incident("goes on after 8 s", _extended(8.0), fits=_can_extend),
    "half_laid": Incident(
        "a hand rests for 6 s beside a word half laid", _half_laid, fits=_can_extend
    ),
    "two_plays": Incident("the next play begins within 1 s", _two_plays),
    "swapped": Incident("two tiles are exchanged after 2 s", _swapped, fits=_can_swap),
    "child": Incident("a small hand lays the play", _child),
    "beside_arm": Incident("the other player's arm rests on the edge", _beside_resting_arm),
    "nudged": Incident("a tile is pushed half off its square, and back", before=_nudged),
    "turned": Incident("the board is turned", before=_turned),
    "bumped": Incident("the board is bumped", before=_bumped),
    "camera_moved": Incident("the camera is moved", before=_camera_moved),
    "rack_crosses": Incident("a rack crosses the picture", before=_crosses("rack")),
    "bag_crosses": Incident("the bag crosses the picture", before=_crosses("bag")),
    "rim": Incident("the other player's tiles lie on the board's rim", before=_rim),
    "leans": Incident("an arm lies over the tiles for 7 s", before=_leans),
    "cleared": Incident("the board is cleared at the end", end=_cleared),
    "put_away": Incident("the board is put away at the end", end=_put_away),
    "another_game": Incident("another game is begun on the same board", end=_another_game),
    "middle": Incident("the film begins in the middle of the game", middle=True),
}


def frames_of(name: str, table: Filmed, seed: int, plays: int) -> Iterator[Any]:
    """The film of a made-up game with an incident.

    Args:
        name: the incident's.
        table: where it is played.
        seed: decides the game and the moment.
        plays: how many are made.
    """
    incident, rng = INCIDENTS[name], random.Random(seed)
    spot = rng.randrange(1, max(2, plays - 1))
    count = plays + (MIDDLE if incident.middle else 0)
    story = Story(seed, count, spot if incident.challenged else None)
    director = Director(table, rng, SIDES, Known())
    if incident.middle:
        director.put(drawn_tiles(story.begin_at(MIDDLE)))
    director.known = story.known()
    scenario = Scenario(director, story)
    yield from director.wait(3.0 if incident.middle else 1.5)
    happened = incident.end is not None or incident.middle
    while scenario.number < len(story.plan):
        yield from director.think()
        due = not happened and scenario.number >= spot and incident.fits(scenario)
        happened |= due
        if due and incident.before is not None:
            yield from incident.before(scenario)
            yield from director.wait(1.0)
        laying = incident.instead if due else None
        yield from laying(scenario) if laying is not None else scenario.visit()
        scenario.number += 1
    yield from director.wait(2.5)
    if incident.end is not None:
        director.over = True
        yield from incident.end(scenario)
    yield from director.wait(2.5)
