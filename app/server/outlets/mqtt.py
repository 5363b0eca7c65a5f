"""Events over MQTT: each as it happens, and every table's state as a retained message.

Below the prefix (`kibitz` where the address names none):

    status              online or offline; the broker itself says offline when the server is gone
    latest              the table where something happened last, as `TableState`
    lost                so many events were given up
    tables/ID           a table, as `TableState`
    tables/ID/events    what happens there, as it happens

In a hall `status`, `latest` and `lost` stand below `servers/NAME`; a table stands in one place
whoever runs it. Home Assistant finds the server by itself, as one device that shows `latest`.
"""

from __future__ import annotations

import importlib
import json
import math
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from kibitz import __version__
from kibitz.app.common.addresses import Address, parse_address
from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.limits import RETRY, WAITS, RetryRule
from kibitz.app.common.terminal import RepeatLimiter, show_progress, shown
from kibitz.app.server.background.retention import KEPT_S
from kibitz.app.server.outlets.delivery import (
    RULE,
    GaveUpError,
    OutletRule,
    QueuedOutlet,
    read_private,
)
from kibitz.app.wire.events import Known
from kibitz.app.wire.tables import TableState

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessageInfo

PASSWORD_NAME: Final = "KIBITZ_MQTT_PASSWORD"
DISCOVERY: Final = "homeassistant"
"""Where Home Assistant looks for devices."""
ONLINE: Final = "online"
OFFLINE: Final = "offline"
AT_LEAST_ONCE: Final = 1
_PORTS: Final = {"mqtt": 1883, "mqtts": 8883}
_PREFIX: Final = "kibitz"
_LONGEST_PREFIX: Final = 200


@dataclass(frozen=True, slots=True)
class MqttRule:
    """Timeouts of the broker, and how long it keeps retained messages.

    Attributes:
        keepalive_s: of silence until the broker is asked for.
        kept_s: that it keeps a table's state after its last change.
        retry: the pauses before it is reached again.
    """

    keepalive_s: int = WAITS.alive_s
    kept_s: int = KEPT_S
    retry: RetryRule = RETRY


MQTT_RULE: Final = MqttRule()


@dataclass(frozen=True, slots=True)
class Broker:
    """Address of a broker, and the topics to use.

    Attributes:
        address: where it is and who enters; never a password.
        prefix: what every topic begins with.
        password: of the user; None where none is needed.
    """

    address: Address
    prefix: str
    password: str | None = field(default=None, repr=False)

    @property
    def port(self) -> int:
        """Port of the broker, by default that of its scheme."""
        return self.address.port or _PORTS[self.address.scheme]


def read_broker(url: str, password_file: Path | None = None, rule: OutletRule = RULE) -> Broker:
    """A broker from the command line's options.

    Args:
        url: `mqtt://[user@]host[:port][/prefix]`, or `mqtts://` for TLS.
        password_file: where the user's password stands; else it is taken from the environment.
        rule: how long a password may be.

    Raises:
        UsageError: it is no such address, it holds a password, or the password cannot be read.
    """
    address = parse_address(url.strip())
    if address.scheme not in _PORTS or not address.host or not address.sure or address.query:
        plain = "://" in url and address.sure and address.host and not address.query
        got = address.where if plain else "another text"
        raise UsageError(f"--mqtt: expected mqtt://host or mqtts://host, got {shown(got)}")
    if not address.host.isascii():
        raise UsageError("--mqtt: write the host's name in ASCII (xn--…)")
    if address.password is not None:
        raise UsageError(
            "--mqtt: everybody on this machine can read a password in a call; put it into a file "
            f"for --mqtt-password, or into the environment as {PASSWORD_NAME}"
        )
    prefix = unquote(address.path).strip("/") or _PREFIX
    if len(prefix) > _LONGEST_PREFIX or not prefix.isprintable() or re.search(r"[+#$]", prefix):
        raise UsageError(
            f"--mqtt: expected a prefix of at most {_LONGEST_PREFIX} characters without + # $, "
            f"got {shown(prefix[:_LONGEST_PREFIX])!r}"
        )
    given = read_private(password_file, "--mqtt-password", PASSWORD_NAME, rule)
    try:
        password = None if given is None else given.decode()
    except UnicodeDecodeError as error:
        raise UsageError("--mqtt-password: expected a text in UTF-8, got other bytes") from error
    if password is not None and address.user is None:
        raise UsageError("--mqtt-password: whose? name the user: mqtt://USER@host")
    return Broker(address, prefix, password)


