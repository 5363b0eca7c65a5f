"""`kibitz read`: one line a photograph, whatever the files are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from kibitz.app.cli.main import main
from kibitz.app.languages.catalogues import speak
from kibitz.calibration.board_finder import NO_BOARD, BoardNotFound
from kibitz.vision.readings import PhotoReading
from tests.helpers.fake_readings import reading_of_rows

ROWS = [*["." * 15] * 7, ".......CA?T....", *["." * 15] * 7]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class PretendedReader:
    """Finds a board in every picture that is at least 60 pixels wide."""

    def __init__(self) -> None:
        self.requests: list[Any] = []

    def read(self, picture: np.ndarray, request: Any) -> PhotoReading:
        """The same board each time."""
        self.requests.append(request)
        if min(picture.shape[:2]) < 60:
            raise BoardNotFound(NO_BOARD)
        corners = [[10, 10], [90, 10], [90, 90], [10, 90]]
        return reading_of_rows(ROWS, LETTERS, corners_px=corners, occluded=[[0, 0]])


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> PretendedReader:
    pretended = PretendedReader()
    monkeypatch.setattr("kibitz.app.face.reading.make_reader", lambda _models: pretended)
    return pretended


def picture(path: Path, size: tuple[int, int] = (100, 100)) -> Path:
    Image.new("RGB", size, (90, 120, 90)).save(path)
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    with pytest.raises(SystemExit) as leave:
        main(["read", "--json", *arguments])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return int(leave.value.code or 0), lines


def test_a_line(
    reader: PretendedReader, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line has every field of the interface."""
    path = picture(tmp_path / "a.jpg")
    code, lines = run(capsys, str(path))

    assert code == 0
    (line,) = lines
    assert sorted(line) == ["advice", "boards", "error", "file", "loose", "ms", "words"]
    assert (line["file"], line["error"]) == (str(path), None)
    (found,) = line["boards"]
    assert found["rows"][7] == ".......CA?T...."
    assert found["rows"][0] == "#" + "." * 14
    assert found["turns"][7] == ".......00?0...."
    assert found["tile_set"][7] == ".......aaaa...."
    assert found["corners_px"][0] == [10, 10]
    assert found["markers"] == []
    assert 0.9 < found["confidence"][7][7] <= 1
    assert line["ms"]["decode"] > 0


