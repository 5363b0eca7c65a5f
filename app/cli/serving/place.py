"""A server's port, session, certificate and hall, its run, and the links to it."""

from __future__ import annotations

import io
import os
import socket
import sys
import threading
import urllib.request
import uuid
import webbrowser
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

import segno
import sqlalchemy as sa
import uvicorn
from fastapi import FastAPI

from kibitz.app.cli.serving.serve_tables import Files
from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.files import LOCK_NAME, FolderLock, named_path, write_private
from kibitz.app.common.storage.tables import (
    FILE_NAME,
    Storage,
    StorageError,
    database_file,
    default_data,
)
from kibitz.app.common.terminal import print_result, show_progress
from kibitz.app.hall.member import Hall
from kibitz.app.languages.catalogues import language_of_server, said
from kibitz.app.reading.frames import FrameReader
from kibitz.app.server.access.certificate import Papers, local_papers
from kibitz.app.server.access.gate import Gate, guarded_config
from kibitz.app.server.session import Session
from kibitz.app.tables.midway import lines_of_start, midway_of
from kibitz.app.tables.people.access import new_token
from kibitz.app.tables.registry import Opened, Tables
from kibitz.engine.games import GAMES, Games
from kibitz.engine.phrases import phrase

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf

NAMES: Final = ("kibitz", *(f"kibitz-{n}" for n in range(2, 10)))
"""The names on the network, `.local` behind each; a second server takes the second."""
YES: Final = "yjostdk"
"""First letters of "yes" in the languages of Kibitz; Enter alone counts as yes too."""
ANSWERED_MS: Final = 700
"""Milliseconds to wait for the owner of a name in the network; one there answers sooner."""
LIVES_S: Final = 2.0
"""Seconds to wait for a server on this machine; one that runs answers sooner."""


def wants_home(home: bool | None, data: str | None, *, told: bool) -> bool:
    """True if the server shall be reachable in the local network: as given, kept, or asked.

    Args:
        home: `--home` or `--no-home`.
        data: where tables are kept, and the answer with them.
        told: the call says where the server shall listen, or a program made it.
    """
    if home is not None:
        return home
    folder = _folder(data)
    if told or folder is None or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    kept = folder / "home.txt"
    with suppress(OSError, UnicodeDecodeError):
        return kept.read_text(encoding="utf-8").strip() == "yes"
    question = phrase("May phones and other devices in this house reach Kibitz? [Y/n]")
    sys.stderr.write(said(question) + " ")
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        return False  # nobody there; asked again another time
    answer = line.strip().lower()
    wanted = not answer or answer[0] in YES
    with suppress(OSError):  # what is wrong with the folder is told when its tables are opened
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_private(kept, "yes" if wanted else "no")
        show_progress(phrase("Kept; --home or --no-home says otherwise."))
    return wanted


def _folder(data: str | None) -> Path | None:
    given = data or default_data()
    return None if "://" in given else named_path(given)


class HomeName:
    """The name of a server on the home network, by multicast DNS, as long as it is not closed.

    Attributes:
        name: the name, as `kibitz.local`; None: it has none, and its address has to do.
    """

    def __init__(self, address: str) -> None:
        """Find a name that nobody else in the house has.

        Args:
            address: this machine's address in the house.
        """
        self.name: str | None = None
        self._address = address
        self._network: Zeroconf | None = None
        self._thread: threading.Thread | None = None
        import zeroconf

        try:
            self._network = zeroconf.Zeroconf(
                interfaces=[address], ip_version=zeroconf.IPVersion.V4Only
            )
            for name in NAMES:
                others = zeroconf.AddressResolverIPv4(f"{name}.local.")  # type: ignore[attr-defined]  # in no __all__
                taken = others.request(self._network, ANSWERED_MS)
                if not taken or address in others.parsed_addresses():
                    self.name = f"{name}.local"
                    break
        except OSError as error:
            problem = error.strerror or str(error)
            show_progress(phrase("no name in this house: {problem}", problem=problem))

    def tell(self, port: int) -> None:
        """Answer from now on whoever asks for the name, without waiting for that to be settled."""
        if self.name is None:
            return
        from zeroconf import ServiceInfo

        kind = "_https._tcp.local."
        info = ServiceInfo(
            kind,
            f"{self.name.removesuffix('.local').capitalize()}.{kind}",
            port,
            addresses=[socket.inet_aton(self._address)],
            server=f"{self.name}.",
        )
        self._thread = threading.Thread(target=self._register, args=(info,), daemon=True)
        self._thread.start()

    def _register(self, info: ServiceInfo) -> None:
        from zeroconf import Error

        assert self._network is not None
        try:
            self._network.register_service(info, allow_name_change=True)
        except (OSError, Error) as error:
            problem = str(error) or type(error).__name__
            show_progress(phrase("no name in this house: {problem}", problem=problem))

    def close(self) -> None:
        """Let the name go, and tell the house so."""
        if self._thread is not None:
            self._thread.join()
        if self._network is not None:
            self._network.close()


