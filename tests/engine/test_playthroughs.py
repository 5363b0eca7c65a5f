"""Written-out games, replayed line by line."""

import pytest

from kibitz.engine.games import games
from tests.playthrough_tool import FOLDER, script_of, write_out

pytestmark = pytest.mark.fast

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=[p.stem for p in FILES])
def test_playthrough(path):
    """The engine still says exactly what the file has."""
    text = path.read_text(encoding="utf-8")

    assert text.splitlines() == write_out(*script_of(text)).splitlines()


def test_every_game_has_one():
    """No game goes without a playthrough."""
    told = {script_of(p.read_text(encoding="utf-8"))[0]["game"] for p in FILES}

    assert {g.info.slug for g in games()} == told


def test_a_fleet_is_never_shown_to_others():
    """In the written-out ScrabbleShip game a fleet stands only in its owner's lines."""
    text = (FOLDER / "scrabbleship_hits.txt").read_text(encoding="utf-8")
    lines = [x for x in text.splitlines() if '"fleets":' in x or '"fleet":' in x]
    told = [x for x in lines if not x.startswith("do:")]
    before_end = [x for x in told if "watcher sees" in x]

    assert told
    assert [] == before_end
    assert all(x.strip().startswith(("Ann sees", "Bob sees", "event (to ")) for x in told)
