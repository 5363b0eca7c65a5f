"""The documentation: every link leads somewhere, every page is in the site, the site is built."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.helpers.shared_data import ROOT

DOCS = ROOT / "docs"
HOOKS = DOCS / "site" / "hooks.py"
LINK = re.compile(r"\]\(([^)\s]+)\)")
FACTOR = {"Pi 5": 4, "Pi 4": 10}


@pytest.fixture(scope="module")
def hooks():
    """What the site does with the pages."""
    spec = importlib.util.spec_from_file_location("hooks", HOOKS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_site_is_built(hooks, tmp_path: Path) -> None:
    """Strictly: no page is left out, no link and no heading that is linked to is missing."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    warnings = [line for line in done.stderr.splitlines() if line.startswith(("WARN", "ERR"))]
    pages = list(tmp_path.rglob("index.html"))
    written = [*(p for p in DOCS.rglob("*.md") if p.name != "package.md"), *hooks.OTHERS]
    fetched = {
        address
        for page in pages
        for address in re.findall(
            r"<(?:script|img|link)[^>]+(?:src|href)=\"?(https?://[^\" >]+)",
            page.read_text(encoding="utf-8"),
        )
    }

    assert (0, []) == (done.returncode, warnings)
    assert len(written) == len(pages)
    assert set() == fetched


def test_links_in_a_checkout_lead_somewhere(hooks) -> None:
    """Every relative link of every page, for who reads the files."""
    pages = [*DOCS.rglob("*.md"), *(ROOT / path for path in hooks.OTHERS)]
    missing = []
    for page in pages:
        text = re.sub(
            r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
        )
        for target in LINK.findall(text):
            if re.match(r"[a-z]+:|#|/", target):
                continue
            if not (page.parent / target.partition("#")[0]).exists():
                missing.append((str(page.relative_to(ROOT)), target))

    assert [] == missing
    assert len(pages) > 40


def test_every_page_is_in_the_index() -> None:
    """docs/README.md names each page beside it."""
    text = (DOCS / "README.md").read_text(encoding="utf-8")
    pages = {p.name for p in DOCS.glob("*.md")} - {"README.md", "package.md"}

    assert [] == sorted(name for name in pages if f"({name}" not in text)


def test_a_missing_page_fails_the_build() -> None:
    """Whatever mkdocs finds is a warning, which a strict build does not pass over."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    checks = yaml.safe_load(text)["validation"]

    assert {"warn"} == {v for group in checks.values() for v in group.values()}


@pytest.mark.parametrize(
    ("own", "here", "text", "turned"),
    [
        ("docs/a.md", "a.md", "[b](b.md#c)", "[b](b.md#c)"),
        ("docs/a.md", "a.md", "[x](../README.md#y)", "[x](project/README.md#y)"),
        ("docs/decisions/1.md", "decisions/1.md", "[x](../hall.md)", "[x](../hall.md)"),
        ("README.md", "project/README.md", "![p](docs/p.png)", "![p](../p.png)"),
        ("README.md", "project/README.md", "[l](LICENSE), `x`", "l, `x`"),
        ("README.md", "project/README.md", "[c](CHANGELOG.md)", "[c](CHANGELOG.md)"),
        (
            "models/training/README.md",
            "project/models/training/README.md",
            "[d](../../docs/hall.md)",
            "[d](../../../hall.md)",
        ),
        (
            "docs/a.md",
            "a.md",
            "[n](no-such.md) [o](https://o/)",
            "[n](no-such.md) [o](https://o/)",
        ),
    ],
)
def test_links_are_turned(hooks, own: str, here: str, text: str, turned: str) -> None:
    """To where a page lies in the site; what is no page is named without a link."""
    assert turned == hooks.turned(text, own, here)


def test_figures_for_a_pi_are_those_measured_times_the_factors() -> None:
    """None of them is of its own making."""
    text = (DOCS / "raspberry-pi.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| [^|]+ \| ([\d.]+) (%|ms) \| ([\d.]+) \2 \| ([\d.]+) \2 \|$", text, re.MULTILINE
    )
    wanted, told = [], []
    for measured, _, five, four in rows:
        scaled = [float(measured) * FACTOR[pi] for pi in ("Pi 5", "Pi 4")]
        wanted.append([f"{x:.1f}" if x < 10 else f"{x:.0f}" for x in scaled])
        told.append([five, four])

    assert wanted == told
    assert len(rows) == 6
    assert all(f"{pi} (times {factor})" in text for pi, factor in FACTOR.items())


def test_every_drawing_is_used_and_drawn_for_eyes() -> None:
    """Each is on a page, and says what it shows to who cannot see it."""
    text = (DOCS / "hardware.md").read_text(encoding="utf-8")
    drawings = sorted((DOCS / "pictures").glob("hardware-*.svg"))

    assert len(drawings) == 4
    assert [] == [d.name for d in drawings if f"(pictures/{d.name})" not in text]
    assert [] == [d.name for d in drawings if "<title>" not in d.read_text(encoding="utf-8")]
