"""How a server that is started takes part in the hall of its database."""

from __future__ import annotations

import socket
import uuid
from importlib.util import find_spec

from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.storage.tables import Storage
from kibitz.app.hall.member import Hall


def join_hall(
    storage: Storage,
    *,
    port: int,
    address: str,
    name: str | None = None,
    reach: str | None = None,
) -> Hall | None:
    """Take part in the hall of a database that several servers may share; None: it is none.

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
