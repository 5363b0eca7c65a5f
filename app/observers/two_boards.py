"""Observes a game on two boards: which is which in a picture, and its line."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Final

import numpy as np

from kibitz.app.observers.board_views import BoardViews, RowA, align
from kibitz.app.observers.lines import (
    entries_of,
    photo_line,
    play_of,
    public_events,
    question_json,
    spoken_lines,
    state_at,
)
from kibitz.app.observers.observer import Look, Observer
from kibitz.app.wire.lines import FinalLine, PlayLine, ReplayLine
from kibitz.engine.phrases import phrase
from kibitz.engine.record.ledger import public_view
from kibitz.engine.table import Grid
from kibitz.engine.tracking.evidence.changes import BoardView, agreement
from kibitz.engine.tracking.evidence.facing import turned_view
from kibitz.engine.tracking.evidence.hypotheses import Finding
from kibitz.engine.tracking.two_board_tracker import TwoBoardTracker, TwoViews
from kibitz.vision.readings import GridReading, PhotoReading

Place = tuple[float, float]


AWAY: Final = 40.0
"""Nats against a board that lies where the other one lay."""


class TwoBoardObserver(Observer[TwoViews]):
    """Looks at both boards, in one picture or in turns."""

    def __init__(self, tracker: TwoBoardTracker, *, fixed_top: bool = False) -> None:
        self.tracker = tracker
        self._places = BoardPlaces()
        self._fixed_top = fixed_top

    def copy(self) -> TwoBoardObserver:
        """Another that knows the same; what it is shown changes only itself."""
        other = super().copy()
        other._places = self._places.copy()  # noqa: SLF001 - its like
        return other

    def look(self, reading: PhotoReading | None) -> Look[TwoViews]:
        """View of each board that was looked at in a picture, row A first."""
        if reading is None:
            return Look()
        boards, looked = reading.boards, reading.looked
        seen = self._places.assign(boards, self.tracker.lying, fixed_top=self._fixed_top)
        # what was read before is no second look
        seen = [x if x is not None and (looked is None or x[1] in looked) else None for x in seen]
        views = [None if x is None else x[0] for x in seen]
        if not any(views):
            return Look()
        return Look(views, next(x[1] for x in seen if x is not None))

    def line(self, file: str, photo: int, *, doubts: bool = False) -> ReplayLine:  # noqa: ARG002 - as of every observer
        """One picture of both boards as the interface has it; squares are named `2:H8`."""
        tracker = self.tracker
        boards, ledger = tracker.boards, tracker.ledger
        parts = [photo_line(file, board, photo) for board in boards]
        made = [p for k, part in enumerate(parts) if (p := _named(part["play"], k)) is not None]
        laid = [p for p in made if p["tiles"]]
        status = tracker.status_at(photo)
        done = entries_of(ledger, photo)
        say = spoken_lines(ledger, done, Finding(photo, status))
        for k, board in enumerate(boards):
            finding = board.best.findings[photo]
            said = [] if finding.unseen else spoken_lines(board.ledger, (), finding)
            say += [phrase("Board {number}: {line}", number=k + 1, line=x) for x in said]
        view = public_view(ledger.game, done[-1].state if done else state_at(ledger, photo))
        line: ReplayLine = {
            "file": file,
            "status": status,
            "play": _together(made),
            "question": question_json(tracker.question_at(photo)),
            "events": [event.to_json() for event in public_events(done)],
            "say": say,
            "board": view["board"],
            "boards": view["boards"],
        }
        if status == "several" or len(laid) > 1:
            line["plays"] = laid
        refused = [(k, p["refused"]) for k, p in enumerate(parts) if "refused" in p]
        if refused:
            k, first = refused[0]
            line["refused"] = {**first, "squares": [f"{k + 1}:{s}" for s in first["squares"]]}
        return line

    def final(self, files: Sequence[str], lines: Sequence[ReplayLine]) -> FinalLine:  # noqa: ARG002 - as of every observer
        """The last line: every play as known at the end, and the final state."""
        plays = []
        for photo, file in enumerate(files):
            made = [_named(play_of(b.best, photo), k) for k, b in enumerate(self.tracker.boards)]
            together = _together([p for p in made if p is not None])
            if together is not None:
                plays.append({"file": file, **together})
        ledger = self.tracker.ledger
        return {"final": {"plays": plays, **ledger.game.view(ledger.state, None)}}


class BoardPlaces:
    """Places of both boards in the pictures of a fixed camera."""

    def __init__(self) -> None:
        self._places: dict[int, Place] = {}
        self._views: defaultdict[int, BoardViews] = defaultdict(BoardViews)

    def copy(self) -> BoardPlaces:
        """Another with the same places."""
        other = BoardPlaces()
        other._places, other._views = dict(self._places), self._views
        return other

    def assign(
        self, readings: Sequence[GridReading], known: Sequence[Grid], *, fixed_top: bool
    ) -> list[tuple[BoardView, int] | None]:
        """View and reading index of each board; None where it is not seen.

        The tiles known and the place tell the boards apart; before there are any, board 1 is the
        one further left. No board in the picture is left out for what lies on it: all tiles may
        have been taken off.
        """
        best: tuple[int, float, list[tuple[BoardView, int] | None]] | None = None
        rows = {(k, index): RowA() for k in range(2) for index in range(len(readings))}
        views = {
            (k, index): align(
                (readings[index],),
                known[k],
                fixed_top=fixed_top,
                viewed=self._views[index].of,
                row_a=row_a,
            )
            for (k, index), row_a in rows.items()
        }
        slots: list[int | None] = [*range(len(readings)), None, None]
        for choice in sorted(set(permutations(slots, 2)), key=_left_first):
            found: list[tuple[BoardView, int] | None] = []
            weight = 0.0
            for k, index in enumerate(choice):
                if index is None:
                    found.append(None)
                    continue
                aligned = views[k, index]
                found.append(None if aligned is None else (aligned[0], index))
                if aligned is not None:
                    weight += agreement(aligned[0], known[k], known[k].tiles)
                    weight -= self._moved(k, readings[index])
            seen = sum(x is not None for x in found)
            likelier = best is None or weight > best[1] + np.finfo(np.float32).eps
            if best is None or seen > best[0] or (seen == best[0] and likelier):
                best = seen, weight, found
        taken: list[tuple[BoardView, int] | None] = [None, None] if best is None else best[2]
        if not fixed_top:
            taken = _same_way(taken, known, rows)
        for k, item in enumerate(taken):
            if item is not None:
                self._places[k] = _centre(readings[item[1]])
        return taken

    def _moved(self, board: int, reading: GridReading) -> float:
        """Penalty of a reading being this board, by its place."""
        here, side = _centre(reading), _side(reading)
        off = {k: min(1.0, math.dist(x, here) / side) for k, x in self._places.items()}
        if board in off:
            return AWAY * off[board]
        return AWAY * max((1.0 - x for x in off.values()), default=0.0)


def _same_way(
    taken: Sequence[tuple[BoardView, int] | None],
    known: Sequence[Grid],
    rows: Mapping[tuple[int, int], RowA],
) -> list[tuple[BoardView, int] | None]:
    """Views with row A at the same edge of both boards, as partners sit side by side (SH-2).

    A board of which nothing is known follows the other one: its first tiles may be North's.
    """
    out = list(taken)
    k = 0 if known[1].tiles and not known[0].tiles else 1
    mine, other = out[k], out[1 - k]
    if mine is None or other is None or known[k].tiles:
        return out
    along = _along_row_a(rows[1 - k, other[1]])
    own = _along_row_a(rows[k, mine[1]])
    # clockwise in the picture, whose second axis points down
    cross = own[0] * along[1] - own[1] * along[0]
    turned_by = math.atan2(cross, own[0] * along[0] + own[1] * along[1])
    out[k] = turned_view(mine[0], -round(turned_by / (math.pi / 2)) % 4), mine[1]
    return out


def _along_row_a(row_a: RowA) -> tuple[float, float]:
    """Direction of row A in the picture, in pixels."""
    corners = row_a.corners
    if corners is None:
        return 1.0, 0.0
    x, y = corners[1] - corners[0]
    return float(x), float(y)


def _left_first(choice: tuple[int | None, ...]) -> tuple[bool, ...] | tuple[int, ...]:
    return tuple(99 if n is None else n for n in choice)


def _centre(reading: GridReading) -> Place:
    x, y = np.asarray(reading.corners_px).mean(0)
    return float(x), float(y)


def _side(reading: GridReading) -> float:
    corners = np.asarray(reading.corners_px)
    return float(np.linalg.norm(corners[0] - corners[2])) / math.sqrt(2) or 1.0


def _named(play: PlayLine | None, board: int) -> PlayLine | None:
    """A play with its squares named by board; None stays None."""
    if play is None:
        return None
    return {
        **play,
        "tiles": {f"{board + 1}:{s}": x for s, x in play["tiles"].items()},
        "removed": [f"{board + 1}:{s}" for s in play["removed"]],
        "turned": [f"{board + 1}:{s}" for s in play["turned"]],
    }


def _together(plays: Sequence[PlayLine]) -> PlayLine | None:
    """Plays on both boards as one play; with a player only if they have the same."""
    if not plays:
        return None
    if len(plays) == 1:
        return plays[0]
    players = [p["player"] for p in plays if p["player"] is not None]
    return {
        **plays[0],
        "player": players[0] if len(players) == 1 else None,
        "tiles": {s: x for p in plays for s, x in p["tiles"].items()},
        "removed": [x for p in plays for x in p["removed"]],
        "turned": [x for p in plays for x in p["turned"]],
        "words": [x for p in plays for x in p["words"]],
    }
