"""Counts the files that a photograph, a camera's frame and an action over HTTP pass through.

    python tests/measures/files_passed.py

Counted are the project's files in which a function is called, and how often one call and the next
are in different files. Then, for each folder, its modules, its lines and its lines of imports.
"""

from __future__ import annotations

import ast
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
PHOTOS = sorted((ROOT / "app" / "data" / "demo" / "scrabble").glob("*.jpg"))
BY_ITSELF = ("ticker", "saver", "pictures")
"""Threads of a server that look now and then; what they do is part of no journey."""
ROOMS = ("app", "vision", "calibration", "models", "engine")


class Passages:
    """Records calls in the project's files, in every thread that starts after it."""

    def __init__(self) -> None:
        self._open = False
        self._files: set[str] = set()
        self._changes = 0
        self._last: dict[int, str] = {}
        threading.setprofile(self._called)
        sys.setprofile(self._called)

    def _called(self, frame: FrameType, event: str, arg: object) -> None:
        name = frame.f_code.co_filename
        if not self._open or event != "call" or not name.startswith(f"{ROOT}/kibitz/"):
            return
        thread = threading.get_ident()
        if threading.current_thread().name in BY_ITSELF:
            return
        self._changes += self._last.get(thread, name) != name
        self._last[thread] = name
        self._files.add(name)

    def passed(self, does: Callable[[], Any]) -> str:
        """Counts of files for an action, which is done once before, so that all is loaded."""
        self._files, self._changes, self._last = set(), 0, {}
        self._open = True
        does()
        self._open = False
        return f"{len(self._files)} files, {self._changes} changes of file"


def folders() -> None:
    """Print modules, lines and lines of imports of each folder."""
    modules: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    imports: Counter[str] = Counter()
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            if path.name == "__init__.py":
                continue
            text = path.read_text(encoding="utf-8")
            folder = path.parent.relative_to(ROOT).as_posix()
            modules[folder] += 1
            lines[folder] += text.count("\n")
            imports[folder] += sum(
                isinstance(x, (ast.Import, ast.ImportFrom)) for x in ast.walk(ast.parse(text))
            )
    for folder in sorted(modules):
        numbers = (
            f"{modules[folder]:3} modules {lines[folder]:6} lines {imports[folder]:4} imports"
        )
        print(f"{folder:32} {numbers}")


def main() -> None:
    """Measure, and print."""
    from fastapi.testclient import TestClient

    import kibitz
    from kibitz.app.reading.frames import FrameReader
    from kibitz.app.server.app import create_app
    from tests.app.server_help import PLAY, bearer, make_session, new_table

    passed = Passages().passed
    kibitz.read(PHOTOS[0])
    print("a photograph:", passed(lambda: kibitz.read(PHOTOS[0])))
    with tempfile.TemporaryDirectory() as place:
        session = make_session(Path(place))
        session.reader = FrameReader()
        with TestClient(create_app(session)) as client:
            made = new_table(client)
            at = f"/api/tables/{made['table']}"

            def frame(number: int) -> None:
                client.post(
                    f"{at}/frames",
                    content=PHOTOS[number].read_bytes(),
                    headers={**bearer(made["camera_token"]), "Content-Type": "image/jpeg"},
                ).raise_for_status()

            for number in (0, 0, 1):
                frame(number)
            print("a frame that rests, with its announcement:", passed(lambda: frame(1)))
            print("a frame without a change:", passed(lambda: frame(1)))
            other = new_table(client)
            sent = {"json": PLAY, "headers": bearer(other["host_token"])}
            path = f"/api/tables/{other['table']}/actions"
            client.post(path, **sent)
            client.post(path, json={"action": "undo"}, headers=sent["headers"])
            print("an action over HTTP:", passed(lambda: client.post(path, **sent)))
    folders()


if __name__ == "__main__":
    main()
