"""`kibitz check`: tests whether everything that Kibitz needs is here and works."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata, version
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kibitz.app.cli.options import Data, Json, Models
from kibitz.app.common.errors import UsageError
from kibitz.app.common.files import named_path
from kibitz.app.common.terminal import print_result

if TYPE_CHECKING:
    from kibitz.app.common.storage.tables import Storage

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox", "safari", "msedge")
MOST_DEVICES: Final = 4
"""Most cameras that are tried, as opening one takes its time."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Result of one test.

    Attributes:
        name: `models`, `lexicon`, `cameras` ...
        ok: whether it works.
        message: what was found; where it does not work, what to do about it.
        needed: whether Kibitz cannot do its work without it.
    """

    name: str
    ok: bool
    message: str
    needed: bool = True

    def to_json(self) -> dict[str, str | bool]:
        """The line of `kibitz check --json`."""
        return {
            "name": self.name,
            "ok": self.ok,
            "needed": self.needed,
            "message": self.message,
        }


def command(*, as_json: Json = False, data: Data = None, models: Models = None) -> int:
    """Test this installation: models, cameras, word list, browser, data folder.

    Example: kibitz check --json
    """
    tests: tuple[Callable[[], list[Finding]], ...] = (
        _python,
        _versions,
        lambda: _models(models),
        _tile_sets,
        _lexicon,
        lambda: _data_folder(data),
        _cameras,
        _browser,
        _heic,
    )
    failed = False
    for test in tests:
        for finding in test():
            failed = failed or (finding.needed and not finding.ok)
            if as_json:
                print_result(json.dumps(finding.to_json(), ensure_ascii=False))
            else:
                mark = "ok  " if finding.ok else "FAIL" if finding.needed else "none"
                print_result(f"{mark}  {finding.name}: {finding.message}")
    return 1 if failed else 0


def _python() -> list[Finding]:
    here = ".".join(str(x) for x in sys.version_info[:3])
    good = sys.version_info >= (3, 11)
    hint = "" if good else "; 3.11 or newer is needed"
    return [Finding("python", good, f"{here}{hint}")]


def _versions() -> list[Finding]:
    """Findings about installed packages older than required, which strangers' data reaches."""
    from packaging.requirements import Requirement

    try:
        facts = metadata("kibitz")
    except PackageNotFoundError:
        return [Finding("versions", False, "unknown: Kibitz runs without being installed", False)]
    parts = [{"extra": name} for name in ("", *(facts.get_all("Provides-Extra") or ()))]
    old = []
    for need in map(Requirement, facts.get_all("Requires-Dist") or ()):
        if need.marker is not None and not any(map(need.marker.evaluate, parts)):
            continue
        with suppress(PackageNotFoundError):
            there = version(need.name)
            if not need.specifier.contains(there, prereleases=True):
                old.append(f"{need.name} {there} (expected {need.specifier})")
    if old:
        hint = "older ones have known faults; install Kibitz again"
        return [Finding("versions", False, f"{', '.join(sorted(set(old)))}; {hint}")]
    return [Finding("versions", True, "as new as is needed")]


def _models(folder: Path | None) -> list[Finding]:
    from kibitz.models.session import MODEL_NAMES, WEIGHTS, ModelFileInvalid, load_model

    found = []
    for name in MODEL_NAMES:
        try:
            model = load_model(name, folder or WEIGHTS)
        except ModelFileInvalid as error:
            found.append(Finding(f"model {name}", False, str(error)))
        except ImportError as error:
            hint = "; install Kibitz again"
            found.append(
                Finding(f"model {name}", False, f"onnxruntime is missing ({error}){hint}")
            )
        else:
            code = model.facts.sha256[:12]
            found.append(Finding(f"model {name}", True, f"checksum {code} as expected, loads"))
    return found


def _tile_sets() -> list[Finding]:
    from kibitz.app.common.materials.named import TILE_SETS, load_tile_set

    try:
        sets = [load_tile_set(name) for name in TILE_SETS]
    except UsageError as error:
        return [Finding("tile sets", False, error.on_command_line)]
    return [Finding("tile sets", True, ", ".join(s.language for s in sets))]