def test_the_rest_is_read(
    reader: PretendedReader, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bad files get a line with a code, the others are read, in the order given; exit 1."""
    good = picture(tmp_path / "good.png")
    text = tmp_path / "text.jpg"
    text.write_text("not a picture")
    cut = tmp_path / "cut.jpg"
    picture(cut, (300, 300))
    cut.write_bytes(cut.read_bytes()[:700])
    dot = picture(tmp_path / "dot.png", (1, 1))
    gone = tmp_path / "gone.jpg"
    code, lines = run(capsys, *map(str, (text, good, cut, dot, gone)))

    assert code == 1
    assert [(line["error"] or {}).get("code") for line in lines] == [
        "not_an_image",
        None,
        "truncated",
        "board_not_found",
        "file_not_found",
    ]
    assert [line["file"] for line in lines] == [str(p) for p in (text, good, cut, dot, gone)]


def test_a_folder(
    reader: PretendedReader, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder is read in natural order; a video in it gets an error, notes are passed over."""
    for name in ("image-10.jpg", "image-2.jpg", "image-1.jpg"):
        picture(tmp_path / name)
    (tmp_path / "image-3.mp4").write_bytes(b"....ftypisom")
    (tmp_path / "image-1.json").write_text("{}")
    (tmp_path / "notes.txt").write_text("notes")
    code, lines = run(capsys, str(tmp_path))

    assert code == 1
    names = [Path(line["file"]).name for line in lines]
    assert names == ["image-1.jpg", "image-2.jpg", "image-3.mp4", "image-10.jpg"]
    assert lines[2]["error"]["code"] == "is_a_video"


def test_an_empty_folder(
    reader: PretendedReader, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty folder is told."""
    code, lines = run(capsys, str(tmp_path))

    assert code == 1
    assert [line["error"]["code"] for line in lines] == ["no_pictures"]


def test_a_pattern(
    reader: PretendedReader, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A pattern names every file that matches, in natural order."""
    for name in ("b10.png", "b9.png", "c.png"):
        picture(tmp_path / name)
    code, lines = run(capsys, str(tmp_path / "b*.png"))

    assert code == 0
    assert [Path(line["file"]).name for line in lines] == ["b9.png", "b10.png"]
    code, lines = run(capsys, str(tmp_path / "z*.png"))
    assert [line["error"]["code"] for line in lines] == ["file_not_found"]


def test_options_reach_the_reader(
    reader: PretendedReader, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What to look for is passed on as the reader takes it."""
    path = picture(tmp_path / "a.jpg")
    run(capsys, str(path), "--game", "grabscrab", "--tiles", "de")
    run(capsys, str(path), "--top", "left", "--corners", "1,2,90,3,91,92,2,93")

    assert reader.requests[0].squares == "loose"
    assert "Ä" in reader.requests[0].letters
    assert (reader.requests[1].squares, reader.requests[1].top) == (15, "left")
    assert reader.requests[1].corners == ((1, 2), (90, 3), (91, 92), (2, 93))


def test_overlay(
    reader: PretendedReader, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The picture with the reading on it is written beside nothing else, in its own folder."""
    path = picture(tmp_path / "a.jpg", (200, 150))
    code, lines = run(capsys, str(path), "--overlay", str(tmp_path / "drawn"))

    assert code == 0
    drawn = Path(lines[0]["overlay"])
    assert drawn.parent == tmp_path / "drawn"
    with Image.open(drawn) as image:
        assert image.size == (200, 150)
        colours = np.asarray(image)
    assert np.ptp(colours.reshape(-1, 3), axis=0).min() > 60


def test_for_people(
    reader: PretendedReader, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without `--json` the board is drawn with its letters and numbers."""
    with pytest.raises(SystemExit):
        main(["read", str(picture(tmp_path / "a.jpg"))])
    shown = capsys.readouterr().out

    assert "  H  · · · · · · · C A ? T · · · ·" in shown
    assert "4 tiles, 1 squares cannot be seen" in shown


def test_a_photograph_that_breaks_the_reading_loses_no_other(
    reader: PretendedReader,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It gets a line with an error; those before and after it are read."""
    paths = [picture(tmp_path / f"{i}.jpg", (100 + i, 100)) for i in range(3)]
    real = reader.read

    def breaks(picture: np.ndarray, request: Any) -> PhotoReading:
        if picture.shape[1] == 101:
            raise ZeroDivisionError("by nothing")
        return real(picture, request)

    monkeypatch.setattr(reader, "read", breaks)
    code, lines = run(capsys, *map(str, paths))

    assert 1 == code
    assert [None, "not_readable", None] == [(x["error"] or {}).get("code") for x in lines]
    assert "ZeroDivisionError: by nothing" in lines[1]["error"]["message"]


@pytest.mark.parametrize(
    ("tiles", "letters"), [("da", "as others: Æ Ø."), ("de", None), (None, None)]
)
def test_letters_that_must_be_taught_are_named(
    reader: PretendedReader,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    tiles: str | None,
    letters: str | None,
) -> None:
    """Once, beside the results, where a set was told that has such letters."""
    told = [] if tiles is None else ["--tiles", tiles]
    with pytest.raises(SystemExit):
        main(["read", str(picture(tmp_path / "a.jpg")), *told])
    said = capsys.readouterr().err

    assert (letters is not None) == ("only once their look is taught" in said)
    assert (letters or "") in said


def test_causes_and_remedies_are_said_in_the_language_of_the_call(
    reader: PretendedReader, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Why nothing was read, and what to do about squares that cannot be seen."""
    dot, board = picture(tmp_path / "dot.png", (1, 1)), picture(tmp_path / "a.jpg")
    code, (refused, seen) = run(capsys, str(dot), str(board), "--lang", "de")
    speak(None)

    assert 1 == code
    assert "Kein Brett im Bild: Kamera" in refused["error"]["message"]
    assert "Das Bild ist unscharf" in seen["advice"][-1]
