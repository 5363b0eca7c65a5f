"""The positions that a photograph may start from: as it was, with a play gone, put right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kibitz.engine.record.ledger import Ledger, fold
from kibitz.engine.rules import Change
from kibitz.engine.table import Grid, Square, Tile, parse_square
from kibitz.engine.tracking.beliefs import Belief, LastPlay, Sighting
from kibitz.engine.tracking.changes import BoardView, fit, looks_like, turn_gain
from kibitz.engine.tracking.expected import rules_grid
from kibitz.engine.tracking.interpretation import seen_tile
from kibitz.engine.tracking.letters import with_letters
from kibitz.engine.tracking.sights import CLEAR, Base, Sight
from kibitz.engine.tracking.trial import missing_words, try_change

PRIOR_TAKEN_BACK = -3.0
PRIOR_WENT_ON = 4.0
"""Who reaches over the board at once after a play most likely goes on with it."""
PRIOR_OVERRULED = -1.0


def bases_of(belief: Belief, sight: Sight) -> list[Base]:
    """Every position from which new tiles may be looked for, the plainest first."""
    plain = _after_tasks(belief, sight)
    bases = [plain]
    if (back := _taken_back(plain, sight)) is not None:
        bases.append(back)
    if sight.how.soon and (more := _went_on(plain, sight)) is not None:
        bases.append(more)
    if (kept := _still_there(belief, sight)) is not None:
        bases.append(kept)
    if (righted := _put_right(belief, sight)) is not None:
        bases.append(righted)
    return bases


def _put_right(belief: Belief, sight: Sight) -> Base | None:
    """Tiles that this picture shows with another letter than the one recorded were misread."""
    letters = {}
    cost = 0.0
    for square, views in belief.views.items():
        tile, now = belief.lying.get(square), sight.view[square]
        if tile is None or now.hidden or now.tile < 0.5:
            continue
        other = seen_tile(now.best_letter())
        if other.text == looks_like(tile) or fit(now, other) < fit(now, tile) + CLEAR:
            continue
        # what the earlier pictures showed speaks against it just as much as it did for it
        earlier = sum(fit(view, other) - fit(view, tile) for view in views)
        if earlier + fit(now, other) - fit(now, tile) > -1.0:
            letters[square] = other.text
            cost += earlier
    if not letters or (changed := with_letters(belief, letters)) is None:
        return None
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
    stray = stray_card(belief, sight.view)
    cards = tuple(
        card for card in belief.cards if card & set(stray) or not _card_seen(card, sight.view)
    )
    was_last = belief.last is not None and set(removed) == set(belief.last.squares)
    status = "no_change"
    if removed or turned or len(cards) < len(belief.cards):
        status = "taken_back" if was_last and not turned else "task_done"
    sighting = Sighting(
        sight.photo,
        status,
        removed=tuple(removed),
        turned=tuple(turned),
        wrong_card=stray if cards and _is_news(belief, stray) else (),
    )
    grid = Grid(belief.lying.rows, belief.lying.cols, lying)
    last = None if was_last else belief.last
    weight = belief.weight + _agreement(grid, sight)
    ledger = _ticked_off(belief.ledger, removed, turned, sight.photo) if facing else belief.ledger
    return Base(replace(belief, cards=cards), ledger, grid, weight, sighting, last)


def _ticked_off(
    ledger: Ledger, removed: Iterable[Square], turned: Iterable[Square], photo: int
) -> Ledger:
    """The game after tiles were turned or lifted as an explosion wanted, in any order."""
    (tasks, *_) = ledger.game.view(ledger.state, None).get("open_tasks") or [{}]
    lift = tuple(s for s in removed if s.name in tasks.get("lift", ()))
    turn = {s: 0 for s in turned if s.name in tasks.get("turn", ())}
    if not lift and not turn:
        return ledger
    tried, _ = try_change(ledger, Change(removed=lift, turned=turn), photo)
    return tried.ledger if tried is not None else ledger


def open_tasks(base: Base) -> tuple[Square, ...]:
    """Squares where the rules want something turned or lifted that was not seen done yet."""
    rules, lying = rules_grid(base.ledger.game, base.ledger.state), base.lying
    both = sorted(set(rules.tiles) | set(lying.tiles))
    return tuple(s for s in both if not _same(lying.get(s), rules.get(s), facing=True))


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


def stray_card(belief: Belief, view: BoardView) -> tuple[Square, ...]:
    """A ship card that lies at least partly where no ship was sunk; nothing if none does."""
    if not belief.cards:
        return ()
    ships = {
        parse_square(str(name))
        for done in belief.ledger.done
        for event in done.events
        if event.kind == "ship_tile"
        for name in event.data["squares"]
    }
    for marker in view.markers:
        if not set(marker) <= ships:
            return tuple(sorted(marker))
    return ()


def _is_news(belief: Belief, stray: tuple[Square, ...]) -> bool:
    """A card that lies wrong is told once, not with every picture."""
    told = [s.wrong_card for s in belief.sightings if s.wrong_card]
    return bool(stray) and (not told or told[-1] != stray)


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
    early = _never_played(base.ledger, last) if sight.how.soon else None
    ledger, note = _ledger_without_last(base, last, sight.photo)
    if early is not None and note != "set-up":
        # taken up again as soon as it was told: it was still being tried, and costs no turn
        ledger = early
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
        clean, _ = before.with_entries(kept)
        return clean, "set-up"
    tried, _ = try_change(before, Change(removed=tuple(sorted(last.squares))), photo)
    if tried is not None and not _on_board(tried.ledger, last.squares):
        return tried.ledger, ""
    return before.taken_back(last.photo, photo), ""


def _went_on(base: Base, sight: Sight) -> Base | None:
    """The last play was told too early: what is new now belongs to it."""
    last = base.last
    if (
        last is None
        or base.sighting.removed
        or last.photo != sight.photo - 1
        or len(base.belief.sightings[last.photo].plays) != 1
        or not all(s in base.lying for s in last.squares)
    ):
        return None
    ledger = _never_played(base.ledger, last)
    if ledger is None:
        return None
    lying = base.lying.without(last.squares)
    agrees = sum(
        fit(sight.view[s], base.lying.tiles[s]) - fit(sight.view[s], None) for s in last.squares
    )
    weight = base.weight - agrees + PRIOR_WENT_ON
    belief = _told_early(base.belief, last)
    return Base(belief, ledger, lying, weight, base.sighting, None, last.squares)


def _never_played(ledger: Ledger, last: LastPlay) -> Ledger | None:
    """The ledger without the last play; None if something was told since that rests on it."""
    if any(done.entry.told for done in ledger.done[last.entry + 1 :]):
        return None
    kept = [d.entry for d in ledger.done if d.entry.told or d.entry.photo != last.photo]
    clean, problems = ledger.with_entries(kept)
    return None if problems else clean


def _told_early(belief: Belief, last: LastPlay) -> Belief:
    """The picture in which a play was told that was not complete yet showed none."""
    return _showed_no_play(belief, last, "covered", "incomplete")


def _forget_setup(belief: Belief, last: LastPlay) -> Belief:
    """Names or a test laid out before the game are no play."""
    return _showed_no_play(belief, last, "board_changed", "set-up")


def _showed_no_play(belief: Belief, last: LastPlay, status: str, note: str) -> Belief:
    """The sighting in which a play was seen, with the play taken out of it."""
    sightings = tuple(
        replace(s, status=status, laid={}, plays=(), note=note, question=None)
        if s.photo == last.photo
        else s
        for s in belief.sightings
    )
    return replace(belief, sightings=sightings)


def _was_judged(ledger: Ledger, last: LastPlay) -> bool:
    later = ledger.done[last.entry + 1 :]
    return any(done.entry.action.kind == "challenge" for done in later)


def _on_board(ledger: Ledger, squares: frozenset[Square]) -> bool:
    grid = rules_grid(ledger.game, ledger.state)
    return any(s in grid for s in squares)


def _still_there(belief: Belief, sight: Sight) -> Base | None:
    """A refused word that is still there counts: people went on without taking it off."""
    waiting = belief.waiting
    if waiting is None:
        return None
    new = {s: seen_tile(letter) for s, letter in waiting.tiles.items()}
    if any(fit(sight.view[s], t) < fit(sight.view[s], None) for s, t in new.items()):
        return None
    changed = overruled(belief)
    if changed is None:
        return None
    base = _after_tasks(changed, sight)
    return replace(base, weight=base.weight + PRIOR_OVERRULED)


def overruled(belief: Belief) -> Belief | None:
    """The refused word of the last picture, allowed by people; None if that is not what waits."""
    waiting = belief.waiting
    if waiting is None or waiting.refused is None or waiting.refused.code != "not_a_word":
        return None
    opening = belief.ledger.opening
    for word in missing_words(belief.ledger, belief.lying, waiting.tiles):
        opening = opening.with_word(word)
    ledger, _ = fold(opening, [d.entry for d in belief.ledger.done])
    photo = belief.sightings[-1].photo
    tried, _ = try_change(ledger, Change(added=dict(waiting.tiles)), photo)
    if tried is None:
        return None
    squares = frozenset(waiting.tiles)
    earlier = replace(
        belief.sightings[-1],
        status="play",
        laid=dict(waiting.tiles),
        plays=(squares,),
        question=None,
        refused=None,
        not_laid={},
    )
    new = {s: seen_tile(letter) for s, letter in waiting.tiles.items()}
    return replace(
        belief,
        ledger=tried.ledger,
        lying=belief.lying.with_tiles(new),
        sightings=(*belief.sightings[:-1], earlier),
        views={**belief.views, **{s: (view,) for s, view in waiting.views.items()}},
        last=LastPlay(squares, photo, len(tried.ledger.done) - 1),
        waiting=None,
    )
