"""What a server tells in the terminal: addresses, links, and codes to scan."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable

import segno

from kibitz.app.cli.serving.place import Place
from kibitz.app.common.terminal import print_result
from kibitz.app.server.session import Session
from kibitz.app.tables.midway import lines_of_start, midway_of
from kibitz.app.tables.registry import Opened


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
