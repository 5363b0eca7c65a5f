"""Builds Kibitz as one file that needs no Python: `python deploy/build.py`, with PyInstaller.

    pip install pyinstaller && python deploy/build.py --out dist

The same on Linux, macOS and Windows, for the machine that it runs on. The packages lie in the
file as one archive: packed together they take a third less room than one by one.
"""

from __future__ import annotations

import argparse
import compileall
import lzma
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator
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
        pack(packages, work / "packages.tar.xz", preset)
        freeze(name, work, out)
    suffix = ".exe" if sys.platform == "win32" else ""
    return out / f"{name}{suffix}"


def install(packages: Path) -> None:
    """Put Kibitz and what it needs into a folder, in the versions that were tested."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile"]
    pins = ["--constraint", str(ROOT / "constraints.txt")]
    subprocess.run([*pip, "--target", packages, *pins, f"{ROOT}[{EXTRAS}]"], check=True)


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


def pack(packages: Path, archive: Path, preset: int) -> None:
    """One archive of a folder; what is alike lies together."""
    found = {"id": lzma.FILTER_LZMA2, "preset": preset, "dict_size": 1 << 26}
    filters = [{"id": lzma.FILTER_X86}, found]
    files = sorted(_files(packages), key=lambda path: (path.suffix, path))
    with (
        lzma.open(archive, "wb", filters=filters) as packed,
        tarfile.open(fileobj=packed, mode="w") as tar,
    ):
        for path in files:
            tar.add(path, path.relative_to(packages).as_posix())


def _files(packages: Path) -> Iterator[Path]:
    for path in packages.rglob("*"):
        if path.is_file():
            yield path


def freeze(name: str, work: Path, out: Path) -> None:
    """Python, with all of its own modules, and the archive as one file."""
    standard = sys.stdlib_module_names - STANDARD_UNUSED
    modules = sorted(m for m in standard if find_spec(m) is not None)
    separator = ";" if sys.platform == "win32" else ":"
    command = [sys.executable, "-m", "PyInstaller", "--onefile", "--noconfirm", "--clean"]
    command += ["--log-level", "WARN", "--strip" if sys.platform == "linux" else "--console"]
    command += ["--name", name, "--distpath", str(out), "--workpath", str(work / "frozen")]
    command += ["--specpath", str(work), "--add-data", f"{work / 'packages.tar.xz'}{separator}."]
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
