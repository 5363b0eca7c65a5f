"""Photographed games replayed from their labels, without and with a reader's mistakes."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from kibitz.app.face.opening import opening_of, parse_setting
from kibitz.app.face.replaying import Photographs, new_replay
from kibitz.app.observers.told import load_told
from kibitz.app.reading.request import squares_of
from kibitz.engine.games import find_info
from kibitz.vision.request import ReadRequest
from tests.helpers.fake_readings import FakeReader, Noise
from tests.helpers.shared_data import SHARED, needs_shared

pytestmark = [needs_shared, pytest.mark.shared]

GAMES = [
    "photos/henningn_game01",
    "photos/henningn_game03",
    "photos/henningn_game05",
    "photos/henningn_game12",
    "photos/henningn_game15",
    "renders/games/classic_1",
    "renders/games/scrabble",
    "renders/games/scrabbleship",
    "renders/games/scrabbage",
    "renders/games/scrabble-house",
    "renders/games/frankenscrabbards",
    "renders/games/grabscrab",
]


def replayed(
    name: str, noise: Noise, tmp_path: Path
) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]:
    """The truth of a game, its lines by photograph, and its final line."""
    folder = SHARED / name
    truth = json.loads((folder / "game.json").read_text(encoding="utf-8"))
    slug = truth.get("game_slug", "scrabble")
    options = dict(zip(truth.get("options", [])[::2], truth.get("options", [])[1::2], strict=True))
    start = None
    if truth.get("initial"):
        start = tmp_path / "start.json"
        start.write_text(json.dumps(truth["initial"]), encoding="utf-8")
    tiles = truth.get("language") or "en"
    opening = opening_of(
        slug,
        options.get("--players"),
        settings=dict([parse_setting(options["--set"])]) if "--set" in options else {},
        tiles=tiles,
        lexicon=truth.get("lexicon", "none"),
        start=start,
    )
    photos = Photographs((str(folder),), opening.players, tiles, options.get("--top"))
    told = load_told(folder / truth["told"] if truth.get("told") else None)
    replay = new_replay(photos, opening, told)
    letters = tuple(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ" if tiles == "de" else "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    )
    request = ReadRequest(squares_of(find_info(slug)), letters)
    reader = FakeReader(noise)
    lines = [
        replay.see(reader(str(folder / photo["file"]), None, request)) for photo in truth["photos"]
    ]
    return truth, lines, replay.finish()["final"]


def wrong_photos(
    truth: Mapping[str, Any], lines: list[dict[str, Any]], final: Mapping[str, Any]
) -> list[str]:
    """Photographs whose tiles, take-backs, score or events are not as labelled."""
    sys.path.insert(0, str(SHARED / "tools"))
    try:
        from score_replay import key, square
        from score_rules import differs
    finally:
        sys.path.pop(0)
    slug = truth.get("game_slug", "scrabble")
    late = {Path(p["file"]).name: p for p in final["plays"]}
    out = []
    for photo, line in zip(truth["photos"], lines, strict=True):
        play = late.get(photo["file"]) or line.get("play") or {}
        want = {square(r, c, slug): key(ch) for r, c, ch in photo.get("new_tiles") or []}
        gone = {square(r, c, slug) for r, c, *_ in photo.get("removed_tiles") or []}
        got = {s: key(ch) for s, ch in (play.get("tiles") or {}).items()}
        fine = "pool" in photo or (want == got and gone in (set(), set(play.get("removed") or [])))
        if "pool" in photo:
            fine = "".join(sorted(photo["pool"])) == line["table"]["pool"]
        score = photo.get("score_computed")
        if want and score is not None and "pool" not in photo:
            fine = fine and play.get("turn_score") == score
        if photo.get("events"):
            kinds = {e["event"] for e in photo["events"]}
            have = [e for e in line["events"] if e["event"] in kinds]
            fine = fine and not differs(photo["events"], have, "events")
        if not fine:
            out.append(photo["file"])
    return out


@pytest.mark.parametrize("name", GAMES)
def test_every_photograph_of_a_game(name: str, tmp_path: Path) -> None:
    """With faultless readings every play, take-back, score and event comes out as labelled."""
    truth, lines, final = replayed(name, Noise(), tmp_path)

    assert wrong_photos(truth, lines, final) == []


def test_with_a_readers_mistakes(tmp_path: Path) -> None:
    """One letter in two hundred wrong at a glance: later photographs put nearly all right."""
    wrong = photos = 0
    for seed in (1, 2, 3):
        for name in ("photos/henningn_game01", "photos/henningn_game15"):
            truth, lines, final = replayed(name, Noise(wrong_letter=0.005, seed=seed), tmp_path)
            wrong += len(wrong_photos(truth, lines, final))
            photos += len(lines)

    assert wrong <= 0.02 * photos


def test_final_scores(tmp_path: Path) -> None:
    """The totals of a real game are those that its own players' program counted.

    That program stops before racks are counted; the tiles that are left, worth four, go from
    one player's score to the other's who is out (CL-16).
    """
    truth, _, final = replayed("photos/henningn_game15", Noise(), tmp_path)
    most, least = truth["final_scores_in_repo_tests"]

    assert sorted(final["scores"].values()) == [least - 4, most + 4]
