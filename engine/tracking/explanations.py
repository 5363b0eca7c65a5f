"""What a photograph of a board may mean, given what is believed to lie there."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

from kibitz.engine.record.ledger import Ledger
from kibitz.engine.rules import Change, Question, Refused
from kibitz.engine.table import LOOK_ALIKE, Square, parse_square
from kibitz.engine.tracking.beliefs import Belief, LastPlay, Sighting, Waiting
from kibitz.engine.tracking.changes import differences, fit, looks_like
from kibitz.engine.tracking.expected import NORTH_TURN
from kibitz.engine.tracking.hypotheses import bases_of, open_tasks
from kibitz.engine.tracking.interpretation import (
    Laying,
    best_stretches,
    certain_squares,
    gains,
    layings,
    new_letters,
    open_ends,
    seen_tile,
)
from kibitz.engine.tracking.letters import DOUBT, letter_question
from kibitz.engine.tracking.loose_table import IT_COUNTS, TAKE_BACK
from kibitz.engine.tracking.sights import CLEAR, WORST_KEPT, Base, Puzzle, Sight
from kibitz.engine.tracking.trial import try_change

PRIOR_MORE_UNDER_HAND = -0.7
PRIOR_COMPLETE_AT_HAND = -1.5
PRIOR_WAITED_FOR_NOTHING = -2.0
PRIOR_REFUSED = -12.0
PRIOR_HALF_LAID = -4.5
"""In a film a play is often seen before it is complete, and is none then."""
HALF_LAID = frozenset(
    {"one_tile_first", "not_centre", "not_connected", "gap", "no_word", "first_play_home_row"}
)
"""Why tiles are refused that may be the first of a play."""
WHEREVER = frozenset(
    {"off_board", "occupied", "not_in_line", "gap", "not_connected", "not_centre"}
)
"""Why tiles are refused whatever letters they bear: for where they lie."""
PRIOR_STILL_REFUSED = -2.5
"""For each tile that was refused in the last picture already and still lies there."""
PRIOR_PHONY = -4.0
"""Words outside the list are laid more often than tiles are laid at random."""
LIKE_A_CARD = 6.0
PRIOR_LAID_AGAIN = -3.0
"""For each tile that would have been taken off and laid again on the same square."""


def explain(
    belief: Belief, sight: Sight, least: float = -math.inf
) -> tuple[list[Belief], list[Puzzle]]:
    """Every way in which a photograph may go on from a belief, in no order.

    Args:
        belief: what is believed so far.
        sight: the photograph.
        least: ways that weigh less need not be found.

    Returns:
        The ways, and new tiles that are no single play and may be several (`app.many_plays`).
    """
    out: list[Belief] = []
    puzzles: list[Puzzle] = []
    for base in bases_of(belief, sight):
        found, puzzle = _from_base(base, sight, least)
        out += found
        least = max([least, *(b.weight + WORST_KEPT for b in found)])
        if puzzle is not None:
            puzzles.append(puzzle)
    return out, puzzles


def _from_base(base: Base, sight: Sight, least: float) -> tuple[list[Belief], Puzzle | None]:
    gain = gains(sight.view, base.lying, _lasting(base, sight))
    most = _most(base, sight, gain)
    if base.weight + sum(g for g in most.values() if g > 0) < least:
        return [], None
    if base.whole:
        return _gone_on(base, sight, gain), None
    seen = certain_squares(gain)
    if not any(g > 0 for g in gain.values()):
        return [_nothing_new(base, sight, seen)], None
    out: list[Belief] = []
    sets = [s for _, s in best_stretches(gain, base.lying, most_tiles=45)]
    if seen and seen not in sets:
        sets.append(seen)
    refused: Refused | None = None
    accepted: set[frozenset[Square]] = set()
    for squares in sets:
        # no letters agree better than tiles of any letter do, and every rule only takes away
        answered = not seen or seen in accepted or refused is not None
        if answered and base.weight + sum(most[s] for s in squares) < least:
            continue
        placed, problem = place(base, sight, squares)
        out += placed
        least = max([least, *(b.weight + WORST_KEPT for b in placed)])
        if placed:
            accepted.add(squares)
        elif squares == seen or refused is None:
            refused = problem
    if base.weight >= least:
        out.append(_nothing_new(base, sight, seen))
    clear = frozenset(s for s in seen if gain[s] > CLEAR)
    puzzle = None
    if seen not in accepted and clear:
        best = weighed(base, sight, seen)[0]
        out.append(_unresolved(base, sight, best, refused))
        puzzle = Puzzle(base, seen, refused, base.weight + best.weight)
    if (hands := _wait_for_hand(base, sight, seen)) is not None:
        out.append(hands)
    return out, puzzle


def _most(base: Base, sight: Sight, gain: Mapping[Square, float]) -> Mapping[Square, float]:
    """What a new tile on each square can say at most: one that lies again as before says less."""
    out = dict(gain)
    for square in base.sighting.removed:
        if square in out and (old := base.belief.lying.get(square)) is not None:
            again, empty = looks_like(old), fit(sight.view[square], None)
            letters = new_letters(sight.view, square)
            likely = max(f + (PRIOR_LAID_AGAIN if x == again else 0.0) for f, x in letters)
            out[square] = min(out[square], likely - empty)
    return out


def _gone_on(base: Base, sight: Sight, gain: Mapping[Square, float]) -> list[Belief]:
    """The play that was told too early, with the tiles that were laid to it since."""
    sets = {s for _, s in best_stretches(gain, base.lying, most_tiles=45)}
    sets.add(frozenset(certain_squares(gain)))
    return [b for s in sets if s > base.whole for b in place(base, sight, s)[0]]


def _lasting(base: Base, sight: Sight) -> dict[Square, float]:
    """What looked like a tile before, save where one lay or was waited for; and ship cards."""
    waiting = base.belief.waiting
    known = {*base.sighting.removed, *(waiting.tiles if waiting is not None else ())}
    out = {s: gain for s, gain in sight.lasting.items() if s not in known}
    for done in base.ledger.done:
        for event in done.events:
            if event.kind == "ship_tile":
                # a strip just laid is easily taken for a tile; later it looks as it did before
                for square in {parse_square(str(n)) for n in event.data["squares"]} - sight.carded:
                    out[square] = max(out.get(square, 0.0), LIKE_A_CARD)
    return out


def _nothing_new(base: Base, sight: Sight, seen: frozenset[Square]) -> Belief:
    """No new tile: nothing changed, a task was done, or what changed is no play."""
    sighting = base.sighting
    difference = differences(sight.view, base.lying, turned=sight.facts.facing)
    vanished = [s for s, w in difference.vanished.items() if w > CLEAR]
    if sight.facts.facing and sighting.status in ("no_change", "task_done"):
        sighting = _wrong_step(base, sighting, vanished, difference.turned)
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


def _wrong_step(
    base: Base, sighting: Sighting, vanished: list[Square], turned: Mapping[Square, float]
) -> Sighting:
    """A tile lifted or turned that no explosion wanted lifted or turned is pointed out."""
    wrong = [
        s
        for s, weight in turned.items()
        if weight > CLEAR and base.lying.tiles[s].letter not in LOOK_ALIKE
    ]
    if vanished or not wrong:
        return sighting if not vanished else replace(sighting, question=_disturbed(vanished))
    names = ", ".join(s.name for s in sorted(wrong))
    tiles = "The tile" if len(wrong) == 1 else "Tiles"
    them = "it" if len(wrong) == 1 else "them"
    prompt = f"{tiles} on {names} should not be turned. Please turn {them} back."
    question = Question("board_changed", prompt, ("turned back", "leave it"))
    return replace(sighting, status="board_changed", question=question)


def _disturbed(squares: list[Square]) -> Question:
    names = ", ".join(s.name for s in sorted(squares))
    return Question(
        "board_changed",
        f"The board was disturbed at {names}. Please check.",
        ("put back", "moved"),
    )


def place(
    base: Base, sight: Sight, squares: frozenset[Square]
) -> tuple[list[Belief], Refused | None]:
    """The likeliest letters on these squares that the rules accept as one play."""
    left = _left(base, sight)
    refused = None
    best: Belief | None = None
    accepted: list[tuple[float, Laying]] = []
    asks = sight.how.live and not sight.facts.facing
    waited = base.belief.waiting
    prior = PRIOR_COMPLETE_AT_HAND if open_ends(squares, base.lying, sight.view) else 0.0
    if waited is not None and waited.refused is None and set(waited.tiles) == set(squares):
        prior += PRIOR_WAITED_FOR_NOTHING
    for laying in weighed(base, sight, squares, left=left, keep=8):
        if "#" in laying.tiles.values():
            return [], Refused("covered", "part of the play cannot be seen")
        slack = DOUBT if asks else 0.0
        if best is not None and base.weight + laying.weight + prior < best.weight - slack:
            break  # words outside the list only make a laying less likely
        tried, problem = try_change(base.ledger, change_of(laying, sight), sight.photo)
        if tried is None:
            refused = refused or problem
            if problem is not None and problem.code in WHEREVER:
                break
            continue
        weight = base.weight + laying.weight + tried.weight + prior
        accepted.append((weight, laying))
        questions = tried.candidate.questions
        question = questions[0] if questions else None
        found = with_play(
            base, sight, laying.tiles, (squares,), tried.ledger, weight, question=question
        )
        if best is None or found.weight > best.weight:
            best = found
    if asks and best is not None and best.sightings[-1].question is None:
        question = letter_question(accepted, base.lying.rows)
        shown = replace(best.sightings[-1], question=question)
        best = replace(best, sightings=(*best.sightings[:-1], shown))
    return ([] if best is None else [best]), refused


def weighed(
    base: Base,
    sight: Sight,
    squares: frozenset[Square],
    *,
    left: Callable[[str], int] | None = None,
    keep: int = 1,
) -> list[Laying]:
    """The likeliest letters on some squares; what always looked like a tile weighs less."""
    lasting = _lasting(base, sight)
    stale = sum(lasting.get(s, 0.0) for s in squares)
    found = layings(sight.view, squares, left=left, keep=keep)
    return [Laying(x.tiles, x.weight - stale, x.squares) for x in found]


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
    """New tiles as the rules are told of them, in Scrabble House with the way they face."""
    colours = {s: sight.view[s].colour for s in laying.tiles}
    if not sight.facts.facing:
        return Change(added=dict(laying.tiles), colours=colours)
    turn = side_of(laying, sight)
    turned = dict.fromkeys(laying.tiles, turn)
    return Change(added=dict(laying.tiles), turned=turned, colours=colours)


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
    stayed = _stayed(base, tiles)
    weight += PRIOR_LAID_AGAIN * len(stayed)
    views = {s: v for s, v in belief.views.items() if s not in tiles}
    sighting = replace(
        base.sighting,
        status="several" if len(plays) != 1 else "play",
        laid={s: x for s, x in tiles.items() if s not in stayed},
        plays=plays,
        removed=tuple(s for s in base.sighting.removed if s not in tiles),
        question=question,
        missed=open_tasks(base) if sight.facts.facing else (),
        due_cards=_due_cards(belief),
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


def _due_cards(belief: Belief) -> tuple[frozenset[Square], ...]:
    """Ship cards that do not lie yet; each is mentioned once: under tiles none can be seen."""
    told = {card for sighting in belief.sightings for card in sighting.due_cards}
    return tuple(card for card in belief.cards if card not in told)


def _stayed(base: Base, tiles: Mapping[Square, str]) -> set[Square]:
    """Tiles of a play that was taken off which would lie there again just as before."""
    taken, before = base.sighting.removed, base.belief.lying
    same = (s for s in tiles if s in taken and s in before)
    return {s for s in same if looks_like(before.tiles[s]) == tiles[s]}


def _prior_of(refused: Refused | None, sight: Sight) -> float:
    if refused is not None and refused.code == "not_a_word":
        return PRIOR_PHONY
    half = sight.how.live and refused is not None and refused.code in HALF_LAID
    return PRIOR_HALF_LAID if half else PRIOR_REFUSED


def _unresolved(base: Base, sight: Sight, best: Laying, refused: Refused | None) -> Belief:
    """New tiles that the rules do not accept: nothing is recorded, people are asked."""
    seen = best.squares
    problem = refused or Refused("board_changed", "These tiles are no play.", tuple(sorted(seen)))
    waiting = base.belief.waiting
    still = len(seen & set(waiting.tiles)) if waiting is not None else 0
    sighting = replace(
        base.sighting,
        status="question",
        question=Question("play", problem.message, (TAKE_BACK, IT_COUNTS)),
        refused=problem,
        not_laid=best.tiles,
    )
    cost = _prior_of(refused, sight) + PRIOR_STILL_REFUSED * still
    cost += PRIOR_LAID_AGAIN * len(_stayed(base, best.tiles))
    views = {s: sight.view[s] for s in best.tiles}
    return replace(
        base.belief,
        ledger=base.ledger,
        lying=base.lying,
        weight=base.weight + best.weight + cost,
        sightings=(*base.belief.sightings, sighting),
        last=base.last,
        waiting=Waiting(best.tiles, problem, views, cost),
    )


def _wait_for_hand(base: Base, sight: Sight, seen: frozenset[Square]) -> Belief | None:
    """Part of a play that goes on under a hand: wait for the next picture."""
    if not seen or not open_ends(seen, base.lying, sight.view):
        return None
    best = weighed(base, sight, seen)[0]
    again = PRIOR_LAID_AGAIN * len(_stayed(base, best.tiles))
    return replace(
        base.belief,
        ledger=base.ledger,
        lying=base.lying,
        weight=base.weight + best.weight + PRIOR_MORE_UNDER_HAND + again,
        sightings=(*base.belief.sightings, replace(base.sighting, status="covered")),
        last=base.last,
        waiting=Waiting(best.tiles),
    )
