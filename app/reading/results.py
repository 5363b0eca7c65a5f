"""Typed results of `kibitz.read`: a picture's reading, with names for everything in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from kibitz.app.common.errors import PictureUnreadable, Problem
from kibitz.app.reading.lines import confidence_of, remarks_on, rows_of, square_name, turns_of
from kibitz.app.wire.lines import BoardLine, LooseLine, PanelLine, ReadLine, ScriptLine, WordLine

if TYPE_CHECKING:
    from kibitz.vision.frame import Picture
    from kibitz.vision.readings import GridReading, PhotoReading
    from kibitz.vision.readings import LooseTile as SeenTile

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
    """A ship card (ScrabbleShip): its kind and the squares that it covers."""

    kind: str
    squares: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A board as read; one text for each row, row A first.

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
        thickness: how far above the board the tops of tiles were read, in squares; 0 where the
            view is too steep to tell.
        view_deg: the camera's angle above the table at the board's middle, if it is known.
        number: which of the picture's boards it is, the first being 0.
        panels: where several pictures were put together, what each of them showed.
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
    thickness: float = 0.0
    view_deg: float | None = None
    number: int = 0
    panels: tuple[PanelLine, ...] | None = None

    @property
    def size(self) -> int:
        """Squares along each side."""
        return len(self.rows)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Every tile that was read, row by row; squares that cannot be seen have none."""
        return tuple(self._tiles())

    def to_json(self) -> BoardLine:
        """The board in the form of `kibitz read --json`."""
        line: BoardLine = {
            "corners_px": [[x, y] for x, y in self.corners] if self.panels is None else None,
            "rows": list(self.rows),
            "turns": list(self.turns),
            "tile_set": list(self.tile_sets),
            "confidence": [list(row) for row in self.confidence],
            "markers": [{"kind": c.kind, "squares": list(c.squares)} for c in self.ship_cards],
        }
        if self.panels is None:
            line["top_certain"], line["quality"] = self.top_certain, self.quality
        else:
            line["panels"] = list(self.panels)
        if self.mirrored:
            line["mirrored"] = True
        if self.view_deg is not None:
            line["thickness_squares"], line["view_deg"] = self.thickness, self.view_deg
        return line

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
        """Corners in the picture of every square with a tile."""
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

    def to_json(self) -> LooseLine:
        """The tile in the form of `kibitz read --json`."""
        return {
            "letter": self.letter,
            "face_up": self.face_up,
            "centre_px": list(self.centre),
            "angle_deg": self.angle_deg,
            "confidence": self.confidence,
        }


@dataclass(frozen=True, slots=True)
class LooseWord:
    """Loose tiles in a row that form a word.

    Attributes:
        text: the word as it lies there.
        tiles: its tiles' places in `Reading.loose`, in reading order.
        facing_deg: the direction from which they are upright; 0 is upright in the picture.
    """

    text: str
    tiles: tuple[int, ...]
    facing_deg: float

    def to_json(self) -> WordLine:
        """The word in the form of `kibitz read --json`."""
        return {"text": self.text, "tiles": list(self.tiles), "facing_deg": self.facing_deg}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Reading:
    """Everything that one picture shows. `print` draws it.

    Attributes:
        file: the picture's name.
        boards: from left to right, then from top to bottom.
        loose: tiles that lie on no board.
        words: loose tiles lined up.
        ms: the milliseconds of each stage: `decode`, `locate`, `read`.
        error: why nothing could be read; only `kibitz.read_all` gives such readings.
        overlay_file: where the picture was written with what was read drawn on it.
        mirrored: whether loose tiles are seen as in a mirror; of a board `Board.mirrored` says it.
        script: the script of the tiles, where nobody told a tile set and it is another than usual.
        said: what is printed with it: what was noticed, and what to do where squares are hidden.
    """

    file: str
    boards: tuple[Board, ...]
    loose: tuple[LooseTile, ...]
    words: tuple[LooseWord, ...]
    ms: Mapping[str, float]
    error: Problem | None
    overlay_file: str | None
    mirrored: bool = False
    script: ScriptLine | None = None
    said: tuple[str, ...] = ()
    _found: PhotoReading | None = field(default=None, repr=False)
    _picture: Picture | bytes | None = field(default=None, repr=False)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles of every board."""
        return tuple(tile for board in self.boards for tile in board.tiles)

    @property
    def quality(self) -> float | None:
        """Fit of the worst board's squares to the picture, 0 to 1; None without a board."""
        return min((board.quality for board in self.boards), default=None)

    @property
    def advice(self) -> tuple[str, ...]:
        """Advice about light, sharpness, framing and tile set; empty if all is well.

        Raises:
            PictureUnreadable: the picture is no longer where it was read from.
        """
        if self._found is None or not self.boards:
            return self.said
        from kibitz.app.reading.frames import judge_frame
        from kibitz.calibration.board_geometry import Pyramid

        return judge_frame(Pyramid(self.picture()), self._found)[0]

    def overlay(self) -> Picture:
        """The picture with the reading drawn on it, (h, w, 3) uint8 BGR.

        Raises:
            PictureUnreadable: nothing was read, several pictures were put together, or the
                picture is no longer where it was read from.
        """
        if self._found is None:
            raise PictureUnreadable(
                self.file, "nothing_to_draw", f"{self.file}: there is no reading of one picture"
            )
        from kibitz.vision.overlay import draw_overlay

        return draw_overlay(self.picture(), self._found)

    def picture(self) -> Picture:
        """The picture that was read, upright, (h, w, 3) uint8 BGR.

        Raises:
            PictureUnreadable: it is no longer where it was read from.
        """
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
        """The line of `kibitz read --json`."""
        error = self.error
        line: ReadLine = {
            "file": self.file,
            "error": None if error is None else {"code": error.code, "message": error.message},
            "boards": [board.to_json() for board in self.boards],
            "loose": [tile.to_json() for tile in self.loose],
            "words": [word.to_json() for word in self.words],
            "ms": dict(self.ms),
        }
        if self.script is not None:
            line["script"] = self.script
        if self.mirrored:
            line["mirrored"] = True
        if self.said:
            line["advice"] = list(self.said)
        if self.overlay_file is not None:
            line["overlay"] = self.overlay_file
        return line

    def draw(self, *, colours: bool = False) -> str:
        """The boards as text, as the command line shows them; doubtful letters in colour."""
        from kibitz.app.reading.drawing import draw_reading

        return draw_reading(self, colours=colours)

    def __repr__(self) -> str:
        return self.draw()

    def to_travel(self) -> Reading:
        """A copy to be sent to another process, without what is computed on demand."""
        found = self._found
        if found is None:
            return self
        boards = tuple(replace(b, alike={}) for b in found.boards)
        return replace(self, _found=replace(found, boards=boards))

    def with_picture(self, picture: Picture | bytes) -> Reading:
        """A copy that keeps its picture, so that it need not be opened again."""
        return replace(self, _picture=picture)


