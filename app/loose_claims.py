"""Claims that were seen but not told: what a new row of tiles was made of, and what it spells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from app.ledger import Ledger
from app.loose_table import SeenWord
from engine.rules import Action, Change, Question, Refused
from engine.table import UNKNOWN_BLANK

IT_COUNTS = "it counts"
TAKE_BACK = "take it back"


@dataclass(frozen=True, slots=True)
class SeenClaim:
    """What a row of tiles that nobody spoke of may be.

    Attributes:
        action: the claim that the rules accept, or None.
        question: what the speaker is asked instead.
        refused: why the likeliest claim does not hold.
        offered: the claim that `it counts` would make.
    """

    action: Action | None = None
    question: Question | None = None
    refused: Refused | None = None
    offered: Action | None = None

    @property
    def offered_or_made(self) -> Action | None:
        """The claim that holds, or would hold if people say so."""
        return self.action or self.offered


def seen_claim(ledger: Ledger, word: SeenWord, player: str) -> SeenClaim:
    """What a row of tiles before a player was made of, by the rules and the tiles face up."""
    refused: Refused | None = None
    offered: Action | None = None
    for action, question in _ways(ledger, word, player):
        if question is not None:
            return SeenClaim(None, question, None, action)
        verdict = ledger.game.decide(ledger.state, action)
        if not isinstance(verdict, Refused):
            return SeenClaim(action)
        if refused is None:
            refused, offered = verdict, action
    if refused is None:
        return SeenClaim()
    prompt = f"{player} laid {word.text}: {refused.message}"
    question = Question("claim", prompt, (TAKE_BACK, IT_COUNTS))
    return SeenClaim(None, question, refused, offered)


def _ways(ledger: Ledger, word: SeenWord, player: str) -> Iterator[tuple[Action, Question | None]]:
    """Steals before new words: whoever takes a word in takes it whole (GS-10)."""
    view = ledger.game.view(ledger.state, None)
    tiles = Counter(word.text)
    pool = Counter(str(view["pool"]))
    taken: list[tuple[str, int] | None] = [
        (owner, i) for owner, held in view["tiles"].items() for i, _ in enumerate(held)
    ]
    for old in (*taken, None):
        words = {p: list(held) for p, held in view["tiles"].items()}
        stolen = Counter(words[old[0]].pop(old[1])) if old is not None else Counter()
        rest = tiles - stolen
        if stolen - tiles or rest - pool or not rest:
            continue
        words[player].append(word.text)
        left = "".join(sorted((pool - rest).elements()))
        rows = {p: tuple(held) for p, held in words.items()}
        change = Change(pool=left, face_down=int(view["face_down"]), words=rows)
        for candidate in ledger.game.interpret(ledger.state, change):
            claims = [a for a in candidate.actions if a.kind == "claim"]
            if claims:
                asked = candidate.questions[0] if candidate.questions else None
                yield claims[0], asked
                break


def named(action: Action, word: str) -> Action:
    """A claim with the word that people say it spells."""
    return Action(action.kind, action.player, None, {**action.data, "word": word.upper()})


def overruled(action: Action) -> Action:
    """A claim that people let stand although the roots are the same (GS-12)."""
    return Action(action.kind, action.player, None, {**action.data, "override": True})


def with_tiles(claim: Action, text: str) -> Action:
    """A told claim with its tiles as they were seen, if they spell it with blanks."""
    word = str(claim.data.get("word", "")).upper()
    if UNKNOWN_BLANK not in text or not spells(text, word):
        return claim
    return Action(claim.kind, claim.player, claim.at, {**claim.data, "tiles": text})


def spells(text: str, word: str) -> bool:
    """Whether tiles, `?` a blank, spell a word."""
    return len(text) == len(word) and all(
        a in (UNKNOWN_BLANK, b) for a, b in zip(text, word, strict=True)
    )
