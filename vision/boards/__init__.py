"""The squares of one board."""
