"""From one picture to one reading: find, straighten, read."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.any_size import SIZE, find_lattice, find_sized, goes_on, resized
from kibitz.calibration.board_finder import (
    FINDER,
    BoardNotFound,
    find_boards,
    find_joined,
    in_reading_order,
)
from kibitz.calibration.board_geometry import (
    CORNERS,
    BoardGeometry,
    Picture,
    Pyramid,
    geometry_from_corners,
)
from kibitz.calibration.cut_off import (
    BoardCutOff,
    edges_of_picture,
    lay_on_lines,
    refusal,
    sides_cut,
)
from kibitz.calibration.lattice import refine
from kibitz.calibration.outline import masks_of
from kibitz.engine.parameters import checked, number
from kibitz.engine.table import JOINED_SIDE, SIDE
from kibitz.models.session import WEIGHTS, Model, load_board_model, load_model
from kibitz.vision.boards import mirror
from kibitz.vision.boards import reader as board_reader
from kibitz.vision.boards.board_print import BoardPrint, print_of
from kibitz.vision.boards.colours.tile_colours import SquareColours
from kibitz.vision.boards.letters.close_look import Glyphs
from kibitz.vision.boards.letters.taught import Taught, as_taught, learn, pictures_of
from kibitz.vision.boards.reader import assemble
from kibitz.vision.boards.square_logs import SquareLogs, best_quarter, usable_letters
from kibitz.vision.boards.squares import squares_of
from kibitz.vision.readings import SURE, TILE_KIND, GridReading, PhotoReading, stage_ms
from kibitz.vision.request import LATIN, Edge, ReadRequest

__all__ = ["BoardCutOff", "BoardNotFound", "Reader"]

DIRECTIONS: dict[str, tuple[float, float]] = {
    "top": (0, -1),
    "right": (1, 0),
    "bottom": (0, 1),
    "left": (-1, 0),
}
SMALLEST_PX: Final = 60
"""No board is looked for in a smaller picture."""


@dataclass(frozen=True, slots=True)
class BoardRules:
    """When what was found is a board, lies where it lay, and has its row A in a known place."""

    same_fit: float = number(
        0.75, "quality", 0.0, 1.0, "a board that fits better where it lay is still there"
    )
    same_size: float = number(
        1.25, "times", 1.0, 4.0, "if it is not so many times larger or smaller than before"
    )
    same_joined_fit: float = number(
        0.97, "quality", 0.0, 1.0, "one of joined boards: a slipped lattice fits a little worse"
    )
    least_sure: float = number(
        0.5, "share", 0.0, 1.0, "a board has a larger share of squares that are surely something"
    )
    most_tiles: int = number(
        120, "count", 1, 225, "more than any game's tiles are the letters of a puzzle"
    )
    agree: float = number(
        0.5, "squares", 0.0, 1.0, "a lattice and a board's lines that are no further apart agree"
    )
    row_a_lead: float = number(
        2.0, "nats", 0.0, 50.0, "tiles that lead by more make certain where row A is"
    )
    row_a_hint: float = number(
        0.5, "nats", 0.0, 50.0, "by less they say nothing: row A is nearest the picture's top"
    )

    def __post_init__(self) -> None:
        checked(self)


RULES = BoardRules()


def _still_it(now: BoardGeometry, before: BoardGeometry) -> bool:
    """Whether the board is still at its last place: it fits and has about the same size.

    Where a board was taken away, what lies there is at times taken for a far smaller one.
    """
    larger = now.square_px / before.square_px
    return now.quality > RULES.same_fit and 1 / RULES.same_size < larger < RULES.same_size


BoardLook = tuple[BoardGeometry, SquareColours, SquareLogs]
"""Where a board lies, itself straightened, and what its squares look like."""


class Reader:
    """The models, loaded once; `read` keeps nothing between calls."""

    def __init__(self, models_dir: Path | None = None) -> None:
        folder = models_dir or WEIGHTS
        self._folder = folder
        self._finder = load_model("finder", folder)
        self._lattice = load_model("lattice", folder)
        self._reader = load_model("reader", folder)
        self._glyphs = Glyphs(
            load_model("small_glyph", folder),
            load_model("glyph", folder),
            load_model("mark", folder),
            load_board_model(folder),
        )
        self._loose: Model | None = None

    def read(self, picture: Picture | Pyramid, request: ReadRequest | None = None) -> PhotoReading:
        """All that the picture shows.

        Args:
            picture: (h, w, 3) uint8 BGR, or its pyramid.
            request: what to look for.

        Raises:
            BoardNotFound: a board was asked for and none is there.
            ValueError: the picture has another shape.
        """
        request = request or ReadRequest()
        pyramid = picture if isinstance(picture, Pyramid) else pyramid_of(picture)
        height, width = pyramid.shape
        if request.squares == "loose":
            return self._read_loose(pyramid.level(0), request)
        if min(height, width) < SMALLEST_PX:
            raise BoardNotFound(
                f"the picture is only {width} x {height} pixels; a board needs about 150"
            )
        began = time.perf_counter()
        try:
            boards, panels = self.locate(pyramid, request)
        except BoardNotFound:
            if request.squares != JOINED_SIDE or request.corners is not None:
                raise
            return self.read_parts(pyramid, request, began)
        located = time.perf_counter()
        if request.squares == JOINED_SIDE:
            readings: tuple[GridReading, ...] = (
                self._read_joined(pyramid, boards[0], panels, request),
            )
        else:
            readings = self._read_boards(pyramid, boards, request)
        done = time.perf_counter()
        ms = stage_ms(began, located, done)
        return PhotoReading(width, height, readings, ms=ms)

    def locate(
        self, picture: Picture | Pyramid, request: ReadRequest
    ) -> tuple[list[BoardGeometry], list[BoardGeometry]]:
        """Boards, and for 45x45 the nine panels of the only one.

        Raises:
            BoardNotFound: there is none.
        """
        height, width = picture.shape[0], picture.shape[1]
        size = request.squares if isinstance(request.squares, int) else SIDE
        if request.corners is not None:
            corners = np.asarray(request.corners, float)
            if request.squares == "auto":
                told = find_lattice(picture, corners, masks_of(picture, self._finder))
                size = SIDE if told is None else told.size
            given = geometry_from_corners(corners, size, width, height)
            if size != JOINED_SIDE:
                return [given], []
            from kibitz.calibration.board_finder import panel_of

            return [given], [panel_of(given, k) for k in range(9)]
        if size == JOINED_SIDE:
            whole, panels = find_joined(picture, self._finder, self._lattice.run)
            return [whole], panels
        if request.part:
            return [self._locate_part(picture, request.hint)], []
        if request.hint and all(
            g.size == SIDE and (g.width, g.height) == (width, height) for g in request.hint
        ):
            again = [refine(picture, g, self._lattice.run) for g in request.hint]
            # What lies partly outside the picture is spread over what shows of it.
            inside = not any(map(edges_of_picture, request.hint))
            if inside and all(_still_it(g, h) for g, h in zip(again, request.hint, strict=True)):
                return self._where_they_show(picture, again, request), []
        if request.squares in (SIDE, "auto"):
            return self._locate_usual(picture, request), []
        sized = find_sized(picture, self._finder, size)
        if sized is None:
            raise BoardNotFound(
                f"no lattice of {size} squares a side is seen in the picture for certain; give "
                "the board's corners with --corners, or take the picture from straighter above"
            )
        return [sized], []

    def _locate_usual(
        self, picture: Picture | Pyramid, request: ReadRequest
    ) -> list[BoardGeometry]:
        """Boards of 15 squares a side; where the number is for their lines to tell, of others too.

        Raises:
            BoardNotFound: there is none, or it has another number of squares.
        """
        missing: BoardNotFound | None = None
        found: list[BoardGeometry] = []
        shown: list[BoardGeometry] = []
        try:
            found = find_boards(picture, self._finder, self._lattice.run)
            shown = self._where_they_show(picture, found, request)
        except BoardNotFound as error:
            missing = error
        # what was laid on its lines had been spread over what shows of it, or over more
        laid = bool(shown) and shown[0] is not found[0] and not goes_on(picture, shown[0])
        # a fixed camera's board keeps its number of squares
        if len(found) > 1 or request.hint or laid:
            if missing is not None:
                raise missing
            return shown
        if found and found[0].quality >= FINDER.plain_quality:
            other = (
                resized(picture, found[0], self._finder) if goes_on(picture, found[0]) else None
            )
        else:
            # who told the number is not made to wait for what is unlikely
            rule = SIZE if request.squares == "auto" else replace(SIZE, looks=1, others=0)
            other = find_sized(picture, self._finder, rule=rule)
        # lines that end where the picture ends say nothing of how many there are
        if other is not None and other.size != SIDE and other.shown_beside() > SIZE.beside:
            if request.squares == SIDE:
                raise OtherSize(other.size)
            return [other]
        if missing is None:
            return shown
        there = self._on_lines_alone(picture, missing.nearest, request)
        if there is None:
            raise missing
        return [there]

    def _on_lines_alone(
        self, picture: Picture | Pyramid, nearest: BoardGeometry | None, request: ReadRequest
    ) -> BoardGeometry | None:
        """A board that the picture cuts off so far that no lattice fits it, where its print is."""
        laid = None if nearest is None else lay_on_lines(picture, nearest)
        return None if laid is None else self._in_its_rows(picture, laid, None, request)

    def _where_they_show(
        self, picture: Picture | Pyramid, found: list[BoardGeometry], request: ReadRequest
    ) -> list[BoardGeometry]:
        """Boards, those that the picture cuts off in their right rows and columns.

        Raises:
            BoardCutOff: of none can be told which squares show.
        """
        out: list[BoardGeometry] = []
        unknown: list[BoardGeometry] = []
        for g in found:
            laid = lay_on_lines(picture, g)
            there = g if laid is None else self._in_its_rows(picture, laid, g, request)
            if there is not None:
                out.append(there)
            else:
                unknown.append(laid or g)
        if not out:
            raise refusal(unknown[0])
        return out

    def _in_its_rows(
        self,
        picture: Picture | Pyramid,
        laid: BoardGeometry,
        found: BoardGeometry | None,
        request: ReadRequest,
    ) -> BoardGeometry | None:
        """A board that is laid on its lines, moved by whole squares to where its print has it.

        Where lines and lattice agree, and the print does not contradict them, they are believed.

        Args:
            picture: the photograph.
            laid: the board on its lines.
            found: its lattice as it was found; None where none fits.
            request: what to look for.
        """
        left, top, right, bottom = sides_cut(laid)
        axes = left or right, top or bottom
        pyramid = picture if isinstance(picture, Pyramid) else Pyramid(picture)
        for _ in range(2):
            its = _print_of((laid, *self.see(pyramid, laid, request)))
            move = its.squares_off(axes)
            if move is None:
                if found is None:
                    return None
                agree = np.abs(found.to_lattice(laid.corners_px) - CORNERS).max() < RULES.agree
                return laid if agree and its.rows_off() is None else None
            if move == (0, 0):
                return laid
            dx, dy = move
            laid = laid.shifted(dx, dy)
        return None

    def _locate_part(
        self, picture: Picture | Pyramid, hint: tuple[BoardGeometry, ...]
    ) -> BoardGeometry:
        """One of nine joined boards, where it was last or nearest to the middle of the picture."""
        from kibitz.calibration.patch_finder import find_patch
        from kibitz.vision.boards.panels import central

        for before in hint:
            if before.size == SIDE and (before.width, before.height) == picture.shape[1::-1]:
                again = refine(picture, before, self._lattice.run, rounds=2, alone=False)
                if again.quality >= RULES.same_joined_fit:
                    return again
        return central(find_patch(picture, self._lattice.run), picture)

    def read_parts(self, picture: Pyramid, request: ReadRequest, began: float) -> PhotoReading:
        """A picture that shows only some of nine joined boards.

        Args:
            picture: the picture.
            request: what to look for.
            began: when its reading began, in seconds of `time.perf_counter`.

        Raises:
            BoardNotFound: not even one of them is found.
        """
        from kibitz.calibration.patch_finder import find_patch
        from kibitz.vision.boards.panels import read_patch

        patch = find_patch(picture, self._lattice.run)
        located = time.perf_counter()
        labels = self._labels(request)
        boards, beyond = read_patch(
            picture,
            patch,
            self._reader,
            self._glyphs,
            request.letters,
            lambda g, logs: self._quarters(g, logs, labels, request),
        )
        done = time.perf_counter()
        ms = stage_ms(began, located, done)
        return PhotoReading(picture.shape[1], picture.shape[0], boards, ms=ms, beyond=beyond)

    def _read_boards(
        self, picture: Pyramid, boards: list[BoardGeometry], request: ReadRequest
    ) -> tuple[GridReading, ...]:
        """Boards read, those that were looked for from nothing only if they are boards.

        Raises:
            BoardNotFound: none is.
        """
        seen = [(g, *self.see(picture, g, request)) for g in in_reading_order(boards)]
        if request.corners is None and not request.hint and not request.part:
            usual = [s for s in seen if s[0].size == SIDE]
            others = [(s, _print_of(s)) for s in seen if s[0].size != SIDE]
            told = self._on_their_print(picture, usual, request) if usual else []
            seen = _boards_among([*told, *others])
        seen = [self.as_meant(picture, s, request)[0] for s in seen]
        return tuple(self.tell(g, colours, logs, request) for g, colours, logs in seen)

    def _on_their_print(
        self, picture: Pyramid, seen: list[BoardLook], request: ReadRequest
    ) -> list[tuple[BoardLook, BoardPrint]]:
        """Boards as `_on_its_print` has them, without those whose place cannot be known.

        Raises:
            BoardCutOff: there are no others.
        """
        out: list[tuple[BoardLook, BoardPrint]] = []
        refused: BoardCutOff | None = None
        for one in seen:
            try:
                out.append(self._on_its_print(picture, one, request))
            except BoardCutOff as error:
                refused = error
        if refused is not None and not out:
            raise refused
        return out

    def _on_its_print(
        self, picture: Pyramid, seen: BoardLook, request: ReadRequest
    ) -> tuple[BoardLook, BoardPrint]:
        """A board, moved by whole squares where its print then lies as in a mirror, and that.

        Raises:
            BoardCutOff: it lies elsewhere, partly outside the picture, and does not fit there.
        """
        its = _print_of(seen)
        move = its.rows_off()
        if move is None:
            return seen, its
        dx, dy = move
        there = seen[0].shifted(dx, dy)
        fitted = refine(picture, there, self._lattice.run, rounds=2, alone=False)
        fitted = lay_on_lines(picture, fitted) or fitted
        again = fitted, *self.see(picture, fitted, request)
        moved = _print_of(again)
        if moved.lies_as_in_a_mirror():
            return again, moved
        laid = lay_on_lines(picture, there)
        if laid is None:
            return seen, its
        laid = replace(laid, quality=seen[0].quality)
        again = laid, *self.see(picture, laid, request)
        moved = _print_of(again)
        if not moved.lies_as_in_a_mirror():
            raise refusal(laid)
        return again, moved

    def as_meant(
        self, picture: Pyramid, seen: BoardLook, request: ReadRequest
    ) -> tuple[BoardLook, bool]:
        """A board as it was seen or, where its letters are likelier so, as in a mirror.

        Returns:
            That, and whether its letters tell for certain which of the two it is.
        """
        g, _, logs = seen
        if not self.may_be_mirrored(logs, request):
            return seen, False
        labels = self._labels(request)
        there = (g.mirrored(), *self.see(picture, g.mirrored(), request))
        lead = mirror.lead_in_mirror(logs, there[2], labels)
        return (there if lead > mirror.RULES.lead else seen), abs(lead) > mirror.RULES.lead

    def may_be_mirrored(self, logs: SquareLogs, request: ReadRequest) -> bool:
        """Whether a board's letters are so doubtful that it is to be read in a mirror too."""
        tell = request.known or request.taught is not None
        return tell and mirror.in_doubt(logs, self._labels(request))

    def see(
        self,
        picture: Pyramid,
        g: BoardGeometry,
        request: ReadRequest,
        known: board_reader.Known | None = None,
    ) -> tuple[SquareColours, SquareLogs]:
        """One board's colours and its squares' log probabilities, whichever way it lies."""
        taught = request.taught
        colours, logs = board_reader.read_board(
            picture,
            g,
            self._reader,
            self._glyphs,
            request.letters if taught is None else LATIN,
            closely=request.closely,
            known=known if taught is None else None,
        )
        if taught is not None:
            logs = as_taught(picture, g, logs, self._glyphs.large, taught)
        return colours, logs

    def _labels(self, request: ReadRequest) -> tuple[str, ...]:
        """What a tile of the set may be, in the order of log probabilities."""
        if request.taught is not None:
            return request.taught.labels
        return usable_letters(self._reader, request.letters)

    def learn(
        self, pictures: Sequence[Picture], request: ReadRequest, order: Sequence[str]
    ) -> Taught:
        """The look of tiles that lie on a board row by row, in one picture or several.

        Args:
            pictures: (h, w, 3) uint8 BGR each.
            request: what to look for; without `top` row A is nearest to the picture's top.
            order: what the tiles are, `?` a blank.

        Raises:
            BoardNotFound: there is no board.
            WrongCount: another number of tiles lies there.
        """
        cuts: list[NDArray[np.uint8]] = []
        places: list[NDArray[np.float32]] = []
        for which, picture in enumerate(pictures):
            pyramid = pyramid_of(picture)
            g = self.locate(pyramid, request)[0][0]
            if request.corners is None:
                g = g.turned(nearest_edge(g, request.top or "top"))
            colours, logs = self.see(pyramid, g, replace(request, letters=LATIN, taught=None))
            labels = usable_letters(self._reader, LATIN)
            told = assemble(g, colours, logs, labels, 0, top_certain=True)
            where = np.argwhere(told.kind_log_prob.argmax(-1) == TILE_KIND)
            places.append(_places_of(g, where))
            if len(where) != len(order):
                rows = tuple(int(n) for n in np.bincount(where[:, 0]) if n)
                raise WrongCount(which, len(order), rows, places[which])
            cuts.append(squares_of(pyramid, g, where))
        letters = [*order] * len(cuts)
        taught = learn(np.concatenate(cuts), letters, self._glyphs.large)
        first = [order.index(letter) for letter in taught.labels]
        return replace(taught, pictures=pictures_of(cuts[0][first]), places=places[0][first])

    def tell(
        self, g: BoardGeometry, colours: SquareColours, logs: SquareLogs, request: ReadRequest
    ) -> GridReading:
        """A board's reading with row A first."""
        labels = self._labels(request)
        quarters, certain = self._quarters(g, logs, labels, request)
        return assemble(g, colours, logs, labels, quarters, top_certain=certain)

    def _quarters(
        self, g: BoardGeometry, logs: SquareLogs, labels: tuple[str, ...], request: ReadRequest
    ) -> tuple[int, bool]:
        if request.corners is not None:
            return 0, True
        if request.top is not None:
            return nearest_edge(g, request.top), True
        quarters, lead = best_quarter(logs, labels)
        if lead <= RULES.row_a_hint:
            return nearest_edge(g, "top"), False
        return quarters, lead > RULES.row_a_lead

    def _read_joined(
        self,
        picture: Pyramid,
        whole: BoardGeometry,
        panels: list[BoardGeometry],
        request: ReadRequest,
    ) -> GridReading:
        whole, seen = self.see_joined(picture, whole, panels, request)
        colours, logs = put_together(seen)
        return self.tell(whole, colours, logs, request)

    def see_joined(
        self,
        picture: Pyramid,
        whole: BoardGeometry,
        panels: list[BoardGeometry],
        request: ReadRequest,
    ) -> tuple[BoardGeometry, list[BoardLook]]:
        """Nine joined boards row by row, and all of them; as in a mirror if that is likelier."""
        seen = self._see_each(picture, panels, request)
        logs = put_together(seen)[1]
        if self.may_be_mirrored(logs, request):
            there = [panels[k - k % 3 + 2 - k % 3].mirrored() for k in range(9)]
            swapped = self._see_each(picture, there, request)
            labels = self._labels(request)
            if mirror.lead_in_mirror(logs, put_together(swapped)[1], labels) > mirror.RULES.lead:
                return whole.mirrored(), swapped
        return whole, seen

    def _see_each(
        self, picture: Pyramid, panels: list[BoardGeometry], request: ReadRequest
    ) -> list[BoardLook]:
        one_by_one = as_panel(request)
        return [(g, *self.see(picture, g, one_by_one)) for g in panels]

    def _read_loose(self, picture: Picture, request: ReadRequest) -> PhotoReading:
        from kibitz.vision.loose import tiles as loose_tiles
        from kibitz.vision.loose.words import join_pieces, line_up

        if self._loose is None:
            self._loose = load_model("loose", self._folder)
        began = time.perf_counter()
        tiles, located = loose_tiles.read_loose(
            picture, self._loose, self._glyphs, request.letters
        )
        words = join_pieces(tiles, line_up(tiles))
        done = time.perf_counter()
        ms = stage_ms(began, located, done)
        return PhotoReading(picture.shape[1], picture.shape[0], (), tiles, words, ms)


