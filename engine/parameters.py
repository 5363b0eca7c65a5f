"""A number that steers a decision: its default, unit, bounds and meaning in one place."""

from __future__ import annotations

from dataclasses import field
from typing import Any


def number(default: float, unit: str, low: float, high: float, what: str) -> Any:
    """A field of a frozen parameter class."""
    if not low <= default <= high:
        raise ValueError(f"{what}: expected {low} to {high} {unit}, got {default}")
    return field(default=default, metadata={"unit": unit, "low": low, "high": high, "what": what})
