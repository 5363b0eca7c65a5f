"""Plays that are taken up again: whose turn it is then, and what people are asked.

Who takes up the own play has the turn again; a play that was challenged off has cost it (CL-14,
SS-13). A picture shows only that the tiles are gone. What was told tells more: a challenge, or
where players press a clock, the press. Where it stays open the turn is given back, people are
asked once, and their answer puts all later turns right.

A board of which more than the last play is gone is being cleared. That is no take-back: the scores
stay as they are, people are asked once whether the game is over, and whatever goes after that says
nothing more. Who presses the button for the end first is understood as well: once the game is over
the board is only put away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from kibitz.engine.clock import moves_by_presses
from kibitz.engine.phrases import phrase
from kibitz.engine.record.ledger import (
    TAKES_OFF,
    Done,
    Entry,
    Ledger,
    board_of,
    is_taken_back,
    tiles_of,
)
from kibitz.engine.rules import Action, Change, JsonValue, Question, Refused
from kibitz.engine.table import Grid, Square, square_named
from kibitz.engine.telling import told_verdict
from kibitz.engine.tracking.evidence.changes import BoardView, SquareView, looks_like
from kibitz.engine.tracking.evidence.hypotheses import (
    Expected,
    Hypothesis,
    LastPlay,
    Observation,
    rules_grid,
)
from kibitz.engine.tracking.evidence.interpretation import try_change, words_in
from kibitz.engine.tracking.evidence.priors import TrackingPriors
from kibitz.engine.tracking.questions import Kind

WITHDRAWN, CHALLENGED = phrase("withdrawn"), phrase("challenged off")
"""What people may answer: the turn is given back, or it is spent."""


def without_last(
    ledger: Ledger, lying: Grid, last: LastPlay, observed: Observation
) -> tuple[Ledger, str]:
    """The game without the last play, and a note.

    At a table that is being watched the turn is given back unless people told otherwise. Of
    photographs only what stayed is known: the play was challenged off, and a board that is empty
    again had only set-up.

    Args:
        ledger: the game with the play.
        lying: what lies on the board with it.
        last: the play.
        observed: the picture that shows it gone.
    """
    photo, attended = observed.photo, observed.how.attended
    empty = not lying.without(last.squares).tiles
    if empty and not attended and not _was_judged(ledger, last):
        clean, _ = ledger.with_entries(_entries_without(ledger, last))
        return clean, "set-up"
    costs = ledger.game.info.taken_off_costs_turn
    if costs and attended:
        return _given_back(ledger, last, photo), ""
    tried, _ = try_change(ledger, Change(removed=tuple(sorted(last.squares))), photo)
    if tried is not None and not any(
        s in rules_grid(ledger.game, tried.ledger.state) for s in last.squares
    ):
        return tried.ledger, ""
    return ledger.taken_back(last.photo, photo, names_in(ledger, last)), ""


def _given_back(ledger: Ledger, last: LastPlay, photo: int) -> Ledger:
    """The game with the play taken up; whose turn follows is known or assumed.

    The play before one that was withdrawn is the newest again; so that one was not challenged off.
    """
    if open_ones(ledger)[-1:] == [ledger.newest]:
        ledger = closed(ledger)
    presses = presses_clock(ledger)
    spent = presses and pressed_since(ledger, last.entry)
    is_open = not presses and _may_be_challenged(ledger)
    data: dict[str, JsonValue] = {
        "photo": last.photo,
        "squares": names_in(ledger, last),
        "turn": "spent" if spent else "back",
    }
    if is_open:
        data["open"] = True
    after, _ = ledger.add(Entry(Action("take_back", data=data), photo))
    return after


def presses_clock(ledger: Ledger) -> bool:
    """True if the players of this game press a clock that is recorded, at each turn's end."""
    name, options = ledger.game.info.press_setting, ledger.opening.options
    return bool(name and options.get(name)) or moves_by_presses(options)


def pressed_since(ledger: Ledger, entry: int) -> bool:
    """True if a clock was pressed after an entry, given by its index."""
    return any(d.entry.action.kind == "press_clock" for d in ledger.done[entry + 1 :])


def _was_judged(ledger: Ledger, last: LastPlay) -> bool:
    later = ledger.done[last.entry + 1 :]
    return any(done.entry.action.kind == "challenge" for done in later)


