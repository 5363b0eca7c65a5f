"""Tables that a test opens in an empty folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kibitz.app.common.storage.tables import Storage
from kibitz.app.tables.registry import Tables


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    """The tables of an empty folder."""
    made = Tables(Storage(str(tmp_path)))
    yield made
    made.close()
