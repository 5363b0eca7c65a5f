"""Boards with tiles, cards, hands and light on them, with the truth of every square."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.models.training.drawing import board_art, glyphs, textures
from kibitz.models.training.drawing.board_art import MARGIN, SQUARE_PX, canvas_px
from kibitz.models.training.drawing.covers import (
    COVERED,
    EMPTY,
    IGNORE,
    MARKER,
    TILE,
    cover_mask_at,
    hide,
    lay_over,
)

UNLIKE_BLANKS = 0.3
"""In so many sets each blank has another mark."""
SLID = 0.08
"""In so many scenes a row of tiles lies over the line between squares."""
HELD = 0.08
"""In so many scenes fingers hold a tile over the board."""
HALF_OFF = 0.44
"""Who sees a tile that lies farther off its square, in squares, cannot tell which one it is on."""

HELD_FACES = ("poppins", "playfair-display", "saira", "pt-serif", "barlow")
"""Typefaces of tiles that no network has seen in depth: they are judged by them."""
DARK = 0.3
"""Tiles less light than this are dark."""

Array = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Raised:
    """What of a scene stands above its board; the scene's own picture is the bare board then.

    Attributes:
        tops: (px, px, 4) BGR and coverage of the tiles' tops.
        over: the same of hands and what else lies on them.
        numbers: heights and the like, by `NUMBERS`.
    """

    tops: NDArray[np.uint8]
    over: NDArray[np.uint8]
    numbers: NDArray[np.float32]


NUMBERS = ("tile", "side", "board", "ridge", "ridge_width", "pegs", "gloss", "dark")
"""Of a raised scene: how thick tiles are (squares), how light their sides are beside their tops,
how thick the board is, how high ridges between its squares are and how wide, whether these are pegs
at the squares' corners, how much it mirrors, and whether its tiles are dark."""