class Mqtt:
    """Publishes to a broker in its own thread; no table waits for it.

    A broker that is away is tried again and again; up to so many events wait for it, and it is
    told anew how every table stands as soon as it is back.

    Args:
        broker: where, and below which topic.
        server: this server's name in a hall; None where it is alone.
        rule: how the broker is reached.
        waiting: how many events wait for it.

    Raises:
        CommandError: the library for MQTT is not installed.
    """

    def __init__(
        self,
        broker: Broker,
        server: str | None = None,
        rule: MqttRule = MQTT_RULE,
        waiting: OutletRule = RULE,
    ) -> None:
        own = "" if server is None else "/servers/" + re.sub(r"[+#$/]", "_", server)
        self._own = broker.prefix + own
        self._broker = broker
        self._rule = rule
        self._closing_s = waiting.closing_s
        self._sparing = RepeatLimiter()
        self._states: dict[str, TableState] = {}
        self._stale: set[str] = set()
        self._latest: str | None = None
        self._seats = 0
        self._told_seats = -1
        self._connected = False
        self._closing = False
        self._more = threading.Condition()
        self._client = self._new_client()
        self._client.connect_async(broker.address.host, broker.port, rule.keepalive_s)
        self._client.loop_start()
        self._queue = QueuedOutlet(self._deliver, waiting)

    def put(self, event: Mapping[str, Any], known: Known | None) -> None:
        """Add an event with the table's state after it; None where the table is gone."""
        table = event.get("table")
        if table is not None:
            with self._more:
                self._follow(table, event["at"], known)
        self._queue.put(event)

    def close(self) -> None:
        """Publish waiting events for a short while, and that the server is gone."""
        with self._more:
            self._closing = True
            self._more.notify_all()
        self._queue.close()
        # an address that answers nothing holds a connection up for long
        end = threading.Thread(target=self._end, name="mqtt-end", daemon=True)
        end.start()
        end.join(self._closing_s)

    def _end(self) -> None:
        if self._connected:
            self._keep(f"{self._own}/status", OFFLINE).wait_for_publish(self._closing_s)
        self._client.disconnect()
        self._client.loop_stop()

    def _follow(self, table: str, at: float, known: Known | None) -> None:
        self._stale.add(table)
        if known is None:
            self._states.pop(table, None)
            return
        self._states[table] = known.state(table, at, f"{self._own}/status")
        self._latest = table
        self._seats = max(self._seats, len(self._states[table].scores))

    def _new_client(self) -> Client:
        try:
            paho = importlib.import_module("paho.mqtt.client")
        except ImportError as error:
            raise CommandError("MQTT needs paho-mqtt: pip install 'kibitz[mqtt]'") from error
        client: Client = paho.Client(
            paho.CallbackAPIVersion.VERSION2, protocol=paho.MQTTProtocolVersion.MQTTv5
        )
        broker = self._broker
        if broker.address.scheme == "mqtts":
            client.tls_set()
        if broker.address.user is not None:
            client.username_pw_set(broker.address.user, broker.password)
        client.will_set(f"{self._own}/status", OFFLINE, AT_LEAST_ONCE, retain=True)
        retry = self._rule.retry
        client.reconnect_delay_set(math.ceil(retry.first_s), math.ceil(retry.longest_s))
        client.on_connect = self._on_connect
        client.on_connect_fail = lambda *_: self._tell("cannot be reached; it is tried again")
        client.on_disconnect = self._on_disconnect
        client.on_publish = self._on_publish
        return client

    def _tell(self, what: str) -> None:
        self._sparing.tell(f"mqtt {self._broker.address.where}: {what}")

    def _on_connect(self, _client: Any, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:
        if reason.is_failure:
            self._tell(f"refuses us ({reason}); it is tried again")
            return
        show_progress(f"mqtt {self._broker.address.where}: connected")
        with self._more:
            self._connected = True
            self._told_seats = -1
            self._stale = set(self._states) | self._stale
            self._keep(f"{self._own}/status", ONLINE)
            self._keep_states()
            self._more.notify_all()

    def _on_disconnect(self, _client: Any, _data: Any, _flags: Any, reason: Any, _: Any) -> None:
        with self._more:
            was, self._connected = self._connected, False
        if was and reason.is_failure:
            self._tell("the connection is lost; it is tried again")

    def _on_publish(self, _client: Any, _data: Any, _mid: int, reason: Any, _more: Any) -> None:
        if reason.is_failure:
            self._tell(f"does not take what is published ({reason})")

    def _deliver(self, line: bytes, event: str, _id: str) -> None:
        """Publish an event and changed states, and wait until the broker has them."""
        with self._more:
            while not (self._connected or self._closing):
                self._more.wait()
            if not self._connected:
                where = self._broker.address.where
                raise GaveUpError(f"mqtt {where}: cannot be reached; an event was given up")
            topic = f"{self._own}/lost"
            if event != "lost":
                topic = f"{self._broker.prefix}/tables/{json.loads(line)['table']}/events"
            sent = self._client.publish(topic, line, AT_LEAST_ONCE)
            self._keep_states()
        # what is on its way when the connection breaks is sent again by the library
        while sent.rc == 0 and self._is_connected() and not sent.is_published():
            sent.wait_for_publish(self._closing_s)

    def _is_connected(self) -> bool:
        with self._more:
            return self._connected

    def _keep_states(self) -> None:
        """Publish states that the broker does not have yet, and discovery messages."""
        if self._told_seats != self._seats:
            self._told_seats = self._seats
            self._keep(discovery_topic(self._own), json.dumps(discovery(self._own, self._seats)))
        for table in sorted(self._stale):
            state = self._states.get(table)
            text = "" if state is None else state.model_dump_json()
            self._keep(f"{self._broker.prefix}/tables/{table}", text, self._rule.kept_s)
        if self._latest in self._stale:
            state = self._states.get(self._latest)
            text = "" if state is None else state.model_dump_json()
            self._keep(f"{self._own}/latest", text, self._rule.kept_s)
        self._stale = set()

    def _keep(self, topic: str, text: str, for_s: int | None = None) -> MQTTMessageInfo:
        """Publish a retained message; an empty text deletes it."""
        properties = None
        if for_s is not None:
            kinds = importlib.import_module("paho.mqtt.packettypes").PacketTypes
            properties = importlib.import_module("paho.mqtt.properties").Properties(kinds.PUBLISH)
            properties.MessageExpiryInterval = for_s
        return self._client.publish(topic, text, AT_LEAST_ONCE, retain=True, properties=properties)


def _device(own: str) -> str:
    """A name of the server that Home Assistant accepts: letters, digits, `_` and `-`."""
    name = re.sub(r"[^A-Za-z0-9_-]", "_", own)
    return name if own == _PREFIX else f"{_PREFIX}_{name}"


def discovery_topic(own: str) -> str:
    """Topic of Home Assistant's discovery for a server.

    Args:
        own: what the topics of the server itself begin with.
    """
    return f"{DISCOVERY}/device/{_device(own)}/config"


def discovery(own: str, seats: int) -> dict[str, Any]:
    """Discovery message for Home Assistant: one device that shows the newest table.

    Args:
        own: what the topics of the server itself begin with.
        seats: how many scores it shows.
    """
    device = _device(own)
    name = "Kibitz" if own == _PREFIX else f"Kibitz {own.removeprefix(_PREFIX + '/')}"
    score = "value_json.scores[{}].score if value_json.scores | length > {} else None"
    sensors = {
        "game": ("Game", "value_json.title"),
        "said": ("Announced", "(value_json.said | join(' '))[:255]"),
        "entries": ("Plays", "value_json.entries"),
        "question": ("Question", "(value_json.questions | first | default('None'))[:255]"),
        **{f"score_{n + 1}": (f"Score {n + 1}", score.format(n, n)) for n in range(seats)},
    }
    flags = {
        "asked": ("Question open", "value_json.questions", None),
        "camera": ("Camera", "value_json.cameras", "problem"),
        "trouble": ("Table", "value_json.troubles", "problem"),
        "over": ("Game over", "value_json.over", None),
    }
    components: dict[str, dict[str, Any]] = {}
    for key, (label, template) in sensors.items():
        components[key] = {
            "platform": "sensor",
            "name": label,
            "value_template": f"{{{{ {template} }}}}",
        }
    for key, (label, condition, kind) in flags.items():
        components[key] = {
            "platform": "binary_sensor",
            "name": label,
            "value_template": f"{{{{ 'ON' if {condition} else 'OFF' }}}}",
            **({} if kind is None else {"device_class": kind}),
        }
    for key, component in components.items():
        component["unique_id"] = f"{device}_{key}"
        component["json_attributes_topic"] = f"{own}/latest"
    return {
        "device": {"identifiers": [device], "name": name, "sw_version": __version__},
        "origin": {"name": "Kibitz", "sw_version": __version__},
        "availability": [{"topic": f"{own}/status"}],
        "state_topic": f"{own}/latest",
        "qos": AT_LEAST_ONCE,
        "components": components,
    }
