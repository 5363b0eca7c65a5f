"""What a photograph of a board may mean, given what is believed to lie there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from app.beliefs import Belief, LastPlay, Sighting, Waiting
from app.dry_run import missing_words, try_change
from app.ledger import Ledger, fold
from app.positions import NORTH_TURN, rules_grid
from app.second_thoughts import with_letters
from engine.changes import BoardView, differences, fit, looks_like, turn_gain
from engine.interpretation import (
    Laying,
    best_stretches,
    certain_squares,
    gains,
    layings,
    open_ends,
    seen_tile,
)
from engine.rules import Change, Question, Refused
from engine.table import Grid, Square, Tile

PRIOR_TAKEN_BACK = -3.0
PRIOR_OVERRULED = -1.0
PRIOR_MORE_UNDER_HAND = -0.7
PRIOR_COMPLETE_AT_HAND = -1.5
PRIOR_WAITED_FOR_NOTHING = -2.0
PRIOR_REFUSED = -8.0
PRIOR_LAID_AGAIN = -3.0
"""For each tile that would have been taken off and laid again on the same square."""
CLEAR = 3.0
"""From this weight on (natural logs) a square speaks clearly."""

TryMany = Callable[["Base", "Sight", frozenset[Square], Refused | None], "list[Belief]"]


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What the kind of game says about its board."""

    most_tiles: int = 7
    facing: bool = False
    counts: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Sight:
    """One photograph of one board, and what kind of table it shows."""

    photo: int
    view: BoardView
    facts: TableFacts


@dataclass(frozen=True, slots=True)
class Base:
    """A position from which new tiles are looked for."""

    belief: Belief
    ledger: Ledger
    lying: Grid
    weight: float
    sighting: Sighting
    last: LastPlay | None


def explain(belief: Belief, sight: Sight, try_many: TryMany) -> list[Belief]:
    """Every way in which a photograph may go on from a belief, in no order.

    Args:
        belief: what is believed so far.
        sight: the photograph.
        try_many: parts new tiles into several plays where they are no single one.
    """
    out: list[Belief] = []
    for base in _bases(belief, sight):
        out += _from_base(base, sight, try_many)
    return out


def _bases(belief: Belief, sight: Sight) -> list[Base]:
    plain = _after_tasks(belief, sight)
    bases = [plain]
    if (back := _taken_back(plain, sight)) is not None:
        bases.append(back)
    if (overruled := _overruled(belief, sight)) is not None:
        bases.append(overruled)
    if (righted := _put_right(belief, sight)) is not None:
        bases.append(righted)
    return bases


def _put_right(belief: Belief, sight: Sight) -> Base | None:
    """Tiles that this picture shows with another letter than the one recorded were misread."""
    letters = {}
    for square in belief.views:
        tile, now = belief.lying.get(square), sight.view[square]
        if tile is None or now.hidden or now.tile < 0.5:
            continue
        other = seen_tile(now.best_letter())
        if other.text != looks_like(tile) and fit(now, other) > fit(now, tile) + CLEAR:
            letters[square] = other.text
    if not letters or (changed := with_letters(belief, letters)) is None:
        return None
    # what the earlier pictures showed speaks against it just as much as it did for it
    cost = sum(
        fit(view, changed.lying.tiles[s]) - fit(view, belief.lying.tiles[s])
        for s in letters
        for view in belief.views[s]
    )
    base = _after_tasks(changed, sight)
    return replace(base, weight=base.weight + cost)


def _after_tasks(belief: Belief, sight: Sight) -> Base:
    """Tiles that the rules want turned or lifted, each as the picture shows it by now."""
    rules = rules_grid(belief.ledger.game, belief.state)
    facing = sight.facts.facing
    lying = dict(belief.lying.tiles)
    removed: list[Square] = []
    turned: list[Square] = []
    for square in sorted(set(lying) | set(rules.tiles)):
        old, new = lying.get(square), rules.get(square)
        if _same(old, new, facing=facing):
            continue
        view = sight.view[square]
        if facing and old is not None and new is None and turn_gain(view, old) > CLEAR:
            # turned first and lifted later: an exploded tile may be seen on its way
            turned.append(square)
            lying[square] = old = replace(old, turn=(old.turn + 2) % 4)
        if fit(view, new, turned=facing) <= fit(view, old, turned=facing):
            continue
        if new is None:
            removed.append(square)
            del lying[square]
        else:
            if old is not None:
                turned.append(square)
            lying[square] = new
    cards = tuple(card for card in belief.cards if not _card_seen(card, sight.view))
    was_last = belief.last is not None and set(removed) == set(belief.last.squares)
    status = "no_change"
    if removed or turned or len(cards) < len(belief.cards):
        status = "taken_back" if was_last and not turned else "task_done"
    sighting = Sighting(sight.photo, status, removed=tuple(removed), turned=tuple(turned))
    grid = Grid(belief.lying.rows, belief.lying.cols, lying)
    last = None if was_last else belief.last
    weight = belief.weight + _agreement(grid, sight)
    return Base(replace(belief, cards=cards), belief.ledger, grid, weight, sighting, last)


