"""Shows a film to a live table, answers its questions with the truth, and judges it.

Judged is what people notice: what is booked, what is said, whose turn it is, what is asked.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kibitz.app.server.session import Session
from kibitz.app.tables.midway import BEGIN_FROM
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.engine.rules import Action, Refused
from kibitz.engine.table import UNKNOWN_BLANK
from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.evidence.facing import turned_square
from kibitz.engine.tracking.evidence.hypotheses import name_of
from kibitz.engine.tracking.two_board_tracker import two_boards
from tests.filming.drawing import Filmed
from tests.filming.hearing import Hearing
from tests.filming.script import RATE, Frame, Known, KnownPlay, known_of

HOST = Actor("host")
ANSWER_S = 1.5
"""How long people take to answer a question, in seconds of film."""
YES = ("over", "yes", "finish")


@dataclass
class Verdict:
    """What came of one film.

    Attributes:
        film: its name.
        plays: how many plays stand at its end.
        right: how many of them the table has, of the same player with the same tiles.
        extra: plays that the table has and that nobody made.
        scores_right: whether all scores are right at the end (on a bare table, what lies there).
        questions: what was asked, without blanks.
        blanks: how many blanks were asked about.
        changes: how often the truth changed.
        waits: seconds from a hand's leaving to the announcement, with the time that it took.
        costs: how much of each of them looking and understanding took.
        under_hand: changes announced while the hand was still there.
        withdrawn: what was announced and later not so without anybody's doing, in words.
        put_right: the same, changed by an answer of people.
        misspoken: what was said and is not so, was said again, or was not said.
        turns_wrong: plays after which another player was thought to move, in words.
        called_blurred: how often it was begun to say that the picture is blurred; films are sharp.
        wrong: what else was wrong, in words.
        seconds: of film.
        cpu: seconds that looking and understanding took.
    """

    film: str
    plays: int = 0
    right: int = 0
    extra: int = 0
    scores_right: bool = False
    questions: list[str] = field(default_factory=list)
    blanks: int = 0
    changes: int = 0
    waits: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    under_hand: int = 0
    withdrawn: list[str] = field(default_factory=list)
    put_right: list[str] = field(default_factory=list)
    misspoken: list[str] = field(default_factory=list)
    turns_wrong: list[str] = field(default_factory=list)
    called_blurred: int = 0
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0
    cpu: float = 0.0

    @property
    def faultless(self) -> bool:
        """Whether all is right at the end, and all that people heard and saw on the way."""
        known = not self.extra and self.scores_right and self.right == self.plays
        return known and self.kept and not self.misspoken and not self.turns_wrong

    @property
    def kept(self) -> bool:
        """Whether no announcement was withdrawn."""
        return not self.withdrawn

    def to_json(self) -> dict[str, Any]:
        """For the report."""
        return {
            "film": self.film,
            "faultless": self.faultless,
            "plays": self.plays,
            "right": self.right,
            "extra": self.extra,
            "scores_right": self.scores_right,
            "questions": self.questions,
            "blanks": self.blanks,
            "changes": self.changes,
            "told": len(self.waits),
            "told_under_hand": self.under_hand,
            "wait_median_s": round(statistics.median(self.waits), 2) if self.waits else None,
            "wait_longest_s": round(max(self.waits), 2) if self.waits else None,
            "waits_s": [round(w, 2) for w in self.waits],
            "costs_s": [round(c, 2) for c in self.costs],
            "withdrawn": self.withdrawn,
            "put_right": self.put_right,
            "misspoken": self.misspoken,
            "turns_wrong": self.turns_wrong,
            "called_blurred": self.called_blurred,
            "wrong": self.wrong,
            "video_s": round(self.seconds, 1),
            "cpu_s": round(self.cpu, 2),
        }


@dataclass
class _Due:
    """A change of the truth that is to be announced.

    Attributes:
        added: plays that stand since then.
        gone: plays that no longer stand.
        known: all that was true then.
        left: when the hand had left, in seconds; None as long as it is there.
        told_since: whether people have told something since, which may have ended the next turn.
    """

    added: frozenset[KnownPlay]
    gone: frozenset[KnownPlay]
    known: Known = field(default_factory=Known)
    left: float | None = None
    told_since: bool = False

    def is_told(self, now: Known) -> bool:
        """Whether a table knows of it."""
        return self.added <= set(now.plays) and not self.gone & set(now.plays)


Asked = tuple[str, str, str]
"""What a question is about: the field, the square, the photograph of the play."""


@dataclass
class _Open:
    """A question that is open: since when, what was true then, its place in the verdict's list."""

    since: float
    truth: Known
    place: int | None
    answered: bool = False


