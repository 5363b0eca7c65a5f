"""Plays that people must tell: refused tiles, and plays that nobody saw one by one.

What was told since a picture came after its tiles, so whatever they are is played before it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kibitz.engine.phrases import SquareName, Translatable, phrase
from kibitz.engine.record.ledger import PLAYS, Done, Entry, Ledger, Opening, fold, player_of
from kibitz.engine.rules import Change, Question, Refused
from kibitz.engine.table import UNKNOWN_BLANK, Axis, Square, Tile
from kibitz.engine.tracking.evidence.changes import SquareView, seen_tile
from kibitz.engine.tracking.evidence.hypotheses import (
    NORTH_TURN,
    Finding,
    Hypothesis,
    TableFacts,
    Waiting,
    name_of,
    rules_grid,
    text_rows,
)
from kibitz.engine.tracking.evidence.interpretation import orders_of, try_change, words_in
from kibitz.engine.tracking.evidence.loose_table import IT_COUNTS, TAKE_BACK
from kibitz.engine.tracking.explanations.letters import takes_an, tile_set_of, with_letters
from kibitz.engine.tracking.explanations.take_backs import last_play
from kibitz.engine.tracking.questions import Kind
from kibitz.engine.words.lexicon import AcceptAll


def refusal_question(refused: Refused) -> Question:
    """What is asked about tiles that the rules refuse; people allow a word, and nothing else."""
    allowed = (IT_COUNTS,) if refused.code == "not_a_word" else ()
    return Question(Kind.PLAY, refused.message, (TAKE_BACK, *allowed))


UNDER_WAY = "under_way"
"""Why tiles are refused that cannot be the first play: they are too many."""


def under_way(ledger: Ledger, count: int, facts: TableFacts) -> Translatable | None:
    """Question where a table's first tiles are more than one play has; else None."""
    if count <= facts.most_tiles or any(d.entry.action.kind in _LAYS for d in ledger.done):
        return None
    return phrase(
        "A game is under way: {count} tiles lie on the board. Start from here?", count=count
    )


def still_refused(hypothesis: Hypothesis, waiting: Waiting | None) -> Hypothesis:
    """A resumed game with its refused tiles, if the rules still refuse them.

    Args:
        hypothesis: the game.
        waiting: the tiles of the newest picture that were no play.
    """
    if waiting is None or waiting.refused is None or not hypothesis.findings:
        return hypothesis
    if not waiting.tiles.keys().isdisjoint(hypothesis.lying.tiles):
        return hypothesis
    newest = hypothesis.findings[-1]
    tried, problem = try_change(hypothesis.ledger, waiting.change, newest.photo)
    if tried is not None:
        return hypothesis  # the next picture shows them as the play that they are now
    refused = problem or waiting.refused
    shown = replace(
        newest,
        status="question",
        question=refusal_question(refused),
        refused=refused,
        not_laid=waiting.tiles,
    )
    findings = (*hypothesis.findings[:-1], shown)
    return replace(
        hypothesis, findings=findings, waiting=replace(waiting, refused=refused, anew=True)
    )


def looked_at_anew(hypothesis: Hypothesis) -> Hypothesis:
    """The same game with a newest picture that may be looked at again."""
    if hypothesis.waiting is None:
        return hypothesis
    return replace(hypothesis, waiting=replace(hypothesis.waiting, anew=True))


def told_since(ledger: Ledger, photo: int) -> tuple[Ledger, tuple[Entry, ...]]:
    """The game at the time of a picture, and what people told since."""
    at = next((i for i, d in enumerate(ledger.done) if d.entry.photo > photo), len(ledger.done))
    return replace(ledger, done=ledger.done[:at]), tuple(d.entry for d in ledger.done[at:])


def gone_on(ledger: Ledger, later: Iterable[Entry]) -> Ledger | Refused:
    """The game with what was told later, or the refusal of what no longer follows."""
    for entry in later:
        ledger, verdict = ledger.add(entry, again=True)
        if isinstance(verdict, Refused):
            message = phrase(
                "What was played later does not follow then: {why}", why=verdict.message
            )
            return Refused("later_plays", message, verdict.squares)
    return ledger


