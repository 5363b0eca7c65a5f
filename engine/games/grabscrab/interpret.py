"""Explains how one table became the next: flips, claims, steals, returned words (GS-21)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations, product

from kibitz.engine.games.grabscrab.claims import Owned, judge_claim, read_claim
from kibitz.engine.games.grabscrab.state import GrabState, evolve
from kibitz.engine.phrases import phrase
from kibitz.engine.rules import Action, Candidate, Change, JsonValue, Question, Refused
from kibitz.engine.table import UNKNOWN_BLANK

MOST_BLANKS = 2
MOST_CHOICES = 12
MOST_NEW_WORDS = 3
"""More new words than this between two looks are not put in order; a person is asked."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A new word: its player, its tiles as seen, and the words that it was made of."""

    player: str
    tiles: str
    made_of: tuple[Owned, ...] = ()

    @property
    def from_pool(self) -> Counter[str]:
        """Tiles that came out of the pool."""
        return Counter(self.tiles) - Counter("".join(w.tiles for _, w in self.made_of))


@dataclass(frozen=True, slots=True)
class Story:
    """One possible account of how the words changed."""

    laid: tuple[Laid, ...] = ()
    given_up: tuple[Owned, ...] = ()
    questions: tuple[Question, ...] = field(default=())


def explain(state: GrabState, change: Change) -> tuple[Candidate, ...]:
    """Sequences of actions that may lead from the known table to the seen one, likeliest first.

    A blank is seen as `?`; if more than one letter makes a word of it, the candidate asks. An
    account under which a tile has vanished or turned up from nowhere is none: then the only
    candidate has no actions and asks for a look at the table.

    Args:
        state: the table as known.
        change: `pool`, `face_down` and `words` as seen; None for what was not looked at.
    """
    seen_pool = state.pool if change.pool is None else _plain(change.pool)
    found: list[Candidate] = []
    for story in _stories(state, change):
        found += _candidates(state, story, Counter(seen_pool))
    if found:
        return tuple(found)
    if missing_tiles(state, change) == 0 and not _differs(state, change):
        return ()
    prompt = phrase("The tiles do not add up. Please check the table.")
    return (Candidate((), questions=(Question("table", prompt),)),)


def missing_tiles(state: GrabState, change: Change) -> int:
    """Number of tiles that are not seen (GS-21); negative if too many are seen."""
    pool = len(state.pool if change.pool is None else change.pool)
    down = state.face_down if change.face_down is None else change.face_down
    if change.words is None:
        held = sum(len(w.tiles) for words in state.words.values() for w in words)
    else:
        held = sum(len(text) for words in change.words.values() for text in words)
    return state.total - pool - down - held


def _plain(text: str) -> str:
    """Tiles as they look: a small letter is a blank."""
    return "".join(UNKNOWN_BLANK if x.islower() else x for x in text)


def _differs(state: GrabState, change: Change) -> bool:
    gone, new = _word_changes(state, change)
    pool_differs = change.pool is not None and Counter(_plain(change.pool)) != Counter(state.pool)
    return bool(gone or new) or pool_differs


def _word_changes(state: GrabState, change: Change) -> tuple[list[Owned], list[tuple[str, str]]]:
    """Known words that are not seen, and seen words that are not known."""
    gone = [(p, w) for p in state.players for w in state.words[p]]
    new: list[tuple[str, str]] = []
    if change.words is None:
        return [], []
    for player, texts in change.words.items():
        for text in texts:
            same = next(
                (o for o in gone if o[0] == player and _plain(text) in (o[1].tiles, o[1].word)),
                None,
            )
            if same is None:
                new.append((player, _plain(text)))
            else:
                gone.remove(same)
    return gone, new


def _stories(state: GrabState, change: Change) -> Iterator[Story]:
    """Yield every way in which the words that went made the words that came."""
    gone, new = _word_changes(state, change)
    if len(new) > MOST_NEW_WORDS or len(gone) > MOST_NEW_WORDS:
        return
    heap_grew = change.face_down is not None and change.face_down > state.face_down
    may_give_up = bool(state.options["gs.penalty"]) and heap_grew
    merge = bool(state.options["gs.merge"])
    places: list[int | None] = [*range(len(new))]
    for fate in product([*places, None], repeat=len(gone)):
        if None in fate and not may_give_up:
            continue
        parts: list[list[Owned]] = [[] for _ in new]
        left: list[Owned] = []
        for owned, place in zip(gone, fate, strict=True):
            (left if place is None else parts[place]).append(owned)
        laid = tuple(
            Laid(player, tiles, tuple(part))
            for (player, tiles), part in zip(new, parts, strict=True)
        )
        if all(_possible(x, merge=merge) for x in laid):
            yield Story(laid, tuple(left))


