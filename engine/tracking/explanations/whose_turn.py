"""Plays laid from another player's side: they count for the rules' player, and people are asked.

Who passes often tells nobody. The rules then put the next play down to who passed, though the
hand came from where somebody else sits. The game goes on as the rules have it until people say
who played; all later turns follow. Where a clock is pressed, or the tiles tell who laid them,
nothing is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from kibitz.engine.judging import unknown_choice
from kibitz.engine.phrases import phrase
from kibitz.engine.record.corrections import corrected
from kibitz.engine.record.ledger import Done, Entry, Ledger, player_of, tiles_of
from kibitz.engine.rules import Accepted, JsonValue, Question, Refused, Verdict
from kibitz.engine.tracking.evidence.hypotheses import Hypothesis, Observation
from kibitz.engine.tracking.evidence.interpretation import words_in
from kibitz.engine.tracking.explanations import one_or_two, take_backs
from kibitz.engine.tracking.questions import Kind

SHARED = phrase(
    "Several players lay from {player}'s side: whose turn it is follows the turns, not the hands."
)
"""Said once, when hands have contradicted the turns."""
_HAND = "hand"
"""At whose side the hand was, in a play's entry; `open` beside it until somebody has answered."""


def weigh_by_hand_side(found: Sequence[Hypothesis], observed: Observation) -> list[Hypothesis]:
    """The games weighed by whether the hand came from their player's side.

    Every game is weighed by it alike: one that gives a play to a player whose hand it was not
    must not be made up for by a later play. Where people are asked whose a play was, the hand may
    fit either answer.
    """
    how, people = observed.how, observed.priors.people
    if how.side is None:
        return list(found)
    answers: dict[tuple[int, ...], list[Ledger]] = {}
    players = found[0].ledger.opening.players
    says = {p: observed.seats.says(how.side, p, people) for p in players}
    out = []
    for game in found:
        hand = 0.0
        if game.findings[-1].status == "play":
            own = _mover(game.ledger, observed.photo)
            likeliest = own is not None and says[own] >= max(says.values())
            movers = set() if likeliest else _movers(game.ledger, observed.photo, answers)
            hand = max((says[p] for p in {own, *movers} if p is not None), default=0.0)
        out.append(replace(game, weight=game.weight + hand) if hand else game)
    return out


def _mover(ledger: Ledger, photo: int) -> str | None:
    """Player of a picture's play by the rules, if it is the newest."""
    newest = ledger.done[-1] if ledger.done else None
    if newest is None or newest.entry.photo != photo or newest.entry.told:
        return None
    return who_played(newest)


def _movers(ledger: Ledger, photo: int, answers: dict[tuple[int, ...], list[Ledger]]) -> set[str]:
    """Possible players of a picture's play: by the rules, and by possible answers.

    Args:
        ledger: the game with that play.
        photo: the picture's number.
        answers: what a game before the picture would be by each answer, by its entries; grows.
    """
    earlier = tuple(takewhile(lambda d: d.entry.photo != photo, ledger.done))
    before = tuple(map(id, earlier))
    if before not in answers:
        answers[before] = _answered(replace(ledger, done=earlier))
    fresh = [d.entry for d in ledger.done[len(earlier) :]]
    others = [
        game.with_entries([*(d.entry for d in game.done), *fresh]) for game in answers[before]
    ]
    games = [ledger, *(game for game, refused in others if not refused)]
    return {player for game in games if (player := _mover(game, photo)) is not None}


def _answered(ledger: Ledger) -> list[Ledger]:
    """Games in which each open play belongs to its other player."""
    others = (_played_by(ledger, d, str(d.entry.action.data[_HAND])) for d in open_ones(ledger))
    return [game for game in others if not isinstance(game, Refused)]


def marked(game: Hypothesis, observed: Observation) -> Hypothesis:
    """The game with its new play open if it was laid from another player's side.

    Args:
        game: what the picture may mean.
        observed: the picture.
    """
    ledger, seats, people = game.ledger, observed.seats, observed.priors.people
    owner = seats.owner_of(observed.how.side, ledger.opening.players, people)
    done = None if owner is None else _doubted(game, observed)
    if owner is None or done is None:
        return game
    player = str(who_played(done))
    if owner == player or not seats.knows(player):
        return game
    finding = game.findings[-1]
    if seats.says(observed.how.side, player, people) >= 0:  # whose hands come from there as well
        if seats.seen.get((player, str(observed.how.side))) != 1:
            return game
        finding = replace(finding, note=SHARED.filled(player=owner))
        return replace(game, findings=(*game.findings[:-1], finding))
    after = _with_data(ledger, done, {_HAND: owner, "open": str(Kind.WHOSE)})
    waiting = open_ones(after)
    if not waiting or isinstance(_played_by(after, waiting[-1], owner), Refused):
        return game
    if finding.question is None:
        finding = replace(finding, question=question_about(waiting[-1]))
    return replace(game, ledger=after, findings=(*game.findings[:-1], finding))