def note_page(data: str | None, page: str) -> None:
    """Keep where this server's first page is, for who starts Kibitz a second time."""
    folder = _folder(data)
    if folder is not None:
        with suppress(OSError):
            write_private(folder / "page.txt", page)


def running_page(data: str | None) -> str | None:
    """The first page of the server that keeps these tables already, if one runs and answers."""
    folder = _folder(data)
    if folder is None:
        return None
    try:
        page = (folder / "page.txt").read_text(encoding="utf-8").strip()
        if not page.startswith("http://127.0.0.1:"):
            return None
        with urllib.request.urlopen(f"{page}healthz", timeout=LIVES_S) as answer:
            return page if answer.status == 200 else None
    except (OSError, ValueError):
        return None


PORT: Final = 8000
"""Where a server listens if nobody says otherwise."""
ASKED_EACH_S: Final = 0.05
"""Between two looks whether the server has started."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server listens, and the addresses of its pages.

    Attributes:
        listener: its port.
        host: the address that it listens on.
        port: the port's number.
        https: whether it speaks https there.
        name: its name on the home network.
        here: a second port, for this machine alone: plain http, of which no browser warns.
    """

    listener: socket.socket
    host: str
    port: int
    https: bool = False
    name: str | None = None
    here: Place | None = None

    @property
    def address(self) -> str:
        """Address for a browser on this machine."""
        if self.here is not None:
            return self.here.address
        name = "127.0.0.1" if self.host in ("0.0.0.0", "::", "localhost") else self.host
        name = f"[{name}]" if ":" in name else name
        return f"{'https' if self.https else 'http'}://{name}:{self.port}"

    @property
    def shared_address(self) -> str:
        """Address for other machines in the local network, where the server listens to them."""
        if self.host not in ("0.0.0.0", "::"):
            return replace(self, here=None).address
        return f"{'https' if self.https else 'http'}://{own_address()}:{self.port}"

    @property
    def listeners(self) -> list[socket.socket]:
        """Every port that it listens on."""
        return [self.listener, *(() if self.here is None else (self.here.listener,))]


def make_session(
    data: str | None,
    files: Files | None = None,
    games: Games = GAMES,
    joining: Callable[[Storage], Hall | None] = lambda _: None,
) -> Session:
    """A session with the real reader and the storage's tables.

    Args:
        data: the place.
        files: word lists and tile sets that may be asked for.
        games: what can be played.
        joining: makes it part of a hall.

    Raises:
        CommandError: the place cannot be used; the message says why.
    """
    lock = _own_place(data)
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
        language=language_of_server(),
    )


def _own_place(data: str | None) -> FolderLock | None:
    """Lock the storage, so that no second server writes into it.

    Raises:
        CommandError: another server holds it.
    """
    given = data or default_data()
    try:
        file = database_file(given)
    except sa.exc.ArgumentError:
        file = None  # told when it is opened
    if file is None:
        return None  # several servers may share a database
    try:
        if "://" not in given:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = LOCK_NAME if file.name == FILE_NAME else f"{file.name}.lock"
        return FolderLock(file.parent, name)
    except BlockingIOError as error:
        where = file.parent if file.name == FILE_NAME else file
        raise CommandError(
            f"another Kibitz (process {error}) serves the tables in {where}; stop it, or give "
            "another place with --data"
        ) from None
    except OSError:
        return None  # what is wrong with the folder is told when its tables are opened


def listen(host: str | None, port: int | None, *, https: bool = False) -> Place:
    """Bind a port, so that it is known before addresses are printed.

    Args:
        host: the address to listen on; without it this machine's own.
        port: its number; without it the usual one.
        https: whether https is spoken there.

    Raises:
        CommandError: it cannot be had.
    """
    host, port = host or "127.0.0.1", PORT if port is None else port
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


