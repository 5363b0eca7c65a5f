"""Cameras: sources of pictures, detection of positions at rest, and a table's own camera."""
