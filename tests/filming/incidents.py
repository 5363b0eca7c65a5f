"""What goes on at real tables beside one play after the other: the incidents of the films.

An incident is told by a name. Each happens once in its film, at a turn that chance chooses:
instead of that turn as it is, before it, at the end, or from the beginning.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from kibitz.engine.rules import Action
from kibitz.engine.table import Square
from tests.filming.drawing import CHILD, Pose, RimTile, Scene, Worn
from tests.filming.film_stage import Moved
from tests.filming.scenarios import FOUR, PLAYERS, MadeUp, Retold, Scenario, Story, drawn_tiles
from tests.filming.script import Frame, Frames
from tests.filming.story import Laid, LooseShot

LATER_S = 4.0
SWEPT = 8
"""So many tiles are swept off the board by accident."""
SETTLED = 4
"""After so many plays everybody knows who sits where."""
STROKE = {"E": "F", "Q": "O", "R": "P", "G": "C"}
"""Letters that have one stroke more than others."""
LIKE = {**STROKE, **{less: more for more, less in STROKE.items()}}
FAINT = 0.4
"""A worn stroke is as strong as this part of a whole one: nobody can tell whether it is one."""

Tiles = dict[Square, Laid]
Act = Callable[[Scenario], Frames]


@dataclass(frozen=True)
class Incident:
    """What happens.

    Attributes:
        sentence: what it is, for people.
        instead: how a turn is made; None: as usual.
        before: what happens before the turn.
        end: what happens after the last turn.
        fits: whether it can happen at this turn.
        board: whether it needs a board.
        drawn: whether it needs a board that is drawn, and can be moved.
        made_up: whether it needs a made-up game.
        retold: whether it needs one that is told by its pictures.
        paper: whether the film begins in the middle, with a position that people tell.
        middle: the same, and nobody tells it.
        challenged: whether the turn is no word and is challenged off.
        presses: whether players press a clock at the end of each turn, and tell so.
        room: what never rests in it: a scene as it is at a moment of the film, by its number.
    """

    sentence: str
    instead: Act | None = None
    before: Act | None = None
    end: Act | None = None
    fits: Callable[[Scenario], bool] = lambda scenario: True
    board: bool = False
    drawn: bool = False
    made_up: bool = False
    retold: bool = False
    paper: bool = False
    middle: bool = False
    challenged: bool = False
    presses: bool = False
    room: Callable[[Scene, int], Scene] | None = None


# --- instead of a turn as it is -------------------------------------------------------------


def _relaid_in_visit(s: Scenario) -> Frames:
    d, player, other = s.director, s.player, s.elsewhere()
    yield from d.lay(player, other)
    yield from d.hover(player, 0.6)
    yield from d.take(player, list(other))
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
    d, player, other = s.director, s.player, s.elsewhere()
    before = s.told_only()
    yield from d.lay(player, other)
    d.known = s.if_laid(other) or before
    yield from d.leave(player)
    yield from d.wait(LATER_S)
    yield from d.take(player, list(other))
    d.known = before
    if leaves:
        yield from d.leave(player)


def _challenged(s: Scenario) -> Frames:
    assert isinstance(s, MadeUp)
    d, player, tiles = s.director, s.player, s.tiles
    yield from s.visit()
    yield from d.wait(2.0)
    said = Action("challenge", s.story.start.opening.players[1 - player])
    d.tell(said)
    d.known = s.story.does(said)
    yield from d.wait(0.5)
    yield from d.take(player, list(tiles))
    yield from d.leave(player)


def _extended(seconds: float) -> Act:
    def act(s: Scenario) -> Frames:
        d, player, first = s.director, s.player, s.first_part()
        rest = _rest(s, first)
        yield from d.lay(player, first)
        d.known = s.if_laid(first) or d.known
        yield from d.leave(player)
        yield from d.wait(seconds)
        yield from d.lay(player, rest)
        d.known = s.stands()
        yield from d.leave(player)

    return act


def _tile_by_tile(s: Scenario) -> Frames:
    """Each tile by itself; the hand goes back to the rack for some seconds to find the next."""
    d, player = s.director, s.player
    *squares, last = sorted(s.tiles)
    for square in squares:
        yield from d.lay(player, {square: s.tiles[square]})
        yield from d.leave(player)
        yield from d.wait(3.0)
    yield from d.lay(player, {last: s.tiles[last]})
    d.known = s.stands()
    yield from d.leave(player)


def _half_laid(s: Scenario) -> Frames:
    d, player, first = s.director, s.player, s.first_part()
    rest = _rest(s, first)
    yield from d.lay(player, first)
    yield from d.reach(player, d.at(next(iter(rest))))
    yield from d.hover(player, 6.0, shake=0.0)
    yield from d.lay(player, rest)
    d.known = s.stands()
    yield from d.leave(player)


def _wavers(s: Scenario) -> Frames:
    """One tile of the turn is so worn that it looks like two letters, by turns more like either."""
    square = next(q for q, tile in sorted(s.tiles.items()) if tile.char in LIKE)
    char = s.tiles[square].char
    s.director.worn = Worn(square, LIKE[char], 1 - FAINT if char in STROKE else FAINT)
    yield from s.visit()
    yield from s.director.wait(8.0)


def _wrong_hand(s: Scenario) -> Frames:
    """The other player makes the play; whose turn it was says nothing and plays next."""
    assert isinstance(s, MadeUp)
    s.story.out_of_turn(s.number)
    yield from s.visit()


def _rest(s: Scenario, first: Tiles) -> Tiles:
    """The tiles of a turn that are not its first ones."""
    return {q: x for q, x in s.tiles.items() if q not in first}


def _in_a_row(turns: int) -> Act:
    """Each next player's hand comes while the one before is hardly gone."""

    def act(s: Scenario) -> Frames:
        yield from s.visit()
        for _ in range(min(turns - 1, s.total - s.number - 1)):
            s.number += 1
            yield from s.director.wait(s.rng.uniform(0.1, 0.4))
            s.tells()
            yield from s.visit()

    return act


