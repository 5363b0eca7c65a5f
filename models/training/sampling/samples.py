"""Training samples: canonical scenes photographed and straightened as at run time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import BoardGeometry, rectify
from kibitz.calibration.outline import INNER_SQUARES
from kibitz.engine.table import SIDE
from kibitz.models.training.drawing import camera, lookalikes, textures
from kibitz.models.training.drawing.board_art import CANVAS_PX, MARGIN, SQUARE_PX
from kibitz.models.training.drawing.covers import EMPTY, MARKER, TILE
from kibitz.models.training.drawing.raised import found_lift, random_view
from kibitz.models.training.drawing.scene import Scene
from kibitz.models.training.drawing.tabletop import Beside, photograph
from kibitz.models.training.sampling.faces import TWINS, Twins, as_many
from kibitz.models.training.sampling.pool import Scenes
from kibitz.models.training.sampling.sizes import (
    FINDER_PX,
    GLYPH_SQUARE_PX,
    LATTICE_PX,
    LATTICE_SQUARE_PX,
    READER_SQUARE_PX,
)
from kibitz.vision.boards.squares import cut_squares

Picture = NDArray[np.uint8]
GLYPHS_A_BOARD = 48
LEAST_PX = 4.5
"""Letters of tiles that are seen lower than this are not asked for, in pixels."""
FINDER_DRAWN_PX = 320
IN_DEPTH = 0.55
"""So many pictures that a finder learns from show boards on their table in depth."""
PAIRS = 0.2
"""So many of these show two."""
SIZED, SIZES = 0.25, (9, 21)
"""So many boards that a finder learns from have other sizes, from and to."""


def _tilt(rng: np.random.Generator) -> float:
    return float(abs(rng.normal(0, 12)) if rng.random() < 0.4 else rng.uniform(0, 75))


def reader_sample(
    rng: np.random.Generator, pool: Scenes
) -> tuple[Picture, Picture, Picture, Picture]:
    """(408, 408, 3) picture and (15, 15) kinds, letters, turns."""
    return board_sample(rng, pool, READER_SQUARE_PX, 9, 32)


def glyph_sample(
    rng: np.random.Generator, pool: Scenes
) -> tuple[Picture, Picture, Picture, Picture]:
    """(48, 60, 60, 3) squares of one photograph and (48,) kinds, letters, turns.

    Mostly tiles; the rest are squares beside tiles, cards and whatever else lies there.
    """
    straight, kinds, letters, turns = board_sample(rng, pool, GLYPH_SQUARE_PX, 12, 48)
    tiles, others = np.argwhere(kinds == TILE), np.argwhere((kinds != TILE) & (kinds != 255))
    rng.shuffle(tiles)
    rng.shuffle(others)
    # Cards and premium squares (which differ most from the plain ones) are what is mistaken.
    strange = _busy(straight)[tuple(others.T)] + 60.0 * (kinds[tuple(others.T)] == MARKER)
    others = (
        others[np.argsort(-strange * rng.uniform(0.5, 1.5, len(others)))]
        if rng.random() < 0.6
        else others
    )
    most = GLYPHS_A_BOARD - 14
    take = np.concatenate([tiles[:most], others[: GLYPHS_A_BOARD - min(most, len(tiles))]])
    take = take[rng.integers(0, len(take), GLYPHS_A_BOARD)] if len(take) < GLYPHS_A_BOARD else take
    crops = cut_squares(straight, take)
    at = tuple(take.T)
    return crops, kinds[at], letters[at], turns[at]


def bare_sample(rng: np.random.Generator, pool: Scenes) -> tuple[Picture, Picture]:
    """(48, 60, 60, 3) bare squares of one photograph, and (48,) 1, or 0 where there are none.

    Mostly premium squares: plain ones tell nothing.
    """
    straight, kinds, _, _ = board_sample(rng, pool, GLYPH_SQUARE_PX, 18, 60)
    at = rng.permutation(np.argwhere(kinds == EMPTY))
    busy = _busy(straight)[tuple(at.T)]
    at = at[np.argsort(-busy * rng.uniform(0.5, 1.5, len(at)))]
    cuts = cut_squares(straight, as_many(at, GLYPHS_A_BOARD))
    return cuts, np.full(GLYPHS_A_BOARD, len(at) > 0, np.uint8)


def _busy(straight: Picture) -> NDArray[np.float32]:
    """(15, 15) how much is printed on each square of a board, with one square around it."""
    p = GLYPH_SQUARE_PX
    cells = straight[p:-p, p:-p].reshape(15, p, 15, p, 3).astype(np.float32)
    return np.asarray(cells.std((1, 3)).mean(-1), np.float32)


def board_sample(
    rng: np.random.Generator, pool: Scenes, square_px: int, low: float, high: float
) -> tuple[Picture, Picture, Picture, Picture]:
    """A straightened board with one square around it and (15, 15) kinds, letters, turns.

    Args:
        rng: chance.
        pool: scenes.
        square_px: side of a square in the result.
        low: fewest pixels a square in the photograph.
        high: most pixels a square in the photograph.
    """
    picture, assumed, kinds, letters, turns = board_photograph(rng, pool, low, high)
    straight = rectify(picture, assumed, square_px, (-1.0, -1.0), (17.0, 17.0))
    return straight, kinds, letters, turns


def seen_px(geometry: BoardGeometry) -> NDArray[np.float64]:
    """(n, n) how many pixels each square is high where it is seen lowest."""
    at = np.arange(geometry.size + 1.0)
    px = geometry.to_px(np.stack(np.meshgrid(at, at), -1))
    u, v = px[:-1, 1:] - px[:-1, :-1], px[1:, :-1] - px[:-1, :-1]
    area = np.abs(u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0])
    longest = np.maximum(np.hypot(*u.transpose(2, 0, 1)), np.hypot(*v.transpose(2, 0, 1)))
    return np.asarray(area / longest)


def board_photograph(
    rng: np.random.Generator, pool: Scenes, low: float, high: float, scene: int | None = None
) -> tuple[Picture, BoardGeometry, Picture, Picture, Picture]:
    """A photograph of a scene, where one would say the tops of its tiles lie, and the truth."""
    drawn = pool.scene(int(rng.integers(0, len(pool))) if scene is None else scene)
    q = float(np.exp(rng.uniform(np.log(low), np.log(high))))
    n = int(20 * q)
    view = random_view(rng, n, n, _tilt(rng), fill=float(rng.uniform(0.7, 0.98)))
    k1 = float(rng.uniform(-0.12, 0.06)) if rng.random() < 0.3 else 0.0
    view = replace(view, k1=k1)
    shown = photograph(rng, drawn, view, q, hard=0.5 if rng.random() < 0.4 else 1.0)
    picture, kinds, letters, turns = shown.picture, shown.kinds, shown.letters, shown.turns
    # Tiles are looked at in the plane of their tops, which is known about as well as the corners.
    lift = found_lift(rng, shown.tile, view.tilt_deg)
    far = seen_px(view.geometry(shown.tile))
    letters, turns = (np.where(far < LEAST_PX, 255, x).astype(np.uint8) for x in (letters, turns))
    geometry = view.geometry(lift)
    # Whichever corner is nearest the picture's top left comes first, as the finder has it.
    c = geometry.corners_px
    first = int(np.argmin(c.sum(1))) if rng.random() < 0.5 else int(rng.integers(0, 4))
    geometry = geometry.turned(first)
    sigma = rng.choice([0.02, 0.05, 0.1], p=[0.5, 0.35, 0.15])
    assumed = camera.shaken(rng, geometry, sigma)
    kinds, letters = np.rot90(kinds, first), np.rot90(letters, first)
    turns = np.rot90(turns, first)
    turns = np.where(turns < 4, (turns + 4 - first) % 4, 255).astype(np.uint8)
    return picture, assumed, kinds.astype(np.uint8), letters.astype(np.uint8), turns


def twins_on_a_board(rng: np.random.Generator, pool: Scenes, sizes: Sequence[int]) -> Twins:
    """As `faces.twins_photographed`, of a whole board of the pool, whose letters are softer."""
    while True:
        picture, assumed, _, letters, turns = board_photograph(rng, pool, 14, 50)
        at = rng.permutation(np.argwhere(np.isin(letters, list(TWINS)) & (turns != 255)))
        if len(at):
            break
    straight = [rectify(picture, assumed, px, (-1.0, -1.0), (17.0, 17.0)) for px in sizes]
    return straight, at, letters[tuple(at.T)], turns[tuple(at.T)]


def lattice_sample(rng: np.random.Generator, pool: Scenes) -> tuple[Picture, NDArray[np.float32]]:
    """(256, 256, 3) picture and (3, 16, 16): x and y shift in squares, on-board 0 or 1."""
    n = LATTICE_PX
    cells = (np.arange(16) + 0.5) * n / 16
    if rng.random() < 0.16:
        picture = (
            camera.backdrop(rng, n, n)
            if rng.random() < 0.2
            else lookalikes.looked_at(rng, lookalikes.grid_lookalike(rng), n)
        )
        return camera.expose(rng, picture, 13), np.zeros((3, 16, 16), np.float32)
    drawn = pool.scene(int(rng.integers(0, len(pool))))
    q = float(np.exp(rng.uniform(np.log(8), np.log(30))))
    m = int(21 * q)
    k1 = float(rng.uniform(-0.15, 0.08)) if rng.random() < 0.4 else 0.0
    fill = float(rng.uniform(0.65, 0.98))
    view = replace(random_view(rng, m, m, _tilt(rng), fill=fill, off_centre=0.03), k1=k1)
    geometry = view.geometry()
    if rng.random() < 0.25:
        picture = camera.expose(rng, _joined(rng, pool, drawn.flat(), geometry), q)
    else:
        picture = photograph(rng, drawn, view, q).picture
    geometry = geometry.turned(int(rng.integers(0, 4)))
    sigma = float(rng.choice([0.05, 0.15, 0.35, 0.8, 1.2], p=[0.25, 0.33, 0.22, 0.12, 0.08]))
    # Only the homography is assumed: the shift field carries the lens.
    plain = BoardGeometry(geometry.homography, 15, m, m)
    if k1:
        src = np.array([(0, 0), (15, 0), (15, 15), (0, 15)], np.float32)
        h = cv2.getPerspectiveTransform(src, geometry.corners_px.astype(np.float32))
        plain = BoardGeometry(h.astype(np.float64), 15, m, m)
    assumed = (
        slipped(rng, camera.shaken(rng, plain, sigma))
        if rng.random() < 0.35
        else camera.shaken(rng, plain, sigma)
    )
    margin = (n / LATTICE_SQUARE_PX - 15) / 2
    straight = rectify(
        picture, assumed, LATTICE_SQUARE_PX, (-margin, -margin), (n / LATTICE_SQUARE_PX,) * 2
    )
    xx, yy = np.meshgrid(cells / LATTICE_SQUARE_PX - margin, cells / LATTICE_SQUARE_PX - margin)
    here = np.stack([xx, yy], -1)
    true = geometry.to_lattice(assumed.to_px(here))
    inside = ((true > 0) & (true < 15)).all(-1)
    return straight[:n, :n], np.concatenate(
        [(true - here).transpose(2, 0, 1), inside[None]]
    ).astype(np.float32)


def slipped(rng: np.random.Generator, geometry: BoardGeometry) -> BoardGeometry:
    """Sides taken for others: a rim or a legend counted as a row, a row left out."""
    x0, y0, x1, y1 = rng.choice([-1.0, 0.0, 1.0], 4, p=[0.25, 0.5, 0.25]) * rng.uniform(
        0.7, 1.6, 4
    )
    m = np.array([[(15 - x1 - x0) / 15, 0, x0], [0, (15 - y1 - y0) / 15, y0], [0, 0, 1.0]])
    return BoardGeometry(
        geometry.homography @ m, geometry.size, geometry.width, geometry.height, geometry.k1
    )


def _joined(
    rng: np.random.Generator, pool: Scenes, canonical: Picture, geometry: BoardGeometry
) -> Picture:
    """The board amid eight others that meet it without a rim (Frankenscrabbards)."""
    p, lo = SQUARE_PX, int(MARGIN * SQUARE_PX)
    side = 15 * p
    out = canonical.copy()
    middle = canonical[lo : lo + side, lo : lo + side]
    gap = int(rng.choice([0, 0, 1, 2]))
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            if (dr, dc) == (0, 0) or rng.random() < 0.15:
                continue
            other = (
                middle
                if rng.random() < 0.3
                else pool.image(int(rng.integers(0, len(pool))))[lo : lo + side, lo : lo + side]
            )
            y0, x0 = lo + dr * (side + gap), lo + dc * (side + gap)
            ya, xa, yb, xb = (
                max(0, y0),
                max(0, x0),
                min(CANVAS_PX, y0 + side),
                min(CANVAS_PX, x0 + side),
            )
            out[ya:yb, xa:xb] = other[ya - y0 : yb - y0, xa - x0 : xb - x0]
    return camera.warp_onto(out, geometry)[0]


def finder_sample(rng: np.random.Generator, pool: Scenes) -> tuple[Picture, Picture]:
    """(px, px, 3) picture and (2, px / 4, px / 4) truth: playing area and its inner part.

    It is drawn larger and then shrunk to `FINDER_PX`, as a photograph is.
    """
    n, cells = FINDER_DRAWN_PX, FINDER_PX // 4
    aspect = float(rng.choice([1.0, 0.75, 0.5625, 0.667], p=[0.35, 0.3, 0.2, 0.15]))
    w, h = (n, round(n * aspect)) if rng.random() < 0.6 else (round(n * aspect), n)
    truth = np.zeros((2, cells, cells), np.uint8)
    if rng.random() < IN_DEPTH:
        k1 = float(rng.uniform(-0.15, 0.08)) if rng.random() < 0.3 else 0.0
        drawn, beside = _of_any_size(rng, pool), None
        fill = float(rng.uniform(0.35, 1.0))
        if rng.random() < PAIRS:
            beside, fill = _beside(rng, pool, drawn), float(rng.uniform(0.3, 0.6))
        off_centre = 0.5 * (1 - fill) + 0.02
        size = len(drawn.kinds)
        view = random_view(rng, w, h, _tilt(rng), size, fill=fill, off_centre=off_centre)
        view = replace(view, k1=k1)
        _mark_area(truth, view.geometry(), n)
        if beside is not None:
            scene, place = beside
            other = replace(view.geometry(), size=len(scene.kinds)).shifted(*place)
            beside = beside if _mostly_within(other.corners_px, w, h, n) else None
            if beside is not None:
                _mark_area(truth, other, n)
        px = 0.6 * fill * n / size
        picture = photograph(rng, drawn, view, px, beside=beside).picture
        return _shrunk(picture), truth
    picture = camera.backdrop(rng, w, h)
    kind = rng.random()
    boards = 0 if kind < 0.2 else 2 if kind < 0.32 else 1
    for _ in range(int(rng.integers(1, 3)) if rng.random() < (0.35 if boards else 0.9) else 0):
        size = rng.uniform(0.2, 0.7 if boards else 0.85) * min(w, h)
        _lay(rng, lookalikes.grid_lookalike(rng), picture, float(size))
    taken: list[NDArray[np.float64]] = []
    for _ in range(boards):
        for _ in range(6):
            size = (
                rng.uniform(0.3, 0.6) * min(w, h)
                if boards == 2
                else (rng.uniform(0.28, 1.0) if rng.random() < 0.65 else rng.uniform(0.85, 1.15))
                * min(w, h)
            )
            k1 = float(rng.uniform(-0.15, 0.08)) if rng.random() < 0.3 else 0.0
            drawn = _of_any_size(rng, pool)
            squares = len(drawn.kinds)
            view = camera.random_view(
                rng,
                w,
                h,
                size,
                _tilt(rng),
                squares,
                off_centre=0.28 if boards == 2 else 0.5 * max(0.0, 0.75 - size / min(w, h)) + 0.08,
            )
            g = BoardGeometry(view, squares, w, h, k1)
            c = g.corners_px
            inside = _mostly_within(c, w, h, n) and ((c > 0) & (c < (w, h))).all(1).sum() >= (
                3 if rng.random() < 0.3 else 4
            )
            if inside and not any(_overlap(c, t, w, h) for t in taken):
                taken.append(c)
                if boards == 1 and rng.random() < 0.15:
                    big = _big(rng, pool)
                    warped, _ = camera.warp_onto(
                        big, g, square_px=big.shape[0] / g.size, margin=0.0
                    )
                    rim = np.array([0.0, 0, g.size, g.size])
                else:
                    warped, _ = camera.warp_onto(drawn.flat(), g)
                    rim = np.array(drawn.rim) / SQUARE_PX - MARGIN
                x0, y0, x1, y1 = rim
                mask = _fill(g, np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], float), w, h, 1)
                if rng.random() < 0.7:
                    dark = cv2.GaussianBlur(
                        np.roll(mask, tuple(rng.integers(-5, 6, 2)), (0, 1)), (0, 0), 2.0
                    )
                    picture = (
                        picture * (1 - dark[..., None] / 255 * rng.uniform(0.2, 0.7))
                    ).astype(np.uint8)
                a = mask[..., None] / 255.0
                picture = (picture * (1 - a) + warped * a).astype(np.uint8)
                _mark_area(truth, g, n)
                break
    if rng.random() < 0.35:
        f = picture.astype(np.float32) / 255
        textures.clutter(rng, f, int(rng.integers(1, 3)))
        picture = (np.clip(f, 0, 1) * 255).astype(np.uint8) if rng.random() < 0.4 else picture
    return _shrunk(camera.expose(rng, picture, 14, hard=0.8)), truth


def _of_any_size(rng: np.random.Generator, pool: Scenes) -> Scene:
    """A scene of the pool, now and then with rows and columns fewer or more."""
    scene = pool.scene(int(rng.integers(0, len(pool))))
    return (
        sized(scene, int(rng.integers(*SIZES, endpoint=True))) if rng.random() < SIZED else scene
    )


def sized(scene: Scene, n: int) -> Scene:
    """A scene with `n` squares a side: what is in the middle is left out, or there twice.

    `n` is less than twice as many as the scene has.
    """
    old = len(scene.kinds)
    first, then = (n + 1) // 2, old - n // 2
    squares = np.r_[0:first, then:old]
    lo = int(MARGIN * SQUARE_PX)
    px = np.r_[0 : lo + first * SQUARE_PX, lo + then * SQUARE_PX : len(scene.image)]

    def of(layer: Picture, at: NDArray[np.int_]) -> Picture:
        return np.ascontiguousarray(layer[np.ix_(at, at)])

    kinds, letters, turns = (of(x, squares) for x in (scene.kinds, scene.letters, scene.turns))
    raised = scene.raised and replace(
        scene.raised, tops=of(scene.raised.tops, px), over=of(scene.raised.over, px)
    )
    x0, y0, x1, y1 = scene.rim
    more = (n - old) * SQUARE_PX
    return Scene(
        of(scene.image, px), kinds, letters, turns, (x0, y0, x1 + more, y1 + more), raised
    )


def _beside(rng: np.random.Generator, pool: Scenes, scene: Scene) -> Beside:
    """Another board on one side of a scene's, not turned, and where it begins."""
    other = _of_any_size(rng, pool)
    side = int(rng.integers(0, 4))
    ends = np.array(scene.rim) / SQUARE_PX - MARGIN
    theirs = np.array(other.rim) / SQUARE_PX - MARGIN
    apart = float(rng.uniform(0, 4))
    along = float(rng.uniform(-4, 4))
    # left, above, right or below: rim to rim and a gap
    axis, after = side % 2, side >= 2
    across = (
        ends[axis + 2] - theirs[axis] + apart if after else ends[axis] - theirs[axis + 2] - apart
    )
    return other, (across, along) if axis == 0 else (along, across)


