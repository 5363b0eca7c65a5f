"""What was kept of a table: where its board lies, and which side is which player's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kibitz
from kibitz.app.cli.serving.demo import DEMOS
from kibitz.app.common.errors import UsageError
from kibitz.app.common.materials.named import letters_for
from kibitz.app.face.opening import opening_of
from kibitz.app.face.replaying import Photographs, new_replay, request_of
from kibitz.app.reading.pictures import make_reader, read_file
from kibitz.app.reading.profile import Profile, load_profile, parse_seats
from kibitz.vision.request import ReadRequest

FOLDER = DEMOS / "scrabble-house"
PHOTOS = sorted(FOLDER.glob("*.jpg"))[:3]
LETTERS = letters_for("en")
FIRST = [("South", "HOUSE"), ("North", "GARDEN"), ("South", "EARTH")]


def profile(data: Path, seats: str | None) -> Profile:
    """What is kept of the bundled game's table."""
    kibitz.calibrate(PHOTOS[0], "house", seats=seats, data=str(data))
    return load_profile("house", str(data))


def plays(data: Path, players: str) -> list[tuple[str, str]]:
    """Who played what, by the first three pictures and the kept profile."""
    opening = opening_of("scrabble-house", players)
    photos = Photographs(players=opening.players, calibration="house", data=str(data))
    request = request_of(photos, opening.game.info)
    run = new_replay(photos, opening, [])
    reader = make_reader()
    for path in PHOTOS:
        run.see(read_file(str(path), reader, request))
    found = run.finish()["final"]["plays"]
    return [(p["player"], p["words"][0]["word"]) for p in found]


@pytest.mark.parametrize(
    ("seats", "players", "names"),
    [
        ("Ann=bottom,Bob=top", "Ann,Bob", {"South": "Ann", "North": "Bob"}),
        ("Ann=bottom,Bob=top", "Bob,Ann", {"South": "Ann", "North": "Bob"}),
        ("Ann=top,Bob=bottom", "Bob,Ann", {"South": "Bob", "North": "Ann"}),
    ],
)
def test_which_side_is_whose(
    tmp_path: Path, seats: str, players: str, names: dict[str, str]
) -> None:
    """Whoever sits at the bottom of the picture played the words that are upright there."""
    profile(tmp_path, seats)

    assert plays(tmp_path, players) == [(names[side], word) for side, word in FIRST]


def test_row_a_is_across_from_the_first_player(tmp_path: Path) -> None:
    """South sits at row O: seats say which edge row A is nearest to, corners begin there."""
    kept = profile(tmp_path, "Ann=top,Bob=bottom")
    facts = json.loads((tmp_path / "calibration" / "house.json").read_text())
    first, _, third, _ = facts["boards"][0]["corners_px"]

    assert (kept.top, kept.top_for(("Ann", "Bob")), kept.top_for(("Bob", "Ann"))) == (
        "bottom",
        "bottom",
        "top",
    )
    assert first[1] > third[1]
    assert kept.placed(ReadRequest(15, LETTERS), ("Ann", "Bob")).corners == kept.corners
    assert kept.placed(ReadRequest(15, LETTERS), ("Bob", "Ann")) == ReadRequest(
        15, LETTERS, None, "top"
    )


def test_what_is_said_by_hand_holds() -> None:
    """Corners and edges of the call count more than those that were kept."""
    corners = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    kept = Profile("x", 10, 20, ((1.0, 2.0),) * 4, seats={"Ann": "left"})

    assert kept.placed(ReadRequest(15, LETTERS, corners, "top")) == ReadRequest(
        15, LETTERS, corners, "top"
    )
    assert kept.placed(ReadRequest("loose", LETTERS)).corners is None
    assert kept.relative(ReadRequest(15, LETTERS, corners)).corners == (
        (0.0, 0.0),
        (0.9, 0.0),
        (0.9, 0.45),
        (0.0, 0.45),
    )


@pytest.mark.parametrize("text", ["Ann", "Ann=middle", "=top", "Ann=top,Bob=top"])
def test_seats_that_cannot_be(text: str) -> None:
    """Each player has an edge, each edge one player."""
    with pytest.raises(UsageError, match=r"^seats: expected"):
        parse_seats(text)


def test_a_profile_that_is_not_there(tmp_path: Path) -> None:
    """It says how to make one; a damaged file is told, too."""
    with pytest.raises(UsageError, match="kibitz calibrate SOURCE --table kitchen"):
        load_profile("kitchen", str(tmp_path))
    broken = tmp_path / "broken.json"
    broken.write_text("[]")
    with pytest.raises(UsageError, match="is no calibration"):
        load_profile(str(broken))
