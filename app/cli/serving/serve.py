"""`kibitz serve`: starts the server with its tables, cameras and pages."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from kibitz.app.cameras.sources import open_source
from kibitz.app.cli.options import (
    Calibration,
    Data,
    Game,
    Lexicon,
    NotationTold,
    Players,
    Profile,
    Settings,
    Start,
    Tiles,
)
from kibitz.app.cli.serving.place import (
    Place,
    join_hall,
    listen,
    listen_at_home,
    make_session,
    note_page,
    papers_of,
    run,
    running_page,
    say_table,
    say_where,
    wants_home,
)
from kibitz.app.cli.serving.serve_tables import (
    Files,
    TablePlan,
    check_planned,
    open_planned,
    read_plans,
    settle_first,
)
from kibitz.app.common.errors import UsageError
from kibitz.app.common.logs import LogForm, start_logs
from kibitz.app.common.materials.own_games import games_with
from kibitz.app.common.materials.starts import load_start
from kibitz.app.common.terminal import print_result, show_progress, shown
from kibitz.app.face.opening import parse_setting
from kibitz.app.observers.panels import parse_panels
from kibitz.app.reading.profile import Profile as Calibrated
from kibitz.app.reading.profile import load_profile
from kibitz.app.reading.teaching import load_taught
from kibitz.app.server.app import create_app
from kibitz.app.server.background.feeds import Feeds
from kibitz.app.server.background.retention import parse_keep
from kibitz.app.server.outlets.delivery import STDOUT, Webhook, lines_to, read_secret
from kibitz.app.server.outlets.events import Outlet, TableEvents
from kibitz.app.server.outlets.mqtt import Broker, Mqtt, read_broker
from kibitz.app.server.session import Session
from kibitz.app.tables.orders import USUAL
from kibitz.app.tables.table import Table
from kibitz.engine.games import DEFAULT_GAME
from kibitz.vision.boards.letters.taught import Taught as TaughtTiles


def command(
    *,
    host: Annotated[
        str | None,
        typer.Option("--host", help="Address to listen on.", show_default="127.0.0.1"),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="0: a free one.", show_default="8000"),
    ] = None,
    home: Annotated[
        bool | None,
        typer.Option(
            "--home/--no-home",
            help="For every device in the house: https, a name (kibitz.local), a QR code; "
            "without either a person is asked once.",
            show_default=False,
        ),
    ] = None,
    open_page: Annotated[
        bool, typer.Option("--open", help="Open the first page in a browser.")
    ] = False,
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
    profile: Profile = None,
    game: Game = None,
    players: Players = None,
    settings: Settings = None,
    tiles: Tiles = "en",
    lexicon: Lexicon = "default",
    begin: Annotated[
        str | None,
        typer.Option("--begin", metavar="NAME|draw", help="Who begins, or Kibitz draws for it."),
    ] = None,
    pace: Annotated[
        str,
        typer.Option(
            "--pace", metavar="slow|usual|quick", help="How people lay their tiles: one by one?"
        ),
    ] = USUAL,
    delay: Annotated[
        float,
        typer.Option(
            "--delay", metavar="MINUTES", help="How long spectators are behind; at most 15."
        ),
    ] = 0.0,
    notation: NotationTold = None,
    https: Annotated[
        bool, typer.Option("--https", help="Serve with a local certificate (phone cameras).")
    ] = False,
    config: Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="Tables with their cameras, as TOML."),
    ] = None,
    start: Start = None,
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
            "--mqtt", metavar="URL", help="Tell an MQTT broker what happens: mqtt://host/prefix."
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
) -> int:
    """Start the server: tables, cameras and pages for everybody at the board.

    Example: kibitz serve --host 0.0.0.0 --camera 0 --game scrabble
    """
    start_logs(log)
    retention = parse_keep(keep_pictures)
    delay_s = TablePlan(delay=delay).delay_s
    broker = broker_of(mqtt, mqtt_password)
    hooks = make_hooks(webhook or (), webhook_secret)
    # where events are the result, the addresses are what people are told beside it
    tell = show_progress if events == STDOUT else print_result
    files = Files()
    plans = read_plans(config) if config is not None else ()
    if game is not None or camera or start is not None:
        position = load_start(start) if start is not None else None
        plan = TablePlan(
            game or (position.game if position else None) or DEFAULT_GAME,
            tuple(n.strip() for n in players.split(",")) if players else None,
            dict(map(parse_setting, settings or ())),
            tiles,
            lexicon,
            cameras=tuple(camera or ()),
            panels=boards_of(panel),
            calibration=calibration,
            profile=profile,
            begin=begin,
            pace=pace,
            delay=delay,
            notation=notation,
        )
        plans = (*plans, plan if start is None else plan.beginning(start))
    else:
        _refuse_lonely(
            players=players,
            set=" ".join(settings or ()) or None,
            panel=panel,
            calibration=calibration,
            profile=profile,
            begin=begin,
            pace=None if pace == USUAL else pace,
            notation=notation,
        )
        files.names(lexicon, tiles)
    plans = tuple(files.named(plan) for plan in plans)
    calibrated = [load_profile(p.calibration, data) if p.calibration else None for p in plans]
    taught = [load_taught(p.profile) if p.profile else None for p in plans]
    sources = [[open_source(name) for name in plan.watched] for plan in plans]
    by_hand = host is None and not https and config is None and events != STDOUT
    at_home = wants_home(home, data, told=not by_hand)
    if open_page and (page := running_page(data)) is not None:
        tell(f"Kibitz is at {page}")
        webbrowser.open(page)
        return 0
    with ExitStack() as held:
        place = listen_at_home(host, port, held) if at_home else listen(host, port, https=https)
        held.enter_context(place.listener)
        joining = partial(
            join_hall, port=place.port, address=place.shared_address, name=name, reach=reach
        )
        session = make_session(data, files, games_with(*(plan.game for plan in plans)), joining)
        session.retention = retention
        session.delay_s = delay_s
        outlets: list[Outlet] = [*hooks]
        stream = TableEvents(session, outlets)
        try:
            if events is not None:
                outlets.append(lines_to(events))
            if broker is not None:
                outlets.append(Mqtt(broker, session.hall.me.name if session.hall else None))
            for plan in plans:
                check_planned(session.tables, plan)
            session.papers = papers_of(data, place.name) if place.https else None
            if place.shared_address != place.address and session.hall is None:
                session.address = place.shared_address
            if outlets:
                stream.start()
            say_where(place, session, tell)
            feeds = Feeds(session)
            opened = [_open(session, place, plan, tell, anew=new) for plan in plans]
            for table, place_of, look in zip(opened, calibrated, taught, strict=True):
                _note_known(session, table, place_of, look)

            def watch() -> None:
                for table, plan, found in zip(opened, plans, sources, strict=True):
                    there = [source for source in found if source is not None]
                    if there:
                        feeds.watch(table, *there, panels=plan.panels)

            app = create_app(session, feeds)
            note_page(data, f"{place.address}/")
            return run(
                app,
                place,
                session.papers,
                on_start=watch,
                open_page=f"{place.address}/" if open_page else None,
                gate=session.gate,
            )
        finally:
            stream.close()
            session.close()


def make_hooks(urls: Sequence[str], secret: Path | None) -> list[Webhook]:
    """Webhooks for the given addresses.

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
    """The MQTT broker for an address; None without one.

    Raises:
        UsageError: it is no address, or the password cannot be read or belongs to nobody.
    """
    if url is not None:
        return read_broker(url, password)
    if password is not None:
        raise UsageError(f"--mqtt-password {shown(password)}: for which broker? add --mqtt URL")
    return None


def boards_of(panel: str | None) -> tuple[int, ...]:
    """Boards that `--panel` names for the cameras; none where they are detected."""
    order = parse_panels(panel)
    return order.boards if order is not None else ()


def _refuse_lonely(**options: str | None) -> None:
    """Refuse options of a table where no table is asked for.

    Raises:
        UsageError: one of them was given.
    """
    for name, value in options.items():
        if value is not None:
            raise UsageError(f"--{name} {value}: for which table? add --game SLUG or --camera")


def _note_known(
    session: Session, table: Table, calibrated: Calibrated | None, taught: TaughtTiles | None
) -> None:
    """Apply a table's kept calibration and taught tiles."""
    if calibrated is not None:
        session.profiles[table.id] = calibrated
    if taught is not None:
        session.teach(table, taught)


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
