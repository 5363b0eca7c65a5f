"""What `kibitz.read` gives: a photograph as read, with names for everything in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from kibitz.app.common.errors import PictureUnreadable, Problem
from kibitz.app.reading.lines import BoardLine, LooseLine, ReadLine, square_name

if TYPE_CHECKING:
    from kibitz.vision.frame import Picture
    from kibitz.vision.readings import PhotoReading

Point: TypeAlias = tuple[float, float]
"""x to the right and y down, in pixels, from the outer corner of the top left pixel."""

BLANK = "?"


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile on a board.

    Attributes:
        square: `H8`; on nine joined boards `4:H8`.
        letter: what is on it, `?` for a blank.
        blank: whether it is a blank.
        turn: quarter turns clockwise from upright as seen with row A at the top; None for a
            blank, which has no upright.
        colour: `a` or `b`, which of the tile colours on this board.
        confidence: the probability that all this is right, 0 to 1.
        corners: its square's four corners in the picture, those of row A's side first; none
            where several pictures were put together.
        board: which of the picture's boards it lies on, the first being 0.
    """

    square: str
    letter: str
    blank: bool
    turn: int | None
    colour: str
    confidence: float
    corners: tuple[Point, ...]
    board: int = 0


@dataclass(frozen=True, slots=True)
class ShipCard:
    """A ship card (Scrabbleship): its kind and the squares that it covers."""

    kind: str
    squares: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A board as read; a text for each row, row A first.

    Attributes:
        rows: `.` empty, a letter, `?` a blank, `#` cannot be seen now.
        turns: `.` no tile, `0` to `3` quarter turns clockwise, `?` a blank.
        tile_sets: `.` no tile, `a` or `b` the tile's colour.
        confidence: for each square the probability that what is said of it is right.
        ship_cards: ship cards on the board.
        corners: the playing area's outer corners: row A column 1, row A's last column, the last
            row's last column, the last row's column 1; none where several pictures were put
            together.
        quality: how well the grid of squares fits the picture, 0 to 1.
        top_certain: whether it is certain which edge is row A.
        mirrored: whether the picture shows it as in a mirror; it is read as it is meant.
        number: which of the picture's boards it is, the first being 0.
    """

    rows: tuple[str, ...]
    turns: tuple[str, ...]
    tile_sets: tuple[str, ...]
    confidence: tuple[tuple[float, ...], ...]
    ship_cards: tuple[ShipCard, ...] = ()
    corners: tuple[Point, ...] = ()
    quality: float = 1.0
    top_certain: bool = True
    mirrored: bool = False
    number: int = 0

    @property
    def size(self) -> int:
        """Squares along one side."""
        return len(self.rows)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Every tile that was read, row by row; squares that cannot be seen hold none."""
        return tuple(self._tiles())

    def _tiles(self) -> Iterator[Tile]:
        outlines = self._outlines()
        for r, row in enumerate(self.rows):
            for c, letter in enumerate(row):
                if letter in ".#":
                    continue
                turn = self.turns[r][c]
                yield Tile(
                    square=square_name(r, c, self.size),
                    letter=letter,
                    blank=letter == BLANK,
                    turn=int(turn) if turn.isdecimal() else None,
                    colour=self.tile_sets[r][c],
                    confidence=self.confidence[r][c],
                    corners=outlines.get((r, c), ()),
                    board=self.number,
                )

    def _outlines(self) -> Mapping[tuple[int, int], tuple[Point, ...]]:
        """The corners of every square with a tile, in the picture."""
        if not self.corners:
            return {}
        import numpy as np

        from kibitz.vision.overlay import on_picture

        there = [
            (r, c) for r, row in enumerate(self.rows) for c, x in enumerate(row) if x not in ".#"
        ]
        if not there:
            return {}
        around = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
        points = np.concatenate([around + np.array((c, r)) for r, c in there])
        shown = on_picture(np.array(self.corners), self.size, points).reshape(-1, 4, 2)
        return {
            square: tuple((float(x), float(y)) for x, y in outline)
            for square, outline in zip(there, shown, strict=True)
        }


@dataclass(frozen=True, slots=True)
class LooseTile:
    """A tile that lies on no board.

    Attributes:
        letter: what is on it, `?` for a blank or where its back is up.
        face_up: whether its face shows.
        centre: of its top face.
        angle_deg: clockwise from upright in the picture, from 0 to below 360.
        confidence: the probability that letter and face are right, 0 to 1.
    """

    letter: str
    face_up: bool
    centre: Point
    angle_deg: float
    confidence: float