class Judge:
    """A live table that is shown a film.

    Args:
        session: the server's.
        order: what the table is.
        film: the film's name.
    """

    def __init__(self, session: Session, order: Order, film: str) -> None:
        self.verdict = Verdict(film)
        self.table = session.tables.create(order).table
        self._camera = session.camera(self.table)
        opening = self.table.setup.opening
        first = opening.game.info.seats_per_board or len(opening.players)
        self._beyond = opening.players[first:] if two_boards(opening) else ()
        self._truth: Known | None = None
        self._was_true: set[KnownPlay] = set()
        self._now = known_of(self.table.ledger)
        self._due: list[_Due] = []
        self._asked: dict[Asked, _Open] = {}
        self._seq = self.table.seq
        self._hearing = Hearing()
        self._over = False
        self._blurred = False

    def see(self, frame: Frame, picture: Any, at: float, hands: frozenset[int]) -> None:
        """One picture.

        Args:
            frame: what it shows and what is true.
            picture: (h, w, 3) BGR.
            at: seconds since the film began.
            hands: over which boards a hand or a thing is, by their numbers.
        """
        for action in frame.told:
            outcome = self.table.act(action, HOST)
            if isinstance(outcome, Refused):
                self.verdict.wrong.append(f"{at:.1f} s: {action.kind} refused: {outcome.message}")
            if action.kind == BEGIN_FROM:  # it only repeats what was told
                self._seq = self.table.seq
        for due in self._due if frame.told else ():
            due.told_since = True
        self._believe(frame, at, hands)
        began = time.process_time()
        report = self._camera.take(picture, stream=True, at=at)
        spent = time.process_time() - began
        blurred = "blurred" in report.frame.health.get("faults", ())
        self.verdict.called_blurred += blurred and not self._blurred
        self._blurred = blurred
        self.verdict.cpu += spent
        self.verdict.seconds += 1 / RATE
        self._heard(at, spent)
        self._answer(at)

    def finish(self) -> Verdict:
        """The film is over."""
        verdict, truth = self.verdict, self._truth or Known()
        self._now = known_of(self.table.ledger)
        left = list(self._now.plays)
        for play in truth.plays:
            if play in left:
                left.remove(play)
                verdict.right += 1
            else:
                verdict.wrong.append(f"not known: {_said(play)}")
        verdict.plays, verdict.extra = len(truth.plays), len(left)
        verdict.wrong += [f"not so: {_said(play)}" for play in left]
        verdict.scores_right = (truth.scores, truth.table) == (self._now.scores, self._now.table)
        if not verdict.scores_right:
            told, true = self._now, truth
            verdict.wrong.append(
                f"at the end {dict(told.scores)} {told.table or ''},"
                f" not {dict(true.scores)} {true.table or ''}"
            )
        if truth.to_move != self._now.to_move and not self._over:
            verdict.turns_wrong.append(
                f"at the end {' and '.join(self._now.to_move)}, not {' and '.join(truth.to_move)}"
            )
        verdict.misspoken += self._hearing.faults()
        verdict.wrong += [
            f"still asked though answered: {' '.join(name)}"
            for name, asked in self._asked.items()
            if asked.answered
        ]
        verdict.wrong += [
            f"never told: {', '.join(_said(p) for p in d.added) or 'a take-back'}"
            for d in self._due
        ]
        return verdict

    def _believe(self, frame: Frame, at: float, hands: frozenset[int]) -> None:
        self._over = frame.over
        before, self._truth = self._truth, frame.known
        self._was_true |= set(frame.known.plays)
        self._hearing.believe(before or Known(), frame.known)
        if before is not None and before.plays != frame.known.plays:
            old, new = set(before.plays), set(frame.known.plays)
            due = _Due(frozenset(new - old), frozenset(old - new), frame.known)
            # what was undone before it could be told need not be told
            self._due = [d for d in self._due if d.added <= new and not d.gone & new]
            self._due.append(due)
            self.verdict.changes += 1
        for due in self._due:
            changed = due.added | due.gone
            boards = {p.player in self._beyond for p in changed} if self._beyond else hands
            if due.left is None and not hands & boards:
                due.left = at

    def _heard(self, at: float, spent: float, *, answered: bool = False) -> None:
        if self.table.seq != self._seq:
            self._hearing.hear(self._said_since(self._seq), at)
            self._seq = self.table.seq
            before, self._now = self._now, known_of(self.table.ledger, self.table.held_photo)
            changed = self._changed(before, at)
            if answered:  # what an answer calls for may be said, and what it changes was said
                self._hearing.drop(since=0.0 if changed else at)
            (self.verdict.put_right if answered else self.verdict.withdrawn).extend(changed)
        for due in list(self._due):
            if not due.is_told(self._now):
                continue
            self._due.remove(due)
            self._judge_turn(due, at)
            if due.left is None:
                self.verdict.under_hand += 1
            else:
                self.verdict.waits.append(at - due.left + spent)
                self.verdict.costs.append(spent)

    def _said_since(self, seq: int) -> list[str]:
        """What was said in the steps after one, but for the questions themselves."""
        lines: list[str] = []
        for step in self.table.steps[seq:]:
            asked = [step.data.get("line", {}).get("question"), *step.data.get("letters", ())]
            prompts = [question["prompt"] for question in asked if question]
            lines += [line for line in step.data.get("say") or () if line not in prompts]
        return lines

    def _judge_turn(self, due: _Due, at: float) -> None:
        """Whose turn it is as soon as a play is known, where nothing else has happened since."""
        now, true = self._now, due.known
        if due.told_since or set(now.plays) != set(true.plays) or now.to_move == true.to_move:
            return
        after = ", ".join(map(_said, due.added)) or "a take-back"
        movers = f"{' and '.join(now.to_move)}, not {' and '.join(true.to_move)}"
        self.verdict.turns_wrong.append(f"{at:.1f} s: after {after}: {movers}")

    def _changed(self, before: Known, at: float) -> list[str]:
        """Plays that were announced and are not so now, but for what was taken up, in words."""
        true = set(self._truth.plays) if self._truth else set()
        gone = [p for p in before.plays if p not in self._now.plays]
        return [f"{at:.1f} s: {_said(p)}" for p in gone if p in true or p not in self._was_true]

    def _answer(self, at: float) -> None:
        """Questions are answered some time after they came, if they are still open.

        One that was closed and comes again, for another play or the same, is asked anew.
        """
        asked = {_name(q): q for q in self.table.questions()}
        self._asked = {name: known for name, known in self._asked.items() if name in asked}
        for name, question in asked.items():
            if name not in self._asked:
                self._asked[name] = _Open(at, self._truth or Known(), self._noted(question, at))
            known = self._asked[name]
            if known.answered or self._is_moot(question) or not question["choices"]:
                continue
            if at - known.since < ANSWER_S:
                continue
            known.answered = True
            value = self._true_answer(question, known.truth)
            if question["field"] == "blank" and self._shown_at(str(question["square"])) == value:
                known.place = self._noted({**question, "field": "letter"}, at)
                question = {**question, "field": "letter"}  # it is none: people put that right
            outcome = self.table.act(_answer_to(question, value), HOST)
            if isinstance(outcome, Refused):
                refused = f"{at:.1f} s: answer {value!r} refused: {outcome.message}"
                self.verdict.wrong.append(refused)
            elif known.place is not None:
                self.verdict.questions[known.place] += f" -> {value}"
            self._heard(at, 0.0, answered=True)

    def _noted(self, question: Mapping[str, Any], at: float) -> int | None:
        """Count a question; its place in the list, of a blank's none."""
        if question["field"] == "blank":
            self.verdict.blanks += 1
            return None
        choices = " | ".join(map(str, question["choices"]))
        self.verdict.questions.append(f"{at:.1f} s: {question['prompt']} [{choices}]")
        return len(self.verdict.questions) - 1

    def _is_moot(self, question: Mapping[str, Any]) -> bool:
        """Whether nobody can say: of a tile that does not lie there yet, of a blank's letter.

        A tile with a letter that is taken for a blank is put right, once.
        """
        field, square = question["field"], question["square"]
        if field not in ("blank", "letter"):
            return False
        shown = self._shown_at(str(square))
        if field == "letter" or not shown:
            return shown in ("", UNKNOWN_BLANK)
        return shown != UNKNOWN_BLANK and any(n[:2] == ("letter", square) for n in self._asked)

    def _true_answer(self, question: Mapping[str, Any], truth: Known) -> str:
        """The choice after which the table knows most of what is true.

        Args:
            question: as a page shows it.
            truth: what was true when it was asked: people may have gone on since.
        """
        choices = [str(c) for c in question["choices"]]
        if question["field"] == "blank":
            shown = self._shown_at(str(question["square"]))
            return choices[0] if shown == UNKNOWN_BLANK else shown
        if question["field"] == "tile":
            known = known_of(self.table.ledger).plays
            missing = [p.word for p in truth.plays if len(p.word) == 1 and p not in known]
            return missing[0] if missing else choices[0]
        if question["field"] == "letter":  # the page also takes another letter than those offered
            return self._shown_at(str(question["square"]))
        ends = [c for c in choices if any(y in c.lower() for y in YES)]
        goes_on = [c for c in choices if c not in ends]
        if ends and goes_on:
            return ends[0] if self._over else goes_on[0]
        return max(choices, key=lambda c: (self._agreement(question, c, truth), -choices.index(c)))

    def _lying(self) -> dict[str, str]:
        """What truly lies on each square; with two boards they are named as `2:H8`."""
        number = ("1:", "2:") if self._beyond else ("", "")
        return {
            f"{number[p.player in self._beyond]}{s}": x
            for p in (self._truth or Known()).plays
            for s, x in p.tiles
        }

    def _shown_at(self, square: str) -> str:
        """What the tile shows of which the page shows the picture, wherever row A is thought.

        Nothing where none lies.
        """
        lying = self._lying()
        tracker = self.table.known.tracker
        if not isinstance(tracker, BoardTracker):
            return lying.get(square, "")
        rows = tracker.lying.rows

        def turned(quarters: int) -> dict[str, str]:
            places = {turned_square(s, rows, quarters): s for s in tracker.lying.tiles}
            return {name_of(s, rows): name_of(at, rows) for at, s in places.items()}

        ways = [turned(k) for k in range(4)]
        best = max(range(4), key=lambda k: (sum(x in lying for x in ways[k].values()), -k))
        return lying.get(ways[best].get(square, square), "")

    def _agreement(
        self, question: Mapping[str, Any], value: str, truth: Known
    ) -> tuple[int, int, int]:
        observer = self.table.known.copy()
        verdict = observer.tracker.tell(_answer_to(question, value))
        if isinstance(verdict, Refused):
            return (-99, 0, 0)
        known = known_of(observer.tracker.ledger)
        same = sum(p in truth.plays for p in known.plays)
        extra = len(known.plays) - same
        return (same - extra, known.scores == truth.scores, known.to_move == truth.to_move)