def played(
    hypothesis: Hypothesis,
    ledger: Ledger,
    tiles: Mapping[Square, str],
    turns: Mapping[Square, int],
) -> Hypothesis:
    """The game in which the newest picture's refused tiles are a play.

    Args:
        hypothesis: the game in which they wait.
        ledger: the game with the play.
        tiles: what they are.
        turns: the quarter turns of each, where they face a player.
    """
    lie = {s: replace(seen_tile(x), turn=turns.get(s, 0)) for s, x in tiles.items()}
    return as_plays(hypothesis, ledger, tiles, lie, (frozenset(tiles),))


def as_plays(
    hypothesis: Hypothesis,
    ledger: Ledger,
    laid: Mapping[Square, str],
    lie: Mapping[Square, Tile],
    plays: tuple[frozenset[Square], ...],
) -> Hypothesis:
    """The game in which the newest picture showed one or several plays.

    Args:
        hypothesis: the game in which the tiles wait.
        ledger: the game with the plays.
        laid: the tiles as text.
        lie: how they lie.
        plays: the squares of each play.
    """
    waiting = hypothesis.waiting
    views = {} if waiting is None else {s: (view,) for s, view in waiting.views.items()}
    told = replace(
        hypothesis.findings[-1],
        status="play" if len(plays) == 1 else "several",
        laid=dict(laid),
        plays=plays,
        question=None,
        refused=None,
        not_laid={},
    )
    lying = hypothesis.lying.with_tiles(lie)
    return replace(
        hypothesis,
        ledger=ledger,
        lying=lying,
        findings=(*hypothesis.findings[:-1], told),
        views={**hypothesis.views, **views},
        last=last_play(ledger, lying),
        waiting=None,
    )


# --- read wrongly ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Misread:
    """A tile with another letter that turns refused tiles into a play.

    `label` is what people choose it by; `game` the game with it.
    """

    label: str
    square: Square
    letter: str
    game: Hypothesis


def misread_tiles(hypothesis: Hypothesis, told: Collection[Square]) -> list[Misread]:
    """Tiles of an unknown word whose second reading makes a legal play.

    Args:
        hypothesis: the game in which it waits.
        told: tiles that people named.
    """
    waiting = hypothesis.waiting
    if waiting is None or waiting.refused is None or waiting.refused.code != "not_a_word":
        return []
    out = []
    for square in sorted(_in_words(hypothesis, waiting) - set(told)):
        new = square in waiting.tiles
        views = (waiting.views[square],) if new else hypothesis.views.get(square, ())
        now = waiting.tiles[square] if new else hypothesis.lying.tiles[square].text
        letter = second_reading(views, now)
        game = None if letter is None else _read_as(hypothesis, waiting, square, letter)
        if letter is not None and game is not None:
            name = SquareName(name_of(square, hypothesis.lying.rows))
            shown = tile_set_of(hypothesis).word_of(letter)
            label = (
                phrase("{square} is an {letter}", square=name, letter=shown)
                if takes_an(shown)
                else phrase("{square} is a {letter}", square=name, letter=shown)
            )
            out.append(Misread(label, square, letter, game))
    return out


def second_reading(views: Sequence[SquareView], letter: str) -> str | None:
    """Likeliest letter of a tile other than the recorded one; None if none is likely.

    None if they show nothing else: then many letters are left, and none outweighs the others.
    """
    if letter == UNKNOWN_BLANK or letter.islower():
        return None
    for view in reversed(views):
        others = {x: p for x, p in view.letters.items() if x != letter}
        second = max(others, key=lambda x: others[x], default=UNKNOWN_BLANK)
        if second != UNKNOWN_BLANK and 2 * others[second] > sum(others.values()):
            return second
    return None


def _in_words(hypothesis: Hypothesis, waiting: Waiting) -> set[Square]:
    """Squares of the words that the refused tiles form."""
    grid = hypothesis.lying.with_tiles({s: seen_tile(x) for s, x in waiting.tiles.items()})
    axes: tuple[Axis, Axis] = ("across", "down")
    runs: Iterator[tuple[Square, ...]] = (
        tuple(grid.run_through(s, axis).squares) for s in waiting.tiles for axis in axes
    )
    return {s for run in runs if len(run) > 1 for s in run}


