"""The pages of an archive in a browser: boards, search, statistics, on a phone and a laptop."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from kibitz.app.archive.kept import KeptGame
from kibitz.app.archive.pages import Pages
from kibitz.app.archive.statistics import Statistics
from tests.app.archive.test_statistics import failed, kept
from tests.browser.browser_help import PHONE
from tests.browser.pages.test_accessible import SMALLEST, faults

WIDE = {"width": 1400, "height": 900}


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with games of two kinds, a failed one, and times."""
    out = tmp_path_factory.mktemp("archive-pages")
    (out / "work").mkdir()
    table = {"pool": "EOPS", "face_down": 12, "words": {"Ann": ["STOP"], "Bob": []}}
    loose = kept("club/grab", title="Loose tiles", game="grabscrab", tiles=[])
    loose.document["final"].update(board=None, table=table)
    games: list[KeptGame] = [kept(f"night {n}") for n in range(4)]
    games += [loose, failed(), kept("last", title="A title of its own", players=["Cyd", "Dan"])]
    statistics = Statistics()
    with Pages(out, out / "work", len(games)) as pages:
        for game in games:
            statistics.add(game)
            pages.add(game)
        pages.finish(statistics)
    return out / "index.html"


def test_boards_are_drawn_when_they_come_into_view(page: Page, archive: Path) -> None:
    """Tiles, a blank in its colour, and a loose table."""
    page.goto(archive.as_uri())
    first = page.locator(".game").first

    expect(first.locator(".tile")).to_have_count(6)
    expect(first.locator(".tile.blank")).to_have_text("E")
    expect(first.get_by_role("img")).to_have_accessible_name("The board at the end: night 0")
    axis = first.locator(".axis").all_inner_texts()
    assert [["A", "B"], ["1", "2"]] == [axis[1:3], axis[16:18]]  # as clubs name Scrabble's squares
    page.locator(".game", has_text="Loose tiles").scroll_into_view_if_needed()
    expect(page.locator(".board.loose")).to_contain_text("Face down: 12")


def test_a_game_that_failed_says_why(page: Page, archive: Path) -> None:
    """In its own place among the others."""
    page.goto(archive.as_uri())

    expect(page.locator(".game.failed")).to_contain_text("This game could not be replayed.")


@pytest.mark.parametrize(
    ("typed", "count", "names"),
    [
        ("", "", []),
        ("cyd", "1 game", ["A title of its own"]),
        ("garden ann", "5 games", ["night 0", "night 1", "night 2", "night 3", "Loose tiles"]),
        ("zzz", "0 games", []),
    ],
)
def test_search(page: Page, archive: Path, typed: str, count: str, names: list[str]) -> None:
    """Names, players and words; several parts narrow it down."""
    page.goto(archive.as_uri())
    page.get_by_label("Find games").fill(typed)

    expect(page.locator("#told")).to_have_text(count)
    expect(page.locator("#hits b")).to_have_text(names)


def test_a_hit_leads_to_its_game(page: Page, archive: Path) -> None:
    """Whatever the game is called."""
    page.goto(archive.as_uri())
    page.get_by_label("Find games").fill("loose")
    page.locator("#hits a").click()

    expect(page.locator(".game:target > h2")).to_have_text("Loose tiles")


def test_light_and_dark(page: Page, archive: Path) -> None:
    """The button changes the page's colours."""
    page.goto(archive.as_uri())

    def paper() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    before = paper()
    page.get_by_role("button", name="Light / dark").click()

    assert before != paper()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, WIDE, SMALLEST], ids=["phone", "wide", "smallest"])
def test_no_serious_faults_and_no_scrolling_sideways(
    browser: Browser, archive: Path, size: object, scheme: object
) -> None:
    """On each size, in each scheme, with something found."""
    context: BrowserContext = browser.new_context(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(archive.as_uri())
    page.get_by_label("Find games").fill("garden")
    expect(page.locator("#hits a").first).to_be_visible()
    found = faults(page)
    width = page.evaluate("document.documentElement.scrollWidth")
    context.close()

    assert ([], []) == (found, said)
    assert width <= size["width"]  # type: ignore[index]