def _may_be_challenged(ledger: Ledger) -> bool:
    """True if the rules allow a challenge of the play that lies there."""
    asked = Action("challenge", data={"verdict": "not_a_word"})
    return not isinstance(ledger.game.decide(ledger.state, asked), Refused)


def never_played(ledger: Ledger, last: LastPlay, board: int | None = None) -> Ledger | None:
    """The game without its last play; None if something told since depends on it.

    Args:
        ledger: the game.
        last: the play.
        board: which board of the game it lies on: what happens at another one rests on nothing
            there. None where the game has only one.
    """
    since = (d.entry for d in ledger.done[last.entry + 1 :])
    told = (entry for entry in since if entry.told and not entry.by_time)
    if any(board in (None, board_of(ledger.opening, entry.action)) for entry in told):
        return None
    clean, problems = ledger.with_entries(_entries_without(ledger, last))
    return None if problems else clean


def challenged_late(ledger: Ledger, squares: Collection[Square]) -> Ledger | None:
    """The game in which an earlier play was challenged off before the next one.

    Args:
        ledger: the game, in which it stands.
        squares: where tiles are gone; None comes back where they are not those of one such play,
            or where later ones do not hold without it.
    """
    entries = [d.entry for d in ledger.done]
    for at in range(len(entries) - 2, -1, -1):  # an older one on these squares came off already
        entry = entries[at]
        if entry.told or {square_named(name) for name in tiles_of(entry)} != set(squares):
            continue
        data = {"photo": entry.photo, "squares": list(tiles_of(entry)), "turn": "spent"}
        back = Entry(Action("take_back", data=data), entries[at + 1].photo)
        after, problems = ledger.with_entries([*entries[: at + 1], back, *entries[at + 1 :]])
        return None if problems else after
    return None


def last_play(ledger: Ledger, lying: Grid) -> LastPlay | None:
    """The newest play that a picture showed, while it may still be taken up.

    What people told since lies on no table. After a play that was withdrawn it is the one before;
    after one that was challenged off, or a board that was taken over as it lay, there is none.
    """
    withdrawn: list[Action] = []
    for index in range(len(ledger.done) - 1, -1, -1):
        entry = ledger.done[index].entry
        if entry.told or any(is_taken_back(entry, back) for back in withdrawn):
            continue
        if entry.action.kind == "take_back" and entry.action.data.get("turn") == "back":
            withdrawn.append(entry.action)
            continue
        if entry.action.kind in (*TAKES_OFF, "set_position"):
            return None
        squares = frozenset(square_named(name) for name in tiles_of(entry))
        if squares:
            lies = squares <= lying.tiles.keys()
            return LastPlay(squares, entry.photo, index) if lies else None
    return None


def plays_seen(ledger: Ledger) -> dict[int, tuple[frozenset[Square], ...]]:
    """Squares of each play that a picture showed, in order, by picture."""
    out: dict[int, tuple[frozenset[Square], ...]] = {}
    for done in ledger.done:
        squares = frozenset(square_named(name) for name in tiles_of(done.entry))
        if squares and not done.entry.told:
            out[done.entry.photo] = (*out.get(done.entry.photo, ()), squares)
    return out


def _lays(entry: Entry, last: LastPlay) -> bool:
    """True if an entry is the last play or a part of it."""
    if entry.told or entry.photo != last.photo:
        return False
    return any(square_named(name) in last.squares for name in tiles_of(entry))


def names_in(ledger: Ledger, last: LastPlay) -> list[str]:
    """Squares of the last play as its entries name them."""
    laid = (tiles_of(d.entry) for d in ledger.done if _lays(d.entry, last))
    return [name for tiles in laid for name in tiles]


def newest_part(ledger: Ledger, last: LastPlay) -> frozenset[Square]:
    """Squares of the last play's newest entry: of turns of a tile each, the last one."""
    for done in reversed(ledger.done):
        if _lays(done.entry, last):
            return last.squares & {square_named(name) for name in tiles_of(done.entry)}
    return last.squares


