"""Film of a kept game: for each picture the straightened board, scores, and the play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from kibitz.app.common.errors import CommandError, Option, UsageError
from kibitz.app.common.limits import WAITS
from kibitz.app.common.materials.named import letters_if_known
from kibitz.app.languages.catalogues import language_of_process, localized
from kibitz.app.observers.one_square import straight_board
from kibitz.app.reading.frames import FrameReader
from kibitz.app.reading.request import squares_of
from kibitz.app.tables.table import Table
from kibitz.engine.parameters import checked, number
from kibitz.engine.record.history import lines_said
from kibitz.engine.tracking.evidence.hypotheses import rules_grid
from kibitz.vision.frame import Picture, PictureError
from kibitz.vision.overlay import LETTERS
from kibitz.vision.request import ReadRequest

CODECS: Final = {".mp4": "vp09", ".webm": "VP80", ".avi": "MJPG"}
"""The codec for each kind of file; browsers play the first two."""
_FOLDER = Path(__file__).resolve().parents[2] / "web" / "fonts"
FONTS: Final = (
    *(_FOLDER / f"zilla-slab-{x}-400-normal.woff2" for x in ("latin", "latin-ext")),
    LETTERS,
)
"""The page's typeface; the second file has the rarer letters, the third those of other scripts."""
NO_LETTER: Final = "\uffff"
"""No typeface has it: what is drawn instead stands for every letter that is missing."""
_BACK, _TEXT, _SOFT, _BOLD = "#18201c", "#f4f0e6", "#aab4ac", "#ffd05c"


LARGE_PX: Final = 40
"""The type of names and points."""
SMALL_PX: Final = 24
"""The type of the title and of what was said."""
APART: Final = 1.4
"""Lines are so far from each other, in sizes of their type."""


RATE: Final = 2
"""Frames a second: each picture stands still, so more would only make the file larger."""
SIZE: Final = (1280, 720)
"""The film's pixels: what is called HD."""
EDGE_PX: Final = 32
"""Around the text."""


@dataclass(frozen=True, slots=True)
class FilmRule:
    """Layout of a film.

    Attributes:
        seconds: for which each picture is shown.
        rate: frames a second.
        width: of the film, in pixels.
        height: the same; the board is as high.
        edge: around the text, in pixels.
    """

    seconds: float = number(WAITS.shown_s, "s", 0.1, 600, "for which each picture is shown")
    rate: int = RATE
    width: int = SIZE[0]
    height: int = SIZE[1]
    edge: int = EDGE_PX

    def __post_init__(self) -> None:
        """Refuse numbers out of bounds."""
        checked(self)


@dataclass(frozen=True, slots=True)
class Scene:
    """Content of one kept picture's scene.

    Attributes:
        shot: (h, w, 3) uint8 BGR: the board straightened; the whole picture where there is none.
        scores: names with their points, in order.
        said: what was announced.
    """

    shot: Picture
    scores: tuple[tuple[str, str], ...]
    said: str


def scenes(table: Table, reader: FrameReader) -> Iterator[Scene]:
    """Yield a scene for each kept picture of a table, in order.

    Args:
        table: the table.
        reader: finds the board in each picture again.
    """
    game = table.ledger.game
    squares = squares_of(game.info)
    request = ReadRequest(squares, letters_if_known(table.setup.tiles))
    before = None
    for step in table.steps:
        data = table.picture(step.seq) if step.kind == "seen" and "photo" in step.data else None
        if data is None:
            continue
        done = [d for d in table.ledger.done if d.entry.photo <= int(step.data["photo"])]
        state = done[-1].state if done else table.ledger.start
        try:
            frame = before = reader.read(data, request, before)
        except PictureError:
            continue  # a damaged picture shows nothing
        shot = None
        if frame.reading is not None:
            shot = straight_board(frame.picture, frame.reading, rules_grid(game, state))
        scores = dict(game.view(state, None)).get("scores") or {}
        yield Scene(
            frame.picture if shot is None else shot,
            tuple((str(name), str(points)) for name, points in scores.items()),
            _said_of(table, int(step.data["photo"]), step.data.get("say") or ()),
        )


def _said_of(table: Table, photo: int, then: Sequence[str]) -> str:
    """Announcements of a picture's plays, as they are known by now; else those made then."""
    made = [d for d in table.ledger.done if d.entry.photo == photo and not d.entry.told]
    lines = lines_said(table.ledger, made) or then
    return " ".join(localized(lines, language_of_process(), table.setup.notation))


