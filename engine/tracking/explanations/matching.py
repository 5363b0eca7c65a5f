"""Explains a photograph of a board, given the expected position."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from kibitz.engine.board.connection import check_line, reached, touches
from kibitz.engine.phrases import SquareName, Translatable, counted, listed, phrase
from kibitz.engine.record.ledger import Ledger
from kibitz.engine.rules import Change, Question, Refused
from kibitz.engine.table import UNKNOWN_BLANK, Grid, Square, square_named
from kibitz.engine.tracking.evidence.changes import (
    differences,
    gains,
    log_turn,
    looks_like,
    new_letters,
    seen_tile,
)
from kibitz.engine.tracking.evidence.hypotheses import (
    NORTH_TURN,
    Expected,
    Finding,
    Hypothesis,
    LastPlay,
    Observation,
    Puzzle,
    Waiting,
    name_of,
)
from kibitz.engine.tracking.evidence.interpretation import (
    ANY_TILE,
    HIDDEN,
    Laying,
    best_stretches,
    certain_squares,
    ends_of,
    layings,
    open_ends,
    strange_words,
    strings_on,
    try_change,
)
from kibitz.engine.tracking.explanations.letters import letter_question, tile_set_of
from kibitz.engine.tracking.explanations.missed_plays import UNDER_WAY, refusal_question, under_way
from kibitz.engine.tracking.explanations.one_or_two import touched
from kibitz.engine.tracking.explanations.prediction import card_seen, lately_lifted, open_tasks
from kibitz.engine.tracking.explanations.take_backs import (
    CHALLENGED,
    base_of,
    challenged_late,
    letters_on,
)
from kibitz.engine.tracking.questions import Kind

HALF_LAID = frozenset(
    {"one_tile_first", "not_centre", "not_connected", "gap", "no_word"}
    | {"first_play_home_row", "opening_needs_star"}
)
"""Why tiles are refused that may be the first of a play."""
UNLIKELY = "unlikely"
"""Why tiles that the rules take are asked about first."""
MAYBE_NO_PLAY = phrase("Only tiles without a letter lie there anew. Is that a play?")
WHEREVER = frozenset(
    {"off_board", "occupied", "not_in_line", "gap", "not_connected", "not_centre"}
)
"""Why tiles are refused whatever letters they bear: for where they lie."""


def from_base(
    expected: Expected, observed: Observation, least: float
) -> tuple[list[Hypothesis], Puzzle | None]:
    """All explanations of a picture that start from a position, unordered.

    Args:
        expected: the position.
        observed: the picture.
        least: ways that weigh less need not be found.

    Returns:
        The ways, and new tiles that are no single play and may be several.
    """
    gain = gains(
        observed.view, expected.lying, _lasting(expected, observed), observed.priors.search
    )
    most = _most(expected, observed, gain)
    if expected.weight + sum(g for g in most.values() if g > 0) < least:
        return [], None
    if expected.clearing or expected.whole:
        only = [_put_away(expected)] if expected.clearing else None
        return only or _gone_on(expected, observed, gain, most, least), None
    seen = certain_squares(gain)
    if not any(g > 0 for g in gain.values()):
        return [_nothing_new(expected, observed, seen)], None
    out: list[Hypothesis] = []
    sets = [s for _, s in best_stretches(gain, expected.lying, limits=observed.priors.search)]
    if seen and seen not in sets:
        sets.append(seen)
    refused: Refused | None = None
    accepted: set[frozenset[Square]] = set()
    for squares in sets:
        # no letters agree better than tiles of any letter do, and every rule only takes away
        answered = not seen or seen in accepted or refused is not None
        if answered and expected.weight + sum(most[s] for s in squares) < least:
            continue
        # once what is seen makes a play, nobody asks why others are refused
        known = not seen or seen in accepted
        placed, problem = place(expected, observed, squares, least if known else -math.inf)
        placed = [x for b in placed for x in _or_no_play(b, expected, observed)]
        out += placed
        least = max([least, *(b.weight - observed.priors.search.worst_kept for b in placed)])
        if placed:
            accepted.add(squares)
        elif squares == seen or refused is None:
            refused = problem
    if expected.weight >= least:
        out.append(_nothing_new(expected, observed, seen))
    clear = frozenset(s for s in seen if gain[s] > observed.priors.plays.clear)
    puzzle = None
    if seen not in accepted and clear:
        best = weighed(expected, observed, seen)[0]
        out.append(_unresolved(expected, observed, best, refused))
        laid = _hanging_together(seen, clear, expected.lying)
        weight = expected.weight + weighed(expected, observed, laid)[0].weight
        puzzle = Puzzle(expected, laid, refused, weight)
    if (hands := _wait_for_hand(expected, observed, seen)) is not None:
        out.append(hands)
    return out, puzzle


def _or_no_play(
    play: Hypothesis, expected: Expected, observed: Observation
) -> tuple[Hypothesis, ...]:
    """The game, and if its new play is an unlikely one, that without it: people are asked.

    Tiles none of which shows a letter most likely were dropped, or lie face down.
    """
    laid = play.findings[-1].laid
    doubted = observed.how.live and set(laid.values()) == {UNKNOWN_BLANK}
    if not doubted or expected.ledger.game.info.tile_by_tile:
        return (play,)
    best = weighed(expected, observed, frozenset(laid))[0]
    none = _unresolved(expected, observed, best, Refused(UNLIKELY, MAYBE_NO_PLAY))
    return replace(play, weight=play.weight + observed.priors.plays.seldom), none


def _hanging_together(
    seen: frozenset[Square], clear: frozenset[Square], lying: Grid
) -> frozenset[Square]:
    """New tiles without faint ones that touch no other tile, as these are no play."""
    touching = (s for s in seen if touches(lying, (s,)))
    return frozenset(reached((*clear, *touching), seen))


def _most(
    expected: Expected, observed: Observation, gain: Mapping[Square, float]
) -> Mapping[Square, float]:
    """Upper bound of each square's gain; tiles that lie again as before count less."""
    out = dict(gain)
    for square in expected.finding.removed:
        if square in out and (old := expected.hypothesis.lying.get(square)) is not None:
            again, empty = looks_like(old), observed.view.fit(square, None)
            letters = new_letters(observed.view, square, observed.priors.search)
            likely = max(
                f + (observed.priors.plays.seldom if x == again else 0.0) for f, x in letters
            )
            out[square] = min(out[square], likely - empty)
    return out


