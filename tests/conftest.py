"""Property tests try the same examples each time; a pytest of uv's own gets the test tools."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Playwright

with contextlib.suppress(ImportError):  # where the test tools are still to be fetched
    import tests.helpers.property_examples  # noqa: F401 - chooses how examples are tried

os.environ["LC_ALL"] = "C.UTF-8"  # what is said is in English, whatever this machine speaks

TOOLS = ("hypothesis", "httpx", "schemathesis", "playwright", "pytest_timeout", "psycopg")
AGAIN = "KIBITZ_TESTS_AGAIN"
COLLECT_AFTER = (20_000, 10, 10)
"""New objects before Python looks for those no longer needed, then each tenth time further back."""


def call_with_tools(
    uv: str | None, there: bool, again: bool, given: list[str]
) -> list[str] | None:
    """The call that runs these tests with their tools; None where nothing is missing.

    `uv run kibitz demo` fetches what a player needs and no more, so the tools come with the tests.

    Args:
        uv: the program that started this one, if it was uv.
        there: whether the tools are installed.
        again: whether this is that call already.
        given: what pytest was called with.
    """
    if uv is None or there or again:
        return None
    return [uv, "run", "--group", "test", "python", "-m", "pytest", *given]


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Before anything is collected: go over to an environment that has the tools."""
    there = all(find_spec(name) is not None for name in TOOLS)
    call = call_with_tools(os.environ.get("UV"), there, AGAIN in os.environ, sys.argv[1:])
    if call is None:
        return
    capture = pluginmanager.getplugin("capturemanager")
    if capture is not None:
        capture.stop_global_capturing()
    sys.stderr.write("the test tools are fetched: uv run --group test pytest\n")
    sys.stderr.flush()
    os.execve(call[0], call, {**os.environ, AGAIN: "1"})


def pytest_collection_finish() -> None:
    """What was imported is here to stay, and thousands of tests make much that is short-lived.

    To look through all of it again and again for what is no longer needed takes a fifth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """What drives browsers, one for all tests: a second one beside it would not start."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """The system's Chromium."""
    from tests.browser.browser_help import launch

    running = launch(playwright)
    yield running
    running.close()
