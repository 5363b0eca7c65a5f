"""Tile faces close up: a few dozen tiles of one fresh set laid on a part of some board.

The scenes of the pool are drawn at `SQUARE_PX`; letters need more than that, and more styles than
the pool has boards. So tiles are drawn here in full size, every letter equally often.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import rectify
from kibitz.models.training.drawing import camera, glyphs, typefaces
from kibitz.models.training.drawing.board_art import MARGIN, SQUARE_PX
from kibitz.models.training.drawing.covers import (
    EMPTY,
    IGNORE,
    TILE,
    cover_mask_at,
    hide,
    lay_over,
)
from kibitz.models.training.drawing.raised import Slab, found_lift, random_view, seen
from kibitz.models.training.drawing.scene import paste
from kibitz.models.training.drawing.tabletop import as_phones_do
from kibitz.models.training.sampling.pool import Scenes
from kibitz.models.training.sampling.sizes import GLYPH_SQUARE_PX, MARK_PX
from kibitz.models.training.sampling.worse import CHANGES, made_worse
from kibitz.vision.boards.letters.marks import SQUARE_PX as MARK_SQUARE_PX
from kibitz.vision.boards.letters.marks import twins
from kibitz.vision.boards.squares import cut_squares

Picture = NDArray[np.uint8]
Array = NDArray[np.float32]
Twins = tuple[list[Picture], NDArray[np.intp], NDArray[np.uint8], NDArray[np.uint8]]
Photographed = Callable[[np.random.Generator, Scenes, Sequence[int]], Twins]
SIDE = 7
"""Squares along each side of the part that is drawn."""
FINE_PX = 64
"""Pixels a square of the drawing."""
CONFUSED = "QQOOCGDBPRLIEFMNAĄĄEĘĘ"
"""Letters that a small tail or bar tells apart."""
SMALL_LETTER = 0.5
"""Beside letters smaller than this a numeral may stand nearer the middle of the tile."""
NEARBY = 0.4
"""Small letters are so often shown larger, so that what their marks look like is learnt."""
SUBSCRIPTS, NEARER = 0.25, 0.4
"""In so many sets numerals follow the letter's foot; in so many they are at least near it."""
TAILS = 0.4
"""In so many sets an ogonek goes on from the letter's foot."""
MARK_FINE_PX = 96
"""The same where marks are all that counts."""
TWINS = twins(glyphs.LABELS)
"""Letters that a mark makes others, by their places among the labels."""
PLAIN_TWIN = 0.45
"""So many of the letters of which marks are learnt have none."""
SIGNED = 0.85
"""In so many sets blanks show something."""
SIGNS_OF_A_SET = {0.0: 0.05, 0.1: 0.35, 0.3: 0.4, 0.5: 0.2}
"""So many of a set's tiles are blanks, and in so many sets."""
NO_NUMERALS = 0.12
"""So many sets beside the usual ones are without numerals, which tell a letter from a sign."""
WORSE = 0.2
"""So many sets are seen in pictures worse than any that their maker would keep."""
OTHER_SCRIPTS = 0.12
"""So many sets are of another script than Latin."""
SCRIPTS_LETTERS = (
    "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ", "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ", "אבגדהוזחטיכלמנסעפצקרשת",
)  # fmt: skip
BACKS = 0.2
"""So many tiles without a letter lie on their face."""
AS_PHONES_DO = 0.35
"""So many pictures are smoothed and sharpened."""
GROTESQUES = ("archivo", "arimo", "inter", "libre-franklin", "open-sans", "work-sans")
"""Typefaces like those of most makers."""