def _card(later_s: float | None) -> Act:
    """A ship card is forgotten, and laid so many seconds after the hand has gone, or never."""

    def act(s: Scenario) -> Frames:
        d, player, cards = s.director, s.player, s.cards
        s.forget(cards)
        yield from s.visit()
        if later_s is not None:
            yield from d.wait(later_s)
            for card in cards:
                yield from d.reach(player, d.at(card[0]))
                d.scene = replace(d.scene, cards=(*d.scene.cards, card))
                yield from d.hover(player, 0.4)
            yield from d.leave(player)

    return act


def _lifted_slowly(s: Scenario) -> Frames:
    """Exploded tiles are lifted in two visits, some seconds apart."""
    d, player, gone = s.director, s.player, s.lifted
    yield from d.take(player, gone[: len(gone) // 2])
    yield from d.leave(player)
    yield from d.wait(LATER_S)
    yield from s.visit()


def _lifted_beside(s: Scenario) -> Frames:
    """The same, and between the two visits a play is laid on the other board."""
    d, player, gone = s.director, s.player, s.lifted
    half = len(gone) // 2
    yield from d.take(player, gone[:half])
    yield from d.leave(player)
    yield from d.wait(1.0)
    s.number += 1
    s.tells()
    yield from d.lay(s.player, s.tiles)
    d.known = s.stands()
    yield from d.leave(s.player)
    yield from d.wait(1.0)
    yield from d.take(player, gone[half:])
    yield from d.leave(player)


def _busy_beside(s: Scenario) -> Frames:
    """A hand works over the other board until long after the turn is made."""
    d, size = s.director, s.size
    beyond = s.player < 2
    there = 2 * beyond
    x, y = at = d.at(Square(size // 2, size // 2 + size * beyond))
    yield from d.reach(there, at)
    for moments in (s.visit(), d.wait(3.0)):
        d.rest(d.pose(there, at))
        for moment in moments:
            yield moment
            d.rest(d.pose(there, (x + s.rng.gauss(0, 2.5), y + s.rng.gauss(0, 2.5))))
    d.rest()
    yield from d.leave(there)


def _claims_at_once(s: Scenario) -> Frames:
    """A second word is called and laid while the hand that lays the first is still at it."""
    assert isinstance(s, Retold)
    d, first, at = s.director, s.player, s.director.at(Square(1, 0))
    (seat, word), second = s.claimed_at(s.number), s.claimed_at(s.number + 1)
    yield from d.reach(first, at)
    yield from d.hover(first, 0.3)
    _lay_word(s, seat, word[: len(word) // 2])
    yield from d.hover(first, 0.4)
    s.number += 1
    s.tells()
    d.rest(d.pose(first, at))
    yield from d.reach(s.player, d.at(Square(1, 0)))
    yield from d.hover(s.player, 0.3)
    _lay_word(s, *second)
    yield from d.hover(s.player, 0.4)
    yield from d.leave(s.player)
    d.rest()
    yield from d.hover(first, 0.4)
    d.scene = s.story.scenes[s.number + 1]
    yield from d.hover(first, 0.4)
    d.known = s.stands()
    yield from d.leave(first)


def _lay_word(s: Scenario, seat: int, word: str) -> None:
    """A word, or the part of it that lies there so far, is taken from the middle."""
    spread = s.director.scene.spread
    assert spread is not None
    pool = spread.pool
    for letter in word:
        pool = pool.replace(letter, ".", 1)
    words = {**spread.words, seat: (*spread.words.get(seat, ()), word)}
    s.director.scene = replace(s.director.scene, spread=replace(spread, pool=pool, words=words))


def _swapped(s: Scenario) -> Frames:
    d, player, tiles = s.director, s.player, s.tiles
    wrong = _exchanged(tiles)
    pair = [q for q in tiles if wrong[q] != tiles[q]]
    yield from d.lay(player, wrong)
    d.known = s.if_laid(wrong) or d.known
    yield from d.leave(player)
    yield from d.wait(2.0)
    yield from d.take(player, pair)
    yield from d.lay(player, {q: tiles[q] for q in pair})
    d.known = s.stands()
    yield from d.leave(player)


def _exchanged(tiles: Tiles) -> Tiles:
    """The same tiles, the first two unlike ones on each other's squares."""
    squares = sorted(tiles)
    pairs = [(a, b) for a in squares for b in squares if a < b and tiles[a] != tiles[b]]
    first, second = pairs[0]
    return {**tiles, first: tiles[second], second: tiles[first]}


def _child(s: Scenario) -> Frames:
    d = s.director
    d.hand_of = lambda player: CHILD
    yield from s.visit()
    d.hand_of = lambda player: player


def _beside_resting_arm(s: Scenario) -> Frames:
    """Another player's arm lies on the board's edge all the time that a turn is made."""
    d, other = s.director, s.other
    at = d.beside(other)
    yield from d.reach(other, at)
    yield from d.hover(other, 0.5)
    d.rest(d.pose(other, at))
    yield from d.wait(2.0)
    yield from s.visit()
    yield from d.wait(4.0)
    d.rest()
    yield from d.go(other)


def _swept(s: Scenario) -> Frames:
    """A sleeve sweeps tiles off the board, and they are laid back as they lay."""
    d, player = s.director, s.other
    lying = dict(d.scene.tiles)
    first = s.rng.choice(sorted(lying))
    gone = sorted(lying, key=lambda q: math.dist(q, first))[:SWEPT]
    yield from d.reach(player, d.at(first))
    d.away(set(gone))
    yield from d.hover(player, 0.3)
    yield from d.leave(player)
    yield from d.wait(3.0)
    yield from d.lay(player, {q: lying[q] for q in gone})
    yield from d.leave(player)
    yield from d.wait(2.0)
    yield from s.visit()


# --- before a turn --------------------------------------------------------------------------


def _pushed_together(s: Scenario) -> Frames:
    """A hand pushes one word against another, and there they stay."""
    assert isinstance(s, Retold)
    d, other = s.director, s.other
    yield from d.reach(other, d.at(_something(s)))
    yield from d.hover(other, 0.3)
    s.push_together()
    yield from d.hover(other, 0.3)
    yield from d.leave(other)
    yield from d.wait(3.0)


def _nudged(s: Scenario) -> Frames:
    d, other = s.director, s.other
    square = s.rng.choice(sorted(d.scene.tiles))
    straight = d.scene.tiles[square]
    for nudge in ((0.34, 0.12, 14.0), (0.0, 0.0, 0.0)):
        yield from d.reach(other, d.at(square))
        d.put({square: replace(straight, nudge=nudge)})
        yield from d.hover(other, 0.4)
        yield from d.leave(other)
        yield from d.wait(3.0)


def _another_tile(s: Scenario) -> Frames:
    """Another letter lies in a tile's place from now on; what was played with it stays."""
    d, other = s.director, s.other
    square = s.rng.choice(sorted(d.scene.tiles))
    tile = d.scene.tiles[square]
    yield from d.take(other, [square])
    d.put({square: replace(tile, char=s.rng.choice([x for x in "AIRTK" if x != tile.char]))})
    yield from d.hover(other, 0.3)
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
    y = s.size + 0.75
    tiles = tuple(RimTile(y, 3.0 + 1.3 * i, x, 4.0 * i) for i, x in enumerate(letters))
    for count in range(1, len(tiles) + 1):
        d.scene = replace(d.scene, rim=tiles[:count])
        yield from d.wait(0.4)


def _leans(s: Scenario) -> Frames:
    """An arm lies still over what lies on the table for some seconds."""
    d, who = s.director, s.rng.randrange(len(s.director.seats))
    yield from d.reach(who, d.at(_something(s)))
    yield from d.hover(who, 7.0, shake=0.0)
    yield from d.leave(who)
    yield from d.wait(1.0)


def _something(s: Scenario) -> Square:
    """Where something lies."""
    spread = s.director.scene.spread
    if spread is None:
        return s.rng.choice(sorted(s.director.scene.tiles) or [Square(7, 7)])
    words = [w for held in spread.words.values() for w in held]
    row = s.rng.randrange(2, 2 + len(spread.words)) if words else 1
    return Square(row, s.rng.randrange(3))


def _flicker(s: Scenario) -> Frames:
    """A lamp flickers, and goes out for a moment."""
    d = s.director
    for level in (0.7, 1.15, 0.85, 0.3, 0.3, 0.7, 1.15, 0.85):
        yield d.flash(level)


def _fog(s: Scenario) -> Frames:
    """The picture blurs until nothing can be read, and clears up again."""
    d = s.director
    for squares in (0.08, 0.13, 0.18, 0.23, 0.18, 0.13, 0.08, 0.0):
        d.scene = replace(d.scene, fog_px=squares * d.table.tile_px)
        yield from d.wait(2.0)


# --- all the time ---------------------------------------------------------------------------


def _leaves(scene: Scene, number: int) -> Scene:
    """Wind moves leaves before the window."""
    wind = 12 * math.sin(number / 5) + 6 * math.sin(number / 2.3)
    return replace(scene, leaves=(round(wind, 1), round(wind / 2, 1)))


def _shaky(scene: Scene, number: int) -> Scene:
    """The stand trembles by a pixel."""
    rng = random.Random(number)
    return replace(scene, shake=Moved(rng.uniform(-1, 1), rng.uniform(-1, 1)))


def _held(scene: Scene, number: int) -> Scene:
    """Somebody holds the camera: it drifts by some pixels, and trembles."""
    rng = random.Random(number)
    x = 6 * math.sin(number / 13) + 3 * math.sin(number / 4.1) + rng.uniform(-1, 1)
    y = 6 * math.sin(number / 17) + 3 * math.sin(number / 5.3) + rng.uniform(-1, 1)
    return replace(scene, shake=Moved(x, y, 0.4 * math.sin(number / 11)))


# --- at the end -----------------------------------------------------------------------------


def _cleared(s: Scenario) -> Frames:
    """Players put the tiles back into the bag, by handfuls."""
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
        player = (player + 1) % len(d.seats)
    yield from _spread_away(s)
    yield from d.wait(6.0)


def _finished(s: Scenario) -> Frames:
    """Somebody presses the button for the end, and then the board is cleared."""
    assert isinstance(s, MadeUp)
    d, said = s.director, Action("end_game")
    d.tell(said)
    d.known = s.story.does(said)
    yield from d.wait(1.0)
    yield from _cleared(s)


def _spread_away(s: Scenario) -> Frames:
    """Of a bare table each handful is a word, or what lies in the middle."""
    d, spread = s.director, s.director.scene.spread
    if spread is None:
        return
    for player in range(len(d.seats)):
        words = {k: w for k, w in spread.words.items() if k != player}
        spread = LooseShot(spread.pool, spread.face_down, words)
        yield from d.reach(player, d.at(Square(1, 0)))
        if player == len(d.seats) - 1:
            spread = LooseShot("", 0, {})
        d.scene = replace(d.scene, spread=spread)
        yield from d.hover(player, 0.3)
        yield from d.leave(player)
        yield from d.wait(0.9)


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
    return bool(s.first_part())


def _can_relay(s: Scenario) -> bool:
    return bool(s.elsewhere())


def _can_swap(s: Scenario) -> bool:
    return len({t.char for t in s.tiles.values()}) > 1 and s.may_lay(_exchanged(s.tiles))


def _can_waver(s: Scenario) -> bool:
    return any(tile.char in LIKE for tile in s.tiles.values())


def _can_lift_beside(s: Scenario) -> bool:
    """Whether tiles are lifted, and then a play is laid on the other board."""
    if not isinstance(s, Retold) or len(s.lifted) < 2 or s.number + 1 == s.total:
        return False
    laid, here = s.laid_at(s.number + 1), s.lifted[0].col // s.size
    return bool(laid) and all(square.col // s.size != here for square in laid)


def _is_of_four(s: Scenario) -> bool:
    """Whether a play is laid on one of two boards."""
    return isinstance(s, Retold) and s.story.facts["players"] == FOUR and bool(s.tiles)


def _can_claim_at_once(s: Scenario) -> bool:
    if not isinstance(s, Retold) or s.number + 1 == s.total:
        return False
    return all(s.claimed_at(s.number + k)[1] for k in (0, 1))


def _has_two_words(s: Scenario) -> bool:
    spread = s.director.scene.spread
    return spread is not None and any(len(words) > 1 for words in spread.words.values())


def _lies(least: int) -> Callable[[Scenario], bool]:
    return lambda s: len(s.director.scene.tiles) >= least


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
    "challenged": Incident(
        "a word that is none is challenged off", _challenged, challenged=True, made_up=True
    ),
    "extended_2": Incident("goes on after 2 s", _extended(2.0), fits=_can_extend),
    "extended_4": Incident("goes on after 4 s", _extended(4.0), fits=_can_extend),
    "extended_8": Incident("goes on after 8 s", _extended(8.0), fits=_can_extend),
    "tile_by_tile": Incident(
        "each tile is laid by itself, 3 s after the other",
        _tile_by_tile,
        fits=lambda s: len(s.tiles) > 1,
        made_up=True,
    ),
    "half_laid": Incident(
        "a hand rests for 6 s beside a word half laid", _half_laid, fits=_can_extend
    ),
    "two_plays": Incident("the next play begins within 1 s", _in_a_row(2)),
    "rush": Incident("five turns in a row, each within half a second", _in_a_row(5)),
    "card_late": Incident(
        "a ship card is laid 12 s late", _card(12.0), fits=lambda s: bool(s.cards), retold=True
    ),
    "card_never": Incident(
        "a ship card is never laid", _card(None), fits=lambda s: bool(s.cards), retold=True
    ),
    "lifted_slowly": Incident(
        "exploded tiles are lifted in two visits",
        _lifted_slowly,
        fits=lambda s: len(s.lifted) > 1,
        retold=True,
    ),
    "lifted_beside": Incident(
        "exploded tiles are lifted in two visits, between which the other board has a play",
        _lifted_beside,
        fits=_can_lift_beside,
        retold=True,
    ),
    "busy_beside": Incident(
        "a hand works over the other board while a play is laid",
        _busy_beside,
        fits=_is_of_four,
        retold=True,
    ),
    "claims_at_once": Incident(
        "a second word is called and laid while the first is being laid",
        _claims_at_once,
        fits=_can_claim_at_once,
        retold=True,
    ),
    "pushed_together": Incident(
        "words are pushed together", before=_pushed_together, fits=_has_two_words, retold=True
    ),
    "swapped": Incident("two tiles are exchanged after 2 s", _swapped, fits=_can_swap),
    "child": Incident("a small hand lays the play", _child),
    "beside_arm": Incident("another player's arm rests on the edge", _beside_resting_arm),
    "wavers": Incident(
        "a worn tile looks like two letters by turns", _wavers, fits=_can_waver, drawn=True
    ),
    "wrong_hand": Incident(
        "a player plays when the other one is to move",
        _wrong_hand,
        fits=lambda s: s.number >= SETTLED,
        made_up=True,
    ),
    "swept": Incident("tiles are swept off and laid back", _swept, fits=_lies(SWEPT), drawn=True),
    "nudged": Incident(
        "a tile is pushed half off its square, and back", before=_nudged, fits=_lies(1), drawn=True
    ),
    "exchanged": Incident(
        "a tile is exchanged for another",
        before=_another_tile,
        fits=lambda s: s.number >= SETTLED,
        drawn=True,
        made_up=True,
    ),
    "turned": Incident("the board is turned", before=_turned, drawn=True),
    "bumped": Incident("the board is bumped", before=_bumped, drawn=True),
    "camera_moved": Incident("the camera is moved", before=_camera_moved, drawn=True),
    "rack_crosses": Incident("a rack crosses the picture", before=_crosses("rack")),
    "bag_crosses": Incident("the bag crosses the picture", before=_crosses("bag")),
    "rim": Incident("the other player's tiles lie on the board's rim", before=_rim, drawn=True),
    "leans": Incident("an arm lies over the tiles for 7 s", before=_leans),
    "flicker": Incident("a lamp flickers", before=_flicker),
    "fog": Incident("the picture blurs and clears up again", before=_fog),
    "cleared": Incident("the board is cleared at the end", end=_cleared),
    "put_away": Incident("the board is put away at the end", end=_put_away, drawn=True),
    "another_game": Incident(
        "another game is begun on the same board", end=_another_game, made_up=True
    ),
    "finished": Incident(
        "the end is told, and then the board is cleared", end=_finished, made_up=True
    ),
    "pressed": Incident(
        "players press a clock; a play is taken back before the press",
        _withdrawn,
        fits=_can_relay,
        made_up=True,
        presses=True,
    ),
    "middle": Incident("the film begins in the middle of the game", middle=True, made_up=True),
    "paper": Incident(
        "a game goes on from paper: its position and old scores are told", paper=True
    ),
    "leaves": Incident("shadows of leaves play over the table all the time", room=_leaves),
    "shaky": Incident("the camera's stand trembles all the time", room=_shaky),
    "held": Incident("the camera is held in the hand", room=_held),
}


def filmed(scenario: Scenario, incident: Incident) -> Iterator[Frame]:
    """The film of a game with an incident.

    Args:
        scenario: the game; nothing of it has happened yet.
        incident: what happens.
    """
    if incident.room is not None:
        plain = filmed(scenario, replace(incident, room=None))
        for number, frame in enumerate(plain):
            yield replace(frame, scene=incident.room(frame.scene, number))
        return
    d = scenario.director
    turns = scenario.turns(incident.fits)
    spot = d.rng.choice(turns) if turns else scenario.total
    happened = incident.instead is None and incident.before is None
    yield from d.wait(3.0 if d.scene.tiles else 1.5)
    while scenario.number < scenario.total:
        yield from d.think()
        due = not happened and scenario.number >= spot and incident.fits(scenario)
        happened |= due
        if due and incident.before is not None:
            yield from incident.before(scenario)
            yield from d.wait(1.0)
        scenario.tells()
        laying = incident.instead if due else None
        yield from laying(scenario) if laying is not None else scenario.visit()
        if incident.presses:
            d.tell(Action("press_clock", PLAYERS[scenario.player]))
            yield d.frame()
        scenario.number += 1
    yield from d.wait(2.5)
    if incident.end is not None:
        d.over = True
        yield from incident.end(scenario)
    yield from d.wait(2.5)
