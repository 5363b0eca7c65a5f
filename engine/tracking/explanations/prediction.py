"""Positions that a photograph may start from: unchanged, with a play gone, corrected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import takewhile

from kibitz.engine.record.ledger import Done, Entry, Ledger, fold, player_of, public_view
from kibitz.engine.rules import Action, Change, Refused
from kibitz.engine.table import LOOK_ALIKE, Grid, Square, Tile, square_named
from kibitz.engine.tracking.evidence.changes import (
    BoardView,
    fit,
    looks_like,
    seen_tile,
    turn_gain,
)
from kibitz.engine.tracking.evidence.hypotheses import (
    Expected,
    Finding,
    Hypothesis,
    LastPlay,
    Observation,
    rules_grid,
)
from kibitz.engine.tracking.evidence.interpretation import (
    has_strange_word,
    try_change,
    word_weight,
)
from kibitz.engine.tracking.explanations.letters import ways_to_known_words, with_letters
from kibitz.engine.tracking.explanations.missed_plays import gone_on, played, told_since
from kibitz.engine.tracking.explanations.one_or_two import prior_of_one
from kibitz.engine.tracking.explanations.take_backs import (
    cleared,
    last_play,
    never_played,
    newest_part,
    open_ones,
    question_about,
    without_last,
)


def put_right(hypothesis: Hypothesis, observed: Observation) -> Expected | None:
    """The position with tiles corrected that this picture shows with another letter."""
    letters = {}
    cost = 0.0
    view, priors = observed.view, observed.priors
    for square, views in hypothesis.views.items():
        tile, now = hypothesis.lying.get(square), view[square]
        if tile is None or not now.shows_tile:
            continue
        other = seen_tile(now.best_letter())
        if looks_like(other) == looks_like(tile):
            continue
        lead = view.fit(square, other) - view.fit(square, tile)
        if lead < priors.plays.clear:
            continue
        # what the earlier pictures showed speaks against it just as much as it did for it
        earlier = sum(fit(v, other, priors.reading) - fit(v, tile, priors.reading) for v in views)
        if earlier + lead > 0:
            letters[square] = other.text
            cost += earlier
    if not letters or (changed := with_letters(hypothesis, letters)) is None:
        return None
    expected = after_tasks(changed, observed)
    return replace(expected, weight=expected.weight + cost)


def _strangely_turned(expected: Expected, observed: Observation) -> bool:
    """True if a tile is clearly turned without the rules wanting it."""
    priors, tiles = observed.priors, expected.lying.tiles.items()
    return observed.facts.facing and any(
        turn_gain(observed.view[s], t, priors.reading) > priors.plays.clear for s, t in tiles
    )


def done_for_a_word(
    hypothesis: Hypothesis, plain: Expected, observed: Observation
) -> Iterator[Expected]:
    """Yield positions after a task that turns an unknown word into a known one.

    Who does what an explosion asks for has read the word that made it.
    """
    if cleared(plain, observed) is None and not _strangely_turned(plain, observed):
        return
    now = observed.view
    open_ = {s for s, t in hypothesis.lying.tiles.items() if now[s].letters.keys() - {t.text}}
    told = hypothesis.lying.tiles.keys() - {s for s in open_ if now[s].shows_tile}
    worse = observed.priors.search.worst_kept
    for letters, changed, says in ways_to_known_words(hypothesis, told, worse, observed.priors):
        expected = after_tasks(changed, observed)
        if not expected.finding.removed and not expected.finding.turned:
            continue
        # one more picture of the same tiles is no further witness
        old = hypothesis.lying.tiles
        again = sum(now.fit(s, seen_tile(x)) - now.fit(s, old[s]) for s, x in letters.items())
        yield replace(expected, weight=expected.weight + says - again)


def stands_unsaid(hypothesis: Hypothesis, observed: Observation) -> Expected | None:
    """The position in which a play that waited stands, since what follows from it was done.

    Whoever turns or lifts tiles for an explosion has nothing against the words that made it; a
    word that the list lacks was rather read wrongly (`done_for_a_word`).
    """
    ledger = hypothesis.ledger
    play = ledger.done[hypothesis.last.entry] if hypothesis.last is not None else None
    if play is None or has_strange_word(play.verdict, ledger.opening.materials):
        return None
    action = Action("accept", player_of(play))
    after, verdict = ledger.add(Entry(action, observed.photo))
    if isinstance(verdict, Refused):
        return None
    if rules_grid(after.game, after.state) == rules_grid(ledger.game, ledger.state):
        return None
    expected = after_tasks(replace(hypothesis, ledger=after), observed)
    return expected if expected.finding.removed or expected.finding.turned else None


def after_tasks(hypothesis: Hypothesis, observed: Observation) -> Expected:
    """The position with tiles turned or lifted as the rules want and the picture shows."""
    rules = rules_grid(hypothesis.ledger.game, hypothesis.state)
    facing = observed.facts.facing
    lying = dict(hypothesis.lying.tiles)
    removed: list[Square] = []
    turned: list[Square] = []
    for square in sorted(set(lying) | set(rules.tiles)):
        old, new = lying.get(square), rules.get(square)
        view = observed.view[square]
        if _same(old, new, facing=facing) or view.hidden:
            continue  # under a hand it may be done or not
        if (
            facing
            and old is not None
            and new is None
            and turn_gain(view, old, observed.priors.reading) > observed.priors.plays.clear
        ):
            # turned first and lifted later: an exploded tile may be seen on its way
            turned.append(square)
            lying[square] = old = replace(old, turn=(old.turn + 2) % 4)
        agrees = partial(observed.view.fit, square, turned=facing)
        if agrees(new) <= agrees(old):
            continue
        if new is None:
            removed.append(square)
            del lying[square]
        else:
            if old is not None:
                turned.append(square)
            lying[square] = new
    stray = stray_card(hypothesis, observed.view)
    cards = tuple(
        card
        for card in hypothesis.cards
        if card & set(stray) or not card_seen(card, observed.view)
    )
    was_last = hypothesis.last is not None and set(removed) == set(hypothesis.last.squares)
    status = "no_change"
    if removed or turned or len(cards) < len(hypothesis.cards):
        status = "taken_back" if was_last and not turned else "task_done"
    finding = Finding(
        observed.photo,
        status,
        removed=tuple(removed),
        turned=tuple(turned),
        wrong_card=stray if cards and _is_news(hypothesis, stray) else (),
    )
    grid = Grid(hypothesis.lying.rows, hypothesis.lying.cols, lying)
    last = None if was_last else hypothesis.last
    weight = hypothesis.weight + _agreement(grid, observed)
    ledger = (
        _ticked_off(hypothesis.ledger, removed, turned, observed.photo)
        if facing
        else hypothesis.ledger
    )
    return Expected(replace(hypothesis, cards=cards), ledger, grid, weight, finding, last)


def _ticked_off(
    ledger: Ledger, removed: Iterable[Square], turned: Iterable[Square], photo: int
) -> Ledger:
    """The game after tiles were turned or lifted for an explosion, in any order."""
    (tasks, *_) = public_view(ledger.game, ledger.state).get("open_tasks") or [{}]
    lift = tuple(s for s in removed if s.name in tasks.get("lift", ()))
    turn = {s: 0 for s in turned if s.name in tasks.get("turn", ())}
    if not lift and not turn:
        return ledger
    tried, _ = try_change(ledger, Change(removed=lift, turned=turn), photo)
    return tried.ledger if tried is not None else ledger


def laid_back(expected: Expected, observed: Observation) -> Expected | None:
    """The position with lifted tiles back in their places, which undoes that task."""
    back, gain = {}, 0.0
    for square, tile in lately_lifted(expected).items():
        lies = observed.view.fit(square, tile, turned=True) - observed.view.fit(square, None)
        if lies > observed.priors.plays.clear:
            back[square], gain = tile, gain + lies
    if not back:
        return None
    tidied = _newest_tidied(expected.ledger)

    def without_them(entry: Entry) -> Entry | None:
        if not any(entry is e for e in tidied):
            return entry
        left = [s.name for s in _lifted(entry) if s not in back]
        data = {**entry.action.data, "lifted": left}
        none_left = not left and not data.get("turned")
        return None if none_left else entry.with_data(data)

    ledger, refused = expected.ledger.rewritten(without_them)
    if refused:
        return None
    lying = expected.lying.with_tiles(back)
    weight = expected.weight + gain + observed.priors.plays.seldom
    return replace(expected, ledger=ledger, lying=lying, weight=weight)


def lately_lifted(expected: Expected) -> dict[Square, Tile]:
    """Tiles lifted since the last play as the rules wanted, as they lay."""
    ledger = expected.ledger
    lifted = {s for entry in _newest_tidied(ledger) for s in _lifted(entry)}
    squares = lifted - set(expected.lying.tiles)
    if not squares:
        return {}
    states = [*(d.state for d in reversed(ledger.done)), ledger.start]
    out = {}
    for square in squares:
        grids = (rules_grid(ledger.game, state) for state in states)
        tile = next((grid.tiles[square] for grid in grids if square in grid), None)
        if tile is not None:
            out[square] = tile
    return out


def _newest_tidied(ledger: Ledger) -> list[Entry]:
    """Entries since the last play that turned or lifted tiles of this board."""
    own = (d.entry for d in reversed(ledger.done) if not d.entry.told)
    return list(takewhile(lambda entry: entry.action.kind == "tidy", own))


def _lifted(entry: Entry) -> list[Square]:
    """Tiles lifted after an explosion."""
    return [square_named(str(name)) for name in entry.action.data.get("lifted", ())]


def _squares_of(ledger: Ledger, kind: str) -> set[Square]:
    """Squares of all events of a kind."""
    return {
        square_named(str(name))
        for done in ledger.done
        for event in done.verdict.events
        if event.kind == kind
        for name in event.data["squares"]
    }


def open_tasks(expected: Expected) -> tuple[Square, ...]:
    """Squares with tasks that were not done yet, as far as that can be seen.

    A letter that looks alike both ways round may have been turned, and what the rules never turned
    was only read so.
    """
    rules, lying = rules_grid(expected.ledger.game, expected.ledger.state), expected.lying
    both = sorted(set(rules.tiles) | set(lying.tiles))
    turned = _squares_of(expected.ledger, "rotated")
    plain = {s for s in turned if (tile := lying.get(s)) and tile.letter not in LOOK_ALIKE}
    return tuple(s for s in both if not _same(lying.get(s), rules.get(s), facing=s in plain))


def _agreement(grid: Grid, observed: Observation) -> float:
    """Log likelihood ratio of the tiles against an empty board.

    Every line of hypothesis is measured against the same empty board, so they can be compared.
    Which way a letter lies that looks alike both ways round, each picture guesses anew; over
    many pictures such guesses would outweigh a play.
    """
    view, facing = observed.view, observed.facts.facing
    return sum(
        view.fit(s, t, turned=facing and t.letter not in LOOK_ALIKE) - view.fit(s, None)
        for s, t in grid.tiles.items()
    )


def _same(old: Tile | None, new: Tile | None, *, facing: bool) -> bool:
    if old is None or new is None:
        return old is new
    return not facing or old.turn == new.turn


def stray_card(hypothesis: Hypothesis, view: BoardView) -> tuple[Square, ...]:
    """Squares of a ship card that lies where no ship was sunk; empty without one."""
    if not hypothesis.cards:
        return ()
    ships = _squares_of(hypothesis.ledger, "ship_tile")
    for marker in view.markers:
        if not set(marker) <= ships:
            return tuple(sorted(marker))
    return ()


def _is_news(hypothesis: Hypothesis, stray: tuple[Square, ...]) -> bool:
    """True if this misplaced card was not reported yet."""
    told = [s.wrong_card for s in hypothesis.findings if s.wrong_card]
    return bool(stray) and (not told or told[-1] != stray)


def card_seen(card: frozenset[Square], view: BoardView) -> bool:
    """True if a ship card lies on its squares, as far as no tiles lie on them."""
    if any(card == set(marker) for marker in view.markers):
        return True
    bare = [view[s].marker for s in card if not view[s].shows_tile]
    return bool(bare) and sum(bare) / len(bare) > 0.5


def taken_back(expected: Expected, observed: Observation) -> Iterator[Expected]:
    """Yield positions with the last play taken off, or of turns of a tile each the newest."""
    for last in _taken_up(expected):
        if (back := _taken_back(expected, last, observed)) is not None:
            yield back


def _taken_up(expected: Expected) -> list[LastPlay]:
    """Plays that may be taken up: the last, and of turns of a tile each the newest."""
    last = expected.last
    if last is None or not all(s in expected.lying for s in last.squares):
        return []
    newest = newest_part(expected.ledger, last)
    return [last] if newest == last.squares else [last, replace(last, squares=newest)]


def _taken_back(expected: Expected, last: LastPlay, observed: Observation) -> Expected | None:
    """The position with the last play taken off, if the picture supports it at all."""
    if observed.how.attended and getattr(expected.ledger.state, "over", False):
        return None  # the game is over, and the board is put away
    lead, speaks = 0.0, False
    for square in last.squares:
        tile, view = expected.lying.tiles[square], observed.view[square]
        here = observed.view.fit(square, tile)
        gone = observed.view.fit(square, None) - here
        lead += gone
        # a tile with another letter may stand where the old one was taken off
        other = seen_tile(view.best_letter()) if view.letters else None
        clear = observed.priors.plays.clear
        differs = other is not None and observed.view.fit(square, other) - clear > here
        speaks = speaks or gone > 0 or differs
    if not speaks:
        return None
    ledger, note = without_last(expected.ledger, expected.lying, last, observed)
    lying = expected.lying.without(last.squares)
    hypothesis = expected.hypothesis
    if note == "set-up":
        hypothesis = _forget_setup(hypothesis, last)
    asked = _new_open(expected, ledger)
    finding = replace(
        expected.finding,
        status="taken_back",
        removed=tuple(sorted({*expected.finding.removed, *last.squares})),
        note=note,
        question=question_about(ledger, asked[-1]) if asked else None,
    )
    return Expected(
        hypothesis,
        ledger,
        lying,
        expected.weight
        + lead
        + observed.priors.plays.seldom
        - _odd_words(expected, last, observed),
        finding,
        last_play(ledger, lying),
        taken=last,
    )


def _odd_words(expected: Expected, last: LastPlay, observed: Observation) -> float:
    """Penalty of a play's unknown words, which vanishes when it is taken up."""
    ledger, at = expected.ledger, last.entry
    before, after = (replace(ledger, done=ledger.done[:n]) for n in (at, at + 1))
    return word_weight(before, after, observed.priors.plays)


