"""The games that are filmed, turn by turn: made-up ones, the bundled ones, photographed ones.

A `Scenario` knows whose turn it is, which tiles it lays, and what is true once it stands. The
incidents (see `incidents`) tell its director what happens at a turn instead, or beside it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import takewhile
from typing import Any

from kibitz.app.common.materials.named import counts_of, letters_for, make_materials
from kibitz.app.face.replaying import Photographs, new_replay
from kibitz.app.observers.feeds import GameReplay
from kibitz.app.observers.lines import spoken_lines
from kibitz.app.observers.told import load_told, told_of
from kibitz.app.reading.pictures import FileReading
from kibitz.app.tables.midway import start_for
from kibitz.engine.board.connection import check_connected, check_free, check_line
from kibitz.engine.games import find_game, find_info
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import TOLD_FOR_GOOD, Entry, Ledger, Opening, open_ledger
from kibitz.engine.rules import Action, Refused
from kibitz.engine.table import SIDE, Grid, Square, tile_from_text
from kibitz.engine.tracking.evidence.hypotheses import Finding
from kibitz.engine.words.formed import text_of, words_formed
from kibitz.vision.readings import GridReading, PhotoReading
from tests.filming.drawing import Scene
from tests.filming.film_plays import Fate, PlannedPlay, plan_game
from tests.filming.script import Director, Frames, Known, Saying, known_of
from tests.filming.story import BoardShot, CardPlace, Laid, LooseShot, loose_shots_of, shots_of
from tests.helpers.fake_readings import reading_of_rows
from tests.helpers.pictured_games import (
    DEMOS,
    drawn,
    game_of,
    readings_of,
    replay_of,
    replay_with,
)

PLAYERS = ("Ann", "Bob")
SETTINGS = {"reject_invalid": False, "challenge": "double"}
STRANGE = 100
"""So many letters more make a play look as odd as one word that is in no list."""
THOUGHT_OF = 5_000
"""So many words the players of one game think of."""
NEAR = 4
"""Tiles that are laid elsewhere lie at most so many squares from one that lies there."""

Tiles = Mapping[Square, Laid]
Fits = Callable[["Scenario"], bool]
ON_PAPER = frozenset(
    {
        "board", "boards", "board45", "scores", "to_move", "dealer", "tiles_left", "ship_count",
        "pool", "face_down", "words", "tiles", "flipper", "won", "frank", "blanks", "plays_so_far",
    }
)  # fmt: skip
"""What people who went on from paper would tell of a game."""
LOOKED_AT = 120
"""So many squares are looked at for tiles that are laid elsewhere."""


class Scenario:
    """A game being filmed.

    Args:
        director: moves hands and tiles.
        total: how many turns there are.

    Attributes:
        number: of the turn that is due.
    """

    number = 0

    def __init__(self, director: Director, total: int) -> None:
        self.director, self.total = director, total

    @property
    def rng(self) -> random.Random:
        """Chance."""
        return self.director.rng

    @property
    def player(self) -> int:
        """Whose turn it is, by seat."""
        raise NotImplementedError

    @property
    def other(self) -> int:
        """Another player."""
        return (self.player + 1) % len(self.director.seats)

    @property
    def tiles(self) -> dict[Square, Laid]:
        """The tiles that this turn lays, if that is all it does; else none."""
        raise NotImplementedError

    @property
    def cards(self) -> tuple[CardPlace, ...]:
        """The ship cards that this turn lays."""
        return ()

    @property
    def lifted(self) -> list[Square]:
        """Where this turn lifts tiles."""
        return []

    def forget(self, cards: Collection[CardPlace]) -> None:
        """No turn lays these cards."""

    def tells(self) -> None:
        """People say what they say before this turn."""

    def told_only(self) -> Known:
        """What is true after what people said before this turn, and nothing else."""
        return self.director.known

    def turns(self, fits: Fits) -> list[int]:
        """The turns at which something may happen; here it is seen as the film goes on."""
        return list(range(1, max(2, self.total - 1)))

    def if_laid(self, tiles: Tiles) -> Known | None:
        """What is true if the turn were these tiles; None where the rules have none of it."""
        raise NotImplementedError

    def stands(self) -> Known:
        """The turn is made as it is; what is true after it."""
        raise NotImplementedError

    def visit(self) -> Frames:
        """A hand comes, makes the turn and goes."""
        yield from self.director.lay(self.player, self.tiles)
        self.director.known = self.stands()
        yield from self.director.leave(self.player)

    def oddness(self, tiles: Tiles) -> int | None:
        """How odd tiles look as a play, 0 or more; None where they are none."""
        return None if self.if_laid(tiles) is None else 0

    def may_lay(self, tiles: Tiles) -> bool:
        """Whether the rules take these tiles for a play."""
        return self.oddness(tiles) is not None

    def first_part(self) -> dict[Square, Laid]:
        """As many of the first tiles as make a play by themselves; empty where none do."""
        squares = sorted(self.tiles)
        found: list[tuple[int, int, dict[Square, Laid]]] = []
        for order in (squares, squares[::-1]):
            for count in range(1, len(order)):
                laid = {s: self.tiles[s] for s in order[:count]}
                odd = self.oddness(laid)
                if odd is not None:
                    found.append((odd // STRANGE, -count, laid))
        return min(found, key=lambda x: x[:2])[2] if found else {}

    def elsewhere(self) -> dict[Square, Laid]:
        """The same tiles on other squares, looking as little odd as may be.

        Of two boards only on the first one.
        """
        mine = self.tiles if all(s.col < self.size for s in self.tiles) else {}
        lying = {s: t for s, t in self.director.scene.tiles.items() if s.col < self.size}
        best: list[tuple[int, float, dict[Square, Laid]]] = []
        for first in self._near(lying) if mine else ():
            for down in (False, True):
                laid = _line(first, list(mine.values()), lying, self.size, down=down)
                if laid is None or set(laid) & set(mine):
                    continue
                odd = self.oddness(laid)
                if odd is not None:
                    best.append((odd, self.rng.random(), laid))
        return min(best, key=lambda x: x[:2])[2] if best else {}

    @property
    def size(self) -> int:
        """Squares a side of the board."""
        return 15

    def _near(self, lying: Tiles) -> list[Square]:
        around = {
            Square(s.row + i, s.col + j)
            for s in lying
            for i in range(-NEAR, NEAR + 1)
            for j in range(-NEAR, NEAR + 1)
        }
        near = sorted(s for s in around if 0 <= min(s) and max(s) < self.size)
        return near if len(near) <= LOOKED_AT else self.rng.sample(near, LOOKED_AT)


def _line(
    first: Square, tiles: Sequence[Laid], lying: Tiles, size: int, *, down: bool
) -> dict[Square, Laid] | None:
    """Tiles one after the other from a square, over those that lie there already."""
    laid: dict[Square, Laid] = {}
    row, col = first
    for tile in tiles:
        while Square(row, col) in lying:
            row, col = row + down, col + (not down)
        if max(row, col) >= size:
            return None
        laid[Square(row, col)] = tile
        row, col = row + down, col + (not down)
    return laid


# --- made-up games --------------------------------------------------------------------------


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

    def begin_at(self, plays: int) -> Tiles:
        """The game goes on from the position after so many plays, nobody having scored yet."""
        laid: dict[Square, str] = {}
        for play in self.plan[:plays]:
            laid |= play.tiles
        after = self.start.at_position(list(_grid_of(laid).text_rows()), 0)
        assert after is not None
        self.start, self.plan = after, self.plan[plays:]
        return drawn_tiles(laid)

    def begin_on_paper(self, plays: int) -> tuple[Tiles, dict[str, Any]]:
        """The same, but the scores and whose turn it is are told; the position that people tell.

        Who is to move is the player of the next play.
        """
        for play in self.plan[:plays]:
            self.does(places(play.player, play.tiles))
        view = self.ledger().game.view(self.ledger().state, None)
        laid = drawn_tiles({s: x for p in self.plan[:plays] for s, x in p.tiles.items()})
        told = {k: view[k] for k in ("board", "scores", "to_move")}
        start = start_for(self.start.opening, told)
        self.start = open_ledger(replace(self.start.opening, initial=start))
        self.plan, self.done = self.plan[plays:], ()
        return laid, told

    def out_of_turn(self, number: int) -> None:
        """The other player makes this play: whose turn it was passes without a word."""
        self.done += (Action("pass", PLAYERS[self.plan[number].player]),)
        later = [replace(play, player=1 - play.player) for play in self.plan[number:]]
        self.plan[number:] = later

    def ledger(self, *more: Action) -> Ledger:
        """The game with everything done, and more.

        Raises:
            ValueError: the rules refuse some of it.
        """
        ledger: Ledger = self.start
        for number, action in enumerate((*self.done, *more)):
            ledger, verdict = ledger.add(Entry(action, number))
            if isinstance(verdict, Refused):
                raise ValueError(f"the story breaks a rule: {verdict.message}")
        return ledger

    def known(self, *more: Action) -> Known:
        """What is true after everything done, and more."""
        return known_of(self.ledger(*more))

    def does(self, *actions: Action) -> Known:
        """This is done; what is true after it."""
        self.done += actions
        return self.known()


def _grid_of(laid: Mapping[Square, str]) -> Grid:
    return Grid(15, 15, {s: tile_from_text(x) for s, x in laid.items()})


def places(player: int, tiles: Mapping[Square, str]) -> Action:
    """Laying these tiles as the rules have it."""
    return Action("place", PLAYERS[player], None, {"tiles": {s.name: x for s, x in tiles.items()}})


def drawn_tiles(tiles: Mapping[Square, str]) -> dict[Square, Laid]:
    """The same as they are drawn."""
    return {s: Laid(x) for s, x in tiles.items()}


class MadeUp(Scenario):
    """A made-up game of Scrabble.

    Args:
        director: moves hands and tiles.
        story: the game.
        only: the one turn at which something may happen; any without.
    """

    def __init__(self, director: Director, story: Story, only: int | None = None) -> None:
        super().__init__(director, len(story.plan))
        self.story, self._only = story, only

    def turns(self, fits: Fits) -> list[int]:
        """The turns from which on something may happen."""
        return super().turns(fits) if self._only is None else [self._only]

    @property
    def player(self) -> int:
        """Whose turn it is, by seat."""
        return self.story.plan[self.number].player

    @property
    def tiles(self) -> dict[Square, Laid]:
        """The tiles that this turn lays."""
        return drawn_tiles(self.story.plan[self.number].tiles)

    def if_laid(self, tiles: Tiles) -> Known | None:
        """What is true if the turn were these tiles."""
        return self.story.known(self._places(tiles))

    def stands(self) -> Known:
        """The turn is made as it is; what is true after it."""
        return self.story.does(self._places(self.tiles))

    def oddness(self, tiles: Tiles) -> int | None:
        """How odd tiles look as a play, 0 or more; None where they are none.

        Words that are in no list count most, then letters: people start few words at once.
        """
        grid = _grid_of({s: t.char for s, t in self.director.scene.tiles.items()})
        new = {s: tile_from_text(t.char) for s, t in tiles.items()}
        if any(isinstance(p, Refused) for p in (check_free(grid, new), check_line(grid, new))):
            return None
        if grid.tiles and isinstance(check_connected(grid, new), Refused):
            return None
        whole = grid.with_tiles(new)
        texts = [text_of(whole, run) for run in words_formed(whole, new)]
        if not texts or (not grid.tiles and Square(7, 7) not in tiles):
            return None
        return sum(len(t) + (STRANGE if t not in self.story.lexicon else 0) for t in texts)

    def _places(self, tiles: Tiles) -> Action:
        return places(self.player, {s: t.char for s, t in tiles.items()})


# --- games told by their pictures -----------------------------------------------------------


@dataclass(frozen=True)
class Pictured:
    """A game as a story of pictures: what each shows, what is true and told at it.

    Attributes:
        facts: the game file.
        scenes: what each picture shows.
        ledgers: the game after each.
        told: what people say before each.
        initial: the position that it begins from, where it begins with one.
        forgotten: ship cards that are laid late or never; people may be reminded of them.
    """

    facts: Mapping[str, Any]
    scenes: tuple[Scene, ...]
    ledgers: tuple[Ledger, ...]
    told: tuple[tuple[Action, ...], ...]
    initial: Mapping[str, Any] | None = None
    forgotten: tuple[CardPlace, ...] = ()

    @cached_property
    def known(self) -> tuple[Known, ...]:
        """What is true after each picture."""
        every = map(known_of, self.ledgers)
        return tuple(replace(k, said=(*k.said, *map(_reminder, self.forgotten))) for k in every)


def _reminder(card: CardPlace) -> Saying:
    """What may be said of a ship card that does not lie where it should."""
    (r, c), (r2, c2) = card
    squares = frozenset(Square(i, j) for i in range(r, r2 + 1) for j in range(c, c2 + 1))
    finding = Finding(0, "no_change", due_cards=(squares,))
    lines = spoken_lines(open_ledger(_opening()[0]), (), finding)
    return Saying(tuple(lines), needed=False)


@cache
def bundled(slug: str) -> Pictured:
    """A bundled game; what is true of it is what faultless readings come to."""
    return _retold(game_of(slug), replay_of(slug))


@cache
def two_grabs() -> Pictured:
    """GrabScrab where two words are called one after the other, and one player wins two."""
    shots = [
        ("RAINTOSE", 14, {}),
        ("....TOSE", 14, {"2": ["RAIN"]}),
        ("", 14, {"2": ["RAIN"], "0": ["TOES"]}),
        ("D", 13, {"2": ["RAIN"], "0": ["TOES"]}),
        ("DA", 12, {"2": ["RAIN"], "0": ["TOES"]}),
        ("DAM", 11, {"2": ["RAIN"], "0": ["TOES"]}),
        ("DAMP", 10, {"2": ["RAIN"], "0": ["TOES"]}),
        ("", 10, {"2": ["RAIN", "DAMP"], "0": ["TOES"]}),
        ("T", 9, {"2": ["RAIN", "DAMP"], "0": ["TOES"]}),
        ("", 9, {"2": ["DAMP"], "0": ["TOES"], "1": ["TRAIN"]}),
        ("L", 8, {"2": ["DAMP"], "0": ["TOES"], "1": ["TRAIN"]}),
    ]
    photos = [
        {"file": f"{n}.jpg", "pool": pool, "face_down": down, "words": words}
        for n, (pool, down, words) in enumerate(shots)
    ]
    words = {player: [] for player in FOUR}
    initial = {"pool": "AEINORST", "face_down": 14, "words": words, "flipper": FOUR[0]}
    facts = {**game_of("grabscrab"), "photos": photos, "initial": initial, "players": FOUR}
    claims = (("1.jpg", "Cyd", "RAIN"), ("2.jpg", "Ann", "TOES"), ("7.jpg", "Cyd", "DAMP"))
    told = [
        {"before": at, "player": who, "action": "claim", "word": word} for at, who, word in claims
    ]
    steal = {"word": "TRAIN", "steal": "RAIN", "from_player": "Cyd"}
    told.append({"before": "9.jpg", "player": "Bob", "action": "claim", **steal})
    return _retold(facts, replay_with(facts, told_of(told)))


def _retold(facts: Mapping[str, Any], replay: GameReplay) -> Pictured:
    """A game of which every picture is read faultlessly."""
    told = tuple(
        tuple(t.action for t in replay._told if t.before == photo["file"])
        for photo in facts["photos"]
    )
    ledgers = []
    for found in readings_of(facts):
        replay.see(found)
        ledgers.append(replay.ledger)
    loose = find_info(facts["game_slug"]).surface.kind == "loose"
    shots = tuple(loose_shots_of(facts)) if loose else tuple(shots_of(facts))
    scenes = tuple(scene_of(shot) for shot in shots)
    for k in range(len(scenes) - 1, 0, -1):  # only the hand, which no scene has, hid it before
        if scenes[k] == scenes[k - 1] and not told[k]:
            ledgers[k - 1] = ledgers[k]
    return Pictured(facts, scenes, tuple(ledgers), told, facts.get("initial"))


FOUR = ("Ann", "Bob", "Cyd", "Dan")
"""South and North of the left board, then those of the right one."""


@cache
def house_of_four() -> Pictured:
    """Scrabble House on two boards: the bundled game on the left, on the right turned about.

    Of two that sit diagonally each begins a board, so North begins the right one.
    """
    facts = {**game_of("scrabble-house"), "players": FOUR}
    game = find_game("scrabble-house")
    options = check_options(game.info, facts["settings"])
    materials = make_materials(facts["lexicon"], facts["language"], options)
    opening = Opening(game, FOUR, options, materials)
    replay = new_replay(Photographs(), opening, [])
    left: Tiles = {}
    right: Tiles = {}
    scenes, ledgers = [], []
    own = [
        {square: replace(tile, which="a") for square, tile in shot.tiles.items()}
        for shot in shots_of(facts)
    ]
    steps = [(left, right)]
    for tiles in own:
        left = tiles
        steps.append((left, right))
        right = {_opposite(s): Laid(t.char, (t.turn + 2) % 4, "b") for s, t in tiles.items()}
        steps.append((left, right))
    for number, (left, right) in enumerate(steps):
        boards = tuple(_reading_of(tiles, place) for place, tiles in enumerate((left, right)))
        replay.see(FileReading(f"{number}.jpg", PhotoReading(2200, 1000, boards)))
        ledgers.append(replay.ledger)
        beyond = {Square(s.row, s.col + SIDE): t for s, t in right.items()}
        scenes.append(Scene({**left, **beyond}))
    return Pictured(facts, tuple(scenes), tuple(ledgers), ((),) * len(scenes))


def _opposite(square: Square) -> Square:
    return Square(SIDE - 1 - square.row, SIDE - 1 - square.col)


def _reading_of(tiles: Tiles, place: int) -> GridReading:
    """A faultless reading of one of two boards, side by side."""
    rows, size = BoardShot(tiles).rows(), 1000.0
    turns = [
        [90 * tiles[s].turn if (s := Square(r, c)) in tiles else 0 for c in range(SIDE)]
        for r in range(SIDE)
    ]
    x = 1200.0 * place
    corners = [[x, 0.0], [x + size, 0.0], [x + size, size], [x, size]]
    letters = "".join(letters_for("en"))
    (board,) = reading_of_rows(rows, letters, rotation=turns, corners_px=corners).boards
    return board


@cache
def from_paper(slug: str) -> Pictured:
    """The same game from a picture in its middle on, its position told as people would."""
    whole = bundled(slug)
    half = len(whole.scenes) // 2
    for begin in sorted(range(1, len(whole.scenes) - 1), key=lambda k: abs(k - half)):
        part = _from_picture(slug, whole, begin)
        if part is not None:
            return part
    raise ValueError(f"no picture of {slug} gives a position to begin from")


def _from_picture(slug: str, whole: Pictured, begin: int) -> Pictured | None:
    """A game from one of its pictures on; None where its position cannot be told."""
    ledger, facts = whole.ledgers[begin], whole.facts
    view = dict(ledger.game.view(ledger.state, None))
    if (view.get("open_tasks") or [{}])[0].get("lift"):
        return None  # tiles of an explosion still lie there
    try:
        view["plays_so_far"] = view.get("total_words")
        fields = {f.name for f in ledger.game.info.start} & ON_PAPER
        told = {k: v for k, v in view.items() if k in fields}
        start = start_for(replace(ledger.opening, initial=None), told)
        opening = replace(ledger.opening, initial=start)
        names = [photo["file"] for photo in facts["photos"]]
        every = load_told(DEMOS / slug / facts["told"]) if facts.get("told") else []
        later = [t for t in every if t.before in names[begin + 1 :]]
        replay = new_replay(Photographs(), opening, later)
    except ValueError:
        return None
    for_good = tuple(
        d.entry.action
        for d in ledger.done
        if d.entry.told and d.entry.action.kind in TOLD_FOR_GOOD
    )
    for action in for_good:
        replay.tracker.tell(action)
    ledgers = []
    for found in list(drawn(slug))[begin:]:
        replay.see(found)
        ledgers.append(replay.ledger)
    if len(known_of(ledgers[-1]).plays) != len(whole.known[-1].plays) - len(
        whole.known[begin].plays
    ):
        return None
    told_then = (for_good, *whole.told[begin + 1 :])
    return Pictured(facts, whole.scenes[begin:], tuple(ledgers), told_then, start)


def scene_of(shot: BoardShot | LooseShot) -> Scene:
    """A picture of a bundled game without its hand."""
    if isinstance(shot, LooseShot):
        return Scene(spread=replace(shot, hand=None))
    return Scene(dict(shot.tiles), shot.cards)


def _pushed(scene: Scene) -> Scene:
    """The same with words before one player that touch one another."""
    spread = scene.spread
    return scene if spread is None else replace(scene, spread=replace(spread, pushed=True))


class Retold(Scenario):
    """A game told by its pictures: each picture's changes are made by a hand.

    Args:
        director: moves hands and tiles.
        story: the game.
        size: squares a side of the board.
    """

    def __init__(self, director: Director, story: Pictured, size: int = 15) -> None:
        super().__init__(director, len(story.scenes) - 1)
        self.story, self._size = story, size
        director.scene, director.known = story.scenes[0], story.known[0]
        for action in story.told[0]:
            director.tell(action)

    @property
    def size(self) -> int:
        """Squares a side of the board."""
        return self._size

    @property
    def player(self) -> int:
        """Whose hand it is; where nobody made a play, anybody's."""
        before, after = self.story.known[self.number], self.story.known[self.number + 1]
        fresh = [p.player for p in after.plays if p not in before.plays]
        players = list(self.story.facts["players"])
        if fresh and fresh[-1] in players:
            return players.index(fresh[-1])
        if self._is_beyond:
            return 2 + self.number % 2
        return self.number % (2 if self.story.facts["players"] == FOUR else len(players))

    @property
    def _is_beyond(self) -> bool:
        """Whether this turn is one at the second of two boards."""
        before, after = self.story.scenes[self.number], self.story.scenes[self.number + 1]
        changed = set(before.tiles.items()) ^ set(after.tiles.items())
        return any(square.col >= self._size for square, _ in changed)

    @property
    def tiles(self) -> dict[Square, Laid]:
        """The tiles that this turn lays, if that is all it does; else none."""
        return self.laid_at(self.number)

    def laid_at(self, number: int) -> dict[Square, Laid]:
        """The tiles that a turn lays, if that is all it does; else none."""
        before, after = self.story.scenes[number : number + 2]
        if any(after.tiles.get(s) != t for s, t in before.tiles.items()):
            return {}
        if before.cards != after.cards or after.spread is not None or after.photo is not None:
            return {}
        return {s: t for s, t in after.tiles.items() if s not in before.tiles}

    def claimed_at(self, number: int) -> tuple[int, str]:
        """The seat and the word that a turn lays; no word where it takes others or lays none."""
        before, after = (
            s.spread.words if s.spread else {} for s in self.story.scenes[number : number + 2]
        )
        new = {(k, w) for k, held in after.items() for w in held}
        old = {(k, w) for k, held in before.items() for w in held}
        return next(iter(new - old), (0, "")) if old <= new else (0, "")

    @property
    def cards(self) -> tuple[CardPlace, ...]:
        """The ship cards that this turn lays."""
        before, after = self.story.scenes[self.number], self.story.scenes[self.number + 1]
        return tuple(card for card in after.cards if card not in before.cards)

    @property
    def lifted(self) -> list[Square]:
        """Where this turn lifts tiles."""
        before, after = self.story.scenes[self.number], self.story.scenes[self.number + 1]
        return [s for s in before.tiles if s not in after.tiles]

    def forget(self, cards: Collection[CardPlace]) -> None:
        """No turn lays these cards."""
        kept = (tuple(c for c in x.cards if c not in cards) for x in self.story.scenes)
        pairs = zip(self.story.scenes, kept, strict=True)
        scenes = tuple(replace(scene, cards=left) for scene, left in pairs)
        self.story = replace(self.story, scenes=scenes, forgotten=tuple(cards))

    def push_together(self) -> None:
        """Words before one player touch one another from now on."""
        self.story = replace(self.story, scenes=tuple(map(_pushed, self.story.scenes)))
        self.director.scene = _pushed(self.director.scene)

    def tells(self) -> None:
        """People say what they say before this turn."""
        for action in self.story.told[self.number + 1]:
            self.director.tell(action)

    def told_only(self) -> Known:
        """What is true after what people said before this turn, and nothing else."""
        now, after = self.story.ledgers[self.number], self.story.ledgers[self.number + 1]
        entries = (d.entry for d in after.done[len(now.done) :])
        for entry in takewhile(lambda e: e.told, entries):
            now, _ = now.add(entry)
        return known_of(now)

    def turns(self, fits: Fits) -> list[int]:
        """The turns at which something may happen."""
        start, found = self.director.scene, []
        for number in range(self.total):
            self.number, self.director.scene = number, self.story.scenes[number]
            if fits(self):
                found.append(number)
        self.number, self.director.scene = 0, start
        return found

    def if_laid(self, tiles: Tiles) -> Known | None:
        """What is true if the turn were these tiles; None where the rules have none of it."""
        before, after = self.story.ledgers[self.number], self.story.ledgers[self.number + 1]
        entries = [d.entry for d in after.done[len(before.done) :]]
        laying = [e for e in entries if not e.told and "tiles" in e.action.data]
        single = [e for e in entries if not e.told and "letter" in e.action.data]
        if len(laying) + len(single) != 1:
            return None
        now = before
        for entry in entries:
            action = entry.action
            if entry in laying:
                named = {_name(s, self.size): t.char for s, t in tiles.items()}
                named = {k: _as_told(v, action.data["tiles"]) for k, v in named.items()}
                action = replace(action, data={**action.data, "tiles": named})
            elif entry in single:
                ((square, tile),) = tiles.items()
                data = {"square": _name(square, self.size), "letter": tile.char}
                action = replace(action, data={**action.data, **data})
            now, verdict = now.add(replace(entry, action=action))
            if isinstance(verdict, Refused):
                return None
        return known_of(now)

    def stands(self) -> Known:
        """The turn is made as it is; what is true after it."""
        return self.story.known[self.number + 1]

    def visit(self) -> Frames:
        """A hand comes, makes the turn and goes."""
        d, player, after = self.director, self.player, self.story.scenes[self.number + 1]
        if after.spread is not None:
            yield from _spread_anew(d, player, after)
        elif after.photo is not None:
            yield from _next_photo(d, player, after)
        else:
            yield from _change(d, player, after)
        d.known = self.stands()
        yield from d.go(player)


