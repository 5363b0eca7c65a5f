"""What a report of a misreading holds, and what it does not."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from kibitz.app.cli.main import app, run
from kibitz.app.cli.serving.demo import DEMOS

PHOTO = DEMOS / "scrabble" / "05.jpg"


def test_a_report_holds_pictures_and_readings_without_names(tmp_path: Path, capsys) -> None:
    """No file name, place or owner; a file that is no picture is there with its error's code."""
    named = tmp_path / "Ann in Berlin.jpg"
    exif = Image.Exif()
    exif[0x013B] = "Ann Artist"
    with Image.open(PHOTO) as photo:
        photo.save(named, exif=exif, quality=95)
        size = photo.size
    (tmp_path / "Bob.jpg").write_text("no picture")
    into = tmp_path / "report.zip"

    code = run(
        app,
        ["read", "--json", "--report", str(into), str(named), str(tmp_path / "Bob.jpg")],
        debug=True,
    )
    line = json.loads(capsys.readouterr().out.splitlines()[0])
    with zipfile.ZipFile(into) as report:
        names = report.namelist()
        inside = {name: report.read(name) for name in names}
    told = json.loads(inside["report.json"])
    picture = cv2.imdecode(np.frombuffer(inside["picture-1.jpg"], np.uint8), cv2.IMREAD_COLOR)

    assert (1, ["picture-1.jpg", "report.json"]) == (code, names)
    assert line["boards"][0]["rows"] == told["readings"][0]["boards"][0]["rows"]
    assert {"code": "not_an_image"} == told["readings"][1]["error"]
    assert size == picture.shape[1::-1]
    assert [] == [n for n in (b"Ann", b"Bob", b"Berlin") for data in inside.values() if n in data]