def _gone_on(
    expected: Expected,
    observed: Observation,
    gain: Mapping[Square, float],
    most: Mapping[Square, float],
    least: float,
) -> list[Hypothesis]:
    """The play that was announced too early, with the tiles added since.

    Its own tiles may have changed places among themselves as well.

    Args:
        expected: the position without that play.
        observed: the picture.
        gain: what a new tile on each square says.
        most: what it can say at most (`_most`).
        least: plays that weigh less need not be found.
    """
    needed, limits = least - expected.weight, observed.priors.search
    sets = {s for _, s in best_stretches(gain, expected.lying, limits=limits, least=needed)}
    sets |= {frozenset(certain_squares(gain)), expected.whole}
    sets = {s for s in sets if s >= expected.whole and sum(most.get(x, 0.0) for x in s) >= needed}
    found = [b for s in sets for b in place(expected, observed, s, least)[0]]
    found = [b for b in found if _is_another(b, expected)]
    return [replace(b, findings=(*b.findings[:-1], _merged(b.findings[-1]))) for b in found]


def _is_another(found: Hypothesis, expected: Expected) -> bool:
    """True if a revised play has more tiles, or the same in another order."""
    laid, before = found.findings[-1].laid, expected.hypothesis.lying.tiles
    if len(laid) > len(expected.whole):
        return True
    old = {s: looks_like(before[s]) for s in laid if s in before}
    return laid != old and sorted(laid.values()) == sorted(old.values())


def _merged(finding: Finding) -> Finding:
    return replace(finding, merged=True)