@dataclass(frozen=True, slots=True)
class LooseWord:
    """Loose tiles lined up into a word.

    Attributes:
        text: the word as it lies there.
        tiles: its tiles' places in `Reading.loose`, in reading order.
        facing_deg: the direction from which they are upright; 0 is upright in the picture.
    """

    text: str
    tiles: tuple[int, ...]
    facing_deg: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Reading:
    """All that one picture shows. `print` draws it.

    Attributes:
        file: the picture's name.
        boards: from left to right, then from top to bottom.
        loose: tiles that lie on no board.
        words: loose tiles lined up.
        ms: the milliseconds of each stage: `decode`, `locate`, `read`.
        error: why nothing could be read; only `kibitz.read_all` gives such readings.
        overlay_file: where the picture was written with what was read drawn on it.
    """

    file: str
    boards: tuple[Board, ...]
    loose: tuple[LooseTile, ...]
    words: tuple[LooseWord, ...]
    ms: Mapping[str, float]
    error: Problem | None
    overlay_file: str | None
    _line: ReadLine = field(repr=False)
    _found: PhotoReading | None = field(default=None, repr=False)
    _picture: Picture | bytes | None = field(default=None, repr=False)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles of every board."""
        return tuple(tile for board in self.boards for tile in board.tiles)

    @property
    def mirrored(self) -> bool:
        """Whether loose tiles are seen as in a mirror; of a board `Board.mirrored` says it."""
        return self._line.get("mirrored", False)

    @property
    def quality(self) -> float | None:
        """How well the worst board's squares fit the picture, 0 to 1; None without a board."""
        return min((board.quality for board in self.boards), default=None)

    @property
    def advice(self) -> tuple[str, ...]:
        """What people can do about light, sharpness, framing and tile set; nothing if all is well.

        Raises:
            PictureUnreadable: the picture is no longer where it was read from.
        """
        if self._found is None or not self.boards:
            return tuple(self._line.get("advice", ()))
        from kibitz.app.reading.frames import judged
        from kibitz.calibration.board_geometry import Pyramid

        return judged(Pyramid(self._pixels()), self._found)[0]

    def overlay(self) -> Picture:
        """The picture with what was read drawn on it, (h, w, 3) uint8 BGR.

        Raises:
            PictureUnreadable: nothing was read, several pictures were put together, or the
                picture is no longer where it was read from.
        """
        if self._found is None:
            raise PictureUnreadable(
                self.file, "nothing_to_draw", f"{self.file}: there is no reading of one picture"
            )
        from kibitz.vision.overlay import draw_overlay

        return draw_overlay(self._pixels(), self._found)

    def _pixels(self) -> Picture:
        from kibitz.vision.frame import PictureError, decode_picture, load_picture

        try:
            if self._picture is None:
                return load_picture(self.file)[0]
            if isinstance(self._picture, bytes):
                return decode_picture(self._picture, self.file)
        except PictureError as error:
            raise PictureUnreadable(self.file, error.code, error.message) from error
        return self._picture

    def to_json(self) -> ReadLine:
        """The line of `kibitz read --json`, as a dictionary of its own."""
        return deepcopy(self._line)

    def draw(self, *, colours: bool = False) -> str:
        """The boards as text, as the command line shows them; doubtful letters in colour."""
        from kibitz.app.face.drawing import draw_reading

        return draw_reading(self._line, colours=colours)

    def __repr__(self) -> str:
        return self.draw()

    def with_picture(self, picture: Picture | bytes) -> Reading:
        """The same with its picture kept, so that it need not be opened again."""
        return replace(self, _picture=picture)


def reading_of(line: ReadLine, found: PhotoReading | None = None) -> Reading:
    """A line of `kibitz read --json` with names for everything in it.

    Args:
        line: the line.
        found: what it was made of, where it is of one picture; needed for drawing.
    """
    error = line["error"]
    return Reading(
        file=line["file"],
        boards=tuple(_board(board, n) for n, board in enumerate(line["boards"])),
        loose=tuple(map(_loose, line["loose"])),
        words=tuple(
            LooseWord(w["text"], tuple(w["tiles"]), w["facing_deg"]) for w in line["words"]
        ),
        ms=line["ms"],
        error=None if error is None else Problem(error["code"], error["message"]),
        overlay_file=line.get("overlay"),
        _line=line,
        _found=found,
    )


def _board(line: BoardLine, number: int) -> Board:
    return Board(
        rows=tuple(line["rows"]),
        turns=tuple(line["turns"]),
        tile_sets=tuple(line["tile_set"]),
        confidence=tuple(map(tuple, line["confidence"])),
        ship_cards=tuple(ShipCard(m["kind"], tuple(m["squares"])) for m in line["markers"]),
        corners=tuple((x, y) for x, y in line["corners_px"] or ()),
        quality=line.get("quality", 1.0),
        top_certain=line.get("top_certain", True),
        mirrored=line.get("mirrored", False),
        number=number,
    )


def _loose(line: LooseLine) -> LooseTile:
    x, y = line["centre_px"]
    return LooseTile(
        line["letter"], line["face_up"], (x, y), line["angle_deg"], line["confidence"]
    )
