"""Tiles that lie on no board: where they are, what they show, which words they make."""

from __future__ import annotations

import time
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board_geometry import Pyramid
from models.session import Model
from vision.board_reader import log_softmax, log_sum, split_logits, usable_letters
from vision.loose_mosaic import mosaic
from vision.readings import BLANK, LooseTile, LooseWord
from vision.squares import SQUARE_PX, cut_squares

LONG_SIDE_PX = 768
CENTRE_FROM = 0.3
BATCH = 225
NO_LETTER = -12.0


def read_loose(
    picture: NDArray[np.uint8], detector: Model, glyph: Model, letters: Sequence[str]
) -> tuple[tuple[LooseTile, ...], float]:
    """Every tile in a picture, and the clock (`time.perf_counter`) when all were located.

    Args:
        picture: (h, w, 3) BGR.
        detector: the loose-tile model.
        glyph: the model for single squares, given the tiles cut out and turned.
        letters: the tile set's letters.
    """
    spots, faces, sure = detect(picture, detector)
    located = time.perf_counter()
    if len(spots) == 0:
        return (), located
    labels = usable_letters(glyph, letters)
    up = faces > 0.5
    # what lies face down shows no letter, and nobody looks for one there
    both = np.full((len(spots), len(labels), 4), NO_LETTER, np.float32)
    both[:, labels.index(BLANK)] = np.log(0.25)
    for some in np.array_split(np.flatnonzero(up), -(-int(up.sum()) // BATCH) or 1):
        if len(some):
            at = np.stack(np.divmod(np.arange(len(some)), 15), -1)
            crops = cut_squares(mosaic(picture, spots[some], SQUARE_PX), at)
            both[some] = split_logits(glyph.run(crops), glyph, letters).both
    both = settle_facing(spots, both, up)
    tiles = tuple(
        _tile(spot, float(face), float(p), logs, labels)
        for spot, face, p, logs in zip(spots, faces, sure, both, strict=True)
    )
    return tiles, located


def _tile(
    spot: NDArray[np.float64],
    face: float,
    p: float,
    both: NDArray[np.float32],
    labels: Sequence[str],
) -> LooseTile:
    letter = log_sum(both, -1)
    best = int(letter.argmax())
    # A plain tile off any word is one that lies face down: a blank's face looks the same.
    up = face > 0.5 and labels[best] != BLANK
    angle = (float(spot[3]) + 90.0 * int(both[best].argmax())) % 360
    sure = p * float(np.exp(letter[best]))
    return LooseTile(
        BLANK if not up else labels[best],
        up,
        (float(spot[0]), float(spot[1])),
        angle,
        float(spot[2]),
        sure,
        letter,
    )


SMALL_TILE_PX = 26
LARGER_SIDE_PX = 1216
"""A picture whose tiles come out small is looked at once more, larger."""


def detect(
    picture: NDArray[np.uint8], model: Model
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Tiles at the scale that suits them; see `detect_at`."""
    found = detect_at(picture, model, LONG_SIDE_PX)
    long_side = max(picture.shape[:2])
    if len(found[0]) == 0 or long_side <= LONG_SIDE_PX:
        return found
    tile_px = float(np.median(found[0][:, 2])) * LONG_SIDE_PX / long_side
    if tile_px >= SMALL_TILE_PX:
        return found
    closer = detect_at(picture, model, min(LARGER_SIDE_PX, long_side))
    return closer if closer[2].sum() > 0.9 * found[2].sum() else found


def detect_at(
    picture: NDArray[np.uint8], model: Model, long_side_px: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Centres, sides and angles (modulo a quarter turn) of tiles.

    Returns:
        (N, 4) x, y, side in pixels and angle in degrees; (N,) probability of lying face up;
        (N,) probability of being a tile. Tiles are in reading order.
    """
    h, w = picture.shape[:2]
    scale = long_side_px / max(h, w)
    sw, sh = max(16, round(w * scale)), max(16, round(h * scale))
    # halving by area is fast; what is left to shrink is little
    source, _ = Pyramid(picture).nearest(min(1.0, scale * 1.42))
    small = cv2.resize(
        source, (sw, sh), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    )
    pad = np.zeros((-(-sh // 16) * 16, -(-sw // 16) * 16, 3), np.uint8)
    pad[:sh, :sw] = small
    out = model.run(pad[None])[0].astype(np.float64)
    heat = 1 / (1 + np.exp(-out[0]))
    peak = heat == cv2.dilate(heat, np.ones((3, 3)))
    spots, faces, sure = [], [], []
    for i, j in np.argwhere(peak & (heat > CENTRE_FROM)):
        side = float(np.exp(np.clip(out[1, i, j], -3, 3))) * 32
        angle = float(np.rad2deg(np.arctan2(out[3, i, j], out[2, i, j]) / 4))
        x, y = (j + 0.5 + out[4, i, j]) * 4 / scale, (i + 0.5 + out[5, i, j]) * 4 / scale
        spots.append((x, y, side / scale, angle))
        faces.append(1 / (1 + np.exp(-out[6, i, j])))
        sure.append(heat[i, j])
    order = sorted(range(len(spots)), key=lambda k: -sure[k])
    kept: list[int] = []
    for k in order:  # the surer of two that overlap stays
        if all(
            np.hypot(spots[k][0] - spots[m][0], spots[k][1] - spots[m][1])
            > 0.55 * max(spots[k][2], spots[m][2])
            for m in kept
        ):
            kept.append(k)
    kept.sort(key=lambda k: (round(spots[k][1] / max(1.0, spots[k][2])), spots[k][0]))
    take = [spots[k] for k in kept]
    return (
        np.array(take, float).reshape(-1, 4),
        np.array([faces[k] for k in kept]),
        np.array([sure[k] for k in kept]),
    )


def settle_facing(
    spots: NDArray[np.float64], both: NDArray[np.float32], up: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """Letters and turns with the facing of the tiles beside them in a row taken into account.

    That settles letters that look alike upside down, and those that are others upside down.

    Args:
        spots: (N, 4) x, y, side in pixels and clockwise angle in degrees.
        both: (N, letters, 4) log probabilities of letter and turn from that angle.
        up: (N,) which tiles lie face up.

    Returns:
        As `both`.
    """
    away = spots[None, :, :2] - spots[:, None, :2]
    size = (spots[:, None, 2] + spots[None, :, 2]) / 2
    near = (np.hypot(away[..., 0], away[..., 1]) < 1.5 * size) & up[:, None] & up[None, :]
    np.fill_diagonal(near, False)
    if not near.any():
        return both
    facing = spots[:, 3:] + 90.0 * np.arange(4)  # (N, turns)
    direction = np.rad2deg(np.arctan2(away[..., 1], away[..., 0]))
    # For each turn of a tile, the neighbours on its base line, and which of their turns agree.
    off = (direction[:, :, None] - facing[:, None, :] + 90) % 180 - 90
    beside = near[:, :, None] & (np.abs(off) < 25)
    apart = (facing[None, :, None, :] - facing[:, None, :, None] + 180) % 360 - 180
    agree = (np.abs(apart) < 25) & beside[..., None]  # (N, N, my turn, its turn)
    settled = both
    for _ in range(3):
        turns = np.exp(log_sum(settled, -2))
        votes = np.einsum("ijts,js->it", agree.astype(np.float32), turns)
        prior = votes + 0.1
        prior = prior / prior.sum(-1, keepdims=True)
        settled = log_softmax((both + np.log(prior)[:, None, :]).astype(np.float32), (-2, -1))
    return settled


def line_up(tiles: tuple[LooseTile, ...]) -> tuple[LooseWord, ...]:
    """Words: face-up tiles of like angle, side by side in the direction in which they read."""
    up = [i for i, t in enumerate(tiles) if t.face_up]
    following: dict[int, int] = {}
    before: dict[int, int] = {}
    pairs: list[tuple[float, int, int]] = []
    for i in up:
        for j in up:
            if i != j and (cost := _follows(tiles[i], tiles[j])) is not None:
                pairs.append((cost, i, j))
    for _, i, j in sorted(pairs):
        if i not in following and j not in before:
            following[i], before[j] = j, i
    words = []
    for i in up:
        if i in before or i not in following:
            continue
        run = [i]
        while run[-1] in following and following[run[-1]] not in run:
            run.append(following[run[-1]])
        a = np.deg2rad([tiles[k].angle_deg for k in run])
        facing = float(np.rad2deg(np.arctan2(np.sin(a).sum(), np.cos(a).sum()))) % 360
        words.append(LooseWord("".join(tiles[k].letter for k in run), tuple(run), facing))
    return tuple(words)


def _follows(a: LooseTile, b: LooseTile) -> float | None:
    """How badly `b` stands right of `a` as `a` is read, or None where it does not."""
    size = (a.size_px + b.size_px) / 2
    dx, dy = b.centre_px[0] - a.centre_px[0], b.centre_px[1] - a.centre_px[1]
    gap = float(np.hypot(dx, dy)) / size
    if gap > 1.45:
        return None
    turned = abs((b.angle_deg - a.angle_deg + 180) % 360 - 180)
    direction = float(np.rad2deg(np.arctan2(dy, dx)))
    off = abs((direction - a.angle_deg + 180) % 360 - 180)
    if turned > 22 or off > 22:
        return None
    return gap + turned / 30 + off / 30