def _entries_without(ledger: Ledger, last: LastPlay) -> list[Entry]:
    """The game's entries without the last play and what was only taken from it.

    Another play that the same picture showed stays, and so does one taken up before it.
    """
    kept: list[Entry] = []
    for done in ledger.done:
        entry = done.entry
        if not _lays(entry, last):
            kept.append(entry)
            continue
        # that somebody passed was understood from this play
        while kept and kept[-1].action.kind == "pass" and _seen_in(kept[-1], last.photo):
            kept.pop()
    return kept


def _seen_in(entry: Entry, photo: int) -> bool:
    return entry.photo == photo and not entry.told


# --- laid elsewhere --------------------------------------------------------------------


def is_laid_anew(taken: Iterable[str], laid: Iterable[str]) -> bool:
    """True if tiles just laid are those taken up: a withdrawn play is laid again.

    Args:
        taken: the letters taken up, `?` for a blank.
        laid: the letters laid.
    """
    before, now = Counter(taken), Counter(laid)
    same = sum((before & now).values())
    return 2 * same >= max(1, sum(before.values()))


def base_of(
    ledger: Ledger, removed: Mapping[Square, str], last: LastPlay | None, letters: Iterable[str],
    observed: Observation, before: Ledger,
) -> Ledger:  # fmt: skip
    """The game in which new tiles are laid after some were taken up.

    Tiles that are taken up and laid elsewhere within one visit of the hand are one play; laid
    elsewhere later they show that they were withdrawn.

    Args:
        ledger: the game with the tiles taken up.
        removed: the tiles that this picture shows taken up, with their letters.
        last: the play that they were; None if none was.
        letters: the letters on the new tiles.
        observed: the picture.
        before: the game before the picture.
    """
    if not observed.how.attended:
        return ledger
    if last is not None and removed and set(removed) == set(last.squares):
        if is_laid_anew(removed.values(), letters):
            return never_played(before, last, observed.facts.board) or closed(ledger)
        return ledger
    newest = open_ones(ledger)[-1:]
    if newest and newest[0] is ledger.newest:
        taken = _letters_taken(ledger, newest[0])
        if is_laid_anew(taken, letters):
            return closed(ledger)
        players, people = ledger.opening.players, observed.priors.people
        mover = observed.seats.owner_of(observed.how.side, players, people)
        if mover is not None:  # whose hand laid the next play tells whose turn it was
            return closed(ledger, spent=mover != newest[0].verdict.result.get("player"))
    return ledger


def in_one_visit(ledger: Ledger, photo: int) -> Ledger:
    """The game in which a grown play may be the tiles taken up in the same picture.

    Args:
        ledger: the game with the whole play.
        photo: the picture that showed it.
    """
    for back, play in pairwise(ledger.done):
        if not (_seen_in(back.entry, photo) and _seen_in(play.entry, photo)):
            continue
        if back.entry.action.kind != "take_back":
            continue
        if is_laid_anew(_letters_taken(ledger, back), tiles_of(play.entry).values()):
            action = back.entry.action
            kept = [d.entry for d in ledger.done if not is_taken_back(d.entry, action)]
            clean, problems = ledger.with_entries([e for e in kept if e is not back.entry])
            return ledger if problems else clean
    return ledger


def _letters_taken(ledger: Ledger, back: Done) -> list[str]:
    """Letters of the play that an entry took off, `?` for a blank."""
    letters = [x for d in _plays_of(ledger, back) for x in tiles_of(d.entry).values()]
    return ["?" if str(x) == "?" or str(x).islower() else str(x) for x in letters]


def _plays_of(ledger: Ledger, back: Done) -> list[Done]:
    """Plays that an entry took off."""
    return [d for d in ledger.done if is_taken_back(d.entry, back.entry.action)]


def letters_on(lying: Grid, squares: Iterable[Square]) -> dict[Square, str]:
    """Letters that a reader sees on known tiles."""
    return {s: looks_like(lying.tiles[s]) for s in squares if s in lying}


# --- asked and answered ----------------------------------------------------------------


def open_ones(ledger: Ledger) -> list[Done]:
    """Take-backs of which it is open whether they were withdrawn or challenged."""
    return [
        d
        for d in ledger.done
        if d.entry.action.kind == "take_back" and d.entry.action.data.get("open")
    ]