def _new_open(expected: Expected, ledger: Ledger) -> list[Done]:
    """Take-backs that only this picture leaves open."""
    return open_ones(ledger)[len(open_ones(expected.ledger)) :]


def went_on(expected: Expected, observed: Observation) -> Expected | None:
    """The position without the last play, which was announced before it was complete."""
    prior = prior_of_one(expected, observed)
    last, findings = expected.last, expected.hypothesis.findings
    if (
        prior is None
        or last is None
        or expected.finding.removed
        or any(f.status != "no_change" for f in findings[last.photo + 1 :])
        or len(findings[last.photo].plays) != 1
        or not all(s in expected.lying for s in last.squares)
    ):
        return None
    ledger = never_played(expected.ledger, last, observed.facts.board)
    if ledger is None:
        return None
    lying = expected.lying.without(last.squares)
    agrees = sum(
        observed.view.fit(s, expected.lying.tiles[s]) - observed.view.fit(s, None)
        for s in last.squares
    )
    weight = expected.weight - agrees + prior
    hypothesis = _told_early(expected.hypothesis, last)
    return Expected(hypothesis, ledger, lying, weight, expected.finding, None, last.squares)


def _told_early(hypothesis: Hypothesis, last: LastPlay) -> Hypothesis:
    """The hypothesis without the play that a picture announced before it was complete."""
    return _showed_no_play(hypothesis, last, "covered", "incomplete")


