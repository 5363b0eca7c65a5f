"""One server for all tests of the pages, and a fresh browser context for each."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from kibitz.app.reading.frames import FrameReader
from tests.browser.browser_help import LAPTOP, Served, chromium_path, serve

HERE = Path(__file__).parent
expect.set_options(timeout=25_000)  # the machine may be busy with other things


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder; skip them where no Chromium is, unless all are required."""
    missing = chromium_path() is None
    for item in items:
        if HERE not in item.path.parents:
            continue
        item.add_marker(pytest.mark.browser)
        if missing and os.environ.get("KIBITZ_REQUIRE_ALL") != "1":
            reason = "no Chromium on this machine (apt-get install chromium-headless-shell)"
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with the real reader of pictures."""
    with serve(tmp_path_factory.mktemp("tables"), FrameReader()) as running:
        yield running


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A person's browser with nothing kept; a page that breaks fails its test."""
    problems: list[str] = []
    fresh = browser.new_context(viewport=LAPTOP, accept_downloads=True)
    fresh.on("weberror", lambda error: problems.append(str(error.error)))
    fresh.set_default_timeout(30_000)
    yield fresh
    fresh.close()
    assert problems == []


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """One page of that browser."""
    return context.new_page()
