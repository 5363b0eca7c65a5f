"""Builds Kibitz as one file that needs no Python: `python deploy/build.py`, with PyInstaller.

    pip install pyinstaller && python deploy/build.py --out dist

The same on Linux, macOS and Windows, for the machine that it runs on. The packages lie in the
file as a few archives: packed together they take a third less room than one by one.
"""

from __future__ import annotations

import argparse
import compileall
import hashlib
import lzma
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = "mqtt,words"
SYSTEMS = {"Linux": "linux", "Darwin": "macos", "Windows": "windows"}
MACHINES = {"amd64": "x86_64", "aarch64": "arm64"}
UNUSED = (
    *("bin", "pip", "setuptools", "uvloop", "yaml", "watchfiles", "dotenv", "tests", "testing"),
    *("f2py", "training", "__pycache__", "mypy", "include"),
    *("onnxruntime/tools", "onnxruntime/transformers", "onnxruntime/quantization"),
    *("cv2/data", "numpy/_core/include", "sqlalchemy/dialects/mssql"),
    *("sqlalchemy/dialects/oracle", "sqlalchemy/dialects/mysql", "spylls/hunspell/data"),
)
"""Folders, by the end of their path, that no call of Kibitz comes to."""
LANGUAGES = ("root", "en", "de", "fr", "es", "it", "nl", "pl", "ro", "fi", "pt", "sv")
"""Of Babel's languages, those that Kibitz speaks."""
ARCHIVES = 4
"""The first start unpacks them side by side: as many as a usual machine has cores."""
STANDARD_UNUSED = frozenset(
    ("antigravity", "idlelib", "lib2to3", "this", "tkinter", "_tkinter", "turtle", "turtledemo")
)


def build(out: Path, site: Path | None = None, preset: int = 6) -> Path:
    """The file, built.

    Args:
        out: the folder that it goes into.
        site: installed packages to take instead of installing them.
        preset: how hard the packages are packed, 0 to 9.
    """
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    machine = platform.machine().lower()
    name = f"kibitz-{version}-{SYSTEMS[platform.system()]}-{MACHINES.get(machine, machine)}"
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        packages = work / "packages"
        if site is None:
            install(packages)
        else:
            shutil.copytree(site, packages)
        prune(packages)
        freeze(name, pack(packages, work / "packed", preset), work, out)
    suffix = ".exe" if sys.platform == "win32" else ""
    return out / f"{name}{suffix}"


def install(packages: Path) -> None:
    """Put Kibitz and what it needs into a folder, in the versions that were tested."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile"]
    pins = ["--constraint", str(ROOT / "constraints.txt")]
    with tempfile.TemporaryDirectory() as folder:
        # what an earlier build left in the checkout would go into the wheel
        settings = Path(folder) / "setup.cfg"
        settings.write_text(f"[build]\nbuild_base={folder}/build\n", encoding="utf-8")
        subprocess.run(
            [*pip, "--target", packages, *pins, f"{ROOT}[{EXTRAS}]"],
            check=True,
            env={**os.environ, "DIST_EXTRA_CONFIG": str(settings)},
        )


def prune(packages: Path) -> None:
    """Take out what is never called, and sources where compiled modules do."""
    for path in sorted(packages.rglob("*"), reverse=True):
        inside = path.relative_to(packages).as_posix()
        if path.is_dir() and f"/{inside}".endswith(tuple(f"/{end}" for end in UNUSED)):
            shutil.rmtree(path)
    for path in packages.glob("onnxruntime/capi/libonnxruntime.so*"):
        path.unlink()  # for programs in C; Python's module has all of it a second time
    for path in packages.glob("babel/locale-data/*.dat"):
        if path.stem.split("_")[0] not in LANGUAGES:
            path.unlink()
    compileall.compile_dir(packages, quiet=2, legacy=True, stripdir=str(packages), workers=0)
    for path in packages.rglob("*"):
        if path.suffix in (".pyi", ".c", ".pyx", ".pxd") or (
            path.suffix == ".py"
            and path.with_suffix(".pyc").is_file()
            and not path.match("cv2/config*.py")  # OpenCV reads these itself
        ):
            path.unlink()
    if sys.platform == "linux":  # what only debuggers read; libraries beside them bear no strip
        modules = [path for path in packages.rglob("*.so") if ".libs" not in path.parent.name]
        subprocess.run(["strip", "--strip-debug", *modules], check=True)


def pack(packages: Path, packed: Path, preset: int) -> Path:
    """The folder with the archives of packages, named by what is in them.

    What is alike lies together.
    """
    files = [path for path in packages.rglob("*") if path.is_file()]
    files.sort(key=lambda path: (path.suffix, path))
    total = sum(path.stat().st_size for path in files)
    parts: dict[Path, list[Path]] = {packed / f"{n}.tar.xz": [] for n in range(ARCHIVES)}
    taken = 0
    for path in files:
        parts[packed / f"{taken * ARCHIVES // (total + 1)}.tar.xz"].append(path)
        taken += path.stat().st_size
    packed.mkdir()
    with ThreadPoolExecutor() as pool:
        list(pool.map(partial(_archive, packages, preset), parts, parts.values()))
    digest = hashlib.sha256(b"".join(archive.read_bytes() for archive in parts))
    return packed.rename(packed.with_name(digest.hexdigest()[:16]))


def _archive(packages: Path, preset: int, archive: Path, files: list[Path]) -> None:
    found = {"id": lzma.FILTER_LZMA2, "preset": preset, "dict_size": 1 << 26}
    with (
        lzma.open(archive, "wb", filters=[{"id": lzma.FILTER_X86}, found]) as packed,
        tarfile.open(fileobj=packed, mode="w") as tar,
    ):
        for path in files:
            tar.add(path, path.relative_to(packages).as_posix())


def freeze(name: str, packed: Path, work: Path, out: Path) -> None:
    """Python, with all of its own modules, and the archives as one file."""
    standard = sys.stdlib_module_names - STANDARD_UNUSED
    modules = sorted(m for m in standard if find_spec(m) is not None)
    separator = ";" if sys.platform == "win32" else ":"
    command = [sys.executable, "-m", "PyInstaller", "--onefile", "--noconfirm", "--clean"]
    command += ["--log-level", "WARN", "--strip" if sys.platform == "linux" else "--console"]
    command += ["--name", name, "--distpath", str(out), "--workpath", str(work / "frozen")]
    command += ["--specpath", str(work), "--add-data"]
    command += [f"{packed}{separator}packed/{packed.name}"]
    for module in modules:
        command += ["--hidden-import", module]
    subprocess.run([*command, str(ROOT / "deploy" / "one_file.py")], check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("dist"), help="the folder for the file")
    parser.add_argument("--site", type=Path, help="installed packages, instead of installing them")
    parser.add_argument("--preset", type=int, default=6, help="how hard to pack, 0 to 9")
    told = parser.parse_args()
    made = build(told.out.resolve(), told.site, told.preset)
    sys.stdout.write(f"{made} {made.stat().st_size / 1e6:.1f} MB\n")