def _places_of(g: BoardGeometry, where: NDArray[np.int64]) -> NDArray[np.float32]:
    """(N, 4, 2) the corners of squares, (N, 2) rows and columns, as parts of the picture."""
    around = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    px = g.to_px(where[:, None, ::-1] + around)
    return np.asarray(px / (g.width, g.height), np.float32)


class WrongCount(Exception):
    """Another number of tiles was found than was to be laid.

    `picture` says in which, counted from 0, `rows` how many lie in each row, and `places`,
    (N, 4, 2), the corners of each tile as parts of the picture's width and height.
    """

    def __init__(
        self,
        picture: int,
        expected: int,
        rows: tuple[int, ...],
        places: NDArray[np.float32],
    ) -> None:
        super().__init__(f"expected {expected} tiles, found {sum(rows)}")
        self.picture = picture
        self.expected = expected
        self.rows = rows
        self.places = places


class OtherSize(BoardNotFound):
    """A board has another number of squares a side than was asked for."""

    code = "other_size"

    def __init__(self, size: int) -> None:
        super().__init__(
            f"this board has {size} squares a side, not 15: read it with --squares {size}"
        )


def pyramid_of(picture: Picture) -> Pyramid:
    """A picture with its halves.

    Raises:
        ValueError: it has another shape than (h, w, 3) uint8.
    """
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
        raise ValueError(
            f"expected a picture of shape (h, w, 3) uint8, got {picture.shape} {picture.dtype}"
        )
    return Pyramid(picture)


