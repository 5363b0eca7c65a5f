"""Tracks a game on two boards (SH-1): each board by itself, with one game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace

from kibitz.engine.phrases import phrase
from kibitz.engine.record.ledger import (
    Entry,
    Ledger,
    Opening,
    board_of,
    fold,
    is_taken_back,
    open_ledger,
)
from kibitz.engine.rules import Accepted, Action, BoardsApart, Question, Verdict
from kibitz.engine.table import Grid
from kibitz.engine.tracking.board_tracker import Boards, BoardTracker, preview_of
from kibitz.engine.tracking.evidence.changes import BoardView
from kibitz.engine.tracking.evidence.hypotheses import (
    PHOTO,
    Capture,
    Expectation,
    Finding,
    Hypothesis,
    LastPlay,
    Seats,
    Task,
)
from kibitz.engine.tracking.evidence.priors import PRIORS, TrackingPriors
from kibitz.engine.tracking.explanations import take_backs
from kibitz.engine.tracking.explanations.steadiness import Letters
from kibitz.engine.tracking.questions import Kind
from kibitz.engine.tracking.tracker import Preview
from kibitz.engine.tracking.why import Evidence, ReadingLine

TwoViews = Sequence[BoardView | None]
"""What one picture shows of each board; None for a board that it does not show."""

STATUSES = (
    "question",
    "board_changed",
    "several",
    "play",
    "taken_back",
    "task_done",
    "covered",
    "unreadable",
    "no_change",
)
"""The status that people should hear of first comes first."""


def two_boards(opening: Opening) -> bool:
    """True if the game is played on two boards that are watched together."""
    return len(opening.game.info.surfaces(len(opening.players))) > 1


def on_board(opening: Opening, index: int) -> Opening:
    """The game seen from one of its boards.

    Raises:
        TypeError: the game's rules cannot be asked about one board alone.
    """
    if not isinstance(opening.game, BoardsApart):
        raise TypeError(f"{opening.game.info.title} has several boards but no `one_board`")
    return replace(opening, game=opening.game.one_board(index))


class TwoBoardTracker(Boards[TwoViews]):
    """Two board trackers that share one game.

    What one accepts is passed to the other as something that happened; when it changes its mind
    the other's game is replayed.
    """

    def __init__(
        self,
        opening: Opening,
        counts: Mapping[str, int] | None = None,
        priors: TrackingPriors = PRIORS,
    ) -> None:
        self.opening = opening
        self.priors = priors
        self.boards = [
            BoardTracker(on_board(opening, k), counts, priors, board=k) for k in range(2)
        ]
        self.ledger: Ledger = open_ledger(opening)
        self.photos = 0
        self.told: list[Entry] = []
        self.known: list[list[Entry]] = [[], []]

    @property
    def lying(self) -> list[Grid]:
        """Tiles on each board."""
        return [board.lying for board in self.boards]

    @property
    def seats(self) -> Seats:
        """Seats at both boards; players of different boards may share a side."""
        parts = [board.seats for board in self.boards]
        told = {p: s for part in parts for p, s in part.told.items()}
        seen = sum((Counter(part.seen) for part in parts), Counter[tuple[str, str]]())
        return Seats(dict(seen), told, any(part.reaching for part in parts))

    def side_of(self, player: str) -> str | None:
        """Side of a player, by their own board."""
        return self._board_of(player).seats.side_of(player)

    def sit(self, seats: Seats, hands: Mapping[int, str] | None = None) -> None:
        """Set the seats, in addition to what plays show (`BoardTracker.sit`)."""
        for board in self.boards:
            board.sit(seats, hands)

    def told_seat(self, player: str, side: str) -> None:
        """Take in a player's side as people say it."""
        self._board_of(player).told_seat(player, side)

    def _board_of(self, player: str) -> BoardTracker:
        return self.boards[board_of(self.opening, Action("seat", player))]

    def copy(self) -> TwoBoardTracker:
        """An independent copy."""
        other = copy(self)
        other.boards = [board.copy() for board in self.boards]
        other.told, other.known = list(self.told), list(self.known)
        return other

    def predict(self) -> tuple[Expectation, ...]:
        """Expected content of each board, and what was last seen."""
        return tuple(e for board in self.boards for e in board.predict())

    def match(self, view: TwoViews, how: Capture = PHOTO) -> list[list[Hypothesis]]:
        """Hypotheses of each board that may explain it, likeliest first."""
        pairs = zip(self.boards, view, strict=True)
        return [[] if seen is None else board.match(seen, how) for board, seen in pairs]

    def update(self, view: TwoViews | None, how: Capture = PHOTO) -> Finding:
        """Take in one picture; each board advances independently."""
        photo, views = self.photos, view or (None, None)
        unseen = "no_change" if any(views) else "unreadable"
        for board, seen in zip(self.boards, views, strict=True):
            board.update(seen, how, unseen=unseen)
        self.photos += 1
        self._agree()
        return Finding(photo, self.status_at(photo))

    def preview(self, view: TwoViews, how: Capture = PHOTO) -> Preview[TwoBoardTracker]:
        """Result that `update` would have, with the tracker after it."""
        after = self.copy()
        return preview_of(self, after, after.update(view, how).status, view, how)

    def waits_for(self, field: str) -> bool:
        """True if an answer is taken now, at either board."""
        return any(board.waits_for(field) for board in self.boards)

    @property
    def is_disturbed(self) -> bool:
        """True if either board is."""
        return any(board.is_disturbed for board in self.boards)

    def letter_questions(self) -> list[Question]:
        """Open questions about letters on both boards, squares named `2:H8`."""
        return [
            of_board(k, asked)
            for k, board in enumerate(self.boards)
            for asked in board.letter_questions()
        ]

    def play_questions(self) -> list[tuple[int, Question]]:
        """Open questions about plays on both boards, with the picture that showed each."""
        return [
            (photo, of_board(k, asked))
            for k, board in enumerate(self.boards)
            for photo, asked in board.play_questions()
        ]

    def letters(self) -> Letters:
        """Knowledge about letters on both boards, squares named `2:H8`."""
        parts = [b.letters().named(f"{k}:{{}}".format) for k, b in enumerate(self.boards, 1)]
        told = {s: x for p in parts for s, x in p.told.items()}
        held = {s: x for p in parts for s, x in p.held.items()}
        changed = tuple(s for p in parts for s in p.changed)
        settled = tuple(x for p in parts for x in p.settled)
        return Letters(told, held, changed, tuple(self.letter_questions()), settled)

    def recall(self, letters: Letters) -> None:
        """Restore knowledge about letters; newer knowledge is forgotten."""
        for k, board in enumerate(self.boards, 1):
            own = f"{k}:"
            told = {s: x for s, x in letters.told.items() if s.startswith(own)}
            held = {s: x for s, x in letters.held.items() if s.startswith(own)}
            changed = tuple(s for s in letters.changed if s.startswith(own))
            asked = tuple(q for q in letters.asked if q.board == k)
            settled = tuple(x for x in letters.settled if x[0].startswith(own))
            part = Letters(told, held, changed, asked, settled)
            board.recall(part.named(lambda name: name.partition(":")[2]))

    def why(self) -> Evidence:
        """Evidence for the meaning of the newest picture, board by board."""
        found = [board.why() for board in self.boards]
        read: list[ReadingLine] = [
            {**one, "square": f"{k + 1}:{one['square']}"}
            for k, part in enumerate(found)
            for one in part["readings"]
        ]
        return {
            "readings": read,
            "alternatives": [x for one in found for x in one["alternatives"]],
        }

    def status_at(self, photo: int) -> str:
        """Status of a picture of both boards, the more important one."""
        every = [(board.best.findings[photo], board) for board in self.boards]
        found = [(f, board) for f, board in every if not f.unseen] or every
        statuses = [
            "question"
            if f.status == "play" and (f.question or photo in board.blank_questions)
            else f.status
            for f, board in found
        ]
        status = min(statuses, key=STATUSES.index)
        both = all(f.laid for f, _ in every)
        return "several" if status == "play" and both else status

    def question_at(self, photo: int) -> Question | None:
        """Question about a picture, of the first board with an open one."""
        asked = ((k, board.question_at(photo)) for k, board in enumerate(self.boards))
        return next((of_board(k, question) for k, question in asked if question is not None), None)

    def tasks(self) -> list[Task]:
        """Tiles to turn or lift on each board, squares named `2:H8`."""
        return [
            replace(task, squares=tuple(f"{k + 1}:{s}" for s in task.squares))
            for k, board in enumerate(self.boards)
            for task in board.tasks()
        ]

    def lying_rows(self) -> list[str]:
        """Both boards as text, one after the other."""
        return [row for board in self.boards for row in board.lying_rows()]

    def tell(self, action: Action) -> Verdict:
        """Take in what a person said or did."""
        if action.kind == "answer":
            return self._answer(action)
        entry = Entry(action, self.photos, told=True)
        _, verdict = self.ledger.add(entry)
        if isinstance(verdict, Accepted):
            self.told.append(entry)
            for board in self.boards:
                board.tell(action)
            self._agree()
        return verdict

    def _answer(self, action: Action) -> Verdict:
        """Judge an answer, whose square (`2:H8`) or player shows its board.

        The end of the game is no matter of one board.
        """
        if action.data.get("field") == Kind.CLEARING:
            end = take_backs.end_told(self.ledger, str(action.data.get("value")))
            if end is not None:
                return self.tell(end)
        panel, _, square = str(action.data.get("square") or "").rpartition(":")
        named = panel or str(action.data.get("board") or "")
        index = int(named == "2") if named else board_of(self.opening, action)
        data = {**action.data, "square": square} if square else action.data
        verdict = self.boards[index].tell(replace(action, data=data))
        self._agree()
        return verdict

    def restart(self, ledger: Ledger, rows: Sequence[str] | None, photos: int) -> None:
        """Go on from a game and positions that are known."""
        games, self.photos = self._games_of(ledger), photos
        for board, game, kept in zip(self.boards, games, _halves(rows), strict=True):
            board.restart(game, kept, photos)

    def put_right(self, ledger: Ledger) -> None:
        """Continue from the game as people corrected it; nothing was moved on the boards."""
        for board, game in zip(self.boards, self._games_of(ledger), strict=True):
            board.put_right(game)

    def _games_of(self, ledger: Ledger) -> list[Ledger]:
        """The game as each board's tracker keeps it."""
        entries = [done.entry for done in ledger.done]
        self.opening = ledger.opening
        self.ledger = ledger
        self.told = [e for e in entries if e.told]
        self.known = [[], []]
        games = []
        for k in range(2):
            own = [e for e in entries if not e.told and board_of(self.opening, e.action) == k]
            opening = on_board(ledger.opening, k)
            games.append(fold(opening, self._merged(k, own, self._others(entries, k)))[0])
        return games

    def _others(self, entries: Sequence[Entry], k: int) -> list[Entry]:
        return [e for e in entries if not e.told and board_of(self.opening, e.action) != k]

    def _merged(self, k: int, own: Sequence[Entry], others: Sequence[Entry]) -> list[Entry]:
        """All entries in one order: by picture, told ones first, board 1 before board 2."""
        ranked = [(e.photo, 0, e) for e in self.told]
        ranked += [(e.photo, 1 + k, e) for e in own]
        ranked += [(e.photo, 2 - k, replace(e, told=True)) for e in others]
        ranked.sort(key=lambda item: item[:2])
        return [entry for _, _, entry in ranked]

    def _agree(self) -> None:
        """Give each tracker the other board's entries, and the words that people allowed."""
        own = [_standing(tracker.ledger) for tracker in self.boards]
        for k, tracker in enumerate(self.boards):
            others = own[1 - k]
            if others == self.known[k]:
                continue
            self.known[k] = others
            first, *rest = tracker.hypotheses
            kept = [b for b in (self._replayed(k, x, others) for x in rest) if b is not None]
            best = self._replayed(k, first, others, best=True)
            tracker.hypotheses = [best or first, *kept]
        whole = self._merged(0, own[0], own[1])
        opening = self.opening.with_words(self._allowed())
        self.ledger, _ = self.ledger.begun_as(opening).with_entries(
            [_as_seen(e, self.told) for e in whole]
        )

    def _allowed(self) -> list[str]:
        """Words that people allowed at either board."""
        return [w for board in self.boards for w in board.ledger.opening.words_allowed]

    def _replayed(
        self, k: int, hypothesis: Hypothesis, others: Sequence[Entry], *, best: bool = False
    ) -> Hypothesis | None:
        opening = hypothesis.ledger.opening.with_words(self._allowed())
        own = [d.entry for d in hypothesis.ledger.done if not d.entry.told]
        begun = hypothesis.ledger.begun_as(opening)
        ledger, refusals = begun.with_entries(self._merged(k, own, others))
        if refusals and not best:
            return None
        return replace(
            hypothesis, ledger=ledger, last=_moved(hypothesis.last, hypothesis.ledger, ledger)
        )


