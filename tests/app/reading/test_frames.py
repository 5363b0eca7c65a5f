"""A camera's view is judged now and then, not with every frame."""

from __future__ import annotations

import io
from dataclasses import replace

import cv2
import numpy as np
import pytest
from PIL import Image, ImageFile

from kibitz.app.cli.serving.demo import DEMOS
from kibitz.app.languages.catalogues import say
from kibitz.app.reading.frames import (
    Frame,
    FrameReader,
    check_header,
    decode_frame,
    encode_jpeg,
    encode_kept,
)
from kibitz.calibration.board_finder import BoardNotFound
from kibitz.calibration.board_geometry import Pyramid
from kibitz.vision.frame import PictureError
from kibitz.vision.pipeline import OtherScript
from kibitz.vision.request import ReadRequest
from tests.app.server_help import LETTERS, ReadsBarcodes, board, picture_of
from tests.helpers.fake_readings import reading_of_rows

LOOK = ReadRequest(15, tuple(LETTERS))
HERE = [[0, 0], [300, 0], [300, 300], [0, 300]]
THERE = [[10, 0], [310, 0], [310, 300], [10, 300]]


@pytest.fixture
def judged(monkeypatch):
    """Grows by one with every view that is judged."""
    from kibitz.calibration import quality

    views = []
    judge = quality.judge_view

    def judging(*told, covered):
        views.append(covered)
        return judge(*told, covered=covered)

    monkeypatch.setattr(quality, "judge_view", judging)
    return views


def read_all(places):
    """The frames of a camera, each with its board at a place."""
    reader, frames = FrameReader(ReadsBarcodes), [None]
    for corners in places:
        data = picture_of(board(H7="CAT"), corners_px=corners)
        frames.append(reader.read(data, LOOK, frames[-1]))
    return frames[1:]


def test_a_view_is_judged_again_after_a_few_frames(judged):
    """In between, what was said of it holds."""
    frames = read_all([HERE] * 5)
    assert 1 == len(judged)
    frames += read_all([HERE] * 6)

    assert 3 == len(judged)
    assert {frames[0].advice} == {f.advice for f in frames}
    assert {frames[0].health["fit"]} == {f.health["fit"] for f in frames}


@pytest.mark.parametrize(
    ("finest", "expected"),
    [
        ([0, 1, 1, 1, 1, 1, 1, 1], [0, 6]),  # a table at rest
        ([0, 1, 0, 1, 0, 1, 0, 1], [0, 6]),  # play after play
        ([0, 1, 1, 1, 1, 0, 1, 1], [0, 5]),
    ],
)
def test_a_frame_that_was_unpacked_small_leaves_judging_to_the_next(judged, finest, expected):
    """To be judged it would be unpacked in full while people wait for what it tells."""
    jpeg = encode_jpeg(np.full((320, 320, 3), 90, np.uint8))

    class Told(ReadsBarcodes):
        def read(self, picture, _request):
            """The same board, whatever the picture."""
            height, width = picture.shape
            return replace(reading_of_rows(board(H7="CAT"), LETTERS), width=width, height=height)

    reader, frame, when = FrameReader(Told), None, []
    for number, halved in enumerate(finest):
        frame = reader.read(jpeg, LOOK, frame, decode_frame(jpeg, halved))
        when += [number] * (len(judged) - len(when))

    assert expected == when


def test_a_board_that_moved_is_judged_at_once(judged):
    """Another place is another view."""
    read_all([HERE, THERE, THERE])

    assert 2 == len(judged)


def test_what_a_hand_covers_is_judged_apart(judged):
    """How sharp the board is shows beside the hand."""
    shown = picture_of(board(H7="CAT"), corners_px=HERE, occluded=[[3, 4], [3, 5]])

    FrameReader(ReadsBarcodes).read(shown, LOOK)

    assert [[3, 4], [3, 5]] == np.argwhere(judged[0]).tolist()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_header_is_read_without_unpacking_the_picture(kind, monkeypatch):
    """Whose pixels may be many: how large they are is told first."""
    out = io.BytesIO()
    Image.new("RGB", (64, 48), "red").save(out, kind)
    monkeypatch.setattr(ImageFile.ImageFile, "load", None)

    assert (64, 48) == check_header(out.getvalue())


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("turned", [False, True])
def test_a_header_tells_the_size(kind, turned):
    """Width and height as people see it, without unpacking the picture."""
    out, exif = io.BytesIO(), Image.Exif()
    if turned:
        exif[0x0112] = 6
    Image.new("RGB", (64, 48)).save(out, kind, exif=exif)

    assert ((48, 64) if turned else (64, 48)) == check_header(out.getvalue())