def _mostly_within(corners: NDArray[np.float64], w: int, h: int, n: int) -> bool:
    """Whether corners lie in a picture or little beside it."""
    return bool(((corners > -0.12 * n) & (corners < np.array([w, h]) + 0.12 * n)).all())


def _shrunk(picture: Picture) -> Picture:
    """A picture made square with black, as large as the finder sees it."""
    out = np.zeros((FINDER_DRAWN_PX, FINDER_DRAWN_PX, 3), np.uint8)
    out[: picture.shape[0], : picture.shape[1]] = picture
    return np.asarray(cv2.resize(out, (FINDER_PX, FINDER_PX), interpolation=cv2.INTER_AREA))


def _mark_area(truth: Picture, g: BoardGeometry, n: int) -> None:
    """Add a board's playing area and its inner part to the truth of a picture of side `n`."""
    cells = truth.shape[1]
    for channel, edge in ((0, 0.0), (1, INNER_SQUARES * g.size / SIDE)):
        far = g.size - edge
        quad = np.array([(edge, edge), (far, edge), (far, far), (edge, far)])
        inside = _fill(g, quad, cells, cells, n / cells) > 127
        truth[channel] = np.maximum(truth[channel], inside)


def _fill(g: BoardGeometry, quad: NDArray[np.float64], w: int, h: int, reduce: float) -> Picture:
    """Coverage 0..255 of a lattice polygon, with its edges bent by the lens."""
    edges = np.concatenate(
        [
            quad[k] + (quad[(k + 1) % 4] - quad[k]) * np.linspace(0, 1, 8, endpoint=False)[:, None]
            for k in range(4)
        ]
    )
    mask = np.zeros((h, w), np.uint8)
    cv2.fillPoly(
        mask, [((g.to_px(edges) / reduce - 0.5) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4
    )
    return mask


def _overlap(a: NDArray[np.float64], b: NDArray[np.float64], w: int, h: int) -> bool:
    masks = []
    for c in (a, b):
        m = np.zeros((h, w), np.uint8)
        centre = c.mean(0)
        cv2.fillPoly(m, [(centre + (c - centre) * 1.12).astype(np.int32)], 1)
        masks.append(m)
    return bool((masks[0] & masks[1]).any())


def _big(rng: np.random.Generator, pool: Scenes) -> Picture:
    """Nine playing areas joined into one."""
    i = int(rng.integers(0, len(pool)))
    p, lo = SQUARE_PX, int(MARGIN * SQUARE_PX)
    side = 15 * p
    same = pool.image(i)[lo : lo + side, lo : lo + side]
    rows = []
    for _ in range(3):
        parts = [
            cv2.resize(
                same
                if rng.random() < 0.6
                else pool.image(int(rng.integers(0, len(pool))))[lo : lo + side, lo : lo + side],
                (180, 180),
                interpolation=cv2.INTER_AREA,
            )
            for _ in range(3)
        ]
        rows.append(np.hstack(parts))
    return np.vstack(rows)


def _lay(rng: np.random.Generator, thing: Picture, picture: Picture, size: float) -> None:
    """Put a square thing somewhere on the picture, in perspective."""
    h, w = picture.shape[:2]
    g = BoardGeometry(camera.random_view(rng, w, h, size, _tilt(rng), off_centre=0.4), 15, w, h)
    warped, _ = camera.warp_onto(
        thing, g, square_px=thing.shape[0] / 15, margin=0.0, border=cv2.BORDER_CONSTANT
    )
    mask = _fill(g, np.array([(0.0, 0), (15, 0), (15, 15), (0, 15)]), w, h, 1) > 127
    picture[mask] = warped[mask]