def _read_as(
    hypothesis: Hypothesis, waiting: Waiting, square: Square, letter: str
) -> Hypothesis | None:
    """The game with another letter on a tile, if the refused tiles are then a play; else None."""
    change, tiles = waiting.change, dict(waiting.tiles)
    if square in tiles:
        tiles[square] = letter
        change, righted = replace(change, added={**change.added, square: letter}), hypothesis
    else:
        seen = hypothesis.views.get(square, ())
        shown = tuple(replace(v, letters={letter: 1.0}) for v in seen)
        found = with_letters(hypothesis, {square: letter})
        if found is None:
            return None
        righted = replace(found, views={**found.views, square: shown})
    photo = hypothesis.findings[-1].photo
    before, later = told_since(righted.ledger, photo)
    tried, _ = try_change(before, change, photo)
    ledger = None if tried is None else gone_on(tried.ledger, later)
    if ledger is None or isinstance(ledger, Refused):
        return None
    return played(righted, ledger, tiles, change.turned)


# --- several plays ---------------------------------------------------------------------------


GO_ON = "go on from this board"
"""The position counts as it lies, and nothing is scored for how it came about."""

_LAYS = PLAYS | {"set_position", "pass"}


@dataclass(frozen=True, slots=True)
class Missed:
    """New tiles of which people can say how they were played.

    Attributes:
        before: the game without them.
        tiles: their letters, `?` for a blank of which nobody told the letter.
        turns: the quarter turns of each, where they face a player.
        photo: the picture that showed them.
        later: what was done since.
    """

    before: Ledger
    tiles: Mapping[Square, str]
    turns: Mapping[Square, int]
    photo: int
    later: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Way:
    """Plays in an order that the rules accept.

    `label` is what people choose it by; `ledger` the game with them, with the words of it
    allowed that are not in the list.
    """

    plays: tuple[frozenset[Square], ...]
    label: str
    ledger: Ledger


def missed_at(ledger: Ledger, photo: int | None = None) -> Missed | None:
    """Tiles of a picture that took several plays or were taken as a position.

    Args:
        ledger: the game.
        photo: the number of the picture; without it the newest one of which that is so.
    """
    seen: dict[int, list[int]] = {}
    for index, done in enumerate(ledger.done):
        if not done.entry.told and photo in (None, done.entry.photo):
            seen.setdefault(done.entry.photo, []).append(index)
    for number in sorted(seen, reverse=True):
        kinds = [ledger.done[i].entry.action.kind for i in seen[number]]
        if "set_position" in kinds or sum(kind in PLAYS for kind in kinds) > 1:
            # tiles lifted or taken back before were seen so, whatever the plays are
            laid = [i for i, kind in zip(seen[number], kinds, strict=True) if kind in _LAYS]
            return _missed(ledger, number, laid)
    return None


def _missed(ledger: Ledger, photo: int, indices: Sequence[int]) -> Missed:
    first, last = indices[0], indices[-1]
    before = replace(ledger, done=ledger.done[:first])
    old = rules_grid(ledger.game, before.state).tiles
    new: dict[Square, Tile] = {}
    for index in indices:  # an explosion lifts tiles: the last board does not hold them all
        now = rules_grid(ledger.game, ledger.done[index].state).tiles
        new |= {s: t for s, t in now.items() if s not in old}
    facing = ledger.game.info.surface.facing
    tiles = {s: t.letter if facing and not _unnamed(t) else t.text for s, t in new.items()}
    turns = {s: t.turn for s, t in new.items()} if facing else {}
    later = tuple(d.entry for d in ledger.done[last + 1 :])
    return Missed(before, tiles, turns, photo, later)


def _unnamed(tile: Tile) -> bool:
    return tile.letter == UNKNOWN_BLANK


