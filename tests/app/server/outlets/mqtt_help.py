"""A broker of its own for tests: Debian's mosquitto on a free port of this machine."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
import time
from pathlib import Path

from paho.mqtt.client import CallbackAPIVersion, Client, MQTTProtocolVersion

from tests.app.cameras.camera_help import not_here

LONG_S = 60.0


def _program(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/bin")
    if found is None:
        not_here("mosquitto is not installed (apt-get install mosquitto)")
    return str(found)


def answers(port: int) -> bool:
    """Whether somebody listens on a port of this machine."""
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


class Mosquitto:
    """A broker that can be stopped and started again, and forgets everything between.

    Args:
        folder: where its files are made.
        user: who may enter with which password; None: everybody may.
    """

    def __init__(self, folder: Path, user: tuple[str, str] | None = None) -> None:
        self._program = _program("mosquitto")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        lines = [f"listener {self.port} 127.0.0.1", "persistence false"]
        if os.geteuid() == 0:
            lines.append("user root")  # else it becomes somebody to whom the folder is closed
        lines.append(f"allow_anonymous {'true' if user is None else 'false'}")
        if user is not None:
            names = folder / "names"
            subprocess.run([_program("mosquitto_passwd"), "-b", "-c", names, *user], check=True)
            lines.append(f"password_file {names}")
        self._configuration = folder / "mosquitto.conf"
        self._configuration.write_text("\n".join([*lines, ""]))
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Mosquitto:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Let it answer."""
        self._process = subprocess.Popen(
            [self._program, "-c", str(self._configuration)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + LONG_S
        while not answers(self.port):
            assert self._process.poll() is None, "the broker has ended"
            assert time.monotonic() < until, "the broker does not answer"
            time.sleep(0.02)

    def stop(self) -> None:
        """End it, as if its machine were switched off."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


class Listener:
    """Somebody who listens to everything at a broker.

    Attributes:
        got: every message with content that came: its topic and its text.
        kept: what the broker keeps of each topic.
    """

    def __init__(self, port: int, user: tuple[str, str] | None = None) -> None:
        self.got: list[tuple[str, str]] = []
        self.kept: dict[str, str] = {}
        self._more = threading.Condition()
        self._ready = threading.Event()
        self._client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        if user is not None:
            self._client.username_pw_set(*user)
        self._client.on_message = self._on_message
        self._client.on_connect = lambda client, *_: client.subscribe("#", 1)
        self._client.on_subscribe = lambda *_: self._ready.set()
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        assert self._ready.wait(LONG_S)

    def __enter__(self) -> Listener:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _on_message(self, _client, _data, message) -> None:
        with self._more:
            text = message.payload.decode()
            self.got.append((message.topic, text))
            self.kept[message.topic] = text
            self._more.notify_all()

    def wait_for(self, is_so) -> None:
        """Wait until something holds of this listener."""
        with self._more:
            assert self._more.wait_for(lambda: is_so(self), LONG_S), self.got

    def texts(self, topic: str) -> list[str]:
        """What came at a topic, in order."""
        return [text for at, text in self.got if at == topic]
