"""Builds Kibitz as one file that needs no Python: `python deploy/build.py`, with PyInstaller.

    pip install pyinstaller zstandard && python deploy/build.py --out dist

The same on Linux, macOS and Windows, for the machine that it runs on. The packages lie in the
file as one archive: packed together they take a third less room than one by one.
"""

from __future__ import annotations

import argparse
import compileall
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from importlib.util import find_spec
from pathlib import Path

import zstandard

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = "mqtt,words"
SYSTEMS = {"Linux": "linux", "Darwin": "macos", "Windows": "windows"}
MACHINES = {"amd64": "x86_64", "aarch64": "arm64"}
UNUSED = (
    *("bin", "pip", "setuptools", "uvloop", "yaml", "_yaml", "watchfiles", "dotenv", "pycparser"),
    *("f2py", "google", "flatbuffers", "training", "tests", "testing", "__pycache__", "mypy"),
    *("include", "*.pyi", "*.c", "*.pyx", "*.pxd", "RECORD", "cv2/data", "spylls/hunspell/data"),
    *("pygments/lexers/[!_p]*", "pygments/lexers/_*_builtins.py", "numpy/_core/_simd.*"),
    *("onnxruntime/tools", "onnxruntime/transformers", "onnxruntime/quantization"),
    *("sqlalchemy/dialects/mssql", "sqlalchemy/dialects/oracle", "sqlalchemy/dialects/mysql"),
    "onnxruntime/capi/libonnxruntime.so*",  # Python's module has all of it a second time
    *("fontTools/**/*.so", "zeroconf/**/*.so"),  # there as Python too, quick enough
)
"""Folders and files that no call of Kibitz comes to, by the end of their path."""
LANGUAGES = ("root", "en", "de", "fr", "es", "it", "nl", "pl", "ro", "fi", "pt", "sv")
"""Of Babel's languages, those that Kibitz speaks."""
PACKING = zstandard.ZstdCompressionParameters.from_level(
    12, window_log=27, chain_log=24, search_log=7, enable_ldm=True
)
"""Packed in seconds; unpacked in a tenth of the time that xz takes, for a tenth more room."""
MODULES_UNUSED = {
    *("antigravity", "curses", "_curses", "_curses_panel", "distutils", "ensurepip", "idlelib"),
    *("lib2to3", "nis", "pydoc_data", "readline", "this", "tkinter", "_tkinter", "turtle"),
    *("turtledemo", "venv", "test", "ctypes.test", "sqlite3.test", "unittest.test"),
    *("_codecs_cn", "_codecs_hk", "_codecs_jp", "_codecs_kr", "_codecs_tw"),
    *("pip", "setuptools", "pkg_resources", "packaging", "zstandard.backend_cffi"),
}
"""Python's own, and what PyInstaller finds beside itself: Kibitz's packages lie in the archive."""


def build(out: Path, site: Path | None = None) -> Path:
    """The file, built.

    Args:
        out: the folder that it goes into.
        site: installed packages to take instead of installing them.
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
        freeze(name, pack(packages, work), work, out)
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
    for pattern in UNUSED:
        for path in list(packages.rglob(pattern)):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
    for path in packages.glob("babel/locale-data/*.dat"):
        if path.stem.split("_")[0] not in LANGUAGES:
            path.unlink()
    compileall.compile_dir(packages, quiet=2, legacy=True, stripdir=str(packages), workers=0)
    for path in packages.rglob("*.py"):
        # OpenCV reads its own settings itself
        if path.with_suffix(".pyc").is_file() and not path.match("cv2/config*.py"):
            path.unlink()
    if sys.platform == "linux":  # what only debuggers read; libraries beside them bear no strip
        modules = [path for path in packages.rglob("*.so") if ".libs" not in path.parent.name]
        subprocess.run(["strip", "--strip-debug", *modules], check=True)


def pack(packages: Path, folder: Path) -> Path:
    """The archive of packages, named by what is in it."""
    files = [path for path in packages.rglob("*") if path.is_file()]
    files.sort(key=lambda path: (path.suffix, path))  # what is alike lies together
    draft = folder / "draft"
    with (
        zstandard.open(
            draft, "wb", zstandard.ZstdCompressor(compression_params=PACKING)
        ) as packed,
        tarfile.open(fileobj=packed, mode="w|") as tar,
    ):
        for path in files:
            tar.add(path, path.relative_to(packages).as_posix())
    return draft.rename(folder / hashlib.sha256(draft.read_bytes()).hexdigest()[:16])


def freeze(name: str, packed: Path, work: Path, out: Path) -> None:
    """Python, with all of its own modules, and the archive as one file."""
    specs = [find_spec(module) for module in sorted(sys.stdlib_module_names - MODULES_UNUSED)]
    separator = ";" if sys.platform == "win32" else ":"
    command = [sys.executable, "-m", "PyInstaller", "--onefile", "--noconfirm", "--clean"]
    command += ["--log-level", "WARN", "--strip" if sys.platform == "linux" else "--console"]
    command += ["--name", name, "--distpath", str(out), "--workpath", str(work / "frozen")]
    command += ["--specpath", str(work), "--add-data"]
    command.append(f"{packed}{separator}packed")
    for spec in filter(None, specs):
        wanted = "collect-submodules" if spec.submodule_search_locations else "hidden-import"
        command.append(f"--{wanted}={spec.name}")
    command += [f"--exclude-module={module}" for module in sorted(MODULES_UNUSED)]
    subprocess.run([*command, str(ROOT / "deploy" / "one_file.py")], check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("dist"), help="the folder for the file")
    parser.add_argument("--site", type=Path, help="installed packages, instead of installing them")
    told = parser.parse_args()
    made = build(told.out.resolve(), told.site)
    sys.stdout.write(f"{made} {made.stat().st_size / 1e6:.1f} MB\n")
