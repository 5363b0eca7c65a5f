"""Photographs of boards in three dimensions: table, board, tiles, what lies about, and lamps."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import BoardGeometry, rectify
from kibitz.models.training.drawing import camera, textures
from kibitz.models.training.drawing.board_art import MARGIN, SQUARE_PX
from kibitz.models.training.drawing.covers import COVERED, IGNORE, TILE, hide
from kibitz.models.training.drawing.raised import Slab, View, seen
from kibitz.models.training.drawing.scene import NUMBERS, Raised, Scene, paste

Array = NDArray[np.float32]
Picture = NDArray[np.uint8]
TABLE_PX, TABLE_SQUARES = 11, 44
"""The table is drawn with so many pixels a square, so many squares wide."""
ABOUT = 0.45
"""On so many tables there are racks, loose tiles and boxes beside the board."""
LAMPS = 0.3
"""In so many pictures a lamp or a flash is mirrored."""
BURNT = 0.45
"""So many boards under dark tiles are burnt out."""
DROWNED = 0.75
"""Nobody reads a tile in a lamp's mirror image as strong as this."""
HAND_HIGH = 0.3
"""How thick a hand is, in squares."""
CHECKED = 0.15
"""So many tables have a checked cloth."""


Beside = tuple[Scene, tuple[float, float]]
"""Another board on the table, and where its first corner lies on the first one's lattice."""


@dataclass(frozen=True, eq=False)
class Photograph:
    """A scene in a picture.

    Attributes:
        picture: (h, w, 3) BGR.
        view: the camera.
        tile: how high the tops of tiles are above the squares, in squares.
        kinds, letters, turns: (n, n), see `Scene`; what is hidden in this picture is COVERED.
    """

    picture: Picture
    view: View
    tile: float
    kinds: NDArray[np.uint8]
    letters: NDArray[np.uint8]
    turns: NDArray[np.uint8]


def _table(rng: np.random.Generator, held_out: bool) -> Array:
    """A table from above; held out are newspapers and tiled floors."""
    n = TABLE_PX * TABLE_SQUARES
    if held_out:
        out = textures.speckle(rng, n, n, textures.random_colour(rng), 0.06)
        step = int(rng.uniform(2.5, 9) * TABLE_PX)
        joint = textures.random_colour(rng).tolist()
        for k in range(int(rng.integers(0, step)), n, step):
            cv2.line(out, (k, 0), (k, n), joint, int(rng.integers(1, 4)))
            cv2.line(out, (0, k), (n, k), joint, int(rng.integers(1, 4)))
        return out
    if rng.random() < CHECKED:
        a, b = textures.random_colour(rng), textures.hsv(0.1, 0.05, rng.uniform(0.7, 1))
        step = rng.uniform(0.6, 5) * TABLE_PX
        turn, (yy, xx) = rng.uniform(0, np.pi), np.mgrid[0:n, 0:n].astype(np.float32)
        u = (xx * np.cos(turn) + yy * np.sin(turn)) / step % 1 < 0.5
        v = (-xx * np.sin(turn) + yy * np.cos(turn)) / step % 1 < 0.5
        share = (
            (u.astype(np.float32) + v) / 2 if rng.random() < 0.6 else (u ^ v).astype(np.float32)
        )
        out = a * share[..., None] + b * (1 - share[..., None])
        return np.clip(out * (1 + 0.05 * textures.noise(rng, n, n, 2, 2)[..., None]), 0, 1)
    out = textures.table_top(rng, n, n)
    if rng.random() < ABOUT:
        textures.clutter(rng, out, int(rng.integers(1, 7)))
    return out


