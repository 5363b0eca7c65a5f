"""Pictures of every page at several widths, to be looked at by people.

python -m tests.browser.screenshots FOLDER [--only NAME,NAME] [--widths 390,1280,1920] [--dark]
python -m tests.browser.screenshots docs/pictures --bundled
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

import kibitz
from kibitz.app.cli.serving.demo import DEMOS, DemoPlayer, bundled
from kibitz.app.reading.frames import FrameReader
from kibitz.app.server.background.feeds import CameraFeed
from kibitz.app.tables.registry import Opened
from tests.browser.browser_help import Served, do, film, filming_args, launch, serve

DOCUMENTED = Path(__file__).parents[2] / "docs" / "pictures"
HEIGHTS = {320: 640, 390: 844, 1280: 800, 1920: 1080, 3840: 2160}


@dataclass(frozen=True, slots=True)
class Shot:
    """One page to be pictured: its name, its address, what is clicked before, which part of it."""

    name: str
    address: str
    before: Callable[[Page], None] | None = None
    dark: bool = False
    part: str | None = None


def filmed(served: Served, photos: int = 12) -> Opened:
    """The bundled Scrabble game, seen so far."""
    facts = json.loads((DEMOS / "scrabble" / "game.json").read_text(encoding="utf-8"))
    opened = served.open_table("scrabble", facts["players"], facts["settings"])
    camera = served.session.camera(opened.table)
    for photo in facts["photos"][:photos]:
        camera.take((DEMOS / "scrabble" / photo["file"]).read_bytes(), stream=False)
    return opened


def shots(served: Served) -> list[Shot]:
    """Every page of the product, in positions that show something."""
    game, asked = filmed(served), filmed(served, 10)
    ships = served.played("scrabbleship_hits")
    empty_ships = served.open_table("scrabbleship", ["Ann", "Bob"])
    wrecks = served.played("scrabbleship_hits")
    do(wrecks, action="no_plays")
    house = served.played("scrabble_house_explosion", 2)
    four = served.open_table("scrabble-house", ["South", "West", "North", "East"])
    frank = served.played("frankenscrabbards_join")
    grab = served.played("grabscrab_penalty", 8)
    cribbage = served.played("scrabbage_hand", 5)
    fresh, filming = (served.open_table("scrabble", ["Ann", "Bob"]) for _ in range(2))
    done = served.played("scrabble_challenge")
    do(done, action="racks", racks={"Ann": ["Q"], "Bob": []})
    do(done, action="end_game", out="Bob")

    def seat(opened: Opened, player: str) -> str:
        return served.page(opened, "seat", opened.seats[player])

    return [
        Shot("home", served.address + "/"),
        Shot("home-rules", served.address + "/", lambda p: p.locator("summary").click()),
        Shot("table", served.page(game)),
        Shot("table-dark", served.page(game), dark=True),
        Shot("table-asks", served.page(asked)),
        Shot("table-invite", served.page(game), click("Invite")),
        Shot("table-voice", served.page(game), click("Voice off")),
        Shot("table-end", served.page(game), click("End the game")),
        Shot("table-over", served.page(done)),
        Shot("table-watch", served.page(game, "table", game.watch)),
        Shot("ships", served.page(ships)),
        Shot("ships-empty", served.page(empty_ships)),
        Shot("ships-over", served.page(wrecks)),
        Shot("house", served.page(house)),
        Shot("house-four", served.page(four)),
        Shot("frank", served.page(frank)),
        Shot("grab", served.page(grab)),
        Shot("grab-claim", served.page(grab), click("Claim a word")),
        Shot("cribbage", served.page(cribbage)),
        Shot("seat-fleet", seat(empty_ships, "Ann")),
        Shot("seat-ships", seat(ships, "Ann")),
        Shot("seat-house", seat(house, "South")),
        Shot("seat-grab", seat(grab, "Bob")),
        Shot("seat-cribbage", seat(cribbage, "Bob")),
        Shot("seat-scrabble", seat(game, "Ann")),
        Shot("seat-frank", seat(frank, "Bob")),
        Shot("camera", served.page(game, "camera", game.camera)),
        Shot(
            "camera-on", served.page(filming, "camera", filming.camera), films("Start the camera")
        ),
        Shot("table-here", served.page(fresh), films("This device")),
        Shot("setup", served.page(game, "setup")),
        Shot("setup-new", served.page(empty_ships, "setup")),
        Shot("cameras", served.address + "/cameras"),
        Shot("history", served.page(game, "history")),
        Shot("history-frank", served.page(frank, "history")),
        Shot("table-corners", served.page(game), click("Corners")),
        Shot("table-nocam", served.page(empty_ships)),
        Shot("screen", many_eyes(served, game, "screen")),
        Shot("screen-dark", many_eyes(served, game, "screen"), dark=True),
        Shot("screen-house", many_eyes(served, four, "screen")),
        Shot("screen-grab", many_eyes(served, grab, "screen")),
        Shot("screen-frank", many_eyes(served, frank, "screen")),
        Shot("overlay", many_eyes(served, game, "overlay")),
        Shot("overlay-grab", many_eyes(served, grab, "overlay")),
        Shot("trust", served.address + "/trust"),
        Shot("fame", served.address + "/fame"),
        Shot("docs", served.address + "/docs"),
        Shot("closed", served.address + f"/table/{game.table.id}x"),
    ]


SHOWN = {
    "scrabble": 10,
    "scrabbleship": 6,
    "frankenscrabbards": 5,
    "grabscrab": 6,
    "scrabble-house": 5,
    "scrabbage": 11,
}
"""How many photographs of each bundled game have been seen in its picture in the documents."""


def bundled_shots(served: Served, folder: Path) -> list[Shot]:
    """The table page of each bundled game in its middle, and the archive of them in a folder."""
    out = []
    for slug, count in SHOWN.items():
        game = bundled(slug)
        photos = game.photos[:count]
        names = {photo.name for photo in photos}
        told = tuple(t for t in game.told if t.before in names)
        player = DemoPlayer(served.session, replace(game, photos=photos, told=told), seconds=0.0)
        opened = player.open_table()
        CameraFeed(served.session, opened.table, player).run()
        out.append(Shot(slug, served.page(opened)))
    game = filmed(served, 10)
    kibitz.archive(DEMOS, folder)
    return [
        *out,
        Shot("archive", (folder / "index.html").as_uri()),
        best_plays(served),
        *lessons(served),
        Shot("set-up", served.page(game, "setup")),
        Shot("overlay", many_eyes(served, game, OVERLAY)),
        Shot("correction", served.page(game), correct, part="dialog"),
    ]


OVERLAY = "overlay&board=left,40&camera=bottom-right,25&scores=top-right&play=bottom-left,70"
"""The example of docs/broadcast.md."""


def correct(page: Page) -> None:
    """Open the dialog of the tile in the middle of the board."""
    page.locator("svg.board").focus()
    page.keyboard.press("Enter")
    page.get_by_role("group", name="The likeliest letters").wait_for()


def lessons(served: Served) -> list[Shot]:
    """The step in which a Russian set is taught: how it is laid out, and what was learnt."""
    opened = served.open_table("scrabble", ["Ann", "Bob"], tiles="ru")
    photo = (DOCUMENTED / "own-tiles.jpg").read_bytes()
    served.session.camera(opened.table).take(photo, stream=False)

    lay = click("Teach the tiles")

    def learn(page: Page) -> None:
        lay(page)
        page.get_by_role("button", name="Learn these tiles").click()
        page.locator(".learnt").wait_for(timeout=120_000)

    page = served.page(opened, "setup")
    return [
        Shot("teach-tiles", page, lay, part="#teach-step"),
        Shot("taught-tiles", page, learn, part="#teach-step"),
    ]


def best_plays(served: Served) -> Shot:
    """The list of best plays of the bundled game of Scrabble, finished."""
    player = DemoPlayer(served.session, bundled("scrabble"), seconds=0.0)
    opened = player.open_table()
    CameraFeed(served.session, opened.table, player).run()
    do(opened, action="racks", racks={"Ann": ["Q"], "Bob": []})
    do(opened, action="end_game", out="Bob")

    def look(page: Page) -> None:
        click("Best plays")(page)
        page.locator(".best-plays").wait_for()

    return Shot("best-plays", served.page(opened, "history"), look, part="#best")


def many_eyes(served: Served, opened: Opened, view: str) -> str:
    """The address of a table's page for a hall or a stream."""
    return f"{served.address}/table/{opened.table.id}?view={view}#t={opened.watch}"