def write_film(
    table: Table,
    path: Path,
    reader: FrameReader,
    rule: FilmRule | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> int:
    """Write the film of a table.

    Args:
        table: the table.
        path: where to; its ending says the kind of file.
        reader: finds the board in each picture.
        rule: how it looks.
        progress: is told how many pictures are in it.

    Returns:
        How many pictures it has.

    Raises:
        UsageError: there is no such kind of file.
        CommandError: it cannot be written here, or no picture was kept.
    """
    rule = rule or FilmRule()
    codec = CODECS.get(path.suffix.lower())
    if codec is None:
        raise UsageError(
            Option("out"), f" {path}: expected a file that ends in {' '.join(CODECS)}"
        )
    if not path.parent.is_dir():
        raise CommandError(Option("out"), f" {path}: there is no folder {path.parent}")
    size = rule.width, rule.height
    out = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), float(rule.rate), size)
    try:
        if not out.isOpened():
            others = ", ".join(x for x in CODECS if x != path.suffix.lower())
            raise CommandError(
                f"{path} cannot be written: OpenCV has no {codec} here, or the folder refuses; "
                f"try another kind of file: {others}"
            )
        count = 0
        for count, scene in enumerate(scenes(table, reader), 1):
            picture = drawn(scene, table.setup.opening.game.info.title, rule)
            for _ in range(max(1, round(rule.seconds * rule.rate))):
                out.write(picture)
            progress(count)
    finally:
        out.release()
    if not count:
        path.unlink(missing_ok=True)
        raise CommandError(f"table {table.id} has no kept pictures to make a film of")
    return count


def drawn(scene: Scene, title: str, rule: FilmRule) -> Picture:
    """A frame of the film, (height, width, 3) uint8 BGR: the board, and beside it the scores."""
    page = Image.new("RGB", (rule.width, rule.height), _BACK)
    side = min(rule.height, rule.width // 2 + rule.edge * 4)
    shot = Image.fromarray(cv2.cvtColor(scene.shot, cv2.COLOR_BGR2RGB))
    shot.thumbnail((side, rule.height))
    if shot.width < side and shot.height < rule.height:
        shot = shot.resize((side, side * shot.height // shot.width))
    page.paste(shot, ((side - shot.width) // 2, (rule.height - shot.height) // 2))
    pen, left, top = ImageDraw.Draw(page), side + rule.edge, float(rule.edge)
    right = rule.width - rule.edge
    small, large = _Type(SMALL_PX), _Type(LARGE_PX)
    line_px, large_line_px = small.size * APART, large.size * APART
    small.write(pen, left, top, title, _SOFT)
    top += large_line_px
    for name, points in scene.scores:
        wide = large.width(points)
        large.write(pen, left, top, _cut(name, large, right - left - wide - rule.edge), _TEXT)
        large.write(pen, right - wide, top, points, _BOLD)
        top += large_line_px
    top += line_px
    for line in _lines(scene.said, small, right - left):
        if top + line_px > rule.height:
            break
        small.write(pen, left, top, line, _TEXT)
        top += line_px
    return np.asarray(cv2.cvtColor(np.asarray(page), cv2.COLOR_RGB2BGR), np.uint8)


class _Type:
    """The page's typeface in one size."""

    def __init__(self, size: float) -> None:
        self.size = size
        self._fonts: list[Any] = [ImageFont.truetype(str(path), size) for path in FONTS]

    def _parts(self, text: str) -> Iterator[tuple[Any, str]]:
        for file, letters in groupby(text, _file_of):
            yield self._fonts[file], "".join(letters)

    def width(self, text: str) -> float:
        """Width of a text in pixels."""
        return sum(float(font.getlength(part)) for font, part in self._parts(text))

    def write(
        self, pen: ImageDraw.ImageDraw, left: float, top: float, text: str, fill: Any
    ) -> None:
        """Draw a text."""
        for font, part in self._parts(text):
            pen.text((left, top), part, fill, font)
            left += float(font.getlength(part))


@cache
def _file_of(letter: str) -> int:
    """Index of the first of `FONTS` that has a letter; 0 if none has."""
    for k, path in enumerate(FONTS):
        font = ImageFont.truetype(str(path))
        if bytes(font.getmask(letter)) != bytes(font.getmask(NO_LETTER)):
            return k
    return 0


def _cut(text: str, type_: _Type, room: float) -> str:
    """The text, cut to fit, with a dot for what is left out."""
    if type_.width(text) <= room:
        return text
    while text and type_.width(f"{text}.") > room:
        text = text[:-1]
    return f"{text}."


def _lines(text: str, type_: _Type, room: float) -> list[str]:
    """The text in lines that fit."""
    lines: list[str] = []
    for word in text.split():
        if lines and type_.width(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(_cut(word, type_, room))
    return lines