def _things(rng: np.random.Generator, scene: Scene, raised: Raised) -> Array:
    """(n, n, 4) racks and loose tiles of the board's set, askew, and boxes, from above."""
    n, p = TABLE_PX * TABLE_SQUARES, TABLE_PX
    out = np.zeros((n, n, 4), np.float32)
    out[..., :3] = textures.random_colour(rng)
    tiles = np.argwhere(scene.kinds == TILE)
    lo, reach = TABLE_SQUARES / 2 - 7.5, int(0.52 * SQUARE_PX)
    places = []
    for _ in range(int(rng.integers(0, 4))):  # racks
        at, angle = rng.uniform(lo - 6, lo + 21, 2), float(rng.choice([0, 90]) + rng.normal(0, 12))
        box = cv2.boxPoints(((at * p).tolist(), (8.2 * p, 1.3 * p), angle))
        colour = textures.random_colour(rng)
        cv2.fillPoly(out, [box.astype(np.int32)], (*colour.tolist(), 1.0), cv2.LINE_AA)
        u = np.array([np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))])
        places += [(at + u * (k - 3) * 1.02, angle) for k in range(int(rng.integers(0, 8)))]
    for _ in range(int(rng.integers(0, 14))):
        places.append((rng.uniform(lo - 6, lo + 21, 2), float(rng.uniform(0, 360))))
    for at, angle in places if len(tiles) else ():
        r, c = tiles[int(rng.integers(len(tiles)))]
        y, x = (int((v + 0.5 + MARGIN) * SQUARE_PX) for v in (r, c))
        face = raised.tops[y - reach : y + reach, x - reach : x + reach].astype(np.float32) / 255
        paste(out, face, tuple((at * p).tolist()), angle, p, (0, 0), (0, 0, 0), 1.0, SQUARE_PX)
    for _ in range(int(rng.integers(0, 3))):
        at, size = rng.uniform(0, n, 2), rng.uniform(1, 8, 2) * p
        box = cv2.boxPoints((at.tolist(), size.tolist(), float(rng.uniform(0, 180))))
        colour = (*textures.random_colour(rng).tolist(), 1.0)
        cv2.fillPoly(out, [box.astype(np.int32)], colour, cv2.LINE_AA)
    x0, y0, x1, y1 = ((np.array(scene.rim) / SQUARE_PX - MARGIN + lo) * p).astype(int)
    out[max(0, y0 - 3) : y1 + 3, max(0, x0 - 3) : x1 + 3, 3] = 0
    return out


def _byte(x: Array) -> Picture:
    return np.asarray(cv2.convertScaleAbs(np.maximum(x, 0), alpha=255.0), np.uint8)


def _with(colours: Picture, cover: Picture) -> Picture:
    return np.asarray(cv2.merge([colours, cover]), np.uint8)


def _below(rng: np.random.Generator, scene: Scene, raised: Raised, held_out: bool) -> list[Slab]:
    """Table, and things beside the board."""
    told = dict(zip(NUMBERS, raised.numbers.tolist(), strict=True))
    at = (7.5 - TABLE_SQUARES / 2,) * 2
    below = -told["board"]
    x0, y0, x1, y1 = scene.rim
    table = _table(rng, held_out)
    if rng.random() < 0.8:  # the board's own shadow
        shade = np.zeros(table.shape[:2], np.float32)
        corner = (np.array([x0, y0, x1, y1]) / SQUARE_PX - MARGIN - at[0]) * TABLE_PX
        corner += np.tile(rng.uniform(-0.8, 0.8, 2) * (0.3 + told["board"]) * TABLE_PX, 2)
        cv2.rectangle(shade, *(tuple(v.astype(int).tolist()) for v in (corner[:2], corner[2:])), 1.0, -1)  # fmt: skip
        shade = cv2.GaussianBlur(shade, (0, 0), float(rng.uniform(0.5, 6)))
        table *= 1 - shade[..., None] * float(rng.uniform(0.2, 0.7))
    gloss = float(rng.uniform(0, 0.8))
    top = _with(_byte(table), np.full(table.shape[:2], 255, np.uint8))
    slabs = [Slab(top, TABLE_PX, at, below, below, gloss=gloss, endless=True)]
    if rng.random() < ABOUT:
        high = below + (told["tile"] if rng.random() < 0.6 else rng.uniform(0.2, 1.2))
        slabs.append(
            Slab(_byte(_things(rng, scene, raised)), TABLE_PX, at, below, high, 0.55, 0.3)
        )
    return slabs


def _board_slabs(
    rng: np.random.Generator,
    scene: Scene,
    raised: Raised,
    begins: tuple[float, float],
    below: float,
) -> list[Slab]:
    """Board, ridges, tiles, hands; `below` is the table's height."""
    told = dict(zip(NUMBERS, raised.numbers.tolist(), strict=True))
    x0, y0, x1, y1 = scene.rim
    size = scene.image.shape[0]
    cover = np.zeros((size, size), np.uint8)
    cover[y0:y1, x0:x1] = 255
    corner = (begins[0] - MARGIN, begins[1] - MARGIN)
    board = _with(scene.image, cover)
    slabs = [Slab(board, SQUARE_PX, corner, below, 0.0, 0.6, told["gloss"])]
    if told["ridge"] > 0:
        slabs.append(
            Slab(_with(scene.image, _ridges(told, size)), SQUARE_PX, corner, 0.0,
                 told["ridge"], float(rng.uniform(0.5, 0.95)), told["gloss"])
        )  # fmt: skip
    gloss = told["gloss"] * float(rng.uniform(0, 0.8))
    slabs.append(Slab(raised.tops, SQUARE_PX, corner, 0.0, told["tile"], told["side"], gloss))
    if raised.over[..., 3].any():
        high = told["tile"] + HAND_HIGH
        slabs.append(Slab(raised.over, SQUARE_PX, corner, told["tile"], high, 0.75, 0.05))
    return slabs