def question_about(ledger: Ledger, back: Done) -> Question:
    """Question about a take-back."""
    player = back.verdict.result.get("player")
    words = [w for d in _plays_of(ledger, back) for w in words_in(d.verdict)]
    if words and player:
        prompt = phrase(
            "{word} of {player} was taken off the board. Withdrawn, or challenged off?",
            word=words[0],
            player=player,
        )
    else:
        prompt = phrase("The last play was taken off the board. Withdrawn, or challenged off?")
    return Question(Kind.TAKE_BACK, prompt, (WITHDRAWN, CHALLENGED))


def closed(ledger: Ledger, photo: int | None = None, *, spent: bool = False) -> Ledger:
    """The game with a take-back no longer open, by default the newest.

    Later entries are judged anew; where one no longer holds the game stays as it was.
    """
    after = decided(ledger, photo, spent=spent)
    return ledger if isinstance(after, Refused) else after


def decided(ledger: Ledger, photo: int | None, *, spent: bool) -> Ledger | Refused:
    """The game after a decision whether a play was withdrawn or challenged off.

    Args:
        ledger: the game.
        photo: the picture that showed the play gone; None for the newest that is open.
        spent: whether the turn is spent.
    """
    for done in reversed(open_ones(ledger)):
        if photo in (None, done.entry.photo):
            break
    else:
        return Refused("unknown_question", "No play that was taken off waits for an answer.")
    entries = [_closed(d.entry, spent=spent) if d is done else d.entry for d in ledger.done]
    after, problems = ledger.with_entries(entries)
    if problems:
        message = phrase("What came later does not follow then: {why}", why=problems[0].message)
        return Refused("later_plays", message, problems[0].squares)
    return after


def _closed(entry: Entry, *, spent: bool) -> Entry:
    data = {k: v for k, v in entry.action.data.items() if k != "open"}
    data["turn"] = "spent" if spent else "back"
    return entry.with_data(data)


def told_turn(ledger: Ledger, entry: Entry) -> Ledger | None:
    """The game with a told entry that is valid only if the last take-back cost the turn.

    A challenge of what was just taken off, or a player who passes although it is the other's
    turn, says so. None if nothing is open or it does not hold then either.
    """
    newest = open_ones(ledger)[-1:]
    if not newest:
        return None
    after = decided(ledger, None, spent=True)
    if isinstance(after, Refused):
        return None
    player, owner = entry.action.player, newest[0].verdict.result.get("player")
    if entry.action.kind == "challenge":
        # nobody challenges the own play, nor holds good what was taken off
        fits = player != owner and told_verdict(entry.action) is not True
        return after if fits and ledger.newest is newest[0] else None
    if player is None:
        return None
    more, verdict = after.add(entry)
    return None if isinstance(verdict, Refused) else more


# --- a board that is being cleared -----------------------------------------------------------


OVER, GOES_ON = phrase("the game is over"), phrase("it goes on")
"""What people may answer: the game ends with its scores, or the tiles are laid back."""

ASKED = Question(
    Kind.CLEARING, phrase("The board is being cleared: is the game over?"), (OVER, GOES_ON)
)


def cleared(expected: Expected, observed: Observation) -> Expected | None:
    """The position from which a picture shows a board being cleared; else None.

    Args:
        expected: the position as it was, with what the rules wanted done.
        observed: the picture.
    """
    if not observed.how.attended:
        return None
    # tiles on top that went first looked like a play taken back
    back = _put_back(expected.ledger, observed.photo)
    if back is not None:
        ledger, last = back
        lying = rules_grid(ledger.game, ledger.state)
        more = {s: t for s, t in lying.tiles.items() if s in last.squares}
        found = _of(expected, ledger, expected.lying.with_tiles(more), last, observed)
        if found is not None:
            return found
    return _of(expected, expected.ledger, expected.lying, expected.last, observed)