@dataclass(frozen=True)
class Scene:
    """A canonical picture (`canvas_px` squared, BGR uint8) and its truth, (n, n) uint8 each.

    `letters` indexes `glyphs.LABELS` (255: not asked for), `turns` counts quarter turns (255:
    cannot be told), `kinds` is EMPTY, TILE, MARKER, COVERED or IGNORE. `rim` is left, top, right,
    bottom of the board with its rim, in pixels.
    """

    image: NDArray[np.uint8]
    kinds: NDArray[np.uint8]
    letters: NDArray[np.uint8]
    turns: NDArray[np.uint8]
    rim: tuple[int, int, int, int]
    raised: Raised | None = None

    def flat(self) -> NDArray[np.uint8]:
        """The scene with all that stands on it, seen from straight above."""
        out = self.image
        for layer in (self.raised.tops, self.raised.over) if self.raised else ():
            share = layer[..., 3:].astype(np.uint16)
            out = ((out * (255 - share) + layer[..., :3] * share) // 255).astype(np.uint8)
        return out


def random_layout(rng: np.random.Generator, n: int = 15) -> NDArray[np.bool_]:
    """Which squares of `n` a side hold tiles: none, crossing words, or any mess."""
    grid = np.zeros((n, n), bool)
    kind = rng.random()
    if kind < 0.06:
        return grid
    if kind < 0.16:
        return rng.random((n, n)) < rng.uniform(0.02, 0.8)
    for _ in range(int(rng.integers(1, 30))):
        k, r, c = int(rng.integers(2, 10)), int(rng.integers(0, n)), int(rng.integers(0, n))
        if rng.random() < 0.5:
            grid[r, c : c + k] = True
        else:
            grid[r : r + k, c] = True
    return grid


def random_letter(rng: np.random.Generator) -> str:
    """A letter to print: mostly plain, often accented, now and then a blank or a foreign one."""
    k = rng.random()
    if k < 0.76:
        return str(rng.choice(list(glyphs.LATIN)))
    if k < 0.93:
        return (
            str(rng.choice(list(glyphs.ACCENTED[:13])))
            if rng.random() < 0.75
            else str(rng.choice(list(glyphs.ACCENTED)))
        )
    if k < 0.985:
        return "?"
    return str(rng.choice(list(glyphs.FOREIGN)))


class SpriteCabinet:
    """Sprites of one tile set, drawn when first asked for."""

    def __init__(
        self, rng: np.random.Generator, style: glyphs.TileStyle, honest: bool = False
    ) -> None:
        self.rng, self.style, self.honest = rng, style, honest
        self._drawn: dict[str, Array] = {}
        self.unlike = bool(rng.spawn(1)[0].random() < UNLIKE_BLANKS)

    def get(self, char: str) -> Array:
        """The sprite of a letter, at `glyphs.SPRITE_PX` a square; the blanks of a set may differ."""
        if char == "?" and self.unlike:
            return glyphs.sprite(self.rng, self.style, char, honest=self.honest)
        if char not in self._drawn:
            self._drawn[char] = glyphs.sprite(self.rng, self.style, char, honest=self.honest)
        return self._drawn[char]


@dataclass(frozen=True, eq=False)
class Spread:
    """What lies on a board.

    Attributes:
        chars: (n, n) what is printed on each tile, `?` a blank, empty where none lies.
        turns: (n, n) quarter turns of the tiles.
        cabinet: their sprites.
    """

    chars: NDArray[np.str_]
    turns: NDArray[np.uint8]
    cabinet: SpriteCabinet


def paste(
    canvas: Array,
    sprite: Array,
    centre: tuple[float, float],
    angle_deg: float,
    px: float,
    lift: tuple[float, float],
    side: tuple[float, float, float],
    light: float = 1.0,
    sprite_px: int = glyphs.SPRITE_PX,
) -> None:
    """Lay a sprite on the canvas, turned clockwise; `lift` moves its top (pixels) and shows its side."""
    h, w = sprite.shape[:2]
    k = px / sprite_px
    a = np.deg2rad(angle_deg)
    reach = int(0.75 * k * max(h, w) + max(abs(lift[0]), abs(lift[1])) + 3)
    x0, y0 = int(centre[0]) - reach, int(centre[1]) - reach
    n = 2 * reach + 1
    if x0 < 0 or y0 < 0 or x0 + n > canvas.shape[1] or y0 + n > canvas.shape[0]:
        return
    cos, sin = k * np.cos(a), k * np.sin(a)
    roi = canvas[y0 : y0 + n, x0 : x0 + n]

    def matrix(dx: float, dy: float) -> Array:
        cx, cy = centre[0] - x0 + dx, centre[1] - y0 + dy
        mx, my = (w - 1) / 2, (h - 1) / 2
        return np.array(
            [[cos, -sin, cx - cos * mx + sin * my], [sin, cos, cy - sin * mx - cos * my]],
            np.float32,
        )

    span = float(np.hypot(*lift))
    if span > 0.7:
        steps = max(1, int(span / 1.5))
        cover = np.zeros((n, n), np.float32)
        for i in range(steps):
            t = i / steps
            cover = np.maximum(
                cover,
                cv2.warpAffine(
                    sprite[..., 3],
                    matrix(lift[0] * t, lift[1] * t),
                    (n, n),
                    flags=cv2.INTER_LINEAR,
                ),
            )
        roi[:] = (
            roi * (1 - cover[..., None]) + np.array(side, np.float32) * light * cover[..., None]
        )
    top = cv2.warpAffine(
        sprite, matrix(*lift), (n, n), flags=cv2.INTER_AREA if k < 1 else cv2.INTER_LINEAR
    )
    bgr = roi[..., :3]
    bgr[:] = bgr * (1 - top[..., 3:]) + top[..., :3] * light * top[..., 3:]
    if roi.shape[2] == 4:
        roi[..., 3] = np.maximum(roi[..., 3], top[..., 3])


def _cards(rng: np.random.Generator, canvas: Array, kinds: NDArray[np.uint8], below: bool) -> None:
    """Ship cards: plain printed strips over two to five squares."""
    p = SQUARE_PX
    card = textures.hsv(rng.random(), rng.uniform(0, 0.6), rng.uniform(0.2, 1.0))
    ship = (
        textures.hsv(rng.uniform(0.5, 0.7), rng.uniform(0, 0.5), rng.uniform(0.15, 0.7))
        if rng.random() < 0.6
        else textures.random_colour(rng)
    )
    across_mm = rng.uniform(0.55, 0.98)
    look = rng.random()
    for _ in range(int(rng.integers(1, 7))):
        n = int(rng.integers(2, 6))
        down = rng.random() < 0.5
        r = int(rng.integers(0, len(kinds) - (n if down else 0)))
        c = int(rng.integers(0, len(kinds) - (0 if down else n)))
        squares = [(r + i, c) if down else (r, c + i) for i in range(n)]
        if any(kinds[q] == MARKER for q in squares):
            continue
        cx, cy = (
            (c + (0.5 if down else n / 2) + MARGIN) * p,
            (r + (n / 2 if down else 0.5) + MARGIN) * p,
        )
        cx, cy = cx + rng.normal(0, 0.06) * p, cy + rng.normal(0, 0.06) * p
        angle = float(rng.normal(0, 2.0)) + (90 if down else 0)
        long, wide = (n - rng.uniform(0.02, 0.3)) * p, across_mm * p
        box = cv2.boxPoints(((cx, cy), (long, wide), angle))
        cv2.fillPoly(
            canvas,
            [(box + rng.uniform(0.5, 3)).astype(np.int32)],
            (canvas.mean((0, 1)) * 0.3).tolist(),
            cv2.LINE_AA,
        )
        cv2.fillPoly(canvas, [box.astype(np.int32)], card.tolist(), cv2.LINE_AA)
        a = np.deg2rad(angle)
        u, v = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
        if look < 0.75:  # a hull drawn on it, with turrets
            w2, l2 = wide * rng.uniform(0.3, 0.48), long * 0.49
            hull = [
                (-l2, 0),
                (-l2 * 0.8, -w2),
                (l2 * 0.85, -w2),
                (l2, 0),
                (l2 * 0.85, w2),
                (-l2 * 0.8, w2),
            ]
            if rng.random() < 0.5:
                hull = [(-l2, -w2), (l2 * 0.8, -w2), (l2, 0), (l2 * 0.8, w2), (-l2, w2)]
            pts = np.array([np.array([cx, cy]) + x * u + y * v for x, y in hull], np.int32)
            cv2.fillPoly(canvas, [pts], ship.tolist(), cv2.LINE_AA)
            cv2.polylines(
                canvas,
                [pts],
                True,
                (ship * rng.uniform(0.3, 1.5)).clip(0, 1).tolist(),
                int(rng.integers(1, 3)),
                cv2.LINE_AA,
            )
            for i in range(n if rng.random() < 0.6 else int(rng.integers(0, 4))):
                q = np.array([cx, cy]) + u * (i + 0.5 - n / 2) * p * 0.8
                cv2.circle(
                    canvas,
                    (int(q[0]), int(q[1])),
                    int(rng.uniform(0.04, 0.16) * p),
                    textures.random_colour(rng).tolist(),
                    -1,
                    cv2.LINE_AA,
                )
        elif look < 0.9:
            cv2.polylines(canvas, [box.astype(np.int32)], True, ship.tolist(), 2, cv2.LINE_AA)
        for q in squares:
            if below or kinds[q] == TILE or kinds[q] == EMPTY:
                kinds[q] = MARKER


def push_row(
    rng: np.random.Generator,
    layout: NDArray[np.bool_],
    kinds: NDArray[np.uint8],
    centres: NDArray[np.float64],
) -> None:
    """Push a row of tiles towards squares beside it, which must be free.

    Args:
        rng: chance.
        layout: (n, n) which squares hold tiles.
        kinds: (n, n), changed in place: where nobody can tell which square a tile is on, both are
            `COVERED`.
        centres: (n, n, 2) x, y of the tiles' middles in pixels, changed in place.
    """
    n = len(layout)
    if not layout.any():
        return
    along = ((0, 1), (1, 0))[int(rng.integers(0, 2))]
    r, c = (int(x) for x in rng.permutation(np.argwhere(layout))[0])
    tiles = []
    while r < n and c < n and layout[r, c] and (not tiles or rng.random() < 0.8):
        tiles.append((r, c))
        r, c = r + along[0], c + along[1]
    dr, dc = ((0, 1), (0, -1), (1, 0), (-1, 0))[int(rng.integers(0, 4))]
    beside = [(r + dr, c + dc) for r, c in tiles if (r + dr, c + dc) not in tiles]
    if any(not (0 <= r < n and 0 <= c < n) or layout[r, c] for r, c in beside):
        return
    off = float(rng.uniform(0.2, 0.5))
    for r, c in tiles:
        centres[r, c] += np.array([dc, dr]) * off * SQUARE_PX
    if off > HALF_OFF:
        for square in (*tiles, *beside):
            kinds[square] = COVERED


def _held(
    rng: np.random.Generator,
    canvas: Array,
    kinds: NDArray[np.uint8],
    cabinet: SpriteCabinet,
    over: Array | None = None,
    tops: Array | None = None,
) -> None:
    """Fingers that hold a tile over the board, nearer to the camera than those that lie there.

    They are drawn into `over`, if given, and their shadow falls on `tops` too.
    """
    n, p = len(kinds), SQUARE_PX
    at = rng.uniform(MARGIN, MARGIN + n, 2) * p
    x, y = (float(v) for v in at)
    size = p * rng.uniform(1.0, 1.4)
    angle = float(rng.uniform(0, 360))
    mask, colour = cover_mask_at(rng, len(canvas), p, holding=at)
    both = mask.copy()
    box = cv2.boxPoints(((x, y), (size * 0.95, size * 0.95), angle))
    cv2.fillPoly(both, [box.astype(np.int32)], 1.0, cv2.LINE_AA)
    _shade(rng, both, canvas, tops)
    tile = cabinet.get(random_letter(rng))
    on = canvas if over is None else over
    paste(on, tile, (x, y), angle, size, (0.0, 0.0), cabinet.style.side)
    lay_over(on, mask, colour)
    if over is None:
        _hide_below(kinds, both)


def _shade(rng: np.random.Generator, mask: Array, *layers: Array | None) -> None:
    """The shadow of something that lies over the board."""
    dark = cv2.GaussianBlur(
        np.roll(mask, rng.integers(-14, 15, 2), (0, 1)), (0, 0), float(rng.uniform(2, 12))
    )
    light = 1 - dark[..., None] * float(rng.uniform(0.1, 0.6))
    for layer in layers:
        if layer is not None:
            layer[..., :3] *= light


def _hide_below(kinds: NDArray[np.uint8], mask: Array) -> None:
    """Mark the squares that something over the board hides."""
    n, p, lo = len(kinds), SQUARE_PX, int(MARGIN * SQUARE_PX)
    part = mask[lo : lo + n * p, lo : lo + n * p]
    hide(kinds, cv2.resize(part, (n, n), interpolation=cv2.INTER_AREA))


def _light(
    rng: np.random.Generator, canvas: Array, kinds: NDArray[np.uint8], above: Sequence[Array] = ()
) -> None:
    """Uneven light, hard shadows and glare; squares drowned in glare are marked covered.

    What stands above the canvas is lit alike.
    """
    n, squares = len(canvas), len(kinds)
    yy, xx = np.mgrid[0:n, 0:n].astype(np.float32) / n
    field = np.ones((n, n), np.float32)
    layers = [canvas, *(x[..., :3] for x in above)]
    if rng.random() < 0.7:
        angle, depth = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.45)
        field *= 1 - depth * (np.cos(angle) * (xx - 0.5) + np.sin(angle) * (yy - 0.5) + 0.5)
    if rng.random() < 0.25:
        pts = (rng.uniform(-0.3, 1.3, (int(rng.integers(3, 6)), 2)) * n).astype(np.int32)
        mask = np.zeros((n, n), np.float32)
        cv2.fillPoly(mask, [pts], 1.0)
        mask = cv2.GaussianBlur(mask, (0, 0), float(rng.choice([1, 2, 5, 15])))
        field *= 1 - mask * rng.uniform(0.2, 0.65)
    for layer in layers:
        np.multiply(layer, field[..., None], out=layer)
    if rng.random() < 0.2:
        cx, cy = rng.uniform(0, 1, 2)
        sx, sy = rng.uniform(0.03, 0.25, 2)
        a = rng.uniform(0, np.pi)
        u = (np.cos(a) * (xx - cx) + np.sin(a) * (yy - cy)) / sx
        v = (-np.sin(a) * (xx - cx) + np.cos(a) * (yy - cy)) / sy
        glare = np.exp(-0.5 * (u * u + v * v)).astype(np.float32) * rng.uniform(0.2, 1.1)
        for layer in layers:
            np.add(layer, glare[..., None] * textures.hsv(0.12, 0.08, 1.0), out=layer)
        p, lo = SQUARE_PX, int(MARGIN * SQUARE_PX)
        strength = cv2.resize(
            glare[lo : lo + squares * p, lo : lo + squares * p],
            (squares, squares),
            interpolation=cv2.INTER_AREA,
        )
        kinds[(strength > 0.75) & (kinds == TILE)] = IGNORE
    for layer in layers:
        np.clip(layer, 0, 1, out=layer)


