"""Updates the catalogues: `python -m kibitz.app.languages.update`.

New texts are added without a translation, texts that are gone are dropped, translations are kept.
A text that was changed is a new text: its translation is made anew.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from kibitz.app.languages.catalogues import (
    ENGLISH,
    LANGUAGES,
    catalogue_file,
    forms_of,
    read_catalogue,
)

ROOMS: Final = ("app", "calibration", "engine", "vision")
"""Where texts for people are written."""
PAGES: Final = Path("app/web")
SHOWN: Final = ("alt", "aria-label", "placeholder", "title")
"""Attributes that people read."""
SILENT: Final = ("code", "pre", "script", "style")
"""Elements whose text is not for reading."""
_FOR_PROGRAMS: Final = "docs.html"
_COMMENT: Final = ("*", "/*", "//")
_TEXT: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_CALL: Final = re.compile(
    rf"\b(?P<name>tx|tn)\(\s*(?P<texts>{_TEXT.pattern}(?:,\s*{_TEXT.pattern})?)"
)
_SELF: Final = "phrases.py"
_ONE: Final = ("phrase", "Phrase")
_SEVERAL: Final = ("counted", "Counted")


class ExtractError(ValueError):
    """A text that cannot be extracted, as it is built at run time."""


@dataclass(frozen=True, slots=True)
class Found:
    """A translatable text with its place.

    Attributes:
        one: the text, or the one for a single thing.
        many: the text for several things; None where it does not count.
        place: the file it stands in.
    """

    one: str
    many: str | None
    place: str


def texts(root: Path) -> list[Found]:
    """Every text in the sources, once for each place."""
    out: list[Found] = []
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            if path.name != _SELF:
                out += python_texts(path.read_text("utf-8"), path.relative_to(root).as_posix())
    for path in sorted((root / PAGES).rglob("*.js")):
        out += script_texts(path.read_text("utf-8"), path.relative_to(root).as_posix())
    for path in sorted((root / PAGES).rglob("*.html")):
        if path.name == _FOR_PROGRAMS:
            continue
        out += page_texts(path.read_text("utf-8"), path.relative_to(root).as_posix())
    return out


def python_texts(source: str, place: str) -> Iterator[Found]:
    """Yield the templates of `phrase` and `counted` in a module.

    Raises:
        ExtractError: a template is no plain text.
    """
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id in _ONE:
            yield Found(_plain(node, 0, place), None, place)
        elif node.func.id in _SEVERAL:
            yield Found(_plain(node, 0, place), _plain(node, 1, place), place)


def _plain(call: ast.Call, index: int, place: str) -> str:
    given = call.args[index] if index < len(call.args) else None
    if isinstance(given, ast.Constant) and isinstance(given.value, str):
        return given.value
    raise ExtractError(f"{place}:{call.lineno}: expected a plain text as template")


def script_texts(source: str, place: str) -> Iterator[Found]:
    """Yield the texts of `tx("...")` and `tn("...", "...", n)` in a script, nested ones too."""
    for found in _CALL.finditer(script_code(source)):
        words = [json.loads(text) for text in _TEXT.findall(found["texts"])]
        yield Found(words[0], words[1] if found["name"] == "tn" else None, place)


def script_code(source: str) -> str:
    """A script without its comment lines."""
    return "\n".join(x for x in source.splitlines() if not x.lstrip().startswith(_COMMENT))


def page_texts(source: str, place: str) -> Iterator[Found]:
    """Yield the texts and readable attributes of a page."""
    reader = _PageReader()
    reader.feed(source)
    for text in reader.texts:
        yield Found(text, None, place)


class _PageReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in SILENT
        for name, value in attrs:
            if name in SHOWN and value:
                self._take(value)

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in SILENT

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._take(data)

    def _take(self, text: str) -> None:
        words = " ".join(text.split())
        if any(x.isalpha() for x in words) and words != "Kibitz":
            self.texts.append(words)


ROOT = Path(__file__).resolve().parents[2]
Key = tuple[str, str | None]


def keys_with_places(root: Path = ROOT) -> dict[Key, list[str]]:
    """Every text with the files that contain it."""
    out: dict[Key, list[str]] = {}
    for found in texts(root):
        places = out.setdefault((found.one, found.many), [])
        if found.place not in places:
            places.append(found.place)
    return out


def updated(code: str, known: dict[Key, list[str]]) -> Catalog:
    """A language's catalogue with exactly these texts."""
    old = read_catalogue(code) if catalogue_file(code).exists() else Catalog(locale=code)
    new = Catalog(locale=code, fuzzy=False, project="Kibitz", version="", charset="utf-8")
    for (one, many), places in sorted(known.items(), key=lambda x: (x[0][0], x[0][1] or "")):
        before = old.get((one, many) if many is not None else one)
        string = before.string if before is not None else ""
        if many is not None and not isinstance(string, (tuple, list)):
            string = ("",) * len(forms_of(code))
        locations = [(place, 0) for place in places]
        new.add((one, many) if many is not None else one, string, locations=locations)
    return new


def written(catalogue: Catalog) -> bytes:
    """A catalogue's file, without dates and line numbers, which change often."""
    out = io.BytesIO()
    write_po(out, catalogue, width=99, include_lineno=False, omit_header=False)
    unwanted = ("POT-", "PO-", "Generated-", "Last-", "Report-", "Language-Team", "Project-")
    lines = out.getvalue().decode("utf-8").splitlines(keepends=True)
    header = [x for x in lines if not x.startswith(tuple(f'"{name}' for name in unwanted))]
    return "".join(x for x in header if not x.startswith("#") or x.startswith("#:")).encode()


def missing(catalogue: Catalog) -> list[str]:
    """Texts without a translation."""
    return [
        str(message.id[0] if isinstance(message.id, (tuple, list)) else message.id)
        for message in catalogue
        if message.id
        and not (
            all(message.string)
            if isinstance(message.string, (tuple, list)) and message.string
            else message.string
        )
    ]


def main() -> None:
    """Update every catalogue, and print how many texts need a translation."""
    known = keys_with_places()
    for code in LANGUAGES:
        if code == ENGLISH:
            continue
        catalogue = updated(code, known)
        path = catalogue_file(code)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(written(catalogue))
        sys.stdout.write(f"{code}: {len(known)} texts, {len(missing(catalogue))} not translated\n")


if __name__ == "__main__":
    main()
