"""Cameras: where pictures come from, when a position is at rest, a table's own camera."""