def _print_of(seen: BoardLook) -> BoardPrint:
    return print_of(seen[1].straight, board_reader.SQUARE_PX, seen[2].kind)


def _boards_among(found: Iterable[tuple[BoardLook, BoardPrint]]) -> list[BoardLook]:
    """What was seen without crosswords, pages of letters and the like.

    Of their squares little is sure, or they do not look like their mirror images.

    Raises:
        BoardNotFound: none is left.
    """
    sure: list[float] = []
    told: list[tuple[BoardLook, BoardPrint]] = []
    for seen, its in found:
        best = seen[2].kind.max(-1)
        sure.append(np.count_nonzero(best > np.log(SURE.bare)) / best.size)
        if sure[-1] >= RULES.least_sure:
            told.append((seen, its))
    if not told:
        raise BoardNotFound(
            "something in the picture is ruled like a board, but what lies on its squares cannot "
            f"be told: {max(sure):.0%} of them are sure, {RULES.least_sure:.0%} are needed"
        )
    kept = [
        seen
        for seen, its in told
        if not its.of_no_board()
        and its.tiles <= RULES.most_tiles * max(1.0, (seen[0].size / SIDE) ** 2)
    ]
    if not kept:
        raise BoardNotFound(
            "something in the picture is ruled like a board, but its squares do not lie as in a "
            "mirror, as a board's premium squares do, or are too many letters; if it is a board, "
            "give its corners"
        )
    return kept


