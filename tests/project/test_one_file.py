"""Kibitz as one file that needs no Python: unpacked once, small enough, and soon at its first page."""

from __future__ import annotations

import os
import re
import subprocess
import urllib.request
from pathlib import Path

import pytest
import yaml

from kibitz import __version__
from kibitz.app.cli.main import load_command

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
SCRIPTS = (DEPLOY / "install.sh", DEPLOY / "raspberry-pi" / "first-boot.sh")
MOST_BYTES = 120_000_000


def test_packages_are_unpacked_once_and_older_ones_go(tmp_path: Path) -> None:
    """A second start finds them; another version takes the place of the first."""
    pytest.importorskip("zstandard")
    from deploy.build import pack
    from deploy.one_file import unpacked

    cache, packages = tmp_path / "cache", tmp_path / "packages"
    packages.mkdir()
    (packages / "module.py").write_bytes(b"one")
    archive = pack(packages, tmp_path)
    first, again = unpacked(archive, cache), unpacked(archive, cache)
    (packages / "module.py").write_bytes(b"two")
    other = unpacked(pack(packages, tmp_path), cache)

    assert first == again
    assert b"two" == (other / "module.py").read_bytes()
    assert [other] == list(other.parent.iterdir())


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_file_is_built_and_starts_without_python(tmp_path: Path) -> None:
    """With an empty home and nothing on the path it shows its first page, helps and prints."""
    pytest.importorskip("PyInstaller")
    pytest.importorskip("zstandard")
    from deploy.build import build

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
    sheets = tmp_path / "sheets.pdf"
    called = [
        subprocess.run([file, *call], env=place, capture_output=True, check=False).returncode
        for call in (["read", "--help"], ["print", "--output", sheets], ["word", "qi"])
    ]

    assert b"<title>Kibitz</title>" in shown
    assert [0, 0, 0] == called
    assert sheets.is_file()
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