def listen_at_home(host: str | None, port: int | None, held: ExitStack) -> Place:
    """Bind a port for the house and one for this machine alone, and find a name.

    Args:
        host: the one address to listen on; without it every one.
        port: the port for the house; without it the usual one, or a free one where that is taken.
        held: lets the second port and the name go at the end.

    Raises:
        CommandError: a port cannot be had.
    """
    host = host or "0.0.0.0"
    try:
        place = listen(host, port, https=True)
    except CommandError:
        if port is not None:
            raise
        place = listen(host, 0, https=True)
    try:
        here = listen("127.0.0.1", place.port + 1)
    except (CommandError, OverflowError):
        here = listen("127.0.0.1", 0)
    held.enter_context(here.listener)
    home = HomeName(own_address() if host == "0.0.0.0" else host)
    held.callback(home.close)
    home.tell(place.port)
    return replace(place, name=home.name, here=here)


def papers_of(data: str | None, name: str | None = None) -> Papers:
    """Certificate of this machine, kept with the tables.

    Args:
        data: that place.
        name: the machine's name on the home network, where it has one.

    Raises:
        CommandError: it cannot be kept there.
    """
    folder = named_path(data if data and "://" not in data else default_data())
    names = (own_address(), socket.gethostname(), name or "")
    try:
        return local_papers(folder, names)
    except (OSError, ValueError) as error:
        raise CommandError(f"the certificate in {folder} cannot be used: {error}") from error


def own_address() -> str:
    """This machine's address in the local network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


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
    config = guarded_config(
        app,
        gate,
        plain=None if place.here is None else place.here.listener,
        log_config=None,
        access_log=False,  # sockets carry their token in the address
        timeout_graceful_shutdown=2,
        ssl_keyfile=None if papers is None else str(papers.key),
        ssl_certfile=None if papers is None else str(papers.chain),
    )
    server = uvicorn.Server(config)
    starter = threading.Thread(
        target=_when_started, args=(server, on_start, open_page), daemon=True
    )
    starter.start()
    try:
        server.run(sockets=place.listeners)
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
        pause.wait(ASKED_EACH_S)
    if on_start is not None:
        on_start()
    if open_page is not None and not webbrowser.open(open_page):
        show_progress(f"no browser could be opened; open {open_page}")


def join_hall(
    storage: Storage,
    *,
    port: int,
    address: str,
    name: str | None = None,
    reach: str | None = None,
) -> Hall | None:
    """Join the hall of a shared database; None if the database cannot be shared.

    Args:
        storage: where tables are kept.
        port: where this server listens.
        address: where other machines find it.
        name: what it is called; without it after its machine and port.
        reach: where the others reach it; without it under that address.

    Raises:
        UsageError: a name or an address was given where no other server can be.
        StorageError: the database cannot be used, or another server is called so.
    """
    if storage.shared_address is None:
        for option, value in (("name", name), ("reach", reach)):
            if value is not None:
                raise UsageError(
                    f"--{option} {value}: for servers that share a database; give its address "
                    "with --data postgresql://USER@HOST/NAME"
                )
        return None
    if reach is not None and not reach.startswith(("http://", "https://")):
        raise UsageError(f"--reach: expected http://HOST:PORT, got {reach!r}")
    if find_spec("httpx") is None:
        raise CommandError(
            "servers that share a database need httpx too: pip install 'kibitz[postgres]'"
        )
    called = name or f"{socket.gethostname()}:{port}"
    return Hall(storage, called, reach or address, f"{uuid.getnode():012x}")


def say_where(place: Place, session: Session, tell: Callable[[str], None] = print_result) -> None:
    """Print the addresses; the one for other machines has the host's key, also as a QR code."""
    tell(f"Kibitz is at {place.address}/")
    link = f"{place.shared_address}/#key={session.host_key}"
    if session.hall is not None:
        tell(f"As the host of the hall: {link}")
    elif place.shared_address != place.address or place.https:
        tell(f"From another device: {link}")
        if place.name is not None:
            tell(f"  or by its name: https://{place.name}:{place.port}/#key={session.host_key}")
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
    """Print the links of a new table."""
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
    """Print a link as a QR code if standard error is a terminal."""
    if not sys.stderr.isatty():
        return
    out = io.StringIO()
    segno.make(link, error="l").terminal(out, compact=True)
    sys.stderr.write(out.getvalue() + "\n")
    sys.stderr.flush()