class SeesCyrillic(ReadsBarcodes):
    """Reads every picture as a board of Cyrillic letters."""

    def read(self, _picture, _request):
        """Refuses it."""
        raise OtherScript("CYRILLIC", "LATIN", ("ru", "uk"))


def test_another_script_is_said_with_what_to_do():
    """The page names the script and its sets, in the language of who looks."""
    frame = FrameReader(SeesCyrillic).read(picture_of(board(H7="CAT")), LOOK)
    (said,) = frame.advice

    assert (None, "other_script") == (frame.reading, frame.code)
    assert ["other_script"] == frame.health["faults"]
    assert said == (
        "These tiles are Cyrillic: take a tile set of theirs (ru, uk), or teach their look."
    )
    assert say(said, "de") == (
        "Diese Steine sind kyrillisch: Nehmt einen passenden Satz (ru, uk) oder lernt ihr "
        "Aussehen an."
    )
    assert said == frame.message


@pytest.mark.parametrize(
    ("pixels", "more", "refused"),
    [((10_000, 11_900), 0, False), ((10_000, 12_100), 0, True), ((10, 10), 20_000_000, True)],
)
def test_a_frame_that_is_too_large_is_refused(pixels, more, refused):
    """More than 120 million pixels, or more than twenty megabytes."""
    out = io.BytesIO()
    Image.new("1", pixels).save(out, "PNG")
    if not refused:
        assert pixels == check_header(out.getvalue())
        return
    with pytest.raises(PictureError) as wrong:
        check_header(out.getvalue() + bytes(more))

    assert "too_large" == wrong.value.code


@pytest.mark.parametrize(("size", "kept"), [(499_000, None), (501_000, (1600, 900))])
def test_a_large_picture_is_kept_smaller(size, kept):
    """A JPEG of half a megabyte is kept as it came; a larger one has 1600 pixels along a side."""
    pixels = np.zeros((1080, 1920, 3), np.uint8)
    jpeg = (b"\xff\xd8" + bytes(size))[:size]
    found = encode_kept(Frame(jpeg, Pyramid(pixels)))

    assert kept == (None if found == jpeg else Image.open(io.BytesIO(found)).size)


def test_a_picture_that_is_written_looks_as_it_did_and_is_small():
    """Off by less than one grey level on average, in less than a fifth of a byte a pixel."""
    taken = cv2.imread(str(DEMOS / "scrabble" / "01.jpg"))
    shown = cv2.GaussianBlur(taken, (0, 0), 1.0)
    written = encode_jpeg(shown)
    off = np.abs(cv2.imdecode(np.frombuffer(written, np.uint8), 1).astype(int) - shown).mean()

    assert (True, True) == (off < 1.0, 5 * len(written) < shown.size / 3), (off, len(written))


@pytest.mark.parametrize(
    ("game", "numbers", "expected"),
    [
        (2, [2, 1, 0, 1], [2, 2, 2, 2]),
        (2, [0, 1, 2, 1], [2, 2, 1, 2]),
        (2, [1, 1, 1, 1, 1, 1, 1], [2, 1, 1, 1, 1, 2, 1]),
        (1, [2, 1, 0, 1], [1, 1, 1, 1]),
    ],
)
def test_as_many_boards_are_looked_for_as_were_seen_at_once(game, numbers, expected):
    """All of the game's until one is seen, and whenever the view is judged anew."""
    asked = []
    shown = [[board(H7="CAT")] * number for number in numbers]

    class Notes(ReadsBarcodes):
        """Remembers how many it is to find."""

        def read(self, picture, request=None):
            """As many as are shown."""
            asked.append(request.boards)
            reading = super().read(picture, request)
            boards = shown[len(asked) - 1]
            if not boards:
                raise BoardNotFound("none")
            return replace(reading, boards=reading.boards * len(boards))

    reader, frame = FrameReader(Notes), None
    for _ in shown:
        frame = reader.read(picture_of(board(H7="CAT")), replace(LOOK, boards=game), frame)

    assert expected == asked
