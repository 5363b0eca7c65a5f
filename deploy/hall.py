"""The hall of deploy/compose.yaml without containers: two servers and the proxy on this machine.

    python deploy/hall.py --data postgresql://kibitz@127.0.0.1/kibitz [--port 8080]

Needs a PostgreSQL that runs; the proxy is nginx with the same configuration, and is left out where
nginx is not installed. Ctrl-C ends all of it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAMES = ("left", "right")
NGINX = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
START_S = 90.0


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def server_command(data: str, name: str, port: int) -> list[str]:
    """The call that compose.yaml has for a server, on this machine."""
    reach = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "kibitz", "serve", "--data", data, "--host", "127.0.0.1"]
    return [*command, "--port", str(port), "--name", name, "--reach", reach]


def proxy_configuration(folder: Path, port: int, servers: Sequence[int]) -> Path:
    """The proxy's configuration with the addresses of this machine, its files in a folder."""
    text = (HERE / "nginx.conf").read_text(encoding="utf-8")
    for name, its_port in zip(NAMES, servers, strict=True):
        text = text.replace(f"server {name}:8000", f"server 127.0.0.1:{its_port}")
    text = text.replace("listen 8080;", f"listen 127.0.0.1:{port};")
    text = text.replace("/tmp/nginx", str(folder / "nginx"))
    path = folder / "nginx.conf"
    text = text.replace("worker_rlimit_nofile 65536;", "")  # who is not root may not raise it
    if os.geteuid() == 0:  # else its workers are somebody to whom the folder is closed
        text = "user root;\n" + text
    path.write_text("daemon off;\n" + text, encoding="utf-8")
    return path


def answers(port: int) -> bool:
    """Whether somebody listens."""
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def run(data: str, port: int, folder: Path) -> int:
    """Run all of it until somebody ends it; 1 if a part ends by itself."""
    ports = [free_port() for _ in NAMES]
    calls = [server_command(data, name, its) for name, its in zip(NAMES, ports, strict=True)]
    if NGINX is not None:
        configuration = proxy_configuration(folder, port, ports)
        calls.append([NGINX, "-p", str(folder), "-e", "stderr", "-c", str(configuration)])
    parts = [subprocess.Popen(call) for call in calls]
    told = f"http://127.0.0.1:{port}/" if NGINX else f"http://127.0.0.1:{ports[0]}/ (no nginx)"
    try:
        began = time.monotonic()
        while not all(answers(p) for p in ([port] if NGINX else []) + ports):
            if time.monotonic() > began + START_S or any(p.poll() is not None for p in parts):
                return 1
            time.sleep(0.1)
        sys.stdout.write(f"The hall is at {told}; its servers at ports {ports}\n")
        sys.stdout.flush()
        while all(part.poll() is None for part in parts):
            time.sleep(0.2)
    except KeyboardInterrupt:
        return 0
    else:
        return 1
    finally:
        for part in parts:
            if part.poll() is None:
                part.send_signal(signal.SIGTERM)
        for part in parts:
            part.wait(30)


def main(given: list[str] | None = None) -> int:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", required=True, help="the PostgreSQL that they share")
    parser.add_argument("--port", type=int, default=8080, help="of the proxy")
    asked = parser.parse_args(given)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="kibitz-hall-") as folder:
        return run(asked.data, asked.port, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