def _choose_turns(rng: np.random.Generator, n: int) -> NDArray[np.uint8]:
    mode = rng.random()
    if mode < 0.55:
        return np.zeros((n, n), np.uint8)
    if mode < 0.8:
        return np.where(rng.random((n, n)) < rng.uniform(0.1, 0.9), 2, 0).astype(np.uint8)
    return rng.integers(0, 4, (n, n)).astype(np.uint8)


def _apart(rng: np.random.Generator) -> np.random.Generator:
    """A second generator, made without drawing from `rng`, which goes on as without it."""
    seeds = rng.bit_generator.seed_seq
    assert isinstance(seeds, np.random.SeedSequence)
    return np.random.default_rng([int(x) for x in seeds.generate_state(4)])


def make_scene(
    rng: np.random.Generator,
    squares: int = 15,
    spread: Spread | None = None,
    *,
    in_depth: bool = False,
    held: Collection[str] = (),
) -> Scene:
    """One board as it may lie on somebody's table.

    Args:
        rng: chance.
        squares: a side.
        spread: what lies there, in what style; drawn if not given, with cards and hands.
        in_depth: keep apart what stands above the board, see `Raised`.
        held: `board`, `face`: in depth, of such kinds as networks are judged by, not learn from.
    """
    n, p = canvas_px(squares), SQUARE_PX
    canvas = textures.table_top(rng, n, n)
    rim = board_art.draw_board(rng, canvas, squares, "board" in held if in_depth else None)
    ridges = board_art.ridges(rng, canvas, squares) if in_depth else np.zeros(3, np.float32)
    layout = random_layout(rng, squares) if spread is None else spread.chars != ""
    kinds = np.where(layout, TILE, EMPTY).astype(np.uint8)
    letters = np.full((squares, squares), 255, np.uint8)
    turns = np.full((squares, squares), 255, np.uint8)
    wanted = _choose_turns(rng, squares)
    cabinets = [
        SpriteCabinet(rng, glyphs.unusual(rng.spawn(1)[0], glyphs.random_tile_style(rng)))
        for _ in range(2 if rng.random() < 0.25 else 1)
    ]
    if spread is not None:
        cabinets, wanted = [spread.cabinet], spread.turns
    if in_depth:
        middle = canvas[n // 3 : -n // 3, n // 3 : -n // 3].reshape(-1, 3)
        for cabinet in cabinets:
            cabinet.style = _for_depth(rng, cabinet.style, np.median(middle, 0), "face" in held)
    tops = over = None
    if in_depth:
        tops = np.dstack([textures.flat(np.array(cabinets[0].style.body), n, n), np.zeros((n, n))])
        tops = tops.astype(np.float32)
        over = np.zeros_like(tops)
    cards = rng.random() < 0.16 and spread is None
    if cards and (rng.random() < 0.5 or in_depth):
        lone = np.zeros((squares, squares), np.uint8)
        _cards(rng, canvas, lone, below=True)
        kinds[(lone == MARKER) & ~layout] = MARKER
    tilt, away = (
        (rng.uniform(0, 1.3) if rng.random() < 0.6 else rng.uniform(0, 0.4)),
        rng.uniform(0, 2 * np.pi),
    )
    thick = cabinets[0].style.thickness
    lift = np.array([np.cos(away), np.sin(away)]) * thick * np.tan(min(tilt, 1.15)) * p * 0.8
    lift = lift if np.hypot(*lift) < 0.42 * p else lift * 0.42 * p / np.hypot(*lift)
    lift = lift * 0 if in_depth else lift
    jitter, askew = rng.choice([0.01, 0.03, 0.06]), rng.choice([0.5, 1.5, 4.0])
    centres = (np.mgrid[0:squares, 0:squares].transpose(1, 2, 0)[..., ::-1] + 0.5 + MARGIN) * p
    centres = centres + rng.normal(0, jitter * p, (squares, squares, 2)).clip(-0.3 * p, 0.3 * p)
    if rng.random() < 0.15:  # a few tiles far off their squares
        far = rng.random((squares, squares)) < 0.15
        centres = centres + far[..., None] * rng.uniform(-0.3, 0.3, (squares, squares, 2)) * p
    angles = rng.normal(0, askew, (squares, squares))
    chance = _apart(rng)
    if spread is None and chance.random() < SLID:
        push_row(chance, layout, kinds, centres)
    if rng.random() < 0.85:
        sun, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0.02, 0.35) * p
        cast = np.zeros((n, n), np.float32)
        half = 0.45 * p
        step = np.array([np.cos(sun), np.sin(sun)]) * reach
        for r, c in np.argwhere(layout):
            x, y = centres[r, c]
            box = np.array(
                [
                    (x - half, y - half),
                    (x + half, y - half),
                    (x + half, y + half),
                    (x - half, y + half),
                ]
            )
            hull = cv2.convexHull(np.vstack([box, box + step]).astype(np.float32))
            cv2.fillConvexPoly(cast, hull.astype(np.int32), 1.0, cv2.LINE_AA)
        cast = cv2.GaussianBlur(cast, (0, 0), float(rng.uniform(0.5, 4)))
        canvas *= 1 - cast[..., None] * float(rng.uniform(0.15, 0.7))
    order = sorted(
        map(tuple, np.argwhere(layout)), key=lambda q: -(q[1] * lift[0] + q[0] * lift[1])
    )
    for r, c in order:
        cabinet = cabinets[int(rng.integers(0, len(cabinets)))]
        char = random_letter(rng) if spread is None else str(spread.chars[r, c])
        letters[r, c] = glyphs.LABELS.index(char if char in glyphs.LABELS else "?")
        if char != "?" and char in glyphs.LABELS:
            turns[r, c] = wanted[r, c]
        paste(
            canvas if tops is None else tops,
            cabinet.get(char),
            tuple(centres[r, c]),
            90.0 * wanted[r, c] + angles[r, c],
            p * rng.uniform(0.98, 1.02),
            (lift[0], lift[1]),
            cabinet.style.side,
            float(rng.uniform(0.94, 1.05)),
        )
    if cards and not in_depth and (kinds != MARKER).all():
        _cards(rng, canvas, kinds, below=False)
    covers = int(rng.choice([0, 1, 2], p=[0.5, 0.34, 0.16]))
    for _ in range(covers if spread is None else 0):
        mask, colour = cover_mask_at(rng, n, SQUARE_PX, MARGIN * SQUARE_PX)
        _shade(rng, mask, canvas, tops)
        lay_over(canvas if over is None else over, mask, colour)
        if over is None:
            _hide_below(kinds, mask)
    if spread is None and chance.random() < HELD:
        _held(chance, canvas, kinds, cabinets[0], over, tops)
    _light(rng, canvas, kinds, [x for x in (tops, over) if x is not None])
    letters[kinds != TILE] = 255
    turns[kinds != TILE] = 255
    image = (canvas * 255).astype(np.uint8)
    if tops is None or over is None:
        return Scene(image, kinds, letters, turns, rim)
    style = cabinets[0].style
    luma = np.array([0.11, 0.59, 0.3])
    ratio = float(np.dot(style.side, luma) / max(0.05, np.dot(style.body, luma)))
    dark = float(np.dot(style.body, luma) < DARK)
    thin = float(style.thickness)
    table = rng.uniform(0.05, 0.9) if rng.random() < 0.6 else rng.uniform(0.01, 0.1)
    gloss = rng.uniform(0, 1) if rng.random() < 0.5 else 0.0
    numbers = np.array([thin, ratio, table, *ridges, gloss, dark], np.float32)
    layers = [(x.clip(0, 1) * 255).astype(np.uint8) for x in (tops, over)]
    return Scene(image, kinds, letters, turns, rim, Raised(*layers, numbers))