def _name(square: Square, size: int) -> str:
    return square.panel_name if size == 45 else Square(square.row, square.col % size).name


def _as_told(char: str, told: Mapping[str, str]) -> str:
    """North's tiles are small letters in the record of a game with facing tiles."""
    north = bool(told) and all(x.islower() for x in told.values())
    return char.lower() if north else char


def _change(director: Director, player: int, after: Scene) -> Iterator[Any]:
    before = director.scene
    gone = [s for s in before.tiles if s not in after.tiles]
    turned = {s: t for s, t in after.tiles.items() if s in before.tiles and before.tiles[s] != t}
    new = {s: t for s, t in after.tiles.items() if s not in before.tiles}
    yield from director.take(player, gone)
    for square, tile in turned.items():
        yield from director.take(player, [square])
        yield from director.lay(player, {square: tile})
    yield from director.lay(player, new)
    for card in after.cards:
        if card not in before.cards:
            yield from director.reach(player, director.at(card[0]))
            director.scene = replace(director.scene, cards=(*director.scene.cards, card))
            yield from director.hover(player, 0.4)


def _spread_anew(director: Director, player: int, after: Scene) -> Iterator[Any]:
    if director.scene.spread == after.spread:
        return
    yield from director.reach(player, director.at(Square(1, 0)))
    yield from director.hover(player, 0.3)
    director.scene = replace(director.scene, spread=after.spread)
    yield from director.hover(player, 0.4)


def _next_photo(director: Director, player: int, after: Scene) -> Iterator[Any]:
    """A hand goes from one square that changes to the next, and then they all have changed."""
    new = [s for s in after.tiles if s not in director.scene.tiles]
    for square in new:
        yield from director.reach(player, director.at(square))
        yield from director.hover(player, 0.3)
    director.scene = replace(after, moved=director.scene.moved)
    yield from director.hover(player, 0.3) if new else director.wait(1.0)