def reading_of(
    file: str,
    found: PhotoReading | None,
    decode_ms: float = 0.0,
    *,
    code: str = "",
    message: str = "",
    advice: Sequence[str] = (),
) -> Reading:
    """Typed reading of a picture.

    Args:
        file: the picture's name.
        found: what was read; None where nothing could be, and then why not:
        code: the error's stable name.
        message: the same in words.
        decode_ms: the milliseconds that opening the picture took.
        advice: what can be done about the view, and what was noticed, where it was judged.
    """
    if found is None:
        return Reading(file, (), (), (), {}, Problem(code, message), None)
    script: ScriptLine | None = None
    if found.noticed is not None:
        first, *others = found.noticed.tile_sets
        script = {"name": found.noticed.script, "tiles": first, "others": others}
    ms = {"decode": decode_ms, **found.ms}
    return Reading(
        file=file,
        boards=tuple(board_of(board, n) for n, board in enumerate(found.boards)),
        loose=tuple(map(_loose, found.loose)),
        words=tuple(
            LooseWord(word.text, tuple(word.tiles), round(word.facing_deg % 360, 1) % 360)
            for word in found.words
        ),
        ms={stage: round(value, 2) for stage, value in ms.items()},
        error=None,
        overlay_file=None,
        mirrored=bool(found.mirrored),
        script=script,
        said=tuple(advice) or remarks_on(found),
        _found=found,
    )


def board_of(board: GridReading, number: int = 0) -> Board:
    """Typed board, with its number in the picture."""
    rows, size = rows_of(board), board.size
    return Board(
        rows=tuple(rows),
        turns=tuple(turns_of(board, rows)),
        tile_sets=tuple(
            "".join(
                "." if rows[r][c] in ".#" else _colour(str(board.tile_sets[r, c]))
                for c in range(size)
            )
            for r in range(size)
        ),
        confidence=tuple(map(tuple, confidence_of(board))),
        ship_cards=tuple(
            ShipCard(m.kind, tuple(square_name(r, c, size) for r, c in m.squares))
            for m in board.markers
        ),
        corners=tuple((round(float(x), 1), round(float(y), 1)) for x, y in board.corners_px),
        quality=round(float(board.quality), 3),
        top_certain=board.top_certain,
        mirrored=board.mirrored,
        thickness=round(board.lift, 2),
        view_deg=None if board.view_deg is None else round(board.view_deg, 1),
        number=number,
    )


def _colour(text: str) -> str:
    return text if text in ("a", "b") else "a"


def _loose(tile: SeenTile) -> LooseTile:
    x, y = tile.centre_px
    return LooseTile(
        tile.letter,
        tile.face_up,
        (round(x, 1), round(y, 1)),
        round(tile.angle_deg % 360, 1) % 360,
        round(float(tile.confidence), 4),
    )
