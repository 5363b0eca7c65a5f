"""A report of a misreading: pictures and what was read off them, in a zip, without any name."""

from __future__ import annotations

import json
import platform
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from kibitz.app.wire.lines import ReadLine

if TYPE_CHECKING:
    from kibitz.vision.frame import Picture

QUALITY: Final = 95
"""JPEG quality of the pictures; written anew, they hold no place, time or owner of the camera."""
FORM: Final = 1


def write_report(
    into: Path | IO[bytes],
    read: Iterable[tuple[Picture | None, ReadLine]],
    version: str,
    table: Mapping[str, Any] | None = None,
) -> None:
    """A zip of pictures, `report.json` beside them.

    Args:
        into: the file.
        read: each picture, None where there was none, and the line of `kibitz read --json`.
        version: that of Kibitz.
        table: of a table what its game has on the board, and what people put right.

    Raises:
        OSError: the file cannot be written.
    """
    from kibitz.app.reading.frames import encode_jpeg

    lines = []
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as report:
        for number, (picture, line) in enumerate(read, 1):
            name = f"picture-{number}.jpg"
            if picture is not None:
                report.writestr(name, encode_jpeg(picture, quality=QUALITY), zipfile.ZIP_STORED)
            lines.append(_nameless(line, name))
        facts = {
            "form": FORM,
            "kibitz": version,
            "system": f"{platform.system()} {platform.machine()}",
            "python": platform.python_version(),
            "readings": lines,
            "table": table,
        }
        report.writestr("report.json", json.dumps(facts, ensure_ascii=False, indent=1))


def _nameless(line: ReadLine, name: str) -> dict[str, Any]:
    """A line without the file's own name, which also stands in messages."""
    error = line["error"]
    code = None if error is None else {"code": error["code"]}
    return {**line, "file": name, "error": code}