def _possible(laid: Laid, *, merge: bool) -> bool:
    old = Counter("".join(w.tiles for _, w in laid.made_of))
    return not old - Counter(laid.tiles) and (merge or len(laid.made_of) <= 1)


def _candidates(state: GrabState, story: Story, seen: Counter[str]) -> Iterator[Candidate]:
    used = sum((x.from_pool for x in story.laid), Counter[str]())
    before = Counter(state.pool)
    flips = seen + used - before
    heap = state.face_down + sum(len(w.tiles) for _, w in story.given_up)
    if before - (seen + used) or flips.total() > heap:
        return
    needed = sorted((used - before).elements())
    later = sorted((flips - (used - before)).elements())
    calls, questions = _calls(state, story)
    word_of = state.materials.tile_set.word_of
    first = [Action("give_up", p, None, {"word": word_of(w.word)}) for p, w in story.given_up]
    first += [_turned(x) for x in needed]
    rest = [_turned(x) for x in later]
    ways = [(*first, *calls, *rest), (*first, *rest, *calls)]
    for way in ways[: 2 if calls and rest else 1]:
        if way:
            yield Candidate(way, questions=questions)


def _turned(letter: str) -> Action:
    return Action("flip", None, None, {"letter": letter})


def _calls(state: GrabState, story: Story) -> tuple[tuple[Action, ...], tuple[Question, ...]]:
    """The claims of a story, in an order that the rules accept if there is one."""
    questions: list[Question] = []
    claims = []
    for laid in story.laid:
        word, question = _named(state, laid)
        questions += [question] if question else []
        claims.append(_claim(laid, word, state.materials.tile_set.word_of))
    orders = [tuple(order) for order in permutations(claims)]
    good = next((o for o in orders if _holds(state, story, o)), orders[0] if orders else ())
    return good, tuple(questions)


def _claim(laid: Laid, word: str, word_of: Callable[[str], str]) -> Action:
    """The claim of a word's tiles, as people would tell it."""
    data: dict[str, JsonValue] = {"word": word_of(word)}
    if laid.made_of:
        owner, old = laid.made_of[0]
        data |= {"steal": word_of(old.word), "from_player": owner}
    if len(laid.made_of) > 1:
        data["also"] = [{"word": word_of(w.word), "from_player": p} for p, w in laid.made_of[1:]]
    if UNKNOWN_BLANK in laid.tiles:
        data["tiles"] = word_of(laid.tiles)
    return Action("claim", laid.player, None, data)


def _holds(state: GrabState, story: Story, calls: Sequence[Action]) -> bool:
    """True if the calls are accepted one after the other, with every needed tile face up."""
    used = sum((x.from_pool for x in story.laid), Counter[str]())
    pool = "".join(sorted((Counter(state.pool) | used).elements()))
    now = replace(state, pool=pool)
    for call in calls:
        claim = read_claim(now, call.player, call.data, None)
        event = claim if isinstance(claim, Refused) else judge_claim(now, claim)
        if isinstance(event, Refused):
            return False
        now = evolve(now, event)
    return True


def _named(state: GrabState, laid: Laid) -> tuple[str, Question | None]:
    """The word that tiles spell, and a question if a blank leaves it open."""
    if UNKNOWN_BLANK not in laid.tiles:
        return laid.tiles, None
    letters, word_of = state.materials.tile_set.letters, state.materials.tile_set.word_of
    blanks = laid.tiles.count(UNKNOWN_BLANK)
    if blanks > MOST_BLANKS:
        return laid.tiles, _which_word(laid, (), word_of)
    words = [_filled(laid.tiles, choice) for choice in product(letters, repeat=blanks)]
    good = [w for w in words if w in state.materials.lexicon]
    if len(good) == 1:
        return good[0], None
    return (good[0] if good else laid.tiles), _which_word(laid, good, word_of)


def _filled(tiles: str, letters: Sequence[str]) -> str:
    left = iter(letters)
    return "".join(next(left) if x == UNKNOWN_BLANK else x for x in tiles)


def _which_word(laid: Laid, choices: Sequence[str], word_of: Callable[[str], str]) -> Question:
    tiles = word_of(laid.tiles)
    prompt = phrase("Which word is {tiles} of {player}?", tiles=tiles, player=laid.player)
    return Question("word", prompt, tuple(map(word_of, choices[:MOST_CHOICES])))
