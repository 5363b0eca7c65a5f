"""A kept game becomes a film: each kept picture with the scores of its time."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from kibitz.app.cli.kept import tables as kept_tables
from kibitz.app.cli.serving.demo import DEMOS
from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.materials.named import TILE_SETS, load_tile_set
from kibitz.app.common.storage.tables import Storage
from kibitz.app.reading.frames import FrameReader
from kibitz.app.server.session import Session
from kibitz.app.tables.orders import Order
from kibitz.app.tables.registry import Tables
from kibitz.app.tables.results import game_film
from kibitz.app.tables.results.game_film import (
    NO_LETTER,
    FilmRule,
    Scene,
    drawn,
    scenes,
    write_film,
)

PHOTOS = sorted((DEMOS / "scrabble").glob("*.jpg"))[1:3]


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder with a table that two photographs were read at."""
    folder = tmp_path_factory.mktemp("kept")
    tables = Tables(Storage(str(folder)))
    session = Session(tables, FrameReader())
    table = tables.create(Order("scrabble", ("Ann", "Żółć"), {}, "en", "default", None)).table
    for photo in PHOTOS:
        session.camera(table).take(photo.read_bytes(), stream=False)
    session.close()
    return folder, table.id


@pytest.fixture(scope="module")
def shown(kept):
    """The scenes of its film."""
    tables = Tables(Storage(str(kept[0])))
    table = tables.get(kept[1])
    assert table is not None
    found = list(scenes(table, FrameReader()))
    tables.close()
    return found


def test_each_kept_picture_is_a_scene(shown):
    """The board alone, straightened; the scores as they were then; what was said."""
    first, second = shown

    assert {(900, 900, 3)} == {scene.shot.shape for scene in shown}
    assert ["Ann", "Żółć"] == [name for name, _ in first.scores]
    assert first.said.startswith("Ann plays ")
    assert "Żółć" in second.said
    assert "0" == first.scores[1][1] != second.scores[1][1]


@pytest.mark.parametrize("ending", [".mp4", ".webm", ".avi"])
def test_a_film_plays_as_long_as_it_should(kept, tmp_path, capsys, ending):
    """In each kind of file: two pictures, each for half a second."""
    path = tmp_path / f"game{ending}"
    kept_tables.film(kept[1], out=path, seconds=0.5, data=str(kept[0]))
    opened = cv2.VideoCapture(str(path))
    frames = []
    while (found := opened.read())[0]:
        frames.append(found[1])
    opened.release()

    assert 2 == len(frames)
    assert (720, 1280, 3) == frames[0].shape
    assert np.abs(frames[0].astype(int) - frames[-1]).mean() > 1
    assert f"{path}: 2 pictures, 1 s" in capsys.readouterr().out


def test_every_name_is_written_and_fits():
    """Letters of other languages are drawn; a long name is cut before its points."""
    shot = np.zeros((90, 90, 3), np.uint8)
    rule = FilmRule(edge=20)
    pages = {
        name: drawn(Scene(shot, ((name, "7"),), ""), "Scrabble", rule)
        for name in ("", "Żółć", "Björn", "W" * 40)
    }
    right = rule.width - rule.edge
    ink = {name: np.argwhere((page != pages[""]).any(2)) for name, page in pages.items() if name}

    assert all(len(found) > 100 for found in ink.values())
    assert max(found[:, 1].max() for found in ink.values()) < right - rule.edge


def test_letters_of_many_languages_are_drawn():
    """None of them as the sign for a letter that is missing, in whichever file it lies."""
    others = ("bg", "el", "he", "ru", "uk")  # written in other alphabets than the typeface's
    sets = [load_tile_set(x).letters for x in TILE_SETS if x not in others]
    letters = sorted({"Œ", *(x for letters in sets for word in letters for x in word)})
    shot, rule = np.zeros((9, 9, 3), np.uint8), FilmRule(width=400, height=200, edge=4)
    missing, *pages = (
        drawn(Scene(shot, (), letter), "", rule) for letter in (NO_LETTER, *letters)
    )

    assert [] == [x for x, page in zip(letters, pages, strict=True) if (page == missing).all()]


def tops(scene: Scene) -> list[int]:
    """The first rows of the lines that are written beside a black picture."""
    page, rule = drawn(scene, "H", FilmRule()), FilmRule()
    beside = page[:, rule.height :]
    inked = (beside != beside[-1, -1]).any((1, 2))
    return np.flatnonzero(np.diff(inked.astype(int)) > 0).tolist()


def test_how_lines_are_set():
    """Names 56 pixels apart; what was said smaller, 34 apart, after an empty line."""
    scene = Scene(np.zeros((9, 9, 3), np.uint8), (("H", "H"),) * 3, "H " * 60)
    title, *names = tops(scene)[:4]
    said = tops(scene)[4:]

    assert [56, 56] == np.diff(names).tolist()
    assert {33, 34} == set(np.diff(said).tolist())
    assert [61, 85] == [names[0] - title, said[0] - names[-1]]


def test_settings_of_a_film_are_kept_to(shown):
    """Half the size, and text at a larger edge."""
    page = drawn(shown[0], "Scrabble", FilmRule(width=640, height=360))

    assert (360, 640, 3) == page.shape
    with pytest.raises(ValueError, match="seconds"):
        FilmRule(seconds=0)


def test_what_cannot_be_a_film_is_said(kept, tmp_path, monkeypatch):
    folder, table = kept
    tables = Tables(Storage(str(tmp_path / "bare")))
    bare = tables.create(Order("scrabble", ("Ann", "Bob"), {}, "en", "default", None)).table
    with pytest.raises(CommandError, match=r"has no kept pictures to make a film of"):
        write_film(bare, tmp_path / "x.mp4", FrameReader())
    tables.close()
    calls = [
        ((table, tmp_path / "x.gif"), UsageError, r"expected a file that ends in \.mp4"),
        ((table, tmp_path / "no" / "x.mp4"), CommandError, r"there is no folder"),
        (("nobody", tmp_path / "x.mp4"), UsageError, r"there is no table 'nobody'"),
    ]
    for arguments, kind, text in calls:
        with pytest.raises(kind, match=text):
            kept_tables.film(arguments[0], out=arguments[1], data=str(folder))
    with pytest.raises(UsageError, match=r"^seconds 0: "):
        kept_tables.film(table, out=tmp_path / "x.mp4", seconds=0, data=str(folder))
    monkeypatch.setitem(game_film.CODECS, ".mp4", "none")
    with pytest.raises(CommandError, match=r"OpenCV has no none here, .* kind of file: \.webm"):
        kept_tables.film(table, out=tmp_path / "x.mp4", data=str(folder))

    assert [] == [x for x in tmp_path.iterdir() if x.suffix == ".mp4"]
