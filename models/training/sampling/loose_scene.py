"""Tables with loose tiles: scattered, in rows, face down, touching (GrabScrab)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.models.training.drawing import camera, glyphs, textures
from kibitz.models.training.drawing.covers import cover_mask_at, lay_over
from kibitz.models.training.drawing.scene import SpriteCabinet, paste, random_letter
from kibitz.models.training.sampling import faces
from kibitz.models.training.sampling.samples import GLYPHS_A_BOARD
from kibitz.models.training.sampling.sizes import GLYPH_SQUARE_PX, LOOSE_PX
from kibitz.vision.boards.squares import cut_squares
from kibitz.vision.loose.mosaic import mosaic

Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class LaidTile:
    """A tile on the flat table: centre and side in pixels, clockwise angle, character (` ` face down)."""

    x: float
    y: float
    angle_deg: float
    side: float
    char: str


def _scatter(rng: np.random.Generator, w: int, h: int, px: float) -> list[LaidTile]:
    """Places that do not overlap (or only a little), rows of words among them."""
    out: list[LaidTile] = []
    pitch = px * 0.9

    def free(x: float, y: float, gap: float) -> bool:
        inside = px * 0.8 < x < w - px * 0.8 and px * 0.8 < y < h - px * 0.8
        return inside and all((t.x - x) ** 2 + (t.y - y) ** 2 > (gap * pitch) ** 2 for t in out)

    for _ in range(int(rng.integers(0, 9))):
        n, a = int(rng.integers(2, 10)), rng.uniform(0, 360)
        if rng.random() < 0.6:
            a = float(rng.choice([0, 90, 180, 270])) + rng.normal(0, 6)
        gap = rng.uniform(1.0, 1.12)
        u = np.array([np.cos(np.deg2rad(a)), np.sin(np.deg2rad(a))])
        start = rng.uniform(0, 1, 2) * (w, h)
        spots = [start + u * i * pitch * gap for i in range(n)]
        if all(free(x, y, 1.02) for x, y in spots):
            for x, y in spots:
                out.append(
                    LaidTile(
                        x + rng.normal(0, 0.03) * px,
                        y + rng.normal(0, 0.03) * px,
                        a + rng.normal(0, 3),
                        px,
                        random_letter(rng) if rng.random() < 0.99 else "?",
                    )
                )
    crowd = rng.uniform(1.0, 1.5) if rng.random() < 0.7 else rng.uniform(0.85, 1.0)
    middle, spread = rng.uniform(0.3, 0.7, 2) * (w, h), rng.uniform(0.1, 0.6) * min(w, h)
    down = rng.uniform(0, 1) if rng.random() < 0.5 else 0.0
    for _ in range(int(rng.integers(0, 70))):
        x, y = middle + rng.normal(0, spread, 2)
        if free(x, y, crowd):
            out.append(
                LaidTile(
                    x,
                    y,
                    rng.uniform(0, 360),
                    px,
                    " " if rng.random() < down else random_letter(rng),
                )
            )
    return out


def _stripes(rng: np.random.Generator, canvas: NDArray[np.float32]) -> None:
    h, w = canvas.shape[:2]
    a, period = rng.uniform(0, np.pi), rng.uniform(0.02, 0.15) * w
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    on = ((xx * np.cos(a) + yy * np.sin(a)) / period % 1) < rng.uniform(0.25, 0.75)
    if rng.random() < 0.3:
        on ^= ((yy * np.cos(a) - xx * np.sin(a)) / period % 1) < 0.5
    canvas[on] = canvas[on] * 0.15 + textures.random_colour(rng) * 0.85


def make_table(
    rng: np.random.Generator, w: int, h: int, px: float
) -> tuple[Picture, list[LaidTile]]:
    """A flat table seen from straight above, (h, w, 3)."""
    canvas = textures.table_top(rng, h, w)
    if rng.random() < 0.15:  # stripes of strong contrast, as of a tablecloth
        _stripes(rng, canvas)
    if rng.random() < 0.5:
        textures.clutter(rng, canvas, int(rng.integers(0, 5)))
    cabinet = SpriteCabinet(rng, faces.face_style(rng))
    tiles = _scatter(rng, w, h, px)
    style = cabinet.style
    if rng.random() < 0.85:
        cast = np.zeros((h, w), np.float32)
        sun = rng.uniform(0, 2 * np.pi)
        step = np.array([np.cos(sun), np.sin(sun)]) * rng.uniform(0.03, 0.4) * px
        for t in tiles:
            box = cv2.boxPoints(((t.x, t.y), (style.width * px, style.height * px), t.angle_deg))
            hull = cv2.convexHull(np.vstack([box, box + step]).astype(np.float32))
            cv2.fillConvexPoly(cast, hull.astype(np.int32), 1.0, cv2.LINE_AA)
        cast = cv2.GaussianBlur(cast, (0, 0), float(rng.uniform(0.5, 0.12 * px)))
        canvas *= 1 - cast[..., None] * float(rng.uniform(0.15, 0.7))
    away, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.3) * px * style.thickness * 2
    lift = (np.cos(away) * reach, np.sin(away) * reach)
    laid = []
    for t in sorted(tiles, key=lambda t: -(t.x * lift[0] + t.y * lift[1])):
        face = "?" if t.char == " " else t.char
        paste(
            canvas,
            cabinet.get(face),
            (t.x, t.y),
            t.angle_deg,
            px,
            lift,
            style.side,
            float(rng.uniform(0.92, 1.06)),
        )
        laid.append(
            LaidTile(
                t.x + lift[0],
                t.y + lift[1],
                t.angle_deg,
                px * (style.width + style.height) / 2,
                t.char,
            )
        )
    if rng.random() < 0.25:
        mask, colour = cover_mask_at(rng, max(w, h), px)
        mask, colour = mask[:h, :w], colour[:h, :w]
        lay_over(canvas, mask, colour)
        laid = [
            t for t in laid if mask[int(np.clip(t.y, 0, h - 1)), int(np.clip(t.x, 0, w - 1))] < 0.3
        ]
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    if rng.random() < 0.6:
        a = rng.uniform(0, 2 * np.pi)
        canvas *= (
            1
            - rng.uniform(0, 0.5)
            * ((np.cos(a) * (xx / w - 0.5) + np.sin(a) * (yy / h - 0.5)) + 0.5)
        )[..., None]
    if rng.random() < 0.3:  # a lamp, on tiles too, up to where little but edges is left
        cx, cy, s = rng.uniform(0, w), rng.uniform(0, h), rng.uniform(0.05, 0.3) * w
        glow = np.exp(-((xx - cx) ** 2 + (yy - cy) ** 2) / (2 * s * s))
        if rng.random() < 0.5:
            canvas *= (1 + glow * rng.uniform(0.3, 3.0))[..., None]
        canvas += (glow * rng.uniform(0.1, 0.75))[..., None]
    return (np.clip(canvas, 0, 1) * 255).astype(np.uint8), laid


def photograph(
    rng: np.random.Generator,
    flat: Picture,
    tiles: list[LaidTile],
    px: float,
    side_px: int | None = None,
) -> tuple[Picture, NDArray[np.float64], list[str]]:
    """The table through a tilted camera; with `side_px` only a square part of the picture.

    Returns:
        picture; (N, 4) x, y, side in pixels and clockwise angle in degrees; characters.
    """
    h, w = flat.shape[:2]
    src = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32)
    pinch = min(0.25, float(abs(rng.normal(0, 0.08))))
    dst = src.copy()
    side = int(rng.integers(0, 4))
    a, b = dst[side].copy(), dst[(side + 1) % 4].copy()
    dst[side], dst[(side + 1) % 4] = a + (b - a) * pinch, b + (a - b) * pinch
    m = cv2.getPerspectiveTransform(src, dst).astype(np.float64)
    if side_px:
        m = (
            np.array(
                [
                    [1, 0, -rng.uniform(0, max(1, w - side_px))],
                    [0, 1, -rng.uniform(0, max(1, h - side_px))],
                    [0, 0, 1],
                ]
            )
            @ m
        )
        w, h = side_px, side_px
    out = cv2.warpPerspective(
        flat, m, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    rows, chars = [], []
    for t in tiles:
        s = t.side / 2
        r = np.deg2rad(t.angle_deg)
        u, v = np.array([np.cos(r), np.sin(r)]) * s, np.array([-np.sin(r), np.cos(r)]) * s
        c = np.array([t.x, t.y])
        pts = cv2.perspectiveTransform(
            np.array([[c, c - v, c - u - v, c + u - v, c + u + v, c - u + v]]), m
        )[0]
        up = pts[1] - pts[0]
        area = cv2.contourArea(pts[2:].astype(np.float32))
        if (pts[0] < 2).any() or pts[0][0] > w - 2 or pts[0][1] > h - 2:
            continue
        rows.append(
            (*pts[0], np.sqrt(max(area, 1.0)), np.rad2deg(np.arctan2(up[0], -up[1])) % 360)
        )
        chars.append(t.char)
    hard = 0.5 if rng.random() < 0.6 else 0.8
    return camera.expose(rng, out, px * 0.8, hard=hard), np.array(rows).reshape(-1, 4), chars


TABLE_PX = 640


class TablePool:
    """Flat tables drawn once and photographed many times; drawn on first use into `folder`."""

    def __init__(self, folder: Path, count: int = 3000, seed: int = 2) -> None:
        self._folder, self._count, self._seed = folder, count, seed

    @cached_property
    def _tables(self) -> tuple[list[Picture], list[list[LaidTile]]]:
        """JPEGs, each as (bytes,), and the tiles that lie on them."""
        path = self._folder / f"tables-{self._seed}-{self._count}.npz"
        if not path.exists():
            self._draw_all(path)
        with np.load(path) as z:
            jpegs = np.split(z["jpeg"], z["ends"][:-1])
            rows, text = z["rows"], str(z["chars"])
        laid: list[list[LaidTile]] = [[] for _ in jpegs]
        for (i, x, y, angle, side), char in zip(rows, text, strict=True):
            laid[int(i)].append(LaidTile(x, y, angle, side, char))
        return jpegs, laid

    def _draw_all(self, path: Path) -> None:
        jpegs, rows, chars = [], [], []
        for i in range(self._count):
            rng = np.random.default_rng([self._seed, 77, i])
            px = float(np.exp(rng.uniform(np.log(22), np.log(80))))
            flat, tiles = make_table(rng, TABLE_PX, TABLE_PX, px)
            jpegs.append(cv2.imencode(".jpg", flat, [cv2.IMWRITE_JPEG_QUALITY, 94])[1].ravel())
            rows.append(
                np.array([(i, t.x, t.y, t.angle_deg, t.side) for t in tiles]).reshape(-1, 5)
            )
            chars.append("".join(t.char for t in tiles))
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(
            path,
            jpeg=np.concatenate(jpegs),
            ends=np.cumsum([len(j) for j in jpegs]),
            rows=np.concatenate(rows),
            chars="".join(chars),
        )

    def draw(
        self, rng: np.random.Generator, low: float, high: float, side_px: int | None = None
    ) -> tuple[Picture, NDArray[np.float64], list[str]]:
        """A photograph of some table with tiles of `low` to `high` pixels, as `photograph` gives it."""
        jpegs, laid = self._tables
        i = int(rng.integers(0, len(jpegs)))
        flat = cv2.imdecode(jpegs[i], cv2.IMREAD_COLOR)
        tiles = laid[i]
        now = float(np.median([t.side for t in tiles])) if tiles else 40.0
        k = float(np.exp(rng.uniform(np.log(low), np.log(high)))) / now
        k = min(k, 2.2)
        if side_px is None:
            k = min(k, 1.1)
        flat = cv2.resize(
            flat, None, fx=k, fy=k, interpolation=cv2.INTER_AREA if k < 1 else cv2.INTER_LINEAR
        )
        tiles = [LaidTile(t.x * k, t.y * k, t.angle_deg, t.side * k, t.char) for t in tiles]
        return photograph(rng, flat, tiles, now * k, side_px)


def loose_sample(
    rng: np.random.Generator, tables: TablePool
) -> tuple[Picture, NDArray[np.float32]]:
    """(384, 384, 3) crop and (8, 96, 96): centre heat, known, log size, cos 4a, sin 4a, dx, dy, face up."""
    n = LOOSE_PX
    picture, rows, chars = tables.draw(rng, 12, 95, n)
    truth = np.zeros((8, n // 4, n // 4), np.float32)
    yy, xx = np.mgrid[0 : n // 4, 0 : n // 4]
    for (x, y, side, angle), char in zip(rows, chars, strict=True):
        cx, cy = x / 4, y / 4
        i, j = int(cy), int(cx)
        if not (0 <= i < n // 4 and 0 <= j < n // 4):
            continue
        sigma = max(0.6, side / 4 * 0.13)
        d2 = (xx + 0.5 - cx) ** 2 + (yy + 0.5 - cy) ** 2
        truth[0] = np.maximum(
            truth[0], np.where((yy == i) & (xx == j), 1.0, np.exp(-d2 / (2 * sigma * sigma)))
        )
        near = d2 < max(1.0, (side / 4 * 0.22) ** 2)
        a = np.deg2rad(angle)
        for k, value in (
            (1, 1.0),
            (2, np.log(side / 32)),
            (3, np.cos(4 * a)),
            (4, np.sin(4 * a)),
            (7, float(char != " ")),
        ):
            truth[k][near] = value
        truth[5][near] = (cx - xx - 0.5)[near]
        truth[6][near] = (cy - yy - 0.5)[near]
    return picture, truth


def loose_glyph_sample(
    rng: np.random.Generator, tables: TablePool
) -> tuple[Picture, Picture, Picture, Picture]:
    """Loose tiles as `samples.glyph_sample` gives squares."""
    straight, kinds, letters, turns = _mosaic_sample(rng, tables)
    at = np.argwhere(kinds == 1)
    if len(at) == 0:
        at = np.zeros((1, 2), np.int64)
    at = (
        at[rng.integers(0, len(at), GLYPHS_A_BOARD)]
        if len(at) < GLYPHS_A_BOARD
        else at[:GLYPHS_A_BOARD]
    )
    pick = tuple(at.T)
    return cut_squares(straight, at), kinds[pick], letters[pick], turns[pick]


def _mosaic_sample(
    rng: np.random.Generator, tables: TablePool
) -> tuple[Picture, Picture, Picture, Picture]:
    """Loose tiles cut out and put side by side, with (15, 15) kinds, letters and turns."""
    picture, rows, chars = tables.draw(rng, 14, 50)

    kinds = np.full((15, 15), 255, np.uint8)
    letters, turns = np.full((15, 15), 255, np.uint8), np.full((15, 15), 255, np.uint8)
    take = rng.permutation(len(rows))[:225]
    quarter = rng.integers(0, 4, len(take))
    spots = rows[take].copy() if len(take) else np.zeros((0, 4))
    spots[:, 2] *= rng.normal(1, 0.04, len(take))
    spots[:, :2] += rng.normal(0, 0.03, (len(take), 2)) * spots[:, 2:3]
    spots[:, 3] = (
        (rows[take][:, 3] if len(take) else 0) - 90.0 * quarter + rng.normal(0, 4, len(take))
    )
    straight = mosaic(picture, spots, GLYPH_SQUARE_PX)
    for i, k in enumerate(take):
        r, c = divmod(i, 15)
        char = chars[k]
        kinds[r, c] = 1
        face = "?" if char == " " else char
        letters[r, c] = glyphs.LABELS.index(face) if face in glyphs.LABELS else 255
        if face != "?" and face in glyphs.LABELS:
            turns[r, c] = quarter[i]
    return straight, kinds, letters, turns