def of_board(index: int, question: Question) -> Question:
    """A question about one board as one about both."""
    if question.board is not None:
        return question
    prompt = phrase("Board {number}: {line}", number=index + 1, line=question.prompt)
    square = None if question.square is None else f"{index + 1}:{question.square}"
    return replace(question, prompt=prompt, square=square, board=index + 1)


def _halves(rows: Sequence[str] | None) -> tuple[Sequence[str] | None, Sequence[str] | None]:
    """Rows of each board; None where they are not those of two equal boards."""
    if not rows or len(rows) % 2 or len(rows) // 2 != len(rows[0]):
        return None, None
    return rows[: len(rows) // 2], rows[len(rows) // 2 :]


def _moved(last: LastPlay | None, before: Ledger, after: Ledger) -> LastPlay | None:
    """The last play with the index that its entry has now."""
    if last is None:
        return None
    entry = before.done[last.entry].entry
    found = [i for i, done in enumerate(after.done) if done.entry == entry]
    return replace(last, entry=found[-1]) if found else None


def _standing(ledger: Ledger) -> list[Entry]:
    """Seen entries of a board that still hold, without plays taken back."""
    seen = [d.entry for d in ledger.done if not d.entry.told]
    gone = [e.action for e in seen if e.action.kind == "take_back"]
    plays = [e for e in seen if e.action.kind != "take_back"]
    return [e for e in plays if not any(is_taken_back(e, back) for back in gone)]


def _as_seen(entry: Entry, told: Sequence[Entry]) -> Entry:
    return entry if any(entry is t for t in told) else replace(entry, told=False)
