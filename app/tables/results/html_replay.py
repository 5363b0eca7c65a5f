"""A self-contained HTML page that replays a game: photographs, readings, plays and scores."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypedDict

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.app.languages.catalogues import language_of_process, localized
from kibitz.app.reading.frames import encode_jpeg
from kibitz.app.reading.lines import square_name
from kibitz.app.reading.pictures import FileReading
from kibitz.engine.phrases import Notation
from kibitz.engine.rules import GameInfo, JsonValue, TileSetLike
from kibitz.vision.frame import Picture, PictureError, load_picture
from kibitz.vision.overlay import squares_to_picture
from kibitz.vision.readings import COVERED_KIND, TILE_KIND, GridReading, PhotoReading


def small_photo(found: FileReading, board: int | None = 0) -> SmallPhoto | None:
    """A scaled-down photograph with its reading; None if it could not be opened."""
    picture = found.picture
    if picture is None:
        try:
            picture, _ = load_picture(found.file)
        except PictureError:
            return None
    shot = made_small(picture)
    scale = min(1.0, LONGEST_PX / max(picture.shape[:2]))
    reading = found.reading
    if reading is None:
        return shot
    if board is not None and board < len(reading.boards):
        return _with_board(shot, reading.boards[board], scale)
    return _with_loose(shot, reading, scale)


def made_small(picture: Picture) -> SmallPhoto:
    """A scaled-down picture without outlines."""
    height, width = picture.shape[:2]
    scale = min(1.0, LONGEST_PX / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return SmallPhoto(encode_jpeg(picture, LONGEST_PX), *size)


def _with_board(shot: SmallPhoto, board: GridReading, scale: float) -> SmallPhoto:
    seen = []
    kind = board.kind_log_prob.argmax(-1)
    best = board.letter_log_prob.argmax(-1)
    sure = np.exp(board.kind_log_prob.max(-1) + board.letter_log_prob.max(-1))
    for r, c in zip(*np.nonzero((kind == TILE_KIND) | (kind == COVERED_KIND)), strict=True):
        square = np.array([[c, r], [c + 1, r], [c + 1, r + 1], [c, r + 1]], float)
        outline = squares_to_picture(board, square) * scale
        letter = board.labels[best[r, c]] if kind[r, c] == TILE_KIND else "#"
        name = square_name(int(r), int(c), board.size)
        seen.append(replace(_seen(letter, outline, float(sure[r, c])), square=name))
    corners = tuple((float(x) * scale, float(y) * scale) for x, y in board.corners_px)
    return replace(shot, corners=corners, seen=tuple(seen))


def _with_loose(shot: SmallPhoto, reading: PhotoReading, scale: float) -> SmallPhoto:
    seen = []
    for tile in reading.loose:
        if tile.face_up:
            box = (tile.centre_px, (tile.size_px, tile.size_px), tile.angle_deg)
            seen.append(_seen(tile.letter, cv2.boxPoints(box) * scale, tile.confidence))
    return replace(shot, seen=tuple(seen))


def _seen(letter: str, outline: NDArray[Any], sure: float) -> SeenTile:
    points = tuple((float(x), float(y)) for x, y in outline)
    side = float(np.linalg.norm(outline[0] - outline[1]))
    return SeenTile(letter, points, side, sure)


LONGEST_PX: Final = 1000
"""Limits of photographs in a page."""
PAGE = Path(__file__).resolve().parents[2] / "data" / "replay_page"


@dataclass(frozen=True, slots=True)
class SeenTile:
    """A tile as read: its outline in the small photograph, and its square's name."""

    letter: str
    points: tuple[tuple[float, float], ...]
    size: float
    sure: float
    square: str = ""


@dataclass(frozen=True, slots=True)
class SmallPhoto:
    """A scaled-down photograph with its reading.

    Attributes:
        jpeg: the small photograph.
        width: its width in pixels.
        height: its height in pixels.
        corners: the board's outer corners in it, None without a board.
        seen: the tiles read.
    """

    jpeg: bytes
    width: int
    height: int
    corners: tuple[tuple[float, float], ...] | None = None
    seen: tuple[SeenTile, ...] = ()