def _lasting(expected: Expected, observed: Observation) -> dict[Square, float]:
    """Gains of squares that looked like tiles before without a known reason."""
    waiting = expected.hypothesis.waiting
    known = {
        *expected.finding.removed,
        *expected.whole,
        *(waiting.tiles if waiting is not None else ()),
    }
    if waiting is not None and observed.how.live:
        # what shows through beside a finger is no print on the board
        known |= ends_of(frozenset(waiting.tiles), expected.lying)
    out = {s: gain for s, gain in observed.lasting.items() if s not in known}
    for done in expected.ledger.done:
        for event in done.verdict.events:
            if event.kind == "ship_tile":
                # a strip just laid is easily taken for a tile; later it looks as it did before
                strip = frozenset(square_named(str(n)) for n in event.data["squares"])
                if observed.before is not None and card_seen(strip, observed.before):
                    continue
                for square in strip - known:
                    out[square] = max(out.get(square, 0.0), observed.priors.plays.most_lasting)
    return out


def _nothing_new(expected: Expected, observed: Observation, seen: frozenset[Square]) -> Hypothesis:
    """The hypothesis without new tiles: no change, a task done, or a change that is no play."""
    finding = expected.finding
    difference = differences(observed.view, expected.lying, turned=observed.facts.facing)
    vanished = [s for s, w in difference.vanished.items() if w > observed.priors.plays.clear]
    if observed.facts.facing and finding.status in ("no_change", "task_done"):
        finding = _wrong_step(expected, observed, vanished, difference.turned)
    if finding.status == "no_change":
        stray = expected.hypothesis.waiting
        if vanished:
            finding = replace(
                finding, status="board_changed", question=_disturbed(expected, observed, vanished)
            )
        elif observed.view.hidden_squares:
            finding = replace(finding, status="covered")
        elif finding.wrong_card:
            finding = replace(finding, status="board_changed")
        elif stray is not None and stray.refused is not None and not seen & set(stray.tiles):
            gone = tuple(sorted(stray.tiles))
            finding = replace(finding, status="taken_back", removed=gone)
    return replace(
        expected.hypothesis,
        ledger=expected.ledger,
        lying=expected.lying,
        weight=expected.weight,
        findings=(*expected.hypothesis.findings, finding),
        last=expected.last,
        waiting=None,
        clearing=frozenset(),
        touched=touched(expected.hypothesis.touched, frozenset(), expected.lying, observed),
    )


def _put_away(expected: Expected) -> Hypothesis:
    """The hypothesis for a board that is being cleared: nothing else counts."""
    return replace(
        expected.hypothesis,
        ledger=expected.ledger,
        lying=expected.lying,
        weight=expected.weight,
        findings=(*expected.hypothesis.findings, expected.finding),
        last=expected.last,
        waiting=None,
    )


def _wrong_step(
    expected: Expected,
    observed: Observation,
    vanished: list[Square],
    turned: Mapping[Square, float],
) -> Finding:
    """Finding about a tile lifted or turned against the rules."""
    finding = expected.finding
    wrong = [s for s, weight in turned.items() if weight > observed.priors.plays.clear]
    if vanished or not wrong:
        return (
            finding
            if not vanished
            else replace(finding, question=_disturbed(expected, observed, vanished))
        )
    prompt = counted(
        "The tile on {squares} should not be turned. Please turn it back.",
        "Tiles on {squares} should not be turned. Please turn them back.",
        len(wrong),
        squares=_named(wrong, expected.lying),
    )
    question = Question(Kind.BOARD_CHANGED, prompt, (phrase("turned back"), phrase("leave it")))
    return replace(finding, status="board_changed", question=question)


def _named(squares: Iterable[Square], grid: Grid) -> Translatable:
    return listed((SquareName(name_of(s, grid.rows)) for s in sorted(squares)), ", ")


def _disturbed(expected: Expected, observed: Observation, squares: list[Square]) -> Question:
    named = _named(squares, expected.lying)
    late = observed.facts.board is None and challenged_late(expected.ledger, squares)
    return Question(
        Kind.BOARD_CHANGED,
        phrase("The board was disturbed at {squares}. Please check.", squares=named),
        (phrase("put back"), phrase("moved"), *([CHALLENGED] if late else [])),
    )