def ways_of(missed: Missed, facts: TableFacts) -> list[Way]:
    """Orders of plays that may have led to a position, likeliest first.

    Those with the fewest words outside the list.

    Args:
        missed: the new tiles.
        facts: what kind of table it is.
    """
    before = missed.before
    if found := _ways(missed, before, 2, facts):
        return _of_fewest([(way, _strange(before, way)) for way in found])
    opening = before.opening
    if len(missed.tiles) > facts.most_parted or opening.game.info.tile_by_tile:
        return []
    anything = replace(opening, materials=replace(opening.materials, lexicon=AcceptAll()))
    free, _ = fold(anything, [d.entry for d in before.done])
    return _of_fewest([_with_own_words(missed, way) for way in _ways(missed, free, 1, facts)])


def _of_fewest(ways: Sequence[tuple[Way, Sequence[str]]]) -> list[Way]:
    """The ways with the fewest unknown words, with those words."""
    least = min((len(words) for _, words in ways), default=0)
    return [way for way, words in ways if len(words) == least]


def _strange(before: Ledger, way: Way) -> list[str]:
    """Unknown words of a way."""
    is_word = before.opening.materials.is_word
    said = [w for done in way.ledger.done[len(before.done) :] for w in words_in(done.verdict)]
    return sorted({w for w in said if UNKNOWN_BLANK not in w and not is_word(w)})


def _ways(missed: Missed, before: Ledger, fewest: int, facts: TableFacts) -> list[Way]:
    def change_of(play: frozenset[Square]) -> Change | None:
        turned = {s: missed.turns[s] for s in play if s in missed.turns}
        if len(set(turned.values())) > 1:
            return None  # all tiles of a play face its player
        return Change(added={s: missed.tiles[s] for s in play}, turned=turned)

    lying, tiles = rules_grid(before.game, before.state), frozenset(missed.tiles)
    ways: dict[str, Way] = {}
    for order in orders_of(before, lying, tiles, change_of, missed.photo, facts, fewest):
        way = Way(order.plays, label_of(before, order.ledger), order.ledger)
        ways.setdefault(way.label, way)
    return list(ways.values())


def label_of(before: Ledger, after: Ledger) -> str:
    """Plays in order, each with its player and its main word or single tile."""
    parts = []
    for done in after.done[len(before.done) :]:
        name = _name_of(done)
        if name and done.entry.action.kind in PLAYS:
            player = done.entry.action.player or player_of(done)
            parts.append(f"{player}: {name}" if player else name)
    return ", ".join(parts)


def _name_of(done: Done) -> str:
    data = done.entry.action.data
    if "square" in data:  # a turn of this game is one tile, with or without a word
        return f"{data.get('letter')} {data['square']}"
    return next(iter(words_in(done.verdict)), "")


def _with_own_words(missed: Missed, way: Way) -> tuple[Way, list[str]]:
    """The way in the real game with its unknown words allowed, and those words."""
    before = missed.before
    new = way.ledger.done[len(before.done) :]
    strange = _strange(before, way)
    opening: Opening = before.opening.with_words(w.upper() for w in strange)
    ledger, _ = fold(opening, [d.entry for d in (*before.done, *new)])
    verb = "is" if len(strange) == 1 else "are"
    label = f"{way.label} ({', '.join(strange)} {verb} not in the list)" if strange else way.label
    return replace(way, label=label, ledger=ledger), strange


def with_choices(hypothesis: Hypothesis, finding: Finding, facts: TableFacts) -> Question | None:
    """The question about a picture's new tiles, with every possible answer."""
    question = finding.question
    if question is None or question.field not in (Kind.PLAYS, Kind.PLAY):
        return question
    waiting = question.field == Kind.PLAY
    missed = _of_waiting(hypothesis) if waiting else missed_at(hypothesis.ledger, finding.photo)
    if missed is None:
        return question
    ways = [way.label for way in ways_of(missed, facts)]
    now = label_of(missed.before, hypothesis.ledger)
    ways = sorted(ways, key=lambda label: label != now)
    ways = ways[: facts.priors.search.offered]  # as it counts now: first
    known = question.choices if waiting else ()  # orders are told anew, as `label_of` has them
    if IT_COUNTS in known:
        ways = [label for label in ways if label.count(": ") > 1]  # one play is `it counts`
    go_on = [GO_ON] if _position(hypothesis, missed) is not None else []
    if finding.refused is not None and finding.refused.code == UNDER_WAY:
        known, go_on = (*go_on, *known), []
    return replace(question, choices=(*ways, *known, *go_on))


