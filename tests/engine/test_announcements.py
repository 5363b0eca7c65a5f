"""What is said: every event of the rulebook's section 7 has its sentence."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import find_game, games
from kibitz.engine.options import check_options
from kibitz.engine.rules import Action, Event, Refused, action_from_json
from tests.helpers.shared_data import SHARED

FOLDER = Path(__file__).resolve().parents[1] / "scenarios"
FILES = sorted(FOLDER.glob("*.json"))
ALL = "all of the games that are played on a board"

SAID = [
    ("scrabble", r"Ann plays SEA\.$"),
    ("scrabble", r"with PLANTS\.$"),
    ("scrabble", r"8 for PLANTS; 8\.$"),
    ("scrabble", r"8 for PLANTS; 208\.$"),  # the last play of CL-K10, before the racks count
    ("scrabble", r"All seven: fifty more\.$"),
    ("scrabble", r"PLANTS is good\.$"),
    ("scrabble", r"PLANTX comes off\.$"),
    ("scrabble", r"Ann is out\. Racks: plus \d+ for Ann, minus \d+ for Bob\.$"),
    ("scrabble", r"Bob wins, \d+ to \d+\.$"),
    ("scrabble", r"A draw, \d+ to \d+\.$"),
    ("scrabble", r"Bob loses a turn\.$"),
    ("scrabbleship", r"D on I seven, E on I eight\.$"),
    ("scrabbleship", r"I seven: miss\.$"),
    ("scrabbleship", r"I eight: hit on Bob!$"),
    ("scrabbleship", r"I eight: hit on Bob's submarine!$"),
    ("scrabbleship", r"I seven: that wreck is already down\.$"),
    ("scrabbleship", r"Bob: You sunk my submarine!$"),
    ("scrabbleship", r"Lay the strip from I eight to K eight\.$"),
    ("scrabbleship", r"Ann has sunk the own destroyer\.$"),
    ("scrabbleship", r"Minus ten\.$"),
    ("scrabbleship", r"-?\d+ points, -?\d+ ships?; total -?\d+ and -?\d+\.$"),
    ("scrabbleship", r"Ships are level; points decide: Bob\.$"),
    ("scrabbleship", r"Bob wins with -?\d+ ships?\.$"),
    ("frankenscrabbards", r"Ann plays ATE\.$"),
    ("frankenscrabbards", r"Word 10: ATE\.$"),
    ("frankenscrabbards", r"Star of board 1 covered, 8 to go\.$"),
    ("frankenscrabbards", r"Boards 4 and 5 are joined\.$"),
    ("frankenscrabbards", r"Bob is the Frank\.$"),
    ("frankenscrabbards", r"A record for 2 players\.$"),
    ("frankenscrabbards", r"Level with the record; the title moves to Ann\.$"),
    ("frankenscrabbards", r"The record stays at 28\.$"),
    ("frankenscrabbards", r"The attempt is abandoned"),
    ("grabscrab", r"[A-Z]\.$"),
    ("grabscrab", r"\w+: [A-Z]+\. \w+ flips next\.$"),
    ("grabscrab", r"[A-Z]+ of \w+ becomes [A-Z]+ for \w+!$"),
    ("scrabble-house", r"KEEL, DOCK, AE\.$"),
    ("scrabble-house", r"Explosion! 4 tiles off: ACCEPT\.$"),
    ("scrabble-house", r"Turn F eight, G eight, H eight, H nine\.$"),
    ("scrabble-house", r"[A-Z]+ (is no word, off it goes|and [A-Z]+ are no word, off they go)\.$"),
    ("scrabble-house", r"CA is no word but belongs to longer words; it stays\.$"),
    ("scrabble-house", r"\d+ tiles to Cyd\.$"),
    ("scrabble-house", r"Bonus tiles do not count; you may draw \d\.$"),
    ("scrabble-house", r"Ann is through! The house is \w+'s\.$"),
    ("scrabble-house", r"Bea is out of time\.$"),
    ("scrabbage", r"Bob pegs \d+: [A-Z]+ for two\.$"),
    ("scrabbage", r"Ann pegs \d+: [A-Z]+ for two, letter square two\.$"),
    ("scrabbage", r"Bob pegs 6: OF triple word six\.$"),
    ("scrabbage", r"VV was left unfinished by Bob\.$"),
    ("scrabbage", r"Bob is working on something\.$"),
    ("scrabbage", r"Nobody is working on a word\.$"),
    ("scrabbage", r"Go from Ann; one for Bob\.$"),
    ("scrabbage", r"Go from Ann\.$"),
    ("scrabbage", r"Last for Bob, one\.$"),
    ("scrabbage", r"Scrab for Ann: \d+\.$"),
    ("scrabbage", r"Bob pegs out at one hundred and twenty-one!$"),
    ("scrabbage", r"Too few tiles for a deal; Ann and Bob share the win with 80\.$"),
    (ALL, r"[A-Z]+ is not in the list\.$"),
    (ALL, r"That does not touch anything\.$"),
    (ALL, r"There is a gap in the line\.$"),
    ("scrabble", r"The first word must cross the star\.$"),
    ("grabscrab", r"[A-Z]+ has the same root as [A-Z]+\.$"),
    ("grabscrab", r"[A-Z]+ leaves letters of [A-Z]+ behind\.$"),
    ("grabscrab", r"No new letter\.$"),
    ("grabscrab", r"Four letters at least\.$"),
    ("grabscrab", r"Those tiles are not there\.$"),
]
"""Game and line, in the order of section 7; each is said in one of our own scenarios."""

MADE = [
    ("scrabbleship", "game_over", {"reason": "no_plays", "winner": None}, "All level. The judge"),
    (
        "scrabbleship",
        "_scored",
        {"player": "Ann", "score": 1, "count": 0, "total": 1},
        "1 point, total 1 and 0.",
    ),
    ("frankenscrabbards", "frank", {"player": "Ann", "changed": False}, "Ann stays the Frank."),
    ("frankenscrabbards", "final_frank", {"player": "Ann"}, "All nine joined in 0 words! Ann is"),
    (
        "grabscrab",
        "tie",
        {"returned": "R", "next_flipper": "Ann"},
        "Both at once; the R goes back",
    ),
    ("grabscrab", "tie", {"dismissed": ["RAIN"]}, "Both at once; those words are out."),
    ("grabscrab", "penalty", {"player": "Ann", "word": "RAIN"}, "Ann gives up RAIN."),
    (
        "grabscrab",
        "game_over",
        {"winner": ["Ann"], "words": {"Ann": 2}},
        "All turned. Ann wins wi",
    ),
    ("scrabble-house", "_objected", {"word": "XZ", "upheld": True, "winner": "Ann"}, "XZ is not"),
    ("scrabbage", "go_called", {"called_by": "Ann", "scored_by": None, "points": 0}, "Go from An"),
    ("scrabbage", "game_over", {"reason": "bag_short", "winner": ["Ann"]}, "Too few tiles for a"),
]


@cache
def lines_of(slug):
    """Everything said in our own scenarios of a game, and every refusal's message."""
    said = []
    for path in FILES:
        for scenario in json.loads(path.read_text(encoding="utf-8"))["scenarios"]:
            game = find_game(scenario["game"])
            if slug not in (game.info.slug, ALL):
                continue
            options = check_options(game.info, scenario.get("settings") or {})
            materials = make_materials("default", "en", options)
            players = tuple(scenario["players"])
            state = game.begin(players, options, materials, scenario.get("initial"))
            for step in scenario["steps"]:
                action = action_from_json(step["do"])
                window = "open" if step["expect"].get("pending_challenge") else "closed"
                data = {**action.data, "window": window}
                action = Action(action.kind, action.player, action.at, data)
                verdict = game.decide(state, action)
                if isinstance(verdict, Refused):
                    said.append(verdict.message)
                    continue
                for event in verdict.events:
                    state = game.evolve(state, event)
                    said += game.announce(state, event)
    return said