def _forget_setup(hypothesis: Hypothesis, last: LastPlay) -> Hypothesis:
    """The hypothesis without names or tests laid out before the game."""
    return _showed_no_play(hypothesis, last, "board_changed", "set-up")


def _showed_no_play(hypothesis: Hypothesis, last: LastPlay, status: str, note: str) -> Hypothesis:
    """The finding with its play taken out of it."""
    findings = tuple(
        replace(s, status=status, laid={}, plays=(), note=note, question=None)
        if s.photo == last.photo
        else s
        for s in hypothesis.findings
    )
    return replace(hypothesis, findings=findings)


def still_there(hypothesis: Hypothesis, observed: Observation) -> Expected | None:
    """The position in which a refused word counts, as people played on without removing it."""
    waiting = hypothesis.waiting
    if waiting is None or waiting.anew:
        return None
    new = {s: seen_tile(letter) for s, letter in waiting.tiles.items()}
    if any(observed.view.fit(s, t) < observed.view.fit(s, None) for s, t in new.items()):
        return None
    changed = overruled(hypothesis)
    if changed is None:
        return None
    expected = after_tasks(changed, observed)
    return replace(expected, weight=expected.weight + observed.priors.plays.overruled)


def overruled(hypothesis: Hypothesis) -> Hypothesis | None:
    """The game with the last picture's refused word allowed by people; None if there is none."""
    waiting = hypothesis.waiting
    if waiting is None or waiting.refused is None or waiting.refused.code != "not_a_word":
        return None
    photo, change = hypothesis.findings[-1].photo, waiting.change
    ledger, later = told_since(hypothesis.ledger, photo)
    _, refused = try_change(ledger, change, photo)
    # the rules name the words as their player reads them
    words = refused.result.get("bad_words", ()) if refused is not None else ()
    ledger, _ = fold(ledger.opening.with_words(words), [d.entry for d in ledger.done])
    tried, _ = try_change(ledger, change, photo)
    after = None if tried is None else gone_on(tried.ledger, later)
    if after is None or isinstance(after, Refused):
        return None
    return played(hypothesis, after, waiting.tiles, change.turned)
