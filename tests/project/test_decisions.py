"""The pages of `docs/decisions` have one form, and the index names each."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "decisions"
PAGES = sorted(FOLDER.glob("[0-9]*.md"))
HEADINGS = ["Context", "Choice", "Price"]
MOST_WORDS = 550
"""What fits on a page, with its tables."""


def test_every_page_says_what_was_chosen_when_and_at_what_price() -> None:
    """Context, Choice, Price in this order; figures may follow."""
    other = {
        page.name: found[:3]
        for page in PAGES
        if (found := re.findall(r"^## (.+)$", page.read_text("utf-8"), re.MULTILINE))[:3]
        != HEADINGS
    }

    assert {} == other


def test_every_page_is_one_page() -> None:
    """Whoever asks why something is so has read the answer in two minutes."""
    long = {
        page.name: count
        for page in PAGES
        if (count := len(page.read_text("utf-8").split())) > MOST_WORDS
    }

    assert {} == long


def test_the_index_has_a_line_for_every_page() -> None:
    """Each line has the number, the heading and the link of its page."""
    expected = set()
    for page in PAGES:
        number, heading = re.match(r"# (\d+)\. (.+)\n", page.read_text("utf-8")).groups()
        expected.add(f"| {number} | [{heading}]({page.name}) |")
    index = (FOLDER / "README.md").read_text("utf-8").splitlines()

    assert expected == {line for line in index if "](0" in line and line.startswith("| ")}