@pytest.mark.parametrize(("slug", "line"), SAID)
def test_line(slug, line):
    """The sentence is said when its event happens."""
    assert [] != [x for x in lines_of(slug) if re.match(line, x)]


@pytest.mark.parametrize(("slug", "kind", "data", "line"), MADE)
def test_line_of_a_rare_event(slug, kind, data, line):
    """The sentence of an event that our scenarios do not have."""
    game = find_game(slug)
    options = check_options(game.info, {})
    state = game.begin(("Ann", "Bob"), options, make_materials("default", "en", options))

    assert " ".join(game.announce(state, Event(kind, data))).startswith(line)


@pytest.mark.parametrize("slug", [g.info.slug for g in games()])
def test_lines_are_short_sentences(slug):
    """Every line can be said in a few seconds."""
    lines = lines_of(slug)

    assert [] == [x for x in lines if len(x) > 110 or not x.endswith((".", "!", "?"))]


def test_a_plain_hit_names_no_ship():
    """The kind of ship is a secret unless that was agreed on."""
    hits = [x for x in lines_of("scrabbleship") if ": hit on " in x]

    assert {"Ann!", "Bob!", "Dan!", "Dee!", "Bob's submarine!"} == {
        x.split("hit on ")[1] for x in hits
    }


@pytest.mark.skipif(not SHARED.is_dir(), reason=f"the rulebook is not at {SHARED}")
def test_no_row_of_the_table_is_missing():
    """Each game of section 7 has lines here for each of its rows."""
    section = (SHARED / "RULES.md").read_text(encoding="utf-8").split("## 7 ")[1].split("## 8")[0]
    rows = [x.split("|")[1].strip() for x in section.splitlines() if x.startswith("| ")]
    short = {"classic": "scrabble", "SS": "scrabbleship", "FS": "frankenscrabbards"}
    short |= {"GS": "grabscrab", "SH": "scrabble-house", "SB": "scrabbage", "all": ALL}
    wanted = {short[game]: rows.count(game) for game in rows if game in short}
    have = [slug for slug, *_ in (*SAID, *MADE)]

    assert set(wanted) == set(have)
    # The row of a disturbed board is the camera's, not the rules'.
    assert {} == {g: n for g, n in wanted.items() if have.count(g) < n - (g == ALL)}