def _agreement(grid: Grid, sight: Sight) -> float:
    """How much better the tiles agree with the picture than an empty board would.

    Every line of belief is measured against the same empty board, so they can be compared.
    """
    turned = sight.facts.facing
    return sum(
        fit(sight.view[s], t, turned=turned) - fit(sight.view[s], None)
        for s, t in grid.tiles.items()
    )


def _same(old: Tile | None, new: Tile | None, *, facing: bool) -> bool:
    if old is None or new is None:
        return old is new
    return not facing or old.turn == new.turn


def _card_seen(card: frozenset[Square], view: BoardView) -> bool:
    if any(card == set(marker) for marker in view.markers):
        return True
    bare = [view[s].marker for s in card if view[s].tile < 0.5]
    return bool(bare) and sum(bare) / len(bare) > 0.5


def _taken_back(base: Base, sight: Sight) -> Base | None:
    """The last play taken off again, where the picture speaks for it at all."""
    last = base.last
    if last is None or not all(s in base.lying for s in last.squares):
        return None
    lead, speaks = 0.0, False
    for square in last.squares:
        tile, view = base.lying.tiles[square], sight.view[square]
        gone = fit(view, None) - fit(view, tile)
        lead += gone
        # a tile with another letter may stand where the old one was taken off
        other = seen_tile(view.best_letter()) if view.letters else None
        differs = other is not None and fit(view, other) - CLEAR > fit(view, tile)
        speaks = speaks or gone > 0 or differs
    if not speaks:
        return None
    ledger, note = _ledger_without_last(base, last, sight.photo)
    lying = base.lying.without(last.squares)
    belief = base.belief
    if note == "set-up":
        belief = _forget_setup(belief, last)
    sighting = replace(
        base.sighting,
        status="taken_back",
        removed=tuple(sorted({*base.sighting.removed, *last.squares})),
        note=note,
    )
    return Base(belief, ledger, lying, base.weight + lead + PRIOR_TAKEN_BACK, sighting, None)


def _ledger_without_last(base: Base, last: LastPlay, photo: int) -> tuple[Ledger, str]:
    """The ledger after a play was taken back; a board that is empty again had only set-up."""
    before = base.ledger
    rest = base.lying.without(last.squares)
    if not rest.tiles and not _was_judged(before, last):
        kept = [d.entry for d in before.done if d.entry.told or d.entry.photo != last.photo]
        clean, _ = fold(before.opening, kept)
        return clean, "set-up"
    tried, _ = try_change(before, Change(removed=tuple(sorted(last.squares))), photo)
    if tried is not None and not _on_board(tried.ledger, last.squares):
        return tried.ledger, ""
    return before.taken_back(last.photo, photo), ""


def _was_judged(ledger: Ledger, last: LastPlay) -> bool:
    later = ledger.done[last.entry + 1 :]
    return any(done.entry.action.kind == "challenge" for done in later)


def _on_board(ledger: Ledger, squares: frozenset[Square]) -> bool:
    grid = rules_grid(ledger.game, ledger.state)
    return any(s in grid for s in squares)


def _forget_setup(belief: Belief, last: LastPlay) -> Belief:
    """Names or a test laid out before the game are no play."""
    cleaned = tuple(
        replace(s, status="board_changed", laid={}, plays=(), note="set-up", question=None)
        if s.photo == last.photo
        else s
        for s in belief.sightings
    )
    return replace(belief, sightings=cleaned)


