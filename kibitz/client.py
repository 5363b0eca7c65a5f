"""A running server from a program: `from kibitz.client import Client`; see docs/client.md."""

from kibitz.app.client.client import (
    Client,
    ConnectionRules,
    ServerAway,
    ServerRefused,
    TableClient,
    read_event,
)
from kibitz.app.wire import events
from kibitz.app.wire.answers import (
    Acted,
    DamagedTable,
    GameKind,
    Games,
    NewTable,
    Refused,
    Setting,
    TableEntry,
    Tables,
)
from kibitz.app.wire.events import Anything as Event
from kibitz.app.wire.tables import (
    Announcement,
    CameraState,
    Entry,
    Notice,
    Question,
    SeenLine,
    Shown,
    TableView,
    Word,
    You,
)

__all__ = [
    "Acted",
    "Announcement",
    "CameraState",
    "Client",
    "ConnectionRules",
    "DamagedTable",
    "Entry",
    "Event",
    "GameKind",
    "Games",
    "NewTable",
    "Notice",
    "Question",
    "Refused",
    "SeenLine",
    "ServerAway",
    "ServerRefused",
    "Setting",
    "Shown",
    "TableClient",
    "TableEntry",
    "TableView",
    "Tables",
    "Word",
    "You",
    "events",
    "read_event",
]
