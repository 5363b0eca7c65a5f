"""A game in one folder is played by rules, replay, live table and page, and Kibitz is unchanged."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, Page, expect

import kibitz
from kibitz.app.cameras.settling import RestRule
from kibitz.app.cli.main import main
from kibitz.app.common.errors import UsageError
from kibitz.app.common.materials.named import make_materials
from kibitz.app.common.materials.own_games import games_with, load_rules
from kibitz.app.common.storage.tables import Storage
from kibitz.app.reading.frames import FrameReader
from kibitz.app.server.app import create_app
from kibitz.app.server.session import Session
from kibitz.app.tables.orders import Order
from kibitz.app.tables.registry import Tables
from kibitz.engine.games import GAMES, Games
from kibitz.engine.rules import Options
from kibitz.engine.scenarios import run_scenario
from tests.app.server_help import ReadsBarcodes, act, board, new_table, see, state
from tests.browser.browser_help import Served, chromium_path, serve, visit
from tests.filming.story import shots_of
from tests.filming.tables import BoardTable, View
from tests.helpers.shared_data import ROOT
from tests.seventh_game.rules import GAME

HERE = Path(__file__).parent
NAME = "tests.seventh_game.rules:GAME"
WITH_IT = GAMES.with_games(GAME)
STORY: dict[str, Any] = json.loads((HERE / "story.json").read_text(encoding="utf-8"))
SCENARIOS = json.loads((HERE / "scenarios.json").read_text(encoding="utf-8"))["scenarios"]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
SAID = [
    "Ann plays GARDEN for 36; 36.",
    "Bob plays NEST for 16; 16.",
    "Ann plays TREES for 25; 61.",
    "Ann wins.",
]


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The photographs of a short game, drawn."""
    folder = tmp_path_factory.mktemp("photos")
    table = BoardTable(View(**STORY["picture"]), 15)
    for number, shot in enumerate(shots_of(STORY)):
        name = STORY["photos"][number]["file"]
        cv2.imwrite(str(folder / name), table.photograph(shot, number))
    return folder


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s["id"].split(":")[0])
def test_its_scenarios_hold(scenario: dict[str, Any]) -> None:
    """The runner of scenarios plays a game that it is given."""

    def materials(options: Options) -> Any:
        return make_materials(str(options["lexicon"]), "en", options)

    played = run_scenario(scenario, materials, WITH_IT)

    assert [] == played.get("differences", [])


def test_the_command_plays_its_scenarios(capsys: pytest.CaptureFixture[str]) -> None:
    """`kibitz rules --game MODULE:NAME` knows a game that a user brings."""
    with pytest.raises(SystemExit) as left:
        main(["rules", str(HERE / "scenarios.json"), "--json", "--game", NAME])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    assert left.value.code == 0
    assert [(s["id"], True) for s in SCENARIOS] == [(x["id"], x["ok"]) for x in lines]