def _lexicon() -> list[Finding]:
    from kibitz.app.common.materials.named import load_lexicon

    try:
        words = load_lexicon("default")
    except UsageError as error:
        return [Finding("lexicon", False, f"{error}; install Kibitz again")]
    size = len(words) if hasattr(words, "__len__") else 0
    good = "SCRABBLE" in words or size > 1000
    return [Finding("lexicon", good, f"{size} words")]


def _data_folder(data: str | None) -> list[Finding]:
    from kibitz.app.common.storage.tables import Storage, StorageError, default_data
    from kibitz.vision.frame import LIMITS
    from kibitz.vision.plain_file import told_size

    where = data or default_data()
    if "://" not in where:
        folder = named_path(where)
        above = next((p for p in (folder, *folder.parents) if p.exists()), Path("/"))
        if not os.access(above, os.W_OK):
            hint = "give another with --data"
            return [Finding("data", False, f"{above} cannot be written to; {hint}")]
        free = shutil.disk_usage(above).free
        room = f", {told_size(free)} free"
        if not folder.exists():
            enough = free > LIMITS.most_bytes
            return [Finding("data", enough, f"{where} will be made when needed{room}")]
    else:
        room = ""
    try:
        storage = Storage(where)
        try:
            return _kept_tables(storage, room)
        finally:
            storage.close()
    except StorageError as error:
        return [Finding("data", False, error.message)]


def _kept_tables(storage: Storage, room: str) -> list[Finding]:
    """Findings about the database: damaged pages and rows, games that cannot be replayed."""
    from kibitz.app.common.storage.tables import Damage
    from kibitz.app.tables.steps import BadStepError, marks_of

    damaged = list(storage.damaged_rows())
    rows = storage.table_rows()
    count = 0
    for row in rows:
        kept, damage = storage.readable_steps(row.id)
        players = row.header.get("players")
        names = tuple(map(str, players)) if isinstance(players, list) else ()
        try:
            marks_of(kept)
        except BadStepError as error:
            damage = Damage(row.id, names, str(error), error.readable)
        if damage is not None:
            damaged.append(damage)
        count += len(kept)
    found = [Finding("data", False, f"{storage.where}: {text}") for text in storage.problems()]
    found += [Finding("data", False, damage.sentence) for damage in damaged]
    if found:
        hint = f"{storage.where}: {len(damaged)} of {len(rows) + len(damaged)} tables are damaged"
        return [*found, Finding("data", False, f"{hint}; restore a copy of it if you have one")]
    return [Finding("data", True, f"{storage.where}: {len(rows)} tables, {count} steps{room}")]


def _cameras() -> list[Finding]:
    import cv2

    devices = sorted(Path("/dev").glob("video*")) if os.name == "posix" else []
    names = [str(i) for i in range(MOST_DEVICES)]
    if sys.platform.startswith("linux"):
        names = [p.name.removeprefix("video") for p in devices]
    working = []
    for name in names[:MOST_DEVICES]:
        capture = cv2.VideoCapture(int(name)) if name.isdecimal() else None
        if capture is None:
            continue
        done, _ = capture.read() if capture.isOpened() else (False, None)
        capture.release()
        if done:
            working.append(name)
    if working:
        return [Finding("cameras", True, f"device {', '.join(working)}", needed=False)]
    hint = "a stream, a folder, or a phone's browser can be the camera"
    return [Finding("cameras", False, f"no camera on this machine; {hint}", needed=False)]


def _browser() -> list[Finding]:
    found = [name for name in BROWSERS if shutil.which(name)]
    if found:
        return [Finding("browser", True, found[0], needed=False)]
    if sys.platform in ("darwin", "win32"):
        return [Finding("browser", True, "the system's own", needed=False)]
    hint = "open the address that 'kibitz serve' prints on another machine"
    return [Finding("browser", False, f"none found; {hint}", needed=False)]


def _heic() -> list[Finding]:
    from importlib.util import find_spec

    tools = [name for name in ("sips", "heif-dec", "heif-convert") if shutil.which(name)]
    if find_spec("pillow_heif") is not None:
        return [Finding("heic pictures", True, "pillow-heif", needed=False)]
    if tools:
        return [Finding("heic pictures", True, tools[0], needed=False)]
    hint = "install the extra 'heic' (or pillow-heif) to read them"
    return [Finding("heic pictures", False, f"cannot be opened here; {hint}", needed=False)]
