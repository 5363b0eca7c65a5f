"""Compares a photographed game at a live table with `kibitz replay`.

    python tests/measures/live_photos.py FOLDER…

Prints what each knows that the other does not.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from kibitz.app.common.storage.tables import Storage
from kibitz.app.face.opening import parse_setting, player_names
from kibitz.app.face.replaying import Replay, replay
from kibitz.app.observers.told import due_before, load_told
from kibitz.app.reading.frames import FrameReader
from kibitz.app.reading.request import game_slug
from kibitz.app.server.session import Session
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.engine.games import find_game
from kibitz.vision.frame import load_picture

HOST = Actor("host")
RATE = 10.0
SHOWN_SECONDS = 3.3
"""How long every photograph is shown: longer than tiles that are no play yet are waited for."""


@dataclass(frozen=True)
class Known:
    """Result of a game: plays in order, tiles, words in front of players, scores."""

    plays: tuple[str, ...]
    tiles: Mapping[str, str]
    claims: tuple[tuple[str, str], ...]
    scores: Mapping[str, int]


def facts_of(folder: Path) -> dict[str, Any]:
    """Facts of the game in a folder, with the options of a command line."""
    facts: dict[str, Any] = json.loads((folder / "game.json").read_text(encoding="utf-8"))
    given = facts.get("options") or []
    facts["given"] = dict(zip(given[::2], given[1::2], strict=True))
    facts["slug"] = game_slug(facts.get("game_slug", "scrabble"))
    facts["list"] = facts.get("lexicon", "none")
    return facts


def replayed(folder: Path) -> Known:
    """Result according to `kibitz replay`."""
    facts = facts_of(folder)
    given = facts["given"]
    return known_after(
        replay(
            [folder / p["file"] for p in facts["photos"]],
            facts["slug"],
            given.get("--players"),
            settings=dict([parse_setting(given["--set"])]) if "--set" in given else None,
            told=folder / facts["told"] if facts.get("told") else None,
            start=facts.get("initial"),
            lexicon=facts["list"],
            tiles=facts.get("language") or "en",
        )
    )


def known_after(game: Replay) -> Known:
    """Result according to a replay."""
    return known_of(game.final["plays"], game.final)


def filmed(folder: Path, place: Path) -> Known:
    """Result at a live table that was shown every photograph."""
    facts = facts_of(folder)
    given = facts["given"]
    settings = dict([parse_setting(given["--set"])]) if "--set" in given else {}
    names = player_names(given.get("--players"), find_game(facts["slug"]).info.players)
    language = facts.get("language") or "en"
    order = Order(facts["slug"], names, settings, language, facts["list"], facts.get("initial"))
    session = Session(Tables(Storage(str(place))), FrameReader())
    try:
        table = session.tables.create(order).table
        camera = session.camera(table)
        told = load_told(folder / facts["told"] if facts.get("told") else None)
        number = 0
        for photo in facts["photos"]:
            due, told = due_before(told, photo["file"])
            for item in due:
                table.act(item.action, HOST)
            picture, _ = load_picture(folder / photo["file"])
            for _ in range(round(SHOWN_SECONDS * RATE)):
                camera.take(picture, stream=True, at=number / RATE)
                number += 1
        for item in told:
            table.act(item.action, HOST)
        return known_of(table.history(), table.view(HOST))
    finally:
        session.close()


def known_of(plays: Sequence[Mapping[str, Any]], view: Mapping[str, Any]) -> Known:
    """Result of a game: who laid what in which order, for how many points."""
    tiles: dict[str, str] = {}
    told = []
    each = [one for play in plays for one in play.get("plays") or [play]]
    for play in each:
        laid = play.get("tiles") or {}
        tiles.update(laid)
        # a tile that a play taken off left lying counts as new for one and as old for the other
        words = [w["word"] if isinstance(w, Mapping) else w for w in play.get("words") or ()]
        if laid:
            told.append(f"{play.get('player')} {' '.join(words)} {play.get('turn_score')}")
    lying = view.get("words")
    owned = lying.items() if isinstance(lying, Mapping) else ()
    claims = tuple(sorted((str(p), str(w)) for p, words in owned for w in words))
    return Known(tuple(told), tiles, claims, dict(view.get("scores") or {}))


def differences(one: Known, two: Known, names: tuple[str, str] = ("replay", "live")) -> list[str]:
    """Differences between two results, as text."""
    out = []
    for name, a, b in ((names[0], one, two), (names[1], two, one)):
        out += [f"only {name}: {x}" for x in a.plays if x not in b.plays]
        out += [f"only {name}: {x}" for x in sorted(a.tiles.items() - b.tiles.items())]
        out += [f"only {name}: {x}" for x in a.claims if x not in b.claims]
    if not out and one.plays != two.plays:
        out.append(f"in another order: {names[0]} {one.plays}, {names[1]} {two.plays}")
    if one.scores != two.scores:
        out.append(f"scores: {names[0]} {one.scores}, {names[1]} {two.scores}")
    return out


def main() -> None:
    """Compare."""
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as place:
            one, two = replayed(Path(name)), filmed(Path(name), Path(place))
        facts = {"game": name, "plays": len(one.plays), "claims": len(one.claims)}
        wrong = differences(one, two)
        print(json.dumps({**facts, "same": not wrong}), *wrong, sep="\n  ", flush=True)


if __name__ == "__main__":
    main()
