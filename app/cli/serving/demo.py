"""`kibitz demo`: plays a photographed game on the live page as if a camera saw it."""

from __future__ import annotations

import json
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from fastapi import APIRouter, Request

from kibitz.app.cameras.reopening import Shot
from kibitz.app.cli.options import Game
from kibitz.app.cli.serving.place import listen, run
from kibitz.app.common.errors import CommandError
from kibitz.app.common.limits import WAITS
from kibitz.app.common.logs import start_logs
from kibitz.app.common.materials.named import DATA
from kibitz.app.common.storage.tables import Storage
from kibitz.app.common.terminal import print_result, show_progress
from kibitz.app.languages.catalogues import language_of_server
from kibitz.app.observers.told import ToldAction, due_before, load_told
from kibitz.app.reading.frames import FrameReader
from kibitz.app.server.app import create_app
from kibitz.app.server.background.feeds import CameraFeed
from kibitz.app.server.errors import ApiError
from kibitz.app.server.routes.common import errors, need_server_host
from kibitz.app.server.session import Session
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import HOST
from kibitz.app.tables.registry import Opened, Tables
from kibitz.app.wire.answers import Document
from kibitz.engine.games import DEFAULT_GAME
from kibitz.engine.phrases import phrase
from kibitz.engine.rules import Refused

DEMOS = DATA / "demo"


@dataclass(frozen=True, slots=True)
class DemoGame:
    """A bundled photographed game."""

    slug: str
    players: tuple[str, ...]
    settings: Mapping[str, Any]
    tiles: str
    lexicon: str
    photos: tuple[Path, ...]
    told: tuple[ToldAction, ...]
    initial: Mapping[str, Any] | None = None


def load_demo(folder: Path) -> DemoGame:
    """The game in a folder: facts, photographs, and told actions.

    Raises:
        CommandError: the folder holds no such game.
    """
    try:
        facts = json.loads((folder / "game.json").read_text(encoding="utf-8"))
        told = tuple(load_told(folder / str(facts["told"]))) if facts.get("told") else ()
        return DemoGame(
            slug=str(facts["game_slug"]),
            players=tuple(str(p) for p in facts["players"]),
            settings=dict(facts.get("settings") or {}),
            tiles=str(facts.get("language", "en")),
            lexicon=str(facts.get("lexicon", "default")),
            photos=tuple(folder / str(p["file"]) for p in facts["photos"]),
            told=told,
            initial=facts.get("initial"),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CommandError(f"{folder} holds no demonstration game: {error}") from error


def bundled(game: str) -> DemoGame:
    """The bundled game with a slug.

    Raises:
        CommandError: none is bundled; the message lists those there are.
    """
    folder = DEMOS / game
    if not (folder / "game.json").is_file():
        known = ", ".join(sorted(p.parent.name for p in DEMOS.glob("*/game.json")))
        raise CommandError(f"no demonstration of {game!r} is bundled; there are: {known}")
    return load_demo(folder)


class DemoPlayer:
    """A source that shows the photographs of a game to a table's camera."""

    def __init__(self, session: Session, game: DemoGame, seconds: float = WAITS.shown_s) -> None:
        self._session = session
        self._game = game
        self._seconds = seconds
        self._feed: CameraFeed | None = None
        self.opened: Opened | None = None

    def open_table(self) -> Opened:
        """Open a new table for the game."""
        game = self._game
        order = Order(
            game.slug, game.players, game.settings, game.tiles, game.lexicon, game.initial
        )
        opened = self._session.tables.create(order)
        self._session.listen(opened.table)
        self.opened = opened
        return opened

    def start(self) -> None:
        """Play the game at the newest table, in a thread of its own."""
        self.stop()
        if self.opened is not None:
            self._feed = CameraFeed(self._session, self.opened.table, self)
            self._feed.start()

    def stop(self) -> None:
        """Stop playing."""
        if self._feed is not None:
            self._feed.stop()
            self._feed = None

    def frames(self, stop: threading.Event) -> Iterator[Shot | str]:
        """Wait for a page, then yield the photographs and make the told actions between."""
        opened, later = self.opened, list(self._game.told)
        if opened is None:
            return
        self._wait_for_page(opened, stop)
        for photo in self._game.photos:
            due, later = due_before(later, photo.name)
            self._tell(opened, due, stop)
            try:
                yield Shot(photo.read_bytes(), still=True)
            except OSError as error:
                yield f"{photo.name} could not be shown: {error}"
            stop.wait(self._seconds)
        self._tell(opened, later, stop)

    def _wait_for_page(self, opened: Opened, stop: threading.Event) -> None:
        """Wait until somebody watches, but not for ever."""
        ended = time.monotonic() + WAITS.soon_s
        while time.monotonic() < ended:
            watched = self._session.hub.watching(opened.table.id)
            if watched or stop.wait(WAITS.moment_s):
                return

    def _tell(self, opened: Opened, due: Sequence[ToldAction], stop: threading.Event) -> None:
        for item in due:
            outcome = opened.table.act(item.action, HOST)
            if isinstance(outcome, Refused):
                show_progress(phrase("told, but not possible: {problem}", problem=outcome.message))
            stop.wait(self._seconds)


def demo_routes(session: Session, player: DemoPlayer) -> APIRouter:
    """HTTP calls of a demonstration."""
    router = APIRouter(prefix="/api/demo", tags=["demo"])

    def links() -> dict[str, str]:
        opened = player.opened
        if opened is None:
            raise ApiError(404, "not_found", "No demonstration is being played.")
        return {"table": opened.table.id, "host_token": opened.host}

    @router.get("", response_model=Document, responses=errors(401, 403, 404))
    def demo(request: Request) -> dict[str, str]:
        """Address of the table with the demonstration."""
        need_server_host(session, request)
        return links()

    @router.post("/again", response_model=Document, status_code=201, responses=errors(401, 403))
    def again(request: Request) -> dict[str, str]:
        """Play the demonstration again from the beginning, at a new table."""
        need_server_host(session, request)
        player.stop()
        player.open_table()
        player.start()
        return links()

    return router


def command(
    *,
    game: Game = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: a free one.")] = 0,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open the page in a browser.")
    ] = False,
) -> int:
    """Play a bundled photographed game as if a camera saw it, on a page of your own machine.

    Example: kibitz demo --no-browser --port 8123
    """
    from kibitz.app.reading.request import game_slug

    chosen = bundled(game_slug(game or DEFAULT_GAME))
    with tempfile.TemporaryDirectory(prefix="kibitz-demo-") as folder:
        session = Session(
            Tables(Storage(folder)), FrameReader(), demo=True, language=language_of_server()
        )
        player = DemoPlayer(session, chosen)
        try:
            opened = player.open_table()
            place = listen("127.0.0.1", port)
            link = f"{place.address}/table/{opened.table.id}#t={opened.host}"
            print_result(f"Kibitz shows a game at {link}")
            show_progress(phrase("Ctrl-C stops it."))
            app = create_app(session)
            app.include_router(demo_routes(session, player))
            page = None if no_browser else link
            start_logs()
            return run(app, place, on_start=player.start, open_page=page, gate=session.gate)
        finally:
            player.stop()
            session.close()