def _overruled(belief: Belief, sight: Sight) -> Base | None:
    """A refused word that is still there counts: people went on without taking it off."""
    waiting = belief.waiting
    if waiting is None or waiting.refused is None or waiting.refused.code != "not_a_word":
        return None
    new = {s: seen_tile(letter) for s, letter in waiting.tiles.items()}
    if any(fit(sight.view[s], t) < fit(sight.view[s], None) for s, t in new.items()):
        return None
    opening = belief.ledger.opening
    for word in missing_words(belief.ledger, belief.lying, waiting.tiles):
        opening = opening.with_word(word)
    ledger, _ = fold(opening, [d.entry for d in belief.ledger.done])
    photo = belief.sightings[-1].photo
    tried, _ = try_change(ledger, Change(added=dict(waiting.tiles)), photo)
    if tried is None:
        return None
    placed = Laying(waiting.tiles, 0.0, frozenset(waiting.tiles))
    earlier = replace(
        belief.sightings[-1], status="play", laid=dict(waiting.tiles), plays=(placed.squares,)
    )
    last = LastPlay(placed.squares, photo, len(tried.ledger.done) - 1)
    changed = replace(
        belief,
        ledger=tried.ledger,
        lying=belief.lying.with_tiles(new),
        sightings=(*belief.sightings[:-1], earlier),
        last=last,
        waiting=None,
    )
    base = _after_tasks(changed, sight)
    return replace(base, weight=base.weight + PRIOR_OVERRULED)


def _from_base(base: Base, sight: Sight, try_many: TryMany) -> list[Belief]:
    gain = gains(sight.view, base.lying)
    seen = certain_squares(gain)
    out = [_nothing_new(base, sight, seen)]
    if not any(g > 0 for g in gain.values()):
        return out
    sets = [s for w, s in best_stretches(gain, base.lying, most_tiles=45) if w > 0]
    if seen and seen not in sets:
        sets.append(seen)
    refused: Refused | None = None
    accepted: set[frozenset[Square]] = set()
    for squares in sets:
        placed, problem = _place(base, sight, squares)
        out += placed
        if placed:
            accepted.add(squares)
        elif squares == seen or refused is None:
            refused = problem
    clear = frozenset(s for s in seen if gain[s] > CLEAR)
    if seen not in accepted and clear:
        out += try_many(base, sight, seen, refused)
        out.append(_unresolved(base, sight, seen, refused))
    if (hands := _wait_for_hand(base, sight, seen)) is not None:
        out.append(hands)
    return out


def _nothing_new(base: Base, sight: Sight, seen: frozenset[Square]) -> Belief:
    """No new tile: nothing changed, a task was done, or what changed is no play."""
    sighting = base.sighting
    difference = differences(sight.view, base.lying, turned=sight.facts.facing)
    vanished = [s for s, w in difference.vanished.items() if w > CLEAR]
    if sighting.status == "no_change":
        stray = base.belief.waiting
        if vanished:
            sighting = replace(sighting, status="board_changed", question=_disturbed(vanished))
        elif sight.view.hidden_squares():
            sighting = replace(sighting, status="covered")
        elif stray is not None and stray.refused is not None and not seen & set(stray.tiles):
            gone = tuple(sorted(stray.tiles))
            sighting = replace(sighting, status="taken_back", removed=gone)
    return replace(
        base.belief,
        ledger=base.ledger,
        lying=base.lying,
        weight=base.weight,
        sightings=(*base.belief.sightings, sighting),
        last=base.last,
        waiting=None,
    )


def _disturbed(squares: list[Square]) -> Question:
    names = ", ".join(s.name for s in sorted(squares))
    return Question(
        "board_changed",
        f"The board was disturbed at {names}. Please check.",
        ("put back", "moved"),
    )


def _place(
    base: Base, sight: Sight, squares: frozenset[Square]
) -> tuple[list[Belief], Refused | None]:
    """The likeliest letters on these squares that the rules accept as one play."""
    left = _left(base, sight)
    refused = None
    for laying in layings(sight.view, squares, left=left, keep=6):
        if "#" in laying.tiles.values():
            return [], Refused("covered", "part of the play cannot be seen")
        change = change_of(laying, sight)
        tried, problem = try_change(base.ledger, change, sight.photo)
        if tried is None:
            refused = refused or problem
            continue
        weight = base.weight + laying.weight + tried.weight
        if open_ends(squares, base.lying, sight.view):
            weight += PRIOR_COMPLETE_AT_HAND
        waited = base.belief.waiting
        if waited is not None and waited.refused is None and set(waited.tiles) == set(squares):
            weight += PRIOR_WAITED_FOR_NOTHING
        questions = tried.candidate.questions
        return [
            with_play(
                base,
                sight,
                laying.tiles,
                (squares,),
                tried.ledger,
                weight,
                question=questions[0] if questions else None,
            )
        ], None
    return [], refused