def test_photographs_of_it_are_replayed(photos: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Pictures go in; its plays, points and announcements come out."""
    with pytest.raises(SystemExit) as left:
        main(["replay", str(photos), "--game", NAME, "--players", "Ann,Bob", "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    assert 0 == left.value.code
    assert SAID == [text for line in lines for text in line.get("say", ())]
    assert {"Ann": 61, "Bob": 16} == lines[-1]["final"]["scores"]


def test_a_program_plays_it() -> None:
    """The public face takes rules in place of a name."""
    game = kibitz.Game(GAME, ["Ann", "Bob"], lw_goal=10)
    game.act("place", "Ann", tiles={"H7": "A", "H8": "T"})
    game.act("place", "Bob", tiles={"H6": "B", "H9": "S"})

    assert ({"Ann": 4, "Bob": 16}, True) == (game.scores, game.over)


def test_a_live_table_of_it_is_kept(tmp_path: Path) -> None:
    """A camera's frames become plays, and a new server takes the kept table up again."""

    def session() -> Session:
        tables = Tables(Storage(str(tmp_path)), games=WITH_IT)
        rest = RestRule(rest_s=0.0, doubtful_s=0.0, again_s=0.0)
        return Session(tables, FrameReader(ReadsBarcodes), rest=rest, open_to_all=True)

    with TestClient(create_app(session())) as client:
        made = new_table(client, "long-words")
        for _ in range(3):
            see(client, made, board(H5="GARDEN"))
        act(client, made, {"action": "pass", "player": "Bob"})
    with TestClient(create_app(session())) as client:
        kept = state(client, made, made["host_token"]).json()

    assert {"Ann": 36, "Bob": 0} == kept["view"]["scores"]
    assert "Ann" == kept["view"]["to_move"]
    assert [SAID[0], "Bob passes."] == [text for one in kept["said"] for text in one["lines"]]


def test_a_kept_table_needs_its_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without them the commands say which game is missing; named, they write what was played."""
    tables = Tables(Storage(str(tmp_path)), games=WITH_IT)
    made = tables.create(Order("long-words", ("Ann", "Bob")))
    tables.close()
    told = []
    for command in ("export", "replay"):
        for more in ((), ("--game", NAME)):
            with pytest.raises(SystemExit) as left:
                main([command, made.table.id, "--data", str(tmp_path), *more])
            shown = capsys.readouterr()
            told.append((left.value.code, "there is no game 'long-words'" in shown.err))

    assert [(1, True), (0, False)] * 2 == told


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A server whose tables may be of this game."""
    with serve(tmp_path, FrameReader()) as running:
        tables = running.session.tables
        tables.offer = replace(tables.offer, games=WITH_IT)
        yield running


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of the system's Chromium."""
    fresh = browser.new_page()
    yield fresh
    fresh.close()


@pytest.mark.browser
@pytest.mark.skipif(
    chromium_path() is None and os.environ.get("KIBITZ_REQUIRE_ALL") != "1",
    reason="no Chromium on this machine (apt-get install chromium-headless-shell)",
)
def test_its_table_is_set_up_and_played_on_the_page(page: Page, served: Served) -> None:
    """The first page offers it; a play is typed, a turn passed by its own button."""
    page.goto(served.address + "/")
    page.get_by_label("Long Words").check()
    expect(page.get_by_text("A word counts its length times itself.")).to_be_visible()
    page.get_by_label("Name of player 1").fill("Ann")
    page.get_by_label("Name of player 2").fill("Bob")
    page.get_by_role("button", name="Open the table").click()
    page.get_by_role("link", name="To the table").click()
    expect(page.locator("#title")).to_have_text("Long Words · Ann, Bob")
    visit(page, page.url)

    page.locator("svg.board").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Word, with the letters").fill("GARDEN")
    page.keyboard.press("Enter")
    expect(page.locator("#headline")).to_contain_text("Ann plays GARDEN for 36; 36.")
    page.locator("#actions").get_by_role("button", name="Pass").click()
    page.get_by_role("dialog").get_by_role("button", name="Pass").click()

    expect(page.locator("#headline")).to_contain_text("Bob passes.")
    assert ["36", "0"] == page.locator("#players .score").all_inner_texts()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("nothing_there:GAME", "cannot be loaded: No module named 'nothing_there'"),
        (":GAME", "expected MODULE:NAME"),
        ("tests.seventh_game.rules:NAME", "has no `info: GameInfo`"),
        ("tests.seventh_game.test_long_words:HALF", "lacks begin, interpret, decide"),
    ],
)
def test_what_is_no_game_is_told(given: str, says: str) -> None:
    """A wrong name says what was expected and what came."""
    with pytest.raises(UsageError, match=re.escape(says)):
        load_rules(given)


class HALF:
    """A game of which only the facts are written."""

    info = GAME.info


def test_a_game_has_a_name_of_its_own() -> None:
    """The same game may be named twice; another of its name is refused."""

    class Twin:
        info = GAME.info

    assert (GAME,) == games_with(NAME, "scrabble", GAME).more
    assert ("long-words" in {i.slug for i in Games().infos}) is False
    with pytest.raises(ValueError, match="there is a game 'long-words' already"):
        WITH_IT.with_games(Twin())  # type: ignore[arg-type]


def test_the_page_about_it_quotes_this_folder() -> None:
    """Every piece of code on the page stands so in a file of this folder."""
    files = "\n".join(p.read_text(encoding="utf-8") for p in sorted(HERE.glob("*.py")))
    files += (HERE / "scenarios.json").read_text(encoding="utf-8")
    pieces = re.findall(r"```(?:python|json)\n(.*?)```", PAGE, re.DOTALL)

    assert 6 <= len(pieces)
    assert [] == [piece for piece in pieces if piece not in files]


def test_the_commands_on_the_page_run(
    photos: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In a folder that holds only the game and its photographs each command does what it says."""
    shutil.copytree(photos, tmp_path / "photos")
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^kibitz (replay .*)$", PAGE, re.MULTILINE)
    codes = []
    for command in commands:
        with pytest.raises(SystemExit) as left:
            main(command.split())
        codes.append(left.value.code)

    assert [0] * 2 == codes
    assert SAID[0] in capsys.readouterr().out
    assert "Long Words" in (tmp_path / "game.html").read_text(encoding="utf-8")