def _name(question: Mapping[str, Any]) -> Asked:
    square, photo = question.get("square"), question.get("photo")
    return str(question["field"]), str(square), str(photo)


def _answer_to(question: Mapping[str, Any], value: str) -> Action:
    data = {"field": question["field"], "square": question.get("square"), "value": value}
    data |= {key: question[key] for key in ("photo", "board") if key in question}
    return Action("answer", None, None, data)


def _said(play: KnownPlay) -> str:
    tiles = " ".join(f"{s}={x}" for s, x in sorted(play.tiles))
    return f"{play.player}: {play.word or tiles}"


@dataclass(frozen=True)
class Shot:
    """One picture of a film.

    Attributes:
        frame: what it shows and what is true.
        picture: (h, w, 3) BGR.
        hands: over which boards a hand or a thing is, by their numbers.
    """

    frame: Frame
    picture: Any
    hands: frozenset[int]


def shots(table: Filmed, frames: Iterable[Frame]) -> Iterator[Shot]:
    """A film, drawn picture by picture."""
    for number, frame in enumerate(frames):
        picture, covered = table.picture(frame.scene, number)
        areas = enumerate(table.play_areas(frame.scene) if frame.scene.poses else ())
        yield Shot(frame, picture, frozenset(k for k, area in areas if (covered & area).any()))


