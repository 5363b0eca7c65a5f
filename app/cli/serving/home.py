"""Kibitz on the home network: whether it is wanted there, its name, and where it runs already."""

from __future__ import annotations

import socket
import sys
import threading
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kibitz.app.common.files import named_path
from kibitz.app.common.private_files import write_private
from kibitz.app.common.storage.tables import default_data
from kibitz.app.common.terminal import show_progress
from kibitz.app.languages.spoken import said
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
