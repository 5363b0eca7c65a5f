"""Picture files are unpacked no finer than they are looked at."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from kibitz.calibration.board_geometry import Pyramid
from kibitz.vision.frame import PictureError, decode_picture, size_of_plain_jpeg
from kibitz.vision.stream import reduced_decode as packed
from kibitz.vision.stream.reduced_decode import open_packed


def picture_of(width: int, height: int) -> np.ndarray:
    rough = np.random.default_rng(1).integers(0, 255, (9, 12, 3), np.uint8)
    return cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC)


def file_of(picture: np.ndarray, kind: str = ".jpg") -> bytes:
    return cv2.imencode(kind, picture)[1].tobytes()


@pytest.fixture
def whole(monkeypatch):
    """Grows by one with every file that is unpacked whole."""
    files = []
    monkeypatch.setattr(packed, "decode_picture", lambda *a: files.append(1) or decode_picture(*a))
    return files


@pytest.mark.parametrize("size", [(640, 480), (641, 483)])
@pytest.mark.parametrize("finest", [1, 2, 9])
def test_a_file_unpacked_small_shows_its_halves(size, finest, whole):
    """Each level has the size and the looks that halving the whole gives."""
    data = file_of(picture_of(*size))
    halves = Pyramid(decode_picture(data))
    found = open_packed(data, finest)

    assert halves.shape == found.shape
    for k in range(5, min(finest, 3) - 1, -1):
        expected, level = halves.level(k), found.level(k)
        assert expected.shape == level.shape
        assert np.abs(expected.astype(int) - level).mean() < 2
    assert [] == whole


def test_the_whole_is_unpacked_when_it_is_wanted(whole):
    """Once, and just as without waiting."""
    data = file_of(picture_of(640, 480))
    found = open_packed(data, 1)
    found.level(2)

    assert (decode_picture(data) == found.level(0)).all()
    assert (found.level(0) is found.level(0), 1) == (True, len(whole))


@pytest.mark.parametrize("case", ["png", "turned", "whole"])
def test_other_files_are_unpacked_whole(case, whole):
    """PNG, and JPEGs that say how they are turned; and all where all is wanted."""
    data = file_of(picture_of(64, 48), ".png" if case == "png" else ".jpg")
    if case == "turned":
        data = data[:2] + b"\xff\xe1\x00\x0aExif\0\0\0\0" + data[2:]

    assert (48, 64) == open_packed(data, 0 if case == "whole" else 1).shape
    assert 1 == len(whole)


def test_a_file_that_breaks_off_is_refused():
    """As one that is unpacked whole is."""
    data = file_of(picture_of(64, 48))[:-40]

    assert size_of_plain_jpeg(data) is None
    with pytest.raises(PictureError) as refused:
        open_packed(data, 1)
    assert "truncated" == refused.value.code


def test_a_damaged_file_is_refused():
    """One whose header promises what does not follow."""
    data = file_of(picture_of(64, 48))
    frame = data.index(b"\xff\xc0")
    data = data[: frame + 10] + b"\x00" * 9 + data[frame + 19 :]

    with pytest.raises(PictureError) as refused:
        open_packed(data, 1)
    assert "not_an_image" == refused.value.code