def as_panel(request: ReadRequest) -> ReadRequest:
    """What is asked of one of nine joined boards: of so many a first look has to do."""
    return replace(request, closely=False)


def put_together(seen: Sequence[BoardLook]) -> tuple[SquareColours, SquareLogs]:
    """Nine joined boards, row by row, as one: its colours and its squares' log probabilities."""
    logs = SquareLogs(_nine([x.kind for _, _, x in seen]), _nine([x.both for _, _, x in seen]))
    px = board_reader.SQUARE_PX
    straight = _nine([c.straight[px:-px, px:-px] for _, c, _ in seen])
    return SquareColours(np.pad(straight, ((px, px), (px, px), (0, 0))), px), logs


def _nine(parts: list[NDArray[Any]]) -> NDArray[Any]:
    """Nine arrays put together three by three."""
    return np.concatenate(
        [np.concatenate(parts[3 * r : 3 * r + 3], axis=1) for r in range(3)], axis=0
    )


def nearest_edge(g: BoardGeometry, edge: Edge) -> int:
    """Which side of a board (0: between its first two corners, clockwise) lies towards an edge."""
    c = g.corners_px
    sides = (c + np.roll(c, -1, axis=0)) / 2 - c.mean(0)
    return int(np.argmax(sides @ np.array(DIRECTIONS[edge])))
