"""Judges calls: words from the pool, steals, and joined words (rules GS-5 to GS-18)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kibitz.engine.games.grabscrab.spelling import Spelled, fits_word, spell_from_pool, spell_steal
from kibitz.engine.games.grabscrab.state import GrabState, HeldWord
from kibitz.engine.phrases import Numeral, listed, phrase
from kibitz.engine.rules import Event, JsonValue, Refused
from kibitz.engine.words.roots import same_root

Owned = tuple[str, HeldWord]
"""A word and the player before whom it lies."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A call as a player made it.

    Attributes:
        old: the words to be taken, the one stolen first, each with its owner where told.
        owner: whose word is taken, where that was told without the word.
        tiles: the tiles as they were laid, `?` a blank; empty where nobody said.
        same_root: what people say of the roots; None leaves it to the test.
    """

    player: str
    word: str
    old: tuple[tuple[str, str | None], ...] = ()
    joined: bool = False
    tiles: str = ""
    same_root: bool | None = None
    at: float | None = None
    owner: str | None = None


def read_claim(
    state: GrabState, player: JsonValue, data: Mapping[str, JsonValue], at: float | None
) -> Claim | Refused:
    """Parse a claim: `word`, and for a steal `steal` and `from_player`."""
    if player not in state.players:
        known = ", ".join(state.players)
        return Refused(
            "unknown_player", f"Expected the player who called, {known}; got {player!r}."
        )
    called = data.get("word")
    if not isinstance(called, str) or not called.strip():
        return Refused("bad_action", f"Expected the word that was called, got {called!r}.")
    owner = data.get("from_player")
    if owner is not None and owner not in state.players:
        return Refused("unknown_player", f"There is no player {owner!r} to steal from.")
    tiles_in = state.materials.tile_set.tiles_in
    word = tiles_in(called.strip())
    also = data.get("also") or ()
    old: list[tuple[str, str | None]] = []
    if data.get("steal"):
        old.append((tiles_in(str(data["steal"])), owner))
    for entry in also if isinstance(also, (list, tuple)) else (also,):
        taken = _joined_word(entry)
        if taken is None:
            return Refused("bad_action", f"Expected a word to be joined, got {entry!r}.")
        old.append((tiles_in(taken[0]), taken[1]))
    tiles = tiles_in(str(data.get("tiles") or ""))
    if tiles and not fits_word(tiles, word):
        return Refused("bad_action", f"Expected the tiles of {called}, got {data['tiles']!r:.60}.")
    same_root = data.get("same_root")
    same = (
        same_root
        if isinstance(same_root, bool)
        else False
        if data.get("override") is True
        else None
    )
    return Claim(
        str(player), word, tuple(old), bool(also), tiles, same, at, None if old else owner
    )


def _joined_word(entry: JsonValue) -> tuple[str, str | None] | None:
    """Parse a joined word: `"TEST"`, or `{"word": "TEST", "from_player": "Bob"}`."""
    if isinstance(entry, str) and entry:
        return entry, None
    if isinstance(entry, Mapping) and isinstance(entry.get("word"), str):
        owner = entry.get("from_player")
        return entry["word"], str(owner) if owner else None
    return None


def judge_claim(state: GrabState, claim: Claim) -> Event | Refused:
    """Event of a valid claim, or a refusal by the first rule that it breaks (GS-10)."""
    word_of = state.materials.tile_set.word_of
    if claim.joined and not state.options["gs.merge"]:
        return Refused(
            "merge_not_allowed", phrase("Words are not joined; new letters come from the pool.")
        )
    if claim.word in state.dismissed:
        return Refused(
            "dismissed",
            phrase("{word} is out until the next tile is turned.", word=word_of(claim.word)),
        )
    refused = _no_word(state, claim.word)
    if refused is not None:
        return refused
    if claim.old:
        return _steal(state, claim)
    outcome = _from_pool(state, claim)
    return outcome if isinstance(outcome, Event) else _unnamed(state, claim) or outcome


def _no_word(state: GrabState, word: str) -> Refused | None:
    """Refuse a word that is too short, not in the list, or has punctuation (GS-7)."""
    least = int(state.options["gs.min_length"])
    if len(word) < least:
        return Refused(
            "too_short",
            phrase("{number} letters at least.", number=Numeral(least, capital=True)),
        )
    listed = word in state.materials.lexicon or not state.options["reject_invalid"]
    if not word.isalpha() or not listed:
        named = state.materials.tile_set.word_of(word)
        return Refused("not_a_word", phrase("{word} is not in the list.", word=named))
    return None


def _from_pool(state: GrabState, claim: Claim) -> Event | Refused:
    spelled = spell_from_pool(claim.word, state.pool, claim.tiles)
    if not isinstance(spelled, Spelled):
        return Refused(spelled, phrase("Those tiles are not there."))
    return Event("won", _outcome(state, claim, spelled))


def _unnamed(state: GrabState, claim: Claim) -> Event | Refused | None:
    """The only steal that explains a call which names no word to steal (GS-10)."""
    found: dict[tuple[str, str], Event] = {}
    refused: Refused | None = None
    for owner in state.players:
        if claim.owner not in (None, owner):
            continue
        for held in state.words[owner]:
            outcome = _steal(state, replace(claim, old=((held.word, owner),)))
            if isinstance(outcome, Event):
                found.setdefault((owner, held.word), outcome)
            elif outcome.code in ("same_root", "ask_root"):
                refused = refused or outcome
    if len(found) < 2:
        return next(iter(found.values()), refused)
    word_of = state.materials.tile_set.word_of
    choices = [{"steal": word_of(old), "from_player": owner} for owner, old in found]
    named = [
        phrase("{word} of {player}", word=c["steal"], player=c["from_player"]) for c in choices
    ]
    question = phrase(
        "Which word does {player} take for {word}: {words}?",
        player=claim.player,
        word=word_of(claim.word),
        words=listed(named),
    )
    return Refused("ask_steal", question, result={"choices": choices})


def _outcome(state: GrabState, claim: Claim, spelled: Spelled) -> dict[str, JsonValue]:
    """Fields shared by the events of all won words; the winner flips next (GS-9)."""
    data: dict[str, JsonValue] = {
        "player": claim.player,
        "word": state.materials.tile_set.word_of(claim.word),
        "tiles": spelled.tiles,
        "pool_used": spelled.pool_used,
        "next_flipper": claim.player,
    }
    return data if claim.at is None else {**data, "at": claim.at}


def _steal(state: GrabState, claim: Claim) -> Event | Refused:
    failure: Refused | None = None
    for taken in _choices(state, claim.player, claim.old):
        spelled = spell_steal(
            claim.word,
            "".join(held.tiles for _, held in taken),
            state.pool,
            claim.tiles,
            needs_pool=len(taken) == 1,
        )
        if isinstance(spelled, Spelled):
            refused = _root_shared(state, claim)
            return refused or Event("stolen", _stolen(state, claim, spelled, taken))
        failure = failure or _misspelled(state, spelled, claim)
    return failure or _not_there(state, claim)


def _stolen(
    state: GrabState, claim: Claim, spelled: Spelled, owned: Sequence[Owned]
) -> dict[str, JsonValue]:
    word_of = state.materials.tile_set.word_of
    taken = [{"player": p, "word": word_of(w.word), "tiles": w.tiles} for p, w in owned]
    return {
        **_outcome(state, claim, spelled),
        "stolen_from": taken[0]["player"],
        "old_word": taken[0]["word"],
        "taken": taken,
    }


def _choices(
    state: GrabState, player: str, old: Sequence[tuple[str, str | None]]
) -> Iterator[tuple[Owned, ...]]:
    """Yield every choice of the named words, of which several may be alike (GS-15).

    Where nobody said whose word it is, those of other players come before the own ones.
    """
    everywhere = [(p, w) for p in state.players if p != player for w in state.words[p]]
    everywhere += [(player, w) for w in state.words[player]]

    def choose(i: int, left: tuple[Owned, ...]) -> Iterator[tuple[Owned, ...]]:
        if i == len(old):
            yield ()
            return
        word, owner = old[i]
        tried: set[Owned] = set()
        for at, item in enumerate(left):
            if item[1].word != word or owner not in (None, item[0]) or item in tried:
                continue
            tried.add(item)
            for rest in choose(i + 1, (*left[:at], *left[at + 1 :])):
                yield item, *rest

    return choose(0, tuple(everywhere))


def _misspelled(state: GrabState, code: str, claim: Claim) -> Refused:
    word_of = state.materials.tile_set.word_of
    named = {"word": word_of(claim.word), "old": word_of(claim.old[0][0])}
    messages = {
        "not_all_letters": phrase("{word} leaves letters of {old} behind.", **named),
        "no_letter_added": phrase("No new letter."),
    }
    return Refused(code, messages.get(code, phrase("Those tiles are not there.")))


def _not_there(state: GrabState, claim: Claim) -> Refused:
    lying = Counter((p, w.word) for p in state.players for w in state.words[p])
    words = Counter(w for (_, w), n in lying.items() for _ in range(n))
    for word, owner in claim.old:
        if (owner is None and not words[word]) or (owner is not None and not lying[owner, word]):
            named = state.materials.tile_set.word_of(word)
            if owner:
                missing = phrase("There is no {word} before {player}.", word=named, player=owner)
            else:
                missing = phrase("There is no {word} on the table.", word=named)
            return Refused("no_such_word", missing)
    return Refused("no_such_word", phrase("These words do not lie on the table as often as that."))


def _root_shared(state: GrabState, claim: Claim) -> Refused | None:
    """Refuse a word that shares a root with a word taken now (GS-12)."""
    mode = state.options["gs.root_test"]
    if claim.same_root is False or (mode == "off" and claim.same_root is None):
        return None
    word_of = state.materials.tile_set.word_of
    for old, _ in claim.old:
        named = {"word": word_of(claim.word), "old": word_of(old)}
        line = phrase("{word} has the same root as {old}.", **named)
        if claim.same_root:
            return Refused("same_root", line, result={"why": "so people say"})
        made_of = state.materials.roots
        advice = same_root(old, claim.word, state.materials.lexicon, state.rulings, made_of)
        if mode == "ask" and frozenset((old, claim.word)) not in state.rulings:
            question = phrase("Do {word} and {old} share a root?", **named)
            return Refused(
                "ask_root", question, result={"likely": advice.same, "why": advice.reason}
            )
        if advice.same:
            return Refused("same_root", line, result={"why": advice.reason})
    return None