def place(
    expected: Expected,
    observed: Observation,
    squares: frozenset[Square],
    least: float = -math.inf,
) -> tuple[list[Hypothesis], Refused | None]:
    """Likeliest letters on these squares that the rules accept as one play.

    Args:
        expected: the position before it.
        observed: the picture.
        squares: where its tiles lie.
        least: plays that weigh less need not be found, nor why they are refused.
    """
    left = _left(expected, observed)
    refused = None
    best: Hypothesis | None = None
    accepted: list[tuple[float, Laying]] = []
    asks = observed.how.live
    slack = observed.priors.letters.asked if asks else 0.0
    waited = expected.hypothesis.waiting
    prior = complete(squares, expected.lying, observed)
    if waited is not None and waited.refused is None and set(waited.tiles) == set(squares):
        prior += observed.priors.hands.complete
    before = expected.weight + prior
    for laying in _lettered(expected, observed, squares, left, least - slack - before):
        if "#" in laying.tiles.values():
            return [], Refused("covered", phrase("part of the play cannot be seen"))
        if before + laying.weight < max(least, -math.inf if best is None else best.weight) - slack:
            break  # words outside the list only make a laying less likely
        base = _base(expected, laying, observed)
        tried, problem = try_change(
            base, change_of(laying, observed), observed.photo, observed.priors.plays
        )
        if tried is None:
            refused = refused or problem
            if problem is not None and problem.code in WHEREVER:
                break
            continue
        weight = before + laying.weight + tried.weight
        accepted.append((weight, laying))
        if best is not None and weight <= best.weight:
            continue  # what lies again as before only takes away
        questions = tried.candidate.questions
        question = questions[0] if questions else None
        found = with_play(
            expected, observed, laying.tiles, (squares,), tried.ledger, weight, question=question
        )
        if best is None or found.weight > best.weight:
            best = found
    if asks and best is not None and best.findings[-1].question is None:
        tile_set = tile_set_of(expected.hypothesis)
        question = letter_question(accepted, expected.lying.rows, tile_set, observed.priors)
        shown = replace(best.findings[-1], question=question)
        best = replace(best, findings=(*best.findings[:-1], shown))
    return ([] if best is None else [best]), refused


def complete(squares: frozenset[Square], lying: Grid, observed: Observation) -> float:
    """Penalty of a play that may go on where a hand is (natural logs).

    Where no hand is in sight, a square that looks half hidden most likely is not.
    """
    priors, how, view = observed.priors, observed.how, observed.view
    least = priors.reading.maybe if how.live else HIDDEN
    ends = open_ends(squares, lying, view, least)
    if not ends:
        return 0.0
    if not how.live:
        return priors.hands.complete
    if how.hand or view.hidden_squares:
        return -priors.search.worst_kept
    return sum(math.log(1.0 - view[s].covered) for s in ends)


def _lettered(
    expected: Expected,
    observed: Observation,
    squares: frozenset[Square],
    left: Callable[[str], int] | None,
    least: float,
) -> list[Laying]:
    """Likeliest letters on some squares, and less likely ones that make known words.

    Of a long word several letters may be doubtful at once. Those that weigh less than `least`
    need not be found.
    """
    limits, plays = observed.priors.search, observed.priors.plays
    likely = weighed(expected, observed, squares, left=left, keep=limits.tried)
    if "#" in likely[0].tiles.values() or likely[0].weight < least:
        return likely
    if len(likely) < limits.tried:
        return likely  # these are all that there are
    ledger, strings = expected.ledger, strings_on(expected.lying, squares)
    strange = strange_words(ledger, strings, likely[0].tiles)
    if not strange or not all(strange_words(ledger, strings, x.tiles) for x in likely[1:]):
        return likely
    # words outside the list cost so much, whether they are refused or not
    cost = -min(plays.phony, plays.bad_word * strange)
    more = weighed(expected, observed, squares, left=left, keep=limits.looked_through, within=cost)
    chance = observed.priors.reading.chance
    known = [
        x
        for x in more
        if x.weight >= least
        and x not in likely
        and all(observed.view[s].letters.get(a, 0.0) > chance for s, a in x.tiles.items())
        and not strange_words(ledger, strings, x.tiles)
    ]
    return sorted([*likely, *known[: limits.tried]], key=lambda x: -x.weight)


