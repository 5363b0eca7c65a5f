"""What looks at a live board: pictures and people's words go in, the game as known comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from kibitz.app.common.materials import counts_of
from kibitz.app.observers.board_views import BoardViews, align
from kibitz.app.observers.lines import photo_line
from kibitz.app.observers.panels import PanelOrder, PanelTable
from kibitz.app.observers.preview import Ahead, Preview
from kibitz.engine.record.ledger import Ledger, Opening
from kibitz.engine.rules import Action, Verdict
from kibitz.engine.table import Grid, grid_from_rows
from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.changes import BoardView, agreement
from kibitz.engine.tracking.expected import facing_grid, name_of, rules_grid, text_rows
from kibitz.engine.tracking.hypotheses import PHOTO, Capture, Finding, Hypothesis
from kibitz.engine.tracking.matching import HALF_LAID
from kibitz.engine.tracking.trial import has_strange_word
from kibitz.vision.readings import PhotoReading

DOUBTFUL = frozenset({"question", "board_changed", "covered", "unreadable"})
"""What a position may come to that more patience may clear up: a hand, a play half laid."""


class Watcher(Protocol):
    """The eyes of one table; each kind of surface has its own."""

    @property
    def ledger(self) -> Ledger:
        """The game as the most likely line has it."""
        ...

    @property
    def photos(self) -> int:
        """How many pictures were taken in."""
        ...

    def see(
        self, name: str, reading: PhotoReading | None, *, how: Capture = PHOTO
    ) -> dict[str, Any]:
        """Take in a settled picture; the line of `kibitz replay --json` for it."""
        ...

    def preview(self, reading: PhotoReading, *, how: Capture = PHOTO) -> Preview:
        """What a picture would come to; nothing is taken in."""
        ...

    def tell(self, action: Action) -> Verdict:
        """Take in what a person said or did."""
        ...

    def lying(self) -> list[str]:
        """What is thought to lie on the table, to be kept and given back to `restart`."""
        ...

    def restart(self, ledger: Ledger, lying: list[str] | None, photos: int) -> None:
        """Go on from a game and a position that are known: after undo, correction, a restart."""
        ...

    def tasks(self) -> list[dict[str, Any]]:
        """What the rules want done on the table and was not seen done yet."""
        ...


class BoardWatcher:
    """Looks at a game on one board."""

    def __init__(self, opening: Opening, tiles: str) -> None:
        self._counts = counts_of(tiles)
        self._tracker = BoardTracker(opening, self._counts)
        self._facing = opening.game.info.slug == "scrabble-house"
        self._panels = PanelTable(PanelOrder())
        self._views = BoardViews()
        self._ahead: Ahead[tuple[BoardTracker, PanelTable]] = Ahead()

    @property
    def ledger(self) -> Ledger:
        """The game as the most likely line has it."""
        return self._tracker.ledger

    @property
    def photos(self) -> int:
        """How many pictures were taken in."""
        return self._tracker.photos

    def see(
        self, name: str, reading: PhotoReading | None, *, how: Capture = PHOTO
    ) -> dict[str, Any]:
        """Take in a settled picture."""
        photo, before = self._tracker.photos, len(self.ledger.done)
        known = None if reading is None else self._ahead.take(reading, how)
        if known is not None:
            self._tracker, self._panels = known
        else:
            self._ahead.forget()
            view = None if reading is None else self._view_of(reading, self._panels)
            if view is None:
                self._tracker.see_nothing("unreadable")
            else:
                self._tracker.see(view, how)
        if len(self.ledger.done) != before:
            self._panels.played()
        return photo_line(name, self._tracker.best, photo, self._tracker.asked)

    def _view_of(self, reading: PhotoReading, panels: PanelTable) -> BoardView | None:
        """What the picture shows of the whole board; of nine joined ones it may show some."""
        lying = self._tracker.lying
        if reading.boards and lying.rows == 45 and all(b.size == 15 for b in reading.boards):
            return panels.look(reading, lying, fixed_top=False)
        found = align(reading.boards, lying, fixed_top=False, viewed=self._views.of)
        return None if found is None else found[0]

    def preview(self, reading: PhotoReading, *, how: Capture = PHOTO) -> Preview:
        """What a picture would come to; nothing is taken in."""
        tracker, before = self._tracker.copy(), self._tracker.ledger
        panels = self._panels.copy()
        view = self._view_of(reading, panels)
        if view is None:
            return Preview("unreadable", news=True, patience=True)
        lying = self._tracker.lying
        finding = tracker.see(view, how)
        self._ahead.keep(reading, how, (tracker, panels))
        after = tracker.ledger
        agrees = agreement(view, lying, lying.tiles)
        news = finding.status != "no_change" or after.done != before.done
        fresh = [d for d in after.done if d not in before.done]
        lexicon = after.opening.materials.lexicon
        phony = any(has_strange_word(d.verdict, lexicon) for d in fresh)
        asked = finding.question is not None and finding.question.field == "letter"
        patience = phony or asked or finding.status in DOUBTFUL
        half = finding.refused is not None and finding.refused.code in HALF_LAID
        return Preview(finding.status, news, patience, half, agrees)

    def tell(self, action: Action) -> Verdict:
        """Take in what a person said or did."""
        self._ahead.forget()
        return self._tracker.tell(action)

    def lying(self) -> list[str]:
        """The board as text."""
        return text_rows(self._tracker.lying, facing=self._facing)

    def restart(self, ledger: Ledger, lying: list[str] | None, photos: int) -> None:
        """Go on from a game and a position that are known."""
        tracker = BoardTracker(ledger.opening, self._counts)
        blind = tuple(Finding(i, "no_change") for i in range(photos))
        tracker.photos = photos
        tracker.hypotheses = [Hypothesis(ledger, self._grid(ledger, lying), findings=blind)]
        self._tracker = tracker
        self._ahead.forget()

    def _grid(self, ledger: Ledger, lying: list[str] | None) -> Grid:
        rules = rules_grid(ledger.game, ledger.state)
        if lying is None:
            return rules
        grid = facing_grid(lying) if self._facing else grid_from_rows(lying)
        # a tile that the rules know tells more than its text: colour, blank, turn
        known = {s: rules.tiles[s] for s in grid.tiles if s in rules.tiles}
        if self._facing:
            known = {s: replace(t, turn=grid.tiles[s].turn) for s, t in known.items()}
        return grid.with_tiles(known)

    def tasks(self) -> list[dict[str, Any]]:
        """Tiles to lift or turn, ship cards to lay, laid tiles that make no play."""
        return tasks_of(self._tracker.best)


def tasks_of(hypothesis: Hypothesis) -> list[dict[str, Any]]:
    """What the rules want done on a board and was not seen done yet."""
    facing = hypothesis.ledger.game.info.slug == "scrabble-house"
    rules, lying = rules_grid(hypothesis.ledger.game, hypothesis.state), hypothesis.lying
    size = lying.rows
    lift = [name_of(s, size) for s in sorted(lying.tiles) if s not in rules]
    turn = [
        name_of(s, size)
        for s, t in sorted(lying.tiles.items())
        if facing and s in rules and rules.tiles[s].turn != t.turn
    ]
    out: list[dict[str, Any]] = []
    if lift:
        out.append({"task": "lift", "squares": lift})
    if turn:
        out.append({"task": "turn", "squares": turn})
    out += [
        {"task": "lay_card", "squares": [name_of(s, size) for s in sorted(card)]}
        for card in hypothesis.cards
    ]
    waiting = hypothesis.waiting
    if waiting is not None and waiting.refused is not None:
        out.append(
            {
                "task": "refused",
                "code": waiting.refused.code,
                "message": waiting.refused.message,
                "squares": [name_of(s, size) for s in sorted(waiting.tiles)],
                "read": [waiting.tiles[s] for s in sorted(waiting.tiles)],
                **_words(waiting.refused.result),
            }
        )
    return out


def _words(result: Mapping[str, Any]) -> dict[str, Any]:
    bad = result.get("bad_words")
    return {"words": list(bad)} if bad else {}
