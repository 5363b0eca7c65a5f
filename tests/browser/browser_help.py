"""What the tests in a browser share: a server on a free port, tables, pages, camera films."""

from __future__ import annotations

import os
import re
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import uvicorn
from playwright.sync_api import Browser, Locator, Page, Playwright, expect

from kibitz.app.common.storage.tables import Storage
from kibitz.app.reading.frames import FrameReader
from kibitz.app.server.access.certificate import local_papers
from kibitz.app.server.access.security import RateLimit
from kibitz.app.server.app import create_app
from kibitz.app.server.session import Session
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Opened, Tables
from kibitz.engine.rules import Action, Refused
from tests.playthrough_tool import FOLDER as PLAYTHROUGHS
from tests.playthrough_tool import script_of

CHROMIUMS = (
    "/usr/bin/chromium-headless-shell",  # without what draws its own windows: a third less work
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
)
HOST = Actor("host")
PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1280, "height": 800}


def chromium_path() -> str | None:
    """The system's Chromium, if it has one; `KIBITZ_CHROMIUM` names another."""
    named = os.environ.get("KIBITZ_CHROMIUM")
    found = [named] if named else [p for p in CHROMIUMS if Path(p).is_file()]
    return found[0] if found else None


def launch(playwright: Playwright, *args: str) -> Browser:
    """The system's Chromium without a window."""
    # one process for all pages: starting one costs more than what a page does
    shared = ["--renderer-process-limit=1", "--disable-site-isolation-trials"]
    plain = ["--no-sandbox", "--disable-gpu"]
    return playwright.chromium.launch(
        executable_path=chromium_path(), args=[*plain, *shared, *args]
    )


@dataclass(eq=False)
class Served:
    """A running server.

    Attributes:
        address: where its pages are, `http://127.0.0.1:PORT`.
        session: its inside.
    """

    address: str
    session: Session

    def open_table(
        self,
        game: str,
        players: Sequence[str],
        settings: dict[str, Any] | None = None,
        initial: dict[str, Any] | None = None,
        tiles: str = "en",
    ) -> Opened:
        """A fresh table."""
        order = Order(game, tuple(players), settings or {}, tiles, "default", initial)
        opened = self.session.tables.create(order)
        self.session.listen(opened.table)
        return opened

    def played(self, name: str, steps: int | None = None) -> Opened:
        """A table at which a written playthrough was played, or its first steps."""
        header, actions = script_of((PLAYTHROUGHS / f"{name}.txt").read_text(encoding="utf-8"))
        opened = self.open_table(
            header["game"], header["players"], header.get("settings"), header.get("initial")
        )
        for action in actions[:steps]:
            do(opened, **action)
        return opened

    def page(self, opened: Opened, kind: str = "table", token: str | None = None) -> str:
        """The address of one of a table's pages, with the token that opens it."""
        return f"{self.address}/{kind}/{opened.table.id}#t={token or opened.host}"


def do(opened: Opened, **action: Any) -> bool:
    """Do something at a table as its host; whether the rules took it."""
    kind, player = action.pop("action"), action.pop("player", None)
    action.pop("at", None)
    return not isinstance(opened.table.act(Action(kind, player, None, action), HOST), Refused)


def under_board(page: Page, label: str) -> Locator:
    """The button under the board with this label, shown even if it lies behind "More"."""
    actions = page.locator("#actions")
    actions.locator("button").first.wait_for(state="attached")
    button = actions.get_by_role("button", name=label, exact=True, include_hidden=True)
    button.wait_for(state="attached")
    if not button.is_visible():
        actions.locator("summary").click()
    return button


@contextmanager
def serve(folder: Path, reader: FrameReader, *, https: bool = False) -> Iterator[Served]:
    """A server in a thread, closed at the end; with a certificate of its own, if asked for."""
    many = RateLimit(1e6, 10**6)
    session = Session(
        Tables(Storage(str(folder))), reader, open_to_all=True, calls=many, new_tables=many
    )
    listener = socket.create_server(("127.0.0.1", 0))
    papers = session.papers = local_papers(folder, ()) if https else None
    config = uvicorn.Config(
        create_app(session),
        log_level="warning",
        timeout_graceful_shutdown=2,
        ssl_keyfile=papers.key if papers else None,
        ssl_certfile=papers.chain if papers else None,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        scheme = "https" if https else "http"
        yield Served(f"{scheme}://127.0.0.1:{listener.getsockname()[1]}", session)
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


def film(pictures: Sequence[Path], into: Path, seconds_each: int = 3) -> Path:
    """Photographs as a film for the browser's fake camera, one frame a second.

    Args:
        pictures: photographs of one size, in order.
        into: the folder for the film.
        seconds_each: for how long each photograph is shown.
    """
    path = into / "camera.y4m"
    with path.open("wb") as out:
        for number, picture in enumerate(pictures):
            image = cv2.imread(str(picture))
            assert image is not None
            height, width = image.shape[:2]
            if number == 0:
                out.write(f"YUV4MPEG2 W{width} H{height} F1:1 Ip A1:1 C420jpeg\n".encode())
            planes = np.ascontiguousarray(cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420))
            for _ in range(seconds_each):
                out.write(b"FRAME\n" + planes.tobytes())
    return path


def filming_args(shown: Path) -> tuple[str, ...]:
    """What makes a browser take a film for its camera."""
    return (
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={shown}",
    )


def visit(page: Page, address: str) -> None:
    """Open a page of a table and wait until its state has come and all of it is drawn.

    What a page is loaded with holds nothing yet, so that whoever reads it at once may find it empty.
    """
    page.goto(address)
    expect(page.locator("main")).to_be_visible()


def words_on_sheet(page: Page) -> list[str]:
    """The main words of the score sheet, in order."""
    lines = page.locator("#sheet .play .word").all_inner_texts()
    return [found[0] for line in lines if (found := re.match(r"[A-Z?]+", line))]