def _of_waiting(hypothesis: Hypothesis) -> Missed | None:
    """The refused tiles that still lie there."""
    waiting = hypothesis.waiting
    if waiting is None or waiting.refused is None or "#" in waiting.tiles.values():
        return None
    facing = hypothesis.ledger.game.info.surface.facing
    turns = {s: _turn(v.turns) for s, v in waiting.views.items()} if facing else {}
    photo = hypothesis.findings[-1].photo
    before, later = told_since(hypothesis.ledger, photo)
    return Missed(before, waiting.tiles, turns, photo, later)


def _turn(turns: Sequence[float]) -> int:
    return NORTH_TURN if turns[NORTH_TURN] > turns[0] else 0


def _position(hypothesis: Hypothesis, missed: Missed) -> Ledger | None:
    """The game with the board taken as a position; None if the rules refuse it."""
    facing = bool(missed.turns)
    grid = rules_grid(missed.before.game, missed.before.state)
    new = {s: _tile(x, missed.turns.get(s, 0), facing=facing) for s, x in missed.tiles.items()}
    rows = text_rows(grid.with_tiles(new), facing=hypothesis.ledger.game.info.surface.facing)
    return missed.before.at_position(rows, missed.photo)


def _tile(letter: str, turn: int, *, facing: bool) -> Tile:
    if facing:
        return replace(seen_tile(letter), turn=turn)
    return Tile(letter.upper(), blank=letter == UNKNOWN_BLANK or letter.islower())


def told_plays(
    hypothesis: Hypothesis, value: str, facts: TableFacts, photo: int | None = None
) -> Hypothesis | Refused:
    """The game after people said which plays a picture showed.

    Args:
        hypothesis: the game as known.
        value: one of the choices that were asked.
        facts: what kind of table it is.
        photo: which picture; without it the newest that leaves this open.
    """
    missed = missed_at(hypothesis.ledger, photo)
    if missed is None:
        return Refused("unknown_question", "No plays wait to be told apart.")
    chosen = _chosen(hypothesis, missed, value, facts)
    if isinstance(chosen, Refused):
        return chosen
    plays, chosen_game = chosen
    ledger = gone_on(chosen_game, missed.later)
    if isinstance(ledger, Refused):
        return ledger
    findings = tuple(
        replace(s, status="several", plays=plays, question=None)
        if s.photo == missed.photo and s.laid
        else s
        for s in hypothesis.findings
    )
    last = last_play(ledger, hypothesis.lying)
    return replace(hypothesis, ledger=ledger, findings=findings, last=last)


def told_of_waiting(hypothesis: Hypothesis, value: str, facts: TableFacts) -> Hypothesis | Refused:
    """The game after people said what the refused tiles are."""
    missed, waiting = _of_waiting(hypothesis), hypothesis.waiting
    if missed is None or waiting is None:
        return Refused("unknown_question", "No refused tiles wait for an answer.")
    chosen = _chosen(hypothesis, missed, value, facts)
    if isinstance(chosen, Refused):
        return chosen
    plays, chosen_game = chosen
    ledger = gone_on(chosen_game, missed.later)
    if isinstance(ledger, Refused):
        return ledger
    facing = bool(missed.turns)
    lie = {s: _tile(x, missed.turns.get(s, 0), facing=facing) for s, x in waiting.tiles.items()}
    return as_plays(hypothesis, ledger, waiting.tiles, lie, plays)


def _chosen(
    hypothesis: Hypothesis, missed: Missed, value: str, facts: TableFacts
) -> tuple[tuple[frozenset[Square], ...], Ledger] | Refused:
    if value == GO_ON:
        position = _position(hypothesis, missed)
        if position is None:
            return Refused("position", "The rules cannot go on from this board.")
        return (), position
    ways = ways_of(missed, facts)
    for way in ways:
        if way.label == value:
            return way.plays, way.ledger
    known = "; ".join([*(way.label for way in ways[: facts.priors.search.offered]), GO_ON])
    return Refused("unknown_choice", f"Expected one of these: {known}.")
