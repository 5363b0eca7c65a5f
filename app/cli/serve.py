"""`kibitz serve`: the server with its tables, cameras and pages."""

from __future__ import annotations

import io
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import segno
import typer
import uvicorn
from fastapi import FastAPI

from kibitz.app.cameras.sources import open_source
from kibitz.app.cli.options import Calibration, Data, Game, Lexicon, Settings, Tiles
from kibitz.app.cli.serve_hall import join_hall
from kibitz.app.cli.serve_tables import (
    Files,
    TablePlan,
    check_planned,
    open_planned,
    read_plans,
    settle_first,
)
from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.logs import LogForm, start_logs
from kibitz.app.common.own_games import games_with
from kibitz.app.common.private_files import FolderLock
from kibitz.app.common.starts import load_start
from kibitz.app.common.storage import Storage, StorageError, default_data
from kibitz.app.common.terminal import print_result, show_progress, shown
from kibitz.app.face.opening import parse_setting
from kibitz.app.hall.member import Hall
from kibitz.app.languages.spoken import language_of_process
from kibitz.app.observers.panels import parse_panels
from kibitz.app.reading.frames import FrameReader
from kibitz.app.reading.profile import load_profile
from kibitz.app.server.app import create_app
from kibitz.app.server.certificate import Papers, local_papers
from kibitz.app.server.events import Outlet, TableEvents
from kibitz.app.server.feeds import Feeds
from kibitz.app.server.gate import Gate, guarded_config
from kibitz.app.server.mqtt import Broker, Mqtt, read_broker
from kibitz.app.server.outlets import STDOUT, Webhook, lines_to, read_secret
from kibitz.app.server.retention import parse_keep
from kibitz.app.server.session import Session
from kibitz.app.tables.access import new_token
from kibitz.app.tables.midway import lines_of_start, midway_of
from kibitz.app.tables.registry import Opened, Tables
from kibitz.app.tables.table import Table
from kibitz.engine.games import DEFAULT_GAME, GAMES, Games


