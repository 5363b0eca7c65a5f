"""Noise is told, and taken out of photographs before their squares are read."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz import app
from kibitz.app.reading.results import reading_of
from kibitz.calibration.board_geometry import Pyramid
from kibitz.calibration.quality import VIEW
from kibitz.vision.boards import noise
from kibitz.vision.boards.noise import NoiseRules, noise_of, without_noise
from kibitz.vision.pipeline import Reader
from kibitz.vision.request import ReadRequest

LEFT = 0.21
"""Part of the noise."""
PHOTO = Path(app.__file__).parent / "data" / "demo" / "scrabble" / "12.jpg"


@pytest.fixture(scope="module")
def reader() -> Reader:
    """One reader with the models."""
    return Reader()


@pytest.fixture(scope="module")
def photo() -> np.ndarray:
    """A photograph of a game."""
    return np.asarray(cv2.imread(str(PHOTO)), np.uint8)


def noisy(picture: np.ndarray, spread: float) -> np.ndarray:
    """With noise in each pixel and channel."""
    noise = np.random.default_rng(1).normal(0, spread, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("spread", [3.0, 10.0, 30.0])
def test_the_spread_of_noise_is_told_beside_edges(spread: float) -> None:
    """Edges are a small part of a picture, and a slope of light leaves nothing."""
    picture = np.tile(np.linspace(60, 180, 128).astype(np.uint8)[:, None, None], (1, 128, 3))
    picture[:, 40:44] = 20

    assert noise_of(noisy(picture, spread)) == pytest.approx(spread, rel=0.1)


def test_a_picture_without_noise_stays_as_it_is(reader: Reader, photo: np.ndarray) -> None:
    """The same picture: nothing is copied."""
    pyramid = Pyramid(photo)
    (board, *_), _ = reader.locator.locate(pyramid, ReadRequest())

    assert without_noise(pyramid, board) is pyramid


@pytest.mark.parametrize(("times", "taken_out"), [(0.6, False), (1.8, True)])
def test_from_when_on_noise_is_taken_out(
    reader: Reader, photo: np.ndarray, times: float, taken_out: bool
) -> None:
    """Where it is more than what `VIEW` calls noise."""
    flat = Pyramid(noisy(np.full_like(photo, 120), times * VIEW.noise))
    (board, *_), _ = reader.locator.locate(photo, ReadRequest())

    assert (without_noise(flat, board) is not flat) == taken_out


def test_how_much_noise_is_left(
    reader: Reader, photo: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mean of more pixels has less: a fifth is left at a tenth of a square, else more or less."""
    flat = Pyramid(noisy(np.full_like(photo, 120), 20.0))
    (board, *_), _ = reader.locator.locate(photo, ReadRequest())

    def left(rules: NoiseRules) -> float:
        monkeypatch.setattr(noise, "RULES", rules)
        level = without_noise(flat, board).nearest(1.0)[0]
        return float(level[300:500, 300:500].std()) / 20

    assert left(NoiseRules()) == pytest.approx(LEFT, abs=0.005)
    assert left(NoiseRules(reach=0.05)) > LEFT + 0.03
    assert left(NoiseRules(reach=0.2)) < LEFT - 0.02


def test_a_noisy_photograph_is_read_better_without_its_noise(
    reader: Reader, photo: np.ndarray
) -> None:
    """A film's frames are read as they are: the next one has other noise."""
    clear = reading_of("a.jpg", reader.read(photo)).to_json()["boards"][0]["rows"]

    def wrong(request: ReadRequest) -> int:
        rows = reading_of("b.jpg", reader.read(noisy(photo, 110.0), request)).to_json()["boards"][
            0
        ]["rows"]
        return sum(
            x != y for a, b in zip(rows, clear, strict=True) for x, y in zip(a, b, strict=True)
        )

    assert wrong(ReadRequest()) < wrong(ReadRequest(film=True))