def _part_of_board(
    rng: np.random.Generator, pool: Scenes, fine_px: int
) -> tuple[Array, NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    """Some 7x7 squares with one around them, in fine pixels, and their kinds, letters, turns.

    What lies there already is flat.
    """
    for _ in range(8):
        i = int(rng.integers(0, len(pool)))
        if (pool.kinds[i] == TILE).mean() < 0.3:
            break
    r, c = rng.integers(0, 15 - SIDE + 1, 2)
    lo_y, lo_x = (int((v - 1 + MARGIN) * SQUARE_PX) for v in (r, c))
    n = (SIDE + 2) * SQUARE_PX
    coarse = pool.image(i)[lo_y : lo_y + n, lo_x : lo_x + n]
    fine = cv2.resize(coarse, ((SIDE + 2) * fine_px,) * 2, interpolation=cv2.INTER_CUBIC)
    at = np.s_[r : r + SIDE, c : c + SIDE]
    return (
        fine.astype(np.float32) / 255,
        pool.kinds[i][at].copy(),
        pool.letters[i][at].copy(),
        pool.turns[i][at].copy(),
    )


def _random_char(rng: np.random.Generator) -> str:
    """Every letter about equally often, accented ones half as often, now and then a blank.

    Those that are taken for one another come more often: a small tail or bar makes the difference.
    """
    if rng.random() < 0.2:
        return str(rng.choice(list(CONFUSED)))
    k = rng.random()
    if k < 0.12:
        return "?"
    if k < 0.15:
        return str(rng.choice(list(glyphs.FOREIGN)))
    if k < 0.32:
        return str(rng.choice(list(glyphs.ACCENTED)))
    return str(rng.choice(list(glyphs.LATIN)))


def face_style(rng: np.random.Generator, *, further: bool = True) -> glyphs.TileStyle:
    """A tile set; letters also smaller, numerals also nearer the letter than the pool has them.

    Args:
        rng: chance.
        further: also of the looks that films of a seed have not, see `glyphs.unusual`.
    """
    style = glyphs.unusual(rng, glyphs.random_tile_style(rng), further=further)
    families = sorted({f.rsplit("-", 1)[0] for f in typefaces.font_files()})
    # Plain grotesques, as most makers print them, more often than the other sixty.
    name = str(rng.choice(GROTESQUES if rng.random() < 0.25 else families))
    weights = [f for f in typefaces.font_files() if f.rsplit("-", 1)[0] == name]
    style = replace(style, family=str(rng.choice(weights)), embolden=int(rng.integers(-1, 4)))
    style = replace(style, blank_mark=bool(rng.random() < 0.75))
    if rng.random() < 0.3:
        style = replace(
            style,
            letter_size=float(rng.uniform(0.36, 0.55)),
            numeral_size=float(rng.uniform(0.11, 0.24)),
        )
    if rng.random() < TAILS:
        tail = (float(rng.uniform(0.1, 0.32)), float(rng.uniform(0.08, 0.26)))
        style = replace(style, tail=tail)
    beside = rng.random()
    if beside < SUBSCRIPTS:
        return replace(
            style,
            letter_size=float(rng.uniform(0.34, 0.6)),
            letter_dx=float(rng.uniform(-0.12, 0.02)),
            numeral=glyphs.SUBSCRIPT,
            numeral_size=float(rng.uniform(0.09, 0.24)),
            numeral_inset=float(rng.uniform(0.045, 0.1)),
            numeral_drop=float(rng.uniform(-0.03, 0.09)),
        )
    if beside < NEARER:
        small = style.letter_size < SMALL_LETTER
        style = replace(
            style,
            letter_dx=float(rng.uniform(-0.14, -0.04)),
            numeral_inset=float(rng.uniform(0.12, 0.36 if small else 0.24)),
        )
    return style


def light(
    rng: np.random.Generator,
    canvas: Array,
    kinds: NDArray[np.uint8],
    tops: Array | None = None,
) -> None:
    """A slope of light, a shadow's edge, glare; on the tops of tiles too."""
    layers = [canvas] if tops is None else [canvas, tops[..., :3]]
    n = canvas.shape[0]
    yy, xx = np.mgrid[0:n, 0:n].astype(np.float32) / n - 0.5
    a = rng.uniform(0, 2 * np.pi)
    along = np.cos(a) * xx + np.sin(a) * yy
    field = 1 - float(rng.uniform(0, 0.35)) * (along + 0.5)
    if rng.random() < 0.2:
        edge = rng.uniform(-0.4, 0.4)
        soft = float(rng.choice([0.004, 0.01, 0.05]))
        b = rng.uniform(0, 2 * np.pi)
        shade = 1 / (1 + np.exp(-(np.cos(b) * xx + np.sin(b) * yy - edge) / soft))
        field = field * (1 - shade * float(rng.uniform(0.2, 0.65)))
    for layer in layers:
        np.multiply(layer, field[..., None], out=layer)
    if rng.random() < 0.12:
        cx, cy = rng.uniform(-0.5, 0.5, 2)
        s = rng.uniform(0.05, 0.4)
        glare = np.exp(-0.5 * ((xx - cx) ** 2 + (yy - cy) ** 2) / s**2) * rng.uniform(0.15, 0.9)
        for layer in layers:
            np.add(layer, glare[..., None].astype(np.float32), out=layer)
        p = n // (SIDE + 2)
        strength = cv2.resize(glare[p:-p, p:-p], (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        kinds[(strength > 0.7) & (kinds == TILE)] = IGNORE
    for layer in layers:
        np.clip(layer, 0, 1, out=layer)


def face_sample(
    rng: np.random.Generator, pool: Scenes
) -> tuple[Picture, Picture, Picture, Picture]:
    """(48, 60, 60, 3) squares of one photograph and (48,) kinds, letters, turns."""
    style = face_style(rng)
    laid = _laid(rng, pool, style, _random_char, FINE_PX)
    kinds, letters, turns = laid.kinds, laid.letters, laid.turns
    near = style.letter_size < SMALL_LETTER and rng.random() < NEARBY
    square_px = round(GLYPH_SQUARE_PX * (rng.uniform(1.3, 1.8) if near else 1.0))
    (crops,) = photograph(rng, laid, (square_px,), (10, 72))
    at = as_many(rng.permutation(np.argwhere(kinds != IGNORE)), 48)
    pick = tuple(at.T)
    cuts = cut_squares(crops, at, square_px=square_px)
    return cuts, kinds[pick], letters[pick], turns[pick]


def sign_sample(rng: np.random.Generator, pool: Scenes) -> tuple[Picture, Picture]:
    """(48, 60, 60, 3) tiles of one set in one photograph, and (48,) which of them show no letter.

    They stand upright, as a board's tiles do once they are read. Letters of any script, in lower
    case too, are letters. Of a few sets all are letters.
    """
    style = replace(face_style(rng), blank_mark=bool(rng.random() < SIGNED), signs="trained")
    if rng.random() < NO_NUMERALS:
        style = replace(style, numeral="none")
    letters = _letters_of_a_set(rng)
    if ord(letters[0]) >= typefaces.BLOCKS["greek"][0]:
        style = replace(style, family=str(rng.choice(typefaces.fonts_with(letters[0]))))
    share = float(rng.choice(list(SIGNS_OF_A_SET), p=list(SIGNS_OF_A_SET.values())))

    def char_of(rng: np.random.Generator) -> str:
        return "?" if rng.random() < share else str(rng.choice(letters))

    laid = _laid(rng, pool, style, char_of, FINE_PX)
    (crops,) = photograph(rng, laid, (GLYPH_SQUARE_PX,), (15, 60), WORSE)
    at = as_many(rng.permutation(np.argwhere((laid.chars != "") & (laid.kinds == TILE))), 48)
    turns = laid.facing[tuple(at.T)].tolist()
    upright = [
        np.rot90(cut, turn) for cut, turn in zip(cut_squares(crops, at), turns, strict=True)
    ]
    return np.stack(upright), (laid.chars[tuple(at.T)] == "?").astype(np.uint8)


def mirror_sample(rng: np.random.Generator, pool: Scenes) -> tuple[Picture, Picture]:
    """(48, 60, 60, 3) tiles of one set in one photograph, and (48,) which are to be learnt from: 1.

    Letters of any script, in lower case too, and blanks. Where a numeral stands at a side, it is the
    right one: of real sets no other is known.
    """
    style = face_style(rng)
    letters = _letters_of_a_set(rng)
    if ord(letters[0]) >= typefaces.BLOCKS["greek"][0]:
        style = replace(style, family=str(rng.choice(typefaces.fonts_with(letters[0]))))
    style = replace(style, numeral=style.numeral.replace("l", "r"))
    laid = _laid(rng, pool, style, lambda rng: str(rng.choice([*letters, "?"])), FINE_PX)
    (crops,) = photograph(rng, laid, (GLYPH_SQUARE_PX,), (13, 72), WORSE)
    at = rng.permutation(np.argwhere((laid.chars != "") & (laid.kinds == TILE)))
    return cut_squares(crops, as_many(at, 48)), np.full(48, len(at) > 0, np.uint8)


def as_many(at: NDArray[np.intp], count: int) -> NDArray[np.intp]:
    """So many squares, (count, 2), of some: again and again where they are fewer.

    Where there are none it is the first of all.
    """
    at = at if len(at) else np.zeros((1, 2), np.intp)
    return at[np.arange(count) % len(at)]


def _letters_of_a_set(rng: np.random.Generator) -> list[str]:
    """Letters that one set has: Latin ones, mostly; those that look like others more often."""
    other = rng.random()
    if other < OTHER_SCRIPTS:
        return [x for x in rng.choice(SCRIPTS_LETTERS) if typefaces.fonts_with(x)]
    accents = list(glyphs.ACCENTED) if rng.random() < 0.5 else []
    return (
        [*glyphs.LATIN, *accents, *CONFUSED] if rng.random() < 0.3 else [*glyphs.LATIN, *accents]
    )


def mark_sample(
    rng: np.random.Generator, pool: Scenes, photographed: Photographed
) -> tuple[Picture, NDArray[np.uint8]]:
    """(24, 80, 80, 3) upright tiles of one photograph and their letters, with marks or without.

    Args:
        rng: chance.
        pool: boards.
        photographed: `twins_photographed` or something like it.
    """
    crops, at, letters, turns = photographed(rng, pool, (MARK_SQUARE_PX,))
    at, letters, turns = (x[np.arange(24) % len(at)] for x in (at, letters, turns))
    cuts = cut_squares(crops[0], at, square_px=MARK_SQUARE_PX, cut_px=MARK_PX)
    upright = [np.rot90(cut, turn) for cut, turn in zip(cuts, turns.tolist(), strict=True)]
    return np.stack(upright), letters


def twins_photographed(rng: np.random.Generator, pool: Scenes, sizes: Sequence[int]) -> Twins:
    """Letters that differ by marks: a photograph straightened at some sizes, and what it shows.

    Args:
        rng: chance.
        pool: boards.
        sizes: pixels a square.

    Returns:
        For each size the part of a board with one square around it; (N, 2) squares in chance
        order, and their letters and turns, (N,).
    """
    while True:
        laid = _laid(rng, pool, face_style(rng), _twin, MARK_FINE_PX)
        letters, turns = laid.letters, laid.turns
        known = (laid.kinds == TILE) & np.isin(letters, list(TWINS)) & (turns != 255)
        at = rng.permutation(np.argwhere(known))
        if len(at):
            break
    seen = photograph(rng, laid, sizes, (18, 90))
    return seen, at, letters[tuple(at.T)], turns[tuple(at.T)]


def _twin(rng: np.random.Generator) -> str:
    """A letter that others with marks are made of, or one of these."""
    marked = str(rng.choice([*glyphs.ACCENTED, *glyphs.HANGING, *glyphs.TAILED]))
    if rng.random() < PLAIN_TWIN:
        return glyphs.LABELS[TWINS[glyphs.LABELS.index(marked)][0]]  # they begin with plain ones
    return marked


class Laid(NamedTuple):
    """A part of a board with one square around it, drawn, and what lies on it.

    Attributes:
        canvas: the drawing, in fine pixels.
        tops: the tops of the tiles that were laid there and their coverage, (h, w, 4).
        thick: how thick these are, in squares.
        kinds, letters, turns: (SIDE, SIDE), see `scene.Scene`.
        chars: (SIDE, SIDE) what was printed on tiles that were laid there, `?` for a blank.
        facing: (SIDE, SIDE) quarter turns clockwise from upright of whatever tile lies there.
    """

    canvas: Array
    tops: Array
    thick: float
    kinds: NDArray[np.uint8]
    letters: NDArray[np.uint8]
    turns: NDArray[np.uint8]
    chars: NDArray[np.str_]
    facing: NDArray[np.uint8]


def _laid(
    rng: np.random.Generator,
    pool: Scenes,
    style: glyphs.TileStyle,
    char_of: Callable[[np.random.Generator], str],
    fine_px: int,
) -> Laid:
    """Tiles of one set on a part of some board."""
    canvas, kinds, letters, turns = _part_of_board(rng, pool, fine_px)
    p = fine_px
    mode = rng.random()
    facing = np.zeros((SIDE, SIDE), np.uint8)
    if mode > 0.55:
        facing = np.where(rng.random((SIDE, SIDE)) < rng.uniform(0.1, 0.9), 2, 0).astype(np.uint8)
    if mode > 0.8:
        facing = rng.integers(0, 4, (SIDE, SIDE)).astype(np.uint8)
    jitter, askew = rng.choice([0.01, 0.03, 0.06]), rng.choice([0.5, 1.5, 4.0])
    centres = (np.mgrid[0:SIDE, 0:SIDE].transpose(1, 2, 0)[..., ::-1] + 1.5) * p
    centres = centres + rng.normal(0, jitter * p, (SIDE, SIDE, 2)).clip(-0.3 * p, 0.3 * p)
    chars = np.full((SIDE, SIDE), "", "<U1")
    lay = (rng.random((SIDE, SIDE)) < rng.uniform(0.75, 1.0)) & (kinds == EMPTY)
    if rng.random() < 0.85:
        sun, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0.02, 0.3) * p
        cast = np.zeros(canvas.shape[:2], np.float32)
        half = np.array([0.44 * p, 0.44 * p])
        step = np.array([np.cos(sun), np.sin(sun)]) * reach
        for y, x in np.argwhere(lay):
            c = centres[y, x]
            box = np.array([c - half, c + half * (1, -1), c + half, c + half * (-1, 1)])
            hull = cv2.convexHull(np.vstack([box, box + step]).astype(np.float32))
            cv2.fillConvexPoly(cast, hull.astype(np.int32), 1.0, cv2.LINE_AA)
        cast = cv2.GaussianBlur(cast, (0, 0), float(rng.uniform(0.8, 6)))
        canvas *= 1 - cast[..., None] * float(rng.uniform(0.15, 0.7))
    tops = np.zeros((*canvas.shape[:2], 4), np.float32)
    tops[..., :3] = style.body
    for y, x in np.argwhere(lay).tolist():
        char = char_of(rng)
        known = char in glyphs.LABELS
        kinds[y, x], chars[y, x] = TILE, char
        letters[y, x] = glyphs.LABELS.index(char if known else "?")
        turns[y, x] = facing[y, x] if known and char != "?" else 255
        down = char == "?" and rng.random() < BACKS
        paste(
            tops,
            glyphs.back(rng, style, fine_px) if down else glyphs.sprite(rng, style, char, fine_px),
            tuple(centres[y, x]),
            90.0 * facing[y, x] + float(rng.normal(0, askew)),
            p * float(rng.uniform(0.98, 1.02)),
            (0.0, 0.0),
            style.side,
            float(rng.uniform(0.94, 1.05)),
            sprite_px=fine_px,
        )
    if rng.random() < 0.2:
        mask, colour = cover_mask_at(rng, canvas.shape[0], p)
        lay_over(tops, mask, colour)
        share = cv2.resize(mask[p:-p, p:-p], (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        hide(kinds, share)
    light(rng, canvas, kinds, tops)
    letters[kinds != TILE], turns[kinds != TILE] = 255, 255
    thick = float(rng.uniform(0.13, 0.36))
    return Laid(canvas, tops, thick, kinds, letters, turns, chars, facing)


def photograph(
    rng: np.random.Generator,
    laid: Laid,
    sizes: Sequence[int],
    photographed_px: tuple[float, float],
    worse: float = 0.0,
) -> list[Picture]:
    """The part seen through a camera, and straightened again at some sizes as tiles' tops lie.

    Args:
        rng: chance.
        laid: the drawing, with one square around it.
        sizes: pixels a square of what is given back.
        photographed_px: the least and the most pixels a square of the photograph.
        worse: so many photographs are worse than any that their maker would keep.
    """
    side = SIDE
    q = float(np.exp(rng.uniform(*np.log(photographed_px))))
    n = int((side + 5) * q)
    tilt = float(abs(rng.normal(0, 15)) if rng.random() < 0.55 else rng.uniform(0, 72))
    view = random_view(rng, n, n, tilt, size=side, fill=float(rng.uniform(0.6, 0.8)))
    p = laid.canvas.shape[0] / (side + 2)
    ground = np.dstack([laid.canvas, np.ones(laid.canvas.shape[:2], np.float32)])
    dim = float(rng.uniform(0.35, 0.95))
    slabs = [Slab((ground * 255).astype(np.uint8), p, (-1.0, -1.0), 0.0, 0.0, endless=True)]
    if laid.tops[..., 3].any():
        tops = (laid.tops * 255).astype(np.uint8)
        slabs.append(Slab(tops, p, (-1.0, -1.0), 0.0, laid.thick, dim))
    picture, _ = seen(view, slabs, np.zeros((n, n, 3), np.uint8), float(rng.uniform(0, 6.3)))
    picture = camera.expose(rng, picture, q, hard=0.5 if rng.random() < 0.65 else 1.0)
    if rng.random() < AS_PHONES_DO:
        picture = as_phones_do(rng, picture)
    if rng.random() < worse:
        change = CHANGES[int(rng.integers(len(CHANGES)))]
        picture = cv2.resize(made_worse(rng, picture, q, change), (n, n))
    sigma = float(rng.choice([0.02, 0.05, 0.1], p=[0.5, 0.35, 0.15])) * 0.6
    assumed = camera.shaken(rng, view.geometry(found_lift(rng, laid.thick, tilt)), sigma)
    corners = (-1.0, -1.0), (side + 2.0, side + 2.0)
    return [rectify(picture, assumed, square_px, *corners) for square_px in sizes]