def _ridges(told: dict[str, float], size: int) -> Picture:
    """(size, size) where ridges or pegs stand."""
    out = np.zeros((size, size), np.uint8)
    n = round(size / SQUARE_PX - 2 * MARGIN)
    lines = [round((k + MARGIN) * SQUARE_PX) for k in range(n + 1)]
    wide = max(2, round(told["ridge_width"] * SQUARE_PX))
    for v in lines:
        for w in lines if told["pegs"] else ():
            cv2.circle(out, (v, w), wide // 2, 255, -1, cv2.LINE_AA)
        if not told["pegs"]:
            cv2.rectangle(out, (v - wide // 2, lines[0]), (v + wide // 2, lines[-1]), 255, -1)
            cv2.rectangle(out, (lines[0], v - wide // 2), (lines[-1], v + wide // 2), 255, -1)
    return out


def _mirrored_lamps(rng: np.random.Generator, view: View, flash: bool) -> Array:
    """(h, w) how strongly a lamp or the camera's flash is mirrored where, on something smooth."""
    w, h = view.width, view.height
    small = 4
    plane = np.linalg.inv(view.plane(0))
    xx, yy = np.meshgrid(np.arange(0, w, small) + 2.0, np.arange(0, h, small) + 2.0)
    on = np.stack([xx, yy, np.ones_like(xx)]).reshape(3, -1)
    at = plane @ on
    lattice = (at[:2] / np.where(np.abs(at[2]) < 1e-9, 1e-9, at[2])).T.reshape(*xx.shape, 2)
    p = view.projection
    eye = -np.linalg.inv(p[:, :3]) @ p[:, 3]
    middle = np.full(2, view.size / 2)
    out = np.zeros(xx.shape)
    for _ in range(1 if flash else int(rng.integers(1, 4))):
        centre = eye[:2] if flash else middle + rng.uniform(-0.7, 0.7, 2) * view.size
        away = centre - eye[:2]
        far = float(np.hypot(*away))
        u = away / far if far > 0.5 else np.array([1.0, 0])
        off = lattice - centre
        along, across = off @ u, off @ np.array([-u[1], u[0]])
        reach = rng.uniform(0.4, 2.5) * (1.0 if flash else rng.uniform(0.6, 2.2))
        stretch = min(4.0, np.hypot(1.0, far / max(1.0, eye[2])))
        d = (along / (reach * stretch)) ** 2 + (across / reach) ** 2
        edge = np.exp(-0.5 * d) if rng.random() < 0.5 else 1 / (1 + np.exp(np.minimum(30, (d - 1) * rng.uniform(2, 9))))  # fmt: skip
        out += edge * rng.uniform(0.3, 2.2)
    out *= (at[2] > 0).reshape(xx.shape)
    return cv2.resize(out.astype(np.float32), (w, h), interpolation=cv2.INTER_LINEAR)


def _blinds(rng: np.random.Generator, view: View) -> Array:
    """(h, w, 1) light through blinds: bright and dark bands across table and board."""
    angle, step = rng.uniform(0, np.pi), rng.uniform(1.0, 4.0)
    plane = np.linalg.inv(view.plane(0))
    yy, xx = np.mgrid[0 : view.height, 0 : view.width].astype(np.float64)
    z = plane[2, 0] * xx + plane[2, 1] * yy + plane[2, 2]
    x = (plane[0, 0] * xx + plane[0, 1] * yy + plane[0, 2]) / np.maximum(z, 1e-9)
    y = (plane[1, 0] * xx + plane[1, 1] * yy + plane[1, 2]) / np.maximum(z, 1e-9)
    phase = np.sin((x * np.cos(angle) + y * np.sin(angle)) * 2 * np.pi / step)
    return np.asarray(1 - rng.uniform(0.3, 0.6) * (phase > rng.uniform(-0.3, 0.3)), np.float32)[
        ..., None
    ]


def _sky(rng: np.random.Generator, w: int, h: int) -> Picture:
    """What stands behind a table: a room out of focus."""
    f = textures.flat(textures.random_colour(rng), 48, 64).copy()
    textures.clutter(rng, f, int(rng.integers(0, 12)))
    out = cv2.resize(_byte(f), (w, h), interpolation=cv2.INTER_CUBIC)
    return cv2.GaussianBlur(out, (0, 0), max(1.0, w / float(rng.uniform(40, 200))))


def photograph(
    rng: np.random.Generator,
    scene: Scene,
    view: View,
    square_px: float,
    *,
    hard: float = 1.0,
    held: Collection[str] = (),
    beside: Beside | None = None,
) -> Photograph:
    """A scene drawn in depth as a camera takes it.

    Args:
        rng: chance.
        scene: drawn with `in_depth`.
        view: the camera.
        square_px: about how many pixels a square is wide.
        hard: see `camera.expose`.
        held: `table`, `lamp`: such as networks are judged by, not learn from.
        beside: another board on the table, drawn in depth too.

    Raises:
        ValueError: the scene was drawn without depth.
    """
    raised = scene.raised
    if raised is None:
        raise ValueError("expected a scene drawn with in_depth=True, got one without depth")
    slabs = _below(rng, scene, raised, "table" in held)
    below = slabs[0].height
    slabs += _board_slabs(rng, scene, raised, (0.0, 0.0), below)
    if beside is not None and beside[0].raised is not None:
        slabs += _board_slabs(rng, beside[0], beside[0].raised, beside[1], below)
    tile = float(raised.numbers[NUMBERS.index("tile")])
    sun = float(rng.uniform(0, 2 * np.pi))
    shown, owner = seen(view, slabs, _sky(rng, view.width, view.height), sun)
    kinds = scene.kinds.copy()
    n = len(kinds)
    tops = view.geometry(tile)
    names = {i + 1: slab for i, slab in enumerate(slabs)}
    above = [i for i, s in names.items() if i > 1 and (s.top is raised.over or (s.square_px == TABLE_PX))]  # fmt: skip
    hidden = np.array([255 * (i in above) for i in range(256)], np.uint8)[owner]
    hide(kinds, _each(hidden, tops, n))
    f = shown.astype(np.float32) / 255
    if "lamp" in held:
        f *= _blinds(rng, view)
    if rng.random() < LAMPS:
        flash = rng.random() < 0.4
        gloss = np.array([0.0, *(s.gloss for s in slabs)], np.float32)[owner]
        light = _mirrored_lamps(rng, view, flash) * gloss
        f = np.clip(f + light[..., None] * textures.hsv(0.12, 0.06, 1.0), 0, 1)
        strength = _each(_byte(light), tops, n)
        kinds[(strength > DROWNED) & (kinds == TILE)] = IGNORE
    if raised.numbers[NUMBERS.index("dark")] and rng.random() < BURNT:
        f = np.clip(f * float(rng.uniform(1.3, 2.2)), 0, 1)
    picture = _byte(f)
    if rng.random() < 0.25:
        picture = _out_of_depth(rng, picture, view, square_px)
    picture = camera.expose(rng, picture, square_px, hard=hard)
    picture = as_phones_do(rng, picture) if rng.random() < 0.35 else picture
    outside = ~tops.in_picture(tops.to_px(np.stack(np.meshgrid(*[np.arange(n) + 0.5] * 2), -1)))
    kinds[outside] = COVERED
    letters, turns = (np.where(kinds == TILE, x, 255).astype(np.uint8) for x in (scene.letters, scene.turns))  # fmt: skip
    return Photograph(picture, view, tile, kinds, letters, turns)


def _each(mask: Picture, geometry: BoardGeometry, n: int) -> NDArray[np.float64]:
    """(n, n) mean of a mask (h, w) over each square, 0 to 1."""
    cells = rectify(cv2.merge([mask] * 3), geometry, 8, (0.0, 0.0), (float(n), float(n)))[
        : 8 * n, : 8 * n, 0
    ]
    return np.asarray(cells.reshape(n, 8, n, 8).mean((1, 3)) / 255)


def _out_of_depth(
    rng: np.random.Generator, picture: Picture, view: View, square_px: float
) -> Picture:
    """Near and far things less sharp than those between."""
    p = view.plane(0)
    back = np.linalg.inv(p)[2]
    yy, xx = np.mgrid[0 : view.height, 0 : view.width].astype(np.float32)
    near = back[0] * xx + back[1] * yy + back[2]  # one over the distance
    at = view.size * rng.uniform(0.1, 0.9, 2)
    focus = 1 / float(p[2] @ (*at, 1.0))
    off = np.clip(np.abs(near / focus - 1) * rng.uniform(0.8, 3.0), 0, 1)[..., None]
    soft = cv2.GaussianBlur(picture, (0, 0), max(0.4, rng.uniform(0.03, 0.1) * square_px))
    return np.asarray(picture * (1 - off) + soft * off, np.uint8)


def as_phones_do(rng: np.random.Generator, picture: Picture) -> Picture:
    """Noise smoothed away, edges sharpened until they ring, and another JPEG."""
    x = picture
    if rng.random() < 0.5:
        x = cv2.bilateralFilter(x, 5, float(rng.uniform(10, 45)), 2.0)
    sigma, much = float(rng.uniform(0.7, 2.2)), float(rng.uniform(0.3, 1.2))
    x = cv2.addWeighted(x, 1 + much, cv2.GaussianBlur(x, (0, 0), sigma), -much, 0)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(35, 95))]
    done = cv2.imdecode(cv2.imencode(".jpg", x, quality)[1], cv2.IMREAD_COLOR)
    return np.asarray(done, np.uint8)