def judged(session: Session, order: Order, film: str, drawn: Iterable[Shot]) -> Verdict:
    """Show a film to a table of its own."""
    judge = Judge(session, order, film)
    for number, shot in enumerate(drawn):
        judge.see(shot.frame, shot.picture, number / RATE, shot.hands)
    return judge.finish()


def summary(verdicts: list[Verdict]) -> dict[str, Any]:
    """All films together."""
    waits = sorted(w for v in verdicts for w in v.waits)
    plays, films = sum(v.plays for v in verdicts), max(1, len(verdicts))
    return {
        "films": len(verdicts),
        "faultless": sum(v.faultless for v in verdicts),
        "plays": plays,
        "plays_right": round(sum(v.right for v in verdicts) / max(1, plays), 4),
        "plays_extra": sum(v.extra for v in verdicts),
        "scores_right": round(sum(v.scores_right for v in verdicts) / films, 4),
        "questions_a_game": round(sum(len(v.questions) for v in verdicts) / films, 3),
        "wait_median_s": round(statistics.median(waits), 2) if waits else None,
        "wait_95_s": round(waits[int(0.95 * (len(waits) - 1))], 2) if waits else None,
        "told_under_hand": sum(v.under_hand for v in verdicts),
        "nothing_misspoken": round(sum(not v.misspoken for v in verdicts) / films, 4),
        "turns_right": round(sum(not v.turns_wrong for v in verdicts) / films, 4),
        "put_right": sum(len(v.put_right) for v in verdicts),
        "nothing_withdrawn": round(sum(v.kept for v in verdicts) / films, 4),
        "called_blurred": sum(v.called_blurred > 0 for v in verdicts),
        "video_s": round(sum(v.seconds for v in verdicts), 1),
        "cpu_share": round(
            sum(v.cpu for v in verdicts) / max(sum(v.seconds for v in verdicts), 1e-9), 3
        ),
    }
