"""Films whole games with our own renderer, shows them to a live table, and scores it.

    python tests/measures/live_video.py [--games 5] [--plays 13] [--save FOLDER]

Prints one line a game and one for all: how many plays and take-backs were told right, what was
told that was not so, and how many seconds of video passed from the hand's leaving the board to
the announcement. The video runs as fast as it is drawn; all times are the video's own.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from kibitz.app.common.materials.named import counts_of, make_materials
from kibitz.app.common.storage.tables import Storage
from kibitz.app.reading.frames import FrameReader, make_loader
from kibitz.app.server.session import Session
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.app.tables.table import Table
from kibitz.engine.rules import Action, Refused
from tests.filming.film_plays import Fate, PlannedPlay, plan_game
from tests.filming.film_stage import Stage
from tests.filming.film_story import RATE, Cue, Film, Manners

PLAYERS = ("Ann", "Bob")
HOST = Actor("host")
SHOW_LINES = False
TELLS = ("play", "several", "taken_back", "task_done")


@dataclass
class Score:
    """Result of one game's film.

    Attributes:
        plays: how many plays the film has.
        right: how many changes were told as they were, plays and take-backs.
        changes: how many there were.
        waits: seconds from the hand's leaving to the announcement, for each told right.
        wrong: what was told that was not so, or not told, in words.
        early: plays told before they were complete and put right by themselves.
        under_hand: changes told while the hand that made them still rested beside them.
        seconds: of video.
        with_hands: seconds with a hand over the board.
        cpu: seconds that looking and understanding took.
    """

    plays: int = 0
    challenges: int = 0
    right: int = 0
    changes: int = 0
    waits: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    early: int = 0
    under_hand: int = 0
    questions: int = 0
    seconds: float = 0.0
    with_hands: float = 0.0
    cpu: float = 0.0


def fates_of(rng: random.Random, plays: int) -> list[Fate]:
    """A fate for each play: one is challenged, one taken back, the others stay."""
    fates: list[Fate] = ["stays"] * plays
    spots = rng.sample(range(2, plays), 2)
    fates[spots[0]], fates[spots[1]] = "challenged", "taken_back"
    return fates


def planned(seed: int, plays: int) -> list[PlannedPlay]:
    """A random game; a play that does not stay is followed by one of the other player."""
    rng = random.Random(seed)
    lexicon: Any = make_materials("default", "en", {}).lexicon
    words = sorted(w for w in lexicon.words if 3 <= len(w) <= 7)
    counts = {k: v for k, v in counts_of("en").items() if k != "?"}
    return plan_game(rng, words, lexicon, counts, fates_of(rng, plays))


class Watched:
    """A live table that is shown a film."""

    def __init__(self, session: Session, score: Score) -> None:
        order = Order("scrabble", PLAYERS, {"reject_invalid": False, "challenge": "double"})
        self.table: Table = session.tables.create(order).table
        self.camera = session.camera(self.table)
        self.score = score
        self.due: list[tuple[Cue, float]] = []
        self.coming: Cue | None = None

    def show(self, frame: Any, at: float) -> None:
        """Show one picture, and compare the announcements with those due."""
        began = time.process_time()
        report = self.camera.take(frame, stream=True, at=at)
        self.score.cpu += time.process_time() - began
        line = report.line
        if line is None:
            return
        if SHOW_LINES:
            print(f"{at:.1f} s", {k: line[k] for k in ("status", "play", "say")}, flush=True)
        if line["status"] in ("question", "board_changed") and line.get("play") is None:
            self.score.questions += 1
            self.score.wrong.append(f"{at:.1f} s: asked {line['question']}")
            return
        if line["status"] in TELLS or line.get("play"):
            self._judge(line, at)

    def _judge(self, line: Mapping[str, Any], at: float) -> None:
        play = line.get("play") or {}
        laid = {k: v.upper() for k, v in (play.get("tiles") or {}).items()}
        gone = set(play.get("removed") or ())
        coming = self.coming
        if coming is not None and _is(coming, laid, gone):
            # nothing of it is hidden, and it is complete: the hand only rests beside it
            self.coming = None
            self.score.right += 1
            self.score.under_hand += 1
            return
        if coming is not None and laid and not gone and laid.items() < _named(coming).items():
            self.score.early += 1
            return
        for cue, left in self.due:
            if _is(cue, laid, gone):
                self.due.remove((cue, left))
                self.score.right += 1
                self.score.waits.append(at - left)
                return
        wanted = [f"{cue.kind} {_named(cue)}" for cue, _ in self.due] or ["nothing"]
        due = ", ".join(wanted)
        self.score.wrong.append(f"{at:.1f} s: {line['status']} {laid or gone}, due was {due}")


def _named(cue: Cue) -> dict[str, str]:
    return {s.name: x for s, x in cue.tiles.items()}


def _is(cue: Cue, laid: Mapping[str, str], gone: set[str]) -> bool:
    """True if this is the expected announcement."""
    wanted = _named(cue)
    if cue.kind in ("lifts", "lifted"):
        return gone == set(wanted) and not laid
    return laid == wanted and not gone


def film_game(session: Session, seed: int, plays: int, manners: Manners | None = None,
              save: Path | None = None) -> Score:  # fmt: skip
    """Film one game and show it to a table of its own."""
    plan = planned(seed, plays)
    score = Score(plays=len(plan), challenges=sum(p.fate == "challenged" for p in plan))
    stage = Stage(seed)
    watched = Watched(session, score)
    leaving: Cue | None = None
    for number, (moment, cues) in enumerate(Film(stage, plan, seed, manners).moments()):
        at = number / RATE
        for cue in cues:
            if cue.kind == "challenge":
                said = Action("challenge", PLAYERS[cue.player])
                outcome = watched.table.act(said, HOST)
                if isinstance(outcome, Refused):
                    score.wrong.append(f"{at:.1f} s: challenge refused: {outcome.message}")
            elif cue.kind in ("begins", "lifts"):
                watched.coming = cue
            elif cue.kind in ("laid", "lifted"):
                leaving = cue
        picture, covered = stage.picture(moment, number)
        over_board = bool((covered & stage.board_mask(moment.moved)).any())
        score.seconds += 1 / RATE
        score.with_hands += over_board / RATE
        if leaving is not None and not over_board:
            if watched.coming is not None:
                watched.due.append((leaving, at))
            score.changes += 1
            leaving = watched.coming = None
        if save is not None:
            _save(save, seed, number, picture)
        watched.show(picture, at)
    score.wrong += [f"never told: {c.kind} {dict(c.tiles)}" for c, _ in watched.due]
    return score


def _save(folder: Path, seed: int, number: int, picture: Any) -> None:
    import cv2

    folder.mkdir(parents=True, exist_ok=True)
    small = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(folder / f"{seed}-{number:04d}.jpg"), small)


def summary(scores: list[Score]) -> dict[str, Any]:
    """Summary of all games."""
    waits = sorted(w for s in scores for w in s.waits)
    seconds = sum(s.seconds for s in scores)
    return {
        "games": len(scores),
        "plays": sum(s.plays for s in scores),
        "challenges": sum(s.challenges for s in scores),
        "changes": sum(s.changes for s in scores),
        "right": sum(s.right for s in scores),
        "wrong": sum(len(s.wrong) for s in scores),
        "told_early": sum(s.early for s in scores),
        "told_under_hand": sum(s.under_hand for s in scores),
        "video_s": round(seconds, 1),
        "hands": round(sum(s.with_hands for s in scores) / max(seconds, 1e-9), 3),
        "wait_median_s": round(statistics.median(waits), 2) if waits else None,
        "wait_95_s": round(waits[int(0.95 * (len(waits) - 1))], 2) if waits else None,
        "cpu_share": round(sum(s.cpu for s in scores) / max(seconds, 1e-9), 3),
    }


def filmed(
    seeds: list[int], plays: int, save: Path | None = None, models: Path | None = None
) -> Iterator[Score]:
    """Yield the scores of some games."""
    with tempfile.TemporaryDirectory(prefix="kibitz-film-") as folder:
        session = Session(Tables(Storage(folder)), FrameReader(make_loader(models)))
        try:
            for seed in seeds:
                yield film_game(session, seed, plays, save=save)
        finally:
            session.close()


def main() -> None:
    """Measure."""
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--games", type=int, default=5)
    ap.add_argument("--plays", type=int, default=13)
    ap.add_argument("--seed", type=int, default=100)
    ap.add_argument("--save", type=Path)
    ap.add_argument("--models", type=Path, help="a folder of weights; the built-in ones without")
    ap.add_argument("--lines", action="store_true", help="print every line as it is told")
    a = ap.parse_args()
    global SHOW_LINES
    SHOW_LINES = a.lines
    scores = []
    for score in filmed(list(range(a.seed, a.seed + a.games)), a.plays, a.save, a.models):
        scores.append(score)
        print(json.dumps(summary([score])), *score.wrong, sep="\n  ", flush=True)
    print(json.dumps(summary(scores)))


if __name__ == "__main__":
    main()
