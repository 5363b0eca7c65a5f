"""Hands, arms, pencils and other things that lie over a board, and what they hide."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.models.training.drawing import textures

Array = NDArray[np.float32]

EMPTY, TILE, MARKER, COVERED, IGNORE = 0, 1, 2, 3, 255
HIDDEN_SHARE = 0.4
"""From this part on a square counts as hidden; with less of it hidden it is still to be read."""


def hide(kinds: NDArray[np.uint8], share: NDArray[Any]) -> None:
    """Mark squares of which a part is hidden; those near the border between both are not asked for.

    Args:
        kinds: (rows, columns), changed in place.
        share: (rows, columns) hidden part of each, 0 to 1.
    """
    kinds[share > HIDDEN_SHARE] = COVERED
    kinds[(share > HIDDEN_SHARE - 0.05) & (share <= HIDDEN_SHARE + 0.03)] = IGNORE


def lay_over(canvas: Array, mask: Array, colour: Array) -> None:
    """Draw something over a canvas (h, w, 3), where its mask (h, w) says how much of it shows.

    A fourth channel is coverage.
    """
    bgr = canvas[..., :3]
    bgr[:] = bgr * (1 - mask[..., None]) + colour * mask[..., None]
    if canvas.shape[2] == 4:
        canvas[..., 3] = np.maximum(canvas[..., 3], mask)


def cover_mask_at(
    rng: np.random.Generator,
    n: int,
    square_px: float,
    rim: float = 0.0,
    holding: NDArray[np.float64] | None = None,
) -> tuple[Array, Array]:
    """A hand with its arm, or an object, over a picture of side `n` with tiles of `square_px`.

    Args:
        rng: chance.
        n: pixels a side.
        square_px: pixels a tile.
        rim: pixels at each side that no fingertip is in.
        holding: (2,) x, y of a tile that the fingers end at; None: a hand or object anywhere.

    Returns:
        (n, n) coverage and (n, n, 3) what it looks like.
    """
    mask = np.zeros((n, n), np.float32)
    lo, hi = rim, n - rim
    tip = rng.uniform(lo, hi, 2)
    colour = np.zeros((n, n, 3), np.float32)
    if holding is not None or rng.random() < 0.65:
        angle = rng.uniform(0, 2 * np.pi)
        u, v = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        s = rng.uniform(1.6, 3.6) * square_px  # palm width
        if holding is not None:
            tip = holding - u * s * rng.uniform(0.6, 1.1)
        skin = textures.hsv(
            rng.uniform(0.02, 0.09), rng.uniform(0.25, 0.7), rng.uniform(0.2, 0.98)
        )
        palm = tip - u * s * 0.2
        # Fingers lie together or apart: the squares between them can be seen.
        apart = float(rng.uniform(0.15, 0.26) if rng.random() < 0.5 else rng.uniform(0.26, 0.5))
        thick = float(rng.uniform(0.17, 0.24) if apart < 0.26 else rng.uniform(0.12, 0.2))
        for i in range(5 if rng.random() < 0.7 else int(rng.integers(1, 5))):
            spread = (i - 2) * apart * float(rng.uniform(0.85, 1.15))
            length = s * (rng.uniform(0.7, 1.25) if i else rng.uniform(0.3, 0.7))
            a = palm + v * (i - 2) * s * 0.2
            mid = a + (u * np.cos(spread) + v * np.sin(spread)) * length * 0.6
            b = (
                mid
                + (u * np.cos(spread * rng.uniform(0, 1.6)) + v * np.sin(spread)) * length * 0.5
            )
            for p, q in ((a, mid), (mid, b)):
                cv2.line(
                    mask,
                    tuple(p.astype(int).tolist()),
                    tuple(q.astype(int).tolist()),
                    1.0,
                    max(3, int(s * thick * rng.uniform(0.9, 1.1))),
                    cv2.LINE_AA,
                )
        cv2.ellipse(
            mask,
            tuple((palm - u * s * 0.3).astype(int).tolist()),
            (int(s * 0.62), int(s * 0.5)),
            np.rad2deg(angle),
            0,
            360,
            1.0,
            -1,
            cv2.LINE_AA,
        )
        wrist, elbow = palm - u * s * 0.5, palm - u * s * 12
        cv2.line(
            mask,
            tuple(wrist.astype(int).tolist()),
            tuple(elbow.astype(int).tolist()),
            1.0,
            int(s * 0.62),
            cv2.LINE_AA,
        )
        depth = cv2.GaussianBlur(mask, (0, 0), s * 0.09)
        colour[:] = (
            skin
            * (0.45 + 0.6 * depth[..., None])
            * (1 + 0.05 * textures.noise(rng, n, n, 9, 9)[..., None])
        )
        sleeve = textures.cloth(rng, n, n, textures.random_colour(rng), 0.05)
        yy, xx = np.mgrid[0:n, 0:n]
        along = (xx - palm[0]) * u[0] + (yy - palm[1]) * u[1]
        cuff = along < -s * rng.uniform(0.7, 2.5)
        wide = np.zeros_like(mask)
        cv2.line(
            wide,
            tuple(wrist.astype(int).tolist()),
            tuple(elbow.astype(int).tolist()),
            1.0,
            int(s * rng.uniform(0.7, 1.2)),
            cv2.LINE_AA,
        )
        mask = np.maximum(mask, wide * cuff)
        colour = np.where(
            cuff[..., None],
            sleeve * (0.5 + 0.5 * cv2.GaussianBlur(mask, (0, 0), s * 0.15)[..., None]),
            colour,
        ).astype(np.float32)
    else:
        size = rng.uniform(0.3, 5, 2) * square_px
        if rng.random() < 0.35:  # a pencil or pen
            size = np.array([rng.uniform(4, 9), rng.uniform(0.15, 0.4)]) * square_px
        tint = (
            textures.random_colour(rng)
            if rng.random() < 0.6
            else textures.hsv(0.1, 0.05, rng.uniform(0.8, 1))
        )
        if rng.random() < 0.3:
            cv2.ellipse(
                mask,
                tuple(tip.astype(int).tolist()),
                (int(size[0] / 2) + 2, int(size[0] / 2) + 2),
                0,
                0,
                360,
                1.0,
                -1,
                cv2.LINE_AA,
            )
            colour[:] = tint
            cv2.circle(
                colour,
                tuple(tip.astype(int).tolist()),
                int(size[0] * 0.4),
                textures.random_colour(rng).tolist(),
                -1,
            )
        else:
            box = cv2.boxPoints(
                (tuple(tip.tolist()), tuple(size.tolist()), float(rng.uniform(0, 180)))
            )
            cv2.fillPoly(mask, [box.astype(np.int32)], 1.0, cv2.LINE_AA)
            colour[:] = textures.speckle(rng, n, n, tint, 0.02)
            for _ in range(int(rng.integers(0, 6))):
                y = int(rng.uniform(-0.4, 0.4) * size[1] + tip[1])
                cv2.line(
                    colour,
                    (int(tip[0] - size[0] * 0.4), y),
                    (int(tip[0] + size[0] * 0.4), y),
                    (tint * 0.4).tolist(),
                    1,
                    cv2.LINE_AA,
                )
    return mask, np.clip(colour, 0, 1)