def _base(expected: Expected, laying: Laying, observed: Observation) -> Ledger:
    """The game in which a play is laid; it may be the tiles taken up just before."""
    before = expected.hypothesis
    taken = letters_on(before.lying, expected.taken.squares) if expected.taken else {}
    letters = laying.tiles.values()
    return base_of(expected.ledger, taken, expected.taken, letters, observed, before.ledger)


def weighed(
    expected: Expected,
    observed: Observation,
    squares: frozenset[Square],
    *,
    left: Callable[[str], int] | None = None,
    keep: int = 1,
    within: float = math.inf,
) -> list[Laying]:
    """Likeliest letters on some squares; what always looked like a tile counts less."""
    lasting = _lasting(expected, observed)
    stale = sum(lasting.get(s, 0.0) for s in squares)
    limits, priors = observed.priors.search, observed.priors.plays
    found = layings(
        observed.view, squares, left=left, keep=keep, within=within, limits=limits, priors=priors
    )
    return [Laying(x.tiles, x.weight - stale, x.squares) for x in found]


def _left(expected: Expected, observed: Observation) -> Callable[[str], int] | None:
    counts = observed.facts.counts
    if counts is None:
        return None
    used: dict[str, int] = {}
    for tile in expected.lying.tiles.values():
        sign = "?" if tile.blank else tile.letter
        used[sign] = used.get(sign, 0) + 1
    return lambda letter: counts.get(letter, 0) - used.get(letter, 0)


def change_of(laying: Laying, observed: Observation) -> Change:
    """New tiles as a change for the rules, in Scrabble House with their facing."""
    colours = {s: observed.view[s].colour for s in laying.tiles}
    if not observed.facts.facing:
        return Change(added=dict(laying.tiles), colours=colours)
    turn = side_of(laying, observed)
    turned = dict.fromkeys(laying.tiles, turn)
    return Change(added=dict(laying.tiles), turned=turned, colours=colours)


def side_of(laying: Laying, observed: Observation) -> int:
    """0 if the tiles are upright for South, 2 for North; a play's tiles face its player."""
    south = north = 0.0
    for square, letter in laying.tiles.items():
        if letter != "?":
            turns = observed.view[square].turns
            south += log_turn(turns[0], observed.priors.reading)
            north += log_turn(turns[NORTH_TURN], observed.priors.reading)
    return NORTH_TURN if north > south else 0


def with_play(
    expected: Expected,
    observed: Observation,
    tiles: Mapping[Square, str],
    plays: tuple[frozenset[Square], ...],
    ledger: Ledger,
    weight: float,
    *,
    question: Question | None = None,
) -> Hypothesis:
    """The hypothesis after new tiles were taken as one or more plays."""
    hypothesis = expected.hypothesis
    turn = side_of(Laying(tiles, 0.0), observed) if observed.facts.facing else 0
    new = {s: seen_tile(x) for s, x in tiles.items()}
    if turn:
        new = {s: replace(t, turn=turn) for s, t in new.items()}
    stayed = _stayed(expected, tiles)
    weight += observed.priors.plays.seldom * _again(expected, tiles)
    views = {s: v for s, v in hypothesis.views.items() if s not in tiles}
    finding = replace(
        expected.finding,
        status="several" if len(plays) != 1 else "play",
        laid={s: x for s, x in tiles.items() if s not in stayed},
        plays=plays,
        removed=tuple(s for s in expected.finding.removed if s not in tiles),
        question=question,
        missed=open_tasks(expected) if observed.facts.facing else (),
        due_cards=_due_cards(hypothesis),
    )
    return replace(
        hypothesis,
        ledger=ledger,
        lying=expected.lying.with_tiles(new),
        weight=weight,
        findings=(*hypothesis.findings, finding),
        views=views,
        last=LastPlay(plays[-1], observed.photo, len(ledger.done) - 1) if plays else None,
        waiting=None,
        clearing=frozenset(),
        touched=touched(hypothesis.touched, plays[-1], expected.lying, observed) if plays else {},
    )