def _of(
    expected: Expected, ledger: Ledger, lying: Grid, last: LastPlay | None, observed: Observation
) -> Expected | None:
    over = bool(getattr(ledger.state, "over", False))
    gone = gone_from(lying, observed.view, observed.priors, expected.hypothesis.views)
    own = last.squares if last is not None else frozenset()
    others = set(gone) - own
    priors = observed.priors.people
    known = bool(expected.hypothesis.clearing)
    sure = own - _carded(own, observed)
    with_last = bool(sure) and sure <= set(gone) and bool(others)
    many = bool(others) and len(gone) >= priors.cleared_tiles
    many = many and challenged_late(ledger, gone) is None
    if not gone or not (over or known or with_last or many):
        return None
    if known and not over and not others:
        return None  # the others lie there again: this is the last play taken back
    asked = None if known or over else ASKED
    status = "board_changed" if asked is not None else "no_change"
    finding = replace(expected.finding, status=status, question=asked)
    prior = 0.0 if known or over else priors.cleared
    # tiles that a withdrawn play had are no longer weighed in what the picture agrees with
    again = sum(
        observed.view.fit(s, t) - observed.view.fit(s, None)
        for s, t in lying.tiles.items()
        if s not in expected.lying
    )
    return replace(
        expected,
        hypothesis=replace(expected.hypothesis, clearing=frozenset(gone)),
        ledger=ledger,
        lying=lying,
        weight=expected.weight + again + sum(gone.values()) + prior,
        finding=finding,
        last=last,
        clearing=True,
    )


def gone_from(
    lying: Grid,
    view: BoardView,
    priors: TrackingPriors,
    views: Mapping[Square, Sequence[SquareView]],
) -> Mapping[Square, float]:
    """Tiles that a picture clearly shows gone, with log likelihood ratios.

    A tile that no picture showed was never there, and cannot be gone.

    Args:
        lying: what is thought to lie on the board.
        view: the picture.
        priors: what speaks clearly.
        views: what earlier pictures showed of each tile, as far as that is known.
    """
    out = {}
    for square, tile in lying.tiles.items():
        seen = view[square]
        gone = view.fit(square, None) - view.fit(square, tile)
        before = views.get(square)
        was_seen = not before or any(v.shows_tile for v in before)
        if was_seen and gone > priors.plays.clear and seen.empty > seen.tile:
            out[square] = gone
    return out


def _carded(squares: frozenset[Square], observed: Observation) -> set[Square]:
    """Squares where a ship card shows, under which a tile may lie."""
    seen = {s: observed.view[s] for s in squares}
    return {s for s, q in seen.items() if q.marker > max(q.empty, q.tile, q.covered)}


def _put_back(ledger: Ledger, photo: int) -> tuple[Ledger, LastPlay] | None:
    """The game without the take-back of the previous picture; None if there was none."""
    if ledger.newest is None:
        return None
    newest = ledger.newest.entry
    if newest.told or newest.action.kind not in TAKES_OFF or newest.photo != photo - 1:
        return None
    entries = [d.entry for d in ledger.done if d is not ledger.newest]
    for index in range(len(entries) - 1, -1, -1):
        tiles = entries[index].action.data.get("tiles")
        if isinstance(tiles, Mapping) and not entries[index].told:
            break
    else:
        return None
    before, _ = ledger.with_entries(entries)
    old = rules_grid(ledger.game, ledger.done[-1].state).tiles
    now = rules_grid(before.game, before.state).tiles
    squares = frozenset(s for s in now if s not in old)
    return before, LastPlay(squares, entries[index].photo, index)


def gone_on(hypothesis: Hypothesis) -> Hypothesis:
    """The game continued with the tiles that are left."""
    lying = hypothesis.lying.without(hypothesis.clearing)
    return replace(hypothesis, lying=lying, clearing=frozenset())


def of_game_told(games: Sequence[Hypothesis], before: Ledger) -> list[Hypothesis]:
    """The meanings that belong to the announced game, if it is among them.

    A board that is being cleared says nothing new of the game that was played on it.

    Args:
        games: what the newest picture may mean, likeliest first.
        before: the game as it was told before it.
    """
    told = [h for h in games if h.clearing and h.ledger.done == before.done]
    game = (told or games)[0].ledger.done
    return [h for h in games if h.ledger.done == game]


def end_told(ledger: Ledger, value: str) -> Action | None:
    """The end that an answer stands for, with the present scores; else None.

    None where the game goes on, is over already, or has no such thing to tell: then nothing more
    is asked, and the record stays as it is.
    """
    kind = ledger.game.info.end_action
    over = bool(getattr(ledger.state, "over", False))
    return Action(kind) if value == OVER and kind is not None and not over else None