def _doubted(game: Hypothesis, observed: Observation) -> Done | None:
    """The only play of a picture, where just the hand shows who made it; else None.

    Nobody is asked while a turn is open already, nor once people said at this table that a player
    had reached over from another side.
    """
    ledger = game.ledger
    if not (observed.how.attended and ledger.game.info.takes_turns):
        return None
    if take_backs.presses_clock(ledger) or observed.seats.reaching or turns_open(ledger):
        return None
    laid = [d for d in ledger.done if d.entry.photo == observed.photo and tiles_of(d.entry)]
    alone = len(laid) == 1 and not laid[0].entry.told and game.findings[-1].status == "play"
    return laid[0] if alone else None


def who_played(done: Done) -> str | None:
    """Player of an entry, told or by the rules."""
    return done.entry.action.player or player_of(done)


def turns_open(ledger: Ledger) -> list[Done]:
    """Entries whose effect on the turns is still open."""
    return [*take_backs.open_ones(ledger), *one_or_two.open_ones(ledger), *open_ones(ledger)]


def votes_of(ledger: Ledger, hands: Mapping[int, str]) -> Counter[tuple[str, str]]:
    """Number of plays of each player from each side, as the game is known now.

    Only plays that were laid by themselves tell, and none from where it is open whose turn it is.

    Args:
        ledger: the game.
        hands: the side that the hand of each picture came from.
    """
    if not hands:
        return Counter()
    is_open = {id(d) for d in turns_open(ledger)}
    known = list(takewhile(lambda d: id(d) not in is_open, ledger.done))
    laid = [d for d in known if tiles_of(d.entry) and not d.entry.told]
    plays = Counter(d.entry.photo for d in laid)
    votes: Counter[tuple[str, str]] = Counter()
    for done in laid:
        player, side = who_played(done), hands.get(done.entry.photo)
        if player is not None and side is not None and plays[done.entry.photo] == 1:
            votes[player, side] += 1
    return votes


# --- asked and answered ----------------------------------------------------------------


def left_open(ledger: Ledger) -> Ledger:
    """The game without questions whose other answer contradicts later entries."""
    for back in take_backs.open_ones(ledger):
        if isinstance(take_backs.decided(ledger, back.entry.photo, spent=True), Refused):
            ledger = take_backs.closed(ledger, back.entry.photo)
    for done in open_ones(ledger):
        by_rules, other = question_about(done).choices
        if isinstance(decided(ledger, done.entry.photo, other), Refused):
            closed = decided(ledger, done.entry.photo, by_rules)
            ledger = ledger if isinstance(closed, Refused) else closed
    return ledger


def told(ledger: Ledger, entry: Entry) -> tuple[Ledger, Verdict]:
    """The game after something told; if it fits only a challenged play, that is settled."""
    after, verdict = ledger.add(entry)
    challenge = entry.action.kind == "challenge"
    if challenge or isinstance(verdict, Refused):
        put_right = take_backs.told_turn(ledger, entry)
        if put_right is not None:
            return put_right, Accepted(())
    return (after if entry.action.player is None else left_open(after)), verdict


def open_ones(ledger: Ledger) -> list[Done]:
    """Plays whose player is open."""
    actions = ((d, d.entry.action) for d in ledger.done)
    unsaid = [d for d, a in actions if a.data.get("open") == Kind.WHOSE and a.player is None]
    return [d for d in unsaid if d.entry.action.data.get(_HAND) != who_played(d)]


def reached_over(ledger: Ledger) -> bool:
    """True if people said that a player reached over from another side."""
    handed = [d for d in ledger.done if _HAND in d.entry.action.data]
    waiting = {id(d) for d in open_ones(ledger)} if handed else ()
    others = (d for d in handed if d.entry.action.data[_HAND] not in (None, who_played(d)))
    return any(id(d) not in waiting for d in others)


def question_about(done: Done) -> Question:
    """Question about a play's player; the one by the rules first."""
    owner, words = str(done.entry.action.data[_HAND]), words_in(done.verdict)
    if words:
        prompt = phrase(
            "{word} was laid from {player}'s side. Who played it?", word=words[0], player=owner
        )
    else:
        prompt = phrase("A tile was laid from {player}'s side. Who played it?", player=owner)
    return Question(Kind.WHOSE, prompt, (str(who_played(done)), owner))


def decided(ledger: Ledger, photo: int | None, value: str) -> Ledger | Refused:
    """The game after people said who made a play; later turns follow.

    Args:
        ledger: the game.
        photo: the picture that showed the play; None for the newest that is open.
        value: the player.
    """
    for done in reversed(open_ones(ledger)):
        if photo in (None, done.entry.photo):
            break
    else:
        return Refused("unknown_question", "No play waits for its player to be told.")
    choices = question_about(done).choices
    if value not in choices:
        return unknown_choice(value, choices)
    if value != choices[0]:
        return _played_by(ledger, done, value)
    return _with_data(ledger, done, {_HAND: done.entry.action.data[_HAND]})


def _played_by(ledger: Ledger, done: Done, player: str) -> Ledger | Refused:
    """The game in which another player made a play."""
    at = ledger.done.index(done)
    return corrected(_with_data(ledger, done, {}), {"entry": at, "player": player})


def _with_data(ledger: Ledger, done: Done, mark: dict[str, JsonValue]) -> Ledger:
    """The game with a play marked or unmarked, which is the same to the rules."""
    data = {k: v for k, v in done.entry.action.data.items() if k not in (_HAND, "open")}
    new = replace(done, entry=done.entry.with_data({**data, **mark}))
    return replace(ledger, done=tuple(new if d is done else d for d in ledger.done))
