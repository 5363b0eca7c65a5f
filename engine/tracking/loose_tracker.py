"""Tracks a table without a board: tiles turned up, and words won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import islice

from kibitz.engine.phrases import counted, phrase
from kibitz.engine.record.ledger import Entry, Ledger, Opening, open_ledger, public_view
from kibitz.engine.rules import Accepted, Action, Question, Refused, TileSetLike, Verdict
from kibitz.engine.table import UNKNOWN_BLANK
from kibitz.engine.tracking import loose_record
from kibitz.engine.tracking.evidence import known_table
from kibitz.engine.tracking.evidence.changes import set_weights
from kibitz.engine.tracking.evidence.hypotheses import (
    NOBODY,
    PHOTO,
    Capture,
    Expectation,
    Finding,
    Seats,
    around,
    sides_of,
)
from kibitz.engine.tracking.evidence.known_table import KnownTable, TableMatch
from kibitz.engine.tracking.evidence.loose_table import (
    IT_COUNTS,
    TAKE_BACK,
    PoolMatch,
    PoolTile,
    SeenClaim,
    SeenWord,
    TableView,
    UpTile,
    in_doubt,
    left_of,
    named,
    overruled,
    pool_tile_of,
    seen_claim,
    with_tiles,
)
from kibitz.engine.tracking.evidence.priors import PRIORS, TrackingPriors
from kibitz.engine.tracking.questions import Kind, Trait
from kibitz.engine.tracking.tracker import DOUBTFUL, Preview, Tracker
from kibitz.engine.tracking.why import Evidence, meanings_of_tiles, reading_of_tile

PATIENT = ("letters_missing", "no_letter_added", "no_such_word")
"""Refusals of a claim that a tile not seen yet may explain."""


@dataclass(frozen=True, slots=True)
class HeldClaim:
    """A claim that was called before all its tiles were seen."""

    action: Action
    refused: Refused


class LooseTracker(Tracker[TableView]):
    """Keeps the game on a table without a board."""

    def __init__(
        self,
        opening: Opening,
        counts: Mapping[str, int] | None = None,
        priors: TrackingPriors = PRIORS,
    ) -> None:
        self.priors = priors
        self._weights = set_weights(counts, priors.letters)
        self._seats = NOBODY
        self._begin(open_ledger(opening), 0)

    def _begin(self, ledger: Ledger, photos: int) -> None:
        self.ledger, self.photos = ledger, photos
        self.pool: list[PoolTile] = []
        self.findings = [Finding(i, "no_change") for i in range(photos)]
        self.held: list[HeldClaim] = []
        self._offered: SeenClaim | None = None
        self._asked: Question | None = None
        self._off_by = self._told_off_by = 0
        self._lying: dict[tuple[str, str], SeenWord] = {}
        self._withdrew = False
        self._gone: Entry | None = None
        self._stands: tuple[Entry, ...] = ()
        self._hardly: tuple[UpTile, ...] = ()
        self._backs: tuple[UpTile, ...] = ()
        self._nowhere = 0
        self._newly_read: tuple[tuple[str, tuple[UpTile, ...]], ...] = ()
        self.pool = [PoolTile(x) for x in self._known.letters]

    @property
    def _known(self) -> KnownTable:
        """Known state of the table."""
        return KnownTable(
            self.ledger,
            self.players,
            tuple(self.pool),
            tuple(held.action for held in self.held),
            self._hardly,
            self._weights,
            self.priors,
            self._lying,
            self._backs,
            self._nowhere,
        )

    @property
    def _tile_set(self) -> TileSetLike:
        return self.ledger.opening.materials.tile_set

    @property
    def players(self) -> tuple[str, ...]:
        """Players clockwise from the bottom of the picture, in front of whom words lie."""
        return around(self.ledger.opening.players, self.seats)

    @property
    def seats(self) -> Seats:
        """Seats, as people said."""
        return self._seats

    @property
    def known_seats(self) -> Seats | None:
        """Seats; None if two people share a side."""
        return self.seats if sides_of(len(self.players)) else None

    def side_of(self, player: str) -> str | None:
        """Side of a player: clockwise unless people said otherwise."""
        there = dict(zip(self.players, sides_of(len(self.players)), strict=False))
        return there.get(player)

    def sit(self, seats: Seats, hands: Mapping[int, str] | None = None) -> None:  # noqa: ARG002 - as of every tracker
        """Set the seats: words that only pictures showed belong to those before them."""
        before, self._seats = self.players, seats
        now = dict(zip(before, self.players, strict=True))
        self.ledger = loose_record.with_players(self.ledger, now) or self.ledger

    def copy(self) -> LooseTracker:
        """An independent copy."""
        other = copy(self)
        other.pool, other.findings = list(self.pool), list(self.findings)
        other.held, other._lying = list(self.held), dict(self._lying)  # noqa: SLF001 - its like
        return other

    def restart(self, ledger: Ledger, rows: Sequence[str] | None, photos: int) -> None:
        """Continue from a known game, from which the table follows.

        What is known of the tiles in the middle beside their letters is told in `rows`; without
        them the tiles still lie there as they did, and so does what is asked about.
        """
        before = self.pool if rows is None else [pool_tile_of(text) for text in rows]
        asked = self._offered, self._asked, self._gone, self._stands
        self._begin(ledger, photos)
        if rows is None:
            self._offered, self._asked, self._gone, self._stands = asked
        self.pool = before
        self._drop_used()

    def put_right(self, ledger: Ledger) -> None:
        """Continue from the game as people corrected it; the tiles lie as they did."""
        self.restart(ledger, None, self.photos)

    def begin_from(self, table: TableView) -> None:
        """Take face-down and turned-up tiles from the first picture."""
        opening = self.ledger.opening
        if self.ledger.done or opening.initial is not None:
            return
        words: dict[str, list[str]] = {p: [] for p in opening.players}
        word_of = opening.materials.tile_set.word_of
        for word in table.words:
            words[self.players[word.seat]].append(word_of(word.text))
        pool = "".join(sorted(tile.best for tile in table.loose))
        initial = {"pool": pool, "face_down": table.face_down, "words": words}
        action = Action("set_position", data={"initial": initial})
        ledger, _ = self.ledger.add(Entry(action, 0))
        self._begin(ledger, self.photos)

    def predict(self) -> tuple[Expectation, ...]:
        """The pool with all views of it, and the words."""
        return ()

    def match(self, view: TableView, how: Capture = PHOTO) -> list[TableMatch]:  # noqa: ARG002 - as of every tracker
        """Known tiles and words in a view; nothing is changed."""
        return [self._known.match(view)]

    def preview(self, view: TableView, how: Capture = PHOTO) -> Preview[LooseTracker]:
        """Result that `update` would have, with the tracker after it."""
        after = self.copy()
        status = after.update(view, how).status
        asked = after._asked  # noqa: SLF001 - its like
        of_row = asked is not None and Kind(asked.field).has(Trait.OF_ROW)
        news = after.ledger.done != self.ledger.done or asked != self._asked
        # where a told word lies is remembered till it is taken apart, as is what looks like a back
        news = news or after._lying.keys() != self._lying.keys()  # noqa: SLF001 - its like
        news = news or after._nowhere != self._nowhere  # noqa: SLF001 - its like
        return Preview(
            status,
            news=news,
            patience=status in DOUBTFUL or after._withdrew,  # noqa: SLF001 - its like
            half_laid=after._withdrew or of_row,  # noqa: SLF001 - its like
            hidden=status == "question" and asked is not None and asked.field == Kind.ADDS_UP,
            before=self,
            after=after,
        )

    def question_at(self, photo: int) -> Question | None:
        """Question about a picture; None without one."""
        return self.findings[photo].question

    def lying_rows(self) -> list[str]:
        """Pool tiles as text, with questions and holds."""
        return [tile.text for tile in self.pool]

    def tell(self, action: Action) -> Verdict:
        """Take in a flip, claim, tie or ruling; a claim may wait for unseen tiles."""
        if action.kind == "answer":
            return self._answer(action)
        verdict = self._add(action, told=True)
        if isinstance(verdict, Accepted):
            if action.kind == "flip":
                self.pool.append(PoolTile(str(verdict.result["letter"]), held=True))
            self._drop_used()
        elif action.kind == "claim" and verdict.code in PATIENT:
            self.held.append(HeldClaim(action, verdict))
            return Accepted(())
        return verdict

    def _answer(self, action: Action) -> Verdict:
        """Judge a player's answer about a row that was only seen."""
        field, value = action.data.get("field"), str(action.data.get("value") or "")
        if field == Kind.TILE:
            return self._answer_about_tile(self._tile_set.tiles_in(value))
        offered, asked = self._offered, self._asked
        if asked is None or field != asked.field:
            return Refused("unknown_question", f"nothing asks for {field!r}")
        if self._gone is not None and field == Kind.GONE:
            return self._answer_about_gone(self._gone, value)
        told: tuple[Action, ...] = ()
        if field == Kind.WORD and offered is not None and offered.offered is not None:
            told = (named(offered.offered, value),)
        elif value == IT_COUNTS and offered is not None:
            told = overruled(offered)
        before = self.ledger
        verdict: Verdict = Accepted(())
        for action in told:  # else the next picture shows whether the tiles were put right
            verdict = self._add(action, told=True)
            if isinstance(verdict, Refused):
                self.ledger = before
                return verdict
        if told:
            self._offered = self._asked = None
            self._drop_used()
        return verdict

    def _answer_about_gone(self, gone: Entry, value: str) -> Verdict:
        """Judge an answer whether a called word that lies nowhere counts."""
        if value == TAKE_BACK:
            after = loose_record.without(self.ledger, gone)
            if isinstance(after, Refused):
                return after
            self._go_on_with(after)
        else:
            self._stands = (*self._stands, gone)
        self._gone = self._asked = None
        return Accepted(())

    def update(self, view: TableView | None, how: Capture = PHOTO) -> Finding:
        """Take in one picture of the table; None if nothing can be seen."""
        self._newly_read, self._withdrew = (), False
        if view is None:
            return self._saw("unreadable")
        if public_view(self.ledger.game, self.ledger.state).get("over"):  # the tiles are put away
            self._asked = self._offered = None
            return self._saw("no_change")
        apart = self._taken_apart(view, how)
        self._gone = None
        if apart is not None:
            gone, without = apart
            if gone.told:  # theirs to take back
                self._gone = gone
            else:
                self._go_on_with(without)
                self._withdrew = True
        return self._take_in(view, how)

    def _take_in(self, view: TableView, how: Capture) -> Finding:
        """Take in the flips, claims and words that a picture shows."""
        seen = self._known.match(view)
        self._name_tiles(seen.words)
        self._remember(seen.pool, how)
        missing = [i for i in range(len(self.pool)) if i not in seen.pool.again]
        moved = self._turned(seen, missing, how)
        moved = self._settle_claims() or self._told_now() or moved
        claims = [self._claim_seen(word) for word in self._known.rows(seen.table).new]
        moved = moved or any(claim.action is not None for claim in claims)
        self._lying |= self._known.rows(seen.table).seen
        if not seen.short:
            self._backs, self._nowhere = seen.table.down, seen.nowhere
        return self._asking(seen, claims, how, moved=moved, missing=len(missing))

    def _taken_apart(self, view: TableView, how: Capture) -> tuple[Entry, Ledger] | None:
        """The claim whose word was taken apart, and the game without it; else None.

        All tiles are in sight, the word lay in a row and does not any more, none of its tiles lies
        loose where it lay, and without the claim every tile lies where the game has it: in the
        middle again, in the word that was stolen, or in a row before somebody else.
        """
        seen = self._known.match(view)
        table, unseen = seen.table, self._known.rows(seen.table).unseen
        if seen.short or seen.too_many_down or not any(unseen.values()):
            return None
        as_known = self.copy()
        as_known._take_in(view, how)  # noqa: SLF001 - its like
        if as_known._known.agrees_with(view):  # noqa: SLF001 - its like
            return None
        for done in reversed(self.ledger.done):
            entry = done.entry
            if entry.action.kind != "claim" or entry in self._stands:
                continue
            word = str(entry.action.player), str(done.verdict.events[0].data.get("tiles", ""))
            lay = self._lying.get(word)
            if word[1] not in unseen.get(word[0], ()) or lay is None or lay.holds(table.loose):
                continue
            without = loose_record.without(self.ledger, entry)
            if isinstance(without, Refused):
                continue
            trial = self.copy()
            trial._go_on_with(without)  # noqa: SLF001 - its like
            trial._take_in(view, how)  # noqa: SLF001 - its like
            if trial._known.agrees_with(view):  # noqa: SLF001 - its like
                return entry, without
        return None

    def _go_on_with(self, ledger: Ledger) -> None:
        """Continue with another game; its pool tiles count as not seen yet."""
        self.ledger = ledger
        self._drop_used()

    def _turned(self, seen: TableMatch, missing: list[int], how: Capture) -> bool:
        """Take in flips, or their absence; False if there were none."""
        table, match, most_new = seen.table, seen.pool, seen.most_new(how)
        turned = self._never_turned_up(seen, missing)
        if seen.short <= 0:
            again = {id(tile) for tile in (*match.again.values(), *match.new)}
            hardly = [t for t in table.loose if id(t) not in again and not t.is_likely]
            self._hardly = (*self._hardly, *hardly)
        # no tile is counted twice (GS-21)
        for tile in sorted(match.new, key=lambda tile: -tile.sure)[:most_new]:
            if self._flip(tile.best, (tile,)):
                self._note_read(phrase("in the middle"), [tile])
                turned = True
        self._reletter_missing(self._known.needed(seen.words), missing)
        unseen = max(0, most_new - len(match.new))
        for letter in sorted(self._known.needed(seen.words).elements())[:unseen]:
            turned = self._flip(letter, ()) or turned
        return turned

    def _asking(
        self,
        seen: TableMatch,
        claims: Sequence[SeenClaim],
        how: Capture,
        *,
        moved: bool,
        missing: int,
    ) -> Finding:
        """Finding of a picture, with its question.

        Args:
            seen: how it agrees with what is known.
            claims: what its new rows may be.
            how: how it was taken.
            moved: whether the game went on with it.
            missing: letters of the pool not seen; where no hand is waited for none is like a back.
        """
        asked = next((c.question for c in reversed(claims) if c.question is not None), None)
        if how.live and seen.short > 0 and seen.short != self._told_off_by:
            asked = None  # the rest of the row may lie under an arm
        asked = asked or self._gone_question()
        asked = asked or self._off_by_question(seen.short, how, rests=how.live and not moved)
        self._off_by = seen.short
        status = "covered" if missing > seen.like_backs * how.live else "no_change"
        status = "play" if moved else "taken_back" if self._withdrew else status
        if asked is not None and status in ("covered", "no_change"):
            status = "question"
        doubts = self.letter_questions() if how.attended else []
        self._asked = asked or next(iter(doubts), None)
        return self._saw(status, self._asked)

    def _name_tiles(self, new_words: Sequence[SeenWord]) -> None:
        """Claim called words with the blanks that they were laid with."""
        for text in (word.text for word in new_words):
            self.held = [
                replace(h, action=with_tiles(h.action, text, self._tile_set)) for h in self.held
            ]

    def _off_by_question(self, short: int, how: Capture, *, rests: bool) -> Question | None:
        """Question about a lasting mismatch of the number of tiles.

        Args:
            short: how many tiles fewer are in sight than there are.
            how: of photographs it is said once, when two of them agree; in a film as long as
                they do not add up.
            rests: whether it is a film's table at rest that shows nothing else.
        """
        told = self._told_off_by
        stays = short == told if how.live else short == self._off_by != told
        if not short or not (stays or rests):
            self._told_off_by = told if short else 0
            return None
        self._told_off_by = short
        if short > 0:
            prompt = counted(
                "{count} tile fewer lies on the table than there are. Please check.",
                "{count} tiles fewer lie on the table than there are. Please check.",
                short,
            )
        else:
            prompt = counted(
                "{count} tile more lies on the table than there are. Please check.",
                "{count} tiles more lie on the table than there are. Please check.",
                -short,
            )
        return Question(Kind.ADDS_UP, prompt)

    def _gone_question(self) -> Question | None:
        """Question whether a called word counts that was taken apart."""
        if self._gone is None:
            return None
        told = self._gone.action
        word = str(told.data.get("word", "")).upper()
        prompt = phrase("Does {word} of {player} still count?", word=word, player=told.player)
        return Question(Kind.GONE, prompt, (IT_COUNTS, TAKE_BACK))

    def _note_read(self, place: str, tiles: Iterable[UpTile]) -> None:
        """Keep tiles that changed the game or were asked about, and their places."""
        self._newly_read += ((place, tuple(tiles)),)

    def _flip(self, letter: str, seen: tuple[UpTile, ...]) -> bool:
        verdict = self._add(Action("flip", None, None, {"letter": letter}))
        if isinstance(verdict, Refused):
            return False
        doubt = in_doubt(seen[0], self.priors) if seen else ()
        self.pool.append(PoolTile(letter, seen, doubt))
        return True

    def _reletter_missing(self, need: Counter[str], missing: list[int]) -> None:
        """Correct a tile that left the pool for a word it does not fit."""
        fitting: Counter[str] = Counter()
        for held in self.held:
            fitting += known_table.letters_from_pool(held.action, self._tile_set.tiles_in)
        for letter in sorted(need.elements()):
            open_ = (i for i in missing if not self.pool[i].held)
            wrong = [i for i in open_ if not fitting[self.pool[i].letter]]
            if wrong and self._reletter(wrong[-1], letter):
                missing.remove(wrong[-1])

    def letter_questions(self) -> list[Question]:
        """Question about the first turned-up tile with a doubtful letter."""
        word_of = self._tile_set.word_of
        doubts = (tuple(map(word_of, tile.doubt)) for tile in self.pool if tile.doubt)
        asked = phrase("Which letter was turned up?")
        return [Question(Kind.TILE, asked, choices) for choices in islice(doubts, 1)]

    def waits_for(self, field: str) -> bool:
        """True if an answer is taken now; about a row while its picture is known.

        Args:
            field: the question's.
        """
        return field == Kind.TILE or (self._asked is not None and field == self._asked.field)

    @property
    def asked_tile(self) -> UpTile | None:
        """The tile of `letter_questions`, as it was seen last."""
        asked = next((tile for tile in self.pool if tile.doubt), None)
        return asked.seen[-1] if asked is not None and asked.seen else None

    def _answer_about_tile(self, letter: str) -> Verdict:
        """Judge an answer about a turned-up tile's letter."""
        index = next((i for i, tile in enumerate(self.pool) if tile.doubt), None)
        if index is None:
            return Refused("unknown_question", "No tile that was turned up is asked about.")
        if len(letter) != 1 or not letter.isalpha():
            return Refused("unknown_letter", f"expected one letter, got {letter!r}")
        if letter != self.pool[index].letter and not self._reletter(index, letter):
            return Refused("unknown_letter", f"no tile that was turned up can be {letter}")
        self.pool[index] = replace(self.pool[index], doubt=(), held=True)
        return Accepted(())

    def why(self) -> Evidence:
        """Readings and alternatives of the newest picture's new tiles."""
        limits, groups = self.priors.search, self._newly_read
        readings = [reading_of_tile(at, t, limits.offered) for at, tiles in groups for t in tiles]
        return {"readings": readings, "alternatives": meanings_of_tiles(groups, limits)}

    def finish(self) -> list[str]:
        """Messages about called claims that never became valid."""
        return [f"claim of {held.action.player}: {held.refused.message}" for held in self.held]

    def _saw(self, status: str, question: Question | None = None) -> Finding:
        finding = Finding(self.photos, status, question=question)
        self.findings.append(finding)
        self.photos += 1
        return finding

    def _add(self, action: Action, *, told: bool = False) -> Verdict:
        self.ledger, verdict = self.ledger.add(Entry(action, self.photos, told))
        return verdict

    def _told_now(self) -> bool:
        now = self.photos
        since = (d.entry for d in self.ledger.done if d.entry.photo == now)
        return any(entry.told and not entry.by_time for entry in since)

    def _remember(self, match: PoolMatch, how: Capture) -> None:
        """Keep each view of a known tile, by which its letter may be corrected.

        What was announced changes once without a person; where people are there to be asked,
        the letter then stays until one of them says what it is.
        """
        for index, tile in match.again.items():
            old = self.pool[index]
            self.pool[index] = now = replace(old, seen=(*old.seen, tile))
            together = now.together(self.priors.reading)
            best = max(together, key=lambda x: together[x])
            other = old.seen and best != old.letter and together[best] > self.priors.reading.sure
            if old.held or not other:
                continue
            if old.changed and how.attended:
                choices = tuple(x for x in (old.letter, best) if x != UNKNOWN_BLANK)
                self.pool[index] = replace(now, doubt=choices, held=True)
            elif self._reletter(index, best):
                self.pool[index] = replace(self.pool[index], changed=True)

    def _reletter(self, index: int, letter: str) -> bool:
        """Change the letter of a flipped tile in the whole game; False if that is refused."""
        ledger = loose_record.with_letter(self.ledger, self.pool[index].letter, letter)
        if ledger is None:
            return False
        self.ledger = ledger
        self.pool[index] = replace(self.pool[index], letter=letter)
        return True

    def _never_turned_up(self, seen: TableMatch, missing: list[int]) -> bool:
        """Take back flips of missing tiles while more lie face down than known.

        An arm over part of a word can make a letter look like another tile; once all tiles are
        in sight again they add up without it (GS-21). A tile of which an arm shows only a plain
        edge lies where it lay.
        """
        before, down = self.ledger, seen.table.down
        lying = (i for i in sorted(missing, reverse=True) if not self.pool[i].is_among(down))
        for index in list(lying)[: seen.too_many_down]:
            ledger = loose_record.without_flip(self.ledger, self.pool[index].letter)
            if ledger is not None:
                self.ledger = ledger
                missing.remove(index)
                self.pool[index] = PoolTile("")
        kept = [i for i, tile in enumerate(self.pool) if tile.letter]
        missing[:] = [kept.index(i) for i in missing]
        self.pool = [self.pool[i] for i in kept]
        return self.ledger is not before

    def _settle_claims(self) -> bool:
        settled = False
        for held in self.held:
            verdict = self._add(held.action, told=True)
            if isinstance(verdict, Refused):
                continue
            self.held = [h for h in self.held if h is not held]
            self._drop_used()
            settled = True
        return settled

    def _claim_seen(self, word: SeenWord) -> SeenClaim:
        """Claim a word that appeared before a player without being called."""
        claim = seen_claim(self.ledger, word, self.players[word.seat], self.priors)
        self._note_read(phrase("before {player}", player=self.players[word.seat]), word.tiles)
        if claim.action is not None:
            self._add(claim.action)
            self._drop_used()
        elif claim.question is not None:
            self._offered = claim
        return claim

    def _drop_used(self) -> None:
        """Forget pool tiles that the rules took for a word."""
        self.pool = left_of(self.pool, self._known.letters)