@dataclass(frozen=True, slots=True)
class PageFacts:
    """Facts of a whole game."""

    info: GameInfo
    players: tuple[str, ...]
    tile_set: TileSetLike
    letters: tuple[str, ...] = ()
    title: str = ""
    notation: Notation | None = None


def replay_page(
    facts: PageFacts, lines: Sequence[Mapping[str, Any]], shots: Sequence[SmallPhoto | None]
) -> str:
    """HTML of the page, which needs no network.

    Args:
        facts: the game, its players and tiles.
        lines: the lines of `kibitz replay --json`, one a photograph.
        shots: the photographs in the same order, None where there is none.
    """
    notation = facts.notation or facts.info.notation
    title = facts.title or f"{facts.info.title}: {_listed(facts.players)}"
    info = facts.info
    data = {
        "title": facts.info.title,
        "players": list(facts.players),
        "size": info.surface.rows,
        "facing": info.surface.facing,
        "premiums": None if info.premiums is None else list(info.premiums),
        "values": {x: v for x in facts.letters if (v := facts.tile_set.value(x))}
        if info.letter_values
        else {},
        "notation": notation,
        **_frames(localized(lines, language_of_process(), notation), shots),
    }
    parts = {
        "TITLE": html.escape(title),
        "STYLE": page_part("page.css"),
        "SCRIPT": page_part("board.js") + page_part("page.js"),
        "DATA": inside_script(data),
    }
    return filled(page_part("page.html"), parts)


def page_part(name: str) -> str:
    """A file that pages consist of: `board.js` draws boards, `page.css` styles them."""
    return (PAGE / name).read_text(encoding="utf-8")


def filled(page: str, parts: Mapping[str, str]) -> str:
    """A page template with `@@NAME@@` replaced by the named parts."""
    # every second piece is a name between two marks; nothing put in is looked at again
    return "".join(parts[x] if i % 2 else x for i, x in enumerate(page.split("@@")))


def _listed(names: Sequence[str]) -> str:
    """`Ann, Bob and Cyd`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1] if names else "")))


def inside_script(data: Mapping[str, Any] | Sequence[Any]) -> str:
    """JSON that cannot end its script element, whatever a player is called."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


_KEPT = ("file", "status", "play", "question", "board", "table", "scores", "ship_count")


class Film(TypedDict):
    """Photographs as data addresses, and frames that refer to them by index."""

    images: list[str]
    frames: list[dict[str, JsonValue]]


def _frames(lines: Sequence[Mapping[str, Any]], shots: Sequence[SmallPhoto | None]) -> Film:
    """Frames, and each photograph once, however many frames show it."""
    images: list[str] = []
    number: dict[int, int] = {}
    frames = []
    for line, shot in zip(lines, shots, strict=True):
        if shot is not None and id(shot.jpeg) not in number:
            number[id(shot.jpeg)] = len(images)
            encoded = base64.b64encode(shot.jpeg).decode("ascii")
            images.append(f"data:image/jpeg;base64,{encoded}")
        frames.append(_frame(line, shot, None if shot is None else number[id(shot.jpeg)]))
    return {"images": images, "frames": frames}


def _frame(
    line: Mapping[str, Any], shot: SmallPhoto | None, image: int | None
) -> dict[str, JsonValue]:
    out = {key: line[key] for key in (*_KEPT, "total_words") if line.get(key) is not None}
    out["file"] = Path(str(line["file"])).name
    out["say"] = list(line.get("say") or ())
    if shot is None:
        return {**out, "image": None, "seen": []}
    return {
        **out,
        "image": image,
        "width": shot.width,
        "height": shot.height,
        "corners": [[_short(v) for v in p] for p in shot.corners] if shot.corners else None,
        "seen": [
            {
                "letter": tile.letter,
                "points": [[_short(v) for v in p] for p in tile.points],
                "size": _short(tile.size),
                "sure": round(tile.sure, 3),
                "square": tile.square,
            }
            for tile in shot.seen
        ],
    }


def _short(value: float) -> float:
    return round(float(value), 1)
