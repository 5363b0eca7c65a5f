"""Reads one picture: find, denoise, straighten, read."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_finder import BoardNotFound, in_reading_order
from kibitz.calibration.board_geometry import BoardGeometry, Picture, Pyramid
from kibitz.calibration.cut_off import BoardCutOff
from kibitz.calibration.outline import CELL_PX
from kibitz.engine.phrases import phrase
from kibitz.engine.table import JOINED_SIDE, SIDE
from kibitz.models.session import WEIGHTS, Model, load_board_model, load_model
from kibitz.vision.boards import mirror
from kibitz.vision.boards.colours.tile_colours import SquareColours
from kibitz.vision.boards.letters.close_look import Glyphs
from kibitz.vision.boards.letters.scripts import LowerCase, Scripts
from kibitz.vision.boards.letters.taught import Taught, learn, pictures_of
from kibitz.vision.boards.noise import without_noise
from kibitz.vision.boards.reader import BoardLook, assemble, squares_in_sight
from kibitz.vision.boards.square_logs import SquareLogs, best_quarter, hide, usable_letters
from kibitz.vision.boards.squares import squares_of
from kibitz.vision.locating import RULES, Locator, OtherSize, are_too_many
from kibitz.vision.readings import (
    SURE,
    TILE_KIND,
    Beyond,
    GridReading,
    NoticedScript,
    PhotoReading,
    stage_ms,
    swapped,
    turned_place,
)
from kibitz.vision.request import LATIN, Edge, ReadRequest
from kibitz.vision.square_reader import (
    OtherScript,
    SquareReader,
    as_panel,
    put_together,
    pyramid_of,
    tiles_on,
)

if TYPE_CHECKING:
    from kibitz.calibration.patch_finder import Patch

__all__ = ["BoardCutOff", "BoardNotFound", "OtherScript", "OtherSize", "Reader"]

DIRECTIONS: dict[str, tuple[float, float]] = {
    "top": (0, -1),
    "right": (1, 0),
    "bottom": (0, 1),
    "left": (-1, 0),
}
SMALLEST_PX: Final = CELL_PX * SIDE
"""No board is looked for in a smaller picture: the finder has not a cell for each square."""


class Reader:
    """All models, loaded once; `read` keeps nothing between calls.

    Attributes:
        locator: finds boards.
        squares: looks at the squares of a board that was found.
    """

    def __init__(self, models_dir: Path | None = None) -> None:
        folder = models_dir or WEIGHTS
        self._folder = folder
        self._glyphs = Glyphs(
            load_model("small_glyph", folder),
            load_model("glyph", folder),
            load_model("mark", folder),
            load_board_model(folder),
            load_model("sign", folder),
        )
        scripts = Scripts(self._glyphs.large)
        self.squares = SquareReader(
            load_model("reader", folder), self._glyphs, scripts, load_model("mirror", folder)
        )
        finder, lattice = load_model("finder", folder), load_model("lattice", folder)
        self.locator = Locator(finder, lattice, self.squares)
        self._loose: Model | None = None

    def read(self, picture: Picture | Pyramid, request: ReadRequest | None = None) -> PhotoReading:
        """Read everything that the picture shows.

        Args:
            picture: (h, w, 3) uint8 BGR, or its pyramid.
            request: what to look for.

        Raises:
            BoardNotFound: a board was asked for and none is there.
            ValueError: the picture has another shape.
        """
        request = request or ReadRequest()
        pyramid = picture if isinstance(picture, Pyramid) else pyramid_of(picture)
        try:
            return self._read(pyramid, request)
        except OtherScript as other:
            if request.told:
                raise
            letters = self.squares.letters_of(other.tile_sets[0])
            reading = self._read(pyramid, replace(request, letters=letters))
            return replace(reading, noticed=NoticedScript(other.script, other.tile_sets))

    def _read(self, pyramid: Pyramid, request: ReadRequest) -> PhotoReading:
        """As `read`."""
        height, width = pyramid.shape
        if request.squares == "loose":
            return self._read_loose(pyramid.level(0), request)
        if min(height, width) < SMALLEST_PX:
            raise BoardNotFound(
                phrase(
                    "The picture is only {width} x {height} pixels: a board needs about 150.",
                    width=width,
                    height=height,
                )
            )
        began = time.perf_counter()
        try:
            boards, panels = self.locator.locate(pyramid, request)
        except BoardNotFound as refused:
            if request.squares == JOINED_SIDE and request.corners is None:
                return self.read_parts(pyramid, request, began)
            return self._read_elsewhere(pyramid, request, refused, began)
        try:
            return self._read_located(pyramid, boards, panels, request, began)
        except BoardNotFound as refused:
            return self._read_elsewhere(pyramid, request, refused, began)

    def _read_elsewhere(
        self, picture: Pyramid, request: ReadRequest, refused: BoardNotFound, began: float
    ) -> PhotoReading:
        """Read a board at a less likely place, as the likeliest is none.

        Args:
            picture: the picture.
            request: what to look for.
            refused: why nothing is read there.
            began: when its reading began, in seconds of `time.perf_counter`.

        Raises:
            BoardNotFound: there is none either.
        """
        known = request.corners is not None or bool(request.hint) or request.part or request.film
        made_out = isinstance(refused, OtherScript)
        if not made_out and not known and request.squares in (SIDE, "auto"):
            for boards in self.locator.elsewhere(picture, request):
                try:
                    return self._read_located(picture, boards, [], request, began)
                except OtherScript:
                    raise
                except BoardNotFound:
                    continue
        raise refused

    def _read_located(
        self,
        pyramid: Pyramid,
        boards: list[BoardGeometry],
        panels: list[BoardGeometry],
        request: ReadRequest,
        began: float,
    ) -> PhotoReading:
        """Read boards that were found.

        Raises:
            BoardNotFound: none is one.
        """
        height, width = pyramid.shape
        located = time.perf_counter()
        if not request.film:  # a film's next frame has other noise
            pyramid = without_noise(pyramid, boards[0])
        if request.squares == JOINED_SIDE:
            readings: tuple[GridReading, ...] = (
                self._read_joined(pyramid, boards[0], panels, request),
            )
        else:
            readings = self._read_boards(pyramid, boards, request)
        ms = stage_ms(began, located, time.perf_counter())
        return PhotoReading(width, height, readings, ms=ms)

    def read_parts(self, picture: Pyramid, request: ReadRequest, began: float) -> PhotoReading:
        """Read a picture that shows only some of nine joined boards.

        Args:
            picture: the picture.
            request: what to look for.
            began: when its reading began, in seconds of `time.perf_counter`.

        Raises:
            BoardNotFound: not even one of them is found.
        """
        patch = self.locator.locate_parts(picture)
        located = time.perf_counter()
        seen = self.see_each(picture, list(patch.boards.values()), request)
        boards, beyond = self.tell_parts(patch, seen, request)
        done = time.perf_counter()
        ms = stage_ms(began, located, done)
        return PhotoReading(picture.shape[1], picture.shape[0], boards, ms=ms, beyond=beyond)

    def tell_parts(
        self, patch: Patch, seen: Sequence[BoardLook], request: ReadRequest
    ) -> tuple[tuple[GridReading, ...], tuple[Beyond, ...]]:
        """Every joined board in sight, all turned alike, and what lies beside them.

        Args:
            patch: where the boards lie.
            seen: what each of them shows, in the same order.
            request: what to look for.
        """
        labels = self.squares.labels(request)
        kinds = [logs.kind.copy() for _, _, logs in seen]
        for kind, (g, _, _) in zip(kinds, seen, strict=True):
            hide(kind, ~squares_in_sight(g))
        together = SquareLogs(
            np.concatenate(kinds), np.concatenate([logs.both for _, _, logs in seen])
        )
        quarters, certain = self._quarters(patch.boards[0, 0], together, labels, request)
        boards = []
        for place, kind, (g, colours, logs) in zip(patch.boards, kinds, seen, strict=True):
            known = replace(logs, kind=kind)
            board = assemble(g, colours, known, labels, quarters, top_certain=certain)
            boards.append(replace(board, place=turned_place(place, quarters)))
        beyond = (Beyond(turned_place(p, quarters), odds) for p, odds in patch.beyond.items())
        return tuple(boards), tuple(beyond)

    def _read_boards(
        self, picture: Pyramid, boards: list[BoardGeometry], request: ReadRequest
    ) -> tuple[GridReading, ...]:
        """Read boards; candidates from a search only if they are boards.

        Raises:
            BoardNotFound: none is.
        """
        seen = [(g, *self.squares.see(picture, g, request)) for g in in_reading_order(boards)]
        if request.corners is None and not request.hint and not request.part:
            seen = self.locator.boards_among(picture, seen, request)
        else:
            seen = self.squares.at_tops(picture, seen, request)
        sharp = [self._without_blur(picture, s, request) for s in seen]
        meant = [(p, self.squares.as_meant(p, s, request)[0]) for p, s in sharp]
        seen = [self.squares.discount_wrong_script(p, s, request) for p, s in meant]
        return tuple(self.tell(g, colours, logs, request) for g, colours, logs in seen)

    def _without_blur(
        self, picture: Pyramid, seen: BoardLook, request: ReadRequest
    ) -> tuple[Pyramid, BoardLook]:
        """A board and its picture, deblurred if its letters read better so.

        Raises:
            OtherScript: they are of another script than those that were told.
        """
        clear = None if request.film else self.squares.without_blur(picture, seen, request)
        if clear is None:
            return picture, seen
        sharp, least = clear
        again = seen[0], *self.squares.see(sharp, seen[0], request)
        before, now = (self.squares.reads(x[2], request) for x in (seen, again))
        if float(seen[2].tile.sum()) * (now - before) <= least:
            return picture, seen
        # in a mirror, or of another script, letters read badly without a blur
        if now < SURE.poor and self.squares.as_meant(picture, seen, request)[0] is not seen:
            return picture, seen
        return sharp, again

    def learn(
        self, pictures: Sequence[Picture], request: ReadRequest, order: Sequence[str]
    ) -> Taught:
        """Learn the look of tiles that lie on a board row by row, in one or more pictures.

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
            g = self.locator.locate(pyramid, request)[0][0]
            if request.corners is None:
                g = g.turned(nearest_edge(g, request.top or "top"))
            (g,) = self.squares.lifted(pyramid, [g], request)
            colours, logs = self.squares.see(
                pyramid, g, replace(request, letters=LATIN, taught=None)
            )
            labels = usable_letters(self.squares.first, LATIN)
            grid = assemble(g, colours, logs, labels, 0, top_certain=True)
            where = np.argwhere(grid.kind_log_prob.argmax(-1) == TILE_KIND)
            places.append(_places_of(g, where))
            if len(where) != len(order):
                rows = tuple(int(n) for n in np.bincount(where[:, 0]) if n)
                raise WrongCount(which, len(order), rows, places[which])
            cuts.append(squares_of(pyramid, g, where))
        letters = [*order] * len(cuts)
        taught = learn(np.concatenate(cuts), letters, self._glyphs.large)
        first = [order.index(letter) for letter in taught.labels]
        return replace(
            taught,
            pictures=pictures_of(cuts[0][first]),
            places=places[0][first],
            printed=self.squares.are_printed(np.concatenate(cuts), letters),
        )

    def tell(
        self, g: BoardGeometry, colours: SquareColours, logs: SquareLogs, request: ReadRequest
    ) -> GridReading:
        """Reading of a board, row A first."""
        labels = self.squares.labels(request)
        quarters, certain = self._quarters(g, logs, labels, request)
        board = assemble(g, colours, logs, labels, quarters, top_certain=certain)
        tiles = board.kind_log_prob.argmax(-1) == TILE_KIND
        if are_too_many(tiles):  # its squares look like tiles, as carved ones do
            hide(board.kind_log_prob, tiles)
        return board

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
        return quarters, lead > SURE.lead

    def _read_joined(
        self,
        picture: Pyramid,
        whole: BoardGeometry,
        panels: list[BoardGeometry],
        request: ReadRequest,
    ) -> GridReading:
        whole, seen, _ = self.see_joined(picture, whole, panels, request)
        colours, logs = put_together(seen)
        return self.tell(whole, colours, logs, request)

    def see_joined(
        self,
        picture: Pyramid,
        whole: BoardGeometry,
        panels: list[BoardGeometry],
        request: ReadRequest,
    ) -> tuple[BoardGeometry, list[BoardLook], bool]:
        """All nine joined boards, and each row by row; mirrored if that is likelier.

        Returns:
            Them, and whether their letters tell for certain which of the two it is.

        Raises:
            OtherScript: their letters are of another script than those that were told.
        """
        meant, seen = whole, self.see_each(picture, panels, request)
        lead = self.squares.lead_in_mirror(picture, seen, request)
        certain = lead < -SURE.lead
        if lead > SURE.lead:
            there = [panels[k - k % 3 + 2 - k % 3].mirrored() for k in range(9)]
            swapped = self.see_each(picture, there, request)
            logs, there_logs = put_together(seen)[1], put_together(swapped)[1]
            lead += mirror.lead_of_letters(logs, there_logs, self.squares.labels(request))
            here, so = (self.squares.reads(x, request) for x in (logs, there_logs))
            if mirror.is_mirrored(lead, here, so, goes_on=request.closely):
                meant, seen, certain = whole.mirrored(), swapped, True
        reads = self.squares.reads(put_together(seen)[1], request)
        self.squares.check_script(lambda: tiles_on(picture, seen), reads, request)
        return meant, seen, certain

    def see_each(
        self, picture: Pyramid, panels: list[BoardGeometry], request: ReadRequest
    ) -> list[BoardLook]:
        """Looks at some of nine joined boards, each by itself."""
        one_by_one = as_panel(request)
        lifted = self.squares.lifted(picture, panels, request)
        return [(g, *self.squares.see(picture, g, one_by_one)) for g in lifted]

    def _read_loose(self, picture: Picture, request: ReadRequest) -> PhotoReading:
        from kibitz.vision.loose import tiles as loose_tiles
        from kibitz.vision.loose.letters import by_looks, by_script, in_lower_case
        from kibitz.vision.loose.words import with_words

        if self._loose is None:
            self._loose = load_model("loose", self._folder)
        began = time.perf_counter()
        scripts, letters = self.squares.scripts, request.letters
        small = LowerCase.of(scripts, letters)
        if self.squares.by_script(request):
            reads = by_script(scripts, letters)
        elif request.small and small is not None:
            reads = in_lower_case(small)
        else:
            reads = by_looks(self._glyphs, letters, small)
        reads = replace(reads, mirror=self.squares.mirror)
        mirrored, seen = request.mirrored, swap_sides(picture) if request.mirrored else picture
        found = loose_tiles.read_loose(seen, self._loose, reads)
        if found.in_mirror > SURE.lead:
            there = swap_sides(seen)
            other = loose_tiles.read_loose(there, self._loose, reads)
            gained = len(found.tiles) * (other.reads - found.reads)
            lead, goes_on = found.in_mirror + gained, request.closely
            if mirror.is_mirrored(lead, found.reads, other.reads, goes_on=goes_on):
                mirrored, seen, found = not mirrored, there, other
        if not request.closely:  # a live table's frames may be blurred for a while
            worst = loose_tiles.worst_read(found.tiles)
            self.squares.check_loose(worst, partial(loose_tiles.faces_of, seen), request)
        height, width = picture.shape[:2]
        lower = found.small or request.small
        reading = PhotoReading(width, height, (), found.tiles, small=lower)
        reading = swapped(with_words(reading)) if mirrored else with_words(reading)
        return replace(reading, ms=stage_ms(began, found.located, time.perf_counter()))


def swap_sides(picture: Picture) -> Picture:
    """The picture with left and right swapped."""
    return np.ascontiguousarray(picture[:, ::-1])


def _places_of(g: BoardGeometry, where: NDArray[np.int64]) -> NDArray[np.float32]:
    """(N, 4, 2) corners of squares, (N, 2) rows and columns, as fractions of the picture."""
    around = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    px = g.to_px(where[:, None, ::-1] + around)
    return np.asarray(px / (g.width, g.height), np.float32)


class WrongCount(Exception):
    """Another number of tiles was found than had to be laid.

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


def nearest_edge(g: BoardGeometry, edge: Edge) -> int:
    """Side of a board (0: between its first two corners, clockwise) towards an edge."""
    c = g.corners_px
    sides = (c + np.roll(c, -1, axis=0)) / 2 - c.mean(0)
    return int(np.argmax(sides @ np.array(DIRECTIONS[edge])))
