"""What the site has beside the pages of docs/: the checkout's other pages, and every decision.

Links are written for who reads the files in a checkout. Here those that lead out of docs/ are
turned to the pages that are taken in; what is no page is named without a link.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
OTHERS = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "models/training/README.md",
    "datasets/tiles/README.md",
    "datasets/words/README.md",
)
"""Pages of the checkout outside docs/."""
PROJECT = "project/"
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Every decision stands in the navigation, in its order; so does a page without a place."""
    pages = sorted(p.name for p in (ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    first = ["decisions/README.md", "decisions/tried-and-dropped.md"]
    for entry in config.nav or ():
        if isinstance(entry, dict) and "Decisions" in entry:
            entry["Decisions"] = [*first, *(f"decisions/{name}" for name in pages)]
    placed = set(_pages_in(config.nav or [])) | {"package.md"}
    rest = sorted(p.name for p in (ROOT / "docs").glob("*.md") if p.name not in placed)
    if rest and config.nav is not None:
        config.nav.append({"More": rest})
    return config


def _pages_in(nav: Any) -> Iterator[str]:
    """Every page that a navigation names."""
    if isinstance(nav, str):
        yield nav
    else:
        for part in nav.values() if isinstance(nav, dict) else nav:
            yield from _pages_in(part)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Take in the pages outside docs/."""
    for path in OTHERS:
        text = (ROOT / path).read_text(encoding="utf-8")
        files.append(File.generated(config, PROJECT + path, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Turn the links that lead out of docs/ or into it."""
    here = page.file.src_uri
    own = here.removeprefix(PROJECT) if here.startswith(PROJECT) else f"docs/{here}"
    return turned(markdown, own, here)


def turned(markdown: str, own: str, here: str) -> str:
    """A page's text with links that hold in the site.

    Args:
        markdown: the text.
        own: the page's place in the checkout.
        here: its place in the site.
    """

    def turn(link: re.Match[str]) -> str:
        picture, text, target = link.groups()
        if re.match(r"[a-z]+:|#|/", target):
            return link[0]
        path, mark, anchor = target.partition("#")
        there = posixpath.normpath(posixpath.join(posixpath.dirname(own), path))
        if there.startswith("docs/"):
            place = there.removeprefix("docs/")
        elif there == "docs":
            place = "README.md"
        elif there in OTHERS:
            place = PROJECT + there
        elif (ROOT / there).exists() and not picture:
            return text
        else:
            return link[0]
        place = posixpath.relpath(place, posixpath.dirname(here) or ".")
        return f"{picture}[{text}]({place}{mark}{anchor})"

    return _LINK.sub(turn, markdown)
