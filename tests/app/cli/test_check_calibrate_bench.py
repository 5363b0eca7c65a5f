"""The commands that look after an installation: check, calibrate, bench."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from kibitz.app.cli.main import main
from kibitz.app.common.materials.named import TILE_SETS
from kibitz.vision.readings import PhotoReading
from tests.helpers.fake_readings import reading_of_rows

ROWS = ["." * 15] * 15


class PretendedReader:
    """Reads an empty board out of anything."""

    def read(self, picture: np.ndarray, _request: Any) -> PhotoReading:
        """The same board each time."""
        h, w = picture.shape[:2]
        corners = [[0.1 * w, 0.1 * h], [0.9 * w, 0.1 * h], [0.9 * w, 0.9 * h], [0.1 * w, 0.9 * h]]
        found = reading_of_rows(ROWS, "ABC", corners_px=corners)
        return PhotoReading(w, h, found.boards, ms={"locate": 2.0, "read": 4.0})


@pytest.fixture
def _reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "kibitz.app.reading.pictures.make_reader", lambda _models=None: PretendedReader()
    )


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[Any], str]:
    with pytest.raises(SystemExit) as leave:
        main(list(arguments))
    shown = capsys.readouterr()
    lines = [json.loads(line) for line in shown.out.splitlines()]
    return int(leave.value.code or 0), lines, shown.err


def picture(path: Path) -> Path:
    Image.effect_noise((300, 300), 60).convert("RGB").save(path)
    return path


def test_check_names_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Missing models are named, with what to do, and the exit code is 1."""
    data = str(tmp_path / "data")
    code, lines, _ = run(capsys, "check", "--json", "--models", str(tmp_path), "--data", data)
    by_name = {line["name"]: line for line in lines}

    assert code == 1
    assert not by_name["model finder"]["ok"]
    assert "install Kibitz again" in by_name["model finder"]["message"]
    assert by_name["lexicon"]["ok"]
    assert by_name["tile sets"]["message"] == ", ".join(TILE_SETS)
    assert by_name["data"]["ok"]
    assert not by_name["cameras"]["needed"]


@pytest.mark.parametrize(
    ("pillow", "ok", "said"),
    [
        ("12.1.0", False, "pillow 12.1.0 (expected >=13.0)"),
        ("13.0.0", True, "as new as is needed"),
        (None, True, "as new as is needed"),
    ],
)
def test_check_names_what_is_older_than_is_safe(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    pillow: str | None,
    ok: bool,
    said: str,
) -> None:
    """Also of an extra, where it is installed; what is not there is not asked for."""
    needs = "Requires-Dist: numpy>=1\nProvides-Extra: x\nRequires-Dist: none>=2; extra == 'x'"
    if pillow is not None:
        needs += "\nRequires-Dist: pillow>=13.0; extra == 'x'"
        needs += "\nRequires-Dist: pillow>=99; python_version < '3'"
        _installed(tmp_path, "pillow", pillow)
    _installed(tmp_path, "kibitz", "0", needs)
    monkeypatch.syspath_prepend(str(tmp_path))
    code, lines, _ = run(capsys, "check", "--json", "--data", str(tmp_path / "data"))
    (versions,) = [line for line in lines if line["name"] == "versions"]

    assert (ok, 0 if ok else 1) == (versions["ok"], code)
    assert said in versions["message"]


def _installed(site: Path, name: str, version: str, more: str = "") -> None:
    facts = site / f"{name}-{version}.dist-info" / "METADATA"
    facts.parent.mkdir()
    facts.write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{more}\n")


def test_check_of_an_unwritable_data_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A data folder that is a file cannot be used."""
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    _, lines, _ = run(capsys, "check", "--json", "--data", str(blocked))
    (data,) = [line for line in lines if line["name"] == "data"]

    assert not data["ok"]


@pytest.mark.usefixtures("_reader")
def test_calibrate_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The board's place is kept under the table's name, with how good the view is."""
    path = picture(tmp_path / "view.png")
    data = str(tmp_path / "data")
    code, (line,), _ = run(
        capsys, "calibrate", str(path), "--table", "kitchen", "--data", data, "--json"
    )

    assert code == 0
    assert line["boards"][0]["corners_px"] == [[30, 30], [270, 30], [270, 270], [30, 270]]
    assert line["boards"][0]["summary"].startswith("The view is ")
    kept = json.loads(Path(line["kept"]).read_text())
    assert Path(line["kept"]).name == "kitchen.json"
    assert kept["boards"] == line["boards"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nothing-there.png"], 1, "no file"),
        (["what is this"], 2, "expected a device number"),
        (["browser"], 2, "calibrated on its own page"),
        (["x.png", "--table", "../up"], 1, "no file"),
    ],
)
def test_calibrate_refusals(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What cannot be calibrated is told in words."""
    got, _, err = run(capsys, "calibrate", *arguments)

    assert got == code
    assert said in err


@pytest.mark.usefixtures("_reader")
def test_bench_vision(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The stages' medians and their ratio to decoding come from one run."""
    path = picture(tmp_path / "view.png")
    code, (line,), _ = run(capsys, "bench", "--only", "vision", "--json", str(path))

    assert code == 0
    assert (line["locate_ms"], line["read_ms"], line["locate_and_read_ms"]) == (2.0, 4.0, 6.0)
    assert line["ratio_to_decode"] == pytest.approx(6 / line["decode_ms"], rel=0.05)


@pytest.mark.usefixtures("_reader")
def test_bench_loose(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Photographs of loose tiles are measured by themselves, in groups by how many there are."""
    path = picture(tmp_path / "view.png")
    code, (line,), _ = run(capsys, "bench", "--only", "loose", "--json", str(path))

    assert (code, line["part"], line["photographs"]) == (0, "loose", 1)
    assert line["ratio_by_tiles"] == {"0 to 19": line["ratio_to_decode"]}
    assert line["locate_and_read_ms"] == 6.0


def test_bench_rules(capsys: pytest.CaptureFixture[str]) -> None:
    """The rules' part gives a rate for judging, exploding and the joined boards."""
    code, (line,), _ = run(capsys, "bench", "--only", "rules", "--json")
    rates = {name: value for name, value in line.items() if name.endswith("_per_s")}

    assert code == 0
    assert {"decide_per_s", "explosion_per_s", "grid45_plays_per_s"} == set(rates)
    assert min(rates.values()) > 0
