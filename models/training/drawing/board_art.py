"""Boards without tiles: colours, lines, premium squares, rims. Seen from straight above."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from kibitz.models.training.drawing import textures, typefaces

Array = NDArray[np.float32]

SQUARE_PX = 36
MARGIN = 2.5
"""Squares of surround on each side of the playing area in a canonical picture."""


def canvas_px(squares: int) -> int:
    """Side of a canonical picture of a board with so many squares a side."""
    return int((squares + 2 * MARGIN) * SQUARE_PX)


CANVAS_PX = canvas_px(15)
HELD_SHAPES = ("diamond", "outline")
"""How premium squares look on boards that networks are judged by."""
CARVED = 0.06
"""So many boards have no print."""

QUARTER = (  # top left quarter with the middle lines; the rest is its mirror (rule 0.4)
    "W..l...W",
    ".w...L..",
    "..w...l.",
    "l..w...l",
    "....w...",
    ".L...L..",
    "..l...l.",
    "W..l...w",
)


def standard_premiums() -> list[str]:
    """15 rows: `W` `w` triple and double word, `L` `l` triple and double letter."""
    half = [row + row[-2::-1] for row in QUARTER]
    return half + half[-2::-1]


def random_premiums(rng: np.random.Generator, squares: int = 15) -> list[str]:
    """The usual layout, or for some boards, and all of other sizes, another symmetric one."""
    if rng.random() < 0.85 and squares == 15:
        return standard_premiums()
    n = (squares + 1) // 2
    quarter = [["."] * n for _ in range(n)]
    for _ in range(int(rng.integers(6, 18) * n * n / 64)):
        r, c = rng.integers(0, n, 2)
        quarter[r][c] = quarter[c][r] = str(rng.choice(list("WwLl")))
    last = -1 - squares % 2  # an odd board's middle line is its own mirror image
    half = ["".join(row) + "".join(row[last::-1]) for row in quarter]
    return half + half[last::-1]


def text_px(lines: list[str], side: int, room: float) -> float:
    """How large text may be to fill a square of so many pixels, `room` of its width, in pixels."""
    return min(side * room / (0.62 * max(map(len, lines))), side * 0.8 / len(lines))


def text_patch(
    rng: np.random.Generator, lines: list[str], colour: Array, size: int, side: int, family: str
) -> tuple[Array, Array]:
    """Small centred text: (side, side, 3) colour and (side, side) coverage."""
    mask = Image.new("L", (side, side), 0)
    draw = ImageDraw.Draw(mask)
    path = typefaces.font_for(family, "A")
    assert path is not None
    font = typefaces.load_font(path, size)
    y = side / 2 - len(lines) * size * 0.52
    for line in lines:
        box = font.getbbox(line)
        draw.text(((side - box[2] + box[0]) / 2 - box[0], y), line, fill=255, font=font)
        y += size * 1.04
    return textures.flat(colour, side, side), np.asarray(mask, np.float32) / 255


PREMIUM_TEXT = {
    "long": {
        "W": "TRIPLE|WORD|SCORE",
        "w": "DOUBLE|WORD|SCORE",
        "L": "TRIPLE|LETTER|SCORE",
        "l": "DOUBLE|LETTER|SCORE",
    },
    "short": {"W": "3W", "w": "2W", "L": "3L", "l": "2L"},
    "letters": {"W": "TW", "w": "DW", "L": "TL", "l": "DL"},
    "times": {"W": "3x|WORD", "w": "2x|WORD", "L": "3x|LETTER", "l": "2x|LETTER"},
    "german": {
        "W": "DREIFACHER|WORT|WERT",
        "w": "DOPPELTER|WORT|WERT",
        "L": "DREIFACHER|BUCHST|WERT",
        "l": "DOPPELTER|BUCHST|WERT",
    },
    "star": {"W": "***", "w": "**", "L": "+++", "l": "++"},
}


def _star(
    canvas: Array,
    centre: tuple[float, float],
    radius: float,
    colour: Array,
    rng: np.random.Generator,
) -> None:
    n = int(rng.choice([5, 5, 5, 6, 8]))
    turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.3 else -np.pi / 2
    inner = rng.uniform(0.35, 0.6)
    pts = [
        (
            centre[0] + radius * (1 if i % 2 == 0 else inner) * np.cos(turn + i * np.pi / n),
            centre[1] + radius * (1 if i % 2 == 0 else inner) * np.sin(turn + i * np.pi / n),
        )
        for i in range(2 * n)
    ]
    cv2.fillPoly(canvas, [np.array(pts, np.int32)], colour.tolist(), cv2.LINE_AA)


def premium_colours(rng: np.random.Generator, base: Array) -> dict[str, Array]:
    """A colour for each kind of premium square on a board that is mostly `base`, BGR in 0..1."""
    if rng.random() < 0.7:
        hue = {"W": 0.0, "w": 0.97, "L": 0.6, "l": 0.56}
        sat = {"W": 0.85, "w": 0.45, "L": 0.8, "l": 0.4}
    else:
        hue = {k: rng.random() for k in "WwLl"}
        sat = {k: rng.uniform(0.3, 1) for k in "WwLl"}
    fade = float(rng.uniform(0.0, 0.5)) if rng.random() < 0.5 else 0.0
    out = {}
    for k in "WwLl":
        colour = textures.hsv(
            hue[k] + rng.normal(0, 0.025), sat[k] * rng.uniform(0.6, 1.15), rng.uniform(0.5, 1.0)
        )
        out[k] = colour * (1 - fade) + base * fade
    return out


def _rim(
    rng: np.random.Generator, canvas: Array, base: Array, has_coords: bool, squares: int
) -> tuple[int, int, int, int]:
    p, m = SQUARE_PX, MARGIN
    widths = rng.uniform(0.05, 0.9, 4) if rng.random() < 0.7 else np.full(4, rng.uniform(0.0, 1.6))
    if rng.random() < 0.35:
        widths[int(rng.integers(0, 4))] = rng.uniform(1.0, 2.4)
    if rng.random() < 0.12:
        widths = np.full(4, rng.uniform(2.0, 3.0))
    lo, hi = int(m * p), int((m + squares) * p)
    top, right, bottom, left = (widths * p).astype(int)
    colour = base * rng.uniform(0.7, 1.1) if rng.random() < 0.35 else textures.random_colour(rng)
    y0, y1, x0, x1 = (
        max(0, lo - top),
        min(len(canvas), hi + bottom),
        max(0, lo - left),
        min(len(canvas), hi + right),
    )
    shadow = int(rng.integers(0, 7))
    if shadow:
        dx, dy = rng.integers(-shadow, shadow + 1, 2)
        cv2.rectangle(
            canvas,
            (x0 + int(dx), y0 + int(dy)),
            (x1 + int(dx), y1 + int(dy)),
            (canvas.mean((0, 1)) * 0.45).tolist(),
            -1,
        )
    patch = canvas[y0:y1, x0:x1]
    if rng.random() < 0.25:
        patch[:] = textures.wood(rng, *patch.shape[:2], colour, 0.08)
    else:
        patch[:] = textures.speckle(rng, *patch.shape[:2], colour, float(rng.uniform(0, 0.04)))
    if rng.random() < 0.4:
        cv2.rectangle(
            canvas,
            (x0 + 2, y0 + 2),
            (x1 - 2, y1 - 2),
            textures.random_colour(rng).tolist(),
            int(rng.integers(1, 4)),
            cv2.LINE_AA,
        )
    if rng.random() < 0.4:
        cv2.rectangle(
            canvas,
            (lo - 2, lo - 2),
            (hi + 1, hi + 1),
            textures.random_colour(rng).tolist(),
            int(rng.integers(1, 4)),
        )
    ink = textures.hsv(0, 0, 0.95 if colour.mean() < 0.5 else 0.1)
    family = str(rng.choice(typefaces.scene_fonts()))
    if has_coords:
        size = int(rng.uniform(0.25, 0.6) * p)
        off = rng.uniform(0.3, 0.6)
        letters_down = rng.random() < 0.5
        for i in range(squares):
            for text, x, y in (
                (chr(65 + i) if letters_down else str(i + 1), -off, i + 0.5),
                (str(i + 1) if letters_down else chr(65 + i), i + 0.5, -off),
            ):
                _put(canvas, rng, text, (m + x) * p, (m + y) * p, size, ink, family)
    if rng.random() < 0.35:
        _legend(rng, canvas, widths, ink, family, squares)
    if rng.random() < 0.5:
        words = str(
            rng.choice(
                [
                    "CROSSWORD GAME",
                    "WORD GAME",
                    "LEXICON",
                    "WORDS",
                    "LETTERS",
                    "THE BOARD GAME",
                    "MOTS",
                    "SPIEL",
                ]
            )
        )
        edge = int(np.argmax(widths))
        size = int(max(8, widths[edge] * p * rng.uniform(0.35, 0.8)))
        middle = 10 + (squares - 15) / 2
        centre = {
            0: (middle, m - widths[0] / 2),
            1: (m + squares + widths[1] / 2, middle),
            2: (middle, m + squares + widths[2] / 2),
            3: (m - widths[3] / 2, middle),
        }[edge]
        _put(
            canvas,
            rng,
            words,
            centre[0] * p,
            centre[1] * p,
            size,
            ink,
            family,
            quarter=int(edge % 2),
        )
    return x0, y0, x1, y1


def _legend(
    rng: np.random.Generator, canvas: Array, widths: Array, ink: Array, family: str, squares: int
) -> None:
    """Boxes and small print on a rim, about as large as squares: what the premiums mean."""
    p, m = SQUARE_PX, MARGIN
    for edge in rng.permutation(4)[: int(rng.integers(1, 3))]:
        deep = float(widths[edge])
        if deep < 0.35:
            continue
        high = min(deep, 1.2) * rng.uniform(0.5, 0.95)
        offset = rng.uniform(0.02, max(0.03, deep - high))
        at = rng.uniform(-0.3, 2)
        wide, gap = rng.uniform(0.6, 3.2), rng.uniform(0.05, 1.2)
        while at + wide < squares + 0.3:
            colour = textures.random_colour(rng)
            if edge in (0, 2):
                y = m - offset - high if edge == 0 else m + squares + offset
                box = (m + at, y, m + at + wide, y + high)
            else:
                x = m - offset - high if edge == 3 else m + squares + offset
                box = (x, m + at, x + high, m + at + wide)
            x0, y0, x1, y1 = (int(v * p) for v in box)
            if rng.random() < 0.7:
                cv2.rectangle(canvas, (x0, y0), (x1, y1), colour.tolist(), -1)
            if rng.random() < 0.7:
                text = str(
                    rng.choice(["TRIPLE WORD", "DOUBLE LETTER", "2x", "A1 E1 I1", "x3", "POINTS"])
                )
                _put(
                    canvas,
                    rng,
                    text,
                    (x0 + x1) / 2,
                    (y0 + y1) / 2,
                    max(6, int(high * p * 0.35)),
                    ink,
                    family,
                    int(edge % 2),
                )
            at += wide + gap


def _put(
    canvas: Array,
    rng: np.random.Generator,
    text: str,
    x: float,
    y: float,
    size: int,
    ink: Array,
    family: str,
    quarter: int = 0,
) -> None:
    path = typefaces.font_for(family, "A")
    assert path is not None
    font = typefaces.load_font(path, max(6, size))
    box = font.getbbox(text)
    mask = Image.new("L", (max(1, box[2] - box[0]), max(1, box[3] - box[1])), 0)
    ImageDraw.Draw(mask).text((-box[0], -box[1]), text, fill=255, font=font)
    cover = np.rot90(np.asarray(mask, np.float32) / 255, quarter)
    h, w = cover.shape
    x0, y0 = int(x - w / 2), int(y - h / 2)
    xa, ya, xb, yb = (
        max(0, x0),
        max(0, y0),
        min(canvas.shape[1], x0 + w),
        min(canvas.shape[0], y0 + h),
    )
    if xa >= xb or ya >= yb:
        return
    part = cover[ya - y0 : yb - y0, xa - x0 : xb - x0, None]
    canvas[ya:yb, xa:xb] = canvas[ya:yb, xa:xb] * (1 - part) + ink * part


def ridges(rng: np.random.Generator, surround: Array, squares: int = 15) -> Array:
    """How high ridges between a board's squares are, how wide (both in squares), and 1 for pegs.

    Pegs are drawn into `surround`; ridges keep the colours of the lines there.
    """
    kind = rng.random()
    if kind < 0.6:
        return np.zeros(3, np.float32)
    if kind < 0.88:
        return np.array([rng.uniform(0.03, 0.16), rng.uniform(0.04, 0.14), 0], np.float32)
    high, wide = rng.uniform(0.04, 0.25), rng.uniform(0.12, 0.34)
    colour = textures.random_colour(rng)
    for y in range(squares + 1):
        for x in range(squares + 1):
            at = tuple(int((v + MARGIN) * SQUARE_PX) for v in (x, y))
            cv2.circle(surround, at, int(wide * SQUARE_PX / 2), colour.tolist(), -1, cv2.LINE_AA)
    return np.array([high, wide, 1], np.float32)


def _carve(rng: np.random.Generator, area: Array, base: Array) -> None:
    """Squares cut into wood or plastic instead of print: each has a lit and a shaded edge."""
    p = SQUARE_PX
    inset, deep = rng.uniform(0.02, 0.14), rng.uniform(0.3, 0.95)
    chequered = rng.random() < 0.4
    other = base * rng.uniform(0.5, 0.9)
    width = int(rng.integers(1, 5))
    for r in range(len(area) // p):
        for c in range(len(area) // p):
            a, b = int(inset * p), p - int(inset * p)
            cell = area[r * p + a : r * p + b, c * p + a : c * p + b]
            cell *= float(rng.uniform(0.92, 1.05))
            if chequered and (r + c) % 2:
                cell[:] = cell * 0.3 + other * 0.7
            cell[:width] *= deep
            cell[:, :width] *= deep
            cell[-width:] *= 2 - deep
            cell[:, -width:] *= 2 - deep


def draw_board(
    rng: np.random.Generator, surround: Array, squares: int = 15, held_out: bool | None = None
) -> tuple[int, int, int, int]:
    """A board in the middle of `surround`, `canvas_px(squares)` squared, which is changed.

    Args:
        rng: chance.
        surround: the table.
        squares: a side.
        held_out: True: only of kinds that networks are judged by; False: of none of these, boards
            without print among them; None: of any kind, all with print.

    Returns:
        left, top, right, bottom of the board with its rim, in pixels.
    """
    p, m = SQUARE_PX, MARGIN
    base = {
        0: lambda: textures.hsv(
            rng.uniform(0.07, 0.14), rng.uniform(0.08, 0.4), rng.uniform(0.65, 0.95)
        ),
        1: lambda: textures.hsv(
            rng.uniform(0.35, 0.5), rng.uniform(0.3, 0.9), rng.uniform(0.2, 0.55)
        ),
        2: lambda: textures.hsv(rng.random(), rng.uniform(0.0, 0.15), rng.uniform(0.05, 1.0)),
        3: lambda: textures.hsv(rng.random(), rng.uniform(0.3, 0.95), rng.uniform(0.15, 0.95)),
    }[int(rng.choice([0, 1, 2, 3], p=[0.4, 0.22, 0.18, 0.2]))]()
    rim = _rim(rng, surround, base, bool(rng.random() < 0.35), squares)
    lo, side = int(m * p), squares * p
    area = surround[lo : lo + side, lo : lo + side]
    if rng.random() < 0.12:
        area[:] = textures.wood(rng, side, side, base, float(rng.uniform(0.02, 0.12)))
    else:
        area[:] = textures.speckle(rng, side, side, base, float(rng.uniform(0, 0.05)))
    premiums = random_premiums(rng, squares)
    if held_out is not None and rng.random() < CARVED:
        _carve(rng, area, base)
        _star_or_logo(rng, area, premium_colours(rng, base)) if rng.random() < 0.5 else None
        np.clip(surround, 0, 1, out=surround)
        return rim
    colours = premium_colours(rng, base)
    shape = str(
        rng.choice(
            ["full", "inset", "burst", "burst", "circle", "diamond", "outline"],
            p=[0.35, 0.17, 0.15, 0.15, 0.08, 0.05, 0.05],
        )
    )
    if held_out is not None and held_out != (shape in HELD_SHAPES):
        shape = str(rng.choice(HELD_SHAPES)) if held_out else "full"
    inset = rng.uniform(0.04, 0.16) if shape != "full" else 0.0
    style = str(rng.choice(["none", *PREMIUM_TEXT], p=[0.25, 0.33, 0.14, 0.1, 0.08, 0.06, 0.04]))
    family = str(rng.choice(typefaces.scene_fonts()))
    white_text = rng.random() < 0.4
    patches: dict[str, tuple[Array, Array]] = {}
    quarter_turn = int(rng.choice([0, 0, 0, 1, 2]))
    for k in "WwLl":
        ink = (
            textures.hsv(0, 0, 1.0)
            if white_text
            else textures.hsv(rng.random(), 0.3, rng.uniform(0, 0.3))
        )
        if style != "none":
            lines = PREMIUM_TEXT[style][k].split("|")
            size = int(text_px(lines, p, 0.9) * rng.uniform(0.75, 1.0))
            colour, cover = text_patch(rng, lines, ink, max(5, size), p, family)
            patches[k] = (colour, np.rot90(cover, quarter_turn) * float(rng.uniform(0.6, 1)))
    for r in range(squares):
        for c in range(squares):
            k = premiums[r][c]
            if k == ".":
                continue
            colour = colours[k]
            x, y = c * p, r * p
            a, b = int(inset * p), p - int(inset * p)
            if shape in ("full", "inset"):
                area[y + a : y + b, x + a : x + b] = colour
            elif shape == "outline":
                cv2.rectangle(area, (x + 3, y + 3), (x + p - 4, y + p - 4), colour.tolist(), 3)
            elif shape == "circle":
                cv2.circle(
                    area,
                    (x + p // 2, y + p // 2),
                    int(p * (0.5 - inset / 2)),
                    colour.tolist(),
                    -1,
                    cv2.LINE_AA,
                )
            elif shape == "diamond":
                cv2.fillPoly(
                    area,
                    [
                        np.array(
                            [
                                (x + p // 2, y),
                                (x + p, y + p // 2),
                                (x + p // 2, y + p),
                                (x, y + p // 2),
                            ],
                            np.int32,
                        )
                    ],
                    colour.tolist(),
                    cv2.LINE_AA,
                )
            else:
                area[y : y + p, x : x + p] = colour
                t = p // 7
                for i in range(2 if k in "wl" else 3):
                    q = int((i + 0.5 + (0.5 if k in "wl" else 0)) * p / 3)
                    for px, py in ((x + q, y - t), (x + q, y + p), (x - t, y + q), (x + p, y + q)):
                        cv2.rectangle(
                            area, (px - t // 2, py), (px + t // 2, py + t), colour.tolist(), -1
                        )
            if k in patches and not (r == c == squares // 2):
                ink, cover = patches[k]
                area[y : y + p, x : x + p] = (
                    area[y : y + p, x : x + p] * (1 - cover[..., None]) + ink * cover[..., None]
                )
    _star_or_logo(rng, area, colours)
    _grid_lines(rng, area, base)
    if rng.random() < 0.3:  # the fold of a paper board
        q = int((rng.choice([7, 8, 7.5]) * squares / 15) * p)
        if rng.random() < 0.5:
            area[:, q : q + 1] *= float(rng.uniform(0.6, 1.2))
        else:
            area[q : q + 1] *= float(rng.uniform(0.6, 1.2))
    if rng.random() < 0.3:  # worn print
        wear = np.clip(textures.noise(rng, side, side, 5, 5) - rng.uniform(0.8, 2.0), 0, 1)[
            ..., None
        ]
        area[:] = area * (1 - wear * 0.7) + textures.hsv(0.1, 0.1, 0.8) * wear * 0.7
    np.clip(surround, 0, 1, out=surround)
    return rim


def _star_or_logo(rng: np.random.Generator, area: Array, colours: dict[str, Array]) -> None:
    p = SQUARE_PX
    kind = rng.random()
    x = y = area.shape[0] // p // 2 * p
    if kind < 0.5:
        if rng.random() < 0.7:
            area[y : y + p, x : x + p] = colours["w"]
        _star(
            area,
            (x + p / 2, y + p / 2),
            p * rng.uniform(0.25, 0.48),
            textures.random_colour(rng),
            rng,
        )
    elif kind < 0.65:
        area[y : y + p, x : x + p] = colours["w"] * rng.uniform(0.6, 1.1)
        _put(
            area,
            rng,
            str(rng.choice(["S", "*", "★", "GO", "W"])).replace("★", "*"),
            x + p / 2,
            y + p / 2,
            int(p * rng.uniform(0.4, 0.8)),
            textures.random_colour(rng),
            "rokkitt-700",
        )
    elif kind < 0.8:
        area[y : y + p, x : x + p] = colours["w"]


def _grid_lines(rng: np.random.Generator, area: Array, base: Array) -> None:
    p = SQUARE_PX
    kind = rng.random()
    side = len(area)
    if kind < 0.07:
        return
    if kind < 0.3:  # raised ridges: a light and a dark edge
        width = int(rng.integers(2, 6))
        light, dark = np.clip(base * rng.uniform(1.05, 1.4), 0, 1), base * rng.uniform(0.4, 0.85)
        flip = rng.random() < 0.5
        for i in range(side // p + 1):
            q = min(i * p, side - 1)
            a, b = (light, dark) if flip else (dark, light)
            area[:, max(0, q - width // 2) : q + width // 2 + 1] = base * float(
                rng.uniform(0.9, 1.1)
            )
            area[max(0, q - width // 2) : q + width // 2 + 1] = base
            area[:, max(0, q - width // 2)] = a
            area[:, min(side - 1, q + width // 2)] = b
            area[max(0, q - width // 2)] = a
            area[min(side - 1, q + width // 2)] = b
        return
    value = rng.random()
    colour = (
        textures.hsv(0, 0, rng.uniform(0.8, 1))
        if value < 0.4
        else textures.hsv(rng.random(), 0.2, rng.uniform(0, 0.3))
        if value < 0.8
        else base * rng.uniform(0.6, 1.3)
    )
    width = int(rng.choice([1, 1, 1, 2, 2, 3, 4]))
    alpha = float(rng.uniform(0.3, 1))
    for i in range(side // p + 1):
        q = min(i * p, side - 1)
        s = slice(max(0, q - width // 2), q + (width + 1) // 2)
        area[:, s] = area[:, s] * (1 - alpha) + colour * alpha
        area[s] = area[s] * (1 - alpha) + colour * alpha
