"""Kibitz as one file that needs no Python: unpacked once, small enough, and soon at its first page."""

from __future__ import annotations

import os
import re
import subprocess
import urllib.request
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from deploy.build import ARCHIVES, build, pack
from deploy.one_file import unpacked
from kibitz import __version__
from kibitz.app.cli.main import load_command

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
SCRIPTS = (DEPLOY / "install.sh", DEPLOY / "raspberry-pi" / "first-boot.sh")
MOST_BYTES = 120_000_000


def packed(folder: Path, text: bytes) -> Path:
    """Archives as the build makes them, of a package with as many modules."""
    packages = folder / "packages"
    for number in range(ARCHIVES):
        module = packages / "kibitz" / f"module_{number}.py"
        module.parent.mkdir(parents=True, exist_ok=True)
        module.write_bytes(text)
    return pack(packages, folder / "packed", 0)


def test_packages_are_unpacked_once_and_older_ones_go(tmp_path: Path) -> None:
    """A second start finds them; another version takes the place of the first."""
    cache = tmp_path / "cache"
    archives = packed(tmp_path, b"one")
    first = unpacked(archives, cache)
    again = unpacked(archives, cache)
    other = unpacked(packed(tmp_path, b"two"), cache)

    assert first == again
    assert [b"two"] * ARCHIVES == [path.read_bytes() for path in sorted(other.rglob("*.py"))]
    assert ARCHIVES == len(list(archives.iterdir()))
    assert [other] == list(other.parent.iterdir())


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_file_is_built_and_starts_without_python(tmp_path: Path) -> None:
    """With an empty home and nothing on the path it shows its first page to this machine."""
    if find_spec("PyInstaller") is None:
        pytest.skip(
            "PyInstaller is not installed (pip install pyinstaller); building takes minutes"
        )
    file = build(tmp_path / "dist")
    place = {"HOME": str(tmp_path / "home"), "PATH": "", "LANG": "C.UTF-8"}
    process = subprocess.Popen(
        [file, "serve", "--home", "--host", "127.0.0.1", "--port", "0"],
        env=place,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    page = process.stdout.readline().split()[-1]
    with urllib.request.urlopen(page, timeout=60) as answer:
        shown = answer.read()
    process.terminate()
    process.wait()
    process.stdout.close()

    assert b"<title>Kibitz</title>" in shown
    assert file.name.startswith(f"kibitz-{__version__}-")
    assert file.stat().st_size < MOST_BYTES


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_shell_and_refuse_what_is_no_wheel(script: Path, tmp_path: Path) -> None:
    """They parse, and a wrong file is told in words before anything is installed."""
    parsed = subprocess.run(["sh", "-n", str(script)], check=False).returncode
    told = subprocess.run(
        ["sh", str(script), str(tmp_path / "none.whl")],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "HOME": str(tmp_path)},
    )

    assert (0, 2) == (parsed, told.returncode)
    assert f"{script.name}: expected" in told.stderr


def test_what_is_started_are_options_of_serve() -> None:
    """Add-on, scripts and file call `kibitz serve` as it is, in this version."""
    known = {o for p in load_command("serve").params for o in (*p.opts, *p.secondary_opts)}
    add_on = DEPLOY / "home-assistant" / "kibitz"
    places = (*SCRIPTS, DEPLOY / "install.ps1", DEPLOY / "one_file.py", add_on / "Dockerfile")
    texts = [path.read_text(encoding="utf-8") for path in places]
    used = {word for text in texts for word in re.findall(r"--(?:home|open|host|https)\b", text)}
    facts = yaml.safe_load((add_on / "config.yaml").read_text(encoding="utf-8"))

    assert {"--home", "--open"} == used & known == used
    assert __version__ == facts["version"]
