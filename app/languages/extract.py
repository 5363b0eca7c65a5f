"""The texts that are to be translated, found in the sources: rules, server, scripts and pages."""

from __future__ import annotations

import ast
import io
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

from babel.messages.extract import extract_javascript

ROOMS: Final = ("app", "calibration", "engine", "vision")
"""Where texts for people are written."""
PAGES: Final = Path("app/web")
SHOWN: Final = ("alt", "aria-label", "placeholder", "title")
"""Attributes that people read."""
_SELF: Final = "phrases.py"
_ONE: Final = ("phrase", "Phrase")
_SEVERAL: Final = ("counted", "Counted")


class ExtractError(ValueError):
    """A text that cannot be found in the source, as it is put together there."""


@dataclass(frozen=True, slots=True)
class Found:
    """A text to be translated.

    Attributes:
        one: the text, or the one for a single thing.
        many: the text for several things; None where it does not count.
        place: the file it stands in.
    """

    one: str
    many: str | None
    place: str


def texts(root: Path) -> list[Found]:
    """Every text below the folder that holds the rooms, each as often as it stands there."""
    out: list[Found] = []
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            if path.name != _SELF:
                out += python_texts(path.read_text("utf-8"), path.relative_to(root).as_posix())
    for path in sorted((root / PAGES).rglob("*.js")):
        out += script_texts(path.read_bytes(), path.relative_to(root).as_posix())
    for path in sorted((root / PAGES).rglob("*.html")):
        out += page_texts(path.read_text("utf-8"), path.relative_to(root).as_posix())
    return out


def python_texts(source: str, place: str) -> Iterator[Found]:
    """The templates of `phrase` and `counted` in a module.

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


def script_texts(source: bytes, place: str) -> Iterator[Found]:
    """The texts of `t("...")` and `tn("...", "...", n)` in a script."""
    keywords = {"t": None, "tn": (1, 2)}
    for _, name, given, _ in extract_javascript(io.BytesIO(source), keywords, [], {}):
        words = given if isinstance(given, (tuple, list)) else (given,)
        if name == "tn" and len(words) > 1 and words[0] and words[1]:
            yield Found(str(words[0]), str(words[1]), place)
        elif name == "t":
            yield Found(str(words[0]), None, place)


def page_texts(source: str, place: str) -> Iterator[Found]:
    """The texts and readable attributes of a page."""
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
        self._silent += tag in ("script", "style")
        for name, value in attrs:
            if name in SHOWN and value:
                self._take(value)

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._take(data)

    def _take(self, text: str) -> None:
        words = " ".join(text.split())
        if any(x.isalpha() for x in words) and words != "Kibitz":
            self.texts.append(words)
