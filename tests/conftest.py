"""Which tests run where nobody says; a pytest of uv's own gets the test tools."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from importlib.util import find_spec
from pathlib import Path
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
HERE = Path(__file__).parent
SLOW = (
    "app/archive/test_faults.py",
    "app/hall/",
    "browser/",
    "models/training/",
    "project/",
    "test_endurance.py",
    "test_films.py",
)
"""Where servers are killed, films and training sets drawn, packages built, whole games clicked."""
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


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Called without paths, the tests run on every core, and those that are slow stay out."""
    given = config.option
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if not whole:
        return
    given.markexpr = given.markexpr or "not slow"
    if hasattr(config, "workerinput"):  # each worker reads the call anew, and starts no others
        return
    if given.numprocesses is None and not (given.usepdb or given.collectonly):
        given.numprocesses, given.dist = "auto", "loadfile"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `-m fast`, files without a test of that mark are not even imported."""
    if config.option.markexpr != "fast" or not collection_path.match("test_*.py"):
        return None
    return "mark.fast" not in collection_path.read_text(encoding="utf-8") or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What lies in a slow place is slow, but for what is marked as fast."""
    for item in items:
        place = item.path.relative_to(HERE).as_posix()
        if place.startswith(SLOW) and item.get_closest_marker("fast") is None:
            item.add_marker(pytest.mark.slow)


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