def _left(base: Base, sight: Sight) -> Callable[[str], int] | None:
    counts = sight.facts.counts
    if counts is None:
        return None
    used: dict[str, int] = {}
    for tile in base.lying.tiles.values():
        sign = "?" if tile.blank else tile.letter
        used[sign] = used.get(sign, 0) + 1
    return lambda letter: counts.get(letter, 0) - used.get(letter, 0)


def change_of(laying: Laying, sight: Sight) -> Change:
    """New tiles as the rules are told of them; in Scrabble House the case is the facing."""
    colours = {s: sight.view[s].colour for s in laying.tiles}
    if not sight.facts.facing:
        return Change(added=dict(laying.tiles), colours=colours)
    turn = side_of(laying, sight)
    added = {s: x.lower() if turn == NORTH_TURN else x for s, x in laying.tiles.items()}
    return Change(added=added, turned=dict.fromkeys(laying.tiles, turn), colours=colours)


def side_of(laying: Laying, sight: Sight) -> int:
    """0 if the tiles are upright for South, 2 for North; all tiles of a play face its player."""
    south = north = 0.0
    for square, letter in laying.tiles.items():
        if letter != "?":
            turns = sight.view[square].turns
            south += _log(turns[0])
            north += _log(turns[NORTH_TURN])
    return NORTH_TURN if north > south else 0


def _log(p: float) -> float:
    import math

    return math.log(p + 0.01)


def with_play(
    base: Base,
    sight: Sight,
    tiles: Mapping[Square, str],
    plays: tuple[frozenset[Square], ...],
    ledger: Ledger,
    weight: float,
    *,
    question: Question | None = None,
) -> Belief:
    """The belief after new tiles were taken for one play or several."""
    belief = base.belief
    turn = side_of(Laying(tiles, 0.0), sight) if sight.facts.facing else 0
    new = {s: replace(seen_tile(x), turn=turn) for s, x in tiles.items()}
    before = belief.lying
    taken = base.sighting.removed
    stayed = {
        s for s in tiles if s in taken and s in before and before.tiles[s].letter == tiles[s]
    }
    weight += PRIOR_LAID_AGAIN * len(stayed)
    views = {s: v for s, v in belief.views.items() if s not in tiles}
    sighting = replace(
        base.sighting,
        status="several" if len(plays) != 1 else "play",
        laid={s: x for s, x in tiles.items() if s not in stayed},
        plays=plays,
        removed=tuple(s for s in taken if s not in tiles),
        question=question,
    )
    return replace(
        belief,
        ledger=ledger,
        lying=base.lying.with_tiles(new),
        weight=weight,
        sightings=(*belief.sightings, sighting),
        views=views,
        last=LastPlay(plays[-1], sight.photo, len(ledger.done) - 1) if plays else None,
        waiting=None,
    )


def _unresolved(
    base: Base, sight: Sight, seen: frozenset[Square], refused: Refused | None
) -> Belief:
    """New tiles that the rules do not accept: nothing is recorded, people are asked."""
    best = layings(sight.view, seen, keep=1)[0]
    problem = refused or Refused("board_changed", "These tiles are no play.", tuple(sorted(seen)))
    sighting = replace(
        base.sighting,
        status="question",
        question=Question("play", problem.message, ("take it back", "it counts")),
        refused=problem,
    )
    return replace(
        base.belief,
        ledger=base.ledger,
        lying=base.lying,
        weight=base.weight + best.weight + PRIOR_REFUSED,
        sightings=(*base.belief.sightings, sighting),
        last=base.last,
        waiting=Waiting(best.tiles, problem),
    )


def _wait_for_hand(base: Base, sight: Sight, seen: frozenset[Square]) -> Belief | None:
    """Part of a play that goes on under a hand: wait for the next picture."""
    if not seen or not open_ends(seen, base.lying, sight.view):
        return None
    best = layings(sight.view, seen, keep=1)[0]
    return replace(
        base.belief,
        ledger=base.ledger,
        lying=base.lying,
        weight=base.weight + best.weight + PRIOR_MORE_UNDER_HAND,
        sightings=(*base.belief.sightings, replace(base.sighting, status="covered")),
        last=base.last,
        waiting=Waiting(best.tiles),
    )
