"""What deploy/ holds fits together, and the hall that it describes runs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
import yaml

from deploy.hall import NAMES, free_port, proxy_configuration, server_command
from kibitz.app.cli.main import load_command
from tests.app.common.postgres_help import address, fresh_database, postgres
from tests.app.hall.hall_help import until
from tests.app.server_help import PLAY, act, new_table, state

__all__ = ["address", "postgres"]

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "deploy"
NGINX = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")


def compose() -> dict:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


def test_the_servers_of_compose_are_those_of_the_script() -> None:
    """The same names, and options that `kibitz serve` has."""
    services = compose()["services"]
    known = {o for p in load_command("serve").params for o in p.opts}
    used = {w for n in NAMES for w in services[n]["command"] if w.startswith("--")}

    assert {*NAMES, "database", "proxy"} == set(services)
    assert used <= known
    assert used <= set(server_command("x", "left", 1))
    assert all(f"http://{n}:8000" in services[n]["command"] for n in NAMES)


def test_the_image_runs_as_nobody_in_particular() -> None:
    """A user of its own, nothing written but its data, and every folder that is installed."""
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    users = re.findall(r"^USER (\S+)", text, re.MULTILINE)
    copied = set(re.findall(r"^COPY (\w+) \1$", text, re.MULTILINE))

    assert ["kibitz"] == users
    assert {"kibitz", "app", "calibration", "engine", "models", "vision"} == copied
    assert compose()["services"]["left"]["read_only"] is True


@pytest.mark.skipif(NGINX is None, reason="nginx is not installed (apt-get install nginx-light)")
def test_the_proxys_configuration_is_good(tmp_path: Path) -> None:
    """As nginx itself finds."""
    configuration = proxy_configuration(tmp_path, free_port(), [free_port(), free_port()])
    done = subprocess.run(
        [str(NGINX), "-t", "-p", str(tmp_path), "-e", "stderr", "-c", str(configuration)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert 0 == done.returncode, done.stderr


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_the_hall_of_the_script_takes_plays_and_tells_spectators(address: str) -> None:
    """Through the proxy, where there is one; else at a server itself."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "deploy/hall.py", "--data", fresh_database(address), "--port", str(port)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": "."},
    )
    assert process.stdout is not None
    told = ""
    while "The hall is at" not in told:
        told = process.stdout.readline()
        assert told
    at = re.search(r"http://127\.0\.0\.1:\d+", told)
    assert at is not None
    ports = re.findall(r"\d+", told.rpartition("ports")[2])
    with httpx.Client(base_url=f"http://127.0.0.1:{ports[0]}", timeout=30) as direct:
        made = new_table(direct, lexicon="none", settings={"reject_invalid": False})
        place = direct.put(
            f"/api/tables/{made['table']}/public",
            json={"public": True},
            headers={"authorization": f"Bearer {made['host_token']}"},
        ).json()
    with httpx.Client(base_url=at[0], timeout=30) as web:
        began = web.get(place["snapshot"])
        saved = act(web, made, PLAY).json()["saved"]
        change = web.get(f"{place['changes']}0").json()["seq"]
        again = web.get(f"{place['changes']}0").headers.get("x-kibitz-cache")
        seen = until(lambda: state(web, made, made["watch_token"]).json()["seq"] == 1)
    process.terminate()
    ended = process.wait(60)
    process.stdout.close()

    assert (0, True, 1, True, 0) == (began.json()["seq"], saved, change, seen, ended)
    assert "HIT" == again or NGINX is None
