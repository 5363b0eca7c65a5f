"""Figures of a part of the benchmark, by name."""

from __future__ import annotations

from collections.abc import Mapping

Figure = str | float | Mapping[str, float]
"""One figure, or one for each kind of thing that was measured."""
Figures = dict[str, Figure]