def _for_depth(
    rng: np.random.Generator, style: glyphs.TileStyle, board: Array, held_out: bool
) -> glyphs.TileStyle:
    """A set as thick as sets are, now and then dark, or as pale as its board."""
    style = replace(style, thickness=float(rng.uniform(0.13, 0.34)))
    family = style.family.rsplit("-", 1)[0]
    if held_out != (family in HELD_FACES):
        of = [f for f in glyphs.scene_fonts() if (f.rsplit("-", 1)[0] in HELD_FACES) == held_out]
        style = replace(style, family=str(rng.choice(of)))
    kind = rng.random()
    if kind < 0.08 and board.mean() > 0.55:  # as pale as the board
        body = np.clip(board * rng.uniform(0.95, 1.12), 0, 1)
    elif kind < 0.18:
        body = textures.hsv(rng.random(), rng.uniform(0, 0.4), rng.uniform(0.03, 0.2))
    else:
        return style
    pale = float(body.mean()) > 0.4
    ink = textures.hsv(rng.random(), 0.2, rng.uniform(0, 0.25) if pale else rng.uniform(0.8, 1))
    body, ink, side = (
        tuple(float(v) for v in x) for x in (body, ink, body * rng.uniform(0.4, 0.95))
    )
    return replace(style, body=body, ink=ink, side=side)
