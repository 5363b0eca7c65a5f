"""Games are found below folders: folders of pictures, films, zips."""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz.app.archive.finding import facts_beside, find_games
from kibitz.app.common.errors import UsageError


def lay(base: Path, *files: str) -> Path:
    """Files (and folders, with a slash at the end) below a folder."""
    for name in files:
        path = base / name
        if name.endswith("/"):
            path.mkdir(parents=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"x")
    return base


def found(*places: Path, out: Path | None = None) -> list[tuple[str, str, int]]:
    games = find_games(places, out or places[0] / "no-such-out")
    return [(g.name, g.kind if g.problem is None else g.problem[0], g.photos) for g in games]


@pytest.mark.parametrize(
    ("files", "games"),
    [
        ((), [("in", "no_pictures", 0)]),
        (("a.jpg", "b.png", "notes.txt"), [("in", "folder", 2)]),
        (("notes.txt",), []),
        (("m10/1.jpg", "m2/1.jpg"), [("m2", "folder", 1), ("m10", "folder", 1)]),
        (("club/mon/1.jpg", "club/tue/1.jpg"), [("club/mon", "folder", 1), ("club/tue", "folder", 1)]),
        (("a.mp4", "b.zip", "c.MOV"), [("a", "film", 0), ("b", "zip", 0), ("c", "film", 0)]),
        (("1.jpg", "film.mp4", "deep/2.jpg"), [("in", "folder", 1), ("deep", "folder", 1), ("film", "film", 0)]),
        (("told/game.json",), [("told", "no_pictures", 0)]),
        (("empty/",), [("empty", "no_pictures", 0)]),
        ((".hidden/1.jpg", "__MACOSX/1.jpg", ".x.mp4"), []),
    ],
)  # fmt: skip
def test_what_is_a_game(tmp_path: Path, files: tuple[str, ...], games: list[object]) -> None:
    """A folder with pictures, a film, a zip; what is empty or tells of no pictures is named."""
    base = tmp_path / "in"
    base.mkdir()
    lay(base, *files)

    assert games == found(base)


def test_the_results_are_never_looked_into(tmp_path: Path) -> None:
    """OUT may lie among the games."""
    lay(tmp_path, "a/1.jpg", "out/games/1.jpg")

    assert [("a", "folder", 1)] == found(tmp_path, out=tmp_path / "out")


def test_several_places_stand_in_the_names(tmp_path: Path) -> None:
    """With several folders each game's name begins with its own."""
    lay(tmp_path, "a/m/1.jpg", "b/m/1.jpg", "c.mp4")

    assert [("a/m", "folder", 1), ("b/m", "folder", 1), ("c", "film", 0)] == found(
        tmp_path / "a", tmp_path / "b", tmp_path / "c.mp4"
    )


def test_linked_folders_are_not_followed(tmp_path: Path) -> None:
    """A link back to the top would never end."""
    lay(tmp_path, "a/1.jpg")
    (tmp_path / "a" / "again").symlink_to(tmp_path)

    assert [("a", "folder", 1)] == found(tmp_path)


@pytest.mark.parametrize("name", ["gone", "one.jpg", "notes.txt"])
def test_what_cannot_hold_games_is_refused(tmp_path: Path, name: str) -> None:
    """A place that is not there, a picture, any other file: said before anything is read."""
    lay(tmp_path, "one.jpg", "notes.txt")

    with pytest.raises(UsageError, match=r"expected a folder of games, a film or a zip"):
        found(tmp_path / name)


def test_a_stamp_changes_with_any_file_that_counts(tmp_path: Path) -> None:
    """A picture, or what is told of the game; notes count for nothing."""
    lay(tmp_path, "a/1.jpg", "a/game.json", "a/notes.txt")

    def stamp() -> str:
        (game,) = find_games([tmp_path], tmp_path / "out")
        return game.stamp

    first = stamp()
    (tmp_path / "a" / "notes.txt").write_bytes(b"yy")
    second = stamp()
    (tmp_path / "a" / "1.jpg").write_bytes(b"yy")
    third = stamp()
    (tmp_path / "a" / "game.json").write_bytes(b"yy")

    assert first == second
    assert 3 == len({second, third, stamp()})


def test_what_is_told_of_a_film_lies_beside_it() -> None:
    """Its own file first, then that of the folder."""
    assert (Path("x/a.game.json"), Path("x/game.json")) == facts_beside(Path("x/a.mp4"))
