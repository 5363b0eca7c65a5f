"""Procedural surfaces: wood, cloth, paper, stone, plastic. All return BGR float32 in 0..1."""

from __future__ import annotations

import colorsys

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


def noise(rng: np.random.Generator, h: int, w: int, scale_y: float, scale_x: float) -> Array:
    """Smooth noise of mean 0 and about unit spread, with features of the given sizes in pixels."""
    gh, gw = max(2, int(h / scale_y) + 2), max(2, int(w / scale_x) + 2)
    small = rng.standard_normal((gh, gw)).astype(np.float32)
    return cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC)


def hsv(h: float, s: float, v: float) -> Array:
    """A BGR colour from hue, saturation and value in 0..1."""
    r, g, b = colorsys.hsv_to_rgb(h % 1, float(np.clip(s, 0, 1)), float(np.clip(v, 0, 1)))
    return np.array([b, g, r], np.float32)


def flat(colour: Array, h: int, w: int) -> Array:
    """A plain field of one colour."""
    return np.broadcast_to(colour, (h, w, 3)).astype(np.float32)


def wood(rng: np.random.Generator, h: int, w: int, colour: Array, strength: float = 0.1) -> Array:
    """Grain along one axis, with a slower drift across it."""
    along = float(rng.uniform(30, 200))
    across = float(rng.uniform(1.2, 7))
    if rng.random() < 0.5:
        n = noise(rng, h, w, across, along) + 0.6 * noise(rng, h, w, across * 5, along * 2)
    else:
        n = noise(rng, h, w, along, across) + 0.6 * noise(rng, h, w, along * 2, across * 5)
    tint = np.array([0.7, 1.0, 1.15], np.float32)
    return np.clip(colour * (1 + strength * n[..., None] * tint), 0, 1)


def speckle(rng: np.random.Generator, h: int, w: int, colour: Array, strength: float) -> Array:
    """Stone or recycled plastic: fine noise over blotches."""
    n = noise(rng, h, w, 1.3, 1.3) * 0.5 + noise(rng, h, w, 14, 14) * 0.7
    return np.clip(colour * (1 + strength * n[..., None]), 0, 1)


def cloth(rng: np.random.Generator, h: int, w: int, colour: Array, strength: float) -> Array:
    """Woven threads, perhaps with stripes or checks."""
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    f = float(rng.uniform(0.6, 2.2))
    weave = np.sin(xx * f) * np.sin(yy * f) + 0.5 * noise(rng, h, w, 3, 3)
    out = colour * (1 + strength * weave[..., None])
    if rng.random() < 0.4:
        other = hsv(rng.random(), rng.uniform(0, 0.8), rng.uniform(0.1, 1))
        angle, period = rng.uniform(0, np.pi), float(rng.uniform(10, 90))
        phase = (xx * np.cos(angle) + yy * np.sin(angle)) / period
        mask = (phase % 1) < rng.uniform(0.1, 0.6)
        if rng.random() < 0.4:
            mask ^= ((-xx * np.sin(angle) + yy * np.cos(angle)) / period % 1) < 0.5
        out = np.where(mask[..., None], other * (1 + strength * weave[..., None]), out)
    return np.clip(out, 0, 1).astype(np.float32)


def random_colour(rng: np.random.Generator) -> Array:
    """A colour as tables and cloths have: often brown, grey or white, sometimes anything."""
    kind = rng.random()
    if kind < 0.4:
        return hsv(rng.uniform(0.04, 0.12), rng.uniform(0.2, 0.75), rng.uniform(0.15, 0.85))
    if kind < 0.65:
        return hsv(rng.random(), rng.uniform(0, 0.12), rng.uniform(0.05, 1.0))
    return hsv(rng.random(), rng.uniform(0.2, 0.9), rng.uniform(0.1, 0.9))


def table_top(rng: np.random.Generator, h: int, w: int) -> Array:
    """A table, cloth, carpet or floor to put a board on."""
    colour = random_colour(rng)
    kind = rng.random()
    if kind < 0.4:
        out = wood(rng, h, w, colour, float(rng.uniform(0.03, 0.16)))
        if rng.random() < 0.4:  # planks
            pitch = float(rng.uniform(0.1, 0.4)) * w
            for x in np.arange(rng.uniform(0, pitch), w, pitch):
                cv2.line(
                    out, (int(x), 0), (int(x), h), (colour * 0.4).tolist(), int(rng.integers(1, 4))
                )
        return out
    if kind < 0.65:
        return cloth(rng, h, w, colour, float(rng.uniform(0.01, 0.12)))
    if kind < 0.85:
        return speckle(rng, h, w, colour, float(rng.uniform(0.01, 0.15)))
    return flat(colour, h, w).copy()


def clutter(rng: np.random.Generator, image: Array, count: int) -> None:
    """Draw things that lie about (books, papers, cups, racks, phones) into the picture."""
    h, w = image.shape[:2]
    for _ in range(count):
        cx, cy = rng.uniform(0, w), rng.uniform(0, h)
        a, b = rng.uniform(0.03, 0.35, 2) * min(h, w)
        colour = random_colour(rng) if rng.random() < 0.6 else hsv(0, 0, rng.uniform(0.7, 1))
        angle = rng.uniform(0, 180)
        if rng.random() < 0.7:
            box = cv2.boxPoints(((cx, cy), (a, b), angle))
            cv2.fillPoly(
                image, [(box + rng.uniform(2, 6)).astype(np.int32)], (colour * 0.2).tolist()
            )
            cv2.fillPoly(image, [box.astype(np.int32)], colour.tolist(), cv2.LINE_AA)
            if rng.random() < 0.5:
                cv2.polylines(
                    image,
                    [box.astype(np.int32)],
                    True,
                    random_colour(rng).tolist(),
                    int(rng.integers(1, 5)),
                    cv2.LINE_AA,
                )
            if rng.random() < 0.4:  # lines of writing or a grid of cells
                m = cv2.getRotationMatrix2D((cx, cy), -angle, 1)[:, :2]
                n = int(rng.integers(3, 16))
                ink = random_colour(rng).tolist()
                both = rng.random() < 0.4
                for t in np.linspace(-0.45, 0.45, n):
                    p, q = np.array([-0.45 * a, t * b]), np.array([0.45 * a, t * b])
                    cv2.line(
                        image,
                        tuple((m.T @ p * [1, 1] + [cx, cy]).astype(int).tolist()),
                        tuple((m.T @ q + [cx, cy]).astype(int).tolist()),
                        ink,
                        1,
                        cv2.LINE_AA,
                    )
                    if both:
                        p, q = np.array([t * a, -0.45 * b]), np.array([t * a, 0.45 * b])
                        cv2.line(
                            image,
                            tuple((m.T @ p + [cx, cy]).astype(int).tolist()),
                            tuple((m.T @ q + [cx, cy]).astype(int).tolist()),
                            ink,
                            1,
                            cv2.LINE_AA,
                        )
        else:
            r = int(min(a, b) / 2) + 2
            cv2.circle(
                image, (int(cx) + 3, int(cy) + 3), r, (colour * 0.2).tolist(), -1, cv2.LINE_AA
            )
            cv2.circle(image, (int(cx), int(cy)), r, colour.tolist(), -1, cv2.LINE_AA)
            if rng.random() < 0.6:
                cv2.circle(
                    image,
                    (int(cx), int(cy)),
                    int(r * 0.85),
                    random_colour(rng).tolist(),
                    -1,
                    cv2.LINE_AA,
                )