def click(name: str) -> Callable[[Page], None]:
    """Press the button of this name."""
    return lambda page: page.get_by_role("button", name=name, exact=True).first.click()


def films(name: str) -> Callable[[Page], None]:
    """Start the camera with this button and wait until the board was found."""

    def start(page: Page) -> None:
        page.get_by_role("button", name=name).first.click()
        page.get_by_text("The view is good.").first.wait_for()

    return start


def take(browser: Browser, shot: Shot, width: int, folder: Path, name: str) -> Path:
    """One picture of the whole page."""
    scheme = "dark" if shot.dark else "light"
    size = {"width": width, "height": HEIGHTS.get(width, 800)}
    context = browser.new_context(viewport=size, color_scheme=scheme, permissions=["camera"])  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(shot.address)
    page.wait_for_timeout(900)
    page.wait_for_function("[...document.images].every((image) => image.complete)")
    if shot.before is not None:
        try:
            shot.before(page)
        except Exception as error:  # noqa: BLE001 - a picture less is no reason to stop
            print(f"{shot.name}: {error}")
        page.wait_for_timeout(500)
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    if wide:
        print(f"{shot.name} at {width}: wider than the window")
    path = folder / f"{name}.png"
    if shot.part is not None:
        page.locator(shot.part).screenshot(path=path)
    else:
        page.screenshot(path=path, full_page=shot.before is None)
    context.close()
    return path


def shrink(picture: Path) -> None:
    """Give a picture the 256 colours nearest to its own, which is a third of the bytes."""
    with Image.open(picture) as image:
        few = image.convert("RGB").quantize(256, method=Image.Quantize.MAXCOVERAGE, kmeans=4)
    few.save(picture, optimize=True)


def main() -> None:
    """Take them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--widths")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument(
        "--bundled", action="store_true", help="the bundled games, for the documents"
    )
    args = parser.parse_args()
    widths = args.widths or ("1280" if args.bundled else "390,1280,1920")
    args.folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        serve(Path(data), FrameReader()) as served,
        sync_playwright() as playwright,
    ):
        shown = film([DEMOS / "scrabble" / "05.jpg"], Path(data))
        browser = launch(playwright, *filming_args(shown))
        shown_in_docs = args.bundled and bundled_shots(served, Path(data) / "archive")
        for shot in shown_in_docs or shots(served):
            for width in map(int, widths.split(",")):
                if shot.name.startswith(tuple(args.only.split(","))):
                    wanted = replace(shot, dark=shot.dark or args.dark)
                    name = shot.name if args.bundled else f"{shot.name}-{width}"
                    path = take(browser, wanted, width, args.folder, name)
                    if args.bundled:
                        shrink(path)
        browser.close()


if __name__ == "__main__":
    main()