def command(
    *,
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: a free one.")] = 8000,
    data: Data = None,
    camera: Annotated[
        list[str] | None,
        typer.Option(
            "--camera", metavar="SOURCE", help="Device, address, file; one for each joined board."
        ),
    ] = None,
    panel: Annotated[
        str | None,
        typer.Option("--panel", metavar="1-9", help="Which of nine boards each camera watches."),
    ] = None,
    calibration: Calibration = None,
    game: Game = None,
    players: Annotated[
        str | None, typer.Option("--players", metavar="Ann,Bob", help="Names, in seating order.")
    ] = None,
    settings: Settings = None,
    tiles: Tiles = "en",
    lexicon: Lexicon = "default",
    begin: Annotated[
        str | None,
        typer.Option("--begin", metavar="NAME|draw", help="Who begins, or Kibitz draws for it."),
    ] = None,
    https: Annotated[
        bool, typer.Option("--https", help="Serve with a local certificate (phone cameras).")
    ] = False,
    config: Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="Tables with their cameras, as TOML."),
    ] = None,
    start: Annotated[
        Path | None,
        typer.Option("--start", metavar="FILE", help="A position to begin from, as JSON."),
    ] = None,
    new: Annotated[
        bool, typer.Option("--new", help="Begin anew where a game was left unfinished.")
    ] = False,
    keep_pictures: Annotated[
        str,
        typer.Option("--keep-pictures", metavar="30d|none|all", help="How long pictures stay."),
    ] = "30d",
    events: Annotated[
        str | None,
        typer.Option(
            "--events", metavar="FILE|-", help="Write what happens, one JSON object a line."
        ),
    ] = None,
    webhook: Annotated[
        list[str] | None,
        typer.Option("--webhook", metavar="URL", help="Post what happens there, signed."),
    ] = None,
    webhook_secret: Annotated[
        Path | None,
        typer.Option(
            "--webhook-secret",
            metavar="FILE",
            help="What webhooks are signed with; or KIBITZ_WEBHOOK_SECRET in the environment.",
        ),
    ] = None,
    mqtt: Annotated[
        str | None,
        typer.Option(
            "--mqtt", metavar="URL", help="Tell an MQTT broker what happens: mqtt://host[/prefix]."
        ),
    ] = None,
    mqtt_password: Annotated[
        Path | None,
        typer.Option(
            "--mqtt-password",
            metavar="FILE",
            help="The password there; or KIBITZ_MQTT_PASSWORD in the environment.",
        ),
    ] = None,
    log: Annotated[
        LogForm,
        typer.Option("--log", help="How trouble is told on standard error: text, or JSON lines."),
    ] = LogForm.TEXT,
    name: Annotated[
        str | None,
        typer.Option(
            "--name",
            metavar="NAME",
            help="What this server is called among several on one database.",
        ),
    ] = None,
    reach: Annotated[
        str | None,
        typer.Option(
            "--reach",
            metavar="URL",
            help="Where the other servers on the database reach this one.",
        ),
    ] = None,
) -> None:
    """Start the server: tables, cameras and pages for everybody at the board.

    Example: kibitz serve --host 0.0.0.0 --camera 0 --game scrabble
    """
    raise typer.Exit(
        run_serve(
            host=host,
            port=port,
            data=data,
            cameras=tuple(camera or ()),
            panel=panel,
            calibration=calibration,
            game=game,
            players=players,
            settings=tuple(settings or ()),
            tiles=tiles,
            lexicon=lexicon,
            begin=begin,
            https=https,
            config=config,
            start=start,
            anew=new,
            keep_pictures=keep_pictures,
            events=events,
            webhooks=tuple(webhook or ()),
            webhook_secret=webhook_secret,
            mqtt=mqtt,
            mqtt_password=mqtt_password,
            log=log,
            name=name,
            reach=reach,
        )
    )


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server listens, and how pages call it."""

    listener: socket.socket
    host: str
    port: int
    https: bool = False

    @property
    def address(self) -> str:
        """The address for a browser on this machine."""
        name = "127.0.0.1" if self.host in ("0.0.0.0", "::", "localhost") else self.host
        name = f"[{name}]" if ":" in name else name
        return f"{'https' if self.https else 'http'}://{name}:{self.port}"

    @property
    def shared_address(self) -> str:
        """The address for other machines in the house, where there is one."""
        if self.host not in ("0.0.0.0", "::"):
            return self.address
        return f"{'https' if self.https else 'http'}://{own_address()}:{self.port}"


def run_serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    data: str | None = None,
    cameras: tuple[str, ...] = (),
    panel: str | None = None,
    calibration: str | None = None,
    game: str | None = None,
    players: str | None = None,
    settings: tuple[str, ...] = (),
    tiles: str = "en",
    lexicon: str = "default",
    begin: str | None = None,
    https: bool = False,
    config: Path | None = None,
    start: Path | None = None,
    anew: bool = False,
    keep_pictures: str = "30d",
    events: str | None = None,
    webhooks: tuple[str, ...] = (),
    webhook_secret: Path | None = None,
    mqtt: str | None = None,
    mqtt_password: Path | None = None,
    log: LogForm = LogForm.TEXT,
    name: str | None = None,
    reach: str | None = None,
) -> int:
    """Serve until stopped; 0 when it was stopped by a person."""
    start_logs(log)
    retention = parse_keep(keep_pictures)
    broker = broker_of(mqtt, mqtt_password)
    hooks = make_hooks(webhooks, webhook_secret)
    # where events are the result, the addresses are what people are told beside it
    tell = show_progress if events == STDOUT else print_result
    files = Files()
    plans = read_plans(config) if config is not None else ()
    if game is not None or cameras or start is not None:
        told = load_start(start) if start is not None else None
        plan = TablePlan(
            game or (told.game if told else None) or DEFAULT_GAME,
            tuple(n.strip() for n in players.split(",")) if players else None,
            dict(parse_setting(text) for text in settings),
            tiles,
            lexicon,
            cameras=cameras,
            panels=boards_of(panel),
            calibration=calibration,
            begin=begin,
        )
        plans = (*plans, plan if start is None else plan.beginning(start))
    else:
        _refuse_lonely(
            players=players,
            set=" ".join(settings) or None,
            panel=panel,
            calibration=calibration,
            begin=begin,
        )
        files.names(lexicon, tiles)
    plans = tuple(files.named(plan) for plan in plans)
    profiles = [load_profile(p.calibration, data) if p.calibration else None for p in plans]
    sources = [[open_source(name) for name in plan.watched] for plan in plans]
    place = listen(host, port, https=https)
    with place.listener:
        joining = partial(
            join_hall, port=place.port, address=place.shared_address, name=name, reach=reach
        )
        session = make_session(data, files, games_with(*(plan.game for plan in plans)), joining)
        session.retention = retention
        outlets: list[Outlet] = [*hooks]
        stream = TableEvents(session, outlets)
        try:
            if events is not None:
                outlets.append(lines_to(events))
            if broker is not None:
                outlets.append(Mqtt(broker, session.hall.me.name if session.hall else None))
            for plan in plans:
                check_planned(session.tables, plan)
            session.papers = papers_of(data) if https else None
            if outlets:
                stream.start()
            say_where(place, session, tell)
            feeds = Feeds(session)
            opened = [_open(session, place, plan, tell, anew=anew) for plan in plans]
            for table, profile in zip(opened, profiles, strict=True):
                if profile is not None:
                    session.profiles[table.id] = profile

            def watch() -> None:
                for table, plan, found in zip(opened, plans, sources, strict=True):
                    there = [source for source in found if source is not None]
                    if there:
                        feeds.watch(table, *there, panels=plan.panels)

            app = create_app(session, feeds)
            return run(app, place, session.papers, on_start=watch, gate=session.gate)
        finally:
            stream.close()
            session.close()


def make_hooks(urls: Sequence[str], secret: Path | None) -> list[Webhook]:
    """The webhooks that a server is started with.

    Raises:
        UsageError: an address or the secret is missing or is none.
    """
    if not urls:
        if secret is not None:
            raise UsageError(
                f"--webhook-secret {shown(secret)}: for which call? add --webhook URL"
            )
        return []
    signed_with = read_secret(secret)
    return [Webhook(url, signed_with) for url in urls]


def broker_of(url: str | None, password: Path | None) -> Broker | None:
    """The broker that a server is started with; none without an address.

    Raises:
        UsageError: it is no address, or the password cannot be read or belongs to nobody.
    """
    if url is not None:
        return read_broker(url, password)
    if password is not None:
        raise UsageError(f"--mqtt-password {shown(password)}: for which broker? add --mqtt URL")
    return None


def boards_of(panel: str | None) -> tuple[int, ...]:
    """The boards that `--panel` names for the cameras; none where they are found by themselves."""
    order = parse_panels(panel)
    return order.boards if order is not None else ()


def _refuse_lonely(**options: str | None) -> None:
    """Options of a table do nothing where no table is asked for.

    Raises:
        UsageError: one of them was given.
    """
    for name, value in options.items():
        if value is not None:
            raise UsageError(f"--{name} {value}: for which table? add --game SLUG or --camera")


def _open(
    session: Session, place: Place, plan: TablePlan, tell: Callable[[str], None], *, anew: bool
) -> Table:
    opened, goes_on = open_planned(session.tables, plan, anew=anew)
    session.listen(opened.table)
    say_table(place, opened, tell, camera="browser" in plan.watched)
    if goes_on:
        tell("  the unfinished game goes on; --new begins another")
    else:
        for line in settle_first(opened, plan.begin):
            tell(f"  {line}")
    return opened.table


def make_session(
    data: str | None,
    files: Files | None = None,
    games: Games = GAMES,
    joining: Callable[[Storage], Hall | None] = lambda _: None,
) -> Session:
    """A session with the real reader and the tables of a place.

    Args:
        data: the place.
        files: word lists and tile sets that may be asked for.
        games: what can be played.
        joining: makes it part of a hall.

    Raises:
        CommandError: the place cannot be used; the message says why.
    """
    lock = _own_folder(data)
    try:
        storage = Storage(data)
        hall = joining(storage)
    except StorageError as error:
        raise CommandError(error.message) from error
    files = files or Files()
    names = os.environ.get("KIBITZ_HOSTS", "").replace(",", " ").lower().split()
    tables = Tables(storage, files.lexicons, files.tile_sets, games, lock, hall)
    try:
        tables.take_back()
        tables.look_through()
    except StorageError as error:
        tables.close()
        raise CommandError(error.message) from error
    return Session(
        tables,
        FrameReader(),
        host_key=new_token() if hall is None else hall.host_key,
        allowed_hosts=frozenset(names),
        hall=hall,
        language=language_of_process(),
    )


def _own_folder(data: str | None) -> FolderLock | None:
    """Hold the data folder, so that no second server writes into it.

    Raises:
        CommandError: another server holds it.
    """
    given = data or default_data()
    if "://" in given:
        return None  # several servers may share a database
    folder = Path(given).expanduser()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return FolderLock(folder)
    except BlockingIOError as error:
        raise CommandError(
            f"another Kibitz (process {error}) serves the tables in {folder}; stop it, or give "
            "another place with --data"
        ) from None
    except OSError:
        return None  # what is wrong with the folder is told when its tables are opened


def listen(host: str, port: int, *, https: bool = False) -> Place:
    """Take a port, so that it is known before anything is told.

    Raises:
        CommandError: it cannot be had.
    """
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(1024)
    except OSError as error:
        reason = error.strerror or str(error)
        raise CommandError(
            f"cannot listen on {host} port {port}: {reason}; give another with --port (0: any)"
        ) from error
    return Place(listener, host, int(listener.getsockname()[1]), https)


def papers_of(data: str | None) -> Papers:
    """The certificate of this machine, kept where the tables are.

    Raises:
        CommandError: it cannot be kept there.
    """
    folder = Path(data if data and "://" not in data else default_data()).expanduser()
    names = (own_address(), socket.gethostname())
    try:
        return local_papers(folder, names)
    except (OSError, ValueError) as error:
        raise CommandError(f"the certificate in {folder} cannot be used: {error}") from error


def run(
    app: FastAPI,
    place: Place,
    papers: Papers | None = None,
    *,
    on_start: Callable[[], None] | None = None,
    open_page: str | None = None,
    gate: Gate | None = None,
) -> int:
    """Serve an application until somebody stops it."""
    options: dict[str, Any] = {}
    if papers is not None:
        options = {"ssl_keyfile": str(papers.key), "ssl_certfile": str(papers.chain)}
    config = guarded_config(
        app,
        gate,
        log_config=None,
        access_log=False,  # sockets carry their token in the address
        timeout_graceful_shutdown=2,
        ws_max_size=20_000_000,
        h11_max_incomplete_event_size=64_000,
        **options,
    )
    server = uvicorn.Server(config)
    starter = threading.Thread(
        target=_when_started, args=(server, on_start, open_page), daemon=True
    )
    starter.start()
    try:
        server.run(sockets=[place.listener])
    except KeyboardInterrupt:
        show_progress("stopped")
    return 0


def _when_started(
    server: uvicorn.Server, on_start: Callable[[], None] | None, open_page: str | None
) -> None:
    pause = threading.Event()
    while not server.started:
        if server.should_exit:
            return
        pause.wait(0.05)
    if on_start is not None:
        on_start()
    if open_page is not None and not webbrowser.open(open_page):
        show_progress(f"no browser could be opened; open {open_page}")


def say_where(place: Place, session: Session, tell: Callable[[str], None] = print_result) -> None:
    """Tell the addresses; the one for other machines carries the host's key, also as a code."""
    tell(f"Kibitz is at {place.address}/")
    if place.shared_address != place.address or place.https:
        link = f"{place.shared_address}/#key={session.host_key}"
        tell(f"From another device: {link}")
        show_code(link)
    if session.papers is not None:
        tell(f"A phone warns once of this house's own certificate: {place.shared_address}/trust")
        tell(f"  says what to do; its fingerprint begins with {session.papers.fingerprint}")


def say_table(
    place: Place,
    opened: Opened,
    tell: Callable[[str], None] = print_result,
    *,
    camera: bool,
) -> None:
    """Tell the links of a new table."""
    table = opened.table
    title = table.setup.opening.game.info.title
    tell(f"Table {table.id}: {title}, {', '.join(table.setup.opening.players)}")
    base = place.shared_address
    tell(f"  table   {base}/table/{table.id}#t={opened.host}")
    tell(f"  watch   {base}/table/{table.id}#t={opened.watch}")
    for player, token in opened.seats.items():
        tell(f"  {player}   {base}/seat/{table.id}#t={token}")
    link = f"{base}/camera/{table.id}#t={opened.camera}"
    tell(f"  camera  {link}")
    if midway_of(table.ledger):
        for line in lines_of_start(table.ledger):
            tell(f"  {line}")
    if camera:
        show_code(link)


def show_code(link: str) -> None:
    """Draw a link as a QR code where a person looks at the terminal."""
    if not sys.stderr.isatty():
        return
    out = io.StringIO()
    segno.make(link, error="l").terminal(out, compact=True)
    sys.stderr.write(out.getvalue() + "\n")
    sys.stderr.flush()


def own_address() -> str:
    """This machine's address in the house; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