def _due_cards(hypothesis: Hypothesis) -> tuple[frozenset[Square], ...]:
    """Ship cards not laid yet; each is mentioned once, as tiles may cover it."""
    told = {card for finding in hypothesis.findings for card in finding.due_cards}
    return tuple(card for card in hypothesis.cards if card not in told)


def _stayed(expected: Expected, tiles: Mapping[Square, str]) -> set[Square]:
    """Tiles of a taken-off play that would lie there again exactly as before."""
    taken, before = expected.finding.removed, expected.hypothesis.lying
    same = (s for s in tiles if s in taken and s in before)
    return {s for s in same if looks_like(before.tiles[s]) == tiles[s]}


def _again(expected: Expected, tiles: Mapping[Square, str]) -> int:
    """Number of a play's tiles that lie exactly as tiles taken off or lifted before it."""
    lifted = lately_lifted(expected)
    same = sum(looks_like(lifted[s]) == x for s, x in tiles.items() if s in lifted)
    return len(_stayed(expected, tiles)) + same


def _prior_of(refused: Refused | None, observed: Observation) -> float:
    if refused is not None and refused.code == UNLIKELY:
        return 0.0
    if refused is not None and refused.code == "not_a_word":
        return observed.priors.plays.phony
    half = observed.how.live and refused is not None and refused.code in HALF_LAID
    return observed.priors.plays.phony if half else -observed.priors.search.worst_kept


def _unresolved(
    expected: Expected, observed: Observation, best: Laying, refused: Refused | None
) -> Hypothesis:
    """The hypothesis with refused tiles: nothing is recorded, people are asked."""
    seen = best.squares
    squares = tuple(sorted(seen))
    problem = refused or Refused("board_changed", phrase("These tiles are no play."), squares)
    if (begun := under_way(expected.ledger, len(seen), observed.facts)) is not None:
        problem = Refused(UNDER_WAY, begun, squares)
    waiting = expected.hypothesis.waiting
    still = 0 if waiting is None or waiting.anew else len(seen & set(waiting.tiles))
    finding = replace(
        expected.finding,
        status="question",
        question=refusal_question(problem),
        refused=problem,
        not_laid=best.tiles,
    )
    cost = _prior_of(refused, observed) + observed.priors.plays.bad_word * still
    cost += observed.priors.plays.seldom * _again(expected, best.tiles)
    views = {s: observed.view[s] for s in best.tiles}
    return replace(
        expected.hypothesis,
        ledger=expected.ledger,
        lying=expected.lying,
        weight=expected.weight + best.weight + cost,
        findings=(*expected.hypothesis.findings, finding),
        last=expected.last,
        waiting=Waiting(best.tiles, problem, views, cost, change_of(best, observed)),
    )


def _wait_for_hand(
    expected: Expected, observed: Observation, seen: frozenset[Square]
) -> Hypothesis | None:
    """The hypothesis that waits, as a play goes on under a hand; else None."""
    least = observed.priors.reading.maybe if observed.how.live else HIDDEN
    open_end = seen and open_ends(seen, expected.lying, observed.view, least)
    if not open_end or observed.how.last:
        return None
    best = weighed(expected, observed, seen)[0]
    hidden = {s: ANY_TILE for s, v in observed.view.squares.items() if v.covered > least}
    apart = check_line(expected.lying.with_tiles(hidden), seen) is not None
    # tiles that no play holds together are several, of which one goes on
    more = observed.priors.plays.seldom * (_again(expected, best.tiles) + apart)
    return replace(
        expected.hypothesis,
        ledger=expected.ledger,
        lying=expected.lying,
        weight=expected.weight + best.weight + observed.priors.hands.more_below + more,
        findings=(*expected.hypothesis.findings, replace(expected.finding, status="covered")),
        last=expected.last,
        waiting=Waiting(best.tiles),
    )
