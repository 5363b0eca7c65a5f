"""Labelled data that lies beside the project; tests that need it skip where it is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"the labelled data is not at {SHARED}"
)
